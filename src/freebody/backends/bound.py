"""Outputs with constants that do not change: calls that cost little more than their arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.evaluation import Evaluation
from freebody.errors import ArgumentError
from freebody.graph.code import HOISTED

Call = Callable[..., Array]
Refuse = Callable[[Sequence[Any]], Exception]


def bound(evaluation: Evaluation, parameters: Array, refuse: Refuse) -> Call:
    """Return a function of flat arrays.

    It keeps numbers of its own: two threads take two of them.

    Parameters
    ----------
    evaluation : Evaluation
    parameters : array, shape (k,)
        What depends on constants alone.
    refuse : callable
        Returns the exception for arguments that are no flat arrays of one state.

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
    run = evaluation.kernel.prepared(x, result.reshape(-1))
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
        run_last = evaluation.kernel.prepared(x, _flat(out, code.shape))
        last = out
        run_last()
        return last

    return call


def _slots(evaluation: Evaluation, x: Array) -> list[tuple[memoryview, Any]]:
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
