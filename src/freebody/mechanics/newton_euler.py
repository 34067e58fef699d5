"""Equations of motion by the force and moment balance of each free body.

Of what a joint transmits, the part along its freedom is what its actuator, spring and damper
exert: these are the equations of motion.
"""

from __future__ import annotations

from freebody.algebra import Ring
from freebody.mechanics.balances import Balances
from freebody.mechanics.equations import Blocks, Equations
from freebody.mechanics.mechanism import Mechanism


def newton_euler(mechanism: Mechanism, ring: Ring | None = None) -> Equations:
    """Derive the equations of motion from the balances of the free bodies.

    Parameters
    ----------
    mechanism : Mechanism
        What moves; its bodies must form a tree.
    ring : Ring, optional
        The ring of the result, to compare it with that of another formulation.

    References
    ----------
    Duarte, Multibody dynamics of one and two-link systems; Cesari et al. 2001, equations (15)-(23).
    """
    ring = ring or Ring()
    balances = Balances(mechanism, ring.forms, marked=True)
    rows = [balances.along(speed) for speed in mechanism.speeds]
    blocks = Blocks.split(ring, rows, accelerations=mechanism.accelerations)
    return Equations("newton_euler", mechanism, blocks)
