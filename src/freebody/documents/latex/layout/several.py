r"""Equations printed as one that are several: by cases, with ``\pm``, with lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from freebody.documents.latex.grammar.brackets import CASES, cells
from freebody.documents.latex.layout.rows import Equation
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Group, Item, Token, words
from freebody.documents.latex.tokens.rewriting import RELATIONS

_TABLES = CASES | {"array", "aligned", "matrix"}
_SPACES = frozenset({r"\quad", r"\qquad", ",", ";", "."})
_ELSE = frozenset({"otherwise", "else", "elsewhere", "sonst", "otherwise."})

Condition = tuple[Item, ...]
"""What is printed beside a case, without words; nothing where it is what is left."""


def branches(equation: Equation) -> Iterator[tuple[Equation, tuple[Condition, ...]]]:
    """Iterate over the cases of an equation, each with its condition and those before it.

    There are none where no side is an expression by cases alone, or where what stands beside a
    case cannot be made out.
    """
    for place, side in enumerate(equation.sides):
        rows = _rows(side)
        found = [_parted(row) for row in rows or ()]
        if len(found) > 1 and all(value and condition is not None for value, condition in found):
            conditions = [condition or () for _, condition in found]
            for number, (value, _) in enumerate(found):
                sides = (*equation.sides[:place], tuple(value), *equation.sides[place + 1 :])
                yield replace(equation, sides=sides), tuple(conditions[: number + 1])
            return


_Row = list[list[Item]]


def _rows(side: Sequence[Item]) -> list[_Row] | None:
    """Return the rows of the cases that a side is; None where it is something else."""
    sole = side[0] if len(side) == 1 else None
    if isinstance(sole, Group) and sole.text == r"\{" and len(sole.items) == 1:
        inner = sole.items[0]
        return cells(inner.items) if isinstance(inner, Group) and inner.text in _TABLES else None
    return cells(sole.items) if isinstance(sole, Group) and sole.text in CASES else None


def _parted(row: _Row) -> tuple[list[Item], Condition | None]:
    """Return the value of a case and its condition; None where that is in words."""
    row = [[item for item in cell if item.text] for cell in row]
    flat = [item for cell in row for item in cell]
    start = next((i for i, item in enumerate(flat) if _word(item)), len(flat))
    start = min(start, len(row[0]) if len(row) > 1 else start)
    value = flat[:start]
    while value and value[-1].text in _SPACES:
        value.pop()
    rest = [item for item in flat[start:] if item.text not in _SPACES]
    spoken = {_word(item).strip(".,: ").lower() for item in rest if _word(item)} - {""}
    condition = tuple(item for item in rest if not _word(item))
    if spoken <= _ELSE and spoken and not condition:
        return value, ()
    is_clear = spoken <= {"if", "for", "when", "where", "falls"}
    has_relation = any(item.text in RELATIONS for item in condition)
    return value, condition if is_clear and has_relation else None


def _word(item: Item) -> str:
    if isinstance(item, Command) and item.text in UPRIGHT:
        return "".join(part.text for part in item.arguments[0])
    return words(item) or ""


_UPPER = {r"\pm": "+", r"\mp": "-"}
_LOWER = {r"\pm": "-", r"\mp": "+"}


def both_signs(equation: Equation) -> Iterator[tuple[str, Equation]]:
    """Yield an equation as it is, or with the upper signs and with the lower ones."""
    if not any(map(_has_both, equation.sides)):
        yield "", equation
        return
    for name, signs in ((", upper", _UPPER), (", lower", _LOWER)):
        sides = tuple(_signed(side, signs) for side in equation.sides)
        yield name, replace(equation, sides=sides)


def _has_both(items: Sequence[Item]) -> bool:
    return any(item.text in _UPPER or any(map(_has_both, _rows_of(item))) for item in items)


def _rows_of(item: Item) -> tuple[tuple[Item, ...], ...]:
    if isinstance(item, Command):
        return item.arguments
    return (item.items,) if isinstance(item, Group) else ()


def _signed(items: Sequence[Item], signs: Mapping[str, str]) -> tuple[Item, ...]:
    return tuple(_with_sign(item, signs) for item in items)


def _with_sign(item: Item, signs: Mapping[str, str]) -> Item:
    if isinstance(item, Token):
        return Token(signs.get(item.text, item.text), item.start, item.stop)
    if isinstance(item, Group):
        return replace(item, items=_signed(item.items, signs))
    return replace(item, arguments=tuple(_signed(row, signs) for row in item.arguments))


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
