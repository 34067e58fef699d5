r"""Coordinates that are counted from something that moves: ``z = x - y`` of what a road shakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.checking.meaning.relation_at_point import NOWHERE
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.consistency.statement import Statement
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Add, Name, Term


def counted_anew(statement: Statement, said: Statement) -> Iterator[tuple[str, Relation]]:
    r"""Iterate over what says where a relative coordinate is counted from, the other way round.

    As :math:`x = z + y` for :math:`z = x - y`, of an equation with the accelerations of z and y:
    that is one of motion along z, and y moves as it likes.

    Parameters
    ----------
    statement : Statement
    said : Statement
        What may say it.

    Yields
    ------
    str
        The relative coordinate.
    Relation
    """
    relation, accelerated = said.relation, statement.moved(2)
    relative = relation.left
    if not isinstance(relative, Name) or relative.dots or bare(relative.key) not in accelerated:
        return
    match relation.right:
        case Add(terms=(Term(node=Name(dots=0)) as one, Term(node=Name(dots=0)) as other)):
            for own, driven in ((one, other), (other, one)):
                is_driven = not accelerated.isdisjoint(_keys(driven))
                if is_driven and accelerated.isdisjoint(_keys(own)):
                    whole = Term(own.sign, relative, NOWHERE)
                    rest = Term(-1 if own.sign == driven.sign else 1, driven.node, NOWHERE)
                    place = Add((whole, rest), NOWHERE)
                    yield bare(relative.key), replace(relation, left=own.node, right=place)


def says_of(letters: Letters, forms: Sequence[Form], known: Form, relative: str) -> bool | None:
    """Return whether an equation of motion along a relative coordinate follows from another one.

    Parameters
    ----------
    letters : Letters
    forms : sequence of Form
        What is left of it.
    known : Form
        What is left of the other.
    relative : str
        The coordinate.

    Returns
    -------
    bool or None
        None where they have not the same letters, or not its acceleration.
    """
    if len(forms) != 1:
        return None
    (form,), ring = forms, letters.ring
    inside = [{each.key for each in letters_of(letters, one)} for one in (form, known)]
    atom = letters.atom(Letter(relative, 2))
    own, other = ring.partial(form, atom), ring.partial(known, atom)
    if inside[0] != inside[1] or not own or not other:
        return None
    return not form * other - known * own


def _keys(term: Term) -> set[str]:
    return {bare(term.node.key)} if isinstance(term.node, Name) else set()
