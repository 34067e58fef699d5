"""Where the outputs of a mechanism are worked out: one graph for all that they share."""

from __future__ import annotations

from functools import cached_property

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.mechanics.balances import Balances
from freebody.mechanics.constraints import rows
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Assignments, Program
from freebody.programs.cells import Cell, Graph

Symbols = tuple[sympy.Symbol, ...]


class Workspace:
    """A mechanism in the cells of one graph.

    Attributes
    ----------
    mechanism : Mechanism
    graph : Graph
        Its leaves are symbols with the names of the model.
    arguments : dict of str to tuple of sympy.Symbol
        All groups of arguments.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, names = mechanism, mechanism.names
        self._multipliers = {
            symbol: sympy.Dummy(str(symbol.func)) for symbol in mechanism.multipliers
        }
        self.graph = Graph(self.plain)
        groups = {
            "t": (dynamicsymbols._t,),
            "q": mechanism.coordinates,
            "u": mechanism.speeds,
            "a": mechanism.accelerations,
            "inputs": tuple(names.inputs.values()),
            "multipliers": mechanism.multipliers,
            "constants": tuple(names.constants.values()),
        }
        self.cells = {name: self.graph.values(group) for name, group in groups.items()}
        self.arguments: dict[str, Symbols] = {
            name: tuple(map(self.plain, group)) for name, group in groups.items()
        }
        self.leaves = {self.plain(leaf): leaf for group in groups.values() for leaf in group}

    def plain(self, leaf: sympy.Expr) -> sympy.Expr:
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
    def held(self) -> dict[str, list[Cell]]:
        """The constraints."""
        return rows(self.still)

    @cached_property
    def held_slopes(self) -> list[list[Cell]]:
        """The constraints' matrix J, m x n."""
        if not self.mechanism.equations:
            return []
        n, entries = len(self.mechanism.speeds), self.held["J"]
        return [entries[start : start + n] for start in range(0, len(entries), n)]

    def program(self, outputs: dict[str, list[Cell]]) -> Program:
        """Return the program of some cells, what depends on constants alone first."""
        graph = self.graph
        needed = graph.needed([cell for cells in outputs.values() for cell in cells])
        fixed = self._fixed(needed)
        assignments: Assignments = {}
        for place in sorted(needed, key=lambda place: (place not in fixed, place)):
            assignments[graph.symbol(place)] = graph.expression(place)
        return Program(
            assignments, {name: tuple(map(graph.atom, cells)) for name, cells in outputs.items()}
        )

    def _fixed(self, places: list[int]) -> set[int]:
        """Return those of some operations, in order, that depend on constants alone."""
        found = {cell.node for cell in self.cells["constants"]}
        for place in places:
            parts = self.graph.arguments(place)
            if all(part in found or self.graph.nodes[part][0] == "number" for part in parts):
                found.add(place)
        return found
