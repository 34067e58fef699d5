"""The engines by name, each imported when it is first asked for, and their methods."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

from freebody.errors import SimulationError, nearest
from freebody.simulation.integrate import IntegrationProblem, Run

ENGINES: Mapping[str, str] = {"pydy": "pydy", "scipy": "scipy", "heyoka": "heyoka"}
"""What each engine is a package of."""
EXPLICIT = ("LSODA", "DOP853", "RK45", "RK23")
METHODS: Mapping[str, tuple[str, ...]] = {
    "pydy": EXPLICIT,
    "scipy": ("Radau", "BDF", *EXPLICIT),
    "heyoka": ("taylor",),
}
"""The methods of each engine, its own choice first."""
WITH_MEMORY = ("LSODA", "BDF")
"""Methods that remember states of former steps, which a projection on constraints would belie."""
FINEST: Mapping[str, float] = {"pydy": 1e-13, "scipy": 1e-13, "heyoka": 1e-16}
"""The tolerance that each can reach with numbers of 16 digits."""


def select_engine(name: str | None, method: str | None) -> str:
    """Return the engine that is meant: by its name, or the first that has a method.

    Raises
    ------
    SimulationError
        If there is no such engine or method, or the engine has not the method.

    Examples
    --------
    >>> select_engine(None, None), select_engine(None, "Radau"), select_engine("scipy", "DOP853")
    ('pydy', 'scipy', 'scipy')
    >>> select_engine("heyokka", None)
    Traceback (most recent call last):
    freebody.errors.SimulationError: expected an engine (pydy, scipy, heyoka), found 'heyokka';
    did you mean 'heyoka'?
    """
    if name is not None and name not in ENGINES:
        known = ", ".join(ENGINES)
        raise SimulationError(
            f"expected an engine ({known}), found '{name}'" + nearest(name, ENGINES)
        )
    engines = [name] if name else list(ENGINES)
    if method is None:
        return engines[0]
    for one in engines:
        if method in METHODS[one]:
            return one
    known_methods = list(dict.fromkeys(known for one in engines for known in METHODS[one]))
    whose = f" of the engine '{name}'" if name else ""
    raise SimulationError(
        f"expected a method{whose} ({', '.join(known_methods)}), found '{method}'"
        + nearest(method, known_methods)
    )


def select_method(engine: str, method: str | None, *, constrained: bool) -> str:
    """Return the method by which an engine integrates.

    Parameters
    ----------
    engine : str
    method : str or None
        Its own choice if None.
    constrained : bool
        Whether the model has constraints.

    Raises
    ------
    SimulationError
        If it cannot keep constraints that there are.
    """
    single = [known for known in METHODS[engine] if known not in WITH_MEMORY]
    if method is None:
        return single[0] if constrained else METHODS[engine][0]
    if constrained and method not in single:
        raise SimulationError(
            f"the method {method} remembers former steps, which are not kept on constraints: "
            f"expected another ({', '.join(single)})"
        )
    return method


def load_engine(name: str) -> Callable[[IntegrationProblem], Run]:
    """Return the function ``make_integrator`` of an engine, which gives what integrates.

    Raises
    ------
    SimulationError
        If its package is not installed.
    """
    try:
        module = importlib.import_module(f"freebody.simulation.engines.{name}")
    except ModuleNotFoundError as error:
        raise SimulationError(
            f"engine '{name}' needs {ENGINES[name]}, which is not installed ({error}): "
            f'pip install "freebody[{name}]"'
        ) from None
    make_integrator: Callable[[IntegrationProblem], Run] = module.make_integrator
    return make_integrator
