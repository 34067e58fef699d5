"""Products of what a page has names for, looked up by the value that they must have at a point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from freebody.algebra.prime import PRIME, residue
from freebody.checking.grid import MeaningError
from freebody.checking.repair.changes import Changes
from freebody.checking.repair.numbers import number
from freebody.checking.repair.vocabulary import Word
from freebody.documents.latex.tree import Add, Call, Multiply, Name, Node, Span, keys_in, show, walk

NUMBERS = tuple(Fraction(sign * n, d) for n, d in ((1, 1), (2, 1), (1, 2)) for sign in (1, -1))
OVER = tuple((number, residue(1 / number)) for number in NUMBERS)
"""The numbers that stand in front of products, each with one over it."""
MOST_NEAR, MOST_FAR = 20, 220
"""How many factors products of four, and of two, are made of."""
DEEPEST = 4
MANY = 10_000
"""More than a page has names: rates are printed behind what they are rates of."""


@dataclass(frozen=True, slots=True)
class Factor:
    """What a term can be multiplied by.

    Attributes
    ----------
    latex : str
    value : int
        At the point.
    order : tuple of int
        Where it is printed in a product: names, then sums, then cosines and sines.
    """

    latex: str
    value: int
    order: tuple[int, int]


Product = tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class Addend:
    """A product with a number in front, and perhaps a factor below the line."""

    coefficient: Fraction
    product: Product
    below: Factor | None = None

    @property
    def size(self) -> int:
        """Of how many factors and numbers it is made."""
        return len(self.product) + bool(self.below) + (abs(self.coefficient) != 1)

    @property
    def rates(self) -> int:
        """How many dots its names have, at the most."""
        return max((one.order[1] // MANY for one in self.product if not one.order[0]), default=0)

    @property
    def latex(self) -> str:
        """The product as it would be printed, with its sign."""
        sign, size = "-" if self.coefficient < 0 else "+", abs(self.coefficient)
        if self.below is None:
            return f"{sign} {printed(size, self.product)}"
        names = tuple(factor for factor in self.product if factor.order[0] == 0)
        rest = tuple(factor for factor in self.product if factor.order[0])
        over = rf"\frac{{{printed(size, names)}}}{{{self.below.latex}}}"
        return f"{sign} {over} {printed(Fraction(1), rest) if rest else ''}".rstrip()


class Products:
    """Products of the factors of an equation, and of those of its page.

    Parameters
    ----------
    changes : Changes
        Of the equation, with the names of its page.
    """

    def __init__(self, changes: Changes) -> None:
        relation = changes.at_point.relation
        nodes = list(walk(relation.left, relation.right))
        names = {node.key for node in nodes if isinstance(node, Name)}
        sums = list(_sums(changes, nodes))
        dotted = {(node.key, node.dots) for node in nodes if isinstance(node, Name)}
        near = [*_names(changes, lambda one: (one.name.key, one.name.dots) in dotted)]
        angles = {show(node.argument) for node in nodes if isinstance(node, Call)}
        near += [*_waves(changes, lambda angle: show(angle) in angles), *sums]
        near += _waves(changes, lambda angle: keys_in(angle) <= names)
        near += _names(changes, lambda one: one.name.key in names)
        far = [*_names(changes, lambda _: True), *sums, *_waves(changes, lambda _: True)]
        self.near = _different(near)[:MOST_NEAR]
        self.far = _different([*near, *far])[:MOST_FAR]
        self._near: dict[int, Product] = {}
        self._far: dict[int, Product] = {}

    def near_to(self, wanted: int) -> Iterator[Addend]:
        """Iterate over short products with a value, with a number in front."""
        for coefficient, over in OVER:
            value = wanted * over % PRIME
            found = self._of_near.get(value) or self._of_far.get(value)
            if found is not None:
                yield Addend(coefficient, _ordered(found))

    def all_with(self, wanted: int, *, deep: bool) -> Iterator[Addend]:
        """Iterate over the shortest products with a value: of more factors where `deep`.

        Of the equation's own factors they are of up to six, of those of the page up to four.
        """
        ways = (self.near_to, self._of_six, self._of_three, self._of_four)
        for way in ways if deep else ways[:3]:
            some = list(dict.fromkeys(way(wanted)))
            yield from some
            if some:
                return

    def _of_six(self, wanted: int) -> Iterator[Addend]:
        return _divided(wanted, self._of_near, self._pairs(self.near))

    def _of_three(self, wanted: int) -> Iterator[Addend]:
        """Divide by a factor, or multiply by one, and look the rest up."""
        single = [((factor,), pow(factor.value, -1, PRIME)) for factor in self.far]
        yield from _divided(wanted, self._of_far, single)
        for below in self.far:
            for addend in self.near_to(wanted * below.value % PRIME):
                if below not in addend.product:
                    yield Addend(addend.coefficient, addend.product, below)

    def _of_four(self, wanted: int) -> Iterator[Addend]:
        return _divided(wanted, self._of_far, self._pairs(self.far))

    @property
    def _of_near(self) -> dict[int, Product]:
        if not self._near:
            self._near = _table(self.near, DEEPEST)
        return self._near

    @property
    def _of_far(self) -> dict[int, Product]:
        if not self._far:
            self._far = _table(self.far, 2)
        return self._far

    def _pairs(self, factors: Sequence[Factor]) -> list[tuple[Product, int]]:
        """Return products of two factors, each with one over its value."""
        over = [(factor, pow(factor.value, -1, PRIME)) for factor in factors]
        both = combinations_with_replacement(over, 2)
        return [((one, two), a * b % PRIME) for (one, a), (two, b) in both]


def _divided(
    wanted: int, table: dict[int, Product], divisors: Sequence[tuple[Product, int]]
) -> Iterator[Addend]:
    for coefficient, below in OVER:
        value = wanted * below % PRIME
        for product, over in divisors:
            if (rest := table.get(value * over % PRIME)) is not None:
                yield Addend(coefficient, _ordered((*product, *rest)))


def printed(coefficient: Fraction, product: Product) -> str:
    """Return a product as it would be printed, without its sign."""
    parts = [number(coefficient)] if coefficient != 1 or not product else []
    parts += [_raised(factor, product.count(factor)) for factor in dict.fromkeys(product)]
    return " ".join(parts)


def _table(factors: Sequence[Factor], deepest: int) -> dict[int, Product]:
    """Return the shortest product for each value."""
    table: dict[int, Product] = {1: ()}
    last: list[tuple[int, int, Product]] = [(1, 0, ())]
    for _ in range(deepest):
        last = [
            (value * factor.value % PRIME, place, (*product, factor))
            for value, start, product in last
            for place, factor in enumerate(factors[start:], start)
        ]
        for value, _, product in last:
            table.setdefault(value, product)
    return table


def _ordered(product: Product) -> Product:
    return tuple(sorted(product, key=lambda factor: factor.order))


def _different(factors: Sequence[Factor]) -> list[Factor]:
    different = {factor.value: factor for factor in reversed(factors) if factor.value not in (0, 1)}
    kept = {id(factor) for factor in different.values()}
    return [factor for factor in factors if id(factor) in kept]


def _names(changes: Changes, fits: Callable[[Word], bool]) -> Iterator[Factor]:
    for place, (entry, value) in enumerate(changes.scalars):
        if fits(entry):
            yield Factor(entry.latex, value, (0, place + MANY * entry.family[2]))


def _sums(changes: Changes, nodes: Sequence[object]) -> Iterator[Factor]:
    """Iterate over the sums that are factors of the equation, and over sums of two like names."""
    factors = (f for node in nodes if isinstance(node, Multiply) for f in node.factors)
    for place, node in enumerate(factor for factor in factors if isinstance(factor, Add)):
        value = changes.scalar(node)
        if value:
            text = " ".join(changes.text[node.span.start : node.span.stop].split())
            yield Factor(f"({text})", value, (1, place))
    still = [(entry, value) for entry, value in changes.scalars if not entry.family[2]]
    alike = (
        (one, two)
        for one, two in combinations(still, 2)
        if one[0].family[0].lower() == two[0].family[0].lower() and _both_printed(changes, one, two)
    )
    for place, ((one, a), (two, b)) in enumerate(
        pair for pair in alike if pair[0][1] != pair[1][1]
    ):
        yield Factor(f"({one.latex} + {two.latex})", (a + b) % PRIME, (2, place))


def _both_printed(changes: Changes, *entries: tuple[Word, int]) -> bool:
    return all(entry.family[:2] in changes.printed for entry, _ in entries)


def _waves(changes: Changes, fits: Callable[[Node], bool]) -> Iterator[Factor]:
    for place, (latex, argument) in enumerate(changes.arguments):
        if not fits(argument):
            continue
        for wave in ("cos", "sin"):
            call = Call(wave, argument, Span(0, 0))
            try:
                value = changes.at_point.value(call).form.value
            except MeaningError:
                continue
            shown = rf"\{wave} {latex}" if isinstance(argument, Name) else rf"\{wave}({latex})"
            yield Factor(shown, value, (3, place))


def _raised(factor: Factor, times: int) -> str:
    if times == 1:
        return factor.latex
    if factor.order[0] == 3:
        wave = factor.latex[:4]
        return f"{wave}^{{{times}}}{factor.latex[4:]}"
    return f"{factor.latex}^{{{times}}}"
