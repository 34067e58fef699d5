"""All that follows from a trajectory: accelerations, terms, reactions, energy, points."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.mechanics.balances import Balances
from freebody.mechanics.constraints import rows
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program, Tape
from freebody.mechanics.vectors import AXES
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.integrate import Trajectory
from freebody.simulation.numeric import Array, compiled

if TYPE_CHECKING:
    import xarray as xr

TERMS = ["inertia", "C", "G", "E", "tau"]
ENERGIES = ["kinetic", "potential", "total", "work"]


def dataset(dynamics: Dynamics, times: Array, trajectory: Trajectory) -> xr.Dataset:
    """Return the arrays of a result, labelled and with units."""
    return _Outputs(dynamics, times, trajectory).dataset()


class _Outputs:
    def __init__(self, dynamics: Dynamics, times: Array, trajectory: Trajectory) -> None:
        self.mechanism, self.setup = dynamics.mechanism, dynamics.setup
        self.times, self.work = times, trajectory.work
        self.n, self.m = dynamics.n, dynamics.m
        self.q, self.u = np.split(trajectory.states, 2, axis=1)
        blank = np.zeros((len(times), self.n)), np.zeros((len(times), self.m))
        self.blocks = self._values(_equations(dynamics.program), *blank)
        self.a, self.multipliers = self._solved()

    def dataset(self) -> xr.Dataset:
        """Return all arrays."""
        import xarray as xr  # slow to import, and only a result needs it

        variables = {**self._moving(), **self._derived(), **self._held()}
        attributes = {"title": self.mechanism.model.title}
        return xr.Dataset(variables, coords=self._labels(), attrs=attributes)

    # ------------------------------------------------------------------ numbers

    def _values(self, written: Program, a: Array, multipliers: Array) -> dict[str, Array]:
        """Evaluate a program along the motion; entries along the last axis."""
        constants, inputs = self.setup.constants, self.setup.inputs
        function = compiled(written, self.mechanism, constants, inputs, arrays=True)
        with np.errstate(all="ignore"):
            found = function(self.times, self.q.T, self.u.T, a.T, multipliers.T)
        return {name: part.reshape(-1, len(self.times)).T for name, part in found.items()}

    def _solved(self) -> tuple[Array, Array]:
        """Return the accelerations and the forces of the constraints."""
        b, n, m = self.blocks, self.n, self.m
        size = (len(self.times), n + m, n + m)
        matrix, right = np.zeros(size), np.zeros(size[:2])
        J = b["J"].reshape(len(self.times), m, n)
        matrix[:, :n, :n] = b["M"].reshape(-1, n, n)
        matrix[:, n:, :n], matrix[:, :n, n:] = J, -J.transpose(0, 2, 1)
        right[:, :n] = b["tau"] - b["C"] - b["G"] - b["E"]
        right[:, n:] = -b["gamma"].reshape(len(self.times), m)
        found = np.linalg.solve(matrix, right[..., None])[..., 0].astype(np.float64)
        return found[:, :n], found[:, n:]

    @cached_property
    def _all(self) -> dict[str, Array]:
        return self._values(_observed(self.mechanism), self.a, self.multipliers)

    # ------------------------------------------------------------------ variables

    @property
    def _along(self) -> str:
        """The dimension of what belongs to a speed."""
        return "speed" if self.mechanism.model.speeds else "coordinate"

    def _moving(self) -> dict[str, Any]:
        count = len(self.times)
        terms = [np.einsum("tij,tj->ti", self.blocks["M"].reshape(-1, self.n, self.n), self.a)]
        terms += [self.blocks[name] for name in TERMS[1:]]
        if self.m:
            J = self.blocks["J"].reshape(-1, self.m, self.n)
            terms.append(np.einsum("tij,ti->tj", J, self.multipliers))
        return {
            "coordinates": (("time", "coordinate"), self.q),
            "speeds": (("time", self._along), self.u),
            "accelerations": (("time", self._along), self.a),
            "inputs": (("time", "input"), self._all["inputs"].reshape(count, -1)),
            "terms": (("time", "term", self._along), np.stack(terms, axis=1)),
        }

    def _derived(self) -> dict[str, Any]:
        def triples(name: str) -> Array:
            return self._all[name].reshape(len(self.times), -1, 3)

        kinetic, potential = self._all["energy"].T
        energy = np.stack([kinetic, potential, kinetic + potential, self.work], axis=1)
        force, moment = triples("force"), triples("moment")
        return {
            "reaction_force": (("time", "joint", "axis"), force, {"unit": "N"}),
            "reaction_moment": (("time", "joint", "axis"), moment, {"unit": "N*m"}),
            "position": (("time", "point", "axis"), triples("position"), {"unit": "m"}),
            "energy": (("time", "kind"), energy, {"unit": "J"}),
        }

    def _held(self) -> dict[str, Any]:
        if not self.m:
            return {}
        return {
            "constraint_force": (("time", "constraint"), self.multipliers),
            "constraint_residual": (("time", "constraint"), self._all["residual"]),
        }

    def _labels(self) -> dict[str, Any]:
        model, moving = self.mechanism.model, self.mechanism
        labels = {
            "time": ("time", self.times, {"unit": "s"}),
            "coordinate": list(model.coordinates),
            "unit": ("coordinate", [entry.unit for entry in model.coordinates.values()]),
            "input": list(model.inputs),
            "input_unit": ("input", [entry.unit for entry in model.inputs.values()]),
            "term": [*TERMS, "constraint"] if self.m else TERMS,
            "joint": list(moving.joints),
            "axis": list(AXES),
            "point": moving.named,
            "kind": ENERGIES,
        }
        if model.speeds:
            units = [entry.unit for entry in model.speeds.values()]
            labels |= {"speed": list(model.speeds), "speed_unit": ("speed", units)}
        if self.m:
            labels["constraint"] = [str(symbol.func) for symbol in moving.multipliers]
        return labels


def _equations(written: Program) -> Program:
    outputs = {name: written.outputs[name] for name in ("M", "J", "gamma", "C", "G", "tau")}
    pairs = zip(written.outputs["elastic"], written.outputs["external"], strict=True)
    return Program.of(written.assignments, {**outputs, "E": [a + b for a, b in pairs]})


def _observed(mechanism: Mechanism) -> Program:
    """Return all that follows from a motion, as one program."""
    tape = Tape()
    motion = Kinematics(mechanism, tape, laws=True)
    transmitted = Balances(motion).transmitted
    wrenches = [transmitted[name] for name in mechanism.joints]
    outputs = {
        "inputs": tape.values(mechanism.names.inputs.values()),
        "force": [part for wrench in wrenches for part in wrench.force.parts],
        "moment": [part for wrench in wrenches for part in wrench.moment.parts],
        "position": [part for place in mechanism.named for part in motion.position(place).parts],
        "energy": [motion.kinetic_energy(), motion.potential_energy()],
        "residual": rows(motion)["residual"],
    }
    return Program.of(tape.assignments, outputs)
