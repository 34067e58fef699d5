"""The derivation by the balances of free bodies, and the elimination of their reactions."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from freebody.explaining.acting import bends
from freebody.explaining.joints import Freedom, Transmission, Transmissions, projected
from freebody.explaining.kinematics import kinematics
from freebody.explaining.page import Page
from freebody.explaining.system import ZERO, Action, System, cross
from freebody.explaining.terms import in_words
from freebody.mechanics.parts import Triple


@dataclass(frozen=True)
class _JointAtBody:
    """A joint at a body: what it transmits to the body, and where."""

    joint: str
    sign: int
    of: Transmission
    arm: Triple


def newton_euler(page: Page, system: System) -> None:
    """Write the derivation by Newton and Euler, up to the sorted equations."""
    FreeBodies(page, system).write()


def why_not(system: System) -> str | None:
    """Return why the bodies of a system are not cut free; None where they are."""
    if not Transmissions(system).are_independent:
        return (
            "joints share coordinates, so that what each transmits along its freedom does not "
            "follow by itself; lagrange and kane are explained"
        )
    if bends(system.mechanism):
        return "muscles bend about surfaces, or change their way; lagrange and kane are explained"
    if not all(equation.geometric for equation in system.mechanism.equations):
        return (
            "a constraint that is an expression has no free-body diagram; lagrange and kane are "
            "explained"
        )
    return None


class FreeBodies:
    """The free bodies of a system, cut at their joints.

    Parameters
    ----------
    page : Page
    system : System
    """

    def __init__(self, page: Page, system: System) -> None:
        self.page, self.system = page, system
        self.joints = Transmissions(system)
        reason = why_not(system)
        system.require(reason is None, f"by newton_euler: {reason}")

    def write(self) -> None:
        """Write kinematics, balances and elimination."""
        kinematics(self.page, self.system, 2)
        self._balances()
        self._elimination()

    # ------------------------------------------------------------------ balances

    def joints_at(self, body: str) -> list[_JointAtBody]:
        """Return the joints at a body."""
        inner, system = self.system.inner_joint(body), self.system
        joints = [_JointAtBody(inner, 1, self.joints.of[inner], system.arm_of_joint(body, inner))]
        return joints + [
            _JointAtBody(outer, -1, self.joints.of[outer], system.arm_of_joint(body, outer))
            for outer in system.outer_joints(body)
        ]

    def _balances(self) -> None:
        page, system = self.page, self.system
        page.heading("Balances of the free bodies")
        page.prose(
            "Each body is cut free. At its inner joint the body before it acts on it, and at its "
            "outer joints the opposite of what it transmits itself acts. Moments are taken about "
            "the centre of mass."
        )
        for body in reversed(system.bodies):
            page.heading(f"Body {system.number(body)}: {in_words(body)}", 3)
            for axis in system.axes:
                self._force_balance(body, axis)
            if self._has_moments(body):
                for axis in system.turning:
                    page.equation(self._moments(body, axis), self.system.spin(body, axis))
            elif system.turning:
                page.prose(
                    "It does not turn: its balance of moments only says what moment its joint "
                    "transmits, which is not needed."
                )

    def _has_moments(self, body: str) -> bool:
        return self.system.turns(body)

    def _force_balance(self, body: str, axis: int) -> None:
        total = self.sum_of_forces(body, axis)
        inertia = self.system.inertia_force(body, axis)
        if total != ZERO or inertia != ZERO:
            self.page.equation(total, inertia)

    def sum_of_forces(self, body: str, axis: int) -> sympy.Expr:
        """Return the sum of all forces on a body along an axis."""
        joints = (joint.sign * joint.of.force[axis] for joint in self.joints_at(body))
        return sympy.Add(*joints, *(a.vector[axis] for a in self._forces(body)))

    def _forces(self, body: str) -> list[Action]:
        return [a for a in self.system.applied[body] if a.arm is not None]

    def _moments(self, body: str, axis: int) -> sympy.Expr:
        """Return the sum of all moments on a body about its centre of mass."""
        total = []
        for joint in self.joints_at(body):
            arm = self.system.exprs(joint.arm)
            total.append(joint.sign * joint.of.moment[axis])
            total.append(joint.sign * cross(arm, joint.of.force, axis))
        total += [self._moment_of(action, axis) for action in self.system.applied[body]]
        return sympy.Add(*total)

    def _moment_of(self, action: Action, axis: int) -> sympy.Expr:
        if action.arm is None:
            return action.vector[axis]
        return cross(self.system.exprs(action.arm), action.vector, axis)

    # ------------------------------------------------------------------ elimination

    def _elimination(self) -> None:
        page, system = self.page, self.system
        self._momenta()
        page.heading("Elimination of the reactions")
        page.prose(
            "From the outermost bodies inward, each balance of forces gives what the inner joint "
            "transmits."
        )
        for body in reversed(system.bodies):
            for axis in system.axes:
                self._reaction(body, axis)
        page.prose(
            "Taken about a joint, the moments of all bodies that hang on it hold no reaction of "
            "the joints between them. What is left on the left is what acts across the joint. "
            "Inertia and weight stand on the right."
        )
        for joint in system.joints:
            for freedom in self.joints.freedoms[joint]:
                self._along(joint, freedom)

    def _momenta(self) -> None:
        """Write, in space, the angular momenta whose rates the balances hold."""
        page, system = self.page, self.system
        bodies = [] if system.is_planar else [b for b in system.massive if system.has_inertia(b)]
        if not bodies:
            return
        page.heading("Angular momenta")
        page.prose("About the centres of mass, along the axes of the ground:")
        for body in bodies:
            carrier = system.motion.frame_states[body]
            inertia = system.mechanism.masses[body].inertia
            spin = system.motion.turned_by(inertia, carrier, carrier.omega)
            for axis in system.turning:
                page.equation(system.momentum(body, axis), system.expr(spin.parts[axis]))

    def _reaction(self, body: str, axis: int) -> None:
        inner = self.joints.of[self.system.inner_joint(body)]
        symbol = inner.force[axis]
        if symbol not in inner.unknown:
            return
        rest = self.sum_of_forces(body, axis) - symbol
        sides = [symbol, self.system.inertia_force(body, axis) - rest]
        outer = self.system.outer_bodies(inner.joint)
        if len(outer) > 1 and self.page.detailed:
            parts = [self.system.inertia_force(one, axis) for one in outer]
            parts += [-a.vector[axis] for one in outer for a in self._forces(one)]
            whole = sympy.Add(*parts)
            sides += [whole] if whole != sides[-1] else []
        self.page.equation(*sides)

    def _along(self, joint: str, freedom: Freedom) -> None:
        """Write the balance of all that hangs on a joint, along what the joint leaves free."""
        force, moment = self.joints.of[joint].across
        across = projected(freedom.axis, moment if freedom.turns else force)
        self.page.equation(across, self.needed(joint, freedom))

    def needed(self, joint: str, freedom: Freedom) -> sympy.Expr:
        """Return what all that hangs on a joint needs along its freedom, in their symbols."""
        return projected(
            freedom.axis,
            (
                self._needed(joint, freedom, 0),
                self._needed(joint, freedom, 1),
                self._needed(joint, freedom, 2),
            ),
        )

    def _needed(self, joint: str, freedom: Freedom, axis: int) -> sympy.Expr:
        """Return a component of the force, or of the moment about a joint, that is needed."""
        if freedom.axis[axis] == ZERO:
            return ZERO
        one = self._needed_moment if freedom.turns else self._needed_force
        return sympy.Add(*(one(joint, body, axis) for body in self.system.outer_bodies(joint)))

    def _needed_force(self, _: str, body: str, axis: int) -> sympy.Expr:
        forces = (-action.vector[axis] for action in self._forces(body))
        return sympy.Add(self.system.inertia_force(body, axis), *forces)

    def _needed_moment(self, joint: str, body: str, axis: int) -> sympy.Expr:
        system = self.system
        away = -system.arm_of_joint(body, joint)
        needed = tuple(system.inertia_force(body, k) for k in range(3))
        total = self.system.spin(body, axis) + cross(system.exprs(away), needed, axis)
        for action in system.applied[body]:
            if action.arm is None:
                total -= action.vector[axis]
            else:
                total -= cross(system.exprs(away + action.arm), action.vector, axis)
        return total
