"""Joints against rotations by scipy, finite differences, and Euler's equations by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

import freebody
from freebody.errors import DerivationError, ModelError
from freebody.model import loads

if TYPE_CHECKING:
    from conftest import System

SEQUENCES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]
ANGLES = (0.7, -0.4, 1.1)

HEAD = """
title = "{joint}"
[coordinates]
a = { title = "", unit = "rad" }
b = { title = "", unit = "rad" }
c = { title = "", unit = "rad" }
x = { title = "", unit = "m" }
y = { title = "", unit = "m" }
z = { title = "", unit = "m" }
[[bodies]]
name = "frame"
mass = 0
[[bodies]]
name = "body"
mass = 1
[[joints]]
name = "rest"
type = "free"
parent = "ground"
child = "frame"
translation = ["x", "y", "z"]
rotation = ["a", "b", "c"]
[[joints]]
name = "joint"
parent = "frame"
child = "body"
"""

FLYER = """
title   = "A lopsided body free in space, in speeds of its own, pushed by a jet that turns with it"
gravity = [0, 0, "-g"]

[coordinates]
x     = { title = "place along x", unit = "m" }
y     = { title = "place along y", unit = "m" }
z     = { title = "place along z", unit = "m" }
yaw   = { title = "turn about the vertical", unit = "rad" }
pitch = { title = "turn about the transverse axis", unit = "rad" }
roll  = { title = "turn about the long axis", unit = "rad" }

[speeds]
v1 = { title = "velocity along x", unit = "m/s", value = "x_dot" }
v2 = { title = "velocity along y", unit = "m/s", value = "y_dot" }
v3 = { title = "velocity along z", unit = "m/s", value = "z_dot" }
w1 = { title = "angular velocity", unit = "rad/s", angular_velocity_of = "body", axis = "x" }
w2 = { title = "angular velocity", unit = "rad/s", angular_velocity_of = "body", axis = "y" }
w3 = { title = "angular velocity", unit = "rad/s", angular_velocity_of = "body", axis = "z" }

[constants]
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
m = { title = "mass", unit = "kg", value = 1.5 }
d = { title = "distance", unit = "m", value = 0.1 }
P = { title = "push of the jet", unit = "N", value = 2 }

[[bodies]]
name = "body"
mass = "m"
inertia = [0.03, 0.05, 0.06]
products_of_inertia = [-0.004, 0.002, 0.006]

[[joints]]
name = "air"
type = "free"
parent = "ground"
child = "body"
translation = ["x", "y", "z"]
rotation = ["yaw", "pitch", "roll"]
sequence = "zyx"

[[forces]]
name = "jet"
on = "body"
at = ["-d", "d/3", 0]
vector = ["P", 0, "P/5"]
frame = "body"
"""


def jointed(joint: str) -> freebody.Mechanism:
    """Return a body on a joint in a frame that moves and turns as it likes."""
    return freebody.mechanism(loads(HEAD + joint))


def turned(moving: freebody.Mechanism, frame: str, of: str) -> Any:
    """Return the matrix from the components in one frame to those in another, in numbers."""
    named = dict(zip("abc", ANGLES, strict=True))
    values = {q: named.get(name, 0) for name, q in moving.names.coordinates.items()}
    dcm = moving.frames[of].dcm(moving.frames[frame])
    return np.array(dcm.xreplace(values).tolist(), dtype=float)


def rotated(sequence: str, angles: Any = ANGLES) -> Any:
    """Return the matrix of turns about the axes of the turned frame."""
    return Rotation.from_euler(sequence.upper(), angles).as_matrix()


# ---------------------------------------------------------------------- orientations


@pytest.mark.few(*SEQUENCES[::3])
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_spherical_joint_turns_about_the_axes_of_the_turned_frame(sequence: str) -> None:
    joint = f'type = "spherical"\nsequence = "{sequence}"\nangles = ["a", "b", "c"]'
    found = turned(jointed(joint), "body", "frame")
    np.testing.assert_allclose(found, rotated(sequence), atol=1e-14)


@pytest.mark.parametrize("sequence", ["xyz", "zxz", "yxy"])
def test_a_free_joint_turns_likewise(sequence: str) -> None:
    joint = f'type = "free"\nsequence = "{sequence}"\n'
    joint += 'translation = [0, 0, 0]\nrotation = ["a", "b", "c"]'
    found = turned(jointed(joint), "body", "frame")
    np.testing.assert_allclose(found, rotated(sequence), atol=1e-14)


@pytest.mark.parametrize("axes", ["xy", "yx", "yz", "zx"])
def test_a_universal_joint_turns_about_two_axes(axes: str) -> None:
    joint = f'type = "universal"\naxes = ["{axes[0]}", "{axes[1]}"]\nangles = ["a", "b"]'
    found = turned(jointed(joint), "body", "frame")
    np.testing.assert_allclose(found, rotated(axes, ANGLES[:2]), atol=1e-14)


@pytest.mark.parametrize(
    "joint",
    [
        'type = "pin"\naxis = [1, -2, 2]\nangle = "a"',
        'type = "cylindrical"\naxis = [1, -2, 2]\nangle = "a"\ndisplacement = "x"',
    ],
)
def test_a_pin_turns_about_its_axis_by_the_right_hand(joint: str) -> None:
    expected = Rotation.from_rotvec(ANGLES[0] * np.array([1, -2, 2]) / 3).as_matrix()
    np.testing.assert_allclose(turned(jointed(joint), "body", "frame"), expected, atol=1e-14)


@pytest.mark.parametrize(("one", "other"), [("zxy", "yzy"), ("xyx", "zyx")])
def test_fixed_orientations_are_those_of_the_joints_frame_in_parent_and_child(
    one: str, other: str
) -> None:
    first, second = (0.3, -1.2, 0.8), (1.4, 0.5, -0.9)
    joint = f"""
    type = "spherical"
    angles = ["a", "b", "c"]
    orientation = {{ sequence = "{one}", angles = {list(first)} }}
    child_orientation = {{ sequence = "{other}", angles = {list(second)} }}
    """
    expected = rotated(one, first) @ rotated("xyz") @ rotated(other, second).T
    np.testing.assert_allclose(turned(jointed(joint), "body", "frame"), expected, atol=1e-14)


def test_a_joint_is_where_both_bodies_say(system_of: Any) -> None:
    slab = system_of("slab")
    moving, n = slab.mechanism, slab.numbers()
    joint = rotated("zxz", (np.pi / 2, np.pi / 2, 0))
    place = np.array([0, n["b"], -n["b"]]) + joint @ [n["x"], n["y"], 0]
    np.testing.assert_allclose(slab.value(moving.position("plane")), place, atol=1e-12)
    turn = joint @ rotated("z", n["spin"]) @ rotated("yxz", (np.pi / 2, 0, np.pi)).T
    np.testing.assert_allclose(_turn(slab, "slab"), turn, atol=1e-12)
    corner = place - turn @ [-n["b"], n["b"] / 3, 0]
    center = corner + turn @ [n["b"] / 2, 0, 0]
    np.testing.assert_allclose(slab.value(moving.position("slab")), center, atol=1e-12)
    axis = np.array([1, 2, -2]) / 3
    sleeve = corner + turn @ (np.array([n["b"], 0, n["b"] / 2]) + n["out"] * axis)
    np.testing.assert_allclose(slab.value(moving.position("sleeve")), sleeve, atol=1e-12)


def _turn(system: System, body: str) -> Any:
    moving = system.mechanism
    return system.value(moving.ground.dcm(moving.frames[body]))


# ---------------------------------------------------------------------- velocities


@pytest.mark.few("linkage", "ball", "slab")
@pytest.mark.parametrize("name", ["slab", "gimbals", "sockets", "shaken", "linkage", "ball"])
def test_velocities_are_finite_differences(system_of: Any, name: str) -> None:
    system, h = system_of(name), 1e-4
    moving, n = system.mechanism, system.numbers()
    rates = dict(zip(moving.names.coordinates, system.rates(), strict=True))

    def shifted(time: float) -> dict[str, float]:
        places = {q: n[q] + rate * time for q, rate in rates.items()}
        return n | places | {"t": n["t"] + time}

    for place in moving.points:
        ahead, behind = (system.value(moving.position(place), shifted(t)) for t in (h, -h))
        found = system.value(moving.velocity(place))
        np.testing.assert_allclose(found, (ahead - behind) / (2 * h), atol=2e-6, err_msg=place)


# ---------------------------------------------------------------------- actuators


def test_a_cylindrical_joint_pushes_along_its_axis_and_turns_about_it(system_of: Any) -> None:
    slab = system_of("slab")
    n = slab.numbers()
    np.testing.assert_allclose(slab.value(slab.equations().tau), [0, 0, 0, n["F"], n["T"]])


def test_motors_of_universal_joints_do_the_work_of_their_moments(system_of: Any) -> None:
    system = system_of("gimbals")
    n, moving = system.numbers(), system.mechanism
    relative = system.value(moving.angular_velocity("head") - moving.angular_velocity("stem"))
    moment = _turn(system, "head") @ [n["S1"], n["S2"], n["S3"]]
    motors = n["F"] * n["x_dot"] + n["T1"] * n["a1_dot"] + n["T2"] * n["a2_dot"]
    found = system.value(system.equations().tau)
    assert found @ system.speeds() == pytest.approx(motors + moment @ relative, abs=1e-12)
    np.testing.assert_allclose(found[[1, 4]], [n["T2"], n["F"]], atol=1e-12)


@pytest.mark.exhaustive
def test_motors_of_spherical_joints_do_the_work_of_their_moments(system_of: Any) -> None:
    system = system_of("sockets")
    n, moving = system.numbers(), system.mechanism
    found = system.value(system.equations().tau)
    moment = _turn(system, "one") @ [0, n["T"] / 2, n["T"]]
    power = moment @ system.value(moving.angular_velocity("one"))
    assert found[:3] @ system.speeds()[:3] == pytest.approx(power, abs=1e-12)
    np.testing.assert_allclose(found[3:], [0, n["S"], n["T"]], atol=1e-12)


# ---------------------------------------------------------------------- moving supports

KAPITZA = """
title = "A pendulum on a shaken support"
gravity = [0, "-g", 0]
[coordinates]
q = { title = "angle from the downward vertical", unit = "rad" }
[constants]
g = { title = "gravitational acceleration", unit = "m/s**2" }
m = { title = "mass", unit = "kg" }
l = { title = "length", unit = "m" }
b = { title = "amplitude", unit = "m" }
w = { title = "frequency", unit = "rad/s" }
[[bodies]]
name = "support"
mass = 0
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, "-l", 0]
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "support"
axis = [0, 1, 0]
displacement = "b*sin(w*t)"
[[joints]]
name = "pivot"
type = "pin"
parent = "support"
child = "bob"
angle = "q"
"""


@pytest.mark.parametrize(
    ("displacement", "declared"),
    [
        ('"b*sin(w*t)"', ""),
        ('"up"', '[prescribed]\nup = { title = "height", unit = "m", value = "b*sin(w*t)" }'),
    ],
)
def test_a_shaken_support_changes_gravity(displacement: str, declared: str) -> None:
    text = KAPITZA.replace('"b*sin(w*t)"', displacement)
    found = freebody.derive(loads(text.replace("[constants]", f"{declared}\n[constants]")))
    g, m, l, b, w, t = sympy.symbols("g m l b w t")  # noqa: E741
    (q,) = found.coordinates
    assert found.M[0, 0] == l**2 * m
    gravity = g - b * w**2 * sympy.sin(w * t)
    assert freebody.algebra.equal(found.G[0] + found.C[0], m * l * gravity * sympy.sin(q))


# ---------------------------------------------------------------------- own speeds


@pytest.mark.exhaustive
def test_a_free_body_obeys_eulers_equations() -> None:
    model = loads(FLYER)
    names = [*model.coordinates, *model.speeds]
    state = dict(zip(names, np.linspace(-0.8, 0.9, 12), strict=True))
    run = freebody.simulate(model, duration=0.01, initial=state)
    accelerations = run.data["accelerations"].isel(time=0).to_numpy()
    turn = rotated("zyx", [state[name] for name in ("yaw", "pitch", "roll")])
    w = np.array([state[f"w{i}"] for i in (1, 2, 3)])
    inertia = np.array([[0.03, -0.004, 0.006], [-0.004, 0.05, 0.002], [0.006, 0.002, 0.06]])
    push = np.array([2, 0, 0.4])
    moment = np.cross([-0.1, 0.1 / 3, 0], push) - np.cross(w, inertia @ w)
    np.testing.assert_allclose(accelerations[3:], np.linalg.solve(inertia, moment), rtol=1e-9)
    np.testing.assert_allclose(accelerations[:3], turn @ push / 1.5 - [0, 0, 9.81], rtol=1e-9)


def test_a_free_body_turns_as_its_angular_velocity_says() -> None:
    moving = freebody.mechanism(loads(FLYER))
    omega = moving.frames["body"].ang_vel_in(moving.ground).to_matrix(moving.frames["body"])
    state = dict(zip((*moving.coordinates, *moving.speeds), np.linspace(0.3, 0.9, 12), strict=True))
    found = [float(part.xreplace(state)) for part in omega]
    np.testing.assert_allclose(found, [state[u] for u in moving.speeds[3:]], rtol=1e-12)


# ---------------------------------------------------------------------- what is told


WRONG = [
    ('sequence = "zyx"', 'sequence = "zxx"', "sequence: expected three of x, y and z, none twice"),
    ('sequence = "zyx"', 'sequence = "xyw"', "sequence: expected three of x, y and z, none twice"),
    ('sequence = "zyx"', 'sequence = "xy"', "sequence: expected three of x, y and z, none twice"),
    ('value = "x_dot"', 'value = "x_dot**2/d*s"', "speeds.v1.value: 's' is not declared"),
    ('value = "x_dot"', 'value = "sqrt(x_dot**2)"', "speeds.v1.value: expected an expression lin"),
    ('value = "x_dot"', 'value = "w2*d"', "speeds.v1.value: expected only constants and coordi"),
    (', axis = "x" }', " }", "speeds.w1: expected 'axis' with 'angular_velocity_of'"),
    ('"body", axis = "x"', '"bdy", axis = "x"', "angular_velocity_of: no body 'bdy'; did you mean"),
    (
        'rotation = ["yaw", "pitch", "roll"]',
        "",
        "speeds.w1.angular_velocity_of: expected a body that turns, found 'body'",
    ),
]


def problems(text: str) -> list[str]:
    try:
        loads(text)
    except ModelError as error:
        return [str(problem) for problem in error.problems]
    return []


@pytest.mark.parametrize(("old", "new", "told"), WRONG)
def test_what_is_wrong_with_a_joint_or_its_speeds_is_told(old: str, new: str, told: str) -> None:
    assert old in FLYER
    assert any(told in problem for problem in problems(FLYER.replace(old, new, 1)))


def test_as_many_speeds_as_coordinates_are_expected() -> None:
    line = next(line for line in FLYER.splitlines() if line.startswith("v3"))
    told = "speeds: expected 6, one for each coordinate, found 5"
    assert problems(FLYER.replace(line, "")) == [told]


def test_speeds_that_do_not_decide_the_rates_are_told() -> None:
    with pytest.raises(DerivationError, match="rates of the coordinates do not follow from v1, v2"):
        freebody.mechanism(loads(FLYER.replace('"y_dot"', '"2*x_dot"')))


def test_a_speed_without_the_rates_is_told() -> None:
    told = "speeds.v2.value: expected an expression of the speeds, found 'd*g/d'"
    text = FLYER.replace('"m/s", value = "y_dot"', '"m/s**2", value = "d*g/d"')
    assert problems(text) == [told]


def test_a_universal_joint_turns_about_two_different_axes() -> None:
    joint = 'type = "universal"\naxes = ["y", "y"]\nangles = ["a", "b"]'
    told = "joints[1].axes: expected each axis once, found 'y' 2 times"
    assert problems(HEAD + joint) == [told]


@pytest.mark.parametrize("kind", ["pin", "cylindrical"])
def test_an_axis_without_a_direction_is_told(kind: str) -> None:
    slide = 'displacement = "x"' if kind == "cylindrical" else ""
    joint = f'type = "{kind}"\naxis = [0, 0, 0]\nangle = "a"\n{slide}'
    assert problems(HEAD + joint) == ["joints[1].axis: expected a direction, found the zero vector"]
