"""Springs and dampers as lines on paper."""

from __future__ import annotations

import numpy as np

from freebody.arrays import Array

LEAD = 0.15
"""How much of a spring at each end is straight."""


def coil(start: Array, end: Array, wide: float) -> Array:
    """Return the points of a spring between two points.

    Examples
    --------
    >>> coil(np.array([0.0, 0.0]), np.array([1.0, 0.0]), 0.1)[[0, -1]].tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    along = end - start
    length = float(np.hypot(*along))
    if length < 1e-9:
        return np.array([start, end])
    side = np.array([-along[1], along[0]]) / length * wide
    turns = int(np.clip(length / wide, 10, 28)) // 2 * 2 + 1
    parts = np.linspace(LEAD, 1 - LEAD, turns + 1)
    middle = [start + along * p + side * (1 if i % 2 else -1) for i, p in enumerate(parts[1:-1])]
    return np.array([start, start + along * LEAD, *middle, start + along * (1 - LEAD), end])


def dashpot(start: Array, end: Array, wide: float) -> list[Array]:
    """Return the lines of a damper between two points: rod and piston, and its cup."""
    along = end - start
    length = float(np.hypot(*along))
    if length < 1e-9:
        return [np.array([start, end])]
    side = np.array([-along[1], along[0]]) / length * wide
    piston, bottom, top = (start + along * part for part in (0.5, 0.62, 0.38))
    return [
        np.array([start, piston]),
        np.array([piston - 0.8 * side, piston + 0.8 * side]),
        np.array([top - side, bottom - side, bottom + side, top + side]),
        np.array([bottom, end]),
    ]
