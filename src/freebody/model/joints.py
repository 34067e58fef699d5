"""What joins two bodies, and how the one moves in the other."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from freebody.model.marks import (
    AXIAL,
    GEOMETRY,
    LOADS,
    ORIGIN,
    POLAR,
    PSEUDOSCALAR,
    Axis,
    BodyName,
    BodyOrGround,
    Direction,
    Entry,
    FindUnit,
    Identifier,
    Parity,
    Place,
    Quantity,
    Scalar,
    ScalarOrVector,
    Sequence,
    Vector,
    about,
    one_of,
)
from freebody.model.parts import Orientation

MAX_MOVES = 20
"""Most shifts and turns of a joint."""


class JointBase(Entry):
    """What all joints have: two bodies, and the point of each that the joint keeps together."""

    name: Identifier = Field(description="Name, by which springs and reactions refer to it.")
    parent: BodyOrGround = Field(description="The body that carries the joint, or ground.")
    child: BodyName = Field(description="The body that the joint carries.")
    at: Place = Field(ORIGIN, description="The joint in the parent's frame, in m.")
    child_at: Place = Field(ORIGIN, description="The joint in the child's frame, in m.")
    orientation: Orientation | None = Field(
        None, description="Of the joint's frame in the parent's, where it is another."
    )
    child_orientation: Orientation | None = Field(
        None, description="Of the joint's frame in the child's, where it is another."
    )


class Pin(JointBase):
    """A hinge: the child turns by an angle about an axis."""

    type: Literal["pin"] = Field("pin", description="A hinge.")
    axis: Annotated[Direction, Quantity("1", mirror=AXIAL)] = Field(
        (0, 0, 1),
        description="Axis of rotation in the joint's frame.",
    )
    angle: Annotated[Scalar, Quantity("rad", GEOMETRY, along="axis")] = Field(
        description="Angle of the child from the parent, in coordinates and constants."
    )
    torque: Annotated[Scalar | None, Quantity("N*m", LOADS, along="axis")] = Field(
        None, description="Moment of the joint's actuator on the child, in N*m."
    )


class Slider(JointBase):
    """A prismatic joint: the child moves along an axis."""

    type: Literal["slider"] = Field("slider", description="A prismatic joint.")
    axis: Annotated[Direction, Quantity("1", mirror=POLAR)] = Field(
        (1, 0, 0),
        description="Direction of motion in the joint's frame.",
    )
    displacement: Annotated[Scalar, Quantity("m", GEOMETRY, along="axis")] = Field(
        description="Displacement of the child along the axis, in coordinates and constants."
    )
    force: Annotated[Scalar | None, Quantity("N", LOADS, along="axis")] = Field(
        None, description="Force of the joint's actuator on the child, in N."
    )


class Cylindrical(JointBase):
    """The child turns about an axis and moves along it."""

    type: Literal["cylindrical"] = Field("cylindrical", description="A pin that slides.")
    axis: Annotated[Direction, Quantity("1", mirror=AXIAL)] = Field(
        (0, 0, 1), description="Axis in the joint's frame."
    )
    displacement: Annotated[Scalar, Quantity("m", GEOMETRY, mirror=PSEUDOSCALAR, along="axis")] = (
        Field(description="Displacement of the child along the axis.")
    )
    angle: Annotated[Scalar, Quantity("rad", GEOMETRY, along="axis")] = Field(
        description="Angle of the child about the axis."
    )
    force: Annotated[Scalar | None, Quantity("N", LOADS, mirror=PSEUDOSCALAR, along="axis")] = (
        Field(None, description="Force of the joint's actuator on the child, along the axis, in N.")
    )
    torque: Annotated[Scalar | None, Quantity("N*m", LOADS, along="axis")] = Field(
        None, description="Moment of the joint's actuator on the child, about the axis, in N*m."
    )


class Planar(JointBase):
    """The child moves in the x-y plane of the joint's frame, and turns about its z."""

    type: Literal["planar"] = Field("planar", description="Motion in a plane.")
    translation: Annotated[tuple[Scalar, Scalar], Quantity("m", GEOMETRY, mirror=POLAR[:2])] = (
        Field(description="Along x and y of the joint's frame.")
    )
    rotation: Annotated[Scalar, Quantity("rad", GEOMETRY, mirror=AXIAL[2:])] = Field(
        0, description="Angle of the child about z."
    )


class Universal(JointBase):
    """Two pins in one point: a turn about one axis, then about another of the turned frame."""

    type: Literal["universal"] = Field("universal", description="A cross, or Cardan, joint.")
    axes: tuple[Axis, Axis] = Field(("x", "y"), description="The axes, one after another.")
    angles: Annotated[tuple[Scalar, Scalar], Quantity("rad", GEOMETRY, mirror=about("axes"))] = (
        Field(description="The angles about them.")
    )
    generalized_torque: Annotated[
        tuple[Scalar, Scalar] | None, Quantity("N*m", LOADS, mirror=about("axes"))
    ] = Field(
        None, description="Moments of the actuators about these axes: conjugate to the angles."
    )
    torque: Annotated[Vector | None, Quantity("N*m", LOADS, mirror=AXIAL)] = Field(
        None, description="Moment of the actuators on the child, in the child's frame."
    )


class Spherical(JointBase):
    """A ball and socket: three turns in one point."""

    type: Literal["spherical"] = Field("spherical", description="A ball and socket.")
    sequence: Sequence = Field("xyz", description="Axes of the turned frame, one after another.")
    angles: Annotated[Vector, Quantity("rad", GEOMETRY, mirror=about("sequence"))] = Field(
        description="The angles about them."
    )
    generalized_torque: Annotated[
        Vector | None, Quantity("N*m", LOADS, mirror=about("sequence"))
    ] = Field(
        None, description="Moments of the actuators about these axes: conjugate to the angles."
    )
    torque: Annotated[Vector | None, Quantity("N*m", LOADS, mirror=AXIAL)] = Field(
        None, description="Moment of the actuators on the child, in the child's frame."
    )


class Weld(JointBase):
    """A rigid connection."""

    type: Literal["weld"] = Field("weld", description="A rigid connection.")


def _rotation(joint: Free) -> Parity:
    return about("sequence")(joint) if isinstance(joint.rotation, tuple) else AXIAL[2:]


class Free(JointBase):
    """No connection: the child moves and turns as it likes."""

    type: Literal["free"] = Field("free", description="No connection, only coordinates.")
    translation: Annotated[Vector, Quantity("m", GEOMETRY, mirror=POLAR)] = Field(
        description="From the joint's point on the parent to the one on the child, in the "
        "joint's frame, in m."
    )
    rotation: Annotated[ScalarOrVector, Quantity("rad", GEOMETRY, mirror=_rotation)] = Field(
        0, description="Angle of the child about z, or three angles."
    )
    sequence: Sequence = Field("xyz", description="Axes of the three angles, one after another.")


def _by_kind(shift: str, turn: str) -> FindUnit:
    """Return what finds the unit of a move: of a shift or of a turn."""

    def find(_: Any, move: Any) -> str:
        return shift if move.about is None else turn

    return find


class Move(Entry):
    """A shift along an axis, or a turn about one, of the frame that was moved so far."""

    along: Annotated[Direction | None, Quantity("1", mirror=POLAR)] = Field(
        None, description="Direction of a shift,"
    )
    about: Annotated[Direction | None, Quantity("1", mirror=AXIAL)] = Field(
        None, description="or axis of a turn."
    )
    by: Annotated[Scalar, Quantity(_by_kind("m", "rad"), GEOMETRY, along="axis")] = Field(
        description="How far, in coordinates and constants."
    )
    force: Annotated[Scalar | None, Quantity("N", LOADS, along="axis")] = Field(
        None, description="Force of an actuator along the shift, in N."
    )
    torque: Annotated[Scalar | None, Quantity("N*m", LOADS, along="axis")] = Field(
        None, description="Moment of an actuator about the axis, in N*m."
    )

    @property
    def axis(self) -> Vector:
        """Its direction or axis."""
        return self.along or self.about or ORIGIN

    @property
    def effort(self) -> Scalar | None:
        """What its actuator exerts along or about it."""
        return self.force if self.about is None else self.torque

    @model_validator(mode="after")
    def _is_one_move(self) -> Self:
        one_of(self, "along", "about")
        wrong, right = ("torque", "force") if self.about is None else ("force", "torque")
        if getattr(self, wrong) is not None:
            where = "along" if self.about is None else "about"
            message = "expected '{right}' with '{where}', found '{wrong}'"
            context = {"right": right, "where": where, "wrong": wrong}
            raise PydanticCustomError("told", message, context)
        return self


class Custom(JointBase):
    """Shifts and turns one after another, each by an expression of the coordinates."""

    type: Literal["custom"] = Field("custom", description="Shifts and turns of one's own.")
    motion: tuple[Move, ...] = Field(
        min_length=1,
        max_length=MAX_MOVES,
        description="One after another, each in the axes of the frame that was moved so far.",
    )


Joint = Annotated[
    Pin | Slider | Cylindrical | Planar | Universal | Spherical | Weld | Free | Custom,
    Field(discriminator="type"),
]
