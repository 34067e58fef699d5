"""Masses, inertias, stiffnesses, dampings and friction from motions and forces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import InverseError
from freebody.identification.constants import ConstantFit
from freebody.identification.estimates import Estimates
from freebody.identification.fit import BaseFit, FittedParameters
from freebody.identification.recording import RegressionEquations, drawn_off
from freebody.identification.regressor import Regressor, regressor
from freebody.inverse_dynamics import AppliedForce, InverseDynamics, inverse
from freebody.inverse_dynamics.inverse import other_constants
from freebody.inverse_dynamics.uncertainty import Noise, Sizes
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model.names import speed_names
from freebody.motion.motion import Motion
from freebody.motion.reading import AnyMotion, motion_of
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.inputs import AnyInputs, inputs_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Identified(Result):
    """Parameters of a model from a recording.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``parameter``: ``value``, ``sd``, ``lower`` and ``upper`` (of 95 %), ``model_value``
        and ``determined``, whether the recording decides it; ``correlation`` (parameter, other).
        Over ``time`` and ``speed``: ``measured``, what the forces were along what is known of them,
        and ``before`` and ``after``, what the model gave and what it gives with these values. Of
        `freebody.fit_trajectory` these are coordinates, over ``time`` and ``coordinate``.
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
    recorded = motion_of(motion, moving)
    recorded = recorded if "accelerations" in recorded.data else recorded.differentiated()
    run = inverse(moving, recorded, inputs=known, forces=forces, constants=constants, noise=noise)
    made = regressor(moving)
    cutoffs = recorded.choices.get("filter", {}).get("cutoff", {})
    cutoff = min(cutoffs.values(), default=None)
    equations = RegressionEquations.of(made, run, unknown, cutoff)
    if not np.any(equations.X):
        raise InverseError(
            "no force is known along any speed that parameters act on: expected inputs, as "
            f"inputs={{'{next(iter(unknown), 'T')}': ...}}, measured or 0"
        )
    values = {name: float(value) for name, value in (constants or {}).items()}
    told = None if noise is None else Noise.of(noise)
    options = {"inputs": known, "forces": forces, "constants": constants}
    bias = _Bias(made, equations, recorded, run, told, options, unknown, cutoff)
    if parameters is None:
        if prior is not None:
            raise InverseError("prior: expected the names of constants as parameters with it")
        base = BaseFit(made, equations, values)
        one = base.estimate
        off, added, notes = bias.of(
            one.change, one.covariance, lambda drawn: BaseFit(made, drawn, values).estimate.change
        )
        found = base.fitted(
            replace(one, change=one.change - off, covariance=one.covariance + added)
        )
        within = made.Y.code.needed("constants")
    else:
        fit = ConstantFit(made, equations, values, list(parameters), prior)
        found = fit.fitted(fit.values, np.zeros((len(fit.names),) * 2), ())
        off, added, notes = bias.of(
            fit.values, found.covariance, lambda drawn: replace(fit, equations=drawn).values
        )
        if noise is not None:
            found = fit.fitted(np.maximum(fit.values - off, fit.lower), added, ())
        within = [*moving.names.constants]
    notes += _other_constants(moving, motion, values, list(parameters or []), within)
    found.notes.extend(notes)
    return _Builder(made, run, values, found, equations).result(unknown)


@dataclass(frozen=True)
class _Bias:
    """How far noise of the coordinates draws values off."""

    made: Regressor
    equations: RegressionEquations
    motion: Motion
    run: InverseDynamics
    noise: Noise | None
    options: Mapping[str, Any]
    unknown: Sequence[str]
    cutoff: float | None

    def of(
        self, found: Array, covariance: Array, again: Callable[[RegressionEquations], Array]
    ) -> tuple[Array, Array, list[str]]:
        """Return it with its covariance and notes: nothing where no noise is told."""
        if self.noise is None:
            return np.zeros(len(found)), np.zeros(covariance.shape), []

        def noisy(motion: Motion) -> Array:
            one = inverse(self.made.mechanism, motion, **self.options)
            drawn = RegressionEquations.of(self.made, one, self.unknown, self.cutoff)
            return again(replace(drawn, known=self.equations.known))

        return drawn_off(found, covariance, self.motion, self.run, self.noise, noisy)


def _other_constants(
    moving: Mechanism,
    motion: AnyMotion,
    given: Mapping[str, float],
    sought: list[str],
    within: Sequence[str],
) -> list[str]:
    """Tell constants that the motion was made with and that are others here, but what is sought."""
    if not isinstance(motion, Result):
        return []
    made = motion.provenance["constants"]
    alike = moving.names.values({**given, **{name: made[name] for name in sought if name in made}})
    return other_constants(motion, {name: alike[name] for name in within if name in alike})


def _unknown(moving: Mechanism, known: Mapping[str, Any]) -> list[str]:
    """Return the inputs of actuators that are not known."""
    acting = Functions(moving, "numpy")["actuation"].code.needed("inputs")
    return [name for name in moving.model.inputs if name in acting and name not in known]


# ---------------------------------------------------------------------- the result


@dataclass(frozen=True)
class _Builder:
    made: Regressor
    run: InverseDynamics
    given: Mapping[str, float]
    found: FittedParameters
    equations: RegressionEquations

    def result(self, unknown: Sequence[str]) -> Identified:
        """Return the result with what there is to know of it."""
        moving, found = self.made.mechanism, self.found
        data, kept = self.run.data, self.run.data["trusted"].to_numpy()
        before = self.equations.taken
        measured = before + self.equations.y
        after = before + self.equations.X @ (found.base - self.made.base_values(self.given))
        estimates = Estimates(
            found.names, found.units, found.values, found.covariance, found.before, found.determined
        )
        variables: dict[str, tuple[Sequence[str], Any]] = {
            **estimates.variables,
            "measured": (("time", "speed"), measured),
            "before": (("time", "speed"), before),
            "after": (("time", "speed"), after),
        }
        labels = {**estimates.labels, "time": data["time"].to_numpy()[kept]}
        made = dataset(moving.model, variables, labels)
        return Identified(
            made,
            moving,
            {**self._provenance, "unknown_inputs": list(unknown)},
            self._statistics(measured, before, after),
            (*found.notes, *estimates.notes, *self._run_notes),
        )

    @property
    def _provenance(self) -> dict[str, Any]:
        constants = self.made.mechanism.names.values(self.given)
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
        return {
            **sizes,
            "condition": self.found.condition,
            "samples": len(measured),
            "correlated_over_samples": self.found.lag,
        }

    @property
    def _run_notes(self) -> list[str]:
        """What there is to know of the inverse dynamics, but that the model was another one."""
        expected = ("residual along", "other constants")
        return [note for note in self.run.notes if not note.startswith(expected)]
