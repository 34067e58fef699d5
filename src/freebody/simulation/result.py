"""What a simulation gives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MotionError, Problem
from freebody.files import PICTURES, atomic_write, expect_ending, note_input
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.mechanics.parts import AXES
from freebody.results import TERMS, Result, dataset, save_figure
from freebody.simulation.determinacy import Undetermined
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.integrate import NONE, Trajectory

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


STATISTICS = (
    *("energy_drift", "max_drift", "constraint_residual", "max_residual"),
    *("seconds", "evaluations", "steps", "events", "events_missed", "singular_positions"),
    *("rank", "nearest_singular", "impacts"),
)


@dataclass(frozen=True, repr=False)
class Player:
    """A page that plays a motion, in a frame of its own.

    Attributes
    ----------
    page : str
        In HTML.
    height : int
        In pixels.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        from freebody.notebook.folded import player  # of a later room, as what shows things is

        return player(self.page, self.height)


@dataclass(frozen=True, repr=False)
class Simulation(Result):
    """A simulated motion.

    Attributes
    ----------
    data : xarray.Dataset
        ``coordinates`` (time, coordinate); ``speeds``, ``accelerations`` (time, speed); ``inputs``
        (time, input); ``terms`` (time, term, speed) of M u̇ + C + G + E = τ + Jᵀ λ, ``inertia``
        being M u̇; ``reaction_force`` and ``reaction_moment`` (time, joint, axis), of the parent on
        the child at the joint, in the ground frame; ``position`` (time, point, axis); ``energy``
        (time, kind); with constraints ``constraint_force``, ``constraint_residual``
        (time, constraint), ``rank`` (time,) of their matrix J and ``independence`` (time,), its
        least singular value that is not zero by redundancy, as a part of the largest, without
        units; where equations follow from others ``undetermined`` (time, direction, constraint),
        along which forces may change: those, and the reactions, that do are nan.
    statistics : dict
        ``energy_drift``, the largest change of energy less work, as a part of the largest of the
        kinetic energy, the range of the potential energy, the work and what the tolerance allows;
        ``constraint_residual``, how far it is off the constraints, as a part of the model's
        lengths; ``max_drift`` and ``max_residual``, which bound these; ``seconds``,
        ``evaluations``, ``steps``, ``events``; ``events_missed``, those that did not
        happen; ``singular_positions``, the times at which the constraints did not decide the
        motion, and its smooth continuation was chosen; ``rank`` of the constraints, and
        ``nearest_singular``, the least ``independence`` on the way and its ``time``.
    provenance : dict
        Besides what every result has: what was ``checked``, the ``engine``, its ``method`` and
        ``tolerance``, the ``initial`` values, and those that the constraints ``decided`` otherwise
        than they were given.
    """

    @classmethod
    @checked
    def read(cls, path: str | Path, model: AnyModel) -> Self:
        """Return a simulation of a model that was saved to a netCDF file.

        Raises
        ------
        MotionError
            If there is none in the file.
        """
        import xarray as xr  # slow to import

        note_input(Path(path))
        try:
            with xr.open_dataset(path, engine="scipy") as file:
                data = file.load()
            provenance = json.loads(data.attrs.pop("provenance"))
            statistics = {name: provenance.pop(name) for name in STATISTICS if name in provenance}
            if "sampled" not in provenance or "energy" not in data:
                raise KeyError("energy")
        except (OSError, TypeError, ValueError, KeyError):
            problem = Problem("", "expected a simulation in a netCDF file, found none")
            raise MotionError(str(path), [problem]) from None
        return cls(data, mechanism(model), provenance, statistics, tuple(provenance.pop("notes")))

    @property
    def energy_drift(self) -> float:
        """Largest change of energy less work done, as a part of what it is measured by."""
        return float(self.statistics["energy_drift"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened on the way: ``when`` of each event, and its ``time`` in s, in order."""
        events: list[dict[str, Any]] = self.statistics["events"]
        return events

    @checked
    def figure(
        self,
        panels: Sequence[str] = (),
        *,
        width: float | None = None,
        beside: Sequence[Simulation] = (),
    ) -> Figure:
        """Return a picture of the motion.

        Parameters
        ----------
        panels : sequence of str, optional
            What is drawn, one below the other: ``"coordinates"``, ``"speeds"``,
            ``"accelerations"``, ``"inputs"``, ``"energy"``, ``"constraints"``, ``"torques"``, each
            also of one entry as ``"speeds:alpha1_dot"``; ``"terms:alpha1"`` of one equation,
            ``"phase:alpha1"``, ``"reaction:wrist"``, ``"position:hand"``, ``"mechanism"``.
            Coordinates, energy, all terms and the mechanism unless given.
        width : float, optional
            Of the column of a paper, in cm; the letters are then those of a paper.
        beside : sequence of Simulation, optional
            Other runs, drawn into the same panels; what differs is told above them.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ArgumentError
            If there is no such panel, nothing of that name, or no figure of that width.
        """
        from freebody.simulation.figures import figure

        return figure(self, panels, width, beside)

    @checked
    def plot(
        self,
        path: str | Path,
        panels: Sequence[str] = (),
        *,
        width: float | None = None,
        beside: Sequence[Simulation] = (),
    ) -> None:
        """Draw the motion, to a ``.png``, ``.pdf`` or ``.svg`` file: see `figure`.

        Raises
        ------
        ArgumentError
            If there is no such panel, nothing of that name, or no figure of that width.
        FileError
            If the ending is another, or the file cannot be written.
        """
        path = Path(path)
        expect_ending(path, PICTURES)
        save_figure(self.figure(panels, width=width, beside=beside), path)

    @checked
    def animate(self, path: str | Path, *, size: tuple[int, int] = (480, 480)) -> None:
        """Draw the moving mechanism as an animated GIF, or as a film in MP4.

        A motion of less than half a second is drawn ten, a hundred, … times slower, which the
        picture says.

        Parameters
        ----------
        path : str or Path
            A ``.gif`` or ``.mp4`` file.
        size : tuple of two int, optional
            Width and height in pixels.

        Raises
        ------
        ArgumentError
            If the size is none.
        FileError
            If the ending is another, the file cannot be written, or there is no ffmpeg for MP4.
        """
        from freebody.simulation.movies import animate

        animate(self, Path(path), size)

    @checked
    def play(self, height: int = 480) -> Player:
        """Return the motion as a notebook plays it: see `view`.

        Parameters
        ----------
        height : int, optional
            In pixels.

        Returns
        -------
        Player
            What a notebook shows; its ``page`` is the file that `view` writes.
        """
        from freebody.simulation.movies import watch

        return Player(watch(self), height)

    @checked
    def view(self, path: str | Path) -> None:
        """Write one HTML file that plays the motion in space, with plots beside it.

        It needs no network. The motion is turned by dragging and zoomed with the wheel; a double
        click goes back.

        Parameters
        ----------
        path : str or Path
            A ``.html`` file.

        Raises
        ------
        FileError
            If the ending is another, or the file cannot be written.
        """
        from freebody.simulation.movies import VIEWS, watch

        path = Path(path)
        expect_ending(path, VIEWS)
        with atomic_write(path) as temporary:
            temporary.write_text(watch(self), encoding="utf-8")


# ------------------------------------------------------------------ outputs

ENERGIES = ["kinetic", "potential", "total", "work"]


def outputs(mechanism: Mechanism) -> list[str]:
    """Return the names of the outputs that a result is made of."""
    constrained = ["multipliers", "constraint_matrix", "constraint_residuals"]
    return [
        *("rhs", "mass_matrix", "accelerations", "inverse_dynamics_terms", "actuation"),
        *(constrained if mechanism.multipliers else []),
        *(("impact_gaps", "impact_matrix") if mechanism.impacts else ()),
        *("kinetic_energy", "potential_energy", "reactions"),
        *(f"position.{place}" for place in mechanism.named),
    ]


def simulation_dataset(
    dynamics: Dynamics, trajectory: Trajectory, compliances: Array | None = None
) -> tuple[xr.Dataset, list[str]]:
    """Return the arrays of a result, labelled and with units, and what there is to know of them.

    Parameters
    ----------
    dynamics : Dynamics
    trajectory : Trajectory
    compliances : array, shape (m,), optional
        Of constraints of which not all forces are determined: the least norm is chosen by them.
    """
    outputs = _Outputs(dynamics, trajectory, compliances)
    return outputs.dataset(), outputs.notes


class _Outputs:
    """The outputs of a mechanism along its motion."""

    def __init__(
        self, dynamics: Dynamics, trajectory: Trajectory, compliances: Array | None
    ) -> None:
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.times, self.work = trajectory.times, trajectory.work
        self.n, self.m = dynamics.n, dynamics.m
        self.q, self.u = (np.ascontiguousarray(p) for p in np.split(trajectory.states, 2, axis=1))
        self.inputs = dynamics.inputs(self.times, self.q, self.u)
        self.given = {"t": self.times, "q": self.q, "u": self.u, "inputs": self.inputs}
        self.notes: list[str] = []
        self.compliances = compliances
        self.given["a"] = self._solved("accelerations")
        blank = np.zeros((len(self.times), 0))
        self.given["multipliers"] = self._solved("multipliers") if self.m else blank
        self.undetermined = self._undetermined() if dynamics.partitions else None
        if self.undetermined and compliances is not None:
            least = self.undetermined.least(self.given["multipliers"], compliances)
            self.given["multipliers"] = least

    def dataset(self) -> xr.Dataset:
        """Return all arrays."""
        variables = {**self._motion_variables(), **self._derived(), **self._constraints()}
        return dataset(self.mechanism.model, variables, self._labels())

    def _values(self, name: str) -> Array:
        """Return an output along the motion, also where it is the same all the time."""
        values = self.dynamics.evaluated(name, self.given)
        shape = self.dynamics.functions[name].shape
        return np.broadcast_to(values, (len(self.times), *shape))

    def _solved(self, name: str) -> Array:
        """Return accelerations or multipliers, also where the constraints are redundant."""
        partitions = self.dynamics.partitions
        if partitions is None:
            return self._values(name)
        return partitions.along(name, self.given, self.dynamics.functions[name].shape)

    def _scaled(self) -> Array:
        return self.dynamics.constraints.scaled(self._values("constraint_matrix"))

    def _undetermined(self) -> Undetermined:
        held = self.dynamics.constraints
        return Undetermined.of(self._scaled(), held.row_sizes, held.rank)

    # ------------------------------------------------------------------ variables

    def _motion_variables(self) -> dict[str, Any]:
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
        reactions = self._determined(self._values("reactions"))
        places = [self._values(f"position.{place}") for place in self.mechanism.named]
        return {
            "reaction_force": (("time", "joint", "axis"), reactions[..., :3]),
            "reaction_moment": (("time", "joint", "axis"), reactions[..., 3:]),
            "position": (("time", "point", "axis"), np.stack(places, axis=1)),
            "energy": (("time", "kind"), energy),
        }

    def _determined(self, reactions: Array) -> Array:
        """Return the reactions that the equations of motion decide; the others are nan."""
        if self.undetermined is None:
            return reactions
        given, moving = self.given, self.mechanism

        def wrenches(multipliers: Array) -> Array:
            at = {**given, "multipliers": np.ascontiguousarray(multipliers)}
            return np.broadcast_to(self.dynamics.evaluated("reactions", at), reactions.shape)

        open_ = self.undetermined.reactions(wrenches, given["multipliers"])
        labels = [str(symbol.func) for symbol in moving.multipliers]
        least = self.compliances is not None
        self.notes.append(self.undetermined.in_words(labels, list(moving.joints), open_, least))
        return reactions if least else np.where(open_, np.nan, reactions)

    def _constraints(self) -> dict[str, Any]:
        if not self.m:
            return {}
        residual = self._values("constraint_residuals")[:, 0]
        values = np.linalg.svd(self._scaled(), compute_uv=False)
        forces, rank = self.given["multipliers"], self.dynamics.constraints.rank
        variables = {
            "rank": (("time",), (values > NONE * values[:, :1]).sum(axis=1)),
            "constraint_residual": (("time", "constraint"), residual),
        }
        if rank:
            variables["independence"] = (("time",), values[:, rank - 1] / values[:, 0])
        if self.undetermined is not None:
            directions = self.undetermined.directions.transpose(0, 2, 1)
            variables["undetermined"] = (("time", "direction", "constraint"), directions)
            if self.compliances is None:
                forces = np.where(self.undetermined.forces, np.nan, forces)
        return {"constraint_force": (("time", "constraint"), forces), **variables}

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
        if self.undetermined is not None:
            labels["direction"] = list(range(self.undetermined.directions.shape[-1]))
        return labels
