"""How a movement stands on what it touches, and ends: in an impact, and as it began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import ArgumentError, nearest
from freebody.mechanics.closed_impacts import impact_places, with_closed
from freebody.mechanics.impacts import Impact
from freebody.mechanics.mechanism import Mechanism
from freebody.optimization.equations import Given, ModelEquations


def while_closed(
    moving: Mechanism, closed: tuple[str, ...], q: Array, known: Mapping[str, float]
) -> Mechanism:
    """Return what moves while some impacts are closed, as they are at some coordinates."""
    if not closed:
        return moving
    functions = Functions(moving, "numpy")
    given = {"t": 0.0, "q": q, "constants": np.array(list(known.values()))}
    J, held = functions["impact_matrix"].of(given), np.zeros((0, len(q)))
    if moving.multipliers:
        held = functions["constraint_matrix"].of(given)
    return with_closed(moving, closed, J, held)


def expect_impacts(moving: Mechanism, closed: tuple[str, ...], impact: str | None) -> None:
    """Refuse what is no impact, and a model whose impacts nobody speaks of.

    Raises
    ------
    ArgumentError
    """
    known = [one.name for one in moving.impacts]
    for name in (*closed, *([impact] if impact else [])):
        if name not in known:
            said = f"one of {', '.join(known)}" if known else "a model with impacts"
            raise ArgumentError(f"expected {said}, found impact '{name}'{nearest(name, known)}")
    if impact in closed:
        raise ArgumentError(f"impact: '{impact}' is closed already")
    if known and not closed and impact is None:
        raise ArgumentError(
            f"the model has impacts ({', '.join(known)}): expected which are closed during the "
            "movement, or which ends it, as closed=['...'] or impact='...'"
        )


class FinalImpact:
    """What closes at the end, and lets go of what was closed: M (u⁺ - u⁻) = Jᵀ Λ.

    Parameters
    ----------
    equations : ModelEquations
        While it moves.
    name : str
        Of the impact.
    closed : tuple of str
        The impacts that are closed before.
    last : mapping of str
        All that is known at the end, before the impact.
    after, impulses
        Speeds after it and impulses, along the impact and the constraints of the model, as values
        of CasADi.
    """

    def __init__(
        self,
        equations: ModelEquations,
        name: str,
        closed: tuple[str, ...],
        last: Given,
        after: Any,
        impulses: Any,
    ) -> None:
        import casadi

        moving = equations.mechanism
        of_each = {one.name: one for one in moving.impacts}
        places = impact_places(moving)
        self.impact, self.after, self.impulses = of_each[name], after, impulses
        gap, rate, _, restitution = casadi.horzsplit(equations.of("impact_gaps", last).T)
        J, M = equations.of("impact_matrix", last), equations.of("mass_matrix", last)
        rows, change = places[name], after - last["u"]
        along = J[rows, :]
        own = own_constraints(moving)
        if own:
            along = casadi.vertcat(along, equations.of("constraint_matrix", last)[:own, :])
        holonomic = [
            row for row, one in zip(rows, self.impact.equations, strict=True) if one.holonomic
        ]
        self.vanishing = casadi.vertcat(
            gap[holonomic],
            M @ change - along.T @ impulses,
            (1 + restitution[rows]) * rate[rows] + J[rows, :] @ change,
            along[len(rows) :, :] @ change,
        )
        parting = [places[one][0] for one in closed if of_each[one].pushes]
        closing = rows[:1] if self.impact.pushes else []
        self.positive = casadi.vertcat(
            rate[parting] + J[parting, :] @ change,
            -rate[closing],
        )
        self.energy_lost = (last["u"].T @ M @ last["u"] - after.T @ M @ after) / 2


def impulse_count(moving: Mechanism, name: str) -> int:
    """Return how many impulses an impact has, those of the model's constraints among them."""
    return len(impact_places(moving)[name]) + own_constraints(moving)


def own_constraints(moving: Mechanism) -> int:
    """Return how many equations the constraints have that are no closed impacts."""
    of_impacts = {symbol for one in moving.impacts for symbol in one.impulses}
    return sum(symbol not in of_impacts for symbol in moving.multipliers)


def pushing(moving: Mechanism, closed: tuple[str, ...]) -> list[int]:
    """Return the places among the multipliers of what can only push while it is closed."""
    impacts: list[Impact] = [one for one in moving.impacts if one.name in closed and one.pushes]
    return [list(moving.multipliers).index(one.impulses[0]) for one in impacts]
