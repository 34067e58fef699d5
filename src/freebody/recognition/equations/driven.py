"""What moves in a given way on a page: the road under a wheel, and a support that is shaken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.consistency.letters import TIME, Letter, Letters, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.motion.rows import rank
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name
from freebody.errors import FreebodyError
from freebody.recognition.symbols.initials import HEAVY, initial

if TYPE_CHECKING:
    from freebody.recognition.equations.page_motion import PageMotion


def driven_by_rates(motion: PageMotion) -> frozenset[str]:
    """Return the letters with rates in equations of motion, and no equation of motion of their own.

    What an equation without accelerations has the rate of may be told by that, unless it says what
    a column is.
    """
    meanings = motion.meanings
    rates, others = set[str](), set[str]()
    known = chain.from_iterable(meanings.definitions.values())
    columns = {one.statement for one in known if not one.grid.is_scalar}
    for one in (one for one in motion.statements.all if one not in columns):
        accelerated = _accelerated(motion, one)
        others |= accelerated
        (rates if accelerated else others).update(one.moved(1))
    return frozenset(rates - others - meanings.definitions.keys())


def _accelerated(motion: PageMotion, statement: Statement) -> set[str]:
    r"""Return the letters whose accelerations an equation has, with those that they stand for.

    Not where these go out as others are put in: :math:`\ddot y`, with :math:`z = x - y`, of
    :math:`m\ddot z + k z = -m\ddot y`.
    """
    printed = statement.moved(2)
    stand = printed & motion.meanings.definitions.keys()
    if len(printed) > 1 and stand:
        with suppress(FreebodyError, ZeroDivisionError):
            forms = [view.lower(form) for view, form in motion.seen(statement)]
            inside = (one for form in forms for one in letters_of(motion.letters, form))
            return stand | {one.key for one in inside if one.dots > 1}
    return printed | _meant(motion.meanings, stand)


def _meant(meanings: Meanings, keys: Iterable[str]) -> set[str]:
    """Return the letters that some letters stand for."""
    known = chain.from_iterable(meanings.definitions.get(key, ()) for key in keys)
    forms = chain.from_iterable(one.grid.entries() for one in known)
    return {letter.key for form in forms for letter in letters_of(meanings.letters, form)}


def shaken(motion: PageMotion) -> Mapping[str, Form | None]:
    r"""Return the letters of which equations of motion have accelerations alone, besides others.

    As of the ground in :math:`m\ddot z + c\dot z + k z = -m\ddot y`, where there are too few
    equations for all of them, and what is shaken are masses that are accelerated else. Each comes
    with its acceleration, where the page says how it moves in time.
    """
    laws = [one for one in motion.statements.all if one.moved(2)]
    found = _accelerated_alone(motion, laws)
    if not found or not _are_besides(motion, laws, found):
        return {}
    return {key: _in_time(motion, key) for key in sorted(found)}


def _accelerated_alone(motion: PageMotion, laws: Sequence[Statement]) -> set[str]:
    """Return the letters of which nothing but accelerations is printed, beside those of others."""
    meanings = motion.meanings
    accelerated = set[str]().union(*(one.moved(2) for one in laws))
    placed = {
        key
        for one in motion.statements.all
        for key, orders in one.orders.items()
        if min(orders) < 2 and not _is_of_time(one, key)
    }
    found = (accelerated - placed - meanings.definitions.keys()) & meanings.letters.moving
    return found if all(one.moved(2) - found for one in laws) else set()


def _are_besides(motion: PageMotion, laws: Iterable[Statement], found: set[str]) -> bool:
    """Return whether there are no more equations than other letters, and no other masses."""
    letters, ring = motion.letters, motion.letters.ring
    every = sorted(set[str]().union(*(one.moved(2) for one in laws)))
    rows = list[list[int]]()
    for statement in laws:
        with suppress(FreebodyError, ZeroDivisionError):
            for view, form in motion.seen(statement):
                lowered = view.lower(form)
                slopes = {key: ring.partial(lowered, letters.atom(Letter(key, 2))) for key in every}
                heavy = {key: _heavy(letters, slope) for key, slope in slopes.items()}
                others = set[str]().union(*(heavy[key] for key in every if key not in found))
                if any(heavy[key] - others for key in found):
                    return False
                rows.append([letters.points[0].value(slope) for slope in slopes.values()])
    return rank(rows) <= len(every) - len(found)


def _heavy(letters: Letters, form: Form) -> set[str]:
    return {one.key for one in letters_of(letters, form) if initial(one.key) in HEAVY}


def _in_time(motion: PageMotion, key: str) -> Form | None:
    """Return the acceleration of a letter, where the page says how it moves in time."""
    letters = motion.letters
    for statement in motion.statements.all:
        if _is_of_time(statement, key):
            with suppress(FreebodyError, ZeroDivisionError):
                ((_, form),) = motion.seen(statement)
                return letters.rate(letters.rate(letters.form(Letter(key, 0)) - form))
    return None


def _is_of_time(statement: Statement, key: str) -> bool:
    """Return whether an equation says of a letter how it moves in time, and of nothing else."""
    left, orders = statement.relation.left, statement.orders
    is_told = isinstance(left, Name) and bare(left.key) == key and not left.dots
    return is_told and TIME in orders and all(orders[one] == {0} for one in orders)
