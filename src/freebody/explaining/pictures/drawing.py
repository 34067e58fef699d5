"""What pictures of a mechanism and of its free bodies share: the bodies, and arrows with names."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.drawing.canvas import MOMENT, Canvas
from freebody.drawing.outline import Patch, patches
from freebody.drawing.posture import Posture
from freebody.drawing.scene import Scene, Solid
from freebody.explaining.system import System
from freebody.explaining.widths import length
from freebody.model.joints import Slider

LONGEST = 20
"""How wide the formula of a label may be."""
ARC = 40
"""Points of a curved arrow."""
TURN = 0.27
"""The radius of a moment, in inches."""


class Drawing:
    """A drawing of a system at a posture.

    Parameters
    ----------
    system : System
    posture : Posture
    """

    def __init__(self, system: System, posture: Posture) -> None:
        self.system, self.posture = system, posture
        self.scene = Scene(system.mechanism, posture.values)
        self.latex = system.notation.latex

    # ------------------------------------------------------------------ parts of bodies

    def ends(self, body: str) -> list[Array]:
        """Return the points that a body reaches to from its inner joint, on paper."""
        system, posture = self.system, self.posture
        points = [posture.joint_on_parent(joint) for joint in system.outer_joints(body)]
        places = system.mechanism.places
        points += [
            posture.place(name)
            for name, place in places.items()
            if place.on == body and name not in system.joints
        ]
        start = self.start(body)
        return [point for point in points if np.hypot(*(point - start)) > 1e-9]

    def start(self, body: str) -> Array:
        """Return the inner joint of a body, on paper."""
        return self.posture.joint(self.system.inner_joint(body))

    def points(self, body: str) -> Array:
        """Return all points of a body, on paper."""
        return np.array([self.start(body), *self.ends(body)])

    def body(self, canvas: Canvas, body: str) -> None:
        """Draw a body."""
        for solid, seen in self._seen(body):
            canvas.solid(seen, is_line=solid.kind == "line")
        if body in self.system.massive:
            canvas.center(self.posture.place(body))

    def _seen(self, body: str) -> Iterator[tuple[Solid, list[Patch]]]:
        """Iterate over the solids of a body, each with what is seen of it."""
        state = self.posture.motion.frame_states[body]
        origin = np.array([float(x) for x in state.origin.parts])
        axes = np.array([[float(x) for x in axis.parts] for axis in state.axes]).T
        for solid in self.scene.of(body):
            yield solid, patches(solid, origin, axes, self.posture.view)

    def outline(self, body: str) -> Array:
        """Return all that a body takes up on paper, its inner joint included."""
        seen = [patch.points for _, parts in self._seen(body) for patch in parts]
        return np.concatenate([self.points(body), *seen])

    def nearness(self, body: str) -> float:
        """Return how near to the eye a body is."""
        origin = self.posture.motion.frame_states[body].origin
        return self.posture.view.depth(np.array([float(x) for x in origin.parts]))

    def rails(self, canvas: Canvas, body: str) -> None:
        """Draw the lines along which other bodies slide on a body."""
        for joint in self.system.outer_joints(body):
            if isinstance(self._joint(joint), Slider) and joint not in self._sprung:
                ends = self.posture.joint_on_parent(joint), self.posture.joint(joint)
                canvas.line(ends, linewidth=1.6, zorder=1)

    @property
    def _sprung(self) -> set[str | None]:
        """The joints along which a spring is drawn."""
        return set()

    def along(self, joint: str) -> Array:
        """Return where the axis of a joint points on paper."""
        return self.posture.on_paper(self.posture.motion.joint_axis(joint))

    def _joint(self, name: str) -> Any:
        return next(joint for joint in self.system.model.joints if joint.name == name)

    # ------------------------------------------------------------------ arrows

    def turned(self, canvas: Canvas, at: Array, axis: Array, sign: float, size: float) -> Array:
        """Return a curve around an axis, as seen on paper, three quarters of a turn."""
        across, up = _perpendicular(axis)
        angles = np.linspace(-0.65, 0.75, ARC) * math.pi * sign
        circle = np.outer(np.cos(angles), across) + np.outer(np.sin(angles), up)
        return at + size * canvas.inch * circle @ self.posture.directions

    def force_arrow(
        self, canvas: Canvas, at: Array, axis: int, expr: sympy.Expr, inside: Array, color: str
    ) -> None:
        """Draw a component of a force, with its name, away from the inside of a body."""
        sign = -1.0 if is_minus(expr) else 1.0
        direction = sign * self.posture.directions[axis]
        step = direction * 0.62 * canvas.inch
        into = float(direction @ (inside - at)) > 1e-9
        start, end = (at - step, at) if into else (at, at + step)
        shift = canvas.aside(start, end)
        start, end = start + shift, end + shift
        canvas.arrow(start, end, color)
        canvas.label(
            self.short(sign * expr), start if into else end, -step if into else step, color
        )

    def moment_arrow(
        self, canvas: Canvas, at: Array, axis: int, expr: sympy.Expr, inside: Array
    ) -> None:
        """Draw a component of a moment, with its name; in space about its axis, beside the body."""
        unit = np.eye(3)[axis]
        if self.posture.plane is not None:
            self.moment_about(canvas, at, unit, expr)
            return
        out = unit @ self.posture.directions
        out = -out if float(out @ (inside - at)) > 1e-9 else out
        self.moment_about(canvas, at + 0.4 * canvas.inch * out, unit, expr, 0.12)

    def moment_about(
        self, canvas: Canvas, at: Array, axis: Array, expr: sympy.Expr, size: float = TURN
    ) -> None:
        """Draw a moment about an axis, with its name."""
        sign = -1.0 if is_minus(expr) else 1.0
        curve = self.turned(canvas, at, axis, sign, size)
        canvas.curve(curve, MOMENT, linewidth=1.2)
        canvas.label(self.short(sign * expr), curve[ARC // 2], curve[ARC // 2] - at, MOMENT)

    def short(self, expr: sympy.Expr) -> str:
        """Return LaTeX of an expression; of a long one, that it is one."""
        expr = sympy.nsimplify(expr) if expr.has(sympy.Float) else expr
        latex = self.latex(expr)
        return latex if length(latex) <= LONGEST else r"\ldots"


def is_minus(expr: sympy.Expr) -> bool:
    """Return whether an expression is written with a minus in front of all of it.

    >>> F, R = sympy.symbols("F R")
    >>> is_minus(-F * R), is_minus(-F - R), is_minus(R - F), is_minus(F - R)
    (True, True, False, False)
    """
    return all(part.could_extract_minus_sign() for part in sympy.Add.make_args(expr))


def _perpendicular(axis: Array) -> tuple[Array, Array]:
    """Return two axes that stand perpendicular to another, right-handed."""
    unit = axis / np.linalg.norm(axis)
    seed = np.eye(3)[int(np.argmin(np.abs(unit)))] if abs(unit[2]) < 0.9 else np.array([1.0, 0, 0])
    across = seed - unit * (seed @ unit)
    across = across / np.linalg.norm(across)
    return across, np.cross(unit, across)
