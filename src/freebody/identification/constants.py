"""Named constants from a recording, as physical bodies can have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy
from scipy.optimize import least_squares

from freebody.arrays import Array
from freebody.backends.constants import Constants
from freebody.errors import InverseError, absent, nearest
from freebody.identification.correlation import covariance_of_sum
from freebody.identification.fit import FittedParameters, inverse_root
from freebody.identification.physical import pseudo_inertia
from freebody.identification.recording import FEW, RegressionEquations
from freebody.identification.regressor import Regressor
from freebody.identification.writer import numbers
from freebody.sensitivities.varied import constant_slopes

FREE = 1e-8
"""Below this part of the largest, a singular value leaves a direction undecided."""
NOTHING = 1e3
"""A standard deviation of so many times the value says that nothing is known of it."""
AWAY = 3.0
"""How many standard deviations of its prior a constant must be away from it to be told."""
ROUNDS = 12
"""How often weights and slopes are taken anew, at the most."""
SETTLED = 1e-9
"""The part of a value by which a round must move one for another to follow."""


@dataclass(frozen=True)
class Told:
    """What a recording tells of base parameters along what the constants can change.

    Attributes
    ----------
    root : array, shape (rank, base)
        Combinations of base parameters, each over its standard deviation.
    wanted : array, shape (rank,)
        What the recording says that they are.
    condition : float
    lag : int
    """

    root: Array
    wanted: Array
    condition: float
    lag: int


@dataclass(frozen=True)
class ConstantFit:
    """Constants, by least squares along what they change: what is not sought is known.

    The base parameters cannot be estimated first, all of them, and constants from these: noise in
    the regressor would draw off those that are known, too, and what swings freely, without a force
    that is known, would have them all zero.
    """

    made: Regressor
    equations: RegressionEquations
    given: Mapping[str, float]
    names: list[str]
    prior: float | Mapping[str, float] | None

    @cached_property
    def before(self) -> Array:
        """The base parameters of the model."""
        return self.made.base_values(self.given)

    @cached_property
    def first(self) -> Array:
        """The constants of the model."""
        known = self.made.mechanism.names.values(self.given)
        return np.array([known[name] for name in self.names])

    @cached_property
    def spreads(self) -> Array:
        """The standard deviations of priors, infinite where there is none."""
        return prior_spreads(self.names, self.first, self.prior)

    @cached_property
    def lower(self) -> Array:
        """The least that constants can be."""
        return np.array([0.0 if name in self._positive else -np.inf for name in self.names])

    @cached_property
    def values(self) -> Array:
        """The constants that fit best.

        Raises
        ------
        InverseError
            If a constant cannot be sought, or the motion tells them but for a common factor.
        """
        self._expect_sought()
        self._expect_scale()
        values = self.first
        for _ in range(ROUNDS):
            last, values = values, self._solved(self._told(values), values)
            if np.all(np.abs(values - last) <= SETTLED * np.abs(values)):
                break
        return values

    def fitted(self, values: Array, added: Array, notes: Sequence[str]) -> FittedParameters:
        """Return constants with what the equations and the priors say of how sure they are.

        Parameters
        ----------
        values : array, shape (constants,)
            Those that fit best, or these less what noise draws them off.
        added : array, shape (constants, constants)
            Is added to their covariance.
        notes : sequence of str
        """
        told = self._told(self.values)
        slopes = told.root @ self._slopes(values)
        scale = self._scale(values)
        tied = np.diag(np.where(np.isfinite(self.spreads), scale / self.spreads, 0.0))
        _, s, Vt = np.linalg.svd(np.vstack([slopes * scale, tied]), full_matrices=False)
        kept = s > FREE * s.max(initial=0.0)
        covariance = (Vt[kept].T / s[kept] ** 2) @ Vt[kept] * np.outer(scale, scale) + added
        is_known = np.sqrt(np.diag(covariance)) < NOTHING * scale
        edge = [
            f"at the edge of what bodies of matter can have: {name}"
            for name, value in zip(self.names, values, strict=True)
            if name in self._positive and value < 1e-6 * max(abs(value), 1e-3)
        ]
        away = np.abs(values - self.first) / self.spreads
        edge += [
            f"{name} is {off:.0f} standard deviations of its prior away from it"
            for name, off in zip(self.names, away, strict=True)
            if off > AWAY
        ]
        constants = self.made.mechanism.model.constants
        return FittedParameters(
            self.names,
            [constants[name].unit or "" for name in self.names],
            values,
            covariance,
            self.first,
            (np.sum(Vt[kept] ** 2, axis=0) > 1 - 1e-6) & is_known,
            self._base_of(values),
            [*notes, *edge, *self._unphysical(values)],
            told.condition,
            told.lag,
        )

    # ------------------------------------------------------------------ the fit

    def _told(self, values: Array) -> Told:
        """Return what the recording tells along what constants of these values change."""
        base = self._base_of(values)
        X, y = self.equations.over(base - self.before)
        U, condition = self._along(X, values)
        axes = np.einsum("tnr,tnp->rp", U, X)
        target = np.einsum("tnr,tn->r", U, y)
        left = y - U @ target  # what no constants explain: priors may leave more over
        covariance, lag = covariance_of_sum(U, left, len(axes))
        root = inverse_root(covariance, axes, base)
        return Told(root @ axes, root @ (target + axes @ self.before), condition, lag)

    def _along(self, X: Array, values: Array) -> tuple[Array, float]:
        """Return an orthonormal basis of the forces that constants change, and its condition."""
        columns = X @ (self._slopes(values) * self._scale(values))
        flat = columns.reshape(-1, columns.shape[-1])
        sizes = np.linalg.norm(flat, axis=0)
        U, s, _ = np.linalg.svd(flat / np.where(sizes > 0, sizes, 1.0), full_matrices=False)
        kept = s > FEW * s.max(initial=0.0)
        condition = float(s[kept].max(initial=1.0) / s[kept].min(initial=1.0))
        return U[:, kept].reshape(*X.shape[:2], -1), condition

    def _solved(self, told: Told, values: Array) -> Array:
        scale = self._scale(values)
        lower = self.lower / scale

        def off(parts: Array) -> Array:
            values = parts * scale
            left = told.root @ self._base_of(values) - told.wanted
            tied = ((values - self.first) / self.spreads)[np.isfinite(self.spreads)]
            return np.concatenate([left, tied, self._edges(values)])

        start = np.maximum(values / scale, np.where(np.isfinite(lower), 1e-6, -np.inf))
        with np.errstate(invalid="ignore"):
            reached = least_squares(
                off,
                start,
                bounds=(lower, np.inf),
                x_scale="jac",
                ftol=1e-12,
                xtol=1e-10,
                gtol=1e-10,
                max_nfev=200,
            )
        return np.asarray(reached.x * scale)

    def _scale(self, values: Array) -> Array:
        scale = np.maximum(np.abs(values), np.abs(self.first))
        return np.where(scale == 0, 1.0, scale)

    def _base_of(self, values: Array) -> Array:
        return self._numbers([one.value for one in self.made.base], self._given(values))

    def _numbers(self, wanted: Sequence[sympy.Expr], given: Mapping[str, float]) -> Array:
        return numbers(self.made.mechanism, wanted, given, self._constants)

    @cached_property
    def _constants(self) -> Constants:
        return Constants.of(self.made.mechanism.model)

    def _given(self, values: Array) -> dict[str, float]:
        return {**self.given, **dict(zip(self.names, values.tolist(), strict=True))}

    def _slopes(self, values: Array) -> Array:
        """Return the derivatives of the base parameters by constants."""
        moving = self.made.mechanism
        given = self._given(values)
        known = moving.names.values(given)
        symbols = list(moving.names.constants.values())
        by_each = self._numbers(self._symbolic_slopes, given)
        by_each = by_each.reshape(len(self.made.base), len(symbols))
        columns = []
        for name in self.names:
            slopes = constant_slopes(moving, name, known, given)
            columns.append(by_each @ np.array([slopes[str(symbol)] for symbol in symbols]))
        return np.stack(columns, axis=1)

    @cached_property
    def _symbolic_slopes(self) -> list[sympy.Expr]:
        symbols = self.made.mechanism.names.constants.values()
        return [one.value.diff(symbol) for one in self.made.base for symbol in symbols]

    # ------------------------------------------------------------------ what bodies can have

    @cached_property
    def _positive(self) -> set[str]:
        """The constants that are masses, moments of inertia or factors of loads by themselves."""
        moving = self.made.mechanism
        positive = {str(one.mass) for one in moving.masses.values()}
        for one in moving.masses.values():
            positive |= set() if one.inertia is None else set(map(str, one.inertia.diagonal()))
        known = moving.names.values(self.given)
        loads = {one.name for one in self.made.parameters if "." not in one.name}
        return (positive | {name for name in loads if known.get(name, 0) > 0}) & set(known)

    def _edges(self, values: Array) -> Array:
        """Return how far pseudo-inertias are from positive definite, in no units, stiffly."""
        return np.array([1e4 * min(0.0, one) for one in self._least(values).values()])

    def _least(self, values: Array) -> dict[str, float]:
        """Return the least eigenvalue of the inertia of each body with one, as a part of it."""
        moving, given = self.made.mechanism, self._given(values)
        least = {}
        for body, mass in moving.masses.items():
            inertia = mass.inertia
            if inertia is None or mass.mass == 0 or _is_planar(inertia):
                continue
            entries = self._numbers(list(inertia), given).reshape(3, 3)
            named = {
                f"J{a}{b}": entries[i, j] for i, a in enumerate("xyz") for j, b in enumerate("xyz")
            }
            second = pseudo_inertia(named)[:3, :3]
            least[body] = float(np.linalg.eigvalsh(second).min() / max(np.abs(second).max(), 1e-12))
        return least

    def _unphysical(self, values: Array) -> list[str]:
        return [
            f"at the edge of what bodies of matter can have: the inertia of {body}"
            for body, least in self._least(values).items()
            if least < 1e-6
        ]

    # ------------------------------------------------------------------ what can be sought

    def _expect_sought(self) -> None:
        """Refuse constants that the forces do not depend on linearly, and others."""
        names, moving = self.names, self.made.mechanism
        if not names or len(set(names)) < len(names):
            raise InverseError(f"parameters: expected names, each once, found {names}")
        for name in names:
            if name not in moving.names.constants:
                known = moving.names.constants
                raise InverseError(f"parameters: {absent('constant', name, known)}")
        known = moving.names.values(self.given)
        within = self.made.Y.code.needed("constants")
        for name in names:
            slopes = constant_slopes(moving, name, known, self.given)
            touched = [one for one in within if slopes[one]]
            if touched:
                raise InverseError(
                    f"parameters: '{name}' is in the regressor itself"
                    + (f", by {', '.join(touched)}" if touched != [name] else "")
                    + ": forces are not linear in what follows from it; expected masses, inertias, "
                    "centres of mass, stiffnesses, dampings or friction; a trajectory is fitted to "
                    "any (fit_trajectory, --trajectory)"
                )

    def _expect_scale(self) -> None:
        """Refuse constants that no known force tells but for a common factor."""
        if not self.equations.is_homogeneous(self.before):
            return
        acting = np.any(self.equations.X != 0, axis=(0, 1)) & (self.before != 0)
        slopes = self._slopes(self.first)[acting] / self.before[acting, None]
        ones, *_ = np.linalg.lstsq(slopes, np.ones(len(slopes)), rcond=FREE)
        if np.abs(slopes @ ones - 1).max(initial=0.0) > 1e-6:
            return
        raise InverseError(
            f"no force is known, so that the motion tells {', '.join(self.names)} but for a common "
            "factor: expected one of them, or another mass, stiffness or damping, to be known, or "
            "a force that was measured"
        )


def _is_planar(inertia: sympy.Matrix) -> bool:
    """Return whether only the moment of inertia about z is said."""
    return bool(inertia[0, 0] == 0 and inertia[1, 1] == 0)


def prior_spreads(
    names: Sequence[str], first: Array, prior: float | Mapping[str, float] | None
) -> Array:
    """Return the standard deviations of priors, infinite where there is none."""
    parts = prior if isinstance(prior, Mapping) else dict.fromkeys(names, prior)
    for name, part in parts.items():
        if name not in names:
            raise InverseError(f"prior: '{name}' is not sought{nearest(name, names)}")
        if part is not None and not (np.isfinite(part) and part > 0):
            raise InverseError(f"prior of '{name}': expected a positive number, found {part:g}")
    found = [parts.get(name) for name in names]
    pairs = zip(found, np.abs(first), strict=True)
    return np.array([np.inf if part is None else part * (size or 1.0) for part, size in pairs])
