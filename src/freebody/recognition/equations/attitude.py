r"""What stands in equations for how a body turns in space, and is no number.

In :math:`\tau = I\alpha + \omega\times(I\omega)` what stands behind the inertia is the rate of what
is crossed with its own momentum, whether the page says so or not. In
:math:`\dot v = R(q)\,a + g` R turns columns from the axes of a body to the ground's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from freebody.checking.introduced import bare
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import (
    Multiply,
    Name,
    Node,
    Term,
    Times,
    rebuilt,
    show,
    walk,
)

_ROTATION = re.compile(r"(?:\\[a-z]+\{)?R\}?(?:_[^()]*|\^[^()]*)?\((?!t\)|s\)).+\)")
"""A matrix of rotation by what it depends on."""


def is_turned(statement: Statement, meanings: Meanings) -> bool:
    """Return whether an equation has a matrix of rotation of which the page has no entries."""
    return any(
        _ROTATION.fullmatch(factor.key) is not None
        for node in walk(statement.relation.left, statement.relation.right)
        for factor in (node.factors[:-1] if isinstance(node, Multiply) else ())
        if isinstance(factor, Name) and not meanings.definitions.get(factor.key)
    )


def with_rates_of_spins(statements: Statements) -> Statements:
    r"""Return equations with rates of angular velocities for the letters that pages have for them.

    Of a page that prints no rate of the angular velocity, nor one of that letter.
    """
    spins: dict[str, str] = {}
    for one in statements.all:
        spins |= dict(_of(one.relation))
    moving = statements.moving()
    spins = {key: spin for key, spin in spins.items() if moving.isdisjoint((key, spin))}
    if not spins:
        return statements

    def rename(relation: Relation) -> Relation:
        return replace(
            relation, left=_rated(relation.left, spins), right=_rated(relation.right, spins)
        )

    def renamed(one: Statement) -> Statement:
        return one if spins.keys().isdisjoint(one.keys) else one.apart(rename)

    return replace(statements, all=tuple(map(renamed, statements.all)))


def _of(relation: Relation) -> Iterator[tuple[str, str]]:
    """Iterate over letters behind an inertia, with the angular velocity that its rate is of."""
    nodes = [*walk(relation.left, relation.right)]
    for inertia, spin in filter(None, map(_spun, nodes)):
        for one in nodes:
            match one:
                case Multiply(factors=(first, Name(key=key, dots=0))) if show(first) == inertia:
                    if bare(key) != spin:
                        yield bare(key), spin


def _spun(node: Node | Term) -> tuple[str, str] | None:
    r"""Return the inertia and the angular velocity of :math:`\omega\times(I\omega)`."""
    match node:
        case Times(
            left=Name(key=spin), right=Multiply(factors=(Name() as inertia, Name(key=other)))
        ) if spin == other:
            return show(inertia), bare(spin)
    return None


def _rated(node: Node, spins: dict[str, str]) -> Node:
    """Return a side of an equation with rates for the letters of angular accelerations."""

    def change(part: Any) -> Any:
        if isinstance(part, Name) and (spin := spins.get(bare(part.key))):
            return replace(part, key=spin, dots=part.dots + 1)
        return rebuilt(part, change)

    return cast("Node", change(node))
