"""The kinds of symbols, with what is told of each and what these are measured in."""

from __future__ import annotations

from collections.abc import Mapping

from freebody.algebra.units import KG, NUMBER, Dimension, M, S

FORCE, ENERGY = KG * M / S**2, KG * M**2 / S**2
KINDS: Mapping[str, tuple[str, tuple[Dimension, ...]]] = {
    "mass": ("mass", (KG,)),
    "length": ("length", (M,)),
    "inertia": ("moment of inertia", (KG * M**2,)),
    "gravity": ("acceleration of gravity", (M / S**2,)),
    "angle": ("angle", (NUMBER,)),
    "coordinate": ("coordinate", (M, NUMBER)),
    "coordinates": ("generalized coordinate", (M, NUMBER)),
    "position": ("position", (M,)),
    "position vector": ("position", (M,)),
    "velocity": ("velocity", (M / S, NUMBER / S)),
    "velocity vector": ("velocity", (M / S,)),
    "speed": ("speed", (M / S, NUMBER / S)),
    "turning rate": ("angular velocity", (NUMBER / S,)),
    "turning vector": ("angular velocity", (NUMBER / S,)),
    "acceleration": ("acceleration", (M / S**2,)),
    "acceleration vector": ("acceleration", (M / S**2,)),
    "force": ("force", (FORCE,)),
    "force vector": ("force", (FORCE,)),
    "reaction": ("reaction force", (FORCE,)),
    "multiplier": ("multiplier", (FORCE, ENERGY)),
    "moment": ("moment", (ENERGY,)),
    "tau": ("moment or force", (ENERGY, FORCE)),
    "momentum": ("momentum", (KG * M / S,)),
    "angular momentum": ("angular momentum", (KG * M**2 / S,)),
    "kinetic": ("kinetic energy", (ENERGY,)),
    "potential": ("potential energy", (ENERGY,)),
    "lagrangian": ("Lagrangian", (ENERGY,)),
    "total": ("total energy", (ENERGY,)),
    "time": ("time", (S,)),
    "M": ("mass matrix", ()),
    "C": ("Coriolis and centrifugal terms", ()),
    "G": ("gravity terms", ()),
}
"""What is told of a kind of symbols, and what these are measured in."""
