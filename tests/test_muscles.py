"""Muscles in models: their lengths and moment arms against geometry, and what is told of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import freebody
from conftest import OWN
from freebody.algebra import Ring
from freebody.errors import DerivationError, ModelError, SimulationError
from freebody.mechanics.derivation import METHODS, agreement
from freebody.model import dumps, load, loads
from freebody.muscles.paths import MusclePaths

TOLD = OWN["muscled_arm"].read_text()
RADIUS, ELBOW = 0.02, 0.3
POSTURES = np.stack(
    np.meshgrid(np.linspace(-1.5, 1.5, 7), np.linspace(-0.6, 2.4, 41), indexing="ij"), axis=-1
).reshape(-1, 2)


@cache
def arm() -> Any:
    return freebody.compile(load(OWN["muscled_arm"]))


def turned(angle: Any, x: float, y: float) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def places(q: Any) -> dict[str, Any]:
    """Return where the points of the two paths are, by hand."""
    shoulder, elbow = q[..., 0], q[..., 0] + q[..., 1]
    joint = turned(shoulder, ELBOW, 0)
    return {
        "origin": np.broadcast_to([0.02, 0.04], joint.shape),
        "pulley": turned(shoulder, 0.1, 0.04),
        "tuberosity": joint + turned(elbow, 0.05, 0),
        "before": turned(shoulder, 0.05, -0.03),
        "joint": joint,
        "after": joint + turned(elbow, 0.03, -0.025),
    }


def cross(a: Any, b: Any) -> Any:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def along(start: Any, end: Any) -> Any:
    between = end - start
    return between / np.linalg.norm(between, axis=-1, keepdims=True)


# ---------------------------------------------------------------------- paths


def test_moment_arms_are_cross_products_of_arms_and_directions() -> None:
    at = places(POSTURES)
    R = arm().moment_arms(POSTURES)
    first = along(at["pulley"], at["origin"])
    second = along(at["tuberosity"], at["pulley"])
    np.testing.assert_allclose(R[:, 0, 0], cross(at["pulley"], first), atol=1e-15)
    np.testing.assert_allclose(
        R[:, 1, 0], cross(at["tuberosity"] - at["joint"], second), atol=1e-15
    )


def test_moment_arms_are_minus_the_slopes_of_lengths() -> None:
    f, h = arm(), 1e-5
    R = f.moment_arms(POSTURES)
    for number, step in enumerate(np.eye(2) * h):
        slopes = (f.muscle_lengths(POSTURES + step) - f.muscle_lengths(POSTURES - step)) / (2 * h)
        np.testing.assert_allclose(R[:, number, :], -slopes, atol=2e-7)


def test_generalized_forces_are_moment_arms_times_tensions() -> None:
    f, random = arm(), np.random.default_rng(0)
    q, u = random.uniform(-1, 1, (2, 50, 2))
    inputs = random.uniform(0, 100, (50, 4))
    inputs[:, 3] = 0
    expected = np.einsum("tij,tj->ti", f.moment_arms(q), inputs[:, :3])
    np.testing.assert_allclose(f.actuation(0.0, q, u, inputs), expected, rtol=1e-12, atol=1e-13)


def test_with_speeds_of_ones_own_moment_arms_are_along_these() -> None:
    speeds = """
[speeds]
w1 = { title = "of the upper arm", unit = "rad/s", value = "q1_dot" }
w2 = { title = "of the forearm", unit = "rad/s", value = "q1_dot + q2_dot" }
[inputs]"""
    own = freebody.compile(loads(TOLD.replace("\n[inputs]", speeds)))
    R = arm().moment_arms(POSTURES)
    N = np.array([[1, 0], [-1, 1]])
    np.testing.assert_allclose(own.moment_arms(POSTURES), N.T @ R, atol=1e-15)


def test_the_symbolic_moment_arms_are_the_compiled_ones() -> None:
    equations = freebody.derive(load("two_link_muscles"))
    names, rows = equations.mechanism.names, equations.moment_arms
    assert [[str(names.plain(entry)) for entry in row] for row in rows.tolist()] == [
        ["extension*r1ext", "-extension*r1flex", "0", "0"],
        ["0", "0", "extension*r2ext", "-extension*r2flex"],
    ]
    found = freebody.compile("two_link_muscles").moment_arms(np.zeros(2))
    np.testing.assert_allclose(found, [[-0.035, 0.04, 0, 0], [0, 0, -0.022, 0.032]])


# ---------------------------------------------------------------------- about a cylinder


def shortest(start: Any, end: Any, center: Any) -> float:
    """Return the length of the shortest way with a circle on its left, over points of it."""
    angles = np.linspace(-np.pi, np.pi, 1441)[:-1]
    rim = center + RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    free = [
        _clear(point, rim, center) & (side * cross(point - center, rim - center) >= 0)
        for point, side in ((start, 1), (end, -1))
    ]
    to = [np.linalg.norm(rim - point, axis=-1) for point in (start, end)]
    one, other = np.flatnonzero(free[0]), np.flatnonzero(free[1])
    arcs = (angles[other][None, :] - angles[one][:, None]) % (2 * np.pi)
    ways = to[0][one][:, None] + RADIUS * arcs + to[1][other][None, :]
    return float(ways.min())


def _clear(point: Any, rim: Any, center: Any) -> Any:
    """Whether a point sees those of the rim."""
    return ((point - rim) * (rim - center)).sum(axis=-1) >= -1e-12


def test_a_path_about_a_cylinder_is_the_shortest_around_it() -> None:
    q = np.stack([np.full(9, 0.4), np.linspace(0.6, 2.4, 9)], axis=-1)
    at = places(q)
    upper = np.linalg.norm(at["before"] - [-0.05, 0], axis=-1)
    expected = [
        shortest(*ends) for ends in zip(at["before"], at["after"], at["joint"], strict=True)
    ]
    np.testing.assert_allclose(arm().muscle_lengths(q)[:, 1] - upper, expected, atol=1e-6)


def test_on_the_cylinder_the_moment_arm_is_its_radius() -> None:
    q = np.stack([np.zeros(50), np.linspace(0.6, 2.4, 50)], axis=-1)
    np.testing.assert_allclose(arm().moment_arms(q)[:, 1, 1], -RADIUS, rtol=1e-12)


def test_clear_of_the_cylinder_the_path_is_straight() -> None:
    q = np.stack([np.zeros(20), np.linspace(-0.6, 0.1, 20)], axis=-1)
    at = places(q)
    straight = np.linalg.norm(at["after"] - at["before"], axis=-1)
    upper = np.hypot(0.1, 0.03)
    np.testing.assert_allclose(arm().muscle_lengths(q)[:, 1] - upper, straight, rtol=1e-14)


@pytest.mark.parametrize("backend", ["numpy", "c", "heyoka"])
def test_within_a_surface_nothing_is_known(backend: str) -> None:
    f = freebody.compile(loads(TOLD.replace("radius = 0.02", "radius = 0.05")), backend=backend)
    q = np.array([[0.3, 0.4], [0.3, 1.8]])
    with np.errstate(invalid="ignore"):
        lengths, R = f.muscle_lengths(q), f.moment_arms(q)
    assert np.isnan(lengths[:, 1]).all()
    assert np.isnan(R[:, 1, 1]).all()
    assert np.isfinite(lengths[:, [0, 2]]).all()


def test_what_moves_within_a_surface_is_told() -> None:
    with pytest.raises(SimulationError, match="not finite"):
        freebody.simulate(loads(TOLD.replace("radius = 0.02", "radius = 0.05")), 0.1)


def test_touch_down_is_smooth() -> None:
    q = np.stack([np.zeros(20001), np.linspace(0, 1, 20001)], axis=-1)
    R, lengths = arm().moment_arms(q)[:, 1, 1], arm().muscle_lengths(q)[:, 1]
    touched = int(np.argmax(np.isclose(R, -RADIUS, rtol=1e-12)))
    assert 0 < touched < 20000
    assert abs(np.diff(R)).max() < 2e-6
    assert abs(np.diff(lengths, n=2)).max() < 1e-10


def test_joints_carry_what_muscles_pull() -> None:
    """Held level by its biceps, a forearm presses on the elbow with the muscle's force."""
    f = arm()
    q, still = np.array([0.0, 0.0]), np.zeros(2)
    at = places(q)
    pull = along(at["tuberosity"], at["pulley"])
    tension = 1.2 * 9.81 * 0.16 / cross(np.array([0.05, 0]), pull)
    inputs = np.array([tension, 0, 0, 0])
    elbow = f.reactions(0.0, q, still, still, inputs)[1]
    np.testing.assert_allclose(elbow[:2], [0, 1.2 * 9.81] - tension * pull, atol=1e-12)
    assert abs(elbow[5]) < 1e-12
    R, G = f.moment_arms(q), f.gravity(q)
    assert R[1, 0] * tension == pytest.approx(G[1])


SPACE = """title = "A leg that spreads on a support that moves"
gravity = [0, "-g", 0]
[coordinates]
spread = { title = "abduction", unit = "rad", initial = 0.2 }
flexion = { title = "flexion", unit = "rad", initial = 0.3 }
[prescribed]
h = { title = "height of the support", unit = "m", value = "0.02*sin(3*t)" }
[inputs]
F1 = { title = "abductor", unit = "N", value = 40 }
F2 = { title = "muscle to the ground", unit = "N", value = 10 }
[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "support"
mass = 0
[[bodies]]
name = "pelvis"
mass = 3
inertia = [0.1, 0.1, 0.1]
[[bodies]]
name = "thigh"
mass = 8
center_of_mass = [0, -0.2, 0]
inertia = [0.1, 0.02, 0.1]
[[joints]]
name = "lift"
type = "slider"
axis = [0, 1, 0]
parent = "ground"
child = "support"
displacement = "h"
[[joints]]
name = "trunk"
type = "pin"
axis = [0, 0, 1]
parent = "support"
child = "pelvis"
angle = "flexion"
[[joints]]
name = "hip"
type = "pin"
axis = [1, 0, 0]
parent = "pelvis"
at = [0, 0, 0.08]
child = "thigh"
angle = "spread"
[[muscles]]
name = "abductor"
tension = "F1"
path = [
    { on = "pelvis", at = [0, 0.1, 0.06] },
    { around = "pelvis", at = [0, 0, 0.1], axis = [1, 0, 0], radius = 0.03, turn = "clockwise" },
    { on = "thigh", at = [0, -0.1, 0.02] },
]
[[muscles]]
name = "brace"
tension = "F2"
path = [{ on = "ground", at = [0.1, 0.5, 0.02] }, { on = "thigh", at = [0.03, -0.2, 0.03] }]
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ('{ on = "pelvis", at = [0, 0.1, 0.06] }', "[0, -0.1, 0.02]"),
        ('{ on = "pelvis", at = [0, 0.1, 0.06] }', "[0.04, -0.1, 0.02]"),
        ('{ on = "support", at = [-0.03, 0.1, 0.05] }', "[0.04, -0.1, 0.02]"),
    ],
)
def test_cylinders_in_space_lie_along_the_axes_of_their_bodies(start: str, end: str) -> None:
    """In one plane across the axis, climbing along it, and between two other bodies."""
    text = SPACE.replace('{ on = "pelvis", at = [0, 0.1, 0.06] }', start)
    model, ring = loads(text.replace("[0, -0.1, 0.02]", end)), Ring()
    equations = [freebody.derive(model, method, ring) for method in METHODS]
    assert all(agreement(equations).values())
    f, h = freebody.compile(model), 1e-5
    q = np.random.default_rng(3).uniform(-0.6, 0.6, (60, 2))
    t = np.linspace(0, 2, 60)
    R = f.moment_arms(t, q)
    for number, step in enumerate(np.eye(2) * h):
        change = f.muscle_lengths(t, q + step) - f.muscle_lengths(t, q - step)
        np.testing.assert_allclose(R[:, number, :], -change / (2 * h), atol=2e-7)
    touching = np.ptp(R[:, 0, 0]) > 1e-3
    assert touching
    u = np.random.default_rng(4).uniform(-1, 1, (60, 2))
    rate = MusclePaths(model).at(t, q, u).rate
    ahead, back = (f.muscle_lengths(t + s, q + s * u) for s in (h, -h))
    np.testing.assert_allclose(rate, (ahead - back) / (2 * h), atol=1e-6)


@pytest.mark.exhaustive
def test_a_path_about_a_sphere_lies_in_the_plane_of_its_ends() -> None:
    cylinder = 'axis = [1, 0, 0], radius = 0.03, turn = "clockwise"'
    text = SPACE.replace(cylinder, 'shape = "sphere", radius = 0.03').replace(
        '{ on = "pelvis", at = [0, 0.1, 0.06] }', '{ on = "support", at = [-0.03, 0.1, 0.05] }'
    )
    model, ring = loads(text.replace("[0, -0.1, 0.02]", "[0.04, -0.1, 0.02]")), Ring()
    assert all(agreement([freebody.derive(model, method, ring) for method in METHODS]).values())
    f, h = freebody.compile(model), 1e-5
    q = np.random.default_rng(3).uniform(-0.6, 0.6, (60, 2))
    found = MusclePaths(model).at(0.0, q, np.zeros((60, 2)))
    for number, step in enumerate(np.eye(2) * h):
        change = f.muscle_lengths(0.0, q + step) - f.muscle_lengths(0.0, q - step)
        np.testing.assert_allclose(found.arms[:, number, :1], -change[:, :1] / (2 * h), atol=2e-7)
    np.testing.assert_allclose(found.length[:, 0], around_sphere(q), rtol=1e-12)


def around_sphere(q: Any) -> Any:
    """Return the length by hand: in the plane of both ends and the centre, in the pelvis' frame."""
    spread, flexion = q.T
    start = turned(-flexion, -0.03, 0.1)
    start = np.column_stack([start, np.full(len(q), 0.05)])
    cs, sn = np.cos(spread), np.sin(spread)
    end = np.column_stack([np.full(len(q), 0.04), -0.1 * cs - 0.02 * sn, 0.02 * cs - 0.1 * sn])
    end[:, 2] += 0.08
    a, b = start - [0, 0, 0.1], end - [0, 0, 0.1]
    far = [np.linalg.norm(arm, axis=-1) for arm in (a, b)]
    angle = np.arccos((a * b).sum(-1) / far[0] / far[1])
    arc = angle - sum(np.arccos(0.03 / distance) for distance in far)
    assert (arc > 0).any()
    assert (arc < 0).any()
    tangents = sum(np.sqrt(distance**2 - 0.03**2) for distance in far)
    return np.where(arc > 0, tangents + 0.03 * arc, np.linalg.norm(b - a, axis=-1))


def test_a_piece_of_a_path_may_keep_its_length() -> None:
    """A point on the axis of the joint is as far from the ground's in every posture."""
    text = TOLD.replace('{ on = "upper", at = [0.1, "a", 0] }', '{ on = "upper" }')
    text = text.replace('[0.02, "a", 0]', "[0.02, 0.0437, 0]").replace("a  = {", "b_ = {")
    text = text.replace('value = "20 + 5*sin(t)"', "value = 1").replace(
        "r1*cos(q1)", "r1*cos(q1)*b_/b_"
    )
    f = freebody.compile(loads(text))
    lengths, q = f.muscle_lengths(POSTURES)[:, 0], POSTURES[:, 1]
    second = np.sqrt(0.3**2 + 0.05**2 + 2 * 0.3 * 0.05 * np.cos(q))
    np.testing.assert_allclose(lengths, np.hypot(0.02, 0.0437) + second, rtol=1e-14)
    assert f["moment_arms/q"](POSTURES).shape == (len(POSTURES), 2, 3, 2)


@pytest.mark.few("c", "casadi")
@pytest.mark.parametrize("backend", ["c", "casadi", "heyoka", "jax", "numba"])
def test_all_backends_bend_paths_alike(backend: str) -> None:
    expected = arm().moment_arms(POSTURES), arm().muscle_lengths(POSTURES)
    f = freebody.compile(load(OWN["muscled_arm"]), backend=backend)
    found = f.moment_arms(POSTURES), f.muscle_lengths(POSTURES)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.exhaustive
def test_the_muscles_of_a_mirrored_side_pull_as_those_of_the_other() -> None:
    text = SPACE.replace(
        "[prescribed]",
        """[each]
side = { values = ["left", "right"], mirrored = ["right"], normal = "z" }
[prescribed]""",
    )
    for name in ("spread", "F1"):
        text = text.replace(f"\n{name} = ", f'\n"{name}_{{side}}" = ')
        text = text.replace(f'"{name}"', f'"{name}_{{side}}"')
    text = text.replace('"abductor"', '"abductor_{side}"').replace('"thigh"', '"thigh_{side}"')
    text = text.replace('"hip"', '"hip_{side}"')
    text = text[: text.index('[[muscles]]\nname = "brace"')].replace(
        'F2 = { title = "muscle to the ground", unit = "N", value = 10 }\n', ""
    )
    text = text.replace('title = "abductor_{side}"', 'title = "abductor"')
    f = freebody.compile(loads(text))
    names = [muscle.name for muscle in f.model.muscles]
    assert names == ["abductor_left", "abductor_right"]
    q = np.zeros((9, 3))
    spread = [f.coordinates.index(f"spread_{side}") for side in ("left", "right")]
    q[:, spread] = np.linspace(-0.5, 0.5, 9)[:, None]
    R = MusclePaths(f.model).at(0.0, q, np.zeros(3)).arms
    np.testing.assert_allclose(R[:, spread[0], 0], R[:, spread[1], 1], atol=1e-15)


# ---------------------------------------------------------------------- what is told

BICEPS = 'path = [{ on = "ground", at = [0.02, "a", 0] }, { on = "upper", at = [0.1, "a", 0] }'
SURFACE = '{ around = "upper", at = ["L1", 0, 0], radius = 0.02, turn = "counterclockwise" },\n'

WRONG = [
    ('tension = "F1"', 'tension = "F8"', "muscles[0].tension: 'F8' is not declared"),
    ('tension = "F1"', 'tension = "a"', "muscles[0].tension: expected only inputs, but 'a' is"),
    ('tension = "F1"', 'tension = "T1"', "muscles[0].tension: expected a value in N, but 'T1' is"),
    ('"tuberosity"]', '"tuberosty"]', "muscles[0].path[2]: no point 'tuberosty'; did you mean"),
    ('tension = "F2"', 'tension = "F1"', "'F1' is already the tension of muscle 'biceps'"),
    ('name = "both"', 'name = "biceps"', "muscles[2].name: 'biceps' is also a muscle"),
    (
        'length = "l0 + r1*cos(q1) - r2*sin(q1 + 2*q2)"',
        'length = "l0*r1/r2"',
        "depends on a coordi",
    ),
    (
        'length = "l0 +',
        'path = ["tuberosity"]\nlength = "l0 +',
        "expected either 'path' or 'length'",
    ),
    ('length = "l0 + r1', 'length = "l0 + d3', "muscles[2].length: 'd3' is not declared"),
    (
        'length = "l0 + r1*cos(q1)',
        'length = "m1*cos(q1)',
        "muscles[2].length: 'm1*cos(q1)' is in kg",
    ),
    (f"{BICEPS}, ", "path = [", "expected a 'path' that begins and ends at points"),
    (SURFACE, SURFACE * 2, "expected a point between two surfaces of a 'path'"),
    (', turn = "counterclockwise"', "", "muscles[1].path[2]: expected a 'turn' about the axis"),
    ("radius = 0.02", 'radius = 0.02, shape = "sphere"', "neither 'turn' nor 'axis' with a sphere"),
    ('"counterclockwise"', '"left"', "muscles[1].path[2].turn: "),
    ("radius = 0.02", "radius = -0.02", "path[2].radius: expected a value that is positive"),
    ("radius = 0.02", "radius = 0.02, axis = [0, 0, 0]", "path[2].axis: expected a direction"),
    ("radius = 0.02", "radias = 0.02", "path[2].radias: unknown key; did you mean 'radius'?"),
    ('around = "upper"', 'around = "uper"', "muscles[1].path[2].around: no body 'uper'; did you"),
    ("a  = {", "triceps_2_arc = {", "is also a force of muscles[1].path[2]"),
]


@pytest.mark.parametrize(("old", "new", "told"), WRONG)
def test_what_is_wrong_is_told_where_it_stands(old: str, new: str, told: str) -> None:
    text = TOLD.replace(old, new, 1)
    assert text != TOLD
    with pytest.raises(ModelError) as error:
        loads(text)
    assert told in str(error.value)


def test_all_that_is_wrong_is_told_at_once() -> None:
    text = TOLD.replace('tension = "F1"', 'tension = "F8"').replace('"tuberosity"]', '"tub"]')
    with pytest.raises(ModelError) as error:
        loads(text.replace("radius = 0.02", "radius = 0"))
    assert len(error.value.problems) == 4  # the third is that F1 is not used


def test_a_path_along_one_body_is_refused() -> None:
    text = TOLD.replace('{ on = "ground", at = [0.02, "a", 0] }', '{ on = "fore" }')
    text = text.replace('{ on = "upper", at = [0.1, "a", 0] }', '{ on = "fore", at = [0, 1, 0] }')
    with pytest.raises(ModelError, match="expected points of two bodies, found only 'fore'"):
        loads(text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"l0 + r1*cos(q1) -', '"l0 + Max(0, r1*q1) -', "length of muscle 'both' has a corner"),
        (
            '{ on = "upper", at = [0.1, "a", 0] }',
            '{ on = "ground" }, { on = "upper" }',
            "never part",
        ),
    ],
)
def test_what_cannot_be_derived_is_told(old: str, new: str, told: str) -> None:
    with pytest.raises(DerivationError, match=told):
        freebody.mechanism(loads(TOLD.replace(old, new, 1)))


def test_a_length_that_no_joint_could_follow_is_told() -> None:
    free = """title = "A body that falls"
[coordinates]
x = { title = "place", unit = "m" }
y = { title = "height", unit = "m" }
[inputs]
F = { title = "force", unit = "N" }
[[bodies]]
name = "ball"
mass = 1
[[joints]]
name = "air"
type = "planar"
parent = "ground"
child = "ball"
translation = ["x", "y"]
rotation = 0
[[muscles]]
name = "cord"
tension = "F"
length = "x + y"
"""
    with pytest.raises(DerivationError, match="depends on what turns no joint"):
        freebody.mechanism(loads(free))


def test_a_muscle_of_one_joint_with_angles_of_segments_acts_across_that_joint() -> None:
    """The length of a muscle at the elbow, in angles from the ground, moves no shoulder."""
    text = TOLD.replace('angle = "q2"', 'angle = "q2 - q1"')
    text = text.replace(
        'length = "l0 + r1*cos(q1) - r2*sin(q1 + 2*q2)"', 'length = "l0 - r2*(q2 - q1)"'
    )
    text = text.replace(
        'r1 = { title = "moment arm at the shoulder", unit = "m", value = 0.03 }\n', ""
    )
    moving = freebody.mechanism(loads(text))
    both = moving.muscles[2]
    assert {load.across for load in both.loads} == {("elbow",)}
    R = freebody.compile(loads(text)).moment_arms(np.array([0.3, 0.9]))
    np.testing.assert_allclose(R[:, 2], [-0.02, 0.02])


def test_a_model_with_muscles_is_written_back_as_it_is() -> None:
    for model in (loads(TOLD), load("two_link_muscles")):
        assert loads(dumps(model)) == model
