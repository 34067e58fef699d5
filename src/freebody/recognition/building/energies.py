"""What a page says of inertia, weight and loads, and what its Lagrangian says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.consistency.meanings.views import View
from freebody.consistency.motion.dissipation import dissipation
from freebody.consistency.motion.lagrangian import (
    Lagrangian,
    every_lagrangian,
    lacking,
    without_forces,
)
from freebody.consistency.statement import Statement
from freebody.errors import FreebodyError
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.symbols.initials import GRAVITY, HEAVY, initial

MOST_PRODUCTS = 2_000_000
"""Of terms, to work out the energies of a page in one way."""
_FAR = FreebodyError, ZeroDivisionError
"""What energies end in that cannot be worked out."""
Matrix = tuple[tuple[Form, ...], ...]


@dataclass(frozen=True, eq=False)
class Held:
    """A constraint of coordinates, with the letter for what holds them to it.

    Attributes
    ----------
    form : Form
        What is zero.
    force : str
        A letter: the multiplier, or a tension.
    factor : Form
        By which times the gradient it is taken from what acts.
    """

    form: Form
    force: str
    factor: Form


@dataclass(frozen=True, eq=False)
class Energies:
    """Inertia, weight and loads in the letters of a page.

    Attributes
    ----------
    coordinates : tuple of Letter
    inertia : tuple of tuple of Form
        The mass matrix.
    slopes : tuple of Form
        The derivatives of the potential energy of all weights by the coordinates.
    stored : tuple of Form
        Those of what else is potential energy: springs.
    loads : tuple of Form
        The generalized forces besides.
    used : tuple of Statement
        What of the page says so.
    is_printed : bool
        Whether the page prints the energies, and not their equations alone.
    columns : mapping of str to tuple of Letter
        The vectors of the page, with the coordinates that are their components.
    held : tuple of Held
        The constraints of its coordinates.
    """

    coordinates: tuple[Letter, ...]
    inertia: Matrix
    slopes: tuple[Form, ...]
    stored: tuple[Form, ...]
    loads: tuple[Form, ...]
    used: tuple[Statement, ...]
    is_printed: bool
    columns: Mapping[str, tuple[Letter, ...]] = field(default_factory=dict)
    held: tuple[Held, ...] = ()

    @property
    def rows(self) -> list[tuple[Form, ...]]:
        """All that is said along each coordinate."""
        rests = zip(self.slopes, self.stored, self.loads, strict=True)
        return [(*row, *rest) for row, rest in zip(self.inertia, rests, strict=True)]

    def without_gravity(self) -> Energies:
        """Return the same with weights among what else acts."""
        pairs = zip(self.slopes, self.stored, strict=True)
        nothing = tuple(one - one for one in self.slopes)
        return replace(self, slopes=nothing, stored=tuple(a + b for a, b in pairs))

    def changed(self, change: Callable[[Form], Form]) -> Energies:
        """Return the same with another form for each of inertia and of what acts."""
        rows = (self.slopes, self.stored, self.loads)
        slopes, stored, loads = (tuple(map(change, row)) for row in rows)
        inertia = tuple(tuple(map(change, row)) for row in self.inertia)
        return replace(self, inertia=inertia, slopes=slopes, stored=stored, loads=loads)

    def scaled(self, factor: Form) -> Energies:
        """Return the same of equations of motion times a constant."""
        held = tuple(replace(one, factor=one.factor * factor) for one in self.held)
        return replace(self.changed(lambda form: form * factor), held=held)

    def balances(self, letters: Letters) -> list[Form]:
        """Return the equations of motion that follow, left minus right."""
        ring = letters.ring
        rates = [ring.symbol(letters.atom(Letter(one.key, 1))) for one in self.coordinates]
        forms = []
        for n, row in enumerate(self.inertia):
            momenta = ring.sum([entry * rate for entry, rate in zip(row, rates, strict=True)])
            place = letters.atom(self.coordinates[n])
            products = [
                ring.partial(self.inertia[i][j], place) * rates[i] * rates[j]
                for i in range(len(rates)) for j in range(len(rates))
            ]  # fmt: skip
            energy = ring.sum(products).scaled(QQ(1, 2))
            acting = self.slopes[n] + self.stored[n] - self.loads[n]
            forms.append(letters.rate(momenta) - energy + acting)
        return forms


def by_lagrangian(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what the Lagrangians of a page say of inertia, weight and loads.

    With what its constants stand for put in, and then with these as they are.
    """
    seen = set[object]()
    for found in _lagrangians(motion):
        told = None
        if found.energy.terms not in seen:
            seen.add(found.energy.terms)
            with suppress(*_FAR), motion.letters.ring.budget.work(MOST_PRODUCTS):
                told = _told(motion, found)
        if told:
            yield told


def _lagrangians(motion: PageMotion) -> Iterator[Lagrangian]:
    """Iterate over the Lagrangians that the equations of a page are part of, the likeliest first.

    What else may be one where an equation is held against another is one of the last.
    """
    ways = dict.fromkeys(((), _shorthands(motion)))
    last = list[Lagrangian]()
    for aside, statement in product(ways, motion.statements.all):
        found = list[Lagrangian]()
        if motion.meanings.of(statement):
            view = View(motion.meanings, statement, aside)
            with suppress(*_FAR), motion.letters.ring.budget.work(MOST_PRODUCTS):
                found.extend(every_lagrangian(view, {}))
        yield from (one for one in found[:1] if statement in one.used)
        last += (one for one in found[1:] if statement in one.used)
    yield from last


def _told(motion: PageMotion, found: Lagrangian) -> Energies | None:
    """Return what a Lagrangian says, with the loads of the equations of the page."""
    found, letters = _named(motion, found), motion.letters
    told = of_lagrangian(letters, found.energy, found.coordinates, found.used)
    if told is None:
        return None
    loads, used = _loads(motion, found, told.inertia), told.used
    function = dissipation(motion.statements.all, motion.meanings)
    if function and not any(loads):
        loads = tuple(function.load(letters, one) for one in found.coordinates)
        used = (*used, function.statement)
    return replace(told, loads=loads, used=used).changed(motion.functions.named)


def _shorthands(motion: PageMotion) -> tuple[Statement, ...]:
    """Return the equations that say what constants stand for, by others."""
    letters, known = motion.letters, motion.meanings.definitions
    every = (one for key, of in known.items() if key not in letters.moving for one in of)
    return tuple(
        one.statement
        for one in every
        if not any(
            each.key in letters.moving
            for form in one.grid.entries()
            for each in letters_of(letters, form)
        )
    )


def _named(motion: PageMotion, found: Lagrangian) -> Lagrangian:
    """Return a Lagrangian with letters for its functions of time; those of places are its own."""

    def named(form: Form) -> Form:
        return motion.functions.named(form, of_time_alone=True)

    energy, rows = named(found.energy), tuple(map(named, found.rows))
    known = found.known | {one.key for one in letters_of(motion.letters, energy)}
    return replace(found, energy=energy, rows=rows, known=known)


def of_lagrangian(
    letters: Letters, energy: Form, coordinates: tuple[Letter, ...], used: tuple[Statement, ...]
) -> Energies | None:
    """Return what a Lagrangian says of inertia and weight, without loads; None of any other form.

    Parameters
    ----------
    letters : Letters
    energy : Form
        The Lagrangian.
    coordinates : tuple of Letter
    used : tuple of Statement
        What of the page says so.
    """
    parts = _parted(letters, energy, coordinates)
    if parts is None:
        return None
    inertia, potential = parts
    slopes, stored = _weights(letters, potential, coordinates)
    nothing = tuple(letters.ring.zero for _ in coordinates)
    return Energies(coordinates, inertia, slopes, stored, nothing, used, is_printed=True)


def _parted(
    letters: Letters, energy: Form, coordinates: Sequence[Letter]
) -> tuple[Matrix, Form] | None:
    """Return the mass matrix and the potential energy of a Lagrangian; None of any other."""
    ring = letters.ring
    rates = [letters.atom(Letter(one.key, 1)) for one in coordinates]
    zero = dict.fromkeys(rates, ring.zero)
    inertia = tuple(
        tuple(ring.partial(ring.partial(energy, one), other) for other in rates) for one in rates
    )
    if any(entry.symbols & zero.keys() for row in inertia for entry in row):
        return None
    potential = -substituted(energy, zero)
    kinetic = ring.sum(
        [
            (entry * ring.symbol(one) * ring.symbol(other)).scaled(QQ(1, 2))
            for one, row in zip(rates, inertia, strict=True)
            for other, entry in zip(rates, row, strict=True)
        ]
    )
    return None if energy - kinetic + potential else (inertia, potential)


def _weights(
    letters: Letters, potential: Form, coordinates: Sequence[Letter]
) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    """Return the slopes of what of an energy is of weights, and of the rest."""
    ring = letters.ring
    gravity = gravity_of(letters, [potential])
    zero = {letters.atom(one): ring.zero for one in gravity}
    rest = substituted(potential, zero) if gravity else potential
    atoms = [letters.atom(one) for one in coordinates]
    return (
        tuple(ring.partial(potential - rest, atom) for atom in atoms),
        tuple(ring.partial(rest, atom) for atom in atoms),
    )


def gravity_of(letters: Letters, forms: Sequence[Form]) -> list[Letter]:
    """Return the letter for the gravitational acceleration in forms, if there is one."""
    inside = set[Letter]().union(*(letters_of(letters, form) for form in forms))
    found = [one for one in inside if one.key in GRAVITY and one.key not in letters.moving]
    return sorted(found)[:1]


def _loads(motion: PageMotion, found: Lagrangian, inertia: Matrix) -> tuple[Form, ...]:
    """Return the loads that equations of motion of the page have beside those of a Lagrangian.

    They are what has letters that the Lagrangian has not, also in an equation with a misprint,
    where none is right.
    """
    letters, ring = motion.letters, motion.letters.ring
    coordinates = found.coordinates
    rates = [letters.atom(Letter(one.key, 2)) for one in coordinates]
    loads: dict[int, Form] = {}
    for rest, form in _moved_alike(motion, found):
        for n, atom in enumerate(rates):
            own = ring.partial(form, atom)
            if n in loads or not own or not inertia[n][n]:
                continue
            if any(
                ring.partial(form, other) * inertia[n][n] - inertia[n][m] * own
                for m, other in enumerate(rates)
            ):
                continue
            free = without_forces(found, letters, form)
            if free is not None and not _stands_for(found, rest, free - form):
                loads[n] = (free - form) * (inertia[n][n] / own)
    return tuple(loads.get(n, ring.zero) for n in range(len(coordinates)))


def _stands_for(found: Lagrangian, rest: Form, load: Form) -> bool:
    """Return whether a load may be what an equation lacks, in other letters: as a spring is."""
    ring = found.letters.ring
    places = (found.letters.atom(one) for one in found.coordinates)
    return any(bool(ring.partial(rest, one)) and bool(ring.partial(load, one)) for one in places)


def _moved_alike(motion: PageMotion, found: Lagrangian) -> list[tuple[Form, Form]]:
    """Return the equations of a page with the inertia of a Lagrangian, the right ones first.

    With the functions of places that are in it; each behind what it lacks beside the Lagrangian.
    """
    letters, functions = motion.letters, motion.functions
    keys = {one.key for one in found.coordinates}
    own = {one.key for one in letters_of(letters, functions.named(found.energy))} - found.known
    lacks = [
        (rest, form)
        for one in motion.motions
        if not one.is_derived and one.coordinates <= keys
        if (form := functions.written_out(one.form, own))
        if (rest := lacking(found, letters, form)) is not None
    ]
    return sorted(lacks, key=lambda one: bool(one[0]))


def constants(letters: Letters, forms: Sequence[Form]) -> dict[str, sympy.Expr]:
    """Return the letters in forms that do not move, with their symbols."""
    inside = {one for form in forms for one in letters_of(letters, form)}
    return {one.key: letters.atom(one) for one in sorted(inside) if one.key not in letters.moving}


def are_heavy(letters: Letters, forms: Iterable[Form]) -> bool:
    r"""Return whether a constant of some forms has a letter of what resists motion.

    One is \mu, of a reduced mass, where it is times an acceleration.

    Parameters
    ----------
    letters : Letters
    forms : iterable of Form
    """
    inside = constants(letters, [*forms])
    return any(initial(key) in HEAVY or SymbolShape.of(key).letter == "mu" for key in inside)


def by_letter(
    letters: Letters, form: Form, keys: Mapping[str, sympy.Expr]
) -> dict[str, Form] | None:
    """Return the factors of some letters of which each product has one; None where not so."""
    ring = letters.ring
    parts = {key: ring.partial(form, atom) for key, atom in keys.items()}
    if any(part.symbols & {*keys.values()} for part in parts.values()):
        return None
    whole = ring.sum([part * ring.symbol(keys[key]) for key, part in parts.items()])
    return None if form - whole else parts
