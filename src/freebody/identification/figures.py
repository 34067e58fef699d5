"""Pictures of identification: before and after, and values with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.identification.identify import Identified


def figure(one: Identified) -> Figure:
    """Return the forces or coordinates, and each value over that of the model."""
    from matplotlib.figure import Figure  # slow to import

    data = one.data
    along = str(data["measured"].dims[1])
    rows = data.sizes[along]
    height = max(2.0 * rows, 0.32 * data.sizes["parameter"]) + 1.4
    figure = Figure(figsize=(11, height), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.25, 1), squeeze=False)[0]
    panels = left.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, data[along].to_numpy(), strict=True):
        over = data.sel({along: name})
        unit = over["force_unit" if along == "speed" else "coordinate_unit"].item()
        _over_time(axes, over, f"{str(name).removesuffix('_dot')} [{unit}]")
    panels[-1].set_xlabel("time [s]")
    panels[0].legend(frameon=False, fontsize="small", ncols=3)
    _values(right.subplots(), data)
    figure.suptitle(one.mechanism.model.title, fontsize="medium")
    return figure


def _over_time(axes: Axes, data: xr.Dataset, label: str) -> None:
    axes.plot(data["time"], data["measured"], color="black", linewidth=1.6, label="measured")
    axes.plot(data["time"], data["before"], "--", color=COLORS[1], label="model before")
    axes.plot(data["time"], data["after"], color=COLORS[0], linewidth=1.0, label="identified")
    axes.set_ylabel(label, fontsize="small")
    _plain(axes)


def _values(axes: Axes, data: xr.Dataset) -> None:
    """Draw each value with its interval, as a part of the model's."""
    before = data["model_value"].to_numpy()
    scale = np.where(before == 0, 1.0, before)
    value, sd = data["value"].to_numpy() / scale, data["sd"].to_numpy() / np.abs(scale)
    places = np.arange(len(value))[::-1]
    axes.errorbar(value, places, xerr=1.96 * sd, fmt="o", color=COLORS[0], capsize=3)
    axes.axvline(1.0, color=COLORS[1], linestyle="--", linewidth=1.0)
    axes.set_yticks(places, [str(name) for name in data["parameter"].to_numpy()], fontsize="small")
    axes.set_xlabel("value over that of the model, with 95 %")
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
