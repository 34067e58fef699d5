"""Code worked out step by step, in any arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from freebody.backends.code import LITERAL, Code

OPERATORS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
"""What Python has a sign for."""


def results(
    code: Code, arguments: Sequence[Any], operations: Mapping[str, Callable[..., Any]], module: Any
) -> list[Any]:
    """Return the entries of the output.

    Parameters
    ----------
    code : Code
    arguments : sequence
        The entries of the arguments.
    operations : mapping of str to callable
        What to do for an operation; for all others that Python has no sign for, the function of
        the same name is called.
    module : module
        That holds these functions.

    Examples
    --------
    >>> import math, operator
    >>> from freebody.backends.code import Code, Quantity
    >>> steps = (("number", 2.0), ("pow", 0, 1))
    >>> square = Code("square", "", {"q": (Quantity("x"),)}, (), steps, (2,))
    >>> results(square, [3.0], {"number": float}, math)
    [9.0]
    """
    values = list(arguments)
    for _, operation, operands in code.numbered():
        do = operations.get(operation) or OPERATORS.get(operation) or getattr(module, operation)
        given = operands if operation == LITERAL else [values[used] for used in operands]
        values.append(do(*given))
    return [values[place] for place in code.results]
