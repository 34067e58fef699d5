r"""Equations in running text: ``$...$`` and ``\(...\)``.

A ``$`` may be money. In Markdown a formula is not followed by a digit and holds no two plain words
in a row; where a blank begins it and none ends it, or the other way, it has a command, or no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.documents.latex.page.blanks import Language
from freebody.documents.latex.page.passed import RELATION
from freebody.documents.latex.tree import Span

_LONGEST, _LONGEST_SET = 500, 5000
"""Characters of a formula in running text, and of one in lines of its own."""
_FORMULA = re.compile(
    rf"(?<!\\)\\\\\((?P<doubled>(?:\\[^()\\]|[^\\]){{1,{_LONGEST}}}?)\\\\\)"
    rf"|\\\((?P<round>(?:\\[^()]|[^\\]){{1,{_LONGEST}}}?)\\\)|\\."
    rf"|\$(?P<set>\s*\\begin\{{(?:\\.|[^$\\]){{1,{_LONGEST_SET}}})\$"
    rf"|\$(?P<dollar>(?:\\.|[^$\\]){{1,{_LONGEST}}})\$",
    re.DOTALL,
)
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_PRINTED_WORDS = re.compile(r"\\[A-Za-z]+\s*(?:\{[A-Za-z\s]*\})?")
_COMMAND, _WORD = re.compile(r"\\[A-Za-z]{2,}"), re.compile(r"[A-Za-z]{2,}")
_TWO_WORDS = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}\s+[A-Za-z]{2,}")


def formulas(
    text: str, language: Language, relation: re.Pattern[str] = RELATION
) -> Iterator[tuple[Span, Span]]:
    """Yield where formulas with a relation stand in running text: all of each, and its inside.

    Examples
    --------
    >>> text = "It costs $5, for $a = b$ and $6 = 5$, not 7$."
    >>> [text[inside.start : inside.stop] for _, inside in formulas(text, "markdown")]
    ['a = b', '6 = 5']
    """
    position = 0
    while match := _FORMULA.search(text, position):
        kind = match.lastgroup
        position = match.end()
        if kind is None or (kind == "doubled" and language == "latex"):
            continue
        if not _is_formula(text, match, kind, language):
            position = match.start() + {"dollar": 1, "set": 1, "round": 2}.get(kind, 3)
        elif relation.search(match[kind]):
            yield Span(*match.span()), Span(*match.span(kind))


def _is_formula(text: str, match: re.Match[str], kind: str, language: Language) -> bool:
    inside = match[kind]
    if _PARAGRAPH.search(inside):
        return False
    if language == "latex" or kind not in ("dollar", "set"):
        return True
    is_spaced = inside[0].isspace(), inside[-1].isspace()
    follows_digit = text[match.end() : match.end() + 1].isdigit()
    words = _TWO_WORDS.search(_PRINTED_WORDS.sub(" ", inside))
    is_told = is_spaced[0] == is_spaced[1] or _COMMAND.search(inside) or not _WORD.search(inside)
    return bool(is_told) and not follows_digit and not words
