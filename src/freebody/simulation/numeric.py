"""Programs as functions of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.arrays import Array
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program

Function = Callable[..., dict[str, Array]]


def compiled(
    program: Program,
    mechanism: Mechanism,
    constants: Mapping[str, float],
    inputs: Mapping[str, sympy.Expr],
    *,
    arrays: bool = False,
) -> Function:
    """Return the function that a program is.

    Parameters
    ----------
    program : Program
    mechanism : Mechanism
        Whose names it is written in.
    constants : mapping of str to float
        The values of all constants.
    inputs : mapping of str to sympy.Expr
        The value of each input, in time, coordinates, speeds and constants.
    arrays : bool, optional
        Whether it is called with arrays over time rather than at one time.

    Returns
    -------
    callable
        ``f(t, q, u, a, multipliers)``, each with its entries along the first axis; returns the
        outputs by name, their entries along the first axis too.
    """
    names = mechanism.names
    rows = (mechanism.coordinates, mechanism.speeds, mechanism.accelerations)
    arguments = [
        dynamicsymbols._t,
        *(symbol for row in (*rows, mechanism.multipliers) for symbol in row),
        *(names.constants[name] for name in constants),
    ]
    # every name in the generated code is one of our own
    symbols = [*arguments, *names.inputs.values(), *program.assignments]
    known = {symbol: sympy.Symbol(f"x{number}") for number, symbol in enumerate(symbols)}
    given = {names.inputs[name]: law for name, law in inputs.items()}
    steps = [
        (known[symbol], expr.xreplace(known))
        for symbol, expr in {**given, **program.assignments}.items()
    ]
    outputs = [part.xreplace(known) for parts in program.outputs.values() for part in parts]
    function = sympy.lambdify(
        [known[argument] for argument in arguments],
        outputs,
        modules="numpy" if arrays else "math",
        cse=lambda _: (steps, outputs),
    )
    values = tuple(constants.values())
    ends = list(accumulate(map(len, program.outputs.values()), initial=0))

    def evaluate(t: Any, *moving: Any) -> dict[str, Array]:
        found = function(t, *(entry for array in moving for entry in array), *values)
        if arrays:
            found = [np.broadcast_to(np.asarray(part, dtype=float), np.shape(t)) for part in found]
        parts = zip(program.outputs, ends, ends[1:], strict=False)
        return {name: np.array(found[start:end], dtype=float) for name, start, end in parts}

    return evaluate
