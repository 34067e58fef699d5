r"""What LaTeX is made of once it is taken apart: tokens, commands with arguments, and groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from freebody.errors import FreebodyError

DEPTH = 60  # of groups in groups
NESTING = 20  # of expressions in expressions; reading one recurses up to twenty calls


class LatexError(FreebodyError):
    """Mathematics that cannot be read.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    offset : int, optional
        Where on the page, counted from 0.
    symbols : tuple of str, optional
        The names that are not declared, where that is what is wrong.
    """

    def __init__(self, message: str, offset: int = 0, symbols: tuple[str, ...] = ()) -> None:
        self.message, self.offset, self.symbols = message, offset, symbols
        super().__init__(message)


class UnopenedError(LatexError):
    """A bracket that closes nothing."""


@dataclass(frozen=True, slots=True)
class Token:
    r"""A character, a control word, or a stretch of words such as ``\text{if }``."""

    text: str
    start: int
    stop: int


Lexed = tuple[str, Token]
"""What kind of token it is, and the token."""


@dataclass(frozen=True, slots=True)
class Command:
    r"""A command with its arguments: ``_``, ``^``, ``\frac``, an accent, a style."""

    text: str
    arguments: tuple[tuple[Item, ...], ...]
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Group:
    """What stands between two fences, or in an environment (then `text` is its name)."""

    text: str
    items: tuple[Item, ...]
    start: int
    stop: int


Item: TypeAlias = Token | Command | Group

DOTS = {r"\dot": 1, r"\ddot": 2, r"\dddot": 3, r"\ddddot": 4}
UPRIGHT = frozenset({r"\mathrm", r"\operatorname", r"\mathsf"})
STYLES = UPRIGHT | {
    *(r"\vec", r"\hat", r"\bar", r"\tilde", r"\overline", r"\underline", r"\widehat"),
    *(r"\widetilde", r"\check", r"\breve", r"\acute", r"\grave", r"\overleftrightarrow"),
    *(r"\mathbf", r"\boldsymbol", r"\mathit", r"\mathcal", r"\mathbb", r"\overrightarrow"),
    *(r"\mathfrak", r"\mathscr", r"\mathtt", r"\mathring", r"\utilde", r"\underbar"),
}
FONTS = frozenset(
    {r"\mathbf", r"\boldsymbol", r"\mathit", r"\mathcal", r"\mathbb", r"\mathfrak", r"\mathscr"}
    | {r"\mathtt", *UPRIGHT}
)
FRACTIONS = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"})
STRUCK = frozenset({r"\cancel", r"\bcancel", r"\xcancel"})
BRACES = {r"\underbrace": "_", r"\overbrace": "^"}


def words(item: Item) -> str | None:
    r"""Return what ``\text{...}``, ``\tag{...}`` or ``\label{...}`` has in it, or None."""
    if isinstance(item, Token) and item.text.startswith("\\") and item.text.endswith("}"):
        brace = item.text.find("{")
        return item.text[brace + 1 : -1] if brace > 0 else None
    return None
