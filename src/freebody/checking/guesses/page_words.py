"""What a page calls its symbols: in words, or by the formulas that define them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from freebody.checking.guesses.naming import LONGEST_PHRASE
from freebody.checking.guesses.prose_definitions import phrases
from freebody.checking.guesses.symbols import PageSymbols
from freebody.checking.introduced import defines, entries_beside
from freebody.documents.latex import LatexError, Relation
from freebody.documents.latex.tokens.macros import Macros
from freebody.documents.latex.tree import Labelled, Matrix, Name, Node, Transpose, walk

_WORD = re.compile(r"[A-Za-z]{4,}")
_NO_WORD = re.compile(
    r"\\[A-Za-z]+(?:\{[A-Za-z]*\*?\})?|[_^]\{[^{}]*\}|(?:sin|cos|tan)h?(?=[\s({\\])"
)
"""What is printed in letters, and is no word: commands, environments, scripts and functions."""
_WHOLE = frozenset("knm")
"""Letters for any whole number."""
_CALLED = re.compile(r"\s*(?:\\left\s*)?\(")
"""What stands behind a function whose arguments are not read."""
LONGEST_FORMULA = 120
"""Characters of what defines a symbol."""
FORMULA = "= "
"""What the words for a symbol begin with that are the formula which defines it."""
_NAME = r"\s*(?:\\[A-Za-z]+|[A-Za-z])(?:_(?:\w|\{\w{1,8}\}))?\s*"
_NAMES = re.compile(rf"{_NAME}(?:,{_NAME})*")
"""Names beside an equation, which go on with what it has on one side."""


def with_words(page: PageSymbols, prose: str, macros: Macros) -> PageSymbols:
    """Return the symbols of a page with what it calls each.

    Parameters
    ----------
    page : PageSymbols
    prose : str
        The text of the page, with its formulas.
    macros : Macros
        Of the page, which its formulas are told without.
    """
    formulas = {key: _without(macros, one) for key, one in _formulas(page).items()}
    called = phrases(prose, [used.key for used in page.symbols])
    named = []
    for used in page.symbols:
        formula = formulas.get(used.key, "")
        named.append(replace(used, words=called.get(used.key, formula), formula=formula))
    return replace(page, symbols=tuple(named))


def told_by(relation: Relation) -> Iterator[tuple[Name, Node]]:
    r"""Iterate over the letters that an equation tells, with what they are.

    Also over those of a column, ``[x, y]^T = [l\sin\theta, -l\cos\theta]^T``, and over those that
    stand at a brace, ``\underbrace{k/m}_{a}``. One of several names, ``q_i = x, y``, is none.
    """
    is_listed = any(map(_NAMES.fullmatch, relation.remarks))
    yield from (one for one in defines(relation) if not (is_listed and isinstance(one[1], Name)))
    sides = relation.left, relation.right
    left, right = (one.node if isinstance(one, Transpose) else one for one in sides)
    for one, node in entries_beside(left, right):
        if isinstance(one, Name) and not one.dots:
            yield one, node
    for each in walk(*sides):
        match each:
            case Labelled(node=inner, label=Name(dots=0) as label):
                yield label, inner


def _formulas(page: PageSymbols) -> dict[str, str]:
    """Return the formulas by which a page defines symbols first, as they are printed."""
    found: dict[str, str] = {}
    for relation in (one.relation for one in page.equations if not one.relation.case):
        for name, node in told_by(relation):
            if printed := _printed(relation, node):
                found.setdefault(name.key, f"{FORMULA}{printed}")
    return found


def _without(macros: Macros, formula: str) -> str:
    """Return a formula without macros; as it is printed where they cannot be expanded in it."""
    try:
        return macros.without(formula)
    except LatexError:
        return formula


def is_long(formula: str) -> bool:
    """Return whether a formula says less shortly what a symbol is than a word for it would."""
    return len(formula.removeprefix(FORMULA)) > LONGEST_PHRASE


def _printed(relation: Relation, node: Node) -> str:
    """Return a part of an equation as it is printed; nothing of a value, or of what is long."""
    latex, start = relation.latex, relation.span.start
    stop = _behind_primes(latex, node.span.stop - start)
    row = _as_row(node, latex, start) if isinstance(node, Matrix) else ""
    printed = row or _whole(latex, node.span.start - start, stop)
    is_value = _is_number(node, printed)
    is_value |= _CALLED.match(latex, stop) is not None
    is_value |= _WORD.search(_NO_WORD.sub(" ", printed)) is not None
    is_table = isinstance(node, Matrix) and not row  # which its letter says more shortly
    if is_value or len(printed) > (LONGEST_PHRASE if is_table else LONGEST_FORMULA):
        return ""
    closing = "}" * (printed.count("{") - printed.count("}"))
    return f"{' '.join(printed.split())}{closing}"


def _is_number(node: Node, printed: str) -> bool:
    r"""Return whether something has no letters but that of whole numbers: ``\pi/2 + k\pi``."""
    keys = {one.key for one in walk(node) if isinstance(one, Name)}
    return not keys or (r"\pi" in printed and keys <= {*_WHOLE, r"\pi"})


def _as_row(column: Matrix, latex: str, start: int) -> str:
    r"""Return a column as it is written on a line, ``(x, \dot x)``; nothing for a matrix."""
    if any(len(row) > 1 for row in column.rows):
        return ""
    spans = [one.span for row in column.rows for one in row]
    entries = (_whole(latex, one.start - start, one.stop - start) for one in spans)
    return f"({', '.join(entries)})"


def _whole(latex: str, start: int, stop: int) -> str:
    r"""Return a part of a formula with the brackets that close in it: of ``{\bf r}_1`` all."""
    while latex.count("}", start, stop) > latex.count("{", start, stop):
        before = latex.rfind("{", 0, start)
        if before < 0:
            break
        start = before
    return latex[start:stop]


def _behind_primes(latex: str, stop: int) -> int:
    """Return where something ends with the primes behind it, which may have been read as dots."""
    return stop + len(latex[stop:]) - len(latex[stop:].lstrip("'′"))
