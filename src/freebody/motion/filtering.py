"""Zero-lag low-pass filtering, and Winter's choice of its cut-off by residual analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array, Series
from freebody.errors import MotionError, Problem, nearest

METHODS = ("spline", "difference")
DEGREE = 5
LEAST_SAMPLES = DEGREE + 1


class Differentiated(NamedTuple):
    """Coordinates with their derivatives, each of shape (time, n), and how they were found."""

    coordinates: Array
    speeds: Array
    accelerations: Array
    choice: str


def differentiated(
    times: Array, values: Array, method: str, noise: float, source: str
) -> Differentiated:
    """Return sampled coordinates with their derivatives; see `Motion.differentiated`.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    values : array, shape (time, n)
    method : {"spline", "difference"}
    noise : float
        Standard deviation of the noise that splines smooth; 0 for none.
    source : str
        What messages call the motion.

    Raises
    ------
    MotionError
        If the method is unknown, does not take noise, or there are too few samples.
    """
    if method not in METHODS:
        message = f"expected {' or '.join(METHODS)}, found '{method}'{nearest(method, METHODS)}"
        raise MotionError(source, [Problem("method", message)])
    if len(times) < LEAST_SAMPLES:
        message = f"expected at least {LEAST} samples to differentiate, found {len(times)}"
        raise MotionError(source, [Problem("time", message)])
    if method == "spline":
        return _splines(times, values, noise, source)
    if noise:
        raise MotionError(source, [Problem("noise", "only splines smooth it; filter before")])
    return _differences(times, values)


def _splines(times: Array, values: Array, noise: float, source: str) -> Differentiated:
    """Differentiate quintic splines, the accelerations of which are smooth themselves."""
    from scipy.interpolate import make_interp_spline, make_splrep

    if not (np.isfinite(noise) and noise >= 0):
        raise MotionError(source, [Problem("noise", f"expected 0 or more, found {noise:g}")])
    if not noise:
        spline = make_interp_spline(times, values, k=DEGREE)
        speeds, accelerations = (spline(times, nu=order) for order in (1, 2))
        return Differentiated(values, speeds, accelerations, "quintic splines through the samples")
    # the sum of squares of the residuals is bounded by that of the noise (Reinsch)
    splines = [make_splrep(times, column, k=DEGREE, s=len(times) * noise**2) for column in values.T]
    smooth, speeds, accelerations = (
        np.column_stack([spline(times, nu=order) for spline in splines]) for order in range(3)
    )
    choice = f"quintic splines that smooth noise of {noise:g}"
    return Differentiated(smooth, speeds, accelerations, choice)


def _differences(times: Array, values: Array) -> Differentiated:
    """Differentiate twice by central differences, at the ends by those to one side."""
    speeds = np.gradient(values, times, axis=0, edge_order=2)
    accelerations = np.gradient(speeds, times, axis=0, edge_order=2)
    return Differentiated(values, speeds, accelerations, "central differences, twice")


# ------------------------------------------------------------------ filters

ORDER = 2
PASSES = 2
HIGHEST = 8
"""Order of a pass beyond which a filter rings."""
LEAST = 16
"""Fewest samples that can be filtered."""
EVEN = 1e-6
"""What part of a step a last sample may be too early by, for rounding."""
CUTOFFS = 100
STRAIGHT = 0.99
"""Coefficient of determination from which on residuals lie on a line."""
SHORTEST = 10
"""Fewest cut-offs that a line is drawn through."""


@dataclass(frozen=True)
class Residuals:
    """Winter's residual analysis: what a filter takes away, by its cut-off.

    The residuals of noise alone lie on a line, which is drawn through those of high cut-offs; where
    it meets the axis is the noise, and the cut-off chosen is where the residual is as large as
    this: as much of the signal is lost there as noise is let through.

    Attributes
    ----------
    cutoffs : array, shape (k,)
        In Hz.
    residuals : array, shape (k,)
        Root mean square of the signal less the filtered one.
    start : float
        The cut-off from which on the line is drawn, in Hz.
    slope, noise : float
        Of the line, and its value at 0 Hz.
    cutoff : float
        The choice, in Hz.
    """

    cutoffs: Array
    residuals: Array
    start: float
    slope: float
    noise: float
    cutoff: float


def filtered(
    signal: Array, rate: float, cutoff: float, source: str = "signal", *, order: int = ORDER
) -> Array:
    """Return a signal after a Butterworth filter that is run forward and backward.

    Parameters
    ----------
    signal : array, shape (..., time)
    rate : float
        In Hz.
    cutoff : float
        At which both passes together let through half the power, in Hz.
    source : str, optional
        What errors call the signal.
    order : int, optional
        Of each of the two passes.

    Raises
    ------
    MotionError
        If there are too few samples, or the cut-off is not between 0 and what the rate allows.

    Examples
    --------
    >>> t = np.arange(0, 4, 0.01)
    >>> slow, fast = np.sin(2 * np.pi * t), np.sin(60 * np.pi * t)
    >>> bool(np.abs(filtered(slow + fast, 100, 6) - slow)[50:-50].max() < 0.01)
    True
    """
    from scipy.signal import butter, sosfiltfilt

    count = _expect_enough(signal, source)
    _expect_cutoff(cutoff, rate, source)
    if not 1 <= order <= HIGHEST:
        message = f"expected a whole number from 1 to {HIGHEST}, found {order}"
        raise MotionError(source, [Problem("order", message)])
    # the bilinear transform maps frequencies by the tangent
    once = rate / np.pi * np.arctan(np.tan(np.pi * cutoff / rate) / narrowing(order))
    stages = butter(order, once, fs=rate, output="sos")
    padding = min(count - 1, max(LEAST, int(rate / cutoff)))
    return np.asarray(sosfiltfilt(stages, signal, padlen=padding), dtype=float)


def narrowing(order: int) -> float:
    """Return how much lower the cut-off is after both passes than after one."""
    return float((2 ** (1 / PASSES) - 1) ** (1 / (2 * order)))


def _expect_cutoff(cutoff: float, rate: float, source: str) -> None:
    if not 0 < cutoff < rate / 2:
        message = (
            f"expected a value between 0 and {rate / 2:g} Hz at this rate, found {cutoff:g} Hz"
        )
        raise MotionError(source, [Problem("cutoff", message)])


def as_in_opensim(
    times: Array, values: Array, cutoff: float, source: str
) -> tuple[Array, Differentiated]:
    """Return coordinates filtered and differentiated as OpenSim's InverseDynamicsTool does it.

    Half as many samples are put before the first and behind the last, mirrored in them; a
    Butterworth filter of third order runs forward and backward, each time from the first samples as
    they are; derivatives are those of quintic splines through all of it. Both passes together let
    through half the amplitude at the cut-off.

    Parameters
    ----------
    times : array, shape (time,)
        In s; where steps differ, samples are taken at the shortest.
    values : array, shape (time, n)
    cutoff : float
        In Hz.
    source : str
        What messages call the motion.

    Returns
    -------
    times : array
        Those of the tool: at even steps, the shortest of the recording.
    moving : Differentiated

    Raises
    ------
    MotionError
        If there are too few samples, or the cut-off is not between 0 and what the rate allows.

    References
    ----------
    OpenSim 4, ``Storage::pad``, ``Signal::LowpassIIR`` and ``InverseDynamicsTool::run``.
    """
    from scipy.interpolate import make_interp_spline

    count = _expect_enough(values.T, source)
    beyond = count // 2
    before, after = slice(beyond, 0, -1), slice(-2, -beyond - 2, -1)
    padded = np.vstack([2 * values[0] - values[before], values, 2 * values[-1] - values[after]])
    around = np.hstack([2 * times[0] - times[before], times, 2 * times[-1] - times[after]])
    step = float(np.diff(around).min())
    _expect_cutoff(cutoff, 1 / step, source)
    even = around[0] + step * np.arange(int((around[-1] - around[0]) / step + EVEN) + 1)
    samples = make_interp_spline(around, padded, k=DEGREE)(even)
    spline = make_interp_spline(even, _both_ways(samples, cutoff, step), k=DEGREE)
    slack = EVEN * count * step
    times = even[(even > times[0] - slack) & (even < times[-1] + slack)]
    smooth, speeds, accelerations = (spline(times, nu=order) for order in range(3))
    choice = "quintic splines through the filtered samples, mirrored beyond"
    return times, Differentiated(smooth, speeds, accelerations, choice)


def _both_ways(samples: Array, cutoff: float, step: float) -> Array:
    """Run a Butterworth filter of third order both ways, from the first samples as they are."""
    from scipy.signal import butter, lfilter, lfiltic

    over, under = butter(3, cutoff, fs=1 / step)

    def passed(column: Array) -> Array:
        first = column[2::-1]
        rest, _ = lfilter(over, under, column[3:], zi=lfiltic(over, under, first, first))
        return np.concatenate([column[:3], rest])

    return np.column_stack([passed(passed(column)[::-1])[::-1] for column in samples.T])


def _expect_enough(signal: Array, source: str) -> int:
    count = signal.shape[-1]
    if count < LEAST:
        message = f"expected at least {LEAST} samples to filter, found {count}"
        raise MotionError(source, [Problem("time", message)])
    return count


@checked
def residual_analysis(signal: Series, rate: float, source: str = "signal") -> Residuals:
    """Choose the cut-off of a low-pass filter as Winter does.

    Parameters
    ----------
    signal : array, shape (time,)
    rate : float
        In Hz; cut-offs up to a quarter of it are tried.
    source : str, optional
        What errors call the signal.

    Raises
    ------
    MotionError
        If there are too few samples.

    References
    ----------
    D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed., 2009, section 3.4.4.3.
    """
    if not (np.isfinite(rate) and rate > 0 and np.isfinite(signal).all()):
        message = f"expected finite samples at a positive rate, found {rate:g} Hz"
        raise MotionError(source, [Problem("signal", message)])
    _expect_enough(signal, source)
    lowest, highest = min(rate / len(signal), rate / 8), rate / 4
    # closer where the signal is, however fast the noise was sampled
    cutoffs = lowest + (highest - lowest) * np.linspace(0, 1, CUTOFFS) ** 2
    rest = (signal - filtered(signal, rate, float(cutoff), source) for cutoff in cutoffs)
    residuals = np.array([np.sqrt(np.mean(part**2)) for part in rest])
    start, slope, noise = _line(cutoffs, residuals)
    cutoff = _first_below(noise, cutoffs, residuals, start)
    return Residuals(cutoffs, residuals, float(cutoffs[start]), slope, noise, cutoff)


def _line(cutoffs: Array, residuals: Array) -> tuple[int, float, float]:
    """Return where the residuals of noise start, and the slope and value at 0 of their line."""
    best, found = -np.inf, (0, 0.0, 0.0)
    for start in range(len(cutoffs) - SHORTEST + 1):
        slope, noise = np.polyfit(cutoffs[start:], residuals[start:], 1)
        straight = _determination(residuals[start:], slope * cutoffs[start:] + noise)
        if straight > best:
            best, found = straight, (start, float(slope), float(noise))
        if straight >= STRAIGHT:
            break
    return found


def _first_below(noise: float, cutoffs: Array, residuals: Array, start: int) -> float:
    """Return the cut-off at which the residuals first come down to the noise."""
    below = np.flatnonzero(residuals <= noise)
    last = int(below[0]) if below.size else start
    if last == 0 or not below.size:
        return float(cutoffs[last])
    pair = slice(last - 1, last + 1)
    return float(np.interp(-noise, -residuals[pair], cutoffs[pair]))


def _determination(values: Array, line: Array) -> float:
    """Return the coefficient of determination of a line."""
    spread = float(np.sum((values - values.mean()) ** 2))
    return 1.0 if spread == 0 else 1 - float(np.sum((values - line) ** 2)) / spread
