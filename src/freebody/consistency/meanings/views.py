"""What the letters of a page stand for as one of its equations sees it, put into forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import atoms, substituted
from freebody.checking.grid import Grid, MeaningError
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.statement import Statement

if TYPE_CHECKING:
    from freebody.consistency.meanings.meanings import Meanings

DEEPEST = 100
"""So often what a letter stands for may have others that stand for something."""


@dataclass(frozen=True, eq=False)
class Definition:
    """What a letter stands for.

    Attributes
    ----------
    letter : Letter
    grid : Grid
        In other letters of the page.
    statement : Statement
        The equation that says so.
    through : tuple of Statement
        Those that say which columns and matrices are in it.
    misfits : frozenset of int
        The numbers of the equations of other sections that have no meaning with it.
    is_notation : bool
        Whether no equation says it, and it is how one is written: no equation is left aside then.
    """

    letter: Letter
    grid: Grid
    statement: Statement
    through: tuple[Statement, ...] = ()
    misfits: frozenset[int] = frozenset()
    is_notation: bool = False


class View:
    """What the letters of a page stand for, seen from one of its equations.

    Parameters
    ----------
    meanings : Meanings
    at : Statement
        The equation from which it is seen: what is said near it counts first.
    without : collection of Statement
        The equations that are left aside.

    Attributes
    ----------
    used : dict of int to Statement
        The equations that were put in, by their numbers.
    arguments : mapping of str to frozenset of str
        The letters that are printed as functions of others, with of which.
    grids : dict of str to Grid
        Letters that are taken for columns or matrices of others, though no equation says so, or
        one says what they are as if they were none.
    """

    def __init__(self, meanings: Meanings, at: Statement, without: Iterable[Statement]) -> None:
        self.letters = meanings.letters
        self.used: dict[int, Statement] = {}
        self.arguments = meanings.arguments
        self.grids: dict[str, Grid] = {}
        self._meanings = meanings
        self._known, self._shorthands = meanings.definitions, meanings.shorthands
        self._at = at
        self._without = {one.number for one in without}
        self._known_said: dict[Letter, tuple[Form, Definition | None] | None] = {}
        self._known_inside: dict[Letter, frozenset[Letter]] = {}

    @property
    def others(self) -> tuple[Statement, ...]:
        """The equations that were put in, in the order of the page."""
        return tuple(self.used[number] for number in sorted(self.used))

    def is_put_in(self, key: str) -> bool:
        """Return whether something on the page is said by a letter or its rates."""
        grids = (one.grid for known in self._known.values() for one in known)
        forms = (form for grid in grids for form in grid.entries())
        return any(one.key == key for form in forms for one in letters_of(self.letters, form))

    def _use(self, definition: Definition) -> None:
        for one in (definition.statement, *definition.through):
            self.used[one.number] = one

    def definition(self, letter: Letter) -> Definition | None:
        """Return what a letter, or one of which it is a rate, stands for."""
        fit = [
            one
            for one in self._known.get(letter.key, ())
            if one.letter.dots <= letter.dots
            and (
                one.is_notation
                or self._without.isdisjoint(each.number for each in (one.statement, *one.through))
            )
            and self._is_near(one.statement)
            and self._at.number not in one.misfits
            and not self._is_of_another_system(one)
            and not self._is_counted_otherwise(one)
        ]
        return min(fit, key=self._distance, default=None)

    def is_printed(self, key: str) -> bool:
        """Return whether an equation of the page has a letter."""
        return key in self._meanings.printed

    def said_of(self, key: str) -> Sequence[Definition]:
        """Return all that the page says a letter stands for, wherever it does."""
        return self._known.get(key, ())

    def scalars(self) -> Iterator[Definition]:
        """Iterate over what stands for letters that are no columns or matrices."""
        found = (self.definition(Letter(key, 0)) for key in self._known)
        yield from (one for one in found if one and one.grid.is_scalar and not one.letter.dots)

    def before(self, letters: re.Pattern[str]) -> list[Definition]:
        """Return the definitions of letters before the equation, the nearest first."""
        found = (self.definition(Letter(key, 0)) for key in self._known if letters.fullmatch(key))
        known = [one for one in found if one and one.statement.number < self._at.number]
        return sorted(known, key=lambda one: -one.statement.number)

    def _is_near(self, statement: Statement) -> bool:
        """Return whether a definition counts: one in running text not before its section."""
        return not statement.is_inline or statement.section <= self._at.section

    def _is_counted_otherwise(self, one: Definition) -> bool:
        r"""Return whether running text counts a coordinate from elsewhere, which is not done here.

        As in "hanging (:math:`\alpha = \pi + \phi`)", where an equation goes on in alpha.
        """
        is_elsewhere = one.statement.section != self._at.section
        is_here = one.letter.key in self._at.keys
        if not (one.statement.is_inline and one.grid.is_scalar and (is_elsewhere or is_here)):
            return False
        inside = {each.key for each in letters_of(self.letters, one.grid.form)}
        both = {one.letter.key, *inside}
        is_shifted = len(inside) == 1 and len(one.grid.form.terms) > 1
        is_unprinted = inside.isdisjoint(self._at.keys)
        return is_shifted and is_unprinted and both <= self._meanings.dotted

    def _is_of_another_system(self, one: Definition) -> bool:
        r"""Return whether a letter names a rate that is otherwise here: ``\dot x = f(x, y)``."""
        here = self._meanings.rates_said(self._at)
        is_beside = one.statement.relation.display == self._at.relation.display
        if not here or is_beside or one.letter.dots or not one.grid.is_scalar:
            return False
        rate = self.letters.sole(one.grid.form)
        return rate is not None and rate.dots == 1 and rate in here

    def _distance(self, one: Definition) -> tuple[int, bool, bool, bool, int]:
        place = one.statement.number - self._at.number
        is_elsewhere = one.statement.section != self._at.section
        return one.letter.dots, is_elsewhere, one.statement.is_inline, place > 0, abs(place)

    def value(self, letter: Letter) -> Grid:
        """Return a letter as it is, or the column or matrix that it stands for."""
        found = self.definition(letter)
        is_open = found is None or found.grid.is_scalar
        if is_open and letter.key in self.grids:
            return self.letters.rates(self.grids[letter.key], letter.dots)
        if found is None and (function := self.letters.function(letter.key)):
            return self.letters.rates(Grid.scalar(self.letters.form(function)), letter.dots)
        if found is None or found.grid.is_scalar:
            return Grid.scalar(self.letters.form(letter))
        self._use(found)
        return self.letters.rates(found.grid, letter.dots - found.letter.dots)

    def lower(self, form: Form) -> Form:
        """Return a form with all that its letters stand for put in, each of them once.

        Raises
        ------
        MeaningError
            If that has no end, or a far one.
        """
        self.letters.ration.count_form()
        while values := self._values(form):
            form = substituted(form, values)
        return form

    def _values(self, form: Form) -> dict[sympy.Expr, Form]:
        """Return what letters of a form stand for at once that are in none of its others."""
        letters = ((atom, self.letters.letter(atom)) for atom in atoms(form))
        known = {letter: atom for atom, letter in letters if letter and self._said(letter)}
        within = frozenset[Letter]().union(*(self._inside(one, ()) for one in known))
        values = dict[sympy.Expr, Form]()
        for letter in known.keys() - within:
            if said := self._said(letter):
                values[known[letter]], found = said
                if found:
                    self._use(found)
        return values

    def _inside(self, letter: Letter, within: tuple[Letter, ...]) -> frozenset[Letter]:
        """Return the letters in what one stands for, with those in what they stand for."""
        if letter in within:
            raise MeaningError("its letters stand for each other")
        if len(within) > DEEPEST:
            raise MeaningError(f"its letters stand for others more than {DEEPEST} times")
        if letter not in self._known_inside:
            said = self._said(letter)
            own = letters_of(self.letters, said[0]) if said else frozenset[Letter]()
            others = (self._inside(one, (*within, letter)) for one in own)
            self._known_inside[letter] = frozenset(own).union(*others)
        return self._known_inside[letter]

    def _said(self, letter: Letter) -> tuple[Form, Definition | None] | None:
        """Return what the page says at once that a letter stands for, and where; not of columns."""
        if letter not in self._known_said:
            self._known_said[letter] = self._looked_up(letter)
        return self._known_said[letter]

    def _looked_up(self, letter: Letter) -> tuple[Form, Definition | None] | None:
        found = self.definition(letter)
        if found and found.grid.is_scalar:
            return self.letters.rates(found.grid, letter.dots - found.letter.dots).form, found
        if letter.key in self._shorthands and not found:
            short = Grid.scalar(self._shorthands[letter.key])
            return self.letters.rates(short, letter.dots).form, None
        return None

    def lowered(self, grid: Grid) -> Grid:
        """Return a grid with all that its letters stand for put in."""
        return Grid.made(map(self.lower, row) for row in grid.rows)
