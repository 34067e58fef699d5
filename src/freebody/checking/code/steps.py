"""What a step of time makes of values, and how fast that changes them, by any method."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.checking.code.tables import STEPS, is_step
from freebody.code.interpreter import FollowedListing
from freebody.code.values import Assigned, Unknown, set_entries
from freebody.code.working import Run
from freebody.errors import GraphError
from freebody.graph.cells import Cell
from freebody.graph.derivatives import jacobian

LARGEST = 3000
"""Operations of a step of time that is judged."""
_ENTRY = re.compile(r"(\w+)\[(\d+)(?:, ?0)?\]")


@dataclass(frozen=True)
class Step:
    """A value after a step of time.

    Attributes
    ----------
    one : Assigned
        What gets it.
    name : str
        What it is called, without its place in a vector.
    place : int, optional
        In a vector.
    value : Cell
    begun : Cell
        Itself where the step is zero.
    slope : Cell
        Its derivative by the step, there.
    """

    one: Assigned
    name: str
    place: int | None
    value: Cell
    begun: Cell
    slope: Cell


def steps_of(
    found: FollowedListing, run: Run, is_wanted: Callable[[str, int | None], bool]
) -> list[Step]:
    """Return the values of a function that are those after a step of time.

    Parameters
    ----------
    found : FollowedListing
    run : Run
    is_wanted : callable
        Whether a variable, or the entry of one, may be the state or a part of it.
    """
    out = []
    named = _named_steps(found)
    for one in run.assigned:
        entry = _ENTRY.fullmatch(one.name)
        name, own = (entry[1], int(entry[2])) if entry else (one.name, None)
        for at, value in _scalars(one.value) if name else ():
            place = own if at is None else at
            if not is_wanted(name, place):
                continue
            with suppress(GraphError, ZeroDivisionError):
                changed = _changed(found, value, named)
                if changed is not None:
                    out.append(Step(one, name, place, value, *changed))
    return out


def _scalars(value: Any) -> Iterator[tuple[int | None, Cell]]:
    """Iterate over the scalars of a value, and where they stand in it."""
    if isinstance(value, Unknown):
        value = set_entries(value)
    if isinstance(value, Cell):
        yield None, value
    elif isinstance(value, (list, np.ndarray)):
        entries = value.reshape(-1) if isinstance(value, np.ndarray) else value
        yield from ((place, one) for place, one in enumerate(entries) if isinstance(one, Cell))


def _named_steps(found: FollowedListing) -> list[Cell]:
    """Return the steps of time that are worked out: ``dt = T/N``."""
    return [
        one.value
        for run in found.runs
        for one in run.assigned
        if one.name.lower() in STEPS
        and isinstance(one.value, Cell)
        and found.table.graph.operands(one.value.node)
    ]


def _changed(found: FollowedListing, value: Cell, named: list[Cell]) -> tuple[Cell, Cell] | None:
    """Return a value where the step of time that it has is zero, and its derivative there."""
    table, graph = found.table, found.table.graph
    reached = graph.reached([value])
    if len(reached) > LARGEST:
        return None
    for one in named:
        if one.node in reached and one.node != value.node:
            step = table.cell(table.unknown("step of time", "dt").leaf)
            (value,) = graph.substituted([value], {one: step})
            reached = graph.reached([value])
    leaves = [
        table.leaves[node[1]] for place in reached if (node := graph.nodes[place])[0] == "leaf"
    ]
    steps = [leaf for leaf in leaves if is_step(leaf)]
    if len(steps) != 1:
        return None
    step = table.cell(steps[0])
    (begun,) = graph.substituted([value], {step: graph.zero})
    ((slope,),) = jacobian(graph, [value], [step])
    (rate,) = graph.substituted([slope], {step: graph.zero})
    return begun, rate
