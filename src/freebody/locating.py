"""Where model files lie: shipped ones, those of the gallery, and those of users."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from freebody.errors import ModelError, closest
from freebody.files import FileError, advice_by_ending, read_text

FILE_NAME = "model.toml"


@cache
def shipped() -> dict[str, Path]:
    """Return the folder of each shipped model, by name.

    Examples
    --------
    >>> "three_link_arm" in shipped()
    True
    """
    return {path.parent.name: path.parent for path in sorted(_home().glob(f"*/{FILE_NAME}"))}


@cache
def gallery() -> dict[str, Path]:
    """Return the folder of each model of the gallery, mechanisms with published numbers, by name.

    Examples
    --------
    >>> "bricard" in gallery()
    True
    """
    found = sorted((_home() / "gallery").glob(f"*/{FILE_NAME}"))
    return {path.parent.name: path.parent for path in found}


def _home() -> Path:
    package = Path(__file__).parent
    places = (package / "models", package.parents[1] / "models")
    return next((place for place in places if place.is_dir()), places[0])


def folder(name: str) -> Path:
    """Return the folder of a shipped model.

    Raises
    ------
    ModelError
        If there is no such model.
    """
    known = {**gallery(), **shipped()}
    if name not in known:
        message = f"neither a file, nor a folder with a {FILE_NAME}, nor a shipped model"
        raise ModelError.whole(name, message + _alike(Path(name), known))
    return known[name]


def _alike(path: Path, known: Iterable[str] = ()) -> str:
    """Return what may be meant by a path that is not there: a name that is known, or a file."""
    try:
        beside = [
            one
            for one in path.parent.iterdir()
            if one.suffix == ".toml" or (one / FILE_NAME).is_file()
        ]
    except (OSError, ValueError):
        beside = []
    meant = {**{one.stem: str(one) for one in sorted(beside)}, **{one: one for one in known}}
    found = closest(path.stem, meant)
    return "" if found is None else f"; did you mean '{meant[found]}'?"


def read_model(path_or_name: str | Path) -> tuple[Path, str]:
    """Return the file of a model, and the text in it.

    Parameters
    ----------
    path_or_name : str or Path
        A TOML file, a folder that holds a ``model.toml``, or the name of a shipped model.

    Raises
    ------
    ModelError
        If there is no such file, or it cannot be read.
    """
    source = str(path_or_name)
    if not source:
        raise ModelError.whole("model", "expected a file, a folder or a name, found nothing")
    try:
        path = _located(Path(path_or_name))
        if advice := advice_by_ending(path, (".toml",)):
            raise ModelError.whole(source, advice)
        return path, read_text(path)
    except FileError as error:
        raise ModelError.whole(source, error.reason) from None
    except OSError as error:
        raise ModelError.whole(source, f"cannot be read: {error.strerror}") from None


def _located(path: Path) -> Path:
    if "\0" in str(path) or not (path.exists() or path.suffix == ".toml"):
        path = folder(str(path))
    if not path.exists():
        raise ModelError.whole(str(path), f"there is no such file{_alike(path)}")
    if not path.is_dir():
        return path
    if not (path / FILE_NAME).exists():
        raise ModelError.whole(str(path), f"expected a folder that holds a {FILE_NAME}")
    return path / FILE_NAME
