"""Custom joints: shifts and turns by expressions of the coordinates, and functions by table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

import freebody
from freebody.algebra import Ring
from freebody.errors import ModelError, ModelWarning
from freebody.mechanics import agreement, derive, mechanism
from freebody.model import loads

KNEE = """
title = "A shank whose knee rolls and slides as it bends"
gravity = [0, "-g", 0]

[coordinates]
knee = { title = "flexion of the knee", unit = "rad", initial = -0.4 }
along = { title = "play along the shank", unit = "m", initial = 0.01 }

[inputs]
T = { title = "moment about the knee's axis", unit = "N*m", value = 0.5 }
F = { title = "force along the shank", unit = "N", value = 3 }

[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
r = { title = "radius of the condyle", unit = "m", value = 0.03 }
c = { title = "tilt of the axis", unit = "1", value = 0.2 }

[functions.roll]
title = "how far the knee rolls"
argument = "rad"
unit = "m"
kind = "forsythe"
x = [-2.1, -1.3, -0.6, -0.2, 0, 0.4]
y = [-0.02, -0.011, -0.007, -0.004, 0, 0.001]

[[bodies]]
name = "shank"
mass = 3
center_of_mass = [0, -0.15, 0]
inertia = [0.04, 0.005, 0.04]

[[joints]]
name = "knee_joint"
type = "custom"
parent = "ground"
child = "shank"
at = [0, -0.4, 0]
motion = [
  { along = [1, 0, 0], by = "roll(knee)" },
  { along = [0, 3, 4], by = "r*knee**2/2" },
  { about = [0, 0, 1], by = "knee", torque = "T" },
  { along = [0, -1, 0], by = "along", force = "F" },
  { about = [1, 0, 0], by = "c*knee" },
]
"""


@pytest.fixture(scope="module")
def leg() -> Any:
    return loads(KNEE)


def test_formulations_of_a_custom_joint_agree() -> None:
    flat = KNEE.replace('  { about = [1, 0, 0], by = "c*knee" },\n', "")
    with pytest.warns(ModelWarning, match=r"constants\.c: is not used"):
        ring, moving = Ring(), mechanism(loads(flat))
    found = [derive(moving, method, ring) for method in ("kane", "lagrange", "newton_euler")]
    assert all(agreement(found).values())


def _turn(axis: Any, angle: float) -> Any:
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across


X, Y = [-2.1, -1.3, -0.6, -0.2, 0, 0.4], [-0.02, -0.011, -0.007, -0.004, 0, 0.001]


def _roll(angle: float) -> float:
    """Return the spline by its equations, the third derivatives at its ends those of cubics."""
    first, last = (6 * np.polyfit(X[part], Y[part], 3)[0] for part in (slice(4), slice(-4, None)))
    spline = make_interp_spline(X, Y, bc_type=([(3, first)], [(3, last)]))
    inside = np.clip(angle, X[0], X[-1])
    return float(spline(inside) + spline(inside, 1) * (angle - inside))


def _centre(q: Any) -> Any:
    """Return where the centre of mass of the shank is, by hand."""
    knee, along = q
    place = _turn([1, 0, 0], 0.2 * knee) @ np.array([0, -0.15, 0]) - np.array([0, along, 0])
    place = _turn([0, 0, 1], knee) @ place
    up = 0.03 * knee**2 / 2
    return place + np.array([_roll(knee), 0.6 * up - 0.4, 0.8 * up])


def test_a_custom_joint_moves_step_by_step_and_its_actuators_do_work(leg: Any) -> None:
    functions, q = freebody.compile(leg, backend="numpy"), np.array([-0.5, 0.02])
    for angle in (-0.5, 0.3, 1.4, -2.3):
        at = np.array([angle, 0.02])
        np.testing.assert_allclose(functions["position.shank"](at), _centre(at), atol=1e-14)
    tau = functions.tau(q=q, u=0 * q, inputs=[0.5, 3.0])
    np.testing.assert_allclose(tau, [0.5, 3.0], atol=1e-14)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("about = [1, 0, 0]", "about = [1, 0, 0], along = [1, 0, 0]", "found both"),
        ("{ about = [1, 0, 0], by", "{ by", "found neither"),
        ("about = [1, 0, 0]", "about = [0, 0, 0]", "expected a direction"),
        ('torque = "T"', 'force = "T"', "expected 'torque' with 'about', found 'force'"),
        ('torque = "T"', 'torqe = "T"', "did you mean 'torque'?"),
        ('by = "c*knee"', 'by = "r*knee"', "expected a value in rad"),
        ('by = "c*knee"', 'by = "Abs(knee)"', "the velocity would jump"),
    ],
)
def test_what_is_no_motion_is_told(old: str, new: str, told: str) -> None:
    assert old in KNEE
    with pytest.raises(ModelError, match="motion") as refused:
        loads(KNEE.replace(old, new))
    assert told in str(refused.value)
