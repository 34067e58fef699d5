"""A mechanism as links of one freedom each: a turn, or a slide along a line.

A link stands at its root, the point of its joint. Its vectors have components along its own axes,
or along those of the ground where all links turn about one axis: no vector need be turned then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import sympy

from freebody.graph.cells import Cell
from freebody.mechanics.joint_frames import NOWHERE, UNIT
from freebody.mechanics.parts import Components, JointFrame, Triple
from freebody.programs.spatial import AxisRotation, Identity, Inertia, Rotation, RotationMatrix
from freebody.programs.workspace import Workspace

FreedomKind = Literal["turn", "slide", "none"]
SAME = Identity()


@dataclass(frozen=True)
class JointMotion:
    """How far something has moved, and how that depends on the speeds.

    Attributes
    ----------
    amount, rate : sympy.Expr
        An angle or a displacement, and its rate.
    slopes : dict of int to sympy.Expr
        The derivatives of the rate by the speeds, where they are not zero.
    rest : sympy.Expr
        The derivative of the rate in time while the speeds do not change.
    """

    amount: sympy.Expr
    rate: sympy.Expr
    slopes: Mapping[int, sympy.Expr]
    rest: sympy.Expr

    def __add__(self, other: JointMotion) -> JointMotion:
        speeds = sorted({*self.slopes, *other.slopes})
        sums = {u: self.slopes.get(u, 0) + other.slopes.get(u, 0) for u in speeds}
        slopes = {u: slope for u, slope in sums.items() if slope != 0}
        return JointMotion(
            self.amount + other.amount, self.rate + other.rate, slopes, self.rest + other.rest
        )


@dataclass(frozen=True)
class Link:
    """A frame with one freedom in that of its parent.

    Attributes
    ----------
    parent : int
        The number of its parent, less than its own; -1 for the ground.
    freedom : {"turn", "slide", "none"}
    arm : Triple
        From the root of the parent to its own, in the parent's axes.
    before, about, after : Rotation
        From its own axes to the parent's, in reverse: the fixed orientation of the joint, the turn,
        and the fixed orientation of the link in the joint.
    axis : Triple
        Of the freedom, in the axes of the joint.
    motion : JointMotion
        Of its freedom.
    spin : JointMotion
        Of its turn from the ground, where all turn about one axis; else that of its freedom.
    placed : Rotation
        From the axes of the body to those of the link.
    offset : tuple of three sympy.Expr
        Its root in the body's frame.
    inertia : Inertia
        About its root.
    """

    parent: int
    freedom: FreedomKind
    arm: Triple
    before: Rotation
    about: Rotation
    after: Rotation
    axis: Triple
    motion: JointMotion
    spin: JointMotion
    placed: Rotation
    offset: Components
    inertia: Inertia

    def to_parent(self, vector: Triple) -> Triple:
        """Return a vector in the axes of the parent."""
        return self.before.to_parent(self.about.to_parent(self.after.to_parent(vector)))

    def to_child(self, vector: Triple) -> Triple:
        """Return a vector of the parent's axes in those of the link."""
        return self.after.to_child(self.to_joint(vector))

    def to_joint(self, vector: Triple) -> Triple:
        """Return a vector of the parent's axes in those of the joint's child."""
        return self.about.to_child(self.before.to_child(vector))

    @property
    def axis_in_link(self) -> Triple:
        """The axis S of the freedom, in the axes of the link."""
        return self.after.to_child(self.axis)


class Links:
    """The links of a mechanism, parents first.

    Parameters
    ----------
    workspace : Workspace

    Attributes
    ----------
    links : list of Link
    numbers : dict of str to int
        The link that carries each frame.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.mechanism = workspace, workspace.mechanism
        self.graph = workspace.graph
        self.links: list[Link] = []
        self.numbers = {"ground": -1}
        self.ranges: dict[str, range] = {}
        self._angles = {-1: (sympy.S.Zero, self.graph.zero)}
        for name, step in self.mechanism.joint_frames.items():
            start = len(self.links)
            self._add(step)
            self.ranges[name] = range(start, len(self.links))

    @cached_property
    def flat(self) -> int | None:
        """The coordinate axis that all links turn about, if there is one."""
        steps = self.mechanism.joint_frames.values()
        fixed = all(step.orientation is step.child_orientation is None for step in steps)
        axes = {_coordinate_axis(step.axis) for step in steps if step.turns}
        return axes.pop() if fixed and len(axes) == 1 else None

    def sense(self, step: JointFrame) -> int:
        """Return whether a link turns about the axis of its step, or the opposite one.

        Where all turn about one axis, all do so in its sense.
        """
        return 1 if self.flat is None or sum(step.axis or ()) == 1 else -1

    def root(self, number: int) -> Components:
        """Return the root of a link in its body's frame."""
        return NOWHERE if number < 0 else self.links[number].offset

    def placed(self, number: int) -> Rotation:
        """Return the turn from a body's axes to those of its link."""
        return SAME if number < 0 else self.links[number].placed

    def vector(self, components: Components, number: int) -> Triple:
        """Return a vector that is fixed in a body, in the axes of its link."""
        return self.placed(number).to_parent(self.triple(components))

    def triple(self, components: Components) -> Triple:
        """Return the cells of the components of a vector."""
        return Triple.made(self.graph.values(components))

    # ------------------------------------------------------------------ made of steps

    def _add(self, step: JointFrame) -> None:
        """Add the links of a step: one for each slide, one for its turn."""
        parent = self.numbers[step.parent]
        freedoms = list(_freedoms(step))
        offset = self.root(parent)
        at = offset_from(step.at, offset)
        for number, (freedom, axis, amount) in enumerate(freedoms):
            last = number == len(freedoms) - 1
            if freedom == "turn":
                sense = self.sense(step)
                axis, amount = _times(axis, sense), sense * amount
            self._append(step, parent, at, freedom, axis, amount, first=number == 0, last=last)
            parent, at = len(self.links) - 1, NOWHERE
        self.numbers[step.child] = parent

    def _append(
        self,
        step: JointFrame,
        parent: int,
        at: Components,
        freedom: FreedomKind,
        axis: Components,
        amount: sympy.Expr,
        *,
        first: bool,
        last: bool,
    ) -> None:
        before = self._fixed(step.orientation) if first else SAME
        after = self._fixed(_transposed(step.child_orientation)) if last else SAME
        motion = self._motion(amount)
        along = self.vector(axis, parent)
        arm = self.vector(at, parent)
        if freedom == "slide":
            arm = arm + before.to_parent(along.times(self.graph.values([amount])[0]))
        spin, placed, about = self._turned(parent, freedom, axis, motion)
        offset = step.child_at if last else NOWHERE
        inertia = self._inertia(step.child if last else "", offset, placed)
        self.links.append(
            Link(
                parent,
                freedom,
                arm,
                before,
                about,
                after,
                along,
                motion,
                spin,
                placed,
                offset,
                inertia,
            )
        )

    def _turned(
        self, parent: int, freedom: FreedomKind, axis: Components, motion: JointMotion
    ) -> tuple[JointMotion, Rotation, Rotation]:
        """Return the spin of a link, how its body stands in it, and how it is turned."""
        here = len(self.links)
        if self.flat is None:
            turn = self._rotation(axis, motion.amount) if freedom == "turn" else SAME
            return motion, SAME, turn
        before = self.links[parent].spin if parent >= 0 else self._motion(sympy.S.Zero)
        if freedom != "turn":
            self._angles[here] = self._angles[parent]
            return before, self.placed(parent), SAME
        total, cell = self._angles[parent]
        own = motion.amount
        self._angles[here] = whole, angle = self._summed(total, cell, own)
        return before + motion, AxisRotation(self.flat, *self.graph.circle(angle, whole)), SAME

    def _summed(self, total: sympy.Expr, cell: Cell, own: sympy.Expr) -> tuple[sympy.Expr, Cell]:
        """Return a sum of angles and its cell, made of those before unless it is shorter."""
        whole = total + own
        if len(sympy.Add.make_args(whole)) <= len(sympy.Add.make_args(own)):
            return whole, self.graph.values([whole])[0]
        return whole, cell + self.graph.values([own])[0]

    def _motion(self, amount: sympy.Expr) -> JointMotion:
        rate = self.mechanism.rate(amount)
        speeds = {u: number for number, u in enumerate(self.mechanism.speeds)}
        slopes = {speeds[u]: rate.diff(u) for u in rate.atoms(sympy.Function) & speeds.keys()}
        return JointMotion(amount, rate, slopes, self.mechanism.rate(rate).xreplace(self._stopped))

    @cached_property
    def _stopped(self) -> dict[sympy.Expr, sympy.Expr]:
        return dict.fromkeys(self.mechanism.accelerations, sympy.S.Zero)

    def _rotation(self, axis: Components, angle: sympy.Expr) -> Rotation:
        (cell,) = self.graph.values([angle])
        cosine, sine = self.graph.circle(cell, angle)
        number = _coordinate_axis(axis)
        if number is not None:
            return AxisRotation(number, cosine, sine if sum(axis) == 1 else -sine)
        x, y, z = self.triple(axis).parts
        one, none = self.graph.one, self.graph.zero
        cross = (Triple((none, -z, y)), Triple((z, none, -x)), Triple((-y, x, none)))
        rows = []
        for row, (unit, part) in enumerate(zip(cross, (x, y, z), strict=True)):
            along = Triple((x, y, z)).times(part * (one - cosine)) + unit.times(sine)
            parts = list(along.parts)
            parts[row] = parts[row] + cosine
            rows.append(Triple.made(parts))
        return RotationMatrix((rows[0], rows[1], rows[2]))

    def _fixed(self, matrix: sympy.ImmutableMatrix | None) -> Rotation:
        if matrix is None:
            return SAME
        x, y, z = (self.triple(tuple(matrix[row, :])) for row in range(3))
        return RotationMatrix((x, y, z))

    def _inertia(self, body: str, offset: Components, placed: Rotation) -> Inertia:
        mass = self.mechanism.masses.get(body)
        if mass is None:
            return Inertia.none(self.graph.zero)
        center = offset_from(self.mechanism.places[body].at, offset)
        own = Inertia.of(mass, self.graph, self.triple(center))
        return own.turned(placed)


def _freedoms(step: JointFrame) -> Iterator[tuple[FreedomKind, Components, sympy.Expr]]:
    """Iterate over the slides of a step and its turn."""
    if step.motion is not None and step.axis is not None and not step.turns:
        yield "slide", step.axis, step.motion
        return
    slides = list(_slides(step))
    for axis, part in slides:
        yield "slide", axis, part
    if step.turns and step.axis is not None:
        yield "turn", step.axis, step.angle
    elif not slides:
        yield "none", NOWHERE, sympy.S.Zero


def _slides(step: JointFrame) -> Iterator[tuple[Components, sympy.Expr]]:
    """Iterate over the lines that a step slides along, and how far: its axis alone if it can."""
    pairs = zip(step.axis or NOWHERE, step.shift, strict=True)
    far = sympy.expand(sympy.Add(*(a * b for a, b in pairs)))
    if far != 0 and step.axis is not None and _times(step.axis, far) == step.shift:
        yield step.axis, far
        return
    for axis, part in zip("xyz", step.shift, strict=True):
        if part != 0:
            yield UNIT[axis], part


def _coordinate_axis(axis: Components | None) -> int | None:
    """Return which coordinate axis an axis is, or is opposite to."""
    sizes = [abs(part) for part in axis or ()]
    return sizes.index(1) if sorted(sizes, key=str) == [0, 0, 1] else None


def _times(axis: Components, factor: Any) -> Components:
    x, y, z = (part * factor for part in axis)
    return x, y, z


def offset_from(one: Components, other: Components) -> Components:
    """Return where a point is from another in the frame of both."""
    x, y, z = (a - b for a, b in zip(one, other, strict=True))
    return x, y, z


def _transposed(matrix: sympy.ImmutableMatrix | None) -> sympy.ImmutableMatrix | None:
    return None if matrix is None else matrix.T
