"""Forms that are written out when they are first asked for, and what is known of symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import sympy

from freebody.algebra import Form
from freebody.algebra.budget import Lazy


class LazyForms(Mapping[sympy.Symbol, Form]):
    """The forms of symbols, each made when it is asked for.

    Whether a symbol is known, and which are, can be asked without making a form.
    """

    def __init__(self) -> None:
        self._work: dict[sympy.Symbol, Lazy[Form]] = {}

    def add(self, symbol: sympy.Symbol, work: Lazy[Form]) -> None:
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


class Lowered(Mapping[sympy.Expr, Form]):
    """What becomes of each symbol on the level of coordinates, one step down.

    Parameters
    ----------
    known : sequence of mapping of sympy.Expr to Form
        The first that has a symbol counts.
    decided : callable
        What the equations of motion say of any other; None where they say nothing.
    """

    def __init__(
        self,
        known: Sequence[Mapping[sympy.Expr, Form]],
        decided: Callable[[sympy.Expr], Form | None],
    ) -> None:
        self._known, self._decided = known, decided
        self._found: dict[sympy.Expr, Form | None] = {}

    def _form(self, symbol: sympy.Expr) -> Form | None:
        if symbol not in self._found:
            known = next((one for one in self._known if symbol in one), None)
            self._found[symbol] = self._decided(symbol) if known is None else known[symbol]
        return self._found[symbol]

    def __getitem__(self, symbol: sympy.Expr) -> Form:
        form = self._form(symbol)
        if form is None:
            raise KeyError(symbol)
        return form

    def __contains__(self, symbol: object) -> bool:
        return isinstance(symbol, sympy.Expr) and self._form(symbol) is not None

    def __iter__(self) -> Iterator[sympy.Expr]:
        return (symbol for known in self._known for symbol in known)

    def __len__(self) -> int:
        return sum(map(len, self._known))
