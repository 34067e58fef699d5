"""Base parameters from a recording, as physical bodies can have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array
from freebody.errors import InverseError
from freebody.identification.physical import Bodies, nearest_physical
from freebody.identification.recording import Estimate, RegressionEquations, estimate
from freebody.identification.regressor import Regressor
from freebody.identification.writer import numbers

MOVED = 0.1
"""By how many standard deviations physical consistency must move a value to be told."""
EXACT = 1e-4
"""The part of a value below which no standard deviation counts."""


@dataclass(frozen=True)
class FittedParameters:
    """Parameters, how sure they are, and the base parameters that follow.

    Attributes
    ----------
    condition : float
        Of the scaled columns of what is sought.
    lag : int
        Over how many samples what is left over is correlated.
    """

    names: list[str]
    units: list[str]
    values: Array
    covariance: Array
    before: Array
    determined: NDArray[np.bool_]
    base: Array
    notes: list[str]
    condition: float
    lag: int


@dataclass(frozen=True)
class BaseFit:
    """All base parameters, by one linear fit."""

    made: Regressor
    equations: RegressionEquations
    given: Mapping[str, float]

    @cached_property
    def before(self) -> Array:
        """The base parameters of the model."""
        return self.made.base_values(self.given)

    @cached_property
    def estimate(self) -> Estimate:
        """What the recording says by itself.

        Raises
        ------
        InverseError
            If no force is known: all parameters at zero would fit.
        """
        if self.equations.is_homogeneous(self.before):
            raise InverseError(
                "no force is known, so that the motion tells the base parameters but for a common "
                "factor: expected constants that are sought (parameters, --parameter), others "
                "being known, or a force that was measured"
            )
        return estimate(*self.equations.weighted())

    def fitted(self, one: Estimate) -> FittedParameters:
        """Return the base parameters of an estimate, as physical bodies can have them."""
        free = self.before + one.change
        axes = one.axes
        root = inverse_root(axes @ one.covariance @ axes.T, axes, free) @ axes
        bodies = Bodies(self.made.parameters, self.made.values(self.given))
        values, notes = free, []
        if len(root):
            near = nearest_physical(bodies, self._combine, free, root)
            moved = float(np.abs(root @ (near - free)).max(initial=0.0))
            if moved > MOVED:
                values = np.where(one.excited, near, free)
                notes.append(
                    "no bodies of matter have the values that fit best: these are the nearest that "
                    f"some have, {moved:.2g} standard deviations away"
                )
        return FittedParameters(
            [str(one) for one in self.made.base],
            [one.unit for one in self.made.base],
            values,
            one.covariance,
            self.before,
            one.excited,
            values,
            notes,
            one.condition,
            one.lag,
        )

    @property
    def _combine(self) -> Array:
        """The base parameters in the parameters, with the constants of the model as numbers."""
        symbols = [one.symbol for one in self.made.parameters]
        moving, wanted = self.made.mechanism, []
        for one in self.made.base:
            wanted += [one.combination.diff(symbol) for symbol in symbols]
        return numbers(moving, wanted, self.given).reshape(len(self.made.base), len(symbols))


def inverse_root(covariance: Array, axes: Array, base: Array) -> Array:
    """Return what makes differences of combinations of base parameters into standard deviations.

    No combination is surer than a part `EXACT` of itself.

    Parameters
    ----------
    covariance : array, shape (rank, rank)
        Of the combinations.
    axes : array, shape (rank, base)
        These.
    base : array, shape (base,)
        Values of the base parameters.

    Returns
    -------
    array, shape (rank, rank)
    """
    sizes = np.abs(axes) @ np.abs(base)
    least = (EXACT * np.maximum(sizes, sizes.max(initial=0.0) * EXACT)) ** 2
    return np.asarray(np.linalg.inv(np.linalg.cholesky(covariance + np.diag(least))))
