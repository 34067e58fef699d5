"""Equations of motion by the force and moment balance of each free body.

The balances are solved from the distal bodies inward, as a textbook does: what a joint transmits
is what its child needs to move as it does, less what else acts on it, and the opposite acts on
the parent. Of what a joint transmits, the part along its freedom is what its actuator, spring and
damper exert: these are the equations of motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sympy.physics.mechanics import Particle, Point, RigidBody, Vector

from freebody.algebra import Form, Ring
from freebody.mechanics.equations import MARKERS, Blocks, Equations, unmarked
from freebody.mechanics.mechanism import JointMotion, Load, Mechanism
from freebody.mechanics.vectors import Triple


@dataclass(frozen=True)
class Wrench:
    """A force in N and a moment in N m about a point, in the ground frame."""

    force: Triple
    moment: Triple

    def unmarked(self, ring: Ring) -> Wrench:
        """Return the wrench with the markers of its loads set to one."""
        force, moment = (
            Triple.made(unmarked(ring, part) for part in triple.parts)
            for triple in (self.force, self.moment)
        )
        return Wrench(force, moment)


def newton_euler(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion from the balances of the free bodies.

    Parameters
    ----------
    mechanism : Mechanism
        What moves; its bodies must form a tree.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.

    References
    ----------
    Duarte, Multibody dynamics of one and two-link systems; Cesari et al. 2001, equations (15)-(23).
    """
    balances = Balances(mechanism, ring or Ring())
    rows = [balances.along(speed) for speed in mechanism.speeds]
    blocks = Blocks.split(balances.ring, rows, accelerations=mechanism.accelerations)
    return Equations("newton_euler", mechanism, blocks)


def reactions(mechanism: Mechanism, ring: Ring) -> dict[str, Wrench]:
    """Return the force and moment of the parent on the child at each joint.

    Returns
    -------
    dict of str to Wrench
        By joint, about the joint's point on the child, with all that the joint transmits: the
        torque of its actuator, spring and damper as well.
    """
    transmitted = Balances(mechanism, ring).transmitted
    return {name: wrench.unmarked(ring) for name, wrench in transmitted.items()}


def resultants(mechanism: Mechanism, ring: Ring) -> dict[str, Wrench]:
    """Return the sum of all forces on each body and of their moments about its centre of mass."""
    acting = Balances(mechanism, ring).acting
    return {name: wrench.unmarked(ring) for name, wrench in acting.items()}


class Balances:
    """The free bodies of a mechanism and what their joints transmit."""

    def __init__(self, mechanism: Mechanism, ring: Ring) -> None:
        self.mechanism = mechanism
        self.ring = ring
        self.none = Triple((ring.zero, ring.zero, ring.zero))

    @cached_property
    def transmitted(self) -> dict[str, Wrench]:
        """What each joint transmits to its child, about the joint's point."""
        joints = self.mechanism.joints
        found: dict[str, Wrench] = {}
        for name, joint in reversed(joints.items()):
            carried = [
                (joints[other].point, wrench)
                for other, wrench in found.items()
                if joints[other].parent == joint.child
            ]
            found[name] = self._needed(joint, carried)
        return found

    def along(self, speed: object) -> Form:
        """Return the balance along a generalized speed, everything on one side."""
        row = self.ring.zero
        for name, joint in self.mechanism.joints.items():
            wrench = self.transmitted[name]
            shift = self._triple(joint.velocity.diff(speed, self.mechanism.ground))
            turn = self._triple(joint.angular_velocity.diff(speed, self.mechanism.ground))
            row = row + wrench.force.dot(shift) + wrench.moment.dot(turn)
            for load in self.mechanism.loads:
                if load.joint == name and load.on == joint.child:
                    exerted = self._vector_of(load)
                    row = row - exerted.dot(shift if isinstance(load.at, Point) else turn)
        return row

    @cached_property
    def acting(self) -> dict[str, Wrench]:
        """The sum of all forces on each body, and of their moments about its centre of mass."""
        joints, bodies = self.mechanism.joints, self.mechanism.bodies
        sums = {}
        for name, joint in joints.items():
            center = bodies[joint.child].masscenter
            wrench = self._moved(self.transmitted[name], joint.point, center)
            wrench = self._sum(wrench, self._applied(joint.child, center))
            for other, inner in joints.items():
                if inner.parent == joint.child:
                    passed = self._moved(self.transmitted[other], inner.point, center)
                    wrench = self._sum(wrench, passed, sign=-1)
            sums[joint.child] = wrench
        return sums

    def _needed(self, joint: JointMotion, carried: list[tuple[Point, Wrench]]) -> Wrench:
        """Return what a joint must transmit for its child to move as it does."""
        body = self.mechanism.bodies[joint.child]
        center = body.masscenter
        change = self._acceleration(center).times(self.ring.form(body.mass))
        wrench = self._moved(Wrench(change, self._spin(body)), center, joint.point)
        wrench = self._sum(wrench, self._applied(joint.child, joint.point), sign=-1)
        for point, passed in carried:
            wrench = self._sum(wrench, self._moved(passed, point, joint.point))
        return wrench

    def _applied(self, body: str, about: Point) -> Wrench:
        """Return the loads on a body that no joint transmits, about a point."""
        wrench = Wrench(self.none, self.none)
        for load in self.mechanism.loads:
            if load.on == body and load.joint is None:
                exerted = self._vector_of(load)
                if isinstance(load.at, Point):
                    single = self._moved(Wrench(exerted, self.none), load.at, about)
                else:
                    single = Wrench(self.none, exerted)
                wrench = self._sum(wrench, single)
        return wrench

    def _moved(self, wrench: Wrench, start: Point, end: Point) -> Wrench:
        """Return a wrench about another point."""
        arm = self._triple(start.pos_from(end))
        return Wrench(wrench.force, wrench.moment + arm.cross(wrench.force))

    def _sum(self, wrench: Wrench, other: Wrench, sign: int = 1) -> Wrench:
        if sign < 0:
            return Wrench(wrench.force - other.force, wrench.moment - other.moment)
        return Wrench(wrench.force + other.force, wrench.moment + other.moment)

    def _spin(self, body: RigidBody | Particle) -> Triple:
        """Return the rate of angular momentum about the centre of mass."""
        if isinstance(body, Particle):
            return self.none
        ground, dyadic = self.mechanism.ground, body.central_inertia
        omega, alpha = body.frame.ang_vel_in(ground), body.frame.ang_acc_in(ground)
        return self._triple((dyadic & alpha) + (omega ^ (dyadic & omega)))

    def _acceleration(self, point: Point) -> Triple:
        return self._triple(point.acc(self.mechanism.ground))

    def _vector_of(self, load: Load) -> Triple:
        return self._triple(load.vector).times(self.ring.form(MARKERS[load.kind]))

    def _triple(self, vector: Vector) -> Triple:
        return Triple.of(self.ring, vector.to_matrix(self.mechanism.ground))
