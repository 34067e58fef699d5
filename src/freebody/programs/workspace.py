"""Where the outputs of a mechanism are worked out: one graph for all that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import sympy

from freebody.graph.cells import Cell
from freebody.graph.code import Code, Variable
from freebody.graph.graph import Graph
from freebody.mechanics.balances import Balances
from freebody.mechanics.constraints import constraint_rows
from freebody.mechanics.impacts import impact_rows
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.model.names import TIME
from freebody.programs.ltdl import dot, matrix_times, transposed

Groups = Mapping[str, Iterable[sympy.Expr]]


GROUPS = ("t", "q", "u", "a", "inputs", "multipliers", "constants")
"""The groups of arguments, in the order in which every function takes them."""


class Workspace:
    """A mechanism in the cells of one graph.

    Parameters
    ----------
    mechanism : Mechanism
    more : mapping of str to iterable of sympy.Expr, optional
        Groups of arguments besides those that every function takes.

    Attributes
    ----------
    mechanism : Mechanism
    graph : Graph
        Its leaves are symbols with the names of the model.
    groups : dict of str to tuple of sympy.Expr
        All groups of arguments.
    cells : dict of str to list of Cell
        The cells of these.
    """

    def __init__(self, mechanism: Mechanism, more: Groups | None = None) -> None:
        self.mechanism, names = mechanism, mechanism.names
        self._multipliers = {
            symbol: sympy.Dummy(str(symbol.func)) for symbol in mechanism.multipliers
        }
        self.graph = Graph(self._plain)
        groups: Groups = {
            "t": (TIME,),
            "q": mechanism.coordinates,
            "u": mechanism.speeds,
            "a": mechanism.accelerations,
            "inputs": names.inputs.values(),
            "multipliers": mechanism.multipliers,
            "constants": names.constants.values(),
            **(more or {}),
        }
        self.groups = {name: tuple(group) for name, group in groups.items()}
        self.cells = {name: self.graph.values(group) for name, group in self.groups.items()}

    def _plain(self, leaf: sympy.Expr) -> sympy.Expr:
        """Return the symbol that stands for a leaf in programs."""
        return self._multipliers.get(leaf) or self.mechanism.names.plain(leaf)

    @cached_property
    def motion(self) -> Kinematics:
        """How everything moves, in the ground frame."""
        return Kinematics(self.mechanism, self.graph, laws=True)

    @cached_property
    def still(self) -> Kinematics:
        """How everything moves while the speeds do not change."""
        return Kinematics(self.mechanism, self.graph, laws=True, still=True)

    @cached_property
    def balances(self) -> Balances:
        """What the joints transmit."""
        return Balances(self.motion)

    @cached_property
    def constraint_rows(self) -> dict[str, list[Cell]]:
        """The constraints."""
        return constraint_rows(self.still)

    @cached_property
    def impact_rows(self) -> dict[str, list[Cell]]:
        """The equations of all impacts."""
        return impact_rows(self.still)

    @cached_property
    def constraint_matrix(self) -> list[list[Cell]]:
        """The constraints' matrix J, m x n."""
        if not self.mechanism.equations:
            return []
        n, entries = len(self.mechanism.speeds), self.constraint_rows["J"]
        return [entries[start : start + n] for start in range(0, len(entries), n)]

    @cached_property
    def independent_rows(self) -> tuple[list[list[Cell]], list[Cell]]:
        """Equations between accelerations of which none follows from the others: J and γ.

        Where some of the model's do, its rows are combined by the columns of J along the speeds
        that depend on the rest. These span the range of J, so that nothing is lost.
        """
        J = self.constraint_matrix
        gamma = self.constraint_rows["gamma"] if J else []
        if not self.mechanism.is_redundant:
            return J, gamma
        across, zero = transposed(J), self.graph.zero
        combined = matrix_times(self._spanning, gamma, zero)
        rows = [[dot(column, other, zero) for other in across] for column in self._spanning]
        return rows, combined

    @cached_property
    def _spanning(self) -> list[list[Cell]]:
        """The columns of J along the dependent speeds."""
        across, mechanism = transposed(self.constraint_matrix), self.mechanism
        return [across[mechanism.speeds.index(speed)] for speed in mechanism.dependent_speeds]

    def spread(self, forces: list[Cell]) -> list[Cell]:
        """Return the forces of all constraints from those of the `independent_rows`."""
        if not self.mechanism.is_redundant:
            return forces
        if not forces:
            return [self.graph.zero] * len(self.mechanism.equations)
        return matrix_times(transposed(self._spanning), forces, self.graph.zero)

    def code(
        self,
        name: str,
        entries: Iterable[Cell],
        shape: tuple[int, ...] | None = None,
        groups: Iterable[str] | None = None,
        title: str = "",
    ) -> Code:
        """Return the code of some cells.

        Parameters
        ----------
        name : str
        entries : iterable of Cell
            Row by row.
        shape : tuple of int, optional
            By default one row.
        groups : iterable of str, optional
            The arguments, in order, but for empty ones; by default all.
        title : str, optional
        """
        entries = list(entries)
        arguments = {
            group: self._arguments[group]
            for group in (self.groups if groups is None else groups)
            if self.groups[group]
        }
        size = (len(entries),) if shape is None else shape
        return self.graph.code(name, arguments, entries, size, title)

    @cached_property
    def _arguments(self) -> dict[str, list[tuple[sympy.Expr, Variable]]]:
        """The groups of arguments as code takes them."""
        return {
            group: [(self._plain(leaf), self._described(leaf)) for leaf in leaves]
            for group, leaves in self.groups.items()
        }

    def _described(self, leaf: sympy.Expr) -> Variable:
        """Return what the model says of a leaf."""
        name = str(self._plain(leaf))
        entry = self._declared.get(name)
        unit = getattr(entry, "unit", None) or self._units.get(name, "")
        source = getattr(entry, "source", None) or ""
        return Variable(name, getattr(entry, "title", ""), unit, source)

    @cached_property
    def _declared(self) -> dict[str, Any]:
        model = self.mechanism.model
        groups = (model.coordinates, model.speeds, model.inputs, model.constants)
        return {name: entry for group in groups for name, entry in group.items()}

    @cached_property
    def _units(self) -> dict[str, str]:
        """The units of what is not declared."""
        model = self.mechanism.model
        return {
            **{f"{name}_dot": f"{entry.unit}/s" for name, entry in model.coordinates.items()},
            **{f"{name}_ddot": f"{entry.unit}/s**2" for name, entry in model.coordinates.items()},
            **{f"{name}_dot": f"{entry.unit}/s" for name, entry in model.speeds.items()},
            "t": "s",
        }

    def used(self, entries: Iterable[Cell]) -> set[str]:
        """Return the groups of arguments that some cells depend on."""
        reached = self.graph.reached(entries)
        return {
            group
            for group, cells in self.cells.items()
            if any(cell.node in reached for cell in cells)
        }
