"""Planned motions: minimum jerk between points or postures, with their exact derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.arguments import checked
from freebody.arrays import Array, Numbers, Series
from freebody.errors import MotionError, Problem
from freebody.motion.checks import MAX_PROBLEMS, UNKNOWN, runs, sample_name
from freebody.motion.motion import Motion


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


def _error(where: str, message: str) -> MotionError:
    return MotionError("minimum jerk", [Problem(where, message)])


ROUNDING = 1e-12
"""How far beyond the boundary a target may be for rounding, as a part of the reach."""

Elbow = Literal["positive", "negative"]


@dataclass(frozen=True)
class TwoLink:
    """Both solutions of the inverse kinematics of a two-link arm.

    Attributes
    ----------
    positive, negative : array, shape (time, 2)
        The angles in rad, of the first link from x and of the second from the first, with the
        second not negative, and not positive. They are continuous in time.
    stretched, folded : array of bool, shape (time,)
        Where the arm is on the boundary of what it reaches, and both solutions are one.
    """

    positive: Array
    negative: Array
    stretched: NDArray[np.bool_]
    folded: NDArray[np.bool_]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the samples at the boundary.

        Speeds do not follow from that of the end there, and differences of samples grow without
        bound as these get finer, unless the end stays or leaves the boundary slowly enough.
        """
        kinds = (("stretched", self.stretched), ("folded", self.folded))
        return tuple(
            f"{sample_name(first)}{f' to {first + count}' if count > 1 else ''}: fully {what}, a "
            "singularity: the angles' derivatives there do not follow from those of the end, and "
            "may grow without bound as samples get finer"
            for what, flags in kinds
            for first, count in runs(flags)
        )

    @checked
    def motion(self, times: Series, names: tuple[str, str], elbow: Elbow = "positive") -> Motion:
        """Return one of the solutions as a motion.

        Parameters
        ----------
        times : array_like, shape (time,)
            In s.
        names : tuple of two str
            Of the angles.
        elbow : {"positive", "negative"}
            The sign of the second angle.
        """
        angles = self.positive if elbow == "positive" else self.negative
        columns = dict(zip(names, angles.T, strict=True))
        motion = Motion.of(times, columns, unit="rad", source="inverse kinematics")
        solved = f"closed form, second angle {elbow}"
        return replace(motion, choices={"inverse kinematics": solved, "notes": list(self.notes)})


@checked
def two_link(points: Numbers, lengths: tuple[float, float], base: Numbers = (0.0, 0.0)) -> TwoLink:
    """Return the angles of a planar two-link arm that put its end at points.

    Parameters
    ----------
    points : array_like, shape (time, 2)
        In m.
    lengths : tuple of two float
        Of the links, in m.
    base : array_like, shape (2,), optional
        Where the first joint is.

    Raises
    ------
    MotionError
        If a point is out of reach by more than rounding, with the distance; or points are not in
        the plane.

    Examples
    --------
    >>> arm = two_link([[0.3, 0.4]], (0.3, 0.4))
    >>> bool(np.allclose(arm.positive, [[0, np.pi / 2]]))
    True
    """
    l1, l2 = lengths
    if not (l1 > 0 and l2 > 0):
        raise MotionError("two-link arm", [Problem("lengths", f"expected > 0, found {lengths}")])
    places = np.atleast_2d(np.asarray(points, dtype=float))
    if places.ndim != 2 or places.shape[1] != 2:
        message = f"expected points with two coordinates, found an array of {np.shape(points)}"
        raise MotionError("two-link arm", [Problem("points", message)])
    if np.shape(base) not in ((2,), places.shape):
        message = f"expected a point with two coordinates, found an array of {np.shape(base)}"
        raise MotionError("two-link arm", [Problem("base", message)])
    x, y = (places - np.asarray(base, dtype=float)).T
    r = np.hypot(x, y)
    far, near = l1 + l2 - r, r - abs(l1 - l2)
    _expect_within(r, far, near, lengths)
    rounding = ROUNDING * (l1 + l2)
    stretched, folded = far <= rounding, near <= rounding
    # half the angle keeps its digits near the boundary, where its cosine loses half of them
    far, near = np.clip(far, 0, None), np.clip(near, 0, None)
    half = np.arctan2(np.sqrt(far * (l1 + l2 + r)), np.sqrt(near * (r + abs(l1 - l2))))
    positive, negative = (_angles(x, y, sign * 2 * half, lengths) for sign in (1, -1))
    return TwoLink(positive, negative, stretched, folded)


def _angles(x: Array, y: Array, second: Array, lengths: tuple[float, float]) -> Array:
    l1, l2 = lengths
    within = np.arctan2(l2 * np.sin(second), l1 + l2 * np.cos(second))
    return np.column_stack([np.unwrap(np.arctan2(y, x) - within), second])


def _expect_within(r: Array, far: Array, near: Array, lengths: tuple[float, float]) -> None:
    """Refuse points beyond the boundary of what the arm reaches."""
    l1, l2 = lengths
    problems: list[Problem] = []
    for index in np.flatnonzero(~(np.minimum(far, near) >= -ROUNDING * (l1 + l2))):
        out = max(-far[index], -near[index])
        message = (
            f"the point is {r[index]:.6g} m from the first joint, {out:.3g} m out of reach; "
            f"expected {abs(l1 - l2):.6g} to {l1 + l2:.6g} m"
        )
        problems.append(Problem(sample_name(int(index)), message))
    if problems:
        raise MotionError("two-link arm", problems[:MAX_PROBLEMS])
