"""Text files, read with a bound on their size and written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from freebody.errors import FreebodyError, nearest

_WRITTEN = "write its equations into a .md file, between $$ and $$"
_BEGUN = "write the model as a .toml file, which 'freebody new NAME' begins"
_PDF = f"a PDF, whose formulas are drawn: take the LaTeX that it was made of, or {_WRITTEN}"
_PICTURE = f"a picture: formulas in pictures and scans are not read; {_WRITTEN}"
_OFFICE = "a file of a word processor: 'pandoc {file} -o {stem}.md' makes a page of it"
_ZIP = "an archive or a file of a word processor: save what is in it as .md or .tex"

_KINDS: Mapping[str, str] = {
    ".pdf .ps .djvu": _PDF,
    ".png .jpg .jpeg .tif .tiff .gif .bmp .webp .heic .eps .svg": _PICTURE,
    ".doc .docx .odt .rtf .ppt .pptx .odp .pages": _OFFICE,
    ".adoc .org .textile .lyx .wiki .mediawiki .epub": (
        "no Markdown or LaTeX: 'pandoc {file} -t markdown -o {stem}.md' makes a page of it"
    ),
    ".py .m .jl .c .cc .cpp .cxx .hpp": (
        "a program: 'freebody check {file} --against MODEL' checks what it works out; "
        f"{_WRITTEN}, or {_BEGUN}"
    ),
    ".h .f .f90 .js .ts .r .rs .java .mlx .nb .sh": (
        f"a program, of which nothing is read or run: {_WRITTEN}, or {_BEGUN}"
    ),
    ".urdf .xml .mjcf .osim": (
        "a model of another program: 'freebody import {file} -o {stem}' makes a model file of it"
    ),
    ".xacro": "a program that writes URDF: run xacro, then 'freebody import' on its result",
    ".sdf .slx .mdl .usd": f"a model of another program: {_BEGUN}",
    ".json .yaml .yml .ini .cfg": f"expected TOML: {_BEGUN}",
    ".csv .mot .sto .trc .c3d .nc .xlsx .xls .mat .npy": (
        "recorded numbers: 'freebody motion {file}' and 'freebody inverse MODEL {file}' read them"
    ),
    ".md .tex .ipynb .qmd .rmd .markdown .mdx .mkd .rst .html .htm .xhtml .txt": (
        "a page of equations, not a model: 'freebody check {file}' checks it, with a MODEL that it "
        "names, and 'freebody adopt {file} --model MODEL' begins that"
    ),
    ".toml": "a model, not a page: 'freebody check {file}' checks the pages beside it",
}
_FIRST_BYTES: Mapping[bytes, str] = {
    b"%PDF": _PDF,
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
    b"GIF8": _PICTURE,
    b"II*\0": _PICTURE,
    b"MM\0*": _PICTURE,
    b"PK\x03\x04": _ZIP,
}


def _endings() -> Iterator[tuple[str, str]]:
    return ((ending, advice) for endings, advice in _KINDS.items() for ending in endings.split())


_TOLD = dict(_endings())


def advice_by_ending(path: Path, expected: tuple[str, ...]) -> str | None:
    """Return what a file is by its ending, and what to do instead; None where it may be meant.

    Parameters
    ----------
    path : Path
        The file.
    expected : tuple of str
        The endings that are meant, with their dots.

    Examples
    --------
    >>> advice_by_ending(Path("page.odt"), (".md",))
    "a file of a word processor: 'pandoc page.odt -o page.md' makes a page of it"
    >>> advice_by_ending(Path("arm.toml"), (".toml",)) is None
    True
    """
    ending = path.suffix.lower()
    if path.suffix in expected or ending not in _TOLD:
        return None
    if ending in expected:
        return f"expected an ending in small letters: '{path.stem}{ending}'"
    return _TOLD[ending].format(file=path, stem=path.stem)


def advice_by_content(data: bytes) -> str | None:
    """Return what a file is that begins with some bytes, and what to do instead, if it is known.

    Examples
    --------
    >>> advice_by_content(b"%PDF-1.7").partition(":")[0]
    'a PDF, whose formulas are drawn'
    """
    return next((advice for first, advice in _FIRST_BYTES.items() if data.startswith(first)), None)


# ------------------------------------------------------------------ files

MAX_BYTES = 1_000_000
RESULTS = (".csv", ".nc")
PICTURES = (".png", ".pdf", ".svg")


class FileError(FreebodyError):
    """A file that cannot be read or written.

    Parameters
    ----------
    path : Path
        The file.
    reason : str
        What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class EncodingError(FileError):
    """A file that is not UTF-8 text."""


@dataclass(slots=True)
class _Run:
    """The files that a run of the command line has read, and those that it is to write."""

    read: set[Path] = field(default_factory=set)
    meant: set[Path] = field(default_factory=set)


_RUN: ContextVar[_Run | None] = ContextVar("run", default=None)


@contextmanager
def protecting_inputs() -> Iterator[None]:
    """Refuse to write over a file that is read here, as `note_input` and `atomic_write` know."""
    token = _RUN.set(_Run())
    try:
        yield
    finally:
        _RUN.reset(token)


@contextmanager
def peeking() -> Iterator[None]:
    """Read files here only to see what they are, which may be written over all the same."""
    token = _RUN.set(None)
    try:
        yield
    finally:
        _RUN.reset(token)


def note_input(path: Path) -> None:
    """Take down a file as one that is read.

    Raises
    ------
    FileError
        If it is to be written over in the same run.
    """
    if run := _RUN.get():
        run.read.add(path.resolve())
        _expect_kept(path, run)


def _expect_kept(path: Path, run: _Run) -> None:
    if path.resolve() in run.read & run.meant:
        raise FileError(path, "is read here, and would be written over: name another file")


def _expect_no_input(path: Path) -> None:
    if run := _RUN.get():
        run.meant.add(path.resolve())
        _expect_kept(path, run)


def read_text(path: Path, most: int = MAX_BYTES) -> str:
    """Return the text of a file of at most so many bytes.

    Raises
    ------
    FileError
        If it cannot be read or is larger.
    EncodingError
        If it is not UTF-8.
    """
    try:
        note_input(path)
        size = path.stat().st_size
        if not path.is_file():
            raise FileError(path, "expected a file, found something else")
        if size > most:
            _expect_no_other_kind(path)
            raise FileError(path, f"expected at most {most} bytes, found {size}")
        _expect_no_other_kind(path)
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EncodingError(path, f"not UTF-8 text: byte {error.start} cannot be read") from None
    except (OSError, ValueError) as error:  # the latter of a name that no file can have
        raise FileError(path, f"cannot be read: {getattr(error, 'strerror', error)}") from None


def _expect_no_other_kind(path: Path) -> None:
    with path.open("rb") as file:
        advice = advice_by_content(file.read(8))
    if advice:
        raise FileError(path, advice)


def expect_ending(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file name with another ending.

    Raises
    ------
    FileError
        With the endings that are possible.
    """
    if path.suffix not in endings:
        known = f"expected a file name that ends in {' or '.join(endings)}"
        raise FileError(path, known + nearest(path.suffix, endings))


def expect_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before anything is worked out for it.

    Raises
    ------
    FileError
        If its folder is not there or is closed, or it is a folder itself, or a file that is read.
    """
    _expect_no_input(path)
    if not path.parent.is_dir():
        raise FileError(path, f"cannot be written there: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise FileError(path, "cannot be written there")


def make_folder(path: Path) -> Path:
    """Make a folder with those that it is in, if it is not there; return it.

    Raises
    ------
    FileError
        If it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, f"cannot be made: {error.strerror}") from None
    except ValueError as error:  # as a null character in its name
        raise FileError(path, f"cannot be made: {error}") from None
    return path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give the name of a temporary file that becomes the file at ``path`` once it is complete.

    Raises
    ------
    FileError
        If it cannot be written; what stood at ``path`` before is still there. On the command
        line, if it has been read: see `protecting_inputs`.
    """
    _expect_no_input(path)
    try:
        temporary = path.with_name(f".{os.getpid()}.{path.name}")
        temporary.unlink(missing_ok=True)
    except (OSError, ValueError):  # no name that a file can have
        raise FileError(path, "cannot be written there") from None
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise FileError(path, f"cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)
