"""What moves in a given way on a page: the road under a wheel, and a support that is shaken."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from freebody.checking.introduced import bare
from freebody.consistency.letters import TIME, letters_of
from freebody.consistency.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import Name


def driven_by_rates(statements: Statements, meanings: Meanings) -> frozenset[str]:
    """Return the letters with rates in equations of motion, and no equation of motion of their own.

    What an equation without accelerations has the rate of may be told by that, unless it says what
    a column is.
    """
    rates, others = set[str](), set[str]()
    known = chain.from_iterable(meanings.definitions.values())
    columns = {one.statement for one in known if not one.grid.is_scalar}
    for one in (one for one in statements.all if one not in columns):
        accelerated = one.moved(2)
        others |= accelerated | _meant(meanings, accelerated)
        (rates if accelerated else others).update(one.moved(1))
    return frozenset(rates - others - meanings.definitions.keys())


def _meant(meanings: Meanings, keys: Iterable[str]) -> set[str]:
    """Return the letters that some letters stand for."""
    known = chain.from_iterable(meanings.definitions.get(key, ()) for key in keys)
    forms = chain.from_iterable(one.grid.entries() for one in known)
    return {letter.key for form in forms for letter in letters_of(meanings.letters, form)}


def shaken(statements: Statements, meanings: Meanings) -> frozenset[str]:
    r"""Return the letters of which equations of motion have accelerations alone, besides others.

    As of the ground in :math:`m\ddot z + c\dot z + k z = -m\ddot y`, where there are too few
    equations for all of them. How they move in time may be said.
    """
    laws = [one for one in statements.all if one.moved(2)]
    accelerated = set[str]().union(*(one.moved(2) for one in laws))
    placed = {
        key
        for one in statements.all
        for key, orders in one.orders.items()
        if min(orders) < 2 and not is_of_time(one, key)
    }
    found = (accelerated - placed - meanings.definitions.keys()) & meanings.letters.moving
    are_besides = all(one.moved(2) - found for one in laws)
    return frozenset(found) if are_besides else frozenset()


def is_of_time(statement: Statement, key: str) -> bool:
    """Return whether an equation says of a letter how it moves in time, and of nothing else."""
    left, orders = statement.relation.left, statement.orders
    is_told = isinstance(left, Name) and bare(left.key) == key and not left.dots
    return is_told and TIME in orders and all(orders[one] == {0} for one in orders)
