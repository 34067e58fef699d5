"""Forms that are written out when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy

from freebody.algebra import Form
from freebody.algebra.once import Once


class Written(Mapping[sympy.Symbol, Form]):
    """The forms of symbols, each made when it is asked for.

    Whether a symbol is known, and which are, can be asked without making a form.
    """

    def __init__(self) -> None:
        self._work: dict[sympy.Symbol, Once[Form]] = {}

    def add(self, symbol: sympy.Symbol, work: Once[Form]) -> None:
        """Take a symbol, with what makes its form."""
        self._work[symbol] = work

    def __getitem__(self, symbol: sympy.Symbol) -> Form:
        return self._work[symbol]()

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._work

    def __iter__(self) -> Iterator[sympy.Symbol]:
        return iter(self._work)

    def __len__(self) -> int:
        return len(self._work)
