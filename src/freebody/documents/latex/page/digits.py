"""Digits right behind letters, ``θ1'' = m2 g``, which stand below them; all lines stay."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from freebody.documents.latex.page.plain import FUNCTIONS, is_mathematics, plain_equations

_NUMBERED = re.compile(
    rf"{FUNCTIONS}|(?:(?<![A-Za-z]{{2}})|(?<=sin|cos|tan))(?<!\\)"
    r"(?P<letter>[^\W\d_])(?P<digits>\d{1,2})(?![\d.])"
)
_MENTIONED = re.compile(r"(?<![\w\\./-])(?P<letter>[^\W\d_])(?P<digits>\d{1,2})(?![\w./-])")
_SQUARED = re.compile(r"(?<=[\w}]')(\d)(?![\d.])")
_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*(?P<info>\S*)")
_PLAIN = frozenset({"", "text", "txt", "plain", "plaintext"})
_MARKED = re.compile(r"\$|\\|https?:|\]\(|:\w+:`")


def with_digits_below(text: str) -> str:
    """Return a page with the digits of letters below them where it prints equations so.

    Only where a letter has several; what has one alone may be raised to it: ``v2``.

    Examples
    --------
    >>> with_digits_below("θ1' = θ2'2 L1 and L2 = ½ L1, with rods L1, L2")
    "θ_1' = θ_2'^2 L_1 and L_2 = ½ L_1, with rods L_1, L_2"
    """
    lines = text.split("\n")
    printed = list(_printed(lines))
    digits = defaultdict[str, set[str]](set)
    for number in printed:
        for found in _NUMBERED.finditer(lines[number]):
            if found["letter"]:
                digits[found["letter"]].add(found["digits"])
    if all(len(several) < 2 for several in digits.values()):
        return text
    for number in printed:
        lines[number] = _SQUARED.sub(r"^\1", _NUMBERED.sub(_lowered, lines[number]))
    for number, line in _in_plain_letters(lines):
        lines[number] = _MENTIONED.sub(
            lambda one: _lowered(one) if one["digits"] in digits[one["letter"]] else one[0], line
        )
    return "\n".join(lines)


def _in_plain_letters(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page that are no code and have no marks of formulas or of links."""
    fence = ""
    for number, line in enumerate(lines):
        if found := _FENCE.match(line):
            fence = "" if fence else found["info"] or "text"
        elif (not fence or fence in _PLAIN) and not _MARKED.search(line):
            yield number, line


def _printed(lines: list[str]) -> Iterator[int]:
    """Yield the lines that equations stand on, and those that they go on on."""
    last = -1
    for number, line in _in_plain_letters(lines):
        if _is_equation(line) or (number == last + 1 and line.strip() and is_mathematics(line)):
            yield number
            last = number


def _is_equation(line: str) -> bool:
    return any(can_be_read for _, can_be_read in plain_equations(line.replace("`", " ")))


def _lowered(found: re.Match[str]) -> str:
    if not found["letter"]:
        return found[0]
    digits = found["digits"]
    return f"{found['letter']}_{digits if len(digits) == 1 else f'{{{digits}}}'}"
