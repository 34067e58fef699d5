"""How sums, products, powers and functions of sympy are brought to a form of a ring."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sympy
from sympy.polys.domains import QQ

if TYPE_CHECKING:
    from freebody.algebra.forms import Form
    from freebody.algebra.ring import Ring


def _add(ring: Ring, expr: sympy.Add) -> Form:
    return ring.sum(map(ring.form, expr.args))


def _mul(ring: Ring, expr: sympy.Mul) -> Form:
    out = ring.one
    for form in sorted(map(ring.form, expr.args), key=lambda form: len(form.terms)):
        out = out * form
    return out


def _pow(ring: Ring, expr: sympy.Pow) -> Form:
    base, power = expr.args
    if power.is_Integer:
        return ring.form(base) ** int(power)
    if power.is_Rational and power.q == 2:
        return ring.sqrt(ring.form(base)) ** int(power.p)
    return ring.function(sympy.Pow, ring.form(base), ring.form(power))


def _rational(ring: Ring, expr: sympy.Rational) -> Form:
    return ring.number(QQ(int(expr.p), int(expr.q)))


def _float(ring: Ring, expr: sympy.Float) -> Form:
    return ring.form(sympy.Rational(repr(float(expr))))


def _symbol(ring: Ring, expr: sympy.Expr) -> Form:
    return ring.symbol(expr)


def _infinite(_: Ring, __: sympy.Expr) -> Form:
    raise ZeroDivisionError("an expression that has no finite value")


CONVERSIONS: tuple[tuple[Any, Callable[[Ring, Any], Form]], ...] = (
    (sympy.Rational, _rational),
    (sympy.Float, _float),
    (tuple(map(type, (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan))), _infinite),
    ((sympy.Symbol, sympy.core.function.AppliedUndef, sympy.Derivative), _symbol),
    (type(sympy.pi), _symbol),
    (type(sympy.I), lambda ring, _: ring.imaginary),
    (sympy.Add, _add),
    (sympy.Mul, _mul),
    (sympy.Pow, _pow),
    (sympy.cos, lambda ring, expr: ring.cos(ring.form(expr.args[0]))),
    (sympy.sin, lambda ring, expr: ring.sin(ring.form(expr.args[0]))),
    (sympy.tan, lambda ring, e: ring.form(sympy.sin(e.args[0])) / ring.form(sympy.cos(e.args[0]))),
)
"""How each kind of expression is brought to a form; any other is an opaque function."""
