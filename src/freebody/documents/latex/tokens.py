r"""LaTeX as a tree of tokens, commands and groups, each with its place on the page.

Fences, braces and environments are matched on one stack, so that a mismatch can name both ends.
Commands carry their arguments; braces that are nobody's argument cannot be seen in print and are
dissolved: ``\cos{(a-b)c}`` reads as ``\cos(a-b)c``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from freebody.errors import FreebodyError

DEPTH = 60  # of groups in groups; the readers recurse a few calls for each level


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


@dataclass(frozen=True, slots=True)
class Token:
    r"""A character, a control word, or a stretch of words such as ``\text{if }``."""

    text: str
    start: int
    stop: int


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
    *(r"\mathbf", r"\boldsymbol", r"\bm", r"\mathit", r"\mathcal", r"\mathbb", r"\overrightarrow"),
}
FRACTIONS = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"})
BRACES = {r"\underbrace": "_", r"\overbrace": "^"}
_ARITY = {
    **dict.fromkeys(["_", "^", r"\sqrt", *DOTS, *STYLES, *BRACES], 1),
    **dict.fromkeys(FRACTIONS, 2),
}
_CLOSING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\lvert": r"\rvert"}
_SAME = {r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]", r"\vert": "|"}
_MIRROR = {")": "(", "]": "[", r"\}": r"\{"}
_WITH_COLUMNS = frozenset({"array", "alignat", "alignedat"})

_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | %[^\n]* | ~ | \\[,!:;>]
        | \\(?:displaystyle|textstyle|limits|nolimits|nonumber|notag|hline|boxed|rm)(?![A-Za-z])
        | \\[bB]igg?[lrm]?(?![A-Za-z]) | \\[hv]space\*?\s*\{[^{}]*\} )
  | (?P<words> \\(?:tag\*?|label|text(?:rm|it|bf|sf)?|mbox|intertext)\s*\{[^{}]*\} )
  | (?P<fence> \\(?:left|right)(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\.|[^\s\\]) )
  | (?P<environment> \\(?:begin|end)\s*\{\s*[A-Za-z]+\*?\s*\} )
  | (?P<row> \\\\\*?(?:\[\s*-?[\d.]+\s*[a-z]+\s*\])? )
  | (?P<space> \\\s )
  | (?P<other> \\[A-Za-z]+ | \\. | . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Open:
    """A group whose end has not come yet."""

    text: str
    closing: str
    shown: str
    start: int
    items: list[Item] = field(default_factory=list)


def parse(page: str, start: int, stop: int) -> tuple[Item, ...]:
    r"""Read a stretch of a page as a tree.

    Raises
    ------
    LatexError
        For fences that do not match, commands without their arguments, and groups too deep.

    Examples
    --------
    >>> page = r"\frac12 (a]"
    >>> [item.text for item in parse(page, 0, 8)]
    ['\\frac']
    >>> parse(page, 8, 11)
    Traceback (most recent call last):
    freebody.documents.latex.tokens.LatexError: '(' is closed by ']'; expected ')'
    """
    stack = [_Open("", "", "", start)]
    for kind, token in _lex(page, start, stop):
        opened = _opening(kind, token)
        if opened:
            if len(stack) > DEPTH:
                raise LatexError(f"groups stand more than {DEPTH} deep in each other", token.start)
            stack.append(opened)
        elif _closes(kind, token):
            _close(stack, token)
        elif token.text != r"\ " or stack[-1].text == "[":
            stack[-1].items.append(token)
    if len(stack) > 1:
        raise LatexError(f"'{stack[-1].shown}' is never closed", stack[-1].start)
    return _arrange(stack[0].items)


def _lex(page: str, start: int, stop: int) -> Iterator[tuple[str, Token]]:
    for match in _TOKEN.finditer(page, start, stop):
        kind, text = match.lastgroup or "", match[0]
        if kind == "row":
            text = r"\\"
        elif kind == "space":
            text = r"\ "
        if kind != "blank":
            yield kind, Token(text, match.start(), match.end())


def _opening(kind: str, token: Token) -> _Open | None:
    text = token.text
    if kind == "fence" and text.startswith(r"\left"):
        fence = text.removeprefix(r"\left").strip()
        return _Open(_SAME.get(fence, fence), r"\right", text, token.start)
    if kind == "environment" and text.startswith(r"\begin"):
        name = _environment(text)
        return _Open(name.rstrip("*"), rf"\end{{{name}}}", text, token.start)
    if text in _CLOSING:
        return _Open(text, _CLOSING[text], text, token.start)
    return None


def _closes(kind: str, token: Token) -> bool:
    return kind in ("fence", "environment") or token.text in _CLOSING.values()


def _close(stack: list[_Open], token: Token) -> None:
    if len(stack) == 1:
        raise LatexError(f"'{token.text}' closes nothing", token.start)
    group = stack.pop()
    found = token.text
    if found.startswith(r"\end"):
        found = rf"\end{{{_environment(found)}}}"
    elif found.startswith(r"\right"):
        found = _right(group, found)
    if found != group.closing:
        fence = _CLOSING.get(group.text, group.text) if group.closing == r"\right" else ""
        expected = f"expected '{group.closing}{fence}'"
        raise LatexError(f"'{group.shown}' is closed by '{token.text}'; {expected}", token.start)
    if group.text in _WITH_COLUMNS:
        _drop_columns(group.items)
    if group.text == r"\lvert":
        group.text = "|"
    stack[-1].items.append(Group(group.text, _arrange(group.items), group.start, token.stop))


def _environment(text: str) -> str:
    return text[text.index("{") + 1 : -1].strip()


def _right(group: _Open, text: str) -> str:
    r"""Return ``\right`` where its fence goes with the left one; an invisible one always does."""
    fence = text.removeprefix(r"\right").strip()
    fence = _SAME.get(fence, fence)
    fits = "." in (fence, group.text) or _MIRROR.get(fence, fence) == group.text
    return r"\right" if fits else text


def _drop_columns(items: list[Item]) -> None:
    while items and isinstance(items[0], Group) and items[0].text in ("{", "["):
        column = items.pop(0)
        if column.text == "{":
            return


def _arrange(items: list[Item]) -> tuple[Item, ...]:
    """Give commands their arguments and dissolve the braces that are left."""
    rest, arranged = items[::-1], list[Item]()
    while rest:
        item = _take(rest, 1)
        arranged.extend(item.items if isinstance(item, Group) and item.text == "{" else (item,))
    return tuple(arranged)


def _take(rest: list[Item], depth: int) -> Item:
    item = rest.pop()
    if not isinstance(item, Token) or item.text not in _ARITY:
        return item
    if depth > DEPTH:
        raise LatexError(f"commands stand more than {DEPTH} deep in each other", item.start)
    index = rest.pop() if item.text == r"\sqrt" and rest and rest[-1].text == "[" else None
    stop, arguments = item.stop, []
    for _ in range(_ARITY[item.text]):
        if not rest:
            raise LatexError(f"'{item.text}' has no argument", item.start)
        argument = _take(rest, depth + 1)
        braced = isinstance(argument, Group) and argument.text == "{"
        arguments.append(argument.items if braced and isinstance(argument, Group) else (argument,))
        stop = argument.stop
    if isinstance(index, Group):
        arguments.append(index.items)
    return Command(item.text, tuple(arguments), item.start, stop)


def words(item: Item) -> str | None:
    r"""Return what ``\text{...}``, ``\tag{...}`` or ``\label{...}`` has in it, or None."""
    if isinstance(item, Token) and item.text.startswith("\\") and item.text.endswith("}"):
        brace = item.text.find("{")
        return item.text[brace + 1 : -1] if brace > 0 else None
    return None
