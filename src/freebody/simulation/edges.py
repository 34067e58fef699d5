"""Functions in a model that end, or jump, close to a state: why a motion cannot go on there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.arrays import Array
from freebody.mechanics.mechanism import Mechanism
from freebody.simulation.setup import Setup

CLOSE = 1e-3
"""How close to its end the argument of a function counts as there."""
MOST = 3
ENDING = (sympy.asin, sympy.acos, sympy.log, sympy.atan2, sympy.tan, sympy.Pow)


def edges(mechanism: Mechanism, setup: Setup, t: float, q: Array, u: Array) -> str:
    """Return the functions that end or jump close to a state, in words, or nothing.

    Examples
    --------
    >>> import freebody
    >>> from freebody.simulation.setup import prepare
    >>> import numpy as np
    >>> moving = freebody.mechanism("pendulum")
    >>> setup = prepare(moving, {}, {}, {"T": "sqrt(1 - theta)"})
    >>> edges(moving, setup, 0.0, np.array([0.9999]), np.array([0.0]))
    '; close to where sqrt(1 - theta) ends, of 0.0001'
    """
    names = mechanism.names
    numbers: dict[Any, Any] = {names.constants[name]: v for name, v in setup.constants.items()}
    numbers |= dict(zip(mechanism.coordinates, q.tolist(), strict=True))
    numbers |= dict(zip(mechanism.speeds, u.tolist(), strict=True))
    numbers = {symbol: sympy.Float(value) for symbol, value in numbers.items()}
    numbers[dynamicsymbols._t] = sympy.Float(t)
    told = dict.fromkeys(_told(mechanism, setup, numbers))
    return f"; close to where {', '.join(list(told)[:MOST])}" if told else ""


def _told(mechanism: Mechanism, setup: Setup, numbers: Mapping[Any, Any]) -> Iterator[str]:
    for expr in _expressions(mechanism, setup):
        for part in sympy.preorder_traversal(expr):
            if what := _edge(part, numbers):
                text = sympy.sstr(mechanism.names.plain(part))
                yield f"{text} {what}"


def _expressions(mechanism: Mechanism, setup: Setup) -> Iterator[sympy.Expr]:
    """Iterate over what may hold functions: motions of joints, laws, loads, masses."""
    for step in mechanism.steps.values():
        yield from (*step.shift, step.angle)
    yield from setup.inputs.values()
    yield from mechanism.laws.values()
    yield from mechanism.potentials.values()
    yield from chain.from_iterable(load.components for load in mechanism.loads)


def _edge(part: sympy.Basic, numbers: Mapping[Any, Any]) -> str:
    """Return what becomes of a function close by, and of which arguments, or nothing."""
    if not isinstance(part, ENDING):
        return ""
    values = [argument.xreplace(numbers) for argument in part.args]
    if any(value.free_symbols or not value.is_number for value in values):
        return ""
    found = [complex(value).real for value in values]
    at = ", ".join(f"{value:.3g}" for value in found)
    first, last = found[0], found[-1]
    match part:
        case sympy.asin() | sympy.acos():
            return f"ends, of {at}" if abs(first) > 1 - CLOSE else ""
        case sympy.log():
            return f"ends, of {at}" if first < CLOSE else ""
        case sympy.atan2():
            return f"jumps, of {at}" if abs(first) < CLOSE and last < CLOSE else ""
        case sympy.tan():
            return f"is infinite, of {at}" if abs(sympy.cos(first)) < CLOSE else ""
    if last == int(last):
        return f"is infinite, of {first:.3g}" if last < 0 and abs(first) < CLOSE else ""
    return f"ends, of {first:.3g}" if first < CLOSE else ""
