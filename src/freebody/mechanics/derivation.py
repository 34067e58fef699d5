"""Equations of motion by any formulation, and whether formulations agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from freebody.algebra import Comparison, Ring
from freebody.algebra.canonical import is_zero
from freebody.algebra.terms import TooLargeError
from freebody.errors import DerivationError, nearest
from freebody.mechanics.build import mechanism
from freebody.mechanics.equations import Equations
from freebody.mechanics.kane import kane
from freebody.mechanics.lagrange import lagrange
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.newton_euler import newton_euler
from freebody.model.schema import Model

METHODS: Mapping[str, Callable[[Mechanism, Ring | None], Equations]] = {
    "kane": kane,
    "lagrange": lagrange,
    "newton_euler": newton_euler,
}


def derive(model: Model | Mechanism, method: str = "kane", ring: Ring | None = None) -> Equations:
    """Derive the equations of motion of a model.

    Parameters
    ----------
    model : Model or Mechanism
        What moves.
    method : {"kane", "lagrange", "newton_euler"}
        The formulation.
    ring : Ring, optional
        The ring of the canonical forms, to compare them with those of another derivation.

    Raises
    ------
    DerivationError
        If there is no such formulation, or the equations are too large to be worked out.

    Examples
    --------
    >>> import freebody
    >>> freebody.derive(freebody.load("pendulum")).M
    Matrix([[I + d**2*m]])
    """
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise DerivationError(
            f"expected a formulation ({known}), found '{method}'" + nearest(method, METHODS)
        )
    moving = model if isinstance(model, Mechanism) else mechanism(model)
    try:
        return METHODS[method](moving, ring)
    except TooLargeError as error:
        raise DerivationError(
            f"{moving.model.title}: the equations are too large to be written out: {error}"
        ) from error


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
    return {
        f"{one.method}-{other.method}": _same(one, other) for one, other in combinations(derived, 2)
    }


def _same(one: Equations, other: Equations) -> Comparison:
    pairs = zip(one.blocks.entries, other.blocks.entries, strict=True)
    verdicts = [is_zero(a - b) for a, b in pairs]
    inexact = [verdict.proof for verdict in verdicts if verdict.proof != "exact"]
    return Comparison(equal=all(verdicts), proof=inexact[0] if inexact else "exact")
