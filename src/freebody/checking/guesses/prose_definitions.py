r"""What a page says of its symbols in words: "where $m_1$ is the mass of link 1"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from freebody.checking.guesses.catalogue import Entry
from freebody.checking.guesses.explanations import explanations, phrase_of
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


class Settled(NamedTuple):
    """The words for a symbol that all that a page says of it has in common, and of which kinds."""

    words: str
    kinds: frozenset[str]


def settled(prose: str, keys: Iterable[str]) -> dict[str, Settled]:
    r"""Return what symbols are without doubt: all that a page says of one is alike.

    Examples
    --------
    >>> page = "The mass of the cart $M$ and the total mass $M$ of it all hang at a length $l$."
    >>> settled(page, ["M", "l"])
    {'l': Settled(words='length', kinds=frozenset({'length'}))}
    """
    told: dict[str, dict[str, frozenset[str]]] = {}
    for key, phrase, is_behind in _told(prose, keys):
        kinds = kinds_of_head(phrase) if is_behind else kinds_at_end(phrase)
        told.setdefault(key, {})[phrase] = kinds
    return {key: one for key, known in told.items() if (one := _alike(known))}


class Explained(NamedTuple):
    """What words behind a symbol call it, and whether words in front of it do so as well."""

    phrases: frozenset[str]
    is_named: bool


def explained_behind(prose: str, keys: Iterable[str]) -> dict[str, Explained]:
    r"""Return what words behind symbols call them, which no others can be about.

    Examples
    --------
    >>> found = explained_behind("A cart of mass $M$, where $l$ is a length.", ["M", "l"])
    >>> sorted(found), found["l"].phrases, found["l"].is_named
    (['l'], frozenset({'length'}), False)
    """
    behind: dict[str, set[str]] = {}
    before = set[str]()
    for key, phrase, is_behind in _told(prose, keys):
        if is_behind:
            behind.setdefault(key, set()).add(phrase)
        else:
            before.add(key)
    return {key: Explained(frozenset(one), key in before) for key, one in behind.items()}


def _told(prose: str, keys: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Iterate over symbols with what a page calls them, and whether that stands behind them."""
    for key, words, is_behind in explanations(prose, {*keys}):
        if phrase := phrase_of(words).lower():
            yield key, phrase, is_behind


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


def _alike(told: Mapping[str, frozenset[str]]) -> Settled | None:
    """Return the shortest words, where they are part of all others, with their kinds."""
    least = min(told, key=len)
    is_alike = all({*least.split()} <= {*one.split()} for one in told)
    return Settled(least, told[least]) if is_alike and len({*told.values()}) == 1 else None


def _says(words: str, entries: Sequence[Entry]) -> dict[str, float]:
    says: dict[str, float] = {}
    says |= dict.fromkeys(kinds_of(words), KIND)
    own = set(_WORD.findall(words)) - _COMMON
    for entry in entries:
        shared = own & set(_WORD.findall(entry.words.lower()))
        if len(shared) > 1:
            says[str(entry.meaning)] = NAME * min(len(shared), 3)
    return says
