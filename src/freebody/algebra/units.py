"""Coherent SI units, and whether an expression is one physical quantity.

Values are in kg, m, s, rad and what is made of them without factors, so that a unit is nothing but
a dimension: no number is ever converted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy

from freebody.algebra.expressions import lookup, read
from freebody.errors import ExpressionError, FreebodyError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class DimensionError(FreebodyError):
    """An expression that adds or compares quantities of different dimensions."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """Exponents of the base units; an angle has none.

    Examples
    --------
    >>> str(Dimension(kg=Fraction(1), m=Fraction(2), s=Fraction(-2)))
    'kg*m**2/s**2'
    """

    kg: Fraction = Fraction(0)
    m: Fraction = Fraction(0)
    s: Fraction = Fraction(0)

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(self.kg + other.kg, self.m + other.m, self.s + other.s)

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other**-1

    def __pow__(self, power: int | Fraction) -> Dimension:
        return Dimension(self.kg * power, self.m * power, self.s * power)

    def __str__(self) -> str:
        powers = {field.name: getattr(self, field.name) for field in fields(self)}
        above = "*".join(_power(name, power) for name, power in powers.items() if power > 0)
        below = "".join(f"/{_power(name, -power)}" for name, power in powers.items() if power < 0)
        return (above or "1") + below


def _is(found: Dimension) -> str:
    return "is a pure number" if found == NUMBER else f"is in {found}"


def _power(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}**{power}" if power.denominator == 1 else f"{name}**({power})"


NUMBER = Dimension()
KG, M, S = (Dimension(**{name: Fraction(1)}) for name in ("kg", "m", "s"))
N = KG * M / S**2

UNITS: Mapping[str, Dimension] = {
    "kg": KG,
    "m": M,
    "s": S,
    "rad": NUMBER,
    "N": N,
    "J": N * M,
    "W": N * M / S,
    "Hz": NUMBER / S,
    "Pa": N / M**2,
}
INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("deg", "degree", "degrees", "°", "rev"), "rad"),
    **dict.fromkeys(("mm", "cm", "dm", "km", "in", "ft"), "m"),
    **dict.fromkeys(("g", "lb", "t"), "kg"),
    **dict.fromkeys(("ms", "min", "h"), "s"),
    **dict.fromkeys(("mN", "kN", "kgf", "lbf"), "N"),
    **dict.fromkeys(("Nm", "Ncm", "N.m"), "N*m"),
    "rpm": "rad/s",
    "kPa": "Pa",
    "kJ": "J",
}
_SYMBOLS = {name: sympy.Symbol(name) for name in UNITS}


@lru_cache(maxsize=1024)
def dimension(unit: str) -> Dimension:
    """Return the dimension of a coherent SI unit.

    Parameters
    ----------
    unit : str
        A product, quotient or power of kg, m, s, rad, N, J, W, Hz and Pa; ``"1"`` for a number.

    Raises
    ------
    ExpressionError
        For any other unit, with the one to use instead where it is known.

    Examples
    --------
    >>> str(dimension("N*m")), str(dimension("m/s^2")), str(dimension("rad"))
    ('kg*m**2/s**2', 'm/s**2', '1')
    """
    try:
        powers = read(unit, lookup(_SYMBOLS)).as_powers_dict()
    except ExpressionError:
        raise _unknown(unit) from None
    powers.pop(sympy.Integer(1), None)
    if not powers.keys() <= set(_SYMBOLS.values()):
        raise _unknown(unit)
    parts = (UNITS[str(symbol)] ** _fraction(power) for symbol, power in powers.items())
    return math.prod(parts, start=NUMBER)


def _unknown(unit: str) -> ExpressionError:
    hint = f"; use '{INSTEAD[unit]}'" if unit in INSTEAD else nearest(unit, UNITS)
    return ExpressionError(
        f"expected a coherent SI unit (1, {', '.join(UNITS)} and their products, quotients and "
        f"powers), in which the values are given, found '{unit}'{hint}"
    )


def _fraction(power: Any) -> Fraction:
    return Fraction(int(power.p), int(power.q))


def dimension_of(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    """Return the dimension of an expression.

    Parameters
    ----------
    expr : sympy.Expr
    dimensions : mapping of sympy.Basic to Dimension
        Of every symbol, function of time and derivative in the expression.

    Raises
    ------
    DimensionError
        Where terms of different dimensions are added or compared, or where a function or an
        exponent takes something that is not a pure number.

    Examples
    --------
    >>> m, d = sympy.symbols("m d")
    >>> str(dimension_of(m * d**2 / 3, {m: KG, d: M}))
    'kg*m**2'
    >>> dimension_of(m + d, {m: KG, d: M})
    Traceback (most recent call last):
    freebody.algebra.units.DimensionError: 'd' is in m, but 'm', which goes with it, is in kg
    """
    if expr in dimensions:
        return dimensions[expr]
    if hasattr(expr, "units"):
        return _of_table(expr, dimensions)
    if expr.is_number:
        return NUMBER
    rule = next((rule for kind, rule in _RULES.items() if isinstance(expr, kind)), _of_function)
    return rule(expr, dimensions)


def is_of_one_dimension(expr: Any, dimensions: Mapping[Any, Dimension]) -> bool:
    """Return whether an expression has a dimension, so that nothing unlike is added in it.

    Parameters
    ----------
    expr : sympy.Expr
    dimensions : mapping of sympy.Basic to Dimension
        Of every symbol, function of time and derivative in the expression.
    """
    try:
        dimension_of(expr, dimensions)
    except DimensionError:
        return False
    return True


def _of_product(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    return math.prod((dimension_of(factor, dimensions) for factor in expr.args), start=NUMBER)


def _of_power(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    if expr.exp.is_Rational:
        return dimension_of(expr.base, dimensions) ** _fraction(expr.exp)
    return _of_function(expr, dimensions)


def _of_terms(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    first, *others = (term for term in expr.args if not term.is_zero)
    found = dimension_of(first, dimensions)
    for term in others:
        other = dimension_of(term, dimensions)
        if other != found:
            words = f"'{first}' {_is(found)}, but '{term}', which goes with it, {_is(other)}"
            raise DimensionError(words)
    return found


def _of_function(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    for argument in expr.args:
        found = dimension_of(argument, dimensions)
        if found != NUMBER:
            name = type(expr).__name__
            raise DimensionError(f"{name} takes a pure number, but '{argument}' {_is(found)}")
    return NUMBER


def _of_table(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    expected, value = expr.units
    found = dimension_of(expr.args[0], dimensions)
    if found != expected:
        wanted = "a pure number" if expected == NUMBER else f"what is in {expected}"
        raise DimensionError(f"{expr.func} takes {wanted}, but '{expr.args[0]}' {_is(found)}")
    return value


def _of_ratio(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    _of_terms(expr, dimensions)
    return NUMBER


def _of_size(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    return dimension_of(expr.args[0], dimensions)


def _of_sign(expr: Any, dimensions: Mapping[Any, Dimension]) -> Dimension:
    _of_size(expr, dimensions)
    return NUMBER


_RULES: Mapping[Any, Callable[[Any, Mapping[Any, Dimension]], Dimension]] = {
    sympy.Mul: _of_product,
    sympy.Pow: _of_power,
    (sympy.Add, sympy.Max, sympy.Min): _of_terms,
    sympy.atan2: _of_ratio,
    sympy.Abs: _of_size,
    sympy.sign: _of_sign,
}
