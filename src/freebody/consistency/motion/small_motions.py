"""The accelerations in an equation, and what is left of it for small motions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product, starmap

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import substituted, touched
from freebody.consistency.letters import Letters, letters_of, moving_in


def accelerations(letters: Letters, form: Form) -> set[sympy.Expr]:
    """Return the accelerations that a form holds, or the rates of speeds."""
    return {letters.atom(one) for one in letters_of(letters, form) if letters.accelerates(one)}


def accelerates_places(letters: Letters, form: Form) -> bool:
    """Return whether a form holds accelerations that are no rates of speeds."""
    return any(one.dots > 1 for one in letters_of(letters, form))


def without_accelerations(letters: Letters, form: Form) -> Form:
    """Return what is left of a form where nothing is accelerated."""
    return substituted(form, dict.fromkeys(accelerations(letters, form), letters.ring.zero))


def is_linear(letters: Letters, form: Form) -> bool:
    """Return whether an equation is one of small motions about zero."""
    moving = moving_in(letters, form)
    moves = touched(form.ring, moving)
    places = tuple(place for place in sorted(form.terms.places()) if moves(place))
    if any(form.ring.generators[place].kind != "factor" for place in places):
        return False
    return all(sum(map(abs, powers)) <= 1 for powers in form.terms.by_powers(places))


def linear(letters: Letters, form: Form) -> Form | None:
    """Return what is left of a form for small motions about zero; None where it has no value."""
    ring, zero = letters.ring, letters.ring.zero
    moving = moving_in(letters, form)
    still = dict.fromkeys(moving, zero)
    try:
        parts = [substituted(ring.partial(form, one), still) * ring.symbol(one) for one in moving]
        return ring.sum([substituted(form, still), *parts])
    except ZeroDivisionError:
        return None


def are_approximate(forms: Iterable[Form], others: Iterable[Form]) -> bool:
    """Return whether one form has an angle where one of others has its sine or cosine.

    Or the other way round.
    """
    return any(starmap(_is_approximate, product(forms, others)))


def _is_approximate(one: Form, other: Form) -> bool:
    (plain, turned), (plain_there, turned_there) = map(_angles, (one, other))
    here, there = plain - turned, plain_there - turned_there
    return not here.isdisjoint(turned_there - plain_there) or not there.isdisjoint(turned - plain)


def _angles(form: Form) -> tuple[set[sympy.Expr], set[sympy.Expr]]:
    """Return what stands in a form by itself, and what in functions of it."""
    plain = form.symbols
    return {*plain}, set().union(*(atom.free_symbols for atom in form.atoms - plain))
