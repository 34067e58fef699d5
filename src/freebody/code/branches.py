"""Branches: the one whose test holds, or both, where it is not known what that comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from freebody.code.calls import BranchLeft, Returned
from freebody.code.loops import Loops
from freebody.code.tree import Branch, Node
from freebody.code.values import UNDECIDED, Scope, Struct, Unknown, same
from freebody.graph.cells import Cell

ENTRIES = 32
"""Of an array, that are looked at in one step."""
Content = dict[Any, Any]
"""What stands in a value that can be changed where it is, by places or names."""


class Branches(Loops):
    """Follows branches."""

    def _branch(self, node: Branch, scope: Scope) -> None:
        """Follow a branch, or both: what they make different is not known after them."""
        test = self._test(node.test, scope)
        if test is not None:
            self._block(node.yes if test else node.no, scope)
            return
        names, held = dict(scope.names), list(self._changeable(scope))
        before = [_content(one) for one in held]
        left = self._tried(node.yes, scope)
        first, after = scope.names, [_content(one) for one in held]
        scope.names = dict(names)
        for one, content in zip(held, before, strict=True):
            _restore(one, content)
        right = self._tried(node.no, scope)
        if left and right:
            raise Returned if self._results else BranchLeft
        if left:
            return
        if right:
            scope.names = first
            for one, content in zip(held, after, strict=True):
                _restore(one, content)
            return
        for one, content in zip(held, after, strict=True):
            self._merge_content(one, content, node)
        self._merge(node, first, scope)

    def _tried(self, body: Sequence[Node], scope: Scope) -> bool:
        """Follow a branch, and return whether it leaves what it is in."""
        scope.names = dict(scope.names)
        try:
            self._block(body, scope)
        except (Returned, BranchLeft):
            return True
        return False

    def _changeable(self, scope: Scope) -> Iterator[Any]:
        """Iterate over the values that statements may change where they are."""
        waiting: list[Any] = []
        place: Scope | None = scope
        while place is not None:
            waiting += place.names.values()
            place = place.outer
        seen = set[int]()
        while waiting:
            one = waiting.pop()
            if not isinstance(one, (np.ndarray, list, Struct, Unknown)) or id(one) in seen:
                continue
            for _ in range(1 + np.size(one) // ENTRIES if isinstance(one, np.ndarray) else 1):
                self._count()
            seen.add(id(one))
            yield one
            if isinstance(one, (Struct, Unknown)):
                waiting += one.items.values()
            elif isinstance(one, list):
                waiting += one

    def _merge(self, node: Branch, first: dict[str, Any], scope: Scope) -> None:
        for name in {*first, *scope.names}:
            one, other = first.get(name), scope.names.get(name)
            if one is None or other is None:
                scope.names[name] = one if other is None else other
            elif one is not other and not same(one, other):
                scope.names[name] = self._undecided(node, name, one, other)

    def _undecided(self, node: Branch, name: str, *either: Any) -> Unknown:
        """Return one of two values; what is given either way is a quantity of its own."""
        self.remark("both branches are possible", node)
        reason = "" if all(map(self._is_given, either)) else UNDECIDED
        return self.opaque(reason, node, name)

    def _is_given(self, value: Any) -> bool:
        """Return whether a value is a number, or comes from outside and is no entry of a vector."""
        if isinstance(value, Unknown):
            return not (value.leaf.reason or value.items or "[" in value.leaf.path)
        if not isinstance(value, Cell):
            return False
        leaf = self.table.leaf_of(value)
        is_number = self.table.constant(value) is not None
        return is_number or (leaf is not None and not leaf.reason and "[" not in leaf.path)

    def _merge_content(self, held: Any, first: Content, node: Branch) -> None:
        """Let a value have what both branches leave in it, and say what is not known."""
        second = _content(held)
        for key in {**first, **second}:
            one, other = first.get(key), second.get(key)
            is_part = isinstance(held, (Struct, Unknown)) and (one is None or other is None)
            if is_part:
                second[key] = one if other is None else other
            elif not same(one, other):
                name = key if isinstance(key, str) else f"[{key}]"
                found = self._undecided(node, name, one, other)
                second[key] = self.table.cell(found.leaf) if isinstance(held, np.ndarray) else found
        _restore(held, second)


def _content(held: Any) -> Content:
    if isinstance(held, np.ndarray):
        return {place: held[place] for place in np.ndindex(*held.shape)}
    return dict(enumerate(held)) if isinstance(held, list) else dict(held.items)


def _restore(held: Any, content: Content) -> None:
    if isinstance(held, np.ndarray):
        for place, value in content.items():
            held[place] = value
    elif isinstance(held, list):
        held[:] = content.values()
    else:
        held.items.clear()
        held.items.update(content)
