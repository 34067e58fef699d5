"""Code on arrays of JAX: compiled by XLA, differentiated, mapped over.

JAX works with numbers of 7 digits unless it is told otherwise: this backend tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from freebody.arrays import Array
from freebody.backends.python import arrays, function, readable, stacked
from freebody.graph.code import Code

jax.config.update("jax_enable_x64", True)


def source(code: Code, name: str) -> dict[str, str]:
    """Return a module of Python with a function on JAX's arrays, by the ending of its file."""
    precision = 'jax.config.update("jax_enable_x64", True)  # else JAX computes with 7 digits'
    imports = f"import jax\nimport jax.numpy as jnp\n\n{precision}\n\n"
    return {".py": readable(code, name, arrays("jnp"), imports, stacked(code, "jnp"))}


def array(value: Any) -> Any:
    """Return numbers, or what stands for them, as an array of JAX."""
    return jnp.asarray(value, dtype=float)


def native(code: Code) -> Callable[..., Any]:
    """Return a function of the groups of arguments, constants last, on arrays of JAX."""
    work_out = function(code, arrays("jnp"), {"jnp": jnp})

    def evaluate(*arguments: Any) -> Any:
        groups = dict(zip(code.arguments, arguments, strict=True))
        entries = work_out(*_entries(groups))
        leading = jnp.broadcast_shapes(*_leading(groups))
        rows = [jnp.broadcast_to(entry, leading) for entry in entries]
        whole = jnp.stack(rows, axis=-1) if rows else jnp.zeros((*leading, 0))
        return whole.reshape((*leading, *code.shape))

    return evaluate


def traced(code: Code) -> Callable[..., Any]:
    """Return the same, compiled when it is first called; it can be traced further."""
    compiled: Callable[..., Any] = jax.jit(native(code))
    return compiled


def compiled(code: Code) -> Kernel:
    """Return a kernel that XLA compiles when it is first called."""
    return Kernel(code)


def _entries(groups: Mapping[str, Any]) -> Iterator[Any]:
    for name, value in groups.items():
        numbers = array(value)
        if name == "t":
            yield numbers
        else:
            yield from (numbers[..., place] for place in range(numbers.shape[-1]))


def _leading(groups: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
    for name, value in groups.items():
        yield jnp.shape(value) if name == "t" else jnp.shape(value)[:-1]


class Kernel:
    """A function of JAX between arrays of numpy."""

    def __init__(self, code: Code) -> None:
        self.code, self._function = code, traced(code)
        sizes = accumulate(map(len, code.arguments.values()), initial=0)
        self._starts = list(sizes)

    def bind(self, x: Array, out: Array) -> Callable[[], None]:
        """See `freebody.backends.registry.Kernel`."""
        return lambda: self.columns(x[:, None], out[:, None])

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        results = np.asarray(self._function(*self._groups(x)))
        out[:] = results.reshape(x.shape[1], -1).T

    def _groups(self, x: Array) -> Sequence[Array]:
        ends = zip(self._starts, self._starts[1:], strict=False)
        parts = [x[start:end].T for start, end in ends]
        if "t" in self.code.arguments:
            parts[0] = parts[0][:, 0]
        return parts
