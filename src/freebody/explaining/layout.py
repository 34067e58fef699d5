r"""Equations broken into lines that fit a column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from freebody.explaining.widths import length
from freebody.reporting.latex import CLOSING, OPENING, SIGNS, joins, segments, tokens

WIDTH = 84
"""Widths of an average letter that a line has place for: a page with margins, at 11 points."""
_RELATION, _QUAD = 2.9, 2.2
"""Widths of a relation with its spaces, and of what lines that go on begin behind."""
_FULL = 0.6
"""Of a line at least, where it ends early so as not to end within brackets."""
_ARGUMENT = re.compile(r"\\(?:sin|cos|tan)(?:\^\{\d+\})?\([^()]*$")
_APART = 3
"""The open argument of a function, and as how many brackets it counts."""
_NEAR = 120
"""Characters within which it was opened."""


def broken(sides: Sequence[str], width: int = WIDTH) -> str:
    r"""Return an equation between sides, in lines where it is too long for one.

    Examples
    --------
    >>> broken(["a", "b"])
    'a = b'
    >>> print(broken(["a", "b + c", "d"], 9))
    \begin{aligned}
    a &= b + c \\
    &= d
    \end{aligned}
    """
    whole = " = ".join(sides)
    if length(whole) <= width:
        return whole
    body = " \\\\\n".join(lines_of(sides, width))
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def left_of(formulas: Iterable[Sequence[str]], width: int) -> float:
    r"""Return how wide the left sides are of equations that are aligned at their relations.

    A long one would push all others aside, and is not aligned with them.

    Examples
    --------
    >>> left_of([["a", "b"], ["a b c", "d"], ["a b c d e f g", "h"]], 20) == length("a b c")
    True
    """
    lengths = (length(sides[0]) for sides in formulas)
    return max((one for one in lengths if one <= width // 6), default=0.0)


def lines_of(sides: Sequence[str], width: int = WIDTH, left: float | None = None) -> list[str]:
    r"""Return the lines of an equation between sides, aligned at its relations.

    Parameters
    ----------
    sides : sequence of str
    width : int, optional
    left : float, optional
        How wide the left sides are of equations with which it is aligned; see `left_of`.

    Examples
    --------
    >>> lines_of(["a", "b + c"], 20), lines_of(["a b c d e f", "g"], 20, 3)
    (['a &= b + c'], ['& a b c d e f = g'])
    """
    first, *rest = sides
    whole, own = " = ".join(sides), length(first)
    is_apart = own > width / 3 and length(whole) > width if left is None else own > left
    if is_apart:
        head, *tail = lines_in(whole, width - (left or 0.0))
        return [f"& {head}", *(rf"&\quad {line}" for line in tail)]
    indent = own if left is None else left
    rows = []
    for number, side in enumerate(rest):
        lead = first if not number else ""
        lines = list(lines_in(side, max(width - indent - _RELATION, width / 2)))
        rows.append(f"{lead} &= {lines[0]}".strip())
        rows += [rf"&\quad {line}" for line in lines[1:]]
    return rows


def wrapped(pieces: Sequence[str], width: int = WIDTH) -> list[str]:
    r"""Return equations in lines, as many on each as fit.

    Examples
    --------
    >>> wrapped(["a = b", "c = d", "e = f"], 14)
    ['a = b, \\quad c = d,', 'e = f']
    """
    rows, line = [], ""
    for piece in pieces:
        if line and length(line + piece) > width:
            rows.append(f"{line},")
            line = ""
        line = rf"{line}, \quad {piece}" if line else piece
    return [*rows, line]


def lines_in(side: str, width: float) -> Iterator[str]:
    """Iterate over the lines of a side, broken before signs, outside of brackets where it may be.

    What would leave much of a line empty is broken within brackets all the same.

    Examples
    --------
    >>> list(lines_in("a b (c + d) + e", 9))
    ['a b (c + d)', '+ e']
    """
    line, place = list[_Piece](), width
    for piece in _pieces(side, width - _QUAD):
        line.append(piece)
        while len(line) > 1 and _long(line) > place:
            full = [n for n in range(1, len(line)) if _long(line[:n]) >= _FULL * place]
            best = min(full or [len(line) - 1], key=lambda n: (line[n].depth, -n))
            yield "".join(one.text for one in line[:best]).strip()
            line, place = line[best:], width - _QUAD
    yield "".join(one.text for one in line).strip()


@dataclass(frozen=True)
class _Piece:
    """What no line ends within, and in how many brackets it begins."""

    text: str
    depth: int


def _long(line: Sequence[_Piece]) -> float:
    return length("".join(one.text for one in line))


def _pieces(side: str, width: float) -> Iterator[_Piece]:
    """Iterate over what a side may be broken into; of a fraction too wide the sum above."""
    depth, before = 0, ""
    for start, end in segments(side):
        piece = side[start:end]
        if length(piece) > width:
            piece = unfolded(piece)
        for first, last in segments(piece):
            text = piece[first:last]
            yield _Piece(text, depth + _APART * bool(_ARGUMENT.search(before)))
            before = (before + text)[-_NEAR:]
            depth += text.count("(") - text.count(")")


def narrowed(latex: str, width: float) -> str:
    r"""Return a formula without fractions that are wider than a column, if they can be broken.

    Examples
    --------
    >>> narrowed(r"\frac{a}{b} + \frac{a - b}{c}", 2)
    '\\frac{a}{b} + \\frac{1}{c} (a - b)'
    """
    return "".join(one.text for one in _pieces(latex, width))


def unfolded(latex: str) -> str:
    r"""Return a formula whose first fraction with a sum above has this in a line of its own.

    Examples
    --------
    >>> unfolded(r"- \frac{a - b}{2 c} \sin x"), unfolded(r"\frac{2 (a + b) c}{d}")
    ('- \\frac{1}{2 c} (a - b) \\sin x', '\\frac{2}{d} (a + b) c')
    >>> unfolded(r"\frac{a}{b}")
    '\\frac{a}{b}'
    """
    for match in re.finditer(r"\\frac(?=\{)", latex):
        above = _closing(latex, match.end())
        below = _closing(latex, above)
        top = latex[match.end() + 1 : above - 1]
        if len(segments(top)) == 1:
            continue
        number = re.match(r"(\d+) +", top)
        factor, rest = (number[1], top[number.end() :]) if number else ("1", top)
        if _is_sum(top):
            factor, rest = "1", f"({top})"
        return f"{latex[: match.end()]}{{{factor}}}{latex[above:below]} {rest}{latex[below:]}"
    return latex


def _closing(latex: str, start: int) -> int:
    """Return the place behind the group in braces that begins at a place."""
    depth = 0
    for token in tokens(latex[start:]):
        depth += (token.text == "{") - (token.text == "}")
        if not depth:
            return start + token.end
    return len(latex)


def _is_sum(latex: str) -> bool:
    """Return whether terms are joined outside of all brackets."""
    depth = 0
    for token in tokens(latex):
        text = token.text
        depth += bool(text == "(" or OPENING.fullmatch(text))
        depth -= bool(text == ")" or CLOSING.fullmatch(text))
        if not depth and text in SIGNS and joins(latex[: token.start]):
            return True
    return False
