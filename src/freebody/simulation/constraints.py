"""States on the constraints: the nearest one, and what the constraints decide of a state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.backends.bound import Call
from freebody.backends.program import coded
from freebody.errors import SimulationError
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program, Tape

if TYPE_CHECKING:
    from freebody.simulation.dynamics import Dynamics

KEPT = 1e-14
"""How far off the constraints a state may be."""
UNMET = 1e-9
"""From where on constraints are not met by an initial state."""
RANK = 1e-9
"""Below this part of the largest, a singular value counts as zero."""


@dataclass(frozen=True)
class _Held:
    """How a state is held.

    Attributes
    ----------
    residual, rate : array, shape (m,)
        What is left of the constraints between coordinates, and between speeds.
    J : array, shape (m, n)
        The constraints' matrix.
    N : array, shape (n, n)
        The rates of the coordinates, by the speeds.
    """

    residual: Array
    rate: Array
    J: Array
    N: Array


class Constraints:
    """The constraints of a mechanism in numbers.

    Parameters
    ----------
    dynamics : Dynamics
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.n, self.m = dynamics.n, dynamics.m
        equations = self.mechanism.equations
        self._holonomic = np.array([equation.holonomic for equation in equations], dtype=bool)

    @cached_property
    def _holding(self) -> Call:
        joined = self.dynamics.joined()
        known = map(self.dynamics.output, ("constraint_residuals", "constraint_matrix"))
        parts = (*known, coded(self.mechanism, "N", _slopes(self.mechanism)))
        values = [value for part in parts for value in joined.put(part)]
        return self.dynamics.bound(joined.code("held", (len(values),), values))

    def _held(self, t: float, q: Array, u: Array) -> _Held:
        found, n, m = self._holding(t, q, u), self.n, self.m
        if not np.isfinite(found).all():
            self.dynamics.change(t, np.concatenate([q, u]))
            raise SimulationError(f"the constraints are not finite at t = {t:.6g} s")
        residual, rate, J, N = np.split(found, np.cumsum([m, m, m * n]))
        return _Held(residual, rate, J.reshape(m, n), N.reshape(n, n))

    def projected(self, t: float, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the nearest state that the constraints allow.

        Raises
        ------
        SimulationError
            If there is none nearby.
        """
        for _ in range(20):
            found = self._held(t, q, u)
            J, N = found.J, found.N
            off = found.residual[self._holonomic]
            if np.all(np.abs(off) <= KEPT * self._size(J, q)):
                return q, u - np.linalg.lstsq(J, found.rate, rcond=RANK)[0]
            q = q - N @ np.linalg.lstsq(J[self._holonomic], off, rcond=RANK)[0]
        raise SimulationError(f"the constraints cannot be kept at t = {t:.6g} s")

    def consistent(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return a state with what the constraints decide worked out of the rest.

        Raises
        ------
        SimulationError
            If there is none, or the constraints do not decide it, or some follow from the others.
        """
        speeds = [self.mechanism.speeds.index(u) for u in self.mechanism.dependent_speeds]
        coordinates = [speeds[i] for i in np.flatnonzero(self._holonomic)]
        q, found = self._closed(q.copy(), u, coordinates)
        self._expect_independent(found.J, speeds)
        u = u.copy()
        u[speeds] -= np.linalg.solve(found.J[:, speeds], found.rate)
        return q, u

    def _closed(self, q: Array, u: Array, coordinates: list[int]) -> tuple[Array, _Held]:
        """Return coordinates of which some are moved until the loops are closed."""
        for _ in range(100):
            found = self._held(0.0, q, u)
            off, size = found.residual[self._holonomic], self._size(found.J, q)
            if np.all(np.abs(off) < KEPT * size):
                break
            slopes = found.J[self._holonomic] @ np.linalg.inv(found.N)
            step = np.linalg.lstsq(slopes[:, coordinates], -off, rcond=RANK)[0]
            q[coordinates] += np.clip(step, -0.5, 0.5)
        self._expect_solved(off, size)
        return q, found

    def _size(self, J: Array, q: Array) -> Array:
        """Return how large the holonomic constraints are, to tell what is left from rounding."""
        slopes = np.abs(J[self._holonomic]).max(axis=1, initial=0.0)
        return np.maximum(1.0, slopes * max(1.0, float(np.abs(q).max())))

    def _expect_solved(self, off: Array, size: Array) -> None:
        if np.any(np.abs(off) > UNMET * size):
            labels = np.array(self._labels)[self._holonomic]
            worst = int(np.abs(off).argmax())
            raise SimulationError(
                f"constraint '{labels[worst]}' cannot be met from the initial values: "
                f"{off[worst]:.3g} is left over; expected other initial values, or constraints "
                "that do not contradict each other"
            )

    def _expect_independent(self, J: Array, speeds: list[int]) -> None:
        for row in range(self.m):
            if np.linalg.matrix_rank(J[: row + 1], tol=RANK * max(1.0, np.abs(J).max())) <= row:
                raise SimulationError(
                    f"constraint '{self._labels[row]}' follows from the others at the initial "
                    "values: it is redundant, or the mechanism is in a singular position"
                )
        if np.linalg.matrix_rank(J[:, speeds], tol=RANK * max(1.0, np.abs(J).max())) < self.m:
            names = ", ".join(self.mechanism.dependent)
            raise SimulationError(
                f"the constraints do not decide {names}: expected others as 'dependent'"
            )

    @property
    def _labels(self) -> list[str]:
        return [str(symbol.func) for symbol in self.mechanism.multipliers]


def _slopes(mechanism: Mechanism) -> Program:
    """Return the matrix N of the rates of the coordinates, by the speeds."""
    rates = sympy.ImmutableMatrix(list(mechanism.kinematics.values()))
    tape = Tape()
    return Program.of(
        tape.assignments, {"N": tape.values(rates.jacobian(sympy.Matrix(mechanism.speeds)))}
    )
