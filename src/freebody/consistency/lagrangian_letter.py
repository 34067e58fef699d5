r"""L that is the Lagrangian of a page and a length in it: ``L = \frac12 M L^2\dot\theta^2 - V``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from freebody.checking.guesses.energy_letters import energies_added
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name, Node, Partial, has_squared_rates, rebuilt, walk

LETTER, LAGRANGIAN = "L", r"\mathcal{L}"


def told_apart(statements: Sequence[Statement]) -> Iterator[Statement]:
    r"""Iterate over the equations of a page, with ``\mathcal{L}`` for L where it is a Lagrangian.

    That is where it is all of a side whose other one is an energy, and below derivatives; and only
    on pages that have it in such an energy as well, and nothing else by that letter.

    Parameters
    ----------
    statements : sequence of Statement
    """
    is_taken = any(LAGRANGIAN in one.keys for one in statements)
    are_two = not is_taken and any(map(_has_both, _with_ends(statements)))
    for one in statements:
        yield _renamed(one) if are_two and LETTER in one.keys else one


def _with_ends(statements: Sequence[Statement]) -> Iterator[tuple[Node, Node]]:
    """Iterate over what chains of equalities begin with, and each of their other sides."""
    begun: Node | None = None
    before: Statement | None = None
    for one in statements:
        left = one.relation.left
        is_step = before is not None and before.relation.right.span == left.span
        begun = begun if is_step and begun is not None else left
        yield begun, one.relation.right
        before = one


def _has_both(sides: tuple[Node, Node]) -> bool:
    left, right = sides
    names = {node.key for node in walk(right) if isinstance(node, Name)}
    return _is_letter(left) and LETTER in names and has_squared_rates(right)


def _is_letter(node: object) -> bool:
    return isinstance(node, Name) and node.key == LETTER and not node.dots


def _renamed(statement: Statement) -> Statement:
    relation = statement.relation
    sides = _below(relation.left), _below(relation.right)
    left, right = _alone(*sides), _alone(*sides[::-1])
    return replace(statement, relation=replace(relation, left=left, right=right))


def _alone(node: Any, other: Node) -> Any:
    """Return a side, which may be the Lagrangian where the other one is an energy."""
    is_energy = _is_letter(node) and (energies_added(node, other) or has_squared_rates(other))
    return replace(node, key=LAGRANGIAN) if is_energy else node


def _below(node: Any) -> Any:
    """Return a node with the Lagrangian below its derivatives."""
    match node:
        case Partial(node=Name() as name) if _is_letter(name):
            return replace(node, node=replace(name, key=LAGRANGIAN))
    return rebuilt(node, _below)
