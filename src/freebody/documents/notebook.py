"""The Markdown cells of a Jupyter notebook, read as one page. Nothing of it is executed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freebody.documents.latex.page.page import Cell
from freebody.errors import DocumentError
from freebody.files import FileError, read_text

MAX_BYTES = 50_000_000
"""Most bytes of a notebook, which may hold pictures."""

MAX_TEXT = 1_000_000
"""Most characters of its Markdown cells."""

_APART = "\n\n"


@dataclass(frozen=True, slots=True)
class Notebook:
    """The text of a notebook: its Markdown cells with an empty line between them.

    Attributes
    ----------
    text : str
        The text, with that of a raw cell before all others.
    cells : tuple of Cell
        Where each cell stands in it.
    """

    text: str
    cells: tuple[Cell, ...]


def read_notebook(path: Path) -> Notebook:
    """Read a notebook of format 4.

    Raises
    ------
    DocumentError
        If it cannot be read or is no notebook.
    """
    try:
        data = json.loads(read_text(path, MAX_BYTES))
    except FileError as error:
        raise DocumentError.whole(path, error.reason) from None
    except (ValueError, RecursionError) as error:
        raise DocumentError.whole(path, f"not a notebook: no JSON: {error}") from None
    sources = _sources(path, data)
    if sum(map(len, sources.values())) > MAX_TEXT:
        raise DocumentError.whole(
            path, f"expected at most {MAX_TEXT} characters in Markdown cells, found more"
        )
    return _joined(sources)


def _joined(sources: dict[int, str]) -> Notebook:
    cells, text = [], ""
    for number, source in sources.items():
        cells.append(Cell(f"cell {number}", len(text), len(text) + len(source)))
        text += source + _APART
    return Notebook(text, tuple(cells))


def _sources(path: Path, data: Any) -> dict[int, str]:
    """Return the text of the Markdown cells, and of a raw one before them, by their number."""
    form = data.get("nbformat") if isinstance(data, dict) else None
    cells = data.get("cells") if isinstance(data, dict) else None
    if form != 4 or not isinstance(cells, list):
        found = "none" if form is None else f"format {form}"
        raise DocumentError.whole(path, f"expected a notebook of format 4, found {found}")
    kinds = [cell.get("cell_type") if isinstance(cell, dict) else None for cell in cells]
    texts = [number for number, kind in enumerate(kinds) if kind in ("markdown", "raw")]
    meant = [number for number in texts if kinds[number] == "markdown" or number == texts[0]]
    return {number + 1: _source(path, number + 1, cells[number]) for number in meant}


def _source(path: Path, number: int, cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    text = "".join(source) if _is_lines(source) else source
    if not isinstance(text, str):
        raise DocumentError.whole(path, f"cell {number}: expected text as its source")
    return text.replace("\r\n", "\n")


def _is_lines(source: Any) -> bool:
    return isinstance(source, list) and all(isinstance(line, str) for line in source)
