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
from freebody.checking.meaning.measured import PURE, MeasureEvaluator, Measures, exponent_of
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.units import Known, power_of, product_of
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Add,
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

Wrong = dict[Span, tuple[Dimension, Dimension]]
"""By the place of a term, the dimension that it has and the one that it should have."""
OVER = Fraction(-1)


class MisfitTerm(NamedTuple):
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


def wrong_terms(symbols: Symbols, relation: Relation) -> tuple[MisfitTerm, ...]:
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
    with symbols.quantities.ring.budget.work():
        return misfits(MeasureEvaluator(symbols), relation)


def misfits(measures: Measures, relation: Relation) -> tuple[MisfitTerm, ...]:
    """Return the terms of a printed equation that have a wrong dimension.

    None are told where it is too large for that.

    Parameters
    ----------
    measures : Measures
        Which works out dimensions.
    relation : Relation
        The printed equation.
    """
    page, start = _Page(measures), relation.span.start
    try:
        page.compare(relation.left, relation.right)
    except TooLargeError:
        return ()
    return tuple(
        MisfitTerm((first - start, last - start), *both)
        for (first, last), both in sorted(page.wrong.items())
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
    with symbols.quantities.ring.budget.work():
        return not misfits(MeasureEvaluator(symbols, are_pure=True), relation)


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
    terms: tuple[PrintedTerm, ...], wrong: tuple[MisfitTerm, ...], *, mended: bool
) -> tuple[PrintedTerm, ...]:
    """Return printed terms with the unit of those, or of what is in them, where it is wrong."""
    units = {term.span: str(term.found) for term in wrong}
    found = (next((u for s, u in units.items() if _in(s, term.span)), "") for term in terms)
    doubts = [replace(term, dimension=unit) for term, unit in zip(terms, found, strict=True)]
    return tuple(_doubted(term) if not mended else term for term in doubts)


def _doubted(term: PrintedTerm) -> PrintedTerm:
    """Return a term that nothing else blames, as wrong where its unit is."""
    is_off = term.dimension and term.verdict == "right"
    return replace(term, verdict="wrong", kind="term") if is_off else term


def _in(span: Span, around: Span) -> bool:
    return around[0] <= span[0] and span[1] <= around[1]


@dataclass(frozen=True, slots=True)
class _Part:
    """A term of a sum, or a side, in one entry of a matrix or in a scalar."""

    node: Node
    span: Span
    dimension: Known


class _Page:
    """The dimensions of the nodes of an equation, and those that are wrong."""

    def __init__(self, measures: Measures) -> None:
        self.of = measures
        self.wrong: Wrong = {}

    def compare(self, left: Node, right: Node) -> None:
        """Look for what is wrong in the two sides of an equation."""
        sizes = {self.of.value(side).shape for side in (left, right)}
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
            case Matrix(rows=rows) if self.of.value(node).shape == (len(rows), len(rows[0])):
                yield from self._parts(rows[i][j], 0, 0)
            case _:
                yield _Part(
                    node,
                    (node.span.start, node.span.stop),
                    self.of.value(node).rows[i][j].dimension,
                )

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
                self._inside(above, product_of((outside, self.of.of_scalar(below))))
                self._inside(below, product_of((self.of.of_scalar(above), power_of(outside, OVER))))
            case Matrix(rows=rows):
                for entry in (entry for row in rows for entry in row):
                    self._inside(entry, None)
            case _:
                self._operand(node, outside)

    def _operand(self, node: Node, outside: Known) -> None:
        match node:
            case Power(base=base, exponent=exponent):
                power = exponent_of(exponent)
                self._inside(base, power_of(outside, 1 / power) if power else None)
            case Call(function="sqrt", argument=argument):
                self._judge([self._whole(argument)], power_of(outside, Fraction(2)))
            case Call(function=function, argument=argument):
                pure = NUMBER if function in PURE else None
                self._judge([self._whole(argument)], pure, pure)
            case TimeDerivative(node=inner, order=order):
                self._inside(inner, product_of((outside, S**order)))
            case Partial(node=inner, with_respect_to=names):
                self._inside(inner, product_of((outside, *map(self.of.of_scalar, names))))

    def _whole(self, node: Node) -> _Part:
        return _Part(node, (node.span.start, node.span.stop), self.of.of_scalar(node))

    def _terms(self, node: Add, outside: Known) -> None:
        rows, columns = self.of.value(node).shape
        asked = outside if rows * columns == 1 else None
        for i in range(rows):
            for j in range(columns):
                self._judge(list(self._parts(node, i, j)), asked)

    def _factors(self, factors: Sequence[Node], outside: Known) -> None:
        """Look into factors: what one whose own dimension is open should be follows from all."""
        known = [self.of.of_scalar(factor) for factor in factors]
        for place, factor in enumerate(factors):
            others = product_of(known[:place] + known[place + 1 :])
            self._inside(factor, product_of((outside, power_of(others, OVER))))


def _is_value(parts: Sequence[_Part]) -> bool:
    """Return whether a side is a plain number: the value of a quantity in its unit; not zero."""
    node = parts[0].node if len(parts) == 1 else None
    return isinstance(node, Number) and node.dimension is None and bool(node.value)


def _is_quantity(parts: Sequence[_Part]) -> bool:
    """Return whether a side is a single quantity, which is what the other side is to be."""
    if len(parts) != 1:
        return False
    node = parts[0].node
    while isinstance(node, TimeDerivative | Partial | Labelled):
        node = node.node
    return isinstance(node, Name)
