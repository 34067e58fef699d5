"""A description as the text of a model file: one line for a quantity, constants by body."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from freebody.importing.description import Body, Description, Freedom, Move, Note
from freebody.importing.elements import shown
from freebody.importing.placing import Array, Pose, angles, is_straight, to_axis

DUST = 1e-15
"""A component that is so small beside the largest, of its vector or all inertias, is rounding."""
_PRODUCTS = ((0, 1), (1, 2), (2, 0))


def written(description: Description, head: Sequence[Note]) -> str:
    """Return the text of a model file, with some notes on its top."""
    writer = _Writer(description)
    parts = list(writer.parts())
    lines = [f"# Imported from {shown(description.source.name)}."]
    lines += [f"# {note.kind}: {_plain(note.what)}" for note in head]
    lines += [f"title = {_value(description.title)}", f"gravity = {writer.gravity()}"]
    for section in ("coordinates", "inputs"):
        lines += _declared(section, getattr(description, section))
    lines += ["", "[constants]", *writer.constants()]
    if description.functions:
        lines += ["", "[functions]"]
        lines += [f"{name} = {_value(said)}" for name, said in description.functions.items()]
    for section, entry in parts:
        lines += ["", f"[[{section}]]", *(f"{key} = {_value(said)}" for key, said in entry.items())]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _declared(section: str, entries: Mapping[str, Any]) -> Iterator[str]:
    if not entries:
        return
    yield from ("", f"[{section}]")
    start = "initial" if section == "coordinates" else "value"
    for name, one in entries.items():
        said = {"title": one.title, "unit": one.unit, start: number(one.initial)}
        yield f"{name} = {_value(said)}"


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(_plain(value), ensure_ascii=False)
        case Mapping():
            return f"{{ {', '.join(f'{key} = {_value(part)}' for key, part in value.items())} }}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
    return str(value)


def number(value: float) -> float | int:
    """Return a number to 15 digits, a whole one as such.

    Examples
    --------
    >>> number(0.1 + 0.2), number(2.0), number(-0.0)
    (0.3, 2, 0)
    """
    rounded = float(f"{value:.15g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e15 else rounded


def _angle(value: float) -> float | int | str:
    if value == 0 or not is_straight(value):
        return number(value)
    times = round(12 * value / np.pi)
    common = int(np.gcd(times, 12))
    up, down = times // common, 12 // common
    top = {1: "pi", -1: "-pi"}.get(up, f"{up}*pi")
    return top if down == 1 else f"{top}/{down}"


class _Writer:
    def __init__(self, description: Description) -> None:
        self.description, self.names = description, description.names
        self._constants: dict[str, list[str]] = {"": []}
        inertias = [np.abs(body.inertial.inertia).max() for body in description.bodies.values()]
        self._least = DUST * max(inertias)

    # -------------------------------------------------------------- constants

    def constants(self) -> Iterator[str]:
        """Iterate over the lines of constants, those of each body together."""
        for parameter in self.description.parameters.items():
            name, said = parameter
            self._keep(name, said.value, said.unit, said.title, said.of)
        for of, lines in self._constants.items():
            if of and lines:
                yield f"# {of}"
            yield from lines

    def _keep(self, name: str, value: float, unit: str, title: str, of: str) -> None:
        said = {"title": title, "unit": unit, "value": number(value)}
        self._constants.setdefault(of, []).append(f"{name} = {_value(said)}")

    def _constant(self, name: str, value: float, unit: str, title: str, of: str) -> str:
        given = self.names.made(name)
        self._keep(given, value, unit, title, of)
        return given

    def _vector(self, prefix: str, vector: Array, title: str, of: str) -> list[str | int]:
        """Return a name for each component in m that is not zero."""
        return [
            self._constant(f"{prefix}_{axis}", part, "m", f"{axis} of {title}", of) if part else 0
            for axis, part in zip("xyz", _clean(vector), strict=True)
        ]

    def gravity(self) -> str:
        """Return what is said of gravity; its size is the first constant."""
        x, y, z = self.description.gravity
        if not np.any([x, y, z]):
            return "[0, 0, 0]"
        title = "gravitational acceleration"
        if sum(part != 0 for part in (x, y, z)) > 1:
            parts = [
                self._constant(f"g_{axis}", part, "m/s**2", f"{axis} of {title}", "") if part else 0
                for axis, part in zip("xyz", (x, y, z), strict=True)
            ]
            return _value(parts)
        g = self._constant("g", abs(x + y + z), "m/s**2", title, "")
        return _value([0 if not part else g if part > 0 else f"-{g}" for part in (x, y, z)])

    # -------------------------------------------------------------- parts

    def parts(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Iterate over the entries of bodies, joints, points and loads."""
        bodies, joints = [], []
        for body in self.description.bodies.values():
            carried = list(self._joints(body))
            joints += carried
            bodies += [{"name": joint["child"], "mass": 0} for joint in carried[:-1]]
            bodies.append(self._body(body))
        yield from (("bodies", entry) for entry in bodies)
        yield from (("joints", entry) for entry in joints)
        for name, (on, at) in self.description.points.items():
            entry = {"name": name, "on": on, "at": self._vector(f"p_{name}", at, name, on)}
            yield "points", {key: said for key, said in entry.items() if said != [0, 0, 0]}
        yield from (("forces", entry) for entry in self._lifts())
        yield from (("constraints", entry) for entry in self._closures())
        for section, entries in self.description.loads.items():
            yield from ((section, entry) for entry in entries)

    def _closures(self) -> Iterator[dict[str, Any]]:
        """Iterate over places that stay together, and bodies that stay parallel."""
        for closure in self.description.closures:
            if closure.turns:
                (to, _), (on, _) = closure.ends
                entry = {"on": on, "to": to, "axes": closure.axes, "dependent": closure.dependent}
                yield {"name": closure.name, "type": "parallel", **entry}
                continue
            places = []
            for number, (on, at) in enumerate(closure.ends, start=1):
                title = f"{closure.name} in {on}"
                place = self._vector(f"p{number}_{closure.name}", at, title, closure.name)
                places.append({"on": on, "at": place})
            yield {
                "name": closure.name,
                "type": "coincident",
                "between": places,
                "axes": closure.axes,
                "dependent": closure.dependent,
            }

    def _lifts(self) -> Iterator[dict[str, Any]]:
        """Iterate over forces that make up for gravity."""
        for on, at, force in self.description.lifts:
            if on in self.description.bodies:
                place = self._vector(f"lifted_{on}", at, f"where {on} is lifted", on)
                vector = [
                    self._constant(f"lift_{on}_{axis}", part, "N", f"lift of {on}", on)
                    if part
                    else 0
                    for axis, part in zip("xyz", force, strict=True)
                ]
                yield {"on": on, "at": place, "vector": vector}

    def _body(self, body: Body) -> dict[str, Any]:
        name, inertial = body.name, body.inertial
        self._constants.setdefault(name, [])
        of = ", with ".join([name, *([", ".join(body.with_it)] if body.with_it else [])])
        said: dict[str, Any] = {"name": name, "mass": 0}
        if inertial.mass:
            said["mass"] = self._constant(f"m_{name}", inertial.mass, "kg", f"mass of {of}", name)
            title = f"the centre of mass of {name}"
            said["center_of_mass"] = self._vector(f"c_{name}", inertial.center, title, name)
        if said.get("center_of_mass") == [0, 0, 0]:
            del said["center_of_mass"]
        said |= self._inertia(name, _clean(inertial.inertia, self._least))
        return said | ({"unphysical": True} if inertial.is_unphysical else {})

    def _inertia(self, name: str, inertia: Array) -> dict[str, Any]:
        if not inertia.any():
            return {}
        if np.count_nonzero(inertia) == 1 and inertia[2, 2]:
            return {"inertia": self._moment(name, inertia, 2, 2)}
        said = {"inertia": [self._moment(name, inertia, i, i) for i in range(3)]}
        products = [self._moment(name, inertia, *pair) for pair in _PRODUCTS]
        return said | ({"products_of_inertia": products} if products != [0, 0, 0] else {})

    def _moment(self, name: str, inertia: Array, i: int, j: int) -> str | int:
        if not inertia[i, j]:
            return 0
        entry = f"I{'xyz'[i]}{'xyz'[j]}"
        return self._constant(
            f"{entry}_{name}", inertia[i, j], "kg*m**2", f"{entry} of {name}", name
        )

    # -------------------------------------------------------------- joints

    def _joints(self, body: Body) -> Iterator[dict[str, Any]]:
        parent, pose = body.parent, body.pose
        *inner, last = body.freedoms
        for freedom in inner:
            frame = self.names.made_part(f"{body.name}_{freedom.name}")
            yield self._joint(freedom, body, parent, frame, pose)
            parent, pose = frame, Pose()
        yield self._joint(last, body, parent, body.name, pose)

    def _joint(
        self, freedom: Freedom, body: Body, parent: str, child: str, pose: Pose
    ) -> dict[str, Any]:
        name, group = freedom.name, body.name
        if freedom.socket is not None:
            return self._between(freedom, freedom.socket, group, parent, child, pose)
        shift = freedom.at if freedom.kind in ("pin", "spherical") else np.zeros(3)
        at = self._vector(f"p_{name}", pose.place(shift), f"{name} in {parent}", group)
        child_at = self._vector(f"e_{name}", shift, f"{name} in {child}", group)
        inner = _inner(freedom)
        said = {
            "name": name,
            "type": freedom.kind,
            "parent": parent,
            "child": child,
            "at": at,
            "child_at": child_at,
            "orientation": _orientation(pose.rotation @ inner),
            "child_orientation": _orientation(inner),
            **_moving(freedom, inner),
        }
        return {key: part for key, part in said.items() if part is not None and part != [0, 0, 0]}

    def _between(
        self, freedom: Freedom, socket: Pose, group: str, parent: str, child: str, pose: Pose
    ) -> dict[str, Any]:
        """Return a joint between frames of both bodies."""
        name = freedom.name
        moving = _moving(freedom, np.eye(3))
        said = {
            "name": name,
            "type": freedom.kind,
            "parent": parent,
            "child": child,
            "at": self._vector(f"p_{name}", pose.origin, f"{name} in {parent}", group),
            "child_at": self._vector(f"e_{name}", socket.origin, f"{name} in {child}", group),
            "orientation": _orientation(pose.rotation),
            "child_orientation": _orientation(socket.rotation),
            **moving,
        }
        return {key: part for key, part in said.items() if part is not None and part != [0, 0, 0]}


def _clean(parts: Array, least: float = 0.0) -> Array:
    """Return parts of which those are zero that are rounding."""
    return np.where(np.abs(parts) < max(least, DUST * np.abs(parts).max()), 0.0, parts)


def _inner(freedom: Freedom) -> Array:
    """Return how the joint's frame is turned in the body's, so that an oblique axis is its z."""
    axis = freedom.axis / np.linalg.norm(freedom.axis)
    if freedom.kind in ("spherical", "free"):
        return np.eye(3)
    if freedom.kind == "planar" or np.sum(np.abs(axis) > DUST) > 1:
        return to_axis(axis)
    return np.eye(3)


def _orientation(rotation: Array) -> dict[str, Any] | None:
    sequence, found = angles(rotation)
    if not any(found):
        return None
    return {"sequence": sequence, "angles": [_angle(angle) for angle in found]}


def _moving(freedom: Freedom, inner: Array) -> dict[str, Any]:
    """Return what a joint says of its motion."""
    axis = [int(part) for part in np.round(inner.T @ freedom.axis / np.linalg.norm(freedom.axis))]
    values = list(freedom.values)
    match freedom.kind:
        case "pin":
            return {"axis": axis, "angle": values[0], "torque": freedom.drive}
        case "slider":
            return {"axis": axis, "displacement": values[0], "force": freedom.drive}
        case "planar":
            return {"translation": values[:2], "rotation": values[2]}
        case "spherical":
            return {"angles": values, "generalized_torque": freedom.drive}
        case "free":
            return {"translation": values[:3], "rotation": values[3:]}
        case "weld":
            return {}
        case "custom":
            return {"motion": [_move(move) for move in freedom.moves]}


def _move(move: Move) -> dict[str, Any]:
    effort = {"torque" if move.kind == "about" else "force": move.drive} if move.drive else {}
    return {move.kind: [number(part) for part in move.axis], "by": move.by, **effort}
