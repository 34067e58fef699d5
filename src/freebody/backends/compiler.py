"""The C compiler of the system."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.resources import files
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.cache import cached, key, processor
from freebody.backends.evaluation import Call
from freebody.errors import BackendError, SpeedWarning
from freebody.graph.code import HOISTED, Code

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
        compiler = shutil.which(name) if name else None
        if compiler:
            return compiler
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
def compiler_identity() -> str:
    """Return what tells one compiler from another."""
    status = Path(command()).stat()
    return key(command(), str(status.st_size), str(status.st_mtime_ns), *FLAGS)


def shared_library(text: str, flags: Sequence[str] = ()) -> bytes:
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


# ------------------------------------------------------------------ calls

NUMBER = -1
"""The size of an argument that is a number."""


def fast_caller(code: Code, parameters: Array, address: int, otherwise: Call, keeps: Any) -> Call:
    """Return a function of flat arrays that is quicker than one of Python.

    Parameters
    ----------
    code : Code
    parameters : array, shape (k,)
        The last of its arguments.
    address : int
        Where the machine code of a function ``(const double *x, double *out)`` is.
    otherwise : callable
        Takes the calls with anything else than floats and flat arrays.
    keeps : object
        What must live as long as the function does.

    Returns
    -------
    callable
        Or ``otherwise`` itself, where there is no compiler or it does not find Python's headers.

    Warns
    -----
    SpeedWarning
        Once, where there is a compiler but the headers are missing.
    """
    module = _module()
    if module is None:
        return otherwise
    x = np.zeros(max(1, len(code.entries)))
    x[len(code.entries) - len(parameters) : len(code.entries)] = parameters
    groups = code.arguments.items()
    sizes = tuple(NUMBER if name == "t" else len(g) for name, g in groups if name != HOISTED)
    made: Call = module.make(address, x, sizes, code.shape, otherwise, keeps)
    return made


@cache
def _module() -> ModuleType | None:
    """Return the extension module, if it can be made."""
    try:
        command()
    except BackendError:  # other backends compile by themselves
        return None
    try:
        return _loaded(cached(_key(), _compiled))
    except (BackendError, ImportError) as error:
        warnings.warn(
            f"calls of one state are slower than they could be: {error}", SpeedWarning, stacklevel=5
        )
        return None


def _key() -> str:
    parts = (sys.version, str(sysconfig.get_config_var("SOABI")), np.__version__, _text())
    return key("caller", compiler_identity(), processor(), *parts)


def _text() -> str:
    return files(__package__).joinpath("caller.c").read_text(encoding="utf-8")


def _compiled() -> bytes:
    headers = sysconfig.get_path("include")
    if not Path(headers, "Python.h").exists():
        raise BackendError(f"expected the headers of Python in {headers}, found no Python.h there")
    flags = [f"-I{headers}", f"-I{np.get_include()}"]
    if sys.platform == "darwin":
        flags += ["-undefined", "dynamic_lookup"]
    return shared_library(_text(), flags)


def _loaded(library: bytes) -> ModuleType:
    with tempfile.TemporaryDirectory(prefix="freebody-", ignore_cleanup_errors=True) as place:
        path = Path(place, "caller.so")
        path.write_bytes(library)
        loader = ExtensionFileLoader("caller", str(path))
        module = module_from_spec(ModuleSpec("caller", loader, origin=str(path)))
        loader.exec_module(module)
    return module


def fastest() -> str:
    """Return the fastest backend for many states that is there."""
    if importlib.util.find_spec("heyoka"):
        return "heyoka"
    return "c" if has_compiler() else "numpy"
