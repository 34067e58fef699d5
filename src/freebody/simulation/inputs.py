"""Inputs that are known at some times: samples, and the splines through them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import MotionError, Problem, SimulationError, nearest
from freebody.model.names import speed_names
from freebody.motion.checks import expect_times, expect_whole, si
from freebody.motion.motion import Motion
from freebody.motion.reading import RecordedTable, motion_of, read_table
from freebody.results import Result

if TYPE_CHECKING:
    import xarray as xr

    from freebody.model.schema import Model


AnyInputs = Result | Mapping[str, Any] | str | Path
"""Inputs by name, or a result or a file that has them over time."""
AnyInitial = Motion | Result | Mapping[str, str | float] | str | Path
"""Initial values by name, or a motion that begins with them."""
DEGREE = 5
OUTSIDE = 1e-9
"""By how much a time may lie outside of the samples, in s: the rounding of their times."""


@dataclass(frozen=True)
class SampledInput:
    """A quantity at some times, and between them by a quintic spline.

    A spline of degree 5 has four derivatives, which integrators of high order ask for, and keeps
    what was found from positions at 1 kHz to the last digits.

    Attributes
    ----------
    name : str
    times, values : array, shape (time,)

    Examples
    --------
    >>> t = np.linspace(0, 1, 11)
    >>> float(SampledInput.of("T1", (t, t**3))(0.55).round(9))
    0.166375
    """

    name: str
    times: Array
    values: Array

    @classmethod
    def of(cls, name: str, given: xr.DataArray | tuple[Any, Any] | SampledInput) -> SampledInput:
        """Return the samples of an array over time, or of a pair of times and values.

        Parameters
        ----------
        name : str
            Of the input.
        value : object
            What `is_sampled`: an array over ``time``, or times and values.

        Raises
        ------
        SimulationError
            If they are no numbers over time, a sample is missing, or times are not in order.
        """
        if isinstance(given, SampledInput):
            return cls(name, given.times, given.values)
        times, values = _parts(name, given)
        source = f"input '{name}'"
        try:
            expect_times(times, source)
            expect_whole(values[:, None], [name], source)
        except MotionError as error:
            raise SimulationError(str(error)) from None
        return cls(name, times, values)

    def __str__(self) -> str:
        first, last = self.times[[0, -1]]
        return f"{len(self.times)} samples from {first:g} to {last:g} s, by a quintic spline"

    def __call__(self, times: Any) -> Array:
        """Return the values at some times.

        Raises
        ------
        SimulationError
            If a time lies before the first sample or after the last.
        """
        times = np.asarray(times, dtype=float)
        if times.size:
            self.expect_covers(float(times.min()), float(times.max()))
        if len(times.shape) and np.array_equal(times, self.times):
            return self.values
        return np.asarray(self.spline(times), dtype=float)

    def later(self, delay: float) -> SampledInput:
        """Return the same at times that are later by so many s."""
        return SampledInput(self.name, self.times + delay, self.values)

    @cached_property
    def spline(self) -> Any:
        """The spline, as scipy has it."""
        from scipy.interpolate import make_interp_spline  # slow to import

        return make_interp_spline(self.times, self.values, k=_degree(len(self.times)))

    def expect_covers(self, start: float, end: float) -> None:
        """Refuse times outside of the samples.

        Raises
        ------
        SimulationError
            With what is known.
        """
        first, last = float(self.times[0]), float(self.times[-1])
        if start < first - OUTSIDE or end > last + OUTSIDE:
            raise SimulationError(
                f"input '{self.name}' is known from {first:g} to {last:g} s; expected it from "
                f"{start:g} to {end:g} s"
            )


class SampledInputs:
    """Several sampled inputs at once.

    Parameters
    ----------
    sampled : mapping of str to SampledInput

    Attributes
    ----------
    knots : array, shape (p + 1,)
        Where the polynomials of a spline meet.
    pieces : array, shape (p, k, 6)
        The polynomials from each knot on, in the time since, the highest power first.

    Examples
    --------
    >>> t = np.linspace(0, 1, 11)
    >>> samples = SampledInputs({"T1": SampledInput("T1", t, t), "T2": SampledInput("T2", t, t**2)})
    >>> samples(0.5).round(9).tolist()
    [0.5, 0.25]
    """

    def __init__(self, sampled: Mapping[str, SampledInput]) -> None:
        self._sampled = tuple(sampled.values())
        knots = [part.spline.t for part in self._sampled]
        self.knots: Array = np.unique(np.concatenate(knots)) if knots else np.zeros(0)
        starts = self.knots[:-1]
        self.pieces = self._polynomials(starts) if knots else np.zeros((0, 0, DEGREE + 1))
        # Horner's rule on plain numbers is quicker than a call of scipy for one time
        self._plain, self._starts = self.pieces.tolist(), starts.tolist()

    def __len__(self) -> int:
        return len(self._sampled)

    def __call__(self, t: float) -> Array:
        """Return the values at a time, shape (k,); outside of the samples the splines go on."""
        number = max(0, bisect_right(self._starts, t) - 1)
        later = t - self._starts[number]
        values = np.empty(len(self._sampled))
        for place, (first, *others) in enumerate(self._plain[number]):
            total = first
            for part in others:
                total = total * later + part
            values[place] = total
        return values

    def along(self, times: Array) -> Array:
        """Return the values at some times, shape (time, k).

        Parameters
        ----------
        times : array, shape (times,)
            In s.

        Returns
        -------
        array, shape (times, inputs)
        """
        return np.column_stack([part.spline(times) for part in self._sampled])

    def _polynomials(self, starts: Array) -> Array:
        """Return the polynomials from each knot on."""
        coefficients = np.empty((len(starts), len(self._sampled), DEGREE + 1))
        for number, part in enumerate(self._sampled):
            for power in range(DEGREE + 1):
                slopes = part.spline(starts, nu=power) if power <= part.spline.k else 0.0
                coefficients[:, number, DEGREE - power] = slopes / factorial(power)
        return coefficients

    def expect_cover(self, start: float, end: float) -> None:
        """Refuse times outside of the samples.

        Raises
        ------
        SimulationError
            With what is known.
        """
        for part in self._sampled:
            part.expect_covers(start, end)


def is_sampled(value: Any) -> bool:
    """Return whether a value of an input is one over time."""
    return isinstance(value, SampledInput | tuple | list) or hasattr(value, "dims")


def read_inputs(
    path: str | Path, names: Mapping[str, Any], called: Mapping[str, str] | None = None
) -> dict[str, SampledInput]:
    """Read inputs from a file that holds the time and a column for each.

    Parameters
    ----------
    path : Path
        CSV, or OpenSim's .mot or .sto. Columns of other names are left out.
    names : mapping of str
        Of the inputs of a model.
    called : mapping of str to str, optional
        What columns of other names are called.

    Raises
    ------
    MotionError
        If the file cannot be read, holds none of the inputs or no time, lacks a sample, or an
        input is in another unit than the model's.
    """
    table = read_table(Path(path)).called(called or {})
    columns = {name: values for name, values in table.columns.items() if name in names}
    problems = [] if "time" in table.columns else [Problem("time", "there is no such column")]
    if not columns:
        problems.append(
            Problem("", f"expected a column for an input ({', '.join(names)}), found none")
        )
    problems += _other_units(table, {name: names[name].unit for name in columns})
    if problems:
        raise MotionError(table.source, problems)
    times = table.columns["time"] * si(table.units["time"] or "s", "time", table.source)[1]
    expect_times(times, table.source, table.place)
    expect_whole(np.column_stack([*columns.values()]), [*columns], table.source, table.place)
    return {name: SampledInput.of(name, (times, values)) for name, values in columns.items()}


def _other_units(table: RecordedTable, wanted: Mapping[str, str]) -> Iterator[Problem]:
    """Iterate over the columns that are in another unit than the model's inputs."""
    for name, unit in wanted.items():
        if (found_unit := table.units[name]) not in ("", unit):
            yield Problem(name, f"expected {unit}, as in the model, found '{found_unit}'")


def split_inputs(inputs: Mapping[str, Any]) -> tuple[dict[str, SampledInput], dict[str, Any]]:
    """Return the inputs that are known over time, and the others.

    Returns
    -------
    sampled : dict of str to SampledInput
        Those that are known over time.
    laws : dict of str to value
        All others.
    """
    over_time: dict[str, Any] = {name: one for name, one in inputs.items() if is_sampled(one)}
    sampled = {name: SampledInput.of(name, one) for name, one in over_time.items()}
    return sampled, {name: one for name, one in inputs.items() if name not in sampled}


def inputs_of(
    given: AnyInputs | None,
    model: Model,
    *,
    driving: bool = True,
    called: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any], list[str]]:
    """Return inputs by name, and what there is to know of them.

    Those of a result or of a file that drive a motion begin at the time zero.

    Raises
    ------
    MotionError
        If a file cannot be read, or has none of the inputs.
    SimulationError
        If a result has none.
    """
    if given is None or isinstance(given, Mapping):
        return dict(given or {}), []
    if isinstance(given, Result):
        sampled, source = known_inputs(given), f"the {type(given).__name__}"
        if not sampled:
            raise SimulationError(f"inputs: expected some that are known over time, found {source}")
    else:
        sampled, source = read_inputs(given, model.inputs, called), str(given)
    if not driving:
        return {**sampled}, []
    first = min(float(one.times[0]) for one in sampled.values())
    notes = [f"time 0 is {first:g} s of {source}"] if first else []
    if rest := [name for name in model.inputs if name not in sampled]:
        notes.append(f"not in {source}, and as in the model: {', '.join(rest)}")
    return {name: one.later(-first) for name, one in sampled.items()}, notes


def known_inputs(result: Result) -> dict[str, SampledInput]:
    """Return the inputs that a result knows all the time."""
    if "inputs" not in result.data or result.data["inputs"].dims != ("time", "input"):
        return {}
    times, columns = result.data["time"].to_numpy(), result.data["inputs"].to_numpy().T
    pairs = zip(map(str, result.data["input"].to_numpy()), columns, strict=True)
    return {name: SampledInput(name, times, of) for name, of in pairs if np.isfinite(of).all()}


def initial_of(given: AnyInitial | None, model: Model) -> dict[str, Any]:
    """Return initial coordinates and speeds by name: those given, or the first of a motion.

    Raises
    ------
    MotionError
        If a file cannot be read, or a motion is not one of the model.
    """
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    if isinstance(given, str | Path):
        return _read_start(given, model)
    if isinstance(given, Result) and "speeds" in given.data:
        first, parts = given.data.isel(time=0), ("coordinate", "speed")
        return {
            str(name): float(value)
            for part in parts
            for name, value in zip(first[part].data, first[f"{part}s"].data, strict=True)
        }
    q, rates = (part[0].tolist() for part in motion_of(given, model).samples(model)[1:3])
    names = [*model.coordinates, *(f"{name}_dot" for name in model.coordinates)]
    return dict(zip(names, [*q, *rates], strict=True))


def _read_start(path: str | Path, model: Model) -> dict[str, float]:
    """Return the coordinates and speeds in the first row of a file."""
    table = read_table(Path(path))
    names = [name for name in (*model.coordinates, *speed_names(model)) if name in table.columns]
    start = {name: float(table.columns[name][0]) * _factor(table, name) for name in names}
    missing = [name for name in model.coordinates if name not in start]
    if missing:
        message = "there is no such column"
        known = list(table.columns)
        problems = [Problem(name, message + nearest(name, known)) for name in missing]
        raise MotionError(table.source, problems)
    return start


def _factor(table: RecordedTable, column: str) -> float:
    """Return what to multiply a coordinate or a speed by to have it in SI units."""
    unit = table.units[column].removesuffix("/s")
    return si(unit, column, table.source)[1] if unit else 1.0


def _degree(count: int) -> int:
    """Return the degree of the spline through so many samples."""
    return max(degree for degree in (1, 3, DEGREE) if degree < count or degree == 1)


def _parts(name: str, given: Any) -> tuple[Array, Array]:
    """Return times and values."""
    try:
        if hasattr(given, "dims"):
            if given.dims != ("time",):
                raise _unfit(name, f"an array over {', '.join(map(str, given.dims)) or 'nothing'}")
            given = given["time"].to_numpy(), given.to_numpy()
        times, values = (np.asarray(part, dtype=float) for part in given)
    except (KeyError, TypeError, ValueError):
        raise _unfit(name, f"a {type(given).__name__}") from None
    if times.ndim != 1 or times.shape != values.shape:
        raise _unfit(name, f"times of shape {times.shape} and values of shape {values.shape}")
    return times, values


def _unfit(name: str, what: str) -> SimulationError:
    return SimulationError(
        f"input '{name}': expected a number, an expression, an array over 'time', or a pair of "
        f"times and values of the same length, found {what}"
    )
