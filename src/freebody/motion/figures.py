"""Pictures of motions, with the choices that made them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.motion.motion import Motion

SHOWN = {"coordinates": "", "speeds": "/s", "accelerations": "/s²"}


def figure(motion: Motion) -> Figure:
    """Return what is known of a motion, one row for each kind, and the residual analysis."""
    from matplotlib.figure import Figure  # slow to import

    kinds = [kind for kind in SHOWN if kind in motion.data]
    columns = 2 if motion.residuals else 1
    figure = Figure(figsize=(6 * columns, 2.4 * len(kinds) + 1), layout="constrained")
    parts = figure.subfigures(1, columns, squeeze=False)[0]
    rows = parts[0].subplots(len(kinds), 1, sharex=True, squeeze=False)[:, 0]
    for axes, kind in zip(rows, kinds, strict=True):
        _over_time(axes, motion, kind)
    rows[-1].set_xlabel("time [s]")
    rows[0].legend(frameon=False, fontsize="small")
    if motion.residuals:
        _residuals(parts[1].subplots(), motion)
    figure.suptitle(_title(motion), fontsize="medium")
    return figure


def _over_time(axes: Axes, motion: Motion, kind: str) -> None:
    values = motion.data[kind].transpose("time", ...).to_numpy()
    recorded = motion.data.get("recorded") if kind == "coordinates" else None
    for n, name in enumerate(motion.names):
        color = COLORS[n % len(COLORS)]
        if recorded is not None:
            raw = recorded.sel(coordinate=name)
            axes.plot(motion.times, raw, ".", color=color, markersize=2, alpha=0.35)
        axes.plot(motion.times, values[:, n], color=color, linewidth=1.4, label=name)
    axes.set_ylabel(_labelled(kind, [f"{unit}{SHOWN[kind]}" for unit in _units(motion)]))
    _plain(axes)


def _residuals(axes: Axes, motion: Motion) -> None:
    """Draw the residual curves, the lines through the noise, and the cut-offs chosen."""
    for n, (name, part) in enumerate(motion.residuals.items()):
        color = COLORS[n % len(COLORS)]
        axes.plot(part.cutoffs, part.residuals, color=color)
        line = part.noise + part.slope * part.cutoffs
        axes.plot(part.cutoffs, line, "--", color=color, linewidth=0.8)
        axes.plot(part.cutoff, part.noise, "o", color=color, label=f"{name}: {part.cutoff:.2g} Hz")
    axes.set_yscale("log")
    axes.set_xlabel("cut-off [Hz]")
    axes.set_ylabel(_labelled("residual", _units(motion)))
    axes.legend(frameon=False, fontsize="small", title="cut-off chosen")
    _plain(axes)


def _units(motion: Motion) -> list[str]:
    """Return the units of the coordinates, each once."""
    return list(dict.fromkeys(unit for unit in motion.units.values() if unit))


def _labelled(kind: str, units: list[str]) -> str:
    return f"{kind} [{', '.join(units)}]" if units else kind


def _title(motion: Motion) -> str:
    choices = motion.choices
    choices_made = [
        f"{what}: {choices[what]}" for what in ("resampled", "derivatives") if what in choices
    ]
    if "filter" in choices:
        choices_made.insert(0, f"filter: {choices['filter']['type']}")
    return "\n".join([Path(motion.source).name, *choices_made])


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
