"""Vectors whose components are canonical forms, in the ground frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from freebody.algebra import Form, Ring


@dataclass(frozen=True)
class Triple:
    """The components of a vector along the axes of the ground frame.

    Examples
    --------
    >>> ring = Ring()
    >>> x, y = (Triple.of(ring, axis) for axis in ((1, 0, 0), (0, 1, 0)))
    >>> [ring.expression(part) for part in x.cross(y).parts]
    [0, 0, 1]
    """

    parts: tuple[Form, Form, Form]

    @classmethod
    def of(cls, ring: Ring, components: Iterable[Any]) -> Triple:
        """Return the triple of three sympy expressions."""
        return cls.made(ring.form(part) for part in components)

    @classmethod
    def made(cls, parts: Iterable[Form]) -> Triple:
        """Return the triple of three forms."""
        x, y, z = parts
        return cls((x, y, z))

    def __add__(self, other: Triple) -> Triple:
        return Triple.made(a + b for a, b in zip(self.parts, other.parts, strict=True))

    def __sub__(self, other: Triple) -> Triple:
        return Triple.made(a - b for a, b in zip(self.parts, other.parts, strict=True))

    def times(self, factor: Form) -> Triple:
        """Return the vector times a scalar."""
        return Triple.made(part * factor for part in self.parts)

    def dot(self, other: Triple) -> Form:
        """Return the scalar product."""
        a, b, c = (p * q for p, q in zip(self.parts, other.parts, strict=True))
        return a + b + c

    def cross(self, other: Triple) -> Triple:
        """Return the vector product."""
        (a, b, c), (x, y, z) = self.parts, other.parts
        return Triple((b * z - c * y, c * x - a * z, a * y - b * x))
