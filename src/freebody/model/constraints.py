"""What holds the motion to fewer freedoms than there are coordinates."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from freebody.model.marks import (
    ALL_AXES,
    GEOMETRY,
    GROUND,
    MOTION,
    Axis,
    BodyName,
    BodyOrGround,
    Entry,
    Identifier,
    Quantity,
    Refers,
    Scalar,
)
from freebody.model.parts import Placement


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
    def of_speeds(self) -> bool:
        """Whether it is between the speeds alone, so that no coordinate follows from it."""
        return isinstance(self, Rolling | Nonholonomic)


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


class Holonomic(ConstraintBase):
    """An expression of the coordinates that stays zero."""

    type: Literal["holonomic"] = Field("holonomic", description="Of the coordinates.")
    expression: Annotated[Scalar, Quantity("any", GEOMETRY)] = Field(description="What is zero.")


class Nonholonomic(ConstraintBase):
    """An expression of the coordinates and speeds, linear in the speeds, that stays zero."""

    type: Literal["nonholonomic"] = Field("nonholonomic", description="Of the speeds.")
    expression: Annotated[Scalar, Quantity("any", MOTION)] = Field(description="What is zero.")


Constraint = Annotated[
    Coincident | Parallel | Rolling | Holonomic | Nonholonomic, Field(discriminator="type")
]
