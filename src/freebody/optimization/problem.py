"""The best movement as a nonlinear program: Hermite and Simpson's collocation, dynamics implicit.

At each node and in the middle between two, coordinates, speeds, accelerations, inputs and forces of
constraints are unknown, and M u̇ + C + G + E = τ + Jᵀ λ holds. Between them states are cubic: of
fourth order in the interval. CasADi has exact sparse derivatives of all that.

References
----------
Kelly, An introduction to trajectory optimization: how to do your own direct collocation, SIAM
Review 59(4), 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import ArgumentError, BackendError, ExpressionError, SimulationError, absent
from freebody.muscles.excitation import LEAST
from freebody.optimization.ends import FinalImpact, impulse_count, pushing
from freebody.optimization.equations import Given, ModelEquations
from freebody.optimization.limits import Limit, Limits, expect_compatible, missed
from freebody.optimization.muscles import AT_FIRST, LONGEST

QUIET: Any = {"print_time": False, "expand": True}


@dataclass(frozen=True)
class Wanted:
    """What a movement must be.

    Attributes
    ----------
    duration : float or tuple of float
        In s; between two, if it is sought.
    minimize, minimize_end : str or None
        What is integrated over time, and what is taken at the end.
    start, end, bounds : mapping of str to limits
        Of coordinates, speeds, inputs, components of places, and expressions of them: at the start,
        at the end, and all the time.
    free : mapping of str to tuple of float
        Constants that are sought, between two numbers.
    closed : tuple of str
        Impacts that are closed all the time.
    impact : str or None
        That which ends the movement.
    cycle : mapping of str to str
        What coordinates and speeds at the start are of the state at the end, after the impact.
    excited : bool
        Whether muscles are excited, or their tensions sought.
    nodes : int
    iterations : int
    tolerance : float
    begin : float
        The time of the start, in s.
    """

    duration: float | tuple[float, float]
    minimize: str | None
    minimize_end: str | None
    start: Mapping[str, Limits]
    end: Mapping[str, Limits]
    bounds: Mapping[str, Limits]
    free: Mapping[str, tuple[float, float]]
    closed: tuple[str, ...]
    impact: str | None
    cycle: Mapping[str, str]
    excited: bool
    nodes: int
    iterations: int
    tolerance: float
    begin: float = 0.0


@dataclass(frozen=True)
class Solution:
    """A movement that was found, at nodes and in the middle between them.

    Attributes
    ----------
    times : array, shape (times,)
    q, u, a, inputs, multipliers : array, shape (times, ...)
    constants : array
    objective : float
    iterations : int
    status : str
    speeds_after, impulses : array or None
        Of the impact that ends it.
    energy_lost : float
        In the impact, in J.
    muscles : dict of str to array, shape (times, ...)
        ``excitation``, ``activation``, and the lengths of ``fibers`` on elastic tendons.
    """

    times: Array
    q: Array
    u: Array
    a: Array
    inputs: Array
    multipliers: Array
    constants: Array
    objective: float
    iterations: int
    status: str
    speeds_after: Array | None = None
    impulses: Array | None = None
    energy_lost: float = 0.0
    muscles: Mapping[str, Array] = field(default_factory=dict)


STATES = ("q", "u", "activation", "fibers")
"""What has a rate, in order."""
Worker = Callable[[Callable[[Given], Any]], Any]
"""What works something out at one moment, or at all of them in columns."""


class Collocation:
    """The nonlinear program of a movement.

    Parameters
    ----------
    equations : ModelEquations
    wanted : Wanted
    constants : mapping of str to float
        Of the model.
    """

    def __init__(
        self, equations: ModelEquations, wanted: Wanted, constants: Mapping[str, float]
    ) -> None:
        import casadi

        self._casadi, self.equations, self.wanted = casadi, equations, wanted
        self.program = casadi.Opti()
        moving = equations.mechanism
        n, m = len(moving.speeds), len(moving.multipliers)
        self.count = count = 2 * wanted.nodes - 1
        sizes = {"q": n, "u": n, "a": n, "multipliers": m, "controls": len(equations.sought)}
        sizes |= equations.muscles.sizes if equations.muscles else {}
        self.unknown = {
            name: self.program.variable(size, count) if size else casadi.DM(0, count)
            for name, size in sizes.items()
        }
        self.parts = {name: self.program.variable() for name in wanted.free}
        self.scales = {name: scale_of(*limits) for name, limits in wanted.free.items()}
        self.free = {name: self.scales[name] * part for name, part in self.parts.items()}
        self.duration = self._duration()
        self.constants = equations.constants(constants, self.free)
        steps = casadi.DM(np.linspace(0, 1, count)).T
        self.given = {
            **self.unknown,
            "t": casadi.MX(wanted.begin + self.duration * steps),
            "constants": casadi.MX(self.constants),
        }
        self.first, self.last = self._moment(0), self._moment(count - 1)
        self.struck = self._final_impact()
        self.limits: list[Limit] = []
        self._constrain()

    def _duration(self) -> Any:
        if not isinstance(self.wanted.duration, tuple):
            return self.wanted.duration
        least, most = self.wanted.duration
        duration = self.program.variable()
        self.program.subject_to(self.program.bounded(least, duration, most))
        self.program.set_initial(duration, (least + most) / 2)
        return duration

    def _moment(self, place: int) -> dict[str, Any]:
        """Return all that is known at a node or between two."""
        given = {name: of[:, place] for name, of in self.given.items() if name != "constants"}
        given["constants"] = self.constants
        given["inputs"] = self.equations.inputs(given["controls"], given)
        return given

    def along(self, work: Callable[[Given], Any]) -> Any:
        """Return what is worked out at a moment for all of them, in columns."""
        return self.equations.along(work, self.given)

    def _hold(self, entries: Any) -> None:
        """Let each entry of a matrix vanish."""
        if entries.numel():
            self.program.subject_to(self._casadi.vec(entries) == 0)

    def _final_impact(self) -> FinalImpact | None:
        name, moving = self.wanted.impact, self.equations.mechanism
        if name is None:
            return None
        after = self.program.variable(len(moving.speeds))
        impulses = self.program.variable(impulse_count(moving, name))
        closed = self.wanted.closed
        return FinalImpact(self.equations, name, closed, self.last, after, impulses)

    # ------------------------------------------------------------------ what must hold

    def _constrain(self) -> None:
        program, wanted = self.program, self.wanted
        self._hold(self.along(self.equations.balance))
        self._excite()
        self._collocate()
        for name, limits in wanted.bounds.items():
            self._limit(name, limits, self.along, "bounds")
        for where, chosen, moment in (
            ("start", wanted.start, self.first),
            ("end", wanted.end, self.last),
        ):
            for name, limits in chosen.items():
                self._limit(name, limits, partial(_at, moment), where)
        for name, (least, most) in wanted.free.items():
            scale = self.scales[name]
            program.subject_to(program.bounded(least / scale, self.parts[name], most / scale))
        for place in pushing(self.equations.mechanism, wanted.closed):
            program.subject_to(self.unknown["multipliers"][place, :] >= 0)
        self._end()
        program.minimize(self._objective())

    def _end(self) -> None:
        """End in an impact, if there is one, and as it began, if it goes on so."""
        after = dict(self.last)
        if self.struck is not None:
            self.program.subject_to(self.struck.vanishing == 0)
            self.program.subject_to(self.struck.positive >= 0)
            after["u"] = self.struck.after
        for name, text in self.wanted.cycle.items():
            try:
                first = self.equations.expression(name, self.first)
                last = self.equations.expression(text, after)
            except ExpressionError as error:
                raise SimulationError(f"cycle: '{name}': {error}") from None
            self.program.subject_to(first == last)

    def close_start(self) -> None:
        """Let the constraints hold at the start, where this does not give all of it."""
        self.program.subject_to(self.equations.closed(self.first) == 0)

    def _collocate(self) -> None:
        step = self.duration / (self.wanted.nodes - 1)
        states = self._casadi.vertcat(
            *(self.unknown[name] for name in STATES if name in self.unknown)
        )
        slopes = self.along(self._slope)
        (x, middle, after), (f, half, last) = map(_intervals, (states, slopes))
        self._hold(middle - (x + after) / 2 - step / 8 * (f - last))
        self._hold(after - x - step / 6 * (f + 4 * half + last))

    def _slope(self, moment: Given) -> Any:
        """Return the rates of a state, those of muscles among them."""
        slope = [self.equations.rates(moment), moment["a"]]
        if self.equations.muscles is not None:
            names = ("activation", "excitation", "fiber_velocity")
            slope.append(self.equations.muscles.rates(*(moment[name] for name in names)))
        return self._casadi.vertcat(*slope)

    def _excite(self) -> None:
        """Let fibres pull as their tendons, within what excitations and fibres can be."""
        muscles, program = self.equations.muscles, self.program
        if muscles is None:
            return
        for name in ("excitation", "activation"):
            every = self._casadi.vec(self.unknown[name])
            program.subject_to(program.bounded(LEAST, every, 1))
        left, middle, right = _intervals(self.unknown["excitation"])
        self._hold(middle - (left + right) / 2)  # else it jumps from node to middle
        said = {*self.wanted.start, *self.wanted.cycle}
        for number, name in enumerate(muscles.tendons.names):
            if f"activation.{name}" not in said:
                program.subject_to(self.unknown["activation"][number, 0] == LEAST)
        if not muscles.sizes["fibers"]:
            return
        self._hold(self.along(self.equations.unbalanced))
        if not self.wanted.cycle:
            program.subject_to(self.unknown["fiber_velocity"][:, 0] == 0)
        for place, least in enumerate(muscles.shortest.tolist()):
            fibers = self.unknown["fibers"][place, :].T
            program.subject_to(program.bounded(least, fibers, LONGEST))

    def _limit(self, name: str, limits: Limits, work: Worker, where: str) -> None:
        """Keep an expression within limits where something is worked out."""
        try:
            value = work(partial(self.equations.expression, name))
            ends = limits if isinstance(limits, tuple) else (limits,)
            numbers = [self._bound(one, work) for one in ends]
        except ExpressionError as error:
            raise SimulationError(f"{where}: '{name}': {error}") from None
        self.limits.append(Limit(where, name, limits, value.T, numbers[0], numbers[-1]))
        if len(numbers) == 1:
            self.program.subject_to(value.T - numbers[0] == 0)
        else:
            self.program.subject_to(self.program.bounded(numbers[0], value.T, numbers[1]))

    def _bound(self, text: Any, work: Worker) -> Any:
        if not isinstance(text, str):
            return float(text)
        return work(partial(self.equations.expression, text)).T

    def _objective(self) -> Any:
        total = self._casadi.MX(0)
        try:
            if self.wanted.minimize is not None:
                values = self.along(partial(self.equations.expression, self.wanted.minimize))
                left, middle, right = _intervals(values)
                step = self.duration / (self.wanted.nodes - 1)
                total += step / 6 * self._casadi.sum2(left + 4 * middle + right)
            if self.wanted.minimize_end is not None:
                total += self.equations.expression(self.wanted.minimize_end, self.last)
        except ExpressionError as error:
            raise SimulationError(f"minimize: {error}") from None
        return total

    # ------------------------------------------------------------------ the solution

    def guess(self, q: Array, u: Array, controls: Array) -> None:
        """Begin at coordinates, speeds and sought inputs, each of shape (times, ...)."""
        for name, values in (("q", q), ("u", u), ("controls", controls)):
            if values.shape[1]:
                self.program.set_initial(self.unknown[name], values.T)
        for name, (least, most) in self.wanted.free.items():
            self.begin_with(name, (least + most) / 2)
        if self.struck is not None:
            self.program.set_initial(self.struck.after, u[-1])
        if self.equations.muscles is not None:
            for name in ("excitation", "activation"):
                self.program.set_initial(self.unknown[name], AT_FIRST)
            if self.equations.muscles.sizes["fibers"]:
                resting = np.array([self.equations.muscles.rest(one) for one in q])
                self.program.set_initial(self.unknown["fibers"], resting.T)

    def begin_with(self, name: str, value: float) -> None:
        """Begin with a value of a constant that is sought."""
        self.program.set_initial(self.parts[name], value / self.scales[name])

    def solved(self) -> Solution:
        """Return the movement.

        Raises
        ------
        SimulationError
            If none is found.
        """
        return self.solution(self.solve())

    def solve(self) -> Any:
        """Return the solution as CasADi has it.

        Raises
        ------
        SimulationError
            If none is found.
        """
        options: Any = {
            "print_level": 0,
            "sb": "yes",
            "max_iter": self.wanted.iterations,
            "tol": self.wanted.tolerance,
        }
        self.program.solver("ipopt", QUIET, options)
        try:
            return self.program.solve()
        except RuntimeError:
            status = self.program.stats().get("return_status", "it failed")
            raise SimulationError(
                f"IPOPT finds no movement ({status}): expected limits that can all be met, more "
                "nodes or iterations, or a guess nearer to it"
                + missed(self.limits, self.program.debug.value)
            ) from None

    def solution(self, found: Any) -> Solution:
        """Return a solution of CasADi as arrays."""
        count = self.count

        def rows(name: str) -> Array:
            of = self.unknown[name]
            if not of.shape[0]:
                return np.zeros((count, 0))
            return np.asarray(found.value(of), dtype=np.float64).reshape(-1, count).T

        inputs = self.along(itemgetter("inputs"))
        duration = float(found.value(self.duration))
        stats = found.stats()
        return Solution(
            self.wanted.begin + np.linspace(0.0, duration, count),
            rows("q"),
            rows("u"),
            rows("a"),
            np.asarray(found.value(inputs), dtype=np.float64).reshape(-1, count).T,
            rows("multipliers"),
            np.ravel(np.asarray(found.value(self.constants), dtype=np.float64)),
            float(found.value(self.program.f)),
            int(stats["iter_count"]),
            str(stats["return_status"]),
            *self._struck(found),
            {
                name: rows(name)
                for name in ("excitation", "activation", "fibers")
                if name in self.unknown
            },
        )

    def _struck(self, found: Any) -> tuple[Array | None, Array | None, float]:
        """Return speeds after the impact that ends it, its impulses, and the energy lost."""
        if self.struck is None:
            return None, None, 0.0
        after, impulses = (
            np.ravel(np.asarray(found.value(of), dtype=np.float64))
            for of in (self.struck.after, self.struck.impulses)
        )
        return after, impulses, float(found.value(self.struck.energy_lost))


def _at(moment: Given, work: Callable[[Given], Any]) -> Any:
    """Return what is worked out at one moment."""
    return work(moment)


def _intervals(columns: Any) -> tuple[Any, Any, Any]:
    """Return what there is at the beginnings, the middles and the ends of all intervals."""
    return columns[:, :-1:2], columns[:, 1::2], columns[:, 2::2]


def scale_of(least: float, most: float) -> float:
    """Return the size of a number between two others."""
    if least * most > 0:
        return float(np.sqrt(least * most))
    return max(abs(least), abs(most))


def expect_casadi() -> None:
    """See that CasADi is there.

    Raises
    ------
    BackendError
        If it is not installed.
    """
    try:
        import casadi  # noqa: F401
    except ModuleNotFoundError as error:
        message = f'CasADi is not installed ({error}): pip install "freebody[casadi]"'
        raise BackendError(message) from None


def expect_sensible(wanted: Wanted, names: Sequence[str]) -> None:
    """Refuse what no program can be made of.

    Raises
    ------
    ArgumentError
        If a number is out of its range, or there is nothing to minimize.
    """
    ends = wanted.duration if isinstance(wanted.duration, tuple) else (wanted.duration,) * 2
    if not (np.isfinite(ends).all() and 0 < ends[0] <= ends[1]):
        raise ArgumentError(
            f"duration: expected positive numbers in order, found {wanted.duration}"
        )
    if wanted.minimize is None and wanted.minimize_end is None:
        raise ArgumentError("expected what to minimize, over the movement or at its end")
    if not 3 <= wanted.nodes <= 10_000:
        raise ArgumentError(f"nodes: expected 3 to 10000, found {wanted.nodes}")
    if not (0 < wanted.tolerance < 1 and wanted.iterations > 0):
        raise ArgumentError("expected a tolerance between 0 and 1, and iterations above 0")
    expect_compatible(wanted.start, wanted.end, wanted.bounds)
    for name, (least, most) in wanted.free.items():
        if name not in names:
            raise ArgumentError(f"free: {absent('constant', name, names)}")
        if not least < most:
            raise ArgumentError(f"free: '{name}': expected numbers in order, found {least}, {most}")
