"""Abbreviations in the letters of formulas that print as products: ``KE + PE``, ``Num / Den``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from freebody.documents.latex.tokens.digits import is_letter, touching
from freebody.documents.latex.tokens.items import FONTS, STYLES, Lexed, Token, words

_KNOWN = ("GPE", "EPE", "SPE", "KE", "PE", "TE", "ME", "Num", "Den")
_DOT = r"\.?"
_PRINTED = {name: re.compile(rf"(?<![A-Za-z\\]){_DOT.join(name)}(?![A-Za-z])") for name in _KNOWN}
_ALONE = {name: re.compile(rf"(?<![A-Za-z\\.{{]){name[0]}(?=[\s_^=+\-*/()])") for name in _KNOWN}
"""The first of these letters by itself, where it may be multiplied."""
_BEGINS = r"(?:^|[$&]|\\[\\(\[])\s*"
_DOTTED = {
    name: re.compile(rf"(?<![A-Za-z\\]){re.escape('.'.join(name))}(?![A-Za-z])") for name in _KNOWN
}
"""With dots between, as nobody prints products of what else they may be."""
_SAID = {name: re.compile(rf"{_BEGINS}{_DOT.join(name)}\s*&?=") for name in _KNOWN}
"""What an equation says that it is."""
_SHORTENED = re.compile(
    r"(?<![A-Za-z\\])(?:[EFKLMPTUVW](?:kin|pot|tot|lin|rot|trans|grav|max|min|ges|mech|diss)"
    r"|[FM]ext)(?![A-Za-z])"
)
"""A letter with what should stand below it, which spells no product."""
_MATHEMATICS = re.compile(r"[=$\\]")


def abbreviations(text: str) -> frozenset[str]:
    r"""Return the abbreviations of a page the first letter of which stands nowhere by itself.

    Or, beside such ones, those that equations say of what they are: ``PE = m g P_y``; those that
    are printed with dots, and letters with a shortened word behind them.

    Examples
    --------
    >>> sorted(abbreviations(r"$KE + PE = \frac12 m v^2 + U$, and $P = F v$"))
    ['KE']
    >>> sorted(abbreviations(r"$KE = \frac12 m v^2$ and $PE = m g P_y$"))
    ['KE', 'PE']
    >>> sorted(abbreviations(r"$K.E. = K + 1$, $E = Ekin_1 + T$"))
    ['Ekin', 'K.E']
    """
    lines = [line for line in text.splitlines() if _MATHEMATICS.search(line)]
    printed = {name for name in _KNOWN if any(map(_PRINTED[name].search, lines))}
    apart = {name for name in printed if not any(map(_ALONE[name].search, lines))}
    said = {name for name in printed if any(map(_SAID[name].search, lines))} if apart else set()
    dotted = {".".join(name) for name in printed if any(map(_DOTTED[name].search, lines))}
    shortened = {name for line in lines for name in _SHORTENED.findall(line)}
    return frozenset(apart | said | dotted | shortened)


def with_abbreviations(tokens: Sequence[Lexed], known: Collection[str]) -> Iterator[Lexed]:
    """Yield tokens with the letters of abbreviations as one name.

    Parameters
    ----------
    tokens : sequence of (str, Token)
        Each with its kind.
    known : collection of str
        The abbreviations of the page.
    """
    place = 0
    while place < len(tokens):
        kind, first = tokens[place]
        run = [] if first.text == "." else touching(tokens, place, _is_part)
        printed = words(first) or "".join(one.text for one in run)
        name, is_dotted = printed.replace(".", ""), printed.rstrip(".") in known
        if kind == "words" and is_dotted:
            yield kind, Token(rf"\text{{{name}}}", first.start, first.stop)
        elif (is_dotted or name in known) and run and not _is_styled(tokens, place):
            yield "words", Token(rf"\text{{{name}}}", run[0].start, run[-1].stop)
        else:
            every = tokens[place : place + max(len(run), 1)]
            yield from (one for one in every if not (is_dotted and one[1].text == "."))
        place += max(len(run), 1)


def _is_styled(tokens: Sequence[Lexed], place: int) -> bool:
    """Return whether a command has set the letters from one on as one word already."""
    before = [token.text for _, token in tokens[max(place - 2, 0) : place]]
    return len(before) > 1 and before[1] == "{" and before[0] in FONTS | STYLES


def _is_part(text: str) -> bool:
    """Return whether a token is a letter of an abbreviation, or the dot behind one."""
    return text == "." or is_letter(text)
