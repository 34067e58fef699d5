"""What equations of motion say of inertia, weight and loads, where a page prints no energies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import chain, islice, product

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import Rational, TooLargeError, exponents
from freebody.consistency.letters import Letter, Letters, is_vector, letters_of
from freebody.consistency.motion.small_motions import without_accelerations
from freebody.errors import FreebodyError
from freebody.recognition.building.combining import Balance, added, cleared
from freebody.recognition.building.eliminated import letters_without, of_many_bodies
from freebody.recognition.building.energies import MOST_PRODUCTS, Energies, constants, gravity_of
from freebody.recognition.building.virtual_power import by_virtual_power
from freebody.recognition.equations.axes import coordinate_axis, has_direction
from freebody.recognition.equations.functions import is_function, is_timed
from freebody.recognition.equations.page_motion import MotionEquation, PageMotion
from freebody.recognition.equations.products import denominator, sign_of
from freebody.recognition.symbols.initials import HEAVY, initial

MOST_CHOICES = 64
"""Ways to pick an equation of a page for each coordinate that are tried."""
MOST_LOOKED_AT = 1000
"""Ways of which it is seen whether their mass matrix can be symmetric."""
MOST_ADDED = 8
"""Ways of which balances are added to each other as well."""
MOST_COORDINATES = 6
MOST_OF_BALANCE = 100
"""Terms of a balance of forces across a distance; what was solved has more."""
MOST_OF_ARM = 8
"""Terms of a distance that changes, as a sum of lengths."""


def by_equations(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what equations of motion of a page say of inertia, weight and loads.

    Those come first that its balances of single bodies give, without what holds these together.
    """
    for coordinates, choices in chain(_of_bodies(motion), _of_equations(motion)):
        for chosen in _within_reach(choices):
            for is_divided in (False, True):
                try:
                    with motion.letters.ring.budget.work(MOST_PRODUCTS):
                        one = balanced(motion, coordinates, chosen, is_divided=is_divided)
                except (FreebodyError, ZeroDivisionError):
                    continue
                if one:
                    yield one


def _within_reach(choices: Iterable[_Choice]) -> Iterator[_Choice]:
    """Iterate over choices as long as they do not take too much work."""
    with suppress(TooLargeError):
        yield from choices


def _of_bodies(motion: PageMotion) -> Iterator[tuple[tuple[Letter, ...], Iterable[_Choice]]]:
    """Iterate over coordinates with the equations of motion that balances of bodies give."""
    letters, ring = motion.letters, motion.letters.ring
    for made in by_virtual_power(motion):
        coordinates = tuple(Letter(key, 0) for key in made)
        accelerations = [letters.atom(Letter(key, 2)) for key in made]
        with ring.budget.work():
            rows = tuple(
                Balance(
                    one, one.form, tuple(ring.partial(one.form, atom) for atom in accelerations)
                )
                for one in made.values()
            )
        yield coordinates, [(rows, [ring.one for _ in rows])]


def _of_equations(motion: PageMotion) -> Iterator[tuple[tuple[Letter, ...], Iterable[_Choice]]]:
    """Iterate over coordinates with the equations of motion that are printed for them.

    Those come first that have no letter which the page eliminates.
    """
    for without in letters_without(motion):
        for keys in _sets(motion):
            coordinates = tuple(Letter(key, 0) for key in keys)
            yield coordinates, islice(_choices(motion, coordinates, without), MOST_CHOICES)


def _sets(motion: PageMotion) -> Iterable[tuple[str, ...]]:
    """Return the sets of coordinates of a page: all first, unless some stand apart.

    Those that are linked in a section are before the others. Vectors are left aside, as their
    components may be printed beside them.
    """
    every = (*_linked(motion), *(one.coordinates for one in motion.systems))
    sets = [one for one in every if not any(map(is_vector, one))]
    whole = tuple(sorted({key for one in sets for key in one}))
    if len(whole) > MOST_COORDINATES:
        return sets
    coupled = {key for one in motion.motions if len(one.coordinates) > 1 for key in one.coordinates}
    is_apart = bool(coupled) and not coupled >= {*whole}
    return dict.fromkeys((*sets, whole) if is_apart else (whole, *sets))


def _linked(motion: PageMotion) -> Iterator[tuple[str, ...]]:
    """Iterate over coordinates that equations of one section link with each other."""
    sections = defaultdict[int, list[frozenset[str]]](list)
    for one in motion.motions:
        if not one.is_derived and (where := motion.sections(one.labels)):
            sections[min(where)].append(one.coordinates)
    for inside in sections.values():
        groups = list[frozenset[str]]()
        for keys in inside:
            met = [one for one in groups if not keys.isdisjoint(one)]
            groups = [one for one in groups if one not in met] + [keys.union(*met)]
        yield from (tuple(sorted(keys)) for keys in groups if 1 < len(keys) <= MOST_COORDINATES)


_Choice = tuple[tuple[Balance, ...], list[Form]]


def _choices(
    motion: PageMotion, coordinates: tuple[Letter, ...], without: frozenset[str]
) -> Iterator[_Choice]:
    """Iterate over an equation for each coordinate, and by what each is multiplied.

    With that their mass matrix is symmetric. Those of one section come first: others may be of
    another system.
    """
    rows = [
        [
            one
            for one in _balances(motion, coordinates, n)
            if without.isdisjoint(letter.key for letter in one.equation.letters)
        ]
        for n in range(len(coordinates))
    ]
    if without:  # what a letter is later may be of another case
        rows = [sorted(row, key=lambda one: bool(one.equation.put_in)) for row in rows]
    apart = [
        chosen
        for chosen in islice(product(*rows), MOST_LOOKED_AT)
        if len({id(one.equation) for one in chosen}) == len(chosen)
    ]
    near = [
        chosen
        for chosen in apart
        if len(motion.sections(label for one in chosen for label in one.equation.labels)) == 1
    ]
    others = [one for one in apart if one not in near]
    for chosen in chain(_with_added(motion.letters, near), _with_added(motion.letters, others)):
        try:
            with motion.letters.ring.budget.work(MOST_PRODUCTS):
                scales = _symmetric(motion.letters, [one.row for one in chosen])
        except (FreebodyError, ZeroDivisionError):
            continue
        if scales:
            yield chosen, scales


def _with_added(
    letters: Letters, choices: Sequence[tuple[Balance, ...]]
) -> Iterator[tuple[Balance, ...]]:
    """Iterate over choices, and then over the shortest with balances added to each other."""
    yield from choices
    first = sorted(choices, key=lambda one: sum(len(each.form.terms) for each in one))[:MOST_ADDED]
    first += [each for chosen in first for each in cleared(letters, chosen)]
    for chosen in first:
        yield from added(letters, chosen)


def _balances(motion: PageMotion, coordinates: tuple[Letter, ...], n: int) -> Iterator[Balance]:
    """Iterate over the equations of motion that a page prints with an acceleration.

    Those about all coordinates come first, and those without forces that others tell: these may be
    reactions, or all that acts. Then what others are special cases of, as without friction.
    """
    letters, keys = motion.letters, {one.key for one in coordinates}
    moved, examples = keys | motion.driven, of_many_bodies(motion)
    accelerations = [letters.atom(Letter(one.key, 2)) for one in coordinates]
    own = [
        one
        for one in motion.motions
        if one.coordinates <= keys and (not one.is_derived or _is_driven(one))
        and Letter(coordinates[n].key, 2) in one.letters
        and not any(letter.dots and letter.key not in moved for letter in one.letters)
        and not any(has_direction(letter.key) for letter in one.letters)
        and (_is_free(one, coordinates, n) or not _is_of_motion_alone(letters, one))
        and one.put_in.isdisjoint(examples)
    ]  # fmt: skip
    told = motion.told_forces | (motion.meanings.definitions.keys() & letters.moving) - keys

    def order(one: MotionEquation) -> tuple[int, bool, bool]:
        is_told = any(letter.key in told for letter in one.letters)
        return -len(one.coordinates), is_told, any(_is_part(one, other) for other in own)

    for one in sorted(own, key=order):
        try:
            with letters.ring.budget.work(MOST_PRODUCTS):
                form = _accelerating(letters, one.form, coordinates, n)
                form = _by_moments(letters, form, coordinates, n)
                row = tuple(letters.ring.partial(form, atom) for atom in accelerations)
        except (FreebodyError, ZeroDivisionError):
            continue
        yield Balance(one, form, row)


def balanced(
    motion: PageMotion,
    coordinates: tuple[Letter, ...],
    chosen: _Choice,
    *,
    is_divided: bool,
) -> Energies | None:
    """Return what equations of motion say, multiplied so that their mass matrix is symmetric.

    Each may be divided by a mass, what acts too: then it is multiplied out.
    """
    letters, ring = motion.letters, motion.letters.ring
    n = range(len(coordinates))
    accelerations = [letters.atom(Letter(one.key, 2)) for one in coordinates]
    rates = [letters.atom(Letter(one.key, 1)) for one in coordinates]
    places = [letters.atom(one) for one in coordinates]
    moving = {*rates, *accelerations}
    rows, scales = chosen
    forms, matrix = [one.form for one in rows], [one.row for one in rows]
    scales = _by_centrifugal(letters, coordinates, rows, scales)
    if is_divided:
        scales = [
            scale * _multiplied_out(letters, [form * scale])
            for form, scale in zip(forms, scales, strict=True)
        ]
    else:
        pairs = zip(matrix, scales, strict=True)
        whole = _multiplied_out(letters, [e * scale for row, scale in pairs for e in row])
        scales = [scale * whole for scale in scales]
    shifted = [_counts(matrix[i][i] * scales[i]) for i in n]
    if whole_number := next((one for one in shifted if one), None):
        scales = [scale.scaled(1 / whole_number) for scale in scales]
    inertia = tuple(
        tuple(entry * scale for entry in row) for row, scale in zip(matrix, scales, strict=True)
    )
    if any(inertia[i][j] - inertia[j][i] for i in n for j in n if i < j):
        return None
    if any(entry.symbols & moving for row in inertia for entry in row):
        return None
    still = dict.fromkeys(accelerations, ring.zero)
    nothing = tuple(ring.zero for _ in coordinates)
    bare = Energies(coordinates, inertia, nothing, nothing, nothing, (), is_printed=False)
    rests = [
        substituted(form * scale - own, still)
        for form, scale, own in zip(forms, scales, bare.balances(letters), strict=True)
    ]
    smooth = [_without_functions(letters, rest) for rest in rests]
    gravity = gravity_of(letters, smooth)
    zero = {letters.atom(one): ring.zero for one in gravity}
    loads = [-substituted(rest, zero) if gravity else -rest for rest in smooth]
    slopes = [rest + load for rest, load in zip(smooth, loads, strict=True)]
    if any(form.symbols & {*rates} for form in slopes) or any(
        ring.partial(slopes[i], places[j]) - ring.partial(slopes[j], places[i])
        for i in n for j in n if i < j
    ):  # fmt: skip
        return None
    if not letters_of(letters, ring.sum(loads)).isdisjoint(coordinates):  # else it is a drag
        squared = product(loads, rates, rates)
        if any(ring.partial(ring.partial(load, a), b) for load, a, b in squared):
            return None
    loads = [load - rest + own for load, rest, own in zip(loads, rests, smooth, strict=True)]
    labels = {label for one in rows for label in one.equation.labels}
    used = tuple(one for one in motion.statements.all if one.label in labels)
    return Energies(
        coordinates, inertia, tuple(slopes), nothing, tuple(loads), used, is_printed=False
    )


def _is_part(one: MotionEquation, other: MotionEquation) -> bool:
    """Return whether an equation has some of the terms of another, and no others."""
    own, every = one.form.terms.table, other.form.terms.table
    return len(own) < len(every) and own.items() <= every.items()


def _is_free(one: MotionEquation, coordinates: Sequence[Letter], n: int) -> bool:
    r"""Return whether nothing acts along one of several axes: ``\ddot x = 0`` of what is thrown."""
    axes = {coordinate_axis(each.key) for each in coordinates}
    is_along_axes = len(axes) == len(coordinates) > 1 and None not in axes
    return is_along_axes and one.letters == {Letter(coordinates[n].key, 2)}


def _is_of_motion_alone(letters: Letters, one: MotionEquation) -> bool:
    r"""Return whether an equation has only accelerations: ``r\ddot\theta = \ddot x``.

    Or rates of other letters alone, as of a state: ``\ddot\theta = \dot x_2``.
    """
    if all(letter.dots for letter in one.letters) and not one.coordinates.issuperset(
        letter.key for letter in one.letters
    ):
        return True
    if any(initial(letter.key) in HEAVY for letter in one.letters):
        return False
    with suppress(ZeroDivisionError):  # of what is divided by an acceleration
        return not without_accelerations(letters, one.form)
    return False


def _is_driven(one: MotionEquation) -> bool:
    """Return whether an equation has functions of time, as energies of a moving support have."""
    return any(is_timed(letter.key) for letter in one.letters)


def _accelerating(letters: Letters, form: Form, coordinates: Sequence[Letter], n: int) -> Form:
    r"""Return a balance that was multiplied out as one of what is accelerated.

    As :math:`m\ddot x + k x / r^3` is of :math:`m r^3\ddot x + k x`. What is divided so must not
    depend on rates: then the inertia does change.
    """
    ring = letters.ring
    own, *others = (
        ring.partial(form, letters.atom(Letter(one.key, 2)))
        for one in (coordinates[n], *coordinates[:n], *coordinates[n + 1 :])
    )
    moving = {letters.atom(one) for one in coordinates} & own.symbols
    if not moving or any(others):
        return form
    heavy = constants(letters, [own])
    kept = ring.one
    for key, atom in heavy.items():
        one = ring.symbol(atom)
        if initial(key) in HEAVY and not (own - ring.partial(own, atom) * one):
            kept = kept * one
    acceleration = ring.symbol(letters.atom(Letter(coordinates[n].key, 2)))
    divided = kept * acceleration + (form - own * acceleration) * (kept / own)
    rates = (letters.atom(Letter(one.key, 1)) for one in coordinates)
    by_rates = [ring.partial(divided, rate) for rate in rates]
    return form if _is_over(ring, by_rates, moving) else divided


def _is_over(ring: Ring, forms: Sequence[Form], atoms: Set[sympy.Expr]) -> bool:
    """Return whether forms are divided by what has some symbols in it."""
    generators = {ring.generators[place] for form in forms for place in form.terms.places()}
    sums = (each for one in generators if one.kind == "reciprocal" for each in one.arguments)
    return any(one.symbols & atoms for one in (denominator(ring, forms), *sums))


def _by_moments(letters: Letters, form: Form, coordinates: Sequence[Letter], n: int) -> Form:
    r"""Return a balance of forces across a distance that changes as one of moments about its end.

    It is what ``m r\ddot\theta + 2 m\dot r\dot\theta`` is times r. The distance may be a sum.
    """
    ring = letters.ring
    own, rate = (letters.atom(Letter(coordinates[n].key, dots)) for dots in (2, 1))
    inside = form.symbols
    if not inside >= {own, rate} or len(form.terms) > MOST_OF_BALANCE:
        return form
    inertia = ring.partial(form, own)
    for one in coordinates:
        distance = letters.atom(one)
        if one == coordinates[n] or letters.atom(Letter(one.key, 1)) not in inside:
            continue
        mixed = ring.partial(ring.partial(form, letters.atom(Letter(one.key, 1))), rate)
        if not mixed:
            continue
        is_arm = not inertia.is_number and len(inertia.terms) <= MOST_OF_ARM
        arms = [ring.symbol(distance)] + ([inertia] if is_arm else [])
        for arm, power in product(arms, (1, 2)):
            factor = arm**power
            if not (ring.partial(factor * inertia, distance) - factor * mixed):
                return form * factor
    return form


def _without_functions(letters: Letters, form: Form) -> Form:
    """Return the products of a form without functions of what moves or of time: loads."""
    ring = form.ring
    for place in form.terms.places():
        one = ring.generators[place]
        inside = [letters.letter(atom) for each in one.arguments or () for atom in each.symbols]
        inside.append(letters.letter(one.expr) if one.kind == "factor" else None)
        if any(letter and is_function(letter.key) for letter in inside):
            form = Form(ring, form.terms.by_power(place).get(0, ring.zero.terms))
    return form


def _symmetric(letters: Letters, matrix: Sequence[tuple[Form, ...]]) -> list[Form] | None:
    """Return by which constants rows are multiplied so that a matrix is symmetric.

    None where there are none. The diagonal is positive by its first product.
    """
    ring, n = letters.ring, len(matrix)
    scales: dict[int, Form] = {}
    for start in range(n):
        if start in scales:
            continue
        scales[start] = ring.one.scaled(sign_of(matrix[start][start]))
        waiting = [start]
        while waiting:
            i = waiting.pop()
            for j in range(n):
                if i == j or not matrix[i][j]:
                    continue
                if not matrix[j][i]:
                    return None
                scale = scales[i] * (matrix[i][j] / matrix[j][i])
                if any(one.key in letters.moving for one in letters_of(letters, scale)):
                    return None
                if j not in scales:
                    scales[j] = scale
                    waiting.append(j)
                elif scales[j] - scale:
                    return None
    return [scales[i] for i in range(n)]


def _by_centrifugal(
    letters: Letters,
    coordinates: Sequence[Letter],
    rows: Sequence[Balance],
    scales: Sequence[Form],
) -> list[Form]:
    r"""Return scales with which what is pushed outwards is so by the inertia of what turns.

    Of equations that no acceleration couples: ``\ddot r - r\dot\theta^2`` beside
    ``m r^2\ddot\theta`` is times m, and may have been divided by more than that.
    """
    ring, found, count = letters.ring, list(scales), range(len(rows))
    for i in count:
        if any(rows[i].row[j] for j in count if j != i):
            continue
        place = letters.atom(coordinates[i])
        for j in (j for j in count if j != i):
            rate = letters.atom(Letter(coordinates[j].key, 1))
            printed = ring.partial(ring.partial(rows[i].form, rate), rate)
            pushed = -ring.partial(rows[j].row[j] * found[j], place)
            ratio = pushed / printed if printed and pushed else ring.zero
            if ratio and not any(one.key in letters.moving for one in letters_of(letters, ratio)):
                found[i] = ratio
                break
    return found


def _multiplied_out(letters: Letters, forms: Sequence[Form]) -> Form:
    """Return the constants by which forms are multiplied so that nothing is divided by them.

    Where each product has a mass or a moment of inertia, what divides it is a length, and stays.
    """
    if all(_is_heavy(letters, form) for form in forms):
        return letters.ring.one
    return denominator(letters.ring, forms)


def _is_heavy(letters: Letters, form: Form) -> bool:
    """Return whether each product of a form has a letter as of a mass or a moment of inertia."""
    generators = form.ring.generators
    return all(
        any(
            power > 0 and (one := letters.letter(generators[place].expr)) is not None
            and initial(one.key) in HEAVY
            for place, power in exponents(key & ~3)
            if generators[place].kind == "factor"
        )
        for key in form.terms.table
    )  # fmt: skip


def _counts(entry: Form) -> Rational | None:
    """Return how often masses are added up, where an entry is nothing but their sum."""
    sizes = {*entry.terms.table.values()}
    generators = entry.ring.generators
    plain = all(
        not key & 3 and len(exponents(key)) == 1 and exponents(key)[0][1] == 1
        and generators[exponents(key)[0][0]].kind == "factor"
        for key in entry.terms.table
    )  # fmt: skip
    return sizes.pop() if plain and len(sizes) == 1 else None
