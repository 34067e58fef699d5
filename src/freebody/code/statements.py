"""Statements: what gets names, branches, loops, and functions that are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from freebody.code import library
from freebody.code.branches import Branches
from freebody.code.calls import BranchLeft, Returned
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
    Assigned,
    Closure,
    Module,
    NotFollowedError,
    Scope,
    Struct,
    Turn,
    Unknown,
    copied,
    names_of,
)
from freebody.code.working import UNFIT
from freebody.graph.cells import Cell


class Statements(Branches):
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
                raise BranchLeft
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
        path, _, own = name.rpartition(".")
        number = library.constant(self, own, path.rpartition(".")[2])
        return Module(own) if number is None else number

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
                if (scope.label, name) in self.laws:
                    value = self._from_law(name, value, scope.label)
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

    def _from_law(self, name: str, value: Any, label: str) -> Any:
        """Return an input in the place of what is worked out for it."""
        path = f"{label}:{name}" if label else f"law:{name}"
        if isinstance(value, Cell) and self._numeric(value) is None:
            return self.table.cell(self.table.unknown(path, name).leaf)
        if not isinstance(value, np.ndarray):
            return value
        out = value.copy()
        for place, (at, one) in enumerate(np.ndenumerate(value)):
            if isinstance(one, Cell) and self._numeric(one) is None:
                out[at] = self.table.cell(self.table.unknown(f"{path}[{place}]").leaf)
        return out

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
