"""Programs worked out at a point of a domain, where angles are known by what they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from freebody.algebra.domains import Domain
from freebody.mechanics.program import Program
from freebody.programs.derivatives import slopes_of


class Evaluation:
    """A program at a point.

    Unlike `Program.worked_out`, it tells cosines and sines of sums that are assigned first from
    those of anything else, and it moves functions that have no derivative in the domain.

    Parameters
    ----------
    program : Program
    leaves : mapping of sympy.Symbol to sympy.Expr
        What the symbols of the program stand for in the domain.
    at : Domain
        The point.

    Attributes
    ----------
    outputs : dict of str to list
        The outputs of the program there.
    """

    def __init__(
        self, program: Program, leaves: Mapping[sympy.Symbol, sympy.Expr], at: Domain[Any]
    ) -> None:
        self.program, self.at = program, at
        self._known = dict(zip(leaves, at.values(leaves.values()), strict=True))
        self._meant: dict[sympy.Expr, sympy.Expr] = dict(leaves)
        for symbol, expr in program.assignments.items():
            self._known[symbol] = self._value(expr)
        self.outputs = {
            name: [self._value(part) for part in parts] for name, parts in program.outputs.items()
        }

    def _value(self, expr: sympy.Expr) -> Any:
        if expr in self._known:
            return self._known[expr]
        if expr.is_Add or expr.is_Mul:
            first, *rest = map(self._value, expr.args)
            for part in rest:
                first = first + part if expr.is_Add else first * part
            return first
        if expr.is_Pow and expr.exp.is_Integer:
            return self._value(expr.base) ** int(expr.exp)
        if isinstance(expr, sympy.cos | sympy.sin):
            return self.at.values([expr.func(self._meaning(expr.args[0]))])[0]
        return self._called(expr, {part: self._known[part] for part in expr.free_symbols})

    def _called(self, expr: sympy.Expr, given: dict[sympy.Expr, Any]) -> Any:
        """Return a function of symbols, moved along with them."""
        at = self.at.where({symbol: value.parts[0] for symbol, value in given.items()})
        (total,) = at.values([expr])
        moved = {symbol: value - value.parts[0] for symbol, value in given.items() if value.order}
        for symbol, slope in slopes_of(expr).items() if moved else ():
            total = total + at.values([slope])[0] * moved.get(symbol, 0)
        return total

    def _meaning(self, expr: sympy.Expr) -> sympy.Expr:
        """Return an angle in the coordinates, whatever sums it is worked out by."""
        for symbol in expr.free_symbols:
            if symbol not in self._meant:
                self._meant[symbol] = self._meaning(self.program.assignments[symbol])
        return expr.xreplace(self._meant)
