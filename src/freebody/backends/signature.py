"""The arguments of a function: taken by place or by name, and of the shape that they have to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.bound import kind
from freebody.errors import ArgumentError, nearest
from freebody.graph.code import Code


class Signature:
    """What a function takes.

    Attributes
    ----------
    names : tuple of str
        The arguments, in order.
    moving : tuple of str
        Those without the constants, which may be left out.
    """

    def __init__(self, code: Code) -> None:
        self._name, self._groups = code.name, code.arguments
        self._takes_time = bool(code.needed("t"))
        self.names = tuple(code.arguments)
        self.moving = tuple(name for name in self.names if name != "constants")

    def __str__(self) -> str:
        return f"{self._name}({', '.join(self.names)})"

    def taken(self, given: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Any], Any]:
        """Return the arguments in order, and the constants or None.

        Raises
        ------
        ArgumentError
            For arguments that are missing or unknown.
        """
        if not named and len(given) == len(self.moving):
            return list(given), None
        found = dict(zip(self.names, given, strict=False))
        wrong = [name for name in named if name not in self.names or name in found]
        found.update(named)
        if "t" in self.names and not self._takes_time:
            found.setdefault("t", 0.0)
        missing = [name for name in self.moving if name not in found]
        if wrong or missing or len(given) > len(self.names):
            raise ArgumentError(self._told(len(given), wrong, missing))
        return [found[name] for name in self.moving], found.get("constants")

    def _told(self, count: int, wrong: Sequence[str], missing: Sequence[str]) -> str:
        if wrong:
            return f"expected {self}, found '{wrong[0]}'{nearest(wrong[0], self.names)}"
        if missing:
            return f"expected {self}, found no {', '.join(missing)}"
        return f"expected {self}, found {count} arguments"

    def refused(self, given: Sequence[Any]) -> ArgumentError:
        """Return what is told of arguments that are no flat arrays of one state."""
        sizes = (
            "number" if name == "t" else f"({len(self._groups[name])},)" for name in self.moving
        )
        return ArgumentError(
            f"{self} with constants bound: expected contiguous arrays of double precision with "
            f"shapes {', '.join(sizes)}; found {', '.join(map(kind, given))}"
        )

    def array(self, name: str, value: Any) -> Array:
        """Return an argument as an array.

        Raises
        ------
        ArgumentError
            If it is none of numbers, or its last axis has another length than it must.
        """
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError(
                f"{self._name}: expected {name} as numbers, found {value!r}"
            ) from None
        self.expect(name, array.shape)
        return array

    def expect(self, name: str, shape: tuple[int, ...]) -> None:
        """See that an argument has a shape that it can have."""
        entries = self._groups.get(name, ())
        if name != "t" and shape[-1:] != (len(entries),):
            names = ", ".join(entry.name for entry in entries)
            raise ArgumentError(
                f"{self._name}: expected {name} with shape (..., {len(entries)}), for {names}; "
                f"found {shape}"
            )

    def leading(self, arrays: Sequence[Any]) -> list[tuple[int, ...]]:
        """Return the leading axes of arguments, constants included where they are among them."""
        pairs = zip((*self.moving, "constants"), arrays, strict=False)
        return [np.shape(value) if name == "t" else np.shape(value)[:-1] for name, value in pairs]

    def together(self, arrays: Sequence[Any]) -> tuple[int, ...]:
        """Return the leading axes that arguments have together.

        Raises
        ------
        ArgumentError
            If they do not go together.
        """
        leading = self.leading(arrays)
        try:
            return np.broadcast_shapes(*leading)
        except ValueError:
            pairs = zip((*self.moving, "constants"), leading, strict=False)
            told = ", ".join(f"{axes} of {name}" for name, axes in pairs)
            raise ArgumentError(
                f"{self._name}: expected leading axes that go together, found {told}"
            ) from None
