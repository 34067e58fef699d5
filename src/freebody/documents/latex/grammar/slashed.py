r"""Derivatives that are not fractions: ``dx/dt``, ``d/dt(x)``, ``\partial_q L``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.derivatives import MARKS, Derivative, derivative
from freebody.documents.latex.names import plain, spellings
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Group, Item
from freebody.documents.latex.tree import Node, Partial

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader


def slashed(items: Sequence[Item], position: int) -> tuple[Derivative, int] | None:
    """Return the derivative written with a slash that starts here, and where it ends."""
    text = items[position].text
    may_be_mark = text in MARKS or text in UPRIGHT or text.startswith(r"\text")
    if not may_be_mark or plain(items[position : position + 1]) not in MARKS:
        return None
    slash = _after_name(items, _after_order(items, position + 1))
    if slash >= len(items) or items[slash].text != "/":
        return None
    stop = slash + 1
    while stop < len(items) and plain(items[stop : stop + 1]) in MARKS:
        stop = _after_name(items, stop + 1)
    found = derivative(items[position:slash], items[slash + 1 : stop])
    return (found, stop) if found else None


def _after_order(items: Sequence[Item], position: int) -> int:
    return position + [item.text for item in items[position : position + 1]].count("^")


def _after_name(items: Sequence[Item], position: int) -> int:
    """Return where the name or the brackets end that may stand here."""
    item = items[position] if position < len(items) else None
    if isinstance(item, Group) and item.text in ("(", "["):
        return position + 1
    options = spellings(items, position) if item else []
    return options[-1].stop if options else position


def subscripted(reader: Reader, _: Item) -> Node:
    r"""Read ``\partial_q L`` and ``\nabla_q L``."""
    first = reader.position
    script = reader.items[first + 1] if first + 1 < len(reader.items) else None
    if not isinstance(script, Command) or script.text != "_":
        by = r"what it is by, as in '\nabla_q V' (or write the derivatives out)"
        raise reader.expected(by if reader.text == r"\nabla" else "a number, a name or a bracket")
    reader.position += 2
    variable = reader.variable(script.arguments[0], script)
    return Partial(reader.operand(script), (variable,), reader.span(first))
