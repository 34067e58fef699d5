"""Equations that are linear in some letters, by values at random points of a prime field.

One follows from others where its coefficients are a combination of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sympy

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME
from freebody.algebra.substitution import substituted
from freebody.consistency.letters import Letters


@dataclass(frozen=True, eq=False)
class Row:
    """An equation that is linear in some letters.

    Attributes
    ----------
    columns : dict of sympy.Expr to Form
        The factor of each.
    rest : Form
        What stands beside them.
    """

    columns: dict[sympy.Expr, Form]
    rest: Form

    @classmethod
    def of(cls, form: Form, columns: Iterable[sympy.Expr]) -> Row | None:
        """Return an equation by its columns; None where it is not linear in them."""
        ring, zero = form.ring, form.ring.zero
        found = {atom: ring.partial(form, atom) for atom in columns}
        known = set(found)
        if any(part.symbols & known for part in found.values()):
            return None
        rest = substituted(form, dict.fromkeys(found, zero))
        return cls({atom: part for atom, part in found.items() if part}, rest)

    def values(self, columns: Sequence[sympy.Expr], point: Point) -> list[int]:
        """Return its coefficients and its rest at a point."""
        found = (self.columns.get(atom) for atom in columns)
        return [*(point.value(one) if one else 0 for one in found), point.value(self.rest)]


class Rows:
    """Equations that are linear in some letters, with their values at random points.

    Parameters
    ----------
    letters : Letters
    forms : iterable of Form
    columns : sequence of sympy.Expr
        Those letters.
    """

    def __init__(
        self, letters: Letters, forms: Iterable[Form], columns: Sequence[sympy.Expr]
    ) -> None:
        self._letters, self._columns = letters, columns
        self.rows = [Row.of(form, columns) for form in forms]
        self._values: dict[Point, tuple[list[list[int]], bool]] = {}

    def span(self, form: Form) -> bool | None:
        """Return whether an equation is a combination of these, by its accelerations.

        None where its accelerations are no combination of theirs, or theirs contradict each other.
        """
        row = Row.of(form, self._columns)
        if row is None or not row.columns or None in self.rows:
            return None
        return self._letters.everywhere(
            lambda point: in_span(row.values(self._columns, point), self._at(point))
        )

    def _at(self, point: Point) -> list[list[int]]:
        """Return the values of all rows at a point."""
        return point.kept(
            self._values,
            point,
            lambda: [row.values(self._columns, point) for row in self.rows if row is not None],
        )


def in_span(own: Sequence[int], given: Sequence[Sequence[int]]) -> bool | None:
    """Return whether coefficients and what stands beside them are a combination of others.

    None where the coefficients are none, or those of the others contradict each other.

    Examples
    --------
    >>> in_span([1, 1, 5], [[1, 0, 2], [0, 1, 3]]), in_span([1, 1, 5], [[1, 0, 2], [0, 1, 4]])
    (True, False)
    """
    if not any(own[:-1]):
        return None
    left, own = [*given], [*own]
    for column in range(len(own) - 1):
        place = next((n for n, row in enumerate(left) if row[column] % PRIME), None)
        if place is not None:
            own, *left = _without(column, left.pop(place), [own, *left])
        elif own[column] % PRIME:
            return None
    return None if any(row[-1] % PRIME for row in left) else not own[-1] % PRIME


def rank(rows: Sequence[Sequence[int]]) -> int:
    """Return the rank of a matrix over the prime field.

    Examples
    --------
    >>> rank([[1, 2], [2, 4], [0, 1]])
    2
    """
    left, found = [*rows], 0
    for column in range(len(left[0]) if left else 0):
        place = next((n for n, row in enumerate(left) if row[column] % PRIME), None)
        if place is not None:
            left = _without(column, left.pop(place), left)
            found += 1
    return found


def _without(
    column: int, pivot: Sequence[int], rows: Iterable[Sequence[int]]
) -> list[Sequence[int]]:
    """Return rows less so much of one that a column of theirs is zero."""
    over, found = pow(pivot[column], -1, PRIME), list[Sequence[int]]()
    for row in rows:
        factor = row[column] * over % PRIME
        pairs = zip(row, pivot, strict=True)
        found.append([(a - factor * b) % PRIME for a, b in pairs] if factor else row)
    return found
