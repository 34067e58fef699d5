"""Equations that a page prints in plain letters, ``M(θ)θ̈ + C = τ``, as answers of chatbots have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.documents.latex.page.plain_values import plain_values
from freebody.documents.latex.tree import Span

NO_LANGUAGE = ("", "text", "txt", "plain", "plaintext")
"""What a block says to be in that says no language."""
BREAK = "␊"
"""Where an empty line ends an equation; it is read as a break of lines."""
SPELLED = {"dot": "\u0307", "ddot": "\u0308"}
"""Dots over letters, by how they are spelled: ``x_ddot``."""
_SHOWN = (
    r"\\\\?\(.*?\\\\?\)|\$[^$\n]*\$|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+|<[^>\n]*>|\*\*|__"
    r"|(?:(?<=\t)|(?<= {2}))\(\d{1,3}[a-z]?\)[ \t]*$"
)
_FORMATTED = re.compile(_SHOWN, re.DOTALL | re.MULTILINE)
"""What stands between equations in plain letters: formulas, links, tags, bold, their numbers."""
_LISTED = re.compile(rf"{_SHOWN}|^[ \t]*(?:[-+*•>]|\d+[.)])[ \t]", re.DOTALL | re.MULTILINE)
"""And bullets and marks of quotes, where ends of lines count."""
_LINE = re.compile(r"[^\n|]+(?:\n[ \t]*=[^\n|]+)*")
_SIGN = r"[-+−·⋅×*/=]"
_FLOWING_LINE = re.compile(rf"(?:{_SIGN}[ \t]*\n(?![ \t]*\n)|[^\n|]|\n(?=[ \t]*{_SIGN}))+")
"""One that goes on behind a sign at its end, and before one at the beginning of the next."""
OTHER = "\u0400-\u052f\u0590-\u06ff\u0900-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Letters of languages that formulas are not printed in, but for what stands below letters."""
_TOKEN = re.compile(rf"(?<![_{{])[{OTHER}]+|(?:(?<=[_{{])[{OTHER}]|[^\s{OTHER}])+")
WORD = re.compile(
    rf"[{OTHER}]+|[→⇒⟹➜↔⇔]|"
    r"\(?(?:(?!sin|cos|tan|exp)(?=[A-Za-z]*[AEIOUYaeiouy])[A-Za-z]{3,}|is|as|of|at|in|so|by|we|to|on|or|if|it|an|be|è|é|il|el|es|et|où|zu|im|un|um)\)?[.,;:]?"
)
"""A word of a sentence, with what stands around it; an arrow is one."""
_EQUATION = re.compile(r"[^=\s].*?=\s*[^=\s]", re.DOTALL)
_MARK = r"[\u0370-\u03ff\u0300-\u030c\u1e00-\u1eff−·⋅×½√∂∑∫∇²³¹\u2070-\u209cᵀᵢⱼᵣᵤᵥ]"
_LETTERS = re.compile(rf"{_MARK}|[A-Za-z]\^\S|[A-Za-z)]_\{{?\w|[\w)]\*[\w(]")
_RAISED = re.compile(r"[A-Za-z)\]]\^(?:-\d|T(?![A-Za-z]))|(?<!\w)d ?[^\W\d_]\w*[ ]?/[ ]?dt(?!\w)")
"""A transpose, an inverse or a derivative, as programs have none: ``A^T``, ``dv/dt``."""
_SET = re.compile(r"[A-Za-z)][_^]\{")
"""What tags of HTML set below and above letters."""
_LONGEST = 400  # characters
_LONGEST_BLOCK = 5000
_CODE = re.compile(r"[A-Za-z_]\.[A-Za-z_]|\*\*|[=!<>+*/-]=|\w\[|[;{]\s*$", re.MULTILINE)
_DRAWN = re.compile(r"^[ \t]*[\[|⎡⎢⎣(][^=\n]*[\]|⎤⎥⎦)][^=\n]*$", re.MULTILINE)
"""A row of a matrix that is drawn over several lines."""
_STATED = re.compile(r"^[ \t>]*[^=\n]*[\w)'][ \t]*[*/+][ \t]*[\w(][^=\n]*=(?!=)", re.MULTILINE)
"""A line with more than a letter before its equals sign, which assigns nothing."""
_GAP = re.compile(r"(?<=[^\s=+\-*/(·,;:])[ \t]{3,}(?=[^\s=]{1,12}[ \t]*=(?!=))")
"""What stands between two equations on a line."""
_OPERATOR = re.compile(rf"\s*{_SIGN}")
FUNCTIONS = "arcsin|arccos|arctan|sin|cos|tan|sinh|cosh|tanh|exp|log|ln|sqrt|sgn|sign"
"""What functions are called in plain letters."""
_PRODUCT = r"[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z]{2,4}"
_AXES = r"[A-Z][xyz]{1,2}|(?![AYD])[A-Z]u"
"""Letters with axes, and what is times u: no words."""
_NAMES = re.compile(
    rf"[_^]\{{[\w,]+\}}|\\(?:mathrm|operatorname)\{{\w+\}}|(?<![A-Za-z])[A-Za-z]e(?=\^)|(?<=\w)_(?=[A-Za-z]*[AEIOUYaeiouy])[A-Za-z]{{3,}}|(?<![A-Za-z])(?:[A-Za-z]|{FUNCTIONS}|{_PRODUCT}|{_AXES})(?![A-Za-z])"
)
_WORD_BETWEEN = "is"
"""Instead of numbers with units: a word, so that no equation goes on over it."""
_BARS = re.compile(r"\|([^|\n]+)\|")
"""An absolute value, with what it is of."""
_LETTER = r"[^\W\d_]"
_TERMS = re.compile(
    rf"{_LETTER}['′″]|{_LETTER}[ ]?[-+−·⋅×*/^][ ]?[\w(]|[\w)][ ]?[-+−·⋅×*/][ ]?{_LETTER}"
)
"""A rate, a power, or two terms or factors of which one is a letter."""
_UNREAD = re.compile(
    r"[A-Za-z]|[^\w\s+\-−·⋅×*/^=≠∞(),.'′″½-¾⅐-⅞√∂∑∫∇{}\[\]\u0300-\u030c\u2070-\u209c]"
)


def plain_equations(text: str, *, is_flowing: bool = False) -> Iterator[tuple[Span, bool]]:
    """Yield where text has equations in plain letters, and whether these can be read.

    That is, whether all their letters stand alone, as functions have them or as products do, and
    some are no letters of sentences: Greek, dotted, with digits below or above.

    Parameters
    ----------
    text : str
    is_flowing : bool
        Whether ends of lines are blanks, as they are in HTML.

    Examples
    --------
    >>> text = "The arm obeys M(θ)θ̈ + C = τ here, with V_max = l*v, and a = b as well."
    >>> [(text[span.start : span.stop], can) for span, can in plain_equations(text)]
    [('M(θ)θ̈ + C = τ', True), ('V_max = l*v', False)]
    """
    line_of, marks = (_FLOWING_LINE, _FORMATTED) if is_flowing else (_LINE, _LISTED)
    blanked = marks.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for value, unit in plain_values(blanked):
        yield value, True
        between = _WORD_BETWEEN.ljust(unit.stop - value.start)
        blanked = f"{blanked[: value.start]}{between}{blanked[unit.stop :]}"
    for line in line_of.finditer(blanked):
        if "=" in line[0]:
            for start, stop in _runs(line[0]):
                shown = line[0][start:stop]
                is_alone = not is_flowing and _is_alone(shown, line[0])
                is_shown = is_alone or _LETTERS.search(shown)
                if len(shown) <= _LONGEST and _EQUATION.match(shown) and is_shown:
                    span = Span(line.start() + start, line.start() + stop)
                    is_read = is_alone or _can_be_read(shown)
                    yield span, is_read and not _DRAWN.match(blanked, line.end() + 1)


def _runs(line: str) -> Iterator[tuple[int, int]]:
    """Iterate over stretches of a line without words."""
    start = stop = -1
    for token in _TOKEN.finditer(line):
        is_word = bool(WORD.fullmatch(token[0]))
        if start < 0 and not is_word:
            start = token.start()
        elif start >= 0 and is_word:
            yield start, stop
            start = -1
        if told := token[0].rstrip(".,;:"):
            stop = token.start() + len(told)
        if start >= 0 and token[0][-1] in ".;:":
            yield start, stop
            start = -1
    if start >= 0:
        yield start, stop


def _is_alone(shown: str, line: str) -> bool:
    """Return whether an equation is all that a line has: ``mx'' + kx = 0``, and no mere value."""
    is_all = shown == line.strip(" \t.,;:")
    return is_all and bool(_TERMS.search(shown)) and is_equations(shown)


def _can_be_read(shown: str) -> bool:
    return (has_marks(shown) or bool(_SET.search(shown))) and _is_mathematics(shown)


def _is_mathematics(shown: str) -> bool:
    return not _UNREAD.search(_NAMES.sub("", _BARS.sub(r"\1", shown)))


# ---------------------------------------------------------------------- blocks


def is_equations(block: str) -> bool:
    r"""Return whether a block holds nothing but equations in plain letters.

    Examples
    --------
    >>> [is_equations(block) for block in ("x₁ = l sin(θ₁)", "L = T - V", "y = np.sin(x)")]
    [True, True, False]
    >>> is_equations("A = [0  I]\n    [K  0]")
    False
    """
    lines = [line for line in block.splitlines() if line.strip()]
    return (
        0 < len(block) <= _LONGEST_BLOCK
        and not _CODE.search(block)
        and not has_drawings(block)
        and all(_EQUATION.search(line) for line in lines if not _goes_on(line, lines[0]))
        and all(map(_is_mathematics, lines))
    )


def has_drawings(block: str) -> bool:
    """Return whether a block has matrices that are drawn over several lines."""
    return _DRAWN.search(block) is not None


def _goes_on(line: str, first: str) -> bool:
    """Return whether a line is no equation of its own: an operator begins it, or it is indented."""
    is_indented = _indent(line) > _indent(first) and not _EQUATION.search(line)
    return line is not first and (is_indented or bool(_OPERATOR.match(line)))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def has_marks(block: str) -> bool:
    """Return whether a block has letters that code has not: Greek, dotted, raised, lowered."""
    return bool(re.search(_MARK, block))


def is_stated(block: str) -> bool:
    r"""Return whether a block of equations has one as no program has: ``m*a = F``.

    Examples
    --------
    >>> [is_stated(block) for block in ("m*a = F", "a = F/m", "m += 1\\na*b == c")]
    [True, False, False]
    """
    return _STATED.search(block) is not None and is_equations(block)


def is_marked(code: str) -> bool:
    """Return whether something set as code has such letters, or powers as no program has them."""
    return has_marks(code) or bool(_RAISED.search(code))


def starts(block: str) -> Iterator[int]:
    r"""Yield where the equations of a block begin, but for the first.

    Examples
    --------
    >>> block = "x = a    y = b\nz = c"
    >>> [block[start:] for start in starts(block)]
    ['y = b\nz = c', 'z = c']
    """
    lines = [line for line in re.finditer(r"[^\n]+", block) if line[0].strip()]
    for line in lines:
        if line is not lines[0] and not _goes_on(line[0], lines[0][0]):
            yield line.start()
        yield from (line.start() + gap.end() for gap in _GAP.finditer(line[0]))
