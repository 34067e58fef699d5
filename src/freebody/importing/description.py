"""What the readers of all formats hand over: bodies, how they move, what acts on them, in numbers.

A body has any number of freedoms, one after another, as in MJCF; one without freedoms is fixed to
its parent. What stands in an expression as a number is a parameter with a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from freebody.algebra.expressions import RESERVED
from freebody.errors import ModelError
from freebody.importing.placing import Array, Inertial, Pose
from freebody.model.marks import GROUND

Kind = Literal["taken", "merged", "renamed", "approximated", "left"]
Motion = Literal["pin", "slider", "planar", "spherical", "free", "custom", "weld"]
MoveKind = Literal["along", "about"]
LONGEST = 50
"""Most letters of a name, to which others are added."""


@dataclass(frozen=True)
class Note:
    """What became of a part of a file.

    Attributes
    ----------
    kind : {"taken", "merged", "renamed", "approximated", "left"}
    what : str
        In words.
    line : int or None
        Where it first stands in the file.
    """

    kind: Kind
    what: str
    line: int | None = None


@dataclass
class Coordinate:
    """A generalized coordinate."""

    title: str
    unit: str
    initial: float = 0.0
    range: tuple[float, float] | None = None


@dataclass
class Parameter:
    """A number that stands in an expression."""

    title: str
    unit: str
    value: float
    of: str = ""


@dataclass
class Move:
    """A shift along an axis, or a turn about one, by an expression, with its actuator."""

    kind: MoveKind
    axis: Array
    by: str
    drive: str | None = None


@dataclass
class Freedom:
    """How a body may move in what carries it.

    Attributes
    ----------
    kind : {"pin", "slider", "planar", "spherical", "free", "custom", "weld"}
        A weld is of a frame that stays one.
    name : str
    values : tuple of str
        Expressions of the coordinates: an angle, a displacement; three angles; two displacements
        and an angle; three displacements and three angles.
    axis : array, shape (3,)
        In the body's frame.
    at : array, shape (3,)
        Its point in the body's frame.
    drive : str
        The torque or force of its actuators.
    moves : list of Move
        Of a custom one.
    socket : Pose, optional
        Of the joint's frame in the body, whose pose is then that of this frame in the parent.
    """

    kind: Motion
    name: str
    values: tuple[str, ...]
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    at: Array = field(default_factory=lambda: np.zeros(3))
    drive: Any = None
    moves: list[Move] = field(default_factory=list)
    socket: Pose | None = None


@dataclass
class Body:
    """A body, and how it is carried."""

    name: str
    parent: str
    pose: Pose = field(default_factory=Pose)
    inertial: Inertial = field(default_factory=Inertial)
    freedoms: list[Freedom] = field(default_factory=list)
    with_it: list[str] = field(default_factory=list)
    by_geoms: bool = False
    is_frame: bool = False
    problem: ModelError | None = None


@dataclass
class Closure:
    """Two places that stay together, each of a body, or two bodies that stay parallel."""

    name: str
    ends: tuple[tuple[str, Array], tuple[str, Array]]
    axes: tuple[str, ...] = ()
    dependent: tuple[str, ...] = ()
    turns: bool = False


@dataclass
class Description:
    """A model of a file, in numbers and with valid names."""

    title: str
    source: Path
    gravity: Array
    bodies: dict[str, Body] = field(default_factory=dict)
    coordinates: dict[str, Coordinate] = field(default_factory=dict)
    inputs: dict[str, Coordinate] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    functions: dict[str, dict[str, Any]] = field(default_factory=dict)
    points: dict[str, tuple[str, Array]] = field(default_factory=dict)
    lifts: list[tuple[str, Array, Array]] = field(default_factory=list)
    slopes: list[tuple[str, str, float]] = field(default_factory=list)
    closures: list[Closure] = field(default_factory=list)
    loads: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    counts: Counter[tuple[Kind, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.names = Names(self)

    def note(self, kind: Kind, what: str, line: int | None = None) -> None:
        """Tell what became of something."""
        self.notes.append(Note(kind, what, line))

    def count(self, kind: Kind, what: str) -> None:
        """Tell what became of something of which there are many."""
        self.counts[kind, what] += 1

    def load(self, section: str, **entry: Any) -> None:
        """Add an entry to a section of the model file, such as ``springs``."""
        self.loads.setdefault(section, []).append(entry)

    def parameter(self, name: str, value: float, unit: str, title: str, of: str = "") -> str:
        """Add a number that stands in an expression; return its name."""
        given = self.names.made(name)
        self.parameters[given] = Parameter(title, unit, value, of)
        return given

    def merge(self) -> None:
        """Let each body that is fixed to its parent become part of it."""
        for body in [body for body in self.bodies.values() if not body.freedoms]:
            self._merge(body)
        for body in self.bodies.values():
            if body.problem is not None:
                raise body.problem

    def _merge(self, body: Body) -> None:
        del self.bodies[body.name]
        for child in self.bodies.values():
            if child.parent == body.name:
                child.parent, child.pose = body.parent, body.pose.then(child.pose)
        for name, (on, at) in list(self.points.items()):
            if on == body.name:
                self.points[name] = body.parent, body.pose.place(at)
        self.points[body.name] = body.parent, body.pose.origin
        for closure in self.closures:
            one, other = (
                (body.parent, body.pose.place(at)) if on == body.name else (on, at)
                for on, at in closure.ends
            )
            closure.ends = one, other
        for torque in self.loads.get("torques", []):
            if torque.get("reaction_on") == body.name:
                torque["reaction_on"] = body.parent
        self.lifts = [
            (body.parent, body.pose.place(at), force) if on == body.name else (on, at, force)
            for on, at, force in self.lifts
        ]
        self._merged_into(body)

    def _merged_into(self, body: Body) -> None:
        parent = self.bodies.get(body.parent)
        if parent is None:
            self.note("merged", f"'{body.name}' is fixed to the ground")
            return
        parent.inertial = parent.inertial + body.inertial.seen_from(body.pose)
        parent.problem = parent.problem or body.problem
        parent.with_it += [body.name, *body.with_it]
        self.note("merged", f"'{body.name}' is fixed to '{body.parent}', and part of it")

    def outward(self) -> Iterator[Body]:
        """Iterate over the bodies, each after what carries it, else as in the file."""
        waiting, reached = list(self.bodies.values()), {GROUND}
        while waiting:
            body = next(body for body in waiting if body.parent in reached)
            waiting.remove(body)
            reached.add(body.name)
            yield body

    def weightless(self) -> Iterator[Body]:
        """Iterate over the bodies that move, but neither have mass nor carry any."""
        heavy: set[str] = set()
        for body in reversed(list(self.outward())):
            if body.is_frame:
                continue
            if not body.inertial.is_none or body.name in heavy:
                heavy.add(body.parent)
            else:
                yield body


# ------------------------------------------------------------------ names


class Names:
    """Valid names, each given once in its section: of parts, and of quantities."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self._renamed: set[str] = set()
        self._taken = {"parts": {GROUND}, "quantities": set(RESERVED)}

    def part(self, name: str, what: str = "") -> str:
        """Return the name of a body, joint or point, with what it is where another has it."""
        if what and valid(name) in self._taken["parts"]:
            return self.made_part(f"{name}_{what}")
        return self._noted_name("parts", name, ("",))

    def quantity(self, name: str, before: str = "") -> str:
        """Return the name of a coordinate or an input, with a word before it if it is taken."""
        if before and valid(name) in self._taken["quantities"]:
            name = f"{before}_{name}"
        return self._noted_name("quantities", name, ("", "_dot", "_ddot"))

    def made(self, name: str) -> str:
        """Return the name of a quantity that has none in the file."""
        return self._given("quantities", name, ("", "_dot", "_ddot"))

    def made_part(self, name: str) -> str:
        """Return the name of a part that has none in the file."""
        return self._given("parts", name, ("",))

    def force(self, name: str) -> str:
        """Return the name of a constraint, which is that of its force too."""
        new, number = valid(name), 2
        while any(new in taken for taken in self._taken.values()):
            ending = "constraint" if number == 2 else f"constraint_{number - 1}"
            new, number = f"{valid(name)}_{ending}", number + 1
        for taken in self._taken.values():
            taken.add(new)
        if new != name:
            self._tell(name, new)
        return new

    def _noted_name(self, section: str, name: str, ends: tuple[str, ...]) -> str:
        new = self._given(section, name, ends)
        if new != name:
            self._tell(name, new)
        return new

    def _tell(self, name: str, new: str) -> None:
        """Tell of a name that is changed, once where a joint and its coordinate have it."""
        what = f"'{name}' is '{new}'"
        if what not in self._renamed:
            self._renamed.add(what)
            self.description.note("renamed", what)

    def _given(self, section: str, name: str, ends: tuple[str, ...]) -> str:
        plain, taken = valid(name), self._taken[section]
        new, number = plain, 2
        while any(f"{new}{end}" in taken for end in ends):
            new, number = f"{plain}_{number}", number + 1
        taken |= {f"{new}{end}" for end in ends}
        return new


def valid(name: str) -> str:
    """Return a name of letters, digits and underscores that is like another.

    Examples
    --------
    >>> valid("left/hip-yaw joint"), valid("2nd"), valid("")
    ('left_hip_yaw_joint', 'n2nd', 'n')
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name)
    plain = plain if plain[:1].isalpha() else f"n{plain}"
    return plain[:LONGEST].rstrip("_")
