"""Models: what a model file says, read, reviewed and written back."""

from freebody.model.files import dumps, fingerprint, load, loads, save, schema
from freebody.model.library import folder, shipped
from freebody.model.names import Names
from freebody.model.review import review, reviewed
from freebody.model.schema import (
    Body,
    Constant,
    Coordinate,
    Damper,
    Force,
    Free,
    Input,
    Model,
    NamedPoint,
    Pin,
    Placement,
    Slider,
    Spring,
    Torque,
    Weld,
)

__all__ = [
    "Body",
    "Constant",
    "Coordinate",
    "Damper",
    "Force",
    "Free",
    "Input",
    "Model",
    "NamedPoint",
    "Names",
    "Pin",
    "Placement",
    "Slider",
    "Spring",
    "Torque",
    "Weld",
    "dumps",
    "fingerprint",
    "folder",
    "load",
    "loads",
    "review",
    "reviewed",
    "save",
    "schema",
    "shipped",
]
