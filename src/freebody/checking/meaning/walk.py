"""One walk over the tree of a printed equation, whatever its nodes are worked out in.

Sums, products, quotients and matrices are the same in every algebra: canonical forms, values at a
moment of a motion, numbers of a prime field, dimensions. What numbers, names, functions, powers and
derivatives are worth, an algebra says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from freebody.checking.grid import Grid, MeaningError, filled, stacked
from freebody.checking.meaning import plane
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex.tree import (
    Add,
    AtPoint,
    Call,
    Divide,
    Labelled,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Omission,
    Opaque,
    Partial,
    Power,
    Term,
    TimeDerivative,
    Times,
    Transpose,
    is_zero,
)
from freebody.errors import ExpressionError

Instead = Mapping[Node | Term, Node | Term | Grid]
"""Other nodes, or their values, for some of an equation."""


class Walk(ABC):
    """Works out what nodes are worth.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    instead : mapping of Node or Term to Node, Term or Grid, optional
        What some nodes are worth, or what to work out instead of them.
    """

    def __init__(self, symbols: Symbols, instead: Instead | None = None) -> None:
        self.symbols = symbols
        self.quantities = symbols.quantities
        self.ring = symbols.quantities.ring
        self.instead = instead or {}

    @abstractmethod
    def value(self, node: Node | Term) -> Grid:
        """Return the value of a node.

        Raises
        ------
        MeaningError
            If it has none.
        """

    def _evaluated(self, node: Node | Term) -> Grid:
        """Return the value of a node by those of its parts, or what is put in its place."""
        found = self.instead.get(node, node)
        if isinstance(found, Grid):
            return found
        try:
            value: Grid = getattr(self, _BY_KIND[type(found)])(found)
        except ExpressionError as error:
            raise MeaningError(f"the meaning of a symbol cannot be read: {error}") from None
        return value

    def _defined(self, node: Node | Term) -> Grid:
        """Return the value of a node, which is none where it is divided by zero."""
        try:
            return self._evaluated(node)
        except ZeroDivisionError as error:
            raise MeaningError(str(error)) from None

    def alike(self, grids: list[Grid]) -> list[Grid]:
        """Return what is added or compared in as many components as the page prints."""
        return plane.alike(grids, self._vanishes)

    # ------------------------------------------------------------------ the same in all algebras

    def _transposed(self, node: Transpose) -> Grid:
        return self.value(node.node).transpose()

    def _inner(self, node: Labelled) -> Grid:
        return self.value(node.node)

    def _term(self, node: Term) -> Grid:
        return self.value(node.node) if node.sign > 0 else -self.value(node.node)

    def _add(self, node: Add) -> Grid:
        first, *rest = self.alike(list(map(self.value, node.terms)))
        for grid in rest:
            first = first + grid
        return first

    def _multiply(self, node: Multiply) -> Grid:
        first, *rest = map(self.value, node.factors)
        for grid in rest:
            left, right = plane.factors(first, grid, self._vanishes)
            first = left * right
        return first

    def _times(self, node: Times) -> Grid:
        left, right = self.value(node.left), self.value(node.right)
        if not (left.is_scalar or right.is_scalar):
            left, right = self.alike([left, right])
        return left.cross(right)

    def _divide(self, node: Divide) -> Grid:
        numerator, denominator = self.value(node.numerator), self.value(node.denominator).form
        return Grid.made((entry / denominator for entry in row) for row in numerator.rows)

    def _matrix(self, node: Matrix) -> Grid:
        """Return a matrix; a zero beside larger blocks is one of their size."""
        blocks = [[self.value(entry) for entry in row] for row in node.rows]
        return stacked(filled(blocks, [[is_zero(entry) for entry in row] for row in node.rows]))

    def _omission(self, _: Omission) -> Grid:
        raise MeaningError("something is left out with dots")

    def _opaque(self, node: Opaque) -> Grid:
        raise MeaningError(f"{node.what}, which is read and not worked out")

    # ------------------------------------------------------------------ of an algebra

    @abstractmethod
    def _vanishes(self, entry: Any) -> bool:
        """Return whether an entry is zero."""

    @abstractmethod
    def _number(self, node: Number) -> Grid: ...

    @abstractmethod
    def _name(self, node: Name) -> Grid: ...

    @abstractmethod
    def _power(self, node: Power) -> Grid: ...

    @abstractmethod
    def _call(self, node: Call) -> Grid: ...

    @abstractmethod
    def _time_derivative(self, node: TimeDerivative) -> Grid: ...

    @abstractmethod
    def _partial(self, node: Partial) -> Grid: ...

    @abstractmethod
    def _with_values(self, node: AtPoint) -> Grid:
        """Return what is left of a node where some of its names have values."""


_BY_KIND = {
    Number: "_number",
    Name: "_name",
    Term: "_term",
    Add: "_add",
    Multiply: "_multiply",
    Times: "_times",
    Divide: "_divide",
    Power: "_power",
    Transpose: "_transposed",
    Call: "_call",
    TimeDerivative: "_time_derivative",
    Partial: "_partial",
    Matrix: "_matrix",
    Labelled: "_inner",
    AtPoint: "_with_values",
    Omission: "_omission",
    Opaque: "_opaque",
}
"""Which method works out a kind of node."""
