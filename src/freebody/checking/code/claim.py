"""One value of code that is judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.checking.code.reference import Target
from freebody.code.interpreter import FollowedListing
from freebody.code.tree import Span
from freebody.code.values import Assigned, Leaf, NotFollowedError, Unknown, made, set_entries
from freebody.code.working import Run
from freebody.graph.cells import Cell


@dataclass(frozen=True)
class Claim:
    """A value of code that is judged.

    Attributes
    ----------
    label : str
        How it is called in the code, with its index.
    run : str
        In which function.
    span : tuple of int
        Where it is written.
    cell : Cell
    target : tuple
        What it should be.
    group : str
        With which others it shares its sign.
    is_final : bool
        Whether a function gives it, or it is an acceleration.
    is_declared : bool
        Whether front matter says what it is.
    """

    label: str
    run: str
    span: Span
    cell: Cell
    target: Target
    group: str
    is_final: bool = False
    is_declared: bool = False


class Claiming:
    """Makes claims of what one function works out.

    Parameters
    ----------
    found : FollowedListing
    """

    def __init__(self, found: FollowedListing) -> None:
        self._found = found
        self._run = Run("")

    def _claim(
        self, label: str, one: Assigned, cell: Cell, target: Target, group: str, *,
        is_final: bool, is_declared: bool = False,
    ) -> Claim:  # fmt: skip
        span = self._found.origins.get(cell.node) if self._is_own(cell) else None
        return Claim(
            label, self._run.name, span or one.node.span, cell, target, group, is_final, is_declared
        )

    def _is_own(self, cell: Cell) -> bool:
        graph = self._found.table.graph
        return bool(graph.operands(cell.node))

    def _plain_value(self, value: Any) -> Any:
        """Return a value as a cell or an array of cells; None for any other."""
        try:
            return self._as_cells(value)
        except (ValueError, TypeError, KeyError, NotFollowedError):
            return None

    def _as_cells(self, value: Any) -> Any:
        if isinstance(value, Unknown):
            found = set_entries(value)
            if found is not None:
                return self._as_cells(found)
            if value.is_set and value.items:
                return None
            return self._found.table.cell(value.leaf)
        if isinstance(value, list):
            parts = [self._as_cells(one) for one in value]
            if (
                not parts
                or any(one is None for one in parts)
                or len({np.shape(one) for one in parts}) > 1
            ):
                return None
            return made(parts)
        if isinstance(value, np.ndarray):
            return (
                value if value.size and all(isinstance(one, Cell) for one in value.flat) else None
            )
        return value if isinstance(value, Cell) else None

    def _leaves(self, cells: Iterable[Cell]) -> list[Leaf]:
        table, graph = self._found.table, self._found.table.graph
        kinds = (graph.nodes[place] for place in graph.reached(cells))
        return [table.leaves[path] for kind, path, *_ in kinds if kind == "leaf"]


def bracketed(place: Sequence[int], origin: int) -> str:
    """Return indices as they are written behind a name."""
    return f"[{','.join(str(one + origin) for one in place)}]" if place else ""
