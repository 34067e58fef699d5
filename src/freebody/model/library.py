"""The models that come with freebody."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from freebody.errors import ModelError, Problem, nearest

FILE_NAME = "model.toml"


@cache
def shipped() -> dict[str, Path]:
    """Return the folder of each shipped model, by name.

    Examples
    --------
    >>> "three_link_arm" in shipped()
    True
    """
    package = Path(str(resources.files("freebody")))
    places = (package / "models", package.parents[1] / "models")
    home = next((place for place in places if place.is_dir()), places[0])
    return {path.parent.name: path.parent for path in sorted(home.glob(f"*/{FILE_NAME}"))}


def folder(name: str) -> Path:
    """Return the folder of a shipped model.

    Raises
    ------
    ModelError
        If there is no such model.
    """
    if name not in shipped():
        message = f"neither a file, nor a folder with a {FILE_NAME}, nor a shipped model"
        raise ModelError(name, [Problem("", message + nearest(name, shipped()))])
    return shipped()[name]
