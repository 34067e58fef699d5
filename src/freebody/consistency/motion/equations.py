"""The equations of a page as ones of motion, with all that its letters stand for put in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from freebody.algebra import Form
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.views import Definition
from freebody.consistency.motion.dissipation import Dissipation, dissipation
from freebody.consistency.motion.elimination import Balance
from freebody.consistency.motion.lagrangian import Lagrangian, lagrangian
from freebody.consistency.motion.residuals import residuals
from freebody.consistency.motion.small_motions import accelerations, linear
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex import Relation
from freebody.errors import FreebodyError

MOST_TERMS, MOST_ROWS = 1_000, 3
"""Of an equation of motion with all that its letters stand for, and of one of columns; longer ones
are left aside."""
MOST_PRODUCTS = 400_000
"""Of terms, to write out one equation."""


class _Lowered(NamedTuple):
    """What is left of an equation with what its letters stand for, and which others say that."""

    forms: list[Form]
    used: frozenset[int]


class Equations:
    """The equations of a page as ones of motion, each worked out once.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
        What its letters stand for.

    Attributes
    ----------
    statements, meanings : Statements, Meanings
    letters : Letters
    left_aside : frozenset of int
        The numbers of the equations that none is held against.
    """

    def __init__(self, statements: Statements, meanings: Meanings) -> None:
        self.statements, self.meanings, self.letters = statements, meanings, meanings.letters
        self.left_aside = frozenset[int]()
        self._numbers: frozenset[int] | None = None
        self._energies: dict[int, Lagrangian | None] = {}
        self._lagrangians: dict[tuple[int, ...], Lagrangian] = {}
        self._balances: dict[int, tuple[Balance, ...]] = {}
        self._slowed: dict[Balance, Balance | None] = {}
        self._lowered: dict[int, _Lowered] = {}
        self._coefficients: dict[Form, dict[Letter, Form]] = {}

    # ------------------------------------------------------------------ the page otherwise

    def among(self, others: Iterable[Statement]) -> Equations:
        """Return the page with some of its equations of motion alone."""
        made = copy(self)
        made._numbers = frozenset(one.number for one in others)
        return made

    def without(self, wrong: Iterable[Statement]) -> Equations:
        """Return the page with some of its equations left aside."""
        wrong = [*wrong]
        made = Equations(self.statements, self.meanings.without(wrong))
        made.left_aside = self.left_aside | {one.number for one in wrong}
        made._coefficients = self._coefficients
        return made

    def changed(self, old: Statement, relation: Relation) -> Equations:
        """Return the page with another equation in place of one."""
        new = replace(old, relation=relation)
        every = tuple(new if one is old else one for one in self.statements.all)
        statements = replace(self.statements, all=every)
        made = self._alike(statements, self.meanings.changed(old, new))
        said = {one.letter for one in self.meanings.of(old)}
        says = {one.letter for one in made.meanings.of(new)}
        if says <= said:
            made._take_over(self, lambda number, used: old.number not in {number, *used})
        made._energies = {
            number: energy
            for number, energy in self._energies.items()
            if energy is not None and old not in energy.used and not says | said
        }
        return made

    def where(self, said: Definition) -> Equations:
        """Return the page where a letter stands for one thing."""
        return self._alike(self.statements, self.meanings.where(said))

    def with_equal(self, equal: Iterable[Statement]) -> Equations:
        """Return the page where the letters of some equations, ``u = F``, are one."""
        equal = [*equal]
        made = self._alike(self.statements, self.meanings.with_equal(equal))
        made._numbers = self._numbers
        new = {key for one in equal for key, _ in one.equated}
        every = self.statements.all
        made._take_over(self, lambda number, _: new.isdisjoint(self.keys(every[number])))
        return made

    def _alike(self, statements: Statements, meanings: Meanings) -> Equations:
        made = Equations(statements, meanings)
        made.left_aside, made.weights = self.left_aside, self.weights
        made._coefficients = self._coefficients
        return made

    def _take_over(self, other: Equations, is_same: Callable[[int, frozenset[int]], bool]) -> None:
        """Take what is left of equations that are the same, by their numbers and what they use."""
        for number, lowered in other._lowered.items():
            if is_same(number, lowered.used):
                self._lowered[number] = lowered
                if number in other._balances:
                    self._balances[number] = own = other._balances[number]
                    known = (one for one in own if one in other._slowed)
                    self._slowed |= {one: other._slowed[one] for one in known}

    # ------------------------------------------------------------------ its equations

    def forms(self, statement: Statement) -> list[Form]:
        """Return what is left of an equation with all that its letters stand for.

        Nothing where it has no meaning.
        """
        return self._lower(statement).forms

    def _lower(self, statement: Statement) -> _Lowered:
        if statement.number not in self._lowered:
            view, found = self.meanings.view(statement), list[Form]()
            with (
                suppress(FreebodyError, ZeroDivisionError),
                self.letters.ring.budget.work(MOST_PRODUCTS),
            ):
                found += [view.lower(form) for form in residuals(view, statement.relation)]
            self._lowered[statement.number] = _Lowered(found, frozenset(view.used))
        return self._lowered[statement.number]

    def used(self, statement: Statement) -> list[Statement]:
        """Return the others that say what the letters of an equation stand for."""
        return [self.statements.all[number] for number in self._lower(statement).used]

    def keys(self, statement: Statement) -> set[str]:
        """Return the letters that are left in an equation."""
        forms = self.forms(statement)
        return {one.key for form in forms for one in letters_of(self.letters, form)}

    def balances(self, statement: Statement) -> tuple[Balance, ...]:
        """Return the rows of an equation as ones of motion, if all are; that of a number is one.

        Of a column of states those are left out that say of a rate what it is. What says what a
        matrix is is none, though accelerations stand behind it.
        """
        if statement.number not in self._balances:
            forms = [form for form in self.forms(statement) if form]
            says_matrix = any(one.grid.shape[1] > 1 for one in self.meanings.of(statement))
            are_so = len(forms) <= MOST_ROWS and all(map(self._may_balance, forms))
            are_so &= not says_matrix
            self._balances[statement.number] = tuple(map(self.balanced, forms)) if are_so else ()
        return self._balances[statement.number]

    def _may_balance(self, form: Form) -> bool:
        return len(form.terms) <= MOST_TERMS and bool(accelerations(self.letters, form))

    def balanced(self, form: Form) -> Balance:
        """Return what is zero as an equation of motion."""
        return Balance(self.letters, form, self.weights)

    @cached_property
    def dissipation(self) -> Dissipation | None:
        """The dissipation function of the page, if it has one."""
        every = tuple(one for one in self.statements.all if one.number not in self.left_aside)
        return dissipation(every, self.meanings)

    @cached_property
    def weights(self) -> frozenset[str]:
        """The letters that stand before accelerations."""
        found = set[str]()
        for one in self.statements.all:
            for form in filter(self._may_balance, self.forms(one)):
                for atom in accelerations(self.letters, form):
                    slope = self.letters.ring.partial(form, atom)
                    found |= {letter.key for letter in letters_of(self.letters, slope)}
        return frozenset(found)

    def slow(self, every: Iterable[tuple[Statement, Balance]]) -> list[tuple[Statement, Balance]]:
        """Return equations of motion as they are for small motions about zero."""
        for _, balance in every:
            if balance not in self._slowed:
                self._slowed[balance] = None
                with suppress(ZeroDivisionError):
                    form = linear(self.letters, balance.form)
                    self._slowed[balance] = self.balanced(form) if form else None
        found = ((one, self._slowed[balance]) for one, balance in every)
        return [(one, balance) for one, balance in found if balance]

    def coefficients(self, form: Form) -> Mapping[Letter, Form]:
        """Return what stands before each letter that moves in a linear form."""
        if form not in self._coefficients:
            letters = self.letters
            self._coefficients[form] = {
                one: letters.ring.partial(form, letters.atom(one))
                for one in letters_of(letters, form)
                if one.key in letters.moving
            }
        return self._coefficients[form]

    def beside(self, statement: Statement) -> list[Statement]:
        """Return the other equations that one may be held against, those near it first.

        What running text says in a later section is of that.
        """
        found = [
            one
            for one in self.statements.all
            if one.number != statement.number
            and (self._numbers is None or one.number in self._numbers)
            and one.number not in self.left_aside
            and one.relation.relation in EQUALITIES
            and not (one.is_inline and one.section > statement.section)
        ]
        return sorted(
            found,
            key=lambda one: (
                one.section != statement.section,
                abs(one.number - statement.number),
            ),
        )

    def others(self, statement: Statement) -> list[tuple[Statement, Balance]]:
        """Return the other equations of motion, those near it first, and of columns row by row.

        Those that it was put into are none: it would follow from itself. Nor are those of a case,
        unless both are of the same small motions.
        """
        near = [
            one
            for one in self.beside(statement)
            if not (one.is_case and not _are_both_small(one, statement))
            and not one.states_value
            and statement.number not in self._lower(one).used
        ]
        near.sort(key=lambda one: len(self.balances(one)) > 1)
        return [(one, balance) for one in near for balance in self.balances(one)]

    def energy(self, statement: Statement) -> Lagrangian | None:
        """Return the Lagrangian that an equation can be held against."""
        if statement.number not in self._energies:
            view = self.meanings.view(statement)
            self._energies[statement.number] = lagrangian(view, self._lagrangians)
        return self._energies[statement.number]


def _are_both_small(one: Statement, other: Statement) -> bool:
    """Return whether equations of a section are of small motions alone."""
    return one.is_small and other.is_small and one.section == other.section
