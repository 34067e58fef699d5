"""Rotations and rigid-body inertias, with no operation wasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from freebody.graph.cells import Cell
from freebody.graph.graph import Graph
from freebody.mechanics.parts import Mass, Triple

Tensor = tuple[Triple, Triple, Triple]
"""The rows of a symmetric 3 x 3 matrix."""


class Rotation(Protocol):
    """From the components in a frame, the inner one, to those in the frame that carries it."""

    def to_parent(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector given in the inner one."""
        ...

    def to_child(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector given in the carrying one."""
        ...

    def tensor_to_parent(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of a symmetric tensor of the inner one."""
        ...

    def matrix_to_parent(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of any tensor of the inner one."""
        ...


@dataclass(frozen=True)
class Identity:
    """No turn at all."""

    def to_parent(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector."""
        return vector

    def to_child(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector."""
        return vector

    def tensor_to_parent(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of a symmetric tensor."""
        return rows

    def matrix_to_parent(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of any tensor."""
        return rows


@dataclass(frozen=True)
class AxisRotation:
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

    def to_parent(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector."""
        x, y, z = self._sorted(vector.parts)
        turned = (self.cosine * x - self.sine * y, self.sine * x + self.cosine * y, z)
        return Triple.made(self._back(turned))

    def to_child(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector."""
        x, y, z = self._sorted(vector.parts)
        turned = (self.cosine * x + self.sine * y, self.cosine * y - self.sine * x, z)
        return Triple.made(self._back(turned))

    def tensor_to_parent(self, rows: Tensor) -> Tensor:
        """Return a symmetric tensor, turned in 16 operations."""
        (xx, xy, xz), (_, yy, yz), (*_, zz) = self._matrix(rows)
        c, s = self.cosine, self.sine
        twist = s * (xx - yy) + c * (xy + xy)
        x, y = xx - s * twist, yy + s * twist
        mixed = c * twist - xy
        right, up = c * xz - s * yz, s * xz + c * yz
        return self._unsorted(((x, mixed, right), (mixed, y, up), (right, up, zz)))

    def matrix_to_parent(self, rows: Tensor) -> Tensor:
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
class RotationMatrix:
    """Any turn, by its matrix: from components in the inner frame to those in the carrying one.

    Attributes
    ----------
    rows : tuple of three Triple
    """

    rows: Tensor

    def to_parent(self, vector: Triple) -> Triple:
        """Return the components in the carrying frame of a vector."""
        return Triple.made(row.dot(vector) for row in self.rows)

    def to_child(self, vector: Triple) -> Triple:
        """Return the components in the inner frame of a vector."""
        return Triple.made(row.dot(vector) for row in columns(self.rows))

    def tensor_to_parent(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of a symmetric tensor."""
        return self.matrix_to_parent(rows)

    def matrix_to_parent(self, rows: Tensor) -> Tensor:
        """Return the components in the carrying frame of any tensor."""
        half = columns(tuple(self.to_parent(row) for row in rows))
        x, y, z = columns(tuple(self.to_parent(row) for row in half))
        return x, y, z


def columns(rows: Sequence[Triple]) -> Tensor:
    """Return the columns of a matrix."""
    x, y, z = (Triple.made(parts) for parts in zip(*(row.parts for row in rows), strict=True))
    return x, y, z


def tensor_sum(one: Tensor, other: Tensor) -> Tensor:
    """Return the sum of two tensors."""
    x, y, z = (a + b for a, b in zip(one, other, strict=True))
    return x, y, z


# ------------------------------------------------------------------ inertias


@dataclass(frozen=True)
class Inertia:
    """Mass, first moment and inertia about a point.

    Attributes
    ----------
    mass : Cell
    first : Triple
        Mass times the place of its centre.
    second : tuple of three Triple
        The rows of the inertia about the point.
    """

    mass: Cell
    first: Triple
    second: Tensor

    @classmethod
    def none(cls, zero: Cell) -> Inertia:
        """Return that of nothing."""
        empty = Triple((zero, zero, zero))
        return cls(zero, empty, (empty, empty, empty))

    @classmethod
    def of(cls, mass: Mass, graph: Graph, center: Triple) -> Inertia:
        """Return that of a body whose centre of mass is given.

        Parameters
        ----------
        mass : Mass
        graph : Graph
            In whose cells it is.
        center : Triple
            The centre of mass, from the point that the inertia is about.
        """
        (weight,) = graph.values([mass.mass])
        point = cls.point(weight, center)
        if mass.inertia is None:
            return point
        x, y, z = (Triple.made(graph.values(mass.inertia[row, :])) for row in range(3))
        return cls(weight, point.first, tensor_sum(point.second, (x, y, z)))

    @classmethod
    def point(cls, mass: Cell, arm: Triple) -> Inertia:
        """Return that of a particle at the end of an arm."""
        first = arm.times(mass)
        (a, b, c), (x, y, z) = first.parts, arm.parts
        xy, yz, zx = -(a * y), -(b * z), -(c * x)
        ax, by, cz = a * x, b * y, c * z
        rows = ((by + cz, xy, zx), (xy, ax + cz, yz), (zx, yz, ax + by))
        return cls(mass, first, _tensor(rows))

    def __add__(self, other: Inertia) -> Inertia:
        second = tensor_sum(self.second, other.second)
        return Inertia(self.mass + other.mass, self.first + other.first, second)

    def turned(self, rotation: Rotation) -> Inertia:
        """Return it in the axes of another frame."""
        return Inertia(
            self.mass, rotation.to_parent(self.first), rotation.tensor_to_parent(self.second)
        )

    def moved(self, arm: Triple) -> Inertia:
        """Return it about a point from which its own is an arm away."""
        return self.light.moved_light(arm) + Inertia.point(self.mass, arm)

    @property
    def light(self) -> Inertia:
        """What is left where the mass is counted elsewhere."""
        return Inertia(self.mass.graph.zero, self.first, self.second)

    def moved_light(self, arm: Triple) -> Inertia:
        """Return it about a point from which its own is an arm away, its mass left aside."""
        (a, b, c), (x, y, z) = self.first.parts, arm.parts
        xy, yz, zx = -(a * y + b * x), -(b * z + c * y), -(c * x + a * z)
        ax, by, cz = a * x, b * y, c * z
        halves = by + cz, ax + cz, ax + by
        xx, yy, zz = (half + half for half in halves)
        second = tensor_sum(self.second, _tensor(((xx, xy, zx), (xy, yy, yz), (zx, yz, zz))))
        return Inertia(self.mass, self.first, second)


def _tensor(rows: tuple[tuple[Cell, Cell, Cell], ...]) -> Tensor:
    x, y, z = map(Triple, rows)
    return x, y, z
