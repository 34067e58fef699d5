"""What inverse dynamics gives: labelled arrays with units, what was chosen, and what to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.errors import InverseError
from freebody.files import RESULTS, expect_ending
from freebody.results import entries, write
from freebody.simulation.sampled import Sampled

if TYPE_CHECKING:
    import xarray as xr

    from freebody.mechanics.mechanism import Mechanism


@dataclass(frozen=True)
class InverseDynamics:
    """The torques that a motion takes.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time`` in s, with units in the attributes of each variable, and in
        ``coordinate_unit``, ``speed_unit``, ``acceleration_unit``, ``force_unit`` (by speed),
        ``input_unit`` and ``component_unit`` where entries differ:

        - ``terms`` (time, term, speed): ``inertia`` M_ii u̇_i, ``coupling`` Σ_{j≠i} M_ij u̇_j,
          ``C``, ``G`` and ``E``, as on the left-hand side of M u̇ + C + G + E = τ;
        - ``generalized`` (time, speed): their sum;
        - ``inputs`` (time, input): what the inputs of the model must be, not a number where the
          motion does not say; ``residual`` (time, speed): what they cannot give;
        - ``reactions`` (time, joint, component): force and moment of the parent on the child at
          the joint, in the ground frame;
        - ``power`` (time, joint) in W: of all that the joint transmits, springs and dampers at it
          included; ``work`` in J: its integral;
        - ``coordinates``, ``speeds``, ``accelerations``; ``constraint_force`` of a model with
          constraints; ``trusted`` (time): whether a sample is far enough from the ends;
        - with noise, the standard deviations ``generalized_sd``, ``terms_sd``, ``inputs_sd``,
          ``power_sd``; with tables, ``generalized_by_table`` (table, time, speed).
    mechanism : Mechanism
        Of the model.
    choices : dict
        Sampling, filter, derivatives, constants, forces and inputs that were used.
    notes : tuple of str
        What there is to know of this result: residuals, inputs that do not follow, the ends.
    """

    data: xr.Dataset
    mechanism: Mechanism
    choices: Mapping[str, Any]
    notes: tuple[str, ...]

    @property
    def inputs(self) -> dict[str, Sampled]:
        """The inputs over time, as `freebody.simulate` takes them; those that are known."""
        times, values = self.data["time"].to_numpy(), self.data["inputs"]
        columns = {str(name): values.sel(input=name).to_numpy() for name in values["input"].data}
        return {
            name: Sampled(name, times - times[0], column)
            for name, column in columns.items()
            if np.isfinite(column).all()
        }

    @property
    def initial(self) -> dict[str, float]:
        """The first coordinates and speeds, as `freebody.simulate` takes them."""
        first = self.data.isel(time=0)
        moving = (first["coordinates"], first["speeds"])
        return {
            str(name): float(value)
            for part in moving
            for name, value in zip(part[part.dims[0]].data, part.data, strict=True)
        }

    @checked
    def write(self, path: str | Path) -> None:
        """Write the arrays to a ``.csv`` or netCDF ``.nc`` file.

        Beside a CSV file a ``.json`` of the same name holds choices and notes; a netCDF file holds
        them in its attributes.

        Raises
        ------
        InverseError
            If the ending is another.
        FileError
            If a file cannot be written; nothing is half-written then.
        """
        path = Path(path)
        expect_ending(path, RESULTS, InverseError)
        data = self.data.assign(trusted=self.data["trusted"].astype("int8"))
        write(path, data, self.table, {**self.choices, "notes": list(self.notes)})

    def table(self) -> Any:
        """Return a pandas DataFrame with a column for each entry, its unit behind its name.

        Coordinates and inputs have their own names, all else one with a dot:
        ``generalized.alpha1_dot [N*m]``, ``power.elbow [W]``.
        """
        import pandas as pd

        columns = {"time [s]": self.data["time"].to_numpy()}
        columns |= dict(self._columns())
        return pd.DataFrame(columns)

    def _columns(self) -> Iterator[tuple[str, Any]]:
        for name, (pattern, units) in _COLUMNS.items():
            if name not in self.data:
                continue
            variable = self.data[name]
            told = variable[units].to_numpy() if units in variable.coords else None
            for place, entry, values in entries(variable):
                unit = units if told is None else str(told[place[-1]])
                head = pattern.format(*entry)
                yield f"{head} [{unit}]" if unit else head, values

    @checked
    def plot(self, path: str | Path) -> None:
        """Draw the terms along each speed, the motion, inputs, residuals and power.

        Raises
        ------
        InverseError
            If the file name has another ending than a picture.
        """
        from freebody.inverse_dynamics.figures import plot

        plot(self, Path(path))


_COLUMNS = {
    "coordinates": ("{}", "coordinate_unit"),
    "inputs": ("{}", "input_unit"),
    "inputs_sd": ("{}.sd", "input_unit"),
    "speeds": ("speed.{}", "speed_unit"),
    "accelerations": ("acceleration.{}", "acceleration_unit"),
    "generalized": ("generalized.{}", "force_unit"),
    "generalized_sd": ("generalized.{}.sd", "force_unit"),
    "generalized_by_table": ("generalized.{1}.{0}", "force_unit"),
    "terms": ("{}.{}", "force_unit"),
    "residual": ("residual.{}", "force_unit"),
    "reactions": ("reaction.{}.{}", "component_unit"),
    "power": ("power.{}", "W"),
    "work": ("work.{}", "J"),
    "constraint_force": ("constraint.{}", ""),
}
"""The name of each column, and its unit or the labels that hold that."""
