"""Brackets of a printed equation moved, taken away or put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from freebody.algebra.terms import TooLargeError
from freebody.checking.findings import Edit
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.spot import Spot
from freebody.checking.repair.reread import Reread
from freebody.documents.latex.tree import Matrix, Multiply, Node, Span, Term, walk

COST, ADDED = 1.4, 1.8
"""What it costs that a bracket is misplaced, and that a pair of them is missing."""
NEAR = 4
"""How many terms and factors away a bracket is looked for."""
MOST = 6_000
"""How many characters are read again, at the most."""
_BRACKET = re.compile(r"(?:\\(?:left|right|[bB]igg?[lr]?)\s*)?(?:\\[{}]|[()\[\]])")

Option = tuple[float, tuple[Edit, ...]]
Made = Callable[[str, Span, list[int], list[int]], Iterator[Edit]]


def moved_brackets(here: Spot, reread: Reread) -> Iterator[Option]:
    """Iterate over other places of a bracket that make the equation hold, at the point."""
    yield from _holding(here, reread, _moves, COST)


def added_brackets(here: Spot, reread: Reread) -> Iterator[Option]:
    """Iterate over places of a new pair of brackets that make the equation hold, at the point."""
    yield from _holding(here, reread, _additions, ADDED)


def other_brackets(here: Spot, reread: Reread) -> Iterator[tuple[Edit, int]]:
    """Iterate over other places of a bracket, each with what is then left at the point."""
    return _read(here, reread, _moves)


def _holding(here: Spot, reread: Reread, made: Made, cost: float) -> Iterator[Option]:
    for edit, residual in _read(here, reread, made):
        if not residual:
            yield cost, (edit,)


def _read(here: Spot, reread: Reread, made: Made) -> Iterator[tuple[Edit, int]]:
    """Iterate over those edits that can be read, each with what is then left at the point."""
    relation, read = here.relation, 0
    for side in (relation.left, relation.right):
        for whole in _wholes(side):
            nodes = [node for node in walk(whole) if isinstance(node, Term | Multiply)]
            parts = [*nodes, *(f for n in nodes if isinstance(n, Multiply) for f in n.factors)]
            starts = sorted({part.span.start for part in parts})
            stops = sorted({part.span.stop for part in parts})
            edits = made(reread.text, whole.span, starts, stops)
            for edit in edits:
                read += whole.span.stop - whole.span.start
                if read > MOST:
                    return
                residual = _left(here, reread, whole, edit)
                if residual is not None:
                    yield edit, residual


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


def _left(here: Spot, reread: Reread, whole: Node, edit: Edit) -> int | None:
    """Return what is left with an edit of a formula; None where that cannot be read."""
    changed = reread.read(whole.span, (edit,))
    try:
        return None if changed is None else here.changed({id(whole): changed})
    except (MeaningError, TooLargeError):
        return None


def _moves(text: str, side: Span, starts: list[int], stops: list[int]) -> Iterator[Edit]:
    for bracket in _BRACKET.finditer(text, side.start, side.stop):
        is_opening = bracket[0][-1] in "([{"
        if bracket[0] in ("{", "}"):
            continue
        places = starts if is_opening else stops
        before = [place for place in places if place <= bracket.start()][-NEAR:]
        after = [place for place in places if place >= bracket.end()][:NEAR]
        for place in before:
            if place != bracket.start():
                proposed = bracket[0] + text[place : bracket.start()]
                yield _edit(text, place, bracket.end(), proposed)
        for place in after:
            if place != bracket.end():
                proposed = text[bracket.end() : place] + bracket[0]
                yield _edit(text, bracket.start(), place, proposed)


def _additions(text: str, _: Span, starts: list[int], stops: list[int]) -> Iterator[Edit]:
    for start in starts:
        for stop in [place for place in stops if place > start][1 : 1 + NEAR]:
            yield _edit(text, start, stop, f"({text[start:stop]})")


def _edit(text: str, start: int, stop: int, proposed: str) -> Edit:
    return Edit((start, stop), text[start:stop], proposed, "bracket")
