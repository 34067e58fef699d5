"""Cases that a page puts beside its equations: in text, in parentheses, and in words alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.report import EquationVerdict
from freebody.documents import read_document
from test_cases import BARS, CART, quantities

SYMBOLS = {"double_pendulum": BARS, "cart_pendulum": CART}
EQUAL = r"V = -\frac12 m g l(3\cos\theta_1 + \cos\theta_2)"
WITHOUT = r"V = -\frac12 m_1 g l_1\cos\theta_1"
HANGING = r"V = -\frac12 m_1 g l_1\cos\theta_1 - m_2 g (l_1\cos\theta_1 + \frac{l_2}{2})"
STANDING = r"T = \frac16 m_2 l_2^2\dot\theta_2^2"
SMALL = (
    r"V = -\frac12 m_1 g l_1(1 - \frac12\theta_1^2)"
    r"- m_2 g (l_1(1 - \frac12\theta_1^2) + \frac{l_2}{2}(1 - \frac12\theta_2^2))"
)
GENERAL = (
    r"V = -\frac12 m_1 g l_1\cos\theta_1 - m_2 g (l_1\cos\theta_1 + \frac{l_2}{2}\cos\theta_2)"
)
MISPRINTS = {
    EQUAL: ("3", "2"),
    WITHOUT: (r"\cos", r"\sin"),
    HANGING: ("l_2", "l_1"),
    STANDING: (r"\frac16", r"\frac13"),
    SMALL: (r"- \frac12\theta_2", r"+ \frac12\theta_2"),
}


def judged(
    body: str, folder: Path, *, model: str = "double_pendulum", front: str = ""
) -> tuple[EquationVerdict, ...]:
    symbols = "\n".join(f"'{key}' = '{value}'" for key, value in SYMBOLS[model].items())
    page = folder / "page.md"
    head = f'title = "A page"\nmodel = "{model}"'
    inline, front = ("inline = true\n", "") if front == "inline" else ("", front)
    page.write_text(f"+++\n{head}\n{inline}[symbols]\n{symbols}\n{front}\n+++\n{body}\n")
    return check_document(read_document(page), quantities(model)).equations


def by_equation(found: tuple[EquationVerdict, ...]) -> EquationVerdict:
    """Return the verdict on the equation that is no condition."""
    (one,) = (one for one in found if one.status != "not checked")
    return one


CASES = [
    ("For $m_1 = m_2 = m$ and $l_1 = l_2 = l$ this becomes\n\n$$ @ $$", EQUAL),
    ("Assuming $m_1 = m_2 = m, l_1 = l_2 = l$:\n$$ @ $$", EQUAL),
    ("Two like bars, that is, with \\(m_1=m_2=m\\) and \\(l_1=l_2=l\\), have\n$$ @ $$", EQUAL),
    (r"$$ @ \qquad \text{when } m_1 = m_2 = m \text{ and } l_1 = l_2 = l $$", EQUAL),
    (r"$$ \text{For } m_1 = m_2 = m,\; l_1 = l_2 = l: \quad @ $$", EQUAL),
    (r"$$ @ \qquad (m_1 = m_2 = m,\ l_1 = l_2 = l) $$", EQUAL),
    (r"$$\begin{aligned} m_1 &= m_2 = m, & l_1 &= l_2 = l\\ @ \end{aligned}$$", EQUAL),
    ("If $m_2 = 0$, we get $$ @ $$", WITHOUT),
    ("Setting $m_2=0$ gives\n$$ @ $$", WITHOUT),
    ("In the limit $m_2 \\to 0$,\n$$ @ $$", WITHOUT),
    ("as $m_2\\rightarrow 0$ the energy is\n$$ @ $$", WITHOUT),
    (r"$$ @, \qquad (m_2 = 0) $$", WITHOUT),
    (r"$$ @ \quad \text{if } m_2 = 0 $$", WITHOUT),
    (r"$$ @ \qquad m_2 \to 0 $$", WITHOUT),
    (r"$$ m_2 \to 0: \quad @ $$", WITHOUT),
    ("When the second bar hangs straight down ($\\theta_2 = 0$):\n$$ @ $$", HANGING),
    (r"$$ @ \quad \text{with } \theta_2 = 0 $$", HANGING),
    (r"$$ @ \quad \text{at } \theta_2 = 0 $$", HANGING),
    ("Let $\\dot\\theta_1 = 0$. Then\n$$ @ $$", "T"),
    (r"$$ @ \quad \text{where } \dot\theta_1 = 0 $$", STANDING),
    ("**Case 1**: $m_2 = 0$.\n$$ @ $$", WITHOUT),
    ("Case (ii): for a light second bar, i.e. $m_2 \\ll m_1$,\n$$ @ $$", WITHOUT),
    ("Case 1: for $\\theta_2 = \\pi$ ...\n\nCase 2: for $\\theta_2 = 0$ it is\n$$ @ $$", HANGING),
    ("For small angles\n$$ @ $$", SMALL),
    ("The linearized system has\n\n$$ @ $$", SMALL),
    ("For small oscillations about the lower equilibrium\n$$ @ $$", SMALL),
    ("If $\\theta_1, \\theta_2 \\ll 1$,\n$$ @ $$", SMALL),
    (r"$$ @ \quad (\theta_1 \ll 1, \theta_2 \ll 1) $$", SMALL),
    (r"$$ @ \quad\text{for } \theta_1, \theta_2 \ll 1 $$", SMALL),
    (r"$$ @ \quad (|\theta_1| \ll 1, |\theta_2| \ll 1) $$", SMALL),
    (r"$$ @ \quad\text{if } \dot\theta_1 = 0 $$", STANDING),
    (r"$$ \dot\theta_1 = 0 \;\Longrightarrow\; @ $$", STANDING),
    (r"$$ \text{If } \dot\theta_1 = 0:\quad @ $$", STANDING),
    (r"$$ \text{Small angles: } @ $$", SMALL),
    (r"$$ \text{For small } \theta_1, \theta_2,\quad @ $$", SMALL),
    (r"$$ \text{For small }\theta_1, \theta_2:\quad @ $$", SMALL),
    (r"For small $\theta_1$ and $\theta_2$ $$ @ $$", SMALL),
]  # fmt: skip
HEADED = [
    r"\text{(a)}\quad @",
    r"\text{Energy: } @",
    r"\mathrm{Bars}:\quad @",
    r"\theta_1:\quad @",
    r"@ \qquad\text{(Lagrange)}",
    r"@ \quad\blacksquare",
]


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize("way", HEADED)
def test_what_an_equation_is_called_is_no_part_of_it(way: str, tmp_path: Path) -> None:
    (right,) = judged(f"$$ {way.replace('@', GENERAL)} $$", tmp_path)
    (wrong,) = judged(f"$$ {way.replace('@', GENERAL.replace('l_2', 'l_1'))} $$", tmp_path)
    assert (right.status, wrong.status) == ("holds", "differs")


@pytest.mark.usefixtures("unmended")
def test_a_condition_of_one_display_is_none_of_another(tmp_path: Path) -> None:
    pages = rf"$$ {STANDING} \quad\text{{if }} \dot\theta_1 = 0 $$", f"$$ {STANDING} $$"
    found = judged("\n\n".join(pages), tmp_path)
    assert [one.status for one in found] == ["holds", "not checked", "differs"]


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(
    ("way", "equation"), [(way, STANDING if one == "T" else one) for way, one in CASES]
)
def test_an_equation_is_judged_in_the_case_that_is_put_beside_it(
    way: str, equation: str, tmp_path: Path
) -> None:
    found = by_equation(judged(way.replace("@", equation), tmp_path))
    assert found.status == "holds"
    assert any("is given" in told or "small" in told for told in found.readings)
    wrong = by_equation(judged(way.replace("@", equation.replace(*MISPRINTS[equation])), tmp_path))
    assert wrong.status == "differs"


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(
    ("words", "equation", "wrong"),
    [
        (
            "With $m_1 = 2m_2$ one gets",
            r"V = -m_2 g (2l_1\cos\theta_1 + \frac12 l_2\cos\theta_2)",
            r"V = -m_2 g (3l_1\cos\theta_1 + \frac12 l_2\cos\theta_2)",
        ),
        (
            "Taking $l_2 = l_1/2$ gives",
            r"V = -\frac12 m_1 g l_1\cos\theta_1 - m_2 g l_1(\cos\theta_1 + \frac14\cos\theta_2)",
            r"V = -\frac12 m_1 g l_1\cos\theta_1 - m_2 g l_1(\cos\theta_1 + \frac12\cos\theta_2)",
        ),
        (
            "For $m_1 = 1$ kg, $m_2 = 1$ kg and $l_1=1$ m:",
            r"V = -\frac32 g\cos\theta_1 - \frac12 g l_2\cos\theta_2",
            r"V = -\frac32 g\cos\theta_1 - g l_2\cos\theta_2",
        ),
        (
            r"When the bars are in line ($\theta_1=\theta_2=\theta$),",
            r"V = -(\frac12 m_1 l_1 + m_2 l_1 + \frac12 m_2 l_2) g\cos\theta",
            r"V = -(\frac12 m_1 l_1 + m_2 l_1 + \frac12 m_1 l_2) g\cos\theta",
        ),
    ],
)
def test_words_may_set_a_constant_to_any_other(
    words: str, equation: str, wrong: str, tmp_path: Path
) -> None:
    right, other = (
        by_equation(judged(f"{words}\n$$ {one} $$", tmp_path)) for one in (equation, wrong)
    )
    assert (right.status, other.status) == ("holds", "differs")
    assert any("is given" in told for told in right.readings)


@pytest.mark.parametrize("way", [way for way, equation in CASES if equation is WITHOUT])
def test_an_equation_that_holds_without_its_case_is_judged_without(
    way: str, tmp_path: Path
) -> None:
    found = by_equation(judged(way.replace("@", GENERAL), tmp_path))
    assert (found.status, found.readings) == ("holds", ())


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(
    ("words", "equation"),
    [
        ("Neglecting the mass of the second bar,", WITHOUT),
        ("If the second bar is absent,", WITHOUT),
        ("With identical bars,", EQUAL.replace(" m g l", " m_1 g l_1")),
        ("Without the second bar:", WITHOUT),
        ("In the special case of a massless second bar", WITHOUT),
    ],
)
def test_words_that_are_not_understood_are_told_where_an_equation_differs(
    words: str, equation: str, tmp_path: Path
) -> None:
    found = by_equation(judged(f"{words}\n$$ {equation} $$", tmp_path))
    assert found.status == "differs"
    assert any(words.strip(",:") in told for told in found.readings)


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize("front", ["", "inline"])
@pytest.mark.parametrize(
    "text",
    [
        "so that $m_2 = 0$ is the simple pendulum.",
        "where $m_2 = 0$ means that there is no second bar.",
        "The simple pendulum has $m_2 = 0$.",
    ],
)
def test_a_formula_that_no_words_call_a_case_is_none(text: str, front: str, tmp_path: Path) -> None:
    found = by_equation(judged(f"{text}\n\n$$ {WITHOUT} $$", tmp_path, front=front))
    assert found.status == "differs"


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(
    ("between", "status"),
    [("", "holds"), ("\n\nand so\n\n", "holds"), ("\n## Two bars\n", "differs")],
)
def test_a_case_in_text_ends_with_its_section(between: str, status: str, tmp_path: Path) -> None:
    found = by_equation(judged(f"For $m_2 = 0$ {between}\n$$ {WITHOUT} $$", tmp_path))
    assert found.status == status


def test_at_rest_nothing_has_a_speed(tmp_path: Path) -> None:
    first, second = judged("At rest,\n$$ T = 0 $$\nand else\n$$ T = 0 $$", tmp_path)
    assert (first.status, second.status) == ("holds", "differs")


LINEAR = {
    "x": r"(M+m)\ddot x + ml\ddot\theta = F",
    "theta": r"\frac43 l\ddot\theta + \ddot x - g\theta = 0",
}
DECLARED = '[[equations]]\nin = ["(#1)"]\nof = "{}"\n'


@pytest.mark.parametrize("given", ["[[assume]]\nsmall = ['theta']", ""])
@pytest.mark.parametrize("name", ["x", "theta"])
def test_what_an_equation_is_declared_to_be_counts_in_its_case(
    name: str, given: str, tmp_path: Path
) -> None:
    words = "" if given else "For small angles\n"

    def found(equation: str, of: str) -> EquationVerdict:
        front = DECLARED.format(of) + given
        (one,) = judged(f"{words}$$ {equation} $$", tmp_path, model="cart_pendulum", front=front)
        return one

    right, other = found(LINEAR[name], name), found(LINEAR[name], {"x": "theta"}.get(name, "x"))
    assert (right.status, right.surprise) == ("holds", "")
    assert other.status == "holds"
    assert "is not the equation of motion" in other.surprise
    wrong = found(LINEAR[name].replace("+ ml", "- ml").replace("- g", "+ g"), name)
    assert wrong.status == "differs"
    assert [edit.kind for edit in wrong.repairs[0].edits] == ["sign"]
    assert f"declared as the equation of motion of {name}" in wrong.readings


WORDS = [
    r"For small angles about $\theta_1 = \pi$",
    r"Small oscillations around the position $\theta_1 = \pi$ have the energy",
    r"Linearizing near the upper equilibrium, $\theta_1=\pi$, gives",
    r"In the neighbourhood of \(\theta_1 = \pi\) we linearize:",
    r"The linearized energy, about $\theta_1=\pi, \theta_2 = 0$, is",
]
UP = (
    r"V = \frac12 m_1 g l_1(1 - \frac12(\theta_1 - \pi)^2)"
    r"+ m_2 g (l_1(1 - \frac12(\theta_1 - \pi)^2) - \frac{l_2}{2}(1 - \frac12\theta_2^2))"
)


@pytest.mark.parametrize("front", ["", "inline"])
@pytest.mark.parametrize("words", WORDS)
def test_angles_are_small_about_the_position_that_is_said(
    words: str, front: str, tmp_path: Path
) -> None:
    found = by_equation(judged(f"{words}\n\n$$ {UP} $$", tmp_path, front=front))
    assert found.status == "holds"
    assert any("theta1 - pi" in told and "are small" in told for told in found.readings)


@pytest.mark.each_once
@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize("front", ["", "inline"])
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(
    ("was", "now"),
    [(r"\frac12(\theta_1 - \pi)", r"\frac13(\theta_1 - \pi)"), (r"- \frac12(", r"+ \frac12(")],
)
def test_what_is_misprinted_about_a_position_differs(
    was: str, now: str, words: str, front: str, tmp_path: Path
) -> None:
    """The position is no case that is given: in it all that is small would vanish."""
    body = f"{words}\n\n$$ {UP.replace(was, now, 1)} $$"
    assert by_equation(judged(body, tmp_path, front=front)).status == "differs"


@pytest.mark.parametrize(
    ("words", "tells"),
    [
        ("The equation of motion for the second bar is", False),
        ("The energy is equal to", False),
        (r"For $\theta_1[0]$ we have", True),
        ("For equal bars,", True),
        ("Neglecting the mass of the second bar,", True),
    ],
)
def test_words_that_put_no_case_are_not_told(words: str, tmp_path: Path, *, tells: bool) -> None:
    (found,) = judged(f"{words}\n\n$$ {GENERAL.replace('m_2 g', 'm_1 g')} $$", tmp_path)
    assert found.status == "differs"
    assert any("may put a case" in told for told in found.readings) == tells
