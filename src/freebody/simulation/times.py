"""The times of a motion's states, and how exact they can be."""

from __future__ import annotations

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError

MAX_TIMES = 2_000_000


def times_of(duration: float, step: float) -> Array:
    """Return times from zero to the end, about a step apart.

    Raises
    ------
    SimulationError
        If there are none, or too many.

    Examples
    --------
    >>> times_of(1.0, 0.4)
    array([0. , 0.5, 1. ])
    """
    for name, value in (("duration", duration), ("step", step)):
        if not (np.isfinite(value) and value > 0):
            raise SimulationError(f"expected a positive {name}, found {value}")
    if duration / step > MAX_TIMES:
        raise SimulationError(f"{duration} s in steps of {step} s are more than {MAX_TIMES} states")
    return np.linspace(0.0, duration, max(2, round(duration / step) + 1))


def expect_tolerance(tolerance: float, finest: float) -> None:
    """Refuse a tolerance that is none, or that cannot be reached.

    Raises
    ------
    SimulationError
        With the finest that can.
    """
    if not finest <= tolerance < 1:
        raise SimulationError(
            f"expected a tolerance from {finest:g} to less than 1, found {tolerance:g}"
        )
