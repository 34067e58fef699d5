"""The equations of motion in numbers: accelerations, constraint forces and power."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.backends.bound import Call
from freebody.backends.code import LITERAL, Code, Quantity
from freebody.backends.compile import Functions
from freebody.backends.constants import Constants
from freebody.backends.functions import Function
from freebody.backends.registry import backend as backend_module
from freebody.errors import SimulationError
from freebody.mechanics.balances import Balances
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program, Tape
from freebody.programs.errors import ProgramError
from freebody.simulation.joined import Joined, written
from freebody.simulation.sampled import Samples
from freebody.simulation.setup import Setup

CONSERVATIVE = ("gravity", "elastic")
CONSISTENT = 1e-14
UNMET = 1e-9
"""How far off its constraints an initial state may be, and from where on they are not met."""
SUSPECT = 1e9
"""A rate or force above which the mass matrix is looked at."""
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


@dataclass(frozen=True)
class Held:
    """How a state is held.

    Attributes
    ----------
    residual, rate : array, shape (m,)
        What is left of the constraints between coordinates, and between speeds.
    J : array, shape (m, n)
        The constraints' matrix.
    N : array, shape (n, n)
        The rates of the coordinates, by the speeds.
    """

    residual: Array
    rate: Array
    J: Array
    N: Array


class Dynamics:
    """A mechanism with numbers for everything but its state.

    Parameters
    ----------
    mechanism : Mechanism
    setup : Setup
    backend : str, optional
        What computes the motion.

    Attributes
    ----------
    functions : Functions
        The outputs of the mechanism by numpy, with inputs among their arguments.
    constants : array
        The values of all constants.
    samples : Samples
        The inputs that are known over time.

    Raises
    ------
    SimulationError
        If an input is not finite.
    """

    def __init__(self, mechanism: Mechanism, setup: Setup, backend: str = "numpy") -> None:
        self.mechanism, self.setup, self.backend = mechanism, setup, backend
        self.n, self.m = len(mechanism.speeds), len(mechanism.multipliers)
        self.functions = Functions(mechanism, "numpy")
        self.constants = np.array([*setup.constants.values()], dtype=np.float64)
        self.holonomic = np.array([e.holonomic for e in mechanism.equations], dtype=bool)
        self._laws = {
            name: self._law(name, law)
            for name, law in setup.inputs.items()
            if name not in setup.sampled
        }
        self.samples = Samples(setup.sampled)

    # ------------------------------------------------------------------ code

    def _law(self, name: str, law: sympy.Expr) -> Code:
        code = written(self.mechanism, name, Program({}, {name: (law,)}))
        if any(step[0] == LITERAL and not np.isfinite(step[1]) for step in code.steps):
            raise SimulationError(_input(name, 0.0))
        return code

    def output(self, name: str) -> Code:
        """Return the code of an output, see `freebody.programs`."""
        try:
            return self.functions[name].code
        except ProgramError as error:
            raise SimulationError(str(error)) from None

    def joined(self) -> Joined:
        """Return what takes ``t``, ``q``, ``u`` and ``constants``, and has the inputs' values.

        Where inputs are sampled, their values are the group ``sampled`` before the constants.
        """
        blank = written(self.mechanism, "", Program({}, {"": ()}))
        known = {**blank.arguments, "sampled": tuple(map(Quantity, self.setup.sampled))}
        groups = ("t", "q", "u", "sampled", "constants")
        joined = Joined({name: known[name] for name in groups if known[name]})
        sampled = dict(zip(self.setup.sampled, joined.values.get("sampled", []), strict=True))
        for name in self.setup.inputs:
            law = self._laws.get(name)
            joined.add("inputs", [sampled[name]] if law is None else joined.put(law))
        return joined

    def bound(self, code: Code) -> Call:
        """Return a function ``f(t, q, u)`` by the backend."""
        function = Function(code, backend_module(self.backend), Constants(self.mechanism.model))
        call = function.bind(self.constants)
        if not self.setup.sampled:
            return call
        return lambda t, q, u, **out: call(t, q, u, self.samples(t), **out)

    @cached_property
    def motion(self) -> Code:
        """Rates of coordinates, speeds and work, and the forces of the constraints."""
        joined = self.joined()
        rates = joined.put(self.output("rhs"))
        joined.add("a", rates[self.n :])
        forces = joined.put(self.output("multipliers")) if self.m else []
        joined.add("multipliers", forces)
        work = joined.put(written(self.mechanism, "power", _power(self.mechanism)))
        values = [*rates, *work, *forces]
        return joined.code("motion", (len(values),), values)

    # ------------------------------------------------------------------ motion

    @cached_property
    def _call(self) -> Call:
        return self.bound(self.motion)

    @cached_property
    def _found(self) -> Array:
        return np.empty(self.motion.shape)

    def rates(self, t: float, q: Array, u: Array) -> Rates:
        """Return the rates of the state at a time.

        Raises
        ------
        SimulationError
            If the mass matrix is singular, or a value is not finite.
        """
        n, found = self.n, self._moving(t, q, u).copy()
        self._examine(t, q, u, found)
        return Rates(found[:n], found[n : 2 * n], found[2 * n + 1 :])

    def change(self, t: float, y: Array) -> Array:
        """Return the rates of coordinates, speeds and work, shape (2 n + 1,).

        Raises
        ------
        SimulationError
            If the mass matrix is singular, or a value is not finite.
        """
        n = self.n
        return self._moving(t, y[:n], y[n : 2 * n])[: 2 * n + 1].copy()

    def _moving(self, t: float, q: Array, u: Array) -> Array:
        found = self._call(t, q, u, out=self._found)
        if not found.dot(found) < SUSPECT**2:  # nor where one is not finite
            self._examine(t, q, u, found)
        return found

    def _examine(self, t: float, q: Array, u: Array, found: Array) -> None:
        """Tell what makes rates large or not finite, unless they are just large."""
        inputs = self.inputs(np.array([t]), q[None], u[None])[0].tolist()
        for name, value in zip(self.setup.inputs, inputs, strict=True):
            if not np.isfinite(value):
                raise SimulationError(_input(name, t))
        inertia = self._inertia(t, q, u)
        if np.isfinite(inertia).all() and _is_singular(inertia):
            raise SimulationError(f"the mass matrix is singular at t = {t:.6g} s")
        if not np.isfinite(found).all():
            raise SimulationError(
                f"a value is not finite at t = {t:.6g} s, where the motion may blow up"
            )

    def _inertia(self, t: float, q: Array, u: Array) -> Array:
        M = self.evaluated("mass_matrix", {"t": t, "q": q, "u": u})
        if not self.m:
            return M
        J = self.evaluated("constraint_matrix", {"t": t, "q": q, "u": u})
        return np.block([[M, -J.T], [J, np.zeros((self.m, self.m))]])

    def evaluated(self, name: str, given: Mapping[str, Any]) -> Array:
        """Return an output, of the arguments that it needs."""
        self.output(name)
        function = self.functions[name]
        known = {**given, "constants": self.constants}
        with np.errstate(all="ignore"):
            found: Array = function(**{group: known[group] for group in function.arguments})
        return found

    def inputs(self, times: Array, q: Array, u: Array) -> Array:
        """Return the inputs along a motion, shape (times, inputs)."""
        if not self.setup.inputs:
            return np.zeros((len(times), 0))
        sampled = (self.samples.along(times),) if self.setup.sampled else ()
        constants = (self.constants,) if len(self.constants) else ()
        found: Array = self._inputs(times, q, u, *sampled, *constants)
        return found

    @cached_property
    def _inputs(self) -> Function:
        joined = self.joined()
        values = joined.values["inputs"]
        code = joined.code("inputs", (len(values),), values)
        return Function(code, backend_module("numpy"), Constants(self.mechanism.model))

    # ------------------------------------------------------------------ constraints

    @cached_property
    def _holding(self) -> Call:
        joined = self.joined()
        slopes = written(self.mechanism, "N", _slopes(self.mechanism))
        parts = (self.output("constraint_residuals"), self.output("constraint_matrix"), slopes)
        values = [value for part in parts for value in joined.put(part)]
        return self.bound(joined.code("held", (len(values),), values))

    def _held(self, t: float, q: Array, u: Array) -> Held:
        found, n, m = self._holding(t, q, u), self.n, self.m
        if not np.isfinite(found).all():
            self._moving(t, q, u)
            raise SimulationError(f"the constraints are not finite at t = {t:.6g} s")
        residual, rate, J, N = np.split(found, np.cumsum([m, m, m * n]))
        return Held(residual, rate, J.reshape(m, n), N.reshape(n, n))

    def projected(self, t: float, q: Array, u: Array, tolerance: float) -> tuple[Array, Array]:
        """Return the nearest state that the constraints allow.

        Raises
        ------
        SimulationError
            If there is none nearby.
        """
        for _ in range(20):
            found = self._held(t, q, u)
            J, N = found.J, found.N
            off = found.residual[self.holonomic]
            if np.all(np.abs(off) <= tolerance * self._size(J, q)):
                return q, u - np.linalg.lstsq(J, found.rate, rcond=RANK)[0]
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
            found = self._held(0.0, q, u)
            J = found.J
            off = found.residual[self.holonomic]
            size = self._size(J, q)
            if np.all(np.abs(off) < CONSISTENT * size):
                break
            slopes = J[self.holonomic] @ np.linalg.inv(found.N)
            step = np.linalg.lstsq(slopes[:, coordinates], -off, rcond=RANK)[0]
            q[coordinates] += np.clip(step, -0.5, 0.5)
        self._expect_solved(off, size)
        self._expect_independent(J, speeds)
        still = u.copy()
        still[speeds] = 0
        bias = found.rate - J @ u
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


def _input(name: str, t: float) -> str:
    return f"input '{name}' is not finite at t = {t:.6g} s"


def _is_singular(matrix: Array) -> bool:
    """Return whether a matrix is singular to working precision, whatever its units are."""
    largest = np.abs(matrix).max(axis=1)
    scale = 1 / np.sqrt(np.where(largest > 0, largest, 1))
    return bool(np.linalg.cond(scale[:, None] * matrix * scale) > 1 / SINGULAR)


def _slopes(mechanism: Mechanism) -> Program:
    """Return the matrix N of the rates of the coordinates, by the speeds."""
    rates = sympy.ImmutableMatrix(list(mechanism.kinematics.values()))
    tape = Tape()
    return Program.of(
        tape.assignments, {"N": tape.values(rates.jacobian(sympy.Matrix(mechanism.speeds)))}
    )


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
