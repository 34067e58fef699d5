"""Equations of two constants, ``u = F``: where letters are one for what is printed beside them."""

from __future__ import annotations

from functools import cached_property

from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements

NEAR = 60
"""Characters between equations of which one says what the other is printed with."""


class EqualConstants:
    """The equations of a page that say that constants are one.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
    """

    def __init__(self, statements: Statements, meanings: Meanings) -> None:
        self._statements, self._meanings = statements, meanings

    def before(self, statement: Statement) -> list[Statement]:
        """Return those that stand before an equation in its section.

        Or right behind it, as what it is printed with.
        """
        return [
            one
            for one in self._every
            if one.section == statement.section
            and (one.number < statement.number or _is_right_behind(one, statement))
        ]

    @cached_property
    def _every(self) -> list[Statement]:
        """The equations of letters that do not move, ``u = F``, or of columns of such."""
        dotted = self._meanings.dotted
        every = self._statements.all
        return [one for one in every if one.equated and dotted.isdisjoint(one.keys)]


def _is_right_behind(one: Statement, statement: Statement) -> bool:
    """Return whether an equation is the next one, with a word or two between them."""
    between = one.relation.display.start - statement.relation.display.stop
    return one.number == statement.number + 1 and between < NEAR
