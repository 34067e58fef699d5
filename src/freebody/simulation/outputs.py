"""All that follows from a trajectory: accelerations, terms, reactions, energy, points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.vectors import AXES
from freebody.results import TERMS
from freebody.results import dataset as dataset_of
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.integrate import Trajectory

if TYPE_CHECKING:
    import xarray as xr

ENERGIES = ["kinetic", "potential", "total", "work"]


def outputs(mechanism: Mechanism) -> list[str]:
    """Return the names of the outputs that a result is made of."""
    held = ["multipliers", "constraint_matrix", "constraint_residuals"]
    return [
        *("rhs", "mass_matrix", "accelerations", "inverse_dynamics_terms", "actuation"),
        *(held if mechanism.multipliers else []),
        *("kinetic_energy", "potential_energy", "reactions"),
        *(f"position.{place}" for place in mechanism.named),
    ]


def dataset(dynamics: Dynamics, trajectory: Trajectory) -> xr.Dataset:
    """Return the arrays of a result, labelled and with units."""
    return _Outputs(dynamics, trajectory).dataset()


class _Outputs:
    """The outputs of a mechanism along its motion."""

    def __init__(self, dynamics: Dynamics, trajectory: Trajectory) -> None:
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.times, self.work = trajectory.times, trajectory.work
        self.n, self.m = dynamics.n, dynamics.m
        self.q, self.u = (np.ascontiguousarray(p) for p in np.split(trajectory.states, 2, axis=1))
        self.inputs = dynamics.inputs(self.times, self.q, self.u)
        self.given = {"t": self.times, "q": self.q, "u": self.u, "inputs": self.inputs}
        self.given["a"] = self._values("accelerations")
        blank = np.zeros((len(self.times), 0))
        self.given["multipliers"] = self._values("multipliers") if self.m else blank

    def dataset(self) -> xr.Dataset:
        """Return all arrays."""
        variables = {**self._moving(), **self._derived(), **self._constraints()}
        return dataset_of(self.mechanism.model, variables, self._labels())

    def _values(self, name: str) -> Array:
        """Return an output along the motion, also where it is the same all the time."""
        found = self.dynamics.evaluated(name, self.given)
        shape = self.dynamics.functions[name].shape
        return np.broadcast_to(found, (len(self.times), *shape))

    # ------------------------------------------------------------------ variables

    def _moving(self) -> dict[str, Any]:
        terms = [*self._values("inverse_dynamics_terms").transpose(1, 0, 2)]
        terms.append(self._values("actuation"))
        if self.m:
            J = self._values("constraint_matrix")
            terms.append(np.einsum("tij,ti->tj", J, self.given["multipliers"]))
        return {
            "coordinates": (("time", "coordinate"), self.q),
            "speeds": (("time", "speed"), self.u),
            "accelerations": (("time", "speed"), self.given["a"]),
            "inputs": (("time", "input"), self.inputs),
            "terms": (("time", "term", "speed"), np.stack(terms, axis=1)),
        }

    def _derived(self) -> dict[str, Any]:
        kinetic, potential = self._values("kinetic_energy"), self._values("potential_energy")
        energy = np.stack([kinetic, potential, kinetic + potential, self.work], axis=1)
        reactions = self._values("reactions")
        places = [self._values(f"position.{place}") for place in self.mechanism.named]
        return {
            "reaction_force": (("time", "joint", "axis"), reactions[..., :3]),
            "reaction_moment": (("time", "joint", "axis"), reactions[..., 3:]),
            "position": (("time", "point", "axis"), np.stack(places, axis=1)),
            "energy": (("time", "kind"), energy),
        }

    def _constraints(self) -> dict[str, Any]:
        if not self.m:
            return {}
        residual = self._values("constraint_residuals")[:, 0]
        return {
            "constraint_force": (("time", "constraint"), self.given["multipliers"]),
            "constraint_residual": (("time", "constraint"), residual),
        }

    def _labels(self) -> dict[str, Any]:
        moving = self.mechanism
        labels = {
            "time": self.times,
            "term": [*TERMS] if self.m else [*TERMS[:-1]],
            "joint": list(moving.joints),
            "axis": list(AXES),
            "point": moving.named,
            "kind": ENERGIES,
        }
        if self.m:
            labels["constraint"] = [str(symbol.func) for symbol in moving.multipliers]
        return labels
