r"""What letters are by laws of forces that have functions in them: friction, and tyres.

A coefficient of dry friction is multiplied by the sign of a rate. The force of a tyre is
:math:`D\sin(C\arctan(B x - E(B x - \arctan B x)))`.

References
----------
Pacejka, Tire and Vehicle Dynamics, 2012, eq. (4.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import (
    Add,
    Call,
    Multiply,
    Name,
    Node,
    TimeDerivative,
    walk,
)

_SIGNS = frozenset({"sign", "sgn", "tanh"})
_RUBBING = frozenset({*"fFbcdDkBCT", "mu", "tau"})
"""Letters of coefficients of friction, and of the force or moment of dry friction itself."""
_SPEEDS = frozenset({"v", "omega", "u"})


def force_roles(one: SymbolEquation) -> Iterator[tuple[str, str]]:
    """Iterate over the letters of an equation with what they are by a law of forces."""
    for node in walk(one.relation.left, one.relation.right):
        if isinstance(node, Multiply):
            yield from _of_friction(node)
            yield from _of_tyres(node)


def _of_friction(node: Multiply) -> Iterator[tuple[str, str]]:
    match node.factors:
        case (Name(key=key, dots=0), Call(function=function, argument=argument)):
            is_rubbing = SymbolShape.of(key).letter in _RUBBING
            if function in _SIGNS and is_rubbing and _is_rate(argument):
                yield key, "coefficient of dry friction"


def _is_rate(node: Node) -> bool:
    """Return whether something is a rate, or a speed by its letter."""
    if isinstance(node, Name):
        return node.dots == 1 or SymbolShape.of(node.key).letter in _SPEEDS
    return isinstance(node, TimeDerivative)


def _of_tyres(node: Multiply) -> Iterator[tuple[str, str]]:
    match node.factors:
        case (
            Name(key=peak),
            Call(
                function="sin",
                argument=Multiply(
                    factors=(Name(key=shape), Call(function="arctan", argument=slope))
                ),
            ),
        ):
            yield peak, "peak factor of the tyre"
            yield shape, "shape factor of the tyre"
            yield from _of_slope(slope)


def _of_slope(slope: Node) -> Iterator[tuple[str, str]]:
    terms = [term.node for term in slope.terms] if isinstance(slope, Add) else [slope]
    for term in terms:
        match term:
            case Multiply(factors=(Name(key=stiffness), Name())):
                yield stiffness, "stiffness factor of the tyre"
            case Multiply(factors=(Name(key=curvature), Add())):
                yield curvature, "curvature factor of the tyre"
