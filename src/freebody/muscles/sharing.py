"""Generalized forces shared among muscles with the least squared activation.

For every sample, ½ Σ a² is least with A a = b and 0 ≤ a ≤ 1: a convex quadratic program whose
solution is a = clip(Aᵀ λ, 0, 1). Its multipliers λ are as few as there are speeds and maximize a
concave function that is quadratic between its corners; Newton's method with a line search finds
them in a few steps, for all samples at once, and then exactly. That function is nowhere above the
largest Σ a²/2 where there is a solution: where it is, there is none, and the least that is left
over is what scipy's bounded least squares find.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MuscleError

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
        found = lsq_linear(arms, needed, (0.0, 1.0), method="bvls", tol=1e-15).x
        given[number] = arms @ found
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
