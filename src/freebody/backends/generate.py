"""Source code of an output, to be read and taken away."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

from freebody.arguments import checked
from freebody.backends.compile import Functions
from freebody.backends.python import scalars
from freebody.backends.registry import load_backend
from freebody.backends.text import IDENTIFIER, Syntax
from freebody.errors import BackendError, nearest
from freebody.files import atomic_write
from freebody.mechanics.mechanism import AnyModel

TARGETS = ("c", "octave", "julia", "numpy", "numba", "jax")
"""The backends that write source."""


@checked
def generate(
    model: AnyModel,
    target: str = "c",
    output: str = "rhs",
    path: str | Path | None = None,
) -> dict[Path, str]:
    """Return the source of an output, by the files that it belongs into.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Or the name of a shipped model.
    target : {"c", "octave", "julia", "numpy", "numba", "jax"}
        The language, or the library that it is written for.
    output : str
        Such as ``"rhs"`` or ``"position.hand"``.
    path : str or Path, optional
        The file to write; by default it is named by the output and nothing is written.

    Returns
    -------
    dict of Path to str
        The text of each file; the first is the one asked for.

    Raises
    ------
    BackendError
        If there is no such target, or the file has another ending than it must.
    FileError
        If a file cannot be written.

    Examples
    --------
    >>> files = generate("pendulum", "c", "mass_matrix")
    >>> [str(file) for file in files]
    ['mass_matrix.c', 'mass_matrix.h']
    """
    writer = _writer(target)
    functions = Functions(model, "numpy")
    code = functions[output].code
    whole_title = (
        f"{functions.model.title}: {code.title}; written by freebody {version('freebody')}"
    )
    known = functions.constants
    constants = tuple(
        replace(one, value=f"{known[one.name]!r}" if one.name in known else "")
        for one in code.arguments.get("constants", ())
    )
    needed = {"constants": constants} if constants else {}
    code = replace(code, title=" ".join(whole_title.split()), arguments=code.arguments | needed)
    start = Path(path) if path else Path(_identifier(output))
    sources = writer.source(code, start.stem)
    _expect_named(start, next(iter(sources)), getattr(writer, "SYNTAX", scalars()))
    files = {start.with_suffix(ending): text for ending, text in sources.items()}
    if path is not None:
        _write(files)
    return files


def _writer(target: str) -> ModuleType:
    if target not in TARGETS:
        known = ", ".join(TARGETS)
        raise BackendError(
            f"expected a target ({known}), found '{target}'" + nearest(target, TARGETS)
        )
    return load_backend(target)


def _identifier(name: str) -> str:
    """Return the name of a function for an output: ``position_hand``."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def _expect_named(path: Path, ending: str, syntax: Syntax) -> None:
    """See that a file has the name of a function, as Octave and C's header need it."""
    if path.suffix not in ("", ending):
        raise BackendError(f"expected a file that ends with '{ending}', found '{path}'")
    if not IDENTIFIER.fullmatch(path.stem):
        better = f"{_identifier(path.stem)}{ending}"
        raise BackendError(
            f"expected a file named like a function, such as '{better}', found '{path.name}'"
        )
    if syntax.reserves(path.stem):
        raise BackendError(
            f"expected a file named like a function, found '{path.name}': '{path.stem}' means "
            "something else in the language"
        )


def _write(files: dict[Path, str]) -> None:
    for path, text in files.items():
        with atomic_write(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
