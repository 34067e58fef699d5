"""Equations of motion by the force and moment balance of each free body.

Of what a joint transmits, the part along its freedom is what its actuator, spring and damper
exert: these are the equations of motion. Where there are loops they are cut, and the forces of the
constraints are unknowns of the balances.
"""

from __future__ import annotations

from typing import Any

from freebody.algebra import Ring
from freebody.algebra.domains import Domain
from freebody.mechanics.balances import Balances
from freebody.mechanics.equations import Blocks, Equations, split_by_kind
from freebody.mechanics.kinematics import CanonicalForms, Kinematics, PointValues
from freebody.mechanics.mechanism import Mechanism


def newton_euler(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion from the balances of the free bodies.

    Parameters
    ----------
    mechanism : Mechanism
        What moves.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.

    References
    ----------
    Duarte, Multibody dynamics of one and two-link systems; Cesari et al. 2001, equations (15)-(23).
    """
    ring = ring or Ring()

    def derivation() -> Blocks:
        balances = Balances(Kinematics(mechanism, CanonicalForms(ring)), marked=True)
        parts = split_by_kind(ring, [balances.along(u) for u in mechanism.speeds], mechanism)
        still = Kinematics(mechanism, CanonicalForms(ring), still=True)
        parts["gamma"] = [equation.second(still) for equation in mechanism.equations]
        return Blocks.of(parts, len(mechanism.speeds))

    def at_point(at: Domain[Any]) -> list[Any]:
        balances = Balances(Kinematics(mechanism, PointValues(at)), marked=True)
        still = Kinematics(mechanism, PointValues(at), still=True)
        rows = [balances.along(u) for u in mechanism.speeds]
        return [*rows, *(equation.second(still) for equation in mechanism.equations)]

    return Equations("newton_euler", mechanism, ring, derivation, at_point)
