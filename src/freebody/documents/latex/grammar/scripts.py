r"""Scripts behind brackets and bars: ``[x]_+``, ``[\ldots]_{x=0}``, ``\ldots|_{x=0}``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.brackets import BRACKETS, positive, split
from freebody.documents.latex.names import plain
from freebody.documents.latex.tokens.items import Command, Group, Item, LatexError
from freebody.documents.latex.tree import AtPoint, Name, Node

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

_BAR = "|"


def scripted(reader: Reader, node: Node, first: int) -> Node:
    """Read what stands below brackets, or behind a bar: a value at a point, a positive part."""
    if _is_bar(reader):
        reader.position += 1
        return _at_a_point(reader, node, first)
    group = reader.items[reader.position - 1]
    script = reader.item
    if not isinstance(group, Group) or not isinstance(script, Command):
        return node
    if group.text in BRACKETS and plain(script.arguments[0]) == "+" and script.text in ("_", "^"):
        reader.position += 1
        return positive(node, reader.span(first))
    says = group.text == "." or any(item.text == "=" for item in script.arguments[0])
    return _at_a_point(reader, node, first) if says and script.text == "_" else node


def _is_bar(reader: Reader) -> bool:
    """Return whether a bar with a subscript is next."""
    behind = reader.items[reader.position + 1 : reader.position + 2]
    return reader.text == _BAR and [item.text for item in behind] == ["_"]


def _at_a_point(reader: Reader, node: Node, first: int) -> Node:
    script = reader.item
    if not isinstance(script, Command):
        return node
    given = tuple(_given(reader, script))
    if not given:
        shown = reader.context.printed(script.start, script.stop)
        raise LatexError(
            f"a value at a point is read where it says at which, '|_{{x=0}}', found '|{shown}'",
            script.start,
        )
    reader.position += 1
    return AtPoint(node, given, reader.span(first))


def _given(reader: Reader, script: Command) -> Iterator[tuple[Name, Node]]:
    """Iterate over the names that have values, with them; ``x = y = 0`` gives two."""
    for part in split(_plain(script.arguments[0])):
        sides = _sides(part)
        if len(sides) < 2 or not all(sides):
            return
        nodes = [reader.inside(side, script) for side in sides]
        for name, _ in pairwise(nodes):
            if not isinstance(name, Name):
                raise LatexError("expected a name before the value at a point", script.start)
            yield name, nodes[-1]


def _plain(items: Sequence[Item]) -> Sequence[Item]:
    r"""Return what stands below a bar, ``\substack{x=0\\y=0}`` with commas."""
    sole = items[0] if len(items) == 1 else None
    if isinstance(sole, Command) and sole.text == r"\substack":
        return sole.arguments[0]
    return sole.items if isinstance(sole, Group) and sole.text == "(" else items


def _sides(items: Sequence[Item]) -> list[list[Item]]:
    sides: list[list[Item]] = [[]]
    for item in items:
        if item.text in ("=", r"\to", r"\equiv"):
            sides.append([])
        elif item.text not in ("&", r"\\"):
            sides[-1].append(item)
    return sides
