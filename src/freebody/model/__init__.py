"""Models: what a model file says, read, reviewed and written back."""

from freebody.model.constraints import Coincident, Holonomic, Nonholonomic, Parallel, Rolling
from freebody.model.files import dumps, fingerprint, load, loads, save, schema
from freebody.model.joints import Cylindrical, Free, Pin, Planar, Slider, Spherical, Universal, Weld
from freebody.model.library import folder, shipped
from freebody.model.loads import Contact, Damper, Force, Friction, Spring, Stop, Torque
from freebody.model.muscles import Hill, Muscle, Surface
from freebody.model.names import Names
from freebody.model.parts import (
    Body,
    Constant,
    Coordinate,
    Input,
    NamedPoint,
    Orientation,
    Placement,
    Prescribed,
    Speed,
)
from freebody.model.review import review, reviewed
from freebody.model.schema import Model

__all__ = [
    "Body",
    "Coincident",
    "Constant",
    "Contact",
    "Coordinate",
    "Cylindrical",
    "Damper",
    "Force",
    "Free",
    "Friction",
    "Hill",
    "Holonomic",
    "Input",
    "Model",
    "Muscle",
    "NamedPoint",
    "Names",
    "Nonholonomic",
    "Orientation",
    "Parallel",
    "Pin",
    "Placement",
    "Planar",
    "Prescribed",
    "Rolling",
    "Slider",
    "Speed",
    "Spherical",
    "Spring",
    "Stop",
    "Surface",
    "Torque",
    "Universal",
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
