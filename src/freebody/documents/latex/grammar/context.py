"""What the readers of an equation share, and a place in a row of items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freebody.documents.latex.names import Declared
from freebody.documents.latex.tokens.items import Item, LatexError
from freebody.documents.latex.tree import Name, Span

Place = tuple[int, str]
"""An offset on the page, and what is open there."""

_LONGEST = 60  # characters of a quotation
_WORK = 400_000  # characters that sums and products may be written out to
_VARIABLE = re.compile(r"\s+|(?<=_)\{?\d+\}?")
_WAVE = re.compile(r"\\(?:sin|cos|tan)(?![a-z])")
MOST_TERMS = 200


@dataclass
class Context:
    """What the readers of one equation share.

    Attributes
    ----------
    declared : Declared
        The names it may use.
    text : str
        The page.
    instead : mapping
        Which way to read what is open, where that is not the first.
    alike : mapping of str to str
        How what is open is read wherever it is printed, as `way` gives it.
    undeclared : list of Name
        Names that are not declared.
    met : dict
        What is open, with a sentence for each way to read it, the likeliest first.
    notes : list of str
        What is passed over.
    """

    declared: Declared
    text: str = ""
    instead: Mapping[Place, int] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    undeclared: list[Name] = field(default_factory=list)
    met: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    terms: int = 0
    work: int = 0

    def choose(self, offset: int, kind: str, *readings: str) -> int:
        """Return which way to read what is open, counted from 0."""
        self.met[offset, kind] = readings
        if self.alike:
            what, shapes = _shapes(readings)
            return shapes.index(self.alike.get(what, shapes[0]))
        return self.instead.get((offset, kind), 0)

    def printed(self, start: int, stop: int) -> str:
        """Return a stretch of the page, shortened in the middle where it is long."""
        text = " ".join(self.text[start:stop].split())
        half = _LONGEST // 2
        return text if len(text) <= _LONGEST else f"{text[:half]} ... {text[-half:]}"

    def spend(self, terms: int, span: Span) -> None:
        """Count the terms that a sum is written out to.

        Raises
        ------
        LatexError
            Where they are too many.
        """
        self.terms += terms
        self.work += terms * (span.stop - span.start)
        if self.terms > MOST_TERMS or self.work > _WORK:
            raise LatexError(f"sums of more than {MOST_TERMS} terms are not read", span.start)


def way(readings: tuple[str, ...], chosen: int) -> tuple[str, str]:
    """Return what is open, whatever the numbers of indices are, and how it is read."""
    what, shapes = _shapes(readings)
    return what, shapes[chosen]


def _shapes(readings: tuple[str, ...]) -> tuple[str, list[str]]:
    shapes = [_WAVE.sub(r"\\sin", _VARIABLE.sub("", one)) for one in readings]
    return " / ".join(sorted(shapes)), shapes


class Cursor:
    """A place in a row of items, which reading moves on.

    Parameters
    ----------
    items : sequence of Item
        What is printed.
    at : Span
        Where it stands on the page, for when there is nothing to point at.
    """

    def __init__(self, items: Sequence[Item], at: Span) -> None:
        self.items, self.at, self.position = items, at, 0

    @property
    def item(self) -> Item | None:
        """The next item; None at the end."""
        return self.items[self.position] if self.position < len(self.items) else None

    @property
    def text(self) -> str:
        """The text of the next item; empty at the end."""
        return self.item.text if self.item else ""

    def span(self, first: int) -> Span:
        """Return the stretch of the page from an item to the last one read."""
        return Span(self.items[first].start, self.items[self.position - 1].stop)

    def expected(self, what: str) -> LatexError:
        """Return the error that something else was expected here."""
        found = f"'{self.text}'" if self.item else "the end"
        offset = self.item.start if self.item else self.at.stop
        return LatexError(f"expected {what}, found {found}", offset)
