"""The eigenvalues of a linearized motion, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array

Kind = Literal["stable", "unstable", "marginal"]

TOLERANCE = 1e-7
"""A real part below this part of the largest modulus, or of 1/s if that is more, counts as zero."""

SHARE = 0.1
"""A coordinate dominates a mode with this part of the energy of the one that has most."""


@dataclass(frozen=True)
class Mode:
    """An eigenvalue, or a pair of conjugate ones, and how the mechanism moves with it.

    Attributes
    ----------
    eigenvalue : complex
        In 1/s; of a pair, the one with a positive imaginary part.
    shape : dict of str to complex
        The amplitude of each coordinate, dependent ones included.
    dominant : tuple of str
        The coordinates whose own motion would carry the most kinetic energy, the most first.
    """

    eigenvalue: complex
    shape: dict[str, complex]
    dominant: tuple[str, ...]

    @property
    def frequency(self) -> float:
        """In Hz; zero if it does not oscillate."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def damping_ratio(self) -> float | None:
        """Minus the real part by the modulus; none of the eigenvalue zero."""
        size = abs(self.eigenvalue)
        return 0.0 - self.eigenvalue.real / size if size else None

    @property
    def time_constant(self) -> float | None:
        """In s, in which the mode decays, or grows if negative, by a factor e; none if neither."""
        return -1 / self.eigenvalue.real if self.eigenvalue.real else None


def resolution(A: Array) -> float:
    """Return below what a real part of an eigenvalue counts as zero, in 1/s.

    Parameters
    ----------
    A : array, shape (k, k)
    """
    largest = np.abs(np.linalg.eigvals(A)).max(initial=0)
    return TOLERANCE * max(1.0, float(largest))


def kind(A: Array) -> Kind:
    """Return what the eigenvalues say of an equilibrium.

    Parameters
    ----------
    A : array, shape (k, k)

    Returns
    -------
    {"stable", "unstable", "marginal"}
        Asymptotically stable if all real parts are negative, unstable if one is positive; else
        some are zero, to within `resolution`, and the linearized motion does not decide.

    Examples
    --------
    >>> kind(np.array([[0.0, 1], [-1, -1]])), kind(np.array([[0.0, 1], [-1, 0]]))
    ('stable', 'marginal')
    """
    real, zero = np.linalg.eigvals(A).real, resolution(A)
    if np.any(real > zero):
        return "unstable"
    return "stable" if np.all(real < -zero) else "marginal"


def modes(A: Array, tangent: Array, weights: Array, names: tuple[str, ...]) -> tuple[Mode, ...]:
    """Return the modes of a linearized motion, the fastest growing first.

    Parameters
    ----------
    A : array, shape (k, k)
    tangent : array, shape (2 n, k)
        All coordinates and speeds by the independent ones.
    weights : array, shape (n,)
        The generalized mass of each coordinate.
    names : tuple of str
        Of the coordinates.
    """
    values, vectors = np.linalg.eig(A)
    zero = resolution(A)
    all_modes = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value.imag >= 0:
            shape = _scaled((tangent @ vector)[: len(names)])
            amplitudes = dict(zip(names, map(complex, shape), strict=True))
            moving = _dominant(weights * np.abs(shape) ** 2, names)
            all_modes.append(Mode(_rounded(value, zero), amplitudes, moving))
    return tuple(sorted(all_modes, key=lambda mode: (-mode.eigenvalue.real, mode.frequency)))


def _scaled(shape: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return a shape whose largest amplitude is one."""
    largest = shape[np.abs(shape).argmax()]
    return shape / largest if largest else shape


def _rounded(value: complex, zero: float) -> complex:
    """Return an eigenvalue without parts that count as zero."""
    real = value.real if abs(value.real) > zero else 0.0
    imag = value.imag if abs(value.imag) > zero else 0.0
    return complex(real, imag)


def _dominant(energies: Array, names: tuple[str, ...]) -> tuple[str, ...]:
    order = np.argsort(-energies, kind="stable")
    least = SHARE * energies.max()
    return tuple(names[i] for i in order if energies[i] >= least and energies[i] > 0)
