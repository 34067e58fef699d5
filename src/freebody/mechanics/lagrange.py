"""Equations of motion by Lagrange's method."""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import (
    LagrangesMethod,
    Point,
    ReferenceFrame,
    Vector,
    dynamicsymbols,
)

from freebody.algebra import Form, Ring
from freebody.mechanics.equations import Blocks, Equations, partial
from freebody.mechanics.mechanism import MARKERS, Load, Mechanism
from freebody.mechanics.vectors import Triple

CONSERVATIVE = ("gravity", "elastic")
LARGEST = 4
"""The most coordinates for which sympy's LagrangesMethod is asked: it does not scale."""


def lagrange(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion from the Lagrangian.

    Gravity and springs enter by their potential energy, everything else as forces. Up to four
    coordinates sympy's LagrangesMethod does it; beyond, the same derivatives are taken of the
    Lagrangian in canonical form.

    Parameters
    ----------
    mechanism : Mechanism
        What moves.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.
    """
    ring = ring or Ring()
    small = len(mechanism.coordinates) <= LARGEST
    blocks = by_sympy(mechanism, ring) if small else by_tables(mechanism, ring)
    return Equations("lagrange", mechanism, blocks)


def by_sympy(mechanism: Mechanism, ring: Ring) -> Blocks:
    """Derive with sympy's LagrangesMethod."""
    rates = {
        u: q.diff(dynamicsymbols._t)
        for q, u in zip(mechanism.coordinates, mechanism.speeds, strict=True)
    }
    method = LagrangesMethod(
        mechanism.kinetic_energy().xreplace(rates) - _potential(mechanism),
        list(mechanism.coordinates),
        forcelist=[_in_rates(load, mechanism.ground, rates) for load in _forces(mechanism)],
        frame=mechanism.ground,
    )
    method.form_lagranges_equations()
    speeds = {rate: speed for speed, rate in rates.items()}
    rows = [-ring.form(row.xreplace(speeds)) for row in method.forcing]
    inertia = [[ring.form(entry) for entry in row] for row in method.mass_matrix.tolist()]
    return Blocks.split(ring, rows, inertia=inertia)


def by_tables(mechanism: Mechanism, ring: Ring) -> Blocks:
    """Derive by differentiating the Lagrangian in canonical form."""
    kinetic = ring.form(mechanism.kinetic_energy())
    potential = ring.form(_potential(mechanism))

    def rate(atom: sympy.Expr) -> Form:
        return ring.form(mechanism.rate(atom))

    rows = [
        ring.derivative(partial(ring, kinetic, u), rate)
        - partial(ring, kinetic, q)
        + partial(ring, potential, q)
        - _generalized(mechanism, ring, u)
        for q, u in zip(mechanism.coordinates, mechanism.speeds, strict=True)
    ]
    return Blocks.split(ring, rows, accelerations=mechanism.accelerations)


def _potential(mechanism: Mechanism) -> sympy.Expr:
    return sympy.Add(*(MARKERS[kind] * energy for kind, energy in mechanism.potentials.items()))


def _forces(mechanism: Mechanism) -> list[Load]:
    return [load for load in mechanism.loads if load.kind not in CONSERVATIVE]


def _generalized(mechanism: Mechanism, ring: Ring, speed: sympy.Expr) -> Form:
    """Return the generalized force of all that has no potential."""
    ground, total = mechanism.ground, ring.zero
    for load in _forces(mechanism):
        moving = isinstance(load.at, Point)
        motion = load.at.vel(ground) if moving else load.at.ang_vel_in(ground)
        along = Triple.made(ring.forms(motion.diff(speed, ground).to_matrix(ground)))
        exerted = Triple.made(ring.forms((MARKERS[load.kind] * load.vector).to_matrix(ground)))
        total = total + exerted.dot(along)
    return total


def _in_rates(
    load: Load, ground: ReferenceFrame, rates: dict[sympy.Expr, sympy.Expr]
) -> tuple[Point | ReferenceFrame, Vector]:
    """Return a load on a stand-in whose velocity is written in the coordinates' derivatives."""
    vector = MARKERS[load.kind] * load.vector
    if isinstance(load.at, Point):
        point = Point(load.at.name)
        point.set_vel(ground, load.at.vel(ground).subs(rates))
        return point, vector.subs(rates)
    frame = ReferenceFrame(load.at.name)
    frame.set_ang_vel(ground, load.at.ang_vel_in(ground).subs(rates))
    return frame, vector.subs(rates)
