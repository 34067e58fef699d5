"""Static optimisation: torques shared among muscles with the least squared activation.

For every sample, ½ Σ a² is least with A a = b and 0 ≤ a ≤ 1: a convex quadratic program whose
solution is a = clip(Aᵀ λ, 0, 1). Its multipliers λ are as few as there are speeds and maximize a
concave function that is quadratic between its corners; Newton's method with a line search finds
them in a few steps, for all samples at once, and then exactly. That function is nowhere above the
largest Σ a²/2 where there is a solution: where it is, there is none, and the least that is left
over is what scipy's bounded least squares find.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MuscleError, absent
from freebody.inverse_dynamics.inverse import inverse
from freebody.inverse_dynamics.result import InverseDynamics
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model import Model, Names
from freebody.model.names import speed_names
from freebody.motion.reading import AnyMotion
from freebody.muscles.hill import Musculotendons, pushing
from freebody.muscles.paths import MuscleKinematics, MusclePaths
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.inputs import SampledInput

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


EXACT = 1e-11
"""How far off A a = b may be, in parts of what the muscles could give together."""
STEPS = 100
BOUND = 1e-9
"""Below this a muscle's part in what is left over counts as none."""
RISE = 1e-4
"""The part of the expected rise that a step must reach."""
HALVINGS = 40
SMALL, SMALLEST = 1e-6, 1e-15
"""Added to the curvature, in parts of that of all muscles: the former times what is left over.

Where no muscle is free there is no curvature, and where weak ones are there is little.
"""


@dataclass(frozen=True)
class Shared:
    """How generalized forces are shared.

    Attributes
    ----------
    activation : array, shape (samples, muscles)
        From 0 to 1.
    residual : array, shape (samples, n)
        What the muscles cannot give, in the unit of the generalized forces; zero up to rounding
        where they can.
    reached : array of bool, shape (samples,)
        Whether they can.
    """

    activation: Array
    residual: Array
    reached: Any


@checked
def share(arms: Array, needed: Array) -> Shared:
    """Share generalized forces among muscles, with the least sum of squared activations.

    Where the muscles cannot give them all, they give what leaves least over: the least sum of
    squares, each in parts of what all muscles could give along its speed.

    Parameters
    ----------
    arms : array, shape (samples, n, muscles)
        The generalized force of each muscle that is fully active.
    needed : array, shape (samples, n)

    Raises
    ------
    MuscleError
        For arrays of other shapes, or that are not finite.

    Examples
    --------
    >>> found = share(np.array([[[40.0, -30.0]]]), np.array([[20.0]]))
    >>> found.activation, bool(found.reached[0])
    (array([[0.5, 0. ]]), True)
    """
    fit = arms.ndim == 3 and arms.shape[:2] == needed.shape
    if not (fit and np.isfinite(arms).all() and np.isfinite(needed).all()):
        raise MuscleError(
            "expected finite arms of shape (samples, n, muscles) and forces of (samples, n), found "
            f"{arms.shape} and {needed.shape}"
        )
    size = np.abs(arms).sum(axis=-1)
    scale = np.where(size > 0, size, 1.0)
    A, b = arms / scale[..., None], np.where(size > 0, needed / scale, 0.0)
    activation, off = _multiplied(A, b)
    beyond = off > EXACT
    if beyond.any():
        activation[beyond] = _nearest(A[beyond], b[beyond])
    residual = needed - np.einsum("sij,sj->si", arms, activation)
    untouched = np.any((size == 0) & (needed != 0), axis=-1)
    return Shared(activation, residual, ~(beyond | untouched))


def _nearest(A: Array, b: Array) -> Array:
    """Return activations that leave least over, of these the ones with the least sum of squares.

    What is least is unique: a muscle that could make it smaller is fully active or not at all, and
    the others share what is given.
    """
    from scipy.optimize import lsq_linear  # slow to import

    given = np.empty_like(b)
    for number, (arms, needed) in enumerate(zip(A, b, strict=True)):
        fit = lsq_linear(arms, needed, (0.0, 1.0), method="bvls", tol=1e-15).x
        given[number] = arms @ fit
    helps = np.einsum("sij,si->sj", A, b - given)
    held = np.where(np.abs(helps) > BOUND, (helps > 0).astype(float), 0.0)
    free = np.where(np.abs(helps) > BOUND, 0.0, A.transpose(1, 0, 2)).transpose(1, 0, 2)
    shared, _ = _multiplied(free, given - np.einsum("sij,sj->si", A, held))
    return np.where(np.abs(helps) > BOUND, held, shared)


def _multiplied(A: Array, b: Array) -> tuple[Array, Array]:
    """Return activations, and how far off they are, by Newton's method on the multipliers."""
    problem = _Dual(A, b)
    multipliers = np.zeros_like(b)
    waiting = np.arange(len(b))
    for _ in range(STEPS):
        part = problem.of(waiting)
        slope, value = part.slope(multipliers[waiting]), part.value(multipliers[waiting])
        far = (np.abs(slope).max(axis=-1, initial=0.0) > EXACT) & (value <= A.shape[-1] / 2 + BOUND)
        waiting, part, slope = waiting[far], part.of(far), slope[far]
        if not len(waiting):
            break
        multipliers[waiting] = part.step(multipliers[waiting], slope)
    off = np.abs(problem.slope(multipliers)).max(axis=-1, initial=0.0)
    return problem.activation(multipliers), off


@dataclass(frozen=True)
class _Dual:
    """The concave function of the multipliers: b λ less the largest of (Aᵀ λ) a - a²/2."""

    A: Array
    b: Array

    def of(self, which: Any) -> _Dual:
        return _Dual(self.A[which], self.b[which])

    def drives(self, multipliers: Array) -> Array:
        return np.einsum("sij,si->sj", self.A, multipliers)

    def activation(self, multipliers: Array) -> Array:
        return np.clip(self.drives(multipliers), 0.0, 1.0)

    def value(self, multipliers: Array) -> Array:
        drives = self.drives(multipliers)
        active = np.clip(drives, 0.0, 1.0)
        paid = active * drives - active**2 / 2
        return (self.b * multipliers).sum(axis=-1) - paid.sum(axis=-1)

    def slope(self, multipliers: Array) -> Array:
        given = np.einsum("sij,sj->si", self.A, self.activation(multipliers))
        return self.b - given

    def step(self, multipliers: Array, slope: Array) -> Array:
        """Return multipliers with a larger value: Newton's step, halved until it rises enough."""
        drives = self.drives(multipliers)
        free = self.A * ((drives >= 0) & (drives <= 1))[:, None, :]
        curvature = np.einsum("sij,skj->sik", free, free)
        size = np.einsum("sij,sij->s", self.A, self.A)
        damping = size * (SMALL * np.abs(slope).max(axis=-1) + SMALLEST)
        curvature = curvature + damping[:, None, None] * np.eye(self.b.shape[-1])
        ahead = np.linalg.solve(curvature, slope[..., None])[..., 0]
        rise, before = (ahead * slope).sum(axis=-1), self.value(multipliers)
        length = np.ones(len(ahead))
        for _ in range(HALVINGS):
            there = multipliers + length[:, None] * ahead
            falls = (self.slope(there) * ahead).sum(axis=-1) < 0
            short = falls & (self.value(there) < before + RISE * length * rise)
            if not short.any():
                break
            length = np.where(short, length / 2, length)
        return multipliers + length[:, None] * ahead


# ------------------------------------------------------------------ along a motion

ROUNDING = 1e-9
"""Below this part of the largest force, nothing is left."""


@dataclass(frozen=True, repr=False)
class StaticOptimum(Result):
    """How muscles share the torques of a motion.

    Attributes
    ----------
    data : xarray.Dataset
        - ``activation`` and ``tension`` (time, muscle);
        - ``contribution`` (time, speed, muscle): the generalized force of each muscle;
        - ``generalized`` (time, speed): what was asked for; ``residual``: what the muscles cannot
          give of it;
        - ``moment_arms`` (time, speed, muscle).

        ``tension_input`` (muscle) says which input of the model is the tension of a muscle.
    notes : tuple of str
        What there is to know: where the muscles cannot give the torques, and what was assumed.
    """

    @property
    def inputs(self) -> dict[str, SampledInput]:
        """The tensions over time, as `freebody.inverse` and `freebody.simulate` take inputs.

        With these, inverse dynamics knows what the joints' surfaces carry.
        """
        times, tensions = self.data["time"].to_numpy(), self.data["tension"]
        names = map(str, self.data["tension_input"].to_numpy())
        columns = tensions.transpose("muscle", "time").to_numpy()
        return {
            name: SampledInput(name, times - times[0], column)
            for name, column in zip(names, columns, strict=True)
        }

    def figure(self) -> Figure:
        """Return tensions, activations, and what the muscles give along each speed."""
        from freebody.muscles.figures import sharing

        return sharing(self)


@checked
def static_optimisation(
    model: AnyModel,
    motion: AnyMotion,
    *,
    constants: Mapping[str, float] | None = None,
    strength: Mapping[str, float] | None = None,
    curves: bool = False,
) -> StaticOptimum:
    """Share the torques of a motion among the muscles, with the least sum of squared activations.

    Sample by sample Σ a² is least, with R F = τ and 0 ≤ a ≤ 1. What muscles do not reach is left
    over, and told; where they are too weak they give what leaves least, in parts of what all of
    them could give along a speed.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        With muscles.
    motion : InverseDynamics, Motion, Result, str or Path
        What `freebody.inverse` gives; of any other motion inverse dynamics are worked out first.
    strength : mapping of str to float, optional
        The largest force of muscles, in N; of all others the ``peak_force`` of their ``hill``.
    curves : bool, optional
        Whether the force for a unit of activation follows the lengths and velocities of the fibres,
        on rigid tendons, rather than being the largest; passive forces then come first.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.

    Returns
    -------
    StaticOptimum
        ``data`` over (time, muscle): ``activation``, and ``tension`` in N, and what is left over.

    Raises
    ------
    MuscleError
        If the model has no muscles, or a muscle no strength.

    Examples
    --------
    >>> import freebody
    >>> from freebody.motion import posture_reach
    >>> reach = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0, "alpha2": 1.5}, 1)
    >>> torques = freebody.inverse("two_link_muscles", reach)
    >>> shared = freebody.static_optimisation("two_link_muscles", torques)
    >>> float(abs(shared.data["residual"]).max()) < 1e-9
    True
    """
    moving = mechanism(model)
    model, data = moving.model, _torques(moving, motion, constants)
    _expect(data, model)
    lines = MusclePaths(model, constants).at(
        *(
            data[name].transpose("time", ...).to_numpy()
            for name in ("time", "coordinates", "speeds")
        )
    )
    active, passive = _capacities(model, lines, strength or {}, curves, constants)
    needed = data["generalized"].transpose("time", "speed").to_numpy()
    arms = lines.arms
    shared = share(arms * active[:, None, :], needed - np.einsum("tij,tj->ti", arms, passive))
    tension = active * shared.activation + passive
    notes = (*_assumed(model, curves), *_left(model, data, arms, shared))
    made = _dataset(model, data, lines, tension, shared)
    provenance = {
        **provenance_of(model, Names(model).values(constants)),
        "method": "least sum of squared activations",
        "strength": dict(strength or {}),
        "curves": curves,
    }
    notes = (*notes, *filter(None, [pushing(made)]))
    return StaticOptimum(made, moving, provenance, notes=notes)


def _torques(
    moving: Mechanism, motion: AnyMotion, constants: Mapping[str, float] | None
) -> xr.Dataset:
    """Return the arrays of inverse dynamics."""
    if isinstance(motion, InverseDynamics):
        return motion.data
    return inverse(moving, motion, constants=constants).data


def _expect(data: Any, model: Model) -> None:
    """See that a result is one of the model."""
    speeds = speed_names(model)
    for dim, known in (("coordinate", list(model.coordinates)), ("speed", speeds)):
        labels = [str(label) for label in data[dim].to_numpy()]
        if labels != known:
            raise MuscleError(f"expected the {dim}s {', '.join(known)}, found {', '.join(labels)}")


def _capacities(
    model: Model,
    lines: MuscleKinematics,
    strength: Mapping[str, float],
    curves: bool,
    constants: Mapping[str, float] | None,
) -> tuple[Array, Array]:
    """Return the tension of each muscle for a unit of activation, and without any."""
    names = [muscle.name for muscle in model.muscles]
    for name in strength:
        if name not in names:
            raise MuscleError(absent("muscle", name, names))
    if curves:
        tendons = Musculotendons.of(model, constants)
        active, passive = tendons.capacity(tendons.rigid(lines.length, lines.rate))
        factor = np.array(
            [strength.get(n, p) for n, p in zip(names, tendons.peak_force, strict=True)]
        )
        return active * factor / tendons.peak_force, passive * factor / tendons.peak_force
    forces = np.array(list(_strengths(model, strength, constants)))
    return np.broadcast_to(forces, lines.length.shape), np.zeros_like(lines.length)


def _strengths(
    model: Model, strength: Mapping[str, float], constants: Mapping[str, float] | None
) -> Iterator[float]:
    names = Names(model)
    values = names.values(constants)
    for muscle in model.muscles:
        if muscle.name in strength:
            yield strength[muscle.name]
        elif muscle.hill is not None:
            yield names.number(muscle.hill.peak_force, values)
        else:
            raise MuscleError(
                f"muscle '{muscle.name}' has no strength: expected a 'hill' with a 'peak_force', "
                "or the strength to be given"
            )


def _dataset(
    model: Model, data: Any, lines: MuscleKinematics, tension: Array, shared: Shared
) -> xr.Dataset:
    along, of = ("time", "speed"), ("time", "muscle")
    variables = {
        "activation": (of, shared.activation),
        "tension": (of, tension),
        "contribution": ((*along, "muscle"), lines.arms * tension[:, None, :]),
        "generalized": (along, data["generalized"].transpose(*along).to_numpy()),
        "residual": (along, shared.residual),
        "moment_arms": ((*along, "muscle"), lines.arms),
    }
    muscles = {muscle.name: muscle.tension for muscle in model.muscles}
    labels = {
        "time": data["time"].to_numpy(),
        "muscle": list(muscles),
        "tension_input": ("muscle", list(muscles.values())),
    }
    return dataset(model, variables, labels)


# ---------------------------------------------------------------------- results


def _assumed(model: Model, curves: bool) -> Iterator[str]:
    if not curves:
        yield "a muscle is as strong at every length and velocity"
    else:
        elastic = [m.name for m in model.muscles if m.hill and m.hill.tendon == "elastic"]
        if elastic:
            yield f"elastic tendons are taken as rigid: {', '.join(elastic)}"


def _left(model: Model, data: Any, arms: Array, shared: Shared) -> Iterator[str]:
    """Iterate over the speeds along which something is left: how much, when, at which joint."""
    times, names = data["time"].to_numpy(), data["speed"].to_numpy()
    joints = _joints(model)
    for number, speed in enumerate(names.tolist()):
        left = np.abs(shared.residual[:, number])
        left = np.where(shared.reached | (left < ROUNDING * left.max()), 0.0, left)
        worst = int(left.argmax())
        if left[worst] < ROUNDING * np.abs(data["generalized"]).max():
            continue
        unit = str(data["force_unit"].to_numpy()[number])
        acts = bool(arms[:, number].any())
        reason = "the muscles cannot pull so much" if acts else "no muscle acts along this speed"
        yield (
            f"{speed}{joints.get(speed, '')}: {left[worst]:.4g} {unit} are left at most, at "
            f"t = {times[worst]:.4g} s; {reason}; {np.count_nonzero(left)} of {len(times)} samples"
        )


def _joints(model: Model) -> dict[str, str]:
    """Return at which joints there is a speed, in words."""
    moving, labels = mechanism(model), dict[str, str]()
    for speed, symbol in moving.names.speeds.items():
        joints = [
            name
            for name, step in moving.joints.items()
            if any(moving.rate(part).has(symbol) for part in (*step.shift, step.angle))
        ]
        labels[speed] = f" (joint {', '.join(joints)})" if joints else ""
    return labels
