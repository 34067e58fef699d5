"""A mechanism as objects of sympy.physics.mechanics.

Positions, velocities and accelerations are given in closed form, so that nobody has to
differentiate vectors. Rotations about one axis after another add up: a planar chain is oriented,
and written, in the ground frame at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, Vector, inertia

from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import BodyPoint, JointFrame, Load

NONE = Vector(0)


@dataclass(frozen=True)
class _Orientation:
    """A frame as one rotation about an axis that is fixed in both its base and itself."""

    base: ReferenceFrame
    axis: tuple[sympy.Expr, ...] | None
    angle: sympy.Expr


class Objects:
    """The frames, points and bodies of a mechanism.

    Attributes
    ----------
    ground : ReferenceFrame
        The inertial frame.
    origin : Point
        Its origin, at rest.
    frames : dict of str to ReferenceFrame
        One for each body, the ground, and the frames within joints.
    angles : dict of str to sympy.Expr
        How far each frame is turned, in rad, where it is turned about one axis of the ground.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.ground = ReferenceFrame("ground")
        self.origin = Point("ground_origin")
        for set_rate in (self.origin.set_vel, self.origin.set_acc):
            set_rate(self.ground, 0)
        self.frames = {"ground": self.ground}
        self.angles: dict[str, sympy.Expr] = {}
        self._origins = {"ground": self.origin}
        self._orientations = {self.ground: _Orientation(self.ground, None, sympy.S.Zero)}
        self._points: dict[str, Point] = {}
        for name, step in mechanism.joint_frames.items():
            self._join(name, step)

    def point(self, place: str) -> Point:
        """Return the point at a place."""
        if place == "ground":
            return self.origin
        if place not in self._points:
            self._points[place] = self._fixed(place, self.mechanism.places[place])
        return self._points[place]

    @cached_property
    def bodies(self) -> dict[str, RigidBody | Particle]:
        """The bodies that have a mass."""
        return {name: self._body(name) for name in self.mechanism.masses}

    @cached_property
    def measured(self) -> dict[sympy.Symbol, sympy.Expr]:
        """What the symbols of measures are in coordinates and speeds."""
        known = {}
        for symbol, measure in self.mechanism.measures.items():
            start, end = self.point(measure.start), self.point(measure.end)
            if measure.order == 0:
                between = end.pos_from(start)
            else:
                between = end.vel(self.ground) - start.vel(self.ground)
            known[symbol] = between.dot((self.ground.x, self.ground.y, self.ground.z)[measure.axis])
        return known

    def pair(self, load: Load) -> tuple[Point | ReferenceFrame, Vector]:
        """Return where a load acts and its vector, as sympy's methods take it.

        Returns
        -------
        at : Point or ReferenceFrame
        vector : sympy.physics.mechanics.Vector
            In N, or N m on a frame.
        """
        parts = [part.xreplace(self.measured) for part in load.components]
        vector = self.written(_along(parts, self.frames[load.frame]), self.frames[load.frame])
        return (self.frames[load.on] if load.place is None else self.point(load.place)), vector

    def written(self, vector: Vector, frame: ReferenceFrame) -> Vector:
        """Write a vector of a frame in the base that the frame is one rotation away from."""
        return vector.express(self._orientations[frame].base)

    def _body(self, name: str) -> RigidBody | Particle:
        center, frame = self.point(name), self.frames[self.mechanism.places[name].on]
        mass = self.mechanism.masses[name]
        if mass.inertia is None:
            return Particle(name, center, mass.mass)
        m = mass.inertia
        dyadic = inertia(frame, m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[1, 2], m[2, 0])
        return RigidBody(name, center, frame, mass.mass, (dyadic, center))

    # ------------------------------------------------------------------ outward

    def _join(self, name: str, step: JointFrame) -> None:
        """Place the frame and the origin of a step's child."""
        parent = self.frames[step.parent]
        joint = self._oriented(f"{name}_joint", parent, step.orientation)
        shift = _along(step.shift, joint)
        start = self._offset(name, self._origins[step.parent], parent, _along(step.at, parent))
        point = self._offset(name, start, joint, shift, moving=True)
        turned = self._turned(step.child, joint, step)
        back = None if step.child_orientation is None else step.child_orientation.T
        frame = self._oriented(step.child, turned, back)
        self.frames[step.child] = frame
        away = -_along(step.child_at, frame)
        self._origins[step.child] = self._offset(f"{step.child}_origin", point, frame, away)
        orientation = self._orientations[frame]
        if orientation.base is self.ground:
            self.angles[step.child] = orientation.angle

    def _oriented(
        self, name: str, frame: ReferenceFrame, matrix: sympy.ImmutableMatrix | None
    ) -> ReferenceFrame:
        """Return a frame at rest in another, with the columns of a matrix as its axes."""
        if matrix is None:
            return frame
        other = ReferenceFrame(name)
        other.orient_explicit(frame, matrix)
        self._orientations[other] = _Orientation(other, None, sympy.S.Zero)
        omega, alpha = self._angular(frame)
        other.set_ang_vel(self.ground, omega)
        other.set_ang_acc(self.ground, alpha)
        return other

    def _turned(self, name: str, joint: ReferenceFrame, step: JointFrame) -> ReferenceFrame:
        """Orient a frame by one rotation, added to its parent's where they share an axis."""
        after = before = self._orientations[joint]
        axis = step.axis if step.turns else None
        if axis is not None and step.angle != 0:
            shared = before.axis in (None, axis)
            base, start = (before.base, before.angle) if shared else (joint, sympy.S.Zero)
            after = _Orientation(base, axis, start + step.angle)
        frame = ReferenceFrame(name)
        about = after.base.z if after.axis is None else _along(after.axis, after.base)
        frame.orient_axis(after.base, about, after.angle)
        self._orientations[frame] = after
        omega, alpha = self._angular(joint)
        if axis is not None:
            rate = self.mechanism.rate(step.angle)
            spin = self.written(_along(axis, joint), joint)
            alpha += spin * self.mechanism.rate(rate) + (omega ^ (spin * rate))
            omega += spin * rate
        frame.set_ang_vel(self.ground, omega)
        frame.set_ang_acc(self.ground, alpha)
        return frame

    def _angular(self, frame: ReferenceFrame) -> tuple[Vector, Vector]:
        if frame is self.ground:
            return NONE, NONE
        return frame.ang_vel_in(self.ground), frame.ang_acc_in(self.ground)

    def _fixed(self, name: str, place: BodyPoint) -> Point:
        frame = self.frames[place.on]
        return self._offset(name, self._origins[place.on], frame, _along(place.at, frame))

    def _offset(
        self, name: str, origin: Point, frame: ReferenceFrame, away: Vector, *, moving: bool = False
    ) -> Point:
        """Return a point away from another in a frame, at rest there or moving."""
        once = self._differentiated(away, frame) if moving else NONE
        twice = self._differentiated(once, frame) if moving else NONE
        r, v, a = (self.written(vector, frame) for vector in (away, once, twice))
        omega, alpha = self._angular(frame)
        point = origin.locatenew(name, r)
        point.set_vel(self.ground, origin.vel(self.ground) + (omega ^ r) + v)
        carried = origin.acc(self.ground) + (alpha ^ r) + (omega ^ (omega ^ r))
        point.set_acc(self.ground, carried + 2 * (omega ^ v) + a)
        return point

    def _differentiated(self, vector: Vector, frame: ReferenceFrame) -> Vector:
        return _along([self.mechanism.rate(part) for part in vector.to_matrix(frame)], frame)


def _along(parts: Iterable[Any], frame: ReferenceFrame) -> Vector:
    x, y, z = parts
    return x * frame.x + y * frame.y + z * frame.z
