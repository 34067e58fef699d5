"""The folder that a new user starts from: a model and a document, both with comments."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from freebody.files import FileError, atomic_write

FILES = ("model.toml", "equations.md")


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
    """Return the files of the folder: a commented model and a document of it."""
    return {file: starter(file, name) for file in FILES}


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
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise FileError(folder, f"cannot be made: {error.strerror}") from None
    for file, text in files.items():
        with atomic_write(folder / file) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return tuple(folder / file for file in files)
