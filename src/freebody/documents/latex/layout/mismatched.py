"""Displays with a bracket that has no partner: their rows apart, and where they end without it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tokens.items import UnopenedError
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import Span

_AROUND = re.compile(
    r"\s*\\begin\{(?P<name>(?:align|aligned|alignat|eqnarray|equation|gather|gathered|split)\*?)\}"
    r"(?P<inside>.*)\\end\{(?P=name)\}\s*",
    re.DOTALL,
)
"""What lays out rows."""
_MARK = re.compile(r"\\begin\{|\\end\{|(?<!\\)\\\\(?:\s*\[[^]]*\])?")
_REST = re.compile(r"[\s.,;&]*")


def rows_apart(page: Page, span: Span) -> list[Span]:
    """Return where the rows of a display stand, each without what is around them.

    Parameters
    ----------
    page : Page
    span : Span
        The mathematics of the display.
    """
    text = page.readable
    while match := _AROUND.fullmatch(text, span.start, span.stop):
        span = Span(*match.span("inside"))
    return [one for one in _rows(text, span) if text[one.start : one.stop].strip(" \n\t&")]


def _rows(text: str, span: Span) -> Iterator[Span]:
    depth, start = 0, span.start
    for mark in _MARK.finditer(text, span.start, span.stop):
        if not mark[0].startswith(r"\\"):
            depth += 1 if mark[0].startswith(r"\begin") else -1
        elif depth == 0:
            yield Span(start, mark.start())
            start = mark.end()
    yield Span(start, span.stop)


def without_unopened(page: Page, span: Span) -> Span:
    """Return a stretch without the bracket at its end that closes nothing, printed twice.

    Elsewhere the one that opens it may be missing.

    Raises
    ------
    LatexError
        If it cannot be taken apart for another reason.
    """
    try:
        parse(page.readable, span.start, span.stop, page.macros)
    except UnopenedError as error:
        bracket, before = page.readable[error.offset], page.readable[: error.offset].rstrip()
        is_last = _REST.fullmatch(page.readable, error.offset + 1, span.stop)
        if not is_last or not before.endswith(bracket):
            raise
        return without_unopened(page, Span(span.start, error.offset))
    return span
