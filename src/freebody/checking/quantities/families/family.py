"""What a family of quantities is made of, and what all of them are derived from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import sympy

from freebody.errors import DerivationError, nearest
from freebody.mechanics.balances import Balances
from freebody.mechanics.equations import Blocks, Equations
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.parts import Triple

Rows = Sequence[Sequence[Any]]
"""Of canonical forms, or of whatever else quantities are worked out in."""


class Source:
    """What the quantities of a model are derived from, in canonical forms.

    Parameters
    ----------
    equations : Equations
        By Kane's method.
    """

    def __init__(self, equations: Equations) -> None:
        self.equations = equations

    @property
    def motion(self) -> Kinematics:
        """How everything moves."""
        return self.equations.motion

    @property
    def blocks(self) -> Blocks:
        """The blocks of the equations of motion.

        Raises
        ------
        TooLargeError
            If they are too large to be written out.
        """
        return self.equations.blocks

    @cached_property
    def balances(self) -> Balances:
        """The free bodies and what their joints transmit."""
        return Balances(self.motion)

    def form(self, expr: sympy.Expr) -> Any:
        """Return the element of an expression."""
        return self.equations.ring.form(expr)

    def slopes(self, of: Callable[[Self], Rows], by: Iterable[sympy.Expr]) -> list[Rows]:
        """Return the derivatives of quantities by some symbols, for one after the other."""
        rows, partial = of(self), self.equations.ring.partial
        return [[[partial(entry, one) for entry in row] for row in rows] for one in by]

    def vanishes(self, entry: Any) -> bool:
        """Return whether an element is zero."""
        return not entry

    def place(self, name: str) -> str:
        """Return the name of a place, or ground, which stands for its origin.

        Raises
        ------
        DerivationError
            If there is no such place.
        """
        return name if name == "ground" else self.equations.mechanism.uses(name)


@dataclass(frozen=True)
class Family:
    """Quantities that are derived alike.

    Attributes
    ----------
    derived : callable
        Takes a `Source` and the parts of a path, and returns the rows of a matrix.
    usage : str
        The path as it is written.
    entries : {"numbers", "axes", "one"}
        How an entry is picked: by indices, as a component along an axis, or there is only one.
    turns : bool
        Whether the rows are components, which may be taken along the axes of a body.
    """

    derived: Callable[..., Rows]
    usage: str
    entries: Literal["numbers", "axes", "one"] = "numbers"
    turns: bool = False

    def takes(self, parts: Sequence[str]) -> bool:
        """Return whether the path has as many parts as it needs."""
        try:
            inspect.signature(self.derived).bind(None, *parts)
        except TypeError:
            return False
        return True


def column(entries: Iterable[Any]) -> Rows:
    """Return the rows of a column."""
    return [[entry] for entry in entries]


def triple(vector: Triple) -> Rows:
    """Return the rows of a vector."""
    return column(vector.parts)


def one_of(name: str, known: Iterable[str]) -> str:
    """Return a name that is known.

    Raises
    ------
    DerivationError
        If it is not.
    """
    known = list(known)
    if name not in known:
        raise DerivationError(f"expected one of {', '.join(known)}{nearest(name, known)}")
    return name
