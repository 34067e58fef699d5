"""The quantities of a model at a sample of its motion, in numbers instead of canonical forms.

Where a quantity is too large to be written out, its value at a random point of a prime field can
still be worked out, and so can its derivatives: by a point that moves along a nilpotent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form
from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.terms import Terms
from freebody.checking.quantities.families import Rows, Source
from freebody.graph.program import Program
from freebody.mechanics.equations import Blocks, Equations
from freebody.mechanics.kinematics import Kinematics, PointValues
from freebody.mechanics.mechanism import Mechanism

if TYPE_CHECKING:
    from freebody.checking.quantities.derived import Quantities
    from freebody.checking.quantities.solved_points import SolvedPoints

DERIVATIVES = 2
"""How many derivatives of derivatives the nilpotents of a point give."""


class ValueSource(Source):
    """What the quantities of a model are derived from, in the values of a domain.

    Parameters
    ----------
    equations : Equations
        By Kane's method.
    at : Domain
        Where, or for bounds on degrees.
    order : int, optional
        How many nilpotents it moves along.
    is_decisive : bool, optional
        Whether zero is told from other values there.
    """

    def __init__(
        self, equations: Equations, at: Domain[Any], order: int = 0, *, is_decisive: bool = True
    ) -> None:
        super().__init__(equations)
        self.at = at
        self.order = order
        self.is_decisive = is_decisive

    @cached_property
    def motion(self) -> Kinematics:
        """How everything moves."""
        return Kinematics(self.equations.mechanism, PointValues(self.at))

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks of the equations of motion."""
        parts = program_of(self.equations).evaluate(PointValues(self.at))
        return Blocks.of(parts, self.equations.n)

    def form(self, expr: sympy.Expr) -> Any:
        """Return the value of an expression."""
        return self.at.values([expr])[0]

    def slopes(self, of: Callable[[Self], Rows], by: Iterable[sympy.Expr]) -> list[Rows]:
        """Return the derivatives of quantities by some symbols, for one after the other."""
        return [self._slope(of, one) for one in by]

    def _slope(self, of: Callable[[Self], Rows], by: sympy.Expr) -> Rows:
        at, order = moved(self.at, self.order, {by: 1}), self.order + 1
        rows = of(type(self)(self.equations, at, order, is_decisive=self.is_decisive))
        return [[entry.split(order)[1] for entry in row] for row in rows]

    def vanishes(self, entry: Any) -> bool:
        """Return whether a value is zero; where that is not to be told, it may be."""
        return not (self.is_decisive and entry)


class FieldSample:
    """The quantities of a model at a point, or bounds on their degrees.

    Parameters
    ----------
    quantities : Quantities
    at : Domain
        Where: what the equations of motion decide is given in it.
    order : int, optional
        How many nilpotents it moves along.
    is_decisive : bool, optional
        Whether zero is told from other values there.
    solved_points : SolvedPoints, optional
        The motions that it is a sample of, where what moves is not free.
    """

    def __init__(
        self,
        quantities: Quantities,
        at: Domain[Any],
        order: int = 0,
        *,
        is_decisive: bool = True,
        solved_points: SolvedPoints | None = None,
    ) -> None:
        self.solved_points = solved_points
        self.quantities = quantities
        self.at = at
        self.order = order
        self.is_decisive = is_decisive
        equations = quantities.equations
        self.source = ValueSource(equations, at, order, is_decisive=is_decisive)
        self._rows: dict[tuple[str, ...], Rows] = {}
        self._values: dict[Terms, Any] = {}
        self._by: dict[sympy.Expr, FieldSample] = {}

    def value(self, form: Form) -> Any:
        """Return the value of a form on the level of quantities."""
        if form.terms not in self._values:
            expr = self.quantities.ring.expression(form)
            known = {one: self._entry(one) for one in self.quantities.entries_in(expr)}
            if self.solved_points and expr.atoms(sympy.Derivative) & self.solved_points.rates:
                known |= self._following
            at = self.at.where(known) if known else self.at
            self._values[form.terms] = at.values([expr])[0]
        return self._values[form.terms]

    def function(self, function: Any, *arguments: Any) -> Any:
        """Return the value of a function of values."""
        dummies = sympy.symbols(f"x:{len(arguments)}", cls=sympy.Dummy, real=True)
        given = dict(zip(dummies, arguments, strict=True))
        return self.at.where(given).values([function(*dummies)])[0]

    # ------------------------------------------------------------------ derivatives

    @cached_property
    def later(self) -> FieldSample:
        """The sample moved on along a nilpotent, as everything moves."""
        rates = dict(rates_of(self.quantities.mechanism))
        values = self.at.values(rates.values())
        later = self._moved(dict(zip(rates, values, strict=True)))
        if self.solved_points is None:
            return later
        at = self.solved_points.at(later.at)
        return FieldSample(self.quantities, at, later.order, is_decisive=self.is_decisive)

    @cached_property
    def _following(self) -> dict[sympy.Expr, Any]:
        """The rates of what the equations of motion decide."""
        rates = list(self.solved_points.rates) if self.solved_points else []
        values = self.later.at.values([integrated(rate) for rate in rates])
        return {rate: self.later.slope(value) for rate, value in zip(rates, values, strict=True)}

    def beside(self, atom: sympy.Expr) -> FieldSample:
        """Return the sample with one coordinate, speed or constant moved along a nilpotent."""
        if atom not in self._by:
            self._by[atom] = self._moved({atom: 1})
        return self._by[atom]

    def slope(self, value: Any) -> Any:
        """Return what stands before the last nilpotent: a derivative."""
        return value.split(self.order)[1]

    def _moved(self, rates: Mapping[sympy.Expr, Any]) -> FieldSample:
        at = moved(self.at, self.order, rates)
        return FieldSample(self.quantities, at, self.order + 1, is_decisive=self.is_decisive)

    # ------------------------------------------------------------------ quantities

    def _entry(self, symbol: sympy.Symbol) -> Any:
        """Return the value of an entry of a quantity."""
        path, place = self.quantities.place_of(symbol)
        if path[0] == "linear":
            raise UndecidedError("an equilibrium is no random point")
        if path not in self._rows:
            self._rows[path] = self.quantities.rows_of(path, self.source)
        return self._rows[path][place[0]][place[1]]


def program_of(equations: Equations) -> Program:
    """Return equations of motion as a program.

    Raises
    ------
    UndecidedError
        If the equations were not derived as a program.
    """
    if equations.program is None:
        raise UndecidedError(f"the equations by {equations.method} are no program")
    return equations.program


def integrated(rate: sympy.Expr) -> sympy.Expr:
    """Return what a derivative by time is the rate of."""
    inner, (time, order) = rate.args
    return inner.diff(time, order - 1) if order > 1 else inner


def moved(at: Domain[Any], order: int, rates: Mapping[sympy.Expr, Any]) -> Domain[Any]:
    """Return a domain moved along the first nilpotent that it does not move along yet.

    Raises
    ------
    UndecidedError
        If it moves along all of them.
    """
    if order == DERIVATIVES:
        raise UndecidedError("derivatives of second derivatives are not worked out at points")
    return at.moved(rates, {}) if order == 0 else at.moved({}, rates)


def rates_of(mechanism: Mechanism) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    """Iterate over everything that moves, each with its rate; then the rates that are symbols."""
    names = mechanism.names
    atoms = [
        *mechanism.coordinates,
        *mechanism.speeds,
        *mechanism.accelerations,
        *names.inputs.values(),
        *mechanism.multipliers,
        *mechanism.laws,
    ]
    yield dynamicsymbols._t, sympy.S.One
    for atom in dict.fromkeys(atoms):
        rate = mechanism.rate(atom)
        yield atom, rate
        if isinstance(rate, sympy.Derivative) and rate not in atoms:
            yield rate, mechanism.rate(rate)
