"""A page held against the model that was recognised: what differs, and what is a case of its own.

A page prints small motions, examples in numbers and other systems beside the equations of its
model. What holds in a case is said to be one, and what may be about something else is left open.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from freebody.algebra.expressions import references
from freebody.algebra.units import KG, M, S, dimension
from freebody.checking.causes.dimensions import is_of_one_dimension
from freebody.checking.document import checkers_of
from freebody.checking.guesses import Guesses
from freebody.checking.introduced import bare, defines
from freebody.checking.meaning.conditions import is_in_text
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.report import EquationVerdict
from freebody.checking.verdicts import Checker
from freebody.consistency.letters import TIME
from freebody.documents import Document
from freebody.documents.document import Assumption, Meaning, Unchecked
from freebody.documents.latex import Relation
from freebody.documents.latex.names import printed
from freebody.documents.latex.tree import Call, Name, Node, Number, is_zero, walk
from freebody.errors import DocumentError, FreebodyError
from freebody.recognition.page_numbers import EXAMPLES, given_numbers, with_other_numbers
from freebody.recognition.recognised import Recognised

ELSEWHERE = "none of its section is about the model: it may be about something else"
CASE = "it lacks {}, which the model has: it may be a case without, or of some numbers"
TWICE = "it has {}, of which {} says something else"
EITHER = "it contradicts {}, of which the model is made: either may be misprinted"
OPEN = "it says what the model leaves open"
SIGNED = "it has an absolute value, and may be about one sign of what that is of"
IN_TIME = "it is one motion in time"
BY_LETTERS = "it holds in the model by what the page says of its letters"
"""Why an equation that does not hold as it stands is not held against the model of its page."""
Entries = TypeVar("Entries", Assumption, Unchecked)
_ACTING = (KG / S, KG * M**2 / S, KG / S**2, KG * M**2 / S**2)
"""What constants of dampers and springs are measured in."""
_FACTORS = re.compile(r"(?<!\*)[*/](?!\*)(?![^(]*\))")
_NAMES = re.compile(r"[A-Za-z_]\w*")


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
    """

    assume: tuple[Assumption, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    holds: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()
    ambiguous: frozenset[str] = frozenset()
    inline: frozenset[str] = frozenset()

    @property
    def aside(self) -> frozenset[str]:
        """The labels of equations that are of a case, or may be about something else."""
        assumed = (label for one in self.assume for label in one.labels)
        return frozenset(assumed).union(*(one.labels for one in self.unchecked))

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
    shown = _held(bare_page.declared(document, symbols), found, numbers)
    if document.front.inline:
        return shown
    every = _held(bare_page.declared(document.with_running_text, symbols), found, numbers)
    return shown.beside(every)


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
        self.is_made = found.source is None

    def held(self, numbers: Sequence[Unchecked]) -> Held:
        """Return what is a case, what may be about something else, and what differs."""
        assumed, holding, differs = list[Assumption](), list[str](), list[str]()
        reasons = defaultdict[str, list[str]](list)
        found = [*self.checker.judged()]
        odd = [relation for relation, verdict in found if verdict.status == "differs"]
        ambiguous = self._ambiguous(odd)
        for relation, verdict in found:
            if verdict.status == "holds":
                holding.append(verdict.label)
            elif cases := self._holding_cases(relation):
                assumed += (one.model_copy(update={"labels": (verdict.label,)}) for one in cases)
            elif reason := self._reason(relation, verdict) or self._twice(relation, ambiguous):
                reasons[reason].append(verdict.label)
            else:
                differs.append(verdict.label)
        if self._may_be_misprinted(differs):
            reasons[self._either] += differs
            differs = []
        unchecked = (Unchecked(**{"in": each, "reason": why}) for why, each in reasons.items())
        return Held(
            tuple(_together(assumed)), (*numbers, *unchecked), tuple(holding), tuple(differs),
            frozenset(map(bare, ambiguous)),
            frozenset(one.label for one, _ in found if is_in_text(one)),
        )  # fmt: skip

    def _may_be_misprinted(self, differs: Collection[str]) -> bool:
        """Return whether a model may itself be made of misprints: nearly as much differs as fits.

        Equations of motion as many as the coordinates make a model, whatever they are.
        """
        needed = len(self.model.coordinates) + len(differs)
        fitting = {*self.found.fits, *self.found.undriven}
        return bool(differs) and self.is_made and len(fitting) < needed

    @property
    def _either(self) -> str:
        return EITHER.format(", ".join(self.found.fits[:2]))

    @cached_property
    def _is_made_of_energies(self) -> bool:
        """Whether the model is made of energies, and no equation of motion is printed that fits."""
        rows = self.found.system.rows
        printed_rows = {label for row in rows if not row.is_derived for label in row.labels}
        return self.is_made and printed_rows.isdisjoint(self.found.fits)

    def _is_of_energy(self, relation: Relation) -> bool:
        """Return whether an equation says what an energy is, of which a model may be made."""
        meanings = (self.checker.symbols.meanings.get(name.key) for name, _ in defines(relation))
        return any(str(one).startswith("energy.") for one in meanings)

    def _ambiguous(self, differing: list[Relation]) -> dict[str, set[str]]:
        """Return the letters of which the page says what they are not in the model, and where."""
        meanings, ambiguous = self.checker.symbols.meanings, defaultdict[str, set[str]](set)
        for relation in self.checker.relations():
            for name, node in defines(relation):
                same = isinstance(node, Name) and meanings.get(name.key) == meanings.get(node.key)
                if relation in differing or (isinstance(node, Name) and not same):
                    ambiguous[name.key].add(relation.label)
        for own in self.checker.own.values():
            if not is_of_one_dimension(self.checker.symbols, own.relation):
                ambiguous[own.key].add(own.relation.label)
        return ambiguous

    def _twice(self, relation: Relation, ambiguous: Mapping[str, set[str]]) -> str:
        """Return which letter of an equation the page says to be something else elsewhere."""
        own = [name.key for name, _ in defines(relation) if name.key in self.checker.own]
        names = (one.key for one in walk(*_sides(relation)) if isinstance(one, Name))
        for key in (*own, *names):
            where = ambiguous.get(key, set()) - {relation.label}
            if where or key in own:
                return TWICE.format(printed(key), min(where, default="another"))
        return ""

    def _holding_cases(self, relation: Relation) -> list[Assumption]:
        """Return the cases in which an equation holds; none where it does not in any."""
        small = Assumption(small=self._angles) if self._angles else None
        left = self._acting - self._printed(*_sides(relation))
        without = Assumption(given=dict.fromkeys(sorted(left), 0)) if left else None
        numbers = Assumption(given=self._numbers) if self._numbers else None
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
    def _acting(self) -> set[str]:
        """The inputs of the model, and the constants of its dampers and springs."""
        constants = self.model.constants.items()
        return {*self.model.inputs} | {k for k, one in constants if dimension(one.unit) in _ACTING}

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

    def _absent(self, relation: Relation, verdict: EquationVerdict) -> set[str]:
        """Return the constants that an equation lacks, and for some values of which it may hold.

        All that it prints too much is then something with these in the model.
        """
        lost = (one.term for one in verdict.differences if one.printed == "0")
        missing = [term for term in lost if self._acting.isdisjoint(_NAMES.findall(term))]
        extra = [one.term for one in verdict.differences if one.derived == "0"]
        if not {*map(self._moving, extra)} <= {*map(self._moving, missing)}:
            return set()
        needed = {name for term in missing for name in _NAMES.findall(term)}
        return needed & {*self.model.constants} - self._printed(*_sides(relation))

    def _moving(self, term: str) -> tuple[str, ...]:
        """Return the factors of a term that are neither numbers nor constants."""
        factors = _FACTORS.split(term)
        return tuple(
            sorted(one for one in factors if {*_NAMES.findall(one)} - {*self.model.constants})
        )

    def _printed(self, *nodes: Node) -> set[str]:
        """Return the constants and inputs of the model that formulas have."""
        found, names = set[str](), self.found.quantities.mechanism.names
        known = {**names.constants, **names.inputs}
        for node in walk(*nodes):
            if isinstance(node, Name):
                with suppress(FreebodyError):
                    grid = self.checker.symbols.value(node.key, node.indices, node.dots)
                    atoms = {one for form in grid.entries() for one in form.atoms}
                    found |= {name for name, atom in known.items() if atom in atoms}
        return found

    def _reason(self, relation: Relation, verdict: EquationVerdict) -> str:
        """Return why an equation that does not hold may be about something else."""
        found, label = self.found, verdict.label
        if label in found.fits:
            return BY_LETTERS
        if label not in found.near:
            return ELSEWHERE
        if has_decimals(relation) or self._is_of_numbers(relation):
            return EXAMPLES
        if self._is_in_time(relation):
            return IN_TIME
        if any(isinstance(one, Call) and one.function == "abs" for one in walk(*_sides(relation))):
            return SIGNED
        if self._is_made_of_energies and self._is_of_energy(relation):
            return self._either
        if self._is_open(relation):
            return OPEN
        absent = self._absent(relation, verdict)
        return CASE.format(", ".join(sorted(absent))) if absent else ""

    def _is_of_numbers(self, relation: Relation) -> bool:
        """Return whether an equation has numbers in place of all constants, on one of its sides."""
        sides = [side for side in _sides(relation) if not is_zero(side)]
        of_numbers = [side for side in sides if not self._printed(side)]
        nodes = [node for side in of_numbers for node in walk(side)]
        has_numbers = any(isinstance(node, Number) for node in nodes)
        is_accelerated = any(isinstance(node, Name) and node.dots > 1 for node in nodes)
        return has_numbers and (len(of_numbers) < len(sides) or is_accelerated)

    def _is_in_time(self, relation: Relation) -> bool:
        """Return whether an equation has the time itself, as one motion of the model has."""
        names = {node.key for node in walk(*_sides(relation)) if isinstance(node, Name)}
        return TIME in names

    def _is_open(self, relation: Relation) -> bool:
        """Return whether an equation has nothing but constants and coordinates, each by its name.

        These are independent in the model: it can say nothing of them alone.
        """
        meanings = self.checker.symbols.meanings
        names = [node for node in walk(*_sides(relation)) if isinstance(node, Name)]
        own = {*self.model.constants, *self.model.coordinates}
        return all(not one.dots and str(meanings.get(one.key)) in own for one in names)


def _sides(relation: Relation) -> tuple[Node, Node]:
    return relation.left, relation.right


def has_decimals(relation: Relation) -> bool:
    """Return whether an equation has numbers that are no halves, thirds or the like."""
    nodes = walk(*_sides(relation))
    return any(node.value.denominator % 5 == 0 for node in nodes if isinstance(node, Number))


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
