"""The defect of Taylor series: by how much they miss the equations that they solve."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from freebody.arrays import Array

WATCHED = np.array([0.382, 0.95])
"""The parts of a step at which its series is compared with the equations."""
ROUNDED = 1 + 4 * np.finfo(float).eps
"""A factor close to one, to see what rounding does."""
MARGIN = 10
"""The accepted defect, as a multiple of the rounding errors of the rates."""
FINEST = 4 * np.finfo(float).eps
"""A tolerance that rounding does not reach, whatever is asked for."""

Rates = Callable[[Array, Array], Array]
"""Rates at times, shape (k,), of as many states, shape (n, k)."""


def relative_defect(
    coefficients: Array, begun: Array, steps: Array, rates: Rates, tolerance: float
) -> Array:
    """Return by what the series of steps are off the equations, 1 for what is allowed.

    Allowed is that the state is off by the tolerance at the end of a step, and as much as rates
    are off by rounding alone, which is seen where two ways to work them out differ.

    Parameters
    ----------
    coefficients : array, shape (k, n, order + 1)
    begun, steps : array, shape (k,)
        When steps began and how long they are, in s.
    rates : callable
    tolerance : float
        Absolute, or relative where a state is larger than 1.

    Returns
    -------
    array, shape (k,)
    """
    with np.errstate(all="ignore"):  # what is not finite is off
        later = np.multiply.outer(steps, WATCHED)
        there, slopes = _along(coefficients, later)
        change = _changes(rates, begun[:, None] + later, there)
        whole = steps[None, :, None]
        off = whole * np.abs(slopes - change)
        allowed = max(tolerance, FINEST) * np.maximum(1, np.abs(there))
        doubtful = ~(off <= allowed).all(axis=(0, 2))
        if doubtful.any():
            rounding = _rounding(coefficients[doubtful], begun[doubtful], rates)
            allowed[:, doubtful] += whole[:, doubtful] * rounding
        defects: Array = (off / allowed).max(axis=(0, 2))
    return np.where(np.isfinite(defects), defects, np.inf)


def _along(coefficients: Array, later: Array) -> tuple[Array, Array]:
    """Return states and slopes of series some times after their beginnings, shape (n, k, times)."""
    order = coefficients.shape[2] - 1
    powers = np.vander(later.ravel(), order + 1, increasing=True).reshape(*later.shape, -1)
    both = np.zeros((len(later), order + 1, 2 * len(WATCHED)))
    both[..., : len(WATCHED)] = powers.swapaxes(1, 2)
    both[:, 1:, len(WATCHED) :] = (powers[..., :-1] * np.arange(1, order + 1)).swapaxes(1, 2)
    both_at = np.moveaxis(coefficients @ both, 1, 0)
    return both_at[..., : len(WATCHED)], both_at[..., len(WATCHED) :]


def _changes(rates: Rates, times: Array, states: Array) -> Array:
    """Return the rates of states, of any shape behind the first axis."""
    return rates(times.ravel(), states.reshape(len(states), -1)).reshape(states.shape)


def _rounding(coefficients: Array, begun: Array, rates: Rates) -> Array:
    """Return how far rates are off by rounding alone, shape (n, k, 1)."""
    start, slope = coefficients[:, :, 0].T, coefficients[:, :, 1].T
    first, nearby = (_changes(rates, begun, part) for part in (start, start * ROUNDED))
    return MARGIN * (np.abs(first - slope) + np.abs(first - nearby))[..., None]
