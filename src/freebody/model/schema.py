"""What a model file may say as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from freebody.model.functions import Table
from freebody.model.impacts import Impact
from freebody.model.joints import Joint
from freebody.model.loads import Constraint, Contact, Damper, Force, Friction, Spring, Stop, Torque
from freebody.model.marks import MAX_CONSTANTS, MAX_ENTRIES, Entry, Identifier, Quantity, Vector
from freebody.model.muscles import Muscle
from freebody.model.parts import Body, Constant, Coordinate, Input, NamedPoint, Prescribed, Speed


class Model(Entry):
    """A body model: what a model file says, without any mechanics in it."""

    title: str = Field("model", description="What the model is, in words.")
    gravity: Annotated[Vector | None, Quantity("m/s**2")] = Field(
        None, description="Gravitational acceleration in the ground frame, in m/s**2."
    )
    coordinates: dict[Identifier, Coordinate] = Field(
        default_factory=dict,
        max_length=MAX_ENTRIES,
        description="Generalized coordinates, in order.",
    )
    speeds: dict[Identifier, Speed] = Field(
        default_factory=dict,
        max_length=MAX_ENTRIES,
        description="Generalized speeds instead of the rates of the coordinates, as many.",
    )
    prescribed: dict[Identifier, Prescribed] = Field(
        default_factory=dict, max_length=MAX_ENTRIES, description="Motions given in time."
    )
    inputs: dict[Identifier, Input] = Field(
        default_factory=dict, max_length=MAX_ENTRIES, description="Functions of time, in order."
    )
    constants: dict[Identifier, Constant] = Field(
        default_factory=dict, max_length=MAX_CONSTANTS, description="Constant parameters, in order."
    )
    functions: dict[Identifier, Table] = Field(
        default_factory=dict, max_length=MAX_ENTRIES, description="Functions by table."
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
    springs: tuple[Spring, ...] = Field((), max_length=MAX_ENTRIES, description="Springs.")
    dampers: tuple[Damper, ...] = Field((), max_length=MAX_ENTRIES, description="Dampers.")
    stops: tuple[Stop, ...] = Field((), max_length=MAX_ENTRIES, description="Ends of joints.")
    friction: tuple[Friction, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Friction in joints."
    )
    contacts: tuple[Contact, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Points that may touch a plane."
    )
    muscles: tuple[Muscle, ...] = Field((), max_length=MAX_ENTRIES, description="Muscles.")
    constraints: tuple[Constraint, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Closed loops, rolling, and other constraints."
    )
    impacts: tuple[Impact, ...] = Field(
        (), max_length=MAX_ENTRIES, description="What closes in an instant."
    )
    redundant: Literal["refuse", "keep"] = Field(
        "refuse",
        description="Whether equations of constraints may follow from the others: then fewer "
        "coordinates are dependent than there are equations.",
    )

    _source: Path | None = PrivateAttr(None)
    _has_warned: bool = PrivateAttr(False)

    @property
    def source(self) -> Path | None:
        """The file that the model was loaded from."""
        return self._source

    def __repr__(self) -> str:
        counts = {"bodies": self.bodies, "coordinates": self.coordinates, "inputs": self.inputs}
        message = ", ".join(f"{len(of)} {name}" for name, of in counts.items() if of)
        return f"<Model '{self.title}': {message}>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import model_html  # which draws models

        return model_html(self)

    def __eq__(self, other: object) -> bool:
        """Models that say the same are equal, wherever they were loaded from."""
        return isinstance(other, Model) and dict(self) == dict(other)
