"""Code that is read and held against models."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from campaign import listings_changed
from freebody.backends.generate import TARGETS
from freebody.cli import main
from freebody.code.listings import parse
from freebody.errors import DocumentError, ListingError
from freebody.reporting import origins_of, written
from listings import CART, DOUBLE, LISTINGS


def checked(tmp_path, text, against, name="simulator.py"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return freebody.check(path, against=against).documents[0]


def verdicts(report):
    return {one.label: one.status for one in report.equations}


def test_a_right_listing_holds(tmp_path):
    report = checked(tmp_path, DOUBLE, "double_pendulum")
    assert len(report.equations) == 4 + 2 + 2 + 2 + 4 - 2
    assert set(verdicts(report).values()) == {"holds"}


def test_a_wrong_length_is_found_at_its_place_and_what_carries_it_on_says_so(tmp_path):
    wrong = DOUBLE.replace("m2*g*l1*np.sin(th1)", "m2*g*l2*np.sin(th1)")
    report = checked(tmp_path, wrong, "double_pendulum")
    differing = {one.label: one for one in report.equations if one.status == "differs"}
    (first,) = (one for one in differing.values() if not one.carried_from)
    assert first.label == "rates: G[0]"
    line = wrong.splitlines()[first.line - 1]
    assert "G = np.array" in line
    assert first.place == f"line {first.line}, column {line.index('l2*np.sin(th1)') + 1}"
    assert {one.carried_from for one in differing.values() if one is not first} == {"rates: G[0]"}
    assert [(edit.printed, edit.proposed) for edit in first.repairs[0].edits] == [("l2", "l1")]
    assert "-    G" in first.diff
    assert "+    G" in first.diff
    assert {(one.term, one.printed, one.derived) for one in first.differences} == {
        ("g*l2*m2*sin(theta1)", "-1", "0"),
        ("g*l1*m2*sin(theta1)", "0", "-1"),
    }


def test_methods_attributes_and_steps_of_time_are_followed(tmp_path):
    report = checked(tmp_path, CART, "cart_pendulum")
    labels = [f"Env.step: {name}" for name in ("thetaacc", "xacc")]
    assert verdicts(report) == dict.fromkeys(labels, "holds")


@pytest.mark.few("theta_dot**2*s)", "4.0/3.0", "self.masspole*c**2")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("temp - self.masspole", "temp + self.masspole"),
        ("theta_dot**2*s)", "theta_dot**2*c)"),
        ("4.0/3.0", "3.0/3.0"),
        ("self.gravity*s - c*temp", "self.gravity*c - c*temp"),
        ("self.masspole*c**2", "self.masscart*c**2"),
        ("theta_dot**2", "theta_dot"),
    ],
)
def test_one_wrong_token_is_found_and_mended(tmp_path, right, wrong):
    text = CART.replace(right, wrong)
    assert text != CART
    report = checked(tmp_path, text, "cart_pendulum")
    first = next(one for one in report.equations if one.status == "differs")
    assert first.repairs
    mended = text.splitlines()
    changed = [line[1:] for line in first.diff.splitlines() if re.match(r"\+(?!\+\+)", line)]
    mended[first.line - 1] = changed[0]
    again = checked(tmp_path, "\n".join(mended), "cart_pendulum", "again.py")
    assert set(verdicts(again).values()) == {"holds"}


def test_a_free_sign_does_not_absorb_a_real_one(tmp_path):
    text = "import math\ndef f(th, m, d, I, g):\n    th_dd = {}m*g*d*math.sin(th)/(I + m*d**2)\n"
    text += "    return th_dd\n"
    right = checked(tmp_path, text.format("-"), "pendulum")
    assert verdicts(right) == {"f: th_dd": "holds"}
    other = checked(tmp_path, text.format(""), "pendulum", "other.py")
    (verdict,) = other.equations
    assert verdict.status == "differs"
    assert verdict.note.startswith("differs, or ")


@pytest.mark.few("C - G + Q")
@pytest.mark.parametrize("wrong", ["C - G + Q", "C + G - Q"])
def test_another_convention_does_not_absorb_one_wrong_sign(tmp_path, wrong):
    report = checked(tmp_path, DOUBLE.replace("C + G + Q", wrong), "double_pendulum")
    differing = [one for one in report.equations if one.status == "differs"]
    assert {one.label for one in differing} == {"rates: rates[2]", "rates: rates[3]"}
    assert all(one.repairs for one in differing)
    assert all(one.note.startswith("differs, or its coordinates are") for one in differing)


@pytest.mark.few(3, 6)
@pytest.mark.parametrize("seed", [0, 1, 3, 4, 6])
def test_listings_that_a_campaign_changes(seed):
    assert not listings_changed.case(seed).is_failure


def test_another_convention_is_proved_by_other_entries(tmp_path):
    text = DOUBLE.replace("np.sin(th1)", "-np.cos(th1)").replace("np.sin(th2)", "-np.cos(th2)")
    report = checked(tmp_path, text.replace("- m2*g*l1*-", "+ m2*g*l1*"), "double_pendulum")
    assert set(verdicts(report).values()) == {"holds"}
    assert any("its coordinates are" in remark for remark in report.remarks)


def test_front_matter_says_what_names_stand_for(tmp_path):
    text = (
        "# +++\n# model = 'pendulum'\n# [symbols]\n# a = 'theta'\n# k = 'm*g*d'\n# [results]\n"
        "# f = '-G[1]'\n# +++\nfrom math import sin\ndef f(a, k):\n    return -k*sin(a)\n"
    )
    path = tmp_path / "plain.py"
    path.write_text(text, encoding="utf-8")
    (report,) = freebody.check(path).documents
    assert verdicts(report) == {"f: f": "holds"}
    beside = tmp_path / "bare.py"
    _, front, rest = text.split("# +++\n")
    beside.write_text(rest, encoding="utf-8")
    front = front.replace("# ", "")
    Path(f"{beside}.freebody.toml").write_text(front, encoding="utf-8")
    assert freebody.check(beside).agrees


def test_what_is_not_followed_is_told_with_what_depends_on_it(tmp_path):
    text = DOUBLE.replace("Q = np.array([M1 - M12, M12])", "Q = control(y, t**2)")
    report = checked(tmp_path, text, "double_pendulum")
    told = {one.label: one for one in report.equations}
    assert told["rates: G[0]"].status == "holds"
    line = text.splitlines().index("    Q = control(y, t**2)") + 1
    assert told["rates: rates[2]"].status == "not checked"
    assert f"line {line}" in told["rates: rates[2]"].note


def test_inputs_that_are_missing_are_told_and_values_are_not_judged(tmp_path):
    text = DOUBLE.replace(", M1=0, M12=0", "").replace("M1 - M12, M12", "0, 0")
    report = checked(tmp_path, text.replace("9.81", "9.8"), "double_pendulum")
    assert set(verdicts(report).values()) == {"holds"}
    assert "rates: M1 is not in the code: taken as zero" in report.remarks
    assert "g = 9.8 in the code, 9.81 in the model: not judged" in report.remarks


def test_energies_hold_up_to_a_constant(tmp_path):
    text = (
        "from math import cos\ndef energies(theta, theta_dot, m, d, I, g):\n"
        "    kinetic = (I + m*d**2)*theta_dot**2/2\n    potential = m*g*d*(1 - cos(theta))\n"
        "    return kinetic + potential\n"
    )
    report = checked(tmp_path, text, "pendulum")
    assert set(verdicts(report).values()) == {"holds"}
    wrong = checked(tmp_path, text.replace("(1 -", "(1 +"), "pendulum", "wrong.py")
    assert verdicts(wrong)["energies: potential"] == "differs"


def test_fix_writes_beside_the_original(tmp_path):
    path = tmp_path / "simulator.py"
    wrong = DOUBLE.replace("m2*g*l1*np.sin(th1)", "m2*g*l2*np.sin(th1)")
    path.write_text(wrong, encoding="utf-8")
    run = CliRunner().invoke(main, ["check", str(path), "--against", "double_pendulum", "--fix"])
    assert run.exit_code == 1
    assert path.read_text(encoding="utf-8") == wrong
    assert (tmp_path / "simulator.fixed.py").read_text(encoding="utf-8") == DOUBLE


@pytest.mark.exhaustive
def test_formats_tell_the_place_and_the_change(tmp_path):
    path = tmp_path / "simulator.py"
    path.write_text(DOUBLE.replace("w1**2/2", "w2**2/2"), encoding="utf-8")
    report = freebody.check(path, against="double_pendulum")
    github, html = (written(report, form, origins_of(report)) for form in ("github", "html"))
    assert re.search(r"::error file=.*simulator.py,line=12,title=rates%3A C\[1\]", github)
    assert '<mark class="proposed">w1</mark>' in html


@pytest.mark.parametrize("name", LISTINGS)
def test_other_languages_hold(tmp_path, name):
    report = checked(tmp_path, LISTINGS[name], "double_pendulum", name)
    assert len(report.equations) >= 8
    assert set(verdicts(report).values()) == {"holds"}


@pytest.mark.one_in(2)
@pytest.mark.each_once
@pytest.mark.parametrize("name", LISTINGS)
@pytest.mark.parametrize(("right", "wrong"), [("m1/2 + m2", "m1/2 - m2"), ("cos(", "sin(")])
def test_a_wrong_token_is_found_in_other_languages(tmp_path, name, right, wrong):
    text = LISTINGS[name].replace(right, wrong, 1)
    report = checked(tmp_path, text, "double_pendulum", name)
    first = next(one for one in report.equations if one.repairs)
    line = next(i for i, one in enumerate(text.splitlines(), 1) if wrong in one)
    assert first.line == line
    edit = first.repairs[0].edits[0]
    assert (edit.printed, edit.proposed) in [("-", "+"), ("sin", "cos")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f.m", "function T = kinetic(w, I)\nT = -(-w^2*I/2);\nend"),
        ("f.m", "function T = kinetic(w, I)\nT = 2^-1*I*w'*w;\nend"),
        ("f.jl", "kinetic(w, I) = I*2w^2/4"),
        ("f.c", "double kinetic(double w, double I) { return 1.0/2*I*w*w; }"),
    ],
)
def test_signs_bind_as_in_their_languages(tmp_path, name, text):
    front = {"f.m": "%", "f.jl": "#", "f.c": "//"}[name]
    head = f"{front} +++\n{front} [symbols]\n{front} w = 'theta_dot'\n{front} I = 'I + m*d**2'\n"
    told = checked(tmp_path, f"{head}{front} +++\n{text}", "pendulum", name)
    assert set(verdicts(told).values()) == {"holds"}
    whole = text.replace("1.0/2", "1/2").replace("-(-w^2", "(-w^2").replace("2w^2/4", "(2w)^2/4")
    if whole != text:
        wrong = checked(tmp_path, f"{head}{front} +++\n{whole}", "pendulum", f"g{name}")
        assert set(verdicts(wrong).values()) != {"holds"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("model", "output"),
    [
        ("two_link", "rhs"),
        ("two_link", "mass_matrix"),
        ("cart_pendulum", "rhs"),
        ("pendulum", "rhs"),
    ],
)
def test_what_is_generated_is_read_back_and_holds(tmp_path, target, model, output):
    ending = {"c": ".c", "octave": ".m", "julia": ".jl"}.get(target, ".py")
    path = tmp_path / f"{output}{ending}"
    freebody.generate(model, target, output, path)
    (report,) = freebody.check(path, against=model).documents
    assert report.equations
    assert {one.status for one in report.equations} == {"holds"}


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5000 + "1" + ")" * 5000,
        "x = " + "-" * 100_000 + "1",
        "def f(n):\n    return f(n - 1)\nf(3)\n",
        "for i in range(10**9):\n    for j in range(10**9):\n        x = i*j\n",
        "x = 9**9**9**9\n",
        "a = [[0]*10**9]*10**9\n",
        "x = 1\n" * 300_000,
        "def f(x):\n" + "".join(f"    x{i} = x{i - 1}*x{i - 1}\n" for i in range(1, 4000)),
        "import numpy as np\nM = np.eye(10**6)\nM = np.zeros((10**5, 10**5))\n",
    ],
)
def test_hostile_code_is_refused_or_told(tmp_path, text):
    path = tmp_path / "hostile.py"
    path.write_text(text, encoding="utf-8")
    with suppress(DocumentError):
        report = freebody.check(path, against="pendulum")
        assert not any(one.equations for one in report.documents)


@pytest.mark.each_once("name")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.m", f"x = {'(' * 5000}1{')' * 5000};"),
        ("a.jl", f"x = {'(' * 5000}1{')' * 5000}"),
        ("a.c", f"double x = {'(' * 5000}1{')' * 5000};"),
        ("a.cpp", f"double x = {'-(' * 5000}1{')' * 5000};"),
        ("a.m", "function y = f(n)\ny = f(n-1) + f(n-2);\nend\n"),
        ("a.jl", "f(n) = f(n-1) + f(n-2)\n"),
        ("a.c", "double f(double n) { return f(n-1) + f(n-2); }"),
        ("a.m", "for i=1:1e9\nx(i) = i;\nend\n"),
        ("a.c", "void f(double *x) { for (int i=0; i<1000000000; i++) x[i] = i; }"),
        ("a.jl", "x = 1\n" * 300_000),
        ("a.jl", "@@@(((" * 20_000),
        ("a.jl", "] ) } end " * 20_000),
        ("a.cpp", "a' b ` $( \n" * 70_000),
    ],
)
def test_hostile_code_of_other_languages_is_refused_or_told(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with suppress(DocumentError):
        report = freebody.check(path, against="pendulum")
        assert not any(one.equations for one in report.documents)


def test_code_is_never_run(tmp_path):
    mark = tmp_path / "ran"
    checked(tmp_path, f"open({str(mark)!r}, 'w').write('x')\nexec('1/0')\n{DOUBLE}", "two_link")
    assert not mark.exists()


def test_what_is_no_code_is_told():
    with pytest.raises(ListingError, match="line 2: no Python"):
        parse("python", "x = 1\ny = = 2\n")


def test_a_step_of_time_that_begins_at_another_entry_of_the_state_differs(tmp_path):
    wrong = CART.replace("theta_dot = theta_dot +", "theta_dot = theta +", 1)
    assert wrong != CART
    statuses = {one.status for one in checked(tmp_path, wrong, "cart_pendulum").equations}
    assert "differs" in statuses
