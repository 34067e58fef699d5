"""How far what a page says of its symbols in words can be believed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.formula_names import names_of
from freebody.checking.guesses.prose_definitions import Said, agree, said_of, settled
from freebody.documents.latex.names import short
from freebody.recognition.symbols.things import is_letter_for, is_of_something

_OF_ONE = re.compile(r"(?:\w\s+\w+|['’]|jest|oznacza|[为為是は])$")
"""What leads to words for one thing: with an article, where the language has them."""
_LISTS = frozenset(":：=")
_VAGUE = re.compile(
    r"(?:same|first|second|third|last|only|following|corresponding|new|other|next|result|case"
    r"|value of|gleiche|erste|zweite|letzte|einzige|même|premi\w+|second\w*|dernier\w*|seule?"
    r"|mism[oa]|primer[oa]?|segund[oa]|últim[oa]|únic[oa]|mesm[oa]|primeir[oa]|stess[oa]|prim[oa])\b",
    re.IGNORECASE,
)
"""Words that say which of several things something is, and not what."""
_CLAUSE = re.compile(r"[をにが]|ない|です|ます|する|される")
"""What is in clauses of a language that has no blanks, and names nothing."""
_CONSTANT = (
    r"(?:an?|some|eine|une|una|uma) "
    r"(?:(?:real|positive|given|reelle|reale|positiva?) )?"
    r"(?:constant|konstante|constante|costante)e?(?=\s*[.,;:)]|\n|$)"
)


_PHRASE = re.compile(r"\w \w|[\u3040-\u30ff\u4e00-\u9fff]{3}")
"""Several words, or what may be several in a language without blanks."""
_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+[*_]*\$(?P<latex>[^$\n]{1,30})\$[*_]*"
    r"[ \t]*(?:[:：—–]|--?(?=\s))[ \t]*(?P<words>[^\n$]{3,})",
    re.MULTILINE,
)
"""An item of a list that says what the symbol at its head is."""


class SaidWords:
    """All that a page calls its symbols.

    Parameters
    ----------
    prose : str
        The text of the page.
    keys : iterable of str
        Its symbols.
    """

    def __init__(self, prose: str, keys: Iterable[str]) -> None:
        self._prose = prose
        self._said = said_of(prose, keys)

    @cached_property
    def _items(self) -> Mapping[str, str]:
        """The words behind symbols at the heads of items of lists, in small letters."""
        found = dict[str, str]()
        for match in _ITEM.finditer(self._prose):
            names = names_of(match["latex"])
            if len(names) == 1:
                found.setdefault(short(names[0]), match["words"].lower())
        return found

    def of(self, key: str) -> tuple[Said, ...]:
        """Return all that a symbol is called."""
        return self._said.get(key, ())

    def is_any_constant(self, key: str) -> bool:
        """Return whether the page says of a symbol no more than that it is a constant."""
        name = rf"(?<![A-Za-z\\]){re.escape(key)}"
        says = rf"{name}(?![\w\\])[$`)\\ ]*(?:is|denotes|ist|est|es|é|è) {_CONSTANT}"
        return not self.of(key) and re.search(says, self._prose) is not None

    def kinds(self, key: str) -> frozenset[str]:
        """Return of which kinds a symbol is, where all that it is called is alike."""
        return settled(self.of(key)).kinds

    def is_explained(self, key: str) -> bool:
        """Return whether words behind a symbol say what it is, which no others can be about."""
        return any(one.is_behind for one in self.of(key))

    def is_named(self, key: str) -> bool:
        """Return whether a symbol is explained, or words in front of it name a thing."""
        return any(one.is_behind or is_of_something(one.phrase) for one in self.of(key))

    def is_agreed(self, key: str) -> bool:
        """Return whether a symbol has a letter for what the page calls it, wherever it does."""
        told, looks = settled(self.of(key)), SymbolShape.of(key)
        return not told.kinds.isdisjoint(looks.kinds) or is_letter_for(looks, told.words)

    def is_always(self, key: str, phrase: str, names: Collection[str]) -> bool:
        """Return whether all words for a symbol that name things name some its letter is for.

        Parameters
        ----------
        key : str
        phrase : str
            What the page calls it.
        names : collection of str
            What its letter is.
        """
        words, said, looks = phrase.lower(), self.of(key), SymbolShape.of(key)
        is_first = any(f"{words} ".startswith(f"{one} ") for one in names)
        is_last = any(f" {words}".endswith(f" {one}") for one in names)
        if is_first or (is_last and Said(words, is_behind=False) in said):
            return True
        named = [one for one in said if one.kinds or is_of_something(one.phrase)]
        return words in {one.phrase for one in named} and all(
            not one.kinds.isdisjoint(looks.kinds) or is_letter_for(looks, one.phrase)
            for one in named
        )

    def is_stated(self, key: str, phrase: str, kinds: Collection[str] | None) -> bool:
        """Return whether the page says without doubt what a symbol is, whatever its letter.

        Parameters
        ----------
        key : str
        phrase : str
            What the page calls it.
        kinds : collection of str, optional
            Of which kinds its letter is by its equations.
        """
        words, said = phrase.lower(), self.of(key)
        if not settled(said).words or (kinds is not None and not agree(words, kinds)):
            return False
        leads = {one.lead for one in said if one.phrase == words}
        is_listed = not leads.isdisjoint(_LISTS) and is_of_something(words)
        is_headed = _PHRASE.search(words) and words in self._items.get(key, "")
        return (
            is_listed
            or (is_headed and not _VAGUE.match(words))
            or any(_names_one(lead, words) for lead in leads)
        )


def _names_one(lead: str, words: str) -> bool:
    """Return whether a sentence says what something is, and not only of what kind."""
    is_phrase = " " in words and not _VAGUE.match(words) and not _CLAUSE.search(words)
    return (is_of_something(words) or is_phrase) and _OF_ONE.search(lead) is not None
