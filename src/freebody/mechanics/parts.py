"""What a mechanism is made of: vectors, places, steps, masses, measures and loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Triple:
    """The components of a vector along the axes of the ground frame.

    Attributes
    ----------
    parts : tuple of three Form, array or number

    Examples
    --------
    >>> x, y = Triple((1, 0, 0)), Triple((0, 1, 0))
    >>> x.cross(y)
    Triple(parts=(0, 0, 1))
    """

    parts: tuple[Any, Any, Any]

    @classmethod
    def made(cls, parts: Iterable[Any]) -> Triple:
        """Return the triple of three components."""
        x, y, z = parts
        return cls((x, y, z))

    def __add__(self, other: Triple) -> Triple:
        return Triple.made(a + b for a, b in zip(self.parts, other.parts, strict=True))

    def __sub__(self, other: Triple) -> Triple:
        return Triple.made(a - b for a, b in zip(self.parts, other.parts, strict=True))

    def __neg__(self) -> Triple:
        return Triple.made(-part for part in self.parts)

    def times(self, factor: Any) -> Triple:
        """Return the vector times a scalar."""
        return Triple.made(part * factor for part in self.parts)

    def dot(self, other: Triple) -> Any:
        """Return the scalar product."""
        a, b, c = (p * q for p, q in zip(self.parts, other.parts, strict=True))
        return a + b + c

    def cross(self, other: Triple) -> Triple:
        """Return the vector product."""
        (a, b, c), (x, y, z) = self.parts, other.parts
        return Triple((b * z - c * y, c * x - a * z, a * y - b * x))


# ------------------------------------------------------------------ parts

Kind = Literal["gravity", "elastic", "actuation", "external"]
NOT_CONSERVATIVE: tuple[Kind, ...] = ("actuation", "external")
"""The kinds of loads that have no potential."""
Components = tuple[sympy.Expr, sympy.Expr, sympy.Expr]

MARKERS: dict[Kind, sympy.Dummy] = {
    kind: sympy.Dummy(kind) for kind in ("gravity", "elastic", "actuation", "external")
}
"""Every load carries the marker of its kind through a derivation, which is linear in the loads.

That tells G, E and τ apart afterwards, whatever the formulation did in between.
"""


@dataclass(frozen=True)
class BodyPoint:
    """A point that is fixed in a frame: its carrier, and where it is there in m."""

    on: str
    at: Components


@dataclass(frozen=True)
class JointFrame:
    """One turn and one shift of a frame in another: a joint, or a part of one.

    The joint's frame stands in the parent's as `orientation` says; it shifts in its own axes, then
    turns about `axis`; the child's frame stands in it as `child_orientation` says.

    Attributes
    ----------
    parent, child : str
        The two frames.
    at, child_at : tuple of three sympy.Expr
        The joint in the frame of the parent and of the child, in m.
    orientation, child_orientation : ImmutableMatrix, optional
        3 x 3, from components in the joint's frame to those in the parent's, or in the child's.
    shift : tuple of three sympy.Expr
        In m.
    axis : tuple of three sympy.Expr, optional
        Of unit length: of the turn, or of a slider.
    angle : sympy.Expr
        Of the turn, in rad.
    motion : sympy.Expr, optional
        The angle of a pin or the displacement of a slider.
    turns : bool
        Whether it turns.
    """

    parent: str
    child: str
    at: Components
    child_at: Components
    orientation: sympy.ImmutableMatrix | None = None
    child_orientation: sympy.ImmutableMatrix | None = None
    shift: Components = (sympy.S.Zero,) * 3
    axis: Components | None = None
    angle: sympy.Expr = sympy.S.Zero
    motion: sympy.Expr | None = None
    turns: bool = False

    @property
    def axis_in_child(self) -> Components:
        """The axis in the frame of the child, where it stays as the child turns about it."""
        if self.axis is None or self.child_orientation is None:
            return self.axis or (sympy.S.Zero,) * 3
        x, y, z = self.child_orientation * sympy.ImmutableMatrix(self.axis)
        return x, y, z


@dataclass(frozen=True)
class Effort:
    """A force at a place of a frame, or a moment on it where there is no place."""

    on: str
    place: str | None
    vector: Triple


@dataclass(frozen=True)
class Mass:
    """What a body resists with.

    Attributes
    ----------
    mass : sympy.Expr
        In kg.
    inertia : ImmutableMatrix, optional
        3 x 3 in kg m², about the centre of mass in the body's frame; none for a particle.
    """

    mass: sympy.Expr
    inertia: sympy.ImmutableMatrix | None


@dataclass(frozen=True)
class Measure:
    """A component of where a place is, or moves, as seen from another in the ground frame."""

    start: str
    end: str
    axis: int
    order: Literal[0, 1]


@dataclass(frozen=True)
class Load:
    """A force at a place or a torque on a frame.

    Attributes
    ----------
    kind : {"gravity", "elastic", "actuation", "external"}
        Where it comes from, which decides whether it belongs to G, E or τ.
    on : str
        The frame that it acts on.
    place : str or None
        Where a force acts; None for a torque.
    frame : str
        Whose axes the components are along.
    components : tuple of three sympy.Expr
        In N or N m; they may hold the symbols of measures and laws.
    across : tuple of str, optional
        The steps of the joint that transmits it, where a joint does; the last leads to its child.
    cause : str, optional
        What it is a force of, where it is a spring, a damper or a muscle, by its number from 0:
        ``"spring.0"``, ``"damper.1"``, ``"muscle.2"``.
    """

    kind: Kind
    on: str
    place: str | None
    frame: str
    components: Components
    across: tuple[str, ...] = ()
    cause: str = ""

    def times(self, factor: sympy.Expr) -> Load:
        """Return as many times the load."""
        x, y, z = (part * factor for part in self.components)
        return replace(self, components=(x, y, z))


@dataclass(frozen=True)
class MusclePull:
    """What pulls across joints.

    Attributes
    ----------
    name : str
    tension : sympy.Expr
        The input that it pulls with, in N.
    length : sympy.Expr
        In m; it may hold the symbols of measures.
    loads : tuple of Load
        What a tension of 1 N does.
    """

    name: str
    tension: sympy.Expr
    length: sympy.Expr
    loads: tuple[Load, ...]

    @property
    def pulls(self) -> Iterator[Load]:
        """What its tension does."""
        return (load.times(self.tension) for load in self.loads)
