"""The best movement of a model."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.mechanics.build import mechanism
from freebody.mechanics.impacts import impact_named
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model.names import speed_names
from freebody.motion.motion import Motion, motion_dataset
from freebody.motion.reading import AnyMotion, motion_of
from freebody.optimization.ends import expect_impacts, while_closed
from freebody.optimization.equations import sought_inputs, sought_laws
from freebody.optimization.forward import ExcitedForward, Forward
from freebody.optimization.muscles import ExcitedMuscles
from freebody.optimization.problem import Solution, Wanted, expect_casadi, expect_sensible
from freebody.optimization.starts import StartsJob, best_of
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.setup import constants_of
from freebody.workers import AnyScheduler

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Ends = Mapping[str, float | str | tuple[float | str, float | str]]
SURE = 1e-3
"""From which error over one interval, as a part of the range of a coordinate, it is told."""


@dataclass(frozen=True, repr=False)
class OptimalMotion(Result):
    """A movement that is the best among those nearby.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time``, nodes and the middles between them: ``coordinates``, ``speeds``,
        ``accelerations``, ``inputs``, with constraints ``constraint_force``, with excited muscles
        ``excitation`` and ``activation``; over ``node``, whose
        times are ``node_time``: ``simulated`` (node, coordinate), the motion from the first state
        with these inputs alone.
    statistics : dict
        ``objective``, ``duration``, ``iterations``, ``interval_error`` (the largest error of the
        coordinates over one interval), ``simulated_error`` (that of the whole motion simulated),
        with an impact at its end ``impact``: ``impulses``, ``energy_lost`` and ``speeds_after``;
        ``objectives`` of all starts, None where nothing was found, and which was the ``best``.
    """

    @property
    def constants(self) -> dict[str, float]:
        """The constants that it moves with, those that were sought among them."""
        return dict(self.provenance["constants"])

    @property
    def motion(self) -> Motion:
        """The movement as a motion, with its derivatives."""
        model = self.mechanism.model
        units = [entry.unit for entry in model.coordinates.values()]
        whole = ("coordinates", "speeds", "accelerations")
        names = whole[:1] if model.speeds else whole
        arrays = {name: self.data[name].to_numpy() for name in names}
        data = motion_dataset(
            self.data["time"].to_numpy(), list(model.coordinates), units, **arrays
        )
        made = Motion(data, "optimal motion", {"derivatives": "of the solution"})
        return made.differentiated() if model.speeds else made

    def figure(self) -> Figure:
        """Return coordinates with their simulation, and the inputs."""
        from freebody.optimization.figures import figure

        return figure(self)


@checked
def optimal_motion(
    model: AnyModel,
    duration: float | tuple[float, float],
    minimize: str | None = None,
    *,
    minimize_end: str | None = None,
    start: Ends | None = None,
    end: Ends | None = None,
    bounds: Ends | None = None,
    inputs: Mapping[str, str | float] | None = None,
    free: Mapping[str, tuple[float, float]] | None = None,
    closed: Sequence[str] = (),
    impact: str | None = None,
    cycle: Mapping[str, str] | None = None,
    excited: bool = False,
    constants: Mapping[str, float] | None = None,
    guess: AnyMotion | None = None,
    nodes: int = 31,
    iterations: int = 1000,
    tolerance: float = 1e-8,
    starts: int = 1,
    seed: int = 0,
    scheduler: AnyScheduler = None,
) -> OptimalMotion:
    """Find the movement of a model that is the best, by CasADi and its IPOPT.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
    duration : float or tuple of two float
        In s; between two numbers, if it is to be found.
    minimize : str, optional
        The integrand of what is to be small, an expression of time, coordinates, speeds, inputs
        and constants: ``"T1**2 + T2**2"`` for effort, ``"1"`` for the shortest time.
    minimize_end : str, optional
        What is to be small at the end, as ``"-y"`` where a height is to be large; it is added.
    start : mapping of str to limits, optional
        What coordinates, speeds and others are at first: a number or an expression of constants, or
        a pair of them to be between. Without it, all are as the model says; with it, others are
        free.
    end, bounds : mapping of str to limits, optional
        What is so at the end, and all the time: besides coordinates, speeds and inputs,
        ``position.hand.x`` and ``velocity.hand.y`` of places, and expressions.
    inputs : mapping of str to value, optional
        Inputs that follow a law; all others are sought.
    free : mapping of str to tuple of two float, optional
        Constants that are sought too, between two numbers.
    closed : sequence of str, optional
        Impacts of the model that are closed all the time, such as a foot that stands; those that
        push do not pull.
    impact : str, optional
        The impact that ends the movement, with which those that are closed let go.
    cycle : mapping of str to str, optional
        What the movement goes on as: coordinates and speeds at the start as expressions of the
        state at the end, after the impact: ``{"left": "right", "right": "left"}`` for a step whose
        next is its mirror image. Without a start then nothing else is said of it.
    excited : bool, optional
        Whether muscles are excited, all of which need a ``hill``: excitations from 0.01 to 1 are
        sought instead of tensions, with activations and fibres as `freebody.excite` has them.
        Expressions may have ``excitation.NAME`` and ``activation.NAME``. Without a start or cycle
        of it an activation is 0.01 at first, and fibres on elastic tendons rest.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.
    guess : Motion, Result, str or Path, optional
        Where to begin; else straight from start to end. Of several best movements, that is found
        which is nearest downhill.
    nodes : int, optional
        At which the equations hold, and in the middles between them.
    iterations, tolerance : optional
        Of IPOPT.
    starts : int, optional
        From how many guesses to search: from the second on, the guess moved at random by a few
        waves of time. The best of what is found is given.
    seed : int, optional
        Of these guesses.
    scheduler : int, str or distributed.Client, optional
        Who searches, as `freebody.sweep` takes it.

    Returns
    -------
    OptimalMotion
        The motion with its inputs, and how far a simulation of these is off it.

    Raises
    ------
    BackendError
        If CasADi is not installed.
    SchedulerError
        If there is no such scheduler.
    ArgumentError, SimulationError
        If a limit, an impact or an expression is none, something has no value, or no movement is
        found.

    Examples
    --------
    >>> import freebody
    >>> lifted = freebody.optimal_motion(
    ...     "pendulum", 1.0, "T**2", start={"theta": 0, "theta_dot": 0},
    ...     end={"theta": 1, "theta_dot": 0}, nodes=11,
    ... )
    >>> lifted.statistics["simulated_error"] < 1e-3
    True
    """
    expect_casadi()
    moving = mechanism(model)
    moving.expect_independent("the search for a best motion")
    expect_impacts(moving, tuple(closed), impact)
    known, problems = constants_of(moving, constants or {})
    if problems:
        raise SimulationError("; ".join(problems))
    wanted = Wanted(
        duration,
        minimize,
        minimize_end,
        (_start(moving) if not cycle else {}) if start is None else start,
        end or {},
        bounds or {},
        free or {},
        tuple(closed),
        impact,
        cycle or {},
        excited,
        nodes,
        iterations,
        tolerance,
    )
    expect_sensible(wanted, list(moving.names.constants))
    laws = dict(inputs or {})
    pulled = set[str]()
    if excited:
        muscles = ExcitedMuscles(moving, known)
        muscles.expect_fixed(wanted.free)
        pulled = {*muscles.tensions}
    sought = sought_inputs(moving, {*sought_laws(moving, laws), *pulled})
    first = _first(moving, len(sought), wanted, known, guess)
    job = StartsJob(moving.model, wanted, known, laws, first, seed)
    begun = time.perf_counter()
    solution, of_starts = best_of(job, starts, scheduler if starts > 1 else 1)
    seconds = time.perf_counter() - begun
    moving = while_closed(moving, wanted.closed, first[0][0], known)
    return _result(moving, wanted, solution, known, seconds, laws, of_starts)


def _start(moving: Mechanism) -> dict[str, Any]:
    """Return the initial values of the model that no constraint decides."""
    chosen: dict[str, Any] = {}
    for (name, entry), speed in zip(
        moving.model.coordinates.items(), speed_names(moving.model), strict=True
    ):
        if name not in moving.dependent and entry.initial is not None:
            chosen[name] = entry.initial
        if (
            not moving.model.speeds
            and name not in moving.dependent
            and speed not in moving.dependent
        ):
            chosen[speed] = entry.initial_speed
    return chosen


def _first(
    moving: Mechanism,
    sought: int,
    wanted: Wanted,
    known: Mapping[str, float],
    guess: AnyMotion | None,
) -> tuple[Array, Array, Array]:
    """Return where to begin: coordinates, speeds and sought inputs at all times."""
    count = 2 * wanted.nodes - 1
    controls = np.zeros((count, sought))
    if guess is not None:
        given = motion_of(guess, moving)
        given = given if "speeds" in given.data else given.differentiated()
        samples = given.samples(moving.model)
        at = np.linspace(samples.times[0], samples.times[-1], count)
        columns = [
            np.column_stack([np.interp(at, samples.times, column) for column in part.T])
            for part in (samples.q, samples.q_dot)
        ]
        return columns[0], columns[1], controls
    duration = np.mean(wanted.duration)
    s = np.linspace(0, 1, count)[:, None]
    entries = moving.model.coordinates.items()
    initial = {name: _number(moving, entry.initial, known, 0.0) for name, entry in entries}
    first = np.array([_number(moving, wanted.start.get(n), known, v) for n, v in initial.items()])
    starting = dict(zip(initial, first.tolist(), strict=True))
    again = {of: starting[name] for name, of in wanted.cycle.items() if name in starting}
    pairs = ((name, again.get(name, value)) for name, value in starting.items())
    last = np.array([_number(moving, wanted.end.get(name), known, one) for name, one in pairs])
    q = first + s * (last - first)
    rates = (last - first) / float(duration)
    u = np.broadcast_to(rates if not moving.model.speeds else np.zeros_like(rates), q.shape)
    return q, u, controls


def _number(moving: Mechanism, text: Any, known: Mapping[str, float], otherwise: float) -> float:
    """Return a value or the middle of two, as a number."""
    if text is None:
        return otherwise
    if isinstance(text, tuple):
        return (_number(moving, text[0], known, 0.0) + _number(moving, text[1], known, 0.0)) / 2
    return float(moving.names.number(text, known))


def _result(
    moving: Mechanism,
    wanted: Wanted,
    solution: Solution,
    known: Mapping[str, float],
    seconds: float,
    laws: dict[str, Any],
    of_starts: Mapping[str, Any],
) -> OptimalMotion:
    constants = dict(zip(known, solution.constants.tolist(), strict=True))
    forward, n = Forward(moving, solution), len(moving.speeds)
    if wanted.excited:
        forward = ExcitedForward(moving, solution, constants)
    nodes, whole = forward.states, forward.whole()
    apart = np.abs(forward.each() - nodes[1:])[:, :n].max(axis=0)
    off = np.abs(whole - nodes)[:, :n].max(axis=0)
    names = list(moving.model.coordinates)
    variables: dict[str, Any] = {
        "coordinates": (("time", "coordinate"), solution.q),
        "speeds": (("time", "speed"), solution.u),
        "accelerations": (("time", "speed"), solution.a),
        "inputs": (("time", "input"), solution.inputs),
        "simulated": (("node", "coordinate"), whole[:, :n]),
    }
    count = len(nodes)
    labels = {"time": solution.times, "node": [f"{place}" for place in range(count)]}
    labels["node_time"] = ("node", solution.times[::2])
    if moving.multipliers:
        variables["constraint_force"] = (("time", "constraint"), solution.multipliers)
        labels["constraint"] = [str(symbol.func) for symbol in moving.multipliers]
    if wanted.excited:
        for name in ("excitation", "activation"):
            variables[name] = (("time", "muscle"), solution.muscles[name])
        labels["muscle"] = [muscle.name for muscle in moving.model.muscles]
    statistics = {
        "objective": solution.objective,
        "duration": float(solution.times[-1]),
        "iterations": solution.iterations,
        "status": solution.status,
        "seconds": seconds,
        "interval_error": float(apart.max()),
        "simulated_error": float(np.nan_to_num(off, nan=np.inf).max()),
        "free": {name: constants[name] for name in wanted.free},
        **_of_impact(moving, wanted, solution),
        **of_starts,
    }
    provenance = {
        **provenance_of(moving.model, constants),
        "method": f"Hermite-Simpson collocation at {count} nodes, by CasADi and IPOPT",
        "minimize": wanted.minimize,
        "minimize_end": wanted.minimize_end,
        "start": _plain(wanted.start),
        "end": _plain(wanted.end),
        "bounds": _plain(wanted.bounds),
        "closed": list(wanted.closed),
        "impact": wanted.impact,
        "cycle": dict(wanted.cycle),
        "excited": wanted.excited,
        "inputs": laws,
        "tolerance": wanted.tolerance,
    }
    worst = names[int(np.argmax(apart))]
    worst_off, worst_apart = statistics["simulated_error"], float(apart.max())
    how = f"up to {worst_off:.2g} off, and over one interval up to {worst_apart:.2g} ({worst})"
    notes = [f"simulated from its first state with these inputs alone, it is {how}"]
    if (apart > SURE * np.maximum(np.ptp(solution.q, axis=0), 1e-6)).any():
        notes.append("it is not yet resolved between its nodes: expected more of them")
    data = dataset(moving.model, variables, labels)
    return OptimalMotion(data, moving, provenance, statistics, tuple(notes))


def _of_impact(moving: Mechanism, wanted: Wanted, solution: Solution) -> dict[str, Any]:
    """Return what is told of the impact that ends a movement."""
    if solution.speeds_after is None or solution.impulses is None:
        return {}
    impulses = [str(symbol.func) for symbol in impact_named(moving, str(wanted.impact)).impulses]
    return {
        "impact": {
            "name": wanted.impact,
            "impulses": dict(zip(impulses, solution.impulses.tolist(), strict=False)),
            "energy_lost": solution.energy_lost,
            "speeds_after": dict(
                zip(speed_names(moving.model), solution.speeds_after.tolist(), strict=True)
            ),
        }
    }


def _plain(limits: Ends) -> dict[str, Any]:
    return {name: list(of) if isinstance(of, tuple) else of for name, of in limits.items()}
