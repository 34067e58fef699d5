"""Equations of motion by Kane's method.

KanesMethod is given points and frames whose velocities are written in symbols: what these stand
for is in a graph beside it. Its own work is then short, however deep a chain is, and what comes out
is a straight-line program. Beyond a stated size, the same projections on partial velocities
are taken in the graph itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    Vector,
    dynamicsymbols,
    inertia,
)

from freebody.algebra import Ring
from freebody.algebra.domains import Domain
from freebody.graph.cells import Cell
from freebody.graph.graph import Graph
from freebody.graph.program import Program
from freebody.mechanics.constraints import constraint_rows
from freebody.mechanics.equations import Blocks, Equations
from freebody.mechanics.kinematics import (
    PRESCRIBED,
    CanonicalForms,
    Kinematics,
    PointValues,
    generalized_forces,
)
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import MARKERS, Kind, Load, Triple

LARGEST = 12
"""The most speeds for which sympy's KanesMethod is asked."""

ON_THE_LEFT: dict[str, Kind] = {"G": "gravity", "elastic": "elastic", "external": "external"}
"""The outputs that are minus the generalized forces of a kind."""


def kane(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion from the projections of forces on partial velocities.

    Parameters
    ----------
    mechanism : Mechanism
        What moves.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.

    References
    ----------
    Kane and Levinson, Dynamics: Theory and Applications, 1985.
    """
    ring = ring or Ring()
    written = program(mechanism)

    def derivation() -> Blocks:
        return Blocks.of(written.evaluate(CanonicalForms(ring)), len(mechanism.speeds))

    def at_point(at: Domain[Any]) -> list[Any]:
        return _assembled(written, mechanism, PointValues(at))

    return Equations("kane", mechanism, ring, derivation, at_point, written)


def _assembled(written: Program, mechanism: Mechanism, domain: PointValues) -> list[Any]:
    """Return the rows of the equations, marked loads and all, from their blocks."""
    parts, n = written.evaluate(domain), len(mechanism.speeds)
    accelerations = domain.values(mechanism.accelerations)
    multipliers = domain.values(mechanism.multipliers)
    marks = {kind: domain.values([mark])[0] for kind, mark in MARKERS.items()}
    rows = []
    for i in range(n):
        row = parts["C"][i] - parts["tau"][i] * marks["actuation"]
        for name, kind in ON_THE_LEFT.items():
            row = row + parts[name][i] * marks[kind]
        for j, acceleration in enumerate(accelerations):
            row = row + parts["M"][n * i + j] * acceleration
        for j, multiplier in enumerate(multipliers):
            row = row - parts["J"][n * j + i] * multiplier
        rows.append(row)
    return [*rows, *parts["gamma"]]


def program(mechanism: Mechanism, graph: Graph | None = None, *, laws: bool = False) -> Program:
    """Return the equations of motion by Kane's method as a straight-line program.

    Its outputs are ``M`` and ``J`` row by row, ``C``, ``G``, ``elastic``, ``external``, ``tau`` and
    ``gamma``.

    Parameters
    ----------
    mechanism : Mechanism
        What moves; with more than `LARGEST` speeds the projections are not KanesMethod's own.
    graph : Graph, optional
        What it is written in.
    laws : bool, optional
        Whether laws are worked out, rather than left as the symbols that they have.
    """
    graph = Graph() if graph is None else graph
    motion = Kinematics(mechanism, graph, still=True, laws=laws)
    large = len(mechanism.speeds) > LARGEST
    outputs = _projected(motion) if large else _Kane(motion, graph).outputs()
    constraints = constraint_rows(motion)
    return Program(graph, {**outputs, "J": constraints["J"], "gamma": constraints["gamma"]})


def _projected(motion: Kinematics) -> dict[str, list[Any]]:
    """Return the equations from the projections of forces on partial velocities."""
    speeds = motion.mechanism.speeds
    inertia = {(u, v): motion.zero for i, u in enumerate(speeds) for v in speeds[i:]}
    bias = dict.fromkeys(speeds, motion.zero)
    for body in motion.mechanism.masses:
        for partials, momenta, change in _resisting(motion, body):
            for u, v in inertia:
                inertia[u, v] = inertia[u, v] + momenta[u].dot(partials[v])
            for u in speeds:
                bias[u] = bias[u] + change.dot(partials[u])
    return {
        "M": [inertia[(u, v) if (u, v) in inertia else (v, u)] for u in speeds for v in speeds],
        "C": list(bias.values()),
        **{
            name: [-entry for entry in generalized_forces(motion, kind)]
            for name, kind in ON_THE_LEFT.items()
        },
        "tau": generalized_forces(motion, "actuation"),
    }


def _resisting(
    motion: Kinematics, body: str
) -> Iterator[tuple[dict[Any, Triple], dict[Any, Triple], Triple]]:
    """Iterate over what a body resists with: its mass, and its inertia if it has one.

    For each, the partial velocities, the momenta along them, and the rate of momentum where the
    speeds do not change.
    """
    mass, speeds = motion.mechanism.masses[body], motion.mechanism.speeds
    weight = motion.value(mass.mass)
    slides = {u: motion.partial_velocity(body, u) for u in speeds}
    momenta = {u: slide.times(weight) for u, slide in slides.items()}
    yield slides, momenta, motion.acceleration(body).times(weight)
    if mass.inertia is not None:
        carrier = motion.frame_states[body]
        turns = {u: motion.partial(body, u).omega for u in speeds}
        spins = {u: motion.turned_by(mass.inertia, carrier, turn) for u, turn in turns.items()}
        yield turns, spins, motion.angular_momentum_rate(body)


class _Kane:
    """KanesMethod on stand-ins for the frames and points of a mechanism.

    Linear velocities are written in the ground frame, angular ones in that of the body, so that no
    vector is ever expressed in another frame.
    """

    def __init__(self, motion: Kinematics, graph: Graph) -> None:
        self.motion, self.graph = motion, graph
        self.mechanism = mechanism = motion.mechanism
        self.ground = ReferenceFrame("ground")
        self._frames = {"ground": self.ground}
        self._points: dict[str, Point] = {}
        time = dynamicsymbols._t
        kinematics = zip(mechanism.coordinates, mechanism.kinematics.values(), strict=True)
        self.method = KanesMethod(
            self.ground,
            list(mechanism.coordinates),
            list(mechanism.speeds),
            [q.diff(time) - rate for q, rate in kinematics],
        )
        bodies = [self._body(name) for name in mechanism.masses]
        loads = [self._load(load) for load in mechanism.loads]
        self.active, _ = self.method.kanes_equations(bodies, loads)

    def outputs(self) -> dict[str, list[Cell]]:
        """Return the blocks of the equations."""
        none = dict.fromkeys(MARKERS.values(), sympy.S.Zero)
        blocks = {
            "M": list(self.method.mass_matrix),
            "C": [-entry.xreplace(none) for entry in self.method.forcing],
            **{name: [-part for part in self._of(kind)] for name, kind in ON_THE_LEFT.items()},
            "tau": self._of("actuation"),
        }
        return {name: self.graph.from_atoms(entries) for name, entries in blocks.items()}

    def _of(self, kind: Kind) -> list[sympy.Expr]:
        """Return the generalized forces of one kind."""
        only = {mark: sympy.Integer(kind == other) for other, mark in MARKERS.items()}
        return [entry.xreplace(only) for entry in self.active]

    def _body(self, name: str) -> RigidBody | Particle:
        mass = self.mechanism.masses[name]
        point = self._point(name)
        point.set_acc(self.ground, self._vector(self.motion.acceleration(name), self.ground))
        if mass.inertia is None:
            return Particle(name, point, mass.mass)
        frame, m = self._frame(name), mass.inertia
        dyadic = inertia(frame, m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[1, 2], m[2, 0])
        return RigidBody(name, point, frame, mass.mass, (dyadic, point))

    def _load(self, load: Load) -> tuple[Point | ReferenceFrame, Vector]:
        vector = self.motion.vector(load.components, load.frame)
        if load.place is not None:
            return self._point(load.place), MARKERS[load.kind] * self._vector(vector, self.ground)
        frame = self._frame(load.on)
        return frame, MARKERS[load.kind] * self._vector(self._within(vector, load.on), frame)

    def _point(self, place: str) -> Point:
        """Return a point with the velocity of a place."""
        if place not in self._points:
            parts = [self.motion.partial_velocity(place, u) for u in self._speeds]
            self._points[place] = Point(place)
            self._points[place].set_vel(self.ground, self._total(parts, self.ground))
        return self._points[place]

    def _frame(self, name: str) -> ReferenceFrame:
        """Return a frame with the angular velocity of a frame."""
        if name not in self._frames:
            frame = ReferenceFrame(name)
            parts = [self._within(self.motion.partial(name, u).omega, name) for u in self._speeds]
            frame.set_ang_vel(self.ground, self._total(parts, frame))
            alpha = self._within(self.motion.accelerations[name].alpha, name)
            frame.set_ang_acc(self.ground, self._vector(alpha, frame))
            self._frames[name] = frame
        return self._frames[name]

    @property
    def _speeds(self) -> tuple[sympy.Expr, ...]:
        return (*self.mechanism.speeds, PRESCRIBED)

    def _total(self, parts: list[Triple], frame: ReferenceFrame) -> Vector:
        """Return the sum of partial velocities times their speeds."""
        pairs = zip(self._speeds, parts, strict=True)
        return sum((speed * self._vector(part, frame) for speed, part in pairs), Vector(0))

    def _within(self, vector: Triple, frame: str) -> Triple:
        """Return the components of a vector along the axes of a frame."""
        return Triple.made(vector.dot(axis) for axis in self.motion.frame_states[frame].axes)

    def _vector(self, triple: Triple, frame: ReferenceFrame) -> Vector:
        x, y, z = map(self.graph.atom, triple.parts)
        return x * frame.x + y * frame.y + z * frame.z
