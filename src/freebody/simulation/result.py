"""What a simulation gives."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from freebody.arguments import checked
from freebody.errors import MotionError, Problem
from freebody.files import reading
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel
from freebody.results import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATISTICS = (
    *("energy_drift", "max_drift", "constraint_residual", "max_residual"),
    *("seconds", "evaluations", "steps", "events", "events_missed", "singular_positions"),
)


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
        (time, constraint).
    statistics : dict
        ``energy_drift``, the largest change of energy less work, as a part of the largest of the
        kinetic energy, the range of the potential energy, the work and what the tolerance allows;
        ``constraint_residual``, how far it is off the constraints, as a part of the model's
        lengths; ``max_drift`` and ``max_residual``, which bound these; ``seconds``,
        ``evaluations``, ``steps``, ``events``; ``events_missed``, those that did not
        happen; ``singular_positions``, the times at which the constraints did not decide the
        motion, and its smooth continuation was chosen.
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

        reading(Path(path))
        try:
            with xr.open_dataset(path, engine="scipy") as file:
                data = file.load()
            told = json.loads(data.attrs.pop("provenance"))
            statistics = {name: told.pop(name) for name in STATISTICS if name in told}
            if "sampled" not in told or "energy" not in data:
                raise KeyError("energy")
        except (OSError, TypeError, ValueError, KeyError):
            problem = Problem("", "expected a simulation in a netCDF file, found none")
            raise MotionError(str(path), [problem]) from None
        return cls(data, mechanism(model), told, statistics, tuple(told.pop("notes")))

    @property
    def energy_drift(self) -> float:
        """Largest change of energy less work done, as a part of what it is measured by."""
        return float(self.statistics["energy_drift"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened on the way: ``when`` of each event, and its ``time`` in s, in order."""
        events: list[dict[str, Any]] = self.statistics["events"]
        return events

    def figure(self) -> Figure:
        """Return coordinates, energy, torques by term and the chain at some instants."""
        from freebody.simulation.figures import figure

        return figure(self)

    @checked
    def animate(self, path: str | Path) -> None:
        """Draw the moving chain as an animated GIF.

        Raises
        ------
        FileError
            If the ending is another than ``.gif``, or the file cannot be written.
        """
        from freebody.simulation.figures import animate

        animate(self, Path(path))
