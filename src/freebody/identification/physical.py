"""Parameters as bodies of matter can have them.

A body with a density that is nowhere negative has a pseudo-inertia, the 4 x 4 matrix of the second
moments, the first moments and the mass of its density, that is positive definite (Wensing, Kim and
Slotine, Linear matrix inequalities for physically consistent inertial parameter identification,
2018). Its Cholesky factor with a logarithm on the diagonal is free of any bound (Rucker and
Wensing, Smooth parameterization of rigid-body inertia, 2022).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import least_squares

from freebody.arrays import Array
from freebody.identification.columns import INERTIAL, PAIRS, Parameter

LOWER = np.tril_indices(4)
TIE = 1e-3
"""How weakly bodies are tied to those of the model: standard deviations per unit of a number."""
LEAST = 1e-6
"""The least eigenvalue that a pseudo-inertia starts with, as a part of the largest."""


def pseudo_inertia(values: Mapping[str, float]) -> Array:
    """Return the pseudo-inertia of a body, 4 x 4.

    Parameters
    ----------
    values : mapping of str to float
        Its mass ``m``, first moments ``mx`` …, and inertia ``Jxx`` … about the origin.

    Examples
    --------
    >>> pseudo_inertia({"m": 2.0, "mx": 1.0, "Jyy": 0.5, "Jzz": 0.5})[0].tolist()
    [0.5, 0.0, 0.0, 1.0]
    """
    J = np.zeros((3, 3))
    for (i, j), name in zip(PAIRS, INERTIAL[4:], strict=True):
        J[i, j] = J[j, i] = values.get(name, 0.0)
    whole = np.zeros((4, 4))
    whole[:3, :3] = np.trace(J) / 2 * np.eye(3) - J
    whole[3, :3] = whole[:3, 3] = [values.get(name, 0.0) for name in INERTIAL[1:4]]
    whole[3, 3] = values.get("m", 0.0)
    return whole


def _parameters_of(whole: Array) -> dict[str, float]:
    """Return the ten parameters that a pseudo-inertia stands for."""
    second = whole[:3, :3]
    J = np.trace(second) * np.eye(3) - second
    numbers = [whole[3, 3], *whole[3, :3], *(J[i, j] for i, j in PAIRS)]
    return dict(zip(INERTIAL, map(float, numbers), strict=True))


class Bodies:
    """The parameters of all bodies as functions of numbers without bounds.

    Parameters
    ----------
    parameters : sequence of Parameter
    values : array, shape (parameters,)
        In the model.
    """

    def __init__(self, parameters: Sequence[Parameter], values: Array) -> None:
        self._names = [one.name for one in parameters]
        self._values = values
        self._bodies: dict[str, dict[str, float]] = {}
        for name, value in zip(self._names, values.tolist(), strict=True):
            body, _, short = name.rpartition(".")
            if body and short in INERTIAL:
                self._bodies.setdefault(body, {})[short] = value
        loads = (name for name in self._names if name.rpartition(".")[0] not in self._bodies)
        self._loads = list(loads)

    @property
    def first(self) -> Array:
        """The numbers of the model."""
        parts = [_factor(of) for of in self._bodies.values()]
        loads = [self._values[self._names.index(name)] for name in self._loads]
        logs = [np.log(value) if value > 0 else value for value in loads]
        return np.concatenate([*parts, logs]) if parts else np.array(logs)

    def values(self, numbers: Array) -> Array:
        """Return all parameters."""
        known: dict[str, float] = {}
        for place, body in enumerate(self._bodies):
            factor = np.zeros((4, 4))
            factor[LOWER] = numbers[10 * place : 10 * place + 10]
            factor[np.diag_indices(4)] = np.exp(np.diag(factor))
            own = _parameters_of(factor @ factor.T)
            known |= {f"{body}.{short}": value for short, value in own.items()}
        first = [self._values[self._names.index(name)] for name in self._loads]
        for name, was, number in zip(
            self._loads, first, numbers[10 * len(self._bodies) :].tolist(), strict=True
        ):
            known[name] = float(np.exp(number)) if was > 0 else number
        return np.array([known[name] for name in self._names])


def nearest_physical(bodies: Bodies, combine: Array, wanted: Array, root: Array) -> Array:
    """Return the base parameters of physical bodies that are nearest to some.

    Parameters
    ----------
    bodies : Bodies
    combine : array, shape (base, parameters)
        The base parameters in the parameters.
    wanted : array, shape (base,)
    root : array, shape (any, base)
        Makes differences of base parameters into standard deviations.

    Returns
    -------
    array, shape (base,)
    """
    first = bodies.first

    def off(numbers: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            left = root @ (combine @ bodies.values(numbers) - wanted)
        return np.nan_to_num(np.concatenate([left, TIE * (numbers - first)]), posinf=1e150)

    reached = least_squares(off, first, x_scale=1.0, max_nfev=300)
    return np.asarray(combine @ bodies.values(reached.x))


def _factor(values: Mapping[str, float]) -> Array:
    """Return the numbers of a body's pseudo-inertia, moved inside where it is at an edge."""
    whole = pseudo_inertia(values)
    eigenvalues, axes = np.linalg.eigh(whole)
    least = LEAST * max(float(eigenvalues.max()), 1e-9)
    inside = (axes * np.maximum(eigenvalues, least)) @ axes.T
    factor = np.linalg.cholesky(inside)
    factor[np.diag_indices(4)] = np.log(np.diag(factor))
    return np.asarray(factor[LOWER])
