"""What muscles did: labelled arrays over time, and what there is to know of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.errors import MuscleError
from freebody.files import RESULTS, expect_ending, whole

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Recorded:
    """Arrays over time.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time`` in s; the unit of an array is in its attributes, or along its last axis.
    notes : tuple of str
        What there is to know.
    """

    data: xr.Dataset
    notes: tuple[str, ...]

    def write(self, path: str | Path) -> None:
        """Write the arrays to a ``.csv`` or netCDF ``.nc`` file.

        Raises
        ------
        MuscleError
            If the ending is another.
        FileError
            If the file cannot be written; nothing is half-written then.
        """
        path = Path(path)
        expect_ending(path, RESULTS, MuscleError)
        with whole(path) as temporary:
            if path.suffix == ".nc":
                data = self.data.assign_attrs(notes="\n".join(self.notes))
                data.to_netcdf(temporary, engine="scipy")
            else:
                self.table().to_csv(temporary, index=False)

    def table(self) -> Any:
        """Return a pandas DataFrame with a column for each entry, its unit behind its name.

        Coordinates have their own names, all else one with a dot: ``tension.biceps [N]``.
        """
        import pandas as pd

        columns = {"time [s]": self.data["time"].to_numpy()}
        for name in self.data.data_vars:
            columns |= dict(self._columns(str(name)))
        return pd.DataFrame(columns)

    def _columns(self, name: str) -> Iterator[tuple[str, Any]]:
        variable = self.data[name].transpose("time", ...)
        units = variable.attrs.get("unit")
        for place in np.ndindex(variable.shape[1:]):
            entry = variable[(slice(None), *place)]
            labels = [str(entry[dim].item()) for dim in variable.dims[1:]]
            head = ".".join(labels if name == "coordinates" else [name, *labels])
            known = [str(entry[label].item()) for label in entry.coords if "unit" in str(label)]
            unit = units or "*".join(known)
            yield (f"{head} [{unit}]" if unit not in ("", "1") else head), entry.to_numpy()
