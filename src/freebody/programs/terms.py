"""The terms of the equations of motion, and what follows from them alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property

import sympy

from freebody.errors import ProgramError
from freebody.graph.cells import Cell
from freebody.graph.derivatives import jacobian
from freebody.mechanics.balances import Wrench
from freebody.mechanics.equations import Blocks
from freebody.mechanics.kane import program
from freebody.mechanics.parts import Kind, Triple
from freebody.model.names import speed_names
from freebody.programs.aba import aba
from freebody.programs.crba import crba
from freebody.programs.links import JointMotion, Links
from freebody.programs.loads import LinkLoads
from freebody.programs.ltdl import LtdlFactors, Matrix, dot, matrix_times, transposed
from freebody.programs.rnea import Rnea, State
from freebody.programs.workspace import Workspace

SHOWN = 3
"""Of speeds that move no mass, so many are told by name."""

Column = list[Cell]


class EquationTerms(ABC):
    """M u̇ + C + G + E = τ + Jᵀ λ in the cells of a workspace.

    Parameters
    ----------
    workspace : Workspace
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.zero, self.one = workspace.graph.zero, workspace.graph.one

    @cached_property
    @abstractmethod
    def mass_matrix(self) -> Matrix:
        """M, n x n."""

    @cached_property
    @abstractmethod
    def bias(self) -> Column:
        """C."""

    @cached_property
    @abstractmethod
    def gravity(self) -> Column:
        """G."""

    @cached_property
    @abstractmethod
    def external(self) -> Column:
        """E."""

    @cached_property
    @abstractmethod
    def actuation(self) -> Column:
        """The generalized forces τ of the actuators."""

    @cached_property
    def forcing(self) -> Column:
        """τ - C - G - E."""
        rows = zip(self.actuation, self.bias, self.gravity, self.external, strict=True)
        return [tau - (c + g + e) for tau, c, g, e in rows]

    def inertial(self, accelerations: Sequence[Cell]) -> Column:
        """Return M u̇."""
        return matrix_times(self.mass_matrix, accelerations, self.zero)

    def inverse_dynamics(self, accelerations: Sequence[Cell]) -> Column:
        """Return M u̇ + C + G + E, what the actuators must give."""
        rows = (self.inertial(accelerations), self.bias, self.gravity, self.external)
        return [m + c + g + e for m, c, g, e in zip(*rows, strict=True)]

    @cached_property
    def factors(self) -> LtdlFactors:
        """The mass matrix in factors.

        Raises
        ------
        ProgramError
            If it is singular whatever the position.
        """
        return self._factored(self.mass_matrix)

    @cached_property
    def multipliers(self) -> Column:
        """The forces λ of the constraints, from J M⁻¹ Jᵀ λ = - γ - J M⁻¹ (τ - C - G - E).

        Where equations of constraints follow from the others, those of least norm.
        """
        return self.workspace.spread(self._reduced_multipliers)

    @cached_property
    def _reduced_multipliers(self) -> Column:
        slopes, gamma = self.workspace.independent_rows
        if not slopes:
            return []
        factors, forcing = self._augmented
        free = factors.solve(forcing)
        yielding = [factors.solve(row) for row in slopes]
        matrix = [[dot(row, column, self.zero) for column in yielding] for row in slopes]
        change = matrix_times(slopes, free, self.zero)
        right = [-(a + b) for a, b in zip(gamma, change, strict=True)]
        return self._factored(matrix).solve(right)

    @cached_property
    def accelerations(self) -> Column:
        """u̇."""
        slopes, _ = self.workspace.independent_rows
        if not slopes:
            return self.factors.solve(self.forcing)
        factors, forcing = self._augmented
        pushed = matrix_times(transposed(slopes), self._reduced_multipliers, self.zero)
        return factors.solve([a + b for a, b in zip(forcing, pushed, strict=True)])

    @cached_property
    def _augmented(self) -> tuple[LtdlFactors, Column]:
        """What is solved with constraints: M u̇, or (M + Jᵀ J) u̇ where M alone is singular.

        On both sides Jᵀ J u̇ = - Jᵀ γ is added: the same motion, and the same multipliers.
        """
        try:
            return self.factors, self.forcing
        except ProgramError:
            slopes, gamma = self.workspace.independent_rows
            across = transposed(slopes)
            rows = zip(self.mass_matrix, across, strict=True)
            added = [
                [m + dot(column, other, self.zero) for m, other in zip(row, across, strict=True)]
                for row, column in rows
            ]
            back = matrix_times(across, gamma, self.zero)
            forcing = [a - b for a, b in zip(self.forcing, back, strict=True)]
            return self._factored(added), forcing

    def _factored(self, matrix: Matrix) -> LtdlFactors:
        try:
            return LtdlFactors(matrix, self.one)
        except ZeroDivisionError:
            raise self._singular() from None

    def _singular(self) -> ProgramError:
        """Return what is wrong where M has no inverse."""
        names = speed_names(self.workspace.mechanism.model)
        idle = [name for n, name in enumerate(names) if not self.mass_matrix[n][n]]
        shown = ", ".join(idle[:SHOWN]) + (f" and {len(idle) - SHOWN} more" * (len(idle) > SHOWN))
        which = f": {shown} moves none" if len(idle) == 1 else f": {shown} move none" * bool(idle)
        return ProgramError(
            "the mass matrix is singular in every position: expected a mass or an inertia that "
            f"each speed moves{which}"
        )

    def acceleration_slopes(self, by: Sequence[Cell]) -> Matrix:
        """Return the derivatives of u̇, where there are no constraints.

        They follow from those of M u̇ + C + G + E - τ for accelerations that are kept.
        """
        graph, kept = self.workspace.graph, self.workspace.cells["a"]
        pairs = zip(self.inverse_dynamics(kept), self.actuation, strict=True)
        slopes = transposed(jacobian(graph, [a - b for a, b in pairs], by))
        given = dict(zip(kept, self.accelerations, strict=True))
        columns = [self.factors.solve(graph.substituted(column, given)) for column in slopes]
        return [[-entry for entry in row] for row in transposed(columns)]


# ------------------------------------------------------------------ Kane's closed form


class KaneTerms(EquationTerms):
    """Kane's equations, with their common subexpressions."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        closed_form = program(workspace.mechanism, workspace.graph, laws=True)
        self._blocks = Blocks.of(closed_form.outputs, len(workspace.mechanism.speeds))

    @cached_property
    def mass_matrix(self) -> list[list[Cell]]:
        """M, n x n."""
        return self._blocks.M

    @cached_property
    def bias(self) -> Column:
        """C."""
        return self._blocks.C

    @cached_property
    def gravity(self) -> Column:
        """G."""
        return self._blocks.G

    @cached_property
    def external(self) -> Column:
        """E."""
        return self._blocks.E

    @cached_property
    def actuation(self) -> Column:
        """The generalized forces τ of the actuators."""
        return self._blocks.tau


# ------------------------------------------------------------------ recursion

LARGEST = 14
"""Up to how many freedoms accelerations from the mass matrix may take fewer operations."""
PASSIVE: tuple[Kind, ...] = ("elastic", "external")


class RneaTerms(EquationTerms):
    """The equations of motion by the recursive Newton-Euler algorithm, and M by composite bodies.

    The freedoms of the links are projected on the speeds, which costs nothing where each link has
    a speed of its own.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._links = links = Links(workspace)
        self.rnea = Rnea(links, absolute=_is_absolute(links))
        self.loads = LinkLoads(links, self.rnea)
        motions = self.rnea.motions
        self.slopes = self._matrix(motions)
        self._joint_slopes = self._matrix([link.motion for link in links.links])
        self.rests = workspace.graph.values(motion.rest for motion in motions)
        self._still = [self.zero] * len(motions)

    def _matrix(self, motions: Sequence[JointMotion]) -> Matrix:
        """Return the derivatives of rates by the speeds, row by row."""
        speeds = range(len(self.workspace.mechanism.speeds))
        zero, graph = sympy.S.Zero, self.workspace.graph
        return [graph.values(motion.slopes.get(u, zero) for u in speeds) for motion in motions]

    @cached_property
    def mass_matrix(self) -> Matrix:
        """M, n x n."""
        columns, H = transposed(self.slopes), crba(self.rnea)
        halves = [matrix_times(H, column, self.zero) for column in columns]
        rows = [[self._dot(column, half) for half in halves] for column in columns]
        return [[rows[max(i, j)][min(i, j)] for j in range(len(rows))] for i in range(len(rows))]

    def _dot(self, one: Sequence[Cell], other: Sequence[Cell]) -> Cell:
        return matrix_times([one], other, self.zero)[0]

    @cached_property
    def bias(self) -> Column:
        """C."""
        return self._projected(self._needed(self._moving()))

    @cached_property
    def gravity(self) -> Column:
        """G."""
        states = self.rnea.forward_pass(self._still, self._still, self.loads.base)
        return self._projected(self._needed(states, self.loads.wrenches(self.loads.heavy)))

    @cached_property
    def external(self) -> Column:
        """E."""
        return [-entry for entry in self._acting(PASSIVE)]

    @cached_property
    def actuation(self) -> Column:
        """The generalized forces τ of the actuators."""
        return self._acting(("actuation",))

    @cached_property
    def forcing(self) -> Column:
        """τ - C - G - E."""
        kinds: tuple[Kind, ...] = (*self.loads.heavy, *PASSIVE, "actuation")
        wrenches = self._needed(self._moving(base=self.loads.base), self.loads.wrenches(kinds))
        across = self._across((*PASSIVE, "actuation"))
        return [a - b for a, b in zip(across, self._projected(wrenches), strict=True)]

    @cached_property
    def accelerations(self) -> Column:
        """u̇, by the mass matrix or by articulated bodies: whichever takes fewer operations."""
        if self.workspace.mechanism.multipliers or not self._is_open:
            return super().accelerations
        try:
            ways = [self._by_bodies()]
        except ZeroDivisionError:
            raise self._singular() from None
        if len(self.slopes) <= LARGEST:
            ways.append(super().accelerations)
        return min(ways, key=lambda way: len(self.workspace.graph.needed(way)))

    @property
    def _is_open(self) -> bool:
        """Whether each freedom that moves at will has one speed more than those before."""
        known: set[int] = set()
        for link in self._links.links:
            new = link.motion.slopes.keys() - known
            if len(new) != bool(link.motion.slopes):
                return False
            known |= new
        return True

    def _by_bodies(self) -> Column:
        """Return u̇ by articulated bodies, joint by joint outward."""
        relative = Rnea(self._links, absolute=False)
        rests = self.workspace.graph.values(motion.rest for motion in relative.motions)
        states = relative.forward_pass(relative.rates, rests, self.loads.base)
        kinds: tuple[Kind, ...] = (*PASSIVE, "actuation")
        wrenches = self.loads.wrenches((*self.loads.heavy, *kinds))
        seconds = aba(relative, states, wrenches, self.loads.across(kinds))
        accelerations: dict[int, Cell] = {}
        for motion, slopes, second in zip(
            relative.motions, self._joint_slopes, seconds, strict=True
        ):
            for speed in motion.slopes.keys() - accelerations.keys():
                known = [
                    slopes[other] * accelerations[other]
                    for other in motion.slopes
                    if other in accelerations
                ]
                accelerations[speed] = (second - sum(known, self.zero)) / slopes[speed]
        return [accelerations[speed] for speed in sorted(accelerations)]

    def inertial(self, accelerations: Sequence[Cell]) -> Column:
        """Return M u̇."""
        seconds = matrix_times(self.slopes, accelerations, self.zero)
        states = self.rnea.forward_pass(self._still, seconds, self.rnea.none)
        return self._projected(self._needed(states))

    def inverse_dynamics(self, accelerations: Sequence[Cell]) -> Column:
        """Return M u̇ + C + G + E, what the actuators must give."""
        states = self._moving(accelerations, base=self.loads.base)
        wrenches = self.loads.wrenches((*self.loads.heavy, *PASSIVE))
        needed = self._projected(self._needed(states, wrenches))
        return [a - b for a, b in zip(needed, self._across(PASSIVE), strict=True)]

    # ------------------------------------------------------------------ parts of them

    def _moving(
        self, accelerations: Sequence[Cell] | None = None, base: Triple | None = None
    ) -> list[State]:
        seconds = self.rests
        if accelerations is not None:
            change = matrix_times(self.slopes, accelerations, self.zero)
            seconds = [a + b for a, b in zip(change, self.rests, strict=True)]
        return self.rnea.forward_pass(self.rnea.rates, seconds, base or self.rnea.none)

    def _needed(
        self, states: Sequence[State], wrenches: Iterable[Wrench] | None = None
    ) -> list[Cell]:
        """Return what the freedoms must give for a motion, besides loads on the links."""
        needed = [self.rnea.inertial_wrench(n, state) for n, state in enumerate(states)]
        if wrenches is not None:
            needed = [a - b for a, b in zip(needed, wrenches, strict=True)]
        return self.rnea.backward_pass(needed, states)

    def _acting(self, kinds: Sequence[Kind]) -> Column:
        carried = self._projected(self.rnea.backward_pass(self.loads.wrenches(kinds), None))
        return [a + b for a, b in zip(carried, self._across(kinds), strict=True)]

    def _across(self, kinds: Sequence[Kind]) -> Column:
        """Return the generalized forces of what acts across joints."""
        efforts = self.loads.across(kinds)
        return matrix_times(transposed(self._joint_slopes), efforts, self.zero)

    def _projected(self, forces: Sequence[Cell]) -> Column:
        """Return the generalized forces along the speeds."""
        return matrix_times(transposed(self.slopes), forces, self.zero)


def _is_absolute(links: Links) -> bool:
    """Return whether the speeds are nearer to turns from the ground than to those of joints."""
    turns = [link for link in links.links if link.freedom == "turn"]
    if links.flat is None:
        return False
    whole = sum(len(link.spin.slopes) for link in turns)
    return whole < sum(len(link.motion.slopes) for link in turns)
