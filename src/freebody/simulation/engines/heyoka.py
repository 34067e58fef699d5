"""heyoka's Taylor series, for accuracy to the last digits."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

import heyoka
import numpy as np

from freebody.arrays import Array
from freebody.backends import cache
from freebody.errors import SimulationError
from freebody.graph.code import Code
from freebody.graph.evaluation import evaluate
from freebody.simulation.engines.defect import relative_defect
from freebody.simulation.inputs import DEGREE
from freebody.simulation.integrate import (
    INSTANT,
    STEPS,
    IntegrationProblem,
    Run,
    Trajectory,
    follow,
)

LONG = 400
"""From how many operations on heyoka writes loops, which compile quickly, rather than all out."""
AFTER = 1e-9
"""How long after a switch the next series begins, in s: a power of zero has none."""
NOTHING = 1e-30
"""So much more than zero turns a switch, for what is zero all the time turns none."""
COEFFICIENTS = DEGREE + 1
"""Of the polynomial that an input is until the next knot."""
SHORTER = (0.1, 0.7)
"""By which factors, at the least and the most, a step is shortened."""
MANY, FEW = 512, 8
"""How many steps are taken at once, at most, and after one that was too long."""
DIRECTIONS = {
    -1: heyoka.event_direction.negative,
    0: heyoka.event_direction.any,
    1: heyoka.event_direction.positive,
}

heyoka.set_logger_level_error()


def make_integrator(problem: IntegrationProblem) -> Run:
    """Return what integrates with `heyoka.taylor_adaptive`, step by step.

    Output is dense, and events are found in the series themselves. Absolute values, maxima and
    conditions, as in contact, are switches: a step ends where one of them turns, so that the
    series of each step is that of smooth equations; so it does at each knot of the splines of
    inputs that are known over time. heyoka chooses a step by the last two coefficients of the
    series, which may vanish (a pendulum at rest at the horizontal); so each step is held against
    the equations of motion, and shortened until the series obeys them. With constraints the state
    is projected back on them after each step.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.

    References
    ----------
    Biscani and Izzo, Revisiting high-order Taylor methods for astrodynamics and celestial
    mechanics, Monthly Notices of the Royal Astronomical Society 504, 2021.
    """
    series = _Taylor(problem)
    return series.trajectory if series.is_plain else lambda: follow(problem, series)


class Switches:
    """Operations in which what is not smooth is a number that is turned on and off.

    Parameters
    ----------
    first : int, optional
        The first parameter of the series that is a switch.

    Attributes
    ----------
    turning : list of expression
        Each switch is on where its expression is positive.
    """

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self.turning: list[Any] = []
        self._clipped: dict[Any, Any] = {}
        self.operations: Mapping[str, Callable[..., Any]] = {
            "number": heyoka.expression,
            "pow": lambda x, y: self._guarded(x, lambda base: base**y),
            "sqrt": lambda x: self._guarded(x, heyoka.sqrt),
            "gt": lambda x, y: self._on(x - y),
            "ge": lambda x, y: self._on(x - y),
            "lt": lambda x, y: self._on(y - x),
            "le": lambda x, y: self._on(y - x),
            "sign": lambda x: 2.0 * self._on(x) - 1.0,
            "abs": lambda x: self._chosen(self._on(x), x, -x),
            "max": self._larger,
            "min": lambda x, y: self._chosen(self._on(x - y), y, x),
            "select": self._chosen,
        }

    def _on(self, expr: Any) -> Any:
        if expr not in self.turning:
            self.turning.append(expr)
        return heyoka.par[self._first + self.turning.index(expr)]

    def _larger(self, x: Any, y: Any) -> Any:
        on = self._on(x - y)
        larger = self._chosen(on, x, y)
        if heyoka.expression(0.0) in (x, y):
            self._clipped[larger] = on if y == heyoka.expression(0.0) else 1.0 - on
        return larger

    def _guarded(self, x: Any, power: Callable[[Any], Any]) -> Any:
        """Return a power of what may be zero for a while, where it has no series."""
        on = self._clipped.get(x)
        return power(x) if on is None else on * power(x + (1.0 - on))

    def _chosen(self, on: Any, first: Any, second: Any) -> Any:
        return on * first + (1.0 - on) * second


def _polynomials(count: int) -> list[Any]:
    """Return inputs that are known over time: polynomials until the next knot, as parameters."""
    later, polynomials = heyoka.time - heyoka.par[0], []
    for start in range(1, 1 + count * COEFFICIENTS, COEFFICIENTS):
        total = heyoka.par[start]
        for number in range(start + 1, start + COEFFICIENTS):
            total = total * later + heyoka.par[number]
        polynomials.append(total)
    return polynomials


def _varying(expr: Any) -> Any:
    """Return the expression of an event, which heyoka refuses where it is the same all the time."""
    return expr if heyoka.get_variables(expr) else expr + NOTHING * heyoka.time


class _Taylor:
    """A Taylor series as a `Stepper`."""

    def __init__(self, problem: IntegrationProblem) -> None:
        self.problem = problem
        self.evaluations = 0
        size = len(problem.augmented_state)
        self._prepare()
        self._end, self._before = float(problem.times[-1]), float(problem.times[0])
        self._longest = problem.longest
        self._crossed: list[tuple[float, int]] = []
        self._coefficients = np.zeros((2, size))
        self._excessive = False
        self.restart(self._before, problem.augmented_state)

    def _prepare(self) -> None:
        """Have the series of the motion, and of the events, compiled."""
        problem, size = self.problem, len(self.problem.augmented_state)
        self._dynamics = problem.dynamics.present
        motion = self._dynamics.motion
        code = motion.only(motion.results[:size], (size,))
        parts = [code, *([problem.events.code] if len(problem.events) else [])]
        known = [self._numbered(part) for part in parts]
        key_parts = [cache.sources(), cache.processor(), *(part.dumps() for part in known)]
        name = cache.key(
            "taylor", heyoka.__version__, repr(problem.tolerance), repr(self._ways), *key_parts
        )
        made = cache.cached(name, lambda: pickle.dumps(self._build(*known)))
        self._series, self._rates, self._turning = pickle.loads(made)  # noqa: S301 - our own

    @property
    def _known(self) -> int:
        """How many parameters of the series inputs take that are known over time."""
        count = len(self.problem.dynamics.samples)
        return 1 + count * COEFFICIENTS if count else 0

    @property
    def _ways(self) -> list[int]:
        ways: list[int] = self.problem.events.directions.tolist()
        return ways

    def _numbered(self, code: Code) -> Code:
        """Return code with the constants as numbers."""
        if "constants" not in code.arguments:
            return code
        return code.given("constants", self.problem.dynamics.constants.tolist())

    def _build(self, motion: Code, *events: Code) -> Any:
        """Return the compiled series, its rates, and the function that switches depend on."""
        switches, size = Switches(self._known), len(motion.results)
        state = [heyoka.expression(f"y{number}") for number in range(size)]
        entries = [heyoka.time, *state[:-1], *_polynomials(len(self.problem.dynamics.samples))]
        rates = evaluate(motion, entries, switches.operations, heyoka)
        watched = [
            entry
            for code in events
            for entry in evaluate(code, entries, switches.operations, heyoka)
        ]
        triggers = [
            heyoka.t_event(_varying(expr), direction=DIRECTIONS[way])
            for expr, way in zip(watched, self._ways, strict=True)
        ]
        series = heyoka.taylor_adaptive(
            list(zip(state, rates, strict=True)),
            [0.0] * size,
            tol=self.problem.tolerance,
            t_events=triggers
            + [heyoka.t_event(expr - NOTHING, cooldown=10 * AFTER) for expr in switches.turning],
            pars=[0.0] * (self._known + len(switches.turning)),
            compact_mode=motion.operations > LONG,
        )
        compact = motion.operations > LONG
        function = heyoka.cfunc(rates, vars=state, compact_mode=compact)
        if not switches.turning:
            return series, function, None
        return series, function, heyoka.cfunc(switches.turning, vars=state, compact_mode=True)

    def _failed(self, t: float, y: Array) -> SimulationError:
        """Return the error of a series that does not converge."""
        try:
            self.problem.dynamics.change(t, y)
        except SimulationError as error:
            return error
        return self.problem.step_failure(t, y, "the series does not converge")

    # ------------------------------------------------------------------ many steps at once

    @property
    def is_plain(self) -> bool:
        """Whether no event or constraint has to be handled after each step."""
        dynamics = self.problem.dynamics
        return not (len(self.problem.events) or dynamics.m or self._known or self._turning)

    def trajectory(self) -> Trajectory:
        """Follow a motion on which nothing happens, many steps at a time."""
        times, states, most, idle = (
            self.problem.times,
            [self.problem.augmented_state[None]],
            MANY,
            0,
        )
        while (count := sum(map(len, states))) < len(times):
            before = self.evaluations
            states.append(self._leap(times[count:], most))
            idle = 0 if len(states[-1]) else idle + self.evaluations - before
            if idle > STEPS:
                raise self.problem.step_failure(self.t, self.y, f"{STEPS} steps were not enough")
            most = min(2 * most, MANY)
            if self._excessive:
                states.append(self._one(times[count + len(states[-1]) :]))
                most = FEW
            self.problem.progress(self.t)
        return Trajectory.of(times, np.concatenate(states), self.evaluations, self.evaluations)

    def _leap(self, times: Array, most: int) -> Array:
        """Take steps as far as they obey the equations; return the states at times within."""
        start, ends, current = self.y, [self.t], self._series.tc
        states = np.empty((most, *current.shape))

        def keep(series: Any) -> bool:
            states[len(ends) - 1] = current
            ends.append(series.time)
            return True

        self._series.propagate_until(
            self._end, max_steps=most, max_delta_t=self._longest, callback=keep, write_tc=True
        )
        if len(ends) == 1:
            self._series.time, self._series.state[:] = ends[0], start
            self._excessive = True
            return np.zeros((0, len(start)))
        return self._accepted(states[: len(ends) - 1], np.array(ends), times)

    def _accepted(self, found: Array, ends: Array, times: Array) -> Array:
        """Go back to where steps ceased to obey the equations; return the states before."""
        steps = np.diff(ends)
        off = relative_defect(found, ends[:-1], steps, self._changes, self.problem.tolerance) > 1
        self._excessive = bool(off.any())
        sound = int(off.argmax()) if self._excessive else len(steps)
        self.evaluations += sound
        if self._excessive:
            self._series.time, self._series.state[:] = ends[sound], found[sound, :, 0]
        within = times[: np.searchsorted(times, ends[sound], side="right")] if sound else times[:0]
        at = np.clip(np.searchsorted(ends, within) - 1, 0, max(sound - 1, 0))
        powers = np.vander(within - ends[at], found.shape[2], increasing=True)
        states: Array = (found[at] @ powers[..., None])[..., 0]
        return states

    def _one(self, times: Array) -> Array:
        """Take one step, no longer than its series obeys the equations."""
        self.step()
        within = times[: np.searchsorted(times, self.t, side="right")]
        return np.array([self.at(float(t)) for t in within]).reshape(-1, len(self.y))

    # ------------------------------------------------------------------ steps

    @property
    def t(self) -> float:
        """The time reached."""
        return float(self._series.time)

    @property
    def y(self) -> Array:
        """The state there."""
        state: Array = self._series.state.copy()
        return state

    def step(self) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        before, start = self.t, self.y
        longest = max(min(self._smooth_until(before) - before, self._longest), AFTER)
        outcome, _ = self._series.step(max_delta_t=longest, write_tc=True)
        self.evaluations += 1
        self._crossed, self._before = [], before
        self._coefficients = self._series.tc.T.copy()
        if self._shortened(longest):
            return
        number = -int(outcome) - 1
        if number in range(len(self.problem.events)) and self.t == float(self.problem.times[0]):
            self._leave()
        elif number in range(len(self.problem.events)):
            self._crossed = [(self.t, number)]
        elif number in range(len(self.problem.events) + len(self._series.pars)):
            self._turn(self.t, self.y)
        elif outcome == heyoka.taylor_outcome.err_nf_state or self.t == before:
            raise self._failed(before, start)

    def _leave(self) -> None:
        """Go on for a moment from where an event is at the very start."""
        self._series.time = self._before + INSTANT
        self._series.state[:] = self._along(INSTANT)
        self._series.reset_cooldowns()

    def _shortened(self, longest: float) -> bool:
        """End a step where its series still obeys the equations; return whether that is earlier."""
        taken = self.t - self._before
        step = taken if np.isfinite(taken) else longest
        if not np.isfinite(self._coefficients).all():
            return False
        while (excess := self._excess(step)) > 1 and step > AFTER:
            step *= np.clip(excess ** (-1 / len(self._coefficients)), *SHORTER)
        if step == taken:
            return False
        if self._series.with_events:
            self._series.reset_cooldowns()  # an event beyond the new end has not happened
        self._series.time, self._series.state[:] = self._before + step, self._along(step)
        return True

    def _excess(self, step: float) -> float:
        """Return by what the series is off the equations within a step, 1 for what is allowed."""
        known = self._coefficients.T[None], np.array([self._before]), np.array([step])
        return float(relative_defect(*known, self._changes, self.problem.tolerance)[0])

    def _changes(self, times: Array, states: Array) -> Array:
        """Return the rates of states as far as the switches are as they are."""
        known = self._series.pars[: self._rates.nparams]
        pars = np.repeat(known[:, None], len(times), axis=1)
        rates: Array = self._rates(np.ascontiguousarray(states), pars=pars, time=times)
        return rates

    def _along(self, later: float) -> Array:
        """Return the state some time after the beginning of the last step."""
        state: Array = later ** np.arange(len(self._coefficients)) @ self._coefficients
        return state

    def _smooth_until(self, t: float) -> float:
        """Set the polynomials of sampled inputs; return where the next ones begin, or the end."""
        samples = self.problem.dynamics.samples
        if not len(samples):
            return self._end
        knots = samples.knots
        number = int(np.searchsorted(knots, t + AFTER, side="right")) - 1
        number = min(max(number, 0), len(knots) - 2)
        self._series.pars[0] = knots[number]
        self._series.pars[1 : self._known] = samples.pieces[number].ravel()
        end = float(knots[number + 1])
        return self._end if number == len(knots) - 2 else min(end, self._end)

    def at(self, t: float) -> Array:
        """See `freebody.simulation.integrate.Stepper`."""
        return self.y if t == self.t else self._along(t - self._before)

    def crossings(self) -> list[tuple[float, int]]:
        """See `freebody.simulation.integrate.Stepper`."""
        return self._crossed

    def limit(self, longest: float) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        self._longest = longest

    def set_state(self, y: Array) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        self._series.state[:] = y

    def restart(self, t: float, y: Array) -> None:
        """See `freebody.simulation.integrate.Stepper`."""
        if self.problem.dynamics.present is not self._dynamics:
            self._prepare()
        self._series.time = t
        self._series.state[:] = y
        self._turn(t, y)

    def _turn(self, t: float, y: Array) -> None:
        """Go on for a moment, and set the switches as they are then; some depend on others."""
        if self._turning is None:
            return
        change = self.problem.dynamics.change
        first = change(t, y)
        y = y + AFTER / 2 * (first + change(t + AFTER, y + AFTER * first))
        self._series.time, self._series.state[:] = t + AFTER, y
        self._smooth_until(t + AFTER)
        switches = self._series.pars[self._known :]
        for _ in switches:
            pars = self._series.pars[: self._turning.nparams]
            on = (self._turning(y, pars=pars, time=t + AFTER) > 0).astype(float)
            if np.array_equal(on, switches):
                return
            switches[:] = on
