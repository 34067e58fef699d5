"""Printed numbers and fractions: which of them a misprint may have changed into which."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from freebody.documents.latex.tree import Divide, Multiply, Node, Number, Span, Term


def number(value: Fraction) -> str:
    """Return a number as it is printed."""
    return (
        str(value)
        if value.denominator == 1
        else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    )


NUMBERS = tuple(map(Fraction, ("1", "2", "3", "4", "6", "8", "12", "1/2", "1/3", "1/4", "1/12")))
"""What is tried in place of a number."""
LACKED = {Fraction(2): 1.0, Fraction(1, 2): 1.0, Fraction(3): 1.2, Fraction(4): 1.2}
"""The numbers that a term may lack, with what that costs."""
USUAL = frozenset(map(Fraction, ("1/2", "1/3", "2/3", "3/2", "1/4", "3/4", "1/12", "2/5", "5/2")))
"""The coefficients of mechanics that are printed as fractions."""
ANY = 1.8
"""What it costs to put the number that is wanted: there always is one."""
NESTED, REDUCIBLE = 0.4, 0.3
"""What it costs more that a fraction comes into a fraction, or that one could be cancelled."""


def cost(printed: Number, other: Fraction, around: Node | Term | None) -> float:
    """Return how unlikely it is that a number was printed in place of another.

    Parameters
    ----------
    printed : Number
    other : Fraction
        The number that may be right.
    around : Node or Term, optional
        What the number stands in.
    """
    if isinstance(around, Divide):
        return _in_fraction(printed, other, around)
    is_near = other in (2 * printed.value, printed.value / 2)
    return 1.0 if is_near else 1.3 if other in NUMBERS else ANY


def _in_fraction(printed: Number, other: Fraction, around: Divide) -> float:
    if other.denominator != 1:
        return 1.3 + NESTED if other in NUMBERS else ANY + NESTED
    above, below = (
        other if node is printed else node.value if isinstance(node, Number) else None
        for node in (around.numerator, around.denominator)
    )
    if above is None or below is None:
        return 1.1 if other in NUMBERS else ANY
    value = above / below
    wide = REDUCIBLE * (value.denominator != below)
    return (1.1 if value in USUAL else 1.3 if other in NUMBERS else ANY) + wide


def exchanged(node: Node | Term, text: str) -> Iterator[tuple[Divide, Span, str]]:
    """Iterate over a fraction with its two numbers exchanged: node, place and LaTeX."""
    if not isinstance(node, Divide):
        return
    above, below = _leading(node.numerator), _leading(node.denominator)
    if above is None or below is None or above.value == below.value:
        return
    first, second = sorted((above.span, below.span), key=lambda span: span.start)
    between = text[first.stop : second.start]
    span = Span(first.start, second.stop)
    latex = text[second.start : second.stop] + between + text[first.start : first.stop]
    other = Divide(_instead(node.numerator, below), _instead(node.denominator, above), node.span)
    yield other, span, latex


def _leading(node: Node) -> Number | None:
    first = node.factors[0] if isinstance(node, Multiply) else node
    return first if isinstance(first, Number) else None


def _instead(node: Node, number: Number) -> Node:
    if isinstance(node, Multiply):
        return Multiply((number, *node.factors[1:]), node.span)
    return number
