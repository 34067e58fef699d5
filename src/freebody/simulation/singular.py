"""Motions through singular positions, in which constraints do not decide how a mechanism goes on.

Where a singular value of the constraints' matrix becomes zero, branches of the motion meet. A
mechanism that arrives there with a velocity keeps it on one branch alone: that smooth continuation
is taken where there is one. It is a choice, for the least disturbance leads to another branch.

References
----------
Gonzalez, Dopico, Pastorino and Cuadrado, Behaviour of augmented Lagrangian and Hamiltonian methods
for multibody dynamics in the proximity of singular configurations, Nonlinear Dynamics 85, 2016.
"""

from __future__ import annotations

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.simulation.dynamics import Dynamics

NEAR = 1e-4
"""Below this part of the largest, the least singular value is taken across zero in one step."""
NONE = 1e-7
"""Below this part nothing can be said of the motion."""
FIRST = 0.5
"""Which part of the time to a singular position a step may take at most."""
SMOOTH = 1e-2
"""By which part of a step a state may be off the constraints beyond it."""
ROUNDS = 4


class Crossing:
    """The way of a mechanism across singular positions.

    Parameters
    ----------
    dynamics : Dynamics
        With constraints.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.n = dynamics, dynamics.n

    def ahead(self, t: float, y: Array) -> tuple[float, float]:
        """Return the least singular value of the constraints' matrix, and the time until it is 0.

        The value is a part of the largest one; the time is infinite where it grows.

        Raises
        ------
        SimulationError
            If the value is zero.
        """
        value, rate = self.dynamics.constraints.independence(t, y[: self.n], y[self.n : -1])
        if value < NONE:
            raise self._undecided(t, "the mechanism does not leave it by a motion of its own")
        return value, value / -rate if rate < 0 else np.inf

    def across(self, t: float, y: Array, until: float) -> tuple[float, Array]:
        """Return the time and the state as far behind a singular position as this is ahead.

        The rates on both sides give the state behind it to the fifth order of the step.

        Raises
        ------
        SimulationError
            If the motion does not go on smoothly.
        """
        n, step = self.n, 2 * until
        first = last = self.dynamics.change(t, y)
        for _ in range(ROUNDS):
            free = y + step / 2 * (first + last)
            free[:n] -= step**2 / 12 * (last - first)[n : 2 * n]
            behind = self._held(t + step, free)
            last = self.dynamics.change(t + step, behind)
        moved, off = np.abs(behind - y), np.abs(behind - free)
        value, rate = self.dynamics.constraints.independence(t + step, behind[:n], behind[n:-1])
        smooth = off[:n].max() <= SMOOTH * moved[:n].max()
        smooth &= off[n:-1].max() <= SMOOTH * np.abs(y[n:-1]).max()
        if not (smooth and rate > 0 and NEAR / 10 < value < 10 * NEAR):
            raise self._undecided(t + until, "there is no smooth continuation")
        return t + step, behind

    def _held(self, t: float, y: Array) -> Array:
        n = self.n
        try:
            q, u = self.dynamics.constraints.projected(t, y[:n], y[n:-1])
        except SimulationError:
            raise self._undecided(t, "beyond it the constraints cannot be met") from None
        return np.concatenate([q, u, y[-1:]])

    def _undecided(self, t: float, why: str) -> SimulationError:
        return SimulationError(
            f"the constraints' matrix is singular at about t = {t:.6g} s: the mechanism is in a "
            f"singular position, where the equations do not decide how it goes on, and {why}"
        )
