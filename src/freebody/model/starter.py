"""The model that a new user starts from."""

from __future__ import annotations

from importlib import resources

from freebody.errors import ModelError, Problem

MAX_LENGTH = 64


def starter(name: str) -> str:
    """Return the text of a model file that is complete, commented and ready to be changed.

    Parameters
    ----------
    name : str
        What its title begins with: letters, digits, ``_`` and ``-``.

    Examples
    --------
    >>> from freebody.model import loads
    >>> loads(starter("mybody")).title
    'mybody: a leg that swings from the hip'
    """
    plain = name.replace("_", "").replace("-", "")
    if not (plain.isascii() and plain.isalnum() and len(name) <= MAX_LENGTH):
        message = f"expected a name of at most {MAX_LENGTH} letters, digits, '_' and '-'"
        raise ModelError("new model", [Problem("", f"{message}, found {name[:MAX_LENGTH]!r}")])
    text = resources.files(__package__).joinpath("starter.toml").read_text(encoding="utf-8")
    return text.replace("NAME", name, 1)
