"""The equations of motion in numbers: accelerations, constraint forces and power."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from freebody.errors import SimulationError
from freebody.mechanics.balances import Balances
from freebody.mechanics.constraints import rows
from freebody.mechanics.kane import program
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program, Tape
from freebody.simulation.numeric import Array, Function, compiled
from freebody.simulation.setup import Setup

CONSERVATIVE = ("gravity", "elastic")
CONSISTENT = 1e-14
UNMET = 1e-9
"""How far off its constraints an initial state may be, and from where on they are not met."""
SUSPECT = 1e9
"""An acceleration or force above which the mass matrix is looked at."""
SINGULAR = 1e-14
"""Below this reciprocal condition a scaled matrix counts as singular."""
RANK = 1e-9
"""Below this part of the largest, a singular value counts as zero."""


@dataclass(frozen=True)
class Rates:
    """How a state changes.

    Attributes
    ----------
    coordinates : array, shape (n,)
        Their rates.
    accelerations : array, shape (n,)
        The derivatives of the speeds.
    multipliers : array, shape (m,)
        The forces of the constraints.
    """

    coordinates: Array
    accelerations: Array
    multipliers: Array


class Dynamics:
    """A mechanism with numbers for everything but its state.

    Parameters
    ----------
    mechanism : Mechanism
    setup : Setup

    Attributes
    ----------
    program : Program
        The blocks of the equations by Kane's method.
    """

    def __init__(self, mechanism: Mechanism, setup: Setup) -> None:
        self.mechanism, self.setup = mechanism, setup
        self.n, self.m = len(mechanism.speeds), len(mechanism.multipliers)
        self._blank = (np.zeros(self.n), np.zeros(self.m))
        self.program = program(mechanism, laws=True)
        self._equations = self._compiled(_equations(mechanism, self.program))
        self.holonomic = np.array([e.holonomic for e in mechanism.equations], dtype=bool)

    def _compiled(self, written: Program) -> Function:
        return compiled(written, self.mechanism, self.setup.constants, self.setup.inputs)

    def rates(self, t: float, q: Array, u: Array) -> Rates:
        """Return the rates of the state at a time.

        Raises
        ------
        SimulationError
            If the mass matrix is singular, or a value is not finite.
        """
        found = self._evaluated(self._equations, t, q, u, *self._blank)
        inertia, forcing = found["M"].reshape(self.n, self.n), found["forcing"]
        if self.m:
            J = found["J"].reshape(self.m, self.n)
            inertia = np.block([[inertia, -J.T], [J, np.zeros((self.m, self.m))]])
            forcing = np.concatenate([forcing, -found["gamma"]])
        try:
            solved = np.linalg.solve(inertia, forcing).astype(np.float64)
        except np.linalg.LinAlgError:
            raise _singular(t) from None
        if np.abs(solved).max() > SUSPECT and _is_singular(inertia):
            raise _singular(t)
        if not np.all(np.isfinite(solved)):
            raise SimulationError(
                f"an acceleration is not finite at t = {t:.6g} s: the motion blows up, or the mass "
                "matrix is singular"
            )
        return Rates(found["rates"], solved[: self.n], solved[self.n :])

    def power(self, t: float, q: Array, u: Array, rates: Rates) -> float:
        """Return the power of all that neither gravity nor linear springs do."""
        found = self._evaluated(self._power, t, q, u, rates.accelerations, rates.multipliers)
        return float(found["power"][0])

    @cached_property
    def _power(self) -> Function:
        return self._compiled(_power(self.mechanism))

    def _evaluated(self, function: Function, t: float, *moving: Array) -> dict[str, Array]:
        try:
            found = function(t, *moving)
        except (ArithmeticError, ValueError):
            found = {"forcing": np.array([np.nan])}
        if not all(np.all(np.isfinite(part)) for part in found.values()):
            raise SimulationError(self._not_finite(t, *moving))
        return found

    def _not_finite(self, t: float, *moving: Array) -> str:
        """Tell what is not finite: an input, or else a value of the equations."""
        inputs = self.mechanism.names.inputs.values()
        for name, symbol in zip(self.setup.inputs, inputs, strict=True):
            function = self._compiled(Program.of({}, {"input": [symbol]}))
            try:
                finite = bool(np.isfinite(function(t, *moving)["input"]).all())
            except (ArithmeticError, ValueError):
                finite = False
            if not finite:
                return f"input '{name}' is not finite at t = {t:.6g} s"
        return f"a value is not finite at t = {t:.6g} s, where the motion may blow up"

    # ------------------------------------------------------------------ constraints

    @cached_property
    def _held(self) -> Function:
        return self._compiled(_held(self.mechanism))

    def residuals(self, t: float, q: Array, u: Array) -> Array:
        """Return how far off the constraints a state is, m entries: see `Equation.residual`."""
        return self._evaluated(self._held, t, q, u, *self._blank)["residual"]

    def projected(self, t: float, q: Array, u: Array, tolerance: float) -> tuple[Array, Array]:
        """Return the nearest state that the constraints allow.

        Raises
        ------
        SimulationError
            If there is none nearby.
        """
        for _ in range(20):
            found = self._evaluated(self._held, t, q, u, *self._blank)
            J, N = found["J"].reshape(self.m, self.n), found["N"].reshape(self.n, self.n)
            off = found["residual"][self.holonomic]
            if np.all(np.abs(off) <= tolerance * self._size(J, q)):
                return q, u - np.linalg.lstsq(J, found["rate"], rcond=RANK)[0]
            q = q - N @ np.linalg.lstsq(J[self.holonomic], off, rcond=RANK)[0]
        raise SimulationError(f"the constraints cannot be kept at t = {t:.6g} s")

    def consistent(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return a state with what the constraints decide worked out of the rest.

        Raises
        ------
        SimulationError
            If there is none, or the constraints do not decide it, or some follow from the others.
        """
        moving = self.mechanism
        named = [(held, name) for held in moving.constraints for name in held.dependent]
        speeds = [moving.speeds.index(moving.dependent_speed(name)) for _, name in named]
        coordinates = [speeds[i] for i in np.flatnonzero(self.holonomic)]
        q, u = q.copy(), u.copy()
        for _ in range(100):
            found = self._evaluated(self._held, 0.0, q, u, *self._blank)
            J = found["J"].reshape(self.m, self.n)
            off = found["residual"][self.holonomic]
            size = self._size(J, q)
            if np.all(np.abs(off) < CONSISTENT * size):
                break
            N = found["N"].reshape(self.n, self.n)
            slopes = J[self.holonomic] @ np.linalg.inv(N)
            step = np.linalg.lstsq(slopes[:, coordinates], -off, rcond=RANK)[0]
            q[coordinates] += np.clip(step, -0.5, 0.5)
        self._expect_solved(off, size)
        self._expect_independent(J, speeds)
        still = u.copy()
        still[speeds] = 0
        bias = found["rate"] - J @ u
        u[speeds] = np.linalg.solve(J[:, speeds], -(bias + J @ still))
        return q, u

    def _size(self, J: Array, q: Array) -> Array:
        """Return how large the holonomic constraints are, to tell what is left from rounding."""
        slopes = np.abs(J[self.holonomic]).max(axis=1, initial=0.0)
        return np.maximum(1.0, slopes * max(1.0, float(np.abs(q).max())))

    def _expect_solved(self, off: Array, size: Array) -> None:
        if np.any(np.abs(off) > UNMET * size):
            labels = np.array(self._labels)[self.holonomic]
            worst = int(np.abs(off).argmax())
            raise SimulationError(
                f"constraint '{labels[worst]}' cannot be met from the initial values: "
                f"{off[worst]:.3g} is left over; expected other initial values, or constraints "
                "that do not contradict each other"
            )

    def _expect_independent(self, J: Array, speeds: list[int]) -> None:
        for row in range(self.m):
            if np.linalg.matrix_rank(J[: row + 1], tol=RANK * max(1.0, np.abs(J).max())) <= row:
                raise SimulationError(
                    f"constraint '{self._labels[row]}' follows from the others at the initial "
                    "values: it is redundant, or the mechanism is in a singular position"
                )
        if np.linalg.matrix_rank(J[:, speeds], tol=RANK * max(1.0, np.abs(J).max())) < self.m:
            names = ", ".join(self.mechanism.dependent)
            raise SimulationError(
                f"the constraints do not decide {names}: expected others as 'dependent'"
            )

    @property
    def _labels(self) -> list[str]:
        return [str(symbol.func) for symbol in self.mechanism.multipliers]


def _singular(t: float) -> SimulationError:
    return SimulationError(f"the mass matrix is singular at t = {t:.6g} s")


def _is_singular(matrix: Array) -> bool:
    """Return whether a matrix is singular to working precision, whatever its units are."""
    largest = np.abs(matrix).max(axis=1)
    scale = 1 / np.sqrt(np.where(largest > 0, largest, 1))
    return bool(np.linalg.cond(scale[:, None] * matrix * scale) > 1 / SINGULAR)


def _equations(mechanism: Mechanism, written: Program) -> Program:
    parts = (written.outputs[name] for name in ("tau", "C", "G", "elastic", "external"))
    forcing = [tau - sum(rest) for tau, *rest in zip(*parts, strict=True)]
    outputs = {name: written.outputs[name] for name in ("M", "J", "gamma")}
    rates = tuple(mechanism.kinematics.values())
    return Program.of(written.assignments, {**outputs, "forcing": forcing, "rates": rates})


def _held(mechanism: Mechanism) -> Program:
    tape = Tape()
    rates = sympy.ImmutableMatrix(list(mechanism.kinematics.values()))
    N = tape.values(rates.jacobian(sympy.Matrix(mechanism.speeds)))
    found = rows(Kinematics(mechanism, tape, still=True))
    return Program.of(tape.assignments, {"N": N, **found})


def _power(mechanism: Mechanism) -> Program:
    tape = Tape()
    return Program.of(tape.assignments, {"power": [power(mechanism, tape)]})


def power(mechanism: Mechanism, tape: Tape) -> Any:
    """Return the power of all that neither gravity nor linear springs do."""
    motion = Kinematics(mechanism, tape, laws=True)
    total = Balances(motion).power_of_supports
    for load in mechanism.loads:
        if load.kind not in CONSERVATIVE:
            exerted = motion.vector(load.components, load.frame)
            moving = motion.carriers[load.on].omega if load.place is None else None
            total = total + exerted.dot(moving or motion.velocity(str(load.place)))
    for symbol, equation in zip(mechanism.multipliers, mechanism.equations, strict=True):
        if not equation.geometric:
            for u in mechanism.speeds:
                slope = equation.slope(motion, u) * motion.value(u)
                total = total + slope * motion.value(symbol)
    return total
