"""The verdicts on one document: what is found of each equation, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from freebody.algebra import Ring
from freebody.algebra.expressions import read
from freebody.algebra.readback import read_terms
from freebody.checking.grid import MeaningError
from freebody.checking.judge import Judgement, judge
from freebody.checking.meaning import Meaning, Symbols
from freebody.checking.pairs import walk
from freebody.checking.quantities import Quantities
from freebody.checking.report import DocumentReport, EquationVerdict
from freebody.documents import Document, Erratum
from freebody.documents.latex import Declared, LatexError, Relation, Unreadable, read_page
from freebody.documents.latex.tree import Name
from freebody.errors import DocumentError, ExpressionError, Problem, nearest
from freebody.mechanics.notation import python


def check_document(document: Document, quantities: Quantities) -> DocumentReport:
    """Check one document against the quantities of its model."""
    checker = Checker(document, quantities)
    verdicts = tuple(checker.verdicts())
    labels = {verdict.label for verdict in verdicts}
    stale = tuple(
        f"{label} is recorded, but there is no such equation{nearest(label, labels)}"
        for label in document.front.labels()
        if label not in labels
    )
    unused = tuple(key for key in document.front.symbols if key not in checker.used)
    front = document.front
    return DocumentReport(document.name, front.title, front.model, verdicts, stale, unused)


class Checker:
    """One document, its symbols, and what is recorded of it."""

    def __init__(self, document: Document, quantities: Quantities) -> None:
        self.document = document
        self.quantities = quantities
        self.garbled = {e.symbol: e.reads for e in document.front.errata if e.symbol and e.reads}
        self.symbols = Symbols(quantities, self._meanings())
        self.used: set[str] = set()
        self._verify()

    def verdicts(self) -> Iterator[EquationVerdict]:
        """Iterate over the verdicts, in the order of the page."""
        declared = Declared(self.symbols.meanings, self.symbols.varies)
        for display in read_page(self.document.text, declared, self.document.start):
            for relation in display.relations:
                yield self._verdict(relation)

    def _meanings(self) -> dict[str, Meaning]:
        """Return what the symbols mean, garbled ones what they read."""
        declared: dict[str, Meaning] = dict(self.document.front.symbols)
        read = {s: declared[reads] for s, reads in self.garbled.items() if reads in declared}
        return {**declared, **read}

    def _verify(self) -> None:
        """Read all that is declared and recorded, so that what is wrong is told at once."""
        problems = [*self._wrong_symbols(), *self._wrong_errata()]
        if problems:
            raise DocumentError(str(self.document.path), problems)

    def _wrong_symbols(self) -> Iterator[Problem]:
        for key in self.symbols.meanings:
            try:
                Declared([key], lambda _: False)
                self.symbols.varies(key)
            except (LatexError, ExpressionError, MeaningError) as error:
                yield Problem(f"symbols.{key}", str(error))

    def _wrong_errata(self) -> Iterator[Problem]:
        declared = self.document.front.symbols
        for number, erratum in enumerate(self.document.front.errata):
            try:
                self._products([erratum])
                if erratum.means is not None and erratum.symbol is not None:
                    self.symbols.changed({erratum.symbol: erratum.means}).value(erratum.symbol)
            except (ExpressionError, MeaningError) as error:
                yield Problem(f"errata[{number}]", str(error))
            meant = erratum.reads if erratum.means is None else erratum.symbol
            if meant is not None and meant not in declared:
                message = f"'{meant}' is not declared{nearest(meant, declared)}"
                yield Problem(f"errata[{number}]", message)

    # ------------------------------------------------------------------ one equation

    def _verdict(self, relation: Relation | Unreadable) -> EquationVerdict:
        label, line, latex = relation.label, relation.line, relation.latex
        reason = self.document.reason_unchecked(label)
        if isinstance(relation, Relation):
            names = {n.key for n in walk((relation.left, relation.right)) if isinstance(n, Name)}
            self.used |= names | {self.garbled.get(name, name) for name in names}
        if reason is not None:
            return EquationVerdict(label, line, latex, "not checked", recorded=True, note=reason)
        blank = EquationVerdict(label, line, latex, "unreadable")
        if isinstance(relation, Unreadable):
            note = f"{relation.message}\n{relation.caret}"
            return replace(blank, note=note, surprise=relation.message)
        errata = self.document.errata_in(label)
        unknown = names & self.garbled.keys() - {e.symbol for e in errata}
        if unknown:
            message = f"'{unknown.pop()}' is not declared"
            return replace(blank, note=message, surprise=message)
        try:
            return self._judged(relation, errata, names, blank)
        except MeaningError as error:
            return replace(blank, note=str(error), surprise=str(error))

    def _judged(
        self,
        relation: Relation,
        errata: tuple[Erratum, ...],
        names: set[str],
        blank: EquationVerdict,
    ) -> EquationVerdict:
        first = judge(self.symbols, relation)
        symbols, missing = self.symbols, []
        for erratum in errata:
            if erratum.reads is not None and erratum.symbol not in names:
                missing.append(f"'{erratum.symbol}'")
            elif erratum.means is not None:
                same = [s for s, reads in self.garbled.items() if reads == erratum.symbol]
                symbols = symbols.changed({s: erratum.means for s in (erratum.symbol, *same) if s})
        left = first if symbols is self.symbols else judge(symbols, relation)
        if symbols is not self.symbols and first.holds:
            missing.append("another meaning of a symbol")
        return replace(
            blank,
            status="holds" if first.holds else "differs",
            proof=first.proof,
            differences=first.differences,
            recorded=bool(errata),
            note=" ".join(dict.fromkeys(map(_told, errata))),
            surprise=self._surprise(left, errata, missing),
        )

    def _surprise(
        self, judgement: Judgement, errata: tuple[Erratum, ...], missing: list[str]
    ) -> str:
        """Return in what way found and recorded do not agree."""
        found = {difference.term for difference in judgement.differences}
        recorded = self._products(errata)
        missing = [*missing, *(f"'{term}'" for term in sorted(recorded - found))]
        parts = []
        if found - recorded:
            parts.append(
                "differs, which is not recorded, in " + ", ".join(sorted(found - recorded))
            )
        if missing:
            parts.append("recorded, but does not occur: " + ", ".join(missing))
        return "; ".join(parts)

    def _products(self, errata: Iterable[Erratum]) -> set[str]:
        """Return the recorded terms as a difference writes them."""
        ring: Ring = self.quantities.ring
        names = self.quantities.mechanism.names
        products = set()
        for text in (product for erratum in errata for product in erratum.products):
            form = ring.form(read(text, self.quantities.resolve))
            products |= {python(term.product, names) for term in read_terms(form)}
        return products


def _told(erratum: Erratum) -> str:
    """Return what an erratum says of an equation."""
    if erratum.reads is not None:
        return f"{erratum.symbol} reads {erratum.reads}: {erratum.note}"
    if erratum.means is not None:
        return f"{erratum.symbol} means {erratum.means}: {erratum.note}"
    return erratum.note
