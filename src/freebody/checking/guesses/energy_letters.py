"""The letters of energies, by how Lagrange's equations and sums of energies have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from freebody.checking.guesses.conventions import OF_ENERGIES, SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import (
    Add,
    Divide,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Term,
    has_squared_rates,
    rate_of,
    walk,
)

_DIFFERENTIATED = "lagrangian", "kinetic"
"""What Lagrange's equations have derivatives by rates of."""
_SUMS = {-1: "lagrangian", 1: "total"}
"""What kinetic energy, and so many times potential energy, make."""
_TOTAL = frozenset("EH")
"""Letters of energies that are kinetic or potential by what stands below them alone."""
_HALF, _PAIR = Fraction(1, 2), 2


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
    r"""Return which energies the letters are that add up to some: ``T = T_t + T_r``.

    Or of both kinds: ``T - U = (T_1 + T_2) - (U_1 + U_2)``.
    """
    found: dict[str, str] = {}
    for equation in equations:
        wholes, parts = (
            [*_summed(side)] for side in (equation.relation.left, equation.relation.right)
        )
        if not all((*wholes, *parts)):
            continue
        kinds = {SymbolShape.of(key).letter: told[key] for key in wholes if key in told}
        letters = {key: SymbolShape.of(key).letter for key in parts}
        if len(kinds) == len(wholes) < len(parts) and {*letters.values()} <= kinds.keys():
            found |= {key: kinds[letter] for key, letter in letters.items()}
    return found


def _summed(node: Node) -> Iterator[str]:
    """Iterate over the names that a sum is made of, with an empty one for what is none."""
    match node:
        case Name(dots=0, key=key):
            yield key
        case Add(terms=terms):
            for term in terms:
                yield from _summed(term.node)
        case _:
            yield ""


def written_out(equations: Iterable[SymbolEquation]) -> Iterator[tuple[str, str]]:
    """Iterate over letters for energies that are written out: ``T = ½ m v²``, and ``U = m g h``.

    Kinetic energies are halves of squares of rates.

    Parameters
    ----------
    equations : iterable of SymbolEquation
    """
    for equation in equations:
        match equation.relation.left, equation.relation.right:
            case Name(dots=0, key=key), whole:
                looks, nodes = SymbolShape.of(key), [*walk(whole)]
                kinds = looks.kinds
                if looks.letter in _TOTAL:
                    kinds = (OF_ENERGIES.get(looks.subscript[:1], ""),)
                heavy = [node for node in nodes if isinstance(node, Multiply) and _weighs(node)]
                is_squared = any(map(_is_halved, nodes)) and has_squared_rates(whole)
                if "kinetic" in kinds and is_squared and not heavy:
                    yield key, "kinetic"
                elif "potential" in kinds and heavy and not any(map(rate_of, nodes)):
                    yield key, "potential"


def _is_halved(node: Node | Term) -> bool:
    """Return whether something is a half, or divided by two."""
    match node:
        case Number(value=value):
            return value == _HALF
        case Divide(denominator=Number(value=value)):
            return value == 1 / _HALF
    return False


def _weighs(product: Multiply) -> bool:
    """Return whether a product has a mass, gravity, and something more: a height."""
    others = [one for one in product.factors if not isinstance(one, Number)]
    kinds = [SymbolShape.of(one.key).kinds for one in others if isinstance(one, Name)]
    has_gravity = any(own[:1] == ("gravity",) for own in kinds)
    return has_gravity and any("mass" in own for own in kinds) and len(others) > _PAIR


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
