"""Linear systems with symmetric matrices, in any arithmetic, by Lᵀ D L without square roots.

The elimination runs from the last row to the first: in the order of a tree, children after
parents, it fills nothing in, and what is zero between branches stays zero.

References
----------
Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Matrix = list[list[Any]]


class LtdlFactors:
    """A symmetric matrix H = Lᵀ D L.

    Parameters
    ----------
    matrix : list of list
        Symmetric and regular, n x n; entries that are false are zero.
    one : object
        The one of the arithmetic.
    """

    def __init__(self, matrix: Sequence[Sequence[Any]], one: Any) -> None:
        rows = [list(row) for row in matrix]
        self.inverses: list[Any] = []
        for k in reversed(range(len(rows))):
            inverse = one / rows[k][k]
            self.inverses.insert(0, inverse)
            for i in (i for i in reversed(range(k)) if rows[k][i]):
                factor = rows[k][i] * inverse
                for j in (j for j in range(i + 1) if rows[k][j]):
                    rows[i][j] = rows[i][j] - factor * rows[k][j]
                rows[k][i] = factor
        self.rows = rows

    def solve(self, right: Sequence[Any]) -> list[Any]:
        """Return x of H x = right."""
        x = list(right)
        for k in reversed(range(len(x))):
            for i in range(k):
                x[i] = x[i] - self.rows[k][i] * x[k]
        x = [part * inverse for part, inverse in zip(x, self.inverses, strict=True)]
        for k in range(len(x)):
            for i in range(k):
                x[k] = x[k] - self.rows[k][i] * x[i]
        return x


def matrix_times(matrix: Sequence[Sequence[Any]], vector: Sequence[Any], zero: Any) -> list[Any]:
    """Return a matrix times a vector.

    Parameters
    ----------
    matrix : sequence of sequence, m x n
    vector : sequence
    zero : object
        Of the arithmetic.

    Returns
    -------
    list
    """
    return [dot(row, vector, zero) for row in matrix]


def dot(row: Sequence[Any], vector: Sequence[Any], zero: Any) -> Any:
    """Return the sum of products.

    Parameters
    ----------
    row, vector : sequence
    zero : object
        Of the arithmetic.
    """
    return sum((a * b for a, b in zip(row, vector, strict=True)), zero)


def transposed(matrix: Sequence[Sequence[Any]]) -> Matrix:
    """Return the transpose of a matrix."""
    return [list(column) for column in zip(*matrix, strict=True)]
