"""A printed equation at a random point of a prime field, to try many changes of it quickly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from freebody.algebra import Form
from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME, Residue
from freebody.algebra.terms import TooLargeError
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.field_evaluator import FieldEvaluator
from freebody.checking.meaning.modular import ModularEvaluator
from freebody.checking.meaning.pairs import blocks
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.walk import Instead
from freebody.checking.quantities.samples import FieldSample
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Add,
    Call,
    Labelled,
    Name,
    Node,
    Power,
    Span,
    Term,
    children,
    walk,
)

Rooted = tuple[Grid, bool]
"""What something is worth, and whether all roots in it are there."""
Worth = TypeVar("Worth")
Known = tuple[dict[Any, Rooted], dict[Any, Rooted]]
NOWHERE = Span(0, 0)
SEEDS = 8
"""How many points are tried to find one at which all roots are there."""


class RelationAtPoint(ModularEvaluator):
    """Works out printed nodes, and what is left of left minus right, at a random point.

    Angles, derivatives and roots are worked out as forms first; everything else in numbers. What
    was worked out is remembered, so that a change costs only what stands around it.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    relation : Relation
        The printed equation.
    point : Point
        Where.
    known : Known
        What names and functions were worth there, for all equations of a page.

    Attributes
    ----------
    has_all_roots : bool
        Whether all roots that the printed equation has are there.
    is_turned : bool
        Whether roots that depend on a change have the other sign: of numbers the field does not
        tell which is the positive one.
    has_open_root : bool
        Whether such a root was met since this was last set.
    """

    def __init__(self, symbols: Symbols, relation: Relation, point: Point, known: Known) -> None:
        super().__init__(symbols)
        self.relation = relation
        self.point = point
        self._above: dict[Node | Term, frozenset[Node | Term]] = {}
        for node, above in chain(_ancestors(relation.left), _ancestors(relation.right)):
            self._above[node] = self._above.get(node, frozenset()) | above
        self._open: frozenset[Node | Term] = frozenset()
        self.is_turned = self.has_open_root = False
        self._known: dict[Node | Term, Grid] = {}
        self._shared = known
        self._names, self._calls = known
        self._labelled = list(_labelled(relation))
        point.has_all_roots = True
        self.residual = self._left_over()
        self.has_all_roots = point.has_all_roots

    def of(self, relation: Relation) -> RelationAtPoint:
        """Return another equation at the same point."""
        return RelationAtPoint(self.symbols, relation, self.point, self._shared)

    @cached_property
    def zeros(self) -> int:
        """How many of the two sides are zero."""
        sides = (self.relation.left, self.relation.right)
        return sum(not any(part.value for part in self.value(side).entries()) for side in sides)

    @property
    def vanishes(self) -> bool:
        """Whether every term of both sides is zero by itself."""
        sides = (self.relation.left, self.relation.right)
        terms = [
            term for side in sides for term in (side.terms if isinstance(side, Add) else (side,))
        ]
        return not any(part.value for term in terms for part in self.value(term).entries())

    @property
    def nodes(self) -> Set[Node | Term]:
        """Every node of the equation."""
        return self._above.keys()

    def changed(self, changes: Instead) -> int:
        """Return what is left of left minus right with other nodes for some.

        Raises
        ------
        MeaningError
            If the changed equation has no value.
        """
        with self._with(changes):
            return self._left_over()

    def residuals(self, changes: Instead) -> Iterator[int]:
        """Iterate over what may be left, with either sign of a root that depends on the changes."""
        return self._signed(changes, self._left_over)

    def values(self, node: Node | Term, changes: Instead) -> Iterator[Grid]:
        """Iterate over what a node may be worth, with either sign of roots likewise."""
        return self._signed(changes, lambda: self.value(node))

    def _signed(self, changes: Instead, work: Callable[[], Worth]) -> Iterator[Worth]:
        self.has_open_root = False
        with self._with(changes):
            found = work()
        yield found
        if self.has_open_root:
            self.is_turned = True
            try:
                with self._with(changes):
                    found = work()
            finally:
                self.is_turned = False
            yield found

    @contextmanager
    def _with(self, changes: Instead) -> Iterator[None]:
        self.instead = dict(changes)
        self._open = frozenset().union(*(self._above[node] for node in changes))
        try:
            yield
        finally:
            self.instead, self._open = {}, frozenset()

    def value(self, node: Node | Term) -> Grid:
        """Return the value of a node: numbers of the field."""
        if node not in self._above or node in self._open:
            return self._defined(node)
        if node not in self._known:
            self._known[node] = self._defined(node)
        return self._known[node]

    def _left_over(self) -> int:
        """Return the entries of left minus right, added up with random weights."""
        weights, total = random.Random(0), 0  # noqa: S311 - nothing secret
        for left, right in self._sides():
            if left.shape != right.shape:
                raise MeaningError("the sides are matrices of different shapes")
            for a, b in zip(left.entries(), right.entries(), strict=True):
                total += weights.randrange(1, PRIME) * (a - b).value
        return total % PRIME

    def _sides(self) -> Iterator[tuple[Grid, Grid]]:
        yield from blocks(self, self.relation.left, self.relation.right)
        for node, label in self._labelled:
            yield self.value(node), self.value(label)

    # ------------------------------------------------------------------ kinds of nodes

    def _name(self, node: Name) -> Grid:
        bare = node.key, node.dots, node.indices
        return self.point.kept(self._names, bare, lambda: self._named(node))

    def _named(self, node: Name) -> Grid:
        grid = self.symbols.value(node.key, node.indices, node.dots)
        follows = self.quantities.follows
        if node not in self._above and any(map(follows, grid.entries())):
            raise MeaningError("it would take the equations of motion differentiated")
        return self._placed(grid)

    def _other_power(self, node: Power, exponent: Form) -> Grid:
        parts = exponent.number.denominator if exponent.is_number else 0
        if parts == 2 and self._open:
            root = self._open_root(self.value(node.base))
            return Grid.scalar(root.form ** int(exponent.number.numerator))
        if not parts and self._open:
            raise MeaningError("no misprint brings in a power that is no number")
        return self._through_forms(node)

    def _open_root(self, square: Grid) -> Grid:
        """Return a square root in numbers: every changed one would be one more of the ring."""
        root, self.has_open_root = self.point.root(square.form.value), True
        return Grid.scalar(Residue(-root % PRIME if self.is_turned else root))

    def _call(self, node: Call) -> Grid:
        if node.function == "sqrt" and self._open:
            return self._open_root(self.value(node.argument))
        argument = self._exactly(node.argument)
        key = (node.function, *(form.terms for form in argument.entries()))
        return self.point.kept(self._calls, key, lambda: self._through_forms(node))

    def _exactly(self, node: Node) -> Grid:
        return Evaluator(self.symbols, self.instead).value(node)

    def _through_forms(self, node: Node) -> Grid:
        return self._placed(self._exactly(node))

    def _placed(self, grid: Grid) -> Grid:
        value, point = self.quantities.value_at, self.point
        return Grid.made((Residue(value(point, form)) for form in row) for row in grid.rows)


class LargeRelationAtPoint(RelationAtPoint):
    """An equation that is too large to be written out: no part of it is worked out as a form.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    relation : Relation
        The printed equation.
    sample : FieldSample
        Where.
    known : Known
        What names were worth there, for all equations of a page.
    """

    def __init__(
        self, symbols: Symbols, relation: Relation, sample: FieldSample, known: Known
    ) -> None:
        self.sample = sample
        super().__init__(symbols, relation, sample.quantities.point, known)

    def of(self, relation: Relation) -> LargeRelationAtPoint:
        """Return another equation at the same point."""
        return LargeRelationAtPoint(self.symbols, relation, self.sample, self._shared)

    def _named(self, node: Name) -> Grid:
        return self._through_forms(node)

    def _call(self, node: Call) -> Grid:
        return self._through_forms(node)

    def _through_forms(self, node: Node) -> Grid:
        try:
            found = FieldEvaluator(self.symbols, self.sample, self.instead).value(node)
            return Grid.made((Residue(entry.value) for entry in row) for row in found.rows)
        except (NoRootError, UndecidedError, TooLargeError) as error:
            raise MeaningError(str(error)) from None


class RelationsAtPoints:
    """The equations of a page, each at a point where all roots are there, if one is found.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self._points: dict[int, tuple[Point, Known]] = {}

    def at(self, relation: Relation) -> RelationAtPoint:
        """Return an equation at a point."""
        for seed in range(SEEDS):
            if seed not in self._points:
                self._points[seed] = self.symbols.quantities.above(seed), ({}, {})
            point, known = self._points[seed]
            found = RelationAtPoint(self.symbols, relation, point, known)
            if found.has_all_roots:
                break
        return found


class LargeRelationsAtPoints:
    """The equations of a page at a point at which the equations of motion hold.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self._known: dict[int, Known] = {}

    def at(self, relation: Relation) -> LargeRelationAtPoint:
        """Return an equation at a point.

        Raises
        ------
        MeaningError
            If it is defined at none.
        """
        for seed in range(SEEDS):
            try:
                sample = self.symbols.quantities.samples.at(FieldPoint(seed))
                known = self._known.setdefault(seed, ({}, {}))
                return LargeRelationAtPoint(self.symbols, relation, sample, known)
            except (NoRootError, ZeroDivisionError, MeaningError):
                continue
        raise MeaningError(f"it has no value at any of {SEEDS} points")


def relations_at_points(symbols: Symbols) -> RelationsAtPoints | LargeRelationsAtPoints:
    """Return the equations of a page at points: in values alone where forms would be large."""
    return (
        LargeRelationsAtPoints(symbols)
        if symbols.quantities.is_large
        else RelationsAtPoints(symbols)
    )


def _labelled(relation: Relation) -> Iterator[tuple[Node, Node]]:
    """Iterate over what braces span, with what is written at them."""
    for node in walk(relation.left, relation.right):
        if isinstance(node, Labelled) and node.label is not None:
            yield node.node, node.label


def _ancestors(
    node: Node | Term, above: tuple[Node | Term, ...] = ()
) -> Iterator[tuple[Node | Term, frozenset[Node | Term]]]:
    """Iterate over all nodes, each with itself and what it stands in."""
    here = (*above, node)
    yield node, frozenset(here)
    for child in children(node):
        yield from _ancestors(child, here)
