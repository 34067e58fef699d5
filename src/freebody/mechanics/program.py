"""Straight-line programs: assignments of one operation each, and what they give.

A `Tape` is an arithmetic whose elements are symbols: whatever is worked out with them is written
down, one assignment an operation, with sums and products of zero and one gone and equal operations
done once. Run over it, a recursion becomes a `Program`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

Assignments = dict[sympy.Symbol, sympy.Expr]


class Tape:
    """An arithmetic that writes down what is done.

    Attributes
    ----------
    assignments : dict of Symbol to sympy.Expr
        In the order in which they can be worked out.

    Examples
    --------
    >>> tape = Tape()
    >>> x, y = (tape.values([sympy.Symbol(name)])[0] for name in "xy")
    >>> len({(x * y + x).expr, (y * x + x).expr, (x * y + 0 * y + x).expr})
    1
    >>> len(tape.assignments)
    2
    """

    def __init__(self) -> None:
        self.assignments: Assignments = {}
        self._known: dict[sympy.Expr, sympy.Expr] = {}

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> list[Cell]:
        """Return the cells of expressions."""
        known = {symbol: cell.expr for symbol, cell in (given or {}).items()}
        return [self.cell(sympy.sympify(expr).xreplace(known)) for expr in expressions]

    def cell(self, expr: sympy.Expr) -> Cell:
        """Return the cell that an expression is kept in."""
        sign, size = _signed(expr)
        if not (size.is_Atom or isinstance(size, ATOMS)):
            if size not in self._known:
                symbol = sympy.Dummy(f"z{len(self.assignments)}")
                self.assignments[symbol] = size
                self._known[size] = symbol
            expr = sign * self._known[size]
        return Cell(self, expr)


ATOMS = (sympy.core.function.AppliedUndef, sympy.Derivative)
"""What costs nothing besides symbols and numbers: functions of time and their derivatives."""


def _signed(expr: sympy.Expr) -> tuple[Any, sympy.Expr]:
    """Take minus one out of a product of it and another factor."""
    if expr.is_Mul and len(expr.args) == 2 and expr.args[0] is sympy.S.NegativeOne:
        return expr.args
    return sympy.S.One, expr


@dataclass(frozen=True, slots=True)
class Cell:
    """An element of the arithmetic of a tape: a symbol, a number, or minus one of them."""

    tape: Tape = field(repr=False)
    expr: sympy.Expr

    def __add__(self, other: Any) -> Cell:
        return self.tape.cell(self.expr + _expr(other))

    def __sub__(self, other: Any) -> Cell:
        return self.tape.cell(self.expr - _expr(other))

    def __mul__(self, other: Any) -> Cell:
        return self.tape.cell(self.expr * _expr(other))

    def __truediv__(self, other: Any) -> Cell:
        return self.tape.cell(self.expr / _expr(other))

    def __neg__(self) -> Cell:
        return Cell(self.tape, -self.expr)

    __radd__ = __add__
    __rmul__ = __mul__


def _expr(value: Any) -> sympy.Expr:
    return value.expr if isinstance(value, Cell) else sympy.sympify(value)


@dataclass(frozen=True)
class Program:
    """Assignments, and named outputs that are written in them.

    Attributes
    ----------
    assignments : dict of Symbol to sympy.Expr
        Only those that an output needs.
    outputs : dict of str to tuple of sympy.Expr
    """

    assignments: Assignments
    outputs: dict[str, tuple[sympy.Expr, ...]]

    @classmethod
    def of(cls, assignments: Assignments, outputs: Mapping[str, Sequence[Any]]) -> Program:
        """Return the program of some outputs, without what none of them needs."""
        written = {name: tuple(map(_expr, parts)) for name, parts in outputs.items()}
        waiting = {
            symbol for parts in written.values() for part in parts for symbol in part.free_symbols
        }
        needed: set[Any] = set()
        for symbol in reversed(assignments):
            if symbol in waiting:
                needed.add(symbol)
                waiting |= assignments[symbol].free_symbols
        kept = {symbol: expr for symbol, expr in assignments.items() if symbol in needed}
        return cls(kept, written)

    @property
    def operations(self) -> int:
        """How many operations it takes."""
        parts = [part for output in self.outputs.values() for part in output]
        return int(sum(sympy.count_ops(part) for part in (*self.assignments.values(), *parts)))

    def worked_out(self, domain: Any) -> dict[str, list[Any]]:
        """Return the outputs in another arithmetic."""
        known: dict[sympy.Expr, Any] = {}
        for symbol, expr in self.assignments.items():
            known[symbol] = _evaluated(expr, domain, known)
        return {
            name: [_evaluated(part, domain, known) for part in parts]
            for name, parts in self.outputs.items()
        }


def _evaluated(expr: sympy.Expr, domain: Any, known: dict[sympy.Expr, Any]) -> Any:
    """Return an expression in an arithmetic, by the sums and products that it is written as."""
    if expr in known:
        return known[expr]
    if known.keys().isdisjoint(expr.free_symbols):
        return domain.values([expr])[0]
    if expr.is_Add or expr.is_Mul:
        first, *rest = (_evaluated(part, domain, known) for part in expr.args)
        for part in rest:
            first = first + part if expr.is_Add else first * part
        return first
    if expr.is_Pow and expr.exp.is_Integer:
        return _evaluated(expr.base, domain, known) ** int(expr.exp)
    symbols = {symbol: known[symbol] for symbol in expr.free_symbols & known.keys()}
    return domain.values([expr], symbols)[0]
