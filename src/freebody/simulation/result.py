"""What a simulation gives: labelled arrays with units, and what made them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from freebody.arguments import checked
from freebody.errors import SimulationError
from freebody.files import RESULTS, expect_ending
from freebody.results import entries, write

if TYPE_CHECKING:
    import xarray as xr

    from freebody.mechanics.mechanism import Mechanism


@dataclass(frozen=True)
class Result:
    """A simulated motion.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time`` in s: ``coordinates``, ``speeds``, ``accelerations``, ``inputs``; ``terms``
        of the equations of motion by name; ``reaction_force`` and ``reaction_moment`` of each
        joint; ``position`` of each point; ``energy``. Each has its unit in its attributes or in
        the coordinate ``unit``.
    mechanism : Mechanism
        What moved.
    statistics : dict
        ``energy_drift``, the largest change of energy less work, as a part of the largest of the
        kinetic energy, the range of the potential energy, the work and what the tolerance allows;
        ``constraint_residual``, how far it is off the constraints, as a part of the model's
        lengths; ``max_drift`` and ``max_residual``, which bound these; ``seconds``,
        ``evaluations``, ``steps``, ``engine``, ``events``; ``events_missed``, those that did not
        happen; ``singular_positions``, the times at which the constraints did not decide the
        motion, and its smooth continuation was chosen.
    provenance : dict
        Model, its hash, versions, tolerance, the ``backend`` that computed the rates, values, what
        was checked, and the initial values that the constraints ``decided`` otherwise than they
        were given.
    """

    data: xr.Dataset
    mechanism: Mechanism
    statistics: dict[str, Any]
    provenance: dict[str, Any]

    @property
    def energy_drift(self) -> float:
        """Largest change of energy less work done, as a part of what it is measured by."""
        return float(self.statistics["energy_drift"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened on the way: ``when`` of each event, and its ``time`` in s, in order."""
        found: list[dict[str, Any]] = self.statistics["events"]
        return found

    def as_json(self) -> dict[str, Any]:
        """Return statistics and provenance as plain data."""
        return {**self.statistics, **self.provenance}

    @checked
    def save(self, path: str | Path) -> None:
        """Write the arrays to a ``.csv`` or netCDF ``.nc`` file.

        Beside a CSV file a ``.json`` of the same name says what made it; a netCDF file holds that.

        Raises
        ------
        SimulationError
            If the ending is another.
        FileError
            If a file cannot be written; nothing is half-written then.
        """
        path = Path(path)
        expect_ending(path, RESULTS, SimulationError)
        write(path, self.data, self.table, self.as_json())

    def table(self) -> Any:
        """Return a pandas DataFrame with a column for each entry: ``alpha1_dot``, ``C.alpha1``."""
        import pandas as pd

        data = self.data
        columns = {"time": data["time"].to_numpy()}
        patterns = {**_COLUMN, **_OWN} if "speed" in data.dims else _COLUMN
        for name, variable in data.data_vars.items():
            for _, entry, values in entries(variable):
                columns[patterns[str(name)].format(*entry)] = values
        return pd.DataFrame(columns)

    @checked
    def plot(self, path: str | Path) -> None:
        """Draw angles, torques by term, energy and the chain itself."""
        from freebody.simulation.figures import plot

        plot(self, Path(path))

    @checked
    def animate(self, path: str | Path) -> None:
        """Draw the moving chain as an animated GIF."""
        from freebody.simulation.figures import animate

        animate(self, Path(path))


_COLUMN = {
    "coordinates": "{}",
    "speeds": "{}_dot",
    "accelerations": "{}_ddot",
    "inputs": "{}",
    "terms": "{}.{}",
    "reaction_force": "reaction.{}.force.{}",
    "reaction_moment": "reaction.{}.moment.{}",
    "position": "position.{}.{}",
    "energy": "energy.{}",
    "constraint_force": "{}",
    "constraint_residual": "residual.{}",
}
_OWN = {"speeds": "{}", "accelerations": "{}_dot"}
"""The same where the model has speeds of its own."""
