"""Which equations of a page contradictions are due to, by what single changes would mend."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, cast

from freebody.checking.findings import Edit, Kind
from freebody.checking.introduced import bare
from freebody.consistency.blame import EITHER, Blame, Score
from freebody.consistency.finding import Finding
from freebody.consistency.judging import Judge
from freebody.consistency.mending import OF_MOTION, Mended, Mending, Search
from freebody.consistency.motion.equations import Equations
from freebody.consistency.report import Standing, StatementVerdict
from freebody.consistency.several import Several
from freebody.consistency.statement import Statement, keys, names_of, rate_in
from freebody.consistency.two_cases import TwoCases, shown
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, Node, Term, rebuilt, show
from freebody.errors import fault

_WORDS = re.compile(r"(?<![A-Za-z\\])(?!and\b|und\b|quad)[A-Za-z]{3,}")
"""Words between two lines, which may make them of two cases."""
CASE = (
    "it differs from {}, but the words before it may put another case, or a letter another meaning"
)
TURNED = "it follows from {} if its angles are turned by half a turn, which no words before it say"
LARGE = "it differs from {}, and the page is too large to look for the misprint"
PROPOSED = "with what is proposed for {}"
SEVERAL = "it differs from {}, but the page says two things of {}, which may be of several"
FAR = "it differs from {} by more than one misprint: it may be about another case"
SLIPS: frozenset[Kind] = frozenset({"sign", "factor", "power", "function"})
"""Misprints that no other case explains."""
LEAST_BORNE_OUT = 2
"""Laws by themselves that follow with a change of what says what a letter is."""


def verdicts_of(judge: Judge) -> Iterator[StatementVerdict]:
    """Judge all equations; what is wrong is mended or left aside where the rest is judged.

    First lines that were copied, and what says wrongly what a letter is, since much may be held
    by that.

    Parameters
    ----------
    judge : Judge
        Of all equations of a page.
    """
    search = Search(judge.letters.ration)
    culprits = _Culprits(judge, search)
    settled, mended = dict[int, StatementVerdict](), frozenset[int]()
    phases = (_Culprits.copied, _Culprits.said_wrongly, _Culprits.blamed, _Culprits.wrong)
    for accusing in phases:
        found = accusing(culprits)
        search.goes_on()
        if found:
            every = (*found, *found.values())
            settled |= {one.number: culprits.verdict(one) for one in every}
            equations, new = culprits.mended(found)
            mended |= new
            judge = judge.of(equations)
            culprits = _Culprits(judge, search, mended)
    for statement in judge.statements.all:
        known = settled.get(statement.number)
        yield known or culprits.slip(statement) or culprits.verdict(statement)


class _Culprits:
    """Which equations contradictions are due to, by what single changes would mend."""

    def __init__(self, judge: Judge, search: Search, mended: frozenset[int] = frozenset()) -> None:
        self.judge, self._search, self._proposed = judge, search, mended
        self.findings = [judge.safely(one) for one in judge.statements.all]
        self._mending = Mending(judge, self.findings, search)
        self._several = Several(judge, self.findings)
        self._cases = TwoCases(judge, self.findings, self._several, self._mending)
        self._blame = Blame(judge, self.findings)
        self._verdicts = dict[Statement, StatementVerdict]()

    def verdict(self, statement: Statement) -> StatementVerdict:
        """Return what is told of an equation; what goes wrong in the search, too."""
        if statement not in self._verdicts:
            try:
                made = self._verdict(statement, self.findings[statement.number])
            except Exception as error:
                made = _verdict(statement, "unsupported", reason=fault(error))
            self._verdicts[statement] = made
        return self._verdicts[statement]

    def _verdict(self, statement: Statement, finding: Finding) -> StatementVerdict:
        if finding.against and self._blame.is_spoken_against(statement):
            told = self._differing(statement, finding.against)
            is_near = all(one.section == statement.section for one in finding.against.others)
            if is_near or told.status == "contradicts":
                return told
        if finding.holds:
            proposed = [one.label for one in finding.others if one.number in self._proposed]
            reason = PROPOSED.format(" and ".join(proposed)) if proposed else finding.reason
            made = _verdict(statement, "consistent", _labels(finding), reason)
            return replace(made, proof=finding.proof)
        if finding.holds is None:
            return _verdict(statement, "unsupported", reason=finding.reason)
        if finding.route == "law":
            return self._breaking(statement, finding)
        return self._differing(statement, finding)

    def _breaking(self, statement: Statement, finding: Finding) -> StatementVerdict:
        """Return what is told of an equation that states a law wrongly."""
        made = _verdict(statement, "contradicts", reason=finding.reason)
        repairs = tuple(one.repair for one in self._mending.of_law(statement, finding))
        return replace(made, wrong=statement.label, repairs=repairs, proof=finding.proof)

    def _differing(self, statement: Statement, finding: Finding) -> StatementVerdict:
        """Return what is told of an equation that differs from others."""
        labels = _labels(finding)
        message = " and ".join(labels)
        if (copied := self._copied_from(statement, finding)) is not None:
            made = _verdict(statement, "contradicts", (copied.label,))
            repairs = self._mending.of_another_rate(statement, copied)
            return replace(made, wrong=statement.label, repairs=repairs, proof=finding.proof)
        return self._told_otherwise(statement, finding, labels, message)

    def _told_otherwise(
        self, statement: Statement, finding: Finding, labels: tuple[str, ...], message: str
    ) -> StatementVerdict:
        """Return what is told of an equation that differs from others, and is no copy of one."""
        if (step := self._broken_step(statement, finding)) is not None:
            return self._traced(statement, step, _labels(step))
        if several := self._several.of(statement, finding):
            if found := self._several.with_another(statement, several):
                return self._verdict(statement, found)
            if far := self._several.far(statement, finding, several):
                reason = SEVERAL.format(message, " and ".join(far))
                return _verdict(statement, "unsupported", labels, reason)
        if finding.route == "lagrangian" and self.judge.motion.may_be_turned(statement):
            return _verdict(statement, "unsupported", labels, TURNED.format(message))
        is_balanced = finding.route == "lagrangian" and self.judge.motion.may_be_balanced(statement)
        is_case = finding.is_open or is_balanced or self.judge.may_count_backwards(statement)
        is_case = is_case or self._goes_on_of_a_case(statement)
        if is_case and (told := self._told_of(statement, finding, labels)):
            return told
        if is_case:
            self._several.dispute(statement)
        of_motion = finding.route in OF_MOTION
        is_disputed = of_motion and any(self._is_disputed(one, statement) for one in finding.others)
        if is_case or is_disputed:
            return _verdict(statement, "unsupported", labels, CASE.format(message))
        if finding.route == "numbers":
            made = _verdict(statement, "contradicts", labels, finding.reason)
            return replace(made, proof=finding.proof)
        return self._traced(statement, finding, labels)

    def _goes_on_of_a_case(self, statement: Statement) -> bool:
        """Return whether an equation is one right before it, which is undecided, times a factor."""
        if not statement.number or self.findings[statement.number].route not in OF_MOTION:
            return False
        before = self.judge.statements.all[statement.number - 1]
        return (
            before.section == statement.section
            and self.findings[before.number].holds is False
            and self.judge.motion.is_rewritten(statement, before)
            and self.verdict(before).status == "unsupported"
        )

    def slip(self, statement: Statement) -> StatementVerdict | None:
        """Return the slip of the pen that is told of an equation, though it may differ otherwise.

        Another case or another meaning makes no equation of those right beside it by one sign, one
        number, or a sine for a cosine, where no words put a case.
        """
        finding = self.findings[statement.number].closed
        is_open = self.verdict(statement).status == "unsupported" and finding.holds is False
        if not is_open or not self._cases.may_be_slip(statement, finding):
            return None
        if not self._search.looks_again():
            return None
        mended = [
            one
            for one in self._mending.changes(statement, statement, finding, kinds=SLIPS)
            if not one.is_of_decimals
        ]
        is_law = self.findings[statement.number].holds is None
        if not mended and not is_law:
            return None
        every = (statement, *finding.others)
        due = [one for one in finding.others if self._cases.are_beside(one, every)]
        kinds = frozenset[Kind]() if is_law else SLIPS
        mended += chain(*(self._mending.changes(o, statement, finding, kinds=kinds) for o in due))
        if self._cases.reason(statement, finding, mended):
            return None
        scores = {id(one): self._blame.score(one) for one in mended}
        if is_law:
            mended = [one for one in mended if self._bears_out(one, statement, scores[id(one)])]
        return self._accused(statement, finding, mended, scores) if mended else None

    def _bears_out(self, mended: Mended, statement: Statement, score: Score) -> bool:
        """Return whether a change is of an equation itself, or of one by which two follow more."""
        return mended.statement is statement or score.more >= LEAST_BORNE_OUT

    def _copied_from(self, statement: Statement, finding: Finding) -> Statement | None:
        """Return the line right before an equation that was copied, but for the rate on its left.

        As in ``x'' = -k x, x'' = -k y``: it has another letter where that line has the one whose
        rate it says.
        """
        rate = rate_in(statement.relation.left)
        if rate is None:
            return None
        text = self.judge.statements.page.readable
        for one in finding.others:
            between = text[one.printed.span.stop : statement.printed.span.start]
            new = names_of(statement.relation.right) - names_of(one.relation.right)
            if len(new) == 1 and one.number < statement.number and not _WORDS.search(between):
                copied = _renamed(one.relation.right, bare(rate.key), *new)
                if (show(one.relation.left), show(copied)) == shown(statement.relation):
                    return one
        return None

    def _broken_step(self, statement: Statement, finding: Finding) -> Finding | None:
        """Return that a step of a derivation breaks it off, where all before it holds."""
        before = self.findings[statement.number - 1] if statement.number else None
        is_led = before is not None and bool(before.holds) and not before.is_open
        return self.judge.broken_step(statement) if is_led and finding.route != "numbers" else None

    def _told_of(
        self, statement: Statement, finding: Finding, labels: tuple[str, ...]
    ) -> StatementVerdict | None:
        """Return the one misprint that is told of an equation which may differ otherwise, too."""
        if not finding.told or not self._search.looks_again():
            return None
        found = [*self._mending.changes(statement, statement, finding, kinds=finding.told)]
        if len(found) != 1 or not all(map(_is_of_numbers, found[0].repair.edits)):
            return None
        made = _verdict(statement, "contradicts", labels, finding.reason)
        repairs = (found[0].repair,)
        return replace(made, wrong=statement.label, repairs=repairs, proof=finding.proof)

    def _traced(
        self, statement: Statement, finding: Finding, labels: tuple[str, ...]
    ) -> StatementVerdict:
        """Return what is told of a contradiction, by the misprint that it is due to."""
        message = " and ".join(labels)
        mended = self._mending.of(statement, finding, lambda one: self._blame.score(one).more > 0)
        if not mended and self._search.is_spent():
            return _verdict(statement, "unsupported", labels, LARGE.format(message))
        scores = {id(one): self._blame.score(one) for one in mended}
        mended = [o for o in mended if scores[id(o)].more >= 0 and not _is_aside(statement, o)]
        if any(one.statement is statement for one in mended):
            mended = [o for o in mended if o.statement is statement or not scores[id(o)].lost]
        if not mended and self.findings[statement.number].holds is False:
            self._several.dispute(statement)
        if not mended and self._is_sure_step(statement, finding):
            every = ", ".join((statement.label, *labels))
            made = _verdict(statement, "contradicts", labels, EITHER.format(every))
            return replace(made, proof=finding.proof)
        if reason := self._cases.reason(statement, finding, mended):
            made = _verdict(statement, "unsupported", labels, reason)
            return replace(made, is_of_two_cases=True)
        if all(self._puts_one(one, statement) for one in mended):
            reason = CASE if mended else FAR
            return _verdict(statement, "unsupported", labels, reason.format(message))
        return self._accused(statement, finding, mended, scores)

    def _accused(
        self,
        statement: Statement,
        finding: Finding,
        mended: list[Mended],
        scores: Mapping[int, Score],
    ) -> StatementVerdict:
        """Return what is told of a contradiction that some changes would mend."""
        wrong, repairs, reason = self._blame.of(statement, mended, scores)
        labels = _labels(finding)
        made = _verdict(statement, "contradicts", labels, reason or finding.reason)
        return replace(made, wrong=wrong, repairs=repairs, proof=finding.proof)

    def _is_sure_step(self, statement: Statement, finding: Finding) -> bool:
        """Return whether a step goes wrong from one constant to another, by what is said near it.

        However far it is from what is right, that is about no other case.
        """
        is_near = all(one.section == statement.section for one in finding.others)
        is_constant = self.judge.letters.moving.isdisjoint(statement.keys)
        is_step = self.judge.steps.is_chained(statement)
        return finding.route == "definitions" and is_step and is_near and is_constant

    def _puts_one(self, mended: Mended, statement: Statement) -> bool:
        """Return whether only constants are lost, which an equation may have as one.

        A letter that stands nowhere else is none, where another takes its place.
        """
        lost = {*mended.statement.keys} - {*keys(mended.relation)}
        if mended.kind in ("symbol", "index") and lost <= self.judge.statements.single:
            return False
        if not lost or not lost.isdisjoint(self.judge.statements.moving()):
            return False
        if lost <= self.judge.letters.moving:  # made of what moves, but with no rate: an integral
            return True
        is_other = mended.statement is not statement
        return is_other and lost.isdisjoint(statement.keys)

    def _is_disputed(self, statement: Statement, beside: Statement) -> bool:
        """Return whether others say otherwise what a letter is, and it is not known which.

        Beside an equation not where only other sections say so, and what the letter is was said in
        its own, or before all of them: those are of other systems.
        """
        finding, own = self.findings[statement.number], {*self._several.defined(statement)}
        if finding.holds is not False or not own:
            return False
        others = [one for one in finding.others if own & {*self._several.defined(one)}]
        are_far = all(
            one.section != beside.section and (is_own or one.number > beside.number)
            for is_own in (statement.section == beside.section,)
            for one in others
        )
        if others and are_far:
            return False
        return self.verdict(statement).status == "unsupported"

    def mended(self, found: Mapping[Statement, Statement]) -> tuple[Equations, frozenset[int]]:
        """Return the page with what is wrong left aside, or mended where others are held by it.

        Beside it stand the numbers of the equations that are mended.
        """
        ways = {
            wrong: way
            for accuser, wrong in found.items()
            if wrong is not accuser and (way := self._way(accuser, wrong))
        }
        equations = self.judge.equations.without({*found.values()} - ways.keys())
        for wrong, relation in ways.items():
            equations = equations.changed(wrong, relation)
        return equations, frozenset(one.number for one in ways)

    def _way(self, accuser: Statement, wrong: Statement) -> Relation | None:
        """Return how an equation is mended, if what it is accused by tells one way."""
        repairs = self.verdict(accuser).repairs
        ways = (
            one for one in self._mending.known if one.statement is wrong and one.repair in repairs
        )
        return next(ways).relation if len(repairs) == 1 else None

    def wrong(self) -> dict[Statement, Statement]:
        """Return the equations that the rest speaks against; short ones take less work."""
        left_aside = self.judge.equations.left_aside
        left = (one for one in self.judge.statements.all if one.number not in left_aside)
        every = sorted(left, key=lambda one: len(one.relation.latex))
        return self._again({one: one for one in every if self.verdict(one).wrong == one.label})

    def _again(self, accused: Mapping[Statement, Statement]) -> dict[Statement, Statement]:
        """Return those that are accused when it is known which letters put in are of several."""
        known = self._several.disputed
        put_in = {one: self._several.put_in(self.findings[one.number]) for one in accused}
        every = set[str]().union(*put_in.values())
        for one in self.judge.statements.all:
            if not every.isdisjoint(self._several.defined(one)):
                self.verdict(one)
        new = self._several.disputed - known
        for one in accused:
            if not new.isdisjoint(put_in[one]):
                del self._verdicts[one]
        return {
            one: wrong for one, wrong in accused.items() if self.verdict(one).wrong == wrong.label
        }

    def copied(self) -> dict[Statement, Statement]:
        """Return the lines that were copied, by themselves."""
        found = zip(self.judge.statements.all, self.findings, strict=True)
        odd = (one for one, finding in found if finding.holds is False)
        return {one: one for one in odd if self._copied_from(one, self.findings[one.number])}

    def said_wrongly(self) -> dict[Statement, Statement]:
        """Return by what is told that an equation says wrongly what a letter is.

        That of which others say what it is, or what is put in where they do.
        """
        odd = (
            statement
            for statement, finding in zip(self.judge.statements.all, self.findings, strict=True)
            if finding.holds is False and finding.route == "definitions" and not finding.is_open
            if self._is_said_by_others(statement, finding)
        )
        named = {one.label: one for one in self.judge.statements.all}
        accused = ((one, named.get(self.verdict(one).wrong)) for one in odd)
        return self._again({one: wrong for one, wrong in accused if wrong is not None})

    def blamed(self) -> dict[Statement, Statement]:
        """Return an equation that two others speak against with one repair, by the first of them.

        One that does not differ itself, though what repeats its misprint may bear it out; no more
        is looked for, as much may follow with that.
        """
        named = {one.label: one for one in self.judge.statements.all}
        accusers: dict[tuple[str, str], Statement] = {}
        for one in self.judge.statements.all:
            verdict = self.verdict(one)
            wrong = named.get(verdict.wrong)
            differs = wrong is None or self.findings[wrong.number].holds is False
            if wrong is not None and not differs and len(verdict.repairs) == 1:
                key = verdict.wrong, verdict.repairs[0].latex
                if key in accusers:
                    return {accusers[key]: wrong}
                accusers[key] = one
        return {}

    def _is_said_by_others(self, statement: Statement, finding: Finding) -> bool:
        """Return whether one of the others says what the same letter is."""
        own = self._several.defined(statement)
        return not self._several.put_in(finding).keys().isdisjoint(own)


def _is_aside(statement: Statement, mended: Mended) -> bool:
    """Return whether running text would have what another section displays changed.

    It may be about something else.
    """
    other = mended.statement
    is_far = other.section != statement.section
    return statement.is_inline and is_far and not other.is_inline


def _is_of_numbers(edit: Edit) -> bool:
    """Return whether a change is of a number in an index: ``l_1`` for ``l_2``."""
    printed, proposed = (re.sub(r"[{}\s]", "", one) for one in (edit.printed, edit.proposed))
    return printed != proposed and re.sub(r"\d", "#", printed) == re.sub(r"\d", "#", proposed)


def _renamed(node: Node | Term, key: str, other: str) -> Node:
    """Return a side of an equation with another letter in place of one."""

    def change(part: Any) -> Any:
        is_it = isinstance(part, Name) and part.key == key
        return replace(part, key=other) if is_it else rebuilt(part, change)

    return cast("Node", change(node))


def _labels(finding: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.label for one in finding.others))


def _verdict(
    statement: Statement, status: Standing, labels: tuple[str, ...] = (), reason: str = ""
) -> StatementVerdict:
    relation = statement.relation
    return StatementVerdict(
        statement.label,
        statement.place,
        relation.line,
        relation.latex,
        status,
        labels,
        reason,
        is_inline=statement.is_inline,
    )
