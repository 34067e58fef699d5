"""Motions from files: CSV, and OpenSim's .mot and .sto."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MotionError, Problem, nearest
from freebody.files import note_input
from freebody.mechanics.mechanism import AnyModel
from freebody.model.files import model_of
from freebody.motion.checks import (
    MAX_PROBLEMS,
    UNKNOWN,
    expect_rows,
    expect_times,
    expect_whole,
    runs,
    si,
    unevenness,
    unrounded,
)
from freebody.motion.motion import DERIVATIVES, Motion, motion_dataset
from freebody.results import Result

if TYPE_CHECKING:
    import xarray as xr

    from freebody.model.schema import Model

FORMATS = (".csv", ".mot", ".sto", ".nc")
HEAD = re.compile(r"\s*(?P<name>.*?)\s*(?:\[(?P<unit>[^\]]*)\]|\((?P<other>[^)]*)\))?\s*")
UNEQUAL = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
"""How pandas tells a row with more cells than those before."""
MAX_HEADER = 1000
"""Most lines that may stand before the columns of an OpenSim file."""


AnyMotion = Motion | Result | str | Path
"""What functions take for a motion: itself, a result that has one, or a file."""


@dataclass(frozen=True)
class RecordedTable:
    """The columns of a file.

    Attributes
    ----------
    source : str
    columns : mapping of str to Array
        By name, as numbers; what is empty is not a number.
    units : mapping of str to str
        As the file says them, or empty.
    first : int
        The line of the file that the first row stands in.
    row : str
        What a row of the file is: a line, or a sample.
    rates : mapping of str to tuple of array
        Speed and acceleration of coordinates, where a result has worked them out.
    angles : str
        The unit of the angles without one, where the file says that: ``deg`` or ``rad``.
    """

    source: str
    columns: Mapping[str, Array]
    units: Mapping[str, str]
    first: int
    angles: str = UNKNOWN
    row: str = "line"
    rates: Mapping[str, tuple[Array, Array]] = field(default_factory=dict)

    def place(self, index: int) -> str:
        """Return where a row stands in the file."""
        return f"{self.row} {self.first + index}"

    def called(self, names: Mapping[str, str]) -> RecordedTable:
        """Return the table with columns called otherwise, each with its unit behind it, if any.

        Where none is called ``time``, a column ``t`` or ``Time`` is that.

        Raises
        ------
        MotionError
            If there is no such column, it is in another unit, or two have one name.
        """
        names = {
            name if name in self.columns else _head(name)[0]: what for name, what in names.items()
        }
        problems = [_no_column(name, self.columns) for name in names if name not in self.columns]
        heads = {name: _head(names.get(name, name)) for name in self.columns}
        problems += [
            Problem(name, f"expected {unit}, found '{self.units[name]}' in the file")
            for name, (_, unit) in heads.items()
            if unit and self.units[name] not in ("", unit)
        ]
        if problems:
            raise MotionError(self.source, problems)
        new = {name: head for name, (head, _) in heads.items()}
        alike = [name for name in new.values() if name == "t" or name.lower() == "time"]
        if "time" not in alike and len(alike) == 1:
            new = {name: "time" if head in alike else head for name, head in new.items()}
        _expect_distinct([*new.values()], self.source)
        return replace(
            self,
            columns={new[name]: values for name, values in self.columns.items()},
            units={new[name]: unit or self.units[name] for name, (_, unit) in heads.items()},
            rates={new[name]: rates for name, rates in self.rates.items()},
        )


@checked
def read_motion(
    path: str | Path,
    model: AnyModel | None = None,
    *,
    columns: Iterable[str] | Mapping[str, str] | None = None,
    fill: float = 0.0,
) -> Motion:
    """Read a motion from a CSV file, or OpenSim's .mot or .sto.

    Parameters
    ----------
    path : str or Path
        A column ``time`` in s, and one for each coordinate. A unit stands behind a name, as in
        ``elbow [deg]``; what has none is in the unit of the model's coordinate, in an OpenSim file
        ``inDegrees`` with its angles in degrees.
    model : Model, Mechanism, str or Path, optional
        Whose coordinates, and no others, the motion must have; what a simulation of it writes
        beside them is left out.
    columns : iterable of str, or mapping of str to str, optional
        The columns to read, and what each is called in the motion, maybe with its unit:
        ``{"t": "time [ms]", "angle": "elbow [deg]"}``; all if not given.
    fill : float, optional
        The longest gap in s that is filled, by cubic splines; a longer one is an error.

    Returns
    -------
    Motion

    Raises
    ------
    MotionError
        With all that is wrong with the file, by column and line.
    """
    if not fill >= 0:
        raise _error(str(path), "fill", f"expected a duration in s, found {fill:g}")
    table, model = read_table(Path(path)), None if model is None else model_of(model)
    table = table.called(columns if isinstance(columns, Mapping) else {})
    if isinstance(columns, Mapping):
        columns = [name for name, _ in map(_head, columns.values()) if name != "time"] or None
    names = _chosen(table, columns, model)
    times = _times(table)
    values = np.column_stack([table.columns[name] for name in names])
    expect_times(times, table.source, table.place)
    times, rounded = unrounded(times)
    values, filled = _filled(times, values, fill)
    expect_whole(values, names, table.source, table.place, times)
    units = [_unit(table, name) for name in names]
    arrays = {"coordinates": values * np.array([factor for _, factor in units])}
    choices = _choices(table, rounded or unevenness(times, table.place), filled, fill)
    if {*names} <= table.rates.keys() and not filled:
        rates = np.stack([table.rates[name] for name in names], axis=-1)
        arrays |= dict(zip(DERIVATIVES, rates, strict=True))
        choices["derivatives"] = "exact, of the file"
    data = motion_dataset(times, names, [unit for unit, _ in units], **arrays)
    motion = Motion(data, table.source, choices)
    return motion if model is None else motion.for_model(model)


def motion_of(motion: AnyMotion, model: AnyModel) -> Motion:
    """Return the motion of a model: one as it is, that of a result, or of a file.

    Of a result that has them, and of a model whose speeds are the rates of its coordinates, speeds
    and accelerations are taken over.

    Raises
    ------
    MotionError
        If it is not one of the model, cannot be read, or a result has not one motion.
    """
    if isinstance(motion, str | Path):
        return read_motion(motion, model)
    return (_moved(motion) if isinstance(motion, Result) else motion).for_model(model)


def _moved(result: Result) -> Motion:
    """Return the motion that a result is of."""
    model, kind = result.mechanism.model, type(result).__name__
    dims = result.data["coordinates"].dims if "coordinates" in result.data else ()
    if set(dims) != {"time", "coordinate"}:
        message = f"expected one motion over time, found a {kind}"
        raise _error(
            model.title, "", message + (f" over {', '.join(map(str, dims))}" if dims else "")
        )
    exact = "accelerations" in result.data and not model.speeds
    names = ("coordinates", "speeds", "accelerations") if exact else ("coordinates",)
    arrays = {name: result.data[name].transpose("time", ...).to_numpy() for name in names}
    units = [entry.unit for entry in model.coordinates.values()]
    data = motion_dataset(result.data["time"].to_numpy(), list(model.coordinates), units, **arrays)
    choices = {"derivatives": f"exact, of the {kind}"} if exact else {}
    return Motion(data, f"a {kind} of '{model.title}'", choices)


def read_table(path: Path) -> RecordedTable:
    """Read the columns of a CSV file, of OpenSim's .mot or .sto, or of a result in a .nc file.

    Raises
    ------
    MotionError
        If it cannot be read, with each cell that is no number.
    """
    source, ending = str(path), path.suffix.lower()
    if ending not in FORMATS:
        message = f"expected a name that ends in {', '.join(FORMATS)}, found '{path.suffix}'"
        raise _error(source, "", message + nearest(ending, FORMATS))
    note_input(path)
    try:
        if ending == ".nc":
            return _result(path)
        header = {} if ending == ".csv" else _opensim_header(path)
        return _parsed(path, header)
    except UnicodeDecodeError:
        raise _error(source, _undecoded(path), "cannot be read: it is not UTF-8 text") from None
    except OSError as error:
        raise _error(source, "", f"cannot be read: {error.strerror or error}") from None


def _result(path: Path) -> RecordedTable:
    """Return the coordinates and inputs of a simulation or of inverse dynamics, and the speeds."""
    import xarray as xr  # slow to import

    try:
        with xr.open_dataset(path, engine="scipy") as file:
            data = file.load()
    except (TypeError, ValueError):
        raise _error(str(path), "", "expected a result in a netCDF file, found none") from None
    if not {"time", "coordinates"} <= data.variables.keys():
        raise _error(str(path), "", "expected coordinates over time, found none")
    columns, units = {"time": data["time"].to_numpy()}, {"time": "s"}
    for kind, along in (("coordinates", "coordinate"), ("inputs", "input"), ("speeds", "speed")):
        if kind in data:
            labels = (data[name].to_numpy().astype(str) for name in (along, f"{along}_unit"))
            entries = data[kind].transpose(along, "time").to_numpy()
            for name, unit, values in zip(*labels, entries, strict=True):
                columns[str(name)], units[str(name)] = values, str(unit)
    return RecordedTable(str(path), columns, units, 1, row="sample", rates=_rates(data))


def _rates(data: xr.Dataset) -> dict[str, tuple[Array, Array]]:
    """Return speeds and accelerations of the coordinates of a result whose speeds are rates."""
    if not {"speeds", "accelerations"} <= data.variables.keys():
        return {}
    names, speeds = (data[along].to_numpy().astype(str) for along in ("coordinate", "speed"))
    if list(speeds) != [f"{name}_dot" for name in names]:
        return {}
    arrays = (data[kind].transpose("speed", "time").to_numpy() for kind in DERIVATIVES)
    return dict(zip(map(str, names), zip(*arrays, strict=True), strict=True))


def _undecoded(path: Path) -> str:
    """Return the first line of a file that is not UTF-8 text."""
    lines = path.read_bytes().splitlines()
    return next(
        f"line {number}"
        for number, line in enumerate(lines, start=1)
        if b"\xef\xbf\xbd" in line.decode("utf-8", "replace").encode()
    )


def _opensim_header(path: Path) -> dict[str, str]:
    """Return what an OpenSim file says before its columns, and how many lines that takes."""
    header: dict[str, str] = {}
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(islice(lines, MAX_HEADER), start=1):
            name, equals, value = line.partition("=")
            if equals:
                header[name.strip().lower()] = value.strip()
            if line.strip().lower() == "endheader":
                return {**header, "lines": str(number)}
    raise _error(str(path), "", "expected a line 'endheader' before the columns, found none")


def _parsed(path: Path, header: Mapping[str, str]) -> RecordedTable:
    import pandas as pd

    skipped = int(header.get("lines", 0))
    try:
        cells = list(_rows(path, header, skipped, str, nrows=1).iloc[0])
        _expect_named(cells, skipped + 1, str(path))
        heads = [_head(str(cell)) for cell in cells]
        _expect_distinct([name for name, _ in heads], str(path))
        _expect_commas(heads[0][0], len(heads), str(path))
        try:
            frame = _rows(path, header, skipped + 1, float)
        except ValueError:  # some cell is no number, to be found and told
            frame = _rows(path, header, skipped + 1, object)
    except pd.errors.EmptyDataError:
        raise _error(str(path), "", "no table: there are no rows") from None
    except pd.errors.ParserError as error:
        raise _error(str(path), *_unequal(str(error))) from None
    names, first = [name for name, _ in heads], skipped + 2
    _expect_as_many(frame, names, skipped + 1, str(path))
    rows = frame.iloc[: _last(frame)]
    expect_rows(len(rows), header.get("nrows", ""), "nRows", str(path))
    columns = dict(_numbers(rows, names, str(path), first))
    degrees = header.get("indegrees", "").lower()
    angles = {"yes": "deg", "no": "rad"}.get(degrees, UNKNOWN)
    return RecordedTable(str(path), columns, dict(heads), first, angles)


def _rows(
    path: Path, header: Mapping[str, str], skipped: int, kind: type, nrows: int | None = None
) -> Any:
    """Return the rows of a table after some lines, as pandas reads them."""
    import pandas as pd

    how: dict[str, Any] = {"sep": r"\s+"} if header else {"sep": ","}
    # skipping blank lines would shift the lines that errors tell
    return pd.read_csv(
        path,
        skiprows=skipped,
        header=None,
        nrows=nrows,
        dtype=kind,
        encoding="utf-8-sig",
        skip_blank_lines=bool(header),
        **how,
    )


def _unequal(message: str) -> tuple[str, str]:
    """Return where a row is longer than those before, and what was expected, as pandas tells it."""
    match = UNEQUAL.search(message)
    if match is None:
        return "", f"no table: {message.splitlines()[0]}"
    expected, line, cells = match.groups()
    return f"line {line}", f"expected {expected} cells, as in the lines before, found {cells}"


def _expect_commas(first: str, count: int, source: str) -> None:
    for mark, what in ((";", "semicolons"), ("\t", "tabs")):
        if count == 1 and mark in first:
            raise _error(source, "", f"expected commas between the columns, found {what}")


def _expect_named(cells: list[Any], line: int, source: str) -> None:
    """Refuse columns without a name, such as a comma at the end of each line makes."""
    nameless = [number for number, cell in enumerate(cells, start=1) if not isinstance(cell, str)]
    if nameless:
        message = "expected a name, found none"
        problems = [Problem(f"line {line}, column {number}", message) for number in nameless]
        raise MotionError(source, problems[:MAX_PROBLEMS])


def _expect_as_many(frame: Any, names: list[str], line: int, source: str) -> None:
    if frame.shape[1] != len(names):
        message = (
            f"expected the names of {frame.shape[1]} columns, as many as the rows have cells, "
            f"found {len(names)}: {', '.join(names)[:80]}"
        )
        raise _error(source, f"line {line}", message)


def _last(frame: Any) -> int:
    """Return how many rows there are before the blank ones at the end."""
    known = np.flatnonzero(frame.notna().any(axis=1).to_numpy())
    return int(known[-1]) + 1 if known.size else 0


def _head(text: str) -> tuple[str, str]:
    """Return the name and the unit in the head of a column.

    Examples
    --------
    >>> _head(" elbow [deg] ")
    ('elbow', 'deg')
    """
    match = HEAD.fullmatch(text)
    if match is None or not match["name"]:
        return text.strip(), UNKNOWN
    return match["name"], (match["unit"] or match["other"] or UNKNOWN).strip()


def _expect_distinct(names: list[str], source: str) -> None:
    twice = dict.fromkeys(name for name in names if names.count(name) > 1)
    if twice:
        raise MotionError(source, [Problem(name, "is the name of two columns") for name in twice])


def _numbers(frame: Any, names: list[str], source: str, first: int) -> Iterator[tuple[str, Array]]:
    """Iterate over the columns as numbers; refuse what is none."""
    import pandas as pd

    problems: list[Problem] = []
    for index, name in enumerate(names):
        column = frame.iloc[:, index]
        numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
        for row in np.flatnonzero(~np.isfinite(numbers) & column.notna().to_numpy()):
            cell = str(column.iloc[row]).strip()
            if cell and cell.lower() not in ("nan", "na"):
                message = f"expected a number, found '{cell[:40]}'"
                problems.append(Problem(f"line {first + int(row)}, {name}", message))
        yield name, numbers
    if problems:
        raise MotionError(source, problems[:MAX_PROBLEMS])


def _chosen(table: RecordedTable, columns: Iterable[str] | None, model: Model | None) -> list[str]:
    """Return the columns to be read."""
    known = [name for name in table.columns if name != "time"]
    if columns is None:
        columns = known if model is None else _without_results(known, model)
    wanted = list(dict.fromkeys(columns))
    problems = [_no_column(name, known) for name in wanted if name not in known]
    if "time" not in table.columns:
        found = f"; found {', '.join(known)[:80]}; another is taken by columns={{'NAME': 'time'}}"
        message = "there is no such column" + (nearest("time", known) or found)
        problems.insert(0, Problem("time", f"{message} (--column NAME=time)"))
    if not wanted:
        problems.append(Problem("", "expected a column for a coordinate, found none"))
    if problems:
        raise MotionError(table.source, problems)
    return wanted


def _no_column(name: str, known: Iterable[str]) -> Problem:
    return Problem(name, f"there is no such column{nearest(name, known)}")


def _without_results(names: list[str], model: Model) -> list[str]:
    """Return the names that are not what a result of the model has beside coordinates."""
    rates = (f"{name}_{order}" for name in model.coordinates for order in ("dot", "ddot"))
    speeds = (name for speed in model.speeds for name in (speed, f"{speed}_dot"))
    others = {*rates, *speeds, *model.inputs, "trusted"}
    return [name for name in names if name not in others and "." not in name]


def _times(table: RecordedTable) -> Array:
    _, factor = si(table.units["time"] or "s", "time", table.source)
    return table.columns["time"] * factor


def _unit(table: RecordedTable, name: str) -> tuple[str, float]:
    """Return the unit in which a column is kept, and what to multiply it by."""
    unit = table.units[name]
    return si(unit, name, table.source) if unit else (UNKNOWN, 1.0)


def _filled(times: Array, values: Array, longest: float) -> tuple[Array, int]:
    """Return samples with their short gaps filled, and how many were."""
    filled, count = values.copy(), 0
    for column in filled.T:
        for first, length in runs(np.isnan(column)):
            inside = first > 0 and first + length < len(times)
            if inside and times[first + length] - times[first - 1] <= longest:
                count += _bridge(times, column, first, length)
    return filled, count


def _bridge(times: Array, column: Array, first: int, length: int) -> int:
    """Fill one gap by a cubic spline through the samples about it."""
    from scipy.interpolate import CubicSpline

    about = np.arange(max(0, first - 3), min(len(column), first + length + 3))
    known = about[np.isfinite(column[about])]
    gap = slice(first, first + length)
    column[gap] = CubicSpline(times[known], column[known])(times[gap])
    return length


def _choices(table: RecordedTable, times: str, filled: int, longest: float) -> dict[str, Any]:
    choices: dict[str, Any] = {"times": times} if times else {}
    if table.angles:
        choices["angles"] = table.angles
    if filled:
        choices["filled"] = f"{filled} samples in gaps of at most {longest:g} s, by cubic splines"
    return choices


def _error(source: str, where: str, message: str) -> MotionError:
    return MotionError(source, [Problem(where, message)])
