"""Terms and factors that a printed equation lacks: products of what the page has names for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from freebody.algebra.prime import PRIME
from freebody.checking.findings import Edit
from freebody.checking.repair.changes import LIKELY, Change, Changes
from freebody.checking.repair.places import Place
from freebody.checking.repair.products import Addend, Product, Products, printed
from freebody.documents.latex.tree import Add, Divide, Name, Node, Term, walk

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

Option = tuple[float, tuple[Edit, ...]]


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


def _factor_cost(addend: Addend, place: Place) -> float:
    base = IN_FRACTION if isinstance(place.parent, Divide) else FACTOR
    return base + FOR_EACH * (len(set(addend.product)) - 1) + place.subject


def _factor(product: Product, *, below: bool) -> str:
    latex = printed(Fraction(1), product)
    return rf"\frac{{1}}{{{latex}}}" if below else latex


def cost_of(addend: Addend, place: Place) -> float:
    """Return how unlikely it is that a term is missing in a sum, or beside a lone term."""
    alone = 0.0 if isinstance(place.node, Add) else ALONE
    return COST + FOR_EACH * (addend.size - 1) + alone + place.subject


def added(addend: Addend, place: Place) -> Edit:
    """Return the edit that adds a term to a node."""
    at = place.node.span.stop
    return Edit((at, at), "", f" {addend.latex}", "missing")


def _sums(changes: Changes) -> Iterator[tuple[Place, int, bool]]:
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
