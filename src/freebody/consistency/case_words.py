"""What the words around an equation say of it: a case, a direction, how large motions are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from freebody.checking.asides import sentence_before
from freebody.checking.introduced import cells_of
from freebody.documents.latex import Relation
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import Place
from freebody.documents.latex.tree import Name, Node, Span

_CASE = re.compile(
    r"\b(?:small|lin[eé]a[rl]i[sz]\w*|app?ro(?:x|ssim)\w*|neglect\w*|ignor\w*|assum\w*|suppos\w*|special|cases?"
    r"|limit\w*|massless|weightless|invert\w*|upright|upside|instead|alternativ\w*|other|another"
    r"|wrong\w*|incorrect\w*|mistake\w*|errors?|typo\w*|reduces?|if|when|setting"
    r"|equilibri\w*|static\w*|steady|at rest"
    r"|hover(?:s|ing)?|operating points?|trim|initial\w*|choos\w*|chang\w*|modif\w*|new"
    r"|(?:normal|(?:anti-?)?symmetric|in-phase|out-of-phase) modes?"
    r"|replac\w*|without|different\w*|opposite|reverse\w*|convention\w*|desired"
    r"|reference|estimat\w*|nominal|discret\w*|dimensionless|normali[sz]\w*"
    r"|kleine[nr]?|näherung\w*|vernachlässig\w*|(?:grenz|sonder|spezial)f[aä]ll\w*|wenn|falls"
    r"|ohne|statt(?:dessen)?|andere[nrs]?|aufrecht\w*|gleichgewicht\w*|ruhelage\w*"
    r"|petite?s?|néglig\w*|lorsque|quand|sans|équilibre\w*|au lieu|renversé\w*"
    r"|pequeñ\w*|despreci\w*|supong\w*|supon\w*|cuando|en lugar|otr[oa]s?"
    r"|piccol\w*|trascur\w*|quando|senza|invece|altr[oai]|capovolt\w*"
    r"|pequen\w*|desprez\w*|sem|em vez|outr[oa]s?"
    r"|cas[oi]?|límites?|limite\w*|inicia\w*|inizial\w*"
    r"|jeśli|jeżeli|gdy|małych|pomij\w*|indien|wanneer|zonder|verwaarlo\w*"
    r"|если|когда|малы\w*|пренебре\w*|без)\b"
    r"|\b(?:one|two|three|four|single) (?:mass(?:es)?|springs?|links?|bod(?:y|ies)|particles?|rods?"
    r"|dis[ck]s?|pendul(?:ums?|a)|atoms?)\s*:\s*\Z",
    re.IGNORECASE,
)
"""Words that may put a case, in nine languages: none that mean much else in another of these."""
_DIRECTION = re.compile(
    r"\b(?:(?:up|down|for|back|left|right|in|out)wards?|(?:counter-?|anti-?)?clockwise|up|down|left"
    r"|right|positive\w*|negative\w*|directions?|signs?|axes|axis|convention\w*)\b",
    re.IGNORECASE,
)
"""Words that may say in which direction something counts."""
_CHOOSING = re.compile(r"\bchoos\w*", re.IGNORECASE)
_NO_CASE = re.compile(
    r"\bdifferentia\w*|\brates? of change\b|\b(?:frame|system|point)s? of reference\b"
    r"|\breference (?:frame|system|point|axis|axes|level)s?\b|\bon the other hand\b"
    r"|\bchoos\w*\s+(?:\S+\s+){0,8}?coordinates?\b|\bzero initial conditions?\b"
    r"|\\(?:begin|end)\{\w+\*?\}|\((?:which is )?different (?:from|to|than) [^()]*\)"
    r"|\breplac\w*\s+\$(?:(?!\b(?:by|with)\b)[^.]){1,200}?,\s*(?:we|one)\s+(?:have|get|obtain|find)"
    r"|\b(?:if|when) (?:we|you|one) (?:substitut|plug|insert|put|expand|multipl|divid|rearrang)",
    re.IGNORECASE,
)
"""Words with some of those, which put no case."""
_ZEROED = re.compile(r"(?:=\s*0|\\to\s*(?:0|\\infty))\s*(?:\$|\\\))\s*:\s*\Z")
"""A formula with a colon, by which something is zero or goes to a limit."""
_LIMIT = re.compile(r"(?:\$|\\\()(?!t\b)[^$\n]{1,40}?\\to\s*(?:0|\\infty)\s*(?:\$|\\\))")
"""A limit in running text, for which all may be that follows in its section."""
_UPRIGHT = re.compile(r"upright|invert\w*|aufrecht\w*|renversé\w*|capovolt\w*", re.IGNORECASE)
_SMALL = re.compile(
    r"small|lin[eé]a[rl]i[sz]\w*|app?ro(?:x|ssim)\w*|upright|invert\w*|kleine[nr]?|näherung\w*"
    r"|aufrecht\w*|petite?s?|renversé\w*|pequeñ\w*|pequen\w*|piccol\w*|capovolt\w*",
    re.IGNORECASE,
)
"""Those of them that say how large motions are, and about which multiple of a right angle."""
_EQUILIBRIUM = re.compile(r"equilibri\w*", re.IGNORECASE)
_TURNED = re.compile(
    r"\b(?:upright|invert\w*|unstable|upper|top|vertical|downward\w*|hanging|pendant|lower|bottom"
    r"|stable|upside|aufrecht\w*|hängend\w*|(?:in|un)?stabil\w*|obere\w*|untere\w*|vertikal\w*"
    r"|renversé\w*|(?:in)?stables?|verticale?s?|pendant\w*|colgan\w*|(?:in)?estáve\w*|(?:in)?estable\w*"
    r"|capovolt\w*)\b|\\pi\b|180|π",
    re.IGNORECASE,
)
"""Words of positions from which an angle may be counted though it keeps its letter."""
_ABOUT_ZERO = re.compile(
    r"\blineari[sz]\w*\b(?:(?!\.\s).){0,160}"
    r"(?:\\(?:theta|(?:var)?phi|psi|alpha|beta)|[θϑφϕψαβ])(?:_\w|_\{\w+\})?"
    r"\s*=\s*0(?![.\d])",
    re.IGNORECASE | re.DOTALL,
)
"""Words that say about which position equations are linear."""
_SCALED = re.compile(
    r"\b(?:dimensionless|non-?\s?dimensional\w*|normali[sz]\w*|scal(?:ed|ing)"
    r"|unit (?:mass|length)\w*|set(?:ting)?|choos\w*|natural units"
    r"|numerical\w*|substitut\w*|plugg\w*)\b",
    re.IGNORECASE,
)
"""Words by which letters may be left out that are worth one."""
_ITEM = re.compile(r"\n[ \t>]*(?:[-*+•]|\d+[.)]|\\item\b)[ \t]+")
"""What begins an item of a list: what the others say is not about it."""
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|\n[ \t\r]*\n|(?<![^\n])#{1,6}[ \t][^\n]*\n")
"""What ends one: a full stop, a paragraph, a heading."""
_NEAR = 400
"""Characters before a display that may put a case."""


@dataclass(frozen=True)
class CaseWords:
    """The words that may put a case of one equation.

    Attributes
    ----------
    words : str
        Without those that put none.
    is_stated : bool
        Whether a condition stands beside the equation.
    is_zeroed : bool
        Whether something is zero or goes to a limit right before it, with a colon.
    """

    words: str
    is_stated: bool
    is_zeroed: bool

    @property
    def is_any(self) -> bool:
        """Whether they may put one."""
        return self.is_stated or self.is_zeroed or bool(_CASE.search(self.words))

    @property
    def is_more_than_upright(self) -> bool:
        """Whether they may put one other than that something is upright."""
        return self.is_stated or not all(map(_UPRIGHT.fullmatch, _CASE.findall(self.words)))

    @property
    def is_scaled(self) -> bool:
        """Whether letters may be left out that are worth one."""
        return bool(_SCALED.search(self.words))

    @property
    def is_directed(self) -> bool:
        """Whether they may say in which direction something counts."""
        return bool(_DIRECTION.search(self.words))

    def is_small(self, *, is_about_zero: bool) -> bool:
        """Return whether they put no case but that of small motions, about a known position."""
        found = _CASE.findall(self.words)
        if is_about_zero:
            found = [one for one in found if not _EQUILIBRIUM.fullmatch(one)]
        return not self.is_stated and bool(found) and all(map(_SMALL.fullmatch, found))


@dataclass(frozen=True)
class WordsAround:
    """The words around what is printed at one place.

    Attributes
    ----------
    words : str
        The sentence up to the next display, and what stands before one.
    ahead : str
        The sentence up to what is printed in running text; nothing of a display.
    printed : str
    is_limit : bool
        Whether a limit stands before it in its section.
    """

    words: str
    ahead: str
    printed: str
    is_limit: bool = False

    @classmethod
    def of(cls, page: Page, place: Place, gaps: Sequence[Span], since: int) -> WordsAround:
        """Find the words around a place.

        Parameters
        ----------
        page : Page
        place : Place
        gaps : sequence of Span
            What stands between the displays of the page.
        since : int
            Where its section begins.
        """
        start, stop = place.whole.start, place.whole.stop
        gap = gaps[bisect_right(gaps, start, key=attrgetter("start")) - 1]
        printed = page.text[start:stop]
        if not place.inline:
            before = page.readable[max(start - _NEAR, gap.start, since) : start]
            words = before.rpartition("\n\n\n")[2]
            sentence = sentence_before(page, place.whole)
            is_limit = _LIMIT.search(page.readable, since, start) is not None
            return cls(f"{words} {sentence}", "", printed, is_limit)
        ahead = _SENTENCE_END.split(page.readable[max(start - _NEAR, 0) : start])[-1]
        end = min(stop + _NEAR, gap.stop if gap.stop >= stop else page.stop)
        behind = _SENTENCE_END.split(page.readable[stop:end], maxsplit=1)[0]
        lead, *items = _ITEM.split(ahead)
        words = " ".join((lead, *items[-1:], _ITEM.split(behind, maxsplit=1)[0]))
        return cls(words, ahead, printed)

    @property
    def may_be_turned(self) -> bool:
        """Whether they may say that an angle counts from a position turned by half a turn."""
        return bool(_TURNED.search(f"{self.words} {self.printed}"))

    @property
    def is_about_zero(self) -> bool:
        """Whether they say that small motions are those about an angle of zero."""
        return bool(_ABOUT_ZERO.search(self.words))

    def about(self, relation: Relation) -> CaseWords:
        """Return those that may put a case of an equation that is printed there."""
        words = _NO_CASE.sub(" ", " ".join((self.words, *relation.remarks)))
        if _is_column_of_letters(relation.right):  # that coordinates are chosen is no case
            words = _CHOOSING.sub(" ", words)
        is_stated = bool(relation.case) or self.is_limit
        return CaseWords(words, is_stated, bool(_ZEROED.search(self.ahead)))


def _is_column_of_letters(node: Node) -> bool:
    """Return whether something is a column, or a row, with a letter of its own in each place."""
    cells = cells_of(node)
    keys = {(one.key, one.dots) for one in cells if isinstance(one, Name)}
    return bool(cells) and len(keys) == len(cells)
