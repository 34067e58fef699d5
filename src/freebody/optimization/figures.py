"""Pictures of the best movements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.optimization.optimal import OptimalMotion


def figure(one: OptimalMotion) -> Figure:
    """Return coordinates with their simulation, the inputs, and what muscles are excited by."""
    from matplotlib.figure import Figure  # slow to import

    data = one.data
    rows = 3 if "muscle" in data.dims else 2
    figure = Figure(figsize=(8, 3 * rows), layout="constrained")
    upper, lower, *more = panels = figure.subplots(rows, 1, sharex=True)
    for number, name in enumerate(data["coordinate"].to_numpy()):
        color = COLORS[number % len(COLORS)]
        along = data["coordinates"].sel(coordinate=name)
        unit = str(along["coordinate_unit"].item())
        upper.plot(data["time"], along, color=color, label=f"{name} [{unit}]")
        again = data["simulated"].sel(coordinate=name)
        upper.plot(data["node_time"], again, "o", color=color, markersize=3, fillstyle="none")
    upper.set_ylabel("coordinates\n(circles: simulated)", fontsize="small")
    for number, name in enumerate(data["input"].to_numpy()):
        along = data["inputs"].sel(input=name)
        color, unit = COLORS[number % len(COLORS)], str(along["input_unit"].item())
        lower.plot(data["time"], along, color=color, label=f"{name} [{unit}]")
    lower.set_ylabel("inputs", fontsize="small")
    for axes in more:
        _draw_muscles(data, axes)
    panels[-1].set_xlabel("time [s]")
    for axes in panels:
        _finish(axes)
    figure.suptitle(one.mechanism.model.title, fontsize="medium")
    return figure


def _draw_muscles(data: xr.Dataset, axes: Axes) -> None:
    for number, name in enumerate(data["muscle"].to_numpy()):
        color, one = COLORS[number % len(COLORS)], data.sel(muscle=name)
        axes.plot(data["time"], one["activation"], color=color, label=name.replace("_", " "))
        axes.plot(data["time"], one["excitation"], color=color, linestyle="--", linewidth=1)
    axes.set_ylabel("activation\n(dashed: excitation)", fontsize="small")


def _finish(axes: Axes) -> None:
    axes.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
