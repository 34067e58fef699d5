"""A model as sympy.physics.mechanics objects.

Positions, velocities and accelerations are carried outward from the ground in closed form, so
that no formulation has to differentiate vectors. Rotations about one axis after another add up:
a planar chain is oriented, and written, in the ground frame at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
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
    inertia,
)

from freebody.algebra import Ring
from freebody.errors import DerivationError, nearest
from freebody.model.names import Names
from freebody.model.schema import Body, Damper, Free, Model, Pin, Placement, Slider, Spring

AT_REST = Vector(0)
Kind = Literal["gravity", "elastic", "actuation", "external"]


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
        return sympy.sympify(expr).diff(dynamicsymbols._t).xreplace(self._speed_of_rate)

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


def mechanism(model: Model) -> Mechanism:
    """Return the frames, points, bodies and loads of a model.

    Examples
    --------
    >>> import freebody
    >>> arm = freebody.mechanism(freebody.load("three_link_arm"))
    >>> arm.bodies["hand"].masscenter.vel(arm.ground).free_symbols >= set()
    True
    """
    return _Builder(model).build()


@dataclass(frozen=True)
class _Orientation:
    """A frame as one rotation about an axis that is fixed in both its base and itself."""

    base: ReferenceFrame
    axis: tuple[sympy.Expr, ...] | None
    angle: sympy.Expr


def _outward(model: Model) -> Iterator[Any]:
    """Iterate over the joints, a body's own before those that it is the parent of."""
    reached, waiting = {"ground"}, list(model.joints)
    while waiting:
        joint = next(joint for joint in waiting if joint.parent in reached)
        waiting.remove(joint)
        reached.add(joint.child)
        yield joint


class _Builder:
    """Carries the motion outward from the ground, joint by joint."""

    def __init__(self, model: Model) -> None:
        ground = ReferenceFrame("ground")
        origin = Point("ground_origin")
        for set_rate in (origin.set_vel, origin.set_acc):
            set_rate(ground, 0)
        self.made = Mechanism(model, Names(model), ground, origin, frames={"ground": ground})
        self.origins: dict[str, Point] = {"ground": origin}
        self.orientations = {ground: _Orientation(ground, None, sympy.S.Zero)}
        self.read = self.made.names.read

    def build(self) -> Mechanism:
        model = self.made.model
        entries = {body.name: body for body in model.bodies}
        for joint in _outward(model):
            self._joint(joint)
            self._body(entries[joint.child])
        loads = [*self._gravity(), *self._joint_loads(), *self._applied()]
        elastic, between = sympy.S.Zero, []
        for spring in model.springs:
            load, energy = self._spring(spring)
            between += load
            elastic += energy
        for damper in model.dampers:
            between += self._damper(damper)
        potentials: dict[Kind, sympy.Expr] = {"gravity": self._height(), "elastic": elastic}
        return replace(self.made, loads=(*loads, *between), potentials=potentials)

    # ------------------------------------------------------------------ motion

    def _joint(self, joint: Any) -> None:
        """Place the child's frame and origin."""
        parent, read = self.made.frames[joint.parent], self.read
        axis, motion, turn = None, None, sympy.S.Zero
        shift = Vector(0)
        if isinstance(joint, Pin):
            axis, motion = self._axis(joint, parent), read(joint.angle)
            turn = motion
        elif isinstance(joint, Slider):
            axis, motion = self._axis(joint, parent), read(joint.displacement)
            shift = motion * axis
        elif isinstance(joint, Free):
            axis, turn = parent.z, read(joint.rotation)
            shift = self._vector(joint.translation, parent)
        frame = self._frame(joint.child, parent, axis, turn)
        on_parent = self._fixed(f"{joint.name}_parent", joint.parent, joint.at)
        at = self._vector(joint.at, parent)
        point = self._carried(joint.name, joint.parent, at + shift, moving=shift)
        self._name(joint.name, point, joint.child)
        back = -self._vector(joint.child_at, frame)
        self.origins[joint.child] = self._offset(f"{joint.child}_origin", point, frame, back)
        spin = axis * self.made.rate(turn) if turn != 0 else Vector(0)
        one_axis = isinstance(joint, Pin | Slider)
        self.made.joints[joint.name] = JointMotion(
            joint.parent,
            joint.child,
            point,
            on_parent,
            self._written(self._differentiated(shift, parent), parent),
            self._written(spin, parent),
            self._written(axis, parent) if one_axis else None,
            motion,
            self.made.rate(motion) if one_axis else None,
        )

    def _name(self, name: str, point: Point, carrier: str) -> None:
        self.made.points[name] = point
        self.made.carriers[name] = carrier

    def _axis(self, joint: Pin | Slider, parent: ReferenceFrame) -> Vector:
        components = [self.read(part) for part in joint.axis]
        ring = Ring()
        length = ring.expression(ring.form(sympy.sqrt(sum(part**2 for part in components))))
        return _along([part / length for part in components], parent)

    def _frame(
        self, name: str, parent: ReferenceFrame, axis: Vector | None, turn: sympy.Expr
    ) -> ReferenceFrame:
        """Orient a body's frame by one rotation, added to its parent's where the axis is shared."""
        before = self.orientations[parent]
        after = before
        if turn != 0 and axis is not None:
            direction = tuple(axis.to_matrix(parent))
            shared = before.axis in (None, direction)
            base, start = (before.base, before.angle) if shared else (parent, sympy.S.Zero)
            after = _Orientation(base, direction, start + turn)
        frame = ReferenceFrame(name)
        if after.axis is None:
            frame.orient_axis(after.base, after.base.z, 0)
        else:
            frame.orient_axis(after.base, _along(after.axis, after.base), after.angle)
        self.orientations[frame] = after
        if after.base is self.made.ground:
            self.made.angles[name] = after.angle
        self._spin(frame, parent, axis, turn)
        self.made.frames[name] = frame
        return frame

    def _spin(
        self, frame: ReferenceFrame, parent: ReferenceFrame, axis: Vector | None, turn: sympy.Expr
    ) -> None:
        ground = self.made.ground
        carried, slowing = Vector(0), Vector(0)
        if parent is not ground:
            carried, slowing = parent.ang_vel_in(ground), parent.ang_acc_in(ground)
        if turn != 0 and axis is not None:
            rate = self.made.rate(turn)
            axis = self._written(axis, parent)
            slowing += axis * self.made.rate(rate) + (carried ^ (axis * rate))
            carried += axis * rate
        frame.set_ang_vel(ground, carried)
        frame.set_ang_acc(ground, slowing)

    def _carried(self, name: str, body: str, place: Vector, moving: Vector = AT_REST) -> Point:
        """Return a point that a body carries, at a place that may move in the body."""
        origin, frame = self.origins[body], self.made.frames[body]
        return self._offset(name, origin, frame, place, moving)

    def _offset(
        self,
        name: str,
        origin: Point,
        frame: ReferenceFrame,
        place: Vector,
        moving: Vector = AT_REST,
    ) -> Point:
        ground = self.made.ground
        once = self._differentiated(moving, frame)
        twice = self._differentiated(once, frame)
        r, v, a = (self._written(vector, frame) for vector in (place, once, twice))
        omega = frame.ang_vel_in(ground) if frame is not ground else Vector(0)
        alpha = frame.ang_acc_in(ground) if frame is not ground else Vector(0)
        point = origin.locatenew(name, r)
        point.set_vel(ground, origin.vel(ground) + (omega ^ r) + v)
        point.set_acc(
            ground,
            origin.acc(ground) + (alpha ^ r) + (omega ^ (omega ^ r)) + 2 * (omega ^ v) + a,
        )
        return point

    def _fixed(self, name: str, body: str, at: Any) -> Point:
        """Return a point that is fixed in a body."""
        return self._carried(name, body, self._vector(at, self.made.frames[body]))

    def _vector(self, components: Any, frame: ReferenceFrame) -> Vector:
        """Return the vector of texts or numbers of the model along the axes of a frame."""
        return _along([self.read(part) for part in components], frame)

    def _written(self, vector: Vector, frame: ReferenceFrame) -> Vector:
        """Write a vector of a frame in the base that the frame is one rotation away from."""
        return vector.express(self.orientations[frame].base)

    def _differentiated(self, vector: Vector, frame: ReferenceFrame) -> Vector:
        return _along([self.made.rate(part) for part in vector.to_matrix(frame)], frame)

    def _body(self, body: Body) -> None:
        frame = self.made.frames[body.name]
        center = self._fixed(body.name, body.name, body.center_of_mass)
        self._name(body.name, center, body.name)
        mass = self.read(body.mass)
        if body.inertia is None:
            self.made.bodies[body.name] = Particle(body.name, center, mass)
            return
        moments = body.inertia if isinstance(body.inertia, tuple) else (0, 0, body.inertia)
        dyadic = inertia(frame, *(self.read(moment) for moment in moments))
        self.made.bodies[body.name] = RigidBody(body.name, center, frame, mass, (dyadic, center))

    # ------------------------------------------------------------------ loads

    def _gravity(self) -> Iterator[Load]:
        if self.made.model.gravity is None:
            return
        pull = self._vector(self.made.model.gravity, self.made.ground)
        for name, body in self.made.bodies.items():
            yield Load("gravity", name, body.masscenter, body.mass * pull)

    def _height(self) -> sympy.Expr:
        """Return the potential energy of gravity."""
        return sympy.Add(
            *(-load.at.pos_from(self.made.origin).dot(load.vector) for load in self._gravity())
        )

    def _joint_loads(self) -> Iterator[Load]:
        for joint in self.made.model.joints:
            if isinstance(joint, Pin) and joint.torque is not None:
                yield from self._across("actuation", joint.name, self.read(joint.torque))
            elif isinstance(joint, Slider) and joint.force is not None:
                yield from self._across("actuation", joint.name, self.read(joint.force))

    def _across(self, kind: Kind, name: str, effort: sympy.Expr) -> Iterator[Load]:
        """Return a torque or force of a joint on its child, and its opposite on the parent."""
        joint = self.made.joints[name]
        turning = joint.angular_velocity != 0
        for body, point, sign in (
            (joint.child, joint.point, 1),
            (joint.parent, joint.parent_point, -1),
        ):
            if body != "ground":
                at = self.made.frames[body] if turning else point
                yield Load(kind, body, at, sign * effort * joint.axis, name)

    def _applied(self) -> Iterator[Load]:
        model, frames = self.made.model, self.made.frames
        for number, force in enumerate(model.forces):
            point = self._fixed(force.name or f"force_{number}", force.on, force.at)
            if force.name:
                self._name(force.name, point, force.on)
            vector = self._vector(force.vector, frames[force.frame])
            yield Load("external", force.on, point, self._written(vector, frames[force.frame]))
        for torque in model.torques:
            vector = self._written(
                self._vector(torque.vector, frames[torque.frame]), frames[torque.frame]
            )
            yield Load("external", torque.on, frames[torque.on], vector)
            if torque.reaction_on not in (None, "ground"):
                yield Load("external", torque.reaction_on, frames[torque.reaction_on], -vector)

    def _spring(self, spring: Spring) -> tuple[list[Load], sympy.Expr]:
        """Return the loads of a linear spring and its potential energy."""
        stiffness, rest = self.read(spring.stiffness), self.read(spring.rest)
        if spring.joint is not None:
            stretch = self.made.joints[spring.joint].motion - rest
            loads = list(self._across("elastic", spring.joint, -stiffness * stretch))
            return loads, stiffness * stretch**2 / 2
        ends = self._ends(spring)
        along, _ = self._between(ends)
        if rest == 0:
            return self._pair("elastic", ends, -stiffness * along), stiffness * (along & along) / 2
        length = sympy.sqrt(along & along)
        pull = -stiffness * (length - rest) / length * along
        return self._pair("elastic", ends, pull), stiffness * (length - rest) ** 2 / 2

    def _damper(self, damper: Damper) -> list[Load]:
        damping = self.read(damper.damping)
        if damper.joint is not None:
            rate = self.made.joints[damper.joint].rate
            return list(self._across("external", damper.joint, -damping * rate))
        ends = self._ends(damper)
        along, relative = self._between(ends)
        pull = -damping * (along & relative) / (along & along) * along
        return self._pair("external", ends, pull)

    def _ends(self, entry: Spring | Damper) -> list[tuple[str, Point]]:
        def end(side: int, placement: Placement) -> tuple[str, Point]:
            return placement.on, self._fixed(f"end_{side}", placement.on, placement.at)

        return [end(side, placement) for side, placement in enumerate(entry.between or ())]

    def _between(self, ends: list[tuple[str, Point]]) -> tuple[Vector, Vector]:
        """Return the place and velocity of the second end as seen from the first."""
        (_, first), (_, second) = ends
        ground = self.made.ground
        return second.pos_from(first), second.vel(ground) - first.vel(ground)

    def _pair(self, kind: Kind, ends: list[tuple[str, Point]], pull: Vector) -> list[Load]:
        """Return a force on the second end and its opposite on the first."""
        return [
            Load(kind, body, point, sign * pull)
            for (body, point), sign in zip(ends, (-1, 1), strict=True)
            if body != "ground"
        ]


def _along(components: Iterable[sympy.Expr], frame: ReferenceFrame) -> Vector:
    x, y, z = components
    return x * frame.x + y * frame.y + z * frame.z
