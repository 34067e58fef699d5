r"""Where the displayed equations of a page stand, and what stands beside them.

Displays are ``$$...$$``, ``\[...\]`` and the environments equation, align, gather, eqnarray,
multline and their starred forms. Code, comments and the prose around are passed over. A line of
nothing but formulas and a label in parentheses, right after a display, belongs to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from freebody.documents.latex.tree import Span

_CODE = re.compile(
    r"^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)|\Z)"
    r"|\\begin\{verbatim\}.*?(?:\\end\{verbatim\}|\Z)"
    r"|<!--.*?(?:-->|\Z)"
    r"|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)
_OPENING = re.compile(
    r"(?<!\\)\$\$|(?<!\\)\\\[|"
    r"\\begin\{(?P<environment>"
    r"(?:equation|align|gather|eqnarray|multline|flalign|alignat|displaymath)\*?)\}"
)
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n|\Z")
_BESIDE = re.compile(
    r"[ \t]*(?:\r?\n[ \t]*)?(?P<formulas>(?:\$[^$\n]+\$[ \t]*)*)"
    r"(?:\((?P<label>[A-Z]{0,3}\.?\d+(?:\.\d+)*[a-z]?|-)\))?[ \t]*\r?(?=\n|\Z)"
)
_FORMULA = re.compile(r"\$([^$\n]+)\$")
_WIDTH = 76


@dataclass(frozen=True, slots=True)
class Place:
    """Where a display stands: all of it, its mathematics, and the formulas and label beside it.

    The closing mark that a display lacks is `unclosed`.
    """

    whole: Span
    inside: Span
    beside: tuple[Span, ...] = ()
    label: str | None = None
    unclosed: str | None = None


class Page:
    """The text of a page, with lines and columns counted from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def caret(self, offset: int) -> str:
        """Return the line of an offset, cut around it, with a caret below.

        Examples
        --------
        >>> print(Page("a = b").caret(4))
        a = b
            ^
        """
        _, column = self.position(offset)
        begin = offset - column + 1
        end = self.text.find("\n", offset)
        first = max(begin, offset - _WIDTH // 2)
        text = self.text[first : min(first + _WIDTH, len(self.text) if end < 0 else end)]
        shown = "".join(letter if letter.isprintable() else " " for letter in text)
        return f"{shown}\n{' ' * (offset - first)}^"


def displays(text: str, start: int) -> Iterator[Place]:
    """Yield the places of the displays of a page from an offset on."""
    text = _CODE.sub(_blank, text)
    position = limit = start
    while opening := _OPENING.search(text, position):
        closing = _closing(opening)
        if opening.end() > limit:
            limit = _paragraph_end(text, opening.end())
        stop = text.find(closing, opening.end(), limit)
        if stop < 0:
            yield Place(Span(opening.start(), limit), Span(opening.end(), limit), unclosed=closing)
            position = limit
            continue
        whole = Span(opening.start(), stop + len(closing))
        inside = whole if opening["environment"] else Span(opening.end(), stop)
        yield _with_beside(text, whole, inside)
        position = whole.stop


def _with_beside(text: str, whole: Span, inside: Span) -> Place:
    beside = _BESIDE.match(text, whole.stop)
    if not beside:
        return Place(whole, inside)
    formulas = _FORMULA.finditer(text, *beside.span("formulas"))
    spans = tuple(Span(*formula.span(1)) for formula in formulas)
    label = beside["label"]
    return Place(whole, inside, spans, None if label == "-" else label)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _closing(opening: re.Match[str]) -> str:
    if opening["environment"]:
        return rf"\end{{{opening['environment']}}}"
    return "$$" if opening[0] == "$$" else r"\]"


def _paragraph_end(text: str, position: int) -> int:
    match = _PARAGRAPH_END.search(text, position)
    return match.start() if match else len(text)
