"""What the fields of a model may hold: names, numbers and expressions, and their meaning.

Every field that takes an expression or a name says with `Quantity` or `Refers` what may stand
there; `review` goes by these marks and knows no field by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from freebody.algebra.units import dimension
from freebody.errors import ExpressionError

GROUND = "ground"
MAX_ENTRIES = 500
"""Most entries that a section of a model may have."""
MAX_CONSTANTS = 5000
"""Most constants that a model may have: some ten for a body."""

Kind = Literal[
    "coordinates", "rates", "speeds", "prescribed", "inputs", "constants", "time", "measures"
]

CONSTANTS: frozenset[Kind] = frozenset({"constants"})
PRESCRIBED: frozenset[Kind] = CONSTANTS | {"time"}
GEOMETRY: frozenset[Kind] = PRESCRIBED | {"coordinates", "prescribed"}
RATES: frozenset[Kind] = GEOMETRY | {"rates"}
MOTION: frozenset[Kind] = RATES | {"speeds"}
LOADS: frozenset[Kind] = MOTION | {"inputs"}
LAWS: frozenset[Kind] = LOADS | {"measures"}

ELONGATION = ("elongation", "elongation_rate")
DEPTH = ("depth", "depth_rate")


FindUnit = Callable[[Any, Any], str | None]
"""Finds the unit of a field from the model and the entry, where it can be known."""

Parity = tuple[str, ...]
"""The axes that each component of a value belongs to.

A component changes its sign in a mirror when the normal is an odd number of times among its axes: a
turn about z, which takes x to y, when that is x or y.
"""

SCALAR: Parity = ()
POLAR: Parity = ("x", "y", "z")
AXIAL: Parity = ("yz", "zx", "xy")
PRODUCTS: Parity = ("xy", "yz", "zx")
PSEUDOSCALAR: Parity = ("xyz",)

FindParity = Callable[[Any], Parity]
"""Finds the parity of a field from the entry."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """Mark of a field that takes an expression.

    Attributes
    ----------
    unit : str, callable or None
        The unit of its value, or what finds it; "any" where only its terms must have one; None
        where numbers in the expression may have units of their own, and one without any must have
        the unit of its entry.
    uses : frozenset of str
        The kinds of names that it may use.
    measures : tuple of str
        What a law may use besides: a length or an angle, and its rate.
    sign : {"any", "positive", "positive, or 0 as such", "not negative"}
        Of its value, where that is known.
    mirror : tuple of str or callable
        How it changes in a mirror: its parity, or what finds it.
    along : str or None
        The field of the entry that holds the direction along which, or about which, it is.
    """

    unit: str | FindUnit | None
    uses: frozenset[Kind] = CONSTANTS
    measures: tuple[str, ...] = ()
    sign: Literal["any", "positive", "positive, or 0 as such", "not negative"] = "any"
    mirror: Parity | FindParity = SCALAR
    along: str | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """Mark of a field that names the axis, x, y or z, along which its entry is a component.

    Attributes
    ----------
    mirror : tuple of str
        The parity of the components along x, y and z.
    """

    mirror: Parity


@dataclass(frozen=True, slots=True)
class Refers:
    """Mark of a field that takes the name of a body, a joint, a point, or a coordinate or speed.

    Attributes
    ----------
    to : {"body", "joint", "point", "coordinate"}
    ground : bool
        Whether it may be the ground.
    """

    to: Literal["body", "joint", "point", "coordinate"]
    ground: bool = False


def own_unit(_: Any, entry: Any) -> str:
    """Return the unit that an entry declares."""
    return str(entry.unit)


def own_rate(_: Any, entry: Any) -> str:
    """Return the unit of the rate of what an entry declares."""
    return f"({entry.unit})/s"


def by_joint(at_pin: str, otherwise: str) -> FindUnit:
    """Return what finds the unit of a spring or damper by where it acts, if that is known."""

    def find(model: Any, entry: Any) -> str | None:
        if getattr(entry, "joint", None) is None:
            return otherwise
        types = {joint.name: joint.type for joint in model.joints}
        return {"pin": at_pin, "slider": otherwise}.get(types.get(entry.joint, "none"))

    return find


def stiffness_unit(_: Any, entry: Any) -> str:
    """Return the unit of the stiffness of a contact."""
    return f"N/m**({entry.exponent})"


def about(axes: str) -> FindParity:
    """Return what finds the parity of angles about the axes that another field names."""

    def find(entry: Any) -> Parity:
        return tuple(AXIAL["xyz".index(axis)] for axis in getattr(entry, axes))

    return find


def _scalar(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise PydanticCustomError("scalar", "expected a number, a name or an expression")
    if isinstance(value, float) and not math.isfinite(value):
        raise PydanticCustomError("scalar", "expected a finite number")
    return value


def _unit(value: str) -> str:
    try:
        dimension(value)
    except ExpressionError as error:
        raise PydanticCustomError("told", "{message}", {"message": str(error)}) from None
    return value


DIRECTIONS = ("x", "y", "z", "-x", "-y", "-z")
"""Vectors of length 1 along an axis, as a model may write them."""


def _direction(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in DIRECTIONS:
        message = "expected three components or one of {known}, found '{value}'"
        known = ", ".join(DIRECTIONS)
        raise PydanticCustomError("told", message, {"known": known, "value": value[:20]})
    sign = -1 if value.startswith("-") else 1
    return tuple(sign if name == value[-1] else 0 for name in "xyz")


def _shape(value: Any) -> str:
    return "vector" if isinstance(value, list | tuple) else "scalar"


def _sequence(value: str) -> str:
    if len(value) != 3 or set(value) - set("xyz") or value[0] == value[1] or value[1] == value[2]:
        message = "expected three of x, y and z, none twice in a row, found '{value}'"
        raise PydanticCustomError("told", message, {"value": value[:20]})
    return value


IDENTIFIER = r"^[A-Za-z][A-Za-z0-9_]*$"
TEMPLATE = r"^([A-Za-z]|\{[^{}]+\})([A-Za-z0-9_]|\{[^{}]+\})*$"
"""What a file may have for an identifier: ``{name}`` stands for a value of ``[each]``."""

Identifier = Annotated[
    str,
    Field(pattern=IDENTIFIER, max_length=64),
    WithJsonSchema({"type": "string", "pattern": TEMPLATE, "maxLength": 64}),
]
Scalar = Annotated[int | float | str, BeforeValidator(_scalar)]
Vector = tuple[Scalar, Scalar, Scalar]
Axis = Literal["x", "y", "z"]
Direction = Annotated[
    Vector, BeforeValidator(_direction, json_schema_input_type=Vector | Literal[DIRECTIONS])
]
Unit = Annotated[str, AfterValidator(_unit)]
ScalarOrVector = Annotated[
    Annotated[Scalar, Tag("scalar")] | Annotated[Vector, Tag("vector")], Discriminator(_shape)
]

Sequence = Annotated[str, AfterValidator(_sequence)]

Place = Annotated[Vector, Quantity("m", mirror=POLAR)]
BodyName = Annotated[Identifier, Refers("body")]
BodyOrGround = Annotated[Identifier, Refers("body", ground=True)]

ORIGIN: Vector = (0, 0, 0)
ALL_AXES: tuple[Axis, ...] = ("x", "y", "z")


class Entry(BaseModel):
    """Base of everything a model file says: immutable, and without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def one_of(entry: Any, first: str, second: str) -> Any:
    """Return an entry that has one of two fields.

    Parameters
    ----------
    entry : Entry
    first, second : str
        The names of the fields.

    Raises
    ------
    PydanticCustomError
        If it has both or neither.
    """
    given = [name for name in (first, second) if getattr(entry, name) is not None]
    if len(given) != 1:
        context = {"first": first, "second": second, "found": "both" if given else "neither"}
        message = "expected either '{first}' or '{second}', found {found}"
        raise PydanticCustomError("told", message, context)
    return entry


# ------------------------------------------------------------------ entries

Mark = TypeVar("Mark", Quantity, Refers)


@dataclass(frozen=True, slots=True)
class Marked(Generic[Mark]):
    """A value in a model that a mark says something about.

    Attributes
    ----------
    where : str
        Path in the file, such as ``joints[1].at[0]``.
    value : Scalar
        An expression, a number or a name.
    mark : Quantity or Refers
    entry : Entry
        The table that the value is in.
    """

    where: str
    value: Any
    mark: Mark
    entry: Entry


def marked(entry: Entry, mark: type[Mark], where: str = "") -> Iterator[Marked[Mark]]:
    """Iterate over the values in a model, or a table of it, that have a mark of one kind.

    Parameters
    ----------
    entry : Entry
        A model, or a table of it.
    mark : type
        `Quantity`, `Refers` or `Component`.
    where : str, optional
        The path of the entry in the file.

    Examples
    --------
    >>> from freebody.model import load
    >>> for found in marked(load("pendulum"), Refers):
    ...     print(found.where, found.value)
    joints[0].parent ground
    joints[0].child link
    """
    for name, field in type(entry).model_fields.items():
        own = next((metadata for metadata in field.metadata if isinstance(metadata, mark)), None)
        for at, value in _parts(f"{where}.{name}" if where else name, getattr(entry, name)):
            if isinstance(value, Entry):
                yield from marked(value, mark, at)
            elif own is not None and value is not None:
                yield Marked(at, value, own, entry)


def _parts(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((f"{where}.{name}", part) for name, part in value.items())
    elif isinstance(value, tuple):
        yield from ((f"{where}[{index}]", part) for index, part in enumerate(value))
    else:
        yield where, value
