"""Letters in the equations of motion of a page that are no loads, and equations of no body of it.

A tension or a normal force, which a page eliminates, acts on a body and moves it nowhere; a moment
of inertia out of a list of rods, discs and balls is of none that moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.errors import FreebodyError
from freebody.recognition.building.energies import MOST_PRODUCTS
from freebody.recognition.building.geometry import in_angles
from freebody.recognition.equations.page_motion import MotionEquation, PageMotion
from freebody.recognition.symbols.initials import HEAVY, INERTIAS, initial

MOST_EQUATIONS = 24
"""So many equations of motion of a page are looked at, each with each."""
FEWEST_LISTED = 3
"""Moments of inertia of one letter, in a list of bodies."""


def letters_without(motion: PageMotion) -> list[frozenset[str]]:
    """Return the letters without which equations of motion are looked for, one way after another.

    Where a page eliminates some, and prints what is left, there is no other way.

    Parameters
    ----------
    motion : PageMotion
    """
    if reactions := _reactions(motion):
        return [reactions]
    return list(dict.fromkeys((_eliminated(motion), frozenset[str]())))


def of_many_bodies(motion: PageMotion) -> set[int]:
    """Return the equations that say a moment of inertia is what others say it is not.

    A list of them for rods, discs and balls has them of no body that moves on the page.

    Parameters
    ----------
    motion : PageMotion
    """
    found = set[int]()
    for key, said in motion.meanings.definitions.items():
        forms = {one.grid.form.terms for one in said if one.grid.is_scalar and not one.letter.dots}
        if initial(key) in INERTIAS and len(forms) >= FEWEST_LISTED:
            found |= {one.statement.number for one in said}
    return found


def _reactions(motion: PageMotion) -> frozenset[str]:
    """Return the constants without which two equations of a page leave one that follows them."""
    letters, found = motion.letters, set[str]()
    printed = [one for one in motion.motions if not one.is_derived][:MOST_EQUATIONS]
    keys = {one: {each.key for each in one.letters} for one in printed}
    for n, other in enumerate(printed):
        for one in (each for each in printed[:n] if each.coordinates == other.coordinates):
            shared = (keys[one] & keys[other]) - letters.moving - found
            for key in (key for key in shared if initial(key) not in HEAVY):
                without = (
                    left
                    for left in printed[n + 1 :]
                    if key not in keys[left] and left.coordinates == one.coordinates
                )
                with suppress(FreebodyError, ZeroDivisionError):
                    found |= {key} if _leaves(letters, key, (one, other), without) else set()
    return frozenset(found)


def _leaves(
    letters: Letters,
    key: str,
    pair: tuple[MotionEquation, MotionEquation],
    printed: Iterable[MotionEquation],
) -> bool:
    """Return whether one of the equations that are printed is what two leave without a constant."""
    ring, atom = letters.ring, letters.atom(Letter(key, 0))
    rate = letters.atom(Letter(min(pair[0].coordinates), 2))
    with ring.budget.work(MOST_PRODUCTS):
        first, second = (ring.partial(one.form, atom) for one in pair)
        left = pair[0].form * second - pair[1].form * first
        own = ring.partial(left, rate)
        return atom not in left.symbols and any(
            own and not (left * ring.partial(one.form, rate) - one.form * own) for one in printed
        )


def _eliminated(motion: PageMotion) -> frozenset[str]:
    """Return the letters for forces that the last equations of motion of a page have no more.

    What is linear where others have sines is of small motions, and not the last of them.
    """
    letters, ring = motion.letters, motion.letters.ring
    printed = [one for one in motion.motions if not one.is_derived]
    most = max((len(one.coordinates) for one in printed), default=0)
    last = [one for one in printed if len(one.coordinates) == most and not _is_example(one)]
    last = ([one for one in last if in_angles(one.form)] or last)[-most:]
    left = {letter.key for one in last for letter in one.letters}
    if len(last) < most or not any(initial(key) in HEAVY for key in left):
        return frozenset()
    heavy = set[str]()
    for one in printed:
        for rate in (each for each in one.letters if each.dots == 2):
            inertia = ring.partial(one.form, letters.atom(rate))
            heavy |= {letter.key for letter in letters_of(letters, inertia)}
    forces = {each.key for one in printed for each in one.letters if not each.dots}
    return frozenset(forces - left - heavy - letters.moving)


def _is_example(one: MotionEquation) -> bool:
    """Return whether an equation has numbers in the place of masses."""
    return not any(initial(letter.key) in HEAVY for letter in one.letters)
