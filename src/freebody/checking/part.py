"""What a document or a part of it declares and prints, and under which cases that is meant."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from freebody.checking.asides import asides
from freebody.checking.cases import Cases, assumption, in_steady_motion
from freebody.checking.errata import Errata
from freebody.checking.grid import MeaningError
from freebody.checking.implied import Implied, implied
from freebody.checking.introduced import Own, columns, introduced, sides_of_chains
from freebody.checking.judge import holds
from freebody.checking.meaning.assumptions import Assumptions
from freebody.checking.meaning.coriolis import Coriolis
from freebody.checking.meaning.pairs import APPROXIMATIONS
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.checking.motions import Motions
from freebody.checking.orders import in_the_order_of_the_page
from freebody.checking.quantities.derived import Quantities
from freebody.checking.readings import prints_lagrangian, read_alike, read_by_dimension
from freebody.documents import Document
from freebody.documents.document import Assumption, Part
from freebody.documents.latex import Declared, LatexError, Relation, Unreadable
from freebody.documents.latex.layout.displays import read_display
from freebody.documents.latex.names import LAGRANGIAN, LAGRANGIANS, is_name, normal, undotted
from freebody.documents.latex.page.passed import Passed
from freebody.documents.latex.page.places import places
from freebody.errors import (
    DocumentError,
    ExpressionError,
    NoValueError,
    Problem,
)


class PartReading:
    """A document or a part of it as it is read: its symbols, its equations, and in which cases.

    Parameters
    ----------
    document : Document
    quantities : Quantities
        Of the model that the part is about.
    part : Part, optional
        What is checked; where there are no sections, that is all.
    assumptions : Assumptions, optional
        What is taken for granted; of the document by default.

    Attributes
    ----------
    symbols : Symbols
        Those that are declared, implied by others, and introduced by the page.
    unreadable : list of Unreadable
        The equations that could not be read.
    passed : set of Passed
        What of the displays was passed over.
    """

    def __init__(
        self,
        document: Document,
        quantities: Quantities,
        part: Part | None = None,
        assumptions: Assumptions | None = None,
    ) -> None:
        self.document = document
        self.quantities = quantities
        self.part = part or document.parts()[0]
        declared = self._declared()
        self.errata = Errata(document.front.errata, Symbols(quantities, declared))
        garbled = self.errata.garbled
        read = {s: declared[reads] for s, reads in garbled.items() if reads in declared}
        self.symbols = Symbols(quantities, {**declared, **read})
        self.assumptions = assumptions or Assumptions(document.front.assume, quantities)
        self.unreadable: list[Unreadable] = []
        self.passed: set[Passed] = set()
        self.motions = Motions(document.front.equations, quantities)
        self.own: dict[str, Own] = {}
        self.implied: dict[str, Implied] = {}
        self._verify()
        self._imply(self._unknown)
        self._introduce()
        self.symbols, self.ordered = in_the_order_of_the_page(
            self.symbols, self.relations(), self.assumptions.taken
        )
        self._imply(self._unknown | self.implied.keys())
        self.cases = self._cases()
        self.coriolis = Coriolis(self.symbols, self.relations())

    # ------------------------------------------------------------------ what is declared

    def _declared(self) -> dict[str, Meaning]:
        """Return what the symbols mean; those of the page that another model has not are left."""
        declared: dict[str, Meaning] = dict(self.part.symbols)
        if LAGRANGIANS & declared.keys() and prints_lagrangian(self.document.text):
            declared.setdefault(LAGRANGIAN, "energy.lagrangian")
        if self.part.model == self.document.front.model:
            return declared
        symbols = Symbols(self.quantities, declared)
        inherited = declared.keys() - self.part.own.keys()
        lost = {key for key in inherited if _wrong(symbols, key) is not None}
        return {key: meaning for key, meaning in declared.items() if key not in lost}

    def _imply(self, names: set[str]) -> None:
        """Take note of names that nobody declares and that follow from declared ones."""
        names -= self.symbols.meanings.keys() - self.implied.keys()
        if found := implied(self.symbols, names):
            self.implied |= found
            self.symbols = self.symbols.changed({key: one.meaning for key, one in found.items()})
            self._read_again()

    def _read_again(self) -> None:
        for name in ("declared", "_printed", "_with_all_names"):
            self.__dict__.pop(name, None)

    def _introduce(self) -> None:
        """Take note of symbols that nobody declares and that the page introduces itself."""
        unread = {one.label for one in self.printed() if isinstance(one, Unreadable)}
        names = self._unknown - self.symbols.meanings.keys()
        bare, known = {undotted(name) for name in names}, self.symbols
        named_alike = {one.label for one, _, _ in columns(known, self.relations())}
        if not bare | named_alike:
            return
        moving = {undotted(name) for name in names - bare}
        keys = [*known.meanings, *(bare - known.meanings.keys())]
        named = Declared(keys, lambda key: key in moving or known.varies(key))
        read = [one for one in self._read(named) if isinstance(one, Relation)]
        again = [one for one in read if one.label in unread | named_alike]
        again += [one.relation for one in asides(self.document.page, named, read)]
        chained = sides_of_chains(read)
        self.symbols, self.own = introduced(known, again, self.document.text, chained)
        if self.symbols is not known:
            self._read_again()

    @property
    def _unknown(self) -> set[str]:
        """The names of the page that nobody declares, and that could be."""
        named = (name for one in self.printed() for name in getattr(one, "symbols", ()))
        return {*filter(is_name, named)}

    def _verify(self) -> None:
        """Read all that is declared and recorded, so that what is wrong is told at once."""
        problems = [*self._wrong_symbols()]
        if not problems:
            headed = self.document.headings
            labels = frozenset(o.label for o in self._read(self.declared)) if headed else None
            problems = [*self.errata.problems(labels), *self.motions.problems(labels)]
        problems += self.assumptions.problems()
        if problems:
            raise DocumentError(str(self.document.path), problems)

    def _wrong_symbols(self) -> Iterator[Problem]:
        known = dict[str, str]()
        for key in self.symbols.meanings:
            message = _wrong(self.symbols, key)
            if message is None and (same := known.setdefault(normal(key), key)) != key:
                message = f"'{same}' and '{key}' are the same name{self._lines(same, key)}"
            if message is not None:
                where = self.part.where if key in self.part.own else ""
                yield Problem(f"{where}symbols.{key}", message)

    def _lines(self, *keys: str) -> str:
        """Return on which lines of the front matter symbols are declared."""
        found = [self.document.line_of(key) for key in keys]
        return "".join(f", line {line}" for line in found if line is not None)

    # ------------------------------------------------------------------ what is printed

    @cached_property
    def declared(self) -> Declared:
        """The names that the equations may use."""
        return Declared(self.symbols.meanings, self.symbols.varies)

    def printed(self) -> list[Relation | Unreadable]:
        """Return the equations of the part, in the order of the page."""
        return self._printed

    @cached_property
    def _printed(self) -> list[Relation | Unreadable]:
        printed = [*map(self._by_dimension, self._read(self.declared))]
        readable = [one for one in printed if isinstance(one, Relation)]
        if not any(one.others for one in readable):
            return printed
        cases = self._cases_among(readable)
        return read_alike(printed, lambda relation: self._holds(relation, cases))

    def _by_dimension(self, relation: Relation | Unreadable) -> Relation | Unreadable:
        if isinstance(relation, Relation) and relation.others:
            return read_by_dimension(self.symbols, relation)
        return relation

    def _holds(self, relation: Relation, cases: Cases) -> bool:
        """Return whether an equation holds as it is read, in its case, or as it is recorded."""
        with self.quantities.ring.budget.work():
            try:
                symbols, _ = self.assumptions.taken(self.symbols, relation)
                meant = self.errata.meaning(symbols, self.document.errata_in(relation.label))
                return (
                    holds(symbols, relation)
                    or (meant is not symbols and holds(meant, relation))
                    or self._in_its_cases(relation, cases) is not None
                )
            except NoValueError:
                return False

    def _read(self, declared: Declared) -> Iterator[Relation | Unreadable]:
        page, part = self.document.page, self.part
        for label, place in places(page):
            if part.start <= place.whole.start < part.stop:
                display = read_display(page, place, label, declared)
                self.passed |= {*display.passed}
                yield from display.relations

    def relations(self) -> list[Relation]:
        """Return those equations that can be read."""
        return [one for one in self.printed() if isinstance(one, Relation)]

    @cached_property
    def _with_all_names(self) -> dict[str, Relation]:
        """The equations by their labels, as they read if every name were declared."""
        known = self.symbols.meanings.keys()
        declared = Declared([*known, *(self._unknown - known)], self.symbols.varies)
        return {one.label: one for one in self._read(declared) if isinstance(one, Relation)}

    # ------------------------------------------------------------------ in which cases

    def _cases(self) -> Cases:
        return self._cases_among(self.relations())

    def _cases_among(self, relations: list[Relation]) -> Cases:
        page = self.document.page
        beside = [*asides(page, self.declared, relations)]
        return Cases(self.symbols, page, self.declared, relations, beside)

    def _put(self, relation: Relation, among: Cases) -> list[Assumption]:
        """Return what an equation takes for granted by the cases that it may be about."""
        return [assumption(one, self.quantities) for one in among.of(relation)]

    def _in_its_cases(
        self, relation: Relation, among: Cases
    ) -> tuple[Symbols, tuple[str, ...]] | None:
        """Return the symbols under cases that the page puts, if an equation holds with them."""
        cases = self._put(relation, among)
        steady = in_steady_motion(cases, self.quantities)
        in_words = ([*cases, one] for one in among.in_words(relation))
        for known in (cases, steady, *in_words):
            besides = self.assumptions.besides(self.symbols, relation, known)
            if besides is not None:
                return besides
        return None

    def _taken(self, relation: Relation) -> tuple[Symbols, tuple[str, ...]]:
        """Return the symbols under what the page takes for granted, and what that is."""
        besides = self._in_its_cases(relation, self.cases)
        if besides is not None:
            return besides
        small = [one for one in self.cases.in_words(relation) if one.small]
        if relation.relation in APPROXIMATIONS and small:
            cases = self._put(relation, self.cases)
            return self.assumptions.under(self.symbols, relation, [*cases, small[0]])
        return self.assumptions.taken(self.symbols, relation)


def _wrong(symbols: Symbols, key: str) -> str | None:
    """Return what is wrong with a symbol or its meaning, or None."""
    try:
        Declared([key], lambda _: False)
        symbols.varies(key)
    except (LatexError, ExpressionError, MeaningError) as error:
        return str(error)
    return None
