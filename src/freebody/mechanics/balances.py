"""The force and moment balance of each free body.

The balances are solved from the distal bodies inward, as a textbook does: what a joint transmits
is what its child needs to move as it does, less what else acts on it, and the opposite acts on
the parent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy.physics.mechanics import Particle, Point, RigidBody, Vector

from freebody.mechanics.mechanism import MARKERS, JointMotion, Load, Mechanism
from freebody.mechanics.vectors import Triple

Values = Callable[[Sequence[sympy.Expr]], Sequence[Any]]


@dataclass(frozen=True)
class Wrench:
    """A force in N and a moment in N m about a point, in the ground frame."""

    force: Triple
    moment: Triple


class Balances:
    """The free bodies of a mechanism and what their joints transmit.

    Parameters
    ----------
    mechanism : Mechanism
        What moves; its bodies must form a tree.
    values : callable
        What sympy expressions are worth: canonical forms, or arrays of numbers.
    marked : bool, optional
        Whether every load carries the marker of its kind.
    """

    def __init__(self, mechanism: Mechanism, values: Values, *, marked: bool = False) -> None:
        self.mechanism = mechanism
        self.values = values
        self.marked = marked
        self.none = Triple.made(values([sympy.S.Zero] * 3))

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

    def along(self, speed: sympy.Expr) -> Any:
        """Return the balance along a generalized speed, everything on one side."""
        row = self.none.parts[0]
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
        change = self._acceleration(center).times(self.values([body.mass])[0])
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
        return self._triple(MARKERS[load.kind] * load.vector if self.marked else load.vector)

    def _triple(self, vector: Vector) -> Triple:
        return Triple.made(self.values(list(vector.to_matrix(self.mechanism.ground))))
