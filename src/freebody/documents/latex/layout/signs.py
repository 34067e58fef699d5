r"""Equations with ``\pm`` and ``\mp``, which are two: with the upper signs and with the lower."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from freebody.documents.latex.layout.rows import Equation
from freebody.documents.latex.tokens.items import Command, Group, Item, Token

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
    return any(item.text in _UPPER or any(map(_has_both, _parts(item))) for item in items)


def _parts(item: Item) -> tuple[tuple[Item, ...], ...]:
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
