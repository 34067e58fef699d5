"""Motions of a model over a grid of constants and initial values."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.algebra.expressions import references
from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compiler import has_compiler
from freebody.backends.constants import Constants
from freebody.backends.evaluation import Evaluator
from freebody.backends.registry import load_backend
from freebody.errors import SimulationError, nearest
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model.names import speed_names, speed_units
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.conservation import DRIFT, BatchEnergy, Bounds, LostMotionWarning
from freebody.simulation.dop853 import StateColumns, integrate_columns
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.engines import FINEST
from freebody.simulation.inputs import AnyInitial, initial_of
from freebody.simulation.setup import (
    TOLERANCE,
    Setup,
    Value,
    duration_of,
    expect_tolerance,
    prepare,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

WIDTH = 1024
"""How many motions are integrated at once: their numbers stay close to the processor."""

METHOD = "DOP853"
Done = Callable[[int], None]


@dataclass(frozen=True, repr=False)
class Sweep(Result):
    """Motions over a grid.

    Attributes
    ----------
    data : xarray.Dataset
        ``coordinates`` and ``speeds`` over the names of the grid, ``time``, and ``coordinate`` or
        ``speed``; the ``energy_drift`` of each motion over the names of the grid.
    statistics : dict
        How many motions are ``done``, how many of these ``stopped`` since they could not go on, and
        how many are ``lost`` since they did not keep their energy to ``max_drift``.
    """

    def figure(self) -> Figure:
        """Return the coordinates of all motions over time, by colour along the first name."""
        from freebody.simulation.figures import sweep_figure

        return sweep_figure(self)


@checked
def sweep(
    model: AnyModel,
    over: Mapping[str, Sequence[float]],
    duration: float | None = None,
    *,
    step: float = 0.1,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: Mapping[str, Any] | None = None,
    tolerance: float = TOLERANCE,
    max_drift: float = DRIFT,
    backend: str | None = None,
    memory: float = 2e9,
    progress: Done = lambda _: None,
) -> Sweep:
    """Integrate the motions of a model over a grid of constants and initial values.

    Constants that others define take these along. Memory is bounded by the result: beside it there
    are the numbers of 1,024 motions. A motion that cannot go on is NaN from there on.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Without constraints.
    over : mapping of str to sequence of float
        The values of constants, coordinates and speeds that make up the grid, by name.
    duration, step : float, optional
        How long, 5 s if it is not given, and the time between two states of the result, in s.
    constants, initial, inputs : optional
        See `freebody.simulate`; initial values that depend on constants of the grid are refused,
        and so are inputs that are known over time.
    tolerance : float, optional
        Of the errors of each step, relative and absolute.
    max_drift : float, optional
        The largest accepted drift of the energy of a motion, see `freebody.simulate`.
    backend : str, optional
        What computes the rates: heyoka, c or numpy, the first of them that is there.
    memory : float, optional
        How large the result may be, in bytes.
    progress : callable, optional
        Is told how many motions are done.

    Returns
    -------
    Sweep
        Interrupted from the keyboard, it has the motions that are done, and NaN for the others. A
        `LostMotionWarning` tells how many did not keep their energy.

    Raises
    ------
    SimulationError
        If a name is unknown, something has no value, the model has constraints, or the result is
        too large.

    Examples
    --------
    >>> import freebody
    >>> runs = freebody.sweep("pendulum", {"theta": [0.1, 0.2, 0.3], "m": [1, 2]}, duration=1)
    >>> runs["coordinates"].dims
    ('theta', 'm', 'time', 'coordinate')
    >>> runs.sizes["time"], runs.statistics["done"]
    (11, 6)
    """
    times = _times(duration_of(duration, ()), step)
    expect_tolerance(tolerance, FINEST["scipy"])
    moving, max_drift = mechanism(model), Bounds(max_drift).drift
    grid, constants = _grid(moving, over), dict(constants or {})
    setup = _start(moving, grid, constants, initial_of(initial, moving.model), inputs or {})
    _expect_small((*map(len, grid.values()), len(times), 2 * len(moving.speeds)), memory)
    backend = backend or fastest()
    integration = _Integration(Dynamics(moving, setup), load_backend(backend), times, tolerance)
    motions = _Motions(moving, setup, grid, constants)
    runs = integration.along(motions, max_drift, progress)
    statistics = runs.statistics(max_drift)
    if statistics["lost"]:
        warnings.warn(
            f"{statistics['lost']} of {runs.done} motions did not keep their energy to "
            f"{max_drift:g} (energy_drift): expected a finer tolerance or a shorter motion",
            LostMotionWarning,
            stacklevel=3,
        )
    data = _labelled(moving, grid, times, runs)
    provenance = {
        **provenance_of(moving.model, setup.constants),
        "initial": setup.initial(moving.names),
        "inputs": setup.laws(moving.names),
        "over": list(grid),
        "method": METHOD,
        "tolerance": tolerance,
        "backend": backend,
    }
    return Sweep(data.assign_attrs(statistics), moving, provenance, statistics)


def _start(
    moving: Mechanism,
    grid: Mapping[str, Array],
    constants: Mapping[str, float],
    initial: Mapping[str, Value],
    inputs: Mapping[str, Value],
) -> Setup:
    """Return what the first motion of a grid starts from."""
    first = {name: float(values[0]) for name, values in grid.items()}
    fixed = {name: value for name, value in first.items() if name in moving.names.constants}
    starting = {name: value for name, value in first.items() if name not in fixed}
    _expect_fixed(moving, initial, starting, fixed)
    return prepare(moving, {**constants, **fixed}, {**initial, **starting}, inputs)


@dataclass
class _Runs:
    """The motions of a grid, those that are not done yet NaN.

    Attributes
    ----------
    states : array, shape (motions, times, 2 n)
    drift : array, shape (motions,)
        By how much the energy of each is off.
    done : int
        How many motions are done.
    """

    states: Array
    drift: Array
    done: int = 0

    def statistics(self, max_drift: float) -> dict[str, Any]:
        """Return how many motions are done, stopped and lost."""
        stopped = ~np.isfinite(self.states[: self.done, -1]).all(axis=1)
        lost = self.drift > max_drift
        return {
            "done": self.done,
            "stopped": int(stopped.sum()),
            "lost": int(lost.sum()),
            "max_drift": max_drift,
        }


class _Integration:
    """Integrates the motions of a grid, many at once."""

    def __init__(
        self, dynamics: Dynamics, backend: ModuleType, times: Array, tolerance: float
    ) -> None:
        self._n, self._times, self._tolerance = dynamics.n, times, tolerance
        self._rates = Evaluator(dynamics.motion, backend)
        self._energy = BatchEnergy(dynamics, backend, times, tolerance)

    def along(self, motions: _Motions, max_drift: float, progress: Done) -> _Runs:
        """Return the motions; where it is interrupted from the keyboard, those that are done."""
        size = (motions.count, len(self._times), 2 * self._n)
        runs = _Runs(np.full(size, np.nan), np.full(motions.count, np.nan))
        with suppress(KeyboardInterrupt):
            for part in motions.parts():
                self._integrate(runs, part, *motions.values(part), max_drift)
                runs.done = part.stop
                progress(runs.done)
        return runs

    def _integrate(
        self, runs: _Runs, part: slice, constants: Array, states: Array, max_drift: float
    ) -> None:
        start = np.vstack([states, np.zeros(states.shape[1])])  # the work that is done
        columns = StateColumns(self._rates, constants)
        trajectories = integrate_columns(columns, start, self._times, self._tolerance)
        runs.states[part] = trajectories[..., :-1]
        runs.drift[part] = self._energy.drifts(trajectories, constants, max_drift)


class _Motions:
    """The motions of a grid, one after another."""

    def __init__(
        self,
        moving: Mechanism,
        setup: Setup,
        grid: Mapping[str, Array],
        constants: Mapping[str, float],
    ) -> None:
        self._moving, self._setup, self._grid, self._constants = moving, setup, grid, constants
        self._sizes = [len(values) for values in grid.values()]
        self._all = Constants(moving.model)
        self.count = prod(self._sizes)

    def parts(self) -> Iterator[slice]:
        """Iterate over what is worked out at once."""
        for start in range(0, self.count, WIDTH):
            yield slice(start, min(start + WIDTH, self.count))

    def values(self, part: slice) -> tuple[Array, Array]:
        """Return constants, a row for each motion, and initial states, a column for each."""
        places = np.unravel_index(np.arange(part.start, part.stop), self._sizes)
        pairs = zip(self._grid.items(), places, strict=True)
        chosen = {name: values[place] for (name, values), place in pairs}
        names = self._moving.names
        entries = [*names.coordinates, *names.speeds]
        states = np.repeat(self._setup.state[:, None], part.stop - part.start, axis=1)
        for name in chosen.keys() - names.constants.keys():
            states[entries.index(name)] = chosen[name]
        fixed = {name: chosen[name] for name in chosen.keys() & names.constants.keys()}
        vector = self._all.vector({**self._constants, **fixed} or None)
        return np.broadcast_to(vector, (states.shape[1], vector.shape[-1])), states


def _times(duration: float, step: float) -> Array:
    """Return the times of the result.

    Raises
    ------
    SimulationError
        If there are none.
    """
    if not (0 < step <= duration < np.inf):
        raise SimulationError(
            f"expected a duration and a step that is no longer, found {duration} s and {step} s"
        )
    return np.arange(round(duration / step) + 1, dtype=np.float64) * step


def _grid(moving: Mechanism, over: Mapping[str, Sequence[float]]) -> dict[str, Array]:
    """Return the values of a grid as arrays.

    Raises
    ------
    SimulationError
        For a name or values that make up no grid.
    """
    names = moving.names
    known = [*names.constants, *names.coordinates, *names.speeds]
    if moving.equations:
        raise SimulationError(
            f"'{moving.model.title}' has constraints: expected a model without, since a batch does "
            "not keep them; freebody.simulate does, one motion at a time"
        )
    for name in over:
        if name not in known:
            raise SimulationError(
                f"expected a constant, coordinate or speed, found '{name}'{nearest(name, known)}"
            )
    grid = {name: _values(name, values) for name, values in over.items()}
    if not grid:
        raise SimulationError("expected at least one name to go over, such as a constant")
    return grid


def _values(name: str, values: Sequence[float]) -> Array:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise SimulationError(f"'{name}': expected numbers, found {values!r}") from None
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise SimulationError(
            f"'{name}': expected a sequence of finite numbers, found an array of {array.shape}"
        )
    return array


def _expect_fixed(
    moving: Mechanism,
    initial: Mapping[str, Value],
    starting: Collection[str],
    fixed: Collection[str],
) -> None:
    """See that no initial value follows the constants of a grid.

    Raises
    ------
    SimulationError
        If one does.
    """
    model, following = moving.model, set(fixed)
    for _ in model.constants:
        following |= {
            name for name, entry in model.constants.items() if _uses(entry.value) & following
        }
    declared: dict[str, Any] = {}
    for name, entry in model.coordinates.items():
        declared |= {name: entry.initial, f"{name}_dot": entry.initial_speed}
    for name, value in {**declared, **initial}.items():
        if name not in starting and (used := _uses(value) & following):
            raise SimulationError(
                f"the initial value of '{name}' depends on {', '.join(sorted(used))}, which the "
                f"grid changes: expected a number, initial={{'{name}': ...}}"
            )


def _uses(value: Any) -> set[str]:
    return set(map(str, references(value))) if isinstance(value, str) else set()


def _expect_small(shape: Sequence[int], memory: float) -> None:
    """See that a result is not larger than it may be.

    Raises
    ------
    SimulationError
        If it is.
    """
    size = 8 * prod(shape)
    if size > memory:
        raise SimulationError(
            f"the result would take {size / 1e9:.1f} GB, and may take {memory / 1e9:.1f} GB: "
            "expected a longer step, a smaller grid or more memory"
        )


def fastest() -> str:
    """Return the fastest backend for many states that is there."""
    if importlib.util.find_spec("heyoka"):
        return "heyoka"
    return "c" if has_compiler() else "numpy"


def _labelled(
    moving: Mechanism, grid: Mapping[str, Array], times: Array, runs: _Runs
) -> xr.Dataset:
    """Return states over the names of a grid and time."""
    n, model = len(moving.speeds), moving.model
    shape = tuple(map(len, grid.values()))
    states = runs.states.reshape(*shape, len(times), 2 * n)
    drift = runs.drift.reshape(shape)
    variables = {
        "coordinates": ((*grid, "time", "coordinate"), states[..., :n]),
        "speeds": ((*grid, "time", "speed"), states[..., n:]),
        "energy_drift": (tuple(grid), drift),
    }
    units = {name: entry.unit for name, entry in model.coordinates.items()}
    units |= {name: entry.unit for name, entry in model.constants.items()}
    units |= dict(zip(speed_names(model), speed_units(model), strict=True))
    axes = {name: (name, values, {"units": units[name]}) for name, values in grid.items()}
    return dataset(model, variables, {**axes, "time": times})
