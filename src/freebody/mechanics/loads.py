"""What acts on the bodies of a mechanism, and a model made into a mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import Draws, FieldPoint, agree
from freebody.errors import DerivationError
from freebody.mechanics.joint_frames import NOWHERE, UNIT, actuated_frames, axis_of, components
from freebody.mechanics.kinematics import Kinematics, PointValues
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.muscles import MuscleBuilder
from freebody.mechanics.parts import AXES, BodyPoint, Components, Kind, Load, Measure
from freebody.model.joints import Custom, Cylindrical, Pin, Slider, Spherical, Universal
from freebody.model.loads import Contact, Damper, Friction, Spring, Stop
from freebody.model.parts import Placement


@dataclass(frozen=True)
class LineBetween:
    """The line from a place to another: its components and their rates, and its length."""

    start: str
    end: str
    along: Components
    rates: Components

    @property
    def length(self) -> sympy.Expr:
        """Its length."""
        return sympy.sqrt(sum(part**2 for part in self.along))

    @property
    def rate(self) -> sympy.Expr:
        """How fast it grows."""
        pairs = zip(self.along, self.rates, strict=True)
        return sum(part * rate for part, rate in pairs) / self.length


class LoadBuilder:
    """All loads of a model on a mechanism that has its steps and masses.

    Attributes
    ----------
    mechanism : Mechanism
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.model = mechanism.model
        self.read = mechanism.read
        self._between: dict[tuple[str, str], LineBetween] = {}
        self._motions: dict[tuple[int, int], tuple[Draws, Kinematics]] = {}
        self._springs: list[sympy.Expr] = []
        self._dampers: list[sympy.Expr] = []

    def applied(self) -> Mechanism:
        """Return the mechanism with all its loads, muscles and potentials."""
        muscles = tuple(MuscleBuilder(self).made())
        pulls = (
            replace(load, cause=f"muscle.{number}")
            for number, muscle in enumerate(muscles)
            for load in muscle.pulls
        )
        loads = (*self._all(), *pulls)
        energies: dict[Kind, sympy.Expr] = {"gravity": self._height(), "elastic": self._stretch()}
        return replace(
            self.mechanism,
            loads=loads,
            potentials=energies,
            muscles=muscles,
            springs=tuple(self._springs),
            dampers=tuple(self._dampers),
        )

    def _all(self) -> Iterator[Load]:
        yield from self._gravity()
        for joint in self.model.joints:
            yield from self._actuators(joint)
        yield from self._forces()
        yield from self._torques()
        for number, spring in enumerate(self.model.springs):
            yield from (replace(load, cause=f"spring.{number}") for load in self._spring(spring))
        for number, damper in enumerate(self.model.dampers):
            yield from (replace(load, cause=f"damper.{number}") for load in self._damper(damper))
        for number, stop in enumerate(self.model.stops):
            yield from self._stop(number, stop)
        for number, friction in enumerate(self.model.friction):
            yield from self._friction(number, friction)
        for contact in self.model.contacts:
            yield from self._contact(contact)

    # ------------------------------------------------------------------ on bodies

    def _gravity(self) -> Iterator[Load]:
        if self.model.gravity is None:
            return
        pull = components(self.model.gravity, self.read)
        for name, mass in self.mechanism.masses.items():
            weight = tuple(mass.mass * part for part in pull)
            on = self.mechanism.places[name].on
            yield Load("gravity", on, name, "ground", (weight[0], weight[1], weight[2]))

    def _forces(self) -> Iterator[Load]:
        for number, force in enumerate(self.model.forces):
            place = self._placed(force.name or f"force.{number}", force.on, force.at)
            vector = components(force.vector, self.read)
            yield Load("external", force.on, place, force.frame, vector)
            if force.arm is not None:
                turning = _cross(components(force.arm, self.read), vector)
                yield Load("external", force.on, None, force.frame, turning)

    def _torques(self) -> Iterator[Load]:
        for torque in self.model.torques:
            vector = components(torque.vector, self.read)
            yield Load("external", torque.on, None, torque.frame, vector)
            if torque.reaction_on not in (None, "ground"):
                yield Load("external", torque.reaction_on, None, torque.frame, _minus(vector))

    def _placed(self, name: str, on: str, at: Any) -> str:
        self.mechanism.places[name] = BodyPoint(on, components(at, self.read))
        return name

    # ------------------------------------------------------------------ at joints

    def _actuators(self, joint: Any) -> Iterator[Load]:
        match joint:
            case Pin() if joint.torque is not None:
                yield from self.across("actuation", joint.name, self.read(joint.torque))
            case Slider() if joint.force is not None:
                yield from self.across("actuation", joint.name, self.read(joint.force))
            case Cylindrical():
                for effort, turns in ((joint.force, False), (joint.torque, True)):
                    if effort is not None:
                        kind: Kind = "actuation"
                        yield from self.across(kind, joint.name, self.read(effort), turns=turns)
            case Universal() | Spherical():
                yield from self._motors(joint)
            case Custom():
                for frame, effort in actuated_frames(joint):
                    yield from self.across("actuation", frame, self.read(effort))

    def _motors(self, joint: Universal | Spherical) -> Iterator[Load]:
        """Iterate over the moments at a joint that turns about several axes."""
        steps = (*(f"{joint.name}.{n}" for n in range(1, len(joint.angles))), joint.name)
        if joint.torque is not None:
            vector = components(joint.torque, self.read)
            yield Load("actuation", joint.child, None, joint.child, vector, steps)
            if joint.parent != "ground":
                yield Load("actuation", joint.parent, None, joint.child, _minus(vector), steps)
        if joint.generalized_torque is not None:
            for step, effort in zip(steps, joint.generalized_torque, strict=True):
                yield from self.across("actuation", step, self.read(effort))

    def across(
        self, kind: Kind, name: str, effort: sympy.Expr, *, turns: bool | None = None
    ) -> Iterator[Load]:
        """Iterate over a torque or force of a step on its child, and its opposite.

        Parameters
        ----------
        kind : {"gravity", "elastic", "actuation", "external"}
        name : str
            Of the joint frame.
        effort : sympy.Expr
            In N m, or in N where it is a force.
        turns : bool, optional
            Whether it is a torque; by default where the frame turns.
        """
        step = self.mechanism.joint_frames[name]
        x, y, z = (effort * part for part in step.axis_in_child)
        turns = step.turns if turns is None else turns
        self.mechanism.places.setdefault(name, BodyPoint(step.child, step.child_at))
        yield Load(kind, step.child, None if turns else name, step.child, (x, y, z), (name,))
        if step.parent != "ground":
            place = f"{name}.parent"
            self.mechanism.places[place] = BodyPoint(step.parent, step.at)
            opposite = (-x, -y, -z)
            at = None if turns else place
            yield Load(kind, step.parent, at, step.child, opposite, (name,))

    def _joint(self, name: str) -> tuple[sympy.Expr, sympy.Expr]:
        """Return the motion of a pin or slider, and its rate."""
        motion = self.mechanism.joint_frames[name].motion
        if motion is None:
            raise DerivationError(f"expected a pin or a slider, found '{name}'")
        return motion, self.mechanism.rate(motion)

    def law(self, name: str, expr: sympy.Expr) -> sympy.Expr:
        """Return a symbol for a force that follows a law of its own."""
        symbol = sympy.Function(name)(dynamicsymbols._t)
        self.mechanism.laws[symbol] = expr
        return symbol

    def _stop(self, number: int, stop: Stop) -> Iterator[Load]:
        motion, rate = self._joint(stop.joint)
        width, stiffness = self.read(stop.smoothing), self.read(stop.stiffness)
        dissipation = self.read(stop.dissipation)
        push = sympy.S.Zero
        for limit, sign in ((stop.lower, 1), (stop.upper, -1)):
            if limit is not None:
                beyond = sign * (self.read(limit) - motion)
                depth = (beyond + sympy.sqrt(beyond**2 + width**2)) / 2
                push += sign * stiffness * depth * (1 - sign * dissipation * rate)
        yield from self.across(
            "external", stop.joint, self.law(stop.name or f"stop_{number}", push)
        )

    def _friction(self, number: int, friction: Friction) -> Iterator[Load]:
        _, rate = self._joint(friction.joint)
        coulomb = self.read(friction.coulomb)
        dry = coulomb * sympy.tanh(rate / self.read(friction.smoothing))
        drag = -dry - self.read(friction.viscous) * rate
        if coulomb != 0:
            drag = self.law(friction.name or f"friction_{number}", drag)
        yield from self.across("external", friction.joint, drag)

    # ------------------------------------------------------------------ springs and dampers

    def _spring(self, spring: Spring) -> Iterator[Load]:
        pull, linear = self._pull(spring), spring.law is None and not spring.one_sided
        self._springs.append(pull)
        if spring.joint is not None:
            yield from self.across("elastic" if linear else "external", spring.joint, -pull)
            return
        between = self._line(spring)
        if linear and self.read(spring.rest) == 0:
            vector = _times(between.along, -self.read(spring.stiffness))
        else:
            vector = _times(between.along, -pull / between.length)
        yield from self.pair("elastic" if linear else "external", between, vector)

    def _pull(self, spring: Spring) -> sympy.Expr:
        """Return how strongly a spring pulls."""
        elongation, rate = self._elongation(spring)
        if spring.law is not None:
            pull = self.read(spring.law, {"elongation": elongation, "elongation_rate": rate})
        else:
            pull = self.read(spring.stiffness) * elongation
        if spring.one_sided:
            pull = sympy.Piecewise((pull, elongation > 0), (0, True))
        number = self.model.springs.index(spring)
        return (
            self.law(spring.name or f"spring_{number}", pull)
            if spring.law or spring.one_sided
            else pull
        )

    def _elongation(self, entry: Spring | Damper) -> tuple[sympy.Expr, sympy.Expr]:
        """Return how far a spring is stretched beyond its rest, and how fast."""
        rest = self.read(entry.rest) if isinstance(entry, Spring) else sympy.S.Zero
        if entry.joint is not None:
            motion, rate = self._joint(entry.joint)
            return motion - rest, rate
        between = self._line(entry)
        return between.length - rest, between.rate

    def _damper(self, damper: Damper) -> Iterator[Load]:
        elongation, rate = self._elongation(damper)
        if damper.law is not None:
            number = self.model.dampers.index(damper)
            measures = {"elongation": elongation, "elongation_rate": rate}
            pull = self.law(damper.name or f"damper_{number}", self.read(damper.law, measures))
        else:
            pull = self.read(damper.damping) * rate
        self._dampers.append(pull)
        if damper.joint is not None:
            yield from self.across("external", damper.joint, -pull)
            return
        between = self._line(damper)
        yield from self.pair("external", between, _times(between.along, -pull / between.length))

    def _height(self) -> sympy.Expr:
        """Return the potential energy of gravity."""
        total = sympy.S.Zero
        for load in self._gravity():
            place = self.seen("ground", str(load.place)).along
            total -= sum(a * b for a, b in zip(load.components, place, strict=True))
        return total

    def _stretch(self) -> sympy.Expr:
        """Return the potential energy of the linear springs."""
        springs = (spring for spring in self.model.springs if spring.law is None)
        return sympy.Add(
            *(
                self.read(spring.stiffness) * self._elongation(spring)[0] ** 2 / 2
                for spring in springs
                if not spring.one_sided
            )
        )

    def _line(self, entry: Spring | Damper) -> LineBetween:
        if entry.between is None:
            raise DerivationError("expected a spring or damper between two points")
        start, end = (self.end(place) for place in entry.between)
        one, other = (place.on for place in entry.between)
        return self.line(start, end, f"a spring or damper between '{one}' and '{other}'")

    def line(self, start: str, end: str, what: str) -> LineBetween:
        """Return the line between two places, in measures.

        Parameters
        ----------
        start, end : str
            Names of places.
        what : str
            What messages call it.

        Raises
        ------
        DerivationError
            If they are one.
        """
        if (start, end) not in self._between and self.vanish(self.seen(start, end).along):
            raise DerivationError(f"{what} has no direction: its two ends never part")
        return self.seen(start, end)

    def vanish(self, expressions: Iterable[sympy.Expr]) -> bool:
        """Return whether expressions are zero, as far as points of a prime field can tell."""
        expressions = list(expressions)

        def values(at: FieldPoint) -> Iterable[Any]:
            key = at.draws.seed, at.draws.signs
            if key not in self._motions:
                self._motions[key] = at.draws, Kinematics(self.mechanism, PointValues(at))
            at.draws, motion = self._motions[key]  # whose roots are all that were met so far
            return motion.values(expressions)

        try:
            return agree(values, bound=1, points=1).equal
        except UndecidedError:
            return False

    def end(self, place: Placement) -> str:
        """Return the name of a place of a body."""
        return self.fixed(place.on, components(place.at, self.read))

    def fixed(self, on: str, at: Components) -> str:
        """Return the name of what is at a place of a body."""
        if on == "ground" and at == NOWHERE:
            return "ground"
        spot, places = BodyPoint(on, at), self.mechanism.places
        known = {found: name for name, found in places.items()}
        if spot not in known:
            known[spot] = f"end.{len(places)}"
            places[known[spot]] = spot
        return known[spot]

    def seen(self, start: str, end: str) -> LineBetween:
        """Return where a place is from another, in measures."""
        if (start, end) not in self._between:
            parts = []
            for order in (0, 1):
                symbols = [sympy.Dummy(f"{axis}{order}") for axis in AXES]
                for axis, symbol in enumerate(symbols):
                    measure = Measure(start, end, axis, 1 if order else 0)
                    self.mechanism.measures[symbol] = measure
                parts.append((symbols[0], symbols[1], symbols[2]))
            self._between[start, end] = LineBetween(start, end, *parts)
        return self._between[start, end]

    def pair(self, kind: Kind, between: LineBetween, pull: Components) -> Iterator[Load]:
        """Iterate over a force on the second end and its opposite on the first.

        Parameters
        ----------
        kind : {"gravity", "elastic", "actuation", "external"}
        between : LineBetween
            The two ends.
        pull : tuple of three sympy.Expr
            The force on the second, in N, in the ground frame.
        """
        for place, vector in ((between.end, pull), (between.start, _minus(pull))):
            if place == "ground" or self.mechanism.places[place].on == "ground":
                continue
            yield Load(kind, self.mechanism.places[place].on, place, "ground", vector)

    # ------------------------------------------------------------------ contact

    def _contact(self, contact: Contact) -> Iterator[Load]:
        """Iterate over the force of a plane on a point, after Hunt and Crossley (1975)."""
        place = self._placed(contact.name, contact.on, contact.at)
        parts = components(contact.normal, self.read)
        size = sympy.sqrt(sum(part**2 for part in parts))
        normal = _times(parts, 1 / size)
        arm, turning = self._lowest(contact, place, normal)
        seen = self.seen("ground", place)
        lowest = [x + d for x, d in zip(seen.along, arm, strict=True)]
        matter = [v + w for v, w in zip(seen.rates, turning, strict=True)]
        height, climb = _dot(normal, lowest), _dot(normal, matter)
        level = self.mechanism.moving(contact.height)
        depth, rate = level - height, self.mechanism.rate(level) - climb
        push = self.law(f"{contact.name}_normal", self._push(contact, depth, rate))
        yield from self._at_arm(contact.on, place, arm, _times(normal, push))
        if contact.friction == 0:
            return
        slip = tuple(v - climb * n for n, v in zip(normal, matter, strict=True))
        speed = sympy.sqrt(sum(v**2 for v in slip) + self.read(contact.smoothing) ** 2)
        drag = self.law(f"{contact.name}_friction", -self.read(contact.friction) * push / speed)
        yield from self._at_arm(contact.on, place, arm, _times(slip, drag))

    def _at_arm(self, on: str, place: str, arm: Components, force: Components) -> Iterator[Load]:
        """Iterate over what a force does that acts away from a place of a body."""
        yield Load("external", on, place, "ground", force)
        if any(arm):
            yield Load("external", on, None, "ground", _cross(arm, force))

    def _lowest(
        self, contact: Contact, place: str, normal: Components
    ) -> tuple[Components, Components]:
        """Return where a ball or a wheel touches, from its centre, and the matter's velocity there.

        Of the velocity what the turning of the body adds to that of the centre. The axes of the
        body are measured as the ways from the centre to three places beside it.
        """
        if contact.radius is None:
            return NOWHERE, NOWHERE
        center = self.mechanism.places[place].at
        radius, axes = self.read(contact.radius), []
        for unit in UNIT.values():
            x, y, z = (a + b for a, b in zip(center, unit, strict=True))
            axes.append(self.seen(place, self.fixed(contact.on, (x, y, z))))
        arm = _times(normal, -radius)
        if contact.axis is not None:
            parts = axis_of(contact.axis, self.read)
            axle = [_dot(parts, row) for row in zip(*(one.along for one in axes), strict=True)]
            along, section = _dot(normal, axle), self.read(contact.section)
            far = radius / sympy.sqrt(1 - along**2)
            x, y, z = (
                (along * a - n) * far - section * n for n, a in zip(normal, axle, strict=True)
            )
            arm = x, y, z
        shares = [_dot(arm, one.along) for one in axes]
        x, y, z = (_dot(shares, row) for row in zip(*(one.rates for one in axes), strict=True))
        return arm, (x, y, z)

    def _push(self, contact: Contact, depth: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
        inside = sympy.Max(depth, 0)
        if contact.law is not None:
            push = self.read(contact.law, {"depth": inside, "depth_rate": rate})
        else:
            power = sympy.nsimplify(contact.exponent, rational=True)
            push = self.read(contact.stiffness) * inside**power
            push *= 1 + self.read(contact.dissipation) * rate
        return sympy.Piecewise((sympy.Max(push, 0), depth > 0), (0, True))


def _minus(parts: Components) -> Components:
    return _times(parts, sympy.S.NegativeOne)


def _dot(one: Iterable[sympy.Expr], other: Iterable[sympy.Expr]) -> sympy.Expr:
    return sympy.Add(*(a * b for a, b in zip(one, other, strict=True)))


def _cross(one: Components, other: Components) -> Components:
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x


def _times(parts: Any, factor: sympy.Expr) -> Components:
    x, y, z = (part * factor for part in parts)
    return x, y, z
