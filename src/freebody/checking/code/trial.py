"""What the names of a listing stand for, by trial where it is open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

import sympy

from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.expressions import read
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.units import dimension
from freebody.checking.code.claim import Claim
from freebody.checking.code.directions import head_comments
from freebody.checking.code.expectations import dead_of, expected, rows_of, signs_of
from freebody.checking.code.linear_models import LinearFit
from freebody.checking.code.placing import PlacingFit
from freebody.checking.code.points import PointValues
from freebody.checking.code.readings import ListingReading, Outcome
from freebody.checking.code.reference import DerivedAtPoint, Frame, frames
from freebody.checking.code.roles import NAMED, Role, Roles
from freebody.checking.code.states import ENTRY, State
from freebody.checking.code.tables import INPUTS, TIME, is_step
from freebody.checking.quantities.derived import Quantities
from freebody.code.interpreter import FollowedListing
from freebody.code.listings import Listing
from freebody.code.values import Leaf
from freebody.code.working import Run
from freebody.errors import FreebodyError
from freebody.graph.cells import Cell
from freebody.model import Model

TRIALS, FEW_TRIALS = 500, 120
"""How many readings are tried, and how many where most claims hold under the likeliest."""
WORK, BASE = 150_000, 100
"""How many operations are worked out to try readings of a file, and what a reading takes more."""
FEW_SIGNS = 30
"""How many are tried where all holds, but for which side it stands on."""
LARGE = 4000
"""How many readings are tried times the cube of how many speeds there are, at the most."""
DRAWS = 12
"""How many points are drawn to find one where all is defined."""
LOADS = ("springs", "dampers", "forces", "torques")


class Trial:
    """Tries readings of claims at a random point.

    Parameters
    ----------
    found : FollowedListing
    quantities : Quantities
    roles : Roles
    listing : Listing
        What says in its front matter and comments what names stand for.
    """

    def __init__(
        self, found: FollowedListing, quantities: Quantities, roles: Roles, listing: Listing
    ) -> None:
        self.found, self.quantities, self.roles = found, quantities, roles
        self._declared, self._comments = listing.front.symbols, listing.comment
        self.listing = listing
        self._derived: dict[Any, DerivedAtPoint] = {}
        self._points: dict[int, FieldPoint] = {}
        self._circles: dict[Domain[Any], dict[Any, tuple[Any, Any]]] = {}
        self._options: dict[str, list[Role]] = {}
        self._work = WORK

    # ------------------------------------------------------------------ what is open

    @cached_property
    def frames(self) -> list[Frame]:
        """The ways to count coordinates."""
        return frames(self.quantities)

    def options(self, leaf: Leaf) -> list[Role]:
        """Return what a leaf may stand for, the likeliest first."""
        if leaf.path not in self._options:
            self._options[leaf.path] = self._options_of(leaf)
        return self._options[leaf.path]

    def _options_of(self, leaf: Leaf) -> list[Role]:
        plain = leaf.path.rsplit(":", 1)[-1]
        for name in (plain, *leaf.names):
            if name in self._declared:
                text = self._declared[name]
                return [Role(sympy.sympify(read(text, self.quantities.resolve)), text, 0.0)]
        if entry := self._input_of(leaf):
            return [entry]
        found = self.roles.constant(leaf, self._comments(leaf.span[0]) if leaf.span[1] else "")
        if leaf.path in self._turning:
            found = [role for role in found if self._is_angle(role)]
        if leaf.reason:
            found = [role for role in found if leaf.names and role.text in self.roles.inputs]
        if is_step(leaf) and (leaf.number is not None or not found):
            found = [Role(sympy.Symbol("step", real=True), "the step of time", 0.0)]
        elif leaf.number is not None:
            number = _number(self.found, leaf.number)
            found = [role for role in found if not role.text.startswith("-") or _is_below(number)]
            if not found or found[0].cost > NAMED:
                is_without = not number
                cost = 0.0 if is_without or not found else 0.9
                found.insert(0 if is_without else len(found), Role(number, str(number), cost))
        elif not found and (plain in TIME or TIME & set(leaf.names)):
            found = [Role(sympy.Symbol("t"), "t", 0.0)]
        return found

    @cached_property
    def _turning(self) -> set[str]:
        """The leaves that are angles: what cosines and sines are of, or a part of a sum there."""
        graph, found = self.found.table.graph, set[str]()
        waiting = [node[1] for node in graph.nodes if node[0] in ("cos", "sin")]
        seen = set[int]()
        while waiting:
            place = waiting.pop()
            kind, *rest = graph.nodes[place]
            if kind == "leaf":
                found.add(rest[0])
            elif kind in ("add", "sub", "neg") and place not in seen:
                waiting += rest
            seen.add(place)
        return found

    def _is_angle(self, role: Role) -> bool:
        """Return whether what a leaf may stand for is in no unit but that of an angle."""
        constants = self.quantities.mechanism.model.constants
        units = (
            constants[name].unit for name in map(str, role.expr.free_symbols) if name in constants
        )
        return all(dimension(unit) == dimension("rad") for unit in units)

    def _input_of(self, leaf: Leaf) -> Role | None:
        """Return the input that an entry of a vector of inputs is."""
        match = ENTRY.fullmatch(leaf.path)
        if not match or match[1].rsplit(":", 1)[-1].lower() not in INPUTS:
            return None
        place, names = int(match[2]), self.roles.inputs
        others = (ENTRY.fullmatch(path) for path in self.found.table.leaves)
        last = max(int(one[2]) for one in others if one and one[1] == match[1])
        if last >= len(names) or any(one.isidentifier() for one in leaf.names):
            return None
        return Role(self.quantities.equations.inputs[place], names[place], 0.5)

    def leaves(self, claims: Sequence[Claim]) -> list[Leaf]:
        """Return the leaves that claims are made of."""
        graph, table = self.found.table.graph, self.found.table
        reached = graph.reached(claim.cell for claim in claims)
        paths = [
            graph.nodes[place][1] for place in sorted(reached) if graph.nodes[place][0] == "leaf"
        ]
        return [table.leaves[path] for path in paths]

    def first(
        self,
        claims: Sequence[Claim],
        state: State,
        frame: Frame | None = None,
        run: Run | None = None,
    ) -> ListingReading:
        """Return the likeliest reading."""
        roles = {}
        for leaf in self.leaves(claims):
            if leaf.path not in state.moving and (options := self.options(leaf)):
                roles[leaf.path] = options[0]
        lacking = self._lacking(roles, run) if run else frozenset[sympy.Expr]()
        frame = frame or self.frames[0]
        return self.settled(ListingReading(frame, state, self._distinct(roles), {}, 0.0, lacking))

    def _lacking(self, roles: Mapping[str, Role], run: Run) -> frozenset[sympy.Expr]:
        """Return the inputs, and the constants of loads alone, that the code does not have."""
        own = {f"{run.name}:{name}" for name in run.parameters}
        vectors = {path.rsplit("[", 1)[0] for path in self.found.table.leaves if "[" in path}
        near = [
            self.options(leaf)[0].expr
            for path, leaf in self.found.table.leaves.items()
            if (":" not in path or path in own)
            and path not in vectors
            and self.options(leaf)
            and self.options(leaf)[0].cost <= NAMED
        ]
        used = {
            atom
            for expr in (*near, *(role.expr for role in roles.values()))
            for atom in _atoms(expr)
        }
        mechanism = self.quantities.mechanism
        loads = [mechanism.names.constants[name] for name in loads_alone(mechanism.model)]
        return frozenset({*self.quantities.equations.inputs, *loads} - used)

    def _distinct(self, roles: dict[str, Role]) -> dict[str, Role]:
        """Give quantities of the same model name to one name only, where there is a choice."""
        taken = {role.text: path for path, role in roles.items() if role.cost <= 0.0}
        for path, role in sorted(roles.items(), key=lambda pair: pair[1].cost):
            holder = taken.setdefault(role.text, path)
            if holder != path and not self._is_alike(holder, path):
                leaf = self.found.table.leaves[path]
                other = next((one for one in self.options(leaf) if one.text not in taken), None)
                if other is not None and other.cost <= role.cost + 1.0:
                    roles[path] = other
                    taken[other.text] = path
        return roles

    def _is_alike(self, one: str, other: str) -> bool:
        leaves = self.found.table.leaves
        return bool(set(leaves[one].names) & set(leaves[other].names))

    def settled(self, reading: ListingReading) -> ListingReading:
        """Return a reading in which the inputs that nothing stands for are zero."""
        used, shared = set[sympy.Expr](), self._shared(reading)
        for role in reading.roles.values():
            used |= _atoms(role.expr)
        lacking = reading.lacking
        given = {one: value for one, value in reading.given.items() if one not in lacking}
        given |= dict.fromkeys(sorted(lacking - used, key=str), sympy.S.Zero)
        given |= {one: role for one, role in shared.items() if one not in used}
        return replace(reading, given=given)

    def _shared(self, reading: ListingReading) -> dict[sympy.Expr, sympy.Expr]:
        """Return the constants of which the code has one for several, by what stands for them."""
        constants = self.quantities.mechanism.names.constants
        return {
            constants[name]: role.expr
            for path, role in reading.roles.items()
            for name in self.found.table.leaves[path].names
            if name in constants and role.text in constants and name != role.text
        }

    # ------------------------------------------------------------------ trial

    def best(
        self, claims: Sequence[Claim], state: State, run: Run, frame: Frame
    ) -> tuple[ListingReading, Outcome, ListingReading]:
        """Return the reading under which most claims hold, how, and the likeliest reading.

        Parameters
        ----------
        claims : sequence of Claim
        state : State
        run : Run
            The function that they are of.
        frame : Frame
            The likeliest way to count coordinates.
        """
        first = self.first(claims, state, frame, run)
        best, outcome = first, self.outcome(first, claims)
        few = FEW_TRIALS if 2 * outcome.count > len(claims) else TRIALS
        operations = len(self.found.table.graph.reached(claim.cell for claim in claims))
        large = len(self.quantities.equations.speeds) ** 3
        self._each = operations + BASE
        self._left = min(few, self._work // self._each, LARGE // max(large, 1))
        others = self._others(first, claims)
        if outcome.count == len(claims):
            self._left = min(self._left, FEW_SIGNS)
        best, outcome = self._better(best, outcome, others, claims)
        if outcome.count < len(claims) and best is not first:
            others = self._others(best, claims, frames_too=False)
            best, outcome = self._better(best, outcome, others, claims)
        if best is not first and not _is_explained(outcome):
            return first, self.outcome(first, claims), first
        return best, outcome, first

    def _better(
        self,
        best: ListingReading,
        outcome: Outcome,
        others: Iterable[ListingReading],
        claims: Sequence[Claim],
    ) -> tuple[ListingReading, Outcome]:
        """Return the best of a reading and others, until all holds or enough are tried."""
        for reading in others:
            if (outcome.count == len(claims) and not outcome.turned) or not self._left:
                break
            self._left -= 1
            self._work -= self._each
            there = self.outcome(reading, claims, least=sum(outcome.holds.values()))
            if there.rank > outcome.rank:
                best, outcome = reading, there
        return best, outcome

    def _others(
        self, first: ListingReading, claims: Sequence[Claim], *, frames_too: bool = True
    ) -> Iterator[ListingReading]:
        """Iterate over other readings, the nearest first."""
        changes = self._changes(first, claims)
        others = [first.frame]
        if frames_too:
            others += [one for one in self.frames if one is not first.frame]
        bare = [[change] for change in changes]
        pairs = [list(pair) for pair in combinations(changes, 2)]
        pairs = [pair for pair in pairs if len({path for path, _ in pair}) == 2]
        pairs.sort(key=lambda pair: sum(role.cost for _, role in pair))
        for frame in others[1:]:
            yield replace(first, frame=frame, cost=frame.cost)
        yield from (self._changed(first, first.frame, change) for change in bare)
        for frame in others[1:12]:
            for change in bare[:14]:
                yield self._changed(first, frame, change)
        yield from (self._changed(first, first.frame, pair) for pair in pairs[:150])
        for frame in others[1:6]:
            yield from (self._changed(first, frame, pair) for pair in pairs[:30])
        for triple in combinations(changes[:10], 3):
            if len({path for path, _ in triple}) == 3:
                yield self._changed(first, first.frame, list(triple))

    def _changes(self, first: ListingReading, claims: Sequence[Claim]) -> list[tuple[str, Role]]:
        out = []
        for leaf in self.leaves(claims):
            if leaf.path in first.roles:
                own = first.roles[leaf.path].text
                out += [(leaf.path, role) for role in self.options(leaf) if role.text != own]
        out += [("units", Role(sympy.S.One, "1", 1.5))] if self.absent(first) else []
        return sorted(out, key=lambda pair: pair[1].cost)

    def absent(self, reading: ListingReading) -> list[sympy.Expr]:
        """Return the constants that nothing stands for."""
        used = set[sympy.Expr]().union(*(role.expr.free_symbols for role in reading.roles.values()))
        return [one for one in self.quantities.equations.constants if one not in used]

    def _changed(
        self, first: ListingReading, frame: Frame, changes: Sequence[tuple[str, Role]]
    ) -> ListingReading:
        roles = dict(first.roles)
        given = dict(first.given)
        for path, role in changes:
            if path == "units":
                given |= dict.fromkeys(self.absent(first), sympy.S.One)
            else:
                roles[path] = role
        cost = frame.cost + sum(role.cost for _, role in changes)
        return self.settled(ListingReading(frame, first.state, roles, given, cost, first.lacking))

    # ------------------------------------------------------------------ at a point

    def outcome(self, reading: ListingReading, claims: Sequence[Claim], least: int = 0) -> Outcome:
        """Return how claims come out under a reading at a random point.

        What is carried on is looked for where at least so many hold as they are written.
        """
        for seed in range(DRAWS):
            try:
                return self._outcome(reading, claims, seed, least)
            except (NoRootError, ZeroDivisionError):
                continue
            except UndecidedError:
                break
        return Outcome(dict.fromkeys(claims, False))

    def worked(
        self, reading: ListingReading, at: Domain[Any], given: Mapping[int, Any] | None = None
    ) -> PointValues:
        """Return the operations of the listing at a point."""
        circles = self._circles.setdefault(at, {})
        return PointValues(self.found.table.graph, reading.meaning, at, given, circles)

    def derived(self, reading: ListingReading, seed: int) -> DerivedAtPoint:
        """Return what is derived, at a point."""
        key = seed, tuple(sorted(reading.given.items(), key=str))
        if key not in self._derived:
            point = self._points.setdefault(seed, FieldPoint(seed))
            self._derived[key] = DerivedAtPoint(self.quantities, point, reading.given)
        return self._derived[key]

    def _outcome(
        self, reading: ListingReading, claims: Sequence[Claim], seed: int, least: int
    ) -> Outcome:
        derived = self.derived(reading, seed)
        judged = [one for one in claims if one.target[0] != "energy"]
        worked = self.worked(reading, derived.at)
        values = {one: worked.value(one.cell) for one in judged}
        rows = rows_of(judged, values, derived, reading.frame)
        out = Outcome(rows=rows, runs=frozenset(one.run for one in claims))
        self._place(reading, derived, values, out)
        wanted = {one: expected(one, derived, reading.frame, out) for one in judged}
        out.signs = signs_of(judged, values, wanted)
        for one in judged:
            sign = out.signs[one.run, one.group]
            out.holds[one] = not (
                values[one] - wanted[one] if sign > 0 else values[one] + wanted[one]
            )
        out.dead = dead_of(judged, out)
        if sum(out.holds.values()) >= least:
            self._carry(reading, derived, judged, wanted, out)
        return out

    def _place(
        self,
        reading: ListingReading,
        derived: DerivedAtPoint,
        values: Mapping[Claim, Any],
        out: Outcome,
    ) -> None:
        """Find what positions, Jacobians and linear models are of."""
        seen = {one: value for one, value in values.items() if one.target[0] == "seen"}
        if seen:
            placing = PlacingFit(derived, reading.frame).placed(seen)
            out.meant, out.unknown = placing.meant, placing.unknown
            out.open, out.notes = placing.turned, placing.notes
        runs: dict[str, dict[Claim, Any]] = {}
        for one, value in values.items():
            if one.target[0] == "linear":
                runs.setdefault(one.run, {})[one] = value
        for run, claims in runs.items():
            meant, free, notes = LinearFit(derived, reading.frame).expected(
                claims, self._words(run)
            )
            out.meant |= meant
            out.open |= free
            out.notes += notes

    def _words(self, name: str) -> str:
        run = next(one for one in self.found.runs if one.name == name)
        return f"{name} {head_comments(self.listing, run)}".replace("_", " ")

    def _carry(
        self,
        reading: ListingReading,
        derived: DerivedAtPoint,
        claims: Sequence[Claim],
        wanted: Mapping[Claim, Any],
        out: Outcome,
    ) -> None:
        """Find the claims that hold when earlier ones are mended."""
        graph = self.found.table.graph
        mended: dict[int, tuple[Claim, Any]] = {}
        for one in sorted(claims, key=lambda claim: claim.cell.node):
            if out.holds[one] or (one.run, one.group) in out.dead:
                continue
            sign = out.signs[one.run, one.group]
            reached = graph.reached([one.cell]) if mended else ()
            before = [place for place in mended if place in reached and place != one.cell.node]
            if before:
                given = {place: mended[place][1] for place in before}
                value = self.worked(reading, derived.at, given).value(one.cell)
                if not (value - wanted[one] if sign > 0 else value + wanted[one]):
                    out.carried[one] = mended[before[-1]][0]
            if graph.operands(one.cell.node) and one.cell.node not in mended:
                mended[one.cell.node] = (
                    one,
                    wanted[one] if sign * one.cell.sign > 0 else -wanted[one],
                )


def _atoms(expr: sympy.Expr) -> set[sympy.Expr]:
    return {*expr.free_symbols, *expr.atoms(sympy.core.function.AppliedUndef)}


def loads_alone(model: Model) -> Iterator[str]:
    """Iterate over the constants that only loads have: dampings, stiffnesses.

    Examples
    --------
    >>> import freebody
    >>> list(loads_alone(freebody.load("furuta_pendulum")))
    ['b1', 'b2']
    """
    data = model.model_dump(mode="json")
    loads = [data.get(key) for key in LOADS]
    for one in data.get("coordinates", {}).values():
        one.pop("initial", None)
    rest = [value for key, value in data.items() if key not in (*LOADS, "constants")]
    for name in model.constants:
        pattern = re.compile(rf"\b{re.escape(name)}\b")
        if pattern.search(str(loads)) and not pattern.search(str(rest)):
            yield name


def _is_explained(outcome: Outcome) -> bool:
    """Return whether half of what is no rate of a coordinate holds."""
    judged = [one for one in outcome.holds if one.target[0] != "rate"]
    held = sum(outcome.holds[one] or one in outcome.carried for one in judged)
    return 2 * held >= len(judged)


def _is_below(number: sympy.Expr) -> bool:
    return bool(number.is_negative)


def _number(found: FollowedListing, cell: Cell) -> sympy.Expr:
    try:
        return sympy.sympify(found.table.graph.meaning(cell.node) * cell.sign)
    except FreebodyError:
        return sympy.S.Zero
