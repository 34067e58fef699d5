"""Which coordinate or speed each entry of a state is: by names, by structure, by usual orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from freebody.checking.code.roles import NAMED, SURE, Roles
from freebody.checking.code.steps import steps_of
from freebody.checking.code.tables import INPUTS, ORDERS, STATES, TIME
from freebody.code.interpreter import FollowedListing
from freebody.code.values import Leaf, Unknown, set_entries
from freebody.code.working import Run
from freebody.graph.cells import Cell

ENTRY = re.compile(r"(.*)\[(\d+)(?:,0)?\]")
"""An entry of a vector from outside, which may be a column."""


FIELD = re.compile(r"(\w+)\.([abcxyz])")
"""An entry of a vector that has them by letters."""


@dataclass
class State:
    """What the entries of a state are: which coordinate or speed each leaf is."""

    moving: dict[str, tuple[int, int]] = field(default_factory=dict)


def filled(known: list[tuple[int, int] | None], n: int) -> list[tuple[int, int]] | None:
    """Return what all entries are, where some are the rates of coordinates."""
    places = [place for place, one in enumerate(known) if one]
    coordinates = [one[1] for one in known if one]
    if len(set(coordinates)) != len(coordinates):
        return None
    for layout in layouts(n):
        if all(layout[place] == known[place] for place in places):
            return layout
    if len(coordinates) != n:
        return None
    rest = iter(coordinates)
    return [one or (1, next(rest)) for one in known]


def layouts(n: int) -> Iterator[list[tuple[int, int]]]:
    """Iterate over the usual orders of a state."""
    yield [(order, place) for order in (0, 1) for place in range(n)]
    yield [(order, place) for place in range(n) for order in (0, 1)]
    yield [(order, place) for order in (1, 0) for place in range(n)]
    yield [(order, place) for place in range(n) for order in (1, 0)]


def state_of(found: FollowedListing, run: Run, roles: Roles, declared: Sequence[str]) -> State:
    """Return what the entries of the state of a function are, by names, structure and order."""
    state = State()
    leaves = list(found.table.leaves.values())
    for leaf in leaves:
        moving = _moving_of(leaf, roles)
        if moving is not None:
            state.moving[leaf.path] = moving
    for base, parts in _vectors(leaves).items():
        _order_vector(found, run, roles, state, base, parts, declared)
    return state


def _moving_of(leaf: Leaf, roles: Roles) -> tuple[int, int] | None:
    if leaf.number is not None and not leaf.is_parameter:
        return None
    field = FIELD.fullmatch(leaf.path.rsplit(":", 1)[-1])
    if field and field[1].lower() in ORDERS:
        place = ("abc" if field[2] in "abc" else "xyz").index(field[2])
        return (ORDERS[field[1].lower()], place) if place < len(roles.names) else None
    names = [one for one in leaf.names if "#" not in one]
    for name in (*names, leaf.path.rsplit(".", 1)[-1].rsplit(":", 1)[-1]):
        if "[" in name or name in TIME:
            continue
        moving = roles.moving(name)
        if moving is not None and (moving.is_named or moving.order or _is_sure(name, leaf, roles)):
            return moving.order, moving.place
    return None


def _is_sure(name: str, leaf: Leaf, roles: Roles) -> bool:
    """Return whether a name is a coordinate's rather than that of an input or a constant.

    A function of time that is given from outside, as ``p(t)``, may be any load.
    """
    others = roles.constant(leaf, "")
    stem = re.sub(r"[_\d]+$", "", name.lower())
    if leaf.path.endswith("()") and stem not in SURE:
        return False
    return not others or (stem in SURE and others[0].cost > NAMED)


def _vectors(leaves: Sequence[Leaf]) -> dict[str, dict[int, Leaf]]:
    """Return the entries of vectors from outside, by the paths of these."""
    out: dict[str, dict[int, Leaf]] = {}
    for leaf in leaves:
        match = ENTRY.fullmatch(leaf.path)
        if match:
            out.setdefault(match[1], {})[int(match[2])] = leaf
    return out


def _order_vector(
    found: FollowedListing,
    run: Run,
    roles: Roles,
    state: State,
    base: str,
    parts: dict[int, Leaf],
    declared: Sequence[str],
) -> None:
    """Take note of what the entries of a vector are."""
    n, last = len(roles.names), base.rsplit(":", 1)[-1].rsplit(".", 1)[-1].lower()
    if declared and last in STATES:
        layout = [(one.order, one.place) for name in declared if (one := roles.moving(name))]
        state.moving |= {
            leaf.path: layout[place] for place, leaf in parts.items() if place < len(layout)
        }
        return
    known = {p: state.moving[leaf.path] for p, leaf in parts.items() if leaf.path in state.moving}
    for q, u in next(_pairs(found, run, base, n), {}).items():
        if q in known and u in parts and known[q][0] == 0:
            # that it is its rate says more of an entry than its name
            known[u] = state.moving[parts[u].path] = (1, known[q][1])
    order = ORDERS.get(last)
    if order == 1 and max(parts) < n and last in INPUTS and not _has_coordinates(base, found):
        return
    inside = {place: leaf for place, leaf in parts.items() if place < 2 * n}
    if order is not None and max(parts) < n:
        layout = [(order, place) for place in range(n)]
    elif inside and (max(inside) >= n or last in STATES):
        layout = _layout_of(found, run, base, known, n, is_long=len(inside) < len(parts)) or []
    else:
        return
    for place, leaf in inside.items() if layout else ():
        state.moving.setdefault(leaf.path, layout[place])


def _has_coordinates(base: str, found: FollowedListing) -> bool:
    """Return whether the vector of coordinates stands beside that of the speeds."""
    function = base.rpartition(":")[0]
    others = (ENTRY.fullmatch(path) for path in found.table.leaves)
    beside = {one[1].rpartition(":") for one in others if one}
    return any(head == function and ORDERS.get(name.lower()) == 0 for head, _, name in beside)


def _layout_of(
    found: FollowedListing,
    run: Run,
    base: str,
    known: Mapping[int, tuple[int, int]],
    n: int,
    *,
    is_long: bool,
) -> list[tuple[int, int]] | None:
    """Return the order of a state: by structure, by names, as in another function."""
    own = _structural(found, run, base, n)
    if own or is_long:
        return own
    last = base.rsplit(":", 1)[-1]
    others = (
        _structural(found, each, path.rsplit("[", 1)[0], n)
        for each in found.runs
        if each is not run and each.name
        for path in (f"{each.name}:{last}[",)
    )
    return _first_fitting(known, n) or next(filter(None, others), None)


def _first_fitting(known: Mapping[int, tuple[int, int]], n: int) -> list[tuple[int, int]] | None:
    for layout in layouts(n):
        if known and all(layout[place] == one for place, one in known.items()):
            return layout
    return None


def _structural(
    found: FollowedListing, run: Run, base: str, n: int
) -> list[tuple[int, int]] | None:
    """Return the order of a state by which of its entries are the rates of others."""
    for pairs in _pairs(found, run, base, n):
        for layout in layouts(n):
            if all(
                layout[q][0] == 0 and layout[u] == (1, layout[q][1])
                for q, u in pairs.items()
                if u < 2 * n
            ):
                return layout
        if len(pairs) == n and sorted([*pairs, *pairs.values()]) == list(range(2 * n)):
            # an order of its own: coordinates as they come
            places = {q: (0, place) for place, q in enumerate(sorted(pairs))}
            places |= {u: (1, places[q][1]) for q, u in pairs.items()}
            return [places[one] for one in range(2 * n)]
    return None


def _pairs(found: FollowedListing, run: Run, base: str, n: int) -> Iterator[dict[int, int]]:
    """Iterate over the entries of a state whose rates are others of it, by those."""
    for rates in _rates(found, run, base.rsplit(":", 1)[-1], n):
        pairs = {}
        for place, cell in rates.items():
            leaf = found.table.leaf_of(cell) if isinstance(cell, Cell) else None
            match = ENTRY.fullmatch(leaf.path) if leaf else None
            if match and match[1] == base:
                pairs[place] = int(match[2])
        if len(pairs) >= max(1, (n + 1) // 2):
            yield pairs


def _rates(found: FollowedListing, run: Run, name: str, n: int) -> Iterator[dict[int, Any]]:
    """Iterate over what may be the rates of a state: by the places in it."""
    for one in reversed([*run.assigned, *run.returned]):
        entries = _entries_of(one.value, found)
        if entries is not None and len(entries) >= 2 * n:
            yield dict(enumerate(entries[: 2 * n]))
    steps = steps_of(
        found, run, lambda one, place: one == name and place is not None and place < 2 * n
    )
    yield {one.place: one.slope for one in steps if one.place is not None}


def _entries_of(value: Any, found: FollowedListing) -> list[Any] | None:
    if isinstance(value, Unknown):
        value = set_entries(value)
    if isinstance(value, np.ndarray):
        value = list(value.reshape(-1))
    if not isinstance(value, list):
        return None
    return [
        found.table.cell(one.leaf)
        if isinstance(one, Unknown)
        else one[()]
        if isinstance(one, np.ndarray) and one.size == 1 and one.ndim == 0
        else one
        for one in value
    ]
