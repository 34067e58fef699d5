"""Documents checked against their models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from freebody.algebra import Ring
from freebody.algebra.expressions import read
from freebody.algebra.readback import read_terms
from freebody.checking.grid import MeaningError
from freebody.checking.judge import Judgement, judge
from freebody.checking.meaning import Meaning, Symbols
from freebody.checking.pairs import walk
from freebody.checking.quantities import Quantities
from freebody.checking.report import DocumentReport, EquationVerdict, Report
from freebody.documents import Document, Erratum, documents_of, read_document
from freebody.documents.latex.displays import Relation, Unreadable, read_page
from freebody.documents.latex.names import Declared
from freebody.documents.latex.tree import Name
from freebody.errors import DocumentError, ExpressionError, Problem, nearest
from freebody.mechanics.notation import python
from freebody.model import Model, load
from freebody.model.files import fingerprint
from freebody.model.library import shipped


def check(*targets: str | Path | Model) -> Report:
    """Check documents against what is derived from their models.

    Parameters
    ----------
    *targets : str, Path or Model
        Documents (``.md``), or models, which stand for the documents in their folders; all
        shipped models where none is given.

    Raises
    ------
    DocumentError, ModelError
        If a document or its model cannot be read.

    Examples
    --------
    >>> import freebody
    >>> freebody.check("three_link_arm").agrees
    True
    """
    known: dict[str, Quantities] = {}
    reports = []
    for document, model in _pages(targets or tuple(shipped())):
        key = fingerprint(model)
        if key not in known:
            known[key] = Quantities(model)
        reports.append(check_document(document, known[key]))
    return Report(tuple(reports))


def check_document(document: Document, quantities: Quantities) -> DocumentReport:
    """Check one document against the quantities of its model."""
    checker = _Checker(document, quantities)
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


def _pages(targets: Iterable[str | Path | Model]) -> Iterator[tuple[Document, Model]]:
    """Iterate over the documents that are meant, each with its model."""
    for target in targets:
        if not isinstance(target, Model) and Path(target).suffix == ".md":
            document = read_document(Path(target))
            yield document, _model_of(document)
            continue
        model = target if isinstance(target, Model) else load(target)
        if model.source is not None:
            yield from ((document, model) for document in documents_of(model.source))


def _model_of(document: Document) -> Model:
    """Return the model beside a document, or the shipped one that it names."""
    folder, name = document.path.parent, document.front.model
    beside = (folder / "model.toml", folder / name, folder / f"{name}.toml")
    return load(next((path for path in beside if path.exists()), name))


class _Checker:
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
        meanings: dict[str, Meaning] = dict(self.document.front.symbols)
        for symbol, reads in self.garbled.items():
            if reads not in meanings:
                self._refuse("errata", f"'{symbol}' reads '{reads}', which is not declared", reads)
            meanings[symbol] = meanings[reads]
        return meanings

    def _refuse(self, where: str, message: str, name: str) -> None:
        known = nearest(name, self.document.front.symbols)
        raise DocumentError(str(self.document.path), [Problem(where, message + known)])

    def _verify(self) -> None:
        """Read all meanings and recorded terms at once, so that what is wrong is told at once."""
        problems = []
        for key in self.document.front.symbols:
            try:
                self.symbols.varies(key)
            except (ExpressionError, MeaningError) as error:
                problems.append(Problem(f"symbols.{key}", str(error)))
        for number, erratum in enumerate(self.document.front.errata):
            try:
                self._products([erratum])
            except ExpressionError as error:
                problems.append(Problem(f"errata[{number}].term", str(error)))
        if problems:
            raise DocumentError(str(self.document.path), problems)

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
