"""Symbols replaced everywhere in a form, in angles and functions too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.forms import Form, Generator
from freebody.algebra.ring import PARTS, Ring


def substituted(form: Form, values: Mapping[sympy.Expr, Form]) -> Form:
    """Replace symbols by forms, at once and everywhere.

    Parameters
    ----------
    form : Form
    values : mapping of sympy.Expr to Form
        What is put in place of symbols, functions of time and derivatives; no other follows.

    Raises
    ------
    ZeroDivisionError
        If a denominator becomes zero.

    Examples
    --------
    >>> from sympy import cos, pi, sin, symbols
    >>> x, y, ring = symbols("x"), symbols("y"), Ring()
    >>> ring.expression(substituted(ring.form(x * sin(x)), {x: ring.form(pi / 2 - y)}))
    -y*cos(y) + pi*cos(y)/2
    """
    return _Substitution(form.ring, values).of(form)


def atoms(form: Form) -> frozenset[sympy.Expr]:
    """Return the symbols of a form, also those within its functions, but for numbers like pi."""
    found: set[sympy.Expr] = set()
    generators = [form.ring.generators[place] for place in form.terms.places()]
    for one in generators:
        if one.kind == "factor":
            found.add(one.expr)
        found.update(*map(atoms, one.arguments))
    return frozenset(one for one in found if not one.is_number)


def touched(ring: Ring, atoms: Iterable[sympy.Expr]) -> Callable[[int], bool]:
    """Return a function that says whether a generator, by its place, holds one of some atoms."""
    known = frozenset(atoms)

    @cache
    def holds(place: int) -> bool:
        generator = ring.generators[place]
        inside = (at for argument in generator.arguments for at in argument.terms.places())
        if generator.kind == "factor":
            return generator.expr in known
        return any(map(holds, inside))

    return holds


class _Substitution:
    """What becomes of the generators of a ring."""

    def __init__(self, ring: Ring, values: Mapping[sympy.Expr, Form]) -> None:
        self.ring = ring
        self.values = values
        self._touched = touched(ring, values)
        self._powers: dict[tuple[int, int], Form] = {}

    def of(self, form: Form) -> Form:
        """Return a form with the values put in."""
        places = tuple(filter(self._touched, sorted(form.terms.places())))
        if not places:
            return form
        parts = []
        for powers, terms in form.terms.by_powers(places).items():
            part = Form(self.ring, terms)
            for place, power in zip(places, powers, strict=True):
                part = part * self._power(place, power) if power else part
            parts.append(part)
        return self.ring.sum(parts)

    def _power(self, place: int, power: int) -> Form:
        if (place, power) not in self._powers:
            self._powers[place, power] = self._raised(self.ring.generators[place], power)
        return self._powers[place, power]

    def _raised(self, generator: Generator, power: int) -> Form:
        ring = self.ring
        if generator.kind == "factor":
            return self.values[generator.expr] ** power
        arguments = [self.of(argument) for argument in generator.arguments]
        match generator.kind:
            case "angle":
                angle = arguments[0].scaled(QQ(power, PARTS))
                return ring.cos(angle) + ring.imaginary * ring.sin(angle)
            case "reciprocal":
                return arguments[0] ** -power
            case "root":
                return ring.sqrt(arguments[0]) ** power
        called = generator.expr.func(*map(ring.expression, arguments))
        if called.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
            raise ZeroDivisionError(f"{generator.expr} has no value there")
        return ring.form(called) ** power
