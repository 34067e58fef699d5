"""Models built from a page: its energies, or its equations of motion, made a model file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, combinations

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import TIME, Letter, letters_of, moving_in
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.model.files import loads
from freebody.recognition.building.balances import by_equations
from freebody.recognition.building.constrained import by_multipliers
from freebody.recognition.building.construction import Construction
from freebody.recognition.building.energies import Energies, by_lagrangian, constants
from freebody.recognition.building.geometry import in_angles
from freebody.recognition.building.left_out_units import leaves_units_out, with_units
from freebody.recognition.building.page_units import ANGLES, Units
from freebody.recognition.building.particles import by_vectors, column_meanings
from freebody.recognition.building.places import bodies
from freebody.recognition.building.point_masses import by_places
from freebody.recognition.equations.axes import has_direction
from freebody.recognition.equations.functions import is_function, is_timed
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.equations.products import RATES, row_of
from freebody.recognition.known.evidence import Evidence
from freebody.recognition.known.making import MOST_NAMED, BuiltModel, made_of
from freebody.recognition.known.support import is_of_less
from freebody.recognition.layout import laid_out
from freebody.recognition.recognised import Recognised
from freebody.recognition.symbols.initials import GRAVITY, HEAVY, INERTIAS, LENGTHS, initial

NAME = "built"
"""What a model is called that is made of what a page says."""
LONGEST = 200
"""Terms of an expression in a model that can be read."""
MOST_TRIED = 24
"""Ways to understand the energies of a page that are tried."""


def built(motion: PageMotion) -> Iterator[Recognised]:
    """Iterate over models that are built from what a page says of energies, or from its equations.

    Each derives what it was built from. Those come last that have units which the page leaves out.
    """
    looked_at, tried, left = set[object](), 0, list[Energies]()
    for found in _energies(motion):
        key = found.coordinates, tuple(form.terms for row in found.inertia for form in row)
        if key in looked_at or _is_long(found):
            continue
        if (tried := tried + 1) > MOST_TRIED:
            break
        if not _tells(motion, found):
            continue
        try:
            made = _built(motion, found)
        except (FreebodyError, ZeroDivisionError):
            left.append(found)
            continue  # another equation of the page with the same inertia may do
        looked_at.add(key)
        if made:
            yield made
    for found in left:
        if leaves_units_out(motion.letters, found):
            with suppress(FreebodyError, ZeroDivisionError):
                if made := _built(motion, found, has_all_units=False):
                    yield made


def built_of_places(motion: PageMotion) -> Recognised | None:
    """Return the model of the point masses whose places a page prints; None where it prints none.

    Parameters
    ----------
    motion : PageMotion
    """
    with suppress(FreebodyError, ZeroDivisionError):
        if found := by_places(motion):
            return _built(motion, found)
    return None


def _energies(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what a page may say of inertia, weight and loads, the likeliest first."""
    seen = set[object]()
    everything = (by_lagrangian, by_equations, by_vectors, by_multipliers)
    for one in chain.from_iterable(_as_far_as_it_goes(way(motion)) for way in everything):
        key = one.coordinates, tuple(form.terms for forms in _rows(one) for form in forms)
        if key not in seen and (one.held or not _is_free(motion, one)):
            seen.add(key)
            yield one


def _is_free(motion: PageMotion, found: Energies) -> bool:
    """Return whether coordinates move as if no multiplier held them.

    Where energies have one of them alone, the constraint is put in.
    """
    keys = {letter.key for letter in found.coordinates}
    is_put_in = found.is_printed and bool(motion.held - keys)
    return not motion.held.isdisjoint(keys) and not is_put_in


def _as_far_as_it_goes(found: Iterable[Energies]) -> Iterator[Energies]:
    """Iterate over what one way finds, to where an equation divides by nothing or is too long."""
    with suppress(FreebodyError, ZeroDivisionError):
        yield from found


def _tells(motion: PageMotion, found: Energies) -> bool:
    """Return whether more is said than that something is accelerated by what acts on it."""
    letters = motion.letters
    forms = chain.from_iterable(_rows(found))
    inside = {*found.coordinates}.union(*(letters_of(letters, form) for form in forms))
    if any(has_direction(one.key) for one in inside):
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


def _is_general(motion: PageMotion, found: Energies, inside: Iterable[Letter]) -> bool:
    """Return whether a letter is any function of where something is, as in ``M(q)``, ``M_{qq}``."""
    coordinates = {one.key for one in found.coordinates}
    arguments, of_q = motion.statements.arguments, coordinates & {"q"}
    return any(
        not coordinates.isdisjoint(arguments.get(one.key, ()))
        or SymbolShape.of(one.key).subscript[:1] in of_q
        for one in inside
    )


def _is_long(found: Energies) -> bool:
    return any(len(form.terms) > LONGEST for row in _rows(found) for form in row)


def _rows(found: Energies) -> list[tuple[Form, ...]]:
    """Return all that is said along each coordinate."""
    rests = zip(found.slopes, found.stored, found.loads, strict=True)
    return [(*row, *rest) for row, rest in zip(found.inertia, rests, strict=True)]


def _are_apart(motion: PageMotion, found: Energies) -> bool:
    """Return whether coordinates have nothing to do with each other, in sections of their own."""
    if found.is_printed:
        return False
    keys = [one.key for one in found.coordinates]
    inside = [_with_arguments(motion, forms) for forms in _rows(found)]
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
        for own, forms in zip(found.coordinates, _rows(found), strict=True)
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
        _are_heavy(motion, row)
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
    driving = set[str]()
    for n, (one, load) in enumerate(zip(found.coordinates, found.loads, strict=True)):
        rate = letters.atom(Letter(one.key, 1))
        at_rest = substituted(load, {rate: load.ring.zero})
        driving |= {each.key for each in letters_of(letters, at_rest)}
        if rate not in load.symbols or not _are_heavy(motion, found.inertia[n]):
            return False
    is_weighed = any(found.stored) or any(found.slopes)
    return (bool(driving) or is_weighed) and driving.isdisjoint(moving | motion.told_forces)


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


def _are_heavy(motion: PageMotion, forms: Iterable[Form]) -> bool:
    r"""Return whether a constant of some forms has a letter of what resists motion.

    One is \mu, of a reduced mass, where it is times an acceleration.
    """
    inside = constants(motion.letters, [*forms])
    return any(initial(key) in HEAVY or SymbolShape.of(key).letter == "mu" for key in inside)


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


def _built(motion: PageMotion, found: Energies, *, has_all_units: bool = True) -> Recognised | None:
    if _has_lengths_for_masses(motion, found) or _is_weight_divided(motion, found):
        return None
    factor = _divisor(motion, found)
    if factor is not None:
        found = found.scaled(factor)
        if _is_multiplied(motion, found):
            return None
    placed = bodies(motion, found)
    if placed is None and any(found.slopes):  # then weights act as other loads do
        found = found.without_gravity()
        placed = bodies(motion, found)
    if placed is None:
        return None
    driven = motion.driven - {one.key for one in found.coordinates}
    complete, left_out = found, tuple[str, ...]()
    if not has_all_units:
        units = Units.of_energies(motion.letters, found, placed, motion.functions)
        complete, left_out = with_units(motion.letters, found, units)
    construction = Construction(
        motion.letters, complete, placed, motion.functions, driven, left_out
    )
    labels = tuple(dict.fromkeys(one.label for one in found.used))
    text = laid_out(construction.data(f"Built from {', '.join(labels[:MOST_NAMED])}"))
    model = loads(text, NAME)
    names = construction.names
    rates = {
        f"{rate}{key}": f"{names[key]}{ending}"
        for key in driven & names.keys()
        for rate, ending in zip(RATES, ("_dot", "_ddot"), strict=True)
    }
    symbols: dict[str, Meaning] = {**names, **rates}
    quantities = Quantities(model)
    system = motion.system(tuple(one.key for one in found.coordinates))
    evidence = Evidence(quantities, system, symbols)
    if not _derives(motion, evidence, found):
        return None
    fits, fails = evidence.labels()
    fits = tuple(dict.fromkeys((*labels, *fits)))
    if is_of_less(motion, system, symbols, fits):
        return None
    printed = motion.meanings.keys
    named = {TIME, *model.coordinates, *model.constants, *model.inputs, *model.prescribed}
    own: dict[str, Meaning] = {
        key: one for key, one in construction.names.items() if key in printed and one in named
    }
    held = {one.force: construction.meaning(one) for one in found.held}
    own |= {force: meaning for force, meaning in held.items() if meaning}
    own |= dict(column_meanings(found.columns, names, printed))
    made = BuiltModel(model, text, NAME, made_of(labels), own, frozenset(own))
    return Recognised.of(made, evidence, motion, fits, fails, is_complete=found.is_printed)


def _turned(found: Energies) -> set[sympy.Expr]:
    """Return what stands in the angles of what acts."""
    acting = (*found.slopes, *found.stored, *found.loads)
    return set[sympy.Expr]().union(*map(in_angles, acting))


def _has_lengths_for_masses(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether what moves along a line would have a length for its mass.

    As the arc of a pendulum has, ``l\ddot s = -g s``. What turns is brought back where lengths
    alone are times its acceleration, unlike what rolls down, ``R\alpha = g\sin\theta``.
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


def _divisor(motion: PageMotion, found: Energies) -> Form | None:
    r"""Return the mass by which equations of motion are divided; None where they have one.

    A moment about a pivot may be divided by a length as well, ``l\ddot\theta + g\sin\theta``, or
    alone: ``m l\ddot\theta + m g\sin\theta``.
    """
    letters = motion.letters
    if (arm := _arm(motion, found)) is not None:
        return arm
    inside = constants(letters, [entry for row in found.inertia for entry in row])
    turned = _turned(found)
    is_turning = all(
        letters.atom(one) in turned or SymbolShape.of(one.key).letter in ANGLES
        for one in found.coordinates
    )
    diagonal = (row[n] for n, row in enumerate(found.inertia))
    is_turned = any(letters.atom(one) in turned for one in found.coordinates)
    is_turned |= _hangs(motion, found)
    is_divided = is_turned or any(entry.is_number for entry in diagonal)
    is_long = all(initial(key) in LENGTHS for key in inside)
    if inside and not (is_long and is_divided):
        return None
    names = ("I", "I_0") if is_turning and not inside else ("m", "m_0")
    free = next(one for one in names if one not in motion.meanings.keys or one == names[-1])
    mass = letters.form(Letter(_below(motion, found) or free, 0))
    if len(inside) == 1 and is_turned:
        (atom,) = inside.values()
        length = letters.ring.symbol(atom)
        entries = [entry for row in found.inertia for entry in row if entry]
        is_once = not any(entry - letters.ring.partial(entry, atom) * length for entry in entries)
        return mass * length if is_once else mass
    return mass


def _is_weight_divided(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether weight that turns an angle back is divided by all that it moves.

    As in ``\ddot\theta = -\frac{g}{l}\theta``, of which the moment is told by multiplying with l.
    """
    entries = (entry for row in found.inertia for entry in row)
    return _hangs(motion, found) and all(entry.is_number for entry in entries)


def _hangs(motion: PageMotion, found: Energies) -> bool:
    r"""Return whether weight turns an angle back in small motions, ``l\ddot\theta = -g\theta``."""
    acting = constants(motion.letters, (*found.slopes, *found.stored, *found.loads))
    is_angle = [SymbolShape.of(one.key).letter in ANGLES for one in found.coordinates]
    return is_angle == [True] and not acting.keys().isdisjoint(GRAVITY)


def _arm(motion: PageMotion, found: Energies) -> Form | None:
    """Return the length by which the moment about a pivot is divided, beside the mass it moves."""
    ring, turned = motion.letters.ring, _turned(found)
    if len(found.coordinates) > 1 or motion.letters.atom(found.coordinates[0]) not in turned:
        return None
    ((entry,),) = found.inertia
    inside = constants(motion.letters, [entry])
    lengths = [atom for key, atom in inside.items() if initial(key) in LENGTHS]
    if len(lengths) != 1 or len(inside) != 2 or not _are_heavy(motion, [entry]):
        return None
    length = ring.symbol(lengths[0])
    return None if entry - ring.partial(entry, lengths[0]) * length else length


def _below(motion: PageMotion, found: Energies) -> str | None:
    r"""Return the mass that what acts is divided by, as in ``\ddot x = -\frac{k}{m} x``."""
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


def _is_multiplied(motion: PageMotion, found: Energies) -> bool:
    """Return whether what acts has a mass in it that what is accelerated has not."""
    letters = motion.letters
    inside = constants(letters, [entry for row in found.inertia for entry in row])
    forms = [*found.slopes, *found.stored, *found.loads]
    acting = constants(letters, forms)
    pulling = acting.get("G")  # of gravitation: what attracts is not moved itself
    heavy = (key for key in acting.keys() - inside.keys() if initial(key) in HEAVY)
    parts = (letters.ring.partial(form, acting[key]) for key in heavy for form in forms)
    return any(part and pulling not in part.symbols for part in parts)


def _derives(motion: PageMotion, evidence: Evidence, found: Energies) -> bool:
    """Return whether what a model was built from follows from its equations of motion."""
    named = motion.named([one.key for one in found.coordinates])
    rows = [row_of(form, named) for form in found.balances(motion.letters)]
    return all(row is not None and evidence.is_balance(row, n) for n, row in enumerate(rows))
