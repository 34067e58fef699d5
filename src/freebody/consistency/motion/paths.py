r"""Motions in time: :math:`\dot x = v_0 - g t` is the rate of what a page prints as x by t.

Where something is accelerated by an equation of motion, what it is in time is one solution of
that, and not what its letter stands for. Its velocity and acceleration are still its derivatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from freebody.algebra import Form
from freebody.algebra.substitution import atoms
from freebody.checking.grid import Grid
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import APPROXIMATIONS, EQUALITIES
from freebody.consistency.finding import Finding
from freebody.consistency.letters import TIME, Letter, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import Node, differentiated
from freebody.errors import FreebodyError

DERIVED = "one is the derivative of the other by time"
MOST_PRODUCTS = 20_000
"""Of terms, to work out one path."""
MOST_NEAR = 6
"""Others that one is held against."""
MOST_APART = 1
"""Letters of one derivative that the other may have another for, as by a misprint."""


@dataclass(frozen=True, eq=False)
class Path:
    """What something that moves, or a rate of it, is in time.

    Attributes
    ----------
    letter : Letter
    form : Form
        In the time and constants.
    statement : Statement
    """

    letter: Letter
    form: Form
    statement: Statement


class Paths:
    """The motions in time that a page prints.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
    """

    def __init__(self, statements: Statements, meanings: Meanings) -> None:
        self._statements, self._meanings, self._letters = statements, meanings, meanings.letters

    def finding(self, statement: Statement) -> Finding | None:
        """Return what the other paths say of one; None of anything else."""
        found = None
        for letter in self._subjects.get(statement.number, ()):
            found = self._beside(statement, letter) or found
            if found and found.holds:
                break
        return found

    def _beside(self, statement: Statement, letter: Letter) -> Finding | None:
        """Return what the other paths of a letter say of one."""
        own = self.path(statement, letter)
        if own is None:
            return None
        beside = None
        for one in self._near(statement, letter):
            if not self._difference(own, one):
                return Finding(True, (one.statement,), DERIVED, "path")
            beside = beside or (one if self._is_of_one_motion(own, one) else None)
        if beside is None:
            return None
        is_case = statement.is_case or beside.statement.is_case
        is_open = is_case and not self._has_timed(own.form)  # else it is of one case
        return Finding(False, (beside.statement,), DERIVED, "path", is_open=is_open)

    def _near(self, statement: Statement, letter: Letter) -> Iterator[Path]:
        """Iterate over the other paths of a letter, the nearest first."""
        others = [
            (number, one)
            for number, subjects in self._subjects.items()
            for one in subjects
            if one.key == letter.key and number != statement.number
        ]
        others.sort(key=lambda one: abs(one[0] - statement.number))
        for number, one in others[:MOST_NEAR]:
            if path := self.path(self._statements.all[number], one):
                yield path

    @cached_property
    def _subjects(self) -> dict[int, list[Letter]]:
        """What moves by itself on the left side of equations, or of chains, by their numbers.

        Of what several say it of, and one in time.
        """
        found, in_time = dict[int, list[Letter]](), set[str]()
        for one in self._statements.all:
            found[one.number] = self.subjects(one)
            in_time |= {each.key for each in found[one.number] if TIME in one.keys}
        counted = Counter(one.key for subjects in found.values() for one in subjects)
        several = {key for key in in_time if counted[key] > 1}
        return {
            number: [one for one in subjects if one.key in several]
            for number, subjects in found.items()
        }

    def subjects(self, statement: Statement) -> list[Letter]:
        """Return what moves by itself on the left side of an equation, or of its chain."""
        if statement.relation.relation not in EQUALITIES - APPROXIMATIONS or statement.states_value:
            return []
        subjects = filter(None, map(differentiated, self._begun(statement)))
        letters = dict.fromkeys(Letter(bare(name.key), dots) for name, dots in subjects)
        return [one for one in letters if one.key in self._letters.moving]

    def path(self, statement: Statement, letter: Letter) -> Path | None:
        """Return what a letter is by an equation, if that is in the time and constants alone."""
        view = self._meanings.view(statement)
        with (
            suppress(FreebodyError, ZeroDivisionError),
            self._letters.ring.budget.work(MOST_PRODUCTS),
        ):
            grid = Values(view).value(statement.relation.right)
            form = view.lower(grid.form) if grid.is_scalar else self._letters.ring.zero
            inside = {one.key for one in letters_of(self._letters, form)}
            is_in_time = TIME in inside or (letter.dots and inside)
            if is_in_time and inside.isdisjoint(self._letters.moving):
                return Path(letter, form, statement)
        return None

    def _begun(self, statement: Statement) -> list[Node]:
        """Return what the chain that an equation ends begins with, and the equation itself."""
        chain = [*self._meanings.chain_before(statement)[:1], statement]
        return [one.relation.left for one in chain]

    def _difference(self, one: Path, other: Path) -> Form:
        """Return by how much paths differ, the lower one differentiated as often as it takes."""
        lower, higher = sorted((one, other), key=lambda path: path.letter.dots)
        times = higher.letter.dots - lower.letter.dots
        derived = self._letters.rates(Grid.scalar(lower.form), times).form
        return self._letters.ring.cleared(derived - higher.form)

    def _is_of_one_motion(self, one: Path, other: Path) -> bool:
        """Return whether one path must be the rate of the other, in the letters that it has.

        Both stand in one section, have the same functions, and hardly other letters: else they may
        be of two cases.
        """
        lower, higher = sorted((one, other), key=lambda path: path.letter.dots)
        if higher.letter.dots - lower.letter.dots != 1:
            return False
        if one.statement.section != other.statement.section:
            return False
        derived = self._letters.rate(lower.form)
        first, second = (
            {letter.key for letter in letters_of(self._letters, form)}
            for form in (derived, higher.form)
        )
        apart = len(first - second), len(second - first)
        if TIME not in first & second or max(apart) > MOST_APART:
            return False
        if apart[0] != apart[1]:  # a letter more of as many terms: those of powers are other cases
            are_alike = len(derived.terms) == len(higher.form.terms)
            if not (are_alike and self._has_timed(derived)):
                return False
        return _functions(derived) == _functions(higher.form)

    def _has_timed(self, form: Form) -> bool:
        """Return whether a function has time in it."""
        time = self._letters.atom(Letter(TIME, 0))
        arguments = (form.ring.generators[place].arguments for place in _functions(form))
        return any(time in atoms(one) for each in arguments for one in each)


def _functions(form: Form) -> set[int]:
    """Return the places of what is no plain letter in a form."""
    places = form.terms.places()
    return {place for place in places if form.ring.generators[place].kind != "factor"}
