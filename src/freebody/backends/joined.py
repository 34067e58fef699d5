"""Code of several outputs written after each other, so that one gives what another takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from freebody.backends.code import LITERAL, OPERATIONS, Code, Operands, Quantity
from freebody.backends.evaluate import results

Groups = Mapping[str, tuple[Quantity, ...]]


class Joined:
    """Steps of several codes; equal ones are done once.

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

    def __init__(self, arguments: Groups) -> None:
        self._arguments = dict(arguments)
        self._steps: list[Operands] = []
        self._done: dict[Operands, int] = {}
        self._first = 0
        self.values: dict[str, list[int]] = {}
        for name, group in arguments.items():
            self.values[name] = list(range(self._first, self._first + len(group)))
            self._first += len(group)
        names = (*OPERATIONS, LITERAL)
        self._operations = {name: partial(self._step, name) for name in names}

    def add(self, group: str, values: Sequence[int]) -> None:
        """Let values be the next entries of a group of arguments."""
        self.values.setdefault(group, []).extend(values)

    def put(self, code: Code) -> list[int]:
        """Write the steps of a code; return the values that are its output."""
        entries: list[Any] = []
        for name, group in code.arguments.items():
            known = self.values.get(name, [])
            entries += [*known, *[None] * (len(group) - len(known))]  # which is not used
        return results(code, entries, self._operations, None)

    def code(self, name: str, shape: tuple[int, ...], values: Sequence[int]) -> Code:
        """Return the whole with some values as its output."""
        steps = tuple(self._steps)
        return Code(name, "", self._arguments, shape, steps, tuple(values)).pruned()

    def _step(self, operation: str, *operands: Any) -> int:
        step = (operation, *operands)
        if step not in self._done:
            self._done[step] = self._first + len(self._steps)
            self._steps.append(step)
        return self._done[step]
