"""Pictures of inverse dynamics: terms along each speed, beside the motion and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.inverse_dynamics.result import InverseDynamics

DASHES = ("-", "--", "-.", (0, (1, 1.2)))
STYLES = {
    "own": (r"own inertia $M_{ii}\dot u_i$", "#0072B2", "-"),
    "coupling": (r"coupling $M_{ij}\dot u_j$", "#56B4E9", (0, (4, 1.2))),
    "C": (r"velocity $C$", "#D55E00", "-."),
    "G": (r"gravity $G$", "#009E73", "-"),
    "E": (r"external $E$", "#CC79A7", (0, (1, 1.2))),
}
TOTAL = "sum"
WIDTH = 2
"""Of the bands of noise to either side, in standard deviations."""
NOISE: dict[str, Any] = {"color": "#4a4e69", "alpha": 0.3, "linewidth": 0}
NOISE["label"] = f"sum ± {WIDTH} standard deviations"
TABLES: dict[str, Any] = {"color": "#E69F00", "alpha": 0.5, "linewidth": 0}
TABLES["label"] = "sum, from table to table"
LEGEND: dict[str, Any] = {"frameon": False, "fontsize": "small", "handlelength": 2.4}
HEIGHT, LOWEST, LEAST = 1.7, 1.4, 6.2
"""Of a panel of terms, of one beside them at least, and of a picture, in inches."""
BESIDES = {"coordinates": "coordinate", "inputs": "input", "residual": "speed", "power": "joint"}
"""What is drawn besides the terms, and what it is along."""
MOST = 20
"""How many names a legend may hold, in columns."""

Draw = Callable[["Axes", "xr.Dataset"], None]


def figure(result: InverseDynamics) -> Figure:
    """Return the picture of a result: see `InverseDynamics.figure`."""
    from matplotlib.figure import Figure  # slow to import

    data = result.data
    beside = list(panels(data))
    height = max(LEAST, HEIGHT * data.sizes["speed"] + 1, LOWEST * len(beside) + 1)
    figure = Figure(figsize=(11, height), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.15, 1), squeeze=False)[0]
    _terms(left, data)
    _besides(right, data, beside)
    return figure


def _terms(figure: Any, data: xr.Dataset) -> None:
    """Draw the terms along each speed."""
    panels = figure.subplots(data.sizes["speed"], 1, sharex=True, squeeze=False)[:, 0]
    lines = _lines(data)
    for axes, speed in zip(panels, data["speed"].to_numpy(), strict=True):
        one = data.sel(speed=speed)
        _bands(axes, one)
        axes.plot(one["time"], one["generalized"], color="black", linewidth=1.8, label=TOTAL)
        for term, values in lines.items():
            label, color, dashes = STYLES[term]
            along = values.sel(speed=speed)
            axes.plot(one["time"], along, color=color, linestyle=dashes, label=label)
        axes.set_ylabel(f"{_unspeeded(str(speed))} [{_shown(one['force_unit'].item())}]")
        _finish(axes, data)
    panels[-1].set_xlabel("time [s]")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, **LEGEND)


def _lines(data: xr.Dataset) -> dict[str, xr.DataArray]:
    """Return the terms that are not zero, that of inertia apart by whose acceleration it is."""
    terms = data["terms"]
    lines = {"own": terms.sel(term="inertia") - data["coupling"], "coupling": data["coupling"]}
    lines |= {name: terms.sel(term=name) for name in ("C", "G", "E")}
    return {name: values for name, values in lines.items() if values.to_numpy().any()}


def _bands(axes: Axes, one: xr.Dataset) -> None:
    """Draw how sure the sum is."""
    total, trusted = one["generalized"], one["trusted"].to_numpy()
    where = trusted if trusted.any() else None  # at the ends noise has no bound worth a scale
    if "generalized_by_table" in one:
        lines = one["generalized_by_table"]
        low, high = np.minimum(total, lines.min("table")), np.maximum(total, lines.max("table"))
        axes.fill_between(one["time"], low, high, where=where, **TABLES)
    if "generalized_sd" in one:
        away = WIDTH * one["generalized_sd"]
        axes.fill_between(one["time"], total - away, total + away, where=where, **NOISE)


class Panel(NamedTuple):
    """Entries of a variable that are drawn together."""

    name: str
    along: str
    unit: str
    entries: list[str]


def panels(data: xr.Dataset) -> Iterator[Panel]:
    """Iterate over the motion, what actuators give and what is left, and power, unit by unit."""
    for name, along in BESIDES.items():
        by_unit: dict[str, list[str]] = {}
        for entry in _entries(data, name, along):
            by_unit.setdefault(_unit(data, name, along, entry), []).append(entry)
        for unit, entries in by_unit.items():
            yield Panel(name, along, unit, entries)


def _besides(figure: Any, data: xr.Dataset, shown: list[Panel]) -> None:
    """Draw what there is besides the terms."""
    rows = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (name, along, unit, entries) in zip(rows, shown, strict=True):
        for number, entry in enumerate(entries):
            style = DASHES[number // len(COLORS) % len(DASHES)]
            color = COLORS[number % len(COLORS)]
            values = data[name].sel({along: entry})
            axes.plot(data["time"], values, color=color, linestyle=style, label=entry)
        axes.set_ylabel(f"{name} [{unit}]")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), ncols=_columns(entries), **LEGEND)
        _finish(axes, data)
    rows[-1].set_xlabel("time [s]")


def _columns(entries: list[str]) -> int:
    return 1 + len(entries) // MOST


def _entries(data: xr.Dataset, name: str, along: str) -> list[str]:
    """Return the names of what is drawn: what is not zero all the time, up to rounding."""
    values = data[name].transpose("time", along).to_numpy()
    sizes = np.nanmax(np.abs(np.nan_to_num(values)), axis=0, initial=0.0)
    least = 0.0
    if name == "residual":
        least = 1e-9 * float(np.abs(data["generalized"]).max())
    return [str(e) for e, size in zip(data[along].to_numpy(), sizes, strict=True) if size > least]


def _unit(data: xr.Dataset, name: str, along: str, entry: str) -> str:
    """Return the unit of what is drawn."""
    labels = {"residual": "force_unit"}.get(name, f"{along}_unit")
    if labels not in data.coords:
        return str(data[name].attrs["units"])
    return _shown(str(data[labels].sel({along: entry}).item()))


def _shown(unit: str) -> str:
    return unit.replace("**2", "²").replace("*", "·")


def _unspeeded(speed: str) -> str:
    """Return the name of a coordinate for that of its rate."""
    return speed.removesuffix("_dot")


def _finish(axes: Axes, data: xr.Dataset) -> None:
    times = data["time"].to_numpy()
    axes.axhline(0, color="#909090", linewidth=0.6, zorder=0)
    for start, end in _untrusted(times, data["trusted"].to_numpy()):
        axes.axvspan(start, end, color="#ececec", linewidth=0, zorder=-1)
    axes.set_xlim(times[0], times[-1])
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)


def _untrusted(times: Any, trusted: Any) -> Iterator[tuple[float, float]]:
    """Iterate over the spans at the ends that are not to be trusted."""
    if not trusted.any():
        yield float(times[0]), float(times[-1])
        return
    first, last = np.flatnonzero(trusted)[[0, -1]]
    if first > 0:
        yield float(times[0]), float(times[first])
    if last < len(times) - 1:
        yield float(times[last]), float(times[-1])
