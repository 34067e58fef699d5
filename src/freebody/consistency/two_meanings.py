r"""Letters with two meanings that formulas tell apart: L, and the state x beside a coordinate.

L is a Lagrangian and a length in ``L = \frac12 M L^2\dot\theta^2 - V``, and x the place of a cart
and the column of all states in ``x = [x, \dot x, \theta, \dot\theta]^T``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.energy_letters import energies_added
from freebody.consistency.letters import is_vector
from freebody.consistency.statement import Statement
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import (
    Add,
    Call,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Power,
    Term,
    Transpose,
    has_squared_rates,
    rebuilt,
    walk,
)

LETTER, LAGRANGIAN = "L", r"\mathcal{L}"
_ENERGIES = frozenset("EKTUV")
"""Letters of energies."""


def told_apart(statements: Sequence[Statement]) -> Iterator[Statement]:
    r"""Iterate over the equations of a page, with letters of their own for what has two meanings.

    Those are ``\mathcal{L}`` for a Lagrangian, and ``\mathbf{x}`` for a state.

    Parameters
    ----------
    statements : sequence of Statement
    """
    return _states_apart([*_lagrangians_apart(statements)])


def _lagrangians_apart(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Iterate over the equations of a page, with another letter for L where it is a Lagrangian.

    That is where it is all of a side whose other one is an energy, and below derivatives; and only
    on pages that have it in such an energy as well, or as a factor of much else, and nothing else
    by that letter.
    """
    is_taken = any(LAGRANGIAN in one.keys for one in statements)
    are_two = not is_taken and (
        any(map(_has_both, _with_ends(statements))) or _is_energy_and_factor(statements)
    )
    for one in statements:
        yield one.apart(_with_lagrangian) if are_two and LETTER in one.keys else one


def _with_ends(statements: Sequence[Statement]) -> Iterator[tuple[Node, Node]]:
    """Iterate over what chains of equalities begin with, and each of their other sides."""
    begun: Node | None = None
    before: Statement | None = None
    for one in statements:
        is_step = before is not None and one.continues(before)
        begun = begun if is_step and begun is not None else one.relation.left
        yield begun, one.relation.right
        before = one


def _is_energy_and_factor(statements: Sequence[Statement]) -> bool:
    """Return whether one equation says that L is energies that are added, and others multiply it.

    As lengths are: it is squared, or a factor of what moves.
    """
    sides = ((one.relation.left, one.relation.right) for one in statements)
    is_energy = any(_is_letter(left) and _adds_energies(left, right) for left, right in sides)
    return is_energy and sum(any(map(_multiplies, one.nodes)) for one in statements) > 1


def _adds_energies(whole: Node, parts: Node) -> bool:
    r"""Return whether a letter is energies that are added: ``L = E_t + E_r - E_p``."""
    if energies_added(whole, parts):
        return True
    terms = [one.node for one in parts.terms] if isinstance(parts, Add) else []
    return bool(terms) and all(
        isinstance(one, Name) and SymbolShape.of(one.key).letter in _ENERGIES for one in terms
    )


def _multiplies(node: Node | Term) -> bool:
    match node:
        case Power(base=base, exponent=Number()):
            return _is_letter(base)
        case Multiply(factors=factors):
            return any(map(_is_letter, factors)) and any(
                isinstance(one, Call | Matrix) or (isinstance(one, Name) and one.dots)
                for factor in factors
                for one in walk(factor)
            )
    return False


def _has_both(sides: tuple[Node, Node]) -> bool:
    left, right = sides
    names = {node.key for node in walk(right) if isinstance(node, Name)}
    return _is_letter(left) and LETTER in names and has_squared_rates(right)


def _is_letter(node: object) -> bool:
    return isinstance(node, Name) and node.key == LETTER and not node.dots


def _with_lagrangian(relation: Relation) -> Relation:
    sides = _below(relation.left), _below(relation.right)
    left, right = _alone(*sides), _alone(*sides[::-1])
    return replace(relation, left=left, right=right)


def _alone(node: Any, other: Node) -> Any:
    """Return a side, which may be the Lagrangian where the other one is an energy."""
    is_energy = _is_letter(node) and (_adds_energies(node, other) or has_squared_rates(other))
    return replace(node, key=LAGRANGIAN) if is_energy else node


def _below(node: Any) -> Any:
    """Return a node with the Lagrangian below its derivatives."""
    match node:
        case Partial(node=Name() as name) if _is_letter(name):
            return replace(node, node=replace(name, key=LAGRANGIAN))
    return rebuilt(node, _below)


# ---------------------------------------------------------------------- states


def _states_apart(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Iterate over the equations of a page, with other letters for states.

    A state is said to be a column with rates in it, where a coordinate of its letter is accelerated
    or stands in a column; it is multiplied by matrices that the page prints.
    """
    columns = {
        name.key
        for name, other in _with_ends(statements)
        if isinstance(name, Name) and name.dots <= 1 and not is_vector(name.key)
        if _has_rates(other)
    }
    matrices = {key for one in statements for key in _matrices(one)}
    taken = {key for one in statements for key in one.keys}
    two = {
        key
        for key in columns
        if f"\\mathbf{{{key}}}" not in taken and any(_moves(one, key) for one in statements)
    }
    rename = partial(_with_states, two=two, matrices=matrices)
    for one in statements:
        yield one.apart(rename) if two.intersection(one.keys) else one


def _has_rates(node: Node) -> bool:
    """Return whether something is a column with rates in it."""
    rows, columns = _shape(node)
    names = [one for one in walk(node) if isinstance(one, Name)]
    return rows > columns and any(one.dots for one in names)


def _matrices(statement: Statement) -> Iterator[str]:
    left, right = statement.relation.left, statement.relation.right
    for name, other in ((left, right), (right, left)):
        if isinstance(name, Name) and not name.dots and _shape(other)[1] > 1:
            yield name.key


def _shape(node: Node) -> tuple[int, int]:
    """Return how many rows and columns a matrix has that something is; none where it is none."""
    match node:
        case Matrix(rows=rows):
            return len(rows), len(rows[0])
        case Transpose(node=Matrix(rows=rows)):
            return len(rows[0]), len(rows)
    return 0, 0


def _moves(statement: Statement, key: str) -> bool:
    """Return whether a letter is accelerated, or an entry of a column or a matrix."""
    nodes = [*walk(statement.relation.left, statement.relation.right)]
    names = [one for one in nodes if isinstance(one, Name) and one.key == key]
    entries = {
        id(cell) for one in nodes if isinstance(one, Matrix) for row in one.rows for cell in row
    }
    return any(one.dots > 1 or id(one) in entries for one in names)


def _with_states(relation: Relation, *, two: Set[str], matrices: Set[str]) -> Relation:
    def below(node: Any) -> Any:
        match node:
            case Multiply(factors=(*others, Name(key=matrix) as first, Name(key=key) as state)):
                if key in two and matrix in matrices:
                    return replace(node, factors=(*others, first, _bold(state)))
        return rebuilt(node, below)

    left, right = below(relation.left), below(relation.right)
    is_linear = (left, right) != (relation.left, relation.right)
    sides = [
        _bold(side)
        if isinstance(side, Name) and side.key in two and (is_linear or _shape(other)[0] > 1)
        else side
        for side, other in ((left, right), (right, left))
    ]
    return replace(relation, left=sides[0], right=sides[1])


def _bold(name: Name) -> Name:
    return replace(name, key=f"\\mathbf{{{name.key}}}")
