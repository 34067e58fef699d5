"""A movement that was found, integrated again: how far off it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.mechanics.mechanism import Mechanism
from freebody.muscles.hill import Musculotendons
from freebody.muscles.paths import MusclePaths
from freebody.optimization.problem import Solution

STEPS = 16
"""Of the fourth-order Runge-Kutta method from node to node."""
FINE = 1e-9
"""The tolerance where muscles are integrated."""


class Forward:
    """The equations of motion integrated with the inputs of a solution.

    Between nodes inputs are parabolas, as the collocation has them.

    Parameters
    ----------
    moving : Mechanism
    solution : Solution

    Attributes
    ----------
    states : array, shape (nodes, parts of a state)
        Those of the solution.
    """

    def __init__(self, moving: Mechanism, solution: Solution) -> None:
        self._rhs = Functions(moving, "numpy")["rhs"]
        self._solution = solution
        self.states = self._at_nodes()
        self._begin = float(solution.times[0])
        self._step = (float(solution.times[-1]) - self._begin) / (len(self.states) - 1)

    def _at_nodes(self) -> Array:
        return np.hstack([self._solution.q, self._solution.u])[::2]

    def whole(self) -> Array:
        """Return the states at the nodes from the first alone, shape (nodes, 2 n)."""
        states = [self.states[0]]
        for number in range(len(self.states) - 1):
            here = np.array([number])
            states.append(self._across(states[-1][None], here)[0])
        return np.array(states)

    def each(self) -> Array:
        """Return the states at the ends of all intervals, from the state at each one's begin."""
        return self._across(self.states[:-1], np.arange(len(self.states) - 1))

    def _across(self, states: Array, intervals: Any) -> Array:
        """Return states an interval later."""
        y, h = states, 1.0 / STEPS
        with np.errstate(all="ignore"):
            for number in range(STEPS):
                s = number * h
                first = self._slope(y, intervals, s)
                second = self._slope(y + h / 2 * first, intervals, s + h / 2)
                third = self._slope(y + h / 2 * second, intervals, s + h / 2)
                fourth = self._slope(y + h * third, intervals, s + h)
                y = y + h / 6 * (first + 2 * second + 2 * third + fourth)
        return y

    def _slope(self, y: Array, intervals: Any, s: float) -> Array:
        """Return the change of states over a whole interval, at a part of it."""
        n, one = self._solution.q.shape[1], self._solution
        given = {
            "t": self._begin + (intervals + s) * self._step,
            "q": y[:, :n],
            "u": y[:, n : 2 * n],
        }
        given |= {"inputs": self._between(one.inputs, intervals, s), "constants": one.constants}
        return np.asarray(self._step * self._rhs.of(given))

    @staticmethod
    def _between(values: Array, intervals: Any, s: float) -> Array:
        """Return the parabolas through nodes and middles, at a part of each interval."""
        left, middle, right = (values[2 * intervals + shift] for shift in range(3))
        return np.asarray(
            left * (2 * s - 1) * (s - 1) + middle * 4 * s * (1 - s) + right * s * (2 * s - 1)
        )


class ExcitedForward(Forward):
    """The same with muscles, which are excited as a solution has them.

    Parameters
    ----------
    moving : Mechanism
    solution : Solution
    known : mapping of str to float
        The constants.
    """

    def __init__(self, moving: Mechanism, solution: Solution, known: Mapping[str, float]) -> None:
        super().__init__(moving, solution)
        model = moving.model
        self._tendons = Musculotendons.of(model, known)
        self._paths = MusclePaths(model, known)
        names = list(model.inputs)
        self._places = [names.index(muscle.tension) for muscle in model.muscles]

    def _at_nodes(self) -> Array:
        one = self._solution
        parts = (one.q, one.u, one.muscles["activation"], one.muscles["fibers"])
        return np.hstack(parts)[::2]

    def _across(self, states: Array, intervals: Any) -> Array:
        from scipy.integrate import solve_ivp  # slow to import

        ends = []
        for state, interval in zip(states, intervals.tolist(), strict=True):
            here = np.array([interval])
            with np.errstate(all="ignore"):  # fibres of little activation are stiff
                run = solve_ivp(
                    lambda s, y, here=here: self._slope(y[None], here, s)[0],
                    (0.0, 1.0),
                    state,
                    method="LSODA",
                    rtol=FINE,
                    atol=FINE,
                )
            ends.append(run.y[:, -1] if run.success else np.full_like(state, np.nan))
        return np.array(ends)

    def _slope(self, y: Array, intervals: Any, s: float) -> Array:
        one, count = self._solution, len(self._tendons.names)
        n, t = one.q.shape[1], self._begin + (intervals + s) * self._step
        q, u, active, fibers = np.split(y, [n, 2 * n, 2 * n + count], axis=1)
        lines = self._paths.at(t, q, u)
        tension, pulling = self._tendons.pulling(lines.length, lines.rate, active, fibers)
        inputs = self._between(one.inputs, intervals, s)
        inputs[:, self._places] = tension
        given = {"t": t, "q": q, "u": u, "inputs": inputs, "constants": one.constants}
        excited = self._between(one.muscles["excitation"], intervals, s)
        rates = [self._rhs.of(given), self._tendons.change(active, excited, pulling)]
        return np.asarray(self._step * np.concatenate(rates, axis=1))
