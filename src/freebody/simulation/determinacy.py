"""Which forces of redundant constraints, and which reactions, the equations of motion decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array
from freebody.errors import SimulationError, absent
from freebody.mechanics.mechanism import Mechanism

UNIQUE = 1e-7
"""Below this part of the largest, a force does not change along a direction."""
MOST = 6
"""The largest number of names in a note."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Undetermined:
    """The directions in which forces of constraints may change without moving anything.

    Attributes
    ----------
    directions : array, shape (times, m, k)
        A basis of the null space of Jᵀ; each has its largest entry, 1, at a force of its own.
    forces : array of bool, shape (times, m)
        Which forces change along them.
    """

    directions: Array
    forces: Flags

    @classmethod
    def of(cls, scaled: Array, row_sizes: Array, rank: int) -> Undetermined:
        """Return the directions where J is of a rank.

        Parameters
        ----------
        scaled : array, shape (times, m, n)
            J without units.
        row_sizes : array, shape (m,)
            What its rows were divided by.
        rank : int
        """
        null = np.linalg.svd(scaled)[0][..., rank:]
        forces: Flags = np.abs(null).max(axis=-1) > UNIQUE
        directions = np.stack([_own(one) for one in null / row_sizes[:, None]])
        return cls(directions, forces)

    def reactions(self, wrenches: Callable[[Array], Array], multipliers: Array) -> Flags:
        """Return which components of reactions change along the directions.

        Parameters
        ----------
        wrenches : callable
            Gives the reactions, shape (times, joints, 6), of multipliers.
        multipliers : array, shape (times, m)
        """
        before = wrenches(multipliers)
        changes = np.zeros_like(before, dtype=bool)
        for direction in np.moveaxis(self.directions, -1, 0):
            size = max(1.0, float(np.abs(multipliers).max()))
            change = np.abs(wrenches(multipliers + size * direction) - before)
            changes |= change > UNIQUE * size
        return changes

    def least(self, multipliers: Array, compliances: Array) -> Array:
        """Return the forces for which the sum of compliance times square is least.

        Parameters
        ----------
        multipliers : array, shape (times, m)
            Any that the equations of motion allow.
        compliances : array, shape (m,)
        """
        across = self.directions.transpose(0, 2, 1) * compliances
        steps = np.linalg.solve(across @ self.directions, across @ multipliers[..., None])
        least: Array = multipliers - (self.directions @ steps)[..., 0]
        return least

    def in_words(
        self, labels: Sequence[str], joints: Sequence[str], reactions: Flags, least: bool
    ) -> str:
        """Return what is not determined, in words."""
        forces = _listed(labels, self.forces.any(axis=0))
        at = _listed(joints, reactions.any(axis=(0, 2)))
        parts = [f"the forces {forces}"] if forces else []
        parts += [f"the reactions at {at}"] if at else []
        ways = "; of ".join(_direction(labels, one) for one in self.directions[0].T)
        chosen = "chosen is the least norm asked for" if least else "left out (nan)"
        return (
            f"the equations of motion do not determine {' and '.join(parts)}, {chosen}: they may "
            f"change by any multiple of {ways} at first"
        )


def compliances_of(given: Mapping[str, float], mechanism: Mechanism) -> Array:
    """Return how much each equation of the constraints yields, from what is said of it.

    Parameters
    ----------
    given : mapping of str to float
        By force, as ``loop_x``, or by constraint: m/N, or rad/(N m) of a moment.

    Raises
    ------
    SimulationError
        If one is missing or not positive, or there is no such force.
    """
    values, known = [], set[str]()
    for constraint in mechanism.constraints:
        for symbol in constraint.multipliers:
            label = str(symbol.func)
            known |= {label, constraint.name}
            values.append(given.get(label, given.get(constraint.name, np.nan)))
    for name, value in given.items():
        if name not in known:
            raise SimulationError(absent("constraint", name, known))
        if not 0 < value < np.inf:
            raise SimulationError(f"expected a positive compliance of '{name}', found {value}")
    labels = [str(symbol.func) for symbol in mechanism.multipliers]
    missing = [label for label, value in zip(labels, values, strict=True) if np.isnan(value)]
    if missing:
        raise SimulationError(
            "expected a compliance of each force of a constraint, found none of "
            + ", ".join(missing)
        )
    return np.array(values)


def _own(null: Array) -> Array:
    """Return a basis, shape (m, k), each of which has a force of its own, where it is 1."""
    from scipy.linalg import qr  # slow to import

    pivots = np.sort(qr(null.T, mode="r", pivoting=True)[1][: null.shape[1]])
    basis: Array = null @ np.linalg.inv(null[pivots])
    return np.where(np.abs(basis) > UNIQUE, basis, 0.0)


def _listed(names: Sequence[str], flags: Any) -> str:
    listed = [name for name, flag in zip(names, flags.tolist(), strict=True) if flag]
    more = f" and {len(listed) - MOST} more" if len(listed) > MOST else ""
    return ", ".join(listed[:MOST]) + more


def _direction(labels: Sequence[str], direction: Array) -> str:
    pairs = zip(labels, direction.tolist(), strict=True)
    return ", ".join(f"{label} {part:.3g}" for label, part in pairs if part)
