"""The letters of a page that are the components of a quaternion, whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.checking.introduced import bare
from freebody.consistency.letters import bare_of_font
from freebody.documents.latex.tree import Add, Matrix, Name, Node, Transpose, multiplied, walk
from freebody.recognition.symbols.equation_parts import both_ways
from freebody.recognition.symbols.named_letters import speaks_of

_COUNT = 4
_LISTED = re.compile(
    r"quaterni\w*\s+(?:\$|\\\()?\s*(?:\\left\s*)?[(\[](?P<inside>[^()\[\]$]{7,60})[)\]]",
    re.IGNORECASE,
)


def quaternion_components(equations: Iterable[SymbolEquation], prose: str) -> frozenset[str]:
    r"""Return the letters that are components of a quaternion.

    Of a column of four that a letter for a quaternion is, of a list behind the word, of a sum with
    units, or w, x, y and z with one number below them; generalized coordinates have angles among
    them, or are accelerated.

    Parameters
    ----------
    equations : iterable of SymbolEquation
        Of a page.
    prose : str
        Its text, with its formulas.

    Examples
    --------
    >>> sorted(quaternion_components([], "The unit quaternion $(x, y, z, w)$ turns it."))
    ['w', 'x', 'y', 'z']
    """
    if not speaks_of("quaternions", prose):
        return frozenset()
    equations = [*equations]
    listed = (found["inside"].split(",") for found in _LISTED.finditer(prose))
    columns = (keys for one in equations for keys in _columns(one))
    sums = (keys for one in equations for keys in _sums(one))
    fours = (
        {key.strip() for key in keys}
        for keys in (*listed, *columns, *sums, *_numbered(equations))
        if len({*keys}) == _COUNT
    )
    return frozenset().union(*fours)


def _columns(one: SymbolEquation) -> Iterator[list[str]]:
    """Iterate over the letters of columns, or rows, that letters for quaternions are."""
    for left, right in both_ways(one):
        column = right.node if isinstance(right, Transpose) else right
        if not isinstance(left, Name) or left.dots or not isinstance(column, Matrix):
            continue
        entries = [entry for row in column.rows for entry in row]
        names = [bare(entry.key) for entry in entries if isinstance(entry, Name) and not entry.dots]
        has_angles = any(SymbolShape.of(name).kinds[:1] == ("angle",) for name in names)
        is_quaternion = SymbolShape.of(left.key).letter in ("q", "Q") and not has_angles
        if is_quaternion and len(names) == len(entries):
            yield names


def _sums(one: SymbolEquation) -> Iterator[list[str]]:
    """Iterate over the components of sums with the units i, j and k: ``w + xi + yj + zk``."""
    for _, right in both_ways(one):
        if not isinstance(right, Add) or len(right.terms) != _COUNT:
            continue
        units = [_names(term.node) for term in right.terms]
        if [names[-1] for names in units if len(names) > 1] == [*"ijk"]:
            yield [names[0] for names in units]


def _names(node: Node) -> list[str]:
    """Return the letters of a product, without what they are printed in."""
    return [bare_of_font(bare(one.key)) for one in multiplied(node) if isinstance(one, Name)]


def _numbered(equations: Iterable[SymbolEquation]) -> Iterator[list[str]]:
    """Iterate over w, x, y and z with one number below them: of several quaternions."""
    sides = ((one.relation.left, one.relation.right) for one in equations)
    printed = {bare(one.key) for pair in sides for one in walk(*pair) if isinstance(one, Name)}
    for first in printed:
        if first.startswith("w_") and {one + first[1:] for one in "xyz"} <= printed:
            yield [one + first[1:] for one in "wxyz"]
