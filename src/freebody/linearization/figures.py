"""Pictures of linearized motions: where their eigenvalues are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freebody.motion.figures import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.linearization.along import LinearizedMotion
    from freebody.linearization.linearization import Linearization


def figure(one: Linearization) -> Figure:
    """Return the eigenvalues in the complex plane, each mode with what moves most."""
    from matplotlib.figure import Figure  # slow to import

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for number, mode in enumerate(one.modes):
        value, label = mode.eigenvalue, ", ".join(mode.dominant)
        parts = (value.imag, -value.imag) if value.imag else (0.0,)
        color = COLORS[number % len(COLORS)]
        axes.plot([value.real] * len(parts), parts, "o", color=color, label=label or "no motion")
    axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.set_xlabel("real part [1/s]")
    axes.set_ylabel("imaginary part [1/s]")
    axes.set_title(f"{one.mechanism.model.title}: {one.kind}", fontsize="medium")
    axes.legend(title="what moves most", frameon=False, fontsize="small")
    _plain(axes)
    return figure


def along_figure(run: LinearizedMotion) -> Figure:
    """Return the real and imaginary parts of the eigenvalues over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes, what in ((upper, "real"), (lower, "imag")):
        parts = getattr(run.eigenvalues, what)
        axes.plot(run.data["time"], parts, ".", color=COLORS[0], markersize=2)
        axes.set_ylabel(f"{'real' if what == 'real' else 'imaginary'} part [1/s]")
        _plain(axes)
    lower.set_xlabel("time [s]")
    figure.suptitle(run.mechanism.model.title)
    return figure


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
