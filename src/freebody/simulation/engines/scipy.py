"""The methods of scipy, implicit ones for stiff motion too, with derivatives of the rates."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from scipy.integrate import BDF, DOP853, LSODA, RK23, RK45, Radau
from scipy.optimize import brentq

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.graph.code import Code
from freebody.graph.derivatives import jacobian
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.integrate import IntegrationProblem, Run, follow

IMPLICIT = ("Radau", "BDF")
METHODS = {"LSODA": LSODA, "DOP853": DOP853, "RK45": RK45, "RK23": RK23, "Radau": Radau, "BDF": BDF}
SAMPLES = 5
"""At how many places of a step events are looked for."""
AFTER = 1e-9
"""The time after a jump of the speeds from which events are detected again, in s."""

Slope = Callable[[float, Array], Array]


class ScipyStepper:
    """A method of `scipy.integrate` as a `Stepper`.

    Parameters
    ----------
    problem : IntegrationProblem
        Which says the method.
    slope : callable, optional
        The rates, as a function of time and state.
    options : dict
        More for the method.
    """

    def __init__(
        self, problem: IntegrationProblem, slope: Slope | None = None, **options: Any
    ) -> None:
        self.problem, self._slope = problem, slope or problem.dynamics.change
        self._method: Any = METHODS[problem.method]
        self._options = options
        self.evaluations = 0
        self._failure: SimulationError | None = None
        self.reached = float(problem.times[0])
        self._start(self.reached, problem.augmented_state)
        self._signs = np.sign(problem.events.values(self.t, self.y))
        self._signs[list(problem.opening)] = 1

    def _start(self, t: float, y: Array) -> None:
        tolerance, end = self.problem.tolerance, float(self.problem.times[-1])
        end = max(end, t + AFTER)  # a motion may go on from its very end
        options = {"rtol": tolerance, "atol": tolerance, **self._options}
        options["max_step"] = self.problem.longest
        self._solver = self._method(self._counted, t, y, end, **options)
        self._interpolant: Any = None

    def _counted(self, t: float, y: Array) -> Array:
        self.evaluations += 1
        self.reached = t
        try:
            return self._slope(t, y)
        except SimulationError as failure:
            if self._method is LSODA:  # which goes on with what is not finite
                raise
            self._failure = failure  # of a trial: the method takes a shorter step
            return np.full_like(y, np.nan)

    @property
    def t(self) -> float:
        """The time reached."""
        return float(self._solver.t)

    @property
    def y(self) -> Array:
        """The state there."""
        state: Array = self._solver.y
        return state

    def step(self) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        self._failure = None
        message = self._solver.step()
        if self._solver.status == "failed":
            raise self._failure or self.problem.step_failure(self.reached, self.y, str(message))
        self._interpolant = None

    def at(self, t: float) -> Array:
        """See `freebody.simulation.integrate.Stepper`."""
        if t == self._solver.t:
            return self.y
        if self._interpolant is None:
            self._interpolant = self._solver.dense_output()
        state: Array = self._interpolant(t)
        return state

    def limit(self, longest: float) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        self._solver.max_step = longest

    def set_state(self, y: Array) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        self._solver.y = y
        self._solver.f = self._solver.fun(self.t, y)

    def restart(self, t: float, y: Array) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        self._start(t, y)
        later = y + AFTER * self._slope(t, y)
        self._signs = np.sign(self.problem.events.values(t + AFTER, later))

    # ------------------------------------------------------------------ events

    def crossings(self) -> list[tuple[float, int]]:
        """See `freebody.simulation.integrate.Stepper`."""
        events = self.problem.events
        if not len(events):
            return []
        events_crossed: list[tuple[float, int]] = []
        before = float(self._solver.t_old)
        for t in np.linspace(before, self.t, SAMPLES + 1)[1:].tolist():
            signs = np.sign(events.values(t, self.at(t)))
            changed = signs * self._signs < 0
            signs[signs == 0] = self._signs[signs == 0]  # it has not crossed yet
            numbers = np.flatnonzero(changed & (events.directions * signs >= 0)).tolist()
            events_crossed += [(self._located(number, before, t), number) for number in numbers]
            self._signs, before = signs, t
        return sorted(events_crossed)

    def _located(self, number: int, start: float, end: float) -> float:
        def value(t: float) -> float:
            return float(self.problem.events.values(t, self.at(t))[number])

        first = value(start)
        if first * value(end) >= 0:  # it starts just beyond zero, where speeds were set
            return start
        return float(brentq(value, start, end, xtol=1e-15, rtol=1e-14))


# ------------------------------------------------------------------ slopes


class Slopes:
    """The derivatives of the rates of a state by the state.

    Those of the power are left out: nothing else depends on the work.

    Parameters
    ----------
    dynamics : Dynamics
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.n = dynamics, dynamics.n
        self._driven = len(dynamics.setup.inputs)
        joined = dynamics.joined()
        outputs = ["rhs/q", "rhs/u", *(["rhs/inputs"] if self._driven else [])]
        values = [value for name in outputs for value in joined.put(dynamics.output(name))]
        values += joined.put(_laws(dynamics))
        self._call = dynamics.bound(joined.code("slopes", (len(values),), values))

    def __call__(self, t: float, y: Array) -> Array:
        """Return the derivatives, shape (2 n + 1, 2 n + 1)."""
        n, driven = self.n, self._driven
        derivatives = self._call(float(t), y[:n].copy(), y[n : 2 * n].copy())
        ends = np.cumsum([2 * n * n, 2 * n * n, 2 * n * driven])
        by_q, by_u, by_inputs, laws = np.split(derivatives, ends)
        whole = np.zeros((2 * n + 1, 2 * n + 1))
        whole[: 2 * n, :n] = by_q.reshape(2 * n, n)
        whole[: 2 * n, n : 2 * n] = by_u.reshape(2 * n, n)
        followed = by_inputs.reshape(2 * n, driven) @ laws.reshape(driven, 2 * n)
        whole[: 2 * n, : 2 * n] += followed
        whole[~np.isfinite(whole)] = 0  # at the edge of a contact a power may have none
        return whole


def _laws(dynamics: Dynamics) -> Code:
    """Return the derivatives of the inputs by coordinates and speeds."""
    workspace = dynamics.workspace
    laws = workspace.graph.values(dynamics.setup.inputs.values())
    state = [*workspace.cells["q"], *workspace.cells["u"]]
    entries = list(chain(*jacobian(workspace.graph, laws, state)))
    return workspace.code("laws", entries)


# ------------------------------------------------------------------ the engine


def make_integrator(problem: IntegrationProblem) -> Run:
    """Return what integrates with a method of scipy's `solve_ivp`, step by step.

    The Jacobian of an implicit method is exact: the derivatives of the rates are a program of their
    own. With constraints the state is projected back on them after each step.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.

    References
    ----------
    Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, section IV.8 (Radau).
    """
    options = {"jac": Slopes(problem.dynamics)} if problem.method in IMPLICIT else {}
    method = ScipyStepper(problem, **options)
    return lambda: follow(problem, method)
