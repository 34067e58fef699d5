"""Lengths of the muscles of a model, how fast these change, and moment arms, over states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import MuscleError
from freebody.model import Model


class Lines(NamedTuple):
    """How the muscles run, for one state or for many.

    Attributes
    ----------
    length, rate : array, shape (..., muscles)
        In m and m/s.
    arms : array, shape (..., n, muscles)
        The matrix R of moment arms.
    """

    length: Array
    rate: Array
    arms: Array


class Paths:
    """The muscles of a model as functions of its state.

    Parameters
    ----------
    model : Model
    constants : mapping of str to float, optional
        Values to use instead of those of the model.
    functions : Functions, optional
        What works them out; numpy's unless given.
    bound : bool, optional
        Whether it is called with one state at a time, which is then quicker.

    Raises
    ------
    MuscleError
        If the model has no muscles.
    """

    def __init__(
        self,
        model: Model,
        constants: Mapping[str, float] | None = None,
        functions: Functions | None = None,
        *,
        bound: bool = False,
    ) -> None:
        if not model.muscles:
            raise MuscleError(f"{model.title}: the model has no muscles; expected [[muscles]]")
        self.functions = functions or Functions(model, "numpy")
        self.constants = constants
        self._bound = self.functions.bind(constants) if bound else None
        self._moves_itself = bool(model.prescribed)

    def at(self, t: Any, q: Array, u: Array) -> Lines:
        """Return how the muscles run at times, coordinates and speeds."""
        given = {"t": t, "q": q, "u": u}
        arms = self.called("moment_arms", given)
        rate = -np.einsum("...ij,...i->...j", arms, u)
        if self._moves_itself:
            rate = rate + self.called("muscle_lengths/t", given)
        return Lines(self.called("muscle_lengths", given), rate, arms)

    def called(self, name: str, given: Mapping[str, Any]) -> Array:
        """Return an output of the model, of the groups of arguments that it takes."""
        function = self.functions[name]
        if self._bound is not None:
            groups = (group for group in function.arguments if group != "constants")
            return self._bound[name](*(given[group] for group in groups))
        found: Array = function.of({**given, "constants": self.constants})
        return np.broadcast_to(found, (*np.shape(given["q"])[:-1], *function.shape))
