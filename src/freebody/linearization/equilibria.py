"""Where a mechanism stays at rest, or moves steadily."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from freebody.arrays import Array
from freebody.errors import LinearizationError, SimulationError
from freebody.linearization.derivatives import (
    BALANCES,
    Derivatives,
    dependent,
    independent,
    matrices,
)
from freebody.simulation.dynamics import Dynamics

CLOSE = 1e-9
"""The largest accepted residual of a balance, relative to the largest derivative."""

SAME = 1e-6
"""The relative distance below which two states count as one."""

SMALL = 1e-9
"""Below this part of the largest, a singular value counts as zero."""


@dataclass(frozen=True)
class Equilibrium:
    """A state of rest.

    Attributes
    ----------
    q, multipliers : array, shape (n,), (m,)
    family : array, shape (n, k)
        Orthonormal directions of the coordinates in which the next equilibria lie.
    """

    q: Array
    multipliers: Array
    family: Array

    def near(self, other: Equilibrium) -> bool:
        """Return whether the other is the same, or of the same family."""
        apart = other.q - self.q
        apart = apart - self.family @ (self.family.T @ apart)
        return bool(np.linalg.norm(apart) < SAME * (1 + np.linalg.norm(self.q)))


class EquilibriumSearch:
    """Looks for states of rest, with the inputs as they are at the time zero.

    What is to vanish are all balances at rest, the constraints among them, by coordinates and
    multipliers: a least-squares problem with its exact Jacobian. Its Newton steps have the least
    norm, so that coordinates on which nothing depends stay where they are.

    Parameters
    ----------
    derivatives : Derivatives
    """

    def __init__(self, derivatives: Derivatives) -> None:
        self.derivatives = derivatives
        self.n, self.m = derivatives.n, derivatives.m
        self.residual = np.inf
        """The smallest residual that any start reached, in SI units."""

    def found(self, guess: Array, starts: int, seed: int) -> list[Equilibrium]:
        """Return the equilibria from a guess and from random starts, each of them once.

        Parameters
        ----------
        guess : array, shape (n,)
            Coordinates.
        starts : int
            How many random starts there are besides.
        seed : int
            Of these.

        Raises
        ------
        LinearizationError
            If there is none.
        """
        different: list[Equilibrium] = []
        for q in (guess, *self._random(guess, starts, seed)):
            reached = self._equilibrium_from(q)
            if reached is not None and not any(known.near(reached) for known in different):
                different.append(reached)
        if not different:
            raise LinearizationError(
                f"no equilibrium is found: at the best {self.residual:.3g} of the balances is left "
                "over, in SI units; expected an initial state closer to one, or a search from "
                "several"
            )
        return different

    def _random(self, guess: Array, starts: int, seed: int) -> Iterator[Array]:
        """Iterate over starts: angles all around, lengths about the guess."""
        random = np.random.default_rng(seed)
        around, width = np.where(self._angles, 0, guess), np.maximum(1, np.abs(guess))
        for _ in range(starts):
            start = random.uniform(-1, 1, self.n) * np.where(self._angles, np.pi, width) + around
            yield np.where(self._idle, guess, start)

    @cached_property
    def _angles(self) -> NDArray[np.bool_]:
        entries = self.derivatives.mechanism.model.coordinates.values()
        return np.array([entry.unit == "rad" for entry in entries], dtype=np.bool_)

    @cached_property
    def _idle(self) -> NDArray[np.bool_]:
        """Which coordinates no balance depends on, at a state with nothing special."""
        q = np.random.default_rng(0).uniform(0.5, 1, self.n)
        try:
            slopes = self._balances(np.concatenate([q, np.ones(self.m)]))[1]
        except LinearizationError:
            return np.zeros(self.n, dtype=bool)
        return np.all(slopes[:, : self.n] == 0, axis=0)

    # ------------------------------------------------------------------ one start

    def _balances(self, unknown: Array) -> tuple[Array, Array]:
        """Return what is to vanish at rest, and its derivatives by coordinates and multipliers."""
        n, still = self.n, np.zeros(self.n)
        outputs = self.derivatives.at(0.0, unknown[:n], still, still, unknown[n:])
        states = 2 * n
        values = [outputs[name][0] for name in BALANCES]
        slopes = [outputs[f"d{name}"][0] for name in BALANCES]
        laws = outputs["dlaws"][0][:, :n]
        by_q = np.concatenate([part[:, :n] + part[:, states:] @ laws for part in slopes])
        by_forces = np.zeros((len(by_q), self.m))
        by_forces[:n] = outputs["J"][0].T
        return np.concatenate(values), np.hstack([by_q, by_forces])

    def _equilibrium_from(self, q: Array) -> Equilibrium | None:
        """Return the equilibrium that a start leads to."""
        start = np.concatenate([q, np.zeros(self.m)])
        try:
            reached = least_squares(
                lambda x: self._balances(x)[0],
                start,
                jac=lambda x: self._balances(x)[1],
                x_scale="jac",
                ftol=1e-15,
                xtol=1e-15,
                gtol=1e-15,
                max_nfev=300,
            ).x
            reached = self._with_angles_about_zero(self._newton(reached))
        except (LinearizationError, np.linalg.LinAlgError):
            return None
        if not self._is_at_rest(reached):
            return None
        return Equilibrium(reached[: self.n], reached[self.n :], self._family(reached))

    def _newton(self, x: Array) -> Array:
        """Return the end of Newton's steps of least norm, as long as they lead closer."""
        values, slopes = self._balances(x)
        for _ in range(20):
            following = x - np.linalg.lstsq(slopes, values, rcond=SMALL)[0]
            closer, there = self._balances(following)
            if not np.abs(closer).max() < np.abs(values).max():
                break
            x, values, slopes = following, closer, there
        return x

    def _is_at_rest(self, x: Array) -> bool:
        values, slopes = self._balances(x)
        left = float(np.abs(values).max(initial=0))
        self.residual = min(self.residual, left)
        return left <= CLOSE * float(np.abs(slopes).max(initial=0))

    def _with_angles_about_zero(self, x: Array) -> Array:
        """Return a state with its angles about zero, where these are as good as they were."""
        for place in np.flatnonzero(self._angles):
            turns = np.ceil((x[place] - np.pi - SAME) / (2 * np.pi))
            turned = x.copy()
            turned[place] -= 2 * np.pi * turns
            if turns and self._is_at_rest(turned):
                x = turned
        return x

    def _family(self, x: Array) -> Array:
        """Return the directions of the coordinates along which the balances stay."""
        _, slopes = self._balances(x)
        sizes = np.linalg.norm(slopes, axis=0)
        scale = np.where(sizes > 0, sizes, 1)
        _, values, rows = np.linalg.svd(slopes / scale)
        rank = int(np.sum(values > SMALL * values.max(initial=0)))
        along = (rows[rank:] / scale)[:, : self.n]
        left, values, _ = np.linalg.svd(along.T, full_matrices=False)
        return left[:, values > SMALL]


# ------------------------------------------------------------------ steady motions

SLOW = 1e-9
"""A rate below which a coordinate rests, in SI units."""
CYCLIC = 1e-7
"""Nothing depends on a coordinate whose derivatives are below this part of the largest."""
STEADY = 1e-8
"""The largest accepted residual of accelerations and rates, relative to the speeds."""


@dataclass(frozen=True)
class SteadyMotionSearch:
    """Looks for the steady motion next to a state, with the speeds as they are there.

    Parameters
    ----------
    dynamics : Dynamics
    derivatives : Derivatives
    """

    dynamics: Dynamics
    derivatives: Derivatives

    def near(self, state: Array) -> Array | None:
        """Return the state of the steady motion, shape (2 n,); none where there is none.

        Parameters
        ----------
        state : array, shape (2 n,)
            Coordinates and speeds.

        Returns
        -------
        array, shape (2 n,), or None
        """
        try:
            with np.errstate(all="ignore"):
                start = self.dynamics.consistent(state)
                free = self._free(start)
                first = self.dynamics.rates(0.0, *np.split(start, 2)).coordinates
                moving = free & (np.abs(first) > SLOW)
                if not moving.any():
                    return None
                for kept_rates in (free, moving, np.zeros_like(free)):
                    steady_state = self._solved(start, first, free, kept_rates)
                    if steady_state is not None and np.array_equal(free, self._free(steady_state)):
                        return steady_state
        except (LinearizationError, SimulationError):
            return None
        return None

    def _free(self, state: Array) -> NDArray[np.bool_]:
        """Return the coordinates on which nothing but others of them depends."""
        n, mechanism = self.dynamics.n, self.derivatives.mechanism
        q, u = np.split(state, 2)
        rates = self.dynamics.rates(0.0, q, u)
        outputs = self.derivatives.at(0.0, q, u, rates.accelerations, rates.multipliers)
        A, kept = matrices(mechanism, outputs, closed_loop=False).A[0], independent(mechanism)
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
        self, start: Array, first: Array, free: NDArray[np.bool_], kept_rates: NDArray[np.bool_]
    ) -> Array | None:
        """Return the steady motion with some rates as they are first; none where there is none."""
        n = self.dynamics.n
        decided = [place - n for place in dependent(self.derivatives.mechanism) if place >= n]
        steady = [speed for speed in range(n) if speed not in decided]

        ours = kept_rates & ~np.isin(np.arange(n), decided)

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
