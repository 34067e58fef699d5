"""What is drawn of a mechanism: solids of bodies, marks of joints, links between places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from freebody.arrays import Array
from freebody.drawing.instants import Numbers
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Components, JointFrame
from freebody.model.joints import Pin, Slider
from freebody.model.muscles import Surface
from freebody.model.parts import Body, Placement

Kind = Literal["capsule", "box", "cylinder", "ball", "ellipsoid", "line"]
THIN, WIDE, BALL = (0.014, 0.03), 0.06, 0.04
"""Least and largest radius of a limb, half the side of a block, and the radius of a particle, as
parts of the size."""
SLENDER = 0.09
"""The radius of a limb as a part of its length, between these."""
FLAT = 0.12
"""The least half extent of a solid that inertia gives, as a part of its largest."""
JOINTS = {"universal": "ball", "spherical": "ball", "weld": "weld", "slider": "slider"}


@dataclass(frozen=True)
class Solid:
    """A solid that is fixed in a body.

    Attributes
    ----------
    kind : str
        ``"capsule"`` and ``"line"`` lie along their first axis, ``"cylinder"`` along its third.
    body : str
    center : array, shape (3,)
        In the body's frame, in m.
    axes : array, shape (3, 3)
        Its axes as columns, in the body's frame.
    half : array, shape (3,)
        Its half extents; of a capsule half the length between the centres of its ends, and twice
        its radius.
    """

    kind: Kind
    body: str
    center: Array
    axes: Array
    half: Array


@dataclass(frozen=True)
class Mark:
    """A joint, where it is on its child.

    Attributes
    ----------
    kind : {"pin", "ball", "slider", "weld", "free"}
    joint, frame : str
    at, axis : array, shape (3,)
        In the frame; the axis is zero where there is no single one.
    on_ground : bool
    """

    kind: str
    joint: str
    frame: str
    at: Array
    axis: Array
    on_ground: bool


@dataclass(frozen=True)
class Link:
    """What leads from place to place: a spring, a damper, a rail or a muscle.

    Attributes
    ----------
    kind : {"spring", "damper", "rail", "muscle"}
    name : str
        The input that is the tension of a muscle; else empty.
    through : tuple
        Pairs of a frame and components, or surfaces that a muscle bends about.
    strength : str or float, optional
        The stiffness of a spring, the damping of a damper, or the tension of a muscle, as the
        model says it; nothing where a law does.
    """

    kind: str
    name: str
    through: tuple[tuple[str, Components] | Surface, ...]
    strength: Any = None


class Scene:
    """What is drawn of a mechanism, whatever its posture.

    Parameters
    ----------
    mechanism : Mechanism
    constants : mapping of str to float

    Attributes
    ----------
    size : float
        A length by which what has none of its own is drawn, in m.
    """

    def __init__(self, mechanism: Mechanism, constants: Mapping[str, float]) -> None:
        self.mechanism, self.model = mechanism, mechanism.model
        names = mechanism.names.constants
        self.numbers = Numbers({names[name]: value for name, value in constants.items()})
        self.size = self._size()

    def _size(self) -> float:
        """Return how far the longest chain of bodies reaches from the ground."""
        roots = [joint.child for joint in self.model.joints if joint.parent == "ground"]
        reach = [self._reach(body) for body in roots]
        return max((*reach, *map(self._radius, self.bodies), 0.4 * self._away)) or 1.0

    def _reach(self, body: str) -> float:
        start = self.start(body)
        ends = [float(np.linalg.norm(end - start)) for end in self.ends(body)]
        for joint in self.model.joints:
            if joint.parent == body:
                at = self.components(joint.at)
                ends.append(float(np.linalg.norm(at - start)) + self._reach(joint.child))
        return max(ends, default=0.0)

    @property
    def _away(self) -> float:
        """The largest length among the initial coordinates."""
        entries = self.model.coordinates.values()
        lengths = [one.initial for one in entries if one.unit == "m" and one.initial is not None]
        values = self.numbers.values([self.mechanism.read(one) for one in lengths])
        return max(map(abs, values), default=0.0)

    @property
    def bodies(self) -> list[str]:
        """The bodies that a joint leads to."""
        return [joint.child for joint in self.model.joints]

    def components(self, parts: Sequence[Any]) -> Array:
        """Return components of the model in numbers."""
        return np.array(self.numbers.values([self.mechanism.read(part) for part in parts]))

    # ------------------------------------------------------------------ points of bodies

    def start(self, body: str) -> Array:
        """Return the inner joint of a body in its frame."""
        joint = next(one for one in self.model.joints if one.child == body)
        return self.components(joint.child_at)

    def ends(self, body: str) -> list[Array]:
        """Return the other points of a body, in its frame: joints, its centre and named points."""
        joints = [self.components(one.at) for one in self.model.joints if one.parent == body]
        places = self.mechanism.places.items()
        named = [
            np.array(self.numbers.values(place.at))
            for name, place in places
            if place.on == body and name not in self.mechanism.joints
        ]
        start, found = self.start(body), list[Array]()
        for point in (*joints, *named):
            if all(np.linalg.norm(point - other) > 1e-9 for other in (start, *found)):
                found.append(point)
        return found

    def _limbs(self, body: str) -> Iterator[tuple[Array, Array]]:
        """Iterate over the lines from the inner joint, without those that lie in longer ones."""
        start, kept = self.start(body), list[Array]()
        for end in sorted(self.ends(body), key=lambda end: -float(np.linalg.norm(end - start))):
            along = end - start
            if not any(_lies_along(along, longer) for longer in kept):
                kept.append(along)
                yield start, end

    # ------------------------------------------------------------------ solids

    @cached_property
    def solids(self) -> tuple[Solid, ...]:
        """The solids of all bodies."""
        return tuple(one for body in self.model.bodies for one in self._solids(body))

    def of(self, body: str) -> list[Solid]:
        """Return the solids of a body."""
        return [one for one in self.solids if one.body == body]

    def _solids(self, body: Body) -> Iterator[Solid]:
        radius, limbs = self._radius(body.name), list(self._limbs(body.name))
        if radius:
            yield self._wheel(body.name, radius)
        elif body.shape is not None:
            yield self._shaped(body, body.shape, limbs)
        elif (half := self._by_inertia(body.name, 5.0)) is not None:
            solid = Solid("ellipsoid", body.name, self._center(body.name), *half)
            yield solid
            yield from (self._limb(body.name, *one, "line") for one in _sticking_out(solid, limbs))
        elif limbs:
            massive = body.name in self.mechanism.masses
            kind: Kind = "capsule" if massive else "line"
            yield from (self._limb(body.name, *ends, kind) for ends in limbs)
        elif body.name in self.mechanism.masses:
            yield self._lump(body)

    def _shaped(self, body: Body, kind: Kind, limbs: list[tuple[Array, Array]]) -> Solid:
        """Return a solid of a kind that the model wants, as large as inertia or limbs say."""
        if kind in ("capsule", "line") and limbs:
            return self._limb(body.name, *limbs[0], kind)
        factor = {"box": 3.0, "cylinder": 4.0}.get(kind, 5.0)
        half = None if kind == "ball" else self._by_inertia(body.name, factor)
        if half is not None:
            return Solid(kind, body.name, self._center(body.name), *half)
        if kind in ("box", "cylinder", "ellipsoid") and limbs:
            return self._thick(body.name, *limbs[0], kind)
        extent = BALL if kind in ("ball", "capsule", "line") else WIDE
        shown: Kind = "ball" if kind in ("capsule", "line") else kind
        half_extents = np.full(3, extent * self.size)
        return Solid(shown, body.name, self._center(body.name), np.eye(3), half_extents)

    def _lump(self, body: Body) -> Solid:
        """Return a body without length: a block where it slides, else a ball."""
        joint = next(one for one in self.model.joints if one.child == body.name)
        if not isinstance(joint, Slider):
            half = np.full(3, BALL * self.size)
            return Solid("ball", body.name, self._center(body.name), np.eye(3), half)
        axis = self.components(joint.axis)
        half = np.array([1.5, 1.0, 1.0]) * WIDE * self.size
        return Solid("box", body.name, self._center(body.name), frame_along(axis), half)

    def _limb(self, body: str, start: Array, end: Array, kind: Kind) -> Solid:
        length = float(np.linalg.norm(end - start))
        least, most = (part * self.size for part in THIN)
        thick = 0.0 if kind == "line" else float(np.clip(SLENDER * length, least, most))
        half = np.array([length / 2, thick, thick])
        return Solid(kind, body, (start + end) / 2, frame_along(end - start), half)

    def _thick(self, body: str, start: Array, end: Array, kind: Kind) -> Solid:
        """Return a solid about the line between two points."""
        limb, wide = self._limb(body, start, end, "line"), WIDE * self.size
        half = np.array([limb.half[0], wide, wide])
        order = [1, 2, 0] if kind == "cylinder" else [0, 1, 2]
        return Solid(kind, body, limb.center, limb.axes[:, order], half[order])

    def _wheel(self, body: str, radius: float) -> Solid:
        """Return a wheel about the axis of its joint."""
        axis = np.array(self.numbers.values(self._step(body).axis_in_child))
        axes = frame_along(axis)[:, [1, 2, 0]]
        half = np.array([radius, radius, FLAT * radius])
        return Solid("cylinder", body, self._center(body), axes, half)

    def _step(self, body: str) -> JointFrame:
        joint = next(one for one in self.model.joints if one.child == body)
        return self.mechanism.joint_frames[joint.name]

    def _radius(self, body: str) -> float:
        """Return how far the centre of a body that rolls is from where it touches."""
        for one in self.model.constraints:
            if one.type == "wheel" and one.on == body:
                read = self.mechanism.read
                return float(sum(self.numbers.values([read(one.radius), read(one.section)])))
            if one.type == "rolling" and one.on == body and self._step(body).axis is not None:
                x, y, z = map(self.mechanism.read, one.contact.at)
                away = self._still.at(one.contact.on, (x, y, z)) - self._still.position(body)
                return float(np.linalg.norm([float(part) for part in away.parts]))
        return 0.0

    @cached_property
    def _still(self) -> Kinematics:
        """The mechanism where all coordinates are zero."""
        return Kinematics(self.mechanism, self.numbers)

    def _center(self, body: str) -> Array:
        place = self.mechanism.places.get(body)
        return np.zeros(3) if place is None else np.array(self.numbers.values(place.at))

    def _by_inertia(self, body: str, factor: float) -> tuple[Array, Array] | None:
        """Return principal axes and half extents of the homogeneous solid with a body's inertia.

        A half extent a of an ellipsoid adds m a²/5 to the two moments about the other axes, that
        of a block m a²/3, a radius of a cylinder about m a²/4.
        """
        mass = self.mechanism.masses.get(body)
        if mass is None or mass.inertia is None:
            return None
        matrix = np.array(self.numbers.values(list(mass.inertia))).reshape(3, 3)
        (weight,) = self.numbers.values([mass.mass])
        moments, axes = np.linalg.eigh(matrix)
        if weight <= 0 or moments[0] <= 0 or not self._is_spatial(body):
            return None
        squares = factor * (moments.sum() / 2 - moments) / weight
        if np.allclose(matrix, np.diag(np.diag(matrix))):
            axes, squares = np.eye(3), factor * (np.trace(matrix) / 2 - np.diag(matrix)) / weight
        axes = axes * np.array([1, 1, np.sign(np.linalg.det(axes))])  # right-handed
        half = np.sqrt(np.maximum(squares, 0.0))
        return axes, np.maximum(half, FLAT * half.max())

    def _is_spatial(self, body: str) -> bool:
        """Whether all three moments of inertia of a body are given."""
        entry = next(one for one in self.model.bodies if one.name == body)
        return isinstance(entry.inertia, tuple)

    # ------------------------------------------------------------------ joints and links

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The joints that are drawn."""
        return tuple(map(self._mark, self.model.joints))

    def _mark(self, joint: Any) -> Mark:
        step = self.mechanism.joint_frames[joint.name]
        kind = JOINTS.get(joint.type, "pin" if isinstance(joint, Pin) else "free")
        axis = np.array(self.numbers.values(step.axis_in_child))
        at = np.array(self.numbers.values(step.child_at))
        return Mark(kind, joint.name, joint.child, at, axis, joint.parent == "ground")

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Springs, dampers, rails and muscles."""
        return (*self._acting(), *self._rails(), *self._muscles())

    def _acting(self) -> Iterator[Link]:
        kinds: tuple[tuple[str, Any, str], ...] = (
            ("spring", self.model.springs, "stiffness"),
            ("damper", self.model.dampers, "damping"),
        )
        for kind, entries, name in kinds:
            for one in entries:
                strength = None if one.law is not None else getattr(one, name)
                if one.between is not None:
                    yield Link(kind, "", tuple(map(self._placed, one.between)), strength)
                elif (joint := self._slider(one.joint)) is not None:
                    yield Link(kind, "", self._track(joint), strength)

    def _rails(self) -> Iterator[Link]:
        sprung = {one.joint for one in (*self.model.springs, *self.model.dampers)}
        for joint in self.model.joints:
            turns = joint.parent != "ground" and not self._is_carried_by_slider(joint.parent)
            if isinstance(joint, Slider) and turns and joint.name not in sprung:
                yield Link("rail", "", self._track(joint))

    def _is_carried_by_slider(self, body: str) -> bool:
        return any(isinstance(one, Slider) for one in self.model.joints if one.child == body)

    def _muscles(self) -> Iterator[Link]:
        for muscle in self.model.muscles:
            if muscle.path is not None:
                way = tuple(map(self._placed, muscle.path))
                yield Link("muscle", muscle.tension, way, muscle.tension)

    def _slider(self, name: str | None) -> Slider | None:
        joints = (one for one in self.model.joints if one.name == name)
        return next((one for one in joints if isinstance(one, Slider)), None)

    def _track(self, joint: Slider) -> tuple[tuple[str, Components], ...]:
        x, y, z = map(self.mechanism.read, joint.at)
        step = self.mechanism.joint_frames[joint.name]
        return (joint.parent, (x, y, z)), (joint.child, step.child_at)

    def _placed(self, part: Any) -> tuple[str, Components] | Surface:
        if isinstance(part, Surface):
            return part
        if isinstance(part, Placement):
            x, y, z = map(self.mechanism.read, part.at)
            return part.on, (x, y, z)
        place = self.mechanism.places[part]
        return place.on, place.at

    @cached_property
    def planes(self) -> tuple[tuple[Array, float], ...]:
        """The planes that bodies touch: their normals, and how high they lie along them."""
        found = dict[tuple[float, ...], tuple[Array, float]]()
        for contact in self.model.contacts:
            normal = self.components(contact.normal)
            normal = normal / max(float(np.linalg.norm(normal)), 1e-12)
            (height,) = self.numbers.values([self.mechanism.read(contact.height)])
            found.setdefault((*normal.round(9), round(height, 9)), (normal, float(height)))
        return tuple(found.values())


def frame_along(axis: Array) -> Array:
    """Return a right-handed frame as columns, the first of them along an axis.

    Examples
    --------
    >>> frame_along(np.array([0.0, 0.0, 2.0]))[:, 0]
    array([0., 0., 1.])
    """
    size = float(np.linalg.norm(axis))
    first = axis / size if size > 1e-12 else np.array([1.0, 0.0, 0.0])
    seed = np.eye(3)[2] if abs(first[2]) < 0.9 else np.eye(3)[1]
    second = np.cross(seed, first)
    second = second / np.linalg.norm(second)
    return np.stack([first, second, np.cross(first, second)], axis=-1)


def _lies_along(short: Array, long: Array) -> bool:
    """Whether a vector is a part of a longer one."""
    aside = np.linalg.norm(np.cross(short, long))
    return bool(aside <= 1e-6 * np.linalg.norm(long) ** 2 and short @ long > 0)


def _sticking_out(
    solid: Solid, limbs: Sequence[tuple[Array, Array]]
) -> Iterator[tuple[Array, Array]]:
    """Iterate over the limbs that are not inside a solid."""
    for start, end in limbs:
        inside = [
            np.linalg.norm((p - solid.center) @ solid.axes / solid.half) for p in (start, end)
        ]
        if max(inside) > 0.9:
            yield start, end
