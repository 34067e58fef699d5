r"""Equations with a list for an index, ``F_{1,2} = u_{1,2}\cos\theta``, which are as many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from freebody.documents.latex.layout.rows import Equation
from freebody.documents.latex.layout.signs import both_signs
from freebody.documents.latex.tokens.items import Command, Group, Item, Token

_MOST = 9  # numbers in a list
_Values = tuple[str, ...]


def listed(equation: Equation) -> list[tuple[str, Equation]]:
    r"""Return an equation for each number of the one list that all its list indices are.

    Of ``\pm`` the upper sign is that of the first of two, the lower that of the second.
    """
    lists = {one for side in equation.sides for one in _lists(side)}
    signed = [one for _, one in both_signs(equation)]
    if len(lists) != 1:
        return []
    (values,) = lists
    if len(signed) not in (1, len(values)):
        return []
    chosen = signed if len(signed) > 1 else signed * len(values)
    return [
        (f", index {value}", _valued(one, values, value))
        for value, one in zip(values, chosen, strict=True)
    ]


def _lists(items: tuple[Item, ...]) -> Iterator[_Values]:
    for item in items:
        if isinstance(item, Group):
            yield from _lists(item.items)
        elif isinstance(item, Command) and item.text == "_":
            found = _list(item.arguments[0])
            yield from [found] if found else []
        elif isinstance(item, Command):
            for row in item.arguments:
                yield from _lists(row)


def _list(items: tuple[Item, ...]) -> _Values | None:
    """Return the numbers between commas that a subscript consists of."""
    texts = [item.text for item in items]
    numbers = texts[::2]
    is_list = len(texts) % 2 == 1 and 1 < len(numbers) <= _MOST and set(texts[1::2]) == {","}
    return tuple(numbers) if is_list and all(map(str.isdecimal, numbers)) else None


def _valued(equation: Equation, values: _Values, value: str) -> Equation:
    sides = tuple(_with(side, values, value) for side in equation.sides)
    return replace(equation, sides=sides)


def _with(items: tuple[Item, ...], values: _Values, value: str) -> tuple[Item, ...]:
    return tuple(_one(item, values, value) for item in items)


def _one(item: Item, values: _Values, value: str) -> Item:
    if isinstance(item, Token):
        return item
    if isinstance(item, Group):
        return replace(item, items=_with(item.items, values, value))
    if item.text == "_" and _list(item.arguments[0]) == values:
        first, last = item.arguments[0][0], item.arguments[0][-1]
        return replace(item, arguments=((Token(value, first.start, last.stop),),))
    return replace(item, arguments=tuple(_with(row, values, value) for row in item.arguments))
