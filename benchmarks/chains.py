"""Chains of pins, as models of freebody and as they are written with sympy alone.

Each link turns by an angle of its own against the one before, with a torque at its joint; the axes
of the pins are z for a planar chain, and z, y and x in turn for one in space. Both ways to write a
chain have the same names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

from freebody.model import Body, Constant, Coordinate, Input, Model, Pin

UNITS = {"l": "m", "d": "m", "m": "kg", "I": "kg*m**2"}
PLANAR, SPATIAL = "z", "zyx"


@dataclass(frozen=True)
class Chain:
    """A chain of links.

    Attributes
    ----------
    n : int
        How many links there are.
    axes : str
        The axes of the pins in turn.
    """

    n: int
    axes: str = PLANAR

    @property
    def numbers(self) -> range:
        """The numbers of the links, from 1."""
        return range(1, self.n + 1)

    @property
    def inertias(self) -> tuple[str, ...]:
        """What the moments of inertia of a link are named: about z, or about all axes."""
        return ("I",) if self.axes == PLANAR else ("Ix", "Iy", "Iz")

    def axis(self, i: int) -> str:
        """Return the axis that a link turns about."""
        return self.axes[(i - 1) % len(self.axes)]


# ---------------------------------------------------------------------- freebody


def model(chain: Chain) -> Model:
    """Return a chain as a model."""
    numbers = chain.numbers
    return Model(
        title=f"Chain of {chain.n} links",
        gravity=(0, "-g", 0),
        coordinates={f"q{i}": Coordinate(title=f"angle {i}", unit="rad") for i in numbers},
        inputs={f"T{i}": Input(title=f"torque {i}", unit="N*m") for i in numbers},
        constants=_constants(chain),
        bodies=tuple(_body(chain, i) for i in numbers),
        joints=tuple(_joint(chain, i) for i in numbers),
    )


def _constants(chain: Chain) -> dict[str, Constant]:
    names = [f"{name}{i}" for i in chain.numbers for name in ("l", "d", "m", *chain.inertias)]
    names.remove(f"l{chain.n}")
    constants = {name: Constant(title=name, unit=UNITS[name[0]]) for name in names}
    return {**constants, "g": Constant(title="gravitational acceleration", unit="m/s**2")}


def _body(chain: Chain, i: int) -> Body:
    moments = tuple(f"{name}{i}" for name in chain.inertias)
    about = moments if len(moments) == 3 else moments[0]
    return Body(name=f"b{i}", mass=f"m{i}", center_of_mass=(f"d{i}", 0, 0), inertia=about)


def _joint(chain: Chain, i: int) -> Pin:
    return Pin(
        name=f"j{i}",
        parent="ground" if i == 1 else f"b{i - 1}",
        at=(0 if i == 1 else f"l{i - 1}", 0, 0),
        child=f"b{i}",
        axis=tuple(int(axis == chain.axis(i)) for axis in "xyz"),
        angle=f"q{i}",
        torque=f"T{i}",
    )


# ---------------------------------------------------------------------- sympy alone


def by_kanes_method(chain: Chain) -> KanesMethod:
    """Return a chain's equations of motion by sympy's KanesMethod."""
    plain = _Plain(chain, dynamicsymbols(_names("q{}_dot", chain)))
    rates = [q.diff() - u for q, u in zip(plain.coordinates, plain.speeds, strict=True)]
    method = KanesMethod(plain.ground, plain.coordinates, plain.speeds, rates)
    method.kanes_equations(plain.bodies, [*plain.weights, *plain.torques])
    return method


def by_lagranges_method(chain: Chain) -> LagrangesMethod:
    """Return a chain's equations of motion by sympy's LagrangesMethod."""
    plain = _Plain(chain, dynamicsymbols(_names("q{}", chain), 1))
    method = LagrangesMethod(
        Lagrangian(plain.ground, *plain.bodies),
        plain.coordinates,
        forcelist=plain.torques,
        frame=plain.ground,
    )
    method.form_lagranges_equations()
    return method


def _names(pattern: str, chain: Chain) -> list[str]:
    return [pattern.format(i) for i in chain.numbers]


class _Plain:
    """The frames, bodies and loads of a chain, with given speeds."""

    def __init__(self, chain: Chain, speeds: list[sympy.Expr]) -> None:
        self.chain, self.speeds = chain, speeds
        self.coordinates = dynamicsymbols(_names("q{}", chain))
        self.frame = self.ground = ReferenceFrame("ground")
        self.joint = self.origin = Point("origin")
        self.origin.set_vel(self.ground, 0)
        self.bodies: list[RigidBody] = []
        self.weights: list[tuple[Point, Any]] = []
        self.torques: list[tuple[ReferenceFrame, Any]] = []
        for i in chain.numbers:
            self._turn(i)
            self._link(i)

    def _turn(self, i: int) -> None:
        """Go on to the frame of a link, with the torque at its joint."""
        parent, child = self.frame, ReferenceFrame(f"b{i}")
        axis = getattr(parent, self.chain.axis(i))
        child.orient_axis(parent, axis, self.coordinates[i - 1])
        child.set_ang_vel(parent, self.speeds[i - 1] * axis)
        torque = dynamicsymbols(f"T{i}") * axis
        self.torques += [(child, torque), (parent, -torque)]
        self.frame = child

    def _link(self, i: int) -> None:
        """Add a link, and go on to the joint at its end."""
        length, offset, mass, g = sympy.symbols(f"l{i} d{i} m{i} g")
        down = -self.ground.y
        center = self._point(f"c{i}", offset)
        body = RigidBody(f"b{i}", center, self.frame, mass, (self._inertia(i), center))
        body.potential_energy = -mass * g * center.pos_from(self.origin).dot(down)
        self.bodies.append(body)
        self.weights.append((center, mass * g * down))
        self.joint = self._point(f"j{i + 1}", length)

    def _point(self, name: str, distance: sympy.Expr) -> Point:
        point = self.joint.locatenew(name, distance * self.frame.x)
        point.v2pt_theory(self.joint, self.ground, self.frame)
        return point

    def _inertia(self, i: int) -> Any:
        moments = [sympy.Symbol(f"{name}{i}") for name in self.chain.inertias]
        return inertia(self.frame, *(moments if len(moments) == 3 else (0, 0, *moments)))
