"""Whether an equation of motion follows from a Lagrangian, or from the other ones of its page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import sympy

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.consistency.finding import Finding, in_order, with_those_before
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.motion.elimination import MOST_OTHERS, Balance, eliminated, is_rescaled
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.frequency import OSCILLATES, squares_of, stated_square
from freebody.consistency.motion.kinematics import is_kinematic, rated
from freebody.consistency.motion.lagrangian import (
    Lagrangian,
    follows_from,
    lacking,
    may_be_balanced,
)
from freebody.consistency.motion.open_forces import follows_with, may_be_anything
from freebody.consistency.motion.reactions import falls_freely, may_be_held
from freebody.consistency.motion.relative import counted_anew, says_of
from freebody.consistency.motion.small_motions import (
    accelerates_places,
    accelerations,
    are_approximate,
    is_linear,
    linear,
)
from freebody.consistency.motion.suspects import brought_kinds, doubled, missing_kinds
from freebody.consistency.otherwise import Otherwise
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name, walk
from freebody.errors import FreebodyError

_BRACE = re.compile(r"\\begin\{[dr]?(?:sub)?(?:num)?cases|\\left\s*\\(?:\{|lbrace)")


class _Answer(NamedTuple):
    """Whether a row of an equation follows from others, and from which."""

    row: Form
    holds: bool
    others: tuple[Statement, ...]


class MotionJudge:
    """Holds equations of motion of a page against each other, and against its Lagrangian.

    Parameters
    ----------
    equations : Equations
    otherwise : Otherwise
        Why they may differ.
    is_exact : bool
        Whether what holds for small motions alone is left out.
    turns : bool
        Whether angles may be turned by half a turn where words say so.
    is_trial : bool
        Whether nothing counts but what follows, and not why something may not.
    """

    def __init__(
        self,
        equations: Equations,
        otherwise: Otherwise,
        *,
        is_exact: bool,
        turns: bool,
        is_trial: bool,
    ) -> None:
        self.equations, self.letters = equations, equations.letters
        self.otherwise = otherwise
        self.is_exact, self.turns, self.is_trial = is_exact, turns, is_trial

    def of_motion(
        self, statement: Statement, seen: tuple[Statement, ...], lower: list[Form]
    ) -> Finding | None:
        """Return what a Lagrangian or other equations of motion say of one."""
        rows = [form for form in lower if form]
        if not all(accelerations(self.letters, form) for form in rows):
            return None
        if rows and all(is_kinematic(self.letters, form) for form in rows):
            return self._of_kinematics(statement, seen, rows)
        return self._of_laws(statement, seen, rows)

    def _of_kinematics(
        self, statement: Statement, seen: tuple[Statement, ...], rows: list[Form]
    ) -> Finding | None:
        """Return what tied accelerations follow from; no law speaks against them."""
        sources = [rated(self.equations, statement, form) for form in rows]
        known = [one for one in sources if one is not None]
        if len(known) == len(rows):
            return Finding(True, in_order(*known, *seen), "", "definitions")
        found = self._of_laws(statement, seen, rows)
        return found if found and found.holds else None

    def _of_laws(
        self, statement: Statement, seen: tuple[Statement, ...], rows: list[Form]
    ) -> Finding | None:
        is_of_places = all(accelerates_places(self.letters, row) for row in rows)
        energy = self.equations.energy(statement) if is_of_places else None
        answers = [self._follows_from(statement, form) for form in rows] if energy else []
        if energy and not all(answers) and (said := self._follow_at_rest(rows, energy)):
            return Finding(True, in_order(*energy.used, *said, *seen), "", "lagrangian")
        if energy and None not in answers and statement not in energy.used:
            is_slow = all(is_linear(self.letters, row) for row in rows)
            is_said = is_slow and (statement.is_small or not statement.is_case)
            is_known = is_said or any(answers) or self._has_its_case(statement)
            is_open = self.otherwise.is_open(statement, is_known=is_known)
            others = in_order(*energy.used, *seen)
            is_open |= self.otherwise.are_functions(energy.known, statement)
            is_open |= any(self._is_said_later(one, statement, energy) for one in seen)
            holds = all(answers)
            if not holds and (other := self._other_with_its_force(statement, rows, energy)):
                return Finding(True, in_order(*others, other), "", "lagrangian")
            if not holds and self.is_trial:
                return Finding(False, others, "", "lagrangian")
            wrong = [row for row, answer in zip(rows, answers, strict=True) if not answer]
            lacks = [lacking(energy, self.letters, row) for row in wrong]
            is_open = is_open or (not holds and may_be_held(self.equations, statement, energy))
            is_open = is_open or (not holds and falls_freely(self.letters, statement, energy))
            is_open = is_open or (not holds and self._may_be_at_rest(statement, rows, energy))
            is_open = is_open or any(
                may_be_anything(energy, self.letters, row, lack)
                for row, lack in zip(wrong, lacks, strict=True)
            )
            if holds and (odd := self._forces_differ(statement, rows, energy)):
                return replace(odd, is_small=is_slow and is_known)
            if holds and (damped := self._dissipates(rows, energy)):
                holds, function = damped
                others = in_order(*others, function)
            lack = lacks[0] if lacks and len(rows) == 1 else None
            return Finding(holds, others, "", "lagrangian", is_open, lack, is_slow and is_known)
        found = self._by_elimination(statement, rows, self.equations.others(statement))
        return replace(found, others=in_order(*found.others, *seen)) if found else None

    def _other_with_its_force(
        self, statement: Statement, rows: Sequence[Form], energy: Lagrangian
    ) -> Statement | None:
        """Return an equation with a force of another, without which both follow together."""
        if len(rows) != 1 or self.equations.keys(statement) <= energy.known:
            return None
        for one, balance in self.equations.others(statement)[:MOST_OTHERS]:
            with suppress(FreebodyError, ZeroDivisionError):
                if follows_with(energy, self.letters, rows[0], balance.form):
                    return one
        return None

    def _forces_differ(
        self, statement: Statement, rows: list[Form], energy: Lagrangian
    ) -> Finding | None:
        """Return what speaks against the forces of an equation, which no Lagrangian has."""
        if self.equations.keys(statement) <= energy.known or self.otherwise.is_open(statement):
            return None
        if self._is_tied(statement, rows):
            return None
        is_exact = not all(is_linear(self.letters, row) for row in rows)
        every = [
            (one, balance)
            for one, balance in self.equations.others(statement)
            if follows_from(energy, self.letters, balance.form, is_exact=is_exact, turns=False)
            and not self._is_tied(one, self.equations.forms(one))
        ]
        every = every if is_exact else self.equations.slow(every)

        def speak(others: Sequence[Statement]) -> bool:
            return not self._has_other_letters(statement, rows, others)

        for row in rows:
            found = eliminated(self.letters, self.equations.balanced(row), every, speak)
            if (
                found
                and not found[0]
                and not self._is_measured_otherwise(statement, rows, found[1])
            ):
                return Finding(False, found[1], route="elimination")
        return None

    def _dissipates(
        self, rows: Sequence[Form], energy: Lagrangian
    ) -> tuple[bool, Statement] | None:
        """Return whether rows are damped as the dissipation function of the page says, and where.

        None where there is none, or it says nothing of them.
        """
        function = self.equations.dissipation
        if function is None:
            return None
        with suppress(FreebodyError, ZeroDivisionError):
            trial = self.is_trial
            answers = [function.damps(energy, self.letters, row, is_trial=trial) for row in rows]
            if any(answer is not None for answer in answers):
                return False not in answers, function.statement
        return None

    def _is_tied(self, statement: Statement, rows: Sequence[Form]) -> bool:
        """Return whether printed accelerations are tied to others, by forces that are printed."""
        own = set[sympy.Expr]().union(*(accelerations(self.letters, row) for row in rows))
        nodes = walk(statement.relation.left, statement.relation.right)
        printed = {Letter(bare(one.key), one.dots) for one in nodes if isinstance(one, Name)}
        return any(one.dots > 1 and self.letters.atom(one) not in own for one in printed)

    def _by_elimination(
        self, statement: Statement, rows: list[Form], every: Sequence[tuple[Statement, Balance]]
    ) -> Finding | None:
        found = self._by_those(statement, rows, every)
        if self.is_trial:
            return found
        before = [pair for pair in every if pair[0].number < statement.number]
        return with_those_before(found, lambda: self._by_those(statement, rows, before))

    def _by_those(
        self, statement: Statement, rows: list[Form], every: Sequence[tuple[Statement, Balance]]
    ) -> Finding | None:
        is_slow = all(is_linear(self.letters, row) for row in rows)
        answers = self._eliminated(rows, self.equations.slow(every) if is_slow else every)
        if not answers:
            return None
        others = in_order(*(one for answer in answers for one in answer.others))
        used = in_order(*others, *(one for each in others for one in self.equations.used(each)))
        holds = all(answer.holds for answer in answers)
        seen = [answer.row for answer in answers]
        is_known = is_slow and statement.is_small and statement.is_about_zero
        is_open = self.otherwise.is_open(statement, is_known=is_known and not statement.is_turned)
        is_open |= all(self._has_other_letters(statement, some, others) for some in (seen, rows))
        is_open |= not holds and (
            self._is_measured_otherwise(statement, rows, others)
            or self._are_conditions(statement, others)
            or self._follows_at_rest(rows, every)
            or (not is_slow and self._is_exact_of(rows, every, others))
        )
        return Finding(holds, used, route="elimination", is_open=is_open)

    def of_relative(self, statement: Statement) -> Finding | None:
        """Return what another equation says of one of motion along a relative coordinate."""
        if len(statement.moved(2)) < 2:  # of that, and of what it is counted from
            return None
        for said in self.equations.statements.all:
            for key, relation in counted_anew(statement, said):
                equations = self.equations.changed(said, relation)
                own = equations.forms(equations.statements.all[statement.number])
                for one, balance in equations.others(statement):
                    holds = says_of(self.letters, own, balance.form, key)
                    if holds is not None:
                        others = in_order(self.equations.statements.all[one.number], said)
                        is_open = self.otherwise.is_open(statement)
                        return Finding(holds, others, route="elimination", is_open=is_open)
        return None

    def _follows_at_rest(
        self, rows: list[Form], every: Sequence[tuple[Statement, Balance]]
    ) -> bool:
        """Return whether rows follow where rates are zero that the page says to be zero."""
        stopped = self.otherwise.stopped
        if not any(one - stopped(one) for one in (*rows, *(each.form for _, each in every))):
            return False
        others = [(one, self.equations.balanced(stopped(each.form))) for one, each in every]
        answers = self._eliminated([stopped(row) for row in rows], others)
        return bool(answers) and all(answer.holds for answer in answers)

    def _is_exact_of(
        self,
        rows: list[Form],
        every: Sequence[tuple[Statement, Balance]],
        others: Iterable[Statement],
    ) -> bool:
        """Return whether others are of small motions, and rows are not."""
        known = [form for one in others for form in self.equations.forms(one)]
        if are_approximate(rows, known):
            return True
        if not all(is_linear(self.letters, form) for form in known):
            return False
        slow = [linear(self.letters, row) for row in rows]
        answers = self._eliminated([row for row in slow if row], self.equations.slow(every))
        return all(slow) and bool(answers) and all(answer.holds for answer in answers)

    def _are_conditions(self, statement: Statement, others: Iterable[Statement]) -> bool:
        """Return whether an equation and others are a system that is printed with a brace.

        With more equations than accelerations it has no motion, or is what shall hold for one.
        """
        page = self.equations.statements.page
        span = statement.relation.display
        inside = [one for one in others if one.relation.display == span]
        return bool(inside) and _BRACE.search(page.readable[span.start : span.stop]) is not None

    def _is_measured_otherwise(
        self, statement: Statement, rows: list[Form], others: Sequence[Statement]
    ) -> bool:
        """Return whether a coefficient may be of another kind than in an equation elsewhere."""
        if any(one.section == statement.section for one in others):
            return False
        known = [form for one in others for form in self.equations.forms(one)]
        return len(rows) == len(known) == 1 and is_rescaled(self.letters, rows[0], known[0])

    def _eliminated(
        self, rows: list[Form], every: Sequence[tuple[Statement, Balance]]
    ) -> list[_Answer]:
        """Return for each row whether it follows, and from which, up to one that does not.

        Nothing where one is open, and all others follow; of a trial, those are left out.
        """
        answers, is_open = list[_Answer](), False
        for row in rows:
            balance = self.equations.balanced(row)
            found = eliminated(
                self.letters, balance, every, self._are_of_one_system, is_trial=self.is_trial
            )
            is_open |= found is None
            answers += [_Answer(row, *found)] if found else []
            if found and not found[0]:
                return answers
        return [] if is_open and not self.is_trial else answers

    def _are_of_one_system(self, others: Iterable[Statement]) -> bool:
        """Return whether laws are of one section, as those of several systems are not."""
        laws = (
            one
            for one in others
            if not all(is_kinematic(self.letters, form) for form in self.equations.forms(one))
        )
        return len({one.section for one in laws}) < 2

    def _follows_from(
        self, statement: Statement, form: Form, *, turns: bool = False
    ) -> bool | None:
        """Return whether a row follows from the Lagrangian that its equation is held against."""
        energy = self.equations.energy(statement)
        if energy is None:
            return None
        turns = turns or (self.turns and statement.is_turned)
        exact = self.is_exact
        return follows_from(energy, self.letters, form, is_exact=exact, turns=turns)

    def _follow_at_rest(
        self, rows: Sequence[Form], energy: Lagrangian
    ) -> tuple[Statement, ...] | None:
        """Return what says that coordinates stay as they are, where rows follow by that."""
        said = self.otherwise.held
        still = said.keys() & {one.key for one in energy.coordinates}
        if still and not self.is_trial and self._follow_where_held(rows, energy, still):
            return tuple(said[key] for key in sorted(still))
        return None

    def _may_be_at_rest(
        self, statement: Statement, rows: Sequence[Form], energy: Lagrangian
    ) -> bool:
        """Return whether rows follow where letters stay as they are that move elsewhere.

        Of which no equation of the section has a rate, as of a rope that has one length there.
        """
        every = self.equations.statements.all
        near = [one for one in every if one.section == statement.section]
        still = self.letters.moving.difference(*(one.moved(1) for one in near))
        return bool(still) and self._follow_where_held(rows, energy, still)

    def _follow_where_held(
        self, rows: Sequence[Form], energy: Lagrangian, still: Collection[str]
    ) -> bool:
        held = energy.held(still)
        return all(follows_from(held, self.letters, row, turns=False) for row in rows)

    def _has_its_case(self, statement: Statement) -> bool:
        """Return whether what is printed beside an equation, of another coordinate, follows.

        Then the words before them put no case but small motions.
        """
        own = [accelerations(self.letters, form) for form in self.equations.forms(statement)]
        for one in self.equations.statements.all:
            if one.relation.display == statement.relation.display and one is not statement:
                for form in self.equations.forms(one):
                    moving = accelerations(self.letters, form)
                    if moving and moving not in own and self._follows_from(statement, form):
                        return True
        return False

    def _has_other_letters(
        self, statement: Statement, rows: Iterable[Form], others: Iterable[Statement]
    ) -> bool:
        """Return whether rows of an equation have letters that others have not, or these more.

        What is accelerated and eliminated is none, nor are forces, but in running text: they may be
        zero there.
        """
        rows = [*rows]
        own = {one.key for row in rows for one in letters_of(self.letters, row)}
        every, forces = set[str](), set[str]()
        for one in others:
            forms = self._forms_beside(one, rows)
            inside = {each for form in forms for each in letters_of(self.letters, form)}
            every |= self._but_accelerations(forms, inside) | ({each.key for each in inside} & own)
            for balance in self.equations.balances(one):
                letters = map(self.letters.letter, balance.forces)
                forces |= {letter.key for letter in letters if letter}
        return not own <= every <= (own if statement.is_inline else own | forces)

    def _forms_beside(self, statement: Statement, rows: Iterable[Form]) -> list[Form]:
        """Return an equation, of a column the rows that have accelerations of others."""
        forms = self.equations.forms(statement)
        if len(forms) < 2:
            return forms
        moved = set[sympy.Expr]().union(*(accelerations(self.letters, row) for row in rows))
        return [one for one in forms if not moved.isdisjoint(accelerations(self.letters, one))]

    def _but_accelerations(self, forms: Iterable[Form], inside: set[Letter]) -> set[str]:
        """Return the letters of an equation but those that are accelerated; all of a tie."""
        is_tie = any(is_kinematic(self.letters, form) for form in forms)
        return {one.key for one in inside if is_tie or not self.letters.accelerates(one)}

    def of_frequency(self, statement: Statement, lower: list[Form]) -> Finding | None:
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
        if energy := self.equations.energy(statement):
            for rows in (energy.rows, *energy.turned):
                yield from ((row, energy.used) for row in rows)
        for one in self.equations.statements.all:
            if len(self.equations.balances(one)) == 1 and one is not statement:
                yield from ((row, (one,)) for row in self.equations.forms(one))

    def may_be_turned(self, statement: Statement) -> bool:
        """Return whether an equation would follow about half a turn, which no words put."""
        rows = [form for form in self.equations.forms(statement) if form]
        if statement.is_small or statement.is_turned:
            return False
        ways = (
            all(self._follows_from(statement, form, turns=turns) for form in rows)
            for turns in (False, True)
        )
        return [*ways] == [False, True]

    def _is_said_later(self, said: Statement, statement: Statement, energy: Lagrangian) -> bool:
        """Return whether a later section says what a letter is that a Lagrangian has not."""
        printed = {key for one in energy.used for key in one.keys}
        defined = {one.letter.key for one in self.equations.meanings.of(said)}
        return said.section > statement.section and defined.isdisjoint(printed)

    def is_rewritten(self, statement: Statement, other: Statement) -> bool:
        """Return whether two equations are one but for a factor."""
        own, given = ([*filter(None, self.equations.forms(one))] for one in (statement, other))
        if len(own) != 1 or len(given) != 1:
            return False
        moving = accelerations(self.letters, own[0])
        if not moving or moving != accelerations(self.letters, given[0]):
            return False
        slope, its = (one.ring.partial(one, min(moving, key=str)) for one in (own[0], given[0]))
        return not own[0] * its - given[0] * slope

    def may_be_due(self, statement: Statement, other: Statement) -> bool:
        """Return whether a change of another equation can be why one of motion does not follow."""
        energy, letters = self.equations.energy(statement), self.letters
        rows = self.equations.forms(statement)
        wrong = [row for row in rows if energy and not self._follows_from(statement, row)]
        lacks = missing_kinds(energy, letters, wrong) if energy else None
        changed = self.equations.changed(other, doubled(other.relation))
        own = changed.statements.all[statement.number]
        again = changed.energy(own)
        if not lacks or energy is None or again is None:
            return True
        every = changed.forms(own)
        brought = brought_kinds(letters, [*rows, *energy.rows], [*every, *again.rows])
        return brought is None or not lacks.isdisjoint(brought)

    def may_be_balanced(self, statement: Statement) -> bool:
        """Return whether forces that are not printed may keep what a linear equation is about."""
        energy = self.equations.energy(statement)
        rows = [form for form in self.equations.forms(statement) if form]
        every = chain.from_iterable(
            self.equations.forms(one) for one in self.equations.statements.all
        )
        case = statement.is_case
        return bool(energy and may_be_balanced(energy, self.letters, rows, every, is_case=case))
