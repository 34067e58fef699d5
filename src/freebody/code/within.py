"""Listings within pages: the cells of a notebook, and blocks of code in Markdown and LaTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from freebody.code.listings import MOST_LINES, Front, Listing, front_of
from freebody.documents.latex.page.markdown import in_plain_letters
from freebody.documents.notebook import cells_of
from freebody.errors import DocumentError, ListingError
from freebody.files import FileError, read_text

NAMES: Mapping[str, str] = {
    name: language
    for language, names in {
        "python": "python py python3 ipython ipython3 sage",
        "matlab": "matlab octave m",
        "julia": "julia jl",
        "c": "c",
        "cpp": "cpp c++ cxx",
    }.items()
    for name in names.split()
}
"""What a page calls the languages that are read."""
MOST_CHARACTERS = 50_000_000
_FENCE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)\n(?P<body>.*?)^[ \t>]*(?P=fence)",
    re.MULTILINE | re.DOTALL,
)
_BLOCK = re.compile(
    r"\\begin\{(?P<name>lstlisting|minted|verbatim|Verbatim)\}(?P<info>[^\n]*)\n(?P<body>.*?)"
    r"\\end\{(?P=name)\}",
    re.DOTALL,
)
_SET = re.compile(r"\\lstset\{[^}]*?language\s*=\s*\{?\[?[^\]\},]*\]?\s*(?P<info>[\w+]+)")
_LETTERS = re.compile(r"[A-Za-z+]+\d?")
_CALCULATES = re.compile(r"^[^#\n]*[\w\])]\s*=[^=\n]*[*/+-][^\n]*", re.MULTILINE)


def listings_within(path: Path) -> list[Listing]:
    """Return the code of a page, a program for each language; none where it has no code.

    Raises
    ------
    DocumentError
        If its front matter makes no sense.
    """
    if path.suffix == ".ipynb":
        return list(_of_notebook(path))
    with suppress(OSError, ValueError, FileError):  # of a word processor, say
        text = read_text(path, MOST_CHARACTERS)
        return list(_of_page(path, text))
    return []


def _expect_short(path: Path, text: str, pieces: Iterable[tuple[int, int]]) -> None:
    if sum(text.count("\n", *piece) for piece in pieces) > MOST_LINES:
        reason = f"its code: expected at most {MOST_LINES} lines, found more"
        raise DocumentError.whole(path, reason)


def _of_page(path: Path, text: str) -> Iterator[Listing]:
    pieces: dict[str, list[tuple[int, int]]] = {}
    usual = next((_language(found["info"]) for found in _SET.finditer(text)), "")
    for found in (_BLOCK if path.suffix == ".tex" else _FENCE).finditer(text):
        language = _language(found["info"]) or (usual if path.suffix == ".tex" else "")
        if path.suffix != ".tex" and in_plain_letters(found):
            continue
        if not language and not found["info"].strip(" []{}"):
            language = _guessed(found["body"])
        if language:
            pieces.setdefault(language, []).append(found.span("body"))
    _expect_short(path, text, chain.from_iterable(pieces.values()))
    for language, spans in pieces.items():
        yield Listing(path, language, text, tuple(spans), _front(path, text, spans, language))


def _language(info: str) -> str:
    """Return the language that is named: ``python``, ``{julia}``, ``[language=Matlab]``."""
    words = _LETTERS.findall(info.lower().partition("language")[2] or info.lower())
    return next((NAMES[word] for word in words if word in NAMES), "")


def _guessed(body: str) -> str:
    """Return Python for a block without a language that is Python and calculates something."""
    from freebody.code.python import PythonReader

    if not _CALCULATES.search(body):
        return ""
    with suppress(ListingError):
        PythonReader(body).read()
        return "python"
    return ""


def _front(path: Path, text: str, spans: list[tuple[int, int]], language: str) -> Front:
    whole = "\n".join(text[slice(*span)] for span in spans)
    return front_of(path, whole, language)


# ---------------------------------------------------------------------- notebooks


def _of_notebook(path: Path) -> Iterator[Listing]:
    cells = _cells(path)
    language = cells[0] if cells else ""
    if not cells or language not in NAMES:
        return
    text, pieces, names = "", [], []
    for number, source in cells[1]:
        pieces.append((len(text), len(text) + len(source)))
        names.append(f"cell {number}")
        text += f"{source}\n\n"
    _expect_short(path, text, pieces)
    if pieces:
        front = front_of(path, text, NAMES[language])
        yield Listing(path, NAMES[language], text, tuple(pieces), front, tuple(names))


def _cells(path: Path) -> tuple[str, list[tuple[int, str]]] | None:
    """Return the language of a notebook, and its cells of code by their number."""
    try:
        data: Any = json.loads(read_text(path, MOST_CHARACTERS))
        told = data.get("metadata", {})
        language = told.get("kernelspec", {}).get("language") or told.get("language_info", {}).get(
            "name", "python"
        )
        found = [
            (number, "".join(cell["source"]).replace("\r\n", "\n"))
            for number, cell in enumerate(cells_of(data) or (), 1)
            if cell.get("cell_type") == "code"
        ]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return str(language).lower(), found
