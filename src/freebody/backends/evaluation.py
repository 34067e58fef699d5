"""A kernel called for one state or for many, with what depends on constants alone done once."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from types import ModuleType

import numpy as np

from freebody.backends import numpy as python
from freebody.backends.code import Code
from freebody.backends.kernel import Array, Kernel

BLOCK = 2048
"""How many states are worked out at once: their numbers stay close to the processor."""


class Evaluation:
    """A compiled output.

    Parameters
    ----------
    code : Code
    backend : module
        What compiles it.

    Attributes
    ----------
    code : Code
        Without what depends on constants alone: that is its last argument, ``parameters``.
    kernel : Kernel
        Of this code.
    """

    def __init__(self, code: Code, backend: ModuleType) -> None:
        before, self.code = code.hoisted()
        self._before = python.compiled(before)
        self.kernel: Kernel = backend.compiled(self.code)

    def parameters(self, constants: Array) -> Array:
        """Return what depends on constants alone, a column for each row of (N, n) constants."""
        found = np.empty((len(self._before.code.results), len(constants)))
        self._before.columns(np.ascontiguousarray(constants.T), found)
        return found

    def many(self, arrays: Sequence[Array], constants: Array, leading: tuple[int, ...]) -> Array:
        """Return the output for many states, a block of them at a time.

        Parameters
        ----------
        arrays : sequence of array, shapes (..., n)
            The other arguments; the time has shape (..., 1).
        constants : array, shape (..., n)
        leading : tuple of int
            The leading axes that they have together.
        """
        count = prod(leading)
        rows, fixed = [_rows(array, leading) for array in arrays], _rows(constants, leading)
        known = self.parameters(fixed[:1])
        out = np.empty((len(self.code.results), count))
        for start in range(0, count, BLOCK):
            block = slice(start, min(count, start + BLOCK))
            if len(fixed) > 1:
                known = self.parameters(fixed[block])
            parts = [row.T if len(row) == 1 else row[block].T for row in rows]
            out[:, block] = self._block([*parts, known], block.stop - start)
        return out.T.reshape(*leading, *self.code.shape)

    def _block(self, parts: Sequence[Array], count: int) -> Array:
        """Return the output of one block, entries along the first axis."""
        x, start = np.empty((len(self.code.entries), count)), 0
        for part in parts:
            x[start : start + len(part)] = part
            start += len(part)
        out = np.empty((len(self.code.results), count))
        self.kernel.columns(x, out)
        return out


def _rows(array: Array, leading: tuple[int, ...]) -> Array:
    """Return an argument with one leading axis: one row if it is the same for all states."""
    if array.ndim == 1:
        return array[None]
    return np.broadcast_to(array, (*leading, array.shape[-1])).reshape(-1, array.shape[-1])
