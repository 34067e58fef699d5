"""Steady motions: coordinates on which nothing depends move on, and all else stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.linearization.derivatives import Derivatives
from freebody.linearization.errors import LinearizationError
from freebody.linearization.matrices import dependent, independent, matrices
from freebody.simulation.dynamics import Dynamics

SLOW = 1e-9
"""A rate below which a coordinate rests, in SI units."""
CYCLIC = 1e-7
"""Nothing depends on a coordinate whose derivatives are below this part of the largest."""
STEADY = 1e-8
"""What may be left of accelerations and rates, as a part of the speeds."""


@dataclass(frozen=True)
class Steady:
    """Looks for the steady motion next to a state, with the speeds as they are there.

    Parameters
    ----------
    dynamics : Dynamics
    derivatives : Derivatives
    """

    dynamics: Dynamics
    derivatives: Derivatives

    def near(self, state: Array) -> Array | None:
        """Return the state of the steady motion, shape (2 n,); none where there is none."""
        try:
            with np.errstate(all="ignore"):
                start = self._closed(state)
                free = self._free(start)
                first = self.dynamics.rates(0.0, *np.split(start, 2)).coordinates
                moving = free & (np.abs(first) > SLOW)
                if not moving.any():
                    return None
                for held in (free, moving, np.zeros_like(free)):
                    found = self._solved(start, first, free, held)
                    if found is not None and np.array_equal(free, self._free(found)):
                        return found
        except (LinearizationError, SimulationError):
            return None
        return None

    def _closed(self, state: Array) -> Array:
        """Return the state with what the constraints decide."""
        if not self.dynamics.m:
            return state
        return np.concatenate(self.dynamics.constraints.consistent(*np.split(state, 2)))

    def _free(self, state: Array) -> NDArray[np.bool_]:
        """Return the coordinates on which nothing but others of them depends."""
        n, mechanism = self.dynamics.n, self.derivatives.mechanism
        q, u = np.split(state, 2)
        rates = self.dynamics.rates(0.0, q, u)
        found = self.derivatives.at(0.0, q, u, rates.accelerations, rates.multipliers)
        A, kept = matrices(mechanism, found, closed_loop=False).A[0], independent(mechanism)
        free = np.isin(np.arange(n), kept)
        before = free.copy()
        while True:  # what a moving coordinate depends on alone may depend on nothing in turn
            essential = [row for row, place in enumerate(kept) if place >= n or not free[place]]
            columns = {
                place: A[essential, kept.index(place)] for place in np.flatnonzero(free).tolist()
            }
            bound = CYCLIC * max(1.0, float(np.abs(A).max(initial=0)))
            for place, column in columns.items():
                free[place] = np.abs(column).max(initial=0) <= bound
            if np.array_equal(free, before):
                moved = np.abs(rates.coordinates) > SLOW
                return free | (moved & ~np.isin(np.arange(n), kept) & free.any())
            before = free.copy()

    def _solved(
        self, start: Array, first: Array, free: NDArray[np.bool_], held: NDArray[np.bool_]
    ) -> Array | None:
        """Return the steady motion with some rates as they are first; none where there is none."""
        n = self.dynamics.n
        decided = [place - n for place in dependent(self.derivatives.mechanism) if place >= n]
        steady = [speed for speed in range(n) if speed not in decided]

        ours = held & ~np.isin(np.arange(n), decided)

        def left(state: Array) -> Array:
            q, u = np.split(state, 2)
            rates = self.dynamics.rates(0.0, q, u)
            parts = [rates.accelerations[steady], rates.coordinates[~free]]
            if self.dynamics.m:
                given = {"t": 0.0, "q": q, "u": u}
                parts.append(self.dynamics.evaluated("constraint_residuals", given).ravel())
            return np.concatenate([*parts, (rates.coordinates - first)[ours]])

        size = STEADY * (1 + float(np.abs(start[n:]).max()))
        if np.abs(left(start)).max(initial=0) <= size:
            return start
        whole, sought = start.copy(), np.concatenate([~free, np.ones(n, dtype=bool)])

        def part(x: Array) -> Array:
            whole[sought] = x
            try:
                return left(whole)
            except SimulationError:  # too far
                return np.full(len(far), 1e10)

        far = left(start)
        reached = least_squares(
            part, start[sought], x_scale="jac", xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=100
        )
        part(reached.x)
        return whole if np.abs(reached.fun).max(initial=0) <= size else None
