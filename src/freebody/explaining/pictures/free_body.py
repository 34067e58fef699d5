"""A free body: what acts on it, by name, where it acts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.drawing.canvas import FORCE, Canvas
from freebody.drawing.posture import Posture
from freebody.explaining.joints import Transmission, Transmissions
from freebody.explaining.pictures.drawing import Drawing
from freebody.explaining.system import Action, System, Vector
from freebody.mechanics.parts import Triple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALL = 0.1
"""A body at which all forces act within this part of its size is drawn smaller."""
WEIGHT, REACTION = "#5b3f99", "#b3261e"


def free_body_figure(system: System, posture: Posture, body: str) -> Figure:
    """Return the free-body diagram of a body."""
    return _FreeBody(system, posture, body).figure()


class _FreeBody(Drawing):
    def __init__(self, system: System, posture: Posture, body: str) -> None:
        super().__init__(system, posture)
        self.name = body
        self.joints = Transmissions(system)

    def figure(self) -> Figure:
        """Return the drawing."""
        points = np.vstack([self.outline(self.name), *self._where()])
        if np.ptp(points, axis=0).max() < 1e-9:
            points = points[0] + 0.3 * np.array([[-1.0, -1.0], [1.0, 1.0]])
        is_lump = float(np.ptp(np.array([*self._where()]), axis=0).max()) < SMALL * np.ptp(points)
        canvas = Canvas(points, width=3.6, margin=1.6 if is_lump else 0.75)
        self.rails(canvas, self.name)
        self.body(canvas, self.name)
        inside = self.points(self.name).mean(axis=0)
        inner = self.system.inner_joint(self.name)
        self._cut(canvas, self.joints.of[inner], 1, self.posture.joint(inner), inside)
        for outer in self.system.outer_joints(self.name):
            at = self.posture.joint(outer)
            self._cut(canvas, self.joints.of[outer], -1, at, inside)
        for action in self.system.applied[self.name]:
            self._action(canvas, action, inside)
        canvas.number(rf"\mathbf{{{self.system.number(self.name)}}}", self.points(self.name))
        return canvas.finished()

    def _where(self) -> Iterator[Array]:
        """Iterate over the points at which something acts on the body."""
        joints = (self.system.inner_joint(self.name), *self.system.outer_joints(self.name))
        yield from map(self.posture.joint, joints)
        arms = (action for action in self.system.applied[self.name] if action.arm is not None)
        yield from (self.posture.place(self.name) + self._arm(action) for action in arms)

    def _cut(self, canvas: Canvas, of: Transmission, sign: int, at: Array, inside: Array) -> None:
        canvas.pin(at)
        self._vector(canvas, at, _times(of.force, sign), inside, REACTION)
        if self.system.turns(self.name):
            for axis in self.system.turning:
                moment = sign * of.moment[axis]
                if moment != 0:
                    self.moment_arrow(canvas, at, axis, moment, inside)

    def _action(self, canvas: Canvas, action: Action, inside: Array) -> None:
        center = self.posture.place(self.name)
        if action.arm is None:
            for axis in range(3):
                if action.vector[axis] != 0:
                    self.moment_arrow(canvas, center, axis, action.vector[axis], inside)
            return
        at = center + self._arm(action)
        if action.named is not None:
            self._pull(canvas, at, *action.named)
            return
        color = WEIGHT if action.what == "weight" else FORCE
        self._vector(canvas, at, action.vector, inside if action.what != "weight" else at, color)

    def _pull(self, canvas: Canvas, at: Array, symbol: sympy.Expr, along: Triple) -> None:
        """Draw a force along the line in which it acts, away from where it pulls."""
        direction = self._numbers(along)
        size = float(np.hypot(*direction))
        if size > 1e-9:
            step = direction / size * 0.75 * canvas.inch
            canvas.arrow(at, at + step, FORCE)
            canvas.label(self.short(symbol), at + step, step, FORCE)

    def _arm(self, action: Action) -> Array:
        return self._numbers(action.arm)  # type: ignore[arg-type]

    def _numbers(self, vector: Triple) -> Array:
        """Return a vector of forms on paper, at the posture that is drawn."""
        from freebody.algebra import textbook

        parts = [float(self.posture.motion.value(textbook(part))) for part in vector.parts]
        paper: Array = np.array(parts) @ self.posture.directions
        return paper

    def _vector(self, canvas: Canvas, at: Array, vector: Vector, inside: Array, color: str) -> None:
        for axis in range(3):
            if vector[axis] != 0 and np.hypot(*self.posture.directions[axis]) > 0:
                self.force_arrow(canvas, at, axis, vector[axis], inside, color)


def _times(vector: Vector, sign: int) -> Vector:
    x, y, z = (sympy.sympify(part) * sign for part in vector)
    return x, y, z
