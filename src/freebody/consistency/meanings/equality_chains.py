r"""What letters are by chains of equalities: u of ``x = u = r\phi``, and where such chains end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.columns import MOST_PRODUCTS, has_entries
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name
from freebody.errors import FreebodyError

if TYPE_CHECKING:
    from freebody.consistency.meanings.meanings import Meanings


def chain_before(statements: Sequence[Statement], statement: Statement) -> list[Statement]:
    """Return the equations that a chain of equalities begins with, up to one of its steps."""
    found = [statement]
    for one in reversed(statements[: statement.number]):
        if not found[0].continues(one) or one.relation.relation not in EQUALITIES:
            break
        found.insert(0, one)
    return found[:-1]


def told_within(
    meanings: Meanings, statements: Sequence[Statement], statement: Statement
) -> Iterator[Definition]:
    r"""Iterate over what a letter is that a chain replaces: u of ``x = u = r\phi``."""
    before = statement.number - 1
    relation = statement.relation
    if before < 0 or not statement.continues(statements[before]):
        return
    try:
        with meanings.letters.ring.budget.work(MOST_PRODUCTS):
            view = View(meanings, statement, (statement,))
            left, right = (
                view.lower(Values(view).value(side).form)
                for side in (relation.left, relation.right)
            )
            found = _replaced(meanings, statement, left, right)
    except (FreebodyError, ZeroDivisionError):
        return
    if found:
        yield found


def _replaced(
    meanings: Meanings, statement: Statement, left: Form, right: Form
) -> Definition | None:
    """Return what the only letter is that one side has and the other has not, or its square."""
    letters, inside = meanings.letters, letters_of(meanings.letters, right)
    found = letters_of(letters, left) - inside
    letter = found.pop() if len(found) == 1 else None
    if letter is None or letter.dots or letter.key in meanings.definitions:
        return None
    ring, atom = letters.ring, letters.atom(letter)
    slope = ring.partial(left, atom)
    rest = right - substituted(left, {atom: ring.zero})
    if atom not in slope.symbols:
        is_factor = meanings.is_moving(Grid.scalar(slope))
        is_place = not (is_factor or any(one.dots for one in inside))
        options = [rest / slope] if is_place else []
    else:
        curve = ring.partial(slope, atom).scaled(QQ(1, 2))
        is_square = atom not in curve.symbols and not substituted(slope, {atom: ring.zero})
        speeds = [letters.form(one) for one in inside if one.dots == 1]
        options = [one for one in speeds if is_square and not curve * one * one - rest]
    grids = map(Grid.scalar, options)
    told = [one for one in grids if meanings.is_moving(one) and meanings.may_be(letter, one)]
    return Definition(letter, told[-1], statement) if told else None


def told_at_the_end(
    meanings: Meanings, statements: Sequence[Statement], statement: Statement
) -> Definition | None:
    """Return what a letter is by the end of a chain of equalities.

    It counts for all of the chain where its first step is open: where nothing moves in that, and
    other letters stand there that the page does not explain. Else it is one more way to say it.
    """
    steps = chain_before(statements, statement)
    name = steps[0].relation.left if steps else None
    if not isinstance(name, Name) or name.dots or has_entries(statement.relation.right):
        return None
    key = bare(name.key)
    known = meanings.definitions.get(key, [])
    if any(one.statement not in steps or meanings.is_moving(one.grid) for one in known):
        return None
    end = [(Letter(key, 0), statement.relation.right)]
    found = next(meanings.said_by(statement, end), None)
    if found is None or not meanings.is_moving(found.grid):
        return found if known else None
    return replace(found, through=(*found.through, *steps))
