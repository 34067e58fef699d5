r"""Quotients with a slash, and how far they go.

``a/b c`` is over both, as authors mean it; ``1/2 m`` and ``g/l \sin\theta`` are not. What may be
read otherwise is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.brackets import BRACKETS
from freebody.documents.latex.grammar.functions import function
from freebody.documents.latex.names import spellings
from freebody.documents.latex.tokens.items import BRACES, DOTS, Group
from freebody.documents.latex.tree import Divide, Name, Node, Number

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader


def quotient(reader: Reader, left: Node, first: int) -> Node:
    """Read what follows a slash."""
    second = reader.position
    under = reader.items[second] if second < len(reader.items) else None
    denominator = reader.factor()
    closed = isinstance(under, Group) and under.text in BRACKETS
    if reader.is_factor() and not closed and not _is_clear(reader, left, denominator):
        denominator = _denominator(reader, denominator, second)
    return Divide(left, denominator, reader.span(first))


def _is_clear(reader: Reader, left: Node, denominator: Node) -> bool:
    r"""Return whether nobody takes more than a number below the line: ``1/2 m``, ``l/2 \sin``."""
    if not isinstance(denominator, Number):
        return False
    is_moving = reader.item is not None and (reader.text in DOTS or bool(function(reader.item)))
    return isinstance(left, Number) or is_moving


def _denominator(reader: Reader, node: Node, first: int) -> Node:
    """Read what is below the line: what is next too, or not."""
    after, factors = reader.position, [node]
    while reader.is_factor() and _is_plain(reader):
        factors.append(reader.factor())
    is_short = len(factors) == 1 or (isinstance(node, Number) and _varies(reader, factors[1]))
    told = _told(reader, first, after, max(reader.position, after + 1))
    short = told[0]
    ways = told if is_short else told[::-1]
    if ways[reader.context.choose(reader.items[first].start, "slash", *ways)] == short:
        reader.position = after
        return node
    factors = factors if len(factors) > 1 else [*factors, reader.factor()]
    return reader.joined(factors, first)


def _told(reader: Reader, first: int, after: int, until: int) -> tuple[str, ...]:
    start, middle, stop = (
        reader.items[first].start,
        reader.items[after - 1].stop,
        reader.items[until - 1].stop,
    )
    whole, part = reader.context.printed(start, stop), reader.context.printed(start, middle)
    return (
        f"'/{whole}' is read with '{part}' alone below the line",
        f"'/{whole}' is read with all of it below the line",
    )


def _is_plain(reader: Reader) -> bool:
    """Return whether a number or a name without dots is next."""
    item = reader.item
    if item is None or item.text in DOTS or item.text in BRACES or function(item):
        return False
    return item.text.isdecimal() or bool(spellings(reader.items, reader.position))


def _varies(reader: Reader, node: Node) -> bool:
    """Return whether a node is a name of something that varies."""
    return isinstance(node, Name) and (node.dots > 0 or reader.declared.varies(node.key))
