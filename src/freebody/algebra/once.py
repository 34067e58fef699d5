"""Pieces of work that may be too large, each done at most once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from freebody.algebra.forms import Ring
from freebody.algebra.terms import TooLargeError

W = TypeVar("W")


class Once(Generic[W]):
    """A piece of work that is done when it is asked for, and once.

    What was too large stays so: that is told at once when it is asked for again.

    Parameters
    ----------
    ring : Ring
        Of the forms that the work makes; it is a piece of work of its own.
    work : callable
    """

    def __init__(self, ring: Ring, work: Callable[[], W]) -> None:
        self._ring, self._work = ring, work
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
                with self._ring.budget.work():
                    self._found.append(self._work())
            except TooLargeError as error:
                self._refused = error
                raise
        return self._found[0]
