r"""What a page says of its symbols in words: "where $m_1$ is the mass of link 1"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from freebody.checking.guesses.catalogue import Entry
from freebody.checking.guesses.explanations import explanations
from freebody.checking.guesses.naming import phrase_of, statement
from freebody.checking.guesses.words import kinds_at_end, kinds_of, kinds_of_head

KIND = 0.6
NAME = 0.3
SETTLED = frozenset({"mass", "inertia", "gravity", "kinetic", "potential", "lagrangian", "total"})
"""Of what kinds a page that has one alone need not say more in words."""
_AT_ONCE = (
    frozenset({"position", "coordinate", "coordinates", "length", "angle"}),
    frozenset({"gravity", "acceleration"}),
)
"""Kinds that one thing may be of at once, such as the height of a mass."""
_WORD = re.compile(r"[a-z]{3,}|\d+")
_COMMON = frozenset(
    {"the", "and", "for", "from", "with", "its", "this", "that", "into", "about", "each"}
)


def explained_meanings(
    prose: str, keys: Iterable[str], entries: Sequence[Entry]
) -> dict[str, dict[str, float]]:
    r"""Return what a page says of symbols: how much less costs each kind, and each meaning.

    Examples
    --------
    >>> page = "Here $m_1$ is the mass of the first link."
    >>> explained_meanings(page, ["m_1"], [])
    {'m_1': {'mass': 0.6}}
    """
    found: dict[str, dict[str, float]] = {}
    for key, words, _ in explanations(prose, {*keys}):
        found.setdefault(key, {}).update(_says(words.lower(), entries))
    return {key: says for key, says in found.items() if says}


def phrases(prose: str, keys: Iterable[str]) -> dict[str, str]:
    r"""Return the words in which a page says what symbols are, as they are printed.

    The first count, of those that name a quantity of mechanics.

    Examples
    --------
    >>> page = "where $\\mu$ is the coefficient of friction, and $J$ the inertia of the wheel."
    >>> phrases(page, [r"\mu", "J"])
    {'\\mu': 'coefficient of friction', 'J': 'inertia of the wheel'}
    """
    found: dict[str, str] = {}
    for key, words, _ in reversed([*explanations(prose, {*keys})]):
        if phrase := phrase_of(words):
            is_better = not kinds_of(found.get(key, "").lower()) and kinds_of(phrase.lower())
            if is_better or key not in found:
                found[key] = phrase
    return found


class Said(NamedTuple):
    """What a page calls a symbol, whether behind it or in front of it, and what leads to that."""

    phrase: str
    is_behind: bool
    lead: str = ""

    @property
    def kinds(self) -> frozenset[str]:
        """Of which kinds what is called so is."""
        return kinds_of_head(self.phrase) if self.is_behind else kinds_at_end(self.phrase)


def said_of(prose: str, keys: Iterable[str]) -> dict[str, tuple[Said, ...]]:
    """Return all that a page calls its symbols, each once.

    Examples
    --------
    >>> said_of("A cart of mass $M$, where $l$ is a length.", ["M", "l"])["l"]
    (Said(phrase='length', is_behind=True, lead='is a'),)
    """
    found: dict[str, dict[Said, None]] = {}
    for key, words, is_behind in explanations(prose, {*keys}):
        if phrase := phrase_of(words).lower():
            lead = statement(words) if is_behind else ""
            found.setdefault(key, {})[Said(phrase, is_behind, lead)] = None
    return {key: tuple(said) for key, said in found.items()}


class Settled(NamedTuple):
    """The words for a symbol that all that a page says of it has in common, and of which kinds."""

    words: str = ""
    kinds: frozenset[str] = frozenset()


def settled(said: Collection[Said]) -> Settled:
    """Return what a symbol is without doubt, where all that a page says of it is alike.

    These are the shortest words, where they are part of all others.

    Examples
    --------
    >>> settled([Said("mass of the cart", False), Said("total mass", False)])
    Settled(words='', kinds=frozenset())
    >>> settled([Said("length", True), Said("length of the rod", True)])
    Settled(words='length', kinds=frozenset({'length'}))
    """
    least = min((one.phrase for one in said), key=len, default="")
    is_alike = all({*least.split()} <= {*one.phrase.split()} for one in said)
    kinds = {one.kinds for one in said}
    return Settled(least, *kinds) if is_alike and len(kinds) == 1 else Settled()


def agree(words: str, kinds: Collection[str]) -> bool:
    """Return whether words call something one of some kinds, or nothing that a kind is called.

    Examples
    --------
    >>> agree("radius of the wheel", {"length"}), agree("location of the mass", {"mass"})
    (True, False)
    >>> agree("thrust", {"force"})
    True
    """
    told = words.lower()
    alike = {*kinds, *chain.from_iterable(one for one in _AT_ONCE if one.intersection(kinds))}
    return not kinds_of(told) or not kinds_of_head(told).isdisjoint(alike)


def _says(words: str, entries: Sequence[Entry]) -> dict[str, float]:
    says: dict[str, float] = {}
    says |= dict.fromkeys(kinds_of(words), KIND)
    own = set(_WORD.findall(words)) - _COMMON
    for entry in entries:
        shared = own & set(_WORD.findall(entry.words.lower()))
        if len(shared) > 1:
            says[str(entry.meaning)] = NAME * min(len(shared), 3)
    return says
