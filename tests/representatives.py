"""Which of many combinations of parameters a run tries: those that stand for the others, or all.

A test that is marked ``each_once`` is run so often that each value of its parameters occurs; with
names of parameters, each value of those. One that is marked ``few`` is run with the values that
are named, one that is marked ``one_in`` with each so-manieth of those that are alike, one that is
marked ``exhaustive`` not with the parameters that are named, or not at all.
With ``--every`` all are run with all that there are, which the campaign ``combinations`` does as
well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import pytest

OPTION = "--every"
HELP = "try every combination of parameters where some stand for all"
MARKS = (
    "each_once(*names): of the combinations of parameters, enough to have each value once",
    "few(*values): of the values of a parameter, those that stand for the others",
    "one_in(count): of parameters that are alike, so many stand for one another",
    "exhaustive(*ids): a test of what shorter ones stand for, with these parameters or with all",
)


def left_out(items: Iterable[pytest.Function]) -> Iterator[pytest.Function]:
    """Iterate over the tests of which others stand for."""
    for _, group in groupby(items, key=lambda item: item.nodeid.split("[")[0]):
        every = list(group)
        kept = _standing(every)
        yield from (item for item in every if item not in kept)


def _standing(items: list[pytest.Function]) -> list[pytest.Function]:
    if long := items[0].get_closest_marker("exhaustive"):
        items = [item for item in items if long.args and item.callspec.id not in long.args]
    if not items:
        return []
    few, once, some = (items[0].get_closest_marker(name) for name in ("few", "each_once", "one_in"))
    if few:
        items = [
            item for item in items if not {*map(str, few.args)}.isdisjoint(_values(item).values())
        ]
    if some:
        items = items[:: some.args[0]]
    return _covering(items, once.args) if once else items


def _values(item: pytest.Function) -> dict[str, str]:
    return {key: str(value) for key, value in item.callspec.params.items()}


def _rows(item: pytest.Function, names: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the values of some parameters, or of those that are given together."""
    values = _values(item)
    given = [mark.args[0] for mark in item.iter_markers("parametrize")]
    together = [key.split(",") if isinstance(key, str) else key for key in given]
    return {
        (*keys, *(values[key.strip()] for key in keys))
        for keys in ([[name] for name in names] if names else together)
    }


def _covering(items: list[pytest.Function], names: tuple[str, ...]) -> list[pytest.Function]:
    """Return items that have all values: each is the first that has the most that are missing."""
    rows, kept = [_rows(item, names) for item in items], []
    missing = set().union(*rows)
    while missing:
        place = max(range(len(items)), key=lambda place: len(rows[place] & missing))
        missing -= rows[place]
        kept.append(items[place])
    return kept
