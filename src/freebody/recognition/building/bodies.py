"""What is understood of the bodies of a page: where masses are, and how they turn."""

from __future__ import annotations

from dataclasses import dataclass

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.terms import Rational
from freebody.consistency.letters import Letter

ONE = QQ(1)


@dataclass(frozen=True)
class Arm:
    """An arm that turns in the plane.

    Attributes
    ----------
    angle : tuple of int
        Its angle, by the coordinates that are added.
    length : Form
    way : tuple of int
        Where it points at the angle zero: x, y; and 1 where it turns to the left, else -1.
    """

    angle: tuple[int, ...]
    length: Form
    way: tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Around:
    """An arm that is tilted, at the end of a level one that turns about the vertical.

    Attributes
    ----------
    turn, tilt : int
        The coordinates.
    level, length : Form
        Of the level arm, and of the other.
    side, up : int
        The signs of how far the other reaches sideways and upwards.
    is_upright : bool
        Whether the other is upright where the tilt is zero; else it is level.
    """

    turn: int
    tilt: int
    level: Form
    length: Form
    side: int
    up: int
    is_upright: bool


@dataclass(frozen=True, eq=False)
class Placed:
    """A mass, with where it is.

    Attributes
    ----------
    mass : str
        The letter.
    position : tuple of Form
        In space; y is up where anything is heavy.
    shifts : tuple of (int, tuple of Form)
        The coordinates that shift it, with their directions.
    arms : tuple of Arm
        That carry it from there; none where its position is one that the page prints.
    printed : tuple of str
        The letters of such a position.
    around : Around, optional
        The arm that carries it about the vertical instead.
    spread : Form, optional
        The square of its radius of gyration, of a mass that is more than a point.
    count : Rational
        How many such bodies there are.
    """

    mass: str
    position: tuple[Form, Form, Form]
    shifts: tuple[tuple[int, tuple[Form, Form]], ...] = ()
    arms: tuple[Arm, ...] = ()
    printed: tuple[str, ...] = ()
    around: Around | None = None
    spread: Form | None = None
    count: Rational = ONE


@dataclass(frozen=True, eq=False)
class Turning:
    """A moment of inertia, with what turns.

    Attributes
    ----------
    inertia : str
        The letter.
    factors : tuple of Form
        By coordinate, of the angle in the plane.
    axes : tuple of int
        Of a rod in space instead: the coordinate by which it turns about the vertical, and that by
        which it is tilted; 1 where it is upright at zero, else 0.
    count : Rational
        How many such bodies there are.
    """

    inertia: str
    factors: tuple[Form, ...] = ()
    axes: tuple[int, int, int] | None = None
    count: Rational = ONE


@dataclass(frozen=True, eq=False)
class Bodies:
    """What a page says of its masses."""

    masses: tuple[Placed, ...]
    turning: tuple[Turning, ...]
    gravity: Letter | None
