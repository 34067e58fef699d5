r"""Conditions that a page states beside its equations.

``For $m_1 = m_2 = m$ this becomes``, ``\qquad (m_2 = 0)``, ``m_2 \to 0:`` and ``for small angles``
say of what case an equation is. A formula in running text counts where the words before it say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from freebody.checking.meaning.conditions import SMALL
from freebody.documents.latex import Declared, LatexError, Relation
from freebody.documents.latex.grammar.equations import read_fragment
from freebody.documents.latex.page.inline import formulas
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import between
from freebody.documents.latex.tree import Name, Span

CONDITION = re.compile(r"=|\\(?:to|rightarrow|equiv|ll|approx)(?![A-Za-z])")
_ANYTHING = re.compile(r"\S")
_SIGN = re.compile(r"=|\\(?:to|rightarrow|longrightarrow|equiv|ll|approx)(?![A-Za-z])")
_BECOMES = frozenset({r"\to", r"\rightarrow", r"\longrightarrow"})
_TURNS = re.compile(
    r"\b(?:for|if|when(?:ever)?|with|set(?:ting)?|let(?:ting)?|put(?:ting)?|tak(?:e|ing)|assum\w*"
    r"|suppos\w*|case|at|limit|neglect\w*|ignor\w*|choos\w*|consider\w*|under|where|given"
    r"|provided|once|while|as)\b",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(r"\s*(?:is|are|corresponds?|denotes?|means?|refers?|being|points?)\b")
_SENTENCE = re.compile(
    r"(?<!i\.e)(?<!e\.g)(?<!cf)(?<!Eq)(?<!Eqs)[.!?;](?=\s)|\n[ \t\r]*\n|^#+ .*$|\|", re.MULTILINE
)
_PARTS = re.compile(
    r",|;|\\[,;:]\s*(?=\\text)|\\q?quad|\\(?:text|mathrm|mbox)\s*\{[^{}]*\}|\\(?:and|land|wedge)(?![a-z])"
)
_SMALL_WORDS = re.compile(
    r"\bsmall(?:[- ]+\w+){0,2}?[- ]+(?P<what>angle|oscillation|motion|displacement|deviation"
    r"|perturbation|vibration|rotation)s?\b|\bsmall\s*[}$]|\blineari[sz](?:ed|es|ing|ation|e)\b"
    r"|\bsmall\s*\\\(|(?:\$|\\\))\s*(?:(?:is|are|both|all|remains?|stays?|being)\s+)*small\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|around|near|close to|vicinity of|neighbou?rhood of)"
    r"(?:\s+(?!and\b|is\b)[a-z]+){0,4},?\s*\Z",
    re.IGNORECASE,
)
"""What stands before the position that angles are small about."""
_REST = re.compile(r"\b(?:at|from) rest\b|\bstand(?:s|ing)? still\b", re.IGNORECASE)
_UNITY = re.compile(
    r"\b(?:all|every|the)\s+(?:\w+\s+){0,2}?(?:constants?|parameters?|coefficients?)\s+"
    r"(?:(?:are|is|being|set|equal|taken|chosen)\s+){0,3}(?:to|as|equal|=)\s+"
    r"(?:\$?1\$?|one|unity)(?![\w.])",
    re.IGNORECASE,
)
_PUTS = re.compile(
    r"\b(?:if|setting|assum\w+|suppos\w+|neglect\w*|ignor\w*|in the (?:special )?case|limit|at rest"
    r"|stands? still|standing still|small|lineari[sz]\w*|equal(?!\s+to\b)|identical|approximat\w*"
    r"|without|for(?=\s*\$)|when|cases?|frictionless|massless)\b",
    re.IGNORECASE,
)
_SPACE = r"(?:\s|~|\\[,;:! ]|\\q?quad(?![a-z]))*"
_SAID = re.compile(rf"\\(?:text\w*|mathrm|mbox)\s*\{{([^{{}}]*)\}}{_SPACE}\Z")
_FOLLOWS = re.compile(rf"{_SPACE}[,:]?{_SPACE}\\(?:implies|Rightarrow|Longrightarrow)(?![a-z])")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_NEAR = 3
"""How many paragraphs a case of what moves lasts in running text."""
_QUOTED = 80  # characters


@dataclass(frozen=True)
class Small:
    r"""Words that call something small.

    Attributes
    ----------
    words : str
    about : tuple of Relation
        Where that is, as in ``for small angles about $\theta = \pi$``.
    names : tuple of Name
        What stands in their sentence, such as ``$\theta$ and $\dot\psi$ small``.
    """

    words: str
    about: tuple[Relation, ...]
    names: tuple[Name, ...]


@dataclass(frozen=True)
class Aside:
    """A condition beside equations.

    Attributes
    ----------
    relation : Relation
    display : Span or None
        The display whose equations alone it is about; None for all that follow.
    """

    relation: Relation
    display: Span | None = None


def asides(page: Page, declared: Declared, relations: Iterable[Relation]) -> Iterator[Aside]:
    """Iterate over the conditions of a page that are no equations of their own."""
    for formula in _in_text(page):
        yield from map(Aside, conditions(page, formula, declared))
    for relation in relations:
        for span in _beside(page, relation):
            for one in conditions(page, span, declared):
                yield Aside(replace(one, display=relation.display), relation.display)


def _in_text(page: Page) -> Iterator[Span]:
    """Iterate over the formulas in running text that words call a case."""
    for gap in between(page) if not page.inline else ():
        text = page.readable[gap.start : gap.stop]
        for whole, inside in formulas(text, page.language, CONDITION):
            if _turns(text, whole):
                yield Span(gap.start + inside.start, gap.start + inside.stop)


def _beside(page: Page, relation: Relation) -> Iterator[Span]:
    """Iterate over what stands beside an equation, or is a list of what is small itself."""
    if relation.relation == SMALL:
        yield relation.span
    for remark in relation.remarks:
        start = page.text.find(remark, relation.display.start, relation.display.stop)
        if start >= 0:
            yield Span(start, start + len(remark))


def turns(page: Page, span: Span) -> bool:
    """Return whether the words before a formula in running text say that it is a case."""
    gap = next((one for one in between(page) if one.start <= span.start < one.stop), None)
    if gap is None:
        return True
    moved = Span(span.start - gap.start, span.stop - gap.start)
    return _turns(page.readable[gap.start : gap.stop], moved)


def is_called_case(page: Page, relation: Relation) -> bool:
    r"""Return whether a display calls an equation a case: ``\text{if } F = 0``."""
    display = relation.display
    before = _SAID.search(page.text, display.start, relation.span.start)
    behind = _FOLLOWS.match(page.text, relation.span.stop, display.stop)
    return bool(behind or (before and _TURNS.search(before[1])))


def _turns(text: str, formula: Span) -> bool:
    ends = [match.end() for match in _SENTENCE.finditer(text, 0, formula.start)]
    sentence = re.sub(r"\$[^$]*\$", " ", text[ends[-1] if ends else 0 : formula.start])
    is_about = _ABOUT.search(text, max(0, formula.start - _QUOTED), formula.start)
    is_told = is_about or _EXPLAINS.match(text, formula.stop)
    return bool(_TURNS.search(sentence)) and not is_told


def conditions(page: Page, span: Span, declared: Declared) -> Iterator[Relation]:
    """Iterate over the relations in a stretch of a page that can be read."""
    start, text = span.start, page.text[span.start : span.stop]
    if text.startswith("(") and text.endswith(")"):
        start, text = start + 1, text[1:-1]
    parts, position = list[Span](), 0
    for match in (*_PARTS.finditer(text), None):
        stop = match.start() if match else len(text)
        parts.append(Span(start + position, start + stop))
        position = match.end() if match else stop
    listed = list[Span]()
    for part in parts:
        sign = _SIGN.search(page.text, part.start, part.stop)
        if sign:
            right = Span(sign.end(), part.stop)
            found = (_one(page, left, sign[0], right, declared) for left in listed)
            yield from (one for one in found if one is not None)
            yield from _chain(page, part, declared)
        listed = [] if sign else [*listed, part]


def _chain(page: Page, span: Span, declared: Declared) -> Iterator[Relation]:
    text = page.text[span.start : span.stop]
    signs = list(_SIGN.finditer(text))
    edges = [0, *(edge for sign in signs for edge in sign.span()), len(text)]
    sides = [
        Span(span.start + a, span.start + b) for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]
    for sign, left, right in zip(signs, sides, sides[1:], strict=False):
        one = _one(page, left, sign[0], right, declared)
        if one is not None:
            yield one


def _one(page: Page, left: Span, sign: str, right: Span, declared: Declared) -> Relation | None:
    try:
        left_node, right_node = (
            read_fragment(page.readable, *_trimmed(page, side), declared, page.macros.latest)
            for side in (left, right)
        )
    except LatexError:
        return None
    whole = Span(left.start, right.stop)
    return Relation(
        left_node,
        right_node,
        "=" if sign in _BECOMES else sign,
        f"({page.place(page.position(whole.start)[0])})",
        (),
        whole,
        *page.position(whole.start),
        page.text[whole.start : whole.stop],
        display=whole,
    )


def _trimmed(page: Page, side: Span) -> tuple[int, int]:
    text = page.text[side.start : side.stop]
    bare = text.rstrip().rstrip(".:")
    return side.start + len(text) - len(text.lstrip()), side.start + len(bare)


# ---------------------------------------------------------------------- words alone


def says_small(page: Page, since: int, relation: Relation, declared: Declared) -> Small | None:
    """Return the words before an equation, from where its section begins, that call it small."""
    text = page.readable[since : relation.span.start]
    found = [*_SMALL_WORDS.finditer(text)]
    if not found:
        return None
    ends = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    start = max(end for end in ends if end <= found[-1].start())
    stop = min(end for end in ends if end >= found[-1].end())
    about = [
        one
        for whole, inside in formulas(text[start:stop], page.language, CONDITION)
        if _ABOUT.search(text, start, start + whole.start)
        for one in conditions(page, _from(since + start, inside), declared)
    ]
    printed = (
        _from(since + start, inside)
        for _, inside in formulas(text[start:stop], page.language, _ANYTHING)
    )
    named = tuple(_names(page, printed, declared))
    said = " ".join(re.sub(r"[}$]|\\\)|\\\(", " ", found[-1][0]).split())
    return Small(said, tuple(about), named)


def _names(page: Page, printed: Iterable[Span], declared: Declared) -> Iterator[Name]:
    """Iterate over the names in a sentence, alone or in a list."""
    for span in printed:
        position = span.start
        for part in page.readable[span.start : span.stop].split(","):
            try:
                stop = position + len(part)
                node = read_fragment(page.readable, position, stop, declared, page.macros.latest)
            except LatexError:
                return
            position = stop + 1
            if isinstance(node, Name):
                yield node


def _from(start: int, span: Span) -> Span:
    return Span(start + span.start, start + span.stop)


def says_rest(page: Page, display: Span) -> str:
    """Return the words right before a display that say that nothing moves."""
    found = _REST.search(_last_sentence(page, display))
    return found[0] if found else ""


def says_unity(page: Page, display: Span) -> str:
    """Return the words right before a display that say that all constants are one."""
    found = _UNITY.search(_last_sentence(page, display))
    return found[0] if found else ""


def sentence_before(page: Page, display: Span) -> str:
    """Return the last words before a display, where they may put a case."""
    sentence = _last_sentence(page, display)
    return sentence[-_QUOTED:] if _PUTS.search(sentence) else ""


def _last_sentence(page: Page, display: Span) -> str:
    gap = next((one for one in between(page) if one.stop == display.start), None)
    text = page.readable[gap.start : gap.stop].strip() if gap else ""
    last = _PARAGRAPH.split(text)[-1]
    return " ".join(_SENTENCE.split(last.rstrip(" :.,"))[-1].split())


def lasts_over(text: str) -> bool:
    """Return whether a case of what moves in running text lasts over the text behind it."""
    return len(_PARAGRAPH.findall(text)) <= _NEAR
