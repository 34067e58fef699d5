r"""Equations broken into lines that fit a column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from freebody.reporting.latex import segments

WIDTH = 84
"""Characters of a line as they are printed, roughly."""
_INVISIBLE = re.compile(
    r"\\(?:left|right|mathrm|frac|begin\{\w+\}|end\{\w+\}|[dt]?frac|ddot|dot|,|;|!)|[{}_^\s&]"
)
_MATRIX = re.compile(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", re.DOTALL)
_COMMAND = re.compile(r"\\[A-Za-z]+")


def length(latex: str) -> int:
    r"""Return roughly how many characters LaTeX is printed with.

    Examples
    --------
    >>> length(r"\ddot{\alpha}_{1}")
    2
    """
    narrow = _MATRIX.sub(lambda matrix: max(matrix[1].split(r"\\"), key=len), latex)
    return len(_COMMAND.sub("x", _INVISIBLE.sub("", narrow)))


def broken(sides: Sequence[str], width: int = WIDTH) -> str:
    r"""Return an equation between sides, in lines where it is too long for one.

    Examples
    --------
    >>> broken(["a", "b"])
    'a = b'
    >>> print(broken(["a", "b + c", "d"], 6))
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


def lines_of(sides: Sequence[str], width: int = WIDTH) -> list[str]:
    r"""Return the lines of an equation between sides, aligned at its relations.

    Examples
    --------
    >>> lines_of(["a", "b + c"], 20)
    ['a &= b + c']
    """
    first, *rest = sides
    if length(first) > width // 2 and length(" = ".join(sides)) > width:
        head, *tail = _lines(" = ".join(sides), width - 3)
        return [f"& {head}", *(rf"&\quad {line}" for line in tail)]
    rows = []
    for number, side in enumerate(rest):
        lead = first if not number else ""
        indent = length(first) + 3 if length(first) < width // 3 else 3
        lines = list(_lines(side, max(width - indent, width // 2)))
        rows.append(f"{lead} &= {lines[0]}".strip())
        rows += [rf"&\quad {line}" for line in lines[1:]]
    return rows


def wrapped(pieces: Sequence[str], width: int = WIDTH) -> list[str]:
    r"""Return equations in lines, as many on each as fit.

    Examples
    --------
    >>> wrapped(["a = b", "c = d", "e = f"], 8)
    ['a = b, \\quad c = d,', 'e = f']
    """
    rows, line = [], ""
    for piece in pieces:
        if line and length(line + piece) > width:
            rows.append(f"{line},")
            line = ""
        line = rf"{line}, \quad {piece}" if line else piece
    return [*rows, line]


def _lines(side: str, width: int) -> Iterator[str]:
    """Iterate over the lines of a side, broken before signs."""
    line = ""
    for start, end in segments(side):
        piece = side[start:end]
        if line and length(line + piece) > width:
            yield line.strip()
            line = ""
        line += piece
    yield line.strip()
