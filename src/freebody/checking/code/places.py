"""Places of a model that code may have positions, velocities and Jacobians of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import sympy

from freebody.algebra.fields import FieldPoint
from freebody.algebra.units import dimension
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.families import Source
from freebody.checking.quantities.samples import ValueSource
from freebody.mechanics.parts import BodyPoint, Triple

MOST = 60
"""How many places code is held against."""


@dataclass(frozen=True)
class Place:
    """A point that is fixed in a body.

    Attributes
    ----------
    name : str
        How it is told.
    point : BodyPoint
    body : str
        The body that it belongs to.
    """

    name: str
    point: BodyPoint
    body: str


_KNOWN: WeakKeyDictionary[Quantities, tuple[Place, ...]] = WeakKeyDictionary()


def places(quantities: Quantities) -> tuple[Place, ...]:
    """Return the places that a model names, and the ends of bodies that are a length long.

    Examples
    --------
    >>> import freebody
    >>> [one.name for one in places(Quantities(freebody.load("double_pendulum")))]
    ['shoulder', 'bar1', 'elbow', 'bar2', 'end']
    """
    if quantities not in _KNOWN:
        named = list(_named(quantities))
        known = {(one.point.on, one.point.at) for one in named}
        ends = (one for one in _ends(quantities) if (one.point.on, one.point.at) not in known)
        _KNOWN[quantities] = (*named, *ends)[:MOST]
    return _KNOWN[quantities]


def _named(quantities: Quantities) -> Iterator[Place]:
    mechanism = quantities.mechanism
    frames = {joint.name: joint.child for joint in mechanism.model.joints}
    for name in mechanism.named:
        point = mechanism.places[name]
        yield Place(name, point, frames.get(name, point.on))


def _ends(quantities: Quantities) -> Iterator[Place]:
    """Iterate over the ends of bodies on which nothing but the centre of mass has a name.

    They are twice as far as the centre of mass, or a length away that is of no other body.
    """
    mechanism = quantities.mechanism
    lengths = [
        mechanism.names.constants[name]
        for name, one in mechanism.model.constants.items()
        if dimension(one.unit) == dimension("m")
    ]
    for body in mechanism.model.bodies:
        point = mechanism.places[body.name]
        there = [one.at for one in mechanism.places.values() if one.on == point.on]
        axes = [axis for axis, part in enumerate(point.at) if part != 0]
        if len(axes) != 1 or any(at != point.at and any(at) for at in there):
            continue
        ats = (one.at for one in mechanism.places.values() if one.on != point.on)
        others = {atom for at in ats for part in at for atom in part.free_symbols}
        center = point.at[axes[0]]
        sign = -1 if center.could_extract_minus_sign() else 1
        far = [2 * center, *(sign * one for one in lengths if one not in others)]
        for distance in dict.fromkeys(far):
            if distance != center:
                at = [distance if axis == axes[0] else sympy.S.Zero for axis in range(3)]
                end = BodyPoint(point.on, (at[0], at[1], at[2]))
                yield Place(f"the end of {body.name} at {distance}", end, body.name)


def position(source: Source, place: Place) -> Triple:
    """Return where a place is."""
    return source.motion.at(place.point.on, place.point.at)


def velocity(source: Source, place: Place) -> Triple:
    """Return how fast a place moves."""
    carrier = source.motion.frame_states[place.point.on]
    arm = source.motion.vector(place.point.at, place.point.on)
    return carrier.velocity + carrier.omega.cross(arm)


def jacobians(source: Source, of: Sequence[Place]) -> list[list[list[Any]]]:
    """Return the derivatives of positions by the coordinates: three rows for each place."""
    by = source.equations.coordinates
    slopes = source.slopes(lambda at: [position(at, one).parts for one in of], by)
    return [
        [[slopes[k][number][axis] for k in range(len(by))] for axis in range(3)]
        for number in range(len(of))
    ]


def angular_jacobian(source: Source, place: Place) -> list[list[Any]]:
    """Return the derivatives of the angular velocity of a place's body by the speeds."""
    partials = [
        source.motion.partial(place.point.on, speed).omega.parts
        for speed in source.equations.speeds
    ]
    return [[part[axis] for part in partials] for axis in range(3)]


def upright(quantities: Quantities) -> tuple[tuple[int, int], ...]:
    """Return the axes, each with its sign, of which the second is against the weight.

    Of a motion in a plane the first is along it, so that they turn as the model's do; nothing where
    a weight pulls along none of them.
    """
    pull = [str(part) for part in quantities.mechanism.model.gravity or ()]
    along = [axis for axis, part in enumerate(pull) if part not in ("0", "0.0")]
    plane = plane_of(quantities)
    if len(along) != 1 or len(plane) != 2 or along[0] not in plane:
        return ()
    up = along[0], 1 if pull[along[0]].startswith("-") else -1
    turned = [((a, s), (b, t)) for (a, s), (b, t) in turns(plane)]
    return next(one for one in turned if one[1] == up)


def turns(plane: Sequence[int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the quarter turns of two axes: pairs of axes with their signs."""
    a, b = plane
    return [((a, 1), (b, 1)), ((b, 1), (a, -1)), ((a, -1), (b, -1)), ((b, -1), (a, 1))]


def plane_of(quantities: Quantities) -> tuple[int, ...]:
    """Return the axes along which anything moves."""
    source = ValueSource(quantities.equations, FieldPoint(0))
    moved: set[int] = set()
    for one in places(quantities):
        rows = velocity(source, one).parts
        moved |= {axis for axis, part in enumerate(rows) if part}
    return tuple(sorted(moved))


def orientation(quantities: Quantities, place: Place, quarter: int) -> sympy.Expr:
    """Return the angle of a place's body, and some right angles."""
    return quantities.mechanism.objects.angles[place.body] + quarter * sympy.pi / 2
