r"""Numbers as they are printed: ``1\,000``, ``1{,}5``, ``5.1\times 10^{-2}``, ``5.1e-2``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import factorial
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.measures import measured
from freebody.documents.latex.grammar.names import zero
from freebody.documents.latex.names import plain
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Item, LatexError, Token
from freebody.documents.latex.tree import Node, Number

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

_DIGITS = 40
_MOST_FACTORS = 20
_CROSSES = frozenset({r"\times", r"\cdot", "*"})
_EXPONENT = re.compile(r"[+-]?\d{1,2}")
_COMMAS = frozenset({",", "{,}"})


def number(reader: Reader) -> Node:
    """Read the digits that stand side by side, and pass over the unit behind them."""
    first = reader.position
    text = "".join(_pieces(reader))
    start = reader.items[first].start
    if text.count(".") > 1 or text == "." or len(text) > _DIGITS or not text.isascii():
        message = f"expected a number of at most {_DIGITS} digits, found '{text[:_DIGITS]}'"
        raise LatexError(message, start)
    exponent = _exponent(reader, first)
    if _is_digit(reader.item):
        raise reader.expected("a sign between two numbers")
    value = Fraction(text) * Fraction(10) ** exponent
    if reader.text == "!" and value.denominator == 1 and value <= _MOST_FACTORS:
        reader.position += 1
        value = Fraction(factorial(int(value)))
    node = Number(value, reader.span(first))
    return zero(reader, node) if reader.text == "_" else measured(reader, node, first)


def _pieces(reader: Reader) -> Iterator[str]:
    """Read digits, points and commas, with a space or a comma between groups of three."""
    first = reader.position
    while item := reader.item:
        if _is_digit(item) or item.text == ".":
            if reader.position > first and _is_apart(reader) and not _is_group(reader):
                return
            reader.position += 1
            yield item.text
        elif reader.position > first and item.text in _COMMAS and _follows(reader):
            yield _comma(reader, first)
        else:
            return


def _is_digit(item: Item | None) -> bool:
    return isinstance(item, Token) and item.text.isdecimal()


def _is_apart(reader: Reader) -> bool:
    """Return whether there is a space before the next item."""
    return reader.items[reader.position].start > reader.items[reader.position - 1].stop


def _run(reader: Reader, position: int) -> int:
    """Return how many digits stand side by side from a position on."""
    count = 0
    while position + count < len(reader.items) and _is_digit(reader.items[position + count]):
        apart = reader.items[position + count].start > reader.items[position + count - 1].stop
        if count and apart:
            break
        count += 1
    return count


def _is_group(reader: Reader) -> bool:
    """Return whether three digits follow, as behind the space in ``1 000``."""
    return _run(reader, reader.position) == 3


def _follows(reader: Reader) -> bool:
    """Return whether a digit follows on a comma without a space."""
    comma = reader.items[reader.position]
    following = reader.items[reader.position + 1 : reader.position + 2]
    return bool(following) and _is_digit(following[0]) and following[0].start <= comma.stop


def _comma(reader: Reader, first: int) -> str:
    """Read a comma in a number: of a decimal fraction, or between groups of three digits."""
    before = "".join(item.text for item in reader.items[first : reader.position])
    count = _run(reader, reader.position + 1)
    at, start = reader.items[reader.position], reader.items[first].start
    reader.position += 1
    if count != 3 or not before.isdecimal() or before.startswith("0") or len(before) > 3:
        return "."
    shown = reader.context.printed(start, reader.items[reader.position + 2].stop)
    told = f"'{shown}' is read as thousands", f"'{shown}' is read as a decimal fraction"
    return ("", ".")[reader.context.choose(at.start, "comma", *told)]


# ---------------------------------------------------------------------- powers of ten


def _exponent(reader: Reader, first: int) -> int:
    """Read the power of ten behind the digits of a number, if there is one."""
    found = _power_of_ten(reader) or _with_letter(reader, first)
    if found is None:
        return 0
    exponent, reader.position = found
    return exponent


def _power_of_ten(reader: Reader) -> tuple[int, int] | None:
    r"""Return the exponent of ``\times 10^{-2}`` and where it ends; the cross may be a space."""
    start = reader.position + (reader.text in _CROSSES)
    items = reader.items[start : start + 3]
    power = items[2] if len(items) == 3 else None
    if [item.text for item in items] != ["1", "0", "^"] or not isinstance(power, Command):
        return None
    exponent = plain(power.arguments[0])
    return (int(exponent), start + 3) if _EXPONENT.fullmatch(exponent) else None


def _with_letter(reader: Reader, first: int) -> tuple[int, int] | None:
    """Return the exponent of ``5.1e-2`` and where it ends."""
    mark = reader.item
    if isinstance(mark, Command) and mark.text in UPRIGHT:
        letter, inside = plain(mark.arguments[0])[:1], plain(mark.arguments[0])[1:]
    else:
        letter, inside = reader.text, ""
    if mark is None or letter not in ("e", "E"):
        return None
    stop, text = reader.position + 1, inside
    while (
        stop < len(reader.items)
        and reader.items[stop].text in "+-0123456789"
        and (not text or reader.items[stop].text.isdecimal())
    ):
        text += reader.items[stop].text
        stop += 1
    if not _EXPONENT.fullmatch(text) or not _is_exponent(reader, first, stop, letter, text):
        return None
    return int(text), stop


def _is_exponent(reader: Reader, first: int, stop: int, letter: str, text: str) -> bool:
    """Return whether digits behind an e are an exponent, where that is a declared name."""
    items = reader.items[reader.position - 1 : stop]
    touching = all(a.stop == b.start for a, b in pairwise(items))
    if isinstance(reader.item, Command):
        return True
    if reader.declared.lookup(letter) is None:
        return touching
    start = reader.items[first].start
    shown = reader.context.printed(start, items[-1].stop)
    told = f"'{shown}' is read as a number", f"'{shown}' is read as a product with '{letter}'"
    ways = told if touching and text[0] in "+-" else told[::-1]
    return ways[reader.context.choose(start, "exponent", *ways)] == told[0]
