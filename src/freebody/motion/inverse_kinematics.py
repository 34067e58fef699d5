"""The coordinates of any model from points that were seen, by least squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MotionError, Problem, nearest
from freebody.mechanics.build import mechanism as mechanism_of
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.motion.checks import MAX_PROBLEMS, runs, sample_name
from freebody.motion.markers import Markers, read_markers
from freebody.motion.motion import Motion

if TYPE_CHECKING:
    from freebody.backends.evaluation import Call
    from freebody.backends.functions import Function


class PointPositions:
    """Positions of points as functions of the coordinates, with their Jacobian.

    Parameters
    ----------
    mechanism : Mechanism
    places : sequence of str
        Bodies (their centres of mass), joints or named points.
    constants : mapping of str to float, optional
        Values to use instead of the model's.

    Raises
    ------
    MotionError
        If there is no such place, or a constant has no value.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        places: Sequence[str],
        constants: Mapping[str, float] | None = None,
    ) -> None:
        from freebody.backends.compile import Functions  # slow to import

        self.n = len(mechanism.coordinates)
        _expect_places(mechanism, places)
        values = mechanism.names.values(constants)
        unset = [name for name in mechanism.names.constants if name not in values]
        if unset:
            problems = [Problem(f"constants.{name}", "has no value") for name in unset]
            raise MotionError(mechanism.model.title, problems)
        names = [[f"{what}.{place}" for place in places] for what in ("position", "jacobian")]
        functions = Functions(mechanism, "numpy")
        functions.compile(chain(*names))
        self._positions, self._jacobians = (
            [_placed(functions[name], constants) for name in group] for group in names
        )

    def positions(self, t: float, q: Array) -> Array:
        """Return where the points are, of shape (points, 3), in m.

        Parameters
        ----------
        t : float
            In s.
        q : array, shape (n,)
            Coordinates.

        Returns
        -------
        array, shape (points, 3)
        """
        return np.array([position(t, q) for position in self._positions])

    def jacobian(self, t: float, q: Array) -> Array:
        """Return the derivatives of the positions by the coordinates, (points, 3, n).

        Parameters
        ----------
        t : float
            In s.
        q : array, shape (n,)
            Coordinates.

        Returns
        -------
        array, shape (points, 3, n)
        """
        return np.array([jacobian(t, q) for jacobian in self._jacobians])


def _placed(function: Function, constants: Mapping[str, float] | None) -> Call:
    """Return a function of time and coordinates; some places move with the coordinates alone."""
    call = function.bind(constants)
    return call if "t" in function.arguments else lambda _, q: call(q)


def _expect_places(mechanism: Mechanism, places: Sequence[str]) -> None:
    known = mechanism.named
    problems = [
        Problem(place, f"is no body, joint or named point of the model{nearest(place, known)}")
        for place in places
        if place not in known
    ]
    if problems:
        raise MotionError(mechanism.model.title, problems)


TOLERANCE = 1e-12
SINGULAR = 1e-6
"""Below this part of the largest, a singular value of the Jacobian tells of a singularity."""
AT_LIMIT = 1e-6
"""How near to a limit counts as at it, in rad or m."""
STEPS = 200
TRIALS = 8
"""How often a search starts."""

Limits = Mapping[str, tuple[float | None, float | None]]


@dataclass(frozen=True)
class Solution:
    """The motion that fits points best.

    Attributes
    ----------
    motion : Motion
        The coordinates of the model.
    residuals : array, shape (time, points)
        How far each point is from where it was seen, in m; not a number where it was not.
    points : tuple of str
    singular : array of bool, shape (time,)
        Where the points that were seen do not decide all coordinates.
    at_limit : array of bool, shape (time, n)
        Where a coordinate is at one of its limits.
    """

    motion: Motion
    residuals: Array
    points: tuple[str, ...]
    singular: NDArray[np.bool_]
    at_limit: NDArray[np.bool_]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of single samples."""
        names = self.motion.names
        notes = [
            f"{_span(first, count)}: a singularity, where the points do not decide all coordinates"
            for first, count in runs(self.singular)
        ]
        notes += [
            f"{_span(first, count)}: '{name}' is at its limit"
            for n, name in enumerate(names)
            for first, count in runs(self.at_limit[:, n])
        ]
        notes += [
            f"{_span(first, count)}: '{name}' was not seen, and is left out"
            for n, name in enumerate(self.points)
            for first, count in runs(np.isnan(self.residuals[:, n]))
        ]
        return tuple(notes)


@checked
def inverse_kinematics(
    model: AnyModel,
    markers: Markers | str | Path,
    *,
    tolerance: float,
    start: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    constants: Mapping[str, float] | None = None,
) -> Solution:
    """Find the coordinates that put points of a model where they were seen.

    Each sample starts from the one before, the first from ``start``, or else from the initial
    values of the model.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Without constraints.
    markers : Markers, str or Path
        Or a file of them, see `freebody.read_markers`. Named as bodies (for their centres of mass),
        joints or points of the model, in the ground's axes.
    tolerance : float
        How far a point may be from where it was seen, in m.
    start : mapping of str to float, optional
        Coordinates of the first sample, about.
    limits : mapping of str to tuple, optional
        The least and the largest value of coordinates; None for no limit.
    constants : mapping of str to float, optional
        Values to use instead of the model's.

    Raises
    ------
    MotionError
        If a point stays farther from its target, with the distance; or a name is unknown, the
        model has constraints, or the tolerance is not positive.
    """
    moving = mechanism_of(model)
    markers = markers if isinstance(markers, Markers) else read_markers(markers)
    _expect_open(moving)
    if not tolerance > 0:
        message = f"expected a positive distance in m, found {tolerance:g}"
        raise MotionError("inverse kinematics", [Problem("tolerance", message)])
    names = list(moving.model.coordinates)
    bounds = _bounds(names, limits or {})
    guess = np.clip(_start(moving, start or {}, constants), *bounds)
    fit = _Fit(PointPositions(moving, markers.names, constants), bounds, tolerance)
    targets = np.stack(list(markers.positions().values()), axis=1)
    postures = []
    for t, seen in zip(markers.times, targets, strict=True):
        guess = fit.solved(float(t), guess, seen)
        postures.append(guess)
    q = np.array(postures)
    residuals = fit.distances(markers.times, q, targets)
    _expect_near(residuals, tolerance, markers)
    solution = Solution(
        _motion(moving, markers, q),
        residuals,
        markers.names,
        fit.singular(markers.times, q, targets),
        np.minimum(np.abs(q - bounds[0]), np.abs(q - bounds[1])) <= AT_LIMIT,
    )
    choices = {**solution.motion.choices, "notes": list(solution.notes)}
    return replace(solution, motion=replace(solution.motion, choices=choices))


@dataclass(frozen=True)
class _Fit:
    points: PointPositions
    bounds: tuple[Array, Array]
    tolerance: float

    @property
    def unbounded(self) -> bool:
        """Whether no coordinate has a limit."""
        return not np.isfinite(self.bounds).any()

    def solved(self, t: float, guess: Array, seen: Array) -> Array:
        """Return the coordinates that fit the points seen at a time best.

        Where a search ends too far off, as it does from a singularity, it starts again nearby.
        """
        random = np.random.default_rng(0)
        best, off = guess, np.inf
        for trial in range(TRIALS):
            if off <= self.tolerance:
                break
            near = guess + (random.uniform(-1, 1, len(guess)) if trial else 0)
            solution = self._searched(t, np.clip(near, *self.bounds), seen)
            distances = np.linalg.norm(self.points.positions(t, solution) - seen, axis=1)
            farthest = float(np.nanmax(distances, initial=0.0))
            if farthest < off:
                best, off = solution, farthest
        return best

    def _searched(self, t: float, guess: Array, seen: Array) -> Array:
        from scipy.optimize import least_squares

        known = _visible(seen)
        if not known.any():
            return guess
        off, slopes = self._functions(t, seen, known)
        solution = least_squares(
            off,
            guess,
            slopes,
            bounds=self.bounds,
            method="lm" if self.unbounded and 3 * known.sum() >= len(guess) else "trf",
            xtol=TOLERANCE,
            ftol=TOLERANCE,
            gtol=TOLERANCE,
            max_nfev=STEPS,
        )
        return np.asarray(solution.x, dtype=float)

    def _functions(
        self, t: float, seen: Array, known: NDArray[np.bool_]
    ) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        def off(q: Array) -> Array:
            return np.asarray((self.points.positions(t, q) - seen)[known].ravel())

        def slopes(q: Array) -> Array:
            return self.points.jacobian(t, q)[known].reshape(-1, self.points.n)

        return off, slopes

    def distances(self, times: Array, q: Array, targets: Array) -> Array:
        """Return how far each point is from where it was seen."""
        placed = [self.points.positions(float(t), row) for t, row in zip(times, q, strict=True)]
        return np.linalg.norm(np.array(placed) - targets, axis=2)

    def singular(self, times: Array, q: Array, targets: Array) -> NDArray[np.bool_]:
        """Return where the points that were seen do not decide all coordinates."""
        flags = []
        for t, row, seen in zip(times, q, targets, strict=True):
            known = _visible(seen)
            slopes = self.points.jacobian(float(t), row)[known].reshape(-1, self.points.n)
            sizes = np.linalg.svd(slopes, compute_uv=False)
            decided = np.sum(sizes > SINGULAR * sizes.max(initial=0.0))
            flags.append(decided < self.points.n)
        return np.array(flags, dtype=bool)


def _visible(seen: Array) -> NDArray[np.bool_]:
    """Return which of the points were seen."""
    return np.asarray(np.isfinite(seen).all(axis=1), dtype=bool)


def _motion(mechanism: Mechanism, markers: Markers, q: Array) -> Motion:
    model = mechanism.model
    units = {name: entry.unit for name, entry in model.coordinates.items()}
    columns = dict(zip(units, q.T, strict=True))
    motion = Motion.of(markers.times, columns, unit=units, source=markers.source)
    return replace(motion, choices={"inverse kinematics": "least squares, from sample to sample"})


def _expect_open(mechanism: Mechanism) -> None:
    if mechanism.multipliers:
        message = f"expected a model without constraints, found {len(mechanism.multipliers)}"
        raise MotionError(mechanism.model.title, [Problem("constraints", message)])


def _expect_near(residuals: Array, tolerance: float, markers: Markers) -> None:
    """Refuse points that stay too far from where they were seen."""
    problems = [
        Problem(
            f"{sample_name(int(index))}, {markers.names[point]}",
            f"is out of reach: the nearest that was found is {residuals[index, point]:.6g} m off; "
            f"expected at most {tolerance:g} m",
        )
        for index, point in np.argwhere(residuals > tolerance)[:MAX_PROBLEMS]
    ]
    if problems:
        raise MotionError(markers.source, problems)


def _expect_coordinates(given: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    problems = [
        Problem(f"{what}.{name}", f"is no coordinate of the model{nearest(name, names)}")
        for name in given
        if name not in names
    ]
    if problems:
        raise MotionError("inverse kinematics", problems)


def _bounds(names: Sequence[str], limits: Limits) -> tuple[Array, Array]:
    _expect_coordinates(limits, names, "limits")
    pairs = [limits.get(name, (None, None)) for name in names]
    lower = np.array([-np.inf if low is None else low for low, _ in pairs], dtype=float)
    upper = np.array([np.inf if high is None else high for _, high in pairs], dtype=float)
    problems = [
        Problem(f"limits.{name}", f"expected {low:g} to be below {high:g}")
        for name, low, high in zip(names, lower, upper, strict=True)
        if not low < high
    ]
    if problems:
        raise MotionError("inverse kinematics", problems)
    return lower, upper


def _start(
    mechanism: Mechanism, start: Mapping[str, float], constants: Mapping[str, float] | None
) -> Array:
    entries = mechanism.model.coordinates
    _expect_coordinates(start, list(entries), "start")
    values = mechanism.names.values(constants)
    initial = {
        name: 0.0 if entry.initial is None else mechanism.names.number(entry.initial, values)
        for name, entry in entries.items()
    }
    return np.array(list({**initial, **start}.values()), dtype=float)


def _span(first: int, count: int) -> str:
    return sample_name(first) if count == 1 else f"{sample_name(first)} to {first + count}"
