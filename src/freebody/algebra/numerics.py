"""Canonical forms in numbers of high precision, at points that are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath
import sympy

from freebody.algebra.forms import Form, Generator
from freebody.algebra.ring import PARTS, Ring
from freebody.algebra.terms import exponents

REALS = (sympy.core.numbers.NumberSymbol,)
"""Atoms that are numbers, such as pi."""


class Numbers:
    """The values of forms where their symbols have given ones.

    Parameters
    ----------
    given : mapping of sympy.Expr to mpmath.mpf
        The value of each symbol, function of time and derivative.
    context : mpmath.mp or mpmath.fp
        Whether numbers have the digits of mpmath, or those of the machine, which is much faster.

    Examples
    --------
    >>> from freebody.algebra import Ring
    >>> x, ring = sympy.symbols("x"), Ring()
    >>> with mpmath.workdps(20):
    ...     print(mpmath.nstr(Numbers({x: mpmath.pi / 6}).value(ring.form(sympy.sin(x))), 5))
    0.5
    """

    def __init__(self, given: Mapping[sympy.Expr, Any], context: Any = mpmath.mp) -> None:
        self.given, self.context = given, context
        self._known: dict[tuple[int, int], Any] = {}

    def value(self, form: Form) -> Any:
        """Return the real part of the value of a form.

        Raises
        ------
        KeyError
            If one of its symbols has no value.
        ZeroDivisionError
            If it has none.
        """
        return self.context.fsum(self._terms(form))

    def vanishes(self, form: Form, guard: int) -> bool:
        """Return whether the terms of a form cancel to all but some guard digits."""
        terms, context = self._terms(form), self.context
        size = context.fsum(map(abs, terms))
        return bool(abs(context.fsum(terms)) <= size * context.mpf(10) ** (guard - context.dps))

    def _terms(self, form: Form) -> list[Any]:
        context, known, found = self.context, self._known, []
        for key, coefficient in form.terms.table.items():
            value = context.mpf(int(coefficient.numerator)) / int(coefficient.denominator)
            if key & 1:
                value = value * context.j
            for factor in exponents(key & ~3):
                if factor not in known:
                    known[factor] = self._power(form.ring, *factor)
                value = value * known[factor]
            found.append(context.re(value))
        return found

    def _power(self, ring: Ring, place: int, power: int) -> Any:
        if (place, 1) not in self._known:
            self._known[place, 1] = self._generator(ring.generators[place])
        return self._known[place, 1] ** power

    def _generator(self, generator: Generator) -> Any:
        context = self.context
        if generator.kind == "factor":
            if isinstance(generator.expr, REALS):
                digits = sympy.N(generator.expr, mpmath.mp.dps)
                return context.mpf(digits._to_mpmath(mpmath.mp.prec))
            return context.mpf(self.given[generator.expr])
        arguments = list(map(self.value, generator.arguments))
        match generator.kind:
            case "angle":
                return context.expj(arguments[0] / PARTS)
            case "reciprocal":
                return 1 / arguments[0]
            case "root":
                return context.sqrt(arguments[0])
        names = sympy.symbols(f"x:{len(arguments)}", cls=sympy.Dummy)
        called = sympy.lambdify(names, generator.expr.func(*names), "mpmath")
        return context.convert(called(*arguments))
