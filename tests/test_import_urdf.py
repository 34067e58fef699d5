"""URDF: what is imported against Pinocchio, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import freebody
from freebody.algebra import Ring
from freebody.cli import main
from freebody.importing import import_model
from freebody.mechanics import agreement, derive, mechanism
from imported import Pinocchio

Array = NDArray[np.float64]

# ---------------------------------------------------------------------- robots

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
AXES = ("1 0 0", "0 1 0", "0 0 -1", "0.6 0 0.8", "1 -2 0.5", "0 3 0")


class Robot:
    """The text of a URDF file, drawn at random."""

    def __init__(self, seed: int, links: int = 7) -> None:
        self.random = np.random.default_rng(seed)
        self.name = "ground floor" if seed % 2 else "base"
        self.moving: list[str] = []
        self.follows: dict[str, str] = {}
        parts = [f'<link name="{self.name}"/>', *self._links(links)]
        self.text = f'<?xml version="1.0"?>\n<robot name="drawn">\n{"".join(parts)}</robot>\n'

    def _links(self, count: int) -> Iterator[str]:
        names = [self.name]
        for number in range(count):
            name = f"link-{number}"
            yield f'<link name="{name}">{self._inertial(number)}<visual/></link>\n'
            parent = names[-1] if number == 3 else str(self.random.choice(names))
            yield self._joint(number, parent, name)
            names.append(name)

    def _joint(self, number: int, parent: str, child: str) -> str:
        kind = KINDS[number % 6] if number else "revolute"
        name = f"{kind}_{9 - number}"
        inner = f'<parent link="{parent}"/><child link="{child}"/>{self._origin()}'
        axis = "0 0 1" if kind == "planar" else self.random.choice(AXES)
        inner += f'<axis xyz="{axis}"/><limit lower="-1" upper="2" effort="1" velocity="1"/>'
        if kind in ("revolute", "continuous", "prismatic"):
            if self.moving and kind == "revolute":
                leader = str(self.random.choice(self.moving))
                self.follows[name] = leader
                inner += f'<mimic joint="{leader}" multiplier="-0.5" offset="0.2"/>'
            self.moving.append(name)
            inner += f'<dynamics damping="{self.random.choice([0, 0.3])}"/>'
        return f'<joint name="{name}" type="{kind}">{inner}</joint>\n'

    def _origin(self) -> str:
        turns = self.random.choice([0, np.pi / 2, -np.pi / 2, np.pi, 0.3, 1.5708], 3)
        places = self.random.choice([0, 0.2, -0.31], 3)
        return f'<origin xyz="{_text(places)}" rpy="{_text(turns)}"/>'

    def _inertial(self, number: int) -> str:
        if number == 2:
            return ""
        a, b, c = self.random.uniform(0.1, 0.2, 3)
        return (
            f'<inertial>{self._origin()}<mass value="{self.random.uniform(0.5, 2):.3f}"/><inertia '
            f'ixx="{a}" iyy="{b}" izz="{c}" ixy="0.01" ixz="-0.02" iyz="0.005"/></inertial>'
        )


def _text(numbers: Any) -> str:
    return " ".join(f"{number!r}" for number in np.asarray(numbers).tolist())


# ---------------------------------------------------------------------- Pinocchio


def ours(model: Any, q: Array, u: Array, **more: Array) -> dict[str, Array]:
    """Return what freebody tells of a state."""
    functions, n = freebody.compile(model, backend="numpy"), len(q)
    known = {"t": 0.0, "q": q, "u": u, "inputs": np.zeros(len(model.inputs)), **more}
    names = ("mass_matrix", "bias", "gravity", "external", "tau", "accelerations")
    return {
        name: np.broadcast_to(
            functions[name](**{k: v for k, v in known.items() if k in functions[name].arguments}),
            (n, n) if name == "mass_matrix" else (n,),
        )
        for name in names
    }


def agree(found: Array, expected: Array, scale: float = 0.0) -> None:
    """Expect arrays to be as equal as rounding lets them."""
    largest = max(np.abs(expected).max(initial=0), scale)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * largest + 1e-13)


@pytest.mark.few("1")
@pytest.mark.parametrize("seed", range(6))
def test_drawn_robots_move_as_in_pinocchio(tmp_path: Path, seed: int) -> None:
    robot, random = Robot(seed), np.random.default_rng(seed)
    file = tmp_path / "drawn.urdf"
    file.write_text(robot.text)
    imported = import_model(file)
    model, engine = imported.model, Pinocchio(file, imported)
    n = len(model.coordinates)
    for _ in range(3):
        q, u = random.uniform(-1, 1, (2, n))
        given = random.uniform(-1, 1, len(model.inputs))
        found, expected = ours(model, q, u, inputs=given), engine.terms(q, u, given)
        found["bias"] = found["bias"] + found.pop("gravity")
        for name, array in expected.items():
            agree(found[name], array)


ARM = """
<robot name="arm">
  <link name="world"/>
  <link name="upper"><inertial><origin xyz="0.1 0 0" rpy="0.1 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual/><collision/></link>
  <link name="tool"><inertial><mass value="0.5"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/>
    <dynamics damping="0.4" friction="0.1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.3 0 0" rpy="1.57079632679 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/>
    <origin xyz="0.4 0 0"/></joint>
  <transmission name="t"/>
  <gazebo/>
</robot>
"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    return file


@pytest.mark.exhaustive
def test_formulations_of_an_imported_arm_agree_and_it_keeps_its_energy(arm: Path) -> None:
    model, ring = import_model(arm).model, Ring()
    methods = ("kane", "lagrange", "newton_euler")
    assert all(agreement([derive(mechanism(model), one, ring) for one in methods]).values())
    run = freebody.simulate(model, duration=0.5, initial={"elbow": 0.3})
    assert run.energy_drift < 1e-9


def test_what_is_taken_and_left_is_told(arm: Path) -> None:
    notes = {(note.kind, note.what) for note in import_model(arm).notes}
    expected = [
        ("merged", "'tool' is fixed to 'lower', and part of it"),
        ("left", "1 × visual shape"),
        ("left", "1 × collision shape"),
        ("left", "1 × extension for Gazebo"),
    ]
    assert notes.issuperset(expected)
    told = " ".join(what for _, what in notes)
    for part in ("dry friction 0.1 of joint 'shoulder'", "transmission", "limit", "15 degrees"):
        assert part in told


def test_an_imported_model_is_readable(arm: Path) -> None:
    model = import_model(arm).model
    assert list(model.coordinates) == ["shoulder", "elbow"]
    assert model.coordinates["shoulder"].title == "shoulder, from -1 to 1 rad"
    assert list(model.inputs) == ["tau_shoulder", "tau_elbow"]
    assert {"m_upper", "c_upper_x", "Ixx_upper", "p_elbow_x", "b_shoulder"} <= set(model.constants)
    assert model.constants["m_lower"].title == "mass of lower, with tool"
    assert model.joints[1].orientation.angles == ("pi/2", 0, 0)
    assert [point.name for point in model.points] == ["tool"]


def test_a_base_floats_where_it_is_asked_to(arm: Path) -> None:
    model = import_model(arm, floating=True).model
    assert [joint.type for joint in model.joints] == ["free", "pin", "pin"]
    assert list(model.coordinates)[:6] == [
        *("base_x", "base_y", "base_z", "base_turn_x", "base_turn_y", "base_turn_z")
    ]


def test_inertia_that_no_body_has_is_taken_and_told(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.replace('ixx="0.01"', 'ixx="0.2"'))
    imported = import_model(file)
    assert [body.unphysical for body in imported.model.bodies] == [True, True]
    assert any("no body has" in note.what for note in imported.notes)


# ---------------------------------------------------------------------- the command line


def test_the_command_writes_a_model_and_tells(arm: Path, tmp_path: Path) -> None:
    runner, folder = CliRunner(), tmp_path / "mine"
    told = runner.invoke(main, ["import", str(arm), "-o", str(folder)])
    assert told.exit_code == 0
    assert "visual shape" in told.output
    assert freebody.load(folder).title == "arm"
    again = runner.invoke(main, ["import", str(arm), "-o", str(folder)])
    assert (again.exit_code, "is there already" in again.output) == (1, True)
    data = json.loads(runner.invoke(main, ["import", str(arm), "--json"]).stdout)
    assert data["coordinates"] == ["shoulder", "elbow"]
    assert {note["kind"] for note in data["notes"]} == {"taken", "merged", "approximated", "left"}


def test_without_a_folder_the_model_is_printed(arm: Path) -> None:
    told = CliRunner().invoke(main, ["import", str(arm)])
    assert freebody.model.loads(told.stdout).title == "arm"
    assert "visual shape" in told.stderr


def test_another_command_points_to_import(arm: Path) -> None:
    told = CliRunner().invoke(main, ["derive", str(arm)])
    assert told.exit_code == 2
    assert f"freebody import {arm}" in told.output


def test_the_documented_example_is_what_comes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "importing.md").read_text("utf-8")
    robot, shown = (page.split(f"```{kind}\n")[1].split("```")[0] for kind in ("xml", "console"))
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(robot)
    command, _, expected = shown.partition("\n")
    told = CliRunner().invoke(main, command.removeprefix("$ freebody ").split())
    assert told.stderr == expected
    lines = page.split("```toml\n")[1].split("```")[0].splitlines()
    assert [line for line in lines if line not in Path("arm/model.toml").read_text("utf-8")] == []


# ---------------------------------------------------------------------- bad input

BOMB = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY c "&a;&a;">]><robot name="&c;"/>'
OUTSIDE = '<!DOCTYPE robot SYSTEM "file:///etc/hostname"><robot name="x"/>'
CIRCLE = (
    '<robot><link name="a"/><link name="b"/><link name="c"/>'
    '<joint name="i" type="fixed"><parent link="b"/><child link="c"/></joint>'
    '<joint name="j" type="fixed"><parent link="c"/><child link="b"/></joint></robot>'
)
BAD = {
    "a bomb": (BOMB, "line 1: a <!DOCTYPE> declares types or entities"),
    "an external type": (OUTSIDE, "a <!DOCTYPE> declares"),
    "an entity": ('<robot name="&x;"/>', "not XML: undefined entity"),
    "no XML": ("robot", "line 1: not XML"),
    "open": ("<robot><link></robot>", "not XML: mismatched tag"),
    "empty": ("", "not XML: no element found"),
    "deep": ("<robot>" + "<a>" * 300 + "</a>" * 300 + "</robot>", "nested at most 200 deep"),
    "many": ("<robot>" + "<a/>" * 200_001 + "</robot>", "at most 200000 elements"),
    "another format": ("<sdf/>", "line 1, <sdf>: expected <robot> (URDF) or <mujoco> (MJCF)"),
    "no links": ('<robot name="x"/>', "expected at least one <link>, found none"),
    "xacro": ('<robot><xacro:macro name="x"/></robot>', "run 'xacro' on it first"),
    "still": ('<robot><link name="a"/></robot>', "--floating lets its base move"),
    "no name": (ARM.replace('<link name="tool">', "<link>"), "<link>: expected 'name'"),
    "twice": (ARM.replace('<link name="tool">', '<link name="upper">'), "another link, in line"),
    "no link": (ARM.replace('child link="tool"', 'child link="tol"'), "did you mean 'tool'?"),
    "two parents": (
        ARM.replace('child link="tool"', 'child link="lower"'),
        "'lower' is already the child of joint 'elbow'",
    ),
    "two roots": (ARM.replace("</robot>", '<link name="b"/></robot>'), "found 'world' and 'b'"),
    "a type": (ARM.replace('"continuous"', '"continous"'), "did you mean 'continuous'?"),
    "an axis": (ARM.replace('xyz="0 1 0"', 'xyz="0 0 0"'), "expected a direction, found zeros"),
    "two numbers": (ARM.replace('xyz="0.3 0 0"', 'xyz="0.3 0"'), "3 numbers, found '0.3 0'"),
    "no number": (ARM.replace('mass value="2"', 'mass value="2kg"'), "found '2kg'"),
    "not a number": (ARM.replace('mass value="2"', 'mass value="nan"'), "found 'nan'"),
    "too large": (ARM.replace('mass value="2"', 'mass value="1e999"'), "expected a finite number"),
    "negative": (ARM.replace('mass value="2"', 'mass value="-2"'), "not negative, found -2"),
    "code": (ARM.replace('mass value="2"', 'mass value="__import__(1)"'), "found '__import__(1)'"),
    "a circle": (CIRCLE, "carry each other in a circle"),
    "followers": (
        ARM.replace('<dynamics damping="0.4" friction="0.1"/>', '<mimic joint="elbow"/>').replace(
            '<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/><mimic joint="shoulder"/>'
        ),
        "follow each other in a circle",
    ),
    "a leader": (
        ARM.replace("<dynamics", '<mimic joint="elbo"/><dynamics'),
        "did you mean 'elbow'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, case: str) -> None:
    text, told = BAD[case]
    file = tmp_path / "bad.urdf"
    file.write_text(text)
    with pytest.raises(freebody.ModelError) as refused:
        import_model(file)
    assert str(refused.value).startswith(f"{file}: ")
    assert told in str(refused.value)


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large.urdf"
    file.write_text("<robot>" + " " * 20_000_000 + "</robot>")
    with pytest.raises(freebody.ModelError, match="expected at most 20000000 bytes"):
        import_model(file)


@pytest.mark.parametrize("name", ["sin", "t", "x_dot", "ground", "é", 'a"]', "\\", "k" * 99, "pi"])
def test_any_name_becomes_a_valid_one(tmp_path: Path, name: str) -> None:
    said = name.replace('"', "&quot;")
    text = ARM.replace('"elbow"', f'"{said}"').replace('"lower"', f'"{said}"')
    file = tmp_path / "named.urdf"
    file.write_text(text)
    imported = import_model(file)
    assert len(imported.model.coordinates) == 2
    if name not in imported.model.coordinates:
        assert any(note.kind == "renamed" for note in imported.notes)
