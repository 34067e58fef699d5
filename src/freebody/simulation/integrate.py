"""A motion followed step by step: what all engines have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.events import Events, Occurrence

NEAR = 1e-4
"""Below this part of the largest, the least singular value is taken across zero in one step."""
NONE = 1e-7
"""Below this part of the largest, the motion is undecided."""
FIRST = 0.5
"""The largest step towards a singular position, as a part of the time to it."""
SMOOTH = 1e-2
"""The largest accepted residual beyond a singular position, as a part of the step."""
ROUNDS = 4


class SingularCrossing:
    """The way of a mechanism across singular positions.

    Where a singular value of the constraints' matrix becomes zero, branches of the motion meet. A
    mechanism that arrives there with a velocity keeps it on one branch alone: that smooth
    continuation is taken where there is one. It is a choice, for the least disturbance leads to
    another branch.

    Parameters
    ----------
    dynamics : Dynamics
        With constraints.

    References
    ----------
    Gonzalez, Dopico, Pastorino and Cuadrado, Behaviour of augmented Lagrangian and Hamiltonian
    methods for multibody dynamics in the proximity of singular configurations, Nonlinear Dynamics
    85, 2016.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.n = dynamics, dynamics.n

    def ahead(self, t: float, y: Array) -> tuple[float, float]:
        """Return the least singular value of the constraints' matrix, and the time until it is 0.

        The value is a part of the largest one; the time is infinite where it grows.

        Parameters
        ----------
        t : float
            In s.
        y : array, shape (2 n + 1,)
            Coordinates, speeds and work.

        Returns
        -------
        value : float
        until : float
            In s.

        Raises
        ------
        SimulationError
            If the value is zero.
        """
        value, rate = self.dynamics.constraints.independence(t, y[: self.n], y[self.n : -1])
        if value < NONE:
            raise self._undecided(t, "the mechanism does not leave it by a motion of its own")
        return value, value / -rate if rate < 0 else np.inf

    def across(self, t: float, y: Array, until: float) -> tuple[float, Array]:
        """Return the time and the state as far behind a singular position as this is ahead.

        The rates on both sides give the state behind it to the fifth order of the step.

        Parameters
        ----------
        t : float
            In s.
        y : array, shape (2 n + 1,)
            Coordinates, speeds and work.
        until : float
            The time to the singular position, in s.

        Returns
        -------
        t : float
            In s.
        y : array, shape (2 n + 1,)

        Raises
        ------
        SimulationError
            If the motion does not go on smoothly.
        """
        n, step = self.n, 2 * until
        first = last = self.dynamics.change(t, y)
        for _ in range(ROUNDS):
            free = y + step / 2 * (first + last)
            free[:n] -= step**2 / 12 * (last - first)[n : 2 * n]
            behind = self._onto_constraints(t + step, free)
            last = self.dynamics.change(t + step, behind)
        moved, off = np.abs(behind - y), np.abs(behind - free)
        value, rate = self.dynamics.constraints.independence(t + step, behind[:n], behind[n:-1])
        smooth = off[:n].max() <= SMOOTH * moved[:n].max()
        smooth &= off[n:-1].max() <= SMOOTH * np.abs(y[n:-1]).max()
        if not (smooth and rate > 0 and NEAR / 10 < value < 10 * NEAR):
            raise self._undecided(t + until, "there is no smooth continuation")
        return t + step, behind

    def _onto_constraints(self, t: float, y: Array) -> Array:
        n = self.n
        try:
            q, u = self.dynamics.constraints.projected(t, y[:n], y[n:-1])
        except SimulationError:
            raise self._undecided(t, "beyond it the constraints cannot be met") from None
        return np.concatenate([q, u, y[-1:]])

    def _undecided(self, t: float, why: str) -> SimulationError:
        return SimulationError(
            f"the constraints' matrix is singular at about t = {t:.6g} s: the mechanism is in a "
            f"singular position, where the equations do not decide how it goes on, and {why}"
        )


# ------------------------------------------------------------------ steps

STEPS = 20_000
"""The most steps that an engine takes from one time of the result to the next."""
LEAST = 100
"""The least number of steps of a motion that depends on time."""
INSTANT = 1e-6
"""The time by which the direction of a motion that starts on an event is determined, in s."""
CLOSE = 1e-6
"""The shortest time between two occurrences of an event that sets speeds, in s."""

Progress = Callable[[float], None]
"""Is told the time reached, in s."""


@dataclass(frozen=True)
class IntegrationProblem:
    """What an engine is given.

    Attributes
    ----------
    dynamics : Dynamics
    state : array, shape (2 n,)
        Initial coordinates and speeds.
    times : array
        At which states are asked for.
    method : str
        Of the engine.
    tolerance : float
        Relative and absolute.
    progress : callable
    events : Events
    whole : float, optional
        The time of the motion that this is a part of, in s; that of the ``times`` unless given.
    limit : float, optional
        The longest step besides, in s.
    opening : tuple of int, optional
        Events whose expressions are about to become positive.
    """

    dynamics: Dynamics
    state: Array
    times: Array
    method: str
    tolerance: float
    progress: Progress
    events: Events
    whole: float | None = None
    limit: float = np.inf
    opening: tuple[int, ...] = ()

    @property
    def augmented_state(self) -> Array:
        """The initial state with the work done so far, none."""
        return np.append(self.state, 0.0)

    @cached_property
    def longest(self) -> float:
        """The longest step, in s: what depends on time may come and go within a longer one."""
        whole = float(self.times[-1] - self.times[0])
        largest = float(np.diff(self.times).max())
        part = (self.whole or whole) / LEAST
        return min(largest, part, self.limit) if self.dynamics.is_driven else min(whole, self.limit)

    def step_failure(self, t: float, y: Array, message: str) -> SimulationError:
        """Return the error where no step can be taken from a state.

        Parameters
        ----------
        t : float
            In s.
        y : array, shape (2 n + 1,)
            The state from which no step can be taken.
        message : str
            What the method says.
        """
        rank = " or the constraints lose rank" if self.dynamics.m else ""
        return SimulationError(
            f"no step of the tolerance {self.tolerance:g} can be taken at about "
            f"t = {t:.6g} s, where the motion may blow up{rank}: {message}"
            f"{self.dynamics.edges(t, y)}"
        )


@dataclass(frozen=True)
class Trajectory:
    """What an engine gives.

    Attributes
    ----------
    times : array, shape (times,)
        Up to where the motion was stopped.
    states : array, shape (times, 2 n)
        Coordinates and speeds.
    work : array, shape (times,)
        Work done since the beginning by all that neither gravity nor springs do, in J.
    evaluations, steps : int
        What it took.
    occurrences : tuple of Occurrence
        The events that happened.
    singular : tuple of float
        The times of singular positions after which the smooth continuation was chosen.
    nearest : tuple of two float
        The least singular value of the constraints' matrix, as a part of the largest, and when.
    """

    times: Array
    states: Array
    work: Array
    evaluations: int
    steps: int
    occurrences: tuple[Occurrence, ...] = ()
    singular: tuple[float, ...] = ()
    nearest: tuple[float, float] = (1.0, 0.0)

    @classmethod
    def of(
        cls,
        times: Array,
        rows: Array,
        evaluations: int,
        steps: int,
        occurrences: tuple[Occurrence, ...] = (),
        singular: tuple[float, ...] = (),
        nearest: tuple[float, float] = (1.0, 0.0),
    ) -> Trajectory:
        """Return the trajectory of states with the work as their last entry.

        Parameters
        ----------
        times : array, shape (times,)
        rows : array, shape (times, 2 n + 1)
            Coordinates, speeds and work.
        evaluations, steps : int
        occurrences : tuple of Occurrence, optional
        singular : tuple of float, optional
        nearest : tuple of two float, optional

        Raises
        ------
        SimulationError
            If a value is not finite.
        """
        if not np.all(np.isfinite(rows)):
            first = times[np.argmin(np.isfinite(rows).all(axis=1))]
            raise SimulationError(f"a value is not finite at t = {first:.6g} s")
        states, work = rows[:, :-1], rows[:, -1]
        return cls(times, states, work, evaluations, steps, occurrences, singular, nearest)


Run = Callable[[], Trajectory]
"""Integrates a prepared problem, once."""


class Stepper(Protocol):
    """A method that takes one step after another."""

    @property
    def t(self) -> float:
        """The time reached, in s."""
        ...

    @property
    def y(self) -> Array:
        """The state there, coordinates, speeds and the work done, shape (2 n + 1,)."""
        ...

    @property
    def evaluations(self) -> int:
        """The number of evaluations of the rates."""
        ...

    def step(self) -> None:
        """Take a step."""
        ...

    def at(self, t: float) -> Array:
        """Return the state at a time within the last step."""
        ...

    def crossings(self) -> list[tuple[float, int]]:
        """Return when events happened within the last step, in order, and their numbers."""
        ...

    def limit(self, longest: float) -> None:
        """Let the next steps be no longer, in s."""
        ...

    def set_state(self, y: Array) -> None:
        """Go on from a state on the constraints, near the one that was reached."""
        ...

    def restart(self, t: float, y: Array) -> None:
        """Go on from another state."""
        ...


def follow(problem: IntegrationProblem, stepper: Stepper) -> Trajectory:
    """Step through a motion.

    With constraints, the state is projected back on them after each step.

    Raises
    ------
    SimulationError
        If a step cannot be taken, or a value is not finite.

    References
    ----------
    Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006, section IV.4 (projection).
    """
    return _Integration(problem, stepper).trajectory()


class _Integration:
    def __init__(self, problem: IntegrationProblem, stepper: Stepper) -> None:
        self.problem, self.stepper = problem, stepper
        self.steps = self._taken = 0
        self.times, self.states = [float(problem.times[0])], [problem.augmented_state]
        self._next, self._restarted = 1, False
        self.occurrences: list[Occurrence] = []
        self._last: dict[int, float] = {}
        self._crossing = SingularCrossing(problem.dynamics) if problem.dynamics.m else None
        self.singular: list[float] = []
        self.nearest = (1.0, 0.0)

    def trajectory(self) -> Trajectory:
        times = self.problem.times
        stopped = self._take_events(self._events_at_start())
        while not stopped and self._next < len(times):
            self._step()
            stopped = self._take_step()
        parts = np.array(self.times), np.array(self.states)
        evaluations, events = self.stepper.evaluations, tuple(self.occurrences)
        singular = tuple(self.singular)
        return Trajectory.of(*parts, evaluations, self.steps, events, singular, self.nearest)

    def _step(self) -> None:
        if self._crossing is not None:
            self._approach(self._crossing)
        self.stepper.step()
        self.problem.progress(float(self.stepper.t))
        self.steps += 1
        self._taken += 1
        if self._taken > STEPS:
            raise self.problem.step_failure(
                self.stepper.t, self.stepper.y, f"{STEPS} steps were not enough"
            )

    def _approach(self, crossing: SingularCrossing) -> None:
        """Come to a singular position by ever shorter steps, and go across it in one."""
        t, y, n = self.stepper.t, self.stepper.y, self.problem.dynamics.n
        value, until = crossing.ahead(t, y)
        self.nearest = min(self.nearest, (value, t))
        partitions = self.problem.dynamics.partitions
        if partitions and partitions.choose(t, y[:n], y[n:-1]):
            self.stepper.restart(t, y.copy())
        if value < NEAR and np.isfinite(until):
            later, behind = crossing.across(t, y, until)
            self._expect_nothing(t, y, later, behind)
            while self._next < len(self.problem.times) and self.problem.times[self._next] <= later:
                at = float(self.problem.times[self._next])
                part = (at - t) / (later - t)
                self._keep(at, self._projected(at, y + part * (behind - y)))
                self._next += 1
            self.stepper.restart(later, behind)
            self.singular.append(t + until)
        else:
            self.stepper.limit(min(self.problem.longest, FIRST * until))

    def _expect_nothing(self, t: float, y: Array, later: float, behind: Array) -> None:
        """See that no event happens in a singular position."""
        before, after = self.problem.events.values(t, y), self.problem.events.values(later, behind)
        for number in np.flatnonzero(before * after < 0):
            when = self.problem.events.events[number].when
            raise SimulationError(
                f"event '{when}' happens in a singular position at about t = {t:.6g} s: expected "
                "one elsewhere"
            )

    def _events_at_start(self) -> list[tuple[float, int]]:
        """Return the events that happen at once: what is zero becomes what they wait for."""
        events, t, y = self.problem.events, self.stepper.t, self.stepper.y
        if events.values(t, y).all():
            return []
        change = self.problem.dynamics.change
        first = change(t, y)
        later = y + INSTANT / 2 * (first + change(t + INSTANT, y + INSTANT * first))
        ways = np.where(events.values(t, y) == 0, np.sign(events.values(t + INSTANT, later)), 0)
        return [(t, number) for number in np.flatnonzero(events.directions * ways > 0).tolist()]

    def _take_step(self) -> bool:
        """Take over what lies within the last step; return whether the motion stops there."""
        stopped = self._take_events(self.stepper.crossings())
        if stopped or self._restarted:
            return stopped
        self._reach(self.stepper.t)
        if self.problem.dynamics.m:
            self.stepper.set_state(self._projected(self.stepper.t, self.stepper.y))
        return False

    def _take_events(self, crossings: list[tuple[float, int]]) -> bool:
        """Take over events, up to one that sets speeds; return whether the motion stops there."""
        self._restarted = False
        for t, number in crossings:
            event = self.problem.events.events[number]
            self._reach(t)
            y = self._projected(t, self.stepper.at(t))
            self.occurrences.append(Occurrence(event.when, t, y[:-1], number))
            if event.action == "stop":
                if self.times[-1] < t:
                    self._keep(t, y)
                return True
            if self.problem.events.sets(number):
                self._expect_apart(number, t)
                self.stepper.restart(t, self.problem.events.after(number, t, y))
                self._restarted = True
                again = self._events_at_start() if t == self.times[0] else []
                return self._take_events(again) if again else False
        return False

    def _reach(self, t: float) -> None:
        times = self.problem.times
        while self._next < len(times) and times[self._next] <= t:
            at = float(times[self._next])
            self._keep(at, self._projected(at, self.stepper.at(at)))
            self._next += 1
            self._taken = 0

    def _keep(self, t: float, y: Array) -> None:
        self.times.append(t)
        self.states.append(y)

    def _expect_apart(self, number: int, t: float) -> None:
        if t - self._last.get(number, -np.inf) < CLOSE:
            when = self.problem.events.events[number].when
            raise SimulationError(
                f"event '{when}' follows on itself at t = {t:.6g} s: expected one that stops, or "
                "a contact with a stiffness, where a body comes to rest"
            )
        self._last[number] = t

    def _projected(self, t: float, y: Array) -> Array:
        dynamics = self.problem.dynamics
        if not dynamics.m:
            return y.copy()
        n = dynamics.n
        q, u = dynamics.constraints.projected(t, y[:n], y[n : 2 * n])
        return np.concatenate([q, u, y[2 * n :]])
