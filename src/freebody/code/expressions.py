"""Expressions and calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from freebody.code import library
from freebody.code.arithmetic import Arithmetic
from freebody.code.tree import (
    Attribute,
    Binary,
    Call,
    Choice,
    Each,
    Ending,
    Function,
    Index,
    Items,
    Mapped,
    Name,
    Node,
    Number,
    Rows,
    Skipped,
    Slice,
    Text,
    Unary,
)
from freebody.code.values import (
    METHODS,
    Closure,
    Method,
    Module,
    NotFollowedError,
    Scope,
    Struct,
    Unknown,
    like,
)
from freebody.graph.cells import Cell

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


RECORDS = ("dict", "SimpleNamespace", "Munch", "Bunch")
"""What makes values by name out of its keywords."""
OF_RECORDS = ("values", "items", "keys", "get")
HARMLESS = frozenset(
    ("dtype", "out", "order", "copy", "device", "requires_grad", "evaluate", "real", "positive",
     "nonnegative", "commutative", "cls", "name", "simplify", "inplace", "assume_a", "min", "max",
     "strict", "method", "check_finite", "keepdims", "rcond", "hermitian", "lower", "like")
)  # fmt: skip
"""Keywords of libraries' functions that leave values as they are."""
ALONG = ("axis", "dims", "dim")
POSITIONAL = ("b", "shape")
"""Keywords that stand for the argument behind those without a name."""


class Expressions(Arithmetic):
    """Works expressions out."""

    def _value(self, node: Node, scope: Scope) -> Any:
        """Return what an expression comes to, and remember where it stands."""
        self._count()
        value = self._evaluated(node, scope)
        if isinstance(value, Cell):
            self.origins.setdefault(value.node, node.span)
            self.worked.setdefault(node.span, set()).add(value)
        elif isinstance(value, Unknown):
            self.worked.setdefault(node.span, set()).add(self.table.cell(value.leaf))
        return value

    def _evaluated(self, node: Node, scope: Scope) -> Any:
        work = self._kinds.get(type(node))
        if work is None:
            raise NotFollowedError(f"{type(node).__name__.lower()} is not followed")
        return work(node, scope)

    @cached_property
    def _kinds(self) -> dict[type, Callable[[Any, Scope], Any]]:
        """What works out each kind of expression."""
        return {
            Number: lambda node, _: self.table.number(node.value),
            Text: lambda node, _: node.value,
            Name: lambda node, scope: self._of_name(node, node.name, scope),
            Unary: self._unary,
            Binary: self._binary,
            Call: self._call,
            Index: self._index,
            Attribute: lambda node, scope: self._attribute(
                self._value(node.base, scope), node.name, node
            ),
            Items: self._items,
            Rows: self._rows,
            Mapped: lambda node, scope: self._mapped(node.entries, scope),
            Choice: lambda node, scope: self._choice(node, node.test, node.yes, node.no, scope),
            Each: self._each,
            Function: lambda node, scope: Closure(node, scope),
            Slice: self._span_of,
            Ending: lambda *_: self._end(),
            Skipped: self._skipped,
        }

    def _index(self, node: Index, scope: Scope) -> Any:
        return self._indexed(self._value(node.base, scope), node.indices, node.origin, scope)

    def _items(self, node: Items, scope: Scope) -> list[Any]:
        return [part for one in node.entries for part in self._spread(one, scope)]

    def _skipped(self, node: Skipped, _: Scope) -> Any:
        raise NotFollowedError(node.reason)

    def _of_name(self, node: Node, name: str, scope: Scope) -> Any:
        found = scope.find(name)
        if found is not None:
            return found
        number = library.constant(self, name)
        if number is not None:
            return number
        if name in ("true", "false") and self.language != "python":
            return name == "true"
        if name in library.FUNCTIONS or name in RECORDS:
            return Module(name)
        outside = self.table.unknown(name, name, node.span)
        self._globals.names[name] = outside
        return outside

    def _spread(self, node: Node, scope: Scope) -> Sequence[Any]:
        if isinstance(node, Unary) and node.operator == "*":
            return self.items(self._value(node.operand, scope))
        return [self._value(node, scope)]

    def _unary(self, node: Unary, scope: Scope) -> Any:
        value = self._value(node.operand, scope)
        if node.operator == "'":
            return library.FUNCTIONS["transpose"](self, [value])
        if node.operator == "not":
            test = self._test(node.operand, scope)
            if test is None:
                raise NotFollowedError("a test that is not known")
            return not test
        if node.operator != "-":
            return value
        if isinstance(value, Unknown) and value.is_set:
            value = self.array(value)
        if isinstance(value, (np.ndarray, list)):
            return self.entrywise(lambda cell: -cell, value)
        return -self.scalar(value)

    def _binary(self, node: Binary, scope: Scope) -> Any:
        sign = node.operator
        if sign in ("and", "or"):
            return self._both(node, scope)
        a, b = self._value(node.left, scope), self._value(node.right, scope)
        self._here = node
        if sign in ("in", "not in"):
            among = list(b.items) if isinstance(b, Struct) else self.items(b)
            return any(self._compared("==", a, one) for one in among) == (sign == "in")
        if sign in COMPARISONS:
            return self._compared(sign, a, b)
        return self.binary(sign, a, b)

    def _both(self, node: Binary, scope: Scope) -> bool:
        tests = [self._test(one, scope) for one in (node.left, node.right)]
        if node.operator == "and" and False in tests:
            return False
        if node.operator == "or" and True in tests:
            return True
        if None in tests:
            raise NotFollowedError("a test that is not known")
        return node.operator == "and"

    def _compared(self, sign: str, a: Any, b: Any) -> bool:
        if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
            if isinstance(a, (Unknown, Cell)) or isinstance(b, (Unknown, Cell)):
                raise NotFollowedError("a test that is not known")
            return COMPARISONS[sign](a, b)
        numbers = [self.table.constant(self.scalar(one)) for one in (a, b)]
        if None in numbers:
            raise NotFollowedError("a test that is not known")
        return COMPARISONS[sign](*numbers)

    # ------------------------------------------------------------------ calls

    def _call(self, node: Call, scope: Scope) -> Any:
        function = self._callee(node, scope)
        if node.origin is not None and self._has_entries(function):
            if isinstance(function, Unknown) and self._is_of_time(node, scope):
                return self._called_outside(node, function, scope)
            return self._indexed(function, node.arguments, node.origin, scope)
        if isinstance(function, Unknown):
            return self._called_outside(node, function, scope)
        arguments = [part for one in node.arguments for part in self._spread(one, scope)]
        keywords = [(name, self._value(one, scope)) for name, one in node.keywords]
        self._here = node
        if isinstance(function, Closure):
            return self.called(function, arguments, keywords)
        if isinstance(function, Method):
            arguments = [function.value, *arguments]
        if isinstance(function, Module) and function.name in RECORDS and not arguments:
            return self._record(keywords, node)
        if isinstance(function, Module):
            given = [*arguments, *_positional(function.name, keywords)]
            return self._library(function.name, given, node)
        raise NotFollowedError("what is called is not known")

    def _record(self, keywords: Sequence[tuple[str, Any]], node: Call) -> Struct:
        """Return values by name, of ``dict(m=1, l=2)``."""
        sources = dict(node.keywords)
        named = ((k, self._named(k, one, sources[k], once=True)) for k, one in keywords)
        return Struct("", dict(named))

    def _has_entries(self, value: Any) -> bool:
        if isinstance(value, Unknown):
            return self._is_indexed(value)
        return isinstance(value, (np.ndarray, list, Struct, Cell))

    def _is_indexed(self, value: Unknown) -> bool:
        """Return whether brackets behind a name from outside are indices: it is handed over."""
        return (
            value.leaf.is_parameter
            or value.is_set
            or value.zero
            or bool(value.items)
            or ":" in value.leaf.path
        )

    def _callee(self, node: Call, scope: Scope) -> Any:
        match node.function:
            case Attribute(base=base, name=name):
                held = self._module_or_value(base, scope)
                if held is None:
                    return Module(name)
                if isinstance(held, Struct) and name in held.methods:
                    return Closure(held.methods[name], self._globals, held)
                if isinstance(held, Struct) and name in OF_RECORDS and name not in held.items:
                    return Method(held, name)
                if isinstance(held, (np.ndarray, list, Cell)) or (
                    isinstance(held, Unknown)
                    and (name in METHODS or (held.is_set and name in library.FUNCTIONS))
                ):
                    return Method(held, name)
                return self._attribute(held, name, node)
        return self._value(node.function, scope)

    def _module_or_value(self, base: Node, scope: Scope) -> Any:
        """Return a value whose method is called, or None for a library."""
        root = base
        while isinstance(root, Attribute):
            root = root.base
        held = scope.find(root.name) if isinstance(root, Name) else root
        if isinstance(held, Module) or (held is None and self.language != "cpp"):
            return None
        return self._value(base, scope)

    def _called_outside(self, node: Call, function: Unknown, scope: Scope) -> Any:
        name = function.leaf.names[0] if function.leaf.names else function.leaf.path
        arguments = [self._guarded(one, scope) for one in node.arguments]
        if self.language == "cpp" and arguments and all(map(self._is_place, arguments)):
            return self._indexed(function, node.arguments, 0, scope)
        if all(isinstance(one, Unknown) for one in arguments) and name not in ("print", "plot"):
            return self.table.unknown(f"{name}()", name, node.span)
        raise NotFollowedError(f"'{name}' is not known here")

    def _is_of_time(self, node: Call, scope: Scope) -> bool:
        """Return whether what stands behind a name is the time: it is a function, ``f(t)``."""
        match node.arguments:
            case (Name(name="t" | "time" as name),):
                held = scope.find(name)
                return isinstance(held, Unknown) and not held.leaf.number
        return False

    def _is_place(self, value: Any) -> bool:
        """Return whether a value is a whole number that is no less than zero."""
        if not isinstance(value, (Cell, Unknown)):
            return False
        number = self.table.constant(self.scalar(value))
        return number is not None and number.denominator == 1 and number >= 0

    def _library(self, name: str, arguments: Sequence[Any], node: Call) -> Any:
        if isinstance(node.function, Attribute) and name in ("T", "transpose") and not arguments:
            raise NotFollowedError("a transpose of what is not known")
        work = library.FUNCTIONS.get(name)
        if work is None:
            raise NotFollowedError(f"'{name}' is not known here")
        try:
            return like(work(self, arguments), *arguments)
        except (IndexError, TypeError, AttributeError) as error:
            raise NotFollowedError(f"'{name}' with other arguments than expected") from error


def _positional(function: str, keywords: Sequence[tuple[str, Any]]) -> list[Any]:
    """Return the arguments that the keywords of a library's function stand for.

    Raises
    ------
    NotFollowedError
        If one says something else.
    """
    for name, _ in keywords:
        is_known = function in library.ALONG if name in ALONG else name in POSITIONAL
        if name not in HARMLESS and not is_known:
            raise NotFollowedError(f"'{name}=' of '{function}' is not known here")
    return [value for name, value in keywords if name not in HARMLESS]
