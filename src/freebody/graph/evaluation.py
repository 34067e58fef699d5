"""Code worked out: in numbers of any kind, in another graph, or at a point of a domain."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from freebody.algebra.domains import Domain
from freebody.graph.code import Code
from freebody.graph.graph import meaning_of
from freebody.graph.meanings import MEANINGS, partial_derivatives
from freebody.graph.operations import ARITHMETIC, NUMBER, as_float

OPERATORS: Mapping[str, Callable[..., Any]] = {
    **ARITHMETIC,
    "pow": operator.pow,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
"""What Python has a sign for."""


def evaluate(
    code: Code, arguments: Sequence[Any], operations: Mapping[str, Callable[..., Any]], module: Any
) -> list[Any]:
    """Return the entries of the output.

    Parameters
    ----------
    code : Code
    arguments : sequence
        The entries of the arguments.
    operations : mapping of str to callable
        What to do for an operation; ``as_float`` makes one of a float. For all others that Python
        has no sign for, the function of the same name is called.
    module : module
        That holds these functions.

    Examples
    --------
    >>> import math
    >>> from freebody.graph.code import Variable
    >>> steps = (("number", 2), ("pow", 0, 1))
    >>> square = Code("square", "", {"q": (Variable("x"),)}, (), steps, (2,))
    >>> evaluate(square, [3.0], {"number": float}, math)
    [9.0]
    """
    values = list(arguments)
    for _, operation, operands in code.numbered():
        if operation == NUMBER:
            values.append(operations[NUMBER](as_float(*operands)))
        else:
            do = operations.get(operation) or OPERATORS.get(operation) or getattr(module, operation)
            values.append(do(*(values[used] for used in operands)))
    return [values[place] for place in code.results]


def evaluate_at_point(code: Code, leaves: Sequence[sympy.Expr], at: Domain[Any]) -> list[Any]:
    """Return the entries of the output at a point of a domain.

    Cosines and sines are of what their angles are made of. Functions are moved along by their
    derivatives, some of which the domain itself does not know.

    Parameters
    ----------
    code : Code
    leaves : sequence of sympy.Expr
        What the entries of the arguments are in the domain.
    at : Domain
    """
    values, meanings = at.values(leaves), Meanings(code, leaves)
    for value, operation, operands in code.numbered():
        given = [values[used] for used in operands] if operation != NUMBER else []
        if operation == NUMBER:
            values += at.values([meaning_of(*operands)])
        elif operation in ("sin", "cos"):
            values += at.values([meanings[value]])
        elif operation in ARITHMETIC:
            values.append(ARITHMETIC[operation](*given))
        else:
            fixed = tuple(meanings.number(used) for used in operands)
            values.append(_moved(operation, fixed, given, at))
    return [values[place] for place in code.results]


def _moved(operation: str, fixed: tuple[Any, ...], values: Sequence[Any], at: Domain[Any]) -> Any:
    """Return a function of values, moved along with them."""
    symbols, by_each = partial_derivatives(operation, fixed)
    there = at.where({x: value.parts[0] for x, value in zip(symbols, values, strict=True)})
    (total,) = there.values([MEANINGS[operation](*symbols)])
    for value, slope in zip(values, by_each, strict=True):
        if value.order:
            total = total + there.values([slope])[0] * (value - value.parts[0])
    return total


class Meanings:
    """What the values of code are in its leaves, worked out where it is asked.

    Parameters
    ----------
    code : Code
    leaves : sequence of sympy.Expr
        What the entries of the arguments are.
    """

    def __init__(self, code: Code, leaves: Sequence[sympy.Expr]) -> None:
        self._first, self._steps = len(leaves), code.steps
        self._known: dict[int, Any] = dict(enumerate(leaves))

    def __getitem__(self, value: int) -> Any:
        if value not in self._known:
            operation, *operands = self._steps[value - self._first]
            self._known[value] = (
                meaning_of(*operands)
                if operation == NUMBER
                else MEANINGS[operation](*(self[used] for used in operands))
            )
        return self._known[value]

    def number(self, value: int) -> Any:
        """Return the fraction that a value is, or None."""
        if value < self._first or self._steps[value - self._first][0] != NUMBER:
            return None
        meaning = self[value]
        return meaning if meaning.is_Rational else None
