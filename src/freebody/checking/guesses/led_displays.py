r"""What words that lead to a display call the letter on its left: "the power is $$P = F v$$"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.checking.guesses.formula_names import names_of
from freebody.checking.guesses.naming import is_open
from freebody.checking.guesses.words import kinds_of_head
from freebody.documents.latex.names import short

_DISPLAY = re.compile(
    r"(?:\$\$|\\{1,2}\[|\\begin\{(?:equation|align|gather|multline|eqnarray|flalign)\*?\}"
    r"|\.\. math::|(?:```|~~~)[ ]?\{?math\}?)"
    r"(?:\s|\\label\{[^{}]*\}|\\begin\{(?:aligned|split|alignedat|gathered)\}|\\boxed\{)*"
    r"(?P<left>[^=&$\n]{1,40}?)\s*&?\s*:?="
)
_COPULA = re.compile(
    r"\s(?:is|are|equals|reads|becomes|amounts to|ist|sind|lautet|beträgt|wird(?: zu)?"
    r"|est|sont|vaut|devient|s['’]écrit|es|son|vale|queda|é|são|fica|è|sono|diventa|jest|wynosi)"
    r"(?:\s+(?:then|thus|therefore|hence|now|so|simply|also|given by|given as|defined (?:as|by)"
    r"|dann|also|damit|somit|gegeben durch|alors|donc|ainsi|donnée? par|entonces|así|dad[oa] p[oe]r"
    r"|então|assim|allora|quindi|dat[oa] da))*"
    r"\s*[:：]?\s*\Z"
)
_NAMED = re.compile(
    r"(?:\b(?:[Tt]he|[Aa]n?|[Dd]er|[Dd]ie|[Dd]as|[LlDd][ae]s?|[Ll]es|[Uu]ne?|[Ee]l|[Ll]os|[Uu]n[ao]?"
    r"|[OoAa]s?|[Uu]ma?|[Ii]l|[Ll]o|[Ii]ts?|[Ii]hre?|[Ss]eine?)\s|\b[LlDd]['’])"
    r"\s*(?P<words>[^.;:,!?$()\n|]{3,60})\Z"
)
"""The words between an article and the verb."""
_BEFORE = 110
"""Characters in front of a display that may name what it is of."""


def led_displays(prose: str) -> Iterator[tuple[str, str]]:
    r"""Iterate over letters that displays begin with, with the quantities that lead to them.

    Examples
    --------
    >>> [*led_displays("and the mechanical power of the legs is\n$$P = \\frac{M g h}{\\tau}$$")]
    [('P', 'mechanical power of the legs')]
    >>> [*led_displays("The equation of motion of the mass is $$F = m a$$")]
    []
    """
    for match in _DISPLAY.finditer(prose):
        names = names_of(match["left"])
        if len(names) != 1:
            continue
        before = prose[max(0, match.start() - _BEFORE) : match.start()].rstrip()
        before = " ".join(before.rpartition("\n\n")[2].split())
        led = _COPULA.search(before)
        named = _NAMED.search(before[: led.start()]) if led else None
        words = named["words"] if named else ""
        if kinds_of_head(words.lower()) and not is_open(words):
            yield short(names[0]), words
