"""The times of a motion's states, and how exact they can be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError

DURATION = 5.0
"""How long a motion lasts if nothing says so, in s."""
TOLERANCE = 1e-12
"""Of integrators, relative and absolute, if nothing says so."""
MAX_TIMES = 2_000_000


class Lasting(Protocol):
    """What is known up to a time."""

    @property
    def times(self) -> Array:
        """In s, in order."""
        ...


def lasting(duration: float | None, sampled: Iterable[Lasting]) -> float:
    """Return how long a motion lasts: as long as all samples, if nothing says so."""
    ends = [float(one.times[-1]) for one in sampled]
    return min(ends, default=DURATION) if duration is None else duration


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
