"""What pulls across joints: muscles, by the path that they take or by their length."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from freebody.model.marks import (
    AXIAL,
    ORIGIN,
    BodyOrGround,
    Direction,
    Entry,
    Identifier,
    Kind,
    Place,
    Quantity,
    Refers,
    Scalar,
    one_of,
)
from freebody.model.parts import Placement

INPUTS: frozenset[Kind] = frozenset({"inputs"})
POSTURE: frozenset[Kind] = frozenset({"constants", "coordinates"})

BEND = ("arc", "straight", "touching", "back", "ahead", "along")
"""The names of what a path does about a surface: its arc, and how far its pulls go each way."""


class Surface(Entry):
    """A cylinder or a sphere of a body that a muscle bends about."""

    around: BodyOrGround = Field(description="The body that the surface is fixed to, or ground.")
    shape: Literal["cylinder", "sphere"] = Field("cylinder", description="What it is.")
    at: Place = Field(
        ORIGIN, description="Its centre, or a point of its axis, in the body's own frame, in m."
    )
    axis: Annotated[Direction | None, Quantity("1", mirror=AXIAL)] = Field(
        None, description="Of a cylinder, in the body's own frame; z unless given."
    )
    radius: Annotated[Scalar, Quantity("m", sign="positive")] = Field(description="In m.")
    turn: Literal["counterclockwise", "clockwise"] | None = Field(
        None, description="Of a cylinder: which way the path bends about the axis, on its way."
    )

    @model_validator(mode="after")
    def _bends_one_way(self) -> Self:
        is_sphere = self.shape == "sphere"
        if is_sphere and (self.turn or self.axis):
            raise PydanticCustomError("told", "expected neither 'turn' nor 'axis' with a sphere")
        if not is_sphere and self.turn is None:
            raise PydanticCustomError("told", "expected a 'turn' about the axis of the cylinder")
        return self


class Range(Entry):
    """Between which values an expression is."""

    of: Annotated[Scalar, Quantity("any", POSTURE)] = Field(
        description="A coordinate, or an expression of coordinates."
    )
    lower: Annotated[Scalar, Quantity("any")] = Field(description="Its least value.")
    upper: Annotated[Scalar, Quantity("any")] = Field(description="Its largest value.")


class Via(Placement):
    """A point of a path, which may be there in some postures alone."""

    during: Range | None = Field(
        None, description="Where the path leads through the point; everywhere unless given."
    )


class Hill(Entry):
    """A musculotendon of Hill's type, with the curves of De Groote et al. (2016)."""

    peak_force: Annotated[Scalar, Quantity("N", sign="positive")] = Field(
        description="Largest isometric force, at the optimal fibre length, in N."
    )
    optimal_fiber_length: Annotated[Scalar, Quantity("m", sign="positive")] = Field(
        description="Length of the fibres at which they are strongest, in m."
    )
    tendon_slack_length: Annotated[Scalar, Quantity("m", sign="positive")] = Field(
        description="Length from which on the tendon pulls, in m."
    )
    maximal_velocity: Annotated[Scalar | None, Quantity("m/s", sign="positive")] = Field(
        None, description="Fastest shortening of the fibres; 10 optimal lengths a second."
    )
    pennation: Annotated[Scalar, Quantity("rad", sign="not negative")] = Field(
        0, description="Angle of the fibres from the tendon at their optimal length."
    )
    damping: Annotated[Scalar, Quantity("1", sign="not negative")] = Field(
        0.1, description="Of the fibres beside a rigid tendon, of the peak force."
    )
    tendon: Literal["rigid", "elastic"] = Field("rigid", description="What the tendon does.")
    tendon_stiffness: Annotated[Scalar, Quantity("1", sign="positive")] = Field(
        33.93669377311689, description="The exponent of an elastic tendon's curve."
    )
    activation_time: Annotated[Scalar, Quantity("s", sign="positive")] = Field(
        0.015, description="Time constant of activation."
    )
    deactivation_time: Annotated[Scalar, Quantity("s", sign="positive")] = Field(
        0.060, description="Time constant of deactivation."
    )


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "name"
    around = "around" in value if isinstance(value, dict) else isinstance(value, Surface)
    return "surface" if around else "place"


Stretch = Annotated[
    Annotated[Identifier, Tag("name")]
    | Annotated[Via, Tag("place")]
    | Annotated[Surface, Tag("surface")],
    Discriminator(_kind),
]
"""What a path leads through: a named point, a place of a body, or a surface."""


class Muscle(Entry):
    """A muscle: what it pulls with is an input, how it pulls follows from its path or length."""

    name: Identifier = Field(description="Name, by which results refer to it.")
    tension: Annotated[Identifier, Quantity("N", INPUTS)] = Field(
        description="The input that it pulls with, in N."
    )
    path: Annotated[tuple[Stretch, ...] | None, Refers("point")] = Field(
        None, description="Points from origin to insertion, with the surfaces between them."
    )
    length: Annotated[Scalar | None, Quantity("m", POSTURE)] = Field(
        None, description="Or its length, in coordinates and constants, in m."
    )
    hill: Hill | None = Field(None, description="What its fibres and its tendon are like.")

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        return one_of(self, "path", "length")

    @model_validator(mode="after")
    def _ends_at_points(self) -> Self:
        if self.path is None:
            return self
        surfaces = [isinstance(part, Surface) for part in self.path]
        if len(self.path) < 2 or surfaces[0] or surfaces[-1]:
            raise PydanticCustomError("told", "expected a 'path' that begins and ends at points")
        if any(one and other for one, other in pairwise(surfaces)):
            raise PydanticCustomError("told", "expected a point between two surfaces of a 'path'")
        return self

    @model_validator(mode="after")
    def _has_fixed_ends(self) -> Self:
        path = self.path or ()
        for index, part in enumerate(path):
            beside = (*path[max(index - 1, 0) : index], *path[index + 1 : index + 2])
            ends = len(beside) < 2 or any(isinstance(one, Surface) for one in beside)
            if isinstance(part, Via) and part.during is not None and ends:
                message = "expected no 'during' of a point at an end of a 'path' or by a surface"
                raise PydanticCustomError("told", message)
        return self
