"""The units in which motions are recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping

from freebody.errors import MotionError, Problem, nearest

UNITS: Mapping[str, tuple[str, float]] = {
    "rad": ("rad", 1.0),
    "deg": ("rad", math.pi / 180),
    "degrees": ("rad", math.pi / 180),
    "°": ("rad", math.pi / 180),
    "m": ("m", 1.0),
    "meters": ("m", 1.0),
    "cm": ("m", 0.01),
    "mm": ("m", 0.001),
    "s": ("s", 1.0),
    "ms": ("s", 0.001),
}
"""The SI unit of each, and how much of it that is."""

UNKNOWN = ""
"""Stands for the unit of a column that says none: a model knows whether it is a length."""


def si(unit: str, where: str, source: str) -> tuple[str, float]:
    """Return the SI unit of a unit, and how much of it that is.

    Raises
    ------
    MotionError
        If it is not one in which motions are recorded.

    Examples
    --------
    >>> si("mm", "knee", "markers.trc")
    ('m', 0.001)
    """
    if unit not in UNITS:
        told = f"expected a unit ({', '.join(UNITS)}), found '{unit}'{nearest(unit, UNITS)}"
        raise MotionError(source, [Problem(where, told)])
    return UNITS[unit]
