r"""A page held against itself: what follows from what, and what contradicts what."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

import pytest
from click.testing import CliRunner, Result

import freebody
from formulas_alone import verdicts
from freebody.cli import main
from freebody.consistency import PageReport
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statements import read_statements
from freebody.consistency.units.called_units import called_units
from freebody.consistency.units.letter_units import letter_units
from freebody.documents.latex.page.page import Page

CART = r"""# A pole on a cart

$$ x_p = x + l\sin\theta \tag{1} $$
$$ y_p = l\cos\theta \tag{2} $$
$$ \dot x_p = \dot x + l\dot\theta\cos\theta \tag{3} $$
$$ \dot y_p = -l\dot\theta\sin\theta \tag{4} $$
$$ T = \frac12 M\dot x^2 + \frac12 m(\dot x_p^2+\dot y_p^2) \tag{5} $$
$$ T = \frac12 (M+m)\dot x^2 + m l\dot x\dot\theta\cos\theta + \frac12 m l^2\dot\theta^2 \tag{6} $$
$$ V = m g l\cos\theta \tag{7} $$
$$ L = T - V \tag{8} $$
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{9} $$
$$ l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 \tag{10} $$
$$ \ddot\theta = \frac{(M+m) g\sin\theta - \cos\theta (F + m l\dot\theta^2\sin\theta)}
   {l(M+m\sin^2\theta)} \tag{11} $$
$$ (M+m)\ddot x + m l\ddot\theta = F \tag{12} $$
"""
GIVEN = {"(1)", "(2)", "(7)", "(8)"}
MISPRINTS = {
    r"l\dot\theta\cos\theta \tag{3}": (r"l\dot\theta\sin\theta \tag{3}", "(3)"),
    r"-l\dot\theta\sin\theta \tag{4}": (r"-l\dot\theta\cos\theta \tag{4}", "(4)"),
    r"m l\dot x\dot\theta\cos\theta +": (r"2 m l\dot x\dot\theta\cos\theta +", "(6)"),
    r"m l\dot\theta^2\sin\theta = F": (r"m l\dot\theta\sin\theta = F", "(9)"),
    r"- g\sin\theta = 0": (r"+ g\sin\theta = 0", "(10)"),
    r"(M+m\sin^2\theta)": (r"(M-m\sin^2\theta)", "(11)"),
    r"x_p = x + l\sin\theta": (r"x_p = x + l\cos\theta", "(1)"),
    r"L = T - V": (r"L = T + V", "(8)"),
}


def checked(folder: Path, text: str, name: str = "page.md") -> PageReport:
    (folder / name).write_text(text, encoding="utf-8")
    return freebody.alone(folder / name).documents[0]


def standing(report: PageReport, status: str) -> set[str]:
    return {one.label for one in report.equations if one.status == status}


def test_what_a_page_says_again_follows_from_what_it_said(tmp_path: Path) -> None:
    report = checked(tmp_path, CART)
    every = {one.label for one in report.equations}
    assert standing(report, "consistent") == every - GIVEN
    assert standing(report, "unsupported") == GIVEN
    told = {one.label: one.against for one in report.equations}
    assert told["(3)"] == ("(1)",)
    assert {"(7)", "(8)"} <= set(told["(9)"])
    assert "(2)" not in told["(3)"]
    assert set(report.moving) >= {"x", r"\theta", "x_p", "T", "L"}
    assert set(report.constants) >= {"M", "m", "l", "g", "F"}


@pytest.mark.few(*[*MISPRINTS][3:5])
@pytest.mark.parametrize("printed", MISPRINTS)
def test_a_misprint_contradicts_the_rest_and_is_mended(tmp_path: Path, printed: str) -> None:
    misprinted, label = MISPRINTS[printed]
    assert CART.count(printed) == 1
    report = checked(tmp_path, CART.replace(printed, misprinted))
    told = [one for one in report.equations if one.status == "contradicts"]
    assert told
    assert {one.wrong for one in told} <= {label, ""}
    assert any(one.wrong == label for one in told)
    original = next(line for line in CART.splitlines() if f"\\tag{{{label[1:-1]}}}" in line)
    compact = "".join(original.split())
    found = ["".join(repair.latex.split()) for one in told for repair in one.repairs]
    assert any(one in compact for one in found) or label == "(11)"


OTHERS = {
    "a case": r"For small angles instead $$ y_p = l \tag{13} $$",
    "an approximation": r"$$ y_p \approx l - \theta^2 \tag{13} $$",
    "another system": r"$$ T = \frac12 J \omega^2 \tag{13} $$",
    "a law of control": r"$$ F = -k x - c\dot\theta \tag{13} $$",
    "energy that is kept": r"$$ \frac12 m l^2\dot\theta^2 = m g l\cos\theta \tag{13} $$",
    "damping beside": r"$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta"
    r" + b\dot x = F \tag{13} $$",
    "a value": r"$$ l = 0.3 \tag{13} $$",
    "a condition": r"$$ \theta = 0 \tag{13} $$",
    "an inequality": r"$$ x_p > 0 \tag{13} $$",
    "itself": r"$$ x_p = x_p \tag{13} $$",
    "an unknown function": r"$$ L = \frac12 m\dot r^2 - V(r) \tag{13} $$",
    "a function of several things": r"$$ f(x) = l\dot\theta $$ $$ f(y) = -l\dot\theta \tag{13} $$",
    "a vector": r"$$ \mathbf{v} = \dot x \mathbf{i} \tag{13} $$",
    "nonsense": r"$$ \frac{x}{} = ) \tag{13} $$",
    "something too large": rf"$$ x_p = ({'(a+b+c+d)' * 40})^{{9}} \tag{{13}} $$",
}


@pytest.mark.one_in(2)
@pytest.mark.exhaustive("something too large")
@pytest.mark.parametrize("other", OTHERS)
def test_what_may_be_another_case_is_no_contradiction(tmp_path: Path, other: str) -> None:
    report = checked(tmp_path, f"{CART}\n{OTHERS[other]}\n")
    assert not standing(report, "contradicts")
    one = next(one for one in report.equations if one.label == "(13)")
    assert one.reason or one.against


SWING = r"$$ L = \frac12 m l^2\dot\theta^2 + m g l\cos\theta $$"
ROLL = r"$$ L = \frac12\left(m + \frac{I}{R^2}\right)\dot x^2 + m g x\sin\alpha $$"
ORBIT = r"$$ L = \frac12 m(\dot r^2 + r^2\dot\theta^2) + \frac{k}{r} $$"
POLE = CART[: CART.index(r"$$ (M+m)\ddot x + m l\ddot\theta\cos")]


@pytest.mark.few(r"\ddot\theta + \omega^2\sin\theta = 0", r"m\ddot x = m g\sin\alpha - F_f")
@pytest.mark.parametrize(
    ("energy", "true", "wrong"),
    [
        (SWING, r"\ddot\theta + \omega^2\sin\theta = 0", r"\ddot\theta + \frac gl\cos\theta = 0"),
        (
            SWING,
            r"\ddot\theta + \omega^2\sin\theta = 0, \quad \omega^2 = g/l",
            r"\ddot\theta + \omega^2\sin\theta = 0, \quad \omega^2 = 2 g/l",
        ),
        (
            SWING,
            r"m l^2\ddot\theta + m g l\sin\theta = \tau",
            r"m l^2\ddot\theta - m g l\sin\theta = \tau",
        ),
        (SWING, r"\ddot\theta = -g/l sin(\theta)", r"\ddot\theta = -g/l cos(\theta)"),
        (
            ROLL,
            r"m\ddot x = m g\sin\alpha - F_f",
            r"\left(m + \frac{I}{R^2}\right)\ddot x = m g\cos\alpha - F_f",
        ),
        (ORBIT, r"m(\ddot r - r\dot\theta^2) = F_r", r"m\ddot r - r\dot\theta^2 = -\frac{k}{r^2}"),
        (
            ORBIT,
            r"m\ddot r = \frac{\ell^2}{m r^3} - \frac{k}{r^2}",
            r"m\ddot r = m r\dot\theta^2 + \frac{k}{r^2}",
        ),
        (
            POLE,
            r"\ddot\theta = \frac gl\sin\theta - \frac ul\cos\theta, \quad \ddot x = u",
            r"\ddot\theta = \frac gl\sin\theta + \frac 1l\ddot x\cos\theta",
        ),
        (POLE, r"M\ddot x = F - N, \quad N = m\frac{d^2}{dt^2}(x + l\sin\theta)", ""),
    ],
    ids=[
        "what is short for constants",
        "a square that is said",
        "a load",
        "a function without a backslash",
        "a balance of one body",
        "all that acts",
        "a momentum",
        "an acceleration",
        "what one body exerts on another",
    ],
)
def test_letters_that_a_lagrangian_has_not_may_be_more_than_forces(
    tmp_path: Path, energy: str, true: str, wrong: str
) -> None:
    assert not standing(checked(tmp_path, f"{energy}\n\n$$ {true} $$\n"), "contradicts")
    if wrong:
        assert standing(checked(tmp_path, f"{energy}\n\n$$ {wrong} $$\n"), "contradicts")


@pytest.mark.exhaustive
def test_an_angle_gets_no_dot_where_a_cosine_stands_for_a_sine(tmp_path: Path) -> None:
    report = checked(tmp_path, SWING + "\n\n" + r"$$ \ddot\theta = -\frac gl\cos\theta $$")
    (wrong,) = [one for one in report.equations if one.status == "contradicts"]
    assert [one.latex for one in wrong.repairs] == [r"\ddot\theta = -\frac gl\sin\theta"]


def test_matrices_that_are_printed_apart_make_the_equations_of_motion(tmp_path: Path) -> None:
    text = r"""
$$ M = \begin{bmatrix} m_1 + m_2 & m_2 l\cos\theta \\ m_2 l\cos\theta & m_2 l^2 \end{bmatrix} $$
$$ q = \begin{bmatrix} x \\ \theta \end{bmatrix} $$
$$ h = \begin{bmatrix} -m_2 l\dot\theta^2\sin\theta \\ m_2 g l \sin\theta \end{bmatrix} $$
$$ \tau = \begin{bmatrix} F \\ 0 \end{bmatrix} $$
$$ M\ddot q + h = \tau $$
$$ L = \frac12 \dot q^T M \dot q + m_2 g l\cos\theta $$
"""
    told = {one.label: one for one in checked(tmp_path, text).equations}
    assert told["(#5)"].status == "consistent"
    wrong = text.replace(r"+ m_2 g l\cos\theta $$", r"- m_2 g l\cos\theta $$")
    assert {one.status for one in checked(tmp_path, wrong).equations} >= {"contradicts"}


MANIPULATOR = r"""
$$ q = \begin{bmatrix} q_1 \\ q_2 \end{bmatrix} $$
$$ M = \begin{bmatrix} a + 2 b\cos q_2 & d + b\cos q_2 \\ d + b\cos q_2 & d \end{bmatrix} $$
$$ C = \begin{bmatrix} -b\dot q_2\sin q_2 & -b(\dot q_1 + \dot q_2)\sin q_2 \\
   b\dot q_1\sin q_2 & 0 \end{bmatrix} $$
$$ M\ddot q + C\dot q = \tau $$
"""


def test_a_mass_matrix_is_symmetric_and_gives_the_coriolis_terms(tmp_path: Path) -> None:
    told = {one.label: one for one in checked(tmp_path, MANIPULATOR).equations}
    assert [told[label].status for label in ("(#2)", "(#3)")] == ["consistent"] * 2
    assert "symmetric" in told["(#2)"].reason
    assert told["(#3)"].against == ("(#1)", "(#2)")


@pytest.mark.few("(#2)")
@pytest.mark.parametrize(
    ("printed", "misprinted", "label"),
    [
        (r"\\ d + b\cos q_2", r"\\ d + b\sin q_2", "(#2)"),
        (r"\\ d + b\cos q_2", r"\\ d - b\cos q_2", "(#2)"),
        (r"b\dot q_1\sin q_2 &", r"-b\dot q_1\sin q_2 &", "(#3)"),
        (r"(\dot q_1 + \dot q_2)", r"(\dot q_1 - \dot q_2)", "(#3)"),
    ],
)
def test_a_misprint_in_a_matrix_is_told(
    tmp_path: Path, printed: str, misprinted: str, label: str
) -> None:
    report = checked(tmp_path, MANIPULATOR.replace(printed, misprinted))
    told = {one.label: one for one in report.equations}
    assert told[label].status == "contradicts"
    assert told[label].wrong in (label, "")


def test_rows_of_a_mass_matrix_may_be_scaled(tmp_path: Path) -> None:
    text = r"""
$$ q = \begin{bmatrix} x \\ \theta \end{bmatrix} $$
$$ M = \begin{bmatrix} m_1 + m_2 & m_2 l\cos\theta \\ l\cos\theta & l^2 \end{bmatrix} $$
$$ M\ddot q + h = \tau $$
"""
    assert not standing(checked(tmp_path, text), "contradicts")


def test_balances_give_their_elimination(tmp_path: Path) -> None:
    text = r"""
$$ M\ddot x = F - H $$
$$ m(\ddot x + l\ddot\theta\cos\theta - l\dot\theta^2\sin\theta) = H $$
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F $$
"""
    assert standing(checked(tmp_path, text), "contradicts") == set()
    assert standing(checked(tmp_path, text), "consistent") == {"(#1)", "(#2)", "(#3)"}
    wrong = text.replace(r"\sin\theta = F", r"\cos\theta = F")
    told = checked(tmp_path, wrong)
    assert "(#3)" in standing(told, "contradicts")


def test_the_first_order_form_follows(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 m l^2\dot\theta^2 $$
$$ V = -m g l\cos\theta $$
$$ x_1 = \theta $$
$$ x_2 = \dot\theta $$
$$ \dot x_2 = -\frac{g}{l}\sin x_1 $$
"""
    report = checked(tmp_path, text)
    assert standing(report, "consistent") == {"(#5)"}
    wrong = text.replace(r"\sin x_1", r"\cos x_1")
    assert standing(checked(tmp_path, wrong), "contradicts") == {"(#5)"}


# ---------------------------------------------------------------------- the command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


def test_the_command_tells_and_exits(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(CART)
    found = run(str(page), "--alone")
    assert found.exit_code == 0
    assert "follows from (1)" in found.output
    page.write_text(CART.replace(r"- g\sin\theta = 0", r"+ g\sin\theta = 0"))
    found = run(str(page), "--alone", "--json")
    assert found.exit_code == 1
    (document,) = json.loads(found.output)["documents"]
    (told,) = [one for one in document["equations"] if one["status"] == "contradicts"]
    assert (told["label"], told["wrong"]) == ("(10)", "(10)")
    assert "(7)" in told["with"]
    output = tmp_path / "report.txt"
    assert run(str(page), "--alone", "-o", str(output)).exit_code == 1
    assert "contradicts" in output.read_text()


@pytest.mark.parametrize("arguments", [("--alone",), ("page.md", "--alone", "--format", "html")])
def test_what_makes_no_sense_is_told(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_page_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    found = run(str(tmp_path / "none.md"), "--alone")
    assert found.exit_code == 2
    assert "Error" in found.output


def test_formulas_in_running_text_are_read(tmp_path: Path) -> None:
    text = r"With $x = l\sin\theta$ it is $$ \dot x = l\dot\theta\cos\theta $$"
    report = checked(tmp_path, text)
    assert [one.status for one in report.equations] == ["unsupported", "consistent"]
    assert [one.is_inline for one in report.equations] == [True, False]


OPAQUE = {
    "an integral": r"W = \int_0^{x} \mathbf{F} \cdot d\mathbf{s} + \frac12 m v^2",
    "a limit": r"v = \lim_{\Delta t \to 0} \frac{\Delta x}{\Delta t}",
    "an optimum": r"u = \arg\min_u \left[ k x^2 + u^2 \right]",
    "a sum over an unnamed number": r"F = \sum_{i=1}^{n} F_i - m g",
    "the value of a function at a time": r"v_0 = \dot x(0)",
    "a value at one step": r"x[k+1] = x[k] + h v[k]",
    "an expression by cases": r"F = a + \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
    "a gradient": r"\mathbf{F} = -\nabla V",
    "a factorial": r"c = \frac{n!}{k!(n-k)!}",
    "words": r"T = \text{kinetic energy of the cart} + T_2",
    "the operator": r"c = a \otimes b",
    "a component of an expression": r"c = \left[ a \times b \right]_y",
    "which the page does not define": r"c = \foo{a}{b} + d",
}


def test_what_is_not_worked_out_is_read_and_named(tmp_path: Path) -> None:
    printed = "\n\n".join(f"$${latex}$$" for latex in OPAQUE.values())
    told = checked(tmp_path, printed).equations
    assert [one.latex for one in told] == list(OPAQUE.values())
    for what, one in zip(OPAQUE, told, strict=True):
        assert one.status == "unsupported"
        assert what in one.reason


def test_a_command_that_nothing_defines_is_a_letter_which_contradicts_nothing(
    tmp_path: Path,
) -> None:
    text = r"""$$\bx = r\cos\bq$$ $$\dot\bx = -r\dot\bq\sin\bq$$ $$\dot\bx = r\dot\bq\sin\bq$$"""
    report = checked(tmp_path, text)
    assert [one.status for one in report.equations] == ["unsupported", "consistent", "unsupported"]
    assert any(r"\bq, \bx" in remark for remark in report.remarks)


def test_commands_are_read_as_differentials_and_letters_with_others_below(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ \frac{\D\thetaM}{\D t} = \omegaM \tag{1} $$
$$ \JM\frac{\D\omegaM}{\D t} = \tauM - \BM\omegaM \tag{2} $$
$$ \JM\frac{\D^2\thetaM}{\D t^2} = \tauM - \BM\frac{\D\thetaM}{\D t} \tag{3} $$
""",
    )
    assert {"(2)", "(3)"} <= standing(report, "consistent")


def test_values_that_make_both_sides_zero_say_nothing(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ \dot x = v, \quad A = \frac{F}{\omega_0^2 - \omega^2} \tag{1} $$
$$ \frac{dA}{d\omega} = \frac{dA}{d\omega}\, F\omega \tag{2} $$
Besides $\omega = 0$ there is another solution.
""",
    )
    assert "(2)" not in standing(report, "consistent")


def test_code_that_is_held_against_nothing_is_told(tmp_path: Path) -> None:
    text = "$$ E = m c^2 $$\n\n```python\nimport numpy as np\nE = m*c**2\n```\n"
    (told,) = checked(tmp_path, text).remarks
    assert told.startswith("its code in python is held against nothing here: 'freebody adopt")


def test_macros_that_stand_in_a_script_of_the_page_are_read(tmp_path: Path) -> None:
    (tmp_path / "config.js").write_text(
        r'MathJax = {tex: {macros: {half: "\\tfrac{1}{2}", ang: ["\\dot{#1}", 1]}}};'
    )
    text = r"""<html><head><script src="config.js"></script></head><body>
<p>$$ T = \half m (r\ang{\theta})^2 $$</p>
<p>$$ T = \frac{m}{2} r^2\dot\theta^2 $$</p></body></html>
"""
    report = checked(tmp_path, text, "page.html")
    assert [one.status for one in report.equations] == ["consistent"] * 2
    assert not report.remarks


CASES = {
    "a value that is given": "Let $y_0 = 0$. $$ y = v t - \\frac{g}{2} t^2 + y_0 + h(t) $$"
    "$$ y = v t - \\frac{g}{2} t^2 + h(t) $$ $$ \\dot y = v - g t + \\dot h $$",
    "what is left out": "$$ y = v t - \\frac{g}{2} t^2 + y_0 + h(t) $$"
    "$$ y = v t - \\frac{g}{2} t^2 + h(t) $$ $$ \\dot y = v - g t + \\dot h $$",
    "what two systems put out": r"""
# Position

$$ J\ddot\theta + b\dot\theta = K i $$

$$ y = \begin{bmatrix} 1 & 0 & 0\end{bmatrix}
   \begin{bmatrix}\theta\\ \dot\theta\\ i\end{bmatrix} $$

# Speed

$$ y = \begin{bmatrix} 1 & 0\end{bmatrix}\begin{bmatrix}\dot\theta\\ i\end{bmatrix} $$
""",
    "letters that are matrices in words": r"""
$$ \dot x' = \beta + R\dot o $$

$$ \dot x' = 0 $$

$$ \beta + R\dot o = 0 $$

$$ \dot o = -R^T\beta $$
""",
}


@pytest.mark.parametrize("case", CASES)
def test_a_special_case_is_no_contradiction(tmp_path: Path, case: str) -> None:
    assert not standing(checked(tmp_path, CASES[case]), "contradicts")


def test_a_page_without_front_matter_is_held_against_itself(tmp_path: Path) -> None:
    wrong = CART.replace(r"- g\sin\theta = 0", r"+ g\sin\theta = 0")
    page, empty = tmp_path / "page.md", tmp_path / "empty.md"
    page.write_text(f"Here $y_q = y_p$.\n\n{wrong}", encoding="utf-8")
    empty.write_text("words", encoding="utf-8")
    found = run(str(page), "--cite")
    assert found.exit_code == 1
    assert "in running text: 1 undecided" in found.output
    assert "at 3 random points of a prime field" in found.output
    assert run(str(empty)).exit_code == 2
    documented = tmp_path / "documented.md"
    documented.write_text(
        "+++\ntitle = 'A'\nmodel = 'pendulum'\n[symbols]\n'q' = 'theta'\n+++\n$$ q = q $$"
    )
    found = run(str(documented), str(page), "--json")
    both = json.loads(found.output)
    assert [one["document"] for one in both["documents"]] == ["documented"]
    assert both["documents"][0]["basis"]["symbols"] == {"q": "theta"}
    assert len(both["documents"][0]["basis"]["models"]["pendulum"]) == 64
    assert [one["document"] for one in both["alone"]] == ["page"]


@pytest.mark.few("json")
@pytest.mark.parametrize("ending", ["md", "html", "txt", "json"])
def test_a_report_is_written_in_all_formats(tmp_path: Path, ending: str) -> None:
    (tmp_path / "page.md").write_text(CART.replace("L = T - V", "L = T + V"), encoding="utf-8")
    freebody.alone(tmp_path / "page.md").save(tmp_path / f"report.{ending}")
    written = (tmp_path / f"report.{ending}").read_text(encoding="utf-8")
    assert "contradicts" in written
    assert freebody.__version__ in written


def test_what_contradicts_on_a_page_is_told_where_the_model_says_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    wrong = CART.replace(r"- g\sin\theta = 0", r"+ g\sin\theta = 0")
    page.write_text(
        f"+++\ntitle = 'A'\nmodel = 'pendulum'\n[symbols]\n'm' = 'm'\n+++\n{wrong}",
        encoding="utf-8",
    )
    assert "by the page itself (10) contradicts" in run(str(page), "--json").output


def test_a_term_that_is_missing_is_named(tmp_path: Path) -> None:
    text = r"""$$ x_p = x + l\sin\theta $$ $$ \omega = \dot\theta $$
$$ \ddot x_p = \ddot x + l\ddot\theta\cos\theta \tag{1} $$"""
    (told,) = (one for one in checked(tmp_path, text).equations if one.label == "(1)")
    assert (told.status, told.wrong) == ("contradicts", "(1)")
    (repair,) = told.repairs
    assert repair.edits[0].kind == "missing"
    assert r"\dot{\theta}^{2}" in repair.edits[0].proposed


NUMBERS = r"""
A pendulum of length $l = 1.00\,\mathrm{m}$, with $g = 9.81\,\mathrm{m/s^2}$ and $m = 2.0$ kg.
$$ \omega = \sqrt{\frac{g}{l}} = 3.13 \tag{1} $$
$$ T = \frac{2\pi}{\omega} = 2.01\,\mathrm{s} \tag{2} $$
$$ W = m g = 19.6 \tag{3} $$
$$ W = 1.96 \tag{4} $$
"""


@pytest.mark.parametrize(
    ("label", "printed", "misprinted"),
    [("(1.2)", "3.13", "3.31"), ("(2.2)", "2.01", "2.10"), ("(3.2)", "19.6", "16.9")],
)
def test_printed_numbers_follow_from_values_and_formulas(
    tmp_path: Path, label: str, printed: str, misprinted: str
) -> None:
    told = {one.label: one for one in checked(tmp_path, NUMBERS).equations}
    assert told[label].status == "consistent"
    assert told["(4)"].status == "unsupported"
    wrong = NUMBERS.replace(rf"= {printed}", rf"= {misprinted}")
    told = {one.label: one for one in checked(tmp_path, wrong).equations}
    assert told[label].status == "contradicts"
    assert "the values of the page give" in told[label].reason


@pytest.mark.parametrize(
    ("sum_", "status"),
    [
        (r"3\,\mathrm{kg} + 0.1 \cdot 20 = 5\,\mathrm{kg}", "unsupported"),
        (r"3\,\mathrm{kg} + 0.1 \cdot 20\,\mathrm{kg} = 5\,\mathrm{kg}", "consistent"),
        (r"3 + 0.1 \cdot 20 = 5.5\,\mathrm{kg}", "contradicts"),
    ],
)
def test_numbers_without_the_unit_of_those_beside_them_contradict_nothing(
    tmp_path: Path, sum_: str, status: str
) -> None:
    (told,) = checked(tmp_path, f"$$ {sum_} \\tag{{1}} $$").equations
    assert told.status == status


@pytest.mark.parametrize(("days", "status"), [("365.26", "consistent"), ("356.26", "contradicts")])
def test_days_and_degrees_are_units(tmp_path: Path, days: str, status: str) -> None:
    printed = rf"\frac{{360°}}{{{days}\text{{ days}}}} 1\text{{ day}} = 0.9856°"
    (told,) = checked(tmp_path, f"$$ {printed} \\tag{{1}} $$").equations
    assert told.status == status


def test_cases_of_a_control_and_states_with_other_names_are_no_contradiction(
    tmp_path: Path,
) -> None:
    text = r"""$$ \ddot q = u $$ The control is $u = -1$, then $u = 1$, and $\ddot q = 1$.
$$ \phi = \alpha $$ $$ \phi = \beta $$ $$ \dot\alpha = \omega $$ $$ \dot\beta = \ddot q $$"""
    assert not standing(checked(tmp_path, text), "contradicts")


@pytest.mark.parametrize(
    "printed",
    [
        r"\ddot\phi = \\ \ddot\theta",
        r"\begin{cases} \ddot\phi = \\ \ddot\theta = \end{cases}",
        r"\begin{aligned} \ddot\phi &= \\ \ddot\theta_1 &= \\ \ddot\psi &= \end{aligned}",
    ],
)
def test_unknowns_without_their_right_sides_are_not_equated(tmp_path: Path, printed: str) -> None:
    report = checked(tmp_path, f"$$ {printed} $$\n\n$$ a = \\\\ b = \\\\ c $$")
    *unfinished, first, second = report.equations
    assert unfinished
    assert not any(one.is_read for one in unfinished)
    assert all("nothing stands on the right" in one.reason for one in unfinished)
    assert (first.is_read, second.is_read) == (True, True)


def test_a_letter_of_which_a_page_says_two_things_accuses_no_other(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 M\dot r^2 \tag{1} $$
$$ T = \frac12 m(\dot r^2 + 2l\dot r\dot\theta\cos\theta + l^2\dot\theta^2) \tag{2} $$
$$ T_{rot} = \frac12 I\dot\theta^2, \qquad U = m g l\cos\theta \tag{3} $$
$$ L = T - U = \frac12 m(\dot r^2 + 2l\dot r\dot\theta\cos\theta + l^2\dot\theta^2)
   + \frac12 I\dot\theta^2 - m g l\cos\theta \tag{4} $$
$$ M = \begin{bmatrix} m & m l\cos\theta \\ m l\cos\theta & m l^2 + I \end{bmatrix} \tag{5} $$
"""
    report = checked(tmp_path, text)
    assert not standing(report, "contradicts")
    told = {one.label: one.reason for one in report.equations}
    assert "a letter another meaning" in told["(4.2)"]


def test_what_a_later_section_says_accuses_nothing_before_it(tmp_path: Path) -> None:
    text = r"""# Collisions
$$ v = w - u_x \tag{1} $$
$$ \tan\psi = \frac{v\sin\theta}{v\cos\theta + w} = \frac{\sin\theta}{\cos\theta + 2} \tag{2} $$
# Scattering
$$ \theta = \pi - 2\beta \tag{3} $$
$$ \dot w = 0, \qquad \dot\beta = 1 $$
"""
    assert not standing(checked(tmp_path, text), "contradicts")


@pytest.mark.exhaustive
def test_front_matter_of_another_program_is_passed_over(tmp_path: Path) -> None:
    text = '+++\ntitle = "Notes"\ndate = 2025-01-26\ndraft = false\n+++\n\n' + CART
    report = checked(tmp_path, text)
    assert standing(report, "consistent")
    found = CliRunner().invoke(main, ["check", str(tmp_path / "page.md")])
    assert found.exit_code == 0


def test_a_partial_derivative_by_time_of_a_field_is_not_zero(tmp_path: Path) -> None:
    text = r"""
Where $H=\dot{a}/a$ and $\ln(\omega)=3\ln(a)$:

$$\partial_\mu\ln(\omega)\partial^\mu \phi=3 \partial_t\ln(a)g^{00}\dot{\phi}= -3H\dot{\phi}$$
"""
    report = checked(tmp_path, text)
    assert not standing(report, "contradicts")
    assert any("g^{00}" in one for one in report.constants)


TABLE = r"""
| letter | meaning | unit |
|---|---|---|
| $M$, $m$ | masses | kg |
| $l$ | length | m |
| $b$ | friction | UNIT |
| $x$ | position | m |

The push $F$ in newtons; $g = 9.81\,\mathrm{m/s^2}$.

$$ (M+m)\ddot x + b\dot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{1} $$
$$ m l^2\ddot\theta + m l\ddot x\cos\theta = m g l\sin\theta \tag{2} $$
$$ L = \frac12 m l^2\dot\theta^2 - m g l\cos\theta \tag{3} $$
"""


def test_a_frequency_that_changes_elsewhere_is_no_angle(tmp_path: Path) -> None:
    text = r"""
The ball weighs $m = 2\,\mathrm{kg}$.
$$ \omega = \frac{d\theta}{dt}, \qquad \beta = \frac{d\omega}{dt} $$
$$ x = A\cos(\omega t + \varphi_0) $$
$$ y = 2A\cos\omega t\cos kx $$
"""
    assert "contradicts" not in {one.status for one in checked(tmp_path, text).equations}


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("m l^2", "m l^2", set()),
        (r"m l^2\ddot\theta", r"m l\ddot\theta", {"(2)"}),
        (r"b\dot x", r"b x", {"(1)"}),
        (r"\dot\theta^2 - m g", r"\dot\theta^2 - g", {"(3)"}),
        ("| $l$ |", "| $l$, $L$ |", set()),  # a length, and a Lagrangian
        (r"g l\sin\theta", r"g l\sin\theta - 3\dot\theta", set()),  # a number may have a unit
        (r"= m g l\sin\theta", r"= m g\sin\theta", {"(2)"}),
    ],
)
def test_equations_balance_in_the_units_that_a_page_states(
    tmp_path: Path, old: str, new: str, wrong: set[str]
) -> None:
    page = TABLE.replace("UNIT", "N·s/m").replace(old, new)
    report = checked(tmp_path, page)
    assert standing(report, "contradicts") == wrong
    told = [one.reason for one in report.equations if one.label in wrong]
    assert all("its units do not balance: " in one for one in told)


SLOPE = r"""A block slides down a slope of angle $\alpha$. Here $m$ is the mass of the block,
$N$ the normal force, $g$ the acceleration of gravity, $h$ the height and $E$ the total energy.

$$ m\ddot x = m g\sin\alpha \tag{1} $$
$$ N = m g\cos\alpha \tag{2} $$
$$ N - m g\cos\alpha = 0 \tag{3} $$
$$ E = m g h + \frac12 m\dot x^2 \tag{4} $$
"""


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("m g", "m g", set()),
        ("N = m g", "N = m", {"(2)"}),
        ("N - m g", "N - m", {"(3)"}),
        ("m g h", "m g", set()),  # of E nothing else says so
        ("= m g h", r"= m g\ln h", set()),  # with another constant
        ("the mass of the block", "the number of the block", set()),
    ],
)
def test_equations_balance_in_the_units_of_what_letters_are_called(
    tmp_path: Path, old: str, new: str, wrong: set[str]
) -> None:
    assert standing(checked(tmp_path, SLOPE.replace(old, new)), "contradicts") == wrong


def test_what_no_other_equation_bears_out_has_no_unit_by_words(tmp_path: Path) -> None:
    page = "The mass $m$ is scaled, and the length $l$.\n\n$$ m\\ddot x = l\\ddot x + x $$"
    assert not standing(checked(tmp_path, page), "contradicts")


def test_a_letter_that_is_added_to_an_energy_is_none_that_has_another_unit(tmp_path: Path) -> None:
    page = (
        r"$$E = T + V = \frac12 m v^2 + m g h$$ After $T = 50\,\mathrm{s}$, $m = 1\,\mathrm{kg}$."
    )
    report = checked(tmp_path, page + r" With $v = 2\,\mathrm{m/s}$ and $h = 1\,\mathrm{m}$.")
    assert not standing(report, "contradicts")


@pytest.mark.exhaustive
def test_letters_worth_one_may_be_left_out(tmp_path: Path) -> None:
    page = TABLE.replace("UNIT", "N·s/m") + r"$$ b\dot\theta = F \tag{4} $$" + "\n"
    assert standing(checked(tmp_path, page), "contradicts") == {"(4)"}
    assert not standing(checked(tmp_path, page + "With $l = 1$ m."), "contradicts")


def test_a_unit_that_fits_no_equation_is_a_remark(tmp_path: Path) -> None:
    again = "$$ (M+m)\\ddot x + b\\dot x = F \\tag{4} $$\n"
    report = checked(tmp_path, TABLE.replace("UNIT", "N/m") + again)
    assert not standing(report, "contradicts")
    assert any("b is said to be in kg/s**2, which fits none" in one for one in report.remarks)


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("the length $a$ (in m)", "m"),
        ("$a$ (m)", "m"),
        ("with $a$ the stiffness [N/m].", "kg/s**2"),
        ("with $a = 2$ kg m² about it", "kg*m**2"),
        (r"where $a = \SI{3}{\metre\per\second}$.", "m/s"),
        ("* $a$: mass in kilograms", "kg"),
        ("the rate $\\dot a$ [m/s]", "m"),
        ("the moment of inertia $a$ (J)", ""),
        ("$a$ is the mass (m) of it", ""),
        ("$a$ in the middle", ""),
    ],
)
def test_units_are_stated_in_words(text: str, dimension: str) -> None:
    statements = read_statements(Page(f"{text}\n\n$$ a = b $$\n", inline=True))
    found = letter_units(statements, Meanings(statements))
    assert (str(found["a"].dimension) if "a" in found else "") == dimension


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("the moment of inertia $a$", "kg*m**2"),
        ("$a$ is the mass of it", "kg"),
        ("the force or moment $a$ of it", ""),
        ("the generalized force $a$", ""),
        ("$a$ is the speed", ""),  # of what moves, or of what turns
    ],
)
def test_what_a_letter_is_called_has_a_unit(text: str, dimension: str) -> None:
    found = {key: str(unit) for key, unit, _ in called_units(Page(f"{text}\n\n$$ a = b $$\n"), "a")}
    assert found.get("a", "") == dimension


@pytest.mark.parametrize(
    "latex",
    [
        r"\theta(t=0) = 0, \quad \dot\theta(t=0) = \omega_0",
        r"x = 1 + \left\lfloor \frac{b-1}{h} \right\rfloor h",
        r"{F_G}^* = -m_G {a^G}^*",
        r"\frac{y}{2 x} = a \quad (\ast)",
        r"e = -\frac{\mbox{{\bf 衝突した点における}剛体の速度}}{\mbox{反発係数}}",
        r"g_k^{(i),0} = v_k^{(c)} - \dot{q}_k^{(i)}",
        r"\left<a, b\right> = c",
        r"z^{(n)} = \sum_{k=0}^{n-1}\tbinom {n-1}{k} a^{(k)}",
        r"f = \tfrac{(2k-1)!!}{2^k k!}\Phi^{2k}",
    ],
)
def test_what_is_not_worked_out_is_read(tmp_path: Path, latex: str) -> None:
    report = checked(tmp_path, f"$$ {latex} $$\n")
    assert report.equations
    assert all(one.is_read for one in report.equations)


def test_a_display_goes_on_where_the_one_before_ends(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ v^2 = (\dot x + l\dot\theta\cos\theta)^2 + l^2\dot\theta^2\sin^2\theta $$

which is

$$ = \dot x^2 + 2l\dot x\dot\theta\cos\theta + l^2\dot\theta^2 $$
""",
    )
    assert [one.status for one in report.equations] == ["unsupported", "consistent"]
    assert report.equations[1].latex.startswith("= ")


def test_an_energy_at_a_distance_is_no_product_with_it(tmp_path: Path) -> None:
    page = r"""$$ L = \tfrac12 m\dot r^2 + \tfrac12 m r^2\dot\theta^2 - U(r) $$

$$ m r\dot\theta^2 - \frac{d}{dr} U(r) = m\ddot r $$

$$ U = -\frac{k}{r} $$
"""
    assert checked(tmp_path, page).equations[1].status == "consistent"


def test_derivatives_that_are_numbered_above_a_letter_are_apart(tmp_path: Path) -> None:
    report = checked(tmp_path, "$$ y^{(1)} = a x $$\n\n$$ y^{(2)} = b x $$\n")
    assert {one.status for one in report.equations} == {"unsupported"}
    assert {"y^{(1)}", "y^{(2)}"} <= {*report.constants, *report.moving}


def test_the_physics_package_writes_powers_in_brackets_and_quick_words(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ \qq*{so:} v^2 = l^2\cos[2](\theta)\dot\theta^2 + l^2\sin[2](\theta)\dot\theta^2 \qc V = -m g y $$
$$ \qq*{e.o.m.} \underline{m\ddot s + m l\cos(\theta)\ddot\theta = 0} $$
$$ v^2 = l^2\dot\theta^2 \qfor \dot s = 0 $$
""",
    )
    told = [one.latex for one in report.equations]
    assert told[1:3] == ["V = -m g y", r"m\ddot s + m l\cos(\theta)\ddot\theta = 0"]
    assert report.equations[3].status == "consistent"


PLAIN_CART = """A pole on a cart:

- its tip: xₚ = x + l sinθ, yₚ = l cosθ
- T = ½Mẋ² + ½m(ẋₚ² + ẏₚ²)
    = ½(M + m)ẋ² + mlẋθ̇cosθ + ½ml²θ̇² and V = mgl cosθ, so L = T − V

1) (M + m)ẍ + mlθ̈cosθ − mlθ̇²sinθ = F
2) mlẍcosθ + ml²θ̈ − mgl sinθ = 0

Hence **θ̈ = (g sinθ − ẍ cosθ)/l.** It has mode = 3, and is upright where θ is 0.
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("printed", "instead", "wrong"),
    [
        ("", "", set()),
        ("− mgl sinθ", "+ mgl sinθ", {"(line 8)"}),
        ("½ml²θ̇²", "ml²θ̇²", {"(line 4.2)"}),
    ],
)
def test_a_page_in_plain_letters_is_read(
    printed: str, instead: str, wrong: set[str], tmp_path: Path
) -> None:
    report = checked(tmp_path, PLAIN_CART.replace(printed, instead))
    assert standing(report, "contradicts") == wrong
    follow = {"(line 4.2)", "(line 7)", "(line 8)", "(line 10)"}
    assert standing(report, "consistent") == follow - wrong
    assert report.passed_over == ()


@pytest.mark.parametrize(
    "held", ['<textarea id="source">{}</textarea>', '<script type="text/template">{}</script>']
)
def test_slides_in_markdown_within_a_page_are_read(tmp_path: Path, held: str) -> None:
    slides = (
        "# Circles\n\n- Given by `\\(F = m a\\)` &amp; more\n\n---\n\n$$ a = \\frac{v^2}{r} $$\n"
    )
    report = checked(tmp_path, f"<html><body>{held.format(slides)}</body></html>", "page.html")
    assert [one.latex for one in report.equations] == ["F = m a", r"a = \frac{v^2}{r}"]
    assert not report.passed_over


def test_tags_that_lower_and_raise_letters_are_read(tmp_path: Path) -> None:
    text = (
        "<p>The diver of mass <i>m</i> falls with the drag coefficient c<sub>&delta;</sub>:</p>"
        "<blockquote><p>F<sub>drag</sub> = -c<sub>&delta;</sub> &sdot; v<br>\n"
        "m &sdot; d<sup>2</sup>y/dt<sup>2</sup> = -m &sdot; g + F<sub>drag</sub><br>\n"
        "v<sub>end</sub> = mg/c<sub>&delta;</sub><br>\n"
        "v(t) = Be<sup>-c<sub>&delta;</sub>t/m</sup> - v<sub>end</sub><br>\n"
        "r = x &sdot; x<sup>^</sup> + y &sdot; y<sup>^</sup></p></blockquote>"
    )
    alone = checked(tmp_path, text, "page.html")
    assert [one.is_read for one in alone.equations] == [True] * 5
    assert not alone.passed_over
    assert {"c_\\delta", "v_{end}", "B"} <= set(alone.constants)


DRAWN = """The cart:

```
[ M+m     m·l  ] [ ẍ ]   [ F       ]
[ m·l     m·l² ] [ θ̈ ] = [ m·g·l·θ ]

v = ẋ
```

that is `(M+m)·ẍ + m·l·θ̈ = F` and `m·l·ẍ + m·l²·θ̈ = m·g·l·θ`.
"""


def test_matrices_that_are_drawn_over_lines_are_read(tmp_path: Path) -> None:
    report = checked(tmp_path, DRAWN)
    assert report.passed_over == ()
    assert [one.line for one in report.equations] == [4, 7, 10, 10]
    assert len(standing(report, "consistent")) == 3
    wrong = checked(tmp_path, DRAWN.replace("[ F       ]", "[ -F      ]"))
    assert standing(wrong, "contradicts") == {"(#1)"}


def test_a_matrix_that_is_drawn_with_rows_of_other_lengths_is_passed_over(tmp_path: Path) -> None:
    report = checked(tmp_path, "```\nM = [m₁  m₂·cos(θ)]\n    [m₂·cos(θ)]\n\nv = ẋ\n```")
    assert [one.latex for one in report.equations] == ["v = ẋ"]
    assert [one.reason for one in report.passed_over] == [
        "in plain letters; write it between dollars"
    ]


OF_STATES = r"""
The state is $q = [x, \dot x, \theta, \dot\theta]^T$.

$$(M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F$$
$$m l \ddot x\cos\theta + m l^2\ddot\theta - m g l\sin\theta = 0$$

Linearized about $\theta = 0$,

$$A = \begin{bmatrix} 0 & 1 & 0 & 0\\ 0 & 0 & -\frac{m g}{M} & 0\\ 0 & 0 & 0 & 1\\
0 & 0 & \frac{(M+m) g}{M l} & 0\end{bmatrix},
B = \begin{bmatrix} 0 \\ \frac{1}{M} \\ 0 \\ -\frac{1}{M l}\end{bmatrix}$$
"""


def test_state_matrices_are_held_though_no_equation_has_them(tmp_path: Path) -> None:
    report = checked(tmp_path, OF_STATES)
    assert standing(report, "consistent") == {"(#3.1)", "(#3.2)"}
    wrong = checked(tmp_path, OF_STATES.replace(r"-\frac{m g}{M}", r"\frac{m g}{M}"))
    assert standing(wrong, "contradicts") == {"(#3.1)"}
    (told,) = (one for one in wrong.equations if one.label == "(#3.1)")
    assert [r"-\frac{m g}{M}" in one.latex for one in told.repairs] == [True]
    other = checked(tmp_path, OF_STATES.replace("= 0$$\n\nLin", "= T$$\n\nLin"))
    assert not standing(other, "consistent")  # two letters may be the input


def test_a_column_of_states_right_before_the_matrices_is_no_input(tmp_path: Path) -> None:
    states = r"q = \begin{bmatrix} x \\ \dot x \\ \theta \\ \dot\theta \end{bmatrix}"
    text = OF_STATES.replace("The state", "The state, below,").replace(
        r"$\theta = 0$,", rf"$\theta = 0$, with $${states}$$ they are"
    )
    text = text.replace(r"$q = [x, \dot x, \theta, \dot\theta]^T$", "is q")
    assert standing(checked(tmp_path, text), "consistent") == {"(#4.1)", "(#4.2)"}


def test_equations_of_small_motions_say_what_a_state_matrix_is(tmp_path: Path) -> None:
    text = OF_STATES.replace(r"Linearized about $\theta = 0$,", "They are")
    text = text.replace("The state", "For small motions, the state").replace(r"\cos\theta", "")
    text = text.replace(r"- m l\dot\theta^2\sin\theta", "").replace(r"g l\sin\theta", r"g l\theta")
    assert standing(checked(tmp_path, text), "consistent") == {"(#3.1)", "(#3.2)"}


EULER = r"""
$$I_2\dot\omega_2 + (I_3 - I_1)\,\omega_3\omega_1 = M_2$$

Solved for the acceleration:

$$\dot\omega_2 = \frac{M_2 + (I_1 - I_3)\omega_3\omega_1}{I_2}$$
"""


def test_an_equation_that_is_solved_for_its_rate_is_the_same_still(tmp_path: Path) -> None:
    assert standing(checked(tmp_path, EULER), "consistent") == {"(#2)"}
    wrong = checked(tmp_path, EULER.replace("(I_1 - I_3)", "(I_3 - I_1)"))
    assert "(#2)" in standing(wrong, "contradicts")
    other = checked(tmp_path, EULER.replace("(I_1 - I_3)", "(I_1 - I_4)"))
    assert not standing(other, "contradicts")


SHAKEN = r"""
$$m\ddot{x} = -c(\dot{x}-\dot{y}) - k(x-y)$$

$$z = x - y$$

$$m\ddot{z} + c\dot{z} + kz = -m\ddot{y}$$
"""


def test_a_motion_beside_what_is_shaken_is_held(tmp_path: Path) -> None:
    assert standing(checked(tmp_path, SHAKEN), "consistent") == {"(#1)", "(#3)"}
    wrong = checked(tmp_path, SHAKEN.replace(r"-m\ddot{y}", r"m\ddot{y}"))
    assert standing(wrong, "contradicts") == {"(#3)"}
    other = checked(tmp_path, SHAKEN.replace(r"-m\ddot{y}", r"-m\ddot{y} + F"))
    assert not standing(other, "contradicts")  # with a force that the other does not have


TYPED_LAWS, TYPED_AGAIN = "J θ̈ = τ − m g l sin θ\nv = l θ̇", "θ̈ = (τ − m g l sin θ) / J"
INDENTED = indent(f"{TYPED_LAWS}\n\nor\n\n{TYPED_AGAIN}\n", "    ").replace("    or", "or")
TYPED = {
    "page.md": f"It obeys\n\n{INDENTED}",
    "page.txt": f"It obeys\n\n{INDENTED}",
    "page.rst": f"It obeys::\n\n{INDENTED.replace('or', 'or::')}",
    "page.html": f"<pre>\n{TYPED_LAWS}\n</pre>or<pre>{TYPED_AGAIN}</pre>",
    "quote.md": "> " + f"{TYPED_LAWS}\nor\n{TYPED_AGAIN}".replace("\n", "\n\n> "),
    "page.ipynb": json.dumps({
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": f"```\n{TYPED_LAWS}\n```"},
            {"cell_type": "markdown", "source": f"or\n```\n{TYPED_AGAIN}\n```\n"},
        ],
    }, ensure_ascii=False),
}  # fmt: skip


@pytest.mark.parametrize("name", TYPED)
def test_equations_that_are_set_as_they_are_typed_are_read(tmp_path: Path, name: str) -> None:
    page = tmp_path / name
    page.write_text(TYPED[name])
    (report,) = freebody.alone(page).documents
    assert [one.status for one in report.equations] == ["consistent", "unsupported", "consistent"]
    assert [one.latex for one in report.equations][1:] == ["v = l θ̇", TYPED_AGAIN]
    page.write_text(TYPED[name].replace("sin θ) /", "cos θ) /"))
    (report,) = freebody.alone(page).documents
    assert [one.status for one in report.equations][::2] == ["contradicts"] * 2


def test_a_root_sign_takes_all_of_the_number_behind_it(tmp_path: Path) -> None:
    report = checked(tmp_path, "L₁ = √0.85 = 0.922 m\n\nL₂ = 3·√17.5 = 12.55\n\nL₃ = √17.5 = 2.646")
    assert standing(report, "consistent") == {"(line 1.2)", "(line 3.2)"}


def test_words_of_the_section_before_put_no_case(tmp_path: Path) -> None:
    text = OF_STATES.replace("$$(M+m)", "It reduces to the cart-pole.\n\n## Motion\n\n$$(M+m)")
    assert standing(checked(tmp_path, text), "consistent") == {"(#3.1)", "(#3.2)"}


OSCILLATOR = r"""
With $\omega_0 = \sqrt{\frac{k}{m}}$ and $\zeta = \frac{c}{2 m \omega_0} = \frac{c}{2\sqrt{k m}}$,

$$\omega_d = \omega_0\sqrt{1 - \zeta^2} = \sqrt{\frac{k}{m} - \frac{c^2}{4 m^2}}
= \frac{\sqrt{4 k m - c^2}}{2 m}$$
"""


def test_roots_of_constants_are_told_to_be_equal(tmp_path: Path) -> None:
    report = checked(tmp_path, OSCILLATOR)
    assert standing(report, "consistent") >= {"(line 2.2.2)", "(#1.1)", "(#1.2)", "(#1.3)"}
    (one,) = (each for each in report.equations if each.label == "(#1.2)")
    assert one.proof == "to 40 digits at 12 random points"


def test_a_step_between_constants_that_is_far_from_right_is_told(tmp_path: Path) -> None:
    text = r"$$\omega_n = \sqrt{g/L}$$ $$\zeta = \frac{B}{2mL^2\omega_n} = \frac{B}{2mL\sqrt{gL}}$$"
    assert not standing(checked(tmp_path, text), "contradicts")
    report = checked(tmp_path, text.replace(r"mL\sqrt{gL}", r"L\sqrt{mgL}"))
    assert standing(report, "contradicts") == {"(#2.2)"}


def test_words_stand_below_plain_letters_and_between_them(tmp_path: Path) -> None:
    text = (
        "这里 m·ẍ + k·x = F₀·cos(ω_drive·t), ซึ่ง F_total = F₀·cos(ω_drive·t)和 m·ẍ = F_total − k·x"
    )
    report = checked(tmp_path, text)
    assert report.passed_over == ()
    assert [one.latex for one in report.equations] == [
        "m·ẍ + k·x = F₀·cos(ω_drive·t)", "F_total = F₀·cos(ω_drive·t)", "m·ẍ = F_total − k·x",
    ]  # fmt: skip
    assert len(standing(report, "consistent")) == 2


def test_axes_stand_below_plain_letters(tmp_path: Path) -> None:
    text = """The body in its own axes:

```
u̇ = Tx/m − g·sinθ − Qw + Rv
v̇ = Ty/m + g·cosθ·sinφ − Ru + Pw
```

```
Ixx·ṗ = L − (Izz−Iyy)·q·r
Ṅ = u·cosθ
```
"""
    report = checked(tmp_path, text)
    assert [one.is_read for one in report.equations] == [True] * 4
    assert {"T_x", "T_y", "I_{xx}", "I_{yy}", "I_{zz}"} <= {*report.constants}
    assert "N" in report.moving


IN_BLOCKS = """Where `ω = θ̇`:
```
x = l sin(θ)
y = -l cos(θ)
```
```text
T = ½ m (ẋ² + ẏ²)
T = ½ m l²
    ω²
```
```
V = m g y
```

Its acceleration, with damping c:
```
      c ω + m g l sin(θ)
θ̈ = - ──────────────────
            m l²
```
With I_eff its inertia, where `I_eff = m l²`,
```
θ̈ = -(c ω + m g l sin(θ)) / I_eff

where:
  Δθ = θ - θ₀   (angle difference)
```
and in code
```
theta_dd = -(g/l)*np.sin(theta)
```
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("printed", "instead", "wrong"),
    [
        ("", "", set()),
        ("l²\n    ω²", "l\n    ω²", {"(#2.2)"}),
        ("sin(θ)\nθ̈", "cos(θ)\nθ̈", {"(#4)"}),
    ],
)
def test_equations_in_blocks_without_a_language_are_read(
    printed: str, instead: str, wrong: set[str], tmp_path: Path
) -> None:
    assert printed in IN_BLOCKS
    report = checked(tmp_path, IN_BLOCKS.replace(printed, instead))
    assert standing(report, "contradicts") == wrong
    assert standing(report, "consistent") >= {"(#2.2)", "(#4)", "(line 23)"} - wrong
    assert [one.line for one in report.equations][-4:] == [18, 21, 23, 26]
    assert r"\Delta \theta" in report.moving
    assert any("its code in python" in remark for remark in report.remarks)


COLUMN = r"\begin{bmatrix} x\\ \dot x\\ \theta\\ \dot\theta\end{bmatrix}"
SLOPES = r"""\begin{bmatrix} 0 & 1 & 0 & 0\\ 0 & 0 & -\frac{m g}{M} & 0\\ 0 & 0 & 0 & 1\\
0 & 0 & \frac{(M+m) g}{M l} & 0\end{bmatrix}"""
DRIVEN = r"\begin{bmatrix} 0\\ \frac{1}{M}\\ 0\\ -\frac{1}{M l}\end{bmatrix}"
STATES = {
    "whole": rf"$$ \frac{{d}}{{dt}} {COLUMN} = {SLOPES} {COLUMN} + {DRIVEN} F \tag{{13}} $$",
    "by letters": (
        rf"$$ \dot z = A z + B F \tag{{13}} $$ $$ z = {COLUMN} \tag{{14}} $$ "
        rf"$$ A = {SLOPES}, \quad B = {DRIVEN} \tag{{15}} $$"
    ),
}


HOOP = r"""
$$ T = \tfrac12 m R^2(\dot\theta^2 + \Omega^2\sin^2\theta), \qquad V = -m g R\cos\theta $$

Small oscillations about the bottom: $$ \ddot\theta + (\frac{g}{R} - \Omega^2)\theta = 0 \tag{2} $$

Their frequency is $$ \omega = \sqrt{\frac{g}{R} - \Omega^2} \tag{3} $$

About the upright position, $$ \ddot\theta = (\frac{g}{R} + \Omega^2)\theta \tag{4} $$
"""


def test_small_motions_and_their_frequencies_follow_or_are_mended(tmp_path: Path) -> None:
    assert standing(checked(tmp_path, HOOP), "consistent") == {"(2)", "(3)", "(4)"}
    for label in ("(2)", "(3)"):
        at = HOOP.index(rf"\tag{{{label[1]}}}")
        wrong = HOOP[:at].rpartition("-")
        page = f"{wrong[0]}+{wrong[2]}{HOOP[at:]}"
        report = checked(tmp_path, page)
        assert standing(report, "contradicts") == {label}
        (found,) = (one for one in report.equations if one.label == label)
        assert r"\frac{g}{R} - \Omega^2" in found.repairs[0].latex


def test_what_forces_hold_and_what_other_systems_do_is_no_contradiction(tmp_path: Path) -> None:
    hover = r"""$$ T = \tfrac12 m(\dot x^2+\dot z^2), \quad V = mgz $$
$$ m\ddot x = -u\sin\theta $$ $$ m\ddot z = u\cos\theta - mg $$
Linearized about hover: $$ \ddot x = -g\theta $$ $$ \ddot z = \frac{w}{m} $$"""
    assert not standing(checked(tmp_path, hover), "contradicts")
    rod = r"""$$ \frac13 m l^2\ddot\theta + b\dot\theta + \frac12 m g l\sin\theta = 0 $$
A simple pendulum has $$ \omega_0 = \sqrt{\frac{g}{l}} \tag{2} $$ Its damping makes
$$ \omega_d^2 = \frac{3 g}{2 l} - \frac{9 b^2}{4 m^2 l^4} \tag{3} $$"""
    report = checked(tmp_path, rod)
    assert not standing(report, "contradicts")
    assert standing(report, "consistent") == {"(3)"}


def test_a_small_angle_case_follows_from_the_printed_equation_of_motion(tmp_path: Path) -> None:
    rod = r"""$$ \frac13 m l^2\ddot\theta + \frac12 m g l\sin\theta = 0 $$ For small angles
$$ \ddot\theta + \frac{3 g}{2 l}\theta = 0 \tag{2} $$"""
    assert standing(checked(tmp_path, rod), "consistent") == {"(2)"}
    assert not standing(checked(tmp_path, rod.replace("3 g", "2 g")), "consistent")


@pytest.mark.exhaustive("by letters-(15.1)")
@pytest.mark.few("by letters")
@pytest.mark.parametrize(("kind", "wrong"), [("whole", "(13)"), ("by letters", "(15.1)")])
def test_linear_forms_of_a_state_are_held_row_by_row(kind: str, wrong: str, tmp_path: Path) -> None:
    page = CART[: CART.index(r"$$ (M+m)\ddot x + m l\ddot\theta = F")]
    page += rf"Around $\theta = 0$, with $\sin\theta\approx\theta$:\n\n{STATES[kind]}"
    assert "(13)" in standing(checked(tmp_path, page), "consistent")
    misprinted = checked(tmp_path, page.replace("(M+m) g}{M l} & 0", "(M-m) g}{M l} & 0"))
    (found,) = [one for one in misprinted.equations if one.status == "contradicts"]
    assert (found.label, found.wrong) == ("(13)", wrong)
    assert "(M+m) g" in found.repairs[0].latex


IN_MATRICES = r"""
$$T = \tfrac12 a\dot x^2 + b\dot x\dot\theta\cos\theta + \tfrac12 c\dot\theta^2,
\quad V = k\cos\theta$$ With $q = [x, \theta]^T$: $$A\ddot q + C\dot q + G = \tau \tag{3}$$
$$A = \begin{bmatrix} a & b\cos\theta\\ b\cos\theta & c\end{bmatrix} \tag{4}$$
$$C = \begin{bmatrix} 0 & -b\sin\theta\,\dot\theta\\ 0 & 0\end{bmatrix} \tag{5}$$
$$G = \begin{bmatrix} 0\\ -k\sin\theta\end{bmatrix} \tag{6}$$
"""


@pytest.mark.few("(6)")
@pytest.mark.parametrize(
    ("printed", "misprinted", "label"),
    [
        (r"-k\sin\theta", r"-k\cos\theta", "(6)"),
        (r"-b\sin\theta\,", r"b\sin\theta\,", "(5)"),
        (r"b\cos\theta & c", r"b\sin\theta & c", "(4)"),
    ],
)
def test_a_misprint_in_one_of_the_matrices_is_found(
    tmp_path: Path, printed: str, misprinted: str, label: str
) -> None:
    assert standing(checked(tmp_path, IN_MATRICES), "consistent") >= {"(3)", "(4)", "(5)"}
    report = checked(tmp_path, IN_MATRICES.replace(printed, misprinted))
    wrong = [one for one in report.equations if one.status == "contradicts"]
    assert {one.wrong for one in wrong} == {label}


SOLVED = {
    "a sum that the next display goes on with": (
        r"""$$ T = \tfrac12 M\dot x^2 $$
$$ {} + \tfrac12 m(\dot x^2 + 2 l\dot x\dot\theta\cos\theta + l^2\dot\theta^2) $$
$$ V = m g l\cos\theta $$
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{9} $$""",
        (r"l\dot\theta^2\sin\theta = F", r"l\dot\theta^2\cos\theta = F"),
    ),
    "letters that are one": (
        r"""$$ m_1 = m_2 = m, \qquad u = F $$
$$ m_1\ddot x_1 + k(x_1 - x_2) = F $$
$$ m_2\ddot x_2 + k(x_2 - x_1) = 0 $$
$$ \ddot x_1 = \frac{u - k(x_1 - x_2)}{m} \tag{9} $$""",
        (r"u - k(x_1 - x_2)", r"u - k(x_1 + x_2)"),
    ),
    "a column that names states": (
        r"""$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F $$
$$ l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 $$
$$ \begin{bmatrix} z_1\\ z_2\\ z_3\\ z_4\end{bmatrix}
   = \begin{bmatrix} x\\ \dot x\\ \theta\\ \dot\theta\end{bmatrix} $$
$$ \dot z_2 = \frac{F + m l z_4^2\sin z_3 - m g\sin z_3\cos z_3}{M + m\sin^2 z_3} \tag{9} $$""",
        (r"- m g\sin z_3", r"+ m g\sin z_3"),
    ),
    "a force that a law of control gives": (
        r"""$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = u $$
$$ l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 $$
$$ z = \begin{bmatrix} x\\ \dot x\\ \theta\\ \dot\theta\end{bmatrix} $$ $$ u = -K z $$
$$ \ddot x = \frac{u + m l\dot\theta^2\sin\theta - m g\sin\theta\cos\theta}
   {M + m\sin^2\theta} \tag{9} $$""",
        (r"- m g\sin\theta", r"+ m g\sin\theta"),
    ),
    "balances with the forces of a joint": (
        r"""$$ H = m(\ddot x + l\ddot\theta\cos\theta - l\dot\theta^2\sin\theta) $$
$$ N - m g = -m l(\ddot\theta\sin\theta + \dot\theta^2\cos\theta) $$
$$ J\ddot\theta = N l\sin\theta - H l\cos\theta $$
$$ (J + m l^2)\ddot\theta + m l\ddot x\cos\theta = m g l\sin\theta \tag{9} $$""",
        (r"= m g l\sin\theta \tag", r"= m g l\cos\theta \tag"),
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.exhaustive(
    "a column that names states",
    "a sum that the next display goes on with",
    "balances with the forces of a joint",
)
@pytest.mark.parametrize("page", SOLVED)
def test_equations_follow_through_what_a_page_says_of_its_letters(
    tmp_path: Path, page: str
) -> None:
    text, (printed, misprinted) = SOLVED[page]
    assert "(9)" in standing(checked(tmp_path, text), "consistent")
    assert not standing(checked(tmp_path, text), "contradicts")
    assert text.count(printed) == 1
    told = checked(tmp_path, text.replace(printed, misprinted))
    assert "(9)" not in standing(told, "consistent")
    assert {one.wrong for one in told.equations if one.status == "contradicts"} <= {"(9)", ""}


@pytest.mark.exhaustive
def test_a_wrong_lagrangian_accuses_none_of_the_equations_that_agree(tmp_path: Path) -> None:
    again = r"""$$ L = \tfrac12 (M+m)\dot x^2 + m l\dot x\dot\theta\cos\theta
   + \tfrac12 m l^2\dot\theta^2 + m g l\cos\theta \tag{13} $$"""
    report = checked(tmp_path, CART + again)
    (found,) = (one for one in report.equations if one.status == "contradicts")
    assert (found.label, found.wrong) == ("(13)", "(13)")
    assert r"- m g l\cos\theta" in found.repairs[0].latex
    assert standing(report, "consistent") >= {"(6)", "(9)", "(10)", "(11)"}


def test_a_constraint_that_is_printed_accuses_no_balance(tmp_path: Path) -> None:
    text = r"""$$ L = \tfrac12 m\dot q_1^2 + \tfrac12 m\dot q_2^2 $$
$$ m\ddot q_1 = F $$ $$ m\ddot q_2 = -F $$ $$ \ddot q_1 - \ddot q_2 = 0 $$"""
    assert not standing(checked(tmp_path, text), "contradicts")


def test_a_set_of_configurations_is_no_mass(tmp_path: Path) -> None:
    text = r"""On $M = \mathbb{R}\times S^1$:
$$ T = \frac12 M\dot x^2 + \frac12 m\dot y^2 \tag{1} $$
$$ M\ddot x = 0 \tag{2} $$ $$ V = 0 $$"""
    report = checked(tmp_path, text)
    assert {"M", "m"} <= {*report.constants}
    (found,) = (one for one in report.equations if one.label.startswith("(line"))
    assert "a set" in found.reason


@pytest.mark.exhaustive
def test_letters_that_are_equated_for_their_number_are_not_one(tmp_path: Path) -> None:
    text = r"""$$ x = l_1\sin\theta_1 + l_2\sin\theta_2 $$
At $\theta_1 = \theta_2 = 0$ it is zero, and
$$ \dot x = l_1\dot\theta_1\cos\theta_1 + l_2\dot\theta_2\cos\theta_2 \tag{2} $$
$$ \dot x = (l_1 + l_2)\dot\theta_2\cos\theta_2 \tag{3} $$"""
    assert standing(checked(tmp_path, text), "consistent") == {"(2)"}


def test_a_length_that_is_a_lagrangian_too_accuses_no_derivative_of_its_units(
    tmp_path: Path,
) -> None:
    text = r"""A pole of length $L = 0.5\,\mathrm{m}$ and mass $m = 2\,\mathrm{kg}$,
$g = 9.81\,\mathrm{m/s^2}$.
$$ \frac{\partial L}{\partial\theta} = m g L\sin\theta \tag{1} $$"""
    assert not standing(checked(tmp_path, text), "contradicts")


ROBOT = r"""The torques are $\tau = M\ddot q + C\dot q + G$ with $q = (q_1, q_2)^T$ and, with
$c_1 = \cos(q_1), \ldots$,
$$ M = \begin{bmatrix} a + 2b c_2 & d + b c_2 \\ d + b c_2 & d \end{bmatrix} \tag{1} $$
$$ C = b s_2\begin{bmatrix} -2\dot q_2 & -\dot q_2 \\ \dot q_1 & 0 \end{bmatrix} \tag{2} $$
$$ G = \begin{bmatrix} e s_1 + f s_{12} \\ f s_{12} \end{bmatrix} \tag{3} $$
"""


@pytest.mark.exhaustive
def test_sines_by_number_are_those_of_the_angles_that_one_is_said_of(tmp_path: Path) -> None:
    report = checked(tmp_path, ROBOT)
    assert "(2)" in standing(report, "consistent")
    assert any("taken for the sines and cosines" in remark for remark in report.remarks)
    wrong = checked(tmp_path, ROBOT.replace(r"\\ \dot q_1", r"\\ 2\dot q_1"))
    assert "(2)" in standing(wrong, "contradicts")


def test_dampings_and_places_by_number_are_no_cosines(tmp_path: Path) -> None:
    text = (
        r"""$$ c_1\dot q_1 + k s_1 = m\ddot q_1 \tag{1} $$ $$ c_2\dot q_2 + k s_2 = m\ddot q_2 $$"""
    )
    assert {"c_1", "s_1", "c_2", "s_2"} <= {*checked(tmp_path, text).constants}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("factor", "status"), [(r"\frac12", "consistent"), ("", "contradicts")])
def test_a_kinetic_energy_is_half_its_speeds_with_the_mass_matrix(
    tmp_path: Path, factor: str, status: str
) -> None:
    text = ROBOT + rf"$$ E_{{kin}} = {factor} \dot q^T M \dot q \tag{{4}} $$"
    assert "(4)" in standing(checked(tmp_path, text), status)


def test_what_is_printed_by_macros_of_the_page_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "page.tex"
    path.write_text(r"""\newcommand{\om}{\dot{\theta}}
Some words, so that a changed equation by itself is shorter than what stands before it here.
\begin{equation} x = l\sin\theta \tag{1} \end{equation}
\begin{equation} \dot x = -l\om\cos\theta \tag{2} \end{equation}""")
    (found,) = (one for one in freebody.alone(path).documents[0].equations if one.label == "(2)")
    assert found.status == "contradicts"
    assert "l\\om\\cos\\theta" in found.repairs[0].latex


@pytest.mark.exhaustive
def test_what_is_numbered_as_a_column_is_its_entries_where_it_moves(tmp_path: Path) -> None:
    text = r"""Let $$ \mathbf{q} = \begin{bmatrix} x \\ \theta \end{bmatrix} \tag{1} $$
$$ T = \frac12 m\dot x^2 + ml\dot x\dot\theta\cos\theta + \frac12 ml^2\dot\theta^2 \tag{2} $$
$$ V = mgl\cos\theta \tag{3} $$
$$ m\ddot x + ml\ddot\theta\cos q_2 - ml\dot q_2^2\sin q_2 = F \tag{4} $$"""
    assert "(4)" in standing(checked(tmp_path, text), "consistent")
    wrong = checked(tmp_path, text.replace(r"- ml\dot q_2", r"+ ml\dot q_2"))
    assert "(4)" in standing(wrong, "contradicts")
    place = checked(
        tmp_path,
        r"""$$ \mathbf{r} = [r\cos\theta, r\sin\theta]^T $$
$$ m\ddot\theta = r_1 F $$""",
    )
    assert "r_1" in place.constants


@pytest.mark.exhaustive
def test_a_column_of_gravity_is_the_gradient_of_the_potential_energy(tmp_path: Path) -> None:
    text = ROBOT + r"$$ E_{pot} = -e c_1 - f c_{12} \tag{4} $$"
    assert {"(3)", "(4)"} <= standing(checked(tmp_path, text), "consistent")
    opposite = text.replace("-e c_1 - f", "e c_1 + f")
    assert {"(3)", "(4)"} <= standing(checked(tmp_path, opposite), "consistent")
    wrong = text.replace("- f c", "+ f c")
    assert standing(checked(tmp_path, wrong), "contradicts") == {"(3)", "(4)"}
    scaled = text.replace("-e c_1 - f", "-2e c_1 - 2f")
    assert not standing(checked(tmp_path, scaled), "contradicts")


@pytest.mark.one_in(3)
@pytest.mark.exhaustive("[x, y] A [x, y]^T-contradicts")
@pytest.mark.parametrize(
    ("step", "status"),
    [
        (r"\frac12 [x, y] A [x, y]^T", "consistent"),
        (r"[x, y] A [x, y]^T", "contradicts"),
        (r"\frac12 (a + b) x^2 + \frac12 (b + c) y^2 - 2 b x y", "contradicts"),
        (r"\frac12 k x^2", "unsupported"),  # by what is not printed
    ],
)
def test_steps_of_a_derivation_in_the_same_letters_are_identities(
    tmp_path: Path, step: str, status: str
) -> None:
    step = step.replace("A", r"\begin{bmatrix} a + b & -b \\ -b & b + c \end{bmatrix}")
    text = rf"""$$ T = \frac12 m\dot x^2 + \frac12 m\dot y^2 $$
$$ \begin{{aligned}} V &= \frac12 (a x^2 + b (y - x)^2 + c y^2) \\
 &= {step} \end{{aligned}} \tag{{2}} $$"""
    assert "(2.2)" in standing(checked(tmp_path, text), status)


@pytest.mark.exhaustive
def test_a_letter_is_constant_whose_rate_a_page_says_is_zero(tmp_path: Path) -> None:
    text = r"""
# A bead
$$ x = a\sin\theta $$ $$ \dot x = a\dot\theta\cos\theta $$
# Its constraint
$$ \ddot r = \ddot a = 0 $$ $$ a\dot a = x\dot x + y\dot y = 0 $$ $$ L = \frac12 m\dot r^2 $$
"""
    report = checked(tmp_path, text)
    assert "a" in report.constants
    assert not standing(report, "contradicts")


def test_equations_in_one_formula_stand_apart_by_wide_spaces(tmp_path: Path) -> None:
    text = r"$w_x = \dot x \ \ w_\phi = \dot\phi$ and $$ w_x = \dot x $$ $$ w_\phi = \dot\phi $$"
    assert not standing(checked(tmp_path, text), "contradicts")


def test_the_square_of_a_rate_is_no_function_of_it(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 l (\dot\theta)^2, \qquad V = g\cos\theta, \qquad L = T - V $$
$$ l\ddot\theta = g\sin\theta \tag{1} $$
"""
    assert "(1)" in standing(checked(tmp_path, text), "consistent")


def test_equations_in_a_table_in_brackets_are_a_system(tmp_path: Path) -> None:
    text = r"""
$$ \left[\begin{matrix}F = m\ddot x + c\dot x\\ G = k x + c\dot x\end{matrix}\right] $$
"""
    assert len(checked(tmp_path, text).equations) == 2


def test_punctuation_as_chinese_pages_have_it_separates(tmp_path: Path) -> None:
    report = checked(tmp_path, "动能为 $$ T=\\frac12 m\\dot x^2，\\qquad V=k x。 $$")
    assert all(one.is_read for one in report.equations)
    assert len(report.equations) == 2


def test_a_rate_below_the_name_of_another_letter_is_found(tmp_path: Path) -> None:
    text = r"""
$$ x_1 = l\cos\theta_1 \tag{1} $$ $$ y_1 = l\sin\theta_1 \tag{2} $$
$$ \dot x_1 = -l\dot\theta_1\sin\theta_1 \tag{3} $$
$$ \dot x_1 = l\dot\theta_1\cos\theta_1 \tag{4} $$
"""
    (wrong,) = [one for one in checked(tmp_path, text).equations if one.status == "contradicts"]
    assert wrong.wrong == wrong.label == "(4)"
    assert "y" in wrong.repairs[0].latex


def test_a_chain_says_what_a_letter_is_by_its_end(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 v^T M v + \frac12 w^T N w = \frac12 m l^2\dot\theta^2 $$
$$ V = -m g l\cos\theta, \qquad L = T - V $$
$$ m l^2\ddot\theta + m g l\sin\theta = 0 \tag{1} $$
"""
    assert "(1)" in standing(checked(tmp_path, text), "consistent")


BACKWARDS = r"""
$$ V = a c_1 + b c_{12} \tag{1} $$ $$ U = \frac{\partial V}{\partial q_1} = %s \tag{2} $$
$$ T = \frac12 m(\dot q_1^2 + \dot q_2^2) $$ $$ h = s_1 + s_{12} $$
"""


def test_sines_by_number_may_be_of_angles_that_count_backwards(tmp_path: Path) -> None:
    for slope in ("-a s_1 - b s_{12}", "a s_1 + b s_{12}"):
        assert not standing(checked(tmp_path, BACKWARDS % slope), "contradicts")


UNITS = r"""
A mass $m = 2\,\mathrm{kg}$ and a spring of $k = 3\,\mathrm{N/m}$. $$ m\ddot y + k y = 0 \tag{1} $$
"""


@pytest.mark.exhaustive
def test_sines_and_cosines_are_written_by_the_letter_of_their_angle(tmp_path: Path) -> None:
    text = r"""The drone has the angles $\phi$ and $\theta$, and the thrust $u$.

$$ m\ddot x = u S_\theta C_\phi, \qquad m\ddot z = u C_{\theta} C_\phi - m g,
   \qquad m\ddot y = -u S_\phi $$

$$ \ddot x = \frac{u}{m}\sin\theta\cos\phi $$

$$ \ddot z = \frac{u}{m}\sin\theta\cos\phi - g $$"""
    report = checked(tmp_path, text)
    assert standing(report, "consistent") == {"(#1.1)", "(#2)"}
    assert standing(report, "contradicts") == {"(#1.2)", "(#3)"}
    kinds = {one.symbol: (one.meaning, one.is_sure) for one in freebody.adopt(
        tmp_path / "page.md", force=True).symbols}  # fmt: skip
    assert kinds[r"S_\theta"] == (r"sine of \theta", True)


def test_tables_say_what_symbols_are_defined_as(tmp_path: Path) -> None:
    table = r"""| Symbol | Definition | Meaning |
|---|---|---|
| $a_1$ | $m_1 l^2$ | inertia |
| $b_1$ | $m_1 g l$ | weight |

$$ a_1\ddot\theta + b_1\sin\theta = 0 $$

$$ \ddot\theta = -\frac{g}{l}\sin\theta $$
"""
    assert standing(checked(tmp_path, table), "consistent") == {"(#1)", "(#2)"}
    wrong = checked(tmp_path, table.replace("m_1 g l", "2 m_1 g l"))
    assert not standing(wrong, "consistent")


@pytest.mark.parametrize(
    ("printed", "wrong"),
    [("x(0) = x(T)", set()), ("x(T) = x_f", set()), (r"x(0) = x\,T", {"(#1)"})],
)
def test_what_is_at_a_time_is_not_multiplied_by_it(
    tmp_path: Path, printed: str, wrong: set[str]
) -> None:
    said = "The place $x$ is in m, as $x_f$ is, and the time $T$ in s."
    report = checked(tmp_path, f"{said}\n\n$$ {printed} $$\n")
    assert standing(report, "contradicts") == wrong


def test_another_letter_t_than_time_is_not_measured_in_seconds(tmp_path: Path) -> None:
    text = r"""The force of the tyre, in N, is $F$, its stiffness in N is $C$, at the time $t$ in s.

$$ F = C t \tag{1} $$

with the slip $t = \tan\alpha$."""
    assert not standing(checked(tmp_path, text), "contradicts") - {"(1)"}


def test_letters_that_share_a_value_share_no_unit(tmp_path: Path) -> None:
    text = UNITS + r"Let $n = g = l = b = 1$, and $l = g$. $$ g\ddot y + b\dot y = m l y \tag{2} $$"
    assert not standing(checked(tmp_path, text), "contradicts")


def test_products_of_vectors_are_no_identities(tmp_path: Path) -> None:
    text = r"""
$$ \mathbf r\times\left(\mathbf w\times\left(\mathbf w\times\mathbf r\right)\right)
  = \mathbf r\times\left((\mathbf w\cdot\mathbf r)\mathbf w
    - (\mathbf w\cdot\mathbf w)\mathbf r\right)
  = (\mathbf w\cdot\mathbf r)\mathbf r\times\mathbf w $$
"""
    assert not standing(checked(tmp_path, text), "contradicts")


@pytest.mark.parametrize(
    "text",
    [
        r"$$ \dot r^2 + r^2\dot\phi^2 = l^2\dot\phi^2 $$ on a circle, where $$ r = l $$",
        r"Damping is $f(u') = b u'$, or $f(u') = b u'|u'|$: $$ m u'' + f(u') + k u = 0 $$",
        r"""$$ \omega = \sqrt{2 g/b} $$ $$ A\omega = 0 $$
        $$ x = C\omega\sin(\omega t) = A'\omega\cos(\omega t) - B'\sin(\omega t) $$""",
    ],
    ids=["held at a constant", "one of two functions", "letters of another case"],
)
def test_what_is_another_case_contradicts_nothing(tmp_path: Path, text: str) -> None:
    assert not standing(checked(tmp_path, text), "contradicts")


def test_an_energy_is_differentiated_with_the_sign_of_a_variation_too(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ L = \frac12 m R^2(\dot\theta^2 + \omega^2\sin^2\theta) - m g R(1 - \cos\theta) \tag{1} $$
$$ \frac{\delta L}{\delta\theta} = m R^2\omega^2\sin\theta\cos\theta + m g R\sin\theta \tag{2} $$
$$ \frac{d}{dt}\frac{\delta L}{\delta\dot\theta} = m R^2\ddot\theta \tag{3} $$
""",
    )
    assert standing(report, "contradicts") == {"(2)"}
    assert standing(report, "consistent") == {"(3)"}


def test_any_letter_is_differentiated_with_the_sign_of_a_variation(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ x = l\cos\theta, \qquad y = l\sin\theta \tag{1} $$
$$ \frac{\delta{x}}{\delta{\theta}} = -l\sin\theta \tag{2} $$
$$ \frac{\delta y}{\delta\theta} = l\sin\theta \tag{3} $$
$$ \dot\theta = \omega \tag{4} $$
""",
    )
    assert standing(report, "contradicts") == {"(3)"}
    assert "(2)" in standing(report, "consistent")


def test_what_has_rates_is_differentiated_along_the_motion(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ h = r^2\dot\theta \tag{1} $$
$$ \frac{d}{d\theta}\left(\frac{\dot r}{\dot\theta}\right)
  = \frac{d}{d\theta}\left(\frac{r^2\dot r}{h}\right)
  = \frac{1}{\dot\theta}\frac{d}{dt}\left(\frac{r^2\dot r}{h}\right) \tag{2} $$
""",
    )
    assert not standing(report, "contradicts")
    assert {"(2.1)", "(2.2)"} <= standing(report, "consistent")


@pytest.mark.parametrize(
    "text",
    [
        r"""
The mass moves with the velocity $v$ in m/s, and $\Delta t$ is the step in s.

$$ \dot x = v, \qquad x(t + \Delta t) = x(t) + v(t)\,\Delta t $$

$$ v(t + \Delta t) = v(t) + \frac{F}{m}\,\Delta t $$
""",
        r"""
$$ x = l\sin\theta\cos\phi, \quad y = l\sin\theta\sin\phi, \quad z = -l\cos\theta $$

With angles that are projected instead:

$$ x = l\sin\theta, \quad y = l\cos\theta\sin\phi, \quad z = -l\cos\theta\cos\phi $$
""",
    ],
    ids=["a step later", "in other coordinates"],
)
def test_what_is_told_of_another_time_or_in_other_coordinates_is_no_contradiction(
    tmp_path: Path, text: str
) -> None:
    assert not standing(checked(tmp_path, text), "contradicts")


def test_an_energy_is_said_in_running_text_where_words_assume_something(tmp_path: Path) -> None:
    text = r"""
We assume that the string is massless and denote by $L = T - V$ the Lagrangian function.
$$ T = \frac12 m l^2\dot\theta^2 \tag{1} $$
$$ V = -m g l\cos\theta \tag{2} $$
$$ \ddot\theta = \frac{g}{l}\sin\theta \tag{3} $$
"""
    told = {one.label: one.status for one in checked(tmp_path, text).equations}
    assert told["(3)"] == "contradicts"


def test_a_sine_of_time_may_count_it_in_a_unit_of_its_own(tmp_path: Path) -> None:
    text = "$$ f(t) = a\\sin t $$ where $t$ is the time (s), and $a$ the amplitude (m).\n"
    assert all(one.status != "contradicts" for one in checked(tmp_path, text).equations)


def test_what_is_named_anew_is_not_the_equation_that_is_misprinted(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 m l^2\dot\theta^2 \tag{1} $$
$$ y = -l\cos\theta, \qquad V = m g y, \qquad V = -m g l\cos\theta \tag{2} $$
$$ L = T - V \tag{3} $$
$$ \ddot\theta = f \tag{4} $$
$$ f = \frac{g}{l}\sin\theta \tag{5} $$
"""
    told = {one.label: one for one in checked(tmp_path, text).equations}
    wrong = {one.wrong for one in told.values() if one.status == "contradicts"}
    assert wrong == {"(5)"}


@pytest.mark.exhaustive
def test_a_constant_may_be_one_in_a_later_example(tmp_path: Path) -> None:
    text = r"""
$$ K = \frac12\dot y^2 - \cos y \tag{1} $$
$$ \ddot y = -\sin y \tag{2} $$
$$ z = \dot y \tag{3} $$
$$ \ddot z + \frac12 z^3 - K z = 0 \tag{4} $$
The next example.
$$ x = \dot y \tag{5} $$
$$ \dddot y = \dot y - \frac12\dot y^3 \tag{6} $$
"""
    assert all(one.status != "contradicts" for one in checked(tmp_path, text).equations)


def test_running_text_may_be_of_the_case_without_forces(tmp_path: Path) -> None:
    text = r"""
The equation of motion is $m\ddot x + k x = 0$ for the free oscillator.
$$ m\ddot x = -k x - b x + F(t) = \ddot x \tag{1} $$
$$ m\ddot x + b x + k x = F(t) \tag{2} $$
"""
    told = [one.label for one in checked(tmp_path, text).equations if one.status == "contradicts"]
    assert not any("line" in label for label in told)


def test_amplitudes_that_vary_may_be_chosen_so_that_their_rates_are_left_out(
    tmp_path: Path,
) -> None:
    text = r"""
$$ x = x_0 + A e^{-\nu t} \tag{1} $$
$$ \dot x = -\nu A e^{-\nu t} \tag{2} $$
$$ \dot A = \mu\dot x e^{\nu t} \tag{3} $$
"""
    assert all(one.status != "contradicts" for one in checked(tmp_path, text).equations)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("damping", "contradicting"),
    [(r"\frac12 c\dot\theta^2", set()), (r"-\frac12 c\dot\theta^2", {"(1)", "(5)"})],
)
def test_a_coefficient_may_be_of_a_force_and_elsewhere_of_a_moment(
    damping: str, contradicting: set[str], tmp_path: Path
) -> None:
    """In another section alone, and where constants alone make the difference."""
    page = (
        "# By forces\n\n$$ ml\\ddot\\theta = -mg\\sin\\theta - c\\dot\\theta \\tag{1} $$\n\n"
        "# By energies\n\n$$ T = \\frac12 ml^2\\dot\\theta^2 \\tag{2} $$\n"
        "$$ U = mgl(1-\\cos\\theta) \\tag{3} $$\n$$ L = T - U \\tag{4} $$\n"
        "$$ \\frac{d}{dt}\\frac{\\partial L}{\\partial\\dot\\theta} - "
        "\\frac{\\partial L}{\\partial\\theta} + \\frac{\\partial D}{\\partial\\dot\\theta} = 0 "
        f"\\tag{{5}} $$\n$$ D = {damping} \\tag{{6}} $$\n"
    )
    assert standing(checked(tmp_path, page), "contradicts") == contradicting


def test_what_is_worked_out_anew_may_be_worth_something_else_elsewhere(tmp_path: Path) -> None:
    page = r"""# An example

$$ c_0 = 2\sqrt{km}, \qquad \zeta = \frac{c}{c_0} $$

With $m = 1000$ kg, $k = 40000$ N/m and $c = 16000$ N s/m.

# A design

$$ c = \zeta c_0 = 0.7797(12649.1) = 9862.6 $$
"""
    assert not standing(checked(tmp_path, page), "contradicts")
    wrong = page.replace("c = \\zeta c_0 = 0.7797(12649.1) = 9862.6", "\\zeta c_0 = 15000")
    assert standing(checked(tmp_path, wrong), "contradicts")


def test_a_number_that_is_worked_out_may_be_chosen_anew(tmp_path: Path) -> None:
    page = r"""# By the rule

$$ T = 0.116 $$

$$ K_p = 0.6 \cdot K = 0.6 \cdot 6.668 = 4.00 $$

$$ K_i = K_p/(0.5 T) = \frac{4.00}{0.5 \cdot 0.116} = 69 $$

# By trial

$$ K_p = 3.67 $$

$$ K_i = 10.1 $$
"""
    assert not standing(checked(tmp_path, page), "contradicts")
    wrong = page.replace(r"0.6 \cdot K = 0.6 \cdot 6.668 = ", "")
    assert not standing(checked(tmp_path, wrong.replace("3.67", "4.00")), "contradicts")
    wrong = wrong.replace("$$ K_p = 3.67 $$", "").replace("= 69", "").replace("4.00}{", "6.0}{")
    assert standing(checked(tmp_path, wrong), "contradicts")


@pytest.mark.exhaustive
def test_what_has_no_inertia_is_another_case_of_what_has(tmp_path: Path) -> None:
    page = r"""
$$ b\dot\theta + m g l\sin\theta = u $$

$$ m l^2\ddot\theta + b\dot\theta + m g l\sin\theta = u $$
"""
    assert not standing(checked(tmp_path, page), "contradicts")
    wrong = page.replace(r"l^2\ddot\theta + b\dot\theta", r"l^2\ddot\theta - b\dot\theta")
    assert standing(checked(tmp_path, wrong), "contradicts")


ROLLING = r"""
$$ L = \frac{M}{2}(\dot y^2 + \frac12 R^2\dot\theta^2) - M g(l - y)\sin\alpha $$
$$ M g\sin\alpha - M\ddot y - \lambda = 0, \quad -\frac12 M R^2\ddot\theta + \lambda R = 0 $$
"""
TIED = r"$$ f(y, \theta) = y - R\theta = 0 $$" + ROLLING + r"$$ \ddot y = \frac23 g\sin\alpha $$"
KNOWN = (
    ROLLING
    + r"""
$$ \lambda = \frac13 M g\sin\alpha $$
$$ \ddot y = \frac23 g\sin\alpha $$
"""
)
RATED = r"$$ f(y, \theta) = y - R\theta = 0 $$" + ROLLING + r"$$ \ddot y - R\ddot\theta = 0 $$"
ROPE = r"""
$$ y_1 + y_2 + \pi R = \ell $$
$$ L = g(m_1 y_1 - m_2(\pi R - \ell + y_1)) + \frac{(m_1 + m_2)\dot y_1^2}{2} $$
$$ (m_1 + m_2)\ddot y_1 - g m_1 + g m_2 = 0 $$
$$ \ddot y_2 = -\ddot y_1 $$
"""
ATAN = r"""
$$ y = \sin\Delta\lambda\cos\phi_2 $$
$$ y = r\sin\theta\sin\phi $$
$$ x^2 + y^2 + z^2 = R^2, $$ where the radius of the Earth is $R = 6371 \rm\ km$.
"""


@pytest.mark.parametrize(
    "text",
    [TIED, KNOWN, RATED, ROPE, ATAN],
    ids=["constraint", "reaction", "rate of a constraint", "rope", "units of several"],
)
def test_what_holds_a_system_is_no_contradiction(tmp_path: Path, text: str) -> None:
    assert not standing(checked(tmp_path, text), "contradicts")


def test_tied_accelerations_follow_from_what_ties_places(tmp_path: Path) -> None:
    told = {one.label: one for one in checked(tmp_path, RATED).equations}
    assert told["(#4)"].status == "consistent"
    assert told["(#4)"].against == ("(#1.2)",)


CONDITIONS = r"""
$$
\begin{cases}
y_C\ddot\psi + x_C\dot\psi^2 = 0 \\
x_C\ddot\psi - y_C\dot\psi^2 = 0
\end{cases}
$$
"""
STOPPED = r"""
$$ F_\theta = m a_\theta $$
$$ F_\theta = m r\ddot\theta + 2 m\dot r\dot\theta $$
Since $r$ is constant, $\dot r = 0$. Therefore
$$ F_\theta = m r\ddot\theta $$
"""
LINES = r"""
With $\theta_1 = I_1/I_3$ and $\theta_2 = I_2/I_3$ the region lies between the lines
$\theta_1 + 1 = \theta_2$ and $1 + \theta_2 = \theta_1$, and $\theta_1 + \theta_2 = 1$.

$$ I_1 = 2, \quad I_2 = 4, \quad I_3 = 2 $$
"""


@pytest.mark.parametrize("text", [CONDITIONS, STOPPED, LINES])
def test_conditions_and_cases_are_no_contradictions(tmp_path: Path, text: str) -> None:
    assert not standing(checked(tmp_path, text), "contradicts")


RESTING = r"""
$$ L = \frac12 I\omega^2 + M g l\cos\theta, \quad \dot\theta = \omega $$
$$ \left\{ \frac{d}{dt}\omega : 0, \ \theta : 0 \right\} $$
$$ \frac{d\omega}{dt} = 0 $$
"""
MARGIN = "With $r_o$ the radius [m] and $r_v$ that of the vehicle [m] $$ d = r_v + r_o + 0.5 $$"


@pytest.mark.parametrize("text", [RESTING, MARGIN])
def test_values_of_rates_and_numbers_without_units_are_no_contradictions(
    tmp_path: Path, text: str
) -> None:
    assert not standing(checked(tmp_path, text), "contradicts")


PARTIAL = r"""
$$ \frac{\partial \theta}{\partial t} = \omega $$
$$ \frac{\partial \omega}{\partial t} = -\frac{g}{l}\sin\theta $$
$$ \ddot\theta = -\frac{g}{l}\sin\theta $$
"""
FIELD = r"$$ \frac{\partial u}{\partial t} = c\frac{\partial u}{\partial x}, \quad \dot u = 0 $$"


def test_a_partial_derivative_by_time_of_what_has_no_other_is_a_rate(tmp_path: Path) -> None:
    told = {one.label: one.status for one in checked(tmp_path, PARTIAL).equations}
    assert told["(#3)"] == "consistent"
    assert not standing(checked(tmp_path, FIELD), "contradicts")


CONTINUED = r"""
$$ L = T - V = $$
$$ = \frac12 m l^2\dot\phi^2 + m g l\cos\phi, $$
$$ m l^2\ddot\phi = -m g l\sin\phi $$
"""


def test_an_equation_may_go_on_in_the_next_display(tmp_path: Path) -> None:
    told = {one.label: one.status for one in checked(tmp_path, CONTINUED).equations}
    assert set(told) == {"(#1)", "(#2)", "(#3)"}
    assert told["(#3)"] == "consistent"


@pytest.mark.parametrize(
    "text",
    [
        r"""
The law of sines: $$ \frac{a}{\sin\alpha} = \frac{b}{\sin\beta} $$

A wheel has the angular acceleration $\alpha$ in rad/s$^2$: $$ \alpha = 2\,\mathrm{rad/s^2} $$
""",
        r"""
The flow is $$ \dot v = 0.3\,\mathrm{m^3/s} $$ $$ \rho = 1000\,\mathrm{kg/m^3} $$

The specific volume is $$ v = \frac{1}{\rho} $$
""",
        r"""
# A pendulum

Here $d$ is the damping coefficient, and $g$ the acceleration of gravity.

$$ \ddot\theta = -g\sin\theta - d\dot\theta $$

# A load

| Parameter | Symbol | Units |
|---|---|---|
| Gravity | $g$ | m/s² |
| Damping | $d$ | kg/s |
| Mass | $m$ | kg |

$$ m\ddot x = -d\dot x + m g $$
""",
        r"""
$$ \begin{aligned} & f = x^2 + y^2 + y'^2 \\ & \frac{d}{dx}(\frac{\partial}{\partial y'}f)
 - \frac{\partial}{\partial y}f \\ &= \frac{d}{dx} (2y') - 2y \\ &= 2y'' - 2y = 0 \\
& y'' - y = 0 \\ \end{aligned} $$
""",
    ],
)
def test_letters_of_other_things_and_slopes_by_place_are_no_contradiction(
    tmp_path: Path, text: str
) -> None:
    assert not standing(checked(tmp_path, text), "contradicts")


@pytest.mark.exhaustive
def test_a_lost_factor_is_found_where_most_is_held_by_another_equation(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 m(\dot r^2 + r^2\dot\theta^2) \tag{1} $$
$$ V = m g\cos\theta + \frac12 k(r - r_0)^2 \tag{2} $$
$$ L = T - V \tag{3} $$
$$ L = \frac12 m(\dot r^2 + r^2\dot\theta^2) - (m g r\cos\theta + \frac12 k(r_0 - r)^2) \tag{4} $$
$$ m\ddot r - m r\dot\theta^2 + k(r - r_0) + m g\cos\theta = 0 \tag{5} $$
$$ \ddot\theta = \frac{g\sin\theta - 2\dot r\theta}{r} \tag{6} $$
"""
    report = checked(tmp_path, text)
    told = {one.label: one for one in report.equations}
    assert standing(report, "contradicts") == {"(4)", "(6)"}
    assert (told["(4)"].wrong, told["(6)"].wrong) == ("(2)", "(6)")
    assert [one.latex for one in told["(4)"].repairs] == [
        r"V = r m g\cos\theta + \frac12 k(r - r_0)^2"
    ]
    assert told["(3)"].status == "consistent"
    assert "proposed for (2)" in told["(3)"].reason


def test_a_column_of_equations_is_held_against_a_lagrangian(tmp_path: Path) -> None:
    text = r"""
$$ L = \frac12 m\dot x^2 + \frac12 M\dot y^2 - \frac12 k x^2 \tag{1} $$
$$ \begin{bmatrix} m\ddot x + k x \\ M\ddot y \end{bmatrix} = 0 \tag{2} $$
$$ \begin{bmatrix} m\ddot x + k x \\ M\ddot y \end{bmatrix}
 = \begin{bmatrix} 0 \\ 0 \end{bmatrix} \tag{3} $$
$$ \begin{bmatrix} m\ddot x - k x \\ M\ddot y \end{bmatrix} = 0 \tag{4} $$
"""
    report = checked(tmp_path, text)
    assert standing(report, "consistent") == {"(2)", "(3)"}
    assert standing(report, "contradicts") == {"(4)"}


def test_an_equation_is_held_against_the_nearest_of_several_lagrangians(tmp_path: Path) -> None:
    text = r"""
$$ L = \frac12 m\dot x^2 + \frac12 m\dot y^2 - \frac12 k x^2 \tag{1} $$
$$ L_z = m (x\dot y - y\dot x) \tag{2} $$
$$ m\ddot x + k x = 0 \tag{3} $$
$$ L_2 = \frac12 m\dot x^2 - k x^4 \tag{4} $$
$$ m\ddot x + 4 k x^3 = 0 \tag{5} $$
$$ m\ddot x + 3 k x^3 = 0 \tag{6} $$
"""
    report = checked(tmp_path, text)
    told = {one.label: (one.status, one.against) for one in report.equations}
    assert told["(3)"] == ("consistent", ("(1)",))
    assert told["(5)"] == ("consistent", ("(4)",))
    assert told["(6)"] == ("contradicts", ("(4)",))


def test_derivatives_of_functions_of_time_are_multiplied(tmp_path: Path) -> None:
    text = r"""
$$ L = \frac12 m (\dot r^2 + r^2\dot\theta^2) \tag{1} $$
$$ m \left(r{\left(t \right)} \frac{d^{2}}{d t^{2}} \theta{\left(t \right)}
 + 2 \frac{d}{d t} r{\left(t \right)} \frac{d}{d t} \theta{\left(t \right)}\right)
 r{\left(t \right)} = 0 \tag{2} $$
"""
    assert "(2)" in standing(checked(tmp_path, text), "consistent")


CHAINED = r"""
$$ L = T - V = \frac12 (M+m)\dot x^2 + m l\dot x\dot\theta\cos\theta
   + \frac12 m l^2\dot\theta^2 + m g l\cos\theta \tag{1} $$
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = 0 \tag{2} $$
$$ l\ddot\theta + \ddot x\cos\theta + g\sin\theta = 0 \tag{3} $$
"""


@pytest.mark.exhaustive("a function")
@pytest.mark.parametrize(
    ("printed", "wrong", "repair"),
    [
        ("+ m g l", "+ m_2 g l", "+ m g l"),
        (r"m l\dot x\dot\theta\cos", r"m l\dot x\dot\theta\sin", r"m l\dot x\dot\theta\cos"),
    ],
    ids=["a letter that stands nowhere else", "a function"],
)
def test_a_misprint_at_the_end_of_a_chain_is_found(
    tmp_path: Path, printed: str, wrong: str, repair: str
) -> None:
    assert standing(checked(tmp_path, CHAINED), "contradicts") == set()
    report = checked(tmp_path, CHAINED.replace(printed, wrong))
    found = [one for one in report.equations if one.status == "contradicts"]
    assert {one.wrong for one in found} == {"(1.2)"}
    assert any(repair in one.latex for one in found[0].repairs)


def test_distances_are_differentiated_from_either_end(tmp_path: Path) -> None:
    text = r"""
$$ L = \frac12 m_1 |\dot{\mathbf r}_1|^2 + \frac12 m_2 |\dot{\mathbf r}_2|^2
   + \frac{G m_1 m_2}{|\mathbf r_2 - \mathbf r_1|} \tag{1} $$
$$ \ddot{\mathbf r}_1
 = -\frac{G m_2}{|\mathbf r_1 - \mathbf r_2|^3}(\mathbf r_1 - \mathbf r_2) \tag{2} $$
$$ \ddot{\mathbf r}_2
 = +\frac{G m_1}{|\mathbf r_2 - \mathbf r_1|^3}(\mathbf r_2 - \mathbf r_1) \tag{3} $$
"""
    report = checked(tmp_path, text)
    assert "(2)" in standing(report, "consistent")
    (wrong,) = (one for one in report.equations if one.status == "contradicts")
    assert wrong.label == wrong.wrong == "(3)"


def test_a_letter_of_several_things_is_what_is_said_of_it_near_an_equation(tmp_path: Path) -> None:
    text = r"""
$$ x(t) = A\cos(\omega t + \phi) = A\cos(\omega t) \tag{1} $$
$$ \dot x(t) = -A\omega\sin(\omega t) \tag{2} $$

# A damped one

$$ x(t) = A e^{-\gamma t}\cos(\omega t + \phi) \tag{3} $$
$$ x(t) = B e^{-\gamma t} + A t e^{-\gamma t} \tag{4} $$
$$ \dot x(t) = -A\gamma
 e^{-\gamma t}\cos(\omega t + \phi) - A\omega e^{-\gamma t}\sin(\omega t + \phi) \tag{5} $$
"""
    found = {one.label: one for one in checked(tmp_path, text).equations}
    assert (found["(2)"].status, found["(2)"].against) == ("consistent", ("(1.2)",))
    assert (found["(5)"].status, found["(5)"].against) == ("consistent", ("(3)",))


BY_ENTRIES = r"""
$$ M(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau \tag{1} $$
$$ M_{11} = a + 2 b\cos q_2 \tag{2} $$
$$ M_{12} = c + b\cos q_2 \tag{3} $$
$$ M_{21} = c + b\cos q_2 \tag{4} $$
$$ M_{22} = c \tag{5} $$
$$ C_{11} = -h\dot q_2, \quad C_{12} = -h(\dot q_1 + \dot q_2) \tag{6} $$
$$ C_{21} = h\dot q_1, \quad C_{22} = 0, \quad h = b\sin q_2 \tag{7} $$
"""


@pytest.mark.exhaustive("Coriolis")
@pytest.mark.parametrize(
    ("printed", "wrong", "accused"),
    [
        ("", "", set()),
        (r"-h(\dot q_1 + \dot q_2)", r"-h(\dot q_1 - \dot q_2)", {"(6.2)"}),
        (r"M_{21} = c + b\cos", r"M_{21} = c + b\sin", {"(3)", "(4)"}),
    ],
    ids=["right", "Coriolis", "mass matrix"],
)
def test_matrices_that_are_printed_by_their_entries_are_whole(
    tmp_path: Path, printed: str, wrong: str, accused: set[str]
) -> None:
    text = BY_ENTRIES.replace(printed, wrong) if printed else BY_ENTRIES
    report = checked(tmp_path, text)
    assert standing(report, "contradicts") == accused
    if not printed:
        assert standing(report, "consistent") == {"(3)", "(4)", "(6.1)", "(6.2)", "(7.1)"}


BY_COLUMNS = r"""
$$ \Theta = \begin{bmatrix} \theta \\ d \end{bmatrix} \tag{1} $$
$$ \tau = M(\Theta)\ddot\Theta + V(\Theta,\dot\Theta) + G(\Theta) \tag{2} $$
$$ M(\Theta) = \begin{bmatrix} I + m d^2 & 0 \\ 0 & m \end{bmatrix} \tag{3} $$
$$ V(\Theta,\dot\Theta)
   = \begin{bmatrix} 2 m d\dot\theta\dot d \\ -m d\dot\theta^2 \end{bmatrix} \tag{4} $$
$$ U = m g d\sin\theta \tag{5} $$
$$ G(\Theta) = \begin{bmatrix} m g d\cos\theta \\ m g\sin\theta \end{bmatrix} \tag{6} $$
"""


@pytest.mark.parametrize(
    ("printed", "wrong", "accused"),
    [
        ("", "", set()),
        (r"-m d\dot\theta^2", r"m d\dot\theta^2", {"(4)"}),
        (r"\\ m g\sin\theta", r"\\ -m g\sin\theta", {"(6)"}),
    ],
    ids=["right", "speeds", "gravity"],
)
def test_columns_of_speeds_and_of_gravity_are_those_of_the_mass_matrix_and_the_energy(
    tmp_path: Path, printed: str, wrong: str, accused: set[str]
) -> None:
    text = BY_COLUMNS.replace(printed, wrong) if printed else BY_COLUMNS
    report = checked(tmp_path, text)
    assert standing(report, "contradicts") == accused
    assert {"(4)", "(6)"} - accused <= standing(report, "consistent")


def test_a_rate_that_has_lost_its_dot_is_no_other_place(tmp_path: Path) -> None:
    text = r"""
$$ x = l\sin\theta \tag{1} $$
$$ y = l\cos\theta \tag{2} $$
$$ \dot x = l\dot\theta\cos\theta \tag{3} $$
$$ y = -l\dot\theta\sin\theta \tag{4} $$
"""
    (found,) = (one for one in checked(tmp_path, text).equations if one.status == "contradicts")
    assert found.label == found.wrong == "(4)"
    assert r"\dot{y} = -l\dot\theta\sin\theta" in [one.latex for one in found.repairs]


@pytest.mark.exhaustive
def test_what_words_of_a_case_define_is_defined(tmp_path: Path) -> None:
    text = r"""
If we look at it so, and defining $\gamma = \sqrt{g/(\nu^2 R)}$, the moment
$$ \chi = \xi $$
So the equation of motion becomes:

$$ \ddot\theta = \nu^2\sin\theta\cos\theta - \frac{g}{R}\sin\theta \tag{1} $$
$$ \ddot\theta = \nu^2\sin\theta(\cos\theta - \gamma^2\sin\theta) \tag{2} $$
"""
    (found,) = (one for one in checked(tmp_path, text).equations if one.status == "contradicts")
    assert found.wrong == "(2)"
    assert found.repairs[0].latex.endswith(r"(\cos\theta - \gamma^2)")


def test_a_lagrangian_may_have_the_letter_of_a_length(tmp_path: Path) -> None:
    text = r"""
$$ L = \frac12 m L^2\dot\theta^2 + m g L\cos\theta \tag{1} $$
$$ \frac{\partial L}{\partial\theta} = -m g L\sin\theta \tag{2} $$
$$ m L^2\ddot\theta + m g L\sin\theta = 0 \tag{3} $$
$$ \ddot\theta = \frac{g}{L}\sin\theta \tag{4} $$
$$ L = 2 l \tag{5} $$
"""
    report = checked(tmp_path, text)
    assert standing(report, "consistent") == {"(2)", "(3)"}
    assert {one.wrong for one in report.equations if one.status == "contradicts"} == {"(4)"}


def test_a_state_may_have_the_letter_of_a_coordinate(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 m_c\dot x^2 + \frac12 m v^2 \tag{1} $$
$$ v^2 = \dot x^2 + 2 l\dot x\dot\theta\cos\theta + l^2\dot\theta^2 \tag{2} $$
$$ V = m_p g l\cos\theta \tag{3} $$
$$ L = T - V \tag{4} $$
$$ (m_c + m_p)\ddot x + m_p l\ddot\theta\cos\theta - m_p l\dot\theta^2\sin\theta = u \tag{5} $$
$$ x = \begin{bmatrix} x_1 \\ x_2 \\ x_3 \\ x_4 \end{bmatrix}
     = \begin{bmatrix} x \\ \dot x \\ \theta \\ \dot\theta \end{bmatrix} \tag{6} $$
$$ A = \begin{bmatrix} 0 & 1 & 0 & 0 \\ 0 & 0 & a & 0 \\ 0 & 0 & 0 & 1 \\ 0 & 0 & b & 0
   \end{bmatrix} \tag{7} $$
$$ \dot x = A x \tag{8} $$
"""
    report = checked(tmp_path, text.replace(r"\frac12 m v^2", r"\frac12 m_p v^2"))
    assert "(5)" in standing(report, "consistent")
    assert not standing(report, "contradicts")
    accused = [one for one in checked(tmp_path, text).equations if one.status == "contradicts"]
    assert {one.wrong for one in accused} <= {"(1)", "(3)"}
    assert any("m_p v^2" in repair.latex for one in accused for repair in one.repairs)


SQUARES = (
    r"x_1 = l_1\sin\theta_1, \quad y_1 = -l_1\cos\theta_1",
    r"\dot x_1 = l_1\dot\theta_1\cos\theta_1, \quad \dot y_1 = l_1\dot\theta_1\sin\theta_1",
    r"T = \frac12 m_1(\dot x_1^2 + \dot y_1^2) + \frac12 m_2 v^2",
    r"T = \frac12 m_1 l_1^2\dot\theta_1^2 + \frac12 m_2 v^2",
    r"V = m_2 g z + m_2 l_2^2",
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("printed", "misprinted"),
    [(r"l_1^2\dot", r"l_2^2\dot"), (r"m_1 l_1^2", r"m_1^2 l_1^2"), (r"\theta_1^2", r"\theta_1")],
)
def test_misprints_in_what_is_squared_are_mended(
    tmp_path: Path, printed: str, misprinted: str
) -> None:
    right = SQUARES[3]
    formulas = [one.replace(printed, misprinted) if one is right else one for one in SQUARES]
    report = checked(tmp_path, "\n\n".join(f"$$ {one} $$" for one in formulas))
    (told,) = [one for one in report.equations if one.status == "contradicts"]
    assert "".join(right.split()) in {"".join(one.latex.split()) for one in told.repairs}


def test_letters_of_a_frame_are_no_numbers(tmp_path: Path) -> None:
    text = r"""
$$ {}^A\omega = {}^A R_B {}^B\omega + {}^A\omega_B \tag{1} $$
$$ {}^A\dot\omega = {}^A\dot\omega_B + {}^A R_B {}^B\dot\omega
   + {}^A\omega_B \times ({}^A R_B {}^B\omega) \tag{2} $$
"""
    assert not any(one.status == "contradicts" for one in checked(tmp_path, text).equations)


@pytest.mark.exhaustive
def test_a_term_that_one_of_two_expressions_for_the_same_lacks_is_told(tmp_path: Path) -> None:
    square = r"\frac{p_\theta^2}{2 I} + \frac{(p_\phi - p_\psi\cos\theta)^2}{2 I\sin^2\theta}"
    expanded = r"""\frac{p_\theta^2}{2 I} + \frac{p_\phi^2}{2 I\sin^2\theta}
   - \frac{p_\phi p_\psi\cos\theta}{I\sin^2\theta}"""
    text = rf"$$ \dot\theta = \frac{{p_\theta}}{{I}} $$ $$ H = {square} $$ $$ H = {expanded} $$"
    found = [one for one in checked(tmp_path, text).equations if one.status == "contradicts"]
    assert len(found) == 2
    assert {one.wrong for one in found} == {""}
    assert all("is misprinted: nothing on the page says which" in one.reason for one in found)


def test_rounded_numbers_follow_to_their_digits(tmp_path: Path) -> None:
    text = r"""
$$ L = 0.333333333333333 m l^2\dot\theta^2 - 9.81 m l\cos\theta \tag{1} $$
$$ 0.666666666666667 m l^2\ddot\theta - 9.81 m l\sin\theta = 0 \tag{2} $$
$$ T = \frac12 m v^2 + \frac12 I\dot\theta^2 \tag{3} $$ $$ I = \frac13 m l^2 \tag{4} $$
$$ v = \frac l2\dot\theta \tag{5} $$
$$ T = 0.2917 l^2 m\dot\theta^2 \tag{6} $$ $$ T = 0.2967 l^2 m\dot\theta^2 \tag{7} $$
"""
    found = {one.label: one for one in checked(tmp_path, text).equations}
    assert {found[f"({n})"].status for n in (2, 3, 6)} == {"consistent"}
    assert found["(6)"].reason == "to the digits that are printed"
    assert found["(7)"].wrong == "(7)"


def test_a_coordinate_may_have_another_name(tmp_path: Path) -> None:
    text = r"""The coordinates are $q_1 = x$ and $q_2 = \xi$:
$$ \begin{cases} a = b + c \\ d = b - c \end{cases} $$
$$ \Pi = -P (x\sin\alpha + \xi\cos\alpha) \tag{1} $$
$$ T = \frac12 m\dot x^2 + \frac12 M\dot\xi^2 + m\dot x\dot\xi \tag{2} $$
$$ \frac{\partial T}{\partial\dot q_1} = m\dot x + m\dot\xi \tag{3} $$
$$ \frac{\partial\Pi}{\partial q_1} = P\sin\alpha \tag{4} $$
"""
    found = {one.label: one for one in checked(tmp_path, text).equations}
    assert found["(3)"].status == "consistent"
    assert found["(4)"].status == "contradicts"
    repairs = {"".join(one.latex.split()) for one in found["(4)"].repairs}
    assert r"\frac{\partial\Pi}{\partialq_1}=-P\sin\alpha" in repairs


def test_a_length_may_have_the_letter_of_a_sum_of_energies(tmp_path: Path) -> None:
    text = r"""
$$ L = E_t + E_r - E_p \tag{1} $$ $$ E_t = \frac12 m (\dot x^2 + \dot y^2) \tag{2} $$
$$ x = L\sin\theta \tag{3} $$ $$ y = L\cos\theta \tag{4} $$
$$ E_r = \frac12 J\dot\theta^2 \tag{5} $$ $$ E_p = m g y \tag{6} $$
$$ (m L^2 + J)\ddot\theta - m g L\sin\theta = 0 \tag{7} $$
"""
    assert checked(tmp_path, text).equations[-1].status == "consistent"


def test_energies_with_dots_are_no_products_though_their_letters_are_there(tmp_path: Path) -> None:
    every = (
        r"K = 3",
        r"K.E._1 = \frac{1}{2} m\dot x^2",
        r"K.E._T = K.E._1 + \frac{1}{2} m\dot y^2",
        r"\text{K.E.}_T = \frac{1}{2} m\left(\dot x^2 + \dot y^2\right)",
    )
    found = verdicts(tmp_path, every)
    assert found["(#4)"].status == "consistent"


TURNED_HOOP = r"""
$$ L = \frac{1}{2} m R^2(\dot\theta^2 + \omega^2\sin^2\theta) + m g R\cos\theta $$

$$ \ddot\theta = -\gamma\dot\theta - \left(\frac{g}{R} - \omega^2\cos\theta\right)\sin\theta $$
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "behind", ["", "\n# Angles and actions\n\nHere $\\dot\\theta = \\omega(I)$.\n"]
)
def test_a_sine_that_a_bracket_has_lost_is_told(tmp_path: Path, behind: str) -> None:
    assert standing(checked(tmp_path, TURNED_HOOP + behind), "consistent") == {"(#2)"}
    report = checked(tmp_path, TURNED_HOOP.replace(r"\right)\sin\theta", r"\right)") + behind)
    (told,) = [one for one in report.equations if one.status == "contradicts"]
    assert told.label == "(#2)"
    assert any(r"- \sin\left(\theta\right)" in one.latex for one in told.repairs)


def test_a_letter_that_is_a_function_there_is_no_constant(tmp_path: Path) -> None:
    page = "Here $\\dot\\theta = \\omega(I)$.\n" + TURNED_HOOP.replace(
        r"\right)\sin\theta", r"\right)"
    )
    assert not standing(checked(tmp_path, page), "contradicts")


def test_what_gravity_is_measured_in_is_known(tmp_path: Path) -> None:
    page = TABLE.replace("UNIT", "N·s/m").replace(r"\mathrm{m/s^2}", r"\mathrm{m/s}")
    report = checked(tmp_path, page)
    assert not standing(report, "contradicts")
    assert any("g is said to be in m/s, which fits none" in one for one in report.remarks)


def test_nothing_is_told_of_what_follows_from_a_doubtful_unit(tmp_path: Path) -> None:
    page = """
$$ \\ddot\\theta = -\\frac{g}{l}\\theta $$

$$ \\omega = \\sqrt{\\frac{g}{l}} $$

$$ T = \\frac{2\\pi}{\\omega} = 2\\pi\\sqrt{\\frac{l}{g}} $$

$$ \\ddot\\theta = -\\omega^2\\theta $$

$$ \\theta(t) = \\theta_0\\cos(\\omega t + \\phi) $$

With $l = 2\\,\\mathrm{m}$ and $g = 9.8\\,\\mathrm{m/s}$.
"""
    report = checked(tmp_path, page)
    assert not standing(report, "contradicts")
    (remark,) = [one for one in report.remarks if "is said to be in" in one]
    assert remark.startswith("line 12: g is said to be in m/s, which fits none of the equations")


MASSES = r"\begin{bmatrix} m_1 & 0 \\ 0 & m_2 \end{bmatrix}"
SPRINGS = r"\begin{bmatrix} k_1 + k_2 & -k_2 \\ -k_2 & k_2 \end{bmatrix}"
OF_A_COLUMN = rf"""
$$ {MASSES}\ddot x + {SPRINGS} x = \begin{{bmatrix}} 1 \\ 0 \end{{bmatrix}} u $$

$$ M = {MASSES},\quad K = {SPRINGS},\quad B = \begin{{bmatrix}} 1 \\ 0 \end{{bmatrix}} $$

$$ \ddot x = -M^{{-1}} K x + M^{{-1}} B u $$
"""


def test_a_letter_by_which_a_matrix_is_multiplied_is_a_column(tmp_path: Path) -> None:
    assert standing(checked(tmp_path, OF_A_COLUMN), "consistent") == {"(#1)", "(#3)"}
    report = checked(tmp_path, OF_A_COLUMN.replace("-M^{-1} K", "M^{-1} K"))
    assert standing(report, "contradicts") == {"(#1)", "(#3)"}
    assert "one of (#1), (#2.2), (#3) is misprinted" in report.equations[-1].reason


@pytest.mark.exhaustive
def test_what_gives_a_product_another_letter_is_not_misprinted(tmp_path: Path) -> None:
    page = r"""
$$ T = \frac{m g y}{l} - \frac{m v^2}{l} $$

$$ \theta = \frac{\sqrt{x^2 + y^2}}{l} $$

$$ a_y = \frac{g y}{l} - \frac{g y\theta^2}{2 l} - \frac{v^2}{l} + \frac{v^2\theta^2}{2 l} - g $$

$$ m a_y = m\ddot y = T\cos\theta - m g $$

$$ \sin\theta = \frac{x}{l} $$
"""
    assert not standing(checked(tmp_path, page), "contradicts")


TURNING = r"""
- $v = \dot r\,e_r + r\dot\theta\,e_\theta$
- $a = \dot v$
- $a = (\ddot r - r\dot\theta^2)\,e_r + (2\dot r\dot\theta + r\ddot\theta)\,e_\theta$
"""
TURNING_BELOW_ARROWS = TURNING.replace("e_r", r"\overrightarrow{e_r}").replace(
    r"e_\theta", r"\overrightarrow{e_\theta}"
)
OTHER_TURNING = TURNING.replace(r"\ddot\theta)\,e", r"\ddot\theta)\,n")
OF_A_SENTENCE = r"""
$$ I\ddot q + F\dot q + m g d\sin q = \tau \tag{3} $$

With the constant $G = m g d$ this can be written as:
$$ \tau = I\ddot q + F\dot q + G\sin q $$
The reference model replaces the estimated one.

where $G = m g d\sin q$ is the term of gravity.
"""
UNIT_VECTORS = r"""
$$ \vec r = \ell\sin\beta\,\vec e_x - \ell\cos\beta\,\vec e_y \tag{1} $$

$$ \vec v = \ell\dot\beta(\cos\beta\,\vec e_x + \sin\beta\,\vec e_y) \tag{2} $$

$$ v^2 = \vec v \cdot \vec v = \ell^2\dot\beta^2\cos^2\beta\,\vec e_x\cdot\vec e_x
 + \ell^2\dot\beta^2\sin^2\beta\,\vec e_y\cdot\vec e_y = \ell^2\dot\beta^2 \tag{3} $$
"""
HAND = r"""
手臂长度 $l_1 = l_2 = 1$。

$$ x = l_1\cos\theta_1 + l_2\cos(\theta_1 + \theta_2) \tag{1} $$

代入

$$ x = \cos\theta_1 + \cos(\theta_1 + \theta_2) \tag{3} $$

这里 $\theta_1 = \pi$ 或 $\theta_1 = -\pi$。
"""
HAMILTONIAN = r"""
$$ T = \tfrac12 a\dot\theta_1^2 + \tfrac12 b\dot\theta_2^2
  + c\cos(\theta_1 - \theta_2)\dot\theta_1\dot\theta_2 \tag{1} $$

$$ V = -k\cos\theta_1 \tag{2} $$

The Lagrangian is $L = T - V$, with $q = \begin{pmatrix}\theta_1\\\theta_2\end{pmatrix}$.

$$ p = \frac{\partial L}{\partial\dot q} \tag{4} $$

$$ p_1 = a\dot\theta_1 + c\cos(\theta_1 - \theta_2)\dot\theta_2 \tag{5} $$

$$ p_2 = b\dot\theta_2 + c\cos(\theta_1 - \theta_2)\dot\theta_1 \tag{6} $$

$$ H(q, p) = p^{\top}\dot q - L(q, \dot q) \tag{7} $$

$$ \dot p = -\frac{\partial H}{\partial q} \tag{3} $$
"""
CROSSED = r"""
$$ \vec v = \begin{pmatrix} 3 \\ 8t \end{pmatrix} \tag{1} $$

$$ \vec a = \begin{pmatrix} 0 \\ 8 \end{pmatrix} \tag{2} $$

$$ \frac{\vec a\times\vec v}{|\vec v|} = \frac{24}{\sqrt{9 + 64t^2}} \tag{3} $$
"""
MASS_AND_MOMENT = r"""
其中 $m$ 是力矩。

$$ \dot q = \frac{m}{J_y} \tag{3} $$

| 参数 | 值 | 说明 |
|---|---|---|
| $m$ | 1.56 kg | 质量 |
| $J_y$ | 0.06 kg·m² | 惯量 |
| $q$ | 1 rad/s | 角速度 |
"""


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (r"$$ \frac{0.6}{35}\,\SI{54}{km/s} = \SI{0.9}{km/s} \tag{3} $$", "consistent"),
        (r"$$ \frac{0.6}{35}\,\SI{54}{km/s} = \SI{0.7}{km/s} \tag{3} $$", "contradicts"),
        (r"$$ -180^\circ - 180^\circ - 180^\circ = 180^\circ \tag{3} $$", "unsupported"),
        (r"$$ -180^\circ - 90^\circ = 180^\circ \tag{3} $$", "contradicts"),
        (HAND, "consistent"),
        (CROSSED, "unsupported"),
        (OF_A_SENTENCE, "consistent"),
        (MASS_AND_MOMENT, "unsupported"),
    ],
    ids=["kilometres", "others", "whole turns", "half a turn", "values", "a cross",
         "a sentence that ends with a display", "a mass and a moment"],
)  # fmt: skip
def test_what_only_looks_like_a_contradiction_is_none(
    tmp_path: Path, text: str, status: str
) -> None:
    assert "(3)" in standing(checked(tmp_path, text), status)


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        (UNIT_VECTORS, "(3.2)", "unit vectors"),
        (TURNING, "(line 4)", "another meaning"),
        (TURNING_BELOW_ARROWS, "(line 4)", "another meaning"),
        (OTHER_TURNING, "(line 4)", "another meaning"),
        (HAMILTONIAN, "(3)", "has rates in it"),
    ],
)
def test_what_needs_more_than_is_printed_is_held_against_nothing(
    tmp_path: Path, text: str, label: str, reason: str
) -> None:
    told = {one.label: one for one in checked(tmp_path, text).equations}
    assert told[label].status == "unsupported"
    assert reason in told[label].reason


@pytest.mark.exhaustive
def test_a_mass_that_one_of_several_lost_is_told_with_it(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        r"""
$$ m g - F_m = m \frac{d^2x}{dt^2} \tag{1} $$
$$ F_m = \frac{C i^2}{x^2} \tag{2} $$
$$ m g - \frac{C i^2}{x^2} = m \frac{d^2 x}{dt^2} \tag{3} $$
$$ \frac{d^2 x}{dt^2} = m g - \frac{C i^2}{x^2} \tag{4} $$
""",
    )
    (wrong,) = (one for one in report.equations if one.status == "contradicts")
    assert wrong.wrong == wrong.label == "(4)"
    (repair,) = wrong.repairs
    assert repair.latex.startswith("m ")


@pytest.mark.exhaustive
def test_a_system_in_a_cell_behind_an_equation_is_read(tmp_path: Path) -> None:
    """As in a display of two columns: a matrix, and what its entries are beside it."""
    report = checked(
        tmp_path,
        r"""
Let us choose $\theta = (\theta_1, \theta_2)^T$ as the generalized coordinates.

$$ T = \frac12 m l^2\dot\theta_1^2 + m l a\dot\theta_1\dot\theta_2\cos\theta_2
  + \frac12(J + m a^2)\dot\theta_2^2, \quad V = m g l\cos\theta_1 $$

$$ M\ddot\theta + C\dot\theta + G = 0 \tag{2} $$

\begin{align*}
&M = \begin{bmatrix} M_{11} & M_{12} \\ M_{12} & M_{22} \end{bmatrix},
\quad &\left\{ \begin{array}{ccc} M_{11} & = & m l^2 \\ M_{12} & = & m l a\cos\theta_2 \\
M_{22} & = & J + m a^2 \end{array}\right., \tag{3} \\
&C = \begin{bmatrix} 0 & - m l a\sin\theta_2\dot\theta_2 \\ 0 & 0 \end{bmatrix},
\quad &\left\{ \begin{array}{c}
G = \begin{bmatrix} - m g l\cos\theta_1 \\ 0 \end{bmatrix} \end{array}\right.
\end{align*}
""",
    )
    assert "(2)" in standing(report, "contradicts")
    assert len(report.equations) == 10


OF_NUMBERED = r"""
$$ \tau_1 = (a + 2 b\cos\theta_2)\ddot\theta_1 + (c + b\cos\theta_2)\ddot\theta_2
  - b\sin\theta_2 (2\dot\theta_1\dot\theta_2 + \dot\theta_2^2) \tag{1} $$

$$ \tau_2 = (c + b\cos\theta_2)\ddot\theta_1 + c\ddot\theta_2 $$ <br>

$$ + b\sin\theta_2\,\dot\theta_1^2 \tag{2} $$

$$ \tau = M(\theta)\ddot\theta + V(\theta, \dot\theta) \tag{3} $$

$$ M(\theta)\ddot\theta = \begin{bmatrix} a + 2 b\cos\theta_2 & c + b\cos\theta_2 \\
  c + b\cos\theta_2 & c \end{bmatrix}
  \begin{bmatrix} \ddot\theta_1 \\ \ddot\theta_2 \end{bmatrix} \tag{4} $$

$$ V(\theta, \dot\theta) = \begin{bmatrix} -b\sin\theta_2 (2\dot\theta_1\dot\theta_2
  + \dot\theta_2^2) \\ b\sin\theta_2\,\dot\theta_1^2 \end{bmatrix} \tag{5} $$
"""


def test_a_letter_without_a_number_is_the_column_of_those_with_one(tmp_path: Path) -> None:
    """So is a matrix known that is set out before that column."""
    assert standing(checked(tmp_path, OF_NUMBERED), "consistent") == {"(3)", "(4)", "(5)"}
    wrong = OF_NUMBERED.replace(r"c + b\cos\theta_2 & c", r"c + b\sin\theta_2 & c")
    report = checked(tmp_path, wrong)
    assert standing(report, "contradicts") == {"(4)"}
    assert "(3)" not in standing(report, "consistent")
    (told,) = [one for one in report.equations if one.label == "(4)"]
    assert [r"\sin" in one.latex for one in told.repairs] == [False]


SWUNG = r"""
$$ V = m g l\cos\theta \tag{1} $$

$$ T = \frac{(M + m)\dot x^2 + m(l^2\dot\theta^2 - 2 l\dot x\dot\theta\cos\theta)}{2} \tag{2} $$

$$ L = T – V \tag{3} $$

$$ \begin{bmatrix} \ddot x \\ \ddot\theta \end{bmatrix} = \begin{bmatrix}
  \frac{F - m l\dot\theta^2\sin\theta + m g\sin\theta\cos\theta}{M + m\sin^2\theta} \\
  \frac{F\cos\theta - m l\dot\theta^2\sin\theta\cos\theta + (M + m) g\sin\theta}
  {l (M + m\sin^2(\theta)).} \end{bmatrix} \tag{4} $$

For small angles

$$ \begin{bmatrix} \ddot x \\ \ddot\theta \end{bmatrix} = \begin{bmatrix}
  \frac{F + m g\theta}{M} \\ \frac{F + (M + m) g\theta}{M l} \end{bmatrix} \tag{5} $$
"""


def test_a_misprint_is_told_rather_than_another_way_to_count_an_angle(tmp_path: Path) -> None:
    assert "(4)" in standing(checked(tmp_path, SWUNG), "consistent")
    report = checked(tmp_path, SWUNG.replace("- 2 l", "+ 2 l"))
    (told,) = [one for one in report.equations if one.status == "contradicts"]
    assert (told.label, told.wrong, len(told.repairs)) == ("(4)", "(2)", 1)


def test_a_sine_that_has_lost_its_square_is_told_and_how_it_was_read(tmp_path: Path) -> None:
    """Though the chain that it ends says what a constant is."""
    page = r"""
$$ \begin{aligned}
  D &= m (m l^2 + I) - m^2 l^2\cos^2\theta \\
    &= m I + m^2 l^2 (1 - \cos^2\theta) \\
    &= m I + m^2 l^2 sin(\theta)
\end{aligned} $$
"""
    assert not standing(checked(tmp_path, page.replace("sin(", "sin^2(")), "contradicts")
    report = checked(tmp_path, page)
    (told,) = [one for one in report.equations if one.status == "contradicts"]
    assert told.wrong == told.label == "(#1.3)"
    assert [one.latex.split("=")[-1].strip() for one in told.repairs] == [
        r"m I + m^2 l^2 sin^2(\theta)"
    ]
    assert "'sin' without a backslash is read as the function: (#1.3)" in report.remarks


def test_energies_that_are_printed_in_parts_are_those_of_the_lagrangian(tmp_path: Path) -> None:
    page = r"""
The kinetic energy of the mass on the table and of the one that hangs, with the potential energies
of weight and of the thread, is

$$ T = \frac12 m (\dot r^2 + r^2\dot\theta^2) + \frac12 M\dot h^2 \tag{1} $$
$$ U_g = M g h, \quad U_k = \frac12 k (r - h - l_0)^2 \tag{2} $$
$$ \frac{d}{dt}\frac{\partial L}{\partial\dot r} - \frac{\partial L}{\partial r} = 0 \tag{3} $$

give

$$ m\ddot r = m r\dot\theta^2 - k(r - h - l_0) \tag{4} $$
$$ M\ddot h = - M g + k(r - h - l_0) \tag{5} $$
"""
    assert {"(4)", "(5)"} <= standing(checked(tmp_path, page), "consistent")
    report = checked(tmp_path, page.replace("k(r - h - l_0) \\tag{4}", "k(r - l - l_0) \\tag{4}"))
    (told,) = [one for one in report.equations if one.status == "contradicts"]
    assert told.wrong == told.label == "(4)"
    assert [one.latex.split("=")[1].strip() for one in told.repairs] == [
        r"m r\dot\theta^2 - k(r - h - l_0)"
    ]


def test_what_is_no_matrix_there_has_no_determinant(tmp_path: Path) -> None:
    page = r"""
The mass of the cart is $M$ and that of the load $m$.

$$ M\ddot x + m\ddot y = F, \quad \det M(\theta) = M m - m^2\cos^2\theta \tag{1} $$
"""
    (told,) = [one for one in checked(tmp_path, page).equations if r"\det" in one.latex]
    assert told.status == "unsupported"
    assert "determinant of what is no matrix" in told.reason


def test_a_repair_takes_nothing_away_that_cancels(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 m l^2(\dot\theta_1^2 + \dot\theta_2^2) $$
$$ V = \frac12 m g l(\theta_1^2 + \theta_2^2) + k(\theta_1 - \theta_2)^2 $$
$$ \ddot\theta_1 + \frac gl\theta_1 + \frac{2k}{m}(\theta_1 - \theta_2) = 0 $$
"""
    repairs = [one.latex for each in checked(tmp_path, text).equations for one in each.repairs]
    assert not [one for one in repairs if r"\theta_1 - \theta_1" in one or r"_2 - \theta_2" in one]


def test_two_roots_are_those_of_both_signs(tmp_path: Path) -> None:
    page = r"""
$$ s_{1,2} = -b \pm \sqrt{b^2 - c} $$

$$ s_2 = -b - \sqrt{b^2 - c} $$

$$ s_{1,2} = (-2 \pm \sqrt{4 - 16})/2 = -1 \pm \sqrt{-3} $$
"""
    report = checked(tmp_path, page)
    assert not standing(report, "contradicts")
    assert {"(#1, index 2)", "(#2)", "(#3.2, lower)"} <= standing(report, "consistent")


LINEAR = r"""
# Motion

$$ (m_c + m_p)\ddot x + m_p L(\cos\theta\,\ddot\theta - \sin\theta\,\dot\theta^2) = F $$

$$ \cos\theta\,\ddot x + L\ddot\theta - g\sin\theta = 0 $$

# Control

We linearize the dynamics about WHERE and get, with a matrix $B$ (different from the one above),

$$ \ddot\theta = SIGN\frac{(m_c + m_p) g}{m_c L}\theta - \frac{F}{m_c L} $$
"""


@pytest.mark.parametrize(
    ("where", "sign", "status"),
    [
        (r"the equilibrium ($x = 0$, $\theta = 0$)", "", "consistent"),
        (r"the equilibrium ($x = 0$, $\theta = 0$)", "-", "contradicts"),
        (r"the equilibrium", "-", "unsupported"),
        (r"the hanging position, $\theta = 0$,", "-", "unsupported"),
        (r"$\theta = 0.1$", "-", "unsupported"),
    ],
)
def test_linear_equations_are_those_about_the_angle_that_words_say(
    tmp_path: Path, where: str, sign: str, status: str
) -> None:
    report = checked(tmp_path, LINEAR.replace("WHERE", where).replace("SIGN", sign))
    assert report.equations[-1].status == status


def test_what_is_equal_is_said_behind_an_equation(tmp_path: Path) -> None:
    text = r"$$ m\ddot x + k x = F $$ $$ \ddot x = \frac{u}{m} - \frac{k}{m} x $$ with $$ u = F $$"
    assert "(#2)" in standing(checked(tmp_path, text), "consistent")


@pytest.mark.parametrize(("force", "status"), [(" - F", "unsupported"), ("", "contradicts")])
def test_a_force_that_turns_a_ball_takes_inertia_from_what_rolls(
    tmp_path: Path, force: str, status: str
) -> None:
    text = (
        r"$$ L = \frac12 m\dot x^2 + \frac12 I\dot\phi^2 + m g x\sin\alpha, \qquad x = R\phi $$"
        r" and $$ I = \frac25 m R^2 $$ and $$ m\ddot x = m g\sin\alpha"
    )
    report = checked(tmp_path, f"{text}{force} $$")
    assert report.equations[-1].status == status


def test_a_thin_space_makes_no_function_of_a_length(tmp_path: Path) -> None:
    text = r"""
$$ L = \frac12 m l^2\left(\dot\theta^2 + \sin^2\theta\,\dot\phi^2\right) + m g l\cos\theta $$
and $$ \ddot\phi = -\dot\theta\dot\phi\cot\theta $$"""
    assert "(#2)" in standing(checked(tmp_path, text), "contradicts")


def test_a_place_whose_rate_alone_is_said_is_not_differentiated(tmp_path: Path) -> None:
    text = r"""$$ J\ddot\varphi = M $$ $$ \dot x = R\dot\varphi $$ $$ m\ddot x + k x = 0 $$
and $$ E = \frac12 m\dot x^2 + \frac12 k x^2 $$"""
    assert not standing(checked(tmp_path, text), "contradicts")


def test_a_matrix_with_a_misprint_does_not_accuse_the_equation_of_its_row(tmp_path: Path) -> None:
    text = r"""
$$ J_1\ddot\theta_1 = -k_1(\theta_1-\theta_2) $$
$$ J_2\ddot\theta_2 = k_1(\theta_1-\theta_2) - k_2(\theta_2-\theta_3) $$
$$ J_3\ddot\theta_3 = k_2(\theta_2-\theta_3) $$ In matrix form
$$ \begin{bmatrix} J_1&0&0\\0&J_2&0\\0&0&J_3\end{bmatrix}
\begin{bmatrix}\ddot\theta_1\\\ddot\theta_2\\\ddot\theta_3\end{bmatrix}
+ \begin{bmatrix} k_1&-k_1&0\\-k_1&k_1-k_2&-k_2\\0&-k_2&k_2\end{bmatrix}
\begin{bmatrix}\theta_1\\\theta_2\\\theta_3\end{bmatrix}
= \begin{bmatrix}0\\0\\0\end{bmatrix} $$"""
    told = [one for one in checked(tmp_path, text).equations if one.status == "contradicts"]
    assert [(one.label, one.wrong) for one in told] == [("(#2)", ""), ("(#4)", "")]
    assert any("k_1+k_2" in one.latex for one in told[1].repairs)


SQUARE = r"""
$$ M(q)\ddot q + C(q, \dot q)\dot q + G(q) = \tau $$
$$ M(q) = \begin{bmatrix} a + 2 b\cos q_2 & c + b\cos q_2 \\ c + b\cos q_2 & c \end{bmatrix} $$
$$ C(q, \dot q) = \begin{bmatrix} -h\dot q_2 & -h(\dot q_1 + \dot q_2) \\ h\dot q_1 & 0
  \end{bmatrix}, \qquad h = b\sin q_2 $$
$$ G(q) = \begin{bmatrix} d\cos q_1 + e\cos(q_1 + q_2) \\ e\cos(q_1 + q_2) \end{bmatrix} $$
$$ U = d\sin q_1 + e\sin(q_1 + q_2) $$
"""


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (r"\\ h\dot q_1", r"\\ -h\dot q_1", {"(#3.1)"}),
        (r"d\cos q_1", r"d\sin q_1", {"(#4)"}),
        ("U =", "q_3 = U =", set()),
        ("U", "U", set()),
    ],
)
def test_coordinates_are_as_many_as_a_mass_matrix_has_rows(
    tmp_path: Path, right: str, wrong: str, told: set[str]
) -> None:
    report = checked(tmp_path, SQUARE.replace(right, wrong))
    assert standing(report, "contradicts") == told
    is_known = "q_3" not in wrong
    assert ("(#3.1)" in standing(report, "consistent") | told) == is_known


def test_an_arrow_stands_between_equations_in_plain_letters(tmp_path: Path) -> None:
    report = checked(tmp_path, "| step | θ̈ = -g/l·sin(θ) → **θ̈ = -ω²θ** |\n")
    assert [one.latex.strip() for one in report.equations] == ["θ̈ = -g/l·sin(θ)", "θ̈ = -ω²θ"]
    assert all(one.is_read for one in report.equations)


@pytest.mark.parametrize(
    ("right", "wrong", "proposed"),
    [
        (r"\ddot x_1 = -\frac{k}{m} x_1", r"\ddot x_1 = -\frac{k}{m} x_2", r"\ddot{x}_{2} = "),
        (r"m\ddot x = -k x", r"m\ddot x = -k y", r"m\ddot{y} = "),
    ],
)
def test_a_line_that_was_copied_has_the_rate_of_another_letter(
    right: str, wrong: str, proposed: str, tmp_path: Path
) -> None:
    report = checked(tmp_path, f"$${right}$$\n$${wrong}$$\n")
    assert standing(report, "contradicts") == {"(#2)"}
    (told,) = (one for one in report.equations if one.label == "(#2)")
    assert told.wrong == "(#2)"
    assert [one.latex.startswith(proposed) for one in told.repairs] == [True]
    apart = checked(tmp_path, f"$${right}$$\nMeasured from there it is\n$${wrong}$$\n")
    assert not standing(apart, "contradicts")


def test_what_a_copied_line_was_copied_from_is_not_accused(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        "With $T = mg$ we have $x'' = -\\frac{T}{m}\\frac{x}{L} = -g\\frac{x}{L}$, "
        "$x'' = -\\frac{T}{m}\\frac{y}{L} = -g\\frac{y}{L}$ and $z'' = 0$.\n",
    )
    assert standing(report, "contradicts") == {"(line 1.3.1)"}
    assert standing(report, "consistent") == {"(line 1.2.2)", "(line 1.3.2)"}


def test_blocks_of_plain_ascii_are_read_where_one_states_an_equation(tmp_path: Path) -> None:
    """A program has no product before an equals sign."""
    text = """
```
m1*a = T1 - m1*g                       (1)
I*alpha = (T2 - T1)*R - tau_f          (2)
```
```
T1 = m1*(g + a)                        (3)
```
"""
    first, second, third = checked(tmp_path, text).equations
    assert (first.status, first.against) == ("consistent", ("(3)",))
    assert second.latex.strip() == "I*α = (T2 - T1)*R - τ_f"
    assert third.label == "(3)"
    of_a_program = text.replace("m1*a", "a").replace("I*alpha", "alpha")
    assert not checked(tmp_path, of_a_program).equations


def test_a_letter_at_a_brace_is_what_is_braced(tmp_path: Path) -> None:
    text = r"""
$$ \ddot\phi = \underbrace{\frac{m g l}I}_{\omega_n^2}\phi
    - \underbrace{\frac{m r l}I}_B\ddot\theta $$
$$ I\ddot\phi = m g l\phi - m r l\ddot\theta $$
$$ \ddot\phi = \frac{m g l}I\phi - B\ddot\theta $$
"""
    assert [one.status for one in checked(tmp_path, text).equations] == ["consistent"] * 3
    *_, wrong = checked(tmp_path, text.replace(r"\phi - B", r"\phi + B")).equations
    assert wrong.status != "consistent"


def test_a_line_that_is_an_equation_in_plain_letters_is_read(tmp_path: Path) -> None:
    text = """
It can be described by the equation:

mx'' + kx = 0
where m is the mass. It has the energies

T = 1/2 m x'^2

V = 1/2 k x^2

with the Lagrangian

L = T - V

and n = 3 here
"""
    report = checked(tmp_path, text)
    assert [one.line for one in report.equations] == [4, 7, 9, 13]
    assert standing(report, "consistent") == {"(line 4)"}
    wrong = checked(tmp_path, text.replace("+ kx", "- kx"))
    assert standing(wrong, "contradicts") == {"(line 4)"}


def test_no_repair_takes_masses_from_each_other(tmp_path: Path) -> None:
    text = r"""
$$ L = \tfrac12(m l^2 + I)\dot\theta^2 + \tfrac12 I_w\dot\phi^2 + I_w\dot\theta\dot\phi
   + \tfrac12 I_w\dot\theta^2 - m g l\cos\theta $$
$$ (m l^2 + I + I_w)\ddot\theta + I_w\ddot\phi + m g l\sin\theta = 0 $$
$$ I_w\ddot\theta + I_w\ddot\phi = \tau $$"""
    found = next(one for one in checked(tmp_path, text).equations if one.status == "contradicts")
    proposed = [one.latex for one in found.repairs]
    assert any(r"I_w\ddot\phi - m g l" in one for one in proposed)
    assert not any("- I + I_w" in one for one in proposed)
