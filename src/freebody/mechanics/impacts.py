"""Impacts: what closes in an instant, M (u⁺ - u⁻) = Jᵀ Λ and J u⁺ + j = -e (J u⁻ + j)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.errors import DerivationError
from freebody.mechanics.constraints import (
    ConstraintEquation,
    coincident_equations,
    constraint_name,
    constraint_rows_of,
    expression_equation,
    placed,
)
from freebody.mechanics.joint_frames import UNIT, components
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Components, Effort, Triple
from freebody.model.impacts import Catch, Limit, Touch


@dataclass(frozen=True)
class Impact:
    """An impact of the model as scalar equations.

    Attributes
    ----------
    entry : Touch, Catch or Limit
        What the model says.
    restitution : sympy.Expr
        Newton's, of the equations that close.
    impulses : tuple of sympy.Expr
        The impulse of each equation, as a function of time.
    equations : tuple of ConstraintEquation
        A touch has that along its normal first.
    """

    entry: Touch | Catch | Limit
    restitution: sympy.Expr
    impulses: tuple[sympy.Expr, ...]
    equations: tuple[ConstraintEquation, ...]

    @property
    def name(self) -> str:
        """Its name."""
        return self.entry.name

    @property
    def pushes(self) -> bool:
        """Whether the first of its impulses can only be positive."""
        return not isinstance(self.entry, Catch)

    @property
    def restitutions(self) -> tuple[sympy.Expr, ...]:
        """That of each equation: what is rough does not slip afterwards."""
        rough = isinstance(self.entry, Touch)
        rest = sympy.S.Zero if rough else self.restitution
        return (self.restitution, *(rest for _ in self.equations[1:]))


@dataclass(frozen=True)
class _Touching:
    """The height of a point above a plane."""

    place: str
    normal: Components
    height: sympy.Expr
    label: str
    holonomic: bool = True
    geometric: bool = True

    def residual(self, motion: Kinematics) -> Any:
        above = self._along(motion, motion.position(self.place))
        return above - motion.value(self.height)

    def rate(self, motion: Kinematics) -> Any:
        return self._along(motion, motion.velocity(self.place))

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        return self._along(motion, motion.partial_velocity(self.place, speed))

    def second(self, motion: Kinematics) -> Any:
        return self._along(motion, motion.acceleration(self.place))

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        on = motion.mechanism.places[self.place].on
        yield Effort(on, self.place, motion.vector(self.normal, "ground"))

    @property
    def end(self) -> str:
        """The place, by whose distance from the origin rounding is told."""
        return self.place

    def _along(self, motion: Kinematics, vector: Triple) -> Any:
        return motion.vector(self.normal, "ground").dot(vector)


@dataclass(frozen=True)
class _Gripping:
    """The matter of a body at a place, and an arm of the ground's frame away, does not slip."""

    place: str
    arm: Components
    axis: int
    label: str
    holonomic: bool = False
    geometric: bool = True

    def residual(self, motion: Kinematics) -> Any:
        return self.rate(motion)

    def rate(self, motion: Kinematics) -> Any:
        carrier = motion.frame_states[self._on(motion)]
        turning = carrier.omega.cross(self._arm(motion))
        return (motion.velocity(self.place) + turning).parts[self.axis]

    def slope(self, motion: Kinematics, speed: sympy.Expr) -> Any:
        turning = motion.partial(self._on(motion), speed).omega.cross(self._arm(motion))
        return (motion.partial_velocity(self.place, speed) + turning).parts[self.axis]

    def second(self, motion: Kinematics) -> Any:
        turning = motion.accelerations[self._on(motion)].alpha.cross(self._arm(motion))
        return (motion.acceleration(self.place) + turning).parts[self.axis]

    def efforts(self, motion: Kinematics) -> Iterator[Effort]:
        along = motion.frame_states["ground"].axes[self.axis]
        yield Effort(self._on(motion), self.place, along)
        yield Effort(self._on(motion), None, self._arm(motion).cross(along))

    def _on(self, motion: Kinematics) -> str:
        return motion.mechanism.places[self.place].on

    def _arm(self, motion: Kinematics) -> Triple:
        return motion.vector(self.arm, "ground")


def impacts(mechanism: Mechanism) -> Iterator[Impact]:
    """Iterate over the impacts of a model, whose places are added to the mechanism."""
    for entry in mechanism.model.impacts:
        equations = tuple(_equations(entry, mechanism))
        impulses = tuple(
            sympy.Function(constraint_name(entry.name, equation.label))(dynamicsymbols._t)
            for equation in equations
        )
        yield Impact(entry, mechanism.read(entry.restitution), impulses, equations)


def impact_named(mechanism: Mechanism, name: str) -> Impact:
    """Return an impact.

    Raises
    ------
    DerivationError
        If there is no such impact.
    """
    known = {impact.name: impact for impact in mechanism.impacts}
    if name not in known:
        found = f"one of {', '.join(known)}" if known else "a model with impacts"
        raise DerivationError(f"expected {found}, found impact '{name}'")
    return known[name]


def impact_rows(motion: Kinematics) -> dict[str, list[Any]]:
    """Return the equations of all impacts, as `constraint_rows` does those of constraints."""
    equations = [one for impact in motion.mechanism.impacts for one in impact.equations]
    return constraint_rows_of(motion, equations)


def _equations(entry: Any, mechanism: Mechanism) -> Iterator[ConstraintEquation]:
    match entry:
        case Touch():
            place = placed(mechanism, entry.name, entry)
            parts = components(entry.normal, mechanism.read)
            size = sympy.sqrt(sum(part**2 for part in parts))
            normal = (parts[0] / size, parts[1] / size, parts[2] / size)
            arm = components(entry.arm or (0, 0, 0), mechanism.read)
            above = sum((n * x for n, x in zip(normal, arm, strict=True)), sympy.S.Zero)
            height = mechanism.read(entry.height) - above
            yield _Touching(place, normal, height, "normal")
            for axis in entry.rough:
                yield _Gripping(place, arm, list(UNIT).index(axis), axis)
        case Catch():
            yield from coincident_equations(mechanism, entry)
        case Limit():
            yield expression_equation(mechanism, entry.expression)
