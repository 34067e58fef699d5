"""From printed mathematics to canonical forms: what each node of the tree is worth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.expressions import read
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid, MeaningError, filled, stacked
from freebody.checking.meaning import plane
from freebody.checking.meaning.calls import Calls, raised
from freebody.checking.meaning.directions import Direction, Directions
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import accelerations
from freebody.documents.latex.names import index_letters
from freebody.documents.latex.tree import (
    Add,
    AtPoint,
    Call,
    Divide,
    Labelled,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Omission,
    Partial,
    Power,
    Term,
    TimeDerivative,
    Times,
    Transpose,
    is_zero,
)
from freebody.errors import ExpressionError

Meaning = str | int | float | list[Any]
"""An expression of quantities, a column of them or a matrix of them, as the document has it."""
Instead = Mapping[Node | Term, Node | Term | Grid]
"""Other nodes, or their values, for some of an equation."""


@dataclass(frozen=True)
class Candidate:
    """A value that may be put in a place of an equation.

    Attributes
    ----------
    form, lowered : Form
        On the level of quantities and on that of coordinates.
    at_point : int
        The value of the latter at a random point of a prime field.
    """

    form: Form
    lowered: Form
    at_point: int


@dataclass(eq=False)
class Symbols:
    """What the printed symbols of a document stand for.

    Attributes
    ----------
    quantities : Quantities
        Of the document's model.
    meanings : mapping of str to Meaning
        By the symbol as the document declares it.
    """

    quantities: Quantities
    meanings: Mapping[str, Meaning]
    _known: dict[tuple[str, tuple[int, ...]], Grid] = field(default_factory=dict)
    _rates: dict[tuple[str, tuple[int, ...], int], Grid] = field(default_factory=dict, init=False)

    def value(self, key: str, indices: tuple[int, ...] = (), dots: int = 0) -> Grid:
        """Return what a symbol stands for, or a rate of it.

        Raises
        ------
        ExpressionError
            If its meaning is no expression of quantities.
        """
        if dots:
            return self._rate(key, indices, dots)
        if (key, indices) not in self._known:
            self._known[key, indices] = self._read(_indexed(key, self.meanings[key], indices))
        return self._known[key, indices]

    def _rate(self, key: str, indices: tuple[int, ...], dots: int) -> Grid:
        place = key, indices, dots
        if place not in self._rates:
            self._rates[place] = self.rate(self.value(key, indices, dots - 1))
        return self._rates[place]

    def rate(self, grid: Grid) -> Grid:
        """Return the derivative of each entry by time."""
        return Grid.made(map(self.quantities.rate, row) for row in grid.rows)

    def changed(self, meanings: Mapping[str, Meaning]) -> Symbols:
        """Return the symbols with other meanings for some of them."""
        kept = {at: grid for at, grid in self._known.items() if at[0] not in meanings}
        return Symbols(self.quantities, {**self.meanings, **meanings}, kept)

    @cached_property
    def scalars(self) -> list[Candidate]:
        """The scalar symbols and the entries of the others, with their first two rates.

        Those that would take the equations of motion differentiated are left away.
        """
        keys = [key for key in self.meanings if not index_letters(key)]
        still = [form for key in keys for form in self.value(key).entries()]
        once = [self.quantities.rate(form) for form in still]
        forms = (*still, *once, *map(self.quantities.rate, once))
        follows = self.quantities.follows
        different = {form.terms: form for form in forms if form and not follows(form)}
        return [self.candidate(form) for form in different.values()]

    def candidate(self, form: Form) -> Candidate:
        """Return a form with what is needed to try it in an equation."""
        lowered = self.quantities.lower(form)
        return Candidate(form, lowered, self.quantities.point.value(lowered))

    @cached_property
    def accelerations(self) -> dict[sympy.Expr, Form]:
        """The accelerations by the state and the inputs."""
        return accelerations(self.quantities.equations)

    @cached_property
    def directions(self) -> Directions:
        """The derivatives by the symbols."""
        return Directions(self)

    def varies(self, key: str) -> bool:
        """Return whether a symbol stands for something that changes in time, if it is declared."""
        if key not in self.meanings:
            return False
        indices = (1,) * len(index_letters(key))
        return any(self.quantities.varies(form) for form in self.value(key, indices).entries())

    def _read(self, meaning: Meaning) -> Grid:
        if isinstance(meaning, list):
            rows = [entry if isinstance(entry, list) else [entry] for entry in meaning]
            return stacked([[self._read(entry) for entry in row] for row in rows])
        found = read(meaning, self.quantities.resolve)
        form = self.quantities.ring.form
        if isinstance(found, sympy.MatrixBase):
            return Grid.made((form(entry) for entry in row) for row in found.tolist())
        return Grid.scalar(form(found))


def _indexed(key: str, meaning: Meaning, indices: tuple[int, ...]) -> Meaning:
    """Put numbers in place of the letters of an index pattern."""
    if not indices or not isinstance(meaning, str):
        return meaning
    letters = dict(zip(index_letters(key), map(str, indices), strict=True))
    return re.sub(
        r"\[[^]]*\]", lambda m: re.sub(r"[i-n]", lambda n: letters.get(n[0], n[0]), m[0]), meaning
    )


class Evaluator(Calls):
    """Works out the value of nodes, in canonical form.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    instead : mapping of Node or Term to Node, Term or Grid, optional
        What some nodes are worth, or what to work out instead of them.
    """

    def __init__(self, symbols: Symbols, instead: Instead | None = None) -> None:
        self.symbols = symbols
        self.quantities = symbols.quantities
        self.ring = symbols.quantities.ring
        self.instead = instead or {}

    def value(self, node: Node | Term) -> Grid:
        """Return the value of a node on the level of quantities.

        Raises
        ------
        MeaningError
            If it has none.
        """
        found = self.instead.get(node, node)
        if isinstance(found, Grid):
            return found
        try:
            return self._by_kind(found)
        except ZeroDivisionError as error:
            raise MeaningError(str(error)) from None
        except ExpressionError as error:
            raise MeaningError(f"the meaning of a symbol cannot be read: {error}") from None

    def _by_kind(self, node: Any) -> Grid:
        found: Grid = getattr(self, _BY_KIND[type(node)])(node)
        return found

    def multiplied_out(self, sides: list[Any]) -> list[Any]:
        """Return the sides of an equation without denominators."""
        return self.ring.multiplied_out(sides)

    def _transposed(self, node: Transpose) -> Grid:
        return self.value(node.node).transpose()

    def _inner(self, node: Labelled) -> Grid:
        return self.value(node.node)

    def _number(self, node: Number) -> Grid:
        return Grid.scalar(self.ring.number(QQ(node.value.numerator, node.value.denominator)))

    def _name(self, node: Name) -> Grid:
        return self.symbols.value(node.key, node.indices, node.dots)

    def _rate(self, grid: Grid, order: int) -> Grid:
        for _ in range(order):
            grid = self.symbols.rate(grid)
        return grid

    def _add(self, node: Add) -> Grid:
        first, *rest = self.alike(list(map(self.value, node.terms)))
        for grid in rest:
            first = first + grid
        return first

    def alike(self, grids: list[Grid]) -> list[Grid]:
        """Return what is added or compared in as many components as the page prints."""
        return plane.alike(grids, self._vanishes)

    def _vanishes(self, entry: Any) -> bool:
        if isinstance(entry, Form):
            return not self.quantities.lower(entry)
        return not getattr(entry, "value", entry)

    def _term(self, node: Term) -> Grid:
        return self.value(node.node) if node.sign > 0 else -self.value(node.node)

    def _multiply(self, node: Multiply) -> Grid:
        first, *rest = map(self.value, node.factors)
        for grid in rest:
            left, right = plane.factors(first, grid, self._vanishes)
            first = left * right
        return first

    def _times(self, node: Times) -> Grid:
        left, right = self.value(node.left), self.value(node.right)
        if not (left.is_scalar or right.is_scalar):
            left, right = self.alike([left, right])
        return left.cross(right)

    def _divide(self, node: Divide) -> Grid:
        numerator, denominator = self.value(node.numerator), self.value(node.denominator).form
        return Grid.made((form / denominator for form in row) for row in numerator.rows)

    def _settled(self, argument: Form) -> Form:
        return self.quantities.worked_out(argument)

    def _constant(self, number: sympy.Expr) -> Form:
        return self.ring.form(number)

    def _function(self, function: Any, *arguments: Form) -> Form:
        return self.ring.function(function, *arguments)

    def _wave(self, function: Any, argument: Form, _: Node) -> Form:
        return self.ring.cos(argument) if function is sympy.cos else self.ring.sin(argument)

    def _root(self, square: Form, _: Node | None = None) -> Form:
        return self.ring.sqrt(square)

    def _exponent(self, node: Power) -> Form:
        found: Form = self.value(node.exponent).form
        return found

    def _raised(self, base: Form, power: int) -> Form:
        return raised(base, power)

    def _to_the(self, base: Form, exponent: Form) -> Form:
        if any(atom.atoms(AppliedUndef) for atom in exponent.atoms):
            raise MeaningError("an exponent that varies in time")
        return self.ring.function(sympy.Pow, base, exponent)

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

    def _matrix(self, node: Matrix) -> Grid:
        """Return a matrix; a zero beside larger blocks is one of their size."""
        blocks = [[self.value(entry) for entry in row] for row in node.rows]
        return stacked(filled(blocks, [[is_zero(entry) for entry in row] for row in node.rows]))

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
                (rest(self.quantities.worked_out(form)) for form in row) for row in below
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
            told = "a value at a point is that of a coordinate, a speed, an input or a constant"
            raise MeaningError(told)
        return found[0]

    def _slopes(self, form: Form, atoms: Iterable[sympy.Expr]) -> list[tuple[sympy.Expr, Form]]:
        slopes = ((atom, self.ring.partial(form, atom)) for atom in atoms)
        return [(atom, slope) for atom, slope in slopes if slope]

    def _omission(self, _: Omission) -> Grid:
        raise MeaningError("something is left out with dots")


_BY_KIND = {
    Number: "_number",
    Name: "_name",
    Term: "_term",
    Add: "_add",
    Multiply: "_multiply",
    Times: "_times",
    Divide: "_divide",
    Power: "_power",
    Transpose: "_transposed",
    Call: "_call",
    TimeDerivative: "_time_derivative",
    Partial: "_partial",
    Matrix: "_matrix",
    Labelled: "_inner",
    AtPoint: "_with_values",
    Omission: "_omission",
}
"""Which method works out a kind of node."""
