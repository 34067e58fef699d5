"""A printed equation multiplied by its denominators, to find several changes of one fraction.

What is left of it depends linearly on everything that stands in sums, products and quotients, above
and below the line, and changes of different terms of one fraction add.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from freebody.checking.meaning.relation_at_point import RelationAtPoint
from freebody.documents.latex.tree import Add, Divide, Multiply, Node, Number, Term

Fraction = tuple[Node | Term, tuple[Node, ...]]
"""What stands above the line, and the factors below it."""


def cleared(at_point: RelationAtPoint) -> tuple[RelationAtPoint, tuple[Node, ...]]:
    """Return an equation of scalars without denominators, and what it was multiplied by.

    All nodes are those that are printed, but for the sums and products around fractions.
    """
    relation = at_point.relation
    if not (at_point.value(relation.left).is_scalar and at_point.value(relation.right).is_scalar):
        return at_point, ()
    (left, below_left), (right, below_right) = map(_fraction, (relation.left, relation.right))
    if not below_left and not below_right:
        return at_point, ()
    sides = replace(
        relation, left=_product(left, below_right), right=_product(right, below_left), others=()
    )
    return at_point.of(sides), (*below_left, *below_right)


def is_cleared(node: Node | Term) -> bool:
    """Return whether a node is a quotient that is multiplied out: by more than a number."""
    return isinstance(node, Divide) and not isinstance(node.denominator, Number)


def _fraction(node: Node | Term) -> Fraction:
    match node:
        case Divide(numerator=numerator, denominator=denominator) if is_cleared(node):
            above, below = _fraction(numerator)
            under, over = _fraction(denominator)
            return _product(above, over), (*below, _bare(under))
        case Multiply(factors=factors, span=span):
            parts = [_fraction(factor) for factor in factors]
            below = tuple(one for _, ones in parts for one in ones)
            return (
                (Multiply(tuple(_bare(a) for a, _ in parts), span), below) if below else (node, ())
            )
        case Term(node=inner):
            above, below = _fraction(inner)
            return (replace(node, node=_bare(above)), below) if below else (node, ())
        case Add(terms=terms):
            return _sum(node, [_fraction(term) for term in terms])
    return node, ()


def _sum(node: Add, parts: list[Fraction]) -> Fraction:
    """Bring the terms of a sum over one line."""
    if not any(below for _, below in parts):
        return node, ()
    terms = []
    for place, (above, _) in enumerate(parts):
        others = _below(part for i, part in enumerate(parts) if i != place)
        terms.append(Term(1, _product(above, others), node.span))
    return Add(tuple(terms), node.span), _below(parts)


def _below(parts: Iterator[Fraction] | list[Fraction]) -> tuple[Node, ...]:
    return tuple(one for _, ones in parts for one in ones)


def _product(node: Node | Term, factors: tuple[Node, ...]) -> Node:
    return Multiply((_bare(node), *factors), node.span) if factors else _bare(node)


def _bare(node: Node | Term) -> Node:
    """Return a node where no sign may stand: a term as it is, which has its own value."""
    return node  # type: ignore[return-value]
