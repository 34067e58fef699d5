"""Constraints: their equations, their forces on free bodies, and what is told of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import KanesMethod, dynamicsymbols

import freebody
from conftest import OWN
from freebody.errors import ModelError, SimulationError
from freebody.mechanics.constraints import constraint_rows
from freebody.model import loads

if TYPE_CHECKING:
    from conftest import System

SHIPPED = Path(__file__).parents[1] / "models"
HELD = ["linkage", "spatial_loop", "wheels", "ball", "beads", "rolling_disc", "chaplygin_sleigh"]


@pytest.fixture(params=HELD, scope="module")
def held(request: pytest.FixtureRequest, system_of: Any) -> System:
    return system_of(request.param)


@cache
def simulated(name: str, duration: float = 5.0, step: float = 0.05) -> freebody.Simulation:
    return freebody.simulate(OWN[name], duration=duration, step=step)


def along(run: freebody.Simulation, name: str, of: str = "coordinates") -> Any:
    column = {"coordinate": name} if of == "coordinates" else {"speed": f"{name}_dot"}
    return run.data[of].sel(column).to_numpy()


# ---------------------------------------------------------------------- equations


@pytest.mark.few("rolling_disc", "linkage", "ball")
def test_the_constraints_are_linear_in_the_speeds_and_J_is_their_slope(held: System) -> None:
    ring, found = held.ring, held.equations()
    rates = sympy.Matrix([ring.expression(rate) for rate in constraint_rows(found.motion)["rate"]])
    there, still = (held.value(rates, held.at_speeds(scale)) for scale in (1, 0))
    np.testing.assert_allclose(held.value(found.J) @ held.speeds(), there - still, atol=1e-12)


@pytest.mark.few("rolling_disc", "linkage", "ball")
def test_the_constraints_accelerations_are_the_rates_of_their_speeds(held: System) -> None:
    """J u̇ + γ is the rate of J u + j, and J u + j that of what the coordinates leave at zero."""
    found, ring, moving = held.equations(), held.ring, held.mechanism
    parts = constraint_rows(found.motion)
    accelerations = held.value(sympy.Matrix(moving.accelerations))
    gained = held.value(found.J) @ accelerations + held.value(found.gamma)
    for n, equation in enumerate(moving.equations):
        rate, residual = (ring.expression(parts[name][n]) for name in ("rate", "residual"))
        assert held.value(moving.rate(rate)) == pytest.approx(gained[n], abs=1e-11)
        if equation.holonomic:
            assert held.value(moving.rate(residual) - rate) == pytest.approx(0, abs=1e-12)


# ---------------------------------------------------------------------- motion


@pytest.mark.one_in(2)
@pytest.mark.few("wheels", "beads")
@pytest.mark.parametrize("name", ["linkage", "spatial_loop", "wheels", "ball", "beads"])
def test_constraints_hold_and_energy_changes_only_by_work(name: str) -> None:
    run = simulated(name, 2.0)
    assert run.statistics["constraint_residual"] < 1e-12
    assert run.energy_drift < 1e-10
    moved = run.data["coordinates"].isel(time=-1) - run.data["coordinates"].isel(time=0)
    assert float(abs(moved).max()) > 0.1


@pytest.mark.exhaustive
def test_a_loop_is_kept_after_many_turns_of_its_crank() -> None:
    """A large angle is rounded along both axes of the loop, along whichever it lies."""
    run = freebody.simulate(freebody.load("four_bar"), duration=9)
    assert run.statistics["constraint_residual"] < 1e-12
    assert run.energy_drift < 1e-10


@pytest.mark.exhaustive
def test_what_is_not_dependent_starts_as_it_is_told() -> None:
    run = simulated("linkage")
    start = run.provenance["initial"]
    assert {name: start[name] for name in ("a", "p", "a_dot", "p_dot")} == {
        "a": 1.0,
        "p": 0.4,
        "a_dot": 3.0,
        "p_dot": 0.0,
    }
    a, b, c, s = (start[name] for name in "abcs")
    knee = 0.2 * np.array([np.cos(a), np.sin(a)])
    end = knee + 0.5 * np.array([np.cos(a + b), np.sin(a + b)])
    np.testing.assert_allclose(end, 0.4 * np.array([np.cos(c), np.sin(c)]) + [0.45, 0], atol=1e-13)
    assert a + b + s == pytest.approx(0, abs=1e-13)
    da, db, dc, ds = (start[f"{name}_dot"] for name in "abcs")
    rate = da * np.array([-knee[1], knee[0]]) + (da + db) * np.array([-(end - knee)[1], 0])
    rate[1] += (da + db) * (end - knee)[0]
    far = dc * 0.4 * np.array([-np.sin(c), np.cos(c)]) + [0, 0.02 * 4]
    np.testing.assert_allclose(rate, far, atol=1e-12)
    assert da + db + ds == pytest.approx(0, abs=1e-13)


# ---------------------------------------------------------------------- forces


def _second(values: Any, step: float) -> Any:
    """Return second derivatives by differences of the fourth order, without two at each end."""
    a, b, c, d, e = (values[i : len(values) - 4 + i] for i in range(5))
    return (-a + 16 * b - 30 * c + 16 * d - e) / (12 * step**2)


def test_forces_of_a_loop_balance_on_each_free_body() -> None:
    step, inner = 0.002, slice(2, -2)
    run = simulated("linkage", 0.3, step)
    data = run.data
    force = {
        joint: data["reaction_force"].sel(joint=joint)[inner, :2] for joint in data["joint"].values
    }
    held = {c: data["constraint_force"].sel(constraint=c)[inner] for c in data["constraint"].values}
    loop = np.stack([held["loop_x"], held["loop_y"]], axis=1)
    weight = np.array([0, -9.81])
    acceleration = {
        name: _second(data["position"].sel(point=name).to_numpy()[:, :2], step)
        for name in ("crank", "coupler", "rocker", "platform", "bob")
    }
    balances = {
        "crank": (0.4, force["motor"] - force["knee"] - force["string"]),
        "coupler": (1.0, force["knee"] - force["shelf"] - loop),
        "rocker": (0.8, force["pivot"] + loop),
        "platform": (0.3, force["shelf"]),
        "bob": (0.15, force["string"]),
    }
    for name, (mass, acting) in balances.items():
        expected = mass * acceleration[name]
        np.testing.assert_allclose(acting + mass * weight, expected, atol=1e-5, err_msg=name)
    place = {
        name: data["position"].sel(point=name).to_numpy()[inner, :2]
        for name in ("platform", "shelf", "rocker", "pivot")
    }
    arm = place["shelf"] - place["platform"]
    turning = arm[:, 0] * force["shelf"][:, 1] - arm[:, 1] * force["shelf"][:, 0]
    np.testing.assert_allclose(held["level_z"] + turning, 0, atol=1e-5)
    _balance_of_the_rocker(run, loop, place, step)


def _balance_of_the_rocker(run: Any, loop: Any, place: dict[str, Any], step: float) -> None:
    """Moments about the centre of mass: of the loop at its end, of the pivot and its damper."""
    away = place["rocker"] - place["pivot"]
    pivot = run.data["reaction_force"].sel(joint="pivot").to_numpy()[2:-2, :2]
    turning = away[:, 0] * (loop - pivot)[:, 1] - away[:, 1] * (loop - pivot)[:, 0]
    drag = 0.01 * along(run, "c", "speeds")[2:-2]
    gained = 2 * 0.4**3 / 12 * _second(along(run, "c"), step)
    np.testing.assert_allclose(turning - drag, gained, atol=1e-5)


def test_forces_of_rolling_turn_the_wheels() -> None:
    """The slope pulls the front wheel uphill at its rim, the deck carries the other wheel along."""
    step, inner = 0.002, slice(2, -2)
    run = simulated("wheels", 0.3, step)
    on_slope, on_cart = (
        run.data["constraint_force"].sel(constraint=name)[inner] for name in ("on_slope", "on_cart")
    )
    moment = run.data["inputs"].sel(input="T")[inner]
    gained = 0.5 * 0.1**2 / 2 * _second(along(run, "r1"), step)
    np.testing.assert_allclose(moment + 0.1 * on_slope, gained, atol=1e-5)
    slope = np.array([np.cos(-0.3), np.sin(-0.3)])
    masses = {"cart": 2.0, "front": 0.5, "wheel": 0.5}
    total = sum(
        mass * _second(run.data["position"].sel(point=name).to_numpy()[:, :2] @ slope, step)
        for name, mass in masses.items()
    )
    np.testing.assert_allclose(on_slope + 3.0 * 9.81 * np.sin(0.3), total, atol=1e-5)
    wheel = _second(run.data["position"].sel(point="wheel").to_numpy()[:, :2] @ slope, step)
    spring = -15 * along(run, "x")[inner]
    pull = 0.5 * 9.81 * np.sin(0.3)
    np.testing.assert_allclose(on_cart + spring + pull, 0.5 * wheel, atol=1e-5)


@pytest.mark.exhaustive
def test_a_parallel_body_may_turn_as_far_as_it_likes_about_the_axis_that_is_free() -> None:
    run = simulated("spatial_loop")
    assert abs(along(run, "i")).max() > 2 * np.pi


PARALLEL = """
title = "A body that is held parallel to the ground"
[coordinates]
a = { title = "turn", unit = "rad", initial = START }
b = { title = "turn", unit = "rad", initial = 0.1 }
c = { title = "turn", unit = "rad", initial = START }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
[[bodies]]
name = "box"
mass = "m"
inertia = [1, 2, 2.5]
[[joints]]
name = "ball"
type = "spherical"
parent = "ground"
child = "box"
angles = ["a", "b", "c"]
[[constraints]]
name = "held"
type = "parallel"
on = "box"
dependent = ["a", "b", "c"]
"""


@pytest.mark.exhaustive
def test_bodies_that_would_be_parallel_in_other_axes_are_refused() -> None:
    run = freebody.simulate(loads(PARALLEL.replace("START", "0.3")), 0.1)
    assert np.abs(run["coordinates"].to_numpy()).max() < 1e-9
    with pytest.raises(SimulationError, match="'held' would be met with 'box' and 'ground' turned"):
        freebody.simulate(loads(PARALLEL.replace("START", "-1.5")), 0.1)


@pytest.mark.exhaustive
def test_a_ball_on_a_turning_table_goes_round_at_two_sevenths_of_its_rate() -> None:
    """Earnshaw's result for a homogeneous ball: v̇ = 2/7 Ω z × v."""
    run = simulated("ball", 2.0)
    velocity = along(run, "x", "speeds") + 1j * along(run, "y", "speeds")
    expected = velocity[0] * np.exp(2j / 7 * 2 * run.data["time"].to_numpy())
    np.testing.assert_allclose(velocity, expected, atol=1e-9)
    assert abs(velocity[0]) > 0.01


@pytest.mark.exhaustive
def test_the_force_of_a_sphere_that_breathes_is_along_its_radius() -> None:
    run = simulated("beads")
    force = run.data["constraint_force"].sel(constraint="sphere").to_numpy()
    place, gained = (
        np.stack([along(run, name, of) for name in "xyz"], axis=1)
        for of in ("coordinates", "accelerations")
    )
    expected = 2 * force[:, None] * place + 0.4 * np.array([0, 0, -9.81])
    np.testing.assert_allclose(0.4 * gained, expected, atol=1e-10)
    size = 1 + np.sin(3 * run.data["time"].to_numpy()) / 10
    np.testing.assert_allclose(np.linalg.norm(place, axis=1), size, atol=1e-12)


# ---------------------------------------------------------------------- sympy's own elimination


def _by_sympy(
    run: freebody.Simulation, coordinates: str, speeds: Any, held: Any, rolling: Any
) -> Any:
    """Return what KanesMethod, which eliminates dependent speeds, says of the accelerations.

    `held` are constraints between the coordinates, `rolling` between the speeds, by hand.
    """
    moving, t = run.mechanism, dynamicsymbols._t
    q, u = moving.names.coordinates, moving.names.speeds
    decided = [q[name] for name in coordinates.split()]
    rates = {x.diff(t): u[f"{name}_dot"] for name, x in q.items()}
    slower = [u[name] for name in speeds.split()]
    method = KanesMethod(
        moving.ground,
        [x for x in q.values() if x not in decided],
        [x for x in u.values() if x not in slower],
        [rate - x for rate, x in rates.items()],
        q_dependent=decided,
        configuration_constraints=held,
        u_dependent=slower,
        velocity_constraints=[*(h.diff(t).xreplace(rates) for h in held), *rolling],
    )
    method.kanes_equations(list(moving.bodies.values()), list(moving.acting()))
    return method


def _accelerations(run: freebody.Simulation, method: Any) -> dict[str, float]:
    """Return the accelerations at the end of a motion, by name of their speed."""
    moving, last = run.mechanism, run.data.isel(time=-1)
    inputs = zip(moving.names.inputs.values(), last["inputs"].to_numpy(), strict=True)
    values = dict(zip(moving.coordinates, last["coordinates"].to_numpy(), strict=True))
    values |= dict(zip(moving.speeds, last["speeds"].to_numpy(), strict=True)) | dict(inputs)
    values |= {sympy.Symbol(name): value for name, value in moving.names.values().items()}
    values[dynamicsymbols._t] = float(last["time"])
    mass, forcing = (
        np.array(part.subs(values).tolist(), dtype=float)
        for part in (method.mass_matrix, method.forcing)
    )
    found = np.linalg.solve(mass, forcing)[:, 0]
    return {str(u.func): value for u, value in zip(method.u, found, strict=True)}


def _expect_accelerations(run: freebody.Simulation, found: dict[str, float]) -> None:
    last = run.data["accelerations"].isel(time=-1)
    for name, value in found.items():
        expected = float(last.sel(speed=name))
        assert value == pytest.approx(expected, rel=1e-8, abs=1e-8), name


@pytest.mark.exhaustive
def test_sympys_elimination_of_a_loop_gives_the_same_accelerations() -> None:
    run = freebody.simulate("four_bar", duration=0.2, inputs={"T12": 0.1}, unchecked=True)
    moving = run.mechanism
    one, two, three = moving.coordinates
    a, b, c, d = sympy.symbols("a b c d")
    held = [
        a * sympy.cos(one) + b * sympy.cos(two) - c * sympy.cos(three) - d,
        a * sympy.sin(one) + b * sympy.sin(two) - c * sympy.sin(three),
    ]
    method = _by_sympy(run, "theta3 theta4", "theta3_dot theta4_dot", held, [])
    _expect_accelerations(run, _accelerations(run, method))


def test_sympys_elimination_of_rolling_gives_the_same_accelerations() -> None:
    run = simulated("wheels", 0.3, 0.002)
    speeds = run.mechanism.names.speeds
    r = sympy.Symbol("r")
    rolling = [
        speeds["s_dot"] + r * speeds["r1_dot"],
        speeds["x_dot"] + r * speeds["r2_dot"],
    ]
    method = _by_sympy(run, "", "r1_dot r2_dot", [], rolling)
    _expect_accelerations(run, _accelerations(run, method))


# ---------------------------------------------------------------------- speeds of one's own


@pytest.mark.exhaustive
def test_a_loop_may_be_closed_in_speeds_of_ones_own() -> None:
    """A pendulum as a bead on a circle, in speeds that are no rates: against its angle."""
    speeds = """
    [speeds]
    a = { title = "sum", unit = "m/s", value = "x_dot + y_dot" }
    b = { title = "difference", unit = "m/s", value = "x_dot - y_dot" }
    [constants]
    """
    plain = freebody.simulate(loads(CIRCLE), duration=1)
    own = freebody.simulate(loads(CIRCLE.replace("[constants]", speeds)), duration=1)
    np.testing.assert_allclose(own.data["coordinates"], plain.data["coordinates"], atol=1e-9)
    for name in ("constraint_force", "reaction_force"):
        np.testing.assert_allclose(own.data[name], plain.data[name], atol=1e-7)


CIRCLE = """
title = "A bead on a circle"
gravity = [0, "-g", 0]
[coordinates]
x = { title = "across", unit = "m", initial = 0.6 }
y = { title = "up", unit = "m", initial = -0.7 }
[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
l = { title = "radius", unit = "m", value = 1 }
[[bodies]]
name = "bead"
mass = 1
[[joints]]
name = "plane"
type = "planar"
parent = "ground"
child = "bead"
translation = ["x", "y"]
[[constraints]]
name = "circle"
type = "holonomic"
expression = "x**2 + y**2 - l**2"
dependent = ["y"]
"""

# ---------------------------------------------------------------------- what only numbers tell


def test_a_bead_on_a_circle_is_a_pendulum() -> None:
    run = freebody.simulate(loads(CIRCLE), duration=2, tolerance=1e-12)
    x, y = along(run, "x"), along(run, "y")
    vx, vy = along(run, "x", "speeds"), along(run, "y", "speeds")
    tension = -2 * run.data["constraint_force"].sel(constraint="circle").to_numpy()
    np.testing.assert_allclose(tension, vx**2 + vy**2 - 9.81 * y, atol=1e-9)
    np.testing.assert_allclose(np.hypot(x, y), 1, atol=1e-13)


SECOND = """
[[constraints]]
name = "other"
type = "holonomic"
expression = "{expression}"
dependent = ["x"]
"""

NUMERIC = [
    (SECOND.format(expression="2*x**2 + 2*y**2 - 2*l**2"), "constraint 'other' follows from the"),
    (SECOND.format(expression="x**2 + y**2 - 4*l**2"), "cannot be met from the initial values"),
    (SECOND.format(expression="x - 3*l"), "cannot be met from the initial values"),
]


@pytest.mark.parametrize(("more", "told"), NUMERIC)
def test_constraints_that_repeat_or_contradict_each_other_are_told(more: str, told: str) -> None:
    with pytest.raises(SimulationError, match=told):
        freebody.simulate(loads(CIRCLE + more), duration=0.1)


def test_constraints_that_do_not_decide_what_they_should_are_told() -> None:
    text = CIRCLE.replace("y**2", "0*y*l").replace("initial = 0.6", "initial = 1")
    with pytest.raises(
        SimulationError, match="no constraint depends on y: expected others as 'dependent'"
    ):
        freebody.simulate(loads(text), duration=0.1)


# ---------------------------------------------------------------------- what is told


def problems(text: str, *changes: tuple[str, str]) -> list[str]:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    try:
        loads(text)
    except ModelError as error:
        return [str(problem) for problem in error.problems]
    return []


LOOP = 'axes = ["x", "y"]\ndependent = ["b", "c"]'
FIRST = '[{ on = "coupler", at = ["l2", 0, 0] }, '
WRONG = [
    ("linkage", LOOP, LOOP[:-5] + "]", "constraints[0].dependent: expected 2, one for each equati"),
    ("linkage", LOOP[17:], LOOP[17:-1] + ', "p"]', "constraints[0].dependent: expected 2, one for"),
    ("linkage", '"b", "c"]', '"b", "s"]', "constraints[1].dependent[0]: 's' is already decided by"),
    ("linkage", '"b", "c"]', '"b", "b"]', "constraints[0].dependent[1]: 'b' is already decided by"),
    ("linkage", '"b", "c"]', '"b", "c_dot"]', "dependent[1]: expected a coordinate, found 'c_dot'"),
    ("linkage", '"b", "c"]', '"b", "cc"]', "dependent[1]: no coordinate or speed 'cc'; did you me"),
    (
        "linkage",
        'axes = ["x", "y"]',
        "axes = []",
        "constraints[0].axes: expected at least one of x",
    ),
    (
        "linkage",
        'axes = ["x", "y"]',
        'axes = ["x", "x"]',
        "axes: expected each axis once, found 'x'",
    ),
    (
        "linkage",
        FIRST,
        FIRST.replace("coupler", "rocker"),
        "between: expected two bodies, found 'ro",
    ),
    (
        "linkage",
        'axes = ["z"]',
        'to = "platform"\naxes = ["z"]',
        "to: expected another body than 'p",
    ),
    (
        "linkage",
        'on = "platform"',
        'on = "ground"',
        "constraints[1].on: expected a body, found the",
    ),
    (
        "wheels",
        'surface = "cart"',
        'surface = "wheel"',
        "surface: expected another body than 'whee",
    ),
    ("wheels", '["r1_dot"]', '["r1"]', "expected a speed, found 'r1'; did you mean 'r1_dot'?"),
    ("wheels", 'frame = "slope"', 'frame = "slop"', "frame: no body 'slop'; did you mean 'slope'?"),
    ("beads", "x**2 + y**2", "x**2 + y*y_dot", "expression: expected only constants and coordinat"),
    (
        "beads",
        "s_dot - q*p_dot/r",
        "s_dot - s_dot**2*r/(q*p_dot)",
        "expected an expression linear in the s",
    ),
    (
        "beads",
        '"s_dot - q*p_dot/r - r',
        '"s/s*q*r/q*w - r',
        "expected an expression of the speeds, ",
    ),
    ("beads", '["s_dot"]', '["s"]', "expected a speed, found 's'; did you mean 's_dot'?"),
    ("beads", '["z"]', '["z_dot"]', "expected a coordinate, found 'z_dot'; did you mean 'z'?"),
]


@pytest.mark.parametrize(("name", "old", "new", "told"), WRONG)
def test_what_is_wrong_with_a_constraint_is_told(name: str, old: str, new: str, told: str) -> None:
    found = problems(OWN[name].read_text(), (old, new))
    assert any(told in problem for problem in found), found
    assert len(found) == 1


@pytest.mark.parametrize(
    ("model", "name", "constraint"),
    [
        ("linkage", "loop_x", "loop"),
        ("linkage", "level_z", "level"),
        ("wheels", "on_slope", "on_slope"),
        ("ball", "roll_y", "roll"),
        ("beads", "lead", "lead"),
    ],
)
def test_names_of_the_forces_of_constraints_are_taken(
    model: str, name: str, constraint: str
) -> None:
    declared = f'[constants]\n{name} = {{ title = "", unit = "1" }}'
    told = f"'{name}' is also the force of constraint '{constraint}'; expected another name"
    assert problems(OWN[model].read_text(), ("[constants]", declared)) == [
        f"constants.{name}: {told}"
    ]


def test_names_of_functions_are_no_names_of_constraints() -> None:
    told = "constraints[0].name: 'sqrt' is also a reserved name; expected another name"
    assert problems(CIRCLE, ('name = "circle"', 'name = "sqrt"')) == [told]


def test_a_name_that_two_constraints_share_is_told_once() -> None:
    found = problems(OWN["linkage"].read_text(), ('name = "level"', 'name = "loop"'))
    told = "'loop' is also a constraint (constraints[0]), and position.loop means one part"
    assert found == [f"constraints[1].name: {told}; expected another name, such as 'loop_2'"]


def test_what_no_constraint_depends_on_cannot_follow_from_one() -> None:
    text = (SHIPPED / "two_link" / "model.toml").read_text("utf-8")
    held = '[[constraints]]\nname = "c"\ntype = "holonomic"\nexpression = "sin(alpha1) - 0.2"\n'
    model = loads(f'{text}\n{held}dependent = ["alpha2"]\n')
    with pytest.raises(SimulationError, match=r"no constraint depends on alpha2: .* alpha1_dot$"):
        freebody.simulate(model, 0.02)
