r"""Digits right behind letters, which stand below them: ``m1 \ddot{x1} = k2 x2``, ``\theta_12``.

Printed side by side a letter and a digit would be a product, which nobody writes that way round.
In plain letters a word may stand below as well, ``ω_drive``, and axes: ``Fx``, ``Ixx``.
One digit alone may be a power that a converter lost, ``v2``, unless it is 0 or 1.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from freebody.documents.latex.tokens.items import Lexed, Token
from freebody.documents.latex.tokens.rewriting import GREEK, SAME

_NUMBERED = re.compile(
    r"(?<![A-Za-z\\_])(?<!_\{)(?P<letter>[^\W\d_]|\\[A-Za-z]+)(?P<digits>\d{1,2})"
    r"(?![\d.]|(?![⁰¹²³⁴-⁹])\w)"
)
_MATHEMATICS, _TEX = re.compile(r"[=$\\]"), re.compile(r"\$|\\[A-Za-z]")
_AXES = re.compile(r"(?<![A-Za-z\\_])(?P<letter>[A-Z])(?P<axes>[xyz]{1,2})(?![A-Za-z\d])")
_TWICE = frozenset({"xx", "yy", "zz"})
"""Axes of the moments of inertia of a body, which no product would have."""
_FUNCTION = re.compile(r"(?:sin|cos|tan|exp|log|ln)$")
_FIRST = frozenset("01")
_NEVER = frozenset({"e", r"\pi"})
"""Letters before digits of powers of ten and of multiples, ``1e3``."""
_SHORTEST, _VOWEL = 3, re.compile("[aeiouyAEIOUY]")
"""Letters of a word below another letter, which are no product."""
_MOST = 2
"""Digits that may stand below a letter so."""


def numbered_letters(text: str) -> frozenset[str]:
    r"""Return the letters of a page that have digits behind them which tell them apart.

    And the letters in front of axes, with these, on lines of plain letters.

    Examples
    --------
    >>> sorted(numbered_letters(r"$m1 \ddot{x1} = k2 x2 - \frac12 v2$"))
    ['m', 'x']
    >>> sorted(numbered_letters("y = L1² − x"))
    ['L']
    >>> sorted(numbered_letters("c = d1 + m1")), sorted(numbered_letters("d2/dt2 = d3/dt3"))
    (['d', 'm'], [])
    >>> sorted(numbered_letters("Fx = m·ax + b·Rz, Fy = m·ay, Ixx·ṗ = M"))
    ['Fx', 'Fy', 'Ixx']
    """
    digits, axes = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for line in text.splitlines():
        for found in _AXES.finditer(line) if "=" in line and not _TEX.search(line) else ():
            axes[found["letter"]].add(found["axes"])
        for found in _NUMBERED.finditer(line) if _MATHEMATICS.search(line) else ():
            digits[SAME.get(found["letter"], found["letter"])].add(found["digits"])
    by_axes = frozenset(
        f"{letter}{one}"
        for letter, several in axes.items()
        for one in several
        if len(several) > 1 or one in _TWICE
    )
    return by_axes | frozenset(
        letter
        for letter, several in digits.items()
        if _is_letter(letter) and (several & _FIRST or (len(several) > 1 and letter != "d"))
    )


def lowered(latex: str) -> str:
    r"""Return LaTeX with all digits below that stand right behind letters.

    Examples
    --------
    >>> lowered(r"m1, \theta2")
    'm_{1}, \\theta_{2}'
    """
    return _NUMBERED.sub(r"\g<letter>_{\g<digits>}", latex)


def with_digits_below(tokens: Sequence[Lexed], letters: Collection[str]) -> Iterator[Lexed]:
    """Yield tokens with digits below the letters that they stand right behind.

    Parameters
    ----------
    tokens : sequence of (str, Token)
        Each with its kind.
    letters : collection of str
        Those that have such digits.
    """
    place, run, scripts = 0, "", [False]
    while place < len(tokens):
        kind, token = tokens[place]
        before = tokens[place - 1][1] if place else None
        is_low = before is not None and before.text == "_"
        touches = before is not None and before.stop == token.start
        run = (run if touches else "") + token.text if len(token.text) == 1 else ""
        if token.text == "{":
            scripts.append(scripts[-1] or is_low)
        elif token.text == "}" and len(scripts) > 1:
            scripts.pop()
        is_free = not (scripts[-1] or is_low or _FUNCTION.search(run))
        is_numbered = is_free and token.text in letters
        yield kind, token
        place += 1
        digits = _digits(tokens, place) if is_numbered or token.text == "_" else []
        if is_numbered and digits and token.stop == digits[0].start:
            yield from (("other", one) for one in below(digits))
            place += len(digits)
        elif token.text == "_" and len(digits) > 1:
            yield from (("other", one) for one in _in_braces(digits))
            place += len(digits)
        elif token.text == r"\sqrt" and token.stop == token.start + 1:  # √, of a whole number
            number = touching(tokens, place, lambda one: one.isdecimal() or one == ".")
            if number and number[-1].text != ".":
                yield from (("other", one) for one in _in_braces(number))
                place += len(number)


def with_words_below(tokens: Sequence[Lexed], letters: Collection[str]) -> Iterator[Lexed]:
    """Yield tokens with all of a word below the letter that it stands behind: ``ω_drive``.

    And with the axes below a letter that stand right behind it.

    Parameters
    ----------
    tokens : sequence of (str, Token)
        Of a formula in plain letters; in LaTeX one letter alone would be below.
    letters : collection of str
        Those with axes.
    """
    place = 0
    while place < len(tokens):
        kind, token = tokens[place]
        yield kind, token
        place += 1
        word = _word(tokens, place) if token.text == "_" else []
        axes = touching(tokens, place, "xyz".__contains__) if token.text.isupper() else []
        text = token.text + "".join(one.text for one in axes)
        if axes and token.stop == axes[0].start and text in letters:
            yield from (("other", one) for one in below(axes))
            place += len(axes)
        elif word:
            yield from (("other", one) for one in _in_braces(word))
            place += len(word)


def _word(tokens: Sequence[Lexed], place: int) -> list[Token]:
    """Return the letters that touch each other at a place, if these are a word."""
    letters = touching(tokens, place, lambda one: len(one) == 1 and one.isalpha())
    text = "".join(one.text for one in letters)
    return letters if len(text) >= _SHORTEST and _VOWEL.search(text) else []


def touching(tokens: Sequence[Lexed], first: int, belongs: Callable[[str], bool]) -> list[Token]:
    """Return the tokens from one on that belong together and touch each other."""
    found = list[Token]()
    for place in range(first, len(tokens)):
        token = tokens[place][1]
        if not belongs(token.text) or (found and found[-1].stop != token.start):
            break
        found.append(token)
    return found


def is_letter(text: str) -> bool:
    """Return whether a token is one letter of the Latin alphabet."""
    return len(text) == 1 and text.isascii() and text.isalpha()


def _digits(tokens: Sequence[Lexed], place: int) -> list[Token]:
    """Return the digits side by side at a place, if these are no decimal number."""
    digits = list[Token]()
    for _, token in tokens[place:]:
        if token.text == "." and digits:
            return []
        if not token.text.isdecimal() or (digits and digits[-1].stop != token.start):
            break
        digits.append(token)
    return digits if len(digits) <= _MOST else []


def below(script: Sequence[Token]) -> list[Token]:
    """Return tokens that stand side by side as what stands below a letter."""
    return [_at("_", script), *_in_braces(script)]


def _in_braces(digits: Sequence[Token]) -> list[Token]:
    return [_at("{", digits), *digits, _at("}", digits)]


def _at(mark: str, digits: Sequence[Token]) -> Token:
    return Token(mark, digits[0].start, digits[-1].stop)


def _is_letter(letter: str) -> bool:
    is_one = len(letter) == 1 or letter.removeprefix("\\") in GREEK
    return is_one and letter not in _NEVER
