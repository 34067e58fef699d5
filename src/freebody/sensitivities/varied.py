"""What results are differentiated by, as directions of constants, of the start and of inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.errors import ArgumentError, nearest
from freebody.mechanics.mechanism import Mechanism
from freebody.model.names import TIME, speed_names, speed_units
from freebody.simulation.setup import Setup


@dataclass(frozen=True)
class Varied:
    """Parameters, and what a unit of each changes at first.

    Attributes
    ----------
    names, units : tuple of str
        Constants, coordinates and speeds (where they are at first), and inputs (what is added).
    values : array, shape (k,)
        With which they are varied; of an input 0.
    constants : array, shape (constants, k)
        Of all constants: those that are defined by others follow.
    state : array, shape (2 n, k)
        Of the initial coordinates and speeds.
    inputs : array, shape (inputs, k)
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
    constants: Array
    state: Array
    inputs: Array

    @property
    def scales(self) -> Array:
        """By how much each may be varied: its value, or one where that is zero."""
        return np.where(self.values == 0, 1.0, np.abs(self.values))


def varied(
    moving: Mechanism,
    setup: Setup,
    to: Sequence[str],
    constants: Mapping[str, float],
    initial: Mapping[str, Any],
) -> Varied:
    """Return what results are differentiated by.

    Parameters
    ----------
    moving : Mechanism
    setup : Setup
    to : sequence of str
        Names of constants, coordinates, speeds and inputs.
    constants, initial : mapping of str
        What is not as the model says; constants that are given do not follow others.

    Raises
    ------
    ArgumentError
        If there is no such name, or none at all.
    """
    names, known = moving.names, _Names(moving)
    if not to or len(set(to)) < len(to):
        raise ArgumentError(f"to: expected names, each once, found {list(to)}")
    for name in to:
        if name not in known.units:
            raise ArgumentError(
                f"to: expected a constant, a coordinate, a speed or an input, found '{name}'"
                + nearest(name, known.units)
            )
        if name in moving.dependent:
            raise ArgumentError(f"to: the constraints decide '{name}': expected what is free")
    numbers = dict(setup.constants)
    slopes = [constant_slopes(moving, name, numbers, constants) for name in to]
    by = np.array([[one[c] for one in slopes] for c in names.constants]).reshape(-1, len(to))
    state = _start_slopes(moving, numbers, initial, to, by)
    inputs = np.array([[float(name == one) for name in to] for one in names.inputs])
    states = (*names.coordinates, *speed_names(moving.model))
    first = {**numbers, **dict(zip(states, setup.state.tolist(), strict=True))}
    return Varied(
        tuple(to),
        tuple(known.units[name] for name in to),
        np.array([first.get(name, 0.0) for name in to]),
        by,
        state,
        inputs.reshape(-1, len(to)),
    )


class _Names:
    """What may be varied, with its units."""

    def __init__(self, moving: Mechanism) -> None:
        model = moving.model
        groups = (model.constants, model.coordinates, model.inputs)
        self.units = {name: entry.unit for group in groups for name, entry in group.items()}
        self.units |= dict(zip(speed_names(model), speed_units(model), strict=True))


def constant_slopes(
    moving: Mechanism, name: str, numbers: Mapping[str, float], given: Mapping[str, float]
) -> dict[str, float]:
    """Return the derivatives of all constants by a name."""
    symbols, declared = moving.names.constants, moving.model.constants
    values = {symbols[one]: value for one, value in numbers.items()}

    @cache
    def slope(constant: str) -> float:
        if constant == name:
            return 1.0
        if constant in given or declared[constant].value is None:
            return 0.0
        expr = sympy.sympify(moving.read(declared[constant].value), strict=True)
        parts = (expr.diff(symbols[str(one)]) * slope(str(one)) for one in expr.free_symbols)
        return float(sympy.Add(*parts).xreplace(values))

    return {constant: slope(constant) for constant in symbols}


def _start_slopes(
    moving: Mechanism,
    numbers: Mapping[str, float],
    initial: Mapping[str, Any],
    to: Sequence[str],
    by: Array,
) -> Array:
    """Return the derivatives of the initial coordinates and speeds, shape (2 n, k)."""
    symbols = list(moving.names.constants.values())
    added = {name: sympy.Dummy(name) for name in to}
    values: dict[Any, Any] = dict(zip(symbols, numbers.values(), strict=True))
    values |= dict.fromkeys(added.values(), 0)
    rows = []
    for expr in _start(moving, initial, added):
        slopes = [float(expr.diff(one).xreplace(values)) for one in (*symbols, *added.values())]
        rows.append(slopes)
    table = np.array(rows, dtype=np.float64).reshape(-1, len(values))
    return np.asarray(table[:, : len(symbols)] @ by + table[:, len(symbols) :])


def _start(
    moving: Mechanism, initial: Mapping[str, Any], added: Mapping[str, sympy.Dummy]
) -> Iterator[sympy.Expr]:
    """Iterate over the initial coordinates and speeds in constants and what is added to them."""
    names, model = moving.names, moving.model
    texts: dict[str, Any] = {name: one.initial for name, one in model.coordinates.items()}
    texts |= {f"{name}_dot": one.initial_speed for name, one in model.coordinates.items()}
    known: dict[str, sympy.Expr] = {}
    for name, text in {**texts, **initial}.items():
        expr = sympy.sympify(moving.read(0 if text is None else text), strict=True)
        known[name] = expr + added.get(name, sympy.S.Zero)
    at_first: dict[Any, Any] = {symbol: known[name] for name, symbol in names.coordinates.items()}
    at_first |= {symbol: known[name] for name, symbol in names.rates.items()}
    yield from (known[name] for name in names.coordinates)
    for name, speed in names.speeds.items():
        defined = moving.definitions[speed].xreplace(names.given).xreplace(at_first)
        own = known.get(name, defined.xreplace({TIME: sympy.S.Zero}) + added.get(name, 0))
        yield own
