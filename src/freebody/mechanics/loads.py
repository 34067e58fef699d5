"""What acts on the bodies of a mechanism, and a model made into a mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy
from sympy.physics.mechanics import Point, Vector

from freebody.errors import DerivationError
from freebody.mechanics.mechanism import Kind, Load, Mechanism
from freebody.mechanics.motion import Motion
from freebody.model.joints import Pin, Slider
from freebody.model.loads import Damper, Spring
from freebody.model.parts import Placement
from freebody.model.review import reviewed
from freebody.model.schema import Model

Ends = tuple[tuple[str, Point], tuple[str, Point]]


def mechanism(model: Model) -> Mechanism:
    """Return the frames, points, bodies and loads of a model.

    Raises
    ------
    ModelError
        If the model makes no sense: one that was loaded does.

    Examples
    --------
    >>> import freebody
    >>> arm = freebody.mechanism(freebody.load("three_link_arm"))
    >>> arm.bodies["upper_arm"].masscenter.vel(arm.ground)
    - d1*alpha1_dot(t)*sin(alpha1(t))*ground.x + d1*alpha1_dot(t)*cos(alpha1(t))*ground.y
    """
    motion = Motion(reviewed(model, model.title))
    for point in model.points:
        motion.name(point.name, motion.fixed(point.name, point.on, point.at), point.on)
    loads = _Loads(motion)
    potentials: dict[Kind, sympy.Expr] = {"gravity": loads.height(), "elastic": loads.stretch()}
    return replace(loads.made, loads=tuple(loads.all()), potentials=potentials)


class _Loads:
    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.made = motion.made
        self.model = motion.made.model
        self.read = motion.read

    def all(self) -> Iterator[Load]:
        """Iterate over all loads."""
        yield from self._gravity()
        yield from self._actuators()
        yield from self._forces()
        yield from self._torques()
        for spring in self.model.springs:
            yield from self._spring(spring)
        for damper in self.model.dampers:
            yield from self._damper(damper)

    def height(self) -> sympy.Expr:
        """Return the potential energy of gravity."""
        origin = self.made.origin
        parts = (-load.at.pos_from(origin).dot(load.vector) for load in self._gravity())
        return sympy.Add(*parts)

    def stretch(self) -> sympy.Expr:
        """Return the potential energy of the springs."""
        parts = (
            self.read(spring.stiffness) * self._elongation(spring) ** 2 / 2
            for spring in self.model.springs
        )
        return sympy.Add(*parts)

    # ------------------------------------------------------------------ on bodies

    def _gravity(self) -> Iterator[Load]:
        if self.model.gravity is None:
            return
        pull = self.motion.vector(self.model.gravity, self.made.ground)
        for name, body in self.made.bodies.items():
            yield Load("gravity", name, body.masscenter, body.mass * pull)

    def _forces(self) -> Iterator[Load]:
        for number, force in enumerate(self.model.forces):
            point = self.motion.fixed(force.name or f"force_{number}", force.on, force.at)
            if force.name:
                self.motion.name(force.name, point, force.on)
            yield Load("external", force.on, point, self._vector(force.vector, force.frame))

    def _torques(self) -> Iterator[Load]:
        for torque in self.model.torques:
            vector = self._vector(torque.vector, torque.frame)
            for body, sign in ((torque.on, 1), (torque.reaction_on, -1)):
                if body not in (None, "ground"):
                    yield Load("external", body, self.made.frames[body], sign * vector)

    def _vector(self, components: object, frame: str) -> Vector:
        axes = self.made.frames[frame]
        return self.motion.written(self.motion.vector(components, axes), axes)

    # ------------------------------------------------------------------ at joints

    def _actuators(self) -> Iterator[Load]:
        for joint in self.model.joints:
            if isinstance(joint, Pin) and joint.torque is not None:
                yield from self._across("actuation", joint.name, self.read(joint.torque))
            elif isinstance(joint, Slider) and joint.force is not None:
                yield from self._across("actuation", joint.name, self.read(joint.force))

    def _across(self, kind: Kind, name: str, effort: sympy.Expr) -> Iterator[Load]:
        """Iterate over a torque or force of a joint on its child, and its opposite."""
        joint = self.made.joints[name]
        turns = joint.angular_velocity != 0
        sides = ((joint.child, joint.point, 1), (joint.parent, joint.parent_point, -1))
        for body, point, sign in sides:
            if body != "ground":
                at = self.made.frames[body] if turns else point
                yield Load(kind, body, at, sign * effort * joint.axis, name)

    # ------------------------------------------------------------------ springs and dampers

    def _spring(self, spring: Spring) -> Iterator[Load]:
        pull = -self.read(spring.stiffness) * self._elongation(spring)
        if spring.joint is not None:
            yield from self._across("elastic", spring.joint, pull)
            return
        ends = self._ends(spring)
        along, _ = self._between(ends)
        if self.read(spring.rest) == 0:
            pull_vector = -self.read(spring.stiffness) * along
        else:
            pull_vector = pull / sympy.sqrt(along & along) * along
        yield from _pair("elastic", ends, pull_vector)

    def _elongation(self, spring: Spring) -> sympy.Expr:
        """Return how far a spring is stretched beyond its rest."""
        rest = self.read(spring.rest)
        if spring.joint is not None:
            return self.made.joints[spring.joint].motion - rest
        along, _ = self._between(self._ends(spring))
        return sympy.sqrt(along & along) - rest

    def _damper(self, damper: Damper) -> Iterator[Load]:
        damping = self.read(damper.damping)
        if damper.joint is not None:
            rate = self.made.joints[damper.joint].rate
            yield from self._across("external", damper.joint, -damping * rate)
            return
        ends = self._ends(damper)
        along, relative = self._between(ends)
        yield from _pair("external", ends, -damping * (along & relative) / (along & along) * along)

    def _ends(self, entry: Spring | Damper) -> Ends:
        def end(placement: Placement) -> tuple[str, Point]:
            return placement.on, self.motion.fixed("end", placement.on, placement.at)

        if entry.between is None:
            raise DerivationError("expected a spring or damper between two points")
        first, second = entry.between
        return end(first), end(second)

    def _between(self, ends: Ends) -> tuple[Vector, Vector]:
        """Return the place and velocity of the second end as seen from the first."""
        (_, first), (_, second) = ends
        ground = self.made.ground
        return second.pos_from(first), second.vel(ground) - first.vel(ground)


def _pair(kind: Kind, ends: Ends, pull: Vector) -> Iterator[Load]:
    """Iterate over a force on the second end and its opposite on the first."""
    for (body, point), sign in zip(ends, (-1, 1), strict=True):
        if body != "ground":
            yield Load(kind, body, point, sign * pull)
