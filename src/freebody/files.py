"""Text files, read with a bound on their size and written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from freebody.errors import FreebodyError, nearest
from freebody.kinds import advice_by_content

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
        If it cannot be read, is larger or is not UTF-8.
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
        raise FileError(path, f"not UTF-8 text: byte {error.start} cannot be read") from None
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
