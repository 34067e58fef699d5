"""Which equations may be to blame: those of whose change the difference can come.

A difference is of one or more kinds of terms: with accelerations, with speeds, with neither. What
an equation brings into another, and into a Lagrangian, is seen where it says twice what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from freebody.algebra import Form
from freebody.algebra.substitution import touched
from freebody.consistency.letters import Letters, letters_of
from freebody.consistency.motion.lagrangian import Lagrangian, lacking
from freebody.consistency.motion.rows import Row
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Multiply, Number

ACCELERATIONS = 2


def kinds(letters: Letters, form: Form) -> frozenset[int]:
    """Return how many dots the rates of the terms of a form have, at the most."""
    found = {0} if form else set[int]()
    for dots in (1, ACCELERATIONS):
        rates = [letters.atom(one) for one in letters_of(letters, form) if one.dots >= dots]
        moves = touched(form.ring, rates)
        places = tuple(place for place in sorted(form.terms.places()) if moves(place))
        powers = form.terms.by_powers(places)
        if any(map(any, powers)):
            found.add(dots)
        if all(map(any, powers)):
            found -= set(range(dots))
    return frozenset(found)


def missing_kinds(
    lagrangian: Lagrangian, letters: Letters, rows: Iterable[Form]
) -> frozenset[int] | None:
    """Return of what kinds equations of motion lack terms, or have too many; None if not known."""
    found = set[int]()
    columns = lagrangian.columns
    known = [row.columns.keys() for one in lagrangian.rows if (row := Row.of(one, columns))]
    for form in rows:
        lacks = lacking(lagrangian, letters, form)
        if lacks is not None:
            found |= kinds(letters, lacks)
        elif (own := Row.of(form, columns)) and own.columns.keys() in known:
            found.add(ACCELERATIONS)
        else:
            return None
    return frozenset(found)


def doubled(relation: Relation) -> Relation:
    """Return an equation that says twice of what it says."""
    node, span = relation.right, relation.right.span
    return replace(relation, right=Multiply((Number(Fraction(2), span), node), span))


def brought_kinds(
    letters: Letters, before: Sequence[Form], after: Sequence[Form]
) -> frozenset[int] | None:
    """Return of what kinds forms differ; None where they cannot be compared."""
    if len(before) != len(after):
        return None
    pairs = zip(before, after, strict=True)
    return frozenset().union(*(kinds(letters, new - old) for old, new in pairs))
