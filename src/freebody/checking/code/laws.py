"""Control laws: what a listing works out for the inputs of the model, from the state or from time.

A law is no part of the equations of motion. Where it stands for an input, that is what is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from freebody.checking.code.roles import NAMED, Roles
from freebody.checking.code.tables import INPUTS, SHORT_ENERGIES
from freebody.code.interpreter import FollowedListing, Law
from freebody.code.values import Assigned, Leaf
from freebody.graph.cells import Cell

MOST_LAWS = 4
"""Of how many variables it is tried whether they are laws."""
CONTROLS = INPUTS | {"control", "ctrl", "cmd", "command", "motor", "fx", "act", "ucl", "ufb", "ctl"}


def laws_of(found: FollowedListing, roles: Roles) -> list[tuple[Law, bool]]:
    """Return what may be control laws, and whether something in them is none of the model's.

    Parameters
    ----------
    found : FollowedListing
    roles : Roles
    """
    out: dict[Law, bool] = {}
    if not roles.inputs:
        return []
    for run in found.runs:
        for one in run.assigned:
            if _is_control(one.name, roles) and (cells := list(_computed_cells(found, one))):
                law = run.name.rsplit(".", 1)[-1], one.name
                out[law] = out.get(law, False) or _has_other(found, cells, roles)
    return sorted(out.items(), key=lambda pair: not pair[1])


def _is_control(name: str, roles: Roles) -> bool:
    stem = re.sub(r"[_\d]+$", "", name.lower())
    # capital letters are energies rather
    is_energy = name.isupper() and name.lower() in SHORT_ENERGIES
    return bool(name) and ((stem in CONTROLS and not is_energy) or name in roles.inputs)


def _computed_cells(found: FollowedListing, one: Assigned) -> Iterator[Cell]:
    """Iterate over the scalars of a value that are no numbers, and nothing given from outside."""
    value: Any = one.value
    entries: Sequence[Any] = list(value.flat) if isinstance(value, np.ndarray) else [value]
    graph = found.table.graph
    for cell in entries:
        if isinstance(cell, Cell) and graph.operands(cell.node) and _leaves(found, [cell]):
            yield cell


def _has_other(found: FollowedListing, cells: Sequence[Cell], roles: Roles) -> bool:
    """Return whether cells are made of what is no constant of the model, or of none of them."""
    still = [leaf for leaf in _leaves(found, cells) if not _moves(leaf, roles)]
    named = [
        any(role.cost <= NAMED and role.text not in roles.inputs for role in found_roles)
        for found_roles in (roles.constant(leaf, "") for leaf in still)
    ]
    return not all(named) or not named


def _moves(leaf: Leaf, roles: Roles) -> bool:
    return "[" in leaf.path or any(roles.moving(name) is not None for name in leaf.names)


def _leaves(found: FollowedListing, cells: Sequence[Cell]) -> list[Leaf]:
    graph = found.table.graph
    nodes = (graph.nodes[place] for place in graph.reached(cells))
    return [found.table.leaves[path] for kind, path, *_ in nodes if kind == "leaf"]
