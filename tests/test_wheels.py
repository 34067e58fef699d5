"""Wheels that touch a plane where they are lowest, and balls and tyres that slide on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody
from conftest import OWN
from freebody.errors import ModelError
from freebody.model import loads

TYRE = OWN["tyre"].read_text(encoding="utf-8")
DISC = """
title   = "The rolling disc of the shipped model, by its centre"
gravity = [0, 0, "-g"]
[coordinates]
x    = { title = "centre", unit = "m", initial = 0 }
y    = { title = "centre", unit = "m", initial = 0 }
z    = { title = "centre", unit = "m", initial = "r" }
yaw  = { title = "heading", unit = "rad", initial = 0 }
lean = { title = "lean", unit = "rad", initial = 0.1 }
spin = { title = "turn", unit = "rad", initial = 0, initial_speed = 6 }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
r = { title = "radius", unit = "m", value = 0.3 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "disc"
mass = "m"
inertia = ["m*r**2/4", "m*r**2/2", "m*r**2/4"]
[[joints]]
name = "flight"
type = "free"
parent = "ground"
child = "disc"
translation = ["x", "y", "z"]
sequence = "zxy"
rotation = ["yaw", "lean", "spin"]
[[constraints]]
name = "rolling"
type = "wheel"
on = "disc"
axis = [0, 1, 0]
radius = "r"
normal = [0, 0, 1]
axes = ["x", "y"]
dependent = ["z", "x_dot", "y_dot"]
"""


def test_a_disc_by_its_centre_moves_as_the_one_by_its_contact() -> None:
    own = freebody.simulate(loads(DISC), 1.0, step=0.1)
    other = freebody.simulate("rolling_disc", 1.0, step=0.1, unchecked=True)
    for name in ("yaw", "lean", "spin"):
        one, two = (run.data["coordinates"].sel(coordinate=name) for run in (own, other))
        np.testing.assert_allclose(one, two, atol=1e-9)
    assert own.energy_drift < 1e-11
    assert float(own.constraint_residual.max()) < 1e-11


def test_a_tyre_touches_where_it_is_lowest_and_keeps_its_energy() -> None:
    run = freebody.simulate(loads(TYRE), 1.0, step=0.25)
    assert run.energy_drift < 1e-11
    assert float(run.constraint_residual.max()) < 1e-11
    normal = np.array([0.1, 0, 1]) / np.sqrt(1.01)
    for q in run.data["coordinates"].to_numpy():
        hub, axes = q[:3], _turn(*q[3:])
        hub = hub + axes @ [0, 0.02, 0]
        around, across = np.meshgrid(*[np.linspace(-np.pi, np.pi, 1441)] * 2)
        far = 0.3 + 0.04 * np.cos(across)
        torus = np.stack([far * np.sin(around), 0.04 * np.sin(across), far * np.cos(around)])
        heights = np.einsum("i,ij,jkl", normal, axes, torus) + normal @ hub
        assert heights.min() == pytest.approx(0.05, abs=3e-6)


def _turn(yaw: float, lean: float, spin: float) -> Any:
    (a, b, c), (s, t, u) = np.cos([yaw, lean, spin]), np.sin([yaw, lean, spin])
    turns = [[[a, -s, 0], [s, a, 0], [0, 0, 1]], [[1, 0, 0], [0, b, -t], [0, t, b]]]
    return np.linalg.multi_dot([*map(np.array, turns), [[c, 0, u], [0, 1, 0], [-u, 0, c]]])


def test_a_bicycle_keeps_its_energy_and_is_shown_in_space(tmp_path: Path) -> None:
    start = {"rear_dot": -15, "lean_dot": 0.2}
    run = freebody.simulate("bicycle", 1.0, initial=start, step=0.05)
    assert run.energy_drift < 1e-11
    assert float(run.constraint_residual.max()) < 1e-11
    run.view(tmp_path / "bicycle.html")


def test_a_wheel_that_glides_is_only_held_up() -> None:
    text = DISC.replace('["x", "y"]\ndep', "[]\ndep").replace('["z", "x_dot", "y_dot"]', '["z"]')
    run = freebody.simulate(loads(text), 0.5)
    assert run.energy_drift < 1e-11
    speeds = run.data["speeds"].sel(speed=["x_dot", "y_dot"])
    assert float(abs(speeds).max()) < 1e-12


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('axes = ["x", "y"]', 'axes = ["x", "y", "z"]', "at most two axes"),
        ('["z", "x_dot", "y_dot"]', '["z", "x", "y_dot"]', "expected a speed, found 'x'"),
        ('["z", "x_dot", "y_dot"]', '["z_dot", "x_dot", "y_dot"]', "expected a coordinate, found"),
        ('["z", "x_dot", "y_dot"]', '["z", "x_dot"]', "expected 3, one for each equation"),
        ('radius = "R"\n', "", "radius: is missing"),
        ('section = "s"', 'section = "-s"', "section"),
        ('on = "wheel"\nat', 'on = "whel"\nat', "did you mean 'wheel'"),
    ],
)
def test_what_is_wrong_with_a_wheel_is_told(old: str, new: str, told: str) -> None:
    assert old in TYRE
    with pytest.raises(ModelError) as error:
        loads(TYRE.replace(old, new))
    assert told in str(error.value)
