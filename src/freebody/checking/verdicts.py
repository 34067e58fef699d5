"""The verdicts on a document or a part of it: what is found of each equation, and recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial

from freebody.checking.asides import sentence_before
from freebody.checking.cases import EMPTY, is_empty
from freebody.checking.causes.definitions import definitions
from freebody.checking.causes.dimensions import with_units, wrong_terms, wrong_units
from freebody.checking.causes.error_propagation import ErrorPropagation
from freebody.checking.chains import Chains
from freebody.checking.errata import erratum_in_words
from freebody.checking.evidence import names as names_of
from freebody.checking.findings import Judgement, SymbolFinding
from freebody.checking.identities import in_free_letters
from freebody.checking.implied import if_sure
from freebody.checking.judge import holds, judge
from freebody.checking.meaning.assumptions import Assumptions
from freebody.checking.meaning.branches import holds_in_its_case
from freebody.checking.meaning.conditions import NOTE
from freebody.checking.meaning.coriolis import READING
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import APPROXIMATIONS, COMPARED, pairs
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.motions import EquationOfMotion
from freebody.checking.part import PartReading
from freebody.checking.quantities.derived import Quantities
from freebody.checking.repair.garbled import read_otherwise
from freebody.checking.repair.reread import Reread
from freebody.checking.repair.search import Repairs
from freebody.checking.repair.vocabulary import Word, words
from freebody.checking.report import EquationVerdict
from freebody.checking.resultants import sum_of_all
from freebody.documents import Document, Erratum
from freebody.documents.document import Part
from freebody.documents.latex import Relation, Unreadable
from freebody.documents.latex.names import printed
from freebody.documents.latex.tree import Call, Node, show, walk
from freebody.errors import (
    FreebodyError,
    NoValueError,
    fault,
)


class Checker(PartReading):
    """Checks a document or a part of it.

    Parameters
    ----------
    document, quantities, part, assumptions
        See `PartReading`.

    Attributes
    ----------
    used : set of str
        The symbols that were met.
    """

    def __init__(
        self,
        document: Document,
        quantities: Quantities,
        part: Part | None = None,
        assumptions: Assumptions | None = None,
    ) -> None:
        super().__init__(document, quantities, part, assumptions)
        self.used: set[str] = set()
        self._repairs: dict[tuple[Quantities, str], Repairs] = {}
        self._judgements: list[tuple[Relation, bool]] = []
        self._carried: set[str] = set()

    def verdicts(self) -> Iterator[EquationVerdict]:
        """Iterate over the verdicts, in the order of the page."""
        carried, self.cases = ErrorPropagation(self.quantities), self._cases()
        for relation in self.printed():
            try:
                verdict = self._explained(relation, carried)
            except Exception as error:  # what goes wrong in one equation is told of that one
                verdict = self._failed(relation, error)
            yield verdict

    def _explained(
        self, relation: Relation | Unreadable, carried: ErrorPropagation
    ) -> EquationVerdict:
        verdict = self._verdict(relation)
        if isinstance(relation, Relation) and verdict.status in ("holds", "differs"):
            return self._traced(relation, verdict, carried)
        return verdict

    def _failed(self, relation: Relation | Unreadable, error: Exception) -> EquationVerdict:
        """Tell that freebody failed, with the verdict where that alone can be had."""
        failure = fault(error)
        with suppress(Exception):
            return replace(self._verdict(relation, mend=False), fault=failure)
        return replace(self._blank(relation), status="failed", fault=failure)

    def judged(self) -> Iterator[tuple[Relation, EquationVerdict]]:
        """Iterate over the equations that hold or differ, with the terms in which they do.

        What would mend an equation is not looked for.
        """
        self.cases = self._cases()
        for relation in self.relations():
            with suppress(Exception):  # what goes wrong in one equation is told by `verdicts`
                verdict = self._as_resultant(relation, self._verdict(relation, mend=False))
                if verdict.status in ("holds", "differs"):
                    yield relation, verdict

    def surprises(self) -> Iterator[EquationVerdict]:
        """Iterate over the verdicts on equations of which found and recorded do not agree.

        What would mend an equation is looked for only where the terms that differ depend on it.
        """
        self.cases = self._cases()
        for relation in self.printed():
            try:
                verdict = self._verdict(relation, mend=False)
                verdict = self._verdict(relation) if verdict.surprise else verdict
            except Exception as error:  # as above
                verdict = self._failed(relation, error)
            if verdict.news:
                yield verdict

    @cached_property
    def _chains(self) -> Chains:
        """The chains of equations of the page."""
        return Chains.of(self.relations())

    def _traced(
        self, relation: Relation, verdict: EquationVerdict, carried: ErrorPropagation
    ) -> EquationVerdict:
        """Tell whether an equation carries a misprint on, and which terms have a wrong unit."""
        holds = verdict.status == "holds"
        symbols, _ = self.assumptions.taken(self.symbols, relation)
        try:
            scalars = pairs(Evaluator(symbols), relation)
        except NoValueError:
            scalars = []
        origin = carried.add(verdict.label, relation, symbols, scalars, holds)
        self._judgements.append((relation, holds))
        if holds:
            return verdict
        if origin:
            self._carried.add(verdict.label)
        wrong = wrong_terms(symbols, relation)
        terms = with_units(verdict.terms, wrong, mended=bool(verdict.repairs))
        return replace(verdict, carried_from=origin, terms=terms)

    def definitions(self) -> tuple[SymbolFinding, ...]:
        """Return the symbols that contradict several of the equations judged so far."""
        if all(held for _, held in self._judgements):
            return ()
        return definitions(self.symbols, self._judgements, self.errata.garbled, self._carried)

    def _verdict(self, relation: Relation | Unreadable, *, mend: bool = True) -> EquationVerdict:
        label, blank = relation.label, self._blank(relation)
        reason = self.document.reason_unchecked(label)
        names = names_of(relation) if isinstance(relation, Relation) else set[str]()
        self.used |= names | {self.errata.garbled.get(name, name) for name in names}
        self.used |= {self.implied[name].whole for name in names & self.implied.keys()}
        if reason is not None:
            return replace(blank, status="not checked", recorded=True, note=reason)
        if isinstance(relation, Relation) and relation.relation not in COMPARED:
            reason = f"not an equation: '{relation.relation}'"
            return replace(blank, status="not checked", note=reason)
        if isinstance(relation, Unreadable):
            return self._unreadable(relation, blank, mend=mend)
        defined = [printed(one.key) for one in self.own.values() if one.is_by(relation)]
        if defined:
            return replace(blank, status="not checked", note=f"defines {' and '.join(defined)}")
        errata = self.document.errata_in(label)
        unknown = names & self.errata.garbled.keys() - {e.symbol for e in errata}
        if unknown:
            message = f"'{min(unknown)}' is not declared"
            unresolved = replace(blank, note=message, surprise=message)
            return self._otherwise(relation, unknown, unresolved) if mend else unresolved
        try:
            found = self._judged(relation, errata, names, blank, mend=False)
            if found.status == "differs" and not errata and self.cases.put(relation):
                return replace(blank, status="not checked", note=NOTE)
            if found.status == "differs" and mend:
                found = self._judged(relation, errata, names, blank, mend=mend)
                found = self._judged_in_its_case(relation, found)
                found = found if errata else self._as_resultant(relation, found)
            return self._with_words(relation, if_sure(found, names, self.implied))
        except FreebodyError as error:
            if relation.case or relation.relation in APPROXIMATIONS:
                return replace(blank, status="not checked", note=str(error))
            return replace(blank, note=str(error), surprise=str(error))

    def _as_resultant(self, relation: Relation, found: EquationVerdict) -> EquationVerdict:
        """Take back that an equation differs where a letter is the sum of all forces in it."""
        if found.status != "differs" or found.repairs:
            return found
        holding = partial(self._holds, cases=self.cases)
        why = sum_of_all(self.symbols, relation, self.own, self.relations(), holding)
        return replace(self._blank(relation), status="not checked", note=why) if why else found

    def _with_words(self, relation: Relation, found: EquationVerdict) -> EquationVerdict:
        """Tell of an equation that differs which words before it may put a case."""
        if found.status != "differs" or relation.relation in APPROXIMATIONS:
            return found
        said = sentence_before(self.document.page, relation.display)
        warning = f"nothing is taken from the words before it, which may put a case: '{said}'"
        is_open = said and not any("given" in one or "small" in one for one in found.readings)
        return replace(found, readings=(*found.readings, warning)) if is_open else found

    def _blank(self, relation: Relation | Unreadable) -> EquationVerdict:
        place = self.document.page.place(relation.line)
        return EquationVerdict(
            relation.label, relation.line, relation.latex, "unreadable", place=place
        )

    def _unreadable(
        self, relation: Unreadable, blank: EquationVerdict, *, mend: bool
    ) -> EquationVerdict:
        if relation.is_fault:
            return replace(blank, status="failed", fault=relation.message)
        if relation not in self.unreadable:
            self.unreadable.append(relation)
        note = f"{relation.message}\n{relation.caret}"
        unread = replace(blank, note=note, surprise=relation.message)
        again = self._with_all_names.get(relation.label) if relation.symbols else None
        if again is not None and (free := in_free_letters(self.symbols, again)):
            return replace(blank, **free)
        if again is None or not mend:
            return unread
        return self._otherwise(again, names_of(again) - self.symbols.meanings.keys(), unread)

    def _otherwise(
        self, relation: Relation, unknown: set[str], blank: EquationVerdict
    ) -> EquationVerdict:
        """Tell what names would make an equation hold in place of those that nobody declares."""
        search = read_otherwise(self.repairs, relation, sorted(unknown))
        mended = tuple(found.repair for found in search.found)
        return replace(blank, repairs=mended, search=search.note)

    def _judged_in_its_case(self, relation: Relation, found: EquationVerdict) -> EquationVerdict:
        """Return what is said of an equation that differs under the cases that it may be about.

        That is told where it says more: by a repair, or by fewer terms.
        """
        cases = [*self._put(relation, self.cases), *self.cases.in_words(relation)]
        if not cases or found.repairs:
            return found
        symbols, readings = self.assumptions.under(self.symbols, relation, cases)
        motion = self.motions.of(relation.label, symbols.quantities)
        judged = judge(symbols, relation, self.repairs_of(symbols, motion), motion=motion)
        is_shorter = len(judged.differences) < len(found.differences)
        if judged.holds or not (judged.repairs or is_shorter):
            return found
        readings = (*readings, motion.reading) if motion else readings
        names = ("proof", "differences", "terms", "repairs", "search")
        changed = {name: getattr(judged, name) for name in names}
        surprise = self.errata.surprise(judged, (), [])
        return replace(found, **changed, readings=(*readings, *judged.readings), surprise=surprise)

    def _judged(
        self,
        relation: Relation,
        errata: tuple[Erratum, ...],
        names: set[str],
        blank: EquationVerdict,
        *,
        mend: bool,
    ) -> EquationVerdict:
        symbols, readings = self._taken(relation)
        motion = self.motions.of(relation.label, symbols.quantities)
        notes = [self.own[key].note for key in self.own if key in names]
        notes += [self.implied[key].note for key in self.implied if key in names]
        readings = (*notes, *readings)
        readings = (
            *dict.fromkeys(self.ordered[key] for key in names & self.ordered.keys()),
            *readings,
        )
        if self.coriolis.by_product(symbols, relation):
            first, readings = Judgement("exact"), (*readings, READING)
        else:
            suspect = self._chains.suspect(symbols, relation) if mend else None
            repairs = self.repairs_of(symbols, motion) if mend else None
            first = judge(symbols, relation, repairs, suspect, motion)
            first = self._chains.judged(relation, suspect, first)
        if relation.case and not first.holds:
            first = holds_in_its_case(symbols, relation) or first
        is_assumed = symbols.quantities is not self.symbols.quantities
        if first.holds and is_assumed and is_empty(symbols, relation):
            return replace(blank, status="not checked", note=EMPTY, readings=readings)
        meant = self.errata.meaning(symbols, errata)
        last = first if meant is symbols else judge(meant, relation)
        missing = [f"'{e.symbol}'" for e in errata if e.reads and e.symbol not in names]
        if meant is not symbols and first.holds:
            missing.append("another meaning of a symbol")
        surprise = self.errata.surprise(last, errata, missing)
        if first.holds:
            surprise = "; ".join(filter(None, (surprise, wrong_units(symbols, relation))))
        if motion and first.holds:
            surprise = "; ".join(filter(None, (surprise, motion.remark(symbols, relation))))
        elif motion:
            readings = (*readings, motion.reading)
        return replace(
            blank,
            status="holds" if first.holds else "differs",
            proof=first.proof,
            differences=first.differences,
            terms=first.terms,
            repairs=first.repairs,
            search=first.search,
            readings=(*readings, *first.readings),
            recorded=bool(errata),
            note=" ".join(dict.fromkeys(map(erratum_in_words, errata))),
            surprise=surprise,
        )

    # ------------------------------------------------------------------ what would mend it

    @property
    def repairs(self) -> Repairs:
        """Looks for what would mend the equations of the page."""
        return self.repairs_of(self.symbols)

    def repairs_of(self, symbols: Symbols, motion: EquationOfMotion | None = None) -> Repairs:
        """Return what looks for repairs with some quantities, such as those under assumptions.

        What is declared an equation of motion is to be that one.
        """
        key = symbols.quantities, motion.name if motion else ""
        if key not in self._repairs:
            macros = self.document.page.macros.latest
            reread = Reread(self.document.text, self.declared, macros)
            mends = partial(motion.is_stated if motion else holds, symbols)
            self._repairs[key] = Repairs(symbols, reread, self._words, self._arguments, mends)
        return self._repairs[key]

    @cached_property
    def _words(self) -> list[Word]:
        return words(self.symbols)

    @cached_property
    def _arguments(self) -> list[tuple[str, Node]]:
        """What cosines and sines of the page are of, as printed and as read."""
        text, found = self.document.text, dict[str, tuple[str, Node]]()
        for relation in self.relations():
            for node in walk(relation.left, relation.right):
                if isinstance(node, Call) and node.function in ("cos", "sin"):
                    span = node.argument.span
                    latex = " ".join(text[span.start : span.stop].split())
                    found.setdefault(show(node.argument), (latex, node.argument))
        return list(found.values())
