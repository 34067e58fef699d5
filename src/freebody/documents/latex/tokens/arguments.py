"""The arguments of commands of LaTeX, in braces and in square brackets."""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST = 4000
"""Characters of one definition, or of one argument."""

LONGEST_OPTION = 400
"""Characters of an argument in square brackets."""

_PIECE = re.compile(r"\\(?:[A-Za-z]+|.)|[^\s{}%]", re.DOTALL)
_BLANK = re.compile(r"(?:\s|%[^\n]*)*")
_BRACE = re.compile(r"\\.|[{}\]]", re.DOTALL)


def argument(text: str, position: int) -> tuple[str, int] | None:
    """Return the argument that stands here, without its braces, and where it ends.

    Examples
    --------
    >>> argument("{a{b}}c", 0), argument(" xy", 0), argument("}", 0)
    (('a{b}', 6), ('x', 2), None)
    """
    position = skipped(text, position)
    if text.startswith("{", position):
        stop = _closings(text).get(position, position + LONGEST)
        return (text[position + 1 : stop], stop + 1) if stop < position + LONGEST else None
    piece = _PIECE.match(text, position)
    return (piece[0], piece.end()) if piece else None


def option(text: str, position: int) -> tuple[str, int] | None:
    """Return the argument in square brackets that stands here, and where it ends.

    Examples
    --------
    >>> option("[a{]}]b", 0), option("a", 0)
    (('a{]}', 6), None)
    """
    position = skipped(text, position)
    if not text.startswith("[", position):
        return None
    depth = 0
    for brace in _BRACE.finditer(text, position + 1, position + LONGEST_OPTION):
        if brace[0] == "]" and depth == 0:
            return text[position + 1 : brace.start()], brace.end()
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
    return None


@lru_cache(maxsize=8)
def _closings(text: str) -> dict[int, int]:
    """Return where the group ends that begins at each brace."""
    closings, opened = dict[int, int](), list[int]()
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif brace[0] == "}" and opened:
            closings[opened.pop()] = brace.start()
    return closings


def skipped(text: str, position: int) -> int:
    """Return where the blanks and comments that stand here end."""
    match = _BLANK.match(text, position)
    return match.end() if match else position
