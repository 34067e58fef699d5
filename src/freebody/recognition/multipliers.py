"""What is held to a curve by a multiplier, told by equations of motion beside a constraint."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from freebody.algebra import Form
from freebody.consistency.letters import Letter, Letters, letters_of

if TYPE_CHECKING:
    from freebody.recognition.pages import MotionEquation


def held(
    letters: Letters,
    motions: Sequence[MotionEquation],
    constraints: Iterable[Form],
    moving: Collection[str],
) -> Iterator[str]:
    r"""Iterate over the letters that a multiplier holds: x and y of :math:`x^2 + y^2 = l^2`.

    Each is accelerated along the gradient of the constraint, by one letter times a constant. What
    else is in the constraint is moved: a support.

    Parameters
    ----------
    letters : Letters
    motions : sequence of MotionEquation
        Of the page.
    constraints : iterable of Form
        What is zero, of what moves.
    moving : collection of str
        The letters that move.
    """
    for form in constraints:
        inside = letters_of(letters, form)
        bound = sorted(one for one in inside if one.key in moving)
        every = {one: _multiples(letters, motions, form, one, inside) for one in bound}
        every = {one: multiples for one, multiples in every.items() if multiples}
        if len(every) > 1:
            first, *others = every.values()
            if any(
                all(force in other and not other[force] - ratio for other in others)
                and not any(one.key in letters.moving for one in letters_of(letters, ratio))
                for force, ratio in first.items()
            ):
                yield from (one.key for one in every)


def _multiples(
    letters: Letters,
    motions: Iterable[MotionEquation],
    constraint: Form,
    one: Letter,
    inside: set[Letter],
) -> dict[Letter, Form]:
    """Return by which multiples of the gradient letters accelerate what moves along one."""
    ring, rate = letters.ring, Letter(one.key, 2)
    gradient, found = ring.partial(constraint, letters.atom(one)), dict[Letter, Form]()
    for motion in motions:
        if {rate} != {each for each in motion.letters if each.dots > 1} or not gradient:
            continue
        mass = ring.partial(motion.form, letters.atom(rate))
        for force in (each for each in motion.letters - inside if not each.dots):
            slope = ring.partial(motion.form, letters.atom(force))
            if slope and mass:
                found[force] = slope / mass / gradient
    return found
