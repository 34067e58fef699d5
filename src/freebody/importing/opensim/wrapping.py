"""Where the paths of muscles bend about surfaces, and which way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from freebody.importing.description import Description
from freebody.importing.elements import Element
from freebody.importing.opensim.document import Document, called, is_true, last, within
from freebody.importing.opensim.skeleton import Skeleton, inverse
from freebody.importing.placing import Array, Pose, turned
from freebody.importing.writing import number

POSTURES = 60
"""In how many postures it is looked where a path touches a surface."""
_ROUND = ("WrapCylinder", "WrapSphere")


@dataclass(frozen=True)
class PathPlace:
    """A point of a path: the range of a coordinate in which it is there, if it is not always."""

    body: str
    at: Array
    during: tuple[str, float, float] | None = None

    @property
    def toml_entry(self) -> dict[str, Any]:
        """What a model file says of it."""
        said: dict[str, Any] = {"on": self.body}
        if self.at.any():
            said["at"] = [number(part) for part in self.at]
        if self.during is not None:
            coordinate, low, high = self.during
            said["during"] = {"of": coordinate, "lower": number(low), "upper": number(high)}
        return said


@dataclass(frozen=True)
class WrapSurface:
    """A cylinder about its z or a sphere: the body that it is fixed to, and its frame there."""

    body: str
    pose: Pose
    radius: float
    is_sphere: bool
    quadrant: str

    @property
    def toml_entry(self) -> dict[str, Any]:
        """What a model file says of it, but for the turn."""
        said: dict[str, Any] = {"around": self.body, "at": [number(c) for c in self.pose.origin]}
        if self.is_sphere:
            return {**said, "shape": "sphere", "radius": number(self.radius)}
        axis = [number(part) for part in self.pose.rotation[:, 2]]
        return {**said, "axis": axis, "radius": number(self.radius)}


class Wrapping:
    """The surfaces of a model.

    Parameters
    ----------
    document : Document
    description : Description
    skeleton : Skeleton
    frame : callable
        Returns the frame that a body is.
    """

    def __init__(
        self,
        document: Document,
        description: Description,
        skeleton: Skeleton,
        frame: Callable[..., Any],
    ) -> None:
        self.description, self.skeleton = description, skeleton
        self.surfaces: dict[str, WrapSurface | Element] = {}
        for holder in (*document.model.all("Ground"), *document.objects("BodySet")):
            for element in within(holder, "WrapObjectSet", "objects"):
                for shape in element.children:
                    body, _ = skeleton.host(_own(holder, frame), Pose())
                    self.surfaces[called(shape)] = self._surface(shape, _own(holder, frame), body)
        self._poses: dict[tuple[str, int], Pose] = {}

    def _surface(self, shape: Element, own: str, host: str) -> WrapSurface | Element:
        if shape.tag not in _ROUND or not is_true(shape, "active", default=True):
            return shape
        angles = shape.numbers("xyz_body_rotation", 3, np.zeros(3))
        pose = Pose(turned("xyz", angles), shape.numbers("translation", 3, np.zeros(3)))
        _, placed = self.skeleton.host(own, pose)
        quadrant = shape.get("quadrant", "all") or "all"
        return WrapSurface(
            host,
            placed,
            shape.number("radius"),
            shape.tag == "WrapSphere",
            quadrant.removeprefix("+"),
        )

    def wrapped(
        self, path: Element, places: Sequence[PathPlace], muscle: str
    ) -> list[dict[str, Any]]:
        """Return a path with its surfaces between the points where it touches them."""
        taken: dict[int, dict[str, Any]] = {}
        for group in within(path, "PathWrapSet", "objects"):
            for wrap in group.children:
                self._wrap(wrap, places, muscle, taken)
        said: list[dict[str, Any]] = []
        for index, place in enumerate(places):
            said += [place.toml_entry, *([taken[index]] if index in taken else [])]
        return said

    def _wrap(
        self,
        wrap: Element,
        places: Sequence[PathPlace],
        muscle: str,
        taken: dict[int, dict[str, Any]],
    ) -> None:
        name = last(wrap.need("wrap_object"))
        surface = self.surfaces.get(name)
        if surface is None:
            wrap.refuse(f"wrap_object: no surface '{name}'")
        about = f"muscle '{muscle}' about '{name}'"
        if isinstance(surface, Element):
            message = f"path of {about}, a {surface.tag}: its length and arms are without it"
            if not is_true(surface, "active", default=True):
                message = f"path of {about}, which is not active"
            self.description.note("left", message, wrap.line)
            return
        chosen = self._chosen(surface, places, _range(wrap, len(places)), taken)
        if chosen is None:
            message = f"path of {about}, which it touches in none of {POSTURES} postures"
            self.description.note("left", message, wrap.line)
            return
        index, is_counter = chosen
        said = surface.toml_entry
        if not surface.is_sphere:
            said["turn"] = "counterclockwise" if is_counter else "clockwise"
        taken[index] = said
        turn = f", {said['turn']}" if "turn" in said else ""
        where = f"between its points {index + 1} and {index + 2}{turn}"
        message = f"path of {about} bends {where}, at any height of it"
        self.description.note("approximated", message, wrap.line)

    def _chosen(
        self,
        surface: WrapSurface,
        places: Sequence[PathPlace],
        between: range,
        taken: Mapping[int, Any],
    ) -> tuple[int, bool] | None:
        """Return after which point a path touches a surface in the most postures, and which way."""
        counts: dict[tuple[int, bool], int] = {}
        for posture in range(POSTURES):
            into = inverse(self._pose(surface.body, posture).then(surface.pose))
            local = [
                into.place(self._pose(place.body, posture).place(place.at)) for place in places
            ]
            for index, (one, other) in enumerate(pairwise(local)):
                ends = places[index : index + 2]
                free = (
                    any(end.during for end in ends) or {index - 1, index, index + 1} & taken.keys()
                )
                if index not in between or free:
                    continue
                touched = _touched(one, other, surface)
                if touched is not None:
                    counts[index, touched] = counts.get((index, touched), 0) + 1
        return max(counts, key=lambda key: counts[key]) if counts else None

    def _pose(self, body: str, posture: int) -> Pose:
        """Return where a body is in a posture: as the model stands, or at random in its ranges."""
        if (body, posture) not in self._poses:
            self._poses[body, posture] = self.skeleton.pose(body, self._postures[posture])
        return self._poses[body, posture]

    @cached_property
    def _postures(self) -> list[dict[str, float]]:
        coordinates, random = self.description.coordinates, np.random.default_rng(0)
        start = {name: one.initial for name, one in coordinates.items()}
        drawn = (
            {name: _drawn(one, random) for name, one in coordinates.items()}
            for _ in range(1, POSTURES)
        )
        return [start, *drawn]


def _own(holder: Element, frame: Callable[..., Any]) -> str:
    if holder.tag == "Ground":
        return "ground"
    body: str = frame(_socket(holder), "socket").body
    return body


def _socket(body: Element) -> Element:
    return Element(body.tag, {"socket": called(body)}, body.file, body.line)


def _drawn(coordinate: Any, random: Any) -> float:
    low, high = coordinate.range or (coordinate.initial - 0.5, coordinate.initial + 0.5)
    return float(random.uniform(low, high))


def _range(wrap: Element, count: int) -> range:
    """Return after which points a path may bend."""
    start, end = wrap.numbers("range", 2, np.array([-1.0, -1.0]))
    first = 0 if start < 1 else int(start) - 1
    final = count - 1 if end < 1 else int(end) - 1
    return range(first, final)


def _touched(one: Array, other: Array, surface: WrapSurface) -> bool | None:
    """Return whether a path bends counterclockwise about z; None where it does not touch."""
    if surface.is_sphere:
        return True if _nearest(one, other) < surface.radius else None
    flat = one[:2], other[:2]
    if min(map(np.linalg.norm, flat)) <= surface.radius:
        return None
    if surface.quadrant in ("x", "-x", "y", "-y"):
        is_counter = _side(flat, surface.quadrant)
        return is_counter if _bends(flat, surface.radius, is_counter) else None
    if _nearest(*flat) >= surface.radius:
        return None
    return bool(flat[0][0] * flat[1][1] - flat[0][1] * flat[1][0] > 0)


def _side(flat: tuple[Array, Array], quadrant: str) -> bool:
    """Return whether a path on this side of the axis goes counterclockwise about it."""
    along = flat[1] - flat[0]
    return {
        "x": along[1] > 0,
        "-x": along[1] < 0,
        "y": along[0] < 0,
        "-y": along[0] > 0,
    }[quadrant]


def _bends(flat: tuple[Array, Array], radius: float, is_counter: bool) -> bool:
    first, second = (float(np.arctan2(part[1], part[0])) for part in flat)
    angle = (second - first if is_counter else first - second) % (2 * np.pi)
    tangents = sum(np.arccos(radius / np.linalg.norm(part)) for part in flat)
    return bool(angle > tangents)


def _nearest(one: Array, other: Array) -> float:
    """Return how near a straight line between two points comes to the origin."""
    along = other - one
    square = float(along @ along)
    share = min(max(-float(one @ along) / square, 0.0), 1.0) if square else 0.0
    return float(np.linalg.norm(one + share * along))
