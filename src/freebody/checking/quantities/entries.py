"""Entries of quantities: how pages refer to them, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from freebody.algebra.expressions import Reference
from freebody.checking.quantities.families import Family, Rows
from freebody.errors import ExpressionError
from freebody.mechanics.notation import BLOCKS
from freebody.mechanics.parts import AXES

MATRICES = (*BLOCKS, "J", "N")


def split_frame(family: Family, parts: Sequence[str]) -> tuple[list[str], str]:
    """Return the parts of a path without a frame at their end, and that frame."""
    turned = family.turns and len(parts) > 2 and parts[-2] == "in"
    return (list(parts[:-2]), parts[-1]) if turned else (list(parts), "")


def places_in(rows: Rows) -> Iterator[list[tuple[int, ...]]]:
    """Iterate over the indices of the entries, row by row: one in a column, else two."""
    is_column = len(rows[0]) == 1
    for i, row in enumerate(rows, 1):
        yield [(i,) if is_column else (i, j) for j in range(1, len(row) + 1)]


def name_of_entry(
    path: tuple[str, ...], family: Family, place: tuple[int, ...], *, is_single: bool
) -> str:
    """Return the path of an entry as it is written."""
    name = ".".join(path)
    if family.entries == "one":
        return name
    if family.entries == "axes":
        return f"{name}.{AXES[place[0] - 1]}"
    if path[0] == "christoffel":
        name, place = path[0], (int(path[1]), place[0], place[-1])
    elif is_single and len(path) > 1:
        return name
    return f"{name}[{','.join(map(str, place))}]"


def misused(family: Family, reference: Reference) -> ExpressionError:
    """Return what is wrong with a reference that is no use of its family."""
    return ExpressionError(f"expected '{family.usage}', found '{reference}'", reference.column)


def entry_of(
    matrix: sympy.ImmutableMatrix, indices: tuple[int, ...], family: Family, reference: Reference
) -> sympy.Expr | sympy.ImmutableMatrix:
    """Return what the indices of a reference, counted from 1, pick out of a matrix.

    Raises
    ------
    ExpressionError
        If it has no such entry.
    """
    if not indices:
        is_single = matrix.shape == (1, 1) and reference.path[0] not in MATRICES
        return matrix[0] if is_single else matrix
    place = (*indices, 1) if matrix.cols == 1 and len(indices) == 1 else indices
    inside = len(place) == 2 and all(1 <= i <= n for i, n in zip(place, matrix.shape, strict=True))
    if not inside or family.entries == "one":
        raise ExpressionError(
            f"'{reference}' is outside of its {matrix.rows} x {matrix.cols} entries",
            reference.column,
        )
    return matrix[place[0] - 1, place[1] - 1]
