"""Numbers in place of the letters of indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from freebody.documents.latex.tokens.items import DOTS, STYLES, Group, Item, Token

_ACCENTS = STYLES | DOTS.keys()
_SIGNS = {"+": 1, "-": -1}


def substitute(
    items: Sequence[Item], letter: str, value: int, *, bare: bool = False
) -> tuple[Item, ...]:
    """Put a value in place of an index; places on the page stay.

    Parameters
    ----------
    items : sequence of Item
        What is printed.
    letter : str
        The index.
    value : int
        What it stands for.
    bare : bool, optional
        Whether the letter stands for the number outside of subscripts too, as in ``(-1)^i``.
    """
    sole = len(items) == 1
    return tuple(_substituted(item, letter, value, bare, sole) for item in items)


def uses(items: Sequence[Item], letter: str, *, bare: bool = False) -> bool:
    """Return whether an index stands in a row of items."""
    return substitute(items, letter, 0, bare=bare) != tuple(items)


def _substituted(item: Item, letter: str, value: int, bare: bool, sole: bool) -> Item:
    if isinstance(item, Token):
        return _number(item, value, sole) if bare and item.text == letter else item
    if isinstance(item, Group):
        return replace(item, items=substitute(item.items, letter, value, bare=bare))
    if item.text == "_":
        return replace(item, arguments=(_subscript(item.arguments[0], letter, value),))
    inside = bare and item.text not in _ACCENTS
    arguments = tuple(substitute(row, letter, value, bare=inside) for row in item.arguments)
    return replace(item, arguments=arguments)


def _number(item: Item, value: int, sole: bool) -> Item:
    """Return a number; in braces where it stands beside something."""
    digits = Token(str(abs(value)), item.start, item.stop)
    inside = (Token("-", item.start, item.start), digits) if value < 0 else (digits,)
    alone = sole and value >= 0
    return digits if alone else Group("{", inside, item.start, item.stop)


def _subscript(items: Sequence[Item], letter: str, value: int) -> tuple[Item, ...]:
    """Return a subscript with the value put in and worked out, such as ``i+1``."""
    inside = substitute(items, letter, value)
    valued = tuple(
        Token(str(value), item.start, item.stop)
        if isinstance(item, Token) and item.text == letter
        else item
        for item in inside
    )
    return valued if valued == tuple(items) else _worked_out(valued)


def _worked_out(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Add up the numbers between commas."""
    commas = [i for i, item in enumerate(items) if item.text == ","]
    worked: list[Item] = []
    for first, last in pairwise([-1, *commas, len(items)]):
        worked += items[first : first + 1] if first >= 0 else ()
        worked += _total(items[first + 1 : last])
    return tuple(worked)


def _total(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the value of numbers with signs between as one number, anything else as it is."""
    text = [item.text for item in items]
    if not set(text) & _SIGNS.keys() or not _alternate(text):
        return items
    total = int(text[0])
    for sign, number in zip(text[1::2], text[2::2], strict=True):
        total += _SIGNS[sign] * int(number)
    return (Token(str(total), items[0].start, items[-1].stop),)


def _alternate(text: list[str]) -> bool:
    """Return whether numbers and signs follow each other, numbers at both ends."""
    if len(text) % 2 == 0:
        return False
    numbers = all(part.isascii() and part.isdigit() and len(part) < 5 for part in text[::2])
    return numbers and all(part in _SIGNS for part in text[1::2])
