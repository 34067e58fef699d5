"""Linearized motion: against numbers worked out in other ways, and what is told without any."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh
from scipy.optimize import brentq

import freebody
from conftest import OWN
from freebody.cli import main
from freebody.errors import DerivationError, FreebodyError
from freebody.linearization import LinearizationError
from freebody.linearization.derivatives import independent
from freebody.model import loads, shipped
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.setup import prepare

if TYPE_CHECKING:
    from freebody.mechanics import Mechanism

G = 9.81


@cache
def moving(name: str) -> Mechanism:
    return freebody.mechanism(freebody.load(OWN.get(name, name)))


def constants(name: str) -> dict[str, float]:
    return dict(moving(name).names.values())


def frequencies(found: Any) -> list[float]:
    """Return the circular frequencies of a linearization, the lowest first."""
    values = found.eigenvalues
    np.testing.assert_allclose(values.real, 0, atol=1e-7 * np.abs(values).max())
    return sorted(value.imag for value in values if value.imag > 1e-7)


def numerical(rates: Any, x: Any, h: float = 1e-4) -> Any:
    """Return the derivatives of a function by differences, to the fourth order."""

    def slope(step: Any) -> Any:
        near, far = rates(x + step) - rates(x - step), rates(x + 2 * step) - rates(x - 2 * step)
        return (8 * near - far) / (12 * h)

    return np.array([slope(step) for step in h * np.eye(len(x))]).T


# ---------------------------------------------------------------------- matrices


@pytest.mark.few("pendulum", "rolling_disc", "shaken")
@pytest.mark.parametrize("name", [*shipped(), *(name for name in OWN if name != "fall")])
def test_matrices_are_those_of_central_differences(name: str) -> None:
    """At a random state that the constraints allow; with feedback, and with its inputs held."""
    mechanism = moving(name)
    setup = prepare(mechanism, {}, {}, {})
    dynamics, kept = Dynamics(mechanism, setup), independent(mechanism)
    names = (*mechanism.names.coordinates, *mechanism.names.speeds)
    state = setup.state.copy()
    far = 0.02 if dynamics.m else 0.2  # a loop may not reach farther
    state[kept] += np.random.default_rng(5).uniform(-far, far, len(kept))

    def rates(x: Any) -> Any:
        at = state.copy()
        at[kept] = x
        q, u = np.split(at, 2)
        q, u = dynamics.constraints.consistent(q, u) if dynamics.m else (q, u)
        found = dynamics.rates(0.0, q, u)
        return np.concatenate([found.coordinates, found.accelerations])[kept]

    initial = dict(zip(names, map(float, state), strict=True))
    found = freebody.linearize(mechanism, at="state", initial=initial, closed_loop=True)
    assert found.states == tuple(names[place] for place in kept)
    expected = numerical(rates, state[kept])
    np.testing.assert_allclose(found.A, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())
    there = [found.rates[name] for name in found.states]
    np.testing.assert_allclose(there, rates(state[kept]), rtol=1e-9, atol=1e-12)


@pytest.mark.few("four_bar", "cart_pendulum")
@pytest.mark.parametrize("name", ["cart_pendulum", "four_bar", "wheeled_pendulum", "tree"])
def test_inputs_act_as_differences_say(name: str) -> None:
    mechanism = moving(name)
    inputs = list(mechanism.names.inputs)

    def rates(values: Any) -> Any:
        told = dict(zip(inputs, map(float, values), strict=True))
        found = freebody.linearize(mechanism, at="state", inputs=told)
        return np.array([found.rates[state] for state in found.states])

    found = freebody.linearize(mechanism, at="state", inputs=dict.fromkeys(inputs, 0.3))
    start = rates(np.full(len(inputs), 0.3))
    for column, push in zip(found.B.T, np.eye(len(inputs)), strict=True):
        np.testing.assert_allclose(column, rates(0.3 + push) - start, atol=1e-9)


def test_outputs_are_positions_and_velocities() -> None:
    names = ["position.tip.y", "velocity.tip.x", "q2", "q1_dot"]
    state = {"q1": 0.3, "q2": -0.8, "q1_dot": 1.1, "q2_dot": 0.4}
    found = freebody.linearize("acrobot", at="state", outputs=names, initial=state)
    q, u = np.array([0.3, 0.3 - 0.8]), np.array([1.1, 1.5])
    l = np.array([1.0, 2.0])  # noqa: E741
    height, back = l * np.cos(q), -l * np.sin(q)
    faster = -l * np.cos(q) * u
    expected = [
        [height.sum(), height[1], 0, 0],
        [faster.sum(), faster[1], back.sum(), back[1]],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
    ]
    np.testing.assert_allclose(found.C, expected, atol=1e-14)
    assert found.outputs == tuple(names)


@pytest.mark.exhaustive
def test_outputs_of_a_linkage_follow_its_constraints() -> None:
    names = ["position.rocker_end.x", "theta4", "theta4_dot"]

    def at(theta2: float) -> Any:
        return freebody.linearize("four_bar", at="state", outputs=names, initial={"theta2": theta2})

    def theta4(x: Any) -> Any:
        return np.array([at(float(x[0])).state["theta4"]])

    found = at(0.9)
    assert found.states == ("theta2", "theta2_dot")
    slope = numerical(theta4, np.array([0.9]), 1e-3)[0, 0]
    swing = -0.08 * np.sin(found.state["theta4"])
    assert found.C[0, 0] == pytest.approx(swing * slope, rel=1e-7)
    assert found.C[1:, 0].tolist() == pytest.approx([slope, found.C[2, 0]], rel=1e-7)
    assert found.C[2, 1] == pytest.approx(slope, rel=1e-7)


# ---------------------------------------------------------------------- known equilibria


def test_a_pole_hangs_from_a_cart_and_stands_on_it() -> None:
    k = constants("cart_pendulum")
    whole, pole, inertia = k["m_c"] + k["m_p"], k["m_p"] * k["l"], 4 / 3 * k["m_p"] * k["l"] ** 2
    rate = np.sqrt(whole * pole * k["g"] / (whole * inertia - pole**2))
    upright = freebody.linearize("cart_pendulum")
    hanging = freebody.linearize("cart_pendulum", initial={"theta": 3})
    assert hanging.state["theta"] == pytest.approx(np.pi, abs=1e-12)
    assert upright.kind, hanging.kind == ("unstable", "marginal")
    assert upright.modes[0].eigenvalue == pytest.approx(rate, rel=1e-12)
    assert upright.modes[0].dominant[0] == "theta"
    assert frequencies(hanging) == pytest.approx([rate], rel=1e-12)
    assert hanging.ignorable == ("x",)
    assert hanging.moving == ()


def test_two_bars_hang_with_two_frequencies() -> None:
    k = constants("double_pendulum")
    m1, m2, l1, l2 = (k[name] for name in ("m1", "m2", "l1", "l2"))
    M = [[(m1 / 3 + m2) * l1**2, m2 * l1 * l2 / 2], [m2 * l1 * l2 / 2, m2 * l2**2 / 3]]
    K = np.diag([(m1 / 2 + m2) * G * l1, m2 * G * l2 / 2])
    found = freebody.linearize("double_pendulum")
    assert frequencies(found) == pytest.approx(np.sqrt(eigh(K, M)[0]), rel=1e-10)
    assert [mode.frequency for mode in found.modes] == pytest.approx(
        np.sqrt(eigh(K, M)[0]) / (2 * np.pi)
    )


def test_a_spring_bounces_twice_as_fast_as_it_swings() -> None:
    found = freebody.linearize("elastic_pendulum")
    k = constants("elastic_pendulum")
    length = k["l0"] + k["m"] * k["g"] / k["k"]
    assert found.state["r"] == pytest.approx(length)
    assert frequencies(found) == pytest.approx(np.sqrt([G / length, k["k"] / k["m"]]))
    assert [mode.dominant for mode in found.modes] == [("theta",), ("r",)]


def test_a_gymnast_has_four_equilibria() -> None:
    k = constants("acrobot")
    m1, m2, l1, a, b = (k[name] for name in ("m1", "m2", "l1", "lc1", "lc2"))
    cross = m2 * l1 * b
    J1, J2 = k["I1"] + m1 * a**2 + m2 * l1**2, k["I2"] + m2 * b**2
    found = freebody.equilibria("acrobot", search=30, seed=4)
    assert len(found) == 4
    assert sorted(one.kind for one in found) == ["marginal", *["unstable"] * 3]
    for one in found:
        up, over = np.sin(one.state["q1"]), np.cos(one.state["q2"])
        assert (abs(up), abs(over)) == pytest.approx((1, 1), abs=1e-12)
        # with both angles from the horizontal
        M = [[J1, cross * over], [cross * over, J2]]
        K = -k["g"] * np.diag([(m1 * a + m2 * l1) * up, m2 * b * up * over])
        squares = eigh(K, M)[0]
        np.testing.assert_allclose(np.sort((one.eigenvalues**2).real)[::2], np.sort(-squares))


def test_a_search_is_repeatable() -> None:
    one, other = (freebody.equilibria("acrobot", search=5, seed=8) for _ in range(2))
    assert [found.state for found in one] == [found.state for found in other]


@pytest.mark.exhaustive
def test_a_linkage_rests_where_its_height_has_an_extremum() -> None:
    """The energy and inertia of the crank alone, from positions of the loop."""
    k = constants("four_bar")
    a, b, c, d, m2, m3, m4 = (k[name] for name in ("a", "b", "c", "d", "m2", "m3", "m4"))

    def angles(crank: float) -> Any:
        arm = d - a * np.exp(1j * crank)
        inner = np.arccos((b**2 + abs(arm) ** 2 - c**2) / (2 * b * abs(arm)))
        coupler = np.angle(arm) + inner
        return coupler, np.angle(a * np.exp(1j * crank) + b * np.exp(1j * coupler) - d)

    def places(crank: float) -> Any:
        coupler, rocker = angles(crank)
        A = a * np.exp(1j * crank)
        middles = [A / 2, A + b / 2 * np.exp(1j * coupler), d + c / 2 * np.exp(1j * rocker)]
        return np.array([part for z in middles for part in (z.real, z.imag)])

    def energy(crank: Any) -> Any:
        return np.array([G * (np.array([m2, m3, m4]) @ places(crank[0])[1::2])])

    def slope(crank: float) -> float:
        return float(numerical(energy, np.array([crank]), 1e-3)[0, 0])

    rest = brentq(slope, 1.2, 2.2)
    turns = numerical(lambda x: np.array([x[0], *angles(x[0])]), np.array([rest]), 1e-3)[:, 0]
    drift = numerical(lambda x: places(x[0]), np.array([rest]), 1e-3)[:, 0]
    inertia = np.array([k["I2"], k["I3"], k["I4"]]) @ turns**2
    inertia += np.repeat([m2, m3, m4], 2) @ drift**2
    bend = (slope(rest + 1e-3) - slope(rest - 1e-3)) / 2e-3
    found = freebody.linearize("four_bar")
    assert found.state["theta2"] == pytest.approx(rest, abs=1e-8)
    assert found.eigenvalues.real.max() == pytest.approx(np.sqrt(-bend / inertia), rel=1e-5)
    assert set(found.held) == {"loop_x", "loop_y"}
    others = freebody.equilibria("four_bar", search=20)
    assert sorted(one.kind for one in others) == ["marginal"] * 2 + ["unstable"] * 2


def test_a_body_on_a_wheel_falls_and_hangs() -> None:
    b, c, a = 0.003 + 0.2 * 0.1**2, 0.00025 + 0.22 * 0.04**2, 0.2 * 0.04 * 0.1
    rate = np.sqrt(c * 0.2 * G * 0.1 / (b * c - a**2))
    found = freebody.linearize("wheeled_pendulum")
    assert found.states == ("x", "phi", "theta", "x_dot", "theta_dot")
    assert found.eigenvalues.real.max() == pytest.approx(rate)
    hanging = freebody.linearize("wheeled_pendulum", initial={"theta": 3})
    assert frequencies(hanging) == pytest.approx([rate])
    assert set(hanging.ignorable) == {"x", "phi"}


@pytest.mark.exhaustive
def test_a_standing_person_holds_on_by_feedback_alone() -> None:
    held = freebody.linearize("standing_human")
    followed = freebody.linearize("standing_human", closed_loop=True)
    assert (held.kind, followed.kind) == ("unstable", "stable")
    law = np.zeros((3, 6))
    law[0, [0, 3]] = -1500, -300
    law[1, [1, 0, 4, 3]] = -2000, 2000, -100, 100
    law[2, [2, 1, 5, 4]] = -1000, 1000, -100, 100
    np.testing.assert_allclose(followed.A, held.A + held.B @ law, atol=1e-9)


def test_a_runner_stands_on_its_leg() -> None:
    k = constants("runner_one_mass")
    (found,) = freebody.equilibria("runner_one_mass", search=5)
    assert found.state["y"] == pytest.approx(k["l0"] - k["m"] * k["g"] / k["k"])
    assert frequencies(found) == pytest.approx([np.sqrt(k["k"] / k["m"])])


def test_damping_is_told_with_its_time_constant() -> None:
    told = OWN["oscillator"].read_text() + '[[dampers]]\njoint = "rail"\ndamping = 2\n'
    (mode,) = freebody.linearize(loads(told)).modes
    assert mode.eigenvalue == pytest.approx(-0.5 + 1j * np.sqrt(9 - 0.25))
    assert mode.damping_ratio == pytest.approx(1 / 6)
    assert mode.time_constant == pytest.approx(2)
    assert mode.shape == {"x": 1}
    assert freebody.linearize(loads(told)).kind == "stable"


# ---------------------------------------------------------------------- steady motions

TOP = """
title = "A top whose axis leans by two angles"
gravity = [0, 0, "-g"]
[coordinates]
a = { title = "lean", unit = "rad", initial = 0 }
b = { title = "lean", unit = "rad", initial = 0 }
s = { title = "spin", unit = "rad", initial = 0, initial_speed = 1 }
[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
m = { title = "mass", unit = "kg", value = 0.5 }
l = { title = "to the centre of mass", unit = "m", value = 0.05 }
I = { title = "across", unit = "kg*m**2", value = 0.0002 }
J = { title = "along", unit = "kg*m**2", value = 0.0004 }
[[bodies]]
name = "top"
mass = "m"
center_of_mass = [0, 0, "l"]
inertia = ["I", "I", "J"]
[[joints]]
name = "tip"
type = "spherical"
parent = "ground"
child = "top"
sequence = "xyz"
angles = ["a", "b", "s"]
"""


@pytest.mark.parametrize("part", [0.8, 0.99, 1.01, 1.3])
def test_a_top_sleeps_above_a_spin(part: float) -> None:
    across, along, tilt = 0.0002 + 0.5 * 0.05**2, 0.0004, 0.5 * G * 0.05
    limit = 2 * np.sqrt(across * tilt) / along
    spin = part * limit
    found = freebody.linearize(loads(TOP), at="state", initial={"s_dot": spin})
    assert found.moving == ("s",)
    assert found.kind == ("unstable" if part < 1 else "marginal")
    root = np.sqrt(complex(4 * across * tilt - (along * spin) ** 2))
    expected = [
        (sign * 1j * along * spin + other * root) / (2 * across)
        for sign in (1, -1)
        for other in (1, -1)
    ]
    leaning = sorted(found.eigenvalues, key=abs)[2:]
    np.testing.assert_allclose(
        np.sort_complex(np.round(leaning, 9)), np.sort_complex(np.round(expected, 9)), rtol=1e-7
    )


def test_a_precessing_top_nods() -> None:
    k = constants("spinning_top")
    theta, turn = 0.5, 9.0
    tilt, cosine = k["m"] * k["g"] * k["l"] / k["I1"], np.cos(theta)
    along = (k["I1"] * turn * cosine + k["I1"] * tilt / turn) / k["I3"]
    state = {"theta": theta, "phi_dot": turn, "psi_dot": along - turn * cosine}
    found = freebody.linearize("spinning_top", at="state", initial=state)
    assert found.moving == ("phi", "psi")
    expected = np.sqrt(turn**2 - 2 * tilt * cosine + (tilt / turn) ** 2)
    assert frequencies(found) == pytest.approx([expected])


def disc() -> Any:
    """The rolling disc with the rates of its coordinates as speeds."""
    model = freebody.load("rolling_disc")
    held = model.constraints[0].model_copy(update={"dependent": ("x_dot", "y_dot")})
    return model.model_copy(update={"speeds": {}, "constraints": (held,)})


@pytest.mark.parametrize("part", [0.5, 0.95, 1.05, 2.0])
def test_a_disc_rolls_upright_above_a_speed(part: float) -> None:
    """Lean² = 4 g/(5 r) - 12/5 spin², for a disc of uniform thickness."""
    r = 0.3
    spin = np.sqrt(part * G / (3 * r))
    state = {"lean": 0, "spin_dot": spin}
    found = freebody.linearize(disc(), at="state", initial=state)
    assert found.moving == ("x", "spin")
    square = 4 / 5 * G / r - 12 / 5 * spin**2
    leaning = sorted(found.eigenvalues, key=abs)[-2:]
    np.testing.assert_allclose(np.square(leaning), square, rtol=1e-9)
    assert found.kind == ("unstable" if part < 1 else "marginal")


def test_speeds_of_ones_own_change_no_eigenvalue() -> None:
    state = {"lean": 0.3, "yaw_dot": 0.4, "spin_dot": 5}
    rates = {"x_dot": 0, "y_dot": 0}
    one = freebody.linearize(disc(), at="state", initial={**state, **rates})
    other = freebody.linearize("rolling_disc", at="state", initial=state)
    square, same = (np.sort_complex(found.eigenvalues**2) for found in (one, other))
    np.testing.assert_allclose(square, same, atol=1e-6)
    upright = freebody.linearize("rolling_disc", at="state", initial={"lean": 1e-4})
    assert upright.kind == "marginal"
    lean = np.sqrt(12 / 5 * upright.state["u2"] ** 2 - 4 / 5 * G / 0.3)
    assert frequencies(upright) == pytest.approx([lean])


# ---------------------------------------------------------------------- along a motion


@pytest.mark.few("runner_one_mass")
@pytest.mark.parametrize("name", ["standing_human", "four_bar", "rolling_disc", "runner_one_mass"])
def test_along_a_motion_is_at_each_of_its_states(name: str) -> None:
    run = freebody.simulate(name, duration=0.3, step=0.1, unchecked=True)
    found = freebody.linearize(name, along=run, closed_loop=True)
    names = (*moving(name).names.coordinates, *moving(name).names.speeds)
    for number in (0, 2):
        now = run.data.isel(time=number)
        state = np.concatenate([now["coordinates"], now["speeds"]])
        initial = dict(zip(names, map(float, state), strict=True))
        one = freebody.linearize(name, at="state", initial=initial, closed_loop=True)
        there = found.isel(time=number)
        for matrix in "ABC":
            expected = getattr(one, matrix)
            size = max(1.0, float(np.abs(expected).max(initial=0)))
            np.testing.assert_allclose(there[matrix], expected, atol=1e-8 * size)
        assert tuple(there["state"].to_numpy()) == one.states


def test_a_small_push_travels_as_the_matrices_along_say() -> None:
    """The variational equation against the difference of two motions."""
    given = {"duration": 1.0, "step": 0.002, "unchecked": True}
    run = freebody.simulate("double_pendulum", **given)
    start = float(run.data["coordinates"][0, 0])
    aside = [
        freebody.simulate("double_pendulum", initial={"theta1": start + push}, **given).data.isel(
            time=-1
        )
        for push in (1e-6, -1e-6)
    ]
    moved = [(aside[0][name] - aside[1][name]) / 2e-6 for name in ("coordinates", "speeds")]
    A = CubicSpline(run.data["time"], freebody.linearize("double_pendulum", along=run)["A"])
    found = solve_ivp(lambda t, x: A(t) @ x, (0, 1), [1, 0, 0, 0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.y[:, -1], np.concatenate(moved), rtol=1e-4)


@pytest.mark.exhaustive
def test_a_motion_of_another_model_is_refused() -> None:
    run = freebody.simulate("pendulum", duration=0.1)
    with pytest.raises(LinearizationError, match="another model"):
        freebody.linearize("acrobot", along=run)
    with pytest.raises(LinearizationError, match="its own values"):
        freebody.linearize("pendulum", along=run, constants={"g": 1})  # type: ignore[call-overload]


# ---------------------------------------------------------------------- what is told


def test_what_has_no_equilibrium_is_told_with_what_is_left() -> None:
    with pytest.raises(LinearizationError, match=r"no equilibrium is found: .* 3\.92 of"):
        freebody.linearize(OWN["fall"])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("position.tipp.x", r"found 'tipp'; did you mean 'tip'"),
        ("q1_dott", r"expected as output .* found 'q1_dott'; did you mean 'q1_dot'"),
        ("position.tip.w", r"found 'position.tip.w'"),
        ("acceleration.tip.x", r"found 'acceleration.tip.x'"),
    ],
)
def test_an_unknown_output_is_told(name: str, told: str) -> None:
    with pytest.raises((LinearizationError, DerivationError), match=told):
        freebody.linearize("acrobot", outputs=[name])


def test_a_singular_state_is_told() -> None:
    with pytest.raises(FreebodyError):
        freebody.linearize("spinning_top", at="state", initial={"theta": 0})


EIGHT = """
title = "A bead on a wire that is bent to an eight"
[coordinates]
x = { title = "along", unit = "m", initial = 0.5 }
y = { title = "across", unit = "m", initial = 0.4 }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
k = { title = "stiffness", unit = "N/m", value = 4 }
l = { title = "half of its length", unit = "m", value = 1 }
[[bodies]]
name = "slide"
mass = 0
[[bodies]]
name = "bead"
mass = "m"
[[joints]]
name = "along"
type = "slider"
parent = "ground"
child = "slide"
axis = [1, 0, 0]
displacement = "x"
[[joints]]
name = "across"
type = "slider"
parent = "slide"
child = "bead"
axis = [0, 1, 0]
displacement = "y"
[[springs]]
joint = "across"
stiffness = "k"
[[constraints]]
name = "wire"
type = "holonomic"
expression = "l**2*y**2 - x**2*(l**2 - x**2)"
dependent = ["y"]
"""


@pytest.mark.exhaustive
def test_one_singular_equilibrium_does_not_keep_others_back(tmp_path: Path) -> None:
    """Where the wire crosses itself, and at its ends, it does not decide how far across it is."""
    found = freebody.equilibria(loads(EIGHT), search=30)
    tops = np.array([[one.state["x"] ** 2, one.state["y"] ** 2] for one in found])
    np.testing.assert_allclose(tops, np.tile([0.5, 0.25], (len(tops), 1)), atol=1e-9)
    assert len(tops) > 1
    assert {one.kind for one in found} == {"unstable"}
    reasons = {round(one.state["x"], 6) + 0.0: one.reason for one in found.singular}
    assert reasons[1.0] == reasons[-1.0] == "the constraints do not decide y at the state"
    assert reasons[0.0] == "the equations are singular at the state"
    (tmp_path / "eight.toml").write_text(EIGHT)
    told = run(str(tmp_path / "eight.toml"), "--search", "30").output
    assert f"Equilibrium {len(tops)} of {len(tops)}" in told
    assert "It is at rest too, and not linearized, at x = 1, y = 0: the constraints do not" in told
    (listed,) = [json.loads(run(str(tmp_path / "eight.toml"), "--search", "30", "--json").output)]
    assert len(listed["singular"]) == len(found.singular)
    with pytest.raises(LinearizationError, match="do not decide y at the state of rest that is"):
        freebody.equilibria(loads(EIGHT), initial={"x": 1, "y": 0.001})


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["linearize", *arguments])


def test_the_command_tells_equilibria_and_modes() -> None:
    found = run("acrobot", "--search", "20", "--output", "position.tip.x")
    assert found.exit_code == 0
    assert "Equilibrium 4 of 4" in found.output
    assert "0.35632 Hz" in found.output
    assert "position.tip.x" in found.output


def test_the_command_prints_json() -> None:
    arguments = ("cart_pendulum", "--input", "F=-10*theta", "--set", "g=1", "--json")
    (found,) = json.loads(run(*arguments, "--closed-loop").output)["linearizations"]
    (still,) = json.loads(run(*arguments).output)["linearizations"]
    assert found["states"] == ["x", "theta", "x_dot", "theta_dot"]
    assert found["inputs"] == ["F"]
    assert found["outputs"] == ["x", "theta"]
    law = np.array([[0, -10, 0, 0]])
    np.testing.assert_allclose(found["A"], still["A"] + np.array(still["B"]) @ law)
    values = [complex(*pair) for pair in found["eigenvalues"]]
    np.testing.assert_allclose(
        np.sort_complex(values), np.sort_complex(np.linalg.eigvals(found["A"]))
    )


def test_the_command_tells_a_state_in_motion() -> None:
    found = run("spinning_top", "--at", "state", "--initial", "theta=0.3")
    assert found.exit_code == 0
    assert "It is no equilibrium" in found.output


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["pendulum", "--search", "3", "--at", "state"], 2, "--search"),
        (["pendulum", "--initial", "thta=1"], 1, "did you mean 'theta'"),
        (["pendulum", "--set", "g=x"], 2, "expected a number"),
        (["pendulum", "--output", "tip"], 1, "expected as output"),
        (["pendulm"], 2, "pendulum"),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments: list[str], code: int, told: str) -> None:
    found = run(*arguments)
    assert (found.exit_code, isinstance(found.exception, SystemExit)) == (code, True)
    assert told in found.output
