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


@pytest.mark.parametrize("name", TAKERS)
def test_a_model_is_taken_by_name_path_or_itself(name: str) -> None:
    models = ["pendulum", PENDULUM, str(PENDULUM), PENDULUM.parent, freebody.load("pendulum")]
    first, *others = [TAKERS[name](model) for model in models]
    assert all(other == first for other in others)


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


@pytest.mark.parametrize("room", ["motion", "muscles", "anthropometry"])
def test_a_room_is_there_after_the_package_alone(room: str) -> None:
    code = f"import freebody; assert freebody.{room}.__all__"
    subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], check=True
    )
