"""A mechanism while some of its impacts stay closed: they are constraints until they open again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from freebody.arrays import Array
from freebody.mechanics.constraints import Constraint
from freebody.mechanics.impacts import Impact
from freebody.mechanics.mechanism import Mechanism

LEAST = 1e-9
"""Below this part of the largest, a singular value says that a row adds nothing to those before."""


def impact_places(mechanism: Mechanism) -> dict[str, list[int]]:
    """Return the rows of ``impact_matrix`` and ``impact_gaps`` that are each impact's."""
    places: dict[str, list[int]] = {}
    for impact in mechanism.impacts:
        start = sum(map(len, places.values()))
        places[impact.name] = list(range(start, start + len(impact.equations)))
    return places


def with_closed(mechanism: Mechanism, closed: Iterable[str], J: Array, held: Array) -> Mechanism:
    """Return a mechanism in which some impacts are closed.

    Parameters
    ----------
    mechanism : Mechanism
    closed : iterable of str
    J : array, shape (equations of all impacts, n)
        Their ``impact_matrix`` at a state at which they are closed.
    held : array, shape (m, n)
        Independent rows of the constraint matrix there.
    """
    names = sorted(closed)
    added = tuple(_constraints(mechanism, names, J, held))
    decided = ", ".join(name for one in added for name in one.dependent)
    variant = f"closed {', '.join(names)}; decided {decided}"
    constraints = (*mechanism.constraints, *added)
    return replace(mechanism, constraints=constraints, variant=variant)


def _constraints(
    mechanism: Mechanism, closed: list[str], J: Array, held: Array
) -> Iterator[Constraint]:
    """Iterate over what is held; each decides a speed for each row that adds to the rank."""
    impacts = {impact.name: impact for impact in mechanism.impacts}
    places = impact_places(mechanism)
    speeds = list(mechanism.names.speeds)
    rows = list(held)
    decided = [mechanism.speeds.index(u) for u in mechanism.dependent_speeds]
    for name in closed:
        impact = impacts[name]
        for equations, of in _by_kind(impact, places[name]):
            chosen = []
            for place in of:
                rows.append(J[place])
                column = _next_column(np.array(rows), decided)
                if column is not None:
                    decided.append(column)
                    chosen.append(speeds[column])
            multipliers = tuple(impact.impulses[n] for n in equations)
            parts = tuple(impact.equations[n] for n in equations)
            yield Constraint(name, multipliers, tuple(chosen), parts)


def _by_kind(impact: Impact, places: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Iterate over equations between coordinates, and then between speeds, with their rows."""
    for holonomic in (True, False):
        numbers = [n for n, one in enumerate(impact.equations) if one.holonomic is holonomic]
        if numbers:
            yield numbers, [places[n] for n in numbers]


def _next_column(rows: Array, decided: list[int]) -> int | None:
    """Return the speed that follows best from a last row, or none if it says nothing new."""
    least = {
        column: float(np.linalg.svd(rows[:, [*decided, column]], compute_uv=False)[-1])
        for column in range(rows.shape[1])
        if column not in decided and len(decided) < len(rows)
    }
    best = max(least, key=lambda column: least[column], default=None)
    return best if best is not None and least[best] > LEAST else None
