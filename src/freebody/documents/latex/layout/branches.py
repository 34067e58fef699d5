r"""Expressions by cases as one equation for each, with the condition under which it is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freebody.documents.latex.grammar.brackets import CASES, cells
from freebody.documents.latex.layout.rows import Equation
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Group, Item, words
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
