"""How well a motion kept its energy and its constraints, and whether it is lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.result import Simulation

if TYPE_CHECKING:
    import xarray as xr


ENERGIES = ("kinetic", "potential", "work")
SAMPLES = 64
"""The largest number of states at which momenta are computed."""
MARGIN, COARSEST = 1e4, 1e-2
"""A state that moves or changes by so many tolerances, and by no more than that, is none."""
ROUNDING = 1e-11
"""By which part of the potential energy rounding may be seen."""
DRIFT, RESIDUAL = 1e-3, 1e-6
"""The largest accepted relative errors of the energy and of the constraints."""


class LostMotionError(SimulationError):
    """A motion that did not keep its energy or its constraints.

    Attributes
    ----------
    result : Simulation
        The motion, for inspection.
    """

    def __init__(self, message: str, result: Simulation) -> None:
        self.result = result
        super().__init__(message)


class LostMotionWarning(UserWarning):
    """Motions of a batch that did not keep their energy."""


@dataclass(frozen=True)
class Bounds:
    """The largest accepted errors of the energy and of the constraints.

    Attributes
    ----------
    drift, residual : float
        See `energy_drift` and `residual`.

    Raises
    ------
    SimulationError
        If one is not positive.
    """

    drift: float = DRIFT
    residual: float = RESIDUAL

    def __post_init__(self) -> None:
        for name, value in (("drift", self.drift), ("residual", self.residual)):
            if not value > 0:
                raise SimulationError(f"expected a positive bound of the {name}, found {value}")

    def expect_kept(self, result: Simulation) -> Simulation:
        """Return a result whose motion is sound.

        Raises
        ------
        LostMotionError
            If it is not.
        """
        lost = [*self._lost(result)]
        if lost:
            raise LostMotionError(
                f"the motion is lost: {' and '.join(lost)}; expected a finer tolerance, a shorter "
                "motion, another engine, or a larger bound",
                result,
            )
        return result

    def _lost(self, result: Simulation) -> list[str]:
        statistics = result.statistics
        drift, off = statistics["energy_drift"], statistics.get("constraint_residual", 0.0)
        messages = {
            f"its energy drifts by {drift:.1e}, more than {self.drift:g}": drift <= self.drift,
            f"it is off its constraints by {off:.1e}, more than {self.residual:g}": off
            <= self.residual,
        }
        return [message for message, kept in messages.items() if not kept]


def energy_drift(dynamics: Dynamics, data: xr.Dataset, tolerance: float) -> float:
    """Return the largest change of energy less work done, as a part of what it is measured by.

    That is the largest of the kinetic energy, the range of the potential energy, the work done,
    and what the tolerance and rounding allow, which counts where hardly anything moves.

    Parameters
    ----------
    dynamics : Dynamics
    data : xarray.Dataset
        Of a simulation.
    tolerance : float
        Of the integrator.
    """
    kinetic, potential, work = (data["energy"].sel(kind=kind).to_numpy() for kind in ENERGIES)
    return float(relative_drift(kinetic, potential, work, _allowed(tolerance, dynamics, data)))


def relative_drift(kinetic: Array, potential: Array, work: Array, allowed: Array) -> Array:
    """Return the drift of motions, shape (...), from their energies over time, shape (..., time).

    What is missing behind the end of a motion that could not go on is passed over.

    Parameters
    ----------
    kinetic, potential : array, shape (..., time)
        In J.
    work : array, shape (..., time)
        Done by all that has no potential, in J.
    allowed : float or array, shape (...)
        By how much energy may change all the same, in J.
    """
    balance = kinetic + potential - work
    off = np.nanmax(np.abs(balance - balance[..., :1]), axis=-1)
    sizes = (
        np.nanmax(kinetic, axis=-1),
        np.nanmax(potential, axis=-1) - np.nanmin(potential, axis=-1),
        np.nanmax(np.abs(work), axis=-1),
        np.nanmax(np.abs(potential), axis=-1) * ROUNDING,
        allowed,
    )
    size = np.max(np.stack(sizes), axis=0)
    return np.asarray(off / np.where(size > 0, size, 1.0), dtype=float)


def _allowed(tolerance: float, dynamics: Dynamics, data: xr.Dataset) -> Array:
    forces = data["terms"].sel(term=["G", "E"]).to_numpy()
    every = samples(len(forces))
    moving = ("coordinates", "speeds")
    q, u = (np.ascontiguousarray(data[name].to_numpy()[every]) for name in moving)
    given: dict[str, Any] = {"t": data["time"].to_numpy()[every], "q": q, "u": u}
    forces = forces.reshape(len(forces), -1)
    return energy_of(tolerance, dynamics.evaluated("mass_matrix", given), u, forces)


def samples(count: int) -> slice:
    """Return the indices of about `SAMPLES` out of so many states."""
    return slice(None, None, max(1, count // SAMPLES))


def energy_of(tolerance: float, M: Array, u: Array, forces: Array) -> Array:
    """Return by how much energy may change where each coordinate and speed does, in SI units.

    Parameters
    ----------
    tolerance : float
        Of the integration.
    M : array, shape (..., time, n, n) or (n, n)
    u : array, shape (..., time, n)
    forces : array, shape (..., time, k)
        Of gravity, springs and all else.

    Returns
    -------
    array, shape (...)
    """
    change = min(MARGIN * tolerance, COARSEST)
    momenta = (np.abs(M) @ (np.abs(u) + change)[..., None]).sum(axis=(-1, -2))
    return np.asarray(change * (momenta.max(axis=-1) + np.abs(forces).sum(axis=-1).max(axis=-1)))


def residual(dynamics: Dynamics, data: xr.Dataset, fastest: Array) -> Array:
    """Return how far a motion is off each constraint, as a part of what this is measured by.

    A loop is measured by the model's lengths, an angle by one rad, rolling by the largest speed.

    Parameters
    ----------
    dynamics : Dynamics
    data : xarray.Dataset
        Of a simulation, or of a part of one.
    fastest : array, shape (n,)
        The largest speeds of the whole motion.

    Returns
    -------
    array, shape (m,)
    """
    sizes = np.zeros(dynamics.m)
    every = samples(data.sizes["time"])
    moving = (data[name].to_numpy()[every] for name in ("time", "coordinates", "speeds"))
    for t, q, u in zip(*moving, strict=True):
        largest = np.maximum(np.abs(u), fastest)
        sizes = np.maximum(sizes, dynamics.constraints.sizes(float(t), q, largest))
    off = np.abs(data["constraint_residual"].to_numpy()).max(axis=0)
    return off / np.where(sizes > 0, sizes, 1.0)
