"""Letters that an equation of motion has, and its Lagrangian has not: what they are but a force.

As a rule they are forces beside what the Lagrangian gives, and what is left without them must
follow from it. But they may be short for constants that it has, all that acts, what one body
exerts on another, or an acceleration that is given.
"""

from __future__ import annotations

from freebody.algebra import Form
from freebody.algebra.substitution import substituted, touched
from freebody.algebra.terms import I_KEY, exponents
from freebody.consistency.letters import Letter, Letters, letters_of, moving_in
from freebody.consistency.motion.lagrangian import Lagrangian, follows_from, without_forces
from freebody.consistency.motion.small_motions import accelerations


def may_be_anything(
    lagrangian: Lagrangian, letters: Letters, form: Form, lacks: Form | None
) -> bool:
    """Return whether the letters that a Lagrangian has not may be what makes an equation hold.

    Parameters
    ----------
    lagrangian : Lagrangian
    letters : Letters
    form : Form
        The equation.
    lacks : Form or None
        What it lacks without these letters beside one of Lagrange's equations.
    """
    free = without_forces(lagrangian, letters, form)
    if free is None or not form - free:
        return False
    return (
        _is_all_that_acts(lagrangian, letters, free)
        or _is_of_some_bodies(lagrangian, letters, free)
        or _is_without_turning(lagrangian, letters, free)
        or _has_other_constants(lagrangian, letters, form)
        or _is_short(letters, form - free, lacks)
        or _is_speed(letters, form - free, lacks)
    )


def _is_all_that_acts(lagrangian: Lagrangian, letters: Letters, free: Form) -> bool:
    r"""Return whether what is accelerated is all there is beside a force: ``m\ddot x = F``."""
    moving = accelerations(letters, free)
    still = dict.fromkeys(moving, letters.ring.zero)
    if len(moving) == 1 and not substituted(free, still):
        return True
    rates = {letters.atom(Letter(one.key, 1)): letters.ring.zero for one in lagrangian.coordinates}
    kinetic = (row - substituted(row, still | rates) for row in lagrangian.rows)
    return any(_is_part(letters, free, row) and _is_part(letters, row, free) for row in kinetic)


def _is_of_some_bodies(lagrangian: Lagrangian, letters: Letters, free: Form) -> bool:
    r"""Return whether an equation is a balance of some of the bodies, as ``m\ddot x = m g - S`` is.

    Then it has some terms of one of Lagrange's equations, and not all masses of that.
    """
    heavy = _weights(letters, free)
    return any(
        heavy < _weights(letters, row) and _is_part(letters, free, row) for row in lagrangian.rows
    )


def _is_without_turning(lagrangian: Lagrangian, letters: Letters, free: Form) -> bool:
    r"""Return whether an equation has all that acts, and less inertia than one of Lagrange's.

    As ``m\ddot x = m g\sin\alpha - F`` has, of a ball that rolls: F makes it turn.
    """
    if any(one.dots == 1 for one in letters_of(letters, free)):
        return False
    still = dict.fromkeys(lagrangian.columns, letters.ring.zero)
    acting = substituted(free, still)
    for row in lagrangian.rows if acting else ():
        rest = substituted(row, still)
        more = row * (acting / rest) - free if rest else acting
        if more and not substituted(more, still):
            signs = {value > 0 for value in more.terms.table.values()}
            own = {value > 0 for value in (free - acting).terms.table.values()}
            return signs == own and len(own) == 1
    return False


def _weights(letters: Letters, form: Form) -> frozenset[Letter]:
    """Return the constants that accelerations are multiplied by."""
    slopes = (letters.ring.partial(form, atom) for atom in accelerations(letters, form))
    inside = (one for slope in slopes for one in letters_of(letters, slope))
    return frozenset(one for one in inside if one.key not in letters.moving)


def _is_part(letters: Letters, form: Form, whole: Form) -> bool:
    """Return whether all terms of a form are ones of another, times the same constants."""
    moves = touched(form.ring, moving_in(letters, whole))
    own, other = form.terms.table, whole.terms.table
    first = next(iter(own), None)
    if first is None:
        return False
    for key, value in other.items():
        shift, factor = key - first, value / own[first]
        if shift & I_KEY or any(moves(place) for place, _ in exponents(shift)):
            continue
        if all(other.get(one + shift) == factor * each for one, each in own.items()):
            return True
    return False


def _has_other_constants(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    r"""Return whether an equation has letters that are no forces, as these are not squared.

    Such as the momentum of ``m\ddot r = \ell^2/(m r^3) - k/r^2``.
    """
    strange = [one for one in letters_of(letters, form) if one.key not in lagrangian.known]
    odd = [
        one
        for one in strange
        if one in letters_of(letters, form.ring.partial(form, letters.atom(one)))
    ]
    plain = {letters.atom(one): letters.ring.zero for one in strange if one not in odd}
    left = substituted(form, plain)
    return any(one in odd for one in letters_of(letters, left))


def _is_short(letters: Letters, own: Form, lacks: Form | None) -> bool:
    r"""Return whether terms of strange letters may be what an equation lacks.

    As :math:`\omega^2` of :math:`\ddot\theta + \omega^2\sin\theta = 0` is for g/l: they stand
    before the same sines and coordinates.
    """
    if not lacks:
        return False
    moves = touched(own.ring, moving_in(letters, own, lacks))
    every = {*own.terms.places(), *lacks.terms.places()}
    places = tuple(place for place in sorted(every) if moves(place))
    lacked, there = (one.terms.by_powers(places) for one in (lacks, own))
    if not lacked.keys() <= there.keys() or not all(map(any, lacked)):
        return False
    pairs = [(Form(own.ring, terms), Form(own.ring, there[key])) for key, terms in lacked.items()]
    return not any(pairs[0][0] * b - pairs[0][1] * a for a, b in pairs)


def _is_speed(letters: Letters, own: Form, lacks: Form | None) -> bool:
    r"""Return whether a strange letter may be a speed that an equation lacks.

    As :math:`\omega_3` of :math:`I_3\omega_3\dot\phi\sin\theta`: it stands beside a rate, and what
    is lacked has the same constants and two rates.
    """
    if not lacks:
        return False
    inside, lacked = letters_of(letters, own), letters_of(letters, lacks)
    rates = [one for one in inside if one.dots == 1]
    constants = {one for one in inside & lacked if one.key not in letters.moving}
    squared = (letters_of(letters, letters.ring.partial(lacks, letters.atom(one))) for one in rates)
    return bool(constants) and any(one.dots == 1 for each in squared for one in each)


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
        left = form - other * (slopes[0] / slopes[1])
        if left and follows_from(lagrangian, letters, left, is_exact=True, turns=False):
            return True
    return False
