"""Text files, read with a bound on their size and written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from freebody.errors import FreebodyError, nearest

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


def read_text(path: Path, most: int = MAX_BYTES) -> str:
    """Return the text of a file of at most so many bytes.

    Raises
    ------
    FileError
        If it cannot be read, is larger or is not UTF-8.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise FileError(path, "expected a file, found something else")
        if size > most:
            raise FileError(path, f"expected at most {most} bytes, found {size}")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(path, f"not UTF-8 text: byte {error.start} cannot be read") from None
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror}") from None


def expect_ending(
    path: Path, endings: Sequence[str], error: Callable[[str], FreebodyError]
) -> None:
    """Refuse a file name with another ending.

    Raises
    ------
    FreebodyError
        The one that ``error`` makes of what was expected.
    """
    if path.suffix not in endings:
        raise error(
            f"{path}: expected a file name that ends in {' or '.join(endings)}"
            + nearest(path.suffix, endings)
        )


def expect_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before anything is worked out for it.

    Raises
    ------
    FileError
        If its folder is not there or is closed, or it is a folder itself.
    """
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise FileError(path, "cannot be written there")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give the name of a temporary file that becomes the file at ``path`` once it is complete.

    Raises
    ------
    FileError
        If it cannot be written; what stood at ``path`` before is still there.
    """
    temporary = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise FileError(path, f"cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)
