r"""Functions of rates in equations of motion, such as ``\mathrm{sgn}\,\dot\theta``, as letters.

Friction, drag and drives are often no products of powers. What a mechanism is, the rest of an
equation tells; such a function is a letter there, of which it is known what it stands for.
"""

from __future__ import annotations

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import atoms
from freebody.algebra.units import NUMBER, Dimension
from freebody.consistency.letters import TIME, Letter, Letters

MARK = "function "
"""Before the name of such a letter."""
TAKEN = (sympy.sign, sympy.Abs, sympy.tanh, sympy.atan, sympy.exp)
"""What models have, and equations of motion may have loads of."""
_PURE = (sympy.tanh, sympy.atan, sympy.exp)


class Functions:
    """The functions in equations of motion of a page.

    Parameters
    ----------
    letters : Letters
        Of the page.

    Attributes
    ----------
    known : dict of str to sympy.Expr
        By the letters for them, in the symbols of the page.
    """

    def __init__(self, letters: Letters) -> None:
        self._letters = letters
        self.known: dict[str, sympy.Expr] = {}
        self._arguments: dict[str, Form] = {}

    def named(self, form: Form) -> Form:
        """Return a form with letters for its functions of places and rates, outside of sums."""
        ring, found = form.ring, dict[int, Form]()
        for place in sorted(form.terms.places()):
            generator = ring.generators[place]
            is_root = generator.kind == "root"
            is_taken = generator.kind == "function" and generator.expr.func in TAKEN
            if (is_root or is_taken) and self._is_of_rates(generator.arguments[0]):
                key = MARK + str(generator.expr)
                self.known[key], self._arguments[key] = generator.expr, generator.arguments[0]
                found[place] = self._letters.form(Letter(key, 0))
        if not found:
            return form
        parts = []
        for powers, terms in form.terms.by_powers(tuple(found)).items():
            part = Form(ring, terms)
            for letter, power in zip(found.values(), powers, strict=True):
                part = part * letter**power if power else part
            parts.append(part)
        return ring.sum(parts)

    def _is_of_rates(self, argument: Form) -> bool:
        """Return whether what a function is of moves, and is neither time nor an acceleration."""
        inside = [one for atom in atoms(argument) if (one := self._letters.letter(atom))]
        moves = any(one.key in self._letters.moving for one in inside)
        return moves and all(one.dots < 2 and one.key != TIME for one in inside)

    def letters_in(self, key: str) -> set[str]:
        """Return the letters that a function is of."""
        found = map(self._letters.letter, atoms(self._arguments[key]))
        return {one.key for one in found if one}

    def pure(self, key: str) -> Form | None:
        """Return what a function is of, where that must be a number; None where it need not."""
        return self._arguments[key] if self.known[key].func in _PURE else None

    def unit(self, key: str, argument: Dimension | None) -> Dimension | None:
        """Return the unit of a function by that of what it is of; None where nothing tells."""
        if self.known[key].func in (*_PURE, sympy.sign):
            return NUMBER
        if argument is None or self.known[key].func is sympy.Abs:
            return argument
        return argument ** sympy.Rational(1, 2)

    def argument(self, key: str) -> Form:
        """Return what a function is of."""
        return self._arguments[key]


def is_function(key: str) -> bool:
    """Return whether a letter stands for a function."""
    return key.startswith(MARK)
