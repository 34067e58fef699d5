"""What ``import freebody`` offers: names, errors, and models by name, path or object."""

from __future__ import annotations

import builtins
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody
from freebody.model import dumps

PENDULUM = Path(freebody.load("pendulum").source or "")
TAKERS: dict[str, Callable[[Any], Any]] = {
    "mechanism": lambda model: freebody.mechanism(model).coordinates,
    "derive": lambda model: freebody.derive(model).M,
    "compile": lambda model: freebody.compile(model).coordinates,
    "simulate": lambda model: freebody.simulate(model, 0.1, unchecked=True).data.sizes,
    "sweep": lambda model: freebody.sweep(model, {"theta": [0.1]}, 0.1).sizes,
    "linearize": lambda model: freebody.linearize(model).A.shape,
    "equilibria": lambda model: len(freebody.equilibria(model)),
    "inverse": lambda model: freebody.inverse(model, MOTION).data.sizes,
    "dumps": dumps,
}
MOTION = freebody.motion.posture_reach({"theta": 0.0}, {"theta": 1.0}, 1.0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", TAKERS)
def test_a_model_is_taken_by_name_path_mechanism_or_itself(name: str) -> None:
    models = ["pendulum", PENDULUM, str(PENDULUM), PENDULUM.parent, freebody.load("pendulum")]
    models.append(freebody.mechanism("pendulum"))
    first, *others = [TAKERS[name](model) for model in models]
    assert all(other == first for other in others)


@pytest.mark.parametrize(("what", "taken"), [("model", "AnyModel"), ("motion", "AnyMotion")])
def test_every_public_function_takes_a_model_and_a_motion_in_all_ways(
    what: str, taken: str
) -> None:
    rooms = [freebody, freebody.motion, freebody.muscles]
    functions = [of for room in rooms for of in vars(room).values() if inspect.isfunction(of)]
    functions += [getattr(freebody, name) for name in freebody.__all__]
    told = {
        of.__name__: str(of.__annotations__[what])
        for of in functions
        if inspect.isfunction(of) and what in of.__annotations__
    }
    assert len(told) > 1
    wide = {name: one for name, one in told.items() if taken not in one and "Mechanism" not in one}
    assert wide == {}


def test_every_public_function_says_what_it_takes_gives_and_refuses() -> None:
    functions = [getattr(freebody, name) for name in freebody.__all__]
    silent = []
    for of in filter(inspect.isfunction, functions):
        sections = ["Parameters", "Raises"]
        if of.__annotations__["return"] != "None":
            sections.append("Returns")
        heads = [f"{name}\n{'-' * len(name)}" for name in sections]
        silent += [(of.__name__, head) for head in heads if head not in inspect.getdoc(of)]
    assert silent == []


MOTIONS = {
    "motion": lambda _: MOTION,
    "simulation": lambda _: freebody.simulate("pendulum", 1.0, unchecked=True),
    "inverse": lambda _: freebody.inverse("pendulum", MOTION),
    "file": lambda path: _saved(MOTION, path / "motion.csv"),
    "file of a result": lambda path: _saved(
        freebody.simulate("pendulum", 1.0, unchecked=True), path / "run.nc"
    ),
}


def _saved(what: Any, path: Path) -> Path:
    what.save(path)
    return path


@pytest.mark.parametrize("kind", MOTIONS)
def test_a_motion_is_taken_as_itself_a_result_or_a_file(kind: str, tmp_path: Path) -> None:
    given = MOTIONS[kind](tmp_path)
    found = freebody.inverse("pendulum", given)
    start = freebody.simulate("pendulum", 0.1, initial=given, unchecked=True)
    first, q = start.isel(time=0), found["coordinates"].isel(time=0)
    np.testing.assert_allclose(first["coordinates"], q, atol=1e-12)
    np.testing.assert_allclose(
        first["speeds"], found["speeds"].isel(time=0), atol=1e-3 if "file" in kind else 1e-12
    )


def test_what_inverse_dynamics_finds_makes_the_motion_again(tmp_path: Path) -> None:
    found = freebody.inverse("pendulum", MOTION)
    path = _saved(found, tmp_path / "torques.csv")
    for given in (found, path):
        run = freebody.simulate("pendulum", inputs=given, initial=given, unchecked=True)
        assert run.provenance["sampled"] == ["T"]
        wanted = MOTION.data["coordinates"].isel(time=-1)
        np.testing.assert_allclose(run["coordinates"].isel(time=-1), wanted, atol=1e-6)


def test_inputs_of_another_time_are_those_of_the_motion_at_that_time(tmp_path: Path) -> None:
    times = MOTION.times + 2.0
    angle = MOTION.data["coordinates"].to_numpy()[:, 0]
    later = freebody.Motion.of(times, {"theta": angle}, unit="rad")
    found = freebody.inverse("pendulum", later)
    for given in (found, _saved(found, tmp_path / "torques.nc")):
        known = freebody.inverse("pendulum", later, inputs=given)
        np.testing.assert_allclose(known["inputs"], found["inputs"], atol=1e-9)
        np.testing.assert_allclose(known["residual"], 0, atol=1e-9)
        run = freebody.simulate("pendulum", inputs=given, initial=given, unchecked=True)
        assert any(note.startswith("time 0 is 2 s of") for note in run.notes)
        assert float(run["time"][-1]) == pytest.approx(float(times[-1] - times[0]))


def test_what_has_no_motion_is_refused() -> None:
    runs = freebody.sweep("pendulum", {"theta": [0.1, 0.2]}, 0.5)
    with pytest.raises(freebody.MotionError, match="expected one motion over time, found a Sweep"):
        freebody.inverse("pendulum", runs)
    with pytest.raises(freebody.SimulationError, match="known over time, found the Sweep"):
        freebody.simulate("pendulum", 0.1, inputs=runs, unchecked=True)


def test_constants_that_a_motion_was_not_made_with_are_told() -> None:
    run = freebody.simulate("pendulum", 0.5, constants={"m": 2.0}, unchecked=True)
    told = freebody.inverse("pendulum", run).notes
    assert any("other constants" in note and "(2 there)" in note for note in told)
    same = freebody.inverse("pendulum", run, constants={"m": 2.0}).notes
    assert not any("other constants" in note for note in same)


@pytest.mark.parametrize("name", freebody.__all__)
def test_every_public_name_is_there_at_once(name: str) -> None:
    assert getattr(freebody, name) is not None
    assert name in dir(freebody)


def test_what_a_public_function_raises_is_public_too() -> None:
    documented = [inspect.getdoc(getattr(freebody, name)) or "" for name in freebody.__all__]
    sections = [re.findall(r"Raises\n-+\n(.*?)(?:\n\n\w|\Z)", doc, re.DOTALL) for doc in documented]
    raised = {name for found in sections for name in re.findall(r"\w+Error", "".join(found))}
    assert len(raised) > 5
    assert [name for name in raised if not hasattr(freebody, name) | hasattr(builtins, name)] == []
    public = [getattr(freebody, name) for name in raised if hasattr(freebody, name)]
    assert all(issubclass(error, freebody.FreebodyError) for error in public)


@pytest.mark.exhaustive("muscles")
@pytest.mark.few("muscles")
@pytest.mark.parametrize("room", ["motion", "muscles", "anthropometry"])
def test_a_room_is_there_after_the_package_alone(room: str) -> None:
    code = f"import freebody; assert freebody.{room}.__all__"
    subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], check=True
    )
