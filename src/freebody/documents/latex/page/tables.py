r"""Tables of symbols with what they are defined as, written as the equations that they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*")
_DEFINED = re.compile(
    r"\b(?:d[eé]fini|expressi|expresi|expressã|espression|f[oó]rmul|formel\b|ausdruck)"
    r"|정의|定义|定義|公式|表达式|определен|формул",
    re.IGNORECASE,
)
_BAR = re.compile(r"(?<!\\)\|")
_SYMBOL = re.compile(r"\s*\$(?P<latex>[^$=<>]{1,40})\$\s*")
_EXPRESSION = re.compile(r"(?P<before>\s*\$)(?P<latex>[^$=<>]{1,400}\$\s*)")
_SIGNS = re.compile(r"[=<>+*/]|\\(?:approx|le|ge|text|cdot)\b")


def with_equations(text: str) -> str:
    r"""Return a page with equations in the cells of tables that say what a symbol is defined as.

    Examples
    --------
    >>> print(with_equations("| Symbol | Definition |\n|---|---|\n| $a_1$ | $m l^2$ |"))
    | Symbol | Definition |
    |---|---|
    | $a_1$ | $a_1 = m l^2$ |
    """
    return "\n".join(_lines(text.split("\n"))) if _DEFINED.search(text) else text


def _lines(lines: list[str]) -> Iterator[str]:
    column = -1
    for number, line in enumerate(lines):
        if _RULE.fullmatch(line) and number:
            heads = _BAR.split(lines[number - 1])
            column = next((n for n, head in enumerate(heads) if _DEFINED.search(head)), -1)
        elif "|" not in line:
            column = -1
        elif column > 0:
            yield _row(line, column)
            continue
        yield line


def _row(line: str, column: int) -> str:
    """Return a row with an equation for its expression, if a symbol stands in the cell before."""
    cells = _BAR.split(line)
    symbol = _SYMBOL.fullmatch(cells[column - 1])
    found = _EXPRESSION.fullmatch(cells[column]) if column < len(cells) else None
    if not symbol or not found or _SIGNS.search(symbol["latex"]):
        return line
    cells[column] = f"{found['before']}{symbol['latex'].strip()} = {found['latex']}"
    return "|".join(cells)
