"""Code compiled by heyoka through LLVM: many states at once by the processor's vector units."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

import heyoka
import numpy as np

from freebody.arrays import Array
from freebody.backends import cache
from freebody.graph.code import Code
from freebody.graph.evaluation import evaluate

OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "number": heyoka.expression,
    "abs": lambda x: heyoka.select(heyoka.gt(x, 0.0), x, -x),
    "sign": lambda x: heyoka.gt(x, 0.0) - heyoka.lt(x, 0.0),
    "min": lambda x, y: heyoka.select(heyoka.lt(x, y), x, y),
    "max": lambda x, y: heyoka.select(heyoka.gt(x, y), x, y),
    "lt": heyoka.lt,
    "le": heyoka.lte,
    "gt": heyoka.gt,
    "ge": heyoka.gte,
}


def compiled(code: Code) -> Kernel:
    """Return a kernel that heyoka compiled, or that it once compiled for the cache."""
    made = cache.cached(
        cache.key("heyoka", heyoka.__version__, cache.processor(), code.dumps()),
        lambda: pickle.dumps(_compiled(code)),
    )
    return Kernel(code, pickle.loads(made))  # noqa: S301 - of our own making, see `cache`


def native(code: Code) -> tuple[list[Any], list[Any]]:
    """Return a variable for each entry of the arguments, and the output's entries in them.

    Returns
    -------
    variables : list of heyoka.expression
    results : list of heyoka.expression
    """
    entries = enumerate(code.entries)
    variables = [heyoka.expression(f"{entry.name}_{place}") for place, entry in entries]
    return variables, evaluate(code, variables, OPERATIONS, heyoka)


def _compiled(code: Code) -> Any:
    variables, entries = native(code)
    return heyoka.cfunc(entries, vars=variables)


class Kernel:
    """A compiled function of heyoka."""

    def __init__(self, code: Code, function: Any) -> None:
        self.code, self._function = code, function

    def bind(self, x: Array, out: Array) -> Callable[[], Any]:
        """See `freebody.backends.registry.Kernel`."""
        function = self._function
        return lambda: function(x, outputs=out)

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        self._function(np.ascontiguousarray(x), outputs=out)
