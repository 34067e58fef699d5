"""Matrices of C++ whose types say how large they are, as the library Eigen has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from freebody.code.tree import Binary, Node, Number, Slice, Unary

Shape = tuple[int | None, ...]
"""Numbers of rows and columns; rows alone for a column; None for what the type leaves open."""
_NAMED = re.compile(r"(Matrix|Vector|RowVector)([1-9X])(?:x([1-9]))?[dfi]")
_TEMPLATE = re.compile(r"(Matrix|Vector)<[\w:]+,(\d+|Dynamic)(?:,(\d+|Dynamic))?(?:,[^<>]*)?>")
FACTORED = (
    "ldlt", "llt", "lu", "partialPivLu", "fullPivLu", "colPivHouseholderQr",
    "fullPivHouseholderQr", "householderQr", "completeOrthogonalDecomposition", "eval", "noalias",
    "array", "matrix",
)  # fmt: skip
"""Methods of a matrix whose result is solved by, or assigned to, as the matrix itself."""
MADE = {"Zero": "zeros", "Ones": "ones", "Identity": "eye"}
"""Functions of a type that make a matrix of it, by what makes an array of a size."""
SET = {"setZero": "zeros", "setOnes": "ones", "setIdentity": "eye", "resize": "zeros"}
"""Methods that set a matrix, by what makes an array of its size, or of one that is given."""
LETTERS = "xyzw"
"""Methods of a vector that are its entries."""


def shape_of(written: str) -> Shape | None:
    """Return how large a type is, or None for what is no matrix.

    Parameters
    ----------
    written : str
        The type, as it is written.

    Examples
    --------
    >>> shape_of("Eigen::Matrix2d"), shape_of("Matrix<double, 2, 1>"), shape_of("VectorXd")
    ((2, 2), (2,), (None,))
    """
    own = plain_type(written)
    if found := _NAMED.fullmatch(own):
        rows = _size(found[2])
        if found[1] == "Vector":
            return (rows,)
        return (1, rows) if found[1] == "RowVector" else (rows, _size(found[3] or found[2]))
    if found := _TEMPLATE.fullmatch(own):
        column = found[1] == "Vector" or found[3] == "1"
        return (_size(found[2]),) if column else (_size(found[2]), _size(found[3] or "X"))
    return None


def plain_type(written: str) -> str:
    """Return a type without what it is not told apart by: ``const Eigen::Matrix2d &``.

    Examples
    --------
    >>> plain_type("const Eigen::Matrix2d &")
    'Matrix2d'
    """
    return re.sub(r"\s|\bconst\b|&|Eigen::", "", written)


def _size(text: str) -> int | None:
    return int(text) if text.isdigit() else None


# ---------------------------------------------------------------------- parts


def part_of(method: str, given: Sequence[Node]) -> tuple[Node, ...] | None:
    """Return the indices of the part of a matrix that a method is, or None for no such method.

    Parameters
    ----------
    method : str
    given : sequence of Node
        Its arguments, with those of its template behind them.

    Examples
    --------
    >>> part_of("transpose", ())
    """
    work = _PARTS.get((method, len(given)))
    return work(*given) if work else None


def _first(count: Node) -> Node:
    return Slice((0, 0), None, count)


def _last(count: Node) -> Node:
    return Slice((0, 0), Unary((0, 0), "-", count))


def _from(start: Node, count: Node) -> Node:
    """Return a range, or one index where it has one entry."""
    if count == Number(count.span, Fraction(1)):
        return start
    return Slice((0, 0), start, Binary((0, 0), "+", start, count, (0, 0)))


_ALL = Slice((0, 0))
_PARTS: Mapping[tuple[str, int], Callable[..., tuple[Node, ...]]] = {
    ("row", 1): lambda i: (i, _ALL),
    ("col", 1): lambda j: (_ALL, j),
    ("head", 1): lambda n: (_first(n),),
    ("tail", 1): lambda n: (_last(n),),
    ("segment", 2): lambda i, n: (_from(i, n),),
    ("topRows", 1): lambda n: (_first(n), _ALL),
    ("bottomRows", 1): lambda n: (_last(n), _ALL),
    ("middleRows", 2): lambda i, n: (_from(i, n), _ALL),
    ("leftCols", 1): lambda n: (_ALL, _first(n)),
    ("rightCols", 1): lambda n: (_ALL, _last(n)),
    ("middleCols", 2): lambda j, n: (_ALL, _from(j, n)),
    ("block", 4): lambda i, j, p, q: (_from(i, p), _from(j, q)),
    ("topLeftCorner", 2): lambda p, q: (_first(p), _first(q)),
    ("topRightCorner", 2): lambda p, q: (_first(p), _last(q)),
    ("bottomLeftCorner", 2): lambda p, q: (_last(p), _first(q)),
    ("bottomRightCorner", 2): lambda p, q: (_last(p), _last(q)),
}
