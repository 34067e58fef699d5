r"""How wide LaTeX prints a formula, by the metrics of its own fonts and its rules of spacing.

Widths of letters are those of Computer Modern; spaces between atoms, sizes of scripts and gaps
of matrices are those of chapter 18 and appendix G of Knuth, *The TeXbook*, and of amsmath.
"""

from __future__ import annotations

from string import ascii_letters

from freebody.reporting.latex import BEHIND, RELATIONS, SIGNS, tokens

AVERAGE = 470
"""Thousandths of an em that an average printed letter takes, the unit of all widths."""
_ITALIC = (
    *(529, 429, 433, 520, 466, 490, 477, 576, 345, 412, 521, 298, 878),
    *(600, 485, 503, 446, 451, 469, 361, 572, 485, 716, 572, 490, 465),
    *(750, 759, 715, 828, 738, 643, 786, 831, 440, 555, 849, 681, 970),
    *(803, 763, 642, 791, 759, 613, 584, 683, 583, 944, 828, 581, 683),
)
_UPRIGHT = (
    *(500, 556, 444, 556, 444, 306, 500, 556, 278, 306, 528, 278, 833),
    *(556, 500, 556, 528, 392, 394, 389, 556, 528, 722, 528, 528, 444),
    *(750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778, 625, 917),
    *(750, 778, 681, 778, 736, 556, 722, 750, 750, 1028, 750, 750, 611),
)
_ITALICS = dict(zip(ascii_letters, _ITALIC, strict=True))
_UPRIGHTS = dict(zip(ascii_letters, _UPRIGHT, strict=True))
_WIDTHS = {
    **_ITALICS,
    **dict.fromkeys("0123456789/[]|.,;:!'", 278),
    **dict.fromkeys("0123456789", 500),
    **dict.fromkeys("()", 389),
    **dict.fromkeys((r"\sin", r"\tan"), 1230),
    r"\cos": 1340,
    r"\ln": 834,
    r"\exp": 1528,
    r"\log": 1278,
    r"\quad": 1000,
    r"\qquad": 2000,
    r"\,": 167,
    r"\;": 278,
    r"\!": -167,
    r"\ ": 333,
    r"\ldots": 1170,
    r"\partial": 531,
    r"\alpha": 640,
    r"\beta": 570,
    r"\gamma": 520,
    r"\delta": 450,
    r"\zeta": 440,
    r"\eta": 500,
    r"\iota": 354,
    r"\theta": 470,
    r"\tau": 440,
    r"\xi": 440,
    r"\varsigma": 363,
    r"\omega": 622,
    r"\psi": 651,
    r"\Delta": 833,
    r"\Theta": 763,
    r"\Pi": 750,
}
_GREEK = 600
"""Of letters and signs that are not in the table."""
_FUNCTIONS = frozenset({r"\sin", r"\cos", r"\tan", r"\ln", r"\exp", r"\log"})
_BLANK = frozenset({r"\,", r"\;", r"\!", r"\ ", r"\quad", r"\qquad", r"\limits", r"\nonumber"})
_ACCENTS = frozenset({r"\dot", r"\ddot", r"\bar", r"\hat", r"\vec", r"\tilde"})
_FONTS = frozenset({r"\mathrm", r"\mathbf", r"\boldsymbol", r"\operatorname", r"\text"})
_SIGN, _THIN, _MEDIUM, _THICK = 778, 167, 222, 278
_SCRIPT, _BEHIND_SCRIPT = 0.8, 50
"""Small letters are cut wider than others: 0.7 times as high, they are 0.8 times as wide."""
_RULE, _ROOT, _DELIMITER, _GAP = 240, 850, 528, 1000
_BRACKETS = (417, 528, 667)
"""Of a matrix of one row, of two, and of more."""


def length(latex: str) -> float:
    r"""Return how wide LaTeX is printed as a display, in widths of an average letter.

    Examples
    --------
    >>> round(length(r"\ddot{\alpha}_{1} + b"), 1), round(length(r"\frac{a b c}{d}"), 1)
    (5.8, 3.5)
    """
    return _Measure([one.text for one in tokens(latex) if one.text.strip()]).row() / AVERAGE


class _Measure:
    """Reads tokens, and adds up how wide they are, in thousandths of an em.

    Parameters
    ----------
    texts : list of str
        The tokens without blanks.
    """

    def __init__(self, texts: list[str]) -> None:
        self.texts, self.at = texts, 0
        self.size, self.level, self.letters = 1.0, 0, _WIDTHS
        """How large letters are, in how many fractions they stand, and their widths."""

    def row(self) -> float:
        """Return the width up to what closes a group, a matrix, or the end."""
        total, before = 0.0, "("
        while self.at < len(self.texts) and not self._closes(self.texts[self.at]):
            text = self.texts[self.at]
            total += self._space(before, text) + self._atom()
            before = text if text not in ("_", "^", "{") else "x"
        return total

    @staticmethod
    def _closes(text: str) -> bool:
        return text in ("}", "&", "\\\\") or text.startswith(r"\end")

    def _space(self, before: str, text: str) -> float:
        """Return the space around a sign, a relation, and what stands beside a function."""
        if self.size < 1:
            return 0.0
        if text in RELATIONS:
            return 2 * _THICK
        if text in SIGNS:
            return 0.0 if before in BEHIND | RELATIONS | SIGNS else 2 * _MEDIUM
        if before in (",", ";"):
            return _THIN
        is_apart = text in _FUNCTIONS or text.startswith(r"\frac")
        if is_apart and before not in BEHIND | RELATIONS | SIGNS | _BLANK:
            return _THIN
        return _THIN if before in _FUNCTIONS and text not in ("(", "^", "_") else 0.0

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
            return self._script(text)
        if text in _ACCENTS:
            return self._atom()
        if text in _FONTS:
            return self._upright()
        if text in (r"\frac", r"\dfrac", r"\tfrac"):
            return self._fraction()
        if text == r"\sqrt":
            return self._atom() + _ROOT * self.size
        if text.startswith(r"\begin"):
            return self._matrix()
        if text.startswith((r"\left", r"\right")):
            return _RULE / 2 if text.endswith(".") else _DELIMITER
        if text in SIGNS or text in RELATIONS or text in ("<", ">"):
            return _SIGN * self.size
        return self.letters.get(text, _GREEK) * self.size

    def _script(self, text: str) -> float:
        """Return the width of what stands low or high, or of the wider where both do."""
        width = self._sized(_SCRIPT) + _BEHIND_SCRIPT
        other = "^" if text == "_" else "_"
        if self.at < len(self.texts) and self.texts[self.at] == other:
            self.at += 1
            return max(width, self._sized(_SCRIPT) + _BEHIND_SCRIPT)
        return width

    def _sized(self, factor: float) -> float:
        """Return the width of what comes next, printed smaller."""
        size, self.size = self.size, max(self.size * factor, 0.5)
        width = self._atom()
        self.size = size
        return width

    def _upright(self) -> float:
        letters, self.letters = self.letters, {**_WIDTHS, **_UPRIGHTS}
        width = self._atom()
        self.letters = letters
        return width

    def _fraction(self) -> float:
        """Return the width of a fraction, which is smaller within another one, or a matrix."""
        factor = _SCRIPT if self.level else 1.0
        self.level += 1
        width = max(self._sized(factor), self._sized(factor))
        self.level -= 1
        return width + _RULE

    def _matrix(self) -> float:
        """Return the width of an environment: its columns with gaps, and its brackets."""
        columns, place, rows = list[float](), 0, 1
        self.level += 1
        while self.at < len(self.texts):
            width = self.row()
            columns += [0.0] * (place + 1 - len(columns))
            columns[place] = max(columns[place], width)
            text = self._next()
            if text.startswith(r"\end"):
                break
            place = place + 1 if text == "&" else 0
            rows += text != "&"
        self.level -= 1
        bracket = _BRACKETS[min(rows, len(_BRACKETS)) - 1]
        return sum(columns) + _GAP * (len(columns) - 1) + 2 * bracket
