"""Equations that a page declares to be the equation of motion of a coordinate."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.meaning.field_evaluator import compare_at_random_points
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.documents import read_document
from freebody.documents.latex import Declared, Relation
from freebody.documents.latex.layout.displays import read_page
from freebody.errors import DocumentError
from freebody.model import load

SYMBOLS = {
    "M": "m_c", "m": "m_p", "l": "l", "g": "g", "x": "x", r"\theta": "theta", "F": "F",
    "L": "energy.lagrangian",
}  # fmt: skip
X = r"(M+m)\ddot x + ml\ddot\theta\cos\theta - ml\dot\theta^2\sin\theta = F"
THETA = r"\frac43 ml^2\ddot\theta + ml\ddot x\cos\theta - mgl\sin\theta = 0"
EULER = r"\frac{d}{dt}\frac{\partial L}{\partial\dot\theta} - \frac{\partial L}{\partial\theta} = 0"
SOLVED = r"\ddot\theta = \frac{3}{4l}(g\sin\theta - \ddot x\cos\theta)"
FIRST, SECOND = "[[equations]]\nin = ['(1)']\nof = 'x'", "[[equations]]\nin = ['(1)']\nof = 'theta'"


@cache
def quantities(model: str) -> Quantities:
    return Quantities(load(model))


def checked(
    equation: str, front: str, folder: Path, symbols: dict[str, str] | None = None
) -> DocumentReport:
    declared = "\n".join(f"'{k}' = '{v}'" for k, v in (symbols or SYMBOLS).items())
    page = folder / "page.md"
    head = f"title = 'A page'\nmodel = 'cart_pendulum'\n{front}\n[symbols]\n{declared}"
    page.write_text(f"+++\n{head}\n+++\n$$ {equation} \\tag{{1}} $$\n")
    return check_document(read_document(page), quantities("cart_pendulum"))


def wrong(equation: str, front: str, folder: Path) -> list[str]:
    (found,) = checked(equation, front, folder).equations
    assert found.status == "differs"
    return [term.latex for term in found.terms if term.verdict != "right"]


@pytest.mark.parametrize(
    ("equation", "front"),
    [
        (X, FIRST),
        (X.replace("= F", "- F = 0"), FIRST),
        (X.replace("= F", "= F + 0"), FIRST),
        (THETA, SECOND),
        (SOLVED, SECOND),
        (EULER, SECOND),
        (r"4l\ddot\theta + 3\ddot x\cos\theta = 3g\sin\theta", SECOND),
    ],
)
def test_the_declared_equation_or_a_multiple_of_it_is_no_news(
    equation: str, front: str, tmp_path: Path
) -> None:
    (found,) = checked(equation, front, tmp_path).equations
    assert (found.status, found.surprise) == ("holds", "")


COMBINED = (
    r"(M+m)\ddot x + ml\ddot\theta\cos\theta - ml\dot\theta^2\sin\theta"
    r" + \frac43 ml\ddot\theta + m\ddot x\cos\theta - mg\sin\theta = F"
)


@pytest.mark.parametrize(
    ("equation", "front", "told"),
    [
        (X, SECOND, "not the equation of motion of theta: it is that of x"),
        (THETA, FIRST, "not the equation of motion of x: it is that of theta"),
        (COMBINED, FIRST, "not the equation of motion of x, nor a multiple of it"),
        ("x = x", FIRST, "not the equation of motion of x, nor a multiple of it"),
        ("0 = 0", FIRST, "not the equation of motion of x, nor a multiple of it"),
    ],
)
def test_an_equation_that_holds_and_is_another_is_told(
    equation: str, front: str, told: str, tmp_path: Path
) -> None:
    (found,) = checked(equation, front, tmp_path).equations
    assert found.status == "holds"
    assert told in found.surprise


COUPLED = r"ml\ddot\theta\cos\theta"
CENTRIFUGAL = r"- ml\dot\theta^2\sin\theta"


@pytest.mark.parametrize(
    "misprints",
    [
        {COUPLED: r"\frac17 ml\ddot\theta\cos\theta"},
        {COUPLED: r"\frac17 ml\ddot\theta", CENTRIFUGAL: r"- 3 m^2 l\dot\theta^2\cos(7\theta)"},
        {"(M+m)": "(M-5m)", COUPLED: r"\frac17 ml\ddot\theta\cos\theta"},
    ],
)
def test_terms_are_accused_by_the_declared_equation(
    misprints: dict[str, str], tmp_path: Path
) -> None:
    equation = X
    for right, printed in misprints.items():
        equation = equation.replace(right, printed)
    named = wrong(equation, FIRST, tmp_path)
    assert len(named) == len(misprints)
    printed_ones = [one.replace("(M-5m)", r"(M-5m)\ddot x") for one in misprints.values()]
    assert all(any(one in term for term in named) for one in printed_ones)


def test_what_is_proposed_is_the_declared_equation(tmp_path: Path) -> None:
    (found,) = checked(THETA.replace(r"\frac43", r"\frac53"), SECOND, tmp_path).equations
    assert found.repairs[0].latex == THETA
    assert "declared as the equation of motion of theta" in found.readings


@pytest.mark.parametrize(
    ("front", "message"),
    [
        (
            "[[equations]]\nin = ['(1)']\nof = 'thetta'",
            "equations[0].of: 'thetta': expected one of",
        ),
        ("[[equations]]\nin = ['(1)']\nof = 'F'", "equations[0].of: 'F': expected one of x, theta"),
        ("[[equations]]\nin = ['(1)']", "equations[0].of: is missing"),
        ("[[equations]]\nin = []\nof = 'x'", "equations[0].in: expected at least one"),
        ("[[equations]]\non = ['(1)']\nof = 'x'", "equations[0].on: unknown key"),
        (f"{FIRST}\n{SECOND}", "equations[1].in: (1) is declared the equation of motion of x"),
    ],
)
def test_an_impossible_declaration_is_an_error(front: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as error:
        checked(X, front, tmp_path)
    assert f"{tmp_path / 'page.md'}: {message}" in str(error.value)


def test_a_declaration_of_no_equation_is_told(tmp_path: Path) -> None:
    report = checked(X, FIRST.replace("(1)", "(7)"), tmp_path)
    (told,) = report.stale
    assert told.startswith("(7) is declared an equation of motion, but there is no such equation")


JERK = (
    r"(M+m)\dddot x + ml\dddot\theta\cos\theta - 3ml\ddot\theta\dot\theta\sin\theta"
    r" - ml\dot\theta^3\cos\theta"
)
JERK_OF_THETA = (
    r"\frac43 l\dddot\theta + \dddot x\cos\theta - \ddot x\dot\theta\sin\theta"
    r" = g\dot\theta\cos\theta"
)


@pytest.mark.parametrize(
    ("equation", "is_right"),
    [
        (rf"\dot F = {JERK}", True),
        (rf"\frac{{d}}{{dt}} F = {JERK}", True),
        (rf"\dot F = {JERK} + \dot x", False),
        (JERK_OF_THETA, True),
    ],
)
def test_rates_of_what_is_decided_follow_at_random_points(equation: str, is_right: bool) -> None:
    symbols = Symbols(quantities("cart_pendulum"), SYMBOLS)
    (display,) = read_page(f"$${equation}$$", Declared(symbols.meanings, symbols.varies))
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert compare_at_random_points(symbols, relation).equal is is_right
