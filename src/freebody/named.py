"""What goes by names: dictionaries that say what there is instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeVar

from freebody.errors import ArgumentError, absent

Part = TypeVar("Part")


class Named(dict[str, Part]):
    """A dictionary of parts of a model.

    Parameters
    ----------
    what : str
        What goes by the names, such as ``"joint"``.
    parts : mapping of str

    Examples
    --------
    >>> Named("joint", {"wrist": 1})["wirst"]
    Traceback (most recent call last):
    freebody.errors.ArgumentError: there is no joint 'wirst'; did you mean 'wrist'?
    """

    def __init__(self, what: str, parts: Mapping[str, Part]) -> None:
        super().__init__(parts)
        self._what = what

    def __missing__(self, name: object) -> NoReturn:
        """Refuse a name that nothing goes by."""
        raise ArgumentError(absent(self._what, name, self))
