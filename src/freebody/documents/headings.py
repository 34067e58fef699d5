r"""The headings of a page, and where its sections begin."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from freebody.documents.latex.page.hypertext import headings_of
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tokens.arguments import argument, option
from freebody.errors import Problem, nearest

_MARKDOWN = re.compile(
    r"^ {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*?)[ \t]*(?:#+[ \t]*)?\r?$"
    r"|^ {0,3}(?P<underlined>[^\s#>|=-][^\n]*?)[ \t]*\r?\n"
    r" {0,3}(?P<line>[=~^*+.:-])(?P=line){2,}[ \t]*\r?$",
    re.MULTILINE,
)
_LATEX = re.compile(r"\\(part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?(?![A-Za-z])")
_LEVELS = (
    "part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph",
)  # fmt: skip
_EXERCISE = re.compile(
    r"^[ \t]*(?:\\noindent\s*)?(?:\*\*|__|\\textbf\s*\{)\s*"
    r"(?:(?:exercise|problem|question|task|aufgabe|exercice|ejercicio|problema|esercizio)\s+)?"
    r"\d{1,2}\s*[.):]?\s*(?:\*\*|__|\})",
    re.MULTILINE | re.IGNORECASE,
)
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.)\s+")


class Heading(NamedTuple):
    """What a heading says, where it stands, and how many others it is below."""

    title: str
    start: int
    level: int


def headings(page: Page) -> list[Heading]:
    r"""Return the headings of a page in their order.

    Examples
    --------
    >>> headings(Page("# One *link*\n\n## 2. Two links ##\n"))
    [Heading(title='One link', start=0, level=1), Heading(title='2. Two links', start=14, level=2)]
    """
    if page.language == "latex":
        return _of_latex(page)
    if page.language == "html":
        every = ((_plain(title), start, level) for title, start, level in headings_of(page.text))
        return [Heading(*one) for one in every if page.start <= one[1] < page.stop]
    return _of_text(page)


def exercises(page: Page) -> list[int]:
    r"""Return where the exercises of a page begin that have a number in bold.

    Examples
    --------
    >>> exercises(Page("**1.** A mass\n\n**Problem 2:** Two masses\n\n**3. Energies** are\n"))
    [0, 15]
    """
    return [one.start() for one in _EXERCISE.finditer(page.readable, page.start, page.stop)]


def _of_text(page: Page) -> list[Heading]:
    """Return the headings of Markdown and reStructuredText, where each line is a level."""
    found, lines = list[Heading](), dict[str, int]()
    for one in _MARKDOWN.finditer(page.readable, page.start, page.stop):
        line = one["line"]
        level = lines.setdefault(line, len(lines) + 1) if line else len(one["marks"])
        found.append(Heading(_plain(one["title"] or one["underlined"] or ""), one.start(), level))
    return found


def _of_latex(page: Page) -> list[Heading]:
    found = []
    for match in _LATEX.finditer(page.readable, page.start, page.stop):
        short = option(page.readable, match.end())
        title = argument(page.readable, short[1] if short else match.end())
        if title:
            level = _LEVELS.index(match[1])
            found.append(Heading(_plain(_LABEL.sub("", title[0])), match.start(), level))
    return found


class Chapter(NamedTuple):
    """A part of a page, from its heading to the next of its level."""

    heading: Heading
    stop: int

    def holds(self, place: int) -> bool:
        """Return whether a place of the text is in it."""
        return self.heading.start <= place < self.stop


def chapters(page: Page, places: Collection[int]) -> list[Chapter]:
    r"""Return the parts of a page that hold some places, where these are in more than one.

    They are as large as they can be.

    Examples
    --------
    >>> page = Page("# Links\n\n## One\n$$a$$\n### Torque\n$$b$$\n## Two\n$$c$$\n")
    >>> [one.heading.title for one in chapters(page, [16, 34, 47])]
    ['One', 'Two']
    """
    known, start, stop = headings(page), page.start, page.stop
    while known := [one for one in known if start <= one.start < stop]:
        level = min(one.level for one in known)
        starts = [*(one for one in known if one.level == level)]
        stops = [*(one.start for one in starts[1:]), stop]
        parts = [Chapter(*one) for one in zip(starts, stops, strict=True)]
        holding = [one for one in parts if any(map(one.holds, places))]
        if len(holding) != 1:
            return holding
        start, stop = holding[0].heading.start + 1, holding[0].stop
    return []


def located(page: Page, names: Sequence[str]) -> tuple[list[int], list[Problem]]:
    """Return where the headings of sections stand, and what is wrong with those not found.

    Of headings that say the same, the first belongs to the first section of that name.
    """
    known = headings(page)
    starts, problems = list[int](), []
    for number, name in enumerate(names):
        free = [one for one in known if one.start not in starts and _is(one.title, name)]
        if free:
            starts.append(free[0].start)
        else:
            message = f"no heading '{name}'{nearest(name, {one.title for one in known})}"
            problems.append(Problem(f"sections[{number}].heading", message))
    return starts, problems


def _is(title: str, name: str) -> bool:
    """Return whether a title is meant by a name, which may leave out its number."""
    name = _plain(name)
    return name in (title, _NUMBER.sub("", title, count=1))


def _plain(text: str) -> str:
    return " ".join(text.replace("*", "").replace("`", "").split())
