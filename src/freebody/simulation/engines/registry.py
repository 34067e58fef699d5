"""The engines by name, each imported when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

from freebody.errors import SimulationError, nearest
from freebody.simulation.integrate import Run, Task

ENGINES: Mapping[str, str] = {"pydy": "pydy", "scipy": "scipy", "heyoka": "heyoka"}
"""What each engine is a package of."""
FINEST: Mapping[str, float] = {"pydy": 1e-13, "scipy": 1e-13, "heyoka": 1e-16}
"""The tolerance that each can reach with numbers of 16 digits."""


def engine(name: str) -> Callable[[Task], Run]:
    """Return the function ``prepared`` of an engine, which gives what integrates.

    Raises
    ------
    SimulationError
        If there is none of that name, or its package is not installed.

    Examples
    --------
    >>> engine("heyokka")
    Traceback (most recent call last):
    freebody.errors.SimulationError: expected an engine (pydy, scipy, heyoka), found 'heyokka';
    did you mean 'heyoka'?
    """
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise SimulationError(
            f"expected an engine ({known}), found '{name}'" + nearest(name, ENGINES)
        )
    try:
        module = importlib.import_module(f"freebody.simulation.engines.{name}")
    except ModuleNotFoundError as error:
        raise SimulationError(
            f"engine '{name}' needs {ENGINES[name]}, which is not installed ({error}): "
            f'pip install "freebody[{name}]"'
        ) from None
    found: Callable[[Task], Run] = module.prepared
    return found
