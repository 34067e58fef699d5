"""What is drawn over several lines in plain letters: fractions and matrices; all lines stay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

_BAR = re.compile(r"[─━—―⎯]{3,}|-{4,}")
_EQUATED = re.compile(r"=[^|=\n]*?(?:[─━—―⎯]{3,}|-{4,})")
_ELSEWHERE = re.compile(r"[=|`]|^\s*$")
_BRACKETED = re.compile(r"[\[⎡⎢⎣](?P<inside>[^\[\]⎡⎢⎣⎤⎥⎦=\n]*)[\]⎤⎥⎦]")
"""A row of a matrix."""
_APART = re.compile(r"[ \t]{2,}|[ \t]*[,;&][ \t]+")
"""What stands between entries of a row."""
_OPERATOR = re.compile(r"[-+−·⋅×*/]")
_LONGEST_MATRIX = 40
"""Lines of one."""


def with_matrices(lines: Sequence[str]) -> list[str] | None:
    r"""Return lines as displays of one line each, with the matrices that are drawn over some.

    None where there are none, or one that cannot be told.

    Examples
    --------
    >>> with_matrices(["[ a   b ] [ x ]   [ 0 ]", "[ c   d ] [ y ] = [ 1 ]"])[0].split("}")[1]
    ' a & b \\\\ c & d \\end{bmatrix'
    >>> with_matrices(["[ a   b ]", "[ c ]"]) is None
    True
    """
    made, number, is_drawn = list[str](), 0, False
    while number < len(lines):
        count = _rows_from(lines[number:])
        if count < 2:
            made.append(lines[number])
            number += 1
            continue
        drawn = _on_one_line(lines[number : number + count])
        if drawn is None:
            return None
        lead = made[-1].rstrip() if made and made[-1].rstrip().endswith("=") else ""
        if lead:
            made[-1] = ""
        made += [f"{lead} {drawn}".lstrip(), *[""] * (count - 1)]
        number, is_drawn = number + count, True
    return [f"$${line}$$" if line.strip() else " " for line in made] if is_drawn else None


def _rows_from(lines: Sequence[str]) -> int:
    """Return how many lines from here on are rows of the same matrices."""
    counts = (len(_BRACKETED.findall(line)) for line in lines[:_LONGEST_MATRIX])
    first = next(counts, 0)
    if not first:
        return 0
    rows = 1
    for count in counts:
        if count != first:
            break
        rows += 1
    return rows


def _on_one_line(rows: Sequence[str]) -> str | None:
    """Return matrices that are drawn on some lines in LaTeX, with what stands between them."""
    found = [[*_BRACKETED.finditer(row)] for row in rows]
    parts = list[str]()
    for n in range(len(found[0]) + 1):
        between = {_between(row, inside, n) for row, inside in zip(rows, found, strict=True)}
        said = between - {""}
        if len(said) > 1:
            return None
        parts += said
        if n < len(found[0]):
            matrix = _matrix([inside[n]["inside"].strip() for inside in found])
            if matrix is None:
                return None
            parts.append(matrix)
    return " ".join(parts)


def _between(row: str, inside: Sequence[re.Match[str]], n: int) -> str:
    """Return what stands before the n-th bracket of a row, or behind the last."""
    start = inside[n - 1].end() if n else 0
    stop = inside[n].start() if n < len(inside) else len(row)
    return row[start:stop].strip()


def _matrix(rows: Sequence[str]) -> str | None:
    """Return a matrix with some rows, whose entries stand apart; None if they are not as many."""
    for entries in ([_APART.split(row) for row in rows], [row.split() for row in rows]):
        is_whole = not any(_OPERATOR.fullmatch(one) for row in entries for one in row)
        if is_whole and len({len(row) for row in entries}) == 1:
            inside = r" \\ ".join(" & ".join(row) for row in entries)
            return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"
    return None


def without_fractions(text: str) -> str:
    r"""Return a text with the fractions that it draws on one line each; all lines stay.

    Examples
    --------
    >>> print(without_fractions("    a + b\nx = ───── + c\n      d"))
    <BLANKLINE>
    x = ((a + b)/(d)) + c
    <BLANKLINE>
    """
    if not _EQUATED.search(text):
        return text
    lines = text.split("\n")
    for number in range(1, len(lines) - 1):
        above, line, below = lines[number - 1 : number + 2]
        if _EQUATED.search(line) and not (_ELSEWHERE.search(above) or _ELSEWHERE.search(below)):
            lines[number - 1 : number + 2] = ["", _flat(above, line, below), ""]
    return "\n".join(lines)


def _flat(above: str, line: str, below: str) -> str:
    bars = list(_BAR.finditer(line))
    ends = (
        [_width(line[: bar.start()]) for bar in bars],
        [_width(line[: bar.end()]) for bar in bars],
    )
    between = [(left + right) // 2 for left, right in zip(ends[1], ends[0][1:], strict=False)]
    columns = list(pairwise((0, *between, max(map(len, (above, line, below))))))
    parts, position = [], 0
    for bar, numerator, denominator in zip(
        bars, _sliced(above, columns), _sliced(below, columns), strict=True
    ):
        parts += [line[position : bar.start()], f"(({numerator})/({denominator}))"]
        position = bar.end()
    return "".join((*parts, line[position:]))


def _sliced(line: str, columns: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Iterate over what stands in columns of a line, where marks above letters take no room."""
    for start, stop in columns:
        column, letters = 0, []
        for letter in line:
            column += not unicodedata.combining(letter)
            if start < column <= stop:
                letters.append(letter)
        yield "".join(letters).strip()


def _width(text: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in text)
