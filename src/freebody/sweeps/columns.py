"""Motions without constraints, many integrated at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.algebra.expressions import references
from freebody.arrays import Array
from freebody.backends.constants import Constants
from freebody.backends.evaluation import Evaluator
from freebody.backends.registry import load_backend
from freebody.errors import SimulationError
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import Mechanism
from freebody.model import Model
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.inputs import split_inputs
from freebody.simulation.setup import Setup, Value, prepare
from freebody.sweeps.dop853 import StateColumns, integrate_columns
from freebody.sweeps.energy import BatchEnergy
from freebody.sweeps.records import KEPT, LOST, STATUS, STOPPED, Answer, Variable

WIDTH = 1024
"""How many motions are integrated at once: their numbers stay close to the processor."""
METHOD = "DOP853"


@dataclass(frozen=True)
class ColumnsJob:
    """Motions integrated at once, a column each.

    Attributes
    ----------
    model : Model
    names : tuple of str
        Of the constants, coordinates and speeds that differ from motion to motion.
    first : dict of str to float
        Their values in one of them.
    constants, initial, inputs : dict
        What is the same for all.
    times : array, shape (times,)
    tolerance, max_drift : float
    backend : str
    """

    model: Model
    names: tuple[str, ...]
    first: Mapping[str, float]
    constants: Mapping[str, float]
    initial: Mapping[str, Any]
    inputs: Mapping[str, Any]
    times: Array
    tolerance: float
    max_drift: float
    backend: str

    @property
    def method(self) -> str:
        """What integrates."""
        return METHOD

    def variables(self, moving: Mechanism) -> list[Variable]:
        """Return what is kept of each motion."""
        n, count = len(moving.speeds), len(self.times)
        return [
            Variable("coordinates", ("time", "coordinate"), (count, n)),
            Variable("speeds", ("time", "speed"), (count, n)),
            Variable("energy_drift", (), ()),
        ]

    def start(self, moving: Mechanism) -> Setup:
        """Return what one of the motions starts from.

        Raises
        ------
        SimulationError
            If something has no value or an unknown name, or an initial value follows what differs.
        """
        known = moving.names.constants
        fixed = {name: value for name, value in self.first.items() if name in known}
        starting = {name: value for name, value in self.first.items() if name not in fixed}
        _expect_fixed(moving, self.initial, starting, fixed)
        sampled, laws = split_inputs(self.inputs)
        constants = {**self.constants, **fixed}
        return prepare(moving, constants, {**self.initial, **starting}, laws, sampled)

    def ready(self) -> Callable[[Array], Answer]:
        """Return what integrates motions, from a row of values for each."""
        return _Integration(self, mechanism(self.model))


class _Integration:
    """Integrates some motions at once."""

    def __init__(self, job: ColumnsJob, moving: Mechanism) -> None:
        self._job, self._names = job, moving.names
        self._setup = job.start(moving)
        self._constants = Constants.of(moving.model)
        backend = load_backend(job.backend)
        dynamics = Dynamics(moving, self._setup)
        dynamics.samples.expect_cover(float(job.times[0]), float(job.times[-1]))
        self._n, self._samples = dynamics.n, dynamics.samples
        self._rates = Evaluator(dynamics.motion, backend)
        self._energy = BatchEnergy(dynamics, backend, job.times, job.tolerance)

    def __call__(self, rows: Array) -> Answer:
        job, n = self._job, self._n
        constants, states = self._values(rows)
        columns = StateColumns(self._rates, constants, self._samples)
        start = np.vstack([states, np.zeros(states.shape[1])])  # the work that is done
        found = integrate_columns(columns, start, job.times, job.tolerance)
        drift = self._energy.drifts(found, constants, job.max_drift)
        stopped = ~np.isfinite(found[:, -1]).all(axis=1)
        status = np.where(stopped, STOPPED, np.where(drift > job.max_drift, LOST, KEPT))
        return {
            "coordinates": found[..., :n],
            "speeds": found[..., n : 2 * n],
            "energy_drift": drift,
            STATUS: status.astype(np.int8),
        }

    def _values(self, rows: Array) -> tuple[Array, Array]:
        """Return constants, a row for each motion, and initial states, a column for each."""
        chosen = dict(zip(self._job.names, rows.T, strict=True))
        entries = [*self._names.coordinates, *self._names.speeds]
        states = np.repeat(self._setup.state[:, None], len(rows), axis=1)
        for name in chosen.keys() - self._names.constants.keys():
            states[entries.index(name)] = chosen[name]
        fixed = {name: chosen[name] for name in chosen.keys() & self._names.constants.keys()}
        vector = self._constants.vector({**self._job.constants, **fixed} or None)
        return np.broadcast_to(vector, (len(rows), vector.shape[-1])), states


def _expect_fixed(
    moving: Mechanism,
    initial: Mapping[str, Value],
    starting: Collection[str],
    fixed: Collection[str],
) -> None:
    """See that no initial value follows the constants that differ.

    Raises
    ------
    SimulationError
        If one does.
    """
    model, following = moving.model, set(fixed)
    for _ in model.constants:
        following |= {
            name for name, entry in model.constants.items() if _uses(entry.value) & following
        }
    declared: dict[str, Any] = {}
    for name, entry in model.coordinates.items():
        declared |= {name: entry.initial, f"{name}_dot": entry.initial_speed}
    for name, value in {**declared, **initial}.items():
        if name not in starting and (used := _uses(value) & following):
            raise SimulationError(
                f"the initial value of '{name}' depends on {', '.join(sorted(used))}, which the "
                f"grid changes: expected a number, initial={{'{name}': ...}}"
            )


def _uses(value: Any) -> set[str]:
    return set(map(str, references(value))) if isinstance(value, str) else set()
