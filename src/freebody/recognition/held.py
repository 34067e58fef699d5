"""A page held against the model that was recognised: what differs, and what is a case of its own.

A page prints small motions, examples in numbers and other systems beside the equations of its
model. What holds in a case is said to be one, and what may be about something else is left open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from freebody.algebra.expressions import references
from freebody.algebra.units import dimension
from freebody.checking.document import checkers_of
from freebody.checking.guesses import Guesses
from freebody.checking.introduced import bare
from freebody.checking.meaning.conditions import is_in_text
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.verdicts import Checker
from freebody.consistency.alone import by_itself
from freebody.documents import Document
from freebody.documents.document import Assumption, Meaning, Unchecked
from freebody.documents.latex import Relation
from freebody.documents.latex.page.places import unread
from freebody.errors import DocumentError, FreebodyError
from freebody.recognition.page_numbers import given_numbers, with_other_numbers
from freebody.recognition.reasons import Reasons
from freebody.recognition.recognised import Recognised

UNDECIDED = "it differs from the model, and the page by itself leaves it undecided: {}"
"""Why an equation is not held against a model."""
Entries = TypeVar("Entries", Assumption, Unchecked)


@dataclass(frozen=True)
class Held:
    """A page held against its model.

    Attributes
    ----------
    assume : tuple of Assumption
        In which cases equations hold that do not hold as they stand.
    unchecked : tuple of Unchecked
        Equations that may be about something else, and why.
    holds, differs : tuple of str
        The labels of equations that hold as they stand, and of the others that do not.
    ambiguous : frozenset of str
        The letters of which the page says something else than what they are in the model.
    inline : frozenset of str
        The labels of equations in running text.
    undecided : frozenset of str
        The labels of equations that the page by itself leaves undecided; none where all hold.
    """

    assume: tuple[Assumption, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    holds: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()
    ambiguous: frozenset[str] = frozenset()
    inline: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()

    @property
    def assumed(self) -> frozenset[str]:
        """The labels of equations that hold in a case."""
        return frozenset().union(*(one.labels for one in self.assume))

    @property
    def aside(self) -> frozenset[str]:
        """The labels of equations that are of a case, or may be about something else."""
        return self.assumed.union(*(one.labels for one in self.unchecked))

    @property
    def displayed(self) -> Held:
        """What is said of displayed equations alone, which the check of a document reads."""
        return self.without(self.inline)

    def without(self, labels: Collection[str]) -> Held:
        """Return what is said of other equations than some."""
        assume = tuple(_without(self.assume, labels))
        unchecked = tuple(_without(self.unchecked, labels))
        holds, differs = (
            tuple(one for one in each if one not in labels) for each in (self.holds, self.differs)
        )
        return replace(self, assume=assume, unchecked=unchecked, holds=holds, differs=differs)

    def but_for(self, undecided: Mapping[str, str]) -> Held:
        """Return it with equations left unchecked that differ, and are undecided, each with why."""
        reasons = {label: undecided[label] for label in self.differs if label in undecided}
        unchecked = tuple(
            Unchecked(**{"in": (label,), "reason": UNDECIDED.format(why)})
            for label, why in reasons.items()
        )
        differs = tuple(label for label in self.differs if label not in reasons)
        unchecked = (*self.unchecked, *unchecked)
        return replace(self, unchecked=unchecked, differs=differs, undecided=frozenset(undecided))

    def beside(self, every: Held) -> Held:
        """Return what is said of displayed equations, with what is of those in running text."""
        shown = {*every.holds, *every.differs, *every.aside} - every.inline
        rest = every.without(shown)
        return Held(
            (*self.assume, *rest.assume), (*self.unchecked, *rest.unchecked),
            (*self.holds, *rest.holds), (*self.differs, *rest.differs),
            self.ambiguous | every.ambiguous, every.inline,
        )  # fmt: skip

    def declared(self, document: Document, symbols: Mapping[str, Meaning]) -> Document:
        """Return a page with what is sure of it in its front matter."""
        front = document.front
        update = {
            "symbols": {**symbols, **front.symbols},
            "assume": (*front.assume, *self.assume),
            "unchecked": (*front.unchecked, *self.unchecked),
        }
        return replace(document, front=front.model_copy(update=update))


def held(
    document: Document,
    found: Recognised,
    guesses: Guesses,
    inherited: Mapping[str, Meaning] = MappingProxyType({}),
) -> Held:
    """Hold a page against the model that was recognised.

    Parameters
    ----------
    document : Document
        The page, or a chapter of it.
    found : Recognised
        Its model.
    guesses : Guesses
        What its symbols are in it.
    inherited : mapping of str to Meaning, optional
        What the whole page declares, of which a chapter has what its model knows.
    """
    numbers = with_other_numbers(found)
    known = Symbols(found.quantities, inherited)
    symbols = {key: inherited[key] for key in inherited if _is_known(known, key)}
    symbols |= guesses.sure()
    bare_page = Held(unchecked=numbers)
    cases = _held(bare_page.declared(document, symbols), found, numbers)
    if not document.front.inline and any(unread(document.page)):
        text = bare_page.declared(document.with_running_text, symbols)
        cases = cases.beside(_held(text, found, numbers))
    is_open = cases.differs or {*guesses.fails}.difference(cases.holds, cases.aside)
    return cases.but_for(_undecided(document)) if is_open else cases


def _undecided(document: Document) -> dict[str, str]:
    """Return the equations that a page by itself leaves undecided, as of two cases, and why."""
    return {one.label: one.reason for one in by_itself(document).equations if one.is_of_two_cases}


def _held(declared: Document, found: Recognised, numbers: tuple[Unchecked, ...]) -> Held:
    try:
        (checker,) = checkers_of(declared, {declared.front.model: found.quantities})
    except DocumentError:  # of which a check of the document tells what is wrong
        return Held(unchecked=numbers)
    return _Holding(found, checker).held(numbers)


def _is_known(symbols: Symbols, key: str) -> bool:
    """Return whether what a symbol is declared to be is something in a model."""
    try:
        symbols.varies(key)
    except FreebodyError:
        return False
    return True


class _Holding:
    """One page held against its model."""

    def __init__(self, found: Recognised, checker: Checker) -> None:
        self.found, self.checker = found, checker
        self.model = found.quantities.mechanism.model
        self.reasons = Reasons(found, checker)

    def held(self, numbers: Sequence[Unchecked]) -> Held:
        """Return what is a case, what may be about something else, and what differs."""
        assumed, holding, differs = list[Assumption](), list[str](), list[str]()
        reasons = defaultdict[str, list[str]](list)
        found = [*self.checker.judged()]
        odd, even = (
            [relation for relation, verdict in found if verdict.status == status]
            for status in ("differs", "holds")
        )
        ambiguous, why = self.reasons.ambiguous(odd, even), self.reasons
        for relation, verdict in found:
            if verdict.status == "holds":
                holding.append(verdict.label)
            elif cases := self._holding_cases(relation):
                assumed += (one.model_copy(update={"labels": (verdict.label,)}) for one in cases)
            elif reason := why.of(relation, verdict) or why.twice(relation, ambiguous):
                reasons[reason].append(verdict.label)
            else:
                differs.append(verdict.label)
        if self.found.may_be_misprinted(differs):
            reasons[why.either] += differs
            differs = []
        unchecked = (Unchecked(**{"in": each, "reason": one}) for one, each in reasons.items())
        return Held(
            tuple(_together(assumed)), (*numbers, *unchecked), tuple(holding), tuple(differs),
            frozenset(map(bare, ambiguous)),
            frozenset(one.label for one, _ in found if is_in_text(one)),
        )  # fmt: skip

    def _holding_cases(self, relation: Relation) -> list[Assumption]:
        """Return the cases in which an equation holds; none where it does not in any."""
        small = Assumption(small=self._angles) if self._angles else None
        printed = self.reasons.printed(relation.left, relation.right)
        left = self.reasons.acting - printed
        put_in = {name: one for name, one in self._numbers.items() if name not in printed}
        without = Assumption(given=dict.fromkeys(sorted(left), 0)) if left else None
        numbers = Assumption(given=put_in) if put_in else None
        tried = ((small,), (without,), (small, without), (numbers,), (small, numbers))
        for cases in tried:
            known = [one for one in cases if one is not None]
            if len(known) == len(cases) and self._holds(relation, known):
                return known
        return []

    def _holds(self, relation: Relation, cases: list[Assumption]) -> bool:
        checker = self.checker
        try:
            with checker.quantities.ring.budget.work():
                return checker.assumptions.besides(checker.symbols, relation, cases) is not None
        except FreebodyError:
            return False

    @cached_property
    def _angles(self) -> tuple[str, ...]:
        """The angles among the coordinates, as the page counts them where it has a letter."""
        model = self.model.coordinates
        turning = {key for key, one in model.items() if dimension(one.unit) == dimension("rad")}
        counted = dict[str, str]()
        for letter in self.found.system.coordinates:
            text = self.found.made.symbols.get(letter)
            if isinstance(text, str):
                counted |= {str(one): text for one in references(text) if str(one) in turning}
        return tuple(counted.get(key, key) for key in model if key in turning)

    @cached_property
    def _numbers(self) -> dict[str, str]:
        """The numbers that the page gives constants of the model, also for some case."""
        known = given_numbers(self.found)
        return {one.meaning: one.exact for one in known if one.meaning in self.model.constants}


def _without(entries: Iterable[Entries], labels: Collection[str]) -> Iterator[Entries]:
    """Iterate over entries without some labels, and without those that are of these alone."""
    for one in entries:
        if left := tuple(label for label in one.labels if label not in labels):
            yield one.model_copy(update={"labels": left})


def _together(cases: Iterable[Assumption]) -> Iterator[Assumption]:
    """Iterate over cases, each once with all the labels that it has."""
    labels: dict[str, list[str]] = {}
    known: dict[str, Assumption] = {}
    for one in cases:
        bare = one.model_copy(update={"labels": ()})
        known.setdefault(repr(bare), bare)
        labels.setdefault(repr(bare), []).extend(one.labels)
    for key, one in known.items():
        yield one.model_copy(update={"labels": tuple(labels[key])})
