r"""Solutions: what is printed as a motion in time, put into the equation of motion of its letter.

As :math:`x = A\cos\omega t` into :math:`m\ddot x + k x = 0`, with :math:`\omega^2 = k/m`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from freebody.algebra import Form
from freebody.algebra.canonical import is_zero
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import TooLargeError
from freebody.checking.grid import Grid
from freebody.consistency.finding import Finding
from freebody.consistency.letters import TIME, Letter, Letters, letters_of
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.paths import Path, Paths
from freebody.consistency.otherwise import Otherwise
from freebody.consistency.statement import Statement

SOLVES = "a solution of the equation of motion"
MOST_PRODUCTS, MOST_TERMS = 20_000, 500
"""Of terms, to put one motion into one equation, and those that are left then."""
MOST_NEAR = 8
"""Equations that one is put into."""


class Solutions:
    """Holds what something is in time against its equations of motion.

    Parameters
    ----------
    equations : Equations
    paths : Paths
        The motions in time that the page prints.
    otherwise : Otherwise
        Why they may differ.
    """

    def __init__(self, equations: Equations, paths: Paths, otherwise: Otherwise) -> None:
        self._equations, self._letters = equations, equations.letters
        self._paths, self._otherwise = paths, otherwise

    def finding(self, statement: Statement) -> Finding | None:
        """Return what equations of motion say of what something is in time."""
        if TIME not in statement.keys:
            return None
        for letter in self._paths.subjects(statement):
            path = None if letter.dots else self._paths.path(statement, letter)
            if path and (found := self._of(path)):
                return found
        return None

    def _of(self, path: Path) -> Finding | None:
        against: Statement | None = None
        for one, form in self._about(path):
            with (
                suppress(TooLargeError, ZeroDivisionError),
                self._letters.ring.budget.work(MOST_PRODUCTS),
            ):
                if is_zero(self._put(path, form), MOST_TERMS).equal:
                    return Finding(True, (one,), SOLVES, "solution")
                if against is None and self._speaks(one, form, path):
                    against = one
        if against is None:
            return None
        is_open = self._otherwise.is_open(path.statement)
        return Finding(False, (against,), SOLVES, "solution", is_open=is_open)

    def _about(self, path: Path) -> Iterator[tuple[Statement, Form]]:
        """Iterate over the equations of motion in which nothing else moves, the nearest first."""
        moved = path.letter.key
        every = (one for one in self._equations.beside(path.statement) if moved in one.moved(1))
        for one in islice(every, MOST_NEAR):
            for form in self._equations.forms(one):
                inside = letters_of(self._letters, form)
                moving = {each for each in inside if each.key in self._letters.moving}
                keys = {each.key for each in moving}
                if keys == {moved} and any(each.dots for each in moving):
                    yield one, form

    def _put(self, path: Path, form: Form) -> Form:
        """Return what is left of an equation with a motion in it."""
        letters, key = self._letters, path.letter.key
        orders = {one.dots for one in letters_of(letters, form) if one.key == key}
        rates = {n: letters.rates(Grid.scalar(path.form), n).form for n in orders}
        return substituted(form, {letters.atom(Letter(key, n)): rates[n] for n in orders})

    def _speaks(self, one: Statement, form: Form, path: Path) -> bool:
        """Return whether an equation speaks against a motion that does not solve it.

        It stands in its section, is no motion in time itself, and says by which constants that
        goes on.
        """
        is_motion = TIME in one.keys and self._paths.subjects(one)
        if one.section != path.statement.section or one.is_case or is_motion:
            return False
        known = {each.key for each in letters_of(self._letters, form)} - {path.letter.key}
        own = {each.key for each in letters_of(self._letters, path.form)}
        return known <= own and _timed(self._letters, path.form) <= known | {TIME}


def _timed(letters: Letters, form: Form) -> set[str]:
    """Return the letters that stand before the time, in functions of it or elsewhere."""
    time = letters.atom(Letter(TIME, 0))
    arguments = [
        argument
        for place in form.terms.places()
        for argument in form.ring.generators[place].arguments
    ]
    slopes = [form.ring.partial(one, time) for one in arguments]
    return {each.key for slope in slopes for each in letters_of(letters, slope)}
