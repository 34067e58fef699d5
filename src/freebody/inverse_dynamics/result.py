"""What inverse dynamics gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.files import atomic_write
from freebody.inverse_dynamics.terms import InverseProblem
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES
from freebody.motion.checks import unevenness
from freebody.motion.motion import Motion
from freebody.results import TERMS, Result, dataset, provenance_of
from freebody.simulation.inputs import SampledInput, initial_of, known_inputs

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class InverseDynamics(Result):
    """The torques that a motion takes.

    Attributes
    ----------
    data : xarray.Dataset
        As of a simulation ``coordinates``, ``speeds``, ``accelerations``, ``terms``,
        ``reaction_force``, ``reaction_moment`` and ``constraint_force``; and

        - ``coupling`` (time, speed): the part Σ_{j≠i} M_ij u̇_j of the inertial term;
        - ``generalized`` (time, speed): M u̇ + C + G + E, what actuators, and constraints where
          there are any, must give;
        - ``inputs`` (time, input): what the inputs of the model must be, not a number where the
          motion does not say; ``residual`` (time, speed): what they cannot give;
        - ``power`` (time, joint): of all that the joint transmits, springs and dampers at it
          included; ``work`` (time, joint): its integral;
        - ``trusted`` (time): whether a sample is far enough from the ends;
        - with noise, the standard deviations ``generalized_sd``, ``terms_sd``, ``inputs_sd``,
          ``power_sd``; with tables, ``generalized_by_table`` (table, time, speed).
    provenance : dict
        Besides what every result has: sampling, filter and derivatives of the motion, measured
        ``forces``, the ``inputs`` that were known, and those that were ``solved`` for.
    notes : tuple of str
        Residuals, inputs that do not follow, the ends.
    """

    @property
    def inputs(self) -> dict[str, SampledInput]:
        """The inputs over time, as `freebody.simulate` takes them; those that are known."""
        first = float(self.data["time"][0])
        return {name: one.later(-first) for name, one in known_inputs(self).items()}

    @property
    def initial(self) -> dict[str, float]:
        """The first coordinates and speeds, as `freebody.simulate` takes them."""
        return initial_of(self, self.mechanism.model)

    @checked
    def save(self, path: str | Path) -> None:
        """Write the arrays to a ``.csv`` or ``.nc`` file, or the generalized forces to a ``.sto``.

        The columns of a ``.sto`` are called as those of OpenSim's InverseDynamicsTool,
        ``knee_angle_r_moment`` and ``pelvis_tx_force``; see `Result.save` for the others.

        Raises
        ------
        FileError
            If the ending is another, or a file cannot be written; nothing is half-written then.
        """
        if Path(path).suffix != ".sto":
            super().save(path)
            return
        with atomic_write(Path(path)) as temporary:
            temporary.write_text(storage(self), encoding="utf-8")

    def figure(self) -> Figure:
        """Return the terms along each speed, the motion, inputs, residuals and power."""
        from freebody.inverse_dynamics.figures import figure

        return figure(self)


def storage(found: InverseDynamics) -> str:
    """Return the generalized forces as a file of OpenSim has them."""
    moving = found.data["generalized"].transpose("time", "speed")
    names = [str(name).removesuffix("_dot") for name in moving["speed"].to_numpy()]
    units = moving["force_unit"].to_numpy()
    kinds = ("moment" if unit == "N*m" else "force" for unit in units)
    heads = ["time", *(f"{name}_{kind}" for name, kind in zip(names, kinds, strict=True))]
    rows = np.column_stack([moving["time"].to_numpy(), moving.to_numpy()])
    lines = ["Inverse Dynamics Generalized Forces", "version=1", f"nRows={len(rows)}"]
    lines += [f"nColumns={len(heads)}", "inDegrees=no", "endheader", "\t".join(heads)]
    return "\n".join([*lines, *("\t".join(f"{one:.10g}" for one in row) for row in rows), ""])


# ------------------------------------------------------------------ building a result

UNSURE = 10
"""Over how many steps from its ends the derivatives of an interpolating spline settle."""
NOTHING = 1e-9
"""Below this part of the largest generalized force, a residual is rounding."""
FAST = 6
"""Accelerations that are mostly faster than this part of the sampling rate are those of noise."""
SLIGHT = 1e-3
"""Accelerations below this, in rad/s² or m/s², are rounding, or of no account beside gravity."""
EVEN = 1e-6
"""How much steps may differ, as a part of them, to be taken as even."""
DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "speeds": ("speed",),
    "accelerations": ("speed",),
    "terms": ("term", "speed"),
    "coupling": ("speed",),
    "generalized": ("speed",),
    "inputs": ("input",),
    "residual": ("speed",),
    "reaction_force": ("joint", "axis"),
    "reaction_moment": ("joint", "axis"),
    "power": ("joint",),
    "work": ("joint",),
    "constraint_force": ("constraint",),
}


@dataclass(frozen=True)
class ResultBuilder:
    """Makes arrays over time a result, with what made it and what to know of it.

    Attributes
    ----------
    mechanism : Mechanism
        Without the applied forces.
    problem : InverseProblem
    motion : Motion
        In the coordinates of the model, with derivatives.
    """

    mechanism: Mechanism
    problem: InverseProblem
    motion: Motion

    def result(self, arrays: dict[str, Array]) -> InverseDynamics:
        """Return the result that arrays over time make.

        Parameters
        ----------
        arrays : dict of str to array
            As `InverseTerms.along` returns them, by name; the first axis is time.
        """
        left = arrays.pop("left_over", None)
        forces = arrays.pop("multipliers")
        if self.mechanism.multipliers:
            arrays["constraint_force"] = forces
        arrays["work"] = _integral(self.motion.times, arrays["power"])
        data = self._dataset(arrays)
        notes = (
            *self.motion.choices.get("notes", ()),
            *self._ends(),
            *self._noise(),
            *_residuals(data),
            *self._undetermined(data),
            *self._left_open(data),
            *self._off(left),
        )
        return InverseDynamics(data, self.mechanism, self._provenance(), notes=notes)

    # ------------------------------------------------------------------ labels

    def _dataset(self, arrays: Mapping[str, Array]) -> xr.Dataset:
        moving = self.motion.data["coordinates"].transpose("time", ...).to_numpy()
        variables: dict[str, Any] = {"coordinates": (("time", "coordinate"), moving)}
        variables |= {
            name: (("time", *dims), arrays[name])
            for name, dims in DIMENSIONS.items()
            if name in arrays
        }
        variables["trusted"] = (("time",), self._trusted())
        return dataset(self.mechanism.model, variables, self._labels())

    def _labels(self) -> dict[str, Any]:
        constraints = [str(symbol.func) for symbol in self.mechanism.multipliers]
        labels: dict[str, Any] = {
            "time": self.motion.times,
            "term": [*TERMS] if constraints else [*TERMS[:-1]],
            "joint": list(self.mechanism.joints),
            "axis": list(AXES),
        }
        return {**labels, "constraint": constraints} if constraints else labels

    def _trusted(self) -> Any:
        """Return which samples are far enough from the ends."""
        times, margin = self.motion.times, self._margin
        # half a step more or less is rounding
        slack = 0.5 * (times[-1] - times[0]) / (len(times) - 1)
        inside = (times - times[0] > margin - slack) & (times[-1] - times > margin - slack)
        return inside if margin else np.ones(len(times), dtype=bool)

    @property
    def _margin(self) -> float:
        """How long at both ends accelerations are not to be trusted, in s."""
        choices = self.motion.choices
        step = (self.motion.times[-1] - self.motion.times[0]) / (len(self.motion.times) - 1)
        cutoffs = choices.get("filter", {}).get("cutoff", {}).values()
        splines = "derivatives" in choices and "exact" not in str(choices["derivatives"])
        return float(max([*(1 / cutoff for cutoff in cutoffs), UNSURE * step if splines else 0.0]))

    # ------------------------------------------------------------------ provenance and notes

    def _provenance(self) -> dict[str, Any]:
        times, problem = self.motion.times, self.problem
        model = self.mechanism.model
        inputs = {name: str(self.mechanism.names.plain(law)) for name, law in problem.laws.items()}
        inputs |= {name: str(one) for name, one in problem.sampled.items()}
        uneven = unevenness(times)
        return {
            **provenance_of(model, problem.values),
            "motion": self.motion.source,
            "sampling": f"{len(times)} samples from {times[0]:g} to {times[-1]:g} s, "
            f"{(len(times) - 1) / (times[-1] - times[0]):.6g} Hz",
            **({"times": uneven} if uneven else {}),
            **self.motion.choices,
            "forces": {one.place: str(one) for one in problem.applied},
            "solved": list(problem.unknown),
            "inputs": inputs,
            "method": "linear in the inputs: exact, or least squares",
            "backend": problem.backend,
        }

    def _ends(self) -> Iterator[str]:
        if self._margin:
            yield (
                f"the first and last {self._margin:.3g} s are not to be trusted: "
                "there derivatives depend on what is beyond"
            )

    def _noise(self) -> Iterator[str]:
        """Tell of which coordinates the accelerations are mostly noise."""
        times, kept = self.motion.times, self._trusted()
        moving = self.motion.data["accelerations"].transpose("time", ...).to_numpy()[kept]
        if len(moving) < UNSURE:
            return
        size, rough = moving.std(axis=0), np.diff(moving, 2, axis=0).std(axis=0)
        names = np.array(self.motion.names)[(size > SLIGHT) & (rough > size)]
        if len(names):
            fast = (len(times) - 1) / (times[-1] - times[0]) / FAST
            yield (
                f"accelerations of {', '.join(names)} are mostly faster than {fast:.3g} Hz, as "
                "those of noise are: expected a motion that is filtered"
            )

    def _undetermined(self, data: xr.Dataset) -> Iterator[str]:
        never: list[str] = []
        for name in self.problem.unknown:
            missing = np.isnan(data["inputs"].sel(input=name).to_numpy())
            if missing.all():
                never.append(name)
            elif missing.any():
                when = f" at {missing.sum()} of {missing.size} samples"
                yield f"{name} does not follow from the motion{when}, since others do the same"
        if never:
            do = "do" if len(never) > 1 else "does"
            yield (
                f"{', '.join(never)} {do} not follow from the motion, since others do the same: "
                f"expected one of them as known, inputs={{'{never[0]}': ...}}"
            )

    def _left_open(self, data: xr.Dataset) -> Iterator[str]:
        """Tell which forces of constraints do not follow, since others do the same."""
        for name, joints in (("constraint_force", "constraint"), ("reaction_force", "joint")):
            if self.mechanism.is_redundant and np.isnan(data[name].to_numpy()).any():
                missing = np.isnan(data[name].to_numpy()).reshape(len(data["time"]), -1)
                labels = data[joints].to_numpy()
                parts = missing.any(axis=0).reshape(len(labels), -1).any(axis=1)
                yield (
                    f"{name} of {', '.join(labels[parts])} does not follow from the motion, since "
                    "the constraints are redundant"
                )

    def _off(self, left: Array | None) -> Iterator[str]:
        """Tell how far a motion is from the constraints."""
        if left is None:
            return
        for number, symbol in enumerate(self.mechanism.multipliers):
            label, (off, rate) = str(symbol.func), np.abs(left[:, number]).max(axis=0)
            yield f"off the constraint of {label} by at most {off:.2g}, and its rate by {rate:.2g}"


def _residuals(data: xr.Dataset) -> Iterator[str]:
    """Tell what the inputs cannot give, largest first and where."""
    known = data["trusted"].to_numpy()
    if not known.any():
        known = np.ones_like(known)
    left = np.abs(data["residual"].to_numpy()) * known[:, None]
    parts = (np.abs(data[name].to_numpy()[known]) for name in ("generalized", "terms"))
    least = NOTHING * max(float(part.max(initial=0.0)) for part in parts)
    for number in np.argsort(-left.max(axis=0, initial=0.0)):
        at = int(left[:, number].argmax())
        largest, value = float(left[at, number]), float(data["residual"][at, number])
        if largest > least:
            one = data["speed"][number]
            yield (
                f"residual along {one.item()}, which no input gives: largest at "
                f"{float(data['time'][at]):g} s, {value:.4g} {one['force_unit'].item()}"
            )


def _integral(times: Array, power: Array) -> Array:
    """Return the integral from the first time on, joint after joint."""
    from scipy.integrate import cumulative_simpson  # slow to import

    steps, work = np.diff(times), np.empty_like(power)
    even = np.ptp(steps) < EVEN * steps[0]
    spacing = {"dx": (times[-1] - times[0]) / len(steps)} if even else {"x": times}
    for number, column in enumerate(power.T):
        work[:, number] = cumulative_simpson(column, **spacing, initial=0.0)
    return work
