"""Words for things, with the letters that stand for them, by ``things.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.words import Phrases, kinds_of_head, told_of_head


def is_letter_for(looks: SymbolShape, words: str) -> bool:
    r"""Return whether a symbol has a letter for what words call it.

    Examples
    --------
    >>> rho, m = SymbolShape.of(r"\rho"), SymbolShape.of("m_2")
    >>> is_letter_for(rho, "density of the air"), is_letter_for(m, "density of the air")
    (True, False)
    >>> is_letter_for(m, "mass of the rod"), is_letter_for(m, "force on the mass")
    (True, False)
    """
    told = words.lower()
    kinds, letters = kinds_of_head(told), told_of_head(told, _letters())
    return looks.letter in letters or not kinds.isdisjoint(looks.kinds)


def is_of_something(words: str) -> bool:
    """Return whether words name a thing that symbols stand for.

    Examples
    --------
    >>> is_of_something("damping ratio"), is_of_something("only unknown")
    (True, False)
    """
    told = words.lower()
    return bool(kinds_of_head(told) or told_of_head(told, _letters()))


@cache
def _letters() -> Phrases:
    """Return the words for things, with their letters."""
    text = resources.files(__package__).joinpath("things.toml").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for one in tomllib.loads(text)["things"]:
        for phrase in one["words"]:
            found[phrase] = (*found.get(phrase, ()), *one["letters"].split())
    return tuple(found.items())
