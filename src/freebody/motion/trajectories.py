"""Planned motions: minimum jerk between points or postures, with their exact derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array, Numbers
from freebody.errors import MotionError, Problem
from freebody.motion.motion import Motion
from freebody.motion.units import UNKNOWN


class Reach(NamedTuple):
    """A movement from rest to rest.

    Attributes
    ----------
    times : array, shape (time,)
    position, velocity, acceleration, jerk : array, shape (time, ...)
    """

    times: Array
    position: Array
    velocity: Array
    acceleration: Array
    jerk: Array


@checked
def minimum_jerk(start: Numbers, end: Numbers, duration: float, rate: float = 1000.0) -> Reach:
    """Return the movement between two points with the least squared jerk, from rest to rest.

    Parameters
    ----------
    start, end : array_like, shape (...)
        Coordinates of a point, or angles.
    duration : float
        In s.
    rate : float, optional
        Samples a second; the last one is at the end whatever the rate.

    Raises
    ------
    MotionError
        If duration or rate is not positive, start and end have different shapes, or are not
        finite.

    References
    ----------
    T. Flash, N. Hogan, The coordination of arm movements: an experimentally confirmed mathematical
    model, Journal of Neuroscience 5 (1985) 1688-1703.

    Examples
    --------
    >>> reach = minimum_jerk([0, 0], [0.2, 0.1], duration=1)
    >>> float(np.linalg.norm(reach.velocity, axis=1).max() / np.hypot(0.2, 0.1))
    1.875
    """
    for name, value in (("duration", duration), ("rate", rate)):
        if not (np.isfinite(value) and value > 0):
            raise _error(name, f"expected a positive number, found {value:g}")
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    if start.shape != end.shape:
        raise _error("end", f"expected {start.size} values, as 'start' has, found {end.size}")
    for name, place in (("start", start), ("end", end)):
        if not np.isfinite(place).all():
            raise _error(name, f"expected finite numbers, found {place}")
    count = max(2, round(duration * rate) + 1)
    s = np.linspace(0, 1, count)
    shapes = (
        s**3 * (10 - 15 * s + 6 * s**2),
        30 * s**2 * (1 - s) ** 2 / duration,
        60 * s * (1 - s) * (1 - 2 * s) / duration**2,
        60 * (1 - 6 * s + 6 * s**2) / duration**3,
    )
    along = [np.multiply.outer(shape, end - start) for shape in shapes]
    return Reach(s * duration, start + along[0], *along[1:])


@checked
def posture_reach(
    start: Mapping[str, float],
    end: Mapping[str, float],
    duration: float,
    rate: float = 1000.0,
    *,
    unit: str | Mapping[str, str] = UNKNOWN,
) -> Motion:
    """Return the minimum-jerk motion between two postures, with exact speeds and accelerations.

    Parameters
    ----------
    start, end : mapping of str to float
        The same coordinates, in SI units.
    duration, rate : float
        As for `minimum_jerk`.
    unit : str or mapping of str to str, optional
        As for `Motion.of`.

    Raises
    ------
    MotionError
        As `minimum_jerk`, or if the postures are of different coordinates.

    Examples
    --------
    >>> motion = posture_reach({"elbow": 0.0}, {"elbow": 1.0}, duration=0.5)
    >>> float(motion.data["speeds"].max())
    3.75
    """
    rest = [*(start.keys() - end.keys()), *(end.keys() - start.keys())]
    if rest:
        problems = [Problem(name, "expected in both postures, found in one") for name in rest]
        raise MotionError("reach", problems)
    names = list(start)
    reach = minimum_jerk(
        [start[name] for name in names], [end[name] for name in names], duration, rate
    )
    position, speeds, accelerations = (
        dict(zip(names, part.T, strict=True))
        for part in (reach.position, reach.velocity, reach.acceleration)
    )
    motion = Motion.of(
        reach.times, position, speeds=speeds, accelerations=accelerations, unit=unit, source="reach"
    )
    choices = {"trajectory": f"minimum jerk in {duration:g} s", **motion.choices}
    return replace(motion, choices=choices)


def _error(where: str, told: str) -> MotionError:
    return MotionError("minimum jerk", [Problem(where, told)])
