"""Programs verified at random points, of which a prime field has enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from freebody.graph import Code
from freebody.graph.evaluation import evaluate_at_point
from freebody.mechanics.balances import Balances
from freebody.mechanics.constraints import constraint_rows
from freebody.mechanics.kinematics import Kinematics, PointValues, moment_arms
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import MARKERS, Kind
from freebody.model.names import evaluated
from freebody.programs.ltdl import LtdlFactors, dot, matrix_times, transposed

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

ALL: tuple[Kind, ...] = tuple(MARKERS)
PASSIVE: tuple[Kind, ...] = ("gravity", "elastic", "external")
Column = list[Any]
At = FieldPoint | RealPoint
SEED = 0
FEWEST, POINTS = 2, 6
"""The least and the largest number of real points at which a program is compared."""
TRIES = 16
"""How many real points are drawn, at the most, to find those at which everything is defined."""


class ReferenceEquations:
    """A mechanism at a point: the reference that programs are compared with.

    Parameters
    ----------
    mechanism : Mechanism
    at : Domain
        The point.
    """

    def __init__(self, mechanism: Mechanism, at: Domain[Any]) -> None:
        self.mechanism, self.at = mechanism, at
        self.zero, self.one = at.values([sympy.S.Zero, sympy.S.One])
        self._rows: dict[Any, Column] = {}

    @cached_property
    def accelerations(self) -> Column:
        """Derivatives of the speeds, drawn at random."""
        return self.at.values(self.mechanism.accelerations)

    @cached_property
    def motion(self) -> Kinematics:
        """How everything moves with these."""
        return Kinematics(self.mechanism, PointValues(self.at), laws=True)

    @cached_property
    def still(self) -> Kinematics:
        """How everything moves while the speeds do not change."""
        return Kinematics(self.mechanism, PointValues(self.at), laws=True, still=True)

    @cached_property
    def constraint_rows(self) -> dict[str, Column]:
        """The constraints."""
        return constraint_rows(self.still)

    def balance(
        self,
        kinds: Iterable[Kind] = (),
        accelerations: Sequence[Any] | None = None,
        multipliers: Sequence[Any] | None = None,
    ) -> Column:
        """Return M u̇ + C - Jᵀ λ less the generalized forces of loads of some kinds.

        Parameters
        ----------
        kinds : iterable of str
        accelerations, multipliers : sequence, optional
            None where all are zero.
        """
        moving, kinds = self.mechanism, tuple(kinds)
        key = (
            kinds,
            *(None if part is None else tuple(part) for part in (accelerations, multipliers)),
        )
        if key not in self._rows:
            given = {
                mark: self.one if kind in kinds else self.zero for kind, mark in MARKERS.items()
            }
            given |= self._given(moving.accelerations, accelerations)
            given |= self._given(moving.multipliers, multipliers)
            motion = Kinematics(moving, PointValues(self.at.where(given)), laws=True)
            balances = Balances(motion, marked=True)
            self._rows[key] = [balances.along(speed) for speed in moving.speeds]
        return self._rows[key]

    def _given(self, symbols: Sequence[sympy.Expr], values: Sequence[Any] | None) -> dict[Any, Any]:
        return dict(zip(symbols, values or [self.zero] * len(symbols), strict=True))

    def load(self, kind: Kind) -> Column:
        """Return minus the generalized forces of one kind of loads."""
        return _less(self.balance([kind]), self.balance())

    @property
    def inertial(self) -> Column:
        """M u̇."""
        return _less(self.balance((), self.accelerations), self.balance())

    @property
    def external(self) -> Column:
        """E."""
        pairs = zip(self.load("elastic"), self.load("external"), strict=True)
        return [a + b for a, b in pairs]


def _less(one: Column, other: Column) -> Column:
    return [a - b for a, b in zip(one, other, strict=True)]


def _mass_matrix(at: ReferenceEquations, entries: Column) -> Column:
    n = len(at.accelerations)
    split = [entries[start : start + n] for start in range(0, n * n, n)]
    return _less([dot(row, at.accelerations, at.zero) for row in split], at.inertial)


def _accelerations(at: ReferenceEquations, entries: Column) -> Column:
    """Return what is left over where accelerations and multipliers stand one after another."""
    n, m = len(at.mechanism.speeds), len(at.mechanism.multipliers)
    accelerations, multipliers = entries[-n - m : len(entries) - m], entries[len(entries) - m :]
    J, gamma = at.constraint_rows["J"], at.constraint_rows["gamma"]
    rows = [J[n * row : n * row + n] for row in range(m)]
    left = [dot(row, accelerations, at.zero) + off for row, off in zip(rows, gamma, strict=True)]
    if at.mechanism.is_redundant:
        left = _independent(at, rows, left, multipliers)
    rates = at.at.values(at.mechanism.kinematics.values()) if len(entries) == n + n + m else []
    return [
        *at.balance(ALL, accelerations, multipliers),
        *left,
        *_less(entries[: len(rates)], rates),
    ]


def _independent(
    at: ReferenceEquations, J: list[Column], left: Column, multipliers: Column
) -> Column:
    """Return what is left over where equations follow from others once the loops are closed.

    Points drawn at random are not on the constraints, and there the equations contradict each
    other: what has to be zero is what is left of them along the columns B of J that span its range,
    and the part of the multipliers that lies across these.
    """
    moving = at.mechanism
    places = [moving.speeds.index(speed) for speed in moving.dependent_speeds]
    if not places:
        return multipliers
    B = [[row[place] for row in J] for place in places]
    square = [[dot(one, other, at.zero) for other in B] for one in B]
    parts = LtdlFactors(square, at.one).solve(matrix_times(B, multipliers, at.zero))
    within = matrix_times(transposed(B), parts, at.zero)
    return [*matrix_times(B, left, at.zero), *_less(multipliers, within)]


def _against(
    expected: Callable[[ReferenceEquations], Column],
) -> Callable[[ReferenceEquations, Column], Column]:
    return lambda at, entries: _less(entries, expected(at))


def _reactions(at: ReferenceEquations) -> Column:
    found = Balances(at.motion).transmitted
    wrenches = [found[name] for name in at.mechanism.joints]
    return [part for w in wrenches for part in (*w.force.parts, *w.moment.parts)]


def _moment_arms(at: ReferenceEquations) -> Column:
    return [arm for row in moment_arms(at.motion) for arm in row]


def _muscle_lengths(at: ReferenceEquations) -> Column:
    return list(at.motion.values(muscle.length for muscle in at.mechanism.muscles))


LEFT_OVER: dict[str, Callable[[ReferenceEquations, Column], Column]] = {
    "accelerations": _accelerations,
    "rhs": _accelerations,
    "multipliers": _accelerations,
    "mass_matrix": _mass_matrix,
    "bias": _against(lambda at: at.balance()),
    "gravity": _against(lambda at: at.load("gravity")),
    "external": _against(lambda at: at.external),
    "actuation": lambda at, entries: [
        a + b for a, b in zip(entries, at.load("actuation"), strict=True)
    ],
    "forcing": lambda at, entries: [a + b for a, b in zip(entries, at.balance(ALL), strict=True)],
    "inverse_dynamics": _against(lambda at: at.balance(PASSIVE, at.accelerations)),
    "inverse_dynamics_terms": _against(
        lambda at: [*at.inertial, *at.balance(), *at.load("gravity"), *at.external]
    ),
    "reactions": _against(_reactions),
    "moment_arms": _against(_moment_arms),
    "muscle_lengths": _against(_muscle_lengths),
    "kinetic_energy": _against(lambda at: [at.motion.kinetic_energy()]),
    "potential_energy": _against(lambda at: [at.motion.potential_energy()]),
    "constraint_residuals": _against(
        lambda at: [*at.constraint_rows["residual"], *at.constraint_rows["rate"]]
    ),
    "constraint_matrix": _against(lambda at: at.constraint_rows["J"]),
}
"""What is left over of an output, for each."""

PLACED: dict[str, Callable[[ReferenceEquations, str], Column]] = {
    "position": lambda at, place: list(at.motion.position(place).parts),
    "velocity": lambda at, place: list(at.motion.velocity(place).parts),
    "acceleration": lambda at, place: list(at.motion.acceleration(place).parts),
}


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
            if place:
                return _less(entries, PLACED[what](reference, place))
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
            return _less([value.parts[1] for value in values], changes)

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
