"""The values of a graph, to which its operations can be done."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from freebody.graph.operations import NUMBER, PI

if TYPE_CHECKING:
    from freebody.graph.graph import Graph

ZERO, ONE = 0, 1
"""The places of the first two nodes of every graph."""


class Cell:
    """A value of a graph, or minus one."""

    __slots__ = ("graph", "node", "sign")

    def __init__(self, graph: Graph, sign: int, node: int) -> None:
        self.graph, self.sign, self.node = graph, sign, node

    def __add__(self, other: Cell) -> Cell:
        return self._plus(other, other.sign)

    def __sub__(self, other: Cell) -> Cell:
        return self._plus(other, -other.sign)

    def _plus(self, other: Cell, sign: int) -> Cell:
        a, b = self.node, other.node
        if b == ZERO:
            return self
        if a == ZERO:
            return Cell(self.graph, sign, b)
        if a == b:
            two = self.graph.number(Fraction(2))
            return two * self if sign == self.sign else self.graph.zero
        numbers = self._numbers(other)
        if numbers:
            return self.graph.number(self.sign * numbers[0] + sign * numbers[1])
        added = Cell(self.graph, sign, b)
        left = self._without(added) or added._without(self)
        if left:
            return left
        kind = "add" if sign == self.sign else "sub"
        if a < b:
            return Cell(self.graph, self.sign, self.graph.place(kind, a, b))
        return Cell(self.graph, sign, self.graph.place(kind, b, a))

    def _without(self, other: Cell) -> Cell | None:
        """Return what is left of a sum where a part of it is taken off by another cell."""
        kind, *parts = self.graph.nodes[self.node]
        if kind not in ("add", "sub") or other.node not in parts:
            return None
        signs = (self.sign, self.sign if kind == "add" else -self.sign)
        here = parts.index(other.node)
        if signs[here] == other.sign:
            return None
        return Cell(self.graph, signs[1 - here], parts[1 - here])

    def __mul__(self, other: Cell) -> Cell:
        a, b = self.node, other.node
        if a == ZERO or b == ZERO:
            return self.graph.zero
        sign = self.sign * other.sign
        if a == ONE or b == ONE:
            return Cell(self.graph, sign, b if a == ONE else a)
        numbers = self._numbers(other)
        if numbers:
            return self.graph.number(sign * numbers[0] * numbers[1])
        return Cell(self.graph, sign, self.graph.place("mul", *((a, b) if a < b else (b, a))))

    def __truediv__(self, other: Cell) -> Cell:
        a, b = self.node, other.node
        if b == ZERO:
            raise ZeroDivisionError("a program divides by zero")
        if a == ZERO:
            return self.graph.zero
        sign = self.sign * other.sign
        if b == ONE or a == b:
            return Cell(self.graph, sign, a if b == ONE else ONE)
        numbers = self._numbers(other)
        if numbers:
            return self.graph.number(sign * numbers[0] / numbers[1])
        return Cell(self.graph, sign, self.graph.place("div", a, b))

    def __neg__(self) -> Cell:
        return Cell(self.graph, -self.sign, self.node) if self.node else self

    def __pow__(self, power: int) -> Cell:
        if power < 0:
            return self.graph.one / self**-power
        out = self.graph.one
        for bit in f"{power:b}":
            out = out * out
            out = out * self if bit == "1" else out
        return out

    def __bool__(self) -> bool:
        return self.node != ZERO

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and (self.sign, self.node) == (other.sign, other.node)

    def __hash__(self) -> int:
        return hash((self.sign, self.node))

    def _numbers(self, other: Cell) -> tuple[Fraction, Fraction] | None:
        """Return the sizes of two fractions, where both are."""
        (kind, one, *_), (other_kind, two, *_) = (
            self.graph.nodes[self.node],
            self.graph.nodes[other.node],
        )
        if kind != NUMBER or other_kind != NUMBER or PI in (one, two):
            return None
        return one, two
