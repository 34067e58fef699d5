"""Generated Julia worked out by numbers, from the tree that our own reader makes of it."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from freebody.code.listings import parse
from freebody.code.tree import (
    Assign,
    Binary,
    Call,
    Choice,
    Function,
    Index,
    Name,
    Node,
    Number,
    Return,
    Unary,
)

SIGNS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "and": lambda a, b: a and b,
}
BASE = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "sinh", "cosh")},
    **{name: getattr(math, name) for name in ("tanh", "exp", "log", "sqrt")},
    "atan": lambda *of: math.atan2(*of) if len(of) > 1 else math.atan(*of),
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda x: float(np.sign(x)),
    "ifelse": lambda test, yes, no: yes if test else no,
    "isinteger": lambda x: float(x).is_integer(),
    "one": lambda x: 1.0,  # noqa: ARG005
    "float": float,
    "oftype": lambda x, y: y,  # noqa: ARG005
}


def worked_out(
    text: str, name: str, arguments: Sequence[Any], out: np.ndarray | None = None
) -> Any:
    """Return what a function of a text gives, or the array that it writes into."""
    body, _ = parse("julia", text)
    functions = {one.name: one for one in body if isinstance(one, Function)}
    given = [out, *arguments] if out is not None else list(arguments)
    return _called(functions, functions[f"{name}!" if out is not None else name], given)


def _called(functions: Mapping[str, Function], function: Function, given: Sequence[Any]) -> Any:
    names = dict(zip((one.name for one in function.parameters), given, strict=True))
    for node in function.body:
        if isinstance(node, Return):
            return _value(functions, node.value, names)
        assert isinstance(node, Assign)
        value = _value(functions, node.value, names)
        if isinstance(node.target, Name):
            assert node.target.name not in names, "a name stands for one thing"
            names[node.target.name] = value
        else:
            array, *places = _value(functions, node.target, names, place=True)
            array[tuple(places)] = value
    raise AssertionError("a function that gives nothing")


def _value(  # noqa: C901 - a case for each kind of node
    functions: Mapping[str, Function],
    node: Node | None,
    names: Mapping[str, Any],
    place: bool = False,
) -> Any:
    def of(one: Node | None) -> Any:
        return _value(functions, one, names)

    match node:
        case Number(value=value):
            return float(value)
        case Name(name=name):
            return names[name] if name in names else {"NaN": math.nan}[name]
        case Unary(operator="-"):
            return -of(node.operand)
        case Unary(operator="not"):
            return not of(node.operand)
        case Binary():
            return SIGNS[node.operator](of(node.left), of(node.right))
        case Choice():
            return of(node.yes) if of(node.test) else of(node.no)
        case Index(origin=1):
            at = [int(of(one)) - 1 for one in node.indices]
            return (of(node.base), *at) if place else of(node.base)[tuple(at)]
        case Call(function=Name(name=name)) if name in functions:
            return _called(functions, functions[name], [*map(of, node.arguments)])
        case Call(function=Name(name=name)):
            return BASE[name](*map(of, node.arguments))
    raise AssertionError(f"what is written has no {node}")
