"""Motions that keep their energy and their constraints, and motions that do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.integrate import solve_ivp

from freebody import simulate
from freebody.cli import main
from freebody.errors import SimulationError
from freebody.model import Model, loads
from freebody.simulation import ENGINES, LostMotionError

GRAIN = """
title = "A grain in a field"
[coordinates]
x = {{ title = "place", unit = "m", initial = 0 }}
[constants]
m = {{ title = "mass", unit = "kg", value = 1 }}
a = {{ title = "strength", unit = "1", value = 1 }}
s = {{ title = "a length", unit = "m", value = 1 }}
f = {{ title = "a force", unit = "N", value = 1 }}
[[bodies]]
name = "grain"
mass = "m"
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "grain"
displacement = "x"
[[forces]]
on = "grain"
vector = ["{law}", 0, 0]
"""
FIELDS = {  # the series at rest has its first coefficients far apart
    "a*f*cos(x/s)": lambda x: np.cos(x),
    "a*f*(1 - (x/s)**5)": lambda x: 1 - x**5,
    "a*f*(1 - (x/s)**9)": lambda x: 1 - x**9,
    "a*f*(1 - (x/s)**21)": lambda x: 1 - x**21,
    "a*f*exp(-(x/s)**4)": lambda x: np.exp(-(x**4)),
}
TOLERANCES = {"pydy": (1e-6, 1e-9, 1e-13), "scipy": (1e-6, 1e-9), "heyoka": (1e-6, 1e-9, 1e-16)}
CASES = [(engine, tolerance) for engine in ENGINES for tolerance in TOLERANCES[engine]]


def grain(law: str) -> Model:
    return loads(GRAIN.format(law=law))


def pendulum(**given: Any) -> Any:
    return simulate("pendulum", **{"unchecked": True, "step": 0.1, **given})


@pytest.mark.one_in(4)
@pytest.mark.each_once
@pytest.mark.parametrize(("engine", "tolerance"), CASES)
@pytest.mark.parametrize("law", FIELDS)
def test_series_with_gaps_are_followed(law: str, engine: str, tolerance: float) -> None:
    pytest.importorskip(engine)
    run = simulate(grain(law), 4, step=0.1, engine=engine, tolerance=tolerance)
    force = FIELDS[law]
    true = solve_ivp(lambda _, y: [y[1], force(y[0])], (0, 4), [0, 0], rtol=1e-12, atol=1e-12)
    assert float(run.data["coordinates"][-1, 0]) == pytest.approx(true.y[0, -1], abs=1e-3)
    assert run.energy_drift < 1e3 * max(tolerance, 1e-15)


@pytest.mark.few("heyoka")
@pytest.mark.each_once
@pytest.mark.parametrize("start", ["pi/2", "-pi/2", "pi/2 + 2*pi"])
@pytest.mark.parametrize(("engine", "tolerance"), CASES)
def test_a_pendulum_falls_from_the_horizontal(engine: str, tolerance: float, start: str) -> None:
    pytest.importorskip(engine)
    run = pendulum(duration=10, engine=engine, tolerance=tolerance, initial={"theta": start})
    assert run.energy_drift < 1e3 * max(tolerance, 1e-15)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pulse_is_not_stepped_over(engine: str) -> None:
    pytest.importorskip(engine)
    pulse = {"T": "10*exp(-100*(t - 5)**2)"}
    coarse = {"tolerance": 1e-8} if engine == "scipy" else {}
    run = pendulum(duration=6, engine=engine, initial={"theta": 0}, inputs=pulse, **coarse)
    assert float(run.data["coordinates"].max()) > 1


@pytest.mark.each_once
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("start", [0.0, 1e-12, 1e-7, 1e-3])
def test_hardly_any_motion_keeps_its_energy(engine: str, start: float) -> None:
    pytest.importorskip(engine)
    assert pendulum(engine=engine, tolerance=1e-9, initial={"theta": start}).energy_drift < 1e-4


@pytest.mark.parametrize("engine", ["pydy", "scipy"])
def test_a_motion_that_lost_its_energy_is_a_failure(engine: str) -> None:
    given = {"duration": 50, "engine": engine, "tolerance": 0.1, "initial": {"theta": 3}}
    with pytest.raises(LostMotionError, match=r"its energy drifts by \S+, more than 0.001") as lost:
        pendulum(**given)
    drift = lost.value.result.energy_drift
    assert drift > 1e-3
    kept = pendulum(**given, max_drift=2 * drift)
    assert kept.statistics["max_drift"] == 2 * drift
    assert kept.energy_drift == drift


@pytest.mark.exhaustive
def test_a_motion_that_left_its_constraints_is_a_failure() -> None:
    with pytest.raises(LostMotionError, match=r"off its constraints by \S+, more than 1e-20"):
        simulate("four_bar", 1, max_residual=1e-20, unchecked=True)


def test_bounds_are_positive() -> None:
    with pytest.raises(SimulationError, match="expected a positive bound of the drift, found -1"):
        pendulum(max_drift=-1)


def test_a_lost_motion_is_told_and_not_written(tmp_path: Path) -> None:
    command = ["simulate", "pendulum", "--unchecked", "--tolerance", "0.1", "--duration", "50"]
    path = tmp_path / "run.csv"
    lost = CliRunner().invoke(main, [*command, "--initial", "theta=3", "-o", str(path)])
    assert lost.exit_code == 1
    assert "of the largest energy at work, at most 0.001 allowed" in lost.output
    assert "nothing is written" in lost.output
    assert not path.exists()
    options = ["--initial", "theta=3", "-o", str(path), "--max-drift", "10"]
    assert CliRunner().invoke(main, [*command, *options]).exit_code == 0
    assert path.exists()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", ["1e-6", "1", "1e6"])
def test_loops_close_at_every_scale(size: str) -> None:
    model = loads(LOOP.replace("SIZE", size))
    run = simulate(model, 1, tolerance=1e-10)
    assert run.statistics["constraint_residual"] < 1e-12
    angle = float(run.data["coordinates"][0].sel(coordinate="b"))
    assert np.sin(angle) == pytest.approx(np.sin(0.7) / 2, rel=1e-10)


@pytest.mark.exhaustive
def test_a_speed_that_is_held_at_zero_does_not_measure_itself() -> None:
    run = simulate("cart_on_slope", 0.2)
    aside = np.abs(run.data["speeds"].sel(speed="u3").to_numpy()).max()
    assert 0 < aside < 1e-12
    assert run.statistics["constraint_residual"] < 1e-12


LOOP = """
title = "A slider-crank of any size"
[coordinates]
a = { title = "crank", unit = "rad", initial = 0.7, initial_speed = 1 }
b = { title = "rod", unit = "rad", initial = 0.3 }
[constants]
r = { title = "crank length", unit = "m", value = SIZE }
m = { title = "mass", unit = "kg", value = 1 }
[[bodies]]
name = "crank"
mass = "m"
center_of_mass = ["r/2", 0, 0]
inertia = "m*r**2/12"
[[bodies]]
name = "rod"
mass = "m"
center_of_mass = ["r", 0, 0]
inertia = "m*r**2/3"
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
at = ["r", 0, 0]
child = "rod"
angle = "-a-b"
[[constraints]]
name = "guide"
type = "coincident"
axes = ["y"]
between = [{ on = "ground" }, { on = "rod", at = ["2*r", 0, 0] }]
dependent = ["b"]
"""
