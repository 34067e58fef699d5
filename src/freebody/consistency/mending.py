"""Changes of equations with which others follow: what misprints there may be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from freebody.algebra import Form
from freebody.checking.findings import Kind, Repair
from freebody.consistency.finding import Finding
from freebody.consistency.judging import Judge
from freebody.consistency.lagrange_equations import mends_law, names_due
from freebody.consistency.letters import TIME, Ration, letters_of
from freebody.consistency.misprints import Misprints
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.residuals import residuals
from freebody.consistency.motion.small_motions import is_linear
from freebody.consistency.statement import Statement, keys, names_of, rate_in
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, multiplied, show
from freebody.errors import FreebodyError

OF_MOTION = {"lagrangian", "elimination"}
OF_LAWS: tuple[Kind, ...] = ("sign", "dot")
"""Misprints of laws."""
MOST_MENDED = 12
"""So many contradictions of a page are traced to a misprint."""
MOST_LACKED = 3
"""Terms in canonical form that an equation may lack by one omission."""
MOST_BELOW = 1_000
"""What divides the number before a term that is left out, and no rounded one."""
MOST_SPENT = 3_000_000, 3_000_000, 5_000_000, 6_000_000, 7_000_000
"""Products of terms that the search for misprints of a page may take: until copies and what letters
are are known, what several others speak against, what else is wrong, and at all."""
MOST_AGAIN = 300_000
"""The same for one more search about an equation."""
SHARE = 2
"""The part of it that one equation may take of what is left."""
EACH = 3_000
"""The same for reading an equation again."""
OF_STEPS = 1_000
"""The same where it is held against nothing but its own other side."""
_NONE = Repair("", ())


class Search:
    """What the search for misprints has taken, and may take."""

    def __init__(self, ration: Ration) -> None:
        self._ration, self._limits = ration, list(MOST_SPENT)
        self._left, self.spent = MOST_MENDED, 0
        self._until = self._limits[0]

    def goes_on(self) -> None:
        """Let it take more."""
        del self._limits[0]

    def begins(self) -> bool:
        """Let it take a share of what is left for one more equation, if something is left."""
        if not self._left:
            return False
        self._left -= 1
        self._until = self.spent + (self._limits[0] - self.spent) // SHARE
        return True

    def looks_again(self) -> bool:
        """Let it take a little for one more search about an equation."""
        self._until = min(self._limits[0], self.spent + MOST_AGAIN)
        return not self.is_spent()

    def is_spent(self) -> bool:
        """Whether it has taken all that it may by now."""
        return self.spent > self._until or self._ration.is_spent


@dataclass(frozen=True)
class Mended:
    """A change of one equation with which another follows from the rest.

    Attributes
    ----------
    statement : Statement
        The equation that is changed.
    relation : Relation
        What it is then.
    kind : str
        Of the misprint.
    repair : Repair
    """

    statement: Statement
    relation: Relation
    kind: Kind
    repair: Repair

    @property
    def is_of_decimals(self) -> bool:
        """Whether decimals are changed, which are of an example."""
        return any("." in edit.printed for edit in self.repair.edits)


class Mending:
    """Looks for changes of the equations of a page with which those follow that differ.

    Parameters
    ----------
    judge : Judge
    findings : sequence of Finding
        What is found of each equation.
    search : Search
        What it has taken, and may take.

    Attributes
    ----------
    known : list of Mended
        The changes that were found.
    """

    def __init__(self, judge: Judge, findings: Sequence[Finding], search: Search) -> None:
        self._judge, self._findings, self._search = judge, findings, search
        statements = judge.statements
        self._printed = statements.letters()
        self._misprints = Misprints(
            statements.page,
            statements.names,
            self._printed,
            judge.letters.moving,
            judge.meanings.definitions,
            statements.single,
        )
        self.known: list[Mended] = []

    def of(
        self, statement: Statement, finding: Finding, helps: Callable[[Mended], bool]
    ) -> list[Mended]:
        """Return the changes of an equation, or of one of those others, with which it follows.

        Parameters
        ----------
        statement : Statement
        finding : Finding
            How it differs from others.
        helps : callable
            Whether more follows with a change that mended another one.
        """
        if not self._search.begins():
            return []
        again = [one for one in self.known if self._follows(one, statement, finding)]
        if again and any(map(helps, again)):
            return again
        every = (statement, *finding.others)
        single = [
            mended
            for one in every
            for mended in self.changes(one, statement, finding, of_single=True)
        ]
        if single:
            self.known += single
            return single
        found = self._found(statement, finding)
        if finding.route != "frequency":
            self.known += found
        return found

    def _found(self, statement: Statement, finding: Finding) -> list[Mended]:
        """Return the changes with which an equation follows, the likelier ones first.

        Those with which angles count another way only if there are no others.
        """
        is_elsewhere = finding.route in OF_MOTION and _is_of_names(statement)
        found = [] if is_elsewhere else [*self.changes(statement, statement, finding)]
        if finding.route == "frequency":  # another factor may be that of another system
            return [one for one in found if one.kind == "sign"]
        for one in sorted(finding.others, key=lambda it: (self._support(it), -it.number)):
            is_due = finding.route != "lagrangian" or self._judge.motion.may_be_due(statement, one)
            if not found or self._support(one) <= (finding.route == "definitions"):
                found += self.changes(one, statement, finding) if is_due else ()
        if not found and finding.lacks is not None and self._search.looks_again():
            found += self._completed(statement, statement, finding, finding.lacks)
            for one in self._saying_the_same(statement, finding):
                found += self._completed(one, statement, finding, -finding.lacks)
        as_counted = [o for o in found if self._is_mended(o, statement, finding, turns=False)]
        return sorted(as_counted or found, key=self._is_shared)

    def changes(
        self,
        changed: Statement,
        judged: Statement,
        finding: Finding,
        *,
        of_single: bool = False,
        kinds: Collection[Kind] = (),
    ) -> Iterator[Mended]:
        """Iterate over the changes of one equation with which another follows, or it itself.

        Parameters
        ----------
        changed, judged : Statement
        finding : Finding
            How the one that is judged differs from others.
        of_single : bool, optional
            Whether only letters are changed that stand nowhere else.
        kinds : collection of str, optional
            Of misprints; else all.
        """
        search = partial(
            self._misprints.mending, is_over=self._search.is_spent, of_single=of_single, kinds=kinds
        )
        yield from _tried(changed, search, lambda mended: self._follows(mended, judged, finding))

    def of_law(self, statement: Statement, finding: Finding) -> list[Mended]:
        """Return the changes with which an equation states a law that it states wrongly."""
        if names := names_due(statement.relation):
            search = partial(self._misprints.renamed, names=names)
            return [*_tried(statement, search, partial(_states_law, statement))]
        is_left = self._search.looks_again()
        return [*self.changes(statement, statement, finding, kinds=OF_LAWS)] if is_left else []

    def of_another_rate(self, wrong: Statement, right: Statement) -> tuple[Repair, ...]:
        """Return an equation with the rate of the letter that it has in place of one of another."""
        name = rate_in(wrong.relation.left)
        own = names_of(wrong.relation.right) - names_of(right.relation.right)
        if name is None or len(own) != 1:
            return ()
        behind = wrong.printed.latex[name.span.stop - wrong.printed.span.start :]
        dots = 0 if behind.lstrip().startswith("'") else name.dots  # primes stay where they are
        names = [(name, replace(name, key=next(iter(own)), dots=dots))]
        found = self._misprints.renamed(wrong.printed, lambda _: True, names)
        return tuple(repair for _, repair in found)

    def _saying_the_same(self, statement: Statement, finding: Finding) -> list[Statement]:
        """Return the others that say what the same letter is on the left, as the equation does."""
        name = statement.relation.left
        if finding.route != "definitions" or not isinstance(name, Name):
            return []
        sides = ((one, one.relation.left) for one in finding.others)
        return [one for one, side in sides if show(side) == show(name)]

    def _completed(
        self, changed: Statement, judged: Statement, finding: Finding, lacks: Form
    ) -> Iterator[Mended]:
        """Yield an equation with a term that it lacks, one or two that move, of its own letters."""
        inside = letters_of(self._judge.letters, lacks)
        moving = {one.key for one in inside} & self._judge.letters.moving
        own = {*changed.keys}
        is_own = {one.key for one in inside} <= own and inside <= self._printed
        is_plain = all(one.denominator <= MOST_BELOW for one in lacks.terms.table.values())
        if len(lacks.terms) > MOST_LACKED or not moving or not is_own or not is_plain:
            return
        if any(one.key == TIME for one in inside) and any(one.dots for one in inside):
            return  # the rate of an amplitude, which a page may choose that there is none

        def follows(mended: Mended) -> bool:
            # a term that is lacked takes none of the others away
            before, after = self._products(mended)
            is_due = before <= after if changed is judged else len(before) < len(after)
            return is_due and self._follows(mended, judged, finding)

        yield from _tried(changed, partial(self._misprints.completed, form=lacks), follows)

    def _products(self, mended: Mended) -> list[set[tuple[int, int]]]:
        """Return the products that the rows of an equation have before and after a change."""
        view = self._judge.meanings.view(mended.statement)
        both = (residuals(view, one) for one in (mended.statement.relation, mended.relation))
        return [
            {(row, key) for row, form in enumerate(forms) for key in form.terms.table}
            for forms in both
        ]

    def _is_shared(self, mended: Mended) -> bool:
        """Return whether a change is of the side of a step that the equation before it has, too."""
        left = mended.statement.relation.left.span
        is_left = any(edit.span[0] < left.stop for edit in mended.repair.edits)
        return is_left and self._judge.steps.is_step(mended.statement)

    def _support(self, statement: Statement) -> int:
        """Return how many more equations follow from one than contradict it.

        Of a column none: others follow from other rows.
        """
        if len(self._judge.equations.forms(statement)) > 1:
            return 0
        about = [one for one in self._findings if statement in one.others]
        against = sum(one.holds is False and not one.is_open for one in about)
        return sum(one.holds is True for one in about) - against

    def follows(self, statement: Statement, relation: Relation, finding: Finding) -> bool:
        """Return whether an equation follows from those that it differs from if it is another."""
        return self._follows(Mended(statement, relation, "term", _NONE), statement, finding)

    def _follows(self, mended: Mended, statement: Statement, finding: Finding) -> bool:
        """Return whether an equation follows from the others with a change."""
        if self._search.is_spent():
            return False
        with self._judge.letters.ring.budget.work(MOST_SPENT[-1]) as work:
            found = self._is_mended(mended, statement, finding)
        self._search.spent += work.total + (OF_STEPS if finding.route == "identity" else EACH)
        return found

    def _is_mended(
        self, mended: Mended, statement: Statement, finding: Finding, *, turns: bool = True
    ) -> bool:
        if finding.route == "identity":
            return mended.statement is statement and self._is_mended_step(mended)
        if finding.route == "law":
            return _states_law(statement, mended)
        is_other = finding.route in OF_MOTION and mended.statement is not statement
        if is_other and not self._lost(mended).isdisjoint(statement.keys):
            return False  # they are only taken for forces then
        equations = self._judge.equations.changed(mended.statement, mended.relation)
        if finding.route in OF_MOTION and self._bends(mended, equations, finding):
            return False
        is_sole = len(self._judge.equations.forms(statement)) == 1  # others hold other rows
        if finding.route in ("elimination", "transforms") and is_sole:
            equations = equations.among(finding.others)
        is_exact = not finding.is_small
        judge = self._judge.of(equations, is_exact=is_exact, turns=turns, is_trial=True)
        again = judge.safely(judge.at(statement))
        # a change is none of those that mend where the equation is not held against it any more
        held_by = {statement.number, *(one.number for one in again.others)}
        if again.route == "identity" and mended.statement is statement:
            return bool(again.holds) and self._judge.steps.is_step(statement)
        is_used = bool(again.others) and mended.statement.number in held_by
        is_same = again.route == finding.route or {again.route, finding.route} <= OF_MOTION
        return bool(again.holds and is_used and is_same)

    def _bends(self, mended: Mended, changed: Equations, finding: Finding) -> bool:
        """Return whether a change makes one of linear equations another: with a square in it."""
        judge, number = self._judge, mended.statement.number
        before = [
            form
            for one in (mended.statement, *finding.others)
            for form in judge.equations.forms(one)
        ]
        after = changed.forms(changed.statements.all[number])
        are_linear = all(is_linear(judge.letters, form) for form in before)
        return are_linear and not all(is_linear(judge.letters, form) for form in after)

    def _lost(self, mended: Mended) -> set[str]:
        """Return the letters that an equation has no more with a change, or that cancel in it."""
        relations = mended.statement.relation, mended.relation
        before, after = ({*keys(one)} for one in relations)
        with suppress(FreebodyError, ZeroDivisionError):
            view, letters = self._judge.meanings.view(mended.statement), self._judge.letters
            before, after = (
                {each.key for form in residuals(view, one) for each in letters_of(letters, form)}
                for one in relations
            )
        return before - after

    def _is_mended_step(self, mended: Mended) -> bool:
        """Return whether a step holds with a change, of its own side where the one before holds."""
        step = mended.statement
        is_own = show(mended.relation.left) == show(step.relation.left)
        is_due = is_own or not self._findings[step.number - 1].holds
        changed = replace(step, relation=mended.relation)
        return is_due and self._judge.steps.is_step(step) and self._judge.is_identity(changed)


def _tried(
    changed: Statement,
    search: Callable[..., Iterable[tuple[Kind, Repair]]],
    follows: Callable[[Mended], bool],
) -> Iterator[Mended]:
    """Iterate over the changes of an equation that are found, with which another follows."""
    relations: dict[str, Relation] = {}

    def holds(printed: Relation) -> bool:
        relations[printed.latex] = relation = changed.told_apart(printed)
        return follows(Mended(changed, relation, "term", _NONE))

    for kind, repair in search(changed.printed, holds=holds):
        yield Mended(changed, relations[repair.latex], kind, repair)


def _states_law(statement: Statement, mended: Mended) -> bool:
    return mends_law(mended.relation, statement.relation)


def _is_of_names(statement: Statement) -> bool:
    r"""Return whether an equation gives something another letter, in which no misprint can be.

    Perhaps times the same on both sides, as ``m a_y = m\ddot y``.
    """
    (*before, one), (*behind, other) = map(
        multiplied, (statement.relation.left, statement.relation.right)
    )
    if not isinstance(one, Name) or not isinstance(other, Name) or one.dots == other.dots:
        return False
    return [*map(show, before)] == [*map(show, behind)]
