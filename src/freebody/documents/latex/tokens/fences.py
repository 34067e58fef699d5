r"""Brackets that are broken over lines.

TeX wants a ``\left`` and a ``\right`` on each line, so that a bracket which goes on is ended by
``\right.`` and taken up by ``\left.``. Both print nothing: what is printed is one bracket.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from freebody.documents.latex.tokens.items import Group, Item, Lexed, Token
from freebody.documents.latex.tokens.rewriting import RELATIONS, SAME

OPERATORS = frozenset({"+", "-", r"\cdot", r"\times", "*", "/", r"\pm", r"\mp"})
"""Signs that one line may end with, or the next begin with."""

SPACES = frozenset({"&", r"\quad", r"\qquad"})
"""Where lines are aligned, and wide spaces."""

BREAK = r"\\"
BROKEN = frozenset({"(", "[", r"\{", "|", r"\|"})
"""Brackets that may go on in the next line."""

_CLOSING = {"(": ")", "[": "]", r"\{": r"\}"}
_CLOSED = frozenset(_CLOSING.values())
_LAYOUT = frozenset({"aligned", "alignedat", "gathered", "split", "multlined"})


def joined_fences(tokens: Sequence[Lexed]) -> list[Lexed]:
    r"""Return tokens without the invisible fences between which a printed bracket goes on.

    What an invisible fence ends for good stays: ``\left\{ ... \right.`` around cases, and
    ``\left. ... \right|``.
    """
    fences = dict(_fences(tokens))
    if "." not in (_mark(tokens[place]) for place in fences):
        return list(tokens)
    printed = [pair for pair in _brackets(tokens) if _is_broken(pair, fences)]
    inner = {place for first, last in printed for place in range(first, last + 1)}
    dropped = {place for place in fences if place in inner and _mark(tokens[place]) == "."}
    dropped = {place for place in dropped if _continues(place, fences, tokens, printed)}
    plain = set(chain.from_iterable(printed))
    return [
        (kind, Token(_mark((kind, token)), token.start, token.stop))
        if place in plain
        else (kind, token)
        for place, (kind, token) in enumerate(tokens)
        if place not in dropped
    ]


def _mark(lexed: Lexed) -> str:
    """Return the bracket that a token prints; ``"."`` where it is an invisible one."""
    kind, token = lexed
    text = token.text
    if kind == "fence":
        text = text.removeprefix(r"\left").removeprefix(r"\right").strip()
    return SAME.get(text, text)


def _fences(tokens: Sequence[Lexed]) -> Iterator[tuple[int, int]]:
    r"""Yield the places of each ``\left`` and its ``\right``, and the other way round."""
    opened: list[int] = []
    for place, (kind, token) in enumerate(tokens):
        if kind == "fence" and token.text.startswith(r"\left"):
            opened.append(place)
        elif kind == "fence" and opened:
            left = opened.pop()
            yield left, place
            yield place, left


def _brackets(tokens: Sequence[Lexed]) -> Iterator[tuple[int, int]]:
    """Yield where printed brackets open and close that stand in the same braces."""
    levels: list[list[int]] = [[]]
    for place, (kind, token) in enumerate(tokens):
        mark = _mark((kind, token))
        if token.text == "{" or token.text.startswith(r"\begin"):
            levels.append([])
        elif token.text == "}" or token.text.startswith(r"\end"):
            del levels[max(len(levels) - 1, 1) :]
        elif mark in _CLOSING:
            levels[-1].append(place)
        elif mark in _CLOSED:
            opened = levels[-1]
            while (
                opened
                and _CLOSING[_mark(tokens[opened[-1]])] != mark
                and _mark(tokens[opened[-1]]) == r"\{"
            ):
                opened.pop()
            if opened and _CLOSING[_mark(tokens[opened[-1]])] == mark:
                yield opened.pop(), place


def _is_broken(pair: tuple[int, int], fences: dict[int, int]) -> bool:
    """Return whether the fences of a bracket are not each other's."""
    first, last = pair
    return fences.get(first, last) != last or fences.get(last, first) != first


def _continues(
    place: int,
    fences: dict[int, int],
    tokens: Sequence[Lexed],
    printed: Sequence[tuple[int, int]],
) -> bool:
    """Return whether the other fence of an invisible one is invisible, or part of a bracket."""
    other = fences[place]
    return _mark(tokens[other]) == "." or any(other in pair for pair in printed)


def unbroken(items: Sequence[Item]) -> list[Item]:
    r"""Return what stands in a bracket on one line; a sign repeated across the break means one."""
    rows: list[list[Item]] = [[]]
    for item in _laid_out(items):
        if item.text == BREAK:
            rows.append([])
        elif item.text != "&":
            rows[-1].append(item)
    line: list[Item] = []
    for row in map(_trimmed, rows):
        repeated = line and row and line[-1].text == row[0].text and row[0].text in OPERATORS
        line += row[1:] if repeated else row
    return line


def _laid_out(items: Sequence[Item]) -> Iterator[Item]:
    """Replace an environment that only breaks lines by its lines."""
    for item in items:
        if isinstance(item, Group) and item.text in _LAYOUT and not relates(item.items):
            yield Token(BREAK, item.start, item.start)
            yield from item.items
            yield Token(BREAK, item.stop, item.stop)
        else:
            yield item


def _trimmed(row: list[Item]) -> list[Item]:
    """Leave out the wide spaces that a line begins and ends with."""
    while row and row[0].text in SPACES:
        row = row[1:]
    while row and row[-1].text in SPACES:
        row = row[:-1]
    return row


def relates(items: Sequence[Item]) -> bool:
    """Return whether a relation stands among items, and not inside of one."""
    return any(item.text in RELATIONS for item in items if isinstance(item, Token))


def is_broken(items: Sequence[Item]) -> bool:
    """Return whether a bracket holds nothing but one expression on several lines."""
    texts = {item.text for item in items}
    if texts & RELATIONS:
        return False
    return not texts.isdisjoint({BREAK, "&"}) or any(
        isinstance(item, Group) and item.text in _LAYOUT and not relates(item.items)
        for item in items
    )
