"""Statements: what gets names, branches, loops, and functions that are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from freebody.code import library
from freebody.code.calls import Calls, Left, Returned
from freebody.code.parts import known_keys, place_in, set_part
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Branch,
    Call,
    Class,
    Ending,
    Function,
    Import,
    Index,
    Items,
    Loop,
    Name,
    Node,
    Number,
    Return,
    Skipped,
    Unary,
    walk,
)
from freebody.code.values import (
    LAST,
    UNDECIDED,
    Assigned,
    Closure,
    Module,
    NotFollowedError,
    Scope,
    Struct,
    Table,
    Turn,
    Unknown,
    copied,
    names_of,
    same,
)
from freebody.errors import GraphError
from freebody.graph.operations import Cell

MOST_TURNS = 100
"""How often a loop is followed; of more turns one stands for all: they are steps of time."""
UNFIT = (
    GraphError,
    ZeroDivisionError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    AttributeError,
    OverflowError,
)
"""What comes of values that do not fit what is done with them."""


class Statements(Calls):
    """Follows statements."""

    # ------------------------------------------------------------------ statements

    def _block(self, body: Iterable[Node], scope: Scope) -> None:
        for node in body:
            self._statement(node, scope)

    def _statement(self, node: Node, scope: Scope) -> None:
        self._here = node
        match node:
            case Assign():
                self._assign(node, scope)
            case Return(value=value):
                self._return(value, scope)
            case Branch():
                self._branch(node, scope)
            case Loop():
                self._loop(node, scope)
            case Function(name=name):
                scope.names[name] = Closure(node, scope)
                self._note_within(scope.names[name])
            case Class(name=name):
                scope.names[name] = Module(name)
            case Ending():
                raise Left
            case Import(names=names):
                scope.names.update((own, self._imported(name)) for own, name in names)
            case Skipped(reason=reason, names=names):
                self.remark(reason, node)
                scope.names.update((one, self.opaque(reason, node)) for one in names)
            case _:
                self._guarded(node, scope)

    def _note_within(self, closure: Closure) -> None:
        """Take note of a function within the one that is followed, which is followed after it."""
        spans = [one.function.span for one in self._within]
        if self._depth <= 1 and closure.function.span not in spans:
            self._within.append(closure)

    def _imported(self, name: str) -> Any:
        number = library.constant(self, name)
        return Module(name.rsplit(".", 1)[-1]) if number is None else number

    def _return(self, value: Node | None, scope: Scope) -> None:
        if value is not None:
            found = self._guarded(value, scope)
            name = value.name if isinstance(value, Name) else ""
            self._results.append(Assigned(name, found, value))
        raise Returned

    def _guarded(self, node: Node, scope: Scope) -> Any:
        """Return a value, or one that says why it is not followed."""
        try:
            return self._value(node, scope)
        except NotFollowedError as error:
            return self.opaque(str(error), node)
        except UNFIT as error:
            return self.opaque(f"it is not followed ({type(error).__name__})", node)

    def _assign(self, node: Assign, scope: Scope) -> None:
        value = self._guarded(node.value, scope)
        if self.language == "matlab":
            value = copied(value)
        held = scope.find(node.target.name) if isinstance(node.target, Name) else None
        if node.in_place and isinstance(held, np.ndarray) and held.shape == np.shape(value):
            held[...] = value
            value = held
        self._put(node.target, value, node.value, scope)

    def _put(self, target: Node, value: Any, source: Node, scope: Scope) -> None:
        try:
            self._store(target, value, source, scope)
        except (NotFollowedError, *UNFIT) as error:
            self.remark(str(error), target)
            for name in names_of(target):
                scope.names[name] = self.opaque(str(error), target)

    def _store(self, target: Node, value: Any, source: Node, scope: Scope) -> None:
        match target:
            case Name(name=name):
                if isinstance(value, Closure) and not value.function.name:
                    value = replace(value, function=replace(value.function, name=name))
                    self._note_within(value)
                value = self._named(name, value, source, once=name in scope.once)
                scope.names[name] = value
                self._note(name, value, source)
            case Items(entries=entries):
                self._unpacked(entries, value, source, scope)
            case Attribute(base=base, name=name):
                held = self._value(base, scope)
                value = self._named(name, value, source, once=True)
                if value is not None:
                    set_part(held, name, value)
                self._note(name, value, source)
            case Index() | Call():
                self._note(self._write(target, value, scope), value, source)
            case Unary(operator="*", operand=inner):
                self._store(inner, value, source, scope)
            case _:
                raise NotFollowedError("what is assigned to is not followed")

    def _note(self, name: str, value: Any, source: Node) -> None:
        """Take note of what gets a name in the function that is followed on its own."""
        if self._depth <= 1:
            self._run.assigned.append(Assigned(name, value, source))

    def _unpacked(self, entries: Sequence[Node], value: Any, source: Node, scope: Scope) -> None:
        if isinstance(value, Unknown):
            values: Sequence[Any] = [self._part(value, place) for place in range(len(entries))]
        else:
            values = self.items(value)
        if len(values) != len(entries):
            raise NotFollowedError(f"{len(values)} values for {len(entries)} names")
        parts = source.entries if isinstance(source, Items) else [source] * len(entries)
        for entry, one, part in zip(entries, values, parts, strict=True):
            self._store(entry, one, part, scope)

    def _named(self, name: str, value: Any, source: Node, *, once: bool) -> Any:
        """Give a value its name: a number that a name is set to once is a constant of that name."""
        if isinstance(value, Unknown):
            if name not in value.leaf.names:
                value.leaf.names.append(name)
            return value
        if not isinstance(value, Cell) or not once or not _is_plain(source):
            return value
        number = self._numeric(value)
        if number is None:
            return value
        path = name if not (old := self.table.leaves.get(name)) else f"{name}@{source.span[0]}"
        if old is not None and old.number == number:
            path = name
        known = self.table.unknown(path, name, source.span)
        known.leaf.number = number
        return known

    def _numeric(self, cell: Cell) -> Cell | None:
        """Return a cell that is a number, of what names are set to too."""
        graph = self.table.graph
        kinds = {graph.nodes[place][0] for place in graph.reached([cell])}
        return cell if "leaf" not in kinds and len(kinds) < 6 else None

    def _write(self, target: Index | Call, value: Any, scope: Scope) -> str:
        """Set entries of a value, and return its name where they are those of a turn of a loop."""
        base = target.base if isinstance(target, Index) else target.function
        parts = target.indices if isinstance(target, Index) else target.arguments
        origin = target.origin if isinstance(target, Index) else (target.origin or 0)
        if isinstance(base, Name) and scope.find(base.name) is None:
            scope.names[base.name] = self.fresh(base.name, zero=True)
        held = self._value(base, scope)
        if isinstance(held, Closure):
            raise NotFollowedError("entries of a function")
        keys = self._keys(parts, origin, held, scope)
        if isinstance(held, Unknown) and (turns := [k for k in keys if isinstance(k, Turn)]):
            name = base.name if isinstance(base, Name) else ""
            return name + self._write_at_turn(held, turns[0], keys, value)
        if isinstance(held, np.ndarray):
            _fill(held, self._inside(keys, held), value, self)
        elif isinstance(held, list):
            held[place_in(keys[0], len(held))] = value
        elif isinstance(held, Struct) and isinstance(keys[0], str):
            held.items[keys[0]] = self._named(keys[0], value, target, once=True)
        elif isinstance(held, Unknown):
            self._write_unknown(held, keys, value)
        else:
            raise NotFollowedError("entries of what is no array")
        return ""

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

    def _write_unknown(self, held: Unknown, keys: tuple[Any, ...], value: Any) -> None:
        held.is_set = True
        if keys and isinstance(keys[0], slice):
            start, step = keys[0].start or 0, keys[0].step or 1
            if isinstance(value, (np.ndarray, list)) and not isinstance(keys[0].start, str):
                for offset, one in enumerate(self.array(value).reshape(-1)):
                    place, rest = start + offset * step, known_keys(keys[1:])
                    held.items[(place, *rest) if any(rest) else place] = one
            return
        known = known_keys(keys)
        if self.is_one_based and len(known) == 2 and known[1] == 0:
            known = known[:1]
        held.items[known if len(known) > 1 else known[0] if known else None] = value

    def _branch(self, node: Branch, scope: Scope) -> None:
        test = self._test(node.test, scope)
        if test is not None:
            self._block(node.yes if test else node.no, scope)
            return
        before = dict(scope.names)
        left = self._tried(node.yes, scope)
        first, scope.names = scope.names, dict(before)
        right = self._tried(node.no, scope)
        if left and right:
            raise Returned if self._results else Left
        if left:
            return
        if right:
            scope.names = first
            return
        self._merge(node, first, scope)

    def _tried(self, body: Sequence[Node], scope: Scope) -> bool:
        """Follow a branch, and return whether it leaves what it is in."""
        scope.names = dict(scope.names)
        try:
            self._block(body, scope)
        except (Returned, Left):
            return True
        return False

    def _merge(self, node: Branch, first: dict[str, Any], scope: Scope) -> None:
        for name in {*first, *scope.names}:
            one, other = first.get(name), scope.names.get(name)
            if one is None or other is None:
                scope.names[name] = one if other is None else other
            elif one is not other and not same(one, other):
                self.remark("both branches are possible", node)
                scope.names[name] = self.opaque(UNDECIDED, node, name)

    def _test(self, node: Node, scope: Scope) -> bool | None:
        """Return what a test comes to, or None where that is not known."""
        try:
            value = self._value(node, scope)
        except (NotFollowedError, *UNFIT):
            return None
        if isinstance(value, bool) or value is None:
            return bool(value)
        if isinstance(value, Cell):
            number = self.table.constant(value)
            return None if number is None else bool(number)
        return None

    def _loop(self, node: Loop, scope: Scope) -> None:
        turns = self._turns(node, scope)
        if turns is None:
            self._any_turn(node, scope)
            return
        for one in turns:
            self._count()
            if node.target is not None:
                self._put(node.target, one, node, scope)
            try:
                self._block(node.body, scope)
            except Left:
                continue

    def _turns(self, node: Loop, scope: Scope) -> Sequence[Any] | None:
        if node.over is None:
            return None
        try:
            turns = self.items(self._value(node.over, scope))
            return turns if len(turns) <= MOST_TURNS else None
        except (NotFollowedError, *UNFIT):
            return None

    def _any_turn(self, node: Loop, scope: Scope) -> None:
        """Follow a loop once, whatever went before."""
        self.remark("the loop is followed for any one of its turns", node)
        kept, self._counters, self._now = (self._counters, self._now), set(self._counters), None
        for name in sorted(_changed(node.body)):
            before = scope.find(name)
            if isinstance(before, (Cell, np.ndarray, list, Unknown)):
                scope.names[name] = self._carried(name, before, node)
                self._counters.add(scope.names[name].leaf.path)
        if node.target is not None:
            for name in names_of(node.target):
                scope.names[name] = self.opaque("it is another in each turn", node, name)
                self._counters.add(scope.names[name].leaf.path)
        self._tried_in_place(node.body, scope)
        self._counters, self._now = kept

    def _carried(self, name: str, before: Any, node: Node) -> Unknown:
        known = self.table.unknown(f"{self._run.name}:{name}", name, node.span)
        for one in before.leaf.names if isinstance(before, Unknown) else ():
            known.leaf.names.append(one) if one not in known.leaf.names else None
        for place, first in _named_first(before, self.table).items():
            part = self._part(known, place)
            part.leaf.names.append(first) if first not in part.leaf.names else None
        return known

    def _tried_in_place(self, body: Sequence[Node], scope: Scope) -> None:
        with suppress(Returned, Left):
            self._block(body, scope)


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


def _is_plain(node: Node) -> bool:
    """Return whether a value is written as a number, or as one of numbers alone."""
    return all(
        isinstance(one, (Number, Unary, Binary, Attribute, Name)) for one in walk(node)
    ) and any(
        isinstance(one, Number) or (isinstance(one, (Name, Attribute)) and one.name == "pi")
        for one in walk(node)
    )


def _fill(held: Any, keys: Any, value: Any, interp: Statements) -> None:
    filled = interp.array(value)
    try:
        there = held[keys]
        if np.shape(there) == () or np.ndim(filled) == 0:
            held[keys] = filled.reshape(-1)[0] if filled.size == 1 else filled
        else:
            held[keys] = (
                filled.reshape(np.shape(there)) if filled.size == np.size(there) else filled
            )
    except (IndexError, ValueError, TypeError):
        raise NotFollowedError("an entry that is not there") from None
