"""The backends by name, each imported when it is first asked for."""

from __future__ import annotations

import importlib
from types import ModuleType

from freebody.errors import BackendError, nearest

PACKAGES = {
    "numpy": "numpy",
    "heyoka": "heyoka",
    "numba": "numba",
    "jax": "jax",
    "casadi": "casadi",
    "c": "",
    "octave": "",
}
"""What each backend needs, if anything that is imported."""


def backend(name: str) -> ModuleType:
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
