"""The letters of energies, by how Lagrange's equations and sums of energies have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import Add, Name, Node, Partial, Term, walk

_DIFFERENTIATED = "lagrangian", "kinetic"
"""What Lagrange's equations have derivatives by rates of."""
_SUMS = {-1: "lagrangian", 1: "total"}
"""What kinetic energy, and so many times potential energy, make."""


def energy_letters(equations: Sequence[SymbolEquation]) -> dict[str, str]:
    """Return which energies letters are, as ``L = T - V`` says, ``E = T + V``, or ``∂L/∂q̇``.

    Nothing is said of letters that two equations make different energies.

    Parameters
    ----------
    equations : sequence of SymbolEquation
    """
    found: dict[str, str] = {}
    conflicting = set[str]()
    for equation in equations:
        sides = equation.relation.left, equation.relation.right
        for key, kind in {**_differentiated(*sides), **energies_added(*sides)}.items():
            if found.setdefault(key, kind) != kind:
                conflicting.add(key)
    told = {key: kind for key, kind in found.items() if key not in conflicting}
    return _shares(equations, told) | told


def _shares(equations: Iterable[SymbolEquation], told: Mapping[str, str]) -> dict[str, str]:
    r"""Return which energies the letters are that add up to one: ``T = T_t + T_r``."""
    found: dict[str, str] = {}
    for equation in equations:
        match equation.relation.left, equation.relation.right:
            case Name(dots=0, key=whole), Add(terms=terms) if whole in told:
                letter = SymbolShape.of(whole).letter
                nodes = [one.node for one in terms]
                keys = [one.key for one in nodes if isinstance(one, Name) and not one.dots]
                if len(keys) == len(nodes) and all(
                    SymbolShape.of(k).letter == letter for k in keys
                ):
                    found |= dict.fromkeys(keys, told[whole])
    return found


def energies_added(whole: Node, parts: Node) -> dict[str, str]:
    """Return which energies the letters of ``L = T - V`` are; nothing of another equation.

    Parameters
    ----------
    whole, parts : Node
        The two sides.
    """
    match whole, parts:
        case Name(dots=0) as left, Add(
            terms=(
                Term(sign=1, node=Name(dots=0) as first),
                Term(sign=sign, node=Name(dots=0) as second),
            )
        ):
            kinds = {left.key: _SUMS[sign], first.key: "kinetic", second.key: "potential"}
            if sign == 1 and "kinetic" not in SymbolShape.of(first.key).kinds:
                kinds |= {first.key: "potential", second.key: "kinetic"}
            if len(kinds) == len(_SUMS) + 1 and all(
                kind in SymbolShape.of(key).kinds for key, kind in kinds.items()
            ):
                return kinds
    return {}


def _differentiated(*sides: Node) -> dict[str, str]:
    """Return what the letters are that are differentiated by rates."""
    found: dict[str, str] = {}
    for node in walk(*sides):
        match node:
            case Partial(node=Name(dots=0, key=key), with_respect_to=(Name(dots=1),)):
                kinds = SymbolShape.of(key).kinds
                found[key] = next((kind for kind in _DIFFERENTIATED if kind in kinds), "")
    return {key: kind for key, kind in found.items() if kind}
