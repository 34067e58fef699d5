"""Whether an equation says what a letter is, and is no law of motion, case or constraint."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from freebody.algebra import Form
from freebody.algebra.substitution import substituted, touched
from freebody.checking.grid import Grid
from freebody.consistency.letters import TIME, Letter, Letters, bare_of_font, letters_of
from freebody.consistency.meanings.views import Definition

_ACCELERATION = re.compile(r"a(?:_.+)?")
"""What the acceleration of a point is called, which second derivatives are no law of motion of."""
_GRAVITY = "g"
_LENGTH = re.compile(r"(?:[lLcCD]|\\ell)(?:_.+)?")


class DefinitionRules:
    """What may define a letter of a page.

    Parameters
    ----------
    letters : Letters
    dotted, accelerated : set of str
        The letters of which rates and accelerations are printed.
    has_gains : bool
        Whether one over a constant is a gain, as on pages of transfer functions, and no case.
    """

    def __init__(
        self, letters: Letters, dotted: Set[str], accelerated: Set[str], *, has_gains: bool
    ) -> None:
        self._letters, self._dotted, self._accelerated = letters, dotted, accelerated
        self._has_gains = has_gains

    def admit(self, letter: Letter, grid: Grid, known: Mapping[str, Sequence[Definition]]) -> bool:
        """Return whether an equation says what a letter is, and no law of motion or case.

        Parameters
        ----------
        letter : Letter
        grid : Grid
            What it is equal to.
        known : mapping of str to sequence of Definition
            What is said of letters besides: none is made of itself.
        """
        if letter.key == TIME:
            return False
        inside = {one for form in grid.entries() for one in letters_of(self._letters, form)}
        moving = {one for one in inside if one.key in self._letters.moving}
        if any(self._reaches(one.key, letter.key, known) for one in inside):
            return False
        highest = max((one.dots for one in moving), default=0)
        if not grid.is_scalar:
            return highest < 2
        form = grid.form
        if not inside or (not moving and letter.key in self._dotted):
            return False
        if letter.key == _GRAVITY and moving and not self._is_path(form, moving):
            return False  # where something is at rest, with weight balanced
        if letter.dots == 0:
            is_weighed = len(form.terms) == 1  # by a mass, as a force or a multiplier is
            orders = {
                one.dots + (is_weighed and self._is_rate(one, known)) for one in moving if one.dots
            }
            if self._is_solution(letter, inside, moving, known):
                return False
            return self._admits_place(letter, form, inside, moving, max(orders, default=0))
        if letter.key in self._accelerated and self._accelerated.isdisjoint(o.key for o in moving):
            return False  # another variable for the same, of which the page has no equation
        return letter.dots == highest == 1 and self._is_homogeneous(form, moving)

    def _admits_place(
        self, letter: Letter, form: Form, inside: set[Letter], moving: set[Letter], highest: int
    ) -> bool:
        """Return whether a letter without dots is said, which may be where something is.

        With rates up to a highest order; of second order that is a law of motion.
        """
        if letter.key in self._dotted and self._is_path(form, moving):
            return False
        if letter.key not in self._dotted and self._is_rope(letter, form, moving):
            return False
        is_case = not moving and self._is_multiple(form, inside)
        is_rate = len(form.terms) == 1 and len(inside) == 1
        is_rate |= _ACCELERATION.fullmatch(bare_of_font(letter.key)) is not None
        return not is_case and (highest < 2 or is_rate)

    def _is_solution(
        self,
        letter: Letter,
        inside: set[Letter],
        moving: set[Letter],
        known: Mapping[str, Sequence[Definition]],
    ) -> bool:
        r"""Return whether a coordinate is told in time: :math:`\theta = A\cos\omega t`.

        With letters of constants, which move since a length does elsewhere of which they are made.
        """
        is_timed = any(one.key == TIME for one in inside)
        are_made = all(known.get(one.key) and one.key not in self._dotted for one in moving)
        return letter.key in self._dotted and is_timed and are_made

    def _is_rate(self, letter: Letter, known: Mapping[str, Sequence[Definition]]) -> bool:
        r"""Return whether a letter names a rate, as v of :math:`\dot x = v` does."""
        said = (one.grid.form for one in known.get(letter.key, ()) if one.grid.is_scalar)
        return any(one.dots == 1 for one in map(self._letters.sole, said) if one)

    def _is_multiple(self, form: Form, inside: set[Letter]) -> bool:
        """Return whether a form is a multiple of one letter, or of its power."""
        if len(inside) != 1 or len(form.terms) != 1:
            return False
        (letter,) = inside
        least = min(form.terms.by_power(form.ring.place_of(self._letters.atom(letter))))
        return least >= 0 or not self._has_gains

    def is_special_motion(self, letter: Letter, grid: Grid) -> bool:
        """Return whether two coordinates are said to be the same, or opposite, as in a mode."""
        inside = {one for form in grid.entries() for one in letters_of(self._letters, form)}
        is_product = grid.is_scalar and len(grid.form.terms) == len(inside) == 1
        both = {letter.key, *(one.key for one in inside)}
        return is_product and both <= self._accelerated

    def _is_path(self, form: Form, moving: set[Letter]) -> bool:
        """Return whether a letter is told by what another divides, as an orbit is."""
        ring = form.ring
        moves = touched(ring, [self._letters.atom(one) for one in moving])
        divided = (one for one in form.terms.places() if ring.generators[one].kind == "reciprocal")
        return any(map(moves, divided))

    def _is_rope(self, letter: Letter, form: Form, moving: set[Letter]) -> bool:
        r"""Return whether coordinates add up to a length: :math:`y_1 + 2 y_2 + \pi R = \ell`.

        Which is the constant one of a rope, where their difference is a distance that varies.
        """
        if _LENGTH.fullmatch(letter.key) is None or len(moving) < 2 or any(o.dots for o in moving):
            return False
        slopes = [form.ring.partial(form, self._letters.atom(one)) for one in moving]
        return all(one.is_number and one.number > 0 for one in slopes)

    def _is_homogeneous(self, form: Form, moving: set[Letter]) -> bool:
        """Return whether a velocity is made of velocities alone."""
        zero = self._letters.ring.zero
        rates = {self._letters.atom(one): zero for one in moving if one.dots}
        return not substituted(form, rates)

    def _reaches(self, start: str, goal: str, known: Mapping[str, Sequence[Definition]]) -> bool:
        """Return whether a letter stands for something made of another."""
        waiting, seen = [start], set[str]()
        while waiting:
            key = waiting.pop()
            if key == goal:
                return True
            if key not in seen:
                seen.add(key)
                for one in known.get(key, ()):
                    forms = one.grid.entries()
                    waiting += (
                        letter.key for form in forms for letter in letters_of(self._letters, form)
                    )
        return False
