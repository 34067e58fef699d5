"""pydy's System, which integrates a compiled function."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import sympy
from pydy.system import System
from scipy.integrate import ODEintWarning, odeint
from sympy.physics.mechanics import dynamicsymbols

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.mechanics.mechanism import Mechanism
from freebody.simulation import integrate as common
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.engines.scipy import ScipyStepper
from freebody.simulation.integrate import IntegrationProblem, Run, Trajectory, follow

LEAST = 1e-290
"""A rate below which LSODA is given zero: it divides by rates, which would overflow."""
EVERY = 16
"""The number of evaluations between two reports of progress."""


def make_integrator(problem: IntegrationProblem) -> Run:
    """Return what integrates with `pydy.system.System`.

    System is given a compiled function of the rates and the solver that it calls; its own way, a
    `KanesMethod` on frames and points, is what `freebody.pydy_system` gives. The work of inputs and
    dampers is integrated beside the state, to the same tolerance. LSODA without events is scipy's
    `odeint`; all else goes step by step, and with constraints the state is projected back on them
    after each.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.
    """
    solver, mechanism = _Solver(problem), problem.dynamics.mechanism
    names = (*mechanism.coordinates, *mechanism.speeds)
    system = System(
        _States(mechanism),
        times=problem.times,
        initial_conditions=dict(zip(names, map(float, problem.state), strict=True)),
        ode_solver=solver,
    )
    with _quiet():
        system.generate_ode_function(generator=Generator(problem.dynamics))

    def run() -> Trajectory:
        with _quiet():
            system.integrate()
        return solver.trajectory

    return run


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydy warns of its own deprecated ways
        yield


class Generator:
    """What pydy asks for a function: it gives a compiled one.

    Parameters
    ----------
    dynamics : Dynamics
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics = dynamics

    def __call__(self, *_: Any, **__: Any) -> Generator:
        """Return itself, whatever pydy says of the equations."""
        return self

    def generate(self) -> Callable[..., Array]:
        """Return the function of pydy's kind that gives the rates of a state and of the work."""
        change = self.dynamics.change

        def slope(y: Array, t: float, *_: Any) -> Array:
            rates = change(t, y)
            rates[np.abs(rates) < LEAST] = 0.0
            return rates

        return slope


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
    """What pydy calls in place of scipy's `odeint`."""

    trajectory: Trajectory

    def __init__(self, problem: IntegrationProblem) -> None:
        self.problem = problem
        self.evaluations = 0
        self.reached, self._state = 0.0, problem.augmented_state
        self.failure: BaseException | None = None

    def __call__(self, slope: Any, _: Any, times: Array, args: Any) -> Array:
        """Integrate as `odeint` does."""
        problem = self.problem
        if problem.method == "LSODA" and not len(problem.events):
            self.trajectory = self._whole(slope, times, args)
        else:
            stepper = ScipyStepper(problem, lambda t, y: np.asarray(slope(y, t, *args)))
            self.trajectory = follow(problem, stepper)
        return self.trajectory.states

    def _whole(self, slope: Any, times: Array, args: Any) -> Trajectory:
        """Integrate by `odeint`, told of and looked after."""
        tolerance = self.problem.tolerance
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", ODEintWarning)  # its status is read below
            states, info = odeint(
                self._guarded(slope, args),
                self.problem.augmented_state,
                times,
                rtol=tolerance,
                atol=tolerance,
                mxstep=common.STEPS,
                hmax=self.problem.longest,
                full_output=True,
            )
        if self.failure is not None:
            raise self.failure
        if info["message"] != "Integration successful.":
            raise self.problem.step_failure(self.reached, self._state, info["message"])
        return Trajectory.of(times, states, self.evaluations, int(info["nst"][-1]))

    def _guarded(self, slope: Any, args: Any) -> Callable[[Array, float], Array]:
        """Return the rates; a failure is kept, which scipy would swallow."""

        def guarded(y: Array, t: float) -> Array:
            if self.failure is None:
                try:
                    self.evaluations += 1
                    self.reached, self._state = t, y.copy()
                    if self.evaluations % EVERY == 0:
                        self.problem.progress(t)
                    rates: Array = slope(y, t, *args)
                    return rates
                except (SimulationError, KeyboardInterrupt) as failure:
                    self.failure = failure
            return np.full_like(y, np.nan)

        return guarded
