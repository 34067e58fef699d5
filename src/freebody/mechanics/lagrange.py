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

from freebody.algebra import Ring
from freebody.mechanics.equations import MARKERS, Blocks, Equations
from freebody.mechanics.mechanism import Load, Mechanism

CONSERVATIVE = ("gravity", "elastic")


def lagrange(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion with sympy's LagrangesMethod.

    Gravity and springs enter by their potential energy, everything else as forces.

    Parameters
    ----------
    mechanism : Mechanism
        What moves.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.
    """
    ring = ring or Ring()
    rates = {
        u: q.diff(dynamicsymbols._t)
        for q, u in zip(mechanism.coordinates, mechanism.speeds, strict=True)
    }
    ground = mechanism.ground
    potential = sum(MARKERS[kind] * energy for kind, energy in mechanism.potentials.items())
    method = LagrangesMethod(
        mechanism.kinetic_energy().xreplace(rates) - potential,
        list(mechanism.coordinates),
        forcelist=[
            _in_rates(load, ground, rates)
            for load in mechanism.loads
            if load.kind not in CONSERVATIVE
        ],
        frame=ground,
    )
    method.form_lagranges_equations()
    speeds = {rate: speed for speed, rate in rates.items()}
    rows = [-ring.form(row.xreplace(speeds)) for row in method.forcing]
    inertia = [[ring.form(entry) for entry in row] for row in method.mass_matrix.tolist()]
    return Equations("lagrange", mechanism, Blocks.split(ring, rows, inertia=inertia))


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
