"""A mechanism with the symbols that a derivation prints it in."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, textbook
from freebody.errors import DerivationError
from freebody.explaining.acting import Acting, acting
from freebody.explaining.notation import COORDINATE, SPEED, Notation
from freebody.mechanics.equations import Equations
from freebody.mechanics.joint_frames import outward
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES, JointFrame, Load, Triple

Vector = tuple[sympy.Expr, sympy.Expr, sympy.Expr]
ZERO = sympy.S.Zero
MOST_SPEEDS = 6
"""In a sum of products of speeds that is factored."""


@dataclass(frozen=True)
class Action:
    """A force at a point of a body, or a moment on it, as a free-body diagram shows it.

    Attributes
    ----------
    body : str
    vector : tuple of three sympy.Expr
        In the ground frame, in the symbols of the derivation.
    arm : tuple of three Form, optional
        From the body's centre of mass to where it acts; none for a moment.
    what : str
        In words.
    named : tuple of sympy.Expr and Triple, optional
        The symbol of a force along a line, such as that of a spring, and its direction.
    """

    body: str
    vector: Vector
    arm: Triple | None
    what: str
    named: tuple[sympy.Expr, Triple] | None = None


class System:
    """A mechanism, its equations, and its symbols.

    Parameters
    ----------
    equations : Equations
    notation : Notation
    """

    def __init__(self, equations: Equations, notation: Notation) -> None:
        self.equations, self.notation = equations, notation
        self.mechanism: Mechanism = equations.mechanism
        self.model = self.mechanism.model
        self.motion: Kinematics = equations.motion
        self.bodies = [joint.child for joint in outward(self.model)]
        self.massive = [body for body in self.bodies if body in self.mechanism.masses]
        self.joints = list(self.mechanism.joints)

    def number(self, body: str) -> int:
        """Return the number of a body, from 1."""
        return self.bodies.index(body) + 1

    # ------------------------------------------------------------------ which axes count

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """The axes along which anything moves or is acted on."""
        forces = [self.load_vector(load) for load in self.mechanism.loads if load.place]
        seen = [self.motion.velocity(body) for body in self.bodies] + forces
        return tuple(k for k in range(3) if any(one.parts[k] for one in seen))

    @cached_property
    def turning(self) -> tuple[int, ...]:
        """The axes about which anything turns."""
        omegas = [self.motion.frame_states[body].omega for body in self.bodies]
        return tuple(k for k in range(3) if any(one.parts[k] for one in omegas))

    @cached_property
    def is_planar(self) -> bool:
        """Whether all motion is in a plane of two axes."""
        directions = {*self.axes, *self.turning}
        shared = set(self.axes) & set(self.turning)
        return len(self.turning) <= 1 and not shared and (self.turning != () or len(directions) < 3)

    def turns(self, body: str) -> bool:
        """Whether a body turns at all."""
        return any(self.motion.frame_states[body].omega.parts)

    def has_inertia(self, body: str) -> bool:
        """Whether a body turns and resists it."""
        inertia = self.mechanism.masses[body].inertia if body in self.massive else None
        return inertia is not None and not inertia.is_zero_matrix and self.turns(body)

    # ------------------------------------------------------------------ expressions

    def expr(self, form: Form) -> sympy.Expr:
        """Return a form as a textbook has it, forces of laws and constraints by their symbols."""
        return self.renamed(_squared(textbook(form)))

    def renamed(self, expr: Any) -> sympy.Expr:
        """Return an expression with the symbols of laws and constraints."""
        return sympy.sympify(expr).xreplace(self._renamed)

    @cached_property
    def _renamed(self) -> dict[sympy.Expr, sympy.Symbol]:
        known = dict[sympy.Expr, sympy.Symbol]()
        for law in self.mechanism.laws:
            name = law.func.__name__
            known[law] = self.notation.quantity(f"law.{name}", _law_names(name))
        number = 0
        for constraint in self.mechanism.constraints:
            pairs = zip(constraint.multipliers, constraint.equations, strict=True)
            for symbol, equation in pairs:
                number += 1
                path = ".".join(filter(None, ("multiplier", constraint.name, equation.label)))
                choices = [rf"\lambda_{{{number}}}", rf"\Lambda_{{{number}}}"]
                known[symbol] = self.notation.quantity(path, choices)
        return known

    @property
    def multipliers(self) -> list[sympy.Symbol]:
        """The forces of the constraints."""
        return [self._renamed[one] for one in self.mechanism.multipliers]

    def exprs(self, vector: Triple) -> Vector:
        """Return the components of a vector as expressions."""
        x, y, z = map(self.expr, vector.parts)
        return x, y, z

    def form(self, expr: Any) -> Form:
        """Return the canonical form of an expression of the model."""
        return self.equations.ring.form(expr)

    def load_vector(self, load: Load) -> Triple:
        """Return the vector of a load in the ground frame."""
        return self.motion.vector(load.components, load.frame)

    @cached_property
    def acting(self) -> dict[str, Acting]:
        """Springs, dampers and muscles by their cause, each with its symbol."""
        return acting(self.mechanism, self.notation)

    def _direction(self, load: Load) -> Triple | None:
        """Return a load of a spring, damper or muscle for a force of one; else nothing."""
        if load.cause not in self.acting:
            return None
        x, y, z = self.acting[load.cause].share(load)
        return self.motion.vector((x, y, z), load.frame)

    def effort(self, load: Load) -> Vector:
        """Return the vector of a load in the ground frame, in the symbol of what exerts it."""
        along = self._direction(load)
        if along is None:
            return self.exprs(self.load_vector(load))
        symbol = self.notation.plain(self.acting[load.cause].symbol)
        arm = self.arms.get((load.cause, load.across[-1])) if load.across else None
        if arm is not None and load.place is None:
            axis = self.motion.joint_axis(load.across[-1])
            child = self.mechanism.joint_frames[load.across[-1]].child
            symbol = symbol * arm[0] * (1 if load.on == child else -1)
            along = axis
        x, y, z = (symbol * part for part in self.exprs(along))
        return x, y, z

    @cached_property
    def arms(self) -> dict[tuple[str, str], tuple[sympy.Symbol, Form]]:
        """The moment arms of muscles of which the length is known, by their cause and joint."""
        return dict(self._arms())

    def _arms(self) -> Iterator[tuple[tuple[str, str], tuple[sympy.Symbol, Form]]]:
        letter = self.notation.letter(["r", "a", "h", r"\rho"])
        coordinates = list(self.mechanism.coordinates)
        for load in self.mechanism.loads:
            if not (load.across and load.cause.startswith("muscle") and load.place is None):
                continue
            step = self.mechanism.joint_frames[load.across[-1]]
            if load.on != step.child or step.angle not in coordinates:
                continue
            row, column = coordinates.index(step.angle) + 1, int(load.cause.partition(".")[2]) + 1
            place = f"{row}{column}" if max(row, column) < 10 else f"{row},{column}"
            symbol = self.notation.quantity(f"R[{row},{column}]", [f"{letter}_{{{place}}}"], rank=0)
            yield (load.cause, load.across[-1]), (symbol, self._along_axis(load))

    def _along_axis(self, load: Load) -> Form:
        """Return the moment of a load about the axis of its joint, for a force of one."""
        step = self.mechanism.joint_frames[load.across[-1]]
        share = self.acting[load.cause].share(load)
        pairs = zip(share, step.axis_in_child, strict=True)
        return self.motion.value(sympy.Add(*(part * axis for part, axis in pairs)))

    def moment_across(self, joint: str, loads: Iterable[Load]) -> sympy.Expr | None:
        """Return the sum of moments about the axis of a joint; nothing where it has none."""
        step = self.mechanism.joint_frames[joint]
        if not step.turns or step.axis is None or len(self.steps_of(joint)) > 1:
            return None
        total = sympy.S.Zero
        for load in loads:
            pairs = zip(load.components, step.axis_in_child, strict=True)
            plain = sympy.Add(*(part * axis for part, axis in pairs))
            arm = self.arms.get((load.cause, joint))
            if arm is not None:
                total += self.notation.plain(self.acting[load.cause].symbol) * arm[0]
            elif load.cause in self.acting:
                one = self.acting[load.cause]
                total += self.notation.plain(one.symbol) * self.expr(self._along_axis(load))
            else:
                total += self.expr(self.motion.value(plain))
        return total

    # ------------------------------------------------------------------ symbols of the motion

    def position(self, place: str, axis: int, dots: int = 0) -> sympy.Symbol:
        """Return the symbol of a component of a position, or of its derivatives."""
        index = str(self.number(place)) if place in self.bodies else rf"\mathrm{{{_word(place)}}}"
        letter = AXES[axis]
        choices = [f"{one}_{{{index}}}" for one in self._place_letters(letter)]
        path = f"position.{place}.{letter}"
        return self.notation.quantity(path, choices, dots=dots, rank=COORDINATE)

    def _place_letters(self, letter: str) -> list[str]:
        numbers = range(1, len(self.bodies) + 1)
        choices = [letter, letter.upper(), rf"\xi^{{{letter}}}"]
        free = (
            one
            for one in choices
            if not any(self.notation.is_taken(f"{one}_{{{n}}}") for n in numbers)
        )
        return [next(free, choices[-1])]

    def omega(self, body: str, axis: int, dots: int = 0) -> sympy.Symbol:
        """Return the symbol of a component of an angular velocity, or of its derivative."""
        index = str(self.number(body)) + ("" if self.is_planar else AXES[axis])
        letter = self.notation.letter([r"\omega", r"\Omega", "w", r"\varpi"])
        path = f"angular_velocity.{body}.{AXES[axis]}"
        return self.notation.quantity(path, [f"{letter}_{{{index}}}"], dots=dots, rank=SPEED)

    def own_omega(self, body: str, axis: int) -> sympy.Symbol:
        """Return the symbol of an angular velocity along an axis of the body itself."""
        letter = self.notation.letter([r"\omega", r"\Omega", "w", r"\varpi"])
        index = f"{self.number(body)}{axis + 1}"
        path = f"angular_velocity.{body}.in.{body}.{AXES[axis]}"
        return self.notation.quantity(
            path, [f"{letter}^{{\\prime}}_{{{index}}}", f"{letter}_{{{index}}}"], rank=SPEED
        )

    def momentum(self, body: str, axis: int, dots: int = 0) -> sympy.Symbol:
        """Return the symbol of a body's angular momentum about its centre of mass."""
        letter = self.notation.letter(["H", "h", r"\mathcal{H}"])
        index = f"{self.number(body)}{AXES[axis]}"
        path = f"angular_momentum.{body}.{AXES[axis]}"
        return self.notation.quantity(path, [f"{letter}_{{{index}}}"], dots=dots, rank=SPEED)

    def inertia_force(self, body: str, axis: int) -> sympy.Expr:
        """Return mass times acceleration."""
        if body not in self.massive or not self.motion.velocity(body).parts[axis]:
            return ZERO
        return self.mechanism.masses[body].mass * self.position(body, axis, 2)

    def spin(self, body: str, axis: int) -> sympy.Expr:
        """Return the rate of a body's angular momentum about its centre of mass."""
        if not self.has_inertia(body):
            return ZERO
        if not self.is_planar:
            return self.momentum(body, axis, 1)
        return self.inertia(body)[axis, axis] * self.omega(body, axis, 1)

    def inertia(self, body: str) -> sympy.ImmutableMatrix:
        """Return the inertia matrix of a body along its axes; zero for a particle."""
        inertia = self.mechanism.masses[body].inertia
        return sympy.ImmutableMatrix.zeros(3, 3) if inertia is None else inertia

    # ------------------------------------------------------------------ what acts

    @cached_property
    def applied(self) -> dict[str, list[Action]]:
        """What acts on each body beside its joints, by body."""
        actions = {body: list(self._loads(body)) for body in self.bodies}
        for body, action in self._efforts():
            if body in actions:
                actions[body].append(action)
        return actions

    def _loads(self, body: str) -> Iterator[Action]:
        for load in self.mechanism.loads:
            if load.on == body and not load.across:
                arm = None if load.place is None else self.arm(body, load.place)
                along = self._direction(load)
                named = None if along is None else (self.acting[load.cause].symbol, along)
                yield Action(body, self.effort(load), arm, _what(load), named)

    def _efforts(self) -> Iterator[tuple[str, Action]]:
        """Iterate over the forces and moments of the constraints, with their bodies."""
        for symbol, equation in zip(self.multipliers, self.mechanism.equations, strict=True):
            if not equation.geometric:
                continue
            for effort in equation.efforts(self.motion):
                if effort.on not in self.bodies:
                    continue
                x, y, z = (part * symbol for part in self.exprs(effort.vector))
                arm = None if effort.place is None else self.arm(effort.on, effort.place)
                yield effort.on, Action(effort.on, (x, y, z), arm, "force of a constraint")

    def arm(self, body: str, place: str) -> Triple:
        """Return the way from a body's centre of mass to a place."""
        return self.motion.position(place) - self.motion.position(body)

    def arm_of_joint(self, body: str, joint: str) -> Triple:
        """Return the way from a body's centre of mass to a joint."""
        step = self.mechanism.joint_frames[joint]
        return self.motion.at(step.child, step.child_at) - self.motion.position(body)

    def steps_of(self, joint: str) -> list[tuple[str, JointFrame]]:
        """Return the joint frames that a joint consists of."""
        frames = self.mechanism.joint_frames
        return [(n, s) for n, s in frames.items() if n == joint or n.startswith(f"{joint}.")]

    def inner_joint(self, body: str) -> str:
        """Return the joint that leads to a body."""
        return next(joint.name for joint in self.model.joints if joint.child == body)

    def outer_joints(self, body: str) -> list[str]:
        """Return the joints that a body is the parent of."""
        return [joint.name for joint in self.model.joints if joint.parent == body]

    def outer_bodies(self, joint: str) -> list[str]:
        """Return the bodies that hang on a joint."""
        child = next(one.child for one in self.model.joints if one.name == joint)
        inner = [body for other in self.outer_joints(child) for body in self.outer_bodies(other)]
        return [body for body in (child, *inner) if body in self.bodies]

    def require(self, condition: bool, message: str) -> None:
        """Refuse what is not explained.

        Raises
        ------
        DerivationError
            Unless the condition is met.
        """
        if not condition:
            raise DerivationError(f"not explained: {message}")


def cross(arm: Iterable[sympy.Expr], force: Iterable[sympy.Expr], axis: int) -> sympy.Expr:
    """Return a component of the moment of a force, as a sum of products."""
    arm, force = tuple(arm), tuple(force)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    return _times(arm[i], force[j]) - _times(arm[j], force[i])


def _times(arm: sympy.Expr, force: sympy.Expr) -> sympy.Expr:
    """Multiply, with the signs in front."""
    return sympy.Add(*(sympy.Mul(one, arm) for one in sympy.Add.make_args(force)))


def _what(load: Load) -> str:
    if load.kind == "gravity":
        return "weight"
    named = {"elastic": "spring", "actuation": "actuator", "external": "applied"}[load.kind]
    return f"{named} {'moment' if load.place is None else 'force'}"


def _word(name: str) -> str:
    return name.replace("_", r"\_")


def _law_names(name: str) -> list[str]:
    base, _, kind = name.rpartition("_")
    letter = {"normal": "N", "friction": r"\mu"}.get(kind, "F")
    index = rf"\mathrm{{{_word(base or name)}}}"
    return [f"{letter}_{{{index}}}", f"F_{{{index}}}", rf"\Phi_{{{index}}}"]


def _squared(expr: sympy.Expr) -> sympy.Expr:
    """Return an expression with sums of products of speeds as products of their sums."""
    if not expr.args:
        return expr
    if expr.is_Add and _is_of_speeds(expr):
        return sympy.factor(expr)
    args = [_squared(one) for one in expr.args]
    return expr if all(map(operator.is_, args, expr.args)) else expr.func(*args, evaluate=False)


def _is_of_speeds(expr: sympy.Expr) -> bool:
    atoms = expr.atoms(sympy.core.function.AppliedUndef)
    still = expr.free_symbols - {dynamicsymbols._t}
    is_plain = not still and not expr.atoms(sympy.Function) - atoms
    return is_plain and 1 < len(atoms) <= MOST_SPEEDS and not expr.atoms(sympy.Derivative)
