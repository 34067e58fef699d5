"""Documents without their front matter, and how well what is guessed of them agrees with it."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from freebody.algebra import Form
from freebody.algebra.terms import TooLargeError
from freebody.checking.grid import Grid
from freebody.checking.guesses import Guess, guess
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document
from freebody.documents.latex.names import Declared
from freebody.errors import FreebodyError

SURE_RIGHT, SURE_WRONG = "sure and right", "sure and WRONG"
UNSURE_RIGHT, UNSURE_AMONG = "unsure, the first is right", "unsure, another is right"
UNSURE_WRONG, UNKNOWN = "unsure, none is right", "unknown"
OUTCOMES = SURE_RIGHT, SURE_WRONG, UNSURE_RIGHT, UNSURE_AMONG, UNSURE_WRONG, UNKNOWN

Values = list[list[int]]


@dataclass
class Measured:
    """What became of the symbols of a page that its front matter declares, and of the others."""

    name: str
    seconds: float
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


class Adopted:
    """A document whose front matter is taken off, but for the model.

    Parameters
    ----------
    document : Document
    quantities : Quantities
        Of its model.
    """

    def __init__(self, document: Document, quantities: Quantities) -> None:
        self.quantities = quantities
        self.front = document.front
        kept = {"symbols": {}, "sections": (), "errata": (), "unchecked": (), "assume": ()}
        self.bare = replace(document, front=self.front.model_copy(update=kept), headings=())

    @cached_property
    def declared(self) -> list[Symbols]:
        """What the front matter declares: of the whole page, and of sections about its model."""
        own = [s.symbols for s in self.front.sections if s.model in (None, self.front.model)]
        found = [self.front.symbols, *({**self.front.symbols, **symbols} for symbols in own)]
        return [Symbols(self.quantities, symbols) for symbols in found]

    def truths(self, key: str) -> list[Values]:
        """Return what a symbol is worth by the front matter; nothing where it is not there."""
        return [values for symbols in self.declared if (values := self._truth(symbols, key))]

    def _truth(self, symbols: Symbols, key: str) -> Values:
        try:
            found = Declared(symbols.meanings, symbols.varies).lookup(key)
            return self._worth(symbols.value(*found)) if found else []
        except FreebodyError:
            return []

    def is_right(self, key: str, meaning: Meaning) -> bool:
        value = Symbols(self.quantities, {key: meaning}).value(key)
        return self._worth(value) in self.truths(key)

    def _worth(self, grid: Grid) -> Values:
        """Return the values of the entries at a random point."""
        point = self.quantities.point
        return [[point.value(self._lowered(form)) for form in row] for row in grid.rows]

    def _lowered(self, form: Form) -> Form:
        ring = self.quantities.ring
        try:
            with ring.budget.work():
                return self.quantities.lower(form)
        except TooLargeError:
            return ring.substitute(form, self.quantities.derived)

    def outcome(self, found: Guess) -> str:
        if found.standing == "unknown" or found.meaning is None:
            return UNKNOWN
        right = self.is_right(found.key, found.meaning)
        if found.standing == "sure":
            return SURE_RIGHT if right else SURE_WRONG
        among = any(self.is_right(found.key, other) for other in found.alternatives)
        return UNSURE_RIGHT if right else UNSURE_AMONG if among else UNSURE_WRONG

    def measure(self) -> Measured:
        start = time.process_time()
        found = guess(self.bare, self.quantities)
        measured = Measured(self.bare.name, time.process_time() - start)
        for one in found.symbols:
            if self.truths(one.key):
                outcome = self.outcome(one)
                measured.counts[outcome] += 1
                if outcome == SURE_WRONG:
                    measured.wrong.append(f"{one.key} = {one.meaning} ({one.why})")
            elif one.standing == "sure":
                measured.others.append(f"{one.key} = {one.meaning} ({one.why})")
        return measured
