"""The equations of motion and their derivatives as code, with outputs by name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from freebody.errors import nearest
from freebody.graph import Cell
from freebody.graph.code import Code
from freebody.graph.derivatives import derivatives
from freebody.linearization.errors import LinearizationError
from freebody.mechanics.constraints import rows
from freebody.mechanics.vectors import AXES
from freebody.programs.recursive import RneaTerms
from freebody.programs.workspace import Workspace
from freebody.simulation.setup import Setup

NAME = "linearization"
BALANCES = ("motion", "rates", "place", "held")
"""The outputs that vanish at rest in an equilibrium."""


class Written(NamedTuple):
    """Code of several outputs, one after another, and the shape of each."""

    code: Code
    shapes: dict[str, tuple[int, ...]]


def differentiated(workspace: Workspace, setup: Setup, outputs: Sequence[str]) -> Written:
    """Return the equations of motion with their derivatives, the inputs following their laws.

    The outputs of the code are those of `BALANCES`: ``motion``, the generalized forces that
    are not balanced, τ + Jᵀ λ - M u̇ - C - G - E, and -(J u̇ + γ); the ``rates`` of the coordinates;
    ``place``, what the holonomic constraints have left, and ``held``, J u + j. Besides, the
    ``outputs``, the ``laws`` of the inputs, and ``M`` and ``J``. All but the last two come with
    their derivatives by the coordinates, speeds and inputs, a column each.

    Raises
    ------
    LinearizationError
        If there is no such output.
    """
    graph, n = workspace.graph, len(workspace.mechanism.speeds)
    by = [cell for group in ("q", "u", "inputs") for cell in workspace.cells[group]]
    matrices = {"M": RneaTerms(workspace).mass_matrix, "J": workspace.held_slopes}
    cells = {name: list(chain(*entries)) for name, entries in matrices.items()}
    shapes: dict[str, tuple[int, ...]] = {name: (len(matrices[name]), n) for name in matrices}
    for name, part in _parts(workspace, setup, outputs).items():
        cells |= {name: part, f"d{name}": list(chain(*derivatives(graph, part, by)))}
        shapes |= {name: (len(part),), f"d{name}": (len(part), len(by))}
    return Written(_code(workspace, setup, list(chain(*cells.values()))), shapes)


def _parts(workspace: Workspace, setup: Setup, outputs: Sequence[str]) -> dict[str, list[Cell]]:
    """Return what is differentiated."""
    mechanism, graph, held = workspace.mechanism, workspace.graph, rows(workspace.motion)
    holonomic = [equation.holonomic for equation in mechanism.equations]
    forces = [workspace.balances.along(speed) for speed in mechanism.speeds]
    return {
        "motion": [-entry for entry in (*forces, *held["gamma"])],
        "rates": graph.values(mechanism.kinematics.values()),
        "place": [off for off, is_one in zip(held["residual"], holonomic, strict=True) if is_one],
        "held": held["rate"],
        "outputs": [_observed(workspace, name) for name in outputs],
        "laws": graph.values(setup.inputs.values()),
    }


def _code(workspace: Workspace, setup: Setup, cells: list[Cell]) -> Code:
    """Return the code of cells in which inputs follow their laws."""
    laws = workspace.graph.values(setup.inputs.values())
    given = dict(zip(workspace.cells["inputs"], laws, strict=True))
    groups = ("t", "q", "u", "a", "multipliers", "constants")
    return workspace.code(NAME, workspace.graph.substituted(cells, given), groups=groups)


def _observed(workspace: Workspace, name: str) -> Cell:
    """Return an output."""
    mechanism, motion = workspace.mechanism, workspace.motion
    names = mechanism.names
    states = {**names.coordinates, **names.rates, **names.speeds}
    if name in states:
        found: Cell = motion.value(mechanism.read(name))
        return found
    match name.split("."):
        case ["position" | "velocity" as what, place, axis] if axis in AXES:
            seen = motion.position if what == "position" else motion.velocity
            part: Cell = seen(mechanism.uses(place)).parts[AXES.index(axis)]
            return part
    raise LinearizationError(
        f"expected as output a coordinate, a speed, position.P.x or velocity.P.x with P one of "
        f"{', '.join(mechanism.named)}, found '{name}'" + nearest(name, states)
    )
