"""Letters of which a page says two things, and what an equation is held by of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freebody.consistency.finding import Finding
from freebody.consistency.judging import Judge
from freebody.consistency.letters import Letter
from freebody.consistency.meanings.views import Definition
from freebody.consistency.statement import Statement

NEAR = 4
"""Equations behind what says what a letter is, which are about the same thing."""
MOST_TRIED = 3
"""What a letter may be besides, the nearest first, that is tried."""


class Several:
    """The letters of a page that stand for several things.

    Parameters
    ----------
    judge : Judge
    findings : sequence of Finding
        What is found of each equation.
    """

    def __init__(self, judge: Judge, findings: Sequence[Finding]) -> None:
        self._judge, self._findings = judge, findings
        self._disputed: dict[str, None] = {}
        self._judges = dict[tuple[str, int], Judge]()

    def defined(self, statement: Statement) -> list[str]:
        """Return the letters without dots that an equation says what they are."""
        return [one.letter.key for one in self._judge.meanings.of(statement) if not one.letter.dots]

    @property
    def disputed(self) -> frozenset[str]:
        """The letters that are said to be what differs by more than a misprint, so far."""
        return frozenset(self._disputed)

    def dispute(self, statement: Statement) -> None:
        """Take what an equation defines for what differs by more than a misprint."""
        self._disputed |= dict.fromkeys(self.defined(statement))

    def of(self, statement: Statement, finding: Finding) -> list[str]:
        """Return the letters that an equation is held by and that stand for several things."""
        own = self.defined(statement)
        put_in = self.put_in(finding)
        return [key for key in put_in if key not in own and self._is_several(key)]

    def put_in(self, finding: Finding) -> dict[str, None]:
        """Return the letters of which the equations that another is held by say what they are."""
        return dict.fromkeys(key for one in finding.others for key in self.defined(one))

    def far(self, statement: Statement, finding: Finding, keys: Sequence[str]) -> list[str]:
        """Return those of some letters of which it is not said right before what they are."""
        near = {
            key
            for one in finding.others
            for key in self.defined(one)
            if self._is_near(statement, one, key)
        }
        return [key for key in keys if key not in near]

    def with_another(self, statement: Statement, keys: Sequence[str]) -> Finding | None:
        """Return how an equation follows where a letter is what is said of it elsewhere.

        Most of the work that a page may take is left for its other equations.
        """
        for key in keys if self._judge.letters.ration.has_much_left else ():
            for said in self._ways(statement, key):
                found = self._where(said).finding(statement)
                if found.holds and said.statement in found.others:
                    return found
        return None

    def _is_near(self, statement: Statement, said: Statement, key: str) -> bool:
        """Return whether what a letter is is said right before an equation, or there alone so far.

        Right before it is in its section; what else is said only later is of another case.
        """
        if said.number >= statement.number:
            return False
        others = [one for one in self._said(key) if one is not said]
        if all(one.number > statement.number and one.section > said.section for one in others):
            return True
        between = range(said.number + 1, statement.number)
        return (
            statement.section == said.section
            and len(between) < NEAR
            and not any(one.number in between for one in others)
        )

    def _is_several(self, key: str) -> bool:
        """Return whether a page says two things of a letter that are not known to be one."""
        said = self._said(key)
        known = [one for one in said if not {*self._judge.meanings.chain_before(one)} & {*said}]
        unknown = any(self._findings[one.number].holds is None for one in known)
        return key in self._disputed or (len(known) > 1 and unknown)

    def _said(self, key: str) -> list[Statement]:
        """Return the equations that say what a letter is."""
        every = self._judge.meanings.definitions.get(key, ())
        return [one.statement for one in every if not one.letter.dots]

    def _ways(self, statement: Statement, key: str) -> Iterator[Definition]:
        """Iterate over what a letter is by what is said before an equation, the nearest first.

        Of a chain of equalities that is each of its sides, the last one first.
        """
        said = {one.number: one for one in self._said(key) if one.number < statement.number}
        for number in sorted(said, reverse=True)[:MOST_TRIED]:
            chain = self._judge.statements.chain_from(said[number])
            steps = [one for one in chain if one is not statement]
            for step in reversed(steps):
                yield from self._judge.meanings.said_by(
                    step, [(Letter(key, 0), step.relation.right)]
                )

    def _where(self, said: Definition) -> Judge:
        """Return what judges the page where a letter stands for one thing."""
        key = said.letter.key, said.statement.number
        if key not in self._judges:
            self._judges[key] = self._judge.of(self._judge.equations.where(said))
        return self._judges[key]
