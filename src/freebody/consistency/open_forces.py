"""Letters that an equation of motion has, and its Lagrangian has not: what they are but a force.

As a rule they are forces beside what the Lagrangian gives, and what is left without them must
follow from it. But they may be short for constants that it has, all that acts, what one body
exerts on another, or an acceleration that is given.
"""

from __future__ import annotations

from freebody.algebra import Form
from freebody.algebra.substitution import substituted, touched
from freebody.consistency.letters import Letters, letters_of
from freebody.consistency.motion import (
    Lagrangian,
    accelerations,
    follows_from,
    lacking,
    without_forces,
)

_REACTIONS = frozenset("NRS")
"""Letters for what one body exerts on another."""


def may_be_anything(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    """Return whether the letters that a Lagrangian has not may be what makes an equation hold."""
    return (
        _are_reactions(lagrangian, letters, form)
        or _is_all_that_acts(lagrangian, letters, form)
        or may_be_short(lagrangian, letters, form)
    )


def _are_reactions(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    r"""Return whether a letter is of what bodies exert on each other: ``M\ddot x = F - N``."""
    strange = {one.key for one in letters_of(letters, form)} - lagrangian.known
    return any(key.partition("_")[0] in _REACTIONS for key in strange)


def _is_all_that_acts(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    r"""Return whether an equation has letters besides one acceleration alone: ``m\ddot x = F``."""
    free, moving = without_forces(lagrangian, letters, form), accelerations(letters, form)
    if free is None or not form - free or len(moving) > 1:
        return False
    return not substituted(free, dict.fromkeys(moving, letters.ring.zero))


def may_be_short(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    r"""Return whether letters that a Lagrangian has not may be short for what an equation lacks.

    As :math:`\omega^2` of :math:`\ddot\theta + \omega^2\sin\theta = 0` is for g/l: it stands before
    the same sines and coordinates.
    """
    free, lacks = without_forces(lagrangian, letters, form), lacking(lagrangian, letters, form)
    if free is None or not lacks:
        return False
    own = form - free
    inside = letters_of(letters, own) | letters_of(letters, lacks)
    moves = touched(form.ring, [letters.atom(one) for one in inside if one.key in letters.moving])
    every = {*own.terms.places(), *lacks.terms.places()}
    places = tuple(place for place in sorted(every) if moves(place))
    lacked, there = (one.terms.by_powers(places) for one in (lacks, own))
    if not lacked.keys() <= there.keys() or not all(map(any, lacked)):
        return False
    pairs = [(Form(own.ring, terms), Form(own.ring, there[key])) for key, terms in lacked.items()]
    return not any(pairs[0][0] * b - pairs[0][1] * a for a, b in pairs)


def follows_with(lagrangian: Lagrangian, letters: Letters, form: Form, other: Form) -> bool:
    """Return whether an equation follows together with another that has one of its forces too.

    Without that force, which one body exerts on another, or an acceleration that is given.
    """
    inside = [{*letters_of(letters, one)} for one in (form, other)]
    for shared in inside[0] & inside[1]:
        if shared.key in lagrangian.known | letters.moving:
            continue
        slopes = [letters.ring.partial(one, letters.atom(shared)) for one in (form, other)]
        if any(shared in letters_of(letters, slope) for slope in slopes):
            continue
        left = form * slopes[1] - other * slopes[0]
        if left and follows_from(lagrangian, letters, left, is_exact=True, turns=False):
            return True
    return False
