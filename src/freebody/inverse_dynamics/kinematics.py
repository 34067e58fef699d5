"""What inverse dynamics needs of a motion besides its coordinates, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.functions import Function
from freebody.backends.program import function
from freebody.mechanics.kinematics import PRESCRIBED, Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.model.names import TIME
from freebody.programs.workspace import Workspace


def call(function: Function, given: Mapping[str, Any]) -> Array:
    """Return what a function gives of the arguments that it takes, for every sample."""
    return np.broadcast_to(function.of(given), (len(given["q"]), *function.shape))


class Speeds:
    """The generalized speeds and their derivatives, from the coordinates and theirs.

    Parameters
    ----------
    mechanism : Mechanism
    backend : str
        What works them out.
    """

    def __init__(self, mechanism: Mechanism, backend: str) -> None:
        self.n = len(mechanism.speeds)
        self._function = None
        if mechanism.model.speeds:
            self._function = _speeds(mechanism, backend)

    def __call__(self, given: Mapping[str, Any]) -> tuple[Array, Array]:
        """Return both, of ``t``, ``q``, ``rates``, ``seconds`` and ``constants``."""
        if self._function is None:
            return given["rates"], given["seconds"]
        found = call(self._function, given)
        return found[:, : self.n], found[:, self.n :]


def _speeds(mechanism: Mechanism, backend: str) -> Function:
    names = mechanism.names
    speeds = [mechanism.definitions[speed].xreplace(names.given) for speed in mechanism.speeds]
    rates = dict(zip(names.coordinates.values(), names.rates.values(), strict=True))
    moving = {q.diff(TIME): rate for q, rate in rates.items()}
    entries = [*speeds, *(speed.diff(TIME).xreplace(moving) for speed in speeds)]
    more = {"rates": rates.values(), "seconds": [rate.diff(TIME) for rate in rates.values()]}
    workspace, groups = Workspace(mechanism, more), ("t", "q", "rates", "seconds", "constants")
    return function(workspace, "speeds", workspace.graph.values(entries), groups, backend)


def joint_speeds(mechanism: Mechanism, backend: str) -> Function:
    """Return how the child of each joint slides and turns in its parent, joints x 6.

    In the ground frame: the function's values go with those of ``reactions``, entry by entry, and
    their scalar product is the power of the joint.
    """
    workspace = Workspace(mechanism)
    pairs = ((workspace.motion, joint) for joint in mechanism.joints)
    entries = chain.from_iterable(_joint_speed(*pair) for pair in pairs)
    return function(workspace, "joint_speeds", entries, ("t", "q", "u", "constants"), backend)


def _joint_speed(motion: Kinematics, joint: str) -> Iterable[Any]:
    slide, turn = motion.none, motion.none
    for step in motion.mechanism.steps:
        if step == joint or step.rpartition(".")[0] == joint:
            for speed in (*motion.mechanism.speeds, PRESCRIBED):
                slides, turns = motion.step_partial(step, speed)
                value = motion.value(speed)
                slide, turn = slide + slides.times(value), turn + turns.times(value)
    return (*slide.parts, *turn.parts)
