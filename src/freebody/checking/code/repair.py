"""The smallest edits of code that mend what it computes.

What an edit does to a value is worked out in the operations of the graph, at a random point; what
mends it there is made in the text, read again, and has to hold again.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import NoRootError
from freebody.checking.code.changes import NOT_WRITTEN, Change, Changes, is_atom
from freebody.checking.code.claim import Claim
from freebody.checking.code.claims import Claims
from freebody.checking.code.expectations import expected
from freebody.checking.code.readings import ListingReading, Outcome
from freebody.checking.code.states import state_of
from freebody.checking.code.trial import Trial
from freebody.checking.findings import Edit
from freebody.code import library
from freebody.code.interpreter import FollowedListing, Interpreter, run
from freebody.code.listings import Listing
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Call,
    Index,
    Items,
    Name,
    Node,
    Number,
    Span,
    Text,
    Unary,
    children,
    concerned,
    walk,
)
from freebody.code.values import NotFollowedError, TooMuchError
from freebody.errors import FreebodyError
from freebody.graph.cells import Cell

MOST_EDITS, MOST_WORK, MOST_OF_ALL = 4000, 200_000, 400_000
"""Edits that are tried for a claim; operations that are worked out for a function, and for all."""
MOST_OF_ARRAYS = 20
"""How many signs of vectors are changed for a claim."""
CONFIRMED = 8
"""How many are made in the text."""


@dataclass(frozen=True)
class Mend:
    """An edit that mends a claim.

    Attributes
    ----------
    edit : Edit
        Of the text of the file.
    cost : float
    fixes : int
        How many claims hold with it that do not without.
    """

    edit: Edit
    cost: float
    fixes: int = 1

    def applied(self, text: str, start: int = 0) -> str:
        """Return a text that begins at a place of the file, with the edit made."""
        first, last = self.edit.span
        return text[: first - start] + self.edit.proposed + text[last - start :]

    def diff(self, listing: Listing) -> str:
        """Return the edit as a change of lines."""
        before, after = listing.text, self.applied(listing.text)
        name = listing.path.name
        lines = difflib.unified_diff(
            before.splitlines(), after.splitlines(), name, f"{name}, repaired", n=0, lineterm=""
        )
        return "\n".join(lines)


class ListingRepairs:
    """Looks for what would mend the claims of a listing.

    Parameters
    ----------
    listing : Listing
    body : sequence of Node
    found : FollowedListing
    trial : Trial
    reading : ListingReading
        What its names stand for.
    outcome : Outcome
        How its claims come out as they are written.
    """

    note = "no single change of the code was found that mends it"

    def __init__(
        self,
        listing: Listing,
        body: Sequence[Node],
        found: FollowedListing,
        trial: Trial,
        reading: ListingReading,
        outcome: Outcome,
    ) -> None:
        self._listing, self._found = listing, found
        self._runs = set(outcome.runs)
        self._body = concerned(body, self._runs)
        self._trial, self._outcome = trial, outcome
        self._own_reading = reading
        self._known: dict[Claim, list[Mend]] = {}
        self._work = 0
        self._near: tuple[set[int], set[str]] = (set(), set())
        self.spent = [0]
        self._made_in_text: dict[tuple[Span, str], dict[Any, bool]] = {}
        self._interp = Interpreter(listing.language)
        self._interp.table = found.table

    @cached_property
    def _reading(self) -> ListingReading:
        """What names stand for, those too that no claim of the function is made of."""
        own, trial = self._own_reading, self._trial
        roles = dict(own.roles)
        for cell in (cell for cells in self._atoms.values() for cell in cells):
            leaf = self._found.table.leaf_of(cell)
            if leaf is not None and leaf.path not in {*roles, *own.state.moving}:
                options = trial.options(leaf)
                roles |= {leaf.path: options[0]} if options else {}
        return replace(own, roles=roles)

    def of(self, claim: Claim) -> list[Mend]:
        """Return the edits that mend a claim, the likeliest first."""
        if claim not in self._known:
            self._known[claim] = self._found_for(claim)
        return self._known[claim]

    def statement(self, mend: Mend) -> Span:
        """Return where the lines stand that an edit is made in."""
        text, (start, stop) = self._listing.text, mend.edit.span
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", stop)
        return first, last if last >= 0 else len(text)

    def is_given(self, mend: Mend) -> bool:
        """Return whether an edit changes what is set to a number, or to what is handed over."""
        start, stop = mend.edit.span
        around = [
            node.value
            for node in walk(*self._body)
            if isinstance(node, Assign) and node.span[0] <= start <= stop <= node.span[1]
        ]
        innermost = min(around, key=lambda node: node.span[1] - node.span[0], default=None)
        plain = (Name, Attribute, Index, Items, Number, Text, Unary)
        return innermost is not None and all(isinstance(one, plain) for one in walk(innermost))

    # ------------------------------------------------------------------ the search

    def _found_for(self, claim: Claim) -> list[Mend]:
        try:
            mending = sorted(self._mending(claim), key=lambda one: one.cost)
        except (NoRootError, UndecidedError, ZeroDivisionError):
            return []
        confirmed = []
        for one in mending[:CONFIRMED]:
            fixes = self._fixes(claim, one.edit)
            if fixes > 0:
                confirmed.append(Mend(one.edit, one.cost, fixes))
        if not confirmed:
            confirmed = [mend for mend in self._of_arrays(claim) if mend.fixes > 0]
        return sorted(confirmed, key=lambda mend: (mend.cost, -mend.fixes))

    def _of_arrays(self, claim: Claim) -> Iterator[Mend]:
        """Iterate over changed signs of vectors and matrices, made in the text."""
        nodes = [
            node
            for node in walk(*self._body)
            if isinstance(node, Binary)
            and node.operator in ("+", "-")
            and node.span not in self._found.worked
        ]
        for node in nodes[:MOST_OF_ARRAYS]:
            other = "-" if node.operator == "+" else "+"
            at = self._changes.sign_at(node)
            edit = Edit(at, self._text(at), other, "sign")
            yield Mend(edit, 1.0, self._fixes(claim, edit))

    def _mending(self, claim: Claim) -> Iterator[Change]:
        """Iterate over the edits with which a claim holds at a random point."""
        derived = self._trial.derived(self._reading, 0)
        base = self._trial.worked(self._reading, derived.at)
        wanted = expected(claim, derived, self._reading.frame, self._outcome)
        if self._outcome.signs.get((claim.run, claim.group), 1) < 0:
            wanted = -wanted
        base.value(claim.cell)
        reached = self._graph.reached([claim.cell])
        tries = sorted(islice(self._tries(reached), MOST_EDITS), key=lambda one: one.cost)
        for number, one in enumerate(tries):
            if self._work > MOST_WORK or self.spent[0] > MOST_OF_ALL:
                self.note = f"the first {number} changes of the code were tried, and none mends it"
                return
            changed = self._changed(one, reached)
            if changed is None:
                continue
            place, cell = changed
            work = base.work(place, claim.cell)
            self._work += work
            self.spent[0] += work
            try:
                if not base.replaced(place, cell, claim.cell) - wanted:
                    yield one
            except (ZeroDivisionError, NoRootError, UndecidedError):
                continue

    def _changed(self, one: Change, reached: set[int]) -> tuple[int, Cell] | None:
        """Return the operation that an edit changes, and what becomes of it."""
        node, made = one.node, one.made
        root = self._cell(node, reached)
        if root is None:
            return None
        try:
            value = self._local(made, reached)
            while (parent := self._parents.get(id(node))) is not None:
                there = self._cell(parent, reached)
                if there is None:
                    break
                value = self._applied(parent, node, value, reached)
                node, root = parent, there
        except (NotFollowedError, TooMuchError, FreebodyError, ZeroDivisionError, RecursionError):
            return None
        if not isinstance(value, Cell) or value == root or not self._graph.operands(root.node):
            return None if not self._is_leaf_root(root, value) else (root.node, value)
        return root.node, value if root.sign > 0 else -value

    def _is_leaf_root(self, root: Cell, value: Any) -> bool:
        return (
            isinstance(value, Cell)
            and value != root
            and self._graph.nodes[root.node][0] != "number"
        )

    def _cell(self, node: Node, reached: set[int]) -> Cell | None:
        """Return what an expression came to, where it is one scalar that the claim needs."""
        if not isinstance(node, (Binary, Unary, Call, Name, Index, Attribute, Number)):
            return None
        cells = [
            cell
            for cell in self._found.worked.get(node.span, ())
            if cell.node in reached or isinstance(node, Number)
        ]
        return cells[0] if len({cell.node for cell in cells}) == 1 else None

    def _local(self, node: Node, reached: set[int]) -> Any:
        """Return what an expression comes to that is made of known ones."""
        match node:
            case Number(value=value):
                return self._found.table.number(value)
            case Binary(operator=sign, left=left, right=right) if node.span == (0, 0):
                return self._interp.binary(
                    sign, self._local(left, reached), self._local(right, reached)
                )
            case Unary(operator="-", operand=inner) if node.span == (0, 0):
                return -self._interp.scalar(self._local(inner, reached))
            case Call(function=Name(name=name), arguments=(inner,)) if node.span == (0, 0):
                return library.FUNCTIONS[name](self._interp, [self._local(inner, reached)])
            case Name(name=text) if node.span == (0, 0):
                return self._atom(text, reached)
        cells = list(self._found.worked.get(node.span, ()))
        near = [cell for cell in cells if cell.node in reached] or cells
        if len({cell.node for cell in near}) != 1:
            raise NotFollowedError("it comes to several values")
        return near[0]

    def _applied(self, parent: Node, node: Node, value: Any, reached: set[int]) -> Any:
        """Return what an expression comes to where one of its parts is another."""

        def part(one: Node) -> Any:
            return value if one is node else self._local(one, reached)

        match parent:
            case Binary(operator=sign, left=left, right=right):
                return self._interp.binary(sign, part(left), part(right))
            case Unary(operator="-", operand=inner):
                return -self._interp.scalar(part(inner))
            case Unary(operand=inner):
                return part(inner)
            case Call(function=function, arguments=arguments) if node is not function:
                name = function.name if isinstance(function, (Name, Attribute)) else ""
                if name in library.FUNCTIONS:
                    return library.FUNCTIONS[name](self._interp, [part(one) for one in arguments])
        raise NotFollowedError("it is not followed here")

    # ------------------------------------------------------------------ confirmed in the text

    def _fixes(self, claim: Claim, edit: Edit) -> int:
        """Return how many claims more hold when an edit is made in the text; 0 if not this one."""
        place = edit.span, edit.proposed
        if place not in self._made_in_text:
            self._made_in_text[place] = self._read_again(edit)
        after, key = self._made_in_text[place], (claim.run, claim.label, claim.target)
        before = {
            (one.run, one.label, one.target): holds for one, holds in self._outcome.holds.items()
        }
        if not after.get(key) or any(was and not after.get(one) for one, was in before.items()):
            return 0
        return sum(after.values()) - sum(before.values())

    def _read_again(self, edit: Edit) -> dict[Any, bool]:
        """Return which claims hold when an edit is made in the text; none if it is no code then."""
        text = self._listing.text
        changed = text[: edit.span[0]] + edit.proposed + text[edit.span[1] :]
        shift = len(changed) - len(text)
        pieces = tuple(
            (a + (shift if a > edit.span[0] else 0), b + (shift if b >= edit.span[1] else 0))
            for a, b in self._listing.pieces
        )
        listing = replace(self._listing, text=changed, pieces=pieces)
        try:
            body, _ = listing.read()
            size = 2 * len(self._trial.roles.names)
            return self._after(
                listing, run(body, listing.language, size, self._runs, self._found.laws)
            )
        except (FreebodyError, ZeroDivisionError):
            return {}

    def _after(self, listing: Listing, found: FollowedListing) -> dict[Any, bool]:
        trial = Trial(found, self._trial.quantities, self._trial.roles, listing)
        trial._points = self._trial._points
        trial._derived = self._trial._derived
        trial._circles = self._trial._circles
        claims = Claims(found, self._trial.roles, listing)
        out: dict[Any, bool] = {}
        for each in found.runs:
            if each.name not in self._runs:
                continue
            state = state_of(found, each, self._trial.roles, self._listing.front.state)
            held = claims.of(each, state)
            reading = replace(
                self._reading,
                state=state,
                roles={**trial.first(held, state).roles, **self._reading.roles},
            )
            outcome = trial.outcome(reading, held)
            out |= {(one.run, one.label, one.target): holds for one, holds in outcome.holds.items()}
            out |= dict(self._energies(trial, reading, held))
        return out

    def _energies(
        self, trial: Trial, reading: ListingReading, claims: Sequence[Claim]
    ) -> Iterator[tuple[Any, bool]]:
        """Iterate over energies, and whether they are as derived, their zeros too."""
        derived = trial.derived(reading, 0)
        worked = trial.worked(reading, derived.at)
        for one in claims:
            if one.target[0] == "energy":
                left = worked.value(one.cell) - derived.value(one.target, reading.frame)
                yield (one.run, one.label, one.target), not left

    # ------------------------------------------------------------------ edits

    @property
    def _graph(self) -> Any:
        return self._found.table.graph

    @cached_property
    def _parents(self) -> dict[int, Node]:
        """What each part of an expression is a part of."""
        kinds = (Binary, Unary, Call)
        return {
            id(part): node
            for node in walk(*self._body)
            if isinstance(node, kinds)
            for part in children(node)
        }

    @cached_property
    def _atoms(self) -> dict[str, tuple[Cell, ...]]:
        """What is written in names, with indices, and the scalars that it comes to."""
        out: dict[str, dict[Cell, None]] = {}
        for node in walk(*self._body):
            if node.span == NOT_WRITTEN:
                continue
            if is_atom(node) and (cells := self._found.worked.get(node.span)):
                text = self._text(node.span)
                if "\n" not in text:
                    out.setdefault(text, {}).update(dict.fromkeys(cells))
        return {text: tuple(cells) for text, cells in out.items()}

    def _atom(self, text: str, reached: set[int]) -> Cell:
        """Return what a name comes to in what a claim is made of, or beside it."""
        cells = self._atoms[text]
        near = [cell for cell in cells if cell.node in reached] or [
            cell for cell in cells if self._function_of(cell) in self._functions(reached)
        ]
        found = near or cells
        if len({cell.node for cell in found}) != 1:
            found = tuple(cell for cell in found if cell.node in self._used)
        if len({cell.node for cell in found}) != 1:
            raise NotFollowedError("it comes to several values")
        return found[0]

    @cached_property
    def _used(self) -> set[int]:
        """What is worked out of to give what functions give."""
        values = [one.value for each in self._found.runs for one in each.returned]
        cells = [
            cell
            for value in values
            for cell in (value.flat if isinstance(value, np.ndarray) else [value])
            if isinstance(cell, Cell)
        ]
        return set(self._graph.reached(cells))

    def _functions(self, reached: set[int]) -> set[str]:
        """Return the functions whose parameters are in what a claim is made of."""
        if self._near[0] is not reached:
            kinds = (self._graph.nodes[place] for place in reached)
            paths = (node[1] for node in kinds if node[0] == "leaf")
            self._near = reached, {path.partition(":")[0] for path in paths if ":" in path}
        return self._near[1]

    def _function_of(self, cell: Cell) -> str:
        leaf = self._found.table.leaf_of(cell)
        return leaf.path.partition(":")[0] if leaf and ":" in leaf.path else ""

    def _text(self, span: Span) -> str:
        return self._listing.text[slice(*span)]

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self._listing, self._parents, self._atoms)

    def _tries(self, reached: set[int]) -> Iterator[Change]:
        """Iterate over the edits of what a claim is made of."""
        for node in walk(*self._body):
            if node.span != NOT_WRITTEN and self._cell(node, reached) is not None:
                yield from self._changes.of(node)
