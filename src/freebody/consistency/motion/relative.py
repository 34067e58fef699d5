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


def counted_anew(statement: Statement, said: Statement) -> Iterator[Relation]:
    r"""Iterate over what says where a relative coordinate is counted from, the other way round.

    As :math:`x = z + y` for :math:`z = x - y`, of an equation with the accelerations of z and y:
    that is one of motion along z, and y moves as it likes.

    Parameters
    ----------
    statement : Statement
    said : Statement
        What may say it.
    """
    left, right = said.relation.left, said.relation.right
    accelerated = statement.moved(2)
    if not isinstance(left, Name) or left.dots or bare(left.key) not in accelerated:
        return
    match right:
        case Add(terms=(Term(node=Name(dots=0)) as one, Term(node=Name(dots=0)) as other)):
            for free, driven in ((one, other), (other, one)):
                keys = [bare(term.node.key) for term in (free, driven) if isinstance(term.node, Name)]
                if keys[0] not in accelerated and keys[1] in accelerated:
                    whole = Term(free.sign, left, NOWHERE)
                    rest = Term(-free.sign * driven.sign, driven.node, NOWHERE)
                    place = Add((whole, rest), NOWHERE)
                    yield replace(said.relation, left=free.node, right=place)


def says_of(letters: Letters, forms: Sequence[Form], known: Form, place: Add) -> bool | None:
    """Return whether an equation of motion along a relative coordinate follows from another one.

    Parameters
    ----------
    letters : Letters
    forms : sequence of Form
        What is left of it.
    known : Form
        What is left of the other.
    place : Add
        Where the relative coordinate is, the first of the sum, and from where it is counted.

    Returns
    -------
    bool or None
        None where they have not the same letters, or not its acceleration.
    """
    if len(forms) != 1:
        return None
    relative = place.terms[0].node
    (form,), ring = forms, letters.ring
    inside = [{each.key for each in letters_of(letters, one)} for one in (form, known)]
    if not isinstance(relative, Name) or inside[0] != inside[1]:
        return None
    atom = letters.atom(Letter(bare(relative.key), 2))
    own, other = ring.partial(form, atom), ring.partial(known, atom)
    return not form * other - known * own if own and other else None
