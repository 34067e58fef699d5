"""Arrays as languages and their libraries make them, put them together and multiply them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.code.values import (
    LARGEST,
    Matrix,
    NotFollowedError,
    Struct,
    TooMuchError,
    Unknown,
    made,
    solved,
)
from freebody.graph.cells import Cell

if TYPE_CHECKING:
    from freebody.code.working import Working

Arguments = Sequence[Any]


def multiply(interp: Working, a: Any, b: Any) -> Any:
    """Return a product of matrices."""
    a, b = interp.matched(a, b)
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return interp.binary(".*", a, b)
    if a.size * b.size > LARGEST * 8:
        raise TooMuchError("a product of matrices that are too large")
    if a.ndim == 1 and b.ndim == 2 and len(b) == 1 and interp.has_columns:
        a = a.reshape(-1, 1)
    try:
        found = a @ b if a.ndim and b.ndim else a * b
        # a row times a column is a scalar there
        return _scalar(found) if interp.has_columns else found
    except ValueError:
        raise NotFollowedError(f"a product of shapes {a.shape} and {b.shape}") from None


def _scalar(found: Any) -> Any:
    return found.item() if isinstance(found, np.ndarray) and found.size == 1 else found


def solve(interp: Working, matrix: Any, right: Any) -> Any:
    """Return what a matrix has to be multiplied by to give a column."""
    matrix = interp.array(matrix) if isinstance(matrix, Unknown) and matrix.is_set else matrix
    if not isinstance(matrix, (np.ndarray, list)):
        return interp.binary("/", right, matrix)
    matrix = interp.array(matrix)
    if isinstance(right, Unknown):
        right = interp.shaped(right, matrix.shape[:1])
    return solved(matrix, interp.array(right), interp.table.graph)


def inverse(interp: Working, matrix: Any) -> Any:
    """Return the inverse of a matrix, or one over a scalar."""
    matrix = interp.array(matrix) if isinstance(matrix, Unknown) and matrix.is_set else matrix
    if not isinstance(matrix, (np.ndarray, list)):
        return interp.binary("/", interp.table.graph.one, matrix)
    matrix = interp.array(matrix)
    return solved(matrix, eye(interp, [len(matrix)]), interp.table.graph)


def eye(interp: Working, sizes: Arguments) -> Any:
    """Return the identity of a size, or an upper part of it."""
    n = [interp.whole(one) for one in sizes if isinstance(one, (Cell, Unknown, int))]
    rows, columns = (n * 2)[:2] if n else (1, 1)
    _expect_small(rows * columns)
    graph = interp.table.graph
    return made(
        [made([graph.one if i == j else graph.zero for j in range(columns)]) for i in range(rows)]
    )


def filled(value: int) -> Callable[[Working, Arguments], Any]:
    """Return what makes an array of one number."""

    def fill(interp: Working, sizes: Arguments) -> Any:
        sizes = [one for one in sizes if not isinstance(one, (str, Struct)) and one is not None]
        sizes = [
            part
            for one in sizes
            for part in (one if isinstance(one, (list, np.ndarray)) else [one])
        ]
        try:
            shape = [
                interp.whole(one)
                for one in sizes
                if hasattr(one, "leaf") or isinstance(one, (Cell, int))
            ]
        except NotFollowedError:
            return interp.fresh("zeros", zero=not value)
        if len(shape) == 1 and interp.is_one_based:
            shape = shape if interp.language == "julia" else shape * 2
        if shape and not 0 <= int(np.prod(shape)) <= LARGEST:
            return interp.fresh("zeros", zero=not value)
        if not shape:
            return interp.table.number(value)
        return np.full(shape, interp.table.number(value), dtype=object)

    return fill


def _expect_small(size: int) -> None:
    if not 0 <= size <= LARGEST:
        raise TooMuchError(f"an array of more than {LARGEST} entries")


def like(value: int) -> Callable[[Working, Arguments], Any]:
    """Return what makes an array of one number, of the shape of another."""

    def like(interp: Working, of: Arguments) -> Any:
        if isinstance(of[0], (np.ndarray, list)):
            return np.full(np.shape(interp.array(of[0])), interp.table.number(value), dtype=object)
        return interp.fresh("zeros_like", zero=not value)

    return like


def stack(axis: int | None) -> Callable[[Working, Arguments], Any]:
    """Return what puts blocks below each other, beside each other, or end to end."""

    def stack(interp: Working, parts: Arguments) -> Any:
        whole = parts[0] if len(parts) == 1 and isinstance(parts[0], (list, np.ndarray)) else parts
        blocks = [interp.array(one) for one in whole]
        if axis is None or all(one.ndim == 0 for one in blocks):
            flat = [one.reshape(-1) if one.ndim < 2 else one for one in blocks]
            return _joined(np.concatenate, flat)
        if axis == 0:
            return _joined(
                np.vstack,
                [
                    one.reshape(-1, 1) if interp.is_one_based and one.ndim < 2 else one
                    for one in blocks
                ],
            )
        return _joined(np.hstack, [np.atleast_1d(one) for one in blocks])

    return stack


def _joined(join: Callable[[Any], Any], blocks: list[Any]) -> Any:
    try:
        return join(blocks)
    except ValueError:
        shapes = ", ".join(str(one.shape) for one in blocks)
        raise NotFollowedError(f"blocks of shapes {shapes} put together") from None


def column_stack(interp: Working, parts: Arguments) -> Any:
    """Return columns beside each other."""
    return _joined(
        np.column_stack, [interp.array(one) for one in (parts[0] if len(parts) == 1 else parts)]
    )


def vertcat(interp: Working, parts: Arguments) -> Any:
    """Return blocks below each other, of which a vector is a column."""
    blocks = [np.atleast_1d(interp.array(one)) for one in parts]
    return _joined(np.vstack, [one.reshape(-1, 1) if one.ndim == 1 else one for one in blocks])


def stacked(interp: Working, of: Arguments) -> Any:
    """Return arrays along a new axis."""
    blocks = [interp.array(one) for one in interp.items(of[0])]
    along = interp.whole(of[1]) if len(of) > 1 else 0
    return _joined(lambda whole: np.stack(whole, axis=along), blocks)


def concatenated(interp: Working, of: Arguments) -> Any:
    """Return arrays end to end, along an axis."""
    if len(of) < 2:
        return stack(None)(interp, of)
    along = interp.whole(of[1])
    blocks = [interp.array(one) for one in interp.items(of[0])]
    return _joined(lambda whole: np.concatenate(whole, axis=along), blocks)


def transposed(interp: Working, of: Arguments) -> Any:
    """Return a transpose."""
    if not isinstance(of[0], (np.ndarray, list)):
        return of[0]
    value = interp.array(of[0])
    return value.reshape(1, -1) if value.ndim == 1 and interp.has_columns else value.T


def dot(interp: Working, of: Arguments) -> Any:
    """Return a product of vectors or matrices."""
    a, b = interp.matched(*of[:2])
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and interp.has_columns:
        a, b = a.reshape(-1), b.reshape(-1)
    return multiply(interp, a, b)


def total(interp: Working, of: Arguments) -> Any:
    """Return a sum of all entries, or along the dimension that is told or usual."""
    if isinstance(of[0], Unknown):
        raise NotFollowedError("a sum of what is not known")
    entries, along = interp.array(of[0]), None
    if len(of) > 1:
        along = interp.whole(of[1]) - interp.is_one_based
    elif interp.language == "matlab" and min(entries.shape, default=1) > 1:
        along = 0
    if along is None or entries.ndim < 2:
        return reduce(operator.add, entries.reshape(-1), interp.table.graph.zero)
    summed = entries.sum(axis=along)
    if not interp.is_one_based:
        return summed
    return summed.reshape(1, -1) if along == 0 else summed.reshape(-1, 1)


def cross(interp: Working, of: Arguments) -> Any:
    """Return a cross product, in the plane its one component."""
    a, b = (interp.array(one).reshape(-1) for one in of[:2])
    if len(a) == len(b) == 2:
        return a[0] * b[1] - a[1] * b[0]
    if len(a) != 3 or len(b) != 3:
        raise NotFollowedError("a cross product of other than three components")
    parts = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    return made(parts)


def norm(interp: Working, of: Arguments) -> Any:
    """Return the length of a vector."""
    entries = interp.array(of[0])
    if len(of) > 1 or (interp.language == "matlab" and min(entries.shape, default=1) > 1):
        raise NotFollowedError("another norm than that of a vector")
    parts = entries.reshape(-1)
    return interp.table.graph.apply("sqrt", total(interp, [parts * parts]))


def diagonal(interp: Working, of: Arguments) -> Any:
    """Return the diagonal of a matrix, or the matrix that has one."""
    value = interp.array(of[0] if len(of) == 1 else list(of))
    if value.ndim == 2 and (min(value.shape) > 1 or not interp.is_one_based):
        return value.diagonal().copy()
    value = value.reshape(-1)
    out = np.full((len(value), len(value)), interp.table.graph.zero, dtype=object)
    np.fill_diagonal(out, value)
    return out


def numbers(interp: Working, of: Arguments) -> Any:
    """Return whole numbers that follow each other."""
    numbers = [interp.whole(one) for one in of[:3]]
    found = range(*numbers)
    if len(found) > LARGEST:
        raise NotFollowedError(f"a range of more than {LARGEST} numbers")
    return [interp.table.number(one) for one in found]


def longest(interp: Working, of: Arguments) -> Any:
    """Return how long an array is, as its language counts."""
    if not isinstance(of[0], (list, np.ndarray)):
        raise NotFollowedError("a length that is not known")
    if interp.language == "julia":
        return count(interp, of)
    is_longest = interp.language == "matlab"
    return interp.table.number(max(np.shape(of[0])) if is_longest else len(of[0]))


def count(interp: Working, of: Arguments) -> Any:
    """Return how many entries there are."""
    if not isinstance(of[0], (list, np.ndarray)):
        raise NotFollowedError("a size that is not known")
    return interp.table.number(int(np.size(interp.array(of[0]))))


def size(interp: Working, of: Arguments) -> Any:
    """Return the shape of an array, or one side of it."""
    if not interp.is_one_based:
        return count(interp, of)
    if not isinstance(of[0], np.ndarray):
        raise NotFollowedError("a size that is not known")
    shape = (*of[0].shape, 1)[:2]
    if len(of) > 1:
        return interp.table.number(shape[interp.whole(of[1]) - 1])
    return [interp.table.number(one) for one in shape]


def reshaped(interp: Working, of: Arguments) -> Any:
    """Return an array in another shape."""
    if not isinstance(of[0], (np.ndarray, list)):
        return of[0]
    given = [
        part
        for one in of[1:]
        for part in (interp.array(one).reshape(-1) if np.ndim(one) else [one])
    ]
    shape = tuple(interp.whole(one) for one in given if isinstance(one, (Cell, Unknown)))
    try:
        array = interp.array(of[0])
        return np.reshape(array, shape or (-1,), order="F" if interp.is_one_based else "C")
    except ValueError:
        raise NotFollowedError(f"a shape {shape} that does not fit") from None


def flat(interp: Working, of: Arguments) -> Any:
    """Return the entries one after another."""
    return of[0] if isinstance(of[0], Unknown) else interp.array(of[0]).reshape(-1)


def trace(interp: Working, of: Arguments) -> Any:
    """Return a trace."""
    return total(interp, [interp.array(of[0]).diagonal()])


def product(interp: Working, of: Arguments) -> Any:
    """Return a product of several matrices."""
    total = of[0]
    for one in of[1:]:
        total = multiply(interp, total, one)
    return total


def array(interp: Working, of: Arguments) -> Any:
    """Return what becomes of a list, or of entries given one by one."""
    if len(of) == 1 and isinstance(of[0], Unknown):
        return of[0]
    if isinstance(of[0], list) or np.ndim(of[0]):
        return interp.array(of[0]).copy()
    return interp.array(list(of))


def matrix(axis: int) -> Callable[[Working, Arguments], Any]:
    """Return what makes a matrix; a vector becomes its row (0) or its column (-1)."""

    def make(interp: Working, of: Arguments) -> Any:
        if isinstance(of[0], Unknown) or interp.language != "python":
            return array(interp, of)
        if len(of) == 3:
            shape = interp.whole(of[0]), interp.whole(of[1])
            return interp.array(of[2]).reshape(shape).view(Matrix)
        entries = interp.array(of[0])
        whole = np.expand_dims(entries, axis) if entries.ndim < 2 else entries.copy()
        return whole.view(Matrix)

    return make
