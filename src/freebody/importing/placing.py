"""Where frames stand and what mass they carry, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import permutations
from math import pi
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STRAIGHT = 1e-9
"""An angle that is so near to a multiple of 15 degrees, in rad, is that multiple."""
_SEQUENCES = tuple("".join(axes) for axes in permutations("xyz"))


def turn(axis: str, angle: float) -> Array:
    """Return the matrix of a turn about a coordinate axis.

    Examples
    --------
    >>> turn("z", np.pi / 2).round(12) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[[i, j], [i, j]] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    return matrix


def turned(sequence: str, angles: Sequence[float] | Array) -> Array:
    """Return the matrix of turns about axes of the turned frame, one after another."""
    return reduce(np.matmul, map(turn, sequence, angles), np.eye(3))


def of_quaternion(quaternion: Array) -> Array:
    """Return the matrix of a quaternion w, x, y, z of any length but zero."""
    w, *v = quaternion / np.linalg.norm(quaternion)
    across = np.cross(np.eye(3), v)
    return np.eye(3) + 2 * w * across + 2 * across @ across


def to_axis(axis: Array) -> Array:
    """Return the matrix of the shortest turn that takes z to a direction.

    Examples
    --------
    >>> (to_axis(np.array([0.6, 0.0, 0.8])) @ [0, 0, 1]).round(12)
    array([0.6, 0. , 0.8])
    """
    x, y, z = axis / np.linalg.norm(axis)
    if x == y == 0:
        return np.eye(3) if z > 0 else turn("x", pi)
    return of_quaternion(
        np.array([1 + z, -y, x, 0.0]) if z > -1 + 1e-12 else np.array([0, 1, 0, 0])
    )


def angles(rotation: Array) -> tuple[str, tuple[float, float, float]]:
    """Return a sequence of axes and the angles about them that make up a rotation.

    Of all sequences it is one in which the most angles are zero or a multiple of 15 degrees.

    Examples
    --------
    >>> angles(turned("zyx", [0, 1.5708, 0]))
    ('xzy', (0.0, 0.0, 1.5708))
    """
    ways = ((sequence, _angles(sequence, rotation)) for sequence in _SEQUENCES)
    return min(ways, key=lambda way: _effort(rotation, *way))


def angles_about(sequence: str, rotation: Array) -> tuple[float, float, float]:
    """Return the angles about the axes of a sequence that make up a rotation."""
    return _angles(sequence, rotation)


def is_rounded(rotation: Array) -> bool:
    """Return whether angles make up a rotation but for what they are rounded by."""
    return bool(np.abs(turned(*angles(rotation)) - rotation).max() > 1e-14)


def _angles(sequence: str, rotation: Array) -> tuple[float, float, float]:
    i, j, k = ("xyz".index(axis) for axis in sequence)
    sign = 1 if (j - i) % 3 == 1 else -1
    middle = np.arctan2(sign * rotation[i, k], np.hypot(rotation[i, i], rotation[i, j]))
    if abs(middle) > pi / 2 - 1e-7:
        first, last = np.arctan2(sign * rotation[k, j], rotation[j, j]), 0.0
    else:
        first = np.arctan2(-sign * rotation[j, k], rotation[k, k])
        last = np.arctan2(-sign * rotation[i, j], rotation[i, i])
    return straight(first), straight(middle), straight(last)


def _effort(rotation: Array, sequence: str, found: tuple[float, ...]) -> tuple[float, ...]:
    error = np.abs(turned(sequence, found) - rotation).max()
    plain = sum(angle != 0 for angle in found), sum(not is_straight(angle) for angle in found)
    return (error > 2 * STRAIGHT, *plain, round(abs(found[1]), 6))


def is_straight(angle: float) -> bool:
    """Return whether an angle is a multiple of 15 degrees."""
    return angle == round(12 * angle / pi) * pi / 12


def straight(angle: float) -> float:
    """Return an angle to 15 digits, or the multiple of 15 degrees that it is to `STRAIGHT`."""
    near = round(12 * angle / pi) * pi / 12
    return near if abs(angle - near) < STRAIGHT else float(f"{angle:.15g}")


@dataclass(frozen=True)
class Pose:
    """How a frame stands in another.

    Attributes
    ----------
    rotation : array, shape (3, 3)
        Its axes as columns.
    origin : array, shape (3,)
        In m.
    """

    rotation: Array = field(default_factory=lambda: np.eye(3))
    origin: Array = field(default_factory=lambda: np.zeros(3))

    def then(self, inner: Pose) -> Pose:
        """Return the pose of a frame that stands in this one."""
        return Pose(self.rotation @ inner.rotation, self.place(inner.origin))

    def inverse(self) -> Pose:
        """Return how the outer frame stands in this one."""
        return Pose(self.rotation.T, -self.rotation.T @ self.origin)

    def place(self, point: Array) -> Array:
        """Return where a point of this frame is in the outer one."""
        return self.origin + self.rotation @ point


@dataclass(frozen=True)
class Inertial:
    """What mass a body has.

    Attributes
    ----------
    mass : float
        In kg.
    center : array, shape (3,)
        The centre of mass, in m.
    inertia : array, shape (3, 3)
        About it, along the axes of the body, in kg m².
    """

    mass: float = 0.0
    center: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    @property
    def is_none(self) -> bool:
        """Whether there is neither mass nor inertia."""
        return self.mass == 0 and not self.inertia.any()

    @property
    def is_about_z(self) -> bool:
        """Whether there is inertia about z alone, as of a body that only turns about that."""
        return bool(self.inertia.any()) and np.count_nonzero(self.inertia) == 1 == np.count_nonzero(
            self.inertia[2, 2]
        )

    @property
    def is_unphysical(self) -> bool:
        """Whether a principal moment exceeds the sum of the others."""
        if self.is_about_z:
            return False
        moments = np.linalg.eigvalsh(self.inertia)
        return bool(moments[0] + moments[1] < moments[2] * (1 - 1e-9))

    def seen_from(self, pose: Pose) -> Inertial:
        """Return the same mass in the outer frame, in which its frame stands so."""
        inertia = pose.rotation @ self.inertia @ pose.rotation.T
        return Inertial(self.mass, pose.place(self.center), inertia)

    def __add__(self, other: Self) -> Inertial:
        if self.is_none or other.is_none:
            return other if self.is_none else self
        mass = self.mass + other.mass
        inertia = self.inertia + other.inertia
        if mass == 0:
            return Inertial(0.0, self.center, inertia)
        center = (self.mass * self.center + other.mass * other.center) / mass
        for part in (self, other):
            inertia = inertia + part.mass * steiner(part.center - center)
        return Inertial(mass, center, inertia)


def steiner(shift: Array) -> Array:
    """Return the inertia of a unit mass that is shifted so far from the centre.

    Examples
    --------
    >>> steiner(np.array([1.0, 0, 0])).diagonal()
    array([0., 1., 1.])
    """
    return shift @ shift * np.eye(3) - np.outer(shift, shift)
