"""Loops: those that are counted turn by turn, one turn of the others for all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from freebody.code.calls import BranchLeft, Calls, Returned
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Call,
    Loop,
    Name,
    Node,
    Number,
    walk,
)
from freebody.code.values import (
    LAST,
    NotFollowedError,
    Scope,
    Table,
    Turn,
    Unknown,
    names_of,
)
from freebody.code.working import UNFIT
from freebody.graph.cells import Cell

MOST_TURNS = 100
"""How often a loop is followed; of more turns one stands for all: they are steps of time."""


class Loops(Calls):
    """Follows loops."""

    def _loop(self, node: Loop, scope: Scope) -> None:
        """Follow a loop."""
        turns = self._turns(node, scope)
        if turns is None:
            if not self._is_counted(node, scope) or not self._as_long(node, scope):
                self._any_turn(node, scope)
            return
        for one in turns:
            self._count()
            if node.target is not None:
                self._put(node.target, one, node, scope)
            try:
                self._block(node.body, scope)
            except BranchLeft:
                continue

    def _turns(self, node: Loop, scope: Scope) -> Sequence[Any] | None:
        if node.over is None:
            return None
        try:
            turns = self.items(self._value(node.over, scope))
            return turns if len(turns) <= MOST_TURNS else None
        except (NotFollowedError, *UNFIT):
            return None

    def _is_counted(self, node: Loop, scope: Scope) -> bool:
        """Return whether whole numbers count the turns of a loop, and these are few."""
        if node.test is None:
            return False
        tested = {one.name for one in walk(node.test) if isinstance(one, Name)}
        changes = [
            one
            for one in walk(*node.body, *node.step)
            if isinstance(one, Assign) and not tested.isdisjoint(names_of(one.target))
        ]
        counts = [(name, one.value) for one in changes if (name := _count_of(one))]
        if not counts or len(counts) < len(changes):
            return False
        inner = Scope({}, scope, scope.label)
        for _ in range(MOST_TURNS):
            test = self._test(node.test, inner)
            if test is None:
                return False
            if not test:
                return True
            for name, value in counts:
                inner.names[name] = self._value(value, inner)
        return False

    def _as_long(self, node: Loop, scope: Scope) -> bool:
        """Follow a loop as long as its test holds, and return whether it comes to an end."""
        for _ in range(MOST_TURNS):
            self._count()
            test = self._test(node.test, scope) if node.test else None
            if not test:
                return test is not None
            with suppress(BranchLeft):
                self._block(node.body, scope)
            self._block(node.step, scope)
        return False

    def _any_turn(self, node: Loop, scope: Scope) -> None:
        """Follow a loop once, whatever went before."""
        self.remark("the loop is followed for any one of its turns", node)
        kept, self._counters, self._now = (self._counters, self._now), set(self._counters), None
        for name in sorted(_changed((*node.body, *node.step))):
            before = scope.find(name)
            if isinstance(before, (Cell, np.ndarray, list, Unknown)):
                scope.names[name] = self._carried(name, before, node)
                self._counters.add(scope.names[name].leaf.path)
        if node.target is not None:
            for name in names_of(node.target):
                scope.names[name] = self.opaque("it is another in each turn", node, name)
                self._counters.add(scope.names[name].leaf.path)
        with suppress(Returned, BranchLeft):
            self._block((*node.body, *node.step), scope)
        self._counters, self._now = kept

    def _carried(self, name: str, before: Any, node: Node) -> Unknown:
        known = self.table.unknown(f"{self._run.name}:{name}", name, node.span)
        for one in before.leaf.names if isinstance(before, Unknown) else ():
            known.leaf.names.append(one) if one not in known.leaf.names else None
        for place, first in _named_first(before, self.table).items():
            part = self._part(known, place)
            part.leaf.names.append(first) if first not in part.leaf.names else None
        return known

    # ------------------------------------------------------------------ arrays that a loop fills

    def appended(self, held: Unknown, value: Any) -> None:
        """Put an entry to the end of a list that a loop goes on with."""
        if held.leaf.path not in self._counters:
            raise NotFollowedError("more entries for what is no list")
        held.items[LAST] = value
        if self._here is not None:
            self._note(held.leaf.names[0], value, self._here)

    def _write_at_turn(self, held: Unknown, turn: Turn, keys: Sequence[Any], value: Any) -> str:
        """Set what an array has at a place that a loop counts, and return which entries of it."""
        rest = tuple(key for key in keys if not isinstance(key, Turn) and key != slice(None))
        if not rest:
            held.items[turn] = value
            return ""
        before = held.items.get(turn)
        inner = before if isinstance(before, Unknown) and before.is_set else self.fresh("entries")
        self._write_unknown(inner, rest, value)
        held.items[turn] = inner
        return f"[{','.join(map(str, rest))}]"


def _count_of(node: Assign) -> str:
    """Return the variable that gets a whole number more or less, as ``m += 1``; or nothing."""
    match node:
        case Assign(
            target=Name(name=name),
            value=Binary(
                operator="+" | "-", left=Name(name=old), right=Number(value=Fraction(denominator=1))
            ),
        ):
            return name if name == old else ""
    return ""


def _changed(body: Sequence[Node]) -> set[str]:
    """Return the names of what a loop changes, or puts entries to the end of."""
    names = {
        name for one in walk(*body) if isinstance(one, Assign) for name in names_of(one.target)
    }
    for one in walk(*body):
        match one:
            case Call(function=Attribute(base=Name(name=name), name="append")):
                names.add(name)
    return names


def _named_first(before: Any, table: Table) -> dict[int, str]:
    """Return what entries are called with which a loop begins: theta1 for theta10."""
    items = before.items if isinstance(before, Unknown) else {}
    leaves = {
        place: table.leaf_of(one)
        for place, one in items.items()
        if isinstance(place, int) and isinstance(one, Cell)
    }
    names = {place: leaf.names[0] for place, leaf in leaves.items() if leaf and leaf.names}
    return {
        place: re.sub(r"(?<=[a-z\d])_?0$|_?init(?:ial)?$", "", name)
        for place, name in names.items()
    }
