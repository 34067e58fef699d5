r"""Sums and products over an index, ``\sum_{i=1}^{3} m_i``, written out."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product, takewhile
from typing import TYPE_CHECKING

from freebody.documents.latex.layout.indices import substitute
from freebody.documents.latex.spellings import plain
from freebody.documents.latex.tokens.items import Command, Item, LatexError, Token
from freebody.documents.latex.tree import Add, Multiply, Node, Number, Term

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

SIGNS = {r"\sum": "sum", r"\prod": "product"}
_NUMBER = r"-?\d{1,3}(?:[+-]\d{1,3})?"
_LOWER = re.compile(rf"([A-Za-z](?:,[A-Za-z])*)=({_NUMBER})")
_UPPER = re.compile(_NUMBER)
_PART = re.compile(r"[+-]?\d+")


def series(reader: Reader, sign: Token) -> Node | None:
    """Read a sum or a product over an index; None where the sign is part of a name."""
    first = reader.position
    given = scripts(reader, first)
    if not given:
        return None
    reader.position += 1 + len(given)
    letters, values = _bounds(sign, given)
    begin = reader.position
    rest = list(takewhile(lambda item: item.text not in ("+", "-"), reader.items[begin:]))
    if not rest:
        raise reader.expected(f"what the {SIGNS[sign.text]} is of")
    reader.position += len(rest)
    span = reader.span(first)
    reader.context.spend(len(values) ** len(letters), span)
    nodes = tuple(
        reader.below(_valued(rest, letters, chosen), span).whole()
        for chosen in product(values, repeat=len(letters))
    )
    if sign.text == r"\sum":
        terms = tuple(Term(1, node, span) for node in nodes)
        return Add(terms, span) if terms else Number(Fraction(0), span)
    return Multiply(nodes, span) if nodes else Number(Fraction(1), span)


def scripts(reader: Reader, position: int) -> dict[str, Command]:
    """Return the scripts that stand behind an item, by their marks."""
    found: dict[str, Command] = {}
    for item in reader.items[position + 1 : position + 3]:
        if not isinstance(item, Command) or item.text not in ("_", "^") or item.text in found:
            break
        found[item.text] = item
    return found


def _bounds(sign: Token, scripts: dict[str, Command]) -> tuple[str, range]:
    """Return the letters of a sum and their values."""
    lower, upper = (
        re.sub("[{}()]", "", plain(scripts[mark].arguments[0])) if mark in scripts else ""
        for mark in ("_", "^")
    )
    start, stop = _LOWER.fullmatch(lower), _UPPER.fullmatch(upper)
    if start and stop:
        return start[1].replace(",", ""), range(_number(start[2]), _number(stop[0]) + 1)
    shown = f"_{{{lower}}}" + (f"^{{{upper}}}" if upper else "")
    raise LatexError(
        f"a {SIGNS[sign.text]} is read between numbers, such as '{sign.text}_{{i=1}}^{{3}}', "
        f"found '{sign.text}{shown}'",
        sign.start,
    )


def _number(text: str) -> int:
    """Return a number, or the sum of two: where an index of another sum stood, ``n-1``."""
    return sum(map(int, _PART.findall(text)))


def _valued(items: list[Item], letters: str, values: tuple[int, ...]) -> tuple[Item, ...]:
    valued = tuple(items)
    for letter, value in zip(letters, values, strict=True):
        valued = substitute(valued, letter, value, bare=True)
    return valued
