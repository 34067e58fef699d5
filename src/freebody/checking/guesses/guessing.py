"""What each symbol of a page stands for, as far as its equations and its words tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from freebody.checking.guesses.by_name import ByName
from freebody.checking.guesses.catalogue import Entry, catalogue
from freebody.checking.guesses.conventions import (
    CONVENTIONAL,
    ENERGIES,
    OF_ENERGIES,
    UNLIKELY,
    Candidate,
    SymbolShape,
    candidates,
    is_shorthand,
)
from freebody.checking.guesses.energy_letters import energy_letters
from freebody.checking.guesses.meaning_tester import MeaningTester
from freebody.checking.guesses.page_words import with_words
from freebody.checking.guesses.proof import Proof
from freebody.checking.guesses.prose_definitions import SETTLED, explained_meanings
from freebody.checking.guesses.search import MeaningSearch
from freebody.checking.guesses.symbols import (
    Open,
    PageSymbols,
    SymbolEquation,
    UsedSymbol,
    angles,
    read,
)
from freebody.checking.introduced import defines
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document
from freebody.documents.document import Meaning
from freebody.documents.latex.name_marks import name_marks
from freebody.documents.latex.tree import Node
from freebody.errors import FreebodyError
from freebody.mechanics.notation import python

WORK = 4_000_000
"""How much is worked out for a page, see `MeaningTester.work`."""
MOST_ALTERNATIVES = 3
LONG = 100
"""Equations from which on a page is about several things."""
LONGEST = 400
"""Characters of an expression that a symbol is defined by."""
BY_NAME = "by its name only"
"""Why a guess is made for which no equation speaks."""
BY_RATES = "the page differentiates by it"
"""Why a letter is the time."""
PRINTED = 1.2
"""How much less an energy costs a letter that an equation makes one."""
CONSTANT, VARYING = 0.9, 1.5
"""What such a meaning costs."""
BY_TIME = re.compile(
    r"(?<![A-Za-z\\])d\s*t(?![A-Za-z])|\\(?:mathrm|text|operatorname)\s*\{d\}\s*t(?![A-Za-z])"
    r"|\((?:\\,|\s)*t(?:\\,|\s)*(?:\\right\s*)?\)|\\(?:dd|dv|dv\[2\])\{t\}"
)
"""Rates by t, and functions of it."""
OF_BODIES = frozenset({"mass", "inertia"})
"""Of what kinds a page may have more than the model."""
_HEAVY = frozenset({"M", "C", "G", "E", "tau", "reaction", "reaction moment", "resultant",
    "resultant moment", "acceleration", "turning rate",
})  # fmt: skip
"""What takes the equations of motion, worked out."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a symbol stands for.

    Attributes
    ----------
    used : UsedSymbol
        The symbol, and where it occurs.
    standing : {"sure", "unsure", "unknown"}
    meaning : str or list, optional
        The best guess; None where there is none.
    why : str
        In a few words.
    alternatives : tuple
        What else it may stand for, the likeliest first.
    """

    used: UsedSymbol
    standing: Literal["sure", "unsure", "unknown"]
    meaning: Meaning | None
    why: str
    alternatives: tuple[Meaning, ...] = ()

    @property
    def key(self) -> str:
        """The symbol, as a document would declare it."""
        return self.used.key


@dataclass(frozen=True, slots=True)
class Guesses:
    """What is guessed of a page.

    Attributes
    ----------
    symbols : tuple of Guess
        In the order they occur.
    page : PageSymbols
    fits, fails : tuple of str
        The labels of the equations that hold with what is sure, and of those that do not.
    waits : tuple of str
        The labels of those with symbols that are not sure.
    named : dict of str to str
        The model's own names that no equation speaks for or against.
    gave_up : bool
        Whether as much was worked out as may be before everything was tried.
    faults : tuple of str
        Of each equation in which freebody failed, the line by which that can be reported.
    """

    symbols: tuple[Guess, ...]
    page: PageSymbols
    fits: tuple[str, ...]
    fails: tuple[str, ...]
    waits: tuple[str, ...]
    named: dict[str, Meaning]
    gave_up: bool
    faults: tuple[str, ...] = ()

    def with_those_that_hold(self, labels: Collection[str]) -> Guesses:
        """Return them with equations of the page that hold by words before them as well."""
        holds = (one.label for one in self.page.equations if one.label in labels)
        fits = tuple(dict.fromkeys((*self.fits, *holds)))
        fails, waits = (
            tuple(label for label in each if label not in labels)
            for each in (self.fails, self.waits)
        )
        return replace(self, fits=fits, fails=fails, waits=waits)

    def sure(self) -> dict[str, Meaning]:
        """Return what is sure."""
        return {
            guess.key: guess.meaning
            for guess in self.symbols
            if guess.standing == "sure" and guess.meaning is not None
        }


def guess(
    document: Document,
    quantities: Quantities,
    effort: float = 1.0,
    say: Callable[[str], None] = lambda _: None,
    *,
    open_keys: Collection[str] = (),
    near: Collection[str] = (),
) -> Guesses:
    """Guess what the symbols of a page stand for.

    Parameters
    ----------
    document : Document
        The page; what it declares already is taken for granted.
    quantities : Quantities
        Of the model that the page is about.
    effort : float, optional
        How many times the usual work it may take, at the most.
    say : callable, optional
        Is told what is being done.
    open_keys : collection of str, optional
        Symbols that are declared and prove nothing of others.
    near : collection of str, optional
        The labels of the equations that are about the model; of a long page the others are left.
    """
    return _Guesser(document, quantities, effort * WORK, say, open_keys, near).guesses()


class _Guesser:
    """One page, and what its symbols may mean."""

    def __init__(
        self,
        document: Document,
        quantities: Quantities,
        work: float,
        say: Callable[[str], None],
        open_keys: Collection[str] = (),
        near: Collection[str] = (),
    ) -> None:
        self.given = document.front.symbols
        declared = Symbols(quantities, self.given)
        names = Open(self.given, declared.varies, name_marks(document.page))
        self.page, self.say = read(document.page, names), say
        self.trial = MeaningTester(quantities)
        entries = [e for e in catalogue(quantities) if self.trial.is_solved or e.kind not in _HEAVY]
        keys = [used.key for used in self.page.symbols]
        self.prose = prose = document.prose
        self.page = with_words(self.page, prose, document.page.macros)
        self.said = said = explained_meanings(prose, keys, entries)
        self.energies = energy_letters(self.page.equations)
        for key, kind in self.energies.items():
            said.setdefault(key, {})[kind] = PRINTED
        self.domains = {
            used.key: self._domain(used.key, entries, said.get(used.key, {}))
            for used in self.page.symbols
        }
        self._share_names()
        equations = [equation for equation in self.page.equations if equation.tells]
        if near and len(equations) > LONG:
            equations = [equation for equation in equations if equation.label in near]
        self.search = MeaningSearch(
            self.trial, equations, self.domains, self._families(), 0.6 * work
        )
        self.proof = Proof(self.search, 0.4 * work, frozenset(self.given) - {*open_keys})

    def guesses(self) -> Guesses:
        """Look for what the symbols mean."""
        self.say(f"trying meanings of {len(self.domains)} symbols")
        self.search.run()
        while self._define() and not self.search.is_over():
            self.search.run()
        self.say("looking for what the equations prove")
        self.proof.run()
        open_ = (used for used in self.page.symbols if used.key not in self.given)
        found = tuple(map(self._guess, open_))
        faults = tuple(f"{label}: {told}" for label, told in self.trial.faults.items())
        gave_up = self.search.gave_up
        return Guesses(found, self.page, *self._counts(), self._named(), gave_up, faults)

    def _domain(
        self, key: str, entries: Sequence[Entry], said: Mapping[str, float]
    ) -> list[Candidate]:
        """Return what a symbol may stand for; of what is worth the same the likeliest."""
        if key in self.given:
            return [Candidate(self.given[key], 0.0, ("declared",), is_exact=True)]
        different: dict[object, Candidate] = {}
        for one in candidates(key, entries, said):
            value = self.trial.worth(one)
            if value is not None and (any(value.entries()) or one.is_block):
                known = different.get(value)
                different[value] = known.also(one) if known else one
        return list(different.values())

    def _share_names(self) -> None:
        r"""Leave a name of the model to the symbol that is spelled so, of ``l`` and ``\ell``."""
        named: dict[str, list[str]] = {}
        for key, domain in self.domains.items():
            for text in {one.text for one in domain if one.is_exact}:
                named.setdefault(text, []).append(key)
        for keys in named.values():
            spelled = [key for key in keys if not SymbolShape.of(key).is_variant]
            others = set(keys) - {*spelled[:1]} if len(keys) > 1 else set()
            for key in others:
                self.domains[key] = [replace(one, is_exact=False) for one in self.domains[key]]

    def _families(self) -> list[tuple[str, ...]]:
        """Return the symbols with subscripts that share a letter."""
        families: dict[str, list[str]] = {}
        for key, domain in self.domains.items():
            if domain:
                families.setdefault(SymbolShape.of(key).letter, []).append(key)
        angles = [k for k, domain in self.domains.items() if any(c.counts_angles for c in domain)]
        return [tuple(keys) for keys in (angles, *families.values()) if len(keys) > 1]

    def _define(self) -> bool:
        """Offer symbols the expressions by which the page defines them."""
        offered = _defined(self.search)
        for key, one in offered.items():
            self.search.offer(key, one)
        return bool(offered)

    def _guess(self, used: UsedSymbol) -> Guess:
        chosen = self.search.chosen.get(used.key)
        if chosen is None:
            return Guess(used, "unknown", None, "nothing in the model fits")
        if why := self._why_sure(used.key, chosen):
            return Guess(used, "sure", chosen.meaning, why)
        return self._unsure(used, chosen)

    def _why_sure(self, key: str, chosen: Candidate) -> str:
        """Return why a symbol is sure to mean this; nothing where it is not."""
        if self._lacks_potential(chosen):
            return ""
        if key in self.proof.sure:
            return self.proof.sure[key]
        if not self._is_likely(chosen):
            return ""
        if self._is_said(key, chosen):
            return "the page says so, and there is no other"
        if self._is_time(key, chosen):
            return BY_RATES
        is_defined = chosen.definition and self._is_shorthand(key, chosen)
        return "the page defines it so" if is_defined else ""

    def _is_time(self, key: str, chosen: Candidate) -> bool:
        """Return whether a symbol is the time, by which the page has rates and functions."""
        is_t = chosen.kind == "time" and chosen.text == key
        return is_t and bool(BY_TIME.search(self.prose))

    def _unsure(self, used: UsedSymbol, chosen: Candidate) -> Guess:
        """Return what a symbol may stand for: what equations speak for, or its name alone."""
        search, key = self.search, used.key
        rivals = [one for one in self._rivals(key) if one is not chosen]
        others = tuple(one.meaning for one in rivals)[:MOST_ALTERNATIVES]
        if not self._is_likely(chosen):
            return Guess(used, "unknown", None, "nothing fits", others)
        if key in self.proof.named:
            return Guess(used, "unsure", chosen.meaning, "the model's own name", others)
        usual = (one for one in rivals if one.cost <= CONVENTIONAL)
        allowed = [one for one in (chosen, *usual) if self._allows(key, one)]
        if not allowed:
            return Guess(used, "unknown", None, "nothing in the model fits")
        best, *rest = allowed
        held = search.count_holding(search.holding[key], {}) if best is chosen else 0
        why = f"{held} of {used.count} hold with it" if held else BY_NAME
        others = tuple(one.meaning for one in rest)[:MOST_ALTERNATIVES]
        return Guess(used, "unsure", best.meaning, why, others)

    def _lacks_potential(self, one: Candidate) -> bool:
        """Return whether an energy is the kinetic one alone in the model, and not on the page.

        There what acts is forces, which the page has a potential energy of.
        """
        if one.kind not in ("lagrangian", "total") or "potential" not in self.energies.values():
            return False
        value = self.trial.worth(Candidate("energy.potential", 0.0, ("potential",)))
        return value is None or not any(value.entries())

    def _allows(self, key: str, one: Candidate) -> bool:
        """Return whether a meaning may be told that is not sure."""
        holds = self.search.count_holding(self.search.holding[key], {key: one}) > 0
        return self.by_name.allows(key, one, holds=holds)

    @cached_property
    def by_name(self) -> ByName:
        """What judges meanings for which no equation speaks."""
        return ByName(self.search, {*self.proof.sure, *self.proof.named}, self.said)

    def _is_said(self, key: str, chosen: Candidate) -> bool:
        """Return whether the page says what a symbol is, the model has one of these alone.

        No equation of what is sure may say otherwise, and no other letter be that.
        """
        if any(str(meaning) == chosen.text for meaning in self.given.values()):
            return False
        said = self.said.get(key, {})
        kinds = SETTLED & said.keys()
        if chosen.kind not in kinds or not chosen.text.replace(".", "_").isidentifier():
            return False
        alike = {one.text for one in self.domains[key] if one.kind in kinds}
        if _is_of_all(key, chosen):
            alike = {chosen.text}
        is_of_model = chosen.kind not in ENERGIES or self._is_of_known(key)
        is_one = chosen.kind not in OF_BODIES or self._is_only(chosen.kind)
        return len(alike) == 1 and is_of_model and is_one and self._is_undisputed(key)

    def _is_only(self, kind: str) -> bool:
        """Return whether the page calls one of its letters a quantity of a kind."""
        return sum(kind in said for said in self.said.values()) == 1

    def _is_of_known(self, key: str) -> bool:
        """Return whether the page makes an energy of what is known, or of other energies.

        Else it may be that of more than the model has.
        """
        known = {key, *self.proof.sure, *self.given, *self.energies}
        return all(
            known >= {*equation.keys}
            for equation in self.page.equations
            for name, _ in defines(equation.relation)
            if name.key == key
        )

    def _is_shorthand(self, key: str, chosen: Candidate) -> bool:
        """Return whether a symbol is what the page writes for constants that are known.

        A mass, an inertia or a length may be one of an example.
        """
        return chosen.cost == CONSTANT and is_shorthand(key) and self._is_undisputed(key)

    def _is_undisputed(self, key: str) -> bool:
        """Return whether no equation of what is sure says that a symbol is something else."""
        known = {key, *self.proof.sure, *self.given}
        ready = [e for e in self.search.holding[key] if known >= {*e.keys}]
        turning = angles(ready)
        return all(
            self.search.trial.holds(e, self.search.chosen) or e.is_small(turning) for e in ready
        )

    def _is_likely(self, one: Candidate) -> bool:
        """Return whether a symbol may well mean this; a guess made of guesses is none."""
        given = {key for key in one.made_of if key in self.given or key in self.proof.sure}
        return one.cost < UNLIKELY and len(given) == len(one.made_of)

    def _rivals(self, key: str) -> list[Candidate]:
        """Return likely meanings of a symbol, those with which most equations hold first."""
        search, equations = self.search, self.search.holding[key]
        likely = filter(self._is_likely, self.domains[key])
        return sorted(
            likely, key=lambda one: (-search.count_holding(equations, {key: one}), one.cost)
        )

    def _named(self) -> dict[str, Meaning]:
        return {key: self.search.chosen[key].meaning for key in self.proof.named}

    def _counts(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        known = self.proof.sure.keys() | self.given.keys()
        pairs = [(e, set(e.keys) <= known and e.tells) for e in self.page.equations]
        judged = [e for e, is_told in pairs if is_told]
        waits = tuple(e.label for e, is_told in pairs if not is_told)
        held = [bool(self.search.count_holding([e], {})) for e in judged]
        fits = tuple(e.label for e, holds in zip(judged, held, strict=True) if holds)
        turning = angles(self.page.equations)
        chosen, trial = self.search.chosen, self.search.trial
        fails = tuple(  # what cannot fail, such as an identity, is neither
            e.label
            for e, holds in zip(judged, held, strict=True)
            if not (holds or e.is_small(turning) or e.gives_number) and trial.fails(e, chosen)
        )
        return fits, fails, waits


def _is_of_all(key: str, one: Candidate) -> bool:
    """Return whether a letter would be an energy of the whole model, and none is below it."""
    whose = SymbolShape.of(key).subscript
    is_whole = one.kind in ENERGIES and one.text == f"energy.{one.kind}"
    return is_whole and (not whose or OF_ENERGIES.get(whose) == one.kind)


def guessed(document: Document, quantities: Quantities) -> dict[str, Meaning]:
    """Return what the symbols of a page stand for, as far as that is sure.

    The model's own names mean themselves, as long as no equation says otherwise.

    Parameters
    ----------
    document : Document
        The page; what it declares already is taken for granted.
    quantities : Quantities
        Of the model that it is about.
    """
    found = guess(document, quantities)
    return {**found.named, **found.sure()}


def _defined(search: MeaningSearch) -> dict[str, Candidate]:
    """Return what a page defines, each with its expression."""
    found: dict[str, Candidate] = {}
    for equation in search.equations:
        for name, node in defines(equation.relation):
            key = name.key
            is_open = key not in found and not search.count_holding(search.holding[key], {})
            is_open &= not any(one.definition for one in search.domains[key])
            if is_open and (one := _expression(search, equation, key, node)):
                found[key] = one
    return found


def _expression(
    search: MeaningSearch, equation: SymbolEquation, key: str, node: Node
) -> Candidate | None:
    others = [name for name in equation.keys if name != key]
    is_number = {*others} <= {r"\pi"}  # of an example
    if is_number or any(name not in search.chosen for name in others):
        return None
    quantities = search.trial.quantities
    symbols = Symbols(quantities, {name: search.chosen[name].meaning for name in others})
    try:
        with quantities.ring.budget.work():
            form = Evaluator(symbols).value(node).form
            cost = VARYING if quantities.varies(form) else CONSTANT
            text = python(quantities.ring.expression(form), quantities.mechanism.names)
    except (FreebodyError, KeyError):
        return None
    if len(text) > LONGEST or not form:
        return None
    return Candidate(text, cost, ("definition",), definition=node, made_of=tuple(others))
