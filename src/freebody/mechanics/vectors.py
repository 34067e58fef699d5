"""Vectors in the ground frame, of canonical forms, numbers or whatever else can be added."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

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
