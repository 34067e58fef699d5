"""Expressions as functions of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy.physics.mechanics import dynamicsymbols

from freebody.mechanics.mechanism import Mechanism

Array = NDArray[np.float64]
Function = Callable[..., list[Array]]


def compiled(
    mechanism: Mechanism, expressions: Sequence[sympy.Expr], constants: Mapping[str, float]
) -> Function:
    """Return a function of time, coordinates, speeds, accelerations and inputs.

    Parameters
    ----------
    mechanism : Mechanism
        Whose names the expressions are written in.
    expressions : sequence of sympy.Expr
        What is to be evaluated.
    constants : mapping of str to float
        The values of all constants that occur.

    Returns
    -------
    callable
        ``f(t, q, u, a, r)`` with the last axis of ``q``, ``u``, ``a`` and ``r`` running over the
        coordinates and inputs; returns one array for each expression.
    """
    names = mechanism.names
    rows = (
        mechanism.coordinates,
        mechanism.speeds,
        mechanism.accelerations,
        tuple(names.inputs.values()),
    )
    arguments = [
        dynamicsymbols._t,
        *(symbol for row in rows for symbol in row),
        *(names.constants[name] for name in constants),
    ]
    # every name in the generated code is one of lambdify's own
    stand_ins = {argument: sympy.Dummy() for argument in arguments}
    function = sympy.lambdify(
        list(stand_ins.values()),
        [sympy.sympify(expression, strict=True).xreplace(stand_ins) for expression in expressions],
        modules="numpy",
        cse=True,
    )
    values = tuple(constants.values())

    def evaluate(t: Any, *arrays: Any) -> list[Array]:
        moving = [array[..., i] for array in arrays for i in range(np.shape(array)[-1])]
        shape = np.shape(t)
        found = function(t, *moving, *values)
        return [np.broadcast_to(np.asarray(value, dtype=float), shape) for value in found]

    return evaluate
