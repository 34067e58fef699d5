"""The quantities of a model under assumptions: small angles, and what has a given value.

What is given is put in everywhere, with its rates; then what is left is cut behind the order in
what is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring
from freebody.algebra.expressions import read
from freebody.algebra.points import Point
from freebody.algebra.series import SeriesError, truncated
from freebody.algebra.substitution import substituted
from freebody.checking.grid import MeaningError
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import Slopes, eliminate
from freebody.checking.quantities.solved_points import FieldSamples
from freebody.documents.document import Assumption
from freebody.errors import ExpressionError, Problem, nearest

_ASSUMED = "under what is assumed, "
Values = Mapping[sympy.Expr, Form]


@dataclass(frozen=True)
class Cut:
    """What is small, and how far it is kept.

    Attributes
    ----------
    small : tuple of sympy.Expr
        Symbols of first order.
    order : int
        The highest order that is kept.
    shifted : mapping of sympy.Expr to Form
        Coordinates written in what is small of them, where that is not they themselves.
    back : mapping of sympy.Expr to Form
        What is small of them, written in the coordinates again.
    """

    small: tuple[sympy.Expr, ...]
    order: int
    shifted: Values
    back: Values

    def __call__(self, form: Form) -> Form:
        """Return a form without what is of higher order.

        Raises
        ------
        SeriesError
            If it has no power series.
        """
        moved = substituted(form, self.shifted) if self.shifted else form
        kept = truncated(moved, self.small, self.order)
        return form.ring.substitute(kept, self.back) if self.back else kept


class AssumedQuantities(Quantities):
    """The quantities of a model under assumptions; all else is shared with those without.

    Parameters
    ----------
    quantities : Quantities
        Those of the model.
    given : mapping of sympy.Expr to Form
        What is put in place of symbols.
    cuts : sequence of Cut
        In their order.
    instant : mapping of sympy.Expr to Form, optional
        What is put in place of symbols at the end: their rates are those of any motion.
    is_steady : bool, optional
        Whether nothing holds what is given: all equations of motion remain, and say where that is.
    """

    def __init__(
        self,
        quantities: Quantities,
        given: Values,
        cuts: Sequence[Cut],
        instant: Values | None = None,
        *,
        is_steady: bool = False,
    ) -> None:
        self.__dict__.update(vars(quantities))
        for name in ("_eliminated", "loops", "point"):
            self.__dict__.pop(name, None)
        self.plain = quantities
        self.given = given
        self.cuts = tuple(cuts)
        self.instant = instant or {}
        self.is_steady = is_steady

    @property
    def is_large(self) -> bool:
        """What is cut off is told in canonical forms alone."""
        return False

    def lower_anew(self, form: Form) -> Form:
        """Replace every quantity by what was derived for it, under what is assumed."""
        try:
            if local := self.local.keys() & form.symbols:
                there = {symbol: self.at_rest(self.local[symbol], self.given) for symbol in local}
                form = self.ring.substitute(form, there)
            below = super().lower_anew(form)
            if self.is_steady:
                below = self.settled(self.ring.substitute(below, self.eliminated))
        except ZeroDivisionError as error:
            raise MeaningError(f"{_ASSUMED}{error}") from None
        return self._put(below, self.instant)

    def resting(self, form: Form) -> Form:
        """Return a form at the equilibrium that is given."""
        return self.at_rest(form, self.given)

    def put_in(self, form: Form) -> Form:
        """Return a form with what is given, and nothing that is derived, put in."""
        return self._put(form, {**self.given, **self.instant})

    def _put(self, form: Form, values: Values) -> Form:
        try:
            return substituted(form, values) if values else form
        except ZeroDivisionError as error:
            raise MeaningError(f"{_ASSUMED}{error}") from None

    def value_at(self, point: Point, form: Form) -> int:
        """Return the value of a form on the level of quantities, under what is assumed."""
        return point.value(self.lower(form))

    def lower_unassumed(self, form: Form) -> Form:
        """Return a form on the level of coordinates whatever is assumed, to be differentiated."""
        return self.plain.lower_unassumed(form)

    def settled(self, form: Form) -> Form:
        """Return what is left of a form on the level of coordinates under what is assumed.

        Raises
        ------
        MeaningError
            If a denominator becomes zero, or what is small has no power series.
        """
        try:
            form = substituted(form, self.given)
            for cut in self.cuts:
                form = cut(form)
        except (ZeroDivisionError, SeriesError) as error:
            raise MeaningError(f"{_ASSUMED}{error}") from None
        return form

    @property
    def samples(self) -> FieldSamples:
        """What is cut off is told in canonical forms, not at points.

        Raises
        ------
        MeaningError
            Always.
        """
        raise MeaningError("under what is assumed, it is too large to be written out")

    def _solved(self) -> dict[sympy.Expr, Form]:
        """Solve the equations of motion under what is assumed."""
        if not self.is_steady:
            return eliminate(self.equations, self.settled, self._slopes)
        moving = self.mechanism
        own = (one for one in moving.names.constants.values() if one not in self.definitions)
        return eliminate(self.equations, self.settled, open_=(*own, *moving.speeds))

    @property
    def _slopes(self) -> Slopes:
        """The derivatives of given accelerations by the others."""
        accelerations = dict(enumerate(self.mechanism.accelerations))
        found: dict[int, dict[int, Form]] = {}
        for number, one in accelerations.items():
            if one in self.given:
                slopes = {
                    i: self.ring.partial(self.given[one], a) for i, a in accelerations.items()
                }
                found[number] = {i: slope for i, slope in slopes.items() if slope}
        return found


class Reader:
    """Reads the assumptions of a page in the quantities of its model."""

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities
        self.ring: Ring = quantities.ring

    def problems(self, number: int, assumption: Assumption) -> Iterator[Problem]:
        """Iterate over what is wrong with an assumption."""
        where = f"assume[{number}]"
        if not (assumption.small or assumption.given or assumption.instant):
            yield Problem(where, "expected something 'small', 'given' or given for an 'instant'")
        for name, value in assumption.instant.items():
            try:
                self._at_once(name, value)
            except ExpressionError as error:
                yield Problem(f"{where}.instant.{name}", str(error))
        known: dict[sympy.Expr, Form] = {}
        for name, value in assumption.given.items():
            try:
                known = self._with(known, name, value)
            except ExpressionError as error:
                yield Problem(f"{where}.given.{name}", str(error))
        taken: list[str] = []
        for place, name in enumerate(assumption.small):
            try:
                self.cut((*taken, name), assumption.order)
                taken.append(name)
            except ExpressionError as error:
                yield Problem(f"{where}.small[{place}]", str(error))

    # ------------------------------------------------------------------ given

    def given(self, assumptions: Sequence[Assumption]) -> Values:
        """Return what is put in place of symbols, none of which is left in it.

        Raises
        ------
        ExpressionError
            If a name is not known, or something is given in terms of itself.
        """
        known: dict[sympy.Expr, Form] = {}
        for assumption in assumptions:
            for name, value in assumption.given.items():
                known = self._with(known, name, value)
        return known

    def instant(self, assumptions: Sequence[Assumption]) -> Values:
        """Return what is put in place of symbols for an instant."""
        entries = (entry for one in assumptions for entry in one.instant.items())
        return dict(self._at_once(name, value) for name, value in entries)

    def _at_once(self, name: str, value: str | int | float) -> tuple[sympy.Expr, Form]:
        atom, form = self._atom(name), self._form(value)
        if atom in _atoms(form):
            raise ExpressionError(f"'{name}' is given in terms of itself")
        return atom, form

    def _with(
        self, known: dict[sympy.Expr, Form], name: str, value: str | int | float
    ) -> dict[sympy.Expr, Form]:
        atom, form = self._atom(name), self._form(value)
        for one, rate in self._rates(atom, form):
            reduced = substituted(rate, known)
            if one in known or reduced.terms == self.ring.form(one).terms:
                continue
            if one in _atoms(reduced):
                raise ExpressionError(f"'{name}' is given in terms of itself")
            known = {k: substituted(v, {one: reduced}) for k, v in known.items()} | {one: reduced}
        return known

    def _rates(self, atom: sympy.Expr, form: Form) -> Iterator[tuple[sympy.Expr, Form]]:
        """Iterate over a symbol and its rates that are symbols, each with what it becomes."""
        yield atom, form
        moving = self.quantities.mechanism
        if atom in moving.names.constants.values() or atom in moving.accelerations:
            return
        rate = self.ring.expression(self.quantities.rate(self.ring.form(atom)))
        if rate in (*moving.speeds, *moving.accelerations):
            yield from self._rates(rate, self.quantities.rate(form))

    def _atom(self, name: str) -> sympy.Expr:
        found = self.ring.expression(self._form(name))
        if not isinstance(found, _ATOMS) or found == dynamicsymbols._t:
            raise ExpressionError(
                f"expected a coordinate, a speed, an input or a constant, found '{name}'"
            )
        return found

    def _form(self, text: str | int | float) -> Form:
        """Return what an expression of quantities is on the level of coordinates."""
        found = read(text, self.quantities.resolve)
        if isinstance(found, sympy.MatrixBase):
            raise ExpressionError(f"expected a scalar, found '{text}', which is a matrix")
        return self.ring.substitute(self.ring.form(found), self.quantities.derived)

    # ------------------------------------------------------------------ small

    def cut(self, names: Sequence[str], order: int) -> Cut:
        """Return the cut behind an order in what is small, with its rates.

        Raises
        ------
        ExpressionError
            If something is neither a name nor a sum of coordinates and constants.
        """
        small: dict[sympy.Expr, None] = {}
        shifted: dict[sympy.Expr, Form] = {}
        back: dict[sympy.Expr, Form] = {}
        for name in names:
            form = self._form(name)
            if isinstance(self.ring.expression(form), _ATOMS):
                small |= dict.fromkeys(self._with_rates(self._atom(name)))
                continue
            for atom, value in self._moved(name, form, {*small, *shifted}):
                held = self.ring.symbol(sympy.Dummy("small"))
                small[self.ring.expression(held)] = None
                back[self.ring.expression(held)] = value
                place = self._written(atom, value, held)
                place = substituted(place, shifted)
                shifted = {k: substituted(v, {atom: place}) for k, v in shifted.items()}
                shifted[atom] = place
        return Cut(tuple(small), order, shifted, back)

    def _with_rates(self, atom: sympy.Expr) -> list[sympy.Expr]:
        return [one for one, _ in self._rates(atom, self.ring.form(atom))]

    def _moved(
        self, name: str, form: Form, taken: set[sympy.Expr]
    ) -> Iterator[tuple[sympy.Expr, Form]]:
        """Iterate over a coordinate and its rates, each with the small sum that decides it."""
        moving = self.quantities.mechanism
        free = [atom for atom in moving.coordinates if atom not in taken]
        held = [atom for atom in free if self._slope(form, atom).is_number]
        held = [atom for atom in held if self._slope(form, atom)]
        if not held:
            raise ExpressionError(
                f"expected a name, or a sum of coordinates such as 'q - pi', found '{name}'"
                + nearest(name, [str(atom) for atom in moving.names.coordinates])
            )
        yield from self._rates(held[0], form)

    def _slope(self, form: Form, atom: sympy.Expr) -> Form:
        return self.ring.partial(form, atom)

    def _written(self, atom: sympy.Expr, value: Form, held: Form) -> Form:
        """Solve ``value = held`` for a symbol."""
        slope = self._slope(value, atom)
        rest = value - slope * self.ring.form(atom)
        return (held - rest) / slope


_ATOMS = (sympy.Symbol, sympy.core.function.AppliedUndef, sympy.Derivative)


def _atoms(form: Form) -> set[sympy.Expr]:
    """Return the symbols of a form, those in angles and functions included."""
    expression: sympy.Expr = form.ring.expression(form)
    return set(expression.atoms(*_ATOMS))
