"""The outputs of a mechanism as code: each written as briefly as we know how, and verified."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from freebody.graph import Cell, Code
from freebody.mechanics.mechanism import Mechanism
from freebody.programs.closed import Closed
from freebody.programs.outputs import SOLVED, Output, output
from freebody.programs.recursive import RneaTerms
from freebody.programs.terms import Terms
from freebody.programs.verification import Verification
from freebody.programs.workspace import GROUPS, Workspace

LARGEST = 6
"""Up to how many speeds closed forms are tried besides the recursion."""


def written(mechanism: Mechanism, outputs: Iterable[str]) -> dict[str, Code]:
    """Return the code of each output.

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

    Returns
    -------
    dict of str to Code
        Just what was verified.

    Examples
    --------
    >>> import freebody
    >>> pendulum = freebody.mechanism(freebody.load("pendulum"))
    >>> code = written(pendulum, ["accelerations"])["accelerations"]
    >>> list(code.arguments)
    ['t', 'q', 'u', 'inputs', 'constants']
    >>> code.operations < 20
    True
    """
    writer = Writer(mechanism)
    return {name: writer.code(name) for name in outputs}


class Writer:
    """All outputs of a mechanism, which share what each is written from.

    Parameters
    ----------
    mechanism : Mechanism
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.workspace = Workspace(mechanism)
        self.verification = Verification(mechanism, self.workspace.groups)
        self._ways: dict[str, tuple[Terms, Output]] = {}
        self._verified: dict[str, Code] = {}

    def code(self, name: str) -> Code:
        """Return the code of an output, verified once.

        Raises
        ------
        ProgramError
            If it does not hold.
        """
        if name not in self._verified:
            _, found = self._briefest(name)
            self._verified[name] = self._slopes(name, found) if found.of else self._whole(name)
        return self._verified[name]

    def _whole(self, name: str) -> Code:
        """Return the code of an output, cut out of all that is needed to verify it."""
        terms, found = self._briefest(name)
        entries = list(found.entries)
        first = terms.accelerations if name == "multipliers" else []
        last = terms.multipliers if name in SOLVED else []
        whole = self._code(name, found, [*first, *entries, *last])
        self.verification.verify(whole)
        return whole.only(whole.results[len(first) : len(first) + len(entries)], found.shape)

    def _slopes(self, name: str, found: Output) -> Code:
        """Return the code of the derivatives of an output, which is verified first."""
        of, by = found.of or ("", "")
        slopes = self._code(name, found, found.entries)
        self.verification.verify_derivative(self.code(of), slopes, by)
        return slopes

    def _code(self, name: str, found: Output, entries: Iterable[Cell]) -> Code:
        entries = list(entries)
        used = self.workspace.used(entries)
        groups = [group for group in GROUPS if group in found.takes or group in used]
        return self.workspace.code(name, entries, found.shape, groups, found.title)

    def _briefest(self, name: str) -> tuple[Terms, Output]:
        """Return the briefest way to write an output, and whose it is."""
        if name not in self._ways:
            ways = [(terms, output(terms, name)) for terms in self._terms]
            self._ways[name] = min(ways, key=lambda way: self._size(way[1]))
        return self._ways[name]

    @cached_property
    def _terms(self) -> list[Terms]:
        found: list[Terms] = [RneaTerms(self.workspace)]
        if len(self.mechanism.speeds) <= LARGEST:
            found.append(Closed(self.workspace))
        return found

    def _size(self, found: Output) -> int:
        return len(self.workspace.graph.needed(found.entries))
