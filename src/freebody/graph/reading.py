"""Expressions of sympy read into the cells of a graph, by one walk."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING

import sympy
from sympy.core.function import AppliedUndef

from freebody.errors import GraphError
from freebody.graph.operations import FUNCTIONS

if TYPE_CHECKING:
    from freebody.graph.cells import Cell
    from freebody.graph.graph import Graph

LEAVES = (sympy.Symbol, AppliedUndef, sympy.Derivative)


class Reader:
    """Reads expressions.

    Parameters
    ----------
    graph : Graph
    known : dict of sympy.Expr to Cell
        What has a cell already; what is read is added.
    """

    def __init__(self, graph: Graph, known: dict[sympy.Expr, Cell]) -> None:
        self.graph, self.known = graph, known

    def cell(self, expr: sympy.Expr) -> Cell:
        """Return the cell of an expression.

        Raises
        ------
        GraphError
            If there is no operation for a part of it.
        """
        found = self.known.get(expr)
        if found is None:
            found = self.known[expr] = self._read(expr)
        return found

    def _read(self, expr: sympy.Expr) -> Cell:
        if expr.is_Rational:
            return self.graph.number(Fraction(int(expr.p), int(expr.q)))
        if expr.is_Float and expr.is_finite:
            return self.graph.number(Fraction(repr(float(expr))))
        if isinstance(expr, LEAVES):
            return self.graph.leaf(expr)
        if expr.is_Add:
            return reduce(add, map(self.cell, expr.args))
        if expr.is_Mul:
            return self._product(expr)
        if expr.is_Pow:
            return self._power(expr)
        return self._function(expr)

    def _product(self, expr: sympy.Expr) -> Cell:
        above = [self.cell(part) for part in expr.args if not _divides(part)]
        below = [self.cell(1 / part) for part in expr.args if _divides(part)]
        out = reduce(mul, above, self.graph.one)
        return out / reduce(mul, below) if below else out

    def _power(self, expr: sympy.Expr) -> Cell:
        base, power = expr.args
        if power.is_Integer:
            return self.cell(base) ** int(power)
        if power.is_Rational and power < 0:
            return self.graph.one / self.cell(1 / expr)
        if power == sympy.S.Half:
            return self.graph.apply("sqrt", self.cell(base))
        return self.graph.apply("pow", self.cell(base), self.cell(power))

    def _function(self, expr: sympy.Expr) -> Cell:
        match expr:
            case sympy.pi:
                return self.graph.pi
            case sympy.E:
                return self.graph.apply("exp", self.graph.one)
            case sympy.tan():
                angle = self.cell(expr.args[0])
                return self.graph.apply("sin", angle) / self.graph.apply("cos", angle)
            case sympy.Max() | sympy.Min():
                kind = "max" if isinstance(expr, sympy.Max) else "min"
                cells = map(self.cell, expr.args)
                return reduce(lambda one, other: self.graph.apply(kind, one, other), cells)
            case sympy.Piecewise():
                return self._choice(expr)
            case _ if type(expr) in FUNCTIONS:
                return self.graph.apply(FUNCTIONS[type(expr)], *map(self.cell, expr.args))
        raise GraphError(f"no backend knows what '{expr}' is")

    def _choice(self, expr: sympy.Piecewise) -> Cell:
        *others, (last, condition) = expr.args
        if condition is not sympy.true:
            raise GraphError(f"expected a last piece that always holds, found '{condition}'")
        chosen = self.cell(last)
        for value, holds in reversed(others):
            chosen = self.graph.apply("select", self.cell(holds), self.cell(value), chosen)
        return chosen


def _divides(expr: sympy.Expr) -> bool:
    """Return whether a factor is better divided by."""
    return bool(expr.is_Pow and expr.exp.is_Rational and expr.exp < 0)
