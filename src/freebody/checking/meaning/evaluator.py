"""Printed mathematics in canonical form: what each node of the tree is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.calls import Calls, raised
from freebody.checking.meaning.directions import Direction
from freebody.documents.latex.tree import (
    AtPoint,
    Name,
    Node,
    Number,
    Partial,
    Power,
    Term,
    TimeDerivative,
)


class Evaluator(Calls):
    """Works out the value of nodes in canonical form, on the level of quantities."""

    def value(self, node: Node | Term) -> Grid:
        """Return the value of a node.

        Raises
        ------
        MeaningError
            If it has none.
        """
        return self._defined(node)

    def multiplied_out(self, sides: list[Any]) -> list[Any]:
        """Return the sides of an equation without denominators."""
        return self.ring.multiplied_out(sides)

    def _vanishes(self, entry: Form) -> bool:
        return not self.quantities.lower(entry)

    def _number(self, node: Number) -> Grid:
        return Grid.scalar(self.ring.number(QQ(node.value.numerator, node.value.denominator)))

    def _name(self, node: Name) -> Grid:
        return self.symbols.value(node.key, node.indices, node.dots)

    def _rate(self, grid: Grid, order: int) -> Grid:
        for _ in range(order):
            grid = self.symbols.rate(grid)
        return grid

    def _settled(self, argument: Form) -> Form:
        return self.quantities.lower_unassumed(argument)

    def _constant(self, number: sympy.Expr) -> Form:
        return self.ring.form(number)

    def _function(self, function: Any, *arguments: Form) -> Form:
        return self.ring.function(function, *arguments)

    def _wave(self, function: Any, node: Node) -> Form:
        angle = self._settled(self.value(node).form)
        return self.ring.cos(angle) if function is sympy.cos else self.ring.sin(angle)

    def _root(self, square: Form, _: Node | None = None) -> Form:
        return self.ring.sqrt(square)

    def _exponent(self, node: Power) -> Form:
        found: Form = self.value(node.exponent).form
        return found

    def _determinant(self, grid: Grid) -> Grid:
        return grid.determinant()

    def _inverse(self, grid: Grid) -> Grid:
        return grid.inverse()

    def _raised(self, base: Form, power: int) -> Form:
        return raised(base, power)

    def _to_the(self, base: Form, exponent: Form) -> Form:
        if any(atom.atoms(AppliedUndef) for atom in exponent.atoms):
            raise MeaningError("an exponent that varies in time")
        whole, rest = self.ring.expression(exponent).as_coeff_Add()
        if not whole.is_Integer or (whole < 0 and len(base.terms) > 1):
            return self.ring.function(sympy.Pow, base, exponent)
        outside = raised(base, int(whole))  # so that 2^{n-1} is half of 2^n
        if base.is_number and base.number.numerator == 1:
            base, rest = base**-1, -rest
        if base.is_number and rest.could_extract_minus_sign():
            return outside * self.ring.function(sympy.Pow, base, self.ring.form(-rest)) ** -1
        return outside * self.ring.function(sympy.Pow, base, self.ring.form(rest))

    def _time_derivative(self, node: TimeDerivative) -> Grid:
        return self._rate(self.value(node.node), node.order)

    def _partial(self, node: Partial) -> Grid:
        grid = self._in_the_state(self.value(node.node), node.with_respect_to)
        if self.symbols.directions.is_led(grid):
            return self._led(grid, node.with_respect_to)
        for name in node.with_respect_to:
            variables = self.symbols.directions.of(self.value(name))
            if len(variables) > 1 and grid.shape[1] > 1:
                raise MeaningError("the derivative of a matrix by a column")
            grid = self._derivatives(grid, variables)
        return grid

    def _in_the_state(self, grid: Grid, names: Sequence[Node]) -> Grid:
        """Return accelerations as what the equations of motion make of them.

        A derivative of a plain acceleration by what is none is that of the equations of state.
        """
        plain = set(self.quantities.mechanism.accelerations)
        below = [[self._stated(form) for form in row] for row in grid.rows]
        moving = {self._plain(form) for row in below for form in row} & plain
        by = {self._plain(form) for name in names for form in self.value(name).entries()}
        if not moving or by & plain:
            return grid
        values = self.symbols.accelerations
        return Grid.made((self.ring.substitute(form, values) for form in row) for row in below)

    def _stated(self, form: Form) -> Form:
        """Return a rate of the state as the speed or acceleration that it is."""
        is_rate = str(self._plain(form)).startswith("state_rate[")
        return self.ring.substitute(form, self.quantities.derived) if is_rate else form

    def _plain(self, form: Form) -> sympy.Expr | None:
        return self.ring.expression(form) if len(form.terms) == 1 else None

    def _derivatives(self, grid: Grid, variables: list[Direction]) -> Grid:
        """Return a gradient as a column, the derivatives of a column by rows."""
        if len(variables) == 1:
            return Grid.made((self._along(form, variables[0]) for form in row) for row in grid.rows)
        rows = Grid.made((self._along(form, v) for v in variables) for form in grid.entries())
        return rows.transpose() if grid.is_scalar else rows

    def _led(self, grid: Grid, names: Sequence[Node]) -> Grid:
        """Return how what the loops decide follows a coordinate: the ratio of their rates."""
        for name in names:
            rate = self.quantities.rate(self.value(name).form)
            over = self.quantities.rate(self.quantities.lower(grid.form))
            grid = Grid.scalar(self.quantities.lower(over) / self.quantities.lower(rate))
        return grid

    def _along(self, form: Form, direction: Direction) -> Form:
        held = self.symbols.directions.in_speeds(form, direction)
        slopes = (self.quantities.partial(held, atom) * rate for atom, rate in direction.items())
        return self.ring.sum(slopes)

    def _with_values(self, node: AtPoint) -> Grid:
        """Return what is left of a node where some of its names have values."""
        pairs = (self._given(self.value(name), self.value(value)) for name, value in node.given)
        values = dict(pair for given in pairs for pair in given)
        substitute, derived = self.ring.substitute, self.quantities.derived
        below = [[substitute(form, derived) for form in row] for row in self.value(node.node).rows]
        if self._is_of_state(values) and any(map(self._accelerates, chain(*below))):
            below = [[substitute(f, self.symbols.accelerations) for f in row] for row in below]
        if not node.given:
            rest = self.quantities.resting
            return Grid.made(
                (rest(self.quantities.lower_unassumed(form)) for form in row) for row in below
            )
        return Grid.made((substituted(form, values) for form in row) for row in below)

    def _is_of_state(self, values: Mapping[sympy.Expr, Form]) -> bool:
        """Return whether a point of the state is given, which accelerations follow from."""
        moving = self.quantities.mechanism
        return not moving.constraints and not {*moving.coordinates, *moving.speeds}.isdisjoint(
            values
        )

    def _accelerates(self, form: Form) -> bool:
        return not form.symbols.isdisjoint(self.quantities.mechanism.accelerations)

    def _given(self, names: Grid, value: Grid) -> Iterator[tuple[sympy.Expr, Form]]:
        """Iterate over the symbols of the model that have values at a point, with them."""
        values = list(value.entries())
        values = values * len(list(names.entries())) if value.is_scalar else values
        if len(values) != len(list(names.entries())):
            raise MeaningError("a point of another size than what it gives values")
        for form, one in zip(names.entries(), values, strict=True):
            atom, slope = self._sole_atom(form)
            rest = form - self.ring.symbol(atom) * slope
            yield atom, (one - rest) / slope

    def _sole_atom(self, form: Form) -> tuple[sympy.Expr, Form]:
        """Return the symbol of the model that a form is, but for a number of times."""
        moving = self.quantities.mechanism
        free = (*moving.coordinates, *moving.speeds, *self.quantities.equations.inputs)
        found = self._slopes(form, free) or self._slopes(form, moving.names.constants.values())
        if len(found) != 1 or not found[0][1].is_number:
            message = "a value at a point is that of a coordinate, a speed, an input or a constant"
            raise MeaningError(message)
        return found[0]

    def _slopes(self, form: Form, atoms: Iterable[sympy.Expr]) -> list[tuple[sympy.Expr, Form]]:
        slopes = ((atom, self.ring.partial(form, atom)) for atom in atoms)
        return [(atom, slope) for atom, slope in slopes if slope]
