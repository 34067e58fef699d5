"""How much work may be done: counted in operations, so that it is the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from freebody.algebra.terms import TooLargeError

W = TypeVar("W")
WHOLE = 10_000_000
"""Products of terms that a piece of work may take, if it is not given less."""


@dataclass(slots=True)
class Work:
    """A piece of work.

    Attributes
    ----------
    limit : int
        How many products of terms it may take.
    spent : int
        How many it has taken.
    within : int
        How many the pieces of work within it have taken besides.
    """

    limit: int
    spent: int = 0
    within: int = 0

    @property
    def total(self) -> int:
        """How many products it has taken, with all within it."""
        return self.spent + self.within


class Budget:
    """Counts what pieces of work take. Each has a limit of its own, also one within another.

    Attributes
    ----------
    spent : int
        How many products of terms all work so far has taken.
    """

    def __init__(self) -> None:
        self._work = Work(WHOLE)
        self.spent = 0

    @contextmanager
    def work(self, limit: int | None = None) -> Iterator[Work]:
        """Do a piece of work, which may take so many products of terms; `WHOLE` if not said.

        Examples
        --------
        >>> budget = Budget()
        >>> with budget.work(limit=10) as work:
        ...     budget.spend(4)
        >>> work.spent
        4
        """
        around = self._work
        self._work = work = Work(WHOLE if limit is None else limit)
        try:
            yield work
        finally:
            self._work = around
            around.within += work.total

    def spend(self, products: int) -> None:
        """Count products of terms before they are made.

        Raises
        ------
        TooLargeError
            If the piece of work takes more than it may: what is refused is not made, and only
            ends that piece.
        """
        work = self._work
        if work.spent + products > work.limit:
            work.spent = work.limit + 1
            raise TooLargeError(f"it takes more than {work.limit:,} products of terms")
        work.spent += products
        self.spent += products


class Lazy(Generic[W]):
    """A piece of work that is done when it is asked for, and once.

    What was too large stays so: that is told at once when it is asked for again.

    Parameters
    ----------
    budget : Budget
        Of the forms that the work makes; it is a piece of work of its own.
    work : callable
    """

    def __init__(self, budget: Budget, work: Callable[[], W]) -> None:
        self._budget, self._work = budget, work
        self._found: list[W] = []
        self._refused: TooLargeError | None = None

    def __call__(self) -> W:
        """Return what the work gives.

        Raises
        ------
        TooLargeError
            If that is too large to be written out.
        """
        if self._refused is not None:
            raise TooLargeError(str(self._refused))
        if not self._found:
            try:
                with self._budget.work():
                    self._found.append(self._work())
            except TooLargeError as error:
                self._refused = error
                raise
        return self._found[0]
