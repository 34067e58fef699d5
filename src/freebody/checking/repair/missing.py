"""Terms that a printed equation lacks: products of what the page has names for.

A product of up to four factors is looked up by the value that it must have at a random point:
products of two of them are kept in a table, and what is wanted is divided by others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from freebody.algebra.points import PRIME
from freebody.checking.findings import Edit
from freebody.checking.grid import MeaningError
from freebody.checking.repair.changes import Changes, Place, number, residue
from freebody.documents.latex.tree import Add, Call, Name, Span

NUMBERS = tuple(Fraction(sign * n, d) for n, d in ((1, 1), (2, 1), (1, 2)) for sign in (1, -1))
COST, FOR_EACH = 2.3, 0.2
"""What it costs that a whole term is missing, and each of its factors beyond the first."""
MOST_FACTORS = 220

Option = tuple[float, tuple[Edit, ...]]


@dataclass(frozen=True, slots=True)
class _Factor:
    latex: str
    value: int
    order: tuple[int, int]


def missing_terms(changes: Changes) -> Iterator[Option]:
    """Iterate over terms that make the equation hold when they are added to one of its sums."""
    products = _Products(_factors(changes))
    for place, is_outermost in _sums(changes):
        node, at = place.node, place.node.span.stop
        slope = changes.slope(node)
        if slope % PRIME == 0:
            continue
        wanted = -changes.spot.residual * pow(slope, -1, PRIME) % PRIME
        for coefficient, factors in products.found(wanted, deep=is_outermost):
            edit = Edit((at, at), "", _printed(coefficient, factors), "missing")
            numbered = 0 if abs(coefficient) == 1 else FOR_EACH
            cost = COST + FOR_EACH * (len(factors) - 1) + numbered + place.subject
            yield cost, (edit,)


def _sums(changes: Changes) -> Iterator[tuple[Place, bool]]:
    """Iterate over what a term can be added to, and whether it is the first whole side."""
    seen_outermost = False
    for place in changes.places:
        node = place.node
        is_outermost = place.parent is None
        is_open = place.is_linear and (isinstance(node, Add) or place.is_unsigned)
        if is_open and changes.scalar(node) is not None:
            yield place, is_outermost and not seen_outermost
            seen_outermost |= is_outermost


def _factors(changes: Changes) -> list[_Factor]:
    """Return the names of the page, and the cosines and sines that it prints."""
    found = [_Factor(word.latex, value, (0, i)) for i, (word, value) in enumerate(changes.scalars)]
    for i, (latex, argument) in enumerate(changes.arguments):
        for wave in ("cos", "sin"):
            call = Call(wave, argument, Span(0, 0))
            try:
                value = changes.spot.value(call).form.value
            except MeaningError:
                continue
            if not value:
                continue
            is_name = isinstance(argument, Name)
            shown = rf"\{wave} {latex}" if is_name else rf"\{wave}({latex})"
            found.append(_Factor(shown, value, (1, i)))
    different = {factor.value: factor for factor in reversed(found) if factor.value}
    return sorted(different.values(), key=lambda factor: factor.order)[:MOST_FACTORS]


class _Products:
    """All products of one and of two factors, by their value."""

    def __init__(self, factors: list[_Factor]) -> None:
        self.factors = factors
        self.table: dict[int, tuple[_Factor, ...]] = {1: ()}
        for factor in factors:
            self.table.setdefault(factor.value, (factor,))
        for one, two in combinations_with_replacement(factors, 2):
            self.table.setdefault(one.value * two.value % PRIME, (one, two))
        self.inverses = [pow(factor.value, -1, PRIME) for factor in factors]

    def found(self, wanted: int, *, deep: bool) -> Iterator[tuple[Fraction, tuple[_Factor, ...]]]:
        """Iterate over the shortest products with a value, of four factors where `deep`."""
        for left in range(4 if deep else 3):
            if left == 1:
                continue  # one and two factors are in the table
            some = list(self._with(wanted, left))
            if some:
                yield from some
                return

    def _with(self, wanted: int, left: int) -> Iterator[tuple[Fraction, tuple[_Factor, ...]]]:
        """Divide by products of some factors and look the rest up."""
        seen = set()
        for coefficient in NUMBERS:
            value = wanted * residue(1 / coefficient) % PRIME
            for rest, over in self._divisors(left):
                if (other := self.table.get(value * over % PRIME)) is not None:
                    factors = tuple(sorted((*rest, *other), key=lambda factor: factor.order))
                    if factors and (coefficient, factors) not in seen:
                        seen.add((coefficient, factors))
                        yield coefficient, factors

    def _divisors(self, left: int) -> Iterator[tuple[tuple[_Factor, ...], int]]:
        if left == 0:
            yield (), 1
        elif left == 2:
            for factor, inverse in zip(self.factors, self.inverses, strict=True):
                yield (factor,), inverse
        else:
            both = zip(self.factors, self.inverses, strict=True)
            for (one, over), (two, over_two) in combinations_with_replacement(both, 2):
                yield (one, two), over * over_two % PRIME


def _printed(coefficient: Fraction, factors: tuple[_Factor, ...]) -> str:
    """Return a term with its sign, as it would be printed."""
    parts = [number(abs(coefficient))] if abs(coefficient) != 1 else []
    for factor in dict.fromkeys(factors):
        times = factors.count(factor)
        parts.append(_raised(factor, times))
    return f" {'-' if coefficient < 0 else '+'} {' '.join(parts)}"


def _raised(factor: _Factor, times: int) -> str:
    if times == 1:
        return factor.latex
    if factor.order[0] == 0:
        return f"{factor.latex}^{{{times}}}"
    return factor.latex.replace("cos", f"cos^{{{times}}}", 1).replace("sin", f"sin^{{{times}}}", 1)
