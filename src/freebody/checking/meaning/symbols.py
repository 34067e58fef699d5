"""What the symbols of a document stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.algebra.expressions import read
from freebody.checking.grid import Grid, stacked
from freebody.checking.meaning.directions import Directions
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import accelerations
from freebody.documents.latex.names import index_letters, normal

Meaning = str | int | float | list[Any]
"""An expression of quantities, a column of them or a matrix of them, as the document has it."""


@dataclass(eq=False)
class Symbols:
    """What the printed symbols of a document stand for.

    Attributes
    ----------
    quantities : Quantities
        Of the document's model.
    meanings : mapping of str to Meaning
        By the symbol as the document declares it.
    """

    quantities: Quantities
    meanings: Mapping[str, Meaning]
    _known: dict[tuple[str, tuple[int, ...]], Grid] = field(default_factory=dict)
    _rates: dict[tuple[str, tuple[int, ...], int], Grid] = field(default_factory=dict, init=False)

    def value(self, key: str, indices: tuple[int, ...] = (), dots: int = 0) -> Grid:
        """Return what a symbol stands for, or a rate of it.

        Raises
        ------
        ExpressionError
            If its meaning is no expression of quantities.
        """
        if dots:
            return self._rate(key, indices, dots)
        if (key, indices) not in self._known:
            self._known[key, indices] = self._read(_indexed(key, self.meanings[key], indices))
        return self._known[key, indices]

    def _rate(self, key: str, indices: tuple[int, ...], dots: int) -> Grid:
        place = key, indices, dots
        if place not in self._rates:
            self._rates[place] = self.rate(self.value(key, indices, dots - 1))
        return self._rates[place]

    def rate(self, grid: Grid) -> Grid:
        """Return the derivative of each entry by time."""
        return Grid.made(map(self.quantities.rate, row) for row in grid.rows)

    def changed(self, meanings: Mapping[str, Meaning]) -> Symbols:
        """Return the symbols with other meanings for some of them."""
        kept = {at: grid for at, grid in self._known.items() if at[0] not in meanings}
        return Symbols(self.quantities, {**self.meanings, **meanings}, kept)

    @cached_property
    def spelled(self) -> dict[str, str]:
        """The symbols as they are declared, by their one spelling."""
        return {normal(key): key for key in self.meanings}

    @cached_property
    def accelerations(self) -> dict[sympy.Expr, Form]:
        """The accelerations by the state and the inputs."""
        return accelerations(self.quantities.equations)

    @cached_property
    def directions(self) -> Directions:
        """The derivatives by the symbols."""
        return Directions(self)

    def varies(self, key: str) -> bool:
        """Return whether a symbol stands for something that changes in time, if it is declared."""
        if key not in self.meanings:
            return False
        indices = (1,) * len(index_letters(key))
        return any(self.quantities.varies(form) for form in self.value(key, indices).entries())

    def _read(self, meaning: Meaning) -> Grid:
        if isinstance(meaning, list):
            rows = [entry if isinstance(entry, list) else [entry] for entry in meaning]
            return stacked([[self._read(entry) for entry in row] for row in rows])
        found = read(meaning, self.quantities.resolve)
        form = self.quantities.ring.form
        if isinstance(found, sympy.MatrixBase):
            return Grid.made((form(entry) for entry in row) for row in found.tolist())
        return Grid.scalar(form(found))


def _indexed(key: str, meaning: Meaning, indices: tuple[int, ...]) -> Meaning:
    """Put numbers in place of the letters of an index pattern."""
    if not indices or not isinstance(meaning, str):
        return meaning
    letters = dict(zip(index_letters(key), map(str, indices), strict=True))
    return re.sub(
        r"\[[^]]*\]", lambda m: re.sub(r"[i-n]", lambda n: letters.get(n[0], n[0]), m[0]), meaning
    )
