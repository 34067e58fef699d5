"""What `adopt` writes of the equations of a page that are no equations of its model."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.recognition import adopt

CART = r"""# Cart and pendulum

The cart has the mass $M$, its friction the coefficient $b$; the bob the mass $m$.

$$ (M+m)\ddot x + b\dot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{1} $$
$$ m l\ddot x\cos\theta + m l^2\ddot\theta + m g l\sin\theta = 0 \tag{2} $$
$$ T = \frac12 (M+m)\dot x^2 + m l\dot x\dot\theta\cos\theta + \frac12 m l^2\dot\theta^2 \tag{3} $$
$$ V = -m g l\cos\theta \tag{4} $$
"""


def verdicts(folder: Path, text: str) -> dict[str, tuple[str, str]]:
    """Return the status of equations in the check of what a page is adopted as, and its note."""
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    made = adopt(page)
    assert made.path is not None
    (report,) = freebody.check(made.path).documents
    differing = {one.label for one in report.equations if one.status == "differs"}
    assert differing == {*made.models[0].fails}
    return {one.label: (one.status, one.note) for one in report.equations}


@pytest.mark.one_in(2)
@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("equation", "status", "note"),
    [
        (r"(M+m)\ddot x + b\dot x + m l\ddot\theta = F", "holds", ""),
        (r"m l\ddot x + m l^2\ddot\theta + m g l\theta = 0", "holds", ""),
        (r"(M+m)\ddot x + m l\ddot\theta = 0", "holds", ""),
        (r"2\ddot x + \ddot\theta + 9.81\sin\theta = 0", "not checked", "a number of the page"),
        (r"T = \frac32\dot x^2", "not checked", "it lacks M, l, m"),
        (r"\theta = \theta_0\cos(3 t)", "unreadable", ""),
        (r"\dot\theta = 0", "not checked", "a condition"),
        (r"m l\ddot x\cos\theta + m l^2\ddot\theta - m g l\sin\theta = 0", "differs", ""),
        (r"V = m g l\cos\theta", "differs", ""),
    ],
)
def test_only_what_speaks_against_the_page_differs(
    tmp_path: Path, equation: str, status: str, note: str
) -> None:
    found = verdicts(tmp_path, CART + rf"$$ {equation} \tag{{9}} $$")
    assert {found[label][0] for label in ("(1)", "(2)")} == {"holds"}
    assert found["(9)"][0] == status
    assert note in found["(9)"][1]


@pytest.mark.exhaustive
def test_another_section_is_about_something_else(tmp_path: Path) -> None:
    other = r"""
# A mass on a track

$$ m\ddot x = -m g l x \tag{9} $$
"""
    found = verdicts(tmp_path, CART + other)
    assert found["(9)"][0] == "not checked"


@pytest.mark.exhaustive
def test_equations_that_contradict_each_other_may_either_be_misprinted(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        r"""
$$ m l\ddot\theta = -m g\sin\theta - m a\cos\theta \tag{1} $$
$$ m l\ddot\theta = -m g\sin\theta + m a\cos\theta \tag{2} $$
""",
    )
    assert sorted(status for status, _ in found.values()) == ["holds", "not checked"]


@pytest.mark.exhaustive
def test_a_letter_with_two_meanings_speaks_against_nothing(tmp_path: Path) -> None:
    found = verdicts(tmp_path, CART + r"$$ c = l\dot\theta \tag{8} $$ $$ c = m\dot x \tag{9} $$")
    assert {found[label][0] for label in ("(8)", "(9)")} == {"not checked"}


@pytest.mark.exhaustive
def test_two_letters_that_are_one_in_the_model_are_no_two_meanings(tmp_path: Path) -> None:
    wrong = (
        r"$$ x_1 = x \tag{8} $$ $$ \frac12(M+m)\ddot x + b\dot x + m l\ddot\theta = F \tag{9} $$"
    )
    found = verdicts(tmp_path, CART + wrong)
    assert (found["(8)"][0], found["(9)"][0]) == ("holds", "differs")


def test_what_a_model_is_made_of_may_be_misprinted_itself(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        r"""
$$ T = \frac12 m l^2\dot\theta^2 + \frac12 J(\dot\theta + \dot\phi)^2 \tag{1} $$
$$ V = -m g l\cos\theta \tag{2} $$
$$ L = \frac12 m l^2\dot\theta^2 + \frac12 J(\dot\theta + \dot\phi)^2 - m g l\cos\theta \tag{3} $$
""",
    )
    assert "differs" not in {status for status, _ in found.values()}


@pytest.mark.exhaustive
def test_a_mass_has_its_letter_where_a_matrix_has_it_too(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    matrix = r"$$ M = \begin{bmatrix} m_1 & 0 \\ 0 & m_2 \end{bmatrix} \tag{3} $$"
    page.write_text(f"{CART}\n\n# Two masses\n\n{matrix}\n", "utf-8")
    made = freebody.adopt(page)
    assert made.guesses is not None
    assert made.guesses.sure()["M"] == "M"


def test_what_a_lagrangian_lacks_that_drives_leaves_no_letter_open(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        r"""
$$ L = \frac12 m l^2\dot\theta^2 + m g l\cos\theta \tag{1} $$
$$ m l^2\ddot\theta + m g l\sin\theta = 0 \tag{2} $$
$$ \ddot\theta + \frac{g}{l}\theta = 0 \tag{3} $$

With damping,

$$ m l^2\ddot\theta + b\dot\theta + m g l\sin\theta = 0 \tag{4} $$
""",
    )
    assert {status for status, _ in found.values()} == {"holds"}


def test_an_equation_that_is_another_but_for_a_number_may_be_of_another_case(
    tmp_path: Path,
) -> None:
    pole = r"""
# A uniform pole, with its centre at $l$

$$ (M+m)\ddot x + b\dot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{6} $$
$$ m l\ddot x\cos\theta + \frac43 m l^2\ddot\theta + m g l\sin\theta = 0 \tag{5} $$
"""
    status, note = verdicts(tmp_path, CART + pole)["(5)"]
    assert status == "not checked"
    assert "the page by itself leaves it undecided: it is (2) but for signs, numbers" in note


def test_each_equation_that_does_not_hold_is_named(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    numbers = r"$$ 2\ddot x + \ddot\theta + 9.81\sin\theta = 0 \tag{5} $$"
    page.write_text(f"{CART}\n\n{numbers}\n\n$$ \\dot\\theta = 3\\dot x \\tag{{6}} $$\n", "utf-8")
    told = CliRunner().invoke(main, ["adopt", str(page)]).output
    assert "not (6)" in told
    assert "1 do not" in told
    assert "these are not decided: (5)" in told


def test_no_number_is_put_in_for_a_letter_that_is_printed(tmp_path: Path) -> None:
    """Numbers that are one would hide what its units speak against."""
    wrong = r"$$ (M+m)\ddot x + b\dot x + m\ddot\theta\cos\theta - l\dot\theta^2\sin\theta = F $$"
    numbers = r"$$ 2\ddot x + \dot x + \ddot\theta\cos\theta - \dot\theta^2\sin\theta = F $$"
    given = "With $M = 1$, $m = 1$, $l = 1$, $b = 1$ it is"
    found = verdicts(tmp_path, f"{CART}\n\n{given}\n\n{wrong}\n\n{numbers}\n")
    assert found["(#5)"][0] != "holds"
    assert found["(#6)"][0] == "holds"


def test_what_a_letter_is_nearly_speaks_against_nothing(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path,
        r"""
$$ v = \frac{d}{dt}(a\sin\alpha) = a\dot\alpha\cos\alpha \tag{1} $$

$$ E = \frac12 m v^2 + \frac32 m g a\sin\alpha
     \approx \frac12 m a^2\dot\alpha^2 + \frac32 m g a\alpha $$

$$ \frac{dE}{dt} = \frac{d}{dt}\left(\frac12 m a^2\dot\alpha^2 + \frac32 m g a\alpha\right)
\tag{3} $$
""",
    )
    assert found["(3)"][0] == "not checked"
    assert "it has E, of which (#2.2)" in found["(3)"][1]
