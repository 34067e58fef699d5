"""Motions of a plan handed out, and kept as they come."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.mechanics.mechanism import Mechanism
from freebody.model.files import fingerprint
from freebody.model.names import speed_names, speed_units
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.conservation import Bounds, LostMotionWarning
from freebody.simulation.inputs import split_inputs
from freebody.sweeps import columns
from freebody.sweeps.boxes import box_shape, runs
from freebody.sweeps.columns import ColumnsJob
from freebody.sweeps.plans import Plan
from freebody.sweeps.records import LOST, MISSING, STATUS, STOPPED, Memory, Store, Variable
from freebody.sweeps.singles import REASON, ExcitedJob, SimulatedJob
from freebody.workers import Pool, handed_out

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

Done = Callable[[int], None]
AnyJob = ColumnsJob | SimulatedJob | ExcitedJob
BYTES = 64e6
"""What a chunk may bring back at once."""
REASONS = 3
"""How many reasons are told why motions could not go on."""


@dataclass(frozen=True, repr=False)
class Sweep(Result):
    """Motions over a grid or a plan.

    Attributes
    ----------
    data : xarray.Dataset
        ``coordinates`` and ``speeds`` over the names of the grid, or ``motion``, ``time``, and
        ``coordinate`` or ``speed``; of each motion its ``status`` (0 missing, 1 kept, 2 stopped
        since it could not go on, 3 lost) and its ``energy_drift``; with constraints its
        ``constraint_residual``, with events the ``event_time`` of the first of each, with muscles
        ``activation`` and ``tension``. From a store it is read when it is looked at.
    statistics : dict
        How many motions are ``done``, how many of these ``stopped`` since they could not go on, and
        how many are ``lost`` since they did not keep their energy to ``max_drift``.
    """

    def figure(self) -> Figure:
        """Return the coordinates of all motions over time, by colour along the first name."""
        from freebody.sweeps.figures import sweep_figure

        return sweep_figure(self)


def size_of(variables: Sequence[Variable]) -> int:
    """Return how many bytes are kept of a motion."""
    return 8 * sum(prod(one.shape) for one in variables)


class _Pieces(Sequence[Any]):
    """Rows of values, piece by piece."""

    def __init__(self, plan: Plan, ends: Sequence[tuple[int, int]]) -> None:
        self._plan, self.ends = plan, ends

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: Any) -> Any:
        return self._plan.rows(*self.ends[number])


class PlannedRun:
    """Has the motions of a plan integrated, and keeps them."""

    def __init__(
        self,
        moving: Mechanism,
        plan: Plan,
        job: AnyJob,
        pool: Pool,
        path: Path | None,
        progress: Done,
    ) -> None:
        self._moving, self._plan, self._job, self._pool = moving, plan, job, pool
        self._progress, self._reasons = progress, dict[str, None]()
        self._variables = job.variables(moving)
        self._size = size_of(self._variables)
        self._setup = job.start(moving)
        if path is None:
            self._records: Memory = Memory(plan, self._variables)
        else:
            labelled = self._labelled({}).assign_attrs(
                provenance=json.dumps(self._provenance(), default=str)
            )
            self._records = Store(path, plan, self._variables, labelled, self._key())

    def result(self, bounds: Bounds, notes: Sequence[str]) -> Sweep:
        """Return the motions that are done."""
        with suppress(KeyboardInterrupt):
            for start, stop in self._plan.rounds(self._last):
                self._records.note_columns(self._plan.columns())
                self._integrate(start, stop)
        status = self._records.status()
        lost, provenance = int((status == LOST).sum()), self._provenance()
        statistics = {
            "done": int((status != MISSING).sum()),
            "stopped": int((status == STOPPED).sum()),
            "lost": lost,
            "max_drift": bounds.drift,
        }
        if lost:
            warnings.warn(
                f"{lost} of {statistics['done']} motions did not keep their energy to "
                f"{bounds.drift:g} (energy_drift): expected a finer tolerance or a shorter motion",
                LostMotionWarning,
                stacklevel=4,
            )
        reasons = [f"stopped: {reason}" for reason in [*self._reasons][:REASONS]]
        if isinstance(self._records, Store):
            self._records.note(statistics, provenance)
            data = self._records.dataset()
        else:
            data = self._labelled(self._records.arrays)
        data = data.assign_attrs(statistics)
        return Sweep(data, self._moving, provenance, statistics, (*notes, *reasons))

    def _integrate(self, start: int, stop: int) -> None:
        """Have the motions integrated that are not there yet."""
        status, plan = self._records.status(), self._plan
        pieces = _Pieces(plan, [*self._pieces(start, stop)])
        among = [
            number for number, (a, b) in enumerate(pieces.ends) if (status[a:b] == MISSING).any()
        ]
        done = int((status != MISSING).sum())
        largest = max(b - a for a, b in pieces.ends)
        most = int(max(1, BYTES / (self._size * largest)))
        chunks = handed_out(self._job, pieces, self._pool, among=among, most=most)
        for numbers, answers in chunks:
            for first, joined in _joined(pieces.ends, numbers, answers):
                reasons = joined.pop(REASON, np.empty(0, np.str_))
                self._reasons |= dict.fromkeys(map(str, reasons))
                self._records.put(first, joined)
                done += len(joined[STATUS])
            self._progress(done)

    def _pieces(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Iterate over what is worked out at once."""
        if not isinstance(self._job, ColumnsJob):
            yield from pairwise(range(start, stop + 1))
        elif (start, stop) == (0, self._plan.count):
            yield from runs(self._plan.shape, box_shape(self._plan.shape, columns.WIDTH))
        else:
            for first in range(start, stop, columns.WIDTH):
                yield first, min(first + columns.WIDTH, stop)

    def _last(self, start: int, stop: int, name: str) -> Array:
        """Return the last value of a coordinate or a speed, of some motions."""
        coordinates = list(self._moving.model.coordinates)
        if name in coordinates:
            return self._records.last(start, stop, "coordinates", coordinates.index(name))
        place = speed_names(self._moving.model).index(name)
        return self._records.last(start, stop, "speeds", place)

    # ------------------------------------------------------------------ labels

    def _labelled(self, arrays: Mapping[str, Any]) -> xr.Dataset:
        """Return arrays over the names of a grid, or the numbers of motions, and time."""
        model, plan = self._moving.model, self._plan
        units = {name: entry.unit for name, entry in model.coordinates.items()}
        units |= {name: entry.unit for name, entry in model.constants.items()}
        units |= dict(zip(speed_names(model), speed_units(model), strict=True))
        labels: dict[str, Any] = {
            name: (name, values, {"units": units.get(name, "1")})
            for name, values in plan.axes.items()
        }
        (along, *_), listed = plan.axes, plan.columns()
        labels |= {name: (along, of, {"units": units[name]}) for name, of in listed.items()}
        labels["time"] = self._job.times
        if isinstance(self._job, ExcitedJob):
            labels["muscle"] = [muscle.name for muscle in model.muscles]
        elif isinstance(self._job, SimulatedJob) and self._job.events:
            labels["event"] = [event.when for event in self._job.events]
        kept = (*self._variables, Variable(STATUS, (), ()))
        dims = {one.name: (*plan.axes, *one.dims) for one in kept}
        if arrays:
            return dataset(model, {name: (dims[name], of) for name, of in arrays.items()}, labels)
        blank = {one.name: (one.dims, np.zeros(one.shape)) for one in self._variables}
        return dataset(model, blank, labels)

    def _provenance(self) -> dict[str, Any]:
        names, job = self._moving.names, self._job
        made = {
            **provenance_of(self._moving.model, self._setup.constants),
            "initial": self._setup.initial(names),
            "inputs": self._setup.laws(names),
            "over": list(self._plan.names),
            "method": job.method,
            "tolerance": job.tolerance,
            "workers": self._pool.name,
        }
        if isinstance(job, ColumnsJob):
            made["backend"] = job.backend
        if isinstance(job, ExcitedJob):
            made["excitations"] = {name: str(value) for name, value in job.excitations.items()}
        return made

    def _key(self) -> str:
        """Return what results depend on, but for who works."""
        job = self._job
        given = {name: value for name, value in vars(job).items() if name not in ("model", "times")}
        given["inputs"] = {name: _input_key(value) for name, value in job.inputs.items()}
        if isinstance(job, ExcitedJob):
            given["excitations"] = {name: _input_key(one) for name, one in job.excitations.items()}
        parts = (
            fingerprint(self._moving.model),
            self._plan.digest(),
            job.times.tobytes().hex(),
            repr(sorted(given.items())),
            repr(provenance_of(self._moving.model, {})["versions"]),
        )
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _input_key(value: Any) -> str:
    """Return an input as text that differs where it does."""
    (sampled,) = split_inputs({"": value})[0].values() or (None,)
    if sampled is None:
        return repr(value)
    return hashlib.sha256(sampled.times.tobytes() + sampled.values.tobytes()).hexdigest()


def _joined(
    ends: Sequence[tuple[int, int]], numbers: Sequence[int], answers: Sequence[Mapping[str, Array]]
) -> Iterator[tuple[int, dict[str, Array]]]:
    """Iterate over neighbours put together: the first of the motions, and their variables."""
    group, first, expected = list[Mapping[str, Array]](), 0, -1
    for number, answer in zip(numbers, answers, strict=True):
        start, stop = ends[number]
        if start != expected and group:
            yield first, _together(group)
            group = []
        if not group:
            first = start
        group.append(answer)
        expected = stop
    if group:
        yield first, _together(group)


def _together(group: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    names = dict.fromkeys(name for answer in group for name in answer)
    return {
        name: np.concatenate([answer[name] for answer in group if name in answer]) for name in names
    }
