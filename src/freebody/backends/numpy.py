"""Code run by numpy: over arrays, and by the numbers of Python where there is one state."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np

from freebody.arrays import Array
from freebody.backends.python import arrays, function, readable, scalars, stacked
from freebody.graph.code import Code


def source(code: Code, name: str) -> dict[str, str]:
    """Return a module of Python with a function on arrays, by the ending of its file."""
    return {
        ".py": readable(code, name, arrays("np"), "import numpy as np\n\n", stacked(code, "np"))
    }


def compiled(code: Code) -> Kernel:
    """Return a kernel that works with the numbers of Python, or with arrays."""
    return Kernel(code)


class Kernel:
    """Two functions of Python, each written when it is first called."""

    def __init__(self, code: Code) -> None:
        self.code = code

    @cached_property
    def _one(self) -> Callable[..., tuple[float, ...]]:
        return function(self.code, scalars(), {"math": math})

    @cached_property
    def _many(self) -> Callable[..., tuple[Array, ...]]:
        return function(self.code, arrays("np"), {"np": np})

    def bind(self, x: Array, out: Array) -> Callable[[], None]:
        """See `freebody.backends.registry.Kernel`."""
        one, entries = self._one, x.data

        def evaluate() -> None:
            try:
                out[:] = one(*entries)
            except (ArithmeticError, ValueError):  # Python raises where numpy gives inf or nan
                self.columns(x[:, None], out[:, None])

        return evaluate

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        with np.errstate(all="ignore"):
            for place, row in enumerate(self._many(*x)):
                out[place] = row
