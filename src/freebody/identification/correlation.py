"""How sure a fit is whose errors are correlated from sample to sample."""

from __future__ import annotations

import numpy as np
from scipy.signal import lfilter

from freebody.arrays import Array

LAGS = 4
"""The part of a recording within which what is left over may be correlated: a fourth."""
ORDER = 40
"""Of the autoregression of what is left over, at the most."""
SAMPLES = 10
"""How many samples there are for each of its coefficients, at the least."""
EVEN = 1e-8
"""The part of white noise that is taken for granted, so that no filter is without an inverse."""


def covariance_of_sum(columns: Array, left: Array, taken: int) -> tuple[Array, int]:
    """Return the covariance of the sum of columns times what is left over, which is correlated.

    What is left over is brought to white noise by its autoregression, and columns through the
    inverse of that filter backwards: the sum is the same. What is correlated still is weighed as
    Newey and West do (1987); to begin with it would be half of the truth, or ten times as much,
    as the noise of accelerations is least where the motion is slow (Andrews and Monahan, An
    improved heteroskedasticity and autocorrelation consistent covariance matrix estimator, 1992).

    Parameters
    ----------
    columns : array, shape (times, n, k)
    left : array, shape (times, n)
    taken : int
        How many values a fit has taken out of what is left over.

    Returns
    -------
    covariance : array, shape (k, k)
    lag : int
        Over how many samples what is left over is correlated.
    """
    whitening = autoregression(left)
    white = lfilter(whitening, [1.0], left, axis=0)
    turned = lfilter([1.0], whitening, columns[::-1], axis=0)[::-1]
    meat = newey_west(np.einsum("tnp,tn->tp", turned, white), lag_of(white))
    freedoms = max(1, left.size - taken) / max(1, left.size)
    return meat / freedoms, lag_of(left)


def autoregression(left: Array) -> Array:
    """Return the filter that makes white noise of what is left over: 1, then its coefficients.

    Those of Yule and Walker, by Levinson's recursion, which are stable; as many as Akaike has it.

    Parameters
    ----------
    left : array, shape (times, n)
        All of one autoregression, each of a size of its own.

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(size=(4000, 1))
    >>> red = lfilter([1.0], [1.0, -0.8], noise, axis=0)
    >>> float(autoregression(red)[1].round(1))
    -0.8
    """
    times = len(left)
    away = left - left.mean(axis=0)
    size = np.sqrt(np.mean(away**2, axis=0))
    away = away[:, size > 0] / size[size > 0]
    order = min(ORDER, times // SAMPLES)
    best = found = np.ones(1)
    if not away.size or order < 1:
        return best
    along = np.array([np.sum(away[k:] * away[: times - k]) for k in range(order + 1)]) / away.size
    unexplained = along[0] = along[0] * (1 + EVEN)
    least = away.size * np.log(unexplained)
    for k in range(1, order + 1):
        reflected = -(along[k] + found[1:] @ along[k - 1 : 0 : -1]) / unexplained
        found = np.append(found, 0.0) + reflected * np.append(0.0, found[::-1])
        unexplained *= 1 - reflected**2
        worth = away.size * np.log(unexplained) + 2 * k
        if worth < least:
            least, best = worth, found
    return best


def newey_west(scores: Array, lag: int) -> Array:
    """Return the covariance of a sum over time, of what is correlated over so many samples.

    Parameters
    ----------
    scores : array, shape (times, k)
    lag : int

    Returns
    -------
    array, shape (k, k)
    """
    meat = scores.T @ scores
    for step in range(1, lag + 1):
        both = scores[step:].T @ scores[:-step]
        meat += (1 - step / (lag + 1)) * (both + both.T)
    return np.asarray(meat)


def lag_of(left: Array) -> int:
    """Return after how many samples what is left over is no longer correlated.

    Parameters
    ----------
    left : array, shape (times, n)
    """
    most = len(left) // LAGS
    away = left - left.mean(axis=0)
    power = float(np.sum(away**2))
    for step in range(1, most):
        if float(np.sum(away[step:] * away[:-step])) < 0.05 * power:
            return step
    return max(0, most)
