"""Mechanisms that move through positions in which their constraints do not decide how."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.integrate import solve_ivp

from conftest import OWN
from freebody import simulate
from freebody.cli import main
from freebody.errors import SimulationError
from freebody.model import Model, loads
from freebody.simulation import ENGINES

FOUR_BAR = """
title = "One to two loops of rods of one length, as in the IFToMM library of benchmarks"
gravity = [0, "-g", 0]
[each]
i = { from = 1, to = COUNT }
[coordinates]
a0 = { title = "first crank", unit = "rad", initial = "pi/2", initial_speed = -1 }
"b{i}" = { title = "coupler", unit = "rad", initial = 0 }
"a{i}" = { title = "crank", unit = "rad", initial = "pi/2", initial_speed = -1 }
[constants]
l = { title = "length", unit = "m", value = 1 }
m = { title = "mass", unit = "kg", value = 1 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "crank0"
mass = "m"
center_of_mass = ["l/2", 0, 0]
inertia = "m*l**2/12"
[[bodies]]
name = "coupler{i}"
mass = "m"
center_of_mass = ["l/2", 0, 0]
inertia = "m*l**2/12"
[[bodies]]
name = "crank{i}"
mass = "m"
center_of_mass = ["l/2", 0, 0]
inertia = "m*l**2/12"
[[joints]]
name = "A0"
type = "pin"
parent = "ground"
child = "crank0"
angle = "a0"
[[joints]]
name = "A{i}"
type = "pin"
parent = "ground"
at = ["{i}*l", 0, 0]
child = "crank{i}"
angle = "a{i}"
[[joints]]
name = "B{i}"
type = "pin"
parent = "crank{i-1}"
at = ["l", 0, 0]
child = "coupler{i}"
angle = "b{i} - a{i-1}"
[[constraints]]
name = "C{i}"
type = "coincident"
axes = ["x", "y"]
between = [{ on = "crank{i}", at = ["l", 0, 0] }, { on = "coupler{i}", at = ["l", 0, 0] }]
dependent = ["b{i}", "a{i}"]
"""

SLIDER_CRANK = """
title = "A slider-crank, crank and rod of one length unless said otherwise"
[coordinates]
a = { title = "crank", unit = "rad", initial = 0.5, initial_speed = 3 }
b = { title = "rod", unit = "rad", initial = 0.5 }
x = { title = "slider", unit = "m", initial = "2*l*cos(0.5)" }
[constants]
l = { title = "length of the crank", unit = "m", value = 0.3 }
rod = { title = "length of the rod", unit = "m", value = "l" }
m = { title = "mass", unit = "kg", value = 2 }
[[bodies]]
name = "crank"
mass = "m"
center_of_mass = ["l/2", 0, 0]
inertia = "m*l**2/12"
[[bodies]]
name = "rod_body"
mass = "m"
center_of_mass = ["rod/2", 0, 0]
inertia = "m*rod**2/12"
[[bodies]]
name = "block"
mass = "m"
[[joints]]
name = "shaft"
type = "pin"
parent = "ground"
child = "crank"
angle = "a"
[[joints]]
name = "wrist"
type = "pin"
parent = "crank"
at = ["l", 0, 0]
child = "rod_body"
angle = "-b - a"
[[joints]]
name = "guide"
type = "slider"
parent = "ground"
child = "block"
axis = [1, 0, 0]
displacement = "x"
[[constraints]]
name = "pivot"
type = "coincident"
axes = ["x", "y"]
between = [{ on = "block" }, { on = "rod_body", at = ["rod", 0, 0] }]
dependent = ["b", "x"]
"""

BRAKE = """
[[springs]]
joint = "shaft"
stiffness = "10*m*l**2*w**2"
rest = "pi/2"
[[dampers]]
joint = "shaft"
damping = "20*m*l**2*w"
"""


def fine(engine: str) -> dict[str, Any]:
    pytest.importorskip(engine)
    return {"engine": engine, "tolerance": 1e-8 if engine == "scipy" else 1e-11}


def four_bar(count: int = 1) -> Model:
    return loads(FOUR_BAR.replace("COUNT", str(count)))


def parallelogram(count: int, duration: float) -> float:
    """Return the angle of a crank, by the one freedom that a motion of parallelograms has."""
    inertia, weight = (count + 1) / 3 + count, (count + 1) / 2 + count
    slope = -weight / inertia * 9.81
    start, ends = [np.pi / 2, -1.0], (0, duration)
    fall = solve_ivp(lambda _, y: [y[1], slope * np.cos(y[0])], ends, start, rtol=1e-12, atol=1e-12)
    return float(fall.y[0, -1])


@pytest.mark.exhaustive("1-10-pydy", "2-3-pydy")
@pytest.mark.few("pydy")
@pytest.mark.each_once
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("count", "duration"), [(1, 10), (2, 3)])
def test_parallelograms_go_on_as_such_and_it_is_told(
    engine: str, count: int, duration: float
) -> None:
    run = simulate(four_bar(count), duration, **fine(engine))
    assert float(run.data["coordinates"][-1, 0]) == pytest.approx(
        parallelogram(count, duration), abs=1e-4
    )
    assert run.energy_drift < 1e-6
    flat = run.statistics["singular_positions"]
    assert len(flat) >= 2
    assert flat == sorted(flat)


def test_the_angle_of_the_benchmark() -> None:
    assert parallelogram(1, 10) == pytest.approx(-30.34, abs=5e-3)


@pytest.mark.few("pydy")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_slider_crank_of_equal_lengths_goes_on_straight(engine: str) -> None:
    """The block goes on, rather than stay in the middle while crank and rod turn as one."""
    run = simulate(loads(SLIDER_CRANK), 2, step=0.05, **fine(engine))
    a, x = (run.data["coordinates"].sel(coordinate=name).to_numpy() for name in "ax")
    np.testing.assert_allclose(x, 0.6 * np.cos(a), atol=1e-7)
    crossed = np.floor((a[-1] - np.pi / 2) / np.pi) + 1
    assert len(run.statistics["singular_positions"]) == crossed >= 1
    assert run.energy_drift < 1e-6


@pytest.mark.parametrize("engine", ENGINES)
def test_a_position_that_is_nearly_singular_is_none(engine: str) -> None:
    run = simulate(loads(SLIDER_CRANK), 1, constants={"rod": 0.301}, **fine(engine))
    assert run.statistics["singular_positions"] == []
    assert run.energy_drift < 1e-6


@pytest.mark.few("pydy")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_mechanism_that_comes_to_rest_in_a_singular_position_is_not_decided(engine: str) -> None:
    """A brake takes the speed of the crank away until it is upright."""
    w = 'w = { title = "a rate", unit = "1/s", value = 5 }\nm = {'
    brake = SLIDER_CRANK.replace("m = {", w, 1) + BRAKE
    with pytest.raises(SimulationError, match="equations do not decide how it goes on"):
        simulate(loads(brake), 20, **fine(engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_start_in_a_singular_position_is_told(engine: str) -> None:
    with pytest.raises(SimulationError, match="singular position"):
        simulate(four_bar(), 1, initial={"a0": 0, "a1": 0}, **fine(engine))


@pytest.mark.each_once
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "rolling_disc"])
@pytest.mark.exhaustive
def test_other_mechanisms_are_in_none(name: str, engine: str) -> None:
    run = simulate(OWN.get(name, name), 1, unchecked=True, **fine(engine))
    assert run.statistics["singular_positions"] == []


def test_an_event_in_a_singular_position_is_told() -> None:
    from freebody import Event

    with pytest.raises(SimulationError, match="event 'a0 = 0' happens in a singular position"):
        simulate(four_bar(), 1, events=[Event("a0 = 0")])


def test_the_choice_is_told(tmp_path: Any) -> None:
    path = tmp_path / "model.toml"
    path.write_text(FOUR_BAR.replace("COUNT", "1"))
    told = CliRunner().invoke(main, ["simulate", str(path), "--duration", "1"])
    assert told.exit_code == 0
    assert "singular position at t = 0.70845 s: the constraints do not decide" in told.output
    assert "chosen is its smooth continuation" in told.output
