"""Forms cut behind an order in some small symbols: exact power series about zero."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cached_property

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.forms import Form, Generator
from freebody.algebra.ring import PARTS, Ring
from freebody.algebra.substitution import touched
from freebody.algebra.terms import Rational, Terms, exponent
from freebody.errors import FreebodyError


class SeriesError(FreebodyError):
    """An expression that has no power series where its small symbols are zero."""


def truncated(form: Form, small: Collection[sympy.Expr], order: int) -> Form:
    """Return the terms of a form up to an order in small symbols.

    Cosines and sines of small angles, quotients, roots and other functions are expanded about
    zero. A power of a small symbol in a denominator counts as a negative order.

    Parameters
    ----------
    form : Form
    small : collection of sympy.Expr
        Symbols, functions of time and derivatives, each of first order.
    order : int
        The highest order that is kept.

    Raises
    ------
    SeriesError
        If there is no series about zero.

    Examples
    --------
    >>> from sympy import cos, sin, symbols
    >>> x, y, ring = symbols("x"), symbols("y"), Ring()
    >>> ring.expression(truncated(ring.form(sin(y + x) / cos(x)), [x], 1))
    x*cos(y) + sin(y)
    """
    return _Series(form.ring, small, order).of(form)


class _Series:
    """What becomes of the generators of a ring up to an order."""

    def __init__(self, ring: Ring, small: Collection[sympy.Expr], order: int) -> None:
        self.ring = ring
        self.small = tuple(small)
        self.order = order
        self._touched = touched(ring, small)
        self._powers: dict[tuple[int, int], Form] = {}

    @cached_property
    def _places(self) -> tuple[int, ...]:
        return tuple(map(self.ring.place_of, self.small))

    def of(self, form: Form) -> Form:
        """Return the terms of a form up to the order."""
        inside = tuple(
            place
            for place in sorted(form.terms.places())
            if self.ring.generators[place].kind != "factor" and self._touched(place)
        )
        lowest = min(map(self._degree, form.terms.table), default=0) if inside else 0
        if lowest < 0:
            higher = _Series(self.ring, self.small, self.order - lowest)
            return self._cut(higher._expanded(form, inside))
        return self._expanded(form, inside)

    def _expanded(self, form: Form, inside: tuple[int, ...]) -> Form:
        if not inside:
            return self._cut(form)
        parts = []
        for powers, terms in form.terms.by_powers(inside).items():
            part = self._cut(Form(self.ring, terms))
            for place, power in zip(inside, powers, strict=True):
                part = self._times(part, self._power(place, power)) if power else part
            parts.append(part)
        return self.ring.sum(parts)

    # ------------------------------------------------------------------ orders

    def _degree(self, key: int) -> int:
        return sum(exponent(key, place) for place in self._places)

    def _cut(self, form: Form) -> Form:
        table = form.terms.table
        kept = {key: value for key, value in table.items() if self._degree(key) <= self.order}
        return Form(self.ring, Terms(kept, form.terms.degree))

    def _times(self, a: Form, b: Form) -> Form:
        return self._cut(a * b)

    def _apart(self, form: Form, what: sympy.Expr) -> tuple[Form, Form]:
        """Split a form into its value at zero and what is small of it."""
        still: dict[int, Rational] = {}
        moving: dict[int, Rational] = {}
        for key, value in form.terms.table.items():
            degree = self._degree(key)
            if degree < 0:
                raise SeriesError(f"{what} has no power series in {self._small_in_words}")
            (moving if degree else still)[key] = value
        degree = form.terms.degree
        return Form(self.ring, Terms(still, degree)), Form(self.ring, Terms(moving, degree))

    @property
    def _small_in_words(self) -> str:
        return ", ".join(map(str, self.small))

    # ------------------------------------------------------------------ generators

    def _power(self, place: int, power: int) -> Form:
        if (place, power) not in self._powers:
            self._powers[place, power] = self._raised(self.ring.generators[place], power)
        return self._powers[place, power]

    def _raised(self, generator: Generator, power: int) -> Form:
        if generator.kind == "function":
            once = self._function(generator)
            return self._binomial(*self._apart(once, generator.expr), QQ(power), generator.expr)
        still, moving = self._apart(self.of(generator.arguments[0]), generator.expr)
        match generator.kind:
            case "angle":
                x = (self.ring.imaginary * moving).scaled(QQ(power, PARTS))
                return self._summed(x, [QQ(1, math.factorial(j)) for j in range(self.order + 1)])
            case "reciprocal":
                return self._binomial(still, moving, QQ(-power), generator.expr)
        return self._binomial(still, moving, QQ(power, 2), generator.expr)

    def _binomial(self, still: Form, moving: Form, power: Rational, what: sympy.Expr) -> Form:
        """Return a power of a sum whose second part is small."""
        if not still:
            if power.denominator != 1 or power < 0:
                raise SeriesError(f"{what} has no power series in {self._small_in_words}")
            return self._cut(moving ** int(power))
        factors, factor = [], QQ(1)
        for j in range(self.order + 1):
            factors.append(factor)
            factor = factor * (power - j) / (j + 1)
        root = still if power.denominator == 1 else self.ring.sqrt(still)
        return self._times(root ** int(power.numerator), self._summed(moving / still, factors))

    def _summed(self, x: Form, factors: list[Rational]) -> Form:
        """Return a power series of what is small."""
        total, power = self.ring.zero, self.ring.one
        for factor in factors:
            total = total + power.scaled(factor)
            power = self._times(power, x)
        return self._cut(total)

    def _function(self, generator: Generator) -> Form:
        """Return Taylor's series of a function of several arguments."""
        ring, e = self.ring, sympy.Dummy(real=True)
        lines, values, steps = [], {}, {}
        for argument in generator.arguments:
            start, step = sympy.Dummy(real=True), sympy.Dummy(real=True)
            still, moving = self._apart(self.of(argument), generator.expr)
            values[start], steps[step] = ring.expression(still), moving
            lines.append(start + e * step if moving else start)
        called, total = generator.expr.func(*lines), ring.zero
        for j in range(self.order + 1):
            slope = called.xreplace({e: sympy.S.Zero}).xreplace(values)
            if slope.has(sympy.nan, sympy.zoo, sympy.oo, sympy.Derivative, sympy.Subs):
                raise SeriesError(f"{generator.expr} has no power series in {self._small_in_words}")
            part = ring.substitute(ring.form(slope), steps)
            total = total + part.scaled(QQ(1, math.factorial(j)))
            called = called.diff(e)
        return self._cut(total)
