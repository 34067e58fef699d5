"""Of which kinds words say that something is, by the phrases of ``words.toml``.

These are in eight European languages, Russian, Chinese, Japanese and Korean.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

Phrases = tuple[tuple[str, tuple[str, ...]], ...]
"""Phrases with what each tells of what is called so."""
OF = re.compile(
    r"(?<![-\w])(?:of|in|on|at|(?<!due )to|for|about|with|between|by|from|since|that|which|von|mit"
    r"|bei|zwischen|für|der|des|entre|de|du|dans|avec|con|com|em|di|del|della|do|da|que|qui|che|auf|sur"
    r"|sobre|su|aux?|al|alla|allo|ai|alle|dal|dalla|nel|nella|sul|sulla|ao|pel[oa]|zum|zur)(?![-\w])"
)
"""What leads from what is named to what it belongs to."""
_PARTS = re.compile(
    r"^(?:the |an? )?(?:sum|total|magnitude|modulus|norm|value|amount|components?|change|summe"
    r"|betrag|somme|norme|suma|módulo|soma|somma|modulo) (?:of|in|von|der|des|de|del|di|da|do) "
    r"(?:the |der |des |la |el |le |las |os |as )?"
)
"""Words for a part or a measure of something, which is of the kind of that."""
_AND = re.compile(r"\b(?:and|und|et|y|e|ed|i|oraz|и|en)\b")
HEADS_LAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of languages that say last what something is: Chinese, Japanese, Korean."""
_HEADS_FIRST = re.compile(r"[а-яё]")
"""Letters of languages that say first what something is, and then of what."""
_NO_KIND = re.compile(
    r"longitudinal\w*|massless|sometimes|time[- ]step\w*|time[- ]constant\w*"
    r"|mass[- ](?:fraction|ratio)\w*|\w*composition\w*|superposition\w*|(?:rect|tri|quadr)angle\w*"
)
"""Words with the name of a kind in them that are not of that kind."""


def kinds_of_head(phrase: str) -> frozenset[str]:
    """Return the kinds of what is named, and not of what that belongs to: a location of a mass."""
    return told_of_head(phrase, known_phrases())


def told_of_head(phrase: str, known: Phrases) -> frozenset[str]:
    """Return what known phrases tell of what is named, and not of what that belongs to."""
    phrase = _NO_KIND.sub("", phrase)
    if HEADS_LAST.search(phrase):
        return frozenset(_told(phrase, known))
    phrase = _PARTS.sub("", phrase)
    head = OF.split(phrase, maxsplit=1)[0]
    if _AND.search(head):
        return frozenset()  # of several symbols, each has one
    if _HEADS_FIRST.search(head):
        return frozenset(_told(head, known))
    named = [
        (phrase.index(one) + len(one), len(one), told)
        for one, told in known
        if one in phrase and phrase.index(one) < len(head)
    ]
    return frozenset(max(named, default=(0, 0, ()), key=lambda one: one[:2])[2])


def kinds_at_end(phrase: str) -> frozenset[str]:
    """Return the kinds of what is named last, right in front of its symbol: a cart of mass."""
    return frozenset(_at_end(phrase)[1])


def known_at_end(phrase: str) -> str:
    """Return the known phrase that words end with; nothing where there is none.

    Examples
    --------
    >>> known_at_end("with spring constant"), known_at_end("a superposition")
    ('spring constant', '')
    """
    return _at_end(phrase)[0]


def _at_end(phrase: str) -> tuple[str, tuple[str, ...]]:
    phrase = _NO_KIND.sub("", phrase)
    return next((known for known in known_phrases() if phrase.endswith(known[0])), ("", ()))


@cache
def known_phrases() -> Phrases:
    """Return the phrases that say what a symbol is, the longest first, with of which kinds."""
    text = resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    found = [
        (phrase, tuple(one["kinds"]))
        for one in tomllib.loads(text)["words"]
        for key, phrases in one.items()
        if key != "kinds"
        for phrase in phrases
    ]
    return tuple(sorted(found, key=lambda one: -len(one[0])))


def kinds_of(words: str) -> Sequence[str]:
    """Return what the words behind a symbol say that it is: the first of them, or the last."""
    return _told(_NO_KIND.sub("", words), known_phrases())


def _told(words: str, known: Phrases) -> Sequence[str]:
    """Return what is told by the first phrase of some words, or the last."""
    if HEADS_LAST.search(words):
        last = [
            (words.rindex(one) + len(one), len(one), told) for one, told in known if one in words
        ]
        return max(last, default=(0, 0, ()), key=lambda one: one[:2])[2]
    first = [(words.index(one), -len(one), told) for one, told in known if one in words]
    return min(first, default=(0, 0, ()), key=lambda one: one[:2])[2]
