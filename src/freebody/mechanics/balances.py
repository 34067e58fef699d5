"""The force and moment balance of each free body.

The balances are solved from the distal bodies inward, as a textbook does: what a joint transmits
is what its child needs to move as it does, less what else acts on it, and the opposite acts on
the parent. Loops are cut: a constraint acts at its places with forces of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from freebody.mechanics.kinematics import PRESCRIBED, Kinematics
from freebody.mechanics.parts import MARKERS, Effort, JointFrame, Load, Triple


@dataclass(frozen=True)
class Wrench:
    """A force in N and a moment in N m about a point, in the ground frame."""

    force: Triple
    moment: Triple

    def __add__(self, other: Wrench) -> Wrench:
        return Wrench(self.force + other.force, self.moment + other.moment)

    def __sub__(self, other: Wrench) -> Wrench:
        return Wrench(self.force - other.force, self.moment - other.moment)

    def about(self, arm: Triple) -> Wrench:
        """Return the wrench about another point, from which its own is an arm away."""
        return Wrench(self.force, self.moment + arm.cross(self.force))


class Balances:
    """The free bodies of a mechanism and what their joints transmit.

    Parameters
    ----------
    motion : Kinematics
        How everything moves, in any arithmetic.
    marked : bool, optional
        Whether every load carries the marker of its kind.
    """

    def __init__(self, motion: Kinematics, *, marked: bool = False) -> None:
        self.motion = motion
        self.mechanism = motion.mechanism
        self.marked = marked
        self._nothing = Wrench(motion.none, motion.none)

    @cached_property
    def transmitted(self) -> dict[str, Wrench]:
        """What each step transmits to its child, about the joint's point."""
        wrenches: dict[str, Wrench] = {}
        for name, step in reversed(self.mechanism.joint_frames.items()):
            wrench = self._needed(name, step)
            for other, passed in wrenches.items():
                if self.mechanism.joint_frames[other].parent == step.child:
                    wrench = wrench + passed.about(self._point(other) - self._point(name))
            wrenches[name] = wrench
        return wrenches

    def along(self, speed: sympy.Expr) -> Any:
        """Return the balance along a generalized speed, everything on one side."""
        row = self._supported(speed)
        for effort, equation in self._generalized:
            row = row - effort * equation.slope(self.motion, speed)
        return row

    @cached_property
    def power_of_supports(self) -> Any:
        """The power of what moves joints as prescribed."""
        return self._supported(PRESCRIBED)

    def _supported(self, speed: sympy.Expr) -> Any:
        """Return what joints transmit along a speed beyond what acts across them."""
        total = self.motion.zero
        moved = [name for name in self.transmitted if self.motion.is_moved(name, speed)]
        steps = {name: self.motion.step_partial(name, speed) for name in moved}
        for name, (slide, turn) in steps.items():
            wrench = self.transmitted[name]
            total = total + wrench.force.dot(slide) + wrench.moment.dot(turn)
        for load in self._across:
            for slide, turn in (steps[name] for name in load.across if name in steps):
                total = total - self._exerted(load).dot(turn if load.place is None else slide)
        return total

    @cached_property
    def _across(self) -> list[Load]:
        """The loads across joints, on what these carry."""
        steps = self.mechanism.joint_frames
        loads = (load for load in self.mechanism.loads if load.across)
        return [load for load in loads if load.on == steps[load.across[-1]].child]

    @cached_property
    def acting(self) -> dict[str, Wrench]:
        """The sum of all forces on each body, and of their moments about its centre of mass."""
        sums = {}
        for name, step in self.mechanism.joint_frames.items():
            if step.child not in self.mechanism.masses:
                continue
            center = self.motion.position(step.child)
            wrench = self.transmitted[name].about(self._point(name) - center)
            wrench = wrench + self._applied(step.child, center)
            for other, inner in self.mechanism.joint_frames.items():
                if inner.parent == step.child:
                    passed = self.transmitted[other].about(self._point(other) - center)
                    wrench = wrench - passed
            sums[step.child] = wrench
        return sums

    # ------------------------------------------------------------------ one body

    def _point(self, name: str) -> Triple:
        """Return the point of a step on its child."""
        step = self.mechanism.joint_frames[name]
        return self.motion.at(step.child, step.child_at)

    def _needed(self, name: str, step: JointFrame) -> Wrench:
        """Return what a body must be given at a joint to move as it does."""
        about = self._point(name)
        return self._change(step.child, about) - self._applied(step.child, about)

    def _change(self, body: str, about: Triple) -> Wrench:
        """Return the rates of momentum and angular momentum of a body."""
        if body not in self.mechanism.masses:
            return self._nothing
        mass = self.motion.value(self.mechanism.masses[body].mass)
        force = self.motion.acceleration(body).times(mass)
        arm = self.motion.position(body) - about
        return Wrench(force, self._spin(body)).about(arm)

    def _spin(self, body: str) -> Triple:
        """Return the rate of angular momentum about the centre of mass."""
        if self.mechanism.masses[body].inertia is None:
            return self.motion.none
        return self.motion.angular_momentum_rate(body)

    def _applied(self, body: str, about: Triple) -> Wrench:
        """Return the loads on a body that no joint transmits, about a point."""
        total = self._nothing
        for load in self.mechanism.loads:
            if load.on == body and not load.across:
                total = total + self._wrench(load.place, self._exerted(load), about)
        for effort in self._efforts:
            if effort.on == body:
                total = total + self._wrench(effort.place, effort.vector, about)
        return total

    def _wrench(self, place: str | None, vector: Triple, about: Triple) -> Wrench:
        if place is None:
            return Wrench(self.motion.none, vector)
        arm = self.motion.position(place) - about
        return Wrench(vector, arm.cross(vector))

    def _exerted(self, load: Load) -> Triple:
        vector = self.motion.vector(load.components, load.frame)
        return vector.times(self.motion.value(MARKERS[load.kind])) if self.marked else vector

    # ------------------------------------------------------------------ constraints

    @cached_property
    def _efforts(self) -> list[Effort]:
        """The forces and moments of the geometric constraints."""
        return [
            Effort(effort.on, effort.place, effort.vector.times(multiplier))
            for multiplier, equation in self._constrained
            for effort in equation.efforts(self.motion)
        ]

    @property
    def _generalized(self) -> Iterator[tuple[Any, Any]]:
        return ((m, equation) for m, equation in self._constrained if not equation.geometric)

    @cached_property
    def _constrained(self) -> list[tuple[Any, Any]]:
        return [
            (self.motion.value(symbol), equation)
            for constraint in self.mechanism.constraints
            for symbol, equation in zip(constraint.multipliers, constraint.equations, strict=True)
        ]
