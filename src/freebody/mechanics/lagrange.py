"""Equations of motion by Lagrange's method, with multipliers where there are constraints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring
from freebody.algebra.domains import Domain
from freebody.mechanics.equations import Blocks, Equations, split_by_kind
from freebody.mechanics.kinematics import (
    CanonicalForms,
    Kinematics,
    PointValues,
    generalized_forces,
)
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.methods import lagranges_method
from freebody.mechanics.parts import MARKERS, NOT_CONSERVATIVE, JointFrame

LARGEST = 3
"""The most coordinates for which sympy's LagrangesMethod is asked: it does not scale."""
MOST_OBLIQUE = 1
"""The most turns about oblique axes for which it is asked: each makes every entry of a frame long.
"""


def lagrange(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion from the Lagrangian.

    Gravity and springs enter by their potential energy, everything else as forces. Up to three
    coordinates whose rates are the speeds, and one turn about an oblique axis, sympy's
    LagrangesMethod does it; beyond, the same derivatives are taken of the Lagrangian in canonical
    form.

    Parameters
    ----------
    mechanism : Mechanism
        What moves.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.
    """
    ring = ring or Ring()

    def derivation() -> Blocks:
        derive = by_sympy if _is_small(mechanism) else by_tables
        return Blocks.of(derive(mechanism, ring), len(mechanism.speeds))

    return Equations("lagrange", mechanism, ring, derivation, _Point(mechanism).rows)


def _is_small(mechanism: Mechanism) -> bool:
    oblique = sum(map(_is_oblique, mechanism.joint_frames.values()))
    many = len(mechanism.coordinates) > LARGEST or oblique > MOST_OBLIQUE
    return not (many or mechanism.model.speeds)


def _is_oblique(step: JointFrame) -> bool:
    """Return whether a step mixes components: by its axis or as its frames stand."""
    frames = (step.orientation, step.child_orientation)
    rows = [row for frame in frames if frame is not None for row in frame.tolist()]
    return any(sum(part != 0 for part in row) > 1 for row in (*rows, step.axis or ()))


# ---------------------------------------------------------------------- sympy


def by_sympy(mechanism: Mechanism, ring: Ring) -> dict[str, list[Form]]:
    """Derive with sympy's LagrangesMethod, whose multipliers are minus ours."""
    time = dynamicsymbols._t
    rates = {u: q.diff(time) for q, u in zip(mechanism.coordinates, mechanism.speeds, strict=True)}
    method = lagranges_method(mechanism, MARKERS)
    n, m = len(rates), len(mechanism.equations)
    speeds = {rate: speed for speed, rate in rates.items()}
    speeds |= {one.diff(time): rate for one, rate in mechanism.prescribed_rates.items()}
    forcing = [-ring.form(row.xreplace(speeds)) for row in method.forcing[:n]]
    inertia = [ring.form(entry) for entry in method.mass_matrix[:n, :n]]
    parts = split_by_kind(ring, forcing, mechanism) | {"M": inertia, "J": [], "gamma": []}
    if m:
        order = _order(mechanism)
        slopes = [[ring.form(-entry) for entry in method.lam_coeffs[row, :]] for row in order]
        parts["J"] = [entry for row in slopes for entry in row]
        bias = method.forcing_full[2 * n :]
        parts["gamma"] = [-ring.form(bias[row].xreplace(speeds)) for row in order]
    return parts


def _order(mechanism: Mechanism) -> list[int]:
    """Return where sympy keeps each equation: holonomic ones first."""
    kinds = [equation.holonomic for equation in mechanism.equations]
    kept = sorted(range(len(kinds)), key=lambda number: not kinds[number])
    return [kept.index(number) for number in range(len(kinds))]


def _less_forces(motion: Kinematics, rows: list[Any]) -> list[Any]:
    """Return rows less the generalized forces that have no potential."""
    for kind in NOT_CONSERVATIVE:
        mark, forces = motion.value(MARKERS[kind]), generalized_forces(motion, kind)
        rows = [row - force * mark for row, force in zip(rows, forces, strict=True)]
    return rows


# ---------------------------------------------------------------------- term tables


def by_tables(mechanism: Mechanism, ring: Ring) -> dict[str, list[Form]]:
    """Derive by differentiating the Lagrangian in canonical form."""
    return _Tables(mechanism, ring).parts()


class _Tables:
    """The Lagrangian in coordinates and their rates, and the equations along the speeds."""

    def __init__(self, mechanism: Mechanism, ring: Ring) -> None:
        self.mechanism, self.ring = mechanism, ring
        self.motion = Kinematics(mechanism, CanonicalForms(ring))
        self.rates = tuple(mechanism.kinematics)
        own = bool(mechanism.model.speeds)
        self.definitions = self._forms(mechanism.definitions) if own else {}
        self.kinematics = self._forms(mechanism.kinematics) if own else {}
        self.seconds = {
            rate.diff(dynamicsymbols._t): ring.derivative(form, self._rate_in_speeds)
            for rate, form in self.kinematics.items()
        }

    def parts(self) -> dict[str, list[Form]]:
        """Return the blocks of the equations."""
        along_rates = [self._row(*pair) for pair in self._pairs()]
        rows = [self._row_of_speed(speed, along_rates) for speed in self.mechanism.speeds]
        parts = split_by_kind(self.ring, _less_forces(self.motion, rows), self.mechanism)
        still = dict.fromkeys(self.mechanism.accelerations, self.ring.zero)
        pairs = [self._constrained(equation) for equation in self.mechanism.equations]
        changes = (self.ring.derivative(rate, self._rate_in_speeds) for _, rate in pairs)
        parts["J"] = [entry for row, _ in pairs for entry in row]
        parts["gamma"] = [self.ring.substitute(change, still) for change in changes]
        return parts

    def _pairs(self) -> Sequence[tuple[sympy.Expr, sympy.Expr]]:
        return list(zip(self.mechanism.coordinates, self.rates, strict=True))

    def _row(self, q: sympy.Expr, rate: sympy.Expr) -> Form:
        """Return d/dt of the momentum of a coordinate less the Lagrangian's slope, in speeds."""
        ring = self.ring
        momentum = ring.partial(self._kinetic, rate)
        row = ring.derivative(momentum, self._rate_in_rates) - ring.partial(self._kinetic, q)
        row = row + ring.partial(self._potential, q)
        return ring.substitute(row, {**self.seconds, **self.kinematics}) if self.seconds else row

    @cached_property
    def _kinetic(self) -> Form:
        return self.ring.substitute(self.motion.kinetic_energy(), self.definitions)

    @cached_property
    def _potential(self) -> Form:
        return self.motion.potential_energy(MARKERS)

    def _row_of_speed(self, speed: sympy.Expr, rows: Sequence[Form]) -> Form:
        """Return the combination of rows that belongs to a speed, a row of Nᵀ."""
        if not self.kinematics:
            return rows[self.mechanism.speeds.index(speed)]
        total = self.ring.zero
        for form, row in zip(self.kinematics.values(), rows, strict=True):
            total = total + self.ring.partial(form, speed) * row
        return total

    def _constrained(self, equation: Any) -> tuple[list[Form], Form]:
        """Return the row of J of a constraint, and its rate, from what it says is zero."""
        rate = equation.residual(self.motion)
        if equation.holonomic:
            rate = self.ring.derivative(rate, self._rate_in_speeds)
        return [self.ring.partial(rate, speed) for speed in self.mechanism.speeds], rate

    def _forms(self, expressions: Any) -> dict[sympy.Expr, Form]:
        return {symbol: self.ring.form(expr) for symbol, expr in expressions.items()}

    def _rate_in_speeds(self, atom: sympy.Expr) -> Form:
        return self.ring.form(self.mechanism.rate(atom))

    def _rate_in_rates(self, atom: sympy.Expr) -> Form:
        """Return the rate of a coordinate as its symbol, that of a rate as its derivative."""
        if atom in self.mechanism.coordinates:
            return self.ring.form(self.rates[self.mechanism.coordinates.index(atom)])
        if atom in self.mechanism.prescribed_rates:
            return self.ring.form(self.mechanism.prescribed_rates[atom])
        return self.ring.form(atom.diff(dynamicsymbols._t))


# ---------------------------------------------------------------------- at a point


class _Point:
    """The same derivatives as the nilpotent parts of the Lagrangian's value at a point."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        identity = {rate: rate for rate in mechanism.kinematics}
        self.in_rates = replace(mechanism, kinematics=identity)

    def rows(self, at: Domain[Any]) -> list[Any]:
        """Return the rows of the equations, and the second derivatives of the constraints."""
        motion = Kinematics(self.mechanism, PointValues(at))
        along_rates = [self._row(at, q, r) for q, r in self._pairs()]
        rows = [
            self._row_of_speed(at, motion, speed, along_rates) for speed in self.mechanism.speeds
        ]
        seconds = (self._second(at, equation) for equation in self.mechanism.equations)
        return [*_less_forces(motion, rows), *seconds]

    def _pairs(self) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
        return zip(self.mechanism.coordinates, self.mechanism.kinematics, strict=True)

    def _moved(
        self, at: Domain[Any], epsilon: Mapping[sympy.Expr, Any], *, still: bool = False
    ) -> Domain[Any]:
        """Return the domain with everything moving in time along η, and some along ε."""
        stopped = dict.fromkeys(self.mechanism.accelerations, sympy.S.Zero) if still else {}
        rates = self.mechanism.kinematics.values()
        seconds = [self.mechanism.rate(rate).xreplace(stopped) for rate in rates]
        (first, second), given = at.units, {}
        one = at.values([sympy.S.One])[0]
        moved = self.mechanism.prescribed_rates
        changes = at.values(moved.values())
        eta = {dynamicsymbols._t: one, **dict(zip(moved, changes, strict=True))}
        for (q, rate), value, change in zip(
            self._pairs(), at.values(rates), at.values(seconds), strict=True
        ):
            eta[q] = value + first * change if still else value
            given[rate] = value + second * change + first * epsilon.get(rate, 0)
        by = {symbol: value for symbol, value in epsilon.items() if symbol not in given}
        return at.moved(by, eta).where(given)

    def _row(self, at: Domain[Any], q: sympy.Expr, rate: sympy.Expr) -> Any:
        """Return d/dt of a momentum less the Lagrangian's slope, along the rate of a coordinate."""
        one = at.values([sympy.S.One])[0]
        by_rate = Kinematics(self.in_rates, PointValues(self._moved(at, {rate: one})))
        by_place = Kinematics(self.in_rates, PointValues(self._moved(at, {q: one})))
        momentum = by_rate.kinetic_energy().parts[3]
        energy = by_place.kinetic_energy() - by_place.potential_energy(MARKERS)
        return momentum - energy.parts[1]

    def _row_of_speed(
        self, at: Domain[Any], motion: Kinematics, speed: sympy.Expr, rows: Sequence[Any]
    ) -> Any:
        """Return the row that belongs to a speed, with the forces of the constraints."""
        total = motion.zero
        for rate, row in zip(self.mechanism.kinematics.values(), rows, strict=True):
            total = total + motion.value(rate.diff(speed)) * row
        slopes = self._slopes(at, speed)
        for symbol, slope in zip(self.mechanism.multipliers, slopes, strict=True):
            total = total - motion.value(symbol) * slope
        return total

    def _slopes(self, at: Domain[Any], speed: sympy.Expr) -> Iterator[Any]:
        """Iterate over the entries of J along a speed, from what the constraints say is zero."""
        known = self.mechanism.kinematics
        changes = at.values([rate.diff(speed) for rate in known.values()])
        moved = {q: change for (q, _), change in zip(self._pairs(), changes, strict=True)}
        by_place = Kinematics(self.mechanism, PointValues(at.moved(moved, {})))
        by_speed = Kinematics(self.mechanism, PointValues(at.moved({speed: 1}, {})))
        for equation in self.mechanism.equations:
            motion = by_place if equation.holonomic else by_speed
            yield equation.residual(motion).parts[1]

    def _second(self, at: Domain[Any], equation: Any) -> Any:
        """Return the second derivative of a constraint where the speeds stay as they are."""
        known = self.mechanism.kinematics
        one = at.values([sympy.S.One])[0]
        if not equation.holonomic:
            moved = self._moved(at, {}, still=True)
            return equation.residual(Kinematics(self.mechanism, PointValues(moved))).parts[2]
        firsts = at.values(known.values())
        epsilon = {q: value for (q, _), value in zip(self._pairs(), firsts, strict=True)}
        moved = self._moved(at, {**epsilon, dynamicsymbols._t: one}, still=True)
        return equation.residual(Kinematics(self.in_rates, PointValues(moved))).parts[3]
