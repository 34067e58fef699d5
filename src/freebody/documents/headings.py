r"""The headings of a page, and where its sections begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from freebody.documents.latex.page.hypertext import headings_of
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tokens.definitions import argument, option
from freebody.errors import Problem, nearest

_MARKDOWN = re.compile(
    r"^ {0,3}#{1,6}[ \t]+(?P<title>[^\n]*?)[ \t]*(?:#+[ \t]*)?\r?$"
    r"|^ {0,3}(?P<underlined>[^\s#>|=-][^\n]*?)[ \t]*\r?\n"
    r" {0,3}(?P<line>[=~^*+.:-])(?P=line){2,}[ \t]*\r?$",
    re.MULTILINE,
)
_LATEX = re.compile(r"\\(?:part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?(?![A-Za-z])")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.)\s+")


class Heading(NamedTuple):
    """What a heading says, and where it stands."""

    title: str
    start: int


def headings(page: Page) -> list[Heading]:
    r"""Return the headings of a page in their order.

    Examples
    --------
    >>> headings(Page("# One *link*\n\n## 2. Two links ##\n"))
    [Heading(title='One link', start=0), Heading(title='2. Two links', start=14)]
    """
    if page.language == "latex":
        return _of_latex(page)
    if page.language == "html":
        return [Heading(_plain(title), start) for title, start in headings_of(page.text)]
    found = _MARKDOWN.finditer(page.readable, page.start, page.stop)
    return [Heading(_plain(one["title"] or one["underlined"] or ""), one.start()) for one in found]


def _of_latex(page: Page) -> list[Heading]:
    found = []
    for match in _LATEX.finditer(page.readable, page.start, page.stop):
        short = option(page.readable, match.end())
        title = argument(page.readable, short[1] if short else match.end())
        if title:
            found.append(Heading(_plain(_LABEL.sub("", title[0])), match.start()))
    return found


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
