"""What happens in an instant: points that touch a plane, places that meet, joints that lock."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from freebody.model.marks import (
    ALL_AXES,
    GEOMETRY,
    ORIGIN,
    POLAR,
    Axis,
    BodyName,
    Direction,
    Entry,
    Identifier,
    Place,
    Quantity,
    Scalar,
    Vector,
)
from freebody.model.parts import Placement


class ImpactBase(Entry):
    """What all impacts have."""

    name: Identifier = Field(description="Name, by which its impulses are called.")
    restitution: Annotated[Scalar, Quantity("1", sign="not negative")] = Field(
        0, description="Newton's: the speed of parting by that of closing, from 0 to 1."
    )
    only: str | None = Field(
        None, description="An expression of the state: it happens only where this is positive."
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """What tells its equations apart, one for each."""
        return ("",)


class Touch(ImpactBase):
    """A point of a body that meets a plane which is fixed in the ground, and is pushed alone."""

    type: Literal["touch"] = Field("touch", description="A point meets a plane.")
    on: BodyName = Field(description="The body that touches the plane.")
    at: Place = Field(ORIGIN, description="The point in the body's own frame, in m.")
    arm: Annotated[Vector | None, Quantity("m", GEOMETRY, mirror=POLAR)] = Field(
        None,
        description="How far from there the point is, in m, along the axes of the ground: to the "
        "lowest point of a ball that turns.",
    )
    normal: Annotated[Direction, Quantity("1", mirror=POLAR)] = Field(
        (0, 1, 0), description="Out of the plane, in the ground frame."
    )
    height: Annotated[Scalar, Quantity("m", along="normal")] = Field(
        0, description="Of the plane along the normal, from the origin."
    )
    rough: tuple[Axis, ...] = Field(
        (), description="Axes of the ground in the plane, along which it does not slip."
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """The normal, and the axes along which it does not slip."""
        return ("normal", *self.rough)


class Catch(ImpactBase):
    """Two places that meet, and are held together."""

    type: Literal["catch"] = Field("catch", description="Two places meet.")
    between: tuple[Placement, Placement] = Field(
        description="The places; the impulse acts on the second, its opposite on the first."
    )
    axes: tuple[Axis, ...] = Field(ALL_AXES, description="Of the ground frame, along which.")
    when: str = Field(description='The event in which they meet, such as "theta > pi/2".')
    stays: bool = Field(False, description="Whether they stay together from then on.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The axes."""
        return self.axes


class Limit(ImpactBase):
    """An expression of the coordinates that does not become negative: a knee that locks."""

    type: Literal["limit"] = Field("limit", description="An expression stays positive.")
    expression: Annotated[Scalar, Quantity("any", GEOMETRY)] = Field(
        description="What does not become negative."
    )


Impact = Annotated[Touch | Catch | Limit, Field(discriminator="type")]
