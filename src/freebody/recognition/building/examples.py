"""Examples of values for the constants of a model that a page tells, which gives none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy

from freebody.recognition.symbols.initials import GRAVITY, initial

_INERTIA, _GRAVITY = 0.1, 9.81
MOST_DOUBLINGS = 6


def example(key: str, unit: str) -> float:
    """Return an example of the value of a letter in a unit.

    Examples
    --------
    >>> example("g", "m/s**2"), example("u_0", "m/s**2"), example("I", "kg*m**2")
    (9.81, 1, 0.1)
    """
    if unit == "m/s**2" and (key in GRAVITY or initial(key) == GRAVITY[0]):
        return _GRAVITY
    return _INERTIA if unit == "kg*m**2" else 1


def enlarge(constants: Mapping[str, dict[str, Any]], positive: Iterable[sympy.Expr]) -> None:
    """Double values until expressions are positive, of the letters that are only added in them.

    Such as a moment of inertia about a pivot, which is more than that of a mass at its distance.

    Parameters
    ----------
    constants : mapping of str to dict
        By name the entries of a model file, of which the values are changed.
    positive : iterable of sympy.Expr
        In the names of constants, and perhaps of what moves: these are left as they are.

    Examples
    --------
    >>> inertia, mass, length = sympy.symbols("I m l")
    >>> constants = {"I": {"value": 0.1}, "m": {"value": 1}, "l": {"value": 1}}
    >>> enlarge(constants, [inertia - mass * length**2])
    >>> constants["I"]
    {'value': 1.6}
    """
    for whole in positive:
        terms = sympy.Add.make_args(sympy.expand(whole))
        taken = [one for one in terms if one.could_extract_minus_sign()]
        names = {one.name for one in whole.free_symbols if isinstance(one, sympy.Symbol)}
        subtracted = {symbol.name for one in taken for symbol in one.free_symbols}
        added = names - subtracted
        if not added or not names <= constants.keys():
            continue
        for _ in range(MOST_DOUBLINGS):
            values = {sympy.Symbol(name): sympy.Float(constants[name]["value"]) for name in names}
            if whole.xreplace(values).is_positive:
                break
            for name in added:
                constants[name]["value"] *= 2
