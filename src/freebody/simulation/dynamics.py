"""The equations of motion in numbers: accelerations, constraint forces and power."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.backends.constants import Constants
from freebody.backends.evaluation import Call
from freebody.backends.functions import Function
from freebody.backends.registry import load_backend
from freebody.errors import ProgramError, SimulationError
from freebody.graph.cells import Cell
from freebody.graph.code import Code, Variable
from freebody.graph.program import JoinedCode
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import NOT_CONSERVATIVE
from freebody.programs.workspace import Workspace
from freebody.simulation.constraints import RANK, Constraints
from freebody.simulation.inputs import SampledInputs
from freebody.simulation.partition import Partitions
from freebody.simulation.setup import Setup

SUSPECT = 1e9
"""A rate or force above which the condition of the mass matrix is checked."""
SINGULAR = 1e-14
"""Below this reciprocal condition a scaled matrix counts as singular."""


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
    backend : str, optional
        What computes the motion.

    Attributes
    ----------
    functions : Functions
        The outputs of the mechanism by numpy, with inputs among their arguments.
    constants : array
        The values of all constants.
    samples : SampledInputs
        The inputs that are known over time.
    partitions : Partitions or None
        Which speeds depend on the rest, where some equations of the constraints are redundant.

    Raises
    ------
    SimulationError
        If an input is not finite.
    """

    def __init__(self, mechanism: Mechanism, setup: Setup, backend: str = "numpy") -> None:
        self.mechanism, self.setup, self.backend = mechanism, setup, backend
        self.partitions = Partitions(self) if mechanism.is_redundant else None
        self.n, self.m = len(mechanism.speeds), len(mechanism.multipliers)
        self.functions, self.workspace = Functions(mechanism, "numpy"), Workspace(mechanism)
        self.constants = np.array([*setup.constants.values()], dtype=np.float64)
        self._laws = {
            name: self._law(name, law)
            for name, law in setup.inputs.items()
            if name not in setup.sampled
        }
        self.samples = SampledInputs(setup.sampled)

    # ------------------------------------------------------------------ code

    def _law(self, name: str, law: sympy.Expr) -> Code:
        if not law.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
            code = self.workspace.code(name, self.workspace.graph.values([law]))
            if np.isfinite(code.numbers).all():
                return code
        raise SimulationError(_input(name, 0.0))

    def output(self, name: str) -> Code:
        """Return the code of an output, see `freebody.programs`."""
        self.compile([name])
        return self.functions[name].code

    def compile(self, names: Iterable[str]) -> None:
        """Compile outputs that will be asked for; together they take less time than one by one.

        Raises
        ------
        SimulationError
            If the equations do not decide one.
        """
        try:
            self.functions.compile(names)
        except ProgramError as error:
            raise SimulationError(str(error)) from None

    def joined(self) -> JoinedCode:
        """Return what takes ``t``, ``q``, ``u`` and ``constants``, and has the inputs' values.

        Where inputs are sampled, their values are the group ``sampled`` before the constants.
        """
        blank = self.workspace.code("", [])
        known = {**blank.arguments, "sampled": tuple(map(Variable, self.setup.sampled))}
        groups = ("t", "q", "u", "sampled", "constants")
        joined = JoinedCode({name: known[name] for name in groups if known.get(name)})
        sampled = dict(zip(self.setup.sampled, joined.values.get("sampled", []), strict=True))
        for name in self.setup.inputs:
            law = self._laws.get(name)
            joined.add("inputs", [sampled[name]] if law is None else joined.put(law))
        return joined

    def bound(self, code: Code) -> Call:
        """Return a function ``f(t, q, u)`` by the backend."""
        function = Function(code, load_backend(self.backend), Constants.of(self.mechanism.model))
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
        work = joined.put(self.workspace.code("power", [power(self.workspace)]))
        values = [*rates, *work, *forces]
        return joined.code("motion", (len(values),), values)

    @cached_property
    def is_driven(self) -> bool:
        """Whether anything that moves it depends on the time itself."""
        groups = {"t", "sampled"} & self.motion.arguments.keys()
        return any(self.motion.needed(group) for group in groups)

    @cached_property
    def constraints(self) -> Constraints:
        """What keeps states on the constraints."""
        return Constraints(self)

    # ------------------------------------------------------------------ motion

    @cached_property
    def _call(self) -> Call:
        return self.bound(self.motion)

    @cached_property
    def _buffer(self) -> Array:
        return np.empty(self.motion.shape)

    def rates(self, t: float, q: Array, u: Array) -> Rates:
        """Return the rates of the state at a time.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
            Coordinates and generalized speeds.

        Raises
        ------
        SimulationError
            If the mass matrix is singular, or a value is not finite.
        """
        rates = self.motion_rates(t, q, u)
        values = (rates.coordinates, rates.accelerations, rates.multipliers)
        self._examine(t, q, u, np.concatenate(values))
        return rates

    def motion_rates(self, t: float, q: Array, u: Array) -> Rates:
        """Return the same as `rates`, examined only where they are large."""
        n, values = self.n, self._motion_rates(t, q, u).copy()
        return Rates(values[:n], values[n : 2 * n], values[2 * n + 1 :])

    @property
    def present(self) -> Dynamics:
        """What computes the motion at present: itself, or with other dependent speeds."""
        return self.partitions.chosen if self.partitions else self

    def with_mechanism(self, mechanism: Mechanism) -> Dynamics:
        """Return the same numbers for a mechanism with other dependent speeds."""
        return Dynamics(mechanism, self.setup, self.backend)

    def consistent(self, state: Array) -> Array:
        """Return an initial state, shape (2 n,), with what the constraints decide.

        Raises
        ------
        SimulationError
            If there is none.
        """
        if not self.m:
            return state
        return np.concatenate(self.constraints.consistent(*np.split(state, 2)))

    def expect_movable(self, state: Array) -> None:
        """Refuse an initial state, shape (2 n,), from which the equations do not decide a motion.

        Raises
        ------
        SimulationError
            If the mass matrix is singular, or a value is not finite.
        """
        self.rates(0.0, *np.split(state, 2))

    def change(self, t: float, y: Array) -> Array:
        """Return the rates of coordinates, speeds and work, shape (2 n + 1,).

        Parameters
        ----------
        t : float
            In s.
        y : array, shape (2 n + 1,)
            Coordinates, speeds and work.

        Raises
        ------
        SimulationError
            If the mass matrix is singular, or a value is not finite.
        """
        n = self.n
        return self._motion_rates(t, y[:n], y[n : 2 * n])[: 2 * n + 1].copy()

    def _motion_rates(self, t: float, q: Array, u: Array) -> Array:
        values = self.present._call(t, q, u, out=self._buffer)
        if not values.dot(values) < SUSPECT**2:  # nor where one is not finite
            self._examine(t, q, u, values)
        return values

    def _examine(self, t: float, q: Array, u: Array, values: Array) -> None:
        """Tell what makes rates large or not finite, unless they are just large."""
        inputs = self.inputs(np.array([t]), q[None], u[None])[0].tolist()
        for name, value in zip(self.setup.inputs, inputs, strict=True):
            if not np.isfinite(value):
                close = nearby_discontinuities(self.mechanism, self.setup, t, q, u)
                raise SimulationError(f"{_input(name, t)}{close}")
        inertia = self._inertia(t, q, u)
        if np.isfinite(inertia).all() and _is_singular(inertia):
            what = "constraints'" if self._lose_rank(t, q, u) else "mass"
            raise SimulationError(f"the {what} matrix is singular at t = {t:.6g} s")
        if not np.isfinite(values).all():
            raise SimulationError(
                f"a value is not finite at t = {t:.6g} s, where the motion may blow up"
                f"{nearby_discontinuities(self.mechanism, self.setup, t, q, u)}"
            )

    def edges(self, t: float, y: Array) -> str:
        """Return the functions of the model that end or jump close to a state, in words.

        Parameters
        ----------
        t : float
            In s.
        y : array, shape (2 n,) or more
            Coordinates and speeds.
        """
        return nearby_discontinuities(
            self.mechanism, self.setup, t, y[: self.n], y[self.n : 2 * self.n]
        )

    def _inertia(self, t: float, q: Array, u: Array) -> Array:
        M = self.evaluated("mass_matrix", {"t": t, "q": q, "u": u})
        if not self.m:
            return M
        J = self.evaluated("constraint_matrix", {"t": t, "q": q, "u": u})
        J = self.constraints.independent(J)
        return np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])

    def _lose_rank(self, t: float, q: Array, u: Array) -> bool:
        return self.m > 0 and self.constraints.independence(t, q, u)[0] < RANK

    def evaluated(self, name: str, given: Mapping[str, Any]) -> Array:
        """Return an output, of the arguments that it needs.

        Parameters
        ----------
        name : str
            Of the output.
        given : mapping of str to array
            Groups of arguments, without the constants.

        Returns
        -------
        array, shape (..., *shape)
        """
        self.output(name)
        with np.errstate(all="ignore"):
            output: Array = self.functions[name].of({**given, "constants": self.constants})
        return output

    def inputs(self, times: Array, q: Array, u: Array) -> Array:
        """Return the inputs along a motion, shape (times, inputs).

        Parameters
        ----------
        times : array, shape (times,)
            In s.
        q, u : array, shape (times, n)
            Coordinates and generalized speeds.
        """
        if not self.setup.inputs:
            return np.zeros((len(times), 0))
        sampled = (self.samples.along(times),) if self.setup.sampled else ()
        constants = (self.constants,) if len(self.constants) else ()
        values: Array = self._inputs(times, q, u, *sampled, *constants)
        return values

    @cached_property
    def _inputs(self) -> Function:
        joined = self.joined()
        values = joined.values["inputs"]
        code = joined.code("inputs", (len(values),), values)
        return Function(code, load_backend("numpy"), Constants.of(self.mechanism.model))


def _input(name: str, t: float) -> str:
    return f"input '{name}' is not finite at t = {t:.6g} s"


def _is_singular(matrix: Array) -> bool:
    """Return whether a matrix is singular to working precision, whatever its units are."""
    largest = np.abs(matrix).max(axis=1)
    scale = 1 / np.sqrt(np.where(largest > 0, largest, 1))
    return bool(np.linalg.cond(scale[:, None] * matrix * scale) > 1 / SINGULAR)


# ------------------------------------------------------------------ power


def power(workspace: Workspace) -> Cell:
    """Return the power of all that neither gravity nor linear springs do, in W."""
    mechanism, motion = workspace.mechanism, workspace.motion
    total: Cell = workspace.balances.power_of_supports
    for load in mechanism.loads:
        if load.kind in NOT_CONSERVATIVE:
            exerted = motion.vector(load.components, load.frame)
            moving = motion.frame_states[load.on].omega if load.place is None else None
            total = total + exerted.dot(moving or motion.velocity(str(load.place)))
    for symbol, equation in zip(mechanism.multipliers, mechanism.equations, strict=True):
        if not equation.geometric:
            for u in mechanism.speeds:
                slope = equation.slope(motion, u) * motion.value(u)
                total = total + slope * motion.value(symbol)
    return total


# ------------------------------------------------------------------ where functions end

CLOSE = 1e-3
"""How close to its end the argument of a function counts as there."""
MOST = 3
ENDING = (sympy.asin, sympy.acos, sympy.log, sympy.atan2, sympy.tan, sympy.Pow)


def nearby_discontinuities(mechanism: Mechanism, setup: Setup, t: float, q: Array, u: Array) -> str:
    """Return the functions that end or jump close to a state, in words, or nothing.

    Parameters
    ----------
    mechanism : Mechanism
    setup : Setup
        Constants and laws of inputs.
    t : float
        In s.
    q, u : array, shape (n,)
        Coordinates and generalized speeds.

    Examples
    --------
    >>> import freebody
    >>> from freebody.simulation.setup import prepare
    >>> import numpy as np
    >>> moving = freebody.mechanism("pendulum")
    >>> setup = prepare(moving, {}, {}, {"T": "sqrt(1 - theta)"})
    >>> nearby_discontinuities(moving, setup, 0.0, np.array([0.9999]), np.array([0.0]))
    '; close to where sqrt(1 - theta) ends, of 0.0001'
    """
    names = mechanism.names
    numbers: dict[Any, Any] = {names.constants[name]: v for name, v in setup.constants.items()}
    numbers |= dict(zip(mechanism.coordinates, q.tolist(), strict=True))
    numbers |= dict(zip(mechanism.speeds, u.tolist(), strict=True))
    numbers = {symbol: sympy.Float(value) for symbol, value in numbers.items()}
    numbers[dynamicsymbols._t] = sympy.Float(t)
    descriptions = dict.fromkeys(_discontinuities(mechanism, setup, numbers))
    return f"; close to where {', '.join(list(descriptions)[:MOST])}" if descriptions else ""


def _discontinuities(
    mechanism: Mechanism, setup: Setup, numbers: Mapping[Any, Any]
) -> Iterator[str]:
    for expr in _expressions(mechanism, setup):
        for part in sympy.preorder_traversal(expr):
            if what := _discontinuity(part, numbers):
                text = sympy.sstr(mechanism.names.plain(part))
                yield f"{text} {what}"


def _expressions(mechanism: Mechanism, setup: Setup) -> Iterator[sympy.Expr]:
    """Iterate over what may hold functions: motions of joints, laws, loads, masses."""
    for step in mechanism.joint_frames.values():
        yield from (*step.shift, step.angle)
    yield from setup.inputs.values()
    yield from mechanism.laws.values()
    yield from mechanism.potentials.values()
    yield from chain.from_iterable(load.components for load in mechanism.loads)


def _discontinuity(part: sympy.Basic, numbers: Mapping[Any, Any]) -> str:
    """Return what becomes of a function close by, and of which arguments, or nothing."""
    if not isinstance(part, ENDING):
        return ""
    values = [argument.xreplace(numbers) for argument in part.args]
    if any(value.free_symbols or not value.is_number for value in values):
        return ""
    arguments = [complex(value).real for value in values]
    at = ", ".join(f"{value:.3g}" for value in arguments)
    first, last = arguments[0], arguments[-1]
    match part:
        case sympy.asin() | sympy.acos():
            return f"ends, of {at}" if abs(first) > 1 - CLOSE else ""
        case sympy.log():
            return f"ends, of {at}" if first < CLOSE else ""
        case sympy.atan2():
            return f"jumps, of {at}" if abs(first) < CLOSE and last < CLOSE else ""
        case sympy.tan():
            return f"is infinite, of {at}" if abs(sympy.cos(first)) < CLOSE else ""
    if last == int(last):
        return f"is infinite, of {first:.3g}" if last < 0 and abs(first) < CLOSE else ""
    return f"ends, of {first:.3g}" if first < CLOSE else ""
