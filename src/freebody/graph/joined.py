"""Code of several outputs written after each other, so that one gives what another takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freebody.graph.code import Code, Quantity
from freebody.graph.graph import LEAF, Graph
from freebody.graph.operations import NUMBER


class Joined:
    """Steps of several codes in one graph; equal ones are done once.

    Parameters
    ----------
    arguments : dict of str to tuple of Quantity
        What the whole takes.

    Attributes
    ----------
    values : dict of str to list of int
        The values of groups of arguments; see `add`.

    Examples
    --------
    >>> x = (Quantity("x"),)
    >>> square = Code("square", "", {"q": x}, (1,), (("mul", 0, 0),), (1,))
    >>> sine = Code("sine", "", {"squares": x}, (1,), (("sin", 0),), (1,))
    >>> joined = Joined({"q": x})
    >>> joined.add("squares", joined.put(square))
    >>> joined.code("whole", (1,), joined.put(sine)).steps
    (('mul', 0, 0), ('sin', 1))
    """

    def __init__(self, arguments: Mapping[str, tuple[Quantity, ...]]) -> None:
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
        """Return the whole with some values as its output."""
        return self._graph.code(name, self._arguments, map(self._graph.cell, values), shape)
