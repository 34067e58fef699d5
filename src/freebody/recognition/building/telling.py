"""Whether what a page says of inertia and loads is a model, and not only that something moves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter, letters_of, moving_in
from freebody.recognition.building.divided import mass_below
from freebody.recognition.building.energies import Energies, are_heavy, constants
from freebody.recognition.building.geometry import in_angles
from freebody.recognition.building.page_units import ANGLES
from freebody.recognition.equations.axes import has_direction
from freebody.recognition.equations.functions import is_function, is_timed
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.symbols.initials import GRAVITY, INERTIAS, initial

SPACE = (3, 3)
"""Rows and columns of a rotation matrix."""
_INPUT = "u"


def tells(motion: PageMotion, found: Energies) -> bool:
    """Return whether more is said than that something is accelerated by what acts on it.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    letters = motion.letters
    forms = chain.from_iterable(found.rows)
    inside = {*found.coordinates}.union(*(letters_of(letters, form) for form in forms))
    if any(has_direction(one.key) or _turns_in_space(motion, one) for one in inside):
        return False
    if _is_general(motion, found, inside):
        return False
    if found.held:
        return True
    if found.columns:
        return _is_driven(motion, found)
    if _are_several(motion, found) or _are_apart(motion, found):
        return False
    coupled = any(
        entry and (i != j or any(one.key in letters.moving for one in letters_of(letters, entry)))
        for i, row in enumerate(found.inertia)
        for j, entry in enumerate(row)
    )
    return (
        coupled
        or any(found.slopes)
        or (found.is_printed and any(found.stored))
        or _is_linked(motion, found)
        or _is_held(motion, found)
        or _is_braked(motion, found)
    )


def _turns_in_space(motion: PageMotion, letter: Letter) -> bool:
    """Return whether a page says a letter to be a matrix that turns things in space."""
    said = motion.meanings.definitions.get(letter.key, ())
    is_matrix = bool(said) and all(one.grid.shape == SPACE for one in said)
    return is_matrix and initial(letter.key) not in INERTIAS


def _is_general(motion: PageMotion, found: Energies, inside: Iterable[Letter]) -> bool:
    """Return whether a letter is any function of where something is, as in ``M(q)``, ``M_{qq}``.

    Unless it is one force, as that of a field is, ``F(r)``, on what has inertia that varies.
    """
    coordinates = {one.key for one in found.coordinates}
    arguments, of_q = motion.statements.arguments, coordinates & {"q"}
    varies = bool(moving_in(motion.letters, *chain(*found.inertia)))
    return any(
        not coordinates.isdisjoint(arguments.get(one.key, ()))
        or SymbolShape.of(one.key).subscript[:1] in of_q
        for one in inside
        if of_q or not (varies and _is_a_force(motion, found, one))
    )


def _is_a_force(motion: PageMotion, found: Energies, letter: Letter) -> bool:
    """Return whether a letter is what acts along one coordinate, and nothing else."""
    atom, ring = motion.letters.atom(letter), motion.letters.ring
    others = chain(*found.inertia, found.slopes, found.stored)
    acting = [load for load in found.loads if atom in load.symbols]
    if len(acting) != 1 or any(atom in form.symbols for form in others):
        return False
    share = ring.partial(acting[0], atom)  # one over a mass where equations are divided by it
    return atom not in share.symbols and not moving_in(motion.letters, share)


def _are_apart(motion: PageMotion, found: Energies) -> bool:
    """Return whether coordinates have nothing to do with each other, in sections of their own."""
    if found.is_printed:
        return False
    keys = [one.key for one in found.coordinates]
    inside = [_with_arguments(motion, forms) for forms in found.rows]
    names = [
        {key, *(name for name, rate in motion.rates.items() if rate.key == key)} for key in keys
    ]
    sections = [
        {one.section for one in found.used if not own.isdisjoint(one.keys)} for own in names
    ]
    return any(
        keys[i] not in inside[j]
        and keys[j] not in inside[i]
        and sections[i].isdisjoint(sections[j])
        for i, j in combinations(range(len(keys)), 2)
    )


def _with_arguments(motion: PageMotion, forms: Iterable[Form]) -> set[str]:
    """Return the letters in forms, and in what their functions are of."""
    keys = {one.key for form in forms for one in letters_of(motion.letters, form)}
    return keys.union(*(motion.functions.letters_in(key) for key in filter(is_function, keys)))


def _are_several(motion: PageMotion, found: Energies) -> bool:
    """Return whether what turns has nothing in common with the rest: systems of several sections.

    Such as an oscillator and a pendulum of one page of examples. Gravity is what all have.
    """
    if found.is_printed:
        return False
    inside = [
        {own.key} | {one.key for form in forms for one in letters_of(motion.letters, form)}
        for own, forms in zip(found.coordinates, found.rows, strict=True)
    ]
    turning = [
        n for n, one in enumerate(found.coordinates)
        if one.key in motion.statements.angles or SymbolShape.of(one.key).letter in ANGLES
    ]  # fmt: skip
    others = [keys - {*GRAVITY} for n, keys in enumerate(inside) if n not in turning]
    return any(
        others and all((inside[n] - {*GRAVITY}).isdisjoint(keys) for keys in others)
        for n in turning
    )


def _is_held(motion: PageMotion, found: Energies) -> bool:
    """Return whether each coordinate moves a mass that something drives back to a place.

    And not by springs alone, whose equations known models have. The mass may be one where
    something drives it, or where what drives it back is the square of a frequency or no spring.
    """
    letters = motion.letters
    atoms = [letters.atom(one) for one in found.coordinates]
    returning = [
        letters.ring.partial(load, atom) for load, atom in zip(found.loads, atoms, strict=True)
    ]
    inside = {one.key for load in found.loads for one in letters_of(letters, load)}
    is_driven = any(map(is_timed, inside))
    own = [row[n] for n, row in enumerate(found.inertia)]
    is_compound = any(len(letters_of(letters, one)) > 1 for one in own)
    still = [one for one in (*own, *returning) if not moving_in(letters, one)]
    is_compound |= any(map(_is_multiple, still))
    frequent = [_has_frequency(motion, one) for one in returning]
    bent = [
        bool(one.symbols & {*atoms}) or (inertia.is_number and atom in in_angles(one))
        for one, atom, inertia in zip(returning, atoms, own, strict=True)
    ]
    is_more = is_compound or any(map(is_function, inside)) or any(frequent) or any(bent)
    is_more |= not motion.driven.isdisjoint(inside)
    turning = [
        not moving_in(letters, one) and _has_inertia(motion, [*found.inertia[n], one])
        for n, one in enumerate(returning)
    ]
    is_more |= any(turning)
    heavy = (
        are_heavy(motion.letters, row)
        or ((is_driven or frequent[n] or turning[n] or bent[n]) and row[n].is_number)
        for n, row in enumerate(found.inertia)
    )
    return is_more and all(returning) and all(heavy)


def _is_braked(motion: PageMotion, found: Energies) -> bool:
    """Return whether masses are slower the faster they are, and something drives one of them.

    Weight, what is given, or a current.
    """
    letters, own = motion.letters, {one.key for one in found.coordinates}
    currents = {one for one in letters.moving if initial(one) == "i"}
    told = {one.letter.key for used in found.used for one in motion.meanings.of(used)}
    rated = {key for one in motion.statements.all for key, dots in one.orders.items() if any(dots)}
    moving = (letters.moving & rated) - own - motion.driven - currents - told
    driving, is_divided = set[str](), mass_below(motion, found) is not None
    for n, (one, load) in enumerate(zip(found.coordinates, found.loads, strict=True)):
        rate = letters.atom(Letter(one.key, 1))
        at_rest = substituted(load, {rate: load.ring.zero})
        driving |= {each.key for each in letters_of(letters, at_rest)}
        is_heavy = are_heavy(motion.letters, found.inertia[n]) or is_divided
        if rate not in load.symbols or not is_heavy:
            return False
    is_weighed = any(found.stored) or any(found.slopes)
    return (bool(driving) or is_weighed) and driving.isdisjoint(moving | motion.told_forces)


def is_steered(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether all that acts is steered by an angle or by an input that has a coefficient.

    As in :math:`\ddot x = K\sin u`, and not in :math:`\ddot q = u`, which is any of a controller's.
    Of a page on which nothing else is accelerated.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    letters = motion.letters
    if len(found.coordinates) != 1:
        return False
    ((own,), (load,)) = found.coordinates, found.loads
    if any(not one.coordinates <= {own.key} for one in motion.motions):
        return False
    inside = {one.key for one in letters_of(letters, load)}
    if not (inside - {_INPUT}).isdisjoint(letters.moving | motion.told_forces):
        return False
    return bool(in_angles(load)) or (_INPUT in inside and len(inside) > 1)


def _is_driven(motion: PageMotion, found: Energies) -> bool:
    """Return whether weight acts on particles, or what depends on where they are or how fast."""
    inside = _with_arguments(motion, found.loads)
    return not inside.isdisjoint({*GRAVITY, *(one.key for one in found.coordinates)})


def _is_multiple(form: Form) -> bool:
    r"""Return whether a constant is multiplied by a number, as of :math:`\tfrac32 m\ddot x`."""
    return any(abs(number) != 1 for number in form.terms.table.values())


def _has_inertia(motion: PageMotion, forms: Iterable[Form]) -> bool:
    r"""Return whether a moment of inertia is in forms, as in :math:`I\ddot\theta = -k\theta`."""
    return any(initial(key) in INERTIAS for key in constants(motion.letters, [*forms]))


def _has_frequency(motion: PageMotion, slope: Form) -> bool:
    """Return whether the square of a letter for a frequency is what drives something back."""
    ring = motion.letters.ring
    return any(
        SymbolShape.of(key).letter == "omega" and atom in ring.partial(slope, atom).symbols
        for key, atom in constants(motion.letters, [slope]).items()
    )


def _is_linked(motion: PageMotion, found: Energies) -> bool:
    """Return whether what acts along a coordinate depends on another, and back."""
    return any(
        _depends(motion, found, i, j, dots) and _depends(motion, found, j, i, dots)
        for i in range(len(found.coordinates))
        for j in range(i)
        for dots in (0, 1)
    )


def _depends(motion: PageMotion, found: Energies, i: int, j: int, dots: int) -> bool:
    """Return whether a load depends on where another coordinate is, or on its rate."""
    letters = motion.letters
    atom = letters.atom(Letter(found.coordinates[j].key, dots))
    return bool(letters.ring.partial(found.loads[i], atom))
