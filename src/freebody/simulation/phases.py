"""A motion with impacts: one phase after another, with what is closed in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.events import Event, Events
from freebody.simulation.impact_events import impact_event, opening_event, release_event
from freebody.simulation.impacts import BRIEF, ImpactEvent, ImpactSolver, Names
from freebody.simulation.integrate import IntegrationProblem, Run, Trajectory
from freebody.simulation.result import simulation_dataset

if TYPE_CHECKING:
    import xarray as xr

LABELS = ("term", "constraint", "direction")
"""The dimensions along which phases differ."""
UNEVEN = 7.3
"""The steps of a flight, of which none ends where the next impact is expected."""
MOST = 10_000
"""The most impacts of a motion."""

MakeIntegrator = Callable[[IntegrationProblem], Run]


@dataclass(frozen=True)
class Phase:
    """A part of a motion.

    Attributes
    ----------
    dynamics : Dynamics
        With what is closed as constraints.
    trajectory : Trajectory
        At the times of the result within it.
    """

    dynamics: Dynamics
    trajectory: Trajectory


class ImpactMotion:
    """Follows a motion from impact to impact.

    Parameters
    ----------
    problem : IntegrationProblem
        Of the mechanism while nothing is closed.
    make_integrator : callable
        Of an engine.
    method_of : callable
        Gives the method of the engine, with constraints or without.

    Attributes
    ----------
    phases : list of Phase
    happened : list of ImpactEvent
    parts : list of tuple of Dynamics and xarray.Dataset
        The arrays of each set of impacts that were closed, once they are asked for.
    """

    def __init__(
        self,
        problem: IntegrationProblem,
        make_integrator: MakeIntegrator,
        method_of: Callable[[bool], str],
    ) -> None:
        self.problem, self._make, self._method_of = problem, make_integrator, method_of
        self._solver = ImpactSolver(problem.dynamics)
        self._events = problem.events.events
        self.phases: list[Phase] = []
        self.happened: list[ImpactEvent] = []
        self.parts: list[tuple[Dynamics, xr.Dataset]] = []
        self._t, self._work = float(problem.times[0]), 0.0
        self._closed: Names = frozenset()
        self._idle: set[str] = set()
        """What is beyond closed and did not happen: it has to open before it can."""

    def trajectory(self) -> Trajectory:
        """Integrate, and return the motion as a whole.

        Raises
        ------
        SimulationError
            If a phase cannot be integrated, or there are too many impacts.
        """
        state = self._begin(self.problem.state)
        going = True
        while going:
            state, going = self._phase(state)
            if max(len(self.happened), len(self.phases) // 4) > MOST:
                raise SimulationError(f"more than {MOST} impacts before t = {self._t:.6g} s")
        return self._joined([phase.trajectory for phase in self.phases])

    def _begin(self, state: Array) -> Array:
        """Return the state after impacts that happen at once, with what is closed."""
        if not self._solver.impacts:
            return state
        n, t = self.problem.dynamics.n, self._t
        q, u = state[:n], state[n:]
        at_once = self._solver.closing(t, q, u)
        u = self._strike(at_once, t, q, u) if at_once else u
        u = self._settle(t, q, u)
        return np.concatenate([q, u])

    def _strike(self, names: list[str], t: float, q: Array, u: Array) -> Array:
        strike = self._solver.struck(names, t, q, u, self._closed)
        self.happened += strike.events
        self._work -= strike.energy_lost
        self._closed = strike.closed
        return strike.speeds

    def _settle(self, t: float, q: Array, u: Array) -> Array:
        """See what stays closed, and bring what would part ever more briefly to rest."""
        self._closed = self._solver.settled(t, q, u, self._closed)
        times = self._solver.brief(t, q, u, self._closed)
        resting = frozenset(name for name, time in times.items() if time < BRIEF)
        if not resting:
            return u
        still = self._solver.stilled(resting, t, q, u, self._closed)
        lost = self._solver.energy(t, q, u) - self._solver.energy(t, q, still)
        self._work -= lost
        self.happened += [ImpactEvent(name, t, "rests", {}, lost) for name in sorted(resting)]
        self._closed = self._solver.settled(t, q, still, self._closed | resting)
        return still

    def _phase(self, state: Array) -> tuple[Array, bool]:
        """Integrate up to the next impact; return the state after it, and whether it goes on."""
        n, whole = self.problem.dynamics.n, self.problem.times
        dynamics = self._solver.mode(self._closed, self._t, state[:n], state[n:])
        watched = [*self._watched()]
        events = Events(dynamics, [*self._events, *(event for _, event in watched)])
        later = whole[whole > self._t]
        parting, ahead = self._ahead(state)
        if self._t + ahead < whole[-1]:
            later = np.append(later[later < self._t + ahead], self._t + ahead)
        problem = replace(
            self.problem,
            dynamics=dynamics,
            state=state,
            times=np.array([self._t, *later]),
            limit=ahead / UNEVEN,
            opening=tuple(
                len(self._events) + number
                for number, (name, _) in enumerate(watched)
                if name in parting
            ),
            method=self._method_of(dynamics.m > 0),
            events=events,
            whole=float(whole[-1] - whole[0]),
        )
        found = self._make(problem)()
        last = found.occurrences[-1] if found.occurrences else None
        closes = last is not None and last.number >= len(self._events)
        self._keep(dynamics, found)
        self._t, self._work = float(found.times[-1]), self._work + float(found.work[-1])
        state = found.states[-1]
        if last is None or not closes:
            if self._solver.impacts:
                self._solver.expect_open(self._t, state[:n], state[n:], self._closed)
            ended = found.times[-1] < later[-1]  # by an event that stops
            return state, bool(not ended and self._t < whole[-1])
        name = watched[last.number - len(self._events)][0]
        return self._after(name, last.state), bool(self._t < whole[-1])

    def _ahead(self, state: Array) -> tuple[Names, float]:
        """Return what has just parted, and twice the time until it is expected to close again."""
        if not self._solver.impacts:
            return frozenset(), np.inf
        n = self.problem.dynamics.n
        at = self._t, state[:n], state[n:], self._closed
        return self._solver.parting(*at), 2 * min(self._solver.brief(*at).values(), default=np.inf)

    def _watched(self) -> Iterator[tuple[str, Event]]:
        """Iterate over what may happen next: what is open closes, what is closed lets go."""
        for name, impact in self._solver.impacts.items():
            if name in self._idle:
                yield name, opening_event(impact)
            elif name not in self._closed:
                yield name, impact_event(impact, self._solver.reach)
            elif impact.pushes:
                yield name, release_event(impact)

    def _after(self, name: str, state: Array) -> Array:
        """Return the state after something closes or lets go."""
        n, t = self.problem.dynamics.n, self._t
        q, u = state[:n], state[n:]
        if name in self._closed:
            self.happened.append(ImpactEvent(name, t, "leaves", {}, 0.0))
            self._closed = self._closed - {name}
            self._solver.expect_parting(name, t, q, u, self._closed)
        elif name in self._idle:
            self._idle.remove(name)
        elif self._solver.allowed(name, t, q, u):
            before = len(self.happened), self._closed
            u = self._settle(t, q, self._strike([name], t, q, u))
            if (len(self.happened), self._closed) == before:
                self._idle.add(name)  # it is closed by rounding alone
        else:
            self._idle.add(name)
        return np.concatenate([q, u])

    # ------------------------------------------------------------------ what is kept

    def _keep(self, dynamics: Dynamics, found: Trajectory) -> None:
        kept = np.isin(found.times, self.problem.times)
        kept[0] = not self.phases
        number = len(self._events)
        occurrences = tuple(one for one in found.occurrences if one.number < number)
        if occurrences and self._events[occurrences[-1].number].action == "stop":
            kept[-1] = True
        part = replace(
            found,
            times=found.times[kept],
            states=found.states[kept],
            work=found.work[kept] + self._work,
            occurrences=occurrences,
        )
        self.phases.append(Phase(dynamics, part))

    def _joined(self, parts: list[Trajectory]) -> Trajectory:
        return Trajectory(
            np.concatenate([part.times for part in parts]),
            np.concatenate([part.states for part in parts]),
            np.concatenate([part.work for part in parts]),
            sum(part.evaluations for part in parts),
            sum(part.steps for part in parts),
            tuple(one for part in parts for one in part.occurrences),
            tuple(t for part in parts for t in part.singular),
            min(part.nearest for part in parts),
        )

    def dataset(self, compliances: Array | None) -> tuple[xr.Dataset, list[str]]:
        """Return the arrays of all phases, and what there is to know of them.

        Forces of what is not closed are zero.

        Parameters
        ----------
        compliances : array, optional
            See `simulation_dataset`.
        """
        import xarray as xr  # slow to import

        by_mode: dict[int, list[Phase]] = {}
        for phase in self.phases:
            by_mode.setdefault(id(phase.dynamics), []).append(phase)
        notes = list[str]()
        for phases in by_mode.values():
            whole = self._joined([phase.trajectory for phase in phases])
            if len(whole.times):
                data, more = simulation_dataset(phases[0].dynamics, whole, compliances)
                self.parts.append((phases[0].dynamics, data))
                notes += more
        parts = [data for _, data in self.parts]
        if len(parts) == 1:
            return parts[0], notes
        labels = {name: _labels(parts, name) for name in LABELS}
        wide = [_widened(part, labels) for part in parts]
        whole_data = xr.concat(wide, "time", data_vars="all", combine_attrs="override")
        return whole_data.sortby("time"), notes


def _labels(parts: list[xr.Dataset], name: str) -> list[str]:
    """Return the labels along a dimension that any part has."""
    known = (label for part in parts if name in part for label in part[name].to_numpy().tolist())
    return list(dict.fromkeys(known))


def _widened(data: xr.Dataset, labels: dict[str, list[str]]) -> xr.Dataset:
    """Return arrays with the labels of all phases; what is not there is zero."""
    wide = data.reindex({name: of for name, of in labels.items() if name in data}, fill_value=0.0)
    times, constraints = wide["time"], labels["constraint"]
    if constraints and "constraint" not in wide:
        blank = np.zeros((len(times), len(constraints)))
        wide = wide.assign_coords(constraint=constraints)
        for name in ("constraint_force", "constraint_residual"):
            wide[name] = (("time", "constraint"), blank)
        wide["rank"] = (("time",), np.zeros(len(times), dtype=int))
    if "independence" not in wide:
        wide["independence"] = (("time",), np.ones(len(times)))
    return wide
