r"""Numbers and the units behind them: ``80\,\mathrm{kg}``, ``\frac{1}{2}``, ``1{,}5``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import factorial
from typing import TYPE_CHECKING

from freebody.algebra.units import KG, NUMBER
from freebody.documents.latex.grammar.names import zero
from freebody.documents.latex.spellings import plain, spellings
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Group, Item, LatexError, Token
from freebody.documents.latex.tree import Call, Multiply, Node, Number, Power, Span
from freebody.documents.latex.units import Unit, unit

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.context import Context
    from freebody.documents.latex.grammar.parser import Reader

_DIGITS = 40
_MOST_FACTORS = 20
_CROSSES = frozenset({r"\times", r"\cdot", "*"})
_EXPONENT = re.compile(r"[+-]?\d{1,2}")
_DECIMAL_COMMA = re.compile(
    r"\\(?:SI|num|qty)\s*\{\s*[-+]?\d+,\d|\d\{,\}\d{1,2}(?!\d)|\d\{,\}\d{4}"
)
"""Numbers with a comma that is none of thousands: of siunitx, or before other than three digits."""
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
    if _has_decimal_commas(reader.context.text):
        return "."
    shown = reader.context.printed(start, reader.items[reader.position + 2].stop)
    readings = f"'{shown}' is read as thousands", f"'{shown}' is read as a decimal fraction"
    return ("", ".")[reader.context.choose(at.start, "comma", *readings)]


@lru_cache(maxsize=8)  # of a page, for each of its numbers
def _has_decimal_commas(text: str) -> bool:
    """Return whether a page has commas in numbers that are no thousands."""
    return _DECIMAL_COMMA.search(text) is not None


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
    readings = f"'{shown}' is read as a number", f"'{shown}' is read as a product with '{letter}'"
    ways = readings if touching and text[0] in "+-" else readings[::-1]
    return ways[reader.context.choose(start, "exponent", *ways)] == readings[0]


_LONGEST = 12  # items
AS_PRODUCT = "is read as a product"
_SIGNS = frozenset({"+", "-", r"\cdot", r"\times", "*", "/"})
_VALUE = re.compile(r"(?:=|\\approx\b|\\simeq\b|\\sim\b|≈|[\s\d.,{}~+-]|\\[,;: ])*")
"""A number, with what says that it is one."""
_SMALL_LETTERS = frozenset({"o", "O", r"\mathrm{o}", "0"})


def measured(reader: Reader, node: Number, first: int) -> Node:
    """Read the unit behind a number, if there is one."""
    if isinstance(reader.item, Command) and _is_circle(reader, reader.item, node):
        return _in_degrees(reader, node, reader.item)
    behind = reader.position
    stop = _stop(reader)
    if stop > behind:
        found = unit(reader.items[behind:stop])
        reader.position = stop
    else:
        found = _slanted(reader, first)
    if not found:
        return node
    made = _converted(reader, node, found, first, behind)
    _pass_over_again(reader, found)
    return made


def _pass_over_again(reader: Reader, known: Unit) -> None:
    r"""Pass over a value that is said again in another unit: ``(23\,\mathrm{Hz})``."""
    again = reader.item
    if not isinstance(again, Group) or again.text != "(":
        return
    items, context = again.items, reader.context
    for place in range(1, len(items)):
        number = context.text[items[0].start : items[place].start]
        if not _VALUE.fullmatch(number):
            return
        found = unit(items[place:])
        if found and found.dimension == known.dimension:
            shown = context.printed(again.start, again.stop)
            context.notes.append(f"'{shown}' is passed over: the same in another unit")
            reader.position += 1
            return


def _is_circle(reader: Reader, power: Command, node: Number) -> bool:
    """Return whether a letter or a zero stands for the small circle of degrees."""
    mark = plain(power.arguments[0]) if power.text == "^" else ""
    if mark not in _SMALL_LETTERS or node.value <= 1:
        return False
    return mark == "0" or not _is_name(power.arguments[0][0], reader.context)


def _in_degrees(reader: Reader, node: Number, power: Command) -> Node:
    """Read ``90^o`` as degrees, and ``90^0`` as well, which may be a power."""
    shown = reader.context.printed(node.span.start, power.stop)
    readings = f"'{shown}' is read as degrees", f"'{shown}' is read as a power"
    ways = readings if plain(power.arguments[0]) == "0" else readings[:1]
    if len(ways) == 1:
        reader.context.notes.append(readings[0])
    elif reader.context.choose(power.start, "degrees", *ways):
        return node
    reader.position += 1
    return Call("degrees", node, Span(node.span.start, power.stop))


def _stop(reader: Reader) -> int:
    """Return where the upright unit ends that stands here."""
    behind = reader.position
    for stop in range(min(len(reader.items), behind + _LONGEST), behind, -1):
        items = reader.items[behind:stop]
        is_open = items[-1].text in _SIGNS
        if (
            not is_open
            and unit(items)
            and not any(_is_name(item, reader.context) for item in items)
        ):
            return stop
    return behind


def _slanted(reader: Reader, first: int) -> Unit | None:
    r"""Return the unit in letters of formulas that is all that stands behind a number: ``2\,m``."""
    before = [item.text for item in reader.items[:first]]
    items: Sequence[Item] = reader.items[reader.position :]
    if before not in ([], ["-"], ["+"]) or not 0 < len(items) <= _LONGEST:
        return None
    sole = items[0] if len(items) == 1 else None
    inside = sole.items if isinstance(sole, Group) and sole.text == "[" else items
    upright = [item for item in inside if isinstance(item, Command)]
    found = unit(inside, slanted=True) or _grams(inside, reader.context)
    if (
        found is None
        or any(_is_name(item, reader.context) for item in upright)
        or not _is_taken(reader, first, inside)
    ):
        return None
    reader.position = len(reader.items)
    return found


def _grams(items: Sequence[Item], context: Context) -> Unit | None:
    """Return the unit that a declared g may be, which is more often what things weigh."""
    is_g = len(items) == 1 and items[0].text == "g" and _is_name(items[0], context)
    return Unit(Fraction(1, 1000), dimension=KG) if is_g else None


def _is_taken(reader: Reader, first: int, items: Sequence[Item]) -> bool:
    """Choose between a unit and a product of names, which a part of a formula rather is."""
    start, stop = reader.items[first].start, reader.items[-1].stop
    between = reader.context.text[reader.items[reader.position - 1].stop : items[0].start]
    is_decimal = "." in reader.context.text[start : items[0].start]
    if not _are_names(items, reader.context):
        return is_decimal or not reader.depth
    shown = reader.context.printed(start, stop)
    readings = f"'{shown}' is read as a number with its unit", f"'{shown}' {AS_PRODUCT}"
    printed = reader.context.text[items[0].start : stop]
    is_spaced = bool(between.strip()) or is_decimal
    is_likely = not reader.depth and (is_spaced or _is_quotient(printed)) and printed != "g"
    ways = readings if is_likely else readings[::-1]
    return ways[reader.context.choose(start, "unit", *ways)] == readings[0]


def _is_quotient(printed: str) -> bool:
    """Return whether a unit has something below the line."""
    return any(mark in printed for mark in ("/", "frac", "^-", "^{-"))


def _are_names(items: Sequence[Item], context: Context) -> bool:
    """Return whether all letters of a unit are declared."""
    return all(_is_name(letter, context) for letter in _letters(items))


def _letters(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Command):
            yield from (one for row in item.arguments for one in _letters(row))
        elif len(item.text) == 1 and item.text.isalpha():
            yield item


def _converted(reader: Reader, node: Number, found: Unit, first: int, behind: int) -> Node:
    """Return a number with its unit in coherent ones, which is told."""
    items = reader.items
    unit_span = Span(items[behind].start, items[reader.position - 1].stop)
    span = Span(node.span.start, unit_span.stop)
    shown = reader.context.printed(node.span.start, items[behind - 1].stop)
    printed = reader.context.printed(unit_span.start, unit_span.stop)
    node = replace(node, dimension=found.dimension)
    if found.factor == 1 and not found.degrees:
        reader.context.notes.append(f"the unit '{printed}' behind '{shown}' is passed over")
        return node
    if found.factor == found.degrees == 1:
        return Call("degrees", node, span)
    whole = reader.context.printed(items[first].start, unit_span.stop)
    reader.context.notes.append(f"'{whole}' is read in coherent units, {_times(found)}")
    factors: list[Node] = [node]
    if found.factor != 1:
        factors.append(Number(found.factor, unit_span, NUMBER))
    if found.degrees:
        degree = Call("degrees", Number(Fraction(1), unit_span, NUMBER), unit_span)
        power = Number(Fraction(found.degrees), unit_span)
        factors.append(degree if found.degrees == 1 else Power(degree, power, unit_span))
    return Multiply(tuple(factors), span)


def _times(found: Unit) -> str:
    parts = [f"times {found.factor}"] if found.factor != 1 else []
    if found.degrees:
        parts.append("of radians for degrees")
    return ", ".join(parts)


def without_unit(items: Sequence[Item], context: Context) -> Sequence[Item]:
    r"""Leave out a unit in brackets at the end, ``E = T + V \;[\mathrm{J}]``, and tell it.

    Well apart it may be in letters of formulas: ``\qquad [\frac{rad}{N}]``.
    """
    last = items[-1] if len(items) > 1 else None
    if not isinstance(last, Group) or last.text != "[" or items[-2].text in _SIGNS:
        return items
    names = any(_is_name(item, context) for item in last.items)
    is_apart = "quad" in context.printed(items[-2].stop, last.start)
    found = unit(last.items, slanted=is_apart)
    if names or found is None or found.factor != 1 or found.degrees:
        return items
    shown = context.printed(last.start, last.stop)
    context.notes.append(f"the unit '{shown}' is passed over")
    return items[:-1]


def _is_name(item: Item, context: Context) -> bool:
    return context.declared.declares(spellings([item], 0))
