"""Where points of a mechanism are, and how that depends on its coordinates, in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.errors import MotionError, Problem, nearest
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.program import Program, Tape

if TYPE_CHECKING:
    from freebody.mechanics.mechanism import Mechanism


class Points:
    """Positions of points as functions of the coordinates, with their Jacobian.

    Parameters
    ----------
    mechanism : Mechanism
    places : sequence of str
        Bodies (their centres of mass), joints or named points.
    constants : mapping of str to float, optional
        Values to use instead of the model's.

    Raises
    ------
    MotionError
        If there is no such place, or a constant has no value.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        places: Sequence[str],
        constants: Mapping[str, float] | None = None,
    ) -> None:
        from freebody.simulation.numeric import compiled

        self.n, self.m = len(mechanism.coordinates), len(mechanism.multipliers)
        _expect_places(mechanism, places)
        values = mechanism.names.values(constants)
        unset = [name for name in mechanism.names.constants if name not in values]
        if unset:
            problems = [Problem(f"constants.{name}", "has no value") for name in unset]
            raise MotionError(mechanism.model.title, problems)
        self._function = compiled(_program(mechanism, places), mechanism, values, {})
        self._still = np.zeros(self.n), np.zeros(self.n), np.zeros(self.m)

    def positions(self, t: float, q: Array) -> Array:
        """Return where the points are, of shape (points, 3), in m."""
        return self._function(t, q, *self._still)["position"].reshape(-1, 3)

    def jacobian(self, t: float, q: Array) -> Array:
        """Return the derivatives of the positions by the coordinates, (points, 3, n)."""
        found = self._function(t, q, *self._still)
        slopes, N = found["slopes"].reshape(-1, 3, self.n), found["N"].reshape(self.n, self.n)
        return np.asarray(slopes @ np.linalg.inv(N), dtype=float)


def _program(mechanism: Mechanism, places: Sequence[str]) -> Program:
    tape = Tape()
    motion = Kinematics(mechanism, tape, still=True)
    rates = sympy.ImmutableMatrix(list(mechanism.kinematics.values()))
    outputs: dict[str, list[Any]] = {
        "position": [part for place in places for part in motion.position(place).parts],
        "slopes": [part for place in places for part in _slopes(motion, place)],
        "N": list(tape.values(rates.jacobian(sympy.Matrix(mechanism.speeds)))),
    }
    return Program.of(tape.assignments, outputs)


def _slopes(motion: Kinematics, place: str) -> list[Any]:
    """Return the derivatives of a place's velocity by the speeds, row by row."""
    partials = [motion.partial_velocity(place, speed) for speed in motion.mechanism.speeds]
    return [partial.parts[axis] for axis in range(3) for partial in partials]


def _expect_places(mechanism: Mechanism, places: Sequence[str]) -> None:
    known = mechanism.named
    problems = [
        Problem(place, f"is no body, joint or named point of the model{nearest(place, known)}")
        for place in places
        if place not in known
    ]
    if problems:
        raise MotionError(mechanism.model.title, problems)
