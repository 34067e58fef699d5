"""What a model file may say: names of loads, rotors, arms of forces, counts, what is only told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.errors import FreebodyError, ModelError, ModelWarning
from freebody.model import Model, loads

BALL = """
title = "A ball on a slope of its own"
gravity = [0, -10, 0]

[coordinates]
x = {{ title = "place", unit = "m" }}
q = {{ title = "turn", unit = "rad" }}

[constants]
m = {{ title = "mass", unit = "kg", value = 2 }}
r = {{ title = "radius", unit = "m", value = 0.5 }}
F = {{ title = "force", unit = "N", value = 3 }}

[[bodies]]
name = "ball"
mass = "m"
inertia = [1, 1, "2*m*r**2"]

[[joints]]
name = "floor"
type = "planar"
parent = "ground"
child = "ball"
translation = ["x", 0]
rotation = "q"

[[forces]]
on = "ball"
vector = ["F", 0, 0]
{arm}
"""


def ball(arm: str = 'arm = [0, "-r", 0]', **changes: str) -> Model:
    text = BALL.format(arm=arm)
    for old, new in changes.items():
        text = text.replace(old, new)
    return loads(text)


@pytest.mark.parametrize("turned", [0.0, 0.7, 3.0])
def test_a_force_acts_at_the_lowest_point_of_a_turning_ball(turned: float) -> None:
    """F at r below the centre: m x'' = F, I q'' = r F, wherever the ball has turned to."""
    found = freebody.compile(ball()).accelerations(q=[0.1, turned], u=[1.0, 2.0])
    np.testing.assert_allclose(found, [1.5, 1.5], rtol=1e-12)


def test_without_an_arm_it_acts_at_a_point_of_the_body() -> None:
    f = freebody.compile(ball('at = [0, "-r", 0]'))
    np.testing.assert_allclose(f.accelerations(q=[0, np.pi], u=[0, 0]), [1.5, -1.5], rtol=1e-12)


UNUSED = 'm = {{ title = "mass", unit = "kg", value = 2 }}'.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (UNUSED, UNUSED + '\nk = { title = "more", unit = "N" }', "constants.k: is not used"),
        (
            UNUSED,
            UNUSED
            + '\nk = { title = "", unit = "N" }\nj = { title = "", unit = "N", value = "k" }',
            "constants.j: is not used",
        ),
        ('title = "A ball on a slope of its own"', "", "no title of the model"),
        ('m = { title = "mass", ', "m = { ", "no title of constants.m"),
        ('q = { title = "turn", ', "q = { ", "no title of coordinates.q"),
    ],
)
def test_what_is_of_no_use_or_missing_is_told_and_no_error(old: str, new: str, told: str) -> None:
    text = BALL.format(arm="")
    assert old in text
    with pytest.warns(ModelWarning) as warned:
        model = loads(text.replace(old, new))
    assert any(told in str(one.message) for one in warned)
    freebody.mechanism(model)  # which tells nothing again


ROTOR = """
title = "A rotor whose mass nobody needs"
[coordinates]
q = { title = "turn", unit = "rad" }
[[bodies]]
name = "rotor"
mass = 0
inertia = 2
[[joints]]
name = "axle"
type = "pin"
parent = "ground"
child = "rotor"
angle = "q"
torque = 4
"""


def test_a_rotor_has_inertia_and_no_mass() -> None:
    found = freebody.compile(loads(ROTOR)).accelerations(q=[0.3], u=[1.0])
    np.testing.assert_allclose(found, [2.0], rtol=1e-12)


LOADS = {
    "springs": 'stiffness = 3\nbetween = [{ on = "ground" }, { on = "ball", at = [1, 0, 0] }]',
    "dampers": 'damping = 3\nbetween = [{ on = "ground" }, { on = "ball", at = [1, 0, 0] }]',
}


@pytest.mark.parametrize("section", LOADS)
def test_loads_have_names(section: str) -> None:
    load = f'[[{section}]]\nname = "rope"\n{LOADS[section]}\n'
    model = loads(BALL.format(arm="") + load)
    assert getattr(model, section)[0].name == "rope"
    with pytest.raises(ModelError, match="'rope' is also a"):
        loads(BALL.format(arm="") + load + load)


def test_the_force_of_a_law_has_the_name_of_its_spring() -> None:
    load = '[[springs]]\nname = "rope"\nlaw = "F*elongation/r"\n'
    text = BALL.format(arm="") + load + LOADS["springs"].partition("\n")[2]
    moving = freebody.mechanism(loads(text))
    assert [str(law.func) for law in moving.laws] == ["rope"]
    with pytest.raises(ModelError, match="'rope' is also the force of"):
        loads(text.replace("[constants]", '[constants]\nrope = { title = "", unit = "1" }'))


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("springs", "stiffness"),
        ("dampers", "damping"),
        ("bodies", "center_of_mass"),
        ("forces", "arm"),
        ("contacts", "dissipation"),
        ("points", "at"),
    ],
)
def test_an_unknown_key_is_told_with_all_that_there_are(section: str, key: str) -> None:
    with pytest.raises(ModelError) as error:
        loads(f'title = "x"\n[[{section}]]\nwhatsoever = 1\n')
    told = next(str(one) for one in error.value.problems if "whatsoever" in one.where)
    assert "unknown key" in told
    assert key in told


def test_long_expressions_are_cut_in_messages() -> None:
    long = " + ".join(["r*sin(q)"] * 90)
    with pytest.raises(ModelError) as error:
        ball(f'arm = ["{long}", 0, "{long} + F"]')
    assert "sin" in str(error.value)
    assert len(str(error.value)) < 500
    assert "a" * 300 in str(FreebodyError(f"no file '{'a' * 300}'"))


def test_time_may_be_left_out_where_nothing_depends_on_it() -> None:
    f = freebody.compile("double_pendulum")
    n = len(f.inverse_dynamics(0.0, [0.1, 0.2], [1, 2], [3, 4]))
    named = f.inverse_dynamics(q=[0.1, 0.2], u=[1, 2], a=[3, 4])
    np.testing.assert_array_equal(named, f.inverse_dynamics(5.0, [0.1, 0.2], [1, 2], [3, 4]))
    assert n == 2


CHAIN = """
title = "A chain"
gravity = [0, -10, 0]
[each]
i = {values}
[coordinates]
"q{{i}}" = {{ title = "angle", unit = "rad", initial = 0.1 }}
[[bodies]]
name = "link{{i}}"
mass = 1
center_of_mass = [0.5, 0, 0]
inertia = 0.1
[[joints]]
name = "pin{{i}}"
type = "pin"
parent = "ground"
child = "link{{i}}"
angle = "q{{i}}"
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("values", ["{ from = 1, to = 2 }", "[1, 2]", "{ values = [1, 2] }"])
@pytest.mark.parametrize(("given", "names"), [(4, "1234"), ([2, 5], "25"), (["a", "b"], "ab")])
def test_counts_are_set_from_outside(
    values: str, given: int | list[int | str], names: str, tmp_path: Path
) -> None:
    text = CHAIN.format(values=values)
    model = loads(text, each={"i": given})
    assert list(model.coordinates) == [f"q{name}" for name in names]
    path = tmp_path / "chain.toml"
    path.write_text(text)
    said = str(given) if isinstance(given, int) else ",".join(map(str, given))
    ran = CliRunner().invoke(main, ["derive", str(path), "--each", f"i={said}", "--json"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["coordinates"] == list(model.coordinates)


def test_a_count_that_there_is_not_is_told() -> None:
    with pytest.raises(ModelError, match=r"'n' is not in its \[each\]"):
        loads(CHAIN.format(values="[1]"), each={"n": 3})
    with pytest.raises(ModelError, match="expected 1 to"):
        loads(CHAIN.format(values="{ from = 1, to = 3 }"), each={"i": -1})


def test_every_command_of_one_model_takes_counts() -> None:
    """But those of documents, which name their model themselves."""
    taking = {
        name
        for name, command in main.commands.items()
        if {"model", "each"} <= {parameter.name for parameter in command.params}
    }
    of_a_model = {
        name
        for name, command in main.commands.items()
        if "model" in {parameter.name for parameter in command.params}
    }
    assert taking == of_a_model - {"adopt", "check"}


def test_a_recorded_motion_has_as_many_coordinates_as_are_counted(tmp_path: Path) -> None:
    chain, recorded = tmp_path / "chain.toml", tmp_path / "motion.csv"
    chain.write_text(CHAIN.format(values="[1, 2, 3]"))
    rows = "".join(f"{i / 10},{i / 20},{i * i / 50}\n" for i in range(12))
    recorded.write_text("time,q1 [rad],q2 [rad]\n" + rows)
    motion = ["motion", str(recorded), "--each", "i=2"]
    ran = CliRunner().invoke(main, [*motion, "--model", str(chain)])
    assert ran.exit_code == 0, ran.output
    refused = CliRunner().invoke(main, motion)
    assert refused.exit_code == 2
    assert "expected --model with --each" in refused.output
    run = ["inverse", str(chain), str(recorded), "--each", "i=2"]
    ran = CliRunner().invoke(main, run)
    assert ran.exit_code == 0, ran.output
    assert "q2_dot" in ran.output
