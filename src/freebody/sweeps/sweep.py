"""The motions of a model over a grid or a plan, integrated where there is room for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compiler import fastest
from freebody.backends.registry import load_backend
from freebody.errors import SimulationError, absent
from freebody.files import expect_ending
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.simulation.conservation import DRIFT, RESIDUAL, Bounds
from freebody.simulation.engines import FINEST
from freebody.simulation.events import Event
from freebody.simulation.inputs import AnyInitial, AnyInputs, initial_of, inputs_of, split_inputs
from freebody.simulation.setup import TOLERANCE, duration_of, expect_tolerance
from freebody.sweeps.columns import ColumnsJob
from freebody.sweeps.plans import Adaptive, Ensemble, Grid, LatinHypercube, Plan
from freebody.sweeps.run import AnyJob, Done, PlannedRun, Sweep, size_of
from freebody.sweeps.singles import ExcitedJob, SimulatedJob
from freebody.workers import AnyScheduler, pool_of

if TYPE_CHECKING:
    pass

AnyPlan = Mapping[str, Sequence[float]] | LatinHypercube | Ensemble | Adaptive
STORES = (".zarr",)


@checked
def sweep(
    model: AnyModel,
    over: AnyPlan,
    duration: float | None = None,
    *,
    step: float = 0.1,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: AnyInputs | None = None,
    engine: str | None = None,
    method: str | None = None,
    tolerance: float = TOLERANCE,
    events: Sequence[Event] = (),
    max_drift: float = DRIFT,
    max_residual: float = RESIDUAL,
    muscles: Mapping[str, Any] | None = None,
    backend: str | None = None,
    memory: float = 2e9,
    scheduler: AnyScheduler = None,
    store: str | Path | None = None,
    progress: Done = lambda _: None,
) -> Sweep:
    """Integrate the motions of a model over a grid or a plan of constants and initial values.

    Constants that others define take these along. A motion that cannot go on is NaN from there on.
    Motions without constraints, impacts and events go 1,024 at once; others one at a time, as
    `freebody.simulate` and `freebody.excite` integrate them. What becomes of a motion depends on
    its values alone, whoever integrates it.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
    over : mapping of str to sequence of float, LatinHypercube, Ensemble or Adaptive
        The values of constants, coordinates and speeds that make up the grid, by name; or a plan.
    duration, step : float, optional
        How long, 5 s if it is not given, or as long as inputs are known over time; and the time
        between two states of the result, in s.
    constants, initial, inputs : optional
        See `freebody.simulate`; where motions go many at once, initial values that depend on
        constants of the grid are refused.
    engine, method : str, optional
        As `freebody.simulate` has them, for motions one at a time: ``method="Radau"`` for stiff
        ones.
    tolerance : float, optional
        Of the errors of each step, relative and absolute.
    events : sequence of Event, optional
        As `freebody.simulate` takes them.
    max_drift, max_residual : float, optional
        The largest accepted errors of energy and constraints, see `freebody.simulate`.
    muscles : mapping of str to value, optional
        Their excitations, as `freebody.excite` takes them.
    backend : str, optional
        What computes the rates of many at once: heyoka, c or numpy, the first that is there.
    memory : float, optional
        How large the result may be, in bytes, where there is no store.
    scheduler : int, str or distributed.Client, optional
        Who works: a number of processes, ``"processes"`` for one on each core, the address of a
        Dask scheduler or a client; without it the Dask client that is active, or this process.
    store : str or Path, optional
        A folder ``.zarr`` that results are written to as they come; memory does not grow with them
        then. Called again, the sweep goes on where it was.
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
        If a name is unknown, something has no value, or the result is too large.
    SchedulerError
        If there is no such scheduler, or workers end again and again.
    BackendError
        If the package is not installed that a plan, a store or a scheduler needs.
    FileError
        If the store holds other motions.

    Examples
    --------
    >>> import freebody
    >>> runs = freebody.sweep("pendulum", {"theta": [0.1, 0.2, 0.3], "m": [1, 2]}, duration=1)
    >>> runs["coordinates"].dims
    ('theta', 'm', 'time', 'coordinate')
    >>> runs.sizes["time"], runs.statistics["done"]
    (11, 6)
    """
    known, notes = inputs_of(inputs, mechanism(model).model)
    times = _times(duration_of(duration, split_inputs(known)[0].values()), step)
    moving, bounds = mechanism(model), Bounds(max_drift, max_residual)
    expect_tolerance(tolerance, FINEST["scipy"])
    plan = Grid(over) if isinstance(over, Mapping) else over.plan()
    _expect_names(moving, plan, over)
    common: dict[str, Any] = {
        "model": moving.model,
        "names": plan.names,
        "first": dict(zip(plan.names, plan.rows(0, 1)[0].tolist(), strict=True)),
        "constants": dict(constants or {}),
        "initial": initial_of(initial, moving.model),
        "inputs": known,
        "times": times,
        "tolerance": tolerance,
    }
    job: AnyJob
    if muscles is not None:
        _expect_fit("muscles", events=events, engine=engine, method=method, backend=backend)
        job = ExcitedJob(**common, excitations=dict(muscles))
        job.expect_sound(moving)
    elif moving.equations or moving.impacts or events or engine or method:
        _expect_fit("constraints, impacts, events, an engine or a method", backend=backend)
        limits = bounds.drift, bounds.residual
        job = SimulatedJob(**common, **_chosen(engine, method, limits, events))
        job.expect_sound(moving)
    else:
        backend = backend or fastest()
        load_backend(backend)
        job = ColumnsJob(**common, max_drift=bounds.drift, backend=backend)
        job.start(moving)
    path = None if store is None else _store_path(store)
    if path is None:
        _expect_small(plan.count * size_of(job.variables(moving)), memory)
    with pool_of(scheduler) as pool:
        return PlannedRun(moving, plan, job, pool, path, progress).result(bounds, notes)


def _chosen(
    engine: str | None, method: str | None, bounds: tuple[float, float], events: Sequence[Event]
) -> dict[str, Any]:
    drift, residual = bounds
    return {
        "engine": engine,
        "chosen": method,
        "max_drift": drift,
        "max_residual": residual,
        "events": tuple(events),
    }


# ------------------------------------------------------------------ what is wrong


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


def _expect_names(moving: Mechanism, plan: Plan, over: AnyPlan) -> None:
    """Refuse names that there are not.

    Raises
    ------
    SimulationError
        For the first of them.
    """
    names = moving.names
    starting = [*names.coordinates, *names.speeds]
    wanted = [(name, [*names.constants, *starting]) for name in plan.names]
    if isinstance(over, Adaptive):
        wanted.append((over.of, starting))
    for name, known in wanted:
        if name not in known:
            raise SimulationError(absent("constant, coordinate or speed", name, known))


def _expect_fit(what: str, **others: Any) -> None:
    """Refuse arguments that say nothing together with others.

    Raises
    ------
    SimulationError
        For the first of them.
    """
    for name, value in others.items():
        if value:
            raise SimulationError(f"{name}: expected none, since it says nothing with {what}")


def _store_path(store: str | Path) -> Path:
    path = Path(store)
    expect_ending(path, STORES)
    return path


def _expect_small(size: float, memory: float) -> None:
    """See that a result is not larger than it may be.

    Raises
    ------
    SimulationError
        If it is.
    """
    if size > memory:
        raise SimulationError(
            f"the result would take {size / 1e9:.1f} GB, and may take {memory / 1e9:.1f} GB: "
            "expected a store, a longer step, fewer motions or more memory"
        )
