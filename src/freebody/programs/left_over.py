"""What is left over of the outputs of programs at a point: zeros, where these hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import sympy

from freebody.algebra.domains import Domain
from freebody.mechanics.balances import Balances
from freebody.mechanics.constraints import constraint_rows
from freebody.mechanics.impacts import impact_named, impact_rows
from freebody.mechanics.kinematics import Kinematics, PointValues, moment_arms
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import MARKERS, Kind
from freebody.programs.impacts import rows_of_impact
from freebody.programs.ltdl import LtdlFactors, dot, matrix_times, transposed

ALL: tuple[Kind, ...] = tuple(MARKERS)
PASSIVE: tuple[Kind, ...] = ("gravity", "elastic", "external")
Column = list[Any]
GAPS = ("residual", "rate", "gamma")


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
        return less(self.balance([kind]), self.balance())

    @property
    def inertial(self) -> Column:
        """M u̇."""
        return less(self.balance((), self.accelerations), self.balance())

    @property
    def external(self) -> Column:
        """E."""
        pairs = zip(self.load("elastic"), self.load("external"), strict=True)
        return [a + b for a, b in pairs]


def less(one: Column, other: Column) -> Column:
    """Return the differences of two columns."""
    return [a - b for a, b in zip(one, other, strict=True)]


def _mass_matrix(at: ReferenceEquations, entries: Column) -> Column:
    n = len(at.accelerations)
    split = [entries[start : start + n] for start in range(0, n * n, n)]
    return less([dot(row, at.accelerations, at.zero) for row in split], at.inertial)


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
        *less(entries[: len(rates)], rates),
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
    return [*matrix_times(B, left, at.zero), *less(multipliers, within)]


def impact_left_over(at: ReferenceEquations, entries: Column, name: str) -> Column:
    """Return what is left over of M (u⁺ - u⁻) = Jᵀ Λ and of the laws of an impact."""
    moving, n = at.mechanism, len(at.mechanism.speeds)
    J, rates = rows_of_impact(moving, impact_rows(at.still), name)
    rests = at.at.values(impact_named(moving, name).restitutions)
    change = less(entries[:n], at.at.values(moving.speeds))
    held = at.constraint_rows["J"]
    slopes = [*J, *(held[start : start + n] for start in range(0, len(held), n))]
    pushed = matrix_times(transposed(slopes), entries[n:], at.zero)
    closed = [
        dot(row, change, at.zero) + rate + e * rate
        for row, rate, e in zip(J, rates, rests, strict=True)
    ]
    kept = matrix_times(slopes[len(J) :], change, at.zero)
    if moving.is_redundant:
        rows = slopes[len(J) :]
        kept = _independent(at, rows, kept, entries[n + len(J) :])
    return [*less(less(at.balance((), change), at.balance()), pushed), *closed, *kept]


def _against(
    expected: Callable[[ReferenceEquations], Column],
) -> Callable[[ReferenceEquations, Column], Column]:
    return lambda at, entries: less(entries, expected(at))


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
    "impact_matrix": _against(lambda at: impact_rows(at.still)["J"]),
    "impact_gaps": _against(
        lambda at: [
            *(
                part
                for name in ("residual", "rate", "gamma")
                for part in impact_rows(at.still)[name]
            ),
            *at.at.values(e for impact in at.mechanism.impacts for e in impact.restitutions),
        ]
    ),
}
"""What is left over of an output, for each."""

PLACED: dict[str, Callable[[ReferenceEquations, str], Column]] = {
    "position": lambda at, place: list(at.motion.position(place).parts),
    "velocity": lambda at, place: list(at.motion.velocity(place).parts),
    "acceleration": lambda at, place: list(at.motion.acceleration(place).parts),
}
