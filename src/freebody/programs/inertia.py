"""What a link resists with, about its root: mass, first moment and inertia."""

from __future__ import annotations

from dataclasses import dataclass

from freebody.graph import Cell, Graph
from freebody.mechanics.parts import Mass
from freebody.mechanics.vectors import Triple
from freebody.programs.rotations import Rotation, Tensor, added


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
        """Return that of a body whose centre of mass is given."""
        (weight,) = graph.values([mass.mass])
        point = cls.point(weight, center)
        if mass.inertia is None:
            return point
        x, y, z = (Triple.made(graph.values(mass.inertia[row, :])) for row in range(3))
        return cls(weight, point.first, added(point.second, (x, y, z)))

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
        second = added(self.second, other.second)
        return Inertia(self.mass + other.mass, self.first + other.first, second)

    def turned(self, rotation: Rotation) -> Inertia:
        """Return it in the axes of another frame."""
        return Inertia(self.mass, rotation.inward(self.first), rotation.tensor(self.second))

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
        second = added(self.second, _tensor(((xx, xy, zx), (xy, yy, yz), (zx, yz, zz))))
        return Inertia(self.mass, self.first, second)


def _tensor(rows: tuple[tuple[Cell, Cell, Cell], ...]) -> Tensor:
    x, y, z = map(Triple, rows)
    return x, y, z
