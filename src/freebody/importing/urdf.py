"""URDF: links and joints, each link carried by at most one joint."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from freebody.errors import nearest
from freebody.importing.description import Body, Coordinate, Description, Freedom, Motion
from freebody.importing.elements import Element
from freebody.importing.placing import Array, Inertial, Pose, turned
from freebody.model.marks import GROUND, MAX_ENTRIES

JOINTS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
GRAVITY = 9.81
_SEEN = {
    "visual": "visual shape",
    "collision": "collision shape",
    "safety_controller": "safety controller",
    "calibration": "calibration of a joint",
    "transmission": "transmission, since each joint has its input",
    "gazebo": "extension for Gazebo",
    "material": "material",
    "sensor": "sensor",
}


def read(root: Element, floating: bool) -> Description:
    """Return what a URDF file says.

    Parameters
    ----------
    root : Element
        Its ``<robot>``.
    floating : bool
        Whether the link that no joint carries moves freely; it is fixed to the ground otherwise.

    Raises
    ------
    ModelError
    """
    title = root.get("name") or root.file.stem
    description = Description(title, root.file, np.array([0, 0, -GRAVITY]))
    description.note("taken", f"gravity of {GRAVITY} m/s² against z, since URDF says none")
    return _Robot(root, description, floating).read()


class _Robot:
    def __init__(self, root: Element, description: Description, floating: bool) -> None:
        self.root, self.description, self.floating = root, description, floating
        self.names = description.names
        self.links = _by_name(root, "link")
        self.joints = _by_name(root, "joint")
        self.carriers: dict[str, Element] = {}
        self.bodies: dict[str, str] = {}

    def read(self) -> Description:
        self._expect_sound()
        for joint in self.joints.values():
            self._carried(joint)
        self.base = self._base()
        self.bodies = {name: self._body_name(name) for name in self.links}
        for name, link in self.links.items():
            if self.bodies[name] != GROUND:
                body = Body(self.bodies[name], GROUND, inertial=_inertial(link))
                self.description.bodies[body.name] = body
        self._coordinates()
        for name, joint in self.joints.items():
            self._join(name, joint)
        self._set_free()
        self._leave()
        return self.description

    # -------------------------------------------------------------- structure

    def _expect_sound(self) -> None:
        for element in self.root.children:
            if element.tag.startswith("xacro:"):
                element.refuse("this is xacro, a program that writes URDF: run 'xacro' on it first")
        if not self.links:
            self.root.refuse("expected at least one <link>, found none")
        for found in (self.links, self.joints):
            if len(found) > MAX_ENTRIES:
                self.root.refuse(f"expected at most {MAX_ENTRIES} links and joints")

    def _carried(self, joint: Element) -> None:
        joint.choice("type", JOINTS, joint.need("type"))
        for end in ("parent", "child"):
            self._link(joint, end)
        child = self._link(joint, "child")
        if child in self.carriers:
            other = self.carriers[child].get("name")
            joint.refuse(
                f"'{child}' is already the child of joint '{other}': expected one for each"
            )
        self.carriers[child] = joint

    def _link(self, joint: Element, end: str) -> str:
        element = joint.one(end)
        if element is None:
            joint.refuse(f"expected a <{end} link=…>")
        name = element.need("link")
        if name not in self.links:
            element.refuse(f"no link '{name}'{nearest(name, self.links)}")
        return name

    def _base(self) -> str:
        """Return the link that no joint carries."""
        roots = [name for name in self.links if name not in self.carriers]
        if len(roots) != 1:
            self._refuse_roots(roots)
        reached, waiting = set(roots), list(self.joints.values())
        while moved := [joint for joint in waiting if self._link(joint, "parent") in reached]:
            reached |= {self._link(joint, "child") for joint in moved}
            waiting = [joint for joint in waiting if joint not in moved]
        if waiting:
            waiting[0].refuse("the links carry each other in a circle")
        return roots[0]

    def _refuse_roots(self, roots: list[str]) -> NoReturn:
        if not roots:
            self.root.refuse("expected one link that no joint carries, found none")
        message = f"expected one link that no joint carries, found '{roots[0]}' and '{roots[1]}'"
        self.links[roots[1]].refuse(message)

    def _body_name(self, link: str) -> str:
        is_ground = link == self.base and not self.floating
        return GROUND if is_ground else self.names.part(link)

    # -------------------------------------------------------------- joints

    def _coordinates(self) -> None:
        self.free = self.names.made_part("base") if self.floating else ""
        self.moves: dict[str, tuple[str, ...]] = {}
        if self.floating:
            self.moves[self.free] = self._six("base")
        for name, joint in self.joints.items():
            kind = joint.need("type")
            if kind == "floating":
                self.moves[name] = self._six(name)
            elif kind == "planar":
                shifts = [self._coordinate(f"{name}_{axis}", "m") for axis in "xy"]
                self.moves[name] = (*shifts, self._coordinate(f"{name}_angle", "rad"))
            elif kind != "fixed" and joint.one("mimic") is None:
                self.moves[name] = (self._coordinate(name, _unit(joint), _range(joint)),)

    def _six(self, name: str) -> tuple[str, ...]:
        shifts = [self._coordinate(f"{name}_{axis}", "m") for axis in "xyz"]
        turns = [self._coordinate(f"{name}_turn_{axis}", "rad") for axis in "xyz"]
        message = "singular where the second is a right angle"
        self.description.note("taken", f"'{name}' turns by angles about x, y and z, {message}")
        return (*shifts, *turns)

    def _coordinate(self, name: str, unit: str, more: str = "") -> str:
        given = self.names.quantity(name)
        self.description.coordinates[given] = Coordinate(name + more, unit)
        return given

    def _join(self, name: str, joint: Element) -> None:
        body = self.description.bodies[self.bodies[self._link(joint, "child")]]
        body.parent = self.bodies[self._link(joint, "parent")]
        body.pose = _origin(joint)
        kind = joint.need("type")
        if kind == "fixed":
            return
        part = self.names.part(name, "joint")
        if kind in ("floating", "planar"):
            axis = np.array([0.0, 0, 1]) if kind == "floating" else _axis(joint)
            body.freedoms = [Freedom(_KINDS[kind], part, self.moves[name], axis)]
        else:
            follows = joint.one("mimic")
            value = self._followed(joint, body.name, ())
            drive = None if follows is not None else self._input(name, joint)
            body.freedoms = [Freedom(_KINDS[kind], part, (value,), _axis(joint), drive=drive)]
        self._losses(part, joint, body.name)

    def _input(self, name: str, joint: Element) -> str:
        turns = _unit(joint) == "rad"
        what, symbol = ("torque", "tau") if turns else ("force", "F")
        given = self.names.made(f"{symbol}_{name}")
        title = f"{what} of {name}"
        self.description.inputs[given] = Coordinate(title, "N*m" if turns else "N")
        return given

    def _followed(self, joint: Element, of: str, before: tuple[str, ...]) -> str:
        """Return the expression by which a joint moves, of its coordinate or another's."""
        name, mimic = joint.need("name"), joint.one("mimic")
        if mimic is None:
            return self.moves[name][0]
        if name in before:
            mimic.refuse("the joints follow each other in a circle")
        other = self.joints.get(mimic.need("joint"))
        if other is None:
            mimic.refuse(
                f"no joint '{mimic.get('joint')}'{nearest(mimic.need('joint'), self.joints)}"
            )
        if _KINDS.get(other.need("type")) not in ("pin", "slider"):
            mimic.refuse(f"expected a joint of one coordinate, found a {other.get('type')} one")
        return self._coupled(joint, mimic, of, self._followed(other, of, (*before, name)))

    def _coupled(self, joint: Element, mimic: Element, of: str, value: str) -> str:
        name, other = joint.need("name"), self.joints[mimic.need("joint")]
        own, others = _unit(joint), _unit(other)
        ratio, offset = mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)
        if not (ratio == 1 and own == others):
            unit = "1" if own == others else f"{own}/{others}"
            title = f"of the motion of {other.get('name')}, that of {name}"
            factor = self.description.parameter(f"ratio_{name}", ratio, unit, title, of)
            value = f"{factor}*({value})" if "+" in value else f"{factor}*{value}"
        if offset:
            title = f"offset of {name} from {other.get('name')}"
            value += f" + {self.description.parameter(f'offset_{name}', offset, own, title, of)}"
        return value

    def _losses(self, part: str, joint: Element, of: str) -> None:
        dynamics = joint.one("dynamics")
        if dynamics is None:
            return
        damping, friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
        if damping and _KINDS[joint.need("type")] in ("pin", "slider"):
            unit = "N*m*s/rad" if _unit(joint) == "rad" else "N*s/m"
            title = f"damping of {part}"
            name = self.description.parameter(f"b_{part}", damping, unit, title, of)
            self.description.load("dampers", joint=part, damping=name)
        elif damping:
            self.description.note("left", f"damping {damping:g} of joint '{part}'", dynamics.line)
        if friction:
            message = f"dry friction {friction:g} of joint '{part}', which [[friction]] can add"
            self.description.note("left", message, dynamics.line)

    def _set_free(self) -> None:
        if self.floating:
            body = self.description.bodies[self.bodies[self.base]]
            body.freedoms = [Freedom("free", self.free, self.moves[self.free])]
            self.description.note("taken", f"'{self.base}' moves freely")
        else:
            message = "stands on the ground; --floating lets it move freely"
            self.description.note("taken", f"'{self.base}', which no joint carries, {message}")
            if not _inertial(self.links[self.base]).is_none:
                self.description.note("left", f"mass of '{self.base}', which does not move")

    # -------------------------------------------------------------- what has no part

    def _leave(self) -> None:
        for element in (self.root, *self.links.values(), *self.joints.values()):
            for child in element.children:
                if child.tag in _SEEN:
                    self.description.count("left", _SEEN[child.tag])
                elif child.tag not in _KNOWN[element.tag]:
                    message = f"<{child.tag}> in <{element.tag}>, which URDF does not have"
                    self.description.note("left", message, child.line)
        for joint in self.joints.values():
            if joint.one("limit") is not None and joint.need("type") in _KINDS:
                self.description.count("left", "limit of a joint, which its title tells")


_KINDS: dict[str, Motion] = {
    "revolute": "pin",
    "continuous": "pin",
    "prismatic": "slider",
    "floating": "free",
    "planar": "planar",
}
_KNOWN = {
    "robot": {"link", "joint"},
    "link": {"inertial"},
    "joint": {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"},
}


def _by_name(root: Element, tag: str) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in root.all(tag):
        name = element.need("name")
        if name in found:
            element.refuse(f"another {tag}, in line {found[name].line}, has this name")
        found[name] = element
    return found


def _unit(joint: Element) -> str:
    return "m" if joint.need("type") == "prismatic" else "rad"


def _range(joint: Element) -> str:
    limit = joint.one("limit")
    if limit is None or joint.need("type") == "continuous":
        return ""
    ends = limit.number("lower", 0.0), limit.number("upper", 0.0)
    return f", from {ends[0]:g} to {ends[1]:g} {_unit(joint)}"


def _origin(element: Element) -> Pose:
    origin = element.one("origin")
    if origin is None:
        return Pose()
    roll, pitch, yaw = origin.numbers("rpy", 3, np.zeros(3))
    return Pose(turned("zyx", (yaw, pitch, roll)), origin.numbers("xyz", 3, np.zeros(3)))


def _axis(joint: Element) -> Array:
    axis = joint.one("axis")
    found = np.array([1.0, 0, 0]) if axis is None else axis.numbers("xyz", 3)
    if axis is not None and not found.any():
        axis.refuse("xyz: expected a direction, found zeros")
    return found


def _inertial(link: Element) -> Inertial:
    inertial = link.one("inertial")
    if inertial is None:
        return Inertial()
    mass, inertia = inertial.one("mass"), inertial.one("inertia")
    if mass is None:
        inertial.refuse("expected a <mass value=…>")
    if mass.number("value") < 0:
        mass.refuse(f"value: expected a mass that is not negative, found {mass.get('value')}")
    return Inertial(mass.number("value"), np.zeros(3), _matrix(inertia)).seen_from(
        _origin(inertial)
    )


def _matrix(inertia: Element | None) -> Array:
    """Return the matrix of inertia, of which each entry has its name in the file."""
    if inertia is None:
        return np.zeros((3, 3))
    names = [["ixx", "ixy", "ixz"], ["ixy", "iyy", "iyz"], ["ixz", "iyz", "izz"]]
    off = {"ixy": 0.0, "ixz": 0.0, "iyz": 0.0}
    return np.array([[inertia.number(name, off.get(name)) for name in row] for row in names])
