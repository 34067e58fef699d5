"""Wheels that touch a plane where they are lowest, and balls and tyres that slide on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody
from conftest import OWN
from freebody.algebra import Ring
from freebody.errors import ModelError
from freebody.mechanics import agreement
from freebody.mechanics.derivation import METHODS
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


@pytest.mark.exhaustive
def test_a_disc_by_its_centre_moves_as_the_one_by_its_contact() -> None:
    own = freebody.simulate(loads(DISC), 1.0, step=0.1)
    other = freebody.simulate("rolling_disc", 1.0, step=0.1, unchecked=True)
    for name in ("yaw", "lean", "spin"):
        one, two = (run.data["coordinates"].sel(coordinate=name) for run in (own, other))
        np.testing.assert_allclose(one, two, atol=1e-9)
    assert own.energy_drift < 1e-11
    assert float(own.constraint_residual.max()) < 1e-11


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
def test_a_bicycle_keeps_its_energy_and_is_shown_in_space(tmp_path: Path) -> None:
    start = {"rear_dot": -15, "lean_dot": 0.2}
    run = freebody.simulate("bicycle", 1.0, initial=start, step=0.05)
    assert run.energy_drift < 1e-11
    assert float(run.constraint_residual.max()) < 1e-11
    run.view(tmp_path / "bicycle.html")


@pytest.mark.exhaustive
def test_formulations_agree_on_a_bicycle() -> None:
    moving, ring = freebody.mechanism("bicycle"), Ring()
    found = [freebody.derive(moving, method, ring) for method in METHODS]
    assert all(one.equal for one in agreement(found).values())


@pytest.mark.exhaustive
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


# ---------------------------------------------------------------------- that slide


def test_a_ball_that_slides_ends_as_coriolis_has_it() -> None:
    run = freebody.simulate("billiard_ball", 1.5, step=0.5)
    x, y = run.data["speeds"].sel(speed=["x_dot", "y_dot"])[-1].to_numpy()
    r = 0.02858
    np.testing.assert_allclose([x, y], [10 / 7 - 60 * r / 7, -20 * r / 7], atol=1e-10)


SPRUNG = """
[[contacts]]
name = "road"
on = "wheel"
at = [0, "d", 0]
axis = [0, 1, 0]
radius = "R"
section = "s"
normal = [0.1, 0, 1]
height = 0.05
stiffness = 1e5
"""


@pytest.mark.exhaustive
@pytest.mark.few(0)
@pytest.mark.parametrize("friction", [0, 0.5])
def test_a_sprung_tyre_pushes_where_it_is_lowest(friction: float) -> None:
    """Were it pushed elsewhere its energy would not be kept: the push has one by its depth."""
    rubbing = f"friction = {friction}\nsmoothing = 0.05\n" if friction else ""
    start = TYRE[: TYRE.index("[[constraints]]")]
    model = loads(start + SPRUNG + rubbing)
    moving = freebody.mechanism(model)
    ring = Ring()
    found = [freebody.derive(moving, method, ring) for method in METHODS]
    assert all(one.equal for one in agreement(found).values())
    if not friction:
        run = freebody.simulate(model, 0.3, tolerance=1e-12)
        assert float(np.ptp(run.data["speeds"].sel(speed="z_dot").to_numpy())) > 0.3
        energies = [_energy(model, run, at) for at in (0, -1)]
        assert energies[0] == pytest.approx(energies[1], abs=1e-7)


def _energy(model: Any, run: Any, at: int) -> float:
    f = freebody.compile(model)
    q, u = (run.data[name].to_numpy()[at] for name in ("coordinates", "speeds"))
    hub, axes = q[:3] + _turn(*q[3:]) @ [0, 0.02, 0], _turn(*q[3:])
    normal = np.array([0.1, 0, 1]) / np.sqrt(1.01)
    sine = np.sqrt(1 - (normal @ axes[:, 1]) ** 2)
    depth = max(0.05 - normal @ hub + 0.3 * sine + 0.04, 0)
    return float(f.kinetic_energy(q, u) + f.potential_energy(q) + 1e5 * depth**2.5 / 2.5)


def test_a_wheel_that_slides_has_a_radius() -> None:
    start = TYRE[: TYRE.index("[[constraints]]")]
    for old, told in (
        ('radius = "R"\n', "expected the 'radius'"),
        ("axis = [0, 1, 0]\n", "'axis'"),
    ):
        with pytest.raises(ModelError) as error:
            loads(start + SPRUNG.replace(old, ""))
        assert told in str(error.value)
