"""The values that the interpreter of code works with.

Scalars are cells of a graph, vectors and matrices arrays of them. What comes from outside, or is
not followed, is `Unknown`: a leaf of the graph where a scalar is needed, with parts of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from freebody.code.tree import Attribute, Call, Function, Index, Items, Name, Node, Span
from freebody.errors import FreebodyError
from freebody.graph.cells import Cell
from freebody.graph.graph import Graph

UNDECIDED = "it depends on a test that is not known"
"""Why a value is not followed that is one of two."""
FEW = 6
"""Numbers that a number is worked out of that decides how often, or where."""
LARGEST = 4096
"""Entries of an array."""


class NotFollowedError(FreebodyError):
    """Something that the interpreter does not follow."""


class TooMuchError(FreebodyError):
    """Code that takes too much work to be followed."""


@dataclass(eq=False)
class Leaf:
    """A scalar that comes from outside, or is not followed.

    Attributes
    ----------
    path : str
        By which it is known in the graph: ``derivs:y[0]``, ``m1``.
    names : list of str
        What it is called.
    number : Cell, optional
        The number that it is set to.
    reason : str
        Why it is not followed; empty for what comes from outside.
    span : tuple of int
        Where it first stands.
    is_parameter : bool
        Whether it is handed to a function.
    """

    path: str
    names: list[str] = field(default_factory=list)
    number: Cell | None = None
    reason: str = ""
    span: Span = (0, 0)
    is_parameter: bool = False


@dataclass(eq=False)
class Unknown:
    """A value from outside, of any shape: with the parts that were asked for or were set."""

    leaf: Leaf
    items: dict[Any, Any] = field(default_factory=dict)
    is_set: bool = False
    zero: bool = False


@dataclass(frozen=True)
class Turn:
    """A place in an array that a loop counts: so many after the one that it is at."""

    after: int


LAST = Turn(-1_000_000)
"""The last place of a list that a loop puts entries to the end of."""


@dataclass(eq=False)
class Struct:
    """Values by name: a dictionary, a structure, an object."""

    name: str
    items: dict[str, Any] = field(default_factory=dict)
    methods: dict[str, Function] = field(default_factory=dict)
    rest: Unknown | None = None
    words: str = ""


@dataclass(eq=False)
class Closure:
    """A function with where its names come from, and one of the same name for other arguments."""

    function: Function
    scope: Scope
    owner: Struct | None = None
    other: Any = None

    def of(self, count: int) -> Closure:
        """Return the function of this name that takes a number of arguments."""
        fitting: Any = self
        while isinstance(fitting, Closure):
            least = sum(one.default is None for one in fitting.function.parameters)
            if least <= count <= len(fitting.function.parameters):
                return fitting
            fitting = fitting.other
        return self


@dataclass(eq=False)
class Module:
    """Something imported, or built in, by its name."""

    name: str


@dataclass(eq=False)
class Scope:
    """The names that are known at a place."""

    names: dict[str, Any]
    outer: Scope | None = None
    label: str = ""
    once: frozenset[str] = frozenset()

    def find(self, name: str) -> Any:
        """Return what a name stands for, or None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None


@dataclass
class Table:
    """The graph of a listing and the leaves in it."""

    graph: Graph = field(default_factory=Graph)
    leaves: dict[str, Leaf] = field(default_factory=dict)

    def unknown(self, path: str, name: str = "", span: Span = (0, 0), reason: str = "") -> Unknown:
        """Return a value from outside, by its path."""
        if path not in self.leaves:
            self.leaves[path] = Leaf(path, [], None, reason, span)
        leaf = self.leaves[path]
        if name and name not in leaf.names:
            leaf.names.append(name)
        return Unknown(leaf)

    def cell(self, leaf: Leaf) -> Cell:
        """Return the cell of a leaf."""
        return self.graph.leaf(leaf.path)

    def number(self, value: int | Fraction) -> Cell:
        """Return the cell of a number."""
        return self.graph.number(Fraction(value))

    def constant(self, cell: Cell) -> Fraction | None:
        """Return the number that a cell is, or is set to, if it is one."""
        found = self.graph.fraction(cell)
        if found is not None:
            return found
        given: dict[Cell, Cell] = {}
        for place in self.graph.reached([cell]):
            kind, path, *_ = self.graph.nodes[place]
            leaf = self.leaves.get(path) if kind == "leaf" else None
            if kind == "leaf":
                if leaf is None or leaf.number is None or len(given) >= FEW:
                    return None
                given[self.cell(leaf)] = leaf.number
        return self.graph.fraction(self.graph.substituted([cell], given)[0]) if given else None

    def leaf_of(self, cell: Cell) -> Leaf | None:
        """Return the leaf that a cell is, if it is one."""
        kind, path, *_ = self.graph.nodes[cell.node]
        return self.leaves.get(path) if kind == "leaf" and cell.sign == 1 else None


class Matrix(np.ndarray):
    """A matrix whose products are those of matrices: of SymPy, or ``numpy.matrix``."""


def like(value: Any, *others: Any) -> Any:
    """Return an array as a matrix where one of the values that it came from is one."""
    is_matrix = isinstance(value, np.ndarray) and any(isinstance(one, Matrix) for one in others)
    return value.view(Matrix) if is_matrix and value.ndim else value


def copied(value: Any) -> Any:
    """Return a value that does not change where the first one is changed."""
    match value:
        case np.ndarray():
            return value.copy()
        case list():
            return [copied(one) for one in value]
        case Struct(name=name, items=items, methods=methods, rest=rest):
            return Struct(name, {key: copied(one) for key, one in items.items()}, methods, rest)
        case Unknown(leaf=leaf, items=items, is_set=is_set, zero=zero) if items:
            return Unknown(leaf, {key: copied(one) for key, one in items.items()}, is_set, zero)
    return value


def made(entries: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Return an array of cells.

    Raises
    ------
    NotFollowedError
        If the rows are not of one length, or there are too many.
    """
    if sum(np.size(one) for one in entries) > LARGEST:
        raise TooMuchError(f"an array of more than {LARGEST} entries")
    shapes = {np.shape(one) for one in entries}
    if len(shapes) > 1:
        raise NotFollowedError("an array whose rows are not of one shape")
    out = np.empty((len(entries), *(shapes.pop() if shapes else ())), dtype=object)
    for place, entry in enumerate(entries):
        is_scalar = isinstance(entry, np.ndarray) and not entry.ndim
        out[place] = entry.item() if is_scalar else entry
    return out


def set_entries(value: Unknown) -> Any:
    """Return the entries that were set, as a list or as rows; None where some are missing."""
    places = {key: one for key, one in value.items.items() if isinstance(key, (int, tuple))}
    if not value.is_set or not places:
        return None
    if all(isinstance(key, int) for key in places):
        return _all_of(places, len(places))
    pairs = {(key, 0) if isinstance(key, int) else key: one for key, one in places.items()}
    if any(len(key) != 2 for key in pairs):
        return None
    rows, columns = (1 + max(key[axis] for key in pairs) for axis in (0, 1))
    found = [_all_of({j: pairs.get((i, j)) for j in range(columns)}, columns) for i in range(rows)]
    return None if any(one is None or None in one for one in found) else found


def _all_of(places: dict[Any, Any], count: int) -> list[Any] | None:
    known = [places.get(place) for place in range(count)]
    return None if any(one is None for one in known) else known


def determinant(rows: np.ndarray[Any, Any], zero: Cell, one: Cell) -> Cell:
    """Return the determinant of a small square matrix, by its minors."""
    if not len(rows):
        return one
    total = zero
    for column, entry in enumerate(rows[0]):
        if entry:
            minor = np.delete(rows[1:], column, axis=1)
            part = entry * determinant(minor, zero, one)
            total = total - part if column % 2 else total + part
    return total


def solved(matrix: Any, right: Any, graph: Graph) -> np.ndarray[Any, Any]:
    """Return the solution of linear equations.

    Raises
    ------
    NotFollowedError
        If they are not of a small square matrix, or it is singular.
    """
    n = matrix.shape[0] if matrix.ndim == 2 else 0
    if matrix.shape != (n, n) or n > 8 or right.shape[:1] != (n,):
        raise NotFollowedError(f"a solution of {matrix.shape} equations for {right.shape}")
    columns = right.reshape(n, -1)
    if n <= 4:
        out = _by_cramer(matrix, columns, graph)
    else:
        out = _by_elimination(matrix.copy(), columns.copy(), graph)
    return out.reshape(right.shape)


def _by_cramer(matrix: Any, columns: Any, graph: Graph) -> Any:
    whole = determinant(matrix, graph.zero, graph.one)
    if not whole:
        raise NotFollowedError("a matrix that is singular")
    out = np.empty(columns.shape, dtype=object)
    for place in np.ndindex(*columns.shape):
        other = matrix.copy()
        other[:, place[0]] = columns[:, place[1]]
        out[place] = determinant(other, graph.zero, graph.one) / whole
    return out


def _by_elimination(matrix: Any, columns: Any, graph: Graph) -> Any:
    n = len(matrix)
    for step in range(n):
        pivot = next((row for row in range(step, n) if matrix[row, step]), None)
        if pivot is None:
            raise NotFollowedError("a matrix that is singular")
        matrix[[step, pivot]], columns[[step, pivot]] = (
            matrix[[pivot, step]],
            columns[[pivot, step]],
        )
        over = graph.one / matrix[step, step]
        for row in range(n):
            if row != step and matrix[row, step]:
                factor = matrix[row, step] * over
                matrix[row] = [
                    a - factor * b for a, b in zip(matrix[row], matrix[step], strict=True)
                ]
                columns[row] = [
                    a - factor * b for a, b in zip(columns[row], columns[step], strict=True)
                ]
    return np.array([[b / matrix[i, i] for b in columns[i]] for i in range(n)], dtype=object)


@dataclass
class Assigned:
    """A value that has got a name, and where."""

    name: str
    value: Any
    node: Node


METHODS = frozenset(
    ("dot", "flatten", "ravel", "reshape", "transpose", "item", "copy", "astype", "T", "squeeze",
     "inv", "LUsolve", "sum", "det", "append")
)  # fmt: skip
"""What may be asked of a value from outside as its method."""


class Method(Module):
    """A method of a value, which is its first argument."""

    def __init__(self, value: Any, name: str) -> None:
        super().__init__(name)
        self.value = value


def names_of(target: Node) -> Iterator[str]:
    """Iterate over the variables that an assignment changes."""
    match target:
        case Name(name=name):
            yield name
        case Items(entries=entries):
            for one in entries:
                yield from names_of(one)
        case Index(base=base) | Attribute(base=base):
            yield from names_of(base)
        case Call(function=function):
            yield from names_of(function)


def same(one: Any, other: Any) -> bool:
    """Return whether two values are known to be one."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and bool((one == other).all())
    if isinstance(one, Cell) and isinstance(other, Cell):
        return one == other
    if isinstance(one, Unknown) and isinstance(other, Unknown):
        return one.leaf is other.leaf
    return one is other
