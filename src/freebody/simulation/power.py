"""The power of what does not conserve energy, which a simulation integrates beside its state."""

from __future__ import annotations

from freebody.graph import Cell
from freebody.mechanics.parts import NOT_CONSERVATIVE
from freebody.programs.workspace import Workspace


def power(workspace: Workspace) -> Cell:
    """Return the power of all that neither gravity nor linear springs do, in W."""
    mechanism, motion = workspace.mechanism, workspace.motion
    total: Cell = workspace.balances.power_of_supports
    for load in mechanism.loads:
        if load.kind in NOT_CONSERVATIVE:
            exerted = motion.vector(load.components, load.frame)
            moving = motion.carriers[load.on].omega if load.place is None else None
            total = total + exerted.dot(moving or motion.velocity(str(load.place)))
    for symbol, equation in zip(mechanism.multipliers, mechanism.equations, strict=True):
        if not equation.geometric:
            for u in mechanism.speeds:
                slope = equation.slope(motion, u) * motion.value(u)
                total = total + slope * motion.value(symbol)
    return total
