r"""Names of programs in formulas, which print as products of letters: ``\frac{term2}{term1}``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from freebody.documents.latex.tokens.digits import below, is_letter, touching
from freebody.documents.latex.tokens.items import DOTS, FRACTIONS, Lexed, Token
from freebody.documents.latex.tokens.rewriting import GREEK

_FUNCTION = re.compile(
    "sin|cos|tan|exp|log|sqrt|min|max|det|diag|trace|sgn|sign|lim|sen|mod|cot|sec"
)
_ELEMENTS = re.compile(r"[a-z]{0,2}(?:d[a-z]){2,}")
"""What is integrated over: ``dudvdw``."""
_SPELLED = re.compile("|".join(sorted(filter(lambda name: len(name) > 2, GREEK))), re.IGNORECASE)
_WORD = re.compile(r"(?=.*[aeiou])(?=.*[a-z]{2})[A-Za-z]{5,}")
_NUMBERED = re.compile(r"(?=.*[aeiou])(?=.*[a-z]{2})[A-Za-z]{3,}")
_TAKES = DOTS.keys() | FRACTIONS | {r"\sqrt"}
"""Commands whose arguments are formulas; those of others may be colours, units and names."""


def with_program_names(tokens: Sequence[Lexed], numbered: Collection[str]) -> Iterator[Lexed]:
    """Yield tokens with the letters of a word as one name, and its number below it.

    Parameters
    ----------
    tokens : sequence of (str, Token)
        Each with its kind.
    numbered : collection of str
        The letters that have numbers right behind.
    """
    place = 0
    while place < len(tokens):
        run = touching(tokens, place, is_letter) if _is_free(tokens, place) else []
        digits = _digits(tokens, place + len(run), run)
        word = "".join(one.text for one in run)
        if _is_word(word, digits, numbered):
            yield "words", Token(rf"\text{{{word}}}", run[0].start, run[-1].stop)
            yield from (("other", one) for one in (below(digits) if digits else ()))
            place += len(run) + len(digits)
        else:
            count = max(len(run), 1)
            yield from tokens[place : place + count]
            place += count


def _is_word(word: str, digits: Sequence[Token], numbered: Collection[str]) -> bool:
    """Return whether letters side by side are no product, and spell no function or Greek letter."""
    is_numbered = bool(digits) and word[-1] not in numbered and bool(_NUMBERED.fullmatch(word))
    is_other = _FUNCTION.search(word) or _SPELLED.search(word) or _ELEMENTS.fullmatch(word)
    return not is_other and (is_numbered or _WORD.fullmatch(word) is not None)


def _is_free(tokens: Sequence[Lexed], place: int) -> bool:
    """Return whether a token is no part of a script, or of what a command is given as a name."""
    before = [token.text for _, token in tokens[max(place - 2, 0) : place]]
    if before[-1:] in (["_"], ["^"]):
        return False
    return before[-1:] != ["{"] or before[0] in _TAKES or before[0] == "}"


def _digits(tokens: Sequence[Lexed], place: int, run: Sequence[Token]) -> list[Token]:
    """Return the digits right behind the letters of a word."""
    digits = touching(tokens, place, str.isdecimal) if run else []
    return digits if digits and digits[0].start == run[-1].stop else []
