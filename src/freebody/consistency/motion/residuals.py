"""What is left of an equation of a page: left minus right, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from freebody.algebra import Form
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import APPROXIMATIONS, pairs
from freebody.consistency.letters import Letter
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Labelled, Multiply, Name, Node, keys_in, rebuilt, walk
from freebody.errors import FreebodyError


def residuals(view: View, relation: Relation) -> list[Form]:
    r"""Return left minus right of an equation, by its rows.

    A letter that nothing says anything of is a column where the other side is one, as ``\tau``, or
    where a matrix is multiplied by it, as x in ``M\ddot x + K x = F``. What a letter at a brace is
    is no row of the equation where nothing else says what it is.

    Raises
    ------
    MeaningError
        If it has no meaning by the page alone.
    """
    relation = _unbraced(view, relation)
    if relation.relation in APPROXIMATIONS:
        relation = replace(relation, relation="=")
    try:
        found = pairs(Values(view), relation)
    except MeaningError:
        view.grids = _multiplied(view, relation)
        view.grids |= _sides(view, relation)
        if not view.grids:
            raise
        found = pairs(Values(view), relation)
    return [pair.left - pair.right for pair in found]


def _unbraced(view: View, relation: Relation) -> Relation:
    """Return an equation without braces at which there are letters that nothing else defines."""

    def change(node: Any) -> Any:
        if isinstance(node, Labelled) and node.label is not None:
            names = (Letter(bare(key), 0) for key in keys_in(node.label))
            if any(view.definition(one) is None for one in names):
                return change(node.node)
        return rebuilt(node, change)

    if not any(isinstance(node, Labelled) for node in walk(relation.left, relation.right)):
        return relation
    return replace(relation, left=change(relation.left), right=change(relation.right))


def printed_forms(meanings: Meanings, statement: Statement) -> list[Form]:
    """Return left minus right of an equation in the letters that are printed.

    Nothing where it has no meaning.
    """
    try:
        return residuals(meanings.view(statement), statement.relation)
    except (FreebodyError, ZeroDivisionError):
        return []


def _sides(view: View, relation: Relation) -> dict[str, Grid]:
    """Return the letter that is a side and stands for a column, if one does, with its entries."""
    for side, other in (relation.left, relation.right), (relation.right, relation.left):
        if isinstance(side, Name) and _is_open(view, side) and bare(side.key) not in view.grids:
            rows, columns = Values(view).value(other).shape
            if columns == 1:
                return _column(view, side, rows)
    return {}


def _multiplied(view: View, relation: Relation) -> dict[str, Grid]:
    """Return the letters by which matrices are multiplied, with their entries as columns."""
    found: dict[str, Grid] = {}
    for node in walk(relation.left, relation.right):
        match node:
            case Multiply(factors=(*before, Name() as last)) if before and _is_open(view, last):
                _, columns = _shape(view, node, before)
                if columns > 1:
                    found |= _column(view, last, columns)
    return found


def _is_open(view: View, name: Name) -> bool:
    return view.definition(Letter(bare(name.key), name.dots)) is None


def _shape(view: View, node: Multiply, factors: Sequence[Node]) -> tuple[int, int]:
    """Return how many rows and columns a product of some of its factors has."""
    first = factors[0] if len(factors) == 1 else replace(node, factors=tuple(factors))
    return Values(view).value(first).shape


def _column(view: View, name: Name, rows: int) -> dict[str, Grid]:
    """Return a letter with its entries, which move where it does."""
    key, moving = bare(name.key), view.letters.moving
    link = "" if "_" in key else "_"
    names = [f"{key}{link}{row + 1}" for row in range(rows)]
    moving.update(names if key in moving else ())
    return {key: Grid.made([view.letters.form(Letter(one, 0))] for one in names)}
