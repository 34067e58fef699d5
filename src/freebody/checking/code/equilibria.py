"""Where a model stays, and its linear equations there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy

from freebody.algebra import Form
from freebody.algebra.expressions import Reference
from freebody.algebra.linear import solve
from freebody.algebra.terms import TooLargeError
from freebody.algebra.units import dimension
from freebody.checking.quantities.derived import Quantities
from freebody.errors import FreebodyError

if TYPE_CHECKING:
    from freebody.checking.code.reference import DerivedAtPoint, Frame

MOST = 3
"""Of how many coordinates equilibria are looked for."""
POTENTIAL = Reference(("energy", "potential"), (), 1)
ANGLES = (sympy.S.Zero, sympy.pi, sympy.pi / 2, -sympy.pi / 2)


@dataclass(frozen=True)
class Equilibrium:
    """A position in which the model stays, and its linear equations there.

    Attributes
    ----------
    coordinates : tuple of sympy.Expr
    mass, stiffness, damping, inputs : tuple of tuple of sympy.Expr
        M, and what forces change by with coordinates, speeds and inputs.
    height : float
        The potential energy, with all constants 1.
    """

    coordinates: tuple[sympy.Expr, ...]
    mass: tuple[tuple[sympy.Expr, ...], ...]
    stiffness: tuple[tuple[sympy.Expr, ...], ...]
    damping: tuple[tuple[sympy.Expr, ...], ...]
    inputs: tuple[tuple[sympy.Expr, ...], ...]
    height: float


@lru_cache(maxsize=32)
def equilibria(quantities: Quantities) -> tuple[Equilibrium, ...]:
    """Return where a model stays with its angles at multiples of a right angle, and no input."""
    mechanism = quantities.mechanism
    own = mechanism.coordinates
    if len(own) > MOST or mechanism.constraints or mechanism.model.speeds:
        return ()
    try:
        return tuple(_found(quantities))
    except (TooLargeError, FreebodyError):
        return ()


def _found(quantities: Quantities) -> list[Equilibrium]:
    mechanism, equations, ring = quantities.mechanism, quantities.equations, quantities.ring
    own, blocks = mechanism.coordinates, equations.blocks
    with ring.budget.work():
        forces = [
            tau - c - g - e
            for tau, c, g, e in zip(blocks.tau, blocks.C, blocks.G, blocks.E, strict=True)
        ]
        slopes = [
            [[ring.partial(one, by) for by in many] for one in forces]
            for many in (own, equations.speeds, equations.inputs)
        ]
        energy = quantities.lower(ring.form(quantities.resolve(POTENTIAL)))
        out = []
        for values in product(*(_values(quantities, name) for name in mechanism.model.coordinates)):
            given = {one: ring.form(value) for one, value in zip(own, values, strict=True)}
            at = partial(_at, quantities, given)
            if any(at(one) != 0 for one in forces):
                continue
            K, D, B = ([tuple(map(at, row)) for row in rows] for rows in slopes)
            height = at(energy)
            height = float(height.subs(dict.fromkeys(height.free_symbols, 1)))
            M = tuple(tuple(map(at, row)) for row in blocks.M)
            out.append(Equilibrium(values, M, tuple(K), tuple(D), tuple(B), height))
    return out


def _at(quantities: Quantities, given: Mapping[sympy.Expr, Form], form: Form) -> sympy.Expr:
    return quantities.ring.expression(quantities.at_rest(form, given))


def _values(quantities: Quantities, name: str) -> tuple[sympy.Expr, ...]:
    unit = quantities.mechanism.model.coordinates[name].unit
    return ANGLES if dimension(unit) != dimension("m") else ANGLES[:1]


def entry(derived: DerivedAtPoint, target: tuple[Any, ...], frame: Frame) -> Any:
    """Return an entry of a linear model, in the coordinates of a frame."""
    _, name, number, (order, place), column = target
    zero, one = derived.at.values([sympy.S.Zero, sympy.S.One])
    if order == 0:
        return one if name == "A" and column == (1, place) else zero
    known = derived.remembered(("linear", number), lambda: _rates(derived, number))
    if name == "B":
        rows = known[2]
        parts = [(frame.slopes[place, k], row[column]) for k, row in enumerate(rows)]
    else:
        rows = known[column[0]]
        parts = [
            (frame.slopes[place, k] * frame.back[j, column[1]], value)
            for k, row in enumerate(rows)
            for j, value in enumerate(row)
        ]
    total = zero
    for factor, value in parts:
        total = total + value * factor if factor else total
    return total


def _rates(derived: DerivedAtPoint, number: int) -> list[list[list[Any]]]:
    """Return what accelerations change by with coordinates, speeds and inputs."""
    there = equilibria(derived.quantities)[number]

    def at(rows: Sequence[Sequence[sympy.Expr]]) -> list[list[Any]]:
        return [derived.at.values(row) for row in rows]

    mass = at(there.mass)
    return [
        solve(mass, at(rows)) if rows[0] else []
        for rows in (there.stiffness, there.damping, there.inputs)
    ]
