"""The coordinates of a page as what shifts and turns bodies."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from freebody.algebra import Form
from freebody.consistency.letters import letters_of
from freebody.recognition.building.energies import Energies
from freebody.recognition.equations.page_motion import PageMotion

Square = list[list[Form]]
"""The square of a velocity, as the matrix between rates."""


class Geometry:
    """The coordinates of a page as what shifts and turns bodies.

    Parameters
    ----------
    motion : PageMotion
    found : Energies

    Attributes
    ----------
    places : list of sympy.Expr
        The symbols of the coordinates.
    turning : list of int
        The coordinates that turn something: angles, and those across a distance that changes.
    """

    def __init__(self, motion: PageMotion, found: Energies) -> None:
        self.motion, self.found = motion, found
        self.letters, self.ring = motion.letters, motion.letters.ring
        self.places = [self.letters.atom(one) for one in found.coordinates]
        self.count = range(len(self.places))
        inertia = [entry for row in found.inertia for entry in row]
        angles = set[sympy.Expr]()
        for form in (*inertia, *found.slopes, *found.stored):
            angles |= in_angles(form)
        others = [{*self.places} - {place} for place in self.places]
        self.turning = [
            n for n in self.count
            if self.places[n] in angles or found.inertia[n][n].symbols & others[n]
        ]  # fmt: skip

    def is_moved(self, form: Form) -> bool:
        """Return whether a form has letters that move."""
        return any(one.key in self.letters.moving for one in letters_of(self.letters, form))

    def angle(self, angle: Sequence[int]) -> Form:
        """Return an angle, by the coordinates that are added, as a form."""
        return self.ring.sum([self.ring.symbol(self.places[n]) for n in self.count if angle[n]])

    def root(self, square: Form) -> Form | None:
        """Return the positive root of a perfect square; None of anything else."""
        if not square:
            return self.ring.zero
        if any(
            one.kind != "factor"
            for one in map(self.ring.generators.__getitem__, square.terms.places())
        ):
            return None
        above, below = sympy.together(self.ring.expression(square)).as_numer_denom()
        root = sympy.Integer(1)
        for side, sign in ((above, 1), (below, -1)):
            number, factors = sympy.factor_list(side)
            if any(power % 2 for _, power in factors):
                return None
            root *= sympy.sqrt(number) ** sign
            for part, power in factors:
                root *= part ** (sign * power // 2)
        if not root.subs(dict.fromkeys(root.free_symbols, 1)).is_Rational:
            return None
        if root.subs(dict.fromkeys(root.free_symbols, 1)).is_negative:
            root = -root
        return self.ring.form(root)


def in_angles(form: Form) -> set[sympy.Expr]:
    """Return the symbols in the angles of a form."""
    generators = map(form.ring.generators.__getitem__, form.terms.places())
    return {
        atom
        for one in generators
        if one.kind == "angle"
        for argument in one.arguments
        for atom in argument.symbols
    }
