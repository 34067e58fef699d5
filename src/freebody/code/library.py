"""The functions that languages and their libraries bring along, by the last part of their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.code.values import (
    LARGEST,
    NotFollowedError,
    Struct,
    TooMuchError,
    Unknown,
    made,
    solved,
)
from freebody.graph.operations import Cell

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
    "array", "asarray", "asanyarray", "mat", "matrix", "atleast_1d", "collect", "SVector",
    "ImmutableMatrix", "Matrix", "DM", "tensor", "as_tensor", "ascontiguousarray", "Vector",
    "SMatrix", "MVector", "SA",
)  # fmt: skip
SAME = (
    "float", "double", "real", "float64", "float32", "squeeze", "copy", "deepcopy", "Float64",
    "list", "tuple", "convert", "simplify", "expand", "trigsimp", "angle_normalize", "wrap_to_pi",
    "wrapToPi", "single", "item", "vec", "numpy", "clone", "wrap", "detach", "normalize_angle",
    "unwrap", "evalf", "doit", "static_cast", "astype", "deg",
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


def multiply(interp: Working, a: Any, b: Any) -> Any:
    """Return a product of matrices."""
    a, b = interp.matched(a, b)
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return interp.binary(".*", a, b)
    if a.size * b.size > LARGEST * 8:
        raise TooMuchError("a product of matrices that are too large")
    try:
        return a @ b if a.ndim and b.ndim else a * b
    except ValueError:
        raise NotFollowedError(f"a product of shapes {a.shape} and {b.shape}") from None


def solve(interp: Working, matrix: Any, right: Any) -> Any:
    """Return what a matrix has to be multiplied by to give a column."""
    matrix = interp.array(matrix) if isinstance(matrix, Unknown) and matrix.is_set else matrix
    if not isinstance(matrix, (np.ndarray, list)):
        return interp.binary("/", right, matrix)
    matrix = interp.array(matrix)
    if isinstance(right, Unknown):
        right = interp.shaped(right, matrix.shape[:1])
    return solved(matrix, interp.array(right), interp.table.graph)


def inverse(interp: Working, matrix: Any) -> Any:
    """Return the inverse of a matrix, or one over a scalar."""
    matrix = interp.array(matrix) if isinstance(matrix, Unknown) and matrix.is_set else matrix
    if not isinstance(matrix, (np.ndarray, list)):
        return interp.binary("/", interp.table.graph.one, matrix)
    matrix = interp.array(matrix)
    return solved(matrix, _eye(interp, [len(matrix)]), interp.table.graph)


def _eye(interp: Working, sizes: Arguments) -> Any:
    n = [interp.whole(one) for one in sizes if isinstance(one, (Cell, Unknown, int))]
    rows, columns = (n * 2)[:2] if n else (1, 1)
    _expect_small(rows * columns)
    graph = interp.table.graph
    return made(
        [made([graph.one if i == j else graph.zero for j in range(columns)]) for i in range(rows)]
    )


def _filled(value: int) -> Callable[[Working, Arguments], Any]:
    def fill(interp: Working, sizes: Arguments) -> Any:
        sizes = [one for one in sizes if not isinstance(one, (str, Struct)) and one is not None]
        sizes = [
            part
            for one in sizes
            for part in (one if isinstance(one, (list, np.ndarray)) else [one])
        ]
        try:
            shape = [
                interp.whole(one)
                for one in sizes
                if hasattr(one, "leaf") or isinstance(one, (Cell, int))
            ]
        except NotFollowedError:
            return interp.fresh("zeros", zero=not value)
        if len(shape) == 1 and interp.is_one_based:
            shape = shape if interp.language == "julia" else shape * 2
        _expect_small(int(np.prod(shape)) if shape else 1)
        if not shape:
            return interp.table.number(value)
        return np.full(shape, interp.table.number(value), dtype=object)

    return fill


def _expect_small(size: int) -> None:
    if not 0 <= size <= LARGEST:
        raise TooMuchError(f"an array of more than {LARGEST} entries")


def _like(value: int) -> Callable[[Working, Arguments], Any]:
    def like(interp: Working, of: Arguments) -> Any:
        if isinstance(of[0], (np.ndarray, list)):
            return np.full(np.shape(interp.array(of[0])), interp.table.number(value), dtype=object)
        return interp.fresh("zeros_like", zero=not value)

    return like


def _stack(axis: int | None) -> Callable[[Working, Arguments], Any]:
    def stack(interp: Working, parts: Arguments) -> Any:
        whole = parts[0] if len(parts) == 1 and isinstance(parts[0], (list, np.ndarray)) else parts
        blocks = [interp.array(one) for one in whole]
        if axis is None or all(one.ndim == 0 for one in blocks):
            flat = [one.reshape(-1) if one.ndim < 2 else one for one in blocks]
            return _joined(np.concatenate, flat)
        if axis == 0:
            return _joined(
                np.vstack,
                [
                    one.reshape(-1, 1) if interp.is_one_based and one.ndim < 2 else one
                    for one in blocks
                ],
            )
        return _joined(np.hstack, [np.atleast_1d(one) for one in blocks])

    return stack


def _joined(join: Callable[[Any], Any], blocks: list[Any]) -> Any:
    try:
        return join(blocks)
    except ValueError:
        shapes = ", ".join(str(one.shape) for one in blocks)
        raise NotFollowedError(f"blocks of shapes {shapes} put together") from None


def _column_stack(interp: Working, parts: Arguments) -> Any:
    return _joined(
        np.column_stack, [interp.array(one) for one in (parts[0] if len(parts) == 1 else parts)]
    )


def _vertcat(interp: Working, parts: Arguments) -> Any:
    blocks = [np.atleast_1d(interp.array(one)) for one in parts]
    return _joined(np.vstack, [one.reshape(-1, 1) if one.ndim == 1 else one for one in blocks])


def _stacked(interp: Working, parts: Arguments) -> Any:
    return made([interp.array(one) for one in interp.items(parts[0])])


def _transposed(interp: Working, of: Arguments) -> Any:
    if not isinstance(of[0], (np.ndarray, list)):
        return of[0]
    value = interp.array(of[0])
    return value.reshape(1, -1) if value.ndim == 1 and interp.is_one_based else value.T


def _dot(interp: Working, of: Arguments) -> Any:
    a, b = interp.matched(*of[:2])
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and interp.is_one_based:
        a, b = a.reshape(-1), b.reshape(-1)
    return multiply(interp, a, b)


def _sum(interp: Working, of: Arguments) -> Any:
    if isinstance(of[0], Unknown):
        raise NotFollowedError("a sum of what is not known")
    total = interp.table.graph.zero
    for one in interp.array(of[0]).reshape(-1):
        total = total + one
    return total


def _cross(interp: Working, of: Arguments) -> Any:
    a, b = (interp.array(one).reshape(-1) for one in of[:2])
    if len(a) == len(b) == 2:
        return a[0] * b[1] - a[1] * b[0]
    if len(a) != 3 or len(b) != 3:
        raise NotFollowedError("a cross product of other than three components")
    parts = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    return made(parts)


def _norm(interp: Working, of: Arguments) -> Any:
    parts = interp.array(of[0]).reshape(-1)
    return interp.table.graph.apply("sqrt", _sum(interp, [parts * parts]))


def _diagonal(interp: Working, of: Arguments) -> Any:
    entries = of[0] if len(of) == 1 else list(of)
    value = (
        interp.array(entries).reshape(-1)
        if np.ndim(interp.array(entries)) == 1 or interp.is_one_based
        else interp.array(entries)
    )
    if value.ndim == 2:
        return value.diagonal().copy()
    out = np.full((len(value), len(value)), interp.table.graph.zero, dtype=object)
    np.fill_diagonal(out, value)
    return out


def _range(interp: Working, of: Arguments) -> Any:
    numbers = [interp.whole(one) for one in of[:3]]
    found = range(*numbers)
    if len(found) > LARGEST:
        raise TooMuchError(f"a loop of more than {LARGEST} turns")
    return [interp.table.number(one) for one in found]


def _length(interp: Working, of: Arguments) -> Any:
    if isinstance(of[0], (list, np.ndarray)):
        return interp.table.number(
            len(of[0]) if not interp.is_one_based else int(max(np.shape(of[0]), default=1))
        )
    raise NotFollowedError("a length that is not known")


def _size(interp: Working, of: Arguments) -> Any:
    if not isinstance(of[0], np.ndarray):
        raise NotFollowedError("a size that is not known")
    shape = (*of[0].shape, 1)[:2]
    if len(of) > 1:
        return interp.table.number(shape[interp.whole(of[1]) - 1])
    return [interp.table.number(one) for one in shape]


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
        one, other = (interp.scalar(each) for each in of[:2])
        return interp.table.graph.apply(operation, one, other)

    return work


def _clip(interp: Working, of: Arguments) -> Any:
    interp.remark("is read as inside of its limits")
    return of[0]


def _reshaped(interp: Working, of: Arguments) -> Any:
    if not isinstance(of[0], (np.ndarray, list)):
        return of[0]
    given = [
        part
        for one in of[1:]
        for part in (interp.array(one).reshape(-1) if np.ndim(one) else [one])
    ]
    shape = tuple(interp.whole(one) for one in given if isinstance(one, (Cell, Unknown)))
    try:
        array = interp.array(of[0])
        return np.reshape(array, shape or (-1,), order="F" if interp.is_one_based else "C")
    except ValueError:
        raise NotFollowedError(f"a shape {shape} that does not fit") from None


def _flat(interp: Working, of: Arguments) -> Any:
    return of[0] if isinstance(of[0], Unknown) else interp.array(of[0]).reshape(-1)


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


def _trace(interp: Working, of: Arguments) -> Any:
    return _sum(interp, [interp.array(of[0]).diagonal()])


def product(interp: Working, of: Arguments) -> Any:
    """Return a product of several matrices."""
    total = of[0]
    for one in of[1:]:
        total = multiply(interp, total, one)
    return total


def _array(interp: Working, of: Arguments) -> Any:
    """Return what becomes of a list, or of entries given one by one."""
    if isinstance(of[0], Unknown):
        return of[0]
    if isinstance(of[0], list) or np.ndim(of[0]):
        return interp.array(of[0])
    return interp.array(list(of))


def _subtract(sign: str) -> Callable[[Working, Arguments], Any]:
    return lambda interp, of: interp.binary(sign, of[0], of[1])


def _plainly(operation: str) -> Callable[[Working, Arguments], Any]:
    return lambda interp, of: apply(interp, operation, of[0])


FUNCTIONS: dict[str, Callable[[Working, Arguments], Any]] = {
    **{name: _plainly(to) for name, to in PLAIN.items()},
    **{name: (lambda _, of: of[0]) for name in SAME},
    **dict.fromkeys(ARRAYS, lambda interp, of: _array(interp, of)),
    "tan": _tan,
    "sind": lambda interp, of: apply(interp, "sin", _radians(interp, of)),
    "cosd": lambda interp, of: apply(interp, "cos", _radians(interp, of)),
    "square": lambda interp, of: power(interp, of[0], interp.table.number(2)),
    "pow": lambda interp, of: power(interp, of[0], of[1]),
    "power": lambda interp, of: power(interp, of[0], of[1]),
    "atan2": _two("atan2"),
    "arctan2": _two("atan2"),
    "deg2rad": _radians, "radians": _radians, "rad2deg": _degrees, "degrees": _degrees,
    "clip": _clip, "clamp": _clip,
    "zeros": _filled(0), "ones": _filled(1), "empty": _filled(0), "undef": _filled(0),
    "zeros_like": _like(0), "ones_like": _like(1), "empty_like": _like(0), "similar": _like(0),
    "eye": _eye, "identity": _eye,
    "vstack": _stack(0), "hstack": _stack(1), "concatenate": _stack(None), "append": _stack(None),
    "concat": _stack(None), "block": lambda interp, of: interp.blocks(of[0]), "cat": _stack(None),
    "r_": _stack(None), "vcat": _vertcat, "hcat": _column_stack, "stack": _stacked,
    "column_stack": _column_stack, "vertcat": _vertcat, "horzcat": _column_stack,
    "dot": _dot, "matmul": lambda interp, of: multiply(interp, *of[:2]),
    "multi_dot": lambda interp, of: product(interp, of[0]),
    "mtimes": lambda interp, of: product(interp, of), "inner": _dot,
    "inv": lambda interp, of: inverse(interp, of[0]),
    "pinv": lambda interp, of: inverse(interp, of[0]),
    "solve": lambda interp, of: solve(interp, *of[:2]),
    "mldivide": lambda interp, of: solve(interp, *of[:2]),
    "LUsolve": lambda interp, of: solve(interp, *of[:2]),
    "transpose": _transposed, "adjoint": _transposed,
    "sum": _sum, "cross": _cross, "norm": _norm, "diag": _diagonal, "Diagonal": _diagonal,
    "trace": _trace,
    "range": _range, "arange": _range, "len": _length, "length": _length, "numel": _length,
    "size": _size,
    "reshape": _reshaped, "ravel": _flat, "flatten": _flat, "zip": _zip, "enumerate": _enumerate,
    "symbols": _symbols, "dynamicsymbols": _symbols, "Symbol": _symbols, "where": _selected,
    "sym": _symbols,
    "view": lambda interp, of: interp.entries(of[0], of[1:]),
    "add": _subtract("+"), "subtract": _subtract("-"), "multiply": _subtract(".*"),
    "divide": _subtract("./"),
    "times": _subtract(".*"), "cosine": lambda interp, of: apply(interp, "cos", of[0]),
    "broadcast_arrays": lambda _, of: list(of),
    "det": lambda interp, of: interp.determinant(of[0]),
    "sincos": lambda interp, of: [apply(interp, one, of[0]) for one in ("sin", "cos")],
    "getI": lambda interp, of: inverse(interp, of[0]),
    "make_pair": lambda _, of: list(of), "make_tuple": lambda _, of: list(of),
}  # fmt: skip
CONSTANTS = {"pi": "pi", "π": "pi", "M_PI": "pi", "PI": "pi"}


def constant(interp: Working, name: str) -> Cell | None:
    """Return a number that has a name everywhere."""
    if name in CONSTANTS:
        return interp.table.graph.pi
    return interp.table.number(Fraction(2)) * interp.table.graph.pi if name == "tau_" else None
