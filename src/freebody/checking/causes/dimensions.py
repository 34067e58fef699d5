"""Which printed terms have a wrong dimension.

Every node of a printed equation has the dimension of what it stands for. Where the terms of a sum
or the two sides of an equation are not of one dimension, the odd ones are told. A node whose
dimension is not known takes no part: nothing is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from freebody.algebra.terms import TooLargeError
from freebody.algebra.units import NUMBER, Dimension, S
from freebody.checking.findings import PrintedTerm, Span
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.evaluator import Evaluator, Symbols
from freebody.checking.quantities.units import Dimensions, Known, power_of, product_of
from freebody.documents.latex.layout.displays import Relation
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
    Partial,
    Power,
    TimeDerivative,
    Times,
    Transpose,
    walk,
)

Table = tuple[tuple[Known, ...], ...]
Wrong = dict[Span, tuple[Dimension, Dimension]]
"""By the place of a term, the dimension that it has and the one that it should have."""
UNKNOWN: Table = ((None,),)
OVER = Fraction(-1)


class WrongTerm(NamedTuple):
    """A printed term, or the argument of a function, whose dimension is not that of its place.

    Attributes
    ----------
    span : tuple of int
        Where it stands in the equation's own LaTeX, with its sign.
    found, expected : Dimension
    """

    span: Span
    found: Dimension
    expected: Dimension


def wrong_terms(symbols: Symbols, relation: Relation) -> tuple[WrongTerm, ...]:
    """Return the terms of a printed equation that have a wrong dimension.

    A side that is a single quantity is right, and so is what most terms of a sum are. It is for
    equations that differ: one that holds may put numbers for its quantities.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    """
    start = relation.span.start
    return tuple(
        WrongTerm((first - start, last - start), *both)
        for (first, last), both in sorted(_wrong(symbols, relation, are_pure=False).items())
    )


def is_of_one_dimension(symbols: Symbols, relation: Relation) -> bool:
    """Return whether no term of an equation is of another dimension than the others.

    Numbers are pure, or have the unit that is printed behind them.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    """
    return not _wrong(symbols, relation, are_pure=True)


def _wrong(symbols: Symbols, relation: Relation, *, are_pure: bool) -> Wrong:
    """Return where a wrong dimension stands; nothing where it is too large to be told."""
    with symbols.quantities.ring.budget.work():
        page = _Page(symbols, are_pure=are_pure)
        try:
            page.compare(relation.left, relation.right)
        except TooLargeError:
            return {}
        return page.wrong


def wrong_units(symbols: Symbols, relation: Relation) -> str:
    """Return which numbers of an equation have a unit that does not fit; nothing where all do."""
    wrong = wrong_terms(symbols, relation) if has_units(relation) else ()
    return "; ".join(
        f"'{relation.latex[slice(*one.span)].strip()}' is in {one.found}, not in {one.expected}"
        for one in wrong
    )


def has_units(relation: Relation) -> bool:
    """Return whether a number of an equation has a unit."""
    nodes = walk(relation.left, relation.right)
    return any(isinstance(node, Number) and node.dimension is not None for node in nodes)


def with_units(
    terms: tuple[PrintedTerm, ...], wrong: tuple[WrongTerm, ...], *, mended: bool
) -> tuple[PrintedTerm, ...]:
    """Return printed terms with the unit of those, or of what is in them, where it is wrong."""
    units = {term.span: str(term.found) for term in wrong}
    found = (next((u for s, u in units.items() if _in(s, term.span)), "") for term in terms)
    told = [replace(term, dimension=unit) for term, unit in zip(terms, found, strict=True)]
    return tuple(_doubted(term) if not mended else term for term in told)


def _doubted(term: PrintedTerm) -> PrintedTerm:
    """Return a term that nothing else blames, as wrong where its unit is."""
    is_off = term.dimension and term.verdict == "right"
    return replace(term, verdict="wrong", kind="term") if is_off else term


def _in(span: Span, around: Span) -> bool:
    return around[0] <= span[0] and span[1] <= around[1]


_CALLS = frozenset(
    ("sin", "cos", "tan", "exp", "log", "ln", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh")
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A term of a sum, or a side, in one entry of a matrix or in a scalar."""

    node: Node
    span: Span
    dimension: Known


class _Page:
    """The dimensions of the nodes of an equation, and those that are wrong."""

    def __init__(self, symbols: Symbols, *, are_pure: bool = False) -> None:
        self.symbols = symbols
        self.are_pure = are_pure
        self.evaluator = Evaluator(symbols)
        self.dimensions = Dimensions(symbols.quantities)
        self.wrong: Wrong = {}
        self._known: dict[int, Table] = {}

    # ------------------------------------------------------------------ from the outside inward

    def compare(self, left: Node, right: Node) -> None:
        """Look for what is wrong in the two sides of an equation."""
        sizes = {_size(self.of(side)) for side in (left, right)}
        rows, columns = sizes.pop() if len(sizes) == 1 else (0, 0)
        for i in range(rows):
            for j in range(columns):
                sides = [list(self._parts(side, i, j)) for side in (left, right)]
                if any(_is_value(side) for side in sides):
                    continue
                lone = (side[0].dimension for side in sides if _is_quantity(side))
                self._judge(sides[0] + sides[1], None, next(filter(None, lone), None))

    def _parts(self, node: Node, i: int, j: int) -> Iterator[_Part]:
        """Iterate over the terms that add up to an entry."""
        match node:
            case Labelled(node=inner):
                yield from self._parts(inner, i, j)
            case Transpose(node=inner):
                yield from self._parts(inner, j, i)
            case Add(terms=terms):
                for term in terms:
                    inside = list(self._parts(term.node, i, j))
                    whole = len(inside) == 1 and inside[0].node is term.node
                    span = (term.span.start, term.span.stop)
                    yield from (
                        _Part(p.node, span if whole else p.span, p.dimension) for p in inside
                    )
            case Matrix(rows=rows) if _size(self.of(node)) == (len(rows), len(rows[0])):
                yield from self._parts(rows[i][j], 0, 0)
            case _:
                yield _Part(node, (node.span.start, node.span.stop), self.of(node)[i][j])

    def _judge(self, parts: Sequence[_Part], outside: Known, certain: Known = None) -> None:
        """Look for what is wrong among terms that are added or compared.

        Parameters
        ----------
        parts : sequence of _Part
        outside : Dimension, optional
            What their place asks for.
        certain : Dimension, optional
            What a single quantity among them has.
        """
        counts = Counter(part.dimension for part in parts if part.dimension is not None)
        right = certain
        if right is None and counts:
            most = max(counts.values())
            likely = [found for found, count in counts.items() if count == most]
            right = outside if len(likely) > 1 and outside is not None else likely[0]
        for part in parts:
            if part.dimension is None or part.dimension == right or right is None:
                self._inside(part.node, outside if right is None else right)
            else:
                self.wrong[part.span] = (part.dimension, right)

    def _inside(self, node: Node, outside: Known) -> None:
        """Look for what is wrong in a node whose own dimension is not."""
        match node:
            case Labelled(node=inner) | Transpose(node=inner):
                self._inside(inner, outside)
            case Add():
                self._terms(node, outside)
            case Multiply(factors=factors):
                self._factors(factors, outside)
            case Times(left=left, right=right):
                self._factors((left, right), outside)
            case Divide(numerator=above, denominator=below):
                self._inside(above, product_of((outside, self._scalar(below))))
                self._inside(below, product_of((self._scalar(above), power_of(outside, OVER))))
            case Matrix(rows=rows):
                for entry in (entry for row in rows for entry in row):
                    self._inside(entry, None)
            case _:
                self._operand(node, outside)

    def _operand(self, node: Node, outside: Known) -> None:
        match node:
            case Power(base=base, exponent=exponent):
                power = _exponent(exponent)
                self._inside(base, power_of(outside, 1 / power) if power else None)
            case Call(function="sqrt", argument=argument):
                self._judge([self._whole(argument)], power_of(outside, Fraction(2)))
            case Call(function=function, argument=argument):
                pure = NUMBER if function in _CALLS else None
                self._judge([self._whole(argument)], pure, pure)
            case TimeDerivative(node=inner, order=order):
                self._inside(inner, product_of((outside, S**order)))
            case Partial(node=inner, with_respect_to=names):
                self._inside(inner, product_of((outside, *map(self._scalar, names))))

    def _whole(self, node: Node) -> _Part:
        return _Part(node, (node.span.start, node.span.stop), self._scalar(node))

    def _terms(self, node: Add, outside: Known) -> None:
        rows, columns = _size(self.of(node))
        asked = outside if rows * columns == 1 else None
        for i in range(rows):
            for j in range(columns):
                self._judge(list(self._parts(node, i, j)), asked)

    def _factors(self, factors: Sequence[Node], outside: Known) -> None:
        """Look into factors: what one whose own dimension is open should be follows from all."""
        known = [self._scalar(factor) for factor in factors]
        for place, factor in enumerate(factors):
            others = product_of(known[:place] + known[place + 1 :])
            self._inside(factor, product_of((outside, power_of(others, OVER))))

    def _scalar(self, node: Node) -> Known:
        """Return the dimension of a scalar."""
        table = self.of(node)
        return table[0][0] if _size(table) == (1, 1) else None

    # ------------------------------------------------------------------ from the inside outward

    def of(self, node: Node) -> Table:
        """Return the dimension of each entry of a node."""
        if id(node) not in self._known:
            self._known[id(node)] = self._worked_out(node)
        return self._known[id(node)]

    def _worked_out(self, node: Node) -> Table:
        match node:
            case Number(value=value, dimension=dimension):
                is_open = value == 0 or (value.denominator % 5 == 0 and not self.are_pure)
                return ((dimension or (None if is_open else NUMBER),),)
            case Name():
                return self._of_name(node)
            case Labelled(node=inner) | AtPoint(node=inner):
                return self.of(inner)
            case Transpose(node=inner):
                return tuple(zip(*self.of(inner), strict=True))
            case Add(terms=terms):
                return _agreed([self.of(term.node) for term in terms])
            case Multiply(factors=factors):
                return _multiplied([self.of(factor) for factor in factors])
            case Divide(numerator=above, denominator=below):
                return _multiplied([self.of(above), _inverse(self.of(below))])
            case Matrix(rows=rows):
                return _stacked([[self.of(entry) for entry in row] for row in rows])
            case _:
                return self._of_operator(node)

    def _of_operator(self, node: Node) -> Table:
        match node:
            case Times(left=left, right=right):
                return self._crossed(self.of(left), self.of(right))
            case Power(base=base, exponent=exponent):
                return self._raised(self.of(base), _exponent(exponent))
            case Call(function=function, argument=argument):
                root = power_of(self._scalar(argument), Fraction(1, 2))
                pure = NUMBER if function in _CALLS else None
                return ((root if function == "sqrt" else pure,),)
            case TimeDerivative(node=inner, order=order):
                return _multiplied([self.of(inner), ((NUMBER / S**order,),)])
            case Partial(node=inner, with_respect_to=names):
                by = product_of(map(self._scalar, names))
                return _multiplied([self.of(inner), ((power_of(by, OVER),),)])
        return UNKNOWN

    def _of_name(self, node: Name) -> Table:
        try:
            grid: Grid = self.symbols.value(node.key, node.indices)
        except MeaningError:
            return UNKNOWN
        rates = NUMBER / S**node.dots
        return tuple(
            tuple(product_of((self.dimensions.of(form), rates)) for form in row)
            for row in grid.rows
        )

    def _crossed(self, left: Table, right: Table) -> Table:
        if (1, 1) in (_size(left), _size(right)):
            return _multiplied([left, right])
        if _size(left) != (3, 1) or _size(right) != (3, 1):
            return UNKNOWN
        (a,), (b,), (c,) = left
        (x,), (y,), (z,) = right
        sums = (((b, z), (c, y)), ((c, x), (a, z)), ((a, y), (b, x)))
        return tuple((_one(map(product_of, products)),) for products in sums)

    def _raised(self, base: Table, power: Fraction | None) -> Table:
        if _size(base) == (1, 1):
            return ((power_of(base[0][0], power) if power is not None else None,),)
        if power == -1 and len(base) == len(base[0]):
            return _inverse(tuple(zip(*base, strict=True)))
        return UNKNOWN


# ---------------------------------------------------------------------- tables of dimensions


def _one(dimensions: Iterator[Known] | map[Known]) -> Known:
    """Return the dimension that all have whose dimension is known."""
    found = {dimension for dimension in dimensions if dimension is not None}
    return found.pop() if len(found) == 1 else None


def _size(table: Table) -> tuple[int, int]:
    return len(table), len(table[0])


def _agreed(tables: Sequence[Table]) -> Table:
    if len(set(map(_size, tables))) > 1:
        return UNKNOWN
    rows, columns = _size(tables[0])
    return tuple(
        tuple(_one(table[i][j] for table in tables) for j in range(columns)) for i in range(rows)
    )


def _multiplied(tables: Sequence[Table]) -> Table:
    found, *rest = tables
    for table in rest:
        if _size(found) == (1, 1) or _size(table) == (1, 1):
            scalar, other = (found, table) if _size(found) == (1, 1) else (table, found)
            found = tuple(tuple(product_of((scalar[0][0], one)) for one in row) for row in other)
        elif len(found[0]) != len(table):
            return UNKNOWN
        else:
            columns = list(zip(*table, strict=True))
            found = tuple(
                tuple(_one(map(product_of, zip(row, column, strict=True))) for column in columns)
                for row in found
            )
    return found


def _inverse(table: Table) -> Table:
    return tuple(tuple(power_of(one, OVER) for one in row) for row in table)


def _stacked(blocks: Sequence[Sequence[Table]]) -> Table:
    rows: list[tuple[Known, ...]] = []
    for blocks_of_row in blocks:
        if len({len(block) for block in blocks_of_row}) > 1:
            return UNKNOWN
        rows += (
            tuple(one for part in parts for one in part)
            for parts in zip(*blocks_of_row, strict=True)
        )
    return tuple(rows) if len({len(row) for row in rows}) == 1 else UNKNOWN


def _exponent(node: Node) -> Fraction | None:
    """Return the number that an exponent is."""
    match node:
        case Number(value=value):
            return value
        case Divide(numerator=Number(value=above), denominator=Number(value=below)) if below:
            return above / below
        case Add(terms=(term,)):
            inner = _exponent(term.node)
            return None if inner is None else term.sign * inner
    return None


def _is_value(parts: Sequence[_Part]) -> bool:
    """Return whether a side is a plain number: the value of a quantity in its unit."""
    node = parts[0].node if len(parts) == 1 else None
    return isinstance(node, Number) and node.dimension is None


def _is_quantity(parts: Sequence[_Part]) -> bool:
    """Return whether a side is a single quantity, which is what the other side is to be."""
    if len(parts) != 1:
        return False
    node = parts[0].node
    while isinstance(node, TimeDerivative | Partial | Labelled):
        node = node.node
    return isinstance(node, Name)
