"""A model as sympy.physics.mechanics objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import sympy
from sympy.physics.mechanics import (
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    Vector,
    dynamicsymbols,
)

from freebody.errors import DerivationError, nearest
from freebody.model.names import Names
from freebody.model.schema import Model

Kind = Literal["gravity", "elastic", "actuation", "external"]

MARKERS: dict[Kind, sympy.Dummy] = {
    kind: sympy.Dummy(kind) for kind in ("gravity", "elastic", "actuation", "external")
}
"""Every load carries the marker of its kind through a derivation, which is linear in the loads.

That tells G, E and τ apart afterwards, whatever the formulation did in between.
"""


@dataclass(frozen=True)
class Load:
    """A force at a point or a torque on a frame.

    Attributes
    ----------
    kind : {"gravity", "elastic", "actuation", "external"}
        Where it comes from, which decides whether it belongs to G, E or τ.
    on : str
        The body that it acts on.
    at : Point or ReferenceFrame
        Where a force acts; the frame of the body for a torque.
    vector : Vector
        Force in N or torque in N m.
    joint : str, optional
        The joint that transmits it, where a joint does.
    """

    kind: Kind
    on: str
    at: Point | ReferenceFrame
    vector: Vector
    joint: str | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.at, self.vector))


@dataclass(frozen=True)
class JointMotion:
    """How a child moves in its parent.

    Attributes
    ----------
    parent, child : str
        The two bodies; the parent may be ``"ground"``.
    point : Point
        The joint's point on the child.
    parent_point : Point
        The joint's point on the parent.
    velocity, angular_velocity : Vector
        Of the child's point and of the child, as seen from the parent.
    axis : Vector, optional
        The axis of a pin or slider.
    motion : sympy.Expr, optional
        The angle or displacement of a pin or slider.
    rate : sympy.Expr, optional
        Its time derivative.
    """

    parent: str
    child: str
    point: Point
    parent_point: Point
    velocity: Vector
    angular_velocity: Vector
    axis: Vector | None = None
    motion: sympy.Expr | None = None
    rate: sympy.Expr | None = None


@dataclass(frozen=True)
class Mechanism:
    """The objects of sympy.physics.mechanics that a model stands for, by name.

    Attributes
    ----------
    model : Model
        What they were made from.
    names : Names
        The coordinates, speeds, inputs and constants in sympy.
    ground : ReferenceFrame
        The inertial frame.
    origin : Point
        Its origin, at rest.
    frames : dict of str to ReferenceFrame
        One for each body, and the ground.
    points : dict of str to Point
        The joints' points on their children, the centre of mass of each body by the body's name,
        and the points where named forces act.
    carriers : dict of str to str
        The body that each point belongs to.
    bodies : dict of str to RigidBody or Particle
        In the order of the tree, parents first.
    joints : dict of str to JointMotion
        In the same order.
    angles : dict of str to sympy.Expr
        How far each body is turned, in rad, where it is turned about one axis of the ground.
    loads : tuple of Load
        Each unpacks to the pair (point or frame, vector) that sympy's methods take.
    potentials : dict of str to sympy.Expr
        Potential energy in J of what has one: ``"gravity"`` and ``"elastic"``.
    """

    model: Model
    names: Names
    ground: ReferenceFrame
    origin: Point
    frames: dict[str, ReferenceFrame] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    carriers: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, RigidBody | Particle] = field(default_factory=dict)
    joints: dict[str, JointMotion] = field(default_factory=dict)
    angles: dict[str, sympy.Expr] = field(default_factory=dict)
    loads: tuple[Load, ...] = ()
    potentials: dict[Kind, sympy.Expr] = field(default_factory=dict)

    @property
    def coordinates(self) -> tuple[sympy.Expr, ...]:
        """The generalized coordinates, as functions of time."""
        return tuple(self.names.coordinates.values())

    @property
    def speeds(self) -> tuple[sympy.Expr, ...]:
        """The generalized speeds, as functions of time."""
        return tuple(self.names.speeds.values())

    @property
    def accelerations(self) -> tuple[sympy.Expr, ...]:
        """The time derivatives of the generalized speeds."""
        return tuple(self.names.accelerations.values())

    def rate(self, expr: sympy.Expr) -> sympy.Expr:
        """Return the time derivative of an expression, in speeds and accelerations."""
        rate = sympy.sympify(expr, strict=True).diff(dynamicsymbols._t)
        return rate.xreplace(self._speed_of_rate)

    @cached_property
    def _speed_of_rate(self) -> dict[sympy.Expr, sympy.Expr]:
        return {
            coordinate.diff(dynamicsymbols._t): speed
            for coordinate, speed in zip(self.coordinates, self.speeds, strict=True)
        }

    def position(self, place: str) -> sympy.Matrix:
        """Return where a point is, 3 x 1 in m, in the ground frame from its origin."""
        return self._point(place).pos_from(self.origin).to_matrix(self.ground)

    def velocity(self, place: str) -> sympy.Matrix:
        """Return the velocity of a point, 3 x 1 in m/s, in the ground frame."""
        return self._point(place).vel(self.ground).to_matrix(self.ground)

    def acceleration(self, place: str) -> sympy.Matrix:
        """Return the acceleration of a point, 3 x 1 in m/s**2, in the ground frame."""
        return self._point(place).acc(self.ground).to_matrix(self.ground)

    def angular_velocity(self, body: str) -> sympy.Matrix:
        """Return the angular velocity of a body, 3 x 1 in rad/s, in the ground frame."""
        return self._frame(body).ang_vel_in(self.ground).to_matrix(self.ground)

    def angular_acceleration(self, body: str) -> sympy.Matrix:
        """Return the angular acceleration of a body, 3 x 1 in rad/s**2, in the ground frame."""
        return self._frame(body).ang_acc_in(self.ground).to_matrix(self.ground)

    def angle(self, place: str) -> sympy.Expr:
        """Return the angle of a pin, or of a body that is turned about one axis, in rad."""
        motion = self.joints[place].motion if place in self.joints else None
        if motion is not None:
            return motion
        if place in self.angles:
            return self.angles[place]
        self._frame(place)
        raise DerivationError(f"'{place}' is not turned by one angle")

    def _frame(self, body: str) -> ReferenceFrame:
        if body not in self.frames:
            known = ", ".join(self.frames)
            raise DerivationError(
                f"expected a body ({known}), found '{body}'" + nearest(body, self.frames)
            )
        return self.frames[body]

    def _point(self, place: str) -> Point:
        if place not in self.points:
            known = ", ".join(self.points)
            raise DerivationError(
                f"expected a body, a joint or a named force ({known}), found '{place}'"
                + nearest(place, self.points)
            )
        return self.points[place]

    def kinetic_energy(self) -> sympy.Expr:
        """Return the kinetic energy in J."""
        return sympy.Add(*(body.kinetic_energy(self.ground) for body in self.bodies.values()))

    def potential_energy(self) -> sympy.Expr:
        """Return the potential energy of gravity and springs in J."""
        return sympy.Add(*self.potentials.values())
