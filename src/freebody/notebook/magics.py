"""Cells of a notebook that hold a model or a page of equations: ``%%freebody``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from freebody.errors import ArgumentError, FreebodyError
from freebody.notebook.folded import STYLE

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

USAGE = """expected '%%freebody model [NAME]' over a model, or '%%freebody check [MODEL]' over a
page of equations; NAME is the variable that becomes the model, MODEL one or a shipped model"""


def register(shell: InteractiveShell) -> None:
    """Add the magic to a shell of IPython."""

    def freebody(line: str, cell: str) -> Any:
        """Read a cell as a model, or check it as a page: %%freebody model, %%freebody check."""
        return _run(shell.user_ns, line, cell)

    shell.register_magic_function(freebody, "cell")


def _run(variables: dict[str, Any], line: str, cell: str) -> Any:
    """Do what a cell asks for; what is wrong with it is told without a traceback."""
    word, _, name = (part.strip() for part in line.strip().partition(" "))
    doing: Mapping[str, Callable[[dict[str, Any], str, str], Any]] = {
        "model": _model,
        "check": _check,
    }
    try:
        if word not in doing:
            raise ArgumentError(f"{USAGE}, found '{line.strip()}'")
        return doing[word](variables, name, cell)
    except FreebodyError as error:
        return Told(str(error))


class Told:
    """What is wrong with a cell.

    Attributes
    ----------
    message : str
    """

    def __init__(self, message: str) -> None:
        self.message = message

    def __repr__(self) -> str:
        return self.message

    def _repr_html_(self) -> str:
        return f'{STYLE}<div class="freebody"><pre>{escape(self.message)}</pre></div>'


def _model(variables: dict[str, Any], name: str, cell: str) -> Any:
    from freebody.model import loads

    name = name or "model"
    if not name.isidentifier():
        raise ArgumentError(f"expected the name of a variable, found '{name}'")
    variables[name] = loads(cell, f"cell of '{name}'")
    return variables[name]


def _check(variables: dict[str, Any], name: str, cell: str) -> Any:
    import freebody

    path = Path(f".freebody_cell_{os.getpid()}.md")
    against = variables.get(name, name) if name else None
    try:
        path.write_text(cell, encoding="utf-8")
        if against is None:
            return freebody.check(path)
        return freebody.check(path, against=against)
    except OSError as error:
        raise ArgumentError(f"a page cannot be written here: {error.strerror}") from None
    finally:
        path.unlink(missing_ok=True)
