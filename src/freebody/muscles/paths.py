"""Lengths, rates and moment arms of the muscles of a model, over states and over ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import MuscleError, absent
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel
from freebody.model import Model
from freebody.model.names import number
from freebody.simulation.setup import prepare


class MuscleKinematics(NamedTuple):
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


class MusclePaths:
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

    def at(self, t: Any, q: Array, u: Array) -> MuscleKinematics:
        """Return how the muscles run at times, coordinates and speeds.

        Parameters
        ----------
        t : float or array, shape (...)
            In s.
        q, u : array, shape (..., n)
            Coordinates and generalized speeds.
        """
        given = {"t": t, "q": q, "u": u}
        arms = self.called("moment_arms", given)
        rate = -np.einsum("...ij,...i->...j", arms, u)
        if self._moves_itself:
            rate = rate + self.called("muscle_lengths/t", given)
        return MuscleKinematics(self.called("muscle_lengths", given), rate, arms)

    def called(self, name: str, given: Mapping[str, Any]) -> Array:
        """Return an output of the model, of the groups of arguments that it takes.

        Parameters
        ----------
        name : str
            Of the output.
        given : mapping of str to array
            Groups of arguments, without the constants.

        Returns
        -------
        array, shape (..., *shape)
        """
        function = self.functions[name]
        if self._bound is not None:
            groups = (group for group in function.arguments if group != "constants")
            return self._bound[name](*(given[group] for group in groups))
        output: Array = function.of({**given, "constants": self.constants})
        return np.broadcast_to(output, (*np.shape(given["q"])[:-1], *function.shape))


# ------------------------------------------------------------------ ranges

SPAN = {"rad": np.pi / 3, "m": 0.1}
"""How far to either side of the initial posture, where no range is given, by unit."""
POINTS = 181


@dataclass(frozen=True)
class Range:
    """What muscles do over the range of a coordinate.

    Attributes
    ----------
    coordinate, unit : str
    at : float
        Its value at first.
    values : array, shape (points,)
    muscles : tuple of str
    lengths, arms : array, shape (points, muscles)
        Lengths in m, and moment arms along the coordinate.
    """

    coordinate: str
    unit: str
    at: float
    values: Array
    muscles: tuple[str, ...]
    lengths: Array
    arms: Array


@checked
def ranges_of(
    model: AnyModel,
    given: Mapping[str, tuple[float, float]] | None = None,
    constants: Mapping[str, float] | None = None,
) -> tuple[Range, ...]:
    """Return what muscles do over the range of each coordinate.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
    given : mapping of str to pair of float, optional
        Ranges of coordinates. Otherwise those of the model's stops, or 60° or 0.1 m to either side
        of where the coordinate is at first.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.

    Returns
    -------
    tuple of Range
        One for each coordinate.

    Raises
    ------
    MuscleError
        If the model has no muscles, or there is no such coordinate.
    SimulationError
        If a coordinate has no initial value.
    """
    moving = mechanism(model)
    model, given = moving.model, dict(given or {})
    for name in given:
        if name not in model.coordinates:
            raise MuscleError(absent("coordinate", name, model.coordinates))
    paths = MusclePaths(model, constants)
    inputs = dict.fromkeys(model.inputs, 0)
    setup = prepare(moving, constants or {}, {}, inputs)
    first = setup.state[: len(model.coordinates)]
    stops = dict(_stops(model, setup.constants))
    return tuple(
        _over(model, paths, first, place, {**stops, **given}.get(name))
        for place, name in enumerate(model.coordinates)
    )


def _over(
    model: Model, paths: MusclePaths, first: Array, place: int, limits: tuple[float, float] | None
) -> Range:
    name = list(model.coordinates)[place]
    unit, at = model.coordinates[name].unit, float(first[place])
    span = SPAN.get(unit, 1.0)
    values = np.linspace(*(limits or (at - span, at + span)), POINTS)
    q = np.tile(first, (POINTS, 1))
    q[:, place] = values
    lengths = paths.called("muscle_lengths", {"t": 0.0, "q": q})
    slopes = paths.called("muscle_lengths/q", {"t": 0.0, "q": q})
    muscles = tuple(muscle.name for muscle in model.muscles)
    return Range(name, unit, at, values, muscles, lengths, -slopes[:, :, place])


def _stops(
    model: Model, constants: Mapping[str, float]
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Iterate over the coordinates that move a joint alone whose range ends on both sides."""
    motions = {
        joint.name: getattr(joint, "angle", getattr(joint, "displacement", None))
        for joint in model.joints
    }
    for stop in model.stops:
        if stop.lower is not None and stop.upper is not None:
            name = motions[stop.joint]
            low, high = number(stop.lower, constants), number(stop.upper, constants)
            if name in model.coordinates and low is not None and high is not None:
                yield str(name), (low, high)
