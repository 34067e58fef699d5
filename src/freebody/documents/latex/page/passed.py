"""Formulas that are passed over, where they stand, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

RELATION = re.compile(r"=|\\(?:approx|simeq|equiv|coloneqq|triangleq|doteq)(?![A-Za-z])")
"""What makes a formula an equation."""

_DISPLAY = re.compile(
    r"\$\$(?:(?!\$\$).){1,2000}\$\$|\\\[(?:(?!\\[\[\]]).){1,2000}\\\]|\$[^$\n]{1,2000}\$"
    r"|\\begin\{(?P<name>[a-zA-Z]+\*?)\}(?:(?!\\end\{).){1,500}\\end\{(?P=name)\}",
    re.DOTALL,
)
_LATEX = re.compile(r"\\(?!begin)[A-Za-z]{2,}|[_^]\{|\^\d")
_TEX = frozenset({"latex", "tex", "rst", "eval-rst", "markdown", "md"})


class Passed(NamedTuple):
    """A formula that is passed over: where it stands, and why."""

    start: int
    stop: int
    reason: str


def blank(text: str) -> str:
    """Return blanks for a text; its lines stay."""
    return re.sub(r"[^\n]", " ", text)


def formulas_in_code(code: str, start: int, reason: str, language: str = "") -> Iterator[Passed]:
    r"""Yield the equations of LaTeX in code, which stands somewhere on a page.

    Examples
    --------
    >>> [one.start for one in formulas_in_code(r"echo $A = $B; # $$\ddot x = a$$", 10, "code")]
    [26]
    >>> list(formulas_in_code("a = b", 0, "code", "latex"))
    []
    """
    is_found = False
    for match in _DISPLAY.finditer(code):
        is_latex = match[0] == code.strip() or _LATEX.search(match[0])
        if is_latex and RELATION.search(match[0]):
            is_found = True
            yield Passed(start + match.start(), start + match.end(), reason)
    if not is_found and language in _TEX and RELATION.search(code) and _LATEX.search(code):
        inside = code.strip()
        first = start + code.index(inside)
        yield Passed(first, first + len(inside), reason)
