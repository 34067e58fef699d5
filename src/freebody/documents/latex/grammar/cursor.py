"""A place in a row of items."""

from __future__ import annotations

from collections.abc import Sequence

from freebody.documents.latex.tokens.tokens import Item, LatexError
from freebody.documents.latex.tree import Span


class Cursor:
    """A place in a row of items, which reading moves on.

    Parameters
    ----------
    items : sequence of Item
        What is printed.
    at : Span
        Where it stands on the page, for when there is nothing to point at.
    """

    def __init__(self, items: Sequence[Item], at: Span) -> None:
        self.items, self.at, self.position = items, at, 0

    @property
    def item(self) -> Item | None:
        """The next item; None at the end."""
        return self.items[self.position] if self.position < len(self.items) else None

    @property
    def text(self) -> str:
        """The text of the next item; empty at the end."""
        return self.item.text if self.item else ""

    def span(self, first: int) -> Span:
        """Return the stretch of the page from an item to the last one read."""
        return Span(self.items[first].start, self.items[self.position - 1].stop)

    def expected(self, what: str) -> LatexError:
        """Return the error that something else was expected here."""
        found = f"'{self.text}'" if self.item else "the end"
        offset = self.item.start if self.item else self.at.stop
        return LatexError(f"expected {what}, found {found}", offset)
