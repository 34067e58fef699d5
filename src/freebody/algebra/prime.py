"""The prime field that identities are tried in."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

PRIME = (1 << 61) - 82430671
"""A prime in whose field minus one and all primes up to 103 have square roots."""


@cache
def root_of_minus_one() -> int:
    """Return i with i**2 = -1."""
    return int(sympy.sqrt_mod(-1, PRIME))


def residue(number: Any) -> int:
    """Return a rational number in the field.

    Raises
    ------
    TypeError
        If it is none.
    ZeroDivisionError
        If `PRIME` divides its denominator.

    Examples
    --------
    >>> from sympy import Rational
    >>> 3 * residue(Rational(2, 3)) % PRIME
    2
    """
    if isinstance(number, int):
        return number % PRIME
    if not isinstance(number, numbers.Rational):
        raise TypeError(f"{number!r} is not a rational number")
    return int(number.numerator) * residue_over(int(number.denominator)) % PRIME


def residue_over(number: int) -> int:
    """Return one over an integer in the field.

    Raises
    ------
    ZeroDivisionError
        If it is zero there.
    """
    if not number % PRIME:
        raise ZeroDivisionError("division by what is zero at this point of the field")
    return pow(number, -1, PRIME)


def rational(value: int, most: int) -> Fraction | None:
    """Return the fraction that an element of the field is, if it is one of small numbers.

    Parameters
    ----------
    value : int
    most : int
        Up to which size of numerator and denominator.

    Examples
    --------
    >>> rational(residue(Fraction(7, 20)), 100), rational(residue(-3), 100), rational(10**16, 100)
    (Fraction(7, 20), Fraction(-3, 1), None)
    """
    above, below = (PRIME, value), (0, 1)
    while above[1] > most:
        quotient = above[0] // above[1]
        above = (above[1], above[0] - quotient * above[1])
        below = (below[1], below[0] - quotient * below[1])
    return Fraction(above[1], below[1]) if 0 < abs(below[1]) <= most else None


@dataclass(frozen=True, slots=True)
class Residue:
    """An element of the field, with its arithmetic.

    Attributes
    ----------
    value : int
        From 0 up to `PRIME`.

    Examples
    --------
    >>> (Residue.number(2) / Residue(3)) * Residue(3)
    Residue(value=2)
    """

    value: int

    @classmethod
    def number(cls, value: Any) -> Residue:
        """Return the element that a rational number is.

        Raises
        ------
        ZeroDivisionError
            If `PRIME` divides its denominator.
        """
        return cls(residue(value))

    def inverse(self) -> Residue:
        """Return one over it.

        Raises
        ------
        ZeroDivisionError
            If it is zero.
        """
        return Residue(residue_over(self.value))

    def __bool__(self) -> bool:
        return self.value != 0

    def __neg__(self) -> Residue:
        return Residue(-self.value % PRIME)

    def __add__(self, other: Residue) -> Residue:
        return Residue((self.value + other.value) % PRIME)

    def __sub__(self, other: Residue) -> Residue:
        return Residue((self.value - other.value) % PRIME)

    def __mul__(self, other: Residue) -> Residue:
        return Residue(self.value * other.value % PRIME)

    def __truediv__(self, other: Residue) -> Residue:
        return self * other.inverse()

    def __pow__(self, power: int) -> Residue:
        return self.inverse() ** -power if power < 0 else Residue(pow(self.value, power, PRIME))
