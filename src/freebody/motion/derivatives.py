"""Speeds and accelerations of sampled coordinates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from freebody.arrays import Array
from freebody.errors import MotionError, Problem, nearest

METHODS = ("spline", "difference")
DEGREE = 5
LEAST = DEGREE + 1


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

    Raises
    ------
    MotionError
        If the method is unknown, does not take noise, or there are too few samples.
    """
    if method not in METHODS:
        told = f"expected {' or '.join(METHODS)}, found '{method}'{nearest(method, METHODS)}"
        raise MotionError(source, [Problem("method", told)])
    if len(times) < LEAST:
        told = f"expected at least {LEAST} samples to differentiate, found {len(times)}"
        raise MotionError(source, [Problem("time", told)])
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
    # the expected sum of squares of the noise is what the spline may be off by (Reinsch)
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
