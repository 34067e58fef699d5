"""The routines of a mechanism."""

from __future__ import annotations

from collections.abc import Iterable

from freebody.mechanics.mechanism import Mechanism
from freebody.programs.closed import Closed
from freebody.programs.outputs import Output, output
from freebody.programs.routine import Routine
from freebody.programs.workspace import Workspace


def written(mechanism: Mechanism, outputs: Iterable[str]) -> dict[str, Routine]:
    """Return the routine of each output.

    Parameters
    ----------
    mechanism : Mechanism
    outputs : iterable of str
        See `freebody.programs.outputs`.

    Raises
    ------
    ProgramError
        If there is no such output.
    DerivationError
        If there is no such place.

    Examples
    --------
    >>> import freebody
    >>> pendulum = freebody.mechanism(freebody.load("pendulum"))
    >>> list(written(pendulum, ["accelerations"])["accelerations"].arguments)
    ['t', 'q', 'u', 'inputs', 'constants']
    """
    workspace = Workspace(mechanism)
    terms = Closed(workspace)
    return {name: _routine(workspace, name, output(terms, name)) for name in outputs}


def _routine(workspace: Workspace, name: str, found: Output) -> Routine:
    program = workspace.program({name: list(found.entries)})
    parts = [*program.assignments.values(), *program.outputs[name]]
    used = {symbol for part in parts for symbol in part.free_symbols}
    arguments = {
        group: symbols
        for group, symbols in workspace.arguments.items()
        if symbols and (group in found.takes or not used.isdisjoint(symbols))
    }
    return Routine(name, found.title, arguments, program, {name: found.shape})
