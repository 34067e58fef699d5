r"""Equations of motion with numbers in place of the constants: ``2\ddot x + 18 x = 0``."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.checking.report import EquationVerdict

CART = """+++
title = "Numbers"
model = "cart_pendulum"
[symbols]
'x' = "x"
'\\theta' = "theta"
'F' = "F"
'm' = "m_p"
'X' = ["x", "x_dot", "theta", "theta_dot"]
+++
"""
OSCILLATOR = """+++
title = "Numbers"
model = "oscillator"
[symbols]
'x' = "x"
'm' = "m"
'E' = "energy.total"
+++
"""
STATE = r"""\dot X = \begin{bmatrix}0&1&0&0\\0&0&-0.717&0\\0&0&0&1\\0&0&15.78&0\end{bmatrix}X
+ \begin{bmatrix}0\\0.976\\0\\-1.463\end{bmatrix}F"""
PUSHED = r"1.1\ddot x + 0.05\ddot\theta\cos\theta - 0.05\dot\theta^2\sin\theta = F"
SMALL = "For small angles:"


def check(folder: Path, front: str, words: str, equation: str) -> EquationVerdict:
    model = Path(__file__).parent / "models" / "oscillator.toml"
    (folder / "oscillator.toml").write_text(model.read_text())
    (folder / "page.md").write_text(f"{front}{words}\n$$ {equation} $$\n")
    (verdict,) = freebody.check(folder / "page.md").documents[0].equations
    return verdict


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("front", "words", "equation", "right", "wrong"),
    [
        (OSCILLATOR, "", r"2\ddot x + 18x = 0", "18", "16"),
        (OSCILLATOR, "", r"\ddot x = -9x", "9", "6"),
        (OSCILLATOR, "", r"E = \dot x^2 + 9x^2", "9", "8"),
        (CART, "", PUSHED, "1.1", "1.2"),
        (CART, "", r"0.0333\ddot\theta + 0.05\ddot x\cos\theta = 0.49\sin\theta", "333", "433"),
        (CART, SMALL, r"\ddot\theta = 15.78\theta - 1.463F", "15.78", "15.88"),
        (CART, SMALL, STATE, "-1.463", "-1.473"),
    ],
)
def test_the_values_of_the_model_are_put_in(
    tmp_path: Path, front: str, words: str, equation: str, right: str, wrong: str
) -> None:
    verdict = check(tmp_path, front, words, equation)
    assert verdict.status == "holds"
    assert any("values are put in" in one for one in verdict.readings)
    misprinted = check(tmp_path, front, words, equation.replace(right, wrong))
    assert misprinted.status == "differs"


@pytest.mark.parametrize(
    ("front", "equation"),
    [
        (OSCILLATOR, r"2\ddot x + 9 m x = 0"),
        (OSCILLATOR, r"\frac12\dot x^2 = E"),
        (CART, r"1.1\ddot x + m\ddot\theta\cos\theta - m\dot\theta^2\sin\theta = F"),
    ],
)
def test_a_constant_that_is_forgotten_is_no_value(
    tmp_path: Path, front: str, equation: str
) -> None:
    assert check(tmp_path, front, "", equation).status == "differs"
