"""Files of code, and what their front matter says: in a comment, or in a file beside them."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from freebody.code import LANGUAGES
from freebody.code.c import CReader
from freebody.code.cpp import CppReader
from freebody.code.julia import JuliaReader
from freebody.code.matlab import MatlabReader
from freebody.code.python import PythonReader
from freebody.code.tree import Node
from freebody.errors import DocumentError, ListingError, nearest
from freebody.files import FileError, read_text

ONE_BASED = ("matlab", "julia")
SLASHES = r"//|/\*|\*"
MARKS = {"python": r"#", "julia": r"#", "matlab": r"%", "c": SLASHES, "cpp": SLASHES}
"""How a comment begins."""
MOST_CHARACTERS = 1_000_000
MOST_LINES = 20_000
BESIDE = ".freebody.toml"
KEYS = ("model", "symbols", "state", "results")


class Reader(Protocol):
    """Reads a text of one language."""

    remarks: list[str]

    def read(self) -> tuple[Node, ...]:
        """Return its statements."""
        ...


READERS: Mapping[str, Callable[[str, int], Reader]] = {
    "python": PythonReader,
    "matlab": MatlabReader,
    "julia": JuliaReader,
    "c": CReader,
    "cpp": CppReader,
}


@dataclass(frozen=True)
class Front:
    """What a listing says of itself.

    Attributes
    ----------
    model : str
        The model it is about; empty where it says nothing.
    symbols : dict of str to str
        What its names stand for, in quantities of the model.
    state : tuple of str
        The quantities that are the entries of its state, in order.
    results : dict of str to str
        The quantities that functions or variables of it are.
    """

    model: str = ""
    symbols: Mapping[str, str] = ()  # type: ignore[assignment]
    state: tuple[str, ...] = ()
    results: Mapping[str, str] = ()  # type: ignore[assignment]


@dataclass(frozen=True)
class Listing:
    """A piece of code.

    Attributes
    ----------
    path : Path
    language : {"python", "matlab", "julia", "c", "cpp"}
    text : str
        Of the whole file; places are offsets in it.
    pieces : tuple of tuple of int
        Where its code begins and ends: the file, or the cells of a notebook.
    front : Front
    cells : tuple of str
        What the pieces are called, of a notebook.
    """

    path: Path
    language: str
    text: str
    pieces: tuple[tuple[int, int], ...]
    front: Front
    cells: tuple[str, ...] = ()

    @property
    def is_within(self) -> bool:
        """Whether it is a part of a page."""
        return bool(self.cells) or self.pieces != ((0, len(self.text)),)

    def read(self) -> tuple[tuple[Node, ...], list[str]]:
        """Return its statements, and what had to be taken for granted.

        Of several pieces one that cannot be read is told, and the others are.

        Raises
        ------
        ListingError
            If none can be read.
        """
        body: list[Node] = []
        remarks: list[str] = []
        failed: list[ListingError] = []
        for start, stop in self.pieces:
            try:
                nodes, told = parse(self.language, self.text[start:stop], start)
            except ListingError as error:
                failed.append(error)
                nodes, told = (), [str(error)]
            body += nodes
            remarks += [self._moved(one, start) for one in told]
        if len(failed) == len(self.pieces):
            raise failed[0]
        return tuple(body), remarks

    def _moved(self, told: str, start: int) -> str:
        """Return what is told of a line of a piece, of that of the page."""
        found = re.match(r"line (\d+)", told)
        if not found or not (start or self.cells):
            return told
        line, _ = self.position(start)
        return f"{self.place(self._lines[line - 2 + int(found[1])])}{told[found.end() :]}"

    def place(self, offset: int) -> str:
        """Return where something stands, for people."""
        if not self.cells:
            return f"line {self.position(offset)[0]}"
        starts = [start for start, _ in self.pieces]
        number = max(bisect_right(starts, offset) - 1, 0)
        line = self.text.count("\n", starts[number], offset) + 1
        return f"{self.cells[number]}, line {line}"

    @cached_property
    def lines(self) -> list[str]:
        """Its text, line by line."""
        return self.text.split("\n")

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a place, counted from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def comment(self, offset: int) -> str:
        """Return what a comment says on the line of a place."""
        line = self.text[self._lines[self.position(offset)[0] - 1] :].split("\n", 1)[0]
        found = re.search(rf"(?:{MARKS[self.language]})(.*)", line)
        return found[1].strip(" *#%/") if found else ""


def parse(language: str, text: str, start: int = 0) -> tuple[tuple[Node, ...], list[str]]:
    """Return the statements of a text, and what had to be taken for granted.

    Parameters
    ----------
    language : str
    text : str
    start : int, optional
        Where the text begins in its file.

    Raises
    ------
    ListingError
        If it cannot be read.
    """
    reader = READERS[language](text, start)
    return reader.read(), reader.remarks


def read_listing(path: Path) -> Listing:
    """Read a file of code.

    Raises
    ------
    DocumentError
        If it cannot be read, is too large, or its front matter makes no sense.
    """
    try:
        text = read_text(path, MOST_CHARACTERS)
    except FileError as error:
        raise DocumentError.whole(path, error.reason) from None
    if text.count("\n") > MOST_LINES:
        raise DocumentError.whole(path, f"expected at most {MOST_LINES} lines, found more")
    language = LANGUAGES[path.suffix]
    return Listing(path, language, text, ((0, len(text)),), front_of(path, text, language))


def front_of(path: Path, text: str, language: str) -> Front:
    """Return what stands between lines of ``+++`` in a comment, or in a file beside it.

    Raises
    ------
    DocumentError
        If it makes no sense.
    """
    beside = path.with_name(f"{path.name}{BESIDE}")
    told = _commented(text, language)
    if told is None and beside.is_file():
        told = read_text(beside)
    if told is None:
        return Front("", {}, (), {})
    try:
        data = tomllib.loads(told)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DocumentError.whole(path, f"front matter: {error}") from None
    return _front(path, data)


def _commented(text: str, language: str) -> str | None:
    mark = MARKS[language]
    blank = rf"[ \t]*(?:{mark})?[ \t]*"
    found = re.search(rf"^{blank}\+\+\+[ \t]*\n(.*?)^{blank}\+\+\+", text[:20_000], re.M | re.S)
    return re.sub(rf"^[ \t]*(?:{mark})[ \t]?", "", found[1], flags=re.M) if found else None


def _front(path: Path, data: dict[str, Any]) -> Front:
    for key in data:
        if key not in KEYS:
            raise DocumentError.whole(
                path, f"front matter: unknown key '{key}'{nearest(key, KEYS)}"
            )
    model, state = data.get("model", ""), data.get("state", [])
    if not isinstance(model, str):
        raise DocumentError.whole(path, f"front matter: model: expected a name, found {model!r}")
    if not isinstance(state, list) or not all(isinstance(one, str) for one in state):
        raise DocumentError.whole(
            path, f"front matter: state: expected a list of names, found {state!r}"
        )
    tables = [_table(path, data, key) for key in ("symbols", "results")]
    return Front(model, tables[0], tuple(state), tables[1])


def _table(path: Path, data: dict[str, Any], key: str) -> dict[str, str]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise DocumentError.whole(path, f"front matter: {key}: expected a table, found {table!r}")
    for name, value in table.items():
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            raise DocumentError.whole(path, f"front matter: {key}.{name}: expected an expression")
    return {name: str(value) for name, value in table.items()}
