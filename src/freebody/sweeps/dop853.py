"""Many motions integrated at once, a column each, every one with a time and a step of its own.

The method is that of Dormand and Prince of order 8 with errors of order 5 and 3, as in Hairer,
Norsett and Wanner, "Solving Ordinary Differential Equations I" (1993), section II.10; the numbers
are those of `scipy.integrate.DOP853`. What becomes of a motion does not depend on the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from freebody.arrays import Array
from freebody.backends.evaluation import Evaluator
from freebody.simulation.inputs import SampledInputs

Flags = NDArray[np.bool_]

STAGES = int(DOP853.n_stages)
SAFETY, LEAST, MOST = 0.9, 0.2, 10.0
"""How a step follows from the one before: somewhat shorter than it could be, within bounds."""
SHORTEST = 1e-10
"""A step, as a part of the whole time, below which a motion is given up."""


class StateColumns:
    """The rates of many motions.

    Parameters
    ----------
    evaluation : Evaluator
        Of rates and of power in ``t``, ``q``, ``u`` and constants.
    constants : array, shape (N, k)
        A row for each motion.
    samples : SampledInputs
        The inputs that are known over time.
    """

    def __init__(self, evaluation: Evaluator, constants: Array, samples: SampledInputs) -> None:
        known = evaluation.parameters(constants)
        self._kernel, self._splines = evaluation.kernel, samples
        self._x = np.empty((len(evaluation.code.entries), len(constants)))
        end = len(self._x) - len(known)
        self._state, self._sampled = self._x[1 : end - len(samples)], self._x[end - len(samples) :]
        self._x[end:] = known

    def __call__(self, t: Array, y: Array, out: Array) -> None:
        """Write the rates at times, shape (N,), and states, shape (2 n + 1, N), to ``out``."""
        self._x[0], self._state[:] = t, y[: len(self._state)]
        if len(self._splines):
            self._sampled[: len(self._splines)] = _sampled(self._splines, t)
        self._kernel.columns(self._x, out)


def _sampled(samples: SampledInputs, t: Array) -> Array:
    """Return the values of sampled inputs, shape (k, N), each motion at a time of its own."""
    starts = samples.knots[:-1]
    number = np.maximum(0, np.searchsorted(starts, t, side="right") - 1)
    later, pieces = (t - starts[number])[:, None], samples.pieces[number]
    total = pieces[..., 0]
    for power in range(1, pieces.shape[-1]):
        total = total * later + pieces[..., power]
    return total.T


def integrate_columns(rates: StateColumns, y: Array, times: Array, tolerance: float) -> Array:
    """Return the states at some times, shape (N, k, 2 n + 1); what cannot go on is NaN from there.

    Parameters
    ----------
    rates : StateColumns
    y : array, shape (2 n + 1, N)
        The states at the first of the times; the last of each is the work done.
    times : array, shape (k,)
    tolerance : float
        Of the errors of each step, relative and absolute.
    """
    motions = _Motions(rates, y, times, tolerance)
    with np.errstate(all="ignore"):
        while motions.moving.any():
            motions.go_on()
    return motions.found


class _Motions:
    """Where motions are, and the steps that they take next."""

    def __init__(self, rates: StateColumns, y: Array, times: Array, tolerance: float) -> None:
        self._rates, self._times, self._tolerance = rates, times, tolerance
        count = y.shape[1]
        self._t, self._y = np.full(count, times[0]), y.copy()
        self._steps = np.full(count, (times[-1] - times[0]) / (MOST * len(times)))
        self._shortest = SHORTEST * (times[-1] - times[0])
        self._next = np.ones(count, dtype=int)  # of the times
        self.moving = np.full(count, len(times) > 1)
        self.found = np.full((count, len(times), len(y)), np.nan)
        self.found[:, 0] = y.T
        self._K = np.empty((STAGES + 1, *y.shape))
        rates(self._t, self._y, self._K[0])

    def go_on(self) -> None:
        """Have each motion try a step."""
        ends = self._times[np.minimum(self._next, len(self._times) - 1)]
        left = np.where(self.moving, ends - self._t, 0.0)
        last = self._steps * (1 + SHORTEST) >= left
        steps = np.where(last, left, self._steps)
        ahead = self._ahead(steps)
        errors = self._errors(steps, ahead)
        taken = self.moving & (errors < 1)
        self._t = np.where(taken, np.where(last, ends, self._t + steps), self._t)
        self._y = np.where(taken, ahead, self._y)
        self._K[0] = np.where(taken, self._K[-1], self._K[0])
        self._choose(steps, errors, last & taken)
        self._keep(last & taken)
        self.moving &= taken | (self._steps > self._shortest)

    def _choose(self, steps: Array, errors: Array, cut: Flags) -> None:
        """Choose the next steps; one that was cut to end at a time says little of what could be."""
        factors = np.clip(SAFETY * errors**-0.125, LEAST, np.where(errors < 1, MOST, 1.0))
        chosen = steps * factors
        self._steps = np.where(cut, np.maximum(self._steps, chosen), chosen)

    def _keep(self, reached: Flags) -> None:
        """Keep the states of motions that have reached a time."""
        self.found[reached, self._next[reached]] = self._y[:, reached].T
        self._next += reached
        self.moving &= self._next < len(self._times)

    def _ahead(self, steps: Array) -> Array:
        """Return the states one step ahead; their rates are the last of ``K``."""
        K, y = self._K.reshape(STAGES + 1, -1), self._y
        for stage in range(1, STAGES):
            ahead = y + steps * (DOP853.A[stage, :stage] @ K[:stage]).reshape(y.shape)
            self._rates(self._t + DOP853.C[stage] * steps, ahead, self._K[stage])
        ahead = y + steps * (DOP853.B @ K[:STAGES]).reshape(y.shape)
        self._rates(self._t + steps, ahead, self._K[STAGES])
        return ahead

    def _errors(self, steps: Array, ahead: Array) -> Array:
        """Return the error of each motion, 1 for the largest that is allowed."""
        K, shape = self._K.reshape(STAGES + 1, -1), ahead.shape
        scale = self._tolerance * (1 + np.maximum(np.abs(self._y), np.abs(ahead)))
        fifth, third = (
            np.square((weights @ K).reshape(shape) / scale).sum(axis=0)
            for weights in (DOP853.E5, DOP853.E3)
        )
        size = np.sqrt((fifth + 0.01 * third) * shape[0])
        errors: Array = np.where(size == 0, 0.0, steps * fifth / size)
        return np.where(np.isfinite(errors), errors, np.inf)
