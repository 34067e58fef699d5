"""A bracket moved, and something else changed in the same equation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freebody.algebra.prime import PRIME
from freebody.checking.findings import Edit
from freebody.checking.repair.brackets import COST
from freebody.checking.repair.changes import LIKELY, Change, Changes
from freebody.checking.repair.reread import Reread
from freebody.checking.repair.together import TOGETHER, Option, are_disjoint, table
from freebody.errors import NoValueError

MOST_MOVES = 8
LONGEST = 500
"""So many places of brackets are tried with changes within them, of equations no longer."""


def rebracketed(
    changes: Changes,
    reread: Reread,
    single: Sequence[Change],
    moves: Sequence[tuple[Edit, int]],
) -> Iterator[Option]:
    """Iterate over moved brackets that make the equation hold with a likely change beside them.

    Parameters
    ----------
    changes : Changes
        Of the equation.
    reread : Reread
    single : sequence of Change
        All single changes of it.
    moves : sequence of (Edit, int)
        Other places of its brackets, each with what is then left at the point.
    """
    here = changes.spot
    if len(here.relation.latex) > LONGEST:
        return
    likely = [change for change in single if change.cost <= LIKELY]
    others = table((change.residual, change) for change in likely)
    seen = set[int]()
    for moved, residual in moves:
        if residual and residual not in seen:
            seen.add(residual)
            left = residual * changes.scale % PRIME
            yield from _in_other_terms(moved, others.get((changes.residual - left) % PRIME, ()))
            if len(seen) <= MOST_MOVES:
                yield from _in_its_terms(changes, reread, moved)


def _in_other_terms(moved: Edit, others: Sequence[Change]) -> Iterator[Option]:
    for change in others:
        if are_disjoint((moved, change.edit)):
            yield COST + change.cost + TOGETHER, (moved, change.edit)


def _in_its_terms(changes: Changes, reread: Reread, moved: Edit) -> Iterator[Option]:
    here = changes.spot
    printed = reread.printed(here.relation, moved)
    if printed is None:
        return
    other, relation = printed
    start = moved.span[0] - here.relation.span.start
    try:
        again = Changes(here.of(relation), other.text, changes.words, changes.arguments)
        for change in again.likely(start, start + len(moved.proposed)):
            if not change.residual:
                edits = _both(moved, change.edit, here.relation.span.start)
                if edits:
                    yield COST + change.cost + TOGETHER, edits
    except NoValueError:
        return


def _both(moved: Edit, other: Edit, start: int) -> tuple[Edit, ...]:
    """Return a moved bracket and an edit of the equation with it, as edits of the page."""
    first, last = moved.span[0] - start, moved.span[0] - start + len(moved.proposed)
    a, b = other.span
    if first <= a and b <= last:
        inner = moved.proposed[: a - first] + other.proposed + moved.proposed[b - first :]
        return (replace(moved, proposed=inner),)
    if b <= first:
        return (replace(other, span=(a + start, b + start)), moved)
    if a < last:
        return ()
    by = start + (moved.span[1] - moved.span[0]) - len(moved.proposed)
    return (moved, replace(other, span=(a + by, b + by)))
