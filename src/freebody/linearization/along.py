"""A simulated motion linearized about each of its states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freebody.arrays import Array
from freebody.linearization.derivatives import Derivatives
from freebody.linearization.errors import LinearizationError
from freebody.linearization.matrices import independent, matrices
from freebody.mechanics.mechanism import Mechanism
from freebody.simulation.result import Result
from freebody.simulation.setup import prepare

if TYPE_CHECKING:
    import xarray as xr


def linearized_along(
    moving: Mechanism, run: Result, outputs: tuple[str, ...], *, closed_loop: bool
) -> xr.Dataset:
    """Return ``A``, ``B`` and ``C`` over ``time``, about the states of a motion.

    Raises
    ------
    LinearizationError
        If the motion is one of another model or has sampled inputs, or something is not finite or
        singular in it.
    """
    import xarray as xr  # slow to import, and only this needs it

    data, used = run.data, run.provenance
    if list(data["coordinate"].to_numpy()) != list(moving.names.coordinates):
        raise LinearizationError("the motion is one of another model: its coordinates are others")
    if used["sampled"]:
        names = ", ".join(used["sampled"])
        raise LinearizationError(
            f"expected a motion with laws for its inputs, found samples of {names}: what they "
            "would be in a motion nearby is not known"
        )
    setup = prepare(moving, used["constants"], used["initial"], used["inputs"])
    derivatives = Derivatives(moving, setup, outputs)
    found = derivatives.at(*_motion(moving, data))
    reduced = matrices(moving, found, closed_loop=closed_loop)
    return xr.Dataset(
        {
            "A": (("time", "state", "by"), reduced.A),
            "B": (("time", "state", "input"), reduced.B),
            "C": (("time", "output", "by"), reduced.C),
        },
        coords=_labels(moving, outputs, data["time"].to_numpy()),
    )


def _motion(moving: Mechanism, data: xr.Dataset) -> tuple[Array, Array, Array, Array, Array]:
    """Return time, coordinates, speeds, their derivatives, and the forces of the constraints."""
    times = data["time"].to_numpy()
    q, u, a = (data[name].to_numpy() for name in ("coordinates", "speeds", "accelerations"))
    held = data["constraint_force"].to_numpy() if moving.multipliers else np.zeros((len(times), 0))
    return times, q, u, a, held


def _labels(moving: Mechanism, outputs: tuple[str, ...], times: Array) -> dict[str, object]:
    names = (*moving.names.coordinates, *moving.names.speeds)
    states = [names[place] for place in independent(moving)]
    return {
        "time": ("time", times, {"unit": "s"}),
        "state": states,
        "by": states,
        "input": list(moving.names.inputs),
        "output": list(outputs),
    }
