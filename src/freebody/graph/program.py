"""Several outputs in the cells of one graph, worked out in any arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from freebody.graph.cells import Cell
from freebody.graph.graph import Graph
from freebody.graph.operations import ARITHMETIC, MEANINGS


@dataclass(frozen=True)
class Program:
    """Outputs by name.

    Attributes
    ----------
    graph : Graph
    outputs : dict of str to sequence of Cell
    """

    graph: Graph
    outputs: Mapping[str, Sequence[Cell]]

    def only(self, names: Iterable[str]) -> Program:
        """Return some of the outputs."""
        return Program(self.graph, {name: self.outputs[name] for name in names})

    @property
    def operations(self) -> int:
        """How many operations it takes."""
        return len(self.graph.needed(cell for cells in self.outputs.values() for cell in cells))

    @property
    def assignments(self) -> dict[sympy.Symbol, sympy.Expr]:
        """The operations as sympy writes them, in the order in which they can be worked out."""
        return {
            self.graph.atom(self.graph.cell(place)): self.graph.written(place)
            for place in self._order
            if self.graph.operands(place)
        }

    def worked_out(self, domain: Any) -> dict[str, list[Any]]:
        """Return the outputs in another arithmetic.

        What was read from an expression is worked out as this expression, with what the arithmetic
        knows of it as a whole.
        """
        values: dict[int, Any] = {}
        whole = [place for place in self._order if self.graph.is_read(place)]
        meanings = map(self.graph.meaning, whole)
        values.update(zip(whole, domain.values(meanings), strict=True))
        for place in self._order:
            if place not in values:
                values[place] = self._value(place, values, domain)
        return {
            name: [values[c.node] if c.sign == 1 else -values[c.node] for c in cells]
            for name, cells in self.outputs.items()
        }

    def _value(self, place: int, values: Mapping[int, Any], domain: Any) -> Any:
        operation, *parts = self.graph.nodes[place]
        if operation in ARITHMETIC:
            return ARITHMETIC[operation](*(values[part] for part in parts))
        if operation in ("sin", "cos"):
            return domain.values([self.graph.meaning(place)])[0]
        symbols = [sympy.Dummy(f"x{number}") for number in range(len(parts))]
        given = {x: values[part] for x, part in zip(symbols, parts, strict=True)}
        return domain.values([MEANINGS[operation](*symbols)], given)[0]

    @cached_property
    def _order(self) -> list[int]:
        """The nodes that are worked out, operands first."""
        return self.graph.order(cell.node for cells in self.outputs.values() for cell in cells)
