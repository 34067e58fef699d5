"""Term tables: trigonometric polynomials in their unique normal form.

A cosine is written as ``(z + 1/z) / 2`` and a sine as ``-i (z - 1/z) / 2`` with ``z`` the
exponential of the angle. What is left is a Laurent polynomial over the rational numbers in the
symbols, the exponentials and ``i`` with ``i**2 = -1``: two expressions are equal if and only if
their tables are.

A table maps the exponents of a term to its rational coefficient. All exponents of a term are
packed into one integer, so that two terms are multiplied by one addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import gcd, lcm
from typing import Any

from sympy.polys.domains import QQ

from freebody.errors import NoValueError

FIELD = 16
"""Bits of one exponent in a packed key; the two lowest bits of the key are the power of i."""
HALF = 1 << (FIELD - 1)
MASK = (1 << FIELD) - 1
I_KEY = 1
MAX_DEGREE = HALF // 16
MAX_PRODUCTS = 4_000_000
MAX_QUOTIENT = 4
"""Terms of a quotient, for each of the dividend, after which a division is given up."""

Rational = Any
"""An element of sympy's ``QQ``: a gmpy2 ``mpq`` where gmpy2 is installed."""


class TooLargeError(NoValueError):
    """An expression whose term table would be too large to be worked out."""


def unit_key(place: int) -> int:
    """Return the key of the term that is one generator."""
    return 1 << (FIELD * place + 2)


def exponent(key: int, place: int) -> int:
    """Return the exponent of one generator in a key."""
    shifted = (key + _bias(place)) >> (FIELD * place + 2)
    return (shifted & MASK) - HALF


@lru_cache(maxsize=1 << 16)
def exponents(key: int) -> tuple[tuple[int, int], ...]:
    """Return the ``(place, exponent)`` pairs of a key whose exponent is not zero."""
    found, rest, place = [], key >> 2, 0
    while rest:
        empty = ((rest & -rest).bit_length() - 1) // FIELD
        rest, place = rest >> FIELD * empty, place + empty
        power = ((rest + HALF) & MASK) - HALF
        found.append((place, power))
        rest = (rest - power) >> FIELD
        place += 1
    return tuple(found)


_BIASES = [HALF << 2]


def _bias(place: int) -> int:
    """Return half a range in every field up to a place: it makes negative exponents readable."""
    while len(_BIASES) <= place:
        _BIASES.append(_BIASES[-1] | HALF << (FIELD * len(_BIASES) + 2))
    return _BIASES[place]


class Terms:
    """A term table: exponents of each term, packed, to its rational coefficient.

    Parameters
    ----------
    table : dict of int to rational
        Without zero coefficients.
    degree : int
        A bound on the magnitude of every exponent, which keeps the packed fields apart.
    """

    __slots__ = ("_hash", "_places", "degree", "table")

    def __init__(self, table: dict[int, Rational], degree: int = 0) -> None:
        self.table = table
        self.degree = degree
        self._places: frozenset[int] | None = None
        self._hash: int | None = None

    @classmethod
    def constant(cls, value: Rational) -> Terms:
        """Return the table of a rational number."""
        value = QQ.convert(value)
        return cls({0: value} if value else {})

    def __bool__(self) -> bool:
        return bool(self.table)

    def __len__(self) -> int:
        return len(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self.table == other.table

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.table.items()))
        return self._hash

    def __neg__(self) -> Terms:
        return Terms({key: -value for key, value in self.table.items()}, self.degree)

    def __add__(self, other: Terms) -> Terms:
        return total((self, other))

    def __sub__(self, other: Terms) -> Terms:
        return total((self, -other))

    def __mul__(self, other: Terms) -> Terms:
        few, many = sorted((self.table, other.table), key=len)
        degree = self._degree_of_product(other)
        if self is other:
            return Terms(_squared(self.table), degree)
        out: dict[int, Rational] = {}
        found = out.get
        for left, x in few.items():
            for right, y in many.items():
                key, value = left + right, x * y
                if key & 2:
                    key, value = key - 2, -value
                out[key] = found(key, 0) + value
        return Terms({key: value for key, value in out.items() if value}, degree)

    def _degree_of_product(self, other: Terms) -> int:
        """Return a bound on the exponents of a product, or refuse it."""
        degree = self.degree + other.degree
        if degree > MAX_DEGREE:
            degree = self.tightened() + other.tightened()
        if len(self.table) * len(other.table) > MAX_PRODUCTS or degree > MAX_DEGREE:
            few, many = sorted((len(self.table), len(other.table)))
            raise TooLargeError(
                f"a product of {few} by {many} terms of degree {degree} is too large"
            )
        return degree

    def tightened(self) -> int:
        """Return the degree, worked out anew: bounds of products grow faster than it does."""
        powers = (power for key in self.table for _, power in exponents(key & ~3))
        self.degree = max(map(abs, powers), default=0)
        return self.degree

    def __pow__(self, power: int) -> Terms:
        if self.degree * power > MAX_DEGREE and self.tightened() * power > MAX_DEGREE:
            raise TooLargeError(f"a power of degree {self.degree * power} is too large")
        out, square = Terms.constant(1), self
        while power:
            if power & 1:
                out = out * square
            power >>= 1
            square = square * square if power else square
        return out

    def scaled(self, factor: Rational) -> Terms:
        """Return the table times a rational number."""
        return Terms({key: value * factor for key, value in self.table.items()}, self.degree)

    @property
    def content(self) -> Rational:
        """The largest number, a fraction perhaps, of which all coefficients are multiples."""
        above = gcd(*(int(value.numerator) for value in self.table.values()))
        below = lcm(*(int(value.denominator) for value in self.table.values()))
        return QQ(above, below)

    def inverse(self) -> Terms:
        """Return one over a table of a single term."""
        ((key, value),) = self.table.items()
        if key & 1:
            return Terms({2 - key: -1 / value}, self.degree)
        return Terms({-key: 1 / value}, self.degree)

    def divided(self, other: Terms) -> Terms | None:
        """Return the exact quotient by another table, if there is one.

        Packed keys are ordered as their products are, so the largest key of a product is the
        product of the largest ones: the usual long division.
        """
        divisor = _complex(other.table)
        lead = max(divisor)
        rest = _complex(self.table)
        lowest = min(rest) - min(divisor)
        quotient: dict[int, Rational] = {}
        waiting = [-key for key in rest]
        heapify(waiting)
        for _ in range(MAX_QUOTIENT * len(rest)):
            while waiting and -waiting[0] not in rest:
                heappop(waiting)
            if not waiting:
                return Terms(quotient, self.degree + other.degree)
            key = -waiting[0] - lead
            if key < lowest:
                return None
            factor = _over(rest[-waiting[0]], divisor[lead])
            quotient |= {key | i: part for i, part in enumerate(factor) if part}
            for place, value in divisor.items():
                _subtract(rest, key + place, factor, value, waiting)
        return None

    def highest(self, place: int) -> int:
        """Return the highest power of one generator."""
        bias, field = _bias(place), MASK * unit_key(place)
        most = max(((key + bias) & field for key in self.table), default=HALF * unit_key(place))
        return most // unit_key(place) - HALF

    def by_power(self, place: int) -> dict[int, Terms]:
        """Split by the power of one generator, which is divided out."""
        return {powers[0]: table for powers, table in self.by_powers((place,)).items()}

    def by_powers(self, places: tuple[int, ...]) -> dict[tuple[int, ...], Terms]:
        """Split by the powers of some generators, which are divided out."""
        bias = _bias(max(places, default=0))
        fields = sum(MASK * unit_key(place) for place in set(places))
        none = bias & fields
        parts: dict[int, dict[int, Rational]] = {}
        for key, value in self.table.items():
            powers = (key + bias) & fields
            parts.setdefault(powers, {})[key - powers + none] = value
        return {
            tuple(exponent(powers - none, place) for place in places): Terms(table, self.degree)
            for powers, table in parts.items()
        }

    def places(self) -> frozenset[int]:
        """Return the places of all generators that occur."""
        if self._places is None:
            self._places = frozenset(self._occurring())
        return self._places

    def _occurring(self) -> Iterator[int]:
        """Iterate over the places with an exponent that is not zero, read from all keys at once."""
        bias = _bias(max(map(int.bit_length, self.table), default=0) // FIELD)
        fields = 0
        for key in self.table:
            fields |= (key + bias) ^ bias
        fields >>= 2
        while fields:
            place = ((fields & -fields).bit_length() - 1) // FIELD
            yield place
            fields &= ~(MASK << FIELD * place)


def _squared(table: dict[int, Rational]) -> dict[int, Rational]:
    """Return the square of a table: each product of two different terms is worked out once."""
    out: dict[int, Rational] = {}
    found, terms = out.get, list(table.items())
    for n, (left, x) in enumerate(terms):
        twice = x + x
        for right, y in terms[n:]:
            key, value = left + right, twice * y
            if key & 2:
                key, value = key - 2, -value
            out[key] = found(key, 0) + value
        square = left + left
        out[square & ~2] -= -x * x if square & 2 else x * x
    return {key: value for key, value in out.items() if value}


Complex = tuple[Rational, Rational]


def _complex(table: dict[int, Rational]) -> dict[int, Complex]:
    """Return a table with complex coefficients instead of powers of i."""
    out: dict[int, Complex] = {}
    for key, value in table.items():
        real, imaginary = out.get(key & ~1, (QQ(0), QQ(0)))
        out[key & ~1] = (real, value) if key & 1 else (value, imaginary)
    return out


def _over(x: Complex, y: Complex) -> Complex:
    (a, b), (c, d) = x, y
    size = c * c + d * d
    return (a * c + b * d) / size, (b * c - a * d) / size


def _subtract(
    rest: dict[int, Complex], key: int, factor: Complex, value: Complex, waiting: list[int]
) -> None:
    """Take a product from the entry at a key, and remember the key where it is new."""
    (a, b), (c, d) = factor, value
    if key not in rest:
        heappush(waiting, -key)
    real, imaginary = rest.pop(key, (QQ(0), QQ(0)))
    left = (real - a * c + b * d, imaginary - a * d - b * c)
    if any(left):
        rest[key] = left


def total(tables: Iterable[Terms]) -> Terms:
    """Return the sum of tables."""
    out: dict[int, Rational] = {}
    degree = 0
    for terms in tables:
        degree = max(degree, terms.degree)
        if not out:
            out = dict(terms.table)
            continue
        found = out.get
        for key, value in terms.table.items():
            out[key] = found(key, 0) + value
    return Terms({key: value for key, value in out.items() if value}, degree)


def derivation(terms: Terms, rates: Mapping[int, Terms]) -> Terms:
    """Apply the derivation that is given on each generator.

    Parameters
    ----------
    terms : Terms
        What is differentiated.
    rates : mapping of int to Terms
        The derivative of the generator at each place; absent where it is zero.
    """
    parts: list[Terms] = []
    for place, rate in rates.items():
        unit = unit_key(place)
        field, bias, none = MASK * unit, _bias(place), HALF * unit
        lowered: dict[int, Rational] = {}
        for key, value in terms.table.items():
            power = (key + bias) & field
            if power != none:
                lowered[key - unit] = value * ((power - none) // unit)
        if lowered:
            parts.append(Terms(lowered, terms.degree + 1) * rate)
    return total(parts)
