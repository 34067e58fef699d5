"""The matrix of Coriolis and centrifugal terms, which is not unique.

Any matrix is right whose product with the speeds is C. A page that states another than that of
Christoffel's symbols is judged by that product: the whole matrix, a row of it, or its entries one
by one where the page states all of a row.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import sympy

from freebody.algebra import Form
from freebody.algebra.terms import Terms
from freebody.checking.grid import Grid
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex.relations import Relation
from freebody.errors import NoValueError

READING = "judged by its product with the speeds: it is not the matrix of Christoffel's symbols"

Place = tuple[int, int]


class Coriolis:
    """What a page states of the matrix of Coriolis and centrifugal terms.

    Parameters
    ----------
    symbols : Symbols
        Of the page.
    relations : iterable of Relation
        All equations of the page; they are read when they are needed.
    """

    def __init__(self, symbols: Symbols, relations: Iterable[Relation]) -> None:
        self.symbols = symbols
        self.relations = relations

    def by_product(self, symbols: Symbols, relation: Relation) -> bool:
        """Return whether an equation states the matrix otherwise, with the right product.

        Parameters
        ----------
        symbols : Symbols
            With which the equation is judged.
        relation : Relation
            It may hold as it is: then its product is not asked for.
        """
        if not self._places:
            return False
        with symbols.quantities.ring.budget.work():
            try:
                return self._is_right(symbols, relation)
            except NoValueError:
                return False

    def _is_right(self, symbols: Symbols, relation: Relation) -> bool:
        stated = self._stated(symbols, relation)
        if stated is None:
            return False
        excess = {place: self._excess(symbols, place, form) for place, form in stated.items()}
        vanishes = symbols.quantities.vanishes
        if all(map(vanishes, excess.values())):
            return False
        rows = {i for i, _ in stated}
        return all(vanishes(self._product(symbols, excess, row)) for row in rows)

    def _excess(self, symbols: Symbols, place: Place, form: Form) -> Form:
        derived = symbols.quantities.ring.symbol(self._symbols[place])
        return symbols.quantities.lower(form - derived)

    def _product(self, symbols: Symbols, excess: dict[Place, Form], row: int) -> Form:
        """Return what a row has too much, times the speeds; entries elsewhere on the page too.

        It is one where not all of the row is stated.
        """
        quantities, total = symbols.quantities, symbols.quantities.ring.zero
        for j, speed in enumerate(quantities.mechanism.speeds, 1):
            if (row, j) not in excess and (row, j) not in self._elsewhere:
                return quantities.ring.one
            part = excess.get((row, j))
            if part is None:
                part = self._excess(symbols, (row, j), self._elsewhere[row, j])
            total = total + part * quantities.ring.form(speed)
        return quantities.settled(total)

    @cached_property
    def _elsewhere(self) -> dict[Place, Form]:
        """All entries that the page states, each as it is first stated."""
        found: dict[Place, Form] = {}
        for relation in self.relations:
            try:
                stated = self._stated(self.symbols, relation) or {}
            except NoValueError:
                continue
            found = {**stated, **found}
        return found

    def _stated(self, symbols: Symbols, relation: Relation) -> dict[Place, Form] | None:
        """Return the entries that an equation states, by their places; None if it states none."""
        evaluator = Evaluator(symbols)
        left, right = evaluator.value(relation.left), evaluator.value(relation.right)
        if left.shape != right.shape or relation.relation != "=":
            return None
        for side, other in ((left, right), (right, left)):
            places = self._named(side)
            if places is not None and self._named(other) is None:
                return dict(zip(places, other.entries(), strict=True))
        return None

    def _named(self, side: Grid) -> list[Place] | None:
        """Return the places of a side that is the matrix, or an entry or part of it."""
        found = [self._places.get(form.terms) for form in side.entries()]
        return [place for place in found if place] if all(found) else None

    @cached_property
    def _symbols(self) -> dict[Place, sympy.Symbol]:
        """The entries by their places; none where no symbol of the page stands for one."""
        known = self.symbols.quantities.derived
        numbers = range(1, len(self.symbols.quantities.mechanism.speeds) + 1)
        named = {(i, j): sympy.Symbol(f"coriolis[{i},{j}]") for i in numbers for j in numbers}
        return {place: symbol for place, symbol in named.items() if symbol in known}

    @cached_property
    def _places(self) -> dict[Terms, Place]:
        ring = self.symbols.quantities.ring
        return {ring.form(symbol).terms: place for place, symbol in self._symbols.items()}
