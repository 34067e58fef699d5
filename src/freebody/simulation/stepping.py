"""The methods of scipy, step by step, with events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import BDF, DOP853, LSODA, RK23, RK45, Radau
from scipy.optimize import brentq

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.simulation.integrate import IntegrationProblem

IMPLICIT = ("Radau", "BDF")
METHODS = {"LSODA": LSODA, "DOP853": DOP853, "RK45": RK45, "RK23": RK23, "Radau": Radau, "BDF": BDF}
SAMPLES = 5
"""At how many places of a step events are looked for."""
AFTER = 1e-9
"""How long after speeds were set an event is looked at anew, in s."""

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
        found: Array = self._solver.y
        return found

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
        found: Array = self._interpolant(t)
        return found

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
        found: list[tuple[float, int]] = []
        before = float(self._solver.t_old)
        for t in np.linspace(before, self.t, SAMPLES + 1)[1:].tolist():
            signs = np.sign(events.values(t, self.at(t)))
            changed = signs * self._signs < 0
            signs[signs == 0] = self._signs[signs == 0]  # it has not crossed yet
            numbers = np.flatnonzero(changed & (events.ways * signs >= 0)).tolist()
            found += [(self._located(number, before, t), number) for number in numbers]
            self._signs, before = signs, t
        return sorted(found)

    def _located(self, number: int, start: float, end: float) -> float:
        def value(t: float) -> float:
            return float(self.problem.events.values(t, self.at(t))[number])

        first = value(start)
        if first * value(end) >= 0:  # it starts just beyond zero, where speeds were set
            return start
        return float(brentq(value, start, end, xtol=1e-15, rtol=1e-14))
