"""Points at which the equations of motion hold.

As in `elimination`, coordinates and most of what else moves is free; dependent speeds, inputs,
multipliers and accelerations follow, here from the linear equations that they obey at a point.
Which of them are taken as unknown does not matter: at all points, every choice that can be solved
gives the same motions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra.degrees import Degrees
from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.linear import independent, solve
from freebody.checking.quantities.samples import FieldSample, ValueSource, moved, program_of
from freebody.graph.program import Program
from freebody.mechanics.equations import Equations
from freebody.mechanics.kinematics import Kinematics, PointValues

if TYPE_CHECKING:
    from freebody.checking.quantities.derived import Quantities

Matrix = list[list[Any]]
TRIALS = 64
"""How many points are drawn, at the most, to choose what is unknown."""


@dataclass(frozen=True)
class Linear:
    """Equations that are linear in some symbols: ``slopes x + rest = 0``.

    Attributes
    ----------
    symbols : tuple of sympy.Expr
        The unknowns x.
    slopes : list of list
        A row for each equation.
    rest : list
        Where the unknowns are zero.
    """

    symbols: tuple[sympy.Expr, ...]
    slopes: Matrix
    rest: list[Any]

    def chosen(self) -> Choice:
        """Return as many equations as are independent, and unknowns that they decide."""
        places = independent(self.slopes)
        rows = tuple(row for row, _ in places)
        return Choice(rows, tuple(self.symbols[column] for _, column in places))

    def solved(self, choice: Choice) -> dict[sympy.Expr, Any]:
        """Return the values of the chosen unknowns where the others are zero."""
        if not choice.symbols:
            return {}
        columns = [self.symbols.index(symbol) for symbol in choice.symbols]
        matrix = [[self.slopes[row][column] for column in columns] for row in choice.rows]
        found = solve(matrix, [[-self.rest[row]] for row in choice.rows])
        return {symbol: value for symbol, (value,) in zip(choice.symbols, found, strict=True)}


@dataclass(frozen=True)
class Choice:
    """Which equations are solved, and for what."""

    rows: tuple[int, ...]
    symbols: tuple[sympy.Expr, ...]


class SolvedPoints:
    """The motions that obey the equations of motion of a model.

    Parameters
    ----------
    equations : Equations
        By Kane's method.
    """

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.mechanism = equations.mechanism

    def at(self, at: Domain[Any]) -> Domain[Any]:
        """Return a point, or bounds, with what the equations of motion decide there.

        Raises
        ------
        ZeroDivisionError
            If they decide nothing there, by chance.
        UndecidedError
            If they are not solved at any point.
        """
        speeds, others = self._choices
        held = at.where(self._speed_constraints(at, speeds.symbols).solved(speeds))
        return held.where(self._moving(held, others.symbols).solved(others))

    @cached_property
    def rates(self) -> frozenset[sympy.Expr]:
        """The rates of what the equations of motion decide, but for those that they decide too."""
        decided = {symbol for choice in self._choices for symbol in choice.symbols}
        return frozenset(one.diff(dynamicsymbols._t) for one in decided) - decided

    @cached_property
    def _choices(self) -> tuple[Choice, Choice]:
        """What is unknown: of the speeds, and of everything else."""
        for seed in range(TRIALS):
            try:
                return self._chosen(FieldPoint(seed))
            except (NoRootError, ZeroDivisionError):
                continue
        raise UndecidedError("the equations of motion are not solved at random points")

    def _chosen(self, at: Domain[Any]) -> tuple[Choice, Choice]:
        held = self._speed_constraints(at, self._dependent)
        speeds = held.chosen()
        there = at.where(held.solved(speeds))
        others = self._decided(there, (*self._slowed, *self.equations.inputs, *self._coupled))
        return speeds, others or self._decided(there, (*self._slowed, *self._coupled)) or NOTHING

    def _decided(self, at: Domain[Any], symbols: Sequence[sympy.Expr]) -> Choice | None:
        """Return the unknowns among some symbols, if the equations are linear in them."""
        unknown = tuple(dict.fromkeys(symbols))
        choice = self._moving(at, unknown).chosen()
        known = self._moving(at, choice.symbols).solved(choice)
        there = self._moving(at.where(known), ())
        return None if any(there.rest[row] for row in choice.rows) else choice

    @property
    def _dependent(self) -> tuple[sympy.Expr, ...]:
        return self.mechanism.dependent_speeds

    @property
    def _slowed(self) -> tuple[sympy.Expr, ...]:
        return tuple(speed.diff(dynamicsymbols._t) for speed in self._dependent)

    @property
    def _coupled(self) -> tuple[sympy.Expr, ...]:
        return (*self.equations.multipliers, *self.mechanism.accelerations)

    # ------------------------------------------------------------------ equations

    def _speed_constraints(self, at: Domain[Any], unknown: tuple[sympy.Expr, ...]) -> Linear:
        """Return the equations of the constraints between speeds."""
        equations, still = self.mechanism.equations, _without(at, unknown)
        if not equations:
            return Linear((), [], [])
        motion = Kinematics(self.mechanism, PointValues(still))
        slopes = [[equation.slope(motion, speed) for speed in unknown] for equation in equations]
        return Linear(unknown, slopes, [equation.rate(motion) for equation in equations])

    def _moving(self, at: Domain[Any], unknown: tuple[sympy.Expr, ...]) -> Linear:
        """Return those between accelerations, and the equations of motion."""
        still = _without(at, unknown)
        source = ValueSource(self.equations, still)
        blocks, held = source.blocks, range(len(self.equations.multipliers))
        vectors = zip(blocks.C, blocks.G, blocks.E, blocks.tau, strict=True)
        rest = [*blocks.gamma, *(c + g + e - tau for c, g, e, tau in vectors)]
        columns = {
            **dict(zip(self.mechanism.accelerations, _turned([*blocks.J, *blocks.M]), strict=True)),
            **{
                multiplier: [*(source.motion.zero for _ in held), *(-entry for entry in row)]
                for multiplier, row in zip(self.equations.multipliers, blocks.J, strict=True)
            },
        }
        for symbol, column in columns.items():
            value = source.form(symbol)
            rest = [a + b * value for a, b in zip(rest, column, strict=True)]
        for one in self.equations.inputs:
            if one in unknown:
                pushed = self._steady.get(one) or self._pushed(still, one)
                columns[one] = [*(source.motion.zero for _ in held), *map(at.element.made, pushed)]
        return Linear(unknown, _turned([columns[one] for one in unknown], len(rest)), rest)

    @cached_property
    def _steady(self) -> dict[sympy.Expr, list[Any]]:
        """What inputs add to the left side, where it is the same at all points."""
        one, other = FieldPoint(0), FieldPoint(1)
        pushed = {symbol: self._pushed(one, symbol) for symbol in self.equations.inputs}
        return {
            symbol: column
            for symbol, column in pushed.items()
            if column == self._pushed(other, symbol)
        }

    def _pushed(self, at: Domain[Any], symbol: sympy.Expr) -> list[Any]:
        """Return what an input adds to the left side of each equation of motion."""
        parts = self._forces.evaluate(PointValues(moved(at, 0, {symbol: 1})))
        rows = zip(parts["elastic"], parts["external"], parts["tau"], strict=True)
        return [(a + b - tau).split(1)[1] for a, b, tau in rows]

    @cached_property
    def _forces(self) -> Program:
        """The part of the equations of motion that gives forces."""
        return program_of(self.equations).only(("elastic", "external", "tau"))


class FieldSamples:
    """The quantities of a model at points at which its equations of motion hold.

    Parameters
    ----------
    quantities : Quantities
    """

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities
        self.solved_points = SolvedPoints(quantities.equations)
        self._known: dict[tuple[int, int], tuple[FieldPoint, FieldSample]] = {}

    @cached_property
    def bounds(self) -> FieldSample:
        """Bounds on the degrees of what the others are."""
        at = self.solved_points.at(self._closed(Degrees()))
        return FieldSample(self.quantities, at, is_decisive=False)

    def at(self, point: FieldPoint) -> FieldSample:
        """Return the sample at a point.

        It is kept for all equations, unless a root or an opaque function was met: which were is
        told of each equation by itself.
        """
        place = point.draws.seed, point.draws.signs
        if place not in self._known or not self._known[place][0].is_decisive:
            at = self.solved_points.at(self._closed(point))
            self._known[place] = (
                point,
                FieldSample(self.quantities, at, solved_points=self.solved_points),
            )
        known, sample = self._known[place]
        point.draws = known.draws
        return sample

    def _closed(self, at: Domain[Any]) -> Domain[Any]:
        """Return a point, or bounds, where the loops of the mechanism are closed."""
        solved = self.quantities.loops.solved if self.quantities.loops else {}
        values = at.values(map(self.quantities.ring.expression, solved.values()))
        return at.where(dict(zip(solved, values, strict=True))) if solved else at


NOTHING = Choice((), ())


def _without(at: Domain[Any], symbols: Sequence[sympy.Expr]) -> Domain[Any]:
    """Return a domain in which some symbols are zero."""
    return at.where(dict.fromkeys(symbols, at.element.number(0))) if symbols else at


def _turned(rows: Matrix, height: int = 0) -> Matrix:
    """Return a matrix turned about its diagonal."""
    if not rows:
        return [[] for _ in range(height)]
    return [list(row) for row in zip(*rows, strict=True)]
