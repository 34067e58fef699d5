r"""Equations of motion with multipliers, by what they say without these, and the constraints.

Such as :math:`m\ddot x = -2\lambda x`, :math:`m\ddot y = -m g - 2\lambda y` beside
:math:`x^2 + y^2 = l^2`, and of a knife edge beside :math:`\dot x\sin\phi - \dot y\cos\phi = 0`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import defines
from freebody.consistency.letters import Letter, letters_of
from freebody.errors import FreebodyError
from freebody.recognition.building.balances import balanced
from freebody.recognition.building.combining import Balance
from freebody.recognition.building.energies import MOST_PRODUCTS, Energies, Held, constants
from freebody.recognition.equations.constraints import Constraint
from freebody.recognition.equations.page_motion import MotionEquation, PageMotion
from freebody.recognition.equations.products import sign_of
from freebody.recognition.symbols.initials import HEAVY, initial

MOST_HELD = 6
"""Coordinates that are held."""


def by_multipliers(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what equations of motion of a page with multipliers say of inertia and loads.

    Parameters
    ----------
    motion : PageMotion
    """
    if not motion.constraints:
        return
    with suppress(FreebodyError, ZeroDivisionError), motion.letters.ring.budget.work(MOST_PRODUCTS):
        if one := _energies(motion):
            yield one


def _energies(motion: PageMotion) -> Energies | None:
    letters, ring = motion.letters, motion.letters.ring
    rows, moving = _rows(motion), motion.statements.moving()
    sections = motion.sections(label for one in rows.values() for label in one.labels)
    everywhere = [
        (statement, form)
        for statement, form in motion.constraints
        if (bound := {one.key for one in letters_of(letters, form)} & moving)
        and bound <= rows.keys()
        and len(bound) > 1  # else it is where something is in time
    ]
    near = [one for one in everywhere if one[0].section in sections]
    told = near or everywhere  # as of kinematics in a section before
    held = _held(motion, told, rows)
    inside = {one.key for each in held for one in letters_of(letters, each.form)}
    keys = tuple(sorted(inside & rows.keys()))
    if not held or not len(held) < len(keys) <= MOST_HELD:
        return None
    free = {letters.atom(Letter(one.force, 0)): ring.zero for one in held}
    accelerations = [letters.atom(Letter(key, 2)) for key in keys]
    balances = []
    for key in keys:
        form = ring.divided_out(substituted(rows[key].form, free))
        row = tuple(ring.partial(form, atom) for atom in accelerations)
        balances.append(Balance(rows[key], form, row))
    signs = [ring.one.scaled(sign_of(one.row[n])) for n, one in enumerate(balances)]
    coordinates = tuple(Letter(key, 0) for key in keys)
    found = balanced(motion, coordinates, (tuple(balances), signs), is_divided=False)
    if found is None:
        return None
    scale = found.inertia[0][0] / balances[0].row[0]
    holding = [
        one for one, form in told
        if {each.key for each in letters_of(letters, form)} & moving <= {*keys}
    ]  # fmt: skip
    used = dict.fromkeys((*found.used, *holding))
    found = replace(
        found,
        held=tuple(replace(one, factor=one.factor * scale) for one in held),
        used=tuple(used),
    )
    mass = _divisor(motion, found)
    return found.scaled(mass) if mass else found


def _divisor(motion: PageMotion, found: Energies) -> Form | None:
    """Return the mass by which equations are divided, where what holds is divided by it alone."""
    inside = constants(motion.letters, [one.factor for one in found.held])
    masses = [key for key in inside if initial(key) in HEAVY]
    is_divided = all(row[n].is_number for n, row in enumerate(found.inertia))
    return motion.letters.form(Letter(masses[0], 0)) if is_divided and len(masses) == 1 else None


def _rows(motion: PageMotion) -> dict[str, MotionEquation]:
    """Return the printed equations of motion with one acceleration each, by its letter.

    Of several those with the most letters, as what is not held yet is printed too. None of all
    coordinates at once.
    """
    every = [one for one in motion.motions if len(one.accelerated) == 1 and not one.is_derived]
    every.sort(key=lambda one: len(one.letters), reverse=True)
    found: dict[str, MotionEquation] = {}
    for one in every:
        (key,) = one.accelerated
        if key not in found and not SymbolShape.of(key).is_styled:
            found[key] = replace(one, form=_undivided(motion, one.form, Letter(key, 2)))
    return found


def _undivided(motion: PageMotion, form: Form, acceleration: Letter) -> Form:
    """Return an equation without what moves that it is multiplied by, as it was divided by that."""
    letters = motion.letters
    resisting = letters.slope(form, acceleration)
    inside = [one for one in letters_of(letters, resisting) if initial(one.key) in HEAVY]
    factor = letters.slope(resisting, inside[0]) if len(inside) == 1 else letters.ring.one
    is_common = any(one.key in letters.moving for one in letters_of(letters, factor))
    return motion.functions.written_out(form) / factor if is_common else form


def _held(
    motion: PageMotion, told: Sequence[Constraint], rows: Mapping[str, MotionEquation]
) -> tuple[Held, ...]:
    """Return each constraint with what holds coordinates to it; nothing where one has none.

    What has a coordinate that no constraint has, or a letter by itself, says only what that is.
    """
    letters = motion.letters
    found, left = dict[str, Held](), list[set[str]]()  # a constraint may be said twice
    for statement, form in told:
        if one := _holding(motion, form, rows):
            found.setdefault(one.force, one)
        elif not any(defines(statement.relation)):
            left.append({one.key for one in letters_of(letters, form)} & rows.keys())
    bound = {one.key for each in found.values() for one in letters_of(letters, each.form)}
    return () if any(one <= bound for one in left) else tuple(found.values())


def _holding(motion: PageMotion, form: Form, rows: Mapping[str, MotionEquation]) -> Held | None:
    """Return the constraint with the force that acts along its gradient; None where none does."""
    letters, ring, moving = motion.letters, motion.letters.ring, motion.statements.moving()
    dots = max(one.dots for one in letters_of(letters, form))
    slopes = {key: ring.partial(form, letters.atom(Letter(key, dots))) for key in rows}
    first = next((key for key in rows if slopes[key]), None)
    if first is None:
        return None
    forces = {each.key for one in rows.values() for each in one.letters if not each.dots}
    for force in sorted(forces - rows.keys()):
        atom = letters.atom(Letter(force, 0))
        pulls = {key: ring.partial(one.form, atom) for key, one in rows.items()}
        factor = pulls[first] / slopes[first]
        is_constant = moving.isdisjoint(one.key for one in letters_of(letters, factor))
        if factor and is_constant and not any(pulls[key] - factor * slopes[key] for key in rows):
            return Held(form, force, factor)
    return None
