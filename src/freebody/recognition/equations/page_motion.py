"""The equations of motion of a page, in its own letters, and what its Lagrangian gives."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, permutations

import sympy

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import APPROXIMATIONS, EQUALITIES
from freebody.consistency.energy_names import KINETIC, POTENTIAL
from freebody.consistency.letters import NUMBERED, Letter, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.consistency.motion.lagrangian import lagrangian
from freebody.consistency.motion.small_motions import accelerations
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements, read_statements
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tree import (
    Multiply,
    Name,
    Node,
    Partial,
    Term,
    differentiated,
    walk,
)
from freebody.errors import FreebodyError
from freebody.recognition.equations.attitude import is_turned, with_rates_of_spins
from freebody.recognition.equations.axes import along_axes
from freebody.recognition.equations.constraints import (
    constraints_of_directions,
    constraints_of_places,
    constraints_of_speeds,
)
from freebody.recognition.equations.driven import driven_by_rates, shaken
from freebody.recognition.equations.entries import Entries
from freebody.recognition.equations.functions import Functions
from freebody.recognition.equations.hamiltonian import by_hamiltonian
from freebody.recognition.equations.left_aside import is_of_gains, left_aside
from freebody.recognition.equations.multipliers import held
from freebody.recognition.equations.products import RATES, Moving, Named, Row, row_of
from freebody.recognition.equations.rates import momenta, named_rates, rolling
from freebody.recognition.equations.unplaced import unplaced_rates
from freebody.recognition.equations.vector_rates import vector_rates

INDEXED = re.compile(r"(.+)_\{?([ijk])\}?")
"""Letters with an index."""
_STEPPED = re.compile(r"(.+)_\{[ijkn][+-]1\}")

MOST_PRODUCTS = 400_000
"""Of terms, to work out one equation."""
MOST_SYSTEMS = 4
"""So many sets of coordinates of a page are tried."""


@dataclass(frozen=True, eq=False)
class PageSystem:
    """Equations of motion of a page about the same coordinates.

    Attributes
    ----------
    coordinates : tuple of str
        Its letters.
    is_angle : tuple of bool
        Whether each stands in a sine or cosine.
    rows : tuple of Row
        Of its equations, and of its Lagrangian.
    """

    coordinates: tuple[str, ...]
    is_angle: tuple[bool, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class MotionEquation:
    """An equation of motion, or what a Lagrangian gives.

    Attributes
    ----------
    form : Form
        Left minus right, with all that its letters stand for put in.
    letters : frozenset of Letter
    labels : tuple of str
    coordinates : frozenset of str
        The letters that carry dots in it, or are accelerated in the same section of the page.
    is_derived : bool
        Whether a Lagrangian of the page gives it, and it is not printed.
    put_in : frozenset of int
        The numbers of the equations that say what its letters stand for.
    entry : int
        Which one it is of an equation of columns.
    """

    form: Form
    letters: frozenset[Letter]
    labels: tuple[str, ...]
    coordinates: frozenset[str]
    is_derived: bool = False
    put_in: frozenset[int] = frozenset()
    entry: int = 0

    @property
    def accelerated(self) -> frozenset[str]:
        """The letters whose accelerations it has."""
        return frozenset(one.key for one in self.letters if one.dots == 2)


class PageMotion:
    """What a page says of a motion.

    Parameters
    ----------
    page : Page

    Attributes
    ----------
    page : Page
    statements : Statements
    meanings : Meanings
    rates : dict of str to Letter
        The letters for rates that it does not print as such.
    functions : Functions
        Of rates and of time, which are letters in its equations of motion.
    entries : Entries
        What its equations say, entry by entry.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.statements: Statements = with_rates_of_spins(read_statements(page))
        self.meanings = Meanings(self.statements)
        self.meanings.shorten(doubtful=True)
        self.rates = named_rates(self.statements, self.meanings, self.statements.angles)
        self.rates = unplaced_rates(self.statements, self.meanings, page.text) | self.rates
        self.rates = vector_rates(self.statements, self.meanings) | self.rates
        self.meanings.name(self.rates)
        told = [*momenta(self.statements, self.meanings)]
        self._has_coupled_momenta = len(told) > 1
        self.meanings.define(told)
        self.meanings.define(by_hamiltonian(self.meanings))
        self.meanings.define([*rolling(self.statements, self.meanings)])
        self.meanings = self.meanings.without(left_aside(self.statements, self.meanings))
        self.letters = self.meanings.letters
        self.functions = Functions(self.letters)
        self.entries = Entries(self.statements, self.meanings)

    @cached_property
    def motions(self) -> tuple[MotionEquation, ...]:
        """The equations of motion, as printed and as the Lagrangian gives them."""
        found: dict[object, MotionEquation] = {}
        for statement in self.statements.all:
            ways = self._printed(statement), self._chained(statement), self._lagrangian(statement)
            for one in chain.from_iterable(ways):
                found.setdefault((one.form.terms, one.labels), one)
        return tuple(found.values())

    def sections(self, labels: Iterable[str]) -> frozenset[int]:
        """Return the sections of the page in which equations stand that are called so."""
        return frozenset[int]().union(*(self._sections.get(one, ()) for one in labels))

    @cached_property
    def _sections(self) -> Mapping[str, frozenset[int]]:
        found = defaultdict[str, set[int]](set)
        for one in self.statements.all:
            found[one.label].add(one.section)
        return {label: frozenset(inside) for label, inside in found.items()}

    def _printed(self, statement: Statement) -> Iterator[MotionEquation]:
        with (
            suppress(FreebodyError, ZeroDivisionError),
            self.letters.ring.budget.work(MOST_PRODUCTS),
        ):
            for entry, (view, form) in enumerate(self.seen(statement)):
                for one in self._ways(statement, view, form):
                    yield replace(one, entry=entry)

    def _ways(self, statement: Statement, view: View, form: Form) -> Iterator[MotionEquation]:
        """Iterate over an entry of an equation with what its letters stand for, and without."""
        lowered = [*self._motion(self._lowered(view, form), (statement.label,))]
        yield from (replace(one, put_in=frozenset(view.used)) for one in lowered)
        yield from self._before(view, statement, form)
        known = lowered[0].coordinates if lowered else frozenset()
        for one in self._motion(form, (statement.label,)):
            if one.coordinates <= known:
                yield one

    def _before(self, view: View, statement: Statement, form: Form) -> Iterator[MotionEquation]:
        """Iterate over an equation without what later sections say of its letters, if they do.

        Such as by which law something is controlled, or from where an angle counts then.
        """
        aside, lowered = [statement], form
        while later := [one for one in view.others if one.section > statement.section]:
            aside += later
            view = View(self.meanings, statement, aside)
            lowered = self._lowered(view, form)
        if len(aside) > 1:
            yield from self._motion(lowered, (statement.label,))

    def _chained(self, statement: Statement) -> Iterator[MotionEquation]:
        r"""Iterate over what the first and the last of a chain say: ``m\ddot x = F = -k x``."""
        before = self.meanings.chain_before(statement)
        first = before[0].relation if before else statement.relation
        if any(map(_is_accelerated, walk(statement.relation.left))) or not before:
            return
        if any(map(_is_accelerated, walk(first.left))):
            relation = replace(statement.relation, left=first.left)
            yield from self._printed(replace(statement, relation=relation))

    def seen(self, statement: Statement) -> Iterator[tuple[View, Form]]:
        """Iterate over an equation, left minus right, entry by entry, with what it sees.

        Raises
        ------
        FreebodyError
            If it has no meaning.
        """
        is_other = self._is_of_values(statement) or statement.is_transformed
        is_other |= statement.is_inline and statement.states_value
        is_other |= statement.relation.relation not in EQUALITIES - APPROXIMATIONS
        is_other |= is_of_gains(statement) or is_turned(statement, self.meanings)
        if statement.is_aside or is_other:
            return
        view, forms = self.entries.of(statement)
        yield from ((view, form) for form in forms)

    def _is_of_values(self, statement: Statement) -> bool:
        r"""Return whether several rates have one number: ``\dot x = \ddot x = \dot y = 0``."""
        before = self.meanings.chain_before(statement) if statement.states_value else []
        return statement.is_of_values or any(one.is_of_values for one in before)

    def without(self, aside: Iterable[Statement]) -> PageMotion:
        """Return what a page says where letters are not what some equations say."""
        made = copy(self)
        made.meanings = self.meanings.without(frozenset(aside))
        made.entries = Entries(self.statements, made.meanings)
        return made

    def _lowered(self, view: View, form: Form) -> Form:
        """Return an equation with what its letters stand for, unless a length became energies."""
        lowered = view.lower(form)
        new = {
            one.key for one in letters_of(self.letters, lowered) - letters_of(self.letters, form)
        }
        is_of_energies = not (new.isdisjoint(KINETIC) or new.isdisjoint(POTENTIAL))
        return form if is_of_energies else lowered

    def _lagrangian(self, statement: Statement) -> Iterator[MotionEquation]:
        """Iterate over what follows from the Lagrangian that stands before an equation."""
        if not self.meanings.of(statement):
            return
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                found = lagrangian(View(self.meanings, statement, ()), {})
        except (FreebodyError, ZeroDivisionError):
            return
        if found and statement in found.used:
            labels = tuple(one.label for one in found.used)
            for form in found.rows:
                yield from self._motion(form, labels, is_derived=True)

    def _motion(
        self, form: Form, labels: tuple[str, ...], *, is_derived: bool = False
    ) -> Iterator[MotionEquation]:
        whole = substituted(form, self._of_time) if self._of_time else form
        if self._has_coupled_momenta:  # whose products have denominators that cancel
            whole = form.ring.divided_out(whole)
        for cleared in along_axes(self.letters, self.functions.named(form.ring.cleared(whole))):
            if not accelerations(self.letters, cleared):
                continue
            inside = frozenset(letters_of(self.letters, cleared))
            moved = (one.key for one in inside if one.dots)
            is_complex = any(self.functions.is_complex(one.key) for one in inside)
            if self._indexed.isdisjoint(moved) and not is_complex:
                near = frozenset[str]().union(*(self._accelerated[one] for one in labels))
                coordinates = {one.key for one in inside if one.dots or one.key in near}
                coordinates -= self.driven
                yield MotionEquation(cleared, inside, labels, frozenset(coordinates), is_derived)

    @cached_property
    def _accelerated(self) -> Mapping[str, frozenset[str]]:
        """The letters that are accelerated near each equation, by its label.

        That is in its section, or in one beside it by an equation with which it has letters that
        move in common: one for each mass.
        """
        sections = defaultdict[int, set[str]](set)
        accelerated = {}
        for one in self.statements.all:
            of = ((self._as_rate(key), orders) for key, orders in one.orders.items())
            accelerated[one] = {rate.key for rate, orders in of if 2 - rate.dots in orders}
            sections[one.section] |= accelerated[one]
        found = {one: {*sections[one.section]} for one in self.statements.all}
        inside = {one: {*one.keys} for one, keys in accelerated.items() if keys}
        for one, other in permutations(inside, 2):
            is_beside = abs(one.section - other.section) == 1
            if is_beside and accelerated[one] & inside[other] and accelerated[other] & inside[one]:
                found[one] |= accelerated[other]
        return {one.label: frozenset(keys) for one, keys in found.items()}

    def _as_rate(self, key: str) -> Letter:
        """Return the rate that a letter is said to be, as a state is; else the letter itself."""
        if key in self.rates:
            return self.rates[key]
        entries = (one.grid.entries() for one in self.meanings.definitions.get(key, ()))
        same = (self.letters.sole(form) for form in chain.from_iterable(entries))
        return next((one for one in same if one and one.dots), Letter(key, 0))

    @cached_property
    def _indexed(self) -> frozenset[str]:
        r"""The letters that a page has with an index as well: ``\theta`` beside ``\theta_i``.

        Beside ``\theta_{i+1}`` the index counts steps of time, and the letter is a coordinate. So
        is one of which there is a sine, or that is multiplied with a rate, as no column is. What
        has an index stands for those with numbers, where the page has them.
        """
        keys = self.meanings.keys
        numbered = {match[1] for match in map(NUMBERED.fullmatch, keys) if match}
        by_steps = {match[1] for match in map(_STEPPED.fullmatch, keys) if match}
        indexed = [match for match in map(INDEXED.fullmatch, keys) if match]
        bases = {match[1] for match in indexed} - by_steps - self.statements.angles
        bases -= frozenset(self._multiplied_with_rates())
        return frozenset(bases | {match[0] for match in indexed if match[1] in numbered})

    def _multiplied_with_rates(self) -> Iterator[str]:
        r"""Iterate over the letters that are multiplied with rates of others, ``r\dot\theta^2``."""
        for one in self.statements.all:
            for node in walk(one.relation.left, one.relation.right):
                factors = node.factors if isinstance(node, Multiply) else ()
                plain = {bare(each.key) for each in factors if isinstance(each, Name)}
                rated = {
                    bare(name.key)
                    for each in factors
                    for name in walk(each)
                    if isinstance(name, Name) and name.dots
                }
                yield from (key for key in plain if rated - {key})

    @cached_property
    def shaken(self) -> Mapping[str, Form | None]:
        """The letters that only accelerations are printed of, each with that as it is in time."""
        return shaken(self)

    @cached_property
    def _of_time(self) -> Mapping[sympy.Expr, Form]:
        known = {self.letters.atom(Letter(key, 2)): form for key, form in self.shaken.items()}
        return {atom: form for atom, form in known.items() if form is not None}

    @cached_property
    def driven(self) -> frozenset[str]:
        """The letters that move in a given way."""
        return driven_by_rates(self) | self.shaken.keys()

    @cached_property
    def constraints(self) -> tuple[tuple[Statement, Form], ...]:
        """What places and speeds are held together, as equations with what is zero in them."""
        return (
            *constraints_of_places(self),
            *constraints_of_speeds(self),
            *constraints_of_directions(self),
        )

    @cached_property
    def held(self) -> frozenset[str]:
        """The letters that are held to a curve by a multiplier, which acts along its gradient.

        Such as x and y of ``x^2 + y^2 = l^2``: what moves freely but for that is something else.
        """
        moving = self.statements.moving()
        forms = (form for _, form in self.constraints)
        return frozenset(held(self.letters, self.functions, self.motions, forms, moving))

    @cached_property
    def resultants(self) -> frozenset[str]:
        r"""The labels of equations such as ``F = m\ddot x`` of a letter that is said to be more.

        F may be one force elsewhere, and the sum of all that act here.
        """
        return frozenset(one.label for one in self.statements.all if self._is_resultant(one))

    def _is_resultant(self, statement: Statement) -> bool:
        relation = statement.relation
        sides = relation.left, relation.right
        for name, node in (sides, sides[::-1]):
            if not isinstance(name, Name) or name.dots:
                continue
            view = View(self.meanings, statement, (statement,))
            if view.definition(Letter(bare(name.key), 0)) is None:
                continue
            with suppress(FreebodyError, ZeroDivisionError):
                forms = map(view.lower, Values(view).value(node).entries())
                return all(map(self._is_of_accelerations, forms))
        return False

    def _is_of_accelerations(self, form: Form) -> bool:
        inside = letters_of(self.letters, form)
        rates = {self.letters.atom(one): form.ring.zero for one in inside if one.dots == 2}
        return bool(rates) and not substituted(form, rates)

    @cached_property
    def told_forces(self) -> frozenset[str]:
        """The letters that one equation tells by accelerations, and others have: reactions."""
        told: dict[str, str] = {}
        for one in self.statements.all:
            sides = one.relation.left, one.relation.right
            for name, rest in (sides, sides[::-1]):
                rates = (node for node in walk(rest) if isinstance(node, Name))
                if isinstance(name, Name) and not name.dots and any(r.dots == 2 for r in rates):
                    told[bare(name.key)] = one.label
        used = {(x.key, one.labels) for one in self.motions for x in one.letters if x.key in told}
        return frozenset(key for key, labels in used if told[key] not in labels)

    def small(self, system: PageSystem) -> frozenset[str]:
        """Return the labels of equations of small motions, and of those that give numbers.

        An angle stands in them as it is, or they are linear where words say that this is about
        small angles.
        """
        labelled = {one.label: one for one in self.statements.all}
        linear = {label for row in system.rows if row.is_linear for label in row.labels}
        said = {labelled[one].section for one in linear & labelled.keys() if labelled[one].is_small}
        return frozenset(
            label
            for row in system.rows
            for label in row.labels
            if not row.coordinates
            or any(
                system.is_angle[moving.coordinate] and not moving.dots
                for place in row.by_place
                for moving, _ in place.powers
            )
            or (label in linear and label in labelled and labelled[label].section in said)
        )

    def energetic(self, keys: Iterable[str]) -> frozenset[str]:
        r"""Return the labels of equations in which letters are energies: ``L = T - V``.

        That is where they are a side, or are differentiated by a coordinate.
        """
        wanted = {*keys}
        found = set[str]()
        for one in self.statements.all:
            sides = one.relation.left, one.relation.right
            parts = (node.node for node in walk(*sides) if isinstance(node, Partial))
            names = (node for node in (*sides, *parts) if isinstance(node, Name))
            if any(bare(node.key) in wanted for node in names):
                found.add(one.label)
        return frozenset(found)

    def beside(self, labels: Iterable[str]) -> frozenset[str]:
        """Return the labels of equations in the same sections as some."""
        sections = self.sections(labels)
        return frozenset(one.label for one in self.statements.all if one.section in sections)

    @cached_property
    def systems(self) -> tuple[PageSystem, ...]:
        """The sets of coordinates of the page, those with most equations first.

        Before these stand those with an equation for each that are printed so, with nothing put in:
        what a letter is in one part of a page may be put into equations of another.
        """
        counts = Counter[frozenset[str]]()
        for whole in {one.coordinates for one in self.motions}:
            counts[whole] = sum(one.coordinates <= whole for one in self.motions)
        least = dict[str, int]()
        for one in self.motions:
            count = len(one.coordinates)
            least |= {each: min(count, least.get(each, count)) for each in one.labels}
        own = Counter(
            coordinates
            for labels, coordinates in {(one.labels, one.coordinates) for one in self.motions}
            if len(coordinates) == max(least[each] for each in labels)
        )

        def order(whole: frozenset[str]) -> tuple[bool, float, list[str]]:
            return own[whole] < len(whole), -counts[whole] / (1 + len(whole)), sorted(whole)

        most = sorted(counts, key=order)
        systems = (self.system(tuple(sorted(one))) for one in most[:MOST_SYSTEMS])
        return tuple(one for one in systems if one.rows)

    def system(self, coordinates: tuple[str, ...]) -> PageSystem:
        """Return the equations of motion about some coordinates."""
        named = self.named(coordinates)
        own = [one for one in self.motions if one.coordinates <= {*coordinates}]
        found = (
            row and replace(row, put_in=one.put_in, entry=one.entry)
            for one in own
            if (row := row_of(one.form, named, one.labels, is_derived=one.is_derived))
        )
        rows = tuple(row for row in found if row.products)
        turning = {
            one for row in rows for place in row.by_place for one, _ in place.turns
        }  # fmt: skip
        return PageSystem(coordinates, tuple(n in turning for n in range(len(coordinates))), rows)

    def named(self, coordinates: Sequence[str]) -> Named:
        """Return what says of a symbol which of some coordinates it is, or which constant."""
        numbers = {key: n for n, key in enumerate(coordinates)}

        def name(atom: sympy.Expr) -> Moving | str | None:
            letter = self.letters.letter(atom)
            if letter is None:
                return str(atom) if atom.is_number else None
            if letter.key in numbers:
                return Moving(numbers[letter.key], letter.dots)
            if letter.key in self.driven and letter.dots:
                return RATES[letter.dots - 1] + letter.key
            return None if letter.dots else letter.key

        return name


def _is_accelerated(node: Node | Term) -> bool:
    found = differentiated(node)
    return found is not None and found[1] == 2
