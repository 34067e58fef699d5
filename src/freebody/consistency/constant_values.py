"""The values that a page gives of its constants, ``a = b = 1`` of both."""

from __future__ import annotations

from collections.abc import Iterator

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.consistency.letters import Letter
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name


def constant_values(meanings: Meanings) -> list[tuple[Letter, Form, Statement]]:
    """Return the values of constants that have one on the page alone, with where it stands.

    Parameters
    ----------
    meanings : Meanings
        What letters stand for by the equations of the page.
    """
    every = [
        (letter, form, where)
        for own, form, where in meanings.values
        for letter in (own, *_equated(meanings, where))
        if letter.key not in meanings.letters.moving and not where.is_case
    ]
    first = {letter: form for letter, form, _ in reversed(every)}
    differing = {letter for letter, form, _ in every if form - first[letter]}
    return [one for one in every if one[0] not in differing]


def _equated(meanings: Meanings, statement: Statement) -> Iterator[Letter]:
    """Iterate over the letters of a chain that ends at a value."""
    for one in meanings.chain_before(statement) if statement.states_value else ():
        if isinstance(name := one.relation.left, Name) and not name.dots:
            yield Letter(bare(name.key), 0)
