"""The names in all formulas of a page, those too that are in no equation which can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter

from freebody.documents.latex.grammar.derivatives import derivative, rate_mark, slashed
from freebody.documents.latex.names import Declared, FoundName
from freebody.documents.latex.page.inline import formulas
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import between, places
from freebody.documents.latex.spellings import plain, spellings
from freebody.documents.latex.tokens.items import (
    FRACTIONS,
    Command,
    Group,
    Item,
    LatexError,
    Token,
)
from freebody.documents.latex.tokens.rewriting import GREEK
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import Span

_ANY = re.compile("")
_LONGEST = 40_000
"""Characters of a formula that is taken apart."""
_WORD = re.compile(
    r"(?:(?:arc|a(?=(?:sin|cos|tan)\())?(?:sinh?|cosh?|tanh?|cot|exp|log|ln|det|rad|const)"
    r"|[Tt]r(?=\s*[\[(])|[Ss][OEUoeu](?=\s*\([23n]\))"
    rf"|{'|'.join(sorted(name for name in GREEK if len(name) > 2))})(?![A-Za-z])"
)
"""What is no product of letters, though it is printed as one."""
_BELOW = re.compile(r"_\{?((?:[ijkl\d,]|[+-]\d)+)(?![^{}]*[a-zA-Z\\])")
_INDEX = re.compile("[ijkl]")
_SCRIPTS = frozenset({"_", "^"})
_INTEGRALS = frozenset({r"\int", r"\oint", r"\iint", r"\iiint"})
_OPERATORS = frozenset(_INTEGRALS | {r"\sum", r"\prod", r"\lim", r"\max", r"\min"})
"""What has limits below and above, which are no part of a name."""


def printed_names(page: Page, names: Declared) -> dict[str, set[int]]:
    r"""Return the names that are printed in formulas, as they occur, with the dots they carry.

    Parameters
    ----------
    page : Page
    names : Declared
        What is taken for a name.

    Examples
    --------
    >>> from freebody.checking.guesses.symbols import Open
    >>> page = Page("All $\\sum_{i=1}^{N} m_i$ of\n$$\\dot x <> F^2\n[a + b$$ $\\int dy/dt dz$")
    >>> printed_names(page, Open())
    {'i': set(), 'N': set(), 'm_i': set(), 'x': {1}, 'F': set(), 'y': set(), 't': set(), 'z': set()}
    >>> [*printed_names(Page(r"$$a_0cosh\sqrt{b}$$"), Open())]
    ['a_0', 'b']
    >>> [*printed_names(Page(r"$R \in SO(3)$ and $tr[A]$"), Open())]
    ['R', 'A']
    >>> [*printed_names(Page(r"$mgsin(x_3) + acos(x)$"), Open())]
    ['m', 'g', 'x_3', 'x']
    >>> [*printed_names(Page(r"$alpha$ and $a_0$"), Open())]
    ['a_0']
    >>> [*printed_names(Page(r"$[x, y]^t$"), Open())]
    ['x', 'y']
    >>> [*printed_names(Page(r"$J_c^t f$"), Open())]
    ['J_c', 'f']
    >>> printed_names(Page(r"$$\dot{\delta z} = z$$"), Open())
    {'\\delta z': {1}, 'z': set()}
    """
    found: dict[str, set[int]] = {}
    for items in printed_items(page):
        for one in _names(page, items, names):
            found.setdefault(one.key, set()).update({one.dots} - {0})
    return found


def printed_items(page: Page) -> Iterator[Sequence[Item]]:
    """Iterate over what the formulas of a page are made of, in their order."""
    for span in sorted(_formulas(page), key=attrgetter("start")):
        if span.stop - span.start <= _LONGEST:
            yield from _items(page, span)


def index_letters(keys: Iterable[str]) -> set[str]:
    r"""Return the letters that stand below others as indices do; n may be the last one.

    Examples
    --------
    >>> sorted(index_letters(["m_i", "x_{k+1}", "A_{ij}", "x_p", r"\theta_{l,1}", "q_n"]))
    ['i', 'j', 'k', 'l']
    """
    parts = (_INDEX.findall(one) for key in keys for one in _BELOW.findall(key))
    return {letter for found in parts for letter in found}


def _items(page: Page, span: Span) -> list[Sequence[Item]]:
    """Return what a formula is made of; line by line, where its brackets do not match."""
    try:
        return [parse(page.readable, span.start, span.stop, page.macros)]
    except LatexError:
        found, start = list[Sequence[Item]](), span.start
        for line in page.readable[span.start : span.stop].split("\n"):
            with suppress(LatexError):
                found.append(parse(page.readable, start, start + len(line), page.macros))
            start += len(line) + 1
        return found


def _formulas(page: Page) -> Iterator[Span]:
    """Iterate over the displays of a page, and over the formulas in its running text."""
    for _, place in places(page):
        yield from (place.inside, *place.beside)
    for gap in between(page):
        for _, inside in formulas(page.readable[gap.start : gap.stop], page.language, _ANY):
            yield Span(gap.start + inside.start, gap.start + inside.stop)


def _names(page: Page, items: Sequence[Item], names: Declared) -> Iterator[FoundName]:
    position, before, integrated = 0, "", False
    while position < len(items):
        item = items[position]
        word = _WORD.match(page.readable, item.start) if isinstance(item, Token) else None
        if word and not _is_inside(page.readable, item.start, word[0]):
            position += len(word[0])
            continue
        if rate := _differentiated(items, position):
            inside, position = rate
            before = ""
            for one in inside:
                yield from _names(page, one, names)
            continue
        is_limit = item.text in _SCRIPTS and before in _OPERATORS | _SCRIPTS
        options = [] if is_limit or item.text in _OPERATORS else spellings(items, position)
        found = names.find(options) if options else None
        position, before = found.stop if found else position + 1, item.text
        integrated = integrated or item.text in _INTEGRALS
        nested = [item.items] if isinstance(item, Group) else []
        if found and not (integrated and found.key == "d"):
            yield found
        power = found.superscript if found else item
        if _transposes(items, position - 1) or (found and _is_transposed(found)):
            continue
        nested += power.arguments if isinstance(power, Command) else ()
        for one in nested:
            yield from _names(page, one, names)


def _is_inside(text: str, start: int, word: str) -> bool:
    """Return whether a word only ends others; letters may stand right before sin and cos."""
    return text[start - 1 : start].isalpha() and word not in ("sin", "cos", "tan")


def _transposes(items: Sequence[Item], position: int) -> bool:
    """Return whether a t above brackets or an array is the mark of what is transposed."""
    item = items[position]
    if not isinstance(item, Command) or item.text != "^" or plain(item.arguments[0]) != "t":
        return False
    return position > 0 and isinstance(items[position - 1], Group)


def _is_transposed(name: FoundName) -> bool:
    """Return whether a name is that of a matrix with a t above it."""
    power = name.superscript
    return power is not None and name.key[:1].isupper() and plain(power.arguments[0]) == "t"


def _differentiated(
    items: Sequence[Item], position: int
) -> tuple[list[Sequence[Item]], int] | None:
    """Return what is differentiated and by what, without signs of that, and where it ends."""
    item = items[position]
    if isinstance(item, Command) and item.text in FRACTIONS:
        found, stop = derivative(*item.arguments), position + 1
    else:
        found, stop = rate_mark(items, position) or slashed(items, position) or (None, 0)
    return ([found.operand, *found.variables], stop) if found else None
