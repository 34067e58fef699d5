"""The command line as someone uses it, and as someone should not."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from conftest import OWN
from freebody.algebra import budget
from freebody.cli import main, output
from freebody.model import shipped

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

COMMANDS = tuple(main.commands)


def run(*arguments: object) -> Result:
    """Run a command; whatever is wrong, it ends with a code and a sentence."""
    found = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert "Traceback" not in found.output
    return found


def call(*arguments: str, code: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command, or code of ours, in a process of its own."""
    command = [sys.executable, *(("-c", code) if code else ("-m", "freebody", *arguments))]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


# ---------------------------------------------------------------------- help


def test_the_commands_are_those_of_the_readme() -> None:
    known = {
        "models",
        "show",
        "segments",
        "derive",
        "explain",
        "compare",
        "exercise",
        "check",
        "adopt",
        "survey",
        "simulate",
        "sweep",
        "linearize",
        "identify",
        "optimize",
        "regressor",
        "sensitivity",
        "motion",
        "inverse",
        "muscles",
        "generate",
        "import",
        "schema",
        "new",
    }
    assert set(COMMANDS) == known


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_an_example(command: str) -> None:
    found = run(*command.split(), "--help")
    assert found.exit_code == 0
    example = found.output.split("Example")[1]
    assert f"freebody {command}".strip() in example


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from freebody.cli import main\n"
        "main(['simulate', '--help'], standalone_mode=False)\n"
        "main(['--help'], standalone_mode=False)\n"
        "heavy = {'sympy', 'pydantic', 'numpy', 'scipy', 'xarray', 'matplotlib', 'pydy', 'rich'}\n"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    found = call(code=code)
    assert (found.returncode, found.stderr) == (0, "")


def test_checking_imports_only_what_every_page_needs() -> None:
    code = (
        "import sys\n"
        "import freebody.checking\n"
        "heavy = {'numpy', 'scipy', 'xarray', 'matplotlib', 'pydy', 'pandas', 'tree_sitter'}\n"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    found = call(code=code)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_real_call_prints_its_version_and_its_errors() -> None:
    assert re.fullmatch(r".*version \d+\.\d+\.\d+\n", call("--version").stdout)
    found = call("derive", "pendulm")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("Error: pendulm: ")
    assert found.stderr.endswith("did you mean 'pendulum'?\n")


# ---------------------------------------------------------------------- models


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_nothing_half_written(
    told: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(frame: object, path: Path, **how: object) -> None:
        path.write_text("half")
        signal.raise_signal(told)

    monkeypatch.setattr("pandas.DataFrame.to_csv", killed)
    if told == signal.SIGINT:  # which is ignored where the tests run in the background
        signal.signal(told, signal.default_int_handler)
    recorded = tmp_path / "reach.csv"
    recorded.write_text("time,alpha\n" + "\n".join(f"{n / 100},{n**2 / 1e4}" for n in range(20)))
    before = signal.getsignal(signal.SIGTERM)
    done = run("motion", str(recorded), "-o", str(tmp_path / "smooth.csv"))
    assert done.exit_code != 0
    assert list(tmp_path.iterdir()) == [recorded]
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.exhaustive
def test_models_and_what_they_say() -> None:
    listed = run("models").output
    assert all(name in listed for name in shipped())
    shown = run("show", "three_link_arm").output
    for told in ("alpha3", "shoulder moment", "upper_arm", "0.3196", "Winter (2009)"):
        assert told in shown
    assert "'" not in run("show", "arm_3d").output.split("constant")[0]


@pytest.mark.parametrize("name", OWN)
def test_models_of_ones_own_are_shown_within_a_hundred_columns(name: str) -> None:
    found = run("show", OWN[name])
    assert found.exit_code == 0
    assert max(map(len, found.output.splitlines())) <= 100


def test_the_schema_is_json() -> None:
    assert "each" in json.loads(run("schema").output)["properties"]


# ---------------------------------------------------------------------- derive


def test_derive_in_json() -> None:
    found = json.loads(run("derive", "two_link", "--method", "all", "--json").output)
    assert found["coordinates"] == ["alpha1", "alpha2"]
    assert [len(row) for row in found["M"]] == [2, 2]
    assert [len(found[block]) for block in ("C", "G", "E", "tau")] == [2, 2, 2, 2]
    assert found["tau"] == ["T1", "T2"]
    assert found["M"][0][1] == "I2 + L1*d2*m2*cos(alpha2) + d2**2*m2"
    pairs = ("kane-lagrange", "kane-newton_euler", "lagrange-newton_euler")
    assert found["agreement"] == {pair: {"equal": True, "proof": "exact"} for pair in pairs}


@pytest.mark.parametrize("method", ["kane", "lagrange", "newton_euler"])
def test_derive_by_one_formulation(method: str) -> None:
    found = json.loads(run("derive", "pendulum", "--method", method, "--json").output)
    assert found["method"] == method
    assert found["M"] == [["I + d**2*m"]]
    assert found["agreement"] == {}


def test_derive_tells_how_formulations_agree() -> None:
    lines = run("derive", OWN["cart"], "--method", "all").output.splitlines()
    assert lines[0] == "M[1,1] = mc + mp"
    assert lines[-3:] == [
        "kane and lagrange agree (exact)",
        "kane and newton_euler agree (exact)",
        "lagrange and newton_euler agree (exact)",
    ]


def test_equations_too_large_to_be_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "WHOLE", 10)
    found = json.loads(run("derive", "two_link", "--method", "all", "--json").output)
    assert found["too_large"] == "it takes more than 10 products of terms"
    assert found["program"][-1].startswith("tau[2] = ")
    assert all(compared["equal"] for compared in found["agreement"].values())
    refused = run("derive", "two_link", "--latex")
    assert refused.exit_code == 1
    assert "without --latex they are printed as a program" in refused.output


def test_derive_in_latex() -> None:
    written = run("derive", "pendulum", "--latex").output
    assert r"\ddot{\theta}" in written
    assert r"\sin" in written


# ---------------------------------------------------------------------- check


@pytest.fixture
def link(tmp_path: Path) -> Path:
    """Return a copy of a shipped model and its document."""
    shutil.copytree(shipped()["one_link"], tmp_path / "link")
    return tmp_path / "link"


def edit(folder: Path, old: str, new: str) -> None:
    (page,) = folder.glob("*.md")
    text = page.read_text()
    assert old in text
    page.write_text(text.replace(old, new, 1))


TURNED = ("+ mgd \\cos", "- mgd \\cos")


def test_check_of_what_is_recorded_exits_with_0(link: Path) -> None:
    found = run("check", link)
    assert found.exit_code == 0
    assert found.output.endswith(
        "everything that was found is recorded, and everything recorded was found.\n"
    )


def test_check_of_an_unrecorded_difference_exits_with_1(link: Path) -> None:
    edit(link, *TURNED)
    found = run("check", link)
    assert found.exit_code == 1
    assert "differs, which is not recorded, in d*g*m*cos(alpha)" in " ".join(found.output.split())
    assert "do not agree with what is recorded" in found.output


def test_check_of_a_record_that_does_not_occur_exits_with_1(link: Path) -> None:
    edit(link, 'terms = ["g", "g*m"]', 'terms = ["g", "g*m", "d*g"]')
    found = run("check", link)
    assert found.exit_code == 1
    assert "recorded, but does not occur: 'd*g'" in found.output


def test_check_of_a_label_that_is_gone_exits_with_1(link: Path) -> None:
    edit(link, 'in = ["(VC.1)"]', 'in = ["(VC.1)", "(VC.11)"]')
    found = run("check", link)
    assert found.exit_code == 1
    assert re.search(r"\(VC.11\) is recorded, but .* did you mean '\(VC.\d\)'\?", found.output)


@pytest.mark.exhaustive
def test_check_of_what_cannot_be_read_exits_with_2(link: Path) -> None:
    edit(link, "$$", "$$\n\\alpha + = 3 \\tag{odd}\n$$\n\n$$")
    found = run("check", link)
    assert found.exit_code == 2
    assert "unreadable" in found.output
    assert "(odd)" in found.output


def test_check_of_an_undeclared_symbol_exits_with_2(link: Path) -> None:
    edit(link, "$$", "$$\n\\delta = \\gamma \\tag{odd}\n$$\n\n$$")
    found = run("check", link)
    assert found.exit_code == 2
    assert r"'\gamma'" in found.output


def test_check_in_json(link: Path) -> None:
    edit(link, *TURNED)
    found = run("check", link, "--json")
    assert found.exit_code == 1
    (document,) = json.loads(found.output)["documents"]
    assert (document["document"], document["model"]) == ("duarte_one_link", "one_link")
    for equation in document["equations"]:
        keys = {"label", "line", "latex", "status", "proof", "differences", "recorded", "note"}
        assert keys <= equation.keys()
    (wrong,) = (e for e in document["equations"] if e["surprise"])
    assert wrong["status"] == "differs"
    (difference,) = wrong["differences"]
    assert difference["term"] == "d*g*m*cos(alpha)"
    assert {difference["printed"], difference["derived"]} == {"-1", "1"}
    assert "- mgd" in wrong["latex"]
    shown = (link / "duarte_one_link.md").read_text().splitlines()[wrong["line"] - 1 :]
    assert wrong["latex"].splitlines()[0] in "\n".join(shown[:2])


@pytest.mark.exhaustive
def test_check_takes_documents_and_models_alike(link: Path) -> None:
    by_model = run("check", link, "--json").output
    assert run("check", link / "duarte_one_link.md", "--json").output == by_model
    assert run("check", link / "model.toml", "--json").output == by_model


def test_check_of_a_model_without_documents_says_so(link: Path) -> None:
    (link / "duarte_one_link.md").unlink()
    found = run("check", link)
    assert (found.exit_code, found.output) == (0, "no documents to check\n")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", ["table", "json", "markdown", "html", "github"])
def test_check_writes_a_file_whole_or_not_at_all(link: Path, form: str) -> None:
    report = link / "report.out"
    found = run("check", link / "duarte_one_link.md", "--format", form, "-o", report)
    assert (found.exit_code, found.stdout) == (0, "")
    assert "(VC.1)" in report.read_text() or form == "github"
    assert sorted(path.name for path in link.iterdir()) == [
        "duarte_one_link.md",
        "model.toml",
        "report.out",
    ]


def test_check_refuses_what_cannot_be_written(link: Path) -> None:
    for place in (link, link / "none" / "report.html"):
        found = run("check", link, "-o", place)
        assert found.exit_code == 1
        assert f"{place}: cannot be written there" in found.output


def test_check_on_github_annotates_and_adds_to_the_summary(
    link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(link, *TURNED)
    summary = link / "summary"
    summary.write_text("# before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.chdir(link)
    found = run("check", "duarte_one_link.md", "--format", "github")
    assert found.exit_code == 1
    (command,) = (line for line in found.output.splitlines() if line.startswith("::"))
    where, told = command.removeprefix("::error ").split("::", 1)
    places = dict(part.split("=", 1) for part in where.split(","))
    assert places["file"] == "duarte_one_link.md"
    lines = (link / "duarte_one_link.md").read_text().splitlines()
    assert "- mgd" in "\n".join(lines[int(places["line"]) - 1 :][:3])
    assert "d*g*m*cos(alpha)" in told
    assert summary.read_text().startswith("# before\n# Printed equations")


PLAIN = "# Notes\n\n$$ y = 3 $$\n"
OTHER = '+++\ntitle = "A post"\ndate = 2026-01-01\n+++\n\n$$ y = 3 $$\n'


@pytest.mark.exhaustive
def test_check_passes_over_files_that_are_no_documents_where_asked(link: Path) -> None:
    expected = run("check", link).output
    for name, text in (("README.md", PLAIN), ("post.md", OTHER), ("notes.tex", "$$ y = 3 $$")):
        (link / name).write_text(text)
    others = [link / name for name in ("README.md", "post.md", "notes.tex")]
    found = run("check", *others, "--documents-only")
    assert (found.exit_code, found.output) == (0, "no documents to check\n")
    assert "post\n  constant" in run("check", *others).output
    both = run("check", *others, link / "duarte_one_link.md", "--documents-only")
    assert (both.exit_code, both.output) == (0, expected)


def test_check_tells_what_is_wrong_with_documents_and_what_is_not_there(link: Path) -> None:
    (link / "cut.md").write_text("+++\ntitle = \n+++\n")
    for name in ("cut.md", "gone.md"):
        found = run("check", link / name, "--documents-only")
        assert found.exit_code == 2
        assert name in found.output


@pytest.mark.exhaustive
def test_a_page_is_graded_against_a_document(link: Path) -> None:
    page = (link / "duarte_one_link.md").read_text().split("+++")[2]
    right, wrong = link / "anna.md", link / "ben.md"
    right.write_text(page)
    assert "+ mgd \\cos" in page
    wrong.write_text(page.replace(*TURNED, 1))
    against = link / "duarte_one_link.md"
    found = run("check", right, wrong, "--against", against)
    assert found.exit_code == 1
    rows = {line.split()[0]: line.split() for line in found.output.splitlines() if line.split()}
    assert [int(number) for number in rows["anna"][1:4]] == [31, 1, 0]
    assert [int(number) for number in rows["ben"][1:4]] == [30, 2, 0]
    assert "% right." in found.output.splitlines()[-1]
    data = json.loads(run("check", right, "--against", against, "--json").output)
    assert data["graded"] is True


# ---------------------------------------------------------------------- simulate


@pytest.mark.exhaustive
def test_simulate_writes_what_it_is_asked_for(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("run.csv", "run.png", "run.gif")]
    found = run(
        *("simulate", OWN["cart"], "--duration", 0.08, "--set", "mc=3", "--initial", "x=rest/2"),
        *("--input", "T=-0.1*theta_dot", "-o", files[0], "--plot", files[1], "--animate", files[2]),
    )
    assert found.exit_code == 0
    assert all(file.stat().st_size > 1000 for file in files)
    assert {file.name for file in tmp_path.iterdir()} == {
        *("run.csv", "run.json", "run.png", "run.gif")
    }
    assert "energy drift: " in found.stdout
    assert f"wrote {files[0]}" in found.stderr


def test_simulate_in_json_is_only_json() -> None:
    found = run("simulate", "pendulum", "--duration", 0.1, "--set", "g=1.6", "--json")
    told = json.loads(found.stdout)
    assert {"energy_drift", "seconds", "evaluations", "engine"} <= told.keys()
    assert told["constants"]["g"] == 1.6
    assert found.stderr == ""


@pytest.mark.exhaustive
def test_simulate_refuses_what_differs_from_its_document(link: Path) -> None:
    edit(link, *TURNED)
    found = run("simulate", link, "--duration", 0.1)
    assert found.exit_code == 1
    assert "not recorded" in found.stderr
    assert run("simulate", link, "--duration", 0.1, "--unchecked").exit_code == 0


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ("--set x", 2, "expected NAME=VALUE, found 'x'"),
        ("--set =1", 2, "expected NAME=VALUE"),
        ("--set d=", 2, "expected NAME=VALUE"),
        ("--set d=one", 2, "expected a number for 'd', found 'one'"),
        ("--set hight=1", 1, "no constant 'hight'; did you mean 'height'?"),
        ("--set d=1e400", 1, "expected a finite number, found inf"),
        ("--set d=nan", 1, "expected a finite number, found nan"),
        ("--duration nan", 1, "expected a positive duration, found nan"),
        ("--duration -1", 1, "expected a positive duration, found -1"),
        ("--duration x", 2, "is not a valid float"),
        ("--step 0", 1, "expected a positive step, found 0"),
        ("--step inf", 1, "expected a positive step, found inf"),
        ("--tolerance 0", 1, "expected a tolerance"),
        ("--initial theta=", 2, "expected NAME=VALUE"),
        ("--initial tehta=1", 1, "did you mean 'theta'?"),
        ("--initial theta=1=2", 1, "did not expect '='"),
        ("--input T1=1", 1, "did you mean 'T'?"),
        ("--input T=__import__('os').system('x')", 1, "did not expect '_'"),
        ("--input T=9**9**9", 1, "too large"),
        ("--input T=((((((((((", 1, "input 'T'"),
        ("--input T=" + "(" * 5000, 1, "input 'T'"),
        ("--input T=lambda:0", 1, "input 'T'"),
        ("--input T=t.__class__", 1, "input 'T'"),
        ("--input T=é", 1, "input 'T'"),
        ("--input T=1/0", 1, "division by zero"),
        ("--output run.txt", 1, "expected a file name that ends in .csv or .nc"),
        ("--output /nowhere/run.csv", 1, "/nowhere/run.csv: cannot be written there"),
        ("--plot run.gif", 1, "expected a file name that ends in .png or .pdf or .svg"),
        ("--animate run.png", 1, "expected a file name that ends in .gif or .mp4"),
        ("--panels energy", 2, "name its file"),
        ("--size large", 2, "expected WIDTHxHEIGHT in pixels, found 'large'"),
        ("--motor x", 2, "No such option"),
        ("--engine x", 1, "expected an engine (pydy, scipy, heyoka), found 'x'"),
        ("--engine pydi", 1, "did you mean 'pydy'?"),
        ("--stop-when thta=1", 1, "did you mean 'theta'?"),
        ("--set-when theta=1:thta_dot=1", 1, "there is no speed 'thta_dot'; did you mean"),
    ],
)
def test_bad_options_are_told_in_a_sentence(options: str, code: int, told: str) -> None:
    found = run("simulate", "pendulum", "--duration", 0.1, *options.split(" ", 1))
    assert told in found.stderr
    assert (found.exit_code, found.stdout) == (code, "")
    assert len(found.stderr.splitlines()[-1]) < 400


def test_an_interruption_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pydy.system.System.integrate", stop)
    found = run("simulate", "pendulum", "-o", tmp_path / "run.csv")
    assert found.exit_code == 1
    assert "Aborted!" in found.stderr
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------- bad files


@pytest.fixture
def bad_files(tmp_path: Path) -> dict[str, Path]:
    contents = {
        "empty": b"",
        "binary": bytes(range(256)) * 4,
        "huge": b"#" * 2_000_000,
        "nulls": b"\0" * 100,
        "nested": b"a = " + b"[" * 5000,
        "dots": b".".join([b"a"] * 5000) + b" = 1",
        "wrong": b"title = 3\nbodies = 4\n",
        "page": b"+++\ntitle = 3\n+++\n$$ x = $$",
        "unclosed": b"+++\ntitle = 'x'\n",
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.toml").write_bytes(content)
        (tmp_path / f"{name}.md").write_bytes(content)
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "folder.md").mkdir()
    return {name: tmp_path / name for name in (*contents, "folder", "missing")}


@pytest.mark.parametrize("command", ["show", "derive", "simulate", "check"])
def test_bad_model_files_are_told(bad_files: dict[str, Path], command: str) -> None:
    for path in bad_files.values():
        found = run(command, path.with_suffix(".toml"))
        assert found.exit_code == 2
        assert found.stderr.startswith(f"Error: {path}.toml: ")


def test_bad_documents_are_told(bad_files: dict[str, Path]) -> None:
    for path in bad_files.values():
        found = run("check", path.with_suffix(".md"))
        assert found.exit_code == 2
        assert found.stderr.startswith(f"Error: {path}.md: ")


@pytest.mark.parametrize(
    "target", ["nowhere", "", "pendulm", "a\0b", "é" * 300, "../..", "/dev/null"]
)
def test_what_is_no_model_is_told(target: str) -> None:
    for command in ("show", "derive", "check", "simulate"):
        found = run(command, target)
        assert found.exit_code == 2
        assert found.stderr.startswith("Error: ")


# ---------------------------------------------------------------------- new


@pytest.mark.exhaustive
def test_a_new_model_checks_and_simulates_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "mybody").exit_code == 0
    assert run("check", "mybody").exit_code == 0
    assert run("simulate", "mybody", "--duration", 0.1).exit_code == 0
    again = run("new", "mybody")
    assert again.exit_code == 1
    assert "exists" in again.stderr


@pytest.mark.parametrize(
    "setting", ["--set l=1 --set l=2", "--initial theta=1 --initial theta=2", "--set l=1 --set l=1"]
)
def test_a_value_that_is_given_twice_is_refused(setting: str) -> None:
    told = run("simulate", "pendulum", "--duration", "0.1", *setting.split())
    assert told.exit_code == 2
    assert "expected one value of" in told.output


@pytest.mark.parametrize(
    ("command", "name"),
    [(("simulate", "pendulum"), "run.csv"), (("adopt", "page.md"), "document.md")],
)
def test_a_folder_that_is_not_there_is_named(
    tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    """Before anything is worked out: the page that is to be adopted is not there either."""
    told = run(*command, "-o", tmp_path / "nowhere" / name)
    assert told.exit_code == 1
    assert "there is no folder" in told.output


def test_inverse_reads_chosen_columns_of_a_model_with_copies(tmp_path: Path) -> None:
    recorded = tmp_path / "reach.csv"
    rows = "".join(f"{i / 100},{i / 100},0.5,7\n" for i in range(60))
    recorded.write_text(f"time,alpha1 [rad],alpha2 [rad],pulse\n{rows}")
    assert run("inverse", "two_link", recorded).exit_code == 2  # one column too many
    told = run("inverse", "two_link", recorded, "--column", "alpha1", "--column", "alpha2")
    assert told.exit_code == 0, told.output
    assert (
        "'i' is not in its [each]" in run("inverse", "two_link", recorded, "--each", "i=2").output
    )


@pytest.mark.few("checking", "deriving")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("derive", "two_link", "--method", "all"), "deriving 2 equations of motion by kane"),
        (("simulate", "pendulum", "--unchecked", "--duration", "0.1"), "deriving"),
        (("linearize", "pendulum"), "deriving and differentiating"),
        (("check", "pendulum"), "checking"),
    ],
)
def test_long_work_is_told_in_lines_where_there_is_no_terminal(
    command: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "SELDOM", 60.0)
    quiet = CliRunner().invoke(main, command)
    assert told not in quiet.stderr
    monkeypatch.setattr(output, "SELDOM", 0.001)
    found = CliRunner().invoke(main, command)
    line = next(line for line in found.stderr.splitlines() if told in line)
    assert re.fullmatch(r"[^\n]+, \d+ s", line)
    assert told not in found.stdout
