"""Pages that print speeds, accelerations and columns, and no letter for the places of these."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.algebra import Ring
from freebody.mechanics.derivation import METHODS, agreement, derive

WEDGE = r"""
$$ m_1 a_1 = T - m_1 g\sin\alpha $$
$$ m_2 a_2 = m_2 g - T $$
$$ a_1 = a_2 $$
"""
PULLEY = r"""
$$ m_1 a = T_1 - m_1 g $$
$$ m_2 a = m_2 g - T_2 $$
$$ I\alpha = (T_2 - T_1) R $$
$$ a = R\alpha $$
"""
FALL = r"$$ m\frac{dv}{dt} = m g - b v^2 $$"
THROWN = r"""
$$ m\dot v_x = -c v_x $$
$$ m\dot v_y = -m g - c v_y $$
"""
SWUNG = r"$$ I\alpha = -m g l\sin\theta - b\omega $$"
MATRICES = r"""
$$ [M]\{\ddot{x}\} + [C]\{\dot x\} + [K]\{x\} = \{f\} $$
$$ M = \begin{bmatrix} m_1 & 0\\ 0 & m_2\end{bmatrix}, \quad
   C = \begin{bmatrix} c & -c\\ -c & c\end{bmatrix}, \quad
   K = \begin{bmatrix} k_1 + k_2 & -k_2\\ -k_2 & k_2\end{bmatrix} $$
"""
OF_TIME = r"""
$$ M\ddot u(t) + K u(t) = p(t) $$
$$ M = \begin{bmatrix} m & 0\\ 0 & m\end{bmatrix}, \quad
   K = \begin{bmatrix} 2k & -k\\ -k & 2k\end{bmatrix} $$
"""
MOTOR = r"""
$$ J\dot\omega + b\omega = K i $$
$$ L\frac{di}{dt} + R i = V - K\omega $$
"""
BESIDE = r"""
$$ m\ddot{\mathbf r} = m\mathbf g - c v\mathbf v $$
$$ m\dot v_x = -c\sqrt{v_x^2 + v_y^2}\,v_x $$
$$ m\dot v_y = -m g - c\sqrt{v_x^2 + v_y^2}\,v_y $$
"""
DRAGGED = r"""
The speed is $v = \sqrt{v_x^2 + v_y^2}$, and

$$ \frac{dv_x}{dt} = -\frac{k}{m} v v_x, \quad \frac{dv_y}{dt} = -g - \frac{k}{m} v v_y $$
$$ \frac{dx}{dt} = v_x, \quad \frac{dy}{dt} = v_y $$
"""
ROLLING = r"""
$$ m\ddot x = m g\sin\alpha - f $$
$$ I\ddot\theta = f R $$
$$ \ddot x = R\ddot\theta $$
"""


@pytest.mark.one_in(3)
@pytest.mark.few(PULLEY, BESIDE, DRAGGED, MATRICES)
@pytest.mark.parametrize(
    ("text", "coordinates", "inputs"),
    [
        (WEDGE, {"s1"}, set()),
        (PULLEY, {"theta"}, set()),
        (FALL, {"s"}, set()),
        (THROWN, {"x", "y"}, set()),
        (SWUNG, {"theta"}, set()),
        (MATRICES, {"x1", "x2"}, {"f1", "f2"}),
        (OF_TIME, {"u1", "u2"}, {"p1", "p2"}),
        (ROLLING, {"theta"}, set()),
        (BESIDE, {"x", "y"}, set()),
        (DRAGGED, {"x", "y"}, set()),
        (MOTOR, {"theta"}, {"i", "K"}),
        (r"$$ m\dot v + b v = u $$", {"s"}, {"u"}),
    ],
    ids=[
        "wedge",
        "pulley",
        "fall",
        "thrown",
        "swung",
        "matrices",
        "of time",
        "rolling",
        "beside",
        "dragged",
        "motor",
        "cruise",
    ],
)
def test_a_model_is_built_with_places_of_its_own(
    tmp_path: Path, text: str, coordinates: set[str], inputs: set[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    made = freebody.adopt(page)
    assert made.models[0].name == "built"
    assert not made.models[0].fails
    assert made.model_path is not None
    model = freebody.load(made.model_path)
    assert model.coordinates.keys() == coordinates
    assert model.inputs.keys() == inputs
    ring = Ring()
    every = agreement([derive(model, method, ring) for method in METHODS])
    assert all(one.equal and one.proof == "exact" for one in every.values())


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        r"$$ F = m a $$",
        r"$$ m a\ddot\theta = -m g\sin\theta - m a b $$",
        "Down the ramp $$ a = \\alpha R, $$ $$ a = g\\sin\\theta $$",
        "$$ F = m a $$\n\n$$ L = \\frac12 m\\dot x^2 - \\frac12 k x^2 $$",
    ],
)
def test_a_letter_that_may_be_anything_has_no_place(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    known = freebody.adopt(page).models
    assert not any({"s", "phi"} & {*map(str, one.symbols.values())} for one in known)


@pytest.mark.few([r"$$ m l\frac{d^2\alpha}{dt^2} = -m g\sin\alpha $$"])
@pytest.mark.parametrize(
    "text",
    [
        r"$$ m l\frac{d^2\alpha}{dt^2} = -m g\sin\alpha $$",
        r"$$ \frac{d\alpha}{dt} = \omega, \quad \frac{d\omega}{dt} = -\frac{g}{l}\sin\alpha $$",
    ],
    ids=["accelerated", "with a rate"],
)
def test_an_angle_may_have_the_letter_of_an_acceleration(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    best = freebody.adopt(page).models[0]
    assert best.name == "pendulum"
    assert best.symbols[r"\alpha"] == "theta"


@pytest.mark.few([r"$$ I\ddot\theta = -k(\theta - \theta_0) $$"])
@pytest.mark.parametrize(
    "text",
    [
        r"$$ I\ddot\theta = -k(\theta - \theta_0) $$",
        r"$$ \ddot\theta_x = -\frac{k_x}{I_x}\theta_x $$",
        r"$$ J\ddot\theta + c\dot\theta + k\theta = T $$",
        r"$$ \frac32 m\ddot x + k x = 0 $$",
    ],
    ids=["a wire", "divided", "a shaft", "a disc that rolls"],
)
def test_what_turns_or_rolls_back_by_a_spring_is_built(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    made = freebody.adopt(page)
    assert made.models[0].name == "built"
    assert not made.models[0].fails
