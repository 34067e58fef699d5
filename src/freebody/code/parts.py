"""Entries and parts of values, and values that are made of parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from freebody.code import library
from freebody.code.tree import (
    Call,
    Each,
    Name,
    Node,
    Rows,
    Slice,
)
from freebody.code.values import (
    LARGEST,
    LAST,
    UNDECIDED,
    Closure,
    Method,
    Module,
    NotFollowedError,
    Scope,
    Struct,
    Turn,
    Unknown,
    made,
    same,
)
from freebody.code.working import Working
from freebody.graph.cells import Cell


class Parts(Working):
    """Takes values apart and puts them together."""

    # ------------------------------------------------------------------ parts of values

    def _attribute(self, held: Any, name: str, node: Node) -> Any:
        if isinstance(held, Method):
            held = held.value
        if isinstance(held, Struct):
            return self._member(held, name, node)
        if name == "T" and isinstance(held, (np.ndarray, list)):
            return self.array(held).T
        if name in ("T", "flat", "real", "val") and isinstance(held, (Cell, Unknown)):
            return held
        if isinstance(held, Module):
            number = library.constant(self, name, held.name)
            return number if number is not None else Module(name)
        if isinstance(held, Unknown):
            number = library.constant(self, name)
            return number if number is not None else self._part(held, name)
        if isinstance(held, np.ndarray) and name == "shape":
            return [self.table.number(one) for one in held.shape]
        raise NotFollowedError(f"'.{name}' of a value")

    def _member(self, held: Struct, name: str, node: Node) -> Any:
        if name in held.items:
            return held.items[name]
        method = held.methods.get(name)
        if method is not None and method.is_property:
            return self.called(Closure(method, self._globals, held), (), ())
        if method is not None:
            return Closure(method, self._globals, held)
        known = self.table.unknown(f"{held.name}.{name}", name, node.span)
        known.leaf.is_parameter = True
        held.items[name] = known
        return known

    def _part(self, held: Unknown, key: Any) -> Any:
        """Return a part of a value from outside."""
        if key in held.items:
            return held.items[key]
        if held.zero and not isinstance(key, str):
            return self.table.graph.zero
        if isinstance(key, tuple) and key and key[0] in held.items:
            return held.items[key[0]]
        name = key if isinstance(key, str) else ""
        inside = ",".join(map(str, key)) if isinstance(key, tuple) else key
        path = f"{held.leaf.path}.{key}" if name else f"{held.leaf.path}[{inside}]"
        part = self.table.unknown(path, name, self._here.span if self._here else (0, 0))
        part.leaf.reason = held.leaf.reason
        part.leaf.is_parameter = True
        held.items[key] = part
        return part

    def _indexed(self, held: Any, indices: Sequence[Node], origin: int, scope: Scope) -> Any:
        if isinstance(held, Module):
            return self._library(
                held.name,
                [self._value(one, scope) for one in indices],
                Call((0, 0), Name((0, 0), ""), ()),
            )
        keys = self._keys(indices, origin, held, scope)
        if isinstance(held, Struct) and keys and isinstance(keys[0], str):
            return self._member(held, keys[0], indices[0])
        if isinstance(held, Unknown):
            return self._indexed_unknown(held, keys)
        if isinstance(held, Cell):
            return held
        if isinstance(held, list) and len(keys) == 1 and isinstance(keys[0], (int, slice)):
            return _taken(held, keys[0])
        if isinstance(held, (np.ndarray, list)):
            array = self.array(held)
            return _taken(array, self._inside(keys, array))
        raise NotFollowedError("entries of what is no array")

    def _indexed_unknown(self, held: Unknown, keys: tuple[Any, ...]) -> Any:
        if keys and keys[0] is Ellipsis:
            keys = keys[1:]
        turns = [key for key in keys if isinstance(key, Turn)]
        if turns or (keys == (-1,) and held.leaf.path in self._counters):
            return self._at_turn(held, *(turns or [LAST]), keys=keys)
        if keys and isinstance(keys[0], slice):
            return self._sliced(held, keys[0])
        known = known_keys(keys)
        if self.is_one_based and len(known) == 2 and known[1] == 0:
            known = known[:1]
        if not known:
            if len(keys) == 1 and not isinstance(keys[0], slice):
                raise NotFollowedError("an entry whose place is not known")
            return held
        return self._part(held, known if len(known) > 1 and isinstance(known[0], int) else known[0])

    def _sliced(self, held: Unknown, taken: slice) -> Any:
        """Return entries of a value from outside, which has those of the state if it has an end."""
        if taken == slice(None):
            return held
        stop = taken.stop
        if stop is None or stop < 0 or (taken.start or 0) < 0:
            if not self.size:
                raise NotFollowedError("entries up to an end that is not known")
            places = range(self.size)[taken]
        else:
            places = range(taken.start or 0, stop, taken.step or 1)
        if len(places) > LARGEST:
            raise NotFollowedError(f"more than {LARGEST} entries")
        return made([self.scalar(self._part(held, place)) for place in places])

    def _at_turn(self, held: Unknown, turn: Turn, *_: Turn, keys: tuple[Any, ...]) -> Any:
        """Return what an array has at a place that a loop counts, or entries of that."""
        whole = self._whole_at(held, turn)
        rest = tuple(key for key in keys if not isinstance(key, Turn) and key != slice(None))
        if not rest or turn == LAST:
            return whole
        if isinstance(whole, Unknown):
            return self._indexed_unknown(whole, rest)
        return _taken(self.array(whole), self._inside(rest, self.array(whole)))

    def _whole_at(self, held: Unknown, turn: Turn) -> Any:
        if turn in held.items:
            return held.items[turn]
        if self._now is None and turn != LAST:
            self._now = turn.after
        if turn.after == self._now or turn == LAST:
            parts = {key: one for key, one in held.items.items() if not isinstance(key, Turn)}
            found = Unknown(held.leaf, parts)
        else:
            path = f"{held.leaf.path}:turn {turn.after}"
            reason = "it is of another turn of a loop"
            found = self.table.unknown(path, "", held.leaf.span, reason)
        held.items[turn] = found
        return found

    def _turn_of(self, cell: Cell) -> Turn | None:
        """Return the place that an index is, which a loop counts."""
        graph = self.table.graph
        nodes = (graph.nodes[place] for place in graph.reached([cell]))
        leaves = [path for kind, path, *_ in nodes if kind == "leaf"]
        if len(leaves) != 1 or leaves[0] not in self._counters:
            return None
        leaf = graph.leaf(leaves[0])
        ends = (graph.substituted([cell], {leaf: by})[0] for by in (graph.zero, graph.one))
        first, second = (graph.fraction(one) for one in ends)
        if first is None or second is None or second - first != 1 or first.denominator != 1:
            return None
        return Turn(int(first))

    def _keys(
        self, indices: Sequence[Node], origin: int, held: Any, scope: Scope
    ) -> tuple[Any, ...]:
        """Return indices counted from 0; None for those that are not known."""
        kept, self._base = self._base, (held, len(indices))
        found = []
        for place, one in enumerate(indices):
            self._place = place
            found.append(self._key(one, origin, scope))
        self._base = kept
        return tuple(found)

    def _key(self, node: Node, origin: int, scope: Scope) -> Any:
        if isinstance(node, Slice):
            return self._slice_key(node, origin, scope)
        value = self._guarded(node, scope)
        if isinstance(value, str) or value is Ellipsis:
            return value
        if value is None:
            return None if origin else np.newaxis
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, (np.ndarray, list)):
            places = [
                self.table.constant(self.scalar(one))
                for one in np.asarray(value, dtype=object).reshape(-1)
            ]
            return (
                None if None in places else [int(one) - origin for one in places if one is not None]
            )
        cell = self.scalar(value)
        number = self.table.constant(cell)
        return self._turn_of(cell) if number is None else int(number) - origin

    def _slice_key(self, node: Slice, origin: int, scope: Scope) -> slice:
        ends: list[int | None] = []
        for part in (node.start, node.stop, node.step):
            number = None
            if part is not None:
                number = self.table.constant(self.scalar(self._value(part, scope)))
                if number is None:
                    raise NotFollowedError("entries whose places are not known")
            ends.append(None if number is None else int(number))
        start, stop, step = ends
        if origin and start is not None:
            start -= origin
        if origin and stop is not None and step is not None and step < 0:
            stop = stop - 2 if stop > 1 else None
        return slice(start, stop, step)

    def _end(self) -> Cell:
        held, count = self._base or (None, 1)
        if isinstance(held, (np.ndarray, list)):
            shape = np.shape(held)
            return self.table.number(
                int(np.prod(shape)) if count == 1 else shape[min(self._place, len(shape) - 1)]
            )
        if self.size:
            return self.table.number(self.size)
        raise NotFollowedError("an end that is not known")

    def _inside(self, keys: tuple[Any, ...], array: np.ndarray[Any, Any]) -> Any:
        if any(key is None for key in keys) and self.is_one_based:
            raise NotFollowedError("an entry whose place is not known")
        if len(keys) == 1 and array.ndim == 2 and self.is_one_based:
            flat = np.arange(array.size).reshape(array.shape, order="F").reshape(-1, order="F")
            places = flat[keys[0]]
            return np.unravel_index(places, array.shape)
        if len(keys) == 2 and array.ndim == 1:
            return (keys[0],) if keys[1] in (0, slice(None)) else keys
        return keys

    def entries(self, held: Any, places: Sequence[Any]) -> Any:
        """Return the entries of a vector at places that are values."""
        if len(places) != 1 or not isinstance(places[0], list):
            raise NotFollowedError("a view of this kind")
        origin = 1 if self.is_one_based else 0
        wanted = [self.whole(one) - origin for one in places[0]]
        if isinstance(held, Unknown):
            return made([self.scalar(self._part(held, one)) for one in wanted])
        return _taken(self.array(held), wanted)

    # ------------------------------------------------------------------ made of parts

    def _rows(self, node: Rows, scope: Scope) -> Any:
        rows = [[self.array(self._value(one, scope)) for one in row] for row in node.rows]
        return self._blocks(rows, is_column=node.is_column)

    def blocks(self, rows: Any) -> Any:
        """Return a matrix of blocks."""
        nested = [one if isinstance(one, list) else [one] for one in self.items(rows)]
        return self._blocks([[self.array(one) for one in row] for row in nested])

    def _blocks(self, rows: list[list[Any]], *, is_column: bool = False) -> Any:
        if not rows:
            return made([])
        try:
            if is_column:
                parts = [one.reshape(-1, 1) if one.ndim < 2 else one for row in rows for one in row]
                joined = np.vstack(parts)
                return joined.reshape(-1) if joined.shape[1] == 1 else joined
            tall = self.language == "julia" or any(one.ndim == 2 for row in rows for one in row)
            lines = [np.hstack([_upright(one, tall=tall) for one in row]) for row in rows]
            return np.vstack(lines)
        except ValueError:
            raise NotFollowedError("blocks whose shapes do not fit") from None

    def _mapped(self, entries: Sequence[tuple[str, Node]], scope: Scope) -> Struct:
        held = Struct("")
        for name, one in entries:
            held.items[name] = self._named(name, self._value(one, scope), one, once=True)
        return held

    def _choice(self, node: Node, test: Node, yes: Node, no: Node, scope: Scope) -> Any:
        found = self._test(test, scope)
        if found is not None:
            return self._value(yes if found else no, scope)
        one, other = self._guarded(yes, scope), self._guarded(no, scope)
        return one if same(one, other) else self.opaque(UNDECIDED, node)

    def chosen(self, test: Any, yes: Any, no: Any) -> Any:
        """Return one of two values, where it is known which."""
        if isinstance(test, bool):
            return yes if test else no
        raise NotFollowedError("a choice that depends on a test that is not known")

    def _each(self, node: Each, scope: Scope) -> list[Any]:
        inner = Scope({}, scope, scope.label)
        out = []
        for one in self.items(self._value(node.over, scope)):
            self._put(node.target, one, node, inner)
            out.append(self._value(node.entry, inner))
        return out

    def _span_of(self, node: Slice, scope: Scope) -> Any:
        """Return the numbers from a first to a last one, as ``1:n``."""
        if node.start is None or node.stop is None:
            raise NotFollowedError("a range without ends")
        ends = [self.whole(self._value(one, scope)) for one in (node.start, node.stop)]
        step = self.whole(self._value(node.step, scope)) if node.step else 1
        if not step or abs(ends[1] - ends[0]) > LARGEST:
            raise NotFollowedError(f"a range of more than {LARGEST} numbers")
        found = range(ends[0], ends[1] + (1 if step > 0 else -1), step)
        return [self.table.number(one) for one in found]


def _taken(held: Any, keys: Any) -> Any:
    try:
        return held[keys]
    except (IndexError, TypeError):
        raise NotFollowedError("an entry that is not there") from None


def place_in(key: Any, length: int) -> int:
    """Return a place in a list.

    Raises
    ------
    NotFollowedError
        If it is not there.
    """
    if not isinstance(key, int) or not -length <= key < length:
        raise NotFollowedError("an entry that is not there")
    return key


def set_part(held: Any, name: str, value: Any) -> None:
    """Set a part of a value by its name.

    Raises
    ------
    NotFollowedError
        If the value has no parts.
    """
    if isinstance(held, Struct):
        held.items[name] = value
    elif isinstance(held, Unknown):
        held.items[name] = value
        held.is_set = True
    else:
        raise NotFollowedError("a part of a value that has none")


def known_keys(keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the indices that are known; whole slices and others are left aside."""
    return tuple(key for key in keys if isinstance(key, (int, str)) and key is not None)


def _upright(block: Any, *, tall: bool) -> Any:
    """Return a block as a matrix; a vector beside matrices, and any of Julia, is a column."""
    if block.ndim == 1:
        return block.reshape(-1, 1) if tall else block.reshape(1, -1)
    return block.reshape(1, 1) if block.ndim == 0 else block
