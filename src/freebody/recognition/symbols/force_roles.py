r"""What letters are by laws of forces and moments: friction, tyres, what turns, and Lagrange's.

A coefficient of dry friction is multiplied by the sign of a rate. The force of a tyre is
:math:`D\sin(C\arctan(B x - E(B x - \arctan B x)))`. J is a moment of inertia in
:math:`J\dot\omega = T - b\omega`, and T a moment.

References
----------
Pacejka, Tire and Vehicle Dynamics, 2012, eq. (4.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Multiply,
    Name,
    Node,
    Partial,
    TimeDerivative,
    rate_of,
    walk,
)
from freebody.recognition.symbols.equation_parts import all_products

_SIGNS = frozenset({"sign", "sgn", "tanh"})
_RUBBING = frozenset({*"fFbcdDkBCT", "mu", "tau"})
"""Letters of coefficients of friction, and of the force or moment of dry friction itself."""
_SPEEDS = frozenset({"v", "omega", "u"})
_TURNED = {1: frozenset({"omega", "Omega"}), 2: frozenset({"theta", "phi", "varphi", "psi"})}
"""Letters of what turns, by the order of the rate that is its angular acceleration."""
_INERTIAS, _MOMENTS = frozenset("IJ"), frozenset({*"MTQ", "tau"})
_ENERGIES = frozenset("LT")


def force_roles(one: SymbolEquation) -> Iterator[tuple[str, str]]:
    """Iterate over the letters of an equation with what they are by a law of forces."""
    nodes = [*walk(one.relation.left, one.relation.right)]
    below = {*walk(*(node.denominator for node in nodes if isinstance(node, Divide)))}
    for node in nodes:
        if isinstance(node, Multiply) and node not in below:
            yield from _of_friction(node)
            yield from _of_tyres(node)
    yield from _of_moments(one)
    yield from _of_lagrange(one)


def _of_moments(one: SymbolEquation) -> Iterator[tuple[str, str]]:
    r"""Iterate over the roles in :math:`J\dot\omega = T - b\omega`."""
    products = [*all_products(one)]
    inertias = [
        first.key
        for first, *others in products
        if isinstance(first, Name) and not first.dots and len(others) == 1
        if SymbolShape.of(first.key).letter in _INERTIAS and _is_turned(others[0])
    ]
    yield from ((key, "moment of inertia") for key in inertias)
    for factors in products if inertias else ():
        match factors:
            case (Name(key=key, dots=0),) if SymbolShape.of(key).letter in _MOMENTS:
                yield key, "moment"


def _is_turned(node: Node) -> bool:
    """Return whether something is an angular acceleration."""
    rate = rate_of(node)
    return rate is not None and SymbolShape.of(rate[0].key).letter in _TURNED.get(rate[1], ())


def _of_lagrange(one: SymbolEquation) -> Iterator[tuple[str, str]]:
    r"""Iterate over the roles in :math:`\frac{d}{dt}\partial L/\partial\dot q - \ldots = Q`."""
    products = [*all_products(one)]
    if any(map(_is_lagranges, chain(*products))):
        for factors in products:
            match factors:
                case (Name(key=key, dots=0),) if SymbolShape.of(key).letter == "Q":
                    yield key, "generalized force"


def _is_lagranges(node: Node) -> bool:
    """Return whether something is the rate of what an energy is differentiated by a rate."""
    match node:
        case TimeDerivative(node=Partial(node=Name(key=key), with_respect_to=(Name(dots=1),))):
            return SymbolShape.of(key).letter in _ENERGIES
    return False


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
