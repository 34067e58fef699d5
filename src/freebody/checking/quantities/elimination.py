"""What the equations of motion determine, so that a page can be compared free of them.

A printed equation holds if it is true of every motion that obeys the equations of motion.
Coordinates, speeds and accelerations are taken as free where the inputs of the actuators follow
from them (inverse dynamics); for coordinates without an actuator the accelerations follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring
from freebody.checking.grid import Grid
from freebody.errors import DerivationError
from freebody.mechanics.equations import Equations

Slopes = Mapping[int, Mapping[int, Form]]
"""Accelerations that are given, by number: their derivatives by the others that are not zero."""


def eliminate(
    equations: Equations,
    assumed: Callable[[Form], Form] = lambda form: form,
    given: Slopes | None = None,
    open_: tuple[sympy.Expr, ...] = (),
) -> dict[sympy.Expr, Form]:
    """Solve the equations of motion for inputs, and where there are too few, for accelerations.

    What constraints decide comes first: the dependent speeds, their accelerations, and the forces
    of the constraints.

    Parameters
    ----------
    equations : Equations
    assumed : callable, optional
        What becomes of an equation under an assumption.
    given : mapping of int to mapping of int to Form, optional
        What accelerations are given as functions of others. Whatever makes a motion the given one
        does no work in any other: the equation of a given acceleration that no input takes part
        in is added to those of the others as often as they move it.
    open_ : tuple of sympy.Expr, optional
        Constants and speeds that equations without anything else to solve for are solved for.

    Returns
    -------
    dict of sympy.Expr to Form
        No form holds any of the keys.
    """
    ring = equations.ring
    found: dict[sympy.Expr, Form] = {}
    for row, symbols in _constraint_equations(equations):
        found = _solved_for(ring, found, assumed(ring.substitute(row, found)), symbols)
    left: dict[int, Form] = {}
    for number, row in enumerate(map(assumed, rows(equations))):
        reduced = assumed(ring.substitute(row, found))
        pivot = _pivot(ring, reduced, equations.inputs)
        if pivot is None:
            left[number] = reduced
            continue
        found = _solved(ring, found, reduced, pivot)
    unknown = (*equations.multipliers, *equations.mechanism.accelerations)
    for row in _coupled(left, given or {}):
        reduced = assumed(ring.substitute(row, found))
        solved = _solved_for(ring, found, reduced, unknown)
        pivot = _pivot(ring, reduced, open_, numbers=False) if solved is found else None
        found = solved if pivot is None else _solved(ring, found, reduced, pivot)
    return found


def _coupled(left: Mapping[int, Form], given: Slopes) -> list[Form]:
    """Return rows with those of given accelerations added to the others."""
    kept = {number: row for number, row in left.items() if number not in given}
    for number, slopes in given.items():
        for other in slopes.keys() & kept.keys() if number in left else ():
            kept[other] = kept[other] + left[number] * slopes[other]
    return list(kept.values())


def rows(equations: Equations) -> Iterator[Form]:
    """Iterate over the equations of motion, everything on one side."""
    ring, blocks = equations.ring, equations.blocks
    accelerations = ring.forms(equations.mechanism.accelerations)
    multipliers = ring.forms(equations.multipliers)
    vectors = zip(blocks.M, blocks.C, blocks.G, blocks.E, blocks.tau, strict=True)
    for i, (inertia, c, g, e, tau) in enumerate(vectors):
        row = c + g + e - tau
        for entry, acceleration in zip(inertia, accelerations, strict=True):
            row = row + entry * acceleration
        for held, multiplier in zip(blocks.J, multipliers, strict=True):
            row = row - held[i] * multiplier
        yield ring.divided_out(row)


def _constraint_equations(equations: Equations) -> Iterator[tuple[Form, list[sympy.Expr]]]:
    """Iterate over the equations of constraints between speeds, then between accelerations."""
    moving = equations.mechanism
    speeds = list(moving.dependent_speeds)
    for equation in moving.equations:
        yield equation.rate(equations.motion), speeds
    for equation in moving.equations:
        rate = equation.second(equations.motion)
        yield rate, [speed.diff(dynamicsymbols._t) for speed in speeds]


def _solved_for(
    ring: Ring, found: dict[sympy.Expr, Form], row: Form, symbols: Iterable[sympy.Expr]
) -> dict[sympy.Expr, Form]:
    """Solve a row for the first of some symbols that it holds and that is not known yet.

    A row that holds none, since what it decides is given, says nothing.
    """
    unknown = (symbol for symbol in symbols if symbol not in found and _slope(ring, row, symbol))
    pivot = next(unknown, None)
    return found if pivot is None else _solved(ring, found, row, pivot)


def _pivot(
    ring: Ring, row: Form, symbols: Iterable[sympy.Expr], *, numbers: bool = True
) -> sympy.Expr | None:
    """Return a symbol that a row is linear in, with a number as its coefficient or with any."""
    for symbol in symbols:
        parts = ring.coefficients(row, (symbol,))
        is_linear = parts.keys() <= {(0,), (1,)} and (1,) in parts
        if is_linear and (parts[1,].is_number or not numbers):
            return symbol
    return None


def _slope(ring: Ring, row: Form, symbol: sympy.Expr) -> Form:
    return ring.coefficients(row, (symbol,)).get((1,), ring.zero)


def _solved(
    ring: Ring, found: dict[sympy.Expr, Form], row: Form, symbol: sympy.Expr
) -> dict[sympy.Expr, Form]:
    """Solve a row for a symbol that it is linear in, and put that into what was found before."""
    parts = ring.coefficients(row, (symbol,))
    value = -parts.get((0,), ring.zero) / parts[1,]
    known = {other: ring.substitute(form, {symbol: value}) for other, form in found.items()}
    return {**known, symbol: value}


def accelerations(equations: Equations) -> dict[sympy.Expr, Form]:
    """Return the accelerations by the state and the inputs.

    Raises
    ------
    DerivationError
        If the model has constraints.
    """
    blocks, moving = equations.blocks, equations.mechanism
    if moving.constraints:
        raise DerivationError("accelerations of a model with constraints are not written out")
    pulls = [
        [tau - c - g - e]
        for tau, c, g, e in zip(blocks.tau, blocks.C, blocks.G, blocks.E, strict=True)
    ]
    rows = (Grid.made(blocks.M).inverse() * Grid.made(pulls)).entries()
    return dict(zip(moving.accelerations, rows, strict=True))
