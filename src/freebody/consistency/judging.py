"""Whether an equation of a page follows from the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import TooLargeError
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import COMPARED, EQUALITIES
from freebody.consistency.finding import Finding
from freebody.consistency.frequency import OSCILLATES, squares_of, stated_square
from freebody.consistency.letters import (
    Letter,
    PageTooLongError,
    bare_of_font,
    is_vector,
    letters_of,
)
from freebody.consistency.matrices import (
    CORIOLIS,
    GRADIENT,
    GRAVITY,
    HALF_PRODUCT,
    SYMMETRIC,
    Use,
    asymmetric,
    coriolis_left,
    gravity_left,
    is_kinetic,
    mass_matrix,
    uses,
)
from freebody.consistency.meanings import Meanings, View
from freebody.consistency.motion import (
    KINETIC,
    POTENTIAL,
    Balance,
    Lagrangian,
    accelerations,
    eliminated,
    follows_from,
    is_linear,
    is_rescaled,
    lacking,
    lagrangian,
    linear,
    may_be_balanced,
)
from freebody.consistency.numbers import in_numbers
from freebody.consistency.otherwise import Otherwise
from freebody.consistency.residuals import residuals
from freebody.consistency.statements import Statement, Statements, functions, keys
from freebody.consistency.suspects import brought_kinds, doubled, missing_kinds
from freebody.consistency.values import Values
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, Partial, TimeDerivative, show, walk
from freebody.errors import FreebodyError

MOST_PRODUCTS = 400_000
"""Of terms, to judge one equation."""
STEP = "a step of a derivation, in the same letters"
SAID_ONCE = "it says what {} is, which nothing else says"
LATE = "the page takes too long, and it is not looked at"


class _Lowered(NamedTuple):
    """What is left of an equation with what its letters stand for, and which others say that."""

    forms: list[Form] | None
    used: frozenset[int]


class Judge:
    """Holds the equations of a page against each other.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings, optional
        What its letters stand for.
    unknown : frozenset of str, optional
        The letters that are functions the page does not give, or of several things.

    Attributes
    ----------
    is_exact : bool
        Whether what holds for small motions alone is left out.
    left_aside : frozenset of int
        The numbers of the equations that none is held against.
    """

    def __init__(
        self,
        statements: Statements,
        meanings: Meanings | None = None,
        unknown: frozenset[str] | None = None,
    ) -> None:
        self.statements = statements
        self.meanings = meanings or Meanings(statements)
        self.letters = self.meanings.letters
        self._functions = self._unknown_functions() if unknown is None else unknown
        self.otherwise = Otherwise(statements, self.meanings, self._functions)
        self.is_exact, self.turns = False, True
        self._numbers: frozenset[int] | None = None
        self.left_aside = frozenset[int]()
        self._by_equal: dict[tuple[int, ...], Judge] = {}
        self._backwards: Judge | None = None
        self._energies: dict[int, Lagrangian | None] = {}
        self._lagrangians: dict[tuple[int, ...], Lagrangian] = {}
        self._balances: dict[int, Balance | None] = {}
        self._slowed: dict[int, Balance | None] = {}
        self._lowered: dict[int, _Lowered] = {}

    def _unknown_functions(self) -> frozenset[str]:
        known = self.meanings.definitions
        found = functions(self.statements)
        several = (
            key for key, of in found.items() if len(of) > 1 or len(known.get(key, ())) != 1
        )  # fmt: skip
        return frozenset(several)

    def among(self, others: Iterable[Statement]) -> Judge:
        """Return what judges the page with some of its equations of motion alone."""
        made = copy(self)
        made._numbers = frozenset(one.number for one in others)
        made._by_equal = {}
        return made

    def without(self, wrong: Collection[Statement]) -> Judge:
        """Return what judges the page with some of its equations left aside."""
        made = Judge(self.statements, self.meanings.without(wrong), self._functions)
        made.left_aside = self.left_aside | {one.number for one in wrong}
        return made

    def changed(self, old: Statement, relation: Relation) -> Judge:
        """Return what judges the page with another equation in place of one."""
        new = replace(old, relation=relation)
        every = tuple(new if one is old else one for one in self.statements.all)
        statements = replace(self.statements, all=every)
        made = Judge(statements, self.meanings.changed(old, new), self._functions)
        made.left_aside = self.left_aside
        made._weights = self._weights
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

    def _take_over(self, other: Judge, is_same: Callable[[int, frozenset[int]], bool]) -> None:
        """Take what is left of equations that are the same, by their numbers and what they use."""
        for number, lowered in other._lowered.items():
            if is_same(number, lowered.used):
                self._lowered[number] = lowered
                if number in other._balances:
                    self._balances[number] = other._balances[number]
                if number in other._slowed:
                    self._slowed[number] = other._slowed[number]

    def at(self, statement: Statement) -> Statement:
        """Return the equation of the page that stands in a place."""
        return self.statements.all[statement.number]

    def finding(self, statement: Statement) -> Finding:
        """Return what the others say of an equation."""
        relation = statement.relation
        if self.letters.ration.is_spent:
            return Finding(None, reason=LATE)
        if relation.relation not in COMPARED:
            return Finding(None, reason=f"no equation: '{relation.relation}'")
        if show(relation.left) == show(relation.right):
            return Finding(None, reason="it says that something is itself")
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                found = (
                    self._of_matrix(statement)
                    or in_numbers(self.meanings, statement)
                    or self._finding(statement)
                )
                if found.holds is None:
                    found = self._of_energy(statement) or found
                if not found.holds and (again := self._with_equal(statement)):
                    is_less = found.holds is None or found.is_open
                    found = again if again.holds or (again.holds is False and is_less) else found
                assumed = self.statements.assumed
                is_open = any(one.uses(assumed) for one in (statement, *found.others))
                return replace(found, is_open=found.is_open or is_open)
        except TooLargeError:
            return Finding(None, reason="it is too large to be written out")
        except PageTooLongError:
            return Finding(None, reason=LATE)
        except (FreebodyError, ZeroDivisionError) as error:
            if own := self.meanings.of(statement):
                return Finding(None, reason=SAID_ONCE.format(_with_dots(own[0].letter)))
            return Finding(None, reason=f"it has no meaning by the page alone: {error}")

    def _with_equal(self, statement: Statement) -> Finding | None:
        """Return what an equation of motion follows from where letters are one, ``u = F``."""
        forms = self._lowered_of(statement) or []
        equal = self._equal(statement)
        if not equal or not any(accelerations(self.letters, form) for form in forms):
            return None
        numbers = tuple(one.number for one in equal)
        if numbers not in self._by_equal:
            made = Judge(self.statements, self.meanings.with_equal(equal), self._functions)
            made.left_aside, made._numbers = self.left_aside, self._numbers
            made._weights = self._weights
            made.is_exact, made.turns = self.is_exact, self.turns
            new = {one.relation.left.key for one in equal}  # type: ignore[union-attr]
            made._take_over(self, lambda number, _: new.isdisjoint(self._keys_of(number)))
            self._by_equal[numbers] = made
        return self._by_equal[numbers]._finding(statement)

    def _keys_of(self, number: int) -> set[str]:
        return self._keys(self.statements.all[number])

    def _equal(self, statement: Statement) -> list[Statement]:
        """Return the equations of two constants that stand before an equation in its section."""
        return [
            one
            for one in self._of_two_constants
            if one.number < statement.number and one.section == statement.section
        ]

    @cached_property
    def _of_two_constants(self) -> list[Statement]:
        """The equations of two letters that do not move, ``u = F``."""
        found = []
        for one in self.statements.all:
            sides = one.relation.left, one.relation.right
            is_named = all(isinstance(side, Name) and not side.dots for side in sides)
            is_equal = is_named and one.relation.relation in EQUALITIES
            if is_equal and self.letters.moving.isdisjoint(keys(one.relation)):
                found.append(one)
        return found

    def _of_matrix(self, statement: Statement) -> Finding | None:
        """Return what the mechanics says of a mass matrix, or of one of Coriolis terms."""
        own = self.meanings.of(statement)
        if not own or own[0].grid.shape[0] != own[0].grid.shape[1] or own[0].grid.is_scalar:
            return None
        view, name = View(self.meanings, statement, ()), own[0].letter.key
        known = [*uses(self.statements.all)]
        mass = mass_matrix(view, known)
        if mass is None:
            return None
        if mass[0].matrix == name:
            wrong = asymmetric(view, mass[1])
            others, told = [mass[0].statement], SYMMETRIC
        else:
            use = next((one for one in known if one.matrix == name and one.dots == 1), None)
            left = coriolis_left(view, mass[1], use) if use else None
            if left is None or asymmetric(view, mass[1]) is not False:
                return None
            wrong, told = any(left), CORIOLIS
            others = [one for one in view.others if one is not statement]
        if wrong is None:
            return None
        is_open = self.otherwise.is_open(statement)
        return Finding(not wrong, tuple(others), told, "matrices", is_open)

    def _of_energy(self, statement: Statement) -> Finding | None:
        """Return what matrices that are printed apart say of energies, where nothing else does."""
        own = self.meanings.of(statement)
        if not own:
            return None
        view = View(self.meanings, statement, ())
        mass = mass_matrix(view, [*uses(self.statements.all)])
        if mass is None or asymmetric(view, mass[1]) is not False:
            return None
        key = own[0].letter.key
        if key in KINETIC and own[0].grid.is_scalar:
            holds = is_kinetic(view, *mass, view.lower(own[0].grid.form))
            told = HALF_PRODUCT
        elif key in POTENTIAL or bare_of_font(key) in GRAVITY:
            holds, told = self._is_gradient(view, mass[0]), GRADIENT
        else:
            return None
        others = [one for one in view.others if one is not statement]
        return None if holds is None else Finding(holds, tuple(others), told, "matrices")

    def _is_gradient(self, view: View, mass: Use) -> bool | None:
        """Return whether a page's column of gravity is the gradient of its potential energy."""
        known = self.meanings.definitions
        gravity = next((key for key in known if bare_of_font(key) in GRAVITY), None)
        potential = next((key for key in known if key in POTENTIAL), None)
        if gravity is None or potential is None:
            return None
        column = view.lowered(view.value(Letter(gravity, 0)))
        left = gravity_left(view, mass, column, view.lower(view.letters.form(Letter(potential, 0))))
        return None if left is None else not any(left)

    def _finding(self, statement: Statement) -> Finding:
        view = self.meanings.view(statement)
        upper = residuals(view, statement.relation)
        seen = tuple(view.used.values())
        lower = [view.lower(form) for form in upper]
        others = view.others
        if not any(lower):
            if any(upper) or seen:
                return Finding(True, others, route="definitions")
            return Finding(True, (), "an identity of its letters", route="identity")
        moving = [form for form in lower if accelerations(self.letters, form)]
        if moving and (found := self._of_motion(statement, others, lower)) is not None:
            return found
        if not moving and (found := self._of_frequency(statement, lower)) is not None:
            return found
        return self._differing(statement, view, others, lower)

    # ------------------------------------------------------------------ definitions

    def _differing(
        self,
        statement: Statement,
        view: View,
        others: tuple[Statement, ...],
        lower: list[Form],
    ) -> Finding:
        """Return what is said of an equation that does not follow from what letters stand for."""
        subject = self._subject(statement, view)
        own = self.meanings.of(statement)
        if subject is None and own:
            return Finding(None, reason=SAID_ONCE.format(_with_dots(own[0].letter)))
        if not others:
            return self._of_step(statement, view, lower)
        if subject is None and not self._is_chained(statement):
            return Finding(None, reason="nothing else of the page says what it says")
        if given := self._given(statement, lower):
            told = _sorted(*others, *given)
            return Finding(True, told, "with the values that the page gives", "definitions")
        is_open = self.otherwise.may_differ(statement, others, view, subject, lower)
        is_open |= subject is None and not self._has_alike_sides(statement)
        lacks = -lower[0] if len(lower) == 1 else None
        return Finding(False, others, route="definitions", is_open=is_open, lacks=lacks)

    def _has_alike_sides(self, statement: Statement) -> bool:
        """Return whether both sides of an equation come down to the same letters."""
        view = self.meanings.view(statement)
        sides = statement.relation.left, statement.relation.right
        grids = [view.lowered(Values(view).value(side)) for side in sides]
        left, right = (
            {one.key for form in grid.entries() for one in letters_of(self.letters, form)}
            for grid in grids
        )
        return left == right

    def _of_step(self, statement: Statement, view: View, lower: list[Form]) -> Finding:
        """Return what is said of an equation none of whose letters stands for anything."""
        if not self.is_step(statement):
            return Finding(None, reason="nothing else of the page says what its letters are")
        before = (self.statements.all[statement.number - 1],)
        is_open = self.otherwise.may_differ(statement, before, view, None, lower)
        return Finding(False, before, STEP, route="identity", is_open=is_open)

    def is_step(self, statement: Statement) -> bool:
        """Return whether an equation is a step of a derivation, B = C of A = B = C.

        With the same letters on both sides: others may hold by what is not printed.
        """
        relation = statement.relation
        left, right = (
            {bare(node.key) for node in walk(side) if isinstance(node, Name)}
            for side in (relation.left, relation.right)
        )
        is_plain = not any(map(is_vector, left | right))  # products of vectors do not commute
        return self._is_chained(statement) and left == right and is_plain

    @cached_property
    def _values(self) -> list[tuple[Letter, Form, Statement]]:
        every = self.meanings.values
        moving = self.letters.moving
        return [one for one in every if one[0].key not in moving and not one[2].is_case]

    def _given(self, statement: Statement, lower: list[Form]) -> list[Statement]:
        """Return the values on the page with which an equation follows; none where it does not."""
        inside = {one for form in lower for one in letters_of(self.letters, form)}
        values, used = {}, list[Statement]()
        for letter, form, where in self._values:
            if letter in inside and where is not statement:
                values[self.letters.atom(letter)] = form
                used.append(where)
        if not values or any(substituted(form, values) for form in lower):
            return []
        return used

    def _subject(self, statement: Statement, view: View) -> Letter | None:
        """Return the letter that an equation is about, where others say what that is.

        It may be about a derivative of it, as of a Lagrangian.
        """
        for side in (statement.relation.left, statement.relation.right):
            while isinstance(side, TimeDerivative | Partial):
                side = side.node
            if isinstance(side, Name):
                letter = Letter(bare(side.key), side.dots)
                if view.definition(letter):
                    return letter
        return None

    def _is_chained(self, statement: Statement) -> bool:
        """Return whether an equation is part of a chain, as A = B of D = A = B."""
        before = statement.number - 1
        if before < 0:
            return False
        other = self.statements.all[before].relation
        return other.right.span == statement.relation.left.span

    # ------------------------------------------------------------------ motion

    def _of_motion(
        self, statement: Statement, seen: tuple[Statement, ...], lower: list[Form]
    ) -> Finding | None:
        """Return what a Lagrangian or other equations of motion say of one."""
        rows = [form for form in lower if form]
        if not all(accelerations(self.letters, form) for form in rows):
            return None
        energy = self._energy(statement)
        answers = [self._follows_from(statement, form) for form in rows] if energy else []
        if energy and None not in answers and statement not in energy.used:
            is_slow = all(is_linear(self.letters, row) for row in rows)
            is_said = is_slow and (statement.is_small or not statement.is_case)
            is_known = is_said or any(answers) or self._has_its_case(statement)
            is_open = self.otherwise.is_open(statement, is_known=is_known)
            others = _sorted(*energy.used, *seen)
            lacks = lacking(energy, self.letters, rows[0]) if len(rows) == 1 else None
            is_open |= bool(self._functions & energy.known)
            holds = all(answers)
            if holds and (odd := self._forces_differ(statement, rows, energy)):
                return replace(odd, is_small=is_slow and is_known)
            return Finding(holds, others, "", "lagrangian", is_open, lacks, is_slow and is_known)
        found = self._by_elimination(statement, rows, self._others(statement))
        return replace(found, others=_sorted(*found.others, *seen)) if found else None

    def _forces_differ(
        self, statement: Statement, rows: list[Form], energy: Lagrangian
    ) -> Finding | None:
        """Return what speaks against the forces of an equation, which no Lagrangian has."""
        if self._keys(statement) <= energy.known or self.otherwise.is_open(statement):
            return None
        if self._is_tied(statement, rows):
            return None
        is_exact = not all(is_linear(self.letters, row) for row in rows)
        every = [
            (one, balance)
            for one, balance in self._others(statement)
            if follows_from(energy, self.letters, balance.form, is_exact=is_exact, turns=False)
            and not self._is_tied(one, self._lowered_of(one) or [])
        ]
        every = every if is_exact else self._slow(every)

        def speak(others: Sequence[Statement]) -> bool:
            return not self._has_other_letters(statement, others)

        for row in rows:
            found = eliminated(self.letters, self._made(row), every, speak)
            if (
                found
                and not found[0]
                and not self._is_measured_otherwise(statement, rows, found[1])
            ):
                return Finding(False, found[1], route="elimination")
        return None

    def _is_tied(self, statement: Statement, rows: Sequence[Form]) -> bool:
        """Return whether printed accelerations are tied to others, by forces that are printed."""
        own = set[sympy.Expr]().union(*(accelerations(self.letters, row) for row in rows))
        nodes = walk(statement.relation.left, statement.relation.right)
        printed = {Letter(bare(one.key), one.dots) for one in nodes if isinstance(one, Name)}
        return any(one.dots > 1 and self.letters.atom(one) not in own for one in printed)

    def may_be_turned(self, statement: Statement) -> bool:
        """Return whether an equation would follow about half a turn, which no words put."""
        rows = [form for form in self._lowered_of(statement) or [] if form]
        follows = (self._follows_from(statement, form, turns=True) for form in rows)
        return not (statement.is_small or statement.is_turned) and all(follows)

    def may_count_backwards(self, statement: Statement) -> bool:
        """Return whether an equation would follow with the angles of shorthands counted backwards.

        Such as of ``s_1`` where an angle is what is left of another: no page prints that by number.
        """
        if not self.meanings.shorthands:
            return False
        if self._backwards is None:
            meanings = self.meanings.with_backward_shorthands()
            self._backwards = Judge(self.statements, meanings, self._functions)
        return bool(self._backwards.finding(statement).holds)

    def may_be_due(self, statement: Statement, other: Statement) -> bool:
        """Return whether a change of another equation can be why one of motion does not follow."""
        energy, letters = self._energy(statement), self.letters
        rows = self._lowered_of(statement) or []
        wrong = [row for row in rows if energy and not self._follows_from(statement, row)]
        lacks = missing_kinds(energy, letters, wrong) if energy else None
        judge = self.changed(other, doubled(other.relation))
        again = judge._energy(judge.at(statement))
        if not lacks or energy is None or again is None:
            return True
        every = judge._lowered_of(judge.at(statement)) or []
        brought = brought_kinds(letters, [*rows, *energy.rows], [*every, *again.rows])
        return brought is None or not lacks.isdisjoint(brought)

    def may_be_balanced(self, statement: Statement) -> bool:
        """Return whether forces that are not printed may keep what a linear equation is about."""
        energy = self._energy(statement)
        rows = [form for form in self._lowered_of(statement) or [] if form]
        every = chain.from_iterable(self._lowered_of(one) or [] for one in self.statements.all)
        case = statement.is_case
        return bool(energy and may_be_balanced(energy, self.letters, rows, every, is_case=case))

    def _of_frequency(self, statement: Statement, lower: list[Form]) -> Finding | None:
        """Return what equations of motion say of a frequency of small motions."""
        stated = stated_square(self.letters, lower[0]) if len(lower) == 1 else None
        if stated is None:
            return None
        known = [
            (square, others)
            for row, others in self._rows(statement)
            for square in squares_of(self.letters, row, stated)
        ]
        others = [others for square, others in known if not square - stated]
        is_open = self.otherwise.is_open(statement, is_known=statement.is_small)
        if not known:
            return None
        return Finding(bool(others), [*others, known[0][1]][0], OSCILLATES, "frequency", is_open)

    def _rows(self, statement: Statement) -> Iterator[tuple[Form, tuple[Statement, ...]]]:
        """Iterate over equations of motion, of a Lagrangian and printed, with what says so."""
        if energy := self._energy(statement):
            for rows in (energy.rows, *energy.turned):
                yield from ((row, energy.used) for row in rows)
        for one in self.statements.all:
            if self._balance(one) and one is not statement:
                yield from ((row, (one,)) for row in self._lowered_of(one) or [])

    def _has_its_case(self, statement: Statement) -> bool:
        """Return whether what is printed beside an equation, of another coordinate, follows.

        Then the words before them put no case but small motions.
        """
        own = [accelerations(self.letters, form) for form in self._lowered_of(statement) or []]
        for one in self.statements.all:
            if one.relation.display == statement.relation.display and one is not statement:
                for form in self._lowered_of(one) or []:
                    moving = accelerations(self.letters, form)
                    if moving and moving not in own and self._follows_from(statement, form):
                        return True
        return False

    def _by_elimination(
        self, statement: Statement, rows: list[Form], every: Sequence[tuple[Statement, Balance]]
    ) -> Finding | None:
        is_slow = all(is_linear(self.letters, row) for row in rows)
        answers = self._eliminated(rows, self._slow(every) if is_slow else every)
        if not answers:
            return None
        others = _sorted(*(one for _, others in answers for one in others))
        holds = all(holds for holds, _ in answers)
        is_open = self.otherwise.is_open(statement) or self._has_other_letters(statement, others)
        is_open |= not holds and self._is_measured_otherwise(statement, rows, others)
        return Finding(holds, others, route="elimination", is_open=is_open)

    def _is_measured_otherwise(
        self, statement: Statement, rows: list[Form], others: Sequence[Statement]
    ) -> bool:
        """Return whether a coefficient may be of another kind than in an equation elsewhere."""
        if any(one.section == statement.section for one in others):
            return False
        known = [form for one in others for form in self._lowered_of(one) or []]
        return len(rows) == len(known) == 1 and is_rescaled(self.letters, rows[0], known[0])

    def _eliminated(
        self, rows: list[Form], every: Sequence[tuple[Statement, Balance]]
    ) -> list[tuple[bool, tuple[Statement, ...]]]:
        """Return for each row whether it follows, and from which; nothing where one is open.

        No further than to one that does not.
        """
        answers = list[tuple[bool, tuple[Statement, ...]]]()
        for row in rows:
            found = eliminated(self.letters, self._made(row), every)
            if found is None:
                return []
            answers.append(found)
            if not found[0]:
                break
        return answers

    def _slow(self, every: Iterable[tuple[Statement, Balance]]) -> list[tuple[Statement, Balance]]:
        """Return equations of motion as they are for small motions about zero."""
        for one, balance in every:
            if one.number not in self._slowed:
                self._slowed[one.number] = None
                with suppress(ZeroDivisionError):
                    form = linear(self.letters, balance.form)
                    self._slowed[one.number] = self._made(form) if form else None
        found = ((one, self._slowed[one.number]) for one, _ in every)
        return [(one, balance) for one, balance in found if balance]

    def _follows_from(
        self, statement: Statement, form: Form, *, turns: bool = False
    ) -> bool | None:
        """Return whether a row follows from the Lagrangian that its equation is held against."""
        energy = self._energy(statement)
        if energy is None:
            return None
        turns = turns or (self.turns and statement.is_turned)
        exact = self.is_exact
        return follows_from(energy, self.letters, form, is_exact=exact, turns=turns)

    def _energy(self, statement: Statement) -> Lagrangian | None:
        """Return the Lagrangian that an equation can be held against."""
        if statement.number not in self._energies:
            view = self.meanings.view(statement)
            self._energies[statement.number] = lagrangian(view, self._lagrangians)
        return self._energies[statement.number]

    def _has_other_letters(self, statement: Statement, others: Iterable[Statement]) -> bool:
        """Return whether an equation has letters that those others have not, or they have more.

        Forces that are eliminated are none, but in running text: they may be zero there.
        """
        own, every = self._keys(statement), set[str]()
        forces = set[str]()
        for one in others:
            every |= self._keys(one)
            if balance := self._balance(one):
                letters = map(self.letters.letter, balance.forces)
                forces |= {letter.key for letter in letters if letter}
        return not own <= every <= (own if statement.is_inline else own | forces)

    def _keys(self, statement: Statement) -> set[str]:
        forms = self._lowered_of(statement) or []
        return {one.key for form in forms for one in letters_of(self.letters, form)}

    def _others(self, statement: Statement) -> list[tuple[Statement, Balance]]:
        """Return the other equations of motion, those near it first."""
        found = []
        for one in self.statements.all:
            is_same = one.number == statement.number
            is_left = self._numbers is not None and one.number not in self._numbers
            is_left |= one.number in self.left_aside
            is_special = one.is_case or one.states_value
            if is_same or is_left or is_special or one.relation.relation not in EQUALITIES:
                continue
            if balance := self._balance(one):
                found.append((one, balance))
        return sorted(
            found,
            key=lambda pair: (
                pair[0].section != statement.section,
                abs(pair[0].number - statement.number),
            ),
        )

    def _balance(self, statement: Statement) -> Balance | None:
        """Return an equation as one of motion, if it is one."""
        if statement.number not in self._balances:
            forms = self._lowered_of(statement) or []
            is_one = len(forms) == 1 and accelerations(self.letters, forms[0])
            made = self._made(forms[0]) if is_one else None
            self._balances[statement.number] = made
        return self._balances[statement.number]

    def _made(self, form: Form) -> Balance:
        return Balance(self.letters, form, self._weights)

    @cached_property
    def _weights(self) -> frozenset[str]:
        """The letters that stand before accelerations."""
        found = set[str]()
        for one in self.statements.all:
            for form in self._lowered_of(one) or []:
                for atom in accelerations(self.letters, form):
                    slope = self.letters.ring.partial(form, atom)
                    found |= {letter.key for letter in letters_of(self.letters, slope)}
        return frozenset(found)

    def _lowered_of(self, statement: Statement) -> list[Form] | None:
        """Return what is left of an equation with all that its letters stand for."""
        if statement.number not in self._lowered:
            view, found = self.meanings.view(statement), list[Form]()
            try:
                with self.letters.ring.budget.work(MOST_PRODUCTS):
                    found += [view.lower(form) for form in residuals(view, statement.relation)]
                self._lowered[statement.number] = _Lowered(found, frozenset(view.used))
            except (FreebodyError, ZeroDivisionError):
                self._lowered[statement.number] = _Lowered(None, frozenset(view.used))
        return self._lowered[statement.number].forms


def _sorted(*statements: Statement) -> tuple[Statement, ...]:
    """Return equations once each, in the order of the page."""
    every = {one.number: one for one in statements}
    return tuple(every[number] for number in sorted(every))


def _with_dots(letter: Letter) -> str:
    return f"{letter.key}{chr(39) * letter.dots}"
