r"""The values of free indices: ``i = 1, 2, 3``, ``i,j = 1,\dots,3``, ``i \in \{1, 2\}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from freebody.documents.latex.names import plain
from freebody.documents.latex.tokens.items import Group, Item, words

LONGEST = 60  # items
_DOTS = r",?(?:\.\.\.|\\(?:dots|ldots|cdots|dotsc)),?"
_LIST = rf"\d{{1,2}}(?:,\d{{1,2}})*(?:{_DOTS}(?:\d{{1,2}}|[A-Za-z]))?"
_ONE = rf"(?P<letters>[i-n](?:,[i-n])*)(?:=(?P<values>{_LIST})|\\in\\\{{\((?P<set>{_LIST})\))"
_RANGE = re.compile(_ONE)
_RANGES = re.compile(rf"{_ONE}(?:[,;]*(?:{re.sub(r'[?]P<[a-z]+>', '?:', _ONE)}))*[,;.]*")
_PASSED = frozenset({r"\forall", r"\quad", r"\qquad", "&", r"\ "})


@dataclass(frozen=True, slots=True)
class FreeIndex:
    """A letter that stands for several values; none where it is not known which."""

    letter: str
    values: tuple[int, ...]


def may_start(item: Item) -> bool:
    """Return whether the values of an index may begin with an item."""
    if isinstance(item, Group):
        return item.text == "("
    return item.text == r"\forall" or (len(item.text) == 1 and "i" <= item.text <= "n")


def free_indices(items: Sequence[Item]) -> list[FreeIndex]:
    """Return the indices whose values are all that is printed; none where it is something else."""
    printed = [item for item in items if item.text not in _PASSED]
    printed = list(dropwhile(lambda item: words(item) is not None, printed))
    if len(printed) == 1 and isinstance(printed[0], Group) and printed[0].text == "(":
        return free_indices(printed[0].items)
    if not 3 <= len(printed) < LONGEST or not may_start(printed[0]):
        return []
    text = "".join("," if words(item) else plain([item]) for item in printed)
    return list(_indices(text)) if _RANGES.fullmatch(text) else []


def _indices(text: str) -> Iterator[FreeIndex]:
    ranges = list(_RANGE.finditer(text))
    if any(match["values"] and match["values"].isdigit() for match in ranges):
        return
    for match in ranges:
        values = tuple(_values(match["values"] or match["set"]))
        for letter in match["letters"].split(","):
            yield FreeIndex(letter, values)


def _values(text: str) -> Iterator[int]:
    """Yield the numbers of a list, those left out with dots too."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if not re.search(r"\.\.|\\", text):
        yield from numbers
    elif text[-1].isdigit():
        *listed, last = numbers
        step = listed[1] - listed[0] if len(listed) > 1 else 1
        yield from range(listed[0], last + 1, max(step, 1))
