"""Functions that are called: what their parameters are, and what they give."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from freebody.code.expressions import Expressions
from freebody.code.tree import Assign, Branch, Function, Loop, Node, Parameter
from freebody.code.values import (
    Assigned,
    Closure,
    NotFollowedError,
    Scope,
    Unknown,
    copied,
    names_of,
    same,
)
from freebody.code.working import AGAIN, DEPTH
from freebody.graph.cells import Cell


class Returned(Exception):  # noqa: N818 - it is no error
    """A function that is left."""


class BranchLeft(Exception):  # noqa: N818 - it is no error
    """A branch that ends without a value."""


class Calls(Expressions):
    """Follows functions that are called."""

    @abstractmethod
    def _block(self, body: Iterable[Node], scope: Scope) -> None:
        """Follow statements."""

    @abstractmethod
    def _numeric(self, cell: Cell) -> Cell | None:
        """Return a cell that is a number, of what names are set to too."""

    def called(
        self,
        closure: Closure,
        arguments: Sequence[Any] | None,
        keywords: Sequence[tuple[str, Any]],
    ) -> Any:
        """Return what a function gives; of values from outside where it has no arguments."""
        if arguments is not None and closure.other is not None:
            closure = closure.of(len(arguments))
        function = closure.function
        if self._depth >= DEPTH:
            raise NotFollowedError(f"more than {DEPTH} calls inside each other")
        if self._calls.count(function.span) >= AGAIN:
            raise NotFollowedError(f"'{function.name}' calls itself more than {AGAIN} times")
        self._depth += 1
        self._calls.append(function.span)
        label = function.name
        scope = Scope({}, closure.scope, label, once(function.body))
        is_root = arguments is None
        try:
            self._bind(function, closure, scope, arguments, dict(keywords))
            if is_root:
                self._run.parameters = dict(scope.names)
            return self._outcome(function, scope, is_root)
        finally:
            self._depth -= 1
            self._calls.pop()

    def _outcome(self, function: Function, scope: Scope, is_root: bool) -> Any:
        self._results: list[Assigned]
        kept, self._results = getattr(self, "_results", []), []
        with suppress(Returned, BranchLeft):
            self._block(function.body, scope)
        results, self._results = self._results, kept
        if not results and function.outputs:
            results = [Assigned(name, scope.names.get(name), function) for name in function.outputs]
            results = [one for one in results if one.value is not None]
            value: Any = [one.value for one in results]
            value = value[0] if len(value) == 1 else value
        else:
            value = results[0].value if results else None
            if len(results) > 1:
                value = self._either(results)
        if is_root:
            self._run.returned = results + self._written(function, scope)
        return value

    def _either(self, results: list[Assigned]) -> Any:
        """Return what a function gives that has several returns, where that is known."""
        first = results[0].value
        if all(same(first, one.value) for one in results[1:]):
            return first
        return self.opaque("it is returned in one of several places", results[-1].node)

    def _written(self, function: Function, scope: Scope) -> list[Assigned]:
        """Return the parameters that a function writes into."""
        given = [(one.name, scope.names.get(one.name)) for one in function.parameters]
        return [
            Assigned(name, value, function)
            for name, value in given
            if isinstance(value, Unknown) and value.is_set
        ]

    def _bind(
        self,
        function: Function,
        closure: Closure,
        scope: Scope,
        arguments: Sequence[Any] | None,
        keywords: dict[str, Any],
    ) -> None:
        parameters = list(function.parameters)
        if self.language == "matlab" and arguments is not None:
            arguments = [copied(one) for one in arguments]
        if self.language == "matlab" and not any(one.name == "varargin" for one in parameters):
            given = parameters if arguments is None else arguments
            scope.names["nargin"] = self.table.number(len(given))
            scope.names["nargout"] = self.table.number(max(len(function.outputs), 1))
        if closure.owner is not None and parameters:
            first = parameters.pop(0)
            scope.names[first.name] = closure.owner
        for place, one in enumerate(parameters):
            if one.name.startswith("*"):
                scope.names[one.name[1:]] = list((arguments or ())[place:])
            elif arguments is not None and place < len(arguments):
                scope.names[one.name] = arguments[place]
            elif one.name in keywords:
                scope.names[one.name] = keywords[one.name]
            else:
                label = self._run.name if arguments is None else function.name
                scope.names[one.name] = self._from_outside(one, function, label, scope)

    def _from_outside(
        self, parameter: Parameter, function: Function, label: str, scope: Scope
    ) -> Any:
        outside = self.table.unknown(f"{label}:{parameter.name}", parameter.name, function.span)
        outside.leaf.is_parameter = True
        if parameter.default is not None:
            default = self._value(parameter.default, scope.outer or scope)
            if isinstance(default, Cell):
                outside.leaf.number = self._numeric(default)
            elif not isinstance(default, Unknown) and default is not None:
                return default
        return outside


def once(body: Sequence[Node]) -> frozenset[str]:
    """Return the names that are set by one statement alone."""
    counts: dict[str, int] = {}
    for node in _statements(body):
        for name in names_of(node.target) if isinstance(node, Assign) else ():
            counts[name] = counts.get(name, 0) + 1
    return frozenset(name for name, count in counts.items() if count == 1)


def _statements(body: Sequence[Node]) -> Iterator[Node]:
    for node in body:
        yield node
        match node:
            case Branch(yes=yes, no=no):
                yield from _statements([*yes, *no])
            case Loop(body=inner):
                yield from _statements(inner)
