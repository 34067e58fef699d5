"""Wheels on a plane: where they touch it follows from how their axles stand.

A wheel is a circle about its axle, with a round section where it has a tyre. With n the plane's
normal and a the axle, both of unit length, c = n a and s the root of 1 - c**2, the lowest point of
the circle lies from the hub along -(n - c a)/s, and that of a tyre below it by the radius of its
section.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy

from freebody.mechanics.joint_frames import UNIT, axis_of, components
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import BodyPoint, Components, Effort, Triple
from freebody.model.loads import Wheel

if TYPE_CHECKING:
    from freebody.mechanics.constraints import ConstraintEquation

SQUARE = sympy.Dummy("square", real=True)
"""Stands for what a root is taken of."""


@dataclass(frozen=True)
class Rim:
    """A wheel, and the plane that it stands on.

    Attributes
    ----------
    on : str
        The body that the wheel belongs to.
    hub : str
        The name of a place.
    axle : tuple of three sympy.Expr
        Of unit length, in the frame of the body.
    normal : tuple of three sympy.Expr
        Of unit length, in the ground frame.
    radius, section : sympy.Expr
        Of the circle, and of the section of the tyre, in m.
    """

    on: str
    hub: str
    axle: Components
    normal: Components
    radius: sympy.Expr
    section: sympy.Expr

    def arm(self, motion: Kinematics) -> Triple:
        """Return where the wheel touches, from its hub."""
        normal, axle = self._directions(motion)
        along = normal.dot(axle)
        down = (normal - axle.times(along)).times(motion.value(self.radius) / _sine(motion, along))
        return -(down + normal.times(motion.value(self.section)))

    def arm_rate(self, motion: Kinematics) -> Triple:
        """Return how fast that changes, the point of contact not being one of the matter."""
        normal, axle = self._directions(motion)
        turning = motion.frame_states[self.on].omega.cross(axle)
        along, rate = normal.dot(axle), normal.dot(turning)
        size = _sine(motion, along)
        change = axle.times(rate) + turning.times(along)
        gained = change - (normal - axle.times(along)).times(along * rate / (size * size))
        return gained.times(motion.value(self.radius) / size)

    def _directions(self, motion: Kinematics) -> tuple[Triple, Triple]:
        return motion.vector(self.normal, "ground"), motion.vector(self.axle, self.on)


def _sine(motion: Kinematics, cosine: Any) -> Any:
    """Return the sine of an angle up to half a turn, in the arithmetic of a motion."""
    square = motion.value(sympy.S.One) - cosine * cosine
    return motion.domain.values([sympy.sqrt(SQUARE)], {SQUARE: square})[0]


@dataclass(frozen=True)
class _NoSlip:
    """The matter of a wheel where it touches has no velocity along a direction of the ground."""

    rim: Rim
    along: Components
    label: str
    holonomic: bool = False
    geometric: bool = True

    def residual(self, motion: Kinematics) -> Any:
        return self.rate(motion)

    def rate(self, motion: Kinematics) -> Any:
        turning = motion.frame_states[self.rim.on].omega.cross(self.rim.arm(motion))
        return (motion.velocity(self.rim.hub) + turning).dot(self._direction(motion))

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        turning = motion.partial(self.rim.on, speed).omega.cross(self.rim.arm(motion))
        moving = motion.partial_velocity(self.rim.hub, speed)
        return (moving + turning).dot(self._direction(motion))

    def second(self, motion: Kinematics) -> Any:
        rim, on = self.rim, self.rim.on
        turning = motion.accelerations[on].alpha.cross(rim.arm(motion))
        moving = motion.frame_states[on].omega.cross(rim.arm_rate(motion))
        change = motion.acceleration(rim.hub) + turning + moving
        return change.dot(self._direction(motion))

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        force = self._direction(motion)
        yield Effort(self.rim.on, self.rim.hub, force)
        yield Effort(self.rim.on, None, self.rim.arm(motion).cross(force))

    def _direction(self, motion: Kinematics) -> Triple:
        return motion.vector(self.along, "ground")


@dataclass(frozen=True)
class _Resting(_NoSlip):
    """A wheel touches its plane: its lowest point has the height of this.

    Its rate is the velocity of the matter there along the normal, since the point moves on along
    the plane.

    Attributes
    ----------
    height : sympy.Expr
        Of the plane.
    end : str
        The place whose distance from the origin says how large a residual is.
    """

    height: sympy.Expr = sympy.S.Zero
    end: str = ""

    def residual(self, motion: Kinematics) -> Any:
        lowest = motion.position(self.rim.hub) + self.rim.arm(motion)
        return lowest.dot(self._direction(motion)) - motion.value(self.height)


def wheel_equations(mechanism: Mechanism, entry: Wheel) -> Iterator[ConstraintEquation]:
    """Iterate over what a wheel on a plane does: it touches, and does not slip along axes.

    Parameters
    ----------
    mechanism : Mechanism
        To which the hub is added.
    entry : Wheel
        Of the model.
    """
    read, hub = mechanism.read, f"{entry.name}.hub"
    mechanism.places[hub] = BodyPoint(entry.on, components(entry.at, read))
    axle, normal = axis_of(entry.axis, read), axis_of(entry.normal, read)
    rim = Rim(entry.on, hub, axle, normal, read(entry.radius), read(entry.section))
    yield _Resting(rim, normal, "normal", True, height=read(entry.height), end=hub)
    for axis in entry.axes:
        yield _NoSlip(rim, UNIT[axis], axis)
