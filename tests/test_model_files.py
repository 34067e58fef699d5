from __future__ import annotations

import os
import re
import time
import tomllib
from functools import partial
from typing import TYPE_CHECKING

import pytest

from conftest import SPREAD
from freebody.errors import ModelError
from freebody.files import FileError
from freebody.model import (
    Body,
    Coordinate,
    Damper,
    Force,
    Free,
    Model,
    Pin,
    Placement,
    Slider,
    Spring,
    Torque,
    Weld,
    dumps,
    fingerprint,
    folder,
    load,
    loads,
    save,
    schema,
    shipped,
)
from freebody.starter import starter

if TYPE_CHECKING:
    from pathlib import Path

EVERYTHING = Model(
    title='Cart with "everything" on it: \\ é',
    gravity=(0, "-981/100", 0),
    coordinates={
        name: Coordinate(title=name, unit=unit, initial=0.25)
        for name, unit in {"x": "m", "q": "rad", "u": "m", "v": "m", "r": "rad"}.items()
    },
    bodies=(
        Body(name="cart", mass=1),
        Body(name="bob", mass=0.5, inertia=(0.01, 0.01, 0.02), center_of_mass=(0, -1, 0)),
        Body(name="cap", mass=0.1, inertia=0),
        Body(name="ball", mass=0.2, inertia=0.001),
    ),
    joints=(
        Slider(name="rail", parent="ground", child="cart", displacement="x", force=0),
        Pin(name="pivot", parent="cart", child="bob", angle="q", axis=(0, 0, -1)),
        Weld(name="glue", parent="bob", child="cap", at=(0, -2, 0), child_at=(0.1, 0, 0)),
        Free(name="air", parent="ground", child="ball", translation=("u", "v", 0), rotation="r"),
    ),
    forces=(Force(on="ball", vector=(0, "-sin(x_dot*0)", 0), frame="bob", name="pull"),),
    torques=(Torque(on="ball", vector=(0, 0, 1), reaction_on="bob"),),
    springs=(
        Spring(joint="pivot", stiffness=2, rest="pi/4"),
        Spring(between=(Placement(on="ground"), Placement(on="ball", at=(1, 0, 0))), stiffness=3),
    ),
    dampers=(Damper(joint="rail", damping=4),),
)


def told(path_or_name: str | Path) -> str:
    with pytest.raises(ModelError) as raised:
        load(path_or_name)
    return str(raised.value)


@pytest.mark.few(*SPREAD)
@pytest.mark.parametrize("name", shipped())
def test_shipped_models_say_where_their_numbers_come_from(name: str) -> None:
    model = load(name)
    assert model == load(folder(name)) == load(folder(name) / "model.toml")
    for constant in model.constants.values():
        assert constant.value is not None
    for coordinate in model.coordinates.values():
        assert coordinate.initial is not None


SAVED = {
    "everything": lambda: EVERYTHING,
    "starter": lambda: loads(starter("model.toml", "x")),
    **{name: partial(load, name) for name in (*shipped(), "compass_gait")},
}


@pytest.mark.few("everything", "starter", "compass_gait", *SPREAD)
@pytest.mark.parametrize("name", SAVED)
def test_what_is_saved_is_what_is_loaded(name: str, tmp_path: Path) -> None:
    model = SAVED[name]()
    path = tmp_path / "model.toml"
    save(model, path)
    assert load(path) == load(tmp_path) == model
    assert load(path).source == path
    assert loads(dumps(model)) == model
    assert model != model.model_copy(update={"title": "another"})
    assert [file.name for file in tmp_path.iterdir()] == ["model.toml"]


def test_defaults_are_left_out() -> None:
    assert tomllib.loads(dumps(EVERYTHING))["joints"][0] == {
        "type": "slider",
        "name": "rail",
        "parent": "ground",
        "child": "cart",
        "displacement": "x",
        "force": 0,
    }


def test_the_fingerprint_is_of_what_is_said() -> None:
    text = (folder("pendulum") / "model.toml").read_text(encoding="utf-8")
    said = fingerprint(load("pendulum"))
    assert fingerprint(loads(re.sub(r"^#.*$", "", text, flags=re.MULTILINE))) == said
    assert fingerprint(loads(text.replace("9.81", "9.80"))) != said
    assert re.fullmatch("[0-9a-f]{64}", said)


def test_the_schema_describes_every_key() -> None:
    said = schema()
    tables = [said, *said["$defs"].values()]
    for table in tables:
        assert table["description"], table
        assert table["additionalProperties"] is False
        for name, entry in table["properties"].items():
            assert entry.get("description"), f"{table['title']}.{name}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad: expected a model, found an empty file"),
        (" \n", "bad: expected a model, found an empty file"),
        ("title = 'x'\nbodies = [", "bad: not TOML: "),
        ("title = 'x'\nbodies = 3 4", "at line 2, column 12"),
        ("title = " + "[" * 100_000, "bad: tables or lists are nested too deeply"),
        ("title = " + "9" * 5_000, "bad: a number has too many digits"),
        ("title = 2001-13-01", "bad: "),
        ("title = 0x" + "f" * 100_000, "bad: title: expected text, found a huge number"),
        ("title = 'x'\n[[bodies]]\nmass = 0x" + "f" * 100_000, "bad: bodies[0].name: is missing"),
        ("[[bodies]]\n" + "a." * 400_000 + "a = 1", "bad: line 2 has more than 100 dots"),
        ("a" + ".a" * 90 + " = 1", "bad: a: unknown key"),
    ],
)
def test_text_that_is_no_model_is_told_quickly(text: str, message: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ModelError) as raised:
        loads(text, "bad")
    assert message in str(raised.value)
    assert time.perf_counter() - start < 5


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    start = time.perf_counter()
    assert "expected at most 1000000 bytes, found 50000000" in told(path)
    assert time.perf_counter() - start < 0.5


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_bytes(b"title = '\xff'")
    assert told(path) == f"{path}: not UTF-8 text: byte 9 cannot be read"


def test_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    assert "there is no such file" in told(tmp_path / "model.toml")
    assert "expected a folder that holds a model.toml" in told(tmp_path)
    assert "expected a file, found something else" in told("/dev/null")
    assert "cannot be read: File name too long" in told("x" * 10_000)
    assert "shipped model; did you mean 'pendulum'?" in told("pendulm")
    assert "nor a shipped model" in told("a\0b")
    (tmp_path / "crane.toml").touch()
    for meant in ("craen", "craen.toml"):
        assert f"did you mean '{tmp_path / 'crane.toml'}'?" in told(tmp_path / meant)


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.touch(mode=0)
    assert "cannot be read: Permission denied" in told(path)


def test_a_file_that_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written: No such file"):
        save(EVERYTHING, tmp_path / "none" / "model.toml")
    with pytest.raises(FileError, match="cannot be written"):
        save(EVERYTHING, tmp_path)
    assert list(tmp_path.iterdir()) == []
