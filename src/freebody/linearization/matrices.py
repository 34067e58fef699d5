"""The matrices of a linearized motion, reduced to what the constraints leave free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freebody.arrays import Array
from freebody.linearization.errors import LinearizationError
from freebody.mechanics.mechanism import Mechanism

DIMENSIONS = {"A": ("state", "by"), "B": ("state", "input"), "C": ("output", "by")}
"""Of the matrices, beside the time."""
METHOD = "exact derivatives"
SINGULAR = 1e12
"""The condition number from which a matrix counts as singular."""


@dataclass(frozen=True)
class Matrices:
    """A linearized motion at one or more times.

    Attributes
    ----------
    A : array, shape (times, k, k)
        Of the independent coordinates and speeds x: ẋ by x.
    B : array, shape (times, k, inputs)
    C : array, shape (times, outputs, k)
    tangent : array, shape (times, 2 n, k)
        All coordinates and speeds by the independent ones.
    """

    A: Array
    B: Array
    C: Array
    tangent: Array


def dependent(mechanism: Mechanism) -> list[int]:
    """Return where, among coordinates and then speeds, those are that constraints decide."""
    speeds = [mechanism.speeds.index(speed) for speed in mechanism.dependent_speeds]
    pairs = zip(speeds, mechanism.equations, strict=True)
    coordinates = [speed for speed, equation in pairs if equation.holonomic]
    return [*coordinates, *(len(mechanism.speeds) + speed for speed in speeds)]


def independent(mechanism: Mechanism) -> list[int]:
    """Return where those are that no constraint decides."""
    decided = dependent(mechanism)
    return [place for place in range(2 * len(mechanism.speeds)) if place not in decided]


def matrices(mechanism: Mechanism, found: dict[str, Array], *, closed_loop: bool) -> Matrices:
    """Return the matrices of a linearized motion from values and derivatives.

    The equations of motion and constraints are varied as a whole, multipliers included:
    M δu̇ - Jᵀ δλ and J δu̇ are the variation of all else. That is then restricted to the variations
    of the state that the constraints allow.

    Parameters
    ----------
    mechanism : Mechanism
    found : dict of str to array
        What `Derivatives` gives.
    closed_loop : bool
        Whether inputs follow their laws, rather than keep their values.

    Raises
    ------
    LinearizationError
        If the mass matrix is singular, or the constraints do not decide what depends on them.
    """
    states = 2 * len(mechanism.speeds)
    varied = np.concatenate([found["drates"], _accelerations(found)], axis=1)
    A, B = varied[..., :states], varied[..., states:]
    if closed_loop:
        A = A + B @ found["dlaws"][..., :states]
    tangent, kept = _tangent(mechanism, found), independent(mechanism)
    C = found["doutputs"][..., :states]
    return Matrices(A[:, kept] @ tangent, B[:, kept], C @ tangent, tangent)


def _accelerations(found: dict[str, Array]) -> Array:
    """Return the derivatives of the accelerations."""
    M, J = found["M"], found["J"]
    n, m = M.shape[-1], J.shape[1]
    whole = np.zeros((len(M), n + m, n + m))
    whole[:, :n, :n], whole[:, :n, n:], whole[:, n:, :n] = M, -J.transpose(0, 2, 1), J
    return _solved(whole, found["dmotion"], "the equations are singular at the state")[:, :n]


def _tangent(mechanism: Mechanism, found: dict[str, Array]) -> Array:
    """Return all coordinates and speeds by the independent ones."""
    states = 2 * len(mechanism.speeds)
    decided, kept = dependent(mechanism), independent(mechanism)
    allowed = np.concatenate([found["dplace"], found["dheld"]], axis=1)[..., :states]
    told = f"the constraints do not decide {', '.join(mechanism.dependent)} at the state"
    tangent = np.zeros((len(allowed), states, len(kept)))
    tangent[:, kept] = np.eye(len(kept))
    tangent[:, decided] = -_solved(allowed[..., decided], allowed[..., kept], told)
    return tangent


def _solved(matrix: Array, right: Array, told: str) -> Array:
    if matrix.shape[-1] and np.any(np.linalg.cond(matrix) > SINGULAR):
        raise LinearizationError(told)
    return np.linalg.solve(matrix, right).astype(np.float64)
