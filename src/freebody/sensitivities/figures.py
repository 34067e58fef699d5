"""Pictures of sensitivities: what a small change of each parameter does to each output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.sensitivities.sensitivity import Sensitivity

MOST = 8
"""Of how many outputs there are panels."""


def figure(one: Sensitivity) -> Figure:
    """Return the effect of a change of each parameter by 1 %: over time, or as bars at rest."""
    from matplotlib.figure import Figure  # slow to import

    from freebody.sensitivities.sensitivity import PART

    values = one.data["parameter_value"]
    change = PART * values.where(values != 0, 1.0)
    effects = one.data["sensitivity"] * change
    outputs = list(map(str, one.data["output"].to_numpy()))[:MOST]
    figure = Figure(figsize=(8, 2.2 * len(outputs) + 1.2), layout="constrained")
    panels = figure.subplots(len(outputs), 1, sharex=True, squeeze=False)[:, 0]
    for axes, output in zip(panels, outputs, strict=True):
        part = effects.sel(output=output)
        if "time" in part.dims:
            _over_time(axes, part)
        else:
            _bars(axes, part)
        unit = str(part["output_unit"].item())
        axes.set_ylabel(f"{output}\n[{unit or '1'}]", fontsize="small")
        axes.axhline(0, color="0.6", linewidth=0.8, zorder=0)
        axes.spines[["top", "right"]].set_visible(False)
    if "time" in effects.dims:
        panels[-1].set_xlabel("time [s]")
        panels[0].legend(frameon=False, fontsize="small", ncols=4)
    figure.suptitle(f"{one.mechanism.model.title}: effect of 1 % of a parameter", fontsize="medium")
    return figure


def _over_time(axes: Axes, part: xr.DataArray) -> None:
    for number, name in enumerate(part["parameter"].to_numpy()):
        along = part.sel(parameter=name)
        axes.plot(along["time"], along, color=COLORS[number % len(COLORS)], label=str(name))


def _bars(axes: Axes, part: xr.DataArray) -> None:
    names = list(map(str, part["parameter"].to_numpy()))
    colors = [COLORS[number % len(COLORS)] for number in range(len(names))]
    axes.bar(names, np.asarray(part), color=colors)
