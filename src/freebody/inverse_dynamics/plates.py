"""Force plates of C3D files: the forces on what stands on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import sympy

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MotionError, Problem
from freebody.inverse_dynamics.forces import UNITS, AppliedForce, together
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.mechanics.parts import AXES
from freebody.motion.c3d import read_c3d
from freebody.motion.checks import UNITS as LENGTHS

PRESSED = 10.0
"""From how many N on the way that a plate is pressed tells which side of it is up."""
UPWARD = 0.7
"""Least cosine of the angle between what plates give in all and what is up."""
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


@checked
def forces_of_plates(
    path: str | Path,
    on: Mapping[int, str],
    axes: Sequence[str] = AXES,
    model: AnyModel | None = None,
) -> dict[str, AppliedForce]:
    """Read the forces of force plates of a C3D file on the bodies that stood on them.

    Parameters
    ----------
    path : str or Path
    on : mapping of int to str
        The body by the number of the plate, counted from 1; several plates may be of one body.
    axes : sequence of str, optional
        The axis of the file that each axis of the result is; see `AppliedForce.turned`.
    model : Model, Mechanism, str or Path, optional
        Whose gravity the forces are held against: they must push up.

    Returns
    -------
    dict of str to AppliedForce
        By body, as `freebody.inverse` takes them. What presses on plates that are of no body is
        told with the first.

    Raises
    ------
    MotionError
        If it cannot be read, there is no such plate, or the forces do not push against gravity.

    Examples
    --------
    >>> forces = forces_of_plates("walk.c3d", {1: "calcn_r"}, ("x", "z", "-y"))  # doctest: +SKIP
    """
    plates = read_force_plates(path)
    unknown = [number for number in on if not 1 <= number <= len(plates)]
    if unknown or not on:
        found = f"found {', '.join(map(str, unknown))}" if unknown else "found none"
        there = "; ".join(f"{n}, {_pressed(plate)}" for n, plate in enumerate(plates, 1))
        message = f"expected numbers of its plates ({there}), {found}"
        raise MotionError(str(path), [Problem("plates", message)])
    if len(axes) != len(AXES):
        message = f"expected three axes, found {len(axes)}"
        raise MotionError(str(path), [Problem("axes", message)])
    turned = {n: plate.turned(*axes) for n, plate in enumerate(plates, 1)}
    forces = dict[str, AppliedForce]()
    for number, body in on.items():
        plate = turned[number]
        forces[body] = together(forces[body], plate) if body in forces else plate
    if model is not None:
        _expect_upward(sum(force.force.sum(axis=0) for force in forces.values()), model, str(path))
    left = [n for n in turned if n not in on and np.abs(turned[n].force).max() > PRESSED]
    notes = tuple(f"plate {n}, {_pressed(turned[n])}, is of no body" for n in left)
    first = next(iter(forces))
    return {**forces, first: replace(forces[first], notes=(*forces[first].notes, *notes))}


def _pressed(plate: AppliedForce) -> str:
    """Return how much a plate is pressed, and when."""
    sizes = np.linalg.norm(plate.force, axis=1)
    loaded = plate.times[sizes > PRESSED]
    when = f" from {loaded[0]:.4g} to {loaded[-1]:.4g} s" if len(loaded) else ""
    return f"at most {sizes.max():.4g} N{when}"


def _expect_upward(total: Array, model: AnyModel, source: str) -> None:
    """See that what stands on the plates is pushed against the gravity of a model."""
    down = _gravity(mechanism(model))
    sizes = np.linalg.norm(total) * np.linalg.norm(down)
    if not sizes or -(total @ down) / sizes > UPWARD:
        return
    vertical, pulled = int(np.abs(total).argmax()), int(np.abs(down).argmax())
    message = (
        f"expected forces that push against gravity, which pulls along {_signed(down, pulled)}; "
        f"found them along {_signed(total, vertical)}: other axes of the file are meant, as x,z,-y "
        "where its z is up and the y of the model"
    )
    raise MotionError(source, [Problem("axes", message)])


def _signed(vector: Array, place: int) -> str:
    return f"{'-' if vector[place] < 0 else ''}{AXES[place]}"


def _gravity(moving: Mechanism) -> Array:
    """Return the acceleration of gravity, or zero where it is no constant vector."""
    values = {moving.names.symbols[name]: at for name, at in moving.names.values({}).items()}
    for load in moving.loads:
        if load.kind == "gravity" and load.place is not None:
            mass = moving.masses[load.place].mass
            parts = [(part / mass).subs(values) for part in map(sympy.sympify, load.components)]
            is_known = all(part.is_number for part in parts)
            return np.array(parts, dtype=float) if is_known else np.zeros(3)
    return np.zeros(3)


def _plate(found: Mapping[str, Array], number: int, source: str) -> AppliedForce:
    """Return the force of a plate."""
    newtons, metres, moments = _factors(found, number, source)
    force, place, twist = (
        found[f"{part}.{number}"].T for part in ("force", "center_of_pressure", "Tz")
    )
    corners = found[f"corners.{number}"].T * metres
    start = float(found["first"]) / float(found["rate"])
    times = start + np.arange(len(force)) / float(found["plate_rate"])
    notes = [f"plate {number + 1} of {int(found['plates'])}"]
    # the z of a plate, as the order of its corners tells it, points into the floor
    up = np.cross(corners[0] - corners[3], corners[0] - corners[1])
    pressed = force * newtons @ (up / (np.linalg.norm(up) or 1.0))
    sign = 1.0
    if pressed[np.abs(pressed).argmax()] < -PRESSED:
        sign = -1.0
        notes.append("the file has what is done to the plate; its opposite is taken")
    if (far := float(np.abs(corners).max())) > FARTHEST:
        notes.append(f"a corner is {far:.2g} m away, as none of a force plate is")
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
    return replace(made, notes=tuple(notes))


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
