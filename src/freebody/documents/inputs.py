r"""A LaTeX page over several files: what ``\input`` and its kin name, put in where they stand.

Only files in the folder of the page or below it are opened, each as text.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from freebody.documents.encodings import read_page_text
from freebody.documents.latex.page.blanks import body, without_code
from freebody.documents.latex.page.hypertext import macros_of
from freebody.documents.latex.page.page import Cell
from freebody.documents.latex.tokens.definitions import definitions
from freebody.documents.latex.tokens.macros import calls_in
from freebody.errors import PageWarning
from freebody.files import MAX_BYTES, FileError

MOST_FILES = 200
MOST_ENTRIES = 20_000
"""Of folders in which macros are looked for."""
_LATEX = (".tex", ".sty")
DEEPEST = 10
_NAMING = re.compile(
    r"\\(?P<from>import|subimport|includefrom)\*?\s*\{(?P<folder>[^{}\n]*)\}\s*\{(?P<below>[^{}\n]+)\}"
    r"|\\(?:input|include|subfile|loadglsentries)(?![A-Za-z])(?:\s*\[[^\[\]]*\])?\s*(?:\{\s*(?P<file>[^{}\n]+?)\s*\}|(?P<bare>[\w./-]+))"
    r"|\\(?:usepackage|RequirePackage)\s*(?:\[[^\[\]]*\]\s*)?\{(?P<packages>[^{}]+)\}"
)
_WHOLE = re.compile(r"\\document(?:class|style)(?![A-Za-z])")
_SCRIPT = re.compile(r"""<script\b[^>]{0,300}?\bsrc\s*=\s*["']([^"'<>:]{1,200}?\.js)["']""", re.I)


@dataclass(slots=True)
class _Assembly:
    """The text of a page and of the files that it names, as it grows."""

    folder: Path
    parts: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    size: int = 0
    files: int = 0

    def add(self, text: str, name: str, first: int) -> None:
        self.cells.append(Cell(name, self.size, self.size + len(text), first))
        self.parts.append(text)
        self.size += len(text)


def with_inputs(path: Path, text: str) -> tuple[str, tuple[Cell, ...]]:
    """Return the text of a LaTeX page with the files that it names, and where each stands.

    What is not there, or not below the folder of the page, is left as it is printed.

    Parameters
    ----------
    path : Path
        The page.
    text : str
        What stands in it.

    Returns
    -------
    str
    tuple of Cell
        None where the page names no file that can be read.
    """
    made = _Assembly(path.parent.resolve())
    _add(made, path.resolve(), text, "", 0, 1, ())
    return ("".join(made.parts), tuple(made.cells)) if made.files else (text, ())


def scripted_macros(path: Path, text: str) -> str:
    """Return the macros that a page sets for MathJax in a script or ``conf.py``, as LaTeX.

    Only files in the folder of the page or below it are opened, each as text.
    """
    folder = path.parent.resolve()
    names = [*_SCRIPT.findall(text), "conf.py"][:MOST_FILES]
    made = ""
    for name in dict.fromkeys(names):
        try:
            file = (folder / name).resolve()
            if file.is_relative_to(folder) and file.is_file():
                made += macros_of(read_page_text(file))
        except (FileError, OSError, ValueError, RuntimeError):
            continue
    return made


def macros_beside(path: Path, text: str) -> str:
    """Return the macros of a part of a LaTeX document that other files of its folder define.

    Those that the part has, or that these have in turn; none that two files define differently.
    A whole document names the files that it has macros from.

    Parameters
    ----------
    path : Path
        The part.
    text : str
        What stands in it.
    """
    if _WHOLE.search(text):
        return ""
    written = _definitions_in(tuple(_files_beside(path)))
    own = {macro.name for one in definitions(text) for macro in one.macros}
    found, wanted = dict[str, str](), calls_in(text)
    while wanted:
        name = wanted.pop()
        if name not in found and name not in own and len(written.get(name, ())) == 1:
            (found[name],) = written[name]
            wanted += calls_in(found[name])
    return "\n".join(dict.fromkeys(found.values()))


@lru_cache(maxsize=4)  # of one folder, for each of its parts
def _definitions_in(files: tuple[tuple[Path, int], ...]) -> Mapping[str, set[str]]:
    """Return the definitions in files, each with when it was changed, by the names of macros."""
    written: dict[str, set[str]] = {}
    for file, _ in files:
        try:
            with warnings.catch_warnings():  # of files that nobody asked to read
                warnings.simplefilter("ignore", PageWarning)
                text = without_code(read_page_text(file), "latex")[0]
        except (FileError, OSError):
            continue
        for one in definitions(text):
            for macro in one.macros:
                written.setdefault(macro.name, set()).add(text[one.start : one.stop])
    return written


def _files_beside(path: Path) -> Iterator[tuple[Path, int]]:
    """Iterate over the LaTeX files in the folder of a page and below, with when each was changed.

    Of a folder that is no document's, such as that of a user, not all is looked through.
    """
    folder, size, files, entries = path.parent.resolve(), 0, 0, 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        entries += len(folders) + len(names)
        if entries > MOST_ENTRIES:
            return
        for file in (Path(place, name) for name in sorted(names) if name.endswith(_LATEX)):
            if file.is_file() and file.resolve().is_relative_to(folder):
                stat = file.stat()
                size, files = size + stat.st_size, files + 1
                if files > MOST_FILES or size > MAX_BYTES:
                    return
                yield file, stat.st_mtime_ns


def _add(
    made: _Assembly,
    path: Path,
    text: str,
    name: str,
    start: int,
    first: int,
    above: tuple[Path, ...],
) -> None:
    """Add a file from an offset on, whose line is given."""
    position, above = start, (*above, path)
    readable = without_code(text, "latex")[0]
    for match in _NAMING.finditer(readable, start):
        named = [(one, inside) for one, inside in _read(made, path, match) if one not in above]
        if not named or len(above) > DEEPEST:
            continue
        made.add(text[position : match.start()], name, first + text.count("\n", start, position))
        for one, inside in named:
            made.files += 1
            begin, stop = body(without_code(inside, "latex")[0])
            line = inside.count("\n", 0, begin) + 1
            _add(made, one, inside[:stop], _relative(made, one), begin, line, above)
            made.add("\n", name, first + text.count("\n", start, match.start()))
        position = match.end()
    made.add(text[position:], name, first + text.count("\n", start, position))


def _relative(made: _Assembly, path: Path) -> str:
    return path.relative_to(made.folder).as_posix()


def _read(made: _Assembly, path: Path, match: re.Match[str]) -> Iterator[tuple[Path, str]]:
    """Yield the files that are named and can be read, with what stands in them."""
    for one in _paths(made, path, match):
        is_below = one.is_relative_to(made.folder)
        if not is_below or made.files >= MOST_FILES or made.size > MAX_BYTES:
            continue
        try:
            if one.is_file():
                yield one, read_page_text(one)
        except (FileError, OSError):
            continue


def _paths(made: _Assembly, path: Path, match: re.Match[str]) -> Iterator[Path]:
    try:
        if match["packages"]:
            names = (name.strip() for name in match["packages"].split(","))
            yield from ((made.folder / f"{name}.sty").resolve() for name in names if name)
            return
        name = match["below"] or match["file"] or match["bare"]
        own = path.parent / (match["folder"] or "")
        for folder in (own, made.folder) if not match["from"] else (own,):
            for ending in ("", ".tex"):
                if found := _file((folder / f"{name}{ending}").resolve()):
                    yield found
                    return
    except (OSError, ValueError, RuntimeError):  # no name that a file can have
        return


def _file(path: Path) -> Path | None:
    """Return a file, also one whose name has other capitals, as some systems find it."""
    if path.is_file():
        return path
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    found = [one for one in beside if one.name.casefold() == path.name.casefold()]
    return found[0] if len(found) == 1 and found[0].is_file() else None
