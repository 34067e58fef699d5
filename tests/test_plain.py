"""The tests' own reader of equations, and whether two of them say the same."""

from __future__ import annotations

import numpy as np
import pytest

from campaign.meant import Numbers, Original
from freebody.model import load
from plain import Key, UnknownError, name_of, residual
from printed import Jet, column, rated

X, Y = Jet(0.6, 0.3, -0.2), Jet(1.1, -0.4, 0.5)
OF_X = (r"\omega", "", "(x)")
KNOWN: dict[Key, Jet] = {OF_X: Y, ("x", "", ""): X, ("y", "1", ""): Y, ("\\theta", "", ""): X}


def value(key: Key, dots: int) -> object:
    return rated(column([KNOWN[key]]), dots)


def off(latex: str) -> float:
    return float(abs(residual(latex, "=", value, KNOWN).ravel()[0].parts[0]))


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{1}{2} x = 0.5 x",
        r"\tfrac12 x = x/2",
        r"\sin^2\theta + \cos^2 \theta = 1",
        r"\sin 2\theta y_1 = 2 y_{1} \sin\theta\cos(\theta)",
        r"\tan\left(x\right) \cos x = \sin{x}",
        r"\dot{x} = \frac{dx}{dt}",
        r"\ddot{y}_1 = \frac{d}{dt}(\dot{y_1})",
        r"x \, (y_1 & - x) \\ & + x^2 = y_1 x",
        r"\sqrt{x^2} = x",
        r"\begin{bmatrix} x & 1 \end{bmatrix} \begin{bmatrix} 1 \\ y_1 \end{bmatrix} = x + y_1",
        r"x = \underbrace{x^2}_{one} x^{-1}",
        r"{\dot x} \cdot 2 = {} 2 \dot x",
        r"\frac{d^2}{dt^2}\left(2 x\right) = 2\ddot x",
        r"x \omega(x) = y_1 x",
    ],
)
def test_the_reader_of_the_tests_reads(latex: str) -> None:
    assert off(latex) < 1e-12
    left, right = latex.split("=")
    assert off(f"{left} = {right} + x") == pytest.approx(0.6)


@pytest.mark.parametrize(
    "latex", [r"x = \foo{x}", r"x = (y_1", "x = = x", r"x = \sum x", "x =", r"x = \omega(2 x)"]
)
def test_it_refuses_what_it_does_not_know(latex: str) -> None:
    with pytest.raises(UnknownError):
        off(latex)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (r"\theta_{1}", (r"\theta", "1", "")),
        (r"{\dot x}", None),
        (r"F_{\text{rod,x}}", ("F", "rodx", "")),
        (r"\mathbf{e}_1'", (r"\mathbf e", "1", "'")),
        (r"x(\theta)", ("x", "", r"(\theta)")),
        ("mg", None),
    ],
)
def test_it_reads_names(key: str, name: Key | None) -> None:
    assert name_of(key) == name


SYMBOLS = {"m": "m", "l": "l", "g": "g", r"\theta": "theta", "T": "energy.kinetic"}
EQUATION = r"m l^2 \ddot\theta + m g l \sin\theta = 0"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (r"l \ddot\theta = - g \sin\theta", True),
        (r"\ddot\theta = -\frac{g}{l} \sin\theta", True),
        (r"l \ddot\theta = g \sin\theta", False),
        (r"l \dot\theta = - g \sin\theta", False),
        (r"l \ddot\theta = - g \cos\theta", False),
        (r"l^2 \ddot\theta = - g \sin\theta", False),
        (r"m = m", False),
        (r"l \ddot\theta = - g \sum\theta", None),
    ],
)
def test_equations_that_say_the_same(other: str, *, same: bool | None) -> None:
    original = Original.of(EQUATION, "=", SYMBOLS, load("pendulum"))
    assert original is not None
    assert original.says(other) is same


def test_rates_of_constants_are_zero() -> None:
    numbers = Numbers(SYMBOLS, load("pendulum"), 1)
    assert numbers.off(r"\frac{d}{dt}(m\theta) = m\dot\theta", "=") == pytest.approx([0])
    assert np.abs(numbers.off(r"\dot T = 0", "=")) > 1e-3


def test_names_mean_what_the_page_says() -> None:
    symbols = {"s": "sin(theta)", r"\theta": "theta", "v": "velocity.bob.x", "x": "position.bob.x"}
    numbers = Numbers(symbols, load("pendulum"), 1)
    assert numbers.off(r"\dot x + \dot s = v + \dot\theta\cos\theta", "=") == pytest.approx([0])
