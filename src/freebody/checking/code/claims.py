"""What of code is judged: which of its values stand for which derived quantities."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from freebody.checking.code.claim import Claim, Claiming, bracketed
from freebody.checking.code.directions import head_comments
from freebody.checking.code.equilibria import equilibria
from freebody.checking.code.kinematic_names import (
    arrangements,
    component,
    judged_entries,
    kind_of,
    kind_of_value,
)
from freebody.checking.code.linear_models import is_matrix, layout_of
from freebody.checking.code.reference import Target
from freebody.checking.code.roles import Moving, Roles
from freebody.checking.code.states import State, filled
from freebody.checking.code.steps import Step, steps_of
from freebody.checking.code.tables import (
    ABBREVIATED,
    AFFIXES,
    ENERGIES,
    MATRICES,
    SHORT_ENERGIES,
    VECTORS,
    key,
)
from freebody.code.interpreter import FollowedListing
from freebody.code.listings import ONE_BASED, Listing
from freebody.code.values import Assigned, Leaf, made
from freebody.code.working import Run
from freebody.graph.cells import Cell

ENTRY_OF_M = re.compile(r"[MHDmd]_?([1-9])_?([1-9])")
"""What an entry of a mass matrix is called."""


STRONG, WEAK = ("m", "mass", "massmatrix", "mq", "mm"), ("d", "h", "b")
"""Names of mass matrices, and those that stand for something else beside them."""


class Claims(Claiming):
    """The claims of a listing.

    Parameters
    ----------
    found : FollowedListing
        What came of following it.
    roles : Roles
    listing : Listing
        What says in its front matter what functions and variables are, and in comments.
    """

    def __init__(self, found: FollowedListing, roles: Roles, listing: Listing) -> None:
        super().__init__(found)
        self._roles, self._listing = roles, listing
        self._results = listing.front.results
        self._origin = 1 if listing.language in ONE_BASED else 0
        self.n = len(roles.quantities.equations.speeds)
        self._size = self.n + len(roles.names)

    def of(self, run: Run, state: State) -> list[Claim]:
        """Return the claims of one function, once each."""
        claims: dict[tuple[str, Target], Claim] = {}
        self._run, self._state = run, state
        vectors = {
            path.rpartition(":")[2].partition("[")[0] for path in state.moving if "[" in path
        }
        self._steps = steps_of(
            self._found,
            run,
            lambda name, place: name in vectors if place is not None else self._is_state_name(name),
        )
        self._kind = kind_of(self._called, head_comments(self._listing, run))
        for one in run.assigned:
            for claim in self._assigned(one):
                claims[claim.label, claim.target] = claim
        for one in run.returned:
            for claim in self._returned(one):
                claims[claim.label, claim.target] = claim
        judged = {claim.cell for claim in claims.values() if claim.target[0] == "seen"}
        for claim in (*self._components(), *self._linear(), *self._stepped()):
            if claim.cell not in judged:
                claims[claim.label, claim.target] = claim
        if any(_is_matrix_of(claim, STRONG) for claim in claims.values()):
            claims = {key: one for key, one in claims.items() if not _is_matrix_of(one, WEAK)}
        once = {(claim.cell, claim.target): claim for claim in reversed(claims.values())}
        return [one for one in claims.values() if once[one.cell, one.target] is one]

    # ------------------------------------------------------------------ kinds of values

    def _assigned(self, one: Assigned) -> Iterator[Claim]:
        declared = self._results.get(f"{self._run.name}.{one.name}") or self._results.get(one.name)
        if declared and one.name:
            yield from self._declared(one.name, one, declared)
            return
        if not one.name:
            return
        value = self._plain_value(one.value)
        if isinstance(value, Cell):
            yield from self._scalar(one, value)
        elif value is not None:
            yield from self._named_array(one.name, one, value, is_final=False)

    def _returned(self, one: Assigned) -> Iterator[Claim]:
        run = self._run
        name = one.name or run.name.rsplit(".", 1)[-1]
        declared = self._results.get(run.name) or self._results.get(run.name.rsplit(".", 1)[-1])
        if declared:
            yield from self._declared(name, one, declared)
            return
        values = self._parts(one)
        if values is None:
            value = self._plain_value(one.value)
            if isinstance(value, Cell):
                called = run.name.rsplit(".", 1)[-1]
                for each in dict.fromkeys((name, called)):
                    yield from self._scalar(Assigned(each, value, one.node), value, is_final=True)
            elif value is not None:
                yield from self._whole(name, one, value)
            return
        for number, part in enumerate(values):
            inner = Assigned(f"{name}[{number + self._origin}]", part, one.node)
            yield from self._whole(inner.name, inner, part)

    def _parts(self, one: Assigned) -> list[Any] | None:
        """Return the values of a tuple, where it is one of arrays."""
        if not isinstance(one.value, list):
            return None
        values = [self._plain_value(part) for part in one.value]
        has_arrays = any(isinstance(part, np.ndarray) and part.size > 1 for part in values)
        return values if has_arrays and len(values) > 1 and not self._is_block(values) else None

    def _is_block(self, values: Sequence[Any]) -> bool:
        return len({np.shape(one) for one in values if one is not None}) == 1

    def _whole(self, name: str, one: Assigned, value: Any) -> Iterator[Claim]:
        if not isinstance(value, np.ndarray):
            return
        function, flat = self._called, value.reshape(-1)
        if value.shape in ((self.n, self.n), (self.n**2,)) and function in MATRICES:
            yield from self._entries(
                name, one, value.reshape(self.n, self.n), MATRICES[function], is_final=True
            )
            return
        if flat.size == self.n and function in VECTORS:
            yield from self._entries(name, one, flat, VECTORS[function], is_final=True)
            return
        rates = list(self._rates(name, one, flat))
        if rates:
            yield from rates
            return
        known = list(self._named_array(name.split("[")[0], one, value, is_final=True))
        yield from known or self._seen(name, one, value, self._kind, is_final=True)

    @property
    def _called(self) -> str:
        """What the function is called, in small letters alone."""
        return AFFIXES.sub("", key(self._run.name.rsplit(".", 1)[-1]))

    def _scalar(self, one: Assigned, value: Cell, *, is_final: bool = False) -> Iterator[Claim]:
        if (
            self._found.table.leaf_of(value) is not None
            or self._found.table.graph.fraction(value) is not None
        ):
            return
        called = AFFIXES.sub("", key(one.name))
        energy = ENERGIES.get(called)
        short = SHORT_ENERGIES.get(one.name.lower())
        if energy is None and short and self._is_energetic(SHORT_ENERGIES):
            energy = short
        if energy and called in ABBREVIATED and not self._is_energetic(ENERGIES):
            return
        if energy is not None:
            yield self._claim(one.name, one, value, ("energy", energy), "energy", is_final=is_final)
            return
        entry = ENTRY_OF_M.fullmatch(one.name)
        if entry and self.n > 1 and max(map(int, entry.groups())) <= self.n:
            target = ("M", *(int(number) - 1 for number in entry.groups()))
            yield self._claim(one.name, one, value, target, "M", is_final=False)
            return
        moving = self._roles.moving(_without_new(one.name))
        if moving is not None and moving.order < 2:
            yield from self._step(one, value, moving)
        elif moving is not None and moving.order == 2:
            yield self._claim(one.name, one, value, ("acc", moving.place), "acc", is_final=True)
        elif is_final and self.n == 1 and VECTORS.get(called) in ("acc", "tau"):
            yield self._claim(one.name, one, value, (VECTORS[called], 0), "acc", is_final=True)
        elif is_final and self.n == 1 and called in MATRICES and len(called) > 2:
            yield self._claim(one.name, one, value, (MATRICES[called], 0, 0), "M", is_final=True)

    def _step(self, one: Assigned, value: Cell, moving: Moving) -> Iterator[Claim]:
        """Judge what a step of time makes of a coordinate or a speed by how fast it changes.

        That is its derivative by the step where the step is zero, whichever the method.
        """
        step = next((each for each in self._steps if each.one is one), None)
        old = self._old(value, moving)
        if step is not None and old is not None:
            yield from self._begun(step, old, (moving.order, moving.place), one.name)

    def _is_state_name(self, name: str) -> bool:
        moving = self._roles.moving(_without_new(name))
        return moving is not None and moving.order < 2

    def _begun(self, step: Step, old: Cell, kind: tuple[int, int], label: str) -> Iterator[Claim]:
        first = self._found.table.leaf_of(step.begun)
        if first is not None and first.path in self._state.moving:
            target = ("acc" if kind[0] else "rate", kind[1])
            # a step that begins at another entry of the state is wrong by how far these are apart
            cell = step.slope + (step.begun - old)
            yield self._claim(label, step.one, cell, target, "acc", is_final=True)

    def _stepped(self) -> Iterator[Claim]:
        """Judge what a step of time makes of the entries of the state."""
        table = self._found.table
        for step in self._steps:
            if step.place is None or not self._is_here(step.value):
                continue
            path = re.compile(rf"(?:.*[:.])?{re.escape(step.name)}\[{step.place}(?:,0)?\]")
            for leaf, kind in self._state.moving.items():
                if path.fullmatch(leaf):
                    label = f"{step.name}[{step.place + self._origin}]"
                    yield from self._begun(step, table.cell(table.leaves[leaf]), kind, label)

    def _is_here(self, cell: Cell) -> bool:
        """Return whether a value is worked out in the function itself, not in one that it calls."""
        origins, (first, last) = self._found.origins, self._run.span
        others = [one.span for one in self._found.runs if one.name and one is not self._run]
        apart = [span for span in others if not span[0] <= first <= last <= span[1]]
        reached = self._found.table.graph.reached([cell])
        places = [origins[place][0] for place in reached if place in origins]
        return not any(start <= one < stop for start, stop in apart for one in places)

    def _old(self, value: Cell, moving: Moving) -> Cell | None:
        """Return the entry of the state that a step begins at, where there is one of its kind."""
        kind = moving.order, moving.place
        table = self._found.table
        known = [table.leaves[path] for path, one in self._state.moving.items() if one == kind]
        used = [leaf for leaf in self._leaves([value]) if leaf in known] or known
        return table.cell(used[0]) if len(used) == 1 else None

    def _is_energetic(self, table: Mapping[str, str]) -> bool:
        """Return whether both energies have names here, which tells what letters are."""
        given = [*self._run.assigned, *self._run.returned]
        names = {one.name.lower() for one in given if isinstance(one.value, Cell)}
        kinds = {table[one] for one in names if one in table}
        return {"energy.kinetic", "energy.potential"} <= kinds

    def _named_array(
        self, name: str, one: Assigned, value: Any, *, is_final: bool
    ) -> Iterator[Claim]:
        called = AFFIXES.sub("", key(name))
        flat = value.reshape(-1)
        if called in MATRICES and value.shape == (self.n, self.n) and self.n > 1:
            yield from self._entries(name, one, value, MATRICES[called], is_final=is_final)
        elif called in VECTORS and flat.size == self.n and (self.n > 1 or len(called) > 2):
            final = is_final or VECTORS[called] == "acc"
            yield from self._entries(name, one, flat, VECTORS[called], is_final=final)
        else:
            rates = list(self._rates(name, one, flat))
            kind = kind_of_value(name, called)
            said = is_final and kind in (self._kind, kind_of(called, ""))
            yield from rates or self._seen(name, one, value, kind, is_final=said)

    def _rates(self, name: str, one: Assigned, flat: Any) -> Iterator[Claim]:
        """Iterate over the rates of a state, which is known by those that are speeds.

        Numbers alone are what it begins with.
        """
        if flat.size > self._size and all(
            one == self._found.table.graph.zero for one in flat[self._size :]
        ):
            flat = flat[: self._size]
        if flat.size != self._size or not self._leaves(flat):
            return
        layout = self._layout(flat)
        if layout is None:
            return
        for place, (order, coordinate) in enumerate(layout):
            target = ("rate" if order == 0 else "acc", coordinate)
            label = f"{name}[{place + self._origin}]"
            yield self._claim(label, one, flat[place], target, "rates", is_final=True)

    def _layout(self, flat: Any) -> list[tuple[int, int]] | None:
        """Return which rate each entry is: its order less one, and of which coordinate."""
        if not all(isinstance(one, Cell) for one in flat):
            return None
        if self._roles.quantities.mechanism.model.speeds:
            counts = enumerate((len(self._roles.names), self.n))
            return [(order, place) for order, count in counts for place in range(count)]
        known: list[tuple[int, int] | None] = []
        for one in flat:
            leaf = self._found.table.leaf_of(one)
            there = self._state.moving.get(leaf.path) if leaf else None
            known.append((0, there[1]) if there and there[0] == 1 else None)
        places = [one[1] for one in known if one]
        if not places or (len(places) < self.n and len(places) * 2 < self.n):
            return None
        layout = filled(known, self.n)
        return None if layout and self._is_state(flat, layout) else layout

    def _is_state(self, flat: Any, layout: Sequence[tuple[int, int]]) -> bool:
        """Return whether what would be accelerations are coordinates: it is the state itself."""
        leaves = (
            self._found.table.leaf_of(one)
            for one, (order, _) in zip(flat, layout, strict=True)
            if order
        )
        moving = (self._state.moving.get(leaf.path) for leaf in leaves if leaf)
        return any(one is not None and one[0] == 0 for one in moving)

    # ------------------------------------------------------------------ where things are

    def _seen(
        self, name: str, one: Assigned, value: Any, kind: str, *, is_final: bool
    ) -> Iterator[Claim]:
        """Judge an array of positions or velocities, or a Jacobian."""
        if not kind or not all(isinstance(cell, Cell) for cell in value.flat):
            return
        graph = self._found.table.graph
        value, places = judged_entries(value, kind, graph.zero, graph.one)
        ways = arrangements(kind, value.shape, self.n)
        if not ways or not self._has_work(value.flat):
            return
        for place in np.ndindex(*value.shape):
            row, column = place if len(place) == 2 else (0, *place)
            label = name + bracketed(places[place], self._origin)
            target: Target = ("seen", kind, name, ways, row, column)
            group = f"{kind} {name}"
            yield self._claim(label, one, value[place], target, group, is_final=is_final)

    def _has_work(self, cells: Iterable[Cell]) -> bool:
        """Return whether anything is worked out in some cells, of what moves."""
        cells = [one for one in cells if self._is_own(one)]
        return any(leaf.path in self._state.moving for leaf in self._leaves(cells))

    def _components(self) -> Iterator[Claim]:
        """Judge scalars that are named for the components of where points are."""
        found: dict[tuple[str, str], dict[int, tuple[Assigned, Cell]]] = {}
        for one in (*self._run.assigned, *self._run.returned):
            value = self._plain_value(one.value)
            value = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
            part = component(one.name) if isinstance(value, Cell) else None
            if part is None or self._results.get(one.name):
                continue
            kind, rest, axis = part
            is_bare = not rest and self._kind != kind
            if not is_bare and self._roles.moving(one.name) is None:
                found.setdefault((kind, rest), {})[axis] = (one, value)
        for (kind, rest), parts in found.items():
            axes = sorted(parts)
            if len(axes) < 2 or not self._has_work(cell for _, cell in parts.values()):
                continue
            for place, axis in enumerate(axes):
                one, cell = parts[axis]
                target = ("seen", kind, f"{kind} {rest}", ("rows",), 0, place)
                yield self._claim(one.name, one, cell, target, f"{kind} {rest}", is_final=False)

    # ------------------------------------------------------------------ linear models

    def _linear(self) -> Iterator[Claim]:
        """Judge the matrices A and B of a linear model."""
        given: dict[str, tuple[Assigned, Any]] = {}
        size, graph = 2 * self.n, self._found.table.graph
        for one in (*self._run.assigned, *self._run.returned):
            values = one.value if isinstance(one.value, list) and not one.name else [one.value]
            for number, each in enumerate(values):
                value = self._plain_value(each)
                name = one.name or "AB"[number : number + 1]
                if isinstance(value, np.ndarray) and len(value) == size and value.ndim <= 2:
                    given.setdefault(name, (one, value.reshape(size, -1)))
        A = next((given[name] for name in given if is_matrix(name, "A")), None)
        if A is None or A[1].shape != (size, size) or not equilibria(self._roles.quantities):
            return
        layout = layout_of(A[1].tolist(), self.n, graph.zero, graph.one)
        B = next((given[name] for name in given if is_matrix(name, "B")), None)
        if layout is None or any(
            leaf.path in self._state.moving for leaf in self._leaves(A[1].flat)
        ):
            return
        for name, (one, value) in (("A", A), *((("B", B),) if self._fits(B) else ())):
            for row, column in np.ndindex(*value.shape):
                place = layout[column] if name == "A" else column
                target = ("linear", name, layout[row], place)
                label = (one.name or name) + bracketed((row, column), self._origin)
                yield self._claim(label, one, value[row, column], target, "linear", is_final=True)

    def _fits(self, B: tuple[Assigned, Any] | None) -> bool:
        """Return whether a matrix has no more columns than the model has inputs."""
        count = len(self._roles.quantities.equations.inputs)
        return B is not None and B[1].shape[1] <= count

    def _declared(self, name: str, one: Assigned, text: str) -> Iterator[Claim]:
        value = self._plain_value(one.value)
        if value is None:
            return
        flat = value if isinstance(value, np.ndarray) else made([value]).reshape(())
        family = text.strip().lstrip("-")
        group = {"accelerations": "acc", "rates": "rates"}.get(family, family)
        if group == "rates":
            yield from self._rates(name, one, flat.reshape(-1))
        elif group in (*VECTORS.values(), *MATRICES.values()):
            shaped = (
                flat.reshape(self.n, self.n)
                if group in MATRICES.values() and flat.size == self.n**2
                else flat.reshape(-1)
            )
            yield from self._entries(
                name, one, shaped, group, is_final=True, sign=text.strip().startswith("-")
            )
        else:
            for place in np.ndindex(*flat.shape):
                label = name + bracketed(place, self._origin)
                yield self._claim(
                    label,
                    one,
                    flat.item(place),
                    ("text", text, *place),
                    text,
                    is_final=True,
                    is_declared=True,
                )

    # ------------------------------------------------------------------ claims

    def _entries(
        self,
        name: str,
        one: Assigned,
        value: Any,
        family: str,
        *,
        is_final: bool,
        sign: bool = False,
    ) -> Iterator[Claim]:
        if family == "Cu" and value.ndim == 2:
            yield from self._times_speeds(name, one, value, is_final=is_final)
            return
        leaves = self._leaves(value.flat)
        zero = self._found.table.graph.zero
        if not leaves and (not is_final or any(one != zero for one in value.flat)):
            return
        family = self._whole_of(family, leaves)
        for place in np.ndindex(*value.shape):
            label = name + bracketed(place, self._origin)
            target: Target = ("minus", family, *place) if sign else (family, *place)
            yield self._claim(label, one, value[place], target, family, is_final=is_final)

    def _whole_of(self, family: str, leaves: Sequence[Leaf]) -> str:
        """Return that a vector is all forces, where it has the speeds and the weight in it."""
        moving = (self._state.moving.get(leaf.path) for leaf in leaves)
        has_speeds = any(one is not None and one[0] == 1 for one in moving)
        has_weight = any(
            role.text in self._weights
            for leaf in leaves
            for role in self._roles.constant(leaf, "")[:1]
        )
        is_all = (family in ("G", "gravity") and has_speeds) or (family == "C" and has_weight)
        return "bias" if is_all else family

    @cached_property
    def _weights(self) -> frozenset[str]:
        """What the acceleration of gravity is called."""
        model = self._roles.quantities.mechanism.model
        text = " ".join(map(str, model.gravity or ()))
        return frozenset(name for name in model.constants if re.search(rf"\b{name}\b", text))

    def _times_speeds(
        self, name: str, one: Assigned, value: Any, *, is_final: bool
    ) -> Iterator[Claim]:
        """Judge a matrix by what it gives times the speeds, which is C."""
        table = self._found.table
        speeds = {place: path for path, (order, place) in self._state.moving.items() if order == 1}
        if set(speeds) != set(range(self.n)):
            return
        for row in range(self.n):
            total = table.graph.zero
            for column in range(self.n):
                total = total + value[row, column] * table.graph.leaf(speeds[column])
            label = f"{name}, row {row + self._origin}, times the speeds"
            yield self._claim(label, one, total, ("C", row), "Cu", is_final=is_final)


def _is_matrix_of(claim: Claim, names: Collection[str]) -> bool:
    """Return whether a claim is an entry of a mass matrix that has one of some names."""
    called = AFFIXES.sub("", key(re.split(r"[\[,]", claim.label)[0]))
    return claim.group == "M" and called in names


def _without_new(name: str) -> str:
    return re.sub(r"^(?:new|next)_?|_?(?:new|next)$", "", name)
