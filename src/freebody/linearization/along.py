"""A simulated motion linearized about each of its states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array
from freebody.linearization.derivatives import Derivatives
from freebody.linearization.errors import LinearizationError
from freebody.linearization.matrices import DIMENSIONS, METHOD, independent, matrices
from freebody.mechanics.mechanism import Mechanism
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.result import Simulation
from freebody.simulation.setup import prepare

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class LinearizedMotion(Result):
    """A motion linearized about each of its states.

    Attributes
    ----------
    data : xarray.Dataset
        ``A`` (time, state, by), ``B`` (time, state, input) and ``C`` (time, output, by), in
        coherent SI units; see `Linearization`.
    """

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of A at each time, in 1/s, shape (time, k)."""
        return np.linalg.eigvals(self.data["A"].to_numpy()).astype(np.complex128)

    def figure(self) -> Figure:
        """Return the real and imaginary parts of the eigenvalues over time."""
        from freebody.linearization.figures import along_figure

        return along_figure(self)


def linearized_along(
    moving: Mechanism, run: Simulation, outputs: tuple[str, ...], *, closed_loop: bool
) -> LinearizedMotion:
    """Return ``A``, ``B`` and ``C`` over ``time``, about the states of a motion.

    Raises
    ------
    LinearizationError
        If the motion is one of another model or has sampled inputs, or something is not finite or
        singular in it.
    """
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
    every = (*moving.names.coordinates, *moving.names.speeds)
    states = [every[place] for place in independent(moving)]
    labels = {"time": data["time"].to_numpy(), "state": states, "by": states}
    variables = {
        name: (("time", *dims), getattr(reduced, name)) for name, dims in DIMENSIONS.items()
    }
    provenance = {
        **provenance_of(moving.model, used["constants"]),
        **{name: used[name] for name in ("initial", "inputs")},
        "closed_loop": closed_loop,
        "method": METHOD,
    }
    made = dataset(moving.model, variables, {**labels, "output": list(outputs)})
    return LinearizedMotion(made, moving, provenance)


def _motion(moving: Mechanism, data: xr.Dataset) -> tuple[Array, Array, Array, Array, Array]:
    """Return time, coordinates, speeds, their derivatives, and the forces of the constraints."""
    times = data["time"].to_numpy()
    q, u, a = (data[name].to_numpy() for name in ("coordinates", "speeds", "accelerations"))
    held = data["constraint_force"].to_numpy() if moving.multipliers else np.zeros((len(times), 0))
    return times, q, u, a, held
