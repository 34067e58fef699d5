"""All that follows from a trajectory: accelerations, terms, reactions, energy, points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy

from freebody.algebra import Form
from freebody.mechanics.balances import Balances
from freebody.mechanics.equations import Equations
from freebody.mechanics.vectors import AXES
from freebody.simulation.integrate import Trajectory
from freebody.simulation.numeric import Array, compiled
from freebody.simulation.setup import Setup

if TYPE_CHECKING:
    import xarray as xr

TERMS = ["inertia", "C", "G", "E", "tau"]
ENERGIES = ["kinetic", "potential", "total", "work"]


def dataset(equations: Equations, setup: Setup, times: Array, trajectory: Trajectory) -> xr.Dataset:
    """Return the arrays of a result, labelled and with units."""
    return _Outputs(equations, setup, times, trajectory).dataset()


class _Outputs:
    def __init__(
        self, equations: Equations, setup: Setup, times: Array, trajectory: Trajectory
    ) -> None:
        self.equations, self.setup = equations, setup
        self.times, self.work = times, trajectory.work
        n = len(equations.coordinates)
        self.q, self.u = trajectory.states[:, :n], trajectory.states[:, n:]
        self.a: Array = np.zeros(self.u.shape)
        self.inputs: Array = np.zeros((len(times), len(setup.inputs)))
        self.inputs = self._values(list(setup.inputs.values()), (len(setup.inputs),))
        self.M = self._forms([form for row in equations.blocks.M for form in row], (n, n))
        blocks = equations.blocks
        self.C, self.G, self.E, self.tau = (
            self._forms(block, (n,)) for block in (blocks.C, blocks.G, blocks.E, blocks.tau)
        )
        forcing = self.tau - self.C - self.G - self.E
        self.a = np.linalg.solve(self.M, forcing[..., None])[..., 0].astype(np.float64)

    def dataset(self) -> xr.Dataset:
        """Return all arrays."""
        import xarray as xr  # slow to import, and only a result needs it

        model, moving = self.equations.mechanism.model, self.equations.mechanism
        inertia = np.einsum("tij,tj->ti", self.M, self.a)
        terms = np.stack([inertia, self.C, self.G, self.E, self.tau], axis=1)
        force, moment = self._reactions()
        over = ("time", "coordinate")
        variables = {
            "coordinates": (over, self.q),
            "speeds": (over, self.u),
            "accelerations": (over, self.a),
            "inputs": (("time", "input"), self.inputs),
            "terms": (("time", "term", "coordinate"), terms),
            "reaction_force": (("time", "joint", "axis"), force, {"unit": "N"}),
            "reaction_moment": (("time", "joint", "axis"), moment, {"unit": "N*m"}),
            "position": (("time", "point", "axis"), self._positions(), {"unit": "m"}),
            "energy": (("time", "kind"), self._energy(), {"unit": "J"}),
        }
        labels = {
            "time": ("time", self.times, {"unit": "s"}),
            "coordinate": list(model.coordinates),
            "unit": ("coordinate", [entry.unit for entry in model.coordinates.values()]),
            "input": list(model.inputs),
            "input_unit": ("input", [entry.unit for entry in model.inputs.values()]),
            "term": TERMS,
            "joint": list(moving.joints),
            "axis": list(AXES),
            "point": list(moving.points),
            "kind": ENERGIES,
        }
        return xr.Dataset(variables, coords=labels, attrs={"title": model.title})

    def _values(self, expressions: list[sympy.Expr], shape: tuple[int, ...]) -> Array:
        """Evaluate expressions along the motion."""
        function = compiled(self.equations.mechanism, expressions, self.setup.constants)
        found = function(self.times, self.q, self.u, self.a, self.inputs)
        return np.array(found).T.reshape(len(self.times), *shape)

    def _forms(self, forms: list[Form], shape: tuple[int, ...]) -> Array:
        ring = self.equations.blocks.ring
        return self._values([ring.expression(form) for form in forms], shape)

    def _reactions(self) -> tuple[Array, Array]:
        """Balance the free bodies in numbers: their forms are long in space."""
        moving = self.equations.mechanism

        def values(expressions: Sequence[sympy.Expr]) -> list[Array]:
            return list(self._values(list(expressions), (len(expressions),)).T)

        wrenches = Balances(moving, values).transmitted
        force, moment = (
            np.array([getattr(wrenches[joint], part).parts for joint in moving.joints])
            for part in ("force", "moment")
        )
        return force.transpose(2, 0, 1), moment.transpose(2, 0, 1)

    def _positions(self) -> Array:
        moving = self.equations.mechanism
        parts = [part for place in moving.points for part in moving.position(place)]
        return self._values(parts, (len(moving.points), 3))

    def _energy(self) -> Array:
        moving = self.equations.mechanism
        both = self._values([moving.kinetic_energy(), moving.potential_energy()], (2,))
        kinetic, potential = both.T
        return np.stack([kinetic, potential, kinetic + potential, self.work], axis=1)
