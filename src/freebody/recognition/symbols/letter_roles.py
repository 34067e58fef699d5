r"""What letters are by the part that they have in equations, whatever they are called.

M is the mass matrix of :math:`M(q)\ddot q + C\dot q = \tau`, J the Jacobian of
:math:`\dot x = J\dot q`, h the step of :math:`y_{n+1} = y_n + h f(t_n, y_n)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.checking.introduced import TIME, bare
from freebody.consistency.letters import IMAGINARY
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Power,
    Term,
    TimeDerivative,
    Transpose,
    terms_of,
    walk,
)
from freebody.recognition.symbols.cost_roles import cost_roles
from freebody.recognition.symbols.equation_parts import (
    Role,
    added_up,
    all_products,
    arguments_of,
    both_ways,
    is_letter,
    is_still,
    is_whole,
    keys_of,
    looks_like_matrix,
    step_letter,
    without_arguments,
)
from freebody.recognition.symbols.force_roles import force_roles
from freebody.recognition.symbols.state_roles import (
    STATE,
    numbered_states,
    state_roles,
    states_of,
)

_STEPS = frozenset({"h", "dt", r"\Delta t", r"\Delta{t}", r"\delta t", "T_s", r"\tau"})
_TRANSFORMED = "s"
_TRANSFER = frozenset("GHC")
_UNTRANSFORMED = frozenset("abcghklmnp")
"""Small letters that nothing transforms unless they are printed as of time."""
_LOOPS = frozenset("DKLNPQSTW")
"""Letters of transfer functions of loops, and of their parts."""
_OF_ANGLES = re.compile(r"\\(?:theta|phi|varphi|psi|alpha|beta|gamma|Theta|Phi|Psi)\b")
_FRICTION = "F"
"""The one of them that is for friction alone."""
_GAINS = frozenset("kK")
_OF_FREQUENCY = r"\omega"
_BELOW_GAINS = "pPdDiI"
"""What stands below the gains of a regulator, which are no stiffnesses."""
_SPRING = re.compile(rf"[kK](?:_(?!\{{?[{_BELOW_GAINS}vV]\}}?$).+)?")
_LENGTHS = frozenset({"l", "L", "ell", "r", "s"})
_AMPLITUDES = frozenset("ABCDKac")
_COEFFICIENTS = frozenset("cgklm")
"""Letters of constants of a system, which multiply waves and are no amplitudes."""


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
    states, inputs = states_of(known)
    numbered = numbered_states(known)
    set_out = [pair for one in known for pair in _set_out(one)]
    matrices = {key for key, _ in set_out}
    moving = {key for key, matrix in set_out if _may_move(key, matrix)}
    for one in known:
        rules = (state_roles(one, states), _of_numbered(one, numbered), _of_steps(one),
                 _of_algebra(one), _of_exponents(one), cost_roles(one, states, inputs),
                 _of_jacobians(one), _of_reactions(one), _of_momenta(one),
                 _of_motion(one, matrices, moving), _of_waves(one), _of_springs(one),
                 _of_inverses(one), force_roles(one))  # fmt: skip
        for key, words in (role for rule in rules for role in rule):
            if found.setdefault(key, words) != words:
                conflicting.add(key)
    every = {key for one in known for key in one.keys}
    for key, words in (role for one in known for role in (*_of_growth(one), *_at_steps(one))):
        found.setdefault(key, words)
    for key in every - found.keys():
        if shown := _by_shape(key, every):
            found[key] = shown
    return {key: words for key, words in found.items() if key not in conflicting}


_OF_ORDERS = {1: "Coriolis and centrifugal matrix", 2: "mass matrix"}
_OF_RATES = {1: ("C", "D", "B", "F"), 2: ("M", "D", "H", "I", "B")}
"""Letters of matrices by which rates of coordinates are multiplied, by order."""
_INVERTED = {"K": "stiffness matrix", "C": "damping matrix", "D": "damping matrix"}
"""What letters behind an inverse mass matrix are."""
_UNITS = frozenset({"I", "E", "1"})
"""Letters of identity matrices."""


def _of_numbered(one: SymbolEquation, states: Set[str]) -> Iterator[Role]:
    yield from ((key, STATE) for key in one.keys if key in states)


def _of_algebra(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`A - \lambda I`, and :math:`A v = \lambda v`."""
    for node in walk(one.relation.left, one.relation.right):
        if isinstance(node, Call) and node.function == "det":
            yield from _of_eigenvalues(node.argument)
        elif isinstance(node, Power) and isinstance(node.base, Add) and _is_inverse(node.exponent):
            yield from _of_unit(node.base, is_inverted=True)
        elif isinstance(node, Divide) and isinstance(node.numerator, Name):
            lags = node.denominator if isinstance(node.denominator, Add) else None
            if lags and any(_of_lag(lags)) and SymbolShape.of(node.numerator.key).letter in _GAINS:
                yield node.numerator.key, "gain"
        elif isinstance(node, Add):
            yield from _of_lag(node)
            yield from _of_resolvent(node)
            yield from _of_unit(node)
    for left, right in both_ways(one):
        match left, right:
            case (
                Multiply(factors=(Name(key=matrix), Name(key=first))),
                Multiply(factors=(Name(key=value), Name(key=second))),
            ) if first == second and SymbolShape.of(value).letter == "lambda":
                yield from ((value, "eigenvalue"), (first, "eigenvector"), (matrix, "matrix"))


def _of_eigenvalues(node: Node) -> Iterator[Role]:
    """Iterate over the roles in a characteristic polynomial."""
    for term in node.terms if isinstance(node, Add) else ():
        match term.node:
            case Multiply(factors=(Name(key=value), Name(key=unit))) if value != _TRANSFORMED:
                if SymbolShape.of(unit).letter in _UNITS:
                    yield from ((value, "eigenvalue"), (unit, "identity matrix"))


def _of_resolvent(node: Add) -> Iterator[Role]:
    """Iterate over the roles in :math:`s I - A`."""
    match [*added_up(node)]:
        case [(1, (Name(key=key), Name(key=unit))), (-1, (matrix,))] if key == _TRANSFORMED:
            is_closed = isinstance(matrix, Add) or looks_like_matrix(matrix)
            if is_closed and SymbolShape.of(unit).letter in _UNITS:
                yield from ((key, "variable of the Laplace transform"), (unit, "identity matrix"))


def _of_lag(node: Add) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`1 + \tau s`."""
    terms = [factors for sign, factors in added_up(node) if sign > 0]
    is_lag = any(
        len(one) == 1 and isinstance(one[0], Number) and one[0].value == 1 for one in terms
    )
    names = [{key for node in one for key in keys_of(node)} for one in terms if len(one) > 1]
    if is_lag and len(names) == 1 and len(names[0]) > 1 and _TRANSFORMED in names[0]:
        lags = (key for key in names[0] if SymbolShape.of(key).letter in ("tau", "T"))
        yield from ((key, "time constant") for key in lags)


def _of_unit(node: Add, *, is_inverted: bool = False) -> Iterator[Role]:
    """Iterate over the roles in :math:`I - K H`, with a product of matrices, or in its inverse."""
    match [*added_up(node)]:
        case [(1, (Name(key=key, dots=0),)), (-1, factors)]:
            is_unit = SymbolShape.of(key).letter in _UNITS and not SymbolShape.of(key).subscript
            is_product = len(factors) > 1 and all(map(looks_like_matrix, factors))
            is_product |= is_inverted and looks_like_matrix(factors[-1])
            if is_unit and is_product:
                yield key, "identity matrix"


def _of_exponents(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`e^{i\omega t}`."""
    for node in walk(one.relation.left, one.relation.right):
        exponent = _exponent(node) if isinstance(node, Power) else None
        terms = added_up(exponent) if exponent else ()
        letters = {key for _, factors in terms for each in factors for key in keys_of(each)}
        if units := IMAGINARY & letters:
            yield from ((key, "imaginary unit") for key in units)
        if units or TIME in letters:
            yield "e", "Euler's number"


def _of_growth(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`C_1 e^{\lambda t}`, of what may be no root."""
    for node in walk(one.relation.left, one.relation.right):
        match node:
            case Multiply(factors=(Name(key=key, dots=0), factor)):
                if SymbolShape.of(key).letter in _AMPLITUDES and _growth(factor):
                    yield key, "amplitude"
            case Power() | Call():
                yield from _growth(node)


def _growth(node: Node) -> list[Role]:
    """Return the role of the letter that is multiplied with time in an exponential, if one is."""
    exponent = _exponent(node)
    match [*added_up(exponent)] if exponent else []:
        case [(sign, (Name(key=key, dots=0), Name(key="t")))] if not _is_drawn(key):
            return [(key, "characteristic exponent" if sign > 0 else "decay rate")]
    return []


def _exponent(node: Node | Term) -> Node | None:
    """Return the exponent of an exponential, if a node is one."""
    match node:
        case Power(base=Name(key="e", dots=0), exponent=exponent):
            return exponent
        case Call(function="exp", argument=exponent):
            return exponent
    return None


def _is_drawn(key: str) -> bool:
    """Return whether a letter is bold, calligraphic, or has a hat, as matrices have."""
    looks = SymbolShape.of(key)
    return looks.is_styled or looks.is_decorated or key.startswith(r"\math")


def _of_steps(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`y_{n+1} = y_n + h f(t_n, y_n)`."""
    for left, right in both_ways(one):
        before, products = step_letter(left), [*added_up(right)]
        alone = [factors[0] for _, factors in products if len(factors) == 1]
        if before is None or not any(is_letter(node, before) for node in alone):
            continue
        for _, factors in products:
            for factor in factors if len(factors) > 1 else ():
                base = factor.numerator if isinstance(factor, Divide) else factor
                if isinstance(base, Name) and bare(base.key) in _STEPS:
                    yield base.key, "time step"


def _at_steps(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over what has the number of a step, in :math:`x_{k+1} = f(x_k, u_k)`."""
    before = step_letter(one.relation.left)
    index = before and before.rpartition("_")[2]
    for node in walk(one.relation.right) if before else ():
        if isinstance(node, Name) and not node.dots and node.key.endswith(f"_{index}"):
            yield node.key, f"{node.key.removesuffix(f'_{index}')} at step {index}"


def _of_inverses(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`-M^{-1}K` and :math:`-M^{-1}C`, within a system matrix."""
    for node in walk(one.relation.left, one.relation.right):
        entries = [*chain.from_iterable(node.rows)] if isinstance(node, Matrix) else []
        found = [role for entry in entries for role in _of_inverse(entry)]
        keys = set().union(*map(keys_of, entries)) if found else set()
        units = (key for key in keys if SymbolShape.of(key).letter in _UNITS)
        yield from (*found, *((key, "identity matrix") for key in units))


def _of_inverse(entry: Node) -> Iterator[Role]:
    for _, factors in added_up(entry):
        match factors:
            case (Power(base=Name(key=inverted), exponent=power), Name(key=key, dots=0)):
                letters = SymbolShape.of(inverted).letter, SymbolShape.of(key).letter
                if letters[0] == "M" and letters[1] in _INVERTED and _is_inverse(power):
                    yield from ((inverted, "mass matrix"), (key, _INVERTED[letters[1]]))


def _is_inverse(power: Node) -> bool:
    match [*added_up(power)]:
        case [(-1, (Number(value=value),))]:
            return value == 1
    return False


def _of_jacobians(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\dot x = J\dot q` and :math:`\tau = J^T F`."""
    for left, right in both_ways(one):
        match left, right:
            case Name(dots=1), Multiply(factors=(Name(key=key), Name(dots=1))):
                pass
            case _, Multiply(factors=(Transpose(node=Name(key=key)), Name(dots=0))):
                pass
            case _:
                continue
        if SymbolShape.of(key).letter == "J":
            yield key, "Jacobian"


def _of_reactions(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`H^T(q)\lambda`, which holds constraints."""
    for node in walk(one.relation.left, one.relation.right):
        match node:
            case Multiply(
                factors=(*_, Transpose(node=Name(key=key)), Name(key=multiplier, dots=0))
            ):
                letters = SymbolShape.of(key).letter, SymbolShape.of(multiplier).letter
                if letters[0] != "J" and letters[1] == "lambda":
                    told = {key, without_arguments(key)}
                    yield from ((each, "Jacobian of the constraints") for each in told)


def _of_momenta(one: SymbolEquation) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`\mathbf p = \mathbf A\dot{\mathbf q} + \mathbf b`."""
    for left, right in both_ways(one):
        if not is_still(left) or any(SymbolShape.of(key).letter != "p" for key in keys_of(left)):
            continue
        products = [factors for _, factors in added_up(right)]
        if any(isinstance(node, Name) and node.dots > 1 for node in chain(*products)):
            continue  # what p is then is no momentum
        for factors in products:
            match factors:
                case (Name(key=key, dots=0), Name(dots=1)) if is_whole(key):
                    yield key, "mass matrix"


def _of_motion(one: SymbolEquation, matrices: Set[str], moving: Set[str]) -> Iterator[Role]:
    r"""Iterate over the roles in :math:`M(q)\ddot q + C(q, \dot q)\dot q + K q + G(q) = \tau`.

    These matrices have the coordinates as arguments, are bold, or set out somewhere, perhaps with
    rates in them.
    """
    orders, alone = dict[int, set[str]](), set[str]()
    for factors in all_products(one):
        match factors:
            case (Name(key=key, dots=0), Name(dots=dots)) if is_whole(key) or key in matrices:
                orders.setdefault(dots, set()).add(key)
            case (Name(key=key, dots=0),):
                alone.add(key)
    stiff = set(filter(_is_stiffness, orders.get(0, ())))
    if 2 in orders:
        yield from ((key, "stiffness matrix") for key in sorted(stiff))
        yield from _of_loads(sorted(alone), is_elastic=bool(stiff))
    for dots, letters in _OF_RATES.items():
        for key in orders.get(dots, ()):
            letter = SymbolShape.of(key).letter
            if letter in letters:
                is_constant = not is_whole(key) and key not in moving
                is_constant |= bool(stiff or letter == _FRICTION) and not arguments_of(key)
                is_damping = dots == 1 and (is_constant or _OF_FREQUENCY in arguments_of(key))
                yield key, "damping matrix" if is_damping else _OF_ORDERS[dots]


def _is_stiffness(key: str) -> bool:
    """Return whether a matrix before coordinates has a letter for stiffness, and is no gain."""
    looks = SymbolShape.of(key)
    return looks.letter == "K" and looks.subscript not in {*_BELOW_GAINS}


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
                told = _of_phase(argument)
                if told is not None and key not in _COEFFICIENTS:
                    yield key, "amplitude"
                    yield from told


_NO_PLACES = frozenset("IiUVT")
"""Letters of currents, voltages and temperatures, which drive by their difference as well."""


def _of_springs(one: SymbolEquation) -> Iterator[Role]:
    """Iterate over the roles in :math:`k(x - x_0)`, with the length or the place at rest."""
    for factors in all_products(one):
        springs = {key for node in factors for key in keys_of(node) if _SPRING.fullmatch(key)}
        for node in (each.base if isinstance(each, Power) else each for each in factors):
            match node:
                case Add(
                    terms=(Term(node=Name(key=own, dots=0)), Term(node=Name(key=rest, dots=0)))
                ) if springs and re.fullmatch(rf"{re.escape(own)}_\{{?(?:0|e|eq|n|rest)\}}?", rest):
                    letter = SymbolShape.of(own).letter
                    if letter in _NO_PLACES:
                        continue
                    is_length = letter in _LENGTHS
                    yield rest, "rest length" if is_length else "position at rest"
                    yield from ((key, "stiffness") for key in springs)


def _of_phase(argument: Node) -> list[Role] | None:
    """Return the roles in the argument of a wave; None where it is not of time."""
    terms = [term.node for term in terms_of(argument)]
    turning = [_beside_time(term) for term in terms]
    if sum(factors is not None for factors in turning) != 1:
        return None
    found: list[Role] = []
    for term, factors in zip(terms, turning, strict=True):
        match factors, term:
            case [Name(key=key, dots=0)], _:
                found.append((key, "angular frequency"))
            case None, Name(key=key, dots=0):
                found.append((key, "phase"))
    return found


def _beside_time(node: Node) -> Sequence[Node] | None:
    """Return the factors by which time is multiplied; None where it is not."""
    match node:
        case Multiply(factors=(*factors, Name(key="t", dots=0))):
            is_time = any(TIME in keys_of(one) for one in factors)
            return None if is_time else factors
    return None


def _set_out(one: SymbolEquation) -> Iterator[tuple[str, Matrix]]:
    """Iterate over the letters that are said to be matrices of several rows and columns."""
    for left, right in both_ways(one):
        match left, right:
            case Name(key=key, dots=0), Matrix(rows=rows) if len(rows) > 1 and len(rows[0]) > 1:
                yield key, right


def _may_move(key: str, matrix: Matrix) -> bool:
    """Return whether a matrix has rates in it, or entries that are said elsewhere: C_{11}."""
    letter = SymbolShape.of(key).letter
    names = [node for node in walk(matrix) if isinstance(node, Name)]
    has_rates = any(isinstance(node, TimeDerivative) for node in walk(matrix))
    return has_rates or any(one.dots or SymbolShape.of(one.key).letter == letter for one in names)


def _by_shape(key: str, known: Set[str]) -> str | None:
    """Return what a letter is by what stands in front of it, or by its argument."""
    looks = SymbolShape.of(key)
    if looks.letter == "R" and _OF_ANGLES.search(looks.arguments):
        return "rotation matrix"
    if looks.arguments != _TRANSFORMED:
        return None
    if looks.letter in _TRANSFER:
        return "transfer function"
    name = without_arguments(key)
    small = name[:2].lower() + name[2:] if name.startswith("\\") else name[:1].lower() + name[1:]
    itself = () if looks.letter in _LOOPS else (name,)
    ways = (*itself, small) if looks.subscript else (small, *itself)  # F_s beside a rate f_s
    printed = (
        one
        for one in ways
        if f"{one}(t)" in known or (one in known and not (one == small and small in _UNTRANSFORMED))
    )
    found = next(printed, None)
    return f"Laplace transform of {found}" if found else None
