"""Identities at random real points, in many digits, where a root has the sign that it really has.

What stands under a root, in an absolute value or in a comparison decides there, as it does in a
motion; a prime field has no order, and its roots have no sign.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

from freebody.algebra.angles import name_of
from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.elements import Element
from freebody.algebra.fields import Draws
from freebody.algebra.prime import PRIME
from freebody.algebra.tables import TABLES
from freebody.algebra.terms import Rational

DIGITS = 150
NOTHING = mpmath.mpf(10) ** -50
"""What counts as zero: terms a hundred digits larger may have cancelled."""


@dataclass(frozen=True, slots=True)
class RealJet(Element):
    """A number a + b·ε + c·η + d·εη with ε² = η² = 0.

    Attributes
    ----------
    value, epsilon, eta, both : mpmath.mpf
        The parts a, b, c and d; complex below roots and logarithms of what is negative.

    Examples
    --------
    >>> x = RealJet(mpmath.mpf(3), epsilon=mpmath.mpf(1))
    >>> bool((x + 1) * (x - 1) - x * x + 1), (x * x).order
    (False, 1)
    """

    value: Any
    epsilon: Any = 0
    eta: Any = 0
    both: Any = 0

    @classmethod
    def number(cls, value: Rational) -> RealJet:
        """Return the jet of a rational number."""
        return cls(mpmath.mpf(int(value.numerator)) / int(value.denominator))

    @property
    def order(self) -> int:
        """Which nilpotents it carries: 0 for none, 1 for ε, 2 for η and perhaps ε."""
        return 2 if self.eta or self.both else int(bool(self.epsilon))

    @property
    def parts(self) -> tuple[RealJet, RealJet, RealJet, RealJet]:
        """What stands before 1, ε, η and εη."""
        return RealJet(self.value), RealJet(self.epsilon), RealJet(self.eta), RealJet(self.both)

    def split(self, order: int) -> tuple[RealJet, RealJet]:
        """Return what is left without the nilpotent of an order, and what stands before it."""
        if order == 2:
            return RealJet(self.value, self.epsilon), RealJet(self.eta, self.both)
        return RealJet(self.value), RealJet(self.epsilon)

    def through(self, value: RealJet, slope: RealJet, curvature: RealJet) -> RealJet:
        """Return a function of it, from value and derivatives where its nilpotents are zero."""
        g, b, c = slope.value, self.epsilon, self.eta
        return RealJet(value.value, g * b, g * c, g * self.both + curvature.value * b * c)

    def inverse(self) -> RealJet:
        """Return one over it.

        Raises
        ------
        ZeroDivisionError
            If its value is zero.
        """
        over = 1 / self.value
        return self.through(RealJet(over), RealJet(-(over**2)), RealJet(2 * over**3))

    def scaled(self, factor: Rational) -> RealJet:
        """Return a rational number times it."""
        return self * factor

    def __bool__(self) -> bool:
        """Whether it is more than what rounding leaves."""
        parts = (self.value, self.epsilon, self.eta, self.both)
        return not all(abs(part) <= NOTHING for part in parts)

    def __neg__(self) -> RealJet:
        return RealJet(-self.value, -self.epsilon, -self.eta, -self.both)

    def __add__(self, other: Any) -> RealJet:
        x = self.made(other)
        return RealJet(
            self.value + x.value, self.epsilon + x.epsilon, self.eta + x.eta, self.both + x.both
        )

    def __mul__(self, other: Any) -> RealJet:
        x = self.made(other)
        a, b, c, d = self.value, self.epsilon, self.eta, self.both
        return RealJet(
            a * x.value,
            a * x.epsilon + b * x.value,
            a * x.eta + c * x.value,
            a * x.both + b * x.eta + c * x.epsilon + d * x.value,
        )

    def __pow__(self, power: int) -> RealJet:
        if power < 0:
            return self.inverse() ** -power
        factors = (1, power, power * (power - 1))
        powers = [self.value ** max(power - k, 0) for k in range(3)]
        return self.through(*(RealJet(n * x) for n, x in zip(factors, powers, strict=True)))


class RealPoint(Domain[RealJet]):
    """A random real point: numbers between 1/2 and 3/2, or near those that are given.

    Parameters
    ----------
    seed : int
        Points of one seed are the same.
    near : mapping of sympy.Expr to float, optional
        About where some atoms are.

    Examples
    --------
    >>> from sympy import sqrt, symbols
    >>> x, y = symbols("x y", positive=True)
    >>> with mpmath.workdps(DIGITS):
    ...     left, right = RealPoint(1).values([sqrt(x) * sqrt(y), sqrt(x * y)])
    ...     bool(left - right), bool(left + right)
    (False, True)
    """

    element = RealJet
    units = (RealJet(0, epsilon=1), RealJet(0, eta=1))
    imaginary = RealJet(mpmath.j)

    def __init__(self, seed: int, near: Mapping[sympy.Expr, float] | None = None) -> None:
        super().__init__()
        self.draws, self.near = Draws(seed), near or {}

    def free(self, atom: sympy.Expr) -> RealJet:
        """Return the random value of a symbol, a function of time or a derivative."""
        if atom == sympy.pi:
            return RealJet(+mpmath.pi)
        share = mpmath.mpf(self.draws.draw(name_of(atom))) / PRIME
        return RealJet((mpmath.mpf(1) / 2 + share) * (self.near.get(atom) or 1))

    def circle(self, argument: sympy.Expr, value: RealJet) -> tuple[RealJet, RealJet]:  # noqa: ARG002 - as it is in numbers
        """Return cosine and sine where the nilpotents are zero."""
        return RealJet(mpmath.cos(value.value)), RealJet(mpmath.sin(value.value))

    def root(self, base: sympy.Expr, square: RealJet) -> RealJet:  # noqa: ARG002 - as it is in numbers
        """Return the root that is not negative, where the nilpotents are zero."""
        return RealJet(mpmath.sqrt(square.value))

    def drawn(self, name: str, arguments: list[RealJet]) -> RealJet:
        """Return the value of a function of numbers.

        Raises
        ------
        UndecidedError
            If it is not known, or not defined there.
        """
        last = name.rpartition(".")[2]
        function = TABLES[last].at if last in TABLES else FUNCTIONS.get(last)
        if function is None:
            raise UndecidedError(f"{name} has no value that is known")
        try:
            return RealJet(mpmath.mpmathify(function(*(one.value for one in arguments))))
        except (
            AttributeError,
            TypeError,
            ValueError,
        ) as error:  # mpmath has no atan2 of a complex number
            raise UndecidedError(f"{name} is not defined at a point: {error}") from error


def _chosen(*branches: Any) -> Any:
    """Return the first branch whose condition holds; the others are no numbers."""
    return next(branch for branch in branches if not mpmath.isnan(branch))


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(mpmath, name) for name in ("asin", "acos", "atan", "atan2", "exp", "log")},
    **{name: getattr(mpmath, name) for name in ("sinh", "cosh", "tanh", "sign")},
    "Abs": abs,
    "Max": max,
    "Min": min,
    "Pow": operator.pow,
    "Heaviside": lambda x, *_: int(x > 0),
    "StrictLessThan": operator.lt,
    "LessThan": operator.le,
    "StrictGreaterThan": operator.gt,
    "GreaterThan": operator.ge,
    "And": lambda *parts: all(parts),
    "Or": lambda *parts: any(parts),
    "Not": operator.not_,
    "true": lambda: 1,
    "false": lambda: 0,
    "E": lambda: +mpmath.e,
    "ExprCondPair": lambda value, holds: value if holds else mpmath.nan,
    "Piecewise": _chosen,
}
"""The functions of numbers that sympy's nodes are, by their names."""
