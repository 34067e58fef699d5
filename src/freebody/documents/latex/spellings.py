r"""Names as they are printed.

A name is a letter, perhaps styled and dotted, with its scripts, and with arguments only where it
is declared to take them. Two spellings that print alike have one normal form, so ``\dot{x_1}``
is ``\dot{x}_{1}`` and ``T_\mathrm{ext}`` is ``T_{ext}``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from freebody.documents.latex.tokens.items import (
    DOTS,
    STYLES,
    UPRIGHT,
    Command,
    Group,
    Item,
    Token,
    words,
)
from freebody.documents.latex.tokens.rewriting import GREEK

LETTERS = frozenset("\\" + name for name in GREEK)
_UPRIGHT_TEXT = re.compile(r"\\mathrm\{(\w+)\}")
_SHORT = 200  # characters: what is longer is never the arguments or the superscript of a name
_LONGEST_WORD = 12  # letters
_NEXT = ";"  # between the subscript of a name and the one behind its arguments
BEFORE = frozenset({"{}", "_", "^"})  # scripts in front of a name start like this
_LEADING = BEFORE | {r"\sum"}
_SUMS = frozenset({r"\sum", r"\Sigma"})
_ACTIONS = frozenset(
    f"{style}{{{letter}}}" if style else letter
    for style in ("", r"\vec", r"\mathbf", r"\boldsymbol")
    for letter in ("F", "M", "T", r"\tau")
)
"""What a capital sigma in front of is a sum of."""
_DOTTED = {order: accent for accent, order in DOTS.items()}
DIFFERENCE, VARIATION = r"\Delta ", r"\delta "
"""What the name of a difference begins with, and that of a variation."""
_MARKS = frozenset(
    {"*", r"\ast", r"\star", "+", "-", r"\dagger", r"\ddagger", r"\circledast", "**"}
)
"""Superscripts that are no power: of an equilibrium, an optimum, or a pseudoinverse."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to read a name from a row of items, up to but not including item `stop`."""

    base: str
    dots: int
    stop: int
    subscript: str = ""
    superscript: Command | None = None
    arguments: str = ""

    def form(self, dots: int | None = None, *, raised: bool = True) -> str:
        """Return the normal form with some of the dots, and with the superscript or without."""
        text = self.base
        for order in _split(self.dots if dots is None else dots):
            text = f"{_DOTTED[order]}{{{text}}}"
        if self.subscript:
            text += f"_{{{self.subscript}}}"
        if raised and self.superscript:
            text += f"^{{{plain(self.superscript.arguments[0])}}}"
        return f"{text}({self.arguments})" if self.arguments else text

    @property
    def is_marked(self) -> bool:
        r"""Whether the superscript is no power, but of the name: ``t^*``."""
        return self.superscript is not None and plain(self.superscript.arguments[0]) in _MARKS

    @property
    def index(self) -> str:
        """The last subscript: the only one, or the one behind the arguments."""
        return self.subscript.rpartition(_NEXT)[2]

    def pattern(self) -> Spelling:
        """Return the spelling with its last subscript left open."""
        return replace(self, subscript=self.subscript.removesuffix(self.index) + "?")


def _split(dots: int) -> list[int]:
    return [4] * (dots // 4) + ([dots % 4] if dots % 4 else [])


def spellings(items: Sequence[Item], position: int) -> list[Spelling]:
    r"""Return the ways to read a name here, the one with arguments first; none where there is none.

    Examples
    --------
    >>> from freebody.documents.latex.tokens.tokens import parse
    >>> page = r"M(\alpha)_{31}^2"
    >>> [spelling.form() for spelling in spellings(parse(page, 0, len(page)), 0)]
    ['M_{31}^{2}(\\alpha)', 'M']
    """
    head = _head(items, position)
    if head is None:
        return []
    return [*_of_difference(items, position), *_of_name(head, items)]


def _of_difference(items: Sequence[Item], position: int) -> list[Spelling]:
    r"""Return the ways to read a name behind a delta, as one with it: ``\Delta\theta``."""
    sign, following = f"{items[position].text} ", items[position + 1 : position + 2]
    if sign not in (DIFFERENCE, VARIATION) or not following or following[0].text in _LEADING:
        return []
    head = _head(items, position + 1)
    if head is None or head.base == sign.strip():
        return []
    return _of_name(replace(head, base=f"{sign}{head.base}"), items)


def _of_name(head: Spelling, items: Sequence[Item]) -> list[Spelling]:
    """Return the ways to read a name that begins so, the one with arguments first."""
    bare = _scripts(head, items)
    following = items[bare.stop] if bare.stop < len(items) else None
    if not isinstance(following, Group) or following.text != "(" or not following.items:
        return [bare]
    if not is_short(following):
        return [bare]
    called = replace(bare, arguments=plain(following.items), stop=bare.stop + 1)
    return [_scripts(called, items), bare]


def _head(items: Sequence[Item], position: int) -> Spelling | None:
    item = items[position]
    if item.text in BEFORE:
        return _prescripted(items, position)
    if isinstance(item, Command):
        return _accented(item, position + 1)
    if not isinstance(item, Token):
        return None
    if item.text in _SUMS and position + 1 < len(items):
        summand = _head(items, position + 1) if items[position + 1].text not in _LEADING else None
        if item.text == r"\sum" or (summand and summand.base in _ACTIONS):
            return summand and replace(summand, base=rf"\sum {summand.base}")
    inner = words(item)
    if item.text in LETTERS or (len(item.text) == 1 and item.text.isalpha()):
        return Spelling(item.text, 0, position + 1)
    if inner and _is_word(inner) and item.text.startswith((r"\text", r"\mbox")):
        style = r"\mathbf" if item.text.startswith(r"\textbf") else r"\mathrm"
        return Spelling(f"{style}{{{inner}}}", 0, position + 1)
    return None


def _prescripted(items: Sequence[Item], position: int) -> Spelling | None:
    """Read a name with scripts in front of it, such as the frame of a vector."""
    start = position + (items[position].text == "{}")
    scripts = list(takewhile(lambda item: item.text in ("_", "^"), items[start : start + 2]))
    following = start + len(scripts)
    if not scripts or following >= len(items) or items[following].text in _LEADING:
        return None
    written = sorted(_plain(script) for script in scripts)
    head = _head(items, following)
    return head and replace(head, base="{}" + "".join(reversed(written)) + head.base)


def _accented(command: Command, stop: int) -> Spelling | None:
    if command.text not in DOTS and command.text not in STYLES:
        return None
    inside = command.arguments[0]
    style = r"\mathrm" if command.text in UPRIGHT else command.text
    is_styled = command.text in STYLES
    letters = "".join(words(item) or item.text for item in inside)
    if is_styled and any(map(words, inside)) and _is_word(letters):
        return Spelling(f"{style}{{{letters}}}", 0, stop)
    inner = _sole(inside) or (_raised(inside) if is_styled else None)
    if inner is None:
        is_number = letters.isdigit() and command.text in UPRIGHT
        is_word = is_styled and letters.isalnum() and not is_number
        return Spelling(f"{style}{{{letters}}}", 0, stop) if is_word else None
    if command.text in DOTS:
        return replace(inner, dots=inner.dots + DOTS[command.text], stop=stop)
    return replace(inner, base=f"{style}{{{inner.base}}}", stop=stop)


def _is_word(text: str) -> bool:
    return text.isalnum() and not text.isdigit()


def _sole(items: Sequence[Item]) -> Spelling | None:
    """Return the name that is all there is in these items."""
    options = spellings(items, 0) if items else []
    whole = [option for option in options if option.stop == len(items) and not option.superscript]
    return whole[0] if whole else None


def _raised(items: Sequence[Item]) -> Spelling | None:
    r"""Return the name with a letter in its superscript that is all there is: ``\vec{F_A^G}``."""
    options = spellings(items, 0) if items else []
    whole = [option for option in options if option.stop == len(items) and option.superscript]
    script = plain(whole[0].superscript.arguments[0]) if whole and whole[0].superscript else ""
    return whole[0] if script[:1].isalpha() and script not in ("T", "n") else None


def _scripts(spelling: Spelling, items: Sequence[Item]) -> Spelling:
    """Take the primes and scripts that follow into a spelling."""
    base, subscripts, superscript = spelling.base, [spelling.subscript], spelling.superscript
    stop = spelling.stop
    while stop < len(items):
        item = items[stop]
        if item.text == "'":
            base += "'"
        elif isinstance(item, Command) and item.text == "_":
            subscripts.append(plain(item.arguments[0]))
        elif isinstance(item, Command) and item.text == "^" and not superscript:
            superscript = item
        else:
            break
        stop += 1
    if stop == spelling.stop:
        return spelling
    subscript = _NEXT.join(filter(None, subscripts))
    return Spelling(base, spelling.dots, stop, subscript, superscript, spelling.arguments)


def is_short(item: Item) -> bool:
    """Return whether an item is short enough to be part of a name."""
    return item.stop - item.start <= _SHORT


def plain(items: Sequence[Item]) -> str:
    r"""Return the normal form of what stands in scripts and arguments, without upright styles.

    Examples
    --------
    >>> from freebody.documents.latex.tokens.tokens import parse
    >>> plain(parse(r"\mathrm{ext}, {1}", 0, 17))
    'ext,1'
    """
    text, position = "", 0
    while position < len(items):
        options = spellings(items, position)
        piece = options[0].form() if options else _plain(items[position])
        if piece[:1].isalpha() and re.search(r"\\[A-Za-z]+$", text):
            text += " "
        text += piece
        position = options[0].stop if options else position + 1
    return _UPRIGHT_TEXT.sub(r"\1", text)


def _plain(item: Item) -> str:
    if isinstance(item, Token):
        return words(item) or item.text
    if isinstance(item, Group):
        inside = plain(item.items)
        return f"({inside})" if item.text == "(" else f"{item.text}({inside})"
    return item.text + "".join(f"{{{plain(argument)}}}" for argument in item.arguments)


def is_mark(superscript: Command) -> bool:
    r"""Return whether a superscript is part of a name, as in ``x^*``, and no power."""
    return plain(superscript.arguments[0]) in _MARKS


def run_of_letters(items: Sequence[Item], first: int) -> int:
    """Return how many letters touch each other from an item on."""
    stop = first
    while stop < min(len(items), first + _LONGEST_WORD) and _is_letter(items[stop]):
        if stop > first and items[stop - 1].stop != items[stop].start:
            break
        stop += 1
    return stop - first


def _is_letter(item: Item) -> bool:
    return isinstance(item, Token) and len(item.text) == 1 and item.text.isalpha()


def word(letters: Sequence[Item]) -> Item:
    """Return letters that touch as the Greek letter that they spell, or as one word."""
    text, start, stop = "".join(item.text for item in letters), letters[0].start, letters[-1].stop
    if text in GREEK:
        return Token("\\" + text, start, stop)
    return Command(r"\mathrm", (tuple(letters),), start, stop)
