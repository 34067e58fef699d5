r"""Numbers as they are printed: ``1\,000``, ``1{,}5``, ``9.81\ \mathrm{m/s^2}``, ``90^\circ``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from freebody.documents.latex.names import spellings
from freebody.documents.latex.tokens.items import Group, Item, LatexError, Token
from freebody.documents.latex.tree import Node, Number
from freebody.documents.latex.units import is_unit

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.choices import Context
    from freebody.documents.latex.grammar.parser import Reader

_DIGITS = 40
_SIGNS = frozenset({"+", "-", r"\cdot", r"\times", "*", "/"})
_JOINING = frozenset({"^", "/", r"\cdot", ".", "*"})
_COMMAS = frozenset({",", "{,}"})


def number(reader: Reader) -> Node:
    """Read the digits that stand side by side, and pass over the unit behind them."""
    first = reader.position
    text = "".join(_pieces(reader))
    start = reader.items[first].start
    if text.count(".") > 1 or text == "." or len(text) > _DIGITS or not text.isascii():
        message = f"expected a number of at most {_DIGITS} digits, found '{text[:_DIGITS]}'"
        raise LatexError(message, start)
    if _is_digit(reader.item):
        raise reader.expected("a sign between two numbers")
    node = Number(Fraction(text), reader.span(first))
    _pass_over_unit(reader, first)
    return node


def _pieces(reader: Reader) -> Iterator[str]:
    """Read digits, points and commas, with a space or a comma between groups of three."""
    first = reader.position
    while item := reader.item:
        if _is_digit(item) or item.text == ".":
            if reader.position > first and _is_apart(reader) and not _is_group(reader):
                return
            reader.position += 1
            yield item.text
        elif reader.position > first and item.text in _COMMAS and _follows(reader):
            yield _comma(reader, first)
        else:
            return


def _is_digit(item: Item | None) -> bool:
    return isinstance(item, Token) and item.text.isdecimal()


def _is_apart(reader: Reader) -> bool:
    """Return whether there is a space before the next item."""
    return reader.items[reader.position].start > reader.items[reader.position - 1].stop


def _run(reader: Reader, position: int) -> int:
    """Return how many digits stand side by side from a position on."""
    count = 0
    while position + count < len(reader.items) and _is_digit(reader.items[position + count]):
        apart = reader.items[position + count].start > reader.items[position + count - 1].stop
        if count and apart:
            break
        count += 1
    return count


def _is_group(reader: Reader) -> bool:
    """Return whether three digits follow, as behind the space in ``1 000``."""
    return _run(reader, reader.position) == 3


def _follows(reader: Reader) -> bool:
    """Return whether a digit follows on a comma without a space."""
    comma = reader.items[reader.position]
    following = reader.items[reader.position + 1 : reader.position + 2]
    return bool(following) and _is_digit(following[0]) and following[0].start <= comma.stop


def _comma(reader: Reader, first: int) -> str:
    """Read a comma in a number: of a decimal fraction, or between groups of three digits."""
    before = "".join(item.text for item in reader.items[first : reader.position])
    count = _run(reader, reader.position + 1)
    at, start = reader.items[reader.position], reader.items[first].start
    reader.position += 1
    if count != 3 or not before.isdecimal() or before.startswith("0") or len(before) > 3:
        return "."
    shown = reader.context.printed(start, reader.items[reader.position + 2].stop)
    told = f"'{shown}' is read as thousands", f"'{shown}' is read as a decimal fraction"
    return ("", ".")[reader.context.choose(at.start, "comma", *told)]


def _pass_over_unit(reader: Reader, first: int) -> None:
    """Pass over the unit behind a number, which is told."""
    behind = reader.position
    while (item := reader.item) and _is_unit(reader, item):
        reader.position += 1
        while reader.position > behind and reader.text in ("^", "/") and _goes_on(reader):
            reader.position += 1
    if reader.position > behind:
        start, stop = reader.items[behind].start, reader.items[reader.position - 1].stop
        unit = reader.context.printed(start, stop)
        shown = reader.context.printed(reader.items[first].start, reader.items[behind - 1].stop)
        reader.context.told.append(f"the unit '{unit}' behind '{shown}' is passed over")


def without_unit(items: Sequence[Item], context: Context) -> Sequence[Item]:
    r"""Leave out a unit in brackets at the end, ``E = T + V \;[\mathrm{J}]``, and tell it."""
    if len(items) < 2 or items[-2].text in _SIGNS or not _encloses_unit(items[-1], context):
        return items
    shown = context.printed(items[-1].start, items[-1].stop)
    context.told.append(f"the unit '{shown}' is passed over")
    return items[:-1]


def _encloses_unit(item: Item, context: Context) -> bool:
    if not isinstance(item, Group) or item.text != "[":
        return False
    parts = [part for part in item.items if part.text not in _JOINING]
    return bool(parts) and all(is_unit(part) and not _is_name(part, context) for part in parts)


def _goes_on(reader: Reader) -> bool:
    """Return whether a power or a quotient belongs to the unit before it."""
    following = reader.items[reader.position + 1 : reader.position + 2]
    return reader.text == "^" or (bool(following) and _is_unit(reader, following[0]))


def _is_unit(reader: Reader, item: Item) -> bool:
    """Return whether an item is a unit, and not a name."""
    return is_unit(item) and not _is_name(item, reader.context)


def _is_name(item: Item, context: Context) -> bool:
    return context.declared.declares(spellings([item], 0))
