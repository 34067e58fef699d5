"""What an impact does: speeds after it, its impulses, and the energy that it takes."""

from __future__ import annotations

from typing import Any

from sympy.polys.domains import QQ

from freebody.checking.quantities.families.family import Family, Rows, Source, one_of
from freebody.errors import DerivationError
from freebody.mechanics.impacts import Impact, impact_named
from freebody.programs.ltdl import LtdlFactors, dot, matrix_times, transposed

MOST = 6
"""The most equations that are solved in closed form."""
HALF = QQ(1, 2)


def _after(source: Source, impact: str, speed: str) -> Rows:
    """Return a speed after an impact, by its name or that of its coordinate."""
    names = source.equations.mechanism.names
    speeds = list(names.speeds)
    known = [*speeds, *names.coordinates]
    place = known.index(one_of(speed, known)) % len(speeds)
    return [[source.form(source.equations.speeds[place]) + _solved(source, impact)[0][place]]]


def _impulse(source: Source, impact: str, label: str = "") -> Rows:
    """Return an impulse, along the axis that it is labelled by."""
    found = impact_named(source.equations.mechanism, impact)
    labels = [equation.label for equation in found.equations]
    if label not in labels:
        known = ", ".join(".".join(filter(None, (impact, name))) for name in labels)
        raise DerivationError(f"expected impulse of {known}")
    return [[_solved(source, impact)[1][labels.index(label)]]]


def _energy_lost(source: Source, impact: str) -> Rows:
    """Return the kinetic energy before an impact less that after it."""
    change = _solved(source, impact)[0]
    speeds = [source.form(speed) for speed in source.equations.speeds]
    zero = source.motion.zero
    momentum = matrix_times(source.blocks.M, change, zero)
    whole = dot(momentum, speeds, zero) + dot(momentum, change, zero).scaled(HALF)
    return [[-whole]]


def _solved(source: Source, name: str) -> tuple[list[Any], list[Any]]:
    """Return how much the speeds change, and the impulses: of the impact, then of constraints."""
    moving, motion = source.equations.mechanism, source.motion
    impact: Impact = impact_named(moving, name)
    moving.expect_independent("an impact in closed form")
    equations = [*impact.equations, *moving.equations]
    if max(len(equations), len(moving.speeds)) > MOST:
        raise DerivationError(f"it is written out for at most {MOST} speeds and equations")
    zero, one = motion.zero, source.form(1)
    J = [[equation.slope(motion, speed) for speed in moving.speeds] for equation in equations]
    rests = [one + source.form(e) for e in impact.restitutions]
    rates = [equation.rate(motion) for equation in impact.equations]
    closing = [-(rest * rate) for rest, rate in zip(rests, rates, strict=True)]
    right = [*closing, *(zero for _ in moving.equations)]
    inertia = LtdlFactors(source.blocks.M, one)
    yielding = [inertia.solve(row) for row in J]
    square = [[dot(row, column, zero) for column in yielding] for row in J]
    try:
        impulses = LtdlFactors(square, one).solve(right)
    except ZeroDivisionError:
        raise DerivationError(f"the equations of impact '{name}' follow from each other") from None
    return inertia.solve(matrix_times(transposed(J), impulses, zero)), impulses


FAMILIES = {
    "after": Family(_after, "after.<impact>.<speed>", "one"),
    "impulse": Family(_impulse, "impulse.<impact> or impulse.<impact>.x", "one"),
    "energy_lost": Family(_energy_lost, "energy_lost.<impact>", "one"),
}
"""Families of quantities by the first part of their paths."""
