"""Energies and momenta."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.checking.quantities.families.family import (
    Family,
    Rows,
    Source,
    column,
    one_of,
    triple,
)
from freebody.checking.quantities.families.motion import is_system, mean
from freebody.errors import DerivationError
from freebody.mechanics.parts import Triple

HALF = QQ(1, 2)
SIGNS = {"kinetic": (1, 0), "potential": (0, 1), "lagrangian": (1, -1), "total": (1, 1)}


def _energy(source: Source, kind: str, of: str = "") -> Rows:
    one_of(kind, (*SIGNS, *MOTIONS))
    if kind in MOTIONS:
        bodies = [_body(source, of)] if of else list(source.equations.mechanism.masses)
        parts = [MOTIONS[kind](source, body) for body in bodies]
        return [[sum(parts[1:], parts[0]).scaled(HALF)]]
    if of:
        return [[_part(source, kind, of)]]
    energies = (source.motion.kinetic_energy, source.motion.potential_energy)
    total = source.motion.zero
    for sign, energy in zip(SIGNS[kind], energies, strict=True):
        total = total + energy().scaled(sign) if sign else total
    return [[total]]


def _part(source: Source, kind: str, of: str) -> Any:
    """Return the energy of a body, or what gravity or springs have of the potential energy."""
    if kind not in ("kinetic", "potential"):
        raise DerivationError(f"expected energy.kinetic.{of} or energy.potential.{of}")
    moving = source.equations.mechanism
    bodies = list(moving.masses)
    if kind == "potential" and of in moving.potentials and of not in bodies:
        return source.motion.value(moving.potentials[of])
    parts = [] if kind == "kinetic" else list(moving.potentials)
    body = one_of(of, [*bodies, *parts])
    return _kinetic(source, body) if kind == "kinetic" else _weight(source, body)


def _kinetic(source: Source, body: str) -> Any:
    return (_translation(source, body) + _rotation(source, body)).scaled(HALF)


def _translation(source: Source, body: str) -> Any:
    """Return twice the energy of a body's translation."""
    velocity = source.motion.velocity(body)
    return velocity.dot(velocity) * _mass(source, body)


def _rotation(source: Source, body: str) -> Any:
    """Return twice the energy of a body's rotation."""
    return source.motion.frame_states[body].omega.dot(_spin(source, body))


def _weight(source: Source, body: str) -> Any:
    """Return the potential energy of a body's weight, zero at the ground's origin."""
    motion, total = source.motion, source.motion.zero
    for load in source.equations.mechanism.loads:
        if load.kind == "gravity" and load.place == body:
            pull = motion.vector(load.components, load.frame)
            total = total - pull.dot(motion.position(body))
    return total


def _mass(source: Source, body: str) -> Any:
    return source.motion.value(source.equations.mechanism.masses[body].mass)


def _spin(source: Source, body: str) -> Triple:
    """Return the angular momentum of a body about its centre of mass."""
    inertia, motion = source.equations.mechanism.masses[body].inertia, source.motion
    if inertia is None:
        return motion.none
    carrier = motion.frame_states[body]
    return motion.turned_by(inertia, carrier, carrier.omega)


def _momentum(source: Source, of: str = "") -> Rows:
    """Return the derivatives of the kinetic energy by the speeds."""
    speeds = source.equations.speeds
    return column(picked(source, [_along(source, speed) for speed in speeds], of))


def _along(source: Source, speed: sympy.Expr) -> Any:
    """Return the momenta of all bodies along their partial velocities."""
    motion, total = source.motion, source.motion.zero
    for body in source.equations.mechanism.masses:
        slide, turn = motion.partial_velocity(body, speed), motion.partial(body, speed).omega
        total = total + _carried(source, body).dot(slide) + _spin(source, body).dot(turn)
    return total


def picked(source: Source, rows: list[Any], of: str) -> list[Any]:
    """Return all rows, or the one of a coordinate or speed.

    Raises
    ------
    DerivationError
        If there is no such coordinate or speed.
    """
    if not of:
        return rows
    names = source.equations.mechanism.names
    speeds = list(names.speeds)
    coordinates = [] if source.equations.mechanism.model.speeds else list(names.coordinates)
    of = one_of(of, [*coordinates, *speeds])
    return [rows[(speeds if of in speeds else coordinates).index(of)]]


def _linear_momentum(source: Source, body: str) -> Rows:
    return triple(_sum(source, body, lambda one: _carried(source, one)))


def _carried(source: Source, body: str) -> Triple:
    return source.motion.velocity(body).times(_mass(source, body))


def _angular_momentum_rate(
    source: Source, body: str, about: str = "about", place: str = ""
) -> Rows:
    """Return the sum of the moments of mass times acceleration, about a place that may move."""
    point, motion = _place_about(source, body, about, place), source.motion

    def of(one: str) -> Triple:
        arm = motion.position(one) - point
        return motion.angular_momentum_rate(one) + arm.cross(
            motion.acceleration(one).times(_mass(source, one))
        )

    return triple(_sum(source, body, of))


def _angular_momentum(source: Source, body: str, about: str = "about", place: str = "") -> Rows:
    point, motion = _place_about(source, body, about, place), source.motion

    def of(one: str) -> Triple:
        arm = motion.position(one) - point
        return _spin(source, one) + arm.cross(_carried(source, one))

    return triple(_sum(source, body, of))


def _place_about(source: Source, body: str, about: str, place: str) -> Triple:
    """Return what moments are about: a place, or the centre of mass."""
    if about != "about":
        raise DerivationError("expected 'about' before the place")
    motion = source.motion
    if place:
        return motion.position(source.place(place))
    if is_system(source, body):
        return mean(source, motion.position)
    return motion.position(_body(source, body))


def _inertia(source: Source, body: str, frame: str = "in", axes: str = "ground") -> Rows:
    """Return the inertia matrix of a body about its centre of mass."""
    if frame != "in":
        raise DerivationError("expected 'in' before the body along whose axes")
    motion, moving = source.motion, source.equations.mechanism
    matrix, carrier = moving.masses[_body(source, body)].inertia, motion.frame_states[body]
    if matrix is None:
        raise DerivationError(f"'{body}' is a particle")
    along = motion.frame_states[axes if axes == "ground" else moving.body(axes)].axes
    turned = [motion.turned_by(matrix, carrier, axis) for axis in along]
    return [[one.dot(other) for other in turned] for one in along]


def _body(source: Source, name: str) -> str:
    return one_of(name, source.equations.mechanism.masses)


def _sum(source: Source, body: str, of: Callable[[str], Triple]) -> Triple:
    """Return what a body has, or the sum of what all bodies have."""
    if not is_system(source, body):
        return of(_body(source, body))
    total = source.motion.none
    for one in source.equations.mechanism.masses:
        total = total + of(one)
    return total


MOTIONS = {"translational": _translation, "rotational": _rotation}
FAMILIES = {
    "energy": Family(
        _energy,
        "energy.kinetic, .potential, .lagrangian, .total, .translational or .rotational, "
        "or energy.kinetic.<body>",
        "one",
    ),
    "momentum": Family(_momentum, "momentum.<coordinate> or momentum[1]"),
    "linear_momentum": Family(
        _linear_momentum, "linear_momentum.<body or system>.x", "axes", turns=True
    ),
    "inertia": Family(_inertia, "inertia.<body>[1,1] or inertia.<body>.in.<body>[1,1]"),
    "angular_momentum_rate": Family(
        _angular_momentum_rate,
        "angular_momentum_rate.<body or system>.z or "
        "angular_momentum_rate.<body or system>.about.<place>.z",
        "axes",
        turns=True,
    ),
    "angular_momentum": Family(
        _angular_momentum,
        "angular_momentum.<body or system>.z or angular_momentum.<body or system>.about.<place>.z",
        "axes",
        turns=True,
    ),
}
"""Families of quantities by the first part of their paths."""
