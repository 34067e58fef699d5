"""What pulls in a model of OpenSim: muscles along paths, and actuators of coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from freebody.errors import nearest
from freebody.importing.description import Body, Coordinate, Description, Freedom, Move
from freebody.importing.elements import Element, shown
from freebody.importing.opensim.document import Document, called, is_true, last, within
from freebody.importing.opensim.functions import FunctionReader, inner_function
from freebody.importing.opensim.skeleton import Joint, NumericMove, Skeleton
from freebody.importing.opensim.wrapping import PathPlace, Wrapping
from freebody.importing.placing import Pose
from freebody.importing.writing import number
from freebody.model.marks import GROUND

_TIMES = {"Thelen2003Muscle": (0.015, 0.050)}
"""Time constants of activation that a file may leave out; of the others 10 and 40 ms."""
_POINTS = ("PathPoint", "MovingPathPoint", "ConditionalPathPoint")


BASE = 3
"""From how many coordinates on a joint on the ground lets a body move freely."""


class MuscleReader:
    """Reads the set of forces.

    Parameters
    ----------
    document : Document
    description : Description
    skeleton : Skeleton
    frame : callable
        Returns the frame that a socket of an element names.
    coordinates : mapping of str to str
        Of the model, by their names in the file.
    """

    def __init__(
        self,
        document: Document,
        description: Description,
        skeleton: Skeleton,
        frame: Callable[..., Any],
        coordinates: Mapping[str, str],
    ) -> None:
        self.document, self.description = document, description
        self.skeleton, self.frame, self.coordinates = skeleton, frame, coordinates
        self.functions = FunctionReader(description)
        self.wrapping = Wrapping(document, description, skeleton, frame)

    def read(self) -> None:
        """Add what can be said, and tell the rest."""
        for force in self.document.objects("ForceSet"):
            if not is_true(force, "appliesForce", default=True):
                self.description.count("left", f"{force.tag} that does not act")
            elif force.tag == "CoordinateActuator":
                self._actuator(force)
            elif (path := _path(force)) is not None and force.tag not in ("PathSpring", "Ligament"):
                self._muscle(force, path)
            else:
                message = f"{force.tag} '{called(force)}': the equations are without it"
                self.description.note("left", message, force.line)

    # -------------------------------------------------------------- coordinates

    def _actuator(self, force: Element) -> None:
        name = last(force.need("coordinate"))
        if name not in self.coordinates:
            force.refuse(f"no coordinate '{shown(name)}'{nearest(name, self.coordinates)}")
        coordinate = self.coordinates[name]
        moved = self._moved_by(coordinate)
        if moved is None:
            message = f"actuator '{called(force)}', whose coordinate is no turn or shift of its own"
            self.description.note("left", f"{message}: the equations are without it", force.line)
            return
        unit = "N*m" if self.description.coordinates[coordinate].unit == "rad" else "N"
        given = self.description.names.quantity(called(force), "control")
        self.description.inputs[given] = Coordinate(f"control of {called(force)}", "1")
        title = f"force of {called(force)} at full control"
        best = force.number("optimal_force", 1.0)
        factor = self.description.parameter(f"F0_{given}", best, unit, title, "actuators")
        moved.drive = " + ".join(filter(None, (moved.drive, f"{factor}*{given}")))

    def drive_coordinates(self) -> None:
        """Leave all forces, and let a torque or a force drive each coordinate but those of bases.

        A base is what a joint of three coordinates or more carries on the ground.
        """
        for force in self.document.objects("ForceSet"):
            self.description.count("left", f"{force.tag}, for torques of coordinates")
        for coordinate, known in self.description.coordinates.items():
            moved = self._moved_by(coordinate)
            if moved is None or self._is_base(moved):
                message = f"'{coordinate}', which nothing drives"
                self.description.note("taken", message)
                continue
            unit, what = ("N*m", "torque") if known.unit == "rad" else ("N", "force")
            given = self.description.names.made(
                f"{'tau' if known.unit == 'rad' else 'F'}_{coordinate}"
            )
            self.description.inputs[given] = Coordinate(f"{what} of {coordinate}", unit)
            moved.drive = " + ".join(filter(None, (moved.drive, given)))

    def _is_base(self, moved: Freedom | Move) -> bool:
        """Return whether a move is that of a body that moves freely on the ground."""
        return any(
            len(one.values) >= BASE and any(moved is part for part in (one, *one.moves))
            for body in self.description.bodies.values()
            for one in body.freedoms
            if body.parent == GROUND
        )

    def _moved_by(self, coordinate: str) -> Freedom | Move | None:
        unit = self.description.coordinates[coordinate].unit
        for body in self.description.bodies.values():
            for freedom in body.freedoms:
                if freedom.kind in ("pin", "slider") and freedom.values[0] == coordinate:
                    return freedom
                for move in freedom.moves:
                    if move.by == coordinate and (move.kind == "about") == (unit == "rad"):
                        return move
        return None

    # -------------------------------------------------------------- muscles

    def _muscle(self, force: Element, path: Element) -> None:
        name = self.description.names.part(called(force), "muscle")
        groups = within(path, "PathPointSet", "objects")
        points = [point for group in groups for point in group.children]
        places = [place for point in points if (place := self._place(point, name)) is not None]
        if len(places) < 2:
            force.refuse(f"expected a path of at least two points, found {len(places)}")
        tension = self.description.names.made(f"F_{name}")
        self.description.inputs[tension] = Coordinate(f"tension of {called(force)}", "N")
        entry: dict[str, Any] = {"name": name, "tension": tension}
        entry["path"] = self.wrapping.wrapped(path, places, name)
        if force.get("optimal_fiber_length"):
            entry["hill"] = self._hill(force)
            message = "muscle, with the curves of De Groote et al. (2016) instead of its own"
            self.description.count("approximated", message)
        self.description.load("muscles", **entry)

    def _hill(self, force: Element) -> dict[str, Any]:
        length = force.number("optimal_fiber_length")
        rise, fall = _TIMES.get(force.tag, (0.010, 0.040))
        said = {
            "peak_force": force.number("max_isometric_force", 1000.0),
            "optimal_fiber_length": length,
            "tendon_slack_length": force.number("tendon_slack_length", 0.2),
            "maximal_velocity": length * force.number("max_contraction_velocity", 10.0),
            "pennation": force.number("pennation_angle_at_optimal", 0.0),
            "activation_time": force.number("activation_time_constant", rise),
            "deactivation_time": force.number("deactivation_time_constant", fall),
        }
        rigid = is_true(force, "ignore_tendon_compliance", default=False)
        tendon = {} if rigid else {"tendon": "elastic"}
        return {key: number(value) for key, value in said.items()} | tendon

    def _place(self, point: Element, muscle: str) -> PathPlace | None:
        if point.tag not in _POINTS:
            point.refuse(f"expected {', '.join(_POINTS)}{nearest(point.tag, _POINTS)}")
        frame = self.frame(point, "socket_parent_frame")
        if point.tag == "MovingPathPoint":
            return self._moving(point, frame, muscle)
        body, pose = self.skeleton.host(frame.body, frame.pose)
        place = PathPlace(body, pose.place(point.numbers("location", 3)))
        return self._conditional(point, place) if point.tag == "ConditionalPathPoint" else place

    def _conditional(self, point: Element, place: PathPlace) -> PathPlace:
        coordinate = self._coordinate(point, "socket_coordinate")
        low, high = point.numbers("range", 2)
        return PathPlace(place.body, place.at, (coordinate, float(low), float(high)))

    def _coordinate(self, point: Element, socket: str) -> str:
        name = last(point.need(socket))
        if name not in self.coordinates:
            point.refuse(
                f"{socket}: no coordinate '{shown(name)}'{nearest(name, self.coordinates)}"
            )
        return self.coordinates[name]

    def _moving(self, point: Element, frame: Any, muscle: str) -> PathPlace:
        """Return the origin of a frame without mass that moves in the body as the point does."""
        name = self.description.names.made_part(called(point) or f"{muscle}_point")
        body, pose = self.skeleton.host(frame.body, frame.pose)
        moves, numeric = [], []
        for axis, letter in zip(np.eye(3), "xyz", strict=True):
            (holder,) = within(point, f"{letter}_location") or [point]
            coordinate = self._coordinate(point, f"socket_{letter}_coordinate")
            function = inner_function(holder)
            moved = self.functions.read(function, [coordinate], "m", f"{name}_{letter}", name)
            if not moved.is_zero:
                moves.append(Move("along", axis, moved.text))
                numeric.append(NumericMove(False, axis, moved.value))
        if not any(self._depends(move.by) for move in numeric):
            at = sum((move.by({}) * move.axis for move in numeric), np.zeros(3))
            return PathPlace(body, pose.place(at))
        message = "moving point of a path, which moves on beyond the range of its coordinate"
        self.description.count("approximated", message)
        part = self.description.names.made_part(f"{name}_moves")
        freedom = Freedom(
            "custom", part, tuple(move.by for move in moves), moves=moves, socket=Pose()
        )
        frame_body = Body(name, body, pose, freedoms=[freedom], is_frame=True)
        self.description.bodies[name] = frame_body
        self.skeleton.joints[name] = Joint(body, pose, Pose(), numeric)
        return PathPlace(name, np.zeros(3))

    def _depends(self, by: Any) -> bool:
        try:
            by({})
        except KeyError:
            return True
        return False


def _path(force: Element) -> Element | None:
    held = [force, *force.all("path")]
    return next((path for one in held for path in one.all("GeometryPath")), None)
