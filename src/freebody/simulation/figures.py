"""Pictures of simulated motions: what is asked for, in panels; several runs in one figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.drawing.painter import Painter
from freebody.drawing.style import (
    COLORS,
    DASHES,
    LEGEND,
    labelled,
    mathematics,
    moment_symbol,
    paper,
    plain,
    symbol,
)
from freebody.errors import ArgumentError, nearest
from freebody.model.names import speed_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.simulation.result import Simulation

TERM_NAMES = {
    "inertia": r"inertia $M\dot{u}$",
    "C": "velocity $C$",
    "G": "gravity $G$",
    "E": "external $E$",
    "tau": r"actuators $\tau$",
    "constraint": r"constraints $J^T\lambda$",
}
SHOTS = 12
HEIGHT, WIDTH = 1.7, 5.5
"""Of a panel, in inches."""
CENTIMETRE = 1 / 2.54
NARROWEST, WIDEST = 4, 60
"""Of a figure, in cm."""


def figure(
    result: Simulation,
    panels: Sequence[str] = (),
    width: float | None = None,
    beside: Sequence[Simulation] = (),
) -> Figure:
    """Return the picture of a motion: see `Simulation.figure`."""
    if not panels and not beside and width is None:
        return _overview(result)
    if width is not None and not NARROWEST <= width <= WIDEST:
        expected = f"expected {NARROWEST} to {WIDEST} cm"
        raise ArgumentError(f"width: {expected}, found {width}")
    runs = _Runs([result, *beside])
    wanted = [_panel(name, runs) for name in panels or ("coordinates", "torques")]
    with nullcontext() if width is None else paper():
        return _panels(runs, wanted, WIDTH if width is None else width * CENTIMETRE)


def _panels(runs: _Runs, wanted: Sequence[Panel], width: float) -> Figure:
    from matplotlib.figure import Figure  # slow to import

    tall = sum(max(1.1, 0.38 * width) * (1.8 if one.is_square else 1.0) for one in wanted)
    figure = Figure(figsize=(width, tall + 0.3), layout="constrained")
    ratios = [1.8 if one.is_square else 1.0 for one in wanted]
    rows = figure.subplots(len(wanted), 1, squeeze=False, height_ratios=ratios)[:, 0]
    for axes, one in zip(rows, wanted, strict=True):
        one.draw(axes)
        if one.over_time:
            axes.set_xlim(*runs.span)
    over = [axes for axes, one in zip(rows, wanted, strict=True) if one.over_time]
    for axes in over[:-1]:
        axes.sharex(over[-1])
        axes.tick_params(labelbottom=False)
    if over:
        over[-1].tick_params(labelbottom=True)
        over[-1].set_xlabel(r"$t$ [s]")
    if len(runs.of) > 1:
        _name_runs(figure, runs)
    return figure


def _name_runs(figure: Figure, runs: _Runs) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=COLORS[i % len(COLORS)]) for i in range(len(runs.of))]
    figure.legend(handles, runs.labels, loc="outside upper center", ncols=2, **LEGEND)


class _Runs:
    """Runs in one figure, with what differs between them."""

    def __init__(self, runs: Sequence[Simulation]) -> None:
        self.of = list(runs)
        self.first = runs[0]
        self.model = runs[0].mechanism.model

    @property
    def span(self) -> tuple[float, float]:
        """The times that are shown."""
        times = [run.data["time"].to_numpy() for run in self.of]
        return float(min(t[0] for t in times)), float(max(t[-1] for t in times))

    @property
    def labels(self) -> list[str]:
        """What differs between the runs, of each."""
        settings = [dict(_settings(run)) for run in self.of]
        names = dict.fromkeys(name for one in settings for name in one)
        different = [n for n in names if len({str(one.get(n)) for one in settings}) > 1]
        rows = [
            ", ".join(f"{self._shown(n)} = {_short(one[n])}" for n in different if n in one)
            for one in settings
        ]
        return [row or f"run {number}" for number, row in enumerate(rows, 1)]

    def _shown(self, name: str) -> str:
        shown = symbol(self.model, name.removeprefix("at first "))
        return f"{shown} at first" if name.startswith("at first ") else shown

    def style(self, run: int, entry: int) -> dict[str, Any]:
        """Return how an entry of a run is drawn: colors tell runs, where there are several."""
        if len(self.of) == 1:
            dashes = DASHES[entry // len(COLORS) % len(DASHES)]
            return {"color": COLORS[entry % len(COLORS)], "linestyle": dashes}
        return {"color": COLORS[run % len(COLORS)], "linestyle": DASHES[entry % len(DASHES)]}


def _settings(run: Simulation) -> Iterator[tuple[str, Any]]:
    """Iterate over what a run was given, by name."""
    provenance = run.provenance
    yield "model", provenance["model"]
    yield from provenance["constants"].items()
    yield from ((f"at first {n}", value) for n, value in provenance["initial"].items())
    yield from provenance.get("inputs", {}).items()
    yield from ((n, provenance[n]) for n in ("engine", "method", "tolerance") if n in provenance)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float | int) else str(value)


# ---------------------------------------------------------------------- panels


class Panel:
    """One panel: how it is drawn.

    Parameters
    ----------
    draw : callable
        Takes axes.
    over_time : bool, optional
        Whether it is over time.
    is_square : bool, optional
        Whether it is as high as wide.
    """

    def __init__(
        self, draw: Callable[[Axes], None], *, over_time: bool = True, is_square: bool = False
    ) -> None:
        self.draw, self.over_time, self.is_square = draw, over_time, is_square


VARIABLES: Mapping[str, tuple[str, str, str]] = {
    "coordinates": ("coordinates", "coordinate", "coordinates"),
    "speeds": ("speeds", "speed", "speeds"),
    "accelerations": ("accelerations", "speed", "accelerations"),
    "inputs": ("inputs", "input", "inputs"),
    "constraints": ("constraint_force", "constraint", "forces of constraints"),
    "energy": ("energy", "kind", "energy"),
}
"""The variable of a panel, what it is along, and what its axis is called."""
OTHERS = {
    "torques": "of the actuators, or of some coordinates: torques:alpha1",
    "terms": "all terms of one equation: terms:alpha1",
    "phase": "speed over coordinate: phase:alpha1",
    "reaction": "force of a joint: reaction:wrist",
    "position": "the way of a point: position:hand",
    "mechanism": "the mechanism at some instants",
}


def known_panels() -> list[str]:
    """Return the names of panels."""
    return [*VARIABLES, *OTHERS]


def _panel(text: str, runs: _Runs) -> Panel:
    """Return the panel of a name such as ``phase:alpha1``.

    Raises
    ------
    ArgumentError
        If there is no such panel, or nothing of that name.
    """
    name, _, of = (part.strip() for part in text.partition(":"))
    if name in VARIABLES:
        return Panel(lambda axes: _variable(axes, runs, name, of))
    if name == "torques":
        return Panel(lambda axes: _torques(axes, runs, of))
    if name == "terms":
        _expect(runs, of, "speed")
        return Panel(lambda axes: _terms(axes, runs, of))
    if name == "phase":
        _expect(runs, of, "coordinate")
        return Panel(lambda axes: _phase(axes, runs, of), over_time=False)
    if name == "reaction":
        _expect(runs, of, "joint")
        return Panel(lambda axes: _reaction(axes, runs, of))
    if name == "position":
        _expect(runs, of, "point")
        return Panel(lambda axes: _way(axes, runs, of), over_time=False, is_square=True)
    if name == "mechanism":
        return Panel(lambda axes: shots(axes, runs.first), over_time=False, is_square=True)
    known = ", ".join(known_panels())
    raise ArgumentError(f"panels: expected {known}, found '{name}'{nearest(name, known_panels())}")


def _expect(runs: _Runs, name: str, along: str) -> str:
    """Return the name of an entry; that of a coordinate stands for its speed."""
    known = [str(one) for one in runs.first.data[along].to_numpy()]
    if along == "speed" and name not in known:
        names = dict(zip(runs.model.coordinates, speed_names(runs.model), strict=False))
        name = names.get(name, name)
    if name not in known:
        raise ArgumentError(
            f"panels: expected a {along} ({', '.join(known)}), found '{name}'{nearest(name, known)}"
        )
    return name


def _variable(axes: Axes, runs: _Runs, panel: str, of: str) -> None:
    name, along, words = VARIABLES[panel]
    if name not in runs.first.data:
        raise ArgumentError(f"panels: the model has no {words}")
    entries = [str(one) for one in runs.first.data[along].to_numpy()]
    entries = [_expect(runs, of, along)] if of else entries
    units = list(dict.fromkeys(_unit(runs, name, along, entry) for entry in entries))
    for number, run in enumerate(runs.of):
        for place, entry in enumerate(entries):
            values = run.data[name].sel({along: entry})
            label = _entry_label(runs, panel, entry, units) if number == 0 else None
            axes.plot(run.data["time"], values, label=label, **runs.style(number, place))
    only = _entry_symbol(runs, panel, entries[0]) if len(entries) == 1 else words
    axes.set_ylabel(labelled(only, units[0]) if len(units) == 1 else words)
    _finish(axes, runs, len(entries))


def _entry_label(runs: _Runs, panel: str, entry: str, units: Sequence[str]) -> str:
    shown = _entry_symbol(runs, panel, entry)
    unit = _unit(runs, VARIABLES[panel][0], VARIABLES[panel][1], entry)
    return labelled(shown, unit) if len(units) > 1 else shown


def _entry_symbol(runs: _Runs, panel: str, entry: str) -> str:
    if panel == "accelerations" and entry.endswith("_dot"):
        return symbol(runs.model, f"{entry.removesuffix('_dot')}_ddot")
    if panel in ("coordinates", "speeds", "inputs"):
        return symbol(runs.model, entry)
    return entry


def _unit(runs: _Runs, name: str, along: str, entry: str) -> str:
    data = runs.first.data
    labels = {"accelerations": "acceleration_unit"}.get(name, f"{along}_unit")
    if labels in data.coords:
        return str(data[labels].sel({along: entry}).item())
    return str(data[name].attrs.get("units", ""))


def _torques(axes: Axes, runs: _Runs, of: str) -> None:
    speeds = [str(one) for one in runs.first.data["speed"].to_numpy()]
    speeds = [_expect(runs, of, "speed")] if of else speeds
    units = runs.first.data["force_unit"].sel(speed=speeds).to_numpy()
    is_mixed = len(set(units)) > 1
    for number, run in enumerate(runs.of):
        for place, speed in enumerate(speeds):
            values = run.data["terms"].sel(term="tau", speed=speed)
            symbol = _torque_symbol(runs, speed)
            symbol = labelled(symbol, str(units[place])) if is_mixed else symbol
            label = symbol if number == 0 else None
            axes.plot(run.data["time"], values, label=label, **runs.style(number, place))
    words = _torque_symbol(runs, speeds[0]) if len(speeds) == 1 else r"actuators $\tau$"
    axes.set_ylabel(words if is_mixed else labelled(words, str(units[0])))
    _finish(axes, runs, len(speeds))


def _torque_symbol(runs: _Runs, speed: str) -> str:
    inner = moment_symbol(runs.model, speed)
    return mathematics(rf"\tau({inner.strip('$')})", f"tau({speed})")


def _terms(axes: Axes, runs: _Runs, of: str) -> None:
    speed = _expect(runs, of, "speed")
    for number, run in enumerate(runs.of):
        terms = run.data["terms"].sel(speed=speed)
        for place, (term, name) in enumerate(TERM_NAMES.items()):
            if term in terms["term"]:
                label = name if number == 0 else None
                values = terms.sel(term=term)
                axes.plot(run.data["time"], values, label=label, **runs.style(number, place))
    _terms_label(axes, runs.first, speed)
    _finish(axes, runs, len(TERM_NAMES))


def _terms_label(axes: Axes, run: Simulation, speed: str) -> None:
    unit = str(run.data["force_unit"].sel(speed=speed).item())
    shown = moment_symbol(run.mechanism.model, speed)
    axes.set_ylabel(labelled(f"terms of {shown}", unit))


def _phase(axes: Axes, runs: _Runs, of: str) -> None:
    model = runs.model
    speed = dict(zip(model.coordinates, speed_names(model), strict=True))[of]
    for number, run in enumerate(runs.of):
        x, y = run.data["coordinates"].sel(coordinate=of), run.data["speeds"].sel(speed=speed)
        color = COLORS[number % len(COLORS)]
        axes.plot(x, y, color=color, linewidth=1.0)
        axes.plot(x[0], y[0], "o", color=color, markersize=3)
    axes.set_xlabel(labelled(symbol(model, of), _unit(runs, "coordinates", "coordinate", of)))
    axes.set_ylabel(labelled(symbol(model, speed), _unit(runs, "speeds", "speed", speed)))
    plain(axes)


def _reaction(axes: Axes, runs: _Runs, of: str) -> None:
    for number, run in enumerate(runs.of):
        forces = run.data["reaction_force"].sel(joint=of)
        shown = [a for a in "xyz" if np.abs(forces.sel(axis=a)).max() > 0]
        for place, axis in enumerate(shown):
            label = f"${axis}$" if number == 0 else None
            values = forces.sel(axis=axis)
            axes.plot(run.data["time"], values, label=label, **runs.style(number, place))
    axes.set_ylabel(labelled(f"force at {of.replace('_', ' ')}", "N"))
    _finish(axes, runs, 3)


def _way(axes: Axes, runs: _Runs, of: str) -> None:
    painter = painter_of(runs.first)
    for number, run in enumerate(runs.of):
        places = run.data["position"].sel(point=of).to_numpy()
        axes.plot(*painter.view.on_paper(places).T, color=COLORS[number % len(COLORS)])
    across, up = painter.labels
    axes.set_xlabel(f"{across}, {of.replace('_', ' ')}" if across else of.replace("_", " "))
    axes.set_ylabel(up)
    axes.set_aspect("equal", adjustable="datalim")
    plain(axes)


def _finish(axes: Axes, runs: _Runs, entries: int) -> None:
    if entries > 1:
        columns = min(4, entries)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, **LEGEND)
    plain(axes)
    axes.set_xlim(*runs.span)


# ---------------------------------------------------------------------- the overview


def _overview(result: Simulation) -> Figure:
    """Return coordinates, energy, torques by term and the mechanism at some instants."""
    from matplotlib.figure import Figure  # slow to import

    rows = list(result.data["speed"].to_numpy())
    runs = _Runs([result])
    figure = Figure(figsize=(14, max(6.0, HEIGHT * len(rows))), layout="constrained")
    left, middle, right = figure.subfigures(1, 3, width_ratios=(1, 1.1, 1), squeeze=False)[0]
    motion, energy = left.subplots(2, 1, sharex=True)
    _variable(motion, runs, "coordinates", "")
    _variable(energy, runs, "energy", "")
    drift = f"energy drift {result.energy_drift:.1e}"
    energy.annotate(drift, (1, 1.02), xycoords="axes fraction", ha="right", fontsize="small")
    energy.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, **LEGEND)
    energy.set_xlabel(r"$t$ [s]")
    _all_terms(middle, result, rows)
    shots(right.subplots(), result)
    figure.suptitle(str(result.data.attrs["title"]))
    return figure


def _all_terms(figure: Any, result: Simulation, speeds: Sequence[str]) -> None:
    panels = figure.subplots(len(speeds), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name in zip(panels, speeds, strict=True):
        terms = result.data["terms"].sel(speed=name)
        for i, (term, words) in enumerate(TERM_NAMES.items()):
            if term in terms["term"]:
                panel.plot(terms["time"], terms.sel(term=term), color=COLORS[i], label=words)
        unit = str(terms["force_unit"].item())
        panel.set_ylabel(labelled(moment_symbol(result.mechanism.model, str(name)), unit))
        plain(panel)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, **LEGEND)
    panels[-1].set_xlabel(r"$t$ [s]")


def painter_of(result: Simulation) -> Painter:
    """Return what paints a motion."""
    data = result.data
    tensions = {str(n): data["inputs"].sel(input=n).to_numpy() for n in data["input"].to_numpy()}
    return Painter(
        result.mechanism,
        result.provenance["constants"],
        data["coordinates"].transpose("time", "coordinate").to_numpy(),
        data["time"].to_numpy(),
        tensions,
    )


def shots(axes: Axes, result: Simulation) -> None:
    """Draw the mechanism at some instants, the later the stronger, and the way of its end."""
    painter = painter_of(result)
    painter.frame(axes)
    last = len(result.data["time"]) - 1
    painter.trail(axes).set_data(*painter.way(last))
    for shot, instant in enumerate(np.linspace(0, last, SHOTS).astype(int)):
        painter.paint(axes, int(instant), 0.1 + 0.9 * (shot / (SHOTS - 1)) ** 3)
    axes.set_title("the later the stronger", fontsize="small")
