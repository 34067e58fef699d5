"""Bounds on degrees, from which the chance of an error at random points follows.

The weight of a monomial is the sum of its exponents, where those of the exponentials of angles,
which may be negative, count twice and without their sign. A sum of monomials up to a weight d
that is not zero vanishes at no more than d/(p - 1) of the points without a zero in a field of p
elements: in the first variable its extreme powers differ by no more than the weight of one of
them, and the coefficient of that one has the rest of the weight (J. T. Schwartz, J. ACM 27, 1980,
and R. Zippel, 1979, for polynomials).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy

from freebody.algebra.angles import angle
from freebody.algebra.domains import Domain
from freebody.algebra.elements import Element
from freebody.algebra.terms import Rational


@dataclass(frozen=True, slots=True, eq=False)
class Degree(Element):
    """A bound for a quotient and for its derivatives along the nilpotents that it carries.

    Attributes
    ----------
    weight : int
        Of the numerator.
    under : mapping of Degree to int
        What has been divided by, and to which power.
    order : int
        Which nilpotents it carries.
    """

    weight: int = 0
    under: Mapping[Degree, int] = field(default_factory=dict)
    order: int = 0

    @classmethod
    def number(cls, value: Rational) -> Degree:  # noqa: ARG003 - all numbers are of degree 0
        """Return the bound of a rational number."""
        return cls()

    @property
    def bound(self) -> int:
        """A bound on the weight of the numerator times the denominator.

        Examples
        --------
        >>> x, y = Degree(1), Degree(1)
        >>> (x * y + 1).bound, (x / y).bound, (x / y + 1 / y).bound
        (2, 2, 2)
        """
        return self.weight + _weight(self.under)

    @property
    def parts(self) -> tuple[Degree, Degree, Degree, Degree]:
        """What stands before 1, ε, η and εη."""
        still = replace(self, order=0)
        return still, still, still, still

    def split(self, order: int) -> tuple[Degree, Degree]:
        """Return what is left without the nilpotent of an order, and what stands before it."""
        lower = replace(self, order=min(self.order, order - 1))
        return lower, lower

    def through(self, value: Degree, slope: Degree, curvature: Degree) -> Degree:
        """Return a function of it, from value and derivatives where its nilpotents are zero."""
        rate = replace(self, order=0)
        if self.order:
            value = value + slope * rate
        if self.order == 2:
            value = value + curvature * rate * rate
        return replace(value, order=self.order)

    def inverse(self) -> Degree:
        """Return one over it."""
        over = Degree(_weight(self.under), {self: 1} if self.weight else {})
        return self.through(over, over**2, over**3)

    def scaled(self, factor: Rational) -> Degree:  # noqa: ARG002 - it stays the same
        """Return a rational number times it."""
        return self

    def __neg__(self) -> Degree:
        return self

    def __add__(self, other: Any) -> Degree:
        x = self.made(other)
        under = _merged(max, self.under, x.under)
        weight = max(self.weight - _weight(self.under), x.weight - _weight(x.under))
        return Degree(weight + _weight(under), under, max(self.order, x.order))

    def __mul__(self, other: Any) -> Degree:
        x = self.made(other)
        under = _merged(operator.add, self.under, x.under)
        return Degree(self.weight + x.weight, under, max(self.order, x.order))

    def __pow__(self, power: int) -> Degree:
        if power < 0:
            return self.inverse() ** -power
        under = {by: times * power for by, times in self.under.items()}
        return Degree(self.weight * power, under, self.order)


class Degrees(Domain[Degree]):
    """The domain of the bounds on what expressions are at a `FieldPoint`.

    Examples
    --------
    >>> from sympy import cos, symbols
    >>> x, y = symbols("x y")
    >>> [degree.bound for degree in Degrees().values([x * y + x, x / (x + y), x * cos(y)])]
    [2, 2, 25]
    """

    element = Degree
    units = (Degree(order=1), Degree(order=2))
    imaginary = Degree()

    def __init__(self) -> None:
        super().__init__()
        self._seen = _Degrees()

    def free(self, atom: sympy.Expr) -> Degree:  # noqa: ARG002 - all atoms are of degree 1
        """Return the bound of a symbol, a function of time, a derivative or pi."""
        return Degree(1)

    def circle(self, argument: sympy.Expr, value: Degree) -> tuple[Degree, Degree]:
        """Return the bounds of cosine and sine, which hold an exponential and its inverse."""
        found = angle(argument)
        bound = Degree(2 * sum(map(abs, found.parts.values())) if found else 0)
        if found is None or argument.has(*self._foreign):
            bound = bound + self._drawn(2, [value])
        return bound, bound

    def root(self, base: sympy.Expr, square: Degree) -> Degree:
        """Return the bound of a square root."""
        if base.is_Rational:
            return Degree()
        return replace(self._drawn(square.bound, [square]), under=square.under)

    def drawn(self, name: str, arguments: list[Degree]) -> Degree:  # noqa: ARG002 - any function
        """Return the bound of an opaque function."""
        return self._drawn(1, arguments)

    def _drawn(self, weight: int, arguments: list[Degree]) -> Degree:
        return Degree(weight + self._seen.chances(sum(argument.bound for argument in arguments)))


@dataclass
class _Degrees:
    """The arguments of all functions so far: where two are the same by chance, so are values."""

    count: int = 0
    total: int = 0
    equal: int = 0

    def chances(self, bound: int) -> int:
        """Add an argument; return the degree of that any two are equal up to their sign."""
        self.equal += 2 * (self.count * bound + self.total)
        self.count += 1
        self.total += bound
        return self.equal


def degree_bound(expressions: Iterable[Any]) -> int:
    """Return a bound on the degree of each of some expressions after multiplying out.

    Parameters
    ----------
    expressions : iterable of sympy.Expr
        Their derivatives are not bounded with them.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> degree_bound([x**3 - y, x * y])
    3
    """
    return max((degree.bound for degree in Degrees().values(expressions)), default=0)


def _merged(
    merge: Callable[[int, int], int], a: Mapping[Degree, int], b: Mapping[Degree, int]
) -> dict[Degree, int]:
    return {by: merge(a.get(by, 0), b.get(by, 0)) for by in {**a, **b}}


def _weight(under: Mapping[Degree, int]) -> int:
    return sum(by.weight * power for by, power in under.items())
