"""A graph of operations: each is written down once, when it is first done.

A `Cell` is a value of the graph, or minus one: whatever is worked out with cells is written down,
with zeros and ones gone and equal operations shared. Functions that need a program run on cells
instead of numbers; expressions of sympy are read into cells, see `freebody.graph.graph`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from freebody.algebra.tables import TABLES, Tabulated, written_out
from freebody.errors import GraphError
from freebody.graph.cells import Cell
from freebody.graph.code import Code, Variable
from freebody.graph.meanings import FUNCTIONS, MEANINGS
from freebody.graph.operations import ARITHMETIC, COMMUTING, COMPARISONS, EVEN, NUMBER, ODD, PI

Node = tuple[Any, ...]

LEAF = "leaf"
CHOICES = ("max", "min", "select")
VALUES = (NUMBER, LEAF)
"""The nodes that are no operations; their one operand says which they are."""


class Graph:
    """Operations on cells, zeros and ones gone and equal operations done once.

    Parameters
    ----------
    plain : callable, optional
        What a leaf of an expression is known as in the graph; by default by itself.

    Attributes
    ----------
    nodes : list of tuple
        ``("number", value)``; ``("leaf", name)``; or an operation and the places of its operands,
        which come before it.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.values(sympy.symbols("x y"))
    >>> (x * y + x) - (y * x + x) is graph.zero
    True
    """

    def __init__(self, plain: Callable[[sympy.Expr], Hashable] | None = None) -> None:
        self.nodes: list[Node] = []
        self._plain = plain or (lambda leaf: leaf)
        self._places: dict[Node, int] = {}
        self._known: dict[sympy.Expr, Cell] = {}
        self._read: dict[int, sympy.Expr] = {}
        self._atoms: dict[int, sympy.Expr] = {}
        self.zero = Cell(self, 1, self.place(NUMBER, Fraction(0)))
        self.one = self.number(Fraction(1))

    def place(self, *node: Any) -> int:
        """Return where a node stands, written down if it is new."""
        node_number = self._places.get(node)
        if node_number is None:
            node_number = self._places[node] = len(self.nodes)
            self.nodes.append(node)
        return node_number

    def number(self, value: Fraction) -> Cell:
        """Return the cell of a number."""
        if not value:
            return self.zero
        return Cell(self, 1 if value > 0 else -1, self.place(NUMBER, abs(value)))

    @property
    def pi(self) -> Cell:
        """The cell of π."""
        return Cell(self, 1, self.place(NUMBER, PI))

    def leaf(self, expr: Any) -> Cell:
        """Return the cell of a symbol, a function of time or a derivative."""
        return Cell(self, 1, self.place(LEAF, self._plain(expr)))

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Cell] | None = None
    ) -> list[Cell]:
        """Return the cells of expressions, some symbols of which are given as cells.

        Raises
        ------
        GraphError
            If there is no operation for a part of one.
        """
        wanted = [sympy.sympify(expr, strict=True) for expr in expressions]
        reader = ExpressionReader(self, dict(given) if given else self._known)
        cells = [reader.cell(expr) for expr in wanted]
        if not given:
            self._read |= {c.node: c.sign * expr for c, expr in zip(cells, wanted, strict=True)}
        return cells

    def from_atoms(self, expressions: Iterable[sympy.Expr]) -> list[Cell]:
        """Return the cells of expressions in atoms, see `atom`."""
        reader = ExpressionReader(self, self._known)
        return [reader.cell(expr) for expr in expressions]

    def circle(self, angle: Cell, expr: sympy.Expr) -> tuple[Cell, Cell]:
        """Return cosine and sine of a cell; `expr` says what it stands for.

        Parameters
        ----------
        angle : Cell
        expr : sympy.Expr
            The same angle, by whose parts cosines and sines are shared.

        Returns
        -------
        cosine, sine : Cell
        """
        if expr.is_number:  # of which sympy knows more
            cosine, sine = self.values([sympy.cos(expr), sympy.sin(expr)])
            return cosine, sine
        return self.apply("cos", angle), self.apply("sin", angle)

    def apply(self, operation: str, *cells: Cell) -> Cell:
        """Return the cell of an operation on others."""
        if operation in ARITHMETIC:
            return ARITHMETIC[operation](*cells)
        if operation in CHOICES and cells[-2] == cells[-1]:
            return cells[-1]
        if operation == "select" and self.fraction(cells[0]) is not None:
            return cells[1] if cells[0] else cells[2]
        folded = self._folded(operation, cells)
        return self._function(operation, cells) if folded is None else folded

    def _folded(self, operation: str, cells: Sequence[Cell]) -> Cell | None:
        """Return the fraction that a function of fractions is, if it is one."""
        numbers = [self.rational(cell) for cell in cells]
        if operation == "select" or None in numbers:
            return None
        value = MEANINGS[operation](*numbers)
        if operation in COMPARISONS:
            return self.one if value else self.zero
        return self.number(Fraction(int(value.p), int(value.q))) if value.is_Rational else None

    def _function(self, operation: str, cells: Sequence[Cell]) -> Cell:
        first = cells[0]
        if operation in EVEN or operation in ODD:
            sign = first.sign if operation in ODD else 1
            return Cell(self, sign, self.place(operation, first.node))
        if operation in COMPARISONS and all(cell.sign < 0 or not cell for cell in cells):
            cells = [-cell for cell in reversed(cells)]
        places = [self.signed(cell) for cell in cells]
        places = sorted(places) if operation in COMMUTING else places
        return self.cell(self.place(operation, *places))

    def signed(self, cell: Cell) -> int:
        """Return where the value of a cell stands, with its sign."""
        if cell.sign == 1:
            return cell.node
        kind, *rest = self.nodes[cell.node]
        if kind == NUMBER and rest[0] != PI:
            return self.place(NUMBER, -rest[0])
        if kind == "sub":
            return self.place("sub", *reversed(rest))
        return self.place("neg", cell.node)

    def cell(self, place: int) -> Cell:
        """Return the cell of a node."""
        return Cell(self, 1, place)

    def fraction(self, cell: Cell) -> Fraction | None:
        """Return the number that a cell is, if it is a fraction."""
        kind, value, *_ = self.nodes[cell.node]
        return cell.sign * value if kind == NUMBER and value != PI else None

    def rational(self, cell: Cell) -> sympy.Rational | None:
        """Return the number that a cell is as sympy has it, if it is a fraction."""
        value = self.fraction(cell)
        return None if value is None else _rational(value)

    # ------------------------------------------------------------------ what cells are made of

    def operands(self, place: int) -> Sequence[int]:
        """Return the places that an operation takes."""
        kind, *rest = self.nodes[place]
        return () if kind in VALUES else rest

    def needed(self, cells: Iterable[Cell]) -> list[int]:
        """Return the places of all operations that some cells need, in order."""
        return [
            place for place in self._sorted(cell.node for cell in cells) if self.operands(place)
        ]

    def reached(self, cells: Iterable[Cell]) -> set[int]:
        """Return the places of all that some cells are made of."""
        return set(self._sorted(cell.node for cell in cells))

    def _sorted(self, places: Iterable[int], whole: Container[int] = ()) -> list[int]:
        """Return the places of all that some nodes are made of, in order."""
        waiting, done = list(places), set[int]()
        while waiting:
            place = waiting.pop()
            if place not in done:
                done.add(place)
                waiting.extend(() if place in whole else self.operands(place))
        return sorted(done)

    def substituted(self, cells: Iterable[Cell], given: Mapping[Cell, Cell]) -> list[Cell]:
        """Return cells with others in place of leaves."""
        cells = list(cells)
        known = {leaf.node: cell for leaf, cell in given.items()}
        for place in self.needed(cells):
            operation, *parts = self.nodes[place]
            if not known.keys().isdisjoint(parts):
                known[place] = self.apply(operation, *(known.get(p, self.cell(p)) for p in parts))
        new_cells = [(cell, known.get(cell.node, self.cell(cell.node))) for cell in cells]
        return [other if cell.sign == 1 else -other for cell, other in new_cells]

    # ------------------------------------------------------------------ code

    def code(
        self,
        name: str,
        arguments: Mapping[str, Sequence[tuple[Hashable, Variable]]],
        cells: Iterable[Cell],
        shape: tuple[int, ...],
        title: str = "",
    ) -> Code:
        """Return what works some cells out, what depends on constants alone first.

        Parameters
        ----------
        name : str
        arguments : mapping of str to sequence of tuple
            The leaves by group, each as it is known in the graph, with its description.
        cells : iterable of Cell
            Of the output, row by row.
        shape : tuple of int
        title : str, optional
        """
        results = self._expanded([self.signed(cell) for cell in cells])
        leaves = [leaf for group in arguments.values() for leaf, _ in group]
        number = {self._places.get((LEAF, leaf), -1): place for place, leaf in enumerate(leaves)}
        reached = [place for place in self._sorted(results) if place not in number]
        fixed = self._fixed(reached, [leaf for leaf, _ in arguments.get("constants", ())])
        steps: list[Node] = []
        for place in sorted(reached, key=lambda place: (place not in fixed, place)):
            kind, *rest = self.nodes[place]
            if kind == LEAF:
                raise GraphError(f"{rest[0]} is no argument of '{name}'")
            number[place] = len(leaves) + len(steps)
            steps.append((kind, *(rest if kind == NUMBER else (number[part] for part in rest))))
        groups = {
            group: tuple(quantity for _, quantity in pairs) for group, pairs in arguments.items()
        }
        return Code(name, title, groups, shape, tuple(steps), tuple(number[r] for r in results))

    def _fixed(self, places: Iterable[int], constants: Iterable[Hashable]) -> set[int]:
        """Return those of some nodes, in order, that depend on constants alone."""
        found = {self._places.get((LEAF, constant), -1) for constant in constants}
        for place in places:
            if self.nodes[place][0] == NUMBER or found.issuperset(self.nodes[place][1:]):
                found.add(place)
        return found

    def _expanded(self, places: list[int]) -> list[int]:
        """Return values with roots in place of powers of halves, and tables written out.

        Until then each is one operation, whose derivative is finite and known.
        """
        number: dict[int, int] = {}
        for place in self._sorted(places):
            kind, *rest = self.nodes[place]
            if kind not in VALUES:
                parts = [number[part] for part in rest]
                power = self.fraction(self.cell(parts[-1])) if kind == "pow" else None
                if power is not None and power.denominator == 2:
                    root = self.cell(self.place("sqrt", parts[0]))
                    number[place] = (root ** int(2 * power)).node
                    continue
                if kind in TABLES:
                    number[place] = self.signed(self._written_out(kind, self.cell(parts[0])))
                    continue
                parts = sorted(parts) if kind in COMMUTING and parts != rest else parts
                number[place] = self.place(kind, *parts)
            else:
                number[place] = place
        return [number[place] for place in places]

    def _written_out(self, table: str, cell: Cell) -> Cell:
        def number(value: sympy.Rational) -> Cell:
            return self.number(Fraction(int(value.p), int(value.q)))

        def less(one: Cell, other: Cell) -> Cell:
            return self.apply("lt", one, other)

        def choose(holds: Cell, one: Cell, other: Cell) -> Cell:
            return self.apply("select", holds, one, other)

        return written_out(TABLES[table], cell, number, less, choose)

    # ------------------------------------------------------------------ back to sympy

    def is_read(self, place: int) -> bool:
        """Return whether a node was read from an expression, or stands for itself."""
        return place in self._read or not self.operands(place)

    def order(self, places: Iterable[int]) -> list[int]:
        """Return what some nodes are made of, operands first, as far as it was not read."""
        return self._sorted(places, whole=self._read)

    def meaning(self, place: int) -> Any:
        """Return what a node is in its leaves, as sympy writes it."""
        meanings: dict[int, Any] = {}
        for part in self.order([place]):
            kind, *rest = self.nodes[part]
            if part in self._read:
                meanings[part] = self._read[part]
            elif kind in VALUES:
                meanings[part] = meaning_of(rest[0])
            else:
                meanings[part] = MEANINGS[kind](*(meanings[used] for used in rest))
        return meanings[place]

    def written(self, place: int) -> sympy.Expr:
        """Return what an operation was read from, or what it is in atoms, see `atom`."""
        kind, *parts = self.nodes[place]
        atoms = (self.atom(self.cell(part)) for part in parts)
        return self._read[place] if place in self._read else MEANINGS[kind](*atoms)

    def atom(self, cell: Cell) -> Any:
        """Return a cell as an atom of sympy, or minus one, that is read as the cell again."""
        kind, value, *_ = self.nodes[cell.node]
        if kind in VALUES:
            return cell.sign * meaning_of(value)
        if cell.node not in self._atoms:
            self._atoms[cell.node] = symbol = sympy.Dummy(f"z{cell.node}")
            self._known[symbol] = self.cell(cell.node)
        return cell.sign * self._atoms[cell.node]


def meaning_of(value: Any) -> Any:
    """Return a leaf, or a number as sympy has it."""
    if value == PI:
        return sympy.pi
    return _rational(value) if isinstance(value, Fraction) else value


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


# ------------------------------------------------------------------ reading

LEAVES = (sympy.Symbol, AppliedUndef, sympy.Derivative)


class ExpressionReader:
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
        known_cell = self.known.get(expr)
        if known_cell is None:
            known_cell = self.known[expr] = self._read(expr)
        return known_cell

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
            case Tabulated():
                return self.graph.apply(expr.operation, self.cell(expr.args[0]))
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
