"""Pictures of the best movements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.optimization.optimal import OptimalMotion


def figure(one: OptimalMotion) -> Figure:
    """Return coordinates with their simulation, and the inputs."""
    from matplotlib.figure import Figure  # slow to import

    data = one.data
    figure = Figure(figsize=(8, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
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
    lower.set_xlabel("time [s]")
    for axes in (upper, lower):
        _finish(axes)
    figure.suptitle(one.mechanism.model.title, fontsize="medium")
    return figure


def _finish(axes: Axes) -> None:
    axes.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
