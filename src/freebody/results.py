"""Labelled arrays written to files, with what made them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.files import whole

if TYPE_CHECKING:
    import xarray as xr


def write(
    path: Path, data: xr.Dataset, table: Callable[[], Any], provenance: Mapping[str, Any]
) -> None:
    """Write arrays to a netCDF ``.nc`` file, or as a table to a ``.csv`` file.

    A netCDF file holds the provenance as JSON in its attributes; beside a CSV file a ``.json`` of
    the same name holds it.

    Parameters
    ----------
    path : Path
    data : xarray.Dataset
    table : callable
        Returns the arrays as a pandas DataFrame.
    provenance : mapping
        Plain data.

    Raises
    ------
    FileError
        If a file cannot be written; nothing is half-written then.
    """
    if path.suffix == ".nc":
        empty = [name for name, size in data.sizes.items() if size == 0]
        kept = data.drop_dims(empty)  # which the format takes for unlimited ones
        with whole(path) as temporary:
            told = kept.assign_attrs(provenance=json.dumps(provenance))
            told.to_netcdf(temporary, engine="scipy")
        return
    with whole(path) as temporary:
        temporary.write_text(table().to_csv(index=False), encoding="utf-8")
    with whole(path.with_suffix(".json")) as temporary:
        text = json.dumps(provenance, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def entries(variable: xr.DataArray) -> Iterator[tuple[tuple[int, ...], list[str], Array]]:
    """Iterate over the entries of an array over time: their places, labels and values."""
    along = variable.transpose("time", ...)
    labels, values = [along[dim].to_numpy() for dim in along.dims[1:]], along.to_numpy()
    for place in np.ndindex(values.shape[1:]):
        told = [str(label[i]) for label, i in zip(labels, place, strict=True)]
        yield place, told, values[(slice(None), *place)]
