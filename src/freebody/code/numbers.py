"""Numbers as they are written in code."""

from __future__ import annotations

import re
from fractions import Fraction

from freebody.code.tree import Node, Number, Skipped, Span

MANY = 12
"""A decimal of so many digits is rounded: of a fraction with a small denominator."""
LARGEST = 100_000
TENS = 300
_FORM = re.compile(r"(\d+\.?\d*|\.\d+)(?:[eEdD]([+-]?\d+))?[fFlLuU]*", re.ASCII)


def exact(span: Span, text: str) -> Node:
    """Return a number as the fraction that it is meant to be.

    Examples
    --------
    >>> exact((0, 1), "0.1").value, exact((0, 1), "0.08333333333333333").value
    (Fraction(1, 10), Fraction(1, 12))
    >>> exact((0, 1), "1e-3").value
    Fraction(1, 1000)
    """
    found = _FORM.fullmatch(text.replace("_", ""))
    if not found or len(text) > 60 or abs(int(found[2] or 0)) > TENS:
        return Skipped(span, f"the number {text[:20]} is not read")
    value = Fraction(f"{found[1]}e{found[2] or 0}")
    digits = sum(map(str.isdigit, found[1].lstrip("0.")))
    if digits >= MANY:
        near = value.limit_denominator(LARGEST)
        rounding = abs(value) / 10 ** (digits - 2)
        value = near if abs(near - value) <= rounding else value
    return Number(span, value)
