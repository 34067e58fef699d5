"""The equations of motion and their derivatives in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.linearization.errors import LinearizationError
from freebody.linearization.written import differentiated
from freebody.mechanics.mechanism import Mechanism
from freebody.simulation.numeric import compiled
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
    arrays : bool, optional
        Whether it is called with arrays over time rather than at one time.

    Raises
    ------
    LinearizationError
        If there is no such output.
    """

    def __init__(
        self, mechanism: Mechanism, setup: Setup, outputs: Sequence[str], *, arrays: bool = False
    ) -> None:
        self.mechanism, self.setup, self.outputs = mechanism, setup, tuple(outputs)
        self.n, self.m = len(mechanism.speeds), len(mechanism.multipliers)
        written = differentiated(mechanism, setup, outputs)
        self._function = compiled(written, mechanism, setup.constants, setup.inputs, arrays=arrays)

    def at(self, t: Any, q: Array, u: Array, a: Array, multipliers: Array) -> dict[str, Array]:
        """Return the outputs of `differentiated`.

        Parameters
        ----------
        t : float or array, shape (times,)
        q, u, a, multipliers : array, shape (n,) or (n, times)
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
        try:
            with np.errstate(all="ignore"):
                found = self._function(t, q, u, a, multipliers)
        except (ArithmeticError, ValueError):
            found = {"motion": np.array([np.nan])}
        if not all(np.all(np.isfinite(part)) for part in found.values()):
            raise LinearizationError("a value or a derivative is not finite at the state")
        return {name: self._shaped(name, part, np.size(t)) for name, part in found.items()}

    def _shaped(self, name: str, part: Array, times: int) -> Array:
        entries = part.reshape(len(part), times).T
        if name in ("M", "J"):
            return entries.reshape(times, len(part) // self.n, self.n)
        if name.startswith("d"):
            columns = 2 * self.n + len(self.setup.inputs)
            return entries.reshape(times, len(part) // columns, columns)
        return entries
