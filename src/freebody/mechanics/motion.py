"""Motion carried outward from the ground, joint by joint.

Positions, velocities and accelerations are given in closed form, so that no formulation has to
differentiate vectors. Rotations about one axis after another add up: a planar chain is oriented,
and written, in the ground frame at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, Vector, inertia

from freebody.algebra import Ring
from freebody.mechanics.mechanism import JointMotion, Mechanism
from freebody.model.joints import Free, Pin, Slider
from freebody.model.names import Names
from freebody.model.parts import Body
from freebody.model.schema import Model

NONE = Vector(0)


@dataclass(frozen=True)
class Orientation:
    """A frame as one rotation about an axis that is fixed in both its base and itself."""

    base: ReferenceFrame
    axis: tuple[sympy.Expr, ...] | None
    angle: sympy.Expr


@dataclass(frozen=True)
class Freedom:
    """What a joint lets its child do: turn about an axis by an angle, and shift by a vector."""

    axis: Vector | None = None
    angle: sympy.Expr = sympy.S.Zero
    shift: Vector = NONE
    motion: sympy.Expr | None = None


class Motion:
    """The frames, points and bodies of a mechanism, made from the ground outward.

    Attributes
    ----------
    made : Mechanism
        What there is so far, still without loads.
    """

    def __init__(self, model: Model) -> None:
        ground = ReferenceFrame("ground")
        origin = Point("ground_origin")
        for set_rate in (origin.set_vel, origin.set_acc):
            set_rate(ground, 0)
        self.made = Mechanism(model, Names(model), ground, origin, frames={"ground": ground})
        self.read = self.made.names.read
        self._origins: dict[str, Point] = {"ground": origin}
        self._orientations = {ground: Orientation(ground, None, sympy.S.Zero)}
        bodies = {body.name: body for body in model.bodies}
        for joint in _outward(model):
            self._join(joint)
            self._add(bodies[joint.child])

    def fixed(self, name: str, body: str, at: Any) -> Point:
        """Return a point that is fixed in a body."""
        return self._carried(name, body, self.vector(at, self.made.frames[body]))

    def vector(self, components: Any, frame: ReferenceFrame) -> Vector:
        """Return the vector of texts or numbers of the model along the axes of a frame."""
        return _along([self.read(part) for part in components], frame)

    def written(self, vector: Vector, frame: ReferenceFrame) -> Vector:
        """Write a vector of a frame in the base that the frame is one rotation away from."""
        return vector.express(self._orientations[frame].base)

    def name(self, name: str, point: Point, carrier: str) -> None:
        """Give a point of a body a name in the mechanism."""
        self.made.points[name] = point
        self.made.carriers[name] = carrier

    # ------------------------------------------------------------------ joints and bodies

    def _join(self, joint: Any) -> None:
        """Place the frame and the origin of a joint's child."""
        parent = self.made.frames[joint.parent]
        freedom = self._freedom(joint, parent)
        frame = self._turned(joint.child, parent, freedom)
        start = self.fixed(f"{joint.name}_parent", joint.parent, joint.at)
        place = self.vector(joint.at, parent) + freedom.shift
        point = self._carried(joint.name, joint.parent, place, freedom.shift)
        self.name(joint.name, point, joint.child)
        back = -self.vector(joint.child_at, frame)
        self._origins[joint.child] = self._offset(f"{joint.child}_origin", point, frame, back)
        self.made.joints[joint.name] = self._motion_of(joint, parent, freedom, point, start)

    def _motion_of(
        self, joint: Any, parent: ReferenceFrame, freedom: Freedom, point: Point, start: Point
    ) -> JointMotion:
        spin, axis, rate = NONE, None, None
        if freedom.axis is not None:
            spin = freedom.axis * self.made.rate(freedom.angle)
        if freedom.motion is not None:
            axis = self.written(freedom.axis, parent)
            rate = self.made.rate(freedom.motion)
        return JointMotion(
            joint.parent,
            joint.child,
            point,
            start,
            self.written(self._differentiated(freedom.shift, parent), parent),
            self.written(spin, parent),
            axis,
            freedom.motion,
            rate,
        )

    def _freedom(self, joint: Any, parent: ReferenceFrame) -> Freedom:
        if isinstance(joint, Pin):
            angle = self.read(joint.angle)
            return Freedom(self._axis(joint, parent), angle, motion=angle)
        if isinstance(joint, Slider):
            axis, displacement = self._axis(joint, parent), self.read(joint.displacement)
            return Freedom(axis, shift=displacement * axis, motion=displacement)
        if isinstance(joint, Free):
            shift = self.vector(joint.translation, parent)
            return Freedom(parent.z, self.read(joint.rotation), shift)
        return Freedom()

    def _axis(self, joint: Pin | Slider, parent: ReferenceFrame) -> Vector:
        components = [self.read(part) for part in joint.axis]
        ring = Ring()
        length = ring.expression(ring.form(sympy.sqrt(sum(part**2 for part in components))))
        return _along([part / length for part in components], parent)

    def _add(self, body: Body) -> None:
        frame = self.made.frames[body.name]
        center = self.fixed(body.name, body.name, body.center_of_mass)
        self.name(body.name, center, body.name)
        mass = self.read(body.mass)
        if body.inertia is None:
            self.made.bodies[body.name] = Particle(body.name, center, mass)
            return
        moments = body.inertia if isinstance(body.inertia, tuple) else (0, 0, body.inertia)
        dyadic = inertia(frame, *(self.read(moment) for moment in moments))
        self.made.bodies[body.name] = RigidBody(body.name, center, frame, mass, (dyadic, center))

    # ------------------------------------------------------------------ frames and points

    def _turned(self, name: str, parent: ReferenceFrame, freedom: Freedom) -> ReferenceFrame:
        """Orient a frame by one rotation, added to its parent's where they share an axis."""
        after = before = self._orientations[parent]
        if freedom.angle != 0 and freedom.axis is not None:
            direction = tuple(freedom.axis.to_matrix(parent))
            shared = before.axis in (None, direction)
            base, start = (before.base, before.angle) if shared else (parent, sympy.S.Zero)
            after = Orientation(base, direction, start + freedom.angle)
        frame = ReferenceFrame(name)
        axis = after.base.z if after.axis is None else _along(after.axis, after.base)
        frame.orient_axis(after.base, axis, after.angle)
        self._orientations[frame] = after
        self._spin(frame, parent, freedom)
        self.made.frames[name] = frame
        if after.base is self.made.ground:
            self.made.angles[name] = after.angle
        return frame

    def _spin(self, frame: ReferenceFrame, parent: ReferenceFrame, freedom: Freedom) -> None:
        """Set the angular velocity and acceleration of a frame."""
        omega, alpha = self._angular(parent)
        if freedom.axis is not None:
            rate, axis = self.made.rate(freedom.angle), self.written(freedom.axis, parent)
            alpha += axis * self.made.rate(rate) + (omega ^ (axis * rate))
            omega += axis * rate
        frame.set_ang_vel(self.made.ground, omega)
        frame.set_ang_acc(self.made.ground, alpha)

    def _angular(self, frame: ReferenceFrame) -> tuple[Vector, Vector]:
        ground = self.made.ground
        if frame is ground:
            return NONE, NONE
        return frame.ang_vel_in(ground), frame.ang_acc_in(ground)

    def _carried(self, name: str, body: str, place: Vector, moving: Vector = NONE) -> Point:
        """Return a point at a place in a body, of which a part may move in the body."""
        return self._offset(name, self._origins[body], self.made.frames[body], place, moving)

    def _offset(
        self, name: str, origin: Point, frame: ReferenceFrame, place: Vector, moving: Vector = NONE
    ) -> Point:
        ground = self.made.ground
        once = self._differentiated(moving, frame)
        twice = self._differentiated(once, frame)
        r, v, a = (self.written(vector, frame) for vector in (place, once, twice))
        omega, alpha = self._angular(frame)
        point = origin.locatenew(name, r)
        point.set_vel(ground, origin.vel(ground) + (omega ^ r) + v)
        carried = origin.acc(ground) + (alpha ^ r) + (omega ^ (omega ^ r))
        point.set_acc(ground, carried + 2 * (omega ^ v) + a)
        return point

    def _differentiated(self, vector: Vector, frame: ReferenceFrame) -> Vector:
        return _along([self.made.rate(part) for part in vector.to_matrix(frame)], frame)


def _along(components: Iterable[sympy.Expr], frame: ReferenceFrame) -> Vector:
    x, y, z = components
    return x * frame.x + y * frame.y + z * frame.z


def _outward(model: Model) -> Iterator[Any]:
    """Iterate over the joints, a body's own before those that it is the parent of."""
    reached, waiting = {"ground"}, list(model.joints)
    while waiting:
        joint = next(joint for joint in waiting if joint.parent in reached)
        waiting.remove(joint)
        reached.add(joint.child)
        yield joint
