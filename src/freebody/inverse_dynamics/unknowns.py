"""What actuators and constraints must give: generalized forces solved for what makes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from freebody.arrays import Array
from freebody.simulation.constraints import RANK

FREE = 1e-12
"""How much of an unknown may be changed without an effect for it to count as determined: a part of
its square, so that others as large reach it with a millionth of theirs."""


class Solution(NamedTuple):
    """Unknowns of least squares, and of least size.

    Attributes
    ----------
    values : array, shape (time, k)
    determined : array of bool, shape (time, k)
        Whether a value follows from the right-hand side alone.
    residual : array, shape (time, n)
        What the unknowns cannot give.
    """

    values: Array
    determined: Array
    residual: Array


def solved(columns: Array, wanted: Array) -> Solution:
    """Solve generalized forces for the unknowns that make them.

    Parameters
    ----------
    columns : array, shape (time, n, k) or (1, n, k)
        What a unit of each unknown gives.
    wanted : array, shape (time, n)

    Examples
    --------
    >>> found = solved(np.array([[[1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]]), np.array([[3.0, 4.0]]))
    >>> found.values.round(9).tolist(), found.determined.tolist()
    ([[1.5, 1.5, 2.0]], [[False, False, True]])
    """
    inverse, determined = _inverse(columns)
    if len(columns) == 1:
        values = wanted @ inverse[0].T
        given = values @ columns[0].T
    else:
        values = np.einsum("tkn,tn->tk", inverse, wanted)
        given = np.einsum("tnk,tk->tn", columns, values)
    return Solution(values, np.broadcast_to(determined, values.shape), wanted - given)


def _inverse(columns: Array) -> tuple[Array, Array]:
    """Return the pseudo-inverse of each matrix, and which unknowns it determines."""
    k = columns.shape[-1]
    if k == 0:
        return np.swapaxes(columns, -1, -2), np.ones((len(columns), 0), dtype=bool)
    # a newton and a newton metre are no measure of each other: each unknown is scaled by its effect
    sizes = np.sqrt(np.sum(columns**2, axis=-2))
    scales = np.where(sizes > 0, sizes, 1.0)
    U, s, Vt = np.linalg.svd(columns / scales[:, None, :], full_matrices=False)
    kept = s > RANK * s.max(axis=-1, keepdims=True, initial=0.0)
    inverted = np.where(kept, 1 / np.where(kept, s, 1.0), 0.0)
    inverse = np.einsum("...ik,...i,...ni->...kn", Vt, inverted, U) / scales[:, :, None]
    known = np.einsum("...ik,...i->...k", Vt**2, kept.astype(float))
    return inverse, 1 - known < FREE
