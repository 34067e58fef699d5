"""Printed equations decided at random points, where canonical forms would be too large.

Both sides are worked out at points of a prime field at which the equations of motion hold. What
is equal has one value at all of them; what is not differs at almost all.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.canonical import Comparison
from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import MOST_ROOTS, FieldPoint, NoRootError, agree
from freebody.algebra.linear import determinant, solve
from freebody.algebra.terms import TooLargeError
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.calls import Calls
from freebody.checking.meaning.directions import Direction
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import differences
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.walk import Instead
from freebody.checking.quantities.samples import FieldSample
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    AtPoint,
    Name,
    Node,
    Number,
    Partial,
    Power,
    Term,
    TimeDerivative,
)


class FieldEvaluator(Calls):
    """Works out the values of nodes at a sample of the motion.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    sample : FieldSample
    instead : mapping of Node or Term to Node, Term or Grid, optional
        What some nodes are worth, or what to work out instead of them.
    """

    def __init__(
        self, symbols: Symbols, sample: FieldSample, instead: Instead | None = None
    ) -> None:
        super().__init__(symbols, instead)
        self.sample = sample

    def value(self, node: Node | Term) -> Grid:
        """Return the values of a node.

        Raises
        ------
        MeaningError
            If it has none at any point.
        ZeroDivisionError
            If it has none at this one.
        """
        return self._evaluated(node)

    def multiplied_out(self, sides: list[Any]) -> list[Any]:
        """Return two sides as they are: values have no denominators."""
        return sides

    # ------------------------------------------------------------------ kinds of nodes

    def _vanishes(self, entry: Any) -> bool:
        return not getattr(entry, "value", entry)

    def _number(self, node: Number) -> Grid:
        value = QQ(node.value.numerator, node.value.denominator)
        return Grid.scalar(self.sample.at.element.number(value))

    def _name(self, node: Name) -> Grid:
        return self._dotted(*self._above(node))

    def _above(self, node: Name) -> tuple[Grid, int]:
        """Return what a name stands for, with the dots that would have to be written out."""
        grid, dots = self.symbols.value(node.key, node.indices), node.dots
        while dots and all(map(self.quantities.rates_above, grid.entries())):
            grid, dots = self.symbols.rate(grid), dots - 1
        return grid, dots

    def _dotted(self, grid: Grid, order: int) -> Grid:
        """Return the rate of what a name stands for, which need not be written out for it."""
        if not order:
            return _each(self.sample.value, grid)
        later = self.sample.later
        return _each(later.slope, self._at(later)._dotted(grid, order - 1))

    def _inverse(self, grid: Grid) -> Grid:
        n, m = grid.shape
        if n != m:
            raise MeaningError(f"the inverse of a matrix of {n} x {m}")
        number = self.sample.at.element.number
        one = [[number(int(i == j)) for j in range(n)] for i in range(n)]
        return Grid.made(solve(grid.rows, one))

    def _determinant(self, grid: Grid) -> Grid:
        n, m = grid.shape
        if n != m:
            raise MeaningError(f"the determinant of a matrix of {n} x {m}")
        return Grid.scalar(determinant(grid.rows))

    def _settled(self, argument: Any) -> Any:
        return argument

    def _constant(self, number: sympy.Expr) -> Any:
        return self.sample.at.values([number])[0]

    def _function(self, function: Any, *arguments: Any) -> Any:
        return self.sample.function(function, *arguments)

    def _wave(self, function: Any, node: Node) -> Any:
        """Return a cosine or sine; opaque where its argument is too large."""
        try:
            angle = self.quantities.lower_unassumed(self.forms.value(node).form)
        except TooLargeError:
            return self.sample.function(function, self.value(node).form)
        return self._constant(function(self.ring.expression(angle)))

    def _root(self, square: Any, node: Node | None = None) -> Any:
        """Return a square root; that of a number is made of those of primes."""
        try:
            form = None if node is None else self.forms.value(node).form
        except TooLargeError:
            form = None
        if form is not None and form.is_number:
            return self._constant(sympy.sqrt(self.ring.expression(form)))
        return self.sample.function(sympy.sqrt, square)

    def _exponent(self, node: Power) -> Form:
        found: Form = self.forms.value(node.exponent).form
        return found

    def _raised(self, base: Any, power: int) -> Any:
        return base**power

    def _to_the(self, base: Any, exponent: Form) -> Any:
        if not exponent.is_number:
            return self.sample.function(sympy.Pow, base, self.sample.value(exponent))
        power = self.ring.expression(exponent)
        return self.sample.function(lambda x: sympy.Pow(x, power), base)

    def _time_derivative(self, node: TimeDerivative) -> Grid:
        return self._later(node.node, node.order)

    def _later(self, node: Node, order: int) -> Grid:
        if not order:
            return self.value(node)
        later = self._at(self.sample.later)
        return _each(self.sample.later.slope, later._later(node, order - 1))

    def _partial(self, node: Partial) -> Grid:
        return self._by(node.node, node.with_respect_to)

    def _with_values(self, node: AtPoint) -> Grid:
        found = self.forms.value(node)
        return _each(self.sample.value, found)

    def _variables(self, node: Node) -> Grid:
        """Return what a derivative is taken by; no rate is written out for that."""
        if not isinstance(node, Name):
            return self.forms.value(node)
        grid, dots = self._above(node)
        if dots:
            raise MeaningError("a derivative by a rate, expected one by a coordinate or speed")
        return grid

    def _by(self, node: Node, names: Sequence[Node]) -> Grid:
        """Return the derivatives of a node by names, the first of them innermost."""
        if not names:
            return self.value(node)
        *inner, last = names
        directions = self.symbols.directions.of(self._variables(last))
        slopes = [self._toward(node, inner, direction) for direction in directions]
        return slopes[0] if len(slopes) == 1 else _gradient(slopes)

    def _toward(self, node: Node, inner: Sequence[Node], direction: Direction) -> Grid:
        parts = [
            Grid.scalar(self.sample.value(rate)) * self._beside(node, inner, atom)
            for atom, rate in direction.items()
        ]
        return reduce(operator.add, parts)

    def _beside(self, node: Node, inner: Sequence[Node], atom: sympy.Expr) -> Grid:
        sample = self.sample.beside(atom)
        return _each(sample.slope, self._at(sample)._by(node, inner))

    # ------------------------------------------------------------------ forms and moments

    @cached_property
    def forms(self) -> Evaluator:
        """Works out nodes on the level of quantities, in canonical form."""
        return Evaluator(self.symbols, self.instead)

    def _at(self, sample: FieldSample) -> FieldEvaluator:
        return FieldEvaluator(self.symbols, sample, self.instead)


POINTS = 3
DRAWS = 64
"""How many points are drawn, at the most, to find those at which all roots are there."""
UP_TO_SIGNS = f"exact at {POINTS} random points of a prime field, up to the signs of roots"


def compare_at_random_points(symbols: Symbols, relation: Relation) -> Comparison:
    """Compare the two sides of a printed equation at random points.

    Where roots occur it is enough that it holds for one sign of each: a field has no positive
    numbers by which a root could be told from minus it.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.

    Raises
    ------
    MeaningError
        If they cannot be compared.
    """
    samples = symbols.quantities.samples

    def left(sample: FieldSample) -> list[Any]:
        return differences(FieldEvaluator(symbols, sample), relation)

    def at(point: FieldPoint) -> list[Any]:
        return left(samples.at(point))

    try:
        bound = max(degree.bound for degree in left(samples.bounds))
        found = agree(at, bound, POINTS)
        if found.proof.startswith("not exact") and _agree_up_to_signs(at):
            return Comparison(equal=True, proof=UP_TO_SIGNS)
    except UndecidedError as error:
        raise MeaningError(f"too large to be written out, and at random points: {error}") from None
    loops = symbols.quantities.loops
    if not found.equal and loops and not loops.solved:
        raise MeaningError("too large to be written out, and no random points close its loops")
    return found


def _agree_up_to_signs(at: Callable[[FieldPoint], list[Any]]) -> bool:
    """Return whether differences vanish at all points with one of the signs of their roots."""
    passed = 0
    for seed in range(DRAWS):
        try:
            if not _vanish(at, seed):
                return False
        except (NoRootError, ZeroDivisionError):
            continue
        passed += 1
        if passed == POINTS:
            return True
    return False


def _vanish(at: Callable[[FieldPoint], list[Any]], seed: int) -> bool:
    signs, roots = 0, 0
    while signs < 1 << min(roots, MOST_ROOTS):
        point = FieldPoint(seed, signs)
        if not any(at(point)):
            return bool(point.draws.roots)
        roots, signs = max(roots, len(point.draws.roots)), signs + 1
    return False


def _gradient(slopes: list[Grid]) -> Grid:
    """Return a gradient as a column, the derivatives of a column by rows."""
    if slopes[0].shape[1] > 1:
        raise MeaningError("the derivative of a matrix by a column")
    rows = Grid.made(zip(*(grid.entries() for grid in slopes), strict=True))
    return rows.transpose() if slopes[0].is_scalar else rows


def _each(change: Any, grid: Grid) -> Grid:
    return Grid.made((change(entry) for entry in row) for row in grid.rows)
