"""Linear systems at a point of a prime field, and bounds on the degrees of what solves them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add, mul
from typing import Any

from sympy.polys.domains import QQ

from freebody.algebra.degrees import Degree
from freebody.algebra.jets import Jet

Matrix = Sequence[Sequence[Any]]


def solve(matrix: Matrix, right: Matrix) -> list[list[Any]]:
    """Return X of ``matrix X = right``.

    Parameters
    ----------
    matrix : n x n of Jet or of Degree
    right : n x k of the same

    Returns
    -------
    list of list
        Values, or bounds on their degrees, n x k.

    Raises
    ------
    ZeroDivisionError
        If the matrix has no inverse at this point.

    Examples
    --------
    >>> solve([[Jet(2), Jet(1)], [Jet(1), Jet(1)]], [[Jet(5)], [Jet(3)]]) == [[Jet(2)], [Jet(1)]]
    True
    """
    if any(isinstance(entry, Degree) for row in (*matrix, *right) for entry in row):
        return _bounded(matrix, right)
    n, rows = len(matrix), [[*a, *b] for a, b in zip(matrix, right, strict=True)]
    for place in range(n):
        found = next((k for k in range(place, n) if rows[k][place].value), None)
        if found is None:
            raise ZeroDivisionError("a matrix has no inverse at this point of the field")
        rows[place], rows[found] = rows[found], rows[place]
        over = rows[place][place].inverse()
        rows[place] = [entry * over for entry in rows[place]]
        _clear(rows, place, place)
    return [row[n:] for row in rows]


def determinant(matrix: Matrix) -> Any:
    """Return the determinant of n x n values, or a bound on its degree.

    It is found by the method of Leverrier and Faddeev, which divides by small numbers alone: values
    may be zero where their nilpotents are not.

    Examples
    --------
    >>> from freebody.algebra.prime import PRIME
    >>> determinant([[Jet(1), Jet(2)], [Jet(3), Jet(5)]]) == Jet(-1 % PRIME)
    True
    """
    if any(isinstance(entry, Degree) for entry in _entries(matrix)):
        sums = [reduce(add, row, Degree()) for row in matrix]
        return reduce(mul, sums, Degree())
    n, last = len(matrix), Jet(1)
    power = [[Jet(int(i == j)) for j in range(n)] for i in range(n)]
    for k in range(1, n + 1):
        power = _product(matrix, power)
        trace = sum((power[i][i] for i in range(n)), Jet(0))
        last = trace.scaled(QQ(-1, k))
        power = [[x + last if i == j else x for j, x in enumerate(r)] for i, r in enumerate(power)]
    return -last if n % 2 else last


def independent(matrix: Matrix) -> list[tuple[int, int]]:
    """Return the rows and columns of a largest part that has an inverse.

    Parameters
    ----------
    matrix : n x m of Jet
        Columns that come first are preferred.

    Examples
    --------
    >>> independent([[Jet(0), Jet(1)], [Jet(0), Jet(2)]])
    [(0, 1)]
    """
    rows, found = [list(row) for row in matrix], list[tuple[int, int]]()
    for column in range(len(rows[0]) if rows else 0):
        taken = {row for row, _ in found}
        free = (k for k, row in enumerate(rows) if k not in taken and row[column].value)
        row = next(free, None)
        if row is None:
            continue
        over = rows[row][column].inverse()
        rows[row] = [entry * over for entry in rows[row]]
        _clear(rows, row, column)
        found.append((row, column))
    return found


def _clear(rows: list[list[Jet]], pivot: int, column: int) -> None:
    """Subtract a row from the others such that they have zero in a column."""
    for number, row in enumerate(rows):
        factor = row[column]
        if number != pivot and factor:
            pairs = zip(row, rows[pivot], strict=True)
            rows[number] = [a - factor * b if b else a for a, b in pairs]


def _bounded(matrix: Matrix, right: Matrix) -> list[list[Degree]]:
    """Bound what solves a system by Cramer's rule.

    In a determinant every product has one entry of each row; brought to a common denominator, no
    entry of a row weighs more than their sum.
    """
    if all(not entry.weight and not entry.under for entry in map(Degree.made, _entries(matrix))):
        columns = [reduce(add, column, Degree()) for column in zip(*right, strict=True)]
        return [columns for _ in right]
    rows = zip(matrix, right, strict=True)
    sums = [reduce(add, (*a, *b), Degree()) for a, b in rows]
    determinant = Degree(sum(one.weight for one in sums), order=max(one.order for one in sums))
    return [[determinant / determinant] * len(row) for row in right]


def _product(a: Matrix, b: Matrix) -> list[list[Any]]:
    columns = list(zip(*b, strict=True))
    return [[reduce(add, map(mul, row, column)) for column in columns] for row in a]


def _entries(matrix: Matrix) -> list[Any]:
    return [entry for row in matrix for entry in row]
