"""Pictures of muscles: curves, lengths and moment arms, shared torques, excited motions."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.drawing.style import COLORS
from freebody.inverse_dynamics.figures import DASHES, LEGEND
from freebody.muscles.hill import curve, pushing

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.muscles.excitation import Excited
    from freebody.muscles.hill import Musculotendons
    from freebody.muscles.paths import Range
    from freebody.muscles.static import StaticOptimum

WIDE = 90
"""Letters of a line above a panel."""
ACTIVATIONS = (1.0, 0.5, 0.25)


def sharing(result: StaticOptimum) -> Figure:
    """Return how muscles share the torques of a motion."""
    data = result.data
    figure, panels = _panels(2 + data.sizes["speed"], 7.5)
    _tensions(panels[0], data)
    _over_time(panels[1], data, "activation", "activation", legend=False)
    for axes, speed in zip(panels[2:], data["speed"].to_numpy(), strict=True):
        _shares(axes, data.sel(speed=speed))
        axes.set_ylabel(_along_speed(data, speed))
    panels[2].legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)
    return _finish(figure, panels)


def _shares(axes: Axes, one: xr.Dataset) -> None:
    """Draw what is needed along a speed, what each muscle gives of it, and all of them."""
    time, needed = one["time"], one["generalized"]
    axes.plot(time, needed, color="0.8", linewidth=4, label="needed")
    for number, muscle in enumerate(one["muscle"].to_numpy()):
        given = one["contribution"].sel(muscle=muscle)
        if given.to_numpy().any():
            axes.plot(time, given, **_style(number))
    given = needed - one["residual"]
    axes.plot(time, given, color="black", linestyle=":", linewidth=1, label="given by all")


def _along_speed(data: xr.Dataset, speed: str) -> str:
    unit = str(data["force_unit"].sel(speed=speed).item())
    return f"{str(speed).removesuffix('_dot')} [{_shown(unit)}]"


def excited(result: Excited) -> Figure:
    """Return a motion that muscles made."""
    data = result.data
    figure, panels = _panels(4, 8.0)
    for number, name in enumerate(data["coordinate"].to_numpy()):
        unit = data["coordinate_unit"].to_numpy()[number]
        values = data["coordinates"].sel(coordinate=name)
        panels[0].plot(data["time"], values, label=f"{name} [{unit}]", **_style(number))
    panels[0].set_ylabel("coordinates")
    panels[0].legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)
    _over_time(panels[1], data, "activation", "activation", legend=False)
    for number, muscle in enumerate(data["muscle"].to_numpy()):
        values = data["excitation"].sel(muscle=muscle)
        panels[1].plot(data["time"], values, color=COLORS[number % len(COLORS)], linewidth=0.6)
    panels[1].set_title("thin: excitation", fontsize="small", loc="right")
    _tensions(panels[2], data)
    _over_time(panels[3], data, "fiber_length", "fibres [optimal length]", legend=False)
    return _finish(figure, panels)


def of_ranges(ranges: Sequence[Range], tendons: Musculotendons | None) -> Figure:
    """Return lengths and moment arms over the ranges of coordinates, and the curves of the model.

    Parameters
    ----------
    ranges : sequence of Range
        One for each coordinate.
    tendons : Musculotendons or None
        None where the muscles have no curves.
    """
    from matplotlib.figure import Figure  # slow to import

    width, curves = max(3.0 * len(ranges), 8.0), tendons is not None
    figure = Figure(figsize=(width, 7.6 if curves else 5.2), layout="constrained")
    upper, *lower = figure.subfigures(
        1 + curves, 1, height_ratios=(2, 1)[: 1 + curves], squeeze=False
    )[:, 0]
    panels = upper.subplots(2, len(ranges), squeeze=False, sharex="col")
    for column, over in zip(panels.T, ranges, strict=True):
        for axes, name in zip(column, ("arms", "lengths"), strict=True):
            _along(axes, over, name)
        column[-1].set_xlabel(f"{over.coordinate} [{'°' if over.unit == 'rad' else over.unit}]")
    handles = _handles(panels[0])
    upper.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=4, **LEGEND)
    _tidy(panels.ravel())
    for below in lower:
        _curves(below.subplots(1, 3), tendons)
    return figure


def _curves(panels: Any, tendons: Musculotendons | None) -> None:
    _force_length(panels[0])
    _force_velocity(panels[1])
    stiffnesses = [] if tendons is None else np.unique(tendons.tendon_stiffness).tolist()
    _tendon(panels[2], stiffnesses)
    _tidy(panels)


def _handles(panels: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    return found


def _along(axes: Axes, over: Range, name: str) -> None:
    """Draw what muscles do over the range of a coordinate; only those that it changes."""
    scale = np.degrees(1.0) if over.unit == "rad" else 1.0
    for number, muscle in enumerate(over.muscles):
        if np.abs(over.arms[:, number]).max() > 0:
            values = getattr(over, name)[:, number] * 100
            axes.plot(over.values * scale, values, label=_words(muscle), **_style(number))
    axes.axvline(over.at * scale, color="0.8", linewidth=0.8, zorder=0)
    if name == "arms":
        axes.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    axes.set_ylabel("moment arm [cm]" if name == "arms" else "length [cm]")


# ---------------------------------------------------------------------- curves


def _force_length(axes: Axes) -> None:
    length = np.linspace(0.35, 1.75, 300)
    active, passive = curve("active")(length), curve("passive")(length)
    axes.plot(length, active, color=COLORS[0], label="active")
    axes.plot(length, passive, color=COLORS[1], linestyle="--", label="passive")
    axes.plot(length, active + passive, color="black", linestyle=":", label="both")
    axes.set_ylim(-0.1, 2)
    _named(axes, "fibre length [optimal]", "force [peak]")


def _force_velocity(axes: Axes) -> None:
    velocity = np.linspace(-1, 1, 300)
    for number, activation in enumerate(ACTIVATIONS):
        label = f"a = {activation:g}"
        axes.plot(velocity, activation * curve("velocity")(velocity), label=label, **_style(number))
    _named(axes, "fibre velocity [fastest]", "force [peak]")


def _tendon(axes: Axes, stiffnesses: Sequence[float]) -> None:
    strain = np.linspace(0, 0.06, 200)
    for number, stiffness in enumerate(stiffnesses):
        values = curve("tendon")(1 + strain, stiffness)
        axes.plot(100 * strain, values, label=f"stiffness {stiffness:.4g}", **_style(number))
    _named(axes, "tendon strain [%]", "force [peak]")


def _named(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(**LEGEND)


# ---------------------------------------------------------------------- all pictures


def _panels(count: int, width: float) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure  # slow to import

    figure = Figure(figsize=(width, 1.9 * count), layout="constrained")
    return figure, figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0]


def _over_time(axes: Axes, data: xr.Dataset, name: str, label: str, *, legend: bool = True) -> None:
    for number, muscle in enumerate(data["muscle"].to_numpy()):
        values: Array = data[name].sel(muscle=muscle).to_numpy()
        axes.plot(data["time"], values, label=_words(muscle), **_style(number))
    axes.set_ylabel(label)
    if legend:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)


def _tensions(axes: Axes, data: xr.Dataset) -> None:
    """Draw the tensions, and say where muscles seem to push."""
    _over_time(axes, data, "tension", "tension [N]")
    if note := pushing(data):
        axes.axhline(0, color="0.8", linewidth=0.8, zorder=0)
        axes.set_title(fill(note, WIDE), fontsize="small", loc="left")


def _style(number: int) -> dict[str, Any]:
    return {
        "color": COLORS[number % len(COLORS)],
        "linestyle": DASHES[number % len(DASHES)],
        "linewidth": 1.4,
    }


def _words(name: str) -> str:
    return str(name).replace("_", " ")


def _shown(unit: str) -> str:
    return unit.replace("*", "·")


def _tidy(panels: Any) -> None:
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize="small")


def _finish(figure: Figure, panels: Any) -> Figure:
    panels[-1].set_xlabel("time [s]")
    _tidy(panels)
    return figure
