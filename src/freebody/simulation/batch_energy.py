"""How well the motions of a batch kept their energy."""

from __future__ import annotations

from functools import cached_property
from types import ModuleType

import numpy as np

from freebody.arrays import Array
from freebody.backends.evaluation import Evaluation
from freebody.simulation.conservation import energy_of, relative_drift, samples
from freebody.simulation.dynamics import Dynamics


class BatchEnergy:
    """What the energy of motions says of these.

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

    def drifts(self, found: Array, constants: Array, most: float) -> Array:
        """Return the drift of each motion; see `energy_drift`.

        Parameters
        ----------
        found : array, shape (N, k, 2 n + 1)
            States and work.
        constants : array, shape (N, c)
        most : float
            What hardly moves has a drift of any size before it is held against what the tolerance
            allows, which is only worked out for a drift of more than this.
        """
        energies = self._along(self._energies, found, constants, slice(None))
        kinetic, potential = np.moveaxis(energies, -1, 0)
        drift = relative_drift(kinetic, potential, found[..., -1], np.zeros(len(found)))
        large = np.flatnonzero(drift > most)
        if large.size:
            allowed = self._allowed(found[large], constants[large])
            work = found[large, :, -1]
            drift[large] = relative_drift(kinetic[large], potential[large], work, allowed)
        return drift

    def _allowed(self, found: Array, constants: Array) -> Array:
        """Return by how much the energy of each motion may change by the tolerance."""
        n = self._dynamics.n
        every = samples(len(self._times))
        sizes = np.nan_to_num(self._along(self._sizes, found, constants, every))
        M = sizes[..., : n * n].reshape(*sizes.shape[:-1], n, n)
        u = np.nan_to_num(found[:, every, n : 2 * n])
        return energy_of(self._tolerance, M, u, sizes[..., n * n :])

    def _along(self, evaluation: Evaluation, found: Array, constants: Array, every: slice) -> Array:
        n, states = self._dynamics.n, found[:, every]
        times = np.broadcast_to(self._times[every, None], (*states.shape[:2], 1))
        parts = [times, states[..., :n], states[..., n : 2 * n]]
        return evaluation.many(parts, constants[:, None], states.shape[:2])

    @cached_property
    def _energies(self) -> Evaluation:
        return self._evaluation("kinetic_energy", "potential_energy")

    @cached_property
    def _sizes(self) -> Evaluation:
        return self._evaluation("mass_matrix", "gravity", "external")

    def _evaluation(self, *names: str) -> Evaluation:
        joined = self._dynamics.joined()
        values = [value for name in names for value in joined.put(self._dynamics.output(name))]
        return Evaluation(joined.code(names[0], (len(values),), values), self._backend)
