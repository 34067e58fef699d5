"""Forms read back, term by term: rational x monomial x cosine or sine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.terms import Rational, exponents, unit_key

if TYPE_CHECKING:
    from freebody.algebra.forms import Form
    from freebody.algebra.ring import Ring


@dataclass(frozen=True, slots=True)
class Term:
    """One product of the canonical form.

    Attributes
    ----------
    coefficient : sympy.Rational
        The number in front.
    factors : tuple of (sympy.Expr, int)
        Symbols and functions of time with their exponents, in the order of the ring.
    function : {"", "cos", "sin", "I", "I*cos", "I*sin"}
        What is taken of the angle; none where the term has no angle.
    angle : sympy.Expr
        A rational combination of angles, the first with a positive sign; zero without function.
    """

    coefficient: sympy.Rational
    factors: tuple[tuple[sympy.Expr, int], ...]
    function: Literal["", "cos", "sin", "I", "I*cos", "I*sin"]
    angle: sympy.Expr

    @property
    def product(self) -> sympy.Expr:
        """The term without its coefficient."""
        out = sympy.Mul(*(atom**power for atom, power in self.factors))
        for name in filter(None, self.function.split("*")):
            out *= (
                {"cos": sympy.cos, "sin": sympy.sin}[name](self.angle) if name != "I" else sympy.I
            )
        return out

    @property
    def expr(self) -> sympy.Expr:
        """The whole term."""
        return self.coefficient * self.product


def read_terms(form: Form) -> list[Term]:
    """Return the terms of a form with exponentials put together to cosines and sines."""
    ring = form.ring
    real: dict[tuple[int, int, str], Rational] = {}
    for key, value in form.terms.table.items():
        monomial, angle = _split(ring, key & ~3)
        sign = 1 if angle >= 0 else -1
        imaginary = bool(key & 1)
        place = (monomial, abs(angle))
        if not angle:
            _collect(real, (*place, "I" if imaginary else ""), value)
        elif imaginary:
            _collect(real, (*place, "I*cos"), value)
            _collect(real, (*place, "sin"), -sign * value)
        else:
            _collect(real, (*place, "cos"), value)
            _collect(real, (*place, "I*sin"), sign * value)
    return [_term(ring, *key, value) for key, value in real.items() if value]


def _collect(
    table: dict[tuple[int, int, str], Rational], key: tuple[int, int, str], x: Rational
) -> None:
    table[key] = table.get(key, QQ(0)) + x


def _split(ring: Ring, key: int) -> tuple[int, int]:
    """Split a key into the part of the symbols and the part of the angles.

    A sum of angles and its opposite differ in the sign of the second part, since the exponent at
    the highest place decides that sign.
    """
    monomial = angle = 0
    for place, power in exponents(key):
        if ring.generators[place].kind == "angle":
            angle += power * unit_key(place)
        else:
            monomial += power * unit_key(place)
    return monomial, angle


def _term(ring: Ring, monomial: int, angle: int, function: str, value: Rational) -> Term:
    from freebody.algebra.ring import PARTS  # forms read back in turn

    factors = _with_fractions_below_roots(ring, dict(exponents(monomial)))
    whole = sympy.Add(
        *(
            sympy.Rational(power, PARTS) * ring.generators[place].expr
            for place, power in exponents(angle)
        )
    )
    coefficient = sympy.Rational(int(value.numerator), int(value.denominator))
    if whole.could_extract_minus_sign() and function:
        whole = -whole
        coefficient = -coefficient if function.endswith("sin") else coefficient
    return Term(coefficient, factors, function, whole)  # type: ignore[arg-type]


def _with_fractions_below_roots(
    ring: Ring, powers: dict[int, int]
) -> tuple[tuple[sympy.Expr, int], ...]:
    """Return factors with what roots are divided by in them: sqrt(k/m) for sqrt(k*m)/m."""
    roots = dict[int, sympy.Expr]()
    for place, power in powers.items():
        generator = ring.generators[place]
        if generator.kind != "root" or power != 1 or len(generator.arguments[0].terms.table) > 1:
            continue
        (key,) = generator.arguments[0].terms.table
        inside = [one for one, n in exponents(key & ~3) if n == 1 and powers.get(one, 0) < 0]
        square = ring.expression(generator.arguments[0])
        for one in inside:
            square = square / ring.generators[one].expr ** 2
            powers = powers | {one: powers[one] + 1}
        roots[place] = sympy.sqrt(square)
    return tuple(
        (roots.get(place, ring.generators[place].expr), power)
        for place, power in powers.items()
        if power
    )


def expanded(form: Form) -> sympy.Expr:
    """Return a form as an expanded sympy expression."""
    return sympy.Add(*(term.expr for term in read_terms(form)))
