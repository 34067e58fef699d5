"""The files that hold equations: their text, and the front matter that they begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from freebody.documents.document import Document, FrontMatter
from freebody.documents.latex.page.blanks import Language
from freebody.documents.latex.page.page import Cell
from freebody.documents.notebook import read_notebook
from freebody.errors import DocumentError, Problem
from freebody.files import FileError, advice_by_ending, read_text

FENCE = "+++"
PAGES = (".tex", ".ipynb")
"""Endings of the files, besides Markdown, whose equations can be read."""

_FRONT = re.compile(r"\+\+\+[ \t]*\r?\n(.*?)^\+\+\+", re.DOTALL | re.MULTILINE)
_COMMENTED = re.compile(
    r"(?:[ \t]*(?:%(?![ \t]*\+\+\+)[^\n]*)?\r?\n)*"
    r"[ \t]*%[ \t]*\+\+\+[ \t]*\r?\n((?:[ \t]*%[^\n]*\n)*?)[ \t]*%[ \t]*\+\+\+"
)
_COMMENT = re.compile(r"^[ \t]*% ?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """What stands in a file: its text, and its front matter where it has any."""

    path: Path
    text: str
    start: int
    language: Language
    cells: tuple[Cell, ...]
    front: str | None

    def document(self, front: FrontMatter) -> Document:
        """Return the document of this page."""
        return Document(self.path, front, self.text, self.start, self.language, self.cells)


def read_source(path: Path) -> Source:
    """Read a file of equations.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    if told := advice_by_ending(path, (".md", *PAGES)):
        raise DocumentError(str(path), [Problem("", told)])
    if path.suffix == ".ipynb":
        return _notebook(path)
    try:
        text = read_text(path)
    except FileError as error:
        raise DocumentError(str(path), [Problem("", error.reason)]) from None
    if path.suffix == ".tex":
        found = _COMMENTED.match(text)
        front = _COMMENT.sub("", found[1]) if found else None
        return Source(path, text, found.end() if found else 0, "latex", (), front)
    found = _FRONT.match(text)
    return Source(path, text, found.end() if found else 0, "markdown", (), found and found[1])


def _notebook(path: Path) -> Source:
    notebook = read_notebook(path)
    text, cells = notebook.text, notebook.cells
    found = _FRONT.match(text, 0, cells[0].stop) if cells else None
    return Source(path, text, found.end() if found else 0, "markdown", cells, found and found[1])
