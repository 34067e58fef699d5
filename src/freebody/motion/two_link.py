"""The angles of a planar two-link arm from the place of its end, in closed form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from freebody.arguments import checked
from freebody.arrays import Array, Numbers, Series
from freebody.errors import MotionError, Problem
from freebody.motion.checks import MAX_PROBLEMS, runs, sample
from freebody.motion.motion import Motion

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
            f"{sample(first)}{f' to {first + count}' if count > 1 else ''}: fully {what}, a "
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
        told = f"expected points with two coordinates, found an array of {np.shape(points)}"
        raise MotionError("two-link arm", [Problem("points", told)])
    if np.shape(base) not in ((2,), places.shape):
        told = f"expected a point with two coordinates, found an array of {np.shape(base)}"
        raise MotionError("two-link arm", [Problem("base", told)])
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
        told = (
            f"the point is {r[index]:.6g} m from the first joint, {out:.3g} m out of reach; "
            f"expected {abs(l1 - l2):.6g} to {l1 + l2:.6g} m"
        )
        problems.append(Problem(sample(int(index)), told))
    if problems:
        raise MotionError("two-link arm", problems[:MAX_PROBLEMS])
