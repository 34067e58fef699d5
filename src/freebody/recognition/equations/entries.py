r"""Equations of a page entry by entry, with columns for letters that must stand for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import isqrt
from typing import Any

from freebody.algebra import Form
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import pairs
from freebody.consistency.letters import Letter, bare_of_font, is_vector, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import (
    Add,
    Matrix,
    Multiply,
    Name,
    Node,
    added,
    multiplied,
    rebuilt,
    walk,
)
from freebody.recognition.equations.axes import axis_of

_SPACES = (2, 3)
"""Components of vectors in a plane, and in space."""


class Entries:
    """What equations of a page say, entry by entry.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for.
    """

    def __init__(self, statements: Statements, meanings: Meanings) -> None:
        self._statements, self._meanings = statements, meanings
        self._letters = meanings.letters

    def of(self, statement: Statement) -> tuple[View, list[Form]]:
        """Return an equation, left minus right, with what it sees.

        Raises
        ------
        FreebodyError
            If it has no meaning.
        """
        try:
            view = self._meanings.view(statement)
            forms = self.forms(view, statement)
        except MeaningError:  # such as a column that a controller gives for a force
            return self._otherwise(statement)
        is_of_a_matrix = self._is_of_a_matrix(statement, forms)
        return self._otherwise(statement) if is_of_a_matrix else (view, forms)

    def _is_of_a_matrix(self, statement: Statement, forms: Sequence[Form]) -> bool:
        r"""Return whether letters must be columns, for which an equation would be of matrices.

        Such as ``\ddot{\mathbf x}`` in ``M\ddot{\mathbf x} + K\mathbf x = 0``.
        """
        size = isqrt(len(forms))
        if size < 2 or size**2 != len(forms):
            return False
        return any(len(column) == size for column in self._columns(statement).values())

    def _otherwise(self, statement: Statement) -> tuple[View, list[Form]]:
        """Return an equation with columns for letters that stand for them, or with letters alone.

        Raises
        ------
        MeaningError
            If it has no meaning in either way.
        """
        columns = {
            key: Grid.made([self._letters.form(Letter(one, 0))] for one in column)
            for key, column in self._columns(statement).items()
        }
        for grids in filter(None, (columns, self._vectors(statement))):
            view = self._meanings.view(statement)
            view.grids = grids
            with suppress(MeaningError):
                return view, self.forms(view, statement)
        view = View(self._meanings, statement, self._statements.all)
        return view, self.forms(view, statement)

    def _vectors(self, statement: Statement) -> dict[str, Grid]:
        r"""Return columns for unit vectors beside a vector that is set out, and for others there.

        As in ``\dot{\mathbf v} = -k\mathbf v - g\hat{\mathbf y}`` with the components of v.
        """
        relation, known = statement.relation, self._meanings.definitions
        keys = dict.fromkeys(
            bare(one.key) for one in walk(relation.left, relation.right) if isinstance(one, Name)
        )
        shapes = {one.grid.shape for key in keys for one in known.get(key, ())}
        sizes = {rows for rows, columns in shapes if columns == 1 and rows in _SPACES}
        if len(sizes) != 1 or not any(axis_of(key) is not None for key in keys):
            return {}
        (size,) = sizes
        return {
            key: Grid.made([entry] for entry in self._along(key, size))
            for key in keys
            if not known.get(key) and (axis_of(key) is not None or is_vector(key))
        }

    def _along(self, key: str, size: int) -> Iterator[Form]:
        """Iterate over the components of a unit vector, or letters for those of another."""
        ring, axis = self._letters.ring, axis_of(key)
        for n, name in enumerate("xyz"[:size]):
            if axis is not None:
                yield ring.one if n == axis else ring.zero
            else:
                yield self._letters.form(Letter(f"{bare_of_font(key)}_{name}", 0))

    def _columns(self, statement: Statement) -> dict[str, tuple[str, ...]]:
        r"""Return the columns that letters must be: the terms of ``M\ddot q + C\dot q + G = \tau``.

        Those with dots are of the letters that move within its matrices.
        """
        relation, known = statement.relation, self._meanings.definitions
        names = [one for one in walk(relation.left, relation.right) if isinstance(one, Name)]
        grids = [one.grid for name in names for one in known.get(bare(name.key), ())]
        shapes = {one.shape for one in grids}
        printed = (one for one in walk(relation.left, relation.right) if isinstance(one, Matrix))
        shapes |= {(len(one.rows), len(one.rows[0])) for one in printed}
        sizes = {rows for rows, columns in shapes if rows == columns > 1}
        if len(sizes) != 1:
            return {}
        size = sizes.pop()
        inside = {
            letter.key
            for grid in grids
            for form in grid.entries()
            for letter in letters_of(self._letters, form)
            if letter.key in self._letters.moving or letter.dots
        }
        unknown = dict.fromkeys(bare(one.key) for one in names if not known.get(bare(one.key)))
        numbered = {
            key: tuple(f"{bare_of_font(key)}_{n}" for n in range(1, size + 1)) for key in unknown
        }
        rated = statement.moved(1)
        if not inside:  # all is constant but the column, whose entries nothing needs to print
            apart = {one for key in unknown if key in rated for one in numbered[key]}
            self._letters.moving |= apart
            inside |= apart
        for key, entries in numbered.items():  # what carries dots as a column moves
            if key in self._letters.moving and {*entries} <= self._meanings.keys:
                self._letters.moving |= {*entries}
                inside |= {*entries}
        terms = {
            bare(one.key)
            for side in (relation.left, relation.right)
            for one in _terms(side)
            if isinstance(one, Name)
        }
        found = dict[str, tuple[str, ...]]()
        for key in (one for one in unknown if one not in inside):
            moving = key in (rated or self._letters.moving)
            if moving and len(inside) == size:
                found[key] = tuple(sorted(inside))
            elif not moving and key in terms:
                found[key] = numbered[key]
        return found

    def forms(self, view: View, statement: Statement) -> list[Form]:
        """Return an equation entry by entry, left minus right."""
        relation = statement.relation
        if self._products and statement not in self._products.values():
            left, right = map(self._with_products, (relation.left, relation.right))
            relation = replace(relation, left=left, right=right)
        return [one.left - one.right for one in pairs(Values(view), relation)]

    @cached_property
    def _products(self) -> Mapping[tuple[str, str], Statement]:
        r"""The equations that say what a matrix times rates is, and not the matrix.

        Such as :math:`C(q, \dot q)\dot q = (\ldots)^T`, by the letters of the two.
        """
        found: dict[tuple[str, str], Statement] = {}
        for one in self._statements.all:
            match one.relation.left, one.relation.right:
                case Multiply(factors=(Name(key=first), Name(key=second, dots=1))), node:
                    is_told = any(isinstance(each, Matrix) for each in walk(node))
                    if is_told and not self._meanings.definitions.get(bare(first)):
                        found.setdefault((first, second), one)
        return found

    def _with_products(self, node: Node) -> Any:
        """Return a node with what the page says that products of matrices and rates are."""
        match node:
            case Multiply(factors=(Name(key=first), Name(key=second, dots=1))):
                if said := self._products.get((first, second)):
                    return said.relation.right
        return rebuilt(node, self._with_products)


def _terms(node: Node) -> Iterator[Node]:
    r"""Iterate over what is added up, within products as well: ``M^{-1}(\tau - c)``."""
    for term in added(node):
        yield term
        for factor in multiplied(term):
            if isinstance(factor, Add):
                yield from _terms(factor)
