r"""State matrices of a page that prints no equation with them: A and B of a column of states.

With the column :math:`q = [x, \dot x]^T` they say :math:`\dot q = A q + B u`, where u is the letter
that the equations of motion have besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from freebody.checking.introduced import bare, cells_of
from freebody.checking.meaning.relation_at_point import NOWHERE
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement, names_of
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import (
    Add,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Term,
    TimeDerivative,
    differentiated,
    walk,
)


class _Matrices(NamedTuple):
    """The statements of a state matrix, and of the input matrix that is printed near it."""

    state: Statement
    input: Statement | None


class StateMatrices:
    """The state matrices of a page, with what they say.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
    """

    def __init__(self, statements: Statements, meanings: Meanings) -> None:
        self._statements, self._meanings = statements, meanings

    def said_by(self, statement: Statement) -> tuple[Statement, tuple[Statement, ...]] | None:
        """Return the equation that a state matrix or an input matrix stands for, and by what else.

        None of another equation, or where the page does not tell the states and the input.
        """
        found = next((one for one in self._all if statement in one), None)
        states = found and self._states(found.state)
        if not found or not states:
            return None
        cells, listing = states
        product = Multiply((found.state.relation.right, _column(cells)), NOWHERE)
        terms = [Term(1, product, NOWHERE)]
        if found.input is not None:
            letters = self._inputs(found)
            if len(letters) != 1:
                return None
            (key,) = letters
            acting = Multiply((found.input.relation.right, Name(key, 0, NOWHERE)), NOWHERE)
            terms.append(Term(1, acting, NOWHERE))
        rates = _column([TimeDerivative(cell, 1, NOWHERE) for cell in cells])
        relation = replace(statement.relation, left=rates, right=Add(tuple(terms), NOWHERE))
        others = (listing, *(one for one in found if one and one is not statement))
        # whatever the words before it: what does not move is no matrix of large motions
        return replace(statement, relation=relation, is_small=True), others

    @cached_property
    def _all(self) -> tuple[_Matrices, ...]:
        """The state matrices of a page, which no other equation has."""
        return tuple(self._found())

    def _found(self) -> Iterator[_Matrices]:
        every = self._statements.all
        for one in every:
            size = _size_of_states(one)
            name = one.relation.left
            if not size or not isinstance(name, Name):
                continue
            if any(bare(name.key) in other.keys for other in every if other is not one):
                continue
            near = every[max(one.number - 1, 0) : one.number + 2]
            columns = (other for other in near if _shape(other) == (size, 1))
            inputs = (other for other in columns if not _states_of(other))
            yield _Matrices(one, next(inputs, None))

    def _states(self, matrix: Statement) -> tuple[list[Node], Statement] | None:
        """Return the states of the page that are as many as a matrix has rows."""
        for one in self._statements.all:
            cells = _states_of(one)
            if cells and len(cells) == _size_of_states(matrix):
                return cells, one
        return None

    def _inputs(self, found: _Matrices) -> set[str]:
        """Return the letters of equations of motion that the matrices have not."""
        laws = [one for one in self._statements.all if one.is_law]
        inside = {key for one in laws for key in one.keys}
        known = {key for one in found if one for key in names_of(one.relation.right)}
        fixed = self._meanings.letters.moving | {*self._meanings.definitions} | known
        return inside - fixed


def is_of_states(statement: Statement) -> bool:
    """Return whether a letter is said to be a state matrix."""
    return bool(_size_of_states(statement))


def _states_of(statement: Statement) -> list[Node]:
    """Return the states that an equation lists; none where it has anything else, or no rate."""
    cells = cells_of(statement.relation.right)
    rates = [found for cell in cells if (found := differentiated(cell))]
    are_states = len(rates) == len(cells) and any(order for _, order in rates)
    return [*cells] if are_states else []


def _column(cells: Sequence[Node]) -> Matrix:
    return Matrix(tuple((cell,) for cell in cells), NOWHERE)


def _shape(statement: Statement) -> tuple[int, int]:
    """Return how many rows and columns the matrix has that a letter is said to be."""
    left, right = statement.relation.left, statement.relation.right
    matrices = [one for one in walk(right) if isinstance(one, Matrix)]
    if not isinstance(left, Name) or left.dots or len(matrices) != 1:
        return 0, 0
    (matrix,) = matrices
    return len(matrix.rows), len(matrix.rows[0])


def _size_of_states(statement: Statement) -> int:
    """Return how many states a matrix is of: half its rows at least say that a rate is one."""
    rows, columns = _shape(statement)
    if rows != columns or rows < 2 or not isinstance(statement.relation.right, Matrix):
        return 0
    kinematic = sum(map(_is_of_a_rate, statement.relation.right.rows))
    return rows if 2 * kinematic >= rows and rows % 2 == 0 else 0


def _is_of_a_rate(row: Sequence[Node]) -> bool:
    """Return whether a row has one 1, and zeros."""
    values = [int(one.value) if isinstance(one, Number) else -1 for one in row]
    return sorted(values) == [0] * (len(row) - 1) + [1]
