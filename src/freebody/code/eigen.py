"""Matrices of C++ whose types say how large they are, as the library Eigen has them."""

from __future__ import annotations

import re

Shape = tuple[int | None, ...]
"""Numbers of rows and columns; rows alone for a column; None for what the type leaves open."""
_NAMED = re.compile(r"(Matrix|Vector|RowVector)([1-9X])(?:x([1-9]))?[dfi]")
_TEMPLATE = re.compile(r"(Matrix|Vector)<[\w:]+,(\d+|Dynamic)(?:,(\d+|Dynamic))?(?:,[^<>]*)?>")
FACTORED = (
    "ldlt", "llt", "lu", "partialPivLu", "fullPivLu", "colPivHouseholderQr",
    "fullPivHouseholderQr", "householderQr", "completeOrthogonalDecomposition", "eval", "noalias",
)  # fmt: skip
"""Methods of a matrix whose result is solved by, or assigned to, as the matrix itself."""
MADE = {"Zero": "zeros", "Ones": "ones", "Identity": "eye"}
"""Functions of a type that make a matrix of it, by what makes an array of a size."""


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
    own = re.sub(r"\s|const|&|Eigen::", "", written)
    if found := _NAMED.fullmatch(own):
        rows = _size(found[2])
        if found[1] == "Vector":
            return (rows,)
        return (1, rows) if found[1] == "RowVector" else (rows, _size(found[3] or found[2]))
    if found := _TEMPLATE.fullmatch(own):
        column = found[1] == "Vector" or found[3] == "1"
        return (_size(found[2]),) if column else (_size(found[2]), _size(found[3] or "X"))
    return None


def _size(text: str) -> int | None:
    return int(text) if text.isdigit() else None
