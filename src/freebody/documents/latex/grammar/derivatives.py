r"""Fractions that are derivatives: ``\frac{d^2 x}{dt^2}``, ``\frac{\partial f}{\partial x}``.

A fraction is a derivative when its numerator starts with d or a partial d and its denominator is
made of as many differentials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from freebody.documents.latex.names import plain
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Item

MARKS = frozenset({"d", r"\partial"})
_ORDERS = {str(order): order for order in range(1, 10)}


@dataclass(frozen=True, slots=True)
class Derivative:
    """A derivative as items: of what, and by what, each variable as often as it is named."""

    mark: str
    operand: Sequence[Item]
    variables: tuple[Sequence[Item], ...]

    @property
    def is_total(self) -> bool:
        """Whether it is a derivative by time alone."""
        return self.mark == "d" and all(plain(variable) == "t" for variable in self.variables)


def derivative(numerator: Sequence[Item], denominator: Sequence[Item]) -> Derivative | None:
    """Return the derivative that a fraction is, or None."""
    numerator, denominator = _letters(numerator), _letters(denominator)
    if not _is_mark(numerator, 0) or not _is_mark(denominator, 0):
        return None
    mark = plain(numerator[:1])
    order = _order(numerator[1]) if len(numerator) > 1 else 0
    operand = numerator[2:] if order else numerator[1:]
    variables = _variables(denominator, mark)
    return Derivative(mark, operand, variables) if len(variables) == (order or 1) else None


def _letters(items: Sequence[Item]) -> Sequence[Item]:
    r"""Take differentials out of upright words, as ``\mathrm{dt}``."""
    found: list[Item] = []
    for item in items:
        is_word = isinstance(item, Command) and item.text in UPRIGHT
        inside = item.arguments[0] if isinstance(item, Command) and is_word else ()
        is_mark = len(inside) > 1 and inside[0].text in MARKS
        found += inside if is_mark else (item,)
    return found


def _variables(denominator: Sequence[Item], mark: str) -> tuple[Sequence[Item], ...]:
    starts = [i for i in range(len(denominator)) if _is_mark(denominator, i, mark)]
    variables: list[Sequence[Item]] = []
    for start, stop in pairwise([*starts, len(denominator)]):
        variable = denominator[start + 1 : stop]
        order = _order(variable[-1]) if variable else 0
        variables += [variable[:-1] if order else variable] * (order or 1)
    return tuple(variables) if all(variables) else ()


def _is_mark(items: Sequence[Item], position: int, mark: str | None = None) -> bool:
    found = plain(items[position : position + 1])
    is_subscripted = [item.text for item in items[position + 1 : position + 2]] == ["_"]
    return found in ({mark} if mark else MARKS) and not is_subscripted


def _order(item: Item) -> int:
    if not isinstance(item, Command) or item.text != "^":
        return 0
    return _ORDERS.get(plain(item.arguments[0]), 0)
