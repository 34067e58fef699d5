"""Expressions in canonical form: term tables over the generators of a ring.

A form that holds roots or opaque functions can be zero without its table being empty, and says so
with `Form.is_decisive`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.terms import (
    Rational,
    Terms,
)

if TYPE_CHECKING:
    from freebody.algebra.ring import Ring


@dataclass(frozen=True)
class Generator:
    """What a place in the packed exponents of a term stands for.

    Attributes
    ----------
    kind : {"factor", "angle", "reciprocal", "root", "function"}
        A symbol; the exponential of one twelfth of an angle; one over a sum; a square root; any
        other function.
    write : callable
        Makes `expr`, when that is asked for.
    arguments : tuple of Form
        The angle, the sum, what stands under the root, the arguments of the function.
    """

    kind: Literal["factor", "angle", "reciprocal", "root", "function"]
    write: Callable[[], sympy.Expr]
    arguments: tuple[Form, ...] = ()

    @cached_property
    def expr(self) -> sympy.Expr:
        """The symbol, the angle, the reciprocal, the root or the function."""
        return self.write()

    @cached_property
    def name(self) -> str:
        """The same written out, by which generators are put in order."""
        return str(self.expr)


@dataclass(frozen=True, eq=False)
class Form:
    """An expression in canonical form, with the arithmetic of its ring.

    Attributes
    ----------
    ring : Ring
        The generators that it is written in.
    terms : Terms
        The table.
    """

    ring: Ring = field(repr=False)
    terms: Terms

    def __bool__(self) -> bool:
        return bool(self.ring.cleared(self).terms)

    @property
    def is_decisive(self) -> bool:
        """Whether a table that is not empty proves that the expression is not zero."""
        doubtful = self.ring.doubtful
        return not doubtful or doubtful.isdisjoint(self.terms.places())

    @property
    def is_number(self) -> bool:
        """Whether it is a rational number."""
        return self.terms.table.keys() <= {0}

    @property
    def number(self) -> Rational:
        """The number that it is."""
        return self.terms.table.get(0, QQ(0))

    @property
    def atoms(self) -> frozenset[sympy.Expr]:
        """What it is made of: symbols, angles, reciprocals, roots and functions."""
        generators = self.ring.generators
        return frozenset(generators[place].expr for place in self.terms.places())

    @property
    def symbols(self) -> frozenset[sympy.Expr]:
        """The symbols, functions of time and derivatives that it is made of."""
        generators = map(self.ring.generators.__getitem__, self.terms.places())
        return frozenset(one.expr for one in generators if one.kind == "factor")

    @property
    def is_polynomial(self) -> bool:
        """Whether it is made of symbols alone, functions of time and derivatives among them."""
        generators = self.ring.generators
        return all(generators[place].kind == "factor" for place in self.terms.places())

    def __neg__(self) -> Form:
        return Form(self.ring, -self.terms)

    def __add__(self, other: Form) -> Form:
        self.ring.spend((len(self.terms) + len(other.terms)) // 2)
        return Form(self.ring, self.terms + other.terms)

    def __sub__(self, other: Form) -> Form:
        return Form(self.ring, self.terms - other.terms)

    def __mul__(self, other: Form) -> Form:
        self.ring.spend(len(self.terms) * len(other.terms))
        return Form(self.ring, self.ring.reduced(self.terms * other.terms))

    def __truediv__(self, other: Form) -> Form:
        return self.ring.quotient(self, other)

    def __pow__(self, power: int) -> Form:
        if power < 0:
            return (self.ring.one / self) ** -power
        return Form(self.ring, self.ring.reduced(self.terms**power))

    def scaled(self, factor: Rational) -> Form:
        """Return the form times a rational number."""
        return Form(self.ring, self.terms.scaled(factor)) if factor else self.ring.zero
