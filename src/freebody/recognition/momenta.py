r"""Momenta of Hamilton's equations, as rates of coordinates: p of :math:`\dot x = p/m`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from freebody.checking.grid import Grid
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings import Meanings
from freebody.consistency.residuals import residuals
from freebody.consistency.statements import Statement, Statements
from freebody.consistency.views import Definition, View
from freebody.errors import FreebodyError

MOST_PRODUCTS = 10_000
"""Of terms, to see what one equation says of a momentum."""


def momenta(statements: Statements, meanings: Meanings) -> Iterator[Definition]:
    """Iterate over what letters for momenta are, by the rate of one coordinate each.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for else.
    """
    rated = statements.moving() - statements.accelerated() - meanings.definitions.keys()
    named = {key for key in rated if "momentum" in SymbolShape.of(key).kinds}
    for statement in statements.all if named else ():
        if statement.relation.relation in EQUALITIES:
            with suppress(FreebodyError, ZeroDivisionError):
                with meanings.letters.ring.budget.work(MOST_PRODUCTS):
                    found = _momentum(statement, meanings, named)
                if found:
                    yield found


def _momentum(statement: Statement, meanings: Meanings, named: set[str]) -> Definition | None:
    """Return what an equation says of a momentum that it has alone, and linearly."""
    letters, ring = meanings.letters, meanings.letters.ring
    forms = residuals(View(meanings, statement, ()), statement.relation)
    if len(forms) != 1:
        return None
    inside = letters_of(letters, forms[0])
    rates = [one for one in inside if one.dots]
    open_ = [one for one in inside if one.key in named and not one.dots]
    if len(rates) != 1 or len(open_) != 1 or rates[0].dots != 1 or rates[0].key in named:
        return None
    atom = letters.atom(open_[0])
    slope = ring.partial(forms[0], atom)
    if not slope or ring.partial(slope, atom):
        return None
    value = ring.symbol(atom) - forms[0] / slope
    return Definition(Letter(open_[0].key, 0), Grid.scalar(value), statement)
