"""An arithmetic that writes operations down, each once, lightly enough for large mechanisms.

Like the `Tape` of the derivations, but its cells are numbers of places in a list: sympy
expressions are made once, at the end, of what is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import add, mul, sub, truediv
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

Node = tuple[Any, ...]

LEAVES = (sympy.Symbol, AppliedUndef, sympy.Derivative, sympy.NumberSymbol)
ZERO, ONE = 0, 1


class Graph:
    """Operations on cells, zeros and ones gone and equal operations done once.

    Parameters
    ----------
    plain : callable, optional
        The symbol that a leaf is written as in a program; by default the leaf itself.

    Attributes
    ----------
    nodes : list of tuple
        A number; ``("leaf", symbol)``; ``(operation, place)`` or ``(operation, place, place)``; or
        ``("call", expression, places)`` for a function of sympy in the symbols of these places.
    symbols : dict of int to sympy.Expr
        What a node is written as.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.values(sympy.symbols("x y"))
    >>> (x * y + x) - (y * x + x) is graph.zero
    True
    """

    def __init__(self, plain: Callable[[sympy.Expr], sympy.Symbol] | None = None) -> None:
        self.nodes: list[Node] = []
        self.symbols: dict[int, sympy.Expr] = {}
        self.angles: dict[int, sympy.Expr] = {}
        self._plain = plain or (lambda leaf: leaf)
        self._places: dict[Node, int] = {}
        self._owners: dict[sympy.Expr, Cell] = {}
        self._known: dict[sympy.Expr, Cell] = {}
        self.zero, self.one = self.number(Fraction(0)), self.number(Fraction(1))

    def place(self, *node: Any) -> int:
        """Return where an operation stands, written down if it is new."""
        found = self._places.get(node)
        if found is None:
            found = self._places[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def number(self, value: Fraction) -> Cell:
        """Return the cell of a number."""
        place = self.place("number", abs(value))
        if place == ZERO and hasattr(self, "zero"):
            return self.zero
        return Cell(self, 1 if value >= 0 else -1, place)

    def leaf(self, expr: sympy.Expr) -> Cell:
        """Return the cell of a symbol, a function of time or a derivative."""
        symbol = self._plain(expr)
        return self._owners.setdefault(symbol, Cell(self, 1, self.place("leaf", symbol)))

    # ------------------------------------------------------------------ expressions

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> list[Cell]:
        """Return the cells of expressions, some symbols of which are given as cells."""
        known = dict(given) if given else self._known
        return [self._cell(sympy.sympify(expr, strict=True), known) for expr in expressions]

    def _cell(self, expr: sympy.Expr, known: dict[sympy.Expr, Cell]) -> Cell:
        if expr not in known:
            known[expr] = self._worked_out(expr, known)
        return known[expr]

    def _worked_out(self, expr: sympy.Expr, known: dict[sympy.Expr, Cell]) -> Cell:
        if expr in self._owners:
            return self._owners[expr]
        if expr.is_Rational:
            return self.number(Fraction(int(expr.p), int(expr.q)))
        if expr.is_Float:
            return self.number(Fraction(repr(float(expr))))
        if isinstance(expr, LEAVES):
            return self.leaf(expr)
        if expr.is_Add:
            return reduce(add, [self._cell(part, known) for part in expr.args])
        if expr.is_Mul:
            return self._product(expr, known)
        if expr.is_Pow:
            return self._power(expr, known)
        if isinstance(expr, sympy.cos | sympy.sin | sympy.tan):
            cosine, sine = self.circle(self._cell(expr.args[0], known), expr.args[0])
            if isinstance(expr, sympy.tan):
                return sine / cosine
            return cosine if isinstance(expr, sympy.cos) else sine
        return self._call(expr, known)

    def _product(self, expr: sympy.Expr, known: dict[sympy.Expr, Cell]) -> Cell:
        above = [part for part in expr.args if not _divides(part)]
        below = [self._cell(1 / part, known) for part in expr.args if _divides(part)]
        out = reduce(mul, [self._cell(part, known) for part in above], self.one)
        return out / reduce(mul, below) if below else out

    def _power(self, expr: sympy.Expr, known: dict[sympy.Expr, Cell]) -> Cell:
        base, power = expr.args
        if power.is_Integer:
            return self._cell(base, known) ** int(power)
        if _divides(expr):
            return self.one / self._cell(1 / expr, known)
        return self._call(expr, known)  # whole, for the sake of its derivative where it is zero

    def _call(self, expr: sympy.Expr, known: dict[sympy.Expr, Cell]) -> Cell:
        """Return the cell of a function that is left to sympy, of arguments that are atoms."""
        return self.called(expr.func(*(self._atoms(part, known) for part in expr.args)))

    def _atoms(self, expr: sympy.Basic, known: dict[sympy.Expr, Cell]) -> sympy.Basic:
        if isinstance(expr, sympy.Expr):
            return self.atom(self._cell(expr, known))
        if not expr.args:
            return expr
        return expr.func(*(self._atoms(part, known) for part in expr.args))

    def called(self, expr: sympy.Expr) -> Cell:
        """Return the cell of a function of sympy in the symbols of other cells."""
        if expr in self._owners or expr.is_Rational or expr.is_Add or expr.is_Mul:
            return self._cell(expr, {})
        symbols = sorted(expr.free_symbols, key=lambda symbol: self._owners[symbol].node)
        places = tuple(self._owners[symbol].node for symbol in symbols)
        return Cell(self, 1, self.place("call", expr, places))

    def function(self, function: Any, argument: Cell) -> Cell:
        """Return the cell of a function of sympy of one argument."""
        return self.called(function(self.atom(argument)))

    def circle(self, angle: Cell, expr: sympy.Expr) -> tuple[Cell, Cell]:
        """Return cosine and sine of a cell; `expr` says what it stands for."""
        if angle.node == ZERO:
            return self.one, self.zero
        if self.nodes[angle.node][0] == "number" or expr.is_number:
            return self.called(sympy.cos(expr)), self.called(sympy.sin(expr))
        cosine, sine = self.place("cos", angle.node), self.place("sin", angle.node)
        return Cell(self, 1, cosine), Cell(self, angle.sign, sine)

    # ------------------------------------------------------------------ back to sympy

    def atom(self, cell: Cell) -> sympy.Expr:
        """Return what a cell is written as: a symbol, a number, or minus one of them."""
        size = self.symbol(cell.node)
        return size if cell.sign == 1 else -size

    def symbol(self, place: int) -> sympy.Expr:
        """Return the symbol or number of a node."""
        if place not in self.symbols:
            kind, *rest = self.nodes[place]
            if kind == "number":
                self.symbols[place] = sympy.Rational(rest[0].numerator, rest[0].denominator)
            elif kind == "leaf":
                self.symbols[place] = rest[0]
            else:
                self.symbols[place] = sympy.Dummy(f"z{place}")
            if kind != "number":
                self._owners.setdefault(self.symbols[place], Cell(self, 1, place))
        return self.symbols[place]

    def place_of(self, symbol: sympy.Symbol) -> int:
        """Return the place of the node that a symbol stands for."""
        return self._owners[symbol].node

    def expression(self, place: int) -> sympy.Expr:
        """Return the operation of a node in the symbols of others."""
        kind, *rest = self.nodes[place]
        if kind == "call":
            return rest[0]
        return _WRITTEN[kind](*map(self.symbol, rest))

    def substituted(self, cells: Iterable[Cell], given: Mapping[Cell, Cell]) -> list[Cell]:
        """Return cells with others in place of leaves that no function left to sympy takes."""
        cells = list(cells)
        known = {leaf.node: cell for leaf, cell in given.items()}
        for place in self.needed(cells):
            kind, *parts = self.nodes[place]
            if kind in _DONE and not known.keys().isdisjoint(parts):
                known[place] = _DONE[kind](*(known.get(p, Cell(self, 1, p)) for p in parts))
        found = [(cell, known.get(cell.node, Cell(self, 1, cell.node))) for cell in cells]
        return [other if cell.sign == 1 else -other for cell, other in found]

    def needed(self, cells: Iterable[Cell]) -> list[int]:
        """Return the places of all operations that some cells need, in order."""
        waiting, found = [cell.node for cell in cells], set[int]()
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting.extend(self.arguments(place))
        return sorted(place for place in found if self.nodes[place][0] not in ("number", "leaf"))

    def arguments(self, place: int) -> Sequence[int]:
        """Return the places that an operation takes."""
        kind, *rest = self.nodes[place]
        if kind in ("number", "leaf"):
            return ()
        return rest[1] if kind == "call" else rest


def _divides(expr: sympy.Expr) -> bool:
    return bool(expr.is_Pow and expr.exp.is_Rational and expr.exp.q <= 2 and expr.exp < 0)


def _sum(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    return sympy.Add(a, b, evaluate=False)


def _difference(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    return sympy.Add(a, sympy.Mul(sympy.S.NegativeOne, b, evaluate=False), evaluate=False)


def _times(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    return sympy.Mul(a, b, evaluate=False)


def _over(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    below = sympy.Pow(b, sympy.S.NegativeOne, evaluate=False)
    return below if a == 1 else sympy.Mul(a, below, evaluate=False)


_WRITTEN: dict[str, Callable[..., sympy.Expr]] = {
    "+": _sum,
    "-": _difference,
    "*": _times,
    "/": _over,
    "cos": sympy.cos,
    "sin": sympy.sin,
}


_DONE: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "/": truediv}


class Cell:
    """A node of a graph, or minus one."""

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
        kind = "+" if sign == self.sign else "-"
        if a < b:
            return Cell(self.graph, self.sign, self.graph.place(kind, a, b))
        return Cell(self.graph, sign, self.graph.place(kind, b, a))

    def _without(self, other: Cell) -> Cell | None:
        """Return what is left of a sum where a part of it is taken off by another cell."""
        kind, *parts = self.graph.nodes[self.node]
        if kind not in "+-" or other.node not in parts:
            return None
        signs = (self.sign, self.sign if kind == "+" else -self.sign)
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
        return Cell(self.graph, sign, self.graph.place("*", *((a, b) if a < b else (b, a))))

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
        return Cell(self.graph, sign, self.graph.place("/", a, b))

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
        """Return the sizes of two numbers, where both are."""
        one, two = self.graph.nodes[self.node], self.graph.nodes[other.node]
        return (one[1], two[1]) if one[0] == two[0] == "number" else None
