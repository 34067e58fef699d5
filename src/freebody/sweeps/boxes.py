"""Motions of a grid in order, and the boxes of the grid that some of them fill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

Box = tuple[slice, ...]


def box_shape(sizes: Sequence[int], most: int) -> tuple[int, ...]:
    """Return the shape of equal boxes of neighbours that have at most so many motions.

    Parameters
    ----------
    sizes : sequence of int
        Of the grid.
    most : int

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> box_shape((40, 50, 50), 1024)
    (1, 17, 50)
    """
    shape, left = [1] * len(sizes), most
    for axis in reversed(range(len(sizes))):
        parts = -(-sizes[axis] // max(1, min(left, sizes[axis])))
        shape[axis] = -(-sizes[axis] // parts)
        left //= shape[axis]
        if shape[axis] < sizes[axis]:
            break
    return tuple(shape)


def runs(sizes: Sequence[int], shape: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Iterate over the boxes of a shape, from one motion to another, in order.

    Parameters
    ----------
    sizes, shape : sequence of int
        Of the grid, and of a box, see `box_shape`.
    """
    axis = next((n for n, (a, b) in enumerate(zip(sizes, shape, strict=True)) if b > 1), None)
    axis = len(sizes) - 1 if axis is None else axis
    inner = prod(sizes[axis + 1 :])
    for outer in range(prod(sizes[:axis])):
        first = outer * sizes[axis] * inner
        for start in range(0, sizes[axis], shape[axis]):
            stop = min(start + shape[axis], sizes[axis])
            yield first + start * inner, first + stop * inner


def boxes(sizes: Sequence[int], start: int, stop: int) -> Iterator[tuple[int, int, Box]]:
    """Iterate over the boxes that motions fill: from one to another, and where in the grid.

    Parameters
    ----------
    sizes : sequence of int
        Of the grid.
    start, stop : int
        The first of the motions, and the one after the last.

    Examples
    --------
    >>> [(a, b) for a, b, _ in boxes((2, 3), 1, 6)]
    [(1, 3), (3, 6)]
    """
    if len(sizes) == 1:
        yield start, stop, (slice(start, stop),)
        return
    inner = prod(sizes[1:])
    while start < stop:
        row, place = divmod(start, inner)
        if place == 0 and stop - start >= inner:
            count = (stop - start) // inner
            whole = tuple(slice(0, size) for size in sizes[1:])
            yield start, start + count * inner, (slice(row, row + count), *whole)
            start += count * inner
            continue
        end = min(stop, (row + 1) * inner)
        for a, b, box in boxes(sizes[1:], place, end - row * inner):
            yield row * inner + a, row * inner + b, (slice(row, row + 1), *box)
        start = end
