"""Markers: positions of points over time, from .trc and .c3d files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array, Series, Vectors
from freebody.errors import MotionError, Problem, nearest
from freebody.files import note_input
from freebody.mechanics.parts import AXES
from freebody.motion.c3d import read_c3d
from freebody.motion.checks import (
    axes_of,
    even_step,
    expect_columns,
    expect_rows,
    expect_times,
    runs,
    sample_name,
    si,
    unrounded,
)
from freebody.motion.filtering import filtered

if TYPE_CHECKING:
    import xarray as xr

FORMATS = (".trc", ".c3d")
OFF, ROUNDED = 0.01, 0.02
"""By what part, or how many s, a recording may last longer or shorter than its rate says."""
HEADER = 5
"""Lines of a .trc file before its first row."""


@dataclass(frozen=True)
class Markers:
    """Positions of points over time.

    Attributes
    ----------
    data : xarray.Dataset
        ``position`` in m over ``time`` in s, ``marker`` and ``axis``; not a number where a marker
        was not seen.
    source : str
        The file, or what stands for it.
    """

    data: xr.Dataset
    source: str = "markers"

    @classmethod
    @checked
    def of(
        cls, times: Series, positions: Mapping[str, Vectors], source: str = "markers"
    ) -> Markers:
        """Return the markers of arrays.

        Parameters
        ----------
        times : array_like, shape (time,)
            In s.
        positions : mapping of str to array_like, shape (time, 3)
            In m.
        source : str, optional
            What errors call them.

        Examples
        --------
        >>> markers = Markers.of([0, 1], {"wrist": [[0, 0, 0], [1, 0, 0]]})
        >>> markers.names
        ('wrist',)
        """
        import xarray as xr  # slow to import

        times = np.asarray(times, dtype=float)
        expect_times(times, source)
        expect_columns(times, positions, source)
        stacked = np.stack([np.asarray(part, dtype=float) for part in positions.values()], axis=1)
        data = xr.Dataset(
            {"position": (("time", "marker", "axis"), stacked, {"units": "m"})},
            coords={
                "time": ("time", times, {"units": "s"}),
                "marker": list(positions),
                "axis": list(AXES),
            },
        )
        return cls(data, source)

    @property
    def times(self) -> Array:
        """The times, in s."""
        return np.asarray(self.data["time"].to_numpy(), dtype=float)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the markers."""
        return tuple(map(str, self.data["marker"].to_numpy()))

    def positions(self) -> dict[str, Array]:
        """Return the positions of each marker, of shape (time, 3), in m."""
        values = self.data["position"].to_numpy()
        return {name: values[:, n] for n, name in enumerate(self.names)}

    def gaps(self) -> list[Problem]:
        """Return where each marker was not seen, and for how many samples."""
        return [
            Problem(f"{sample_name(first)}, {name}", f"is missing for {count} samples")
            for name, values in self.positions().items()
            for first, count in runs(np.isnan(values).any(axis=1))
        ]

    @checked
    def turned(self, x: str, y: str, z: str) -> Markers:
        """Return the markers in other axes, such as those of a model's ground.

        Parameters
        ----------
        x, y, z : str
            The axis of the file that each axis is: ``x``, ``-z``, ….

        Raises
        ------
        MotionError
            If they are not the three axes, or would reflect the body.

        Examples
        --------
        >>> markers = Markers.of([0, 1], {"wrist": [[1, 2, 3], [1, 2, 3]]})
        >>> markers.turned("x", "z", "-y").positions()["wrist"][0]
        array([ 1.,  3., -2.])
        """
        rows = axes_of(x, y, z, self.source)
        turned = {name: values @ rows.T for name, values in self.positions().items()}
        return Markers.of(self.times, turned, self.source)

    @checked
    def select(self, names: Iterable[str] | Mapping[str, str]) -> Markers:
        """Return some of the markers, under other names if a mapping gives these.

        Raises
        ------
        MotionError
            If there is none of a name.
        """
        wanted = dict(names) if isinstance(names, Mapping) else {name: name for name in names}
        wrong = [
            Problem(name, f"there is no such marker{nearest(name, self.names)}")
            for name in wanted
            if name not in self.names
        ]
        if wrong:
            raise MotionError(self.source, wrong)
        chosen = self.data.sel(marker=list(wanted)).assign_coords(marker=list(wanted.values()))
        return replace(self, data=chosen)

    @checked
    def filtered(self, cutoff: float) -> Markers:
        """Return the markers after a zero-lag low-pass filter; see `Motion.filtered`.

        Raises
        ------
        MotionError
            If one was not seen all the time, too.
        """
        if self.gaps():
            raise MotionError(self.source, self.gaps())
        rate = 1 / even_step(self.times, self.source)
        smooth = {
            name: np.column_stack([filtered(part, rate, cutoff, self.source) for part in values.T])
            for name, values in self.positions().items()
        }
        return Markers.of(self.times, smooth, self.source)


@checked
def read_markers(path: str | Path) -> Markers:
    """Read markers from a .trc or .c3d file.

    Parameters
    ----------
    path : str or Path
        The file, as its ending says.

    Returns
    -------
    Markers
        Their positions over (time, marker, axis) in m.

    Raises
    ------
    MotionError
        If it cannot be read, or what reads .c3d files is not installed.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in FORMATS:
        message = f"expected a name that ends in {' or '.join(FORMATS)}, found '{path.suffix}'"
        raise MotionError.whole(path, message + nearest(ending, FORMATS))
    if not path.is_file():
        raise MotionError.whole(path, "expected a file, found none")
    note_input(path)
    return _read_trc(path) if ending == ".trc" else _read_c3d(path)


def _read_trc(path: Path) -> Markers:
    """Read a file of tracked rows and columns: three lines of facts, two of names, then rows."""
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    if len(lines) < HEADER:
        message = f"expected {HEADER} lines before the rows, found {len(lines)}"
        raise MotionError.whole(path, message)
    facts = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    if "Units" not in facts:
        message = "is missing: expected the unit of the positions in lines 2 and 3"
        raise MotionError(str(path), [Problem("Units", message)])
    names = [name.strip() for name in lines[3].split("\t")[2:] if name.strip()]
    _, factor = si(facts["Units"], "Units", str(path))
    rows, numbers, problems = [], [], []
    for number, line in enumerate(lines[HEADER:], start=HEADER + 1):
        if line.strip():
            row = _row(line, len(names))
            rows.append(row)
            numbers.append(number)
            if row is None:
                message = f"expected {2 + 3 * len(names)} numbers, as many as line 4 has markers"
                problems.append(Problem(f"line {number}", message))
    if problems:
        raise MotionError(str(path), problems)
    expect_rows(len(rows), facts.get("NumFrames", ""), "NumFrames", str(path))
    table = np.array(rows, dtype=float).reshape(len(rows), 2 + 3 * len(names))
    expect_times(table[:, 1], str(path), lambda index: f"line {numbers[index]}")
    positions = table[:, 2:].reshape(len(table), -1, 3) * factor
    markers = _without_unseen(names, np.moveaxis(positions, 1, 0), str(path))
    rate = _rate(facts.get("DataRate", ""))
    _expect_rate(rate, table, str(path))
    times, _ = unrounded(table[:, 1], rate)
    return Markers.of(times, markers, str(path))


def _expect_rate(rate: float, table: Array, source: str) -> None:
    """Refuse a rate that is not that of the frames and times, rounding and lost frames aside."""
    frames, lasting = table[-1, :2] - table[0, :2]
    if rate > 0 and abs(lasting - frames / rate) > max(OFF * lasting, ROUNDED):
        message = f"expected {frames / lasting:.6g} Hz, as frames and times say, found {rate:g}"
        raise MotionError(source, [Problem("DataRate", message)])


def _rate(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _without_unseen(names: Sequence[str], positions: Array, source: str) -> dict[str, Array]:
    """Return the positions of the markers that were ever seen, by name."""
    markers: dict[str, Array] = {}
    for name, values in zip(names, positions, strict=True):
        if not np.isfinite(values).any():
            continue
        if name in markers:
            raise MotionError(source, [Problem(name, "is the name of two markers")])
        markers[name] = values
    if not markers:
        raise MotionError.whole(source, "expected a marker, found none that was seen")
    return markers


def _row(line: str, markers: int) -> list[float] | None:
    """Return the numbers of a row, missing ones at its end and empty ones not being numbers."""
    cells = [cell.strip() for cell in line.split("\t")]
    while len(cells) > 2 + 3 * markers and not cells[-1]:
        cells.pop()
    cells += [""] * (2 + 3 * markers - len(cells))
    try:
        row = [float(cell) if cell else np.nan for cell in cells]
    except ValueError:
        return None
    return row if len(row) == 2 + 3 * markers else None


def _read_c3d(path: Path) -> Markers:
    found = read_c3d(path)
    values = np.moveaxis(found["points"], 0, -1)  # (marker, time, axis)
    _, factor = si(str(found["unit"]), "POINT.UNITS", str(path))
    times = (float(found["first"]) + np.arange(values.shape[1])) / float(found["rate"])
    labels = list(map(str, found["labels"]))
    markers = _without_unseen(labels, values[: len(labels)] * factor, str(path))
    return Markers.of(times, markers, str(path))
