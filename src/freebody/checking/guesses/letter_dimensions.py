"""What the letters of a page are measured in, by equations with letters that are known.

All that is added or compared is of one dimension. A letter for which two equations ask for
different ones is left open: one of them may be misprinted, or the letter stands for two things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from freebody.algebra.dimension_products import DimensionProduct, told_by
from freebody.algebra.units import NUMBER, Dimension, S
from freebody.checking.meaning.measured import PURE, exponent_of
from freebody.checking.meaning.pairs import COMPARED
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Labelled,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Power,
    Term,
    TimeDerivative,
    children,
    walk,
)

LARGEST = 12
"""A multiple of an angle."""


def letter_dimensions(
    relations: Iterable[Relation],
    known: Mapping[str, Dimension],
    likely: Mapping[str, Dimension] | None = None,
) -> dict[str, Dimension]:
    """Return the dimensions of letters as far as equations tell them, with those that are known.

    Parameters
    ----------
    relations : iterable of Relation
        Printed equations.
    known : mapping of str to Dimension
        Of letters that are known.
    likely : mapping of str to Dimension, optional
        Of letters that are taken to be so as far as equations then balance.
    """
    products = [one for relation in relations for one in _Collector().pure_products(relation)]
    found = _solved(products, known)
    supposed = {key: one for key, one in (likely or {}).items() if key not in found}
    unbalanced = len(_unbalanced(products, found))
    while supposed:
        tried = _solved(products, {**supposed, **found})
        wrong = _unbalanced(products, tried)
        if len(wrong) == unbalanced:
            return tried
        doubtful = {key for one in wrong for key in one.powers} & supposed.keys()
        supposed = {key: one for key, one in supposed.items() if doubtful and key not in doubtful}
    return found


def _solved(
    products: list[DimensionProduct], known: Mapping[str, Dimension]
) -> dict[str, Dimension]:
    """Return the dimensions that products which are pure numbers tell, with those known."""
    found, conflicting = dict(known), set[str]()
    new: Mapping[str, Dimension] = known
    while new:
        products = [one.with_known(new) for one in products]
        told = {key: one for key, one in told_by(products).items() if key not in conflicting}
        new = {key: next(iter(one)) for key, one in told.items() if len(one) == 1}
        conflicting |= told.keys() - new.keys()
        found |= new
    return found


def _unbalanced(
    products: Iterable[DimensionProduct], known: Mapping[str, Dimension]
) -> list[DimensionProduct]:
    """Return the products that are known, and no pure numbers."""
    closed = [(one, one.with_known(known)) for one in products if one.powers]
    return [one for one, worth in closed if not worth.powers and worth.dimension != NUMBER]


class _Collector:
    """Collects the products that are pure numbers if all that is added is of one dimension."""

    def __init__(self) -> None:
        self._pure: list[DimensionProduct] = []

    def pure_products(self, relation: Relation) -> Iterator[DimensionProduct]:
        """Iterate over the products that an equation says are pure numbers."""
        sides = relation.left, relation.right
        are_of_letters = all(any(isinstance(one, Name) for one in walk(side)) for side in sides)
        found = [self._of(side) for side in sides]
        if relation.relation in COMPARED and are_of_letters:  # numbers may have units not printed
            self._alike(found)
        yield from self._pure

    def _alike(self, products: list[DimensionProduct | None]) -> DimensionProduct | None:
        known = [one for one in products if one is not None]
        self._pure += [one / known[0] for one in known[1:]]
        return known[0] if known else None

    def _of(self, node: Node) -> DimensionProduct | None:
        """Return what a node is measured in; None where that is open, as of zero."""
        match node:
            case Number(value=value, dimension=dimension):
                return DimensionProduct(dimension or NUMBER) if value else None
            case Name(key=key, dots=dots):
                return DimensionProduct(NUMBER / S**dots, {key: Fraction(1)})
            case Add(terms=terms):
                return self._alike([self._of(term.node) for term in terms])
            case Multiply(factors=factors):
                return self._product([self._of(factor) for factor in factors])
            case Divide(numerator=above, denominator=below):
                return self._product([self._of(above), self._power(below, Fraction(-1))])
            case Power(base=base, exponent=exponent):
                return self._power(base, exponent_of(exponent))
            case Labelled(node=inner):
                return self._of(inner)
        return self._of_operation(node)

    def _of_operation(self, node: Node) -> DimensionProduct | None:
        match node:
            case Call(function="sqrt", argument=argument):
                return self._power(argument, Fraction(1, 2))
            case Call(function=function, argument=argument) if function in PURE:
                found = self._of(argument)
                if found is not None and not any(map(_is_measured, walk(argument))):
                    self._pure.append(found)
                return DimensionProduct()
            case TimeDerivative(node=inner, order=order):
                return self._product([self._of(inner), DimensionProduct(NUMBER / S**order)])
            case Partial(node=inner, with_respect_to=names):
                below = [self._power(name, Fraction(-1)) for name in names]
                return self._product([self._of(inner), *below])
        for child in children(node):
            self._of(child.node if isinstance(child, Term) else child)
        return None

    def _power(self, node: Node, power: Fraction | None) -> DimensionProduct | None:
        found = self._of(node)
        return None if found is None or power is None else found**power

    @staticmethod
    def _product(products: list[DimensionProduct | None]) -> DimensionProduct | None:
        result = DimensionProduct()
        for one in products:
            if one is None:
                return None
            result = result * one
        return result


def _is_measured(node: Node | Term) -> bool:
    """Return whether a number is one of an example, which may have a unit that is not printed."""
    return isinstance(node, Number) and (node.value.denominator > 1 or node.value > LARGEST)
