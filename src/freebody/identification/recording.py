"""A recording as linear equations in the base parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.identification.correlation import covariance_of_sum
from freebody.identification.regressor import Regressor
from freebody.inverse_dynamics import InverseDynamics
from freebody.inverse_dynamics.terms import call
from freebody.inverse_dynamics.uncertainty import Noise, NoiseSource
from freebody.motion.filtering import filtered
from freebody.motion.motion import Motion

FEW = 1e-10
"""Below this part of the largest, a singular value of scaled columns counts as zero."""
DRAWS = 24
"""How often noise is drawn once more, at the most."""
NO_FORCE = 1e-9
"""The part of the forces that the motion takes up to which those that are known count as none."""
FLOOR = 0.05
"""The least standard deviation of a force, as a part of the median of them."""


@dataclass(frozen=True)
class RegressionEquations:
    """X Δβ = y: what a change of the base parameters does to what is left over.

    Attributes
    ----------
    X : array, shape (times, n, parameters)
    y : array, shape (times, n)
        What the model as it is leaves over, with the sign that base parameters must make up for.
    taken : array, shape (times, n)
        The forces that the model as it is takes.
    known : array, shape (times, n)
        How sure each force is: its weight is one over its square.
    """

    X: Array
    y: Array
    taken: Array
    known: Array

    @classmethod
    def of(
        cls,
        made: Regressor,
        run: InverseDynamics,
        unknown: Collection[str],
        cutoff: float | None = None,
    ) -> RegressionEquations:
        """Return the equations of a recording.

        Parameters
        ----------
        made : Regressor
        run : InverseDynamics
            Of the recording, with the constants that are known; its residual is what is left over.
        unknown : collection of str
            Inputs that were not measured: what they and constraints give is left out.
        cutoff : float, optional
            In Hz: both sides go through this low-pass filter, which changes no equality.
        """
        data, moving = run.data, made.mechanism
        names = [str(name) for name in data["input"].to_numpy()]
        own = [names.index(name) for name in moving.model.inputs]
        given = {"t": data["time"].to_numpy(), "q": data["coordinates"].to_numpy()}
        given |= {"u": data["speeds"].to_numpy(), "a": data["accelerations"].to_numpy()}
        given["inputs"] = np.nan_to_num(data["inputs"].to_numpy()[:, own])
        constants = np.array([*run.provenance["constants"].values()])[: len(moving.model.constants)]
        given["constants"] = constants
        X = call(made.Y, given)[..., made.independent]
        across = _across(made, given, unknown)
        if across.shape[-1]:
            X = X - across @ (np.linalg.pinv(across) @ X)
        kept = data["trusted"].to_numpy()
        y, taken = -data["residual"].to_numpy(), data["generalized"].to_numpy()
        if cutoff is not None:
            times = given["t"]
            rate = (len(times) - 1) / float(times[-1] - times[0])
            X = np.moveaxis(filtered(np.moveaxis(X, 0, -1), rate, cutoff), -1, 0)
            y, taken = (filtered(of.T, rate, cutoff).T for of in (y, taken))
        sure = np.ones(y.shape)
        if "generalized_sd" in data:
            spread = data["generalized_sd"].to_numpy()
            middle = FLOOR * np.median(spread, axis=0)
            sure = np.maximum(spread, np.where(middle > 0, middle, 1.0))
        return cls(X[kept], y[kept], taken[kept], sure[kept])

    def is_homogeneous(self, before: Array) -> bool:
        """Return whether no force is known, so that all base parameters at zero would fit.

        Parameters
        ----------
        before : array, shape (parameters,)
            Those of the model.
        """
        taken = self.X @ before
        return bool(np.linalg.norm(self.y + taken) <= NO_FORCE * np.linalg.norm(taken))

    def over(self, change: Array) -> tuple[Array, Array]:
        """Return X and y over how sure each force is, by what a change leaves over.

        Parameters
        ----------
        change : array, shape (parameters,)
        """
        X, y = self.X / self.known[..., None], self.y / self.known
        left = y - X @ change
        spread = np.sqrt(np.mean(left**2, axis=0))
        least = 1e-12 + 1e-9 * float(np.sqrt(np.mean(y**2)) if y.size else 0.0)
        spread = np.where(np.any(X != 0, axis=(0, 2)), np.maximum(spread, least), 1.0)
        return X / spread[:, None], y / spread

    def weighted(self) -> tuple[Array, Array]:
        """Return X and y over how sure each force is, the forces along each speed weighed alike.

        What is left over along each speed by a first fit tells how sure the forces along it are.
        """
        X, y = self.X / self.known[..., None], self.y / self.known
        for _ in range(2):
            X, y = self.over(_solved(X, y))
        return X, y


def _across(made: Regressor, given: dict[str, Array], unknown: Collection[str]) -> Array:
    """Return what unknown inputs and constraints give a unit of, shape (times, n, k)."""
    functions, inputs = Functions(made.mechanism, "numpy"), list(made.mechanism.model.inputs)
    places = [inputs.index(name) for name in unknown]
    columns = [np.zeros((len(given["q"]), len(made.mechanism.speeds), 0))]
    if places:
        acting = call(functions["actuation/inputs"], given)
        columns.append((acting - call(functions["external/inputs"], given))[..., places])
    if made.mechanism.multipliers:
        columns.append(call(functions["constraint_matrix"], given).transpose(0, 2, 1))
    return np.concatenate(columns, axis=-1)


@dataclass(frozen=True)
class Estimate:
    """A change of base parameters, and how sure it is.

    Attributes
    ----------
    change : array, shape (parameters,)
        Zero along what the motion does not excite.
    covariance : array, shape (parameters, parameters)
    excited : array of bool, shape (parameters,)
        Whether a parameter follows from the recording.
    axes : array, shape (rank, parameters)
        Makes base parameters into combinations that the recording tells, each of its own.
    condition : float
        Of the scaled columns.
    lag : int
        Over how many samples what is left over is correlated.
    """

    change: Array
    covariance: Array
    excited: NDArray[np.bool_]
    axes: Array
    condition: float
    lag: int


def estimate(X: Array, y: Array) -> Estimate:
    """Return the change of base parameters by least squares.

    What is left over is correlated from sample to sample, as it has gone through a filter:
    see `covariance_of_sum`.

    Parameters
    ----------
    X : array, shape (times, n, parameters)
    y : array, shape (times, n)

    Examples
    --------
    >>> X = np.array([[[1.0, 0.0]], [[2.0, 0.0]], [[3.0, 0.0]]])
    >>> found = estimate(X, np.array([[1.0], [2.0], [3.0]]))
    >>> found.change.round(9).tolist(), found.excited.tolist()
    ([1.0, 0.0], [True, False])
    """
    flat = X.reshape(-1, X.shape[-1])
    sizes = np.linalg.norm(flat, axis=0)
    scale = np.where(sizes > 0, sizes, 1.0)
    U, s, Vt = np.linalg.svd(flat / scale, full_matrices=False)
    kept = s > FEW * s.max(initial=0.0)
    inverse = (Vt[kept].T / s[kept]) / scale[:, None]
    change = inverse @ (U.T[kept] @ y.ravel())
    excited = np.sum(Vt[kept] ** 2, axis=0) > 1 - 1e-6
    left = y - X @ change
    meat, lag = covariance_of_sum(X, left, int(kept.sum()))
    bread = inverse @ inverse.T
    condition = float(s[kept].max(initial=1.0) / s[kept].min(initial=1.0))
    return Estimate(change, bread @ meat @ bread, excited, Vt[kept] * scale, condition, lag)


def drawn_off(
    found: Array,
    covariance: Array,
    motion: Motion,
    run: InverseDynamics,
    noise: Noise,
    again: Callable[[Motion], Array],
) -> tuple[Array, Array, list[str]]:
    """Return how far noise of the coordinates draws what was found off, and how sure that is.

    Noise in the regressor makes values too small. As much noise once more, through the same filter
    and derivatives, draws them off as far again (Cook and Stefanski, Simulation-extrapolation
    estimation in parametric measurement error models, 1994).

    Parameters
    ----------
    found : array, shape (k,)
    covariance : array, shape (k, k)
    motion : Motion
        With derivatives.
    run : InverseDynamics
        Of it.
    noise : Noise
    again : callable
        Gives what is found from another motion.

    Returns
    -------
    off : array, shape (k,)
    covariance : array, shape (k, k)
        Of this.
    notes : list of str
    """
    source = NoiseSource(run, None, motion, replace(noise, draws=min(noise.draws, DRAWS)))
    if source.markers:
        note = "noise of markers weighs forces alone: what it draws values off is left"
        return np.zeros(len(found)), np.zeros(covariance.shape), [note]
    drawn = []
    for group in source.draws():
        for q, u, a in zip(group.q, group.q_dot, group.q_ddot, strict=True):
            names = ("coordinates", "speeds", "accelerations")
            arrays = {n: motion.data[n] + of for n, of in zip(names, (q, u, a), strict=True)}
            drawn.append(again(replace(motion, data=motion.data.assign(arrays))))
    off = np.mean(drawn, axis=0) - found
    spread = np.cov(np.array(drawn).T).reshape(covariance.shape) / len(drawn)
    sd = np.sqrt(np.diag(covariance))
    told = sd > 0
    largest = float(np.abs(off[told] / sd[told]).max(initial=0.0))
    note = (
        f"what the noise draws values off is taken back, by {len(drawn)} draws: up to "
        f"{largest:.2g} standard deviations"
    )
    return off, spread, [note]


def _solved(X: Array, y: Array) -> Array:
    flat = X.reshape(-1, X.shape[-1])
    sizes = np.linalg.norm(flat, axis=0)
    scale = np.where(sizes > 0, sizes, 1.0)
    solution = np.linalg.lstsq(flat / scale, y.ravel(), rcond=FEW)[0] / scale
    return np.asarray(solution, dtype=np.float64)
