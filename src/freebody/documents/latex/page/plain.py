"""Equations that a page prints in plain letters, ``M(θ)θ̈ + C = τ``, which are not read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.passed import Passed
from freebody.documents.latex.page.places import between

PLAIN = "in plain letters; write it between dollars"
_LONGEST = 200  # characters
_READ = re.compile(
    r"\\\\?\(.*?\\\\?\)|\$[^$\n]*\$|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+|<[^>\n]*>", re.DOTALL
)
_EQUATION = re.compile(rf"[^\n=|]{{1,{_LONGEST}}}=[^\n=|]{{1,{_LONGEST}}}")
_MARK = r"[\u0370-\u03ff\u0300-\u030c\u1e00-\u1eff·×²³½√∂∑∫∇₀-₉ᵀ⁻¹]"
_LETTERS = re.compile(rf"{_MARK}|[A-Za-z]\^\S|[A-Za-z)]_\{{?\w|[\w)]\*[\w(]")
_WORD = r"(?:(?!sin|cos|tan|exp)[A-Za-z]{3,}|is|as|of|at|in|so|by|we|to|on|or|if|it|an|be)[.,;:]?"
_TOKEN = rf"(?!{_WORD}(?:\s|$))[^\s=]++"
_SIDES = re.compile(
    rf"(?<!\S)(?:{_TOKEN}[ \t]++)*{_TOKEN}[ \t]*+=[ \t]*+{_TOKEN}(?:[ \t]++{_TOKEN})*"
)


def in_plain_letters(page: Page) -> Iterator[Passed]:
    """Yield the equations of running text, but in LaTeX, that are no formulas.

    Examples
    --------
    >>> page = Page("The arm obeys M(θ)θ̈ + C = τ here, and a = b as well.")
    >>> [page.text[one.start : one.stop] for one in in_plain_letters(page)]
    ['M(θ)θ̈ + C = τ']
    """
    if page.language == "latex":
        return
    for gap in between(page):
        text = _READ.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), page.readable[gap.start : gap.stop])
        for line in _EQUATION.finditer(text):
            sides = _SIDES.search(line[0])
            if sides and _LETTERS.search(sides[0]):
                start = gap.start + line.start() + sides.start()
                found = sides[0].rstrip(".,;:")
                yield Passed(start, start + len(found), PLAIN)
