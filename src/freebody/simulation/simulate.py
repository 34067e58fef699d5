"""A model integrated in time, once its documents agree with it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends import cache
from freebody.backends.compiler import has_compiler
from freebody.checking.check import surprises
from freebody.checking.models import is_about, is_outdated, model_of, section_models
from freebody.documents import Document, documents_beside
from freebody.errors import DocumentError, ModelError, SimulationError
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model import Model
from freebody.model.files import fingerprint
from freebody.results import provenance_of
from freebody.simulation.conservation import DRIFT, RESIDUAL, Bounds, energy_drift, residual
from freebody.simulation.determinacy import compliances_of
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.engines import ENGINES, FINEST, load_engine, select_engine, select_method
from freebody.simulation.events import Event, Events
from freebody.simulation.inputs import AnyInitial, AnyInputs
from freebody.simulation.integrate import IntegrationProblem, Progress, Run, Trajectory
from freebody.simulation.phases import ImpactMotion
from freebody.simulation.result import Simulation, outputs
from freebody.simulation.setup import (
    TOLERANCE,
    Setup,
    Value,
    expect_tolerance,
    start_of,
)

if TYPE_CHECKING:
    import xarray as xr


NEARLY = 1e-3
"""The least singular value of the constraints, as a part of the largest, below which it is told."""
CHANGED = 1e-9
"""By how much an initial value must differ from the given one to be reported."""


@checked
def simulate(
    model: AnyModel,
    duration: float | None = None,
    *,
    step: float = 0.01,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: AnyInputs | None = None,
    engine: str | None = None,
    method: str | None = None,
    tolerance: float = TOLERANCE,
    events: Sequence[Event] = (),
    max_drift: float = DRIFT,
    max_residual: float = RESIDUAL,
    least_norm: Mapping[str, float] | None = None,
    unchecked: bool = False,
    progress: Progress = lambda _: None,
) -> Simulation:
    """Integrate the equations of motion of a model.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves.
    duration : float, optional
        How long, in s: 5 s if it is not given, or as long as inputs are known over time.
    step : float, optional
        The time between two states of the result, in s.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.
    initial : mapping of str to value, Motion, Result, str or Path, optional
        Initial coordinates and speeds to use instead of those of the model: numbers or expressions
        of the constants by name, or the first of a motion, which may be a file.
    inputs : mapping of str to value, Result, str or Path, optional
        Inputs to use instead of those of the model: numbers, expressions of time, coordinates,
        speeds and constants such as ``"-2*alpha1_dot"``, or what is known over time, as an array
        over ``time`` or a pair of times and values. Between samples these are quintic splines. Or
        a result or a file that has them over time.
    engine : {"pydy", "scipy", "heyoka"}, optional
        Whose the method is: pydy's System with a compiled function unless another is asked for;
        scipy, for stiff motion; heyoka, for accuracy to the last digits.
    method : {"LSODA", "DOP853", "RK45", "RK23", "Radau", "BDF", "taylor"}, optional
        What integrates: of pydy LSODA, with constraints DOP853; of scipy the implicit Radau; of
        heyoka Taylor series. A method without an engine is that of the first that has it.
    tolerance : float, optional
        Of the integrator, relative and absolute.
    events : sequence of Event, optional
        What stops the motion, is noted, or sets speeds; the times are in ``result.events``.
    max_drift, max_residual : float, optional
        The largest accepted errors of energy and constraints, see `Simulation`; a motion with
        larger ones is lost.
    least_norm : mapping of str to float, optional
        Where the equations of motion do not determine the forces of redundant constraints, choose
        those of least elastic energy: how much each constraint yields, by its name or that of a
        force such as ``loop_x``, in m/N, or rad/(N m) of a moment. All are needed.
    unchecked : bool, optional
        Integrate although documents may differ from the equations.
    progress : callable, optional
        Is told the time reached.

    Returns
    -------
    Simulation
        ``data`` over (time, coordinate) and (time, speed) in the units of the model, with terms,
        reactions and energies; ``energy_drift`` says how far the integration can be trusted.

    Raises
    ------
    SimulationError
        If a document of the model differs in a way that is not recorded, something has no value,
        or the integration fails.
    LostMotionError
        If the motion did not keep its energy or its constraints; it has the ``result``.

    Examples
    --------
    >>> import freebody
    >>> run = freebody.simulate("pendulum", duration=1)
    >>> run.energy_drift < 1e-9
    True
    >>> run.data["coordinates"].sel(coordinate="theta").shape
    (101,)
    """
    moving, bounds = mechanism(model), Bounds(max_drift, max_residual)
    compliances = compliances_of(least_norm, moving) if least_norm else None
    engine = select_engine(engine, method)
    make_integrator = load_engine(engine)
    expect_tolerance(tolerance, FINEST[engine])
    start = start_of(moving, duration, step, constants, initial, inputs)
    checked = "not checked, as asked" if unchecked else check_documents(moving.model)
    dynamics = Dynamics(moving, start.setup, _backend())
    dynamics.samples.expect_cover(float(start.times[0]), float(start.times[-1]))
    chosen, method = method, select_method(engine, method, constrained=dynamics.m > 0)
    state = dynamics.consistent(start.setup.state)
    dynamics.compile(outputs(moving))
    dynamics.expect_movable(state)
    problem = IntegrationProblem(
        dynamics, state, start.times, method, tolerance, progress, Events(dynamics, events)
    )
    motion = ImpactMotion(
        problem,
        make_integrator,
        lambda held: select_method(engine, chosen, constrained=held),
    )
    trajectory, seconds = _timed(motion.trajectory)
    data, notes = motion.dataset(compliances)
    notes = [*start.notes, *notes, *_near_singular(trajectory)]
    statistics = {
        **_statistics(trajectory, seconds, events),
        "impacts": [asdict(one) for one in motion.happened],
        **_conservation(motion, dynamics, data, tolerance, bounds),
    }
    provenance = {
        **_provenance(moving, replace(start.setup, state=state), tolerance, checked),
        "engine": engine,
        "method": method,
        "backend": dynamics.backend if engine != "heyoka" else "heyoka",
    }
    provenance["versions"][engine] = version(ENGINES[engine])
    given = _given(moving.model, start.given)
    provenance["decided"] = _decided(provenance["initial"], start.setup.state, given)
    provenance["least_norm"] = dict(least_norm or {})
    return bounds.expect_kept(Simulation(data, moving, provenance, statistics, tuple(notes)))


def _timed(integrate: Run) -> tuple[Trajectory, float]:
    """Return a trajectory, and how long it took, in s."""
    begun = time.perf_counter()
    with np.errstate(all="ignore"):  # values that are not finite are reported
        trajectory = integrate()
    return trajectory, time.perf_counter() - begun


def _conservation(
    motion: ImpactMotion, dynamics: Dynamics, data: xr.Dataset, tolerance: float, bounds: Bounds
) -> dict[str, float]:
    """Return how well a motion kept what it has to keep, and how well it had to."""
    statistics = {
        "energy_drift": energy_drift(dynamics, data, tolerance),
        "max_drift": bounds.drift,
    }
    held = [(one, part) for one, part in motion.parts if one.m]
    if held:
        fastest = np.abs(data["speeds"].to_numpy()).max(axis=0)
        off = max(float(residual(one, part, fastest).max()) for one, part in held)
        statistics |= {"constraint_residual": off, "max_residual": bounds.residual}
    if dynamics.m:
        statistics["rank"] = dynamics.constraints.rank
    return statistics


def _statistics(trajectory: Trajectory, seconds: float, events: Sequence[Event]) -> dict[str, Any]:
    """Return what an integration took, and what happened."""
    happened = {one.when for one in trajectory.occurrences}
    return {
        "seconds": seconds,
        "evaluations": trajectory.evaluations,
        "steps": trajectory.steps,
        "events": [{"when": one.when, "time": one.time} for one in trajectory.occurrences],
        "events_missed": [one.when for one in events if one.when not in happened],
        "singular_positions": [*trajectory.singular],
        "nearest_singular": dict(zip(("value", "time"), trajectory.nearest, strict=True)),
    }


def _near_singular(trajectory: Trajectory) -> Iterator[str]:
    """Tell of constraints that come near losing their rank."""
    value, time = trajectory.nearest
    if value < NEARLY and not trajectory.singular:
        yield (
            f"the constraints come near losing their rank: the least singular value of their "
            f"matrix is {value:.1e} of the largest at t = {time:.6g} s, where forces are uncertain"
        )


def _backend() -> str:
    """Return what computes the motion: C where there is a compiler."""
    return "c" if has_compiler() else "numpy"


def _given(model: Model, initial: Mapping[str, Value]) -> set[str]:
    """Return the names of the coordinates and speeds that were given an initial value."""
    entries = model.coordinates.items()
    coordinates = {name for name, entry in entries if entry.initial is not None}
    return {*initial, *coordinates, *(f"{name}_dot" for name, e in entries if e.initial_speed != 0)}


def _decided(initial: Mapping[str, float], guess: Array, given: set[str]) -> dict[str, float]:
    """Return the given values of coordinates and speeds that the constraints changed."""
    pairs = zip(initial.items(), guess.tolist(), strict=True)
    return {
        name: first
        for (name, value), first in pairs
        if name in given and abs(value - first) > CHANGED
    }


def _provenance(
    mechanism: Mechanism, setup: Setup, tolerance: float, checked: str
) -> dict[str, Any]:
    model, names = mechanism.model, mechanism.names
    return {
        **provenance_of(model, setup.constants),
        "checked": checked,
        "tolerance": tolerance,
        "initial": setup.initial(names),
        "inputs": setup.laws(names),
        "sampled": list(setup.sampled),
    }


# ------------------------------------------------------------------ documents


def check_documents(model: Model) -> str:
    """Return what the documents of a model say of it, kept from one run to the next.

    Unreadable parts are reported, and do not count.

    Raises
    ------
    SimulationError
        If a document differs in a way that is not recorded.
    """
    documents = tuple(documents_beside(model.source)) if model.source else ()
    if not documents:
        return "no documents"
    name = cache.key("documents", cache.sources(), fingerprint(model), *_texts_read(documents))
    return cache.cached(name, lambda: _checked(model, documents).encode()).decode()


def _texts_read(documents: Sequence[Document | DocumentError]) -> Iterator[str]:
    """Iterate over all that a check of documents reads."""
    for document in documents:
        if isinstance(document, DocumentError):
            yield str(document)
            continue
        yield document.name
        yield document.front.model_dump_json()
        yield document.text
        try:
            for name, other in _models(document).items():
                yield name
                yield fingerprint(other)
        except (DocumentError, ModelError) as error:
            yield str(error)


def _models(document: Document) -> dict[str, Model]:
    return {document.front.model: model_of(document), **section_models(document)}


def _checked(model: Model, documents: Sequence[Document | DocumentError]) -> str:
    found = list(surprises(model))
    if differing := [one.text for one in found if one.differs]:
        raise SimulationError(
            "the equations differ from their documents in a way that is not recorded:\n  "
            + "\n  ".join(differing)
            + "\nmend the page or the model, record it in the errata of the page, or go on without "
            "a check (unchecked=True, --unchecked)"
        )
    pages = [one for one in documents if isinstance(one, Document)]
    of_model = [one for one in pages if _is_about(one, model)]
    about = [one for one in of_model if not is_outdated(one, model)]
    titles = ", ".join(one.front.title for one in about)
    lines = [f"nothing differs unrecorded from {titles}" if about else "no documents"]
    lines += [f"warning: not read: {one.text}" for one in found]
    for page in (page for page in of_model if page not in about):
        lines.append(f"left aside: {page.path.name}, derived before the model was changed")
    for page in (page for page in pages if page not in of_model):
        lines.append(f"left aside: {page.path.name}, which names the model '{page.front.model}'")
    return "\n  ".join(lines)


def _is_about(document: Document, model: Model) -> bool:
    try:
        return is_about(document, model)
    except (DocumentError, ModelError):
        return False
