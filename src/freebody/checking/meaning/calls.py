"""What printed functions and powers are worth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.checking.grid import Grid, MeaningError
from freebody.documents.latex.tree import Call, Node, Power

MAX_POWER = 64
"""Largest integer exponent of what is not a number."""

MAX_BITS = 8_192
"""Of a number in a power that is worked out."""


class Calls(ABC):
    """What printed functions and powers are worth, in whatever algebra their arguments are."""

    @abstractmethod
    def value(self, node: Any) -> Grid:
        """Return the value of a node."""

    def _call(self, node: Call) -> Grid:
        return self._called(node.function, self.value(node.argument), node.argument)

    def _called(self, name: str, argument: Grid, node: Node) -> Grid:
        if name == "abs" and not argument.is_scalar:
            name = "det" if len(set(argument.shape)) == 1 else "norm"
        if name == "det":
            return self._determinant(argument)
        if name in OF_MATRICES:
            return OF_MATRICES[name](argument)
        if name == "norm":
            squares = _sum([entry * entry for entry in argument.entries()])
            return Grid.scalar(self._root(self._settled(squares)))
        if name in OF_SEVERAL:
            entries = list(map(self._settled, argument.entries()))
            return Grid.scalar(self._function(OF_SEVERAL[name], *_counted(name, entries)))
        settled = self._settled(argument.form)
        if name in RATIOS:
            over, under = (self._of_one(wave, settled, node) for wave in RATIOS[name])
            return Grid.scalar(over / under)
        return Grid.scalar(self._of_one(name, settled, node))

    def _of_one(self, name: str, argument: Any, node: Node) -> Any:
        if name in WAVES:
            return self._wave(WAVES[name], argument, node)
        if name == "sqrt":
            return self._root(argument, node)
        if name == "1":
            return self._constant(sympy.S.One)
        if name == "degrees":
            return argument * self._constant(sympy.pi / 180)
        if name in FUNCTIONS:
            return self._function(FUNCTIONS[name], argument)
        raise MeaningError(f"no meaning for the function '{name}'")

    def _power(self, node: Power) -> Grid:
        base, exponent = self.value(node.base), self._exponent(node)
        if exponent.is_number:
            power = exponent.number
            if power == -1:
                return self._inverse(base)
            if power.denominator == 1:
                return Grid.scalar(self._raised(base.form, int(power)))
            if power.denominator == 2:
                root = self._root(base.form, node.base)
                return Grid.scalar(self._raised(root, int(power.numerator)))
        return Grid.scalar(self._to_the(base.form, exponent))

    # ------------------------------------------------------------------ of an algebra

    def _settled(self, argument: Any) -> Any:
        """Return the argument of a function, as far as it has to be worked out before."""
        return argument

    def _determinant(self, grid: Grid) -> Grid:
        return grid.determinant()

    def _inverse(self, grid: Grid) -> Grid:
        return grid.inverse()

    @abstractmethod
    def _constant(self, number: sympy.Expr) -> Any:
        """Return a number."""

    @abstractmethod
    def _function(self, function: Any, *arguments: Any) -> Any:
        """Return the value of a function of sympy's."""

    @abstractmethod
    def _wave(self, function: Any, argument: Any, node: Node) -> Any:
        """Return the cosine or sine of what a node is worth."""

    @abstractmethod
    def _root(self, square: Any, node: Node | None = None) -> Any:
        """Return the square root of what a node is worth, or of what none is."""

    @abstractmethod
    def _exponent(self, node: Power) -> Form:
        """Return an exponent."""

    @abstractmethod
    def _raised(self, base: Any, power: int) -> Any:
        """Return an integer power."""

    @abstractmethod
    def _to_the(self, base: Any, exponent: Form) -> Any:
        """Return any other power."""


def raised(base: Form, power: int) -> Form:
    """Return an integer power.

    Raises
    ------
    MeaningError
        If it is too large to be worked out.
    """
    coefficients = base.terms.table.values()
    bits = max(
        (max(c.numerator.bit_length(), c.denominator.bit_length()) for c in coefficients), default=0
    )
    is_many = abs(power) > MAX_POWER and not base.is_number
    if is_many or bits * abs(power) > MAX_BITS:
        raise MeaningError("a power that is too large to be worked out")
    return base**power


def _counted(name: str, arguments: list[Any]) -> list[Any]:
    if len(arguments) < 2 or (name == "atan2" and len(arguments) != 2):
        raise MeaningError(f"'{name}' is of two arguments, found {len(arguments)}")
    return arguments


def _sum(entries: list[Any]) -> Any:
    return sum(entries[1:], entries[0])


def _trace(matrix: Grid) -> Grid:
    n, m = matrix.shape
    if n != m:
        raise MeaningError(f"the trace of a matrix of {n} x {m}")
    return Grid.scalar(_sum([matrix.rows[i][i] for i in range(n)]))


def _diagonal(row: Grid) -> Grid:
    entries = list(row.entries())
    zero = entries[0].scaled(0)
    size = range(len(entries))
    return Grid.made((entries[i] if i == j else zero for j in size) for i in size)


def skew(column: Grid) -> Grid:
    """Return the matrix of a cross product with a column.

    Raises
    ------
    MeaningError
        If that has not three entries.
    """
    entries = list(column.entries())
    if column.shape not in ((3, 1), (1, 3)):
        raise MeaningError("the matrix of a cross product is that of a column of three entries")
    (x, y, z), zero = entries, entries[0].scaled(0)
    return Grid.made([[zero, -z, y], [z, zero, -x], [-y, x, zero]])


OF_MATRICES: Mapping[str, Callable[[Grid], Grid]] = {
    "trace": _trace,
    "diag": _diagonal,
    "skew": skew,
}
OF_SEVERAL: Mapping[str, Any] = {"atan2": sympy.atan2, "min": sympy.Min, "max": sympy.Max}
WAVES: Mapping[str, Any] = {"cos": sympy.cos, "sin": sympy.sin}
RATIOS = {
    "tan": ("sin", "cos"),
    "cot": ("cos", "sin"),
    "sec": ("1", "cos"),
    "csc": ("1", "sin"),
    "coth": ("cosh", "sinh"),
}
FUNCTIONS: Mapping[str, Any] = {
    "exp": sympy.exp,
    "log": sympy.log,
    "abs": sympy.Abs,
    "sign": sympy.sign,
    "arcsin": sympy.asin,
    "arccos": sympy.acos,
    "arctan": sympy.atan,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "arcsinh": sympy.asinh,
    "arccosh": sympy.acosh,
    "arctanh": sympy.atanh,
}
