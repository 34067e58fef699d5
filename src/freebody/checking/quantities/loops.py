"""Closed loops: what holds only where the coordinates satisfy the constraints between them.

Speeds and accelerations that constraints decide are eliminated; coordinates are not, since they
stand in cosines and sines. A constraint between coordinates is linear in a length, though, or in
a displacement: solved for that, it gives all configurations in which the loop is closed, with
every angle free. Where roots leave their sign open, numbers decide, in configurations that the
mechanism reaches from where it starts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import mpmath
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring
from freebody.algebra.canonical import DIGITS, GUARD, POINTS, Comparison, is_zero
from freebody.algebra.numerics import Numbers
from freebody.algebra.substitution import substituted, touched
from freebody.algebra.terms import TooLargeError
from freebody.errors import ExpressionError, ModelError
from freebody.mechanics.constraints import Constraint
from freebody.mechanics.equations import Equations
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism

Values = dict[sympy.Expr, Any]
STEPS = 8
"""In so many steps a configuration is followed from where the mechanism starts."""
TRIALS = 4 * POINTS
SPREAD = 0.25
"""How far constants are moved, in parts of themselves."""
TURN = 1.0
"""How far coordinates are moved, in parts of themselves and in rad."""
SWEEPS = 40
NEAR = 1e-4
"""How well loops are closed on the way, so that the next step stays on its branch."""
PRECISE = 2 * DIGITS
"""With so many digits configurations are found, and differences made sure of."""
ROUGH = 10
"""Guard digits of the machine's numbers: what is left above 1e-5 is not lost digits."""


class Loops:
    """The configurations of a mechanism in which its loops are closed.

    Parameters
    ----------
    equations : Equations
    settled : callable
        What becomes of a form under an assumption.
    """

    def __init__(self, equations: Equations, settled: Callable[[Form], Form]) -> None:
        self.mechanism: Mechanism = equations.mechanism
        self.ring: Ring = equations.ring
        self.settled = settled
        self._derived = equations

    @property
    def motion(self) -> Kinematics:
        """How everything moves."""
        return self._derived.motion

    def __bool__(self) -> bool:
        return bool(self._holonomic_constraints)

    @cached_property
    def equations(self) -> list[Form]:
        """What is zero of the coordinates."""
        rows = (one for held in self._holonomic_constraints for one in held.equations)
        forms = (self.settled(one.residual(self.motion)) for one in rows)
        return [form for form in forms if form]

    @cached_property
    def solved(self) -> dict[sympy.Expr, Form]:
        """Coordinates and constants that the constraints are linear in, in all others."""
        found: dict[sympy.Expr, Form] = {}
        for form in self.equations:
            row = self.ring.cleared(substituted(form, found)) if found else form
            atom = self._pivot(row, found)
            if atom is None:
                return {}
            parts = self.ring.coefficients(row, (atom,))
            value = -parts.get((0,), self.ring.zero) / parts[1,]
            found = {one: substituted(old, {atom: value}) for one, old in found.items()}
            found[atom] = value
        return found

    def vanishes(self, form: Form) -> Comparison:
        """Return whether a form on the level of coordinates is zero where the loops are closed."""
        if not self._configurations:
            return self._exactly(form) or is_zero(form)
        found = self._numerically(form)
        return (self._exactly(form) or found) if found else found

    # ------------------------------------------------------------------ exactly

    @cached_property
    def _holonomic_constraints(self) -> list[Constraint]:
        """The constraints between coordinates."""
        held = self.mechanism.constraints
        return [one for one in held if all(row.holonomic for row in one.equations)]

    def _pivot(self, row: Form, taken: Mapping[sympy.Expr, Form]) -> sympy.Expr | None:
        """Return a symbol that a row is linear in, outside of all else; the simplest to solve."""
        symbols = (*self.mechanism.coordinates, *self.mechanism.names.constants.values())
        options = [(self._weight(row, one), one) for one in symbols if one not in taken]
        fit = [(weight, place, one) for place, (weight, one) in enumerate(options) if weight]
        return min(fit)[2] if fit else None

    def _weight(self, row: Form, atom: sympy.Expr) -> int:
        """Return how many terms a symbol is multiplied by; 0 where a row is not linear in it."""
        holds, place = touched(self.ring, [atom]), self.ring.place_of(atom)
        if {at for at in row.terms.places() if holds(at)} != {place}:
            return 0
        parts = self.ring.coefficients(row, (atom,))
        return len(parts[1,].terms) if parts.keys() <= {(0,), (1,)} else 0

    def _exactly(self, form: Form) -> Comparison | None:
        """Decide in canonical forms; None where these leave it open."""
        if not self.ring.cleared(form).terms:
            return Comparison(equal=True, proof="exact")
        if not self.solved:
            return None
        try:
            left = self.ring.cleared(self.settled(substituted(form, self.solved)))
        except (TooLargeError, ZeroDivisionError):
            return None
        if left.terms and not left.is_decisive:
            return None
        return Comparison(equal=not left.terms, proof="exact")

    # ------------------------------------------------------------------ in numbers

    def _numerically(self, form: Form) -> Comparison:
        """Decide in numbers; what cannot be worked out anywhere is not zero."""
        proof = f"{DIGITS} digits at a configuration of the closed loop"
        if any(_is_far_off(form, known) for known in self._configurations):
            return Comparison(equal=False, proof=proof)
        cleared, agreed = self.ring.cleared(form), 0
        for known in self._configurations:
            try:
                if not _vanishes(cleared, known):
                    return Comparison(equal=False, proof=proof)
            except (KeyError, ZeroDivisionError):
                continue
            agreed += 1
        proof = f"{DIGITS - GUARD} digits at {agreed} configurations of the closed loop"
        return Comparison(equal=agreed > 0, proof=proof)

    @cached_property
    def _configurations(self) -> list[Values]:
        chance = random.Random(0)  # noqa: S311 - the same configurations at every run
        found: list[Values] = []
        for _ in range(TRIALS):
            if len(found) < POINTS and (known := self._followed(chance)):
                found.append(_Drawn(known, chance))
        return found

    def _followed(self, chance: random.Random) -> Values | None:
        """Return a configuration on the branch on which the mechanism starts."""
        start = dict(self._start)
        if not self._closed(start):
            return None
        steps = {one: self._step(chance, one, value) for one, value in start.items()}
        for number in range(1, STEPS + 1):
            part = mpmath.mpf(number) / STEPS
            moved = {one: self._start[one] + part * step for one, step in steps.items()}
            start |= {one: value for one, value in moved.items() if one not in self._dependent}
            if not self._closed(start, NEAR):
                return None
        with mpmath.workdps(PRECISE):
            return start if self._closed(start) else None

    def _step(self, chance: random.Random, atom: sympy.Expr, value: Any) -> Any:
        if atom not in self.mechanism.names.constants.values():
            return chance.uniform(-TURN, TURN) * (abs(value) or 1)
        return chance.uniform(-SPREAD, SPREAD) * value

    def _closed(self, known: Values, within: float = 0) -> bool:
        """Correct the coordinates that constraints decide; whether that closes the loops."""
        within = max(within, mpmath.mpf(10) ** (GUARD // 2 - mpmath.mp.dps))
        for _ in range(SWEEPS):
            numbers = Numbers(known)
            left = [numbers.value(form) for form in self.equations]
            off = max(map(abs, left), default=0)
            if not self._dependent:  # redundant constraints, which decide nothing
                return bool(off < within)
            rows = [[numbers.value(slope) for slope in row] for row in self._slopes]
            try:
                step = mpmath.lu_solve(mpmath.matrix(rows), -mpmath.matrix(left))
            except (ZeroDivisionError, ValueError):
                return False
            for place, one in enumerate(self._dependent):
                known[one] = known[one] + step[place]
            if max(map(abs, step)) < within:
                return bool(off < mpmath.sqrt(within))  # more equations may contradict each other
        return False

    @cached_property
    def _slopes(self) -> list[list[Form]]:
        return [[self.ring.partial(f, one) for one in self._dependent] for f in self.equations]

    @cached_property
    def _dependent(self) -> list[sympy.Expr]:
        """The coordinates that the constraints decide."""
        moving = self.mechanism
        names = [name for held in self._holonomic_constraints for name in held.dependent]
        speeds = {moving.dependent_speed(name): name for name in names}
        places = [moving.speeds.index(speed) for speed in speeds]
        return [moving.coordinates[place] for place in places]

    @cached_property
    def _start(self) -> Values:
        """Where the mechanism starts, with the numbers of its model."""
        names, model = self.mechanism.names, self.mechanism.model
        values = names.values()
        found = {one: mpmath.mpf(values.get(name, 1)) for name, one in names.constants.items()}
        for name, one in names.coordinates.items():
            found[one] = mpmath.mpf(self._initial(model.coordinates[name].initial, values))
        for name, one in names.inputs.items():
            found[one] = mpmath.mpf(self._initial(model.inputs[name].value, values))
        return {**found, dynamicsymbols._t: mpmath.mpf(0)}

    def _initial(self, initial: Any, values: Mapping[str, float]) -> float:
        try:
            return 0.0 if initial is None else self.mechanism.names.number(initial, values)
        except (ExpressionError, ModelError):
            return 0.0


def _is_far_off(form: Form, known: Values) -> bool:
    """Return whether the terms of a form do not cancel by far, in the machine's numbers."""
    try:
        return not Numbers(known, mpmath.fp).vanishes(form, ROUGH)
    except (KeyError, OverflowError, ZeroDivisionError):
        return False


def _vanishes(form: Form, known: Values) -> bool:
    """Return whether the terms of a form cancel.

    What does not at first may have lost its digits in a root of what cancels itself.
    """
    for digits in (DIGITS, PRECISE):
        with mpmath.workdps(digits):
            if Numbers(known).vanishes(form, digits - DIGITS + GUARD):
                return True
    return False


class _Drawn(dict[sympy.Expr, Any]):
    """The values of a configuration; what else is asked for is drawn."""

    def __init__(self, known: Values, chance: random.Random) -> None:
        super().__init__(known)
        self._chance = random.Random(chance.random())  # noqa: S311 - nothing secret

    def __missing__(self, atom: sympy.Expr) -> Any:
        self[atom] = mpmath.mpf(self._chance.uniform(0.25, 1.75))
        return self[atom]
