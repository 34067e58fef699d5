r"""Equations of motion to paste into a paper: an ``align`` with labels, broken to a column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from freebody.explaining.layout import left_of, lines_of, wrapped
from freebody.explaining.notation import Notation
from freebody.explaining.page import Formula, Page
from freebody.explaining.system import System
from freebody.explaining.terms import Blocks
from freebody.mechanics.build import in_symbols
from freebody.mechanics.derivation import derive
from freebody.mechanics.equations import Equations

ARTICLE = 64
"""Characters in a line of LaTeX's own article at 11 points, beside the numbers of equations."""

_NAME = re.compile(r"\\?[A-Za-z]+|[^_ ]*_[^_ ]*\}")
"""A left side whose letters and numbers are the label: an entry, or a letter."""


def align(equations: Equations, *, width: int = ARTICLE, short: bool = False) -> str:
    r"""Return equations of motion as LaTeX to paste: factored, labelled, zero blocks left out.

    Parameters
    ----------
    equations : Equations
    width : int, optional
        About how many printed characters fit into a line; 44 of a column of two.
    short : bool, optional
        Whether sines and cosines are abbreviated, and collected behind.

    Raises
    ------
    TooLargeError
        If they are too large to be written out.

    Examples
    --------
    >>> import freebody
    >>> print(align(freebody.derive("pendulum")).splitlines()[2])
    M_{11} &= m d^{2} + I \label{eq:M11} \\
    """
    return "\n".join(_lines(pasted(equations, short=short), width))


def pasted(equations: Equations, *, short: bool = False) -> Page:
    """Return the page that is pasted, prescribed motions by their symbols."""
    moving = in_symbols(equations.mechanism)
    if moving is not equations.mechanism:
        equations = derive(moving, equations.method)
    notation = Notation(equations.mechanism, short=short)
    system = System(equations, notation)
    page = Page(notation)
    blocks = Blocks(page, system)
    blocks.matrices()
    blocks.constraints()
    if system.model.speeds:
        for rate, value in system.mechanism.kinematics.items():
            page.equation(rate, system.renamed(value))
    for motion, value in system.mechanism.prescribed.items():
        page.equation(motion, system.renamed(value))
    return page


def _lines(page: Page, width: int) -> Iterator[str]:
    formulas = [block for block in page.blocks if isinstance(block, Formula)]
    numbers = count(1)
    left = left_of([one.sides for one in formulas], width)
    rows = [_row(one, width, left, numbers) for one in formulas]
    yield r"\begin{align}"
    yield " \\\\\n".join(rows)
    yield r"\end{align}"
    if known := page.notation.abbreviations:
        yield "where"
        yield r"\begin{gather*}"
        yield " \\\\\n".join(wrapped([f"{key} = {whole}" for key, whole in known.items()], width))
        yield r"\end{gather*}"
    laws = [
        symbol for symbol in page.notation.declared if "law." in str(page.notation.declared[symbol])
    ]
    if laws:
        yield f"% {', '.join(laws)}: by laws that 'freebody derive' prints without --latex"


def _row(formula: Formula, width: int, left: float, numbers: Iterable[int]) -> str:
    """Return one equation in lines, the last of them with its label."""
    first = formula.sides[0]
    bare = "".join(one for one in first if one.isalnum()) if _NAME.fullmatch(first) else ""
    name = bare or f"motion{next(iter(numbers))}"
    *inner, last = lines_of(formula.sides, width, left)
    return " \\\\\n".join(
        [*(rf"{line} \nonumber" for line in inner), rf"{last} \label{{eq:{name}}}"]
    )
