"""A mechanism drawn with its coordinates, dimensions, loads and frame."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.drawing.canvas import FAINT, FORCE, INK, Canvas
from freebody.drawing.instants import Instants
from freebody.drawing.painter import TENSE
from freebody.drawing.paths import path
from freebody.drawing.posture import Posture
from freebody.drawing.scene import Link
from freebody.explaining.pictures.drawing import ARC, TURN, Drawing, is_minus
from freebody.explaining.system import System
from freebody.mechanics.parts import AXES, Load
from freebody.model.joints import Free, Pin, Planar, Slider

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NESTED = 0.45
"""By how much an angle or a moment is drawn larger for each other joint in the same point."""
OWN = "#0072b2"
"""The axes of a body."""


def system_figure(system: System, posture: Posture) -> Figure:
    """Return a mechanism with its coordinates, dimensions, loads and frame."""
    return _Whole(system, posture).figure()


class _Whole(Drawing):
    def figure(self) -> Figure:
        """Return the drawing."""
        points = [self.outline(body) for body in self.system.bodies]
        points += [self._origins(), *(way for _, way in self._ways)]
        canvas = Canvas(np.concatenate(points))
        for joint in self.system.joints:
            self._support(canvas, joint)
        for body in sorted(self.system.bodies, key=self._order):
            self.rails(canvas, body)
            self.body(canvas, body)
        for number, body in enumerate(self.system.bodies, 1):
            self._dimensions(canvas, body, number)
        for joint in self.system.joints:
            self._joint_symbol(canvas, joint)
        self._axes(canvas)
        self._links(canvas)
        self._loads(canvas)
        self._frame(canvas)
        return canvas.finished()

    def _order(self, body: str) -> tuple[float, float]:
        """Return what bodies are drawn by: those far away first, of those as far large ones."""
        area = sum(_area(patch.points) for _, seen in self._seen(body) for patch in seen)
        return round(self.nearness(body) / self.scene.size, 6), -area

    def _growth(self, name: str) -> float:
        """Return how much larger than elsewhere a turn is drawn where joints share a point."""
        at, near = self.posture.joint(name), 1e-6 * self.scene.size
        order = self.system.joints
        inner = [
            one for one in order[: order.index(name)] if not isinstance(self._joint(one), Slider)
        ]
        count = sum(float(np.hypot(*(self.posture.joint(one) - at))) < near for one in inner)
        return 1 + NESTED * count

    @property
    def _sprung(self) -> set[str | None]:
        return {spring.joint for spring in self.system.model.springs}

    def _origins(self) -> Array:
        return np.array([self.posture.joint_on_parent(joint) for joint in self.system.joints])

    def _support(self, canvas: Canvas, name: str) -> None:
        """Draw what a joint of the ground stands on."""
        joint = self._joint(name)
        if joint.parent != "ground" or isinstance(joint, Free | Planar):
            return
        if isinstance(joint, Slider):
            start, end = self.posture.joint_on_parent(name), self.posture.joint(name)
            along = self.along(name)
            unit = along / max(float(np.hypot(*along)), 1e-9)
            side = np.array([unit[1], -unit[0]]) * 0.22 * canvas.inch
            low, high = sorted((0.0, float((end - start) @ unit)))
            reach = 0.45 * canvas.inch
            canvas.hatched(
                start + side + unit * (low - reach), start + side + unit * (high + reach)
            )
        else:
            canvas.ground(self.posture.joint(name))

    def _joint_symbol(self, canvas: Canvas, name: str) -> None:
        joint = self._joint(name)
        point = self.posture.joint(name)
        if not isinstance(joint, Slider | Free | Planar):
            canvas.pin(point)
        if isinstance(joint, Slider):
            self._displacement(canvas, name, joint)
        elif isinstance(joint, Pin):
            self._angle(canvas, name, joint)
        elif isinstance(joint, Planar | Free):
            self._translation(canvas, name, joint)

    # ------------------------------------------------------------------ coordinates

    def _angle(self, canvas: Canvas, name: str, joint: Any) -> None:
        """Draw the angle of a pin between where its body points and where it would at zero."""
        motion, posture = self.posture.motion, self.posture
        expr, about = self.system.mechanism.read(joint.angle), motion.joint_axis(name)
        absolute = self.system.mechanism.objects.angles.get(joint.child)
        from_ground = not expr.is_Function and absolute is not None and absolute.is_Function
        expr = absolute if from_ground else expr
        value = float(motion.value(expr))
        axis = np.array([float(x) for x in about.parts])
        pointing = self._pointing(joint.child)
        radius = min(0.55 * canvas.inch, 0.6 * max(float(np.linalg.norm(pointing)), 1e-9))
        radius *= self._growth(name)
        unit = pointing / max(float(np.linalg.norm(pointing)), 1e-9) * radius
        at = posture.joint(name)
        sweep = [_rotated(unit, axis, -part * value) for part in np.linspace(1, 0, ARC)]
        arc = at + np.array(sweep) @ posture.directions
        reference = at + 1.7 * (arc[0] - at)
        canvas.line([at, reference], linewidth=0.8, color=FAINT, linestyle=(0, (4, 3)))
        if abs(value) > 0.05:
            canvas.curve(arc, INK, linewidth=0.9)
        middle = arc[ARC // 2]
        canvas.label(self.short(expr), middle, middle - at)

    def _pointing(self, body: str) -> Array:
        """Return where a body points from its inner joint, in space."""
        motion, system = self.posture.motion, self.system
        step = system.mechanism.joint_frames[system.inner_joint(body)]
        start = motion.at(step.child, step.child_at)
        places = [name for name, place in system.mechanism.places.items() if place.on == body]
        outer = system.outer_joints(body)
        ends = [motion.position(name) - start for name in [*outer, *places]]
        arrows = [np.array([float(x) for x in end.parts]) for end in ends]
        longest = max(arrows, key=lambda one: float(np.linalg.norm(one)), default=np.zeros(3))
        if np.linalg.norm(longest) > 1e-9:
            return longest
        axis = motion.frame_states[body].axes[0]
        return np.array([float(x) for x in axis.parts]) * self.posture._scale

    def _displacement(self, canvas: Canvas, name: str, joint: Any) -> None:
        """Draw how far a slider is displaced."""
        start, end = self.posture.joint_on_parent(name), self.posture.joint(name)
        self._shift(canvas, start, end, self.system.mechanism.read(joint.displacement))

    def _shift(self, canvas: Canvas, start: Array, end: Array, expr: sympy.Expr) -> None:
        along = end - start
        size = float(np.hypot(*along))
        if size < 0.1 * canvas.inch:
            return
        unit = along / size
        side = np.array([-unit[1], unit[0]]) * 0.42 * canvas.inch
        side = -side if side[1] < 0 else side
        for point in (start, end):
            canvas.line(
                [point + 0.3 * side, point + 1.15 * side], linewidth=0.5, color=FAINT, taken=False
            )
        canvas.arrow(start + side, end + side, INK, linewidth=0.9)
        canvas.label(self.short(expr), (start + end) / 2 + side, side)

    def _translation(self, canvas: Canvas, name: str, joint: Any) -> None:
        start, end = self.posture.joint_on_parent(name), self.posture.joint(name)
        read, motion = self.system.mechanism.read, self.posture.motion
        parts = [read(part) for part in joint.translation]
        corner = start
        for part, axis in zip(parts, motion.joint_axes(name), strict=False):
            step = self.posture.on_paper(axis) * float(motion.value(part))
            self._shift(canvas, corner, corner + step, part)
            corner = corner + step
        del end
        if isinstance(joint, Planar) or not isinstance(joint.rotation, tuple):
            self._heading(canvas, name, read(joint.rotation))

    def _heading(self, canvas: Canvas, name: str, expr: sympy.Expr) -> None:
        """Draw by how much a body is turned in the plane."""
        if not expr.free_symbols:
            return
        motion, at = self.posture.motion, self.posture.joint(name)
        value = float(motion.value(expr))
        child = self._joint(name).child
        pointing = self._pointing(child)
        unit = pointing / max(float(np.linalg.norm(pointing)), 1e-9) * 0.55 * canvas.inch
        axis = np.array([float(x) for x in motion.joint_axes(name)[2].parts])
        sweep = [_rotated(unit, axis, -part * value) for part in np.linspace(1, 0, ARC)]
        arc = at + np.array(sweep) @ self.posture.directions
        canvas.line(
            [at, at + 1.7 * (arc[0] - at)], linewidth=0.8, color=FAINT, linestyle=(0, (4, 3))
        )
        if abs(value) > 0.05:
            canvas.curve(arc, INK, linewidth=0.9)
        canvas.label(self.short(expr), arc[ARC // 2], arc[ARC // 2] - at)

    def _axes(self, canvas: Canvas) -> None:
        """Draw the axes of bodies that turn about several axes, whose angles no arc shows."""
        if self.posture.plane is not None:
            return
        for number, body in enumerate(self.system.bodies, 1):
            name = self.system.inner_joint(body)
            if isinstance(self._joint(name), Pin | Slider) or not self.system.turns(body):
                continue
            axes = self.posture.motion.frame_states[body].axes
            at = self.posture.joint(name)
            for letter, axis in zip(AXES, axes, strict=True):
                step = self.posture.on_paper(axis) * 0.5 * canvas.inch
                canvas.arrow(at, at + step, OWN, linewidth=1.0, mutation_scale=9)
                canvas.label(f"{letter}_{{{number}}}", at + step, step, OWN)

    # ------------------------------------------------------------------ dimensions and loads

    def _dimensions(self, canvas: Canvas, body: str, number: int) -> None:
        """Draw how far centre of mass, outer joints and points are from the inner joint."""
        start, seen = self.start(body), set[str]()
        for place, vector in self._measured(body):
            label = _single(vector)
            if label is None or self.latex(label) in seen:
                continue
            seen.add(self.latex(label))
            end = self.posture.place(place)
            side = 0.24 if place == body else -0.28 - 0.2 * (len(seen) - 1)
            canvas.dimension(start, end, self.short(label), side)
        canvas.number(rf"\mathbf{{{number}}}", self.points(body), self.outline(body))

    def _measured(self, body: str) -> Iterator[tuple[str, tuple[sympy.Expr, ...]]]:
        system = self.system
        step = system.mechanism.joint_frames[system.inner_joint(body)]
        for name, place in system.mechanism.places.items():
            if place.on == body and (name == body or "." not in name):
                yield name, _difference(place.at, step.child_at)
        for joint in system.outer_joints(body):
            at = tuple(system.mechanism.read(part) for part in self._joint(joint).at)
            if not isinstance(self._joint(joint), Slider | Planar | Free):
                yield joint, _difference(at, step.child_at)

    def _links(self, canvas: Canvas) -> None:
        """Draw springs, dampers and muscles, those along the same line beside each other."""
        lines = [link.through for link, _ in self._ways]
        for number, (link, points) in enumerate(self._ways):
            beside, before = lines.count(link.through), lines[:number].count(link.through)
            along = points[-1] - points[0]
            size = max(float(np.hypot(*along)), 1e-9)
            side = np.array([-along[1], along[0]]) / size
            shift = side * (before - (beside - 1) / 2) * 0.26 * canvas.inch
            self._link(canvas, link, points + shift, -side if 2 * before + 1 < beside else side)

    @cached_property
    def _ways(self) -> list[tuple[Link, Array]]:
        """The springs, dampers and muscles, and where they go on paper."""
        on_paper = self.posture.view.on_paper
        links = [link for link in self.scene.links if link.kind != "rail"]
        return [(one, on_paper(path(one, self.scene, self._instant)[0])) for one in links]

    @cached_property
    def _instant(self) -> Instants:
        coordinates = np.array([[*self.posture.coordinates.values()]])
        return Instants(self.system.mechanism, self.posture.values, coordinates, np.zeros(1))

    def _link(self, canvas: Canvas, link: Link, points: Array, side: Array) -> None:
        if link.kind == "spring":
            canvas.spring(points[0], points[-1])
        elif link.kind == "damper":
            canvas.dashpot(points[0], points[-1])
        else:
            canvas.line(points, color=TENSE, linewidth=2.2, zorder=3)
        strength = self.system.mechanism.read(link.strength or 0)
        if strength.free_symbols:
            middle = (points[0] + points[-1]) / 2 if len(points) < 4 else points[len(points) // 2]
            color = TENSE if link.kind == "muscle" else FAINT
            canvas.label(self.short(strength), middle + 0.1 * side * canvas.inch, side, color)

    def _loads(self, canvas: Canvas) -> None:
        """Draw what acts across joints, and forces and moments that are applied."""
        system = self.system
        for joint in system.joints:
            self._across(canvas, joint)
        for load in system.mechanism.loads:
            if load.kind in ("actuation", "external") and not (load.across or load.cause):
                self._applied(canvas, load, system.effort(load))

    def _across(self, canvas: Canvas, joint: str) -> None:
        """Draw the moment across a joint, and the force of its actuator."""
        system, at = self.system, self.posture.joint(joint)
        child = system.mechanism.joint_frames[joint].child
        inside = self.posture.place(child) if child in system.massive else at
        loads = [one for one in system.mechanism.loads if one.across[-1:] == (joint,)]
        loads = [one for one in loads if one.on == child]
        moments = [one for one in loads if one.place is None]
        forces = [system.effort(one) for one in loads if one.place is not None and not one.cause]
        self._moment_across(canvas, joint, moments)
        for axis in range(3):
            force = sympy.Add(*(one[axis] for one in forces))
            if force != 0:
                self.force_arrow(canvas, at, axis, force, inside, FORCE)

    def _moment_across(self, canvas: Canvas, joint: str, loads: list[Load]) -> None:
        """Draw the moment across a joint: about its axis, where it has one."""
        system, at = self.system, self.posture.joint(joint)
        total = system.moment_across(joint, loads)
        if total is not None:
            axis = np.array([float(x) for x in self.posture.motion.joint_axis(joint).parts])
            if total != 0:
                self.moment_about(canvas, at, axis, total, TURN * self._growth(joint))
            return
        efforts = [system.effort(one) for one in loads]
        for axis_number in range(3):
            moment = sympy.Add(*(one[axis_number] for one in efforts))
            if moment != 0:
                self.moment_arrow(canvas, at, axis_number, moment, at)

    def _applied(self, canvas: Canvas, load: Any, vector: Any) -> None:
        at = self.posture.place(load.place or load.on)
        inside = self.points(load.on).mean(axis=0)
        for axis in range(3):
            if vector[axis] != 0 and load.place is None:
                self.moment_arrow(canvas, at, axis, vector[axis], inside)
            elif vector[axis] != 0:
                self.force_arrow(canvas, at, axis, vector[axis], inside, FORCE)

    def _frame(self, canvas: Canvas) -> None:
        """Draw the axes of the ground, and gravity, in a corner."""
        (left, right), (low, high) = canvas.axes.get_xlim(), canvas.axes.get_ylim()
        corner = np.array([left, low]) + 0.42 * canvas.inch
        rows = self.posture.directions
        corner = corner - np.minimum(rows.min(axis=0), 0) * 0.42 * canvas.inch
        for axis, row in enumerate(rows):
            if np.hypot(*row) > 0:
                end = corner + row * 0.42 * canvas.inch
                canvas.arrow(corner, end, FAINT, linewidth=1.0, mutation_scale=9)
                canvas.label(AXES[axis], end, row, FAINT)
        self._gravity(canvas, np.array([right, high]) - np.array([0.35, 0.3]) * canvas.inch)

    def _gravity(self, canvas: Canvas, start: Array) -> None:
        gravity = self.system.model.gravity
        if gravity is None:
            return
        parts = [self.system.mechanism.read(part) for part in gravity]
        numbers = np.array([float(self.posture.motion.value(part)) for part in parts])
        paper = numbers @ self.posture.directions
        size = float(np.hypot(*paper))
        if size < 1e-9:
            return
        end = start + paper / size * 0.5 * canvas.inch
        canvas.arrow(start, end, FAINT, linewidth=1.0, mutation_scale=9)
        strength = next(part for part in parts if part != 0)
        strength = -strength if is_minus(strength) else strength
        alone = sum(part != 0 for part in parts) == 1
        canvas.label(self.short(strength) if alone else "g", end, paper, FAINT)


def _rotated(vector: Array, axis: Array, angle: float) -> Array:
    """Return a vector turned about an axis of unit length."""
    cosine, sine = math.cos(angle), math.sin(angle)
    turned: Array = vector * cosine + np.cross(axis, vector) * sine
    return turned + axis * (axis @ vector) * (1 - cosine)


def _area(points: Array) -> float:
    """Return the area of a polygon."""
    x, y = points.T
    return abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1))) / 2


def _difference(one: Any, other: Any) -> tuple[sympy.Expr, ...]:
    return tuple(sympy.sympify(a) - b for a, b in zip(one, other, strict=True))


def _single(vector: tuple[sympy.Expr, ...]) -> sympy.Expr | None:
    """Return the length of a vector along one axis; else nothing."""
    parts = [part for part in vector if part != 0]
    if len(parts) != 1:
        return None
    return -parts[0] if is_minus(parts[0]) else parts[0]
