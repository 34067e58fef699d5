"""Which coordinate or speed each entry of a state is: by names, by structure, by usual orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from freebody.checking.code.roles import Roles
from freebody.checking.code.tables import ORDERS, STATES
from freebody.code.interpreter import Found
from freebody.code.values import Leaf, Unknown, set_entries
from freebody.code.working import Run
from freebody.graph.operations import Cell


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
    for layout in _layouts(n):
        if all(layout[place] == known[place] for place in places):
            return layout
    if len(coordinates) != n:
        return None
    rest = iter(coordinates)
    return [one or (1, next(rest)) for one in known]


def _layouts(n: int) -> Iterator[list[tuple[int, int]]]:
    """Iterate over the usual orders of a state."""
    yield [(order, place) for order in (0, 1) for place in range(n)]
    yield [(order, place) for place in range(n) for order in (0, 1)]
    yield [(order, place) for order in (1, 0) for place in range(n)]
    yield [(order, place) for place in range(n) for order in (1, 0)]


def state_of(found: Found, run: Run, roles: Roles, declared: Sequence[str]) -> State:
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
    names = [one for one in leaf.names if "#" not in one]
    for name in (*names, leaf.path.rsplit(".", 1)[-1].rsplit(":", 1)[-1]):
        if "[" in name:
            continue
        moving = roles.moving(name)
        if moving is not None and (moving.is_named or not roles.constant(leaf, "") or moving.order):
            return moving.order, moving.place
    return None


def _vectors(leaves: Sequence[Leaf]) -> dict[str, dict[int, Leaf]]:
    """Return the entries of vectors from outside, by the paths of these."""
    out: dict[str, dict[int, Leaf]] = {}
    for leaf in leaves:
        match = re.fullmatch(r"(.*)\[(\d+)\]", leaf.path)
        if match:
            out.setdefault(match[1], {})[int(match[2])] = leaf
    return out


def _order_vector(
    found: Found,
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
    order = ORDERS.get(last)
    if order is not None and max(parts) < n:
        for place, leaf in parts.items():
            state.moving.setdefault(leaf.path, (order, place))
    elif n <= max(parts) < 2 * n or (max(parts) < n and last in STATES):
        found_layout = _structural(found, run, base, n) or _first_fitting(known, n)
        for place, leaf in parts.items() if found_layout else ():
            state.moving.setdefault(leaf.path, (found_layout or [])[place])


def _first_fitting(known: Mapping[int, tuple[int, int]], n: int) -> list[tuple[int, int]] | None:
    for layout in _layouts(n):
        if known and all(layout[place] == one for place, one in known.items()):
            return layout
    return None


def _structural(found: Found, run: Run, base: str, n: int) -> list[tuple[int, int]] | None:
    """Return the order of a state by which of its entries are the rates of others."""
    for one in reversed([*run.assigned, *run.returned]):
        value = one.value
        entries = _entries_of(value, found)
        if entries is None or len(entries) < 2 * n:
            continue
        pairs = {}
        for place, cell in enumerate(entries[: 2 * n]):
            leaf = found.table.leaf_of(cell) if isinstance(cell, Cell) else None
            match = re.fullmatch(rf"{re.escape(base)}\[(\d+)\]", leaf.path) if leaf else None
            if match:
                pairs[place] = int(match[1])
        if len(pairs) >= max(1, (n + 1) // 2):
            for layout in _layouts(n):
                if all(
                    layout[q][0] == 0 and layout[u] == (1, layout[q][1])
                    for q, u in pairs.items()
                    if u < 2 * n
                ):
                    return layout
    return None


def _entries_of(value: Any, found: Found) -> list[Any] | None:
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
