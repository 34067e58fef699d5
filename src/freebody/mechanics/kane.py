"""Equations of motion by Kane's method."""

from __future__ import annotations

from sympy.physics.mechanics import KanesMethod, dynamicsymbols

from freebody.algebra import Ring
from freebody.mechanics.equations import Blocks, Equations
from freebody.mechanics.mechanism import MARKERS, Mechanism


def kane(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion with sympy's KanesMethod.

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
    method = kanes_method(mechanism, marked=True)
    rows = [-ring.form(row) for row in method.forcing]
    inertia = [[ring.form(entry) for entry in row] for row in method.mass_matrix.tolist()]
    return Equations("kane", mechanism, Blocks.split(ring, rows, inertia=inertia))


def kanes_method(mechanism: Mechanism, *, marked: bool = False) -> KanesMethod:
    """Return sympy's KanesMethod with its equations formed.

    Parameters
    ----------
    mechanism : Mechanism
        What moves.
    marked : bool, optional
        Whether every load carries the marker of its kind.
    """
    time = dynamicsymbols._t
    method = KanesMethod(
        mechanism.ground,
        list(mechanism.coordinates),
        list(mechanism.speeds),
        [q.diff(time) - u for q, u in zip(mechanism.coordinates, mechanism.speeds, strict=True)],
    )
    loads = [
        (load.at, MARKERS[load.kind] * load.vector if marked else load.vector)
        for load in mechanism.loads
    ]
    method.kanes_equations(list(mechanism.bodies.values()), loads)
    return method
