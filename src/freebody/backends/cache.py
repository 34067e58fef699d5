"""What was derived and compiled once, kept on disk.

An entry is a file named by the hash of what it depends on. Its first line is the checksum of
the rest: a damaged entry is reported, never used, and made again. Entries are written under another
name first and then renamed, so that runs at the same time find all of one or nothing.

Compiled code is only as good as the folder that it lies in. So the folder is made for its owner
alone, and one that others may write to is not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import secrets
import stat
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

from freebody.errors import CacheWarning

VARIABLE = "FREEBODY_CACHE"
MARK = b"freebody 1 "


def folder() -> Path:
    """Return where entries are kept: ``FREEBODY_CACHE``, or the user's folder for caches."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else user_cache_path("freebody")


def key(*parts: str) -> str:
    """Return the name of an entry, from all that it depends on.

    Examples
    --------
    >>> key("c", "gcc") == key("c", "gcc"), key("c", "gcc") == key("cg", "cc")
    (True, False)
    """
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def cached(name: str, make: Callable[[], bytes]) -> bytes:
    """Return an entry, made and kept where there is none yet.

    Parameters
    ----------
    name : str
        See `key`.
    make : callable
        Returns the entry.

    Warns
    -----
    CacheWarning
        If an entry is damaged, or entries cannot be kept.
    """
    entry = lookup(name)
    if entry is None:
        entry = make()
        store(name, entry)
    return entry


def lookup(name: str) -> bytes | None:
    """Return an entry if it is there and whole."""
    home = _usable(folder())
    return None if home is None else _read(home / name)


def store(name: str, entry: bytes) -> None:
    """Keep an entry, if there is a folder for it."""
    home = _usable(folder(), told=True)
    if home is not None:
        _write(home / name, entry)


def _usable(home: Path, *, told: bool = False) -> Path | None:
    """Return the folder once it is there and its owner's alone."""
    problem = _problem(home)
    if problem is None:
        return home
    if not told:
        _warn(f"nothing is cached: {problem}")
    return None


def _problem(home: Path) -> str | None:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = home.stat()
    except OSError as error:
        return f"{home} cannot be made: {error.strerror}"
    others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if os.name == "posix" and (status.st_uid != os.getuid() or others):
        return f"others may write to {home}"
    return None


def _warn(message: str) -> None:
    warnings.warn(message, CacheWarning, stacklevel=5)


def _read(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn(f"{path} cannot be read: {error.strerror}")
        return None
    first, _, entry = data.partition(b"\n")
    if first == MARK + _checksum(entry):
        return entry
    _warn(f"{path} is damaged: it is made again")
    return None


def _write(path: Path, entry: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        temporary.write_bytes(MARK + _checksum(entry) + b"\n" + entry)
        temporary.replace(path)
    except OSError as error:
        _warn(f"{path} cannot be written: {error.strerror}")
    finally:
        temporary.unlink(missing_ok=True)


def _checksum(entry: bytes) -> bytes:
    return hashlib.sha256(entry).hexdigest().encode()


# ---------------------------------------------------------------------- what goes into a key


@cache
def sources() -> str:
    """Return what tells one state of freebody and sympy from another."""
    package = Path(__file__).parents[1]
    read = (path for path in sorted(package.rglob("*")) if path.suffix in (".py", ".toml"))
    files = [(str(path), path.stat()) for path in read]
    states = [(path, status.st_size, status.st_mtime_ns) for path, status in files]
    return key(version("sympy"), platform.python_version(), json.dumps(states))


@cache
def processor() -> str:
    """Return what tells one processor from another, for which code is compiled."""
    features = [platform.machine(), platform.processor(), platform.system()]
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        features += sorted({line for line in lines if line.startswith(("model name", "flags"))})
    except OSError:
        pass
    return key(*features)
