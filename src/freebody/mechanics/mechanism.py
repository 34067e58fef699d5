"""A model as steps, places, loads and constraints in sympy scalars, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols

from freebody.algebra.pieces import in_pieces
from freebody.arguments import checked
from freebody.errors import DerivationError, nearest
from freebody.mechanics.parts import BodyPoint, JointFrame, Kind, Load, Mass, Measure, MusclePull
from freebody.model.names import Names
from freebody.model.schema import Model
from freebody.named import Named

if TYPE_CHECKING:
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod

    from freebody.mechanics.constraints import Constraint, ConstraintEquation
    from freebody.mechanics.impacts import Impact
    from freebody.mechanics.objects import Objects


@dataclass(frozen=True)
class Mechanism:
    """What a model stands for, by name.

    Attributes
    ----------
    model : Model
        What it was made from.
    names : Names
        The coordinates, speeds, inputs and constants in sympy.
    kinematics : dict of sympy.Expr to sympy.Expr
        The rate of each coordinate in the generalized speeds.
    definitions : dict of sympy.Expr to sympy.Expr
        Each generalized speed in the rates of the coordinates.
    joint_frames : dict of str to JointFrame
        By joint, parents first. Where a joint turns about several axes, its last turn has its name
        and leads to its child; the others are ``<joint>.1``, ``<joint>.2``, which are also frames.
    places : dict of str to BodyPoint
        The joints' points on their children, the centre of mass of each body by the body's name,
        named points, and where loads act.
    masses : dict of str to Mass
        By body, parents first.
    loads : tuple of Load
    potentials : dict of str to sympy.Expr
        Potential energy in J of what has one, ``"gravity"`` and ``"elastic"``, in measures.
    measures : dict of sympy.Symbol to Measure
        What symbols in loads, laws and potentials are measured by.
    laws : dict of sympy.Expr to sympy.Expr
        The forces and moments that follow a law of their own: a symbol for each, as a function of
        time, and what it stands for.
    constraints : tuple of Constraint
    muscles : tuple of MusclePull
        Their pulls are among the loads.
    impacts : tuple of Impact
    springs, dampers : tuple of sympy.Expr
        How strongly each of the model pulls its ends together, in measures.
    variant : str
        In what it is not what its model says: what is closed, other dependent speeds.
    by_symbol : bool
        Whether prescribed motions are the symbols that they have, rather than functions of time.
    """

    model: Model
    names: Names
    kinematics: Mapping[sympy.Expr, sympy.Expr]
    definitions: Mapping[sympy.Expr, sympy.Expr]
    joint_frames: dict[str, JointFrame] = field(default_factory=dict)
    places: dict[str, BodyPoint] = field(default_factory=dict)
    masses: dict[str, Mass] = field(default_factory=dict)
    loads: tuple[Load, ...] = ()
    potentials: dict[Kind, sympy.Expr] = field(default_factory=dict)
    measures: dict[sympy.Symbol, Measure] = field(default_factory=dict)
    laws: dict[sympy.Expr, sympy.Expr] = field(default_factory=dict)
    constraints: tuple[Constraint, ...] = ()
    impacts: tuple[Impact, ...] = ()
    muscles: tuple[MusclePull, ...] = ()
    springs: tuple[sympy.Expr, ...] = ()
    dampers: tuple[sympy.Expr, ...] = ()
    variant: str = ""
    by_symbol: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Expr, ...]:
        """The generalized coordinates, as functions of time."""
        return tuple(self.names.coordinates.values())

    @property
    def speeds(self) -> tuple[sympy.Expr, ...]:
        """The generalized speeds, as functions of time."""
        return tuple(self.names.speeds.values())

    @property
    def accelerations(self) -> tuple[sympy.Expr, ...]:
        """The time derivatives of the generalized speeds."""
        return tuple(self.names.accelerations.values())

    @property
    def multipliers(self) -> tuple[sympy.Expr, ...]:
        """The forces of the constraints, as functions of time."""
        return tuple(symbol for constraint in self.constraints for symbol in constraint.multipliers)

    @property
    def equations(self) -> tuple[ConstraintEquation, ...]:
        """The scalar equations of the constraints, in the order of their multipliers."""
        return tuple(
            equation for constraint in self.constraints for equation in constraint.equations
        )

    @property
    def dependent(self) -> tuple[str, ...]:
        """The names of the coordinates or speeds that the constraints decide."""
        return tuple(name for constraint in self.constraints for name in constraint.dependent)

    @property
    def dependent_speeds(self) -> tuple[sympy.Expr, ...]:
        """The speeds that the constraints decide."""
        return tuple(map(self.dependent_speed, self.dependent))

    @property
    def decided(self) -> tuple[int, ...]:
        """Where, among the coordinates, those are that constraints between them decide."""
        return tuple(
            self.speeds.index(self.dependent_speed(name))
            for constraint in self.constraints
            for name, equation in zip(constraint.dependent, constraint.equations, strict=False)
            if equation.holonomic
        )

    @property
    def is_redundant(self) -> bool:
        """Whether some equations of the constraints follow from the others."""
        return len(self.dependent) < len(self.equations)

    def expect_no_impacts(self, what: str) -> None:
        """Refuse impacts for what does not follow them.

        Raises
        ------
        DerivationError
            If the model has any.
        """
        if self.impacts:
            raise DerivationError(
                f"'{self.model.title}' has impacts, which {what} does not follow: expected a model "
                "without"
            )

    def expect_independent(self, what: str) -> None:
        """Refuse redundant constraints for what cannot take them.

        Raises
        ------
        DerivationError
            If some equations of the constraints follow from the others.
        """
        if self.is_redundant:
            raise DerivationError(
                f"the constraints of '{self.model.title}' are redundant, which {what} cannot take: "
                "expected equations of which none follows from the others"
            )

    def dependent_speed(self, name: str) -> sympy.Expr:
        """Return the speed that a constraint decides, by its name or that of its coordinate.

        A speed that the model declares stands for the coordinate declared in the same place.
        """
        if name in self.names.speeds:
            return self.names.speeds[name]
        return self.speeds[list(self.names.coordinates).index(name)]

    @property
    def joints(self) -> dict[str, JointFrame]:
        """The step of each joint of the model that leads to its child."""
        return {joint.name: self.joint_frames[joint.name] for joint in self.model.joints}

    @cached_property
    def known(self) -> dict[sympy.Expr, sympy.Expr]:
        """What rates and prescribed motions are in speeds and time."""
        return {**self.kinematics, **({} if self.by_symbol else self.names.given)}

    @property
    def prescribed(self) -> dict[sympy.Expr, sympy.Expr]:
        """Each prescribed motion that is a symbol, as a function of time."""
        names = self.names
        own = [names.prescribed[name] for name in self.model.prescribed if self.by_symbol]
        return {motion: names.given[motion] for motion in own}

    @cached_property
    def prescribed_rates(self) -> dict[sympy.Expr, sympy.Expr]:
        """The rate of each prescribed motion that is a symbol, and the rate of that."""
        rates = dict[sympy.Expr, sympy.Expr]()
        for name in self.model.prescribed if self.by_symbol else ():
            orders = (self.names.prescribed[name + dots] for dots in ("", "_dot", "_ddot"))
            rates |= dict(pairwise(orders))
        return rates

    def read(self, text: Any, measures: Mapping[str, Any] | None = None) -> sympy.Expr:
        """Return what a text or number of the model stands for, in speeds and time."""
        return self.names.read(text, measures).xreplace(self.known)

    def moving(self, text: Any) -> sympy.Expr:
        """Return what a text or number stands for that is differentiated, see `in_pieces`."""
        return in_pieces(self.read(text))

    def rate(self, expr: sympy.Expr) -> sympy.Expr:
        """Return the time derivative of an expression, in speeds and accelerations."""
        rate = sympy.sympify(expr, strict=True).diff(dynamicsymbols._t)
        return rate.xreplace(self._rates)

    @cached_property
    def _rates(self) -> dict[sympy.Expr, sympy.Expr]:
        rates = zip(self.coordinates, self.names.rates.values(), strict=True)
        known = {q.diff(dynamicsymbols._t): self.kinematics[rate] for q, rate in rates}
        after = self.prescribed_rates
        return {**known, **{one.diff(dynamicsymbols._t): rate for one, rate in after.items()}}

    def uses(self, place: str) -> str:
        """Return the name of a place that has one.

        Raises
        ------
        DerivationError
            If there is no such place.
        """
        return _one_of(place, self.named, "a body, a joint or a named point")

    @checked
    def body(self, name: str) -> str:
        """Return the name of a body, or ground.

        Raises
        ------
        DerivationError
            If there is no such body.
        """
        return _one_of(name, ["ground", *(body.name for body in self.model.bodies)], "a body")

    @cached_property
    def named(self) -> list[str]:
        """The places that have a name of their own."""
        return [place for place in self.places if "." not in place]

    @checked
    def angle(self, place: str) -> sympy.Expr:
        """Return the angle of a pin, or of a body that is turned about one axis, in rad.

        Parameters
        ----------
        place : str
            A pin or a body.

        Raises
        ------
        DerivationError
            If there is no such body, or it is not turned by one angle.
        """
        step = self.joint_frames.get(place)
        if step is not None and step.motion is not None and step.turns:
            return step.motion
        if place in self.objects.angles:
            return self.objects.angles[place]
        raise DerivationError(f"'{self.body(place)}' is not turned by one angle")

    # ------------------------------------------------------------------ sympy.physics.mechanics

    @cached_property
    def objects(self) -> Objects:
        """All of it as objects of sympy.physics.mechanics, with velocities and accelerations."""
        from freebody.mechanics.objects import Objects  # they read the mechanism in turn

        return Objects(self)

    @property
    def ground(self) -> ReferenceFrame:
        """The inertial frame."""
        return self.objects.ground

    @property
    def origin(self) -> Point:
        """The origin of the ground, at rest."""
        return self.objects.origin

    @property
    def frames(self) -> dict[str, ReferenceFrame]:
        """One for each body, and the ground."""
        return Named("body", self.objects.frames)

    @property
    def points(self) -> dict[str, Point]:
        """The places that have a name."""
        return Named("place", {place: self.objects.point(place) for place in self.named})

    @property
    def bodies(self) -> dict[str, RigidBody | Particle]:
        """The bodies that have a mass, parents first."""
        return Named("body with a mass", self.objects.bodies)

    @checked
    def position(self, place: str) -> sympy.Matrix:
        """Return where a point is, 3 x 1 in m, in the ground frame from its origin."""
        point = self.objects.point(self.uses(place))
        return point.pos_from(self.origin).to_matrix(self.ground)

    @checked
    def velocity(self, place: str) -> sympy.Matrix:
        """Return the velocity of a point, 3 x 1 in m/s, in the ground frame."""
        return self.objects.point(self.uses(place)).vel(self.ground).to_matrix(self.ground)

    @checked
    def acceleration(self, place: str) -> sympy.Matrix:
        """Return the acceleration of a point, 3 x 1 in m/s**2, in the ground frame."""
        return self.objects.point(self.uses(place)).acc(self.ground).to_matrix(self.ground)

    @checked
    def angular_velocity(self, body: str) -> sympy.Matrix:
        """Return the angular velocity of a body, 3 x 1 in rad/s, in the ground frame."""
        return self.frames[self.body(body)].ang_vel_in(self.ground).to_matrix(self.ground)

    @checked
    def angular_acceleration(self, body: str) -> sympy.Matrix:
        """Return the angular acceleration of a body, 3 x 1 in rad/s**2, in the ground frame."""
        return self.frames[self.body(body)].ang_acc_in(self.ground).to_matrix(self.ground)

    def kinetic_energy(self) -> sympy.Expr:
        """Return the kinetic energy in J."""
        return sympy.Add(*(body.kinetic_energy(self.ground) for body in self.bodies.values()))

    def potential_energy(self) -> sympy.Expr:
        """Return the potential energy of gravity and springs in J."""
        return sympy.Add(*self.potentials.values()).xreplace(self.objects.measured)

    def kanes_method(self) -> KanesMethod:
        """Return sympy's KanesMethod on these frames, points and bodies, with its equations.

        Raises
        ------
        DerivationError
            If there are more speeds than it can take: see `freebody.mechanics.methods.LARGEST`.

        Examples
        --------
        >>> import freebody
        >>> freebody.mechanism("pendulum").kanes_method().q
        Matrix([[theta(t)]])
        """
        from freebody.mechanics.methods import kanes_method  # which reads the mechanism in turn

        return kanes_method(self)

    def lagranges_method(self) -> LagrangesMethod:
        """Return sympy's LagrangesMethod on these energies and loads, with its equations.

        Raises
        ------
        DerivationError
            If there are more speeds than it can take: see `freebody.mechanics.methods.LARGEST`.
        """
        from freebody.mechanics.methods import lagranges_method

        return lagranges_method(self)

    def acting(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over the loads as pairs of a point or frame and a vector, as sympy takes them.

        Yields
        ------
        at : Point or ReferenceFrame
        vector : sympy.physics.mechanics.Vector
            In N, or N m on a frame.
        """
        return map(self.objects.pair, self.loads)


AnyModel = Model | Mechanism | str | Path
"""What functions take for a model: itself, its mechanism, a file or folder, or a shipped name."""


def _one_of(name: str, known: Any, what: str) -> str:
    if name not in known:
        raise DerivationError(
            f"expected {what} ({', '.join(known)}), found '{name}'" + nearest(name, known)
        )
    return name
