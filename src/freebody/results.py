"""What every computation over time gives: labelled arrays with units, and what made them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.files import PICTURES, RESULTS, atomic_write, expect_ending
from freebody.model.names import acceleration_name, speed_names, speed_units

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from freebody.mechanics.mechanism import Mechanism
    from freebody.model.schema import Model

TERMS = ("inertia", "C", "G", "E", "tau", "constraint")
"""The terms of M u̇ + C + G + E = τ + Jᵀ λ; the last is there with constraints alone."""
PACKAGES = ("freebody", "sympy", "numpy")
UNITS: Mapping[str, str] = {
    "coordinates": "coordinate_unit",
    "recorded": "coordinate_unit",
    "speeds": "speed_unit",
    "accelerations": "acceleration_unit",
    "inputs": "input_unit",
    "terms": "force_unit",
    "coupling": "force_unit",
    "generalized": "force_unit",
    "generalized_by_table": "force_unit",
    "residual": "force_unit",
    "contribution": "force_unit",
    "moment_arms": "arm_unit",
    "reaction_force": "N",
    "reaction_moment": "N*m",
    "position": "m",
    "energy": "J",
    "work": "J",
    "power": "W",
    "tension": "N",
    "length": "m",
    "excitation": "1",
    "activation": "1",
    "fiber_length": "1",
    "fiber_velocity": "1",
    "energy_drift": "1",
}
"""The unit of each variable, or the labels that hold the units of its entries."""
SPREAD = "_sd"
"""What the name of a standard deviation ends with."""


class Plottable:
    """What has a picture."""

    @checked
    def plot(self, path: str | Path) -> None:
        """Draw it, to a ``.png``, ``.pdf`` or ``.svg`` file.

        Raises
        ------
        FileError
            If the ending is another, or the file cannot be written.
        """
        path = Path(path)
        expect_ending(path, PICTURES)
        save_figure(self.figure(), path)

    def figure(self) -> Figure:
        """Return the figure of matplotlib that `plot` writes.

        Returns
        -------
        matplotlib.figure.Figure
        """
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Result(Plottable):
    """Labelled arrays with units, what made them, and what to know of them.

    What the arrays can do the result can do: ``result["coordinates"]``, ``result.sel(time=1)``.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time`` in s, ``coordinate``, ``speed``, ``input``, ``term``, ``joint``, ``axis`` and
        so on. The attribute ``units`` of a variable is the unit of all its entries; where these
        differ it is in the labels ``coordinate_unit``, ``speed_unit``, ``acceleration_unit``,
        ``force_unit`` (of generalized forces, by speed) and ``input_unit``.
    mechanism : Mechanism
        What moved.
    provenance : dict
        What made it, as plain data: the model with its hash, constants, inputs, the ``method``,
        the ``backend`` and versions.
    statistics : dict
        How it went, in numbers.
    notes : tuple of str
        What there is to know of it.
    """

    data: xr.Dataset
    mechanism: Mechanism
    provenance: Mapping[str, Any]
    statistics: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {size}" for name, size in self.data.sizes.items())
        names = ", ".join(map(str, self.data.data_vars))
        title = self.mechanism.model.title
        return f"<{type(self).__name__} of '{title}' ({sizes}): {names}>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import result_html  # which reads results

        return result_html(self)

    def __getitem__(self, name: Any) -> Any:
        return self.data[name]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name == "data":
                raise AttributeError(name)
            return getattr(self.data, name)

    def as_json(self) -> dict[str, Any]:
        """Return statistics, provenance and notes as plain data."""
        return {**self.statistics, **self.provenance, "notes": list(self.notes)}

    def table(self) -> Any:
        """Return a pandas DataFrame with a row for each time, and a column for each entry.

        Coordinates, speeds and inputs have their own names, accelerations those of the model, and
        all else one with dots: ``C.alpha1_dot``, ``reaction_force.elbow.x``. A sweep has a row for
        each time of each motion, and says which it is: ``over.m``.
        """
        import pandas as pd

        return pd.DataFrame({name: values for name, _, values in self._columns()})

    @checked
    def save(self, path: str | Path) -> None:
        """Write the arrays to a ``.csv`` or netCDF ``.nc`` file.

        The columns of a CSV file are those of `table` with the unit behind the name; beside it a
        ``.json`` of the same name holds statistics, provenance and notes, which a netCDF file has
        as JSON in its attribute ``provenance``.

        Raises
        ------
        FileError
            If the ending is another, or a file cannot be written; nothing is half-written then.
        """
        path = Path(path)
        expect_ending(path, RESULTS)
        if path.suffix == ".nc":
            with atomic_write(path) as temporary:
                save_arrays(self.data, json.dumps(self.as_json()), temporary)
            return
        import pandas as pd

        heads = {f"{name} [{unit}]" if unit else name: of for name, unit, of in self._columns()}
        with atomic_write(path) as temporary:
            temporary.write_text(pd.DataFrame(heads).to_csv(index=False), encoding="utf-8")
        with atomic_write(path.with_suffix(".json")) as temporary:
            text = json.dumps(self.as_json(), indent=1, ensure_ascii=False)
            temporary.write_text(text + "\n", encoding="utf-8")

    def _columns(self) -> Iterator[tuple[str, str, Array]]:
        """Iterate over names, units and values of the columns."""
        rows = _rows(self.data)
        for row, values in zip(rows, _grid(self.data, rows), strict=True):
            name = row if row == "time" else f"over.{row}"
            yield name, str(self.data[row].attrs.get("units", "")), values
        sizes = [self.data.sizes[row] for row in rows]
        for of, chosen in self.data.coords.items():  # what motions of a plan differ by
            if of not in rows and chosen.dims == tuple(rows[:1]) and chosen.dtype.kind == "f":
                values = np.repeat(chosen.to_numpy(), int(np.prod(sizes[1:])))
                yield f"over.{of}", str(chosen.attrs.get("units", "")), values
        for of, variable in self.data.data_vars.items():
            missing = {row: self.data[row] for row in rows if row not in variable.dims}
            along = variable.expand_dims(missing) if missing else variable
            for labels, unit, values in _entries(str(of), along, rows):
                yield self._head(str(of), labels), "" if unit == "1" else unit, values

    def _head(self, name: str, labels: Sequence[str]) -> str:
        if name == "accelerations":
            return acceleration_name(self.mechanism.model, labels[0])
        own = name in ("coordinates", "speeds", "inputs", "terms")
        return ".".join(labels if own else (name, *labels))


def save_arrays(data: xr.Dataset, provenance: str, path: Path) -> None:
    """Write arrays to a netCDF file, with what made them in an attribute.

    Parameters
    ----------
    data : xarray.Dataset
    provenance : str
        As JSON.
    path : Path
    """
    empty = [name for name, size in data.sizes.items() if size == 0]
    kept = data.drop_dims(empty)  # which the format takes for unlimited ones
    flags = {name: of.astype("int8") for name, of in kept.items() if of.dtype.kind == "b"}
    kept.assign(flags).assign_attrs(provenance=provenance).to_netcdf(path, engine="scipy")


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a picture, whole or not at all.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=130, format=path.suffix[1:])


# ---------------------------------------------------------------------- entries of arrays


def _rows(data: xr.Dataset) -> list[str]:
    """Return the dimensions whose labels are numbers: those of a grid, and the time."""
    dims = dict.fromkeys(str(dim) for of in data.data_vars.values() for dim in of.dims)
    return [dim for dim in dims if data[dim].dtype.kind in "fi"]


def _grid(data: xr.Dataset, rows: Sequence[str]) -> list[Array]:
    """Return the numbers of each row."""
    axes = (data[row].to_numpy() for row in rows)
    return [axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")]


def _entries(
    name: str, variable: xr.DataArray, rows: Sequence[str]
) -> Iterator[tuple[list[str], str, Array]]:
    """Iterate over the entries of a variable: their labels, units, and values row by row."""
    along = variable.transpose(*rows, ...)
    dims = [str(dim) for dim in along.dims[len(rows) :]]
    labels = [along[dim].to_numpy() for dim in dims]
    count = int(np.prod(along.shape[: len(rows)]))
    values = along.to_numpy().reshape(count, *along.shape[len(rows) :])
    units = UNITS.get(name.removesuffix(SPREAD), "")
    if values.dtype.kind == "b":
        values = values.astype("int8")
    for place in np.ndindex(values.shape[1:]):
        names = [str(label[i]) for label, i in zip(labels, place, strict=True)]
        unit = str(variable.attrs.get("units", ""))
        if units in along.coords:
            (dim,) = along.coords[units].dims
            unit = str(along.coords[units].to_numpy()[place[dims.index(str(dim))]])
        yield names, unit, values[(slice(None), *place)]


# ---------------------------------------------------------------------- how they are made


def dataset(
    model: Model,
    variables: Mapping[str, tuple[Sequence[str], Any]],
    labels: Mapping[str, Any],
) -> xr.Dataset:
    """Return arrays with labels and units.

    Parameters
    ----------
    model : Model
        Its coordinates, speeds and inputs are labels, with their units.
    variables : mapping of str to pair
        The dimensions and the values of each; its unit is in `UNITS`.
    labels : mapping of str
        Those of all other dimensions, as xarray takes them.
    """
    import xarray as xr  # slow to import, and only a result needs it

    along = {dim for dims, _ in variables.values() for dim in dims}
    own = {name: of for name, of in model_labels(model).items() if of[0] in along}
    made = xr.Dataset(
        {name: (tuple(dims), values) for name, (dims, values) in variables.items()},
        coords={**own, **labels},
        attrs={"title": model.title},
    )
    set_units(made)
    return made


def set_units(data: xr.Dataset) -> None:
    """Set the units of variables whose entries have all the same."""
    if "time" in data:
        data["time"].attrs["units"] = "s"
    for name, variable in data.data_vars.items():
        unit = UNITS.get(str(name).removesuffix(SPREAD), "")
        if unit in data.coords:
            distinct = {str(one) for one in data.coords[unit].to_numpy()}
            unit = distinct.pop() if len(distinct) == 1 else ""
        if unit:
            variable.attrs["units"] = unit


def model_labels(model: Model) -> dict[str, tuple[str, Any]]:
    """Return the names of coordinates, speeds and inputs, and their units.

    Returns
    -------
    dict of str to tuple
        The dimension of each label, and an array of names or units.
    """
    units = speed_units(model)
    forces = ["N*m" if unit.startswith("rad") else "N" for unit in units]
    arms = ["m" if unit == "N*m" else "1" for unit in forces]
    coordinates, inputs = model.coordinates, model.inputs
    labels = {
        "coordinate": ("coordinate", list(coordinates)),
        "coordinate_unit": ("coordinate", [entry.unit for entry in coordinates.values()]),
        "speed": ("speed", speed_names(model)),
        "speed_unit": ("speed", units),
        "acceleration_unit": ("speed", [f"{unit}**2" for unit in units]),
        "force_unit": ("speed", forces),
        "arm_unit": ("speed", arms),
        "input": ("input", list(inputs)),
        "input_unit": ("input", [entry.unit for entry in inputs.values()]),
    }
    return {name: (dim, np.array(of, dtype=np.str_)) for name, (dim, of) in labels.items()}


def provenance_of(model: Model, constants: Mapping[str, float]) -> dict[str, Any]:
    """Return what every result says of what made it."""
    from freebody.model.files import fingerprint

    return {
        "model": model.title,
        "model_hash": fingerprint(model),
        "constants": dict(constants),
        "versions": {package: version(package) for package in PACKAGES},
    }
