"""Equations of motion by any formulation, and whether formulations agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from freebody.algebra import Comparison, Form, Ring
from freebody.algebra.canonical import is_zero
from freebody.algebra.degrees import Degrees
from freebody.algebra.domains import Domain
from freebody.algebra.fields import FieldPoint, agree
from freebody.algebra.terms import TooLargeError
from freebody.arguments import checked
from freebody.errors import DerivationError, nearest
from freebody.mechanics.build import mechanism
from freebody.mechanics.equations import Equations
from freebody.mechanics.kane import kane
from freebody.mechanics.lagrange import lagrange
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.mechanics.newton_euler import newton_euler

METHODS: Mapping[str, Callable[[Mechanism, Ring | None], Equations]] = {
    "kane": kane,
    "lagrange": lagrange,
    "newton_euler": newton_euler,
}


@checked
def derive(model: AnyModel, method: str = "kane", ring: Ring | None = None) -> Equations:
    """Derive the equations of motion of a model.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves; or the name of a shipped model.
    method : {"kane", "lagrange", "newton_euler"}
        The formulation.
    ring : Ring, optional
        The ring of the canonical forms, to compare them with those of another derivation.

    Returns
    -------
    Equations
        M u̇ + C + G + E = τ + Jᵀ λ: ``M`` (n, n) and ``C``, ``G``, ``E``, ``tau`` (n, 1), worked out
        when they are first asked for.

    Raises
    ------
    DerivationError
        If there is no such formulation.

    Examples
    --------
    >>> import freebody
    >>> freebody.derive("pendulum").M
    Matrix([[I + d**2*m]])
    """
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise DerivationError(
            f"expected a formulation ({known}), found '{method}'" + nearest(method, METHODS)
        )
    return METHODS[method](mechanism(model), ring)


def agreement(derived: list[Equations]) -> dict[str, Comparison]:
    """Compare derivations of one ring pair by pair, entry by entry.

    Parameters
    ----------
    derived : list of Equations
        All derived with the same ring.

    Returns
    -------
    dict of str to Comparison
        By the names of the two formulations, such as ``"kane-lagrange"``.
    """
    written = [(_written(equations), _Rows(equations)) for equations in derived]
    agreements = {}
    for (forms, rows), (others, other_rows) in combinations(written, 2):
        names = f"{rows.equations.method}-{other_rows.equations.method}"
        exact = forms and others
        agreements[names] = _same(forms, others) if exact else _same_at_points(rows, other_rows)
    return agreements


def _written(equations: Equations) -> list[Form]:
    """Return all entries of the equations, or none where they are too large to be written out."""
    try:
        return equations.blocks.entries
    except TooLargeError:
        return []


def _same(one: list[Form], other: list[Form]) -> Comparison:
    verdicts = [is_zero(a - b) for a, b in zip(one, other, strict=True)]
    inexact = [verdict.proof for verdict in verdicts if verdict.proof != "exact"]
    return Comparison(equal=all(verdicts), proof=inexact[0] if inexact else "exact")


def _same_at_points(one: _Rows, other: _Rows) -> Comparison:
    """Compare where the equations are too large to be written out."""

    def differences(at: Domain[Any]) -> list[Any]:
        return [a - b for a, b in zip(one.at(at), other.at(at), strict=True)]

    bound = max(degree.bound for degree in differences(Degrees()))
    return agree(differences, bound)


class _Rows:
    """The rows of equations at points, each worked out once."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self._known: dict[Any, list[Any]] = {}

    def at(self, at: Domain[Any]) -> list[Any]:
        point = (at.draws.seed, at.draws.signs) if isinstance(at, FieldPoint) else None
        if point not in self._known:
            self._known[point] = self.equations.rows(at)
        return self._known[point]
