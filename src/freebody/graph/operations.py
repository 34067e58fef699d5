"""The operations of a graph, by name."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

NUMBER = "number"
"""The operation of a number, which is its one operand: a fraction, or `PI`."""
PI = "pi"

UNARY = (
    "neg",
    "sqrt",
    "abs",
    "sign",
    "exp",
    "log",
    "sin",
    "cos",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
)
BINARY = ("add", "sub", "mul", "div", "pow", "atan2", "min", "max", "lt", "le", "gt", "ge")
OPERATIONS: Mapping[str, int] = {
    **dict.fromkeys(UNARY, 1),
    **dict.fromkeys(BINARY, 2),
    "select": 3,
}
"""How many operands each operation takes; ``select`` a comparison and two values."""
ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}
"""What every arithmetic has a sign for."""
COMPARISONS = ("lt", "le", "gt", "ge")
COMMUTING = ("add", "mul", "min", "max")
ODD = ("sin", "asin", "atan", "sinh", "tanh", "sign")
EVEN = ("cos", "cosh", "abs")


def as_float(value: Fraction | str) -> float:
    """Return the operand of a number as a float, infinite where it is too large."""
    if isinstance(value, str):
        return math.pi
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
