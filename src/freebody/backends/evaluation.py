"""A kernel called for one state or for many, with what depends on constants alone done once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from types import ModuleType
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends import numpy as python
from freebody.backends.registry import Kernel
from freebody.errors import ArgumentError
from freebody.graph.code import HOISTED, Code

BLOCK = 2048
"""How many states are worked out at once: their numbers stay close to the processor."""


def parameters(before: Code, constants: Array) -> Array:
    """Return what depends on constants alone, a column for each row of (N, n) constants.

    Parameters
    ----------
    before : Code
        What depends on constants alone.
    constants : array, shape (N, n)

    Returns
    -------
    array, shape (k, N)
    """
    return _columns(python.compiled(before), constants)


class Evaluator:
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
        """Return what depends on constants alone, a column for each row of (N, n) constants.

        Parameters
        ----------
        constants : array, shape (N, n)

        Returns
        -------
        array, shape (k, N)
        """
        return _columns(self._before, constants)

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
        rows, fixed = [_rows(array, leading) for array in arrays], _rows(constants, leading)
        count, moving = prod(leading), len(self.code.entries) - len(self._before.code.results)
        width = min(count, BLOCK)
        x = np.empty((len(self.code.entries), width))
        out = np.empty((len(self.code.results), count))
        result = np.empty((len(self.code.results), width))
        for block in _blocks(count):
            if block.start == 0 or len(fixed) > 1:
                x[moving:] = self.parameters(_part(fixed, block))
            _fill(x, [_part(row, block) for row in rows])
            self.kernel.columns(x, result)
            out[:, block] = result
        return out.T.reshape((*leading, *self.code.shape))


def _columns(before: python.Kernel, constants: Array) -> Array:
    results = np.empty((len(before.code.results), len(constants)))
    before.columns(np.ascontiguousarray(constants.T), results)
    return results


def _blocks(count: int) -> Iterator[slice]:
    """Iterate over blocks of one size; the last may begin within the one before."""
    for start in range(0, count, BLOCK):
        end = min(start + BLOCK, count)
        yield slice(max(0, end - BLOCK), end)


def _part(row: Array, block: slice) -> Array:
    return row if len(row) == 1 else row[block]


def _fill(x: Array, parts: Sequence[Array]) -> None:
    """Put arguments below each other, entries along the first axis."""
    start = 0
    for part in parts:
        end = start + part.shape[1]
        x[start:end] = part.T
        start = end


def _rows(array: Array, leading: tuple[int, ...]) -> Array:
    """Return an argument with one leading axis: one row if it is the same for all states."""
    if array.ndim == 1:
        return array[None]
    return np.broadcast_to(array, (*leading, array.shape[-1])).reshape(-1, array.shape[-1])


# ------------------------------------------------------------------ calls of one state

Call = Callable[..., Array]
Refuse = Callable[[Sequence[Any]], Exception]


def bind_evaluation(evaluation: Evaluator, parameters: Array, refuse: Refuse) -> Call:
    """Return a function of flat arrays.

    It keeps numbers of its own: two threads take two of them.

    Parameters
    ----------
    evaluation : Evaluator
    parameters : array, shape (k,)
        What depends on constants alone.
    refuse : callable
        Returns the exception for arguments other than contiguous one-dimensional arrays.

    Returns
    -------
    callable
        Takes the arguments in order, without constants: the time a number, all else contiguous
        arrays of double precision, shape (n,); and ``out``, which it writes to and returns; all
        else is refused.
    """
    code = evaluation.code
    x, result = np.zeros(len(code.entries)), np.empty(code.shape)
    slots = _slots(evaluation, x)
    x[len(x) - len(parameters) :] = parameters
    run = evaluation.kernel.bind(x, result.reshape(-1))
    last, run_last = result, run

    def call(*given: Any, out: Array | None = None) -> Array:
        nonlocal last, run_last
        try:
            for (into, place), value in zip(slots, given, strict=True):
                into[place] = value
        except (TypeError, ValueError):
            raise refuse(given) from None
        if out is last:
            run_last()
            return last
        if out is None:
            run()
            return result.copy()
        run_last = evaluation.kernel.bind(x, _flat(out, code.shape))
        last = out
        run_last()
        return last

    return call


def _slots(evaluation: Evaluator, x: Array) -> list[tuple[memoryview, Any]]:
    """Return where the arguments go: the time as a number, arrays of just the size of a slice."""
    slots: list[tuple[memoryview, Any]] = []
    start = 0
    for name, entries in evaluation.code.arguments.items():
        end = start + len(entries)
        if name == "t":
            slots.append((x.data, 0))
        elif name != HOISTED:
            slots.append((x.data[start:end], slice(None)))
        start = end
    return slots


def _flat(out: Any, shape: tuple[int, ...]) -> Array:
    """Return the entries of an array that is written to."""
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == np.float64
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        raise ArgumentError(
            f"expected out as a contiguous array of double precision with shape {shape}, found "
            + kind(out)
        )
    flat: Array = out.reshape(-1)
    return flat


def kind(value: Any) -> str:
    """Return what a value is, in a word."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}"
    return type(value).__name__
