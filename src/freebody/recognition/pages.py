"""The equations of motion of a page, in its own letters, and what its Lagrangian gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy

from freebody.algebra import Form
from freebody.checking.meaning.pairs import APPROXIMATIONS, EQUALITIES, pairs
from freebody.consistency.letters import TIME, Letter
from freebody.consistency.meanings import Meanings, Values, View, letters_of
from freebody.consistency.motion import accelerations, lagrangian
from freebody.consistency.statements import Statement, Statements, read_statements
from freebody.documents.latex.page.page import Page
from freebody.errors import FreebodyError
from freebody.recognition.products import Moving, Row, row_of

MOST_PRODUCTS = 400_000
"""Of terms, to work out one equation."""
MOST_SYSTEMS = 4
"""So many sets of coordinates of a page are tried."""


@dataclass(frozen=True, eq=False)
class System:
    """Equations of motion of a page about the same coordinates.

    Attributes
    ----------
    coordinates : tuple of str
        Its letters.
    is_angle : tuple of bool
        Whether each stands in a sine or cosine.
    rows : tuple of Row
        Of its equations, and of its Lagrangian.
    """

    coordinates: tuple[str, ...]
    is_angle: tuple[bool, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class Motion:
    """An equation of motion, or what a Lagrangian gives.

    Attributes
    ----------
    form : Form
        Left minus right, with all that its letters stand for put in.
    letters : frozenset of Letter
    labels : tuple of str
    is_derived : bool
        Whether a Lagrangian of the page gives it, and it is not printed.
    """

    form: Form
    letters: frozenset[Letter]
    labels: tuple[str, ...]
    is_derived: bool = False

    @property
    def coordinates(self) -> frozenset[str]:
        """The letters that carry dots."""
        return frozenset(one.key for one in self.letters if one.dots)


class PageMotion:
    """What a page says of a motion.

    Parameters
    ----------
    page : Page

    Attributes
    ----------
    statements : Statements
    meanings : Meanings
    """

    def __init__(self, page: Page) -> None:
        self.statements: Statements = read_statements(page)
        self.meanings = Meanings(self.statements)
        self.letters = self.meanings.letters

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """The equations of motion, as printed and as the Lagrangian gives them."""
        found: dict[object, Motion] = {}
        for statement in self.statements.all:
            for one in (*self._printed(statement), *self._lagrangian(statement)):
                found.setdefault((one.form.terms, one.labels), one)
        return tuple(found.values())

    def _printed(self, statement: Statement) -> Iterator[Motion]:
        if statement.relation.relation not in EQUALITIES - APPROXIMATIONS:
            return
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                view = self.meanings.view(statement)
                upper = [one.left - one.right for one in pairs(Values(view), statement.relation)]
                for form in upper:
                    lowered = [*self._motion(view.lower(form), (statement.label,))]
                    yield from lowered
                    known = lowered[0].coordinates if lowered else frozenset()
                    for one in self._motion(form, (statement.label,)):
                        if one.coordinates <= known:
                            yield one
        except (FreebodyError, ZeroDivisionError):
            return

    def _lagrangian(self, statement: Statement) -> Iterator[Motion]:
        """Iterate over what follows from the Lagrangian that stands before an equation."""
        if not self.meanings.of(statement):
            return
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                found = lagrangian(View(self.meanings, statement, ()))
        except (FreebodyError, ZeroDivisionError):
            return
        if found and statement in found.used:
            labels = tuple(one.label for one in found.used)
            for form in found.rows:
                yield from self._motion(form, labels, is_derived=True)

    def _motion(
        self, form: Form, labels: tuple[str, ...], *, is_derived: bool = False
    ) -> Iterator[Motion]:
        cleared = form.ring.cleared(form)
        if accelerations(self.letters, cleared):
            inside = frozenset(letters_of(self.letters, cleared))
            if not any(one.key == TIME for one in inside):
                yield Motion(cleared, inside, labels, is_derived)

    def beside(self, labels: Iterable[str]) -> frozenset[str]:
        """Return the labels of equations in the same sections as some."""
        meant = set(labels)
        sections = {one.section for one in self.statements.all if one.label in meant}
        return frozenset(one.label for one in self.statements.all if one.section in sections)

    @cached_property
    def systems(self) -> tuple[System, ...]:
        """The sets of coordinates of the page, those with most equations first."""
        counts = Counter[frozenset[str]]()
        for whole in {one.coordinates for one in self.motions}:
            counts[whole] = sum(one.coordinates <= whole for one in self.motions)
        most = sorted(counts, key=lambda one: (-counts[one] / (1 + len(one)), sorted(one)))
        systems = (self._system(tuple(sorted(one))) for one in most[:MOST_SYSTEMS])
        return tuple(one for one in systems if one.rows)

    def _system(self, coordinates: tuple[str, ...]) -> System:
        numbers = {key: n for n, key in enumerate(coordinates)}

        def named(atom: sympy.Expr) -> Moving | str | None:
            letter = self.letters.letter(atom)
            if letter is None:
                return str(atom) if atom.is_number else None
            if letter.key in numbers:
                return Moving(numbers[letter.key], letter.dots)
            return None if letter.dots else letter.key

        own = [one for one in self.motions if one.coordinates <= numbers.keys()]
        found = (row_of(one.form, named, one.labels, is_derived=one.is_derived) for one in own)
        rows = tuple(row for row in found if row is not None and row.products)
        turning = {
            one for row in rows for place in row.by_place for one, _ in place.turns
        }  # fmt: skip
        return System(coordinates, tuple(n in turning for n in range(len(coordinates))), rows)
