"""The terms of the equations of motion, and what follows from them alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

from freebody.errors import ProgramError
from freebody.graph import Cell
from freebody.graph.derivatives import derivatives
from freebody.programs.ltdl import Factors, Matrix, dot, times, transposed
from freebody.programs.workspace import Workspace

Column = list[Cell]


class Terms(ABC):
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
        return times(self.mass_matrix, accelerations, self.zero)

    def inverse_dynamics(self, accelerations: Sequence[Cell]) -> Column:
        """Return M u̇ + C + G + E, what the actuators must give."""
        rows = (self.inertial(accelerations), self.bias, self.gravity, self.external)
        return [m + c + g + e for m, c, g, e in zip(*rows, strict=True)]

    @cached_property
    def factors(self) -> Factors:
        """The mass matrix in factors.

        Raises
        ------
        ProgramError
            If it is singular whatever the position.
        """
        return self._factored(self.mass_matrix)

    @cached_property
    def multipliers(self) -> Column:
        """The forces λ of the constraints, from J M⁻¹ Jᵀ λ = - γ - J M⁻¹ (τ - C - G - E)."""
        slopes = self.workspace.held_slopes
        if not slopes:
            return []
        factors, forcing = self._held
        free = factors.solve(forcing)
        yielding = [factors.solve(row) for row in slopes]
        matrix = [[dot(row, column, self.zero) for column in yielding] for row in slopes]
        change = times(slopes, free, self.zero)
        right = [-(a + b) for a, b in zip(self.workspace.held["gamma"], change, strict=True)]
        return self._factored(matrix).solve(right)

    @cached_property
    def accelerations(self) -> Column:
        """u̇."""
        slopes = self.workspace.held_slopes
        if not slopes:
            return self.factors.solve(self.forcing)
        factors, forcing = self._held
        pushed = times(transposed(slopes), self.multipliers, self.zero)
        return factors.solve([a + b for a, b in zip(forcing, pushed, strict=True)])

    @cached_property
    def _held(self) -> tuple[Factors, Column]:
        """What is solved with constraints: M u̇, or (M + Jᵀ J) u̇ where M alone is singular.

        On both sides Jᵀ J u̇ = - Jᵀ γ is added: the same motion, and the same multipliers.
        """
        try:
            return self.factors, self.forcing
        except ProgramError:
            across = transposed(self.workspace.held_slopes)
            rows = zip(self.mass_matrix, across, strict=True)
            added = [
                [m + dot(column, other, self.zero) for m, other in zip(row, across, strict=True)]
                for row, column in rows
            ]
            back = times(across, self.workspace.held["gamma"], self.zero)
            forcing = [a - b for a, b in zip(self.forcing, back, strict=True)]
            return self._factored(added), forcing

    def _factored(self, matrix: Matrix) -> Factors:
        try:
            return Factors(matrix, self.one)
        except ZeroDivisionError:
            raise ProgramError(
                "the mass matrix is singular in every position: expected a mass or an inertia "
                "that each speed moves"
            ) from None

    def acceleration_slopes(self, by: Sequence[Cell]) -> Matrix:
        """Return the derivatives of u̇, where there are no constraints.

        They follow from those of M u̇ + C + G + E - τ for accelerations that are kept.
        """
        graph, kept = self.workspace.graph, self.workspace.cells["a"]
        pairs = zip(self.inverse_dynamics(kept), self.actuation, strict=True)
        slopes = transposed(derivatives(graph, [a - b for a, b in pairs], by))
        given = dict(zip(kept, self.accelerations, strict=True))
        columns = [self.factors.solve(graph.substituted(column, given)) for column in slopes]
        return [[-entry for entry in row] for row in transposed(columns)]
