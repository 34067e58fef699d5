"""What `[each]` says: for which values entries are repeated, and which copies are mirrored."""

from __future__ import annotations

import re
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from freebody.errors import nearest
from freebody.model.marks import IDENTIFIER, MAX_ENTRIES, Axis, Entry, Identifier
from freebody.model.schema import Model
from freebody.model.segments import FileBody, Segments

MAX_WHOLE = 10**9
MAX_NAME = 64


def _whole(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= MAX_WHOLE:
        raise PydanticCustomError("value", "expected a whole number of at most nine digits")
    return value


def _value(value: Any) -> Any:
    if isinstance(value, int):
        return _whole(value)
    if not isinstance(value, str) or len(value) > MAX_NAME or not re.fullmatch(IDENTIFIER, value):
        raise PydanticCustomError("value", "expected a name or a whole number")
    return value


def _counted(values: tuple[Any, ...] | range) -> Any:
    if not 1 <= len(values) <= MAX_ENTRIES:
        message = "expected 1 to {most} values, found {found}"
        raise PydanticCustomError("told", message, {"most": MAX_ENTRIES, "found": len(values)})
    return values


def _distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise PydanticCustomError("told", "'{value}' stands there twice", {"value": value})
    return values


Whole = Annotated[int, BeforeValidator(_whole)]
Value = Annotated[int | str, BeforeValidator(_value)]
ValueList = Annotated[tuple[Value, ...], AfterValidator(_counted), AfterValidator(_distinct)]


class Values(Entry):
    """The values for which entries are repeated, and which of the copies are mirrored."""

    values: ValueList | None = Field(None, description="Names or whole numbers, in order.")
    first: Whole | None = Field(None, alias="from", description="Or every whole number from this")
    last: Whole | None = Field(None, alias="to", description="to this one.")
    mirrored: ValueList | None = Field(
        None, description="Those of the values whose copies are reflected in a plane."
    )
    normal: Axis | None = Field(None, description="The axis that is normal to the plane.")

    @model_validator(mode="after")
    def _has_values(self) -> Self:
        if (self.first is None) != (self.last is None):
            raise PydanticCustomError("told", "expected 'from' with 'to'")
        if (self.values is None) == (self.first is None):
            raise PydanticCustomError("told", "expected either 'values' or 'from' with 'to'")
        _counted(self.all)
        return self

    @model_validator(mode="after")
    def _mirrors_some_of_them(self) -> Self:
        if (self.mirrored is None) != (self.normal is None):
            raise PydanticCustomError("told", "expected 'mirrored' with 'normal'")
        for value in self.mirrored or ():
            if value not in self.all:
                context = {"value": value, "near": nearest(str(value), map(str, self.all))}
                raise PydanticCustomError("told", "'{value}' is none of the values{near}", context)
        return self

    @property
    def all(self) -> tuple[int | str, ...] | range:
        """The values, in order."""
        return self.values or range(self.first or 0, (self.last or 0) + 1)

    def normal_of(self, value: int | str) -> str:
        """Return the normal of the plane in which the copy for a value is reflected, or nothing."""
        return self.normal if self.normal and value in (self.mirrored or ()) else ""


def _shape(value: Any) -> str:
    return "list" if isinstance(value, list | tuple) else "table"


class ModelFile(Model):
    """A body model as a file says it: with what is repeated in it, and what follows from tables."""

    segments: Segments | None = Field(None, description="The table that body segments follow.")
    bodies: tuple[FileBody, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Rigid bodies and particles."
    )

    each: dict[
        Identifier,
        Annotated[
            Annotated[ValueList, Tag("list")] | Annotated[Values, Tag("table")],
            Discriminator(_shape),
        ],
    ] = Field(
        default_factory=dict,
        max_length=MAX_ENTRIES,
        description="The values for which an entry that holds {name} is repeated.",
    )

    def values_of(self, name: str) -> Values:
        """Return the values that a name stands for."""
        said = self.each[name]
        return said if isinstance(said, Values) else Values(values=said)
