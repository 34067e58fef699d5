"""Muscles: how long they are, and what a tension in them does to the bodies.

Along a path a muscle is a cord without mass or friction: every straight piece pulls its two ends
together. Where it bends about a surface it leaves its two points along tangents, and what these
pulls leave over presses on the surface. A muscle of which only the length is known acts by virtual
work: across each joint with minus the derivative of its length.

References
----------
Sherman, Seth and Delp, What is a moment arm? Calculating muscle effectiveness in biomechanical
models using generalized coordinates, 2013.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy

from freebody.algebra import pieces
from freebody.errors import DerivationError
from freebody.mechanics.joint_frames import axis_of, components
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Components, Load, MusclePull
from freebody.model.muscles import BEND, Muscle, Surface, Via
from freebody.model.parts import Placement

if TYPE_CHECKING:
    from freebody.mechanics.loads import LoadBuilder

Z = (0, 0, 1)
CUT = sympy.Rational(-1, 2)
"""From here on the angle between the two ends, as seen from the axis, goes the other way round."""


class MuscleBuilder:
    """The muscles of a model.

    Parameters
    ----------
    loads : LoadBuilder
        What finds places, and lines between them.
    """

    def __init__(self, loads: LoadBuilder) -> None:
        self.loads = loads
        self.mechanism: Mechanism = loads.mechanism

    def made(self) -> Iterator[MusclePull]:
        """Iterate over the muscles.

        Raises
        ------
        DerivationError
            If a length has a corner or moves no joint, or a path has no direction.
        """
        for entry in self.mechanism.model.muscles:
            tension = self.mechanism.read(entry.tension)
            if entry.length is not None:
                length = self.mechanism.moving(entry.length)
                yield MusclePull(entry.name, tension, length, tuple(self._across(entry, length)))
            else:
                length, loads = self._path(entry)
                yield MusclePull(entry.name, tension, length, tuple(loads))

    # ------------------------------------------------------------------ by its length

    def _across(self, entry: Muscle, length: sympy.Expr) -> Iterator[Load]:
        """Iterate over the moments and forces across joints that do the work of a unit tension."""
        coordinates = self.mechanism.coordinates
        pulls = sympy.Matrix([-length.diff(q) for q in coordinates])
        if pulls.has(sympy.Derivative, sympy.Heaviside, pieces.sign):
            raise DerivationError(
                f"the length of muscle '{entry.name}' has a corner: expected one that is smooth"
            )
        motions = list(self._motions())
        slopes = sympy.Matrix([[motion.diff(q) for _, _, motion in motions] for q in coordinates])
        try:
            tension, free = slopes.gauss_jordan_solve(pulls)
        except ValueError:
            raise DerivationError(
                f"the length of muscle '{entry.name}' depends on what turns no joint about an axis "
                "and moves none along it"
            ) from None
        tension = tension.xreplace(dict.fromkeys(free, sympy.S.Zero))
        for (name, turns, _), effort in zip(motions, tension, strict=True):
            if effort != 0:
                yield from self.loads.across("actuation", name, effort, turns=turns)

    def _motions(self) -> Iterator[tuple[str, bool, sympy.Expr]]:
        """Iterate over the turns and shifts of joints: name, whether it turns, and how far."""
        moving = {*self.mechanism.coordinates}
        for name, step in self.mechanism.joint_frames.items():
            shift = sum(a * b for a, b in zip(step.shift, step.axis or step.shift, strict=True))
            for turns, motion in ((True, step.angle), (False, sympy.expand(shift))):
                if step.axis is not None and not moving.isdisjoint(motion.atoms(sympy.Function)):
                    yield name, turns, motion

    # ------------------------------------------------------------------ by its path

    def _path(self, entry: Muscle) -> tuple[sympy.Expr, list[Load]]:
        """Return the length of a path, and the forces of a unit tension in it."""
        path = list(entry.path or ())
        places = [None if isinstance(part, Surface) else self._place(part) for part in path]
        there = [self._there(entry, number, part) for number, part in enumerate(path)]
        length, loads = sympy.S.Zero, list[Load]()
        for number, part in enumerate(path[:-1]):
            start = places[number]
            if isinstance(part, Surface):
                ends = places[number - 1], places[number + 1]
                bend = _Bend(self.loads, part, ends, f"{entry.name}_{number}")
                length += bend.length
                loads += bend.forces()
            elif start is not None:
                for end, share in self._next(places, there, number):
                    between = self.loads.line(start, end, f"muscle '{entry.name}'")
                    pull = _times(between.along, -share / between.length)
                    pair = self.loads.pair("actuation", between, pull)
                    length += share * between.length
                    loads += pair if self._on(start) != self._on(end) else ()
        return length, loads

    def _there(self, entry: Muscle, index: int, part: Any) -> sympy.Expr:
        """Return one where a path leads through a point, and zero where it does not."""
        if not isinstance(part, Via) or part.during is None:
            return sympy.S.One
        value, low, high = map(
            self.mechanism.read, (part.during.of, part.during.lower, part.during.upper)
        )
        sides = ((1, value >= low), (0, True)), ((1, value <= high), (0, True))
        within = sympy.Mul(*(sympy.Piecewise(*side) for side in sides))
        return self.loads.law(f"{entry.name}_{index}_there", within)

    def _next(
        self, places: list[str | None], there: list[sympy.Expr], start: int
    ) -> Iterator[tuple[str, sympy.Expr]]:
        """Iterate over the points that may be next in a path, each with whether it is: 1 or 0."""
        share = there[start]
        for place, present in zip(places[start + 1 :], there[start + 1 :], strict=True):
            if place is None or share == 0:
                return
            yield place, share * present
            share *= 1 - present

    def _place(self, part: str | Placement) -> str:
        return part if isinstance(part, str) else self.loads.end(part)

    def _on(self, place: str) -> str:
        return "ground" if place == "ground" else self.mechanism.places[place].on


class _Bend:
    """A path from one point to another that gives way to a cylinder or a sphere.

    Seen along the axis it consists of two tangents and an arc. Where the two points are not in one
    plane across the axis it climbs evenly: on a cylinder it is a helix. About a sphere the axis is
    across the plane of both points and the centre, and the path takes the shorter way.
    """

    def __init__(
        self, loads: LoadBuilder, surface: Surface, ends: tuple[Any, Any], name: str
    ) -> None:
        self.loads, self.surface, self.ends = loads, surface, ends
        self.names = [f"{name}_{law}" for law in BEND]
        self.radius = loads.mechanism.read(surface.radius)
        self.center = loads.end(Placement(on=surface.around, at=surface.at))
        self.lines = [loads.seen(self.center, end) for end in ends]
        self._look_along_axis()
        self.arc = loads.law(self.names[0], self._arc())

    def _axis(self) -> tuple[Components, sympy.Expr]:
        """Return a vector along the axis the path bends about, and its size."""
        if self.surface.shape == "sphere":
            across = _cross(self.lines[0].along, self.lines[1].along)
            return across, sympy.sqrt(_dot(across, across))
        surface, read = self.surface, self.loads.mechanism.read
        sense = sympy.Integer(1 if surface.turn == "counterclockwise" else -1)
        at, axis = components(surface.at, read), axis_of(surface.axis or Z, read)
        along = self.loads.seen(self.center, self.loads.fixed(surface.around, _sum(at, axis)))
        return _times(along.along, sense), sympy.S.One

    def _look_along_axis(self) -> None:
        """Take apart where the two points are: across the axis, and along it."""
        self.normal, self.size = self._axis()
        whole = [line.along for line in self.lines]
        heights = [_dot(arm, self.normal) for arm in whole]
        self.is_flat = self.surface.shape == "sphere" or self.loads.vanish(heights)
        self.asides = [_cross(self.normal, arm) for arm in whole]
        self.arms = whole if self.is_flat else [_cross(aside, self.normal) for aside in self.asides]
        self.squares = [_dot(arm, arm) for arm in self.arms]
        self.tangents = [sympy.sqrt(square - self.radius**2) for square in self.squares]
        self.straight = _sum(self.arms[1], _times(self.arms[0], -1))
        self.climb = sympy.S.Zero if self.is_flat else heights[1] - heights[0]
        self.distance = sympy.sqrt(_dot(self.straight, self.straight) + self.climb**2)

    def _arc(self) -> sympy.Expr:
        """Return through what angle the path lies on the surface, negative where it does not."""
        across = _dot(self.asides[0], self.arms[1]) / self.size
        angle = sympy.atan2(across, _dot(*self.arms))
        whole = sympy.Piecewise((angle + 2 * sympy.pi, angle < CUT), (angle, True))
        one, other = (sympy.atan2(tangent, self.radius) for tangent in self.tangents)
        return whole - one - other

    def _where(self, lies: sympy.Expr, clear: sympy.Expr) -> sympy.Expr:
        """Return one thing where the path lies on the surface, another where it is clear of it.

        Within the surface there is no arc: it is not a number, and nothing is clear of it.
        """
        return sympy.Piecewise((clear, self.arc <= 0), (lies, True))

    @property
    def _around(self) -> tuple[sympy.Expr, sympy.Expr]:
        """The two tangents with the arc between them: across the axis, and in full length."""
        across = self.radius * self.arc + sympy.Add(*self.tangents)
        return across, across if self.is_flat else sympy.sqrt(across**2 + self.climb**2)

    @property
    def length(self) -> sympy.Expr:
        """The way around the surface, or the straight line."""
        return self._where(self._around[1], self.distance)

    @property
    def _sizes(self) -> Iterator[sympy.Expr]:
        """How far each pull goes along the line, about the axis, towards it, along it: `BEND`."""
        across, whole = self._around
        part = across / whole
        yield self._where(sympy.S.Zero, 1 / self.distance)
        yield self._where(self.radius * part / self.size, sympy.S.Zero)
        for tangent, square in zip(self.tangents, self.squares, strict=True):
            yield self._where(part * tangent / square, sympy.S.Zero)
        if not self.is_flat:
            yield self._where(1 / whole, 1 / self.distance)

    def forces(self) -> Iterator[Load]:
        """Iterate over the forces at the two points, and the opposite of both on the axis."""
        straight, touching, *inward = map(self.loads.law, self.names[1:], self._sizes)
        rise = self.climb * inward[-1]
        moments = []
        for number, sign in enumerate((1, -1)):
            pull = _sum(
                _times(self.straight, sign * straight),
                _times(self.arms[number], -inward[number]),
                _times(self.asides[number], sign * touching / self.squares[number]),
                _times(self.normal, sign * rise),
            )
            yield from self.loads.pair("actuation", self.lines[number], pull)
            moments.append(_cross(self.lines[number].along, pull))
        if not self.is_flat and self.surface.around != "ground":
            # the cylinder is pressed along its axis, not at one point of it
            pressed = _times(_sum(*moments), -1)
            yield Load("actuation", self.surface.around, None, "ground", pressed)


def _dot(one: Components, other: Components) -> sympy.Expr:
    return sympy.Add(*(a * b for a, b in zip(one, other, strict=True)))


def _cross(one: Components, other: Components) -> Components:
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x


def _times(parts: Components, factor: sympy.Expr) -> Components:
    x, y, z = (part * factor for part in parts)
    return x, y, z


def _sum(*vectors: Components) -> Components:
    x, y, z = (sympy.Add(*parts) for parts in zip(*vectors, strict=True))
    return x, y, z
