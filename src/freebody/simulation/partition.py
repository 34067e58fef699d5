"""Which speeds depend on the rest while a mechanism with redundant constraints moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import qr

from freebody.arrays import Array
from freebody.mechanics.mechanism import Mechanism

if TYPE_CHECKING:
    from freebody.simulation.dynamics import Dynamics

POOR = 0.1
"""How well the dependent speeds follow from the rest, 1 at best, below which others are chosen."""

Names = tuple[str, ...]


class Partitions:
    """The dynamics of a mechanism with one or another choice of dependent speeds.

    Redundant equations are combined by what they say of the dependent speeds. Where these do not
    follow from the rest, as in a dead point, the combinations say too little, and the motion goes
    on with others. The motion itself does not depend on the choice.

    Parameters
    ----------
    dynamics : Dynamics
        With redundant constraints.

    Attributes
    ----------
    chosen : Dynamics
        What computes the motion at present.

    References
    ----------
    Wehage and Haug, Generalized coordinate partitioning for dimension reduction in analysis of
    constrained dynamic systems, Journal of Mechanical Design 104, 1982.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self._whole = dynamics
        self._speeds = list(dynamics.mechanism.names.speeds)
        names = {symbol: name for name, symbol in dynamics.mechanism.names.speeds.items()}
        first = tuple(names[speed] for speed in dynamics.mechanism.dependent_speeds)
        self._known: dict[Names, Dynamics] = {first: dynamics}
        self.chosen = dynamics

    def choose(self, t: float, q: Array, u: Array) -> bool:
        """Choose other dependent speeds where the present ones hardly follow from the rest.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
            Coordinates and generalized speeds.

        Returns
        -------
        bool
            Whether others were chosen.
        """
        rows = self._rows({"t": t, "q": q, "u": u})
        present = next(names for names, one in self._known.items() if one is self.chosen)
        if _quality(rows, self._places(present)) >= POOR:
            return False
        places = sorted(qr(rows, mode="r", pivoting=True)[1][: len(rows)].tolist())
        names = tuple(self._speeds[place] for place in places)
        if names == present:
            return False
        if names not in self._known:
            self._known[names] = self._whole.with_mechanism(
                _decided_by(self._whole.mechanism, names)
            )
        self.chosen = self._known[names]
        return True

    def along(self, name: str, given: Mapping[str, Any], shape: tuple[int, ...]) -> Array:
        """Return an output along a motion, at each time by the best choice that was made.

        Parameters
        ----------
        name : str
        given : mapping of str to array
            Groups of arguments.
        shape : tuple of int
            Of the output at a time.

        Returns
        -------
        array, shape (times, *shape)
        """
        rows = self._rows(given)
        qualities = [_quality(rows, self._places(names)) for names in self._known]
        best = np.argmax(qualities, axis=0)
        values = np.empty((len(rows), *shape))
        for number, one in enumerate(self._known.values()):
            at = best == number
            if at.any():
                values[at] = np.broadcast_to(one.evaluated(name, given), values.shape)[at]
        return values

    def _places(self, names: Names) -> list[int]:
        return [self._speeds.index(name) for name in names]

    def _rows(self, given: Mapping[str, Any]) -> Array:
        """Return orthonormal rows that span those of J, shape (..., rank, n)."""
        J = self._whole.evaluated("constraint_matrix", given)
        held = self._whole.constraints
        rows: Array = np.linalg.svd(held.scaled(J), full_matrices=False)[2][..., : held.rank, :]
        return rows


def _quality(rows: Array, places: list[int]) -> Array:
    """Return how well some speeds follow from the rest: the least singular value of their part."""
    if not places:
        return np.ones(rows.shape[:-2])
    values = np.linalg.svd(rows[..., places], compute_uv=False)
    return values[..., -1].astype(np.float64)


def _decided_by(mechanism: Mechanism, names: Names) -> Mechanism:
    """Return a mechanism of which other speeds are the dependent ones."""
    first, *others = mechanism.constraints
    constraints = (replace(first, dependent=names), *(replace(o, dependent=()) for o in others))
    variant = f"{mechanism.variant}; decided {', '.join(names)}"
    return replace(mechanism, constraints=constraints, variant=variant)
