"""Text files, read with a bound on their size and written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from freebody.errors import FreebodyError

MAX_BYTES = 1_000_000


class FileError(FreebodyError):
    """A file that cannot be read or written."""


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises
    ------
    FileError
        If it cannot be read, is larger than a million bytes or is not UTF-8.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FileError(f"{path}: expected at most {MAX_BYTES} bytes, found {size}")
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8 text at byte {error.start}") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None


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
        raise FileError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)
