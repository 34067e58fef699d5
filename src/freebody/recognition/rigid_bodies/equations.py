"""The equations of a page between velocities and their rates, of vectors entry by entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.meaning.pairs import APPROXIMATIONS, EQUALITIES, pairs
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.shorthands import by_letter
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.errors import FreebodyError
from freebody.recognition.equations.page_motion import INDEXED, PageMotion
from freebody.recognition.equations.products import denominator
from freebody.recognition.rigid_bodies.vectors import Vectors

_CYCLIC = re.compile(r"cyclic|zyklisch|cycliqu|c[íi]clic|цикл|循环|循環|巡回", re.IGNORECASE)
"""Words of pages on which indices are turned round."""
MOST_PRODUCTS = 100_000
"""Of terms, to work out one equation."""


@dataclass(frozen=True, eq=False)
class SpeedEquation:
    """An equation of a page with rates in it.

    Attributes
    ----------
    form : Form
        Left minus right, with denominators multiplied out.
    statement : Statement
    letters : frozenset of Letter
    entry : int
        Which one it is of a column.
    unprinted : int
        How many of its letters the page does not print: entries of its columns.
    """

    form: Form
    statement: Statement
    letters: frozenset[Letter]
    entry: int
    unprinted: int

    @property
    def label(self) -> str:
        """By which the page, or freebody, calls it."""
        return self.statement.label


class SpeedEquations:
    """The equations of a page between velocities and their rates.

    Parameters
    ----------
    motion : PageMotion

    Attributes
    ----------
    all : tuple of SpeedEquation
    vectors : Vectors
        What letters are columns and matrices.
    """

    def __init__(self, motion: PageMotion) -> None:
        self._motion, self._letters = motion, motion.letters
        self._is_cyclic = _CYCLIC.search(motion.page.text) is not None
        self.vectors = Vectors(motion)
        found: dict[object, SpeedEquation] = {}
        for statement in motion.statements.all:
            with suppress(FreebodyError, ZeroDivisionError):
                for one in self._of(statement):
                    if any(letter.dots for letter in one.letters):
                        found.setdefault((one.form.terms, one.label), one)
        self.all = tuple(found.values())

    def _of(self, statement: Statement) -> Iterator[SpeedEquation]:
        """Iterate over an equation as it is printed, and with what its letters stand for."""
        if statement.is_aside or statement.relation.relation not in EQUALITIES - APPROXIMATIONS:
            return
        if statement in self.vectors.unknown:
            return
        aside = (statement, *self._rated, *self.vectors.unknown, *self.vectors.misread)
        view = View(self._motion.meanings, statement, aside)
        view.grids = self.vectors.grids
        with self._letters.ring.budget.work(MOST_PRODUCTS):
            printed = [one.left - one.right for one in pairs(Values(view), statement.relation)]
            forms = [substituted(form, self._sines) for form in printed]
            forms = [*self._turned_round(forms)]
            yield from (self._equation(form, statement, n) for n, form in enumerate(forms))
        for n, form in enumerate(forms):
            with suppress(FreebodyError), self._letters.ring.budget.work(MOST_PRODUCTS):
                yield self._equation(view.lower(form), statement, n)

    def _turned_round(self, forms: Sequence[Form]) -> Iterator[Form]:
        r"""Iterate over forms, of those whose indices i, j and k the page turns round the three.

        As Euler's equations in one line, :math:`I_i\dot\omega_i = (I_j - I_k)\omega_j\omega_k`.
        """
        for form in forms:
            inside = letters_of(self._letters, form) if self._is_cyclic else set[Letter]()
            found = {one: match for one in inside if (match := INDEXED.fullmatch(one.key))}
            if len(found) < len(inside) or {match[2] for match in found.values()} != {*"ijk"}:
                yield form
                continue
            for turn in range(3):
                numbered = {
                    self._letters.atom(one): self._letters.form(
                        Letter(f"{match[1]}_{('ijk'.index(match[2]) + turn) % 3 + 1}", one.dots)
                    )
                    for one, match in found.items()
                }
                yield substituted(form, numbered)

    def _equation(self, form: Form, statement: Statement, entry: int) -> SpeedEquation:
        cleared = self._motion.functions.named(form.ring.cleared(form))
        cleared = cleared * denominator(form.ring, [cleared])
        inside = frozenset(letters_of(self._letters, cleared))
        unprinted = sum(one.key not in self._motion.meanings.keys for one in inside)
        return SpeedEquation(cleared, statement, inside, entry, unprinted)

    @cached_property
    def _sines(self) -> dict[sympy.Expr, Form]:
        r"""What stands for sines and cosines of angles by their letters, ``S_\phi``."""
        meanings = self._motion.meanings
        return {
            self._letters.atom(Letter(key, 0)): meanings.shorthands[key]
            for key in by_letter(meanings.keys)
            if key in meanings.shorthands
        }

    @cached_property
    def _rated(self) -> tuple[Statement, ...]:
        """The equations that say what rates are: of motion, and between angles and speeds."""
        known = chain.from_iterable(self._motion.meanings.definitions.values())
        return tuple(one.statement for one in known if one.letter.dots)
