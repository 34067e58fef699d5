"""Measured forces on a moving body: read, resampled, and written into its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.arguments import checked
from freebody.arrays import Array, Numbers, Series, Vectors
from freebody.errors import MotionError, Problem, nearest
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES
from freebody.model.loads import Force, Torque
from freebody.model.parts import Input
from freebody.model.schema import Model
from freebody.motion.checks import (
    SampleName,
    axes_of,
    expect_times,
    expect_whole,
    sample_name,
    unevenness,
)
from freebody.motion.filtering import ORDER, filtered
from freebody.motion.reading import RecordedTable, read_table

FORCE = ("fx", "fy", "fz")
POINT = ("px", "py", "pz")
MOMENT = ("mx", "my", "mz")
FARTHEST = 0.5
"""How far past the centre of mass of its body a force acts without being told, in m."""
ROUNDING = 1e-3
"""What part of its shortest step a time may lie outside of the samples: times are rounded."""
REQUIRED = ("fx", "fy")
UNITS: Mapping[str, Mapping[str, float]] = {
    "f": {"": 1.0, "N": 1.0, "kN": 1000.0},
    "p": {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001},
    "m": {"": 1.0, "N*m": 1.0, "N.m": 1.0, "N·m": 1.0, "Nm": 1.0, "N*mm": 0.001, "Nmm": 0.001},
    "t": {"": 1.0, "s": 1.0, "ms": 0.001},
}
"""By the first letter of a column, what its units are in N, m, N·m and s."""


@dataclass(frozen=True)
class AppliedForce:
    """A force over time, in the ground frame.

    Attributes
    ----------
    times : array, shape (time,)
        In s.
    force : array, shape (time, 3)
        In N.
    point : array, shape (time, 3), optional
        Where it acts, in m; without it, at the place that it is given for.
    moment : array, shape (time, 3), optional
        A free moment besides, in N·m.
    source : str
        The file, or what stands for it.
    notes : tuple of str
        What there is to tell of its file: uneven times, columns that were left out.

    Examples
    --------
    >>> push = AppliedForce.of([0, 1], [[0, 10], [0, 20]], point=[0.1, 0])
    >>> push.wrench([0.5])[1]
    array([[0. , 0. , 1.5]])
    """

    times: Array
    force: Array
    point: Array | None = None
    moment: Array | None = None
    source: str = "force"
    notes: tuple[str, ...] = ()

    @classmethod
    @checked
    def of(
        cls,
        times: Series,
        force: Numbers,
        point: Numbers | None = None,
        moment: Numbers | None = None,
        *,
        source: str = "force",
    ) -> AppliedForce:
        """Return the force of arrays with two or three components in their last axis.

        A moment with one component is about z. What does not change in time needs no time axis.

        Parameters
        ----------
        times : array_like, shape (time,)
            In s, in order.
        force : array_like, shape (time, 2 or 3) or (2 or 3,)
            In N, in the ground frame.
        point : array_like, shape (time, 2 or 3) or (2 or 3,), optional
            Where it acts in the ground frame, in m; by default the place that it is given for.
        moment : array_like, shape (time,) or (time, 3), optional
            A free moment besides, in N·m.
        source : str, optional
            What messages call it.

        Raises
        ------
        MotionError
            If times are not in order, or a sample is missing.
        """
        times = np.asarray(times, dtype=float)
        expect_times(times, source)
        parts = {"force": force, "point": point, "moment": moment}
        made: dict[str, Any] = {
            name: _vectors(name, part, len(times), source)
            for name, part in parts.items()
            if part is not None
        }
        return _expected_whole(cls(times, **made, source=source))

    @checked
    def turned(self, x: str, y: str, z: str) -> AppliedForce:
        """Return the force in other axes, such as those of a model's ground.

        Parameters
        ----------
        x, y, z : str
            The axis of the file that each axis is: ``x``, ``-z``, ….

        Raises
        ------
        MotionError
            If they are not the three axes, or would reflect it.

        Examples
        --------
        >>> AppliedForce.of([0, 1], [0.0, 1.0, 700.0]).turned("x", "z", "-y").force[0]
        array([  0., 700.,  -1.])
        """
        rows = axes_of(x, y, z, self.source)
        point, moment = (
            None if part is None else part @ rows.T for part in (self.point, self.moment)
        )
        return replace(self, force=self.force @ rows.T, point=point, moment=moment)

    @checked
    def filtered(self, cutoff: float, *, order: int = ORDER) -> AppliedForce:
        """Return the force after a zero-lag low-pass Butterworth filter.

        Force and moment are filtered, not the point, which jumps where a foot lifts off: the result
        acts at the origin of the ground, with the moment about it.

        Parameters
        ----------
        cutoff : float
            In Hz.
        order : int, optional
            Of each of the filter's two passes.

        Raises
        ------
        MotionError
            If it has no point of its own, time is uneven, there are too few samples, or the cut-off
            is not below half the rate.
        """
        if self.point is None:
            message = "expected a force with a point of its own: about the place it acts at, its "
            raise MotionError.whole(self.source, message + "moment is not known before the motion")
        if uneven := unevenness(self.times):
            raise MotionError.whole(self.source, f"expected even times to filter: {uneven}")
        rate = (len(self.times) - 1) / float(self.times[-1] - self.times[0])
        whole = np.hstack([self.force, about_origin(self)]).T
        force, moment = np.hsplit(filtered(whole, rate, cutoff, self.source, order=order).T, 2)
        notes = (
            *self.notes,
            f"Butterworth of order {order}, forward and backward, at {cutoff:g} Hz",
        )
        return replace(self, force=force, point=np.zeros_like(force), moment=moment, notes=notes)

    @checked
    def wrench(self, times: Series, place: Vectors | None = None) -> tuple[Array, Array]:
        """Return force and moment about the origin of the ground, each of shape (time, 3).

        Parameters
        ----------
        times : array_like
            In s; between samples force and moment are interpolated by cubic splines.
        place : array, shape (time, 3), optional
            Where the force acts at these times, if it has no point of its own.

        Raises
        ------
        MotionError
            If a time lies before the first sample or after the last.
        """
        times = np.asarray(times, dtype=float)
        if place is not None and len(place) != len(times):
            message = f"expected a place at each of {len(times)} times, found {len(place)}"
            raise MotionError(self.source, [Problem("place", message)])
        self._expect_covered(times)
        force, moment = np.hsplit(np.asarray(self._splines(times), dtype=float), 2)
        if self.point is None and place is not None:
            moment = moment + np.cross(place, force)
        return force, moment

    @cached_property
    def _splines(self) -> Any:
        """Splines of the force, and of the moment of what is known about it."""
        from scipy.interpolate import CubicSpline  # slow to import

        # the point of application jumps where a foot lifts off; its moment does not
        return CubicSpline(self.times, np.hstack([self.force, about_origin(self)]))

    def _expect_covered(self, times: Array) -> None:
        first, last = float(self.times[0]), float(self.times[-1])
        if not times.size:
            return
        slack = ROUNDING * float(np.diff(self.times).min())
        if times[0] < first - slack or times[-1] > last + slack:
            message = (
                f"is known from {first:g} to {last:g} s; expected it over the motion, "
                f"{times[0]:g} to {times[-1]:g} s"
            )
            raise MotionError(self.source, [Problem("time", message)])


def _vectors(name: str, given: Any, count: int, source: str) -> Array:
    """Return samples with three components each."""
    values = np.asarray(given, dtype=float)
    sizes = (1, 2, 3) if name == "moment" else (2, 3)
    shape = tuple(values.shape)
    if shape[:-1] not in ((), (count,)) or shape[-1:] not in [(size,) for size in sizes]:
        message = f"expected {count} samples of two or three components, found an array of {shape}"
        raise MotionError(source, [Problem(name, message)])
    whole = np.zeros((count, 3))
    whole[:, slice(2, 3) if shape[-1] == 1 else slice(0, shape[-1])] = values
    return whole


def _expected_whole(force: AppliedForce, place: SampleName = sample_name) -> AppliedForce:
    """Refuse missing samples; where there is no force its point may be missing."""
    point = force.point
    if point is not None:
        resting = np.all(force.force == 0, axis=1, keepdims=True)
        point = np.where(resting & ~np.isfinite(point), 0.0, point)
    made = replace(force, point=point)
    for names, values in ((FORCE, made.force), (POINT, point), (MOMENT, made.moment)):
        if values is not None:
            expect_whole(values, names, force.source, place)
    return made


def about_origin(force: AppliedForce) -> Array:
    """Return the moment about the origin of the ground, of a force that has a point or none."""
    moment = np.zeros_like(force.force) if force.moment is None else force.moment
    return moment if force.point is None else moment + np.cross(force.point, force.force)


def together(one: AppliedForce, other: AppliedForce) -> AppliedForce:
    """Return two forces at the same times as one, with their moment about the origin."""
    total, moment = one.force + other.force, about_origin(one) + about_origin(other)
    notes = tuple(dict.fromkeys((*one.notes, *other.notes)))
    return replace(one, force=total, point=np.zeros_like(total), moment=moment, notes=notes)


# ---------------------------------------------------------------------- files


def read_force(path: str | Path) -> AppliedForce:
    """Read a force from a CSV file, or OpenSim's .mot or .sto.

    Parameters
    ----------
    path : str or Path
        Columns ``time`` in s, ``fx``, ``fy`` and maybe ``fz`` in N, ``px``, ``py`` and maybe
        ``pz`` in m where the force acts, ``mz`` (``mx``, ``my``) in N·m for a free moment, all in
        the ground frame; a unit stands behind a name, as in ``px [mm]``. Other columns are left.

    Raises
    ------
    MotionError
        With all that is missing or wrong.
    """
    table = read_table(Path(path))
    _expect_columns(table)
    known = [name for name in (*FORCE, *POINT, *MOMENT) if name in table.columns]
    columns = {name: table.columns[name] * _factor(table, name) for name in ("time", *known)}
    expect_times(columns["time"], table.source, table.place)

    none = np.zeros(len(columns["time"]))
    force, point, moment = (
        np.column_stack([columns.get(name, none) for name in names])
        for names in (FORCE, POINT, MOMENT)
    )
    made = AppliedForce(
        columns["time"],
        force,
        point if {*POINT} & {*known} else None,
        moment if {*MOMENT} & {*known} else None,
        table.source,
        tuple(_notes_of_file(table, columns)),
    )
    return _expected_whole(made, table.place)


def _notes_of_file(table: RecordedTable, read: Mapping[str, Array]) -> Iterator[str]:
    if uneven := unevenness(read["time"], table.place):
        yield uneven
    if left := [name for name in table.columns if name not in read]:
        yield f"columns left out: {', '.join(left)}"


def _expect_columns(table: RecordedTable) -> None:
    known = list(table.columns)
    wanted = ["time", *REQUIRED]
    if set(POINT) & set(known):
        wanted += ["px", "py"]
    problems = [
        Problem(name, f"there is no such column{nearest(name, known)}")
        for name in wanted
        if name not in known
    ]
    if problems:
        raise MotionError(table.source, problems)


def _factor(table: RecordedTable, name: str) -> float:
    """Return what to multiply a column by to have it in N, m, N·m or s."""
    unit, known = table.units[name], UNITS[name[0]]
    if unit not in known:
        expected = ", ".join(filter(None, known))
        message = f"expected a unit ({expected}), found '{unit}'"
        raise MotionError(table.source, [Problem(name, message)])
    return known[unit]


# ---------------------------------------------------------------------- models


@dataclass(frozen=True)
class Applied:
    """A force in a model: what it acts on, and the inputs that stand for it.

    Attributes
    ----------
    place, body : str
        Where it acts, and the body that this belongs to.
    inputs : tuple of six str
        The components of the force, and of its moment about the centre of mass of the body.
    force : AppliedForce
    """

    place: str
    body: str
    inputs: tuple[str, ...]
    force: AppliedForce

    def __str__(self) -> str:
        """Return a description in one line."""
        force = self.force
        at = f"at {self.place}" if force.point is None else "at a point of its own"
        samples = f"{len(force.times)} samples, by cubic splines between them"
        return "; ".join((f"{force.source}, on {self.body} {at}, {samples}", *force.notes))

    def values(self, times: Array, place: Array, center: Array) -> Array:
        """Return the inputs at some times, shape (time, 6).

        Parameters
        ----------
        times : array, shape (time,)
        place, center : array, shape (time, 3)
            Where the place and the centre of mass are then.
        """
        force, moment = self.force.wrench(times, place)
        return np.hstack([force, moment - np.cross(center, force)])

    def lever(self, times: Array, center: Array, is_free: NDArray[np.bool_]) -> float:
        """Return how far past a centre of mass it acts, on an average over what it does, in m.

        Parameters
        ----------
        times : array, shape (time,)
        center : array, shape (time, 3)
            Where the centre of mass of the body is then.
        is_free : array of bool, shape (3,)
            Along which axes it can move: how far to the side of a plane is no matter.
        """
        if self.force.point is None:
            return 0.0
        force, moment = self.force.wrench(times)
        about = (moment - np.cross(center, force)) * (np.roll(is_free, 1) & np.roll(is_free, 2))
        pull = force * is_free
        size = (pull**2).sum(axis=1)
        past = np.linalg.norm(np.cross(pull, about), axis=1)
        return float(past.sum() / (size.sum() or 1.0))


def with_applied_forces(
    mechanism: Mechanism, forces: Mapping[str, AppliedForce | str | Path]
) -> tuple[Model, list[Applied]]:
    """Return a model with more inputs, on which forces act that are not in it.

    Parameters
    ----------
    mechanism : Mechanism
        Of the model.
    forces : mapping of str to AppliedForce, str or Path
        By the name of a body, a joint or a point: arrays, or a file of them.

    Returns
    -------
    model : Model
        With inputs for the components of the forces and moments.
    applied : list of Applied
        What these inputs are over time.

    Raises
    ------
    DerivationError
        If there is no such place.
    MotionError
        If a file cannot be read.
    """
    model, forces_applied = mechanism.model, list[Applied]()
    taken = {*mechanism.names.symbols}
    for place, given in forces.items():
        body = mechanism.places[mechanism.uses(place)].on
        names = tuple(_free(f"applied_{place}_{part}", taken) for part in (*FORCE, *MOMENT))
        force = given if isinstance(given, AppliedForce) else read_force(given)
        forces_applied.append(Applied(place, body, names, force))
    return _with(model, forces_applied), forces_applied


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _with(model: Model, applied: list[Applied]) -> Model:
    centers = {body.name: body.center_of_mass for body in model.bodies}
    inputs = dict(model.inputs)
    for one in applied:
        inputs |= dict(_inputs(one))
    forces = tuple(
        Force(on=one.body, at=centers[one.body], vector=one.inputs[:3]) for one in applied
    )
    torques = tuple(Torque(on=one.body, vector=one.inputs[3:]) for one in applied)
    changed = {
        "inputs": inputs,
        "forces": (*model.forces, *forces),
        "torques": (*model.torques, *torques),
    }
    return model.model_copy(update=changed)


def _inputs(one: Applied) -> Iterator[tuple[str, Input]]:
    for number, name in enumerate(one.inputs):
        what, unit = ("force", "N") if number < 3 else ("moment", "N*m")
        yield name, Input(title=f"{what} on {one.place} along {AXES[number % 3]}", unit=unit)
