"""The functions that languages and their libraries bring along, by the last part of their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.code import arrays
from freebody.code.eigen import FACTORED
from freebody.code.values import (
    Closure,
    NotFollowedError,
    Struct,
    Unknown,
    copied,
)
from freebody.graph.cells import Cell

if TYPE_CHECKING:
    from freebody.code.working import Working

Arguments = Sequence[Any]
MOST = 64
"""Largest whole exponent."""
PLAIN = {
    "sin": "sin", "cos": "cos", "asin": "asin", "acos": "acos", "atan": "atan", "arcsin": "asin",
    "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "exp": "exp", "log": "log", "sqrt": "sqrt", "abs": "abs", "fabs": "abs", "absolute": "abs",
    "sign": "sign", "cosf": "cos", "sinf": "sin", "sqrtf": "sqrt",
}  # fmt: skip
ARRAYS = (
    "array", "asarray", "asanyarray", "atleast_1d", "collect", "SVector",
    "DM", "tensor", "as_tensor", "ascontiguousarray", "Vector",
    "SMatrix", "MVector", "SA",
)  # fmt: skip
MATRICES = ("Matrix", "ImmutableMatrix", "MutableDenseMatrix")
ROWS = ("mat", "matrix", "asmatrix")
COPIES = ("copy", "deepcopy", "list", "tuple", "clone")
SAME = (
    "float", "double", "real", "float64", "float32", "squeeze", "Float64", "convert", "simplify",
    "expand", "trigsimp", "angle_normalize", "wrap_to_pi", "wrapToPi", "single", "item", "vec",
    "numpy", "wrap", "detach", "normalize_angle", "unwrap", "evalf", "doit", "static_cast",
    "astype",
)  # fmt: skip
"""What leaves its first argument what it is."""


def apply(interp: Working, operation: str, value: Any) -> Any:
    """Return a function of a scalar, or of each entry of an array."""
    if isinstance(value, (np.ndarray, list)):
        return interp.entrywise(lambda cell: _function(interp, operation, cell), value)
    return _function(interp, operation, interp.scalar(value))


def _function(interp: Working, operation: str, cell: Cell) -> Cell:
    graph = interp.table.graph
    if operation in ("sin", "cos"):
        return trigonometric(interp, operation, cell)
    number = interp.table.graph.fraction(cell)
    if operation == "sqrt" and number is not None and number < 0:
        raise NotFollowedError("a root of a negative number")
    return graph.apply(operation, cell)


def trigonometric(interp: Working, operation: str, cell: Cell) -> Cell:
    """Return a cosine or a sine, where quarters of a turn are numbers."""
    graph = interp.table.graph
    if graph.fraction(cell) == 0:
        return graph.one if operation == "cos" else graph.zero
    return graph.apply(operation, cell)


def power(interp: Working, base: Any, exponent: Any) -> Any:
    """Return a power, with roots for halves."""
    if isinstance(base, (np.ndarray, list)):
        return interp.entrywise(lambda cell: power(interp, cell, exponent), base)
    graph, base, by = interp.table.graph, interp.scalar(base), interp.scalar(exponent)
    number = interp.table.constant(by)
    if number is None:
        return graph.apply("pow", base, by)
    if number.denominator == 1 and abs(number) <= MOST:
        return base ** int(number)
    if number.denominator == 2 and abs(number) <= MOST:
        return graph.apply("sqrt", base) ** int(2 * number)
    if graph.fraction(base) is not None:
        raise NotFollowedError("a power of a number that is too large")
    return graph.apply("pow", base, graph.number(number))


def _radians(interp: Working, of: Arguments) -> Any:
    turn = interp.table.graph.pi / interp.table.number(180)
    return interp.binary("*", of[0], turn)


def _degrees(interp: Working, of: Arguments) -> Any:
    turn = interp.table.number(180) / interp.table.graph.pi
    return interp.binary("*", of[0], turn)


def _tan(interp: Working, of: Arguments) -> Any:
    return interp.binary("./", apply(interp, "sin", of[0]), apply(interp, "cos", of[0]))


def _two(operation: str) -> Callable[[Working, Arguments], Any]:
    def work(interp: Working, of: Arguments) -> Any:
        one, other = (interp.scalar(each) for each in of)
        return interp.table.graph.apply(operation, one, other)

    return work


def _extreme(operation: str) -> Callable[[Working, Arguments], Any]:
    def work(interp: Working, of: Arguments) -> Any:
        entries = of if len(of) > 1 else interp.items(of[0])
        cells = [interp.scalar(one) for one in entries]
        return reduce(lambda one, other: interp.table.graph.apply(operation, one, other), cells)

    return work


def _mapped(interp: Working, of: Arguments) -> Any:
    function, *over = of
    if not isinstance(function, Closure):
        raise NotFollowedError("'map' of a function that is not known")
    rows = zip(*map(interp.items, over), strict=False)
    return [interp.called(function, row, ()) for row in rows]


def _record(_: Working, of: Arguments) -> Any:
    """Return the structure that names and values in turn make."""
    names, values = of[::2], of[1::2]
    if len(names) != len(values) or not all(isinstance(name, str) for name in names):
        raise NotFollowedError("a structure whose names are not known")
    return Struct("", dict(zip(names, values, strict=True)))


def _clip(interp: Working, of: Arguments) -> Any:
    interp.remark("is read as inside of its limits")
    return of[0]


def _zip(interp: Working, of: Arguments) -> Any:
    return [list(row) for row in zip(*map(interp.items, of), strict=False)]


def _enumerate(interp: Working, of: Arguments) -> Any:
    return [[interp.table.number(i), one] for i, one in enumerate(interp.items(of[0]))]


def _symbols(interp: Working, of: Arguments) -> Any:
    if not of or not isinstance(of[0], str):
        raise NotFollowedError("symbols without a name")
    names = of[0].replace(",", " ").split()
    found = [interp.table.unknown(name, name) for name in names]
    return found[0] if len(found) == 1 else found


def _selected(interp: Working, of: Arguments) -> Any:
    test, yes, no = of[:3]
    return interp.chosen(test, yes, no)


def _appended(interp: Working, of: Arguments) -> Any:
    """Put an entry to the end of a list, or return an array with one more."""
    if isinstance(of[0], list):
        of[0].append(of[1])
        return None
    if isinstance(of[0], Unknown):
        return interp.appended(of[0], of[1])
    return arrays.stack(None)(interp, of)


def _extended(interp: Working, of: Arguments) -> Any:
    if not isinstance(of[0], list):
        raise NotFollowedError("more entries for what is no list")
    of[0].extend(interp.items(of[1]))


def _of_record(part: str) -> Callable[[Working, Arguments], Any]:
    def work(_: Working, of: Arguments) -> Any:
        (held,) = of
        pairs = {"values": list(held.items.values()), "keys": list(held.items)}
        return pairs.get(part, [[name, value] for name, value in held.items.items()])

    return work


def _got(_: Working, of: Arguments) -> Any:
    held, name, *default = of
    if isinstance(held, Struct) and isinstance(name, str) and name in held.items:
        return held.items[name]
    if not isinstance(held, Struct) or not default:
        raise NotFollowedError("'get' of what is not known")
    return default[0]


def _subtract(sign: str) -> Callable[[Working, Arguments], Any]:
    return lambda interp, of: interp.binary(sign, of[0], of[1])


def _plainly(operation: str) -> Callable[[Working, Arguments], Any]:
    def work(interp: Working, of: Arguments) -> Any:
        if len(of) == 1:
            return apply(interp, operation, of[0])
        if len(of) == 2 and operation == "atan":
            return _two("atan2")(interp, of)
        if len(of) == 2 and operation == "log":
            base, value = of if interp.language == "julia" else of[::-1]
            return interp.binary("./", *(apply(interp, "log", one) for one in (value, base)))
        raise NotFollowedError(f"'{operation}' of {len(of)} values")

    return work


FUNCTIONS: dict[str, Callable[[Working, Arguments], Any]] = {
    **{name: _plainly(to) for name, to in PLAIN.items()},
    **{name: (lambda _, of: of[0]) for name in (*SAME, *FACTORED)},
    **dict.fromkeys(ARRAYS, lambda interp, of: arrays.array(interp, of)),
    **dict.fromkeys(MATRICES, arrays.matrix(-1)),
    **dict.fromkeys(ROWS, arrays.matrix(0)),
    **dict.fromkeys(COPIES, lambda _, of: copied(of[0])),
    "tan": _tan,
    "sind": lambda interp, of: apply(interp, "sin", _radians(interp, of)),
    "cosd": lambda interp, of: apply(interp, "cos", _radians(interp, of)),
    "max": _extreme("max"), "maximum": _extreme("max"), "fmax": _extreme("max"),
    "min": _extreme("min"), "minimum": _extreme("min"), "fmin": _extreme("min"),
    "map": _mapped, "struct": _record, "tr": arrays.trace,
    "deal": lambda _, of: list(of),
    "square": lambda interp, of: power(interp, of[0], interp.table.number(2)),
    "pow": lambda interp, of: power(interp, of[0], of[1]),
    "power": lambda interp, of: power(interp, of[0], of[1]),
    "atan2": _two("atan2"),
    "arctan2": _two("atan2"),
    "deg2rad": _radians, "radians": _radians, "rad2deg": _degrees, "degrees": _degrees,
    "clip": _clip, "clamp": _clip,
    "zeros": arrays.filled(0), "ones": arrays.filled(1), "empty": arrays.filled(0),
    "undef": arrays.filled(0), "zeros_like": arrays.like(0), "ones_like": arrays.like(1),
    "empty_like": arrays.like(0), "similar": arrays.like(0), "eye": arrays.eye,
    "identity": arrays.eye, "vstack": arrays.stack(0), "hstack": arrays.stack(1),
    "concatenate": arrays.concatenated, "append": _appended, "extend": _extended,
    "values": _of_record("values"), "keys": _of_record("keys"), "items": _of_record("items"),
    "get": _got, "concat": arrays.stack(None), "block": lambda interp, of: interp.blocks(of[0]),
    "cat": arrays.stack(None), "r_": arrays.stack(None), "vcat": arrays.vertcat,
    "hcat": arrays.column_stack, "stack": arrays.stacked, "column_stack": arrays.column_stack,
    "vertcat": arrays.vertcat, "horzcat": arrays.column_stack, "dot": arrays.dot,
    "matmul": lambda interp, of: arrays.multiply(interp, *of[:2]),
    "multi_dot": lambda interp, of: arrays.product(interp, of[0]),
    "mtimes": lambda interp, of: arrays.product(interp, of), "inner": arrays.dot,
    "inv": lambda interp, of: arrays.inverse(interp, of[0]),
    "inverse": lambda interp, of: arrays.inverse(interp, of[0]),
    "pinv": lambda interp, of: arrays.inverse(interp, of[0]),
    "solve": lambda interp, of: arrays.solve(interp, *of[:2]),
    "mldivide": lambda interp, of: arrays.solve(interp, *of[:2]),
    "LUsolve": lambda interp, of: arrays.solve(interp, *of[:2]), "transpose": arrays.transposed,
    "adjoint": arrays.transposed, "sum": arrays.total, "cross": arrays.cross, "norm": arrays.norm,
    "diag": arrays.diagonal, "Diagonal": arrays.diagonal, "trace": arrays.trace,
    "range": arrays.numbers, "arange": arrays.numbers, "len": arrays.longest,
    "length": arrays.longest, "numel": arrays.count, "size": arrays.size,
    "reshape": arrays.reshaped, "ravel": arrays.flat, "flatten": arrays.flat, "zip": _zip,
    "enumerate": _enumerate, "symbols": _symbols, "dynamicsymbols": _symbols, "Symbol": _symbols,
    "where": _selected, "sym": _symbols, "view": lambda interp, of: interp.entries(of[0], of[1:]),
    "ifelse": _selected,
    "add": _subtract("+"), "subtract": _subtract("-"), "multiply": _subtract(".*"),
    "divide": _subtract("./"), "times": _subtract(".*"), "cwiseProduct": _subtract(".*"),
    "cwiseQuotient": _subtract("./"), "asDiagonal": arrays.diagonal,
    "squaredNorm": lambda interp, of: arrays.dot(interp, [of[0], of[0]]),
    "cosine": lambda interp, of: apply(interp, "cos", of[0]),
    "broadcast_arrays": lambda _, of: list(of),
    **dict.fromkeys(("det", "determinant"), lambda interp, of: interp.determinant(of[0])),
    "sincos": lambda interp, of: [apply(interp, one, of[0]) for one in ("sin", "cos")],
    "getI": lambda interp, of: arrays.inverse(interp, of[0]), "make_pair": lambda _, of: list(of),
    "make_tuple": lambda _, of: list(of),
}  # fmt: skip
ALONG = ("sum", "concatenate", "stack", "norm")
"""What may be told along which axis it works."""
CONSTANTS = {"pi": "pi", "π": "pi", "M_PI": "pi", "PI": "pi"}


STANDARD_GRAVITY = Fraction("9.80665")


def constant(interp: Working, name: str, within: str = "") -> Cell | None:
    """Return a number that has a name everywhere, or in the library that it is within."""
    if name in CONSTANTS:
        return interp.table.graph.pi
    if name == "g" and within == "constants":
        leaf = interp.table.unknown("g", "g").leaf
        leaf.number = interp.table.number(STANDARD_GRAVITY)
        return interp.table.cell(leaf)
    return interp.table.number(Fraction(2)) * interp.table.graph.pi if name == "tau_" else None
