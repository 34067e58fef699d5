"""What a backend is, and the backends by name, each imported when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

from freebody.arrays import Array
from freebody.errors import BackendError, nearest
from freebody.graph.code import Code


class Kernel(Protocol):
    """A compiled function of the entries of all arguments, one after another.

    Attributes
    ----------
    code : Code
        What was compiled.
    """

    code: Code

    def bind(self, x: Array, out: Array) -> Callable[[], Any]:
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


# ------------------------------------------------------------------ names

PACKAGES = {
    "numpy": "numpy",
    "heyoka": "heyoka",
    "numba": "numba",
    "jax": "jax",
    "casadi": "casadi",
    "c": "",
    "octave": "",
    "julia": "",
}
"""What each backend needs, if anything that is imported."""


def load_backend(name: str) -> ModuleType:
    """Return the module of a backend.

    Raises
    ------
    BackendError
        If there is none of that name, or its package is not installed.
    """
    if name not in PACKAGES:
        known = ", ".join(PACKAGES)
        raise BackendError(
            f"expected a backend ({known}), found '{name}'" + nearest(name, PACKAGES)
        )
    try:
        return importlib.import_module(f"freebody.backends.{name}")
    except ModuleNotFoundError as error:
        raise BackendError(
            f"backend '{name}' needs {PACKAGES[name]}, which is not installed ({error}): "
            f'pip install "freebody[{name}]"'
        ) from None
