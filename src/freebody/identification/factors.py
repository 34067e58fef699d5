"""Forces taken apart: products of constants that they are linear in, and what each is times."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb

import sympy

Parts = dict[sympy.Expr, sympy.Expr]
"""A sum: by products of constants, what each is times; what has no constant is by one."""

ONE = sympy.S.One
HIGHEST = 4
"""Up to which power a sum of constants is multiplied out."""
MOST = 64
"""Up to how many products a sum is multiplied out."""


@dataclass(frozen=True)
class Factors:
    """Reads expressions as sums of products of constants times what moves.

    Attributes
    ----------
    constants : collection of sympy.Symbol
        What may be a factor; all else moves or is known.
    positive : collection of sympy.Symbol
        Those of them that are known to be positive.

    Examples
    --------
    >>> k, q0, q, w = sympy.symbols("k q0 q w")
    >>> factors = Factors({k, q0}, {k})
    >>> factors.parts(k * (q - q0))
    {k: q, k*q0: -1}
    >>> factors.parts(sympy.Max(k * q, 0) + sympy.tanh(q / w))
    {k: Max(0, q), 1: tanh(q/w)}
    """

    constants: Collection[sympy.Symbol]
    positive: Collection[sympy.Symbol]

    def parts(self, expr: sympy.Expr) -> Parts:
        """Return the parts of an expression."""
        if not expr.free_symbols & set(self.constants):
            return {ONE: expr} if expr != 0 else {}
        if expr.is_Symbol:
            return {expr: ONE}
        if expr.is_Add:
            return _sum(map(self.parts, expr.args))
        if expr.is_Mul:
            return self._product(expr)
        if expr.is_Pow:
            return self._power(expr)
        if isinstance(expr, sympy.Piecewise):
            return self._choice(expr)
        if isinstance(expr, sympy.Max | sympy.Min):
            return self._extreme(expr)
        return {ONE: expr}

    def _product(self, expr: sympy.Expr) -> Parts:
        factors = [self.parts(part) for part in expr.args]
        if reduce(lambda count, one: count * len(one), factors, 1) > MOST:
            return {ONE: expr}
        return reduce(_times, factors, {ONE: ONE})

    def _power(self, expr: sympy.Expr) -> Parts:
        base, power = expr.args
        parts = self.parts(base)
        if not power.is_number:
            return {ONE: expr}
        if len(parts) == 1:
            ((monomial, rest),) = parts.items()
            if monomial != ONE and (power.is_Integer or self._is_positive(monomial)):
                return {monomial**power: rest**power}
        many = comb(len(parts) + HIGHEST - 1, HIGHEST) > MOST
        if power.is_Integer and 1 < power <= HIGHEST and not many:
            return reduce(_times, [parts] * int(power), {ONE: ONE})
        return {ONE: expr}

    def _choice(self, expr: sympy.Piecewise) -> Parts:
        """Return a choice between values as a sum of choices: it is linear in the values."""
        branches = [(self.parts(value), condition) for value, condition in expr.args]
        monomials = dict.fromkeys(monomial for parts, _ in branches for monomial in parts)
        return {
            monomial: sympy.Piecewise(*((parts.get(monomial, 0), c) for parts, c in branches))
            for monomial in monomials
        }

    def _extreme(self, expr: sympy.Expr) -> Parts:
        """Return the larger of some values, what is positive and common to all before it."""
        values = [self.parts(value) for value in expr.args]
        common = self._common([monomial for parts in values for monomial in parts])
        if common == ONE:
            return {ONE: expr}
        rest = (
            sympy.Add(*(monomial / common * one for monomial, one in parts.items()))
            for parts in values
        )
        return {common: expr.func(*rest)}

    def _common(self, monomials: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return the positive constants, each once, that all of some products have."""
        shared = set.intersection(*(set(one.free_symbols) for one in monomials))
        whole = [
            symbol
            for symbol in sorted(shared & set(self.positive), key=str)
            if all(one.as_powers_dict()[symbol] >= 1 for one in monomials)
        ]
        return sympy.Mul(*whole)

    def _is_positive(self, monomial: sympy.Expr) -> bool:
        return bool(monomial.free_symbols <= set(self.positive))


def substituted(expr: sympy.Expr, laws: dict[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    """Return an expression with the laws of forces in place of their symbols."""
    before = None
    while expr != before:
        before, expr = expr, expr.xreplace(laws)
    return expr


def _sum(many: Iterable[Parts]) -> Parts:
    total: Parts = {}
    for parts in many:
        for monomial, rest in parts.items():
            total[monomial] = total.get(monomial, sympy.S.Zero) + rest
    return {monomial: rest for monomial, rest in total.items() if rest != 0}


def _times(one: Parts, other: Parts) -> Parts:
    product: Callable[[sympy.Expr, sympy.Expr], Parts] = lambda a, b: {a * b: one[a] * other[b]}  # noqa: E731
    return _sum(product(a, b) for a in one for b in other)
