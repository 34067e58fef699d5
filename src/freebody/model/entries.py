"""A model as a list of the expressions and names in it, each with its path and its mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from freebody.model.marks import Entry, Quantity, Refers

Mark = TypeVar("Mark", Quantity, Refers)


@dataclass(frozen=True, slots=True)
class Marked(Generic[Mark]):
    """A value in a model that a mark says something about.

    Attributes
    ----------
    where : str
        Path in the file, such as ``joints[1].at[0]``.
    value : Scalar
        An expression, a number or a name.
    mark : Quantity or Refers
    entry : Entry
        The table that the value is in.
    """

    where: str
    value: Any
    mark: Mark
    entry: Entry


def marked(entry: Entry, mark: type[Mark], where: str = "") -> Iterator[Marked[Mark]]:
    """Iterate over the values in a model, or a table of it, that have a mark of one kind.

    Examples
    --------
    >>> from freebody.model import load
    >>> for found in marked(load("pendulum"), Refers):
    ...     print(found.where, found.value)
    joints[0].parent ground
    joints[0].child link
    """
    for name, field in type(entry).model_fields.items():
        own = next((said for said in field.metadata if isinstance(said, mark)), None)
        for at, value in _parts(f"{where}.{name}" if where else name, getattr(entry, name)):
            if isinstance(value, Entry):
                yield from marked(value, mark, at)
            elif own is not None and value is not None:
                yield Marked(at, value, own, entry)


def _parts(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((f"{where}.{name}", part) for name, part in value.items())
    elif isinstance(value, tuple):
        yield from ((f"{where}[{index}]", part) for index, part in enumerate(value))
    else:
        yield where, value
