"""Frequencies of small motions: what a page states, and what its equations of motion make them."""

from __future__ import annotations

import re

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.consistency.motion.small_motions import accelerations, linear

OSCILLATES = "the frequency of small motions"
_OMEGA = re.compile(r"\\omega(?:_.*)?")


def stated_square(letters: Letters, form: Form) -> Form | None:
    r"""Return the square of the frequency that an equation states; None where it states none.

    Parameters
    ----------
    letters : Letters
    form : Form
        Left minus right of ``\omega = E`` or ``\omega^2 = E``, where nothing moves.
    """
    inside = letters_of(letters, form)
    named = [one for one in inside if _OMEGA.fullmatch(one.key)]
    if len(named) != 1 or len(inside) == 1 or any(one.key in letters.moving for one in inside):
        return None
    ring, atom = letters.ring, letters.atom(named[0])
    slope = ring.partial(form, atom)
    bend = ring.partial(slope, atom)
    try:
        rest = substituted(form, {atom: ring.zero})
    except ZeroDivisionError:  # something is divided by it
        return None
    if not bend:
        return rest * rest / (slope * slope)
    if atom in bend.symbols or substituted(slope, {atom: ring.zero}):
        return None
    return -(rest + rest) / bend


def squares_of(letters: Letters, row: Form, stated: Form) -> tuple[Form, ...]:
    """Return the squares of the frequencies of an equation of motion for small motions about zero.

    That without damping, and that with it; none where the equation is not of one coordinate, where
    nothing brings that back, or where it has not all letters of what is stated.
    """
    moving, every = accelerations(letters, row), letters_of(letters, row)
    inside = {one.key for one in every} & letters.moving
    is_of_one = len(moving) == len(inside) == 1
    slow = linear(letters, row) if is_of_one and every >= letters_of(letters, stated) else None
    if slow is None:
        return ()
    (key,) = inside
    stiffness, damping, inertia = (
        letters.ring.partial(slow, letters.atom(Letter(key, dots))) for dots in range(3)
    )
    if not inertia or not stiffness:
        return ()
    free, slowed = stiffness / inertia, damping / (inertia + inertia)
    found = (free, free - slowed * slowed)
    is_constant = not any(
        one.key in letters.moving for one in letters_of(letters, sum(found, free))
    )
    return found if is_constant else ()
