"""What is written in the workspace of a mechanism, as a function of numbers."""

from __future__ import annotations

from collections.abc import Iterable

from freebody.backends.constants import Constants
from freebody.backends.functions import Function
from freebody.backends.registry import backend as backend_module
from freebody.graph import Cell
from freebody.programs.workspace import Workspace


def function(
    workspace: Workspace, name: str, entries: Iterable[Cell], groups: Iterable[str], backend: str
) -> Function:
    """Return some cells as a function of some groups of arguments, in this order."""
    code = workspace.code(name, entries, groups=groups)
    return Function(code, backend_module(backend), Constants(workspace.mechanism.model))
