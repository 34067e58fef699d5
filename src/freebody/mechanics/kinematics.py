"""Motion carried outward from the ground, step by step, in any arithmetic.

Canonical forms, numbers of a prime field and the symbols of a straight-line program all go through
the same few vector products: Newton and Euler's outward recursion in the ground frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import sympy
from sympy.core.function import AppliedUndef

from freebody.algebra import Form, Ring
from freebody.algebra.domains import Domain
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import BodyPoint, Components, JointFrame, Kind, Load, Triple


@dataclass(frozen=True)
class CanonicalForms:
    """Canonical forms of one ring.

    Attributes
    ----------
    ring : Ring
    """

    ring: Ring

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> list[Form]:
        """Return the forms of expressions."""
        forms = self.ring.forms(expressions)
        return [self.ring.substitute(form, given) for form in forms] if given else forms


@dataclass(frozen=True)
class PointValues:
    """Values at a random point of a prime field, or bounds on their degrees.

    Attributes
    ----------
    at : Domain
    """

    at: Domain[Any]

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> list[Any]:
        """Return the values of expressions."""
        return (self.at.where(given) if given else self.at).values(expressions)


# ------------------------------------------------------------------ kinematics

Axes = tuple[Triple, Triple, Triple]

PRESCRIBED = sympy.S.One
"""Stands among the speeds for what moves although all speeds are zero."""


class Arithmetic(Protocol):
    """An arithmetic: what sympy expressions are worth in it, as elements with + - * /."""

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> Sequence[Any]:
        """Return the elements of expressions, some symbols of which are given as elements."""
        ...


@dataclass(frozen=True)
class FrameState:
    """A frame in motion.

    Attributes
    ----------
    axes : tuple of three Triple
        Its axes.
    origin, velocity : Triple
        Of its origin.
    omega : Triple
        Its angular velocity.
    """

    axes: Axes
    origin: Triple
    velocity: Triple
    omega: Triple


@dataclass(frozen=True)
class Passage:
    """How a joint frame leads from its parent to its child.

    Attributes
    ----------
    axes : tuple of three Triple
        Of the joint.
    arm, back : Triple
        From the origins of parent and child to the joint.
    drift, spin : Triple
        How fast the child moves and turns there.
    """

    axes: Axes
    arm: Triple
    back: Triple
    drift: Triple
    spin: Triple


@dataclass(frozen=True)
class Acceleration:
    """The acceleration of a frame's origin, and its angular acceleration."""

    origin: Triple
    alpha: Triple


@dataclass(frozen=True)
class PartialVelocities:
    """The derivatives of a frame's velocity and angular velocity by a generalized speed."""

    velocity: Triple
    omega: Triple


class Kinematics:
    """Where everything in a mechanism is and how it moves.

    Parameters
    ----------
    mechanism : Mechanism
    domain : Arithmetic
        The arithmetic.
    still : bool, optional
        Whether the derivatives of the speeds are taken as zero.
    laws : bool, optional
        Whether laws are worked out, rather than left as the symbols that they have.
    """

    def __init__(
        self, mechanism: Mechanism, domain: Arithmetic, *, still: bool = False, laws: bool = False
    ) -> None:
        self.mechanism = mechanism
        self.domain = domain
        self.laws = laws
        self.stopped = dict.fromkeys(mechanism.accelerations, sympy.S.Zero) if still else {}
        zero, one = domain.values([sympy.S.Zero, sympy.S.One])
        self.zero = zero
        self.none = Triple((zero, zero, zero))
        unit = (Triple((one, zero, zero)), Triple((zero, one, zero)), Triple((zero, zero, one)))
        self.frame_states = {"ground": FrameState(unit, self.none, self.none, self.none)}
        self._passages: dict[str, Passage] = {}
        for name, step in mechanism.joint_frames.items():
            self.frame_states[step.child] = self._carried(name, step)
        self._given: dict[sympy.Expr, Any] = {}
        self._partials: dict[sympy.Expr, dict[str, PartialVelocities]] = {}

    # ------------------------------------------------------------------ scalars and vectors

    def values(self, expressions: Iterable[sympy.Expr]) -> Sequence[Any]:
        """Return the elements of expressions that may hold measures and laws."""
        expressions = list(expressions)
        measures = {symbol for expr in expressions for symbol in self._measured_in(expr)}
        return self.domain.values(
            expressions, {symbol: self._measure(symbol) for symbol in measures}
        )

    def value(self, expr: sympy.Expr) -> Any:
        """Return the element of one expression."""
        return self.values([expr])[0]

    def vector(self, components: Components, frame: str) -> Triple:
        """Return the vector with components along the axes of a frame."""
        return self._along(self.frame_states[frame].axes, components)

    def _along(self, axes: Axes, components: Components) -> Triple:
        total = self.none
        for axis, part in zip(axes, components, strict=True):
            if part == 1:
                total = total + axis
            elif part != 0:
                total = total + axis.times(self.value(part))
        return total

    def _measured_in(self, expr: sympy.Expr) -> set[sympy.Expr]:
        measures = expr.free_symbols & self.mechanism.measures.keys()
        if self.laws:
            measures |= expr.atoms(sympy.Function) & self.mechanism.laws.keys()
        return set(measures)

    def _measure(self, symbol: sympy.Expr) -> Any:
        if symbol not in self._given:
            if symbol in self.mechanism.laws:
                self._given[symbol] = self.value(self.mechanism.laws[symbol])
            else:
                measure = self.mechanism.measures[symbol]
                seen = self.position if measure.order == 0 else self.velocity
                between = seen(measure.end) - seen(measure.start)
                self._given[symbol] = between.parts[measure.axis]
        return self._given[symbol]

    # ------------------------------------------------------------------ places

    def position(self, place: str) -> Triple:
        """Return where a place is, from the origin of the ground."""
        carrier, arm = self._arm(place)
        return carrier.origin + arm

    def velocity(self, place: str) -> Triple:
        """Return the velocity of a place."""
        carrier, arm = self._arm(place)
        return carrier.velocity + carrier.omega.cross(arm)

    def acceleration(self, place: str) -> Triple:
        """Return the acceleration of a place."""
        carrier, arm = self._arm(place)
        moving = self.accelerations[self._place(place).on]
        turned = carrier.omega.cross(carrier.omega.cross(arm))
        return moving.origin + moving.alpha.cross(arm) + turned

    def partial_velocity(self, place: str, speed: sympy.Expr) -> Triple:
        """Return the derivative of a place's velocity by a generalized speed."""
        partial = self.partial(self._place(place).on, speed)
        return partial.velocity + partial.omega.cross(self._arm(place)[1])

    def at(self, frame: str, components: Components) -> Triple:
        """Return where something is that stands in a frame."""
        return self.frame_states[frame].origin + self.vector(components, frame)

    def joint_axes(self, name: str) -> Axes:
        """Return the axes of a joint frame before it turns, along which it shifts."""
        return self._passages[name].axes

    def joint_axis(self, name: str) -> Triple:
        """Return the axis of a joint frame that turns, or slides along one line."""
        axis = self.mechanism.joint_frames[name].axis
        return self.none if axis is None else self._along(self._passages[name].axes, axis)

    def turned_by(
        self, matrix: sympy.ImmutableMatrix, carrier: FrameState, vector: Triple
    ) -> Triple:
        """Return a matrix in the axes of a frame times a vector.

        Parameters
        ----------
        matrix : ImmutableMatrix
            3 x 3, in the axes of the frame.
        carrier : FrameState
            The frame.
        vector : Triple
            In the ground frame.

        Returns
        -------
        Triple
            In the ground frame.
        """
        parts = [vector.dot(axis) for axis in carrier.axes]
        total = self.none
        for row, axis in enumerate(carrier.axes):
            for column, part in enumerate(parts):
                if matrix[row, column] != 0:
                    total = total + axis.times(part * self.value(matrix[row, column]))
        return total

    def angular_momentum_rate(self, body: str) -> Triple:
        """Return the rate of a rigid body's angular momentum about its centre of mass."""
        inertia, carrier = self.mechanism.masses[body].inertia, self.frame_states[body]
        turning = self.turned_by(inertia, carrier, carrier.omega)
        alpha = self.accelerations[body].alpha
        return self.turned_by(inertia, carrier, alpha) + carrier.omega.cross(turning)

    def _place(self, place: str) -> BodyPoint:
        if place == "ground":
            return BodyPoint("ground", (sympy.S.Zero,) * 3)
        return self.mechanism.places[place]

    def _arm(self, name: str) -> tuple[FrameState, Triple]:
        place = self._place(name)
        return self.frame_states[place.on], self.vector(place.at, place.on)

    # ------------------------------------------------------------------ outward

    def _carried(self, name: str, step: JointFrame) -> FrameState:
        """Return the child of a step."""
        parent = self.frame_states[step.parent]
        joint = self._turned(parent.axes, step.orientation)
        drift = self._along(joint, self._rates(step.shift))
        arm = self._along(parent.axes, step.at) + self._along(joint, step.shift)
        axes, spin = joint, self.none
        if step.turns and step.axis is not None:
            spin = self._along(joint, step.axis).times(self.value(self.mechanism.rate(step.angle)))
            axes = self._rotated(joint, step)
        if step.child_orientation is not None:
            axes = self._turned(axes, step.child_orientation.T)
        back, omega = self._along(axes, step.child_at), parent.omega + spin
        self._passages[name] = Passage(joint, arm, back, drift, spin)
        velocity = parent.velocity + parent.omega.cross(arm) + drift - omega.cross(back)
        return FrameState(axes, parent.origin + arm - back, velocity, omega)

    @cached_property
    def accelerations(self) -> dict[str, Acceleration]:
        """The accelerations of the frames, worked out when they are first asked for."""
        known = {"ground": Acceleration(self.none, self.none)}
        for name, step in self.mechanism.joint_frames.items():
            known[step.child] = self._accelerated(name, step, known[step.parent])
        return known

    def _accelerated(self, name: str, step: JointFrame, parent: Acceleration) -> Acceleration:
        """Return the acceleration of the child of a joint frame."""
        passage, omega = self._passages[name], self.frame_states[step.parent].omega
        arm, back, drift, alpha = passage.arm, passage.back, passage.drift, parent.alpha
        origin = parent.origin + alpha.cross(arm) + omega.cross(omega.cross(arm))
        origin = origin + omega.cross(drift + drift)
        origin = origin + self._along(passage.axes, self._seconds(step.shift))
        if step.turns and step.axis is not None:
            (second,) = self._seconds((step.angle,))
            turn = self._along(passage.axes, step.axis).times(self.value(second))
            alpha = alpha + turn + omega.cross(passage.spin)
        omega = self.frame_states[step.child].omega
        return Acceleration(origin - alpha.cross(back) - omega.cross(omega.cross(back)), alpha)

    def _rates(self, parts: Components) -> Components:
        x, y, z = map(self.mechanism.rate, parts)
        return x, y, z

    def _seconds(self, parts: Iterable[sympy.Expr]) -> tuple[Any, ...]:
        rate = self.mechanism.rate
        return tuple(rate(rate(part)).xreplace(self.stopped) for part in parts)

    def _turned(self, axes: Axes, matrix: sympy.ImmutableMatrix | None) -> Axes:
        """Return the axes that have the columns of a matrix as components."""
        if matrix is None:
            return axes
        x, y, z = (self._along(axes, tuple(matrix[:, column])) for column in range(3))
        return x, y, z

    def _rotated(self, axes: Axes, step: JointFrame) -> Axes:
        """Return axes turned about the axis of a step (Rodrigues' formula)."""
        u = sympy.ImmutableMatrix(step.axis)
        cosine, sine = sympy.cos(step.angle), sympy.sin(step.angle)
        cross = sympy.ImmutableMatrix([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
        matrix = cosine * sympy.eye(3) + sine * cross + (1 - cosine) * u * u.T
        return self._turned(axes, sympy.ImmutableMatrix(matrix.applyfunc(sympy.expand)))

    # ------------------------------------------------------------------ partial velocities

    def partial(self, frame: str, speed: sympy.Expr) -> PartialVelocities:
        """Return how a frame's motion depends on a generalized speed."""
        if speed not in self._partials:
            self._partials[speed] = self._partials_by(speed)
        return self._partials[speed][frame]

    def _partials_by(self, speed: sympy.Expr) -> dict[str, PartialVelocities]:
        partials = {"ground": PartialVelocities(self.none, self.none)}
        for name, step in self.mechanism.joint_frames.items():
            before, parent = partials[step.parent], self.frame_states[step.parent]
            child = self.frame_states[step.child]
            slide, turn = self.step_partial(name, speed)
            omega = before.omega + turn
            back = self._along(child.axes, step.child_at)
            arm = child.origin + back - parent.origin
            velocity = before.velocity + before.omega.cross(arm) + slide - omega.cross(back)
            partials[step.child] = PartialVelocities(velocity, omega)
        return partials

    def step_partial(self, name: str, speed: sympy.Expr) -> tuple[Triple, Triple]:
        """Return the derivatives of a step's own velocity and angular velocity by a speed.

        For `PRESCRIBED`, these velocities where all speeds are zero.

        Parameters
        ----------
        name : str
            Of a joint frame.
        speed : sympy.Expr
            A generalized speed, or `PRESCRIBED`.

        Returns
        -------
        velocity, omega : Triple
            In the ground frame.
        """
        if not self.is_moved(name, speed):
            return self.none, self.none
        step, joint = self.mechanism.joint_frames[name], self._passages[name].axes
        *slides, turning = (self._part(rate, speed) for rate in self._step_rates[name])
        slide = self._along(joint, (slides[0], slides[1], slides[2]))
        if step.axis is None or turning == 0:
            return slide, self.none
        return slide, self._along(joint, step.axis).times(self.value(turning))

    def is_moved(self, name: str, speed: sympy.Expr) -> bool:
        """Return whether a step's own motion depends on a speed."""
        return speed == PRESCRIBED or speed in self._step_speeds[name]

    @cached_property
    def _step_speeds(self) -> dict[str, set[sympy.Basic]]:
        return {
            name: set().union(*(rate.atoms(AppliedUndef) for rate in rates))
            for name, rates in self._step_rates.items()
        }

    def _part(self, rate: sympy.Expr, speed: sympy.Expr) -> sympy.Expr:
        if speed == PRESCRIBED:
            return rate.xreplace(dict.fromkeys(self.mechanism.speeds, sympy.S.Zero))
        return rate.diff(speed)

    @cached_property
    def _step_rates(self) -> dict[str, tuple[sympy.Expr, ...]]:
        return {
            name: tuple(map(self.mechanism.rate, (*step.shift, step.angle)))
            for name, step in self.mechanism.joint_frames.items()
        }

    # ------------------------------------------------------------------ energy

    def kinetic_energy(self) -> Any:
        """Return the kinetic energy."""
        total = self.zero
        for body, mass in self.mechanism.masses.items():
            velocity, carrier = self.velocity(body), self.frame_states[body]
            double = velocity.dot(velocity) * self.value(mass.mass)
            if mass.inertia is not None:
                double = double + carrier.omega.dot(
                    self.turned_by(mass.inertia, carrier, carrier.omega)
                )
            total = total + double * self.value(sympy.S.Half)
        return total

    def potential_energy(self, marks: Mapping[Any, sympy.Expr] | None = None) -> Any:
        """Return the potential energy of gravity and springs, each times its mark if it has one."""
        marks = marks or {}
        parts = self.mechanism.potentials.items()
        return self.value(sympy.Add(*(marks.get(kind, 1) * energy for kind, energy in parts)))


# ------------------------------------------------------------------ generalized forces


def generalized_forces(motion: Kinematics, kind: Kind) -> list[Any]:
    """Return the generalized forces of the loads of a kind, one for each speed."""
    return generalized_forces_of(
        motion, (load for load in motion.mechanism.loads if load.kind == kind)
    )


def generalized_forces_of(motion: Kinematics, loads: Iterable[Load]) -> list[Any]:
    """Return the generalized forces of loads, one for each speed."""
    totals = [motion.zero] * len(motion.mechanism.speeds)
    for load in loads:
        exerted = motion.vector(load.components, load.frame)
        for number, speed in enumerate(motion.mechanism.speeds):
            totals[number] = totals[number] + exerted.dot(partial_of(motion, load, speed))
    return totals


def moment_arms(motion: Kinematics) -> list[list[Any]]:
    """Return the matrix R of the generalized forces R F of the muscles' tensions, n x muscles."""
    columns = [generalized_forces_of(motion, muscle.loads) for muscle in motion.mechanism.muscles]
    return [[column[row] for column in columns] for row in range(len(motion.mechanism.speeds))]


def partial_of(motion: Kinematics, load: Load, speed: sympy.Expr) -> Triple:
    """Return the partial velocity that a load acts along.

    Parameters
    ----------
    motion : Kinematics
    load : Load
    speed : sympy.Expr
        A generalized speed.

    Returns
    -------
    Triple
        Of a point for a force, of a frame for a torque.
    """
    if load.place is None:
        return motion.partial(load.on, speed).omega
    return motion.partial_velocity(load.place, speed)
