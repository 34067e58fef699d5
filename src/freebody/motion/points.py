"""Where points of a mechanism are, and how that depends on its coordinates, in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from freebody.arrays import Array
from freebody.errors import MotionError, Problem, nearest

if TYPE_CHECKING:
    from freebody.backends.bound import Call
    from freebody.backends.functions import Function
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
        from freebody.backends.compile import Functions  # slow to import

        self.n = len(mechanism.coordinates)
        _expect_places(mechanism, places)
        values = mechanism.names.values(constants)
        unset = [name for name in mechanism.names.constants if name not in values]
        if unset:
            problems = [Problem(f"constants.{name}", "has no value") for name in unset]
            raise MotionError(mechanism.model.title, problems)
        names = [[f"{what}.{place}" for place in places] for what in ("position", "jacobian")]
        functions = Functions(mechanism, "numpy")
        functions.compile(chain(*names))
        self._positions, self._jacobians = (
            [_placed(functions[name], constants) for name in group] for group in names
        )

    def positions(self, t: float, q: Array) -> Array:
        """Return where the points are, of shape (points, 3), in m."""
        return np.array([position(t, q) for position in self._positions])

    def jacobian(self, t: float, q: Array) -> Array:
        """Return the derivatives of the positions by the coordinates, (points, 3, n)."""
        return np.array([jacobian(t, q) for jacobian in self._jacobians])


def _placed(function: Function, constants: Mapping[str, float] | None) -> Call:
    """Return a function of time and coordinates; some places move with the coordinates alone."""
    call = function.bind(constants)
    return call if "t" in function.arguments else lambda _, q: call(q)


def _expect_places(mechanism: Mechanism, places: Sequence[str]) -> None:
    known = mechanism.named
    problems = [
        Problem(place, f"is no body, joint or named point of the model{nearest(place, known)}")
        for place in places
        if place not in known
    ]
    if problems:
        raise MotionError(mechanism.model.title, problems)
