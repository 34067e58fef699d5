"""Expressions of sympy lowered to straight-line code, one operation a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy

from freebody.algebra.pieces import sign
from freebody.backends.code import LITERAL, Code, Operands, Quantity
from freebody.errors import FreebodyError
from freebody.model.names import Names
from freebody.programs.routine import Routine

FUNCTIONS: Mapping[Any, str] = {
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.asin: "asin",
    sympy.acos: "acos",
    sympy.atan: "atan",
    sympy.atan2: "atan2",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.Abs: "abs",
    sympy.sign: "sign",
    sign: "sign",
    sympy.StrictGreaterThan: "gt",
    sympy.GreaterThan: "ge",
    sympy.StrictLessThan: "lt",
    sympy.LessThan: "le",
}
COMMUTING = ("add", "mul", "min", "max")


class LoweringError(FreebodyError):
    """An expression with a function that no backend has."""


class Lowering:
    """Writes steps; equal operations are done once.

    Attributes
    ----------
    steps : list of tuple
        See `Code`.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> lowering = Lowering([x, y])
    >>> lowering.value(sympy.sin(x) / y - sympy.sin(x))
    4
    >>> lowering.steps
    [('sin', 0), ('div', 2, 1), ('sub', 3, 2)]
    """

    def __init__(self, arguments: Iterable[Any]) -> None:
        self._known: dict[Any, int] = {symbol: place for place, symbol in enumerate(arguments)}
        self._first = len(self._known)
        self._done: dict[Operands, int] = {}
        self.steps: list[Operands] = []

    def assign(self, symbol: Any, expr: Any) -> None:
        """Let a symbol stand for an expression from here on."""
        self._known[symbol] = self.value(expr)

    def value(self, expr: Any) -> int:
        """Return the value of an expression.

        Raises
        ------
        LoweringError
            If it holds a function that no backend has, or a symbol that stands for nothing.
        """
        found = self._known.get(expr)
        if found is None:
            found = self._known[expr] = self._lowered(expr)
        return found

    def _lowered(self, expr: Any) -> int:
        if expr.is_number and not expr.has(sympy.zoo, sympy.nan):
            return self._number(float(expr))
        for kind, rule in self._rules.items():
            if isinstance(expr, kind):
                return rule(expr)
        if type(expr) in FUNCTIONS:
            return self._step(FUNCTIONS[type(expr)], *map(self.value, expr.args))
        raise LoweringError(f"no backend knows what '{expr}' is")

    @property
    def _rules(self) -> dict[Any, Callable[[Any], int]]:
        return {
            sympy.Add: self._sum,
            sympy.Mul: self._product,
            sympy.Pow: self._power,
            sympy.Piecewise: self._choice,
            sympy.Max: lambda expr: self._folded("max", expr.args),
            sympy.Min: lambda expr: self._folded("min", expr.args),
        }

    def _step(self, operation: str, *operands: Any) -> int:
        if operation in COMMUTING:
            operands = tuple(sorted(operands))
        step = (operation, *operands)
        if step not in self._done:
            self.steps.append(step)
            self._done[step] = self._first + len(self.steps) - 1
        return self._done[step]

    def _number(self, value: float) -> int:
        return self._step(LITERAL, value)

    def _folded(self, operation: str, parts: Iterable[Any]) -> int:
        first, *rest = map(self.value, parts)
        for value in rest:
            first = self._step(operation, first, value)
        return first

    def _sum(self, expr: Any) -> int:
        """Add what has a plus sign, then subtract what has a minus sign."""
        minus = [part for part in expr.args if part.could_extract_minus_sign()]
        plus = [part for part in expr.args if part not in minus]
        if not plus:
            return self._step("neg", self.value(-expr))
        total = self._folded("add", plus)
        for part in minus:
            total = self._step("sub", total, self.value(-part))
        return total

    def _product(self, expr: Any) -> int:
        """Multiply, then divide by what has a negative power."""
        number, factors = expr.as_coeff_mul()
        if number == -1:
            return self._step("neg", self.value(-expr))
        below = [part for part in factors if part.is_Pow and part.exp.is_negative]
        above = [part for part in factors if part not in below]
        above += [number] if number != 1 or not above else []
        total = self._folded("mul", above)
        if below:
            total = self._step("div", total, self._folded("mul", [1 / part for part in below]))
        return total

    def _power(self, expr: Any) -> int:
        base, exponent = expr.args
        if exponent.is_negative:
            return self._step("div", self._number(1.0), self.value(1 / expr))
        if exponent.is_Integer:
            return self._repeated(self.value(base), int(exponent))
        if (2 * exponent).is_Integer:
            return self._repeated(self._step("sqrt", self.value(base)), int(2 * exponent))
        return self._step("pow", self.value(base), self.value(exponent))

    def _repeated(self, base: int, exponent: int) -> int:
        """Return a power by squaring."""
        if exponent == 1:
            return base
        half = self._repeated(base, exponent // 2)
        square = self._step("mul", half, half)
        return self._step("mul", square, base) if exponent % 2 else square

    def _choice(self, expr: Any) -> int:
        *others, (last, condition) = expr.args
        if condition is not sympy.true:
            raise LoweringError(f"expected a last piece that always holds, found '{condition}'")
        chosen = self.value(last)
        for value, holds in reversed(others):
            chosen = self._step("select", self.value(holds), self.value(value), chosen)
        return chosen


def lowered(routine: Routine, names: Names) -> Code:
    """Return the code of a routine, with what a model says of its arguments.

    Parameters
    ----------
    routine : Routine
    names : Names
        Of the model.
    """
    groups = routine.arguments.items()
    lowering = Lowering(symbol for _, group in groups for symbol in group)
    for symbol, expr in routine.program.assignments.items():
        lowering.assign(symbol, expr)
    results = tuple(map(lowering.value, routine.program.outputs[routine.name]))
    told = _Told(names)
    return Code(
        routine.name,
        routine.title,
        {name: tuple(map(told.quantity, group)) for name, group in groups},
        routine.shapes[routine.name],
        tuple(lowering.steps),
        results,
    ).pruned()


class _Told:
    """What a model says of its quantities."""

    def __init__(self, names: Names) -> None:
        model = names.model
        declared = (model.coordinates, model.speeds, model.inputs, model.constants)
        self._entries = {name: entry for group in declared for name, entry in group.items()}
        self._units = {
            **{f"{name}_dot": f"{entry.unit}/s" for name, entry in model.coordinates.items()},
            **{f"{name}_ddot": f"{entry.unit}/s**2" for name, entry in model.coordinates.items()},
            **{f"{name}_dot": f"{entry.unit}/s" for name, entry in model.speeds.items()},
            "t": "s",
        }

    def quantity(self, symbol: Any) -> Quantity:
        """Return what is known of a symbol."""
        name = str(symbol)
        entry = self._entries.get(name)
        unit = getattr(entry, "unit", None) or self._units.get(name, "")
        source = getattr(entry, "source", None) or ""
        return Quantity(name, getattr(entry, "title", ""), unit, source)
