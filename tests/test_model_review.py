from __future__ import annotations

import re
import time
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freebody.errors import ModelError, ModelWarning
from freebody.model import Body, Coordinate, Model, Pin, load, loads, review, reviewed
from freebody.starter import starter

ARM = """
title = "arm"
gravity = [0, "-g", 0]

[coordinates]
q1 = { title = "shoulder angle", unit = "rad", initial = "pi/2" }
q2 = { title = "elbow angle", unit = "rad" }

[inputs]
T1 = { title = "shoulder torque", unit = "N*m", value = "-c*q1_dot" }

[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
l = { title = "upper-arm length", unit = "m", value = 0.3 }
m = { title = "mass", unit = "kg", value = 2 }
c = { title = "damping", unit = "N*m*s/rad", value = 0.1 }
k = { title = "stiffness", unit = "N*m/rad", value = "c/tau" }
tau = { title = "time constant", unit = "s" }

[[bodies]]
name = "upper_arm"
mass = "m"
center_of_mass = ["l/2", 0, 0]
inertia = "m*l**2/12"

[[bodies]]
name = "forearm"
mass = 1.5
center_of_mass = [0.1, 0, 0]

[[joints]]
name = "shoulder"
type = "pin"
parent = "ground"
child = "upper_arm"
angle = "q1"
torque = "T1"

[[joints]]
name = "elbow"
type = "pin"
parent = "upper_arm"
child = "forearm"
at = ["l", 0, 0]
angle = "q2 - q1"

[[springs]]
joint = "elbow"
stiffness = "k"
"""


def problems(*changes: tuple[str, str], text: str = ARM) -> list[str]:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    try:
        loads(text)
    except ModelError as error:
        return [str(problem) for problem in error.problems]
    return []


def test_a_sound_model_has_no_problems() -> None:
    assert problems() == []
    assert problems(text=starter("model.toml", "leg")) == []


ONE_BY_ONE: list[tuple[str, str, str]] = [
    # unknown keys, missing values, wrong types
    ("inertia", "inertai", "bodies[0].inertai: unknown key; did you mean 'inertia'?"),
    ("gravity", "gravitty", "gravitty: unknown key; did you mean 'gravity'?"),
    ("[inputs]", "[input]", "input: unknown key; did you mean 'inputs'?"),
    ('title = "arm"', "title = 3", "title: expected text, found 3"),
    ("mass = 1.5", "", "bodies[1].mass: is missing"),
    ("mass = 1.5", "mass = true", "expected a number, a name or an expression, found True"),
    ("mass = 1.5", "mass = inf", "bodies[1].mass: expected a finite number, found inf"),
    ("value = 9.81", "value = nan", "constants.g.value: expected a finite number, found nan"),
    ("center_of_mass = [0.1, 0, 0]", "center_of_mass = [0.1, 0]", "center_of_mass[2]: is missing"),
    (
        "[0.1, 0, 0]",
        "[0.1, 0, 0, 0]",
        "center_of_mass: expected at most 3 entries, found a list of 4",
    ),
    ("mass = 1.5", "mass = 1\ninertia = [1, 2, true]", "bodies[1].inertia[2]: expected a number"),
    ('"elbow"\ntype = "pin"', '"elbow"\ntype = "pinn"', "joints[1].type: expected 'pin', "),
    ('"elbow"\ntype = "pin"', '"elbow"', "joints[1].type: is missing"),
    ('name = "elbow"', 'name = "the elbow"', "joints[1].name: expected a name of letters"),
    ('joint = "elbow"', "", "springs[0]: expected either 'joint' or 'between', found neither"),
    # names of parts, and the tree
    (
        'parent = "upper_arm"',
        'parent = "uper_arm"',
        "joints[1].parent: no body 'uper_arm'; did you mean 'upper_arm'?",
    ),
    (
        'child = "forearm"',
        'child = "forarm"',
        "joints[1].child: no body 'forarm'; did you mean 'forearm'?",
    ),
    ('joint = "elbow"', 'joint = "elbwo"', "springs[0].joint: no joint 'elbwo'; did you mean 'elb"),
    ('name = "shoulder"', 'name = "forearm"', "joints[0].name: 'forearm' is also a body"),
    (
        'joint = "elbow"',
        'between = [{ on = "ground" }, "forarm"]',
        """springs[0].between[1]: expected a place such as { on = "forearm", at = [x, y, z] }""",
    ),
    # names of quantities
    ('mass = "m"', 'mass = "mm"', "bodies[0].mass: 'mm' is not declared; did you mean 'm'?"),
    ("at = [", 'child_at = ["x", 0, 0]\nat = [', "joints[1].child_at[0]: 'x' is not declared"),
    ('mass = "m"', 'mass = "m*q1"', "bodies[0].mass: expected only constants, but 'q1' is a coor"),
    (
        '"q2 - q1"',
        '"q2 - q1_dot"',
        "expected only constants and coordinates and prescribed and time, but 'q1_dot' is a rate",
    ),
    ('"-c*q1_dot"', '"T1"', "but 'T1' is an input"),
    ("[inputs]", '[inputs]\nm = { title = "", unit = "N" }', "constants.m: 'm' is also an input"),
    (
        "tau = {",
        'pi = { title = "", unit = "1" }\ntau = {',
        "constants.pi: 'pi' is also a reserved",
    ),
    (
        "tau = {",
        'q1_dot = { title = "", unit = "1" }\ntau = {',
        "constants.q1_dot: 'q1_dot' is also the speed of 'q1'",
    ),
    # what is not used
    ('torque = "T1"', "", "inputs.T1: is not used"),
    ('"q2 - q1"', '"-q1"', "coordinates.q2: no joint moves with it"),
    # expressions
    ('mass = "m"', "mass = \"__import__('os')\"", "bodies[0].mass: column 1: did not expect '_'"),
    (
        "mass = 1.5",
        'mass = "9**9**9"',
        "bodies[1].mass: column 2: the power 387420489 is too large",
    ),
    ("mass = 1.5", f'mass = "{"(" * 10_000}1"', "10001 characters are too many"),
    ("value = 9.81", 'value = "g"', "constants.g.value: depends on itself: g -> g"),
    ("value = 9.81", 'value = "1/(2 - m)"', "constants.g.value: "),
    # dimensions
    (
        'unit = "rad", initial',
        'unit = "deg", initial',
        "coordinates.q1.unit: expected a coherent SI",
    ),
    ('mass = "m"', 'mass = "l"', "bodies[0].mass: expected a value in kg, but 'l' is in m"),
    ('["l/2", 0, 0]', '["l/2 + 1", 0, 0]', "bodies[0].center_of_mass[0]: "),
    ('stiffness = "k"', 'stiffness = "k*tau"', "springs[0].stiffness: expected a value in N*m/rad"),
    ("tau = {", 'tau = { source = "", value = "l",', "constants.tau.value: expected a value in s"),
    # values
    ("mass = 1.5", "mass = -1.5", "bodies[1].mass: expected a value that is positive, found -1.5"),
    ("value = 2 }", "value = 0 }", "bodies[0].mass: expected a value that is positive, found 0"),
    ('"m*l**2/12"', '"-m*l**2/12"', "bodies[0].inertia: expected a value that is not negative"),
    ("at = [", "axis = [0, 0.0, 0]\nat = [", "joints[1].axis: expected a direction"),
]


@pytest.mark.parametrize(("old", "new", "told"), ONE_BY_ONE)
def test_one_mistake_is_told_once(old: str, new: str, told: str) -> None:
    found = problems((old, new))
    assert len(found) == 1, found
    assert told in found[0]


@pytest.mark.parametrize(
    ("law", "told"),
    [
        ("m*theta", "expected a value in N*m, but 'm*theta' is in kg"),
        ("m + theta", "which goes with it"),
        ("sin(d)", "sin takes a pure number, but 'd' is in m"),
        ("m*g*d*theta", ""),
        ("sin(t)", ""),
        ("2*m*theta", ""),  # numbers may have units
        ("m*g*d*exp(-t)", ""),
    ],
)
def test_a_law_without_numbers_is_in_the_unit_of_its_input(law: str, told: str) -> None:
    source = load("pendulum").source
    assert source
    model = tomllib.loads(source.read_text("utf-8"))
    model["inputs"]["T"]["value"] = law
    if not told:
        reviewed(model)
        return
    with pytest.raises(ModelError, match=re.escape(told)):
        reviewed(model)


def test_a_body_with_two_parents_and_one_with_none() -> None:
    text = ARM + '[[joints]]\nname = "x"\ntype = "weld"\nparent = "ground"\nchild = "upper_arm"\n'
    text += '[[bodies]]\nname = "hand"\nmass = 1\n'
    expected = "expected one joint for each body"
    assert problems(text=text) == [
        f"joints[2].child: 'upper_arm' is already the child of joint 'shoulder'; {expected}",
        "bodies[2].name: no joint has 'hand' as its child",
    ]


def test_bodies_that_carry_each_other() -> None:
    assert problems(('parent = "ground"', 'parent = "forearm"')) == [
        "joints[0].parent: the bodies carry each other: forearm -> upper_arm -> forearm"
    ]


def test_constants_in_a_circle_are_told_once_each() -> None:
    found = problems(("value = 9.81", 'value = "g*m/m + 0*l"'), ("value = 2 }", 'value = "m" }'))
    assert found == [
        "constants.g.value: depends on itself: g -> g",
        "constants.m.value: depends on itself: m -> m",
    ]


def test_all_mistakes_are_told_at_once_and_nothing_that_follows_from_them() -> None:
    found = problems(
        ("inertia =", "inertai ="),
        ('parent = "upper_arm"', 'parent = "uper_arm"'),
        ('torque = "T1"', 'torque = "T11"'),
        ("value = 0.3", "value = nan"),
        ("mass = 1.5", 'mass = "-3/2"'),
        ("tau = {", 'x = { title = "", unit = "cm" }\ntau = {'),
        ("[inputs]", '[inputs]\nc = { title = "", unit = "N" }'),
    )
    expected = [
        "bodies[0].inertai: unknown key; did you mean 'inertia'?",
        "joints[1].parent: no body 'uper_arm'; did you mean 'upper_arm'?",
        "joints[0].torque: 'T11' is not declared; did you mean 'T1'?",
        "constants.l.value: expected a finite number, found nan",
        "bodies[1].mass: expected a value that is positive, found -1.5",
        "constants.x.unit: expected a coherent SI unit",
        "constants.c: 'c' is also an input; expected another name",
    ]
    assert len(found) == len(expected), found
    for told in expected:
        assert sum(told in problem for problem in found) == 1, told


def test_paths_count_the_entries_that_cannot_be_read() -> None:
    text = ARM.replace("[[bodies]]", '[[bodies]]\nname = "x"\nmas = 1\n\n[[bodies]]', 1)
    assert problems(("mass = 1.5", "mass = -1"), text=text)[-1].startswith("bodies[2].mass: ")


def test_a_body_whose_name_cannot_be_read_may_be_any() -> None:
    missing, unknown = problems(('name = "forearm"', 'nam = "forearm"'))
    assert missing == "bodies[1].name: is missing"
    assert unknown.startswith("bodies[1].nam: unknown key; did you mean 'name'?")


@pytest.mark.parametrize(
    "section", ["bodies = 3", "bodies = [3]", "joints = [[1]]", "constants = []", "springs = {}"]
)
def test_sections_of_another_type_are_told(section: str) -> None:
    found = problems(text=f'title = "x"\n{section}')
    assert len(found) == 1
    assert "expected" in found[0]


def test_an_empty_model_is_told_what_it_needs() -> None:
    assert [str(problem) for problem in review(Model(title="nothing"))] == [
        "coordinates: expected at least one",
        "bodies: expected at least one",
    ]


def test_a_model_made_in_python_is_reviewed_alike() -> None:
    model = Model(
        title="pendulum",
        coordinates={"q": Coordinate(title="angle", unit="rad")},
        bodies=(Body(name="bob", mass="m", center_of_mass=(0, -1, 0)),),
        joints=(Pin(name="pivot", parent="ground", child="bob", angle="q"),),
    )
    assert [str(problem) for problem in review(model)] == ["bodies[0].mass: 'm' is not declared"]
    with pytest.raises(ModelError, match="mine: bodies"):
        reviewed(model, "mine")
    sound = model.model_copy(update={"bodies": (Body(name="bob", mass=1),)})
    assert reviewed(sound) is sound


def test_springs_and_dampers_act_where_there_is_motion() -> None:
    weld = ('"elbow"\ntype = "pin"', '"elbow"\ntype = "weld"'), ('angle = "q2 - q1"', "")
    assert "springs[0].joint: expected a pin or a slider; 'elbow' is neither" in problems(*weld)


def test_units_follow_from_where_a_spring_acts() -> None:
    between = """between = [{ on = "ground" }, { on = "forearm", at = ["l", 0, 0] }]
    rest = "l"
    """
    found = problems(('joint = "elbow"', between))
    assert len(found) == 1
    assert found[0].startswith("springs[0].stiffness: expected a value in N/m, but 'k' is in ")


def test_many_mistakes_are_told_quickly() -> None:
    bodies = "".join(f'[[bodies]]\nname = "b{n}"\nmass = "m{n}"\n' for n in range(450))
    start = time.perf_counter()
    found = problems(text=f'title = "x"\n{bodies}')
    assert len(found) > 100
    assert time.perf_counter() - start < 20


def test_mistakes_of_the_test_model_are_its_own() -> None:
    data: dict[str, Any] = tomllib.loads(ARM)
    assert reviewed(data) == loads(ARM)


@settings(deadline=None, max_examples=30)
@given(st.text(alphabet="qm1l.+-*/()[] tsin", max_size=12), st.sampled_from(["joints", "bodies"]))
def test_any_text_anywhere_is_taken_or_told(text: str, section: str) -> None:
    data = tomllib.loads(ARM)
    for name in data[section][1]:
        changed = {**data[section][1], name: text}
        try:
            reviewed({**data, section: [data[section][0], changed]})
        except ModelError as error:
            told = [str(problem) for problem in error.problems]
            assert len(told) == len(set(told))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            ("mass = 1.5", "mass = 1.5\ninertia = [1, 1, 5]"),
            "bodies[1].inertia: no body has the principal moments 1, 1, 5: none exceeds",
        ),
        (
            ("mass = 1.5", "mass = 1.5\ninertia = [1, 1, 1]\nproducts_of_inertia = [5, 0, 0]"),
            "bodies[1].inertia: no body has the principal moments -4, 1, 6",
        ),
        (
            (
                "[[springs]]",
                '[[friction]]\njoint = "elbow"\nviscous = -1\nsmoothing = 1\n\n[[springs]]',
            ),
            "friction[0].viscous: expected a value that is not negative",
        ),
        (
            (
                "[[springs]]",
                (
                    '[[torques]]\non = "forearm"\nreaction_on = "forearm"\n'
                    'vector = [0, 0, "T1"]\n\n[[springs]]'
                ),
            ),
            "torques[0].reaction_on: expected another body than 'forearm' itself",
        ),
        (
            (
                "[[springs]]",
                (
                    '[[dampers]]\nbetween = [{ on = "forearm" }, { on = "forearm", at = '
                    "[1, 0, 0] }]\ndamping = 2\n\n[[springs]]"
                ),
            ),
            "dampers[0].between: expected two bodies, found 'forearm' twice",
        ),
        (
            (
                "[inputs]",
                '[prescribed]\nz = { title = "lift", unit = "m", value = "sin(t)" }\n\n[inputs]',
            ),
            "prescribed.z: is not used",
        ),
    ],
)
def test_what_would_do_nothing_or_is_of_no_matter_is_told(
    change: tuple[str, str], told: str
) -> None:
    (found,) = problems(change)
    assert told in found


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ('[[dampers]]\ndamping = "-c"', "-0.1 is negative: the damper feeds the motion"),
        ("[[springs]]\nstiffness = -3", "-3 is negative: the spring pushes away"),
    ],
)
def test_what_drives_instead_of_slowing_is_told(what: str, why: str) -> None:
    with pytest.warns(ModelWarning, match=why):
        loads(f'{ARM}\n{what}\njoint = "elbow"\n')


def test_an_axis_is_three_components_or_a_letter() -> None:
    """A pin of x is that of [1, 0, 0], one of -z turns the other way, and others are told."""
    named = loads(ARM.replace('type = "pin"', 'type = "pin"\naxis = "-z"'))
    assert [joint.axis for joint in named.joints if isinstance(joint, Pin)] == [(0, 0, -1)] * 2
    with pytest.raises(ModelError, match="expected three components or one of x, y, z, -x, -y, -z"):
        loads(ARM.replace('type = "pin"', 'type = "pin"\naxis = "up"'))
