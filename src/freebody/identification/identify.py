"""Masses, inertias, stiffnesses, dampings and friction from motions and forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from numpy.typing import NDArray
from scipy.optimize import least_squares

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import InverseError, nearest
from freebody.identification.physical import Bodies, nearest_physical, pseudo_inertia
from freebody.identification.recording import Estimate, RegressionEquations, estimate, without_bias
from freebody.identification.regressor import Regressor, regressor
from freebody.identification.writer import numbers
from freebody.inverse_dynamics import AppliedForce, InverseDynamics, inverse
from freebody.inverse_dynamics.uncertainty import Noise, Sizes
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model.names import speed_names
from freebody.motion.motion import Motion
from freebody.motion.reading import AnyMotion, motion_of
from freebody.results import Result, dataset, provenance_of
from freebody.sensitivities.varied import constant_slopes
from freebody.simulation.inputs import AnyInputs, inputs_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 1.959964
"""How many standard deviations an interval of 95 % is to either side."""
HARDLY = 0.5
"""The standard deviation, as a part of the value, from which a parameter is hardly excited."""
ALIKE = 0.95
"""The correlation from which two parameters are told as hardly told apart."""
MOVED = 0.1
"""By how many standard deviations physical consistency must move a value to be told."""
EXACT = 1e-4
"""The part of a value below which no standard deviation counts."""
FREE = 1e-8
"""Below this part of the largest, a singular value leaves a direction undecided."""
NOTHING = 1e3
"""A standard deviation of so many times the value says that nothing is known of it."""


@dataclass(frozen=True, repr=False)
class Identified(Result):
    """Parameters of a model from a recording.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``parameter``: ``value``, ``sd``, ``lower`` and ``upper`` (of 95 %), ``model_value``
        and ``determined``, whether the recording decides it; ``correlation`` (parameter, other).
        Over ``time`` and ``speed``: ``measured``, what the forces were along what is known of them,
        and ``before`` and ``after``, what the model gave and what it gives with these values.
    """

    @property
    def values(self) -> dict[str, float]:
        """The values that the recording decides, by name; of constants, as others take them.

        ``freebody.simulate(model, constants=identified.values)`` goes on with them.
        """
        data = self.data
        pairs = zip(data["parameter"].to_numpy(), data["value"].to_numpy(), strict=True)
        decided = data["determined"].to_numpy()
        return {
            str(name): float(value)
            for (name, value), is_one in zip(pairs, decided, strict=True)
            if is_one
        }

    def figure(self) -> Figure:
        """Return the forces before and after, and the values with their intervals."""
        from freebody.identification.figures import figure

        return figure(self)


@checked
def identify(
    model: AnyModel,
    motion: AnyMotion,
    parameters: Sequence[str] | None = None,
    *,
    inputs: AnyInputs | None = None,
    forces: Mapping[str, AppliedForce | str | Path] | None = None,
    constants: Mapping[str, float] | None = None,
    prior: float | Mapping[str, float] | None = None,
    noise: Noise | Sizes | None = None,
) -> Identified:
    """Return the parameters of a model that a motion and the forces that it took tell.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
    motion : Motion, Result, str or Path
        As for `freebody.inverse`. Where it was filtered, forces go through the same filter.
    parameters : sequence of str, optional
        Constants that are sought: masses, inertias, distances of centres of mass, stiffnesses,
        dampings, friction. Without them, all base parameters of `freebody.regressor` are.
    inputs : mapping of str to value, Result, str or Path, optional
        Inputs that are known, as for `freebody.inverse`: numbers, laws or samples over time.
        What those of actuators that are not known give is left out of account.
    forces : mapping of str to AppliedForce, str or Path, optional
        Forces that were measured, by the body, joint or point that they act on.
    constants : mapping of str to float, optional
        Values to use instead of those of the model: what is not sought, and where priors are.
    prior : float or mapping of str to float, optional
        How sure the values of constants are that the model has, such as those of its table of
        segments: standard deviations as parts of them, of all or by name.
    noise : float, mapping of str to float or Noise, optional
        Of the coordinates, as for `freebody.inverse`: through filter and derivatives it tells how
        sure each force is, by which it is weighted, and how far it draws the values off, which is
        taken back; of markers the former alone.

    Returns
    -------
    Identified
        Values with their standard deviations and intervals, correlations, and what is not decided.

    Raises
    ------
    InverseError
        If a name is unknown or one cannot be sought, or no force is known.
    MotionError
        If the motion is not one of the model.

    Examples
    --------
    >>> import freebody
    >>> torque = {"T": "2*sin(3*t)"}
    >>> heavy = freebody.simulate("pendulum", 2, constants={"m": 2.0}, inputs=torque)
    >>> found = freebody.identify("pendulum", heavy, ["m"], inputs=torque)
    >>> round(found.values["m"], 4)
    2.0
    """
    moving = mechanism(model)
    known, _ = inputs_of(inputs, moving.model, driving=False)
    unknown = _unknown(moving, known)
    options: dict[str, Any] = {"forces": forces, "constants": constants, "noise": noise}
    recorded = motion_of(motion, moving)
    recorded = recorded if "accelerations" in recorded.data else recorded.differentiated()
    run = inverse(moving, recorded, inputs=known, **options)
    made = regressor(moving)
    cutoffs = recorded.choices.get("filter", {}).get("cutoff", {})
    cutoff = min(cutoffs.values(), default=None)
    equations = RegressionEquations.of(made, run, unknown, cutoff)
    X, y = equations.weighted()
    if not np.any(X):
        raise InverseError(
            "no force is known along any speed that parameters act on: expected inputs, as "
            f"inputs={{'{next(iter(unknown), 'T')}': ...}}, measured or 0"
        )
    values = {name: float(value) for name, value in (constants or {}).items()}
    estimated, notes = estimate(X, y), list[str]()
    if noise is not None:

        def again(noisy: Motion) -> Array:
            one = inverse(moving, noisy, inputs=known, forces=forces, constants=constants)
            drawn = replace(
                RegressionEquations.of(made, one, unknown, cutoff), known=equations.known
            )
            return estimate(*drawn.weighted()).change

        estimated, notes = without_bias(estimated, recorded, run, Noise.of(noise), again)
    fit = _Fit(made, estimated, values)
    if parameters is None:
        if prior is not None:
            raise InverseError("prior: expected the names of constants as parameters with it")
        found = fit.base()
    else:
        found = fit.constants(list(parameters), prior)
    found.notes.extend(notes)
    return _Builder(made, run, fit, found, equations).result(unknown)


def _unknown(moving: Mechanism, known: Mapping[str, Any]) -> list[str]:
    """Return the inputs of actuators that are not known."""
    acting = Functions(moving, "numpy")["actuation"].code.needed("inputs")
    return [name for name in moving.model.inputs if name in acting and name not in known]


@dataclass(frozen=True)
class _Found:
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
class _Fit:
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

    def base(self) -> _Found:
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
        return _Found(
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

    def constants(self, names: list[str], prior: float | Mapping[str, float] | None) -> _Found:
        """Return constants, as physical bodies can have them."""
        self._expect_sought(names)
        known = self.made.mechanism.names.values(self.given)
        first = np.array([known[name] for name in names])
        spreads = _spreads(names, first, prior)
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
    ) -> _Found:
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
        return _Found(names, units, values, covariance, first, determined, base, notes)

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
                raise InverseError(
                    f"parameters: there is no constant '{name}'"
                    f"{nearest(name, moving.names.constants)}"
                )
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
                    "centres of mass, stiffnesses, dampings or friction"
                )


def _is_planar(inertia: sympy.Matrix) -> bool:
    """Return whether only the moment of inertia about z is said."""
    return bool(inertia[0, 0] == 0 and inertia[1, 1] == 0)


def _spreads(
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


# ---------------------------------------------------------------------- the result


@dataclass(frozen=True)
class _Builder:
    made: Regressor
    run: InverseDynamics
    fit: _Fit
    found: _Found
    equations: RegressionEquations

    def result(self, unknown: Sequence[str]) -> Identified:
        """Return the result with what there is to know of it."""
        moving, found = self.made.mechanism, self.found
        sd = np.sqrt(np.maximum(np.diag(found.covariance), 0))
        correlation = found.covariance / np.outer(np.where(sd > 0, sd, 1), np.where(sd > 0, sd, 1))
        data, kept = self.run.data, self.run.data["trusted"].to_numpy()
        before = self.equations.taken
        measured = before + self.equations.y
        after = before + self.equations.X @ (found.base - self.fit.before)
        value = np.where(found.determined, found.values, np.nan)
        variables: dict[str, tuple[Sequence[str], Any]] = {
            "value": (("parameter",), value),
            "sd": (("parameter",), np.where(found.determined, sd, np.nan)),
            "lower": (("parameter",), value - WIDTH * sd),
            "upper": (("parameter",), value + WIDTH * sd),
            "model_value": (("parameter",), found.before),
            "determined": (("parameter",), found.determined),
            "correlation": (("parameter", "other"), correlation),
            "measured": (("time", "speed"), measured),
            "before": (("time", "speed"), before),
            "after": (("time", "speed"), after),
        }
        labels = {
            "parameter": found.names,
            "parameter_unit": ("parameter", found.units),
            "other": found.names,
            "time": data["time"].to_numpy()[kept],
        }
        made = dataset(moving.model, variables, labels)
        return Identified(
            made,
            moving,
            {**self._provenance, "unknown_inputs": list(unknown)},
            self._statistics(measured, before, after),
            (*found.notes, *self._notes(sd, correlation), *self._run_notes),
        )

    @property
    def _provenance(self) -> dict[str, Any]:
        constants = self.made.mechanism.names.values(self.fit.given)
        kept = ("motion", "noise", "filter", "derivatives")
        run = {name: self.run.provenance[name] for name in kept if name in self.run.provenance}
        method = "weighted least squares on the regressor, covariance by Newey and West"
        return {
            **provenance_of(self.made.mechanism.model, constants),
            **run,
            "method": method,
            "base": self.made.proof,
        }

    def _statistics(self, measured: Array, before: Array, after: Array) -> dict[str, Any]:
        speeds = speed_names(self.made.mechanism.model)
        left = {"left_before": measured - before, "left_after": measured - after}
        sizes = {
            name: dict(zip(speeds, np.sqrt(np.mean(of**2, axis=0)).tolist(), strict=True))
            for name, of in left.items()
        }
        one = self.fit.estimate
        return {
            **sizes,
            "condition": one.condition,
            "samples": len(measured),
            "correlated_over_samples": one.lag,
        }

    @property
    def _run_notes(self) -> list[str]:
        """What there is to know of the inverse dynamics, but that the model was another one."""
        expected = ("residual along", "other constants")
        return [note for note in self.run.notes if not note.startswith(expected)]

    def _notes(self, sd: Array, correlation: Array) -> list[str]:
        found, notes = self.found, []
        loose = [n for n, is_one in zip(found.names, found.determined, strict=True) if not is_one]
        if loose:
            notes.append(f"the motion and the forces do not decide {', '.join(loose)}")
        decided = np.flatnonzero(found.determined)
        hardly = [
            f"{found.names[place]} (± {sd[place]:.2g})"
            for place in decided
            if sd[place] > HARDLY * abs(found.values[place])
        ]
        if hardly:
            notes.append(f"the motion hardly excites {', '.join(hardly)}")
        alike = [
            f"{found.names[i]} and {found.names[j]} ({correlation[i, j]:+.3f})"
            for i in decided
            for j in decided
            if i < j and abs(correlation[i, j]) > ALIKE
        ]
        if alike:
            notes.append(f"hardly told apart, by their correlation: {'; '.join(alike)}")
        return notes
