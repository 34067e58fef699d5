"""What a model is made of: coordinates, speeds, inputs, constants, bodies and their points."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from freebody.model.marks import (
    AXIAL,
    MOTION,
    ORIGIN,
    PRESCRIBED,
    PRODUCTS,
    RATES,
    Axis,
    BodyName,
    BodyOrGround,
    Component,
    Entry,
    Identifier,
    Place,
    Quantity,
    Refers,
    Scalar,
    ScalarOrVector,
    Sequence,
    Unit,
    Vector,
    about,
    own_rate,
    own_unit,
)


class Coordinate(Entry):
    """A generalized coordinate; its speed is its derivative, named `<coordinate>_dot`."""

    title: str = Field("", description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit: rad or m.")
    initial: Annotated[Scalar | None, Quantity(own_unit)] = Field(
        None, description="Value at the start of a simulation, in constants."
    )
    initial_speed: Annotated[Scalar, Quantity(own_rate)] = Field(
        0, description="Speed at the start of a simulation, in constants."
    )


class Speed(Entry):
    """A generalized speed that the model declares, linear in the rates of the coordinates."""

    title: str = Field("", description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit: rad/s or m/s.")
    value: Annotated[Scalar | None, Quantity(own_unit, RATES)] = Field(
        None, description="In the rates of the coordinates, named <coordinate>_dot."
    )
    angular_velocity_of: Annotated[Identifier | None, Refers("body")] = Field(
        None, description="Or the body whose angular velocity it is a component of,"
    )
    axis: Annotated[Axis | None, Component(AXIAL)] = Field(
        None, description="along this axis of the body itself."
    )

    @model_validator(mode="after")
    def _means_one_thing(self) -> Self:
        if (self.value is None) == (self.angular_velocity_of is None):
            raise PydanticCustomError("told", "expected either 'value' or 'angular_velocity_of'")
        if (self.axis is None) != (self.angular_velocity_of is None):
            raise PydanticCustomError("told", "expected 'axis' with 'angular_velocity_of'")
        return self


class Prescribed(Entry):
    """A motion that is given as a function of time."""

    title: str = Field("", description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit: rad or m.")
    value: Annotated[Scalar, Quantity(None, PRESCRIBED)] = Field(
        description="In t and constants; its derivatives are <name>_dot and <name>_ddot."
    )


class Input(Entry):
    """A function of time that acts on the model: a moment, a force."""

    title: str = Field("", description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit, such as N*m.")
    value: Annotated[Scalar | None, Quantity(None, MOTION)] = Field(
        None,
        description="Value in a simulation, in t, coordinates, speeds (<coordinate>_dot) and "
        "constants.",
    )


class Constant(Entry):
    """A constant parameter: a length, a mass."""

    title: str = Field("", description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit; 1 for a number.")
    value: Annotated[Scalar | None, Quantity(own_unit)] = Field(
        None, description="A number, or an expression of other constants."
    )
    source: str | None = Field(None, description="Where the value comes from.")


class Body(Entry):
    """A rigid body, a particle if it has no inertia, or a mere frame if it has no mass either.

    Its frame has its origin at the joint that carries it.
    """

    name: Identifier = Field(description="Name, by which joints and loads refer to it.")
    mass: Annotated[Scalar, Quantity("kg", sign="positive, or 0 as such")] = Field(
        description="Mass, in kg; 0 for a frame that only carries others, or a rotor's inertia."
    )
    center_of_mass: Place = Field(
        ORIGIN, description="Centre of mass in the body's own frame, from its joint, in m."
    )
    inertia: Annotated[ScalarOrVector | None, Quantity("kg*m**2", sign="not negative")] = Field(
        None,
        description="Moment of inertia about z through the centre of mass, or [Ixx, Iyy, Izz], in "
        "kg*m**2; none for a particle.",
    )
    products_of_inertia: Annotated[Vector | None, Quantity("kg*m**2", mirror=PRODUCTS)] = Field(
        None, description="[Ixy, Iyz, Izx], with their sign in the inertia matrix."
    )
    shape: Literal["capsule", "box", "cylinder", "ball", "ellipsoid", "line"] | None = Field(
        None, description="What it is drawn as; by its inertia and its joints unless given."
    )
    unphysical: bool = Field(
        False,
        description="Whether a moment of inertia may exceed the sum of the others, as that of no "
        "matter does, because it stands so in the model of another program.",
    )

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if self.products_of_inertia is not None and not isinstance(self.inertia, tuple):
            raise PydanticCustomError(
                "told", "expected 'inertia = [Ixx, Iyy, Izz]' with 'products_of_inertia'"
            )
        return self


class Orientation(Entry):
    """A fixed orientation: rotations about the axes of the turned frame, one after another."""

    sequence: Sequence = Field("xyz", description="The axes, such as zxy.")
    angles: Annotated[Vector, Quantity("rad", mirror=about("sequence"))] = Field(
        description="The three angles."
    )


class NamedPoint(Entry):
    """A point of a body that has a name: an end, a marker."""

    name: Identifier = Field(description="Name, by which results and documents refer to it.")
    on: BodyName = Field(description="The body that it belongs to.")
    at: Place = Field(ORIGIN, description="Where it is in the body's own frame, in m.")


class Placement(Entry):
    """A point of a body."""

    on: BodyOrGround = Field(description="The body, or ground.")
    at: Place = Field(ORIGIN, description="The point in the body's own frame, in m.")


# ------------------------------------------------------------------ segments

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
