"""A motion as one HTML file that plays it in space: no network, with plots and a time slider."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.drawing.painter import Painter, upward
from freebody.drawing.style import COLORS

PACES = (0.1, 0.25, 0.5, 1, 2)
SHORT = 0.5
"""s; a motion that is over sooner is shown slower, by tens, hundreds and so on."""
MOST = 3000
"""Instants that a file holds."""


@dataclass(frozen=True)
class Curves:
    """A panel beside the motion.

    Attributes
    ----------
    title, unit : str
    names : sequence of str
    values : array, shape (t, n)
    """

    title: str
    unit: str
    names: Sequence[str]
    values: Array


def view(painter: Painter, title: str, panels: Sequence[Curves]) -> str:
    """Return the file.

    Parameters
    ----------
    painter : Painter
        Of the motion.
    title : str
    panels : sequence of Curves
    """
    data = json.dumps(_data(painter, panels), ensure_ascii=False).replace("</", "<\\/")
    slower = times_slower(painter.instants.times[-1] - painter.instants.times[0])
    paces = "".join(
        f'<option value="{p / slower}"{" selected" * (p == 1)}>{p / slower:g}×</option>'
        for p in PACES
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_text('view.css')}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n"
        '<main><div id="space"><p>Drawing …</p></div><div id="plots"></div></main>\n'
        '<footer><button type="button">Play</button>'
        '<input type="range" aria-label="time"><output></output>'
        f'<select aria-label="pace">{paces}</select></footer>\n'
        f"<script>\nconst motion = {data};\n"
        f'const three = "{_packed("three.module.min.js")}";\n'
        f'const controls = "{_packed("OrbitControls.js")}";\n{_text("view.js")}</script>\n'
        "</body>\n</html>\n"
    )


def times_slower(duration: float) -> int:
    """Return how many times slower than it goes a motion is shown, so that it can be seen.

    Parameters
    ----------
    duration : float
        In s.

    Examples
    --------
    >>> times_slower(3.0), times_slower(0.3), times_slower(0.03)
    (1, 10, 100)
    """
    slower = 1
    while 0 < duration * slower < SHORT:
        slower *= 10
    return slower


@cache
def _text(name: str) -> str:
    return files("freebody.drawing").joinpath("web", name).read_text(encoding="utf-8")


@cache
def _packed(name: str) -> str:
    """Return a library, with its licence in front, compressed and in base64."""
    licence = f"/*\n{_text('three.LICENSE.txt')}*/\n"
    return b64encode(gzip.compress((licence + _text(name)).encode(), 9, mtime=0)).decode()


# ---------------------------------------------------------------------- the motion as data


def _data(painter: Painter, panels: Sequence[Curves]) -> dict[str, Any]:
    count = len(painter.instants.times)
    kept = np.unique(np.linspace(0, count - 1, min(count, MOST)).astype(int))
    bodies = painter.scene.bodies
    low, high = _extent(painter)
    up = _upward(painter)
    return {
        "times": painter.instants.times[kept].tolist(),
        "size": painter.scene.size,
        "low": low.tolist(),
        "high": high.tolist(),
        "up": up.tolist(),
        "towards": painter.view.towards.tolist(),
        "floor": _floor(painter, up, low, high),
        "frames": [_frame(painter, body, kept) for body in bodies],
        "solids": list(_solids(painter, bodies)),
        "marks": list(_marks(painter, bodies)),
        "links": list(_links(painter, kept)),
        "trail": _base64(painter.end[kept]),
        "panels": [_panel(one, kept) for one in panels],
    }


def _base64(values: Array) -> str:
    return b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode()


def _upward(painter: Painter) -> Array:
    axis, sign = upward(painter.scene.mechanism)
    return sign * np.eye(3)[axis]


def _extent(painter: Painter) -> tuple[Array, Array]:
    """Return the corners of a box around the whole motion."""
    points = [way.reshape(-1, 3) for _, way in painter.ways]
    for body, origins in painter.origins.items():
        points.append(origins)
        for solid in painter.scene.of(body):
            center = origins + painter.axes[body] @ solid.center
            reach = np.abs(painter.axes[body] @ solid.axes) @ solid.half
            points += [center - reach, center + reach]
    whole = np.concatenate(points)
    return whole.min(axis=0), whole.max(axis=0)


def _floor(painter: Painter, up: Array, low: Array, high: Array) -> float:
    """Return how high the ground is drawn: where bodies touch it, else below everything."""
    heights = [height for normal, height in painter.scene.planes if normal @ up > 1 - 1e-9]
    lowest = float(np.minimum(low @ up, high @ up))
    return min(heights) if heights else lowest - 0.15 * painter.scene.size


def _frame(painter: Painter, body: str, kept: Array) -> str:
    """Return origin and quaternion (x, y, z, w) of a frame, instant by instant."""
    turns = _quaternions(painter.axes[body][kept])
    return _base64(np.concatenate([painter.origins[body][kept], turns], axis=1))


def _quaternions(axes: Array) -> Array:
    from scipy.spatial.transform import Rotation  # slow to import

    return np.asarray(Rotation.from_matrix(axes).as_quat())


def _solids(painter: Painter, bodies: Sequence[str]) -> Iterator[dict[str, Any]]:
    for solid in painter.scene.solids:
        number = bodies.index(solid.body)
        yield {
            "kind": solid.kind,
            "frame": number,
            "center": solid.center.tolist(),
            "turn": _quaternions(solid.axes[None])[0].tolist(),
            "half": solid.half.tolist(),
            "color": COLORS[number % len(COLORS)],
        }


def _marks(painter: Painter, bodies: Sequence[str]) -> Iterator[dict[str, Any]]:
    for mark in painter.scene.marks:
        if mark.kind in ("pin", "ball"):
            axis = mark.axis.tolist() if np.any(mark.axis) else [0, 0, 1]
            frame = bodies.index(mark.frame)
            yield {"kind": mark.kind, "frame": frame, "at": mark.at.tolist(), "axis": axis}


def _links(painter: Painter, kept: Array) -> Iterator[dict[str, Any]]:
    for link, way in painter.ways:
        values = painter.tensions.get(link.name)
        most = 0.0 if values is None else float(np.abs(values).max())
        yield {
            "kind": link.kind,
            "count": way.shape[1],
            "points": _base64(way[kept]),
            "tension": _base64(values[kept] / most) if values is not None and most else "",
        }


def _panel(one: Curves, kept: Array) -> dict[str, Any]:
    rows = one.values[kept].T
    return {
        "title": one.title,
        "unit": one.unit,
        "series": [
            {"name": name, "color": COLORS[i % len(COLORS)], "values": _base64(values)}
            for i, (name, values) in enumerate(zip(one.names, rows, strict=True))
        ],
    }
