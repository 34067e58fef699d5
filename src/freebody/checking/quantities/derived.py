"""The derived quantities that a printed symbol may stand for, by their path.

A page is compared on two levels. On the upper one a quantity such as ``reaction.wrist.force.x``
is a symbol, as it is on the page; on the lower one it is what was derived for it, in coordinates,
speeds, accelerations, constants and those inputs that the equations of motion leave free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring
from freebody.algebra.budget import Lazy
from freebody.algebra.canonical import Comparison, is_zero
from freebody.algebra.domains import UndecidedError
from freebody.algebra.expressions import Reference
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.points import Point
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import Terms
from freebody.checking.quantities.elimination import eliminate
from freebody.checking.quantities.entries import (
    MATRICES,
    entry_of,
    misused,
    name_of_entry,
    places_in,
    split_frame,
)
from freebody.checking.quantities.families import FAMILIES, Family, Rows, Source
from freebody.checking.quantities.families.motion import along
from freebody.checking.quantities.lazy_forms import LazyForms, Lowered
from freebody.checking.quantities.loops import Loops
from freebody.checking.quantities.samples import FieldSample, integrated
from freebody.checking.quantities.solved_points import FieldSamples
from freebody.errors import DerivationError, ExpressionError, nearest
from freebody.mechanics.build import mechanism
from freebody.mechanics.derivation import derive
from freebody.mechanics.equations import Equations
from freebody.mechanics.parts import AXES
from freebody.model.schema import Model

W = TypeVar("W")
KEPT = 256
"""So many forms are remembered: an equation is judged more than once, and others repeat it."""
LARGE = 6
"""With more speeds, in space, a reaction has 10,000 terms or more."""
DRAWS = 64
"""How many points are drawn, at the most, to find one at which a quantity is defined."""
RATES = {"position": "velocity", "velocity": "acceleration", "state": "state_rate"}
"""Families whose time derivatives are another on the upper level already."""


class Quantities:
    """The quantities of a model, with one ring for all pages that are checked against it.

    Attributes
    ----------
    equations : Equations
        By Kane's method.
    ring : Ring
        The ring of all forms.
    derived : LazyForms
        The lower level of every quantity that was asked for, written out when it is needed.
    local : LazyForms
        What the derived quantities that belong to an operating point are at any other.
    cuts : tuple of callable
        What cuts forms behind an order in what is small; nothing is, unless that is assumed.
    """

    def __init__(self, model: Model) -> None:
        self.mechanism = mechanism(model)
        self.equations: Equations = derive(self.mechanism)
        self.ring: Ring = self.equations.ring
        self.derived = LazyForms()
        self.local = LazyForms()
        self.cuts: tuple[Callable[[Form], Form], ...] = ()
        self._source = Source(self.equations)
        self._samples: dict[int, FieldSample] = {}
        self._rates: dict[sympy.Expr, Form] = {}
        self._matrices: dict[tuple[str, ...], sympy.ImmutableMatrix] = {}
        self._references: dict[sympy.Symbol, Reference] = {}

    @property
    def is_large(self) -> bool:
        """Whether names that a page may mean are worked out at points, not written out."""
        return len(self.mechanism.speeds) > LARGE

    # ------------------------------------------------------------------ by path

    def resolve(self, reference: Reference) -> sympy.Expr | sympy.ImmutableMatrix:
        """Return the symbol, or the matrix of symbols, that a path in a document stands for.

        A block of the equations that shares its name with a constant is told from it by
        ``equations.M``, or by its indices.

        Raises
        ------
        ExpressionError
            If there is no such quantity.
        """
        with self.ring.budget.work():
            path, indices = reference.path, reference.indices
            if path[0] == "equations" and path[1:2] and path[1] in MATRICES:
                path = path[1:]
            elif len(path) == 1 and path[0] in self._plain and not indices:
                return self._plain[path[0]]
            family = self._family(path[0], reference)
            if path == ("christoffel",):
                if len(indices) != 3:
                    raise misused(family, reference)
                path, indices = (*path, str(indices[0])), indices[1:]
            if family.entries == "axes" and len(path) > 2 and path[-1] in AXES:
                path, indices = path[:-1], (AXES.index(path[-1]) + 1,)
            return entry_of(self._matrix(path, reference), indices, family, reference)

    @cached_property
    def _plain(self) -> dict[str, sympy.Expr]:
        names = self.mechanism.names
        plain = {**names.symbols, **names.accelerations}
        return {name: names.given.get(one, one) for name, one in plain.items()}

    def _family(self, name: str, reference: Reference) -> Family:
        if name == "value":
            return Family(self._value, "value.<constant>", "one")
        if name not in FAMILIES:
            known = [*self._plain, *FAMILIES, "value"]
            raise ExpressionError(
                f"no quantity '{reference}'{nearest(name, known)}", reference.column
            )
        return FAMILIES[name]

    def _matrix(self, path: tuple[str, ...], reference: Reference) -> sympy.ImmutableMatrix:
        if path not in self._matrices:
            family = self._family(path[0], reference)
            _, *parts = path
            if not family.takes(split_frame(family, parts)[0]):
                raise misused(family, reference)
            rows = self._sampled(family, path, reference)
            self._matrices[path] = sympy.ImmutableMatrix(rows)
        return self._matrices[path]

    def _sampled(self, family: Family, path: tuple[str, ...], reference: Reference) -> list[Any]:
        """Return the symbols of a quantity, whose shape is that of its values."""
        if path == ("state",):
            return [[state] for state in (*self.equations.coordinates, *self.equations.speeds)]
        try:
            rows = self._at_a_point(lambda sample: self.rows_of(path, sample.source))
        except UndecidedError:
            rows = self.rows_of(path, self._source)
        except DerivationError as error:
            raise ExpressionError(f"'{reference}': {error}", reference.column) from None
        written = Lazy(self.ring.budget, lambda: self.rows_of(path, self._source))
        is_single = len(rows) == len(rows[0]) == 1
        return [
            [self._symbol(path, family, place, written, is_single=is_single) for place in row]
            for row in places_in(rows)
        ]

    def rows_of(self, path: tuple[str, ...], source: Source) -> Rows:
        """Return a quantity in the arithmetic of a source.

        Raises
        ------
        DerivationError
            If there is no such quantity.
        TooLargeError
            If it is too large to be written out.
        """
        family = self._family(path[0], Reference(path, (), 1))
        parts, frame = split_frame(family, path[1:])
        rows = family.derived(source, *parts)
        return along(source, rows, frame) if frame else rows

    def _symbol(
        self,
        path: tuple[str, ...],
        family: Family,
        place: tuple[int, ...],
        written: Lazy[Rows],
        *,
        is_single: bool,
    ) -> sympy.Symbol:
        """Return the symbol of an entry."""
        symbol = sympy.Symbol(name_of_entry(path, family, place, is_single=is_single))
        self._references[symbol] = Reference(path, place if family.entries != "one" else (), 1)
        row, column = self.place_of(symbol)[1]
        entry = Lazy(self.ring.budget, lambda: written()[row][column])
        if path[0] == "linear":
            self.local.add(symbol, entry)
            entry = Lazy(self.ring.budget, lambda: self.at_rest(self.local[symbol]))
        self.derived.add(symbol, entry)
        return symbol

    def place_of(self, symbol: sympy.Symbol) -> tuple[tuple[str, ...], tuple[int, int]]:
        """Return the path of the quantity of an entry, and its row and column from 0."""
        reference = self._references[symbol]
        i, j, *_ = (*reference.indices, 1, 1)
        return reference.path, (i - 1, j - 1)

    def entries_in(self, expr: sympy.Expr) -> set[sympy.Symbol]:
        """Return the entries of quantities that an expression holds."""
        return {one for one in expr.free_symbols if one in self._references}

    def _value(self, source: Source, constant: str) -> Rows:
        values = self.mechanism.names.values()
        if constant not in values:
            message = f"expected one of {', '.join(values)}{nearest(constant, values)}"
            raise DerivationError(message)
        return [[source.form(sympy.Rational(repr(values[constant])))]]

    # ------------------------------------------------------------------ levels

    def lower(self, form: Form) -> Form:
        """Replace every quantity by what was derived for it, inputs by the equations of motion.

        What is assumed is put in, see `settled`.
        """
        return _lowered(self, form.terms)

    def lower_anew(self, form: Form) -> Form:
        """Work out what `lower` remembers."""
        below = self.settled(self.ring.substitute(form, self.derived))
        while self._undecided(below) and (values := self._decided(below)):
            before, below = below, self.settled(self.ring.substitute(below, values))
            # nothing goes into the sine of an acceleration, whose value is no angle
            if below.terms == before.terms:
                break
        return below

    def above_motion(self, form: Form) -> Form:
        """Replace every quantity by what was derived for it, and nothing by equations of motion."""
        return self.settled(self.ring.substitute(form, self.derived))

    def lower_unassumed(self, form: Form) -> Form:
        """Return a form on the level of coordinates whatever is assumed, to be differentiated."""
        return self.lower(form)

    def settled(self, form: Form) -> Form:
        """Return what is left of a form on the level of coordinates under what is assumed.

        What is small is cut off anew from products of forms that were settled.
        """
        return form

    @cached_property
    def definitions(self) -> dict[sympy.Expr, Form]:
        """The constants that the model defines by others, each in those that it does not."""
        names, known = self.mechanism.names, dict[sympy.Expr, Form]()
        given = {n: c.value for n, c in names.model.constants.items() if isinstance(c.value, str)}
        for name, value in given.items():
            form = self.ring.form(names.read(value))
            if not form.is_number:
                known[names.constants[name]] = form
        for _ in known:
            known = {atom: self.ring.substitute(form, known) for atom, form in known.items()}
        return known

    def by_definition(self, form: Form) -> Form:
        """Return a form with what the model defines constants by put in for them."""
        return substituted(form, self.definitions) if self.definitions else form

    def put_in(self, form: Form) -> Form:
        """Return a form with what is given, and nothing that is derived, put in."""
        return form

    def at_rest(self, form: Form, given: Mapping[sympy.Expr, Form] | None = None) -> Form:
        """Return a form where all coordinates, speeds and inputs are zero that are not given."""
        form = substituted(form, given) if given else form
        moving = self.mechanism
        free = (*moving.coordinates, *moving.speeds, *self.equations.inputs)
        return substituted(form, dict.fromkeys(free, self.ring.zero))

    def resting(self, form: Form) -> Form:
        """Return a form at the equilibrium."""
        return self.at_rest(form)

    def _undecided(self, form: Form) -> bool:
        """Return whether a form holds anything that the equations of motion may decide."""
        return self.follows(form) or not self._decidable.isdisjoint(form.symbols)

    @cached_property
    def _decidable(self) -> frozenset[sympy.Expr]:
        moving = self.mechanism
        forces = (*moving.multipliers, *self.equations.inputs)
        return frozenset((*moving.accelerations, *moving.dependent_speeds, *forces))

    def follows(self, form: Form) -> bool:
        """Return whether a form holds rates of what the equations of motion may decide.

        These rates are found by differentiating the equations of motion.
        """
        return any(
            isinstance(atom, sympy.Derivative) and atom not in self._decidable
            for atom in form.symbols
        )

    def _decided(self, form: Form) -> dict[sympy.Expr, Form]:
        """Return what the equations of motion say of what a form holds, and of its rates."""
        known: dict[sympy.Expr, Form] = {}
        for atom in form.symbols:
            value = self._decided_value(atom)
            if value is not None:
                known[atom] = value
        return known

    def determines(self, atom: sympy.Expr) -> bool:
        """Return whether a symbol is a quantity, or follows from the equations of motion.

        Raises
        ------
        TooLargeError
            If it may follow from them, and they are too large to be solved.
        """
        return atom in self.derived or (atom in self._decidable and atom in self.eliminated)

    def _decision(self, atom: sympy.Expr) -> Form | None:
        """Return what is decided of a symbol, without working out what decides no such symbol."""
        may_be = atom in self._decidable or isinstance(atom, sympy.Derivative)
        return self._decided_value(atom) if may_be else None

    def _decided_value(self, atom: sympy.Expr) -> Form | None:
        """Return what is decided of a symbol, or follows for it as a rate of what is decided."""
        if atom in self.eliminated:
            return self.eliminated[atom]
        if not isinstance(atom, sympy.Derivative) or atom in self._decidable:
            return None
        before = self._decided_value(integrated(atom))
        return None if before is None else self.rate(before)

    @property
    def eliminated(self) -> dict[sympy.Expr, Form]:
        """What the equations of motion say of inputs, or else of accelerations.

        Raises
        ------
        TooLargeError
            If they are too large to be written out.
        """
        return self._eliminated()

    @cached_property
    def _eliminated(self) -> Lazy[dict[sympy.Expr, Form]]:
        return Lazy(self.ring.budget, self._solved)

    def _solved(self) -> dict[sympy.Expr, Form]:
        return eliminate(self.equations)

    def rate(self, form: Form) -> Form:
        """Return the time derivative of a form."""
        return self.ring.derivative(form, self._rate)

    def partial(self, form: Form, coordinate: sympy.Expr) -> Form:
        """Return the partial derivative of a form by a coordinate, speed or constant."""
        return self.ring.partial(self.ring.substitute(form, self.derived), coordinate)

    def _rate(self, atom: sympy.Expr) -> Form:
        if atom not in self._rates:
            self._rates[atom] = self._rate_of(atom)
        return self._rates[atom]

    def _rate_of(self, atom: sympy.Expr) -> Form:
        if atom in self.derived:
            return self._rate_of_quantity(atom)
        if atom == dynamicsymbols._t:
            return self.ring.one
        rate = self.mechanism.rate(atom)
        return self.ring.form(rate) if rate != 0 else self.ring.zero

    def _rate_of_quantity(self, symbol: sympy.Symbol) -> Form:
        (family, *parts), indices = self._references[symbol].path, self._references[symbol].indices
        if not self._moves_above(symbol):
            return self.rate(self.derived[symbol])
        matrix = self.resolve(Reference((RATES[family], *parts), (), 1))
        return self.ring.form(matrix[indices[0] - 1, 0])

    # ------------------------------------------------------------------ at points

    @cached_property
    def samples(self) -> FieldSamples:
        """The quantities at points at which the equations of motion hold."""
        return FieldSamples(self)

    @cached_property
    def point(self) -> Point:
        """A random point at which forms on the level of coordinates are told apart."""
        return self.point_at(0)

    def point_at(self, seed: int) -> Point:
        """Return a random point at which the loops of the mechanism are closed."""
        return Point(self.ring, seed, self.loops.solved if self.loops else {})

    def above(self, seed: int) -> Point:
        """Return such a point, at which quantities have values as well, see `value_at`."""
        known = (self.derived, self.loops.solved) if self.loops else (self.derived,)
        return Point(self.ring, seed, Lowered(known, self._decision))

    def value_at(self, point: Point, form: Form) -> int:
        """Return the value of a form on the level of quantities, without lowering it."""
        return point.value(form)

    @cached_property
    def loops(self) -> Loops:
        """The configurations in which the loops of the mechanism are closed."""
        return Loops(self.equations, self.settled)

    def vanishes(self, form: Form) -> Comparison:
        """Return whether a form on the level of coordinates is zero in every motion."""
        return _compared(self, form.terms)

    def compare_anew(self, form: Form) -> Comparison:
        """Work out what `vanishes` remembers."""
        if self.loops:
            return self.loops.vanishes(form)
        if form.is_decisive and self._is_seen(form):
            return Comparison(equal=False, proof="exact")
        return is_zero(form)

    def _is_seen(self, form: Form) -> bool:
        """Return whether a form is another than zero at a random point, which is soon told."""
        try:
            return self.point.value(form) != 0
        except ZeroDivisionError:
            return False

    def varies(self, form: Form) -> bool:
        """Return whether a form changes in time."""
        return self.has_rate(form, 1)

    def has_rate(self, form: Form, order: int) -> bool:
        """Return whether the rate of a form of some order, up to the second, is not zero."""

        def value(sample: FieldSample, order: int) -> Any:
            if not order:
                return sample.value(form)
            return sample.later.slope(value(sample.later, order - 1))

        try:
            return self._at_a_point(lambda sample: bool(value(sample, order)))
        except UndecidedError:
            for _ in range(order):
                form = self.rate(form)
            return bool(form)

    def rates_above(self, form: Form) -> bool:
        """Return whether the rate of a form is had without that of what was derived."""
        return all(one not in self.derived or self._moves_above(one) for one in form.symbols)

    def _moves_above(self, symbol: sympy.Symbol) -> bool:
        """Return whether a rate is a quantity itself: velocities are the rates of positions."""
        family, *parts = self._references[symbol].path
        return family in RATES and "in" not in parts[1:]

    def _at_a_point(self, work: Callable[[FieldSample], W]) -> W:
        """Return what some work gives at a random point, of the first at which that is defined.

        Raises
        ------
        UndecidedError
            If there is none.
        """
        for seed in range(DRAWS):
            if seed not in self._samples:
                self._samples[seed] = FieldSample(self, FieldPoint(seed))
            try:
                return work(self._samples[seed])
            except (NoRootError, ZeroDivisionError):
                continue
        raise UndecidedError(f"not defined at any of {DRAWS} points of a field")


@lru_cache(KEPT)
def _lowered(quantities: Quantities, terms: Terms) -> Form:
    return quantities.lower_anew(Form(quantities.ring, terms))


@lru_cache(KEPT)
def _compared(quantities: Quantities, terms: Terms) -> Comparison:
    return quantities.compare_anew(Form(quantities.ring, terms))
