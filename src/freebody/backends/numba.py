"""Code compiled by numba: no compiler has to be installed."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
from numba import types

from freebody.arrays import Array
from freebody.backends.python import pointers, readable, scalars
from freebody.graph.code import Code

NUMBERS: Any = types.CPointer(types.float64)
TYPE = types.void(types.int64, NUMBERS, NUMBERS)
CALL = ctypes.PYFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


def source(code: Code, name: str) -> dict[str, str]:
    """Return a module of Python with a compiled function of one state, by its file's ending."""
    shape = f".reshape({code.shape})" if len(code.shape) > 1 else ""
    ends = [f"return np.array([{{entries}}]){shape}" if code.shape else "return {entries}"]
    imports = "import math\n\nimport numba\nimport numpy as np\n\n\n@numba.njit"
    return {".py": readable(code, name, scalars(), imports, ends, index="")}


def compiled(code: Code) -> Kernel:
    """Return a kernel that numba compiled."""
    return Kernel(code)


class Kernel:
    """A function of the number of states and where they are."""

    def __init__(self, code: Code) -> None:
        self.code = code
        one = numba.njit(error_model="numpy")(pointers(code, scalars(), {"math": math}))

        def many(count: int, x: Any, out: Any) -> None:
            for place in range(count):
                one(count, place, x, out)

        self._compiled: Any = numba.cfunc(TYPE)(many)
        self._call = CALL(self._compiled.address)

    def bind(self, x: Array, out: Array) -> Callable[[], Any]:
        """See `freebody.backends.registry.Kernel`."""
        call, start, end = self._call, x.ctypes.data, out.ctypes.data

        evaluate = partial(call, 1, start, end)
        evaluate.keeps = (x, out)  # type: ignore[attr-defined]
        return evaluate

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        self._call(x.shape[1], x.ctypes.data, out.ctypes.data)
