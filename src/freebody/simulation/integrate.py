"""Equations of motion integrated by pydy's System."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import ODEintWarning, odeint
from sympy.physics.mechanics import KanesMethod

from freebody.errors import SimulationError
from freebody.mechanics.equations import Equations
from freebody.simulation.numeric import Array, compiled
from freebody.simulation.setup import Setup

STEPS = 100_000
"""The most steps that the integrator takes from one time of the result to the next."""

Progress = Callable[[float], None]
"""Is told the time reached, in s."""


@dataclass(frozen=True)
class Trajectory:
    """What an engine gives.

    Attributes
    ----------
    states : array, shape (times, 2 n)
        Coordinates and speeds.
    work : array, shape (times,)
        Work done since the beginning by all that neither gravity nor springs do, in J.
    evaluations, steps : int
        What it took.
    """

    states: Array
    work: Array
    evaluations: int
    steps: int


def integrate(
    equations: Equations,
    method: KanesMethod,
    setup: Setup,
    times: Array,
    tolerance: float,
    progress: Progress,
) -> Trajectory:
    """Integrate with `pydy.system.System` and scipy's `odeint`.

    The work of inputs and dampers is integrated beside the state, to the same tolerance.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.
    """
    from pydy.system import System  # only a simulation needs it, and it is slow to import

    names = equations.mechanism.names
    inputs = _inputs(equations, setup)
    system = System(method, times=times)
    symbols = {names.constants[name]: value for name, value in setup.constants.items()}
    system.constants = {symbol: symbols[symbol] for symbol in system.constants_symbols}
    states = (*equations.coordinates, *equations.speeds)
    system.initial_conditions = dict(zip(states, setup.state, strict=True))
    used = [symbol for symbol in equations.inputs if symbol in system.specifieds_symbols]
    if used:
        places = [equations.inputs.index(symbol) for symbol in used]
        system.specifieds = {
            "symbols": used,
            "values": lambda x, t: inputs(x, t)[places],
        }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydy warns of its own deprecated ways
        system.generate_ode_function(generator="lambdify")
    solver = _Solver(equations, setup, inputs, tolerance, progress)
    system.ode_solver = solver
    return solver.trajectory(system.integrate())


def _inputs(equations: Equations, setup: Setup) -> Callable[[Array, float], Array]:
    """Return the inputs as a function of the state and time."""
    n = len(equations.coordinates)
    blank, none = np.zeros(n), np.zeros(len(setup.inputs))
    evaluate = compiled(equations.mechanism, list(setup.inputs.values()), setup.constants)

    def inputs(x: Array, t: float) -> Array:
        try:
            with np.errstate(all="ignore"):
                values = np.array(evaluate(t, x[:n], x[n : 2 * n], blank, none))
        except ArithmeticError:
            values = np.array([np.nan])
        if not np.all(np.isfinite(values)):
            raise SimulationError(f"an input is not finite at t = {t:.6g} s")
        return values

    return inputs


class _Solver:
    """What pydy calls in place of scipy's `odeint`: the same, told of and looked after."""

    def __init__(
        self,
        equations: Equations,
        setup: Setup,
        inputs: Callable[[Array, float], Array],
        tolerance: float,
        progress: Progress,
    ) -> None:
        self.n = len(equations.coordinates)
        self.inputs = inputs
        self.tolerance = tolerance
        self.progress = progress
        self.evaluations = 0
        self.reached = 0.0
        self.info: dict[str, Any] = {}
        self.work = np.zeros(0)
        self.failure: BaseException | None = None
        self.power = compiled(equations.mechanism, [_power(equations)], setup.constants)

    def __call__(self, slope: Any, state: Any, times: Array, args: tuple[Any, ...]) -> Array:
        """Integrate as `odeint` does."""

        def extended(y: Array, t: float) -> Array:
            return self._extended(slope, y, t, args)

        start = np.append(state, 0.0)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", ODEintWarning)  # its status is read below
            found, self.info = odeint(
                extended,
                start,
                times,
                rtol=self.tolerance,
                atol=self.tolerance,
                mxstep=STEPS,
                full_output=True,
            )
        self._examine(found, times)
        self.work = found[:, -1]
        return found[:, :-1]

    def trajectory(self, states: Array) -> Trajectory:
        """Return what came out."""
        return Trajectory(states, self.work, self.evaluations, int(self.info["nst"][-1]))

    def _extended(self, slope: Any, y: Array, t: float, args: tuple[Any, ...]) -> Array:
        """Return the rates of the state and of the work done."""
        if self.failure is not None:
            return np.full_like(y, np.nan)
        self.evaluations += 1
        self.reached = t
        try:
            self.progress(t)
            return np.append(self._slope(slope, y[:-1], t, args), self._power(y, t))
        except (SimulationError, KeyboardInterrupt) as failure:
            self.failure = failure  # scipy would swallow it
            return np.full_like(y, np.nan)

    def _slope(self, slope: Any, x: Array, t: float, args: tuple[Any, ...]) -> Array:
        try:
            rates = np.asarray(slope(x, t, *args))
        except np.linalg.LinAlgError:
            raise SimulationError(f"the mass matrix is singular at t = {t:.6g} s") from None
        if not np.all(np.isfinite(rates)):
            raise SimulationError(
                f"an acceleration is not finite at t = {t:.6g} s: the motion blows up, or the mass "
                "matrix is singular"
            )
        return rates

    def _power(self, y: Array, t: float) -> float:
        q, u = y[: self.n], y[self.n : 2 * self.n]
        return float(self.power(t, q, u, u, self.inputs(y, t))[0])

    def _examine(self, found: Array, times: Array) -> None:
        """Read the status that `odeint` returns without a word."""
        if self.failure is not None:
            raise self.failure
        if self.info["message"] != "Integration successful.":
            raise SimulationError(
                f"no step of the tolerance {self.tolerance:g} can be taken at about "
                f"t = {self.reached:.6g} s, where the motion may blow up: {self.info['message']}"
            )
        if not np.all(np.isfinite(found)):
            first = times[np.argmin(np.isfinite(found).all(axis=1))]
            raise SimulationError(f"a value is not finite at t = {first:.6g} s")


def _power(equations: Equations) -> Any:
    """Return the power of all that neither gravity nor springs do."""
    blocks, ring = equations.blocks, equations.blocks.ring
    power = ring.zero
    rows = zip(equations.speeds, blocks.tau, blocks.E, blocks.elastic, strict=True)
    for speed, tau, external, elastic in rows:
        power = power + ring.form(speed) * (tau - external + elastic)
    return ring.expression(power)
