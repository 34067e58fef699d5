r"""Particles whose equations of motion a page prints in vectors, with their components.

What acts on them are vectors times what depends on distances: :math:`\ddot{\mathbf r} = -\mu
\mathbf r / r^3`, and two bodies that attract each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice, product
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter, bare_of_font, is_vector, letters_of
from freebody.consistency.meanings.views import View
from freebody.consistency.motion.lagrangian import Lagrangian, lagrangian
from freebody.consistency.statement import Statement
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.recognition.building.energies import MOST_PRODUCTS, Energies, constants
from freebody.recognition.equations.axes import axis_of
from freebody.recognition.equations.functions import is_function
from freebody.recognition.equations.page_motion import MotionEquation, PageMotion
from freebody.recognition.equations.products import sign_of
from freebody.recognition.symbols.initials import GRAVITY, HEAVY, initial
from freebody.recognition.symbols.letter_marks import is_unit_vector

AXES = "xyz"
MOST_PARTICLES = 3
MOST_CHOICES = 16
"""Ways to pick an equation of a page for each particle that are tried."""
Columns = Mapping[str, tuple[Letter, ...]]


def by_vectors(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what equations of motion in vectors say of the components of these.

    What a Lagrangian of vectors says is behind them.

    Parameters
    ----------
    motion : PageMotion
    """
    yield from _by_equations(motion)
    yield from _by_lagrangian(motion)


def _by_equations(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what printed equations of motion in vectors say."""
    found: dict[str, list[MotionEquation]] = {}
    for one in motion.motions:
        is_single = len(one.accelerated) == 1 and not one.is_derived
        for key in filter(is_vector, one.accelerated) if is_single else ():
            found.setdefault(key, []).append(one)
    if not 0 < len(found) <= MOST_PARTICLES:
        return
    columns = {key: _components(key) for key in sorted(found)}
    for chosen in islice(product(*(found[key] for key in columns)), MOST_CHOICES):
        try:
            with motion.letters.ring.budget.work(MOST_PRODUCTS):
                energies = _Particles(motion, columns).energies(chosen)
        except (FreebodyError, ZeroDivisionError):
            continue
        if energies:
            yield energies


def _by_lagrangian(motion: PageMotion) -> Iterator[Energies]:
    r"""Yield what a Lagrangian of vectors says: ``\tfrac12 m\dot{\mathbf r}^2 - V(r)``."""
    for statement in motion.statements.all:
        if not motion.meanings.of(statement):
            continue
        with (
            suppress(FreebodyError, ZeroDivisionError),
            motion.letters.ring.budget.work(MOST_PRODUCTS),
        ):
            found = lagrangian(View(motion.meanings, statement, ()), {})
            keys = [one.key for one in found.coordinates] if found else []
            if found and 0 < len(keys) <= MOST_PARTICLES and all(map(is_vector, keys)):
                particles = _Particles(motion, {key: _components(key) for key in keys})
                if energies := particles.of_lagrangian(found):
                    yield energies
                    return


def column_meanings(
    columns: Columns, names: Mapping[str, str], printed: Iterable[str]
) -> Iterator[tuple[str, Meaning]]:
    """Iterate over vectors of a page, their lengths and unit vectors, with what they are.

    Parameters
    ----------
    columns : mapping of str to tuple of Letter
        Vectors with the letters for their components.
    names : mapping of str to str
        What these are called in the model.
    printed : iterable of str
        The letters of the page.
    """
    letters = {*printed}
    for key, column in columns.items():
        parts: list[Any] = [names[one.key] for one in column]
        length = f"sqrt({' + '.join(f'{one}**2' for one in parts)})"
        yield key, parts
        if _is_length(plain := bare_of_font(key)) and plain in letters:
            yield plain, length
        for unit in letters:
            if _is_along(unit, key):
                yield unit, [f"{one}/{length}" for one in parts]


def _is_gravity(letter: Letter) -> bool:
    return is_vector(letter.key) and bare_of_font(letter.key) in GRAVITY


def _is_length(plain: str) -> bool:
    """Return whether a letter is the length of its vector, and not a component, as x is."""
    return SymbolShape.of(plain).letter not in AXES


def _is_along(unit: str, key: str) -> bool:
    r"""Return whether a letter is the unit vector along another: ``\hat r``, ``\vec e_r``."""
    base = bare_of_font(key)
    names = SymbolShape.of(unit).subscript, bare_of_font(unit.removeprefix(r"\hat{")[:-1])
    return is_unit_vector(unit) and base in names


def _components(key: str) -> tuple[Letter, ...]:
    """Return the letters for the components of a vector: x_1, y_1, z_1 of r_1."""
    below = SymbolShape.of(key).subscript
    below = f"_{below}" if len(below) == 1 else f"_{{{below}}}" if below else ""
    return tuple(Letter(axis + below, 0) for axis in AXES)


class _Particles:
    """Equations of motion in vectors, written out."""

    def __init__(self, motion: PageMotion, columns: Columns) -> None:
        self.motion, self.letters, self.ring = motion, motion.letters, motion.letters.ring
        self.columns = columns
        self.coordinates = tuple(one for column in columns.values() for one in column)
        # components move as their vectors do, whether the page has letters for them or not
        self.letters.moving |= {one.key for one in self.coordinates}

    def energies(self, chosen: Sequence[MotionEquation]) -> Energies | None:
        """Return what an equation for each particle says; None where that is not all."""
        masses, forces = list[Form](), list[tuple[Form, ...]]()
        for key, one in zip(self.columns, chosen, strict=True):
            parts = self._parts(key, one.form)
            if parts is None:
                return None
            mass, force = parts
            masses.append(mass)
            forces.append(force)
        labels = {label for one in chosen for label in one.labels}
        used = tuple(one for one in self.motion.statements.all if one.label in labels)
        return self._moved_by(masses, [part for force in forces for part in force], used)

    def of_lagrangian(self, found: Lagrangian) -> Energies | None:
        """Return what a Lagrangian says; None where it has more than squares of velocities."""
        ring = self.ring
        rest = self.motion.functions.named(self._without_bars(found.energy))
        masses, squares = [], []
        for key, column in self.columns.items():
            place, rate = (self.letters.atom(Letter(key, dots)) for dots in range(2))
            mass, pull = (ring.partial(ring.partial(rest, one), one) for one in (rate, place))
            rest = rest - (mass * ring.symbol(rate) ** 2 + pull * ring.symbol(place) ** 2).scaled(
                QQ(1, 2)
            )
            masses.append(mass)
            squares += [(pull * self.letters.form(one) ** 2).scaled(QQ(1, 2)) for one in column]
        energy = self._in_components(rest + ring.sum(squares))
        inside = letters_of(self.letters, energy).union(
            *(letters_of(self.letters, one) for one in masses)
        )
        if not all(masses) or any(one.dots or is_vector(one.key) for one in inside):
            return None
        slopes = [ring.partial(energy, self.letters.atom(one)) for one in self.coordinates]
        return self._moved_by(masses, [*map(self.motion.functions.named, slopes)], found.used)

    def _moved_by(
        self, masses: Sequence[Form], forces: Sequence[Form], used: tuple[Statement, ...]
    ) -> Energies:
        """Return the energies of particles, by what acts along each of their components."""
        entries = [mass for mass in masses for _ in AXES]
        zero, n = self.ring.zero, range(len(entries))
        nothing = tuple(zero for _ in n)
        return Energies(
            self.coordinates,
            tuple(tuple(entries[i] if i == j else zero for j in n) for i in n),
            nothing,
            nothing,
            tuple(forces),
            used,
            is_printed=False,
            columns=self.columns,
        )

    def _parts(self, key: str, form: Form) -> tuple[Form, tuple[Form, ...]] | None:
        """Return the mass of a particle, and the components of what acts on it."""
        ring, form = self.ring, self._without_unit_vectors(form)
        acceleration = self.letters.atom(Letter(key, 2))
        mass = ring.partial(form, acceleration)
        sign = sign_of(mass)
        mass, rest = mass.scaled(sign), (form - mass * ring.symbol(acceleration)).scaled(-sign)
        inside = sorted(letters_of(self.letters, rest))
        columns = {one: column for one in inside if (column := self._column(one))}
        pulls = {one: ring.partial(rest, self.letters.atom(one)) for one in columns}
        whole = [pull * self.letters.form(one) for one, pull in pulls.items()]
        if rest - ring.sum(whole):
            return None
        if any(_is_gravity(one) and pull - mass for one, pull in pulls.items()):
            return None  # what falls is as heavy as it resists
        scale = self._own_mass(key, mass)
        mass, *scalars = (self._in_components(one * scale) for one in (mass, *pulls.values()))
        left = {each for one in scalars for each in letters_of(self.letters, one)}
        if constants(self.letters, [mass]).keys() != {
            one.key for one in letters_of(self.letters, mass)
        } or any(is_vector(one.key) for one in left):
            return None
        forces = [
            ring.sum([a * column[n] for a, column in zip(scalars, columns.values(), strict=True)])
            for n in range(len(AXES))
        ]
        return mass, tuple(map(self.motion.functions.named, forces))

    def _column(self, letter: Letter) -> list[Form]:
        """Return the components of a vector, of what is one: a place, its rate, or an axis.

        What falls does so along y, or along z where the page has something along that.
        """
        if letter.key in self.columns and letter.dots < 2:
            parts = self.columns[letter.key]
            return [self.letters.form(Letter(one.key, letter.dots)) for one in parts]
        zero, one = self.ring.zero, self.ring.one
        if is_unit_vector(letter.key) and (axis := axis_of(letter.key)) is not None:
            return [one if n == axis else zero for n in range(len(AXES))]
        if _is_gravity(letter):
            down = -self.letters.form(Letter(bare_of_font(letter.key), 0))
            return [down if n == self._up else zero for n in range(len(AXES))]
        return []

    @cached_property
    def _up(self) -> int:
        keys = self.motion.meanings.keys
        return 2 if "z" in keys or any(axis_of(key) == 2 for key in keys) else 1

    def _without_unit_vectors(self, form: Form) -> Form:
        r"""Return a form with a vector over its length for ``\hat{\mathbf r}`` and ``\vec e_r``."""
        values = {}
        for one in letters_of(self.letters, form):
            for key in filter(partial(_is_along, one.key), self.columns):
                length = self.letters.form(Letter(bare_of_font(key), 0))
                values[self.letters.atom(one)] = self.letters.form(Letter(key, 0)) / length
        return substituted(form, values) if values else form

    def _own_mass(self, key: str, inertia: Form) -> Form:
        """Return the mass with the number of a particle, by which its equation is divided."""
        below = SymbolShape.of(key).subscript
        masses = [
            one for one in sorted(self.motion.meanings.keys)
            if initial(one) in HEAVY and SymbolShape.of(one).subscript == below
        ]  # fmt: skip
        is_divided = inertia.is_number and below and len(masses) == 1
        return self.letters.form(Letter(masses[0], 0)) if is_divided else self.ring.one

    def _in_components(self, form: Form) -> Form:
        """Return a scalar with its distances written in components."""
        form = self._without_bars(form)
        values = {
            self.letters.atom(one): distance
            for one in letters_of(self.letters, form)
            if (distance := self._distance(one)) is not None
        }
        return substituted(form, values) if values else form

    def _without_bars(self, form: Form) -> Form:
        r"""Return a form with r for ``|r|`` where that is the length of a vector.

        Also with the vector of a velocity, of which there are even powers alone.
        """
        lengths = {self.letters.atom(Letter(bare_of_font(key), 0)) for key in self.columns}
        lengths |= {self.letters.atom(Letter(key, 1)) for key in self.columns}
        for place in form.terms.places():
            one = self.ring.generators[place]
            if (
                one.kind == "function"
                and one.expr.func == sympy.Abs
                and {*one.expr.args} <= lengths
            ):
                length = self.ring.symbol(one.expr.args[0])
                parts = form.terms.by_power(place).items()
                if any(power % 2 for power, _ in parts) and is_vector(str(one.expr.args[0])):
                    continue
                form = self.ring.sum(
                    [Form(self.ring, terms) * length**power for power, terms in parts]
                )
        return form

    def _distance(self, letter: Letter) -> Form | None:
        r"""Return what a norm is: of ``|\mathbf r_1 - \mathbf r_2|``, or of r beside the vector.

        So is v beside the vector of a velocity, and what bars stand around that.
        """
        if is_function(letter.key):
            known = self.motion.functions.known[letter.key]
            return self._norm(known.args[0]) if known.func == sympy.Abs else None
        for vector in () if letter.dots else self._vectors:
            if letter.key == bare_of_font(vector) and _is_length(letter.key):
                return self._norm(self.letters.atom(self._vectors[vector]))
        return None

    @cached_property
    def _vectors(self) -> Mapping[str, Letter]:
        """The positions of the particles and their velocities, by what they are called."""
        rates = self.motion.rates.items()
        return {key: Letter(key, 0) for key in self.columns} | {
            key: rate for key, rate in rates if rate.key in self.columns and rate.dots == 1
        }

    def _norm(self, vector: sympy.Expr) -> Form:
        squares = []
        for n in range(len(AXES)):
            part = vector.xreplace({
                self.letters.atom(Letter(key, dots)): self.letters.atom(Letter(column[n].key, dots))
                for key, column in self.columns.items()
                for dots in range(2)
            })  # fmt: skip
            squares.append(part**2)
        return self.ring.form(sympy.sqrt(sympy.Add(*squares)))
