r"""What a page states of its letters in words, brackets and tables: their units and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from freebody.algebra.units import Dimension, S
from freebody.consistency.units.parameter_tables import WORDY, names_in, parameter_rows
from freebody.consistency.units.spelled_quantities import NUMBER, spelled_number, spelled_unit
from freebody.documents.latex.page.inline import formulas
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import between
from freebody.documents.latex.page.plain_values import plain_values
from freebody.documents.latex.tree import Span
from freebody.documents.latex.units import Unit

NEAR = 120
"""Characters behind a letter in which its unit may stand."""
_ANY = re.compile("")
_DOUBTFUL = frozenset({"h", "in", "L", "A", "V", "K", "g", "J", "W", "%", "min", "ft"})
"""What is more often a name than a unit where it stands alone."""
_BRACKET = re.compile(
    r"(?P<open>\[|\()(?P<unit>[^\[\]()]{1,40}(?:\([^()]{1,20}\)[^\[\]()]{0,9})?)[\])]"
)
_SPOKEN = re.compile(
    r"\b(?:in|measured in|units? of|units?:)\s+"
    r"(?P<unit>(?:\\(?:si|unit)\{[^{}]{1,40}\}|\$[^$]{1,40}\$"
    r"|[A-Za-z/^²³·⋅*\-0-9 ]{1,40}?))(?=[,.;:)\n]|\s+(?:and|is|of|for|to|from|with)\b|\Z)"
)
_VALUE = re.compile(
    rf"\s*(?:=|≈|:|\bis\b)\s*\$?(?P<number>{NUMBER})\$?(?:\s|~|\\[,;: ])*"
    r"(?P<unit>(?:\\[,;:]|[^,;.\n|&]){1,40})"
)
_ASSIGNED = re.compile(rf"(?P<name>[^=≈<>]{{1,40}}?)\s*(?:=|\\approx)\s*(?P<number>{NUMBER})\s*")
_BEHIND = re.compile(
    r"(?:[ ~$]|\\[,;: )]){0,5}(?P<unit>[A-Za-z°\\](?:\\[,;:]|[^,;.|&()\n$]){0,40})"
)
_RAISED = re.compile(r"\$\s*\^\s*\{?(-?\d)\}?\s*\$")
"""A power that is a formula by itself, behind a unit in words: ``m$^2$``."""
_PUNCTUATION = re.compile(r"[,;:](?=\s|\Z)")
_SENTENCE = re.compile(r"\.(?=\s)|;|\n[ \t]*(?:\n|[-*+|&]|\\item|\\\\)|\\\\|\||&|\\item")


@dataclass(frozen=True)
class StatedQuantity:
    """What a page says a letter is measured in, and what it is worth.

    Attributes
    ----------
    key : str
        The letter, without dots.
    dimension : Dimension or None
        Of it without dots; None where the page says none.
    number : float or None
        In coherent units; None where the page says none, or one of a rate.
    place : str
        Where that stands, for people.
    start : int
        The same in the text.
    """

    key: str
    dimension: Dimension | None
    number: float | None
    place: str
    start: int


def stated_quantities(page: Page) -> Iterator[StatedQuantity]:
    """Iterate over what a page states of letters in words, brackets and tables."""
    text = page.readable
    for gap in between(page):
        words = text[gap.start : gap.stop]
        spans = list(formulas(words, page.language, _ANY))
        if page.language != "latex":
            spans += ((value, value) for value, _ in plain_values(words) if _is_free(value, spans))
            spans.sort(key=lambda one: one[0].start)
        starts = [gap.start + whole.start for whole, _ in spans] + [gap.stop]
        for n, (whole, inside) in enumerate(spans):
            latex = text[gap.start + inside.start : gap.start + inside.stop]
            behind = Span(gap.start + whole.stop, min(starts[n + 1], gap.stop))
            names, unit, number = _beside(latex, text, behind, gap.stop)
            if unit is not None and unit.dimension is not None:
                yield from _stated(page, names, unit, number, gap.start + whole.start)
    for row in parameter_rows(page):
        yield from _stated(page, row.names, row.unit, row.number, row.start)


def _is_free(value: Span, taken: Sequence[tuple[Span, Span]]) -> bool:
    return not any(one.start < value.stop and value.start < one.stop for one, _ in taken)


def _stated(
    page: Page,
    names: Iterable[tuple[str, int]],
    unit: Unit | None,
    number: float | None,
    start: int,
) -> Iterator[StatedQuantity]:
    place = page.place(page.position(start)[0])
    dimension = None if unit is None else unit.dimension
    for key, dots in names:
        own = None if dimension is None else dimension * S**dots
        yield StatedQuantity(key, own, None if dots else number, place, start)


def _beside(
    latex: str, text: str, behind: Span, stop: int
) -> tuple[list[tuple[str, int]], Unit | None, float | None]:
    """Return the letters of a formula with the unit and the number that are stated behind it."""
    if assigned := _ASSIGNED.fullmatch(latex):
        names = names_in(assigned["name"])
        unit = unit_behind(text, behind.start) if len(names) == 1 else None
        return names, unit, _number(assigned["number"], unit)
    names = names_in(latex)
    following = text[behind.start : min(behind.start + NEAR, stop)] if names else ""
    if value := _VALUE.match(following):
        unit = _first_unit(value["unit"])
        return names, unit, _number(value["number"], unit)
    return names, _stated_unit(following), None


def unit_behind(text: str, position: int) -> Unit | None:
    """Return the unit that stands behind a formula that ends at a position; None of none."""
    following = _RAISED.sub(r"^{\1}", text[position : position + NEAR])
    match = _BEHIND.match(following)
    return _first_unit(match["unit"]) if match else None


def _number(printed: str, unit: Unit | None) -> float | None:
    number = spelled_number(printed)
    return None if unit is None or number is None else unit.coherent(number)


def _stated_unit(following: str) -> Unit | None:
    """Return the unit that the words behind a letter state of it."""
    end = _SENTENCE.search(following, 1)
    sentence = following[: end.start() if end else None]
    for bracket in _BRACKET.finditer(sentence):
        before = sentence[: bracket.start()]
        if "$" in before or (bracket["open"] == "(" and not _is_unit(bracket["unit"], before)):
            continue
        found = spelled_unit(bracket["unit"])
        if found is not None and found.dimension is not None:
            return found
    if (match := _SPOKEN.search(sentence)) and "$" not in sentence[: match.start()]:
        is_plain = match["unit"].strip() in ("m", "s", "N")
        return spelled_unit(match["unit"]) if is_plain or WORDY.search(match["unit"]) else None
    return None


def _first_unit(text: str) -> Unit | None:
    """Return the longest unit that a text begins with, before any punctuation."""
    words = _PUNCTUATION.split(re.sub(r"\\[,;:]|~", " ", text), maxsplit=1)[0].split()
    options = (" ".join(words[:n]) for n in range(min(len(words), 5), 0, -1))
    known = (spelled_unit(one) for one in options if one not in _DOUBTFUL - {"g", "J", "W"})
    return next((one for one in known if one is not None and one.dimension is not None), None)


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
