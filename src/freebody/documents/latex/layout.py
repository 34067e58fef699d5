r"""How equations are laid out in a display: rows, continued rows, chains and remarks.

An environment is layout when its cells hold a relation, and a matrix when it stands in brackets
without one. A row without a relation, or that starts with one, continues the row above; a sign or
``=`` repeated across the break means one. Commas, wide spaces and arrows separate equations only
after a complete relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from freebody.documents.latex.names import plain
from freebody.documents.latex.tokens import Command, Group, Item, Token, words

_RELATIONS = frozenset(
    {"=", "<", ">", r"\le", r"\leq", r"\ge", r"\geq", r"\ne", r"\neq", r"\approx", r"\simeq"}
    | {r"\equiv", r"\propto", r"\sim", r"\coloneqq", r"\triangleq", r"\doteq"}
)
_ALIGNED = frozenset(
    {"equation", "align", "gather", "eqnarray", "multline", "flalign", "alignat", "displaymath"}
    | {"split", "aligned", "gathered", "alignedat"}
)
_TABLES = frozenset({"array", "matrix"})
_OPERATORS = frozenset({"+", "-", r"\cdot", r"\times", "*", "/"})
_WIDE = frozenset({r"\quad", r"\qquad", "&"})
_STOPS = frozenset({",", ";", r"\to", r"\rightarrow", r"\Rightarrow", r"\longrightarrow"}) | {
    *(r"\Longrightarrow", r"\Leftrightarrow", r"\implies", r"\iff", r"\therefore"),
}
_DOTS = r",?(?:\.\.\.|\\(?:dots|ldots|cdots)),?"
_LONGEST_RANGE = 40  # items
_RANGE = re.compile(rf"([i-n])=(\d{{1,2}})(?:{_DOTS}|,(?:\d{{1,2}},)*)(\d{{1,2}})\.?")


@dataclass(frozen=True, slots=True)
class Equation:
    """One equation or a chain of them: its sides, the relations between, and what it is called."""

    sides: tuple[tuple[Item, ...], ...]
    relations: tuple[Token, ...]
    tag: str | None
    remarks: tuple[tuple[Item, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class FreeIndex:
    """A letter that stands for several values: ``i = 1...3``."""

    letter: str
    values: range


@dataclass(slots=True)
class Layout:
    """What a display is made of; `tag` is its own label, where its equations share one."""

    equations: list[Equation] = field(default_factory=list)
    indices: list[FreeIndex] = field(default_factory=list)
    tag: str | None = None

    def add(self, segment: Sequence[Item], tag: str | None) -> None:
        """Take a stretch of a row as an equation, the values of an index, or a remark."""
        if index := _free_index(segment):
            self.indices.append(index)
        elif _has_relation(segment):
            self.equations.append(_equation(segment, tag))
        elif segment and self.equations:
            last = self.equations[-1]
            self.equations[-1] = replace(last, remarks=(*last.remarks, tuple(segment)))


def lay_out(items: Sequence[Item]) -> Layout:
    """Take a display apart into its equations."""
    rows = list(_rows(_flat(items)))
    tags = [row.tag for row in rows if row.tag]
    layout = Layout(tag=tags[0] if len(tags) == 1 else None)
    for row in _joined(rows):
        for segment in _segments(row.items):
            layout.add(segment, row.tag if len(tags) > 1 else None)
    return layout


def substitute(items: Sequence[Item], letter: str, value: int) -> tuple[Item, ...]:
    """Put a value in place of an index in all subscripts; places on the page stay."""
    return tuple(_substitute(item, letter, value) for item in items)


def uses(items: Sequence[Item], letter: str) -> bool:
    """Return whether an index stands in a subscript."""
    return substitute(items, letter, 0) != tuple(items)


def _substitute(item: Item, letter: str, value: int) -> Item:
    if isinstance(item, Group):
        return replace(item, items=substitute(item.items, letter, value))
    if not isinstance(item, Command):
        return item
    arguments = tuple(substitute(argument, letter, value) for argument in item.arguments)
    if item.text == "_":
        arguments = (tuple(_valued(part, letter, value) for part in arguments[0]),)
    return replace(item, arguments=arguments)


def _valued(item: Item, letter: str, value: int) -> Item:
    is_index = isinstance(item, Token) and item.text == letter
    return Token(str(value), item.start, item.stop) if is_index else item


@dataclass(slots=True)
class _Row:
    items: list[Item] = field(default_factory=list)
    tag: str | None = None


def _flat(items: Sequence[Item]) -> Iterator[Item]:
    """Replace layout by its rows."""
    for item in items:
        if isinstance(item, Group) and _is_layout(item):
            yield Token(r"\\", item.start, item.start)
            yield from _flat(item.items)
            yield Token(r"\\", item.stop, item.stop)
        else:
            yield item


def _is_layout(group: Group) -> bool:
    if group.text in _ALIGNED:
        return True
    inner = group.items[0] if len(group.items) == 1 else None
    if group.text == r"\{" and isinstance(inner, Group):
        return _is_layout(inner)
    return group.text in _TABLES and _has_relation(group.items)


def _has_relation(items: Sequence[Item]) -> bool:
    return any(item.text in _RELATIONS for item in items if isinstance(item, Token))


def _is_complete(items: Sequence[Item]) -> bool:
    return _has_relation(items) and items[-1].text not in _RELATIONS | _OPERATORS


def _rows(items: Iterator[Item]) -> Iterator[_Row]:
    row = _Row()
    for item in items:
        label = words(item) if item.text.startswith((r"\tag", r"\label")) else None
        if item.text == r"\\":
            yield row
            row = _Row()
        elif label is None:
            row.items.append(item)
        elif label.strip() and (row.tag is None or item.text.startswith(r"\tag")):
            row.tag = label.strip()
    yield row


def _joined(rows: Sequence[_Row]) -> list[_Row]:
    """Join the rows that continue the row above."""
    joined: list[_Row] = []
    for row in rows:
        printed = [item for item in row.items if item.text not in _WIDE]
        if not printed:
            continue
        if joined and _continues(joined[-1].items, printed):
            repeated = joined[-1].items[-1].text == printed[0].text
            is_sign = printed[0].text in _RELATIONS | _OPERATORS
            joined[-1].items += printed[1:] if repeated and is_sign else row.items
            joined[-1].tag = joined[-1].tag or row.tag
        else:
            joined.append(row)
    return joined


def _continues(above: Sequence[Item], printed: Sequence[Item]) -> bool:
    starts = printed[0].text in _RELATIONS
    return starts or not _has_relation(printed) or not _has_relation(above)


def _segments(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Cut a row where a complete relation ends."""
    segment: list[Item] = []
    for position, item in enumerate(items):
        if not segment and _free_index(rest := items[position : position + _LONGEST_RANGE]):
            yield list(rest)
            return
        if _may_cut(item) and _is_complete(segment) and _cuts(item, items[position + 1 :]):
            yield _without_stop(segment)
            segment = [item] if _is_text(item) else []
        elif item.text not in _WIDE and (segment or item.text not in _STOPS):
            segment.append(item)
    if segment:
        yield _without_stop(segment)


def _may_cut(item: Item) -> bool:
    return item.text in _WIDE or item.text in _STOPS or _is_text(item)


def _cuts(item: Item, following: Sequence[Item]) -> bool:
    """Return whether an item ends the equation before it.

    A wide space does so only before another relation, words or a number in parentheses: a factor
    or a term may stand after it just as well.
    """
    if item.text not in _WIDE:
        return True
    upcoming = list(takewhile(lambda after: after.text not in _STOPS | _WIDE, following))
    if not upcoming or upcoming[0].text in _RELATIONS | _OPERATORS:
        return False
    return _is_text(upcoming[0]) or _is_numbered(upcoming) or _relates(following)


def _is_numbered(upcoming: Sequence[Item]) -> bool:
    group = upcoming[0]
    if len(upcoming) > 1 or not isinstance(group, Group) or group.text != "(":
        return False
    return all(item.text.isdecimal() for item in group.items)


def _relates(following: Sequence[Item]) -> bool:
    """Return whether another relation comes before the next stop."""
    return _has_relation(list(takewhile(lambda after: after.text not in _STOPS, following)))


def _is_text(item: Item) -> bool:
    return any(character.isspace() for character in words(item) or "")


def _without_stop(segment: list[Item]) -> list[Item]:
    while segment and segment[-1].text in (".", ",", ";"):
        segment.pop()
    return segment


def _equation(segment: Sequence[Item], tag: str | None) -> Equation:
    remarks = tuple((item,) for item in takewhile(_is_text, segment))
    sides: list[list[Item]] = [[]]
    relations: list[Token] = []
    for item in segment[len(remarks) :]:
        if isinstance(item, Token) and item.text in _RELATIONS:
            relations.append(item)
            sides.append([])
        else:
            sides[-1].append(item)
    return Equation(tuple(map(tuple, sides)), tuple(relations), tag, remarks)


def _free_index(items: Sequence[Item]) -> FreeIndex | None:
    if [item.text for item in items[1:2]] != ["="] or len(items) == _LONGEST_RANGE:
        return None
    match = _RANGE.fullmatch(plain(items))
    values = range(int(match[2]), int(match[3]) + 1) if match else range(0)
    return FreeIndex(match[1], values) if match and values else None
