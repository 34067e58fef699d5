r"""What letters are by the part that they have in state-space forms, whatever they are called.

A is the system matrix of :math:`\dot x = A x + B u`, L the gain of the observer
:math:`\dot{\hat x} = A\hat x + B u + L (y - C\hat x)`, r the reference of :math:`\dot\xi = r - y`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.checking.introduced import bare
from freebody.documents.latex.tree import (
    Add,
    Matrix,
    Multiply,
    Name,
    Node,
    Term,
    Transpose,
    walk,
)
from freebody.recognition.symbols.equation_parts import (
    Role,
    added_up,
    arguments_of,
    both_ways,
    is_letter,
    is_still,
    keys_of,
    looks_like_matrix,
    rate_letter,
    step_letter,
)

STATE, ESTIMATE, INPUT = "state", "estimated state", "input"
_SYSTEM, _DRIVES, _READS = "system matrix", "input matrix", "output matrix"
_OUTPUT, _EXPECTED, _REFERENCE = "output", "estimated output", "reference"
_GAIN, _OBSERVES, _FEEDS = "gain matrix", "observer gain", "feedthrough matrix"
_VECTORS = frozenset("xyzuws")
_STATES = frozenset("XYZ")
"""Capitals for states: others are matrices."""
_FLOW, _FLOWS = "right-hand side of the state equation", frozenset("fF")
_NUMBERED_STATE = re.compile(r"[xyz]_\{?\d+\}?")
_ESTIMATED = re.compile(r"\\(?:wide)?hat\b|\\(?:mathbf|boldsymbol|bm)\{\\(?:wide)?hat\b")
_ERRORS, _CONTROLS, _OUTPUTS, _REFERENCES = map(frozenset, ("e", "u", "y", "r"))
_CLOSED = {
    **dict.fromkeys(map(tuple, ("ABK", "ABF")), (_SYSTEM, _DRIVES, _GAIN)),
    **dict.fromkeys(map(tuple, ("ALC", "AKC", "AGC", "FKH")), (_SYSTEM, _OBSERVES, _READS)),
}
"""Letters of closed loops, which say by themselves what each is."""


def states_of(equations: Iterable[SymbolEquation]) -> tuple[set[str], set[str]]:
    """Return the states of a page, estimated ones with them, and its inputs."""
    roles = [role for one in equations for role in chain(_of_state(one), _of_flow(one))]
    states = {key for key, words in roles if words in (STATE, ESTIMATE)}
    return states, {key for key, words in roles if words == INPUT}


def state_roles(one: SymbolEquation, states: Set[str]) -> Iterator[Role]:
    """Iterate over the letters of an equation with what they are in a state-space form.

    Parameters
    ----------
    one : SymbolEquation
    states : set of str
        Of the page.
    """
    yield from _of_state(one)
    yield from _of_components(one, states)
    yield from _of_flow(one)
    yield from _of_output(one, states)
    yield from _of_feedback(one)
    yield from _of_errors(one, states)


def numbered_states(equations: Sequence[SymbolEquation]) -> set[str]:
    r"""Return the letters with numbers of a system of first order: ``\dot x_1 = x_2``.

    The rates of several of one letter are said by such letters, and none has an acceleration.
    """
    said: dict[str, set[str]] = {}
    for one in equations:
        if state := rate_letter(one.relation.left):
            said.setdefault(state, set()).update(_still_letters(one.relation.right))
    accelerated = {node.key for one in equations for node in _names(one) if node.dots > 1}
    numbered = {key for key in said.keys() - accelerated if _NUMBERED_STATE.fullmatch(key)}
    return {
        key
        for key in numbered
        if len({one for one in numbered if one[0] == key[0]}) > 1
        and any(key in said[one] for one in numbered)
    }


def _names(one: SymbolEquation) -> Iterator[Name]:
    nodes = walk(one.relation.left, one.relation.right)
    yield from (node for node in nodes if isinstance(node, Name))


def _still_letters(node: Node) -> set[str]:
    return {one.key for one in walk(node) if isinstance(one, Name) and not one.dots}


def _of_state(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\dot x = A x + B u`, and of :math:`x_{k+1}` likewise.

    An observer corrects its state by what is measured: :math:`L (y - C\hat x)`, or :math:`L y`.
    """
    for left, right in both_ways(one):
        state = rate_letter(left) or step_letter(left)
        products = [factors for _, factors in added_up(right)]
        own = [one for one in products if len(one) == 2 and is_letter(one[1], state)]
        if state is None or len(own) != 1 or not looks_like_matrix(own[0][0]):
            continue
        if _is_turned(state) or _is_derivative(own[0][0], state):
            continue
        others = [one for one in products if one is not own[0]]
        corrections = [dict(_of_correction(factors)) for factors in others]
        driven = [one for one, told in zip(others, corrections, strict=True) if not told]
        if not all(map(is_still, chain.from_iterable(driven))):
            continue
        yield from ((key, _SYSTEM) for key in keys_of(own[0][0]))
        yield state, ESTIMATE if _is_estimated(state) else STATE
        yield from chain.from_iterable(told.items() for told in corrections)
        match driven[:1]:
            case [(Name(key=matrix) as node, Name(key=drive))] if looks_like_matrix(node):
                yield from ((matrix, _DRIVES), (drive, INPUT))


def _is_turned(state: str) -> bool:
    r"""Return whether a letter is one of a matrix that is no state: ``\dot R = \Omega R``."""
    letter = SymbolShape.of(state).letter
    return letter[:1].isupper() and letter not in _STATES


def _is_derivative(node: Node, state: str) -> bool:
    r"""Return whether what a letter is times is a derivative by that: ``\dot q = M_q q``."""
    return isinstance(node, Name) and SymbolShape.of(node.key).subscript == bare(state).lstrip("\\")


def _of_correction(factors: Sequence[Node]) -> Iterator[Role]:
    """Iterate over the roles in what corrects the state of an observer; none in anything else."""
    match factors:
        case (Name(key=gain) as matrix, Name(key=output)) if looks_like_matrix(matrix):
            if SymbolShape.of(output).letter in _OUTPUTS:
                yield from ((gain, _OBSERVES), (output, _OUTPUT))
        case (
            Name(key=gain) as matrix,
            Add(terms=(Term(sign=1, node=Name(key=output)), Term(sign=-1, node=expected))),
        ) if looks_like_matrix(matrix):
            yield from ((gain, _OBSERVES), (output, _OUTPUT))
            yield from _of_expected(expected)


def _of_expected(node: Node) -> Iterator[Role]:
    r"""Iterate over the roles in the output that an observer expects: ``C \hat x``."""
    match node:
        case Name(key=key) if _is_estimated(key):
            yield key, _EXPECTED
        case Multiply(factors=(Name(key=key) as matrix, Name())) if looks_like_matrix(matrix):
            yield key, _READS


def _is_estimated(key: str) -> bool:
    return _ESTIMATED.match(key) is not None


def _of_components(one: SymbolEquation, states: Set[str]) -> Iterator[Role]:
    r"""Iterate over the states that one is set out in: :math:`x = (x_1, x_2)^T`."""
    for left, right in both_ways(one):
        if not isinstance(left, Name) or left.key not in states:
            continue
        column = right.node if isinstance(right, Transpose) else right
        entries = [*chain.from_iterable(column.rows)] if isinstance(column, Matrix) else []
        letter = SymbolShape.of(left.key).letter
        names = [entry.key for entry in entries if isinstance(entry, Name) and not entry.dots]
        if len(names) == len(entries) and all(
            SymbolShape.of(key).letter == letter for key in names
        ):
            yield from ((key, STATE) for key in names)


def _are_vectors(state: str, flow: str) -> bool:
    r"""Return whether bold letters are those of :math:`\dot y = f(t, y)`, and of no force."""
    of_state, of_flow = SymbolShape.of(state), SymbolShape.of(flow)
    is_bold = of_state.is_styled and of_flow.is_styled and of_flow.letter == "f"
    return is_bold and of_state.letter in _VECTORS


def _of_flow(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\dot x = f(x, u)`, and in :math:`f(x) + g(x) u`."""
    for left, right in both_ways(one):
        state = rate_letter(left)
        match [*added_up(right)]:
            case [(1, (Name(key=flow, dots=0),))]:
                drives, roles = [], [(flow, _FLOW), (bare(flow), _FLOW)]
            case [(1, (Name(key=flow, dots=0),)), (1, (Name(key=drive, dots=0), Name(dots=0)))]:
                drives = [drive]
                roles = [(flow, "drift vector field"), (drive, "input vector field")]
            case _:
                continue
        looks = [SymbolShape.of(key) for key in (flow, *drives)]
        if state is None or looks[0].letter not in _FLOWS:
            continue
        if all(one.arguments for one in looks) or (not drives and _are_vectors(state, flow)):
            yield from roles
            if SymbolShape.of(state).is_styled:
                yield state, STATE


def _of_output(one: SymbolEquation, states: Set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`y = C x + D u` and :math:`u = r - K x`."""
    for left, right in both_ways(one):
        match left, right:
            case Name(dots=0), Name(key=key, dots=0) if arguments_of(key) in states:
                if _letter(left) in _OUTPUTS:
                    yield from ((left.key, _OUTPUT), (key, "output function"))
        products = [*added_up(right)]
        own = [pair for pair in products if _is_of_state(pair[1], states)]
        is_told = is_still(left) and not (keys_of(left) & states or step_letter(left))
        is_told &= _letter(left) not in _FLOWS  # f(x) = A x is what it is near a rest
        if not is_told or len(own) != 1 or len(products) > 2:
            continue
        sign, factors = own[0]
        rest = next((each for _, each in products if each is not factors), ())
        if sign < 0 or _letter(left) in _CONTROLS:
            yield from _all(left, INPUT)
            yield from _all(factors[0], _GAIN)
            if rest and _letter(rest[0]) in _REFERENCES:
                yield from _all(rest[0], _REFERENCE)
        elif own[0] is products[0]:
            yield from _all(left, _EXPECTED if _is_estimated(*keys_of(left)) else _OUTPUT)
            yield from _all(factors[0], _READS)
            if len(rest) == 2 and looks_like_matrix(rest[0]):
                yield from _all(rest[0], _FEEDS)


def _is_of_state(factors: Sequence[Node], states: Set[str]) -> bool:
    """Return whether factors are a matrix and a state."""
    match factors:
        case (matrix, Name(key=key, dots=0)):
            return looks_like_matrix(matrix) and key in states
    return False


def _of_feedback(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`A - B K` and :math:`A - L C`."""
    for node in walk(one.relation.left, one.relation.right):
        match node:
            case Add(
                terms=(
                    Term(sign=1, node=Name(key=system, dots=0)),
                    Term(sign=-1, node=Multiply(factors=(Name(key=first), Name(key=second)))),
                )
            ):
                keys = system, first, second
                letters = tuple(SymbolShape.of(key).letter for key in keys)
                yield from zip(keys, _CLOSED.get(letters, ()), strict=False)


def _of_errors(one: SymbolEquation, states: Set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`e = r - y`, and in :math:`\dot\xi = r - C x`."""
    for left, right in both_ways(one):
        integral = rate_letter(left)
        match [*added_up(right)]:
            case [(1, (Name(dots=0) as reference,)), (-1, factors)]:
                is_read = _letter(factors[-1]) in _OUTPUTS or _is_of_state(factors, states)
            case _:
                continue
        if _letter(reference) not in _REFERENCES or not is_read:
            continue
        yield from _all(reference, _REFERENCE)
        if integral:
            yield integral, "integral of the error"
        elif is_still(left) and _letter(left) in _ERRORS:
            yield from _all(left, "error")
        if len(factors) == 1:
            yield from _all(factors[0], _OUTPUT)


def _letter(node: Node) -> str:
    return SymbolShape.of(node.key).letter if isinstance(node, Name) else ""


def _all(node: Node, words: str) -> Iterator[Role]:
    yield from ((key, words) for key in keys_of(node))
