"""What the energy of many motions says of these."""

from __future__ import annotations

from functools import cached_property
from types import ModuleType

import numpy as np

from freebody.arrays import Array
from freebody.backends.evaluation import Evaluator
from freebody.simulation.conservation import energy_of, relative_drift, samples
from freebody.simulation.dynamics import Dynamics


class BatchEnergy:
    """Works out the energies of motions.

    Parameters
    ----------
    dynamics : Dynamics
        Of one of them.
    backend : module
        What computes energies.
    times : array, shape (k,)
    tolerance : float
        Of the integration.
    """

    def __init__(
        self, dynamics: Dynamics, backend: ModuleType, times: Array, tolerance: float
    ) -> None:
        self._dynamics, self._backend = dynamics, backend
        self._times, self._tolerance = times, tolerance

    def drifts(self, trajectories: Array, constants: Array, most: float) -> Array:
        """Return the drift of each motion; see `energy_drift`.

        Parameters
        ----------
        trajectories : array, shape (N, k, 2 n + 1)
            States and work.
        constants : array, shape (N, c)
        most : float
            What hardly moves has a drift of any size before it is held against what the tolerance
            allows, which is only worked out for a drift of more than this.
        """
        energies = self._along_trajectories(self._energies, trajectories, constants, slice(None))
        kinetic, potential = np.moveaxis(energies, -1, 0)
        drift = relative_drift(
            kinetic, potential, trajectories[..., -1], np.zeros(len(trajectories))
        )
        large = np.flatnonzero(drift > most)
        if large.size:
            allowed = self._allowed(trajectories[large], constants[large])
            work = trajectories[large, :, -1]
            drift[large] = relative_drift(kinetic[large], potential[large], work, allowed)
        return drift

    def _allowed(self, trajectories: Array, constants: Array) -> Array:
        """Return by how much the energy of each motion may change by the tolerance."""
        n = self._dynamics.n
        every = samples(len(self._times))
        sizes = np.nan_to_num(self._along_trajectories(self._sizes, trajectories, constants, every))
        M = sizes[..., : n * n].reshape(*sizes.shape[:-1], n, n)
        u = np.nan_to_num(trajectories[:, every, n : 2 * n])
        return energy_of(self._tolerance, M, u, sizes[..., n * n :])

    def _along_trajectories(
        self, evaluation: Evaluator, trajectories: Array, constants: Array, every: slice
    ) -> Array:
        n, states = self._dynamics.n, trajectories[:, every]
        times = np.broadcast_to(self._times[every, None], (*states.shape[:2], 1))
        parts = [times, states[..., :n], states[..., n : 2 * n]]
        if len(known := self._dynamics.samples):
            sampled = known.along(self._times[every])
            parts.append(np.broadcast_to(sampled, (*states.shape[:2], len(known))))
        return evaluation.many(parts, constants[:, None], states.shape[:2])

    @cached_property
    def _energies(self) -> Evaluator:
        return self._evaluation("kinetic_energy", "potential_energy")

    @cached_property
    def _sizes(self) -> Evaluator:
        return self._evaluation("mass_matrix", "gravity", "external")

    def _evaluation(self, *names: str) -> Evaluator:
        joined = self._dynamics.joined()
        values = [value for name in names for value in joined.put(self._dynamics.output(name))]
        return Evaluator(joined.code(names[0], (len(values),), values), self._backend)
