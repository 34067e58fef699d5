"""Functions by table: splines against scipy, in all that a function may stand in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.interpolate import CubicSpline, make_interp_spline, make_smoothing_spline

import freebody
from freebody.algebra import Ring
from freebody.errors import ModelError, ModelWarning
from freebody.mechanics import agreement, derive, mechanism
from freebody.model import dumps, loads
from freebody.model.functions import Table

X = (-2.0, -1.1, -0.3, 0.2, 0.9, 1.4, 2.2)
Y = (0.3, -0.1, 0.4, 0.5, 0.1, -0.2, 0.6)
FIFTH = [(3, 0.0), (4, 0.0)]
SPLINES = {
    ("linear", 3): lambda: make_interp_spline(X, Y, k=1),
    ("natural", 3): lambda: CubicSpline(X, Y, bc_type="natural"),
    ("natural", 5): lambda: make_interp_spline(X, Y, k=5, bc_type=(FIFTH, FIFTH)),
    ("not_a_knot", 3): lambda: CubicSpline(X, Y),
    ("gcv", 3): lambda: make_smoothing_spline(np.array(X), np.array(Y)),
}


@pytest.mark.parametrize(("kind", "degree"), SPLINES)
def test_a_table_is_its_spline_and_straight_beyond(kind: Any, degree: Any) -> None:
    table = Table(argument="rad", unit="m", kind=kind, degree=degree, x=X, y=Y).function("f")
    spline, q = SPLINES[kind, degree](), sympy.Symbol("q")
    slope = table(q).diff(q).func
    for x in (-1.99, -0.31, 0.55, 2.19):
        assert float(table.at(x)) == pytest.approx(float(spline(x)), abs=1e-13)
        assert float(slope.at(x)) == pytest.approx(float(spline.derivative()(x)), abs=1e-12)
    for x, end in ((-3.0, X[0]), (4.0, X[-1])):
        straight = spline(end) + spline.derivative()(end - 1e-12 * np.sign(x)) * (x - end)
        assert float(table.at(x)) == pytest.approx(float(straight), abs=1e-9)


CAM = """
title = "A slider that a cam lifts, on a spring by table"
gravity = [0, "-g", 0]
[coordinates]
q = { title = "turn of the cam", unit = "rad", initial = 0.4 }
[prescribed]
z = { title = "height of the axle", unit = "m", value = "lift(0.3*t/s)" }
[inputs]
T = { title = "moment", unit = "N*m", value = "T0*curve(q)" }
[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
s = { title = "a second", unit = "s", value = 1 }
T0 = { title = "largest moment", unit = "N*m", value = 0.2 }
[functions]
lift = { title = "lift", argument = "rad", unit = "m", x = [-1, 0, 0.5, 1], y = [0, 0.1, 0.2, 0] }
curve = { title = "of T", argument = "rad", unit = "1", kind = "linear", x = [-1, 1], y = [0, 1] }
pull = { title = "of the spring", argument = "m", unit = "N", x = [-1, 0, 1], y = [-9, 0, 5] }
[[bodies]]
name = "cam"
mass = 2
center_of_mass = [0.1, 0, 0]
inertia = 0.05
[[bodies]]
name = "tappet"
mass = 1
[[joints]]
name = "axle"
type = "pin"
parent = "ground"
child = "cam"
at = [0, 0, 0]
angle = "q"
torque = "T"
[[joints]]
name = "guide"
type = "slider"
parent = "ground"
child = "tappet"
axis = [0, 1, 0]
displacement = "lift(q) + z"
[[springs]]
joint = "guide"
law = "pull(elongation)"
"""


@pytest.fixture(scope="module")
def cam() -> Any:
    return loads(CAM)


@pytest.mark.exhaustive
def test_formulations_agree_and_programs_are_proved_with_tables(cam: Any) -> None:
    ring, moving = Ring(), mechanism(cam)
    found = [derive(moving, method, ring) for method in ("kane", "lagrange", "newton_euler")]
    assert all(agreement(found).values())
    at = {"t": 0.2, "q": [0.4], "u": [0.7], "inputs": [0.1]}
    functions = [freebody.compile(cam, backend=one) for one in ("numpy", "c")]
    one, other = (
        f.accelerations(**{k: v for k, v in at.items() if k in f.accelerations.arguments})
        for f in functions
    )
    np.testing.assert_allclose(one, other, rtol=1e-12)
    lift = CubicSpline([-1, 0, 0.5, 1], [0, 0.1, 0.2, 0], bc_type="natural")
    inertia = 0.05 + 2 * 0.01 + lift(0.4, 1) ** 2
    np.testing.assert_allclose(functions[0].mass_matrix(at["q"]), [[inertia]], rtol=1e-13)


def test_a_model_with_tables_is_written_and_read_again(cam: Any) -> None:
    assert loads(dumps(cam)) == cam


def test_derivatives_of_tables_are_known_to_a_linearization() -> None:
    still = CAM.replace("0.3*t/s", "0.3*s/s")
    model = loads(still)
    functions = freebody.compile(model, backend="numpy")

    def pull(q: float) -> Any:
        given = {"t": 0.0, "q": [q], "u": [0.0], "inputs": [0.0]}
        names = functions.accelerations.arguments
        return functions.accelerations(**{k: v for k, v in given.items() if k in names})[0]

    found = freebody.linearize(model, at="state", inputs={"T": 0.0})
    assert found.A[1, 0] == pytest.approx((pull(0.4 + 1e-5) - pull(0.4 - 1e-5)) / 2e-5, rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("lift(q) + z", "lift(q/s) + z", "lift takes a pure number, but"),
        ("lift(q) + z", "pull(q*s) + z", "pull takes what is in m, but"),
        ("lift(q) + z", "left(q) + z", "did you mean 'lift'?"),
        ("lift(q) + z", "lift(q, q) + z", "lift takes 1, not 2 arguments"),
        ("lift(q) + z", "s*curve(q)*lift(1) + z", "is in m*s"),
        ('{ title = "lift"', '{ kind = "linear", title = "lift"', "the velocity would jump"),
        ("x = [-1, 0, 1]", "x = [-1, 1, 0]", "expected 'x' that grows, found 0 after 1"),
        ("x = [-1, 0, 1]", "x = [-1, 0]", "as many 'y' as 'x', found 3 and 2"),
        ("x = [-1, 0, 1]", "x = [-1, 0, 'a']", "functions.pull.x[2]"),
        ("x = [-1, 0, 1]", "x = [-1, 0, nan]", "functions.pull.x[2]"),
        ('unit = "N", x', 'unit = "N", kind = "gcv", x', "expected at least 5 points"),
        ("pull = {", "sin = {", "'sin' is also a reserved name"),
        ("pull = {", "T0 = {", "'T0' is also a constant"),
    ],
)
def test_what_is_wrong_with_tables_is_told(old: str, new: str, told: str) -> None:
    assert old in CAM
    with pytest.raises(ModelError) as refused:
        loads(CAM.replace(old, new))
    assert told in str(refused.value)


def test_a_table_that_nothing_uses_is_told() -> None:
    with pytest.raises(ModelError, match=r"functions\.pull: is not used"):
        loads(CAM.replace('law = "pull(elongation)"', "stiffness = 4"))
    with pytest.warns(ModelWarning, match="no title of functions.lift"):
        loads(CAM.replace('title = "lift", ', ""))
