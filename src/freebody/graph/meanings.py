"""What the operations of a graph are in sympy, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import sympy

from freebody.algebra.pieces import sign
from freebody.algebra.tables import TABLES
from freebody.graph.operations import COMPARISONS


class _Meanings(dict[str, Callable[..., Any]]):
    """What operations are in sympy, those of tables besides the ones that are listed."""

    def __missing__(self, operation: str) -> Callable[..., Any]:
        return TABLES[operation]


MEANINGS: Mapping[str, Callable[..., Any]] = _Meanings(
    {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "neg": lambda a: -a,
        "pow": sympy.Pow,
        "sqrt": sympy.sqrt,
        "abs": sympy.Abs,
        "sign": sign,
        "exp": sympy.exp,
        "log": sympy.log,
        "sin": sympy.sin,
        "cos": sympy.cos,
        "asin": sympy.asin,
        "acos": sympy.acos,
        "atan": sympy.atan,
        "atan2": sympy.atan2,
        "sinh": sympy.sinh,
        "cosh": sympy.cosh,
        "tanh": sympy.tanh,
        "min": sympy.Min,
        "max": sympy.Max,
        "lt": sympy.StrictLessThan,
        "le": sympy.LessThan,
        "gt": sympy.StrictGreaterThan,
        "ge": sympy.GreaterThan,
        "select": lambda holds, one, other: sympy.Piecewise((one, holds), (other, True)),
    }
)
"""What each operation is in sympy; ``select`` takes a comparison and two values."""
FUNCTIONS: Mapping[Any, str] = {
    **{meaning: name for name, meaning in MEANINGS.items() if isinstance(meaning, type)},
    sympy.sign: "sign",
}
"""The operations that are functions of sympy, by these."""


@cache
def partial_derivatives(
    operation: str, fixed: tuple[Any, ...]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return symbols for the operands of a function, and its derivatives by them as real numbers.

    Where one has a jump, as that of ``max(x, 0)`` at zero, it is that of the side below; the jump
    of the function itself adds nothing.

    Parameters
    ----------
    operation : str
    fixed : tuple of sympy.Rational or None
        The operands that are numbers.

    Returns
    -------
    symbols : tuple of sympy.Dummy
    derivatives : tuple of sympy.Expr
    """
    symbols = tuple(sympy.Dummy(f"x{place}", real=True) for place in range(len(fixed)))
    if operation in COMPARISONS:
        return symbols, (sympy.S.Zero,) * len(fixed)
    operands = [x if value is None else value for x, value in zip(symbols, fixed, strict=True)]
    whole = MEANINGS[operation](*operands)
    return symbols, tuple(_almost_everywhere(whole.diff(symbol)) for symbol in symbols)


def _almost_everywhere(slope: sympy.Expr) -> sympy.Expr:
    """Return a derivative that is one-sided at a kink, and without the pulse of a jump."""
    smooth = slope.replace(sympy.DiracDelta, lambda *_: sympy.S.Zero)
    return smooth.replace(sympy.Heaviside, lambda x, *_: sympy.Piecewise((1, x > 0), (0, True)))
