"""The operations of a graph, and its values, to which these can be done."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import sympy

from freebody.algebra.pieces import sign
from freebody.algebra.tables import TABLES

if TYPE_CHECKING:
    from freebody.graph.graph import Graph


NUMBER = "number"
"""The operation of a number, which is its one operand: a fraction, or `PI`."""
PI = "pi"


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
BINARY = ("add", "sub", "mul", "div", "pow", "atan2", "min", "max", "lt", "le", "gt", "ge")
OPERATIONS: Mapping[str, int] = {
    name: 3 if name == "select" else 2 if name in BINARY else 1 for name in MEANINGS
}
"""How many operands each operation takes."""
FUNCTIONS: Mapping[Any, str] = {
    **{meaning: name for name, meaning in MEANINGS.items() if isinstance(meaning, type)},
    sympy.sign: "sign",
}
"""The operations that are functions of sympy, by these."""
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


# ------------------------------------------------------------------ values

ZERO, ONE = 0, 1
"""The places of the first two nodes of every graph."""


class Cell:
    """A value of a graph, or minus one."""

    __slots__ = ("graph", "node", "sign")

    def __init__(self, graph: Graph, sign: int, node: int) -> None:
        self.graph, self.sign, self.node = graph, sign, node

    def __add__(self, other: Cell) -> Cell:
        return self._plus(other, other.sign)

    def __sub__(self, other: Cell) -> Cell:
        return self._plus(other, -other.sign)

    def _plus(self, other: Cell, sign: int) -> Cell:
        a, b = self.node, other.node
        if b == ZERO:
            return self
        if a == ZERO:
            return Cell(self.graph, sign, b)
        if a == b:
            two = self.graph.number(Fraction(2))
            return two * self if sign == self.sign else self.graph.zero
        numbers = self._numbers(other)
        if numbers:
            return self.graph.number(self.sign * numbers[0] + sign * numbers[1])
        added = Cell(self.graph, sign, b)
        left = self._without(added) or added._without(self)
        if left:
            return left
        kind = "add" if sign == self.sign else "sub"
        if a < b:
            return Cell(self.graph, self.sign, self.graph.place(kind, a, b))
        return Cell(self.graph, sign, self.graph.place(kind, b, a))

    def _without(self, other: Cell) -> Cell | None:
        """Return what is left of a sum where a part of it is taken off by another cell."""
        kind, *parts = self.graph.nodes[self.node]
        if kind not in ("add", "sub") or other.node not in parts:
            return None
        signs = (self.sign, self.sign if kind == "add" else -self.sign)
        here = parts.index(other.node)
        if signs[here] == other.sign:
            return None
        return Cell(self.graph, signs[1 - here], parts[1 - here])

    def __mul__(self, other: Cell) -> Cell:
        a, b = self.node, other.node
        if a == ZERO or b == ZERO:
            return self.graph.zero
        sign = self.sign * other.sign
        if a == ONE or b == ONE:
            return Cell(self.graph, sign, b if a == ONE else a)
        numbers = self._numbers(other)
        if numbers:
            return self.graph.number(sign * numbers[0] * numbers[1])
        return Cell(self.graph, sign, self.graph.place("mul", *((a, b) if a < b else (b, a))))

    def __truediv__(self, other: Cell) -> Cell:
        a, b = self.node, other.node
        if b == ZERO:
            raise ZeroDivisionError("a program divides by zero")
        if a == ZERO:
            return self.graph.zero
        sign = self.sign * other.sign
        if b == ONE or a == b:
            return Cell(self.graph, sign, a if b == ONE else ONE)
        numbers = self._numbers(other)
        if numbers:
            return self.graph.number(sign * numbers[0] / numbers[1])
        return Cell(self.graph, sign, self.graph.place("div", a, b))

    def __neg__(self) -> Cell:
        return Cell(self.graph, -self.sign, self.node) if self.node else self

    def __pow__(self, power: int) -> Cell:
        if power < 0:
            return self.graph.one / self**-power
        out = self.graph.one
        for bit in f"{power:b}":
            out = out * out
            out = out * self if bit == "1" else out
        return out

    def __bool__(self) -> bool:
        return self.node != ZERO

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and (self.sign, self.node) == (other.sign, other.node)

    def __hash__(self) -> int:
        return hash((self.sign, self.node))

    def _numbers(self, other: Cell) -> tuple[Fraction, Fraction] | None:
        """Return the sizes of two fractions, where both are."""
        (kind, one, *_), (other_kind, two, *_) = (
            self.graph.nodes[self.node],
            self.graph.nodes[other.node],
        )
        if kind != NUMBER or other_kind != NUMBER or PI in (one, two):
            return None
        return one, two
