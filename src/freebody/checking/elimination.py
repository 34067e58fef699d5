"""What the equations of motion determine, so that a page can be compared free of them.

A printed equation holds if it is true of every motion that obeys the equations of motion.
Coordinates, speeds and accelerations are taken as free where the inputs of the actuators follow
from them (inverse dynamics); for coordinates without an actuator the accelerations follow.
"""

from __future__ import annotations

import sympy

from freebody.algebra import Form, Ring
from freebody.mechanics.equations import Equations


def eliminate(equations: Equations) -> dict[sympy.Expr, Form]:
    """Solve the equations of motion for inputs, and where there are too few, for accelerations.

    Returns
    -------
    dict of sympy.Expr to Form
        As many entries as there are coordinates; no form holds any of the keys.
    """
    ring, blocks = equations.blocks.ring, equations.blocks
    accelerations = [ring.form(rate) for rate in equations.mechanism.accelerations]
    rows = []
    for inertia, *rest in zip(blocks.M, blocks.C, blocks.G, blocks.E, blocks.tau, strict=True):
        c, g, e, tau = rest
        row = c + g + e - tau
        for entry, acceleration in zip(inertia, accelerations, strict=True):
            row = row + entry * acceleration
        rows.append(row)
    found: dict[sympy.Expr, Form] = {}
    left = []
    for row in rows:
        reduced = ring.substitute(row, found)
        pivot = _pivot(ring, reduced, equations.inputs)
        if pivot is None:
            left.append(reduced)
            continue
        found = _solved(ring, found, reduced, pivot)
    for row in left:
        reduced = ring.substitute(row, found)
        candidates = [a for a in equations.mechanism.accelerations if a not in found]
        pivot = next(a for a in candidates if _slope(ring, reduced, a))
        found = _solved(ring, found, reduced, pivot)
    return found


def _pivot(ring: Ring, row: Form, inputs: tuple[sympy.Expr, ...]) -> sympy.Expr | None:
    """Return an input that a row holds with a number as its coefficient."""
    for symbol in inputs:
        parts = ring.coefficients(row, (symbol,))
        if parts.keys() <= {(0,), (1,)} and (1,) in parts and parts[1,].is_number:
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
