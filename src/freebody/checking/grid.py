"""Matrices of canonical forms or of numbers, with what a page does to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from freebody.algebra import Form
from freebody.errors import NoValueError


class MeaningError(NoValueError):
    """Printed mathematics that has no meaning, such as a sum of matrices of different shapes."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix of forms, or of elements of a field; a scalar is a matrix of one entry.

    Attributes
    ----------
    rows : tuple of tuple of Form or Element
        All of one length.
    """

    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def scalar(cls, form: Any) -> Grid:
        """Return the grid of one form."""
        return cls(((form,),))

    @classmethod
    def made(cls, rows: Iterable[Iterable[Any]]) -> Grid:
        """Return the grid of rows of forms."""
        return cls(tuple(tuple(row) for row in rows))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self.rows), len(self.rows[0])

    @property
    def is_scalar(self) -> bool:
        """Whether there is one entry."""
        rows = self.rows
        return len(rows) == 1 and len(rows[0]) == 1

    @property
    def form(self) -> Any:
        """The entry of a scalar.

        Raises
        ------
        MeaningError
            If it is no scalar.
        """
        if not self.is_scalar:
            raise MeaningError(f"expected a scalar, found a matrix of {_size(self)}")
        return self.rows[0][0]

    def entries(self) -> Iterable[Any]:
        """Iterate over the entries, row by row."""
        return (form for row in self.rows for form in row)

    def part(self, start: int, stop: int) -> Grid:
        """Return some of the rows.

        Raises
        ------
        MeaningError
            If there are too few.
        """
        if stop > len(self.rows):
            raise MeaningError(f"expected {stop} rows or more, found {len(self.rows)}")
        return Grid(self.rows[start:stop])

    def __neg__(self) -> Grid:
        if self.is_scalar:
            return Grid.scalar(-self.rows[0][0])
        return Grid.made((-form for form in row) for row in self.rows)

    def __add__(self, other: Grid) -> Grid:
        if self.is_scalar and other.is_scalar:
            return Grid.scalar(self.rows[0][0] + other.rows[0][0])
        if self.shape != other.shape:
            raise MeaningError(f"a sum of matrices of {_size(self)} and {_size(other)}")
        pairs = zip(self.rows, other.rows, strict=True)
        return Grid.made((a + b for a, b in zip(*rows, strict=True)) for rows in pairs)

    def __mul__(self, other: Grid) -> Grid:
        if self.is_scalar and other.is_scalar:
            return Grid.scalar(self.rows[0][0] * other.rows[0][0])
        if self.is_scalar or other.is_scalar:
            factor, grid = (self, other) if self.is_scalar else (other, self)
            return Grid.made((factor.form * form for form in row) for row in grid.rows)
        if self.shape == other.shape and self.shape[1] == 1:
            return Grid.scalar(_dot(self.entries(), other.entries()))
        if self.shape == (other.shape[0], 1):
            return other.transpose() * self
        if self.shape[1] != other.shape[0]:
            raise MeaningError(f"a product of matrices of {_size(self)} and {_size(other)}")
        return Grid.made(
            (_dot(row, column) for column in zip(*other.rows, strict=True)) for row in self.rows
        )

    def transpose(self) -> Grid:
        """Return the transposed matrix."""
        return Grid.made(zip(*self.rows, strict=True))

    def cross(self, other: Grid) -> Grid:
        """Return the cross product of columns, the plain product of scalars.

        Of columns of two entries, vectors in a plane, it is the component out of that.
        """
        if self.is_scalar or other.is_scalar:
            return self * other
        if self.shape == other.shape == (2, 1):
            (a, b), (x, y) = self.entries(), other.entries()
            return Grid.scalar(a * y - b * x)
        if self.shape != (3, 1) or other.shape != (3, 1):
            raise MeaningError(f"a cross product of matrices of {_size(self)} and {_size(other)}")
        (a, b, c), (x, y, z) = self.entries(), other.entries()
        return Grid(((b * z - c * y,), (c * x - a * z,), (a * y - b * x,)))

    def determinant(self) -> Grid:
        """Return the determinant, by minors.

        Raises
        ------
        MeaningError
            If the matrix is not square.
        """
        n, m = self.shape
        if n != m:
            raise MeaningError(f"the determinant of a matrix of {_size(self)}")
        return Grid.scalar(_determinant(self.rows))

    def inverse(self) -> Grid:
        """Return the inverse matrix, by minors."""
        n, m = self.shape
        if n != m:
            raise MeaningError(f"the inverse of a matrix of {_size(self)}")
        determinant = _determinant(self.rows)
        one_over = determinant**-1
        if n == 1:
            return Grid.scalar(one_over)
        return Grid.made(
            (_cofactor(self.rows, j, i) * one_over for j in range(n)) for i in range(n)
        )


def stacked(blocks: list[list[Grid]]) -> Grid:
    """Return the matrix that matrices side by side and above each other make."""
    rows: list[tuple[Form, ...]] = []
    for row in blocks:
        if len({block.shape[0] for block in row}) > 1:
            raise MeaningError("matrices of different heights side by side")
        rows += (
            tuple(form for part in parts for form in part)
            for parts in zip(*(block.rows for block in row), strict=True)
        )
    if len({len(row) for row in rows}) > 1:
        raise MeaningError("rows of different lengths above each other")
    return Grid(tuple(rows))


def filled(blocks: list[list[Grid]], zeros: list[list[bool]]) -> list[list[Grid]]:
    """Return blocks with bare zeros made as large as what stands beside and above them."""
    heights = [max(block.shape[0] for block in row) for row in blocks]
    widths = [max(block.shape[1] for block in column) for column in zip(*blocks, strict=True)]

    def sized(block: Grid, height: int, width: int) -> Grid:
        return Grid(((block.form,) * width,) * height)

    return [
        [
            sized(block, height, width) if is_zero and block.is_scalar else block
            for block, is_zero, width in zip(row, bare, widths, strict=True)
        ]
        for row, bare, height in zip(blocks, zeros, heights, strict=True)
    ]


def _dot(row: Iterable[Form], column: Iterable[Form]) -> Form:
    first, *rest = (a * b for a, b in zip(row, column, strict=True))
    return _sum(first, rest)


def _sum(first: Form, rest: Iterable[Form]) -> Form:
    for form in rest:
        first = first + form
    return first


def _determinant(rows: tuple[tuple[Form, ...], ...]) -> Form:
    if len(rows) == 1:
        return rows[0][0]
    first, *rest = (form * _cofactor(rows, 0, j) for j, form in enumerate(rows[0]))
    return _sum(first, rest)


def _cofactor(rows: tuple[tuple[Form, ...], ...], i: int, j: int) -> Form:
    minor = tuple(row[:j] + row[j + 1 :] for k, row in enumerate(rows) if k != i)
    found = _determinant(minor)
    return -found if (i + j) % 2 else found


def _size(grid: Grid) -> str:
    return "{} x {}".format(*grid.shape)
