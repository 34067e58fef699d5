"""Where the equations of a document are printed, and in what notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from freebody.checking.report import DocumentReport, Report
from freebody.documents import Document, read_bare, read_document
from freebody.documents.latex import LatexError
from freebody.errors import DocumentError


def _as_printed(latex: str) -> str:
    return latex


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the equations of a document are printed, and in what notation.

    Attributes
    ----------
    file : str
        The file; empty where it is not known.
    expand : callable
        Takes LaTeX, and returns it with the macros of the page expanded.
    """

    file: str = ""
    expand: Callable[[str], str] = _as_printed


def origin(document: Document) -> Origin:
    """Return where the equations of a document are printed."""
    macros = document.page.macros

    def expand(latex: str) -> str:
        try:
            return macros.without(latex)
        except LatexError:
            return latex

    return Origin(str(document.source or document.path), expand)


def origins_of(report: Report) -> list[Origin]:
    """Return where the documents of a report are printed, in its order."""
    return [
        Origin(one.source) if one.language else origin_of(one.source, report.graded)
        for one in report.documents
    ]


def origin_of(source: str, graded: bool) -> Origin:
    """Return where the equations of a file are printed; `graded` where it needs no front matter."""
    if not source:
        return Origin()
    try:
        return origin(read_bare(Path(source), "") if graded else read_document(Path(source)))
    except DocumentError:  # it was another when it was checked
        return Origin(source)


def with_origins(
    report: Report, origins: Sequence[Origin]
) -> Iterator[tuple[DocumentReport, Origin]]:
    """Iterate over the documents of a report, each with its origin where that is known."""
    unknown = [Origin()] * (len(report.documents) - len(origins))
    return zip(report.documents, [*origins, *unknown], strict=True)
