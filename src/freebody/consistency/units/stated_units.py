r"""The units that a page states of its letters: in words, in brackets, in tables, by numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from freebody.algebra.units import Dimension, S
from freebody.consistency.letters import Names
from freebody.documents.latex import LatexError
from freebody.documents.latex.page.inline import formulas
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import between
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import Span
from freebody.documents.latex.units import unit

NEAR = 120
"""Characters behind a letter in which its unit may stand."""
LONGEST = 40
"""Characters of a unit."""
_ANY = re.compile("")
_SPELLED = (
    (r"\bkilograms?\b|\bKilogramm\b|\bkilogrammes?\b", "kg"),
    (r"\b[Nn]ewton[- ]?met(?:re|er)s?\b", "N m"),
    (r"\bnewtons?\b|\bNewtons?\b", "N"),
    (r"\bmet(?:re|er)s?\b|\bMeter\b|\bm[eè]tres?\b", "m"),
    (r"\bseconds?\b|\bsec\b|\bSekunden?\b|\bsecondes?\b", "s"),
    (r"\bradians?\b|\brads\b", "rad"),
    (r"\bdegrees?\b", "deg"),
    (r"\b[Jj]oules?\b", "J"),
    (r"\b[Ww]atts?\b", "W"),
    (r"\bper\b", "/"),
    (r"(?<=[a-z])\^?\s*squared\b", "^2"),
)
_SIGNS = str.maketrans({
    **dict.fromkeys("·⋅×∙", " "), "²": "^2", "³": "^3", "⁴": "^4", "−": "-", "–": "-",
})  # fmt: skip
_RAISED = (("⁻¹", "^{-1}"), ("⁻²", "^{-2}"), ("⁻³", "^{-3}"))
_POWER = re.compile(r"(?<=[A-Za-z])\^?(-?\d)(?![\d}])")
_WORDY = re.compile(r"kg|kilo|met|newton|second|radian|joule|rad|\\si|\\unit|[/^²³]", re.IGNORECASE)
_DOUBTFUL = frozenset({"h", "in", "L", "A", "V", "K", "g", "J", "W", "%", "min", "ft"})
"""What is more often a name than a unit where it stands alone."""
_NO_UNIT = re.compile(r"(?<![A-Za-z{\\])(?:in|[hAVKL])(?![A-Za-z])")
"""Units that are seldom meant, in mechanics, by what looks like them."""
_BRACKET = re.compile(
    r"(?P<open>\[|\()(?P<unit>[^\[\]()]{1,40}(?:\([^()]{1,20}\)[^\[\]()]{0,9})?)[\])]"
)
_SPOKEN = re.compile(
    r"\b(?:in|measured in|units? of|units?:)\s+"
    r"(?P<unit>(?:\\(?:si|unit)\{[^{}]{1,40}\}|\$[^$]{1,40}\$"
    r"|[A-Za-z/^²³·⋅*\-0-9 ]{1,40}?))(?=[,.;:)\n]|\s+(?:and|is|of|for|to|from|with)\b|\Z)"
)
_NUMBER = r"[-+]?\d[\d.,]*(?:\s*(?:\\times|\\cdot|×|e)\s*(?:10\^?\{?)?[-+−]?\d+\}?)?"
_VALUE = re.compile(rf"\s*(?:=|≈|:|\bis\b)\s*\$?{_NUMBER}\$?\s*(?P<unit>[^,;.\n|&]{{1,40}})")
_ASSIGNED = re.compile(rf"(?P<name>[^=≈<>]{{1,40}}?)\s*(?:=|\\approx)\s*{_NUMBER}\s*")
_BEHIND = re.compile(r"[ ~]{0,2}(?P<unit>[A-Za-z°\\$][^,;.|&()\n]{0,40})")
_SENTENCE = re.compile(r"\.(?=\s)|;|\n[ \t]*(?:\n|[-*+|&]|\\item|\\\\)|\\\\|\||&|\\item")
_CELL = re.compile(r"\||(?<!\\)&|\\\\|\\tabularnewline|</?t[dh]\b[^>]*>", re.IGNORECASE)
_UNITS_HEADER = re.compile(
    r"\b(?:units?|einheit|unités?|unidad(?:es)?|unidades?|unità)\b", re.IGNORECASE
)
_PLAIN = re.compile(r"\s*(?:[A-Za-z]|[Ͱ-Ͽ])(?:_\{?\w+\}?)?\s*")
_MATH = re.compile(r"\$([^$]+)\$|\\\((.+?)\\\)")


@dataclass(frozen=True)
class StatedUnit:
    """What a page says a letter is measured in.

    Attributes
    ----------
    key : str
        The letter, without dots.
    dimension : Dimension
        Of it without dots.
    place : str
        Where that stands, for people.
    start : int
        The same in the text.
    """

    key: str
    dimension: Dimension
    place: str
    start: int


def stated_units(page: Page) -> Iterator[StatedUnit]:
    """Iterate over the units that a page states of letters in words, brackets and tables."""
    text = page.readable
    for gap in between(page):
        spans = list(formulas(text[gap.start : gap.stop], page.language, _ANY))
        starts = [gap.start + whole.start for whole, _ in spans] + [gap.stop]
        for n, (whole, inside) in enumerate(spans):
            latex = text[gap.start + inside.start : gap.start + inside.stop]
            behind = Span(gap.start + whole.stop, min(starts[n + 1], gap.stop))
            place = page.place(page.position(gap.start + whole.start)[0])
            for key, found in _beside(latex, text, behind, gap.stop):
                yield StatedUnit(key, found, place, gap.start + whole.start)
    yield from _in_tables(page)


def _beside(latex: str, text: str, behind: Span, stop: int) -> Iterator[tuple[str, Dimension]]:
    """Iterate over the letters of a formula with the unit that is stated behind it."""
    if assigned := _ASSIGNED.fullmatch(latex):
        names = _names(assigned["name"])
        match = _BEHIND.match(text, behind.start)
        found = _first_unit(match["unit"]) if match and len(names) == 1 else None
    else:
        names = _names(latex)
        found = _stated_unit(text[behind.start : min(behind.start + NEAR, stop)]) if names else None
    for key, dots in names if found is not None else ():
        yield key, found * S**dots  # type: ignore[operator]


def _stated_unit(following: str) -> Dimension | None:
    """Return the unit that the words behind a letter state of it."""
    value = _VALUE.match(following)
    if value:
        return _first_unit(value["unit"])
    end = _SENTENCE.search(following, 1)
    sentence = following[: end.start() if end else None]
    for bracket in _BRACKET.finditer(sentence):
        before = sentence[: bracket.start()]
        if "$" in before or (bracket["open"] == "(" and not _is_unit(bracket["unit"], before)):
            continue
        found = dimension_of_unit(bracket["unit"])
        if found is not None:
            return found
    if (match := _SPOKEN.search(sentence)) and "$" not in sentence[: match.start()]:
        is_plain = match["unit"].strip() in ("m", "s", "N")
        return (
            dimension_of_unit(match["unit"]) if is_plain or _WORDY.search(match["unit"]) else None
        )
    return None


def _first_unit(text: str) -> Dimension | None:
    """Return the longest unit that a text begins with."""
    words = text.split()
    options = (" ".join(words[:n]) for n in range(min(len(words), 5), 0, -1))
    known = (dimension_of_unit(one) for one in options if one not in _DOUBTFUL - {"g", "J", "W"})
    return next((one for one in known if one is not None), None)


def _is_unit(printed: str, before: str) -> bool:
    """Return whether what stands in round brackets is a unit, and not what something is called."""
    text = printed.strip().strip("$")
    if len(text) > 1:
        return text not in _DOUBTFUL
    last = re.findall(r"[A-Za-z]+", before)[-3:]
    initials = {word[0].lower() for word in last}
    return (
        text in ("m", "s", "N")
        and before[-1:].isspace() | (not before)
        and (text.lower() not in initials)
    )


def dimension_of_unit(printed: str) -> Dimension | None:
    r"""Return the dimension of a unit as it is printed or spelled; None where it is none.

    Examples
    --------
    >>> str(dimension_of_unit("kg·m²")), str(dimension_of_unit("newton-metres per radian"))
    ('kg*m**2', 'kg*m**2/s**2')
    >>> dimension_of_unit("N/m/s") is None  # which may be either
    True
    """
    text = printed.strip().strip("$`*[]").strip()
    text = re.sub(r"^in\s+|\\\(|\\\)|`", "", text)
    if _NO_UNIT.search(text):
        return None
    for pattern, short in _SPELLED:
        text = re.sub(pattern, short, text)
    for sign, power in _RAISED:
        text = text.replace(sign, power)
    text = text.translate(_SIGNS).replace("**", "^").replace("*", " ")
    text = re.sub(r"(?<=[A-Za-z0-9])-(?=[A-Za-z])", " ", text).strip()
    text = re.sub(r"^1\s*/", "/", text)
    text = _POWER.sub(r"^{\1}", text)
    if not 0 < len(text) <= LONGEST or text.count("/") > 1:
        return None
    try:
        parsed = parse(rf"\mathrm{{{text}}}", 0, len(text) + 9)
    except LatexError:
        return None
    found = unit(parsed)
    return found.dimension if found else None


def _names(latex: str) -> list[tuple[str, int]]:
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


# ---------------------------------------------------------------------- tables


def _in_tables(page: Page) -> Iterator[StatedUnit]:
    text = page.text if page.language == "html" else page.readable
    rows = list(_rows(text, page.language == "html"))
    for block in _blocks(rows):
        columns = _unit_columns([cells for _, cells in block])
        for start, cells in block:
            place = page.place(page.position(start)[0])
            for key, found in _of_row(cells, columns):
                yield StatedUnit(key, found, place, start)


def _rows(text: str, is_html: bool) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the rows of tables with where each begins."""
    if is_html:
        for match in re.finditer(r"<tr\b[^>]*>(.{1,2000}?)</tr>", text, re.DOTALL | re.IGNORECASE):
            cells = [re.sub(r"<[^>]*>", "", one).strip() for one in _CELL.split(match[1])]
            yield match.start(), [one for one in cells if one]
        return
    position = 0
    for line in text.split("\n"):
        if len(re.findall(r"\||(?<!\\)&", line)) >= 1 and len(line) < 1000:
            yield position, [one.strip() for one in _CELL.split(line)]
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
            if dimension_of_unit(cell) is not None:
                counts[n] += 1
                sure |= {n} if _WORDY.search(cell) else set()
    filled = Counter(n for row in rows for n, cell in enumerate(row) if re.search(r"\w", cell))
    return found | {n for n in sure if counts[n] >= 2 and counts[n] + 2 >= filled[n]}


def _of_row(cells: Sequence[str], columns: set[int]) -> Iterator[tuple[str, Dimension]]:
    """Iterate over the letters of a row with the unit that stands in it."""
    place = next((n for n, cell in enumerate(cells[:3]) if _symbols(cell)), None)
    if place is None:
        return
    found: Dimension | None = None
    for n, cell in enumerate(cells):
        if n == place:
            continue
        if n in columns:
            found = dimension_of_unit(cell)
        elif (match := re.search(r"\[([^\[\]]{1,40})\]\s*$", cell)) or (
            match := re.fullmatch(rf"\$?{_NUMBER}\$?\s*(.{{1,40}})", cell)
        ):
            found = dimension_of_unit(match[1])
        if found is not None:
            break
    for key, dots in _symbols(cells[place]) if found is not None else ():
        yield key, found * S**dots  # type: ignore[operator]


def _symbols(cell: str) -> list[tuple[str, int]]:
    """Return the letters that are all of a cell."""
    plain = cell.strip().strip("*`")
    formulas_in = [match[1] or match[2] for match in _MATH.finditer(plain)]
    if formulas_in:
        is_list = not re.search(r"[^\s,/]", _MATH.sub("", plain))
        return [one for latex in formulas_in for one in _names(latex)] if is_list else []
    if not _PLAIN.fullmatch(plain):
        return []
    return _names(re.sub(r"_(\w{2,})$", r"_{\1}", plain))
