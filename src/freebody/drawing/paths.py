"""Links in numbers: where springs, rails and muscles lead, at some instants."""

from __future__ import annotations

import math

import numpy as np

from freebody.arrays import Array
from freebody.drawing.instants import Instants
from freebody.drawing.scene import Link, Scene
from freebody.mechanics.muscles import CUT
from freebody.model.muscles import Surface

BENDS = 16
"""Points of an arc."""


def path(link: Link, scene: Scene, instants: Instants) -> Array:
    """Return the points that a link leads through.

    Returns
    -------
    array, shape (t, n, 3)
    """
    points = [instants.at(*one) for one in link.through if not isinstance(one, Surface)]
    rows, passed = list[Array](), 0
    for part in link.through:
        if isinstance(part, Surface):
            bent = _Bent(part, scene, instants)
            rows.append(bent.arcs(points[passed - 1], points[passed]))
        else:
            rows.append(points[passed][:, None])
            passed += 1
    return np.concatenate(rows, axis=1)


class _Bent:
    """The way of a muscle about a surface."""

    def __init__(self, surface: Surface, scene: Scene, instants: Instants) -> None:
        self.surface = surface
        (self.radius,) = scene.numbers.values([scene.mechanism.read(surface.radius)])
        x, y, z = map(scene.mechanism.read, surface.at)
        self.centers = instants.at(surface.around, (x, y, z))
        axis = scene.components(surface.axis or (0, 0, 1))
        self.axes = instants.axes(surface.around) @ (axis / np.linalg.norm(axis))

    def arcs(self, before: Array, after: Array) -> Array:
        """Return the arcs between points before and after it at all instants."""
        rows = zip(before, after, self.centers, self.axes, strict=True)
        return np.array([self._arc(*row) for row in rows])

    def _arc(self, before: Array, after: Array, center: Array, axis: Array) -> Array:
        """Return points of the arc; of the straight line where it does not touch."""
        one, other = before - center, after - center
        if self.surface.shape == "sphere":
            axis = np.cross(one, other)
            axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
        elif self.surface.turn == "clockwise":
            axis = -axis
        parts = np.linspace(0, 1, BENDS)
        turned = self._turned(one, other, axis)
        if turned is None:
            return before + parts[:, None] * (after - before)
        start, sweep, across, up = turned
        angles = start + parts * sweep
        circle = np.outer(np.cos(angles), across) + np.outer(np.sin(angles), up)
        lead, tail = (self._tangent(end, axis) for end in (one, other))
        arc = self.radius * sweep
        done = (lead + parts * arc) / (lead + arc + tail)
        heights = one @ axis + done * ((other - one) @ axis)
        return center + self.radius * circle + np.outer(heights, axis)

    def _tangent(self, arm: Array, axis: Array) -> float:
        """Return how long the straight piece from a point to the surface is, across the axis."""
        across = float(arm @ arm - (arm @ axis) ** 2)
        return math.sqrt(max(across - self.radius**2, 0.0))

    def _turned(
        self, one: Array, other: Array, axis: Array
    ) -> tuple[float, float, Array, Array] | None:
        """Return where the arc begins and how far it turns, counterclockwise about an axis."""
        flat, far = one - (one @ axis) * axis, other - (other @ axis) * axis
        near, away = float(np.linalg.norm(flat)), float(np.linalg.norm(far))
        if min(near, away) <= self.radius:
            return None
        across = flat / near
        up = np.cross(axis, across)
        between = math.atan2(far @ up, far @ across)
        between += 2 * math.pi if between < CUT else 0.0
        start = math.acos(self.radius / near)
        sweep = between - start - math.acos(self.radius / away)
        return (start, sweep, across, up) if sweep > 0 else None
