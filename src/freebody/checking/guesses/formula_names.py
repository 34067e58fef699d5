r"""The names in formulas of nothing but names, and those of letters that are written plainly."""

from __future__ import annotations

import re
import unicodedata

from freebody.documents.latex import LatexError
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.digits import lowered
from freebody.documents.latex.tokens.rewriting import GREEK, SAME
from freebody.documents.latex.tokens.tokens import parse

LETTER = "(?:" + "|".join(sorted(GREEK, key=len, reverse=True)) + "|[A-Za-zα-ωΑ-Ω])"
"""A letter, written plainly."""
_LETTERS_ALONE = re.compile(r"[\\\w{},]+")
"""Arguments of a function, and no factor in brackets."""


_ROW = re.compile(
    r"\s*(?:\\left\s*)?(?:\[|\(|\\begin\{[bp]?matrix\})(?P<inside>.*?)"
    r"(?:\\right\s*)?(?:\]|\)|\\end\{[bp]?matrix\})"
    r"\s*(?:\^\s*\{?\s*(?:\\(?:mathrm|mathsf|text|intercal|top)\s*\{?\s*)?T?\s*\}{0,2})?\s*",
    re.DOTALL,
)
_NEXT_ENTRY = re.compile(r"&|\\\\|;|\\q?quad(?![A-Za-z])")


def plain_name(letter: str, below: str) -> str:
    r"""Return the symbol that is written plainly as a letter and what stands below it."""
    name = SAME.get(letter, rf"\{letter}" if letter in GREEK else letter)
    below = unicodedata.normalize("NFKC", below).strip("_{}")
    return name + (f"_{below}" if len(below) == 1 else f"_{{{below}}}" if below else "")


def names_of(latex: str, *, of_functions: bool = False) -> tuple[str, ...]:
    """Return the names in a formula of one name, or of several between commas, as they stand.

    Those of functions stand with what they are functions of, ``u(x, t)``.
    """
    latex = lowered(latex)
    try:
        items = parse(latex, 0, len(latex))
    except LatexError:
        return ()
    names, position, is_open = dict[str, None](), 0, True
    while position < len(items):
        options = spellings(items, position)
        if options and not is_open:
            return ()
        if options:
            is_open = False
            is_function = of_functions and _LETTERS_ALONE.fullmatch(options[0].arguments)
            chosen = options[0] if is_function else options[-1]
            names[chosen.form(0, raised=chosen.is_marked)] = None
            position = chosen.stop
        elif items[position].text in (",", r"\ "):
            is_open |= items[position].text == ","
            position += 1
        else:
            return ()
    return tuple(names)


def components_of(latex: str) -> tuple[str, ...]:
    r"""Return the names in a row or a column of several that have one letter.

    Examples
    --------
    >>> components_of(r"[B_x(t), B_y(t)]^T"), components_of(r"[x, y]^T"), components_of("(x)")
    (('B_{x}(t)', 'B_{y}(t)'), (), ())
    """
    row = _ROW.fullmatch(latex)
    names = names_of(_NEXT_ENTRY.sub(",", row["inside"]), of_functions=True) if row else ()
    letters = {re.split(r"[_^(]", name, maxsplit=1)[0] for name in names}
    return names if len(names) > 1 and len(letters) == 1 else ()
