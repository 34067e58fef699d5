"""Equations of motion as tables of products: what moves apart from what does not.

A product is a rational number or i times one, powers of what moves and its rates, an exponential
of angles, and powers of constants. Pages and models are compared in these tables, because names
do not matter in them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form, Ring
from freebody.algebra.ring import PARTS
from freebody.algebra.terms import Rational, exponents

TURN = "turn by "
"""Before the name of a constant angle: the exponential of a twelfth of it, by i."""
RATES = ("rate of ", "acceleration of ")
"""Before the name of what moves in a given way: how fast it does, and how that changes."""
Exponents = tuple[tuple[int, int], ...]
"""Generators by their places, with their exponents."""
Powers = tuple[tuple[str, int], ...]
"""Constants with their exponents, in the order of their names."""


class Moving(NamedTuple):
    """A coordinate by its number, and how often it is differentiated."""

    coordinate: int
    dots: int


class MovingPart(NamedTuple):
    """What of a product moves: powers of coordinates and rates, multiples of angles."""

    powers: tuple[tuple[Moving, int], ...] = ()
    turns: tuple[tuple[int, Fraction | int], ...] = ()

    def renumbered(self, numbers: Mapping[int, int], flipped: frozenset[int]) -> MovingPart:
        """Return it with other numbers of coordinates, some of which are counted backwards."""
        powers = [(Moving(numbers[m.coordinate], m.dots), power) for m, power in self.powers]
        turns = [
            (numbers[one], -multiple if numbers[one] in flipped else multiple)
            for one, multiple in self.turns
        ]
        return MovingPart(tuple(sorted(powers)), tuple(sorted(turns)))

    def parity(self, flipped: frozenset[int]) -> int:
        """Return the sign of its powers where some coordinates are counted backwards."""
        return (-1) ** sum(power for m, power in self.powers if m.coordinate in flipped)


Counts = tuple[tuple[MovingPart, int], ...]
"""How many products stand in a place."""


class Product(NamedTuple):
    """A product of an equation: ``size`` times ``i`` to the ``quarter``, its place, its constants.

    The size is positive: a minus sign is two quarters.
    """

    place: MovingPart
    constants: Powers
    size: Fraction
    quarter: int


@dataclass(frozen=True, eq=False)
class Row:
    """An equation of motion as its products.

    Attributes
    ----------
    products : tuple of Product
    labels : tuple of str
        Of the equations of the page that it comes from; empty for a model.
    is_derived : bool
        Whether a Lagrangian of the page gives it, which does not tell what acts besides.
    put_in : frozenset of int
        The numbers of the equations of the page that say what letters of it stand for.
    entry : int
        Which one it is of an equation of columns.
    """

    products: tuple[Product, ...]
    labels: tuple[str, ...] = field(default=())
    is_derived: bool = False
    put_in: frozenset[int] = frozenset()
    entry: int = 0

    @cached_property
    def by_place(self) -> dict[MovingPart, list[Product]]:
        """The products of each place."""
        found = defaultdict[MovingPart, list[Product]](list)
        for one in self.products:
            found[one.place].append(one)
        return dict(found)

    @cached_property
    def coordinates(self) -> frozenset[int]:
        """The coordinates in it."""
        powers = {m.coordinate for place in self.by_place for m, _ in place.powers}
        return frozenset(powers | {one for place in self.by_place for one, _ in place.turns})

    @cached_property
    def constants(self) -> frozenset[str]:
        """The constants in it."""
        return frozenset(name for one in self.products for name, _ in one.constants)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters of its constants, whether they are angles or not."""
        return frozenset(name.removeprefix(TURN) for name in self.constants)

    @property
    def factors(self) -> frozenset[str]:
        """The constants that all products are times alike."""
        powers = [frozenset(one.constants) for one in self.products]
        alike = frozenset.intersection(*powers) if powers else frozenset()
        return frozenset(name for name, _ in alike)

    @property
    def is_linear(self) -> bool:
        """Whether it is linear in all that moves."""
        return all(
            not place.turns and sum(power for _, power in place.powers) <= 1
            for place in self.by_place
        )

    def renumbered(self, numbers: Mapping[int, int], flipped: frozenset[int]) -> Row:
        """Return it with other numbers of coordinates, some of which are counted backwards."""
        key = tuple(numbers.items()), flipped
        if key not in self._renumbered:  # every model is tried with the same
            made = []
            for one in self.products:
                place = one.place.renumbered(numbers, flipped)
                quarter = one.quarter + (0 if place.parity(flipped) > 0 else 2)
                made.append(one._replace(place=place, quarter=quarter % 4))
            self._renumbered[key] = Row(tuple(made), self.labels, self.is_derived)
        return self._renumbered[key]

    @cached_property
    def _renumbered(self) -> dict[object, Row]:
        return {}

    def required(self, optional: frozenset[str]) -> Counts:
        """Return where products stand that none of some constants makes zero, and how many."""
        if optional not in self._required:
            counts = {
                place: sum(
                    all(name not in optional for name, _ in one.constants) for one in products
                )
                for place, products in self.by_place.items()
            }
            self._required[optional] = tuple((place, n) for place, n in counts.items() if n)
        return self._required[optional]

    @cached_property
    def _required(self) -> dict[frozenset[str], Counts]:
        return {}


Named = Callable[[sympy.Expr], Moving | str | None]
"""Says of a symbol which coordinate it is, or a rate of one, or the name of a constant."""


def row_of(
    form: Form, named: Named, labels: Iterable[str] = (), *, is_derived: bool = False
) -> Row | None:
    """Return an equation as its products; None where it holds more than these.

    Parameters
    ----------
    form : Form
        Left minus right; denominators are multiplied out.
    named : callable
        Says what a symbol is.
    labels : iterable of str, optional
    is_derived : bool, optional
    """
    cleared = form.ring.cleared(form)
    known: dict[int, tuple[bool, Moving | str]] = {}
    for place in cleared.terms.places():
        what = _what(cleared, place, named)
        if what is None:
            return None
        known[place] = what
    moving = {place for place, (_, what) in known.items() if isinstance(what, Moving)}
    moving_part, powers = cache(partial(_moving_part, known)), cache(partial(_powers, known))
    products = []
    for key, coefficient in cleared.terms.table.items():
        pairs = exponents(key & ~3)
        moves = tuple(pair for pair in pairs if pair[0] in moving)
        others = tuple(pair for pair in pairs if pair[0] not in moving)
        size = Fraction(int(coefficient.numerator), int(coefficient.denominator))
        quarter = ((key & 3) + (2 if size < 0 else 0)) % 4
        products.append(Product(moving_part(moves), powers(others), abs(size), quarter))
    return Row(tuple(products), tuple(dict.fromkeys(labels)), is_derived)


def denominator(ring: Ring, forms: Iterable[Form]) -> Form:
    """Return the symbols by which forms are multiplied so that nothing is divided by one."""
    least: dict[int, int] = {}
    for form in forms:
        for key in form.terms.table:
            for place, power in exponents(key & ~3):
                if ring.generators[place].kind == "factor":
                    least[place] = min(least.get(place, 0), power)
    whole = ring.one
    for place, power in least.items():
        whole = whole * ring.symbol(ring.generators[place].expr) ** -power
    return whole


def sign_of(form: Form) -> Rational:
    """Return the sign of most products of a form; those of sines count by no sign of their own."""
    signs = [1 if value > 0 else -1 for key, value in form.terms.table.items() if not key & 3]
    return QQ(1 if sum(signs) >= 0 else -1)


def _what(form: Form, place: int, named: Named) -> tuple[bool, Moving | str] | None:
    """Return what a generator is, and whether as an angle; None where it is something else."""
    generator = form.ring.generators[place]
    is_angle = generator.kind == "angle"
    is_number = generator.kind == "root" and generator.expr.is_number
    if not is_angle and generator.kind != "factor" and not is_number:
        return None
    atom = form.ring.expression(generator.arguments[0]) if is_angle else generator.expr
    what = named(atom)
    if what is None or (is_angle and isinstance(what, Moving) and what.dots):
        return None
    return is_angle, what


def _moving_part(known: Mapping[int, Any], pairs: Exponents) -> MovingPart:
    powers: dict[Moving, int] = {}
    turns: dict[int, Fraction | int] = {}
    for place, power in pairs:
        is_angle, what = known[place]
        if is_angle:
            whole, rest = divmod(power, PARTS)  # integers are hashed faster
            turns[what.coordinate] = Fraction(power, PARTS) if rest else whole
        else:
            powers[what] = power
    return MovingPart(tuple(sorted(powers.items())), tuple(sorted(turns.items())))


def _powers(known: Mapping[int, Any], pairs: Exponents) -> Powers:
    named = ((known[place], power) for place, power in pairs)
    return tuple(sorted((TURN + what if is_angle else what, n) for (is_angle, what), n in named))
