"""The equations of motion as a program to differentiate, with outputs by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from freebody.errors import nearest
from freebody.linearization.errors import LinearizationError
from freebody.mechanics.balances import Balances
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
    tape = Tape()
    motion = Kinematics(mechanism, tape, laws=True)
    held = rows(motion)
    holonomic = [equation.holonomic for equation in mechanism.equations]
    parts = {
        "motion": [-entry for entry in (*_forces(motion), *held["gamma"])],
        "rates": list(mechanism.kinematics.values()),
        "place": [off for off, is_one in zip(held["residual"], holonomic, strict=True) if is_one],
        "held": held["rate"],
        "outputs": [_observed(motion, name) for name in outputs],
        "laws": list(setup.inputs.values()),
    }
    by = (*mechanism.coordinates, *mechanism.speeds, *mechanism.names.inputs.values())
    found = differentiate(Program.of(tape.assignments, parts), tuple(parts), by)
    equations = program(mechanism, laws=True)
    matrices = {name: equations.outputs[name] for name in ("M", "J")}
    assignments = {**equations.assignments, **found.assignments}
    return Program.of(assignments, {**matrices, **found.outputs})


def _forces(motion: Kinematics) -> Iterator[Any]:
    """Iterate over the balances of the free bodies along the speeds: they are short programs."""
    balances = Balances(motion)
    return (balances.along(speed) for speed in motion.mechanism.speeds)


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
