"""Constants of any kind from a motion alone, as the results of identification are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MotionError, SimulationError
from freebody.identification.constants import prior_spreads
from freebody.identification.estimates import Estimates
from freebody.identification.identify import Identified
from freebody.identification.nearest_motion import (
    FittedMotion,
    MotionFit,
    Sought,
    sought_constants,
)
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel
from freebody.motion.motion import Motion
from freebody.motion.reading import AnyMotion, motion_of
from freebody.optimization.problem import expect_casadi
from freebody.results import dataset, provenance_of
from freebody.simulation.inputs import AnyInputs, inputs_of
from freebody.simulation.setup import constants_of

NOTHING = 10.0
"""A standard deviation of so many times the value says that nothing is known of it."""
EDGE = 1e-3
"""Nearer to a limit than this part of the range, a constant is told to be at it."""
RESOLVED = 0.3
"""The part of what is left over that may be due to too few nodes."""


@checked
def fit_trajectory(
    model: AnyModel,
    motion: AnyMotion,
    parameters: Sequence[str],
    *,
    inputs: AnyInputs | None = None,
    constants: Mapping[str, float] | None = None,
    prior: float | Mapping[str, float] | None = None,
    between: Mapping[str, tuple[float, float]] | None = None,
    nodes: int | None = None,
) -> Identified:
    """Return constants with which a motion of the model is nearest to a recorded one.

    So constants of any kind are found: lengths, arms of forces, the direction of gravity,
    exponents. The motion and the constants are found together, by CasADi and its IPOPT; no
    derivative of the recording is taken. Masses are found where forces are known that are not
    proportional to them.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
    motion : Motion, Result, str or Path
        As for `freebody.inverse`: with all coordinates.
    parameters : sequence of str
        The constants that are sought. What is defined by them follows.
    inputs : mapping of str to value, Result, str or Path, optional
        All inputs, as for `freebody.inverse`: numbers, laws or samples over time.
    constants : mapping of str to float, optional
        Values to use instead of those of the model: also where the search begins.
    prior : float or mapping of str to float, optional
        As for `freebody.identify`.
    between : mapping of str to tuple of float, optional
        Between which values constants are. Without it between a twentieth of their value and
        twenty times it.
    nodes : int, optional
        At which the motion obeys the equations, and in the middles between them: as many as half
        the samples, and at most 200.

    Returns
    -------
    Identified
        With coordinates instead of forces as ``measured``, ``before``, a motion with the constants
        of the model that is as near as it can be, and ``after``.

    Raises
    ------
    ArgumentError, InverseError
        If a name is unknown, an input is not known, or limits are none.
    BackendError
        If CasADi is not installed.
    MotionError
        If the motion is not one of the model.
    SimulationError
        If no motion is found.

    Examples
    --------
    >>> import freebody
    >>> swing = freebody.simulate("pendulum", 2, constants={"d": 0.35}, inputs={"T": 0})
    >>> found = freebody.fit_trajectory("pendulum", swing, ["d"], inputs={"T": 0})
    >>> round(found.values["d"], 4)
    0.35
    """
    expect_casadi()
    moving = mechanism(model)
    given = dict(constants or {})
    known, problems = constants_of(moving, given)
    if problems:
        raise SimulationError("; ".join(problems))
    driven, _ = inputs_of(inputs, moving.model, driving=False)
    recorded = motion_of(motion, moving)
    samples = recorded.samples(moving.model)
    first = np.array([known.get(name, np.nan) for name in parameters])
    spreads = prior_spreads(parameters, first, prior)
    sought = sought_constants(parameters, known, between or {}, spreads)
    smooth = _smoothed(recorded).samples(moving.model)
    program = MotionFit(moving, samples, smooth, driven, known, nodes)
    fitted = program.fit(sought)
    before = np.full_like(samples.q, np.nan) if program.before is None else program.before
    values = np.array(list(fitted.values.values()))
    sd = np.sqrt(np.maximum(np.diag(fitted.covariance), 0))
    determined = sd < NOTHING * np.maximum(np.abs(values), np.abs(first))
    units = [moving.model.constants[name].unit or "" for name in parameters]
    estimates = Estimates(parameters, units, values, fitted.covariance, first, determined)
    over = ("time", "coordinate")
    variables: dict[str, tuple[Sequence[str], Any]] = {
        **estimates.variables,
        "measured": (over, samples.q),
        "before": (over, before),
        "after": (over, fitted.coordinates),
    }
    names = list(moving.model.coordinates)
    left = fitted.coordinates - samples.q
    statistics = {
        "left_before": _sizes(names, before - samples.q),
        "left_after": _sizes(names, left),
        "condition": fitted.condition,
        "samples": len(samples.times),
        "correlated_over_samples": fitted.lag,
        "nodes": fitted.nodes,
        "iterations": fitted.iterations,
        "interval_error": fitted.interval_error,
    }
    filters = {name: recorded.choices[name] for name in ("filter",) if name in recorded.choices}
    provenance = {
        **provenance_of(moving.model, {**known, **fitted.values}),
        "motion": recorded.source,
        **filters,
        "method": "trajectory by Hermite-Simpson collocation, covariance by Newey and West",
    }
    notes = [*_edges(fitted, sought), *estimates.notes]
    if program.before is None:
        notes.append("no motion with the constants of the model is found near the recording")
    if fitted.interval_error > RESOLVED * np.sqrt(np.mean(left**2, axis=0)).max():
        notes.append(
            f"between nodes the motion is up to {fitted.interval_error:.2g} off a simulation: "
            "expected more of them"
        )
    labels = {**estimates.labels, "time": samples.times}
    made = dataset(moving.model, variables, labels)
    return Identified(made, moving, provenance, statistics, tuple(notes))


def _smoothed(recorded: Motion) -> Motion:
    """Return a recording with its noise smoothed away, where it is long and even enough."""
    if "accelerations" in recorded.data:
        return recorded
    try:
        return recorded.filtered()
    except MotionError:
        return recorded


def _sizes(names: Sequence[str], left: Array) -> dict[str, float]:
    """Return the root of the mean square of what is left over, by coordinate."""
    return dict(zip(names, np.sqrt(np.mean(left**2, axis=0)).tolist(), strict=True))


def _edges(fitted: FittedMotion, sought: Sought) -> list[str]:
    """Tell of constants at the limits between which they were sought."""
    return [
        f"{name} is at the limit {limit:g}: expected others in `between`"
        for name, value in fitted.values.items()
        for limit in sought.limits[name]
        if abs(value - limit) < EDGE * max(abs(limit), abs(value))
    ]
