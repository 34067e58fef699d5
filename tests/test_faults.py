"""What goes wrong inside freebody is told of its equation or its page, and the others go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from freebody.checking import verdicts
from freebody.checking.causes.error_propagation import ErrorPropagation
from freebody.checking.check import surprises
from freebody.checking.guesses import meaning_tester
from freebody.checking.report import Report
from freebody.checking.verdicts import Checker
from freebody.cli import main
from freebody.documents.latex.layout import displays
from freebody.model import load
from freebody.reporting import written

PAGE = r"""+++
title = "A page"
source = "none"
model = "pendulum"
[symbols]
'\theta' = "theta"
'm' = "m"
'g' = "g"
+++
$$\theta = \theta$$

$$m g = g m$$

$$m = g$$
"""
FAULT = "freebody failed here (KeyError: 'H'"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def fails(*arguments: object, **options: object) -> None:
    raise KeyError("H")


def break_second(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Let something fail at the second equation of the page."""
    owner, name = {
        "read": (displays, "read_openly"),
        "judged": (verdicts, "judge"),
        "traced": (ErrorPropagation, "add"),
    }[where]
    right, calls = getattr(owner, name), []

    def sometimes(*arguments: object, **options: object) -> object:
        calls.append(arguments)
        told = "".join(map(str, arguments))
        is_second = "m g" in told if where != "read" else len(calls) == 2
        return fails() if is_second else right(*arguments, **options)

    monkeypatch.setattr(owner, name, sometimes)


@pytest.mark.parametrize(
    ("where", "status"), [("read", "failed"), ("judged", "failed"), ("traced", "holds")]
)
def test_a_fault_in_one_equation_is_told_of_that_one(
    page: Path, monkeypatch: pytest.MonkeyPatch, where: str, status: str
) -> None:
    break_second(monkeypatch, where)
    report = freebody.check(page)
    first, second, third = report.documents[0].equations
    assert (first.status, second.status, third.status) == ("holds", status, "differs")
    assert second.fault.startswith(FAULT)
    assert "please report this line" in second.fault
    assert not first.fault + third.fault
    assert report.exit_code == 2
    assert any(FAULT in line for line in report.surprises())


@pytest.mark.parametrize("form", ["table", "json", "markdown", "html", "github"])
def test_a_fault_is_in_every_report(page: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    break_second(monkeypatch, "judged")
    run = CliRunner().invoke(main, ["check", str(page), "--format", form])
    assert run.exit_code == 2
    assert "freebody failed here" in " ".join(run.output.split())


def test_a_fault_beside_a_model_is_told_and_is_no_difference(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Path(freebody.load("pendulum").source or "")
    beside = page.parent / "model.toml"
    beside.write_text(model.read_text())
    break_second(monkeypatch, "judged")
    told = list(surprises(load(beside)))
    assert [one.differs for one in told] == [False, True]
    assert FAULT in told[0].text


@pytest.mark.parametrize("where", ["definitions", "verdicts"])
def test_a_fault_in_a_page_as_a_whole_is_told_of_the_page(
    page: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(Checker, where, fails)
    report = freebody.check(page)
    (document,) = report.documents
    assert document.faults[0].startswith(FAULT)
    assert report.exit_code == 2
    assert "freebody failed here" in written(report, "markdown")


def graded(folder: Path, *pages: Path) -> Report:
    return freebody.check(*pages, against="pendulum")


def test_one_page_does_not_lose_a_batch_of_grades(tmp_path: Path) -> None:
    good, bad, absent = tmp_path / "good.md", tmp_path / "bad.md", tmp_path / "absent.md"
    good.write_text("$$m = m$$")
    bad.write_text("+++\ntitle = \n+++\n$$m = m$$")
    report = graded(tmp_path, bad, good, absent)
    told = {one.document: (one.faults, len(one.equations)) for one in report.documents}
    assert told["good"] == ((), 1)
    assert "bad.md" in told["bad"][0][0]
    assert "absent.md" in told["absent"][0][0]
    assert report.exit_code == 2
    with pytest.raises(freebody.DocumentError):
        graded(tmp_path, bad)


def test_a_fault_in_guessing_leaves_the_grades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("$$m = m$$\n\n$$x = x$$")
    monkeypatch.setattr("freebody.checking.guesses.guessed", fails)
    report = graded(tmp_path, page)
    assert [one.status for one in report.documents[0].equations] == ["unreadable", "unreadable"]
    assert report.documents[0].faults[0].startswith(FAULT)
    assert report.exit_code == 2


def test_a_fault_of_a_command_is_a_line_to_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("freebody.model.shipped", fails)
    run = CliRunner().invoke(main, ["models"])
    assert run.exit_code == 2
    assert run.stderr.startswith(f"Error: {FAULT}")
    assert "cli/models.py" in run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.few(["schema"], ["--help"])
@pytest.mark.parametrize("arguments", [["schema"], ["--help"], ["check", "pendulum", "--json"]])
def test_a_full_disk_behind_stdout_is_a_sentence(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "freebody", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr == "Error: cannot write: No space left on device\n"


def test_a_report_in_json_has_the_fault(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_second(monkeypatch, "judged")
    run = CliRunner().invoke(main, ["check", str(page), "--json"])
    (document,) = json.loads(run.stdout)["documents"]
    assert document["equations"][1]["status"] == "failed"
    assert document["equations"][1]["fault"].startswith(FAULT)


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"m = g\cos(\theta-\theta)", "differs"),
        (r"m = g\sin(\theta-\theta)", "differs"),
        (r"m = \log(0)", "unreadable"),
        (r"m = g\exp(1/0)", "unreadable"),
        (r"m = \operatorname{atan2}(0, 0)", "unreadable"),
        (r"\cos(\theta-\theta) = \exp(0)", "holds"),
        (r"m = \tan(\pi/2)", "unreadable"),
        (r"m = (g-g)^{-1}", "unreadable"),
    ],
)
def test_arguments_and_divisors_that_vanish(page: Path, equation: str, status: str) -> None:
    page.write_text(f"{PAGE.partition('$$')[0]}$${equation}$$\n")
    (found,) = freebody.check(page).documents[0].equations
    assert (found.status, found.fault) == (status, "")


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("default")
def test_a_warning_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def careful(*arguments: object) -> dict[str, str]:
        warnings.warn("nothing is cached", stacklevel=2)
        return {}

    monkeypatch.setattr("freebody.model.shipped", careful)
    run = CliRunner().invoke(main, ["models"])
    assert run.stderr == "Warning: nothing is cached\n"


DRIVEN = """
title = "Two sliders, of which the time says how far they are apart"
[coordinates]
x = { title = "of the first", unit = "m", initial = 0.5 }
y = { title = "of the second", unit = "m", initial = 0.5 }
[constants]
m = { title = "mass", unit = "kg", value = 1.0 }
w = { title = "rate", unit = "rad/s", value = 1.0 }
a = { title = "amplitude", unit = "m", value = 0.1 }
[[bodies]]
name = "first"
mass = "m"
[[bodies]]
name = "second"
mass = "m"
[[joints]]
name = "jx"
type = "slider"
parent = "ground"
child = "first"
displacement = "x"
[[joints]]
name = "jy"
type = "slider"
parent = "first"
child = "second"
axis = [0, 1, 0]
displacement = "y"
[[constraints]]
name = "drive"
type = "holonomic"
expression = "y - a*sin(w*t) - x"
dependent = ["y"]
"""


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"y = x + a\sin w t", "holds"),
        (r"\dot y = \dot x + a w\cos w t", "holds"),
        (r"\dot y = \dot x - a w\cos w t", "differs"),
        (r"3\ddot x = a w^2\sin w t", "holds"),
        (r"2\ddot x = a w^2\sin w t", "differs"),
    ],
)
def test_a_loop_that_the_time_closes(tmp_path: Path, equation: str, status: str) -> None:
    (tmp_path / "model.toml").write_text(DRIVEN)
    names = "".join(f"{name} = '{name}'\n" for name in "xymwat")
    front = f"+++\ntitle = 'p'\nsource = 's'\nmodel = 'model.toml'\n[symbols]\n{names}+++\n"
    page = tmp_path / "page.md"
    page.write_text(f"{front}$${equation}$$\n")
    (found,) = freebody.check(page).documents[0].equations
    assert (found.status, found.fault) == (status, "")


def test_a_fault_in_adopting_is_told_of_its_equation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("$$m g = g m$$\n\n$$m + d = d + m$$\n")
    right = meaning_tester.blocks

    def sometimes(evaluator: object, left: object, other: object) -> object:
        return fails() if "Add" in str(left) else right(evaluator, left, other)  # type: ignore

    monkeypatch.setattr(meaning_tester, "blocks", sometimes)
    target = tmp_path / "out.md"
    arguments = ["adopt", str(page), "--model", "pendulum", "-o", str(target)]
    run = CliRunner().invoke(main, arguments)
    assert run.exit_code == 2
    assert f"(#2): {FAULT}" in " ".join(run.output.split())
    assert target.exists()
