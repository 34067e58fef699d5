"""States on the constraints: the nearest one, and what the constraints decide of a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import sympy

from freebody.algebra.units import NUMBER, S, dimension
from freebody.arrays import Array
from freebody.backends.evaluation import Call
from freebody.errors import SimulationError
from freebody.graph.cells import Cell
from freebody.model import Model
from freebody.model.loads import Parallel
from freebody.model.names import speed_names, speed_units
from freebody.programs.workspace import Workspace

if TYPE_CHECKING:
    from freebody.simulation.dynamics import Dynamics

KEPT = 1e-14
"""The largest accepted residual of a state, relative to the size of the constraint."""
UNMET = 1e-9
"""The residual from which an initial state counts as inconsistent."""
SHORT = 1e-7
"""The largest step of the finite difference in time, in s; less where the motion is fast."""
RANK = 1e-9
"""Below this part of the largest, a singular value counts as zero."""
_FACING = 0.5
"""The least cosine between axes that are to agree, which are 1 where they do."""
REDUNDANT = 1e-6
"""Below this part of the largest, equations count as following from the others."""


@dataclass(frozen=True)
class _ConstraintState:
    """The constraints at a state.

    Attributes
    ----------
    residual, rate : array, shape (m,)
        What is left of the constraints between coordinates, and between speeds.
    J : array, shape (m, n)
        The constraints' matrix.
    N : array, shape (n, n)
        The rates of the coordinates, by the speeds.
    reach : array, shape (m,)
        How far from the origin of the ground the points are that a constraint holds together.
    facing : array, shape (k,)
        Cosines between axes of bodies that are to be parallel.
    """

    residual: Array
    rate: Array
    J: Array
    N: Array
    reach: Array
    facing: Array


class Constraints:
    """The constraints of a mechanism in numbers.

    Parameters
    ----------
    dynamics : Dynamics
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.n, self.m = dynamics.n, dynamics.m
        self.rank = len(self.mechanism.dependent)
        equations = self.mechanism.equations
        self._holonomic = np.array([equation.holonomic for equation in equations], dtype=bool)
        self._places = [getattr(equation, "end", None) for equation in equations]
        self._loops = np.array([place is not None for place in self._places], dtype=bool)
        self._parallel = np.array([hasattr(equation, "swapped") for equation in equations])
        self._length, self._span, self._least_span = 0.0, np.zeros(self.m), 0.0
        self._angular = np.array([*_angular(self.mechanism.model)], dtype=bool)
        self._facing = [*_facing(self.mechanism.model)]
        units = [dimension(unit) for unit in speed_units(self.mechanism.model)]
        self._alike = np.array([[one == other for other in units] for one in units], dtype=bool)

    @cached_property
    def _holding(self) -> Call:
        joined = self.dynamics.joined()
        known = map(self.dynamics.output, ("constraint_residuals", "constraint_matrix"))
        places = [place for place in self._places if place]
        workspace = Workspace(self.mechanism)
        frames = workspace.motion.frame_states
        facing = [
            frames[one.on].axes[axis].dot(frames[one.to].axes[axis]) for one, axis in self._facing
        ]
        more = [*_slopes(workspace), *_positions(workspace, places), *facing]
        parts = [*known, workspace.code("N and reach", more)]
        values = [value for part in parts for value in joined.put(part)]
        return self.dynamics.bound(joined.code("constraints", (len(values),), values))

    def _at(self, t: float, q: Array, u: Array) -> _ConstraintState:
        values, n, m = self._holding(t, q, u), self.n, self.m
        if not np.isfinite(values).all():
            self.dynamics.change(t, np.concatenate([q, u]))
            raise SimulationError(f"the constraints are not finite at t = {t:.6g} s")
        sizes = [m, m, m * n, n * n, 3 * int(self._loops.sum())]
        residual, rate, J, N, places, facing = np.split(values, np.cumsum(sizes))
        reach = np.zeros(m)
        reach[self._loops] = np.abs(places.reshape(-1, 3)).max(axis=1, initial=0)
        return _ConstraintState(residual, rate, J.reshape(m, n), N.reshape(n, n), reach, facing)

    def projected(self, t: float, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the nearest state that the constraints allow.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
            Coordinates and generalized speeds.

        Returns
        -------
        q, u : array, shape (n,)

        Raises
        ------
        SimulationError
            If there is none nearby.
        """
        for _ in range(20):
            state = self._at(t, q, u)
            J, N = state.J, state.N
            off = state.residual[self._holonomic]
            if np.all(np.abs(off) <= KEPT * self._largest(state, q)):
                return q, u - _least_change(J, state.rate, self.rank)
            decided = len(self.mechanism.decided)
            q = q - N @ _least_change(J[self._holonomic], off, decided)
        raise SimulationError(f"the constraints cannot be kept at t = {t:.6g} s")

    def consistent(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return a state with what the constraints decide worked out of the rest.

        Parameters
        ----------
        q, u : array, shape (n,)
            A guess: what does not depend on the rest is kept.

        Returns
        -------
        q, u : array, shape (n,)

        Raises
        ------
        SimulationError
            If there is none, or the constraints do not decide it, or some follow from the others.
        """
        speeds = [self.mechanism.speeds.index(u) for u in self.mechanism.dependent_speeds]
        self._expect_within(speeds)
        q, q_closed = self._closed(q.copy(), u, [*self.mechanism.decided])
        self._expect_independent(q_closed.J, speeds)
        self._expect_facing(q_closed)
        u = u.copy()
        decisive = q_closed.J[:, speeds]
        u[speeds] -= np.linalg.lstsq(decisive, q_closed.rate, rcond=RANK)[0]
        return q, u

    def _closed(self, q: Array, u: Array, coordinates: list[int]) -> tuple[Array, _ConstraintState]:
        """Return coordinates of which some are moved until the loops are closed."""
        for _ in range(100):
            state = self._at(0.0, q, u)
            off, largest = state.residual[self._holonomic], self._largest(state, q)
            if np.all(np.abs(off) <= KEPT * largest):
                break
            slopes = state.J[self._holonomic] @ np.linalg.inv(state.N)
            step = np.linalg.lstsq(slopes[:, coordinates], -off, rcond=RANK)[0]
            q[coordinates] += np.clip(step, -0.5, 0.5)
        size = self._sizes(state, q, u)[self._holonomic]
        self._expect_solved(off, np.maximum(size, KEPT / UNMET * largest))
        return q, state

    def sizes(self, t: float, q: Array, u: Array) -> Array:
        """Return what the residual of each constraint is measured by, shape (m,).

        A loop is measured by the lengths of the arms that move it, what is parallel by one, an
        equation between coordinates by what these take it to, and one between speeds by what the
        largest speeds of the same unit do.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
            Coordinates and generalized speeds.

        Returns
        -------
        array, shape (m,)
        """
        return self._sizes(self._at(t, q, u), q, u)

    def independence(self, t: float, q: Array, u: Array) -> tuple[float, float]:
        """Return the least singular value of J as a part of the largest, and its rate in time.

        Lengths are measured by those of the model, so that the value has no unit. Where equations
        follow from the others, it is the least that is not zero by that.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
            Coordinates and generalized speeds.

        Returns
        -------
        value : float
        rate : float
            In 1/s.

        Raises
        ------
        SimulationError
            If more equations are independent than the model has dependent coordinates or speeds.
        """
        first = self._at(t, q, u)
        ahead = SHORT / max(1.0, float(np.abs(u).max()))
        later = self._at(t + ahead, q + ahead * (first.N @ u), u)
        self._span = np.maximum(self._span, self._spanned(first, q))
        values, following = (
            np.linalg.svd(self.scaled(state.J), compute_uv=False).astype(np.float64)
            for state in (first, later)
        )
        self._expect_rank(t, values)
        if not self.rank:
            return 1.0, 0.0
        value, next_value = (of[self.rank - 1] / of[0] for of in (values, following))
        return float(value), float((next_value - value) / ahead)

    def scaled(self, J: Array) -> Array:
        """Return matrices J without units, by the lengths that a motion has shown so far.

        Parameters
        ----------
        J : array, shape (..., m, n)

        Returns
        -------
        array, shape (..., m, n)
        """
        wide = np.where(self._angular, 1.0, self._length or 1.0)
        scaled: Array = J * wide / self.row_sizes[:, None]
        return scaled

    def independent(self, J: Array) -> Array:
        """Return rows that span those of J, as many as its rank, shape (rank, n)."""
        if not self.mechanism.is_redundant:
            return J
        spanning = J[:, [self.mechanism.speeds.index(u) for u in self.mechanism.dependent_speeds]]
        return np.linalg.qr(spanning)[0].T @ J

    @property
    def row_sizes(self) -> Array:
        """What the rows of J are divided by where they are scaled, shape (m,)."""
        return np.where(self._span > self._least_span, self._span, 1.0)

    def _expect_rank(self, t: float, values: Array) -> None:
        least = REDUNDANT * max(1.0, values[0])
        if self.rank < len(values) and values[self.rank] > least:
            found = int((values > least).sum())
            raise SimulationError(
                f"at t = {t:.6g} s {found} equations of the constraints are independent: expected "
                f"as many dependent coordinates or speeds, found {self.rank}"
            )

    def _spanned(self, state: _ConstraintState, q: Array) -> Array:
        """Return the largest entries of the rows of J, as far as a motion has shown."""
        self._length = max(self._length, self._lengths(state, q))
        wide = np.where(self._angular, 1.0, self._length or 1.0)
        largest: Array = (np.abs(state.J) * wide).max(axis=1)
        if self.mechanism.is_redundant:  # rows may be zero but for rounding
            self._least_span = RANK * max(float(largest.max()), float(state.reach.max(initial=0)))
        return largest

    def _lengths(self, state: _ConstraintState, q: Array) -> float:
        """Return the length of the longest arm by which a loop is moved."""
        arms = float(np.abs(state.J)[self._loops][:, self._angular].max(initial=0.0))
        along = float(np.abs(q[~self._angular]).max(initial=0.0))
        return arms or along or float(state.reach.max(initial=0.0))

    def _sizes(self, state: _ConstraintState, q: Array, u: Array) -> Array:
        J = np.abs(state.J)
        length = self._lengths(state, q)
        reached = np.where(self._angular, 1.0, np.maximum(length, np.abs(q)))
        # a speed that is held at zero has no size of its own: it has that of its like
        fast = np.where(self._alike, np.abs(u), 0.0).max(axis=1)
        turned = np.where(self._holonomic, (J * reached).max(axis=1), (J * fast).max(axis=1))
        return np.where(self._loops, length, np.where(self._parallel, 1.0, turned))

    def _largest(self, state: _ConstraintState, q: Array) -> Array:
        """Return how large the parts of the holonomic constraints are, to tell rounding."""
        parts = np.abs(state.J) * np.where(self._angular, np.maximum(1, np.abs(q)), np.abs(q))
        loops = np.where(self._loops, np.maximum(self._lengths(state, q), state.reach), 0.0)
        whole: Array = np.maximum(parts.max(axis=1), loops)
        # an angle that is rounded after many turns puts a loop off along all of its axes
        whole = np.where(self._loops, whole.max(initial=0.0, where=self._loops), whole)
        return whole[self._holonomic]

    def _expect_within(self, speeds: list[int]) -> None:
        """Refuse what is to follow from constraints that do not depend on it."""
        code = self.dynamics.output("constraint_matrix")
        J = np.array([not code.is_zero(place) for place in code.results]).reshape(code.shape)
        names = [str(name) for name in self.mechanism.dependent]
        if outside := [name for name, n in zip(names, speeds, strict=True) if not J[:, n].any()]:
            all_names = speed_names(self.mechanism.model)
            inside = [name for n, name in enumerate(all_names) if J[:, n].any()]
            raise SimulationError(
                f"no constraint depends on {', '.join(outside)}: expected others as 'dependent', "
                f"of those with the speeds {', '.join(inside)}"
            )

    def _expect_solved(self, off: Array, size: Array) -> None:
        if np.any(np.abs(off) > UNMET * size):
            labels = np.array(self._labels)[self._holonomic]
            worst = int(np.abs(off).argmax())
            more = ", or more 'dependent'" if self.mechanism.is_redundant else ""
            raise SimulationError(
                f"constraint '{labels[worst]}' cannot be met from the initial values: "
                f"{off[worst]:.3g} is left over; expected other initial values, or constraints "
                f"that do not contradict each other{more}"
            )

    def _expect_facing(self, state: _ConstraintState) -> None:
        """Refuse bodies that meet the equations turned by a right angle or more."""
        for (entry, _), cosine in zip(self._facing, state.facing, strict=True):
            if cosine < _FACING:
                raise SimulationError(
                    f"constraint '{entry.name}' would be met with '{entry.on}' and '{entry.to}' "
                    "turned against each other: expected initial values in which they are nearer "
                    "to being parallel"
                )

    def _expect_independent(self, J: Array, speeds: list[int]) -> None:
        if not self.mechanism.is_redundant:
            self._expect_no_redundant(J)
        if np.linalg.matrix_rank(J[:, speeds], tol=RANK * max(1.0, np.abs(J).max())) < self.rank:
            names = ", ".join(self.mechanism.dependent)
            raise SimulationError(
                f"the constraints do not decide {names}: expected others as 'dependent'"
            )

    def _expect_no_redundant(self, J: Array) -> None:
        for row in range(self.m):
            if np.linalg.matrix_rank(J[: row + 1], tol=RANK * max(1.0, np.abs(J).max())) <= row:
                raise SimulationError(
                    f"constraint '{self._labels[row]}' follows from the others at the initial "
                    "values: it is redundant, which redundant = 'keep' allows, or the mechanism "
                    "is in a singular position"
                )

    @property
    def _labels(self) -> list[str]:
        return [str(symbol.func) for symbol in self.mechanism.multipliers]


def _least_change(J: Array, off: Array, rank: int) -> Array:
    """Return the least x for which J x = off, where J is of a rank that is known."""
    if rank == len(J):
        return np.linalg.lstsq(J, off, rcond=RANK)[0].astype(np.float64)
    U, values, V = np.linalg.svd(J, full_matrices=False)
    kept = (np.arange(len(values)) < rank) & (values > RANK * values[0])
    change: Array = V[kept].T @ ((U[:, kept].T @ off) / values[kept])
    return change


def _facing(model: Model) -> Iterator[tuple[Parallel, int]]:
    """Iterate over bodies that are to be parallel, and those of their axes that must agree.

    A body that may turn about one axis shares that one; about two, none need agree.
    """
    for entry in model.constraints:
        if isinstance(entry, Parallel):
            kept = {"xyz".index(axis) for axis in entry.axes}
            agree = {3: kept, 2: {0, 1, 2} - kept}.get(len(kept), set())
            yield from ((entry, axis) for axis in sorted(agree))


def _angular(model: Model) -> Iterator[bool]:
    """Iterate over the speeds, and say which of them turn something."""
    return (dimension(unit) == NUMBER / S for unit in speed_units(model))


def _positions(workspace: Workspace, places: Sequence[str]) -> list[Cell]:
    """Return the positions of places."""
    return [part for place in places for part in workspace.motion.position(place).parts]


def _slopes(workspace: Workspace) -> list[Cell]:
    """Return the matrix N of the rates of the coordinates, by the speeds, row by row."""
    mechanism = workspace.mechanism
    rates = sympy.ImmutableMatrix(list(mechanism.kinematics.values()))
    return workspace.graph.values(rates.jacobian(sympy.Matrix(mechanism.speeds)))
