"""Printed equations that are too large to be written out, at a point: to try changes of them."""

from __future__ import annotations

from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.prime import Residue
from freebody.algebra.terms import TooLargeError
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.spot import SEEDS, Known, Spot, Spots
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.valued import ValueEvaluator
from freebody.checking.quantities.moments import Moment
from freebody.documents.latex.layout.displays import Relation
from freebody.documents.latex.tree import Call, Name, Node


class ValueSpot(Spot):
    """A spot of what is too large to be written out: no part of it is worked out as a form.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    relation : Relation
        The printed equation.
    moment : Moment
        Where.
    known : Known
        What names were worth there, for all equations of a page.
    """

    def __init__(self, symbols: Symbols, relation: Relation, moment: Moment, known: Known) -> None:
        self.moment = moment
        super().__init__(symbols, relation, moment.quantities.point, known)

    def of(self, relation: Relation) -> ValueSpot:
        """Return another equation at the same point."""
        return ValueSpot(self.symbols, relation, self.moment, self._shared)

    def _named(self, node: Name) -> Grid:
        return self._through_forms(node)

    def _call(self, node: Call) -> Grid:
        return self._through_forms(node)

    def _through_forms(self, node: Node) -> Grid:
        try:
            found = ValueEvaluator(self.symbols, self.moment, self.instead).value(node)
            return Grid.made((Residue(entry.value) for entry in row) for row in found.rows)
        except (NoRootError, UndecidedError, TooLargeError) as error:
            raise MeaningError(str(error)) from None


class ValueSpots:
    """The equations of a page at a point at which the equations of motion hold.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self._known: dict[int, Known] = {}

    def at(self, relation: Relation) -> ValueSpot:
        """Return an equation at a point.

        Raises
        ------
        MeaningError
            If it is defined at none.
        """
        for seed in range(SEEDS):
            try:
                moment = self.symbols.quantities.moments.at(FieldPoint(seed))
                known = self._known.setdefault(seed, ({}, {}))
                return ValueSpot(self.symbols, relation, moment, known)
            except (NoRootError, ZeroDivisionError, MeaningError):
                continue
        raise MeaningError(f"it has no value at any of {SEEDS} points")


def spots_of(symbols: Symbols) -> Spots | ValueSpots:
    """Return the equations of a page at points: in values alone where forms would be large."""
    return ValueSpots(symbols) if symbols.quantities.is_large else Spots(symbols)
