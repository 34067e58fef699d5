"""What squared brackets, roots, angles and fractions lack, or have in another order.

An equation does not depend on it linearly, and is worked out anew with each change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy

from freebody.algebra.prime import PRIME
from freebody.checking.findings import Edit
from freebody.checking.meaning.spot import NOWHERE
from freebody.checking.repair.changes import Change, Changes
from freebody.checking.repair.missing import cost_of
from freebody.checking.repair.numbers import number
from freebody.checking.repair.places import Place, leading
from freebody.checking.repair.products import Products
from freebody.checking.repair.quotients import LACKED, NESTED, REDUCIBLE, exchanged
from freebody.checking.repair.vocabulary import WAVES
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Multiply,
    Node,
    Number,
    Power,
    Span,
    Term,
)

DOUBLE, SYMBOL, FAR, SQUARE, EXCHANGED = 1.1, 1.3, 1.6, 1.2, 1.0
"""What it costs that a 2 or one half, a symbol, one that only the page has, and the square of a
bracket or a sine are missing, and that two numbers are exchanged."""
MOST_FAR = 240
"""How often a symbol that only the page has is put into a bracket."""
MOST_TERMS = 24
"""So many terms are multiplied by each symbol that the equation has."""

Option = tuple[float, tuple[Edit, ...]]


def lacking(changes: Changes) -> Iterator[Change]:
    """Iterate over numbers and symbols that terms of brackets lack, and squares of brackets."""
    inner = [place for place in changes.places if _is_inner(changes, place)]
    near = [entry for entry, _ in changes.scalars if entry.family[:2] in changes.printed]
    far = [entry for entry, _ in changes.scalars if entry.family[:2] not in changes.printed]
    for place in inner:
        for ratio, more in LACKED.items():
            is_nested = ratio.denominator != 1 and isinstance(place.parent, Divide)
            price = DOUBLE + more - 1 + NESTED * is_nested
            yield from _multiplied(changes, place, Number(ratio, NOWHERE), number(ratio), price)
    for place in [one for one in inner if one.is_plain][:MOST_TERMS]:
        for entry in near:
            yield from _multiplied(changes, place, entry.name, entry.latex, SYMBOL)
    for place in [one for one in inner if one.is_plain][: MOST_FAR // (len(far) + 1)]:
        for entry in far:
            yield from _multiplied(changes, place, entry.name, entry.latex, FAR)
    for place in changes.places:
        yield from _squared(changes, place)
        yield from _squared_wave(changes, place)
        yield from _exchanged(changes, place)


def lacking_terms(changes: Changes, products: Products) -> Iterator[Option]:
    """Iterate over terms that make the equation hold when they are added to a squared bracket."""
    for place in changes.places:
        node = place.node
        if not (place.is_linear and isinstance(node, Power) and _is_two(node.exponent)):
            continue
        base, slope = changes.scalar(node.base), changes.slope(node) % PRIME
        if base is None or not slope:
            continue
        square = (base * base - changes.residual * pow(slope, -1, PRIME)) % PRIME
        root = sympy.sqrt_mod(square, PRIME)
        for value in () if root is None else (int(root), -int(root)):
            for addend in products.near_to((value - base) % PRIME):
                if addend.product:
                    yield cost_of(addend, place), (_in_brackets(changes, node.base, addend.latex),)


def _is_inner(changes: Changes, place: Place) -> bool:
    """Return whether a node is a term of a sum, or a bracket, on which nothing is linear."""
    if place.is_linear or isinstance(place.node, Number):
        return False
    around = place.parent
    if isinstance(around, Divide) or (isinstance(around, Call) and around.function == "sqrt"):
        return not isinstance(place.node, Add)
    return isinstance(place.node, Term) or _is_base(changes, place)


def _is_base(changes: Changes, place: Place) -> bool:
    around = place.parent
    is_base = isinstance(around, Power) and around.base is place.node
    return is_base and isinstance(place.node, Multiply) and changes.is_enclosed(place.node)


def _multiplied(
    changes: Changes, place: Place, factor: Node, latex: str, cost: float
) -> Iterator[Change]:
    node = place.node
    inner = node.node if isinstance(node, Term) else node
    if isinstance(factor, Number) and leading(inner)[0] is not None:
        return
    product: Node | Term = Multiply((factor, replace(inner)), node.span)
    if isinstance(node, Term):
        product = Term(node.sign, product, node.span)  # type: ignore[arg-type]
    edit = changes.multiplied(place, latex)
    yield from changes.tried(place, product, edit, cost)


def _squared(changes: Changes, place: Place) -> Iterator[Change]:
    """Square a bracket."""
    node = place.node
    if not isinstance(node, Add | Multiply) or isinstance(place.parent, Power | Call):
        return
    if changes.is_enclosed(node):
        squared = Power(replace(node), Number(Fraction(2), NOWHERE), node.span)
        stop = changes.behind_bracket(node)
        edit = changes.put(Span(stop, stop), "^{2}", "power")
        yield from changes.tried(place, squared, edit, SQUARE)


def _squared_wave(changes: Changes, place: Place) -> Iterator[Change]:
    """Square a cosine or sine."""
    node = place.node
    if not isinstance(node, Call) or isinstance(place.parent, Power):
        return
    start, stop = node.span.start, node.span.stop
    behind = re.search(rf"\\?{node.function}", changes.text[start:stop])
    if node.function in WAVES and behind:
        squared = Power(replace(node), Number(Fraction(2), NOWHERE), node.span)
        at = start + behind.end()
        edit = changes.put(Span(at, at), "^{2}", "power")
        yield from changes.tried(place, squared, edit, SQUARE)


def _exchanged(changes: Changes, place: Place) -> Iterator[Change]:
    """Exchange the two numbers of a fraction."""
    for other, span, latex in exchanged(place.node, changes.text):
        wide = 0.0 if _is_lowest(other) else REDUCIBLE
        edit = changes.put(span, latex, "factor")
        yield from changes.tried(place, other, edit, EXCHANGED + wide)


def _is_lowest(node: Divide) -> bool:
    """Return whether the numbers of a fraction cannot be cancelled."""
    above, below = node.numerator, node.denominator
    if not (isinstance(above, Number) and isinstance(below, Number)):
        return True
    return (above.value / below.value).denominator == below.value


def _is_two(exponent: Node) -> bool:
    return isinstance(exponent, Number) and exponent.value == 2


def _in_brackets(changes: Changes, node: Node, latex: str) -> Edit:
    """Return the edit that adds a term to what is squared."""
    at = node.span.stop
    if changes.is_enclosed(node):
        return changes.put(Span(at, at), f" {latex}", "missing")
    text = changes.text[node.span.start : at]
    return changes.put(node.span, f"({text} {latex})", "missing")
