"""Solids as they are seen: outlines on paper by a parallel projection, exact for each kind."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from freebody.arrays import Array
from freebody.drawing.scene import Solid

ROUND = np.linspace(0, 2 * math.pi, 49)
UNIT = np.stack([np.cos(ROUND), np.sin(ROUND)])
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
AZIMUTH, ELEVATION = math.radians(30), math.radians(22)
"""From where something in space is seen: turned about what is up, and from above."""


@dataclass(frozen=True)
class View:
    """A parallel projection.

    Attributes
    ----------
    rows : array, shape (3, 2)
        Where the axes of the ground point on paper.
    towards : array, shape (3,)
        Where the eye is.
    """

    rows: Array
    towards: Array

    def on_paper(self, points: Array) -> Array:
        """Return where points are on paper."""
        return np.asarray(points, dtype=float) @ self.rows

    def depth(self, point: Array) -> float:
        """Return how near to the eye a point is."""
        return float(np.asarray(point) @ self.towards)


def flat(across: int, up: int) -> View:
    """Return the view onto a plane of two axes."""
    rows, towards = np.zeros((3, 2)), np.zeros(3)
    rows[across, 0], rows[up, 1] = 1, 1
    towards[3 - across - up] = 1 if (up - across) % 3 == 1 else -1
    return View(rows, towards)


def spatial(up: int, sign: int = 1) -> View:
    """Return the view of something in space, from aside and from above.

    ``up`` is the axis that is vertical, and ``sign`` is -1 where it points down. Lengths along the
    line of sight are the only ones that are lost, so that spheres are circles.

    Examples
    --------
    >>> bool(np.allclose(spatial(2).rows.T @ spatial(2).rows, np.eye(2)))
    True
    """
    c, s = math.cos(AZIMUTH), math.sin(AZIMUTH)
    right, forward = np.array([c, s, 0.0]), np.array([-s, c, 0.0])
    ahead = forward * math.cos(ELEVATION) - np.array([0, 0, 1.0]) * math.sin(ELEVATION)
    own = np.stack([right, np.cross(right, ahead), -ahead])
    own = (own[:, [2, 0, 1]], own[:, [0, 2, 1]] * [1, 1, -1], own)[up]
    if sign < 0:
        own = own * [-1 if axis in (up, 1 if up == 2 else 2) else 1 for axis in range(3)]
    return View(own[:2].T, own[2])


# ---------------------------------------------------------------------- outlines


@dataclass(frozen=True)
class Patch:
    """A part of a solid that is seen.

    Attributes
    ----------
    points : array, shape (n, 2)
        On paper.
    shade : float
        How bright, from 0 to 1.
    """

    points: Array
    shade: float = 1.0


def patches(solid: Solid, origin: Array, axes: Array, view: View) -> list[Patch]:
    """Return what is seen of a solid whose body's frame is given, back to front."""
    center, turned = origin + axes @ solid.center, axes @ solid.axes
    if solid.kind == "box":
        return _box(center, turned * solid.half, view)
    if solid.kind == "cylinder":
        return _cylinder(center, turned * solid.half, view)
    if solid.kind in ("capsule", "line"):
        ends = [center + sign * solid.half[0] * turned[:, 0] for sign in (-1, 1)]
        return [
            Patch(_hull(np.concatenate([_ellipse(e, turned * solid.half[1], view) for e in ends])))
        ]
    return [Patch(_ellipse(center, turned * solid.half, view))]


def _ellipse(center: Array, spread: Array, view: View) -> Array:
    """Return the outline of an ellipsoid whose half axes are the columns of a matrix."""
    on_paper = view.rows.T @ spread
    values, vectors = np.linalg.eigh(on_paper @ on_paper.T)
    return view.on_paper(center) + (vectors * np.sqrt(np.maximum(values, 0)) @ UNIT).T


def _box(center: Array, spread: Array, view: View) -> list[Patch]:
    corners = center + CORNERS @ spread.T
    found = []
    for face in FACES:
        middle = corners[list(face)].mean(axis=0) - center
        size = float(np.linalg.norm(middle))
        facing = float(middle @ view.towards) / size if size else 0.0
        if facing > 1e-6:
            found.append(Patch(view.on_paper(corners[list(face)]), 0.72 + 0.28 * facing))
    return found


def _cylinder(center: Array, spread: Array, view: View) -> list[Patch]:
    rims = [
        view.on_paper(center + sign * spread[:, 2] + (spread[:, :2] @ UNIT).T) for sign in (-1, 1)
    ]
    front = float(spread[:, 2] @ view.towards) > 0
    return [Patch(_hull(np.concatenate(rims)), 0.8), Patch(rims[int(front)])]


def _hull(points: Array) -> Array:
    """Return the corners of the convex hull of points in a plane, in order."""
    ordered = sorted(map(tuple, np.round(points, 12)))

    def half(of: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        chain: list[tuple[float, ...]] = []
        for point in of:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array([*half(ordered), *half(ordered[::-1])])


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
