r"""Functions of rates and of time in equations of motion, as letters.

Friction, drag and drives, such as ``\mathrm{sgn}\,\dot\theta`` and ``\cos\omega t``, are often no
products of powers of what moves. What a mechanism is, the rest of an equation tells; such a
function is a letter there, of which it is known what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form, Ring
from freebody.algebra.forms import Generator
from freebody.algebra.ring import PARTS
from freebody.algebra.substitution import atoms, substituted
from freebody.algebra.units import NUMBER, Dimension
from freebody.consistency.letters import IMAGINARY, TIME, Letter, Letters, letters_of

MARK = "function "
"""Before the name of a letter that stands for a function."""
TIMED = "function of time "
"""Before the name of one that stands for a function of time alone."""
TAKEN = (sympy.sign, sympy.Abs, sympy.tanh, sympy.atan, sympy.exp)
"""What models have, and equations of motion may have loads of."""
LARGEST = 100
"""Terms of what a function is of that a load may have."""
_PURE = (sympy.tanh, sympy.atan, sympy.exp, sympy.cos, sympy.sin)


@lru_cache(maxsize=10_000)  # printed many times over for long equations
def _printed(expr: sympy.Expr) -> str:
    return str(expr)


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

    def named(self, form: Form, *, of_time_alone: bool = False) -> Form:
        """Return a form with letters for its functions of places and rates, outside of sums.

        Of time as well, and for the time itself; or for these alone, as in what is differentiated
        by places yet.
        """
        ring, found = form.ring, dict[int, Callable[[int], Form]]()
        for place in sorted(form.terms.places()):
            generator = ring.generators[place]
            is_left = of_time_alone and not self._is_timed(generator)
            if not is_left and (made := self._letter_for(ring, generator)):
                found[place] = made
        if not found:
            return form
        parts = []
        for powers, terms in form.terms.by_powers(tuple(found)).items():
            part = Form(ring, terms)
            for made, power in zip(found.values(), powers, strict=True):
                part = part * made(power) if power else part
            parts.append(part)
        return ring.sum(parts)

    def written_out(self, form: Form, keys: Collection[str] | None = None) -> Form:
        """Return a form with its functions for their letters, for all of them or for some."""
        inside = {one.key for one in letters_of(self._letters, form)} & self.known.keys()
        if keys is not None:
            inside &= {*keys}
        put = {
            self._letters.atom(Letter(key, 0)): form.ring.form(self.known[key]) for key in inside
        }
        return substituted(form, put) if put else form

    def _letter_for(self, ring: Ring, generator: Generator) -> Callable[[int], Form] | None:
        """Return what gives the powers of a generator in letters; None where it stays."""
        kind = generator.kind
        is_small = all(len(one.terms) <= LARGEST for one in generator.arguments)
        if kind == "reciprocal" or not is_small:
            return None
        expr = generator.expr
        if kind == "factor":
            own, is_time = ring.symbol(expr), self._is_timed(generator)
            return (lambda power: self._noted(TIMED, expr, own) ** power) if is_time else None
        is_taken = kind in ("angle", "root") or (kind == "function" and expr.func in TAKEN)
        if not is_taken:
            return None
        argument = generator.arguments[0]
        if self._is_of_time(argument):
            if kind == "angle":
                return lambda power: self._turned(argument.scaled(QQ(power, PARTS)))
            return lambda power: self._noted(TIMED, expr, argument) ** power
        if kind != "angle" and self._is_of_rates(argument):
            return lambda power: self._noted(MARK, expr, argument) ** power
        return None

    def _is_timed(self, generator: Generator) -> bool:
        """Return whether a generator is time, or a function of it alone."""
        if generator.kind == "factor":
            letter = self._letters.letter(generator.expr)
            return letter is not None and letter.key == TIME
        return self._is_of_time(generator.arguments[0])

    def _noted(self, mark: str, expr: sympy.Expr, argument: Form) -> Form:
        """Return the letter for a function."""
        key = mark + _printed(expr)
        self.known[key], self._arguments[key] = expr, argument
        return self._letters.form(Letter(key, 0))

    def _turned(self, angle: Form) -> Form:
        """Return the exponential of an angle that is a function of time, by i."""
        ring = angle.ring
        expr = ring.expression(angle)
        is_backwards = expr.could_extract_minus_sign()
        expr, angle = (-expr, -angle) if is_backwards else (expr, angle)
        cosine, sine = (self._noted(TIMED, each(expr), angle) for each in (sympy.cos, sympy.sin))
        turned = ring.imaginary * sine
        return cosine - turned if is_backwards else cosine + turned

    def _is_of_rates(self, argument: Form) -> bool:
        """Return whether what a function is of moves, and is neither time nor an acceleration."""
        inside = [one for atom in atoms(argument) if (one := self._letters.letter(atom))]
        moves = any(one.key in self._letters.moving for one in inside)
        return moves and all(one.dots < 2 and one.key != TIME for one in inside)

    def _is_of_time(self, argument: Form) -> bool:
        """Return whether what a function is of changes with time alone."""
        inside = {one.key for atom in atoms(argument) if (one := self._letters.letter(atom))}
        return TIME in inside and inside.isdisjoint(self._letters.moving)

    def is_complex(self, key: str) -> bool:
        r"""Return whether a function is an exponential by i, :math:`e^{i\omega t}`."""
        is_power = key in self.known and self.known[key].func is sympy.exp
        return is_power and not IMAGINARY.isdisjoint(self.letters_in(key))

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
        if argument is None or self.known[key].func in (sympy.Abs, sympy.Symbol):
            return argument
        return argument ** sympy.Rational(1, 2)

    def frequency(self, key: str) -> Form | None:
        """Return that of a harmonic function of time; None of any other."""
        if self.known[key].func not in (sympy.cos, sympy.sin):
            return None
        return self._letters.rate(self._arguments[key])

    def argument(self, key: str) -> Form:
        """Return what a function is of."""
        return self._arguments[key]


def is_function(key: str) -> bool:
    """Return whether a letter stands for a function."""
    return key.startswith((MARK, TIMED))


def is_timed(key: str) -> bool:
    """Return whether a letter stands for a function of time alone."""
    return key.startswith(TIMED)
