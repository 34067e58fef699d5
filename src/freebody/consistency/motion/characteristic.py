r"""Characteristic equations: with which exponents what is printed as linear equations moves.

Motions :math:`e^{\lambda t}` or :math:`\cos\omega t` are those at whose :math:`\lambda` or
:math:`\omega` the determinant of the equations of motion is zero. What a page prints of these
letters must divide that polynomial: all of it, a factor, or a root.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from sympy.polys.domains import ZZ
from sympy.polys.galoistools import gf_add, gf_eval, gf_mul, gf_rem, gf_sub, gf_trunc

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME, root_of_minus_one
from freebody.algebra.terms import TooLargeError
from freebody.consistency.finding import Finding, in_order
from freebody.consistency.letters import (
    INDEXED,
    NUMBERED,
    Letter,
    Letters,
    letters_of,
    moving_in,
)
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.rows import Row, rank
from freebody.consistency.motion.small_motions import is_linear
from freebody.consistency.otherwise import Otherwise
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import is_zero as is_nothing

CHARACTERISTIC = "with such exponents what its equations are about moves"
MOST_COORDINATES, MOST_SYSTEMS = 4, 4
"""Of a system of equations of motion, and such systems that an equation is held against."""
MOST_NEAR, MOST_ROWS = 30, 16
"""Polynomials and equations of motion that one is held against."""
MOST_PRODUCTS = 40_000
"""Of terms, to hold one equation against these."""
Polynomial = list[int]
"""Values of coefficients in the prime field, that of the highest power first."""


@dataclass(frozen=True, eq=False)
class Exponents:
    """A polynomial whose roots are exponents of motions.

    Attributes
    ----------
    constants : frozenset of str
        The letters in it.
    at : callable
        Returns its coefficients at a point.
    used : tuple of Statement
        What says so.
    letter : str
        In which it is printed; empty of what equations of motion tell.
    speaks : bool
        Whether it speaks against others that differ.
    """

    constants: frozenset[str]
    at: Callable[[Point], Polynomial]
    used: tuple[Statement, ...]
    letter: str = ""
    speaks: bool = False

    def ways(self, *, is_root: bool) -> Iterator[Callable[[Point], Polynomial]]:
        """Iterate over it in the exponent, in the frequency, and in the squares of both.

        Of equations of motion, and in squares where it is held against more than one root.
        """
        yield self.at
        if not self.letter:
            yield lambda point: _turned(self.at(point), root_of_minus_one())
            if not is_root:
                yield lambda point: _of_squares(self.at(point))
                yield lambda point: _turned(_of_squares(self.at(point)), -1)


class _Row(NamedTuple):
    """A linear equation of motion by its letters, and which equation says it."""

    factors: dict[Letter, Form]
    used: tuple[Statement, ...]
    is_printed: bool

    @property
    def coordinates(self) -> set[str]:
        return {letter.key for letter in self.factors}

    def at(self, point: Point, coordinates: Sequence[str]) -> list[Polynomial]:
        """Return its polynomials before coordinates."""
        most = max(letter.dots for letter in self.factors)
        values = {letter: point.value(form) for letter, form in self.factors.items()}
        return [
            _stripped(values.get(Letter(key, dots), 0) for dots in range(most, -1, -1))
            for key in coordinates
        ]


class Characteristic:
    """Holds what a page says of exponents and frequencies against its linear equations.

    Parameters
    ----------
    equations : Equations
    otherwise : Otherwise
        Why they may differ.
    """

    def __init__(self, equations: Equations, otherwise: Otherwise) -> None:
        self._equations, self._letters = equations, equations.letters
        self._otherwise = otherwise

    def finding(self, statement: Statement, lower: Iterable[Form]) -> Finding | None:
        """Return what equations of motion, and polynomials in the same letter, say of exponents."""
        with (
            suppress(TooLargeError, ZeroDivisionError),
            self._letters.ring.budget.work(MOST_PRODUCTS),
        ):
            return self._of(statement, lower)
        return None

    def _of(self, statement: Statement, lower: Iterable[Form]) -> Finding | None:
        forms = [self._letters.ring.cleared(form) for form in lower if form]
        raised = {*chain.from_iterable(map(self._raised, forms))}
        inside = raised | {one.letter.key for one in self._equations.meanings.of(statement)}
        if (
            not inside
            or statement.equated
            or not self._keys(forms).isdisjoint(self._letters.moving)
        ):
            return None
        against: Exponents | None = None
        for known in self._known(statement):
            for key in sorted(inside - known.constants):
                stated = _Stated.of(self._letters, forms, key, known.constants)
                if stated is None or not self._may_be(key, known):
                    continue
                ways = known.ways(is_root=key not in raised)
                if any(self._divides(stated, way) for way in ways):
                    return Finding(True, known.used, CHARACTERISTIC, "characteristic")
                if self._speaks(known, stated, key, statement):
                    against = against or known
        if against is None:
            return None
        is_open = self._otherwise.is_open(statement, is_known=statement.is_small)
        return Finding(False, against.used, CHARACTERISTIC, "characteristic", is_open)

    def _keys(self, forms: Iterable[Form]) -> set[str]:
        return {one.key for form in forms for one in letters_of(self._letters, form)}

    def _raised(self, form: Form) -> Iterator[str]:
        """Iterate over the letters of which a form has several powers."""
        for atom in form.symbols:
            letter = self._letters.letter(atom)
            powers = form.terms.by_power(form.ring.place_of(atom))
            if letter and max(powers) > min(powers) + 1:
                yield letter.key

    @staticmethod
    def _may_be(key: str, known: Exponents) -> bool:
        """Return whether a letter is that of a polynomial, or one of its roots."""
        return not known.letter or _base(key) == known.letter

    def _divides(self, stated: _Stated, way: Callable[[Point], Polynomial]) -> bool:
        def divides(point: Point) -> bool:
            divisor, whole = _without_zeros(stated.at(point)), _without_zeros(way(point))
            return 1 < len(divisor) <= len(whole) and not gf_rem(whole, divisor, PRIME, ZZ)

        return bool(self._letters.everywhere(divides))

    def _speaks(self, known: Exponents, stated: _Stated, key: str, statement: Statement) -> bool:
        """Return whether what differs from a polynomial must be that, or one of several roots.

        What is made of equations of motion stands behind them.
        """
        if any(one.number > statement.number for one in known.used):
            return False
        if known.letter:
            return key != known.letter and stated.constants <= known.constants
        is_of_these = stated.constants == known.constants or (
            len(stated.matrix) > 1 and stated.constants <= known.constants
        )
        sides = statement.relation.left, statement.relation.right
        if not (known.speaks and is_of_these and any(map(is_nothing, sides))):
            return False
        point = self._letters.points[0]
        degrees = [len(_without_zeros(way(point))) for way in known.ways(is_root=False)]
        own = len(_without_zeros(stated.at(point)))
        return own > 2 and own in degrees

    # ------------------------------------------------------------------ what a page says of these

    def _known(self, statement: Statement) -> Iterator[Exponents]:
        """Iterate over the polynomials that an equation may be held against, the nearest first."""
        yield from self._printed(statement)
        if energy := self._equations.energy(statement):
            for forms in (energy.slow, *energy.slow_turned):
                swung = {one.key for one in energy.coordinates}
                told = (self._row(form, energy.used, swung) for form in forms)
                yield from self._system([row for row in told if row])
        rows = [*islice(self._told(statement), MOST_ROWS)]
        starts = islice(range(len(rows)), 2 * MOST_SYSTEMS)
        systems = (one for start in starts for one in self._system(rows[start:]))
        yield from islice(systems, MOST_SYSTEMS)

    def _printed(self, statement: Statement) -> Iterator[Exponents]:
        """Iterate over polynomials in the letter of which an equation says a root."""
        own = {_base(one.letter.key) for one in self._equations.meanings.of(statement)}
        for one in self._equations.beside(statement)[:MOST_NEAR] if own else ():
            forms = [self._letters.ring.cleared(form) for form in self._equations.forms(one)]
            keys = self._keys(forms)
            if len(forms) != 1 or not keys.isdisjoint(self._letters.moving):
                continue
            for key in own & keys:
                constants = frozenset(keys - {key})
                stated = _Stated.of(self._letters, forms, key, constants)
                if stated and len(stated.at(self._letters.points[0])) > 2:
                    yield Exponents(constants, stated.at, (one,), letter=key)

    def _told(self, statement: Statement) -> Iterator[_Row]:
        """Iterate over the other equations of motion as they are for small motions."""
        swung = self._letters.accelerated | self._letters.speeds
        every = (one for one in self._equations.beside(statement) if one.moved(1))
        for one in islice(every, MOST_NEAR):
            for balance in self._equations.balances(one):
                is_printed = is_linear(self._letters, balance.form)
                for _, slow in self._equations.slow([(one, balance)]):
                    if row := self._row(slow.form, (one,), swung, is_printed=is_printed):
                        yield row

    def _row(
        self,
        form: Form,
        used: tuple[Statement, ...],
        swung: Collection[str],
        *,
        is_printed: bool = False,
    ) -> _Row | None:
        """Return a linear equation by its coordinates; None where it is not of these alone."""
        every = self._equations.coefficients(form)
        factors = {one: factor for one, factor in every.items() if one.key in swung}
        if not factors or not all(map(self._is_constant, factors.values())):
            return None
        return _Row(factors, used, is_printed)

    def _is_constant(self, form: Form) -> bool:
        return not moving_in(self._letters, form)

    def _system(self, rows: Sequence[_Row]) -> Iterator[Exponents]:
        """Iterate over the system that begins with the first of some rows; of one, or of none."""
        chosen, coordinates = list[_Row](), set[str]()
        for row in rows:
            if chosen and coordinates.isdisjoint(row.coordinates):
                continue
            together = sorted(coordinates | row.coordinates)
            if len(together) > MOST_COORDINATES or not self._are_apart([*chosen, row], together):
                continue
            chosen.append(row)
            coordinates.update(row.coordinates)
            if len(chosen) == len(coordinates):
                yield self._exponents(chosen, sorted(coordinates))
                return

    def _are_apart(self, rows: Sequence[_Row], coordinates: Sequence[str]) -> bool:
        """Return whether no equation follows from others of a system."""
        point = self._letters.points[0]
        with suppress(ZeroDivisionError):
            values = [
                [gf_eval(one, point.root(2), PRIME, ZZ) for one in row.at(point, coordinates)]
                for row in rows
            ]
            return rank(values) == len(rows)
        return False

    def _exponents(self, rows: Sequence[_Row], coordinates: Sequence[str]) -> Exponents:
        constants = self._keys(form for row in rows for form in row.factors.values())
        return Exponents(
            frozenset(constants),
            lambda point: _determinant([row.at(point, coordinates) for row in rows]),
            in_order(*(one for row in rows for one in row.used)),
            speaks=all(row.is_printed for row in rows),
        )


class _Stated(NamedTuple):
    """What an equation says of a letter: the determinant of polynomials in it is zero.

    Of one, or of those before letters for how far the coordinates move.
    """

    matrix: list[list[dict[int, Form]]]
    constants: frozenset[str]

    @classmethod
    def of(
        cls, letters: Letters, forms: Sequence[Form], key: str, known: frozenset[str]
    ) -> _Stated | None:
        """Return what some forms say of a letter; None where they say nothing of that kind."""
        inside = {one.key for form in forms for one in letters_of(letters, form)}
        far = sorted(inside - known - {key})
        if far and len(far) != len(forms):
            return None
        atoms = [letters.atom(Letter(one, 0)) for one in far]
        entries = [[form] for form in forms]
        if far:
            rows = [Row.of(form, atoms) for form in forms]
            if any(row is None or row.rest for row in rows):
                return None
            zero = letters.ring.zero
            entries = [[row.columns.get(atom, zero) for atom in atoms] for row in rows if row]
        matrix = [[_by_powers(letters, form, key) for form in row] for row in entries]
        left = (form for row in matrix for powers in row for form in powers.values())
        is_square = len(matrix) == len(matrix[0])
        if not is_square or any(_has(letters, form, key) for form in left):
            return None
        return cls(matrix, frozenset(inside - {key, *far}))

    def at(self, point: Point) -> Polynomial:
        """Return its coefficients at a point."""
        powers = [power for row in self.matrix for entry in row for power in entry]
        span = range(max(powers), min(powers) - 1, -1)
        return _determinant(
            [
                [_stripped(point.value(one[n]) if n in one else 0 for n in span) for one in row]
                for row in self.matrix
            ]
        )


def _by_powers(letters: Letters, form: Form, key: str) -> dict[int, Form]:
    place = form.ring.place_of(letters.atom(Letter(key, 0)))
    return {power: Form(form.ring, terms) for power, terms in form.terms.by_power(place).items()}


def _has(letters: Letters, form: Form, key: str) -> bool:
    return any(one.key == key for one in letters_of(letters, form))


def _base(key: str) -> str:
    """Return a letter without the number or index of one of several roots."""
    match = NUMBERED.fullmatch(key) or INDEXED.fullmatch(key)
    return match[1] if match else key


def _determinant(matrix: Sequence[Sequence[Polynomial]]) -> Polynomial:
    first, *below = matrix
    if not below:
        return first[0]
    total = Polynomial()
    for column, factor in enumerate(first):
        minor = _determinant([[*row[:column], *row[column + 1 :]] for row in below])
        product = gf_mul(factor, minor, PRIME, ZZ)
        total = (gf_sub if column % 2 else gf_add)(total, product, PRIME, ZZ)
    return total


def _stripped(coefficients: Iterable[int]) -> Polynomial:
    """Return a polynomial that does not begin with zeros."""
    found: Polynomial = gf_trunc([*map(ZZ, coefficients)], PRIME)
    return found


def _without_zeros(polynomial: Polynomial) -> Polynomial:
    """Return a polynomial without the roots that are zero, as of what may stay anywhere."""
    last = next((n for n, one in enumerate(reversed(polynomial)) if one), 0)
    return polynomial[: len(polynomial) - last]


def _turned(polynomial: Polynomial, factor: int) -> Polynomial:
    """Return a polynomial in what its variable is by a factor."""
    most = len(polynomial) - 1
    return [ZZ(one * pow(factor, most - n, PRIME) % PRIME) for n, one in enumerate(polynomial)]


def _of_squares(polynomial: Polynomial) -> Polynomial:
    """Return a polynomial in the square of its variable; none where it has odd powers."""
    odd = len(polynomial) % 2
    return [] if any(polynomial[odd::2]) else polynomial[1 - odd :: 2]
