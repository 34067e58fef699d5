"""Models built from a page: its energies, or its equations of motion, made a model file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice

from freebody.algebra import Form
from freebody.algebra.terms import exponents
from freebody.algebra.units import M, S, dimension
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import TIME, letters_of
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.model import Model
from freebody.model.files import loads
from freebody.recognition.building.balances import by_equations
from freebody.recognition.building.bodies import Bodies
from freebody.recognition.building.constrained import by_multipliers
from freebody.recognition.building.construction import Construction
from freebody.recognition.building.divided import (
    divisor,
    has_lengths_for_masses,
    is_multiplied,
    is_weight_divided,
)
from freebody.recognition.building.energies import Energies, by_lagrangian
from freebody.recognition.building.left_out_units import leaves_units_out, with_units
from freebody.recognition.building.page_units import Units
from freebody.recognition.building.particles import by_vectors, column_meanings
from freebody.recognition.building.places import bodies
from freebody.recognition.building.point_masses import by_places
from freebody.recognition.building.telling import is_steered, tells
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.equations.products import RATES, row_of
from freebody.recognition.known.evidence import Evidence
from freebody.recognition.known.making import MOST_NAMED, BuiltModel, made_of
from freebody.recognition.known.support import is_of_less
from freebody.recognition.layout import laid_out
from freebody.recognition.recognised import Recognised
from freebody.recognition.symbols.initials import GRAVITY

NAME = "built"
"""What a model is called that is made of what a page says."""
MOST_PRODUCTS = 200_000
"""Of terms, to find where masses are."""
LONGEST, LONGEST_WRITTEN = 200, 2_000
"""Terms of an expression in a model that can be read, and letters with all denominators."""
MOST_TRIED = 24
"""Ways to understand the energies of a page that are tried."""


def built(motion: PageMotion) -> Iterator[Recognised]:
    """Iterate over models that are built from what a page says of energies, or from its equations.

    Each derives what it was built from. Those come last that have units which the page leaves out.

    Parameters
    ----------
    motion : PageMotion
    """
    looked_at, tried, left = set[object](), 0, list[Energies]()
    for found in _energies(motion):
        inertia = tuple(form.terms for row in found.inertia for form in row)
        key = found.coordinates, inertia, frozenset(one.label for one in found.used)
        if key in looked_at or _is_long(found):
            continue
        if (tried := tried + 1) > MOST_TRIED:
            break
        if not tells(motion, found):
            continue
        try:
            made = _built(motion, found)
        except (FreebodyError, ZeroDivisionError):
            left.append(found)
            continue  # another equation of the page with the same inertia may do
        if made and not (looked_at and _is_of_sections_alone(motion, found, made)):
            looked_at.add(key)
            yield made
    without_units = [one for one in left if leaves_units_out(motion.letters, one)]
    yield from _built_of(motion, without_units, has_all_units=False)


def _is_of_sections_alone(motion: PageMotion, found: Energies, made: Recognised) -> bool:
    """Return whether equations of several sections make a model, and no other one holds in it.

    They may be of several systems.
    """
    own = {one.label for one in found.used}
    is_mixed = not found.is_printed and len(motion.sections(own)) > 1
    return is_mixed and own.issuperset(made.fits)


def _built_of(
    motion: PageMotion, every: Iterable[Energies], *, has_all_units: bool = True
) -> Iterator[Recognised]:
    """Iterate over the models of what can be made one."""
    for found in every:
        with suppress(FreebodyError, ZeroDivisionError):
            if made := _built(motion, found, has_all_units=has_all_units):
                yield made


def built_fuller(motion: PageMotion, than: Recognised) -> Iterator[Recognised]:
    """Iterate over models in the same coordinates as one, with more letters: what acts besides.

    Letters that the page says nothing else of, or only that there are none of them in a case, or
    what they are made of that the model has not.

    Parameters
    ----------
    motion : PageMotion
    than : Recognised
    """
    known, coordinates = than.made.symbols.keys(), than.system.coordinates
    said = {
        key
        for key, every in motion.meanings.definitions.items()
        for said_to_be in every
        for form in said_to_be.grid.entries()
        if any(one.key in known for one in letters_of(motion.letters, form))
    }
    for found in islice(_energies(motion), MOST_TRIED):
        forms = chain.from_iterable(found.rows)
        inside = {one.key for form in forms for one in letters_of(motion.letters, form)}
        is_alike = tuple(one.key for one in found.coordinates) == coordinates
        is_fuller = is_alike and any(found.loads) and known < inside.union(coordinates)
        if not is_fuller or _is_long(found) or not tells(motion, found):
            continue
        with suppress(FreebodyError, ZeroDivisionError):
            made = _built(motion, found)
            more = made.made.symbols.keys() if made else known
            is_fuller = known < more and said.isdisjoint(more - known)
            if made and is_fuller and not _is_of_sections_alone(motion, found, made):
                yield made


def built_steered(motion: PageMotion) -> Recognised | None:
    """Return the model of what nothing but an input or an angle moves; None of another page.

    Parameters
    ----------
    motion : PageMotion
    """
    if len({key for one in motion.motions for key in one.coordinates}) != 1:
        return None
    steered = (found for found in _energies(motion) if is_steered(motion, found))
    return next(_built_of(motion, islice(steered, MOST_TRIED)), None)


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
        key = one.coordinates, tuple(form.terms for forms in one.rows for form in forms)
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


def _is_long(found: Energies) -> bool:
    forms = [form for row in found.rows for form in row]
    return any(len(one.terms) > LONGEST or _length(one) > LONGEST_WRITTEN for one in forms)


def _length(form: Form) -> int:
    """Return how many letters an expression has with what roots and denominators are of.

    Examples
    --------
    >>> from sympy import symbols
    >>> from freebody.algebra import Ring
    >>> ring = Ring()
    >>> a, b, c = map(ring.symbol, symbols("a b c"))
    >>> _length(a + b), _length((a + b) / (a + b + c))
    (2, 8)
    """
    ring, lengths = form.ring, dict[int, int]()
    for place in form.terms.places():
        inside = ring.generators[place].arguments
        lengths[place] = max(1, sum(map(_length, inside)))
    return sum(lengths[place] for key in form.terms.table for place, _ in exponents(key & ~3))


def _placed(motion: PageMotion, found: Energies) -> tuple[Energies, Bodies | None]:
    """Return what a page says with where its masses are, if they are anywhere.

    Its equations may be divided by a number, and its weights act as other loads do.
    """
    ways = [found]
    if any(found.slopes):
        ways += [*_multiplied(motion, found), found.without_gravity()]
    for one in ways:
        if placed := bodies(motion, one):
            return one, placed
    return found, None


def _multiplied(motion: PageMotion, found: Energies) -> Iterator[Energies]:
    """Iterate over the same times what makes a number before an inertia one."""
    diagonal = (found.inertia[n][n] for n in range(len(found.coordinates)))
    numbers = {number for form in diagonal for number in form.terms.table.values()}
    for number in sorted(numbers - {0, 1}, reverse=True):
        yield found.scaled(motion.letters.ring.number(1 / number))


def _built(motion: PageMotion, found: Energies, *, has_all_units: bool = True) -> Recognised | None:
    if has_lengths_for_masses(motion, found) or is_weight_divided(motion, found):
        return None
    factor = divisor(motion, found)
    if factor is not None:
        found = found.scaled(factor)
        if is_multiplied(motion, found):
            return None
    with motion.letters.ring.budget.work(MOST_PRODUCTS):
        found, placed = _placed(motion, found)
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
    if _has_strange_gravity(model, names) or not _derives(motion, evidence, found):
        return None
    fits, fails = evidence.labels()
    is_alone = found.is_printed and not any(found.loads)
    if is_alone and evidence.doubted.issuperset(labels):
        return None  # what follows from the energies on the page is not of this model
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


def _has_strange_gravity(model: Model, names: Mapping[str, str]) -> bool:
    """Return whether the acceleration of gravity would be times a length.

    So it is where a length is taken for what it was not: h of ``m g h`` for an output ``h(x)``.
    """
    constants = (model.constants.get(names.get(key, "")) for key in GRAVITY)
    return any(one is not None and dimension(one.unit) == M**2 / S**2 for one in constants)


def _derives(motion: PageMotion, evidence: Evidence, found: Energies) -> bool:
    """Return whether what a model was built from follows from its equations of motion."""
    named = motion.named([one.key for one in found.coordinates])
    rows = [row_of(form, named) for form in found.balances(motion.letters)]
    return all(row is not None and evidence.is_balance(row, n) for n, row in enumerate(rows))
