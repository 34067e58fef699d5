"""A Jupyter notebook as one page: its Markdown cells, and the formulas that its code has put out.

Nothing of it is executed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freebody.documents.computed import computed, text_of
from freebody.documents.latex.page.page import Cell
from freebody.documents.latex.page.pictures import with_formulas
from freebody.errors import DocumentError
from freebody.files import FileError, read_text

MAX_BYTES = 50_000_000
"""Most bytes of a notebook, which may hold pictures."""

MAX_TEXT = 1_000_000
"""Most characters of its Markdown cells and printed formulas."""

_APART = "\n\n"


@dataclass(frozen=True, slots=True)
class Notebook:
    """The text of a notebook: its Markdown cells and outputs with an empty line between them.

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
    """Read a notebook of format 4, or of format 3.

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
            path, f"expected at most {MAX_TEXT} characters in cells and formulas, found more"
        )
    return _joined(sources)


def _joined(sources: dict[str, str]) -> Notebook:
    cells, text = [], ""
    for place, source in sources.items():
        cells.append(Cell(place, len(text), len(text) + len(source)))
        text += source + _APART
    return Notebook(text, tuple(cells))


def _sources(path: Path, data: Any) -> dict[str, str]:
    """Return the text of the cells, with a raw one before all others, and of outputs, by place."""
    cells = cells_of(data)
    if cells is None:
        form = data.get("nbformat") if isinstance(data, dict) else None
        found = "none" if form is None else f"format {form}"
        raise DocumentError.whole(path, f"expected a notebook of format 4, found {found}")
    kinds = [cell.get("cell_type") if isinstance(cell, dict) else None for cell in cells]
    is_first, named = True, set[str]()
    texts: dict[str, str] = {}
    for number, (kind, cell) in enumerate(zip(kinds, cells, strict=True), 1):
        if kind == "markdown" or (kind == "raw" and is_first):
            texts[f"cell {number}"] = _source(path, number, cell)
        elif kind == "code":
            code = text_of(cell.get("source")) or ""
            shown = _APART.join(computed(code, _outputs(cell), named))
            if shown:
                texts[f"output of cell {number}"] = shown
        is_first = is_first and kind not in ("markdown", "raw")
    return texts


def cells_of(data: Any) -> list[Any] | None:
    """Return the cells of a notebook in format 4, or in format 3 as 4 has them; None of no other.

    Examples
    --------
    >>> old = {"cell_type": "heading", "level": 2, "source": "Motion"}
    >>> cells_of({"nbformat": 3, "worksheets": [{"cells": [old]}]})
    [{'cell_type': 'markdown', 'source': '## Motion'}]
    """
    if not isinstance(data, dict):
        return None
    if data.get("nbformat") == 3 and isinstance(data.get("worksheets"), list):
        sheets = [one for one in data["worksheets"] if isinstance(one, dict)]
        every = [one.get("cells") for one in sheets]
        return [_renewed(cell) for cells in every if isinstance(cells, list) for cell in cells]
    cells = data.get("cells")
    return cells if data.get("nbformat") == 4 and isinstance(cells, list) else None


def _renewed(cell: Any) -> Any:
    """Return a cell of format 3 as format 4 has it."""
    if not isinstance(cell, dict):
        return cell
    if cell.get("cell_type") == "heading":
        level = cell["level"] if cell.get("level") in range(1, 7) else 1
        return {"cell_type": "markdown", "source": "#" * level + f" {text_of(cell.get('source'))}"}
    if cell.get("cell_type") == "code":
        shown = [
            {"output_type": "execute_result", "data": {"text/latex": output["latex"]}}
            for output in _outputs(cell)
            if "latex" in output
        ]
        return {"cell_type": "code", "source": cell.get("input", ""), "outputs": shown}
    return cell


def _outputs(cell: dict[str, Any]) -> list[dict[str, Any]]:
    outputs = cell.get("outputs")
    return [one for one in outputs if isinstance(one, dict)] if isinstance(outputs, list) else []


def _source(path: Path, number: int, cell: dict[str, Any]) -> str:
    text = text_of(cell.get("source", ""))
    if text is None:
        raise DocumentError.whole(path, f"cell {number}: expected text as its source")
    return with_formulas(text) if cell.get("cell_type") == "markdown" else text
