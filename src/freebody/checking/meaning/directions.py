"""What a derivative by a symbol of the page is in coordinates and speeds of the model.

A page differentiates by its own angles, counted from elsewhere or the other way round, or by the
rates of its own coordinates. Together these are a change of variables; a derivative by one of
them holds the others fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.expressions import Reference
from freebody.algebra.prime import PRIME
from freebody.checking.grid import Grid, MeaningError
from freebody.documents.latex.names import index_letters

if TYPE_CHECKING:
    from freebody.checking.meaning.symbols import Symbols

Direction = dict[sympy.Expr, Form]
"""A derivative as a sum: how often the derivative by each symbol of the model is taken."""
MOST = 4
"""Up to how many variables a change that varies from place to place is inverted."""


class Directions:
    """The derivatives by the symbols of a page.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.quantities = symbols.quantities
        self.ring: Ring = symbols.quantities.ring
        self.coordinates = symbols.quantities.mechanism.coordinates
        self.speeds = symbols.quantities.mechanism.speeds

    def of(self, variables: Grid) -> list[Direction]:
        """Return the derivatives by the entries of a column, which are held for each other.

        Raises
        ------
        MeaningError
            If there is nothing that could be differentiated by.
        """
        forms = list(variables.entries())
        atoms = [self._atom(form) for form in forms]
        if all(atom is not None and self._is_plain(atom) for atom in atoms):
            return [{atom: self.ring.one} for atom in atoms if atom is not None]
        below = [self.ring.substitute(form, self.quantities.derived) for form in forms]
        by_speeds = any(map(bool, (self._slope(f, u) for f in below for u in self.speeds)))
        return self._changed(below, forms, by_speeds=by_speeds)

    def is_led(self, grid: Grid) -> bool:
        """Return whether something is a coordinate that closed loops make follow a single other.

        Its derivative by that one is a total derivative: nothing else can be held fixed.
        """
        moving = self.quantities.mechanism
        if not self.quantities.loops or len(moving.speeds) != len(moving.equations) + 1:
            return False
        return grid.is_scalar and self._is_linear(grid.form)

    def in_speeds(self, form: Form, direction: Direction) -> Form:
        """Return what has the derivative at fixed speeds that a form has as the page means it.

        The total energy is differentiated by a coordinate as the Hamiltonian is, with the momenta
        held fixed: that is the derivative of V - T at fixed speeds.
        """
        if not direction.keys() <= set(self.coordinates):
            return form
        known = set(map(str, form.atoms))
        if known.isdisjoint({"energy.total", "energy.kinetic"}):
            return form
        total, kinetic, potential = map(self._energy, ("total", "kinetic", "potential"))
        if "energy.total" in known:
            instead = self.ring.symbol(potential) - self.ring.symbol(kinetic)
            return self.ring.substitute(form, {total: instead})
        slopes = [self._slope(form, one) for one in (kinetic, potential)]
        if known >= {"energy.kinetic", "energy.potential"} and not slopes[0] - slopes[1]:
            return self.ring.substitute(form, {kinetic: -self.ring.symbol(kinetic)})
        return form

    def _energy(self, which: str) -> sympy.Symbol:
        return self.quantities.resolve(Reference(("energy", which), (), 1))

    # ------------------------------------------------------------------ one variable

    def _atom(self, form: Form) -> sympy.Expr | None:
        """Return the symbol that a form is, if it is one."""
        expression = self.ring.expression(form) if len(form.terms) == 1 else None
        return expression if isinstance(expression, _ATOMS) else None

    def _is_plain(self, atom: sympy.Expr) -> bool:
        """Return whether a derivative by a symbol holds all others of the model fixed."""
        if atom in self.coordinates or atom in self.speeds:
            return not self._turned
        return atom not in self.quantities.derived

    @cached_property
    def _turned(self) -> bool:
        """Whether the page has angles of its own that hold several coordinates."""
        return any(len(form.terms) > 1 and self._mixes(form) for form in self._of_the_page)

    def _mixes(self, form: Form) -> bool:
        return sum(bool(self._slope(form, one)) for one in self.coordinates) > 1

    @cached_property
    def _of_the_page(self) -> list[Form]:
        """The symbols of the page that are linear in coordinates; plain coordinates first."""
        keys = [key for key in self.symbols.meanings if not index_letters(key)]
        forms = [form for key in keys for form in self.symbols.value(key).entries()]
        fit = [form for form in forms if self._is_linear(form)]
        return sorted(fit, key=lambda form: len(form.terms))

    def _is_linear(self, form: Form) -> bool:
        atoms = {self.ring.generators[place] for place in form.terms.places()}
        known = {*self.coordinates, sympy.pi}
        if any(one.kind != "factor" or one.expr not in known for one in atoms):
            return False
        slopes = [self._slope(form, one) for one in self.coordinates]
        return any(slopes) and all(slope.is_number for slope in slopes)

    def _slope(self, form: Form, atom: sympy.Expr) -> Form:
        return self.ring.partial(form, atom)

    # ------------------------------------------------------------------ all variables

    def _changed(
        self, below: list[Form], printed: Sequence[Form], *, by_speeds: bool
    ) -> list[Direction]:
        """Return the derivatives by variables that are a change of the model's own."""
        atoms = self.speeds if by_speeds else self.coordinates
        rows = [[self._slope(form, atom) for atom in atoms] for form in below]
        is_steady = all(slope.is_number for row in rows for slope in row)
        if not (by_speeds or is_steady) or (not is_steady and len(atoms) > MOST):
            message = ", ".join(str(self.ring.expression(form)) for form in printed)
            raise MeaningError(f"a derivative by '{message}', expected one by a coordinate")
        others = self._held_fixed(atoms, by_speeds=by_speeds)
        chosen = self._independent(rows, others, len(atoms))
        if len(chosen) < len(atoms) or chosen[: len(rows)] != rows:
            message = ", ".join(str(self.ring.expression(form)) for form in printed)
            raise MeaningError(f"a derivative by '{message}', which are not independent")
        inverse = self._inverse(chosen)
        return [
            {atom: row[place] for atom, row in zip(atoms, inverse, strict=True) if row[place]}
            for place in range(len(rows))
        ]

    def _held_fixed(self, atoms: Sequence[sympy.Expr], *, by_speeds: bool) -> Iterator[list[Form]]:
        """Iterate over what may be held fixed, in rows: of the page first, then of the model."""
        rate = self.quantities.rate
        own = [rate(form) for form in self._of_the_page] if by_speeds else self._of_the_page
        every = self.ring.forms(self.coordinates)
        rest = map(rate, every) if by_speeds else every
        for form in (*own, *rest):
            yield [self._slope(form, atom) for atom in atoms]

    def _independent(
        self, rows: list[list[Form]], others: Iterable[list[Form]], size: int
    ) -> list[list[Form]]:
        """Return rows with as many others as are independent of those before."""
        chosen: list[list[Form]] = []
        reduced: dict[int, list[int]] = {}
        for row in (*rows, *others):
            values = self._reduced([self.quantities.point.value(entry) for entry in row], reduced)
            pivot = next((place for place, value in enumerate(values) if value), None)
            if pivot is not None and len(chosen) < size:
                over = pow(values[pivot], -1, PRIME)
                reduced[pivot] = [value * over % PRIME for value in values]
                chosen.append(row)
        return chosen

    def _reduced(self, values: list[int], known: dict[int, list[int]]) -> list[int]:
        for pivot, row in known.items():
            factor = values[pivot]
            values = [(a - factor * b) % PRIME for a, b in zip(values, row, strict=True)]
        return values

    def _inverse(self, rows: list[list[Form]]) -> list[list[Form]]:
        if all(entry.is_number for row in rows for entry in row):
            numbers = [[_rational(entry) for entry in row] for row in rows]
            inverse = sympy.Matrix(numbers).inv().tolist()
            return [self.ring.forms(row) for row in inverse]
        return [list(row) for row in Grid.made(rows).inverse().rows]


def _rational(form: Form) -> sympy.Rational:
    return sympy.Rational(int(form.number.numerator), int(form.number.denominator))


_ATOMS = (sympy.Symbol, sympy.core.function.AppliedUndef, sympy.Derivative)
