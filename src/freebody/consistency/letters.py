"""The letters of a page as symbols of a ring: constants, and what moves, with its rates."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.budget import Budget
from freebody.algebra.points import Point
from freebody.algebra.substitution import atoms
from freebody.checking.grid import Grid
from freebody.checking.guesses.symbols import Open
from freebody.checking.introduced import bare
from freebody.documents.latex.names import FoundName
from freebody.documents.latex.spellings import Spelling, plain
from freebody.errors import FreebodyError

TIME = "t"
POINTS, MOST_POINTS = 3, 12
"""At so many random points equations are compared, of some at which square roots may not exist."""
MOST_PRODUCTS = 6_000_000
"""Of terms, that holding a page against itself may take: some fifteen seconds."""
EACH = 500
"""So many products it counts that the letters of a form are looked up."""
INDEXED = re.compile(r"(.+)_\{?([i-n])\}?")
NUMBERED = re.compile(r"(.+)_\{?(\d)\}?")
"""Letters with an index that stands for numbers, and with a number."""
_FONT = re.compile(
    r"\\(?:mathbf|boldsymbol|vec|overrightarrow|underline|hat)\{((?:[^{}]|\{[^{}]*\})+)\}"
)
_OF_FRAME = "{}"
"""How letters begin with a frame before them."""


class PageTooLongError(FreebodyError):
    """A page takes more work than it may."""


class Ration:
    """The work that a page takes, counted so that it is the same on every machine.

    Parameters
    ----------
    budget : Budget
        Of the forms of the page.
    limit : int
        How many products of terms it may take.
    """

    def __init__(self, budget: Budget, limit: int) -> None:
        self._budget, self._limit, self._forms = budget, limit, 0

    @property
    def is_spent(self) -> bool:
        """Whether the page has taken more than it may."""
        return self._spent > self._limit

    @property
    def has_much_left(self) -> bool:
        """Whether the page has taken less than a quarter of what it may."""
        return self._spent < self._limit // 4

    @property
    def _spent(self) -> int:
        return self._budget.spent + EACH * self._forms

    def count_form(self) -> None:
        """Count a form whose letters are looked up.

        Raises
        ------
        PageTooLongError
            If the page has taken more than it may.
        """
        self._forms += 1
        if self.is_spent:
            raise PageTooLongError("the page takes too much work")


IMAGINARY = frozenset("ij")
"""Letters for the imaginary unit, in exponents."""
HAMILTONIANS = ("H", r"\mathcal{H}", r"\mathscr{H}")
GRAVITY_TERMS, _OF_COORDINATES = r"\mathbf{g}", "g("
"""How terms of gravity are printed as a function of the coordinates, beside the constant g."""


class Letter(NamedTuple):
    """A letter, as a document would declare it, and the dots over it."""

    key: str
    dots: int


class Names(Open):
    """Takes every name as it looks, and notes which are printed as functions of time.

    Attributes
    ----------
    of_time : set of str
    """

    keeps_opaque = True

    def __init__(self, marks: Collection[str] = ()) -> None:
        super().__init__(marks=marks)
        self.of_time: set[str] = set()

    def find(self, options: Sequence[Spelling]) -> FoundName | None:
        """Return the name that is printed; None of the constants of mathematics."""
        found = super().find(options)
        if found and (found.key == r"\pi" or _is_exponential(found)):
            return None
        if found and any(one.arguments == "t" and one.stop == found.stop for one in options):
            self.of_time.add(bare(found.key))
        if found and found.key.startswith(_OF_COORDINATES):
            return replace(found, key=f"{GRAVITY_TERMS}{found.key[1:]}")
        return found


class Letters:
    """The symbols of a page, and their derivatives by time.

    Parameters
    ----------
    abs_as_roots : bool, optional
        Whether what is printed as an absolute value is the root of a square, whose slopes are the
        same from either side.

    Attributes
    ----------
    ring : Ring
    moving : set of str
        The letters that are no constants.
    accelerated : set of str
        Those whose accelerations are printed, which are no forces.
    speeds : set of str
        Those of whose equations of motion only the first rate is printed, as of a state.
    functions : dict of str to tuple of str
        Those that are functions of others, ``V(r)``, of which no equation says more, with of which.
    points : tuple of Point
        Random ones, at which equations may be compared.
    ration : Ration
    """

    def __init__(self, *, abs_as_roots: bool = False) -> None:
        self.ring, self.abs_as_roots = Ring(), abs_as_roots
        self.ration = Ration(self.ring.budget, MOST_PRODUCTS)
        self.moving: set[str] = set()
        self.accelerated: set[str] = set()
        self.speeds: set[str] = set()
        self.functions: dict[str, tuple[str, ...]] = {}
        self._slopes: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._letters: dict[sympy.Expr, Letter] = {}
        self.points = tuple(Point(self.ring, seed) for seed in range(MOST_POINTS))

    def form(self, letter: Letter) -> Form:
        """Return a letter as a form."""
        return self.ring.symbol(self.atom(letter))

    def atom(self, letter: Letter) -> sympy.Expr:
        """Return the symbol of a letter."""
        symbol = sympy.Symbol(f"{letter.key}|{letter.dots}", real=True)
        self._letters[symbol] = letter
        return symbol

    def letter(self, atom: sympy.Expr) -> Letter | None:
        """Return the letter of a symbol, if it is one."""
        return self._letters.get(atom)

    def sole(self, form: Form) -> Letter | None:
        """Return the letter that a form is, if it is one."""
        inside = letters_of(self, form)
        letter = inside.pop() if len(inside) == 1 else None
        return letter if letter and not form - self.form(letter) else None

    def accelerates(self, letter: Letter) -> bool:
        """Return whether a letter is an acceleration, or the rate of a speed."""
        return letter.dots >= (1 if letter.key in self.speeds else 2)

    def everywhere(
        self, answer: Callable[[Point], bool | None], *, is_trial: bool = False
    ) -> bool | None:
        """Return what holds at random points alike; None where it does not, or something has none.

        Points at which a square root does not exist are passed over. Of a trial nothing counts but
        that it holds, and it ends with the first point at which it does not.
        """
        found: bool | None = None
        count = 0
        for point in self.points:
            point.has_all_roots = True
            try:
                here = answer(point)
            except ZeroDivisionError:
                return None
            if not point.has_all_roots:
                continue
            if here is None or found not in (None, here) or (is_trial and not here):
                return None
            found, count = here, count + 1
            if count == POINTS:
                break
        return found

    def slope(self, form: Form, letter: Letter) -> Form:
        """Return the derivative of a form by a letter, or one of its rates."""
        by = self.atom(letter)

        def rate(atom: sympy.Expr) -> Form:
            if atom == by:
                return self.ring.one
            inner = self.letter(atom)
            is_of_it = inner is not None and letter.key in self.functions.get(inner.key, ())
            if inner is None or not is_of_it or letter.dots:
                return self.ring.zero
            return self.form(self.slope_of_function(inner.key, letter.key))

        return self.ring.derivative(form, rate)

    def function(self, key: str) -> Letter | None:
        """Return the letter of a function, or of its derivative that has primes: ``V'``."""
        base = key.rstrip("'")
        of = self.functions.get(base, ())
        if not of or (base != key and len(of) > 1):
            return None
        for _ in key[len(base) :]:
            base = self.slope_of_function(base, of[0]).key
        return Letter(base, 0)

    def differentiated(self, key: str) -> str:
        """Return the function of which a letter is a derivative; any other as it is."""
        return self._slopes.get(key, (key,))[0]

    def slope_of_function(self, key: str, by: str) -> Letter:
        """Return the letter of the derivative of a function of letters by one of them."""
        function, before = self._slopes.get(key, (key, ()))
        every = tuple(sorted((*before, by)))
        name = _derivative(function, every)
        self._slopes[name] = function, every
        self.functions[name] = self.functions[key]
        return Letter(name, 0)

    def rate(self, form: Form) -> Form:
        """Return the derivative of a form by time."""
        return self.ring.derivative(form, self._rate)

    def rates(self, grid: Grid, order: int = 1) -> Grid:
        """Return the derivative of each entry."""
        for _ in range(order):
            grid = Grid.made(map(self.rate, row) for row in grid.rows)
        return grid

    def _rate(self, atom: sympy.Expr) -> Form:
        letter = self.letter(atom)
        if letter and letter.key in self.functions:
            return self.ring.sum(
                self.form(self.slope_of_function(letter.key, one))
                * self._rate(self.atom(Letter(one, 0)))
                for one in self.functions[letter.key]
            )
        if letter is None or letter.key not in self.moving:
            return self.ring.one if letter and letter.key == TIME else self.ring.zero
        return self.form(Letter(letter.key, letter.dots + 1))


def _derivative(function: str, by: Sequence[str]) -> str:
    r"""Return how a derivative of a function is printed.

    Examples
    --------
    >>> print(_derivative("V", "rrx"))
    \frac{\partial^3 V}{\partial r^2 \partial x}
    """
    powers = [(one, by.count(one)) for one in dict.fromkeys(by)]
    below = " ".join(rf"\partial {one}{f'^{n}' * (n > 1)}" for one, n in powers)
    return rf"\frac{{\partial{f'^{len(by)}' * (len(by) > 1)} {function}}}{{{below}}}"


def _is_exponential(found: FoundName) -> bool:
    r"""Return whether Euler's number is raised to what is no number: ``e^{\lambda t}``."""
    power = plain(found.superscript.arguments[0]) if found.superscript else ""
    return found.key in ("e", r"\mathrm{e}") and not re.fullmatch(r"-?\d*|T|\\top|\*", power)


def is_vector(key: str) -> bool:
    r"""Return whether a letter is printed in a font of vectors, below an arrow, or of a frame.

    Examples
    --------
    >>> [is_vector(key) for key in (r"\mathbf{q}", "{}^{A}R_B", r"\theta_1")]
    [True, True, False]
    """
    return key.startswith(_OF_FRAME) or bool(_FONT.match(key))


def bare_of_font(key: str) -> str:
    r"""Return a letter without the font of vectors: q of ``\mathbf{q}``."""
    return _FONT.sub(r"\1", key)


def letters_of(letters: Letters, form: Form) -> set[Letter]:
    """Return the letters that a form is made of."""
    return {one for atom in atoms(form) if (one := letters.letter(atom))}


def moving_in(letters: Letters, *forms: Form) -> list[sympy.Expr]:
    """Return what moves in forms: coordinates, and their rates."""
    inside = set[Letter]().union(*(letters_of(letters, form) for form in forms))
    return [letters.atom(one) for one in inside if one.key in letters.moving]
