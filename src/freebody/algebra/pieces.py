"""Absolute values and maxima of what moves, written by a sign, whose derivative is known.

Coordinates are real. sympy takes functions of time for complex: the derivative of ``Abs(q)`` would
have the real part of q in it, and that of ``Max(0, q)`` a pulse.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import sympy


class sign(sympy.Function):  # noqa: N801 - it prints as what people write
    """The sign of what is real, of which nothing but its value at zero is left out.

    Examples
    --------
    >>> from sympy.abc import q
    >>> sign(q) ** 2, sign(-q), sign(q).diff(q)
    (1, -sign(q), 0)
    """

    @classmethod
    def eval(cls, x: Any) -> Any:
        """Return what the sign of a number is, or minus that of the opposite."""
        if x.is_number and x.is_comparable:
            return sympy.S.One if x > 0 else -sympy.S.One if x < 0 else sympy.S.Zero
        return -cls(-x) if x.could_extract_minus_sign() else None

    def fdiff(self, _: int = 1) -> Any:
        """Return its derivative: none."""
        return sympy.S.Zero

    def _eval_is_real(self) -> bool:
        return True

    def _eval_power(self, power: Any) -> Any:
        if not power.is_Integer:
            return None
        return sympy.S.One if power.is_even else self


def in_pieces(expr: Any) -> Any:
    """Return an expression of real quantities with signs in place of what else has a corner.

    Examples
    --------
    >>> from sympy.abc import q
    >>> in_pieces(sympy.Max(0, q) ** 3)
    q**3*(sign(q)/2 + 1/2)
    >>> in_pieces(sympy.sqrt(q**2)).diff(q)
    sign(q)
    """
    if not getattr(expr, "args", ()):
        return expr
    parts = [in_pieces(part) for part in expr.args]
    match expr:
        case sympy.Abs() | sympy.sign():
            return sign(*parts) * (parts[0] if isinstance(expr, sympy.Abs) else 1)
        case sympy.Max():
            return reduce(_larger, parts)
        case sympy.Min():
            return -reduce(_larger, [-part for part in parts])
        case sympy.Pow() if _is_clipped(*expr.args):
            (inside,) = (in_pieces(part) for part in expr.base.args if part != 0)
            on = inside if isinstance(expr.base, sympy.Max) else -inside
            return _on(on) * (inside if expr.exp.is_Integer else on * sign(on)) ** expr.exp
        case sympy.Pow() if _is_size(*parts):
            inside = parts[0].base
            return (inside * sign(inside)) ** (parts[0].exp * parts[1])
    return expr.func(*parts) if tuple(parts) != expr.args else expr


def _larger(x: Any, y: Any) -> Any:
    """Return the larger of two."""
    return y + (x - y) * _on(x - y)


def _on(x: Any) -> Any:
    """Return one where something is positive, and zero where it is negative."""
    return (1 + sign(x)) / 2


def _is_clipped(base: Any, power: Any) -> bool:
    """Return whether a power is one of ``Max(x, 0)``, or a whole one of ``Min(x, 0)``."""
    clipped = isinstance(base, sympy.Max | sympy.Min) and len(base.args) == 2 and 0 in base.args
    real = power.is_Integer or (power.is_Rational and isinstance(base, sympy.Max))
    return bool(clipped and real and power.is_positive)


def _is_size(base: Any, power: Any) -> bool:
    """Return whether a power is one of an absolute value, as the root of a square is."""
    even = base.is_Pow and base.exp.is_Integer and base.exp.is_even
    return bool(even and power.is_Rational and not power.is_Integer)
