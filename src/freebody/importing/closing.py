"""Loops closed in points and by welds: which of their equations are kept, and what they decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from freebody.importing.description import Body, Closure, Description, Freedom
from freebody.importing.placing import Array, Pose, of_quaternion
from freebody.model.marks import GROUND

_FOLLOWS = 1e-7
"""What is left of an equation, beside the largest, where it follows from the others."""
_MET = 1e-9
"""How far ends may be apart or turned that have met, in m or rad."""
_STRIDE = 0.3
"""The largest step towards where they meet, in rad or m."""
_APART = 0.1
"""How far from the drawn position the equations are looked at, in rad or m."""


@dataclass(frozen=True)
class _Column:
    """How a place moves with a coordinate: by a turn about an axis in a point, or a shift."""

    coordinate: str
    axis: Array
    at: Array | None


class Positions:
    """Where the bodies are, the joints so far from where they are drawn.

    Parameters
    ----------
    description : Description
    moved : mapping of str to float
        By coordinate; what is not there is as it is drawn.
    """

    def __init__(self, description: Description, moved: Mapping[str, float]) -> None:
        self.description, self.moved = description, moved
        self.poses: dict[str, Pose] = {GROUND: Pose()}
        self.columns: dict[str, list[_Column]] = {GROUND: []}
        for body in description.outward():
            self._place(body)

    def _place(self, body: Body) -> None:
        self.pose = self.poses[body.parent].then(body.pose)
        self.found = list(self.columns[body.parent])
        for freedom in body.freedoms:
            self._move(freedom)
        self.poses[body.name], self.columns[body.name] = self.pose, self.found

    def _move(self, freedom: Freedom) -> None:
        values = [value.partition(" - ")[0] for value in freedom.values]
        if freedom.kind == "pin":
            self._turn(values[0], freedom.axis / np.linalg.norm(freedom.axis), freedom.at)
        elif freedom.kind == "slider":
            self._shift(values[0], freedom.axis / np.linalg.norm(freedom.axis))
        elif freedom.kind != "weld":
            for value, axis in zip(values[:-3], np.eye(3), strict=False):
                self._shift(value, axis, self._start(freedom, value))
            for value, axis in zip(values[-3:], np.eye(3), strict=True):
                self._turn(value, axis, freedom.at, self._start(freedom, value))

    def _start(self, freedom: Freedom, coordinate: str) -> float:
        drawn = freedom.kind == "free"
        return self.description.coordinates[coordinate].initial if drawn else 0.0

    def _shift(self, coordinate: str, axis: Array, start: float = 0.0) -> None:
        along = self.pose.rotation @ axis
        self.found.append(_Column(coordinate, along, None))
        shift = (start + self.moved.get(coordinate, 0.0)) * along
        self.pose = Pose(self.pose.rotation, self.pose.origin + shift)

    def _turn(self, coordinate: str, axis: Array, at: Array, start: float = 0.0) -> None:
        self.found.append(_Column(coordinate, self.pose.rotation @ axis, self.pose.place(at)))
        half = (start + self.moved.get(coordinate, 0.0)) / 2
        turn = of_quaternion(np.array([np.cos(half), *(np.sin(half) * axis)]))
        self.pose = self.pose.then(Pose(turn, at - turn @ at))

    def gradient(self, on: str, at: Array) -> Array:
        """Return how a place of a body moves with each coordinate, in the columns of a matrix."""
        names = list(self.description.coordinates)
        rows, place = np.zeros((3, len(names))), self.poses[on].place(at)
        for column in self.columns[on]:
            lever = None if column.at is None else place - column.at
            moves = column.axis if lever is None else np.cross(column.axis, lever)
            rows[:, names.index(column.coordinate)] += moves
        return rows

    def turning(self, on: str) -> Array:
        """Return how a body turns with each coordinate, in the columns of a matrix."""
        names = list(self.description.coordinates)
        rows = np.zeros((3, len(names)))
        for column in self.columns[on]:
            if column.at is not None:
                rows[:, names.index(column.coordinate)] += column.axis
        return rows


def close(description: Description) -> None:
    """Choose the equations of all closures, and the coordinates that follow from them.

    An equation that follows from the others, as across the plane of a planar loop, is left out and
    told.
    """
    if not description.closures:
        return
    if any(closure.turns for closure in description.closures):
        _meet(description)
    random = np.random.default_rng(0)
    moved = dict.fromkeys(description.coordinates, 0.0)
    moved = {name: _APART * random.uniform(-1, 1) for name in moved}
    left = np.vstack([_rows(Positions(description, moved), one) for one in description.closures])
    names, largest = list(description.coordinates), np.abs(left).max(initial=0)
    kept: dict[int, str] = {}
    for own, other, slope in reversed(description.slopes):
        if other:
            left[:, names.index(other)] += slope * left[:, names.index(own)]
        left[:, names.index(own)] = 0
    while largest and np.abs(left).max() > _FOLLOWS * largest:
        row, column = np.unravel_index(np.abs(left).argmax(), left.shape)
        kept[int(row)] = names[column]
        left = left - np.outer(left[:, column] / left[row, column], left[row])
        left[:, column] = 0
    for number, closure in enumerate(description.closures):
        _decide(description, closure, {k: kept.get(3 * number + k) for k in range(3)})
    description.closures = [one for one in description.closures if one.axes]


def _meet(description: Description) -> None:
    """Let the coordinates start where welds are closed, if the file draws them open.

    What is parallel is so in several ways, of which a simulation may find another.
    """
    names = list(description.coordinates)
    moved = np.zeros(len(names))
    for _ in range(200):
        positions = Positions(description, dict(zip(names, moved, strict=True)))
        gaps = np.concatenate([_gap(positions, one) for one in description.closures])
        if np.abs(gaps).max() < _MET:
            break
        rows = np.vstack([_moves(positions, one) for one in description.closures])
        for own, other, slope in reversed(description.slopes):
            if other:
                rows[:, names.index(other)] += slope * rows[:, names.index(own)]
            rows[:, names.index(own)] = 0
        step = np.linalg.lstsq(rows, -gaps, rcond=_FOLLOWS)[0]
        moved += step * min(1.0, _STRIDE / max(float(np.abs(step).max()), _MET))
        for own, other, slope in description.slopes:
            moved[names.index(own)] = slope * moved[names.index(other)] if other else 0.0
    else:
        description.note("left", "where the welds are closed was not found: give initial values")
        return
    if np.abs(moved).max() > _MET:
        for name, shift in zip(names, moved, strict=True):
            description.coordinates[name].initial += float(shift)
        description.note("taken", "the coordinates start where the welds are closed")


def _gap(positions: Positions, closure: Closure) -> Array:
    """Return how far the ends of a closure are apart, or by what they are turned."""
    from scipy.spatial.transform import Rotation

    (first, at), (second, end) = closure.ends
    one, other = positions.poses[first], positions.poses[second]
    if not closure.turns:
        return other.place(end) - one.place(at)
    turn: Array = Rotation.from_matrix(other.rotation @ one.rotation.T).as_rotvec()
    return turn


def _moves(positions: Positions, closure: Closure) -> Array:
    """Return how the second end of a closure moves against the first, or turns."""
    one, other = closure.ends
    if closure.turns:
        return positions.turning(other[0]) - positions.turning(one[0])
    return positions.gradient(*other) - positions.gradient(*one)


def _rows(positions: Positions, closure: Closure) -> Array:
    """Return how the equations of a closure change with each coordinate."""
    moves = _moves(positions, closure)
    if not closure.turns:
        return moves
    to, on = (positions.poses[end].rotation.T for end, _ in closure.ends)
    normals = [np.cross(on[(k + 1) % 3], to[(k + 2) % 3]) for k in range(3)]
    turned: Array = normals @ moves
    return turned


def _decide(description: Description, closure: Closure, kept: Mapping[int, str | None]) -> None:
    closure.axes = tuple("xyz"[k] for k, name in kept.items() if name)
    closure.dependent = tuple(name for name in kept.values() if name)
    for axis in (axis for axis in "xyz" if axis not in closure.axes):
        way = "about" if closure.turns else "along"
        message = f"equation of '{closure.name}' {way} {axis}, which follows from the others"
        description.note("left", message)
