"""What holds the motion of a mechanism: J u + j = 0, and the forces that it takes.

Each constraint is a few scalar equations. A geometric one also knows, from its free-body diagram
alone, with what forces and moments it acts on the bodies: that these do no virtual work but along
J is for the formulations to confirm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.mechanics.joint_frames import UNIT, components
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import BodyPoint, Effort, Triple
from freebody.mechanics.wheels import wheel_equations
from freebody.model.impacts import Catch, Touch
from freebody.model.loads import Coincident, Holonomic, Nonholonomic, Parallel, Rolling, Wheel
from freebody.model.marks import Scalar
from freebody.model.parts import Placement


@dataclass(frozen=True)
class Constraint:
    """A constraint of the model as scalar equations.

    Attributes
    ----------
    name : str
    multipliers : tuple of sympy.Expr
        The force or moment of each equation, as a function of time.
    dependent : tuple of str
        The coordinates or speeds that it decides.
    equations : tuple of ConstraintEquation
    """

    name: str
    multipliers: tuple[sympy.Expr, ...]
    dependent: tuple[str, ...]
    equations: tuple[ConstraintEquation, ...]


class ConstraintEquation(Protocol):
    """One scalar equation of a constraint, worked out in the arithmetic of a `Kinematics`."""

    @property
    def label(self) -> str:
        """What tells it from the others of its constraint: an axis, or nothing."""
        ...

    @property
    def holonomic(self) -> bool:
        """Whether it is an equation between the coordinates."""
        ...

    @property
    def geometric(self) -> bool:
        """Whether it acts with forces on bodies, rather than as a generalized force."""
        ...

    def residual(self, motion: Kinematics) -> Any:
        """Return what is zero: of the coordinates if it is holonomic, else of the speeds."""
        ...

    def rate(self, motion: Kinematics) -> Any:
        """Return what is zero between the speeds, J u + j."""
        ...

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        """Return the derivative of the rate by a speed, an entry of J."""
        ...

    def second(self, motion: Kinematics) -> Any:
        """Return the derivative of the rate in time."""
        ...

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        """Iterate over the forces and moments for a multiplier of one."""
        ...


@dataclass(frozen=True)
class _Coincident:
    """Two places do not part along an axis of the ground."""

    start: str
    end: str
    axis: int
    label: str
    holonomic: bool = True
    geometric: bool = True

    def residual(self, motion: Kinematics) -> Any:
        return self._apart(motion.position(self.end), motion.position(self.start))

    def rate(self, motion: Kinematics) -> Any:
        return self._apart(motion.velocity(self.end), motion.velocity(self.start))

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        end = motion.partial_velocity(self.end, speed)
        return self._apart(end, motion.partial_velocity(self.start, speed))

    def second(self, motion: Kinematics) -> Any:
        return self._apart(motion.acceleration(self.end), motion.acceleration(self.start))

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        axis = motion.frame_states["ground"].axes[self.axis]
        yield Effort(_carrier(motion, self.end), self.end, axis)
        yield Effort(_carrier(motion, self.start), self.start, -axis)

    def _apart(self, end: Triple, start: Triple) -> Any:
        return end.parts[self.axis] - start.parts[self.axis]


@dataclass(frozen=True)
class _Parallel:
    """A body does not turn against another about an axis: two other axes stay perpendicular.

    The earlier of these, in cyclic order, is one of the body itself unless `swapped`: where the
    body may turn about the later one, this has to be its own.
    """

    on: str
    to: str
    axis: int
    label: str
    swapped: bool = False
    holonomic: bool = True
    geometric: bool = True

    def residual(self, motion: Kinematics) -> Any:
        one, other = self._pair(motion)
        return -one.dot(other) if self.swapped else one.dot(other)

    def rate(self, motion: Kinematics) -> Any:
        return self._relative(motion).dot(self._normal(motion))

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        turn = motion.partial(self.on, speed).omega - motion.partial(self.to, speed).omega
        return turn.dot(self._normal(motion))

    def second(self, motion: Kinematics) -> Any:
        on, to = motion.frame_states[self.on], motion.frame_states[self.to]
        one, other = self._pair(motion)
        first, second = (to, on) if self.swapped else (on, to)
        change = first.omega.cross(one).cross(other) + one.cross(second.omega.cross(other))
        moving = motion.accelerations
        turning = (moving[self.on].alpha - moving[self.to].alpha).dot(self._normal(motion))
        return turning + self._relative(motion).dot(change)

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        yield Effort(self.on, None, self._normal(motion))
        yield Effort(self.to, None, -self._normal(motion))

    def _pair(self, motion: Kinematics) -> tuple[Triple, Triple]:
        first, second = (self.to, self.on) if self.swapped else (self.on, self.to)
        one, other = motion.frame_states[first], motion.frame_states[second]
        return one.axes[(self.axis + 1) % 3], other.axes[(self.axis + 2) % 3]

    def _normal(self, motion: Kinematics) -> Triple:
        one, other = self._pair(motion)
        return one.cross(other)

    def _relative(self, motion: Kinematics) -> Triple:
        return motion.frame_states[self.on].omega - motion.frame_states[self.to].omega


@dataclass(frozen=True)
class _Rolling:
    """The matter of two bodies at a place has one velocity along an axis of a frame."""

    on: str
    surface: str
    contact: str
    frame: str
    axis: int
    label: str
    holonomic: bool = False
    geometric: bool = True

    def residual(self, motion: Kinematics) -> Any:
        return self.rate(motion)

    def rate(self, motion: Kinematics) -> Any:
        return self._slip(motion).dot(self._axis(motion))

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        on, surface = motion.partial(self.on, speed), motion.partial(self.surface, speed)
        parts = (on.velocity + on.omega.cross(self._arm(motion, self.on))) - (
            surface.velocity + surface.omega.cross(self._arm(motion, self.surface))
        )
        return parts.dot(self._axis(motion))

    def second(self, motion: Kinematics) -> Any:
        change = self._gained(motion, self.on) - self._gained(motion, self.surface)
        turned = motion.frame_states[self.frame].omega.cross(self._axis(motion))
        return change.dot(self._axis(motion)) + self._slip(motion).dot(turned)

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        yield Effort(self.on, self.contact, self._axis(motion))
        yield Effort(self.surface, self.contact, -self._axis(motion))

    def _axis(self, motion: Kinematics) -> Triple:
        return motion.frame_states[self.frame].axes[self.axis]

    def _arm(self, motion: Kinematics, body: str) -> Triple:
        return motion.position(self.contact) - motion.frame_states[body].origin

    def _slip(self, motion: Kinematics) -> Triple:
        on, surface = motion.frame_states[self.on], motion.frame_states[self.surface]
        one = on.velocity + on.omega.cross(self._arm(motion, self.on))
        return one - (surface.velocity + surface.omega.cross(self._arm(motion, self.surface)))

    def _gained(self, motion: Kinematics, body: str) -> Triple:
        """Return the rate of the velocity that a body has at the contact as that moves on."""
        carrier, change = motion.frame_states[body], motion.accelerations[body]
        moving = motion.velocity(self.contact) - carrier.velocity
        turning = change.alpha.cross(self._arm(motion, body))
        return change.origin + turning + carrier.omega.cross(moving)


@dataclass(frozen=True)
class _Expression:
    """An expression of the coordinates, or of the speeds, is zero."""

    mechanism: Mechanism
    expr: sympy.Expr
    holonomic: bool
    label: str = ""
    geometric: bool = False

    def residual(self, motion: Kinematics) -> Any:
        return motion.value(self.expr)

    def rate(self, motion: Kinematics) -> Any:
        return motion.value(self._rate)

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        return motion.value(sympy.expand(self._rate).diff(speed))

    def second(self, motion: Kinematics) -> Any:
        return motion.value(self.mechanism.rate(self._rate).xreplace(motion.stopped))

    def efforts(self, _: Kinematics) -> Iterator[Effort]:
        return iter(())

    @property
    def _rate(self) -> sympy.Expr:
        return self.mechanism.rate(self.expr) if self.holonomic else self.expr


def constraints(mechanism: Mechanism) -> Iterator[Constraint]:
    """Iterate over the constraints of a model, whose places are added to the mechanism."""
    for entry in mechanism.model.constraints:
        equations = tuple(_equations(entry, mechanism))
        multipliers = tuple(
            sympy.Function(constraint_name(entry.name, equation.label))(dynamicsymbols._t)
            for equation in equations
        )
        yield Constraint(entry.name, multipliers, entry.dependent, equations)


def constraint_rows(motion: Kinematics) -> dict[str, list[Any]]:
    """Return the constraints of a mechanism in the arithmetic of its motion.

    Returns
    -------
    dict of str to list
        ``"J"``, row by row; ``"rate"``, J u + j; ``"gamma"``, such that J u̇ + γ = 0, if the
        motion is still; and ``"residual"``, of the coordinates where an equation is of these.
    """
    return constraint_rows_of(motion, motion.mechanism.equations)


def constraint_rows_of(
    motion: Kinematics, equations: Sequence[ConstraintEquation]
) -> dict[str, list[Any]]:
    """Return some equations in the arithmetic of a motion; see `constraint_rows`."""
    speeds = motion.mechanism.speeds
    slopes = [[equation.slope(motion, speed) for speed in speeds] for equation in equations]
    return {
        "J": [slope for row in slopes for slope in row],
        "rate": [equation.rate(motion) for equation in equations],
        "gamma": [equation.second(motion) for equation in equations],
        "residual": [equation.residual(motion) for equation in equations],
    }


def constraint_name(constraint: str, label: str) -> str:
    """Return what the force of an equation of a constraint is called."""
    return f"{constraint}_{label}" if label else constraint


def _equations(entry: Any, mechanism: Mechanism) -> Iterator[ConstraintEquation]:
    axes = [(list(UNIT).index(axis), axis) for axis in getattr(entry, "axes", ())]
    match entry:
        case Coincident():
            yield from coincident_equations(mechanism, entry)
        case Parallel():
            free = {0, 1, 2} - {number for number, _ in axes}
            for number, axis in axes:
                swapped = free == {(number + 2) % 3}
                yield _Parallel(entry.on, entry.to, number, axis, swapped)
        case Rolling():
            contact = placed(mechanism, f"{entry.name}.contact", entry.contact)
            for number, axis in axes:
                label = axis if len(axes) > 1 else ""
                yield _Rolling(entry.on, entry.surface, contact, entry.frame, number, label)
        case Wheel():
            yield from wheel_equations(mechanism, entry)
        case Holonomic() | Nonholonomic():
            yield expression_equation(mechanism, entry.expression, isinstance(entry, Holonomic))


def coincident_equations(
    mechanism: Mechanism, entry: Coincident | Catch
) -> Iterator[ConstraintEquation]:
    """Iterate over what two places do not part along."""
    start, end = (
        placed(mechanism, f"{entry.name}.{n}", place) for n, place in enumerate(entry.between)
    )
    for axis in entry.axes:
        yield _Coincident(start, end, list(UNIT).index(axis), axis)


def expression_equation(
    mechanism: Mechanism, expression: Scalar, holonomic: bool = True
) -> ConstraintEquation:
    """Return that an expression of the coordinates, or of the speeds, is zero."""
    return _Expression(mechanism, mechanism.moving(expression), holonomic)


def placed(mechanism: Mechanism, name: str, place: Placement | Touch) -> str:
    """Add a place of a body to a mechanism, and return its name."""
    mechanism.places[name] = BodyPoint(place.on, components(place.at, mechanism.read))
    return name


def _carrier(motion: Kinematics, place: str) -> str:
    return motion.mechanism.places[place].on
