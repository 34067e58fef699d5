"""A prime field extended by two nilpotents: values with their exact first derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from freebody.algebra.elements import Element
from freebody.algebra.prime import PRIME, residue, residue_over
from freebody.algebra.terms import Rational


@dataclass(frozen=True, slots=True)
class Jet(Element):
    """An element a + b·ε + c·η + d·εη of the field of `PRIME` elements with ε² = η² = 0.

    Attributes
    ----------
    value, epsilon, eta, both : int
        The parts a, b, c and d, from 0 up to `PRIME`.

    Examples
    --------
    >>> x = Jet(3, epsilon=1)
    >>> x * x - 9
    Jet(value=0, epsilon=6, eta=0, both=0)
    >>> (2 / x) * x == Jet(2)
    True
    """

    value: int
    epsilon: int = 0
    eta: int = 0
    both: int = 0

    @classmethod
    def number(cls, value: Rational) -> Jet:
        """Return the jet of a rational number.

        Raises
        ------
        ZeroDivisionError
            If `PRIME` divides its denominator.
        """
        return cls(residue(value))

    @property
    def order(self) -> int:
        """Which nilpotents it carries: 0 for none, 1 for ε, 2 for η and perhaps ε."""
        return 2 if self.eta or self.both else int(bool(self.epsilon))

    @property
    def parts(self) -> tuple[Jet, Jet, Jet, Jet]:
        """What stands before 1, ε, η and εη."""
        return Jet(self.value), Jet(self.epsilon), Jet(self.eta), Jet(self.both)

    def split(self, order: int) -> tuple[Jet, Jet]:
        """Return what is left without the nilpotent of an order, and what stands before it."""
        if order == 2:
            return Jet(self.value, self.epsilon), Jet(self.eta, self.both)
        return Jet(self.value), Jet(self.epsilon)

    def through(self, value: Jet, slope: Jet, curvature: Jet) -> Jet:
        """Return a function of it, from value and derivatives where its nilpotents are zero."""
        f, g, h = value.value, slope.value, curvature.value
        b, c, d = self.epsilon, self.eta, self.both
        return Jet(f, g * b % PRIME, g * c % PRIME, (g * d + h * b * c) % PRIME)

    def inverse(self) -> Jet:
        """Return one over it.

        Raises
        ------
        ZeroDivisionError
            If its value is zero.
        """
        over = residue_over(self.value)
        if not (self.epsilon or self.eta or self.both):
            return Jet(over)
        square = over * over % PRIME
        return self.through(Jet(over), Jet(-square % PRIME), Jet(2 * over * square % PRIME))

    def scaled(self, factor: Rational) -> Jet:
        """Return a rational number times it."""
        return self * factor

    def __bool__(self) -> bool:
        return bool(self.value or self.epsilon or self.eta or self.both)

    def __neg__(self) -> Jet:
        return Jet(
            -self.value % PRIME, -self.epsilon % PRIME, -self.eta % PRIME, -self.both % PRIME
        )

    def __add__(self, other: Any) -> Jet:
        x = self.made(other)
        return Jet(
            (self.value + x.value) % PRIME,
            (self.epsilon + x.epsilon) % PRIME,
            (self.eta + x.eta) % PRIME,
            (self.both + x.both) % PRIME,
        )

    def __mul__(self, other: Any) -> Jet:
        x = self.made(other)
        a, b, c, d = self.value, self.epsilon, self.eta, self.both
        return Jet(
            a * x.value % PRIME,
            (a * x.epsilon + b * x.value) % PRIME,
            (a * x.eta + c * x.value) % PRIME,
            (a * x.both + b * x.eta + c * x.epsilon + d * x.value) % PRIME,
        )

    def __pow__(self, power: int) -> Jet:
        if power < 0:
            return self.inverse() ** -power
        if not (self.epsilon or self.eta or self.both):
            return Jet(pow(self.value, power, PRIME))
        factors = (1, power, power * (power - 1))
        powers = (pow(self.value, max(power - k, 0), PRIME) for k in range(3))
        return self.through(*(Jet(n * x % PRIME) for n, x in zip(factors, powers, strict=True)))
