"""How a page may count angles: of joints or of bodies, from which axis, and with which sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from freebody.algebra.units import dimension
from freebody.checking.quantities.derived import Quantities
from freebody.errors import DerivationError
from freebody.mechanics.mechanism import Mechanism

METRE = dimension("m")
FORMS = (
    ("{}", "{}", 0.0),
    ("{} + pi/2", "{}", 0.8),
    ("{} - pi/2", "{}", 0.8),
    ("{} + pi", "{}", 0.9),
    ("-{}", "-{}", 0.9),
    ("pi/2 - {}", "-{}", 0.8),
    ("pi - {}", "-{}", 0.9),
)
"""An angle from a fixed direction, one from another body, and what it costs to count so."""


@dataclass(frozen=True, slots=True)
class Convention:
    """A way to count the angles of a model.

    Attributes
    ----------
    way : str
        What it is called here.
    values : tuple of str
        All coordinates, or the angles of bodies, in the order of the model and its quantities.
    names : tuple of str
        What each belongs to.
    cost : float
    is_angle : tuple of bool
        Which of the coordinates are angles; empty where they are angles of bodies.
    """

    way: str
    values: tuple[str, ...]
    names: tuple[str, ...]
    cost: float
    is_angle: tuple[bool, ...] = ()

    def angles(self) -> list[tuple[str, str]]:
        """Return the angles, each with what it belongs to."""
        turns = self.is_angle or (True,) * len(self.values)
        pairs = zip(self.values, self.names, turns, strict=True)
        return [(value, name) for value, name, is_angle in pairs if is_angle]


def turned(mechanism: Mechanism) -> list[tuple[str, str]]:
    """Return the joints that turn a body about one axis, each with the body."""
    joints = [(joint.name, joint.child) for joint in mechanism.model.joints]
    return [(joint, body) for joint, body in joints if _angle(mechanism, joint) is not None]


def fixed(quantities: Quantities) -> list[sympy.Expr]:
    """Return the coordinates that are angles of bodies from a fixed direction."""
    mechanism = quantities.mechanism
    angles = [_angle(mechanism, body.name) for body in mechanism.model.bodies]
    return [coordinate for coordinate in mechanism.coordinates if coordinate in angles]


def conventions(quantities: Quantities) -> Iterator[Convention]:
    """Iterate over the ways to count the angles of a model, the likeliest first."""
    mechanism = quantities.mechanism
    model, joints = mechanism.model, turned(mechanism)
    bodies = [body for _, body in joints if _angle(mechanism, body) is not None]
    from_axis = {str(coordinate).removesuffix("(t)") for coordinate in fixed(quantities)}
    coordinates = tuple(model.coordinates)
    is_angle = tuple(dimension(one.unit) != METRE for one in model.coordinates.values())
    for absolute, relative, cost in FORMS:
        counted = [
            (absolute if name in from_axis else relative).format(name) if turns else name
            for name, turns in zip(coordinates, is_angle, strict=True)
        ]
        yield Convention(f"joints {absolute}", tuple(counted), coordinates, cost, is_angle)
    for absolute, _, cost in FORMS:
        counted = [absolute.format(f"angle.{body}") for body in bodies]
        yield Convention(f"bodies {absolute}", tuple(counted), tuple(bodies), cost + 0.2)


def _angle(mechanism: Mechanism, place: str) -> sympy.Expr | None:
    """Return the angle of what turns; None where nothing does, or not about one axis."""
    try:
        angle = mechanism.angle(place)
    except DerivationError:
        return None
    return angle if angle.has(*mechanism.coordinates) else None


def sums(angles: Sequence[str], places: Sequence[int], sign: str) -> str | None:
    """Return the sum, or the difference, of some angles counted from 1; None if there are none.

    Examples
    --------
    >>> sums(["q1", "q2", "q3"], [1, 2], "+"), sums(["q1", "q2"], [1, 3], "+")
    ('(q1) + (q2)', None)
    """
    if not places or min(places) < 1 or max(places) > len(angles):
        return None
    if len(places) == 1:
        return angles[places[0] - 1]
    return f" {sign} ".join(f"({angles[place - 1]})" for place in places)
