"""Motions: labelled time series of coordinates, and the choices that made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array, Series
from freebody.errors import MotionError, Problem, nearest
from freebody.files import atomic_write, expect_ending
from freebody.mechanics.mechanism import AnyModel
from freebody.model.files import model_of
from freebody.motion.checks import (
    UNITS,
    UNKNOWN,
    even_step,
    expect_columns,
    expect_times,
    expect_whole,
)
from freebody.motion.filtering import (
    ORDER,
    Residuals,
    as_in_opensim,
    differentiated,
    filtered,
    residual_analysis,
)
from freebody.results import Plottable, set_units

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

DERIVATIVES = ("speeds", "accelerations")
"""What is over speeds rather than coordinates."""
FULL_TURNS = 4 * np.pi
"""Beyond this an angle without a unit is more likely in degrees."""
TOOLS = ("opensim",)
"""Whose way of filtering may be asked for."""
OPENSIM_ORDER = 3
MOST_SAMPLES = 1e8
"""How many a motion is resampled to at most."""
LEAVE_OUT = "; choose the columns to be read, as columns=[...] or --column, if it is not needed"


class Samples(NamedTuple):
    """A motion as a model needs it, in SI units and in the order of the model's coordinates.

    Attributes
    ----------
    times : array, shape (time,)
    q, q_dot, q_ddot : array, shape (time, n)
        The coordinates, their rates and the derivatives of these.
    """

    times: Array
    q: Array
    q_dot: Array
    q_ddot: Array


@dataclass(frozen=True)
class Motion(Plottable):
    """Coordinates over time.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time`` in s: ``coordinates`` (time, coordinate), and once they are known ``speeds``
        and ``accelerations`` (time, speed), of ``elbow_dot``; ``coordinate_unit`` is ``rad``,
        ``m``, or empty where a file says none. After filtering or smoothing, ``recorded`` is what
        was there before.
    source : str
        The file, or what stands for it.
    choices : dict
        What was done with which choice: units, gaps, filter, derivatives.
    residuals : dict of str to Residuals
        What the choice of the cut-off rests on, where it was chosen.

    Examples
    --------
    >>> t = np.linspace(0, 1, 101)
    >>> motion = Motion.of(t, {"elbow": np.sin(t)}, unit="rad")
    >>> motion.differentiated().data["speeds"].sel(speed="elbow_dot").values[0].round(6)
    np.float64(1.0)
    """

    data: xr.Dataset
    source: str = "motion"
    choices: Mapping[str, Any] = field(default_factory=dict)
    residuals: Mapping[str, Residuals] = field(default_factory=dict)

    @classmethod
    @checked
    def of(
        cls,
        times: Series,
        coordinates: Mapping[str, Series],
        *,
        speeds: Mapping[str, Series] | None = None,
        accelerations: Mapping[str, Series] | None = None,
        unit: str | Mapping[str, str] = UNKNOWN,
        source: str = "motion",
    ) -> Motion:
        """Return the motion of arrays.

        Parameters
        ----------
        times : array_like, shape (time,)
            In s.
        coordinates : mapping of str to array_like, shape (time,)
        speeds, accelerations : mapping of str to array_like, shape (time,), optional
            Their exact derivatives by the names of the coordinates, if they are known: both.
        unit : str or mapping of str to str, optional
            ``rad``, ``m``, or empty if only a model knows: of all coordinates, or of each.
        source : str, optional
            What errors call it.

        Raises
        ------
        MotionError
            If times are missing, repeated or run backwards, or a sample is missing.
        """
        times, names = np.asarray(times, dtype=float), list(coordinates)
        given = {"coordinates": coordinates}
        if speeds is not None or accelerations is not None:
            given |= {"speeds": speeds or {}, "accelerations": accelerations or {}}
        arrays = {}
        for what, columns in given.items():
            if set(columns) != set(names):
                message = (
                    f"expected those of {', '.join(names)}, found {', '.join(columns) or 'none'}"
                )
                raise MotionError(source, [Problem(what, message)])
            expect_columns(times, columns, source)
            parts = [np.asarray(columns[name], dtype=float) for name in names]
            arrays[what] = np.column_stack(parts)
            expect_whole(arrays[what], names, source)
        units = [unit if isinstance(unit, str) else unit.get(name, UNKNOWN) for name in names]
        expect_times(times, source)
        choices = {"derivatives": "exact"} if "speeds" in arrays else {}
        return cls(motion_dataset(times, names, units, **arrays), source, choices)

    # ------------------------------------------------------------------ what it holds

    @property
    def times(self) -> Array:
        """The times, in s."""
        return np.asarray(self.data["time"].to_numpy(), dtype=float)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(map(str, self.data["coordinate"].to_numpy()))

    @property
    def units(self) -> dict[str, str]:
        """The unit of each coordinate."""
        return dict(zip(self.names, map(str, self.data["coordinate_unit"].to_numpy()), strict=True))

    @property
    def rate(self) -> float:
        """The sampling rate in Hz.

        Raises
        ------
        MotionError
            If time is uneven, with the first sample where it is.
        """
        return 1 / even_step(self.times, self.source)

    # ------------------------------------------------------------------ what it becomes

    @checked
    def select(self, names: Iterable[str]) -> Motion:
        """Return the motion of some of the coordinates, in this order.

        Raises
        ------
        MotionError
            If there is none of a name.
        """
        names = list(names)
        _expect_known(names, self.names, self.source)
        kept = {name: self.residuals[name] for name in names if name in self.residuals}
        return replace(self, data=self._of(names), residuals=kept)

    @checked
    def renamed(self, names: Mapping[str, str]) -> Motion:
        """Return the same motion with other names for some coordinates.

        Raises
        ------
        MotionError
            If there is none of a name.
        """
        _expect_known(list(names), self.names, self.source)
        labels = [names.get(name, name) for name in self.names]
        kept = {names.get(name, name): part for name, part in self.residuals.items()}
        choices = dict(self.choices)
        if "filter" in choices:
            cutoffs = choices["filter"]["cutoff"].items()
            cutoffs_by_name = {names.get(name, name): cutoff for name, cutoff in cutoffs}
            choices["filter"] = {**choices["filter"], "cutoff": cutoffs_by_name}
        arrays = {str(name): self._values(str(name)) for name in self.data.data_vars}
        data = motion_dataset(self.times, labels, list(self.units.values()), **arrays)
        return replace(self, data=data, choices=choices, residuals=kept)

    @checked
    def resampled(self, rate: float) -> Motion:
        """Return the motion at even steps, by cubic splines through its samples.

        Parameters
        ----------
        rate : float
            In Hz.

        Raises
        ------
        MotionError
            If the rate gives less than two samples, or more than memory should hold.
        """
        from scipy.interpolate import CubicSpline

        times = self.times
        lasting = float(times[-1] - times[0])
        if not 1 / lasting <= rate <= MOST_SAMPLES / lasting:
            message = (
                f"expected a value from {1 / lasting:.3g} to {MOST_SAMPLES / lasting:.3g} Hz for a "
                f"motion of {lasting:g} s, found {rate:g} Hz"
            )
            raise MotionError(self.source, [Problem("rate", message)])
        count = int(np.floor(lasting * rate + 1e-9)) + 1
        even = times[0] + np.arange(count) / rate
        values = CubicSpline(times, self._values("coordinates"))(even)
        return replace(
            self,
            data=motion_dataset(even, self.names, list(self.units.values()), coordinates=values),
            choices={**self.choices, "resampled": f"{rate:g} Hz, by cubic splines"},
        )

    @checked
    def filtered(
        self, cutoff: float | None = None, *, order: int = ORDER, tool: str = ""
    ) -> Motion:
        """Return the motion after a zero-lag low-pass Butterworth filter.

        Parameters
        ----------
        cutoff : float, optional
            In Hz; chosen by Winter's residual analysis for each coordinate if not given.
        order : int, optional
            Of each of its two passes.
        tool : {"", "opensim"}, optional
            Whose filter it is: freebody's, or that of OpenSim's InverseDynamicsTool, of third order
            at a cut-off that must be given, with the derivatives that come of it.

        Raises
        ------
        MotionError
            If time is uneven, the motion too short, or the cut-off not below half the rate.
        """
        if tool:
            return self._filtered_by(tool, cutoff, order)
        rate, raw = self.rate, self._values("coordinates")
        residuals: dict[str, Residuals] = {}
        if cutoff is None:
            residuals = {
                name: residual_analysis(raw[:, n], rate, f"{self.source}: {name}")
                for n, name in enumerate(self.names)
            }
        cutoffs = {n: residuals[n].cutoff if residuals else float(cutoff or 0) for n in self.names}
        smooth = [
            filtered(raw[:, n], rate, cutoffs[name], self.source, order=order)
            for n, name in enumerate(self.names)
        ]
        units = list(self.units.values())
        data = motion_dataset(
            self.times, self.names, units, coordinates=np.column_stack(smooth), recorded=raw
        )
        choice = {
            "type": f"Butterworth of order {order}, forward and backward",
            "cutoff": cutoffs,
            "chosen by": "residual analysis (Winter)" if residuals else "the user",
        }
        choices = {**self.choices, "filter": choice}
        choices.pop("derivatives", None)
        return replace(self, data=data, choices=choices, residuals=residuals)

    def _filtered_by(self, tool: str, cutoff: float | None, order: int) -> Motion:
        if tool not in TOOLS:
            message = f"expected {' or '.join(TOOLS)}, found '{tool}'{nearest(tool, TOOLS)}"
            raise MotionError(self.source, [Problem("tool", message)])
        if cutoff is None or order not in (ORDER, OPENSIM_ORDER):
            message = f"expected a cut-off, and order {OPENSIM_ORDER}, with the filter of OpenSim"
            raise MotionError(self.source, [Problem("cutoff", message)])
        raw = self._values("coordinates")
        times, smooth = as_in_opensim(self.times, raw, cutoff, self.source)
        arrays = {name: getattr(smooth, name) for name in ("coordinates", *DERIVATIVES)}
        units = list(self.units.values())
        if len(times) == len(raw):
            arrays["recorded"] = raw
        data = motion_dataset(times, self.names, units, **arrays)
        choice = {
            "type": f"Butterworth of order {OPENSIM_ORDER}, as OpenSim's InverseDynamicsTool",
            "cutoff": dict.fromkeys(self.names, float(cutoff)),
            "chosen by": "the user",
        }
        choices = {**self.choices, "filter": choice, "derivatives": smooth.choice}
        return replace(self, data=data, choices=choices)

    @checked
    def differentiated(self, method: str = "spline", *, noise: float = 0.0) -> Motion:
        """Return the motion with its speeds and accelerations.

        Parameters
        ----------
        method : {"spline", "difference"}
            Quintic splines, or central differences.
        noise : float, optional
            Standard deviation of the noise that splines smooth away, in the unit of the
            coordinates; without it they go through the samples.

        Raises
        ------
        MotionError
            If the method is unknown, or there are too few samples.
        """
        derived = differentiated(
            self.times, self._values("coordinates"), method, noise, self.source
        )
        arrays = {name: getattr(derived, name) for name in ("coordinates", *DERIVATIVES)}
        if noise or "recorded" in self.data:
            was = "recorded" if "recorded" in self.data else "coordinates"
            arrays["recorded"] = self._values(was)
        data = motion_dataset(self.times, self.names, list(self.units.values()), **arrays)
        return replace(self, data=data, choices={**self.choices, "derivatives": derived.choice})

    def samples(self, model: AnyModel) -> Samples:
        """Return times, coordinates and their two derivatives in the order of a model.

        Columns without a unit are in that of the model's coordinate; derivatives that are not
        known yet are those of quintic splines through the samples.

        Raises
        ------
        MotionError
            If a coordinate of the model is missing, one of the motion is not of the model, or a
            unit is another kind of quantity.
        """
        fitted = self.for_model(model)
        if "accelerations" not in fitted.data:
            fitted = fitted.differentiated()
        moving = (fitted._values(name) for name in ("coordinates", "speeds", "accelerations"))
        return Samples(fitted.times, *moving)

    @checked
    def for_model(self, model: AnyModel) -> Motion:
        """Return the motion with the coordinates of a model, in its order and units.

        Raises
        ------
        MotionError
            As `samples`.
        """
        wanted = {name: entry.unit for name, entry in model_of(model).coordinates.items()}
        if list(self.units.items()) == list(wanted.items()):
            return self
        _expect_same(self.names, wanted, self.source)
        scaled = self._of(list(wanted), wanted)
        taken = [f"{name} {unit}" for name, unit in wanted.items() if self.units[name] == UNKNOWN]
        changed = {"units": f"as in the model: {', '.join(taken)}"}
        angles = "angles" in self.choices
        choices = self.choices if angles or not taken else {**self.choices, **changed}
        return replace(self, data=scaled, choices=choices)

    def _factor(self, name: str, unit: str) -> float:
        """Return what to multiply a coordinate by to have it in a model's unit."""
        own = self.units[name]
        if own not in (unit, UNKNOWN):
            message = f"expected a coordinate in {unit}, as in the model, found one in {own}"
            raise MotionError(self.source, [Problem(name, message)])
        angles = str(self.choices.get("angles", UNKNOWN))
        if own == unit or unit != "rad":
            return 1.0
        if not angles:
            self._expect_radians(name)
        return UNITS[angles or "rad"][1]

    def _expect_radians(self, name: str) -> None:
        largest = float(np.abs(self.data["coordinates"].sel(coordinate=name)).max())
        if largest > FULL_TURNS:
            message = (
                f"{largest:.4g} without a unit: expected it in the column's name, "
                f"'{name} [deg]' or '{name} [rad]'"
            )
            raise MotionError(self.source, [Problem(name, message)])

    # ------------------------------------------------------------------ what it is written to

    @checked
    def save(self, path: str | Path) -> None:
        """Write time and coordinates to a CSV file, with units in its header.

        Raises
        ------
        FileError
            If the ending is another, or it cannot be written; nothing is half-written then.
        """
        import pandas as pd

        expect_ending(Path(path), (".csv",))
        heads = [f"{name} [{unit}]" if unit else name for name, unit in self.units.items()]
        table = pd.DataFrame(self._values("coordinates"), columns=heads)
        table.insert(0, "time [s]", self.times)
        with atomic_write(Path(path)) as temporary:
            table.to_csv(temporary, index=False)

    def figure(self) -> Figure:
        """Return coordinates, derivatives and the choice of the cut-off, drawn by matplotlib."""
        from freebody.motion.figures import figure

        return figure(self)

    def _of(self, names: Sequence[str], units: Mapping[str, str] | None = None) -> xr.Dataset:
        """Return the arrays of some coordinates, in other units if they are given."""
        places = [self.names.index(name) for name in names]
        factors = np.array([self._factor(name, units[name]) if units else 1.0 for name in names])
        known = {**self.units, **(units or {})}
        arrays = {
            str(name): self._values(str(name))[:, places] * factors for name in self.data.data_vars
        }
        return motion_dataset(self.times, names, [known[name] for name in names], **arrays)

    def _values(self, name: str) -> Array:
        return np.asarray(self.data[name].transpose("time", ...).to_numpy(), dtype=float)


def motion_dataset(
    times: Array, names: Sequence[str], units: Sequence[str], **variables: Array
) -> xr.Dataset:
    """Return arrays over time and coordinates, or their rates, as a labelled dataset.

    Parameters
    ----------
    times : array, shape (time,)
        In s.
    names, units : sequence of str
        Of the coordinates.
    **variables : array, shape (time, n)
    """
    import xarray as xr  # slow to import

    along = {name: "speed" if name in DERIVATIVES else "coordinate" for name in variables}
    labels: dict[str, Any] = {
        "time": times,
        "coordinate": list(names),
        "coordinate_unit": ("coordinate", list(units)),
    }
    if "speed" in along.values():
        rates = [f"{unit}/s" if unit else UNKNOWN for unit in units]
        labels |= {
            "speed": [f"{name}_dot" for name in names],
            "speed_unit": ("speed", rates),
            "acceleration_unit": ("speed", [f"{rate}**2" if rate else UNKNOWN for rate in rates]),
        }
    data = xr.Dataset(
        {name: (("time", along[name]), values) for name, values in variables.items()}, coords=labels
    )
    set_units(data)
    return data


def _expect_known(names: Sequence[str], known: Sequence[str], source: str) -> None:
    wrong = [name for name in names if name not in known]
    if wrong:
        problems = [Problem(name, f"is not there{nearest(name, known)}") for name in wrong]
        raise MotionError(source, problems)


def _expect_same(names: Sequence[str], wanted: Mapping[str, str], source: str) -> None:
    """Refuse a motion with other coordinates than a model."""
    rest = [name for name in names if name not in wanted]
    missing = [name for name in wanted if name not in names]
    problems = [
        Problem(name, f"is missing: the model has it as a coordinate{nearest(name, rest)}")
        for name in missing
    ]
    problems += [
        Problem(name, f"is no coordinate of the model{nearest(name, missing) or LEAVE_OUT}")
        for name in rest
    ]
    if problems:
        raise MotionError(source, problems)
