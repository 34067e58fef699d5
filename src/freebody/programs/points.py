"""The points at which programs are held against the balances of the free bodies."""

from __future__ import annotations

import sympy

from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.jets import Jet
from freebody.algebra.points import PRIME

LARGEST = 1 << 29
"""Up to which size of numerator and denominator an element of the field counts as a fraction."""
LARGER = ("StrictLessThan", "LessThan", "StrictGreaterThan", "GreaterThan")


def fraction(value: int) -> sympy.Rational | None:
    """Return the fraction of small numbers that an element of the field is, if it is one.

    Examples
    --------
    >>> fraction(7 * pow(20, -1, PRIME) % PRIME), fraction(PRIME - 3), fraction(10**16)
    (7/20, -3, None)
    """
    before, after, above, below = PRIME, value, 0, 1
    while after >= LARGEST:
        quotient, rest = divmod(before, after)
        before, after, above, below = after, rest, below, above - quotient * below
    return sympy.Rational(after, below) if 0 < abs(below) < LARGEST else None


class ProgramPoint(FieldPoint):
    """A point at which roots are unknown functions of what is under them.

    A program and the balances that agree whatever a root is agree where it is one. The root of a
    number is one of the field, where it has one: a program knows that what is under it is a number.
    """

    def root(self, base: sympy.Expr, square: Jet) -> Jet:
        """Return a root where the nilpotents are zero."""
        number = base if base.is_Rational else fraction(square.value)
        if number is None:
            return Jet(self.draws.opaque("root", [square.value]))
        return super().root(number, square)

    def _root_of_factor(self, factor: int) -> Jet:
        try:
            return super()._root_of_factor(factor)
        except (UndecidedError, NoRootError):
            return Jet(self.draws.opaque("root", [factor % PRIME]))

    def drawn(self, name: str, arguments: list[Jet]) -> Jet:
        """Return the random value of an opaque function; which of two is larger is one."""
        kind = name.rpartition(".")[2]
        if kind in LARGER:
            one, other = arguments if kind.endswith("LessThan") else arguments[::-1]
            name, arguments = name.replace("Greater", "Less"), [other - one]
        return super().drawn(name, arguments)
