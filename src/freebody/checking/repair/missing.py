"""Terms and factors that a printed equation lacks: products of what the page has names for.

On what squared brackets, roots, angles and fractions lack, an equation does not depend linearly: it
is worked out anew with each change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from freebody.algebra.prime import PRIME
from freebody.checking.findings import Edit
from freebody.checking.meaning.relation_at_point import NOWHERE
from freebody.checking.repair.changes import LIKELY, Changes
from freebody.checking.repair.numbers import LACKED, NESTED, REDUCIBLE, exchanged, number
from freebody.checking.repair.places import NodePlace, leading
from freebody.checking.repair.products import Addend, Product, Products, printed
from freebody.checking.repair.residuals import Change
from freebody.checking.repair.together import Option
from freebody.checking.repair.vocabulary import WAVES
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Multiply,
    Name,
    Node,
    Number,
    Power,
    Span,
    Term,
    walk,
)

COST, FOR_EACH = 2.3, 0.2
"""What it costs that a whole term is missing, and each of its factors beyond the first."""
ASIDE = 0.15
"""What it costs more that it would bring in rates that no term of the sum has."""
ALONE = 0.1
"""What it costs more that the sum, of which a term is missing, has only one."""
FACTOR, IN_FRACTION, BELOW = 1.5, 1.3, 0.6
"""What it costs that a factor is missing, also one of a fraction that is printed, and what more
that it would be below a line of its own."""
TOGETHER = 0.7
"""What it costs that a term is missing and something else is wrong."""
MOST_SUMS, MOST_OTHERS = 6, 150
"""Where a missing term is looked for together with so many other changes, at the most."""
MOST_FACTORS = 2
"""So many factors are put in together, at the most."""


def missing_terms(changes: Changes, products: Products) -> Iterator[Option]:
    """Iterate over terms that make the equation hold when they are added to one of its sums."""
    for place, over, is_first in _sums(changes):
        wanted = -changes.residual * over % PRIME
        for addend in products.all_with(wanted, deep=is_first):
            if addend.product:
                aside = ASIDE * (addend.rates > _rates(place.node))
                yield cost_of(addend, place) + aside, (added(addend, place),)


def _rates(node: Node | Term) -> int:
    """Return how many dots the names of a formula have, at the most."""
    return max((one.dots for one in walk(node) if isinstance(one, Name)), default=0)


def missing_terms_beside(
    changes: Changes, products: Products, others: Sequence[Change]
) -> Iterator[Option]:
    """Iterate over terms that make the equation hold together with a likely change elsewhere."""
    fit = sorted((c for c in others if c.cost <= LIKELY and c.residual), key=lambda c: c.cost)
    for place, over, _ in list(_sums(changes))[:MOST_SUMS]:
        at = place.node.span.stop
        for other in fit[:MOST_OTHERS]:
            first, last = other.edit.span
            if first < at < last:
                continue
            for addend in products.near_to(-other.residual * over % PRIME):
                if addend.product:
                    edits = (other.edit, added(addend, place))
                    yield cost_of(addend, place) + other.cost + TOGETHER, edits


def missing_factors(changes: Changes, products: Products) -> Iterator[Option]:
    """Iterate over factors that make the equation hold when a term is multiplied by them."""
    for place in changes.places:
        fits = place.is_linear and (place.is_addend or isinstance(place.parent, Divide))
        share = (changes.residual - changes.with_nothing(place)) % PRIME if fits else 0
        if not share:
            continue
        ratio = (1 - changes.residual * pow(share, -1, PRIME)) % PRIME
        for below, wanted in ((False, ratio), (True, pow(ratio, -1, PRIME) if ratio else 0)):
            for addend in products.near_to(wanted):
                if 0 < len(set(addend.product)) <= MOST_FACTORS and addend.coefficient == 1:
                    cost = _factor_cost(addend, place) + BELOW * below
                    latex = _factor(addend.product, below=below)
                    yield cost, (changes.multiplied(place, latex),)


def _factor_cost(addend: Addend, place: NodePlace) -> float:
    base = IN_FRACTION if isinstance(place.parent, Divide) else FACTOR
    return base + FOR_EACH * (len(set(addend.product)) - 1) + place.subject


def _factor(product: Product, *, below: bool) -> str:
    latex = printed(Fraction(1), product)
    return rf"\frac{{1}}{{{latex}}}" if below else latex


def cost_of(addend: Addend, place: NodePlace) -> float:
    """Return how unlikely it is that a term is missing in a sum, or beside a lone term."""
    alone = 0.0 if isinstance(place.node, Add) else ALONE
    return COST + FOR_EACH * (addend.size - 1) + alone + place.subject


def added(addend: Addend, place: NodePlace) -> Edit:
    """Return the edit that adds a term to a node."""
    at = place.node.span.stop
    return Edit((at, at), "", f" {addend.latex}", "missing")


def _sums(changes: Changes) -> Iterator[tuple[NodePlace, int, bool]]:
    """Iterate over what a term can be added to.

    Each has one over what left minus right gains with it, and whether it is the first formula.
    """
    open_places = [place for place in changes.places if changes.is_open(place)]
    sides = [place for place in open_places if place.parent is None and not place.subject]
    for place in open_places:
        if changes.scalar(place.node) is None or (place.subject and sides):
            continue
        if slope := changes.slope(place.node) % PRIME:
            yield place, pow(slope, -1, PRIME), place in sides[:1]


DOUBLE, SYMBOL, FAR, SQUARE, EXCHANGED = 1.1, 1.3, 1.6, 1.2, 1.0
"""What it costs that a 2 or one half, a symbol, one that only the page has, and the square of a
bracket or a sine are missing, and that two numbers are exchanged."""
MOST_FAR = 240
"""How often a symbol that only the page has is put into a bracket."""
MOST_TERMS = 24
"""So many terms are multiplied by each symbol that the equation has."""


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


def _is_inner(changes: Changes, place: NodePlace) -> bool:
    """Return whether a node is a term of a sum, or a bracket, on which nothing is linear."""
    if place.is_linear or isinstance(place.node, Number):
        return False
    around = place.parent
    if isinstance(around, Divide) or (isinstance(around, Call) and around.function == "sqrt"):
        return not isinstance(place.node, Add)
    return isinstance(place.node, Term) or _is_base(changes, place)


def _is_base(changes: Changes, place: NodePlace) -> bool:
    around = place.parent
    is_base = isinstance(around, Power) and around.base is place.node
    return is_base and isinstance(place.node, Multiply) and changes.is_enclosed(place.node)


def _multiplied(
    changes: Changes, place: NodePlace, factor: Node, latex: str, cost: float
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


def _squared(changes: Changes, place: NodePlace) -> Iterator[Change]:
    """Square a bracket."""
    node = place.node
    if not isinstance(node, Add | Multiply) or isinstance(place.parent, Power | Call):
        return
    if changes.is_enclosed(node):
        squared = Power(replace(node), Number(Fraction(2), NOWHERE), node.span)
        stop = changes.behind_bracket(node)
        edit = changes.put(Span(stop, stop), "^{2}", "power")
        yield from changes.tried(place, squared, edit, SQUARE)


def _squared_wave(changes: Changes, place: NodePlace) -> Iterator[Change]:
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


def _exchanged(changes: Changes, place: NodePlace) -> Iterator[Change]:
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
