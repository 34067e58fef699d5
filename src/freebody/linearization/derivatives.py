"""The equations of motion and their derivatives in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.bound import Call
from freebody.backends.constants import Constants
from freebody.backends.functions import Function
from freebody.backends.registry import backend
from freebody.linearization.errors import LinearizationError
from freebody.linearization.written import differentiated
from freebody.mechanics.mechanism import Mechanism
from freebody.programs.workspace import Workspace
from freebody.simulation.setup import Setup


class Derivatives:
    """What the motion of a mechanism obeys, with its derivatives by the state and the inputs.

    Parameters
    ----------
    mechanism : Mechanism
    setup : Setup
        The constants and the laws of the inputs.
    outputs : sequence of str
        Names of coordinates and speeds, ``position.P.x``, ``velocity.P.x``.

    Raises
    ------
    LinearizationError
        If there is no such output.
    """

    def __init__(self, mechanism: Mechanism, setup: Setup, outputs: Sequence[str]) -> None:
        self.mechanism, self.setup, self.outputs = mechanism, setup, tuple(outputs)
        self.n, self.m = len(mechanism.speeds), len(mechanism.multipliers)
        written = differentiated(Workspace(mechanism), setup, outputs)
        self._shapes = written.shapes
        self._function = Function(written.code, backend("numpy"), Constants(mechanism.model))
        self._constants = np.array([*setup.constants.values()])

    @cached_property
    def _call(self) -> Call:
        return self._function.bind(self._constants)

    def at(self, t: Any, q: Array, u: Array, a: Array, multipliers: Array) -> dict[str, Array]:
        """Return the outputs of `differentiated`.

        Parameters
        ----------
        t : float or array, shape (times,)
        q, u, a, multipliers : array, shape (n,), (m,) or (times, n), (times, m)
            Coordinates, speeds, the derivatives of the speeds, and the forces of the constraints.

        Returns
        -------
        dict of str to array, shape (times, rows) or (times, rows, columns)
            Derivatives have a column for each coordinate, speed and input.

        Raises
        ------
        LinearizationError
            If one is not finite.
        """
        moving = {"t": t, "q": q, "u": u, "a": a, "multipliers": multipliers}
        given = [moving[name] for name in self._function.arguments if name in moving]
        found = (self._along if np.ndim(t) else self._call)(*given).reshape(np.size(t), -1)
        if not np.isfinite(found).all():
            raise LinearizationError("a value or a derivative is not finite at the state")
        parts = np.split(found, list(accumulate(map(prod, self._shapes.values()))), axis=1)
        pairs = zip(self._shapes.items(), parts, strict=False)
        return {name: part.reshape(len(found), *shape) for (name, shape), part in pairs}

    def _along(self, *given: Array) -> Array:
        """Return all outputs at many times."""
        fixed = (self._constants,) if len(self._constants) else ()
        found: Array = self._function(*given, *fixed)
        return found
