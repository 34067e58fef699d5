"""The routines of a mechanism: each written as briefly as we know how, and verified."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import chain

from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program
from freebody.programs.cells import Cell
from freebody.programs.closed import Closed
from freebody.programs.outputs import Output, output
from freebody.programs.recursion import Recursive
from freebody.programs.routine import Routine
from freebody.programs.terms import Terms
from freebody.programs.verification import Verification
from freebody.programs.workspace import Symbols, Workspace

LARGEST = 6
"""Up to how many speeds closed forms are tried besides the recursion."""

SOLVED = ("accelerations", "rhs", "multipliers")
"""The outputs that can be verified only where both accelerations and multipliers are known."""


def written(mechanism: Mechanism, outputs: Iterable[str]) -> dict[str, Routine]:
    """Return the routine of each output.

    It is written by recursion over the links, and up to `LARGEST` speeds from closed forms too:
    the smaller program is taken. Each is verified before it is given out.

    Parameters
    ----------
    mechanism : Mechanism
    outputs : iterable of str
        See `freebody.programs.outputs`.

    Raises
    ------
    ProgramError
        If there is no such output, or a program does not hold.
    DerivationError
        If there is no such place.

    Examples
    --------
    >>> import freebody
    >>> pendulum = freebody.mechanism(freebody.load("pendulum"))
    >>> routine = written(pendulum, ["accelerations"])["accelerations"]
    >>> list(routine.arguments)
    ['t', 'q', 'u', 'inputs', 'constants']
    >>> routine.operations < 20
    True
    """
    writer = Writer(mechanism)
    return {name: writer.routine(name) for name in outputs}


class Writer:
    """All programs of a mechanism, which share what each is written from.

    Parameters
    ----------
    mechanism : Mechanism
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.workspace = Workspace(mechanism)
        self.verification = Verification(mechanism, self.workspace.leaves)
        self._verified: set[str] = set()
        self._kept: dict[str, tuple[Terms, Output]] = {}

    def routine(self, name: str) -> Routine:
        """Return the routine of an output."""
        _, found = self.kept(name)
        self.verify(name)
        program = self._program(name, found.entries)
        return Routine(
            name, found.title, self._arguments(found, program), program, {name: found.shape}
        )

    def kept(self, name: str) -> tuple[Terms, Output]:
        """Return the briefest way to write an output, and whose it is."""
        if name not in self._kept:
            ways = [(terms, output(terms, name)) for terms in self._terms]
            self._kept[name] = min(ways, key=lambda way: self._size(way[1]))
        return self._kept[name]

    @cached_property
    def _terms(self) -> list[Terms]:
        found: list[Terms] = [Recursive(self.workspace)]
        if len(self.mechanism.speeds) <= LARGEST:
            found.append(Closed(self.workspace))
        return found

    def _size(self, found: Output) -> int:
        return len(self.workspace.graph.needed(found.entries))

    def verify(self, name: str) -> None:
        """Verify an output once, and first what it is the derivative of.

        Raises
        ------
        ProgramError
            If it does not hold.
        """
        if name in self._verified:
            return
        terms, found = self.kept(name)
        if found.of is None:
            entries = list(found.entries)
            if name in SOLVED:
                first = terms.accelerations if name == "multipliers" else []
                last = terms.multipliers if name != "multipliers" else []
                entries = [*first, *entries, *last]
            self.verification.verify(name, self._program(name, entries))
        else:
            whole, by = found.of
            self.verify(whole)
            self.verification.verify_derivative(
                name,
                self._program(whole, self.kept(whole)[1].entries),
                self._program(name, found.entries),
                self.workspace.arguments[by],
            )
        self._verified.add(name)

    def _program(self, name: str, entries: Iterable[Cell]) -> Program:
        return self.workspace.program({name: list(entries)})

    def _arguments(self, found: Output, program: Program) -> dict[str, Symbols]:
        parts = [*program.assignments.values(), *chain(*program.outputs.values())]
        used = {symbol for part in parts for symbol in part.free_symbols}
        return {
            group: symbols
            for group, symbols in self.workspace.arguments.items()
            if symbols and (group in found.takes or not used.isdisjoint(symbols))
        }
