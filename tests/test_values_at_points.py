"""Values of letters: what is printed at points, in matrices and in numbers with units."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.consistency.report import StatementVerdict

STATES = r"""
The states are $x = [\theta, \dot\theta]^T$.
$$ \dot x_1 = x_2, \qquad \dot x_2 = -\frac gl\sin x_1 - \frac b{m l^2} x_2 + \frac u{m l^2} $$
$$ f(x, u) = \begin{bmatrix}
    x_2 \\ -\frac gl\sin x_1 - \frac b{m l^2} x_2 + \frac u{m l^2} \end{bmatrix} $$
"""
POTENTIAL = r"""
$$ T = \tfrac12 m l^2\dot\theta^2, \qquad V = m g l(1 - \cos\theta) $$
"""
STATE_MATRIX = r"""
$$ A = \begin{bmatrix} 0 & 1 \\ -\frac km & -\frac cm \end{bmatrix} $$
"""


def _last(folder: Path, text: str) -> StatementVerdict:
    (folder / "page.md").write_text(text, encoding="utf-8")
    return freebody.alone(folder / "page.md").documents[0].equations[-1]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (
            STATES + r"$$ \frac{\partial f}{\partial x} = \begin{bmatrix}"
            r" 0 & 1 \\ -\frac gl\cos x_1 & -\frac b{m l^2} \end{bmatrix} $$",
            r"\cos x_1",
            r"\sin x_1",
        ),
        (
            STATES + r"$$ A = \left.\frac{\partial f}{\partial x}\right|_{x=0} = \begin{bmatrix}"
            r" 0 & 1 \\ -\frac gl & -\frac b{m l^2} \end{bmatrix} $$",
            r"& -\frac b",
            r"& \frac b",
        ),
        (
            STATES + r"$$ \left.\frac{\partial f}{\partial u}\right|_{x=0} = \begin{bmatrix}"
            r" 0 \\ \frac1{m l^2} \end{bmatrix} $$",
            r"\frac1{m l^2}",
            r"\frac1{m l}",
        ),
        (
            POTENTIAL
            + r"$$ \left.\frac{\partial^2 V}{\partial\theta^2}\right|_{\theta=0} = m g l $$",
            "= m g l $$",
            "= -m g l $$",
        ),
        (
            POTENTIAL
            + r"$$ \left.\frac{\partial^2 V}{\partial\theta^2}\right|_{\theta=\pi} = -m g l $$",
            "= -m",
            "= m",
        ),
        (
            STATE_MATRIX + r"$$ \det(s I - A) = s^2 + \frac cm s + \frac km $$",
            r"s + \frac km $$",
            r"s - \frac km $$",
        ),
    ],
    ids=[
        "a Jacobian",
        "a state matrix",
        "an input matrix",
        "a stiffness",
        "upside down",
        "a characteristic polynomial",
    ],
)
def test_what_is_printed_at_a_point_follows(
    tmp_path: Path, text: str, right: str, wrong: str
) -> None:
    assert _last(tmp_path, text).status == "consistent"
    assert _last(tmp_path, text.replace(right, wrong)).status == "contradicts"


@pytest.mark.parametrize(
    "printed",
    [
        r"\left.\frac{\partial V}{\partial\theta}\right|_{*} = 0",
        r"\theta(0) = \theta_0",
        r"\left.\frac{\partial V}{\partial\theta}\right|_{t=0} = 0",
    ],
    ids=["an equilibrium", "a beginning", "a time"],
)
def test_a_point_that_is_not_told_leaves_open_what_is_there(tmp_path: Path, printed: str) -> None:
    assert _last(tmp_path, f"{POTENTIAL}$$ {printed} $$").status == "unsupported"


def test_the_law_of_a_state_is_held_against_no_name(tmp_path: Path) -> None:
    law = _last(tmp_path, STATES.partition("$$ f(x")[0])
    assert (law.status, law.against) == ("unsupported", ())


def test_units_that_are_printed_as_letters_are_no_letters(tmp_path: Path) -> None:
    text = r"""
$$ l = \frac{4.5\times 10^{15} \ m_e \ m^2}{s}\left(\frac{1 \ km}{1000 \ m}\right)^2
    = \frac{4.5\times 10^{9} \ m_e \ km^2}{s} $$"""
    assert _last(tmp_path, text).status == "unsupported"


SPRING = r"""
$$ \omega = \sqrt{\frac km} $$
The mass is $m = 1200$ kg and the spring has $k = 64.8$ kN/m, so that $\omega = 7.35$ rad/s."""


def test_values_have_the_units_behind_their_formulas(tmp_path: Path) -> None:
    assert _last(tmp_path, SPRING).status == "consistent"
    assert _last(tmp_path, SPRING.replace("7.35", "9.35")).status == "contradicts"


def test_a_list_may_have_its_unit_behind_the_last_value(tmp_path: Path) -> None:
    text = r"$$ r = \sqrt{a^2 + b^2} $$ With $a = 30$, $b = 40$ mm it is $r = 50$ mm."
    assert _last(tmp_path, text).status == "unsupported"
