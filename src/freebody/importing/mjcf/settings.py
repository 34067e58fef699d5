"""What holds for a whole MJCF file: what it includes, options, classes of defaults, frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import pi
from pathlib import Path

import numpy as np

from freebody.errors import nearest
from freebody.importing.elements import Element, read, shown
from freebody.importing.placing import Array, Pose, of_quaternion, to_axis, turn

MAX_FILES = 100
ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder"),
    *("muscle", "adhesion", "dcmotor", "orientation", "pid", "plugin"),
)
_ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
PLACES = {"pos", *_ORIENTATIONS}
"""The attributes that say where an element stands."""


class Settings:
    """The sections of a file that hold for the others.

    Parameters
    ----------
    root : Element
        Its ``<mujoco>``, with what it includes in the place of each ``<include>``.
    within : Path, optional
        The folder that included files may be in, and its folders; that of the file if not told.
    """

    def __init__(self, root: Element, within: Path | None = None) -> None:
        self.root = _included(root, within)
        self.compiler, self.option = self._merged("compiler"), self._merged("option")
        self.flags = {
            name: value
            for option in self.root.all("option")
            for flag in option.all("flag")
            for name, value in flag.attributes.items()
        }
        self.degrees = self.compiler.choice("angle", ("degree", "radian"), "degree") == "degree"
        self.sequence = self.compiler.get("eulerseq", "xyz") or "xyz"
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            self.compiler.refuse(f"eulerseq: expected three of x, y, z, found '{self.sequence}'")
        if self.compiler.get("coordinate", "local") != "local":
            self.compiler.refuse("coordinate: expected local, as MuJoCo has it since version 2.3.4")
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for default in self.root.all("default"):
            self._class(default, default.get("class") or "main", {})

    def sections(self, tag: str) -> Iterator[Element]:
        """Iterate over the elements of all sections of a kind."""
        for section in self.root.all(tag):
            yield from section.children

    def angle(self, value: float) -> float:
        """Return an angle of the file in rad."""
        return value * pi / 180 if self.degrees else value

    def filled(self, element: Element, inherited: str) -> Element:
        """Return an element with the defaults of its class."""
        name = element.get("class") or inherited
        if name not in self.classes:
            element.refuse(f"no default class '{shown(name)}'{nearest(name, self.classes)}")
        known = self.classes[name].get(element.tag, {})
        return replace(element, attributes={**known, **element.attributes})

    def pose(self, element: Element) -> Pose:
        """Return where an element stands in what holds it."""
        return Pose(self.rotation(element), element.numbers("pos", 3, np.zeros(3)))

    def rotation(self, element: Element) -> Array:
        """Return how an element is turned in what holds it."""
        given = [name for name in _ORIENTATIONS if element.get(name) is not None]
        if len(given) > 1:
            element.refuse(f"expected one orientation, found '{given[0]}' and '{given[1]}'")
        if not given:
            return np.eye(3)
        return self._turned(element, given[0])

    def _turned(self, element: Element, way: str) -> Array:
        count = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[way]
        parts = element.numbers(way, count)
        if way == "euler":
            return self._by_euler(parts)
        if not parts[:3].any() and not (way == "quat" and parts.any()):
            element.refuse(f"{way}: expected a direction, found zeros")
        if way == "quat":
            return of_quaternion(parts)
        if way == "zaxis":
            return to_axis(parts)
        if way == "axisangle":
            half = self.angle(parts[3]) / 2
            along = parts[:3] / np.linalg.norm(parts[:3])
            return of_quaternion(np.array([np.cos(half), *(np.sin(half) * along)]))
        x = parts[:3] / np.linalg.norm(parts[:3])
        y = parts[3:] - x * (x @ parts[3:])
        if np.linalg.norm(y) < 1e-12:
            element.refuse("xyaxes: expected two axes that are not parallel")
        y /= np.linalg.norm(y)
        return np.column_stack([x, y, np.cross(x, y)])

    def _by_euler(self, angles: Array) -> Array:
        matrix = np.eye(3)
        for axis, angle in zip(self.sequence, angles, strict=True):
            step = turn(axis.lower(), self.angle(angle))
            matrix = matrix @ step if axis.islower() else step @ matrix
        return matrix

    def _merged(self, tag: str) -> Element:
        """Return one element with the attributes of all of a kind, of which later ones count."""
        found = list(self.root.all(tag))
        said = {name: value for one in found for name, value in one.attributes.items()}
        return replace(found[-1] if found else self.root, tag=tag, attributes=said)

    def _class(self, default: Element, name: str, above: Mapping[str, dict[str, str]]) -> None:
        known = {tag: dict(said) for tag, said in above.items()}
        for tag, said in self.classes.get(name, {}).items():
            known[tag] = {**known.get(tag, {}), **said}
        inner = []
        for child in default.children:
            if child.tag == "default":
                inner.append(child)
            else:
                known.setdefault(child.tag, {}).update(child.attributes)
        self.classes[name] = known
        for child in inner:
            self._class(child, child.need("class"), known)


def _included(root: Element, within: Path | None) -> Element:
    folder = root.file.resolve().parent
    bound = folder if within is None else within.resolve()
    files = {root.file.resolve()}

    def written_out(element: Element, depth: int) -> list[Element]:
        if element.tag != "include":
            inner = [part for child in element.children for part in written_out(child, depth)]
            return [replace(element, children=inner)]
        path = (folder / element.need("file")).resolve()
        if not path.is_relative_to(bound):
            message = (
                f"expected one in '{bound}'"
                if within
                else "expected one in the folder of the model"
            )
            element.refuse(
                f"file: {message}; --within FOLDER says where else included files may be"
            )
        if path in files or len(files) >= MAX_FILES:
            element.refuse(f"file: '{shown(element.get('file'))}' is included already")
        if not path.is_file():
            element.refuse(f"no file '{shown(element.get('file'))}' beside the model")
        files.add(path)
        return [part for child in read(Path(path)).children for part in written_out(child, depth)]

    return written_out(root, 0)[0]
