"""Programs verified at random points, of which a prime field has enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath
import sympy

from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.fields import Draws, FieldPoint, NoRootError
from freebody.algebra.jets import Jet
from freebody.algebra.prime import PRIME, rational
from freebody.algebra.reals import DIGITS, RealPoint
from freebody.algebra.tables import TABLES, written_out
from freebody.errors import ProgramError
from freebody.graph.code import Code
from freebody.graph.evaluation import evaluate_at_point
from freebody.mechanics.mechanism import Mechanism
from freebody.model.names import evaluated
from freebody.programs.left_over import (
    LEFT_OVER,
    PLACED,
    Column,
    ReferenceEquations,
    impact_left_over,
    less,
)
from freebody.programs.ltdl import dot

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
    value_in_field = rational(value, LARGEST)
    return (
        None
        if value_in_field is None
        else sympy.Rational(value_in_field.numerator, value_in_field.denominator)
    )


class ProgramPoint(FieldPoint):
    """A point at which roots are unknown functions of what is under them.

    A program and the balances that agree whatever a root is agree where it is one. The root of a
    number is one of the field, where it has one: a program knows that what is under it is a number.
    """

    def root(self, base: sympy.Expr, square: Jet) -> Jet:  # noqa: ARG002 - known by its value alone
        """Return a root where the nilpotents are zero."""
        number = fraction(square.value)
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
        if kind in TABLES:
            return written_out(TABLES[kind], arguments[0], Jet.number, self._less, self._choice)
        if kind in EVEN or kind in ODD:
            return self._mirrored(kind, *arguments)
        draw = super().drawn(kind, arguments)
        if kind == "ExprCondPair":
            value, holds = arguments
            self._pairs[draw.value] = value, holds
        return draw

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
        extreme = Jet(self.draws.opaque(kind, sorted(among)))
        self._among[kind, extreme.value] = among
        return extreme

    def _chosen(self, pairs: list[tuple[Jet, Jet]]) -> Jet:
        """Return the first of some values whose condition holds, the last where none does."""
        *others, (chosen, _) = pairs
        for value, holds in reversed(others):
            chosen = self._choice(holds, value, chosen)
        return chosen

    def _choice(self, holds: Jet, one: Jet, other: Jet) -> Jet:
        if one == other:
            return one
        return Jet(self.draws.opaque("select", [holds.value, one.value, other.value]))

    def _less(self, one: Jet, other: Jet) -> Jet:
        return self.drawn("StrictLessThan", [one, other])

    def _powered(self, base: Jet, exponent: Jet) -> Jet:
        """Return a power, one over that of the opposite where the exponent is a negative number."""
        number = fraction(exponent.value)
        if number is not None and number < 0:
            return super().drawn("Pow", [base, -exponent]).inverse()
        return super().drawn("Pow", [base, exponent])


# ------------------------------------------------------------------ verification

At = FieldPoint | RealPoint
SEED = 0
FEWEST, POINTS = 2, 6
"""The least and the largest number of real points at which a program is compared."""
TRIES = 16
"""How many real points are drawn, at the most, to find those at which everything is defined."""


@dataclass(frozen=True)
class Verification:
    """Code of a mechanism at points.

    Attributes
    ----------
    mechanism : Mechanism
    groups : mapping of str to sequence of sympy.Expr
        What the arguments stand for.
    """

    mechanism: Mechanism
    groups: Mapping[str, Sequence[sympy.Expr]]

    def verify(self, code: Code) -> None:
        """Hold code against the balances.

        Parameters
        ----------
        code : Code
            Of an output; where there are accelerations, it also gives the multipliers.

        Raises
        ------
        ProgramError
            If it does not hold, or this cannot be decided.
        """
        what, _, place = code.name.partition(".")

        def left_over(reference: ReferenceEquations, entries: Column) -> Column:
            if what == "impact":
                return impact_left_over(reference, entries, place)
            if place:
                return less(entries, PLACED[what](reference, place))
            return LEFT_OVER[what](reference, entries)

        self.verify_by(code, left_over)

    def verify_by(
        self, code: Code, left_over: Callable[[ReferenceEquations, Column], Column]
    ) -> None:
        """Hold code against a reference, by what is left over of its entries.

        Parameters
        ----------
        code : Code
        left_over : callable
            Gives zeros for the mechanism at a point and the entries of the code there.

        Raises
        ------
        ProgramError
            If it does not hold, or this cannot be decided.
        """
        self._expect(code.name, lambda at: left_over(self._reference(at), self._entries(code, at)))

    def verify_derivative(self, code: Code, slopes: Code, by: str) -> None:
        """Hold the derivatives of code against what it gives where its arguments are moved.

        Parameters
        ----------
        code, slopes : Code
        by : str
            The group of arguments that is moved.

        Raises
        ------
        ProgramError
            If they do not hold, or this cannot be decided.
        """
        atoms = self.groups[by]

        def left_over(at: At) -> Column:
            rates = [at.draws.draw("rate", number) for number in range(len(atoms))]
            moved = at.moved(dict(zip(atoms, rates, strict=True)), {})
            values, entries = self._entries(code, moved), self._entries(slopes, at)
            n = len(atoms)
            rows = [entries[n * row : n * row + n] for row in range(len(values))]
            zero = at.values([sympy.S.Zero])[0]
            changes = [dot(row, [zero + rate for rate in rates], zero) for row in rows]
            return less([value.parts[1] for value in values], changes)

        self._expect(slopes.name, left_over)

    def _expect(self, name: str, left_over: Callable[[At], Column]) -> None:
        try:
            holds = self._holds(left_over)
        except UndecidedError as error:
            raise ProgramError(f"the program of '{name}' cannot be verified: {error}") from error
        except ZeroDivisionError as error:
            raise ProgramError(
                f"the program of '{name}' divides by zero: expected constraints of which none "
                "follows from the others, and masses that each speed moves"
            ) from error
        if not holds:
            raise ProgramError(
                f"the program of '{name}' differs from the balances of the free bodies"
            )

    def _holds(self, left_over: Callable[[At], Column]) -> bool:
        if not any(left_over(self._point)):
            return True
        return not self._point.is_decisive and self._really_holds(left_over)

    def _reference(self, at: At) -> ReferenceEquations:
        """Return the mechanism at a point; at the one where all outputs are held, the same."""
        return self._pointed if at is self._point else ReferenceEquations(self.mechanism, at)

    @cached_property
    def _point(self) -> ProgramPoint:
        return ProgramPoint(SEED)

    @cached_property
    def _pointed(self) -> ReferenceEquations:
        return ReferenceEquations(self.mechanism, self._point)

    def _really_holds(self, left_over: Callable[[At], Column]) -> bool:
        """Return whether nothing is left over at real points, near the constants of the model.

        Raises
        ------
        UndecidedError
            If there are too few at which everything is defined.
        """
        defined = 0
        with mpmath.workdps(DIGITS):
            for seed in range(TRIES):
                try:
                    left = any(left_over(RealPoint(seed, self._near(seed))))
                except (UndecidedError, ZeroDivisionError):
                    continue
                if left:
                    return False
                defined += 1
                if defined == POINTS:
                    return True
        if defined < FEWEST:
            raise UndecidedError(f"it is defined at too few of {TRIES} real points")
        return True

    def _near(self, seed: int) -> dict[sympy.Expr, float]:
        """Return about where what moves is, on either side of zero, as contacts have two."""
        draws, moving = Draws(seed), (*self.mechanism.coordinates, *self.mechanism.speeds)
        signs = {atom: draws.draw("side", atom) % 2 for atom in moving if seed % 2}
        return self._constants | {atom: -1.0 if below else 1.0 for atom, below in signs.items()}

    @cached_property
    def _constants(self) -> dict[sympy.Expr, float]:
        names = self.mechanism.names
        numbers, _ = evaluated(
            {name: constant.value for name, constant in names.model.constants.items()}
        )
        return {names.constants[name]: number for name, number in numbers.items()}

    def _entries(self, code: Code, at: Domain[Any]) -> Column:
        """Return the entries of an output at a point."""
        leaves = [leaf for group in code.arguments for leaf in self.groups[group]]
        return evaluate_at_point(code, leaves, at)
