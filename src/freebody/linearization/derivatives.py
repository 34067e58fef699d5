"""The equations of motion with their derivatives, and the matrices that follow from these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from math import prod
from typing import Any, NamedTuple

import numpy as np

from freebody.arrays import Array
from freebody.backends.constants import Constants
from freebody.backends.evaluation import Call
from freebody.backends.functions import Function
from freebody.backends.registry import load_backend
from freebody.errors import LinearizationError, nearest
from freebody.graph.cells import Cell
from freebody.graph.code import Code
from freebody.graph.derivatives import jacobian
from freebody.mechanics.constraints import constraint_rows
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES
from freebody.programs.terms import RneaTerms
from freebody.programs.workspace import Workspace
from freebody.simulation.setup import Setup

NAME = "linearization"
BALANCES = ("motion", "rates", "position_constraints", "velocity_constraints")
"""The outputs that vanish at rest in an equilibrium."""


class LinearizationCode(NamedTuple):
    """Code of several outputs, one after another, and the shape of each."""

    code: Code
    shapes: dict[str, tuple[int, ...]]


def linearization_code(
    workspace: Workspace, setup: Setup, outputs: Sequence[str], constants: Sequence[str] = ()
) -> LinearizationCode:
    """Return the equations of motion with their derivatives, the inputs following their laws.

    The outputs of the code are those of `BALANCES`: ``motion``, the generalized forces that
    are not balanced, τ + Jᵀ λ - M u̇ - C - G - E, and -(J u̇ + γ); the ``rates`` of the coordinates;
    ``position_constraints``, the residuals of the holonomic ones, and ``velocity_constraints``,
    J u + j. Besides, the ``outputs``, the ``laws`` of the inputs, and ``M`` and ``J``. All but the
    last two come with their derivatives by the coordinates, speeds, inputs and ``constants``, a
    column each.

    Parameters
    ----------
    workspace : Workspace
    setup : Setup
        The laws of the inputs.
    outputs : sequence of str
        Names of coordinates and speeds, ``position.P.x``, ``velocity.P.x``.
    constants : sequence of str, optional
        Names of constants.

    Raises
    ------
    LinearizationError
        If there is no such output.
    """
    graph, n = workspace.graph, len(workspace.mechanism.speeds)
    by = [cell for group in ("q", "u", "inputs") for cell in workspace.cells[group]]
    known = dict(
        zip(workspace.mechanism.names.constants, workspace.cells["constants"], strict=True)
    )
    by += [known[name] for name in constants]
    matrices = {"M": RneaTerms(workspace).mass_matrix, "J": workspace.constraint_matrix}
    cells = {name: list(chain(*entries)) for name, entries in matrices.items()}
    shapes: dict[str, tuple[int, ...]] = {name: (len(matrices[name]), n) for name in matrices}
    for name, part in _parts(workspace, setup, outputs).items():
        cells |= {name: part, f"d{name}": list(chain(*jacobian(graph, part, by)))}
        shapes |= {name: (len(part),), f"d{name}": (len(part), len(by))}
    return LinearizationCode(_code(workspace, setup, list(chain(*cells.values()))), shapes)


def _parts(workspace: Workspace, setup: Setup, outputs: Sequence[str]) -> dict[str, list[Cell]]:
    """Return what is differentiated."""
    mechanism, graph, constraints = (
        workspace.mechanism,
        workspace.graph,
        constraint_rows(workspace.motion),
    )
    holonomic = [equation.holonomic for equation in mechanism.equations]
    forces = [workspace.balances.along(speed) for speed in mechanism.speeds]
    return {
        "motion": [-entry for entry in (*forces, *constraints["gamma"])],
        "rates": graph.values(mechanism.kinematics.values()),
        "position_constraints": [
            off for off, is_one in zip(constraints["residual"], holonomic, strict=True) if is_one
        ],
        "velocity_constraints": constraints["rate"],
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
        observed: Cell = motion.value(mechanism.read(name))
        return observed
    match name.split("."):
        case ["position" | "velocity" as what, place, axis] if axis in AXES:
            seen = motion.position if what == "position" else motion.velocity
            part: Cell = seen(mechanism.uses(place)).parts[AXES.index(axis)]
            return part
    raise LinearizationError(
        f"expected as output a coordinate, a speed, position.P.x or velocity.P.x with P one of "
        f"{', '.join(mechanism.named)}, found '{name}'" + nearest(name, states)
    )


# ------------------------------------------------------------------ numbers


class Derivatives:
    """What the motion of a mechanism obeys, with its derivatives by the state and the inputs.

    Parameters
    ----------
    mechanism : Mechanism
    setup : Setup
        The constants and the laws of the inputs.
    outputs : sequence of str
        Names of coordinates and speeds, ``position.P.x``, ``velocity.P.x``.
    constants : sequence of str, optional
        Names of constants by which it is differentiated too.

    Raises
    ------
    LinearizationError
        If there is no such output.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        setup: Setup,
        outputs: Sequence[str],
        constants: Sequence[str] = (),
    ) -> None:
        self.mechanism, self.setup, self.outputs = mechanism, setup, tuple(outputs)
        self.n, self.m = len(mechanism.speeds), len(mechanism.multipliers)
        written = linearization_code(Workspace(mechanism), setup, outputs, constants)
        self._shapes = written.shapes
        self._function = Function(
            written.code, load_backend("numpy"), Constants.of(mechanism.model)
        )
        self._constants = np.array([*setup.constants.values()])

    @cached_property
    def _call(self) -> Call:
        return self._function.bind(self._constants)

    def at(self, t: Any, q: Array, u: Array, a: Array, multipliers: Array) -> dict[str, Array]:
        """Return the outputs of `linearization_code`.

        Parameters
        ----------
        t : float or array, shape (times,)
        q, u, a, multipliers : array, shape (n,), (m,) or (times, n), (times, m)
            Coordinates, speeds, the derivatives of the speeds, and the forces of the constraints.

        Returns
        -------
        dict of str to array, shape (times, rows) or (times, rows, columns)
            Derivatives have a column for each coordinate, speed, input and constant.

        Raises
        ------
        LinearizationError
            If one is not finite.
        """
        moving = {"t": t, "q": q, "u": u, "a": a, "multipliers": multipliers}
        given = [moving[name] for name in self._function.arguments if name in moving]
        values = (self._at_many_times if np.ndim(t) else self._call)(*given).reshape(np.size(t), -1)
        if not np.isfinite(values).all():
            raise LinearizationError("a value or a derivative is not finite at the state")
        parts = np.split(values, list(accumulate(map(prod, self._shapes.values()))), axis=1)
        pairs = zip(self._shapes.items(), parts, strict=False)
        return {name: part.reshape(len(values), *shape) for (name, shape), part in pairs}

    def _at_many_times(self, *given: Array) -> Array:
        """Return all outputs at many times."""
        fixed = (self._constants,) if len(self._constants) else ()
        values: Array = self._function(*given, *fixed)
        return values


# ------------------------------------------------------------------ matrices

DIMENSIONS = {"A": ("state", "by"), "B": ("state", "input"), "C": ("output", "by")}
"""Of the matrices, beside the time."""
METHOD = "exact derivatives"
SINGULAR = 1e12
"""The condition number from which a matrix counts as singular."""


@dataclass(frozen=True)
class Matrices:
    """A linearized motion at one or more times.

    Attributes
    ----------
    A : array, shape (times, k, k)
        Of the independent coordinates and speeds x: ẋ by x.
    B : array, shape (times, k, inputs)
    C : array, shape (times, outputs, k)
    tangent : array, shape (times, 2 n, k)
        All coordinates and speeds by the independent ones.
    """

    A: Array
    B: Array
    C: Array
    tangent: Array


def dependent(mechanism: Mechanism) -> list[int]:
    """Return where, among coordinates and then speeds, those are that constraints decide."""
    speeds = [mechanism.speeds.index(speed) for speed in mechanism.dependent_speeds]
    return [*mechanism.decided, *(len(mechanism.speeds) + speed for speed in speeds)]


def independent(mechanism: Mechanism) -> list[int]:
    """Return where those are that no constraint decides."""
    decided = dependent(mechanism)
    return [place for place in range(2 * len(mechanism.speeds)) if place not in decided]


def matrices(mechanism: Mechanism, values: dict[str, Array], *, closed_loop: bool) -> Matrices:
    """Return the matrices of a linearized motion from values and derivatives.

    The equations of motion and constraints are varied as a whole, multipliers included:
    M δu̇ - Jᵀ δλ and J δu̇ are the variation of all else. That is then restricted to the variations
    of the state that the constraints allow.

    Parameters
    ----------
    mechanism : Mechanism
    found : dict of str to array
        What `Derivatives` gives.
    closed_loop : bool
        Whether inputs follow their laws, rather than keep their values.

    Raises
    ------
    LinearizationError
        If the mass matrix is singular, or the constraints do not decide what depends on them.
    """
    states = 2 * len(mechanism.speeds)
    varied = np.concatenate([values["drates"], _accelerations(mechanism, values)], axis=1)
    A, B = varied[..., :states], varied[..., states:]
    if closed_loop:
        A = A + B @ values["dlaws"][..., :states]
    tangent, kept = _tangent(mechanism, values), independent(mechanism)
    C = values["doutputs"][..., :states]
    return Matrices(A[:, kept] @ tangent, B[:, kept], C @ tangent, tangent)


def _accelerations(mechanism: Mechanism, values: dict[str, Array]) -> Array:
    """Return the derivatives of the accelerations."""
    M, J, right = values["M"], values["J"], values["dmotion"]
    n = M.shape[-1]
    if mechanism.is_redundant:
        places = [mechanism.speeds.index(speed) for speed in mechanism.dependent_speeds]
        across = _across(J[..., places])
        J, right = across @ J, np.concatenate([right[:, :n], across @ right[:, n:]], axis=1)
    m = J.shape[1]
    whole = np.zeros((len(M), n + m, n + m))
    whole[:, :n, :n], whole[:, :n, n:], whole[:, n:, :n] = M, -J.transpose(0, 2, 1), J
    return _solved(whole, right, "the equations are singular at the state")[:, :n]


def _across(columns: Array) -> Array:
    """Return what combines equations, of which some follow from others, into independent ones."""
    return np.linalg.qr(columns)[0].transpose(0, 2, 1).astype(np.float64)


def _tangent(mechanism: Mechanism, values: dict[str, Array]) -> Array:
    """Return all coordinates and speeds by the independent ones."""
    states = 2 * len(mechanism.speeds)
    decided, kept = dependent(mechanism), independent(mechanism)
    allowed = np.concatenate(
        [values["dposition_constraints"], values["dvelocity_constraints"]], axis=1
    )[..., :states]
    message = f"the constraints do not decide {', '.join(mechanism.dependent)} at the state"
    tangent = np.zeros((len(allowed), states, len(kept)))
    tangent[:, kept] = np.eye(len(kept))
    before, after = allowed[..., decided], allowed[..., kept]
    if mechanism.is_redundant:
        across = _across(before)
        before, after = across @ before, across @ after
    tangent[:, decided] = -_solved(before, after, message)
    return tangent


def _solved(matrix: Array, right: Array, message: str) -> Array:
    if matrix.shape[-1] and np.any(np.linalg.cond(matrix) > SINGULAR):
        raise LinearizationError(message)
    return np.linalg.solve(matrix, right).astype(np.float64)
