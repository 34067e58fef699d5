"""Estimated parameters with their intervals, and what there is to know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array

WIDTH = 1.959964
"""How many standard deviations an interval of 95 % is to either side."""
HARDLY = 0.5
"""The standard deviation, as a part of the value, from which a parameter is hardly excited."""
ALIKE = 0.95
"""The correlation from which two parameters are told as hardly told apart."""


@dataclass(frozen=True)
class Estimates:
    """Parameters, how sure they are, and what they were before.

    Attributes
    ----------
    names, units : sequence of str
    values : array, shape (parameters,)
    covariance : array, shape (parameters, parameters)
    before : array, shape (parameters,)
    determined : array of bool, shape (parameters,)
    """

    names: Sequence[str]
    units: Sequence[str]
    values: Array
    covariance: Array
    before: Array
    determined: NDArray[np.bool_]

    @cached_property
    def sd(self) -> Array:
        """The standard deviations."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0))

    @cached_property
    def correlation(self) -> Array:
        """The correlations, shape (parameters, parameters)."""
        size = np.where(self.sd > 0, self.sd, 1)
        return np.asarray(self.covariance / np.outer(size, size))

    @property
    def variables(self) -> dict[str, tuple[Sequence[str], Any]]:
        """The arrays that a result has of them."""
        along, value = ("parameter",), np.where(self.determined, self.values, np.nan)
        return {
            "value": (along, value),
            "sd": (along, np.where(self.determined, self.sd, np.nan)),
            "lower": (along, value - WIDTH * self.sd),
            "upper": (along, value + WIDTH * self.sd),
            "model_value": (along, self.before),
            "determined": (along, self.determined),
            "correlation": (("parameter", "other"), self.correlation),
        }

    @property
    def labels(self) -> dict[str, Any]:
        """The labels of these arrays."""
        return {
            "parameter": list(self.names),
            "parameter_unit": ("parameter", list(self.units)),
            "other": list(self.names),
        }

    @property
    def notes(self) -> list[str]:
        """What is not decided, hardly excited, or hardly told apart."""
        notes = []
        loose = [n for n, is_one in zip(self.names, self.determined, strict=True) if not is_one]
        if loose:
            notes.append(f"the motion and the forces do not decide {', '.join(loose)}")
        decided = [int(place) for place in np.flatnonzero(self.determined)]
        hardly = [
            f"{self.names[place]} (± {self.sd[place]:.2g})"
            for place in decided
            if self.sd[place] > HARDLY * abs(self.values[place])
        ]
        if hardly:
            notes.append(f"the motion hardly excites {', '.join(hardly)}")
        alike = [
            f"{self.names[i]} and {self.names[j]} ({self.correlation[i, j]:+.3f})"
            for i in decided
            for j in decided
            if i < j and abs(self.correlation[i, j]) > ALIKE
        ]
        if alike:
            notes.append(f"hardly told apart, by their correlation: {'; '.join(alike)}")
        return notes
