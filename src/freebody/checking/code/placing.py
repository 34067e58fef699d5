"""Of which place named positions and Jacobians are, and along which axes: what fits most of them.

Axes that code counts in another way are taken where another entry shows it: a sign that is free
does not absorb one that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations, product
from typing import Any

from freebody.checking.code.claim import Claim
from freebody.checking.code.places import Place, places, plane_of, turns, upright
from freebody.checking.code.reference import DerivedAtPoint, Frame, Target
from freebody.checking.quantities.derived import Quantities

Axes = tuple[tuple[int, int], ...]
"""Which axis of the model, and with which sign, each axis of code is."""
ANGULAR = 3
"""Rows from here on are of the angular velocity."""
QUARTERS = (0, 1, -1, 2)
"""By how many right angles an orientation is counted from elsewhere."""


@dataclass
class Placing:
    """What named positions, velocities and Jacobians are taken to be of.

    Attributes
    ----------
    meant : dict of Claim to Target
        What each should be.
    unknown : set of Claim
        Those of which nothing of their place fits.
    turned : dict of Claim to str
        Those that hold along axes that nothing else shows.
    notes : list of str
        What was taken.
    """

    meant: dict[Claim, Target] = field(default_factory=dict)
    unknown: set[Claim] = field(default_factory=set)
    turned: dict[Claim, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Entry:
    """A claim: along which axis of the code, in which column of a Jacobian."""

    claim: Claim
    value: Any
    axis: int
    column: int


class PlacingFit:
    """Finds what claims of one listing are placed at, at a random point.

    Parameters
    ----------
    derived : DerivedAtPoint
    frame : Frame
    """

    def __init__(self, derived: DerivedAtPoint, frame: Frame) -> None:
        self._derived, self._frame = derived, frame
        self._quantities = derived.quantities
        self._places = places(derived.quantities)

    def placed(self, values: Mapping[Claim, Any]) -> Placing:
        """Return what claims are of, by their values."""
        keys: dict[str, dict[Claim, Any]] = {}
        for claim, value in values.items():
            keys.setdefault(f"{claim.run}: {claim.target[2]}", {})[claim] = value
        candidates = [list(_arranged(claims)) for claims in keys.values()]
        best: tuple[int, float] = (-1, 0.0)
        for axes, cost in _axes(self._quantities):
            score = sum(max(self._score(way, axes) for way in ways) for ways in candidates)
            if (score, -cost) > best:
                best, chosen = (score, -cost), axes
        proved = self._proved(candidates, chosen)
        return self._taken(candidates, proved, chosen)

    # ------------------------------------------------------------------ fitting

    def _score(self, points: Sequence[Sequence[_Entry]], axes: Axes) -> int:
        return sum(self._best(entries, axes)[0] for entries in points)

    def _best(self, entries: Sequence[_Entry], axes: Axes) -> tuple[int, Place]:
        """Return the place of which most entries are, and how many."""
        found = [(self._count_fits(entries, axes, one), one) for one in self._places]
        best = max(score for score, _ in found)
        fitting = [one for score, one in found if score == best]
        return best, max(fitting, key=lambda one: _called(entries, one, self._places))

    def _count_fits(self, entries: Sequence[_Entry], axes: Axes, place: Place) -> int:
        return sum(self._fits(one, axes, place) for one in entries if one.value)

    def _fits(self, entry: _Entry, axes: Axes, place: Place) -> bool:
        return any(
            not entry.value - self._derived.value(target, self._frame)
            for target in self._targets(entry, axes, place)
        )

    def _targets(self, entry: _Entry, axes: Axes, place: Place) -> Iterator[Target]:
        """Iterate over what an entry may be of a place."""
        kind = entry.claim.target[1]
        if entry.axis < ANGULAR:
            axis, sign = axes[entry.axis]
            yield ("placed", kind, place, axis, sign, entry.column)
        if entry.axis == 2 and len(plane_of_model(self._quantities)) == 2:
            yield from self._turning(entry, 2, _handed(axes, self._quantities), place)
        elif entry.axis >= ANGULAR:
            axis, sign = axes[entry.axis - ANGULAR]
            yield from self._turning(entry, axis, sign, place)

    def _turning(self, entry: _Entry, axis: int, sign: int, place: Place) -> Iterator[Target]:
        kind = entry.claim.target[1]
        if kind == "jacobian":
            yield ("placed", "angular", place, axis, sign, entry.column)
        elif kind == "position" and self._has_angle(place):
            yield from (("placed", "angle", place, quarter, sign, -1) for quarter in QUARTERS)

    def _has_angle(self, place: Place) -> bool:
        return place.body in self._quantities.mechanism.objects.angles

    # ------------------------------------------------------------------ axes that are shown

    def _proved(self, candidates: Sequence[Any], axes: Axes) -> Axes:
        """Return axes as far as more than one entry shows how they are counted."""
        usual = usual_axes(self._quantities)
        if axes in usual or _is_turn(axes, self._quantities):
            shown = {one.axis for one in self._holding(candidates, axes)}
            if axes in usual or len(shown) > 1:
                return axes
        own = max(
            usual, key=lambda each: sum(max(self._score(w, each) for w in ws) for ws in candidates)
        )
        cells: dict[int, set[Any]] = {}
        for one in self._holding(candidates, axes):
            cells.setdefault(one.axis % ANGULAR, set()).add(one.claim.cell.node)
        mixed = tuple(axes[i] if len(cells.get(i, ())) > 1 else own[i] for i in range(3))
        return mixed if len({axis for axis, _ in mixed}) == 3 else own

    def _holding(self, candidates: Sequence[Any], axes: Axes) -> Iterator[_Entry]:
        for ways in candidates:
            way = max(ways, key=lambda one: self._score(one, axes))
            for entries in way:
                _, place = self._best(entries, axes)
                yield from (e for e in entries if e.value and self._fits(e, axes, place))

    def _taken(self, candidates: Sequence[Any], axes: Axes, free: Axes) -> Placing:
        out = Placing()
        if axes not in usual_axes(self._quantities)[:1]:
            out.notes.append(f"its axes are {_words(axes, self._quantities)}")
        for ways in candidates:
            way = max(ways, key=lambda one: self._score(one, free))
            for entries in way:
                self._take(entries, axes, free, out)
        return out

    def _take(self, entries: Sequence[_Entry], axes: Axes, free: Axes, out: Placing) -> None:
        _, place = self._best(entries, free)
        shown = {
            e.claim
            for e in entries
            if e.value and any(self._fits(e, one, place) for one in (axes, free))
        }
        for entry in entries:
            targets = list(self._targets(entry, axes, place))
            right = (t for t in targets if self._is(entry, t))
            out.meant[entry.claim] = next(right, targets[0])
            if not shown and entry.value:
                out.unknown.add(entry.claim)
            elif (
                axes != free
                and not self._fits(entry, axes, place)
                and self._fits(entry, free, place)
            ):
                out.turned[entry.claim] = f"its axes are {_words(free, self._quantities)}"
        if shown:
            names = ", ".join(e.claim.label for e in entries[:1])
            kind = entries[0].claim.target[1]
            out.notes.append(
                f"{names}{' …' if entries[1:] else ''} is taken as the {kind} of {place.name}"
            )

    def _is(self, entry: _Entry, target: Target) -> bool:
        return not entry.value - self._derived.value(target, self._frame)


def _arranged(claims: Mapping[Claim, Any]) -> Iterator[list[list[_Entry]]]:
    """Iterate over the points that claims of one name may be: one, those of rows, of columns."""
    ways = next(iter(claims)).target[3]
    for way in ways:
        points: dict[int, list[_Entry]] = {}
        for claim, value in claims.items():
            row, column = claim.target[4:]
            point, axis, slope = {
                "rows": (row, column, -1),
                "columns": (column, row, -1),
                "slopes": (0, row, column),
                "turning first": (0, (row + ANGULAR) % (2 * ANGULAR), column),
            }[way]
            points.setdefault(point, []).append(_Entry(claim, value, axis, slope))
        yield list(points.values())


def _called(entries: Sequence[_Entry], place: Place, known: Sequence[Place]) -> tuple[int, int]:
    """Return how well the name of a place fits what claims are called, and how far out it is."""
    said = " ".join(f"{one.claim.run} {one.claim.label}" for one in entries).lower()
    return int(place.name.lower() in said), known.index(place)


# ---------------------------------------------------------------------- axes


@lru_cache(maxsize=64)
def plane_of_model(quantities: Quantities) -> tuple[int, ...]:
    """Return the axes along which a model moves."""
    return plane_of(quantities)


@lru_cache(maxsize=64)
def usual_axes(quantities: Quantities) -> tuple[Axes, ...]:
    """Return the axes that need no proof: the model's own, and level and up."""
    plane = plane_of_model(quantities)
    own = _whole(tuple((axis, 1) for axis in plane) if len(plane) == 2 else _MODEL)
    up = upright(quantities)
    return tuple(dict.fromkeys((own, _whole(up)))) if up else (own,)


_MODEL: Axes = ((0, 1), (1, 1), (2, 1))


def _whole(pair: Axes) -> Axes:
    """Return three axes of which two are given."""
    if len(pair) != 2:
        return pair
    (third,) = {0, 1, 2} - {axis for axis, _ in pair}
    return (*pair, (third, 1))


@lru_cache(maxsize=64)
def _axes(quantities: Quantities) -> tuple[tuple[Axes, float], ...]:
    """Return all axes that may be meant, with what they cost."""
    usual, plane = usual_axes(quantities), plane_of_model(quantities)
    found = dict.fromkeys(usual, 0.0)
    for place, one in enumerate(usual):
        found[one] = 0.1 * place
    if len(plane) == 2:
        orders: Iterable[Any] = permutations(plane)
        ways = [
            _whole(tuple(zip(order, signs, strict=True)))
            for order in orders
            for signs in product((1, -1), repeat=2)
        ]
    else:
        ways = [
            tuple(zip(order, signs, strict=True))
            for order in permutations(range(3))
            for signs in product((1, -1), repeat=3)
        ]
    for one in ways:
        nearest = min(sum(a != b for a, b in zip(one, each, strict=True)) for each in usual)
        found.setdefault(one, (1.0 if _is_turn(one, quantities) else 2.0) + 0.1 * nearest)
    return tuple(found.items())


def _is_turn(axes: Axes, quantities: Quantities) -> bool:
    """Return whether axes are the model's, turned, and not a mirror image of them."""
    plane = plane_of_model(quantities)
    if len(plane) == 2:
        return axes[:2] in turns(plane)
    return _sign(axes) > 0


def _handed(axes: Axes, quantities: Quantities) -> int:
    return 1 if _is_turn(axes, quantities) else -1


def _sign(axes: Axes) -> int:
    order = [axis for axis, _ in axes]
    swaps = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])
    sign = -1 if swaps % 2 else 1
    for _, one in axes:
        sign *= one
    return sign


def _words(axes: Axes, quantities: Quantities) -> str:
    count = len(plane_of_model(quantities))
    return ", ".join(
        f"{'-' if sign < 0 else ''}{'xyz'[axis]}" for axis, sign in axes[: max(count, 2)]
    )
