"""Cells of a notebook that hold a model or a page of equations: ``%%freebody``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from freebody.errors import ArgumentError, FreebodyError
from freebody.notebook.folded import STYLE

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from freebody.checking.report import Report

TITLE = "the cell"
"""What a page in a cell is called that has no title of its own."""
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
        return CellProblem(str(error))


class CellProblem:
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
    path = Path(f".freebody_cell_{os.getpid()}.md")
    try:
        path.write_text(cell, encoding="utf-8")
        report = _checked(path, variables.get(name, name) if name else None)
    except OSError as error:
        raise ArgumentError(f"a page cannot be written here: {error.strerror}") from None
    finally:
        path.unlink(missing_ok=True)
    pages = [
        replace(one, document=TITLE, title=TITLE) if one.title == path.stem else one
        for one in report.documents
    ]
    return replace(report, documents=tuple(pages))


def _checked(path: Path, against: Any) -> Report:
    """Check a page; held against a model, in the letters in which a notebook shows that."""
    import freebody
    from freebody.checking.grading import ENDINGS, grade
    from freebody.model import Model, load
    from freebody.model.printed import printed_names

    if against is None:
        return freebody.check(path)
    if isinstance(against, str) and Path(against).suffix not in ENDINGS:
        against = load(against)
    if not isinstance(against, Model):
        return freebody.check(path, against=against)
    letters = {latex: name for name, latex in printed_names(against).items()}
    return grade([path], against, letters={**_entries(against), **letters})


def _entries(model: Any) -> dict[str, str]:
    """Return the letters of the entries of the equations of motion, as a notebook shows them."""
    places = range(1, len(model.speeds or model.coordinates) + 1)
    blocks = {"C": "C", "G": "G", "E": "E", r"\tau": "tau"}
    vectors = {
        f"{letter}_{{{i}}}": f"equations.{block}[{i}]"
        for letter, block in blocks.items()
        for i in places
    }
    pairs = product(places, repeat=2)
    return {**vectors, **{f"M_{{{i}{j}}}": f"equations.M[{i},{j}]" for i, j in pairs}}
