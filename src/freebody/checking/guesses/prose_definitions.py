r"""What a page says of its symbols in words: "where $m_1$ is the mass of link 1"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from freebody.checking.guesses.catalogue import Entry
from freebody.documents.latex import LatexError
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.tokens import parse

NEAR = 90
"""Characters behind a symbol in which it is explained."""
KIND = 0.6
NAME = 0.3
_INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$\n]{1,60})\$(?!\$)|\\\((.{1,60}?)\\\)")
_EXPLAINS = re.compile(
    r"[\s,*]*(?:\(|is\b|are\b|be\b|denotes?\b|represents?\b|stands? for\b|the\b|an?\b|:|=|--?|–|—)"
)
_END = re.compile(r"[.;\n]|\$")
_KINDS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("moment of inertia", ("inertia",)),
    ("inertia matrix", ("M",)),
    ("mass matrix", ("M",)),
    ("center of mass", ("position", "length")),
    ("centre of mass", ("position", "length")),
    ("mass", ("mass",)),
    ("length", ("length",)),
    ("distance", ("length",)),
    ("radius", ("length",)),
    ("gravitational acceleration", ("gravity",)),
    ("acceleration of gravity", ("gravity",)),
    ("acceleration due to gravity", ("gravity",)),
    ("gravit", ("gravity", "G")),
    ("angle", ("angle",)),
    ("angular velocity", ("speed", "turning rate")),
    ("coriolis", ("C",)),
    ("centrifugal", ("C",)),
    ("torque", ("moment", "tau", "reaction moment")),
    ("moment", ("moment", "reaction moment")),
    ("reaction", ("reaction", "reaction moment")),
    ("force", ("force", "reaction", "multiplier")),
    ("kinetic energy", ("kinetic",)),
    ("potential energy", ("potential",)),
    ("lagrangian", ("lagrangian",)),
    ("total energy", ("total",)),
)
_WORD = re.compile(r"[a-z]{3,}|\d+")
_COMMON = frozenset(
    {"the", "and", "for", "from", "with", "its", "this", "that", "into", "about", "each"}
)


def spoken(
    prose: str, keys: Iterable[str], entries: Sequence[Entry]
) -> Mapping[str, dict[str, float]]:
    r"""Return what a page says of symbols: how much less costs each kind, and each meaning.

    Examples
    --------
    >>> page = "Here $m_1$ is the mass of the first link."
    >>> spoken(page, ["m_1"], [])
    {'m_1': {'mass': 0.6}}
    """
    wanted = set(keys)
    found: dict[str, dict[str, float]] = {}
    for match in _INLINE.finditer(prose):
        told = _told(prose, match.end())
        if told:
            for key in _names(match[1] or match[2]) & wanted:
                found.setdefault(key, {}).update(_says(told, entries))
    return found


def _told(prose: str, position: int) -> str:
    """Return what explains a symbol that ends here, in small letters, if anything does."""
    following = prose[position : position + NEAR]
    if not _EXPLAINS.match(following):
        return ""
    end = _END.search(following, 1)
    return following[: end.start() if end else None].lower()


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


def _says(told: str, entries: Sequence[Entry]) -> dict[str, float]:
    says: dict[str, float] = {}
    kinds = next((kinds for phrase, kinds in _KINDS if phrase in told), ())
    says |= dict.fromkeys(kinds, KIND)
    words = set(_WORD.findall(told)) - _COMMON
    for entry in entries:
        shared = words & set(_WORD.findall(entry.words.lower()))
        if len(shared) > 1:
            says[str(entry.meaning)] = NAME * min(len(shared), 3)
    return says
