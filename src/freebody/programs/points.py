"""The points at which programs are held against the balances of the free bodies."""

from __future__ import annotations

import sympy

from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.jets import Jet
from freebody.algebra.prime import PRIME, rational

LARGEST = (1 << 29) - 1
"""Up to which size of numerator and denominator an element of the field counts as a fraction."""
EVEN, ODD = ("Abs", "cosh"), ("sign", "asin", "atan", "sinh", "tanh")
LARGER = ("StrictLessThan", "LessThan", "StrictGreaterThan", "GreaterThan")


def fraction(value: int) -> sympy.Rational | None:
    """Return the fraction of small numbers that an element of the field is, if it is one.

    Examples
    --------
    >>> fraction(7 * pow(20, -1, PRIME) % PRIME), fraction(PRIME - 3), fraction(10**16)
    (7/20, -3, None)
    """
    found = rational(value, LARGEST)
    return None if found is None else sympy.Rational(found.numerator, found.denominator)


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

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._among: dict[tuple[str, int], frozenset[int]] = {}
        self._pairs: dict[int, tuple[Jet, Jet]] = {}

    def _root_of_factor(self, factor: int) -> Jet:
        try:
            return super()._root_of_factor(factor)
        except (UndecidedError, NoRootError):
            return Jet(self.draws.opaque("root", [factor % PRIME]))

    def drawn(self, name: str, arguments: list[Jet]) -> Jet:
        """Return the random value of an opaque function, the same however it is written.

        Which of two is larger is one function of their difference, the largest of several is that
        of the larger of two and the others, and a choice is made one condition after the other.
        """
        kind = name.rpartition(".")[2]
        if kind in LARGER:
            one, other = arguments if kind.endswith("LessThan") else arguments[::-1]
            return super().drawn(kind.replace("Greater", "Less"), [other - one])
        if kind in ("Max", "Min"):
            return self._extreme(kind, arguments)
        if kind == "Piecewise":
            return self._chosen([self._pairs[one.value] for one in arguments])
        if kind == "Pow":
            return self._powered(*arguments)
        if kind in EVEN or kind in ODD:
            return self._mirrored(kind, *arguments)
        found = super().drawn(kind, arguments)
        if kind == "ExprCondPair":
            value, holds = arguments
            self._pairs[found.value] = value, holds
        return found

    def _mirrored(self, kind: str, argument: Jet) -> Jet:
        """Return an even or odd function, of the smaller of its argument and the opposite."""
        small = min(argument.value, PRIME - argument.value)
        value = super().drawn(kind, [Jet(small)])
        return -value if kind in ODD and small != argument.value else value

    def _extreme(self, kind: str, arguments: list[Jet]) -> Jet:
        """Return the largest of several, some of which may be the largest of others."""
        parts = (self._among.get((kind, one.value), {one.value}) for one in arguments)
        among = frozenset[int]().union(*parts)
        if len(among) == 1:
            return Jet(*among)
        found = Jet(self.draws.opaque(kind, sorted(among)))
        self._among[kind, found.value] = among
        return found

    def _chosen(self, pairs: list[tuple[Jet, Jet]]) -> Jet:
        """Return the first of some values whose condition holds, the last where none does."""
        *others, (chosen, _) = pairs
        for value, holds in reversed(others):
            if value != chosen:
                parts = [holds.value, value.value, chosen.value]
                chosen = Jet(self.draws.opaque("select", parts))
        return chosen

    def _powered(self, base: Jet, exponent: Jet) -> Jet:
        """Return a power, one over that of the opposite where the exponent is a negative number."""
        number = fraction(exponent.value)
        if number is not None and number < 0:
            return super().drawn("Pow", [base, -exponent]).inverse()
        return super().drawn("Pow", [base, exponent])
