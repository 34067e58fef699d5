"""What is recorded of the equations of a page, held against what is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from freebody.algebra.expressions import read
from freebody.algebra.readback import read_terms
from freebody.checking.findings import Judgement
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.symbols import Symbols
from freebody.documents import Erratum
from freebody.errors import ExpressionError, Problem, nearest
from freebody.mechanics.notation import python


@dataclass(frozen=True)
class Errata:
    """The errata of a document.

    Attributes
    ----------
    entries : tuple of Erratum
    symbols : Symbols
        What the names of the page stand for.
    """

    entries: tuple[Erratum, ...]
    symbols: Symbols

    @property
    def garbled(self) -> dict[str, str]:
        """What garbled symbols read."""
        return {e.symbol: e.reads for e in self.entries if e.symbol and e.reads}

    def problems(self, labels: frozenset[str] | None = None) -> Iterator[Problem]:
        """Iterate over what makes no sense in them, or in those of some equations."""
        for number, erratum in enumerate(self.entries):
            if labels is None or not labels.isdisjoint(erratum.labels):
                told = (*self._unread(erratum), *self._unknown(erratum))
                yield from (Problem(f"errata[{number}]", message) for message in told)

    def _unread(self, erratum: Erratum) -> Iterator[str]:
        try:
            self.products([erratum])
            if erratum.means is not None and erratum.symbol is not None:
                self.symbols.changed({erratum.symbol: erratum.means}).value(erratum.symbol)
        except (ExpressionError, MeaningError) as error:
            yield str(error)

    def _unknown(self, erratum: Erratum) -> Iterator[str]:
        meant = erratum.reads if erratum.means is None else erratum.symbol
        if meant is not None and meant not in self.symbols.meanings:
            yield f"'{meant}' is not declared{nearest(meant, self.symbols.meanings)}"

    def meaning(self, symbols: Symbols, errata: Iterable[Erratum]) -> Symbols:
        """Return the symbols with what some errata say that they mean."""
        for erratum in errata:
            if erratum.means is not None:
                same = [s for s, reads in self.garbled.items() if reads == erratum.symbol]
                changed = {s: erratum.means for s in (erratum.symbol, *same) if s}
                symbols = symbols.changed(changed)
        return symbols

    def surprise(
        self, judgement: Judgement, errata: tuple[Erratum, ...], missing: list[str]
    ) -> str:
        """Return in what way found and recorded do not agree.

        Parameters
        ----------
        judgement : Judgement
            On an equation, with the meanings that its errata give to symbols.
        errata : tuple of Erratum
            Of the equation.
        missing : list of str
            What is recorded besides, and does not occur.
        """
        found = {difference.term for difference in judgement.differences}
        recorded = self.products(errata)
        missing = [*missing, *(f"'{term}'" for term in sorted(recorded - found))]
        parts = []
        if found - recorded:
            terms = ", ".join(sorted(found - recorded))
            parts.append(f"differs, which is not recorded, in {terms}")
        if missing:
            parts.append("recorded, but does not occur: " + ", ".join(missing))
        return "; ".join(parts)

    def products(self, errata: Iterable[Erratum]) -> set[str]:
        """Return the recorded terms as a difference writes them."""
        quantities = self.symbols.quantities
        names = quantities.mechanism.names
        products = set()
        for text in (product for erratum in errata for product in erratum.products):
            form = quantities.ring.form(read(text, quantities.resolve))
            products |= {python(term.product, names) for term in read_terms(form)}
        return products


def erratum_in_words(erratum: Erratum) -> str:
    """Return what an erratum says of an equation."""
    if erratum.reads is not None:
        return f"{erratum.symbol} reads {erratum.reads}: {erratum.note}"
    if erratum.means is not None:
        return f"{erratum.symbol} means {erratum.means}: {erratum.note}"
    return erratum.note
