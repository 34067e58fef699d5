"""Equations of motion integrated by pydy's System."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from scipy.integrate import DOP853, ODEintWarning, odeint
from sympy.physics.mechanics import dynamicsymbols

from freebody.errors import SimulationError
from freebody.mechanics.mechanism import Mechanism
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.numeric import Array

STEPS = 20_000
"""The most steps that the integrator takes from one time of the result to the next."""

PROJECTED = 1e-14
"""How far off the constraints a state may be."""

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
    dynamics: Dynamics, state: Array, times: Array, tolerance: float, progress: Progress
) -> Trajectory:
    """Integrate with `pydy.system.System`.

    The work of inputs and dampers is integrated beside the state, to the same tolerance. Without
    constraints scipy's `odeint` does it; with them a Runge–Kutta method of order 8, after each of
    whose steps the state is projected back on the constraints.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.

    References
    ----------
    Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006, section IV.4 (projection).
    """
    from pydy.system import System  # only a simulation needs it, and it is slow to import

    mechanism = dynamics.mechanism
    solver = (_Projecting if dynamics.m else _Plain)(dynamics, tolerance, progress)
    names = (*mechanism.coordinates, *mechanism.speeds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydy warns of its own deprecated ways
        system = System(
            _States(mechanism),
            times=times,
            initial_conditions=dict(zip(names, map(float, state), strict=True)),
            ode_solver=solver,
        )
        system.generate_ode_function(generator=lambda *_, **__: solver)
        states = system.integrate()
    return Trajectory(states, solver.work, solver.evaluations, solver.steps)


class _States:
    """What pydy asks of a KanesMethod but for the equations themselves: the function is ours."""

    def __init__(self, mechanism: Mechanism) -> None:
        time = dynamicsymbols._t
        self.q, self.u = sympy.Matrix(mechanism.coordinates), sympy.Matrix(mechanism.speeds)
        self._qdot, self._udot = self.q.diff(time), self.u.diff(time)
        self._uaux: list[sympy.Expr] = []
        self.forcing = self.forcing_full = self.u
        self.mass_matrix = self.mass_matrix_full = sympy.eye(len(self.u))

    def kindiffdict(self) -> dict[sympy.Expr, sympy.Expr]:
        return dict(zip(self._qdot, self.u, strict=True))


class _Solver:
    """What pydy calls in place of a generated function and of scipy's `odeint`."""

    may_be = ""
    """Why else there may be no step."""

    def __init__(self, dynamics: Dynamics, tolerance: float, progress: Progress) -> None:
        self.dynamics = dynamics
        self.tolerance = tolerance
        self.progress = progress
        self.evaluations = self.steps = 0
        self.reached = 0.0
        self.work = np.zeros(0)
        self.failure: BaseException | None = None

    def generate(self) -> Callable[..., Array]:
        """Return the function of pydy's kind that gives the rates of a state and of the work."""
        return self._rates

    def _rates(self, y: Array, t: float, *_: Any) -> Array:
        self.evaluations += 1
        self.reached = t
        self.progress(t)
        n = self.dynamics.n
        q, u = y[:n], y[n : 2 * n]
        rates = self.dynamics.rates(t, q, u)
        power = self.dynamics.power(t, q, u, rates)
        return np.concatenate([rates.coordinates, rates.accelerations, [power]])

    def _examine(self, found: Array, times: Array) -> Array:
        if not np.all(np.isfinite(found)):
            first = times[np.argmin(np.isfinite(found).all(axis=1))]
            raise SimulationError(f"a value is not finite at t = {first:.6g} s")
        self.work = found[:, -1]
        return found[:, :-1]

    def _stuck(self, message: str) -> SimulationError:
        return SimulationError(
            f"no step of the tolerance {self.tolerance:g} can be taken at about "
            f"t = {self.reached:.6g} s, where the motion may blow up{self.may_be}: {message}"
        )


class _Plain(_Solver):
    """Without constraints: `odeint`, told of and looked after."""

    def __call__(self, slope: Any, state: Any, times: Array, args: Any) -> Array:
        """Integrate as `odeint` does."""

        def guarded(y: Array, t: float) -> Array:
            if self.failure is None:
                try:
                    return np.asarray(slope(y, t, *args))
                except (SimulationError, KeyboardInterrupt) as failure:
                    self.failure = failure  # scipy would swallow it
            return np.full_like(y, np.nan)

        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", ODEintWarning)  # its status is read below
            found, info = odeint(
                guarded,
                np.append(state, 0.0),
                times,
                rtol=self.tolerance,
                atol=self.tolerance,
                mxstep=STEPS,
                full_output=True,
            )
        if self.failure is not None:
            raise self.failure
        if info["message"] != "Integration successful.":
            raise self._stuck(info["message"])
        self.steps = int(info["nst"][-1])
        return self._examine(found, times)


class _Projecting(_Solver):
    """With constraints: a Runge–Kutta method with projection."""

    may_be = " or the constraints lose rank"

    def __call__(self, slope: Any, state: Any, times: Array, args: Any) -> Array:
        """Integrate as `odeint` does."""
        method = DOP853(
            lambda t, y: np.asarray(slope(y, t, *args)),
            times[0],
            np.append(state, 0.0),
            times[-1],
            rtol=self.tolerance,
            atol=self.tolerance,
        )
        found = np.empty((len(times), len(method.y)))
        found[0] = method.y
        done, taken = 1, 0
        while done < len(times):
            message = method.step()
            if method.status == "failed":
                raise self._stuck(str(message))
            self.steps += 1
            taken += 1
            if taken > STEPS:
                raise self._stuck(f"{STEPS} steps were not enough")
            passed = np.searchsorted(times, method.t, side="right")
            for number in range(done, passed):
                exact = times[number] == method.t
                state_there = method.y if exact else method.dense_output()(times[number])
                found[number] = self._projected(times[number], state_there)
            if passed > done:
                done, taken = passed, 0
            method.y = self._projected(method.t, method.y)
            method.f = method.fun(method.t, method.y)
        return self._examine(found, times)

    def _projected(self, t: float, y: Array) -> Array:
        n = self.dynamics.n
        q, u = self.dynamics.projected(t, y[:n], y[n : 2 * n], PROJECTED)
        return np.concatenate([q, u, y[2 * n :]])
