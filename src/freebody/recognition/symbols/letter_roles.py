r"""What letters are by the part that they have in equations of control, algebra and numerics.

A is the system matrix of :math:`\dot x = A x + B u`, whatever it is called; P that of Riccati's
equation, h the step of :math:`y_{n+1} = y_n + h f(t_n, y_n)`.
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
    Call,
    Divide,
    Matrix,
    Multiply,
    Name,
    Node,
    Term,
    TimeDerivative,
    Transpose,
    differentiated,
    multiplied,
    walk,
)
from freebody.recognition.symbols.force_roles import force_roles

_NEXT = re.compile(r"(?P<base>.+)_\{?(?P<index>[kn])\s*\+\s*1\}?$")
_STEPS = frozenset({"h", "dt", r"\Delta t", r"\Delta{t}", r"\delta t", "T_s", r"\tau"})
_TRANSFORMED = "s"
_TRANSFER = frozenset("GHC")
_OF_ANGLES = re.compile(r"\\(?:theta|phi|varphi|psi|alpha|beta|gamma|Theta|Phi|Psi)\b")
_OF_FREQUENCY = r"\omega"
_COEFFICIENTS = frozenset("cgklm")
"""Letters of constants of a system, which multiply waves and are no amplitudes."""
Role = tuple[str, str]


def letter_roles(equations: Iterable[SymbolEquation]) -> dict[str, str]:
    r"""Return what letters are by the part that they have; nothing of those with two.

    Parameters
    ----------
    equations : iterable of SymbolEquation
        Of a page.
    """
    found: dict[str, str] = {}
    conflicting = set[str]()
    known = tuple(equations)
    flows = [role for one in known for role in chain(_of_state(one), _of_flow(one))]
    states = {key for key, words in flows if words == _STATE}
    set_out = [pair for one in known for pair in _set_out(one)]
    matrices = {key for key, _ in set_out}
    moving = {key for key, matrix in set_out if _may_move(key, matrix)}
    inputs = {key for key, words in flows if words == _INPUT}
    numbered = _first_order(known)
    for one in known:
        rules = (_of_state(one), _of_components(one, states), _of_numbered(one, numbered),
                 _of_flow(one), _of_output(one, states), _of_steps(one), _of_algebra(one),
                 _of_weights(one, states, inputs), _of_jacobians(one),
                 _of_momenta(one), _of_motion(one, matrices, moving), _of_waves(one),
                 force_roles(one))  # fmt: skip
        for key, words in (role for rule in rules for role in rule):
            if found.setdefault(key, words) != words:
                conflicting.add(key)
    for key in {key for one in known for key in one.keys} - found.keys():
        if shown := _by_shape(key):
            found[key] = shown
    return {key: words for key, words in found.items() if key not in conflicting}


_OF_ORDERS = {1: "Coriolis and centrifugal matrix", 2: "mass matrix"}
_OF_RATES = {1: ("C", "D", "B"), 2: ("M", "D", "H", "I")}
"""Letters of matrices by which rates of coordinates are multiplied, by order."""
_NUMBERED_STATE = re.compile(r"[xyz]_\{?\d+\}?")
_STATE, _INPUT, _SYSTEM = "state", "input", "system matrix"
_FLOW, _FLOWS = "right-hand side of the state equation", frozenset("fF")


def _of_state(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\dot x = A x + B u`, and of :math:`x_{k+1}` likewise."""
    for left, right in _ways(one):
        state = _rated(left) or _stepped(left)
        products = [factors for _, factors in _products(right)]
        own = [one for one in products if len(one) == 2 and _is(one[1], state)]
        if state is None or len(own) != 1 or not _is_matrix(own[0][0]):
            continue
        others = [one for one in products if one is not own[0]]
        if not all(map(_is_still, chain.from_iterable(others))):
            continue
        driven = [one for one in others if len(one) == 2]
        yield from ((key, _SYSTEM) for key in _keys(own[0][0]))
        yield state, _STATE
        for matrix, drive in driven[:1]:
            if _is_matrix(matrix):
                yield from ((key, "input matrix") for key in _keys(matrix))
                yield from ((key, _INPUT) for key in _keys(drive))


def _of_components(one: SymbolEquation, states: set[str]) -> Iterator[Role]:
    r"""Iterate over the states that one is set out in: :math:`x = (x_1, x_2)^T`."""
    for left, right in _ways(one):
        if not isinstance(left, Name) or left.key not in states:
            continue
        column = right.node if isinstance(right, Transpose) else right
        entries = [*chain.from_iterable(column.rows)] if isinstance(column, Matrix) else []
        letter = SymbolShape.of(left.key).letter
        names = [entry.key for entry in entries if isinstance(entry, Name) and not entry.dots]
        if len(names) == len(entries) and all(
            SymbolShape.of(key).letter == letter for key in names
        ):
            yield from ((key, _STATE) for key in names)


def _first_order(equations: Sequence[SymbolEquation]) -> set[str]:
    r"""Return the letters with numbers of a system of first order: ``\dot x_1 = x_2``.

    The rates of several of one letter are said by such letters, and none has an acceleration.
    """
    said: dict[str, set[str]] = {}
    for one in equations:
        if state := _rated(one.relation.left):
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


def _of_numbered(one: SymbolEquation, states: set[str]) -> Iterator[Role]:
    yield from ((key, _STATE) for key in one.keys if key in states)


def _of_flow(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\dot x = f(x, u)`."""
    for left, right in _ways(one):
        state = _rated(left)
        if state is None or not isinstance(right, Name) or right.dots:
            continue
        looks = SymbolShape.of(right.key)
        if looks.letter in _FLOWS and looks.arguments:
            yield from ((key, _FLOW) for key in (right.key, bare(right.key)))
            if SymbolShape.of(state).is_styled:
                yield state, _STATE


def _of_output(one: SymbolEquation, states: set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`y = C x + D u` and :math:`u = -K x`."""
    for left, right in _ways(one):
        products = [*_products(right)]
        told = isinstance(left, Name) and not (left.dots or left.key in states or _stepped(left))
        if not told or len(products) > 2 or not isinstance(left, Name):
            continue
        for sign, factors in products[:1]:
            if len(factors) != 2 or not _is_matrix(factors[0]) or not _keys(factors[1]) & states:
                continue
            is_control = sign < 0 or SymbolShape.of(left.key).letter == "u"
            words = "gain matrix" if is_control else "output matrix"
            yield from ((key, words) for key in _keys(factors[0]))
            yield left.key, _INPUT if is_control else "output"
            for _, rest in products[1:]:
                if len(rest) == 2 and _is_matrix(rest[0]) and not is_control:
                    yield from ((key, "feedthrough matrix") for key in _keys(rest[0]))


def _of_weights(one: SymbolEquation, states: set[str], inputs: set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`x^T Q x + u^T R u` and :math:`A^T P + P A`."""
    for node in walk(one.relation.left, one.relation.right):
        if not isinstance(node, Multiply):
            continue
        match node.factors:
            case (Transpose(node=Name(key=first, dots=dots)), Name(key=matrix), Name(key=second)):
                if first == second and dots:
                    yield matrix, "mass matrix"
                elif first == second and first in states | inputs:
                    yield matrix, f"weight of the {_STATE if first in states else _INPUT}"
    products = [factors for factors in _products_of(one) if len(factors) == 2]
    turned = [
        (first.node.key, second.key)
        for first, second in products
        if isinstance(first, Transpose)
        and isinstance(first.node, Name)
        and isinstance(second, Name)
    ]
    for matrix, solution in turned:
        is_solution = all(SymbolShape.of(key).letter[:1].isupper() for key in (matrix, solution))
        if is_solution and any(
            _is(first, solution) and _is(second, matrix) for first, second in products
        ):
            yield solution, "solution of the Riccati or Lyapunov equation"


def _of_steps(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`y_{n+1} = y_n + h f(t_n, y_n)`."""
    for left, right in _ways(one):
        before, products = _stepped(left), [*_products(right)]
        if before is None or not any(_is(one[0], before) for _, one in products if len(one) == 1):
            continue
        for _, factors in products:
            for factor in factors if len(factors) > 1 else ():
                base = factor.numerator if isinstance(factor, Divide) else factor
                if isinstance(base, Name) and bare(base.key) in _STEPS:
                    yield base.key, "time step"


def _of_algebra(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\det(A - \lambda I)`, and :math:`A v = \lambda v`."""
    for node in walk(one.relation.left, one.relation.right):
        if isinstance(node, Call) and node.function == "det" and isinstance(node.argument, Add):
            for term in node.argument.terms:
                match term.node:
                    case Multiply(factors=(Name(key=value), Name(key=unit))):
                        if SymbolShape.of(unit).letter in ("I", "E", "1"):
                            yield from ((value, "eigenvalue"), (unit, "identity matrix"))
    for left, right in _ways(one):
        match left, right:
            case (
                Multiply(factors=(Name(key=matrix), Name(key=first))),
                Multiply(factors=(Name(key=value), Name(key=second))),
            ) if first == second and SymbolShape.of(value).letter == "lambda":
                yield from ((value, "eigenvalue"), (first, "eigenvector"), (matrix, "matrix"))


def _of_jacobians(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\dot x = J\dot q` and :math:`\tau = J^T F`."""
    for left, right in _ways(one):
        match left, right:
            case Name(dots=1), Multiply(factors=(Name(key=key), Name(dots=1))):
                pass
            case _, Multiply(factors=(Transpose(node=Name(key=key)), Name(dots=0))):
                pass
            case _:
                continue
        if SymbolShape.of(key).letter == "J":
            yield key, "Jacobian"


def _of_momenta(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\mathbf p = \mathbf A\dot{\mathbf q} + \mathbf b`."""
    for left, right in _ways(one):
        if not _is_still(left) or any(SymbolShape.of(key).letter != "p" for key in _keys(left)):
            continue
        products = [factors for _, factors in _products(right)]
        if any(isinstance(node, Name) and node.dots > 1 for node in chain(*products)):
            continue  # what p is then is no momentum
        for factors in products:
            match factors:
                case (Name(key=key, dots=0), Name(dots=1)) if _is_whole(key):
                    yield key, "mass matrix"


def _of_motion(one: SymbolEquation, matrices: Set[str], moving: Set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`M(q)\ddot q + C(q, \dot q)\dot q + K q + G(q) = \tau`.

    These matrices have the coordinates as arguments, are bold, or set out somewhere, perhaps with
    rates in them.
    """
    orders, alone = dict[int, set[str]](), set[str]()
    for factors in _products_of(one):
        match factors:
            case (Name(key=key, dots=0), Name(dots=dots)) if _is_whole(key) or key in matrices:
                orders.setdefault(dots, set()).add(key)
            case (Name(key=key, dots=0),):
                alone.add(key)
    stiff = {key for key in orders.get(0, ()) if SymbolShape.of(key).letter == "K"}
    if 2 in orders:
        yield from ((key, "stiffness matrix") for key in sorted(stiff))
        yield from _of_loads(sorted(alone), is_elastic=bool(stiff))
    for dots, letters in _OF_RATES.items():
        for key in orders.get(dots, ()):
            if SymbolShape.of(key).letter in letters:
                is_still = not _is_whole(key) and key not in moving
                is_still |= bool(stiff) and not SymbolShape.of(key).arguments
                is_damping = dots == 1 and (is_still or _OF_FREQUENCY in _arguments(key))
                yield key, "damping matrix" if is_damping else _OF_ORDERS[dots]


def _of_loads(keys: Iterable[str], *, is_elastic: bool) -> Iterator[Role]:
    """Iterate over the roles of what stands alone beside matrices and rates."""
    for key in keys:
        looks = SymbolShape.of(key)
        if looks.letter in ("G", "g") and looks.arguments:
            yield key, "gravity terms"
        elif looks.letter in ("p", "P") and looks.is_styled and is_elastic:
            yield key, "force"


def _of_waves(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`x = A\cos(\omega t + \phi)`."""
    left = one.relation.left
    is_moving = any(isinstance(node, TimeDerivative) for node in walk(left))
    if not is_moving and (not isinstance(left, Name) or left.dots):
        return
    below = [each.denominator for each in walk(one.relation.right) if isinstance(each, Divide)]
    divided = {*walk(*below)}  # of an orbit, and of no wave
    for node in walk(one.relation.right):
        match node:
            case Multiply(
                factors=(Name(key=key, dots=0), Call(function="sin" | "cos", argument=argument))
            ) if node not in divided:
                told = dict(_of_phase(argument))
                if told and key not in _COEFFICIENTS:
                    yield key, "amplitude"
                    yield from told.items()


def _of_phase(argument: Node) -> Iterator[Role]:
    """Iterate over the roles in the argument of a wave; none where time is not in it."""
    terms = [term.node for term in argument.terms] if isinstance(argument, Add) else [argument]
    turning = [_timed(term) for term in terms]
    if sum(key is not None for key in turning) != 1:
        return
    for term, key in zip(terms, turning, strict=True):
        if key is not None:
            yield key, "angular frequency"
        elif isinstance(term, Name) and not term.dots:
            yield term.key, "phase"


def _timed(node: Node) -> str | None:
    """Return the letter that is multiplied with time, and with nothing else."""
    match node:
        case Multiply(factors=(Name(key=key, dots=0), Name(key="t"))) if key != "t":
            return key
    return None


def _set_out(one: SymbolEquation) -> Iterator[tuple[str, Matrix]]:
    """Iterate over the letters that are said to be matrices of several rows and columns."""
    for left, right in _ways(one):
        match left, right:
            case Name(key=key, dots=0), Matrix(rows=rows) if len(rows) > 1 and len(rows[0]) > 1:
                yield key, right


def _may_move(key: str, matrix: Matrix) -> bool:
    """Return whether a matrix has rates in it, or entries that are said elsewhere: C_{11}."""
    letter = SymbolShape.of(key).letter
    names = [node for node in walk(matrix) if isinstance(node, Name)]
    has_rates = any(isinstance(node, TimeDerivative) for node in walk(matrix))
    return has_rates or any(one.dots or SymbolShape.of(one.key).letter == letter for one in names)


def _by_shape(key: str) -> str | None:
    """Return what a letter is by what stands in front of it, or by its argument."""
    looks = SymbolShape.of(key)
    if looks.letter == "R" and _OF_ANGLES.search(looks.arguments):
        return "rotation matrix"
    if looks.arguments == _TRANSFORMED and looks.letter in _TRANSFER:
        return "transfer function"
    return None


# ---------------------------------------------------------------------- parts


def _ways(one: SymbolEquation) -> tuple[tuple[Node, Node], tuple[Node, Node]]:
    left, right = one.relation.left, one.relation.right
    return (left, right), (right, left)


def _products(node: Node) -> Iterator[tuple[int, Sequence[Node]]]:
    """Iterate over what is added up: its sign, and its factors."""
    terms = node.terms if isinstance(node, Add) else (Term(1, node, node.span),)
    for term in terms:
        yield term.sign, multiplied(term.node)


def _products_of(one: SymbolEquation) -> Iterator[Sequence[Node]]:
    """Iterate over the factors of each product that is added up on either side."""
    for side in (one.relation.left, one.relation.right):
        yield from (factors for _, factors in _products(side))


def _rated(node: Node) -> str | None:
    found = differentiated(node)
    return found[0].key if found and found[1] == 1 else None


def _stepped(node: Node) -> str | None:
    """Return the letter one step before one: ``x_k`` of ``x_{k+1}``."""
    found = _NEXT.match(node.key) if isinstance(node, Name) and not node.dots else None
    return f"{found['base']}_{found['index']}" if found else None


def _is(node: Node, key: str | None) -> bool:
    return isinstance(node, Name) and node.key == key and not node.dots


def _is_still(node: Node) -> bool:
    return isinstance(node, Name) and not node.dots


def _keys(node: Node) -> set[str]:
    return {node.key} if isinstance(node, Name) else set()


def _is_matrix(node: Node) -> bool:
    """Return whether a letter is printed as matrices are: a capital, or bold."""
    if not isinstance(node, Name) or node.dots:
        return False
    looks = SymbolShape.of(node.key)
    return looks.is_styled or looks.letter[:1].isupper()


def _is_whole(key: str) -> bool:
    return bool(_arguments(key)) or SymbolShape.of(key).is_styled


def _arguments(key: str) -> str:
    return SymbolShape.of(key).arguments
