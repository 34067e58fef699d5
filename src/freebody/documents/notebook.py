"""A Jupyter notebook as one page: its Markdown cells, and the formulas that its code has put out.

Nothing of it is executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freebody.documents.latex.page.page import Cell
from freebody.documents.latex.page.pictures import with_formulas
from freebody.errors import DocumentError
from freebody.files import FileError, read_text

MAX_BYTES = 50_000_000
"""Most bytes of a notebook, which may hold pictures."""

MAX_TEXT = 1_000_000
"""Most characters of its Markdown cells and printed formulas."""

_APART = "\n\n"
_FORMULA = re.compile(
    r"(?:\$\$?|\\begin\{(?P<name>equation\*?)\})\s*(?:\\displaystyle\s*)?(?P<formula>[^$]+?)\s*"
    r"(?(name)\\end\{(?P=name)\}|\$\$?)"
)
"""An output that is one formula, as computer algebra prints it."""
_DISPLAYED = re.compile(r"display\((.*)\)")
_SAME = r"(?:\.(?:simplify|expand|factor|doit|trigsimp)\(\))*"
_NAMED = re.compile(rf"([TVUKL])_?(\w{{0,3}}){_SAME}(?:\s*=[^=].*)?")
"""A line of a cell that shows an energy, or a Lagrangian, that it has by name."""
_OF_MOTION = re.compile(
    r"(?:\w+\.)*(?:(?:simplify|expand|factor|trigsimp)\()?"
    r"(?:(?:eq|eom|eqs|eoms)_?\w{0,6}|\w{1,8}_(?:eq|eom|eqs|eoms)|(?:L?E|EL)_?\d"
    r"|form_lagranges_equations\(\))"
    rf"(?:\[\d\])?(?:\.lhs|\.args\[0\])?\)?{_SAME}",
    re.IGNORECASE,
)
"""A line that shows what vanishes by an equation of motion."""
_ACCELERATED = re.compile(r"\\frac\{d\^\{2\}\}|\\ddot\b")
_FUNCTION = re.compile(r"\\operatorname\{([A-Za-z]_\{\w+\})\}")
"""How computer algebra prints a coordinate with an index that is a function of time."""
_STRING = re.compile(r"\\mathtt\{\\text\{([A-Za-z]\w{0,8})\}\}")
"""How it prints a name that is no symbol."""
_BARE = re.compile(r"(?!\\begin\{(?:tabular|longtable|table|center)\})[^$]*=[^$]*")
"""An equation without what would set it as one."""
_RELATED = re.compile(r"=|\\approx")


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
            shown = _APART.join(_shown(cell, named))
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
        return {"cell_type": "markdown", "source": "#" * level + f" {_text(cell.get('source'))}"}
    if cell.get("cell_type") == "code":
        outputs = cell.get("outputs")
        shown = [
            {"output_type": "execute_result", "data": {"text/latex": output["latex"]}}
            for output in (outputs if isinstance(outputs, list) else ())
            if isinstance(output, dict) and "latex" in output
        ]
        return {"cell_type": "code", "source": cell.get("input", ""), "outputs": shown}
    return cell


def _shown(cell: dict[str, Any], named: set[str]) -> Iterator[str]:
    """Iterate over the equations that the code of a cell has put out, as displays.

    An energy or a Lagrangian that is shown by its name is one as well, the first time: later it may
    be that of a special case. So is what vanishes by an equation of motion, by its name.
    """
    for formula, line in _formulas(cell):
        name = _NAMED.fullmatch(line)
        symbol = name and (f"{name[1]}_{{{name[2]}}}" if name[2] else name[1])
        if _RELATED.search(formula):
            yield f"$$\n{formula}\n$$"
        elif symbol and symbol not in named:
            named.add(symbol)
            yield f"$$\n{symbol} = {formula}\n$$"
        elif _OF_MOTION.fullmatch(line) and _ACCELERATED.search(formula):
            yield f"$$\n{formula} = 0\n$$"


def _formulas(cell: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Iterate over the formulas that a cell has put out, with the line of code that shows each.

    The last line has a result; lines before may display some, where there are so many of these.
    """
    every = cell.get("outputs")
    outputs = [one for one in every if isinstance(one, dict)] if isinstance(every, list) else []
    lines = [line.strip() for line in (_text(cell.get("source")) or "").strip().splitlines()]
    calls = [match[1].strip() for line in lines if (match := _DISPLAYED.fullmatch(line))]
    are_displayed = [one.get("output_type") == "display_data" for one in outputs]
    shown = iter(calls if len(calls) == sum(are_displayed) else [""] * len(outputs))
    last = lines[-1] if lines else ""
    for output, is_displayed in zip(outputs, are_displayed, strict=True):
        line = next(shown) if is_displayed else last
        data = output.get("data")
        latex = _text(data.get("text/latex")) if isinstance(data, dict) else None
        printed = latex.strip() if latex else ""
        match = _FORMULA.fullmatch(printed)
        formula = match["formula"] if match else printed if _BARE.fullmatch(printed) else ""
        if formula:
            yield _STRING.sub(r"\1", _FUNCTION.sub(r"\1", formula)), line


def _source(path: Path, number: int, cell: dict[str, Any]) -> str:
    text = _text(cell.get("source", ""))
    if text is None:
        raise DocumentError.whole(path, f"cell {number}: expected text as its source")
    return with_formulas(text) if cell.get("cell_type") == "markdown" else text


def _text(source: Any) -> str | None:
    """Return what is text, or its lines, and None of anything else."""
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return source.replace("\r\n", "\n") if isinstance(source, str) else None
