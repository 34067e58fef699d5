"""Engines against each other, and what happens on the way."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from click.testing import CliRunner
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import freebody
from conftest import OWN
from freebody import Event, simulate
from freebody.backends.compiler import command
from freebody.cli import main
from freebody.errors import SimulationError
from freebody.model import loads, shipped
from freebody.simulation import ENGINES

EXAMPLES = Path(__file__).parents[1] / "examples"
OTHERS = [name for name in ENGINES if name != "pydy"]
MOTIONS: dict[str, dict[str, Any]] = {
    "three_link_arm": {"inputs": {"T1": "-2*alpha1_dot + sin(t)"}},
    "four_bar": {},  # a closed loop
    "rolling_disc": {},  # without slip
    "bouncer": {},  # contact, and a ramp that moves
    "walker": {},
}
FALL = OWN["fall"]
"""From a height of 2 m, up at 4 m/s and along at 3 m/s."""
LANDED = (4 + np.sqrt(16 + 4 * 9.81)) / 9.81


def run(name: str, **given: Any) -> Any:
    given = {"duration": 2, "step": 0.05, "tolerance": 1e-10, "unchecked": True, **given}
    return simulate(OWN.get(name, name), **given)


@pytest.mark.exhaustive("three_link_arm-scipy", "four_bar-heyoka")
@pytest.mark.few("four_bar", "three_link_arm")
@pytest.mark.each_once
@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("name", MOTIONS)
def test_engines_agree(name: str, engine: str) -> None:
    pytest.importorskip(engine)
    coarse = {"tolerance": 1e-7} if engine == "scipy" else {}
    one, other = run(name, **MOTIONS[name]), run(name, engine=engine, **MOTIONS[name], **coarse)
    bound = 1e-3 if coarse else 1e-6
    np.testing.assert_allclose(
        other.data["coordinates"], one.data["coordinates"], atol=bound, rtol=bound
    )
    assert {*one.data.data_vars} == {*other.data.data_vars}
    assert one.statistics.keys() == other.statistics.keys()
    assert other.energy_drift < (1e-4 if coarse else 1e-9)
    assert other.provenance["versions"].keys() >= {engine, "freebody"}
    if "constraint_residual" in other.statistics:
        assert other.statistics["constraint_residual"] < 1e-12


def test_heyoka_reaches_the_last_digits() -> None:
    pytest.importorskip("heyoka")
    arm = run("three_link_arm", engine="heyoka", tolerance=1e-16)
    assert arm.energy_drift < 1e-14
    with pytest.raises(SimulationError, match="expected a tolerance from 1e-13"):
        run("three_link_arm", tolerance=1e-16)


def test_what_computes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = run("pendulum")
    monkeypatch.setattr("freebody.backends.compiler.shutil.which", lambda _: None)
    command.cache_clear()
    plain = run("pendulum")
    command.cache_clear()
    assert plain.provenance["backend"] == "numpy"
    np.testing.assert_allclose(
        fast.data["coordinates"], plain.data["coordinates"], rtol=1e-7, atol=1e-7
    )


def test_an_unknown_engine_is_told() -> None:
    with pytest.raises(SimulationError, match=r"found 'heyokka'; did you mean 'heyoka'\?"):
        run("pendulum", engine="heyokka")


# ---------------------------------------------------------------------- events


@pytest.mark.parametrize("engine", ENGINES)
def test_a_motion_stops_at_an_event(engine: str) -> None:
    pytest.importorskip(engine)
    flight = simulate(FALL, 3, engine=engine, events=[Event("position.ball.y < 0")])
    (event,) = flight.events
    assert event["time"] == pytest.approx(LANDED, abs=1e-9)
    last = flight.data.isel(time=-1)
    assert float(last["time"]) == event["time"]
    np.testing.assert_allclose(last["coordinates"].sel(coordinate="x"), 3 * LANDED, rtol=1e-9)
    assert abs(float(last["coordinates"].sel(coordinate="y"))) < 1e-9


@pytest.mark.parametrize("engine", ENGINES)
def test_a_ball_bounces(engine: str) -> None:
    pytest.importorskip(engine)
    bounce = Event("y", action={"y_dot": "-0.5*y_dot"}, direction=-1)
    flight = simulate(FALL, 2.2, engine=engine, events=[bounce, Event("x = 1", "record")])
    speed = np.sqrt(16 + 4 * 9.81)
    times = [1 / 3, LANDED, LANDED + speed / 9.81]
    np.testing.assert_allclose([event["time"] for event in flight.events], times, atol=1e-9)
    y = flight.data["coordinates"].sel(coordinate="y")
    assert float(y.min()) > -1e-12
    assert flight.energy_drift < 1e-9  # what an impact takes is work
    assert float(flight.data["energy"].sel(kind="work")[-1]) < -1


SQUATS = """
title = "A swing whose rider goes up and down"
gravity = [0, "-g", 0]
[coordinates]
phi = { title = "swing", unit = "rad", initial = 0.4 }
[prescribed]
z = { title = "squat", unit = "m", value = "a*sin(3*t)" }
[constants]
m = { title = "rider", unit = "kg", value = 60 }
l = { title = "rope", unit = "m", value = 2.5 }
a = { title = "amplitude", unit = "m", value = 0.6 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "rope"
mass = 0
[[bodies]]
name = "rider"
mass = "m"
[[joints]]
name = "hang"
type = "pin"
parent = "ground"
child = "rope"
angle = "phi"
[[joints]]
name = "knees"
type = "slider"
axis = [0, 1, 0]
parent = "rope"
child = "rider"
at = [0, "-l", 0]
displacement = "z"
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_the_work_of_an_impact_is_that_at_its_time(engine: str) -> None:
    """The inertia of what moves as given depends on time."""
    pytest.importorskip(engine)
    slower = Event("t = 0.5", action={"phi_dot": "0.5*phi_dot"})
    swing = simulate(loads(SQUATS), 1, engine=engine, tolerance=1e-9, events=[slower])
    assert swing.energy_drift < 1e-6


def test_events_that_do_not_happen_are_told() -> None:
    events = [Event("position.ball.y < 0"), Event("x > 1e6", "record"), Event("1 > 2", "record")]
    flight = simulate(FALL, 1, events=events[1:])
    assert flight.statistics["events_missed"] == ["x > 1e6", "1 > 2"]
    assert simulate(FALL, 3, events=events[:1]).statistics["events_missed"] == []
    given = ["simulate", "pendulum", "--duration", "0.1", "--stop-when", "theta > 9", "--unchecked"]
    assert "theta > 9: did not happen" in CliRunner().invoke(main, given).output


@pytest.mark.parametrize(("sign", "times"), [("=", 4), (">", 2), ("<", 2)])
def test_a_sign_says_the_direction(sign: str, times: int) -> None:
    period = 2 * np.pi / 3  # of the oscillator
    events = [Event(f"x {sign} 0", "record")]
    found = simulate(OWN["oscillator"], 2 * period, events=events).events
    assert len(found) == times


def test_a_loop_stops_at_an_angle() -> None:
    loop = run("four_bar", events=[Event("theta2 = 2")])
    assert float(loop.data["coordinates"].sel(coordinate="theta2")[-1]) == pytest.approx(2)
    assert loop.statistics["constraint_residual"] < 1e-12


def test_a_body_that_comes_to_rest_is_told() -> None:
    dead = Event("y < 0", action={"y_dot": "-0.2*y_dot"})
    with pytest.raises(SimulationError, match="follows on itself"):
        simulate(FALL, 5, events=[dead])


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Event("yy = 0"), "unknown name 'yy'; did you mean 'y'?"),
        (Event("y = __import__('os')"), "did not expect"),
        (Event("y", {"y_dt": 1}), "there is no speed 'y_dt'; did you mean 'y_dot'?"),
        (Event("position.bal.y"), "found 'bal'; did you mean 'ball'?"),
        (Event("y = 1 = 2"), "event 'y = 1 = 2'"),
    ],
)
def test_an_event_that_cannot_be_read_is_told(event: Event, told: str) -> None:
    with pytest.raises(freebody.errors.FreebodyError) as error:
        simulate(FALL, 1, events=[event])
    assert told in str(error.value)


def test_an_action_that_is_none_is_told() -> None:
    with pytest.raises(freebody.errors.ArgumentError, match="expected 'stop' or 'record'"):
        Event("y", "halt")  # type: ignore[arg-type]


def test_events_are_given_on_the_command_line() -> None:
    bounce = ["--set-when", "y < 0: y_dot = -0.5*y_dot, phi_dot = Max(phi_dot, 1)"]
    stop = ["--stop-when", "x > 5", "--record-when", "y = 1"]
    ran = CliRunner().invoke(main, ["simulate", str(FALL), *bounce, *stop])
    assert ran.exit_code == 0, ran.output
    assert f"y < 0 at t = {LANDED:.9g} s" in ran.output
    assert "x > 5 at t = 1.66666667 s" in ran.output
    assert "y = 1 at" in ran.output
    wrong = CliRunner().invoke(main, ["simulate", str(FALL), "--set-when", "y < 0"])
    assert wrong.exit_code == 2
    assert "expected EVENT:SPEED=EXPRESSION" in wrong.output


# ---------------------------------------------------------------------- optimal control


@pytest.mark.exhaustive
def test_a_reach_of_least_effort_arrives(tmp_path: Path) -> None:
    pytest.importorskip("casadi")
    example = runpy.run_path(str(EXAMPLES / "optimal_reach.py"))
    q, u, torques, effort = example["reach"](freebody.compile("two_link", backend="casadi"))
    plain, steps = freebody.compile("two_link"), len(torques)
    state, step = np.concatenate([q[0], u[0]]), example["DURATION"] / steps
    for given in torques:

        def slope(t: float, y: Any, forces: Any = (*given, 0.0, 0.0)) -> Any:
            return plain.rhs(t, y[:2], y[2:], forces)

        state = solve_ivp(slope, (0, step), state, rtol=1e-9, atol=1e-9).y[:, -1]
    np.testing.assert_allclose(plain["position.tip"](state[:2])[:2], example["TARGET"], atol=1e-4)
    np.testing.assert_allclose(state[2:], 0, atol=1e-3)
    assert effort == pytest.approx(step * np.sum(torques**2))
    example["main"](tmp_path / "reach.png")
    assert (tmp_path / "reach.png").read_bytes().startswith(b"\x89PNG")


def test_opty_has_our_equations() -> None:
    pytest.importorskip("opty")
    nodes, step = 101, 0.01
    motion = simulate("pendulum", 1, step=step, inputs={"T": "sin(t)"}, unchecked=True).data
    problem = freebody.opty_problem(
        "pendulum",
        lambda _: 0.0,
        lambda free: 0 * free,
        nodes,
        step,
        integration_method="midpoint",
        backend="numpy",
    )
    parts = [motion["coordinates"], motion["speeds"], motion["inputs"]]
    free = np.concatenate([part.to_numpy()[:, 0] for part in parts])
    left = problem.con(free)
    assert 0 < np.abs(left).max() < 1e-3
    free[nodes + 50] += 0.1
    assert np.abs(problem.con(free)).max() > 1


def test_a_solution_of_opty_comes_back_as_a_motion() -> None:
    pytest.importorskip("opty")
    nodes, step = 101, 0.01
    run = simulate("pendulum", 1, step=step, inputs={"T": "sin(t)"}, constants={"m": 2.0}).data
    how: dict[str, Any] = {"unknown": ["m"], "backend": "numpy"}
    nothing = (lambda _: 0.0, lambda free: 0 * free)
    problem = freebody.opty_problem("pendulum", *nothing, nodes, sympy.Symbol("h"), **how)
    parts = [run[name].to_numpy()[:, 0] for name in ("coordinates", "speeds", "inputs")]
    motion = freebody.opty_motion("pendulum", problem, np.concatenate([*parts, [2.0, step]]))
    np.testing.assert_allclose(motion.data["coordinates"], run["coordinates"])
    np.testing.assert_allclose(motion.data["accelerations"], run["accelerations"], atol=1e-9)
    told = re.search("up to (.*) off \\(theta\\)", motion.choices["simulated"])
    assert told
    assert float(told[1]) < 1e-6
    with pytest.raises(SimulationError, match="expected a problem with the states alpha"):
        freebody.opty_motion("one_link", problem, np.zeros(305))


def test_constants_may_be_left_to_opty() -> None:
    pytest.importorskip("opty")
    problem = freebody.opty_problem(
        "pendulum",
        lambda _: 0.0,
        lambda free: 0 * free,
        11,
        sympy.Symbol("h"),
        unknown=["m"],
        backend="numpy",
    )
    assert [str(found) for found in problem.collocator.unknown_parameters] == ["m"]
    assert problem.collocator.time_symbol is dynamicsymbols._t
    with pytest.raises(SimulationError, match="without constraints"):
        freebody.opty_problem("four_bar", None, None, 11, 0.1)


@pytest.mark.exhaustive
def test_a_loop_may_hold_what_has_no_inertia_of_its_own() -> None:
    told = (shipped()["slider_crank"] / "model.toml").read_text()
    told = told.replace('center_of_mass = ["h", 0, 0]\n', "").replace('inertia = "Ir"\n', "")
    light = loads(re.sub(r"^(Ir|h ) *= .*\n", "", told, flags=re.MULTILINE))
    moved = freebody.simulate(light, duration=0.5)
    assert moved.energy_drift < 1e-9
    assert float(abs(moved.data["constraint_residual"]).max()) < 1e-9


BRAKED = """
title = "A block that slides and is braked by dry friction"
[coordinates]
x = { title = "place", unit = "m", initial = 0, initial_speed = 1 }
[constants]
m = { title = "mass", unit = "kg", value = 2 }
F = { title = "friction", unit = "N", value = 0.4 }
[[bodies]]
name = "block"
mass = "m"
[[joints]]
name = "track"
type = "slider"
parent = "ground"
child = "block"
axis = [1, 0, 0]
displacement = "x"
[[forces]]
on = "block"
vector = ["-F*sign(x_dot)", 0, 0]
"""


def test_the_jump_of_dry_friction_adds_nothing_to_derivatives() -> None:
    model = loads(BRAKED)
    run = simulate(model, duration=0.5, engine="scipy", tolerance=1e-9)
    expected = 0.5 - 0.1 * 0.5**2
    assert float(run.data["coordinates"][-1, 0]) == pytest.approx(expected, abs=1e-8)
    np.testing.assert_array_equal(freebody.linearize(model, at="state").A, [[0, 1], [0, 0]])
