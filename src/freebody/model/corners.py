"""Where an expression has a corner, and whether a motion that follows it would jump there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import mpmath
import sympy

from freebody.algebra.tables import Tabulated

DIGITS = 60
PLACES = [mpmath.mpf(number) / 8 + mpmath.mpf("0.013") for number in range(-32, 33)]
"""Where along a variable a zero is looked for, in SI units."""
TRIES = 3
"""With how many values of the other variables."""
STEPS = (mpmath.mpf(10) ** -12, mpmath.mpf(10) ** -10)
JUMP = mpmath.mpf(10) ** -6
"""What differs on both sides of a corner by less than this part does not jump."""
LARGER = 3
"""What grows by more than this factor, a hundred times as close to a corner, has no bound."""


def corner(expr: Any, known: dict[Any, float | None]) -> str | None:
    """Return what would jump in a motion at a corner of an expression, if anything would.

    Parameters
    ----------
    expr : sympy.Expr
        Of symbols.
    known : dict of sympy.Symbol to float or None
        The constants, with their values as far as they have any.
    """
    turning = list(dict.fromkeys(_turning(expr)))
    if not turning:
        return None
    draws = random.Random(0)  # noqa: S311 - not for secrets
    constants = {symbol: known.get(symbol) or draws.uniform(0.5, 1.5) for symbol in known}
    moving = sorted(expr.free_symbols - constants.keys(), key=str)
    with mpmath.workdps(DIGITS):
        for _ in range(TRIES):
            others = {symbol: draws.uniform(-1, 1) for symbol in moving}
            for symbol in moving:
                line = _Line(symbol, {**constants, **others})
                for message in (line.corner_message(expr, one) for one in turning):
                    if message:
                        return message
    return None


def _turning(expr: Any) -> Iterator[Any]:
    """Iterate over what has a corner where it is zero."""
    for part in sympy.preorder_traversal(expr):
        match part:
            case sympy.Abs() | sympy.sign():
                yield part.args[0]
            case sympy.Max() | sympy.Min():
                yield from (x - y for x, y in combinations(part.args, 2))
            case sympy.Pow() if part.exp.is_Rational and not part.exp.is_Integer:
                yield part.base
            case Tabulated():
                yield from (part.args[0] - place for place in part.corners())


class _Line:
    """A line along a variable, with the others at some values."""

    def __init__(self, symbol: Any, values: dict[Any, float]) -> None:
        self._symbol, self._values = symbol, values

    def corner_message(self, expr: Any, turning: Any) -> str | None:
        for place in self._zeros(turning):
            if problem := self._at(expr, place):
                return problem
        return None

    def _value(self, expr: Any, place: Any) -> Any:
        """Return a value, or none where it is not real."""
        at = {**self._values, self._symbol: sympy.Float(place, DIGITS)}
        value = sympy.sympify(expr, strict=True).evalf(DIGITS, subs=at)
        return mpmath.mpf(value) if value.is_Float or value.is_Rational else None

    def _zeros(self, turning: Any) -> Iterator[Any]:
        if self._symbol not in turning.free_symbols:
            return
        values = [self._value(turning, place) for place in PLACES]
        for (start, first), (end, last) in pairwise(zip(PLACES, values, strict=True)):
            if first is not None and last is not None and first * last < 0:
                yield self._bisected(turning, start, end, first)
        yield from self._touching(turning)

    def _bisected(self, expr: Any, start: Any, end: Any, first: Any) -> Any:
        for _ in range(3 * DIGITS):
            middle = (start + end) / 2
            value = self._value(expr, middle)
            start, end = (
                (middle, end) if value is not None and value * first > 0 else (start, middle)
            )
        return (start + end) / 2

    def _touching(self, turning: Any) -> Iterator[Any]:
        """Iterate over zeros between two places at which the slope changes its sign."""
        slope = turning.diff(self._symbol)
        slopes = [self._value(slope, place) for place in PLACES]
        for (start, first), (end, last) in pairwise(zip(PLACES, slopes, strict=True)):
            if first is not None and last is not None and first * last < 0:
                place = self._bisected(slope, start, end, first)
                value = self._value(turning, place)
                if value is not None and abs(value) < STEPS[0] ** 2:
                    yield place

    def _at(self, expr: Any, place: Any) -> str | None:
        sides = [self._slopes(expr, place, side * step) for step in STEPS for side in (-1, 1)]
        known = [side for side in sides if side is not None]
        if len(known) < len(sides):
            return None  # an end of where it is defined
        before, after, *away = known
        size = 1 + max(abs(part) for side in away for part in side)
        for what, first, last in zip(("position", "velocity"), before, after, strict=False):
            if abs(first - last) > JUMP * size:
                return f"the {what} would jump"
        pairs = zip((before[2], after[2]), (side[2] for side in away), strict=True)
        if all(abs(near) <= LARGER * max(1, abs(far)) for near, far in pairs):
            return None
        return "the acceleration would have no bound"

    def _slopes(self, expr: Any, place: Any, step: Any) -> tuple[Any, Any, Any] | None:
        """Return the value close to a place on one side of it, and two derivatives."""
        values = [self._value(expr, place + number * step) for number in (1, 2, 3)]
        if any(value is None for value in values):
            return None
        first, second, third = values
        return first, (second - first) / step, (third - 2 * second + first) / step**2


# ------------------------------------------------------------------ quantities
