"""A movement that was found, integrated again: how far off it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.mechanics.mechanism import Mechanism
from freebody.optimization.problem import Solution

STEPS = 16
"""Of the fourth-order Runge-Kutta method from node to node."""


class Forward:
    """The equations of motion integrated with the inputs of a solution.

    Between nodes inputs are parabolas, as the collocation has them.

    Parameters
    ----------
    moving : Mechanism
    solution : Solution
    """

    def __init__(self, moving: Mechanism, solution: Solution) -> None:
        self._rhs = Functions(moving, "numpy")["rhs"]
        self._solution = solution
        self._states = np.hstack([solution.q, solution.u])[::2]
        self._step = float(solution.times[-1]) / (len(self._states) - 1)

    def whole(self) -> Array:
        """Return the states at the nodes from the first alone, shape (nodes, 2 n)."""
        states = [self._states[0]]
        for number in range(len(self._states) - 1):
            here = np.array([number])
            states.append(self._across(states[-1][None], here)[0])
        return np.array(states)

    def each(self) -> Array:
        """Return the states at the ends of all intervals, from the state at each one's begin."""
        return self._across(self._states[:-1], np.arange(len(self._states) - 1))

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
        n, one = y.shape[1] // 2, self._solution
        left, middle, right = (one.inputs[2 * intervals + shift] for shift in range(3))
        inputs = left * (2 * s - 1) * (s - 1) + middle * 4 * s * (1 - s) + right * s * (2 * s - 1)
        given = {"t": (intervals + s) * self._step, "q": y[:, :n], "u": y[:, n:]}
        given |= {"inputs": inputs, "constants": one.constants}
        return np.asarray(self._step * self._rhs.of(given))
