r"""What letters are by the part that they have in costs, and in what makes them least.

Q is the weight of the state in :math:`J = \int x^T Q x + u^T R u\,dt`, P the solution of Riccati's
equation, R the covariance of the noise in :math:`K = P H^T (H P H^T + R)^{-1}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import Add, Multiply, Name, Node, Opaque, Power, Transpose, walk
from freebody.recognition.symbols.equation_parts import (
    Role,
    added_up,
    all_products,
    both_ways,
    is_letter,
    looks_like_matrix,
)
from freebody.recognition.symbols.state_roles import INPUT, STATE

_SOLUTION = "solution of the Riccati or Lyapunov equation"
_COSTS = frozenset("J")
_STATES, _INPUTS = frozenset("xX"), frozenset("uU")
_SOLUTIONS = frozenset({*"PSX", "Pi"})
_MASSES = frozenset("MHIA")
_UNCERTAIN = frozenset({"P", "Sigma"})
_GAINS = frozenset("KL")


def cost_roles(one: SymbolEquation, states: Set[str], inputs: Set[str]) -> Iterator[Role]:
    """Iterate over the letters of an equation with what they are in a cost, or by the least one.

    Parameters
    ----------
    one : SymbolEquation
    states, inputs : set of str
        Of the page.
    """
    yield from _of_weights(one, states, inputs)
    yield from _of_cost(one)
    yield from _of_turned(one)
    yield from _of_covariances(one)
    yield from _of_gains(one)


def _of_weights(one: SymbolEquation, states: Set[str], inputs: Set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`x^T Q x + u^T R u`."""
    for matrix, weighed in _quadratic(one.relation.left, one.relation.right):
        if weighed.dots:
            looks = SymbolShape.of(matrix)
            if looks.letter in _MASSES or (looks.letter == "D" and looks.arguments):
                yield matrix, "mass matrix"  # and none of damping
        elif weighed.key in states | inputs:
            yield matrix, f"weight of the {STATE if weighed.key in states else INPUT}"


def _of_cost(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`J = \int x^T Q x\,dt`."""
    for left, right in both_ways(one):
        named = [node for node in walk(left) if isinstance(node, Name)]
        summed = [node for node in walk(right) if isinstance(node, Opaque)]
        forms = [*_quadratic(*summed)]
        if len(named) != 1 or not forms or SymbolShape.of(named[0].key).letter not in _COSTS:
            continue
        yield named[0].key, "cost"
        for matrix, weighed in _quadratic(right):
            looks = SymbolShape.of(weighed.key)
            letter = "" if looks.is_decorated else looks.letter
            words = STATE if letter in _STATES else INPUT if letter in _INPUTS else None
            if words and not weighed.dots:
                yield from ((matrix, f"weight of the {words}"), (weighed.key, words))


def _quadratic(*nodes: Node) -> Iterator[tuple[str, Name]]:
    r"""Iterate over the matrices of :math:`x^T Q x`, each with x."""
    for node in walk(*nodes):
        match node:
            case Multiply(
                factors=(*_, Transpose(node=Name(key=key)), Name(key=matrix), Name() as weighed)
            ) if key == weighed.key:
                yield matrix, weighed


def _of_turned(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`A^T P + P A`, and in :math:`P = Q + A^T P A`."""
    products = [*all_products(one)]
    for factors in products:
        match factors:
            case (Transpose(node=Name(key=system)), Name(key=solution)):
                is_turned = any(_is_product(each, solution, system) for each in products)
            case (Transpose(node=Name(key=first)), Name(key=solution), Name(key=system)):
                is_turned = first == system and _is_said_of_itself(one, solution)
                is_turned &= SymbolShape.of(solution).letter in _SOLUTIONS
            case _:
                continue
        letters = [SymbolShape.of(key).letter for key in (system, solution)]
        if is_turned and all(letter[:1].isupper() for letter in letters):
            yield solution, _SOLUTION


def _is_product(factors: Sequence[Node], *keys: str) -> bool:
    return len(factors) == len(keys) and all(map(is_letter, factors, keys))


def _is_said_of_itself(one: SymbolEquation, key: str) -> bool:
    """Return whether an equation says what a letter is, by itself or at another step."""
    letter = SymbolShape.of(key).letter
    names = (left for left, right in both_ways(one) if isinstance(right, Add))
    return any(isinstance(one, Name) and SymbolShape.of(one.key).letter == letter for one in names)


def _of_covariances(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`P = F P F^T + Q`, and in :math:`H P H^T + R`."""
    for node in walk(one.relation.left, one.relation.right):
        if not isinstance(node, Add):
            continue
        match [*added_up(node)]:
            case [
                (1, (Name(key=first), Name(key=key), Transpose(node=Name(key=second)))),
                (1, (Name(key=noise) as matrix,)),
            ] if first == second and looks_like_matrix(matrix):
                if SymbolShape.of(key).letter in _UNCERTAIN:
                    yield key, "covariance of the estimate"
                    yield noise, "covariance of the noise"


def _of_gains(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`K = R^{-1} B^T P`, and in :math:`K = P H^T S^{-1}`."""
    for left, right in both_ways(one):
        if not isinstance(left, Name) or SymbolShape.of(left.key).letter not in _GAINS:
            continue
        match right:
            case Multiply(
                factors=(
                    Power(base=Name(key=weight)),
                    Transpose(node=Name(key=drives)),
                    Name(key=key),
                )
            ):
                yield from ((left.key, "gain matrix"), (weight, f"weight of the {INPUT}"))
                yield from ((drives, "input matrix"), (key, _SOLUTION))
            case Multiply(factors=(Name(key=key), Transpose(node=Name(key=reads)), Power())):
                yield from ((left.key, "gain matrix"), (reads, "output matrix"))
                yield key, "covariance of the estimate"
