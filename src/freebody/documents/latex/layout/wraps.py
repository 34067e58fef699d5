r"""Equations that stand whole in something: a font, brackets, words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from freebody.documents.latex.tokens.fences import BREAK, BROKEN, SPACES, relates
from freebody.documents.latex.tokens.items import FONTS, Command, Group, Item, Token, words
from freebody.documents.latex.tokens.rewriting import styled
from freebody.documents.latex.tokens.tokens import parse

_AROUND = FONTS | {r"\underline", r"\overline"}
_LABELS = (r"\tag", r"\label", r"\eqno", r"\leqno")
_STOPS = frozenset({".", ",", ";"}) | SPACES
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_RELATION = re.compile(r"=|<|>|\\approx|\\simeq|\\equiv")


def is_in_font(items: Sequence[Item]) -> bool:
    """Return whether an equation stands in a font with both its sides."""
    return any(
        _is_around(item) or (isinstance(item, Group) and is_in_font(item.items)) for item in items
    )


def unwrapped(items: Sequence[Item], *, in_font: bool) -> list[Item]:
    """Return a display with the equations that stand whole in something.

    Parameters
    ----------
    items : sequence of Item
    in_font : bool
        Whether a font around an equation belongs to its letters.
    """
    inside = [part for item in items for part in _opened(item, in_font=in_font)]
    rows = groupby(inside, key=lambda item: item.text == BREAK)
    return [
        item
        for is_break, row in rows
        for item in (row if is_break else _row([*row], in_font=in_font))
    ]


def _opened(item: Item, *, in_font: bool) -> Iterator[Item]:
    """Yield what stands in a font around an equation, or the item itself."""
    if isinstance(item, Command) and _is_around(item):
        is_styled = in_font and item.text in FONTS
        parts = [styled(item.text, part) if is_styled else part for part in item.arguments[0]]
        yield from unwrapped(parts, in_font=in_font)
    elif isinstance(item, Group) and item.text not in BROKEN:
        yield replace(item, items=tuple(unwrapped(item.items, in_font=in_font)))
    else:
        yield item


def _is_around(item: Item) -> bool:
    return isinstance(item, Command) and item.text in _AROUND and _equates(item.arguments[0])


def _equates(items: Sequence[Item]) -> bool:
    """Return whether a relation stands among items, or in what all of them stand in."""
    return relates(items) or _sole(items) is not None


def _sole(items: Sequence[Item]) -> Item | None:
    """Return the item that is all that is printed, where an equation stands whole in it."""
    printed = [item for item in items if not item.text.startswith(_LABELS)]
    printed = [item for item in printed if item.text not in _STOPS]
    sole = printed[0] if len(printed) == 1 else None
    if isinstance(sole, Group):
        return sole if sole.text in BROKEN and _equates(sole.items) else None
    if isinstance(sole, Token):
        return sole if is_equation_in_words(sole) else None
    return sole if sole is not None and _is_around(sole) else None


def _row(row: list[Item], *, in_font: bool) -> list[Item]:
    """Take an equation out of the brackets or the words that are all of its row."""
    sole = _sole(row)
    if isinstance(sole, Group):
        inside = unwrapped(sole.items, in_font=in_font)
    elif isinstance(sole, Token):
        inside = _text_items(sole)
    else:
        return row
    at = next(place for place, item in enumerate(row) if item is sole)
    return [*row[:at], *inside, *row[at + 1 :]]


def is_equation_in_words(token: Token) -> bool:
    r"""Return whether upright words are an equation: ``\text{a = 2 b}``."""
    said = words(token) or ""
    is_plain = not token.text.startswith(_LABELS) and not _WORD.search(said)
    return is_plain and _RELATION.search(said) is not None


def _text_items(token: Token) -> list[Item]:
    first = token.text.index("{") + 1
    text = token.text.replace("$", " ")
    is_printed = len(text) == token.stop - token.start
    items = parse(text, first, len(text) - 1)
    if is_printed:
        return [
            _placed(item, lambda one: (token.start + one.start, token.start + one.stop))
            for item in items
        ]
    return [_placed(item, lambda _: (token.start, token.stop)) for item in items]


def _placed(item: Item, place: Callable[[Item], tuple[int, int]]) -> Item:
    """Return an item at another place of the page."""
    start, stop = place(item)
    if isinstance(item, Token):
        return replace(item, start=start, stop=stop)
    if isinstance(item, Group):
        inside = tuple(_placed(one, place) for one in item.items)
        return replace(item, items=inside, start=start, stop=stop)
    arguments = tuple(tuple(_placed(one, place) for one in row) for row in item.arguments)
    return replace(item, arguments=arguments, start=start, stop=stop)
