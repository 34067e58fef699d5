"""The accelerations in an equation, and what is left of it for small motions."""

from __future__ import annotations

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
