"""What a file may say of body segments: the table that they follow, and which body is which."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from freebody.model.marks import Axis, Entry, Identifier, Scalar
from freebody.model.parts import Body

Direction = Literal["x", "-x", "y", "-y", "z", "-z"]


def _at_most(most: float, unit: str) -> AfterValidator:
    """Return what refuses numbers that no body has, such as a height in cm."""

    def checked(value: Any) -> Any:
        if isinstance(value, str) or 0 < value <= most:
            return value
        message = "expected more than 0 and at most {most} {unit}, found {found}"
        raise PydanticCustomError("told", message, {"unit": unit, "most": most, "found": value})

    return AfterValidator(checked)


Length = Annotated[Scalar, _at_most(3, "m")]
Mass = Annotated[Scalar, _at_most(700, "kg")]


class Segments(Entry):
    """Whose body it is, and by which table its segments follow from that."""

    table: str = Field(description="A table of body segment parameters, such as de_leva_1996.")
    sex: Literal["female", "male"] | None = Field(
        None, description="Needed where the table tells the sexes apart."
    )
    height: Length | None = Field(
        None, description="Of the body, in m; needed where a length follows from it."
    )
    mass: Mass = Field(description="Of the body, in kg.")


class Segment(Entry):
    """Which segment of the table a body is, and how it was measured."""

    name: str = Field(description="Its name in the table.")
    length: Length | None = Field(
        None, description="In m, if measured; the table's fraction of the height otherwise."
    )
    between: tuple[Identifier, Identifier] | None = Field(
        None,
        description="The landmarks of this length, or those of the table's row to use; the first "
        "is at the origin of the body's frame.",
    )
    along: Direction = Field(
        "x", description="Direction from the first to the second landmark in the body's frame."
    )
    transverse: Axis = Field("z", description="Axis of the body's frame that is mediolateral.")

    @model_validator(mode="after")
    def _has_two_axes(self) -> Self:
        if self.transverse == self.along[-1]:
            message = "expected 'along' and 'transverse' along two axes, found '{axis}' for both"
            raise PydanticCustomError("told", message, {"axis": self.transverse})
        return self


def _named(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


class FileBody(Body):
    """A body as a file says it: what it does not say follows from its segment."""

    mass: Scalar = Field(
        default_factory=int,
        description="Mass, in kg; 0 for a frame that only carries others; left out with a segment.",
    )
    segment: Annotated[Segment | None, BeforeValidator(_named)] = Field(
        None, description="The segment of the table that it is: its name, or a table."
    )
