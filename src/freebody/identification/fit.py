"""Parameters from an estimate of the base parameters, as physical bodies can have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy
from numpy.typing import NDArray
from scipy.optimize import least_squares

from freebody.arrays import Array
from freebody.errors import InverseError, absent, nearest
from freebody.identification.physical import Bodies, nearest_physical, pseudo_inertia
from freebody.identification.recording import Estimate
from freebody.identification.regressor import Regressor
from freebody.identification.writer import numbers
from freebody.sensitivities.varied import constant_slopes

MOVED = 0.1
"""By how many standard deviations physical consistency must move a value to be told."""
EXACT = 1e-4
"""The part of a value below which no standard deviation counts."""
FREE = 1e-8
"""Below this part of the largest, a singular value leaves a direction undecided."""
NOTHING = 1e3
"""A standard deviation of so many times the value says that nothing is known of it."""


@dataclass(frozen=True)
class FittedParameters:
    """Parameters, how sure they are, and the base parameters that follow."""

    names: list[str]
    units: list[str]
    values: Array
    covariance: Array
    before: Array
    determined: NDArray[np.bool_]
    base: Array
    notes: list[str]


@dataclass(frozen=True)
class ParameterFit:
    """Parameters from an estimate of the base parameters."""

    made: Regressor
    estimate: Estimate
    given: Mapping[str, float]

    @cached_property
    def before(self) -> Array:
        """The base parameters of the model."""
        return self.made.base_values(self.given)

    @cached_property
    def root(self) -> Array:
        """What makes differences of base parameters into standard deviations, (rank, base)."""
        axes, covariance = self.estimate.axes, self.estimate.covariance
        if not len(axes):
            return axes
        sizes = np.abs(axes) @ np.abs(self.before + self.estimate.change)
        least = np.diag((EXACT * np.maximum(sizes, sizes.max() * EXACT)) ** 2)
        own = axes @ covariance @ axes.T + least
        return np.asarray(np.linalg.solve(np.linalg.cholesky(own), axes))

    def base(self) -> FittedParameters:
        """Return the base parameters, as physical bodies can have them."""
        free = self.before + self.estimate.change
        parameters = self.made.parameters
        bodies = Bodies(parameters, self.made.values(self.given))
        values, notes = free, []
        if len(self.root):
            near = nearest_physical(bodies, self._combine, free, self.root)
            moved = float(np.abs(self.root @ (near - free)).max(initial=0.0))
            if moved > MOVED:
                values = np.where(self.estimate.excited, near, free)
                notes.append(
                    "no bodies of matter have the values that fit best: these are the nearest that "
                    f"some have, {moved:.2g} standard deviations away"
                )
        return FittedParameters(
            [str(one) for one in self.made.base],
            [one.unit for one in self.made.base],
            values,
            self.estimate.covariance,
            self.before,
            self.estimate.excited,
            values,
            notes,
        )

    @property
    def _combine(self) -> Array:
        """The base parameters in the parameters, with the constants of the model as numbers."""
        symbols = [one.symbol for one in self.made.parameters]
        moving, wanted = self.made.mechanism, []
        for one in self.made.base:
            wanted += [one.combination.diff(symbol) for symbol in symbols]
        return numbers(moving, wanted, self.given).reshape(len(self.made.base), len(symbols))

    # ------------------------------------------------------------------ constants

    def constants(
        self, names: list[str], prior: float | Mapping[str, float] | None
    ) -> FittedParameters:
        """Return constants, as physical bodies can have them."""
        self._expect_sought(names)
        known = self.made.mechanism.names.values(self.given)
        first = np.array([known[name] for name in names])
        spreads = prior_spreads(names, first, prior)
        wanted = self.before + self.estimate.change
        lower = np.array([0.0 if name in self._positive else -np.inf for name in names])
        scale = np.where(first == 0, 1.0, np.abs(first))

        def off(parts: Array) -> Array:
            values = parts * scale
            left = self.root @ (self._base_of(names, values) - wanted)
            tied = ((values - first) / spreads)[np.isfinite(spreads)]
            return np.concatenate([left, tied, self._edges(names, values)])

        start = np.maximum(first / scale, np.where(np.isfinite(lower), 1e-6, -np.inf))
        with np.errstate(invalid="ignore"):
            reached = least_squares(
                off,
                start,
                bounds=(lower / scale, np.inf),
                x_scale="jac",
                ftol=1e-12,
                xtol=1e-10,
                gtol=1e-10,
                max_nfev=200,
            )
        values = reached.x * scale
        slopes = self.root @ self._slopes(names, values)
        return self._of_constants(names, first, values, slopes, spreads)

    def _of_constants(
        self, names: list[str], first: Array, values: Array, slopes: Array, spreads: Array
    ) -> FittedParameters:
        """Return constants with what the equations and the priors say of how sure they are."""
        scale = np.maximum(np.abs(values), np.abs(first))
        scale = np.where(scale == 0, 1.0, scale)
        tied = np.diag(np.where(np.isfinite(spreads), scale / spreads, 0.0))
        _, s, Vt = np.linalg.svd(np.vstack([slopes * scale, tied]), full_matrices=False)
        kept = s > FREE * s.max(initial=0.0)
        covariance = (Vt[kept].T / s[kept] ** 2) @ Vt[kept] * np.outer(scale, scale)
        is_known = np.sqrt(np.diag(covariance)) < NOTHING * scale
        determined = (np.sum(Vt[kept] ** 2, axis=0) > 1 - 1e-6) & is_known
        notes = [
            f"at the edge of what bodies of matter can have: {name}"
            for name, value in zip(names, values, strict=True)
            if name in self._positive and value < 1e-6 * max(abs(value), 1e-3)
        ]
        notes += self._unphysical(names, values)
        units = [self.made.mechanism.model.constants[name].unit or "" for name in names]
        base = self._base_of(names, values)
        return FittedParameters(names, units, values, covariance, first, determined, base, notes)

    def _base_of(self, names: list[str], values: Array) -> Array:
        return self.made.base_values(
            {**self.given, **dict(zip(names, values.tolist(), strict=True))}
        )

    def _slopes(self, names: list[str], values: Array) -> Array:
        """Return the derivatives of the base parameters by constants."""
        moving = self.made.mechanism
        given = {**self.given, **dict(zip(names, values.tolist(), strict=True))}
        known = moving.names.values(given)
        symbols = list(moving.names.constants.values())
        base = [one.value.diff(symbol) for one in self.made.base for symbol in symbols]
        by_each = numbers(moving, base, given).reshape(len(self.made.base), len(symbols))
        columns = []
        for name in names:
            slopes = constant_slopes(moving, name, known, given)
            columns.append(by_each @ np.array([slopes[str(symbol)] for symbol in symbols]))
        return np.stack(columns, axis=1)

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

    def _edges(self, names: list[str], values: Array) -> Array:
        """Return how far pseudo-inertias are from positive definite, in no units, stiffly."""
        return np.array([1e4 * min(0.0, one) for one in self._least(names, values).values()])

    def _least(self, names: list[str], values: Array) -> dict[str, float]:
        """Return the least eigenvalue of the inertia of each body with one, as a part of it."""
        moving = self.made.mechanism
        given = {**self.given, **dict(zip(names, values.tolist(), strict=True))}
        least = {}
        for body, mass in moving.masses.items():
            inertia = mass.inertia
            if inertia is None or mass.mass == 0 or _is_planar(inertia):
                continue
            entries = numbers(moving, list(inertia), given).reshape(3, 3)
            named = {
                f"J{a}{b}": entries[i, j] for i, a in enumerate("xyz") for j, b in enumerate("xyz")
            }
            second = pseudo_inertia(named)[:3, :3]
            least[body] = float(np.linalg.eigvalsh(second).min() / max(np.abs(second).max(), 1e-12))
        return least

    def _unphysical(self, names: list[str], values: Array) -> list[str]:
        return [
            f"at the edge of what bodies of matter can have: the inertia of {body}"
            for body, least in self._least(names, values).items()
            if least < 1e-6
        ]

    def _expect_sought(self, names: list[str]) -> None:
        """Refuse constants that the forces do not depend on linearly, and others."""
        moving = self.made.mechanism
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
