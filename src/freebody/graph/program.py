"""Several outputs in the cells of one graph, worked out in any arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from freebody.graph.cells import Cell
from freebody.graph.code import Code, Variable
from freebody.graph.graph import LEAF, Graph
from freebody.graph.meanings import MEANINGS
from freebody.graph.operations import ARITHMETIC, NUMBER


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

    def evaluate(self, domain: Any) -> dict[str, list[Any]]:
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


# ------------------------------------------------------------------ codes joined


class JoinedCode:
    """Steps of several codes in one graph; equal ones are done once.

    Parameters
    ----------
    arguments : dict of str to tuple of Variable
        What the whole takes.

    Attributes
    ----------
    values : dict of str to list of int
        The values of groups of arguments; see `add`.

    Examples
    --------
    >>> x = (Variable("x"),)
    >>> square = Code("square", "", {"q": x}, (1,), (("mul", 0, 0),), (1,))
    >>> sine = Code("sine", "", {"squares": x}, (1,), (("sin", 0),), (1,))
    >>> joined = JoinedCode({"q": x})
    >>> joined.add("squares", joined.put(square))
    >>> joined.code("whole", (1,), joined.put(sine)).steps
    (('mul', 0, 0), ('sin', 1))
    """

    def __init__(self, arguments: Mapping[str, tuple[Variable, ...]]) -> None:
        self._graph = Graph()
        self._arguments = {
            name: [((name, place), entry) for place, entry in enumerate(group)]
            for name, group in arguments.items()
        }
        self.values = {
            name: [self._graph.place(LEAF, leaf) for leaf, _ in group]
            for name, group in self._arguments.items()
        }

    def add(self, group: str, values: Sequence[int]) -> None:
        """Let values be the next entries of a group of arguments."""
        self.values.setdefault(group, []).extend(values)

    def put(self, code: Code) -> list[int]:
        """Write the steps of a code; return the values that are its output."""
        values: list[int] = []
        for name, group in code.arguments.items():
            known = self.values.get(name, [])
            values += [*known, *[-1] * (len(group) - len(known))]  # which is not used
        for _, operation, operands in code.numbered():
            used = operands if operation == NUMBER else [values[place] for place in operands]
            values.append(self._graph.place(operation, *used))
        return [values[place] for place in code.results]

    def code(self, name: str, shape: tuple[int, ...], values: Sequence[int]) -> Code:
        """Return the whole with some values as its output.

        Parameters
        ----------
        name : str
        shape : tuple of int
            Of the output.
        values : sequence of int
            The output's entries, row by row.
        """
        return self._graph.code(name, self._arguments, map(self._graph.cell, values), shape)
