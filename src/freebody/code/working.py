"""What all that follows code rests on: its limits, and values as scalars and arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from freebody.code.tree import (
    Call,
    Node,
)
from freebody.code.values import (
    Assigned,
    Closure,
    NotFollowedError,
    Scope,
    Struct,
    Table,
    TooMuchError,
    Unknown,
    determinant,
    like,
    made,
    set_entries,
)
from freebody.errors import GraphError
from freebody.graph.cells import Cell

STEPS = 300_000
"""How many parts of a listing are worked out, at the most."""
NODES = 150_000
"""How many operations they may be."""
DEPTH = 25
"""How many functions may be inside each other."""
AGAIN = 6
"""How often a function may be inside of itself."""
ONE_BASED = ("matlab", "julia")


UNFIT = (
    GraphError,
    ZeroDivisionError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    AttributeError,
    OverflowError,
)
"""What comes of values that do not fit what is done with them."""


@dataclass
class Run:
    """What came of following one function, or the statements outside of all.

    Attributes
    ----------
    name : str
        Of the function; empty outside of all.
    words : str
        What is said of it.
    span : tuple of int
        Where it stands.
    assigned : list of Assigned
        What got names in it, in order.
    returned : list of Assigned
        What it gives.
    parameters : dict of str to value
    """

    name: str
    words: str = ""
    span: tuple[int, int] = (0, 0)
    assigned: list[Assigned] = field(default_factory=list)
    returned: list[Assigned] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)


class Working(ABC):
    """What is known while a listing is followed.

    Parameters
    ----------
    language : str
    size : int
        How many entries a state has whose length is asked for.
    """

    def __init__(self, language: str, size: int = 0) -> None:
        self.language, self.size = language, size
        self.is_one_based = language in ONE_BASED
        self.has_columns = self.is_one_based or language == "cpp"
        self.table = Table()
        self.runs: list[Run] = []
        self.remarks: dict[int, str] = {}
        self.origins: dict[int, tuple[int, int]] = {}
        self.worked: dict[tuple[int, int], set[Cell]] = {}
        self._steps = 0
        self._depth = 0
        self._fresh = 0
        self._here: Node | None = None
        self._run = Run("")
        self._base: Any = None
        self._globals = Scope({}, None, "")
        self._within: list[Closure] = []
        self._calls: list[tuple[int, int]] = []
        self._counters: set[str] = set()
        self._now: int | None = None
        self.laws = frozenset[tuple[str, str]]()

    # ------------------------------------------------------------------ limits

    def _count(self) -> None:
        self._steps += 1
        if self._steps > STEPS:
            raise TooMuchError(f"it takes more than {STEPS} steps to follow")
        if not self._steps % 256 and len(self.table.graph.nodes) > NODES:
            raise TooMuchError(f"it takes more than {NODES} operations")

    # ------------------------------------------------------------------ what others work out

    @abstractmethod
    def _value(self, node: Node, scope: Scope) -> Any:
        """Return what an expression comes to."""

    @abstractmethod
    def _guarded(self, node: Node, scope: Scope) -> Any:
        """Return a value, or one that says why it is not followed."""

    @abstractmethod
    def binary(self, sign: str, a: Any, b: Any) -> Any:
        """Return an operation on two values."""

    @abstractmethod
    def blocks(self, rows: Any) -> Any:
        """Return a matrix of blocks."""

    @abstractmethod
    def entries(self, held: Any, places: Sequence[Any]) -> Any:
        """Return the entries of a vector at places that are values."""

    @abstractmethod
    def chosen(self, test: Any, yes: Any, no: Any) -> Any:
        """Return one of two values, where it is known which."""

    @abstractmethod
    def called(
        self, closure: Closure, arguments: Sequence[Any] | None, keywords: Sequence[tuple[str, Any]]
    ) -> Any:
        """Return what a function gives."""

    @abstractmethod
    def _note(self, name: str, value: Any, source: Node) -> None:
        """Take note of what gets a name in the function that is followed on its own."""

    @abstractmethod
    def _write_unknown(self, held: Unknown, keys: tuple[Any, ...], value: Any) -> None:
        """Set entries of a value from outside."""

    @abstractmethod
    def _put(self, target: Node, value: Any, source: Node, scope: Scope) -> None:
        """Give a value its name or its place."""

    @abstractmethod
    def _test(self, node: Node, scope: Scope) -> bool | None:
        """Return what a test comes to, or None where that is not known."""

    @abstractmethod
    def _library(self, name: str, arguments: Sequence[Any], node: Call) -> Any:
        """Return what a function of a library gives."""

    @abstractmethod
    def _named(self, name: str, value: Any, source: Node, *, once: bool) -> Any:
        """Give a value its name."""

    @abstractmethod
    def appended(self, held: Unknown, value: Any) -> None:
        """Put an entry to the end of a list that a loop goes on with."""

    @abstractmethod
    def _part(self, held: Unknown, key: Any) -> Any:
        """Return a part of a value from outside."""

    # ------------------------------------------------------------------ conversions

    def scalar(self, value: Any) -> Cell:
        """Return a value as a scalar.

        Raises
        ------
        NotFollowedError
            If it is none.
        """
        if isinstance(value, Cell):
            return value
        if isinstance(value, int):
            return self.table.number(int(value))
        if isinstance(value, Unknown) and value.is_set and set_entries(value) is not None:
            value = self.array(value)
        if isinstance(value, Unknown):
            return self.table.cell(value.leaf)
        if isinstance(value, (np.ndarray, list)) and np.size(value) == 1:
            return self.scalar(np.asarray(value, dtype=object).reshape(-1)[0])
        if isinstance(value, Closure):
            raise NotFollowedError(f"'{value.function.name}' is a function")
        raise NotFollowedError("a value that is no number")

    def whole(self, value: Any) -> int:
        """Return a value as a whole number.

        Raises
        ------
        NotFollowedError
            If it is none.
        """
        number = value if isinstance(value, int) else self.table.constant(self.scalar(value))
        if number is None or number.denominator != 1:
            raise NotFollowedError("a whole number that is not known")
        return int(number)

    def array(self, value: Any) -> np.ndarray[Any, Any]:
        """Return a value as an array, whose shape is () for a scalar."""
        if isinstance(value, np.ndarray):
            return value
        if isinstance(value, list):
            return made(
                [
                    self.array(one)[()] if np.ndim(self.array(one)) == 0 else self.array(one)
                    for one in value
                ]
            )
        if isinstance(value, Unknown) and value.is_set:
            rows = self.items(value)
            if isinstance(rows[0], list):
                return made([made([self.scalar(one) for one in row]) for row in rows])
            return made([self.scalar(one) for one in rows])
        out = np.empty((), dtype=object)
        out[()] = self.scalar(value)
        return out

    def items(self, value: Any) -> Sequence[Any]:
        """Return the entries of a value.

        Raises
        ------
        NotFollowedError
            If they are not known.
        """
        if isinstance(value, (list, np.ndarray)):
            return list(value) if isinstance(value, list) or value.ndim else [value]
        if isinstance(value, Unknown) and (found := set_entries(value)) is not None:
            return found
        if isinstance(value, Struct):
            return list(value.items.values())
        raise NotFollowedError("entries that are not known")

    def shaped(self, value: Unknown, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """Return a value from outside as an array of a shape."""
        out = np.empty(shape, dtype=object)
        for place in np.ndindex(*shape):
            key: Any = place if len(place) > 1 and place[1:] != (0,) else place[0]
            out[place] = self.scalar(self._part(value, key))
        return out

    def matched(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Return two values as scalars or arrays; what is unknown has the shape of the other."""
        sides = [self._side(one) for one in (a, b)]
        for mine, other in ((0, 1), (1, 0)):
            if isinstance(sides[mine], Unknown):
                shape = np.shape(sides[other]) if isinstance(sides[other], np.ndarray) else ()
                if shape and _is_many(sides[mine], self.size):
                    sides[mine] = self.shaped(sides[mine], shape[-1:] if mine else shape)
                else:
                    sides[mine] = self.scalar(sides[mine])
        return sides[0], sides[1]

    def _side(self, value: Any) -> Any:
        if isinstance(value, Unknown):
            return self.array(value) if value.is_set else value
        if isinstance(value, (np.ndarray, list)):
            array = self.array(value)
            return array if array.ndim else array[()]
        return self.scalar(value)

    def entrywise(self, work: Callable[[Cell], Cell], value: Any) -> Any:
        """Return a function of each entry."""
        array = self.array(value)
        out = np.empty(array.shape, dtype=object)
        for place in np.ndindex(*array.shape):
            out[place] = work(array.item(place))
        return like(out, array)

    def determinant(self, value: Any) -> Cell:
        """Return the determinant of a small matrix."""
        array = self.array(value)
        if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) > 5:
            raise NotFollowedError("a determinant of a large matrix")
        return determinant(array, self.table.graph.zero, self.table.graph.one)

    # ------------------------------------------------------------------ what is not followed

    def fresh(self, name: str, *, zero: bool = False) -> Unknown:
        """Return an array of a size that is not known."""
        self._fresh += 1
        found = self.table.unknown(f"{name}#{self._fresh}", name)
        found.zero = zero
        return found

    def opaque(self, reason: str, node: Node, name: str = "") -> Unknown:
        """Return a value that is not followed."""
        return self.table.unknown(f"?{node.span[0]}:{node.span[1]}{name}", name, node.span, reason)

    def remark(self, message: str, node: Node | None = None) -> None:
        """Tell what is taken for granted."""
        node = node or self._here
        self.remarks.setdefault(node.span[0] if node else 0, message)


def _is_many(value: Unknown, size: int) -> bool:
    """Return whether a value from outside is handed over, or a part of what is, as a vector."""
    return not value.leaf.reason and (
        any(isinstance(key, int) for key in value.items)
        or (
            value.leaf.number is None
            and value.leaf.is_parameter
            and size > 1
            and bool(set(value.leaf.names) & VECTORS)
        )
    )


VECTORS = frozenset(
    ("q", "u", "x", "y", "z", "qd", "dq", "qdot", "q_dot", "dqdt", "qdd", "state", "tau", "v", "X",
     "inputs", "constants")
)  # fmt: skip
"""What vectors are usually called."""
