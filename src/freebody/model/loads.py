"""What acts on bodies, at joints and between points."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from freebody.model.marks import (
    ALL_AXES,
    AXIAL,
    DEPTH,
    ELONGATION,
    GEOMETRY,
    GROUND,
    LAWS,
    LOADS,
    MOTION,
    ORIGIN,
    POLAR,
    Axis,
    BodyName,
    BodyOrGround,
    Direction,
    Entry,
    Identifier,
    Place,
    Quantity,
    Refers,
    Scalar,
    Vector,
    by_joint,
    one_of,
    stiffness_unit,
)
from freebody.model.parts import Placement

FORCE_NAME = "Name, also of its force where that follows a law."


class Force(Entry):
    """A force on a point of a body."""

    on: BodyName = Field(description="The body that it acts on.")
    at: Place = Field(ORIGIN, description="Where it acts, in the body's own frame, in m.")
    arm: Annotated[Vector | None, Quantity("m", GEOMETRY, mirror=POLAR)] = Field(
        None,
        description="How far from there it acts, in m, along the axes of the frame of the "
        "components: to the lowest point of a ball that turns.",
    )
    vector: Annotated[Vector, Quantity("N", LOADS, mirror=POLAR)] = Field(
        description="Its components, in N."
    )
    frame: BodyOrGround = Field(GROUND, description="The body whose frame the components are in.")
    name: Identifier | None = Field(None, description="Name of the point that it acts at.")


class Torque(Entry):
    """A moment on a body, and its opposite on another if there is one."""

    on: BodyName = Field(description="The body that it acts on.")
    vector: Annotated[Vector, Quantity("N*m", LOADS, mirror=AXIAL)] = Field(
        description="Components, in N*m."
    )
    frame: BodyOrGround = Field(GROUND, description="The body whose frame the components are in.")
    reaction_on: Annotated[Identifier | None, Refers("body", ground=True)] = Field(
        None, description="The body that the opposite moment acts on."
    )
    name: Identifier | None = Field(None, description="Name.")


class _Acting(Entry):
    """What acts at a joint, or along the line between two points."""

    joint: Annotated[Identifier | None, Refers("joint")] = Field(
        None, description="The pin or slider that it acts at."
    )
    between: tuple[Placement, Placement] | None = Field(
        None, description="The two points that it acts between."
    )
    name: Identifier | None = Field(None, description=FORCE_NAME)

    @model_validator(mode="after")
    def _acts_in_one_way(self) -> Self:
        if (self.joint is None) == (self.between is None):
            given = "neither" if self.joint is None else "both"
            message = "expected either 'joint' or 'between', found {found}"
            raise PydanticCustomError("told", message, {"found": given})
        return self


class Spring(_Acting):
    """A spring."""

    stiffness: Annotated[Scalar | None, Quantity(by_joint("N*m/rad", "N/m"))] = Field(
        None, description="Of a linear spring: in N*m/rad at a pin, else in N/m."
    )
    rest: Annotated[Scalar, Quantity(by_joint("rad", "m"))] = Field(
        0, description="Angle, displacement or length at which it is slack."
    )
    law: Annotated[Scalar | None, Quantity(by_joint("N*m", "N"), LAWS, ELONGATION)] = Field(
        None, description="Instead of a stiffness, its pull in elongation and elongation_rate."
    )
    one_sided: bool = Field(
        False, description="Whether it only pulls when it is stretched, as a cable does."
    )

    @model_validator(mode="after")
    def _has_one_law(self) -> Self:
        return one_of(self, "stiffness", "law")


class Damper(_Acting):
    """A damper."""

    damping: Annotated[Scalar | None, Quantity(by_joint("N*m*s/rad", "N*s/m"))] = Field(
        None, description="Of a linear damper: in N*m*s/rad at a pin, else in N*s/m."
    )
    law: Annotated[Scalar | None, Quantity(by_joint("N*m", "N"), LAWS, ELONGATION)] = Field(
        None, description="Instead of a damping, its pull in elongation_rate and elongation."
    )

    @model_validator(mode="after")
    def _has_one_law(self) -> Self:
        return one_of(self, "damping", "law")


class Stop(Entry):
    """The end of a joint's range, which pushes back smoothly."""

    joint: Annotated[Identifier, Refers("joint")] = Field(description="The pin or slider.")
    lower: Annotated[Scalar | None, Quantity(by_joint("rad", "m"))] = Field(
        None, description="Where the range begins."
    )
    upper: Annotated[Scalar | None, Quantity(by_joint("rad", "m"))] = Field(
        None, description="Where the range ends."
    )
    stiffness: Annotated[Scalar, Quantity(by_joint("N*m/rad", "N/m"), sign="not negative")] = Field(
        description="Of what is beyond the range."
    )
    dissipation: Annotated[Scalar, Quantity(by_joint("s/rad", "s/m"), sign="not negative")] = Field(
        0, description="How much more it pushes, for each unit of speed into it."
    )
    smoothing: Annotated[Scalar, Quantity(by_joint("rad", "m"), sign="positive")] = Field(
        description="Over what range it begins to push."
    )
    name: Identifier | None = Field(None, description=FORCE_NAME)

    @model_validator(mode="after")
    def _stops_something(self) -> Self:
        if self.lower is None and self.upper is None:
            raise PydanticCustomError("told", "expected 'lower', 'upper' or both")
        return self


class Friction(Entry):
    """Dry and viscous friction in a joint."""

    joint: Annotated[Identifier, Refers("joint")] = Field(description="The pin or slider.")
    coulomb: Annotated[Scalar, Quantity(by_joint("N*m", "N"), LOADS, sign="not negative")] = Field(
        0, description="Of dry friction: the moment or force against any motion."
    )
    viscous: Annotated[Scalar, Quantity(by_joint("N*m*s/rad", "N*s/m"), sign="not negative")] = (
        Field(0, description="Of viscous friction.")
    )
    smoothing: Annotated[Scalar, Quantity(by_joint("rad/s", "m/s"), sign="positive")] = Field(
        description="The speed at which dry friction has three quarters of its size."
    )
    name: Identifier | None = Field(None, description=FORCE_NAME)


class Contact(Entry):
    """A point of a body, a ball or a wheel that may touch a plane fixed in the ground."""

    name: Identifier = Field(description="Name of the point and of its forces.")
    on: BodyName = Field(description="The body that touches the plane.")
    at: Place = Field(ORIGIN, description="The point in the body's own frame, in m.")
    radius: Annotated[Scalar | None, Quantity("m", sign="positive")] = Field(
        None, description="Of a ball about the point, which touches where it is lowest."
    )
    axis: Annotated[Direction | None, Quantity("1", mirror=AXIAL)] = Field(
        None, description="Of a wheel instead: its axle in the body's own frame."
    )
    section: Annotated[Scalar, Quantity("m", sign="not negative")] = Field(
        0, description="Of a wheel: the radius of the section of its tyre; 0 is a knife edge."
    )
    normal: Annotated[Direction, Quantity("1", mirror=POLAR)] = Field(
        (0, 1, 0), description="Out of the plane, in the ground frame."
    )
    height: Annotated[Scalar, Quantity("m", GEOMETRY, along="normal")] = Field(
        0, description="Of the plane along the normal, from the origin."
    )
    stiffness: Annotated[Scalar | None, Quantity(stiffness_unit, sign="not negative")] = Field(
        None, description="Hunt and Crossley's, in N/m**exponent."
    )
    exponent: float = Field(1.5, gt=0, le=10, description="Of the depth.")
    dissipation: Annotated[Scalar, Quantity("s/m", sign="not negative")] = Field(
        0, description="Hunt and Crossley's: how much more it pushes, for each m/s into it."
    )
    law: Annotated[Scalar | None, Quantity("N", LAWS, DEPTH)] = Field(
        None, description="Instead of a stiffness, the push in depth and depth_rate."
    )
    friction: Annotated[Scalar, Quantity("1", sign="not negative")] = Field(
        0, description="Coefficient of dry friction."
    )
    smoothing: Annotated[Scalar | None, Quantity("m/s", sign="positive")] = Field(
        None, description="The speed at which friction has seven tenths of its size."
    )

    @model_validator(mode="after")
    def _has_one_law(self) -> Self:
        if self.friction != 0 and self.smoothing is None:
            raise PydanticCustomError("told", "expected a 'smoothing' with 'friction'")
        if self.axis is not None and self.radius is None:
            raise PydanticCustomError("told", "expected the 'radius' of a wheel with its 'axis'")
        if self.section != 0 and self.axis is None:
            raise PydanticCustomError("told", "expected the 'axis' of a wheel with 'section'")
        return one_of(self, "stiffness", "law")


# ------------------------------------------------------------------ constraints


class ConstraintBase(Entry):
    """What all constraints have."""

    name: Identifier = Field(description="Name, by which its forces are called.")
    dependent: Annotated[tuple[Identifier, ...], Refers("coordinate")] = Field(
        description="The coordinates that it decides, or the speeds: one for each of its equations."
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """What tells its equations apart, one for each: the axes that it acts along."""
        axes: tuple[str, ...] = getattr(self, "axes", ("",))
        return axes

    @property
    def of_speeds(self) -> tuple[bool, ...]:
        """Which of its equations are between the speeds alone, so that no coordinate follows."""
        if isinstance(self, Wheel):
            return (False, *(True for _ in self.axes))
        return (isinstance(self, Rolling | Nonholonomic),) * len(self.labels)


class Coincident(ConstraintBase):
    """Two points that stay together: a loop is closed."""

    type: Literal["coincident"] = Field("coincident", description="Two points stay together.")
    between: tuple[Placement, Placement] = Field(
        description="The points; the force acts on the second, its opposite on the first."
    )
    axes: tuple[Axis, ...] = Field(ALL_AXES, description="Of the ground frame, along which.")


class Parallel(ConstraintBase):
    """A body that does not turn against another."""

    type: Literal["parallel"] = Field("parallel", description="A frame stays parallel.")
    on: BodyName = Field(description="The body.")
    to: BodyOrGround = Field(GROUND, description="The other body, or ground.")
    axes: tuple[Axis, ...] = Field(ALL_AXES, description="About which it does not turn.")


class Rolling(ConstraintBase):
    """A body that rolls on another without slipping."""

    type: Literal["rolling"] = Field("rolling", description="Rolling without slip.")
    on: BodyName = Field(description="The body that rolls.")
    contact: Placement = Field(
        description="Where it touches: a place that may move in the rolling body, such as below "
        "its centre in the frame that carries it."
    )
    surface: BodyOrGround = Field(GROUND, description="What it rolls on.")
    axes: tuple[Axis, ...] = Field(description="Along which the touching points do not slip,")
    frame: BodyOrGround = Field(GROUND, description="of this frame.")


class Wheel(ConstraintBase):
    """A wheel that touches a plane of the ground, wherever that is, and rolls on it."""

    type: Literal["wheel"] = Field("wheel", description="A wheel on a plane.")
    on: BodyName = Field(description="The body that the wheel belongs to, and turns with.")
    at: Place = Field(ORIGIN, description="Its hub in the body's own frame, in m.")
    axis: Annotated[Direction, Quantity("1", mirror=AXIAL)] = Field(
        description="Its axle in the body's own frame."
    )
    radius: Annotated[Scalar, Quantity("m", sign="positive")] = Field(
        description="Of its rim; with a tyre, of the circle in the middle of this."
    )
    section: Annotated[Scalar, Quantity("m", sign="not negative")] = Field(
        0, description="The radius of the section of its tyre; none is a knife edge."
    )
    normal: Annotated[Direction, Quantity("1", mirror=POLAR)] = Field(
        (0, 1, 0), description="Out of the plane, in the ground frame."
    )
    height: Annotated[Scalar, Quantity("m", along="normal")] = Field(
        0, description="Of the plane along the normal, from the origin."
    )
    axes: tuple[Axis, ...] = Field(
        description="Of the ground, along which it does not slip: two; none where it glides."
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """What tells its equations apart: that it touches, and where it does not slip."""
        return ("normal", *self.axes)


class Holonomic(ConstraintBase):
    """An expression of the coordinates that stays zero."""

    type: Literal["holonomic"] = Field("holonomic", description="Of the coordinates.")
    expression: Annotated[Scalar, Quantity("any", GEOMETRY)] = Field(description="What is zero.")


class Nonholonomic(ConstraintBase):
    """An expression of the coordinates and speeds, linear in the speeds, that stays zero."""

    type: Literal["nonholonomic"] = Field("nonholonomic", description="Of the speeds.")
    expression: Annotated[Scalar, Quantity("any", MOTION)] = Field(description="What is zero.")


Constraint = Annotated[
    Coincident | Parallel | Rolling | Wheel | Holonomic | Nonholonomic,
    Field(discriminator="type"),
]
