"""Tables and lists of parameters: a letter a row, what it is measured in, and what it is worth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from freebody.consistency.letters import Names
from freebody.consistency.units.spelled_quantities import (
    NUMBER,
    spelled_number,
    spelled_unit,
)
from freebody.documents.latex import LatexError
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.units import Unit

WORDY = re.compile(r"kg|kilo|met|newton|second|radian|joule|rad|\\si|\\unit|[/^²³]", re.IGNORECASE)
"""What no letter of a formula looks like, and a unit does."""
_CELL = re.compile(r"\||(?<!\\)&|\\\\|\\tabularnewline|</?t[dh]\b[^>]*>", re.IGNORECASE)
_UNITS_HEADER = re.compile(
    r"\b(?:units?|einheit|unités?|unidad(?:es)?|unidades?|unità)\b", re.IGNORECASE
)
_PLAIN = re.compile(r"\s*(?:[A-Za-z]|[Ͱ-Ͽ])(?:_\{?\w+\}?)?\s*")
_MATH = re.compile(r"\$([^$]+)\$|\\\((.+?)\\\)")
_IN_BRACKETS = re.compile(r"\[([^\[\]]{1,40})\]\s*$")
_QUANTITY = re.compile(
    rf"(?P<number>{NUMBER}(?:/\d[\d.,]*)?)[\s~]*(?:\\[,;: ])*(?P<unit>.{{0,40}})"
)
_RULES = re.compile(r"\s*(?:={2,}|-{2,})(?:\s+(?:={2,}|-{2,}))+\s*")
"""What stands above and below the columns of a table without bars."""
_CODE = re.compile(r"`[^`]{1,20}`")
_BULLET = re.compile(r"^[ \t]*(?:[-*+•]|\\item)[ \t]+")
_ITEM = re.compile(
    r"\s*[`*]*(?P<letter>(?:[A-Za-z]|[Ͱ-Ͽ])(?:_\{?\w+\}?|\d)?)[`*]*\s*[=≈]\s*"
    r"(?P<quantity>[-+−]?\d[^\n(;]{0,60}?)[.;]?\s*(?:\([^()\n]*\)\s*)?"
)
"""An item of a list that gives a letter a number: ``- m = 55 g``."""
_MACRO = re.compile(r"\\(?:SI|qty|num)\s*(?:\[[^\]]*\])?\{([^{}]*)\}(?:\{([^{}]*)\})?")
"""A number with its unit by a command, ``\\SI{2.0}{MN/m}``."""
LONGEST_ROW = 1000
"""Characters of a line that may be a row."""
_NOTHING = frozenset({"", "-", "–", "—", "1", "none"})
"""What stands in the place of a unit where there is none."""


@dataclass(frozen=True)
class ParameterRow:
    """What a row of a table says of the letters in it.

    Attributes
    ----------
    names : tuple of (str, int)
        The letters, with how many dots each has.
    unit : Unit or None
        What they are measured in; None where that is not said.
    number : float or None
        What they are worth in coherent units; None where the row says none, or several.
    start : int
        Where the row stands in the text of the page.
    """

    names: tuple[tuple[str, int], ...]
    unit: Unit | None
    number: float | None
    start: int


def parameter_rows(page: Page) -> tuple[ParameterRow, ...]:
    """Return the rows of the tables of a page that say something of letters."""
    return _rows_said(page.text, page.readable, page.language == "html")


@lru_cache(maxsize=4)  # of one page, for its units and its numbers
def _rows_said(text: str, readable: str, is_html: bool) -> tuple[ParameterRow, ...]:
    rows = _rows_of_hypertext(text) if is_html else _rows(text, readable)
    return tuple(_told(rows))


def _told(rows: Iterable[tuple[int, list[str]]]) -> Iterator[ParameterRow]:
    for block in _blocks(rows):
        columns = _unit_columns([cells for _, cells in block])
        for start, cells in block:
            yield from _of_row(start, cells, columns)


def names_in(latex: str) -> list[tuple[str, int]]:
    """Return the letters of a formula of nothing but letters and commas, with their dots."""
    try:
        items = parse(latex, 0, len(latex))
    except LatexError:
        return []
    names, position, known = list[tuple[str, int]](), 0, Names()
    while position < len(items):
        if items[position].text in (",", r"\ ", r"\,", r"\;", r"\quad"):
            position += 1
            continue
        found = known.find(spellings(items, position))
        if found is None or found.superscript is not None:
            return []
        names.append((found.key, found.dots))
        position = found.stop
    return names if len(names) == 1 or "," in latex else []


def _rows_of_hypertext(text: str) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the rows of tables with where each begins."""
    for match in re.finditer(r"<tr\b[^>]*>(.{1,2000}?)</tr>", text, re.DOTALL | re.IGNORECASE):
        cells = [re.sub(r"<[^>]*>", "", one).strip() for one in _CELL.split(match[1])]
        yield match.start(), [one for one in cells if one]
    for match in re.finditer(r"<li\b[^>]*>([^<]{1,200})</li>", text, re.IGNORECASE):
        if item := _ITEM.fullmatch(match[1]):
            yield match.start(), [item["letter"], item["quantity"]]


def _rows(text: str, readable: str) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the rows of tables with where each begins, and letters that are set as code."""
    position, columns = 0, list[slice]()
    for line in readable.split("\n"):
        whole = text[position : position + len(line)]
        if not whole.strip():
            columns = []
        elif _RULES.fullmatch(line):
            starts = [match.start() for match in re.finditer(r"(?<!\S)\S", line)]
            columns = [slice(*pair) for pair in pairwise([*starts, None])]
        elif columns:
            yield position, [line[column].strip() for column in columns]
        elif len(re.findall(r"\||(?<!\\)&", line)) >= 1 and len(line) < LONGEST_ROW:
            cells = [one.strip() for one in _CELL.split(line)]
            printed = _CELL.split(whole)
            if len(printed) == len(cells):
                pairs = zip(cells, map(str.strip, printed), strict=True)
                cells = [one or (raw if _CODE.fullmatch(raw) else "") for one, raw in pairs]
            yield position, cells
        elif item := _ITEM.fullmatch(_BULLET.sub("", whole, 1)):
            yield position, [item["letter"], item["quantity"]]
        position += len(line) + 1


def _blocks(
    rows: Iterable[tuple[int, list[str]]],
) -> Iterator[list[tuple[int, list[str]]]]:
    """Iterate over rows of as many cells that follow each other."""
    block = list[tuple[int, list[str]]]()
    for start, cells in rows:
        if block and len(cells) != len(block[-1][1]):
            yield block
            block = []
        block.append((start, cells))
    if block:
        yield block


def _unit_columns(rows: Sequence[Sequence[str]]) -> set[int]:
    """Return the columns that hold units: by what stands above them, or by all that is in them."""
    found = {n for row in rows[:2] for n, cell in enumerate(row) if _UNITS_HEADER.search(cell)}
    counts, sure = Counter[int](), set[int]()
    for row in rows:
        for n, cell in enumerate(row):
            if (unit := spelled_unit(cell)) and unit.dimension is not None:
                counts[n] += 1
                sure |= {n} if WORDY.search(cell) else set()
    filled = Counter(n for row in rows for n, cell in enumerate(row) if re.search(r"\w", cell))
    return found | {n for n in sure if counts[n] >= 2 and counts[n] + 2 >= filled[n]}


def _of_row(start: int, cells: Sequence[str], columns: set[int]) -> Iterator[ParameterRow]:
    place = next((n for n, cell in enumerate(cells[:3]) if _symbols(cell)), None)
    if place is None:
        return
    others = {n: cell for n, cell in enumerate(cells) if n != place}
    numbers = {
        n: match["number"]
        for n, cell in others.items()
        if n > place and n not in columns and (match := _QUANTITY.fullmatch(_bare(cell)))
    }
    columns = columns | {n + 1 for n in numbers if re.fullmatch(r"[^\W\d]+", _at(cells, n + 1))}
    printed = [text for n, cell in others.items() if (text := _printed_unit(cell, n in columns))]
    units = [found for text in printed if (found := spelled_unit(text)) is not None]
    unit = units[0] if units else None
    is_told = len(numbers) == 1 and len(units) == len(printed)
    number = spelled_number(*numbers.values()) if is_told else None
    if unit is not None and number is not None:
        number = unit.coherent(number)
    yield ParameterRow(tuple(_symbols(cells[place])), unit, number, start)


def _at(cells: Sequence[str], n: int) -> str:
    return cells[n] if n < len(cells) else ""


def _printed_unit(cell: str, is_of_units: bool) -> str:
    """Return what a cell prints as a unit; nothing where it prints none."""
    if is_of_units:
        text = cell.strip("$*` ")
    elif match := _IN_BRACKETS.search(cell):
        text = match[1]
    else:
        match = _QUANTITY.fullmatch(_bare(cell))
        text = match["unit"].strip() if match else ""
    return "" if text in _NOTHING else text


def _bare(cell: str) -> str:
    """Return a cell without marks of formulas and of what is set in bold or as code."""
    plain = _MACRO.sub(lambda one: f"{one[1]} {(one[2] or '').replace('.', ' ')}", cell)
    return re.sub(r"[$*`]", "", plain).strip().lstrip("=≈~ ")


def _symbols(cell: str) -> list[tuple[str, int]]:
    """Return the letters that are all of a cell."""
    plain = cell.strip().strip("*`")
    formulas_in = [match[1] or match[2] for match in _MATH.finditer(plain)]
    if formulas_in:
        is_list = not re.search(r"[^\s,/]", _MATH.sub("", plain))
        return [one for latex in formulas_in for one in names_in(latex)] if is_list else []
    if not _PLAIN.fullmatch(plain):
        return []
    return names_in(re.sub(r"_(\w{2,})$", r"_{\1}", plain))
