"""The C compiler of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from freebody.backends.cache import key
from freebody.errors import BackendError

FLAGS = (
    *("-std=c99", "-fPIC", "-shared", "-O2", "-march=native"),
    *("-ffp-contract=fast", "-fno-math-errno"),  # no result is less exact for these two
)


@cache
def command() -> str:
    """Return the path of the compiler: that in ``CC``, or else cc, gcc or clang.

    Raises
    ------
    BackendError
        If there is none.
    """
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        found = shutil.which(name) if name else None
        if found:
            return found
    raise BackendError(
        "backend 'c' needs a C compiler: expected cc, gcc or clang on the path, or its path in CC; "
        "found none"
    )


def has_compiler() -> bool:
    """Return whether there is one."""
    try:
        command()
    except BackendError:
        return False
    return True


@cache
def identity() -> str:
    """Return what tells one compiler from another."""
    status = Path(command()).stat()
    return key(command(), str(status.st_size), str(status.st_mtime_ns), *FLAGS)


def shared(text: str, flags: Sequence[str] = ()) -> bytes:
    """Return the shared library of a text in C, with some flags besides `FLAGS`.

    Raises
    ------
    BackendError
        If the compiler refuses it.
    """
    with tempfile.TemporaryDirectory(prefix="freebody-") as place:
        source, library = Path(place, "code.c"), Path(place, "code.so")
        source.write_text(text, encoding="utf-8")
        arguments = [command(), *FLAGS, *flags, "-o", str(library), str(source), "-lm"]
        ran = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603
        if ran.returncode:
            raise BackendError(f"the C compiler {command()} failed: {ran.stderr.strip()}")
        return library.read_bytes()
