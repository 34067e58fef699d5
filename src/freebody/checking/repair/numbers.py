"""Numbers as they are printed."""

from __future__ import annotations

from fractions import Fraction


def number(value: Fraction) -> str:
    """Return a number as it is printed."""
    return (
        str(value)
        if value.denominator == 1
        else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    )
