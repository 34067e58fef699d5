"""Brackets of a printed equation moved, taken away or put in, perhaps beside another change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from freebody.algebra.prime import PRIME
from freebody.checking.findings import Edit
from freebody.checking.meaning.relation_at_point import RelationAtPoint
from freebody.checking.repair.changes import LIKELY, Changes
from freebody.checking.repair.reread import Reread
from freebody.checking.repair.residuals import Change
from freebody.checking.repair.together import TOGETHER, Option, are_disjoint, table
from freebody.documents.latex.tree import Add, Matrix, Node, Power, Span, Term, children, walk
from freebody.errors import NoValueError

COST, ADDED = 1.4, 1.8
"""What it costs that a bracket is misplaced, and that a pair of them is missing."""
FAR, NEAR = 6, 4
"""How many terms and factors away a bracket is looked for, and the other one of a new pair."""
MOST, BESIDES = 6_000, 20
"""How many characters are read again, at the most, and how many more each reading is worth."""
_BRACKET = re.compile(r"(?:\\(?:left|right|[bB]igg?[lr]?)\s*)?(?:\\[{}]|[()\[\]])")

Made = Callable[[str, Span, list[int], list[int]], Iterator[Edit]]


def moved_brackets(here: RelationAtPoint, reread: Reread) -> Iterator[tuple[Edit, int]]:
    """Iterate over other places of a bracket, each with what is then left at the point."""
    return _read(here, reread, _moves)


def added_brackets(here: RelationAtPoint, reread: Reread) -> Iterator[tuple[Edit, int]]:
    """Iterate over places of a new pair of brackets, each with what is then left at the point."""
    return _read(here, reread, _additions)


def _read(here: RelationAtPoint, reread: Reread, made: Made) -> Iterator[tuple[Edit, int]]:
    """Iterate over those edits that can be read, each with what is then left at the point."""
    relation, read = here.relation, 0
    for side in (relation.left, relation.right):
        for whole in _wholes(side):
            parts = list(_outside_of_exponents(whole))
            starts = sorted({part.span.start for part in parts})
            stops = sorted({part.span.stop for part in parts})
            edits = made(reread.text, whole.span, starts, stops)
            for edit in sorted(edits, key=lambda edit: edit.span[1] - edit.span[0]):
                around = _around(whole, edit)
                stretch = _stretch(around, edit)
                read += stretch.stop - stretch.start + BESIDES
                if read > MOST:
                    return
                for residual in _left(here, reread, around, stretch, edit):
                    yield edit, residual


def _outside_of_exponents(node: Node | Term) -> Iterator[Node | Term]:
    yield node
    for child in [node.base] if isinstance(node, Power) else children(node):
        yield from _outside_of_exponents(child)


def _wholes(side: Node) -> list[Node]:
    """Return what is printed between no brackets of its own: a side, or the cells of a matrix."""
    cells = [
        cell
        for node in walk(side)
        if isinstance(node, Matrix)
        for row in node.rows
        for cell in row
        if not isinstance(cell, Matrix)
    ]
    return [cell for cell in cells if cell.span.stop > cell.span.start] or [side]


def _around(whole: Node, edit: Edit) -> Node:
    """Return the innermost sum in which an edit is; the whole formula where there is none."""
    first, last = edit.span
    sums = [node for node in walk(whole) if isinstance(node, Add)]
    inside = [node for node in sums if node.span.start <= first and last <= node.span.stop]
    return inside[-1] if inside else whole


def _stretch(whole: Node, edit: Edit) -> Span:
    """Return the terms of a sum in which an edit is, which alone have to be read again."""
    first, last = edit.span
    starts = [term.span.start for term in _terms(whole)]
    before = [start for start in starts if start <= first]
    after = [start for start in starts if start >= last]
    start = before[-1] if before else whole.span.start
    return Span(start, after[0] if after else whole.span.stop)


def _terms(whole: Node) -> tuple[Term, ...]:
    return whole.terms if isinstance(whole, Add) else ()


def _left(
    here: RelationAtPoint, reread: Reread, whole: Node, stretch: Span, edit: Edit
) -> Iterator[int]:
    """Iterate over what may be left with an edit of a formula; nothing if that cannot be read."""
    changed = reread.read(stretch, (edit,))
    if changed is None:
        return
    if stretch != whole.span:
        before = [term for term in _terms(whole) if term.span.stop <= stretch.start]
        after = [term for term in _terms(whole) if term.span.start >= stretch.stop]
        changed = Add((*before, Term(1, changed, stretch), *after), whole.span)
    try:
        yield from here.residuals({whole: changed})
    except NoValueError:
        return


def _moves(text: str, side: Span, starts: list[int], stops: list[int]) -> Iterator[Edit]:
    for bracket in _BRACKET.finditer(text, side.start, side.stop):
        is_opening = bracket[0][-1] in "([{"
        if bracket[0] in ("{", "}"):
            continue
        places = starts if is_opening else stops
        for place in [place for place in places if place < bracket.start()][-FAR:]:
            proposed = bracket[0] + text[place : bracket.start()]
            yield _edit(text, place, bracket.end(), proposed)
        for place in [place for place in places if place > bracket.end()][:FAR]:
            proposed = text[bracket.end() : place] + bracket[0]
            yield _edit(text, bracket.start(), place, proposed)


def _additions(text: str, _: Span, starts: list[int], stops: list[int]) -> Iterator[Edit]:
    for start in starts:
        for stop in [place for place in stops if place > start][1 : 1 + NEAR]:
            yield _edit(text, start, stop, f"({text[start:stop]})")


def _edit(text: str, start: int, stop: int, proposed: str) -> Edit:
    return Edit((start, stop), text[start:stop], proposed, "bracket")


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
    here = changes.at_point
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
    here = changes.at_point
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
