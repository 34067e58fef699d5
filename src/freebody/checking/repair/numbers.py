"""Numbers as they are printed, and as elements of a prime field."""

from __future__ import annotations

from fractions import Fraction

from freebody.algebra.prime import PRIME


def number(value: Fraction) -> str:
    """Return a number as it is printed."""
    return (
        str(value)
        if value.denominator == 1
        else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    )


def residue(value: Fraction) -> int:
    """Return the element of the field that a number is."""
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def rational(value: int, most: int = 999) -> Fraction | None:
    """Return the fraction of small numbers that a residue is, if it is one."""
    above, below = (PRIME, value), (0, 1)
    while above[1] > most:
        quotient = above[0] // above[1]
        above = (above[1], above[0] - quotient * above[1])
        below = (below[1], below[0] - quotient * below[1])
    return Fraction(above[1], below[1]) if 0 < abs(below[1]) <= most else None
