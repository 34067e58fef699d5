"""Whether an equation says nothing: it holds whatever its names, functions and rates are."""

from __future__ import annotations

import random

from freebody.algebra.prime import PRIME, residue
from freebody.documents.latex.layout.displays import Relation
from freebody.documents.latex.tree import (
    Add,
    Divide,
    Multiply,
    Name,
    Node,
    Number,
    Power,
    Term,
    TimeDerivative,
    show,
)


def says_nothing(relation: Relation) -> bool:
    """Return whether an equation holds as one of numbers: ``d a = a d``, ``2 a - a = a``."""
    return not (_value(relation.left) - _value(relation.right)) % PRIME


def _value(node: Node | Term) -> int:
    """Return a value with a random number for everything that is no arithmetic."""
    match node:
        case Number(value=value):
            return residue(value)
        case Term(sign=sign, node=inner):
            return sign * _value(inner)
        case Add(terms=terms):
            return sum(map(_value, terms)) % PRIME
        case Multiply(factors=factors):
            product = 1
            for factor in factors:
                product = product * _value(factor) % PRIME
            return product
        case Divide(numerator=numerator, denominator=denominator):
            below = _value(denominator) % PRIME
            return _value(numerator) * pow(below, -1, PRIME) if below else 0
        case Power(base=base, exponent=Number(value=power)) if power.denominator == 1:
            return pow(_value(base), int(power), PRIME)
        case TimeDerivative(node=Name(key=key, dots=dots, indices=indices), order=order):
            return _random(show(Name(key, dots + order, node.span, indices)))
    return _random(show(node))


def _random(name: str) -> int:
    return random.Random(name).randrange(1, PRIME)  # noqa: S311 - nothing secret
