"""Turns of axes, as they act on vectors and symmetric tensors, with no operation wasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from freebody.mechanics.vectors import Triple

Tensor = tuple[Triple, Triple, Triple]
"""The rows of a symmetric 3 x 3 matrix."""


class Rotation(Protocol):
    """From the components in a frame, the inner one, to those in the frame that carries it."""

    def inward(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector given in the inner one."""
        ...

    def outward(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector given in the carrying one."""
        ...

    def tensor(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of a symmetric tensor of the inner one."""
        ...

    def mixed(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of any tensor of the inner one."""
        ...


@dataclass(frozen=True)
class Same:
    """No turn at all."""

    def inward(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector."""
        return vector

    def outward(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector."""
        return vector

    def tensor(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of a symmetric tensor."""
        return rows

    def mixed(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of any tensor."""
        return rows


@dataclass(frozen=True)
class About:
    """A turn about a coordinate axis.

    Attributes
    ----------
    axis : int
    cosine, sine : object
        Of the angle.
    """

    axis: int
    cosine: Any
    sine: Any

    def inward(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector."""
        x, y, z = self._sorted(vector.parts)
        turned = (self.cosine * x - self.sine * y, self.sine * x + self.cosine * y, z)
        return Triple.made(self._back(turned))

    def outward(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector."""
        x, y, z = self._sorted(vector.parts)
        turned = (self.cosine * x + self.sine * y, self.cosine * y - self.sine * x, z)
        return Triple.made(self._back(turned))

    def tensor(self, rows: Tensor) -> Tensor:
        """Return a symmetric tensor, turned in 16 operations."""
        (xx, xy, xz), (_, yy, yz), (*_, zz) = self._matrix(rows)
        c, s = self.cosine, self.sine
        twist = s * (xx - yy) + c * (xy + xy)
        x, y = xx - s * twist, yy + s * twist
        mixed = c * twist - xy
        right, up = c * xz - s * yz, s * xz + c * yz
        return self._unsorted(((x, mixed, right), (mixed, y, up), (right, up, zz)))

    def mixed(self, rows: Tensor) -> Tensor:
        """Return a tensor that need not be symmetric, turned in 24 operations."""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = self._matrix(rows)
        c, s = self.cosine, self.sine
        twist = s * (xx - yy) + c * (xy + yx)
        x, y, mixed = xx - s * twist, yy + s * twist, c * twist
        right, up = c * xz - s * yz, s * xz + c * yz
        across, above = c * zx - s * zy, s * zx + c * zy
        return self._unsorted(((x, mixed - yx, right), (mixed - xy, y, up), (across, above, zz)))

    def _sorted(self, parts: Sequence[Any]) -> list[Any]:
        """Return three parts with that along the axis last."""
        return [parts[(self.axis + shift) % 3] for shift in (1, 2, 3)]

    def _back(self, parts: Sequence[Any]) -> list[Any]:
        return [parts[(number - self.axis - 1) % 3] for number in range(3)]

    def _matrix(self, rows: Tensor) -> list[list[Any]]:
        return self._sorted([self._sorted(row.parts) for row in rows])

    def _unsorted(self, rows: Sequence[Sequence[Any]]) -> Tensor:
        x, y, z = self._back([Triple.made(self._back(row)) for row in rows])
        return x, y, z


@dataclass(frozen=True)
class Matrix:
    """Any turn, by its matrix: from components in the inner frame to those in the carrying one.

    Attributes
    ----------
    rows : tuple of three Triple
    """

    rows: Tensor

    def inward(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector."""
        return Triple.made(row.dot(vector) for row in self.rows)

    def outward(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector."""
        return Triple.made(row.dot(vector) for row in columns(self.rows))

    def tensor(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of a symmetric tensor."""
        return self.mixed(rows)

    def mixed(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of any tensor."""
        half = columns(tuple(self.inward(row) for row in rows))
        x, y, z = columns(tuple(self.inward(row) for row in half))
        return x, y, z


def columns(rows: Sequence[Triple]) -> Tensor:
    """Return the columns of a matrix."""
    x, y, z = (Triple.made(parts) for parts in zip(*(row.parts for row in rows), strict=True))
    return x, y, z


def added(one: Tensor, other: Tensor) -> Tensor:
    """Return the sum of two tensors."""
    x, y, z = (a + b for a, b in zip(one, other, strict=True))
    return x, y, z
