"""Pictures of many motions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freebody.arrays import Array
from freebody.drawing.style import labelled, plain, symbol
from freebody.simulation.figures import HEIGHT
from freebody.sweeps.plans import MOTION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from freebody.sweeps.run import Sweep

MOST = 400
"""Lines in a panel: of more motions, so many at equal distances in their order are drawn."""


def sweep_figure(result: Sweep) -> Figure:
    """Return the coordinates of all motions over time, by colour along the first name."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    data, model = result.data, result.mechanism.model
    name = str(result.provenance["over"][0])
    along, colours = _drawn(result, name)
    rows, units = data["coordinate"].to_numpy(), data["coordinate_unit"].to_numpy()
    scale = ScalarMappable(Normalize(*_range(colours)), colormaps["viridis"])
    figure = Figure(figsize=(9, max(3.0, HEIGHT * len(rows))), layout="constrained")
    panels = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    for number, (panel, row, unit) in enumerate(zip(panels, rows, units, strict=True)):
        for value, line in zip(colours, along[..., number], strict=True):
            panel.plot(data["time"], line, color=scale.to_rgba(value), linewidth=0.8)
        panel.set_ylabel(labelled(symbol(model, str(row)), str(unit)))
        plain(panel)
    panels[-1].set_xlabel(r"$t$ [s]")
    words = labelled(symbol(model, name), data[name].attrs["units"])
    figure.colorbar(scale, ax=list(panels), label=words)
    figure.suptitle(str(data.attrs["title"]))
    return figure


def _drawn(result: Sweep, name: str) -> tuple[Array, Array]:
    """Return the coordinates of motions that are drawn, and the values of the first name."""
    data = result.data
    shape = data["energy_drift" if "energy_drift" in data else "status"].shape
    count = int(np.prod(shape))
    chosen = np.unique(np.linspace(0, count - 1, min(count, MOST)).astype(int))
    places = np.unravel_index(chosen, shape)
    dims = data["status"].dims
    lines = [
        data["coordinates"].isel(dict(zip(dims, place, strict=True))).to_numpy()
        for place in zip(*(axis.tolist() for axis in places), strict=True)
    ]
    values = data[name].to_numpy()
    of = places[0] if MOTION in dims else places[dims.index(name)]
    return np.stack(lines), values[of]


def _range(values: Array) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
