"""Equations in plain letters, written so that they can be read as LaTeX; all lines stay."""

from __future__ import annotations

import re
import unicodedata

from freebody.documents.latex.page.drawn import with_matrices, without_fractions
from freebody.documents.latex.page.plain import (
    FUNCTIONS,
    NO_LANGUAGE,
    OTHER,
    SPELLED,
    has_marks,
    is_stated,
)
from freebody.documents.latex.tokens.rewriting import LETTERS

BLOCK = re.compile(
    rf"^[ \t>]*```[ \t]*(?:(?:{'|'.join(NO_LANGUAGE[1:])})?[ \t]*\n(?P<body>.*?)```"
    r"|[^`\n]*\n.*?^[ \t>]*```)",
    re.MULTILINE | re.DOTALL,
)
"""A block, with its body where it names no language."""
_TICKS = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_PLAIN = "[A-Za-z0-9]"
"""What words below letters are made of."""
_WORD_BELOW = re.compile(
    rf"(?:(?<=[^\W_])|(?<=[\u0300-\u030c]))_(?!d*ot\b)(?P<words>[A-Za-z]{_PLAIN}*(?:_{_PLAIN}+)+|[A-Za-z]{_PLAIN}+)"
    r"(?![A-Za-z0-9_({])"
)
_REMARK = re.compile(
    rf"(?<=\S)(?P<gap>[ \t]+)(?:\((?=[^()\n]*(?:[{OTHER}]|[A-Za-z]{{3}}))(?P<inside>[^()\n]*)\)"
    r"|(?:←|#|//)(?P<words>[^\n]*))"
    r"[ \t]*$",
    re.MULTILINE,
)
"""What is said of a line behind it."""
_SAID_OF = re.compile(
    r"[ \t]*(?:\w+ = \[)?[ \t]*(?P<name>[^\s=(),\[\]·*/+-]+)[ \t]*"
    r"(?P<alone>(?:\(\d+\)[ \t,\]]*)?$)?(?(alone)|(?:\([^()=]*\)[ \t]*)?[=≈])"
)
"""What it is said of: what stands before an equals sign, or alone in a list of states."""
_UNITS_BEHIND = re.compile(r"(?:,|[ \t]{2,}|[ \t]+\d).*")
_SAYING = re.compile(rf"[^=`$|×%:]*(?:[{OTHER}]|[A-Za-z]{{3}})[^=`$|×%:]*")
_SPELLED_RATE = re.compile(
    r"^[ \t>]*(?:```|~~~)[ \t]*\w.*?^[ \t>]*(?:```|~~~)|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]"
    r"|(?<![\w\\{])(?P<letter>[A-Za-z\u03b1-\u03c9])_(?P<dots>d?dot)(?=_[A-Za-z]|(?![\w(]))",
    re.MULTILINE | re.DOTALL,
)
"""Blocks of code, formulas, and rates in plain letters: ``x_ddot``."""
_GREEK = {command[1:]: letter for letter, command in LETTERS.items()}
_SPELLED_GREEK = re.compile(rf"(?<![A-Za-z\\])(?:{'|'.join(_GREEK)})(?![a-z])")
_CALLED = re.compile(
    r"(?<![\w\\{])(atan2|(?:a(?:sin|cos|tan)h?|det|diag|sat|clip|norm)(?=\()"
    rf"|(?![A-Za-z]*(?:{FUNCTIONS})\()(?=[a-z][A-Za-z]*[aeiouy])[a-z][A-Za-z]{{3,}}(?=\())"
)
"""What is of something in brackets, and no product of letters: ``clamp(δ, 0, 1)``."""
_POWER = re.compile(r"\^(-\d+|\d\d+)")
"""One of more than a digit, without braces."""
_ROOT = re.compile(r"√[ ]?\[([^\[\]\n]*)\]")
"""A root of what stands in square brackets, which in LaTeX would say which root it is."""
_RUN_TOGETHER = re.compile(rf"(?<![^\W\d_])([b-zA-Z])(?=(?:{FUNCTIONS})\s*\()")


def in_latex(text: str) -> str:
    r"""Return a page with its equations in plain letters as LaTeX has them.

    Fractions are drawn over three lines, words stand below letters without braces, and functions
    right behind what they are times.

    Examples
    --------
    >>> in_latex("`θ̈ = τ_eff`"), in_latex("`θ'' = gsin(θ)`"), in_latex("β_ddot = 0")
    ('`θ̈ = τ_{eff}`', "`θ'' = g sin(θ)`", 'β̈ = 0')
    """
    text = _SPELLED_RATE.sub(_dotted, _with_greek(text))
    text = BLOCK.sub(_with_matrices, without_fractions(text))
    if any(has_marks(block["body"] or "") for block in BLOCK.finditer(text)):
        text = BLOCK.sub(_without_remarks, text)
    return _TICKS.sub(_rewritten, BLOCK.sub(_rewritten_block, text))


def _with_greek(text: str) -> str:
    """Return a page with Greek letters for their names in blocks, where one states an equation."""
    spelled = BLOCK.sub(_in_greek, text)
    is_said = any(is_stated(block["body"] or "") for block in BLOCK.finditer(spelled))
    return spelled if is_said else text


def _in_greek(block: re.Match[str]) -> str:
    if block["body"] is None:
        return block[0]
    return _SPELLED_GREEK.sub(lambda name: _GREEK[name[0]], block[0])


def _with_matrices(block: re.Match[str]) -> str:
    """Return a block with matrices that are drawn in it as displays, a line for each."""
    lines = with_matrices((block["body"] or "").split("\n"))
    return block[0] if lines is None else " \n" + _rewritten_text("\n".join(lines))


def _without_remarks(block: re.Match[str]) -> str:
    """Return a block with what is said of its lines behind it, as running text says it."""
    if block["body"] is None:
        return block[0]
    said: list[str] = []

    def bare(remark: re.Match[str]) -> str:
        words = _UNITS_BEHIND.sub("", remark["inside"] or remark["words"] or "").strip()
        start = block[0].rfind("\n", 0, remark.start()) + 1
        of = _SAID_OF.match(block[0][start : remark.start()])
        is_alone = of is not None and of["alone"] is not None
        if len(remark["gap"]) == 1 and not (is_alone and remark["inside"]):
            return remark[0]
        is_said = is_alone or (has_marks(block[0]) and not remark["inside"])
        if of and is_said and _SAYING.fullmatch(words):
            said.append(f" ${of['name']}$: {words}.")
        return ""

    return _REMARK.sub(bare, block[0]) + "".join(said)


def _rewritten_block(match: re.Match[str]) -> str:
    return match[0] if match["body"] is None else _rewritten(match)


def _rewritten(match: re.Match[str]) -> str:
    block = match[0]
    return block if "\\" in block and not has_marks(block) else _rewritten_text(block)


def _rewritten_text(block: str) -> str:
    block = _WORD_BELOW.sub(lambda match: f"_{{{match['words'].replace('_', ',')}}}", block)
    block = _ROOT.sub(r"√(\1)", _POWER.sub(r"^{\1}", block))
    if has_marks(block):
        block = _CALLED.sub(r"\\operatorname{\1}", block)
    return _RUN_TOGETHER.sub(r"\1 ", block)


def _dotted(match: re.Match[str]) -> str:
    dots = SPELLED.get(match["dots"] or "")
    return unicodedata.normalize("NFC", match["letter"] + dots) if dots else match[0]
