"""How a motion, a state of rest and their forces change with parameters, to first order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from freebody.arrays import Array
from freebody.errors import LinearizationError, SimulationError
from freebody.linearization.derivatives import BALANCES, Derivatives, dependent, independent
from freebody.mechanics.mechanism import Mechanism
from freebody.sensitivities.varied import Varied
from freebody.simulation.dynamics import Dynamics, Rates
from freebody.simulation.setup import Setup

CLOSED = 1e-6
"""Up to which residual constraints count as kept."""
SMALL = 1e-9
"""Below this part of the largest, a singular value counts as zero."""


@dataclass(frozen=True)
class Varying:
    """A motion and its derivatives by parameters.

    Attributes
    ----------
    given : dict of str to array, shape (times, ...)
        Time, coordinates, speeds, accelerations, inputs and multipliers: the arguments of outputs.
    slopes : dict of str to array, shape (times, entries, k)
        The derivatives of each; those of the constants are the same at all times.
    """

    given: dict[str, Array]
    slopes: dict[str, Array]


class Flow:
    """The equations of motion of a mechanism and their derivatives by parameters.

    Parameters
    ----------
    moving : Mechanism
    setup : Setup
    by : Varied

    Raises
    ------
    SimulationError
        If inputs are known over time alone.
    """

    def __init__(self, moving: Mechanism, setup: Setup, by: Varied) -> None:
        if setup.sampled:
            raise SimulationError(
                f"expected laws for all inputs, found samples of {', '.join(setup.sampled)}: what "
                "they would be in a motion nearby is not known"
            )
        moving.expect_independent("the sensitivity of a motion")
        moving.expect_no_impacts("the sensitivity of a motion")
        self.mechanism, self.by = moving, by
        self.dynamics = Dynamics(moving, setup)
        self.n, self.m = self.dynamics.n, self.dynamics.m
        names = list(moving.names.constants)
        moved = [place for place in range(len(names)) if np.any(by.constants[place])]
        self._constants = by.constants[moved]
        self._derivatives = Derivatives(moving, setup, (), [names[place] for place in moved])

    # ------------------------------------------------------------------ along a motion

    def along(self, times: Array, tolerance: float, method: str) -> Varying:
        """Return the motion from the initial state, with its derivatives.

        Parameters
        ----------
        times : array, shape (times,)
            In s.
        tolerance : float
            Relative and absolute, of the state and of its change by a parameter as large as this.
        method : str
            Of `scipy.integrate.solve_ivp`.

        Raises
        ------
        SimulationError
            If the integration fails, or the constraints are not kept.
        """
        state = self.dynamics.consistent(self.dynamics.setup.state)
        first = self._consistent(state, self.by.state) * self.by.scales
        solution = solve_ivp(
            self._change,
            (times[0], times[-1]),
            np.concatenate([state, first.ravel()]),
            method,
            times,
            rtol=max(tolerance, 3e-14),
            atol=tolerance,
        )
        if not solution.success:
            raise SimulationError(f"the sensitivities cannot be integrated: {solution.message}")
        whole = [self._whole(t, y) for t, y in zip(times.tolist(), solution.y.T, strict=True)]
        given = {name: np.stack([one.given[name] for one in whole]) for name in whole[0].given}
        slopes = {name: np.stack([one.slopes[name] for one in whole]) for name in whole[0].slopes}
        self._expect_closed(given)
        return Varying(given, slopes)

    def _change(self, t: float, y: Array) -> Array:
        rates, slopes = self._rates(t, y)
        by = np.concatenate([slopes["rates"], slopes["a"]]) * self.by.scales
        return np.concatenate([rates.coordinates, rates.accelerations, by.ravel()])

    def _rates(self, t: float, y: Array) -> tuple[Rates, dict[str, Array]]:
        """Return how a state changes, and the derivatives of all that is known of it."""
        n = self.n
        q, u, slopes = y[:n], y[n : 2 * n], y[2 * n :].reshape(2 * n, -1) / self.by.scales
        rates = self.dynamics.motion_rates(t, q, u)
        outputs = self._at(t, q, u, rates.accelerations, rates.multipliers)
        inputs = self._varied(outputs["dlaws"], slopes, np.zeros_like(self.by.inputs))
        inputs = inputs + self.by.inputs
        forces = self._varied(outputs["dmotion"], slopes, inputs)
        M, J = outputs["M"], outputs["J"]
        whole = np.block([[M, -J.T], [J, np.zeros((self.m, self.m))]]) if self.m else M
        solved = np.linalg.solve(whole, forces).astype(np.float64)
        return rates, {
            "q": slopes[:n],
            "u": slopes[n:],
            "rates": self._varied(outputs["drates"], slopes, inputs),
            "a": solved[:n],
            "multipliers": solved[n:],
            "inputs": inputs,
            "constants": self.by.constants,
        }

    def _whole(self, t: float, y: Array) -> Varying:
        """Return all that is known of a state and its derivatives at a time."""
        rates, slopes = self._rates(t, y)
        q, u = y[: self.n], y[self.n : 2 * self.n]
        now, inputs = np.array([t]), self.dynamics.inputs(np.array([t]), q[None], u[None])
        given = {"t": now[0], "q": q, "u": u, "a": rates.accelerations, "inputs": inputs[0]}
        given |= {"multipliers": rates.multipliers}
        return Varying(given, slopes)

    def _at(self, t: float, q: Array, u: Array, a: Array, multipliers: Array) -> dict[str, Array]:
        return {name: of[0] for name, of in self._derivatives.at(t, q, u, a, multipliers).items()}

    def _varied(self, slopes: Array, states: Array, inputs: Array) -> Array:
        """Return how values change with the states, the inputs and the constants."""
        first, second = 2 * self.n, 2 * self.n + len(inputs)
        changed: Array = slopes[:, :first] @ states + slopes[:, first:second] @ inputs
        return changed + slopes[:, second:] @ self._constants

    def _consistent(self, state: Array, slopes: Array) -> Array:
        """Return the derivatives of an initial state, with what the constraints decide."""
        if not self.m:
            return slopes
        q, u = np.split(state, 2)
        rates = self.dynamics.rates(0.0, q, u)
        outputs = self._at(0.0, q, u, rates.accelerations, rates.multipliers)
        rows = np.concatenate([outputs["dposition_constraints"], outputs["dvelocity_constraints"]])
        decided, kept = dependent(self.mechanism), independent(self.mechanism)
        slopes = slopes.copy()
        slopes[decided] = 0.0
        left = self._varied(rows, slopes, np.zeros_like(self.by.inputs))
        slopes[decided] = -np.linalg.solve(rows[:, decided], left)
        return slopes if kept else np.zeros_like(slopes)

    def _expect_closed(self, given: Mapping[str, Array]) -> None:
        if not self.m:
            return
        states = {name: given[name] for name in ("t", "q", "u")}
        off = float(np.abs(self.dynamics.evaluated("constraint_residuals", states)).max())
        if not off < CLOSED:
            raise SimulationError(
                f"the constraints are off by {off:.2g} along the motion: expected a finer "
                "tolerance or a shorter duration"
            )

    # ------------------------------------------------------------------ at rest

    def at_rest(self, q: Array, multipliers: Array) -> tuple[Varying, Varying]:
        """Return a state of rest with how it changes, and with where others like it lie.

        Parameters
        ----------
        q, multipliers : array, shape (n,), (m,)
            Of an equilibrium.

        Returns
        -------
        changing : Varying
            The smallest change by each parameter.
        family : Varying
            The directions in which others are equilibria too.

        Raises
        ------
        LinearizationError
            If with other parameters there is no equilibrium nearby.
        """
        n, k, still = self.n, len(self.by.names), np.zeros(self.n)
        outputs = self._at(0.0, q, still, still, multipliers)
        laws, none = outputs["dlaws"], np.zeros((2 * n, k))
        inputs = self._varied(laws, none, np.zeros_like(self.by.inputs)) + self.by.inputs
        rows = np.concatenate([outputs[f"d{name}"] for name in BALANCES])
        change = self._varied(rows, none, inputs)
        by_q = rows[:, :n] + rows[:, 2 * n : 2 * n + len(laws)] @ laws[:, :n]
        by_forces = np.zeros((len(rows), self.m))
        by_forces[:n] = outputs["J"].T
        whole = np.hstack([by_q, by_forces])
        solved: Array = -np.linalg.lstsq(whole, change, rcond=SMALL)[0].astype(np.float64)
        left = np.abs(whole @ solved + change).max(initial=0.0)
        if left > SMALL * np.abs(change).max(initial=0.0):
            raise LinearizationError(
                "with other values of the parameters there is no equilibrium next to this one: "
                f"expected others than {', '.join(self.by.names)}, or not all of them"
            )
        _, values, across = np.linalg.svd(whole)
        free = across[int(np.sum(values > SMALL * values.max(initial=0.0))) :].T
        given = {"t": np.zeros(1), "q": q[None], "u": still[None], "a": still[None]}
        given |= {"inputs": self.dynamics.inputs(np.zeros(1), q[None], still[None])}
        given |= {"multipliers": multipliers[None]}
        by = self._varied(laws, np.vstack([solved[:n], 0 * solved[:n]]), 0 * self.by.inputs)
        moved = self._slopes_at_rest(solved, by + self.by.inputs, self.by.constants)
        kept = np.zeros((len(self.by.constants), free.shape[1]))
        return Varying(given, moved), Varying(
            given, self._slopes_at_rest(free, laws[:, :n] @ free[:n], kept)
        )

    def _slopes_at_rest(self, states: Array, inputs: Array, constants: Array) -> dict[str, Array]:
        """Return the derivatives of all that is known at rest, by those of what is unknown."""
        still = np.zeros((self.n, states.shape[1]))
        slopes = {"q": states[: self.n], "u": still, "a": still, "multipliers": states[self.n :]}
        slopes |= {"inputs": inputs, "constants": constants}
        return {name: of[None] for name, of in slopes.items()}
