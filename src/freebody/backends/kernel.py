"""What a backend makes of code: a function from one flat vector to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from freebody.arrays import Array
from freebody.graph.code import Code


class Kernel(Protocol):
    """A compiled function of the entries of all arguments, one after another.

    Attributes
    ----------
    code : Code
        What was compiled.
    """

    code: Code

    def prepared(self, x: Array, out: Array) -> Callable[[], Any]:
        """Return what reads one vector and writes the other whenever it is called.

        Parameters
        ----------
        x, out : array
            Contiguous, with as many entries as there are arguments and results.
        """
        ...

    def columns(self, x: Array, out: Array) -> None:
        """Work out many states: entries along the first axis, states along the second.

        Parameters
        ----------
        x, out : array
            Contiguous, with a row for each argument or result.
        """
        ...
