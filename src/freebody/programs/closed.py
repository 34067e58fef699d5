"""The terms of the equations of motion from their closed form by Kane's method."""

from __future__ import annotations

from functools import cached_property

from freebody.graph import Cell
from freebody.mechanics.equations import Blocks
from freebody.mechanics.kane import program
from freebody.programs.terms import Column, Terms
from freebody.programs.workspace import Workspace


class Closed(Terms):
    """Kane's equations, with their common subexpressions."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        found = program(workspace.mechanism, workspace.graph, laws=True)
        self._blocks = Blocks.of(found.outputs, len(workspace.mechanism.speeds))

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
