"""The dimensions of printed nodes: an algebra in which a sum has the dimension of its terms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from freebody.algebra.units import NUMBER, S
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.walk import Walk
from freebody.checking.quantities.units import Dimensions, Known, power_of, product_of
from freebody.documents.latex.tree import (
    Add,
    AtPoint,
    Call,
    Divide,
    Name,
    Node,
    Number,
    Partial,
    Power,
    Term,
    TimeDerivative,
)

PURE = frozenset(
    ("sin", "cos", "tan", "exp", "log", "ln", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh")
)
"""The functions of pure numbers, which are pure numbers."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The dimension of a value, as far as it is known.

    Attributes
    ----------
    dimension : Dimension, optional
    is_mixed : bool
        Whether it is a sum of values of different dimensions, and so of none.
    """

    dimension: Known
    is_mixed: bool = False

    def __add__(self, other: Measure) -> Measure:
        known = {one.dimension for one in (self, other)} - {None}
        if self.is_mixed or other.is_mixed or len(known) > 1:
            return Measure(None, is_mixed=True)
        return Measure(next(iter(known), None))

    __sub__ = __add__

    def __neg__(self) -> Measure:
        return self

    def __mul__(self, other: Measure) -> Measure:
        return Measure(product_of((self.dimension, other.dimension)))

    def __pow__(self, power: Fraction | int) -> Measure:
        return Measure(power_of(self.dimension, Fraction(power)))

    def __truediv__(self, other: Measure) -> Measure:
        return self * other**-1


UNKNOWN = Grid.scalar(Measure(None))


class Measures(Walk):
    """Works out the dimensions of nodes; what has no value has no known dimension.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    are_pure : bool
        Whether a number that may be rounded is pure, where it could be the value of a quantity.
    """

    def __init__(self, symbols: Symbols, *, are_pure: bool = False) -> None:
        super().__init__(symbols)
        self.are_pure = are_pure
        self._known: dict[Node | Term, Grid] = {}

    def value(self, node: Node | Term) -> Grid:
        """Return the dimension of each entry of a node."""
        if node not in self._known:
            try:
                self._known[node] = self._evaluated(node)
            except MeaningError:
                self._known[node] = UNKNOWN
        return self._known[node]

    def of_scalar(self, node: Node) -> Known:
        """Return the dimension of a scalar; None where it is none, or is not known."""
        grid = self.value(node)
        return grid.form.dimension if grid.is_scalar else None

    def _vanishes(self, entry: Any) -> bool:  # noqa: ARG002 - what has a dimension is not zero
        return False

    def _number(self, node: Number) -> Grid:
        is_open = node.value == 0 or (node.value.denominator % 5 == 0 and not self.are_pure)
        return Grid.scalar(Measure(node.dimension or (None if is_open else NUMBER)))

    def _power(self, node: Power) -> Grid:
        base, power = self.value(node.base), exponent_of(node.exponent)
        if power == -1:
            return self._inverse(base)
        return Grid.scalar(Measure(None) if power is None else base.form**power)

    def _inverse(self, grid: Grid) -> Grid:
        if len(set(grid.shape)) > 1:
            raise MeaningError("the inverse of a matrix that is not square")
        return Grid.made((entry**-1 for entry in row) for row in grid.transpose().rows)

    def _call(self, node: Call) -> Grid:
        if node.function == "sqrt":
            return Grid.scalar(self.value(node.argument).form ** Fraction(1, 2))
        return Grid.scalar(Measure(NUMBER if node.function in PURE else None))

    def _time_derivative(self, node: TimeDerivative) -> Grid:
        return self.value(node.node) * Grid.scalar(Measure(NUMBER / S**node.order))

    def _partial(self, node: Partial) -> Grid:
        found = self.value(node.node)
        for name in node.with_respect_to:
            found = found * Grid.scalar(Measure(self.of_scalar(name)) ** -1)
        return found

    def _with_values(self, node: AtPoint) -> Grid:
        return self.value(node.node)


class MeasureEvaluator(Measures):
    """Works out the dimensions of nodes by those of a model.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    are_pure : bool
        Whether a number that may be rounded is pure, where it could be the value of a quantity.
    """

    def __init__(self, symbols: Symbols, *, are_pure: bool = False) -> None:
        super().__init__(symbols, are_pure=are_pure)
        self.dimensions = Dimensions(symbols.quantities)

    def _name(self, node: Name) -> Grid:
        grid = self.symbols.value(node.key, node.indices)
        rates = Measure(NUMBER / S**node.dots)
        of = self.dimensions.of
        return Grid.made((Measure(of(form)) * rates for form in row) for row in grid.rows)


def exponent_of(node: Node) -> Fraction | None:
    """Return the number that an exponent is; None where it is none."""
    match node:
        case Number(value=value):
            return value
        case Divide(numerator=Number(value=above), denominator=Number(value=below)) if below:
            return above / below
        case Add(terms=(term,)):
            inner = exponent_of(term.node)
            return None if inner is None else term.sign * inner
    return None
