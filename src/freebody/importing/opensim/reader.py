"""OpenSim: bodies, joints with their spatial transforms, coordinates and constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from freebody.errors import nearest
from freebody.importing.description import (
    Body,
    Coordinate,
    Description,
    Freedom,
    Motion,
    Move,
    MoveKind,
)
from freebody.importing.elements import Element, shown
from freebody.importing.opensim.document import Document, called, is_true, last, within
from freebody.importing.opensim.functions import (
    ZERO,
    Expression,
    FunctionReader,
    inner_function,
)
from freebody.importing.opensim.muscles import MuscleReader
from freebody.importing.opensim.skeleton import Joint, NumericMove, Skeleton
from freebody.importing.placing import Array, Inertial, Pose, turned
from freebody.model.marks import GROUND

X, Y, Z = np.eye(3)
FIXED: Mapping[str, tuple[tuple[MoveKind, Array], ...]] = {
    "WeldJoint": (),
    "PinJoint": (("about", Z),),
    "SliderJoint": (("along", X),),
    "UniversalJoint": (("about", X), ("about", Y)),
    "BallJoint": (("about", X), ("about", Y), ("about", Z)),
    "GimbalJoint": (("about", X), ("about", Y), ("about", Z)),
    "PlanarJoint": (("about", Z), ("along", X), ("along", Y)),
    "FreeJoint": (*(("about", axis) for axis in (X, Y, Z)), *(("along", a) for a in (X, Y, Z))),
}
"""How each joint moves by its coordinates in their order; shifts come before turns."""
_LEFT = {
    "ContactGeometrySet": "shape that touches",
    "ControllerSet": "controller",
    "ProbeSet": "probe",
    "ComponentSet": "component",
    "MiscellaneousSet": "component",
}


def read(root: Element, muscles: str = "paths") -> Description:
    """Return what a model of OpenSim says.

    Parameters
    ----------
    root : Element
    muscles : {"paths", "torques"}
        Whether its muscles pull along their paths, or torques drive its coordinates instead.

    Raises
    ------
    ModelError
    """
    document = Document(root)
    model = document.model
    gravity = model.numbers("gravity", 3, np.array([0.0, -9.80665, 0.0]))
    description = Description(model.get("name") or root.file.stem, root.file, gravity)
    return _Reader(document, description).read(muscles)


@dataclass(frozen=True)
class _Frame:
    """A frame of a body: the body's name in the file, and how it stands there."""

    body: str
    pose: Pose


class _Reader:
    def __init__(self, document: Document, description: Description) -> None:
        self.document, self.description = document, description
        self.names = description.names
        self.functions = FunctionReader(description)
        self.bodies: dict[str, str] = {GROUND: GROUND}
        self.coordinates: dict[str, str] = {}
        self.frames: dict[str, _Frame] = {}
        self.skeleton = Skeleton()

    def read(self, muscles: str) -> Description:
        bodies = {called(body): body for body in self.document.objects("BodySet")}
        joints = list(self.document.objects("JointSet"))
        for name in bodies:
            self.bodies[name] = self.names.part(name)
        self._read_frames(bodies)
        for joint in joints:
            own = _frames_of(joint)
            for name, frame in own.items():
                self.frames[f"/jointset/{called(joint)}/{name}"] = self._offset(frame, own)
        self._declare(joints)
        carried: dict[str, Element] = {}
        for joint in joints:
            self._joint(joint, bodies, carried)
        for name in (name for name in bodies if name not in carried):
            bodies[name].refuse("expected a joint that carries it, found none: add a <FreeJoint>")
        self._expect_tree()
        self._constraints()
        self._markers()
        forces = MuscleReader(
            self.document, self.description, self.skeleton, self._frame, self.coordinates
        )
        if muscles == "paths":
            forces.read()
        else:
            forces.drive_coordinates()
        self._leave()
        return self.description

    # -------------------------------------------------------------- frames

    def _read_frames(self, bodies: Mapping[str, Element]) -> None:
        """Keep the frames that bodies and the model have besides those of joints."""
        waiting = [
            frame
            for holder in (
                self.document.model,
                *bodies.values(),
                *self.document.model.all("Ground"),
            )
            for frame in within(holder, "components", "PhysicalOffsetFrame")
        ]
        for group in ("ComponentSet", "MiscellaneousSet"):
            waiting += [
                one for one in self.document.objects(group) if one.tag == "PhysicalOffsetFrame"
            ]
        for _ in waiting:
            for frame in waiting:
                parent = last(frame.get("socket_parent"))
                if parent in self.bodies or parent in self.frames:
                    self.frames[called(frame)] = self._offset(frame, {})

    def _offset(self, frame: Element, own: Mapping[str, Element]) -> _Frame:
        outer = self._frame(frame, "socket_parent", own)
        angles = frame.numbers("orientation", 3, np.zeros(3))
        pose = Pose(turned("xyz", angles), frame.numbers("translation", 3, np.zeros(3)))
        return _Frame(outer.body, outer.pose.then(pose))

    def _frame(
        self, element: Element, socket: str, own: Mapping[str, Element] | None = None
    ) -> _Frame:
        """Return the frame that a socket names, first of those that a joint has of its own."""
        if element.need(socket) in self.frames:
            return self.frames[element.need(socket)]
        name = last(element.need(socket))
        if own and name in own and own[name] is not element:
            return self._offset(own[name], {k: v for k, v in own.items() if k != name})
        if name in self.frames:
            return self.frames[name]
        if name not in self.bodies:
            known = [*self.bodies, *self.frames, *(own or ())]
            element.refuse(f"{socket}: no frame '{shown(name)}'{nearest(name, known)}")
        return _Frame(self.bodies[name], Pose())

    # -------------------------------------------------------------- coordinates

    def _declare(self, joints: list[Element]) -> None:
        for joint in joints:
            turning = self._turning(joint)
            for number, coordinate in enumerate(_coordinates_of(joint)):
                name = coordinate.need("name")
                if name in self.coordinates:
                    coordinate.refuse("another coordinate has this name")
                is_turn = turning(number, name)
                self._coordinate(coordinate, "rad" if is_turn else "m")

    def _turning(self, joint: Element) -> Callable[[int, str], bool]:
        if joint.tag in FIXED:
            moves = FIXED[joint.tag]
            return lambda number, _: number < len(moves) and moves[number][0] == "about"
        turns = {
            name
            for axis in within(joint, "SpatialTransform", "TransformAxis")
            if not (axis.get("name") or "").startswith("translation")
            for name in (axis.get("coordinates") or "").split()
        }
        return lambda _, name: name in turns

    def _coordinate(self, element: Element, unit: str) -> None:
        name = element.need("name")
        given = self.coordinates[name] = self.names.quantity(name)
        low, high = element.numbers("range", 2, np.array([0.0, 0.0]))
        title = shown(name) + (f", from {low:g} to {high:g} {unit}" if low < high else "")
        start = element.number("default_value", 0.0)
        ends = (float(low), float(high)) if low < high else None
        self.description.coordinates[given] = Coordinate(title, unit, start, ends)
        if element.number("default_speed_value", 0.0):
            message = f"speed of '{name}' at the start, which --initial can set"
            self.description.note("left", message, element.line)
        if low < high and is_true(element, "clamped", default=False):
            self.description.count("left", "range that clamps a coordinate, which its title tells")
        if is_true(element, "locked", default=False):
            self._lock(given, start, unit, element.line)
        elif is_true(element, "prescribed", default=False):
            message = f"prescribed motion of '{name}', which moves freely here"
            self.description.note("left", message, element.line)

    def _lock(self, coordinate: str, value: float, unit: str, line: int) -> None:
        expression = coordinate
        if value:
            title = f"where {coordinate} is locked"
            at = self.description.parameter(f"lock_{coordinate}", value, unit, title, "locks")
            expression = f"{coordinate} - {at}"
        name = self.names.force(f"{coordinate}_lock")
        entry = {"expression": expression, "dependent": [coordinate]}
        self.description.load("constraints", name=name, type="holonomic", **entry)
        self.description.note("taken", f"'{coordinate}' is locked by constraint '{name}'", line)

    # -------------------------------------------------------------- joints

    def _joint(
        self, joint: Element, bodies: Mapping[str, Element], carried: dict[str, Element]
    ) -> None:
        own = _frames_of(joint)
        parent = self._frame(joint, "socket_parent_frame", own)
        child = self._frame(joint, "socket_child_frame", own)
        if child.body == GROUND:
            joint.refuse("socket_child_frame: expected a body, found the ground")
        name = next(name for name, new in self.bodies.items() if new == child.body)
        if name in carried:
            joint.refuse(f"'{name}' is carried by joint '{called(carried[name])}' already")
        carried[name] = joint
        part = self.names.part(joint.need("name"), "joint")
        moves = list(self._moves(joint, part, child.body))
        numeric = [NumericMove(kind == "about", axis, moved.value) for kind, axis, moved in moves]
        self.skeleton.joints[child.body] = Joint(parent.body, parent.pose, child.pose, numeric)
        said = [Move(kind, axis, moved.text) for kind, axis, moved in moves]
        body = Body(child.body, parent.body, parent.pose, _inertial(bodies[name]))
        if any(moved.coordinates for _, _, moved in moves):
            body.freedoms = [_freedom(part, said, child.pose)]
        else:
            placed = self.skeleton.pose_in_parent(child.body, {})
            body.pose = placed
        self.description.bodies[child.body] = body

    def _moves(
        self, joint: Element, part: str, of: str
    ) -> Iterator[tuple[MoveKind, Array, Expression]]:
        """Iterate over shifts, then turns, each with its axis."""
        if joint.tag == "CustomJoint":
            yield from self._transform(joint, part, of)
            return
        if joint.tag not in FIXED:
            known = ("CustomJoint", *FIXED)
            joint.refuse(f"expected {', '.join(known)}{nearest(joint.tag, known)}")
        names = [self.coordinates[one.need("name")] for one in _coordinates_of(joint)]
        if len(names) != len(FIXED[joint.tag]):
            joint.refuse(f"expected {len(FIXED[joint.tag])} coordinates, found {len(names)}")
        pairs = sorted(
            zip(FIXED[joint.tag], names, strict=True), key=lambda one: one[0][0] == "about"
        )
        for (kind, axis), name in pairs:
            yield kind, axis, Expression(name, _value_of(name), (name,))

    def _transform(
        self, joint: Element, part: str, of: str
    ) -> Iterator[tuple[MoveKind, Array, Expression]]:
        axes = within(joint, "SpatialTransform", "TransformAxis")
        shifts = [one for one in axes if (one.get("name") or "").startswith("translation")]
        turns = [one for one in axes if one not in shifts]
        groups: tuple[tuple[MoveKind, list[Element]], ...] = (("along", shifts), ("about", turns))
        for kind, group in groups:
            for axis in group:
                direction = axis.numbers("axis", 3)
                moved = self._moved(axis, part, "m" if kind == "along" else "rad", of)
                if moved.is_zero:
                    continue
                if not direction.any():
                    axis.refuse("axis: expected a direction, found zeros")
                yield kind, direction / np.linalg.norm(direction), moved

    def _moved(self, axis: Element, part: str, unit: str, of: str) -> Expression:
        given = [self._known(axis, name) for name in (axis.get("coordinates") or "").split()]
        if not any(child.tag != "coordinates" and child.tag != "axis" for child in axis.children):
            return ZERO
        return self.functions.read(
            inner_function(axis), given, unit, f"{part}_{axis.get('name')}", of
        )

    def _known(self, element: Element, name: str) -> str:
        name = last(name)
        if name not in self.coordinates:
            element.refuse(f"no coordinate '{shown(name)}'{nearest(name, self.coordinates)}")
        return self.coordinates[name]

    def _expect_tree(self) -> None:
        """See that every body hangs on the ground."""
        reached = {GROUND}
        waiting = dict(self.skeleton.joints)
        while any(joint.parent in reached for joint in waiting.values()):
            for body in [body for body, joint in waiting.items() if joint.parent in reached]:
                reached.add(body)
                del waiting[body]
        if waiting:
            bodies = ", ".join(f"'{name}'" for name in waiting)
            self.document.model.refuse(f"the bodies {bodies} carry each other: expected a tree")

    # -------------------------------------------------------------- constraints

    def _constraints(self) -> None:
        for constraint in self.document.objects("ConstraintSet"):
            if not is_true(constraint, "isEnforced", default=True):
                self.description.count("left", f"{constraint.tag} that is not enforced")
            elif constraint.tag == "CoordinateCouplerConstraint":
                self._couple(constraint)
            else:
                constraint.refuse(
                    "is not read, and without it the bodies would move otherwise: set isEnforced "
                    "to false to leave it, and add [[constraints]]"
                )

    def _couple(self, constraint: Element) -> None:
        own = self._known(constraint, constraint.need("dependent_coordinate_name"))
        names = constraint.need("independent_coordinate_names").split()
        given = [self._known(constraint, name) for name in names]
        unit = self.description.coordinates[own].unit
        part = self.names.force(called(constraint))
        (holder,) = within(constraint, "coupled_coordinates_function") or [constraint]
        coupled = self.functions.read(
            inner_function(holder), given, unit, f"{part}_law", "couplings"
        )
        scale = constraint.number("scale_factor", 1.0)
        text = coupled.text
        if scale != 1 and text:
            factor = self.description.parameter(
                f"s_{part}", scale, "1", f"scale of {part}", "couplings"
            )
            text = f"{factor}*({text})"
        inner = f"({text})" if " " in text or text.startswith("-") else text
        expression = f"{own} - {inner}" if text else own
        entry = {"expression": expression, "dependent": [own]}
        self.description.load("constraints", name=part, type="holonomic", **entry)

    # -------------------------------------------------------------- the rest

    def _markers(self) -> None:
        for marker in self.document.objects("MarkerSet"):
            frame = self._frame(marker, "socket_parent_frame")
            at = frame.pose.place(marker.numbers("location", 3))
            if frame.body != GROUND:
                name = self.names.part(called(marker), "marker")
                self.description.points[name] = frame.body, at

    def _leave(self) -> None:
        for section, what in _LEFT.items():
            for one in self.document.objects(section):
                if one.tag != "PhysicalOffsetFrame":
                    self.description.count("left", f"{what} ({one.tag})")
        for holder in (*self.document.objects("BodySet"), *self.document.model.all("Ground")):
            for _ in within(holder, "attached_geometry"):
                self.description.count("left", "picture of a body")


def _coordinates_of(joint: Element) -> list[Element]:
    return within(joint, "coordinates", "Coordinate")


def _frames_of(joint: Element) -> dict[str, Element]:
    return {called(frame): frame for frame in within(joint, "frames", "PhysicalOffsetFrame")}


def _value_of(name: str) -> Callable[[Mapping[str, float]], float]:
    return lambda at: at[name]


def _inertial(body: Element) -> Inertial:
    mass = body.number("mass", 0.0)
    if mass < 0:
        body.refuse(f"mass: expected a mass that is not negative, found {mass:g}")
    xx, yy, zz, xy, xz, yz = body.numbers("inertia", 6, np.zeros(6))
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertial(mass, body.numbers("mass_center", 3, np.zeros(3)), matrix)


def _freedom(name: str, moves: list[Move], socket: Pose) -> Freedom:
    """Return a pin or a slider about a coordinate axis where that is all, else a custom joint."""
    if len(moves) == 1 and np.sum(moves[0].axis != 0) == 1:
        kind: Motion = "pin" if moves[0].kind == "about" else "slider"
        return Freedom(kind, name, (moves[0].by,), moves[0].axis, socket=socket)
    values = tuple(move.by for move in moves)
    return Freedom("custom", name, values, moves=moves, socket=socket)
