"""Where things are, how they are turned, and how they move."""

from __future__ import annotations

from collections.abc import Callable

from freebody.checking.quantities.families.family import Family, Rows, Source, column, triple
from freebody.errors import DerivationError
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.parts import Triple

SYSTEM = "system"
"""All bodies together, where none has that name."""


def along(source: Source, rows: Rows, frame: str) -> Rows:
    """Return components along the axes of a body instead of those of the ground.

    Raises
    ------
    DerivationError
        If there is no such body.
    """
    axes = source.motion.frame_states[source.equations.mechanism.body(frame)].axes
    columns = [Triple.made(entries) for entries in zip(*rows, strict=True)]
    return [[axis.dot(one) for one in columns] for axis in axes]


def is_system(source: Source, name: str) -> bool:
    """Return whether a name stands for all bodies together."""
    return name == SYSTEM and name not in source.equations.mechanism.named


def mean(source: Source, of: Callable[[str], Triple]) -> Triple:
    """Return the mean of what the bodies have, weighted with their masses.

    Raises
    ------
    DerivationError
        If no body has a mass.
    """
    motion, total = source.motion, source.motion.none
    mass = motion.zero
    for body, held in source.equations.mechanism.masses.items():
        share = motion.value(held.mass)
        total, mass = total + of(body).times(share), mass + share
    if not mass:
        raise DerivationError("no body has a mass")
    return total.times(mass**-1)


def _seen(what: Callable[[Kinematics, str], Triple]) -> Callable[[Source, str], Rows]:
    def rows(source: Source, place: str) -> Rows:
        def of(name: str) -> Triple:
            return what(source.motion, name)

        return triple(mean(source, of) if is_system(source, place) else of(source.place(place)))

    return rows


def _omega(source: Source, body: str) -> Rows:
    return triple(source.motion.frame_states[source.equations.mechanism.body(body)].omega)


def _alpha(source: Source, body: str) -> Rows:
    return triple(source.motion.accelerations[source.equations.mechanism.body(body)].alpha)


def _angle(source: Source, place: str) -> Rows:
    return [[source.form(source.equations.mechanism.angle(place))]]


def _jacobian(source: Source, place: str) -> Rows:
    """Return the derivatives of a position by the coordinates; of a velocity by their rates."""
    place = source.equations.mechanism.uses(place)
    by = source.equations.coordinates
    slopes = source.slopes(lambda at: [at.motion.position(place).parts], by)
    return [list(row) for row in zip(*(rows[0] for rows in slopes), strict=True)]


def _angular_jacobian(source: Source, body: str) -> Rows:
    """Return the derivatives of an angular velocity by the speeds."""
    body = source.equations.mechanism.body(body)
    partials = [source.motion.partial(body, speed).omega for speed in source.equations.speeds]
    return [list(row) for row in zip(*(one.parts for one in partials), strict=True)]


def _rotation(source: Source, body: str) -> Rows:
    axes = source.motion.frame_states[source.equations.mechanism.body(body)].axes
    return [list(row) for row in zip(*(axis.parts for axis in axes), strict=True)]


def _state(source: Source) -> Rows:
    equations = source.equations
    return column(map(source.form, (*equations.coordinates, *equations.speeds)))


def _state_rate(source: Source) -> Rows:
    moving = source.equations.mechanism
    return column(map(source.form, (*moving.kinematics.values(), *moving.accelerations)))


PLACE = "<body, joint or named force>"
FAMILIES = {
    "position": Family(_seen(Kinematics.position), f"position.{PLACE}.x", "axes", turns=True),
    "velocity": Family(_seen(Kinematics.velocity), f"velocity.{PLACE}.x", "axes", turns=True),
    "acceleration": Family(
        _seen(Kinematics.acceleration), f"acceleration.{PLACE}.x", "axes", turns=True
    ),
    "angular_velocity": Family(_omega, "angular_velocity.<body>.z", "axes", turns=True),
    "angular_acceleration": Family(_alpha, "angular_acceleration.<body>.z", "axes", turns=True),
    "angle": Family(_angle, "angle.<body or joint>", "one"),
    "jacobian": Family(_jacobian, "jacobian.<place>[1,1]", turns=True),
    "angular_jacobian": Family(_angular_jacobian, "angular_jacobian.<body>[1,1]", turns=True),
    "rotation": Family(_rotation, "rotation.<body>[1,1]", turns=True),
    "state": Family(_state, "state[1]"),
    "state_rate": Family(_state_rate, "state_rate[1]"),
}
"""Families of quantities by the first part of their paths."""
