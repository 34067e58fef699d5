r"""Printed LaTeX as MathML, with places marked.

A formula is put down in pieces that begin with a relation or a sign, so that a browser breaks it
into lines as it breaks words. Each place is marked only where the mark leaves the formula what it
was; what cannot be rendered is shown as it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Literal

from freebody.checking.findings import Span
from freebody.reporting.latex import (
    depth,
    joined,
    marked,
    plain,
    segments,
    unaligned,
    unpaired,
    visible,
)

if TYPE_CHECKING:
    from math_core import LatexToMathML

Mark = Literal["wrong", "proposed"]

COLOURS: Mapping[Mark, tuple[str, str]] = {
    "wrong": ("WildStrawberry", "color:#FF3769;"),
    "proposed": ("PineGreen", "color:#058D74;"),
}
"""A colour that stands for each mark until it is a class of the style sheet, and its style."""

TEXT = re.compile(r"\\(?:mbox|textnormal|hbox)(?![A-Za-z])")
LONGEST = 10_000
"""Characters of a formula that is rendered."""

DEEPEST = 50
"""Levels of groups in a formula that is rendered."""

GROUPING = re.compile(r"</?mrow[^>]*>|<mspace[^>]*/>|<mo[^>]*>&ApplyFunction;</mo>")
ATTRIBUTES = re.compile(r"<(\w+)[^>]*>")


@dataclass(frozen=True, slots=True)
class Formulas:
    """The formulas of a page.

    Attributes
    ----------
    expand : callable
        Takes LaTeX, and returns it with the macros of the page expanded.
    language : str
        What they are written in, where that is code; empty for LaTeX.
    """

    expand: Callable[[str], str]
    language: str = ""

    def html(self, latex: str, places: Iterable[Span] = (), mark: Mark = "wrong") -> str:
        r"""Return a formula as HTML, with places marked.

        Parameters
        ----------
        latex : str
            As printed.
        places : iterable of tuple of int
            What is marked.
        mark : {"wrong", "proposed"}
            How.

        Examples
        --------
        >>> Formulas(str).html("a - b", [(2, 3)])[-87:]
        '<mrow class="wrong"><mrow></mrow><mo>−</mo><mrow></mrow></mrow><mi>b</mi></math></span>'
        >>> Formulas(str).html(r"\unknown < 1")
        '<code class="latex">\\unknown &lt; 1</code>'
        """
        from math_core import LatexError

        if self.language:
            return _code(latex, places, mark)
        unrendered = f'<code class="latex">{escape(plain(latex))}</code>'
        if len(latex) > LONGEST:
            return unrendered
        wrong = joined(places)
        text = unaligned(visible(latex))
        lead, tail = unpaired(text)
        text, wrong = f"{lead}{text}{tail}", [(a + len(lead), b + len(lead)) for a, b in wrong]
        for pieces in (segments(text), [(0, len(text))]):
            try:
                made = [self._piece(text, piece, wrong, mark) for piece in pieces]
            except LatexError:
                continue
            return f'<span class="formula">{"<wbr>".join(filter(None, made))}</span>'
        return unrendered

    def _piece(self, text: str, piece: Span, places: Iterable[Span], mark: Mark) -> str:
        """Return one piece of a formula as MathML."""
        start, end = piece
        if not text[start:end].strip():
            return ""
        lead = "{}" if start else ""
        latex = lead + text[start:end]
        moved = len(lead) - start
        inside = [
            (max(a, start) + moved, min(b, end) + moved) for a, b in places if a < end and start < b
        ]
        colour, style = COLOURS[mark]
        made = _mathml(self.coloured(latex, inside, colour))
        return made.replace(f'style="{style}"', f'class="{mark}"')

    def coloured(self, latex: str, places: Iterable[Span], colour: str) -> str:
        r"""Return LaTeX without macros, with places in a colour.

        All of it is coloured where a place cannot be told apart, and nothing where even that would
        change the formula, or it cannot be rendered.

        Examples
        --------
        >>> Formulas(str).coloured(r"\frac{a}{b}", [(6, 7)], "red")
        '\\frac{\\textcolor{red}{a}}{b}'
        """
        places, printed = list(places), self.expand(latex)
        if not places or len(latex) > LONGEST:
            return printed
        for tried in (places, [(0, len(latex))]):
            made = self.expand(marked(latex, tried, colour))
            if _same(made, printed):
                return made
        return printed


def _same(latex: str, other: str) -> bool:
    """Whether two formulas are rendered as the same, but for colours and spaces."""
    from math_core import LatexError

    try:
        return _skeleton(_mathml(latex)) == _skeleton(_mathml(other))
    except LatexError:
        return False


def _mathml(latex: str) -> str:
    """Return LaTeX as MathML, within bounds: the converter calls itself for each level."""
    from math_core import LatexError

    if len(latex) > LONGEST or depth(latex) > DEEPEST:
        raise LatexError("too long or too deep to be rendered")
    made = _converter().convert_with_local_state(TEXT.sub(r"\\text ", latex), displaystyle=True)
    return made.replace('<math display="block">', '<math displaystyle="true">', 1)


@cache
def _converter() -> LatexToMathML:
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False)


def _skeleton(mathml: str) -> str:
    """Return what is left of MathML without what only groups and spaces."""
    return ATTRIBUTES.sub(r"<\1>", GROUPING.sub("", mathml))


def _code(words: str, places: Iterable[Span], mark: Mark) -> str:
    """Return code as HTML, with places marked."""
    shown, parts, done = visible(words), list[str](), 0
    for start, stop in joined(places):
        marked_part = f'<mark class="{mark}">{escape(shown[start:stop])}</mark>'
        parts += [escape(shown[done:start]), marked_part]
        done = stop
    return f'<code class="latex">{"".join(parts)}{escape(shown[done:])}</code>'
