"""The files that hold equations: their text, and the front matter that they begin with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from freebody.documents.computed import with_outputs
from freebody.documents.converted import FORMATS, converted, formulas_are_mathml
from freebody.documents.document import Document, FrontMatter
from freebody.documents.encodings import read_page_text
from freebody.documents.inputs import macros_beside, scripted_macros, with_inputs
from freebody.documents.latex.page.blanks import Language
from freebody.documents.latex.page.blocks import in_latex
from freebody.documents.latex.page.continued import with_continued
from freebody.documents.latex.page.declared import with_names
from freebody.documents.latex.page.literal import with_directives, with_displays, with_fences
from freebody.documents.latex.page.page import Cell
from freebody.documents.latex.page.pictures import with_formulas
from freebody.documents.latex.page.restructured import padded
from freebody.documents.latex.page.tables import with_equations
from freebody.documents.latex.page.tags import with_primes, with_scripts
from freebody.documents.notebook import read_notebook
from freebody.errors import DocumentError
from freebody.files import FileError, advice_by_ending

FENCE = "+++"
LANGUAGES: Mapping[str, Language] = {
    ".tex": "latex",
    ".ipynb": "markdown",
    **dict.fromkeys((".qmd", ".rmd", ".Rmd", ".markdown", ".mkd", ".mdx", ".txt"), "markdown"),
    ".rst": "rst",
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys(FORMATS, "markdown"),
}
"""What files besides ``.md`` are written in, by their endings."""
PAGES = tuple(LANGUAGES)
"""Endings of the files, besides ``.md``, whose equations can be read."""
FRONTED = (".md", ".tex", ".ipynb")
"""Endings of the files that may hold front matter of a document."""
MAX_MARKUP = 5_000_000
"""Most bytes of a page of HTML."""

_FRONT = re.compile(r"\+\+\+[ \t]*\r?\n(.*?)^\+\+\+", re.DOTALL | re.MULTILINE)
_COMMENTED = re.compile(
    r"(?:[ \t]*(?:%(?![ \t]*\+\+\+)[^\n]*)?\r?\n)*"
    r"[ \t]*%[ \t]*\+\+\+[ \t]*\r?\n((?:[ \t]*%[^\n]*\n)*?)[ \t]*%[ \t]*\+\+\+"
)
_COMMENT = re.compile(r"^[ \t]*% ?", re.MULTILINE)
_IN_CELLS = (with_fences, with_scripts, with_names, in_latex, with_equations, with_continued)
"""What is done to the cells of a notebook, whose lines stay."""
_PREPARED: Mapping[Language, tuple[Callable[[str], str], ...]] = {
    "rst": (with_directives, padded),
    "markdown": (with_outputs, with_formulas, *_IN_CELLS),
    "html": (with_displays, with_primes, partial(with_formulas, is_html=True), with_scripts),
}
"""What is done to a page before it is read, one after another."""


@dataclass(frozen=True, slots=True)
class Source:
    """What stands in a file: its text, and its front matter where it has any."""

    path: Path
    text: str
    start: int
    language: Language
    cells: tuple[Cell, ...]
    front: str | None
    macros: str = ""

    def document(self, front: FrontMatter) -> Document:
        """Return the document of this page."""
        return Document(
            self.path,
            front,
            self.text,
            self.start,
            self.language,
            self.cells,
            macros=self.macros,
        )


def read_source(path: Path) -> Source:
    """Read a file of equations.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    if advice := advice_by_ending(path, (".md", *PAGES)):
        raise DocumentError.whole(path, advice)
    if path.suffix == ".ipynb":
        return _notebook(path)
    if path.suffix in FORMATS:
        text, cells = converted(path)
        return Source(path, text, 0, "markdown", cells, None)
    language = LANGUAGES.get(path.suffix, "markdown")
    try:
        text = read_page_text(path, MAX_MARKUP) if language == "html" else read_page_text(path)
    except FileError as error:
        raise DocumentError.whole(path, error.reason) from None
    if language == "html" and formulas_are_mathml(text):
        text, cells = converted(path)
        return Source(path, text, 0, "markdown", cells, None)
    if language == "latex":
        text, cells = with_inputs(path, text)
        found = _COMMENTED.match(text)
        front = _COMMENT.sub("", found[1]) if found else None
        start, macros = found.end() if found else 0, macros_beside(path, text)
        return Source(path, text, start, "latex", cells, front, macros)
    found = _FRONT.match(text)
    start = found.end() if found else 0
    front, body = text[:start], text[start:].replace("\r\n", "\n")
    for prepared in _PREPARED.get(language, ()):
        body = prepared(body)
    macros = scripted_macros(path, text) if language in ("html", "rst") else ""
    return Source(path, front + body, start, language, (), found and found[1], macros)


def front_of(path: Path) -> str:
    """Return the front matter of a file in Markdown; nothing where it has none.

    Raises
    ------
    FileError
        If it cannot be read.
    """
    found = _FRONT.match(read_page_text(path))
    return found[1] if found else ""


def _notebook(path: Path) -> Source:
    notebook = read_notebook(path)
    text, cells = notebook.text, notebook.cells
    found = _FRONT.match(text, 0, cells[0].stop) if cells else None
    start = found.end() if found else 0
    body = text[start:]
    for prepared in _IN_CELLS:
        body = prepared(body)
    cells = tuple(_on_the_same_lines(cells, text, text[:start] + body))
    return Source(path, text[:start] + body, start, "markdown", cells, found and found[1])


def _on_the_same_lines(cells: Iterable[Cell], old: str, new: str) -> Iterator[Cell]:
    """Iterate over cells where they stand in a text with the same lines."""
    starts = [0, *(found.end() for found in re.finditer("\n", new)), len(new) + 1]
    for cell in cells:
        first, last = (old.count("\n", 0, place) for place in (cell.start, cell.stop))
        yield replace(cell, start=starts[first], stop=starts[last + 1] - 1)
