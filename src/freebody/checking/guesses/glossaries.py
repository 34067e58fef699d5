r"""Lists, tables and displays that say what letters are: ``- m1: mass of the rod``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from freebody.checking.guesses.formula_names import LETTER, names_of, plain_name
from freebody.checking.guesses.words import kinds_of_head
from freebody.documents.latex.names import short
from freebody.documents.latex.tokens.glossary_entries import glossary_entries

_IN_DISPLAY = re.compile(
    r"(?P<latex>\\?[A-Za-z]+(?:_(?:\w|\{[^{}]{1,12}\}))?)\s*&?\s*=\s*&?\s*"
    r"\\(?:text|textrm|mbox|mathrm)\s*\{(?P<words>[^{}$\\\n]{3,60})\}"
    r"(?=\s*(?:\\\\|\$|\\end|\\\]|[,.;]))"
)
r"""A display that says in words what a letter is: ``\Omega &= \text{longitude of the node} \\``."""
_ONE = r"[^\W_⁰¹²³⁴-⁹]"
_BELOW = rf"(?P<below>(?:_\{{?{_ONE}{{1,3}}\}}?|(?:(?![aeiou]){_ONE}){{2,3}}|{_ONE}|[₀-₉]{{1,2}})?)"
"""What stands below a letter, which no power is, nor the rest of a word: ``Mass``."""
_ITEM = re.compile(
    rf"^[ \t]*(?:[-*+|]|\d+\.)[ \t]*[`*_]*(?![A-Z]{{3}})(?P<letter>{LETTER})"
    rf"{_BELOW}[`*_]*[ \t]*(?:(?P<lead>:|-|–|—)[ \t]+|\|[ \t]*(?=[^-]))"
    r"(?P<words>[^|\n]{3,})",
    re.MULTILINE,
)
"""An item of a list, or a row of a table, that says what a letter is, and no abbreviation."""
_GLOSS = re.compile(
    rf"^[ \t]*[`*_]*(?P<letter>{LETTER}){_BELOW}[`*_]*"
    r"[ \t]*(?P<lead>:[ \t]|：)[ \t]*(?P<words>[^|\n=:：&;∫]{2,60})$",
    re.MULTILINE,
)
"""A line of a glossary: a letter, a colon, and what it is."""


def glossary(prose: str) -> Iterator[tuple[str, str]]:
    r"""Iterate over symbols in plain letters at the head of the items of lists, with the rest.

    A colon leads to what an item or a line says, of whatever mark it has.

    Examples
    --------
    >>> [*glossary("- `m1` - mass of the rod\n* θp: its angle\n")]
    [('m_1', ': mass of the rod'), ('\\theta_p', ': its angle')]
    >>> [*glossary(r"$$\omega &= \text{Argument of perigee} \\ v &= \text{fast}$$")]
    [('\\omega', 'Argument of perigee')]
    """
    for entry in glossary_entries(prose):
        if entry.words:
            yield from ((short(key), entry.words) for key in names_of(entry.latex))
    for match in (*_ITEM.finditer(prose), *_lines(prose)):
        lead = ": " if match["lead"] else ""  # a row may have other words first
        yield plain_name(match["letter"], match["below"]), lead + match["words"].strip()
    for match in _IN_DISPLAY.finditer(prose):
        words = match["words"].strip()
        is_named = " " in words or kinds_of_head(words.lower())
        yield from ((short(key), words) for key in names_of(match["latex"]) if is_named)


def _lines(prose: str) -> Iterator[re.Match[str]]:
    """Iterate over lines that say what a letter is, of which several stand below each other.

    One of them names a quantity of mechanics: else the letters may be of questions and answers.
    """
    lines = [*_GLOSS.finditer(prose)]
    near = {
        one
        for first, second in pairwise(lines)
        if not prose[first.end() : second.start()].strip()
        for one in (first, second)
    }
    if any(kinds_of_head(one["words"].strip().lower()) for one in near):
        yield from (one for one in lines if one in near)
