"""A mechanism painted on axes of matplotlib, at one instant of its motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.drawing.instants import Instants
from freebody.drawing.outline import Patch, View, flat, patches, spatial
from freebody.drawing.paths import path
from freebody.drawing.scene import Link, Mark, Scene
from freebody.drawing.strokes import coil, dashpot
from freebody.drawing.style import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from freebody.mechanics.mechanism import Mechanism

INK, SOFT, SLACK, TENSE = "#1a1a1a", "#9a9a9a", "#d9b8b4", "#b3261e"
PIN, MARGIN = 0.013, 0.1
SEEN = 40
"""At so many instants it is measured how much paper a motion needs."""
FLATNESS = 1e-6
"""Below this part of the largest spread, points are in a plane."""


class Painter:
    """Paints a motion.

    Parameters
    ----------
    mechanism : Mechanism
    constants : mapping of str to float
    coordinates : array, shape (t, n)
    times : array, shape (t,)
    tensions : mapping of str to array, optional
        Of muscles, by input, shape (t,).

    Attributes
    ----------
    view : View
    """

    def __init__(
        self,
        mechanism: Mechanism,
        constants: Mapping[str, float],
        coordinates: Array,
        times: Array,
        tensions: Mapping[str, Array] | None = None,
    ) -> None:
        self.scene = Scene(mechanism, constants)
        self.instants = Instants(mechanism, constants, coordinates, times)
        self.tensions = tensions or {}
        bodies = self.scene.bodies
        self.origins = {body: self.instants.origin(body) for body in bodies}
        self.axes = {body: self.instants.axes(body) for body in bodies}
        self.ways = [(link, path(link, self.scene, self.instants)) for link in self.scene.links]
        self.view = self._view()

    def _view(self) -> View:
        """Return a view onto the plane of the motion; from aside where it is in space."""
        normal = self._normal()
        if normal is None:
            return spatial(*upward(self.scene.mechanism))
        across, above = (k for k in range(3) if k != normal)
        return flat(across, above)

    def _normal(self) -> int | None:
        """Return the axis about which all bodies turn, and along which none slides, if any."""
        motion, turns, slides = self.instants.motion, list[Array](), list[Array]()
        for name, step in self.scene.mechanism.joint_frames.items():
            if step.turns:
                turns.append(self.instants.rows(motion.joint_axis(name))[0])
            axes = motion.joint_axes(name)
            slides += [self.instants.rows(axes[k])[0] for k in range(3) if step.shift[k] != 0]
        for k in (2, 1, 0):
            turned = all(np.abs(np.delete(axis, k)).max() < FLATNESS for axis in turns)
            if turned and all(abs(axis[k]) < FLATNESS for axis in slides):
                return k
        return None

    # ------------------------------------------------------------------ a frame

    @property
    def is_spatial(self) -> bool:
        """Whether the motion is not in one plane."""
        return int(np.count_nonzero(self.view.rows)) > 2

    @property
    def labels(self) -> tuple[str, str]:
        """What is along the axes of the paper."""
        rows = self.view.rows
        if self.is_spatial:
            return "", ""
        across, up = (int(np.argmax(np.abs(column))) for column in rows.T)
        return f"$\\mathit{{{'xyz'[across]}}}$ [m]", f"$\\mathit{{{'xyz'[up]}}}$ [m]"

    def limits(self) -> tuple[Array, Array]:
        """Return the corners of what is seen of the whole motion, on paper."""
        count = len(self.instants.times)
        seen = [
            one
            for i in sorted({*range(0, count, 1 + count // SEEN), count - 1})
            for one in self._seen(i)
        ]
        paper = np.concatenate(seen)
        low, high = paper.min(axis=0), paper.max(axis=0)
        border = MARGIN * max(float((high - low).max()), 1e-3)
        return low - border, high + border

    def _seen(self, instant: int) -> Iterator[Array]:
        """Iterate over what is on paper at an instant."""
        for body, origins in self.origins.items():
            yield self.view.on_paper(origins[instant][None])
            for solid in self.scene.of(body):
                for one in patches(solid, origins[instant], self.axes[body][instant], self.view):
                    yield one.points
        yield from (self.view.on_paper(way[instant]) for _, way in self.ways)

    def frame(self, axes: Axes) -> None:
        """Set limits and labels of axes, and draw what does not move."""
        low, high = self.limits()
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[1], high[1])
        axes.set_aspect("equal", adjustable="box")
        across, up = self.labels
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.spines[["top", "right"]].set_visible(False)
        if not across:
            axes.axis("off")
            self._directions(axes, low, high)
        for normal, height in self.scene.planes:
            self._plane(axes, normal, height, low, high)

    def _directions(self, axes: Axes, low: Array, high: Array) -> None:
        """Draw where the axes of the ground point."""
        size = 0.09 * float((high - low).max())
        corner = low + 1.1 * size
        for name, row in zip("xyz", self.view.rows, strict=True):
            axes.annotate(
                "",
                tuple(corner + size * row),
                tuple(corner),
                arrowprops={"arrowstyle": "-|>", "color": SOFT, "linewidth": 0.9, "shrinkA": 0},
            )
            x, y = corner + 1.35 * size * row
            axes.text(x, y, f"${name}$", color=SOFT, ha="center", va="center")

    def _plane(self, axes: Axes, normal: Array, height: float, low: Array, high: Array) -> None:
        upward = self.view.on_paper(normal)
        size = float(np.hypot(*upward))
        if size < 1e-6 or self.is_spatial:
            return
        along = np.array([upward[1], -upward[0]]) / size
        middle = upward * height + along * (along @ (low + high) / 2)
        reach = float((high - low).max())
        ends = middle - along * reach, middle + along * reach
        axes.plot(*np.array(ends).T, color=SOFT, linewidth=1.2, zorder=0)
        step = 0.02 * reach
        for part in np.linspace(0, 1, 81):
            top = ends[0] + part * (ends[1] - ends[0])
            slant = np.array([top, top - step * (upward / size + along)])
            axes.plot(*slant.T, color=SOFT, linewidth=0.6, zorder=0)

    # ------------------------------------------------------------------ an instant

    def paint(self, axes: Axes, instant: int, alpha: float = 1.0) -> list[Any]:
        """Paint an instant, and return what was painted.

        Parameters
        ----------
        axes : matplotlib.axes.Axes
        instant : int
        alpha : float, optional
            How opaque.
        """
        parts: list[tuple[float, tuple[list[Patch], int, str]]] = []
        for number, body in enumerate(self.scene.bodies):
            for solid in self.scene.of(body):
                origin, turn = self.origins[body][instant], self.axes[body][instant]
                depth = self.view.depth(origin + turn @ solid.center)
                parts.append((depth, (patches(solid, origin, turn, self.view), number, solid.kind)))
        order = sorted(range(len(parts)), key=lambda i: parts[i][0])
        artists: list[Any] = []
        for rank, index in enumerate(order):
            seen, number, kind = parts[index][1]
            artists += self._solid(axes, seen, number, kind, alpha, 2 + rank / 1000)
        for link, way in self.ways:
            artists += self._link(axes, link, way[instant], instant, alpha)
        for mark in self.scene.marks:
            artists += self._mark(axes, mark, instant, alpha)
        return artists

    def _solid(
        self, axes: Axes, seen: list[Patch], number: int, kind: str, alpha: float, order: float
    ) -> list[Any]:
        from matplotlib.patches import Polygon

        color = COLORS[number % len(COLORS)]
        if kind == "line":
            return axes.plot(*seen[0].points.T, color=INK, linewidth=1.6, alpha=alpha, zorder=order)
        return [
            axes.add_patch(
                Polygon(
                    patch.points,
                    facecolor=_tinted(color, 0.55 * patch.shade),
                    edgecolor=_tinted(color, 1.0),
                    linewidth=1.0,
                    alpha=alpha,
                    zorder=order,
                )
            )
            for patch in seen
        ]

    def _link(self, axes: Axes, link: Link, way: Array, instant: int, alpha: float) -> list[Any]:
        points = self.view.on_paper(way)
        look: dict[str, Any] = {"color": INK, "linewidth": 1.1, "alpha": alpha, "zorder": 3}
        if link.kind == "spring":
            points = coil(points[0], points[-1], 0.045 * self.scene.size)
        elif link.kind == "damper":
            pieces = dashpot(points[0], points[-1], 0.03 * self.scene.size)
            return [line for one in pieces for line in axes.plot(*one.T, **look)]
        elif link.kind == "muscle":
            look |= self._muscle_look(link, instant)
        return axes.plot(*points.T, **look)

    def _muscle_look(self, link: Link, instant: int) -> dict[str, Any]:
        """Return how a muscle is drawn: the redder and the wider, the more it pulls."""
        values = self.tensions.get(link.name)
        most = 0.0 if values is None else float(np.abs(values).max())
        part = 0.5 if values is None or most == 0 else max(float(values[instant]) / most, 0.0)
        return {"color": _between(SLACK, TENSE, part), "linewidth": 1.5 + 2.5 * part}

    def _mark(self, axes: Axes, mark: Mark, instant: int, alpha: float) -> list[Any]:
        from matplotlib.patches import Circle, Polygon

        place = self.origins[mark.frame][instant] + self.axes[mark.frame][instant] @ mark.at
        at, size = self.view.on_paper(place), PIN * self.scene.size
        artists: list[Any] = []
        if mark.on_ground and mark.kind in ("pin", "ball", "weld"):
            foot = at + size * np.array([[0, 0], [-1.6, -2.6], [1.6, -2.6]])
            look: dict[str, Any] = {
                "facecolor": "white",
                "edgecolor": SOFT,
                "linewidth": 1.0,
                "alpha": alpha,
            }
            artists.append(axes.add_patch(Polygon(foot, zorder=1.5, **look)))
        if mark.kind in ("pin", "ball"):
            face = "white" if mark.kind == "pin" else SOFT
            dot = Circle(tuple(at), size, facecolor=face, edgecolor=INK, linewidth=0.9, alpha=alpha)
            dot.set_zorder(4)
            artists.append(axes.add_patch(dot))
        return artists

    # ------------------------------------------------------------------ the way of its end

    @cached_property
    def end(self) -> Array:
        """Where the last point of the last body is, shape (t, 3)."""
        body = self.scene.bodies[-1]
        points = [*self.scene.ends(body), self.scene.start(body)]
        start = self.scene.start(body)
        end = max(points, key=lambda point: float(np.linalg.norm(point - start)))
        return self.origins[body] + self.axes[body] @ end

    def trail(self, axes: Axes) -> Line2D:
        """Return a line for the way of the last point, still without points."""
        (line,) = axes.plot([], [], color="#c4c4c4", linewidth=0.9, zorder=1)
        return line

    def way(self, instant: int) -> Array:
        """Return the way that the last point has come, shape (2, n)."""
        return self.view.on_paper(self.end[: instant + 1]).T


def upward(mechanism: Mechanism) -> tuple[int, int]:
    """Return the axis that is vertical, and whether it points up (1) or down (-1).

    That is what gravity acts along; z points up where it says nothing, or acts along several.
    """
    parts = [mechanism.read(part) for part in mechanism.model.gravity or ()]
    axes = [axis for axis, part in enumerate(parts) if part != 0]
    if len(axes) != 1:
        return 2 if not axes or 2 in axes else 1, 1
    return axes[0], 1 if parts[axes[0]].could_extract_minus_sign() else -1


def _tinted(color: str, strength: float) -> tuple[float, ...]:
    """Return a color over white paper."""
    from matplotlib.colors import to_rgb

    return tuple(1 - strength * (1 - part) for part in to_rgb(color))


def _between(one: str, other: str, part: float) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(a + part * (b - a) for a, b in zip(to_rgb(one), to_rgb(other), strict=True))
