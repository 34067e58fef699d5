"""By which mass or length the equations of motion of a page are divided."""

from __future__ import annotations

import sympy

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter
from freebody.recognition.building.energies import Energies, are_heavy, constants
from freebody.recognition.building.geometry import in_angles
from freebody.recognition.building.page_units import ANGLES, named_as_angles
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.symbols.initials import GRAVITY, HEAVY, LENGTHS, MASSES, initial


def _turned(found: Energies) -> set[sympy.Expr]:
    """Return what stands in the angles of what acts."""
    acting = (*found.slopes, *found.stored, *found.loads)
    return set[sympy.Expr]().union(*map(in_angles, acting))


def has_lengths_for_masses(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether what moves along a line would have a length for its mass.

    As the arc of a pendulum has, ``l\ddot s = -g s``. What turns is brought back where lengths
    alone are times its acceleration, unlike what rolls down, ``R\alpha = g\sin\theta``.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    entries = constants(motion.letters, [entry for row in found.inertia for entry in row])
    acting = (*found.slopes, *found.stored, *found.loads)
    inside = set[sympy.Expr]().union(*(form.symbols for form in acting))
    turned = _turned(found)
    return (
        bool(entries)
        and all(initial(key) in "lLℓRr" for key in entries)
        and not any(
            atom in turned or (atom in inside and SymbolShape.of(one.key).letter in ANGLES)
            for one in found.coordinates
            if (atom := motion.letters.atom(one))
        )
    )


def divisor(motion: PageMotion, found: Energies) -> Form | None:
    r"""Return the mass by which equations of motion are divided; None where they have one.

    A moment about a pivot may be divided by a length as well, ``l\ddot\theta + g\sin\theta``, or
    alone: ``m l\ddot\theta + m g\sin\theta``.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    letters = motion.letters
    if (arm := _arm(motion, found)) is not None:
        return arm
    inside = constants(letters, [entry for row in found.inertia for entry in row])
    turned = _turned(found)
    angles = named_as_angles(found.coordinates)
    is_turning = all(letters.atom(one) in turned or one.key in angles for one in found.coordinates)
    diagonal = (row[n] for n, row in enumerate(found.inertia))
    is_turned = any(letters.atom(one) in turned for one in found.coordinates)
    is_turned |= _hangs(motion, found)
    is_divided = is_turned or any(entry.is_number for entry in diagonal)
    is_long = all(initial(key) in LENGTHS for key in inside)
    if inside and not (is_long and is_divided):
        return None
    names = ("I", "I_0") if is_turning and not inside else ("m", "m_0")
    free = next(one for one in names if one not in motion.meanings.keys or one == names[-1])
    mass = letters.form(Letter(mass_below(motion, found) or free, 0))
    if len(inside) == 1 and is_turned:
        (atom,) = inside.values()
        length = letters.ring.symbol(atom)
        entries = [entry for row in found.inertia for entry in row if entry]
        is_once = not any(entry - letters.ring.partial(entry, atom) * length for entry in entries)
        return mass * length if is_once else mass
    return mass


def is_weight_divided(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether weight that turns an angle back is divided by all that it moves.

    As in ``\ddot\theta = -\frac{g}{l}\theta``, of which the moment is told by multiplying with l.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    entries = (entry for row in found.inertia for entry in row)
    return _hangs(motion, found) and all(entry.is_number for entry in entries)


def _hangs(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether weight turns an angle back in small motions, ``l\ddot\theta = -g\theta``."""
    acting = constants(motion.letters, (*found.slopes, *found.stored, *found.loads))
    is_angle = [SymbolShape.of(one.key).letter in ANGLES for one in found.coordinates]
    return is_angle == [True] and not acting.keys().isdisjoint(GRAVITY)


def _arm(motion: PageMotion, found: Energies) -> Form | None:
    """Return the length by which the moment about a pivot is divided, beside the masses it moves.

    Of several moments it is that by which the first is: the others are divided alike.
    """
    ring, turned = motion.letters.ring, _turned(found)
    if not turned.issuperset(map(motion.letters.atom, found.coordinates)):
        return None
    entry = found.inertia[0][0]
    inside = constants(motion.letters, [entry])
    lengths = [atom for key, atom in inside.items() if initial(key) in LENGTHS]
    is_of_masses = all(initial(key) in MASSES for key in inside if inside[key] not in lengths)
    if len(lengths) != 1 or not is_of_masses or not are_heavy(motion.letters, [entry]):
        return None
    length = ring.symbol(lengths[0])
    return None if entry - ring.partial(entry, lengths[0]) * length else length


def mass_below(motion: PageMotion, found: Energies) -> str | None:
    r"""Return the mass that what acts is divided by, as in ``\ddot x = -\frac{k}{m} x``.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    letters = motion.letters
    forms = [*found.slopes, *found.stored, *found.loads]
    for key, atom in constants(letters, forms).items():
        mass = letters.form(Letter(key, 0))
        parts = [-letters.ring.partial(form, atom) * mass for form in forms]
        rests = (form - part for form, part in zip(forms, parts, strict=True))
        multiplied = (part * mass for part in parts)
        if initial(key) in HEAVY and not any(atom in one.symbols for one in (*rests, *multiplied)):
            return key
    return None


def is_multiplied(motion: PageMotion, found: Energies) -> bool:
    """Return whether what acts has a mass in it that what is accelerated has not.

    Parameters
    ----------
    motion : PageMotion
    found : Energies
    """
    letters = motion.letters
    inside = constants(letters, [entry for row in found.inertia for entry in row])
    forms = [*found.slopes, *found.stored, *found.loads]
    acting = constants(letters, forms)
    pulling = acting.get("G")  # of gravitation: what attracts is not moved itself
    heavy = (key for key in acting.keys() - inside.keys() if initial(key) in HEAVY)
    parts = (letters.ring.partial(form, acting[key]) for key in heavy for form in forms)
    return any(part and pulling not in part.symbols for part in parts)
