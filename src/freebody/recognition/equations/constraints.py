r"""The constraints of a page: equations between places, or speeds, that say what holds them.

Such as :math:`x^2 + y^2 = l^2`, and what a Lagrangian has times a multiplier, or
:math:`\dot x\sin\phi - \dot y\cos\phi = 0` of a knife edge, also where a page says instead that
:math:`\dot x = v\cos\phi` and :math:`\dot y = v\sin\phi`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, combinations
from typing import TYPE_CHECKING

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.meaning.pairs import APPROXIMATIONS, EQUALITIES
from freebody.consistency.energy_names import LAGRANGIANS
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import is_zero
from freebody.errors import FreebodyError

if TYPE_CHECKING:
    from freebody.recognition.equations.page_motion import PageMotion

_MULTIPLIER = "lambda"
Constraint = tuple[Statement, Form]
"""An equation, and what is zero in it."""


def constraints_of_places(motion: PageMotion) -> Iterator[Constraint]:
    """Iterate over the equations in what moves that have no rates, as they are printed.

    Not those that say where something is, or give a value. Then comes what Lagrangians have times
    multipliers.

    Parameters
    ----------
    motion : PageMotion
    """
    letters, moving = motion.letters, motion.statements.moving()
    for one in motion.statements.all:
        is_place = any(said.letter.key in moving for said in motion.meanings.of(one))
        is_equation = one.relation.relation in EQUALITIES - APPROXIMATIONS
        if is_equation and not (is_place or one.states_value):
            with suppress(FreebodyError, ZeroDivisionError):
                view = View(motion.meanings, one, motion.statements.all)
                forms = motion.entries.forms(view, one)
                inside = {each for form in forms for each in letters_of(letters, form)}
                if not any(each.dots for each in inside):
                    yield from ((one, form) for form in forms)
    yield from _multiplied(motion, moving)


def _multiplied(motion: PageMotion, moving: set[str]) -> Iterator[Constraint]:
    """Iterate over what Lagrangians of a page have times multipliers, and no rates in it."""
    letters, known = motion.letters, motion.meanings.definitions
    for one in chain.from_iterable(known.get(key, ()) for key in LAGRANGIANS):
        form = one.grid.form if one.grid.is_scalar else letters.ring.zero
        for letter in letters_of(letters, form):
            if SymbolShape.of(letter.key).letter == _MULTIPLIER and letter.key not in moving:
                part = letters.slope(form, letter)
                inside = letters_of(letters, part)
                if inside and not any(each.dots or each == letter for each in inside):
                    yield one.statement, part


def constraints_of_speeds(motion: PageMotion) -> Iterator[Constraint]:
    """Iterate over the equations that are linear in several rates and have nothing else.

    Not those that say what a letter or a rate is.

    Parameters
    ----------
    motion : PageMotion
    """
    letters = motion.letters
    for one in motion.statements.all:
        vanishes = any(map(is_zero, (one.relation.left, one.relation.right)))
        if motion.meanings.of(one) or not vanishes:
            continue
        with suppress(FreebodyError, ZeroDivisionError):
            for view, printed in motion.seen(one):
                form = view.lower(printed)
                inside = letters_of(letters, form)
                atoms = {letters.atom(each) for each in inside if each.dots == 1}
                slopes = [form.ring.partial(form, atom) * form.ring.symbol(atom) for atom in atoms]
                is_rest = len(atoms) < 2 or any(each.dots > 1 for each in inside)
                if not is_rest and not form - form.ring.sum(slopes):
                    yield one, form


def constraints_of_directions(motion: PageMotion) -> Iterator[Constraint]:
    """Iterate over what holds two rates together that are one speed times functions of places.

    Parameters
    ----------
    motion : PageMotion
    """
    letters = motion.letters
    for (one, rate, told), (other, across, beside) in combinations(_speeds(motion), 2):
        if one.section == other.section and rate != across:
            along, aside = _without_speeds(motion, told, beside)
            if along != told:
                yield one, letters.form(rate) * aside - letters.form(across) * along


def _without_speeds(motion: PageMotion, told: Form, beside: Form) -> tuple[Form, Form]:
    """Return two products without the letters that are factors of both."""
    letters = motion.letters
    shared = letters_of(letters, told) & letters_of(letters, beside)
    for speed in sorted(each for each in shared if not each.dots):
        along, aside = letters.slope(told, speed), letters.slope(beside, speed)
        rests = (
            form - part * letters.form(speed) for form, part in ((told, along), (beside, aside))
        )
        if along and aside and not any(rests):
            told, beside = along, aside
    return told, beside


def _speeds(motion: PageMotion) -> Iterator[tuple[Statement, Letter, Form]]:
    """Iterate over the rates that a page says to be products, with these."""
    letters, ring = motion.letters, motion.letters.ring
    for one in motion.statements.all:
        if {1} not in map(set, one.orders.values()):
            continue
        with suppress(FreebodyError, ZeroDivisionError):
            view = View(motion.meanings, one, motion.statements.all)
            for form in motion.entries.forms(view, one):
                rates = [each for each in letters_of(letters, form) if each.dots]
                slope = letters.slope(form, rates[0]) if len(rates) == 1 else ring.zero
                if not (slope.is_number and slope and rates[0].dots == 1):
                    continue
                if told := letters.form(rates[0]) - form / slope:
                    yield one, rates[0], told
