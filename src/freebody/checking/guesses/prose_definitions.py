r"""What a page says of its symbols in words: "where $m_1$ is the mass of link 1".

The words are those of ``words.toml``, in eight European languages, Russian, Chinese, Japanese and
Korean.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

from freebody.checking.guesses.catalogue import Entry
from freebody.documents.latex import LatexError
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.tokens import parse

NEAR = 90
"""Characters behind a symbol in which it is explained."""
LONGEST = 60
"""Characters of a formula of nothing but symbols."""
KIND = 0.6
NAME = 0.3
_INLINE = re.compile(
    r"(?<![\\$])\$`?(?![$`])([^$\n]{1,2000}?)`?\$(?!\$)|\\\((.{1,2000}?)\\\)|:math:`([^`\n]+)`"
)
_EXPLAINS = re.compile(
    r"[\s,*|]*(?:\(|:|=|--?|–|—|\||：|（|为|為|是|表示|代表|は|는|은|обознача\w*|это\b|является\b"
    r"|is\b|are\b|be\b|denotes?\b|represents?\b|stands? for\b|the\b|an?\b"
    r"|ist\b|sind\b|bezeichnet\b|der\b|die\b|das\b|eine?\b"
    r"|est\b|sont\b|désignent?\b|représentent?\b|les?\b|la\b|une?\b|l['’]"
    r"|es\b|son\b|denotan?\b|representan?\b|el\b|los\b|las\b|una?\b"
    r"|é\b|são\b|designa\b|representam\b|o\b|os\b|as\b|uma?\b"
    r"|è\b|sono\b|indica\b|rappresenta\b|il\b|lo\b|gli\b|un['’]"
    r"|de\b|het\b|een\b|zijn\b|jest\b|to\b|są\b|oznacza\b)",
    re.IGNORECASE,
)
_END = re.compile(r"[.;\n。；，]|\$|\|\s*\|")
_BEFORE = 40
"""Characters in front of a symbol in which it is called what it is: "a cart of mass $M$"."""
_HEADS_LAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of languages that say last what something is: Chinese, Japanese, Korean."""
_COPULA = re.compile(r"(?:为|為|是|は)\s*$")
SETTLED = frozenset({"mass", "inertia", "gravity", "kinetic", "potential", "lagrangian", "total"})
"""Of what kinds a page that has one alone need not say more in words."""
_WORD = re.compile(r"[a-z]{3,}|\d+")
_COMMON = frozenset(
    {"the", "and", "for", "from", "with", "its", "this", "that", "into", "about", "each"}
)


def explained_meanings(
    prose: str, keys: Iterable[str], entries: Sequence[Entry]
) -> Mapping[str, dict[str, float]]:
    r"""Return what a page says of symbols: how much less costs each kind, and each meaning.

    Examples
    --------
    >>> page = "Here $m_1$ is the mass of the first link."
    >>> explained_meanings(page, ["m_1"], [])
    {'m_1': {'mass': 0.6}}
    """
    wanted = set(keys)
    found: dict[str, dict[str, float]] = {}
    for match in _INLINE.finditer(prose):
        latex = match[1] or match[2] or match[3]
        keys_here = _names(latex) & wanted if len(latex) <= LONGEST else set()
        if keys_here:
            words = _explanation(prose, match.end()) or _called(prose, match.start())
            says = _says(words, entries) if words else {}
            for key in keys_here:
                found.setdefault(key, {}).update(says)
    return {key: says for key, says in found.items() if says}


def _explanation(prose: str, position: int) -> str:
    """Return what explains a symbol that ends here, in small letters, if anything does."""
    following = prose[position : position + NEAR]
    if not _EXPLAINS.match(following):
        return ""
    end = _END.search(following, 1)
    return following[: end.start() if end else None].lower()


def _called(prose: str, position: int) -> str:
    """Return the word in front of a symbol by which it is called, in small letters, if any is."""
    before = _COPULA.sub("", prose[max(0, position - _BEFORE) : position].lower())
    last = re.search(r"([^\W\d_][\w'’ ]*?)\s*$", before)
    phrases = (phrase for phrase, _ in _phrases() if last and last[1].endswith(phrase))
    return next(phrases, "")


def _names(latex: str) -> set[str]:
    """Return the names in a formula of nothing but names and commas."""
    try:
        items = parse(latex, 0, len(latex))
    except LatexError:
        return set()
    names, position = set(), 0
    while position < len(items):
        options = spellings(items, position)
        if options:
            key = options[-1].form(0, raised=False)
            names |= {key, re.sub(r"_\{(\w)\}", r"_\1", key)}
            position = options[-1].stop
        elif items[position].text in (",", r"\ "):
            position += 1
        else:
            return set()
    return names


def _says(words: str, entries: Sequence[Entry]) -> dict[str, float]:
    says: dict[str, float] = {}
    says |= dict.fromkeys(_kinds(words), KIND)
    own = set(_WORD.findall(words)) - _COMMON
    for entry in entries:
        shared = own & set(_WORD.findall(entry.words.lower()))
        if len(shared) > 1:
            says[str(entry.meaning)] = NAME * min(len(shared), 3)
    return says


@cache
def _phrases() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the phrases that say what a symbol is, with of which kinds that is."""
    text = resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return tuple(
        (phrase, tuple(one["kinds"]))
        for one in tomllib.loads(text)["words"]
        for key, phrases in one.items()
        if key != "kinds"
        for phrase in phrases
    )


def _kinds(words: str) -> tuple[str, ...]:
    """Return what the words behind a symbol say that it is: the first of them, or the last."""
    if _HEADS_LAST.search(words):
        last = [
            (words.rindex(one) + len(one), len(one), kinds)
            for one, kinds in _phrases()
            if one in words
        ]
        return max(last, default=(0, 0, ()))[2]
    first = [(words.index(one), -len(one), kinds) for one, kinds in _phrases() if one in words]
    return min(first, default=(0, 0, ()))[2]
