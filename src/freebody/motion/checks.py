"""What may be wrong with samples: each told by its name and its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import MotionError, Problem, nearest

SampleName = Callable[[int], str]
"""What a sample is called: a line of a file, or its number."""

UNEVEN = 1e-3
"""How much a step may differ from the median one, as a part of it."""
MOST_ROUNDED = 0.6
"""How far a rounded time may be from the even one, in units of its last decimal."""
LEAST_STEP = 1.5
"""Shortest step, in units of its last decimal, that a frame left out cannot hide in as rounding."""
MAX_PROBLEMS = 20


def sample_name(index: int) -> str:
    """Return what a sample is called that comes from no file.

    Examples
    --------
    >>> sample_name(0)
    'sample 1'
    """
    return f"sample {index + 1}"


def expect_times(times: Array, source: str, place: SampleName = sample_name) -> None:
    """Refuse times that are missing, stand there twice or run backwards.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    source : str
        What messages call the motion.
    place : callable, optional
        Names a sample by its number.

    Raises
    ------
    MotionError
        With each place.
    """
    _refuse(source, _times(times, place))


def _times(times: Array, place: SampleName) -> Iterator[Problem]:
    if len(times) < 2:
        yield Problem("time", f"expected at least 2 samples, found {len(times)}")
    for index in np.flatnonzero(~np.isfinite(times)):
        yield Problem(f"{place(int(index))}, time", "is missing")
    for index in np.flatnonzero(np.diff(times) <= 0) + 1:
        before, now = float(times[index - 1]), float(times[index])
        what = "stands there twice" if now == before else f"comes after {before:g}"
        yield Problem(f"{place(int(index))}, time", f"{now:g} s {what}; expected a later time")


def expect_columns(times: Array, columns: Mapping[str, Any], source: str) -> None:
    """Refuse a motion of nothing, and columns of another length than the times.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    columns : mapping of str to array_like
    source : str
        What messages call the motion.

    Raises
    ------
    MotionError
        With each column.
    """
    if not columns:
        raise MotionError.whole(source, "expected at least one column, found none")
    message = f"expected {len(times)} samples, one for each time, found "
    wrong = [(name, len(one)) for name, one in columns.items() if len(one) != len(times)]
    if wrong:
        raise MotionError(source, [Problem(name, f"{message}{count}") for name, count in wrong])


def expect_rows(count: int, declared: str, where: str, source: str) -> None:
    """Refuse a file with fewer rows than its header says, such as one that was not written whole.

    Parameters
    ----------
    count : int
        Of the rows that there are.
    declared : str
        The number in the header, if it is one.
    where : str
        Of the header.
    source : str
        The file.

    Raises
    ------
    MotionError
        With both numbers.
    """
    if declared.isdigit() and count < int(declared):
        message = f"expected {declared} rows, as the header says, found {count}"
        raise MotionError(source, [Problem(where, message)])


def expect_whole(
    values: Array,
    names: Sequence[str],
    source: str,
    place: SampleName = sample_name,
    times: Array | None = None,
) -> None:
    """Refuse samples that are missing.

    Parameters
    ----------
    values : array, shape (time, n)
    names : sequence of str
        The n names.
    times : array, shape (time,), optional
        Where gaps may be filled: what fills the longest is told.

    Raises
    ------
    MotionError
        With the first place of each gap.
    """
    _refuse(source, _gaps(values, names, place), _filling(values, times))


def _filling(values: Array, times: Array | None) -> str:
    """Return what would fill all gaps that do not stand at the ends."""
    if times is None:
        return ""
    gaps = (gap for column in values.T for gap in runs(~np.isfinite(column)))
    spans = [
        float(times[first + count] - times[first - 1])
        for first, count in gaps
        if first > 0 and first + count < len(times)
    ]
    if not spans:
        return ""
    longest = float(f"{1.005 * max(spans):.2g}")
    while longest < max(spans):
        longest = float(f"{1.05 * longest:.2g}")
    return f"; fill={longest:g} (--fill {longest:g}) fills gaps up to that many s by splines"


def _gaps(values: Array, names: Sequence[str], place: SampleName) -> Iterator[Problem]:
    for column, name in enumerate(names):
        for first, count in runs(~np.isfinite(values[:, column])):
            more = f", and {count - 1} more after it" if count > 1 else ""
            yield Problem(f"{place(first)}, {name}", f"is missing{more}")


def runs(flags: Any) -> Iterator[tuple[int, int]]:
    """Iterate over the runs of true flags, an array of bool: where each starts, and how long it is.

    Yields
    ------
    start : int
    length : int

    Examples
    --------
    >>> list(runs(np.array([False, True, True, False, True])))
    [(1, 2), (4, 1)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    for start, end in edges.reshape(-1, 2):
        yield int(start), int(end - start)


def even_step(times: Array, source: str) -> float:
    """Return the step of times that are evenly spaced.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    source : str
        What messages call the motion.

    Returns
    -------
    float
        In s.

    Raises
    ------
    MotionError
        With the first place where they are not.
    """
    steps = np.diff(times)
    step = float(np.median(steps))
    uneven = np.flatnonzero(np.abs(steps - step) > UNEVEN * step)
    if uneven.size:
        first = int(uneven[0])
        message = (
            f"a step of {steps[first]:.6g} s to {times[first + 1]:.6g} s where others are "
            f"{step:.6g} s, and so {uneven.size} times; expected even steps, such as "
            "resampled(rate) or --rate gives"
        )
        raise MotionError(source, [Problem(f"{sample_name(first + 1)}, time", message)])
    return float(times[-1] - times[0]) / (len(times) - 1)


def unevenness(times: Array, place: SampleName = sample_name) -> str:
    """Return how uneven times are and where most, or nothing if they are even.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    place : callable, optional
        Names a sample by its number.

    Examples
    --------
    >>> unevenness(np.array([0, 0.01, 0.02, 0.05, 0.06]))
    'uneven, steps of 0.01 to 0.03 s, mostly 0.01 s; the longest ends at sample 4'
    """
    steps = np.diff(times)
    step, longest = float(np.median(steps)), int(steps.argmax())
    if np.all(np.abs(steps - step) <= UNEVEN * step):
        return ""
    return (
        f"uneven, steps of {steps.min():.4g} to {steps[longest]:.4g} s, mostly {step:.4g} s; "
        f"the longest ends at {place(longest + 1)}"
    )


def unrounded(times: Array, nominal: float = 0.0) -> tuple[Array, str]:
    """Return even times where these are only rounded to some decimals, and a note on it.

    Motion capture systems print times to the millisecond; differences of these would be those of
    the rounding. ``nominal`` is the rate in Hz, if it is known.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    nominal : float, optional
        In Hz.

    Returns
    -------
    times : array, shape (time,)
    note : str

    Examples
    --------
    >>> times, told = unrounded(np.array([0, 0.007, 0.013, 0.02, 0.027, 0.033]), 150)
    >>> times[1], told
    (np.float64(0.006666666666666667), 'rounded to 3 decimals; taken at 150 Hz')
    """
    decimals = next((k for k in range(1, 7) if np.allclose(times, times.round(k), 0, 1e-9)), None)
    steps = np.diff(times)
    if decimals is None or len(times) < 3 or np.ptp(steps) <= UNEVEN * float(np.median(steps)):
        return times, ""
    count = np.arange(len(times))
    step = float(np.polyfit(count, times, 1)[0])
    if step < LEAST_STEP * 10.0**-decimals:
        return times, ""
    for rate in filter(None, (nominal, round(1 / step), 1 / step)):
        even = times[0] + count / rate
        even += float(np.mean(times - even)) if times[0] else 0.0
        if np.abs(even - times).max() <= MOST_ROUNDED * 10.0**-decimals:
            return even, f"rounded to {decimals} decimals; taken at {rate:.6g} Hz"
    return times, ""


def _refuse(source: str, problems: Iterator[Problem], advice: str = "") -> None:
    listed = list(islice(problems, MAX_PROBLEMS))
    if listed:
        listed[-1] = Problem(listed[-1].where, listed[-1].message + advice)
        raise MotionError(source, listed)


UNITS: Mapping[str, tuple[str, float]] = {
    "rad": ("rad", 1.0),
    "deg": ("rad", math.pi / 180),
    "degrees": ("rad", math.pi / 180),
    "°": ("rad", math.pi / 180),
    "m": ("m", 1.0),
    "meters": ("m", 1.0),
    "cm": ("m", 0.01),
    "mm": ("m", 0.001),
    "s": ("s", 1.0),
    "ms": ("s", 0.001),
}
"""The SI unit of each, and how much of it that is."""

UNKNOWN = ""
"""Stands for the unit of a column that says none: a model knows whether it is a length."""


def si(unit: str, where: str, source: str) -> tuple[str, float]:
    """Return the SI unit of a unit, and how much of it that is.

    Parameters
    ----------
    unit : str
        As a file has it.
    where, source : str
        What messages call its place and its file.

    Returns
    -------
    unit : str
    factor : float

    Raises
    ------
    MotionError
        If it is not one in which motions are recorded.

    Examples
    --------
    >>> si("mm", "knee", "markers.trc")
    ('m', 0.001)
    """
    if unit not in UNITS:
        message = f"expected a unit ({', '.join(UNITS)}), found '{unit}'{nearest(unit, UNITS)}"
        raise MotionError(source, [Problem(where, message)])
    return UNITS[unit]


AXES = ("x", "y", "z")


def axes_of(x: str, y: str, z: str, source: str) -> Array:
    """Return the matrix that takes components in the axes of a file to those along other axes.

    Parameters
    ----------
    x, y, z : str
        The axis of the file that each axis is: ``x``, ``-z``, ….
    source : str
        What messages call the file.

    Raises
    ------
    MotionError
        If they are not the three axes, or would reflect what is recorded.
    """
    rows = np.array([_axis(text, source) for text in (x, y, z)])
    if not np.isclose(np.linalg.det(rows), 1):
        message = f"expected axes of a right-handed frame, found {x}, {y}, {z}"
        raise MotionError(source, [Problem("axes", message)])
    return rows


def _axis(text: str, source: str) -> Array:
    sign, name = (-1.0, text[1:]) if text.startswith("-") else (1.0, text)
    if name not in AXES:
        message = f"expected x, y or z, with or without a minus, found '{text}'"
        raise MotionError(source, [Problem("axes", message)])
    return sign * np.eye(3)[AXES.index(name)]
