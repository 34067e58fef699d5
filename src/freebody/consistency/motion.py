"""Equations of motion: what follows from a Lagrangian, and from each other by elimination.

An equation is linear in accelerations, and in forces that are eliminated. It follows from others
where its coefficients are a combination of theirs, which is decided by values at random points of
a prime field.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

import sympy

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME
from freebody.algebra.substitution import atoms, substituted, touched
from freebody.checking.grid import MeaningError
from freebody.consistency.energies import lagrangians
from freebody.consistency.letters import Letter, Letters, letters_of, moving_in
from freebody.consistency.statement import Statement
from freebody.consistency.views import View

MOST_COORDINATES = 6


@dataclass(frozen=True, eq=False)
class Row:
    """An equation that is linear in some letters.

    Attributes
    ----------
    columns : dict of sympy.Expr to Form
        The factor of each.
    rest : Form
        What stands beside them.
    """

    columns: dict[sympy.Expr, Form]
    rest: Form

    @classmethod
    def of(cls, form: Form, columns: Iterable[sympy.Expr]) -> Row | None:
        """Return an equation by its columns; None where it is not linear in them."""
        ring, zero = form.ring, form.ring.zero
        found = {atom: ring.partial(form, atom) for atom in columns}
        known = set(found)
        if any(part.symbols & known for part in found.values()):
            return None
        rest = substituted(form, dict.fromkeys(found, zero))
        return cls({atom: part for atom, part in found.items() if part}, rest)

    def values(self, columns: Sequence[sympy.Expr], point: Point) -> list[int]:
        """Return its coefficients and its rest at a point."""
        found = (self.columns.get(atom) for atom in columns)
        return [*(point.value(one) if one else 0 for one in found), point.value(self.rest)]


class Rows:
    """Equations that are linear in some letters, with their values at random points.

    Parameters
    ----------
    letters : Letters
    forms : iterable of Form
    columns : sequence of sympy.Expr
        Those letters.
    """

    def __init__(
        self, letters: Letters, forms: Iterable[Form], columns: Sequence[sympy.Expr]
    ) -> None:
        self._letters, self._columns = letters, columns
        self.rows = [Row.of(form, columns) for form in forms]

    @cached_property
    def _values(self) -> list[list[list[int]]]:
        rows = [row for row in self.rows if row is not None]
        return [[row.values(self._columns, at) for row in rows] for at in self._letters.points]

    def span(self, form: Form) -> bool | None:
        """Return whether an equation is a combination of these, by its accelerations.

        None where its accelerations are no combination of theirs, or theirs contradict each other.
        """
        row = Row.of(form, self._columns)
        if row is None or not row.columns or None in self.rows:
            return None
        try:
            answers = {
                _in_span(row.values(self._columns, at), given)
                for at, given in zip(self._letters.points, self._values, strict=True)
            }
        except ZeroDivisionError:
            return None
        return answers.pop() if len(answers) == 1 else None


@dataclass(frozen=True, eq=False)
class Lagrangian:
    """A Lagrangian of a page, with its equations of motion.

    Attributes
    ----------
    letters : Letters
    coordinates : tuple of Letter
    rows : tuple of Form
        By coordinate: the derivative of the momentum, without the derivative of the Lagrangian.
    known : frozenset of str
        The letters that are in it.
    used : tuple of Statement
        What says so.
    energy : Form
        It itself, with all that its letters stand for put in.
    """

    letters: Letters
    coordinates: tuple[Letter, ...]
    rows: tuple[Form, ...]
    known: frozenset[str]
    used: tuple[Statement, ...]
    energy: Form

    @cached_property
    def columns(self) -> tuple[sympy.Expr, ...]:
        """The accelerations."""
        return tuple(self.letters.atom(Letter(one.key, 2)) for one in self.coordinates)

    @cached_property
    def turned(self) -> tuple[tuple[Form, ...], ...]:
        """The equations of motion as they are where some angles are turned by half a turn.

        An angle keeps its letter where a page says what it is near: upright, hanging.
        """
        letters, ring = self.letters, self.letters.ring
        places = {place for row in self.rows for place in row.terms.places()}
        inside = set[sympy.Expr]().union(
            *(atoms(ring.generators[place].arguments[0]) for place in places
              if ring.generators[place].kind == "angle")
        )  # fmt: skip
        angles = [letters.atom(one) for one in self.coordinates if letters.atom(one) in inside]
        found = []
        for some in chain.from_iterable(combinations(angles, n + 1) for n in range(len(angles))):
            put = {angle: ring.symbol(angle) + ring.form(sympy.pi) for angle in some}
            with suppress(ZeroDivisionError):
                found.append(tuple(substituted(row, put) for row in self.rows))
        return tuple(found)

    @cached_property
    def _exact(self) -> Rows:
        return Rows(self.letters, self.rows, self.columns)

    @property
    def balances(self) -> Sequence[Row | None]:
        """Its rows, by their accelerations; None of those that are not linear in these."""
        return self._exact.rows

    @cached_property
    def _slow(self) -> Rows:
        return self._slowed(self.rows)

    @cached_property
    def _slow_turned(self) -> list[Rows]:
        return [self._slowed(rows) for rows in self.turned]

    def _slowed(self, rows: Iterable[Form]) -> Rows:
        slow = [one for row in rows if (one := linear(self.letters, row)) is not None]
        return Rows(self.letters, slow, self.columns)

    def span(self, form: Form, *, is_exact: bool, turns: bool) -> bool | None:
        """Return whether an equation without forces follows; None where nothing is said of it."""
        found = self._exact.span(form)
        if found is False and not is_exact and is_linear(self.letters, form):
            every = (self._slow, *(self._slow_turned if turns else ()))
            return any(rows.span(form) is True for rows in every)
        return found


def lagrangian(view: View, known: MutableMapping[tuple[int, ...], Lagrangian]) -> Lagrangian | None:
    """Return the Lagrangian that an equation can be held against; None where there is none.

    Those that are known are looked up by the numbers of the equations that say so.
    """
    letters = view.letters
    for form in lagrangians(view):
        try:
            lowered = view.lower(form)
        except MeaningError:
            continue
        numbers = tuple(sorted(view.used))
        if numbers in known and not known[numbers].energy - lowered:
            return known[numbers]
        inside = letters_of(letters, lowered)
        rates = sorted(one for one in inside if one.dots == 1)
        if not rates or len(rates) > MOST_COORDINATES or any(one.dots > 1 for one in inside):
            continue
        if any(view.definition(Letter(one.key, 0)) for one in rates):
            continue
        coordinates = tuple(Letter(one.key, 0) for one in rates)
        rows = tuple(_row(letters, lowered, one) for one in coordinates)
        keys = frozenset(one.key for one in inside)
        known[numbers] = Lagrangian(letters, coordinates, rows, keys, view.others, lowered)
        return known[numbers]
    return None


def _row(letters: Letters, energy: Form, coordinate: Letter) -> Form:
    ring = letters.ring
    rate = letters.atom(Letter(coordinate.key, 1))
    momentum = ring.partial(energy, rate)
    return letters.rate(momentum) - ring.partial(energy, letters.atom(coordinate))


def accelerations(letters: Letters, form: Form) -> set[sympy.Expr]:
    """Return the accelerations that a form holds."""
    return {letters.atom(one) for one in letters_of(letters, form) if one.dots >= 2}


def without_accelerations(letters: Letters, form: Form) -> Form:
    """Return what is left of a form where nothing is accelerated."""
    return substituted(form, dict.fromkeys(accelerations(letters, form), letters.ring.zero))


def follows_from(
    lagrangian: Lagrangian,
    letters: Letters,
    form: Form,
    *,
    is_exact: bool = False,
    turns: bool = True,
) -> bool | None:
    """Return whether an equation follows from a Lagrangian, with forces that are not in it.

    None where it says nothing of that: other accelerations, or nothing without the forces. One of
    small motions may be about zero, or, where it ``turns``, about half a turn.
    """
    try:
        free = without_forces(lagrangian, letters, form)
    except ZeroDivisionError:
        return None
    moving = accelerations(letters, form)
    if free is None or not moving or not moving <= set(lagrangian.columns):
        return None
    return lagrangian.span(free, is_exact=is_exact, turns=turns)


def may_be_balanced(
    lagrangian: Lagrangian,
    letters: Letters,
    rows: Sequence[Form],
    every: Iterable[Form],
    *,
    is_case: bool,
) -> bool:
    """Return whether forces that are not printed may keep what a linear equation is about.

    Parameters
    ----------
    lagrangian : Lagrangian
        It has no forces, which are the letters that are not in it.
    letters : Letters
    rows : sequence of Form
        The equation.
    every : iterable of Form
        All equations of the page.
    is_case : bool
        Whether words put a case.
    """
    if not all(is_linear(letters, row) for row in rows):
        return False
    if not any(_rest(letters, row) for row in lagrangian.rows):
        moving = (form for form in every if accelerations(letters, form))
        return any(_turns_forces(lagrangian, letters, form) for form in moving)
    return is_case or any(_counts_from_rest(lagrangian, letters, row) for row in rows)


def _counts_from_rest(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    """Return whether forces of an equation are those beside what balances constant ones."""
    inside = {one.key for one in letters_of(letters, form)}
    free = without_forces(lagrangian, letters, form)
    is_forced = not inside <= lagrangian.known
    return is_forced and free is not None and not _rest(letters, free)


def _turns_forces(lagrangian: Lagrangian, letters: Letters, form: Form) -> bool:
    """Return whether a force is turned by small motions about zero."""
    ring = letters.ring
    forces = [one for one in letters_of(letters, form) if one.key not in lagrangian.known]
    slopes = (ring.partial(form, letters.atom(one)) for one in forces)
    return any(
        _rest(letters, ring.partial(slope, letters.atom(one)))
        for slope in slopes
        for one in lagrangian.coordinates
    )


def _rest(letters: Letters, form: Form) -> Form | None:
    """Return what is left of an equation where nothing moves and all is at zero, if something."""
    try:
        still = dict.fromkeys(moving_in(letters, form), letters.ring.zero)
        return substituted(form, still) or None
    except ZeroDivisionError:
        return form


def lacking(lagrangian: Lagrangian, letters: Letters, form: Form) -> Form | None:
    """Return what an equation lacks beside one of Lagrange's equations; None where nothing fits.

    The factor between them is that of their accelerations.
    """
    columns = lagrangian.columns
    try:
        free = without_forces(lagrangian, letters, form)
        own = Row.of(free, columns) if free is not None else None
        if own is None or free is None:
            return None
        for form_of_row, row in zip(lagrangian.rows, lagrangian.balances, strict=True):
            if row is not None and _are_proportional(own, row, letters.points):
                atom = next(iter(own.columns))
                return form_of_row * (own.columns[atom] / row.columns[atom]) - free
    except ZeroDivisionError:
        return None
    return None


def _are_proportional(one: Row, other: Row, points: Iterable[Point]) -> bool:
    """Return whether the accelerations of two equations differ by a factor, at random points."""
    columns = [*one.columns]
    if not columns or one.columns.keys() != other.columns.keys():
        return False
    for at in points:
        own, given = (row.values(columns, at)[:-1] for row in (one, other))
        if any((a * given[0] - b * own[0]) % PRIME for a, b in zip(own, given, strict=True)):
            return False
    return True


def without_forces(lagrangian: Lagrangian, letters: Letters, form: Form) -> Form | None:
    """Return an equation without the letters that its Lagrangian has not, which are of forces.

    None where such a letter stands before an acceleration, as a mass does.
    """
    zero = letters.ring.zero
    forces = [one for one in letters_of(letters, form) if one.key not in lagrangian.known]
    for atom in accelerations(letters, form):
        factor = letters_of(letters, letters.ring.partial(form, atom))
        if any(one in forces for one in factor):
            return None
    return substituted(form, {letters.atom(one): zero for one in forces})


def is_linear(letters: Letters, form: Form) -> bool:
    """Return whether an equation is one of small motions about zero."""
    moving = moving_in(letters, form)
    moves = touched(form.ring, moving)
    places = tuple(place for place in sorted(form.terms.places()) if moves(place))
    if any(form.ring.generators[place].kind != "factor" for place in places):
        return False
    return all(sum(map(abs, powers)) <= 1 for powers in form.terms.by_powers(places))


def linear(letters: Letters, form: Form) -> Form | None:
    """Return what is left of a form for small motions about zero; None where it has no value."""
    ring, zero = letters.ring, letters.ring.zero
    moving = moving_in(letters, form)
    still = dict.fromkeys(moving, zero)
    try:
        parts = [substituted(ring.partial(form, one), still) * ring.symbol(one) for one in moving]
        return ring.sum([substituted(form, still), *parts])
    except ZeroDivisionError:
        return None


def rank(rows: Sequence[Sequence[int]]) -> int:
    """Return the rank of a matrix over the prime field.

    Examples
    --------
    >>> rank([[1, 2], [2, 4], [0, 1]])
    2
    """
    left, found = [list(row) for row in rows], 0
    for column in range(len(left[0]) if left else 0):
        pivot = next((n for n in range(found, len(left)) if left[n][column] % PRIME), None)
        if pivot is None:
            continue
        left[found], left[pivot] = left[pivot], left[found]
        over = pow(left[found][column], -1, PRIME)
        for n in range(found + 1, len(left)):
            factor = left[n][column] * over % PRIME
            if factor:
                pairs = zip(left[n], left[found], strict=True)
                left[n] = [(a - factor * b) % PRIME for a, b in pairs]
        found += 1
    return found


MOST_TOGETHER = 4
"""Up to so many equations are tried together."""
MOST_OTHERS = 8


class Balance:
    """An equation of a page that is linear in accelerations, and in forces.

    Parameters
    ----------
    letters : Letters
    form : Form
        Left minus right.
    weights : collection of str
        The letters that stand before accelerations anywhere on the page, and are no forces.

    Attributes
    ----------
    atoms : set of sympy.Expr
    moving, forces : set of sympy.Expr
        Its accelerations, and the letters that are terms of it, times what does not move quickly.
    """

    def __init__(self, letters: Letters, form: Form, weights: Collection[str] = ()) -> None:
        self.form = form
        inside = letters_of(letters, form)
        self.atoms = {letters.atom(one) for one in inside}
        self.moving = accelerations(letters, form)
        slopes = {
            letters.atom(one): form.ring.partial(form, letters.atom(one))
            for one in inside
            if one.dots != 1
        }
        within = {atom: letters_of(letters, slope) for atom, slope in slopes.items()}
        heavy = set[Letter]().union(*(within[atom] for atom in self.moving))
        swung = {letter.key for atom in self.moving if (letter := letters.letter(atom))}
        swung |= {*letters.accelerated, *weights}
        self.forces = {
            atom
            for atom, near in within.items()
            if atom not in self.moving
            and (letter := letters.letter(atom)) not in heavy | near
            and not (letter and letter.key in swung)
            and not any(one.dots for one in near)
        }
        still = dict.fromkeys((*self.moving, *self.forces), form.ring.zero)
        self._slopes = {atom: slopes[atom] for atom in still}
        self.is_linear = all(
            not any(letters.atom(one) in still for one in within[atom]) for atom in still
        )
        self._rest = substituted(form, still)
        self._values: dict[int, tuple[dict[sympy.Expr, int], int]] = {}

    def at(self, point: Point, columns: Sequence[sympy.Expr], seed: int) -> list[int]:
        """Return its coefficients and its rest at a point."""
        if seed not in self._values:
            slopes = {atom: point.value(slope) for atom, slope in self._slopes.items()}
            self._values[seed] = slopes, point.value(self._rest)
        slopes, rest = self._values[seed]
        ring = self.form.ring
        for atom in slopes.keys() - set(columns):
            rest += slopes[atom] * point.value(ring.symbol(atom))
        return [*(slopes.get(atom, 0) for atom in columns), rest % PRIME]


def eliminated(
    letters: Letters,
    own: Balance,
    others: Sequence[tuple[Statement, Balance]],
    speaks: Callable[[Sequence[Statement]], bool] = bool,
) -> tuple[bool, tuple[Statement, ...]] | None:
    """Return whether an equation follows from others by elimination, and from which.

    Accelerations are eliminated, and forces that it has not itself. None where they say nothing
    of it, or none of them from which it does not follow speak against it.
    """
    if not own.is_linear:
        return None
    is_slow = is_linear(letters, own.form)
    linear_ones = [pair for pair in others if pair[1].is_linear]
    linear_ones.sort(key=lambda pair: is_linear(letters, pair[1].form) != is_slow)
    near = linear_ones[:MOST_OTHERS]
    first = None
    for count in range(1, min(len(near), MOST_TOGETHER) + 1):
        for chosen in combinations(near, count):
            answer = _follows(own, [one for _, one in chosen], letters.points)
            statements = tuple(statement for statement, _ in chosen)
            if answer:
                return True, statements
            if answer is False and first is None and speaks(statements):
                first = statements
    return None if first is None else (False, first)


def _follows(own: Balance, others: Sequence[Balance], points: Sequence[Point]) -> bool | None:
    """Return whether an equation is a combination of others; None where they do not say."""
    reached = set[sympy.Expr]().union(*(one.moving for one in others))
    known = set[sympy.Expr]().union(*(one.atoms for one in others))
    if not own.moving <= reached or not own.forces <= known:
        return None
    forces = set[sympy.Expr]().union(*(one.forces for one in others)) - own.atoms
    forces = {
        atom
        for atom in forces
        if all(atom in one.forces or atom not in one.atoms for one in others)
    }
    columns = [*sorted(reached, key=str), *sorted(forces, key=str)]
    answers = set[bool | None]()
    for seed, point in enumerate(points):
        try:
            given = [one.at(point, columns, seed) for one in others]
            answers.add(_in_span(own.at(point, columns, seed), given))
        except ZeroDivisionError:
            return None
        if None in answers or len(answers) > 1:
            return None
    return answers.pop()


def is_rescaled(letters: Letters, one: Form, other: Form) -> bool:
    """Return whether equations of one acceleration differ in the measure of a coefficient alone.

    A constant of a force in one may be of a moment in the other, or of what is divided by a mass:
    then the equations are the same without it, and with it where it is made of other constants.
    """
    moving = accelerations(letters, one)
    if len(moving) != 1 or moving != accelerations(letters, other):
        return False
    (atom,) = moving
    ring, zero = letters.ring, letters.ring.zero
    weights = [ring.partial(form, atom) for form in (one, other)]
    crossed = [one * weights[1], other * weights[0]]
    for letter in letters_of(letters, one) & letters_of(letters, other):
        if letter.key in letters.moving:
            continue
        still = {letters.atom(letter): zero}
        if substituted(crossed[0], still) - substituted(crossed[1], still):
            continue
        slopes = [ring.partial(form, letters.atom(letter)) for form in crossed]
        if all(slopes) and _is_of_constants(letters, ring.quotient(*slopes)):
            return True
    return False


def _is_of_constants(letters: Letters, form: Form) -> bool:
    """Return whether a form is a product of constants, and of no negative number."""
    inside = letters_of(letters, form)
    is_product = len(form.terms) == 1 and not form.is_number
    is_positive = all(value > 0 for value in form.terms.table.values())
    return is_product and is_positive and letters.moving.isdisjoint(one.key for one in inside)


def _in_span(own: list[int], given: list[list[int]]) -> bool | None:
    bare = [one[:-1] for one in given]
    if not any(own[:-1]) or rank(bare) != rank([*bare, own[:-1]]) or rank(given) != rank(bare):
        return None
    return rank([*given, own]) == rank(given)
