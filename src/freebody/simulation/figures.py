"""Pictures of a simulated motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.files import atomic_write, expect_ending
from freebody.motion.figures import COLORS

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.arrays import Array
    from freebody.mechanics.mechanism import Mechanism
    from freebody.simulation.batch import Sweep
    from freebody.simulation.result import Simulation

ANIMATIONS = (".gif",)
TERM_NAMES = {
    "inertia": "inertia",
    "C": "Coriolis",
    "G": "gravity",
    "E": "external",
    "tau": "actuators",
    "constraint": "constraints",
}
LEGEND: dict[str, Any] = {
    "frameon": False,
    "fontsize": "small",
    "columnspacing": 1.0,
    "handlelength": 1.2,
}
FRAMES_PER_SECOND = 20
MAX_FRAMES = 200
SHOTS = 12
MAX_LINES = 50
"""The most motions of a sweep that are drawn for one value."""
FLAT = 1e-6
"""Below this part of the largest spread, points are in a plane."""
DEPTH = 0.5
HEIGHT = 1.7
"""Of the panel of an equation, in inches."""


def figure(result: Simulation) -> Figure:
    """Return coordinates, energy, torques by term and the chain at some instants."""
    from matplotlib.figure import Figure  # slow to import

    rows = list(result.data["speed"].to_numpy())
    figure = Figure(figsize=(14, max(6.0, HEIGHT * len(rows))), layout="constrained")
    left, middle, right = figure.subfigures(1, 3, width_ratios=(1, 1.1, 1), squeeze=False)[0]
    motion, energy = left.subplots(2, 1, sharex=True)
    _coordinates(motion, result)
    _energy(energy, result)
    panels = middle.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name in zip(panels, rows, strict=True):
        _terms(panel, result.data["terms"].sel(speed=name))
    handles, names = panels[0].get_legend_handles_labels()
    middle.legend(handles, names, loc="outside upper center", ncols=6, **LEGEND)
    panels[-1].set_xlabel("time [s]")
    _shots(right.subplots(), result)
    figure.suptitle(str(result.data.attrs["title"]))
    return figure


def sweep_figure(result: Sweep) -> Figure:
    """Return the coordinates of all motions over time, by colour along the first name."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    data = result.data
    name, *others = data["energy_drift"].dims
    rows, values = data["coordinate"].to_numpy(), data[name].to_numpy()
    along = data["coordinates"].transpose("coordinate", name, *others, "time").to_numpy()
    scale = ScalarMappable(Normalize(values.min(), values.max()), colormaps["viridis"])
    figure = Figure(figsize=(9, max(3.0, HEIGHT * len(rows))), layout="constrained")
    panels = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    units = data["coordinate_unit"].to_numpy()
    for panel, row, unit, motions in zip(panels, rows, units, along, strict=True):
        for value, lines in zip(values, motions, strict=True):
            columns = lines.reshape(-1, lines.shape[-1])[:MAX_LINES].T
            panel.plot(data["time"], columns, color=scale.to_rgba(value), linewidth=0.8)
        panel.set_ylabel(f"{row} [{unit}]")
        panel.grid(visible=True, color="#e6e6e6")
    panels[-1].set_xlabel("time [s]")
    figure.colorbar(scale, ax=list(panels), label=f"{name} [{data[name].attrs['units']}]")
    figure.suptitle(str(data.attrs["title"]))
    return figure


def animate(result: Simulation, path: Path) -> None:
    """Draw the chain at its own pace."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    expect_ending(path, ANIMATIONS)
    chain = _Chain(result)
    times = result.data["time"].to_numpy()
    frames, rate = _pace(times)
    figure = Figure(figsize=(5, 5))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.16, 0.11, 0.8, 0.8))
    chain.frame(axes)
    (trace,) = axes.plot([], [], color="#b0b0b0", linewidth=1, zorder=1)
    lines = chain.lines(axes)
    clock = axes.set_title("")

    def draw(frame: int) -> list[Any]:
        trace.set_data(*chain.path(frame))
        for line, points in zip(lines, chain.at(frame), strict=True):
            line.set_data(*points)
        clock.set_text(f"{times[frame]:.2f} s")
        return [trace, *lines, clock]

    moving = FuncAnimation(figure, draw, frames=frames, blit=False)
    with atomic_write(path) as temporary:
        moving.save(temporary, writer=PillowWriter(fps=rate), dpi=72)


def _pace(times: Array) -> tuple[list[int], int]:
    """Return which states to draw and how many of them in a second."""
    duration = times[-1] - times[0]
    wanted = int(np.clip(duration * FRAMES_PER_SECOND, 2, MAX_FRAMES))
    frames = np.unique(np.linspace(0, len(times) - 1, min(wanted, len(times))).astype(int))
    return frames.tolist(), int(np.clip(round(len(frames) / duration), 1, 50))


class _Chain:
    """The bodies as lines between their points, in their plane or as seen from aside."""

    def __init__(self, result: Simulation) -> None:
        position = result.data["position"]
        names = list(position["point"].to_numpy())
        places = position.to_numpy()
        self.labels, self.places = _projection(places, result.mechanism)
        self.segments = [
            (names.index(start), names.index(end)) for start, end in segments(result.mechanism)
        ]
        self.last = self.segments[-1][1] if self.segments else 0

    def frame(self, axes: Axes) -> None:
        """Set the limits and labels of axes that show all of the motion."""
        low, high = self.places.min(axis=(0, 1)), self.places.max(axis=(0, 1))
        middle, half = (low + high) / 2, max(0.55 * (high - low).max(), 1e-3)
        axes.set_xlim(middle[0] - half, middle[0] + half)
        axes.set_ylim(middle[1] - half, middle[1] + half)
        axes.set_aspect("equal")
        axes.set_xlabel(self.labels[0])
        axes.set_ylabel(self.labels[1])
        axes.grid(visible=True, color="#e6e6e6")

    def lines(self, axes: Axes, **style: Any) -> list[Any]:
        """Return one line for each segment, still without points."""
        look = {"linewidth": 4, "marker": "o", "solid_capstyle": "round", **style}
        return [
            axes.plot([], [], color=COLORS[i % len(COLORS)], **look)[0]
            for i in range(len(self.segments))
        ]

    def at(self, instant: int) -> Iterator[Array]:
        """Iterate over the ends of the segments: x of both, y of both."""
        for start, end in self.segments:
            yield self.places[instant][[start, end]].T

    def path(self, instant: int) -> Array:
        """Return the way that the end of the chain has come."""
        return self.places[: instant + 1, self.last].T


def _projection(places: Array, mechanism: Mechanism) -> tuple[list[str], Array]:
    """Return labels of two axes and where points are drawn along them.

    What moves in a plane is drawn in it; else the axis that is neither up nor to the right goes
    half as far into the picture, at 30 degrees (a cabinet projection).
    """
    spread = np.ptp(places, axis=(0, 1))
    order = sorted(range(3), key=lambda i: (-spread[i], i))
    if spread[order[2]] <= FLAT * spread[order[0]]:
        across, up = sorted(order[:2])
        return [f"{'xyz'[across]} [m]", f"{'xyz'[up]} [m]"], places[..., [across, up]]
    up = 1 if _weight_is_along_y(mechanism) else 2
    depth, sign = (2, -1) if up == 1 else (1, 1)
    away = sign * DEPTH * places[..., depth, None] * [np.cos(np.pi / 6), np.sin(np.pi / 6)]
    into = "out of" if sign < 0 else "into"
    labels = [f"x [m], with {'xyz'[depth]} {into} the picture", f"{'xyz'[up]} [m]"]
    return labels, places[..., [0, up]] + away


def _weight_is_along_y(mechanism: Mechanism) -> bool:
    gravity = mechanism.model.gravity
    return gravity is not None and gravity[1] != 0 and gravity[2] == 0


def segments(mechanism: Mechanism) -> list[tuple[str, str]]:
    """Return the lines that stand for the bodies, as pairs of names of points.

    Examples
    --------
    >>> import freebody
    >>> segments(freebody.mechanism(freebody.load("two_link")))
    [('joint1', 'joint2'), ('joint2', 'tip')]
    """
    lines = []
    bodies = [body.name for body in mechanism.model.bodies]
    parents = {joint.name: joint.parent for joint in mechanism.model.joints}
    for name, joint in mechanism.joints.items():
        ends = [other for other in mechanism.joints if parents[other] == joint.child]
        ends += [
            point
            for point in mechanism.named
            if mechanism.places[point].on == joint.child
            and point not in (*mechanism.joints, *bodies)
        ]
        lines += [(name, end) for end in ends or [joint.child]]
    return lines


def _coordinates(axes: Axes, result: Simulation) -> None:
    time = result.data["time"]
    for i, name in enumerate(result.data["coordinate"].to_numpy()):
        column = result.data["coordinates"].sel(coordinate=name)
        unit = str(column["coordinate_unit"].to_numpy())
        axes.plot(time, column, color=COLORS[i % len(COLORS)], label=f"{name} [{unit}]")
    axes.set_ylabel("coordinates")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, **LEGEND)
    axes.grid(visible=True, color="#e6e6e6")


def _energy(axes: Axes, result: Simulation) -> None:
    for i, kind in enumerate(result.data["kind"].to_numpy()):
        values = result.data["energy"].sel(kind=kind)
        axes.plot(result.data["time"], values, color=COLORS[i], label=kind)
    axes.set_ylabel("energy [J]")
    axes.set_xlabel("time [s]")
    axes.plot([], [], " ", label=f"drift {result.energy_drift:.1e}")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5, **LEGEND)
    axes.grid(visible=True, color="#e6e6e6")


def _terms(axes: Axes, terms: xr.DataArray) -> None:
    """Draw the terms of one equation of motion."""
    for i, (term, name) in enumerate(TERM_NAMES.items()):
        if term in terms["term"]:
            axes.plot(terms["time"], terms.sel(term=term), color=COLORS[i], label=name)
    name = str(terms["speed"].item()).removesuffix("_dot")
    axes.set_ylabel(f"{name} [{terms['force_unit'].item()}]")
    axes.grid(visible=True, color="#e6e6e6")


def _shots(axes: Axes, result: Simulation) -> None:
    """Draw the chain at some instants, the later the stronger."""
    chain = _Chain(result)
    chain.frame(axes)
    last = len(result.data["time"]) - 1
    axes.plot(*chain.path(last), color="#c8c8c8", linewidth=0.8, zorder=1)
    for shot, instant in enumerate(np.linspace(0, last, SHOTS).astype(int)):
        lines = chain.lines(axes, alpha=0.15 + 0.85 * (shot / (SHOTS - 1)) ** 2, linewidth=3)
        for line, points in zip(lines, chain.at(int(instant)), strict=True):
            line.set_data(*points)
    axes.set_title("the chain, the later the stronger", fontsize="small")
