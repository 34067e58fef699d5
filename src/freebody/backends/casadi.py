"""Code as a function of CasADi, for its optimization and its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import casadi
import numpy as np

from freebody.arrays import Array
from freebody.graph.code import Code
from freebody.graph.evaluation import evaluate

OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "number": casadi.SX,
    "abs": casadi.fabs,
    "min": casadi.fmin,
    "max": casadi.fmax,
    "select": casadi.if_else,
}


def compiled(code: Code) -> Kernel:
    """Return a kernel of CasADi's own virtual machine."""
    return Kernel(code)


def native(code: Code) -> Any:
    """Return a `casadi.Function` of the groups of arguments, by name, constants included.

    Its output ``out`` is a column, or the matrix that the code has for its shape.
    """
    groups = {name: casadi.SX.sym(name, len(group)) for name, group in code.arguments.items()}
    entries = [part for group in groups.values() for part in casadi.vertsplit(group)]
    whole = casadi.vertcat(*evaluate(code, entries, OPERATIONS, casadi))
    if len(code.shape) == 2:
        rows, columns = code.shape
        whole = casadi.reshape(whole, columns, rows).T
    name = "".join(letter if letter.isalnum() else "_" for letter in code.name)
    return casadi.Function(name, list(groups.values()), [whole], list(groups), ["out"])


class Kernel:
    """A function of CasADi from one vector to another."""

    def __init__(self, code: Code) -> None:
        self.code = code
        x = casadi.SX.sym("x", len(code.entries))
        entries = [x[place] for place in range(len(code.entries))]
        whole = casadi.vertcat(*evaluate(code, entries, OPERATIONS, casadi))
        self._function = casadi.Function("evaluate", [x], [casadi.densify(whole)])

    def bind(self, x: Array, out: Array) -> Callable[[], Any]:
        """See `freebody.backends.registry.Kernel`."""
        buffer, evaluate = self._function.buffer()
        set_arg: Any = buffer.set_arg  # whose annotations ask for a size that it finds itself
        set_res: Any = buffer.set_res
        set_arg(0, x.data)
        set_res(0, out.data)

        def run(_kept: Any = (buffer, x, out)) -> None:
            evaluate()

        return run

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        results = self._function.map(x.shape[1])(casadi.DM(x))
        out[:] = np.asarray(results.full()).reshape(out.shape)
