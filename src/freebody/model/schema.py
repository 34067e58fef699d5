"""What a model file may say: the classes of its tables, the same in Python and in TOML.

Every field that takes an expression or a name says with `Quantity` or `Refers` what may stand
there; `review` goes by these marks and knows no field by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    model_validator,
)
from pydantic_core import PydanticCustomError

from freebody.algebra.units import dimension
from freebody.errors import ExpressionError

GROUND = "ground"
MAX_ENTRIES = 500
"""Most entries that a section of a model may have."""

Kind = Literal["coordinates", "speeds", "inputs", "constants", "time"]

CONSTANTS: frozenset[Kind] = frozenset({"constants"})
GEOMETRY: frozenset[Kind] = CONSTANTS | {"coordinates"}
MOTION: frozenset[Kind] = GEOMETRY | {"speeds", "time"}
LOADS: frozenset[Kind] = MOTION | {"inputs"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """Mark of a field that takes an expression.

    Attributes
    ----------
    unit : str, callable or None
        The unit of its value, or what finds it from the model and the entry; None where numbers
        in the expression may have units of their own.
    uses : frozenset of str
        The kinds of names that it may use.
    sign : {"any", "positive", "not negative"}
        Of its value, where that is known.
    """

    unit: str | Callable[[Model, Any], str | None] | None
    uses: frozenset[Kind] = CONSTANTS
    sign: Literal["any", "positive", "not negative"] = "any"


@dataclass(frozen=True, slots=True)
class Refers:
    """Mark of a field that takes the name of a body or a joint.

    Attributes
    ----------
    to : {"body", "joint"}
    ground : bool
        Whether it may be the ground.
    """

    to: Literal["body", "joint"]
    ground: bool = False


def _own_unit(_: Model, entry: Any) -> str:
    return str(entry.unit)


def _own_rate(_: Model, entry: Any) -> str:
    return f"({entry.unit})/s"


def _by_joint(at_pin: str, otherwise: str) -> Callable[[Model, Any], str | None]:
    """Return what finds the unit of a spring or damper by where it acts, if that is known."""

    def find(model: Model, entry: Any) -> str | None:
        if entry.joint is None:
            return otherwise
        types = {joint.name: joint.type for joint in model.joints}
        return {"pin": at_pin, "slider": otherwise}.get(types.get(entry.joint, "none"))

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


def _shape(value: Any) -> str:
    return "vector" if isinstance(value, list | tuple) else "scalar"


IDENTIFIER = r"^[A-Za-z][A-Za-z0-9_]*$"
Identifier = Annotated[str, Field(pattern=IDENTIFIER, max_length=64)]
Scalar = Annotated[int | float | str, BeforeValidator(_scalar)]
Vector = tuple[Scalar, Scalar, Scalar]
Unit = Annotated[str, AfterValidator(_unit)]
ScalarOrVector = Annotated[
    Annotated[Scalar, Tag("scalar")] | Annotated[Vector, Tag("vector")], Discriminator(_shape)
]

Place = Annotated[Vector, Quantity("m")]
BodyName = Annotated[Identifier, Refers("body")]
BodyOrGround = Annotated[Identifier, Refers("body", ground=True)]

ORIGIN: Vector = (0, 0, 0)


class Entry(BaseModel):
    """Base of everything a model file says: immutable, and without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Coordinate(Entry):
    """A generalized coordinate; its speed is its derivative, named `<coordinate>_dot`."""

    title: str = Field(description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit: rad or m.")
    initial: Annotated[Scalar | None, Quantity(_own_unit)] = Field(
        None, description="Value at the start of a simulation, in constants."
    )
    initial_speed: Annotated[Scalar, Quantity(_own_rate)] = Field(
        0, description="Speed at the start of a simulation, in constants."
    )


class Input(Entry):
    """A function of time that acts on the model: a moment, a force."""

    title: str = Field(description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit, such as N*m.")
    value: Annotated[Scalar | None, Quantity(None, MOTION)] = Field(
        None,
        description="Value in a simulation, in t, coordinates, speeds (<coordinate>_dot) and "
        "constants.",
    )


class Constant(Entry):
    """A constant parameter: a length, a mass."""

    title: str = Field(description="What it is, in words.")
    unit: Unit = Field(description="Coherent SI unit; 1 for a number.")
    value: Annotated[Scalar | None, Quantity(_own_unit)] = Field(
        None, description="A number, or an expression of other constants."
    )
    source: str | None = Field(None, description="Where the value comes from.")


class Body(Entry):
    """A rigid body, or a particle if it has no inertia.

    Its frame has its origin at the joint that carries it.
    """

    name: Identifier = Field(description="Name, by which joints and loads refer to it.")
    mass: Annotated[Scalar, Quantity("kg", sign="positive")] = Field(description="Mass, in kg.")
    center_of_mass: Place = Field(
        ORIGIN, description="Centre of mass in the body's own frame, from its joint, in m."
    )
    inertia: Annotated[ScalarOrVector | None, Quantity("kg*m**2", sign="not negative")] = Field(
        None,
        description="Moment of inertia about z through the centre of mass, or [Ixx, Iyy, Izz], in "
        "kg*m**2; none for a particle.",
    )


class JointBase(Entry):
    """What all joints have: two bodies, and the point of each that the joint keeps together."""

    name: Identifier = Field(description="Name, by which springs and reactions refer to it.")
    parent: BodyOrGround = Field(description="The body that carries the joint, or ground.")
    child: BodyName = Field(description="The body that the joint carries.")
    at: Place = Field(ORIGIN, description="The joint in the parent's frame, in m.")
    child_at: Place = Field(ORIGIN, description="The joint in the child's frame, in m.")


class Pin(JointBase):
    """A hinge: the child turns by an angle about an axis."""

    type: Literal["pin"] = Field("pin", description="A hinge.")
    axis: Annotated[Vector, Quantity("1")] = Field(
        (0, 0, 1), description="Axis of rotation in the parent's frame."
    )
    angle: Annotated[Scalar, Quantity("rad", GEOMETRY)] = Field(
        description="Angle of the child from the parent, in coordinates and constants."
    )
    torque: Annotated[Scalar | None, Quantity("N*m", LOADS)] = Field(
        None, description="Moment of the joint's actuator on the child, in N*m."
    )


class Slider(JointBase):
    """A prismatic joint: the child moves along an axis."""

    type: Literal["slider"] = Field("slider", description="A prismatic joint.")
    axis: Annotated[Vector, Quantity("1")] = Field(
        (1, 0, 0), description="Direction of motion in the parent's frame."
    )
    displacement: Annotated[Scalar, Quantity("m", GEOMETRY)] = Field(
        description="Displacement of the child along the axis, in coordinates and constants."
    )
    force: Annotated[Scalar | None, Quantity("N", LOADS)] = Field(
        None, description="Force of the joint's actuator on the child, in N."
    )


class Weld(JointBase):
    """A rigid connection."""

    type: Literal["weld"] = Field("weld", description="A rigid connection.")


class Free(JointBase):
    """No connection: the child moves in the plane, or without rotation in space."""

    type: Literal["free"] = Field("free", description="No connection, only coordinates.")
    translation: Annotated[Vector, Quantity("m", GEOMETRY)] = Field(
        description="From the joint's point on the parent to the one on the child, in the "
        "parent's frame, in m."
    )
    rotation: Annotated[Scalar, Quantity("rad", GEOMETRY)] = Field(
        0, description="Angle of the child from the parent about z."
    )


Joint = Annotated[Pin | Slider | Weld | Free, Field(discriminator="type")]


class Force(Entry):
    """A force on a point of a body."""

    on: BodyName = Field(description="The body that it acts on.")
    at: Place = Field(ORIGIN, description="Where it acts, in the body's own frame, in m.")
    vector: Annotated[Vector, Quantity("N", LOADS)] = Field(description="Its components, in N.")
    frame: BodyOrGround = Field(GROUND, description="The body whose frame the components are in.")
    name: Identifier | None = Field(None, description="Name of the point that it acts at.")


class Torque(Entry):
    """A moment on a body, and its opposite on another if there is one."""

    on: BodyName = Field(description="The body that it acts on.")
    vector: Annotated[Vector, Quantity("N*m", LOADS)] = Field(description="Components, in N*m.")
    frame: BodyOrGround = Field(GROUND, description="The body whose frame the components are in.")
    reaction_on: Annotated[Identifier | None, Refers("body", ground=True)] = Field(
        None, description="The body that the opposite moment acts on."
    )
    name: Identifier | None = Field(None, description="Name.")


class NamedPoint(Entry):
    """A point of a body that has a name: an end, a marker."""

    name: Identifier = Field(description="Name, by which results and documents refer to it.")
    on: BodyName = Field(description="The body that it belongs to.")
    at: Place = Field(ORIGIN, description="Where it is in the body's own frame, in m.")


class Placement(Entry):
    """A point of a body."""

    on: BodyOrGround = Field(description="The body, or ground.")
    at: Place = Field(ORIGIN, description="The point in the body's own frame, in m.")


class _Acting(Entry):
    """What acts at a joint, or along the line between two points."""

    joint: Annotated[Identifier | None, Refers("joint")] = Field(
        None, description="The pin or slider that it acts at."
    )
    between: tuple[Placement, Placement] | None = Field(
        None, description="The two points that it acts between."
    )

    @model_validator(mode="after")
    def _acts_in_one_way(self) -> Self:
        if (self.joint is None) == (self.between is None):
            found = "neither" if self.joint is None else "both"
            message = "expected either 'joint' or 'between', found {found}"
            raise PydanticCustomError("told", message, {"found": found})
        return self


class Spring(_Acting):
    """A linear spring."""

    stiffness: Annotated[Scalar, Quantity(_by_joint("N*m/rad", "N/m"))] = Field(
        description="In N*m/rad at a pin, else in N/m."
    )
    rest: Annotated[Scalar, Quantity(_by_joint("rad", "m"))] = Field(
        0, description="Angle, displacement or length at which it is slack."
    )


class Damper(_Acting):
    """A linear damper."""

    damping: Annotated[Scalar, Quantity(_by_joint("N*m*s/rad", "N*s/m"))] = Field(
        description="In N*m*s/rad at a pin, else in N*s/m."
    )


class Model(Entry):
    """A body model: what a model file says, without any mechanics in it."""

    title: str = Field(description="What the model is, in words.")
    gravity: Annotated[Vector | None, Quantity("m/s**2")] = Field(
        None, description="Gravitational acceleration in the ground frame, in m/s**2."
    )
    coordinates: dict[Identifier, Coordinate] = Field(
        default_factory=dict,
        max_length=MAX_ENTRIES,
        description="Generalized coordinates, in order.",
    )
    inputs: dict[Identifier, Input] = Field(
        default_factory=dict, max_length=MAX_ENTRIES, description="Functions of time, in order."
    )
    constants: dict[Identifier, Constant] = Field(
        default_factory=dict, max_length=MAX_ENTRIES, description="Constant parameters, in order."
    )
    bodies: tuple[Body, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Rigid bodies and particles."
    )
    joints: tuple[Joint, ...] = Field(
        (), max_length=MAX_ENTRIES, description="One for each body, which it carries."
    )
    points: tuple[NamedPoint, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Points with a name."
    )
    forces: tuple[Force, ...] = Field((), max_length=MAX_ENTRIES, description="Applied forces.")
    torques: tuple[Torque, ...] = Field((), max_length=MAX_ENTRIES, description="Applied moments.")
    springs: tuple[Spring, ...] = Field((), max_length=MAX_ENTRIES, description="Linear springs.")
    dampers: tuple[Damper, ...] = Field((), max_length=MAX_ENTRIES, description="Linear dampers.")

    _source: Path | None = PrivateAttr(None)

    @property
    def source(self) -> Path | None:
        """The file that the model was loaded from."""
        return self._source

    def __eq__(self, other: object) -> bool:
        """Models that say the same are equal, wherever they were loaded from."""
        return isinstance(other, Model) and dict(self) == dict(other)
