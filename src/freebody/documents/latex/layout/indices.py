"""The letters of indices: the values that they are printed to take, and numbers in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, pairwise

from freebody.documents.latex.spellings import plain
from freebody.documents.latex.tokens.items import DOTS, STYLES, Group, Item, Token, words

_ACCENTS = STYLES | DOTS.keys()
_SIGNS = {"+": 1, "-": -1}
_WORD = re.compile(r"(?=[a-z]*[aeiou])(?![i-nx-z]+(?![a-z]))[a-z]{4,}|min|lin|t[io]p|[bf]in")
"""Letters below others that are a word, of which none is an index."""


def substitute(
    items: Sequence[Item], letter: str, value: int, *, bare: bool = False
) -> tuple[Item, ...]:
    """Put a value in place of an index; places on the page stay.

    Parameters
    ----------
    items : sequence of Item
        What is printed.
    letter : str
        The index.
    value : int
        What it stands for.
    bare : bool, optional
        Whether the letter stands for the number outside of subscripts too, as in ``(-1)^i``.
    """
    sole = len(items) == 1
    return tuple(_substituted(item, letter, value, bare, sole) for item in items)


def uses(items: Sequence[Item], letter: str, *, bare: bool = False) -> bool:
    """Return whether an index stands in a row of items."""
    return substitute(items, letter, 0, bare=bare) != tuple(items)


def _substituted(item: Item, letter: str, value: int, bare: bool, sole: bool) -> Item:
    if isinstance(item, Token):
        return _number(item, value, sole) if bare and item.text == letter else item
    if isinstance(item, Group):
        return replace(item, items=substitute(item.items, letter, value, bare=bare))
    if item.text == "_":
        return replace(item, arguments=(_subscript(item.arguments[0], letter, value),))
    inside = bare and item.text not in _ACCENTS
    arguments = tuple(substitute(row, letter, value, bare=inside) for row in item.arguments)
    return replace(item, arguments=arguments)


def _number(item: Item, value: int, sole: bool) -> Item:
    """Return a number; in braces where it stands beside something."""
    digits = Token(str(abs(value)), item.start, item.stop)
    inside = (Token("-", item.start, item.start), digits) if value < 0 else (digits,)
    alone = sole and value >= 0
    return digits if alone else Group("{", inside, item.start, item.stop)


def _subscript(items: Sequence[Item], letter: str, value: int) -> tuple[Item, ...]:
    """Return a subscript with the value put in and worked out, such as ``i+1``."""
    inside = substitute(items, letter, value)
    spelled = "".join(item.text if len(item.text) == 1 else " " for item in inside)
    in_words = {place for word in _WORD.finditer(spelled) for place in range(*word.span())}
    valued = tuple(
        Token(str(value), item.start, item.stop)
        if isinstance(item, Token) and item.text == letter and place not in in_words
        else item
        for place, item in enumerate(inside)
    )
    return valued if valued == tuple(items) else _summed(valued)


def _summed(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Add up the numbers between commas."""
    commas = [i for i, item in enumerate(items) if item.text == ","]
    worked: list[Item] = []
    for first, last in pairwise([-1, *commas, len(items)]):
        worked += items[first : first + 1] if first >= 0 else ()
        worked += _total(items[first + 1 : last])
    return tuple(worked)


def _total(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the value of numbers with signs between as one number, anything else as it is."""
    text = [item.text for item in items]
    if not set(text) & _SIGNS.keys() or not _alternate(text):
        return items
    total = int(text[0])
    for sign, number in zip(text[1::2], text[2::2], strict=True):
        total += _SIGNS[sign] * int(number)
    return (Token(str(total), items[0].start, items[-1].stop),)


def _alternate(text: list[str]) -> bool:
    """Return whether numbers and signs follow each other, numbers at both ends."""
    if len(text) % 2 == 0:
        return False
    numbers = all(part.isascii() and part.isdigit() and len(part) < 5 for part in text[::2])
    return numbers and all(part in _SIGNS for part in text[1::2])


LONGEST = 60  # items
_DOTS = r",?(?:\.\.\.|\\(?:dots|ldots|cdots|dotsc)),?"
_LIST = rf"\d{{1,2}}(?:,\d{{1,2}})*(?:{_DOTS}(?:\d{{1,2}}|[A-Za-z]))?"
_ONE = rf"(?P<letters>[i-n](?:,[i-n])*)(?:=(?P<values>{_LIST})|\\in\\\{{\((?P<set>{_LIST})\))"
_RANGE = re.compile(_ONE)
_RANGES = re.compile(rf"{_ONE}(?:[,;]*(?:{re.sub(r'[?]P<[a-z]+>', '?:', _ONE)}))*[,;.]*")
_SUMMED = re.compile(
    r"\\sum(?:\\limits)?\s*_\{?\s*(?P<letter>[i-n])\s*=\s*(?P<first>[01])\s*\}?\s*"
    r"\^\s*\{?\s*(?P<last>\d)\s*\}?(?P<of>(?:(?!\\sum).){1,300})",
    re.DOTALL,
)
_FEW = 6
"""Numbers over which sums are written out elsewhere too."""
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


def summed_names(text: str) -> tuple[tuple[FreeIndex, str], ...]:
    r"""Return the indices that a page sums over few numbers, with what it sums.

    None of those that it sums over others elsewhere.

    Examples
    --------
    >>> summed_names(r"$\sum_{k=1}^{3} m_k y_{c,k}$ and $\sum_{j=1}^2 a_j, \sum_{j=0}^3 b_j$")
    ((FreeIndex(letter='k', values=(1, 2, 3)), ' m_k y_{c,k}$ and $'),)
    """
    found = [
        (FreeIndex(one["letter"], tuple(range(int(one["first"]), int(one["last"]) + 1))), one["of"])
        for one in _SUMMED.finditer(text)
    ]
    said: dict[str, set[FreeIndex]] = {}
    for index, _ in found:
        said.setdefault(index.letter, set()).add(index)
    return tuple(
        (index, of)
        for index, of in found
        if len(said[index.letter]) == 1 and 1 < len(index.values) <= _FEW
    )


def _indices(text: str) -> Iterator[FreeIndex]:
    ranges = list(_RANGE.finditer(text))
    if any(match["values"] and match["values"].isdigit() for match in ranges):
        return
    for match in ranges:
        values = tuple(_counted(match["values"] or match["set"]))
        for letter in match["letters"].split(","):
            yield FreeIndex(letter, values)


def _counted(text: str) -> Iterator[int]:
    """Yield the numbers of a list, those left out with dots too."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if not re.search(r"\.\.|\\", text):
        yield from numbers
    elif text[-1].isdigit():
        *listed, last = numbers
        step = listed[1] - listed[0] if len(listed) > 1 else 1
        yield from range(listed[0], last + 1, max(step, 1))
