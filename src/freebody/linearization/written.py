"""The equations of motion as a program to differentiate, with outputs by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from freebody.errors import nearest
from freebody.linearization.errors import LinearizationError
from freebody.mechanics.constraints import rows
from freebody.mechanics.differentiate import differentiate
from freebody.mechanics.kane import program
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program, Tape
from freebody.mechanics.vectors import AXES
from freebody.simulation.setup import Setup

BALANCES = ("motion", "rates", "place", "held")
"""The outputs that vanish at rest in an equilibrium."""


def differentiated(mechanism: Mechanism, setup: Setup, outputs: Sequence[str]) -> Program:
    """Return the equations of motion with their derivatives.

    The outputs of the program are those of `BALANCES`: ``motion``, the generalized forces that
    are not balanced, τ + Jᵀ λ - M u̇ - C - G - E, and -(J u̇ + γ); the ``rates`` of the coordinates;
    ``place``, what the holonomic constraints have left, and ``held``, J u + j. Besides, the
    ``outputs``, the ``laws`` of the inputs, and ``M`` and ``J``. All but the last two come with
    their derivatives by the coordinates, speeds and inputs.

    Raises
    ------
    LinearizationError
        If there is no such output.
    """
    equations = program(mechanism, laws=True)
    tape = Tape()
    motion = Kinematics(mechanism, tape, still=True)
    held = rows(motion)
    holonomic = [equation.holonomic for equation in mechanism.equations]
    parts = {
        "motion": [*_forces(mechanism, equations), *_accelerations(mechanism, equations)],
        "rates": list(mechanism.kinematics.values()),
        "place": [off for off, is_one in zip(held["residual"], holonomic, strict=True) if is_one],
        "held": held["rate"],
        "outputs": [_observed(motion, name) for name in outputs],
        "laws": list(setup.inputs.values()),
    }
    matrices = {name: equations.outputs[name] for name in ("M", "J")}
    written = Program.of({**equations.assignments, **tape.assignments}, {**matrices, **parts})
    by = (*mechanism.coordinates, *mechanism.speeds, *mechanism.names.inputs.values())
    return differentiate(written, tuple(parts), by)


def _forces(mechanism: Mechanism, equations: Program) -> Iterator[sympy.Expr]:
    """Iterate over the generalized forces that are not balanced."""
    accelerations, multipliers = mechanism.accelerations, mechanism.multipliers
    n, out = len(mechanism.speeds), equations.outputs
    for row in range(n):
        inertia = out["M"][row * n : (row + 1) * n]
        holding = out["J"][row::n]
        yield sympy.Add(
            out["tau"][row],
            *(-out[name][row] for name in ("C", "G", "elastic", "external")),
            *(-entry * rate for entry, rate in zip(inertia, accelerations, strict=True)),
            *(entry * force for entry, force in zip(holding, multipliers, strict=True)),
        )


def _accelerations(mechanism: Mechanism, equations: Program) -> Iterator[sympy.Expr]:
    """Iterate over minus what the accelerations leave of the constraints."""
    n = len(mechanism.speeds)
    for row, bias in enumerate(equations.outputs["gamma"]):
        slopes = equations.outputs["J"][row * n : (row + 1) * n]
        pairs = zip(slopes, mechanism.accelerations, strict=True)
        yield sympy.Add(-bias, *(-entry * rate for entry, rate in pairs))


def _observed(motion: Kinematics, name: str) -> Any:
    """Return an output."""
    mechanism = motion.mechanism
    names = mechanism.names
    states = {**names.coordinates, **names.rates, **names.speeds}
    if name in states:
        return motion.value(mechanism.read(name))
    match name.split("."):
        case ["position" | "velocity" as what, place, axis] if axis in AXES:
            seen = motion.position if what == "position" else motion.velocity
            return seen(mechanism.uses(place)).parts[AXES.index(axis)]
    raise LinearizationError(
        f"expected as output a coordinate, a speed, position.P.x or velocity.P.x with P one of "
        f"{', '.join(mechanism.named)}, found '{name}'" + nearest(name, states)
    )
