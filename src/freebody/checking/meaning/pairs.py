"""The scalar equations that a printed relation stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from freebody.algebra import Form
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.calls import Calls
from freebody.checking.meaning.walk import Walk
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Add,
    Labelled,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Power,
    Term,
    is_zero,
    walk,
)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two sides of one scalar equation, on the level of quantities and without denominators.

    Attributes
    ----------
    entry : str
        Which entry of a matrix equation it is, counted from 1: ``[2]``, ``[1,2]``; ``C[2]`` where
        a brace with a label states it; empty for a scalar equation.
    left, right : Form
        The sides.
    is_cleared : bool
        Whether they were multiplied by denominators, which leaves a number open.
    """

    entry: str
    left: Form
    right: Form
    is_cleared: bool = False


def pairs(evaluator: Calls, relation: Relation) -> list[Pair]:
    """Return the scalar equations of a relation, and of the labelled braces in it.

    Raises
    ------
    MeaningError
        If the sides have no values or different shapes.
    """
    if relation.relation in APPROXIMATIONS and not evaluator.quantities.cuts:
        message = "it is approximate, and nothing small is assumed for it"
        raise MeaningError(f"{message}: '{relation.relation}'")
    if relation.relation not in COMPARED:
        raise MeaningError(f"only equations are checked, found '{relation.relation}'")
    found: list[Pair] = []
    for left, right in blocks(evaluator, relation.left, relation.right):
        found += _entries(evaluator, "", left, right, start=len(found))
    if len(found) == 1:
        found = [replace(found[0], entry="")]
    for node in walk(relation.left, relation.right):
        if isinstance(node, Labelled) and node.label is not None:
            label = node.label.key if isinstance(node.label, Name) else ""
            whole, named = evaluator.value(node.node), evaluator.value(node.label)
            found += _entries(evaluator, label, whole, named)
    return found


def differences(evaluator: Calls, relation: Relation) -> list[Any]:
    """Return left minus right of the scalar equations of a relation, see `pairs`."""
    return [pair.left - pair.right for pair in pairs(evaluator, relation)]


APPROXIMATIONS = frozenset({r"\approx", r"\simeq", r"\approxeq", r"\cong"})
EQUALITIES = frozenset({"=", r"\equiv", r"\coloneqq", r"\triangleq", r"\doteq"})
COMPARED = EQUALITIES | APPROXIMATIONS


def blocks(evaluator: Walk, left: Node, right: Node) -> Iterator[tuple[Grid, Grid]]:
    """Iterate over pairs of sides, with an inverse matrix in front brought to the other side.

    That leaves polynomials, whose terms are those that were printed.
    """
    cells = _cells(right)
    is_inverse = any(map(_inverse, cells))
    if not is_inverse and any(map(_inverse, _cells(left))):
        for turned, other in blocks(evaluator, right, left):
            yield other, turned
        return
    whole, row = evaluator.value(left), 0
    if is_zero(right):
        yield whole, whole + -whole
        return
    if is_zero(left):
        whole = evaluator.value(right)
        yield whole + -whole, whole
        return
    if not is_inverse:
        left_side, right_side = evaluator.alike([whole, evaluator.value(right)])
        if left_side.shape == right_side.shape:
            yield left_side, right_side
            return
    for cell in cells:
        inverse = _inverse(cell)
        block = evaluator.value(cell if inverse is None else inverse[0])
        part = whole.part(row, row + block.shape[0])
        row += block.shape[0]
        if inverse is None:
            yield part, block
        else:
            yield block * part, evaluator.value(inverse[1])
    if row != whole.shape[0]:
        raise MeaningError(f"{whole.shape[0]} rows on the left and {row} on the right")


def _cells(node: Node) -> list[Node]:
    """Return the cells of a column, or a node as its only cell."""
    if isinstance(node, Matrix) and all(len(row) == 1 for row in node.rows):
        return [row[0] for row in node.rows]
    return [node]


def _inverse(node: Node) -> tuple[Node, Node] | None:
    """Return A and b of a node that reads ``A^{-1} b``."""
    match node:
        case Multiply(
            factors=(
                Power(base=base, exponent=Add(terms=(Term(sign=-1, node=Number(value=1)),))),
                *rest,
            )
        ):
            return base, Multiply(tuple(rest), node.span)
    return None


def _entries(evaluator: Calls, label: str, left: Grid, right: Grid, start: int = 0) -> list[Pair]:
    if left.shape != right.shape:
        sizes = " and ".join("{} x {}".format(*grid.shape) for grid in (left, right))
        raise MeaningError(f"the sides are matrices of {sizes}")
    n, m = left.shape
    found = []
    for i in range(n):
        for j in range(m):
            place = f"[{start + i + 1}]" if m == 1 else f"[{start + i + 1},{j + 1}]"
            entry = label if label and n * m == 1 else label + place
            printed = [left.rows[i][j], right.rows[i][j]]
            sides = evaluator.multiplied_out(printed)
            found.append(Pair(entry, sides[0], sides[1], is_cleared=sides != printed))
    return found
