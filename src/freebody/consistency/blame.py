"""Which equation a contradiction is due to: of what would mend it, that by which most follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from freebody.checking.findings import Repair
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS
from freebody.consistency.finding import Finding
from freebody.consistency.judging import Judge
from freebody.consistency.mending import Mended
from freebody.consistency.motion.energies import has_mixed_inertia, has_negative_inertia
from freebody.consistency.statement import Statement

EITHER = "one of {} is misprinted: nothing on the page says which"


class Score(NamedTuple):
    """How many more equations follow from others with a change, and how many do no longer.

    A misprint that is carried on by what follows from it makes many differ from what is right, but
    what that itself follows from stays.
    """

    more: int
    lost: int


class Blame:
    """What speaks against the equations of a page, of which some differ from others.

    Parameters
    ----------
    judge : Judge
    findings : sequence of Finding
        Of all equations, in their order.
    """

    def __init__(self, judge: Judge, findings: Sequence[Finding]) -> None:
        self._judge, self._findings = judge, findings

    def is_spoken_against(self, statement: Statement) -> bool:
        """Return whether those before an equation contradict it that follow from others."""
        against = self._findings[statement.number].against
        if against is None or against.is_open:
            return False
        held = (self._findings[one.number] for one in against.others)
        return any(one.holds and (one.against is None or one.against.is_open) for one in held)

    def of(
        self, statement: Statement, mended: list[Mended], scores: Mapping[int, Score]
    ) -> tuple[str, tuple[Repair, ...], str]:
        """Return the equation that the rest speaks against, with its repairs, and why."""
        best = max(scores[id(one)].more for one in mended)
        likely = [one for one in mended if scores[id(one)].more == best]
        likely = self._by_mechanics(likely)
        labels = dict.fromkeys(one.statement.label for one in likely)
        if len(labels) > 1:
            message = EITHER.format(", ".join(labels))
            own = tuple(one.repair for one in likely if one.statement is statement)
            return "", own or tuple(one.repair for one in likely), message
        (label,) = labels
        return label, tuple(one.repair for one in likely), ""

    def score(self, mended: Mended) -> Score:
        """Return what a change makes of the equations that it touches.

        What follows from a misprint behind it, and is wrong with it, is not counted as lost.
        """
        changed = self._judge.equations.changed(mended.statement, mended.relation)
        judge = self._judge.of(changed)
        more = lost = 0
        for statement, finding in zip(self._judge.statements.all, self._findings, strict=True):
            finding = finding.closed
            touches = {statement.number, *(one.number for one in finding.others)}
            if finding.holds is None or mended.statement.number not in touches:
                continue
            is_own = statement is mended.statement
            held = bool(finding.holds) and not (is_own and self.is_spoken_against(statement))
            holds = bool(judge.safely(judge.at(statement)).holds)
            is_carried_on = self._is_carried_on(mended.statement, statement)
            more += max(holds - held, 0) if is_carried_on else holds - held
            lost += held and not holds and not is_carried_on
        return Score(more, lost)

    def _by_mechanics(self, likely: list[Mended]) -> list[Mended]:
        """Return the likelier changes: of L = T + V, and not of L = T - V or the sign of a mass."""
        states = {id(one): self._states_lagrangian(one.statement) for one in likely}
        wrong = [one for one in likely if states[id(one)] is False]
        if wrong:
            return wrong
        others = [one for one in likely if states[id(one)] is None]
        return [one for one in others if not self._turns_masses(one)] or others or likely

    def _turns_masses(self, mended: Mended) -> bool:
        """Return whether masses would count against the kinetic energy with a change.

        Or against each other, before one acceleration.
        """
        changed = self._judge.equations.changed(mended.statement, mended.relation)
        statement = changed.statements.all[mended.statement.number]
        letters = self._judge.letters
        return any(
            has_negative_inertia(letters, one.grid.form)
            for one in changed.meanings.of(statement)
            if one.grid.is_scalar and one.letter.key in (*LAGRANGIANS, *KINETIC)
        ) or any(has_mixed_inertia(letters, form) for form in changed.forms(statement))

    def _states_lagrangian(self, statement: Statement) -> bool | None:
        """Return whether an equation says L = T - V; None where it says nothing like that."""
        for one in self._judge.meanings.of(statement):
            if one.letter.key in LAGRANGIANS and one.grid.is_scalar:
                values = sorted(one.grid.form.terms.table.values())
                if len(values) == 2 and all(abs(value) == 1 for value in values):
                    return sum(values) == 0
        return None

    def _is_carried_on(self, wrong: Statement, statement: Statement) -> bool:
        """Return whether an equation behind one that those before it speak against follows so."""
        return self.is_spoken_against(wrong) and wrong.number < statement.number
