"""Force plates of C3D files: the forces on what stands on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MotionError, Problem
from freebody.inverse_dynamics.forces import UNITS, AppliedForce
from freebody.motion.c3d import read_c3d
from freebody.motion.checks import UNITS as LENGTHS

PRESSED = 10.0
"""From how many N on the way that a plate is pressed tells which side of it is up."""
FARTHEST = 100.0
"""How far away a corner of a plate may be, in m."""


@checked
def read_force_plates(path: str | Path) -> list[AppliedForce]:
    """Read the forces of all force plates of a C3D file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    list of AppliedForce
        By the number of the plate: the force on what stands on it, in the axes of the file, at the
        centre of pressure, with the free moment about it; see `AppliedForce.turned`. Where a file
        has what is done to the plate, the opposite is taken, which is told.

    Raises
    ------
    MotionError
        If it cannot be read, has no force plates, or a unit is unknown.
    """
    path = Path(path)
    found = read_c3d(path, plates=True)
    count = int(found["plates"])
    if not count:
        raise MotionError.whole(path, "expected force plates, found none")
    return [_plate(found, number, str(path)) for number in range(count)]


def _plate(found: Mapping[str, Array], number: int, source: str) -> AppliedForce:
    """Return the force of a plate."""
    newtons, metres, moments = _factors(found, number, source)
    force, place, twist = (
        found[f"{part}.{number}"].T for part in ("force", "center_of_pressure", "Tz")
    )
    corners = found[f"corners.{number}"].T * metres
    start = float(found["first"]) / float(found["rate"])
    times = start + np.arange(len(force)) / float(found["plate_rate"])
    told = [f"plate {number + 1} of {int(found['plates'])}"]
    # the z of a plate, as the order of its corners tells it, points into the floor
    up = np.cross(corners[0] - corners[3], corners[0] - corners[1])
    pressed = force * newtons @ (up / (np.linalg.norm(up) or 1.0))
    sign = 1.0
    if pressed[np.abs(pressed).argmax()] < -PRESSED:
        sign, told = -1.0, [*told, "the file has what is done to the plate; its opposite is taken"]
    if (far := float(np.abs(corners).max())) > FARTHEST:
        told.append(f"a corner is {far:.2g} m away, as none of a force plate is")
    loaded = np.isfinite(place).all(axis=1, keepdims=True) & np.isfinite(twist).all(
        axis=1, keepdims=True
    )
    made = AppliedForce.of(
        times,
        np.where(loaded, sign * newtons * force, 0.0),
        np.where(loaded, metres * place, 0.0),
        np.where(loaded, sign * moments * twist, 0.0),
        source=source,
    )
    return replace(made, told=tuple(told))


def _factors(found: Mapping[str, Array], number: int, source: str) -> tuple[float, float, float]:
    """Return what N, m and N·m are in the units of a plate; positions are in that of markers."""
    force, _, moment = map(str, found[f"units.{number}"])
    unit = str(found["unit"])
    given = (
        (force, UNITS["f"], "force"),
        (unit, LENGTHS, "POINT.UNITS"),
        (moment, UNITS["m"], "moment"),
    )
    problems = [
        Problem(where, f"expected one of {', '.join(filter(None, known))}, found '{name}'")
        for name, known, where in given
        if name not in known or not name
    ]
    if problems:
        raise MotionError(source, problems)
    return UNITS["f"][force], LENGTHS[unit][1], UNITS["m"][moment]
