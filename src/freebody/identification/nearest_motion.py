"""The motion of a model that is nearest to a recorded one, and its constants.

The motion is an unknown of the fit besides the constants, and obeys the equations of motion by
Hermite and Simpson's collocation: so that the fit finds its way where a simulation from a guess
would have left the recording, as that of a double pendulum does. No derivative of the recording is
taken.

References
----------
Betts, Practical methods for optimal control and estimation using nonlinear programming, 2nd ed.,
SIAM, 2010, ch. 5: parameter estimation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import ArgumentError, InverseError, SimulationError, absent
from freebody.identification.correlation import covariance_of_sum
from freebody.mechanics.mechanism import Mechanism
from freebody.motion.motion import Samples
from freebody.optimization.equations import ModelEquations, sought_laws
from freebody.optimization.forward import Forward
from freebody.optimization.problem import QUIET, Collocation, Solution, Wanted, scale_of
from freebody.simulation.inputs import SampledInput, is_sampled

FACTOR = 20.0
"""A constant is sought between its value over this and its value times this, unless it is said."""
NODES = 200
"""The most to begin with; and at least two samples for each."""
NO_STEP = "Search_Direction_Becomes_Too_Small"
"""What IPOPT says where exact data are met to rounding."""
MOST = 1600
"""The most to which they are doubled."""
LEAST = 1e-4
"""The least standard deviation of a coordinate, as a part of its range."""
NEAREST = 1e-6
"""How much nearer than to this part of its range no coordinate is fitted by more nodes."""
LOOSE = 1e4
"""A standard deviation of so many times a constant says nothing of it."""


@dataclass(frozen=True)
class Sought:
    """The constants that are sought.

    Attributes
    ----------
    first : dict of str to float
        Where they begin: the values of the model.
    limits : dict of str to tuple of float
        Between which they are.
    spreads : dict of str to float
        Standard deviations of priors.
    """

    first: Mapping[str, float]
    limits: Mapping[str, tuple[float, float]]
    spreads: Mapping[str, float]


NOTHING_SOUGHT = Sought({}, {}, {})


@dataclass(frozen=True)
class _Guess:
    """Where a fit begins: coordinates, speeds and accelerations, each of shape (times, n)."""

    times: Array
    q: Array
    u: Array
    a: Array

    def at(self, grid: Array) -> _Guess:
        """Return the same at other times."""
        parts = (
            np.column_stack([np.interp(grid, self.times, column) for column in part.T])
            for part in (self.q, self.u, self.a)
        )
        return _Guess(grid, *parts)


@dataclass(frozen=True)
class FittedMotion:
    """A motion of a model that is fitted to a recording.

    Attributes
    ----------
    values : dict of str to float
        Of the constants that were sought.
    covariance : array, shape (constants, constants)
    coordinates : array, shape (times, n)
        At the times of the recording.
    interval_error : float
        How far a simulation is off the trajectory, over one interval between nodes at the most.
    condition : float
        Of the constants' correlation.
    lag : int
        Over how many samples what is left over is correlated.
    nodes : int
    iterations : int
    """

    values: dict[str, float]
    covariance: Array
    coordinates: Array
    interval_error: float
    condition: float
    lag: int
    nodes: int
    iterations: int


class MotionFit:
    """A recording to which trajectories of a model are fitted.

    Parameters
    ----------
    moving : Mechanism
    samples : Samples
        The recording.
    smooth : Samples
        The same with its noise smoothed away as far as may be, to begin with.
    inputs : mapping of str
        All inputs: numbers, laws or samples.
    constants : mapping of str to float
        All constants.
    nodes : int, optional
        No others are tried.
    """

    def __init__(
        self,
        moving: Mechanism,
        samples: Samples,
        smooth: Samples,
        inputs: Mapping[str, Any],
        constants: Mapping[str, float],
        nodes: int | None,
    ) -> None:
        if missing := [name for name in moving.model.inputs if name not in inputs]:
            raise InverseError(
                f"expected all inputs, found none of {', '.join(missing)}: "
                f"inputs={{'{missing[0]}': ...}}, measured, a law or 0"
            )
        if nodes is not None and not 3 <= nodes <= 10_000:
            raise ArgumentError(f"nodes: expected 3 to 10000, found {nodes}")
        self._constants, self.samples, self._inputs = constants, samples, inputs
        count = len(samples.times)
        self._first_nodes = nodes or int(np.clip(count // 2, min(count, 11), NODES))
        self._most_nodes = nodes or MOST
        laws = {name: of for name, of in inputs.items() if not is_sampled(of)}
        self.equations = ModelEquations(moving, sought_laws(moving, laws))
        self._recorded = _Guess(smooth.times, smooth.q, smooth.q_dot, smooth.q_ddot)

    def fit(self, sought: Sought) -> FittedMotion:
        """Return the trajectory that is nearest to the recording, and its constants.

        It begins at the recording, with the constants that give accelerations like those of the
        recording. Where that ends farther away than a motion with the first constants can be, it
        begins at this one. Nodes are doubled until a simulation is nearer to the trajectory than
        the recording is, or than matters.

        Raises
        ------
        SimulationError
            If none is found.
        """
        nodes, fixed = self._first_nodes, self._fixed
        first = self._near(sought, self._grid(nodes))
        stage = self._stage(sought, first, self._recorded, nodes)
        if fixed and fixed.size < stage.size:
            stage = self._stage(sought, sought.first, fixed.motion, nodes)
        nearest = NEAREST * float(self._ranges.max())
        while nodes * stage.apart > max(stage.size, nearest) and 2 * nodes <= self._most_nodes:
            nodes *= 2
            stage = self._stage(sought, stage.values, stage.motion, nodes, self._spread(stage.left))
        return self._fitted(stage)

    @property
    def before(self) -> Array | None:
        """The coordinates of the nearest motion with the constants as they are, if one is found."""
        return self._fixed.left + self.samples.q if self._fixed else None

    @cached_property
    def _fixed(self) -> _Stage | None:
        try:
            return self._stage(NOTHING_SOUGHT, {}, self._recorded, self._first_nodes)
        except SimulationError:
            return None

    def _grid(self, nodes: int) -> Array:
        """Return the times of nodes and of the middles between them."""
        first, last = (float(self.samples.times[place]) for place in (0, -1))
        return np.linspace(first, last, 2 * nodes - 1)

    def _controls(self, grid: Array) -> Array:
        """Return the inputs that were sampled, shape (times, k)."""
        sampled = ((name, self._inputs[name]) for name in self.equations.sought)
        columns = [SampledInput.of(name, of)(grid) for name, of in sampled]
        return np.array(columns).reshape(-1, len(grid)).T

    def _stage(
        self,
        sought: Sought,
        first: Mapping[str, float],
        guess: _Guess,
        nodes: int,
        spread: Array | None = None,
    ) -> _Stage:
        """Return the best fit at so many nodes, weighted by what one before it leaves over."""
        wanted, grid = self._wanted(sought, nodes), self._grid(nodes)
        program = _Program(self.equations, wanted, self._constants, self.samples)
        program.begin(guess.at(grid), self._controls(grid), sought, first)
        found = None
        if spread is None:
            found = program.weighted(0.01 * self._ranges)
            spread = self._spread(program.left(found))
        found = program.weighted(spread, found)
        return _Stage(program, found, spread, program.left(found))

    @property
    def _ranges(self) -> Array:
        return np.maximum(np.ptp(self.samples.q, axis=0), 1e-9)

    def _spread(self, left: Array) -> Array:
        """Return how sure each coordinate is, by what a fit leaves over."""
        return np.maximum(np.sqrt(np.mean(left**2, axis=0)), LEAST * self._ranges)

    def _wanted(self, sought: Sought, nodes: int) -> Wanted:
        times = self.samples.times
        free = dict(sought.limits)
        nothing: dict[str, Any] = {}
        return Wanted(
            float(times[-1] - times[0]),
            *(None, None, nothing, nothing, nothing, free, (), None, nothing),
            excited=False,
            nodes=nodes,
            iterations=1000,
            tolerance=1e-9,
            begin=float(times[0]),
        )

    def _near(self, sought: Sought, grid: Array) -> Mapping[str, float]:
        """Return the constants that give accelerations like those of the recording."""
        import casadi

        program, recorded = casadi.Opti(), self._recorded.at(grid)
        controls = self._controls(grid)
        scales = {name: scale_of(*limits) for name, limits in sought.limits.items()}
        parts = {name: program.variable() for name in scales}
        constants = self.equations.constants(
            self._constants, {name: scales[name] * part for name, part in parts.items()}
        )
        size = np.maximum(np.sqrt(np.mean(recorded.a**2, axis=0)), 1e-9)
        given = {
            "t": casadi.DM(grid).T,
            "q": casadi.DM(recorded.q.T),
            "u": casadi.DM(recorded.u.T),
            "controls": casadi.DM(controls.T),
            "constants": casadi.MX(constants),
        }
        found = self.equations.along(partial(self.equations.of, "accelerations"), given)
        total = casadi.sumsqr((found - recorded.a.T) / casadi.DM(size))
        for name, (least, most) in sought.limits.items():
            program.subject_to(
                program.bounded(least / scales[name], parts[name], most / scales[name])
            )
            program.set_initial(parts[name], sought.first[name] / scales[name])
        program.minimize(total)
        program.solver("ipopt", QUIET, {"print_level": 0, "sb": "yes", "max_iter": 200})
        try:
            found = program.solve()
        except RuntimeError:
            return sought.first
        return {name: float(found.value(part)) * scales[name] for name, part in parts.items()}

    def _fitted(self, stage: _Stage) -> FittedMotion:
        covariance, lag = stage.program.covariance(stage.found, stage.left / stage.spread)
        sd = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
        return FittedMotion(
            stage.values,
            covariance,
            self.samples.q + stage.left,
            stage.apart,
            float(np.linalg.cond(covariance / np.outer(sd, sd))),
            lag,
            stage.program.wanted.nodes,
            stage.solution.iterations,
        )


@dataclass(frozen=True)
class _Stage:
    """A fit at so many nodes."""

    program: _Program
    found: Any
    spread: Array
    left: Array

    @cached_property
    def solution(self) -> Solution:
        return self.program.solution(self.found)

    @property
    def motion(self) -> _Guess:
        """The motion at the nodes and between them, where another fit may begin."""
        one = self.solution
        return _Guess(one.times, one.q, one.u, one.a)

    @property
    def values(self) -> dict[str, float]:
        """The constants that were sought."""
        names = list(self.program.equations.mechanism.names.constants)
        return {
            name: float(self.solution.constants[names.index(name)]) for name in self.program.free
        }

    @property
    def size(self) -> float:
        """The root of the mean square of what is left over."""
        return float(np.sqrt(np.mean(self.left**2)))

    @cached_property
    def apart(self) -> float:
        """How far a simulation is off the motion, over one interval at the most."""
        forward = Forward(self.program.equations.mechanism, self.solution)
        off = np.abs(forward.each() - forward.states[1:])[:, : self.left.shape[1]]
        return float(np.nan_to_num(off, nan=np.inf).max())


class _Program(Collocation):
    """The nonlinear program of a fit."""

    def __init__(
        self,
        equations: ModelEquations,
        wanted: Wanted,
        constants: Mapping[str, float],
        samples: Samples,
    ) -> None:
        self._samples = samples
        super().__init__(equations, wanted, constants)
        if equations.mechanism.multipliers:
            self.close_start()

    def _objective(self) -> Any:
        """Return nothing: what is small is said once weights are known."""
        return 0

    def begin(
        self, guess: _Guess, controls: Array, sought: Sought, first: Mapping[str, float]
    ) -> None:
        """Begin at a motion and at values of the constants."""
        self._sought = sought
        self.guess(guess.q, guess.u, controls)
        self.program.set_initial(self.unknown["a"], guess.a.T)
        for name, value in first.items():
            self.begin_with(name, value)
        if controls.shape[1]:
            self.program.subject_to(self.unknown["controls"] == controls.T)
        self._off = self._casadi.vec(self._at_samples() - self._samples.q.T)

    def _at_samples(self) -> Any:
        """Return coordinates at the times of the recording: cubic between nodes and middles."""
        ca, count = self._casadi, self.count
        times, begin = self._samples.times, self.wanted.begin
        step = float(times[-1] - begin) / (count - 1)
        where = (times - begin) / step
        left = np.clip(where.astype(int), 0, count - 2)
        s, columns = where - left, np.arange(len(times))
        values, slopes = np.zeros((count, len(times))), np.zeros((count, len(times)))
        values[left, columns] = 2 * s**3 - 3 * s**2 + 1
        values[left + 1, columns] = 3 * s**2 - 2 * s**3
        slopes[left, columns] = step * (s**3 - 2 * s**2 + s)
        slopes[left + 1, columns] = step * (s**3 - s**2)
        rates = self.along(self.equations.rates)
        by_values, by_slopes = (ca.sparsify(ca.DM(of)) for of in (values, slopes))
        return self.unknown["q"] @ by_values + rates @ by_slopes

    def weighted(self, spread: Array, before: Any = None) -> Any:
        """Return the best fit with standard deviations of the coordinates."""
        ca = self._casadi
        weights = np.tile(1 / spread, len(self._samples.times))
        self._parts = self._off * ca.DM(weights)
        total = ca.sumsqr(self._parts)
        for name, size in self._sought.spreads.items():
            total += ((self.free[name] - self._sought.first[name]) / size) ** 2
        self.program.minimize(total)
        if before is not None:
            self.program.set_initial(self.program.x, before.value(self.program.x))
        return self.solve()

    def solve(self) -> Any:
        """Return the best fit, also where rounding leaves no step to a better one.

        Raises
        ------
        SimulationError
            If none is found.
        """
        try:
            return super().solve()
        except SimulationError:
            if self.program.stats().get("return_status") != NO_STEP:
                raise
            return self.program.debug

    def left(self, found: Any) -> Array:
        """Return the fitted coordinates less those of the recording, shape (times, n)."""
        return np.asarray(found.value(self._off)).reshape(self._samples.q.shape)

    def covariance(self, found: Any, left: Array) -> tuple[Array, int]:
        """Return the covariance of the constants, and over how many samples errors go together.

        The inverse of the matrix of the optimality conditions tells how each residual moves the
        constants; what is left over, correlated in time, weighs these.
        """
        from scipy.sparse import block_array, csc_array, diags_array, eye_array
        from scipy.sparse.linalg import splu

        ca, program = self._casadi, self.program
        if not self.parts:
            return np.zeros((0, 0)), 0
        lower, upper = (np.ravel(found.value(of)) for of in (program.lbg, program.ubg))
        J = csc_array(found.value(ca.jacobian(self._parts, program.x)))
        A = csc_array(found.value(ca.jacobian(program.g, program.x)))[lower == upper]
        places = [
            int(np.flatnonzero(found.value(ca.jacobian(part, program.x)).toarray())[0])
            for part in self.parts.values()
        ]
        first, scales = self._sought.first, self.scales
        tight = np.zeros(J.shape[1])
        prior = np.zeros(len(places))
        for number, (name, place) in enumerate(zip(self.parts, places, strict=True)):
            if name in self._sought.spreads:
                prior[number] = (scales[name] / self._sought.spreads[name]) ** 2
            loose = LOOSE * max(abs(first[name]), scales[name]) / scales[name]
            tight[place] = prior[number] + 1 / loose**2
        H = J.T @ J + diags_array(tight)
        system = block_array([[H, A.T], [A, -1e-14 * eye_array(A.shape[0])]], format="csc")
        columns = np.zeros((system.shape[0], len(places)))
        columns[places, range(len(places))] = 1.0
        moved = splu(system).solve(columns)[: J.shape[1]]
        slopes = (J @ moved).reshape(*left.shape, len(places))
        meat, lag = covariance_of_sum(slopes, left, len(places))
        own = moved[places]
        size = np.array([scales[name] for name in self.parts])
        loose = own @ np.diag(tight[places]) @ own.T
        return (meat + loose) * np.outer(size, size), lag


def sought_constants(
    names: Sequence[str],
    known: Mapping[str, float],
    between: Mapping[str, tuple[float, float]],
    spreads: Array,
) -> Sought:
    """Return constants that are sought, with the values and limits that they have.

    Raises
    ------
    ArgumentError
        If a name is unknown, limits are none, or a value is not between them.
    """
    if not names or len(set(names)) < len(names):
        raise ArgumentError(f"parameters: expected names, each once, found {list(names)}")
    limits = {}
    for name in names:
        if name not in known:
            raise ArgumentError(f"parameters: {absent('constant', name, known)}")
        limits[name] = between.get(name) or _limits(known[name])
    for name, (least, most) in between.items():
        if name not in names:
            raise ArgumentError(f"between: {absent('parameter', name, names)}")
        if not least <= known[name] <= most or least == most:
            raise ArgumentError(
                f"between: '{name}': expected two numbers with its value {known[name]:g} between "
                f"them, found {least:g} and {most:g}"
            )
    tied = {name: float(one) for name, one in zip(names, spreads, strict=True) if np.isfinite(one)}
    return Sought({name: known[name] for name in names}, limits, tied)


def _limits(value: float) -> tuple[float, float]:
    if value > 0:
        return value / FACTOR, value * FACTOR
    size = FACTOR * (abs(value) or 1.0)
    return value - size, value + size
