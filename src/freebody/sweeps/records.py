"""Where results go as they come: arrays in memory, or a labelled Zarr store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import BackendError
from freebody.files import FileError
from freebody.sweeps.boxes import box_shape, boxes
from freebody.sweeps.plans import Plan

if TYPE_CHECKING:
    import xarray as xr

STATUS = "status"
MEANINGS = "missing kept stopped lost"
MISSING, KEPT, STOPPED, LOST = range(4)
"""What becomes of a motion; one that stopped is NaN from there on, one that is lost is whole."""
CHUNK = 8e6
"""Bytes of a file of the store."""
FILES = 1024
"""Motions in a file of the store, at most."""


@dataclass(frozen=True)
class Variable:
    """What is kept of each motion.

    Attributes
    ----------
    name : str
    dims : tuple of str
        Besides those of the plan.
    shape : tuple of int
    """

    name: str
    dims: tuple[str, ...]
    shape: tuple[int, ...]


Answer = Mapping[str, Array]
"""Of some motions: each variable, shape (motions, ...), and the status."""


class Memory:
    """Results in memory.

    Parameters
    ----------
    plan : Plan
    variables : sequence of Variable
    """

    def __init__(self, plan: Plan, variables: Sequence[Variable]) -> None:
        self._shape = plan.shape
        self.arrays: dict[str, Any] = {
            one.name: np.full((*plan.shape, *one.shape), np.nan) for one in variables
        }
        self.arrays[STATUS] = np.zeros(plan.shape, dtype=np.int8)

    def put(self, start: int, answer: Answer) -> None:
        """Keep what became of motions, the first of which has this number."""
        count = len(answer[STATUS])
        for a, b, box in boxes(self._shape, start, start + count):
            for name, values in answer.items():
                if name in self.arrays:
                    shape = (*(s.stop - s.start for s in box), *values.shape[1:])
                    self.arrays[name][box] = values[a - start : b - start].reshape(shape)

    def status(self) -> Any:
        """Return the status of all motions, in their order."""
        return np.asarray(self.arrays[STATUS]).reshape(-1)

    def last(self, start: int, stop: int, name: str, place: int) -> Array:
        """Return the last value of an entry of a variable, of some motions."""
        parts = [
            np.asarray(self.arrays[name][(*box, -1, place)]).reshape(-1)
            for _, _, box in boxes(self._shape, start, stop)
        ]
        return np.concatenate(parts)

    def note_columns(self, columns: Mapping[str, Array]) -> None:
        """Keep values of the plan that were not known before."""


class Store(Memory):
    """Results in a Zarr store, that xarray opens.

    Parameters
    ----------
    path : Path
    plan : Plan
    variables : sequence of Variable
    labelled : xarray.Dataset
        Labels, units and what made the motions, and the variables as if there were one motion.
    key : str
        Of all that results depend on.

    Raises
    ------
    BackendError
        If zarr is not installed.
    FileError
        If there is something else at the path.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        variables: Sequence[Variable],
        labelled: xr.Dataset,
        key: str,
    ) -> None:
        self._shape, self.path, self._variables = plan.shape, path, tuple(variables)
        zarr = _zarr()
        self.is_new = not path.exists()
        if self.is_new:
            self._made(zarr, plan, labelled, key)
        self._group = _opened(zarr, path, key)
        self.arrays = {name: self._group[name] for name in self._names()}

    def _names(self) -> Iterator[str]:
        yield from (one.name for one in self._variables)
        yield STATUS

    def _made(self, zarr: Any, plan: Plan, labelled: xr.Dataset, key: str) -> None:
        """Write a store without motions under another name, and give it its own then."""
        temporary = self.path.with_name(f".{self.path.name}.new")
        # format 3 has no settled way to write labels
        variables = [one.name for one in self._variables]
        units = {name: dict(labelled[name].attrs) for name in variables}
        labelled.drop_vars(variables).to_zarr(
            temporary, mode="w", zarr_format=2, consolidated=False
        )
        group = zarr.open_group(temporary, mode="r+", use_consolidated=False)
        sizes = [8 * prod(one.shape) for one in self._variables]
        chunk = box_shape(plan.shape, int(max(1, min(FILES, CHUNK / max(sizes)))))
        for one in (*self._variables, Variable(STATUS, (), ())):
            kind: Any = {"dtype": "f8", "fill_value": np.nan}
            if one.name == STATUS:
                kind = {"dtype": "i1", "fill_value": None}  # else xarray makes numbers of it
            group.create_array(
                one.name,
                shape=(*plan.shape, *one.shape),
                chunks=(*chunk, *one.shape),
                attributes={
                    "_ARRAY_DIMENSIONS": [*plan.axes, *one.dims],
                    **units.get(one.name, {}),
                },
                **kind,
            )
        group[STATUS][...] = np.full(plan.shape, MISSING, np.int8)
        group[STATUS].attrs["flag_values"] = list(range(4))
        group[STATUS].attrs["flag_meanings"] = MEANINGS
        group.attrs["key"] = key
        zarr.consolidate_metadata(temporary)
        temporary.rename(self.path)

    def note_columns(self, columns: Mapping[str, Array]) -> None:
        """Keep values of the plan that were not known before."""
        for name, values in columns.items():
            self._group[name][:] = values

    def note(self, statistics: Mapping[str, Any], provenance: Mapping[str, Any]) -> None:
        """Write how it went, and what made it."""
        self._group.attrs.update({**statistics, "provenance": json.dumps(dict(provenance))})
        _zarr().consolidate_metadata(self.path)

    def dataset(self) -> xr.Dataset:
        """Return what is there, read when it is looked at."""
        import xarray as xr

        return xr.open_zarr(self.path, chunks=None)


def _zarr() -> Any:
    try:
        import zarr
    except ModuleNotFoundError as error:
        message = f'zarr is not installed ({error}): pip install "freebody[dask]"'
        raise BackendError(message) from None
    return zarr


def _opened(zarr: Any, path: Path, key: str) -> Any:
    """Return a store that is there.

    Raises
    ------
    FileError
        If it is none, or one of other motions.
    """
    try:
        group = zarr.open_group(path, mode="r+", use_consolidated=False)
    except (FileNotFoundError, ValueError, OSError):
        raise FileError(path, "is no Zarr store: expected a name that is free") from None
    if group.attrs.get("key") != key:
        raise FileError(
            path, "holds other motions: expected a name that is free, or the same command again"
        )
    return group
