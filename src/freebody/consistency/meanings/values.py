"""What the parts of an equation are worth in the letters of its page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.introduced import bare
from freebody.checking.meaning.evaluator import Evaluator
from freebody.consistency.letters import HAMILTONIANS, TIME, Letter, letters_of
from freebody.documents.latex.tree import Add, AtPoint, Name, Partial, Term, multiplied

if TYPE_CHECKING:
    from freebody.checking.meaning.symbols import Symbols
    from freebody.consistency.meanings.views import View

_ONES = re.compile(r"(?:[IE1]|\\math(?:bf|bb|rm|sf)\{[IE1]\}|\\(?:boldsymbol|bm)\{[IE1]\})(?:_.+)?")
"""Letters of the matrix with ones in its diagonal."""
_AT_ANOTHER_TIME = re.compile(r"\(t[+-]")


class Values(Evaluator):
    """Works out what nodes are worth in the letters of a page.

    Parameters
    ----------
    view : View
        What letters stand for.
    """

    def __init__(self, view: View) -> None:
        facade = SimpleNamespace(ring=view.letters.ring, cuts=())
        super().__init__(cast("Symbols", SimpleNamespace(quantities=facade)))
        self.view = view

    def _vanishes(self, entry: Form) -> bool:
        return not entry

    def _settled(self, argument: Form) -> Form:
        return argument

    def _function(self, function: Any, *arguments: Form) -> Form:
        if function is sympy.Abs and self.view.letters.abs_as_roots:
            return self._root(arguments[0] * arguments[0])
        return super()._function(function, *arguments)

    def _name(self, node: Name) -> Grid:
        if _AT_ANOTHER_TIME.search(node.key):
            raise MeaningError("the value of a function at another time")
        return self.view.value(Letter(bare(node.key), node.dots))

    def _add(self, node: Add) -> Grid:
        """Return a sum; beside square matrices I is that with ones: ``s I - A``."""
        values = [self.value(term) for term in node.terms]
        squares = {one.shape for one in values if one.shape[0] == one.shape[1] > 1}
        if len(squares) == 1 and any(one.is_scalar for one in values):
            ((size, _),) = squares
            pairs = zip(node.terms, values, strict=True)
            values = [self._of_ones(term, size) if one.is_scalar else one for term, one in pairs]
        total, *rest = self.alike(values)
        for grid in rest:
            total = total + grid
        return total

    def _of_ones(self, term: Term, size: int) -> Grid:
        """Return a multiple of the matrix with ones, by its letter."""
        factors = multiplied(term.node)
        ones = [one for one in factors if isinstance(one, Name) and _ONES.fullmatch(bare(one.key))]
        if len(ones) != 1:
            raise MeaningError(f"a sum of a scalar and a matrix of {size} x {size}")
        factor = Grid.scalar(self.ring.number(term.sign))
        for one in factors:
            factor = factor if one is ones[0] else factor * self.value(one)
        diagonal = factor.form
        return Grid.made(
            [diagonal if row == column else self.ring.zero for column in range(size)]
            for row in range(size)
        )

    def _rate(self, grid: Grid, order: int) -> Grid:
        return self.view.letters.rates(grid, order)

    def _partial(self, node: Partial) -> Grid:
        """Return a derivative of what a letter stands for by one that may be another's name."""
        grid = self.view.lowered(self.value(node.node))
        is_hamiltonian = isinstance(node.node, Name) and bare(node.node.key) in HAMILTONIANS
        for name in node.with_respect_to:
            if bare(name.key) == TIME and self._moves(grid):
                raise MeaningError("a partial derivative by time of what moves")
            variables = [self._variable(form) for form in self.value(name).entries()]
            if len(variables) > 1 and grid.shape[1] > 1:
                raise MeaningError("the derivative of a matrix by a column")
            if not self._moves(grid) or self._is_open(grid, variables):
                raise MeaningError("a derivative of what nothing says how it moves")
            slope = self.view.letters.slope
            if grid.is_scalar:
                grid = Grid.made([slope(grid.form, one)] for one in variables)
            else:
                grid = Grid.made([slope(form, one) for one in variables] for form in grid.entries())
            if is_hamiltonian and self._has_rates(grid, variables):
                raise MeaningError("a derivative of a Hamiltonian that has rates in it")
        return grid

    def _moves(self, grid: Grid) -> bool:
        """Return whether a letter moves: of a field its partial derivative by time is no zero."""
        moving = self.view.letters.moving
        found = (one for form in grid.entries() for one in self._letters(form))
        return any(one.dots or one.key in moving for one in found)

    def _has_rates(self, grid: Grid, variables: Iterable[Letter]) -> bool:
        """Return whether rates of variables are in something, which hang on momenta and these."""
        keys = {one.key for one in variables}
        found = (one for form in grid.entries() for one in self._letters(form))
        return any(one.dots and one.key in keys for one in found)

    def _letters(self, form: Form) -> set[Letter]:
        return letters_of(self.view.letters, form)

    def _is_open(self, grid: Grid, variables: Iterable[Letter]) -> bool:
        """Return whether something is a function of variables, and nothing says which."""
        letters, of = self.view.letters, self.view.arguments
        inside = {one.key for form in grid.entries() for one in letters_of(letters, form)}
        still = inside - letters.functions.keys() - letters.moving
        return any(one.key in of.get(key, ()) for key in still for one in variables)

    def _variable(self, form: Form) -> Letter:
        found = self.view.letters.letter(self.ring.expression(self.view.lower(form)))
        every = chain.from_iterable(self.view.letters.functions.values())
        if found is None or not (self.view.is_put_in(found.key) or found.key in every):
            raise MeaningError("a derivative by what is no coordinate of the page")
        return found

    def _with_values(self, node: AtPoint) -> Grid:
        """Return what something is where letters have values, with all that its letters stand for.

        What is zero throughout stays so, with its rates.
        """
        values = dict[sympy.Expr, Form]()
        for name, value in node.given:
            if bare(name.key) == TIME:
                raise MeaningError("the value of a function at a time")
            form = self.value(value).form
            letters = [self._variable(one) for one in self.value(name).entries()]
            if len(letters) > 1 and form:
                raise MeaningError("the value of an expression where a column is no zero")
            values |= {self.view.letters.atom(one): form for one in letters}
        if not values:
            raise MeaningError("the value of an expression at a point that is not told")
        grid = self.view.lowered(self.value(node.node))
        return Grid.made([substituted(form, values) for form in row] for row in grid.rows)
