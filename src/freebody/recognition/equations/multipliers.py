"""What is held to a curve by a multiplier, told by equations of motion beside a constraint."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from freebody.algebra import Form
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.errors import FreebodyError
from freebody.recognition.equations.functions import Functions
from freebody.recognition.equations.products import sign_of

if TYPE_CHECKING:
    from freebody.recognition.equations.page_motion import MotionEquation

MOST_FREE = 2
"""So many letters are held together at the least."""
MOST_OF_BALANCE = 100
"""Terms of an equation of motion with a multiplier; what was solved has more."""
MOST_OF_MASS = 3
"""The same of what resists an acceleration, as x² + y² that a page has divided by."""
_Pull = tuple[Form, Form]
"""How a letter accelerates a coordinate, and how it stands in the balance of that."""
MOST_PRODUCTS = 100_000
"""Of terms, to find out what one constraint holds."""


def held(
    letters: Letters,
    functions: Functions,
    motions: Sequence[MotionEquation],
    constraints: Iterable[Form],
    moving: Collection[str],
) -> Iterator[str]:
    r"""Iterate over the letters that a multiplier holds: x and y of :math:`x^2 + y^2 = l^2`.

    Each is pulled along the gradient of the constraint, by one letter times a constant: what one
    particle is accelerated by, or what the balances of several bodies have. What else is in the
    constraint is moved: a support.

    Parameters
    ----------
    letters : Letters
    functions : Functions
        Of the equations of motion.
    motions : sequence of MotionEquation
        Of the page.
    constraints : iterable of Form
        What is zero, of what moves: of places, or linear in speeds.
    moving : collection of str
        The letters that move.
    """
    accelerated: dict[Letter, dict[Letter, _Pull]] = {}
    for form in constraints:
        with suppress(FreebodyError, ZeroDivisionError), letters.ring.budget.work(MOST_PRODUCTS):
            inside = letters_of(letters, form)
            for one in sorted(one for one in inside if one.key in moving):
                if one not in accelerated:
                    accelerated[one] = _accelerating(letters, functions, motions, one)
            yield from _held_by(letters, form, inside, accelerated)


def _held_by(
    letters: Letters,
    constraint: Form,
    inside: set[Letter],
    accelerated: Mapping[Letter, Mapping[Letter, _Pull]],
) -> list[str]:
    """Return the letters that a multiplier holds to one constraint; none if it holds none."""
    highest = max((one.dots for one in inside), default=0)
    every = {
        one: {force: by for force, by in accelerated[one].items() if force not in inside}
        for one in sorted(inside & accelerated.keys())
        if one.dots == highest
    }
    every = {one: forces for one, forces in every.items() if forces}
    if len(every) < MOST_FREE:
        return []
    for force in set.intersection(*({*forces} for forces in every.values())):
        gradients = [letters.ring.partial(constraint, letters.atom(one)) for one in every]
        if not all(gradients):
            continue
        for pulls in zip(*(forces[force] for forces in every.values()), strict=True):
            if _are_along(letters, pulls, gradients):
                return [one.key for one in every]
    return []


def _are_along(letters: Letters, pulls: Sequence[Form], gradients: Sequence[Form]) -> bool:
    """Return whether pulls are the gradient of a constraint times a constant."""
    first, *others = (pull / gradient for pull, gradient in zip(pulls, gradients, strict=True))
    first = letters.ring.divided_out(first)
    is_constant = not any(one.key in letters.moving for one in letters_of(letters, first))
    return is_constant and not any(other - first for other in others)


def _accelerating(
    letters: Letters, functions: Functions, motions: Iterable[MotionEquation], one: Letter
) -> dict[Letter, _Pull]:
    """Return the letters that accelerate what moves along one, each with by how much of it."""
    ring, rate = letters.ring, Letter(one.key, 2)
    found = dict[Letter, _Pull]()
    for motion in motions:
        if {rate} != {each for each in motion.letters if each.dots > 1}:
            continue
        if len(motion.form.terms) > MOST_OF_BALANCE:
            continue
        mass = ring.partial(motion.form, letters.atom(rate))
        for force in (each for each in motion.letters if not each.dots):
            slope = ring.partial(motion.form, letters.atom(force))
            if slope and mass and len(mass.terms) <= MOST_OF_MASS:
                pull = functions.written_out(slope)
                found[force] = pull / mass, pull.scaled(sign_of(mass))
    return found
