"""What follows from other equations of motion, by elimination of accelerations and forces."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

import sympy

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME
from freebody.algebra.substitution import substituted
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.consistency.motion.rows import in_span
from freebody.consistency.motion.small_motions import accelerations, is_linear
from freebody.consistency.statement import Statement

Worth = TypeVar("Worth")
MOST_TOGETHER = 4
"""Up to so many equations are tried together."""
MOST_OTHERS = 8


class _Worth(NamedTuple):
    """What an equation is worth at a point: factors of letters, these times them, and the rest."""

    slopes: dict[sympy.Expr, int]
    terms: dict[sympy.Expr, int]
    rest: int


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
            if one.dots != 1 or letters.accelerates(one)
        }
        within = {atom: letters_of(letters, slope) for atom, slope in slopes.items()}
        heavy = set[Letter]().union(*(within[atom] for atom in self.moving))
        swung = {letter.key for atom in self.moving if (letter := letters.letter(atom))}
        swung |= {*letters.accelerated, *letters.speeds, *weights}
        self.forces = {
            atom
            for atom, near in within.items()
            if atom not in self.moving
            and (letter := letters.letter(atom)) not in heavy | near
            and not (letter and letter.key in swung)
            and not any(one.dots for one in near)
        }
        beside = {one: {letters.atom(each) for each in within[one]} for one in self.forces}
        # such as k and h of a spring on a road that moves
        self.forces -= {one for one in self.forces if not beside[one].isdisjoint(self.forces)}
        still = dict.fromkeys((*self.moving, *self.forces), form.ring.zero)
        self._slopes = {atom: slopes[atom] for atom in still}
        self.is_linear = all(
            not any(letters.atom(one) in still for one in within[atom]) for atom in still
        )
        self._rest = substituted(form, still)
        self._values: dict[Point, tuple[_Worth, bool]] = {}

    @property
    def unknown(self) -> set[sympy.Expr]:
        """Its accelerations and forces."""
        return self.moving | self.forces

    def at(self, point: Point, columns: Collection[sympy.Expr]) -> list[int]:
        """Return its coefficients and its rest at a point."""
        worth = point.kept(self._values, point, lambda: self._at(point))
        rest = worth.rest + sum(term for atom, term in worth.terms.items() if atom not in columns)
        return [*(worth.slopes.get(atom, 0) for atom in columns), rest % PRIME]

    def _at(self, point: Point) -> _Worth:
        slopes = {atom: point.value(slope) for atom, slope in self._slopes.items()}
        ring = self.form.ring
        terms = {atom: slope * point.value(ring.symbol(atom)) for atom, slope in slopes.items()}
        return _Worth(slopes, terms, point.value(self._rest))


def eliminated(
    letters: Letters,
    own: Balance,
    others: Sequence[tuple[Statement, Balance]],
    speaks: Callable[[Sequence[Statement]], bool] = bool,
    *,
    is_trial: bool = False,
) -> tuple[bool, tuple[Statement, ...]] | None:
    """Return whether an equation follows from others by elimination, and from which.

    Accelerations are eliminated, and forces that it has not itself. None where they say nothing
    of it, or none of them from which it does not follow speak against it; as of a trial, of which
    nothing counts but that it follows.
    """
    if not own.is_linear:
        return None
    is_slow = is_linear(letters, own.form)
    linear_ones = _tied(own, [pair for pair in others if pair[1].is_linear])
    linear_ones.sort(key=lambda pair: is_linear(letters, pair[1].form) != is_slow)

    def follows(chosen: Sequence[Balance]) -> bool | None:
        return _follows(letters, own, chosen, is_trial=is_trial)

    return combined(linear_ones, follows, speaks=speaks)


def _tied(
    own: Balance, others: Sequence[tuple[Statement, Balance]]
) -> list[tuple[Statement, Balance]]:
    """Return the equations with accelerations or forces of one, or of others of these."""
    reached, found, waiting = own.unknown, set[Balance](), [*others]
    while near := [pair for pair in waiting if not reached.isdisjoint(pair[1].unknown)]:
        found |= {balance for _, balance in near}
        reached = reached.union(*(balance.unknown for _, balance in near))
        waiting = [pair for pair in waiting if pair[1] not in found]
    return [pair for pair in others if pair[1] in found]


def combined(
    others: Sequence[tuple[Statement, Worth]],
    follows: Callable[[list[Worth]], bool | None],
    speaks: Callable[[Sequence[Statement]], bool] = bool,
) -> tuple[bool, tuple[Statement, ...]] | None:
    """Return whether an equation follows from a few of the nearest others, and from which.

    Parameters
    ----------
    others : sequence of (Statement, object)
        The nearest first, each with what it is worth.
    follows : callable
        Whether it follows from some of these; None where they say nothing of it.
    speaks : callable, optional
        Whether some from which it does not follow speak against it.
    """
    near, first = others[:MOST_OTHERS], None
    for count in range(1, min(len(near), MOST_TOGETHER) + 1):
        for chosen in combinations(near, count):
            answer = follows([one for _, one in chosen])
            statements = tuple(dict.fromkeys(statement for statement, _ in chosen))
            if answer:
                return True, statements
            if answer is False and first is None and speaks(statements):
                first = statements
    return None if first is None else (False, first)


def _follows(
    letters: Letters, own: Balance, others: Sequence[Balance], *, is_trial: bool
) -> bool | None:
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
    columns = dict.fromkeys((*reached, *forces))
    return letters.everywhere(
        lambda point: in_span(own.at(point, columns), [one.at(point, columns) for one in others]),
        is_trial=is_trial,
    )


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
        try:
            left = substituted(crossed[0], still) - substituted(crossed[1], still)
        except ZeroDivisionError:
            continue
        if left:
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
