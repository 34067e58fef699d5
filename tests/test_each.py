from __future__ import annotations

import re
import time
import tomllib
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from freebody.errors import ModelError
from freebody.model import (
    Body,
    Constant,
    Contact,
    Coordinate,
    Force,
    Input,
    Model,
    Orientation,
    Pin,
    Placement,
    Planar,
    Slider,
    Spherical,
    Spring,
    Torque,
    dumps,
    loads,
    reviewed,
    schema,
)
from freebody.model.names import number

CHAIN = """
title = "chain"

[each]
i = { from = 2, to = 4 }

[coordinates]
q1 = { title = "link 1", unit = "rad" }
"q{i}" = { title = "link {i}", unit = "rad", initial = "{i}/10" }

[constants]
"m{i}" = { title = "mass {i}", unit = "kg" }
l = { title = "length", unit = "m", value = 0.5 }

[[bodies]]
name = "link1"
mass = 1

[[bodies]]
name = "link{i}"
mass = "m{i}"
center_of_mass = ["l/2", 0, 0]

[[joints]]
name = "joint1"
type = "pin"
parent = "ground"
child = "link1"
angle = "q1"

[[joints]]
name = "joint{i}"
type = "pin"
parent = "link{i-1}"
at = ["l", 0, 0]
child = "link{i}"
angle = "q{i} - q{i-1}"

[[springs]]
between = [{ on = "ground" }, { on = "link{i}", at = ["l/{i+1}", 0, 0] }]
stiffness = "{i}"
"""

LEGS = """
title = "legs"
gravity = [0, -9.81, 0]

[each]
side = { values = ["left", "right"], mirrored = ["right"], normal = "z" }
part = ["heel", "toe"]

[coordinates]
x = { title = "forward", unit = "m" }
y = { title = "up", unit = "m" }
tilt = { title = "of the trunk", unit = "rad" }
"hip_{side}" = { title = "{side} thigh", unit = "rad", initial = 0.1 }

[inputs]
"T_{side}" = { title = "{side} hip", unit = "N*m", value = "tilt - hip_{side}" }

[[bodies]]
name = "trunk"
mass = 50
inertia = 3

[[bodies]]
name = "leg_{side}"
mass = 10
center_of_mass = [0, -0.4, 0]
inertia = 0.5

[[joints]]
name = "root"
type = "planar"
parent = "ground"
child = "trunk"
translation = ["x", "y"]
rotation = "tilt"

[[joints]]
name = "hip_joint_{side}"
type = "pin"
parent = "trunk"
child = "leg_{side}"
at = [0, 0, 0.1]
angle = "hip_{side} - tilt"
torque = "T_{side}"

[[contacts]]
name = "{part}_{side}"
on = "leg_{side}"
stiffness = 1e5
"""

ARMS = """
title = "arms"

[each]
side = { values = ["left", "right"], mirrored = ["right"], normal = "z" }

[coordinates]
a_left = { title = "", unit = "rad" }
a_right = { title = "", unit = "rad" }
"s_{side}" = { title = "", unit = "m" }

[constants]
w = { title = "half the width", unit = "m", value = 0.2 }
F = { title = "push", unit = "N", value = 2 }
T = { title = "twist", unit = "N*m", value = 3 }

[[bodies]]
name = "arm_{side}"
mass = 2
center_of_mass = [0.1, "w/2", "w + 0.1*w"]
inertia = [2, 2.5, 3]
products_of_inertia = [0.1, -0.2, "0.3"]

[[bodies]]
name = "hand_{side}"
mass = 3

[[joints]]
name = "shoulder_{side}"
type = "spherical"
parent = "ground"
child = "arm_{side}"
at = [0, 1, "w"]
orientation = { sequence = "zxz", angles = [1, 2, "pi"] }
sequence = "zxy"
angles = ["a_{side}", "a_{side}/2 + 1", 0.5]
torque = [1, 2, 3]

[[joints]]
name = "wrist_{side}"
type = "slider"
parent = "arm_{side}"
child = "hand_{side}"
child_at = [1, 0, 3.5]
axis = [0, 0, 1]
displacement = "s_{side}"

[[forces]]
on = "hand_{side}"
vector = [1, "2", "3*F"]

[[torques]]
on = "hand_{side}"
vector = [1, "T + T", "3*T"]

[[contacts]]
name = "wall_{side}"
on = "hand_{side}"
normal = [1, 0, -2]
stiffness = 1

[[springs]]
between = [{ on = "ground", at = [0, 0, "w"] }, { on = "hand_{side}", at = [0, 0, -1] }]
stiffness = 3
"""


def problems(*changes: tuple[str, str], text: str = LEGS) -> list[str]:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    try:
        loads(text)
    except ModelError as error:
        return [str(problem) for problem in error.problems]
    return []


# ---------------------------------------------------------------- copies


def chain() -> Model:
    """Return what `CHAIN` says, written out."""
    links = range(2, 5)
    angles = {f"q{i}": Coordinate(title=f"link {i}", unit="rad", initial=f"{i}/10") for i in links}
    masses = {f"m{i}": Constant(title=f"mass {i}", unit="kg") for i in links}
    bodies = (Body(name=f"link{i}", mass=f"m{i}", center_of_mass=("l/2", 0, 0)) for i in links)
    joints = (
        Pin(
            name=f"joint{i}",
            parent=f"link{i - 1}",
            at=("l", 0, 0),
            child=f"link{i}",
            angle=f"q{i} - q{i - 1}",
        )
        for i in links
    )
    ends = (
        (Placement(on="ground"), Placement(on=f"link{i}", at=(f"l/{i + 1}", 0, 0))) for i in links
    )
    return Model(
        title="chain",
        coordinates={"q1": Coordinate(title="link 1", unit="rad"), **angles},
        constants={**masses, "l": Constant(title="length", unit="m", value=0.5)},
        bodies=(Body(name="link1", mass=1), *bodies),
        joints=(Pin(name="joint1", parent="ground", child="link1", angle="q1"), *joints),
        springs=tuple(
            Spring(between=end, stiffness=f"{i}") for i, end in zip(links, ends, strict=True)
        ),
    )


@pytest.mark.parametrize("said", ["{ from = 2, to = 4 }", "[2, 3, 4]", "{ values = [2, 3, 4] }"])
def test_a_chain_is_the_one_written_out(said: str) -> None:
    model = loads(CHAIN.replace("{ from = 2, to = 4 }", said))
    assert model == chain()
    assert list(model.coordinates) == ["q1", "q2", "q3", "q4"]
    assert list(model.constants) == ["m2", "m3", "m4", "l"]


def test_what_is_saved_is_written_out() -> None:
    for text in (CHAIN, LEGS, ARMS):
        model = loads(text)
        assert "each" not in dumps(model)
        assert loads(dumps(model)) == model


def test_a_planar_model_has_a_leg_for_each_side() -> None:
    sides = ("left", "right")
    assert loads(LEGS) == Model(
        title="legs",
        gravity=(0, -9.81, 0),
        coordinates={
            "x": Coordinate(title="forward", unit="m"),
            "y": Coordinate(title="up", unit="m"),
            "tilt": Coordinate(title="of the trunk", unit="rad"),
            "hip_left": Coordinate(title="left thigh", unit="rad", initial=0.1),
            "hip_right": Coordinate(title="right thigh", unit="rad", initial=0.1),
        },
        inputs={
            f"T_{side}": Input(title=f"{side} hip", unit="N*m", value=f"tilt - hip_{side}")
            for side in sides
        },
        bodies=(
            Body(name="trunk", mass=50, inertia=3),
            Body(name="leg_left", mass=10, center_of_mass=(0, -0.4, 0), inertia=0.5),
            Body(name="leg_right", mass=10, center_of_mass=(0, -0.4, 0), inertia=0.5),
        ),
        joints=(
            Planar(
                name="root",
                parent="ground",
                child="trunk",
                translation=("x", "y"),
                rotation="tilt",
            ),
            *(
                Pin(
                    name=f"hip_joint_{side}",
                    parent="trunk",
                    child=f"leg_{side}",
                    at=(0, 0, place),
                    angle=f"hip_{side} - tilt",
                    torque=f"T_{side}",
                )
                for side, place in zip(sides, (0.1, -0.1), strict=True)
            ),
        ),
        contacts=tuple(
            Contact(name=f"{part}_{side}", on=f"leg_{side}", stiffness=1e5)
            for side in sides
            for part in ("heel", "toe")
        ),
    )


def test_the_first_declared_is_outermost() -> None:
    part = 'part = ["heel", "toe"]\n'
    model = loads(LEGS.replace(part, "").replace("[each]\n", f"[each]\n{part}"))
    names = [contact.name for contact in model.contacts]
    assert names == ["heel_left", "heel_right", "toe_left", "toe_right"]


def test_a_negative_number_stands_in_brackets() -> None:
    text = ARMS.replace("[each]", "[each]\ni = [1, -2]").replace("3*F", "{i}**2*{i-1}*F")
    components = [force.vector[2] for force in loads(text).forces]
    assert components[::2] == ["1**2*0*F", "(-2)**2*(-3)*F"]


def test_braces_are_plain_text_where_nothing_is_repeated() -> None:
    text = CHAIN[: CHAIN.index("[[springs]]")].replace("link 1", "{link").replace("{i-1}", "1")
    text = text.replace("[each]\ni = { from = 2, to = 4 }\n", "").replace("{i}", "2")
    assert loads(text).coordinates["q1"].title == "{link"


# ---------------------------------------------------------------- mirrors


def test_a_mirrored_pair_is_the_one_written_out() -> None:
    model = loads(ARMS)
    assert model.bodies[1::2] == (
        Body(
            name="arm_right",
            mass=2,
            center_of_mass=(0.1, "w/2", "-(w + 0.1*w)"),
            inertia=(2, 2.5, 3),
            products_of_inertia=(0.1, 0.2, "-(0.3)"),
        ),
        Body(name="hand_right", mass=3),
    )
    assert model.joints[1::2] == (
        Spherical(
            name="shoulder_right",
            parent="ground",
            child="arm_right",
            at=(0, 1, "-(w)"),
            orientation=Orientation(sequence="zxz", angles=(1, -2, "pi")),
            sequence="zxy",
            angles=("a_right", "-(a_right/2 + 1)", -0.5),
            torque=(-1, -2, 3),
        ),
        Slider(
            name="wrist_right",
            parent="arm_right",
            child="hand_right",
            child_at=(1, 0, -3.5),
            axis=(0, 0, -1),
            displacement="s_right",
        ),
    )
    assert model.forces[1] == Force(on="hand_right", vector=(1, "2", "-(3*F)"))
    assert model.torques[1] == Torque(on="hand_right", vector=(-1, "-(T + T)", "3*T"))
    wall = Contact(name="wall_right", on="hand_right", normal=(1, 0, 2), stiffness=1)
    assert model.contacts[1] == wall
    ends = Placement(on="ground", at=(0, 0, "-(w)")), Placement(on="hand_right", at=(0, 0, 1))
    assert model.springs[1] == Spring(between=ends, stiffness=3)
    unmirrored = loads(ARMS.replace(', mirrored = ["right"], normal = "z"', ""))
    for section in ("bodies", "joints", "forces", "torques", "springs"):
        assert getattr(model, section)[::2] == getattr(unmirrored, section)[::2]
    assert model.coordinates == unmirrored.coordinates


def test_two_mirrors_make_half_a_turn() -> None:
    sides = '[each]\nend = { values = ["rear"], mirrored = ["rear"], normal = "x" }\n'
    text = ARMS.replace("[each]\n", sides).replace("hand_{side}", "hand_{side}_{end}")
    force = loads(text).forces[1]
    assert force.vector == (-1, "2", "-(3*F)")
    same = loads(text.replace('normal = "x"', 'normal = "z"'))
    assert same.forces[1].vector == (1, "2", "3*F")


JOINTS = {
    "weld": "",
    "pin": 'axis = [1, 2, 3]\nangle = "a_{s} + 0.1"\ntorque = "T_{s}"',
    "slider": 'axis = [1, -2, 3]\ndisplacement = "x_{s}"\nforce = "F_{s}"',
    "cylindrical": 'axis = [3, 1, 1]\nangle = "a_{s}"\ndisplacement = "x_{s}*2"\n'
    'force = "F_{s}"\ntorque = "T_{s}"',
    "planar": 'translation = ["x_{s}", "y_{s}"]\nrotation = "a_{s} - b_{s}"',
    "universal": 'axes = ["z", "x"]\nangles = ["a_{s}", "b_{s}"]\n'
    'generalized_torque = ["T_{s}", 0.3]',
    "spherical": 'sequence = "yzx"\nangles = ["a_{s}", "b_{s}", "c_{s}"]\n'
    'generalized_torque = ["T_{s}", 0.3, "-T_{s}/4"]',
    "free": 'translation = ["x_{s}", "y_{s}", "z_{s}"]\nrotation = ["a_{s}", "b_{s}", "c_{s}"]\n'
    'sequence = "zxz"',
    "free in a plane": 'translation = ["x_{s}", "y_{s}", "z_{s}"]\nrotation = "a_{s}"',
}
VALUES = {"a": 0.3, "b": -0.7, "c": 1.1, "x": 0.2, "y": -0.5, "z": 0.9, "F": 1.3, "T": -0.4}
UNITS = {"a": "rad", "b": "rad", "c": "rad", "x": "m", "y": "m", "z": "m", "F": "N", "T": "N*m"}


def robot(normal: str) -> str:
    """Return a chain with a joint of every type, all of them turned and off the bodies' origins."""
    each = f'{{ values = ["l", "r"], mirrored = ["r"], normal = "{normal}" }}'
    text = f'title = ""\n[each]\ns = {each}\n[coordinates]\n'
    for name, unit in UNITS.items():
        text += "[inputs]\n" if name == "F" else ""
        text += f'"{name}_{{s}}" = {{ title = "", unit = "{unit}" }}\n'
    parents = pairwise(["ground", *(f"body{count}_{{s}}" for count in range(len(JOINTS)))])
    for (parent, child), (name, said) in zip(parents, JOINTS.items(), strict=True):
        text += f"""
            [[bodies]]
            name = "{child}"
            mass = 1
            center_of_mass = [1, 2, "3"]
            inertia = [4, 5, 6]
            products_of_inertia = [0.1, "0.2", 0.3]
            [[joints]]
            name = "joint_{child}"
            type = "{name.split()[0]}"
            parent = "{parent}"
            child = "{child}"
            at = [0.1, "0.2", 0.3]
            child_at = [0.3, "-0.1", 0.2]
            orientation = {{ angles = [0.1, "0.2", 0.3] }}
            child_orientation = {{ sequence = "yxz", angles = [0.1, "0.2", 0.3] }}
            {said}
        """
    return text


def turn(axis: Any, angle: float) -> Any:
    """Return the matrix of a rotation about an axis by Rodrigues' formula."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def turns(axes: Any, angles: Any) -> Any:
    rotation = np.eye(3)
    for axis, angle in zip(axes, angles, strict=True):
        rotation = rotation @ turn(np.eye(3)["xyz".index(axis)], angle)
    return rotation


def valued(said: Any) -> Any:
    """Return the number, or the array of numbers, that a value has on either side."""
    if isinstance(said, tuple):
        return np.array([valued(part) for part in said])
    return number(said, {f"{name}_{side}": VALUES[name] for name in VALUES for side in "lr"})


def oriented(said: Orientation) -> Any:
    return turns(said.sequence, valued(said.angles))


def shift(joint: Any) -> Any:
    """Return how far the child is moved, in the frame of the joint."""
    if hasattr(joint, "displacement"):
        axis = valued(joint.axis)
        return valued(joint.displacement) * axis / np.linalg.norm(axis)
    return np.resize([*valued(getattr(joint, "translation", ())), 0, 0, 0], 3)


def rotation(joint: Any) -> Any:
    """Return how far the child is turned, in the frame of the joint."""
    if hasattr(joint, "angle"):
        return turn(valued(joint.axis), valued(joint.angle))
    angles = valued(getattr(joint, "angles", getattr(joint, "rotation", 0)))
    if np.ndim(angles) == 0:
        return turn((0, 0, 1), angles)
    return turns(joint.axes if joint.type == "universal" else joint.sequence, angles)


def posture(model: Model) -> dict[str, Any]:
    """Return the origin and the frame of each body, worked out joint by joint in numbers."""
    frames: dict[str, Any] = {"ground": (np.zeros(3), np.eye(3))}
    for joint in model.joints:
        origin, parent = frames[joint.parent]
        before = parent @ oriented(joint.orientation)
        frame = before @ rotation(joint) @ oriented(joint.child_orientation).T
        place = origin + parent @ valued(joint.at) + before @ shift(joint)
        frames[joint.child] = place - frame @ valued(joint.child_at), frame
    return frames


def inertia(body: Body) -> Any:
    (x, y, z), (xy, yz, zx) = valued(body.inertia), valued(body.products_of_inertia)
    return np.array([[x, xy, zx], [xy, y, yz], [zx, yz, z]])


@pytest.mark.parametrize("normal", ["x", "y", "z"])
def test_a_mirrored_body_moves_as_its_mirror_image(normal: str) -> None:
    model = loads(robot(normal))
    frames = posture(model)
    mirror = np.diag([-1 if axis == normal else 1 for axis in "xyz"])
    for body, other in zip(model.bodies[::2], model.bodies[1::2], strict=True):
        (place, frame), (other_place, other_frame) = frames[body.name], frames[other.name]
        np.testing.assert_allclose(other_place, mirror @ place, atol=1e-12)
        np.testing.assert_allclose(other_frame, mirror @ frame @ mirror, atol=1e-12)
        center = mirror @ valued(body.center_of_mass)
        np.testing.assert_allclose(valued(other.center_of_mass), center)
        np.testing.assert_allclose(inertia(other), mirror @ inertia(body) @ mirror)


@pytest.mark.parametrize("normal", ["x", "y", "z"])
def test_the_actuators_of_a_mirrored_joint_do_the_same_work(normal: str) -> None:
    model = loads(robot(normal))
    works = {"torque": "angle", "force": "displacement", "generalized_torque": "angles"}
    for joint, other in zip(model.joints[::2], model.joints[1::2], strict=True):
        for effort, motion in works.items():
            if getattr(joint, effort, None) is not None:
                one, two = (
                    valued(getattr(said, effort)) * valued(getattr(said, motion))
                    for said in (joint, other)
                )
                np.testing.assert_allclose(one, two)


# ---------------------------------------------------------------- what has another sign in a mirror

LEAN = """
title = "lean"

[each]
side = { values = ["left", "right"], mirrored = ["right"], normal = "z" }

[coordinates]
lean = { title = "", unit = "rad" }
"hip_{side}" = { title = "", unit = "rad" }

[constants]
r = { title = "", unit = "m", value = 1 }

[[bodies]]
name = "trunk"
mass = 1
center_of_mass = ["r", 0, 0]
inertia = 1

[[bodies]]
name = "leg_{side}"
mass = 1
inertia = 1

[[joints]]
name = "waist"
parent = "ground"
child = "trunk"
type = "pin"
axis = [1, 0, 0]
angle = "lean"

[[joints]]
name = "hip_joint_{side}"
type = "pin"
parent = "trunk"
child = "leg_{side}"
axis = [1, 0, 0]
angle = "hip_{side} - lean"
"""


def in_mirror(where: str, name: str) -> str:
    told = f"'{name}' changes its sign in the mirror; expected the mirrored entry written out"
    return f"{where} (side = right): {told}"


@pytest.mark.parametrize(
    ("joint", "keeps"),
    [
        ('type = "pin"\naxis = [0, 0, 2]\nangle = "lean"', True),
        ('type = "pin"\naxis = [1, 0, 0]\nangle = "lean"', False),
        ('type = "pin"\naxis = [1, 0, 1]\nangle = "lean"', False),
        ('type = "pin"\norientation = { angles = [0, 0, 1] }\nangle = "lean"', True),
        ('type = "pin"\norientation = { angles = [0, 1, 0] }\nangle = "lean"', False),
        ('type = "slider"\ndisplacement = "lean*r"', True),
        ('type = "slider"\naxis = [0, 0, 1]\ndisplacement = "lean*r"', False),
        ('type = "cylindrical"\nangle = "lean"\ndisplacement = 0', True),
        ('type = "cylindrical"\nangle = 0\ndisplacement = "lean*r"', False),
        ('type = "cylindrical"\naxis = [1, 0, 0]\nangle = "lean"\ndisplacement = 0', False),
        ('type = "cylindrical"\naxis = [1, 0, 0]\nangle = 0\ndisplacement = "lean*r"', True),
        ('type = "planar"\ntranslation = [0, "lean*r"]\nrotation = "lean"', True),
        ('type = "universal"\naxes = ["z", "x"]\nangles = ["lean", 0]', True),
        ('type = "universal"\naxes = ["z", "x"]\nangles = [0, "lean"]', False),
        ('type = "free"\ntranslation = [0, "lean*r", 0]\nrotation = "lean"', True),
        ('type = "free"\ntranslation = [0, 0, "lean*r"]', False),
    ],
)
def test_a_coordinate_of_both_sides_must_keep_its_sign(joint: str, keeps: bool) -> None:
    waist = ('type = "pin"\naxis = [1, 0, 0]\nangle = "lean"', joint)
    expected = [] if keeps else [in_mirror("joints[1].angle", "lean")]
    assert problems(waist, text=LEAN) == expected
    assert problems(waist, (" - lean", ""), text=LEAN) == []


@pytest.mark.parametrize(
    "shared",
    [
        'type = "pin"\naxis = [1, 0, 0]\nangle = 0\ntorque = "T"',
        'type = "slider"\naxis = [0, 0, 1]\ndisplacement = 0\nforce = "T/r"',
        'type = "cylindrical"\naxis = [1, 0, 0]\nangle = 0\ndisplacement = 0\ntorque = "T"',
        'type = "cylindrical"\nangle = 0\ndisplacement = 0\nforce = "T/r"',
        'type = "universal"\nangles = [0, 0]\ntorque = ["T", 0, 0]',
        'type = "weld"\n[[forces]]\non = "trunk"\nvector = [0, 0, "T/r"]',
        'type = "weld"\n[[torques]]\non = "trunk"\nvector = [0, "T", 0]',
    ],
)
def test_an_input_of_both_sides_must_keep_its_sign(shared: str) -> None:
    changes = (
        ("lean = {", 'T = { title = "", unit = "N*m" }\n[coordinates]\nlean = {'),
        ("[coordinates]", "[inputs]"),
        (" - lean", ' + lean"\ntorque = "T'),
    )
    waist = ('type = "pin"\naxis = [1, 0, 0]\nangle = "lean"', shared)
    assert problems(waist, *changes, text=LEAN) == [in_mirror("joints[1].torque", "T")]


def test_the_height_of_a_wall_changes_its_sign_with_its_normal() -> None:
    wall = (
        '[[contacts]]\nname = "c"\non = "trunk"\nnormal = [0, 0, 1]\nheight = "h"\nstiffness = 1\n'
    )
    given = '[prescribed]\nh = { title = "", unit = "m", value = "t*r/(t + 1)" }\n'
    changes = (("[[bodies]]", f"{given}{wall}[[bodies]]"), (" - lean", " - h/r"))
    assert problems(*changes, text=LEAN) == [in_mirror("joints[1].angle", "h")]
    level = ("normal = [0, 0, 1]", "normal = [0, 1, 0]")
    assert problems(*changes, level, text=LEAN) == []


def test_what_follows_from_a_coordinate_changes_its_sign_with_it() -> None:
    text = LEAN.replace(" - lean", "") + 'torque = "T"\n'
    given = '[inputs]\nT = { title = "", unit = "N*m", value = "-3*lean_dot" }\n[[bodies]]'
    assert problems(("[[bodies]]", given), text=text) == [in_mirror("joints[1].torque", "T")]
    assert problems(("[[bodies]]", given.replace("-3*lean_dot", "t")), text=text) == []


def test_what_only_the_copies_share_is_theirs() -> None:
    text = LEAN.replace(" - lean", " - spread")
    spread = 'spread = { title = "", unit = "rad" }\n'
    assert problems(("[coordinates]\n", f"[coordinates]\n{spread}"), text=text) == []


def test_a_speed_along_an_axis_keeps_its_sign_or_is_told() -> None:
    text = (
        LEAN.replace(" - lean", "")
        + """
[speeds]
w_lean = { title = "", unit = "rad/s", value = "lean_dot" }
"w_{side}" = { title = "", unit = "rad/s", angular_velocity_of = "leg_{side}", axis = "x" }
"""
    )
    told = "the component along 'x' changes its sign in the mirror; expected a 'value'"
    assert problems(text=text) == [f"speeds.w_{{side}}.axis (side = right): {told}"]
    assert problems(('axis = "x"', 'axis = "z"'), text=text) == []


# ---------------------------------------------------------------- what is wrong

SIDE = 'side = { values = ["left", "right"], mirrored = ["right"], normal = "z" }'
MASS = "center_of_mass = [0, -0.4, 0]"
ONE_BY_ONE: list[tuple[str, str, str]] = [
    # what [each] says
    ('part = ["heel", "toe"]', "part = []", "each.part: expected 1 to 500 values, found 0"),
    ('part = ["heel", "toe"]', 'part = ["toe", "toe"]', "each.part: 'toe' stands there twice"),
    ('part = ["heel", "toe"]', "part = 3", "each.part: expected a table, found 3"),
    ('part = ["heel", "toe"]', "part = {}", "each.part: expected either 'values' or 'from' with"),
    ('part = ["heel", "toe"]', "part = { from = 1 }", "each.part: expected 'from' with 'to'"),
    ('["heel", "toe"]', "{ from = 2, to = 1 }", "each.part: expected 1 to 500 values, found 0"),
    ('["heel", "toe"]', "{ from = 0, to = 999999999 }", "to 500 values, found 1000000000"),
    ('["heel", "toe"]', "{ from = 1, to = 2, values = [1] }", "each.part: expected either"),
    (
        '["heel", "toe"]',
        "{ form = 1, to = 2 }",
        "each.part.form: unknown key; did you mean 'from'?",
    ),
    ('["heel", "toe"]', "{ from = 0.5, to = 2 }", "each.part.from: expected a whole number of at "),
    (
        '"heel", "toe"',
        '"heel", "the toe"',
        "each.part[1]: expected a name or a whole number, found",
    ),
    ('"heel", "toe"', '"heel", "4"', "each.part[1]: expected a name or a whole number, found '4'"),
    (
        '"heel", "toe"',
        "true",
        "each.part[0]: expected a whole number of at most nine digits, found",
    ),
    ('"heel", "toe"', "1.0", "each.part[0]: expected a name or a whole number, found 1.0"),
    ('"heel", "toe"', "0x" + "f" * 9_999, "each.part[0]: expected a whole number of at most nine"),
    ('["right"]', '["rigth"]', "each.side: 'rigth' is none of the values; did you mean 'right'?"),
    ('"z"', '"up"', "each.side.normal: expected 'x', 'y' or 'z', found 'up'"),
    (', normal = "z"', "", "each.side: expected 'mirrored' with 'normal'"),
    (', mirrored = ["right"]', "", "each.side: expected 'mirrored' with 'normal'"),
    ("[each]\n", '[each]\n"my i" = [1]\n', "each.my i: expected a name of letters, digits and"),
    ("[each]\n", "[each]\ni = [1]\n", "each.i: is not used"),
    # placeholders
    ("{side} hip", "{sid} hip", "inputs.T_{side}.title: '{sid}' is not in [each]; did you mean 's"),
    ('"T_{side}" =', '"T_{sid}" =', "inputs.T_{sid}: '{sid}' is not in [each]; did you mean 'sid"),
    ('name = "leg_{side}"', 'name = "leg_{}"', "bodies[1].name: '{}' is not in [each]"),
    (
        'name = "leg_{side}"',
        'name = "leg_{side"',
        "bodies[1].name: a brace in 'leg_{side' has no p",
    ),
    ('name = "leg_{side}"', 'name = "leg_side}"', "bodies[1].name: a brace in 'leg_side}' has no"),
    ('name = "leg_{side}"', 'name = "{{side}}"', "bodies[1].name: a brace in '{' has no partner"),
    (MASS, 'center_of_mass = ["{side+1}", 0, 0]', "center_of_mass[0]: expected '{side}', found '"),
    (MASS, 'center_of_mass = ["{ side }", 0, 0]', "center_of_mass[0]: expected '{side}', found '"),
    # problems of copies
    ("mass = 10", "mass = -10", "bodies[1].mass: expected a value that is positive, found -10"),
    ("mass = 10", "mass = 10\nmas = 10", "bodies[1].mas: unknown key; did you mean 'mass'?"),
    ("mass = 10", "", "bodies[1].mass: is missing"),
    (
        "initial = 0.1",
        "initial = true",
        "coordinates.hip_{side}.initial: expected a number, a name",
    ),
    (
        'name = "leg_{side}"',
        'name = "leg_left"',
        "joints[1].child (side = right): no body 'leg_right'",
    ),
    ('torque = "T_{side}"', 'torque = "T_left"', "inputs.T_{side} (side = right): is not used"),
    (
        '"T_{side}" =',
        'T_left = { title = "", unit = "N*m" }\n"T_{side}" =',
        "inputs.T_{side} (side = left): 'T_left' is declared already; expected another name",
    ),
]


@pytest.mark.parametrize(("old", "new", "told"), ONE_BY_ONE)
def test_what_is_wrong_is_told_where_it_is_written(old: str, new: str, told: str) -> None:
    found = problems((old, new))
    assert told in found[0]


def test_what_all_copies_have_is_told_once() -> None:
    found = problems(("mass = 10", 'mass = "m"'), ('"T_{side}"\n', '"T_{side} + F_{side}"\n'))
    assert found == [
        "bodies[1].mass: 'm' is not declared",
        "joints[1].torque (side = left): 'F_left' is not declared; did you mean 'T_left'?",
        "joints[1].torque (side = right): 'F_right' is not declared; did you mean 'T_right'?",
    ]


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = problems(
        ("{side} hip", "{sid} hip"),
        ('["heel", "toe"]', "[]"),
        ("mass = 10", "mass = true"),
        ("mass = 50", "mass = nan"),
        ('child = "trunk"', 'child = "{"'),
    )
    assert [problem.partition(":")[0] for problem in found] == [
        "each.part",
        "inputs.T_{side}.title",
        "joints[0].child",
        "bodies[0].mass",
        "bodies[1].mass",
    ]


def test_paths_count_what_is_written() -> None:
    found = problems(("stiffness = 1e5", 'stiffness = 1e5\n[[contacts]]\nname = "c"\non = "trunk"'))
    assert found == ["contacts[1]: expected either 'stiffness' or 'law', found neither"]
    found = problems(("mass = 50", "mass = true"), ("inertia = 0.5", 'inertia = "-{side}"'))
    assert found == [
        "bodies[0].mass: expected a number, a name or an expression, found True",
        "bodies[1].inertia (side = left): 'left' is not declared",
        "bodies[1].inertia (side = right): 'right' is not declared",
    ]


def test_a_mirrored_text_that_grows_too_long_is_told() -> None:
    long = "0.1".ljust(2_000)
    expected = "joints[1].at[2] (side = right): 2003 characters are too many; at most 2000 are read"
    assert problems(("at = [0, 0, 0.1]", f'at = [0, 0, "{long}"]')) == [expected]


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("section", "count"),
    [
        ('"c{i}{j}" = { title = "", unit = "1" }', 900),
        ('"c{i}" = { title = "", unit = "1" }\n"d{i}" = ["{j}"]', 900),
        (f'"c{{i}}" = {{ title = "{"x" * 100_000}" }}', 30),
        (f'"c{{i}}" = {{ title = [{"[], " * 100_000}] }}', 30),
        ("\n".join(f'"c{n}_{{i}}" = {{ title = "" }}' for n in range(10_000)), 30),
    ],
)
def test_more_copies_than_a_model_may_have_are_not_made(section: str, count: int) -> None:
    each = "i = { from = 1, to = 30 }\nj = { from = 1, to = 30 }"
    start = time.process_time()
    found = problems(text=f'title = ""\n[each]\n{each}\n[constants]\n{section}')
    assert any(f"{count} copies are too many: a section has at most 500" in said for said in found)
    assert time.process_time() - start < 10


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f'c{n} = {{ title = "{{i{n % 7}}}" }}' for n in range(20_000)),
        'c = { title = "' + "{jj}" * 200_000 + '" }',
        'c = { title = "' + "{" * 900_000 + '" }',
        'c = { title = "{' + "j" * 900_000 + '}" }',
        '"c{i0}" = ' + "[" * 250 + '"{i0}"' + "]" * 250,
    ],
)
def test_what_is_wrong_in_a_large_file_is_told_quickly(text: str) -> None:
    each = "\n".join(f"i{n} = [1]" for n in range(500))
    start = time.process_time()
    assert problems(text=f'title = ""\n[each]\n{each}\n[constants]\n{text}')
    assert time.process_time() - start < 10


SAID = st.recursive(
    st.sampled_from(
        ["left", "right", "side", "{side}", "x", "z", "", "a b", True, 1.5, float("nan")]
    )
    | st.integers(-2, 4)
    | st.integers(),
    lambda said: (
        st.lists(said, max_size=3)
        | st.dictionaries(
            st.sampled_from(["values", "from", "to", "mirrored", "normal", "side", "", "[key]"]),
            said,
        )
    ),
    max_leaves=6,
)
TEXT = st.text(alphabet="{}side+-1 x.[", max_size=12) | st.sampled_from(["{side}", "{i}", "{i-1}"])


@pytest.mark.exhaustive
@settings(deadline=None, max_examples=100)
@given(SAID, SAID, TEXT, TEXT)
@example([], [], "i 1", "{}{}")
def test_whatever_is_repeated_is_taken_or_told(side: Any, i: Any, key: str, text: str) -> None:
    data = tomllib.loads(ARMS)
    data["constants"][key] = {"title": text, "unit": "m", "value": text}
    data["bodies"].append({"name": text, "mass": 1, "center_of_mass": [0, 0, text]})
    for each in ({"side": side, "i": i}, {**data["each"], "i": i}, {"side": side}, side):
        try:
            model = reviewed({**data, "each": each})
            assert reviewed(model) is model
        except ModelError as error:
            told = [str(problem) for problem in error.problems]
            assert len(told) == len(set(told))


# ---------------------------------------------------------------- the schema


def test_the_schema_knows_what_is_repeated() -> None:
    said = schema()
    assert "each" in said["properties"]
    assert {"values", "from", "to", "mirrored", "normal"} == said["$defs"]["Values"][
        "properties"
    ].keys()
    pattern = said["$defs"]["FileBody"]["properties"]["name"]["pattern"]
    assert all(re.search(pattern, name) for name in ("leg", "leg_{side}", "{side}_leg{i-1}"))
    assert not any(
        re.search(pattern, name) for name in ("1leg", "leg_{", "leg side", "_{side}", "")
    )
