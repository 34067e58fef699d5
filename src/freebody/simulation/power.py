"""The power of what does not conserve energy, which a simulation integrates beside its state."""

from __future__ import annotations

from freebody.mechanics.balances import Balances
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import NOT_CONSERVATIVE
from freebody.mechanics.program import Program, Tape


def power(mechanism: Mechanism) -> Program:
    """Return the power of all that neither gravity nor linear springs do, in W."""
    tape = Tape()
    motion = Kinematics(mechanism, tape, laws=True)
    total = Balances(motion).power_of_supports
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
    return Program.of(tape.assignments, {"power": [total]})
