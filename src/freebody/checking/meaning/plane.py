"""Vectors and matrices of plane motion, which a page prints without what is out of the plane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from freebody.checking.grid import Grid

Vanishes = Callable[[Any], bool]
"""Whether an entry is zero."""
AXES = (2, 1, 0)
"""Which component may be left away, the likeliest first."""


def alike(grids: Sequence[Grid], vanishes: Vanishes) -> list[Grid]:
    """Return what is added or compared in as many components as the page prints.

    A vector is printed as a row or as a column, as there is room; side by side they are columns.
    Vectors out of the plane become scalars where they stand beside some. Others lose the component
    out of the plane, which vanishes, where they stand beside some that have none.
    """
    shapes, spatial = {grid.shape for grid in grids}, [g for g in grids if g.shape[0] == 3]
    if shapes == {(1, 1), (3, 1)} and all(
        vanishes(entry) for grid in spatial for (entry,) in grid.rows[:2]
    ):
        return [grid if grid.is_scalar else Grid.scalar(grid.rows[2][0]) for grid in grids]
    if len(shapes) == 2 and 1 in min(shapes) and {shape[::-1] for shape in shapes} == shapes:
        return [grid.transpose() if grid.shape[0] == 1 else grid for grid in grids]
    of_axes = shapes == {(2, 2), (3, 3)}
    one_width = len({width for _, width in shapes}) == 1
    if {height for height, _ in shapes} == {2, 3} and (of_axes or one_width):
        planar = iter(_planar(spatial, vanishes, of_axes=of_axes))
        return [next(planar) if grid.shape[0] == 3 else grid for grid in grids]
    return list(grids)


def factors(first: Grid, second: Grid, vanishes: Vanishes) -> tuple[Grid, Grid]:
    """Return the factors of a product, a spatial one in the plane beside one that is printed so."""
    if (first.shape[1], second.shape[0]) == (2, 3):
        return first, _planar([second], vanishes, of_axes=second.shape[1] == 3)[0]
    if (first.shape[1], second.shape[0]) == (3, 2):
        turned = _planar([first.transpose()], vanishes, of_axes=first.shape[0] == 3)[0]
        return turned.transpose(), second
    if first.shape[1] == second.shape[1] == 1 and {2, 3} == {first.shape[0], second.shape[0]}:
        both = alike((first, second), vanishes)
        return both[0], both[1]
    return first, second


def _planar(grids: Sequence[Grid], vanishes: Vanishes, *, of_axes: bool) -> list[Grid]:
    """Return matrices of three rows without the one that vanishes, and its column between axes."""
    for axis in AXES:
        if all(_is_planar(grid, axis, vanishes, of_axes=of_axes) for grid in grids):
            return [_without(grid, axis, of_axes=of_axes) for grid in grids]
    return list(grids)


def _is_planar(grid: Grid, axis: int, vanishes: Vanishes, *, of_axes: bool) -> bool:
    across = [entry for j, entry in enumerate(grid.rows[axis]) if not of_axes or j != axis]
    down = [row[axis] for i, row in enumerate(grid.rows) if of_axes and i != axis]
    return all(map(vanishes, (*across, *down)))


def _without(grid: Grid, axis: int, *, of_axes: bool) -> Grid:
    rows = [row for i, row in enumerate(grid.rows) if i != axis]
    return Grid.made(
        (entry for j, entry in enumerate(row) if not of_axes or j != axis) for row in rows
    )
