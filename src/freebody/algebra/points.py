"""Canonical forms at a random point of a prime field: a quick way to tell that they differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

import sympy

from freebody.algebra.forms import Form
from freebody.algebra.prime import PRIME, root_of_minus_one
from freebody.algebra.ring import Ring
from freebody.algebra.terms import exponents

Key = TypeVar("Key", bound=Hashable)
Worth = TypeVar("Worth")
EVEN = (PRIME - 1) & (1 - PRIME)
"""The largest power of two that divides the order of the field.

Of two numbers ``x`` and ``-x`` one at most is such a power. Generators are, and so are products of
them and the roots that are taken: that of ``x**2 y`` is ``x`` times that of ``y``, as for positive
numbers.
"""


class Point:
    """A random value for each generator of a ring.

    Two forms with different values are different. Two forms with one value are equal but for a
    chance of their degree in `PRIME`, as long as all roots are there.

    Parameters
    ----------
    ring : Ring
    seed : int, optional
        Points of one seed are the same.
    given : mapping of sympy.Expr to Form, optional
        Symbols that are not random, in those that are.

    Attributes
    ----------
    has_all_roots : bool
        Whether all roots that were met since this was last set have a value; where one has none, a
        random one stands in.

    Examples
    --------
    >>> from sympy import cos, sin, symbols
    >>> x, ring = symbols("x"), Ring()
    >>> point = Point(ring)
    >>> point.value(ring.form(sin(x) ** 2)) == point.value(ring.form((1 - cos(2 * x)) / 2))
    True
    """

    def __init__(
        self, ring: Ring, seed: int = 0, given: Mapping[sympy.Expr, Form] | None = None
    ) -> None:
        self.ring = ring
        self.given: Mapping[sympy.Expr, Form] = {} if given is None else given
        self.has_all_roots = True
        self._chance = random.Random(seed)  # noqa: S311 - nothing secret
        self._values: dict[int, int] = {}
        self._roots: dict[int, tuple[int, bool]] = {}
        self._rootless: set[int] = set()
        self._powers: dict[tuple[int, int], int] = {}
        self._imaginary = root_of_minus_one()

    def value(self, form: Form) -> int:
        """Return the value of a form, between 0 and `PRIME`.

        Raises
        ------
        ZeroDivisionError
            If a denominator is zero there.
        """
        total, powers = 0, self._powers
        for key, coefficient in form.terms.table.items():
            value = int(coefficient.numerator)
            if coefficient.denominator != 1:
                value *= pow(int(coefficient.denominator), -1, PRIME)
            if key & 1:
                value *= self._imaginary
            for factor in exponents(key & ~3):
                if factor not in powers:
                    place, power = factor
                    powers[factor] = pow(self._generator(place), power, PRIME)
                value = value * powers[factor] % PRIME
                self.has_all_roots &= factor[0] not in self._rootless
            total += value
        return total % PRIME

    def kept(
        self, known: dict[Key, tuple[Worth, bool]], key: Key, work: Callable[[], Worth]
    ) -> Worth:
        """Work out what is not known yet, and take note of roots that are not there.

        Parameters
        ----------
        known : dict
            What is known at this point, each with whether all its roots have a value.
        key : hashable
        work : callable
        """
        before, self.has_all_roots = self.has_all_roots, True
        if key not in known:
            worth = work()
            known[key] = worth, self.has_all_roots
        worth, is_rooted = known[key]
        self.has_all_roots = before and is_rooted
        return worth

    def _generator(self, place: int) -> int:
        if place not in self._values:
            before, self.has_all_roots = self.has_all_roots, True
            self._values[place] = self._generator_value(place)
            if not self.has_all_roots:
                self._rootless.add(place)
            self.has_all_roots &= before
        return self._values[place]

    def _generator_value(self, place: int) -> int:
        generator = self.ring.generators[place]
        match generator.kind:
            case "reciprocal":
                return self._over(self.value(generator.arguments[0]))
            case "root":
                return self.root(self.value(generator.arguments[0]))
            case "factor" if generator.expr in self.given:
                return self.value(self.given[generator.expr])
        return pow(self._any(), EVEN, PRIME)

    def _over(self, value: int) -> int:
        if not value:
            raise ZeroDivisionError("division by an expression that is zero at a random point")
        return pow(value, -1, PRIME)

    def root(self, square: int) -> int:
        """Return a square root of a value, a random value where it has none."""
        if square not in self._roots:
            found = _root(square)
            self._roots[square] = (self._any(), False) if found is None else (found, True)
        root, is_there = self._roots[square]
        self.has_all_roots &= is_there
        return root

    def _any(self) -> int:
        return self._chance.randrange(1, PRIME)


def _root(square: int) -> int | None:
    """Return a square root, that of the positive numbers where there is one; None without any."""
    root = sympy.sqrt_mod(square, PRIME)
    if root is None:
        return None
    return int(root) if pow(int(root), PRIME // EVEN, PRIME) == 1 else -int(root) % PRIME
