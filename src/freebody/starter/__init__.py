"""The folder that a new user starts from: a model, its schema, and a document, with comments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from freebody.files import FileError, atomic_write, make_folder
from freebody.model import schema

FILES = ("model.toml", "equations.md")
SCHEMA = "model.schema.json"
"""The schema that the first line of the model names, by which editors complete it."""


def starter(file: str, name: str) -> str:
    """Return the text of a file of the folder.

    Parameters
    ----------
    file : {"model.toml", "equations.md"}
    name : str
        What its title begins with.

    Examples
    --------
    >>> from freebody.model import loads
    >>> loads(starter("model.toml", "mybody")).title
    'mybody: a leg that swings from the hip'
    """
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    return text.replace("NAME", name)


def texts(name: str) -> dict[str, str]:
    """Return the files of the folder: a commented model, a document of it, and the schema."""
    commented = {file: starter(file, name) for file in FILES}
    return {**commented, SCHEMA: json.dumps(schema(), indent=2) + "\n"}


def expect_plain(folder: Path) -> None:
    """Expect a folder that can be the name of a model: letters, digits, ``_`` and ``-``.

    Raises
    ------
    FileError
        If the name is another.
    """
    plain = folder.name.replace("_", "").replace("-", "")
    if not (plain.isascii() and plain.isalnum()):
        raise FileError(folder, "expected a name of letters, digits, '_' and '-'")


def write_folder(folder: Path, files: Mapping[str, str]) -> tuple[Path, ...]:
    """Write files into a new folder.

    Raises
    ------
    FileError
        If the folder has no plain name, is there already or cannot be written.
    """
    expect_plain(folder)
    if folder.exists():
        raise FileError(folder, "cannot be made: File exists")
    make_folder(folder)
    for file, text in files.items():
        with atomic_write(folder / file) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return tuple(folder / file for file in files)
