"""What printed functions and powers are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form, Ring
from freebody.checking.grid import Grid, MeaningError

MAX_POWER = 64
"""Largest integer exponent of what is not a number."""

MAX_BITS = 8_192
"""Of a number in a power that is worked out."""


def called(name: str, argument: Grid, settled: Callable[[Form], Form]) -> Grid:
    """Return the value of a function.

    Parameters
    ----------
    name : str
        As in the tree: ``"sin"``, ``"det"``, ``"atan2"``.
    argument : Grid
        What it is of: a scalar, a matrix, or a row of several arguments.
    settled : callable
        Gives a form on the level of coordinates.

    Raises
    ------
    MeaningError
        If there is no such function, or not of such an argument.
    """
    if name in OF_MATRICES:
        return OF_MATRICES[name](argument)
    if name == "abs" and not argument.is_scalar:
        name = "det" if len(set(argument.shape)) == 1 else "norm"
        return called(name, argument, settled)
    if name == "norm":
        squares = Grid.scalar(_sum([form * form for form in argument.entries()]))
        return called("sqrt", squares, settled)
    if name in OF_SEVERAL:
        forms = list(map(settled, argument.entries()))
        return Grid.scalar(forms[0].ring.function(OF_SEVERAL[name], *_counted(name, forms)))
    return Grid.scalar(_of_one(name, settled(argument.form)))


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


def _of_one(name: str, argument: Form) -> Form:
    ring = argument.ring
    if name in RATIOS:
        over, under = (_WAVES[wave](ring, argument) for wave in RATIOS[name])
        return over / under
    if name in _WAVES:
        return _WAVES[name](ring, argument)
    if name == "degrees":
        return (argument * ring.form(sympy.pi)).scaled(QQ(1, 180))
    if name in FUNCTIONS:
        return ring.function(FUNCTIONS[name], argument)
    raise MeaningError(f"no meaning for the function '{name}'")


def _counted(name: str, forms: list[Form]) -> list[Form]:
    if len(forms) < 2 or (name == "atan2" and len(forms) != 2):
        raise MeaningError(f"'{name}' is of two arguments, found {len(forms)}")
    return forms


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
    "det": Grid.determinant,
    "trace": _trace,
    "diag": _diagonal,
    "skew": skew,
}
OF_SEVERAL: Mapping[str, Any] = {"atan2": sympy.atan2, "min": sympy.Min, "max": sympy.Max}
_WAVES: Mapping[str, Callable[[Ring, Form], Form]] = {
    "1": lambda ring, _: ring.one,
    "sin": Ring.sin,
    "cos": Ring.cos,
    "sqrt": Ring.sqrt,
    "sinh": lambda ring, argument: ring.function(sympy.sinh, argument),
    "cosh": lambda ring, argument: ring.function(sympy.cosh, argument),
}
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
    "tanh": sympy.tanh,
    "arcsinh": sympy.asinh,
    "arccosh": sympy.acosh,
    "arctanh": sympy.atanh,
}
