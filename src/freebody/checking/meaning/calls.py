"""What printed functions and powers are worth."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.walk import Walk
from freebody.documents.latex.tree import Call, Node, Power

MAX_POWER = 64
"""Largest integer exponent of what is not a number."""

MAX_BITS = 8_192
"""Of a number in a power that is worked out."""


class Calls(Walk):
    """A walk over an algebra that has functions and powers."""

    @abstractmethod
    def multiplied_out(self, sides: list[Any]) -> list[Any]:
        """Return the sides of an equation without denominators."""

    def _call(self, node: Call) -> Grid:
        name, argument = node.function, node.argument
        if name in RATIOS:
            over, under = (self._of_one(part, argument) for part in RATIOS[name])
            return Grid.scalar(over / under)
        if name in OF_GRIDS:
            return self._of_grid(name, self.value(argument))
        return Grid.scalar(self._of_one(name, argument))

    def _of_grid(self, name: str, grid: Grid) -> Grid:
        if name in ("abs", "norm") and grid.is_scalar:
            return Grid.scalar(self._function(sympy.Abs, self._settled(grid.form)))
        if name == "det" and grid.is_scalar:
            raise MeaningError("the determinant of what is no matrix")
        if name == "det" or (name == "abs" and len(set(grid.shape)) == 1):
            return self._determinant(grid)
        if name in OF_MATRICES:
            return OF_MATRICES[name](grid)
        if name in OF_SEVERAL:
            entries = list(map(self._settled, grid.entries()))
            return Grid.scalar(self._function(OF_SEVERAL[name], *_counted(name, entries)))
        squares = _sum([entry * entry for entry in grid.entries()])
        return Grid.scalar(self._root(self._settled(squares)))

    def _of_one(self, name: str, node: Node) -> Any:
        if name in WAVES:
            return self._wave(WAVES[name], node)
        if name == "1":
            return self._constant(sympy.S.One)
        argument = self._settled(self.value(node).form)
        if name == "sqrt":
            return self._root(argument, node)
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

    @abstractmethod
    def _settled(self, argument: Any) -> Any:
        """Return the argument of a function, as far as it has to be worked out before."""

    @abstractmethod
    def _determinant(self, grid: Grid) -> Grid: ...

    @abstractmethod
    def _inverse(self, grid: Grid) -> Grid: ...

    @abstractmethod
    def _constant(self, number: sympy.Expr) -> Any:
        """Return a number."""

    @abstractmethod
    def _function(self, function: Any, *arguments: Any) -> Any:
        """Return the value of a function of sympy's."""

    @abstractmethod
    def _wave(self, function: Any, node: Node) -> Any:
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
OF_GRIDS = frozenset(("abs", "det", "norm", *OF_MATRICES, *OF_SEVERAL))
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
