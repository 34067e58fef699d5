"""Whether an author would have printed an equation with a repair.

Nobody prints one that says nothing, since it holds whatever its names, functions and rates are;
and of two repairs the one in which nothing is left to shorten is likelier.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from freebody.algebra.prime import PRIME, residue
from freebody.documents.latex.relations import Relation
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
    walk,
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


COMMON_NUMBER, COMMON_SYMBOL = 0.5, 0.3
"""What it costs that all terms have a number in common, or a symbol that a repair put in."""
TWO_NUMBERS, REPEATED, ONE = 0.4, 0.3, 0.3
"""What it costs that one product has two numbers, the same factor twice, or a one."""
NOT_LOWEST = 0.4
"""What it costs that the two numbers of a fraction have one in common."""


def awkwardness(changed: Relation, printed: Relation) -> float:
    """Return how unlikely an equation is as an author's, by what could be shortened in it.

    Parameters
    ----------
    changed : Relation
        A printed equation with a repair.
    printed : Relation
        The equation as it is printed.
    """
    before, after = _Common.of(printed), _Common.of(changed)
    cost = COMMON_NUMBER * after.is_numeric + COMMON_SYMBOL * bool(after.symbols - before.symbols)
    products = [node for node in walk(changed.left, changed.right) if isinstance(node, Multiply)]
    cost += TWO_NUMBERS * sum(_numbers(product) > 1 for product in products)
    cost += ONE * sum(_has_one(product) for product in products)
    cost += REPEATED * sum(_repeats(product) for product in products)
    return cost + NOT_LOWEST * sum(map(_can_be_lowered, walk(changed.left, changed.right)))


@dataclass(frozen=True, slots=True)
class _Common:
    """What all terms of both sides of an equation have in common."""

    is_numeric: bool
    symbols: frozenset[str]

    @classmethod
    def of(cls, relation: Relation) -> _Common:
        terms = [
            _factors(term) for side in (relation.left, relation.right) for term in _terms(side)
        ]
        numbers = [abs(number) for number, _ in terms]
        symbols = [{name for name, power in powers.items() if power > 0} for _, powers in terms]
        if len(terms) < 2 or not all(numbers):
            return cls(is_numeric=False, symbols=frozenset())
        above, below = gcd(*(n.numerator for n in numbers)), gcd(*(n.denominator for n in numbers))
        return cls(above > 1 or below > 1, frozenset(set.intersection(*symbols)))


def _terms(side: Node) -> list[Node | Term]:
    return list(side.terms) if isinstance(side, Add) else [side]


def _factors(node: Node | Term) -> tuple[Fraction, Counter[str]]:
    """Return the number of a product, and the exponents of its other factors."""
    match node:
        case Term(node=inner):
            return _factors(inner)
        case Number(value=value):
            return value, Counter()
        case Multiply(factors=factors):
            number, powers = Fraction(1), Counter[str]()
            for one, some in map(_factors, factors):
                number *= one
                powers.update(some)
            return number, powers
        case Divide(numerator=above, denominator=below):
            (one, powers), (other, some) = _factors(above), _factors(below)
            powers.subtract(some)
            return (one / other if other else one), powers
        case Power(base=base, exponent=Number(value=power)) if power.denominator == 1:
            return Fraction(1), Counter({show(base): int(power)})
    return Fraction(1), Counter({show(node): 1})


def _numbers(product: Multiply) -> int:
    return sum(not list(_symbols(factor)) for factor in product.factors)


def _has_one(product: Multiply) -> bool:
    return any(isinstance(factor, Number) and factor.value == 1 for factor in product.factors)


def _can_be_lowered(node: Node | Term) -> bool:
    match node:
        case Divide(numerator=Number(value=above), denominator=Number(value=below)):
            return above.denominator == below.denominator == 1 < gcd(int(above), int(below))
    return False


def _symbols(node: Node) -> Iterator[Node | Term]:
    """Iterate over what is no arithmetic of numbers."""
    return (part for part in walk(node) if not isinstance(part, Number | Divide | Power | Term))


def _repeats(product: Multiply) -> bool:
    return max(Counter(map(show, product.factors)).values()) > 1
