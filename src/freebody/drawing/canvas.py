"""Paper to draw on: bodies, joints, arrows, and labels that do not collide."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.drawing.outline import Patch
from freebody.drawing.strokes import dashpot

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

INK, FAINT, BODY, FORCE, MOMENT = "#1a1a1a", "#7a7a7a", "#dbe6f2", "#b3261e", "#0b6b4f"
DIRECTIONS = 24
RADII = (9, 14, 20, 27, 36, 48, 64, 84)
"""How far a label may stand from what it names, in points."""
AWAY = 60.0
"""How little a label is wanted beside the place where it should stand: as ten points of ink."""
ALONG = (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3)
"""Where a number may stand along what it numbers, as parts of its length from the middle."""
FONT = 12
COVERING = 4.0
"""How little a label is wanted on a body, where it is not its number."""
INSIDE = 0.72
"""How far out to the edge of a body its number stands, where others share its middle."""
SPACING = 0.03
"""Between the points of a line that labels keep away from, in inches."""
ROUND = np.linspace(0, 2 * math.pi, 12, endpoint=False)


class Canvas:
    """A drawing in the making; lengths are in those of the mechanism.

    Parameters
    ----------
    points : array, shape (n, 2)
        What has to be seen.
    width : float, optional
        Of the figure, in inches.
    margin : float, optional
        Around what has to be seen, as a part of its size.
    """

    def __init__(self, points: Array, width: float = 5.2, margin: float = 0.32) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        low, high = points.min(axis=0), points.max(axis=0)
        self.size = max(float((high - low).max()), 1e-9)
        border = margin * self.size
        spans = np.maximum(high - low, 0.3 * self.size) + 2 * border
        middle = (low + high) / 2
        height = float(np.clip(width * spans[1] / spans[0], 2.2, 6.5))
        self.figure: Figure = Figure(figsize=(width, height))
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        scale = max(spans[0] / width, spans[1] / height)
        half = np.array([width, height]) * scale / 2
        self.axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
        self.axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
        self.axes.axis("off")
        self.inch = scale
        self._occupied: list[Array] = []
        self._arrows: list[Array] = []
        self._covered: list[Array] = []
        self._wanted: list[tuple[str, Array, Array | None, str]] = []

    # ------------------------------------------------------------------ lines

    def line(self, points: Sequence[Any] | Array, *, taken: bool = True, **style: Any) -> None:
        """Draw a line through points."""
        xy = np.asarray(points, dtype=float)
        look = {"color": INK, "linewidth": 1.2, "solid_capstyle": "round", **style}
        self.axes.plot(*xy.T, **look)
        if taken:
            self._take(xy)

    def _take(self, points: Array) -> None:
        """Keep labels away from a line."""
        for start, end in pairwise(points):
            steps = 2 + math.ceil(float(np.hypot(*(end - start))) / (SPACING * self.inch))
            parts = np.linspace(0, 1, steps)[:, None]
            self._occupied.append(start + parts * (end - start))

    def solid(self, patches: Sequence[Patch], *, is_line: bool) -> None:
        """Draw what is seen of a solid of a body."""
        from matplotlib.patches import Polygon

        for patch in patches:
            if is_line:
                self.line(patch.points, linewidth=1.6, zorder=1.9)
                continue
            face = _shaded(BODY, patch.shade)
            look: dict[str, Any] = {"facecolor": face, "edgecolor": INK, "linewidth": 1.0}
            self.axes.add_patch(Polygon(patch.points, zorder=2, **look))
            self._take(np.vstack([patch.points, patch.points[:1]]))
            self._covered.append(patch.points)

    def pin(self, at: Array) -> None:
        """Draw a pin."""
        self._disc(at, 0.06, "white")

    def _disc(self, at: Array, radius: float, color: str, **style: Any) -> None:
        from matplotlib.patches import Circle

        look = {"facecolor": color, "edgecolor": INK, "linewidth": 1.2, "zorder": 5, **style}
        self.axes.add_patch(Circle(tuple(at), radius * self.inch, **look))
        ring = np.stack([np.cos(ROUND), np.sin(ROUND)], axis=-1)
        self._occupied += [np.array([at]), at + radius * self.inch * ring]

    def center(self, at: Array) -> None:
        """Draw a centre of mass."""
        from matplotlib.patches import Wedge

        radius = 0.055 * self.inch
        self._disc(at, 0.055, "white", linewidth=0.8, zorder=6)
        for start in (0, 180):
            quarter = Wedge(tuple(at), radius, start, start + 90, color=INK, zorder=7)
            self.axes.add_patch(quarter)

    def ground(self, at: Array, along: Array | None = None) -> None:
        """Draw hatched ground below a point, or along a direction."""
        along = np.array([1.0, 0.0]) if along is None else along / max(np.hypot(*along), 1e-12)
        down = np.array([along[1], -along[0]])
        unit = self.inch
        base = at + down * 0.17 * unit
        ends = base - along * 0.24 * unit, base + along * 0.24 * unit
        if abs(along[1]) < 1e-9:
            self.line([at, base - along * 0.12 * unit], linewidth=1.0)
            self.line([at, base + along * 0.12 * unit], linewidth=1.0)
        self.hatched(*ends)

    def hatched(self, start: Array, end: Array) -> None:
        """Draw a line with hatches below it."""
        unit, along = self.inch, (end - start) / max(np.hypot(*(end - start)), 1e-12)
        down = np.array([along[1], -along[0]])
        self.line([start, end], linewidth=1.4)
        count = max(int(np.hypot(*(end - start)) / (0.08 * unit)), 3)
        for part in np.linspace(0, 1, count):
            top = start + part * (end - start)
            self.line(
                [top, top + (down - along) * 0.07 * unit], linewidth=0.7, color=FAINT, taken=False
            )
        self._take(np.array([start + down * 0.05 * unit, end + down * 0.05 * unit]))

    def spring(self, start: Array, end: Array) -> None:
        """Draw a spring between two points."""
        along = end - start
        length = float(np.hypot(*along))
        if length < 0.05 * self.inch:
            return
        unit = along / length
        side = np.array([-unit[1], unit[0]]) * 0.08 * self.inch
        turns = max(8, int(length / (0.1 * self.inch)))
        parts = np.linspace(0.15, 0.85, turns + 1)
        zigzag = [start + unit * length * 0.15]
        zigzag += [
            start + along * part + side * (1 if i % 2 else -1) for i, part in enumerate(parts[1:-1])
        ]
        self.line([start, *zigzag, start + unit * length * 0.85, end], linewidth=1.1, zorder=3)

    def dashpot(self, start: Array, end: Array) -> None:
        """Draw a damper between two points."""
        if float(np.hypot(*(end - start))) >= 0.05 * self.inch:
            for points in dashpot(start, end, 0.09 * self.inch):
                self.line(points, linewidth=1.1, zorder=3)

    # ------------------------------------------------------------------ arrows

    def arrow(self, start: Array, end: Array, color: str = FORCE, **style: Any) -> None:
        """Draw an arrow."""
        from matplotlib.patches import FancyArrowPatch

        look = {"arrowstyle": "-|>", "mutation_scale": 12, "linewidth": 1.5, "zorder": 8, **style}
        self.axes.add_patch(
            FancyArrowPatch(tuple(start), tuple(end), color=color, shrinkA=0, shrinkB=0, **look)
        )
        self._take(np.array([start, end]))

    def aside(self, start: Array, end: Array) -> Array:
        """Return by how much an arrow is to be shifted so that it does not cover another."""
        along = (end - start) / max(float(np.hypot(*(end - start))), 1e-12)
        side = np.array([-along[1], along[0]]) * 0.16 * self.inch
        for count in (0, 1, -1, 2, -2):
            moved = np.array([start, end]) + count * side
            near = 0.1 * self.inch
            if all(np.abs(moved - one).max() > near for one in self._arrows):
                break
        self._arrows.append(moved)
        shift: Array = moved[0] - start
        return shift

    def curve(
        self, points: Array, color: str = MOMENT, *, both: bool = False, **style: Any
    ) -> None:
        """Draw a curve that ends in an arrow."""
        self.line(points[:-1], color=color, **style)
        self.arrow(points[-2], points[-1], color, linewidth=style.get("linewidth", 1.2))
        if both:
            self.arrow(points[1], points[0], color, linewidth=style.get("linewidth", 1.2))

    def dimension(self, start: Array, end: Array, label: str, side: float) -> None:
        """Draw a dimension beside the line between two points."""
        along = end - start
        length = float(np.hypot(*along))
        if length < 0.25 * self.inch:
            return
        normal = np.array([-along[1], along[0]]) / length * side * self.inch
        first, last = start + normal, end + normal
        for inner, outer in ((start, first), (end, last)):
            self.line(
                [inner, inner + 1.15 * (outer - inner)], linewidth=0.5, color=FAINT, taken=False
            )
        self.arrow(first, last, FAINT, arrowstyle="<|-|>", linewidth=0.7, mutation_scale=7)
        self.label(label, (first + last) / 2, normal, FAINT)

    # ------------------------------------------------------------------ labels

    def label(self, latex: str, at: Array, towards: Array | None = None, color: str = INK) -> None:
        """Name what is at a place; where the name stands is decided at the end."""
        self._wanted.append((latex, np.asarray(at, dtype=float)[None], towards, color))

    def number(self, latex: str, points: Array, outline: Array | None = None) -> None:
        """Name what reaches through points, somewhere along it, and best in its middle.

        What reaches nowhere is named within its outline, near the edge.
        """
        middle, along = points.mean(axis=0), points[-1] - points[0]
        places = middle + np.outer(ALONG, along)
        if outline is not None and float(np.hypot(*along)) < SPACING * self.inch:
            places = np.vstack([places[:1], middle + INSIDE * (outline - middle)])
        self._wanted.append((latex, places, None, INK))

    def finished(self) -> Figure:
        """Return the figure, with its labels where they collide least."""
        from matplotlib.path import Path

        renderer = self.figure.canvas.get_renderer()  # type: ignore[attr-defined]
        taken = [self.axes.transData.transform(points) for points in self._occupied]
        ink = np.concatenate(taken) if taken else np.zeros((0, 2))
        covered = [Path(self.axes.transData.transform(points)) for points in self._covered]
        boxes: list[Bbox] = []
        for latex, at, towards, color in self._wanted:
            text = self._text(latex, color)
            over = [] if towards is None else covered
            boxes.append(self._put(text, at, towards, ink, over, boxes, renderer))
        return self.figure

    def _text(self, latex: str, color: str) -> Any:
        from matplotlib.mathtext import MathTextParser

        shown = f"${latex}$"
        family: dict[str, Any] = {"math_fontfamily": "stix", "fontfamily": "STIXGeneral"}
        try:
            MathTextParser("path").parse(shown)
        except ValueError:
            shown = latex.replace("$", "")
        return self.axes.text(
            0, 0, shown, color=color, fontsize=FONT, ha="center", va="center", zorder=10, **family
        )

    def _put(
        self,
        text: Any,
        at: Array,
        towards: Array | None,
        ink: Array,
        covered: Sequence[Path],
        boxes: Iterable[Bbox],
        renderer: Any,
    ) -> Bbox:
        """Place a text where it collides least, and return its box in pixels."""
        anchors = self.axes.transData.transform(at)
        extent = text.get_window_extent(renderer)
        half = np.array([extent.width, extent.height]) / 2 + 1.5
        candidates = [*self._candidates(anchors, towards, half)]
        middles = np.array([middle for _, middle in candidates])
        on_bodies = np.zeros(len(middles), dtype=bool)
        for outline in covered:
            on_bodies |= outline.contains_points(middles)
        best = min(
            zip(candidates, on_bodies, strict=True),
            key=lambda one: (
                one[0][0]
                + COVERING * one[1]
                + _collisions(one[0][1], half, ink, boxes, self._window)
            ),
        )[0]
        middle = best[1]
        text.set_position(self.axes.transData.inverted().transform(middle))
        return text.get_window_extent(renderer)

    @property
    def _window(self) -> tuple[float, float]:
        width, height = self.figure.get_size_inches() * self.figure.dpi
        return float(width), float(height)

    def _candidates(
        self, anchors: Array, towards: Array | None, half: Array
    ) -> Iterable[tuple[float, Array]]:
        """Iterate over places for a label, each with how little it is wanted."""
        wish = None if towards is None else math.atan2(towards[1], towards[0])
        point = self.figure.dpi / 72
        if towards is None:
            yield from ((float(number), place) for number, place in enumerate(anchors))
        for radius in RADII:
            for number in range(DIRECTIONS):
                angle = 2 * math.pi * number / DIRECTIONS
                unit = np.array([math.cos(angle), math.sin(angle)])
                reach = radius * point * 0.6 + np.abs(unit) @ half * 0.85
                turned = 0.0 if wish is None else abs(math.remainder(angle - wish, 2 * math.pi))
                beside = AWAY if towards is None else turned * 2.0
                yield radius * 0.25 + beside, anchors[0] + unit * reach


def _shaded(color: str, shade: float) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(part * (0.7 + 0.3 * shade) for part in to_rgb(color))


def _collisions(
    middle: Array,
    half: Array,
    ink: Array,
    boxes: Iterable[Bbox],
    window: tuple[float, float],
) -> float:
    """Return how much a label would collide with what is drawn."""
    low, high = middle - half, middle + half
    inside = np.all((ink > low) & (ink < high), axis=1).sum() if len(ink) else 0
    overlaps = sum(
        max(0.0, min(high[0], box.x1) - max(low[0], box.x0))
        * max(0.0, min(high[1], box.y1) - max(low[1], box.y0))
        > 0
        for box in boxes
    )
    outside = any(low < 0) or high[0] > window[0] or high[1] > window[1]
    return 6.0 * float(inside) + 3000.0 * overlaps + 1000.0 * outside
