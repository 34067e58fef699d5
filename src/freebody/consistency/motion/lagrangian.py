"""What follows from a Lagrangian: its equations of motion, with forces that are not in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations

import sympy

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME
from freebody.algebra.substitution import atoms, substituted
from freebody.checking.grid import MeaningError
from freebody.checking.guesses.conventions import ENERGIES, SymbolShape
from freebody.consistency.letters import Letter, Letters, letters_of, moving_in
from freebody.consistency.meanings.views import View
from freebody.consistency.motion.energies import lagrangians
from freebody.consistency.motion.rows import Row, Rows
from freebody.consistency.motion.small_motions import accelerations, is_linear, linear
from freebody.consistency.statement import Statement

MOST_COORDINATES = 6
_OF_MOTION = frozenset({"coordinate", "velocity", "speed", "turning vector"})


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

    def held(self, keys: Collection[str]) -> Lagrangian:
        """Return it where some letters stay as they are, which may be coordinates."""
        letters = self.letters
        rates = [Letter(key, n) for key in keys for n in (1, 2)]
        still = dict.fromkeys(map(letters.atom, rates), letters.ring.zero)
        pairs = zip(self.coordinates, self.rows, strict=True)
        left = [(one, substituted(row, still)) for one, row in pairs if one.key not in keys]
        coordinates, rows = zip(*left, strict=True) if left else ((), ())
        return replace(self, coordinates=coordinates, rows=rows)

    @cached_property
    def _exact(self) -> Rows:
        return Rows(self.letters, self.rows, self.columns)

    @property
    def balances(self) -> Sequence[Row | None]:
        """Its rows, by their accelerations; None of those that are not linear in these."""
        return self._exact.rows

    @cached_property
    def slow(self) -> tuple[Form, ...]:
        """The equations of motion as they are for small motions about zero."""
        return self._slowed(self.rows)

    @cached_property
    def slow_turned(self) -> list[tuple[Form, ...]]:
        """The same where some angles are turned by half a turn."""
        return [self._slowed(rows) for rows in self.turned]

    def _slowed(self, rows: Iterable[Form]) -> tuple[Form, ...]:
        slow = (linear(self.letters, row) for row in rows)
        return tuple(row for row in slow if row is not None)

    @cached_property
    def _slow(self) -> Rows:
        return Rows(self.letters, self.slow, self.columns)

    @cached_property
    def _slow_turned(self) -> list[Rows]:
        return [Rows(self.letters, rows, self.columns) for rows in self.slow_turned]

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
    return next(every_lagrangian(view, known), None)


def every_lagrangian(
    view: View, known: MutableMapping[tuple[int, ...], Lagrangian]
) -> Iterator[Lagrangian]:
    """Iterate over the Lagrangians that an equation can be held against, the likeliest first."""
    letters = view.letters
    for form in lagrangians(view):
        try:
            lowered = view.lower(form)
        except MeaningError:
            continue
        numbers = tuple(sorted(view.used))
        if numbers in known and not known[numbers].energy - lowered:
            yield known[numbers]
            continue
        inside = letters_of(letters, lowered)
        rates = sorted(one for one in inside if one.dots == 1)
        if not rates or len(rates) > MOST_COORDINATES or any(one.dots > 1 for one in inside):
            continue
        if any(view.definition(Letter(one.key, 0)) for one in rates):
            continue
        if _is_open(view, lowered, inside) or _is_tied(view, inside):
            continue
        coordinates = tuple(Letter(one.key, 0) for one in rates)
        rows = tuple(_row(letters, lowered, one) for one in coordinates)
        keys = frozenset(
            one.key for one in inside.union(*(letters_of(letters, one) for one in rows))
        )
        known[numbers] = Lagrangian(letters, coordinates, rows, keys, view.others, lowered)
        yield known[numbers]


def _is_open(view: View, energy: Form, inside: Iterable[Letter]) -> bool:
    """Return whether an energy has a part of which nothing says how it depends on motion.

    Such as the weight of what is at a height, or the energy of what turns at a speed.
    """
    letters = view.letters
    known = letters.moving | view.arguments.keys()
    still = (one for one in inside if one.key not in known and _is_of_motion(one.key))
    slopes = (letters.ring.partial(energy, letters.atom(one)) for one in still)
    return any(not moving_in(letters, slope) for slope in slopes)


def _is_tied(view: View, inside: Iterable[Letter]) -> bool:
    r"""Return whether an energy has a place of which only the rate is said by others.

    As x beside :math:`\dot x = R\dot\varphi`, which moves with φ though no equation puts it so; or
    a speed, of which a balance of moments has the rate.
    """
    rated = {one.key for one in inside if one.dots}
    places = (one.key for one in inside if not one.dots and one.key not in rated)
    return any(
        key in view.letters.speeds or view.definition(Letter(key, 1)) is not None
        for key in places
        if key in view.letters.moving
    )


def _is_of_motion(key: str) -> bool:
    """Return whether a letter is for what is no constant: a place, a speed, or an energy."""
    looks = SymbolShape.of(key)
    is_energy = not ENERGIES.isdisjoint(looks.kinds) and looks.subscript != "0"
    return is_energy or not _OF_MOTION.isdisjoint(looks.kinds[:1])


def _row(letters: Letters, energy: Form, coordinate: Letter) -> Form:
    momentum = letters.slope(energy, Letter(coordinate.key, 1))
    return letters.rate(momentum) - letters.slope(energy, coordinate)


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
    found = matching_row(lagrangian, letters, form)
    if found is None:
        return None
    place, scale, free = found
    return lagrangian.rows[place] * scale - free


def matching_row(
    lagrangian: Lagrangian, letters: Letters, form: Form
) -> tuple[int, Form, Form] | None:
    """Return which of Lagrange's equations one is, times what, and it without its forces.

    By its accelerations; None where it is none of them.
    """
    columns = lagrangian.columns
    with suppress(ZeroDivisionError):
        free = without_forces(lagrangian, letters, form)
        own = Row.of(free, columns) if free is not None else None
        if own is None or free is None:
            return None
        for place, row in enumerate(lagrangian.balances):
            if row is not None and _are_proportional(letters, own, row):
                atom = next(iter(own.columns))
                return place, own.columns[atom] / row.columns[atom], free
    return None


def _are_proportional(letters: Letters, one: Row, other: Row) -> bool:
    """Return whether the accelerations of two equations differ by a factor, at random points."""
    columns = [*one.columns]
    if not columns or one.columns.keys() != other.columns.keys():
        return False

    def are_so(point: Point) -> bool:
        own, given = (row.values(columns, point)[:-1] for row in (one, other))
        pairs = zip(own, given, strict=True)
        return not any((a * given[0] - b * own[0]) % PRIME for a, b in pairs)

    return bool(letters.everywhere(are_so))


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
