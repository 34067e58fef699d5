r"""Equations broken into lines that fit a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freebody.reporting.latex import segments, tokens

WIDTH = 84
"""Widths of an average letter that a line has place for: a page with margins, at 11 points."""
_SCRIPT, _FRACTION, _GAP, _BRACKETS = 0.72, 0.5, 2.0, 2.3
_LEFT = 5
"""How wide the left sides are, to the right of which an equation without one begins."""
_WIDTHS = {
    **dict.fromkeys("+-=<>", 2.5),
    **dict.fromkeys("()[]|.,;:!'", 0.75),
    **dict.fromkeys(("m", "w", "M", "W", "\\omega", "\\Omega"), 1.6),
    **dict.fromkeys(("\\sin", "\\cos", "\\tan"), 3.1),
    **dict.fromkeys(("\\ldots", "\\quad"), 2.3),
    **dict.fromkeys(("\\,", "\\;", "\\!", "\\ "), 0.35),
}
_OVER = frozenset({"\\dot", "\\ddot", "\\bar", "\\mathrm", "\\mathbf", "\\mathcal"})
_UPRIGHT = 1.1
"""By how much capitals and Greek letters are wider than others."""


def length(latex: str) -> float:
    r"""Return how wide LaTeX is printed, in widths of an average letter.

    Examples
    --------
    >>> round(length(r"\ddot{\alpha}_{1} + b"), 1), round(length(r"\frac{a b c}{d}"), 1)
    (5.3, 3.5)
    """
    return _Measure([one.text for one in tokens(latex) if one.text.strip()]).row()


class _Measure:
    """Reads tokens, and adds up how wide they are."""

    def __init__(self, texts: list[str]) -> None:
        self.texts, self.at = texts, 0

    def row(self) -> float:
        """Return the width up to what closes a group, a matrix, or the end."""
        total = 0.0
        while self.at < len(self.texts) and not self._closes(self.texts[self.at]):
            total += self._atom()
        return total

    @staticmethod
    def _closes(text: str) -> bool:
        return text in ("}", "&", "\\\\") or text.startswith("\\end")

    def _next(self) -> str:
        text = self.texts[self.at] if self.at < len(self.texts) else ""
        self.at += 1
        return text

    def _atom(self) -> float:
        text = self._next()
        if text == "{":
            inside = self.row()
            self.at += 1
            return inside
        if text in ("_", "^"):
            return _SCRIPT * self._atom()
        if text in _OVER:
            return self._atom()
        if text in ("\\frac", "\\dfrac", "\\tfrac"):
            return max(self._atom(), self._atom()) + _FRACTION
        if text == "\\sqrt":
            return self._atom() + 2.0
        if text.startswith("\\begin"):
            return self._matrix()
        if text.startswith(("\\left", "\\right")):
            return 0.8
        known = _WIDTHS.get(text)
        plain = 1.0 if len(text) == 1 and not text.isupper() else _UPRIGHT
        return plain if known is None else known

    def _matrix(self) -> float:
        """Return the width of an environment: its columns with gaps, and its brackets."""
        columns, place = list[float](), 0
        while self.at < len(self.texts):
            width = self.row()
            columns += [0.0] * (place + 1 - len(columns))
            columns[place] = max(columns[place], width)
            text = self._next()
            if text.startswith("\\end"):
                break
            place = place + 1 if text == "&" else 0
        return sum(columns) + _GAP * (len(columns) - 1) + _BRACKETS


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


def lines_of(
    sides: Sequence[str], width: int = WIDTH, *, is_among_others: bool = False
) -> list[str]:
    r"""Return the lines of an equation between sides, aligned at its relations.

    Among others that are aligned at the same place, a long left side would push them all aside,
    and begins where they have their relation.

    Examples
    --------
    >>> lines_of(["a", "b + c"], 20), lines_of(["a b c d e f", "g"], 20, is_among_others=True)
    (['a &= b + c'], ['& a b c d e f = g'])
    """
    first, *rest = sides
    if is_among_others:
        is_pushing = length(first) > width // 6
    else:
        is_pushing = length(first) > width // 2 and length(" = ".join(sides)) > width
    if is_pushing:
        head, *tail = _lines(" = ".join(sides), width - (_LEFT if is_among_others else 3))
        return [f"& {head}", *(rf"&\quad {line}" for line in tail)]
    rows = []
    for number, side in enumerate(rest):
        lead = first if not number else ""
        indent = length(first) + 3 if length(first) < width // 3 else 3
        lines = list(_lines(side, max(width - round(indent), width // 2)))
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
